/* SPDX-License-Identifier: Apache-2.0 */
/* The functions r and w of a turn are analytic in u = 1 - cos t for u < 2:
 *
 *     r = sum R_k u^k ,  R_k = R_(k-1) k/(2k + 1)            w = sum w_k u^k ,
 *     w_k = (w_(k-1) - R_(k+1))/2 .
 *
 * Horner's scheme carries divided differences along (p = c + x q has p[x, y] = q(y) + x q[x, y]),
 * so that they are accurate to the last digit for small turns. For larger turns r and w are
 * computed by their definitions; they satisfy
 *
 *     u (2 - u) r' = 1 - (1 - u) r ,     u (2 - u) w' = -r' - 2 (1 - u) w ,
 *
 * and where both ends are close the divided difference is the integral of the derivative between
 * them, by Gauss' rule; those of higher order are integrals of higher derivatives.
 */
#include "laws/beam/helix_turn.h"

#include <math.h>
#include <stdbool.h>

enum { TERMS = 22, GAUSS = 5 };

/* Both series side by side: R_k, w_k. */
typedef double two __attribute__((vector_size(16)));
static const two C[TERMS] = {
    {1, -0.16666666666666666},
    {0.33333333333333331, -0.14999999999999999},
    {0.13333333333333333, -0.10357142857142858},
    {0.057142857142857141, -0.064484126984126991},
    {0.025396825396825397, -0.038014069264069264},
    {0.011544011544011544, -0.021671037296037296},
    {0.005328005328005328, -0.012078719891219891},
    {0.0024864024864024864, -0.0066243958247634719},
    {0.0011700717583070525, -0.0035893201709281432},
    {0.00055424451709281427, -0.0019266230657242654},
    {0.00026392596052038776, -0.0010264242625517906},
    {0.00012622545937931588, -0.00054350624152693118},
    {6.0588220502071629e-05, -0.00028633917384729765},
    {2.9172106167664115e-05, -0.00015021112979170568},
    {1.4083085736113711e-05, -7.8512763057815823e-05},
    {6.8143963239259889e-06, -4.0908356395314216e-05},
    {3.3039497328126009e-06, -2.1256565989911596e-05},
    {1.6047755845089777e-06, -1.1018633812809333e-05},
    {7.8070163570707017e-07, -5.699487817666645e-06},
    {3.8034182252395724e-07, -2.9425102070098976e-06},
    {1.8553259635314989e-07, -1.5165595747074622e-06},
    {9.0608942405026686e-08, -7.8042863994162651e-07},
};

/* Number of terms that leaves a remainder (u/2)^n below 1e-17; 0: too many. */
static int terms_for(double u_i, double u_f) {
    double u = fmax(fabs(u_i), fabs(u_f));
    return u < 0x1p-18 ? 3 : u < 0x1p-9 ? 6 : u < 0x1p-5 ? 10 : u < 0.25 ? TERMS : 0;
}

/* ---- small turns ---- */

static void series_values(int n, double u_i, double u_f, ts_helix_turn *x) {
    two c = C[n - 1], d = {0, 0};
    for (int k = n - 2; k > 0; k--) d = c + u_i * d, c = C[k] + u_f * c;
    d = c + u_i * d, c = (two){0, C[0][1]} + u_f * c; /* without R_0 = 1 */
    x->r_f = c[0], x->w_f = c[1], x->dr = d[0], x->dw = d[1];
    x->r_i = c[0] - d[0] * (u_f - u_i), x->w_i = c[1] - d[1] * (u_f - u_i);
}

/* A series c_0 + c_1 u + ...: values less c_0, and divided differences; the letters name their
 * arguments. */
typedef struct series {
    two i, f, ii, ff, in, iif, iff; /* in: p[i, f] */
} series;

static series series_at(int n, double u_i, double u_f) {
    series p = {.i = C[n - 1], .f = C[n - 1]};
    for (int k = n - 2; k >= 0; k--) {
        two add = k > 0 ? C[k] : (two){0, 0};
        p.iff = p.ff + u_i * p.iff, p.iif = p.ii + u_f * p.iif;
        p.in = p.f + u_i * p.in, p.ff = p.f + u_f * p.ff, p.ii = p.i + u_i * p.ii;
        p.f = add + u_f * p.f, p.i = add + u_i * p.i;
    }
    return p;
}

