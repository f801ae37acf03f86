/* SPDX-License-Identifier: Apache-2.0 */
/* Text for the shape of a mode: the part that moves, and its motion. See modal.h.
 *
 * All free motions have the eigenvalue zero, so any combination of them is a free motion, too.
 * Simple combinations are chosen: the candidates are motions of the whole model and of each part as
 * a rigid body, along x, y, z and about them through the mass centre. The candidate with the
 * largest share of its kinetic energy in the space of free motions is taken first, then the best of
 * the remaining ones, and so on. Each is projected onto the space, so all are free, of unit mass
 * and M-orthogonal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "modes/search.h"

enum { MOST_PARTS = 200, MOST_NAMES = 3 };

/* ---- where the energy is ---- */

/* A part's share of the kinetic energy of a mode: by motion of its mass along the axes, by rotation
 * about them, and in all. */
typedef struct share_of_part {
    double axis[6], whole;
} share_of_part;

/* Twice the kinetic energy of a node that moves by u, psi; what is not that of its mass centre is
 * rotation. */
static void add_node(const ts_system *system, const ts_node *node, v3 u, v3 psi, share_of_part *e) {
    double m = node->mass[0][0], whole = 0, moved = 0;
    v3 rate[4] = {u}, centre = v3_scale(m, u);
    for (int k = 1; k < node->slots; k++) {
        rate[k] = v3_cross(psi, v3_load(system->state.q + 3 * (node->slot + k)));
        centre = v3_axpy(node->mass[0][k], rate[k], centre);
    }
    for (int a = 0; a < node->slots; a++)
        for (int b = 0; b < node->slots; b++) whole += node->mass[a][b] * v3_dot(rate[a], rate[b]);
    for (int i = 0; i < 3 && m > 0; i++) {
        double share = v3_get(centre, i) * v3_get(centre, i) / m;
        e->axis[i] += share, moved += share;
    }
    double turning = fmax(0, whole - moved), size = v3_dot(psi, psi);
    for (int i = 0; i < 3 && size > 0; i++)
        e->axis[3 + i] += turning * v3_get(psi, i) * v3_get(psi, i) / size;
    e->whole += whole;
}

/* The part, and the axis of its motion, that have most. */
static ts_mode_hint largest_share(const ts_model *model, const share_of_part *part) {
    ts_mode_hint hint = {0};
    double total = 0;
    for (int p = 0; p < model->parts_count; p++) {
        total += part[p].whole;
        if (part[p].whole > part[hint.part].whole * (1 + 1e-9)) hint.part = p;
    }
    const share_of_part *e = &part[hint.part];
    for (int i = 0; i < 6; i++)
        if (e->axis[i] > e->axis[hint.axis] * (1 + 1e-9)) hint.axis = i;
    if (total > 0) hint.share = e->whole / total;
    if (e->whole > 0) hint.in_axis = e->axis[hint.axis] / e->whole;
    return hint;
}

ts_mode_hint ts_mode_explain(const ts_system *system, const ts_modes *modes, int mode) {
    const ts_model *model = system->model;
    const double *shapes[] = {modes->shape, modes->quarter};
    share_of_part *part = ts_calloc((size_t)model->parts_count, sizeof *part);
    for (int n = 0; n < model->nodes_count; n++)
        for (int k = 0; k < 2; k++) {
            if (!shapes[k] || system->node_dof[n] < 0) continue;
            const double *u = shapes[k] + ((size_t)mode * (size_t)modes->nodes + (size_t)n) * 6;
            const ts_node *node = &model->nodes[n];
            add_node(system, node, v3_load(u), v3_load(u + 3), &part[node->part]);
        }
    ts_mode_hint hint = largest_share(model, part);
    free(part);
    return hint;
}

/* ---- simple free motions ---- */

/* The motion along axis k, or about axis k - 3 through the centre, of a part; part < 0: of all. */
static void rigid_motion(const ts_system *system, int part, v3 centre, int k, double *phi) {
    v3 axis = v3_make(k % 3 == 0, k % 3 == 1, k % 3 == 2), none = {0, 0, 0};
    memset(phi, 0, (size_t)system->dofs * sizeof *phi);
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        int dof = system->node_dof[n];
        if (dof < 0 || (part >= 0 && node->part != part)) continue;
        v3 psi = k < 3 ? none : axis, t[2];
        v3 arm = v3_sub(v3_load(system->state.q + 3 * node->slot), centre);
        v3_store(phi + dof, k < 3 ? axis : v3_cross(axis, arm));
        if (ts_node_dofs(node) == 6) v3_store(phi + dof + 3, psi);
        if (ts_node_dofs(node) != 5) continue;
        ts_turn_axes(system, n, t);
        for (int i = 0; i < 2; i++) phi[dof + 3 + i] = v3_dot(t[i], psi);
    }
}

static v3 mass_centre(const ts_system *system, int part) {
    v3 sum = {0, 0, 0};
    double mass = 0;
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        if (system->node_dof[n] < 0 || (part >= 0 && node->part != part)) continue;
        mass += node->mass[0][0];
        for (int k = 0; k < node->slots; k++)
            sum = v3_axpy(node->mass[0][k], v3_load(system->state.q + 3 * (node->slot + k)), sum);
    }
    return mass > 0 ? v3_scale(1 / mass, sum) : sum;
}

