/* Gaps over a step: their discrete gradients, and where the shapes touch.
 *
 * Two cores with radii R_A and R_B around them: g = d - R_A - R_B, with the gradient of d by the
 * envelope formula. They touch where the line between the nearest points, in the mean, is divided
 * as R_A to R_B; the normal is along that line.
 *
 * A corner x with radius R over the plane through P with the normal n of side B:
 *
 *     g = n . (x - P) - R ,     change of g = n_m . change of (x - P) + (x - P)_m . change of n ,
 *
 * a form like any other. They touch at the foot of the corner's sphere.
 *
 * Both gaps are invariant under joint motions of their sides, and so keep momenta.
 */
#include "contact/gap.h"

/* ---- two cores ---- */

/* Sums over the points of A and over all, of c p. */
static void where(const ts_touch *t, const double *c, const v3 *p, v3 *a, v3 *apart) {
    *a = *apart = v3_make(0, 0, 0);
    for (int k = 0; k < t->points; k++) {
        *apart = v3_axpy(c[k], p[k], *apart);
        if (!t->of_b[k]) *a = v3_axpy(c[k], p[k], *a);
    }
}

static double share_of_a(const ts_gap *g) { return g->radius[0] / (g->radius[0] + g->radius[1]); }

static void cores_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const ts_touch *t = &g->touch;
    ts_touch_change c = ts_touch_moved(t, by);
    double half[TS_TOUCH_POINTS];
    v3 a[2], apart[2], pull = {0, 0, 0};
    for (int k = 0; k < t->points; k++) {
        half[k] = 0.5 * ts_touch_weight(t, k);
        out->weight[k] = t->of_b[k] ? -c.weight[k] : c.weight[k];
        out->gradient[k] = c.gradient[k];
        if (!t->of_b[k]) pull = v3_add(pull, c.gradient[k]);
    }
    where(t, c.weight, t->mean, &a[0], &apart[0]);
    where(t, half, by, &a[1], &apart[1]);
    out->end = c.d_end;
    out->at = v3_axpy(-share_of_a(g), v3_add(apart[0], apart[1]), v3_add(a[0], a[1]));
    v3 across = v3_axpy(-v3_dot(pull, g->normal), g->normal, pull);
    out->normal = v3_scale(1 / v3_norm(g->pull), across);
}

bool ts_gap_of_cores(const ts_core start[2], const ts_core end[2], const double radius[2],
                     ts_gap *out) {
    ts_touch *t = &out->touch;
    double c[TS_TOUCH_POINTS], R = radius[0] + radius[1];
    v3 a, apart;
    if (!ts_touch_over(start, end, t)) return false;
    out->points = t->points, out->change = cores_moved;
    out->start = t->d_start - R, out->end = t->d_end - R;
    out->radius[0] = radius[0], out->radius[1] = radius[1];
    out->pull = v3_make(0, 0, 0);
    for (int k = 0; k < t->points; k++) {
        out->of_b[k] = t->of_b[k], out->point[k] = t->point[k], out->gradient[k] = t->gradient[k];
        c[k] = ts_touch_weight(t, k), out->weight[k] = t->of_b[k] ? -c[k] : c[k];
        if (!t->of_b[k]) out->pull = v3_add(out->pull, t->gradient[k]);
    }
    if (!(v3_dot(out->pull, out->pull) > 0)) return false;
    out->normal = v3_normalize(out->pull);
    where(t, c, t->mean, &a, &apart);
    out->at = v3_axpy(-share_of_a(out), apart, a);
    return true;
}

/* ---- a corner over a plane ---- */

enum { CORNER, PLACE, NORMAL };

static void plane_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const v3 *end = g->touch.end;
    v3 apart = v3_sub(by[CORNER], by[PLACE]), turn = v3_scale(0.5, by[NORMAL]);
    double length = v3_norm(g->normal_mean);
    for (int k = 0; k < 3; k++) out->weight[k] = 0;
    out->end = v3_dot(end[NORMAL], apart) + v3_dot(v3_sub(end[CORNER], end[PLACE]), by[NORMAL]);
    out->gradient[CORNER] = turn, out->gradient[PLACE] = v3_scale(-1, turn);
    out->gradient[NORMAL] = v3_scale(0.5, apart);
    v3 across = v3_axpy(-v3_dot(turn, g->normal), g->normal, turn);
    out->normal = v3_scale(1 / length, across);
    out->at = v3_axpy(-g->radius[0], out->normal, v3_scale(0.5, by[CORNER]));
}

static v3 mean(v3 a, v3 b) { return v3_scale(0.5, v3_add(a, b)); }

void ts_gap_of_plane(const ts_over_plane *start, const ts_over_plane *end, int corner,
                     double radius, ts_gap *out) {
    v3 apart[2] = {v3_sub(start->corner, start->place), v3_sub(end->corner, end->place)};
    v3 n = mean(start->normal, end->normal), *at = out->touch.end;
    static const bool of_b[] = {false, true, true};
    const int point[] = {corner, 0, 1};
    out->points = 3, out->change = plane_moved;
    out->start = v3_dot(start->normal, apart[0]) - radius;
    out->end = v3_dot(end->normal, apart[1]) - radius;
    out->radius[0] = radius, out->radius[1] = 0;
    for (int k = 0; k < 3; k++)
        out->of_b[k] = of_b[k], out->point[k] = point[k], out->weight[k] = k == CORNER;
    at[CORNER] = end->corner, at[PLACE] = end->place, at[NORMAL] = end->normal;
    out->gradient[CORNER] = out->pull = out->normal_mean = n;
    out->gradient[PLACE] = v3_scale(-1, n);
    out->gradient[NORMAL] = mean(apart[0], apart[1]);
    out->normal = v3_normalize(n);
    out->at = v3_axpy(-radius, out->normal, mean(start->corner, end->corner));
}

void ts_gap_moved(const ts_gap *gap, const v3 *by, ts_gap_change *out) {
    gap->change(gap, by, out);
}
