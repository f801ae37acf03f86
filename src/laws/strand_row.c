/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a rope from one wheel to the next, including the change of the arcs on both.
 *
 * Wheels have signed radii a and b (strand_row.h), u leads from centre to centre, c = a - b. In the
 * plane across the axles the straight piece has the length L and the angle lambda to u, and the
 * arcs change with its direction, by beta_a + lambda and beta_b + lambda relative to the wheels:
 *
 *     L = sqrt(u.u - c^2) ,   tan lambda = c/L ,
 *     way = L + a (beta_a + lambda) - b (beta_b + lambda) + const
 *         = P(u.u) + a beta_a - b beta_b + const ,        P(e) = L + c atan(c/L) ,  P' = L/(2 e) .
 *
 * beta is the angle of (u.e_1, u.e_2), two axes of the body of the wheel: forms. So the length is a
 * sum of functions of one form and of two forms; the rope pulls with its tension along its straight
 * pieces, and exerts a couple on a wheel that turns. Where u is not across an axle, beta is that of
 * its projection: the rope has a fleet angle.
 *
 * Over a step, with S = L_i + L_f, R = L_i L_f + c^2, q = c (L_f - L_i)/R, A(q) = atan(q)/q,
 *
 *     P_f - P_i = g (e_f - e_i) ,      g = (1 - c^2 A(q)/R)/S ,
 *
 * and of the angle g = (G(D)/rho) (-mean of e_2, mean of e_1), as in angle.c but for any length of
 * (e_1, e_2). The rates of g . (e_f - e_i) = y_f - y_i give zeta of (Z) at once: it is the rate of
 * g itself. So only g is computed, with its rate and its derivatives by e_f (jets).
 */
#include "laws/strand_row.h"

#include <math.h>

#include "laws/angle.h"

/* ---- jets: a number, its rate, its derivatives by up to two variables, and the rates of these
 * ---- */

enum { VARIABLES = 2 };

typedef struct jet {
    double v, t, d[VARIABLES], td[VARIABLES];
} jet;

static jet constant(double v) { return (jet){.v = v}; }
static jet moving(double v, double rate) { return (jet){.v = v, .t = rate}; }

static jet variable(double v, double rate, int k) {
    jet x = moving(v, rate);
    x.d[k] = 1;
    return x;
}

static jet plus(double a, jet x, double b, jet y) {
    jet z = {.v = a * x.v + b * y.v, .t = a * x.t + b * y.t};
    for (int k = 0; k < VARIABLES; k++)
        z.d[k] = a * x.d[k] + b * y.d[k], z.td[k] = a * x.td[k] + b * y.td[k];
    return z;
}

static jet times(jet x, jet y) {
    jet z = {.v = x.v * y.v, .t = x.t * y.v + x.v * y.t};
    for (int k = 0; k < VARIABLES; k++) {
        z.d[k] = x.d[k] * y.v + x.v * y.d[k];
        z.td[k] = x.td[k] * y.v + x.t * y.d[k] + x.d[k] * y.t + x.v * y.td[k];
    }
    return z;
}

/* f(x), from the value and two slopes of f. */
static jet of(jet x, double f, double slope, double second) {
    jet z = {.v = f, .t = slope * x.t};
    for (int k = 0; k < VARIABLES; k++)
        z.d[k] = slope * x.d[k], z.td[k] = slope * x.td[k] + second * x.t * x.d[k];
    return z;
}

static jet over(jet x, jet y) {
    double r = 1 / y.v;
    return times(x, of(y, r, -r * r, 2 * r * r * r));
}

static jet root(jet x) {
    double r = sqrt(x.v);
    return of(x, r, 0.5 / r, -0.25 / (x.v * r));
}

static jet arctangent(jet x) {
    double r = 1 / (1 + x.v * x.v);
    return of(x, atan(x.v), r, -2 * x.v * r * r);
}

/* ---- the straight piece ---- */

static const double CLOSE = 1e-12; /* wheels do not come closer than they are wide */

static double room(double square, double c) { return fmax(square - c * c, CLOSE * square); }

