/* SPDX-License-Identifier: Apache-2.0 */
/* Rotors: whether the equations of a model are constant in a rotating frame, the direction of whirl
 * of a mode, and its frequency in the inertial frame.
 *
 * In a frame that turns, the ground turns too. A blade that is held by the ground is a blade on a
 * hub; but a tower that carries a rotor does not rotate, and in the frame of the rotor its
 * equations depend on time. This is the case if a joint lets two nodes rotate relative to each
 * other about the axis of rotation: the forms of all its sites have no rate when one of them turns
 * and the other does not,
 *
 *     x' = n x (x - place) ,   d_k' = n x d_k          of the slots of the second node.
 *
 * All other sites connect their nodes. Nodes that are connected to the ground must then be fixed.
 *
 * Seen from the shaft, a point moves as Re (a + i b) e^(i w t). Of its circles about the axis n,
 * those with the rotation and those against it have the squared radii p and m with p - m = n.(b x
 * a) and p + m = (|a|^2 + |b|^2)/2 of the parts across n. On an isotropic rotor every mode is one
 * kind of circles alone, and from the ground it has the frequency w + W, or W - w.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "modes/search.h"

/* Adds the difference of both kinds and their sum, for the displacements or the rotations of a
 * node. */
static void add_circles(v3 n, double weight, const double *a, const double *b, double *difference,
                        double *sum) {
    v3 re = v3_load(a), im = v3_load(b);
    *difference += weight * v3_dot(n, v3_cross(im, re));
    *sum += 0.5 * weight * (v3_dot(re, re) + v3_dot(im, im));
}

/* From 1, all with the rotation, to -1, all against it. */
static double direction(const ts_system *system, const ts_modes *modes, int mode) {
    double difference = 0, sum = 0;
    v3 n = v3_normalize(modes->spin);
    for (int k = 0; k < modes->nodes; k++) {
        const ts_node *node = &system->model->nodes[k];
        size_t at = ((size_t)mode * (size_t)modes->nodes + (size_t)k) * 6;
        const double *a = modes->shape + at, *b = modes->quarter + at;
        double turning = 0;
        for (int s = 1; s < node->slots; s++) turning += node->mass[s][s];
        add_circles(n, node->mass[0][0], a, b, &difference, &sum);
        add_circles(n, turning, a + 3, b + 3, &difference, &sum);
    }
    return sum > 0 ? difference / sum : 0;
}

ts_whirl ts_mode_whirl(const ts_system *system, const ts_modes *modes, int mode) {
    const double all = 0.999;
    ts_whirl out = {TS_NO_WHIRL, 0};
    double W = v3_norm(modes->spin), w = modes->mode[mode].frequency;
    if (W == 0 || !modes->quarter || modes->mode[mode].rigid) return out;
    double way = direction(system, modes, mode);
    if (fabs(way) < all) return out;
    double seen = way > 0 ? W + w : W - w;
    out.way = seen > 0 ? TS_FORWARD_WHIRL : TS_BACKWARD_WHIRL;
    out.frequency = fabs(seen);
    return out;
}

/* ---- what turns against what ---- */

/* A joint on the axis but for the deflections of its support is one about the axis. */
static const double COAXIAL = 0.01;

/* The rates of the slots of node b of a site, as it turns alone; the others stand. */
static void turning_rates(const ts_system *system, const ts_site *site, int b, v3 n, v3 place,
                          double *rate) {
    const ts_model *model = system->model;
    memset(rate, 0, 3 * (size_t)site->ambient * sizeof *rate);
    for (int i = 0, s = 0; i < site->nodes;
         s += model->nodes[model->site_nodes[site->node + i++]].slots) {
        const ts_node *node = &model->nodes[model->site_nodes[site->node + i]];
        if (model->site_nodes[site->node + i] != b) continue;
        for (int k = 0; k < node->slots; k++) {
            v3 q = v3_load(system->state.q + 3 * (node->slot + k));
            v3_store(rate + 3 * (s + k), v3_cross(n, k ? q : v3_sub(q, place)));
        }
    }
}

