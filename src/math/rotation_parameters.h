/* SPDX-License-Identifier: Apache-2.0 */
/* Generic rotation parameters: S3 section 3 and Table 1, five of them as one table.
 *
 * p = p(phi) a for a rotation by the angle phi about the unit vector a, with p(phi) -> phi for
 * small angles, and f = dp/dphi. With x = p.p and p~ = skew(p):
 *
 *     R = 1 + r1 p~ + r2 p~ p~      r1 = sin phi/p   r2 = (1 - cos phi)/p^2                     (7)
 *     H = h0 + h1 p~ + h2 p~ p~     h0 = 1/f   h1 = (1 - cos phi)/p^2   h2 = (h0 - r1)/p^2     (9)
 *     omega = H p'  in space, R = H H^-T = 1 + p~ H                                       (8), (10)
 *     R = (1 + eps p~/2) (1 + eps p~/2)^-T          eps = 2 tan(phi/2) / p = 2 r2 / r1   (11), (12)
 *
 * so eps p is the Cayley vector of the rotation. All coefficients are smooth functions of x,
 * written so that nothing cancels.
 *
 * Poses have the same formulas with v = (rho, p), V = [p~, rho~; 0, p~] and a dual number x + E 2
 * p.rho in place of x, E = [0, 1; 0, 0]:
 *
 *     D(v)  = 1 + r1 V + r2 V V = [R, (H rho)~ R; 0, R] ,   D(v) v = v
 *             the pose (H rho, R) acting on twists
 *     Hd(v) = h0 + h1 V + h2 V V ,   dD = (Hd dv)~ D
 *             Hd(-v): the same seen from the start
 */
#ifndef TS_ROTATION_PARAMETERS_H
#define TS_ROTATION_PARAMETERS_H

#include "math/se3.h"

typedef struct ts_rotation_coefficients {
    double r1, r2, h0, h1, h2;
    double dh0, dh1, dh2; /* by x */
} ts_rotation_coefficients;

typedef struct ts_rotation_parameters {
    const char *name;
    double limit;                             /* angles below it are unique */
    double (*size)(double angle);             /* p(phi) */
    double (*slope)(double angle);            /* f(phi) */
    ts_rotation_coefficients (*at)(double x); /* x = p.p */
} ts_rotation_parameters;

enum { TS_ROTATION_PARAMETERS = 5 };
extern const ts_rotation_parameters TS_ROTATION_TABLE[TS_ROTATION_PARAMETERS];
extern const char *const TS_ROTATION_NAMES[]; /* in the order of the table, ends with NULL */
const ts_rotation_parameters *ts_rotation_find(const char *name);

/* The parameters p of a rotation vector; NaN from the limit on. */
v3 ts_parameters_of(const ts_rotation_parameters *kind, v3 rotation_vector);
m3 ts_parameters_R(const ts_rotation_parameters *kind, v3 p);
m3 ts_parameters_H(const ts_rotation_parameters *kind, v3 p);
double ts_parameters_eps(const ts_rotation_parameters *kind, v3 p);
v6 ts_parameters_D(const ts_rotation_parameters *kind, v6 v, v6 twist);
v6 ts_parameters_Hd(const ts_rotation_parameters *kind, v6 v, v6 rate);
v6 ts_parameters_Hd_transposed(const ts_rotation_parameters *kind, v6 v, v6 wrench);

#endif
