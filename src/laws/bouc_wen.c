/* SPDX-License-Identifier: Apache-2.0 */
/* Bouc and Wen's hysteresis, integrated exactly along a displacement of one sense.
 *
 * The share zeta of the strength, -1 to 1, follows the displacement u, in units of the elastic
 * deflection at the strength:
 *
 *     d zeta/d u = 1 - |zeta|^n [ b sign(zeta du) + 1 - b ] ,     1/2 <= b <= 1
 *
 * (R. Bouc 1967; Y.-K. Wen, J. Eng. Mech. Div. ASCE 102 (1976) 249, with beta + gamma = 1, b =
 * beta). It does not depend on time. With p = |zeta|, p' = 1 - p^n away from zero, and p' = -(1 +
 * (2 b - 1) p^n) back to zero; a displacement that reaches zero continues away from zero.
 *
 * Away from zero w = -log(1 - p) is used, in which the speed h = (1 - p^n)/(1 - p) lies between 1
 * and n:
 *
 *     u = integral dw/h ,     integral p du = integral p/h dw .
 *
 * The end of the displacement is found by Newton's method; both integrals are computed by
 * Gauss-Legendre quadrature with ten points on pieces (Abramowitz and Stegun, table 25.4). The
 * unknown is the change of w or p, so that nothing cancels for short displacements.
 */
#include "laws/bouc_wen.h"

#include <math.h>
#include <stdbool.h>

#include "math/gauss.h"

enum { MOST_ITERATIONS = 60 };

/* A piece of the displacement in one variable q, w or p. */
typedef struct leg {
    const ts_bouc_wen *law;
    double start;
    bool away; /* away from zero: q = w grows; otherwise back to zero: q = p falls */
} leg;

/* (1 - p^n)/(1 - p), from 1 - p = r, which is small at the end. */
static double speed(double n, double r) { return r < 1e-9 ? n : -expm1(n * log1p(-r)) / r; }

/* du/dq, in size, and p. */
static double per_q(const leg *l, double q, double *p) {
    double n = l->law->exponent;
    if (l->away) {
        *p = -expm1(-q);
        return *p > 0 ? 1 / speed(n, exp(-q)) : 1;
    }
    *p = fmax(q, 0);
    return 1 / (1 + (2 * l->law->shape - 1) * pow(*p, n));
}

/* Adds the displacement between two points, counted from `low`, and the integral of p along it. */
static void add_piece(const leg *l, double low, double from, double to, double sum[2]) {
    double half = 0.5 * (to - from), middle = 0.5 * (to + from), p;
    for (int i = 0; i < TS_GAUSS_POINTS; i++) {
        double at = middle + half * TS_GAUSS[i].x;
        double du = half * TS_GAUSS[i].weight * per_q(l, low + at, &p);
        sum[0] += du, sum[1] += p * du;
    }
}

/* The displacement as q changes by x, and the integral of p along it. p^n is not smooth at zero
 * unless n is whole: pieces are short there. */
static double way_to(const leg *l, double x, double *area) {
    const double longest = 0.5, shortest = 1e-3;
    double low = l->away ? l->start : l->start - x, from = 0, sum[2] = {0};
    while (from < x) {
        double q = low + from, to = fmin(from + longest, fmax(2 * q, shortest) - low);
        to = to > from ? fmin(to, x) : x;
        add_piece(l, low, from, to, sum);
        from = to;
    }
    *area = sum[1];
    return sum[0];
}

/* The change of q over a displacement, limited to `most`. */
static double reached(const leg *l, double way, double most, double *area) {
    double x = fmin(way, most), p;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double missing = way - way_to(l, x, area);
        double step = missing / per_q(l, l->away ? l->start + x : l->start - x, &p);
        x = fmin(fmax(x + step, 0.5 * x), most);
        if (!(fabs(step) > 1e-9 * x)) break;
    }
    way_to(l, x, area);
    return x;
}

/* Beyond w = 40, 1 - p is below round-off: p = 1 to the end of the displacement. */
static double away(const ts_bouc_wen *law, double p, double way, double *area) {
    const double full = 40;
    leg l = {law, p < 1 ? fmin(-log1p(-p), full) : full, true};
    double room = full - l.start;
    if (way * law->exponent >= room) { /* the speed in w is n at most */
        double most = way_to(&l, room, area);
        *area += way - most;
        if (way >= most) return 1;
    }
    return -expm1(-(l.start + reached(&l, way, room, area)));
}

ts_bouc_wen_step ts_bouc_wen_over(const ts_bouc_wen *law, double zeta, double u) {
    double sense = u < 0 ? -1 : 1, way = fabs(u), p = fmin(fabs(zeta), 1), n = law->exponent;
    double area = 0, after = 0, end;
    bool back = zeta * u < 0;
    if (back) {
        leg l = {law, p, false};
        double zero = way_to(&l, p, &area);
        if (way < zero) {
            end = fmax(p - reached(&l, way, p, &area), 0);
            double slope = 1 + (2 * law->shape - 1) * pow(end, n);
            return (ts_bouc_wen_step){-sense * end, -sense * area / way, slope};
        }
        area = -area, p = 0, after = way - zero;
    }
    double more = 0;
    end = away(law, p, back ? after : way, &more);
    area += more;
    return (ts_bouc_wen_step){sense * end, way > 0 ? sense * area / way : zeta, 1 - pow(end, n)};
}
