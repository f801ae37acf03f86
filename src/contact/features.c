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
 * for each. Of what is round, a circle counts as a corner and the side of a cylinder, with its
 * core, as an edge along its axis: a cylinder on a face is carried by its two circles, a disc has
 * its only circle for a core.
 *
 * Over a plane, cores have a gap for every corner, or for each of their circles. Over a patch they
 * have one for every corner.
 */
#include "contact/features.h"

#include <math.h>

#include "contact/nearest.h"

int ts_ring_centre(const ts_shape *s, int ring) { return s->points + 2 * s->edges + ring; }
int ts_ring_axis(const ts_shape *s) { return s->points + 2 * s->edges + s->rings; }
int ts_round_core(const ts_shape *s) { return ts_ring_axis(s) + 1; }

/* What is round has its circles for corners, and its side, if it has two, for an edge. */
static int corners_of(const ts_shape *s) { return s->rings ? s->rings : s->points; }
static int edges_of(const ts_shape *s) { return s->rings ? s->rings - 1 : s->edges; }
static int first_of(const ts_shape *s) { return s->rings ? ts_round_core(s) : 0; }
static int edge_of(const ts_shape *s, int k) { return s->rings ? first_of(s) : s->points + 2 * k; }

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
    bool flat = A->rings > 1 || B->rings > 1 || A->points + B->points > 4;
    return flat && edges_of(A) && edges_of(B);
}

int ts_features_count(const ts_shape *A, const ts_shape *B) {
    int corners = corners_of(A);
    return ts_features_lie(A, B) ? corners + corners_of(B) + edges_of(A) * edges_of(B) : corners;
}

ts_feature ts_feature_of(const ts_shape *A, const ts_shape *B, int number) {
    ts_feature f = {{first_of(A), first_of(B)}, {corners_of(A), corners_of(B)}, false};
    int beyond = number - corners_of(A), edge = beyond - corners_of(B);
    if (number < 0) return f;
    if (beyond < 0) f.first[0] += number, f.count[0] = 1;
    if (beyond >= 0 && edge < 0) f.first[1] += beyond, f.count[1] = 1;
    if (beyond < 0 || edge < 0) return f;
    f.first[0] = edge_of(A, edge / edges_of(B));
    f.first[1] = edge_of(B, edge % edges_of(B));
    f.count[0] = f.count[1] = 2, f.crossing = true;
    return f;
}

/* ---- edges that are near ---- */

int ts_feature_edges(const ts_shape *s) { return edges_of(s); }

int ts_edges_gap(const ts_shape *A, const ts_shape *B, int a, int b) {
    return corners_of(A) + corners_of(B) + a * edges_of(B) + b;
}

/* Points of a core from `first`, so many, with semi-axes if it is round; from the place of a node,
 * so that nothing is lost far from the origin. */
static ts_core core_at(const ts_model *model, const ts_shape *s, int first, int count,
                       const double *q, v3 origin, v3 *out) {
    int points = 0;
    for (int k = 0; k < count; k++) out[points++] = ts_point_place(model, s, first + k, q, origin);
    for (int k = 0; k < 3 && s->rings; k++)
        out[points++] = ts_point_place(model, s, ts_round_core(s) + s->rings + k, q, origin);
    return (ts_core){.points = points, .point = out, .rings = s->rings ? count : 0};
}

double ts_edge_apart(const ts_model *model, const ts_shape *of, int edge, const ts_shape *from,
                     const double *q) {
    v3 a[5], b[TS_MOST_CORNERS], origin = v3_load(q + 3 * model->nodes[of->node].slot);
    ts_core A = core_at(model, of, edge_of(of, edge), 2, q, origin, a);
    ts_core B = core_at(model, from, first_of(from), corners_of(from), q, origin, b);
    return v3_norm(ts_nearest_points(&A, &B).r);
}
