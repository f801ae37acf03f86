/* SPDX-License-Identifier: Apache-2.0 */
/* The alpha family on SE(3): O. Bruels, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121,
 * index 3, body frame.
 *
 * V is the twist of a node in its own axes, M its constant inertia, W the wrench there, and M
 * V' = F, F = W + ad(V)^T M V. a is the algorithmic acceleration, which lags behind V' and is
 * remembered from step to step:
 *
 *     H_f = H_i exp(xi) ,   xi = h V_i + h^2 [(1/2 - beta) a_i + beta a_f]
 *     V_f = V_i + h [(1 - gamma) a_i + gamma a_f]
 *     (1 - alpha_m) M a_f + alpha_m M a_i = (1 - alpha_f) F_f + alpha_f F_i
 *     c(q_f) = 0 ,   the multipliers lambda_f in F_f
 *
 * The last but one is the paper's recurrence of a and V' times M: so nodes without mass are
 * included, and V' need not be remembered. How a and V begin: alpha_initial.c. In ambient
 * coordinates a is vdot, see study.h.
 */
#include "study/alpha_family.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct node {
    pose H;
    v6 V, a, F; /* of the start of the step */
} node;

typedef struct family {
    double alpha_m, alpha_f, beta, gamma;
    node at[];
} family;

void ts_alpha_start(ts_study *s, double alpha_m, double alpha_f, double beta, double gamma) {
    size_t nodes = (size_t)s->st->model->nodes_count;
    family *f = s->own = ts_calloc(1, sizeof *f + nodes * sizeof(node));
    f->alpha_m = alpha_m, f->alpha_f = alpha_f, f->beta = beta, f->gamma = gamma;
}

/* F = W + ad(V)^T M V in body axes; W is the wrench in space axes. */
static v6 force(const ts_inertia *I, m3 R, v6 V, const double *W) {
    return v6_add(v6_to_body(R, v6_load(W)), ts_se3_ad_transposed(V, ts_inertia_times(I, V)));
}

int ts_alpha_initial(ts_study *s) {
    const family *f = s->own;
    double lag = 0.5 - f->gamma;
    return ts_alpha_consistent(s, lag, 1.0 / 6 - f->beta - 0.5 * lag);
}

/* ---- a step ---- */

void ts_alpha_begin(ts_study *s) {
    family *f = s->own;
    const ts_step *st = s->st;
    ts_accelerations start = ts_alpha_remembered(s);
    ts_wrenches_at(s, st->t_i, st->q_i, st->v_i, start.lambda, s->W);
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        ts_inertia I = ts_inertia_of(&st->model->nodes[n]);
        node *at = &f->at[n];
        at->H = ts_pose_of(s, st->q_i, n);
        at->V = v6_to_body(at->H.R, ts_twist_of(s, st->q_i, st->v_i, n));
        v6 a = ts_acceleration_of(s, st->q_i, start.vdot, n);
        at->a = ts_body_acceleration(at->H.R, at->V, a);
        at->F = force(&I, at->H.R, at->V, s->W + 6 * n);
    }
    free(start.own);
}

void ts_alpha_guess(ts_study *s, double *x) {
    const family *f = s->own;
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        v6 step = v6_to_body(f->at[n].H.R, ts_guessed_step(s, n));
        step.v = ts_so3_dexp_inverse(step.w, step.v);
        ts_store_block(s, x, 0, n, step);
    }
}

/* Pose, twist and algorithmic acceleration of the end. */
static node end_of(const family *f, double h, const node *i, v6 xi) {
    double b = f->beta * h * h;
    v6 a = v6_axpy(-h, i->V, v6_axpy((f->beta - 0.5) * h * h, i->a, xi));
    node e = {.H = pose_mul(i->H, ts_se3_exp(xi)), .a = v6_scale(1 / b, a)};
    e.V = v6_axpy(h * f->gamma, e.a, v6_axpy(h * (1 - f->gamma), i->a, i->V));
    return e;
}

static void refresh(ts_study *s, const double *x) {
    const family *f = s->own;
    ts_step *st = s->st;
    ts_put_fixed(s, st->q_f, st->v_f);
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        node e = end_of(f, st->h, &f->at[n], ts_load_block(s, x, 0, n));
        ts_put_pose(s, n, e.H, st->q_f);
        ts_put_twist(s, n, st->q_f, v6_to_space(e.H.R, e.V), st->v_f);
    }
    ts_load_multipliers(s, x, 0, st->lambda);
}

void ts_alpha_residual(ts_study *s, const double *x, double *R) {
    const family *f = s->own;
    const ts_step *st = s->st;
    refresh(s, x);
    ts_wrenches_at(s, st->t_f, st->q_f, st->v_f, st->lambda, s->W);
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        const node *i = &f->at[n];
        node e = end_of(f, st->h, i, ts_load_block(s, x, 0, n));
        ts_inertia I = ts_inertia_of(&st->model->nodes[n]);
        v6 F = force(&I, e.H.R, e.V, s->W + 6 * n);
        v6 a = v6_axpy(1 - f->alpha_m, e.a, v6_scale(f->alpha_m, i->a));
        v6 r = v6_axpy(f->alpha_f - 1, F, ts_inertia_times(&I, a));
        ts_store_block(s, R, 0, n, v6_axpy(-f->alpha_f, i->F, r));
    }
    ts_rows_at(s, st->t_f, st->q_f, st->v_f, s->c);
    ts_store_rows(s, R, 0, s->c);
}

void ts_alpha_finish(ts_study *s, const double *x, ts_exchange *out) {
    const family *f = s->own;
    ts_step *st = s->st;
    refresh(s, x);
    memset(st->acceleration, 0, (size_t)(3 * st->model->slots) * sizeof(double));
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        node e = end_of(f, st->h, &f->at[n], ts_load_block(s, x, 0, n));
        v6 twist = ts_twist_of(s, st->q_f, st->v_f, n);
        ts_put_acceleration(s, n, st->q_f, twist, ts_space_acceleration(e.H.R, e.V, e.a),
                            st->acceleration);
    }
    ts_study_works(s, out);
}
