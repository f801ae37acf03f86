/* SPDX-License-Identifier: Apache-2.0 */
/* One case of a study: its key, its run, its line for the journal. See many.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digits.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "cli/many/many.h"

enum { POINTS = 240 }; /* of a history */

/* ---- the key ---- */

typedef struct item {
    const char *name, *text;
} item;

static int by_name(const void *a, const void *b) {
    return strcmp(((const item *)a)->name, ((const item *)b)->name);
}

static void print_items(FILE *out, const char *what, item *items, int count) {
    if (count) qsort(items, (size_t)count, sizeof *items, by_name);
    for (int i = 0; i < count; i++) fprintf(out, "\n%s %s=%s", what, items[i].name, items[i].text);
}

static item *list_of(const torsor_plan *plan, const char *list, int64_t which, int *count) {
    *count = torsor_plan_count(plan, list);
    bool parameters = strcmp(list, "parameters") == 0;
    item *items = ts_calloc((size_t)*count + 1, sizeof *items);
    for (int i = 0; i < *count; i++)
        items[i] =
            (item){torsor_plan_name(plan, list, i), parameters ? torsor_plan_value(plan, which, i)
                                                               : torsor_plan_text(plan, list, i)};
    return items;
}

void cli_case_key(const cli_many *many, int64_t which, char key[65]) {
    static const char *const lists[][2] = {
        {"set", "parameters"}, {"option", "options"}, {"measure", "measures"}};
    ts_text *text = ts_text_begin();
    fputs(many->text, text->out);
    for (int i = 0; i < 3; i++) {
        int count;
        item *items = list_of(many->plan, lists[i][1], which, &count);
        print_items(text->out, lists[i][0], items, count);
        free(items);
    }
    char *whole = ts_text_end(text);
    ts_sha256_hex(whole, strlen(whole), key);
    free(whole);
}

char *cli_case_words(const cli_many *many, int64_t which) {
    ts_text *text = ts_text_begin();
    for (int i = 0; i < torsor_plan_count(many->plan, "parameters"); i++)
        fprintf(text->out, "%s%s = %s", i ? ", " : "",
                torsor_plan_name(many->plan, "parameters", i),
                torsor_plan_value(many->plan, which, i));
    return ts_text_end(text);
}

char *cli_case_file(const cli_many *many, int64_t which, const char *ending) {
    size_t room = strlen(many->folder) + strlen(ending) + 40;
    char *path = ts_calloc(room, 1);
    snprintf(path, room, "%s/runs/%lld.%s", many->folder, (long long)which, ending);
    return path;
}

/* ---- the line ---- */

static void put_number(FILE *out, double value) {
    char text[TS_DIGITS];
    fputs(isfinite(value) ? ts_digits(text, value) : "null", out);
}

/* A few digits, for pictures. */
static void put_roughly(FILE *out, double value) {
    char text[TS_DIGITS];
    snprintf(text, sizeof text, "%.6g", value);
    fputs(isfinite(value) ? text : "null", out);
}

static void put_pair(FILE *out, bool first, const char *name) {
    if (!first) fputs(", ", out);
    ts_json_quote(out, name);
    fputs(": ", out);
}

static void put_parameters(const cli_many *many, int64_t which, FILE *out) {
    fputs(", \"parameters\": {", out);
    for (int i = 0; i < torsor_plan_count(many->plan, "parameters"); i++) {
        put_pair(out, i == 0, torsor_plan_name(many->plan, "parameters", i));
        ts_json_quote(out, torsor_plan_value(many->plan, which, i));
    }
    fputc('}', out);
}

static int put_values(const cli_many *many, torsor_results *results, FILE *out) {
    int count = torsor_plan_count(many->plan, "measures"), status = 0;
    char **unit = ts_calloc((size_t)count + 1, sizeof *unit);
    fputs(", \"values\": {", out);
    for (int i = 0; i < count && !status; i++) {
        double value = NAN;
        status = torsor_results_measure(results, torsor_plan_text(many->plan, "measures", i),
                                        &value, &unit[i]);
        put_pair(out, i == 0, torsor_plan_name(many->plan, "measures", i));
        put_number(out, value);
    }
    fputs("}, \"units\": {", out);
    for (int i = 0; i < count; i++) {
        put_pair(out, i == 0, torsor_plan_name(many->plan, "measures", i));
        ts_json_quote(out, unit[i] ? unit[i] : "1");
        torsor_text_free(unit[i]);
    }
    fputc('}', out);
    free(unit);
    return status;
}

