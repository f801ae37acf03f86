/* SPDX-License-Identifier: Apache-2.0 */
/* YAML 1.2 as a tree with places: built from libfyaml's events.
 *
 * Why events and not the library's own documents: places of every node, keys given twice with both
 * places, and limits that no text can escape. A node is complete before its anchor can be used, so
 * that no tree contains itself; shared nodes are stored once, and `weight` and `height` bound the
 * work and the recursion of whoever walks the tree.
 */
#include "reader/text/yaml.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/text/yaml_text.h"

enum {
    MAX_DEPTH = 64,
    MAX_NODES = 8000000,
    MAX_SHARED = 1000000, /* nodes that aliases may add to those written out */
    MAX_ANCHORS = 1000,
    BLOCK = 1 << 16
};

/* ---- memory: freed all at once ---- */

typedef struct ts_yaml_block {
    struct ts_yaml_block *next;
    size_t used, room;
    max_align_t bytes[];
} block;

static void *claim(ts_yaml_tree *tree, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!tree->blocks || tree->blocks->room - tree->blocks->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        block *fresh = ts_calloc(1, sizeof *fresh + room);
        *fresh = (block){.next = tree->blocks, .room = room};
        tree->blocks = fresh;
    }
    char *memory = (char *)tree->blocks->bytes + tree->blocks->used;
    tree->blocks->used += size;
    return memory;
}

