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
 * Over a plane, cores have a gap for every corner, or for each of their circles.
 */
#include "contact/features.h"

/* ---- points ---- */

static int axis_of(const ts_shape *s) { return s->points + 2 * s->edges + s->rings; }

static bool is_direction(const ts_shape *s, int k) {
    return s->plane ? k == 1 : s->rings > 0 && k == axis_of(s);
}

v3 ts_shape_material(const ts_model *model, const ts_shape *shape, int k, double *place) {
    *place = is_direction(shape, k) ? 0 : 1;
    return model->shape_points[shape->point + k];
}

v3 ts_shape_point(const ts_model *model, const ts_shape *shape, int k, v3 x, m3 D) {
    v3 turned = m3_apply(D, model->shape_points[shape->point + k]);
    return is_direction(shape, k) ? turned : v3_add(x, turned);
}

double ts_shape_reach(const ts_model *model, const ts_shape *shape) {
    double most = 0;
    for (int k = 0; k < shape->points; k++)
        most = fmax(most, v3_norm(model->shape_points[shape->point + k]));
    return shape->rings ? most + shape->ring : most;
}

/* ---- gaps ---- */

static bool lies(const ts_shape *A, const ts_shape *B) {
    return A->points > 1 && B->points > 1 && A->points + B->points > 4;
}

int ts_features_count(const ts_shape *A, const ts_shape *B) {
    if (B->plane) return A->rings ? A->rings : A->points;
    return lies(A, B) ? A->points + B->points + A->edges * B->edges : 0;
}

/* Points of the sides from `first`, so many: the gap of their hulls. */
static bool between(const ts_model *model, const ts_pair_key *key, const int first[2],
                    const int count[2], ts_contact_step *x) {
    v3 place[2][2][TS_MOST_CORNERS];
    ts_core core[2][2];
    double radius[2];
    for (int side = 0; side < 2; side++) {
        const ts_shape *shape = &model->shapes[key->shape[side]];
        const ts_carrier *c = &x->side[side];
        radius[side] = shape->radius;
        for (int end = 0; end < 2; end++) {
            v3 *at = place[end][side];
            for (int k = 0; k < count[side]; k++)
                at[k] = ts_shape_point(model, shape, first[side] + k, c->x[end], c->D[end]);
            core[end][side] = (ts_core){.points = count[side], .point = at};
        }
    }
    if (!ts_gap_of_cores(core[0], core[1], radius, &x->gap)) return false;
    for (int k = 0; k < x->gap.points; k++) x->gap.point[k] += first[x->gap.of_b[k]];
    return true;
}

static bool edges_over(const ts_model *model, const ts_pair_key *key, const int edge[2],
                       ts_contact_step *x) {
    static const int two[2] = {2, 2};
    int first[2];
    v3 along[2], turned[2][2];
    for (int side = 0; side < 2; side++) {
        const ts_shape *s = &model->shapes[key->shape[side]];
        first[side] = s->points + 2 * edge[side];
        const v3 *end = &model->shape_points[s->point + first[side]];
        along[side] = v3_normalize(v3_sub(end[1], end[0]));
        for (int k = 0; k < 2; k++) turned[side][k] = m3_apply(x->side[side].D[k], along[side]);
    }
    if (!between(model, key, first, two, x)) return false;
    ts_crossing_over(turned[0], turned[1], &x->gap.crossing);
    x->gap.crossing.along[0] = along[0], x->gap.crossing.along[1] = along[1];
    return true;
}

static bool cores_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x) {
    const ts_shape *A = &model->shapes[key->shape[0]], *B = &model->shapes[key->shape[1]];
    int corner = key->corner, first[2] = {0, 0}, count[2] = {A->points, B->points};
    if (corner < 0) return between(model, key, first, count, x);
    for (int side = 0; side < 2; corner -= side ? B->points : A->points, side++) {
        if (corner >= count[side]) continue;
        first[side] = corner, count[side] = 1;
        return between(model, key, first, count, x);
    }
    return edges_over(model, key, (int[2]){corner / B->edges, corner % B->edges}, x);
}

static void plane_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x) {
    const ts_shape *A = &model->shapes[key->shape[0]], *B = &model->shapes[key->shape[1]];
    const ts_carrier *a = &x->side[0], *b = &x->side[1];
    ts_over_plane at[2];
    ts_ring ring[2];
    int point = A->rings ? A->points + 2 * A->edges + key->corner : key->corner;
    for (int end = 0; end < 2; end++) {
        at[end] = (ts_over_plane){ts_shape_point(model, A, point, a->x[end], a->D[end]),
                                  ts_shape_point(model, B, 0, b->x[end], b->D[end]),
                                  ts_shape_point(model, B, 1, b->x[end], b->D[end])};
        if (!A->rings) continue;
        ring[end].axis = ts_shape_point(model, A, axis_of(A), a->x[end], a->D[end]);
        ring[end].centre = at[end].corner;
    }
    if (A->rings)
        ts_gap_of_ring(ring, at, (int[2]){point, axis_of(A)}, (double[2]){A->ring, A->radius},
                       &x->gap);
    else
        ts_gap_of_plane(&at[0], &at[1], point, A->radius, &x->gap);
}

bool ts_feature_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x) {
    if (!model->shapes[key->shape[1]].plane) return cores_over(model, key, x);
    plane_over(model, key, x);
    return true;
}
