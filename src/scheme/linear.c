/* SPDX-License-Identifier: Apache-2.0 */
/* Linearised equations of motion, and statics in a rotating frame. See linear.h.
 *
 * All matrices are tangents of the static scheme; the turning scheme is a variant of it. In the
 * rotating frame the acceleration of a slot q (of the position, from a point of the axis) is q'' +
 * 2 w x q' + w x (w x q): the last term is a force M w x (w x q) with its own stiffness, the middle
 * one the gyroscopic matrix 2 P^T M [w x] P.
 */
#include "scheme/linear.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "laws/state/state_law.h"
#include "scheme/static.h"

/* Asymmetry relative to the rows below which it is round-off: for models whose loads have a
 * potential, and for others, where a small difference relative to large stiffnesses (in shear)
 * decides about flutter. */
static const double SYMMETRY = 1e-7, SYMMETRY_OF_LOADS = 1e-11;

/* ---- the scheme ---- */

void ts_stepper_spin(ts_stepper *st, v3 spin, v3 about) {
    st->step.statics.spin = spin, st->step.statics.about = about;
}
void ts_stepper_hold(ts_stepper *st, double hold) { st->step.statics.relax = hold; }
void ts_stepper_before(ts_stepper *st, double within) { st->step.before = within; }

static void node_residual(ts_step *st, int n, double *R) {
    const ts_node *node = &st->model->nodes[n];
    int s = 3 * node->slot;
    double a[3 * 4];
    for (int k = 0; k < node->slots; k++) {
        v3 q = v3_load(st->q_f + s + 3 * k);
        if (k == 0) q = v3_sub(q, st->statics.about);
        v3_store(a + 3 * k, v3_cross(st->statics.spin, v3_cross(st->statics.spin, q)));
    }
    for (int k = 0; k < node->slots; k++)
        v3_store(st->F + s + 3 * k, v3_add(v3_load(st->F + s + 3 * k), ts_mass_times(node, a, k)));
    TS_SCHEME_STATIC.node_residual(st, n, R);
}

/* dense += P^T M X P of a node, with X the same for all slots. */
static void add_node_product(const ts_step *st, int n, m3 X, double *dense) {
    const ts_node *node = &st->model->nodes[n];
    int width = node->slots > 1 ? 6 : 3, s = 3 * node->slot;
    for (int a = 0; a < node->slots; a++)
        for (int b = 0; b < node->slots; b++) {
            if (node->mass[a][b] == 0) continue;
            m3 test = a ? m3_skew(v3_scale(-1, v3_load(st->q_f + s + 3 * a))) : m3_identity();
            m3 trial = b ? m3_skew(v3_scale(-1, v3_load(st->q_f + s + 3 * b))) : m3_identity();
            m3 block = m3_tmul(test, m3_mul(X, trial));
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    dense[((a ? 3 : 0) + i) * width + (b ? 3 : 0) + j] +=
                        node->mass[a][b] * v3_get(block.c[j], i);
        }
}

/* A node's block is full in general. */
static bool fill(const ts_step *st, int n, double *dense) {
    int width = st->model->nodes[n].slots > 1 ? 6 : 3;
    for (int i = 0; st->probing && i < width * width; i++) dense[i] = 1;
    return st->probing;
}

static void node_tangent(ts_step *st, int n, double *dense) {
    if (fill(st, n, dense)) return;
    m3 W = m3_skew(st->statics.spin);
    TS_SCHEME_STATIC.node_tangent(st, n, dense);
    add_node_product(st, n, m3_mul(W, W), dense);
}

/* Rows have an entry on the diagonal, for the tiny numbers that keep pivots there. */
static void site_tangent(ts_step *st, const ts_site *site, double *dense) {
    TS_SCHEME_STATIC.site_tangent(st, site, dense);
    if (!st->probing) return;
    ts_local l;
    ts_local_site(st->model, site, 1, &l);
    for (int r = 0; r < l.rows; r++) dense[ts_at_lambda(&l, r) * (l.width + 1)] = 1;
}

