/* SPDX-License-Identifier: Apache-2.0 */
/* SE(3): poses, twists, and the maps between increments and rates that Lie group integrators need.
 *
 * A pose H = (x, R) moves a body point X to x + R X. A twist or an increment is six numbers (v, w),
 * translation first. With Stumpff's functions S_k(th^2) = sum (-1)^n th^2n / (2n + k)!, which are
 * cos, sin/th, (1 - cos)/th^2, ..., and a = skew(psi):
 *
 *     exp(psi)    = 1 + S_1 a + S_2 a a                     rotation by the vector psi
 *     dexp(psi)   = 1 + S_2 a + S_3 a a                     spatial rate: omega = dexp(psi) psi'
 *                 for R = exp(psi) R0
 *     dexp(-psi)  = dexp(psi)^T                             body rate
 *     exp(u, psi) = (dexp(psi) u, exp(psi))
 *     dexp(u, psi) = [dexp(psi), Q; 0, dexp(psi)]
 *
 * with Q in T. D. Barfoot, State Estimation for Robotics (2017), eq 7.86. A change of H = exp(xi)
 * H0 is, seen from space, dexp(xi) xi'; a change of H = H0 exp(xi) is, seen from the body,
 * dexp(-xi) xi'.
 */
#ifndef TS_SE3_H
#define TS_SE3_H

#include "math/rotation.h"

typedef struct v6 {
    v3 v, w; /* translation, rotation; as a wrench: force, moment */
} v6;

typedef struct pose {
    v3 x;
    m3 R;
} pose;

static inline v6 v6_make(v3 v, v3 w) { return (v6){v, w}; }
static inline v6 v6_zero(void) { return (v6){{0, 0, 0}, {0, 0, 0}}; }
static inline v6 v6_load(const double *p) { return (v6){v3_load(p), v3_load(p + 3)}; }
static inline void v6_store(double *p, v6 a) { v3_store(p, a.v), v3_store(p + 3, a.w); }
static inline v6 v6_add(v6 a, v6 b) { return (v6){v3_add(a.v, b.v), v3_add(a.w, b.w)}; }
static inline v6 v6_sub(v6 a, v6 b) { return (v6){v3_sub(a.v, b.v), v3_sub(a.w, b.w)}; }
static inline v6 v6_scale(double s, v6 a) { return (v6){v3_scale(s, a.v), v3_scale(s, a.w)}; }
static inline v6 v6_axpy(double s, v6 a, v6 b) {
    return (v6){v3_axpy(s, a.v, b.v), v3_axpy(s, a.w, b.w)};
}
/* Between the axes of a body with rotation R and the global axes, about the same point. */
static inline v6 v6_to_body(m3 R, v6 a) { return (v6){m3_tapply(R, a.v), m3_tapply(R, a.w)}; }
static inline v6 v6_to_space(m3 R, v6 a) { return (v6){m3_apply(R, a.v), m3_apply(R, a.w)}; }
static inline double v6_dot(v6 a, v6 b) { return v3_dot(a.v, b.v) + v3_dot(a.w, b.w); }

/* S_0 ... S_5 at x = th^2 */
typedef struct ts_stumpff {
    double s[6];
} ts_stumpff;
ts_stumpff ts_stumpff_at(double x);

/* ---- SO(3) ---- */
v3 ts_so3_dexp(v3 psi, v3 rate);         /* dexp(psi) rate */
v3 ts_so3_dexp_inverse(v3 psi, v3 rate); /* psi below a full turn */
static inline v3 ts_so3_dexp_transposed(v3 psi, v3 rate) {
    return ts_so3_dexp(v3_scale(-1, psi), rate);
}
/* the rotation with Cayley vector c = 2 tan(angle/2) axis: (1 - c~/2)^-1 (1 + c~/2) */
static inline quat quat_cayley(v3 c) { return quat_normalize((quat){1, v3_scale(0.5, c)}); }
static inline v3 quat_rotation_vector(quat p) { /* precise for small turns */
    double n = v3_norm(p.v);
    return v3_scale(n > 1e-8 ? 2.0 * atan2(n, p.s) / n : 2.0 / p.s, p.v);
}

/* ---- SE(3) ---- */
static inline pose pose_identity(void) { return (pose){{0, 0, 0}, m3_identity()}; }
static inline pose pose_mul(pose a, pose b) {
    return (pose){v3_add(a.x, m3_apply(a.R, b.x)), m3_mul(a.R, b.R)};
}
static inline pose pose_inverse(pose a) {
    return (pose){v3_scale(-1, m3_tapply(a.R, a.x)), m3_transpose(a.R)};
}
pose ts_se3_exp(v6 xi);
v6 ts_se3_log(pose H);
/* The mean of exp(t xi) over t in [0, 1], as an affine map: exp(xi) - 1 = [xi] mean, with [xi] X =
 * u + psi x X. So a point moves by u + psi x (its mean position), and a direction by psi x (its
 * mean). */
pose ts_se3_exp_mean(v6 xi);
/* Cayley's transform of the homogeneous matrix, the other map with this property: (1 - [xi]/2)^-1
 * (1 + [xi]/2). Its mean is that of start and end. */
pose ts_se3_cayley(v6 xi);
v6 ts_se3_cayley_inverse(v3 x, quat turn); /* of the pose (x, turn) */
v6 ts_se3_dexp(v6 xi, v6 rate);
v6 ts_se3_dexp_inverse(v6 xi, v6 rate);
v6 ts_se3_dexp_transposed(v6 xi, v6 force);         /* dexp(xi)^T force */
v6 ts_se3_dexp_inverse_transposed(v6 xi, v6 force); /* dexp(xi)^-T force */
/* Twists and wrenches from body to space: Ad(H) twist and Ad(H)^-T wrench, both about the
 * origin. */
static inline v6 ts_se3_Ad(pose H, v6 a) {
    v3 w = m3_apply(H.R, a.w);
    return v6_make(v3_add(m3_apply(H.R, a.v), v3_cross(H.x, w)), w);
}
static inline v6 ts_se3_Ad_dual(pose H, v6 f) {
    v3 force = m3_apply(H.R, f.v);
    return v6_make(force, v3_add(m3_apply(H.R, f.w), v3_cross(H.x, force)));
}
/* ad(a) b = [a, b], and ad(a)^T f */
static inline v6 ts_se3_ad(v6 a, v6 b) {
    return v6_make(v3_add(v3_cross(a.w, b.v), v3_cross(a.v, b.w)), v3_cross(a.w, b.w));
}
static inline v6 ts_se3_ad_transposed(v6 a, v6 f) {
    return v6_make(v3_cross(f.v, a.w), v3_add(v3_cross(f.v, a.v), v3_cross(f.w, a.w)));
}

#endif
