/* SPDX-License-Identifier: Apache-2.0 */
/* The moving pole family: S3 section 5, eqs (30) to (45), for bodies, beams, joints, and whatever
 * else has forms.
 *
 * V* = (V, Omega) is the twist of a node in its own axes, M* its inertia, P* and h* the linear and
 * angular parts of M* V*, alpha = R. The unknowns are displacement and rotation of the step; p are
 * its rotation parameters (any of Table 1), in space:
 *
 *     x_f - x_i = h v_m = h A_m (V_i + V_f)/2     A_m: of the member         (31), (33), (37)
 *     R_f = R[p] R_i ,   p = h A_m (Omega_i + Omega_f)/2 = h R_i (Omega_i + Omega_f)/2         (32)
 *     (R_f P_f - R_i P_i)/h = F
 *     (R_f h_f - R_i h_i)/h + eps v_m x Pbar = eps N                Pbar: of the member        (30)
 *     c(q_f) = 0 ,   or  A(q_m) (q_f - q_i) = 0  for rates
 *
 * Why the moments have eps: eps p is the Cayley vector, so directors move by d_f - d_i = eps p x
 * d_m, and forces at mean directors, moment N = sum d_m x F_k, do the work F.(x_f - x_i) + eps N.p.
 * With the discrete gradients of forms, (D) in docs/theory.md, that is exactly the change of their
 * energy, and nothing for conditions. S3 (39) to (44) is the same for its beam, whose curvature is
 * interpolated otherwise; here strains are torsor's forms (directors interpolated, objective and
 * free of path), and so are joints, springs, drives. The inertia forces do the work of (38). So
 * energy is kept for every A_m and Pbar that satisfy (35) and (36), and every rotation parameter.
 *
 * Loads enter as other forces do, at the mean of both ends and with eps: a moment works on the
 * Cayley vector.
 */
#include "study/moving_pole.h"

#include <string.h>

#include "base/error.h"

typedef struct family {
    const ts_moving_pole *member;
    const ts_rotation_parameters *rotation;
    double rates[]; /* per row */
} family;

int ts_moving_pole_start(ts_study *s, const ts_moving_pole *member) {
    size_t rows = (size_t)s->st->model->rows_count + 1;
    family *f = s->own = ts_calloc(1, sizeof *f + rows * sizeof(double));
    f->member = member, f->rotation = ts_study_rotation(s, "rodrigues");
    return 0;
}

/* (31) and (32), solved for the velocity of the end */
static v6 twist_of_end(const family *f, double h, m3 a_i, m3 a_f, v6 V_i, v6 step) {
    m3 inverse_transposed = m3_invt(f->member->mean(a_i, a_f));
    v6 mean = {m3_tapply(inverse_transposed, step.v),
               m3_tapply(a_i, ts_parameters_of(f->rotation, step.w))};
    return v6_axpy(2 / h, mean, v6_scale(-1, V_i));
}

static void refresh_node(ts_study *s, int n, v6 step) {
    const family *f = s->own;
    ts_step *st = s->st;
    ts_put_step(s, n, step.v, quat_exp(step.w));
    m3 a_i = ts_pose_of(s, st->q_i, n).R, a_f = ts_pose_of(s, st->q_f, n).R;
    v6 V_i = v6_to_body(a_i, ts_twist_of(s, st->q_i, st->v_i, n));
    v6 V_f = twist_of_end(f, st->h, a_i, a_f, V_i, step);
    ts_put_twist(s, n, st->q_f, v6_to_space(a_f, V_f), st->v_f);
}

/* Inertia force less the wrench W about the node: (30) */
static v6 balance(const ts_study *s, int n, v6 step, v6 W) {
    const family *f = s->own;
    const ts_step *st = s->st;
    ts_inertia I = ts_inertia_of(&st->model->nodes[n]);
    m3 a_i = ts_pose_of(s, st->q_i, n).R, a_f = ts_pose_of(s, st->q_f, n).R;
    v6 P_i = ts_inertia_times(&I, v6_to_body(a_i, ts_twist_of(s, st->q_i, st->v_i, n)));
    v6 P_f = ts_inertia_times(&I, v6_to_body(a_f, ts_twist_of(s, st->q_f, st->v_f, n)));
    double eps = ts_parameters_eps(f->rotation, ts_parameters_of(f->rotation, step.w));
    v6 change = v6_scale(1 / st->h, v6_sub(v6_to_space(a_f, P_f), v6_to_space(a_i, P_i)));
    v3 swept = v3_cross(v3_scale(1 / st->h, step.v), f->member->momentum(a_i, a_f, P_i.v, P_f.v));
    return v6_make(v3_sub(change.v, W.v), v3_axpy(eps, v3_sub(swept, W.w), change.w));
}

/* Positions at the end; non-holonomic rows in the middle, A(q_m) (q_f - q_i). */
static void rows(ts_study *s, double *R) {
    const ts_step *st = s->st;
    family *f = s->own;
    ts_rows_at(s, st->t_f, st->q_f, st->dq, s->c);
    ts_rows_at(s, st->t_f, st->q_m, st->dq, f->rates);
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->model->sites[st->model->rows[r].site].role == TS_ROLE_RATES) s->c[r] = f->rates[r];
    ts_store_rows(s, R, 0, s->c);
}

void ts_moving_pole_residual(ts_study *s, const double *x, double *R) {
    ts_step *st = s->st;
    const ts_model *model = st->model;
    ts_refresh_step(s, x, refresh_node);
    memset(s->F, 0, (size_t)(3 * model->slots) * sizeof(double));
    memset(s->W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    ts_forces_over(s, st->q_f, st->q_m, st->lambda, s->F);
    ts_project_forces(s, st->q_m, s->F, s->W);
    ts_add_mean_loads(s, st->q_m, s->W), ts_add_gravity(s, st->q_m, s->W);
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n))
            ts_store_block(s, R, 0, n,
                           balance(s, n, ts_load_block(s, x, 0, n), v6_load(s->W + 6 * n)));
    rows(s, R);
}

void ts_moving_pole_finish(ts_study *s, const double *x, ts_exchange *out) {
    ts_refresh_step(s, x, refresh_node);
    ts_study_works(s, out);
}
