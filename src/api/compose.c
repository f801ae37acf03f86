/* SPDX-License-Identifier: Apache-2.0 */
/* A model file with changes. See compose.h. */
#include "api/compose.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain.h"

/* ---- the tree of changes ---- */

static bool is_key(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '-') return false;
    return length > 0;
}

static int bad_path(const char *path) {
    return ts_fail(TORSOR_EINVAL,
                   "'%.100s' is not a path into a model: expected names separated by dots, such as "
                   "bodies.arm or analysis.step",
                   path);
}

static int check_path(const char *path) {
    for (const char *at = path;; at++) {
        size_t length = strcspn(at, ".");
        if (!is_key(at, length)) return bad_path(path);
        at += length;
        if (!*at) return 0;
    }
}

static ts_patch *child_of(ts_patch *p, const char *key, size_t length, bool make) {
    for (int i = p->count - 1; i >= 0; i--)
        if (strlen(p->child[i].key) == length && memcmp(p->child[i].key, key, length) == 0)
            return &p->child[i];
    if (!make) return NULL;
    ts_grow(p->child, p->room, p->count + 1);
    char *copy = ts_calloc(length + 1, 1);
    memcpy(copy, key, length);
    p->child[p->count] = (ts_patch){.key = copy};
    return &p->child[p->count++];
}

static void drop_children(ts_patch *p) {
    for (int i = 0; i < p->count; i++) ts_patch_clear(&p->child[i]);
    free(p->child);
    p->child = NULL, p->count = p->room = 0;
}

void ts_patch_clear(ts_patch *p) {
    drop_children(p);
    free(p->key), free(p->text);
    *p = (ts_patch){0};
}

void ts_patch_copy(ts_patch *to, const ts_patch *from) {
    *to = (ts_patch){.key = ts_strdup(from->key), .text = ts_strdup(from->text)};
    to->count = to->room = from->count;
    if (from->count) to->child = ts_calloc((size_t)from->count, sizeof *to->child);
    for (int i = 0; i < from->count; i++) ts_patch_copy(&to->child[i], &from->child[i]);
}

/* ---- values ---- */

static bool in_brackets(const char *text, const ts_yaml *node) {
    return text[node->start] == '{' || text[node->start] == '[';
}

/* Where a bare word would not be one word inside brackets, it gets quotes. */
static char *quoted(const char *text, size_t length) {
    char *copy = ts_calloc(2 * length + 3, 1), *to = copy;
    *to++ = '\'';
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'') *to++ = '\'';
        *to++ = text[i];
    }
    *to++ = '\'';
    return copy;
}

/* The value on one line, or NULL with a diagnostic. */
static char *one_line(const ts_source *source, const ts_yaml *root) {
    const char *text = source->text;
    bool scalar = root->type == TS_YAML_SCALAR;
    if (!scalar && !in_brackets(text, root)) {
        ts_report(source, root->start, "write {a: 1, b: 2} or [1, 2]",
                  "a mapping or list must stand in brackets here");
        return NULL;
    }
    size_t length = root->end - root->start;
    const char *from = text + root->start;
    bool lines = memchr(from, '\n', length) || memchr(from, '\r', length);
    if (lines && memchr(from, '#', length)) {
        ts_report(source, root->start, NULL, "a value of several lines may not contain '#'");
        return NULL;
    }
    if (scalar && root->plain && strcspn(root->text, ",[]{}:#&*!|>'\"%@`\n") < root->length)
        return quoted(root->text, root->length);
    char *copy = ts_calloc(length + 1, 1);
    memcpy(copy, from, length);
    for (size_t i = 0; i < length; i++)
        if (copy[i] == '\n' || copy[i] == '\r') copy[i] = ' ';
    return copy;
}

static int read_value(const char *path, const char *value, char **out) {
    ts_diagnostics problems = {0};
    ts_source source;
    ts_yaml_tree tree = {0};
    *out = NULL;
    ts_source_open(&source, path, value, strlen(value), &problems);
    if (ts_check_utf8(&source)) ts_yaml_parse(&tree, &source);
    if (tree.root && problems.count == 0) *out = one_line(&source, tree.root);
    if (!tree.root && problems.count == 0) *out = ts_strdup("~");
    int status = problems.count ? ts_diagnostics_fail(&problems) : 0;
    ts_yaml_free(&tree);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    return status;
}

/* Further down in a value that was itself set: that value is changed. */
static int set_below(ts_patch *p, const char *rest, const char *path, char *line) {
    ts_patch inner = {0};
    ts_composed made = {0};
    int status = ts_patch_set(&inner, rest, line);
    if (!status) status = ts_compose(&made, p->text, strlen(p->text), path, &inner);
    if (!status) {
        free(p->text);
        p->text = ts_strdup(made.text);
    }
    ts_composed_clear(&made);
    ts_patch_clear(&inner);
    free(line);
    return status;
}