static void put_history(const torsor_table *table, int column, FILE *out) {
    int64_t rows = torsor_table_rows(table), points = rows < POINTS ? rows : POINTS;
    const double *values = torsor_table_column(table, column);
    put_pair(out, column == 0, torsor_table_name(table, column));
    fputc('[', out);
    for (int64_t i = 0; i < points; i++) {
        double at = points > 1 ? (double)i * (double)(rows - 1) / (double)(points - 1) : 0;
        if (i) fputs(", ", out);
        put_roughly(out, values[llrint(at)]);
    }
    fputc(']', out);
}

static int put_histories(const cli_many *many, torsor_results *results, FILE *out) {
    torsor_table *table;
    if (many->histories == 0) return 0;
    int status = torsor_results_table(&table, results, many->histories, many->history);
    if (status) return status;
    fputs(", \"histories\": {", out);
    for (int i = 0; i < torsor_table_columns(table); i++) put_history(table, i, out);
    fputc('}', out);
    torsor_table_free(table);
    return 0;
}

static int put_line(const cli_many *many, int64_t which, torsor_results *results, FILE *out) {
    char key[65];
    cli_case_key(many, which, key);
    fprintf(out, "{\"key\": \"%s\", \"case\": %lld, \"study\": ", key, (long long)which);
    ts_json_quote(out, many->title);
    fputs(", \"model\": ", out);
    ts_json_quote(out, many->model_name);
    put_parameters(many, which, out);
    int status = put_values(many, results, out);
    return status ? status : put_histories(many, results, out);
}

/* ---- the run ---- */

static int override_case(const cli_many *many, int64_t which, torsor_model *model) {
    int status = 0;
    for (int i = 0; i < torsor_plan_count(many->plan, "parameters") && !status; i++)
        status = torsor_model_override(model, torsor_plan_name(many->plan, "parameters", i),
                                       torsor_plan_value(many->plan, which, i));
    return status;
}

/* From beginning to end, or only its beginning; `sound`: the energy audit is closed. */
static int simulate(const cli_many *many, const torsor_model *model, const char *path, bool whole,
                    bool *sound) {
    torsor_run *run = NULL;
    int status = torsor_run_begin(&run, model, many->options);
    if (!status) status = torsor_run_record(run, path);
    if (!status && whole) status = torsor_run_to(run, INFINITY);
    if (!status && whole) status = torsor_run_complete(run);
    if (!status) *sound = torsor_run_verdict(run)->sound;
    int closed = run ? torsor_run_finish(run) : 0;
    torsor_run_free(run);
    return status ? status : closed;
}

static int measure(const cli_many *many, int64_t which, const char *path, FILE *out) {
    torsor_results *results;
    int status = torsor_results_open(&results, path);
    if (status) return status;
    status = put_line(many, which, results, out);
    torsor_results_free(results);
    return status;
}

static int make_page(const cli_many *many, int64_t which, const char *path) {
    if (!many->pages) return 0;
    char *page = cli_case_file(many, which, "html");
    int status = torsor_report(1, &path, page, 0);
    free(page);
    return status;
}

int cli_case_run(const cli_many *many, int64_t which, char **line) {
    double begun = ts_wall_time();
    bool sound = false;
    torsor_model *model;
    char *path = cli_case_file(many, which, "h5");
    ts_text *text = ts_text_begin();
    torsor_replace_files(true);
    int status = torsor_model_copy(&model, many->model);
    if (!status) status = override_case(many, which, model);
    if (!status) status = simulate(many, model, path, true, &sound);
    torsor_model_free(model);
    if (!status) status = measure(many, which, path, text->out);
    if (!status) status = make_page(many, which, path);
    fprintf(text->out, ", \"good\": %s, \"seconds\": %.4g", sound ? "true" : "false",
            ts_wall_time() - begun);
    if (many->keep)
        fprintf(text->out, ", \"run\": \"runs/%lld.%s\"", (long long)which,
                many->pages ? "html" : "h5");
    fputc('}', text->out);
    *line = ts_text_end(text);
    if (!many->keep) unlink(path);
    free(path);
    return status;
}

int cli_case_check(const cli_many *many) {
    bool sound;
    char *path = cli_case_file(many, -1, "h5");
    ts_text *text = ts_text_begin();
    torsor_replace_files(true);
    int status = simulate(many, many->model, path, false, &sound);
    if (!status) status = measure(many, 0, path, text->out);
    char *line = ts_text_end(text);
    unlink(path);
    free(line), free(path);
    return status;
}
