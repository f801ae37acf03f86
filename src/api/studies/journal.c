/* SPDX-License-Identifier: Apache-2.0 */
/* Journals into columns. See journal.h. A line that is no whole JSON object, as the last one after
 * a crash, is skipped. JSON is read as YAML, which contains it. */
#include "api/studies/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/place.h"
#include "reader/reader.h"
#include "studyfile/studyfile.h"

/* ---- lines ---- */

static ts_case_row *add_row(ts_cases *c) {
    ts_grow(c->row, c->room, c->rows + 1);
    return memset(&c->row[c->rows++], 0, sizeof *c->row);
}

static double number_of(const ts_yaml *node) {
    char *end;
    if (!node || node->type != TS_YAML_SCALAR || !node->plain) return NAN;
    double value = strtod(node->text, &end);
    return *end || end == node->text ? NAN : value;
}

static void take_line(ts_cases *c, const char *line, const ts_yaml *root) {
    const ts_yaml *key = ts_yaml_get(root, "key");
    double which = number_of(ts_yaml_get(root, "case"));
    if (!key || key->type != TS_YAML_SCALAR || key->length != 64 || !(which >= 0 && which < 1e15))
        return;
    ts_case_row *row = add_row(c);
    *row = (ts_case_row){(int64_t)which, ts_strdup(key->text), ts_strdup(line), true,
                         number_of(ts_yaml_get(root, "seconds"))};
    const ts_yaml *good = ts_yaml_get(root, "good");
    row->good = !good || ts_yaml_is(good, "true");
}

/* The tree of a line is good until the next call; NULL: damaged. */
static const ts_yaml *parse_line(ts_yaml_tree *tree, const char *line) {
    ts_diagnostics problems = {0};
    ts_source source;
    ts_yaml_free(tree);
    *tree = (ts_yaml_tree){0};
    ts_source_open(&source, "journal", line, strlen(line), &problems);
    if (*line == '{' && ts_check_utf8(&source)) ts_yaml_parse(tree, &source);
    bool fine = problems.count == 0 && tree->root && tree->root->type == TS_YAML_MAP;
    ts_source_close(&source);
    ts_diagnostics_clear(&problems);
    return fine ? tree->root : NULL;
}

/* Without its line break; what stands behind a zero is lost, and the line is then damaged. */
static bool next_line(FILE *in, char **line, size_t *room) {
    enum { CHUNK = 4096 };
    for (size_t n = 0;;) {
        ts_grow(*line, *room, n + CHUNK);
        if (!fgets(*line + n, CHUNK, in)) return n > 0;
        n += strlen(*line + n);
        if (n == 0 || (*line)[n - 1] != '\n') continue;
        (*line)[n - 1] = 0;
        return true;
    }
}

static int read_journal(ts_cases *c, const char *path) {
    char *line = NULL;
    size_t room = 0;
    ts_yaml_tree tree = {0};
    FILE *in = ts_open(path, "r");
    if (!in) return ts_fail(TORSOR_EIO, "cannot read the journal %s", path);
    while (next_line(in, &line, &room)) {
        const ts_yaml *root = parse_line(&tree, line);
        if (root) take_line(c, line, root);
    }
    free(line);
    ts_yaml_free(&tree);
    ts_close(in);
    return 0;
}

/* By number; of equal keys the last that was read comes first. */
static int by_case(const void *a, const void *b) {
    const ts_case_row *x = a, *y = b;
    if (x->which != y->which) return x->which < y->which ? -1 : 1;
    return strcmp(x->key, y->key);
}

static void drop_repeats(ts_cases *c) {
    ts_names seen = {0};
    int64_t kept = c->rows;
    for (int64_t i = c->rows - 1; i >= 0; i--) {
        ts_case_row *row = &c->row[i];
        if (ts_names_find(&seen, row->key, strlen(row->key)) < 0) {
            ts_names_add(&seen, row->key);
            c->row[--kept] = *row;
        } else {
            free(row->line), free(row->key);
        }
    }
    if (kept > 0) memmove(c->row, c->row + kept, (size_t)(c->rows - kept) * sizeof *c->row);
    c->rows -= kept;
    ts_names_free(&seen);
}