int ts_patch_set(ts_patch *root, const char *path, const char *value) {
    char *line;
    int status = check_path(path);
    if (!status) status = read_value(path, value, &line);
    if (status) return status;
    ts_patch *p = root;
    for (const char *at = path;;) {
        size_t length = strcspn(at, ".");
        p = child_of(p, at, length, true);
        at += length;
        if (!*at) break;
        at++;
        if (p->text) return set_below(p, at, path, line);
    }
    drop_children(p);
    free(p->text);
    p->text = line;
    return 0;
}

/* ---- splices ---- */

typedef struct splice {
    size_t start, end; /* of the old text */
    char *text;        /* owned */
    char *label;       /* owned; NULL: glue */
    const char *value;
    int order;
} splice;

typedef struct work {
    const char *text;
    size_t length;
    splice *item;
    int count, room;
    char path[400];
} work;

static void put(work *w, size_t start, size_t end, char *text, const char *value) {
    ts_grow(w->item, w->room, w->count + 1);
    char *label = value ? ts_strdup(w->path) : NULL;
    w->item[w->count] = (splice){start, end, text, label, value, w->count};
    w->count++;
}

static void put_glue(work *w, size_t at, const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = ts_calloc(size, 1);
    snprintf(text, size, "%s%s%s", a, b, c);
    put(w, at, at, text, NULL);
}

/* Into the path, and out again. */
static size_t enter(work *w, const char *key) {
    size_t used = strlen(w->path);
    snprintf(w->path + used, sizeof w->path - used, "%s%s", used ? "." : "", key);
    return used;
}

static void leave(work *w, size_t used) { w->path[used] = 0; }

/* What is new and below, in brackets; a section gets a line for each entry. */
static void put_new(work *w, size_t at, const ts_patch *p, const char *indent) {
    if (p->text) {
        put(w, at, at, ts_strdup(p->text), p->text);
        return;
    }
    if (!indent) put_glue(w, at, "{", "", "");
    for (int i = 0; i < p->count; i++) {
        size_t used = enter(w, p->child[i].key);
        if (indent)
            put_glue(w, at, "\n  ", p->child[i].key, ": ");
        else
            put_glue(w, at, i ? ", " : "", p->child[i].key, ": ");
        put_new(w, at, &p->child[i], NULL);
        leave(w, used);
    }
    if (!indent) put_glue(w, at, "}", "", "");
}

static size_t after_colon(const work *w, const ts_yaml *key) {
    size_t at = key->end;
    while (at < w->length && w->text[at] != ':') at++;
    return at < w->length ? at + 1 : at;
}

static int replace(work *w, const ts_yaml *key, const ts_yaml *old, const ts_patch *p) {
    size_t start = after_colon(w, key), end = old->end > start ? old->end : start;
    if (old->start < key->start)
        return ts_fail(TORSOR_EINVAL,
                       "'%s' is an alias (*name) in the model file and cannot be set by itself",
                       w->path);
    if (end > start && w->text[end - 1] == '\n') end--; /* of a text in lines of its own */
    put_glue(w, start, " ", "", "");
    put_new(w, start, p, NULL);
    put(w, start, end, ts_strdup(""), NULL);
    return 0;
}

static size_t indent_of(const work *w, size_t at) {
    size_t start = at;
    while (start > 0 && w->text[start - 1] != '\n') start--;
    return at - start;
}

/* Into a mapping in brackets, before the last of them. */
static void insert_in_brackets(work *w, const ts_yaml *map, const ts_patch *p, bool first) {
    size_t at = map->end - 1, last = at - 1;
    while (last > map->start && isspace((unsigned char)w->text[last])) last--;
    bool comma = (map->count > 0 && w->text[last] != ',') || !first;
    put_glue(w, at, comma ? ", " : "", p->key, ": ");
    put_new(w, at, p, NULL);
}

/* Behind the last line of a mapping without brackets. */
static void insert_line(work *w, const ts_yaml *map, const ts_patch *p, bool root) {
    size_t at = root ? w->length : map->end;
    if (!root && at > 0 && w->text[at - 1] == '\n') at--;
    while (at < w->length && w->text[at] != '\n') at++;
    while (root && at > 0 && isspace((unsigned char)w->text[at - 1])) at--;
    if (at > 0 && w->text[at - 1] == '\r') at--;
    size_t columns = map->count ? indent_of(w, map->key[0]->start) : 0;
    char *spaces = ts_calloc(columns + 2, 1);
    memset(spaces + 1, ' ', columns);
    spaces[0] = '\n';
    put_glue(w, at, spaces, p->key, root && !p->text ? ":" : ": ");
    put_new(w, at, p, root ? spaces : NULL);
    free(spaces);
}

