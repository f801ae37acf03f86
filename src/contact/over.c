/* SPDX-License-Identifier: Apache-2.0 */
/* A pair over a step: its gap, the motion of its points by the unknowns of nodes, and its forces.
 *
 * Friction acts on material points of both sides. A body is touched at an arm of its directors. A
 * flexible side is touched where the weights of the gap put it, sum w p of its points, in the mean:
 * w f on each of them does the work f . sum w dp, and has the moment of f there. Against a rigid
 * body this is complete. Two flexible sides are touched at different places; couple.c describes how
 * the second side takes the couple.
 */
#include "contact/features.h"
#include "contact/roll.h"
#include "contact/touching.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- gaps ---- */

enum { MOST_CORNERS = TS_MOST_CORNERS };

/* Points of both shapes of a pair, after a share of the step. */
typedef struct scene {
    const ts_model *model;
    const ts_near *near;
    const double *q, *dq;
    v3 origin;
    double share[2]; /* of both ends; 0 and 1 over a whole step */
    bool still;      /* statics: both ends are the same */
    ts_feature feature;
} scene;

static const ts_shape *shape_of(const ts_model *model, const ts_near *near, int side) {
    return &model->shapes[near->key.shape[side]];
}

/* Differences of places are computed first, to keep precision far from the origin. */
static void take_place(const scene *s, const ts_shape *shape, int point, v3 out[2]) {
    v3 at = ts_point_place(s->model, shape, point, s->q, s->origin);
    v3 move = ts_point_move(s->model, shape, point, s->dq);
    for (int end = 0; end < 2; end++) out[end] = v3_axpy(s->share[end], move, at);
}

/* Points of a core at both ends, and their numbers in the shape. */
typedef struct both_ends {
    int points, number[MOST_CORNERS];
    v3 place[2][MOST_CORNERS];
    /* of a patch: the triangles that are nearest at both ends, or form a valley */
    int triangles, triangle[TS_MOST_FOLDS][3];
    int rings;
    double barrel;
    int face; /* of a patch: the triangle that is nearest at the start */
} both_ends;

static void add_point_of(const scene *s, const ts_shape *shape, int point, both_ends *out) {
    v3 at[2];
    take_place(s, shape, point, at);
    out->place[0][out->points] = at[0], out->place[1][out->points] = at[1];
    out->number[out->points++] = point;
}

/* Cylinder over a patch, in addition to its circles: thinner by this share at its ends. */
static const double BARREL = 3e-3;

/* Points of a body from the axes of its node, which are read only once. */
static void take_rigid(const scene *s, const ts_shape *shape, int first, int count,
                       both_ends *out) {
    const ts_node *node = &s->model->nodes[shape->node];
    const double *q = s->q + 3 * node->slot, *dq = s->dq + 3 * node->slot;
    bool turns = node->kind == TS_NODE_FRAME;
    m3 D = turns ? m3_load(q + 3) : (m3){0}, dD = turns ? m3_load(dq + 3) : (m3){0};
    v3 x = v3_sub(v3_load(q), s->origin), dx = v3_load(dq);
    for (int k = 0; k < count; k++) {
        v3 X = s->model->shape_points[shape->point + first + k];
        v3 at = v3_add(x, m3_apply(D, X)), move = v3_add(dx, m3_apply(dD, X));
        for (int end = 0; end < 2; end++)
            out->place[end][out->points] = v3_axpy(s->share[end], move, at);
        out->number[out->points++] = first + k;
    }
}

static void take_hull(const scene *s, int side, both_ends *out) {
    const ts_shape *shape = shape_of(s->model, s->near, side);
    out->points = out->triangles = 0, out->rings = shape->rings ? s->feature.count[side] : 0;
    out->barrel = out->rings == 2 && shape_of(s->model, s->near, 1 - side)->faces ? BARREL : 0;
    if (shape->flexible)
        for (int k = 0; k < s->feature.count[side]; k++)
            add_point_of(s, shape, s->feature.first[side] + k, out);
    else
        take_rigid(s, shape, s->feature.first[side], s->feature.count[side], out);
    for (int k = 0; k < 3 && out->rings; k++)
        add_point_of(s, shape, ts_round_core(shape) + shape->rings + k, out);
}

