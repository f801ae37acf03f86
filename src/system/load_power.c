/* SPDX-License-Identifier: Apache-2.0 */
/* Power of loads over time at an instant: a force on the velocity of its point, a moment on the
 * angular velocity, a pressure p on the volume that its faces sweep,
 *
 *     f . (v + sum X_k d_k') ,     m . omega ,     p sum_g (r,1 x r,2) . sum_a w N_a v_a .
 *
 * Over a step, with the means of the scheme, the same is the work in the ledger: local.c,
 * step/pressure.c. Loads that depend on the state have sites, and their power is that of laws.
 */
#include "system/load_power.h"

/* A sum over the directors of a node in an ambient array; a shell has one, and takes the first
 * number. */
static v3 over_directors(const ts_node *node, const double *slots, v3 X) {
    v3 sum = {0, 0, 0};
    for (int k = 1; k < node->slots; k++)
        sum = v3_axpy(v3_get(X, k - 1), v3_load(slots + 3 * k), sum);
    return sum;
}

static double load_power(const ts_system *system, const ts_load *load) {
    const ts_node *node = &system->model->nodes[load->node];
    const double *q = system->state.q + 3 * node->slot, *v = system->state.v + 3 * node->slot;
    v3 f = ts_load_signals(system->model, load, ts_when_of(&system->state, system->state.t));
    if (load->follower) f = over_directors(node, q, f);
    v3 rate = load->moment ? ts_node_omega(system, load->node)
                           : v3_add(v3_load(v), over_directors(node, v, load->point));
    return load->factor * v3_dot(f, rate);
}

static double pressure_now(const ts_system *system, const ts_pressure *p) {
    const ts_model *model = system->model;
    double value, slope;
    if (p->variable > 0) return p->unit * system->state.q[3 * model->nodes[p->variable].slot];
    ts_signal_eval(&model->signals[p->signal], ts_when_of(&system->state, system->state.t), &value,
                   &slope);
    return value;
}

static double pressure_power(const ts_system *system, const ts_pressure *p) {
    const ts_model *model = system->model;
    const int *node = model->site_nodes + p->node;
    double swept = 0;
    for (int g = 0; g < p->points; g++) {
        const double *rule = model->interpolation + p->rule + 3 * p->nodes * g;
        v3 side[2] = {{0, 0, 0}, {0, 0, 0}}, rate = {0, 0, 0};
        for (int a = 0; a < p->nodes; a++) {
            int slot = model->nodes[node[a]].slot;
            for (int k = 0; k < 2; k++)
                side[k] = v3_axpy(rule[3 * a + 1 + k],
                                  v3_load(system->state.q + 3 * (slot + p->of[k])), side[k]);
            rate = v3_axpy(rule[3 * a], v3_load(system->state.v + 3 * (slot + p->on)), rate);
        }
        swept += v3_dot(v3_cross(side[0], side[1]), rate);
    }
    return pressure_now(system, p) * swept;
}

/* Loads stand in the order of their parts. */
void ts_load_powers(const ts_system *system, int64_t parts, const int *part, double *power) {
    const ts_model *model = system->model;
    for (int64_t k = 0; k < parts; k++)
        power[k] = model->parts[part[k]].spread ? ts_part_power(system, part[k], NULL) : 0;
    for (int64_t i = 0, k = 0; i < model->loads_count && k < parts; i++) {
        while (k < parts && part[k] < model->loads[i].part) k++;
        if (k < parts && part[k] == model->loads[i].part)
            power[k] += load_power(system, &model->loads[i]);
    }
    for (int64_t i = 0, k = 0; i < model->pressures_count && k < parts; i++) {
        while (k < parts && part[k] < model->pressures[i].part) k++;
        if (k < parts && part[k] == model->pressures[i].part)
            power[k] += pressure_power(system, &model->pressures[i]);
    }
}