static int find_key(const ts_yaml *map, const char *key) {
    for (int k = 0; k < map->count; k++)
        if (strcmp(map->key[k]->text, key) == 0) return k;
    return -1;
}

static int merge(work *w, const ts_yaml *map, const ts_patch *patch, bool root);

static int change(work *w, const ts_yaml *map, int k, const ts_patch *p) {
    const ts_yaml *old = map->item[k];
    bool into = !p->text && old->type == TS_YAML_MAP && old->count > 0;
    if (into && old->start >= map->key[k]->start) return merge(w, old, p, false);
    return replace(w, map->key[k], old, p);
}

/* Entries that exist are changed first, so that at one place a new entry comes second. */
static int merge(work *w, const ts_yaml *map, const ts_patch *patch, bool root) {
    bool brackets = in_brackets(w->text, map), first = true;
    int status = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < patch->count && !status; i++) {
            const ts_patch *p = &patch->child[i];
            int k = find_key(map, p->key);
            if ((k >= 0) != (pass == 0)) continue;
            size_t used = enter(w, p->key);
            if (k >= 0)
                status = change(w, map, k, p);
            else if (brackets)
                insert_in_brackets(w, map, p, first), first = false;
            else
                insert_line(w, map, p, root);
            leave(w, used);
        }
    return status;
}

/* ---- the new text ---- */

static int by_place(const void *a, const void *b) {
    const splice *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->order - y->order;
}

static void append(ts_composed *out, const char *text, size_t length, ts_segment segment) {
    if (length == 0) return;
    ts_grow(out->segment, out->room, out->segments + 1);
    segment.start = out->length;
    out->segment[out->segments++] = segment;
    memcpy(out->text + out->length, text, length);
    out->length += length;
}

static void build(ts_composed *out, work *w) {
    size_t size = w->length + 1, at = 0;
    for (int i = 0; i < w->count; i++) size += strlen(w->item[i].text);
    out->text = ts_calloc(size, 1);
    if (w->count) qsort(w->item, (size_t)w->count, sizeof *w->item, by_place);
    for (int i = 0; i < w->count; i++) {
        splice *s = &w->item[i];
        if (s->start > at) append(out, w->text + at, s->start - at, (ts_segment){.from = at});
        ts_segment new = {.label = s->label, .value = s->value, .glue = !s->label};
        if (*s->text)
            append(out, s->text, strlen(s->text), new);
        else
            free(s->label);
        at = s->end > at ? s->end : at;
        free(s->text);
    }
    append(out, w->text + at, w->length - at, (ts_segment){.from = at});
    w->count = 0;
}

static void drop_splices(work *w) {
    for (int i = 0; i < w->count; i++) free(w->item[i].text), free(w->item[i].label);
    free(w->item);
}

/* ---- is it right? ----
 *
 * Texts can be stranger than what was thought of here (marks of documents, keys with question
 * marks). So the new text is read: all that was set must be there, and of the old no key be
 * lost. */

static bool same_as(const ts_yaml *node, const char *text, const char *value) {
    size_t length = node->end - node->start;
    return length == strlen(value) && memcmp(text + node->start, value, length) == 0;
}

static bool holds(const ts_yaml *node, const char *text, const ts_patch *p) {
    if (p->text) return same_as(node, text, p->text);
    if (node->type != TS_YAML_MAP) return false;
    for (int i = 0; i < p->count; i++) {
        int k = find_key(node, p->child[i].key);
        if (k < 0 || !holds(node->item[k], text, &p->child[i])) return false;
    }
    return true;
}

static bool keeps(const ts_yaml *new, const ts_yaml *old) {
    for (int k = 0; k < old->count; k++)
        if (find_key(new, old->key[k]->text) < 0) return false;
    return new->count >= old->count;
}

static int verify(const ts_composed *made, const ts_yaml *old, const char *name,
                  const ts_patch *patch) {
    ts_diagnostics problems = {0};
    ts_source source;
    ts_yaml_tree tree = {0};
    ts_source_open(&source, name, made->text, made->length, &problems);
    if (ts_check_utf8(&source)) ts_yaml_parse(&tree, &source);
    bool right = tree.root && problems.count == 0 && tree.root->type == TS_YAML_MAP &&
                 keeps(tree.root, old) && holds(tree.root, made->text, patch);
    ts_yaml_free(&tree);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    if (right) return 0;
    return ts_fail(TORSOR_EINVAL,
                   "values cannot be set in %s: it is written in an unsupported form", name);
}

