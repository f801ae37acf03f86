/* SPDX-License-Identifier: Apache-2.0 */
/* Writes finished cases as one table, and as a page for the browser. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/studies/journal.h"
#include "base/error.h"
#include "base/place.h"
#include "picture/page_frame.h"
#include "results/h5.h"

extern const char ts_study_page[], ts_study_page_end[];

/* ---- comma-separated values ---- */

static void quote(FILE *out, const char *text) {
    bool needed = strpbrk(text, ",\"\r\n") != NULL;
    if (needed) fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    if (needed) fputc('"', out);
}

static void csv_cell(const ts_case_column *column, int64_t row, FILE *out) {
    if (!column->words) {
        ts_csv_number(out, column->number[row]);
        return;
    }
    fputc(',', out);
    if (column->text[row]) quote(out, column->text[row]);
}

int ts_cases_csv(const ts_cases *c, FILE *out) {
    fputs("case", out);
    for (int i = 0; i < c->columns; i++) {
        char head[200];
        const ts_case_column *k = &c->column[i];
        snprintf(head, sizeof head, "%.120s [%.60s]", k->name, k->words ? "text" : k->unit);
        fputc(',', out);
        quote(out, head);
    }
    fputs(",good,seconds\n", out);
    for (int64_t row = 0; row < c->rows; row++) {
        fprintf(out, "%lld", (long long)c->row[row].which);
        for (int i = 0; i < c->columns; i++) csv_cell(&c->column[i], row, out);
        fprintf(out, ",%d", c->row[row].good);
        ts_csv_number(out, c->row[row].seconds);
        fputc('\n', out);
    }
    return ferror(out) ? ts_fail(TORSOR_EIO, "cannot write the table") : 0;
}

/* ---- HDF5 ---- */

static void fill_cells(const ts_cases *c, ts_table_cell *cells, int fields) {
    for (int64_t row = 0; row < c->rows; row++) {
        ts_table_cell *cell = cells + row * fields;
        cell[0].integer = c->row[row].which;
        for (int i = 0; i < c->columns; i++) {
            const ts_case_column *k = &c->column[i];
            if (k->words)
                cell[1 + i].text = k->text[row] ? k->text[row] : "";
            else
                cell[1 + i].number = k->number[row];
        }
        cell[1 + c->columns].integer = c->row[row].good;
        cell[2 + c->columns].number = c->row[row].seconds;
    }
}

static int h5_table(const ts_cases *c, ts_h5 file) {
    int fields = c->columns + 3, status = 0;
    ts_table_field *field = ts_calloc((size_t)fields, sizeof *field);
    ts_table_cell *cells = ts_calloc((size_t)c->rows * (size_t)fields, sizeof *cells);
    field[0] = (ts_table_field){"case", TS_TABLE_INTEGER};
    for (int i = 0; i < c->columns; i++)
        field[1 + i] = (ts_table_field){c->column[i].name,
                                        c->column[i].words ? TS_TABLE_TEXT : TS_TABLE_NUMBER};
    field[fields - 2] = (ts_table_field){"good", TS_TABLE_INTEGER};
    field[fields - 1] = (ts_table_field){"seconds", TS_TABLE_NUMBER};
    fill_cells(c, cells, fields);
    status =
        ts_h5_table_new(file, "/cases", "finished cases of a study", fields, field, c->rows, cells);
    for (int i = 0; i < c->columns && !status; i++) {
        char name[200];
        snprintf(name, sizeof name, "unit of %.120s", c->column[i].name);
        const char *unit = c->column[i].words ? "text" : c->column[i].unit;
        status = ts_h5_put_text(file, "/cases", name, unit, strlen(unit) + 1);
    }
    free(field), free(cells);
    return status;
}

static bool is_table(const char *path, const void *context) {
    ts_h5 file = -1;
    char format[64] = "";
    (void)context;
    bool ours = ts_h5_is_hdf5(path) && ts_h5_open(&file, path, false) == 0 &&
                ts_h5_get_text(file, "/", "format", format, sizeof format) == 0 &&
                strcmp(format, "torsor-study") == 0;
    ts_h5_close(file);
    return ours;
}

