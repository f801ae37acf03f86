/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of schemes for study: life, equations with a matrix by differences, initial
 * accelerations. See study.h. */
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double MULTIPLIER_TOLERANCE = 1e-13; /* relative */
static const double DIFFERENCE = 6e-6; /* cube root of round-off: best for central differences */
enum { MOST_UNKNOWNS = 255 };          /* of one site, see sparse.h */

/* ---- parameters ---- */

bool ts_study_given(const ts_study *s, const char *name) {
    return ts_parameter_given(&s->stepper->options.parameters, s->stepper->scheme, name);
}

double ts_study_number(const ts_study *s, const char *name, double fallback) {
    return ts_parameter_value(&s->stepper->options.parameters, s->stepper->scheme, name, fallback);
}

int ts_study_choice(const ts_study *s, const char *name) {
    return (int)ts_study_number(s, name, 0);
}

/* ---- life ---- */

static int refuse(const ts_study *s, int part, const char *what) {
    return ts_fail(TORSOR_EINVAL, "the scheme %s does not support %s, which '%s' has: use ED or EP",
                   s->stepper->scheme->name, what, s->st->model->parts[part].name);
}

static int check_model(const ts_study *s) {
    const ts_model *model = s->st->model;
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->kind == TS_NODE_DIRECTOR) return refuse(s, node->part, "directors of shells");
        if (node->inner && node->mass[0][0] > 0)
            return refuse(s, node->part, "material that flows");
        if (node->kind == TS_NODE_POINT && s->scheme->no_points)
            return refuse(s, node->part, "points without rotation");
    }
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->role == TS_ROLE_RATES && s->scheme->no_rates)
            return refuse(s, site->part, "non-holonomic constraints");
        if (6 * site->nodes * s->node_blocks + site->rows * s->row_blocks > MOST_UNKNOWNS)
            return refuse(s, site->part, "as many nodes in one element");
    }
    return 0;
}

static int open_study(ts_stepper *st) {
    ts_study *s = st->own = ts_calloc(1, sizeof *s);
    s->stepper = st, s->st = &st->step, s->scheme = st->scheme->study;
    s->node_blocks = s->row_blocks = 1;
    int code = s->scheme->start ? s->scheme->start(s) : 0;
    if (!code) code = check_model(s);
    if (code) return code;
    s->n = s->node_blocks * st->system->dofs + s->row_blocks * st->system->rows;
    double **vectors[] = {&s->x, &s->R, &s->delta, &s->saved, &s->other};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = ts_calloc((size_t)s->n + 1, sizeof(double));
    s->F = ts_calloc((size_t)(3 * st->model->slots), sizeof(double));
    s->W = ts_calloc((size_t)(6 * st->model->nodes_count), sizeof(double));
    s->c = ts_calloc((size_t)st->model->rows_count + 1, sizeof(double));
    s->matrix = ts_differences_new(s->st, s->node_blocks, s->row_blocks);
    return 0;
}

static void close_study(ts_stepper *st) {
    ts_study *s = st->own;
    if (!s) return;
    void *arrays[] = {s->x, s->R, s->delta, s->saved, s->other, s->F, s->W, s->c, s->own};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    ts_differences_free(s->matrix);
    free(s);
}

static void forget(ts_stepper *st) {
    ts_study *s = st->own;
    ts_forget_tangent(&s->tangent);
    ts_differences_forget(s->matrix);
}

/* ---- the step ---- */

static void residual(void *context, const double *x, double *R) {
    ts_study *s = context;
    memset(R, 0, (size_t)s->n * sizeof *R);
    s->scheme->residual(s, x, R);
}

static void guess(ts_study *s) {
    const ts_step *st = s->st;
    memset(s->x, 0, (size_t)s->n * sizeof *s->x);
    for (int n = 0; n < st->model->nodes_count; n++)
        if (ts_is_free(s, n)) ts_store_block(s, s->x, 0, n, ts_guessed_step(s, n));
    if (s->row_blocks > 0) ts_store_rows(s, s->x, 0, st->lambda);
    if (s->scheme->guess) s->scheme->guess(s, s->x);
}

/* Largest of the unknowns of nodes: displacement over the size of the model, rotation. NaN
 * stays. */
