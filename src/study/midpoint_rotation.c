/* SPDX-License-Identifier: Apache-2.0 */
/* S2's scheme: M. Geradin, Energy conserving time integration for multibody dynamics, application
 * to top motion, eqs (25) to (71).
 *
 * The node of a body is its mass centre x, J its inertia there, Omega its angular velocity in body
 * axes, h = R J Omega. The rotation of a step is two equal rotations G; unknowns are, as printed,
 * Euler parameters e of the step or its conformal rotation vector a:
 *
 *     R_f = R_i G G ,  R_g = R_i G ,   h Omega_g = 2 vect(G) = 2 e = 2 a/(4 - a_0) ,
 *     a_0 = 2 - a.a/8            (32), (46), (57)
 *     m (v_f - v_i)/h = m g + F ,   v_f = 2 (x_f - x_i)/h - v_i                          (25), (27)
 *     (h_f - h_i)/h = N ,           h_f = 2 R_g J Omega_g - h_i                          (25), (29)
 *     C(q_g) q'_g = 0 ,  q_g = (x_m, R_g) , q'_g = ((x_f - x_i)/h, Omega_g)                    (66)
 *
 * F and N are those of the reactions at q_g. The constraints are on velocities at mid-step:
 * reactions do no work. For those that are linear in positions and directors (ball joints),
 * R_f - R_i = R_g (2 e)~ makes them exact on positions too, so there is no drift beyond round-off;
 * S2 reports 2e-7. Others (hinges between moving bodies, lengths, drives of angles) drift, with
 * h^2.
 *
 * The printed algorithm does not preserve energy. (29) makes the mean of h in space the momentum of
 * the mid-step, while the proof (61) takes Omega_g = (Omega_i + Omega_f)/2, (57). Both cannot be.
 * `mean: momentum`, the default, is (29), the algorithm as listed; `mean: velocity` is (57), h_f =
 * R_f J (2 Omega_g - Omega_i), for which the proof holds. The latter is scheme 1 of S3 about the
 * mass centre with reduced Euler parameters, but for its constraints.
 *
 * Preserves: ball joints, linear momentum, angular momentum of a free body, and energy with mean:
 * velocity. Not: energy with mean: momentum; other constraints; angular momentum of bodies joined
 * to each other, and its vertical component for the top: reactions act at x_m + R_g X, which is the
 * same point neither for two bodies nor for a body and its pivot, but to h^2.
 *
 * What S2 leaves out, and how it is here: beams, springs and loads act at mean directors with
 * moments divided by cos(phi/2), as in moving_pole.c, so that their work is exact; a body may have
 * any reference point.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "study/study.h"

enum { EULER, CONFORMAL };
enum { MEAN_MOMENTUM, MEAN_VELOCITY };

typedef struct top {
    int rotation, mean;
    double *q_g, *v_g, *W; /* middle of the step; wrenches of laws and loads */
    double space[];
} top;

/* ---- rotations ---- */

/* (e_0, e) of the unknowns: (43), or (50) with 4 - a_0 = 2 + a.a/8. NaN beyond half a turn of Euler
 * parameters. */
static quat euler_parameters(const top *f, v3 unknown) {
    double x = v3_dot(unknown, unknown);
    if (f->rotation == EULER) return (quat){sqrt(1 - x), unknown};
    double k = 1 / (2 + x / 8);
    return (quat){k * (2 - x / 8), v3_scale(k, unknown)};
}

static v3 unknowns_of(const top *f, quat e) {
    return f->rotation == EULER ? e.v : v3_scale(4 / (1 + e.s), e.v); /* (47) */
}

/* G of (43): its quaternion is half way to e. */
static quat half_of(quat e) { return quat_normalize((quat){1 + e.s, e.v}); }

/* ---- life ---- */

/* J about the mass centre, and whether there is none at all: then (57) serves, as nothing depends
 * on it. */
static bool centre_inertia(const ts_node *node, ts_inertia *I) {
    *I = ts_inertia_of(node);
    m3 skew = m3_skew(I->c), moved = m3_scale(I->m, m3_mul(skew, skew));
    double before = I->J.c[0].x + I->J.c[1].y + I->J.c[2].z;
    I->J = m3_add(moved, I->J);
    return I->J.c[0].x + I->J.c[1].y + I->J.c[2].z > 1e-13 * before;
}

static int check_inertia(const ts_study *s) {
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        const ts_node *node = &s->st->model->nodes[n];
        ts_inertia I;
        if (node->fixed || node->slots < 4 || !centre_inertia(node, &I)) continue;
        double size = I.J.c[0].x + I.J.c[1].y + I.J.c[2].z;
        if (m3_det(I.J) > 1e-12 * size * size * size) continue;
        return ts_fail(TORSOR_EINVAL,
                       "the scheme %s with mean: momentum computes angular velocities from angular "
                       "momenta, but '%s' has a moment of inertia about some axes only: give it "
                       "one about all three, or use mean: velocity",
                       s->stepper->scheme->name, s->st->model->parts[node->part].name);
    }
    return 0;
}

