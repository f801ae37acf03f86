/* SPDX-License-Identifier: Apache-2.0 */
/* Initial values of the alpha family that make multipliers second-order accurate from the first
 * step on.
 *
 * Constraints hold for positions only, so velocities and accelerations across them approach the
 * values that the two updates give for exact positions: insert V + offset and a into them, with
 * positions of the exact motion, xi = h V + h^2/2 V' + h^3/6 V'' + h^3/12 [V, V'] (Magnus), and
 *
 *     a = V' + lag h V'' ,   lag = 1/2 - gamma ,
 *     offset = h^2 [(1/6 - beta - lag/2) V'' + [V, V']/12] .
 *
 * A start with V and V' themselves causes an error of first order in the multipliers, damped by
 * rho_inf per step (M. Arnold, O. Bruels, A. Cardona, Numer. Math. 129 (2015) 149). The offset is
 * applied across the conditions only: the least change in the mass norm, M dV + C^T mu = 0, that
 * gives C dV its value. It is of the size of the method's own error; along the free motions nothing
 * is changed. V'' is the slope of the accelerations of the equations of motion, by differences.
 *
 * Where loads jump at the start of a step, a and lambda jump by as much as the equations of motion
 * say: the difference of their solutions with the loads of both sides. Without that a step would
 * use the force before the jump for half its length.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/alpha_family.h"

v6 ts_body_acceleration(m3 R, v6 V, v6 space) {
    return v6_make(v3_sub(m3_tapply(R, space.v), v3_cross(V.w, V.v)), m3_tapply(R, space.w));
}

v6 ts_space_acceleration(m3 R, v6 V, v6 body) {
    return v6_make(m3_apply(R, v3_add(body.v, v3_cross(V.w, V.v))), m3_apply(R, body.w));
}

static v6 body_twist(const ts_study *s, const double *q, const double *v, int n) {
    v6 space = ts_twist_of(s, q, v, n);
    m3 R = ts_pose_of(s, q, n).R;
    return v6_make(m3_tapply(R, space.v), m3_tapply(R, space.w));
}

/* Positions and velocities a moment d later, by the accelerations. */
static void glide(const ts_study *s, const ts_state *from, double d, double *q, double *v) {
    memcpy(q, from->q, (size_t)(3 * s->st->model->slots) * sizeof *q);
    memset(v, 0, (size_t)(3 * s->st->model->slots) * sizeof *v);
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        pose H = ts_pose_of(s, from->q, n);
        v6 twist = ts_twist_of(s, from->q, from->v, n);
        v6 a = ts_acceleration_of(s, from->q, from->vdot, n);
        v6 step = v6_axpy(0.5 * d * d, a, v6_scale(d, twist));
        ts_put_pose(s, n, (pose){v3_add(H.x, step.v), m3_mul(so3_exp(step.w), H.R)}, q);
        ts_put_twist(s, n, q, v6_axpy(d, a, twist), v);
    }
}

/* weight times V' of a moment d later, added to slope[6 per node] */
static int add_slope(ts_study *s, double d, double weight, double *slope) {
    const ts_state *state = &s->st->system->state;
    size_t ambient = (size_t)(3 * s->st->model->slots), rows = (size_t)s->st->model->rows_count + 1;
    double *q = ts_calloc(3 * ambient + rows, sizeof *q), *v = q + ambient, *vdot = v + ambient;
    glide(s, state, d, q, v);
    int code = ts_solve_accelerations(s, state->t + d, q, v, vdot, vdot + ambient);
    for (int n = 0; n < s->st->model->nodes_count && !code; n++) {
        if (!ts_is_free(s, n)) continue;
        v6 a = ts_body_acceleration(ts_pose_of(s, q, n).R, body_twist(s, q, v, n),
                                    ts_acceleration_of(s, q, vdot, n));
        v6_store(slope + 6 * n, v6_axpy(weight, a, v6_load(slope + 6 * n)));
    }
    free(q);
    return code;
}

static bool corner_near(const ts_study *s, double d) {
    const ts_model *model = s->st->model;
    double t = s->st->system->state.t;
    for (int i = 0; i < model->signals_count; i++)
        if (ts_signal_branch(&model->signals[i], t - d) !=
            ts_signal_branch(&model->signals[i], t + d))
            return true;
    return false;
}

/* V'', 6 per node: central differences, or to the right where a signal jumps or has a corner. */
static int jerks(ts_study *s, double d, double *slope) {
    static const double place[2][3] = {{-1, 1, 0}, {0, 1, 2}};
    static const double weight[2][3] = {{-0.5, 0.5, 0}, {-1.5, 2, -0.5}};
    bool corner = corner_near(s, 2 * d);
    int code = 0;
    for (int k = 0; k < (corner ? 3 : 2) && !code; k++)
        code = add_slope(s, place[corner][k] * d, weight[corner][k] / d, slope);
    return code;
}

/* ---- the offset of velocities ---- */

typedef struct offset {
    ts_study *s;
    double *wanted, *dv, *mu, *rate; /* ambient rates; per row */
} offset;

/* Rates of the rows without what they are at rest: C(q) v. Non-holonomic rows hold as they are:
 * none. */
static void linear_rates(const ts_study *s, const double *v, double *out) {
    const ts_model *model = s->st->model;
    const ts_state *state = &s->st->system->state;
    double *rest = ts_calloc((size_t)model->rows_count + 1, sizeof *rest);
    double *zero = ts_calloc((size_t)(3 * model->slots), sizeof *zero);
    ts_row_rates(s, state->t, state->q, zero, rest);
    ts_row_rates(s, state->t, state->q, v, out);
    for (int r = 0; r < model->rows_count; r++) out[r] -= rest[r];
    free(rest), free(zero);
}

