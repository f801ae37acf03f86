/* SPDX-License-Identifier: Apache-2.0 */
/* A study file, read: every mistake with its line and column. See studyfile.h. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "studyfile/studyfile.h"

enum { MOST_VALUES = 100000 };

/* ---- lists ---- */

ts_setting *ts_settings_add(ts_settings *list, const char *name, const char *text, size_t place) {
    ts_grow(list->item, list->room, list->count + 1);
    ts_setting *pair = &list->item[list->count++];
    *pair = (ts_setting){ts_strdup(name), ts_strdup(text), place};
    return pair;
}

const char *ts_settings_get(const ts_settings *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->item[i].name, name) == 0) return list->item[i].text;
    return NULL;
}

static void clear_pairs(ts_settings *list) {
    for (int i = 0; i < list->count; i++) free(list->item[i].name), free(list->item[i].text);
    free(list->item);
}

void ts_studyfile_clear(ts_studyfile *study) {
    clear_pairs(&study->settings), clear_pairs(&study->measures);
    clear_pairs(&study->options), clear_pairs(&study->histories);
    for (int i = 0; i < study->axes; i++) {
        ts_axis *axis = &study->axis[i];
        for (int64_t k = 0; k < axis->count && axis->value; k++) free(axis->value[k]);
        free(axis->value), free(axis->name);
    }
    free(study->axis), free(study->path);
    *study = (ts_studyfile){0};
}

ts_axis *ts_axis_add(ts_studyfile *study, const ts_source *source, const char *name, size_t place) {
    for (int i = 0; i < study->axes; i++)
        if (strcmp(study->axis[i].name, name) == 0) {
            ts_report(source, place, NULL, "the parameter '%.60s' is given twice", name);
            return NULL;
        }
    ts_grow(study->axis, study->room, study->axes + 1);
    ts_axis *axis = &study->axis[study->axes++];
    *axis = (ts_axis){.name = ts_strdup(name), .place = place};
    return axis;
}

/* ---- values ---- */

static bool expect(const ts_source *s, const ts_yaml *node, ts_yaml_type type, const char *what) {
    if (node->type == type && !(type == TS_YAML_SCALAR && ts_yaml_null(node))) return true;
    return ts_report(s, node->start, NULL, "expected %s, got %s", what, ts_yaml_what(node));
}

static bool quantity(const ts_source *s, const ts_yaml *node, ts_quantity *out) {
    char why[240];
    if (!expect(s, node, TS_YAML_SCALAR, "a number")) return false;
    return ts_value_read(node->text, out, why, sizeof why) ||
           ts_report(s, node->start, NULL, "%s", why);
}

static bool whole(const ts_source *s, const ts_yaml *node, double least, double most, double *out) {
    ts_quantity q;
    if (!quantity(s, node, &q)) return false;
    *out = q.value;
    if (ts_dim_bare(q.dim) && q.value == floor(q.value) && q.value >= least && q.value <= most)
        return true;
    return ts_report(s, node->start, NULL, "expected a whole number, %.0f to %.0f", least, most);
}

static bool alike(const ts_source *s, const ts_yaml *node, ts_dim got, ts_dim wanted) {
    char a[64], b[64];
    if (ts_dim_equal(got, wanted)) return true;
    return ts_report(s, node->start, NULL, "expected a %s as before, got a %s",
                     ts_dim_name(wanted, a, sizeof a), ts_dim_name(got, b, sizeof b));
}

static bool known_keys(const ts_source *s, const ts_yaml *map, const char *const *words,
                       const char *where) {
    bool fine = true;
    for (int i = 0; i < map->count; i++) {
        char hint[300];
        const char *key = map->key[i]->text;
        bool known = false;
        for (int k = 0; words[k]; k++) known |= strcmp(words[k], key) == 0;
        if (!known)
            fine = ts_report(s, map->key[i]->start, ts_hint_words(hint, sizeof hint, key, words),
                             "unknown key '%.60s' in %s", key, where);
    }
    return fine;
}

/* ---- parameters ---- */