/* Core at either end; for a patch the face that is nearest there, which the next step finds
 * again. */
static ts_core core_of(const both_ends *x, int end) {
    const int(*triangle)[3] = x->triangles > 1 ? &x->triangle[end] : x->triangle;
    return (ts_core){x->points, x->place[end], x->triangles ? 1 : 0, triangle, x->rings, x->barrel};
}

static void add_face(const scene *s, const ts_shape *shape, int face, both_ends *out) {
    const ts_face *f = &s->model->shape_faces[shape->face + face];
    int *corner = out->triangle[out->triangles++];
    for (int k = 0; k < 3; k++) {
        corner[k] = 0;
        while (corner[k] < out->points && out->number[corner[k]] != f->corner[k]) corner[k]++;
        if (corner[k] == out->points) add_point_of(s, shape, f->corner[k], out);
    }
}

/* Takes the faces of a patch that are nearest at the start and at the end of the step. */
static void take_patch(const scene *s, const both_ends *A, both_ends *out) {
    const ts_shape *shape = shape_of(s->model, s->near, 1);
    const int *face = s->near->face;
    double least[2] = {INFINITY, INFINITY};
    int best[2] = {0, 0};
    out->rings = 0, out->barrel = 0;
    for (int i = 0; i < s->near->faces && s->near->faces > 1; i++) {
        out->points = out->triangles = 0;
        add_face(s, shape, face[i], out);
        for (int end = 0; end < 2; end++) {
            ts_core a = core_of(A, end), b = core_of(out, end);
            v3 r = ts_nearest_points(&a, &b).r;
            if (ts_is_nearer(v3_dot(r, r), least[end])) least[end] = v3_dot(r, r), best[end] = i;
        }
    }
    out->points = out->triangles = 0;
    out->face = face[best[0]];
    add_face(s, shape, face[best[0]], out);
    if (best[1] != best[0]) add_face(s, shape, face[best[1]], out);
}

static int common_corners(const ts_face *a, const ts_face *b) {
    int common = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) common += a->corner[i] == b->corner[k];
    return common;
}

static void begin_patch(both_ends *out) {
    out->points = out->triangles = out->rings = 0, out->barrel = 0;
}

/* Square of the distance of a point from a face; is the point above the interior of the face? */
static double from_face(const scene *s, const both_ends *A, int face, both_ends *room, bool *over) {
    begin_patch(room);
    add_face(s, shape_of(s->model, s->near, 1), face, room);
    ts_core a = core_of(A, 0), b = core_of(room, 0);
    ts_nearest x = ts_nearest_points(&a, &b);
    *over = x.side[1].count == 3;
    return v3_dot(x.r, x.r);
}

/* The face of a patch that is nearest to a point; -1: the point is not above an interior. */
static int nearest_face(const scene *s, const both_ends *A, both_ends *room) {
    double least = INFINITY;
    int best = -1;
    for (int i = 0; i < s->near->faces; i++) {
        bool over;
        double square = from_face(s, A, s->near->face[i], room, &over);
        if (square < least) least = square, best = over ? s->near->face[i] : -1;
    }
    return best;
}

/* In statics a point over two faces with a common edge lies in the valley between them; over more
 * of them around a corner, in a pit. False: there is none. */
static bool take_valley(const scene *s, const both_ends *A, both_ends *out) {
    const ts_shape *shape = shape_of(s->model, s->near, 1);
    const ts_face *faces = s->model->shape_faces + shape->face;
    int found[TS_MOST_FOLDS], count = 1;
    if (!s->still || s->near->faces < 2 || A->points != 1 || A->rings) return false;
    found[0] = nearest_face(s, A, out);
    for (int i = 0; i < s->near->faces && found[0] >= 0 && count < TS_MOST_FOLDS; i++) {
        int face = s->near->face[i];
        bool over;
        if (face == found[0] || common_corners(&faces[face], &faces[found[0]]) == 0) continue;
        from_face(s, A, face, out, &over);
        if (over) found[count++] = face;
    }
    if (count == 1 || (count == 2 && common_corners(&faces[found[0]], &faces[found[1]]) < 2))
        return false;
    begin_patch(out);
    for (int i = 0; i < count; i++) add_face(s, shape, found[i], out);
    out->face = found[0];
    return out->points < TS_TOUCH_POINTS;
}

