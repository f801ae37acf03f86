/* SPDX-License-Identifier: Apache-2.0 */
/* Generic rotation parameters. See rotation_parameters.h. */
#include "math/rotation_parameters.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- Table 1 of S3 ---- */

static double vector_size(double a) { return a; }
static double vector_slope(double a) { return (void)a, 1; }
static ts_rotation_coefficients vector_at(double x) {
    const ts_stumpff f = ts_stumpff_at(x);
    const double *s = f.s; /* dS_k/dx = (k S_k+2 - S_k+1)/2 */
    return (ts_rotation_coefficients){
        s[1], s[2], 1, s[2], s[3], 0, s[4] - 0.5 * s[3], 0.5 * (3 * s[5] - s[4])};
}

static double linear_size(double a) { return sin(a); }
static double linear_slope(double a) { return cos(a); }
static ts_rotation_coefficients linear_at(double x) {
    double c = sqrt(1 - x), k = 1 / (1 + c); /* cos(phi) */
    return (ts_rotation_coefficients){.r1 = 1,
                                      .r2 = k,
                                      .h0 = 1 / c,
                                      .h1 = k,
                                      .h2 = k / c,
                                      .dh0 = 0.5 / (c * c * c),
                                      .dh1 = 0.5 * k * k / c,
                                      .dh2 = 0.5 * k * k * (1 + 2 * c) / (c * c * c)};
}

static double euler_size(double a) { return 2 * sin(0.5 * a); }
static double euler_slope(double a) { return cos(0.5 * a); }
static ts_rotation_coefficients euler_at(double x) {
    double c = sqrt(1 - 0.25 * x), d = 1 / (8 * c * c * c); /* cos(phi/2) */
    return (ts_rotation_coefficients){.r1 = c,
                                      .r2 = 0.5,
                                      .h0 = 1 / c,
                                      .h1 = 0.5,
                                      .h2 = 0.25 / c,
                                      .dh0 = d,
                                      .dh1 = 0,
                                      .dh2 = 0.25 * d};
}

static double rodrigues_size(double a) { return 2 * tan(0.5 * a); }
static double rodrigues_slope(double a) { return 1 / (cos(0.5 * a) * cos(0.5 * a)); }
static ts_rotation_coefficients rodrigues_at(double x) {
    double n = 1 / (1 + 0.25 * x), d = -0.25 * n * n; /* cos(phi/2)^2 */
    return (ts_rotation_coefficients){.r1 = n,
                                      .r2 = 0.5 * n,
                                      .h0 = n,
                                      .h1 = 0.5 * n,
                                      .h2 = 0,
                                      .dh0 = d,
                                      .dh1 = 0.5 * d,
                                      .dh2 = 0};
}

static double conformal_size(double a) { return 4 * tan(0.25 * a); }
static double conformal_slope(double a) { return 1 / (cos(0.25 * a) * cos(0.25 * a)); }
static ts_rotation_coefficients conformal_at(double x) {
    double n = 1 / (1 + x / 16), d = -n * n / 16; /* cos(phi/4)^2 */
    return (ts_rotation_coefficients){.r1 = n * (2 * n - 1),
                                      .r2 = 0.5 * n * n,
                                      .h0 = n,
                                      .h1 = 0.5 * n * n,
                                      .h2 = 0.125 * n * n,
                                      .dh0 = d,
                                      .dh1 = n * d,
                                      .dh2 = 0.25 * n * d};
}

const ts_rotation_parameters TS_ROTATION_TABLE[TS_ROTATION_PARAMETERS] = {
    {"rotation_vector", 2 * PI, vector_size, vector_slope, vector_at},
    {"linear", 0.5 * PI, linear_size, linear_slope, linear_at},
    {"reduced_euler", PI, euler_size, euler_slope, euler_at},
    {"rodrigues", PI, rodrigues_size, rodrigues_slope, rodrigues_at},
    {"conformal", 2 * PI, conformal_size, conformal_slope, conformal_at},
};

const char *const TS_ROTATION_NAMES[] = {"rotation_vector", "linear",    "reduced_euler",
                                         "rodrigues",       "conformal", NULL};

const ts_rotation_parameters *ts_rotation_find(const char *name) {
    for (int i = 0; i < TS_ROTATION_PARAMETERS; i++)
        if (strcmp(TS_ROTATION_TABLE[i].name, name) == 0) return &TS_ROTATION_TABLE[i];
    return NULL;
}

/* ---- what follows from it ---- */

v3 ts_parameters_of(const ts_rotation_parameters *kind, v3 psi) {
    double angle = v3_norm(psi);
    if (angle >= kind->limit) return v3_make(NAN, NAN, NAN);
    return angle > 0 ? v3_scale(kind->size(angle) / angle, psi) : psi;
}

static m3 polynomial(v3 p, double a, double b, double c) {
    m3 S = m3_skew(p);
    return m3_axpy(c, m3_mul(S, S), m3_axpy(b, S, m3_scale(a, m3_identity())));
}

m3 ts_parameters_R(const ts_rotation_parameters *kind, v3 p) {
    ts_rotation_coefficients k = kind->at(v3_dot(p, p));
    return polynomial(p, 1, k.r1, k.r2);
}

m3 ts_parameters_H(const ts_rotation_parameters *kind, v3 p) {
    ts_rotation_coefficients k = kind->at(v3_dot(p, p));
    return polynomial(p, k.h0, k.h1, k.h2);
}

double ts_parameters_eps(const ts_rotation_parameters *kind, v3 p) {
    ts_rotation_coefficients k = kind->at(v3_dot(p, p));
    return 2 * k.r2 / k.r1;
}

v6 ts_parameters_D(const ts_rotation_parameters *kind, v6 v, v6 twist) {
    v3 t = m3_apply(ts_parameters_H(kind, v.w), v.v);
    return ts_se3_Ad((pose){t, ts_parameters_R(kind, v.w)}, twist);
}

/* (s + s' 2 p.rho E) twist, and transposed on a wrench */
static v6 dual(double s, double ds, v6 v, v6 a) {
    return v6_make(v3_axpy(2 * ds * v3_dot(v.v, v.w), a.w, v3_scale(s, a.v)), v3_scale(s, a.w));
}
static v6 dual_transposed(double s, double ds, v6 v, v6 f) {
    return v6_make(v3_scale(s, f.v), v3_axpy(2 * ds * v3_dot(v.v, v.w), f.v, v3_scale(s, f.w)));
}

v6 ts_parameters_Hd(const ts_rotation_parameters *kind, v6 v, v6 rate) {
    ts_rotation_coefficients k = kind->at(v3_dot(v.w, v.w));
    v6 once = ts_se3_ad(v, rate), twice = ts_se3_ad(v, once);
    v6 sum = v6_add(dual(k.h0, k.dh0, v, rate), dual(k.h1, k.dh1, v, once));
    return v6_add(sum, dual(k.h2, k.dh2, v, twice));
}

v6 ts_parameters_Hd_transposed(const ts_rotation_parameters *kind, v6 v, v6 f) {
    ts_rotation_coefficients k = kind->at(v3_dot(v.w, v.w));
    v6 once = ts_se3_ad_transposed(v, f), twice = ts_se3_ad_transposed(v, once);
    v6 sum = v6_add(dual_transposed(k.h0, k.dh0, v, f), dual_transposed(k.h1, k.dh1, v, once));
    return v6_add(sum, dual_transposed(k.h2, k.dh2, v, twice));
}