/* A model reads the value; here only its form as a number is looked at. */
static bool read_list(const ts_source *s, ts_axis *axis, const ts_yaml *list) {
    bool fine = list->count > 0 || ts_report(s, list->start, NULL, "expected one value or more");
    axis->value = ts_calloc((size_t)list->count + 1, sizeof *axis->value);
    for (int i = 0; i < list->count && fine; i++) {
        ts_quantity q;
        fine = quantity(s, list->item[i], &q);
        if (fine) axis->value[axis->count++] = ts_strdup(list->item[i]->text);
    }
    return fine;
}

static bool ends_of_range(const ts_source *s, const ts_yaml *map, ts_quantity end[2],
                          double *count) {
    static const char *const words[] = {"from", "to", "count"};
    const ts_yaml *node[3];
    for (int i = 0; i < 3; i++) {
        node[i] = ts_yaml_get(map, words[i]);
        if (!node[i])
            return ts_report(s, map->start, NULL,
                             "a range needs from, to and count: '%s' is missing", words[i]);
    }
    return quantity(s, node[0], &end[0]) && quantity(s, node[1], &end[1]) &&
           alike(s, node[1], end[1].dim, end[0].dim) && whole(s, node[2], 2, MOST_VALUES, count);
}

/* Logarithmic: equal ratios. The ends are met exactly. */
static bool read_range(const ts_source *s, ts_axis *axis, const ts_yaml *map) {
    static const char *const words[] = {"from", "to", "count", "scale", NULL};
    ts_quantity end[2];
    double count = 0;
    const ts_yaml *scale = ts_yaml_get(map, "scale");
    bool log = scale && ts_yaml_is(scale, "log");
    if (!known_keys(s, map, words, "a range") || !ends_of_range(s, map, end, &count)) return false;
    if (scale && !log && !ts_yaml_is(scale, "linear"))
        return ts_report(s, scale->start, NULL, "expected linear or log");
    if (log && !(end[0].value > 0 && end[1].value > 0))
        return ts_report(s, map->start, NULL, "a logarithmic range needs positive ends");
    axis->value = ts_calloc((size_t)count, sizeof *axis->value);
    for (int i = 0; i < (int)count; i++) {
        char text[TS_VALUE_TEXT];
        double u = i / (count - 1), a = end[0].value, b = end[1].value;
        double x = i == 0 ? a : i == (int)count - 1 ? b : log ? a * pow(b / a, u) : a + (b - a) * u;
        ts_value_print(text, (ts_quantity){x, end[0].dim});
        axis->value[axis->count++] = ts_strdup(text);
    }
    return true;
}

static bool check_spread(const ts_source *s, const ts_distribution *spread, const ts_yaml *list,
                         const ts_quantity q[2]) {
    ts_dim second = spread->plain_second ? (ts_dim){0} : q[0].dim;
    if (!alike(s, list->item[1], q[1].dim, second)) return false;
    if (spread->positive && !(q[0].value > 0 && q[1].value > 0))
        return ts_report(s, list->start, spread->expects, "both numbers must be positive");
    if (spread->ordered && !(q[0].value < q[1].value))
        return ts_report(s, list->start, spread->expects, "the first must lie below the second");
    if (!(q[1].value > 0) && !spread->ordered)
        return ts_report(s, list->item[1]->start, spread->expects, "expected a positive number");
    return true;
}

static bool read_spread(const ts_source *s, ts_axis *axis, const ts_yaml *map) {
    const char *words[8] = {"from"};
    int count = 1;
    for (const ts_distribution *k = TS_DISTRIBUTIONS; k->name; k++) words[count++] = k->name;
    const ts_distribution *spread = TS_DISTRIBUTIONS;
    const char *key = map->count > 0 ? map->key[0]->text : "";
    while (spread->name && strcmp(spread->name, key) != 0) spread++;
    char hint[300];
    if (!spread->name || map->count != 1)
        return ts_report(s, map->start, ts_hint_words(hint, sizeof hint, key, words),
                         "expected a range, {from: ..., to: ..., count: ...}, or a distribution");
    const ts_yaml *list = map->item[0];
    ts_quantity q[2];
    if (list->type != TS_YAML_LIST || list->count != 2)
        return ts_report(s, list->start, NULL, "%s: expected %s", key, spread->expects);
    if (!quantity(s, list->item[0], &q[0]) || !quantity(s, list->item[1], &q[1]) ||
        !check_spread(s, spread, list, q))
        return false;
    axis->spread = spread, axis->dim = q[0].dim;
    axis->a[0] = q[0].value, axis->a[1] = q[1].value;
    return true;
}