double ts_strand_straight(double square, double c) { return sqrt(room(square, c)); }

double ts_strand_lean(double square, double c) { return atan2(c, ts_strand_straight(square, c)); }

/* atan(q)/q; by its series where the closed form loses digits. */
static jet arctangent_ratio(jet q) {
    double x = q.v, xx = x * x, A = 0, slope = 0, second = 0, r = 1 / (1 + xx);
    if (fabs(x) < 0.1) {
        for (int k = 9; k >= 0; k--) {
            double a = (k % 2 ? -1.0 : 1.0) / (2 * k + 1);
            A = A * xx + a;
            if (k > 0) slope = slope * xx + 2 * k * a;
            if (k > 0) second = second * xx + 2 * k * (2 * k - 1) * a;
        }
        return of(q, A, slope * x, second);
    }
    A = atan(x) / x, slope = (r - A) / x, second = (-2 * x * r * r - 2 * slope) / x;
    return of(q, A, slope, second);
}

/* The discrete gradient of P. */
static jet straight_over(double c, const double *e, const double *rate) {
    jet L[2];
    for (int k = 0; k < 2; k++) {
        jet x = k ? variable(e[k], rate[k], 0) : moving(e[k], rate[k]);
        L[k] = root(plus(1, x, -1, constant(e[k] - room(e[k], c))));
    }
    jet S = plus(1, L[0], 1, L[1]), R = plus(1, times(L[0], L[1]), 1, constant(c * c));
    jet A = arctangent_ratio(over(plus(c, L[1], -c, L[0]), R));
    return over(plus(1, constant(1), -c * c, over(A, R)), S);
}

/* ---- the angle against a wheel ---- */

static const double HALF_A_TURN = 1e-12;

/* D/sin D over |e_i| |e_f|; D = 2 atan(X/(rho + Y)). */
static jet angle_factor(const jet i[2], const jet f[2]) {
    jet X = plus(1, times(i[0], f[1]), -1, times(i[1], f[0]));
    jet Y = plus(1, times(i[0], f[0]), 1, times(i[1], f[1]));
    jet rho = root(plus(1, times(X, X), 1, times(Y, Y))), sum = plus(1, rho, 1, Y);
    if (sum.v < HALF_A_TURN * rho.v) sum = constant(HALF_A_TURN * rho.v);
    jet D = plus(2, arctangent(over(X, sum)), 0, X);
    double G[3];
    ts_angle_ratio(D.v, G);
    return over(of(D, G[0], G[1], G[2]), rho);
}

static void angle_over(const double *e_i, const double *e_f, const double *rate_i,
                       const double *rate_f, jet g[2]) {
    jet i[2], f[2];
    for (int k = 0; k < 2; k++)
        i[k] = moving(e_i[k], rate_i[k]), f[k] = variable(e_f[k], rate_f[k], k);
    jet gamma = angle_factor(i, f);
    g[0] = times(gamma, plus(-0.5, i[1], -0.5, f[1]));
    g[1] = times(gamma, plus(0.5, i[0], 0.5, f[0]));
}

/* ---- the row ---- */

/* The wheels with a radius, the index of their forms, and the length that a radian of each adds. */
typedef struct wheels {
    int count, at[2], end[2];
    double by[2];
} wheels;

static wheels find_wheels(const double *data) {
    wheels w = {0};
    for (int k = 0; k < 2; k++) {
        double radius = data[k ? TS_STRAND_TO : TS_STRAND_FROM];
        if (radius == 0) continue;
        w.at[w.count] = 2 + 2 * w.count, w.end[w.count] = k;
        w.by[w.count++] = k ? -radius : radius;
    }
    return w;
}

static double difference(const double *data) { return data[TS_STRAND_FROM] - data[TS_STRAND_TO]; }

static void begin(const double *data, const double *e, double *memory) {
    wheels w = find_wheels(data);
    for (int k = 0; k < w.count; k++)
        memory[w.end[k]] = ts_angle_unwrap(memory[w.end[k]], e[w.at[k]], e[w.at[k] + 1]);
}

