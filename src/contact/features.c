/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps of two shapes.
 *
 * The distance of two cores determines where they touch only if this is a single place. A box on a
 * box touches at several. So two cores of which one has three corners or more have a gap for every
 *
 *   corner of A   and the core of B,
 *   corner of B   and the core of A,
 *   edge of A     and edge of B, shortened at their ends, where corners carry.
 *
 * A point has one nearest point of a convex core, which moves continuously as either moves: a body
 * that lies flat on its corners stays at rest. Edges that cross have one pair of nearest points;
 * those that are nearly parallel have a smaller weight, see gap.c. Every gap is a minimum, so that
 * the envelope formula holds for each. For round shapes, a circle counts as a corner, and the side
 * of a cylinder, with its core, as an edge along its axis: a cylinder on a face is carried by its
 * two circles, and the core of a disc is its only circle.
 *
 * Over a plane, cores have a gap for every corner, or for each of their circles. Over a patch they
 * have one for every corner; round shapes have one more for the whole shape. Other cores have gaps
 * with the edges of ridges, or of the segments of a line, and with the corners of rigid surfaces;
 * corners of skins and lines are points of their own, which have gaps already. The distance of a
 * face, or of an edge, from the whole patch would be reached at many places at once when they lie
 * on each other.
 *
 * Two capsules have the same gaps, but their edges are not shortened, and their corners count where
 * they are parallel, with the weight 1/2: of two capsules that lie beside each other two ends
 * touch, of two in a row both. So capsules that cross, that lie beside each other and that meet end
 * to end have the stiffness of the contact; twice as much if all ends are side by side.
 *
 * Two lines, chains of segments, are touched by the points along each other, and where they cross:
 * there they have a gap for every segment of A and segment of B, edges both.
 */
#include "contact/features.h"

#include <math.h>

#include "contact/nearest.h"

int ts_ring_centre(const ts_shape *s, int ring) { return s->points + 2 * s->edges + ring; }
int ts_ring_axis(const ts_shape *s) { return s->points + 2 * s->edges + s->rings; }
int ts_round_core(const ts_shape *s) { return ts_ring_axis(s) + 1; }

/* Round shapes have their circles as corners, and their side, if they have two circles, as an
 * edge. */
static int corners_of(const ts_shape *s) { return s->rings ? s->rings : s->points; }
static int edges_of(const ts_shape *s) {
    return s->rings ? s->rings - 1 : s->line ? s->faces : s->edges;
}
static int first_of(const ts_shape *s) { return s->rings ? ts_round_core(s) : 0; }
static int edge_of(const ts_shape *s, int k) {
    return s->rings ? first_of(s) : s->line ? k : s->points + 2 * k;
}

static bool is_rod(const ts_shape *s) { return s->points == 2 && s->edges == 1 && !s->flexible; }
bool ts_features_rods(const ts_shape *A, const ts_shape *B) { return is_rod(A) && is_rod(B); }

double ts_shape_around(const ts_shape *s) {
    static const double SAGITTA = 0.01; /* accuracy of the prism that represents a circle */
    double round = s->rings ? s->radius + SAGITTA * s->ring : s->radius;
    return s->ahead + (s->sharp ? sqrt(3) * round : round);
}

double ts_shape_reach(const ts_model *model, const ts_shape *shape) {
    double most = 0;
    for (int k = 0; k < shape->points; k++)
        most = fmax(most, v3_norm(model->shape_points[shape->point + k]));
    return most + ts_shape_around(shape) - (shape->sharp ? 0 : shape->radius);
}

bool ts_features_ridged(const ts_shape *A, const ts_shape *B) {
    return B->faces && !A->flexible && !A->rings && A->points > 1;
}
int ts_corner_gap(const ts_shape *A, int b) { return corners_of(A) + b; }

bool ts_features_lie(const ts_shape *A, const ts_shape *B) {
    if (B->faces) return false;
    bool flat = A->rings > 1 || B->rings > 1 || A->points + B->points > 4;
    return (flat && edges_of(A) && edges_of(B)) || ts_features_rods(A, B);
}