const ts_scheme TS_SCHEME_TURNING = {
    .name = "turning",
    .help = "Equilibrium in a rotating frame.",
    TS_STATIC_COMMON,
    .node_residual = node_residual,
    .site_tangent = site_tangent,
    .node_tangent = node_tangent,
};

/* ---- mass and damping, as tangents of schemes that have nothing else ----
 *
 * Loads that follow, pressures and contacts are in K alone. */

static void no_site(ts_step *st, const ts_site *site, double *dense) {
    (void)st, (void)site, (void)dense;
}

static void mass_of_node(ts_step *st, int n, double *dense) {
    add_node_product(st, n, m3_identity(), dense);
}

static void gyroscopic(ts_step *st, int n, double *dense) {
    add_node_product(st, n, m3_scale(2, m3_skew(st->statics.spin)), dense);
}

static void damper(ts_step *st, const ts_site *site, double *dense) {
    int m = site->forms;
    double C[TS_MAX_FORMS * TS_MAX_FORMS], b[TS_MAX_FORMS][6 * TS_MAX_NODES];
    ts_local l;
    ts_projector P;
    ts_site_view at;
    if (site->role != TS_ROLE_LAW) return;
    ts_site_look(st->model, site, st->q_f, NULL, &at);
    if (!ts_site_damping_slope(st->model, site, ts_past_of(&st->system->state), st->t_f, at.e, C))
        return;
    ts_local_site(st->model, site, 1, &l);
    ts_projector_cross(st, &l, 1, &P);
    for (int k = 0; k < m; k++) ts_project(&l, &P, at.B[k], b[k]);
    for (int j = 0; j < m; j++) {
        double right[6 * TS_MAX_NODES] = {0};
        for (int k = 0; k < m; k++)
            for (int i = 0; i < l.nd && C[j * m + k] != 0; i++) right[i] += C[j * m + k] * b[k][i];
        ts_add_outer(&l, b[j], right, 0, 0, dense);
    }
}

static const ts_scheme MASS = {
    .stages = 1, .mean = 1, .bare = true, .site_tangent = no_site, .node_tangent = mass_of_node};
static const ts_scheme DAMPING = {
    .stages = 1, .mean = 1, .bare = true, .site_tangent = damper, .node_tangent = gyroscopic};

/* ---- assembling ---- */

/* Sets the fields of a step without motion. */
static void stand(ts_stepper *st, double load_factor) {
    const ts_model *model = st->model;
    const ts_state *state = &st->system->state;
    size_t ambient = (size_t)(3 * model->slots) * sizeof(double);
    st->step.h = 1, st->step.t_i = st->step.t_f = state->t, st->step.load_factor = load_factor;
    for (int i = 0; i < 4; i++) st->step.row_scale[i] = st->step.column_scale[i] = 1;
    memcpy(st->step.q_f, state->q, ambient), memcpy(st->step.q_m, state->q, ambient);
    memcpy(st->step.lambda, state->lambda, (size_t)model->rows_count * sizeof(double));
    memset(st->eq.regular, 0, (size_t)model->rows_count * sizeof(double));
    memset(st->eq.node_regular, 0, 2 * (size_t)model->nodes_count * sizeof(double));
    for (int i = 0; i < model->loads_count; i++) {
        const ts_load *load = &model->loads[i];
        v3 f = ts_load_signals(model, load, ts_when_of(state, state->t));
        st->step.load[i].mean = v3_scale(load_factor * load->factor, f);
    }
    ts_begin_pressures(&st->step);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->role != TS_ROLE_RATES)
            ts_site_values(model, site, st->step.q_f, st->step.e_i + site->form);
        ts_static_begin_site(&st->step, site);
    }
}

/* Assembles the tangent of another scheme over the same fields. */
static void assemble(ts_stepper *st, const ts_scheme *scheme, double *value) {
    ts_equations view = st->eq;
    view.scheme = scheme;
    ts_sparse_zero(view.A);
    ts_assemble_tangent(&view);
    memcpy(value, view.A->value, (size_t)view.A->nnz * sizeof *value);
}