static double angle_after(const ts_law_step *step, int at, double before) {
    double start = ts_angle_unwrap(before, step->e_i[at], step->e_i[at + 1]);
    return ts_angle_over_step(start, step->e_i + at, step->e_f + at).angle;
}

static void commit(const ts_law_step *step, double *memory) {
    wheels w = find_wheels(step->data);
    for (int k = 0; k < w.count; k++)
        memory[w.end[k]] = angle_after(step, w.at[k], step->memory[w.end[k]]);
}

static void add_straight(const ts_law_step *step, ts_row_response *out) {
    static const double none[2] = {0};
    int m = step->m;
    double c = difference(step->data), e = step->e_f[1], L = ts_strand_straight(e, c);
    jet g = straight_over(c, (const double[]){step->e_i[1], e}, none);
    out->y += L + c * atan2(c, L);
    out->g[1] = g.v, out->dg[m + 1] = g.d[0];
    out->slope[1] = out->y_f[1] = 0.5 * L / e;
    out->y_i[1] = 0.5 * ts_strand_straight(step->e_i[1], c) / step->e_i[1];
    out->dy_f[m + 1] = 0.25 / (L * e) - 0.5 * L / (e * e);
}

static void add_angle(const ts_law_step *step, double by, int at, double before,
                      ts_row_response *out) {
    static const double none[2] = {0};
    const double *i = step->e_i + at, *f = step->e_f + at;
    double ii = i[0] * i[0] + i[1] * i[1], ff = f[0] * f[0] + f[1] * f[1];
    int m = step->m;
    jet g[2];
    angle_over(i, f, none, none, g);
    out->y += by * angle_after(step, at, before);
    for (int k = 0; k < 2; k++) {
        double sign = k ? 1 : -1;
        out->g[at + k] = by * g[k].v;
        out->slope[at + k] = out->y_f[at + k] = by * sign * f[1 - k] / ff;
        out->y_i[at + k] = by * sign * i[1 - k] / ii;
        for (int l = 0; l < 2; l++) {
            out->dg[(at + k) * m + at + l] = by * g[k].d[l];
            out->dy_f[(at + k) * m + at + l] =
                by * sign * ((k != l) / ff - 2 * f[1 - k] * f[l] / (ff * ff));
        }
    }
}

static void respond(const ts_law_step *step, ts_row_response *out) {
    wheels w = find_wheels(step->data);
    *out = (ts_row_response){.y = step->data[TS_STRAND_OFFSET] - step->e_f[0]};
    out->g[0] = out->slope[0] = out->y_f[0] = out->y_i[0] = -1;
    add_straight(step, out);
    for (int k = 0; k < w.count; k++)
        add_angle(step, w.by[k], w.at[k], step->memory[w.end[k]], out);
}

static void rate(const ts_law_step *step, const double *edot_i, const double *edot_f,
                 ts_row_zeta *out) {
    wheels w = find_wheels(step->data);
    int m = step->m;
    *out = (ts_row_zeta){0};
    jet straight =
        straight_over(difference(step->data), (const double[]){step->e_i[1], step->e_f[1]},
                      (const double[]){edot_i[1], edot_f[1]});
    out->zeta[1] = straight.t;
    out->d_e[m + 1] = straight.td[0], out->d_edot[m + 1] = straight.d[0];
    for (int n = 0; n < w.count; n++) {
        int at = w.at[n];
        jet g[2];
        angle_over(step->e_i + at, step->e_f + at, edot_i + at, edot_f + at, g);
        for (int k = 0; k < 2; k++) {
            out->zeta[at + k] = w.by[n] * g[k].t;
            for (int l = 0; l < 2; l++) {
                out->d_e[(at + k) * m + at + l] = w.by[n] * g[k].td[l];
                out->d_edot[(at + k) * m + at + l] = w.by[n] * g[k].d[l];
            }
        }
    }
}

const ts_rowlaw TS_STRAND_ROW = {.name = "strand",
                                 .memory = 2,
                                 .pieces = true,
                                 .begin = begin,
                                 .respond = respond,
                                 .rate = rate,
                                 .commit = commit};
