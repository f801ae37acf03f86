/* SPDX-License-Identifier: Apache-2.0 */
/* Angles as functions of (cos, sin): unwrapped over any number of turns, with the discrete gradient
 * of a step.
 *
 * For e = (c, s), D = th_f - th_i in (-pi, pi), m the mean of i and f, rho = |e_i| |e_f|:
 *
 *     X = c_i s_f - s_i c_f = c_m (s_f - s_i) - s_m (c_f - c_i) = rho sin D
 *     g = gamma (-s_m, c_m),   gamma = D / X = G(D) / rho,   G(D) = D / sin D,   g.(e_f - e_i) = D
 *
 * exactly, whatever the lengths of e_i and e_f. Of the rates (S1 eqs 57-59 carried to the stage):
 * with the gradient y' = (-s, c) on the unit circle, averaging the product rule gives
 *
 *     y'_f.edot_f - y'_i.edot_i = n.(edot_f - edot_i) + (sdot_m, -cdot_m).(e_f - e_i),
 *     zeta = (sdot_m, -cdot_m) + K(D) N n,   N = n.(edot_f - edot_i),   K(D) = (1 - G(D)) / sin D .
 */
#include <math.h>

#include "laws/angle.h"
#include "model/law.h"

#define TAU 6.283185307179586476925287

double ts_angle_unwrap(double previous, double c, double s) {
    double angle = atan2(s, c);
    return angle + TAU * round((previous - angle) / TAU);
}

/* Series are used below 0.3, where the closed forms lose digits to cancellation. Further terms are
 * below round-off. */
enum { TERMS = 8 };
static const double G_SLOPE[TERMS] = {1.0 / 3,
                                      7.0 / 90,
                                      31.0 / 2520,
                                      127.0 / 75600,
                                      73.0 / 342144,
                                      1414477.0 / 54486432000.0,
                                      8191.0 / 2668723200.0,
                                      16931177.0 / 47636709120000.0};
static const double K_VALUE[TERMS] = {-1.0 / 6,
                                      -17.0 / 360,
                                      -43.0 / 5040,
                                      -769.0 / 604800,
                                      -4097.0 / 23950080,
                                      -4717457.0 / 217945728000.0,
                                      -19661.0 / 7472424960.0,
                                      -1659309601.0 / 5335311421440000.0};

static bool is_small(double d) { return fabs(d) < 0.3; }

static double odd_series(const double *a, double d) {
    double sum = 0, dd = d * d;
    for (int k = TERMS - 1; k >= 0; k--) sum = sum * dd + a[k];
    return sum * d;
}

static double odd_series_slope(const double *a, double d) {
    double sum = 0, dd = d * d;
    for (int k = TERMS - 1; k >= 0; k--) sum = sum * dd + (2 * k + 1) * a[k];
    return sum;
}

/* Half a turn in one step has no direction: the sine is kept away from zero, so that an iterate
 * that passes this point stays finite. */
static double sine(double d) {
    double s = sin(d);
    return fabs(s) > 1e-12 ? s : copysign(1e-12, s);
}

static double G(double d) { return fabs(d) < 1e-9 ? 1 : d / sine(d); }

static double G_slope(double d) {
    double s = sine(d);
    return is_small(d) ? odd_series(G_SLOPE, d) : (s - d * cos(d)) / (s * s);
}

void ts_angle_ratio(double d, double out[3]) {
    double s = sine(d), c = cos(d);
    out[0] = G(d), out[1] = G_slope(d);
    out[2] = is_small(d) ? odd_series_slope(G_SLOPE, d)
                         : (d * s * s - 2 * c * (s - d * c)) / (s * s * s);
}

static double K(double d) {
    double s = sine(d);
    return is_small(d) ? odd_series(K_VALUE, d) : (s - d) / (s * s);
}

static double K_slope(double d) {
    double s = sine(d), c = cos(d);
    if (is_small(d)) return odd_series_slope(K_VALUE, d);
    return ((c - 1) * s - 2 * (s - d) * c) / (s * s * s);
}