/* Does any form of the site, rows of drives apart, change with these rates? */
static bool resists(const ts_system *system, const ts_site *site, const double *rate) {
    const ts_model *model = system->model;
    double q[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], room[3 * TS_MAX_SLOTS];
    ts_site_gather(model, site, system->state.q, q);
    for (int k = 0; k < site->forms; k++) {
        bool own_row = site->role != TS_ROLE_LAW && !site->rowlaw && k < site->rows;
        if (own_row && model->rows[site->row + k].drive) continue;
        double sum = 0, size = 0, length = system->length;
        ts_form_gradient(model, site->form + k, site->slots, q, B);
        const double *row = ts_site_spread(model, site, B, room);
        for (int i = 0; i < 3 * site->ambient; i++)
            sum += row[i] * rate[i], size += fabs(row[i]) * (fabs(rate[i]) > 1 ? length : 1);
        if (fabs(sum) > COAXIAL * size) return true;
    }
    return false;
}

static bool is_drive(const ts_model *model, const ts_site *site) {
    for (int r = 0; r < site->rows; r++)
        if (model->rows[site->row + r].drive) return true;
    return false;
}

/* A joint, or whatever ties two nodes: the two nodes of all its sites, or false. */
static bool is_link(const ts_model *model, const ts_part *part, int pair[2]) {
    for (int i = 0; i < part->sites; i++) {
        const ts_site *site = &model->sites[part->site + i];
        const int *node = model->site_nodes + site->node;
        if (site->nodes != 2 || is_drive(model, site)) return false;
        if (i > 0 && (node[0] != pair[0] || node[1] != pair[1])) return false;
        pair[0] = node[0], pair[1] = node[1];
    }
    return part->sites > 0;
}

static bool lets_turn(const ts_system *system, const ts_part *part, int b, v3 n, v3 place) {
    double rate[3 * TS_MAX_NODES * 4];
    for (int i = 0; i < part->sites; i++) {
        const ts_site *site = &system->model->sites[part->site + i];
        turning_rates(system, site, b, n, place, rate);
        if (resists(system, site, rate)) return false;
    }
    return true;
}

static int root_of(int *parent, int n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
}

/* Nodes that sites tie together, and the bearings between them: parts that let their nodes turn. */
typedef struct ties {
    int *parent, ground; /* of nodes; the root of all that is fixed */
    bool *bearing;       /* of parts */
    int count;
} ties;

static void tie_part(const ts_system *system, int p, v3 n, v3 place, ties *t) {
    const ts_model *model = system->model;
    const ts_part *part = &model->parts[p];
    int pair[2] = {-1, -1};
    t->bearing[p] = is_link(model, part, pair) && lets_turn(system, part, pair[1], n, place);
    t->count += t->bearing[p];
    for (int i = 0; i < part->sites && !t->bearing[p]; i++) {
        const ts_site *site = &model->sites[part->site + i];
        const int *node = model->site_nodes + site->node;
        for (int k = 1; k < site->nodes && !is_drive(model, site); k++)
            t->parent[root_of(t->parent, node[k])] = root_of(t->parent, node[0]);
    }
}

static void find_ties(const ts_system *system, v3 n, v3 place, ties *t) {
    const ts_model *model = system->model;
    *t = (ties){.ground = -1};
    t->parent = ts_calloc((size_t)model->nodes_count + 1, sizeof *t->parent);
    t->bearing = ts_calloc((size_t)model->parts_count + 1, sizeof *t->bearing);
    for (int k = 0; k < model->nodes_count; k++) t->parent[k] = k;
    for (int k = 0; k < model->nodes_count; k++) {
        if (system->node_dof[k] >= 0) continue;
        if (t->ground >= 0) t->parent[k] = t->ground;
        t->ground = t->parent[k];
    }
    for (int p = 0; p < model->parts_count; p++) tie_part(system, p, n, place, t);
    if (t->ground >= 0) t->ground = root_of(t->parent, t->ground);
}

static void ties_free(ties *t) { free(t->parent), free(t->bearing); }

/* Moves as the masses and rows allow under forces on all that is tied to the ground: the node that
 * goes farthest, -1: none. */