static v3 along(const v3 end[2]) { return v3_normalize(v3_sub(end[1], end[0])); }

/* Directions of two edges. Those of bodies have the length 1. */
static void cross_over(const scene *s, ts_gap *gap) {
    v3 to[2][2];
    for (int side = 0; side < 2; side++) {
        const ts_shape *shape = shape_of(s->model, s->near, side);
        int first = s->feature.edge[side];
        v3 from[2], next[2];
        take_place(s, shape, first, from), take_place(s, shape, first + 1, next);
        for (int end = 0; end < 2; end++) {
            v3 edge = v3_sub(next[end], from[end]);
            to[side][end] = shape->flexible ? edge : v3_normalize(edge);
        }
        gap->crossing.first[side] = first;
        gap->crossing.along[side] = shape->flexible
                                        ? v3_make(0, 0, 0)
                                        : along(&s->model->shape_points[shape->point + first]);
    }
    ts_crossing_over(to[0], to[1], s->feature.by_angle, &gap->crossing);
}

static bool valley_over(const scene *s, const both_ends *A, const both_ends *B, ts_gap *gap) {
    const ts_core patch = {B->points, B->place[0], B->triangles, B->triangle, 0, 0};
    double radius[2];
    for (int side = 0; side < 2; side++) radius[side] = shape_of(s->model, s->near, side)->radius;
    if (!ts_gap_of_valley(A->place[0][0], &patch, radius, gap)) return false;
    gap->face = B->face;
    for (int k = 0; k < gap->points; k++) gap->point[k] = (k ? B : A)->number[gap->point[k]];
    return true;
}

static bool cores_over(const scene *s, ts_gap *gap) {
    both_ends x[2];
    ts_core start[2], end[2];
    double radius[2];
    take_hull(s, 0, &x[0]);
    bool patch = s->feature.patch, valley = patch && take_valley(s, &x[0], &x[1]);
    if (valley) return valley_over(s, &x[0], &x[1], gap);
    if (patch)
        take_patch(s, &x[0], &x[1]);
    else
        take_hull(s, 1, &x[1]);
    for (int side = 0; side < 2; side++) {
        start[side] = core_of(&x[side], 0), end[side] = core_of(&x[side], 1);
        radius[side] = shape_of(s->model, s->near, side)->radius;
    }
    if (!ts_gap_of_cores(start, end, radius, gap)) return false;
    gap->face = patch ? x[1].face : s->feature.crossing ? s->feature.first[1] : -1;
    for (int k = 0; k < gap->points; k++) gap->point[k] = x[gap->of_b[k]].number[gap->point[k]];
    if (s->feature.crossing) cross_over(s, gap);
    return true;
}

static void plane_over(const scene *s, ts_gap *gap) {
    const ts_shape *A = shape_of(s->model, s->near, 0), *B = shape_of(s->model, s->near, 1);
    int number = s->near->key.corner, point = A->rings ? ts_ring_centre(A, number) : number;
    double rounding = A->radius, ring = A->ring;
    if (A->sharp && !(B->hollow > 0))
        point = A->sharp + number, rounding = 0, ring += A->rings ? A->radius : 0;
    v3 corner[2], place[2], normal[2], axis[2];
    take_place(s, A, point, corner);
    take_place(s, B, 0, place), take_place(s, B, 1, normal);
    ts_over_plane end[2] = {{corner[0], place[0], normal[0]}, {corner[1], place[1], normal[1]}};
    if (B->hollow > 0) {
        double around = A->rings ? A->ring + A->radius : A->radius;
        ts_gap_of_hollow(end, B->tube, point, (double[2]){B->hollow, around}, gap);
        return;
    }
    if (!A->rings) {
        ts_gap_of_plane(&end[0], &end[1], point, rounding, gap);
        return;
    }
    take_place(s, A, ts_ring_axis(A), axis);
    ts_gap_of_ring(axis, end, (int[2]){point, ts_ring_axis(A)}, (double[2]){ring, rounding}, gap);
}

