/* SPDX-License-Identifier: Apache-2.0 */
/* Runge-Kutta methods on SE(3), about a fixed pole: the modified family of S0 (13) to (22), any
 * tableau that ends at its last stage. With H_k = H_i exp(v_k), w twists in body axes, C^-T M w the
 * momentum about a fixed pole and f wrenches about it,
 *
 *     v_k = h sum_l a_kl dexp(-v_l)^-1 w_l ,       C_k^-T M w_k = C_i^-T M w_i + h sum_l a_kl f_l ,
 *     c(q_k, t_i + c_k h) = 0
 *
 * (S0 prints exp for dexp and its argument's index as k). Unknowns are v_k, the increments, and
 * multipliers lambda_k: w_k follows by the inverse of the tableau. A first row of zeros is the
 * start itself; its reactions are taken with the multipliers of the second stage, so that one
 * multiplier per row stands for the step: the trapezoidal rule remembers none then, and needs none
 * to begin.
 *
 * Forces are those of forms at an instant, so nodes may be points, and constraints non-holonomic.
 * Preserves: linear and angular momentum, to round-off, because each f_l adds up to zero;
 * constraints, at all stages. Does not preserve energy, nor bound it when things are nonlinear:
 * what is missing is counted as dissipated by the scheme, with either sign. Radau IIA is stiffly
 * accurate and L-stable; of order 2s - 1 = 3 and 5 without constraints. With constraints on
 * positions (index 3) positions keep 2s - 1, velocities are of order s, multipliers of s - 1: E.
 * Hairer, C. Lubich, M. Roche, Lecture Notes in Mathematics 1409 (1989). The trapezoidal rule is of
 * order 2.
 */
#include <string.h>

#include "base/error.h"
#include "study/study.h"

enum { MOST_STAGES = 3 };

typedef struct tableau {
    int stages;
    double c[MOST_STAGES], a[MOST_STAGES][MOST_STAGES];
} tableau;

static const tableau TRAPEZOIDAL = {2, {0, 1}, {{0, 0}, {1.0 / 2, 1.0 / 2}}};

static const tableau RADAU_IIA_3 = {2, {1.0 / 3, 1}, {{5.0 / 12, -1.0 / 12}, {3.0 / 4, 1.0 / 4}}};

#define R6 2.449489742783178098197284 /* sqrt(6) */
static const tableau RADAU_IIA_5 = {
    3,
    {(4 - R6) / 10, (4 + R6) / 10, 1},
    {{(88 - 7 * R6) / 360, (296 - 169 * R6) / 1800, (-2 + 3 * R6) / 225},
     {(296 + 169 * R6) / 1800, (88 + 7 * R6) / 360, (-2 - 3 * R6) / 225},
     {(16 - R6) / 36, (16 + R6) / 36, 1.0 / 9}}};

/* ---- life ---- */

typedef struct stage {
    double t, *q, *v, *lambda, *W; /* ambient; per row; wrenches about the places of the start */
} stage;

typedef struct start_of_node {
    pose H;
    v6 w;
    ts_inertia I;
} start_of_node;

typedef struct method {
    const tableau *table;
    int first;  /* 1: the first stage is the start, and no unknown */
    m3 inverse; /* of the rows and columns from `first` on, columns of the matrix */
    stage at[MOST_STAGES];
    start_of_node *node;
    double space[];
} method;

static m3 invert(const tableau *t, int first) {
    m3 A = m3_identity();
    double *entry[3] = {&A.c[0].x, &A.c[1].x, &A.c[2].x};
    for (int k = first; k < t->stages; k++)
        for (int l = first; l < t->stages; l++) entry[l - first][k - first] = t->a[k][l];
    return m3_transpose(m3_invt(A));
}

static int start(ts_study *s, const tableau *t) {
    const ts_model *model = s->st->model;
    size_t ambient = (size_t)(3 * model->slots), rows = (size_t)model->rows_count + 1,
           wrenches = (size_t)(6 * model->nodes_count), each = 2 * ambient + rows + wrenches,
           nodes = (size_t)model->nodes_count * sizeof(start_of_node);
    size_t numbers = each * (size_t)t->stages;
    method *m = s->own = ts_calloc(1, sizeof *m + numbers * sizeof(double) + nodes);
    m->table = t, m->first = t->a[0][0] == 0 && t->c[0] == 0, m->inverse = invert(t, m->first);
    for (int k = 0; k < t->stages; k++) {
        double *at = m->space + (size_t)k * each;
        m->at[k] = (stage){0, at, at + ambient, at + 2 * ambient, at + 2 * ambient + rows};
    }
    m->node = (void *)(m->space + numbers);
    s->node_blocks = s->row_blocks = t->stages - m->first;
    return 0;
}

