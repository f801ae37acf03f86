/* SPDX-License-Identifier: Apache-2.0 */
/* The energy decaying schemes as they are printed: S1 eqs (15), (16), and S4's A, B, C, which are
 * members of one family.
 *
 * An intermediate state j follows the jump at the start of the step; g is the mean of j and f, h
 * that of i and j:
 *
 *     M (v_f - v_i)/h + B_g^T f_g = F_g
 *     q_f = q_i + h (v_f + v_j)/2
 *     M (v_j - v_i)/h - 2 beta [B_g^T f_g - F_g - (B_h^T f_p - F_p)] = 0
 *     q_j = q_i - h beta [v_f - v_i - alpha (v_j - v_i)]
 *     f_p = f_h + alpha (f_j - f_i)/2 ,      c(q_f) = c(q_j) = 0
 *
 *     S1 and S4's C:  beta = 1/6, alpha = (1 - rho)/(1 + rho)      A:  beta = 1/6, alpha = 1
 *                     B:  beta = alpha_AR, alpha = 1
 *
 * Directors are coordinates as in S1 eq (36), the two rotations R_f and R_j are exact. Reactions of
 * their orthonormality are tangent-free at g and at h, so the first equation is projected by P_g,
 * and the first plus 1/(2 beta) times the second by P_h; what S1 (17) multiplies them by, q_f - q_j
 * and q_j - q_i, is tangent there. Then, exactly,
 *
 *     E_f - E_i = - alpha (v_j - v_i).M (v_j - v_i)/2 - alpha (f_j - f_i).(e_j - e_i)/2 + W .
 *
 * S1 has no loads. Here a load enters wherever a stress enters, with the time of j that of i: F_g =
 * (F_i + F_f)/2, F_p = F_i. Dampers act from j to f. docs/schemes.md explains the disadvantage of
 * the printed form: q_j has to satisfy the constraints. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/study.h"

typedef struct family {
    double alpha, beta;
    size_t ambient;
    double *dj, *q_j, *v_j, *q_g, *q_h, *F_g, *F_h, *W_g, *W_h, *lambda_p;
    double space[];
} family;

static int start_family(ts_study *s, double alpha, double beta) {
    const ts_model *model = s->st->model;
    size_t ambient = (size_t)(3 * model->slots), nodes = (size_t)(6 * model->nodes_count),
           rows = (size_t)model->rows_count + 1;
    s->own = ts_calloc(1, sizeof(family) + (7 * ambient + 2 * nodes + rows) * sizeof(double));
    family *f = s->own;
    f->alpha = alpha, f->beta = beta, f->ambient = ambient;
    double **vectors[] = {&f->dj, &f->q_j, &f->v_j, &f->q_g, &f->q_h, &f->F_g, &f->F_h};
    for (size_t i = 0; i < 7; i++) *vectors[i] = f->space + i * ambient;
    f->W_g = f->space + 7 * ambient, f->W_h = f->W_g + nodes, f->lambda_p = f->W_h + nodes;
    s->node_blocks = s->row_blocks = 2;
    return 0;
}

/* Increments of a node's slots by a displacement and a rotation vector. */
static void increment(const ts_study *s, const double *x, int block, double *dq) {
    const ts_step *st = s->st;
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        if (!ts_is_free(s, n)) continue;
        v6 step = ts_load_block(s, x, block, n);
        quat turn = quat_exp(step.w);
        v3_store(dq + 3 * node->slot, step.v);
        for (int k = 1; k < node->slots; k++) {
            int at = 3 * (node->slot + k);
            v3_store(dq + at, quat_increment(turn, v3_load(st->q_i + at)));
        }
    }
}

/* Velocities from the updates of positions and rotations. Fixed nodes have no increment and no
 * velocity. */
static void refresh(ts_study *s, const double *x) {
    family *f = s->own;
    ts_step *st = s->st;
    increment(s, x, 0, st->dq), increment(s, x, 1, f->dj);
    for (size_t i = 0; i < f->ambient; i++) {
        double v_i = st->v_i[i], rate = 2 * st->dq[i] / st->h;
        double jump = f->dj[i] / (f->beta * st->h);
        f->v_j[i] = (jump + rate - (1 - f->alpha) * v_i) / (1 + f->alpha);
        st->v_f[i] = rate - f->v_j[i];
        st->q_f[i] = st->q_i[i] + st->dq[i], f->q_j[i] = st->q_i[i] + f->dj[i];
        f->q_g[i] = st->q_i[i] + 0.5 * (st->dq[i] + f->dj[i]);
        f->q_h[i] = st->q_i[i] + 0.5 * f->dj[i];
    }
    ts_load_multipliers(s, x, 0, st->lambda), ts_load_multipliers(s, x, 1, f->lambda_p);
}

