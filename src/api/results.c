/* SPDX-License-Identifier: Apache-2.0 */
/* Results files for programs. */
#include <stdlib.h>
#include <string.h>

#include "api/opened.h"
#include "base/error.h"
#include "base/plain.h"
#include "picture/plot_table.h"

struct torsor_table {
    ts_handle head;
    ts_columns columns;
};

int ts_api_results_open(torsor_results **out, const char *path) {
    if (!out || !path) return ts_null_argument("torsor_results_open");
    ts_results *file;
    *out = NULL;
    ts_lock_libraries();
    int status = ts_results_open(&file, path);
    ts_unlock_libraries();
    if (status) return status;
    torsor_results *r = ts_calloc(1, sizeof *r);
    r->file = file, r->path = ts_strdup(path);
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        snprintf(r->name[i], sizeof r->name[i], "%s/%s", TS_GROUP_NAME[TS_SERIES[i].group],
                 TS_SERIES[i].name);
    *out = r;
    return 0;
}

static void take_apart(void *results) {
    torsor_results *r = results;
    ts_lock_libraries();
    ts_results_free(r->file);
    ts_unlock_libraries();
    ts_records_clear(&r->contacts.contacts), ts_records_clear(&r->contacts.shapes);
    free(r->contacts.pair);
    free(r->path);
    free(r);
}

void torsor_results_free(torsor_results *results) {
    if (!results) return;
    ts_pool_free(results, take_apart);
}

int64_t torsor_results_frames(const torsor_results *r) { return r ? r->file->rows[TS_FRAMES] : 0; }
int64_t torsor_results_steps(const torsor_results *r) { return r ? r->file->rows[TS_STEPS] : 0; }

int ts_api_results_text(const torsor_results *r, char **out) {
    if (!r || !out) return ts_null_argument("torsor_results_text");
    size_t length;
    const char *text = ts_results_text(r->file, &length);
    char *copy = ts_calloc(length + 1, 1);
    memcpy(copy, text, length);
    *out = ts_give(copy);
    return 0;
}

int ts_api_results_info(torsor_results *r, bool json, char **out) {
    if (!r || !out) return ts_null_argument("torsor_results_info");
    ts_memo memo;
    *out = NULL;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_lock_libraries();
    status = ts_results_info(r->file, memo.out, json);
    ts_unlock_libraries();
    status = ts_memo_take(&memo, status, out);
    if (!status && !json) ts_plain(*out); /* titles and names come from the file */
    return status;
}

int ts_api_results_channels(torsor_results *r, int selectors, const char *const *selector,
                            bool json, char **out) {
    if (out) *out = NULL;
    if (!r || !out || ts_any_null(selectors, selector))
        return ts_null_argument("torsor_results_channels");
    ts_memo memo;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_lock_libraries();
    status = ts_results_listing(r->file, selectors, (char *const *)selector, json, memo.out);
    ts_unlock_libraries();
    status = ts_memo_take(&memo, status, out);
    if (!status && !json) ts_plain(*out); /* names come from the file */
    return status;
}

/* A requested table. */
typedef struct csv_order {
    ts_results *file;
    int selectors;
    const char *const *selector;
} csv_order;

static int write_csv(FILE *out, const void *context) {
    const csv_order *o = context;
    ts_lock_libraries();
    int status = ts_results_csv(o->file, o->selectors, (char *const *)o->selector, out);
    ts_unlock_libraries();
    return status;
}

int ts_api_results_csv(torsor_results *r, int selectors, const char *const *selector,
                       const char *path) {
    if (!r || !path || ts_any_null(selectors, selector))
        return ts_null_argument("torsor_results_csv");
    csv_order order = {r->file, selectors, selector};
    const char *input = r->path;
    ts_output output = ts_output_table(&input, 1);
    if (strcmp(path, "-") == 0) return write_csv(stdout, &order);
    return ts_place_write(path, &output, write_csv, &order);
}

int ts_api_results_outputs(const torsor_results *r, char **out) {
    if (!r || !out) return ts_null_argument("torsor_results_outputs");
    ts_memo memo;
    size_t length;
    const char *text = ts_results_text(r->file, &length);
    ts_document *document = NULL;
    *out = NULL;
    int status = ts_document_parse(&document, text, length, r->path, NULL);
    if (!status) status = ts_memo_open(&memo);
    for (int i = 0; !status && i < document->csv_count; i++)
        fprintf(memo.out, "%s\n", document->csv[i]);
    ts_document_free(document);
    return status ? status : ts_memo_take(&memo, 0, out);
}

/* ---- series ---- */

int torsor_results_series_count(const torsor_results *r) { return r ? TS_SERIES_COUNT : 0; }

int torsor_results_series(const torsor_results *r, int i, torsor_series *out) {
    if (!r || !out) return ts_null_argument("torsor_results_series");
    if (i < 0 || i >= TS_SERIES_COUNT) return ts_out_of_range("series", i, TS_SERIES_COUNT);
    const ts_series *s = &TS_SERIES[i];
    *out = (torsor_series){
        .name = r->name[i],
        .unit = s->unit ? s->unit : "",
        .help = s->help,
        .rows = r->file->track[i].set < 0 ? 0 : r->file->rows[s->group], /* older files lack some */
        .entries = r->file->entries[s->each],
        .width = s->width,
        .rank = 1 + (s->each != TS_EACH_ROW) + (s->width > 1)};
    return 0;
}