int ts_compose(ts_composed *out, const char *text, size_t length, const char *name,
               const ts_patch *patch) {
    ts_diagnostics problems = {0};
    ts_source source;
    ts_yaml_tree tree = {0};
    work w = {.text = text, .length = length};
    int status = 0;
    *out = (ts_composed){0};
    ts_source_open(&source, name, text, length, &problems);
    if (patch->count && ts_check_utf8(&source)) ts_yaml_parse(&tree, &source);
    if (problems.count)
        status = ts_diagnostics_fail(&problems);
    else if (patch->count && (!tree.root || tree.root->type != TS_YAML_MAP))
        status = ts_fail(TORSOR_EINVAL, "%s is not a mapping: nothing can be set in it", name);
    else if (patch->count)
        status = merge(&w, tree.root, patch, true);
    if (!status) build(out, &w);
    if (!status && patch->count) status = verify(out, tree.root, name, patch);
    if (status) ts_composed_clear(out);
    drop_splices(&w);
    ts_yaml_free(&tree);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    return status;
}

void ts_composed_clear(ts_composed *c) {
    for (int i = 0; i < c->segments; i++) free((char *)c->segment[i].label);
    free(c->segment), free(c->text);
    *c = (ts_composed){0};
}

/* ---- where things came from ---- */

static size_t offset_of(const ts_source *s, int line, int column) {
    size_t at = line <= s->lines ? s->line[line - 1] : s->length;
    for (int i = 1; i < column && at < s->length; i++) do
            at++;
        while (at < s->length && ((unsigned char)s->text[at] & 0xC0) == 0x80);
    return at;
}

static const ts_segment *segment_at(const ts_composed *c, size_t offset) {
    int low = 0, high = c->segments;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (c->segment[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return &c->segment[low];
}

static void retell(ts_diagnostic *d, const char *file, int line, int column, char *source) {
    free(d->file), free(d->source);
    d->file = ts_strdup(file), d->line = line, d->column = column, d->source = source;
}

static void explain(const ts_composed *c, const ts_source *new, const ts_source *old,
                    ts_diagnostic *d) {
    size_t offset = offset_of(new, d->line, d->column);
    const ts_segment *s = segment_at(c, offset), *last = c->segment + c->segments;
    size_t inside = offset - s->start;
    for (; s + 1 < last && s->glue; s++) inside = 0;
    int line, column;
    if (s->label) {
        retell(d, s->label, 1, (int)inside + 1, ts_plain(ts_strdup(s->value)));
    } else if (!s->glue) {
        ts_source_place(old, s->from + inside, &line, &column);
        retell(d, old->name, line, column, ts_source_line(old, line));
    }
}

void ts_composed_explain(const ts_composed *c, const char *text, size_t length, const char *name,
                         ts_diagnostics *diagnostics) {
    ts_source new, old;
    if (c->segments == 0) return;
    ts_source_open(&new, name, c->text, c->length, diagnostics);
    ts_source_open(&old, name, text, length, diagnostics);
    for (int i = 0; i < diagnostics->count; i++) {
        ts_diagnostic *d = &diagnostics->items[i];
        /* problems of other files, tables that the model reads, stand where they are */
        if (d->line > 0 && strcmp(d->file, name) == 0) explain(c, &new, &old, d);
    }
    ts_source_close(&new);
    ts_source_close(&old);
}

/* ---- reading back ---- */

const ts_yaml *ts_yaml_at(const ts_yaml *node, const char *path) {
    while (node && node->type == TS_YAML_MAP) {
        size_t length = strcspn(path, ".");
        const ts_yaml *next = NULL;
        for (int k = 0; k < node->count && !next; k++)
            if (node->key[k]->length == length && memcmp(node->key[k]->text, path, length) == 0)
                next = node->item[k];
        if (!path[length]) return next;
        path += length + 1, node = next;
    }
    return NULL;
}

char *ts_text_at(const char *text, size_t length, const char *path) {
    ts_diagnostics problems = {0};
    ts_source source;
    ts_yaml_tree tree = {0};
    char *copy = NULL;
    ts_source_open(&source, "model", text, length, &problems);
    if (ts_check_utf8(&source)) ts_yaml_parse(&tree, &source);
    const ts_yaml *node = ts_yaml_at(tree.root, path);
    if (node) {
        copy = ts_calloc(node->end - node->start + 1, 1);
        memcpy(copy, text + node->start, node->end - node->start);
    }
    ts_yaml_free(&tree);
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    return copy;
}