static bool read_axis(ts_studyfile *study, const ts_source *s, const ts_yaml *key,
                      const ts_yaml *node) {
    ts_axis *axis = ts_axis_add(study, s, key->text, key->start);
    if (!axis) return false;
    if (node->type == TS_YAML_LIST) return read_list(s, axis, node);
    if (node->type == TS_YAML_MAP)
        return ts_yaml_get(node, "from") ? read_range(s, axis, node) : read_spread(s, axis, node);
    const ts_yaml *one[] = {node};
    return read_list(s, axis,
                     &(ts_yaml){.start = node->start, .count = 1, .item = (ts_yaml **)one});
}

static bool read_parameters(ts_studyfile *study, const ts_source *s, const ts_yaml *map) {
    bool fine = expect(s, map, TS_YAML_MAP, "a mapping of parameters");
    for (int i = 0; map->type == TS_YAML_MAP && i < map->count; i++)
        fine &= read_axis(study, s, map->key[i], map->item[i]);
    return fine;
}

/* ---- the rest ---- */

static bool read_pairs(ts_studyfile *study, ts_settings *list, const ts_source *s,
                       const ts_yaml *map, const char *what) {
    (void)study;
    bool fine = expect(s, map, TS_YAML_MAP, what);
    for (int i = 0; map->type == TS_YAML_MAP && i < map->count; i++) {
        if (!expect(s, map->item[i], TS_YAML_SCALAR, "a text"))
            fine = false;
        else
            ts_settings_add(list, map->key[i]->text, map->item[i]->text, map->item[i]->start);
    }
    return fine;
}

static bool read_measures(ts_studyfile *study, const ts_source *s, const ts_yaml *map) {
    return read_pairs(study, &study->measures, s, map, "a mapping: name: max part.quantity");
}

static bool read_options(ts_studyfile *study, const ts_source *s, const ts_yaml *map) {
    return read_pairs(study, &study->options, s, map, "a mapping of options of a run");
}

static bool read_histories(ts_studyfile *study, const ts_source *s, const ts_yaml *list) {
    bool fine = expect(s, list, TS_YAML_LIST, "a list of channels");
    for (int i = 0; fine && i < list->count; i++) {
        fine = expect(s, list->item[i], TS_YAML_SCALAR, "a channel: part.quantity");
        if (fine) ts_settings_add(&study->histories, list->item[i]->text, "", list->item[i]->start);
    }
    return fine;
}

static bool read_samples(ts_studyfile *study, const ts_source *s, const ts_yaml *node) {
    double count = 0;
    bool fine = whole(s, node, 1, TS_MOST_CASES, &count);
    study->samples = (int64_t)count;
    return fine;
}

static bool read_seed(ts_studyfile *study, const ts_source *s, const ts_yaml *node) {
    double seed = 0;
    bool fine = whole(s, node, 0, 0x1p53, &seed);
    study->seed = (uint64_t)seed;
    return fine;
}

static bool read_method(ts_studyfile *study, const ts_source *s, const ts_yaml *node) {
    study->latin = ts_yaml_is(node, "latin_hypercube");
    return study->latin || ts_yaml_is(node, "random") ||
           ts_report(s, node->start, NULL, "expected latin_hypercube or random");
}

static bool read_keep(ts_studyfile *study, const ts_source *s, const ts_yaml *node) {
    if (!ts_yaml_is(node, "nothing") && !ts_yaml_is(node, "results") &&
        !ts_yaml_is(node, "reports"))
        return ts_report(s, node->start, NULL, "expected nothing, results or reports");
    ts_settings_add(&study->settings, "keep", node->text, node->start);
    return true;
}

