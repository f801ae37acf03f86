/* SPDX-License-Identifier: Apache-2.0 */
/* SE(3): exponential, logarithm, tangent maps. See se3.h. */
#include "math/se3.h"

/* S_4 and S_5 by their series where the closed forms cancel; the others follow by S_k = 1/k! - x
 * S_k+2. */
static void highest_by_series(double x, double *s4, double *s5) {
    double a = 1.0 / 24, b = 1.0 / 120;
    *s4 = *s5 = 0;
    for (int n = 0; n < 11; n++) {
        *s4 += a, *s5 += b;
        a *= -x / ((2 * n + 5) * (2 * n + 6)), b *= -x / ((2 * n + 6) * (2 * n + 7));
    }
}

ts_stumpff ts_stumpff_at(double x) {
    ts_stumpff f;
    double *s = f.s;
    if (x > 1) {
        double th = sqrt(x);
        s[0] = cos(th), s[1] = sin(th) / th;
        s[2] = (1 - s[0]) / x, s[3] = (1 - s[1]) / x;
        s[4] = (0.5 - s[2]) / x, s[5] = (1.0 / 6 - s[3]) / x;
        return f;
    }
    highest_by_series(x, &s[4], &s[5]);
    s[3] = 1.0 / 6 - x * s[5], s[2] = 0.5 - x * s[4];
    s[1] = 1 - x * s[3], s[0] = 1 - x * s[2];
    return f;
}

/* (1 + b a + c a a) r, a = skew(psi) */
static v3 rodrigues(v3 psi, double b, double c, v3 r) {
    v3 u = v3_cross(psi, r);
    return v3_axpy(b, u, v3_axpy(c, v3_cross(psi, u), r));
}

v3 ts_so3_dexp(v3 psi, v3 rate) {
    ts_stumpff f = ts_stumpff_at(v3_dot(psi, psi));
    return rodrigues(psi, f.s[2], f.s[3], rate);
}

/* 1 - a/2 + k a a,  k = (1 - S_1 / (2 S_2)) / th^2. Nothing cancels with 2 S_2 - S_1 = th^2
 * (S_3 - 2 S_4), from S_k = 1/k! - th^2 S_k+2. */
v3 ts_so3_dexp_inverse(v3 psi, v3 rate) {
    ts_stumpff f = ts_stumpff_at(v3_dot(psi, psi));
    return rodrigues(psi, -0.5, 0.5 * (f.s[3] - 2 * f.s[4]) / f.s[2], rate);
}

/* Q r of dexp(u, psi) */
static v3 coupling(v3 u, v3 p, v3 r) {
    ts_stumpff f = ts_stumpff_at(v3_dot(p, p));
    v3 ur = v3_cross(u, r), pr = v3_cross(p, r), ppr = v3_cross(p, pr);
    v3 pur = v3_cross(p, ur), upr = v3_cross(u, pr), pupr = v3_cross(p, upr);
    v3 ppur = v3_cross(p, pur), uppr = v3_cross(u, ppr);
    v3 puppr = v3_cross(p, uppr), ppupr = v3_cross(p, pupr);
    v3 sum = v3_scale(0.5, ur);
    sum = v3_axpy(f.s[3], v3_add(v3_add(pur, upr), pupr), sum);
    sum = v3_axpy(f.s[4], v3_axpy(-3, pupr, v3_add(ppur, uppr)), sum);
    return v3_axpy(0.5 * (f.s[4] - 3 * f.s[5]), v3_add(puppr, ppupr), sum);
}

pose ts_se3_exp(v6 xi) { return (pose){ts_so3_dexp(xi.w, xi.v), so3_exp(xi.w)}; }

/* sum a^k / (k + 2)! = 1/2 + S_3 a + S_4 a a for the translation, and dexp for the rotation */
pose ts_se3_exp_mean(v6 xi) {
    ts_stumpff f = ts_stumpff_at(v3_dot(xi.w, xi.w));
    pose mean = {v3_scale(0.5, rodrigues(xi.w, 2 * f.s[3], 2 * f.s[4], xi.v)), m3_identity()};
    for (int k = 0; k < 3; k++) mean.R.c[k] = rodrigues(xi.w, f.s[2], f.s[3], mean.R.c[k]);
    return mean;
}

/* (1 - a/2)^-1 u = (u + a u/2 + g (g.u)/4)/(1 + g.g/4) */
pose ts_se3_cayley(v6 xi) {
    v3 g = xi.w;
    v3 sum = v3_axpy(0.5, v3_cross(g, xi.v), v3_axpy(0.25 * v3_dot(g, xi.v), g, xi.v));
    return (pose){v3_scale(1 / (1 + 0.25 * v3_dot(g, g)), sum), quat_matrix(quat_cayley(g))};
}

v6 ts_se3_cayley_inverse(v3 x, quat turn) {
    v3 g = v3_scale(2 / turn.s, turn.v);
    return v6_make(v3_axpy(-0.5, v3_cross(g, x), x), g);
}

v6 ts_se3_log(pose H) {
    v3 psi = ts_so3_log(H.R);
    return v6_make(ts_so3_dexp_inverse(psi, H.x), psi);
}

v6 ts_se3_dexp(v6 xi, v6 r) {
    return v6_make(v3_add(ts_so3_dexp(xi.w, r.v), coupling(xi.v, xi.w, r.w)),
                   ts_so3_dexp(xi.w, r.w));
}

v6 ts_se3_dexp_inverse(v6 xi, v6 r) {
    v3 w = ts_so3_dexp_inverse(xi.w, r.w);
    return v6_make(ts_so3_dexp_inverse(xi.w, v3_sub(r.v, coupling(xi.v, xi.w, w))), w);
}

/* Transposing turns psi and u about, since skew matrices change sign: Q(u, psi)^T = Q(-u, -psi). */
v6 ts_se3_dexp_transposed(v6 xi, v6 f) {
    v3 u = v3_scale(-1, xi.v), p = v3_scale(-1, xi.w);
    return v6_make(ts_so3_dexp(p, f.v), v3_add(coupling(u, p, f.v), ts_so3_dexp(p, f.w)));
}

v6 ts_se3_dexp_inverse_transposed(v6 xi, v6 f) {
    v3 u = v3_scale(-1, xi.v), p = v3_scale(-1, xi.w), v = ts_so3_dexp_inverse(p, f.v);
    return v6_make(v, ts_so3_dexp_inverse(p, v3_sub(f.w, coupling(u, p, v))));
}