static const char *copy_text(ts_yaml_tree *tree, const char *text, size_t length) {
    char *copy = claim(tree, length + 1);
    if (length) memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void ts_yaml_free(ts_yaml_tree *tree) {
    for (block *b = tree->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    *tree = (ts_yaml_tree){0};
}

/* ---- building ---- */

typedef struct anchor {
    const char *name;
    ts_yaml *node;
    struct anchor *next;
} anchor;

typedef struct open_node {
    ts_yaml *node;
    const char *anchor;
    ts_yaml *key; /* read, its value not yet */
} open_node;

typedef struct builder {
    const ts_source *source;
    ts_yaml_tree *tree;
    open_node stack[MAX_DEPTH];
    int depth, documents, named;
    long nodes;
    size_t last; /* end of the newest token: where things without a token of their own stand */
    anchor *anchors;
    bool failed;
} builder;

static bool fail(builder *b, size_t offset, const char *hint, const char *message) {
    b->failed = true;
    return ts_report(b->source, offset, hint, "%s", message);
}

/* Nothing at all stands behind the colon of its key. */
static size_t after_colon(const builder *b) {
    return b->last + (b->last < b->source->length && b->source->text[b->last] == ':');
}

static ts_yaml *new_node(builder *b, ts_yaml_type type) {
    ts_yaml *node = claim(b->tree, sizeof *node);
    *node = (ts_yaml){.type = type, .height = 1, .weight = 1, .start = b->last, .end = b->last};
    if (++b->nodes > MAX_NODES)
        fail(b, b->last, "put large tables into separate files", "the file has too many values");
    return node;
}

/* Items live in the tree's memory too: a grown array leaves its old place behind, at most its own
 * size. */
static void grow(builder *b, ts_yaml *parent) {
    if (parent->count < parent->room) return;
    int room = parent->room ? 2 * parent->room : 4;
    ts_yaml **item = claim(b->tree, (size_t)room * sizeof(ts_yaml *));
    if (parent->count) memcpy(item, parent->item, (size_t)parent->count * sizeof(ts_yaml *));
    parent->item = item;
    if (parent->type == TS_YAML_MAP) {
        ts_yaml **key = claim(b->tree, (size_t)room * sizeof(ts_yaml *));
        if (parent->count) memcpy(key, parent->key, (size_t)parent->count * sizeof(ts_yaml *));
        parent->key = key;
    }
    parent->room = room;
}

static void count_in(ts_yaml *parent, const ts_yaml *child) {
    parent->weight += child->weight;
    if (parent->height <= child->height) parent->height = child->height + 1;
    parent->anchored |= child->anchored;
}

static bool is_key(builder *b, const ts_yaml *node) {
    if (node->type != TS_YAML_SCALAR)
        return fail(b, node->start, NULL, "a key must be a plain word, not a list or a mapping");
    if (node->plain && strcmp(node->text, "<<") == 0)
        return fail(b, node->start, "write the keys out", "merge keys (<<) are not supported");
    for (const unsigned char *c = (const unsigned char *)node->text; *c; c++)
        if (*c < 0x20 || *c == 0x7F || (c[0] == 0xC2 && c[1] < 0xA0))
            return fail(b, node->start, "use letters and digits",
                        "a name may not contain control characters");
    return true;
}

/* Hangs a finished node into the innermost open one. */
static void attach(builder *b, ts_yaml *node) {
    if (b->depth == 0) {
        b->tree->root = node;
        return;
    }
    open_node *top = &b->stack[b->depth - 1];
    ts_yaml *parent = top->node;
    if (parent->type == TS_YAML_MAP && !top->key) {
        if (is_key(b, node)) top->key = node;
        return;
    }
    grow(b, parent);
    if (parent->type == TS_YAML_MAP) parent->key[parent->count] = top->key;
    parent->item[parent->count++] = node;
    top->key = NULL;
    count_in(parent, node);
    if (parent->height > MAX_DEPTH)
        fail(b, node->start, NULL, "lists and mappings are nested too deeply (64 levels)");
    if (parent->weight > b->nodes + MAX_SHARED)
        fail(b, node->start, NULL, "the aliases of this file repeat too much (a million values)");
}

static void name_node(builder *b, const char *name, ts_yaml *node) {
    if (!name) return;
    anchor *fresh = claim(b->tree, sizeof *fresh);
    *fresh = (anchor){name, node, b->anchors};
    b->anchors = fresh;
    node->anchored = true;
    if (++b->named > MAX_ANCHORS) fail(b, node->start, NULL, "too many anchors (1000)");
}

/* ---- events ---- */

/* The bytes of a token, or false if it has no place in the text. */
static bool span(const builder *b, struct fy_token *token, size_t *start, size_t *end) {
    const struct fy_mark *from = token ? fy_token_start_mark(token) : NULL;
    const struct fy_mark *to = token ? fy_token_end_mark(token) : NULL;
    if (!from || !to || to->input_pos > b->source->length || from->input_pos > to->input_pos)
        return false;
    *start = from->input_pos, *end = to->input_pos;
    return true;
}

static const char *anchor_text(builder *b, struct fy_event *event) {
    size_t start, end;
    if (!span(b, fy_event_get_anchor_token(event), &start, &end)) return NULL;
    return copy_text(b->tree, b->source->text + start, end - start);
}

static bool refuse_tag(builder *b, struct fy_event *event) {
    struct fy_token *token = fy_event_get_tag_token(event);
    if (!token) return true;
    const struct fy_mark *mark = fy_token_start_mark(token);
    return fail(b, mark ? mark->input_pos : b->last, "remove it; use quotes for a text",
                "tags (!...) are not supported");
}

/* Block scalars (| and >), piece by piece: the library's fy_token_get_text loses memory on some. */
static void read_block(builder *b, struct fy_token *token, ts_yaml *node) {
    struct fy_token_iter *iter = fy_token_iter_create(token);
    const struct fy_iter_chunk *chunk = NULL;
    char *text = NULL;
    size_t length = 0;
    while (iter && (chunk = fy_token_iter_chunk_next(iter, chunk, NULL))) {
        text = ts_realloc(text, length + chunk->len + 1, 1);
        memcpy(text + length, chunk->str, chunk->len);
        length += chunk->len;
    }
    if (iter) fy_token_iter_destroy(iter);
    node->text = copy_text(b->tree, text ? text : "", length);
    node->length = length;
    free(text);
}

static void read_flow(builder *b, ts_yaml *node, size_t start, size_t end, char quote) {
    const char *raw = b->source->text + start;
    char *text = claim(b->tree, 2 * (end - start) + 1);
    node->text = text;
    node->length = ts_yaml_unquote(raw, end - start, quote, text);
    node->body = start;
    node->verbatim = node->length == end - start && memcmp(raw, text, node->length) == 0;
    if (node->length != (size_t)-1) return;
    node->length = strlen(text);
    fail(b, start, NULL, "a backslash in double quotes that is not a valid escape");
}

static void on_scalar(builder *b, struct fy_event *event) {
    ts_yaml *node = new_node(b, TS_YAML_SCALAR);
    enum fy_node_style style = fy_event_get_node_style(event);
    bool in_block = style == FYNS_LITERAL || style == FYNS_FOLDED;
    char quote = style == FYNS_SINGLE_QUOTED ? '\'' : style == FYNS_DOUBLE_QUOTED ? '"' : 0;
    size_t start, end;
    node->plain = !in_block && !quote;
    node->text = "";
    if (span(b, event->scalar.value, &start, &end)) {
        node->start = start - (quote && start > 0);
        node->end = end + (quote != 0);
        if (in_block)
            read_block(b, event->scalar.value, node);
        else
            read_flow(b, node, start, end, quote);
    } else {
        node->start = node->end = after_colon(b);
    }
    if (!node->verbatim) node->body = node->start;
    b->last = node->end;
    if (strlen(node->text) != node->length)
        fail(b, node->start, NULL, "a text may not contain the zero character");
    name_node(b, anchor_text(b, event), node);
    attach(b, node);
}

static void on_alias(builder *b, struct fy_event *event) {
    size_t start = b->last, end = b->last;
    span(b, event->alias.anchor, &start, &end);
    const char *name = copy_text(b->tree, b->source->text + start, end - start);
    b->last = end;
    for (anchor *a = b->anchors; a; a = a->next)
        if (strcmp(a->name, name) == 0) {
            attach(b, a->node);
            return;
        }
    b->failed = true;
    ts_report(b->source, start - (start > 0),
              "an anchor (&name) must come before its aliases, outside of itself; quote a text "
              "that begins with *: '*.angle'",
              "there is no anchor for the alias '*%.40s'", name);
}

static void on_open(builder *b, struct fy_event *event, ts_yaml_type type) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (mark) b->last = mark->input_pos;
    if (b->depth == MAX_DEPTH) {
        fail(b, b->last, NULL, "lists and mappings are nested too deeply (64 levels)");
        return;
    }
    b->stack[b->depth] = (open_node){new_node(b, type), anchor_text(b, event), NULL};
    b->depth++;
}

/* A collection without brackets ends with its last value: its end token stands on a later line. */
static void on_close(builder *b, struct fy_event *event) {
    if (b->depth == 0) return;
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    if (start && end && end->input_pos > start->input_pos) b->last = end->input_pos;
    open_node done = b->stack[--b->depth];
    done.node->end = b->last;
    name_node(b, done.anchor, done.node);
    attach(b, done.node);
}

static void on_document(builder *b, struct fy_event *event) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (++b->documents > 1)
        fail(b, mark ? mark->input_pos : b->last, "put the models into separate files",
             "a second YAML document begins here; a model file has only one");
}

