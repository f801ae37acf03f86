/* SPDX-License-Identifier: Apache-2.0 */
/* The envelope formula: an exact discrete gradient of the distance of two cores.
 *
 * Material points of two cores with the parameters xi are apart by r(xi) = sum c_k(xi) p_k, c the
 * weights of corners, negative for those of the second core. The distance d has d^2 = min over xi
 * of |r(xi)|^2. With the nearest weights c^i and c^f at both ends of a step, m its mean,
 *
 *     A = |sum c^i p_f|^2 - d_f^2 = ((c^i - c^f) p_f) . ((c^i + c^f) p_f)  >= 0
 *     B = |sum c^f p_i|^2 - d_i^2 = ((c^f - c^i) p_i) . ((c^i + c^f) p_i)  >= 0
 *     theta = A/(A + B)      (1/2 where both are zero)
 *     G_k = 2 [(1 - theta) c^i_k sum c^i p_m + theta c^f_k sum c^f p_m]
 *
 * have  sum G_k . (p_f - p_i)_k = d_f^2 - d_i^2  exactly: the first term alone gives d_f^2 - d_i^2
 * + A, the second d_f^2 - d_i^2 - B. A and B are not negative because d^2 is a minimum, so theta
 * lies between 0 and 1, whatever corner, edge or face is nearest at either end. Both terms are
 * forces along the line between two material points in the mean configuration: linear and angular
 * momentum are preserved. Divided by d_i + d_f, G is the gradient of the distance itself.
 *
 * Among faces that are equally near, within TS_NEARER, the first one counts, so that d^2 is a
 * minimum up to that share only, and A or B may be negative. Negative values are replaced by zero
 * in theta, and the sum of G_k . (p_f - p_i)_k is then d_f^2 - d_i^2 + s, s = (1 - theta) A - theta
 * B. So the distance at the end counts as d_f + s/(d_i + d_f), with the second term called the
 * *slack*, and the next step begins with this distance (touch.c).
 *
 * Slopes. Along some ways s_a (nearest.h) the weights are not at a bound, with u_a = sum s_a p.
 * They change by sum s_b dl_b,
 *
 *     sum_b (u_a . u_b + bend_a delta_ab) dl_b = - u_a . sum c dp - r . sum s_a dp ,
 *
 * the derivative of u_a . r = 0; bend is the curvature of a round core times the distance.
 *
 * C. Hesch and P. Betsch, Int. J. Numer. Meth. Eng. 77 (2009) 1468, take invariants and a quotient
 * by the square of their change; the minimum makes that unnecessary.
 */
#include "contact/envelope.h"

#include <math.h>

/* theta is a half if A + B is less than this share of the squared distance: then A and B differ by
 * far less than that, and their quotient would be round-off. */
static const double SAME = 1e-13;
/* Values below zero by less than this are round-off. */
static const double ROUNDING = 1e-15;

static int point_of(ts_touch *x, const ts_core start[2], const ts_core end[2], bool b, int number) {
    for (int k = 0; k < x->points; k++)
        if (x->of_b[k] == b && x->point[k] == number) return k;
    int k = x->points++;
    x->of_b[k] = b, x->point[k] = number;
    x->start[k] = start[b].point[number], x->end[k] = end[b].point[number];
    x->mean[k] = v3_scale(0.5, v3_add(x->start[k], x->end[k]));
    x->old[k] = x->new[k] = 0;
    return k;
}

static v3 weighted(const ts_touch *x, const double *c, const v3 *p) {
    v3 r = {0, 0, 0};
    for (int k = 0; k < x->points; k++) r = v3_axpy(c[k], p[k], r);
    return r;
}

/* |sum c p|^2 - |sum c' p|^2, computed without a difference of squares. */
static double excess(const ts_touch *x, const double *c, const double *least, const v3 *p) {
    double less[TS_TOUCH_POINTS], sum[TS_TOUCH_POINTS];
    for (int k = 0; k < x->points; k++) less[k] = c[k] - least[k], sum[k] = c[k] + least[k];
    return v3_dot(weighted(x, less, p), weighted(x, sum, p));
}

static void find_share(ts_touch *x) {
    double a = excess(x, x->old, x->new, x->end), b = excess(x, x->new, x->old, x->start);
    double A = fmax(a, 0), B = fmax(b, 0), small = x->d_start * x->d_start + x->d_end * x->d_end;
    bool same = A + B <= SAME * small;
    x->spread = same ? 0 : A + B;
    x->share = same ? 0.5 : A / (A + B);
    x->slips = fmin(a, b) < -ROUNDING * small;
    x->slack = x->slips ? ((1 - x->share) * a - x->share * b) / (x->d_start + x->d_end) : 0;
}

