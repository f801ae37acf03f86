/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes over points: the length of the path, sum of l_k, compared with the rope's own length p.
 *
 * The squares of lengths are forms, e_k = l_k^2. Over a step
 *
 *     l_f - l_i = (e_f - e_i)/(l_i + l_f) ,
 *     edot_f/(2 l_f) - edot_i/(2 l_i) = (edot_f - edot_i)/S + zeta (e_f - e_i) ,
 *     zeta = -(edot_f/l_f + edot_i/l_i)/(2 S^2) ,       S = l_i + l_f .
 *
 * A rope that does not stretch has sum l_k - p = 0. One that does stores, with w = sum l_k,
 *
 *     V(w, p) = EA <w - p>^2/(2 p) ,      pull EA (w - p)/p ,
 *
 * and nothing where it is slack. p may change, by a winch: the rope is let out under its tension T,
 * and -dV/dp = T + T^2/(2 EA) is the force on the winch, including the energy that leaves with the
 * rope. With the strain x = w/p - 1 the energy is EA p <x>^2/2, and w = p (1 + x); by the product
 * rule of means (bars) and differences
 *
 *     dV = (EA/2) [ bar p d<x>^2 + bar <x>^2 dp ] ,      dw = bar p dx + (1 + bar x) dp ,
 *     of w:  (EA/2) S ,      of p:  (EA/2) [ bar <x>^2 - S (1 + bar x) ] ,
 *     S = (<x_f>^2 - <x_i>^2)/(x_f - x_i) ,   2 bar x where taut.
 *
 * So a rope with constant strain has constant tension, however much of it is let out in a step;
 * mixing the path length at one end of the step with the rope length at the other would make it
 * slack or overstretched.
 */
#include "laws/rope_law.h"

#include <math.h>
#include <string.h>

/* ---- a rope that does not stretch ---- */

static void respond_row(const ts_law_step *step, ts_row_response *out) {
    int m = step->m;
    memset(out->dg, 0, (size_t)(m * m) * sizeof(double));
    memset(out->dy_f, 0, (size_t)(m * m) * sizeof(double));
    out->y = -step->e_f[0];
    out->g[0] = out->slope[0] = out->y_f[0] = out->y_i[0] = -1;
    for (int k = 1; k < m; k++) {
        double l_i = sqrt(step->e_i[k]), l_f = sqrt(step->e_f[k]), S = l_i + l_f;
        out->y += l_f;
        out->g[k] = 1 / S, out->dg[k * m + k] = -0.5 / (l_f * S * S);
        out->slope[k] = out->y_f[k] = 0.5 / l_f, out->y_i[k] = 0.5 / l_i;
        out->dy_f[k * m + k] = -0.25 / (l_f * l_f * l_f);
    }
}

static void rate_row(const ts_law_step *step, const double *edot_i, const double *edot_f,
                     ts_row_zeta *out) {
    int m = step->m;
    memset(out->d_e, 0, (size_t)(m * m) * sizeof(double));
    memset(out->d_edot, 0, (size_t)(m * m) * sizeof(double));
    out->zeta[0] = 0;
    for (int k = 1; k < m; k++) {
        double l_i = sqrt(step->e_i[k]), l_f = sqrt(step->e_f[k]), S = l_i + l_f;
        double rates = edot_f[k] / l_f + edot_i[k] / l_i;
        out->zeta[k] = -0.5 * rates / (S * S);
        out->d_edot[k * m + k] = -0.5 / (l_f * S * S);
        out->d_e[k * m + k] =
            0.25 * edot_f[k] / (l_f * l_f * l_f * S * S) + 0.5 * rates / (l_f * S * S * S);
    }
}

/* The gradient of y at the end is exact everywhere: as that of a path. */
const ts_rowlaw TS_ROPE_ROW = {
    .name = "rope", .pieces = true, .respond = respond_row, .rate = rate_row};

/* ---- a rope that stretches ---- */

static double way_of(int m, const double *e) {
    double w = 0;
    for (int k = 1; k < m; k++) w += sqrt(e[k]);
    return w;
}

static double taut(double x) { return x > 0 ? x : 0; }

static double stored(double EA, double w, double p) {
    return 0.5 * EA * taut(w - p) * taut(w - p) / p;
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory;
    return stored(data[0], way_of(m, e), e[0]);
}

/* (<b>^2 - <a>^2)/(b - a), and its derivative by b. */
typedef struct quotient {
    double value, b;
} quotient;

static quotient squares(double a, double b) {
    if (a >= 0 && b >= 0) return (quotient){a + b, 1};
    if (a <= 0 && b <= 0) return (quotient){0, 0};
    double S = (taut(b) * taut(b) - taut(a) * taut(a)) / (b - a);
    return (quotient){S, (2 * taut(b) - S) / (b - a)};
}

/* Forces on the path length and on the rope length, and their derivatives by both at the end. */
typedef struct pulls {
    double w, p, w_w, w_p, p_w, p_p;
} pulls;