/* A barrier begins at its distance: gaps are counted from there. */
static bool gap_over(scene *s, ts_gap *gap) {
    const ts_pair_key *key = &s->near->key;
    double distance = ts_contact_distance(s->model, key->contact);
    s->feature = ts_feature_of(&s->model->shapes[key->shape[0]], &s->model->shapes[key->shape[1]],
                               key->corner);
    if (shape_of(s->model, s->near, 1)->plane)
        plane_over(s, gap);
    else if (!cores_over(s, gap))
        return false;
    gap->start -= distance, gap->end -= distance;
    return true;
}

/* ---- sides ---- */

/* The place of a body and its directors; of a flexible side, the sum of its points. */
static void take_side(const scene *s, int side, ts_contact_step *x) {
    const ts_shape *shape = shape_of(s->model, s->near, side);
    const ts_node *node = &s->model->nodes[shape->node];
    ts_carrier *out = &x->side[side];
    int slot = 3 * node->slot;
    *out = (ts_carrier){.woven = shape->flexible};
    out->D[0] = out->D[1] = m3_identity();
    if (shape->flexible) {
        for (int k = 0; k < x->gap.points; k++) {
            v3 at[2];
            if (x->gap.of_b[k] != (side == 1)) continue;
            take_place(s, shape, x->gap.point[k], at);
            for (int end = 0; end < 2; end++)
                out->x[end] = v3_axpy(x->gap.weight[k], at[end], out->x[end]);
        }
        return;
    }
    out->turns = node->kind == TS_NODE_FRAME;
    v3 at = v3_sub(v3_load(s->q + slot), s->origin);
    for (int end = 0; end < 2; end++)
        out->x[end] = v3_axpy(s->share[end], v3_load(s->dq + slot), at);
    for (int end = 0; end < 2 && out->turns; end++)
        out->D[end] = m3_axpy(s->share[end], m3_load(s->dq + slot + 3), m3_load(s->q + slot + 3));
}

/* ---- levers for the couple of friction on a flexible side ---- */

static bool is_segment(const ts_face *face) { return face->corner[1] == face->corner[2]; }

static bool rubs(const ts_model *model, const ts_near *near) {
    return model->numbers[model->contacts[near->key.contact].data + TS_CONTACT_GRIP] > 0;
}

/* Does a flexible line have directors? All of its nodes are of one kind. */
static bool has_frames(const ts_model *model, const ts_shape *shape) {
    return model->nodes[shape->node].kind == TS_NODE_FRAME;
}

bool ts_pair_turns(const ts_model *model, const ts_near *near) {
    const ts_shape *A = shape_of(model, near, 0), *B = shape_of(model, near, 1);
    return A->flexible && B->flexible && B->faces && rubs(model, near) &&
           is_segment(&model->shape_faces[B->face]) && has_frames(model, B);
}

static void take_directors(const scene *s, int node, ts_lever *l) {
    int slot = 3 * s->model->nodes[node].slot + 3;
    m3 D = m3_load(s->q + slot), dD = m3_load(s->dq + slot);
    l->mean = m3_axpy(0.5 * (s->share[0] + s->share[1]), dD, D);
    l->change = m3_scale(s->share[1] - s->share[0], dD);
}

/* The nodes of the points of the gap, each once. */
static void take_nodes(const scene *s, ts_contact_step *x) {
    const ts_shape *B = shape_of(s->model, s->near, 1);
    for (int k = 0; k < x->gap.points; k++) {
        ts_term term[TS_WOVEN_NODES];
        if (!x->gap.of_b[k]) continue;
        int terms = ts_point_terms(s->model, B, x->gap.point[k], term);
        for (int i = 0, g; i < terms; i++) {
            for (g = 0; g < x->levers && x->lever[g].node != term[i].node; g++) continue;
            if (g == TS_MOST_LEVERS) continue; /* two elements have no more nodes */
            if (g == x->levers) {
                x->lever[x->levers++] = (ts_lever){.node = term[i].node};
                take_directors(s, term[i].node, &x->lever[g]);
            }
            x->lever[g].of[k] = term[i].weight;
            x->lever[g].weight += x->gap.weight[k] * term[i].weight;
        }
    }
}

