/* SPDX-License-Identifier: Apache-2.0 */
/* What touches, in a report: shapes with their surfaces, and at every state to play the points of
 * contact with their forces.
 *
 * Of states with very many pairs only those with the largest forces are kept: MOST_PAIRS in all.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "output/told_pairs.h"
#include "picture/report_data.h"
#include "results/contents.h"

enum { MOST_PAIRS = 600000, LEAST_PAIRS = 64, SHAPE_WIDTH = 8, PAIR_NUMBERS = 10 };

/* ---- shapes ---- */

static int put_shapes(ts_report_data *p) {
    const ts_records *shapes = &p->geometry.skins.shapes;
    double *table = ts_calloc((size_t)shapes->rows * SHAPE_WIDTH + 1, sizeof *table);
    int64_t guess = 0;
    for (int64_t i = 0; i < shapes->rows; i++) {
        const ts_table_cell *row = ts_record(shapes, i);
        double *to = table + i * SHAPE_WIDTH;
        to[0] = (double)ts_report_part(p, row[TS_SKIN_PART].text, &guess);
        for (int k = 0; k < 3; k++) to[k + 1] = (double)row[TS_SKIN_NODE + k].integer;
        for (int k = 0; k < 4; k++) to[k + 4] = row[TS_SKIN_AT + k].number;
    }
    ts_blob blob = {"shapes", TS_BLOB_F64, shapes->rows, SHAPE_WIDTH, false};
    int status = ts_page_blob(&p->page, blob, table);
    free(table);
    return status;
}

static int put_surfaces(ts_report_data *p) {
    const ts_skins *s = &p->geometry.skins;
    float *point = ts_calloc(3 * (size_t)s->points + 1, sizeof *point);
    int32_t *triangle = ts_calloc(3 * (size_t)s->triangles + 1, sizeof *triangle);
    int32_t *table = ts_calloc((size_t)(s->surfaces.rows * TS_SURFACE_FIELDS) + 1, sizeof *table);
    for (int64_t i = 0; i < 3 * s->points; i++) point[i] = (float)s->point[i];
    for (int64_t i = 0; i < 3 * s->triangles; i++) triangle[i] = (int32_t)s->triangle[i];
    for (int64_t i = 0; i < s->surfaces.rows * TS_SURFACE_FIELDS; i++)
        table[i] = (int32_t)s->surfaces.cells[i].integer;
    ts_blob points = {"surface_points", TS_BLOB_F32, s->points, 3, false};
    ts_blob triangles = {"surface_triangles", TS_BLOB_I32, s->triangles, 3, false};
    ts_blob list = {"surfaces", TS_BLOB_I32, s->surfaces.rows, TS_SURFACE_FIELDS, false};
    int status = ts_page_blob(&p->page, list, table);
    if (!status) status = ts_page_blob(&p->page, points, point);
    if (!status) status = ts_page_blob(&p->page, triangles, triangle);
    free(point), free(triangle), free(table);
    return status;
}

int ts_report_shapes(ts_report_data *p) {
    ts_records contacts;
    int status = ts_results_table(p->r, TS_CONTACTS_TABLE, &contacts);
    ts_json_open(p->page.json, "contacts", '[');
    for (int64_t i = 0; i < contacts.rows && !status; i++)
        ts_json_text(p->page.json, NULL, ts_record(&contacts, i)[TS_CONTACT_PART].text);
    ts_json_close(p->page.json, ']');
    ts_records_clear(&contacts);
    if (!status) status = put_shapes(p);
    return status ? status : put_surfaces(p);
}

/* ---- pairs ---- */

typedef struct list {
    float *number; /* PAIR_NUMBERS a pair */
    int64_t pairs, room, dropped;
} list;

static double size_of(const ts_touched *t) { return v3_norm(ts_touched_force(t)); }

static int by_force(const void *a, const void *b) {
    double x = size_of(a), y = size_of(b);
    return (x < y) - (x > y);
}

static void add_pair(list *to, const ts_touched *t) {
    ts_grow(to->number, to->room, (to->pairs + 1) * PAIR_NUMBERS);
    float *n = to->number + to->pairs++ * PAIR_NUMBERS;
    v3 force = ts_touched_force(t);
    const double from[PAIR_NUMBERS] = {
        t->key.contact, t->key.shape[0], t->key.shape[1], ts_touched_grasp(t),
        t->at.x,        t->at.y,         t->at.z,         force.x,
        force.y,        force.z};
    for (int k = 0; k < PAIR_NUMBERS; k++) n[k] = (float)from[k];
}

/* The pairs of a state; if there are more than `most`, those with the largest forces. */
static void add_state(const ts_report_data *p, const double *row, int64_t numbers, int64_t most,
                      list *to) {
    const ts_results *r = p->r;
    int64_t count =
        ts_told_pairs(row, numbers, r->entries[TS_EACH_CONTACT], p->geometry.skins.shapes.rows);
    if (count <= 0) return;
    ts_touched *pair = ts_calloc((size_t)count, sizeof *pair);
    for (int64_t k = 0; k < count; k++) pair[k] = ts_told_pair(row, k);
    if (count > most)
        qsort(pair, (size_t)count, sizeof *pair, by_force), to->dropped += count - most;
    for (int64_t k = 0; k < count && k < most; k++) add_pair(to, &pair[k]);
    free(pair);
}

int ts_report_touch(ts_report_data *p, int64_t frames, const int64_t *frame) {
    ts_results *r = p->r;
    list all = {0};
    int status = 0;
    int64_t most = MOST_PAIRS / (frames > 0 ? frames : 1);
    int32_t *first = ts_calloc((size_t)frames + 1, sizeof *first);
    for (int64_t k = 0; k < frames && !status; k++) {
        int64_t numbers;
        double *row;
        status = ts_results_pairs(r, frame[k], &numbers, &row);
        if (!status) add_state(p, row, numbers, most < LEAST_PAIRS ? LEAST_PAIRS : most, &all);
        free(row);
        first[k + 1] = (int32_t)all.pairs;
    }
    ts_blob ranges = {"touch_first", TS_BLOB_I32, frames + 1, 1, false};
    ts_blob pairs = {"touch", TS_BLOB_F32, all.pairs, PAIR_NUMBERS, false};
    ts_json_count(p->page.json, "pairs_dropped", (long)all.dropped);
    if (!status) status = ts_page_blob(&p->page, ranges, first);
    if (!status) status = ts_page_blob(&p->page, pairs, all.number);
    free(first), free(all.number);
    return status;
}