static void series_slopes(int n, double u_i, double u_f, ts_helix_turn *x) {
    series p = series_at(n, u_i, u_f);
    double w_0 = C[0][1];
    *x =
        (ts_helix_turn){p.i[0],  w_0 + p.i[1], p.f[0],   w_0 + p.f[1], p.in[0], p.in[1],  p.ff[0],
                        p.ff[1], p.iff[0],     p.iff[1], p.ii[0],      p.ii[1], p.iif[0], p.iif[1]};
}

/* ---- large turns ---- */

typedef struct closed {
    double r, w, r1, w1, r2, w2; /* values, first and second derivatives */
} closed;

static closed closed_at(double u) {
    closed x;
    double ss = u * (2 - u), c = 1 - u;
    x.r = acos(c) / sqrt(ss), x.w = (1 - x.r) / ss;
    x.r1 = (1 - c * x.r) / ss, x.w1 = -(x.r1 + 2 * c * x.w) / ss;
    x.r2 = (x.r - 3 * c * x.r1) / ss, x.w2 = (2 * x.w - x.r2 - 4 * c * x.w1) / ss;
    return x;
}

/* r - 1 and w at u. */
void ts_helix_turn_at(double u, double *r, double *w) {
    int n = terms_for(u, u);
    two c = {0, 0};
    for (int k = n - 1; k > 0; k--) c = C[k] + u * c;
    *r = u * c[0], *w = C[0][1] + u * c[1]; /* without R_0 = 1 */
    if (n) return;
    closed x = closed_at(u);
    *r = x.r - 1, *w = x.w;
}

static bool are_close(double u_i, double u_f) {
    return fabs(u_f - u_i) < 0.1 * (2 - fmax(u_i, u_f));
}

static const double POINT[GAUSS] = {-0.90617984593866399, -0.53846931010568309, 0,
                                    0.53846931010568309, 0.90617984593866399};
static const double WEIGHT[GAUSS] = {0.23692688505618909, 0.47862867049936647, 0.56888888888888889,
                                     0.47862867049936647, 0.23692688505618909};

/* Means of the first derivatives between both ends, and of the second derivatives with a weight
 * that grows towards the end. */
static void integrate(double u_i, double u_f, closed *mean) {
    *mean = (closed){0};
    for (int k = 0; k < GAUSS; k++) {
        double at = 0.5 * (1 + POINT[k]), weight = 0.5 * WEIGHT[k];
        closed x = closed_at(u_i + at * (u_f - u_i));
        mean->r1 += weight * x.r1, mean->w1 += weight * x.w1;
        mean->r2 += weight * at * x.r2, mean->w2 += weight * at * x.w2;
    }
}

void ts_helix_turn_values(double u_i, double u_f, ts_helix_turn *x) {
    int n = terms_for(u_i, u_f);
    if (n) {
        series_values(n, u_i, u_f, x);
        return;
    }
    ts_helix_turn_at(u_i, &x->r_i, &x->w_i), ts_helix_turn_at(u_f, &x->r_f, &x->w_f);
    if (are_close(u_i, u_f)) {
        closed mean;
        integrate(u_i, u_f, &mean);
        x->dr = mean.r1, x->dw = mean.w1;
    } else {
        x->dr = (x->r_f - x->r_i) / (u_f - u_i), x->dw = (x->w_f - x->w_i) / (u_f - u_i);
    }
}

/* r' and w' at u */
static void slopes_at(double u, double *r, double *w) {
    int n = terms_for(u, u);
    if (n) {
        ts_helix_turn x;
        series_slopes(n, u, u, &x);
        *r = x.r_slope, *w = x.w_slope;
    } else {
        closed x = closed_at(u);
        *r = x.r1, *w = x.w1;
    }
}