static void take_corners(const scene *s, const ts_face *face, ts_contact_step *x) {
    const ts_shape *B = shape_of(s->model, s->near, 1);
    ts_lever *l = &x->lever[0];
    int corners = is_segment(face) ? 2 : 3;
    v3 middle[2] = {{0, 0, 0}, {0, 0, 0}}, at[3][2], none = {0, 0, 0};
    *l = (ts_lever){.node = -1, .corners = corners, .line = corners == 2, .weight = 1};
    x->levers = 1;
    for (int k = 0; k < corners; k++) {
        l->corner[k] = face->corner[k];
        take_place(s, B, face->corner[k], at[k]);
        for (int end = 0; end < 2; end++)
            middle[end] = v3_axpy(1.0 / corners, at[k][end], middle[end]);
    }
    for (int k = 0; k < 3; k++) {
        v3 from = k < corners ? v3_sub(at[k][0], middle[0]) : none;
        v3 to = k < corners ? v3_sub(at[k][1], middle[1]) : none;
        l->mean.c[k] = v3_scale(0.5, v3_add(from, to)), l->change.c[k] = v3_sub(to, from);
    }
    if (corners == 3) l->line = ts_spread_flat(l->mean);
}

static void take_levers(const scene *s, ts_contact_step *x) {
    const ts_shape *B = shape_of(s->model, s->near, 1);
    x->levers = 0, x->leans = false;
    if (x->side[0].turns || !x->side[1].woven || !B->faces || !rubs(s->model, s->near)) return;
    const ts_face *face = &s->model->shape_faces[B->face + x->gap.face];
    if (ts_pair_turns(s->model, s->near))
        take_nodes(s, x);
    else
        take_corners(s, face, x);
}

/* The change of the gap from the motion of its points. The difference of its values at both ends is
 * equal, but has round-off relative to the size of shapes; times a large stiffness that would be a
 * force, against whose friction slip does much work. */
static double change_of(const scene *s, const ts_gap *gap) {
    double sum = 0;
    for (int k = 0; k < gap->points; k++) {
        const ts_shape *shape = shape_of(s->model, s->near, gap->of_b[k]);
        v3 move = ts_point_move(s->model, shape, gap->point[k], s->dq);
        sum += v3_dot(gap->gradient[k], move);
    }
    return sum;
}

bool ts_pair_over(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                  ts_contact_step *x, v3 *origin) {
    *origin = v3_load(q + 3 * model->nodes[near->node[0]].slot);
    scene s = {.model = model, .near = near, .q = q, .dq = dq, .origin = *origin, .share = {0, 1}};
    if (!gap_over(&s, &x->gap)) return false;
    x->gap.end = x->gap.start + change_of(&s, &x->gap);
    double shift = ts_shift_of(model, &near->key);
    x->gap.start += shift, x->gap.end += shift;
    for (int side = 0; side < 2; side++) take_side(&s, side, x);
    take_levers(&s, x);
    return true;
}

static int by_key(const void *key, const void *shift) {
    const ts_shift *s = shift;
    ts_pair_key of = {s->contact, {s->shape[0], s->shape[1]}, s->corner};
    return ts_key_order(key, &of);
}

double ts_shift_of(const ts_model *model, const ts_pair_key *key) {
    if (!model->shifts_count) return 0;
    const ts_shift *s = bsearch(key, model->shifts, (size_t)model->shifts_count, sizeof *s, by_key);
    return s ? s->by : 0;
}

/* Where points of both sides touch faces of the other, each pass has half of the stiffness. */
bool ts_pair_at_end(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    const double *none, ts_contact_step *x, v3 *origin) {
    *origin = v3_load(q + 3 * model->nodes[near->node[0]].slot);
    scene s = {
        .model = model, .near = near, .q = q, .dq = none, .origin = *origin, .share = {0, 1}};
    x->still = s.still = true;
    if (!gap_over(&s, &x->gap)) return false;
    double shift = ts_shift_of(model, &near->key);
    x->gap.start += shift, x->gap.end += shift;
    s.dq = dq, s.share[0] = -0.5, s.share[1] = 0.5;
    for (int side = 0; side < 2; side++) take_side(&s, side, x);
    take_levers(&s, x);
    return true;
}

