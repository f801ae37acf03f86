/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in files: columns of numbers, in a layout that table_layout.c finds.
 *
 * A number is read as the expression "number unit", and exactly that is written into the echo of
 * the model, so that the echo gives the same numbers to the last bit.
 */
#include "reader/tables/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MAX_COLUMN = 10000, ROWS_PER_LINE = 4 };

/* clang-format off */
static const char *const DELIMITERS[] = {"comma", "semicolon", "tab", "blank", NULL};
static const char *const DECIMALS[] = {"point", "comma", NULL};
enum { FILE_NAME, DELIMITER, DECIMAL };
const ts_field TS_FILE_FIELDS[] = {
    {"file", TS_TEXT, {0}, true, "A file with columns of numbers, such as CSV; its path is relative to the model file", NULL, NULL},
    {"delimiter", TS_CHOICE, {0}, false, "Separator of columns", DELIMITERS, "found from the file"},
    {"decimal", TS_CHOICE, {0}, false, "Decimal separator", DECIMALS, "found from the file"},
    {0}};
static const char *const OTHERS[] = {"columns", "units", "interpolation", "period", NULL};
/* clang-format on */

typedef struct job {
    ts_reader *r;
    const ts_yaml *map;
    ts_table_wish wish;
    char unit[TS_TABLE_COLUMNS][TS_TABLE_UNIT + 1];
    ts_source file; /* the table's own text and places */
    ts_table table;
    int room;
    char *echo;
    size_t echo_length, echo_room;
    bool echoing;
} job;

/* ---- what the model says of the file ---- */

static bool all_digits(const char *text) { return *text && !text[strspn(text, "0123456789")]; }

/* A number from 1, or a heading: whatever is not written as a number. */
static bool read_column(job *j, const ts_yaml *node, int i) {
    bool number = node->type == TS_YAML_SCALAR && strchr("+-.0123456789", node->text[0]);
    long column = number && all_digits(node->text) ? strtol(node->text, NULL, 10) : 0;
    if (node->type == TS_YAML_SCALAR && !number) {
        j->wish.heading[i] = node->text;
        return true;
    }
    if (column < 1 || column > MAX_COLUMN)
        return ts_report(j->r->source, node->start, "columns: [1, 2], columns: [time, force]",
                         "a column is a whole number from 1, or its heading");
    j->wish.column[i] = (int)column;
    return true;
}

static bool some_columns(const ts_yaml *node) {
    return node->type == TS_YAML_LIST && (node->count == 2 || node->count == 3);
}

/* Three of them are a map. Without `columns` the number of `units` decides. */
static bool read_columns(job *j) {
    const ts_yaml *node = ts_yaml_get(j->map, "columns"), *units = ts_yaml_get(j->map, "units");
    for (int i = 0; i < TS_TABLE_COLUMNS; i++) j->wish.column[i] = i + 1;
    j->wish.columns_given = node != NULL;
    j->wish.count = !node && units && units->type == TS_YAML_LIST && units->count == 3 ? 3 : 2;
    if (!node) return true;
    if (!some_columns(node))
        return ts_report(j->r->source, node->start, "columns: [1, 2], columns: [time, force]",
                         "expected two columns, by number or by heading, or three of a map");
    j->wish.count = node->count;
    for (int i = 0; i < node->count; i++)
        if (!read_column(j, node->item[i], i)) return false;
    return true;
}

static void read_marks(job *j, const ts_value *values) {
    if (values[DELIMITER].given) j->wish.delimiter = ",;\t "[(int)values[DELIMITER].number[0]];
    if (values[DECIMAL].given) j->wish.decimal = ".,"[(int)values[DECIMAL].number[0]];
}

static bool unit_text(const char *text) {
    return strlen(text) <= TS_TABLE_UNIT && strpbrk(text, " ,:;#[]{}\"'\t\r\n") == NULL;
}

bool ts_table_is_unit(const char *unit, ts_expr_error *error) {
    ts_expr *expr = NULL;
    char text[TS_TABLE_UNIT + 3];
    snprintf(text, sizeof text, "1 %.*s", TS_TABLE_UNIT, unit);
    bool fine =
        unit_text(unit) && ts_expr_compile(&expr, text, strlen(text), NULL, false, error) == 0;
    if (fine) ts_expr_free(expr);
    return fine;
}

/* "1" is that of bare numbers. */
static bool take_unit(job *j, const char *unit, int i, ts_expr_error *error) {
    if (strcmp(unit, "1") == 0) return true;
    if (!ts_table_is_unit(unit, error)) return false;
    snprintf(j->unit[i], sizeof j->unit[i], "%.*s", TS_TABLE_UNIT, unit);
    return true;
}

