/* SPDX-License-Identifier: Apache-2.0 */
/* `include`: other model files, as they are or as sub-assemblies.
 *
 *     include:
 *       - materials.yaml                                # names as they are there
 *       - blade: {file: blade.yaml, repeat: 3, position: H,
 *                 rotation: {axis: x, angle: index*120 deg}, parameters: {pitch: 5 deg}}
 *
 * Every file, and every repeat of it, is a space of its own (reader.h): its source for messages,
 * its units, parameters, signals and points. Only names of parts are common to all: those of a
 * sub-assembly have its name and `_` before them, and are looked for from the inside out. Parts are
 * built section by section as in one file; included parts come before the parts of the including
 * file.
 *
 * The echo of the model carries the text of the file, `file: {yaml: "..."}`, so results can be read
 * again without the file. */
#include "reader/assembly/include.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/place.h"

enum {
    MAX_INCLUDE_DEPTH = 8,
    MAX_REPEATS = 10000,
    MAX_SPACES = 10000,
    MAX_INCLUDED = 4000000, /* values */
    MAX_FROM = 400
};

enum { REPEAT, POSITION, ROTATION };

/* clang-format off */
const ts_field TS_INCLUDE_FIELDS[] = {
    {"repeat", TS_INTEGER, {0}, false, "Number of repeats: NAME1, NAME2, ...; in the other values, `index` is the number of each, from 1, and `count` this number", NULL, "one, without a number"},
    {"position", TS_PLACE, {1, 0, 0, 0}, false, "Position of the origin of its drawing, after the rotation", NULL, "[0, 0, 0]"},
    {"rotation", TS_ROTATION, {0}, false, "Rotation of its drawing about its origin", NULL, "none"},
    {0}};
/* clang-format on */

/* ---- spaces ---- */

void ts_enter(ts_reader *r, int space) {
    if (space == r->current) return;
    r->spaces[r->current] = r->space;
    r->space = r->spaces[space];
    r->current = space;
}

static int new_space(ts_reader *r, const ts_space *space) {
    ts_grow(r->spaces, r->space_room, r->space_count + 1);
    r->spaces[r->space_count] = *space;
    return r->space_count++;
}

static const ts_space *space_at(const ts_reader *r, int i) {
    return i == r->current ? &r->space : &r->spaces[i];
}

char *ts_full_name(const ts_reader *r, const char *name) {
    size_t head = r->prefix ? strlen(r->prefix) : 0;
    char *full = ts_calloc(head + strlen(name) + 1, 1);
    if (head) memcpy(full, r->prefix, head);
    strcpy(full + head, name);
    return full;
}

/* The entry of that full name. */
static int entry_of(const ts_reader *r, int set, const char *text, size_t length) {
    int at = ts_names_find(&r->names[set], text, length);
    bool ground = set == TS_DEFINING_SECTIONS && at == 0;
    return at < 0 ? -1 : ground ? 0 : r->first[set] + at;
}

static int find_among(const ts_reader *r, int set, const char *text, size_t length) {
    for (int i = r->current; i >= 0; i = space_at(r, i)->outer) {
        const char *prefix = space_at(r, i)->prefix;
        size_t head = prefix ? strlen(prefix) : 0;
        if (head == 0) break;
        char *full = ts_calloc(head + length + 1, 1);
        memcpy(full, prefix, head), memcpy(full + head, text, length);
        int at = entry_of(r, set, full, head + length);
        free(full);
        if (at >= 0) return at;
    }
    return entry_of(r, set, text, length);
}

int ts_find_part(const ts_reader *r, const char *text, size_t length) {
    int at = -1;
    for (int set = TS_DEFINING_SECTIONS; set >= 0 && at < 0; set--)
        at = find_among(r, set, text, length);
    return at;
}

int ts_find_in(const ts_reader *r, const char *section, const char *text, size_t length) {
    int at = -1;
    for (int set = 0; set < TS_DEFINING_SECTIONS; set++)
        if (strcmp(TS_SECTIONS[set], section) == 0) at = find_among(r, set, text, length);
    return at >= 0 ? at : ts_find_part(r, text, length);
}