ts_contact_law ts_pair_law(const ts_model *model, const ts_near *near) {
    const ts_shape *A = shape_of(model, near, 0), *B = shape_of(model, near, 1);
    ts_contact_law law = ts_contact_law_of(model, near->key.contact, near->key.shape);
    bool cross = ts_lines_cross(A);
    int point = cross ? ts_feature_of(A, B, near->key.corner).first[0] : near->key.corner;
    double share = A->backed && B->backed && !cross ? 0.5 : 1;
    if (model->numbers[model->contacts[near->key.contact].data + TS_CONTACT_SPREAD] > 0)
        share *= model->shape_shares[A->point + point];
    law.stiffness *= share, law.grip *= share, law.viscous *= share;
    return law;
}

/* ---- within the step ---- */

/* Gap of a pair after a share of the step. */
static double gap_on_the_way(scene *s, double share) {
    ts_gap gap;
    s->share[0] = s->share[1] = share;
    return gap_over(s, &gap) ? gap.end : -1;
}

/* Least advance of the search, as a share of the step: a shorter touch is ignored. */
static const double GRAZING = 1e-3;

/* Conservative advancement: where the gap is g, nothing can touch before one side has moved by
 * g. */
bool ts_pair_missed(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    double moved) {
    ts_gap gap;
    scene s = {.model = model, .near = near, .q = q, .dq = dq, .share = {0, 1}};
    s.origin = v3_load(q + 3 * model->nodes[near->node[0]].slot);
    if (!gap_over(&s, &gap)) return false;
    if (gap.start <= 0 || gap.end <= 0 || gap.start + gap.end > moved) return false;
    double share = gap.start / moved, last = 1 - gap.end / moved;
    while (share < last) {
        double here = gap_on_the_way(&s, share);
        if (here < 0) return true;
        share += fmax(here / moved, GRAZING);
    }
    return false;
}

bool ts_pair_crossed(const ts_model *model, const ts_near *near, const double *q,
                     const double *dq) {
    ts_gap gap;
    scene s = {.model = model, .near = near, .q = q, .dq = dq, .share = {0, 1}};
    s.origin = v3_load(q + 3 * model->nodes[near->node[0]].slot);
    if (!near->faces || !gap_over(&s, &gap) || (gap.start >= 0 && gap.end >= 0)) return false;
    v3 start = {0, 0, 0};
    for (int k = 0; k < gap.touch.points; k++)
        start = v3_axpy(gap.touch.old[k], gap.touch.start[k], start);
    return v3_dot(start, gap.touch.r_end) < 0;
}

/* ---- unknowns and forces ---- */

/* Weight of a node in a point of a shape; false: none. */
static bool share_of(const ts_model *model, const ts_shape *shape, int point, int node,
                     ts_term *out) {
    ts_term term[TS_WOVEN_NODES];
    int terms = ts_point_terms(model, shape, point, term);
    for (int i = 0; i < terms; i++)
        if (term[i].node == node) {
            *out = term[i];
            return true;
        }
    return false;
}

/* Weight of a node in a point of the gap. */
static bool part_of(const ts_model *model, const ts_near *near, const ts_gap *gap, int k, int node,
                    ts_term *out) {
    return share_of(model, shape_of(model, near, gap->of_b[k]), gap->point[k], node, out);
}

/* Weight of a node in the corners of a lever. */
static bool part_of_lever(const ts_model *model, const ts_near *near, const ts_lever *l, int node,
                          double part[3]) {
    const ts_shape *B = shape_of(model, near, 1);
    bool found = false;
    part[0] = part[1] = part[2] = 0;
    for (int k = 0; k < l->corners; k++) {
        ts_term term;
        if (!share_of(model, B, l->corner[k], node, &term)) continue;
        part[k] = term.weight, found = true;
    }
    return found;
}

