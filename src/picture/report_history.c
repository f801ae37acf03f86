/* SPDX-License-Identifier: Apache-2.0 */
/* Histories and the effort of the steps in a report.
 *
 * All columns of the tables (output/catalogue.c) are there, in full precision up to EXACT_NUMBERS,
 * else in 32 bits; where they are more than HISTORY_NUMBERS, only every second, fourth ... node and
 * station of a part with many. Steps are combined into GROUPS groups at most. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "output/selector.h"
#include "picture/report.h"
#include "picture/report_data.h"
#include "results/contents.h"

enum { HISTORY_NUMBERS = 3000000, EXACT_NUMBERS = 600000, GROUPS = 1500 };

/* Columns that selectors of the model take. */
static bool *find_asked(const ts_report_run *run, const ts_catalogue *all) {
    bool *asked = ts_calloc(all->count + 1, sizeof *asked);
    ts_choice chosen = {0};
    for (int i = 0; i < run->column_count; i++) ts_choose_named(&chosen, all, run->columns[i]);
    for (size_t i = 0; i < chosen.count; i++) asked[chosen.items[i] - all->items] = true;
    free(chosen.items);
    return asked;
}

/* A node has one name here, unless the model asks for another. Channels say when they are told; the
 * ground does not move. */
static bool wanted_column(const ts_column *c, bool asked, int64_t stride) {
    if (c->alias) return asked;
    if (c->channel->told == TS_TOLD_NEVER || c->node == 0) return false;
    if (c->ordinal == 0) return true;
    if (c->channel->told == TS_TOLD_OF_ONE) return false;
    return stride == 1 || c->ordinal == c->siblings || (c->ordinal - 1) % stride == 0;
}

static size_t choose_columns(const ts_catalogue *all, const bool *asked, int64_t stride,
                             const ts_column **chosen) {
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (wanted_column(&all->items[i], asked[i], stride)) chosen[count++] = &all->items[i];
    return count;
}

typedef struct history {
    ts_catalogue all;
    const ts_column **chosen;
    size_t count;
    int64_t stride;        /* of nodes and stations in their part */
    int64_t every, frames; /* stored states: each how many, how many in all */
    double *t, *value;     /* value: by column, then by state */
} history;

static void plan_history(const ts_report_data *p, history *h) {
    bool *asked = find_asked(p->run, &h->all);
    h->chosen = ts_calloc(h->all.count + 1, sizeof *h->chosen);
    h->frames = p->frames, h->every = 1, h->stride = 1;
    do {
        h->count = choose_columns(&h->all, asked, h->stride, h->chosen);
        if ((double)h->count * (double)p->frames <= HISTORY_NUMBERS) break;
        h->stride *= 2;
    } while (h->stride < p->nodes + p->stations);
    free(asked);
    while ((double)h->count * (double)h->frames > 4.0 * HISTORY_NUMBERS)
        h->every *= 2, h->frames = (p->frames + h->every - 1) / h->every;
}

static int read_history(ts_report_data *p, history *h) {
    double *row[TS_SERIES_COUNT] = {0};
    for (size_t i = 0; i < h->count; i++) {
        ts_series_id s = h->chosen[i]->series;
        if (!row[s]) row[s] = ts_calloc((size_t)p->r->track[s].values + 1, sizeof(double));
    }
    int status = 0;
    for (int64_t f = 0; f < h->frames && !status; f++) {
        status = ts_results_rows(p->r, TS_FRAME_T, f * h->every, 1, &h->t[f]);
        for (int s = 0; s < TS_SERIES_COUNT && !status; s++)
            if (row[s]) status = ts_results_rows(p->r, (ts_series_id)s, f * h->every, 1, row[s]);
        for (size_t i = 0; i < h->count && !status; i++)
            h->value[(int64_t)i * h->frames + f] =
                ts_column_value(h->chosen[i], row[h->chosen[i]->series]);
    }
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(row[s]);
    return status;
}

static int put_values(ts_report_data *p, const history *h) {
    size_t total = h->count * (size_t)h->frames;
    ts_blob t = {.key = "t", .type = TS_BLOB_F64, .rows = h->frames, .width = 1};
    ts_blob exact = {"value", TS_BLOB_F64, (int64_t)h->count, h->frames, false};
    ts_blob brief = {"value", TS_BLOB_F32, (int64_t)h->count, h->frames, false};
    int status = ts_page_blob(&p->page, t, h->t);
    if (status || total <= EXACT_NUMBERS)
        return status ? status : ts_page_blob(&p->page, exact, h->value);
    float *value = ts_calloc(total, sizeof *value);
    for (size_t i = 0; i < total; i++) value[i] = (float)h->value[i];
    status = ts_page_blob(&p->page, brief, value);
    free(value);
    return status;
}

/* What columns mean, so that they are found by it: the help of each channel once, and by column
 * the channel's place in that list and its component. */