static double motion(const ts_study *s, const double *x) {
    double largest = 0, per_length = 1 / s->st->system->length;
    for (int b = 0; b < s->node_blocks; b++)
        for (int n = 0; n < s->st->model->nodes_count; n++) {
            if (!ts_is_free(s, n)) continue;
            v6 d = ts_load_block(s, x, b, n);
            double size = per_length * v3_norm(d.v) + v3_norm(d.w);
            largest = size <= largest ? largest : size;
        }
    return largest;
}

static double multipliers(const ts_study *s, const double *x) {
    double largest = 0;
    for (int i = s->node_blocks * s->st->system->dofs; i < s->n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Multipliers enter linearly, so their differences may be as large as forces are. */
static double force_scale(const ts_study *s) {
    const ts_step *st = s->st;
    double mass = 0;
    for (int n = 0; n < st->model->nodes_count; n++)
        mass = fmax(mass, st->model->nodes[n].mass[0][0]);
    double inertia = mass * st->system->length / (st->h * st->h);
    return fmax(inertia > 0 ? DIFFERENCE * inertia : 1e-3, 1e-3 * multipliers(s, s->x));
}

/* ---- as Newton's method calls them ---- */

static void residual_here(void *of) {
    ts_study *s = of;
    residual(s, s->x, s->R);
}

static int factor(void *of) {
    ts_study *s = of;
    double step[3] = {DIFFERENCE * s->st->system->length, DIFFERENCE, force_scale(s)};
    s->stepper->report.factorisations++;
    return ts_differences_factor(s->matrix, residual, s, s->x, step);
}

static void solve_for(void *of, double *x) { ts_differences_solve(((ts_study *)of)->matrix, x); }

static void move(void *of, const double *delta, double factor) {
    ts_study *s = of;
    for (int i = 0; i < s->n; i++) s->x[i] += factor * delta[i];
}

static double increment(const void *of, const double *delta) { return motion(of, delta); }

static double step_so_far(const void *of) { return motion(of, ((const ts_study *)of)->x); }

static double multiplier_increment(const void *of, const double *delta, double *size) {
    *size = multipliers(of, ((const ts_study *)of)->x);
    return multipliers(of, delta);
}

static int newton(ts_study *s, ts_temper temper, int *iterations) {
    const ts_step_options *options = &s->stepper->options;
    ts_newton x = {.n = s->n,
                   .R = s->R,
                   .delta = s->delta,
                   .saved = s->saved,
                   .other = s->other,
                   .tangent = &s->tangent,
                   .h = s->st->h,
                   .tolerance = ts_step_tolerance(s->stepper),
                   .far = s->st->system->far,
                   .renewal = TS_RENEWAL,
                   .max_iterations = options->max_iterations,
                   .multiplier_tolerance = MULTIPLIER_TOLERANCE,
                   .of = s,
                   .residual = residual_here,
                   .factor = factor,
                   .solve = solve_for,
                   .apply = move,
                   .increment = increment,
                   .step = step_so_far,
                   .multipliers = multiplier_increment};
    int code = ts_newton_solve(&x, temper, iterations);
    s->stepper->report.left = x.left;
    return code;
}

/* What the stepper blames: the first block of equations. */
static void report_residual(ts_study *s) {
    const ts_system *system = s->st->system;
    double *R = s->stepper->eq.R;
    memcpy(R, s->R, (size_t)system->dofs * sizeof(double));
    for (int i = 0; i < system->rows && s->row_blocks > 0; i++)
        R[system->dofs + i] = s->R[s->node_blocks * system->dofs + i];
}

static int solve(ts_stepper *st, ts_temper temper, int *iterations) {
    ts_study *s = st->own;
    if (s->scheme->begin) s->scheme->begin(s);
    guess(s);
    if (temper != TS_BOLD) ts_exact_tangent(&s->tangent);
    int code = newton(s, temper, iterations);
    if (code) report_residual(s);
    return code;
}

static int initial(ts_stepper *st) {
    ts_study *s = st->own;
    return s->scheme->initial ? s->scheme->initial(s) : 0;
}

static void finish(ts_stepper *st, ts_exchange *out) {
    ts_study *s = st->own;
    ts_put_fixed(s, st->step.q_f, st->step.v_f);
    s->scheme->finish(s, s->x, out);
}

void ts_book_rest(ts_ledger *ledger) {
    ledger->algorithmic -= ledger->balance, ledger->balance = 0;
}

const ts_engine TS_STUDY_ENGINE = {open_study, close_study, forget, initial, solve, finish};

/* ---- common pieces ---- */

void ts_study_works(ts_study *s, ts_exchange *out) {
    ts_step *st = s->st;
    for (int i = 0; i < 3 * st->model->slots; i++) {
        st->dq[i] = st->q_f[i] - st->q_i[i];
        st->q_m[i] = 0.5 * (st->q_f[i] + st->q_i[i]);
    }
    for (int n = 0; n < st->model->nodes_count; n++) {
        m3 turn = m3_mul(ts_pose_of(s, st->q_f, n).R, m3_transpose(ts_pose_of(s, st->q_i, n).R));
        st->turn[n] = ts_quat_from_matrix(turn);
    }
    ts_exchange_common(st, out);
}

typedef struct instant {
    ts_study *s;
    double t;
    const double *q, *v;
    double *vdot, *lambda, *c;
    int dofs;
} instant;

/* I a + gyroscopic terms = W(lambda);  second derivative of the rows = 0. Nodes without mass get
 * what Newton gives them. */
static void motion_at_instant(void *context, const double *x, double *R) {
    instant *at = context;
    ts_study *s = at->s;
    const ts_model *model = s->st->model;
    for (int r = 0; r < model->rows_count; r++) {
        int eq = s->st->system->row_eq[r];
        at->lambda[r] = eq < 0 ? 0 : x[at->dofs + eq];
    }
    ts_wrenches_at(s, at->t, at->q, at->v, at->lambda, s->W);
    for (int n = 0; n < model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        ts_inertia I = ts_inertia_of(&model->nodes[n]);
        I = ts_inertia_turned(&I, ts_pose_of(s, at->q, n).R);
        v6 a = ts_load_block(s, x, 0, n), twist = ts_twist_of(s, at->q, at->v, n);
        v6 f = v6_sub(ts_inertia_wrench(&I, twist, a), v6_load(s->W + 6 * n));
        f = v6_add(f, v6_make(v3_scale(s->stepper->eq.node_regular[2 * n], a.v),
                              v3_scale(s->stepper->eq.node_regular[2 * n + 1], a.w)));
        ts_store_block(s, R, 0, n, f);
        ts_put_acceleration(s, n, at->q, twist, a, at->vdot);
    }
    ts_row_accelerations(s, at->t, at->q, at->v, at->vdot, at->c);
    for (int r = 0; r < model->rows_count; r++)
        if (s->st->system->row_eq[r] >= 0) R[at->dofs + s->st->system->row_eq[r]] = at->c[r];
}

int ts_solve_accelerations(ts_study *s, double t, const double *q, const double *v, double *vdot,
                           double *lambda) {
    static const double step[3] = {1, 1, 1}; /* the equations are linear */
    const ts_system *system = s->st->system;
    int n = system->dofs + system->rows, code = 0;
    double *x = ts_calloc((size_t)n + 1, sizeof *x), *R = ts_calloc((size_t)n + 1, sizeof *R);
    double *c = ts_calloc((size_t)s->st->model->rows_count + 1, sizeof *c);
    ts_differences *d = ts_differences_new(s->st, 1, 1);
    instant at = {s, t, q, v, vdot, lambda, c, system->dofs};
    memset(vdot, 0, (size_t)(3 * s->st->model->slots) * sizeof *vdot);
    for (int it = 0; it < 3 && !code; it++) {
        if (n && it == 0) code = ts_differences_factor(d, motion_at_instant, &at, x, step);
        motion_at_instant(&at, x, R);
        if (!code) ts_differences_solve(d, R);
        for (int i = 0; i < n; i++) x[i] -= R[i];
    }
    motion_at_instant(&at, x, R);
    ts_differences_free(d);
    free(x), free(R), free(c);
    if (!code) return 0;
    return ts_fail(TORSOR_ESINGULAR,
                   "the scheme %s needs accelerations at t = %g s, but they are not determined: a "
                   "part has no mass, or constraints depend on each other in this position",
                   s->stepper->scheme->name, t);
}

int ts_initial_accelerations(ts_study *s) {
    ts_state *state = &s->st->system->state;
    return ts_solve_accelerations(s, state->t, state->q, state->v, state->vdot, state->lambda);
}