static void normal_equations(void *context, const double *x, double *R) {
    offset *o = context;
    ts_study *s = o->s;
    const ts_model *model = s->st->model;
    const ts_system *system = s->st->system;
    const double *q = system->state.q;
    for (int r = 0; r < model->rows_count; r++)
        o->mu[r] = system->row_eq[r] < 0 ? 0 : x[system->dofs + system->row_eq[r]];
    memset(s->F, 0, (size_t)(3 * model->slots) * sizeof(double));
    memset(s->W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    ts_forces_of_rows(s, q, o->mu, s->F);
    ts_project_forces(s, q, s->F, s->W);
    for (int n = 0; n < model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        ts_inertia I = ts_inertia_of(&model->nodes[n]);
        I = ts_inertia_turned(&I, ts_pose_of(s, q, n).R);
        v6 dv = ts_load_block(s, x, 0, n), p = ts_inertia_times(&I, dv);
        const double *tiny = s->stepper->eq.node_regular + 2 * n;
        p = v6_add(p, v6_make(v3_scale(tiny[0], dv.v), v3_scale(tiny[1], dv.w)));
        ts_store_block(s, R, 0, n, v6_sub(p, v6_load(s->W + 6 * n)));
        ts_put_twist(s, n, q, dv, o->dv);
    }
    linear_rates(s, o->dv, o->rate);
    linear_rates(s, o->wanted, s->c);
    for (int r = 0; r < model->rows_count; r++) {
        bool holonomic = model->sites[model->rows[r].site].role != TS_ROLE_RATES;
        if (system->row_eq[r] >= 0)
            R[system->dofs + system->row_eq[r]] = o->rate[r] - (holonomic ? s->c[r] : 0);
    }
}

/* Changes the velocities of the state across the conditions as `wanted` would. */
static int move_velocities(ts_study *s, double *wanted) {
    static const double step[3] = {1, 1, 1}; /* the equations are linear */
    const ts_system *system = s->st->system;
    size_t ambient = (size_t)(3 * s->st->model->slots), rows = (size_t)s->st->model->rows_count + 1,
           n = (size_t)(system->dofs + system->rows);
    double *space = ts_calloc(ambient + 2 * rows + 2 * n + 2, sizeof *space);
    double *x = space + ambient + 2 * rows, *R = x + n + 1;
    offset o = {s, wanted, space, space + ambient, space + ambient + rows};
    ts_differences *d = ts_differences_new(s->st, 1, 1);
    int code = n ? ts_differences_factor(d, normal_equations, &o, x, step) : 0;
    for (int it = 0; it < 2 && !code; it++) {
        normal_equations(&o, x, R);
        ts_differences_solve(d, R);
        for (size_t i = 0; i < n; i++) x[i] -= R[i];
    }
    normal_equations(&o, x, R);
    for (size_t i = 0; i < ambient && !code; i++) system->state.v[i] += o.dv[i];
    ts_differences_free(d);
    free(space);
    return code;
}

ts_accelerations ts_alpha_remembered(ts_study *s) {
    const ts_state *state = &s->st->system->state;
    ts_accelerations out = {state->vdot, state->lambda, NULL};
    if (state->step == 0 || !ts_forces_jump(s)) return out; /* step 1: ts_alpha_consistent */
    size_t ambient = (size_t)(3 * s->st->model->slots), rows = (size_t)s->st->model->rows_count + 1,
           all = ambient + rows;
    double *left = ts_calloc(2 * all, sizeof *left), *right = left + all;
    int code = ts_solve_accelerations(s, state->t, state->q, state->v, right, right + ambient);
    s->arriving = true;
    if (!code) code = ts_solve_accelerations(s, state->t, state->q, state->v, left, left + ambient);
    s->arriving = false;
    for (size_t i = 0; i < ambient; i++) right[i] += state->vdot[i] - left[i];
    for (size_t r = 0; r + 1 < rows; r++)
        right[ambient + r] += state->lambda[r] - left[ambient + r];
    memmove(left, right, all * sizeof *left);
    if (!code) return (ts_accelerations){left, left + ambient, left};
    free(left);
    return out;
}

int ts_alpha_consistent(ts_study *s, double lag, double offset_of_jerk) {
    ts_state *state = &s->st->system->state;
    const ts_model *model = s->st->model;
    double h = s->st->h, d = 1e-3 * h;
    int code = ts_initial_accelerations(s);
    double *slope = ts_calloc((size_t)(6 * model->nodes_count), sizeof *slope);
    double *wanted = ts_calloc((size_t)(3 * model->slots), sizeof *wanted);
    if (!code) code = jerks(s, d, slope);
    for (int n = 0; n < model->nodes_count && !code; n++) {
        if (!ts_is_free(s, n)) continue;
        m3 R = ts_pose_of(s, state->q, n).R;
        v6 twist = ts_twist_of(s, state->q, state->v, n), jerk = v6_load(slope + 6 * n);
        v6 V = body_twist(s, state->q, state->v, n);
        v6 a = ts_body_acceleration(R, V, ts_acceleration_of(s, state->q, state->vdot, n));
        v6 dV = v6_axpy(offset_of_jerk, jerk, v6_scale(1.0 / 12, ts_se3_ad(V, a)));
        dV = v6_scale(h * h, dV);
        dV = v6_make(m3_apply(R, dV.v), m3_apply(R, dV.w));
        ts_put_twist(s, n, state->q, dV, wanted);
        a = ts_space_acceleration(R, V, v6_axpy(lag * h, jerk, a));
        ts_put_acceleration(s, n, state->q, twist, a, state->vdot);
    }
    if (!code) code = move_velocities(s, wanted);
    free(slope), free(wanted);
    return code;
}