static pulls pulls_over(double EA, double w_i, double w_f, double p_i, double p_f) {
    double x_i = (w_i - p_i) / p_i, x_f = (w_f - p_f) / p_f, stretch = 1 + 0.5 * (x_i + x_f);
    double by_w = 1 / p_f, by_p = -w_f / (p_f * p_f), half = 0.5 * EA; /* of x_f */
    quotient S = squares(x_i, x_f);
    double square = 0.5 * (taut(x_i) * taut(x_i) + taut(x_f) * taut(x_f));
    double slope = half * (taut(x_f) - S.b * stretch - 0.5 * S.value);
    return (pulls){.w = half * S.value,
                   .p = half * (square - S.value * stretch),
                   .w_w = half * S.b * by_w,
                   .w_p = half * S.b * by_p,
                   .p_w = slope * by_w,
                   .p_p = slope * by_p};
}

static void respond(const ts_law_step *step, ts_response *out) {
    int m = step->m;
    const double *e_i = step->e_i, *e_f = step->e_f, EA = step->data[0];
    double w_f = way_of(m, e_f), by[TS_MAX_FORMS], slope[TS_MAX_FORMS];
    pulls x = pulls_over(EA, way_of(m, e_i), w_f, e_i[0], e_f[0]);
    for (int k = 1; k < m; k++) {
        double l_f = sqrt(e_f[k]);
        by[k] = 1 / (sqrt(e_i[k]) + l_f), slope[k] = 0.5 / l_f;
    }
    out->s[0] = x.p, out->ds[0] = x.p_p;
    for (int k = 1; k < m; k++) {
        out->s[k] = x.w * by[k];
        out->ds[k] = x.p_w * slope[k], out->ds[k * m] = x.w_p * by[k];
        for (int j = 1; j < m; j++) out->ds[k * m + j] = x.w_w * by[k] * slope[j];
        out->ds[k * m + k] -= x.w * by[k] * by[k] * slope[k];
    }
    out->stored = stored(EA, w_f, e_f[0]);
    out->dissipated = out->work = 0;
}

/* Stiffness of w - p, of a taut rope. */
static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    double b[TS_MAX_FORMS];
    bool slack = way_of(m, e) <= e[0];
    (void)memory;
    b[0] = -1;
    for (int k = 1; k < m; k++) b[k] = 0.5 / sqrt(e[k]);
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) K[j * m + k] = slack ? 0 : data[0] / e[0] * b[j] * b[k];
}

static bool conserves(const double *data) { return (void)data, true; }

const ts_law TS_ROPE_LAW = {.name = "rope",
                            .energy = energy,
                            .respond = respond,
                            .conserves = conserves,
                            .stiffness = stiffness};

/* ---- a rope whose path length is a form, e_1 ---- */

static double energy_of_way(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    return stored(data[0], e[1], e[0]);
}

static void respond_way(const ts_law_step *step, ts_response *out) {
    const double *e_i = step->e_i, *e_f = step->e_f;
    pulls x = pulls_over(step->data[0], e_i[1], e_f[1], e_i[0], e_f[0]);
    *out = (ts_response){.s = {x.p, x.w},
                         .ds = {x.p_p, x.p_w, x.w_p, x.w_w},
                         .stored = stored(step->data[0], e_f[1], e_f[0])};
}

static void stiffness_of_way(const double *data, const double *memory, int m, const double *e,
                             double *K) {
    (void)memory, (void)m;
    double k = e[1] > e[0] ? data[0] / e[0] : 0;
    K[0] = K[3] = k, K[1] = K[2] = -k;
}

const ts_law TS_ROPE_WAY_LAW = {.name = "rope",
                                .energy = energy_of_way,
                                .respond = respond_way,
                                .conserves = conserves,
                                .stiffness = stiffness_of_way};

/* ---- an element of a cable of variable length ---- */

/* Strain; a slack cable has none. */
static double strain_of(const double *e) { return fmax(sqrt(e[1]) / e[0] - 1, 0); }

static void section(const double *data, const double *e, int point, double *strain, double *force) {
    (void)point;
    strain[0] = strain_of(e);
    force[0] = data[1] * data[0] * strain[0];
}

static bool section_stiffness(const double *data, int point, double *K) {
    for (int i = 0; i < 36; i++) K[i] = 0;
    return K[0] = data[0] * data[1], point == 0;
}

/* Strain over the step, including ED's jump of the forms. */
static void strain_over(const ts_law_step *step, const ts_stage_step *rates, double *end,
                        double *half) {
    double e[2];
    for (int k = 0; k < 6; k++) end[k] = half[k] = 0;
    for (int k = 0; k < 2; k++)
        e[k] =
            step->e_f[k] +
            rates->h / 12 * (rates->alpha * rates->of_a[k] - (rates->edot_f[k] - rates->edot_i[k]));
    end[0] = strain_of(step->e_f), half[0] = strain_of(e) - end[0];
}

const ts_law TS_ROPE_ELEMENT_LAW = {.name = "cable of variable length",
                                    .energy = energy,
                                    .respond = respond,
                                    .conserves = conserves,
                                    .stiffness = stiffness,
                                    .section = section,
                                    .section_stiffness = section_stiffness,
                                    .strain_over = strain_over};