/* Derivative of the direction of a flexible edge by a node: the difference of its weights. */
static double edge_part(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                        int side, int node) {
    double sum = 0;
    for (int end = 0; end < 2 && x->side[side].woven; end++) {
        ts_term term;
        if (share_of(model, shape_of(model, near, side), x->gap.crossing.first[side] + end, node,
                     &term))
            sum += end ? term.weight : -term.weight;
    }
    return sum;
}

bool ts_pair_has(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node) {
    ts_term part;
    double parts[3];
    for (int k = 0; k < x->gap.points; k++)
        if (part_of(model, near, &x->gap, k, node, &part)) return true;
    for (int side = 0; side < 2 && x->gap.crossing.present; side++)
        if (edge_part(model, near, x, side, node) != 0) return true;
    return x->levers == 1 && x->lever[0].node < 0 &&
           part_of_lever(model, near, &x->lever[0], node, parts);
}

static bool turns(const ts_model *model, int node) {
    return model->nodes[node].kind == TS_NODE_FRAME;
}

static void levers_motion(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                          int node, v3 dx, m3 dD, ts_contact_motion *out) {
    for (int g = 0; g < x->levers; g++) {
        const ts_lever *l = &x->lever[g];
        double part[3], middle = 0;
        memset(&out->lever[g], 0, sizeof out->lever[g]);
        if (l->node == node) out->lever[g] = dD;
        if (l->node >= 0 || !part_of_lever(model, near, l, node, part)) continue;
        for (int k = 0; k < l->corners; k++) middle += part[k] / l->corners;
        for (int k = 0; k < l->corners; k++) out->lever[g].c[k] = v3_scale(part[k] - middle, dx);
    }
}

void ts_pair_motion(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 dx, m3 dD, ts_contact_motion *out) {
    memset(out, 0, offsetof(ts_contact_motion, lever));
    levers_motion(model, near, x, node, dx, dD, out);
    for (int side = 0; side < 2; side++)
        if (!x->side[side].woven && shape_of(model, near, side)->node == node)
            out->x[side] = dx, out->D[side] = dD;
    for (int side = 0; side < 2 && x->gap.crossing.present; side++)
        out->along[side] = v3_axpy(edge_part(model, near, x, side, node), dx,
                                   m3_apply(out->D[side], x->gap.crossing.along[side]));
    for (int k = 0; k < x->gap.points; k++) {
        ts_term part;
        int side = x->gap.of_b[k];
        if (!part_of(model, near, &x->gap, k, node, &part)) continue;
        out->point[k] = v3_scale(part.weight, dx);
        if (turns(model, node)) out->point[k] = v3_add(out->point[k], m3_apply(dD, part.arm));
        if (x->side[side].woven)
            out->x[side] = v3_axpy(x->gap.weight[k], out->point[k], out->x[side]);
    }
}

static void add_point(v3 f, double place, v3 X, v3 F[4]) {
    F[0] = v3_axpy(place, f, F[0]);
    for (int j = 0; j < 3; j++) F[1 + j] = v3_axpy(v3_get(X, j), f, F[1 + j]);
}

/* Adds a force at an arm of directors, and forces on these directors. */
static void add_side(v3 f, v3 arm, const m3 *twist, v3 F[4]) {
    add_point(f, 1, arm, F);
    for (int j = 0; j < 3; j++) F[1 + j] = v3_add(F[1 + j], twist->c[j]);
}

/* Adds forces on three vectors that turn with a side. */
static void add_lever(const ts_model *model, const ts_near *near, const ts_lever *l, const m3 *f,
                      int node, v3 F[4]) {
    double part[3];
    for (int j = 0; j < 3 && l->node == node; j++) F[1 + j] = v3_add(F[1 + j], f->c[j]);
    if (l->node >= 0 || !part_of_lever(model, near, l, node, part)) return;
    for (int k = 0; k < l->corners; k++) F[0] = v3_axpy(part[k], f->c[k], F[0]);
}

/* Adds a force on the direction of an edge: on its directors, or on the points at its ends. */
static void add_turning(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                        int side, v3 f, int node, v3 F[4]) {
    v3 none = {0, 0, 0};
    if (x->side[side].woven)
        add_point(f, edge_part(model, near, x, side, node), none, F);
    else if (shape_of(model, near, side)->node == node)
        add_point(f, 0, x->gap.crossing.along[side], F);
}