int ts_features_count(const ts_shape *A, const ts_shape *B) {
    if (ts_lines_cross(A)) return A->faces * B->faces;
    int corners = corners_of(A);
    bool both = ts_features_lie(A, B) || ts_features_ridged(A, B);
    return both ? corners + corners_of(B) + edges_of(A) * edges_of(B) : corners;
}

/* Shapes without area or length have no share of a stiffness that is spread. */
bool ts_features_touch(const ts_shape *A, const ts_shape *B, bool spread) {
    if (A->plane || A->faces || B->cloud) return false;
    if (!A->cloud) return !spread;
    return spread || !A->backed || B->faces || B->plane || B->points > 1;
}

int ts_segments_gap(const ts_shape *B, int a, int b) { return a * B->faces + b; }

/* Of edges, 1 - cos^32; of rods, 1 - cos^256, and half of the rest for their ends. */
static const ts_weighing EDGES = {1, -1, 5}, RODS = {1, -1, 8}, ENDS = {0, 0.5, 8};

static void count_by(ts_feature *f, int a, int b, const ts_weighing *by_angle) {
    f->crossing = true, f->edge[0] = a, f->edge[1] = b, f->by_angle = *by_angle;
}

/* A segment has the points k and k + 1. */
static ts_feature segments_of(const ts_shape *B, int number) {
    ts_feature f = {.first = {number / B->faces, number % B->faces}, .count = {2, 2}};
    count_by(&f, f.first[0], f.first[1], &EDGES);
    return f;
}

ts_feature ts_feature_of(const ts_shape *A, const ts_shape *B, int number) {
    if (ts_lines_cross(A)) return segments_of(B, number);
    ts_feature f = {.first = {first_of(A), first_of(B)}, .count = {corners_of(A), corners_of(B)}};
    bool rods = ts_features_rods(A, B);
    int beyond = number - corners_of(A), edge = beyond - corners_of(B);
    f.patch = B->faces && beyond < 0;
    if (number < 0) return f;
    if (beyond < 0) f.first[0] += number, f.count[0] = 1;
    if (beyond >= 0 && edge < 0) f.first[1] += beyond, f.count[1] = 1;
    if (rods) count_by(&f, 0, 0, edge < 0 ? &ENDS : &RODS);
    if (rods || edge < 0) return f;
    f.first[0] = edge_of(A, edge / edges_of(B));
    f.first[1] = edge_of(B, edge % edges_of(B));
    f.count[0] = f.count[1] = 2;
    count_by(&f, f.first[0], f.first[1], &EDGES);
    return f;
}

/* ---- edges that are near ---- */

int ts_feature_edges(const ts_shape *s) { return edges_of(s); }

int ts_edges_gap(const ts_shape *A, const ts_shape *B, int a, int b) {
    return corners_of(A) + corners_of(B) + a * edges_of(B) + b;
}

/* So many points of a core from `first`, with semi-axes if it is round, relative to the place of a
 * node, to keep precision far from the origin. */
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

/* ---- which side is outside ---- */

/* Around a closed surface the areas have no sum, and (1/3) of the sum of x . area is its volume. */
bool ts_faces_inwards(const ts_model *model, int part) {
    v3 sum = {0, 0, 0};
    double volume = 0, area = 0;
    for (int i = 0; i < model->shapes_count; i++) {
        const ts_shape *s = &model->shapes[i];
        if (s->part != part || s->flexible) continue;
        for (int f = s->face; f < s->face + s->faces; f++) {
            const int *corner = model->shape_faces[f].corner;
            const v3 *x = &model->shape_points[s->point];
            v3 a = x[corner[0]], b = v3_sub(x[corner[1]], a), c = v3_sub(x[corner[2]], a);
            v3 twice = v3_cross(b, c);
            sum = v3_add(sum, twice), area += v3_norm(twice), volume += v3_dot(a, twice);
        }
    }
    return volume < -1e-9 * area * sqrt(area) && v3_norm(sum) < 1e-9 * area;
}
