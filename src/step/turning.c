/* SPDX-License-Identifier: Apache-2.0 */
/* See turning.h. */
#include "step/turning.h"

#include <stdlib.h>

#include "base/memory.h"

/* LEAST: square of the angle above which it pays to turn the factorisation. TOGETHER: a node is
 * turned if the mean turn relative to its neighbours is at most this share of its own turn
 * (squares). */
static const double LEAST = 1e-5, TOGETHER = 0.5;

static bool is_frame(const ts_model *model, int n) {
    return model->nodes[n].kind == TS_NODE_FRAME && !model->nodes[n].fixed;
}

/* Lists every other frame of the sites of a node: counts them, and stores them if there is room. */
static void find_ties(const ts_model *model, int *count, const int *first, int *other) {
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        const int *node = model->site_nodes + site->node;
        if (i > 0 && model->sites[i - 1].node == site->node) continue; /* of the same element */
        for (int a = 0; a < site->nodes; a++)
            for (int b = 0; b < site->nodes; b++) {
                if (a == b || !is_frame(model, node[a]) || !is_frame(model, node[b])) continue;
                if (other) other[first[node[a]] + count[node[a]]] = node[b];
                count[node[a]]++;
            }
    }
}

static bool is_triple(const ts_model *model, int r) {
    for (int k = 0; k < 3; k++) {
        if (r + k >= model->rows_count) return false;
        const ts_row *row = &model->rows[r + k];
        if (row->pull != TS_PULL_GLOBAL || row->axis != k || row->site != model->rows[r].site)
            return false;
    }
    return true;
}

bool ts_is_held(const ts_model *model) {
    for (int i = 0; i < model->sites_count; i++)
        for (int k = 0; k < model->sites[i].nodes; k++)
            if (model->nodes[model->site_nodes[model->sites[i].node + k]].fixed) return true;
    return false;
}

void ts_turning_new(ts_turning *t, const ts_model *model) {
    int nodes = model->nodes_count, frames = 0;
    *t = (ts_turning){0};
    if (!ts_is_held(model)) return;
    for (int n = 0; n < nodes; n++) frames += is_frame(model, n);
    if (!frames) return;
    int *count = ts_calloc((size_t)nodes, sizeof *count);
    t->made = ts_calloc((size_t)nodes, sizeof *t->made);
    t->turn = ts_calloc((size_t)nodes, sizeof *t->turn);
    t->turns = ts_calloc((size_t)nodes, sizeof *t->turns);
    t->first = ts_calloc((size_t)nodes + 1, sizeof *t->first);
    t->row = ts_calloc((size_t)model->rows_count + 1, sizeof *t->row);
    find_ties(model, count, NULL, NULL);
    for (int n = 0; n < nodes; n++) t->first[n + 1] = t->first[n] + count[n], count[n] = 0;
    t->other = ts_calloc((size_t)t->first[nodes] + 1, sizeof *t->other);
    find_ties(model, count, t->first, t->other);
    for (int r = 0; r < model->rows_count; r++)
        if (is_triple(model, r)) t->row[t->triples++] = r;
    free(count);
}

void ts_turning_clear(ts_turning *t) {
    free(t->made), free(t->turn), free(t->turns), free(t->first), free(t->other), free(t->row);
    *t = (ts_turning){0};
}

static m3 directors_of(const ts_step *st, int n) {
    return m3_load(st->q_f + 3 * st->model->nodes[n].slot + 3);
}

void ts_turning_made(ts_turning *t, const ts_step *st) {
    t->any = false;
    for (int n = 0; t->made && n < st->model->nodes_count; n++)
        if (is_frame(st->model, n)) t->made[n] = directors_of(st, n);
}

static double distance(m3 A, m3 B) {
    m3 D = m3_sub(A, B);
    return 0.5 * m3_inner(D, D);
}

/* Nodes of a part are numbered consecutively, and are turned all together or not at all. */
static int end_of_part(const ts_model *model, int n) {
    int part = model->nodes[n].part;
    while (n < model->nodes_count && model->nodes[n].part == part) n++;
    return n;
}

static bool turns_as_one(const ts_turning *t, const ts_model *model, int first, int end) {
    double own = 0, relative = 0;
    for (int n = first; n < end; n++) {
        if (!is_frame(model, n)) continue;
        int ties = t->first[n + 1] - t->first[n];
        own += (ties ? ties : 1) * distance(t->turn[n], m3_identity());
        for (int k = t->first[n]; k < t->first[n + 1]; k++)
            relative += distance(t->turn[n], t->turn[t->other[k]]);
    }
    return own > 0 && relative <= TOGETHER * own;
}

/* Most steps of most models turn little. */
static bool has_turned(const ts_turning *t, const ts_step *st) {
    for (int n = 0; n < st->model->nodes_count; n++)
        if (is_frame(st->model, n) && distance(directors_of(st, n), t->made[n]) > LEAST)
            return true;
    return false;
}

void ts_turning_begin(ts_turning *t, const ts_step *st) {
    const ts_model *model = st->model;
    int nodes = model->nodes_count;
    t->any = false;
    if (!t->made || !has_turned(t, st)) return;
    for (int n = 0; n < nodes; n++)
        if (is_frame(model, n)) t->turn[n] = m3_mul(directors_of(st, n), m3_transpose(t->made[n]));
    for (int n = 0, end; n < nodes; n = end) {
        end = end_of_part(model, n);
        bool turns = turns_as_one(t, model, n, end);
        t->any |= turns;
        for (int k = n; k < end; k++) t->turns[k] = turns && is_frame(model, k);
    }
}

static v3 turned(m3 T, bool back, v3 x) { return back ? m3_tapply(T, x) : m3_apply(T, x); }

/* The node whose turn applies to the rows of a joint; -1: none. */
static int node_of_row(const ts_turning *t, const ts_model *model, int row) {
    const ts_site *site = &model->sites[model->rows[row].site];
    for (int k = 0; k < site->nodes; k++) {
        int n = model->site_nodes[site->node + k];
        if (t->turns[n]) return n;
    }
    return -1;
}

static void turn_rows(const ts_turning *t, const ts_step *st, bool back, int row, double *x) {
    const int *eq = st->system->row_eq + row;
    int n = node_of_row(t, st->model, row);
    if (n < 0 || eq[0] < 0 || eq[1] < 0 || eq[2] < 0) return;
    v3 y = turned(t->turn[n], back, v3_make(x[eq[0]], x[eq[1]], x[eq[2]]));
    x[eq[0]] = y.x, x[eq[1]] = y.y, x[eq[2]] = y.z;
}

void ts_turning_apply(const ts_turning *t, const ts_step *st, int stages, bool back, double *x) {
    const ts_system *system = st->system;
    if (!t->any) return;
    for (int s = 0; s < stages; s++) {
        double *rows = x + stages * system->dofs + s * system->rows;
        for (int n = 0; n < st->model->nodes_count; n++) {
            if (!t->turns[n]) continue;
            double *d = x + s * system->dofs + system->node_dof[n];
            v3_store(d, turned(t->turn[n], back, v3_load(d)));
            v3_store(d + 3, turned(t->turn[n], back, v3_load(d + 3)));
        }
        for (int k = 0; k < t->triples; k++) turn_rows(t, st, back, t->row[k], rows);
    }
}
