/* Tables in files: comma-separated values.
 *
 * Cells are separated by commas, semicolons or tabs; empty lines and lines beginning with # are skipped, and so is one
 * line of headings. A cell is read as the expression "cell unit", and exactly that is written into the echo of the
 * model, so that the echo gives the same numbers to the last bit.
 */
#include "reader/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MAX_UNIT = 40, MAX_CELL = 80, MAX_COLUMN = 10000, ROWS_PER_LINE = 4 };

/* clang-format off */
const ts_field TS_FILE_FIELDS[] = {
    {"file", TS_TEXT, {0}, true, "A file of comma-separated values; its path is relative to the model file", NULL, NULL},
    {"columns", TS_NUMBERS, {0}, false, "The columns of the times and of the values, from 1", NULL, "[1, 2]"},
    {0}};
static const char *const OTHERS[] = {"units", "interpolation", "period", NULL};
/* clang-format on */

typedef struct job {
    ts_reader *r;
    const ts_yaml *map;
    int column[2];
    char unit[2][MAX_UNIT + 1];
    ts_source file; /* the table's own text and places */
    ts_table table;
    int room;
    bool heading; /* one has been skipped */
    char *echo;
    size_t echo_length, echo_room;
    bool echoing;
} job;

/* ---- what the model says of the file ---- */

static bool read_columns(job *j, const ts_value *value) {
    j->column[0] = 1, j->column[1] = 2;
    if (!value->given) return true;
    const ts_yaml *node = ts_yaml_get(j->map, "columns");
    if (value->count != 2)
        return ts_report(j->r->source, node->start, "columns: [1, 2]",
                         "expected two column numbers");
    for (int i = 0; i < 2; i++) {
        double c = value->list[i];
        if (!(c >= 1 && c <= MAX_COLUMN && c == floor(c)))
            return ts_report(j->r->source, node->item[i]->start, NULL,
                             "a column is a whole number from 1");
        j->column[i] = (int)c;
    }
    return true;
}

static bool unit_text(const char *text) {
    return strlen(text) <= MAX_UNIT && strpbrk(text, " ,:;#[]{}\"'\t\r\n") == NULL;
}

static bool read_unit(job *j, const ts_yaml *node, int i) {
    ts_expr *expr = NULL;
    ts_expr_error error = {.message = "not a unit"};
    if (node->type != TS_YAML_SCALAR)
        return ts_report(j->r->source, node->start, "units: [s, N]", "expected a unit");
    if (ts_yaml_is(node, "1")) return true; /* bare numbers */
    char text[MAX_UNIT + 3];
    snprintf(text, sizeof text, "1 %.*s", MAX_UNIT, node->text);
    if (!unit_text(node->text) ||
        ts_expr_compile(&expr, text, strlen(text), NULL, false, &error) != 0)
        return ts_report(j->r->source, node->start, error.hint, "%s", error.message);
    ts_dim dim = ts_expr_dim(expr);
    ts_expr_free(expr);
    if (i == 0 && !ts_dim_fits(dim, TS_OF_TIME))
        return ts_dim_mismatch(j->r, node->start, dim, TS_OF_TIME);
    snprintf(j->unit[i], sizeof j->unit[i], "%s", node->text);
    return true;
}

static bool read_units(job *j) {
    const ts_yaml *node = ts_yaml_get(j->map, "units");
    if (!node) return true;
    if (node->type != TS_YAML_LIST || node->count != 2)
        return ts_report(j->r->source, node->start, "units: [s, N]",
                         "expected the units of the two columns");
    return read_unit(j, node->item[0], 0) && read_unit(j, node->item[1], 1);
}

/* ---- cells ---- */

static bool separator(char c) { return c == ',' || c == ';' || c == '\t'; }
static bool blank(char c) { return c == ' ' || c == '\r' || c == '"'; }

/* The text of a cell without blanks and quotes around it; false if the line has fewer columns. */
static bool find_cell(const char *line, size_t length, int column, size_t *start, size_t *end) {
    size_t at = 0;
    for (int i = 1; i < column; i++) {
        while (at < length && !separator(line[at])) at++;
        if (at == length) return false;
        at++;
    }
    *start = at;
    while (at < length && !separator(line[at])) at++;
    *end = at;
    while (*start < *end && blank(line[*start])) ++*start;
    while (*end > *start && blank(line[*end - 1])) --*end;
    return true;
}