static int start(ts_study *s) {
    size_t ambient = (size_t)(3 * s->st->model->slots), nodes = (size_t)s->st->model->nodes_count;
    top *f = s->own = ts_calloc(1, sizeof *f + (2 * ambient + 6 * nodes) * sizeof(double));
    f->rotation = ts_study_choice(s, "rotation"), f->mean = ts_study_choice(s, "mean");
    f->q_g = f->space, f->v_g = f->q_g + ambient, f->W = f->v_g + ambient;
    return f->mean == MEAN_MOMENTUM ? check_inertia(s) : 0;
}

static void guess(ts_study *s, double *x) {
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        v6 step = ts_guessed_step(s, n);
        quat e = quat_exp(step.w);
        e.v = m3_tapply(ts_pose_of(s, s->st->q_i, n).R, e.v);
        step.w = unknowns_of(s->own, e);
        ts_store_block(s, x, 0, n, step);
    }
}

/* ---- one body ---- */

typedef struct body {
    ts_inertia I;     /* J about the mass centre */
    bool by_momentum; /* (29); otherwise (57) */
    m3 R_i, R_f, R_g;
    v3 e; /* body axes */
    double e0;
    v3 c_i, c_f, c_g; /* from the node to the mass centre */
    v3 P_i, P_f;      /* momentum */
    v3 h_i, h_f;      /* angular momentum about the mass centre */
} body;

static v3 end_momentum(double h, const body *b, v3 Omega_i) {
    if (b->by_momentum) {
        v3 h_g = m3_apply(b->R_g, m3_apply(b->I.J, v3_scale(2 / h, b->e)));
        return v3_sub(v3_scale(2, h_g), b->h_i);
    }
    return m3_apply(b->R_f, m3_apply(b->I.J, v3_axpy(4 / h, b->e, v3_scale(-1, Omega_i))));
}

static body body_of(const ts_study *s, int n, v6 step) {
    const top *f = s->own;
    const ts_step *st = s->st;
    body b;
    bool turns = centre_inertia(&st->model->nodes[n], &b.I);
    b.by_momentum = f->mean == MEAN_MOMENTUM && turns;
    quat e = euler_parameters(f, step.w);
    b.e = e.v, b.e0 = e.s;
    b.R_i = ts_pose_of(s, st->q_i, n).R;
    b.R_f = m3_mul(b.R_i, quat_matrix(e)), b.R_g = m3_mul(b.R_i, quat_matrix(half_of(e)));
    b.c_i = m3_apply(b.R_i, b.I.c), b.c_f = m3_apply(b.R_f, b.I.c), b.c_g = m3_apply(b.R_g, b.I.c);
    v6 twist = ts_twist_of(s, st->q_i, st->v_i, n);
    v3 Omega_i = m3_tapply(b.R_i, twist.w);
    b.P_i = v3_scale(b.I.m, v3_add(twist.v, v3_cross(twist.w, b.c_i)));
    v3 moved = v3_add(step.v, m3_apply(b.R_i, quat_increment(e, b.I.c)));
    b.P_f = v3_axpy(2 * b.I.m / st->h, moved, v3_scale(-1, b.P_i));
    b.h_i = m3_apply(b.R_i, m3_apply(b.I.J, Omega_i));
    b.h_f = end_momentum(st->h, &b, Omega_i);
    return b;
}

static v6 twist_of_end(const ts_study *s, int n, const body *b, v6 step) {
    const ts_step *st = s->st;
    v6 twist_i = ts_twist_of(s, st->q_i, st->v_i, n);
    v3 centre_i = v3_add(twist_i.v, v3_cross(twist_i.w, b->c_i));
    v3 moved = v3_add(step.v, v3_sub(b->c_f, b->c_i));
    v3 Omega = v3_axpy(4 / st->h, b->e, v3_scale(-1, m3_tapply(b->R_i, twist_i.w)));
    if (b->by_momentum) Omega = m3_tapply(m3_invt(b->I.J), m3_tapply(b->R_f, b->h_f));
    v3 w = m3_apply(b->R_f, Omega);
    v3 centre_f = v3_axpy(2 / st->h, moved, v3_scale(-1, centre_i));
    return v6_make(v3_sub(centre_f, v3_cross(w, b->c_f)), w);
}

/* ---- the step ---- */

static void refresh_node(ts_study *s, int n, v6 step) {
    top *f = s->own;
    ts_step *st = s->st;
    body b = body_of(s, n, step);
    quat turn = {b.e0, m3_apply(b.R_i, b.e)};
    ts_put_step(s, n, step.v, turn);
    ts_put_twist(s, n, st->q_f, twist_of_end(s, n, &b, step), st->v_f);
    ts_put_pose(s, n, (pose){ts_pose_of(s, st->q_m, n).x, b.R_g}, f->q_g);
    v6 middle = v6_make(step.v, v3_scale(2, turn.v)); /* times h */
    ts_put_twist(s, n, f->q_g, middle, f->v_g);
}

static void refresh(ts_study *s, const double *x) {
    top *f = s->own;
    ts_put_fixed(s, f->q_g, f->v_g);
    ts_refresh_step(s, x, refresh_node);
}