static void on_event(builder *b, struct fy_event *event) {
    if (!refuse_tag(b, event)) return;
    switch (event->type) {
    case FYET_DOCUMENT_START:
        on_document(b, event);
        break;
    case FYET_SCALAR:
        on_scalar(b, event);
        break;
    case FYET_ALIAS:
        on_alias(b, event);
        break;
    case FYET_SEQUENCE_START:
        on_open(b, event, TS_YAML_LIST);
        break;
    case FYET_MAPPING_START:
        on_open(b, event, TS_YAML_MAP);
        break;
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        on_close(b, event);
        break;
    default:
        break;
    }
}

/* ---- the library's own complaints ---- */

static size_t offset_of(const ts_source *s, int line, int column) {
    if (line < 1) line = 1;
    if (line > s->lines) line = s->lines;
    size_t at = s->line[line - 1];
    size_t end = line < s->lines ? s->line[line] - 1 : s->length;
    for (int i = 1; i < column && at < end; i++) do
            at++;
        while (at < end && ((unsigned char)s->text[at] & 0xC0) == 0x80);
    return at;
}

/* Does the text open more brackets and braces than it closes? Comments do not count. */
static bool stays_open(const ts_source *s) {
    int depth = 0;
    bool comment = false;
    for (size_t i = 0; i < s->length; i++) {
        comment = s->text[i] != '\n' && (comment || s->text[i] == '#');
        if (comment) continue;
        depth += s->text[i] == '[' || s->text[i] == '{';
        depth -= s->text[i] == ']' || s->text[i] == '}';
    }
    return depth > 0;
}

