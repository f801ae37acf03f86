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
 * momentum are kept. Divided by d_i + d_f, G is the gradient of the distance itself.
 *
 * Slopes. The nearest point of a simplex of corners w_m moves with weights l_m, of sum 1, by
 *
 *     sum_b (e_a . e_b) dl_b = - e_a . sum l dw - r . (dw_a - dw_0) ,    e_a = w_a - w_0 ,
 *
 * the derivative of e_a . r = 0.
 *
 * C. Hesch and P. Betsch, Int. J. Numer. Meth. Eng. 77 (2009) 1468, take invariants and a quotient
 * by the square of their change; the minimum makes that unnecessary.
 */
#include "contact/envelope.h"

#include <math.h>

/* theta is a half where A + B is less than this of the squared distance: then A and B differ by far
 * less than that, and their quotient would be rounding. */
static const double SAME = 1e-13;
/* Determinant of the simplex over the product of its diagonal: less is none (parallel edges). */
static const double FLAT = 1e-12;

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

/* |sum c p|^2 - |sum c' p|^2, without the difference of squares. */
static double excess(const ts_touch *x, const double *c, const double *least, const v3 *p) {
    double less[TS_TOUCH_POINTS], sum[TS_TOUCH_POINTS];
    for (int k = 0; k < x->points; k++) less[k] = c[k] - least[k], sum[k] = c[k] + least[k];
    return fmax(v3_dot(weighted(x, less, p), weighted(x, sum, p)), 0);
}

static void find_share(ts_touch *x) {
    double A = excess(x, x->old, x->new, x->end), B = excess(x, x->new, x->old, x->start);
    bool same = A + B <= SAME * (x->d_start * x->d_start + x->d_end * x->d_end);
    x->spread = same ? 0 : A + B;
    x->share = same ? 0.5 : A / (A + B);
}

bool ts_touch_over(const ts_core start[2], const ts_core end[2], ts_touch *x) {
    ts_nearest first = ts_nearest_points(&start[0], &start[1]);
    x->nearest = ts_nearest_points(&end[0], &end[1]);
    x->d_start = v3_norm(first.r), x->d_end = v3_norm(x->nearest.r);
    if (!(x->d_start > 0 && x->d_end > 0)) return false;
    x->points = 0;
    for (int m = 0; m < first.count; m++) {
        int a = point_of(x, start, end, false, first.a[m]);
        int b = point_of(x, start, end, true, first.b[m]);
        x->old[a] += first.weight[m], x->old[b] -= first.weight[m];
    }
    for (int m = 0; m < x->nearest.count; m++) {
        int a = x->at_a[m] = point_of(x, start, end, false, x->nearest.a[m]);
        int b = x->at_b[m] = point_of(x, start, end, true, x->nearest.b[m]);
        x->new[a] += x->nearest.weight[m], x->new[b] -= x->nearest.weight[m];
    }
    x->r_end = x->nearest.r;
    x->old_r = weighted(x, x->old, x->mean), x->new_r = weighted(x, x->new, x->mean);
    find_share(x);
    double of = 2 / (x->d_start + x->d_end);
    for (int k = 0; k < x->points; k++)
        x->gradient[k] = v3_axpy(of * (1 - x->share) * x->old[k], x->old_r,
                                 v3_scale(of * x->share * x->new[k], x->new_r));
    return true;
}

/* ---- slopes ---- */

/* How the weights of the simplex at the end change. */
static void weights_moved(const ts_touch *x, const v3 *by, double *change) {
    const ts_nearest *n = &x->nearest;
    v3 dw[TS_NEAREST_PAIRS], e[2], dr = {0, 0, 0};
    double E[2][2], f[2], dl[3] = {0};
    int free = n->count - 1;
    for (int m = 0; m < n->count; m++) {
        dw[m] = v3_sub(by[x->at_a[m]], by[x->at_b[m]]);
        dr = v3_axpy(n->weight[m], dw[m], dr);
    }
    for (int a = 0; a < free; a++) {
        v3 w0 = v3_sub(x->end[x->at_a[0]], x->end[x->at_b[0]]);
        e[a] = v3_sub(v3_sub(x->end[x->at_a[a + 1]], x->end[x->at_b[a + 1]]), w0);
        f[a] = -v3_dot(e[a], dr) - v3_dot(x->r_end, v3_sub(dw[a + 1], dw[0]));
    }
    for (int a = 0; a < free; a++)
        for (int b = 0; b < free; b++) E[a][b] = v3_dot(e[a], e[b]);
    double det = free == 2 ? E[0][0] * E[1][1] - E[0][1] * E[1][0] : 0;
    if (free == 2 && det > FLAT * E[0][0] * E[1][1]) {
        dl[1] = (E[1][1] * f[0] - E[0][1] * f[1]) / det;
        dl[2] = (E[0][0] * f[1] - E[1][0] * f[0]) / det;
    } else if (free >= 1) {
        dl[1] = f[0] / E[0][0];
    }
    dl[0] = -dl[1] - dl[2];
    for (int k = 0; k < x->points; k++) change[k] = 0;
    for (int m = 0; m < n->count; m++) change[x->at_a[m]] += dl[m], change[x->at_b[m]] -= dl[m];
}

/* How theta changes, with the weights at the end changing by `by_c`. */
static double share_moved(const ts_touch *x, const double *by_c, v3 old_by, v3 new_by) {
    if (x->spread == 0) return 0;
    double dA = 2 * (v3_dot(weighted(x, x->old, x->end), old_by) - v3_dot(x->r_end, new_by));
    double dB = 2 * v3_dot(weighted(x, x->new, x->start), weighted(x, by_c, x->start));
    return (dA - x->share * (dA + dB)) / x->spread;
}

ts_touch_change ts_touch_moved(const ts_touch *x, const v3 *by) {
    ts_touch_change out;
    double dc[TS_TOUCH_POINTS];
    weights_moved(x, by, dc);
    v3 old_by = weighted(x, x->old, by), new_by = weighted(x, x->new, by);
    double dshare = share_moved(x, dc, old_by, new_by), sum = x->d_start + x->d_end;
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
    return out;
}