static int place(const ts_sparse *A, int row, int column) {
    for (int k = A->start[column]; k < A->start[column + 1]; k++)
        if (A->row[k] == row) return k;
    return -1;
}

/* Finds the multipliers that minimise the unbalanced force in the norm of the masses: [M C^T; C 0]
 * (a, mu) = (-force, 0). */
static int find_multipliers(ts_linear_model *x, ts_stepper *st) {
    ts_system *system = st->system;
    ts_sparse *A = x->pattern;
    double most[2] = {0, 0};
    for (int n = 0; n < st->model->nodes_count; n++)
        for (int i = 0; system->node_dof[n] >= 0 && i < ts_node_dofs(&st->model->nodes[n]); i++)
            most[i >= 3] = fmax(most[i >= 3], x->M[x->diagonal[system->node_dof[n] + i]]);
    if (!(most[0] > 0)) most[0] = 1;
    if (!(most[1] > 0)) most[1] = most[0] * system->length * system->length;
    for (int j = 0; j < x->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] = j < x->dofs && A->row[k] < x->dofs ? x->M[k] : x->K[k];
    for (int n = 0; n < st->model->nodes_count; n++)
        for (int i = 0; system->node_dof[n] >= 0 && i < ts_node_dofs(&st->model->nodes[n]); i++)
            A->value[x->diagonal[system->node_dof[n] + i]] += 1e-9 * most[i >= 3];
    for (int r = x->dofs; r < x->n; r++) {
        double compliance = 0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++)
            if (A->row[k] < x->dofs)
                compliance += A->value[k] * A->value[k] / A->value[x->diagonal[A->row[k]]];
        A->value[x->diagonal[r]] = -1e-13 * compliance;
    }
    ts_lu *lu = ts_lu_new(A, x->groups, x->group);
    ts_lu_pivoting(lu, TS_LINEAR_PIVOTING);
    int where, code = ts_lu_factor(lu, &where);
    for (int round = 0; round < 3 && !code; round++) {
        memset(st->eq.delta, 0, (size_t)x->n * sizeof(double));
        ts_residual(&st->eq);
        for (int i = 0; i < x->dofs; i++) st->eq.delta[i] = -st->eq.R[i];
        ts_lu_solve(lu, st->eq.delta);
        for (int r = 0; r < st->model->rows_count; r++)
            if (system->row_eq[r] >= 0)
                st->step.lambda[r] += st->eq.delta[x->dofs + system->row_eq[r]];
    }
    ts_lu_free(lu);
    memcpy(system->state.lambda, st->step.lambda, (size_t)st->model->rows_count * sizeof(double));
    return code;
}

static double largest_force(const ts_system *system, const double *a, const double *b) {
    double most = 0;
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n], nd = ts_node_dofs(&system->model->nodes[n]);
        for (int i = 0; dof >= 0 && i < nd; i++)
            most =
                fmax(most, fabs(a[dof + i] - (b ? b[dof + i] : 0)) / (i < 3 ? 1 : system->length));
    }
    return most;
}

/* The size of external forces: the residual with loads and spin, less the residual without. */
static double external_force(ts_linear_model *x, ts_stepper *st) {
    v3 spin = st->step.statics.spin;
    ts_residual(&st->eq);
    memcpy(x->force, st->eq.R, (size_t)x->dofs * sizeof(double));
    st->step.statics.spin = (v3){0, 0, 0};
    stand(st, 0);
    ts_residual(&st->eq);
    double most = largest_force(st->system, x->force, st->eq.R);
    st->step.statics.spin = spin;
    stand(st, 1);
    return most;
}

/* Forces that follow a body, moments about fixed axes, pressures and forces by channels may have no
 * potential, and equations of variables have none. */
static bool has_potential(const ts_model *model) {
    bool potential = model->pressures_count == 0;
    for (int i = 0; i < model->sites_count; i++) {
        const ts_law *law = model->sites[i].law;
        if (law && (law->variable || law == &TS_STATE_WORK)) potential = false;
    }
    for (int i = 0; i < model->loads_count; i++)
        if (model->loads[i].follower || model->loads[i].moment) potential = false;
    return potential;
}