const char *ts_nearest_part(const ts_reader *r, const char *text, size_t length) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < r->parts && !ts_report_full(r->source); i++)
        if (ts_word_closer(text, length, r->part[i].name, &best)) nearest = r->part[i].name;
    return nearest;
}

const ts_quantity *ts_given_parameter(const ts_reader *r, const char *name) {
    int at = r->file ? ts_names_find(&r->file->given, name, strlen(name)) : -1;
    return at >= 0 ? &r->file->value[at] : NULL;
}

/* ---- the file ---- */

static int depth_of(const ts_reader *r) {
    int depth = 0;
    for (int i = space_at(r, r->current)->outer; i >= 0; i = space_at(r, i)->outer) depth++;
    return depth;
}

static const char *short_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool same_file(const char *a, const char *b) {
    uint64_t device[2], inode[2];
    return a && b && !ts_place_stat(a, &device[0], &inode[0]) &&
           !ts_place_stat(b, &device[1], &inode[1]) && device[0] == device[1] &&
           inode[0] == inode[1];
}

/* A file that is being read already would include itself without end. */
static bool check_cycle(ts_reader *r, const ts_yaml *node, const char *path) {
    int chain[MAX_INCLUDE_DEPTH + 2], count = 0;
    for (int i = r->current; i >= 0 && count <= MAX_INCLUDE_DEPTH; i = space_at(r, i)->outer) {
        chain[count++] = i;
        if (!same_file(space_at(r, i)->path, path)) continue;
        char cycle[300] = "";
        size_t used = 0;
        for (int k = count - 1; k >= 0 && used < sizeof cycle; k--)
            used += (size_t)snprintf(cycle + used, sizeof cycle - used, "%.40s, ",
                                     short_name(space_at(r, chain[k])->path));
        return ts_report(r->source, node->start, "remove one of these lines",
                         "these files include each other: %s%.40s", cycle, short_name(path));
    }
    return true;
}

/* "as 'blade2', included by rotor.yaml:7:3", and who includes that. */
static char *told_from(const ts_reader *r, const ts_yaml *key, const char *prefix) {
    char *text = ts_calloc(MAX_FROM, 1);
    int line, column;
    ts_source_place(r->source, key->start, &line, &column);
    int named = prefix && *prefix ? (int)strlen(prefix) - 1 : 0;
    snprintf(text, MAX_FROM, "%s%.*s%sincluded by %.100s:%d:%d%s%.200s", named ? "as '" : "", named,
             named ? prefix : "", named ? "', " : "", r->source->name, line, column,
             r->source->from ? ", " : "", r->source->from ? r->source->from : "");
    return text;
}

static void free_include(ts_include *f) {
    ts_yaml_free(&f->tree);
    if (f->source.line) ts_source_close(&f->source);
    ts_names_free(&f->given);
    free(f->value), free(f->place);
    free(f->name), free(f->path), free(f->text), free(f->from), free(f->prefix);
    free(f);
}

static bool read_text(ts_reader *r, const ts_yaml *node, ts_include *f, size_t *length) {
    char why[120];
    if (!r->path)
        return ts_report(r->source, node->start, "save the model as a file",
                         "a model that is not in a file cannot refer to files");
    if (node->anchored)
        return ts_report(r->source, node->start, NULL,
                         "anchors (&name) are not allowed at the name of a file");
    f->path = ts_path_beside(r->path, node->text);
    f->name = ts_strdup(f->path);
    if (!check_cycle(r, node, f->path)) return false;
    f->text = ts_read_whole(f->path, length, why, sizeof why);
    if (f->text) return true;
    return ts_report(r->source, node->start, "the path is relative to the file that includes it",
                     "cannot read '%.200s': %s", f->path, why);
}

/* {yaml: "...", name: blade.yaml}: a file within the echo of a model. */
static bool take_text(ts_reader *r, const ts_yaml *node, ts_include *f, size_t *length) {
    const ts_yaml *text = ts_yaml_get(node, "yaml"), *name = ts_yaml_get(node, "name");
    bool scalars = text && text->type == TS_YAML_SCALAR && (!name || name->type == TS_YAML_SCALAR);
    if (!scalars || node->count != 1 + (name != NULL))
        return ts_report(r->source, node->start, NULL,
                         "expected the path of a model file, or its text: {yaml: ..., name: ...}");
    f->text = ts_strdup(text->text);
    f->name = ts_strdup(name ? name->text : "the text written here");
    *length = text->length;
    return true;
}

