/* SPDX-License-Identifier: Apache-2.0 */
/* Linear statics: one solution about the drawn position, which is stress-free apart from preloads.
 *
 *     [ K  C^T ] [ u      ]   [ F + M g - p0 ]
 *     [ C   0  ] [ lambda ] = [ u_drive - c  ]        K, C: of the model as drawn, p0: forces of
 *           preloads
 *
 * Displacements are u; small rotations are converted to finite ones. Results must be linear too:
 * forms are evaluated as e0 + B u, by the difference (e(q0 + h u) - e(q0 - h u))/2h, which is exact
 * for quadratic forms; forces act at the drawn places. So the system stores q0 and q0 +- h u
 * (`linear`).
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/static.h"

static const double SMALL = 1e-4; /* h u, of the size of the model or in radians */
/* sizes of the model: the displacement of a free motion under load, see equilibrium.c */
static const double TOO_FAR = 1e4;

/* q0, q0 + h u, q0 - h u */
static void keep_linear(ts_stepper *st, double h) {
    const ts_model *model = st->model;
    ts_system *system = st->system;
    size_t size = 3 * (size_t)model->slots;
    double *q = system->linear = ts_realloc(system->linear, 3 * size + 1, sizeof *q);
    system->linear_step = h;
    for (int k = 0; k < 3; k++) memcpy(q + (size_t)k * size, system->state.q, size * sizeof *q);
    for (int n = 0; n < model->nodes_count; n++) {
        int dof = system->node_dof[n];
        const ts_node *node = &model->nodes[n];
        if (dof < 0) continue;
        v3 psi = ts_node_turn(system, n, st->eq.delta + dof);
        for (int k = 0; k < node->slots; k++) {
            size_t at = 3 * (size_t)(node->slot + k);
            v3 x = v3_load(system->state.q + at),
               u = k ? v3_cross(psi, x) : v3_load(st->eq.delta + dof);
            v3_store(q + size + at, v3_axpy(h, u, x));
            v3_store(q + 2 * size + at, v3_axpy(-h, u, x));
        }
    }
}

/* Stores reactions of held nodes at a position in the memory of the state. */
static void held_at(ts_stepper *st, const double *q, double *memory) {
    memcpy(st->step.q_f, q, 3 * (size_t)st->model->slots * sizeof *q);
    ts_store_held(st);
    memcpy(memory, st->system->state.memory, (size_t)st->model->memory * sizeof *memory);
}

/* Reactions of linear statics grow linearly with the load. */
static void linear_reactions(ts_stepper *st) {
    size_t size = 3 * (size_t)st->model->slots, count = (size_t)st->model->memory;
    double *m = ts_calloc(3 * count + 1, sizeof *m), *keep = ts_calloc(size + 1, sizeof *keep);
    if (st->held.any) {
        memcpy(keep, st->step.q_f, size * sizeof *keep);
        for (size_t k = 0; k < 3; k++) held_at(st, st->system->linear + k * size, m + k * count);
        for (size_t i = 0; i < count; i++) {
            double slope = (m[count + i] - m[2 * count + i]) / (2 * st->system->linear_step);
            st->system->state.memory[i] = m[i] + slope;
        }
        memcpy(st->step.q_f, keep, size * sizeof *keep);
    }
    free(m), free(keep);
}

int ts_linear_step(ts_stepper *st, double t) {
    size_t rows = (size_t)st->model->rows_count * sizeof(double);
    ts_begin_at(st, t, 0);
    memset(st->step.lambda, 0, rows);
    ts_residual(&st->eq);
    if (ts_factor_exact(st)) return ts_fail(TORSOR_EDIVERGED, "the stiffness is singular");
    ts_set_load_factor(st, 1);
    ts_residual(&st->eq);
    for (int i = 0; i < st->eq.n; i++) st->eq.delta[i] = -st->eq.R[i];
    ts_solve(&st->eq, st->eq.delta);
    double size = ts_increment_norm(st, st->eq.delta);
    if (!(size < TOO_FAR)) return ts_fail(TORSOR_EDIVERGED, "the stiffness is singular");
    keep_linear(st, size > 0 ? SMALL / size : 1);
    ts_apply(st, st->eq.delta, 1);
    ts_commit(st);
    linear_reactions(st);
    st->system->state.step++;
    return 0;
}