int torsor_results_series_find(const torsor_results *r, const char *name) {
    for (int i = 0; r && name && i < TS_SERIES_COUNT; i++)
        if (strcmp(r->name[i], name) == 0) return i;
    return -1;
}

/* Integers are as long as doubles, and are turned into them where they stand. */
int ts_api_results_read(torsor_results *r, int i, int64_t first, int64_t rows, double *out) {
    if (!r || !out) return ts_null_argument("torsor_results_read");
    torsor_series s;
    int status = torsor_results_series(r, i, &s);
    if (status) return status;
    if (first < 0 || rows < 0 || first > s.rows - rows)
        return ts_fail(TORSOR_EINVAL, "%s has %lld rows, not %lld from %lld on", s.name,
                       (long long)s.rows, (long long)rows, (long long)first);
    if (rows == 0 || s.entries == 0) return 0;
    ts_lock_libraries();
    status = ts_results_rows(r->file, (ts_series_id)i, first, rows, out);
    ts_unlock_libraries();
    if (status || !TS_SERIES[i].integer) return status;
    for (int64_t k = 0; k < rows * s.entries * s.width; k++) {
        int64_t whole;
        memcpy(&whole, out + k, sizeof whole);
        out[k] = (double)whole;
    }
    return 0;
}

/* ---- tables ---- */

static int make_table(torsor_table **out, torsor_results *r, int selectors,
                      const char *const *selector, bool rows) {
    torsor_table *t = ts_calloc(1, sizeof *t);
    ts_lock_libraries();
    int status = ts_results_columns(r->file, selectors, (char *const *)selector, rows, &t->columns);
    ts_unlock_libraries();
    if (status) free(t), t = NULL;
    *out = t;
    return status;
}

int ts_api_results_table(torsor_table **out, torsor_results *r, int selectors,
                         const char *const *selector) {
    if (!out || !r || ts_any_null(selectors, selector))
        return ts_null_argument("torsor_results_table");
    return make_table(out, r, selectors, selector, true);
}

int ts_api_results_catalogue(torsor_table **out, torsor_results *r) {
    if (!out || !r) return ts_null_argument("torsor_results_catalogue");
    return make_table(out, r, 0, NULL, false);
}

static void take_table_apart(void *table) {
    torsor_table *t = table;
    ts_columns_clear(&t->columns);
    free(t);
}

void torsor_table_free(torsor_table *table) {
    if (!table) return;
    ts_pool_free(table, take_table_apart);
}

/* ---- plots ---- */

static const struct {
    const char *name;
    int width, height, least, most; /* usual size of a panel; limits of both */
    void (*draw)(FILE *out, const ts_plot_order *order);
} PLOTS[] = {{"svg", 640, 240, 50, 10000, ts_plot_table}, {"text", 80, 12, 2, 1000, ts_plot_text}};
enum { PLOT_COUNT = sizeof PLOTS / sizeof *PLOTS };

static int find_column(const ts_columns *c, const char *name) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->name[i], name) == 0) return i;
    return ts_fail(TORSOR_EINVAL, "the table has no column '%.200s'", name);
}

static int check_plot(const ts_columns *c, const ts_plot_order *o, int form) {
    int least = PLOTS[form].least, most = PLOTS[form].most;
    if (o->width < least || o->width > most || o->height < least || o->height > most)
        return ts_fail(TORSOR_EINVAL, "a plot of %d x %d: expected %d to %d", o->width, o->height,
                       least, most);
    if (c->rows < 1) return ts_fail(TORSOR_EINVAL, "there is no stored state to plot");
    for (int i = 0; i < c->count; i++)
        if (ts_plot_shown(o, i)) return 0;
    return ts_fail(TORSOR_EINVAL, "there is nothing to plot over %s: name another channel",
                   c->name[o->over]);
}

int ts_api_table_plot(const torsor_table *t, const char *title, const char *over, const char *form,
                      int width, int height, char **out) {
    if (!t || !form || !out) return ts_null_argument("torsor_table_plot");
    int f = 0;
    *out = NULL;
    while (f < PLOT_COUNT && strcmp(PLOTS[f].name, form) != 0) f++;
    if (f == PLOT_COUNT)
        return ts_fail(TORSOR_EINVAL, "a plot is 'svg' or 'text', not '%.60s'", form);
    ts_plot_order order = {.columns = &t->columns,
                           .over = over ? find_column(&t->columns, over) : 0,
                           .title = title ? title : "",
                           .width = width ? width : PLOTS[f].width,
                           .height = height ? height : PLOTS[f].height};
    int status = order.over < 0 ? order.over : check_plot(&t->columns, &order, f);
    ts_memo memo;
    if (!status) status = ts_memo_open(&memo);
    if (status) return status;
    PLOTS[f].draw(memo.out, &order);
    return ts_memo_take(&memo, 0, out);
}

int64_t torsor_table_rows(const torsor_table *t) { return t ? t->columns.rows : 0; }
int torsor_table_columns(const torsor_table *t) { return t ? t->columns.count : 0; }

static bool has_column(const torsor_table *t, int i) { return t && i >= 0 && i < t->columns.count; }

const char *torsor_table_name(const torsor_table *t, int i) {
    return has_column(t, i) ? t->columns.name[i] : NULL;
}

const char *torsor_table_unit(const torsor_table *t, int i) {
    return has_column(t, i) ? t->columns.unit[i] : NULL;
}

const double *torsor_table_column(const torsor_table *t, int i) {
    return has_column(t, i) ? t->columns.data + (int64_t)i * t->columns.rows : NULL;
}