void ts_helix_turn_slopes(double u_i, double u_f, ts_helix_turn *x) {
    int n = terms_for(u_i, u_f);
    if (n) {
        series_slopes(n, u_i, u_f, x);
        return;
    }
    ts_helix_turn_values(u_i, u_f, x);
    slopes_at(u_f, &x->r_slope, &x->w_slope), slopes_at(u_i, &x->r_slope_i, &x->w_slope_i);
    if (are_close(u_i, u_f)) {
        closed mean, back;
        integrate(u_i, u_f, &mean), integrate(u_f, u_i, &back);
        x->dr_slope = mean.r2, x->dw_slope = mean.w2;
        x->dr_slope_i = back.r2, x->dw_slope_i = back.w2;
    } else {
        double d = u_f - u_i;
        x->dr_slope = (x->r_slope - x->dr) / d, x->dw_slope = (x->w_slope - x->dw) / d;
        x->dr_slope_i = (x->dr - x->r_slope_i) / d, x->dw_slope_i = (x->dw - x->w_slope_i) / d;
    }
}

/* ---- divided differences of third order ---- */

/* p[f, f, f], p[i, f, f, f] and p[i, i, f, f]; derivatives need as many terms more as they
 * remove. */
static void series_curves(int terms, double u_i, double u_f, two out[3]) {
    int n = terms + 3 < TERMS ? terms + 3 : TERMS;
    two f = C[n - 1], zero = {0, 0}, ff = zero, fff = zero, iff = zero, ifff = zero, iiff = zero;
    for (int k = n - 2; k >= 0; k--) {
        iiff = iff + u_i * iiff, ifff = fff + u_i * ifff;
        iff = ff + u_i * iff;
        fff = ff + u_f * fff, ff = f + u_f * ff, f = C[k] + u_f * f;
    }
    out[0] = fff, out[1] = ifff, out[2] = iiff;
}

/* ss r''' = 4 r' - 5 c r'' ,  ss w''' = 6 w' - r''' - 6 c w'' */
static void third_at(double u, double *r3, double *w3) {
    closed x = closed_at(u);
    double ss = u * (2 - u), c = 1 - u;
    *r3 = (4 * x.r1 - 5 * c * x.r2) / ss;
    *w3 = (6 * x.w1 - *r3 - 6 * c * x.w2) / ss;
}

/* Half of the second derivatives at u. */
static void curves_at(double u, double *r, double *w) {
    int n = terms_for(u, u);
    if (n) {
        two c[3];
        series_curves(n, u, u, c), *r = c[0][0], *w = c[0][1];
    } else {
        closed x = closed_at(u);
        *r = 0.5 * x.r2, *w = 0.5 * x.w2;
    }
}

static void integrate_curves(double u_i, double u_f, ts_helix_curves *out) {
    for (int k = 0; k < GAUSS; k++) {
        double at = 0.5 * (1 + POINT[k]), weight = 0.5 * WEIGHT[k], r3, w3;
        third_at(u_i + at * (u_f - u_i), &r3, &w3);
        out->dr += 0.5 * weight * at * at * r3, out->dw += 0.5 * weight * at * at * w3;
        out->r_cross += weight * at * (1 - at) * r3, out->w_cross += weight * at * (1 - at) * w3;
    }
}

void ts_helix_turn_curves(double u_i, double u_f, const ts_helix_turn *t, ts_helix_curves *x) {
    int n = terms_for(u_i, u_f);
    *x = (ts_helix_curves){0};
    if (n) {
        two c[3];
        series_curves(n, u_i, u_f, c);
        *x = (ts_helix_curves){c[0][0], c[0][1], c[1][0], c[1][1], c[2][0], c[2][1]};
        return;
    }
    curves_at(u_f, &x->r, &x->w);
    if (are_close(u_i, u_f)) {
        integrate_curves(u_i, u_f, x);
        return;
    }
    double d = u_f - u_i;
    x->dr = (x->r - t->dr_slope) / d, x->dw = (x->w - t->dw_slope) / d;
    x->r_cross = (t->dr_slope - t->dr_slope_i) / d, x->w_cross = (t->dw_slope - t->dw_slope_i) / d;
}
