/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps over a step: their discrete gradients, and where the shapes touch.
 *
 * Two cores with radii R_A and R_B around them: g = d - R_A - R_B, with the gradient of d by the
 * envelope formula. The place of contact divides the line between the nearest points, in the mean,
 * in the ratio R_A to R_B; the normal is along that line.
 *
 * A corner x with radius R over the plane through P with the normal n of side B:
 *
 *     g = n . (x - P) - R ,     change of g = n_m . change of (x - P) + (x - P)_m . change of n ,
 *
 * a form like any other. They touch at the foot of the corner's sphere.
 *
 * A circle of radius R about the axis a over a plane, with a rounding r; u is the height of its
 * centre c, w the cosine between axis and normal:
 *
 *     g = n.(c - P) - R (rho - E w^32) - r ,   rho = sqrt(1 - (1 - E^2) w^2) ,
 *     change of rho = -(1 - E^2) (w_i + w_f)/(rho_i + rho_f) change of w ,   w = n.a a form again.
 *
 * E = 0 would be the circle itself, whose lowest point jumps when it lies flat. With a small E, the
 * lowest point moves to the middle as the tilt goes to zero, below E; heights are exact when the
 * circle lies flat and when it stands upright.
 *
 * A corner with radius r inside a ball or a tube of the radius H, u = x - P, a the axis:
 *
 *     g = H - r - d ,   d^2 = u.u - w^2 ,   w = a.u  (of a ball w = 0) ,
 *     change of d^2 = (2 u_m - (w_i + w_f) a_m) . change of u - (w_i + w_f) u_m . change of a .
 *
 * In the very middle the gap has no direction, and none is needed.
 *
 * Crossing edges. The nearest points of parallel edges are anywhere along them. So the energy of a
 * gap between two edges is w V(g), with w = 1 - cos^32 of their angle: corners carry where w is
 * zero. Two capsules have corners only for that: there w = 1 - cos^256, and the gaps of their ends
 * have w = cos^256/2, which is a half because ends lie in pairs (features.c). Along edges a and b,
 * which may get longer, with s = |a| |b|, the product rule gives
 *
 *     cos = a.b/s ,   change of cos = (1/s)_m change of a.b - (a.b)_m change of s/(s_i s_f) ,
 *     change of s = |b|_m change of |a| + |a|_m change of |b| ,
 *     change of |a| = a_m . change of a/|a|_m ,
 *
 * and the divided difference of a power of two is a product,
 *
 *     change of x^32 = (x_i + x_f)(x_i^2 + x_f^2) ... (x_i^16 + x_f^16) change of x .
 *
 * All gaps are invariant under common motions of their sides, and so preserve momenta.
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

static bool is_place_of_a(const ts_gap *g, int k) {
    return !g->touch.of_b[k] && (g->rings == 0 || g->touch.point[k] < g->rings);
}

