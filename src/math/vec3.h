/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and 3x3 matrices by value, written out by component.
 *
 *   v3: add sub scale axpy dot cross norm normalize
 *   m3: columns, identity, mul, tmul (A^T B), gram (A^T A), mult (A B^T),
 *   skew, transpose, inverse, determinant, apply (A v), tapply (A^T v), symmetric part, axial
 *   vector
 *
 * A rotation tensor D = [d1 d2 d3] is stored as its three columns, the directors.
 */
#ifndef TS_VEC3_H
#define TS_VEC3_H

#include <math.h>

typedef struct v3 {
    double x, y, z;
} v3;

typedef struct m3 {
    v3 c[3]; /* columns */
} m3;

static inline v3 v3_make(double x, double y, double z) { return (v3){x, y, z}; }
static inline v3 v3_load(const double *p) { return (v3){p[0], p[1], p[2]}; }
static inline void v3_store(double *p, v3 a) { p[0] = a.x, p[1] = a.y, p[2] = a.z; }
static inline v3 v3_add(v3 a, v3 b) { return (v3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline v3 v3_sub(v3 a, v3 b) { return (v3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline v3 v3_scale(double s, v3 a) { return (v3){s * a.x, s * a.y, s * a.z}; }
static inline v3 v3_axpy(double s, v3 a, v3 b) {
    return (v3){s * a.x + b.x, s * a.y + b.y, s * a.z + b.z};
}
static inline double v3_dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline v3 v3_cross(v3 a, v3 b) {
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double v3_norm(v3 a) { return sqrt(v3_dot(a, a)); }
static inline v3 v3_normalize(v3 a) { return v3_scale(1.0 / v3_norm(a), a); }
static inline double v3_get(v3 a, int i) { return i == 0 ? a.x : i == 1 ? a.y : a.z; }
static inline v3 v3_axis(int i) { return (v3){i == 0, i == 1, i == 2}; }

static inline m3 m3_cols(v3 a, v3 b, v3 c) { return (m3){{a, b, c}}; }
static inline m3 m3_identity(void) { return (m3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
static inline m3 m3_load(const double *p) {
    return m3_cols(v3_load(p), v3_load(p + 3), v3_load(p + 6));
}
static inline void m3_store(double *p, m3 A) {
    v3_store(p, A.c[0]), v3_store(p + 3, A.c[1]), v3_store(p + 6, A.c[2]);
}
static inline v3 m3_apply(m3 A, v3 v) {
    return v3_axpy(v.x, A.c[0], v3_axpy(v.y, A.c[1], v3_scale(v.z, A.c[2])));
}
static inline v3 m3_tapply(m3 A, v3 v) {
    return (v3){v3_dot(A.c[0], v), v3_dot(A.c[1], v), v3_dot(A.c[2], v)};
}
static inline m3 m3_mul(m3 A, m3 B) {
    return m3_cols(m3_apply(A, B.c[0]), m3_apply(A, B.c[1]), m3_apply(A, B.c[2]));
}
static inline m3 m3_tmul(m3 A, m3 B) {
    return m3_cols(m3_tapply(A, B.c[0]), m3_tapply(A, B.c[1]), m3_tapply(A, B.c[2]));
}
/* A^T A */
static inline m3 m3_gram(m3 A) {
    double xy = v3_dot(A.c[0], A.c[1]), yz = v3_dot(A.c[1], A.c[2]), zx = v3_dot(A.c[2], A.c[0]);
    return (m3){{{v3_dot(A.c[0], A.c[0]), xy, zx},
                 {xy, v3_dot(A.c[1], A.c[1]), yz},
                 {zx, yz, v3_dot(A.c[2], A.c[2])}}};
}
static inline m3 m3_transpose(m3 A) {
    return (m3){{{A.c[0].x, A.c[1].x, A.c[2].x},
                 {A.c[0].y, A.c[1].y, A.c[2].y},
                 {A.c[0].z, A.c[1].z, A.c[2].z}}};
}
static inline m3 m3_add(m3 A, m3 B) {
    return m3_cols(v3_add(A.c[0], B.c[0]), v3_add(A.c[1], B.c[1]), v3_add(A.c[2], B.c[2]));
}
static inline m3 m3_sub(m3 A, m3 B) {
    return m3_cols(v3_sub(A.c[0], B.c[0]), v3_sub(A.c[1], B.c[1]), v3_sub(A.c[2], B.c[2]));
}
static inline m3 m3_scale(double s, m3 A) {
    return m3_cols(v3_scale(s, A.c[0]), v3_scale(s, A.c[1]), v3_scale(s, A.c[2]));
}
static inline m3 m3_axpy(double s, m3 A, m3 B) { return m3_add(m3_scale(s, A), B); }
static inline m3 m3_skew(v3 a) { return (m3){{{0, a.z, -a.y}, {-a.z, 0, a.x}, {a.y, -a.x, 0}}}; }
static inline double m3_det(m3 A) { return v3_dot(A.c[0], v3_cross(A.c[1], A.c[2])); }
static inline double m3_inner(m3 A, m3 B) {
    return v3_dot(A.c[0], B.c[0]) + v3_dot(A.c[1], B.c[1]) + v3_dot(A.c[2], B.c[2]);
}
/* inverse transpose: the reciprocal basis of the columns */
static inline m3 m3_invt(m3 A) {
    v3 r0 = v3_cross(A.c[1], A.c[2]);
    double s = 1.0 / v3_dot(A.c[0], r0);
    return m3_cols(v3_scale(s, r0), v3_scale(s, v3_cross(A.c[2], A.c[0])),
                   v3_scale(s, v3_cross(A.c[0], A.c[1])));
}
static inline m3 m3_sym(m3 A) { return m3_scale(0.5, m3_add(A, m3_transpose(A))); }
/* w x (each column) */
static inline m3 m3_cross(v3 w, m3 A) {
    return m3_cols(v3_cross(w, A.c[0]), v3_cross(w, A.c[1]), v3_cross(w, A.c[2]));
}
/* sum of a_k x b_k over the columns: the moment of forces B at arms A */
static inline v3 m3_moment(m3 A, m3 B) {
    return v3_add(v3_cross(A.c[0], B.c[0]),
                  v3_add(v3_cross(A.c[1], B.c[1]), v3_cross(A.c[2], B.c[2])));
}

#endif
