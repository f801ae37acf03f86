/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that touch: lists of them, their rows in files, and the list at the start of a run. */
#include "contact/touching.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contact/features.h"

/* ---- lists ---- */

void ts_touching_copy(ts_touching *to, const ts_touching *from) {
    to->count = from->count;
    if (from->count == 0) return;
    ts_grow(to->pair, to->room, from->count);
    memcpy(to->pair, from->pair, (size_t)from->count * sizeof *to->pair);
}

void ts_touching_clear(ts_touching *list) {
    free(list->pair);
    *list = (ts_touching){0};
}

double ts_touching_stored(const ts_touching *list) {
    double sum = 0;
    for (int i = 0; i < list->count; i++) sum += list->pair[i].stored;
    return sum;
}

enum { NO_PAIR = -1 };

static double *put(double *at, v3 a) {
    v3_store(at, a);
    return at + 3;
}

void ts_touching_pack(const ts_touching *list, double *row) {
    for (int i = 0; i < list->count; i++, row += TS_PAIR_WIDTH) {
        const ts_touched *p = &list->pair[i];
        double *at = row;
        *at++ = p->key.contact, *at++ = p->key.shape[0], *at++ = p->key.shape[1];
        *at++ = p->key.corner;
        at = put(at, p->memory.z);
        *at++ = p->memory.stuck, *at++ = p->memory.approach;
        *at++ = p->gap, *at++ = p->stored, *at++ = p->pressed;
        at = put(put(put(at, p->along), p->rubbed), p->at);
        *at++ = p->memory.age;
        put(at, p->memory.turn);
    }
}

ts_touched ts_touched_of(const double *at) {
    return (ts_touched){.key = {(int)at[0], {(int)at[1], (int)at[2]}, (int)at[3]},
                        .memory = {.z = v3_load(at + 4),
                                   .stuck = at[7] != 0,
                                   .approach = at[8],
                                   .age = at[21],
                                   .turn = v3_load(at + 22)},
                        .gap = at[9],
                        .stored = at[10],
                        .pressed = at[11],
                        .along = v3_load(at + 12),
                        .rubbed = v3_load(at + 15),
                        .at = v3_load(at + 18)};
}

/* A whole number from 0, or from -1 for corners, below a limit. */
static bool is_index(double x, int least, int limit) {
    return x >= least && x < limit && x == (double)(int)x;
}

static bool take(const ts_model *model, const double *at, ts_touched *p) {
    if (!is_index(at[0], 0, model->contacts_count)) return false;
    for (int k = 1; k < 3; k++)
        if (!is_index(at[k], 0, model->shapes_count)) return false;
    const ts_shape *A = &model->shapes[(int)at[1]], *B = &model->shapes[(int)at[2]];
    if (!is_index(at[3], -1, ts_features_count(A, B))) return false;
    for (int k = 4; k < TS_PAIR_WIDTH; k++)
        if (!isfinite(at[k])) return false;
    *p = ts_touched_of(at);
    return true;
}

bool ts_touching_unpack(const ts_model *model, const double *row, int64_t numbers,
                        ts_touching *out) {
    out->count = 0;
    for (int64_t left = numbers; left >= TS_PAIR_WIDTH; left -= TS_PAIR_WIDTH) {
        if (row[0] == NO_PAIR) return true;
        ts_grow(out->pair, out->room, out->count + 1);
        if (!take(model, row, &out->pair[out->count++])) return false;
        row += TS_PAIR_WIDTH;
    }
    return true;
}

/* ---- the start of a run ---- */

/* Speeds below this share of the largest are round-off: the pair neither slips nor approaches. */
static const double AT_REST = 1e-12;

double ts_pair_approach(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                        const double *v) {
    double rate = -ts_pair_rate(model, near, x, v), speed = 0;
    for (int n = 0; n < near->nodes; n++) {
        const ts_node *node = &model->nodes[near->node[n]];
        for (int i = 3 * node->slot; i < 3 * (node->slot + node->slots); i++)
            speed = fmax(speed, fabs(v[i]));
    }
    return rate > AT_REST * speed ? rate : 0;
}

static void begin_touching(const ts_model *model, const ts_near *near, const double *q,
                           const double *v, const double *none, ts_touching *out) {
    ts_contact_step x = {0};
    v3 origin;
    if (!ts_pair_over(model, near, q, none, &x, &origin) || x.gap.start >= 0) return;
    ts_contact_law law = ts_pair_law(model, near);
    v3 slip = ts_pair_slip(model, near, &x, v);
    double speed = v3_norm(v3_load(v + 3 * model->nodes[near->node[0]].slot));
    ts_touched pair = {.key = near->key,
                       .gap = x.gap.start,
                       .along = x.gap.normal,
                       .at = v3_add(origin, x.gap.at)};
    pair.memory.stuck = v3_norm(slip) <= AT_REST * (1 + speed);
    pair.memory.approach = ts_pair_approach(model, near, &x, v);
    pair.stored = ts_contact_energy(&law, pair.gap, &pair.memory);
    if (x.gap.crossing.present) pair.stored *= x.gap.crossing.weight[0];
    ts_grow(out->pair, out->room, out->count + 1);
    out->pair[out->count++] = pair;
}

void ts_touching_begin(const ts_model *model, const double *q, const double *v, ts_touching *out) {
    ts_neighbours near;
    out->count = 0;
    if (!model->contacts_count) return;
    double *none = ts_calloc((size_t)(3 * model->slots) + 1, sizeof *none);
    ts_neighbours_new(&near, model);
    ts_neighbours_pairs(&near, q, none);
    for (int i = 0; i < near.count; i++) begin_touching(model, &near.near[i], q, v, none, out);
    ts_neighbours_clear(&near);
    free(none);
}

void ts_touching_follow(const ts_model *model, const double *q, const double *v,
                        ts_touching *list) {
    ts_touching now = {0};
    if (!model->contacts_count) return;
    ts_touching_begin(model, q, v, &now);
    for (int i = 0, k = 0; i < now.count; i++) {
        while (k < list->count && ts_key_order(&list->pair[k].key, &now.pair[i].key) < 0) k++;
        if (k < list->count && ts_key_order(&list->pair[k].key, &now.pair[i].key) == 0)
            now.pair[i] = list->pair[k];
    }
    ts_touching_clear(list);
    *list = now;
}