static bool read_version(ts_studyfile *study, const ts_source *s, const ts_yaml *node) {
    (void)study;
    return ts_yaml_is(node, "1") ||
           ts_report(s, node->start, NULL, "expected 1, the version of the format");
}

/* Keys and what reads them; NULL: a text that is kept. */
static const struct section {
    const char *key;
    bool (*read)(ts_studyfile *study, const ts_source *s, const ts_yaml *node);
} SECTIONS[] = {{"study", read_version},
                {"title", NULL},
                {"model", NULL},
                {"output", NULL},
                {"keep", read_keep},
                {"parameters", read_parameters},
                {"table", ts_rows_read},
                {"samples", read_samples},
                {"seed", read_seed},
                {"method", read_method},
                {"measures", read_measures},
                {"options", read_options},
                {"histories", read_histories},
                {0}};

static bool read_section(ts_studyfile *study, const ts_source *s, const struct section *section,
                         const ts_yaml *node) {
    if (section->read && section->read != ts_rows_read) return section->read(study, s, node);
    if (!expect(s, node, TS_YAML_SCALAR, "a text")) return false;
    if (section->read) return section->read(study, s, node);
    ts_settings_add(&study->settings, section->key, node->text, node->start);
    return true;
}

static bool read_sections(ts_studyfile *study, const ts_source *s, const ts_yaml *root) {
    const char *words[32] = {0};
    bool fine = expect(s, root, TS_YAML_MAP, "a mapping: study: 1, model: ..., parameters: ...");
    if (!fine) return false;
    const ts_yaml *version = ts_yaml_get(root, "torsor");
    if (version && !ts_yaml_get(root, "study"))
        return ts_report(s, version->start,
                         "run a model with `torsor run`; a study begins with `study: 1` and names "
                         "its model: `model: FILE.yaml`",
                         "this is a model, not a study");
    for (int i = 0; SECTIONS[i].key; i++) words[i] = SECTIONS[i].key;
    fine = known_keys(s, root, words, "a study");
    for (int i = 0; SECTIONS[i].key; i++) {
        const ts_yaml *node = ts_yaml_get(root, SECTIONS[i].key);
        if (node) fine &= read_section(study, s, &SECTIONS[i], node);
    }
    if (!ts_yaml_get(root, "study"))
        fine = ts_report(s, 0, "begin the file with `study: 1`", "'study' is missing");
    return fine;
}

static bool check_samples(const ts_studyfile *study, const ts_source *s) {
    const ts_axis *first = NULL;
    for (int i = 0; i < study->axes && !first; i++)
        if (study->axis[i].spread) first = &study->axis[i];
    if (first && study->samples == 0)
        return ts_report(s, first->place, "add `samples: 100`",
                         "'%.60s' is sampled, but the number of samples is missing", first->name);
    if (!first && study->samples > 0)
        return ts_report(s, 0, "such as {uniform: [1 m, 2 m]}",
                         "'samples' is given, but no parameter has a distribution");
    if (study->axes > 0) return true;
    return ts_report(s, 0, "add `parameters` or `table`", "the study has no parameters");
}

bool ts_studyfile_read(ts_studyfile *out, const ts_source *source, const char *path) {
    ts_yaml_tree tree = {0};
    *out = (ts_studyfile){.path = path ? ts_strdup(path) : NULL, .latin = true, .seed = 1};
    int before = source->diagnostics->count;
    if (ts_check_utf8(source)) ts_yaml_parse(&tree, source);
    bool fine = tree.root && source->diagnostics->count == before;
    if (!tree.root && source->diagnostics->count == before)
        ts_report(source, 0, "begin the file with `study: 1`", "the file is empty");
    if (fine) fine = read_sections(out, source, tree.root) && check_samples(out, source);
    if (fine) fine = ts_cases_lay_out(out, source);
    ts_yaml_free(&tree);
    return fine;
}