static int fill_h5(const ts_cases *c, const char *draft) {
    ts_h5 file;
    static const char FORMAT[] = "torsor-study";
    remove(draft); /* HDF5 makes it anew */
    int status = ts_h5_create(&file, draft);
    if (status) return status;
    status = ts_h5_put_text(file, "/", "format", FORMAT, sizeof FORMAT);
    if (!status) status = h5_table(c, file);
    int closed = ts_h5_close(file);
    return status ? status : closed;
}

int ts_cases_h5(const ts_cases *c, const char *path) {
    ts_place place;
    ts_output output = {.what = "a table of a study", .ours = is_table};
    ts_lock_libraries();
    int status = ts_place_begin(&place, path, 0, &output);
    if (!status) {
        status = fill_h5(c, place.draft);
        if (!status) status = ts_place_commit(&place);
        ts_place_clear(&place);
    }
    ts_unlock_libraries();
    return status;
}

/* ---- the page ---- */

static void json_column(ts_json *j, const ts_cases *c, const ts_case_column *k) {
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "name", k->name);
    ts_json_text(j, "unit", k->words ? "text" : k->unit);
    ts_json_flag(j, "parameter", k->parameter);
    ts_json_open(j, "values", '[');
    for (int64_t i = 0; i < c->rows; i++) {
        if (k->words)
            ts_json_text(j, NULL, k->text[i] ? k->text[i] : "");
        else
            ts_json_number(j, NULL, k->number[i]);
    }
    ts_json_close(j, ']');
    ts_json_close(j, '}');
}

/* "</script" inside of a text would end the page's data. */
static void put_line(FILE *out, const char *line) {
    for (; *line; line++)
        if (*line == '<')
            fputs("\\u003c", out);
        else
            fputc(*line, out);
}

void ts_cases_json(const ts_cases *c, FILE *out) {
    ts_text *text = ts_text_begin();
    ts_json j = {.out = text->out};
    ts_json_open(&j, NULL, '[');
    for (int i = 0; i < c->columns; i++) json_column(&j, c, &c->column[i]);
    ts_json_close(&j, ']');
    char *columns = ts_text_end(text);
    fputs("{\"columns\":", out);
    put_line(out, columns);
    fputs(",\"cases\":[\n", out);
    for (int64_t i = 0; i < c->rows; i++) {
        put_line(out, c->row[i].line);
        fputs(i + 1 < c->rows ? ",\n" : "\n", out);
    }
    fputs("]}\n", out);
    free(columns);
}

static int put_cases(FILE *out, const void *cases) {
    fputs("<script type=\"application/json\" id=\"data\">", out);
    ts_cases_json(cases, out);
    fputs("</script>", out);
    return 0;
}

static int write_csv(FILE *out, const void *cases) { return ts_cases_csv(cases, out); }

/* ---- the forms ---- */

static int put_csv(const ts_cases *c, const char *path) {
    ts_output output = {0};
    return ts_place_write(path, &output, write_csv, c);
}

static int put_page(const ts_cases *c, const char *path) {
    ts_page_frame frame = {ts_study_page, "studies", put_cases, c};
    return ts_page_frame_write(&frame, path, 0, NULL);
}

static const struct {
    const char *name;
    int (*write)(const ts_cases *cases, const char *path);
} FORMS[] = {{"csv", put_csv}, {"h5", ts_cases_h5}, {"report", put_page}};
enum { FORM_COUNT = sizeof FORMS / sizeof *FORMS };

int ts_api_journals_write(int count, const char *const *journals, const char *form,
                          const char *path, int64_t *cases) {
    if (!journals || !form || !path) return ts_null_argument("torsor_journals_write");
    ts_cases read;
    int which = 0;
    for (int i = 0; i < count; i++)
        if (!journals[i]) return ts_null_argument("torsor_journals_write");
    while (which < FORM_COUNT && strcmp(FORMS[which].name, form) != 0) which++;
    if (which == FORM_COUNT)
        return ts_fail(TORSOR_EINVAL, "'%.40s': expected csv, h5 or report", form);
    int status = ts_cases_read(&read, count, journals);
    if (!status) status = FORMS[which].write(&read, path);
    if (cases) *cases = read.rows;
    ts_cases_clear(&read);
    return status;
}