static bool read_unit(job *j, const ts_yaml *node, int i) {
    ts_expr_error error = {.message = "not a unit"};
    if (node->type != TS_YAML_SCALAR)
        return ts_report(j->r->source, node->start, "units: [s, N]", "expected a unit");
    return take_unit(j, node->text, i, &error) ||
           ts_report(j->r->source, node->start, error.hint, "%s", error.message);
}

static bool read_units(job *j) {
    const ts_yaml *node = ts_yaml_get(j->map, "units");
    if (!node) return true;
    if (node->type != TS_YAML_LIST || node->count != j->wish.count)
        return ts_report(j->r->source, node->start,
                         j->wish.count == 2 ? "units: [s, N]" : "units: [rpm, deg, N*m]",
                         "expected the units of the %d columns", j->wish.count);
    for (int i = 0; i < node->count; i++)
        if (!read_unit(j, node->item[i], i)) return false;
    return true;
}

/* If the model gives no units, headings may give them. */
static bool units_of_headings(job *j, const ts_table_layout *layout) {
    return ts_yaml_get(j->map, "units") || ts_table_units(&j->file, layout, j->unit);
}

/* ---- cells ---- */

static bool cell_value(job *j, size_t place, const char *number, int which, ts_quantity *out) {
    char text[TS_TABLE_NUMBER + TS_TABLE_UNIT + 1];
    int length =
        snprintf(text, sizeof text, "%s%s%s", number, *j->unit[which] ? " " : "", j->unit[which]);
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, (size_t)length, NULL, false, &error) != 0)
        return ts_report(&j->file, place, error.hint, "%s", error.message);
    *out = (ts_quantity){ts_expr_value(expr, 0), ts_expr_dim(expr)};
    ts_expr_free(expr);
    return isfinite(out->value) || ts_report(&j->file, place, NULL, "this number is not finite");
}

/* ---- the echo ---- */

static void echo(job *j, const char *text, size_t length) {
    if (!j->echoing) return;
    ts_grow(j->echo, j->echo_room, j->echo_length + length + 1);
    memcpy(j->echo + j->echo_length, text, length);
    j->echo_length += length;
    j->echo[j->echo_length] = 0;
}

static void echo_text(job *j, const char *text) { echo(j, text, strlen(text)); }

/* Continued lines are indented by where the mapping stands: deeper than whatever it belongs to. */
static void echo_break(job *j) {
    if (j->table.points == 0) return;
    echo_text(j, ",");
    if (j->table.points % ROWS_PER_LINE) {
        echo_text(j, " ");
        return;
    }
    int line, column;
    ts_source_place(j->r->source, j->map->start, &line, &column);
    echo_text(j, "\n");
    for (int i = 0; i < column && i < 200; i++) echo_text(j, " ");
}

static void echo_row(job *j, char number[TS_TABLE_COLUMNS][TS_TABLE_NUMBER]) {
    echo_break(j);
    for (int i = 0; i < j->wish.count; i++) {
        echo_text(j, i ? ", " : "[");
        echo_text(j, number[i]);
        if (*j->unit[i]) echo_text(j, " "), echo_text(j, j->unit[i]);
    }
    echo_text(j, "]");
}

/* ---- rows ---- */

static void push(job *j, const ts_quantity *q) {
    ts_table *t = &j->table;
    int before = j->room;
    for (int i = 0; i < j->wish.count; i++) {
        int room = before;
        ts_grow(t->column[i], room, t->points + 1);
        t->column[i][t->points] = q[i].value, t->dim[i] = q[i].dim;
        j->room = room;
    }
    t->points++;
}

/* A first column without a unit holds times. */
static bool keep_time(job *j, const ts_table_row *row, ts_quantity *q) {
    const double *before = j->table.column[0];
    j->table.bare = ts_dim_bare(q->dim);
    if (j->table.bare) *q = (ts_quantity){ts_model_units(j->r, q->value, TS_OF_TIME), TS_OF_TIME};
    if (j->table.points == 0 || q->value > before[j->table.points - 1]) return true;
    return ts_report(&j->file, row->start[0], NULL, "the %s of a table must increase",
                     ts_dim_equal(q->dim, TS_OF_TIME) ? "times" : "values in the first column");
}

static bool keep_row(job *j, const ts_table_layout *layout, const ts_table_row *row) {
    ts_quantity q[TS_TABLE_COLUMNS];
    char number[TS_TABLE_COLUMNS][TS_TABLE_NUMBER];
    for (int i = 0; i < j->wish.count; i++) {
        ts_table_number(&j->file, layout, row, i, number[i]);
        if (!cell_value(j, row->start[i], number[i], i, &q[i])) return false;
    }
    if (j->wish.count == 2 && !keep_time(j, row, &q[0])) return false;
    echo_row(j, number);
    push(j, q);
    return true;
}

