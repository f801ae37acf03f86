/* SPDX-License-Identifier: Apache-2.0 */
/* Cases from a table of comma-separated values: names in the first line, a case in each other one.
 *
 *   L [mm], M
 *   500,    2 kg
 *
 * The unit behind a name is that of the bare numbers of its column. Commas, semicolons or tabs
 * separate cells; quotes are for cells with separators (RFC 4180). Empty lines are skipped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "studyfile/studyfile.h"

typedef struct cells {
    const ts_source *file;
    size_t at;
    char separator;
} cells;

static bool line_ends(const cells *c) {
    return c->at >= c->file->length || c->file->text[c->at] == '\n';
}

/* What stands between quotes, doubled ones once. */
static size_t quoted(cells *c, char *out) {
    const char *text = c->file->text;
    size_t n = 0;
    for (c->at++; !line_ends(c); c->at++) {
        if (text[c->at] == '"' && text[c->at + 1] != '"') break;
        if (text[c->at] == '"') c->at++;
        out[n++] = text[c->at];
    }
    if (!line_ends(c)) c->at++;
    return n;
}

/* The next cell of the line without blanks around it, to be freed; its place. */
static char *next_cell(cells *c, size_t *place) {
    const char *text = c->file->text;
    char *out = ts_calloc(c->file->length - c->at + 1, 1);
    size_t n = 0;
    while (!line_ends(c) && (text[c->at] == ' ')) c->at++;
    *place = c->at;
    if (!line_ends(c) && text[c->at] == '"') n = quoted(c, out);
    while (!line_ends(c) && text[c->at] != c->separator) out[n++] = text[c->at++];
    while (n > 0 && strchr(" \t\r", out[n - 1])) n--;
    out[n] = 0;
    if (!line_ends(c)) c->at++;
    return ts_realloc(out, n + 1, 1);
}

static char separator_of(const ts_source *file) {
    size_t length = strcspn(file->text, "\n");
    if (memchr(file->text, ';', length)) return ';';
    return memchr(file->text, '\t', length) ? '\t' : ',';
}

/* "L [mm]" becomes L; returns the unit, to be freed, or NULL. */
static char *take_unit(char *name) {
    char *open = strchr(name, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close) return NULL;
    *close = 0;
    char *unit = ts_strdup(open + 1);
    while (open > name && open[-1] == ' ') open--;
    *open = 0;
    return unit;
}

typedef struct columns {
    int first, count; /* axes of the study */
    char **unit;
} columns;

static bool read_head(ts_studyfile *study, cells *c, columns *k) {
    bool fine = true;
    k->first = study->axes;
    while (!line_ends(c)) {
        size_t place;
        char *name = next_cell(c, &place), *unit = take_unit(name);
        if (!*name) fine = ts_report(c->file, place, NULL, "expected the name of a parameter");
        ts_axis *axis = ts_axis_add(study, c->file, name, place);
        fine &= axis != NULL;
        if (axis) axis->stride = -1;
        k->unit = ts_realloc(k->unit, (size_t)k->count + 1, sizeof *k->unit);
        k->unit[k->count++] = unit;
        free(name);
    }
    c->at++;
    return fine;
}

static char *with_unit(char *cell, const char *unit) {
    char *end;
    strtod(cell, &end);
    if (!unit || *end) return cell;
    size_t room = strlen(cell) + strlen(unit) + 2;
    char *whole = ts_calloc(room, 1);
    snprintf(whole, room, "%s %s", cell, unit);
    free(cell);
    return whole;
}

static bool put_cell(ts_axis *axis, const ts_source *file, size_t place, char *cell) {
    ts_quantity value;
    char why[240];
    axis->value = ts_realloc(axis->value, (size_t)axis->count + 1, sizeof *axis->value);
    axis->value[axis->count++] = cell;
    if (!*cell) return ts_report(file, place, NULL, "the value of '%.60s' is missing", axis->name);
    return ts_value_read(cell, &value, why, sizeof why) || ts_report(file, place, NULL, "%s", why);
}

static bool read_row(ts_studyfile *study, cells *c, const columns *k) {
    size_t place = c->at;
    int count = 0;
    bool fine = true;
    while (!line_ends(c)) {
        char *cell = next_cell(c, &place);
        if (count < k->count)
            fine &= put_cell(&study->axis[k->first + count], c->file, place,
                             with_unit(cell, k->unit[count]));
        else
            free(cell);
        count++;
    }
    c->at++;
    if (count == k->count) return fine;
    return ts_report(c->file, place, NULL, "the line has %d values, the first line %d names", count,
                     k->count);
}

static bool blank(cells *c) {
    size_t length = strspn(c->file->text + c->at, " \t\r");
    bool empty = c->at + length >= c->file->length || c->file->text[c->at + length] == '\n';
    if (empty) c->at += length + 1;
    return empty;
}

static bool read_all(ts_studyfile *study, const ts_source *file) {
    cells c = {.file = file, .separator = separator_of(file)};
    columns k = {0};
    bool fine = read_head(study, &c, &k);
    while (fine && c.at < file->length && !ts_report_full(file))
        if (!blank(&c)) fine &= read_row(study, &c, &k);
    if (fine && (k.count == 0 || study->axis[k.first].count == 0))
        fine = ts_report(file, 0, NULL, "the table has no cases: expected a line for each");
    for (int i = 0; i < k.count; i++) free(k.unit[i]);
    free(k.unit);
    return fine;
}

bool ts_rows_read(ts_studyfile *study, const ts_source *from, const ts_yaml *node) {
    char why[120];
    size_t length;
    char *path = study->path ? ts_path_beside(study->path, node->text) : ts_strdup(node->text);
    char *text = ts_read_whole(path, &length, why, sizeof why);
    bool fine = text != NULL;
    int first = study->axes;
    if (!text) ts_report(from, node->start, NULL, "cannot read %s: %s", path, why);
    if (text) {
        ts_source file;
        size_t mark = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
        ts_source_open(&file, path, text + mark, length - mark, from->diagnostics);
        fine = ts_check_utf8(&file) && read_all(study, &file);
        ts_source_close(&file);
        for (int i = first; i < study->axes; i++) study->axis[i].place = node->start;
    }
    free(text), free(path);
    return fine;
}
