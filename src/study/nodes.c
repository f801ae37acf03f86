/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of schemes for study: unknowns, poses, twists, inertia. See study.h. */
#include <string.h>

#include "study/study.h"

/* ---- unknowns ---- */

void ts_load_multipliers(const ts_study *s, const double *x, int block, double *lambda) {
    for (int r = 0; r < s->st->model->rows_count; r++) {
        int at = ts_row_at(s, block, r);
        lambda[r] = at < 0 ? 0 : x[at];
    }
}

void ts_store_rows(const ts_study *s, double *R, int block, const double *c) {
    for (int r = 0; r < s->st->model->rows_count; r++) {
        int at = ts_row_at(s, block, r);
        if (at >= 0) R[at] = c[r];
    }
}

/* ---- poses and twists ---- */

static int first(const ts_study *s, int n) { return 3 * s->st->model->nodes[n].slot; }

pose ts_pose_of(const ts_study *s, const double *q, int n) {
    const double *at = q + first(s, n);
    return (pose){v3_load(at), ts_is_frame(s, n) ? m3_load(at + 3) : m3_identity()};
}

void ts_put_pose(const ts_study *s, int n, pose H, double *q) {
    double *at = q + first(s, n);
    v3_store(at, H.x);
    if (ts_is_frame(s, n)) m3_store(at + 3, H.R);
}

v6 ts_twist_of(const ts_study *s, const double *q, const double *v, int n) {
    int at = first(s, n);
    v6 twist = {v3_load(v + at), {0, 0, 0}};
    if (ts_is_frame(s, n))
        twist.w = v3_scale(0.5, m3_moment(m3_load(q + at + 3), m3_load(v + at + 3)));
    return twist;
}

void ts_put_twist(const ts_study *s, int n, const double *q, v6 twist, double *v) {
    int at = first(s, n);
    v3_store(v + at, twist.v);
    if (ts_is_frame(s, n)) m3_store(v + at + 3, m3_cross(twist.w, m3_load(q + at + 3)));
}

void ts_put_acceleration(const ts_study *s, int n, const double *q, v6 twist, v6 acceleration,
                         double *vdot) {
    int at = first(s, n);
    v3_store(vdot + at, acceleration.v);
    if (!ts_is_frame(s, n)) return;
    m3 D = m3_load(q + at + 3), centripetal = m3_cross(twist.w, m3_cross(twist.w, D));
    m3_store(vdot + at + 3, m3_add(m3_cross(acceleration.w, D), centripetal));
}

/* sum d x (w x (w x d)) = w x w = 0: the centripetal part drops out. */
v6 ts_acceleration_of(const ts_study *s, const double *q, const double *vdot, int n) {
    return ts_twist_of(s, q, vdot, n);
}

void ts_put_fixed(const ts_study *s, double *q, double *v) {
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        const ts_node *node = &s->st->model->nodes[n];
        if (!node->fixed) continue;
        size_t size = (size_t)(3 * node->slots) * sizeof(double);
        memcpy(q + 3 * node->slot, s->st->q_i + 3 * node->slot, size);
        if (v) memset(v + 3 * node->slot, 0, size);
    }
}

void ts_put_step(const ts_study *s, int n, v3 dx, quat turn) {
    const ts_step *st = s->st;
    int begin = first(s, n), end = begin + 3 * st->model->nodes[n].slots;
    v3_store(st->dq + begin, dx);
    for (int at = begin + 3; at < end; at += 3)
        v3_store(st->dq + at, quat_increment(turn, v3_load(st->q_i + at)));
    for (int i = begin; i < end; i++) {
        st->q_f[i] = st->q_i[i] + st->dq[i];
        st->q_m[i] = st->q_i[i] + 0.5 * st->dq[i];
    }
}

void ts_refresh_step(ts_study *s, const double *x, void (*node)(ts_study *s, int n, v6 step)) {
    ts_step *st = s->st;
    memset(st->dq, 0, (size_t)(3 * st->model->slots) * sizeof(double));
    ts_put_fixed(s, st->q_f, st->v_f), ts_put_fixed(s, st->q_m, NULL);
    for (int n = 0; n < st->model->nodes_count; n++)
        if (ts_is_free(s, n)) node(s, n, ts_load_block(s, x, 0, n));
    ts_load_multipliers(s, x, 0, st->lambda);
}

v6 ts_guessed_step(const ts_study *s, int n) {
    return v6_make(s->st->dx[n], quat_rotation_vector(s->st->turn[n]));
}

/* ---- inertia ---- */

/* The node's mass is [[m, m c], [m c, E]] with Euler's tensor E = tr(J)/2 - J, so J = tr(E) - E. */
ts_inertia ts_inertia_of(const ts_node *node) {
    const double(*A)[4] = (const double(*)[4])node->mass;
    ts_inertia I = {.m = A[0][0]};
    if (node->slots < 4) return I;
    if (I.m > 0) I.c = v3_make(A[0][1] / I.m, A[0][2] / I.m, A[0][3] / I.m);
    double trace = A[1][1] + A[2][2] + A[3][3], J[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) J[3 * i + k] = (i == k ? trace : 0) - A[1 + i][1 + k];
    I.J = m3_load(J);
    return I;
}

v6 ts_inertia_times(const ts_inertia *I, v6 t) {
    v3 p = v3_scale(I->m, v3_add(t.v, v3_cross(t.w, I->c)));
    return v6_make(p, v3_add(v3_scale(I->m, v3_cross(I->c, t.v)), m3_apply(I->J, t.w)));
}

ts_inertia ts_inertia_turned(const ts_inertia *I, m3 R) {
    m3 J = m3_mul(m3_mul(R, I->J), m3_transpose(R));
    return (ts_inertia){I->m, m3_apply(R, I->c), J};
}

v6 ts_inertia_wrench(const ts_inertia *I, v6 twist, v6 acceleration) {
    v6 f = ts_inertia_times(I, acceleration);
    v3 w = twist.w, centripetal = v3_cross(w, v3_cross(w, I->c));
    return v6_make(v3_axpy(I->m, centripetal, f.v), v3_add(f.w, v3_cross(w, m3_apply(I->J, w))));
}
