/* SPDX-License-Identifier: Apache-2.0 */
/* SO(3): conversions that are not on the hot path. See rotation.h. */
#include "math/rotation.h"

/* Shepperd's method: divide by the largest component, so that no angle is ill-conditioned. */
quat ts_quat_from_matrix(m3 R) {
    double xx = R.c[0].x, yy = R.c[1].y, zz = R.c[2].z;
    double q[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (q[i] > q[best]) best = i;
    double r = 2.0 * sqrt(q[best]), f = 1.0 / r;
    v3 anti = {R.c[1].z - R.c[2].y, R.c[2].x - R.c[0].z, R.c[0].y - R.c[1].x};
    v3 pair = {R.c[1].z + R.c[2].y, R.c[2].x + R.c[0].z, R.c[0].y + R.c[1].x};
    quat p;
    if (best == 0)
        p = (quat){0.25 * r, v3_scale(f, anti)};
    else if (best == 1)
        p = (quat){f * anti.x, {0.25 * r, f * pair.z, f * pair.y}};
    else if (best == 2)
        p = (quat){f * anti.y, {f * pair.z, 0.25 * r, f * pair.x}};
    else
        p = (quat){f * anti.z, {f * pair.y, f * pair.x, 0.25 * r}};
    return quat_normalize(p.s < 0 ? (quat){-p.s, v3_scale(-1, p.v)} : p);
}

v3 ts_so3_log(m3 R) {
    quat p = ts_quat_from_matrix(R);
    double n = v3_norm(p.v);
    double k = n > 1e-8 ? 2.0 * atan2(n, p.s) / n : 2.0;
    return v3_scale(k, p.v);
}

m3 ts_so3_nearest(m3 D) {
    m3 G = m3_tmul(D, D);
    m3 S = m3_scale(-0.5, G);
    S.c[0].x += 1.5, S.c[1].y += 1.5, S.c[2].z += 1.5;
    return m3_mul(D, S);
}

/* e1 is the projection of the global x axis (of y, when the axis is close to x): an axis along z
 * gives x, y, z. */
m3 ts_frame_from_axis(v3 axis) {
    v3 e3 = v3_normalize(axis);
    v3 t = fabs(e3.x) < 0.9 ? v3_axis(0) : v3_axis(1);
    v3 e1 = v3_normalize(v3_axpy(-v3_dot(t, e3), e3, t));
    return m3_cols(e1, v3_cross(e3, e1), e3);
}