/* Round-off of moments in the balance: from the loads, and from the stiffest spring times the last
 * digit of positions. Where loads have a potential, K can lack symmetry only by an unbalanced
 * moment. */
static double moment_round_off(const ts_linear_model *x, const ts_system *system,
                               const double *size) {
    double stiffest = 0, digit = 4 * DBL_EPSILON * system->far * system->length;
    for (int n = 0; n < system->model->nodes_count && x->potential; n++)
        for (int i = 0, dof = system->node_dof[n]; dof >= 0 && i < 3; i++)
            stiffest = fmax(stiffest, size[dof + i]);
    return (1e-12 * x->external + digit * stiffest) * system->length;
}

/* Makes the matrix symmetric if it is so up to round-off. */
static void symmetrise(ts_linear_model *x, const ts_system *system) {
    const ts_sparse *A = x->pattern;
    x->potential = has_potential(system->model);
    double allowed = x->potential ? SYMMETRY : SYMMETRY_OF_LOADS;
    double *size = ts_calloc((size_t)x->n + 1, sizeof *size);
    for (int j = 0; j < x->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) size[j] += fabs(x->K[k]);
    double round_off = moment_round_off(x, system, size);
    x->symmetric = true;
    for (int turn = 0; turn < 2 && x->symmetric; turn++)
        for (int j = 0; j < x->n; j++)
            for (int k = A->start[j]; k < A->start[j + 1]; k++) {
                int i = A->row[k], other = place(A, j, i);
                double mirror = other < 0 ? 0 : x->K[other];
                double limit = allowed * sqrt(size[i] * size[j]) + round_off;
                if (turn == 0 && fabs(x->K[k] - mirror) > limit) x->symmetric = false;
                if (turn == 1 && i < j && other >= 0)
                    x->K[k] = x->K[other] = 0.5 * (x->K[k] + mirror);
            }
    free(size);
}

/* Pairs that touch at this position are elements like others. */
static void list_contacts(ts_stepper *st) {
    st->step.h = 0;
    if (!ts_contacts_begin(&st->step)) return;
    ts_drop_matrix(&st->eq);
    ts_build_matrix(&st->eq, st->options.solver, NULL);
}

static void allocate(ts_linear_model *x, ts_stepper *st) {
    list_contacts(st);
    *x = (ts_linear_model){.n = st->eq.n, .dofs = st->system->dofs, .pattern = st->eq.A};
    size_t nnz = (size_t)st->eq.A->nnz + 1;
    double **values[] = {&x->K, &x->M, &x->D};
    for (int i = 0; i < 3; i++) *values[i] = ts_calloc(nnz, sizeof(double));
    x->force = ts_calloc((size_t)x->n + 1, sizeof(double));
    x->diagonal = ts_calloc((size_t)x->n + 1, sizeof(int));
    for (int i = 0; i < x->n; i++) x->diagonal[i] = place(st->eq.A, i, i);
    x->group = ts_row_groups(&st->eq, &x->groups);
}

int ts_linearise(ts_linear_model *x, ts_system *system, v3 spin, v3 about) {
    ts_stepper *st;
    ts_step_options options = {.whole = true};
    int code = ts_stepper_new(&st, system, &TS_SCHEME_TURNING, &options);
    if (code) return code;
    allocate(x, st);
    ts_stepper_spin(st, spin, about);
    stand(st, 1);
    x->external = external_force(x, st);
    assemble(st, &MASS, x->M);
    assemble(st, &DAMPING, x->D);
    assemble(st, &TS_SCHEME_TURNING, x->K); /* for its rows, now */
    code = find_multipliers(x, st);
    ts_residual(&st->eq);
    memcpy(x->force, st->eq.R, (size_t)x->dofs * sizeof(double));
    x->left = largest_force(system, x->force, NULL);
    assemble(st, &TS_SCHEME_TURNING, x->K);
    symmetrise(x, system);
    for (int k = 0; k < st->eq.A->nnz; k++) x->damped |= x->D[k] != 0;
    st->eq.A = NULL; /* the matrix belongs to x from now on */
    ts_stepper_free(st);
    return code;
}