/* Motions to choose from: their components in the free ones, per unit of sqrt(2 kinetic energy). */
typedef struct choice {
    int count, zeros;
    double *share; /* count x zeros */
} choice;

static void offer(const ts_system *system, ts_pencil *p, int zeros, const double *phi,
                  choice *out) {
    int parts = system->model->parts_count <= MOST_PARTS ? system->model->parts_count : 0;
    size_t dofs = (size_t)system->dofs;
    double *c = ts_calloc(dofs + 1, sizeof *c), *m = ts_calloc(dofs + 1, sizeof *m);
    *out = (choice){.zeros = zeros};
    out->share = ts_calloc((size_t)(6 * (parts + 1) * zeros) + 1, sizeof(double));
    for (int part = -1; part < parts; part++)
        for (int k = 0; k < 6; k++) {
            double *share = out->share + (size_t)out->count * (size_t)zeros, size = 0;
            rigid_motion(system, part, mass_centre(system, part), k, c);
            ts_pencil_product(p, p->x->M, c, m);
            for (size_t i = 0; i < dofs; i++) size += c[i] * m[i];
            if (!(size > 0)) continue;
            for (int j = 0; j < zeros; j++)
                for (size_t i = 0; i < dofs; i++)
                    share[j] += phi[(size_t)j * dofs + i] * m[i] / sqrt(size);
            out->count++;
        }
    free(c), free(m);
}

static double length2(const double *a, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * a[i];
    return sum;
}

static void orthogonal_to(const double *q, double *a, int n) {
    double share = 0;
    for (int i = 0; i < n; i++) share += q[i] * a[i];
    for (int i = 0; i < n; i++) a[i] -= share * q[i];
}

/* The best choice left, of length one, at q; false: none has anything. */
static bool take_best(choice *c, double *q) {
    double most = 1e-12;
    int best = -1, f = c->zeros;
    for (int i = 0; i < c->count; i++) {
        double size = length2(c->share + (size_t)i * (size_t)f, f);
        if (size > most * (1 + 1e-6)) most = size, best = i;
    }
    if (best < 0) return false;
    for (int j = 0; j < f; j++) q[j] = c->share[best * f + j] / sqrt(most);
    for (int i = 0; i < c->count; i++) orthogonal_to(q, c->share + (size_t)i * (size_t)f, f);
    return true;
}

/* Completes the orthonormal vectors q by those of the axes. */
static void fill_up(double *Q, int count, int f) {
    for (int axis = 0; axis < f && count < f; axis++) {
        double *q = Q + count * f;
        memset(q, 0, (size_t)f * sizeof *q);
        q[axis] = 1;
        for (int turn = 0; turn < 2; turn++)
            for (int j = 0; j < count; j++) orthogonal_to(Q + j * f, q, f);
        double size = sqrt(length2(q, f));
        for (int j = 0; j < f; j++) q[j] /= size > 0 ? size : 1;
        count += size > 1e-3 / f;
    }
}

void ts_motion_simplify(const ts_system *system, struct ts_pencil *p, int zeros, double *phi) {
    if (zeros < 2) return;
    choice c;
    int count = 0;
    double *Q = ts_calloc((size_t)zeros * (size_t)zeros + 1, sizeof *Q);
    offer(system, p, zeros, phi, &c);
    while (count < zeros && take_best(&c, Q + count * zeros)) count++;
    fill_up(Q, count, zeros);
    ts_combine(system->dofs, zeros, Q, phi);
    free(Q), free(c.share);
}

/* ---- free motions in words ---- */

/* What all nodes that move do as one rigid body: u at a place, and psi. */
typedef struct twist {
    v3 u, psi, at;
    double size; /* of the displacements */
    bool rigid;
} twist;

static bool takes_part(const ts_system *system, const double *shape, int n, double least) {
    double u = v3_norm(v3_load(shape + 6 * n)), psi = v3_norm(v3_load(shape + 6 * n + 3));
    bool heavy = system->model->nodes[n].mass[0][0] > 0;
    return heavy && system->node_dof[n] >= 0 && fmax(u, 0.25 * system->length * psi) > least;
}

/* Names of the parts that move. */
static void name_parts(const ts_system *system, const double *shape, double least, char *names,
                       size_t room) {
    const ts_model *model = system->model;
    int last = -1, count = 0;
    for (int n = 0; n < model->nodes_count; n++) {
        if (model->nodes[n].part == last || !takes_part(system, shape, n, least)) continue;
        last = model->nodes[n].part;
        size_t used = strlen(names);
        if (count++ < MOST_NAMES)
            snprintf(names + used, room - used, "%s'%.40s'", count > 1 ? ", " : "",
                     model->parts[last].name);
    }
    size_t used = strlen(names);
    if (count > MOST_NAMES) snprintf(names + used, room - used, " and %d more", count - MOST_NAMES);
}

