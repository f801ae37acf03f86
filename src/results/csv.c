/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a results file: as a table of comma-separated values, one line per stored state, and
 * as numbers. Which columns there are: output/catalogue.c; how they are chosen: output/selector.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/error.h"
#include "output/listing.h"
#include "results/contents.h"
#include "results/file.h"

/* ---- choosing ---- */

static int unknown(ts_results *r, const char *selector) {
    ts_catalogue all = {0};
    char hint[TS_UNKNOWN_SIZE];
    int status = ts_results_catalogue(r, &all, 0, NULL);
    if (!status)
        status = ts_fail(TORSOR_EINVAL, "%s has no '%s'.%s", r->path, selector,
                         ts_unknown_hint(&all, selector, hint));
    ts_catalogue_clear(&all);
    return status;
}

/* Without selectors the usual columns. */
static int choose(ts_results *r, const ts_catalogue *list, int selectors, char *const *selector,
                  ts_choice *chosen) {
    for (int i = 0; i < selectors; i++)
        if (!ts_choose_named(chosen, list, selector[i])) return unknown(r, selector[i]);
    if (selectors <= 0) ts_choose_usual(chosen, list);
    return 0;
}

/* ---- printing ---- */

/* A name with a comma, quote or line end is quoted (RFC 4180). */
static void print_name(FILE *out, const char *name, const char *unit) {
    bool quote = strpbrk(name, ",\"\r\n") != NULL;
    if (quote) fputc('"', out);
    for (const char *p = name; *p; p++) {
        if (*p == '"') fputc('"', out);
        fputc(*p, out);
    }
    fprintf(out, " [%s]", unit);
    if (quote) fputc('"', out);
}

static int print_frames(ts_results *r, const ts_choice *chosen, double *row[TS_SERIES_COUNT],
                        FILE *out) {
    char text[TS_DIGITS];
    for (int64_t frame = 0; frame < ts_results_frames(r); frame++) {
        for (int s = 0; s < TS_SERIES_COUNT; s++)
            if (row[s] && ts_results_rows(r, (ts_series_id)s, frame, 1, row[s])) return TORSOR_EIO;
        fputs(ts_digits(text, row[TS_FRAME_T][0]), out);
        for (size_t i = 0; i < chosen->count; i++) {
            const ts_column *c = chosen->items[i];
            fputc(',', out);
            fputs(ts_digits(text, ts_column_value(c, row[c->series])), out);
        }
        fputc('\n', out);
    }
    return fflush(out) || ferror(out) ? ts_fail(TORSOR_EIO, "cannot write the table") : 0;
}

static int print_table(ts_results *r, const ts_choice *chosen, FILE *out) {
    fputs("t [s]", out);
    for (size_t i = 0; i < chosen->count; i++) {
        fputc(',', out);
        print_name(out, chosen->items[i]->name, chosen->items[i]->unit);
    }
    fputc('\n', out);

    double *row[TS_SERIES_COUNT] = {[TS_FRAME_T] = ts_calloc(1, sizeof(double))};
    for (size_t i = 0; i < chosen->count; i++) {
        ts_series_id s = chosen->items[i]->series;
        if (!row[s]) row[s] = ts_calloc((size_t)r->track[s].values, sizeof(double));
    }
    int status = print_frames(r, chosen, row, out);
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(row[s]);
    return status;
}

