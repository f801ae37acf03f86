/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that nothing holds and that loads pull: there is no equilibrium, and a search would be
 * useless.
 *
 * Nodes that sites tie together are a group. A group is adrift if no node of it is fixed and no
 * form of its sites changes when all of them are moved alike: then inner forces have no resultant,
 * at every position. Its loads have a constant resultant if all of them are dead and constant:
 *
 *     sum of m g + sum of F = 0
 *
 * must hold in every equilibrium. If loads may turn, grow or change with time, no answer is given
 * here, nor for moments, which a rotation may balance: the search decides (scheme/relax.c).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/equilibrium.h"
#include "base/memory.h"
#include "system/site.h"

static const double ALIKE = 1e-9;  /* of what forms change when nodes move apart: round-off */
static const double PULLED = 1e-6; /* of all forces on the group: less may be round-off */

typedef struct groups {
    const ts_model *model;
    int *parent;       /* by node: towards the first node of its group */
    bool *held, *live; /* by first node: something holds it; its loads may change */
    v3 *force;         /* by first node: the resultant, and how much there is of all forces */
    double *total;
    double *alike, *apart; /* velocities: all nodes alike; each in its own way */
} groups;

static int first_of(const groups *g, int node) {
    while (g->parent[node] != node) node = g->parent[node] = g->parent[g->parent[node]];
    return node;
}

/* ---- groups ---- */

static void tie(groups *g, int first, const int *node, int nodes) {
    for (int i = 0; i < nodes; i++) g->parent[first_of(g, node[i])] = first_of(g, first);
}

/* The place of a node is its first slot. Inner unknowns of elements have no place. */
static void set_velocities(const groups *g, int axis) {
    const ts_model *m = g->model;
    memset(g->alike, 0, 3 * (size_t)m->slots * sizeof(double));
    memset(g->apart, 0, 3 * (size_t)m->slots * sizeof(double));
    for (int n = 0; n < m->nodes_count; n++) {
        if (m->nodes[n].inner) continue;
        g->alike[3 * m->nodes[n].slot + axis] = 1;
        g->apart[3 * m->nodes[n].slot + axis] = sin(1.0 + 2.4 * n);
    }
}

/* Do forms of the site change when all nodes move alike? */
static bool is_anchored(const groups *g, const ts_site *site, const double *q) {
    double alike[TS_MAX_FORMS], apart[TS_MAX_FORMS];
    ts_site_rates(g->model, site, q, g->alike, alike);
    ts_site_rates(g->model, site, q, g->apart, apart);
    for (int k = 0; k < site->forms; k++)
        if (!(fabs(alike[k]) <= ALIKE * fabs(apart[k]))) return true;
    return false;
}

static void find_anchors(groups *g, const ts_system *system) {
    const ts_model *m = g->model;
    for (int axis = 0; axis < 3; axis++) {
        set_velocities(g, axis);
        for (int s = 0; s < m->sites_count; s++) {
            const ts_site *site = &m->sites[s];
            int first = first_of(g, m->site_nodes[site->node]);
            if (!g->held[first]) g->held[first] = is_anchored(g, site, system->state.q);
        }
    }
}

static void find_groups(groups *g, const ts_system *system) {
    const ts_model *m = g->model;
    for (int n = 0; n < m->nodes_count; n++) g->parent[n] = n;
    for (int s = 0; s < m->sites_count; s++) {
        const ts_site *site = &m->sites[s];
        if (site->nodes > 0)
            tie(g, m->site_nodes[site->node], m->site_nodes + site->node, site->nodes);
    }
    for (int n = 0; n < m->nodes_count; n++)
        if (m->nodes[n].fixed) g->held[first_of(g, n)] = true;
    for (int i = 0; i < m->memberships_count; i++) /* it may fall on something */
        g->held[first_of(g, m->shapes[m->memberships[i].shape].node)] = true;
    find_anchors(g, system);
}

/* ---- loads ---- */

static void push(const groups *g, int node, v3 force) {
    int first = first_of(g, node);
    g->force[first] = v3_add(g->force[first], force);
    g->total[first] += v3_norm(force);
}

static bool is_constant(const ts_model *m, const ts_load *load) {
    for (int k = 0; k < 3; k++)
        if (load->signal[k] >= 0 && m->signals[load->signal[k]].kind != TS_SIGNAL_CONSTANT)
            return false;
    return true;
}

static void sum_loads(groups *g, const ts_system *system) {
    const ts_model *m = g->model;
    for (int n = 0; n < m->nodes_count; n++)
        if (!m->nodes[n].inner) push(g, n, v3_scale(m->nodes[n].mass[0][0], m->gravity));
    for (int i = 0; i < m->loads_count; i++) {
        const ts_load *load = &m->loads[i];
        if (load->moment) continue;
        if (load->follower || !is_constant(m, load)) g->live[first_of(g, load->node)] = true;
        v3 f = ts_load_signals(m, load, ts_when_of(&system->state, system->state.t));
        push(g, load->node, v3_scale(load->factor, f));
    }
    for (int i = 0; i < m->pressures_count; i++)
        g->live[first_of(g, m->site_nodes[m->pressures[i].node])] = true;
}

/* ---- the answer ---- */

bool ts_is_adrift(const ts_system *system) {
    const ts_model *m = system->model;
    size_t nodes = (size_t)m->nodes_count, numbers = 3 * (size_t)m->slots + 1;
    groups g = {.model = m,
                .parent = ts_calloc(nodes, sizeof(int)),
                .held = ts_calloc(nodes, sizeof(bool)),
                .live = ts_calloc(nodes, sizeof(bool)),
                .force = ts_calloc(nodes, sizeof(v3)),
                .total = ts_calloc(nodes, sizeof(double)),
                .alike = ts_calloc(numbers, sizeof(double)),
                .apart = ts_calloc(numbers, sizeof(double))};
    bool adrift = false;
    find_groups(&g, system);
    sum_loads(&g, system);
    for (int n = 0; n < m->nodes_count && !adrift; n++)
        adrift = g.parent[n] == n && !g.held[n] && !g.live[n] &&
                 v3_norm(g.force[n]) > PULLED * g.total[n];
    free(g.parent), free(g.held), free(g.live), free(g.force), free(g.total);
    free(g.alike), free(g.apart);
    return adrift;
}