/* ---- a step ---- */

static void begin(ts_study *s) {
    method *m = s->own;
    const ts_step *st = s->st;
    size_t ambient = (size_t)(3 * st->model->slots) * sizeof(double);
    for (int n = 0; n < st->model->nodes_count; n++) {
        pose H = ts_pose_of(s, st->q_i, n);
        v6 w = v6_to_body(H.R, ts_twist_of(s, st->q_i, st->v_i, n));
        m->node[n] = (start_of_node){H, w, ts_inertia_of(&st->model->nodes[n])};
    }
    for (int k = 0; k < m->table->stages; k++) {
        m->at[k].t = st->t_i + m->table->c[k] * st->h;
        memcpy(m->at[k].q, st->q_i, ambient), memcpy(m->at[k].v, st->v_i, ambient);
    }
}

/* A share of the guessed step each. */
static void guess(ts_study *s, double *x) {
    const method *m = s->own;
    for (int b = 0; b < s->node_blocks; b++) {
        for (int n = 0; n < s->st->model->nodes_count; n++) {
            if (!ts_is_free(s, n)) continue;
            v6 step = v6_to_body(m->node[n].H.R, ts_guessed_step(s, n));
            step.v = ts_so3_dexp_inverse(step.w, step.v);
            ts_store_block(s, x, b, n, v6_scale(m->table->c[b + m->first], step));
        }
        ts_store_rows(s, x, b, s->st->lambda);
    }
}

/* w_k = dexp(-v_k) r_k,  sum_l a_kl r_l = v_k/h;  of the start, r = w_i. */
static v6 twist_of_stage(const ts_study *s, const double *x, int n, int k) {
    const method *m = s->own;
    int f = m->first;
    v6 r = v6_zero(), v_k = ts_load_block(s, x, k - f, n);
    for (int l = f; l < m->table->stages; l++) {
        v6 share = v6_scale(1 / s->st->h, ts_load_block(s, x, l - f, n));
        if (f) share = v6_axpy(-m->table->a[l][0], m->node[n].w, share);
        r = v6_axpy(v3_get(m->inverse.c[l - f], k - f), share, r);
    }
    return ts_se3_dexp(v6_scale(-1, v_k), r);
}

static void refresh(ts_study *s, const double *x) {
    method *m = s->own;
    const ts_model *model = s->st->model;
    for (int k = m->first; k < m->table->stages; k++) {
        for (int n = 0; n < model->nodes_count; n++) {
            if (!ts_is_free(s, n)) continue;
            pose H = pose_mul(m->node[n].H, ts_se3_exp(ts_load_block(s, x, k - m->first, n)));
            v6 w = twist_of_stage(s, x, n, k);
            ts_put_pose(s, n, H, m->at[k].q);
            ts_put_twist(s, n, m->at[k].q, v6_to_space(H.R, w), m->at[k].v);
        }
        ts_load_multipliers(s, x, k - m->first, m->at[k].lambda);
    }
    if (m->first) ts_load_multipliers(s, x, 0, m->at[0].lambda);
}

/* Wrenches of a stage, in axes of the node at the start and about its place there. */
static void find_wrenches(ts_study *s, const stage *at) {
    const method *m = s->own;
    ts_wrenches_at(s, at->t, at->q, at->v, at->lambda, at->W);
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        v6 f = v6_load(at->W + 6 * n);
        v3 arm = v3_sub(ts_pose_of(s, at->q, n).x, m->node[n].H.x);
        f.w = v3_add(f.w, v3_cross(arm, f.v));
        v6_store(at->W + 6 * n, v6_to_body(m->node[n].H.R, f));
    }
}

static v6 balance(const ts_study *s, const double *x, int n, int k) {
    const method *m = s->own;
    const start_of_node *i = &m->node[n];
    pose D = ts_se3_exp(ts_load_block(s, x, k - m->first, n));
    v6 w = twist_of_stage(s, x, n, k);
    v6 r = v6_sub(ts_se3_Ad_dual(D, ts_inertia_times(&i->I, w)), ts_inertia_times(&i->I, i->w));
    r = v6_scale(1 / s->st->h, r);
    for (int l = 0; l < m->table->stages; l++)
        r = v6_axpy(-m->table->a[k][l], v6_load(m->at[l].W + 6 * n), r);
    return r;
}