/* Ways of the end, in the numbers of points here. */
static void take_ways(ts_touch *x, const ts_nearest *last, int at[2][TS_SIDE_POINTS]) {
    x->ways = last->ways;
    for (int k = 0; k < last->ways; k++) {
        x->bend[k] = last->bend[k];
        for (int i = 0; i < x->points; i++) x->way[k][i] = 0;
        for (int side = 0; side < 2; side++)
            for (int m = 0; m < last->side[side].count; m++)
                x->way[k][at[side][m]] += (side ? -1 : 1) * last->way[k][side][m];
    }
}

bool ts_touch_over(const ts_core start[2], const ts_core end[2], ts_touch *x) {
    ts_nearest first = ts_nearest_points(&start[0], &start[1]);
    ts_nearest last = ts_nearest_points(&end[0], &end[1]);
    int at[2][TS_SIDE_POINTS];
    x->d_start = v3_norm(first.r), x->d_end = v3_norm(last.r);
    if (!(x->d_start > 0 && x->d_end > 0)) return false;
    x->points = 0;
    for (int side = 0; side < 2; side++) {
        const ts_mixture *old = &first.side[side], *new = &last.side[side];
        for (int m = 0; m < old->count; m++)
            x->old[point_of(x, start, end, side, old->point[m])] +=
                side ? -old->weight[m] : old->weight[m];
        for (int m = 0; m < new->count; m++)
            at[side][m] = point_of(x, start, end, side, new->point[m]),
            x->new[at[side][m]] += side ? -new->weight[m] : new->weight[m];
    }
    take_ways(x, &last, at);
    x->r_end = last.r;
    x->old_r = weighted(x, x->old, x->mean), x->new_r = weighted(x, x->new, x->mean);
    find_share(x);
    double of = 2 / (x->d_start + x->d_end);
    for (int k = 0; k < x->points; k++)
        x->gradient[k] = v3_axpy(of * (1 - x->share) * x->old[k], x->old_r,
                                 v3_scale(of * x->share * x->new[k], x->new_r));
    return true;
}

/* ---- slopes ---- */

/* Changes of the weights at the end. */
static void weights_moved(const ts_touch *x, const v3 *by, double *change) {
    double H[TS_MOST_WAYS][TS_MOST_WAYS], d[TS_MOST_WAYS];
    v3 u[TS_MOST_WAYS], dr = weighted(x, x->new, by);
    for (int k = 0; k < x->ways; k++) {
        u[k] = weighted(x, x->way[k], x->end);
        d[k] = -v3_dot(u[k], dr) - v3_dot(x->r_end, weighted(x, x->way[k], by));
        for (int j = 0; j <= k; j++) H[k][j] = v3_dot(u[k], u[j]);
        H[k][k] += x->bend[k];
    }
    ts_solve_ways(x->ways, H, d);
    for (int i = 0; i < x->points; i++) {
        change[i] = 0;
        for (int k = 0; k < x->ways; k++) change[i] += d[k] * x->way[k][i];
    }
}

/* Changes of theta and the slack, with the weights at the end changing by `by_c`. */
static double share_moved(const ts_touch *x, const double *by_c, v3 old_by, v3 new_by,
                          double *slack) {
    *slack = 0;
    if (x->spread == 0 && !x->slips) return 0;
    double dA = 2 * (v3_dot(weighted(x, x->old, x->end), old_by) - v3_dot(x->r_end, new_by));
    double dB = 2 * v3_dot(weighted(x, x->new, x->start), weighted(x, by_c, x->start));
    double t = x->share;
    if (!x->slips) return (dA - t * (dA + dB)) / x->spread;
    *slack = ((1 - t) * dA - t * dB) / (x->d_start + x->d_end); /* theta stays 0, 1/2 or 1 */
    return 0;
}

ts_touch_change ts_touch_moved(const ts_touch *x, const v3 *by) {
    ts_touch_change out;
    double dc[TS_TOUCH_POINTS];
    weights_moved(x, by, dc);
    v3 old_by = weighted(x, x->old, by), new_by = weighted(x, x->new, by);
    double slack, dshare = share_moved(x, dc, old_by, new_by, &slack);
    double sum = x->d_start + x->d_end;
    v3 d_old = v3_scale(0.5, old_by), d_new = v3_axpy(0.5, new_by, weighted(x, dc, x->mean));
    out.d_end = v3_dot(x->r_end, new_by) / x->d_end;
    for (int k = 0; k < x->points; k++) {
        double old = x->old[k], new = x->new[k];
        v3 g = v3_scale(-dshare * old, x->old_r);
        g = v3_axpy((1 - x->share) * old, d_old, g);
        g = v3_axpy(dshare * new + x->share *dc[k], x->new_r, g);
        g = v3_axpy(x->share * new, d_new, g);
        out.gradient[k] = v3_axpy(-out.d_end / sum, x->gradient[k], v3_scale(2 / sum, g));
        out.weight[k] = dshare * (new - old) + x->share * dc[k];
    }
    out.d_end += slack - x->slack * out.d_end / sum;
    return out;
}