static double turned(const double *i, const double *f) {
    return atan2(i[0] * f[1] - i[1] * f[0], i[0] * f[0] + i[1] * f[1]);
}

ts_angle_step ts_angle_over_step(double angle_i, const double *cs_i, const double *cs_f) {
    double c = cs_f[0], s = cs_f[1], rr = c * c + s * s;
    double rho = sqrt((cs_i[0] * cs_i[0] + cs_i[1] * cs_i[1]) * rr);
    double n[2] = {-0.5 * (cs_i[1] + s), 0.5 * (cs_i[0] + c)};
    ts_angle_step out = {.delta = turned(cs_i, cs_f)};
    double gamma = G(out.delta) / rho, slope = G_slope(out.delta) / rho;
    double dgamma[2] = {(-slope * s - gamma * c) / rr, (slope * c - gamma * s) / rr};
    out.angle = ts_angle_unwrap(angle_i + out.delta, c, s);
    for (int j = 0; j < 2; j++) {
        out.g[j] = gamma * n[j];
        for (int k = 0; k < 2; k++) out.dg[2 * j + k] = n[j] * dgamma[k];
    }
    out.dg[1] -= 0.5 * gamma;
    out.dg[2] += 0.5 * gamma;
    return out;
}

static inline ts_angle_rate rate_over(const double *i, const double *f, const double *edot_i,
                                      const double *edot_f) {
    double delta = turned(i, f), rr = f[0] * f[0] + f[1] * f[1];
    double n[2] = {-0.5 * (i[1] + f[1]), 0.5 * (i[0] + f[0])};
    double jump[2] = {edot_f[0] - edot_i[0], edot_f[1] - edot_i[1]};
    double N = n[0] * jump[0] + n[1] * jump[1], k = K(delta), dk = K_slope(delta) / rr;
    ts_angle_rate out;
    out.zeta[0] = 0.5 * (edot_i[1] + edot_f[1]) + k * N * n[0];
    out.zeta[1] = -0.5 * (edot_i[0] + edot_f[0]) + k * N * n[1];

    // derivative of K(D) N, then of n; J = [0 -1; 1 0] turns (c, s) into (-s, c)
    double d_kN[2] = {-dk * f[1] * N + 0.5 * k * jump[1], dk * f[0] * N - 0.5 * k * jump[0]};
    for (int j = 0; j < 2; j++)
        for (int l = 0; l < 2; l++) {
            out.d_e[2 * j + l] = n[j] * d_kN[l];
            out.d_edot[2 * j + l] = n[j] * k * n[l];
        }
    out.d_e[1] -= 0.5 * k * N, out.d_e[2] += 0.5 * k * N;
    out.d_edot[1] += 0.5, out.d_edot[2] -= 0.5;
    return out;
}

ts_angle_rate ts_angle_rate_over(const double *i, const double *f, const double *edot_i,
                                 const double *edot_f) {
    return rate_over(i, f, edot_i, edot_f);
}

/* ---- the row  y = data[0] angle + data[1] e[2] ---- */

static void begin(const double *data, const double *e, double *memory) {
    (void)data;
    memory[0] = ts_angle_unwrap(memory[0], e[0], e[1]);
}

/* Adds a times the angle of the forms at, at + 1, whose value at the start of the step is
 * angle_i. */
static void add_angle(const ts_law_step *step, double a, int at, double angle_i,
                      ts_row_response *out) {
    const double *e_i = step->e_i + at, *e_f = step->e_f + at;
    int m = step->m;
    ts_angle_step angle = ts_angle_over_step(angle_i, e_i, e_f);
    out->y += a * angle.angle;
    double rr = e_f[0] * e_f[0] + e_f[1] * e_f[1]; /* 1 except off the other rows */
    out->slope[at] = -a * e_f[1] / rr, out->slope[at + 1] = a * e_f[0] / rr;
    for (int j = 0; j < 2; j++) {
        out->g[at + j] = a * angle.g[j];
        for (int k = 0; k < 2; k++) out->dg[(at + j) * m + at + k] = a * angle.dg[2 * j + k];
    }
    out->y_f[at] = -a * e_f[1], out->y_f[at + 1] = a * e_f[0];
    out->y_i[at] = -a * e_i[1], out->y_i[at + 1] = a * e_i[0];
    out->dy_f[at * m + at + 1] = -a, out->dy_f[(at + 1) * m + at] = a;
}