static int put_meanings(ts_report_data *p, const history *h) {
    int *place = ts_calloc((size_t)TS_CHANNEL_COUNT, sizeof *place), known = 0;
    int32_t *of = ts_calloc(2 * h->count + 1, sizeof *of);
    char label[64];
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) place[i] = -1;
    ts_json_open(p->page.json, "meanings", '[');
    for (size_t i = 0; i < h->count; i++) {
        const ts_column *c = h->chosen[i];
        int channel = 0;
        while (TS_CHANNELS[channel] != c->channel) channel++;
        if (place[channel] < 0) {
            place[channel] = known++;
            ts_json_open(p->page.json, NULL, '[');
            ts_json_text(p->page.json, NULL, c->channel->help);
            for (int k = 0; ts_channel_colour(c->channel, k, label, sizeof label); k++)
                ts_json_text(p->page.json, NULL, label);
            ts_json_close(p->page.json, ']');
        }
        of[2 * i] = place[channel], of[2 * i + 1] = c->component;
    }
    ts_json_close(p->page.json, ']');
    ts_blob blob = {"of", TS_BLOB_I32, (int64_t)h->count, 2, false};
    int status = ts_page_blob(&p->page, blob, of);
    free(of), free(place);
    return status;
}

int ts_report_history(ts_report_data *p) {
    history h = {0};
    ts_json *j = p->page.json;
    if (ts_results_catalogue(p->r, &h.all, 0, NULL)) {
        ts_catalogue_clear(&h.all);
        return TORSOR_EIO;
    }
    plan_history(p, &h);
    h.t = ts_calloc((size_t)h.frames + 1, sizeof *h.t);
    h.value = ts_calloc(h.count * (size_t)h.frames + 1, sizeof *h.value);
    int status = read_history(p, &h);
    ts_json_open(j, "history", '{');
    ts_json_count(j, "every", (long)h.every);
    ts_json_count(j, "stride", (long)h.stride);
    ts_json_open(j, "columns", '[');
    for (size_t i = 0; i < h.count; i++) {
        char named[600];
        snprintf(named, sizeof named, "%s [%s]", h.chosen[i]->name, h.chosen[i]->unit);
        ts_json_text(j, NULL, named);
    }
    ts_json_close(j, ']');
    if (!status) status = put_meanings(p, &h);
    if (!status) status = put_values(p, &h);
    ts_json_close(j, '}');
    free(h.t), free(h.value), free(h.chosen);
    ts_catalogue_clear(&h.all);
    return status;
}

/* ---- what every step took ---- */

enum {
    EFFORT_T,
    EFFORT_STEPS,
    EFFORT_ITERATIONS,
    EFFORT_MOST,
    EFFORT_CUTS,
    EFFORT_VIOLATION,
    EFFORT_BALANCE,
    EFFORT_H,
    EFFORT_WIDTH
};

enum { BLOCK = 4096 }; /* steps read at a time */

typedef struct block {
    double t[BLOCK], h[BLOCK], violation[BLOCK], balance[BLOCK];
    int64_t iterations[BLOCK], cuts[BLOCK];
} block;

static int read_block(ts_report_data *p, int64_t first, int64_t count, block *b) {
    const struct {
        ts_series_id id;
        void *to;
    } wanted[] = {{TS_STEP_T, b->t},
                  {TS_STEP_H, b->h},
                  {TS_STEP_VIOLATION, b->violation},
                  {TS_STEP_BALANCE, b->balance},
                  {TS_STEP_ITERATIONS, b->iterations},
                  {TS_STEP_CUTS, b->cuts}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (ts_results_rows(p->r, wanted[i].id, first, count, wanted[i].to)) return TORSOR_EIO;
    return 0;
}

static void add_step(double *row, const block *b, int64_t i) {
    double iterations = (double)b->iterations[i];
    row[EFFORT_T] = b->t[i], row[EFFORT_H] = b->h[i];
    row[EFFORT_STEPS]++;
    row[EFFORT_ITERATIONS] += iterations;
    row[EFFORT_CUTS] += (double)b->cuts[i];
    row[EFFORT_MOST] = fmax(row[EFFORT_MOST], iterations);
    row[EFFORT_VIOLATION] = fmax(row[EFFORT_VIOLATION], fabs(b->violation[i]));
    row[EFFORT_BALANCE] = fmax(row[EFFORT_BALANCE], fabs(b->balance[i]));
}

int ts_report_effort(ts_report_data *p) {
    int64_t steps = p->r->rows[TS_STEPS], groups = steps < GROUPS ? steps : GROUPS;
    double *table = ts_calloc((size_t)groups * EFFORT_WIDTH + 1, sizeof *table);
    block *b = ts_calloc(1, sizeof *b);
    int status = 0;
    for (int64_t first = 0; first < steps && !status; first += BLOCK) {
        int64_t count = steps - first < BLOCK ? steps - first : BLOCK;
        status = read_block(p, first, count, b);
        for (int64_t i = 0; i < count && !status; i++)
            add_step(table + (first + i) * groups / steps * EFFORT_WIDTH, b, i);
    }
    ts_blob blob = {"effort", TS_BLOB_F64, groups, EFFORT_WIDTH, false};
    if (!status) status = ts_page_blob(&p->page, blob, table);
    free(table), free(b);
    return status;
}