/* Momentum balances of a body about its mass centre; forces of rows in s->W, of laws and loads in
 * f->W, about the node. */
static v6 balance(const ts_study *s, int n, v6 step) {
    const top *f = s->own;
    const ts_step *st = s->st;
    body b = body_of(s, n, step);
    v6 rows = v6_load(s->W + 6 * n), laws = v6_load(f->W + 6 * n);
    v3 force = v3_add(rows.v, laws.v), moment = v3_axpy(1 / b.e0, laws.w, rows.w);
    moment = v3_sub(moment, v3_cross(b.c_g, force));
    force = v3_axpy(b.I.m, st->model->gravity, force);
    return v6_make(v3_axpy(1 / st->h, v3_sub(b.P_f, b.P_i), v3_scale(-1, force)),
                   v3_axpy(1 / st->h, v3_sub(b.h_f, b.h_i), v3_scale(-1, moment)));
}

/* (66) times h: C(q_g) h q'_g, less the change that is prescribed. */
static void rows(ts_study *s, double *R) {
    const top *f = s->own;
    const ts_step *st = s->st;
    double t = 0.5 * (st->t_i + st->t_f), rate;
    ts_row_rates(s, t, f->q_g, f->v_g, s->c);
    for (int r = 0; r < st->model->rows_count; r++) {
        int signal = st->model->rows[r].signal;
        if (signal < 0 || st->model->sites[st->model->rows[r].site].role == TS_ROLE_RATES) continue;
        (void)ts_study_signal(s, r, t, &rate);
        s->c[r] += rate - (st->u_f[r] - st->u_i[r]);
    }
    ts_store_rows(s, R, 0, s->c);
}

static void residual(ts_study *s, const double *x, double *R) {
    top *f = s->own;
    ts_step *st = s->st;
    size_t ambient = (size_t)(3 * st->model->slots) * sizeof(double),
           wrenches = (size_t)(6 * st->model->nodes_count) * sizeof(double);
    refresh(s, x);
    memset(s->F, 0, ambient), memset(f->W, 0, wrenches), memset(s->W, 0, wrenches);
    ts_forces_over(s, st->q_f, st->q_m, NULL, s->F);
    ts_project_forces(s, st->q_m, s->F, f->W);
    ts_add_mean_loads(s, st->q_m, f->W);
    memset(s->F, 0, ambient);
    ts_forces_of_rows(s, f->q_g, st->lambda, s->F);
    ts_project_forces(s, f->q_g, s->F, s->W);
    for (int n = 0; n < st->model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_store_block(s, R, 0, n, balance(s, n, ts_load_block(s, x, 0, n)));
    rows(s, R);
}

/* What (29) takes: the balance works on Omega_g, kinetic energy changes by the mean of both
 * ends. */
static double lost(const ts_study *s, int n, v6 step) {
    const ts_step *st = s->st;
    body b = body_of(s, n, step);
    v3 start = m3_tapply(b.R_i, ts_twist_of(s, st->q_i, st->v_i, n).w);
    v3 end = m3_tapply(b.R_f, ts_twist_of(s, st->q_f, st->v_f, n).w);
    v3 off = v3_axpy(2 / st->h, b.e, v3_scale(-0.5, v3_add(start, end)));
    return v3_dot(off, m3_apply(b.I.J, v3_sub(end, start)));
}

/* A drive works on what its row prescribes, which is what (66) makes of it. */
static void finish(ts_study *s, const double *x, ts_exchange *out) {
    const ts_step *st = s->st;
    ts_exchange common = {0};
    refresh(s, x);
    ts_study_works(s, &common);
    out->work_loads += common.work_loads, out->dissipated += common.dissipated;
    out->rubbed += common.rubbed;
    for (int r = 0; r < st->model->rows_count; r++)
        if (st->model->rows[r].drive) out->work_drives -= st->lambda[r] * (st->u_f[r] - st->u_i[r]);
    const top *f = s->own;
    for (int n = 0; n < st->model->nodes_count && f->mean == MEAN_MOMENTUM; n++)
        if (ts_is_free(s, n)) out->algorithmic += lost(s, n, ts_load_block(s, x, 0, n));
}

static const char *const ROTATIONS[] = {"euler", "conformal", NULL};
static const char *const MEANS[] = {"momentum", "velocity", NULL};
static const ts_scheme_parameter PARAMETERS[] = {
    {"rotation", "Unknowns: Euler parameters, or the conformal rotation vector", "euler", 0, 0,
     ROTATIONS, TS_OWN},
    {"mean", "What is averaged: momentum in space (29), or angular velocity (57)", "momentum", 0, 0,
     MEANS, TS_OWN},
    {0}};

static const ts_study_scheme STUDY = {.start = start,
                                      .guess = guess,
                                      .residual = residual,
                                      .finish = finish,
                                      .keeps = "ball joints; energy with mean: velocity",
                                      .source = "S2 eqs (25) to (71)"};

const ts_scheme TS_SCHEME_S2 = {
    .name = "S2",
    .help = "Geradin's scheme for tops: constraints on velocities at mid-step.",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