static int loosest(const ts_linear_model *x, const ts_system *system, ties *t) {
    double *b = ts_calloc((size_t)x->n + 1, sizeof *b), most = 1e-6;
    int node = -1;
    ts_pencil p;
    ts_pencil_begin(&p, x);
    for (int n = 0; n < system->model->nodes_count; n++)
        for (int i = 0; system->node_dof[n] >= 0 && i < ts_node_dofs(&system->model->nodes[n]);
             i++) {
            int dof = system->node_dof[n] + i;
            if (root_of(t->parent, n) == t->ground)
                b[dof] = x->M[x->diagonal[dof]] * (1 + 0.37 * (dof % 7)) * (dof % 2 ? 1 : -1);
        }
    if (!ts_pencil_factor(&p, 0, 1e3 * p.scale)) ts_pencil_solve(&p, b);
    for (int n = 0; n < system->model->nodes_count; n++) {
        if (system->node_dof[n] < 0 || root_of(t->parent, n) != t->ground) continue;
        double size = v3_norm(v3_load(b + system->node_dof[n])) * 1e3 * p.scale;
        if (size > most) most = size, node = n;
    }
    ts_pencil_end(&p);
    free(b);
    return node;
}

/* A bearing between what is tied to the ground and something else; -1: none. */
static int find_bearing(const ts_model *model, ties *t) {
    for (int p = 0; p < model->parts_count; p++) {
        int pair[2] = {-1, -1};
        if (!t->bearing[p] || !is_link(model, &model->parts[p], pair)) continue;
        bool a = root_of(t->parent, pair[0]) == t->ground,
             b = root_of(t->parent, pair[1]) == t->ground;
        if (a != b) return p;
    }
    return -1;
}

/* The point of a joint, on its node A. */
static v3 place_of(const ts_system *system, const ts_part *part) {
    const ts_node *node = &system->model->nodes[part->nodeA];
    const double *q = system->state.q + 3 * node->slot;
    v3 x = v3_load(q);
    for (int k = 1; k < node->slots && node->kind == TS_NODE_FRAME; k++)
        x = v3_axpy(v3_get(part->pointA, k - 1), v3_load(q + 3 * k), x);
    return x;
}

static bool is_driven(const ts_model *model, const int pair[2]) {
    for (int i = 0; i < model->sites_count; i++) {
        const int *node = model->site_nodes + model->sites[i].node;
        if (model->sites[i].nodes == 2 && node[0] == pair[0] && node[1] == pair[1] &&
            is_drive(model, &model->sites[i]))
            return true;
    }
    return false;
}

/* A driven joint whose axis is parallel to the rotation and elsewhere: the rotation was meant to be
 * about that one. */
static int check_place(const ts_system *system, v3 n, const ties *t) {
    const ts_model *model = system->model;
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        int pair[2] = {-1, -1};
        if (t->bearing[p] || !is_link(model, part, pair) || !is_driven(model, pair)) continue;
        v3 x = place_of(system, part);
        if (lets_turn(system, part, pair[1], n, x))
            return ts_fail(
                TORSOR_EINVAL,
                "'%s' is driven about an axis of this direction through (%.4g, %.4g, %.4g) m: put "
                "the axis of rotation there (--about), or remove the motion",
                part->name, x.x, x.y, x.z);
    }
    return 0;
}

int ts_check_rotor(const ts_linear_model *x, const ts_system *system, v3 spin, v3 about) {
    const ts_model *model = system->model;
    ties t;
    find_ties(system, v3_normalize(spin), about, &t);
    int code = check_place(system, v3_normalize(spin), &t);
    int bearing = !code && t.count > 0 && t.ground >= 0 ? find_bearing(model, &t) : -1;
    int node = bearing >= 0 ? loosest(x, system, &t) : -1;
    ties_free(&t);
    if (node < 0) return code;
    const char *held = model->parts[model->nodes[node].part].name, *on = model->parts[bearing].name;
    return ts_fail(TORSOR_EINVAL,
                   "'%s' is held by the ground and can move, and '%s' lets a rotor turn about this "
                   "axis: --spin would turn '%s' with it. In the frame of the rotor such a support "
                   "makes the equations depend on time (Floquet analysis), which this version "
                   "cannot do. For the modes of the rotor alone, remove the support and let '%s' "
                   "join the rotor to the ground; for both together, run the model in time",
                   held, on, held, on);
}
