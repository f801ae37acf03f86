/* SPDX-License-Identifier: Apache-2.0 */
/* The force that holds fixed nodes: what a support exerts on nodes that have lost their unknowns.
 *
 * The balance of such a node is not an equation of the step. Its residual is the reaction, a mean
 * over the step like a multiplier:
 *
 *     r = B_m^T s + C_m^T lambda - F - M g ,
 *
 * r and its moment about a point of the ground are summed over the nodes of a support and stored in
 * the state's memory. So the sum of reactions, loads and weight (also that of the fixed nodes) is
 * the change of momentum over the step, to round-off. Only sites with such a node are looked at,
 * once in a step. Schemes for study have no residual of a site: for them r is evaluated at the end
 * of the step, as in statics.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

static bool touches(const ts_model *model, const ts_site *site) {
    for (int k = 0; k < site->nodes; k++)
        if (model->nodes[model->site_nodes[site->node + k]].held) return true;
    return false;
}

void ts_held_new(ts_stepper *st) {
    const ts_model *model = st->model;
    for (int n = 0; n < model->nodes_count; n++) st->held.any |= model->nodes[n].held != 0;
    if (!st->held.any) return;
    st->held.site = ts_calloc((size_t)model->sites_count + 1, sizeof *st->held.site);
    for (int i = 0; i < model->sites_count; i++)
        if (touches(model, &model->sites[i])) st->held.site[st->held.count++] = i;
}

/* Adds a force and moment to the six numbers of a support. */
static void add_to(ts_stepper *st, const ts_node *node, v3 force, v3 moment) {
    const ts_part *part = &st->model->parts[node->held];
    double *sum = st->system->state.memory + part->memory;
    v3 arm = v3_sub(v3_load(st->step.q_f + 3 * node->slot), part->about);
    v3_store(sum, v3_add(v3_load(sum), force));
    v3_store(sum + 3, v3_add(v3_load(sum + 3), v3_add(moment, v3_cross(arm, force))));
}

static void sum_up(ts_stepper *st, const ts_node *node) {
    double g[3 * 4] = {0}, share = st->step.load_factor;
    int s = 3 * node->slot;
    v3 force = {0, 0, 0}, moment = {0, 0, 0};
    v3_store(g, v3_scale(share, st->model->gravity));
    for (int a = 0; a < node->slots; a++) {
        v3 f = v3_sub(v3_load(st->step.F + s + 3 * a), ts_mass_times(node, g, a));
        if (a == 0) force = f;
        if (a > 0) moment = v3_add(moment, v3_cross(v3_load(st->step.q_f + s + 3 * a), f));
    }
    add_to(st, node, force, moment);
}

static void add_moments(ts_stepper *st) {
    for (int i = 0; i < st->model->loads_count; i++) {
        const ts_load *load = &st->model->loads[i];
        const ts_node *node = &st->model->nodes[load->node];
        if (!load->moment || !node->held) continue;
        v3 m = st->step.load[i].mean;
        if (load->follower) m = m3_apply(ts_load_directors(node, st->step.q_f + 3 * node->slot), m);
        add_to(st, node, v3_make(0, 0, 0), v3_scale(-1, m));
    }
}

void ts_store_held(ts_stepper *st) {
    const ts_model *model = st->model;
    if (!st->held.any) return;
    memset(st->step.F, 0, (size_t)(3 * model->slots) * sizeof *st->step.F);
    for (int i = 0; i < st->held.count; i++) {
        const ts_site *site = &model->sites[st->held.site[i]];
        st->scheme->held_residual(&st->step, site, st->eq.R);
    }
    ts_add_forces(&st->step);
    ts_add_pressures(&st->step);
    for (int p = 0; p < model->parts_count; p++)
        if (model->parts[p].support)
            memset(st->system->state.memory + model->parts[p].memory, 0, 6 * sizeof(double));
    for (int n = 0; n < model->nodes_count; n++)
        if (model->nodes[n].held) sum_up(st, &model->nodes[n]);
    add_moments(st);
}
