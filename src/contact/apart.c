/* How far the shapes of each contact are apart.
 *
 * The gap of a contact is the least of all its pairs, a continuous function of places: where
 * another pair becomes the nearest, both are as near. Of few shapes all pairs are looked at. Of
 * many, those within a reach of each other, and gaps end at this reach: what is farther away is
 * said to be that far.
 */
#include "contact/apart.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { FEW = 24 };
static const double REACH = 2; /* of the smallest shape's size */
static const double FAR = 1e9; /* of a contact without pairs */

struct ts_apart {
    ts_neighbours near;
    double reach, *gap, *none;
};

/* From its first corner to the farthest, with its radius. */
static double size_of(const ts_model *model, const ts_shape *shape) {
    const v3 *point = model->shape_points + shape->point;
    double most = 0;
    for (int i = 1; i < shape->points; i++) most = fmax(most, v3_norm(v3_sub(point[i], point[0])));
    return most + 2 * shape->radius;
}

static double reach_of(const ts_model *model, int leaves) {
    double least = INFINITY;
    if (leaves <= FEW) return INFINITY;
    for (int i = 0; i < model->shapes_count; i++)
        if (!model->shapes[i].plane) least = fmin(least, size_of(model, &model->shapes[i]));
    return REACH * least;
}

ts_apart *ts_apart_new(const ts_model *model) {
    ts_apart *a = ts_calloc(1, sizeof *a);
    ts_neighbours_new(&a->near, model);
    a->reach = reach_of(model, a->near.leaves);
    a->gap = ts_calloc((size_t)model->contacts_count + 1, sizeof *a->gap);
    a->none = ts_calloc((size_t)(3 * model->slots) + 1, sizeof *a->none);
    return a;
}

void ts_apart_free(ts_apart *a) {
    if (!a) return;
    ts_neighbours_clear(&a->near);
    free(a->gap), free(a->none), free(a);
}

/* Cores that meet have no distance: what is left are their radii. */
static double gap_of(const ts_apart *a, const ts_near *near, const double *q) {
    const ts_shape *shape = a->near.model->shapes;
    ts_contact_step x;
    v3 origin;
    if (ts_pair_over(a->near.model, near, q, a->none, &x, &origin)) return x.gap.start;
    return -shape[near->key.shape[0]].radius - shape[near->key.shape[1]].radius;
}

const double *ts_apart_gaps(ts_apart *a, const double *q) {
    const ts_model *model = a->near.model;
    for (int i = 0; i < model->contacts_count; i++) a->gap[i] = fmin(a->reach, FAR);
    ts_neighbours_within(&a->near, q, a->reach);
    for (int i = 0; i < a->near.count; i++) {
        double *least = &a->gap[a->near.near[i].key.contact];
        *least = fmin(*least, gap_of(a, &a->near.near[i], q));
    }
    return a->gap;
}