/* ---- columns ---- */

static ts_case_column *column_of(ts_cases *c, const char *name, bool parameter) {
    for (int i = 0; i < c->columns; i++)
        if (c->column[i].parameter == parameter && strcmp(c->column[i].name, name) == 0)
            return &c->column[i];
    ts_grow(c->column, c->column_room, c->columns + 1);
    ts_case_column *column = &c->column[c->columns++];
    *column = (ts_case_column){.name = ts_strdup(name), .parameter = parameter};
    column->number = ts_calloc((size_t)c->rows, sizeof *column->number);
    column->text = ts_calloc((size_t)c->rows, sizeof *column->text);
    for (int64_t i = 0; i < c->rows; i++) column->number[i] = NAN;
    return column;
}

static void set_unit(ts_case_column *column, const char *unit) {
    if (!column->unit)
        column->unit = ts_strdup(unit);
    else if (strcmp(column->unit, unit) != 0)
        column->words = true;
}

/* "20 mm" is 0.02 in m. */
static void take_parameter(ts_case_column *column, int64_t row, const char *text) {
    char unit[TS_VALUE_TEXT], why[240];
    ts_quantity value;
    column->text[row] = ts_strdup(text);
    if (!ts_value_read(text, &value, why, sizeof why)) {
        column->words = true;
        return;
    }
    ts_value_unit(unit, value.dim);
    column->number[row] = value.value;
    set_unit(column, unit);
}

static void take_columns(ts_cases *c, int64_t row, const ts_yaml *root) {
    const ts_yaml *parameters = ts_yaml_get(root, "parameters"),
                  *values = ts_yaml_get(root, "values"), *units = ts_yaml_get(root, "units");
    for (int i = 0; parameters && parameters->type == TS_YAML_MAP && i < parameters->count; i++)
        if (parameters->item[i]->type == TS_YAML_SCALAR)
            take_parameter(column_of(c, parameters->key[i]->text, true), row,
                           parameters->item[i]->text);
    for (int i = 0; values && values->type == TS_YAML_MAP && i < values->count; i++) {
        const char *name = values->key[i]->text;
        const ts_yaml *unit = units && units->type == TS_YAML_MAP ? ts_yaml_get(units, name) : NULL;
        double number = number_of(values->item[i]);
        if (isnan(number) && !ts_yaml_null(values->item[i])) continue; /* a list, or a text */
        ts_case_column *column = column_of(c, name, false);
        column->number[row] = number;
        if (unit && unit->type == TS_YAML_SCALAR && !column->unit)
            column->unit = ts_strdup(unit->text);
    }
}

int ts_cases_read(ts_cases *out, int count, const char *const *journals) {
    ts_yaml_tree tree = {0};
    int status = 0;
    *out = (ts_cases){0};
    for (int i = 0; i < count && !status; i++) status = read_journal(out, journals[i]);
    if (status) return status;
    drop_repeats(out);
    if (out->rows) qsort(out->row, (size_t)out->rows, sizeof *out->row, by_case);
    for (int64_t i = 0; i < out->rows; i++) {
        const ts_yaml *root = parse_line(&tree, out->row[i].line);
        if (root) take_columns(out, i, root);
    }
    for (int i = 0; i < out->columns; i++)
        if (!out->column[i].unit) out->column[i].unit = ts_strdup("1");
    ts_yaml_free(&tree);
    return 0;
}

void ts_cases_clear(ts_cases *c) {
    for (int64_t i = 0; i < c->rows; i++) free(c->row[i].key), free(c->row[i].line);
    for (int i = 0; i < c->columns; i++) {
        ts_case_column *column = &c->column[i];
        for (int64_t k = 0; k < c->rows; k++) free(column->text[k]);
        free(column->text), free(column->number), free(column->name), free(column->unit);
    }
    free(c->row), free(c->column);
    *c = (ts_cases){0};
}
