/* SPDX-License-Identifier: Apache-2.0 */
/* Changes at the instant when switches are turned: a latch closes, a spring is released.
 *
 * Constraints that begin to act, such as the lock of a latch, stop the velocities that they exclude
 * by an impulse. All constraints of the model share it, at the pose of the instant:
 *
 *     M (v+ - v-) + C^T L = 0 ,     C v+ + dc/dt = 0 ,     v+ = P s .
 *
 * Linear and angular momentum therefore change only by impulses of constraints on the ground. In
 * the first equation, tested with P, v- are the ambient velocities stored in the state: with EP
 * they are tangential, d' = omega x d, to second order only. With D = v+ - v-
 *
 *     T+ - T- = L . dc/dt - 1/2 D . M D .
 *
 * The first term is work of drives; the second is the energy lost by the impulse, never negative
 * (Carnot's theorem), and is recorded as removed by events. Springs that are switched remove, or
 * add, the energy that they store.
 *
 * Constraints that are switched off need no impulse. Redundant rows are determined again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/error.h"
#include "math/dense.h"
#include "system/instant.h"

/* ---- rows ---- */

/* Chooses the rows in use, without redundant rows; writes them to the state's memory and the
 * numbering. */
static int choose_rows(ts_system *system, ts_assembler *as) {
    ts_assembly_report report = {0};
    double *found = system->state.memory + system->model->row_memory;
    int code = ts_find_redundant(as, &report);
    ts_assembly_report_clear(&report);
    for (int r = 0; r < as->m && !code; r++)
        found[r] = as->use[r] || as->model->rows[r].off ? 1 : 2;
    if (!code) ts_view_follow(system);
    return code;
}

/* ---- velocities ---- */

/* W s = P^T M v of one node. */
static void mean_rate(const ts_assembler *as, int n, const double *q, const double *v, double *s) {
    const ts_node *node = &as->model->nodes[n];
    double p[3 * TS_FRAME_SLOTS], W[36], x[6];
    int nd = node->slots > 1 ? 6 : 3;
    v3 moment = {0, 0, 0};
    ts_mass_times_all(node->slots, node, v + 3 * node->slot, p);
    for (int k = 1; k < node->slots; k++)
        moment = v3_add(moment, v3_cross(v3_load(q + 3 * (node->slot + k)), v3_load(p + 3 * k)));
    v3_store(x, v3_load(p)), v3_store(x + 3, moment);
    ts_assembler_node_inertia(as, n, 0, W);
    if (ts_dense_solve(nd, 1, W, x) == 0) memcpy(s, x, (size_t)nd * sizeof *s);
}

/* Nodes with massless directions have the rates that follow from their directors. */
static void mean_rates(const ts_assembler *as, const ts_state *state, double *s) {
    ts_spatial_rates(as, state->q, state->v, s);
    for (int n = 0; n < as->model->nodes_count; n++)
        if (as->dof[n] >= 0 && !(as->light[n] > 0))
            mean_rate(as, n, state->q, state->v, s + as->dof[n]);
}

/* 1/2 D . M D of all nodes, with D = v - before. */
static double half_square(const ts_model *model, const double *v, const double *before) {
    double sum = 0, D[3 * TS_FRAME_SLOTS], p[3 * TS_FRAME_SLOTS];
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        int first = 3 * node->slot, count = 3 * node->slots;
        if (node->fixed) continue;
        for (int i = 0; i < count; i++) D[i] = v[first + i] - before[first + i];
        ts_mass_times_all(node->slots, node, D, p);
        sum += 0.5 * ts_dot(count, D, p);
    }
    return sum;
}

static int strike(ts_system *system, ts_assembler *as) {
    size_t n = (size_t)as->n + 1, bytes = (size_t)(3 * as->model->slots) * sizeof(double);
    double *s0 = ts_calloc(n, sizeof *s0), *s = ts_calloc(n, sizeof *s),
           *before = ts_calloc(1, bytes);
    double *impulse = ts_calloc((size_t)as->m + 1, sizeof *impulse), work = 0;
    bool changed;
    mean_rates(as, &system->state, s0);
    memcpy(s, s0, n * sizeof *s), memcpy(before, system->state.v, bytes);
    int code = ts_solve_rates(as, s0, s, impulse, &changed);
    if (!code && changed) {
        ts_store_rates(as, s, system->state.v);
        for (int r = 0; r < as->m; r++)
            if (as->use[r]) work += impulse[r] * as->drift[r];
        system->ledger.work_drives += work;
        system->state.event_loss += half_square(as->model, system->state.v, before);
    }
    free(s0), free(s), free(before), free(impulse);
    return code;
}

/* ---- all together ---- */

/* Earlier multipliers are no guess for rows that change. */
static void clear_multipliers(ts_system *system) {
    for (int r = 0; r < system->model->rows_count; r++)
        if (system->row_eq[r] < 0) system->state.lambda[r] = system->state.kappa[r] = 0;
    ts_trail_forget(&system->state);
}

static bool begins_to_hold(const ts_model *model, const bool *before) {
    for (int r = 0; r < model->rows_count; r++)
        if (before[r] && !model->rows[r].off) return true;
    return false;
}

static bool *rows_off(const ts_model *model) {
    bool *off = ts_calloc((size_t)model->rows_count + 1, sizeof *off);
    for (int r = 0; r < model->rows_count; r++) off[r] = model->rows[r].off;
    return off;
}

static bool differ(const ts_model *model, const bool *before) {
    for (int r = 0; r < model->rows_count; r++)
        if (before[r] != model->rows[r].off) return true;
    return false;
}

static int change_rows(ts_system *system, const bool *before) {
    ts_assembler *as = ts_assembler_new(system);
    int code = choose_rows(system, as);
    if (!code && begins_to_hold(system->model, before)) code = strike(system, as);
    ts_assembler_free(as);
    return code;
}

int ts_turn_switches(ts_system *system) {
    const ts_model *model = system->model;
    ts_ledger *ledger = &system->ledger;
    bool *before = rows_off(model);
    double elastic = ledger->elastic;
    ts_view_follow(system);
    ts_touching_follow(model, system->state.q, system->state.v, &system->state.touching);
    ts_take_energies(system, NULL, NULL);
    system->state.event_loss += elastic - ledger->elastic;
    int code = differ(model, before) ? change_rows(system, before) : 0;
    free(before);
    if (code) return code;
    clear_multipliers(system);
    ts_take_energies(system, NULL, NULL);
    ledger->balance = ts_energy_balance(system);
    return 0;
}