static bool read_lines(job *j) {
    ts_table_layout layout;
    ts_table_row row;
    if (!ts_check_utf8(&j->file) || !ts_table_layout_find(&j->file, &j->wish, &layout) ||
        !units_of_headings(j, &layout))
        return false;
    for (int i = layout.first; i < j->file.lines; i++)
        if (ts_table_row_at(&j->file, &layout, i, &row) && !keep_row(j, &layout, &row))
            return false;
    return true;
}

/* ---- all together ---- */

static bool already_spliced(const ts_reader *r, const ts_yaml *map) {
    for (int i = 0; i < r->splice_count; i++)
        if (r->splices[i].start == map->start) return true;
    return false;
}

static void add_splice(job *j) {
    if (!j->echoing) return;
    const ts_yaml *how = ts_yaml_get(j->map, "interpolation"),
                  *period = ts_yaml_get(j->map, "period");
    echo_text(j, "]");
    if (how) echo_text(j, ", interpolation: "), echo_text(j, how->text);
    if (period && period->type == TS_YAML_SCALAR) /* an expression: may hold commas, no quotes */
        echo_text(j, ", period: '"), echo_text(j, period->text), echo_text(j, "'");
    echo_text(j, "}");
    ts_reader *r = j->r;
    r->splices = ts_realloc(r->splices, (size_t)r->splice_count + 1, sizeof *r->splices);
    r->splices[r->splice_count++] = (ts_splice){j->map->start, j->map->end, j->echo};
    j->echo = NULL;
}

static bool read_content(job *j, const ts_yaml *node, const char *path) {
    char why[120];
    size_t length;
    char *text = ts_read_whole(path, &length, why, sizeof why);
    if (!text)
        return ts_report(j->r->source, node->start, "the path is relative to the model file",
                         "cannot read '%.200s': %s", path, why);
    size_t skip = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; /* byte order mark */
    ts_source_open(&j->file, path, text + skip, length - skip, j->r->source->diagnostics);
    j->echoing = !already_spliced(j->r, j->map);
    echo_text(j, "{table: [");
    bool fine = read_lines(j);
    if (fine) add_splice(j);
    ts_source_close(&j->file);
    free(text);
    return fine;
}

static bool open_file(job *j) {
    const ts_yaml *node = ts_yaml_get(j->map, "file");
    if (!j->r->path)
        return ts_report(j->r->source, node->start, "write the table out: {table: [[...], ...]}",
                         "a model that is not in a file cannot refer to files");
    if (j->map->anchored)
        return ts_report(j->r->source, j->map->start, NULL,
                         "anchors (&name) are not allowed within a table in a file");
    char *path = ts_path_beside(j->r->path, node->text);
    bool fine = read_content(j, node, path);
    free(path);
    return fine;
}

bool ts_read_table_file(ts_reader *r, const ts_yaml *map, ts_table *out) {
    job j = {.r = r, .map = map};
    ts_value *values = ts_values_new(TS_FILE_FIELDS);
    ts_fields_job fields = {map, map->start, "a table in a file", TS_FILE_FIELDS, OTHERS};
    bool fine = ts_read_fields(r, &fields, values) && read_columns(&j) && read_units(&j);
    if (fine) read_marks(&j, values);
    fine = fine && open_file(&j);
    ts_values_free(TS_FILE_FIELDS, values);
    free(j.echo);
    j.table.columns = j.wish.count;
    *out = j.table;
    if (fine) return true;
    for (int i = 0; i < TS_TABLE_COLUMNS; i++) free(out->column[i]);
    *out = (ts_table){0};
    return false;
}

/* ---- writing the tables into the text ---- */

static int by_start(const void *a, const void *b) {
    const ts_splice *first = a, *second = b;
    return (first->start > second->start) - (first->start < second->start);
}

char *ts_splice_text(ts_reader *r, size_t *length) {
    size_t room = r->source->length + 1, from = 0, to = 0;
    for (int i = 0; i < r->splice_count; i++) room += strlen(r->splices[i].text);
    char *text = ts_calloc(room, 1);
    if (r->splice_count) qsort(r->splices, (size_t)r->splice_count, sizeof *r->splices, by_start);
    for (int i = 0; i < r->splice_count; i++) {
        const ts_splice *s = &r->splices[i];
        memcpy(text + to, r->source->text + from, s->start - from);
        to += s->start - from;
        memcpy(text + to, s->text, strlen(s->text));
        to += strlen(s->text), from = s->end;
    }
    memcpy(text + to, r->source->text + from, r->source->length - from);
    *length = to + r->source->length - from;
    return text;
}