static bool is_model(ts_reader *r, const ts_include *f, const ts_yaml *node) {
    if (f->tree.root && f->tree.root->type == TS_YAML_MAP) return true;
    if (f->tree.root || r->source->diagnostics->count == 0)
        ts_report(r->source, node->start, NULL, "'%.100s' is not a model file", f->name);
    return false;
}

/* Reads and parses; the reader owns what comes back. */
static ts_include *open_include(ts_reader *r, const ts_yaml *key, const ts_yaml *node,
                                const char *prefix) {
    ts_include *f = ts_calloc(1, sizeof *f);
    size_t length = 0;
    f->next = r->includes, r->includes = f;
    f->node = node, f->prefix = ts_strdup(prefix);
    if (depth_of(r) + 1 > MAX_INCLUDE_DEPTH)
        ts_report(r->source, node->start, NULL, "files include each other more than %d deep",
                  MAX_INCLUDE_DEPTH);
    else if (node->type == TS_YAML_MAP    ? take_text(r, node, f, &length)
             : node->type == TS_YAML_LIST ? ts_expect(r, node, TS_YAML_SCALAR, "a file")
                                          : read_text(r, node, f, &length)) {
        size_t skip = length >= 3 && memcmp(f->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        ts_source_open(&f->source, f->name, f->text + skip, length - skip, r->source->diagnostics);
        f->from = told_from(r, key, prefix);
        f->source.from = f->from;
        if (ts_check_utf8(&f->source)) ts_yaml_parse(&f->tree, &f->source);
        if (is_model(r, f, node)) return f;
    }
    r->told.lost = true; /* nobody knows the names in it */
    return NULL;
}

/* ---- a space for it ---- */

static bool afford(ts_reader *r, const ts_yaml *node, const ts_include *f) {
    r->included += f->tree.root->weight;
    if (r->included <= MAX_INCLUDED && r->space_count < MAX_SPACES) return true;
    return ts_report(r->source, node->start, NULL,
                     "this includes too much: %d sub-assemblies or %d values in all", MAX_SPACES,
                     MAX_INCLUDED);
}

/* Quarter turns are exact. */
static double exact(double x) { return fabs(x - rint(x)) < 1e-15 ? rint(x) + 0.0 : x; }

/* The place of what is drawn at x in the file: turn (turn' x + shift') + shift. */
static void compose(const ts_reader *r, const ts_value *values, ts_space *space) {
    m3 turn = m3_identity();
    v3 shift = v3_make(0, 0, 0);
    if (values && values[ROTATION].given) turn = m3_load(values[ROTATION].number);
    if (values && values[POSITION].given) shift = v3_load(values[POSITION].number);
    for (int i = 0; i < 3; i++)
        turn.c[i] = v3_make(exact(turn.c[i].x), exact(turn.c[i].y), exact(turn.c[i].z));
    space->placed = r->placed || (values && (values[ROTATION].given || values[POSITION].given));
    space->turn = r->placed ? m3_mul(r->turn, turn) : turn;
    space->shift = r->placed ? v3_add(m3_apply(r->turn, shift), r->shift) : shift;
}

static void read_space(ts_reader *r, ts_include *f, const ts_value *values, ts_read_space *read) {
    ts_space space = {.source = &f->source,
                      .path = f->path,
                      .root = f->tree.root,
                      .unit = {1, 1, 1, 1},
                      .prefix = *f->prefix ? f->prefix : NULL,
                      .outer = r->current,
                      .file = f};
    compose(r, values, &space);
    int outer = r->current, index = r->index, count = r->count, at = new_space(r, &space);
    r->index = r->count = 0;
    ts_enter(r, at);
    read(r, f->tree.root);
    bool lost = !r->root;
    ts_enter(r, outer);
    r->told.lost |= lost;
    r->index = index, r->count = count;
}

/* ---- files as they are ---- */

static void include_plain(ts_reader *r, const ts_yaml *node, ts_read_space *read) {
    char *prefix = ts_full_name(r, "");
    ts_include *f = open_include(r, node, node, prefix);
    free(prefix);
    if (!f || !afford(r, node, f)) return;
    int at = r->space_count;
    read_space(r, f, NULL, read);
    r->shared = ts_realloc(r->shared, (size_t)r->shares + 1, sizeof *r->shared);
    r->shared[r->shares++] = at;
}

void ts_read_plain_includes(ts_reader *r, const ts_yaml *root, ts_read_space *read) {
    const ts_yaml *list = ts_yaml_get(root, "include");
    if (!list || ts_yaml_null(list)) return;
    if (list->type == TS_YAML_SCALAR) include_plain(r, list, read);
    for (int i = 0; list->type == TS_YAML_LIST && i < list->count; i++) {
        const ts_yaml *item = list->item[i];
        bool text = item->type == TS_YAML_MAP && ts_yaml_get(item, "yaml");
        if (item->type == TS_YAML_SCALAR || text) include_plain(r, item, read);
        if (item->type == TS_YAML_LIST)
            ts_report(r->source, item->start, "- blade: {file: blade.yaml}",
                      "expected a file or a sub-assembly, got a list");
    }
}

/* ---- sub-assemblies ---- */

/* Values of parameters, in the space that includes it. */
static bool read_given(ts_reader *r, const ts_yaml *map, ts_include *f) {
    const ts_yaml *known = ts_yaml_get(f->tree.root, "parameters");
    bool fine = true;
    if (!map) return true;
    if (!ts_expect(r, map, TS_YAML_MAP, "parameters: a mapping of names to values")) return false;
    f->value = ts_calloc((size_t)map->count + 1, sizeof *f->value);
    for (int i = 0; i < map->count; i++) {
        const ts_yaml *key = map->key[i];
        const char *nearest = NULL;
        int best = INT_MAX;
        for (int k = 0; known && known->type == TS_YAML_MAP && k < known->count; k++)
            if (ts_word_closer(key->text, key->length, known->key[k]->text, &best))
                nearest = known->key[k]->text;
        char hint[120] = "the section 'parameters' of that file lists what can be set";
        if (nearest) snprintf(hint, sizeof hint, "did you mean '%.60s'?", nearest);
        if (!ts_yaml_get(known, key->text))
            fine = ts_report(r->source, key->start, hint, "'%.100s' has no parameter '%.60s'",
                             f->name, key->text);
        fine &= ts_read_quantity(r, map->item[i], &f->value[ts_names_add(&f->given, key->text)]);
    }
    return fine;
}

static bool read_instance(ts_reader *r, const ts_yaml *key, const ts_yaml *map, const ts_yaml *file,
                          ts_read_space *read) {
    static const char *const others[] = {"file", "parameters", NULL};
    char number[16] = "";
    if (r->index > 0) snprintf(number, sizeof number, "%d", r->index);
    size_t room = key->length + sizeof number + 2;
    char *name = ts_calloc(room, 1);
    snprintf(name, room, "%s%s_", key->text, number);
    char *prefix = ts_full_name(r, name);
    ts_include *f = open_include(r, key, file, prefix);
    free(name), free(prefix);
    if (!f || !afford(r, key, f)) return false;
    if (map == file) {
        read_space(r, f, NULL, read);
        return true;
    }
    ts_value *values = ts_values_new(TS_INCLUDE_FIELDS);
    ts_fields_job job = {map, key->start, "a sub-assembly", TS_INCLUDE_FIELDS, others};
    bool fine = ts_read_fields(r, &job, values);
    fine &= read_given(r, ts_yaml_get(map, "parameters"), f);
    if (fine) read_space(r, f, values, read);
    if (!fine) r->told.lost = true;
    ts_values_free(TS_INCLUDE_FIELDS, values);
    return fine;
}

static bool read_repeat(ts_reader *r, const ts_yaml *node, int *count) {
    static const ts_field whole = {.name = "repeat", .type = TS_INTEGER};
    ts_value value = {0};
    if (!ts_read_value(r, node, &whole, &value)) return false;
    if (!(value.number[0] >= 1 && value.number[0] <= MAX_REPEATS))
        return ts_report(r->source, node->start, NULL, "expected 1 to %d repeats", MAX_REPEATS);
    *count = (int)value.number[0];
    return true;
}

static void include_instance(ts_reader *r, const ts_yaml *key, const ts_yaml *map,
                             ts_read_space *read) {
    bool fields = map->type == TS_YAML_MAP && !ts_yaml_get(map, "yaml"); /* or just a file */
    const ts_yaml *file = fields ? ts_yaml_get(map, "file") : map;
    const ts_yaml *repeat = fields ? ts_yaml_get(map, "repeat") : NULL;
    int count = 1, first = r->source->diagnostics->count;
    bool fine = ts_check_name(r, key, "sub-assembly", false);
    if (!file)
        fine = ts_report(r->source, key->start, "blade: {file: blade.yaml}",
                         "'file' is missing in the sub-assembly '%.60s'", key->text);
    if (repeat) fine &= read_repeat(r, repeat, &count);
    if (!fine) r->told.lost = true;
    for (int i = 1; fine && i <= count; i++) {
        r->index = repeat ? i : 0, r->count = repeat ? count : 0;
        fine = read_instance(r, key, map, file, read);
        fine &= r->source->diagnostics->count == first; /* the others have the same mistakes */
    }
    r->index = r->count = 0;
}

static void include_mapping(ts_reader *r, const ts_yaml *map, ts_read_space *read) {
    for (int i = 0; i < map->count; i++) include_instance(r, map->key[i], map->item[i], read);
}

void ts_read_instances(ts_reader *r, const ts_yaml *root, ts_read_space *read) {
    const ts_yaml *list = ts_yaml_get(root, "include");
    if (!list || ts_yaml_null(list)) return;
    if (list->type == TS_YAML_MAP) include_mapping(r, list, read);
    for (int i = 0; list->type == TS_YAML_LIST && i < list->count; i++) {
        const ts_yaml *item = list->item[i];
        if (item->type == TS_YAML_MAP && !ts_yaml_get(item, "yaml")) include_mapping(r, item, read);
    }
}

/* ---- the echo ---- */

static size_t quote(char *to, const char *text, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const char *special = strchr("\"\"\\\\\nn\tt\rr", text[i]);
        if (special && (special - "\"\"\\\\\nn\tt\rr") % 2 == 0) {
            to[used++] = '\\', to[used++] = special[1];
        } else {
            to[used++] = text[i];
        }
    }
    return used;
}