static void cores_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const ts_touch *t = &g->touch;
    ts_touch_change c = ts_touch_moved(t, by);
    double half[TS_TOUCH_POINTS];
    v3 a[2], apart[2], pull = {0, 0, 0};
    for (int k = 0; k < t->points; k++) {
        half[k] = 0.5 * ts_touch_weight(t, k);
        out->weight[k] = t->of_b[k] ? -c.weight[k] : c.weight[k];
        out->gradient[k] = c.gradient[k];
        if (is_place_of_a(g, k)) pull = v3_add(pull, c.gradient[k]);
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
    out->crossing.present = false;
    if (!ts_touch_over(start, end, t)) return false;
    out->points = t->points, out->change = cores_moved;
    out->start = t->d_start - R, out->end = t->d_end + t->slack - R;
    out->radius[0] = radius[0], out->radius[1] = radius[1];
    out->pull = v3_make(0, 0, 0), out->rings = start[0].rings;
    for (int k = 0; k < t->points; k++) {
        out->of_b[k] = t->of_b[k], out->point[k] = t->point[k], out->gradient[k] = t->gradient[k];
        c[k] = ts_touch_weight(t, k), out->weight[k] = t->of_b[k] ? -c[k] : c[k];
        if (is_place_of_a(out, k)) out->pull = v3_add(out->pull, t->gradient[k]);
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
    out->points = 3, out->change = plane_moved, out->crossing.present = false;
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

/* ---- inside a ball or a tube ---- */

/* Numerators of the gradient: by u, and by the axis. */
static v3 hollow_by(const ts_gap *g, v3 apart, v3 *by_axis) {
    double w = g->across[0] + g->across[1];
    *by_axis = v3_scale(-w, apart);
    return v3_axpy(-w, g->touch.mean[NORMAL], v3_scale(2, apart));
}

static void hollow_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const v3 *end = g->touch.end;
    bool tube = g->points == 3;
    v3 du = v3_sub(by[CORNER], by[PLACE]), u = v3_sub(end[CORNER], end[PLACE]), axis;
    v3 n = hollow_by(g, g->touch.mean[PLACE], &axis), none = {0, 0, 0};
    v3 da = tube ? by[NORMAL] : none;
    double w = g->across[0] + g->across[1], sum = g->from[0] + g->from[1];
    double dw = tube ? v3_dot(end[NORMAL], du) + v3_dot(u, da) : 0;
    double dd = g->from[1] > 0 ? (v3_dot(u, du) - g->across[1] * dw) / g->from[1] : 0;
    double of = sum > 0 ? 1 / sum : 0;
    v3 dn = v3_sub(v3_axpy(-0.5 * w, da, du), v3_scale(dw, g->touch.mean[NORMAL]));
    v3 daxis = v3_axpy(-0.5 * w, du, v3_scale(-dw, g->touch.mean[PLACE]));
    out->end = -dd;
    out->gradient[CORNER] = v3_scale(-of, v3_axpy(-dd * of, n, dn));
    out->gradient[PLACE] = v3_scale(-1, out->gradient[CORNER]);
    out->gradient[NORMAL] = v3_scale(-of, v3_axpy(-dd * of, axis, daxis));
    for (int k = 0; k < g->points; k++) out->weight[k] = 0;
    double length = v3_norm(n);
    v3 turn = length > 0 ? v3_scale(-1 / length, dn) : none;
    out->normal = v3_axpy(-v3_dot(turn, g->normal), g->normal, turn);
    out->at = v3_axpy(-g->radius[0], out->normal, v3_scale(0.5, by[CORNER]));
}

void ts_gap_of_hollow(const ts_over_plane end[2], bool tube, int corner, const double radius[2],
                      ts_gap *out) {
    v3 u[2], n, axis;
    ts_gap_of_plane(&end[0], &end[1], corner, radius[1], out);
    for (int k = 0; k < 2; k++) {
        u[k] = v3_sub(end[k].corner, end[k].place);
        out->across[k] = tube ? v3_dot(end[k].normal, u[k]) : 0;
        out->from[k] = v3_norm(v3_axpy(-out->across[k], end[k].normal, u[k]));
    }
    double sum = out->from[0] + out->from[1];
    out->points = tube ? 3 : 2, out->change = hollow_moved;
    out->start = radius[0] - radius[1] - out->from[0];
    out->end = radius[0] - radius[1] - out->from[1];
    out->touch.mean[NORMAL] = out->normal_mean, out->touch.mean[PLACE] = mean(u[0], u[1]);
    n = hollow_by(out, out->touch.mean[PLACE], &axis);
    out->gradient[CORNER] = v3_scale(sum > 0 ? -1 / sum : 0, n);
    out->gradient[PLACE] = v3_scale(-1, out->gradient[CORNER]);
    out->gradient[NORMAL] = v3_scale(sum > 0 ? -1 / sum : 0, axis);
    if (v3_dot(n, n) > 0) out->normal = v3_scale(-1 / v3_norm(n), n);
    out->at = v3_axpy(-radius[1], out->normal, mean(end[0].corner, end[1].corner));
}

/* ---- powers of 2^doublings ---- */

/* Divided difference of the power, and its derivative by the second value. */
static double power_over(int doublings, double start, double end, double *bend) {
    double product = 1, change = 0, s = start, e = end, de = 1;
    for (int k = 0; k < doublings; k++) {
        change = change * (s + e) + product * de;
        product *= s + e;
        de *= 2 * e, s *= s, e *= e;
    }
    *bend = change;
    return product;
}

static double power_of(int doublings, double x) {
    for (int k = 0; k < doublings; k++) x *= x;
    return x;
}

/* ---- a circle over a plane ---- */

enum { CENTRE = CORNER, AXIS = 3 };
static const double TILT = 3e-3; /* E */
enum { FLATTENING = 5 };         /* the power 32 */

static double rho_of(double w) { return sqrt(fmax(1 - w * w, 0) + TILT * TILT * w * w); }

/* Where it touches, in the mean: c - R (n - w a)/rho - r n. */
static v3 lowest(const ts_gap *g, v3 centre) {
    v3 a = g->touch.mean[AXIS], n = g->normal;
    double w = v3_dot(n, a);
    v3 down = v3_scale(g->ring / rho_of(w), v3_axpy(-w, a, n));
    return v3_axpy(-g->radius[0], n, v3_sub(centre, down));
}

static v3 lowest_moved(const ts_gap *g, const v3 *by, v3 dn) {
    v3 a = g->touch.mean[AXIS], n = g->normal, da = v3_scale(0.5, by[AXIS]);
    double w = v3_dot(n, a), rho = rho_of(w), dw = v3_dot(dn, a) + v3_dot(n, da);
    double drho = -(1 - TILT * TILT) * w * dw / rho;
    v3 down = v3_axpy(-w, da, v3_axpy(-dw, a, dn));
    down = v3_axpy(-drho / rho, v3_axpy(-w, a, n), down);
    v3 at = v3_axpy(-g->ring / rho, down, v3_scale(0.5, by[CENTRE]));
    return v3_axpy(-g->radius[0], dn, at);
}

static void ring_moved(const ts_gap *g, const v3 *by, ts_gap_change *out) {
    const v3 *end = g->touch.end;
    plane_moved(g, by, out);
    double w = v3_dot(end[NORMAL], end[AXIS]);
    double dw = v3_dot(end[NORMAL], by[AXIS]) + v3_dot(end[AXIS], by[NORMAL]);
    double dlever = g->bend * dw, half = 0.5 * g->lever, unused;
    double slope = (1 - TILT * TILT) * w / rho_of(w) + TILT * power_over(FLATTENING, w, w, &unused);
    out->end += g->ring * slope * dw, out->weight[AXIS] = 0;
    out->gradient[AXIS] = v3_axpy(dlever, g->normal_mean, v3_scale(half, by[NORMAL]));
    v3 more = v3_axpy(dlever, g->touch.mean[AXIS], v3_scale(half, by[AXIS]));
    out->gradient[NORMAL] = v3_add(out->gradient[NORMAL], more);
    out->at = lowest_moved(g, by, out->normal);
}

void ts_gap_of_ring(const v3 axis[2], const ts_over_plane plane[2], const int number[2],
                    const double radius[2], ts_gap *out) {
    double w[2], rho[2], R = radius[0], K = 1 - TILT * TILT, bend;
    ts_gap_of_plane(&plane[0], &plane[1], number[0], radius[1], out);
    for (int end = 0; end < 2; end++)
        w[end] = v3_dot(plane[end].normal, axis[end]), rho[end] = rho_of(w[end]);
    double sum = rho[0] + rho[1];
    out->change = ring_moved, out->ring = R, out->points = 4;
    out->of_b[AXIS] = false, out->point[AXIS] = number[1], out->weight[AXIS] = 0;
    out->touch.end[AXIS] = axis[1];
    out->touch.mean[AXIS] = mean(axis[0], axis[1]);
    out->start -= R * (rho[0] - TILT * power_of(FLATTENING, w[0]));
    out->end -= R * (rho[1] - TILT * power_of(FLATTENING, w[1]));
    out->lever = R * (K * (w[0] + w[1]) / sum + TILT * power_over(FLATTENING, w[0], w[1], &bend));
    out->bend = R * (K * (1 + (w[0] + w[1]) * K * w[1] / (rho[1] * sum)) / sum + TILT * bend);
    out->gradient[AXIS] = v3_scale(out->lever, out->normal_mean);
    out->gradient[NORMAL] = v3_axpy(out->lever, out->touch.mean[AXIS], out->gradient[NORMAL]);
    out->at = lowest(out, mean(plane[0].corner, plane[1].corner));
}

/* ---- edges that cross ---- */

static double mean_length(const ts_crossing *x, int side) {
    return 0.5 * (x->length[side][0] + x->length[side][1]);
}

static double weight_of(const ts_weighing *by, double cosine) {
    return fmax(by->apart + by->by_power * power_of(by->doublings, cosine), 0);
}

/* Slope of the weight over the cosine. */
static double slope_over(const ts_weighing *by, double start, double end, double *bend) {
    double slope = power_over(by->doublings, start, end, bend);
    *bend *= by->by_power;
    return by->by_power * slope;
}

void ts_crossing_over(const v3 a[2], const v3 b[2], ts_weighing by_angle, ts_crossing *x) {
    double dot[2], s[2], cosine[2];
    x->present = true, x->by_angle = by_angle;
    for (int end = 0; end < 2; end++) {
        x->length[0][end] = v3_norm(a[end]), x->length[1][end] = v3_norm(b[end]);
        dot[end] = v3_dot(a[end], b[end]), s[end] = x->length[0][end] * x->length[1][end];
        cosine[end] = dot[end] / s[end];
        x->weight[end] = weight_of(&by_angle, cosine[end]);
    }
    x->slope = slope_over(&by_angle, cosine[0], cosine[1], &x->bend);
    x->mean[0] = mean(a[0], a[1]), x->mean[1] = mean(b[0], b[1]);
    x->end[0] = a[1], x->end[1] = b[1];
    x->share = 0.5 * (1 / s[0] + 1 / s[1]);
    double less = 0.5 * (dot[0] + dot[1]) / (s[0] * s[1]);
    for (int side = 0; side < 2; side++) {
        x->own[side] = less * mean_length(x, 1 - side) / mean_length(x, side);
        x->by[side] = v3_scale(
            x->slope, v3_axpy(-x->own[side], x->mean[side], v3_scale(x->share, x->mean[1 - side])));
    }
}

double ts_crossing_moved(const ts_crossing *x, const v3 d[2], v3 by[2]) {
    double la = x->length[0][1], lb = x->length[1][1], s = la * lb, unused;
    double s_start = x->length[0][0] * x->length[1][0], dot = v3_dot(x->end[0], x->end[1]);
    double ddot = v3_dot(d[0], x->end[1]) + v3_dot(x->end[0], d[1]);
    double dl[2] = {v3_dot(x->end[0], d[0]) / la, v3_dot(x->end[1], d[1]) / lb};
    double ds = dl[0] * lb + la * dl[1], dcosine = ddot / s - dot * ds / (s * s);
    double less = x->own[0] * mean_length(x, 0) / mean_length(x, 1);
    double dless = 0.5 * ddot / (s_start * s) - less * ds / s, dshare = -0.5 * ds / (s * s);
    for (int side = 0; side < 2; side++) {
        double own = mean_length(x, side), other = mean_length(x, 1 - side);
        double down = (dless * other + 0.5 * less * (dl[1 - side] - other / own * dl[side])) / own;
        v3 change = v3_axpy(dshare, x->mean[1 - side], v3_scale(0.5 * x->share, d[1 - side]));
        change = v3_axpy(-down, x->mean[side], v3_axpy(-0.5 * x->own[side], d[side], change));
        v3 of = v3_axpy(-x->own[side], x->mean[side], v3_scale(x->share, x->mean[1 - side]));
        by[side] = v3_axpy(x->bend * dcosine, of, v3_scale(x->slope, change));
    }
    return slope_over(&x->by_angle, dot / s, dot / s, &unused) * dcosine;
}

void ts_gap_moved(const ts_gap *gap, const v3 *by, ts_gap_change *out) {
    gap->change(gap, by, out);
}