int ts_results_csv(ts_results *r, int selectors, char *const *selector, FILE *out) {
    ts_catalogue list = {0};
    ts_choice chosen = {0};
    int status = ts_results_catalogue(r, &list, selectors, selector);
    if (!status) status = choose(r, &list, selectors, selector, &chosen);
    if (!status) status = print_table(r, &chosen, out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

int ts_results_listing(ts_results *r, int selectors, char *const *selector, bool json, FILE *out) {
    ts_catalogue list = {0};
    ts_choice chosen = {0};
    int status = ts_results_catalogue(r, &list, selectors, selector);
    const char *wrong = status ? NULL : ts_listing_choose(&chosen, &list, selectors, selector);
    if (wrong) status = unknown(r, wrong);
    if (!status) ts_listing_print(&chosen, selectors <= 0, json, out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

/* ---- the same as numbers ---- */

static void table_new(ts_columns *t, const ts_choice *chosen, int64_t rows) {
    *t = (ts_columns){.rows = rows, .count = (int)chosen->count + 1};
    t->name = ts_calloc((size_t)t->count, sizeof *t->name);
    t->unit = ts_calloc((size_t)t->count, sizeof *t->unit);
    t->inside = ts_calloc((size_t)t->count, sizeof *t->inside);
    t->data = ts_calloc((size_t)t->count * (size_t)rows, sizeof(double));
    t->name[0] = ts_strdup("t"), t->unit[0] = ts_strdup("s");
    for (int i = 1; i < t->count; i++) {
        t->name[i] = ts_strdup(chosen->items[i - 1]->name);
        t->unit[i] = ts_strdup(chosen->items[i - 1]->unit);
        t->inside[i] = TS_FAMILY[chosen->items[i - 1]->channel->each].inside;
    }
}

/* Series by series, in blocks of about a megabyte. */
static int fill_series(ts_results *r, ts_series_id s, const ts_choice *chosen, ts_columns *t) {
    int64_t values = r->track[s].values, most = values < 131072 ? 131072 / values : 1;
    double *block = ts_calloc((size_t)(most * values), sizeof(double));
    int status = 0;
    for (int64_t first = 0; first < t->rows && !status; first += most) {
        int64_t rows = t->rows - first < most ? t->rows - first : most;
        status = ts_results_rows(r, s, first, rows, block);
        for (size_t i = 0; i < chosen->count && !status; i++) {
            if (chosen->items[i]->series != s) continue;
            double *to = t->data + (int64_t)(i + 1) * t->rows + first;
            for (int64_t k = 0; k < rows; k++)
                to[k] = ts_column_value(chosen->items[i], block + k * values);
        }
    }
    free(block);
    return status;
}

static int fill_table(ts_results *r, const ts_choice *chosen, ts_columns *t) {
    bool wanted[TS_SERIES_COUNT] = {false};
    int status = t->rows ? ts_results_rows(r, TS_FRAME_T, 0, t->rows, t->data) : 0;
    for (size_t i = 0; i < chosen->count; i++) wanted[chosen->items[i]->series] = true;
    for (int s = 0; s < TS_SERIES_COUNT && !status; s++)
        if (wanted[s]) status = fill_series(r, (ts_series_id)s, chosen, t);
    return status;
}

int ts_results_columns(ts_results *r, int selectors, char *const *selector, bool rows,
                       ts_columns *out) {
    ts_catalogue list = {0};
    ts_choice chosen = {0};
    *out = (ts_columns){0};
    int status = ts_results_catalogue(r, &list, rows ? selectors : 0, selector);
    if (!status && !rows)
        for (size_t i = 0; i < list.count; i++) ts_choose(&chosen, &list.items[i]);
    if (!status && rows) status = choose(r, &list, selectors, selector, &chosen);
    if (!status) {
        table_new(out, &chosen, rows ? ts_results_frames(r) : 0);
        status = fill_table(r, &chosen, out);
    }
    if (status) ts_columns_clear(out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

/* Without a part of many nodes' inner ones; aliases are the names of ends and corners, numbers
 * aside. */
static bool tells_most(const ts_column *c) {
    const char *word = strchr(c->name, '.');
    if (c->channel->each == TS_EACH_ROW) return false;
    if (!c->alias) return c->usual && !c->ordinal;
    return c->channel->place && word && (word[1] < '0' || word[1] > '9');
}

int ts_results_channels(ts_results *r, ts_columns *out) {
    ts_catalogue list = {0};
    ts_choice chosen = {0};
    *out = (ts_columns){0};
    int status = ts_results_catalogue(r, &list, 0, NULL);
    for (size_t i = 0; i < list.count && !status; i++)
        if (tells_most(&list.items[i])) ts_choose(&chosen, &list.items[i]);
    if (!status && chosen.count == 0) ts_choose_usual(&chosen, &list);
    if (!status) {
        table_new(out, &chosen, ts_results_frames(r));
        status = fill_table(r, &chosen, out);
    }
    if (status) ts_columns_clear(out);
    free(chosen.items);
    ts_catalogue_clear(&list);
    return status;
}

void ts_columns_clear(ts_columns *t) {
    for (int i = 0; i < t->count; i++) free(t->name[i]), free(t->unit[i]);
    free(t->name), free(t->unit), free(t->inside), free(t->data);
    *t = (ts_columns){0};
}