/* The normal equations of u_n = u + psi x (x_n - at), psi_n = psi: rows of one node. */
static void add_equations(const double *row, double right, double *A, double *b) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) A[6 * i + j] += row[i] * row[j];
        b[i] += row[i] * right;
    }
}

static void add_node_equations(const ts_system *system, int n, const double *shape, v3 at,
                               double *A, double *b) {
    double length = 0.25 * system->length;
    v3 arm = v3_scale(1 / length,
                      v3_sub(v3_load(system->state.q + 3 * system->model->nodes[n].slot), at));
    for (int i = 0; i < 3; i++) {
        double row[6] = {0}, turn[6] = {0};
        v3 axis = v3_make(i == 0, i == 1, i == 2);
        row[i] = 1, turn[3 + i] = 1;
        v3_store(row + 3, v3_cross(arm, axis)); /* axis . (psi x arm) */
        add_equations(row, shape[6 * n + i], A, b);
        if (system->model->nodes[n].kind == TS_NODE_FRAME)
            add_equations(turn, length * shape[6 * n + 3 + i], A, b);
    }
}

static bool is_carried(const ts_system *system, int n, const double *shape, const twist *t) {
    v3 x = v3_load(system->state.q + 3 * system->model->nodes[n].slot);
    v3 u = v3_add(t->u, v3_cross(t->psi, v3_sub(x, t->at)));
    v3 off = v3_sub(v3_load(shape + 6 * n + 3), t->psi);
    bool turns = system->model->nodes[n].kind == TS_NODE_FRAME;
    return v3_norm(v3_sub(v3_load(shape + 6 * n), u)) <= 1e-5 * t->size &&
           (!turns || 0.25 * system->length * v3_norm(off) <= 1e-5 * t->size);
}

/* By least squares, with next to nothing held against what no node tells. */
static twist find_twist(const ts_system *system, const double *shape, double most) {
    double A[36] = {0}, b[6] = {0}, least = 1e-6 * most;
    twist t = {.size = most, .rigid = true};
    int nodes = system->model->nodes_count, first = -1;
    for (int n = 0; n < nodes; n++) {
        if (!takes_part(system, shape, n, least)) continue;
        if (first < 0)
            first = n, t.at = v3_load(system->state.q + 3 * system->model->nodes[n].slot);
        add_node_equations(system, n, shape, t.at, A, b);
    }
    for (int i = 0; i < 6; i++) A[7 * i] += 1e-12 * (A[0] + 1);
    (void)ts_dense_solve_definite(6, A, 1, b);
    t.u = v3_load(b), t.psi = v3_scale(4 / system->length, v3_load(b + 3));
    for (int n = 0; n < nodes; n++)
        if (takes_part(system, shape, n, least))
            t.rigid = t.rigid && is_carried(system, n, shape, &t);
    return t;
}

static double largest_motion(const ts_system *system, const double *shape) {
    double most = 0;
    for (int i = 0; i < system->model->nodes_count * 6; i++)
        most = fmax(most, fabs(shape[i]) * (i % 6 < 3 ? 1 : 0.25 * system->length));
    return most;
}

static double tidy(double x) { return fabs(x) < 1e-6 ? 0 : x; }

/* Unit vector, its largest component positive. */
static v3 direction(v3 a) {
    a = v3_normalize(a);
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    double largest = x >= y && x >= z ? a.x : y >= z ? a.y : a.z;
    if (largest < 0) a = v3_scale(-1, a);
    return v3_make(tidy(a.x), tidy(a.y), tidy(a.z));
}

void ts_mode_free_words(const ts_system *system, const ts_modes *modes, int mode, char *text,
                        size_t room) {
    static const char *const motion[] = {"along x", "along y", "along z",
                                         "about x", "about y", "about z"};
    char names[200] = "";
    const double *shape = modes->shape + (size_t)mode * (size_t)modes->nodes * 6;
    double most = largest_motion(system, shape);
    name_parts(system, shape, 1e-6 * most, names, sizeof names);
    twist t = find_twist(system, shape, most);
    v3 n = direction(t.psi);
    double turning = 0.25 * system->length * v3_norm(t.psi);
    if (t.rigid && turning <= 1e-5 * t.size) {
        v3 d = direction(t.u);
        snprintf(text, room, "%s along (%.4g, %.4g, %.4g)", names, d.x, d.y, d.z);
    } else if (t.rigid && fabs(v3_dot(n, t.u)) <= 1e-5 * t.size) {
        v3 p = v3_axpy(1 / v3_dot(t.psi, t.psi), v3_cross(t.psi, t.u), t.at);
        double far = system->length;
        snprintf(text, room, "%s about (%.4g, %.4g, %.4g) through (%.6g, %.6g, %.6g) m", names, n.x,
                 n.y, n.z, far * tidy(p.x / far), far * tidy(p.y / far), far * tidy(p.z / far));
    } else {
        ts_mode_hint h = ts_mode_explain(system, modes, mode);
        snprintf(text, room, "%s together, most of it '%.40s' %s", names,
                 system->model->parts[h.part].name, motion[h.axis]);
    }
}