static bool looks_numeric(const char *text, size_t length) {
    size_t i = 0;
    while (i < length && strchr("+-.0123456789eE", text[i])) i++;
    return length > 0 && length <= MAX_CELL && i == length &&
           strpbrk(text, "0123456789") < text + length && strchr("eE", text[0]) == NULL;
}

static bool cell_value(job *j, size_t start, size_t end, int which, ts_quantity *out) {
    char text[MAX_CELL + MAX_UNIT + 2];
    int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(end - start), j->file.text + start,
                          *j->unit[which] ? " " : "", j->unit[which]);
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, (size_t)length, NULL, false, &error) != 0)
        return ts_report(&j->file, start, error.hint, "%s", error.message);
    *out = (ts_quantity){ts_expr_value(expr, 0), ts_expr_dim(expr)};
    ts_expr_free(expr);
    return isfinite(out->value) || ts_report(&j->file, start, NULL, "this number is not finite");
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

static void echo_row(job *j, const size_t start[2], const size_t end[2]) {
    echo_break(j);
    for (int i = 0; i < 2; i++) {
        echo_text(j, i ? ", " : "[");
        echo(j, j->file.text + start[i], end[i] - start[i]);
        if (*j->unit[i]) echo_text(j, " "), echo_text(j, j->unit[i]);
    }
    echo_text(j, "]");
}

/* ---- rows ---- */

static void push(job *j, double time, double value) {
    ts_table *t = &j->table;
    int room = j->room;
    ts_grow(t->time, room, t->points + 1);
    ts_grow(t->value, j->room, t->points + 1);
    t->time[t->points] = time, t->value[t->points++] = value;
}

static bool keep_row(job *j, const size_t start[2], const size_t end[2]) {
    ts_quantity q[2];
    for (int i = 0; i < 2; i++)
        if (!cell_value(j, start[i], end[i], i, &q[i])) return false;
    double time = ts_dim_bare(q[0].dim) ? ts_model_units(j->r, q[0].value, TS_OF_TIME) : q[0].value;
    if (j->table.points > 0 && !(time > j->table.time[j->table.points - 1]))
        return ts_report(&j->file, start[0], NULL, "the times of a table must increase");
    echo_row(j, start, end);
    j->table.dim = q[1].dim;
    push(j, time, q[1].value);
    return true;
}

static bool read_line(job *j, size_t first, size_t length) {
    const char *line = j->file.text + first;
    if (strspn(line, " \t\r") >= length || *line == '#') return true;
    size_t start[2], end[2];
    bool numeric[2];
    for (int i = 0; i < 2; i++) {
        if (!find_cell(line, length, j->column[i], &start[i], &end[i]))
            return ts_report(&j->file, first, NULL, "this line has no column %d", j->column[i]);
        numeric[i] = looks_numeric(line + start[i], end[i] - start[i]);
        start[i] += first, end[i] += first;
    }
    if (numeric[0] && numeric[1]) return keep_row(j, start, end);
    if (j->table.points == 0 && !j->heading && !numeric[0] && !numeric[1]) return j->heading = true;
    return ts_report(&j->file, start[numeric[0] ? 1 : 0], NULL, "expected a number");
}

static bool read_lines(job *j) {
    if (!ts_check_utf8(&j->file)) return false;
    for (int i = 0; i < j->file.lines; i++) {
        size_t first = j->file.line[i];
        size_t next = i + 1 < j->file.lines ? j->file.line[i + 1] : j->file.length;
        while (next > first && strchr("\r\n", j->file.text[next - 1])) next--;
        if (!read_line(j, first, next - first)) return false;
    }
    if (j->table.points >= 2) return true;
    return ts_report(&j->file, 0, NULL, "expected at least two rows of numbers");
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
    bool fine = ts_read_fields(r, &fields, values) && read_columns(&j, &values[1]) &&
                read_units(&j) && open_file(&j);
    ts_values_free(TS_FILE_FIELDS, values);
    free(j.echo);
    *out = j.table;
    if (fine) return true;
    free(out->time), free(out->value);
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
