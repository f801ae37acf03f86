/* SPDX-License-Identifier: Apache-2.0 */
/* Distance of the shapes of each contact, and the force with which they touch.
 *
 * The gap of a contact is the least of all its pairs, a continuous function of places: where
 * another pair becomes the nearest, both gaps are equal. With few shapes all pairs are evaluated.
 * With many, only those within a reach of each other, and gaps are limited to this reach.
 */
#include "contact/search/apart.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "contact/heft.h"

enum { FEW = 24 };
static const double REACH = 2;       /* of the smallest shape's size */
static const double FAR = 1e9;       /* of a contact without pairs */
static const double FIRST = 1. / 64; /* of the reach: within it, what touches is found */

struct ts_apart {
    ts_neighbours near;
    double reach, *gap, *none, *from, *move;
};

/* How far its points are from the first one, with its radius. */
static double size_of(const ts_model *model, const ts_shape *shape) {
    double most = 0;
    for (int k = 1; k < shape->points; k++)
        most = fmax(most, v3_norm(v3_sub(model->shape_points[shape->point + k],
                                         model->shape_points[shape->point])));
    return most + 2 * shape->radius;
}

static double reach_of(const ts_neighbours *near) {
    const ts_model *model = near->model;
    double least = INFINITY;
    if (near->leaves <= FEW) return INFINITY;
    for (int i = 0; i < model->shapes_count; i++)
        if (!model->shapes[i].plane) least = fmin(least, size_of(model, &model->shapes[i]));
    return REACH * least;
}

ts_apart *ts_apart_new(const ts_model *model) {
    ts_apart *a = ts_calloc(1, sizeof *a);
    ts_neighbours_new(&a->near, model);
    a->reach = reach_of(&a->near);
    a->gap = ts_calloc((size_t)model->contacts_count + 1, sizeof *a->gap);
    a->none = ts_calloc(3 * (size_t)(3 * model->slots) + 1, sizeof *a->none);
    a->from = a->none + 3 * model->slots, a->move = a->from + 3 * model->slots;
    return a;
}

void ts_apart_free(ts_apart *a) {
    if (!a) return;
    ts_neighbours_clear(&a->near);
    free(a->gap), free(a->none), free(a);
}

/* Cores that meet have no distance: the gap is minus their radii. */
static double gap_of(const ts_apart *a, const ts_near *near, const double *q) {
    const ts_shape *shape = a->near.model->shapes;
    const int *of = near->key.shape;
    ts_contact_step x;
    v3 origin;
    if (ts_pair_over(a->near.model, near, q, a->none, &x, &origin)) return x.gap.start;
    return -shape[of[0]].radius - shape[of[1]].radius;
}

/* Finds all gaps below `reach`. False: a contact has none, and may have one further away. */
static bool find_within(ts_apart *a, const double *q, double reach) {
    const ts_model *model = a->near.model;
    bool all = true;
    for (int i = 0; i < model->contacts_count; i++) a->gap[i] = fmin(a->reach, FAR);
    ts_neighbours_within(&a->near, q, reach);
    for (int i = 0; i < a->near.count; i++) {
        double *least = &a->gap[a->near.near[i].key.contact];
        *least = fmin(*least, gap_of(a, &a->near.near[i], q));
    }
    for (int i = 0; i < model->contacts_count; i++) all &= a->gap[i] <= reach;
    return all;
}

/* Among shapes that touch, few pairs are as near as the nearest one, so a short reach finds it. */
const double *ts_apart_gaps(ts_apart *a, const double *q) {
    static const double FURTHER = 8;
    double reach = a->reach < INFINITY ? FIRST * a->reach : a->reach;
    while (!find_within(a, q, reach) && reach < a->reach) reach *= FURTHER;
    return a->gap;
}

/* ---- forces ---- */

/* The force at an instant is computed over a step of this share of the run's steps, centred on
 * it. */
static const double SHORT = 1e-3;

static const ts_touched *touched_of(const ts_touching *list, const ts_pair_key *key) {
    for (int i = 0; i < list->count; i++)
        if (ts_key_order(&list->pair[i].key, key) == 0) return &list->pair[i];
    return NULL;
}

static void add_pair(const ts_apart *a, const ts_near *near, const double *q, const double *v,
                     const ts_touched *touched, double h, double sums[2]) {
    const ts_model *model = a->near.model;
    ts_contact_step x = {0};
    v3 origin;
    if (!ts_pair_over(model, near, a->from, a->move, &x, &origin)) return;
    if (x.gap.start >= 0 && x.gap.end >= 0) return;
    ts_contact_law law = ts_pair_law(model, near);
    if (touched) x.before = touched->memory;
    if (!(x.before.approach > 0)) x.before.approach = ts_pair_approach(model, near, &x, v);
    x.law = &law, x.h = SHORT * h;
    x.rests = ts_pair_speed_at_rest(model, near, q, a->none, fmin(x.gap.start, x.gap.end), h);
    ts_contact_over(&x);
    sums[0] -= x.normal;
    if (law.grip > 0)
        sums[1] += law.viscous * v3_norm(ts_pair_slip(model, near, &x, v)) -
                   law.rubbing.adhering * x.normal;
}

void ts_apart_forces(ts_apart *a, int contact, const double *q, const double *v,
                     const ts_touching *touching, double h, double sums[2]) {
    for (int i = 0; i < 3 * a->near.model->slots; i++)
        a->move[i] = SHORT * h * v[i], a->from[i] = q[i] - 0.5 * a->move[i];
    sums[0] = sums[1] = 0;
    ts_neighbours_within(&a->near, q, a->reach < INFINITY ? FIRST * a->reach : a->reach);
    for (int i = 0; i < a->near.count; i++) {
        const ts_near *near = &a->near.near[i];
        if (near->key.contact == contact)
            add_pair(a, near, q, v, touched_of(touching, &near->key), h, sums);
    }
}