/* {yaml: "...", name: "blade.yaml"} */
static char *quoted_file(const char *text, size_t length, const char *path) {
    const char *name = short_name(path);
    char *out = ts_calloc(2 * length + 2 * strlen(name) + 40, 1);
    size_t used = (size_t)sprintf(out, "{yaml: \"");
    used += quote(out + used, text, length);
    used += (size_t)sprintf(out + used, "\", name: \"");
    used += quote(out + used, name, strlen(name));
    sprintf(out + used, "\"}");
    return out;
}

static bool is_spliced(const ts_reader *r, const ts_yaml *node) {
    for (int i = 0; i < r->splice_count; i++)
        if (r->splices[i].start == node->start) return true;
    return false;
}

/* Spaces within others come later in the list. */
void ts_echo_includes(ts_reader *r) {
    for (int i = r->space_count - 1; i > 0; i--) {
        size_t length;
        ts_enter(r, i);
        const ts_include *f = r->file;
        char *text = ts_splice_text(r, &length);
        ts_enter(r, r->outer);
        if (!is_spliced(r, f->node)) {
            r->splices = ts_realloc(r->splices, (size_t)r->splice_count + 1, sizeof *r->splices);
            r->splices[r->splice_count++] =
                (ts_splice){f->node->start, f->node->end, quoted_file(text, length, f->name)};
        }
        free(text);
    }
    ts_enter(r, 0);
}

void ts_includes_free(ts_reader *r) {
    for (ts_include *f = r->includes, *next; f; f = next) {
        next = f->next;
        free_include(f);
    }
    r->includes = NULL;
}