int ts_linearise_unloaded(ts_linear_model *x, ts_system *system) {
    ts_stepper *st;
    ts_step_options options = {.whole = true};
    int code = ts_stepper_new(&st, system, &TS_SCHEME_TURNING, &options);
    if (code) return code;
    allocate(x, st);
    stand(st, 1);
    memset(st->step.lambda, 0, (size_t)st->model->rows_count * sizeof(double));
    ts_residual(&st->eq);
    memcpy(x->force, st->eq.R, (size_t)x->dofs * sizeof(double));
    x->left = largest_force(system, x->force, NULL);
    stand(st, 0);
    memset(st->step.lambda, 0, (size_t)st->model->rows_count * sizeof(double));
    ts_residual(&st->eq);
    x->external = largest_force(system, x->force, st->eq.R);
    assemble(st, &MASS, x->M);
    assemble(st, &TS_SCHEME_TURNING, x->K);
    symmetrise(x, system);
    st->eq.A = NULL; /* it is ours now */
    ts_stepper_free(st);
    return 0;
}

/* delta and multipliers of the linear solution: K x = -(forces of the loads), refined once. Leaves
 * the loads on. */
static int linear_solution(const ts_linear_model *x, ts_stepper *st) {
    const ts_sparse *A = x->pattern;
    double *b = ts_calloc((size_t)x->n + 1, sizeof *b),
           *rest = ts_calloc((size_t)x->n + 1, sizeof *rest);
    size_t dofs = (size_t)x->dofs * sizeof(double), n = (size_t)x->n * sizeof(double);
    int where;
    memcpy(b, st->eq.R, dofs);
    stand(st, 1);
    ts_residual(&st->eq);
    for (int i = 0; i < x->dofs; i++) b[i] -= st->eq.R[i];
    memcpy(A->value, x->K, (size_t)A->nnz * sizeof(double));
    ts_lu *lu = ts_lu_new(A, x->groups, x->group);
    ts_lu_pivoting(lu, TS_LINEAR_PIVOTING);
    int code = ts_lu_factor(lu, &where);
    memset(st->eq.delta, 0, n);
    for (int round = 0; round < 2 && !code; round++) {
        memcpy(rest, b, n);
        for (int j = 0; j < x->n; j++)
            for (int k = A->start[j]; k < A->start[j + 1]; k++)
                rest[A->row[k]] -= x->K[k] * st->eq.delta[j];
        ts_lu_solve(lu, rest);
        for (int i = 0; i < x->n; i++) st->eq.delta[i] += rest[i];
    }
    ts_lu_free(lu);
    free(b), free(rest);
    if (code)
        return ts_fail(code, "without its loads the model is a mechanism: it does not buckle");
    return 0;
}

int ts_linearise_loads(ts_linear_model *x, ts_system *system) {
    ts_stepper *st;
    ts_step_options options = {.whole = true};
    int code = ts_stepper_new(&st, system, &TS_SCHEME_TURNING, &options);
    if (code) return code;
    allocate(x, st);
    memset(system->state.lambda, 0, (size_t)st->model->rows_count * sizeof(double));
    stand(st, 0);
    ts_residual(&st->eq);
    assemble(st, &TS_SCHEME_TURNING, x->K);
    code = linear_solution(x, st);
    if (!code) {
        ts_static_follow(&st->step, st->eq.delta, 1);
        for (int r = 0; r < st->model->rows_count; r++)
            if (system->row_eq[r] >= 0)
                st->step.lambda[r] = st->eq.delta[x->dofs + system->row_eq[r]];
        ts_residual(&st->eq);
        assemble(st, &TS_SCHEME_TURNING, x->D);
        for (int k = 0; k < x->pattern->nnz; k++) x->D[k] -= x->K[k];
    }
    st->eq.A = NULL; /* it is ours now */
    ts_stepper_free(st);
    return code;
}

void ts_linear_free(ts_linear_model *x) {
    ts_sparse_free(x->pattern);
    free(x->K), free(x->M), free(x->D), free(x->diagonal), free(x->force), free(x->group);
    *x = (ts_linear_model){0};
}