/* Forces on the points of the gap, each with friction if its side is flexible; and friction on a
 * rigid side. */
void ts_pair_forces(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 F[4]) {
    for (int k = 0; k < x->gap.points; k++) {
        ts_term part;
        int side = x->gap.of_b[k];
        if (!part_of(model, near, &x->gap, k, node, &part)) continue;
        v3 f = v3_scale(x->normal, x->gap.gradient[k]);
        if (x->side[side].woven) f = v3_axpy((side ? -1 : 1) * x->gap.weight[k], x->friction, f);
        add_point(f, part.weight, part.arm, F);
    }
    for (int side = 0; side < 2; side++) {
        if (x->side[side].woven || shape_of(model, near, side)->node != node) continue;
        add_side(v3_scale(side ? -1 : 1, x->friction), x->arm[side], &x->twist[side], F);
    }
    for (int side = 0; side < 2 && x->gap.crossing.present; side++)
        add_turning(model, near, x, side, v3_scale(x->turning, x->gap.crossing.by[side]), node, F);
    for (int g = 0; g < x->levers && x->leans; g++) {
        const ts_lever *l = &x->lever[g];
        m3 f;
        for (int k = 0; k < 3; k++) f.c[k] = v3_cross(l->u, l->mean.c[k]);
        add_lever(model, near, l, &f, node, F);
    }
}

void ts_pair_force_changes(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                           const ts_contact_change *change, int node, v3 F[4]) {
    for (int k = 0; k < x->gap.points; k++) {
        ts_term part;
        int side = x->gap.of_b[k];
        if (!part_of(model, near, &x->gap, k, node, &part)) continue;
        v3 f = change->force[k];
        double sign = side ? -1 : 1;
        if (x->side[side].woven) {
            f = v3_axpy(sign * x->gap.weight[k], change->friction, f);
            f = v3_axpy(sign * change->weight[k], x->friction, f);
        }
        add_point(f, part.weight, part.arm, F);
    }
    for (int side = 0; side < 2; side++) {
        double sign = side ? -1 : 1;
        if (x->side[side].woven || shape_of(model, near, side)->node != node) continue;
        add_side(v3_scale(sign, change->friction), x->arm[side], &change->twist[side], F);
        add_point(v3_scale(sign, x->friction), 0, change->arm[side], F);
    }
    for (int side = 0; side < 2 && x->gap.crossing.present; side++)
        add_turning(model, near, x, side, change->turning[side], node, F);
    for (int g = 0; g < x->levers && x->leans; g++)
        add_lever(model, near, &x->lever[g], &change->lever[g], node, F);
}

/* ---- rates ---- */

double ts_pair_rate(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                    const double *v) {
    double rate = 0;
    for (int k = 0; k < x->gap.points; k++) {
        const ts_shape *shape = shape_of(model, near, x->gap.of_b[k]);
        rate += v3_dot(x->gap.gradient[k], ts_point_move(model, shape, x->gap.point[k], v));
    }
    return rate;
}

v3 ts_pair_slip(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                const double *v) {
    v3 slip = {0, 0, 0};
    for (int k = 0; k < x->gap.points; k++) {
        int side = x->gap.of_b[k];
        const ts_shape *shape = shape_of(model, near, side);
        if (!x->side[side].woven) continue;
        v3 move = ts_point_move(model, shape, x->gap.point[k], v);
        slip = v3_axpy((side ? -1 : 1) * x->gap.weight[k], move, slip);
    }
    for (int side = 0; side < 2; side++) {
        const ts_carrier *c = &x->side[side];
        const double *u = v + 3 * model->nodes[shape_of(model, near, side)->node].slot;
        if (c->woven) continue;
        v3 move = v3_load(u), arm = v3_sub(x->gap.at, c->x[0]);
        if (c->turns) move = v3_add(move, m3_apply(m3_load(u + 3), m3_tapply(c->D[0], arm)));
        slip = v3_axpy(side ? -1 : 1, move, slip);
    }
    return v3_axpy(-v3_dot(slip, x->gap.normal), x->gap.normal, slip);
}