/* Is the last mark before that place a bracket that closes a list, as in [1, 2] kg? */
static bool follows_list(const ts_source *s, size_t offset) {
    while (offset > 0 && strchr(" \t", s->text[offset - 1])) offset--;
    return offset > 0 && s->text[offset - 1] == ']';
}

/* A tab in the white space before the first word of that line? */
static const char *syntax_hint(const ts_source *s, size_t offset, const char *message) {
    int line, column;
    ts_source_place(s, offset, &line, &column);
    for (size_t i = s->line[line - 1]; i < s->length && strchr(" \t", s->text[i]); i++)
        if (s->text[i] == '\t') return "indent with spaces, not with tabs";
    if (strstr(message, "bracket") || strstr(message, "brace") || strstr(message, "quote"))
        return "close what was opened before";
    if (follows_list(s, offset))
        return "is it a unit? Each number of a list has its own: [1 mm, 2 mm]";
    if (stays_open(s)) return "a bracket [ or a brace { is not closed";
    return "is the indentation right, and is there a blank after every ':'?";
}

/* Only the first one: what follows is mostly a consequence. */
static void report_syntax(builder *b, struct fy_diag *diag) {
    void *at = NULL;
    struct fy_diag_error *error = fy_diag_errors_iterate(diag, &at);
    if (!error || !error->msg) {
        fail(b, b->last, NULL, "this is not well-formed YAML");
        return;
    }
    size_t offset = offset_of(b->source, error->line, error->column);
    b->failed = true;
    ts_report(b->source, offset, syntax_hint(b->source, offset, error->msg),
              "not well-formed YAML: %s", error->msg);
}

static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag, (void)user, (void)text, (void)length;
}

/* What the library has allocated. */
typedef struct parsing {
    struct fy_diag *diag;
    struct fy_parser *parser;
    struct fy_event *event; /* in hand */
} parsing;

static void end_parsing(void *parsing_) {
    parsing *p = parsing_;
    if (p->event) fy_parser_event_free(p->parser, p->event);
    if (p->parser) fy_parser_destroy(p->parser);
    fy_diag_destroy(p->diag);
}

static void run_parser(builder *b, parsing *p) {
    bool ended = false;
    while (!ended && !b->failed) {
        p->event = fy_parser_parse(p->parser);
        if (!p->event) break;
        ended = p->event->type == FYET_STREAM_END;
        on_event(b, p->event);
        fy_parser_event_free(p->parser, p->event);
        p->event = NULL;
    }
    if (!ended && !b->failed) report_syntax(b, p->diag);
}