static void add_form(const ts_law_step *step, double b, int at, ts_row_response *out) {
    out->y += b * step->e_f[at];
    out->g[at] = out->slope[at] = out->y_f[at] = out->y_i[at] = b;
}

static void add_angle_rate(const ts_law_step *step, double a, int at, const double *edot_i,
                           const double *edot_f, ts_row_zeta *out) {
    ts_angle_rate rate = rate_over(step->e_i + at, step->e_f + at, edot_i + at, edot_f + at);
    for (int j = 0; j < 2; j++) {
        out->zeta[at + j] = a * rate.zeta[j];
        for (int l = 0; l < 2; l++) {
            out->d_e[(at + j) * step->m + at + l] = a * rate.d_e[2 * j + l];
            out->d_edot[(at + j) * step->m + at + l] = a * rate.d_edot[2 * j + l];
        }
    }
}

/* Clears the entries of the forms in use only: rows have room for many. */
static void clear(int m, double y, ts_row_response *out) {
    out->y = y;
    for (int k = 0; k < m; k++) out->slope[k] = out->g[k] = out->y_f[k] = out->y_i[k] = 0;
    for (int k = 0; k < m * m; k++) out->dg[k] = out->dy_f[k] = 0;
}

static void clear_rate(int m, ts_row_zeta *out) {
    for (int k = 0; k < m; k++) out->zeta[k] = 0;
    for (int k = 0; k < m * m; k++) out->d_e[k] = out->d_edot[k] = 0;
}

static void respond(const ts_law_step *step, ts_row_response *out) {
    clear(step->m, 0, out);
    add_angle(step, step->data[0], 0, step->memory[0], out);
    if (step->m == 3) add_form(step, step->data[1], 2, out);
}

static void rate(const ts_law_step *step, const double *edot_i, const double *edot_f,
                 ts_row_zeta *out) {
    clear_rate(step->m, out);
    add_angle_rate(step, step->data[0], 0, edot_i, edot_f, out);
}

static void commit(const ts_law_step *step, double *memory) {
    memory[0] = ts_angle_over_step(step->memory[0], step->e_i, step->e_f).angle;
}

const ts_rowlaw TS_ANGLE_ROW = {.name = "angle",
                                .memory = 1,
                                .begin = begin,
                                .respond = respond,
                                .rate = rate,
                                .commit = commit};

/* ---- the row  y = data[0] (angle - data[2]) + data[1] (second angle - data[3]) ---- */

static void begin_two(const double *data, const double *e, double *memory) {
    for (int k = 0; k < 2; k++) memory[k] = ts_angle_unwrap(data[2 + k], e[2 * k], e[2 * k + 1]);
}

static void respond_two(const ts_law_step *step, ts_row_response *out) {
    const double *data = step->data;
    clear(step->m, -data[0] * data[2] - data[1] * data[3], out);
    for (int k = 0; k < 2; k++) add_angle(step, data[k], 2 * k, step->memory[k], out);
}

static void rate_two(const ts_law_step *step, const double *edot_i, const double *edot_f,
                     ts_row_zeta *out) {
    clear_rate(step->m, out);
    for (int k = 0; k < 2; k++) add_angle_rate(step, step->data[k], 2 * k, edot_i, edot_f, out);
}

static void commit_two(const ts_law_step *step, double *memory) {
    for (int k = 0; k < 2; k++)
        memory[k] = ts_angle_over_step(step->memory[k], step->e_i + 2 * k, step->e_f + 2 * k).angle;
}

const ts_rowlaw TS_TWO_ANGLES_ROW = {.name = "two angles",
                                     .memory = 2,
                                     .begin = begin_two,
                                     .respond = respond_two,
                                     .rate = rate_two,
                                     .commit = commit_two};