static void residual(ts_study *s, const double *x, double *R) {
    method *m = s->own;
    refresh(s, x);
    for (int k = 0; k < m->table->stages; k++) find_wrenches(s, &m->at[k]);
    for (int k = m->first; k < m->table->stages; k++) {
        for (int n = 0; n < s->st->model->nodes_count; n++)
            if (ts_is_free(s, n)) ts_store_block(s, R, k - m->first, n, balance(s, x, n, k));
        ts_rows_at(s, m->at[k].t, m->at[k].q, m->at[k].v, s->c);
        ts_store_rows(s, R, k - m->first, s->c);
    }
}

/* Powers of loads and drives at a stage, times its share of the step. Drives give -lambda u'. */
static void add_works(ts_study *s, const stage *at, double share, ts_exchange *out) {
    const ts_model *model = s->st->model;
    memset(s->W, 0, (size_t)(6 * model->nodes_count) * sizeof(double));
    ts_add_loads(s, at->t, at->q, s->W);
    for (int n = 0; n < model->nodes_count; n++)
        if (ts_is_free(s, n))
            out->work_loads +=
                share * v6_dot(v6_load(s->W + 6 * n), ts_twist_of(s, at->q, at->v, n));
    for (int r = 0; r < model->rows_count; r++) {
        double rate;
        if (!model->rows[r].drive) continue;
        (void)ts_study_signal(s, r, at->t, &rate);
        out->work_drives -= share * at->lambda[r] * rate;
    }
}

/* Works of laws (motors, dampers) as over a step of EP, the others by the quadrature of the
 * tableau. */
static void finish(ts_study *s, const double *x, ts_exchange *out) {
    method *m = s->own;
    ts_step *st = s->st;
    const stage *last = &m->at[m->table->stages - 1];
    size_t ambient = (size_t)(3 * st->model->slots) * sizeof(double);
    refresh(s, x);
    memcpy(st->q_f, last->q, ambient), memcpy(st->v_f, last->v, ambient);
    memcpy(st->lambda, last->lambda, (size_t)st->model->rows_count * sizeof(double));
    memset(s->F, 0, ambient);
    ts_interval step = {st->t_i, st->t_f, st->q_i, st->q_f};
    ts_forces_between(s, step, st->q_f, NULL, s->F, out);
    for (int k = 0; k < m->table->stages; k++)
        add_works(s, &m->at[k], st->h * m->table->a[m->table->stages - 1][k], out);
}

/* ---- the members ---- */

static int start_trapezoidal(ts_study *s) { return start(s, &TRAPEZOIDAL); }
static int start_radau_3(ts_study *s) { return start(s, &RADAU_IIA_3); }
static int start_radau_5(ts_study *s) { return start(s, &RADAU_IIA_5); }

#define FAMILY                                                              \
    .begin = begin, .guess = guess, .residual = residual, .finish = finish, \
    .keeps = "momenta; constraints hold", .source = "S0 eqs (13) to (22)"

static const ts_study_scheme STUDY_TRAPEZOIDAL = {FAMILY, .start = start_trapezoidal};
static const ts_study_scheme STUDY_RADAU_3 = {FAMILY, .start = start_radau_3};
static const ts_study_scheme STUDY_RADAU_5 = {FAMILY, .start = start_radau_5};

const ts_scheme TS_SCHEME_RK_TRAPEZOIDAL = {
    .name = "RK-trapezoidal",
    .help = "Runge-Kutta on SE(3) about a fixed pole: the trapezoidal rule, order 2.",
    TS_STUDY(STUDY_TRAPEZOIDAL),
    .book = ts_book_rest};
const ts_scheme TS_SCHEME_RK_RADAU3 = {
    .name = "RK-radau3",
    .help = "Runge-Kutta on SE(3) about a fixed pole: Radau IIA of two stages, order 3.",
    TS_STUDY(STUDY_RADAU_3),
    .book = ts_book_rest,
    .at_end = true};
const ts_scheme TS_SCHEME_RK_RADAU5 = {
    .name = "RK-radau5",
    .help = "Runge-Kutta on SE(3) about a fixed pole: Radau IIA of three stages, order 5.",
    TS_STUDY(STUDY_RADAU_5),
    .book = ts_book_rest,
    .at_end = true};