static void parse_events(builder *b) {
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL, quiet.output_fn = swallow, quiet.colorize = false;
    parsing *p = ts_calloc(1, sizeof *p);
    p->diag = fy_diag_create(&quiet);
    if (!p->diag) ts_no_memory("the YAML library cannot start");
    ts_hold(end_parsing, p);
    fy_diag_set_collect_errors(p->diag, true);
    struct fy_parse_cfg how = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE |
                                        FYPCF_DEFAULT_VERSION_1_2 | FYPCF_DISABLE_ACCELERATORS,
                               .diag = p->diag};
    p->parser = fy_parser_create(&how);
    if (p->parser && fy_parser_set_string(p->parser, b->source->text, b->source->length) == 0)
        run_parser(b, p);
    else
        fail(b, 0, NULL, "the YAML library cannot read this");
    ts_unhold(end_parsing, p);
    end_parsing(p);
    free(p);
}

/* ---- keys given twice ---- */

static int by_text(const void *a, const void *b) {
    const ts_yaml *first = *(ts_yaml *const *)a, *second = *(ts_yaml *const *)b;
    int order = strcmp(first->text, second->text);
    return order ? order : (first->start > second->start) - (first->start < second->start);
}

/* Marks the later of equal keys by a NULL text, and takes them out of the map. */
static void drop_marked(ts_yaml *map) {
    int kept = 0;
    for (int i = 0; i < map->count; i++) {
        if (!map->key[i]) continue;
        map->key[kept] = map->key[i];
        map->item[kept++] = map->item[i];
    }
    map->count = kept;
}

static void mark(ts_yaml *map, const ts_yaml *key) {
    for (int i = map->count - 1; i >= 0; i--)
        if (map->key[i] == key) {
            map->key[i] = NULL;
            return;
        }
}

static void check_keys(const ts_source *source, ts_yaml *map) {
    size_t count = (size_t)map->count;
    ts_yaml **sorted = ts_calloc(count, sizeof *sorted);
    if (count) memcpy(sorted, map->key, count * sizeof *sorted);
    if (count) qsort(sorted, count, sizeof *sorted, by_text);
    bool any = false;
    for (size_t i = 1, first = 0; i < count; i++) {
        if (strcmp(sorted[i]->text, sorted[first]->text) != 0) {
            first = i;
            continue;
        }
        int line, column;
        ts_source_place(source, sorted[first]->start, &line, &column);
        if (!ts_report_full(source)) mark(map, sorted[i]), any = true;
        ts_report(source, sorted[i]->start, NULL,
                  "the key '%.80s' is given twice; first on line %d", sorted[i]->text, line);
    }
    if (any) drop_marked(map);
    free(sorted);
}

/* Every map once: what has been checked is marked by a negative room. */
static void check_all(const ts_source *source, ts_yaml *node) {
    if (node->room < 0) return;
    node->room = -1;
    if (node->type == TS_YAML_MAP) check_keys(source, node);
    for (int i = 0; i < node->count; i++) check_all(source, node->item[i]);
}

void ts_yaml_parse(ts_yaml_tree *tree, const ts_source *source) {
    *tree = (ts_yaml_tree){0};
    builder b = {.source = source, .tree = tree};
    parse_events(&b);
    if (b.failed) tree->root = NULL;
    if (tree->root) check_all(source, tree->root);
}

/* ---- looking ---- */

ts_yaml *ts_yaml_get(const ts_yaml *map, const char *key) {
    if (!map || map->type != TS_YAML_MAP) return NULL;
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->key[i]->text, key) == 0) return map->item[i];
    return NULL;
}

bool ts_yaml_is(const ts_yaml *node, const char *text) {
    return node && node->type == TS_YAML_SCALAR && strcmp(node->text, text) == 0;
}

bool ts_yaml_null(const ts_yaml *node) {
    if (node->type != TS_YAML_SCALAR || !node->plain) return false;
    return node->length == 0 || ts_yaml_is(node, "~") || ts_yaml_is(node, "null");
}

const char *ts_yaml_what(const ts_yaml *node) {
    if (node->type == TS_YAML_LIST) return "a list";
    if (node->type == TS_YAML_MAP) return "a mapping";
    return ts_yaml_null(node) ? "nothing" : "a single value";
}