/* alpha (f_j - f_i)/2 at h: both stresses at rest, so that a nonlinear law is no exception. */
static void add_jump_of_stress(ts_study *s, double *F) {
    family *f = s->own;
    double t = s->st->t_i;
    const double *const at[] = {s->st->q_i, f->q_j};
    for (int k = 0; k < 2; k++) {
        memset(s->F, 0, f->ambient * sizeof(double));
        ts_forces_between(s, (ts_interval){t, t, at[k], at[k]}, f->q_h, NULL, s->F, NULL);
        double weight = (k ? 0.5 : -0.5) * f->alpha;
        for (size_t i = 0; i < f->ambient; i++) F[i] += weight * s->F[i];
    }
}

/* F -= scale M u */
static void add_inertia(const ts_study *s, double scale, const double *u, double *F) {
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        const ts_node *node = &s->st->model->nodes[n];
        double *to = F + 3 * node->slot;
        for (int a = 0; a < node->slots; a++)
            v3_store(to + 3 * a, v3_axpy(-scale, ts_mass_times(node, u + 3 * node->slot, a),
                                         v3_load(to + 3 * a)));
    }
}

/* The two balances of momentum, over the step and over the jump, in ambient coordinates, without
 * loads. */
static void balances(ts_study *s, ts_exchange *out) {
    family *f = s->own;
    ts_step *st = s->st;
    memset(f->F_g, 0, f->ambient * sizeof(double)), memset(f->F_h, 0, f->ambient * sizeof(double));
    ts_interval last = {st->t_i, st->t_f, f->q_j, st->q_f},
                jump = {st->t_i, st->t_i, st->q_i, f->q_j};
    ts_forces_between(s, last, f->q_g, st->lambda, f->F_g, out);
    ts_forces_between(s, jump, f->q_h, f->lambda_p, f->F_h, out);
    add_jump_of_stress(s, f->F_h);
    double *w = st->a;
    for (size_t i = 0; i < f->ambient; i++) w[i] = st->v_f[i] - st->v_i[i];
    add_inertia(s, 1 / st->h, w, f->F_g);
    for (size_t i = 0; i < f->ambient; i++) w[i] += (f->v_j[i] - st->v_i[i]) / (2 * f->beta);
    add_inertia(s, 1 / st->h, w, f->F_h);
}

static void residual(ts_study *s, const double *x, double *R) {
    family *f = s->own;
    ts_step *st = s->st;
    size_t wrenches = (size_t)(6 * st->model->nodes_count) * sizeof(double);
    refresh(s, x);
    balances(s, NULL);
    memset(f->W_g, 0, wrenches), memset(f->W_h, 0, wrenches);
    ts_project_forces(s, f->q_g, f->F_g, f->W_g), ts_project_forces(s, f->q_h, f->F_h, f->W_h);
    ts_add_mean_loads(s, f->q_g, f->W_g), ts_add_loads(s, st->t_i, f->q_h, f->W_h);
    ts_add_gravity(s, f->q_g, f->W_g), ts_add_gravity(s, f->q_h, f->W_h);
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        ts_store_block(s, R, 0, n, v6_load(f->W_g + 6 * n));
        ts_store_block(s, R, 1, n, v6_load(f->W_h + 6 * n));
    }
    ts_rows_at(s, st->t_f, st->q_f, st->v_f, s->c), ts_store_rows(s, R, 0, s->c);
    ts_rows_at(s, st->t_i, f->q_j, f->v_j, s->c), ts_store_rows(s, R, 1, s->c);
}

static void guess(ts_study *s, double *x) { ts_store_rows(s, x, 1, s->st->lambda); }

/* Work of dead loads and of moments is that of their wrenches on the two parts of the step,
 * (q_f - q_j) and (q_j - q_i). */
static double work_between(ts_study *s, const double *q_a, const double *q_b, const double *W) {
    double work = 0;
    for (int n = 0; n < s->st->model->nodes_count; n++) {
        if (!ts_is_free(s, n)) continue;
        pose a = ts_pose_of(s, q_a, n), b = ts_pose_of(s, q_b, n);
        quat turn = ts_quat_from_matrix(m3_mul(b.R, m3_transpose(a.R)));
        v6 step = v6_make(v3_sub(b.x, a.x), v3_scale(2 / turn.s, turn.v));
        work += v6_dot(v6_load(W + 6 * n), step);
    }
    return work;
}

static double drive_work(ts_study *s, const double *q_a, const double *q_b, const double *q_m,
                         const double *lambda) {
    const ts_model *model = s->st->model;
    family *f = s->own;
    for (int r = 0; r < model->rows_count; r++) s->c[r] = model->rows[r].drive ? lambda[r] : 0;
    memset(s->F, 0, f->ambient * sizeof(double));
    ts_forces_of_rows_between(s, (ts_interval){.q_i = q_a, .q_f = q_b}, q_m, s->c, s->F);
    double work = 0;
    for (size_t i = 0; i < f->ambient; i++) work += s->F[i] * (q_b[i] - q_a[i]);
    return work;
}

