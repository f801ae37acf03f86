/* SPDX-License-Identifier: Apache-2.0 */
/* SO(3): rotations as unit quaternions of one step, exponential, logarithm, Cayley vector.
 *
 * A node stores its rotation as directors. Only the *increment* of a step is kept as a quaternion
 * p = (p0, pv): its vector part keeps full relative precision however small the increment, so that
 * the rates 2 (D_f - D_i)/h do too.
 *
 *   (R - I) d = 2 p0 (pv x d) + 2 pv x (pv x d)            Cayley vector of the step: 2 pv / p0
 */
#ifndef TS_ROTATION_H
#define TS_ROTATION_H

#include "math/vec3.h"

typedef struct quat {
    double s;
    v3 v;
} quat;

static inline quat quat_identity(void) { return (quat){1, {0, 0, 0}}; }

/* the rotation by the vector w: angle |w| about w */
static inline quat quat_exp(v3 w) {
    double angle = v3_norm(w);
    double k = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
    return (quat){cos(0.5 * angle), v3_scale(k, w)};
}
/* first a, then b */
static inline quat quat_mul(quat b, quat a) {
    return (quat){b.s * a.s - v3_dot(b.v, a.v),
                  v3_axpy(b.s, a.v, v3_axpy(a.s, b.v, v3_cross(b.v, a.v)))};
}
static inline quat quat_normalize(quat p) {
    double s = 1.0 / sqrt(p.s * p.s + v3_dot(p.v, p.v));
    return (quat){s * p.s, v3_scale(s, p.v)};
}
/* (R - I) d, precise for small rotations */
static inline v3 quat_increment(quat p, v3 d) {
    v3 u = v3_cross(p.v, d);
    return v3_scale(2.0, v3_axpy(p.s, u, v3_cross(p.v, u)));
}
static inline m3 quat_matrix(quat p) {
    m3 I = m3_identity();
    for (int k = 0; k < 3; k++) I.c[k] = v3_add(I.c[k], quat_increment(p, I.c[k]));
    return I;
}
static inline m3 so3_exp(v3 w) { return quat_matrix(quat_exp(w)); }

/* Two unit vectors that complete the unit vector d (Duff et al., J. Comput. Graph. Tech. 6 (2017)
 * 1). */
static inline void ts_complete_basis(v3 d, v3 t[2]) {
    double sign = d.z < 0 ? -1 : 1, a = -1 / (sign + d.z), b = d.x * d.y * a;
    t[0] = v3_make(1 + sign * d.x * d.x * a, sign * b, -sign * d.x);
    t[1] = v3_make(b, sign + d.y * d.y * a, -d.y);
}
/* The shortest rotation from unit vector a to unit vector b; not for opposite ones. */
static inline quat ts_quat_between(v3 a, v3 b) {
    return quat_normalize((quat){1 + v3_dot(a, b), v3_cross(a, b)});
}
quat ts_quat_from_matrix(m3 R);
v3 ts_so3_log(m3 R);            /* rotation vector, angle in [0, pi] */
m3 ts_so3_nearest(m3 D);        /* one Newton-Schulz step towards orthonormal columns */
m3 ts_frame_from_axis(v3 axis); /* right-handed, third column along the axis */

#endif
