/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps of two shapes.
 *
 * The distance of two cores is one number, and says where they touch only if that is one place. A
 * box on a box touches at several. So two cores of which one has three corners or more have a gap
 * for every
 *
 *   corner of A   and the core of B,
 *   corner of B   and the core of A,
 *   edge of A     and edge of B, shortened at their ends, where corners carry.
 *
 * A point has one nearest point of a convex core, which moves steadily as either moves: what lies
 * flat on corners lies still. Edges that cross have one pair of nearest points; those that are
 * nearly parallel count less, see gap.c. Every gap is a minimum, so that the envelope formula holds
 * for each.
 *
 * Over a plane, cores have a gap for every corner, or for each of their circles. Over a patch they
 * have one for every corner.
 */
#include "contact/features.h"

#include <math.h>

int ts_ring_centre(const ts_shape *s, int ring) { return s->points + 2 * s->edges + ring; }
int ts_ring_axis(const ts_shape *s) { return s->points + 2 * s->edges + s->rings; }

double ts_shape_around(const ts_shape *s) {
    static const double SAGITTA = 0.01; /* of the prism that stands for a circle */
    return s->ahead + (s->rings ? s->radius + SAGITTA * s->ring : s->radius);
}

double ts_shape_reach(const ts_model *model, const ts_shape *shape) {
    double most = 0;
    for (int k = 0; k < shape->points; k++)
        most = fmax(most, v3_norm(model->shape_points[shape->point + k]));
    return most + ts_shape_around(shape) - shape->radius;
}

bool ts_features_lie(const ts_shape *A, const ts_shape *B) {
    return A->edges && B->edges && A->points + B->points > 4;
}

int ts_features_count(const ts_shape *A, const ts_shape *B) {
    if (B->plane && A->rings) return A->rings;
    return ts_features_lie(A, B) ? A->points + B->points + A->edges * B->edges : A->points;
}

ts_feature ts_feature_of(const ts_shape *A, const ts_shape *B, int number) {
    ts_feature f = {.count = {A->points, B->points}};
    int beyond = number - A->points, edge = beyond - B->points;
    if (number < 0) return f;
    if (beyond < 0) f.first[0] = number, f.count[0] = 1;
    if (beyond >= 0 && edge < 0) f.first[1] = beyond, f.count[1] = 1;
    if (beyond < 0 || edge < 0) return f;
    f.first[0] = A->points + 2 * (edge / B->edges);
    f.first[1] = B->points + 2 * (edge % B->edges);
    f.count[0] = f.count[1] = 2, f.crossing = true;
    return f;
}