/* (v_j - v_i).M (v_j - v_i) alpha/2 and alpha (f_j - f_i).(e_j - e_i)/2 */
static double decay(ts_study *s) {
    family *f = s->own;
    ts_step *st = s->st;
    double lost = 0, *w = st->a;
    for (size_t i = 0; i < f->ambient; i++) w[i] = f->v_j[i] - st->v_i[i];
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        const double *u = w + 3 * node->slot;
        for (int a = 0; a < node->slots; a++)
            lost += 0.5 * f->alpha * v3_dot(v3_load(u + 3 * a), ts_mass_times(node, u, a));
    }
    memset(f->F_g, 0, f->ambient * sizeof(double));
    add_jump_of_stress(s, f->F_g);
    for (size_t i = 0; i < f->ambient; i++) lost -= f->F_g[i] * f->dj[i];
    return lost;
}

static void finish(ts_study *s, const double *x, ts_exchange *out) {
    family *f = s->own;
    ts_step *st = s->st;
    size_t wrenches = (size_t)(6 * st->model->nodes_count) * sizeof(double);
    refresh(s, x);
    balances(s, out);
    memset(f->W_g, 0, wrenches), memset(f->W_h, 0, wrenches);
    ts_add_mean_loads(s, f->q_g, f->W_g), ts_add_loads(s, st->t_i, f->q_h, f->W_h);
    out->work_loads += work_between(s, f->q_j, st->q_f, f->W_g);
    out->work_loads += work_between(s, st->q_i, f->q_j, f->W_h);
    out->work_drives += drive_work(s, f->q_j, st->q_f, f->q_g, st->lambda);
    out->work_drives += drive_work(s, st->q_i, f->q_j, f->q_h, f->lambda_p);
    out->algorithmic += decay(s);
    memcpy(st->kappa, f->lambda_p, (size_t)st->model->rows_count * sizeof(double));
}

/* ---- the members ---- */

static double alpha_of_rho(const ts_study *s) {
    double rho = ts_study_number(s, "rho_inf", 0);
    return (1 - rho) / (1 + rho);
}
static int start_C(ts_study *s) { return start_family(s, alpha_of_rho(s), 1.0 / 6); }
static int start_A(ts_study *s) { return start_family(s, 1, 1.0 / 6); }
static int start_B(ts_study *s) { return start_family(s, 1, ts_study_number(s, "alpha", 1.0 / 6)); }

#define FAMILY .guess = guess, .residual = residual, .finish = finish, .no_rates = true
#define KEEPS "energy never grows; constraints hold"

static const ts_study_scheme S1_ED = {FAMILY, .start = start_C, .keeps = KEEPS,
                                      .source = "S1 eqs (15), (16)"};
static const ts_study_scheme A = {FAMILY, .start = start_A, .keeps = KEEPS,
                                  .source = "S4 eqs (17) to (20)"};
static const ts_study_scheme B = {FAMILY, .start = start_B, .keeps = KEEPS,
                                  .source = "S4 eqs (35) to (38)"};
static const ts_study_scheme C = {FAMILY, .start = start_C, .keeps = KEEPS,
                                  .source = "S4 eqs (39) to (42)"};

static const ts_scheme_parameter B_PARAMETERS[] = {
    {"alpha", "alpha_AR: where damping begins", "1/6", 1e-3, 1, NULL, TS_OWN}, {0}};

const ts_scheme TS_SCHEME_S1_ED = {
    .name = "S1-ED",
    .help = "The energy decaying scheme of Bauchau, Bottasso and Trainelli as printed; rho_inf.",
    TS_STUDY(S1_ED),
    .parameters = TS_ONLY_RHO_INF};
const ts_scheme TS_SCHEME_S4_A = {
    .name = "S4-A",
    .help = "Discretization A of Bottasso and Trainelli: time discontinuous Galerkin.",
    TS_STUDY(A)};
const ts_scheme TS_SCHEME_S4_B = {.name = "S4-B",
                                  .help = "Discretization B of Bottasso and Trainelli, after "
                                          "Armero and Romero; alpha is their alpha_AR.",
                                  TS_STUDY(B),
                                  .parameters = B_PARAMETERS};
const ts_scheme TS_SCHEME_S4_C = {
    .name = "S4-C",
    .help = "Discretization C of Bottasso and Trainelli, with rho_inf: the same as S1-ED.",
    TS_STUDY(C),
    .parameters = TS_ONLY_RHO_INF};
