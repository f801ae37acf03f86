/* SPDX-License-Identifier: Apache-2.0 */
/* Initial velocities that the joints change by more than the user can have intended.
 *
 * Joints that stop a given motion: without drives, the least change (assembly.c) can only reduce
 * kinetic energy. If it removes more than half, an axis is probably wrong, or the velocities of
 * neighbouring parts are missing. A note names the part that loses most.
 *
 * Flexible parts that joints or drives set in motion at one place only. Velocities are assembled
 * with the least change in the mass norm (assembly.c). If a beam is given at rest and its end must
 * move, only the end changes its velocity: this acts like an impact at t = 0, and the beam then
 * vibrates. Usually the velocity of the part is missing in the model. So a note says so, with the
 * velocities that the parts would have as rigid bodies y:
 *
 *     s = s0 + T y ,    (T^T W T) y + (C T)^T lambda = 0 ,    C s + drift = 0 ,
 *     T: (v + w x r, w) of each node.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "base/error.h"
#include "math/dense.h"
#include "model/kind.h"

enum { MOST_UNKNOWNS = 1200 };
static const double MUCH = 0.05; /* of the energy of the change, and that of the energy of all */

typedef struct carried {
    const ts_assembler *as;
    int *first; /* first unknown of each node's group, -1: fixed */
    v3 *at;     /* reference point of the node's group */
    int n;      /* unknowns of all groups */
} carried;

static bool flexible(const ts_model *model, int part) { return model->parts[part].nodes > 1; }

static int width_of(const ts_node *node) { return node->slots > 1 ? 6 : 3; }

static v3 place_of(const ts_assembler *as, int n) {
    return v3_load(as->q + 3 * as->model->nodes[n].slot);
}

/* A flexible part is one group of six unknowns, any other node one by itself. */
static void find_groups(carried *c) {
    const ts_model *model = c->as->model;
    int *group = ts_calloc((size_t)model->parts_count + 1, sizeof *group);
    v3 *at = ts_calloc((size_t)model->parts_count + 1, sizeof *at);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        bool joined = flexible(model, node->part);
        c->first[n] = -1;
        if (c->as->dof[n] < 0) continue;
        if (!joined || group[node->part] == 0) {
            c->first[n] = c->n, c->at[n] = place_of(c->as, n);
            c->n += joined ? 6 : width_of(node);
            if (joined) group[node->part] = c->first[n] + 1, at[node->part] = c->at[n];
        } else {
            c->first[n] = group[node->part] - 1, c->at[n] = at[node->part];
        }
    }
    free(group), free(at);
}

static int group_width(const carried *c, int n) {
    const ts_node *node = &c->as->model->nodes[n];
    return flexible(c->as->model, node->part) ? 6 : width_of(node);
}

/* T of a node, by rows: nd x width of its group. */
static void carry(const carried *c, int n, double *T) {
    int nd = width_of(&c->as->model->nodes[n]), w = group_width(c, n);
    memset(T, 0, 36 * sizeof *T);
    for (int i = 0; i < nd; i++) T[i * w + i] = 1;
    if (w < 6) return;
    m3 turn = m3_skew(v3_sub(c->at[n], place_of(c->as, n))); /* w x r = -r x w */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[i * w + 3 + j] += v3_get(turn.c[j], i);
}

static void add_masses(const carried *c, int size, double *A) {
    double T[36], WT[36];
    for (int n = 0; n < c->as->model->nodes_count; n++) {
        if (c->first[n] < 0) continue;
        const double *W = c->as->W + 36 * n;
        int nd = width_of(&c->as->model->nodes[n]), w = group_width(c, n);
        carry(c, n, T);
        memset(WT, 0, sizeof WT);
        for (int i = 0; i < nd; i++)
            for (int k = 0; k < nd; k++)
                for (int j = 0; j < w; j++) WT[i * w + j] += W[i * nd + k] * T[k * w + j];
        for (int i = 0; i < nd; i++)
            for (int j = 0; j < w; j++)
                for (int k = 0; k < w; k++)
                    A[(size_t)(c->first[n] + k) * (size_t)size + (size_t)(c->first[n] + j)] +=
                        T[i * w + j] * WT[i * w + k];
    }
}

/* C T, and a little compliance: rows may be redundant, and rigid parts cannot always satisfy
 * them. */
static void add_rows(const carried *c, int size, double *A, int *node_of) {
    const ts_assembler *as = c->as;
    double T[36];
    for (int r = 0; r < as->m; r++) {
        size_t row = (size_t)(c->n + r), n = (size_t)size;
        bool on = as->use[r] && as->compliance[r] > 0;
        for (int k = as->start[r]; on && k < as->start[r + 1]; k++) {
            int node = node_of[as->column[k]], w = group_width(c, node);
            carry(c, node, T);
            const double *t = T + (as->column[k] - as->dof[node]) * w;
            for (int j = 0; j < w; j++) {
                size_t at = (size_t)(c->first[node] + j);
                A[row * n + at] += as->value[k] * t[j];
                A[at * n + row] += as->value[k] * t[j];
            }
        }
        double compliance = 0; /* of the groups, which are far heavier than their nodes */
        for (size_t j = 0; j < (size_t)c->n; j++)
            if (A[j * n + j] > 0) compliance += A[row * n + j] * A[row * n + j] / A[j * n + j];
        A[row * n + row] = on && compliance > 0 ? -1e-10 * compliance : -1;
    }
}

static int *nodes_of_unknowns(const ts_assembler *as) {
    int *node = ts_calloc((size_t)as->n + 1, sizeof *node);
    for (int n = 0; n < as->model->nodes_count; n++)
        for (int i = 0; as->dof[n] >= 0 && i < width_of(&as->model->nodes[n]); i++)
            node[as->dof[n] + i] = n;
    return node;
}

/* s <- s0 + T y. False: the rows cannot be satisfied in this way. */
static bool move_rigidly(const carried *c, const double *s0, double *s) {
    const ts_assembler *as = c->as;
    int size = c->n + as->m, *node_of = nodes_of_unknowns(as);
    double *A = ts_calloc((size_t)size * (size_t)size + 1, sizeof *A), T[36];
    double *x = ts_calloc((size_t)size + 1, sizeof *x);
    add_masses(c, size, A);
    add_rows(c, size, A, node_of);
    for (int r = 0; r < as->m; r++)
        x[c->n + r] = as->use[r] ? -ts_assembler_row_times(as, r, s0) - as->drift[r] : 0;
    bool good = ts_dense_solve(size, 1, A, x) == 0;
    for (int n = 0; n < as->model->nodes_count && good; n++) {
        if (c->first[n] < 0) continue;
        int w = group_width(c, n);
        carry(c, n, T);
        for (int i = 0; i < width_of(&as->model->nodes[n]); i++) {
            s[as->dof[n] + i] = s0[as->dof[n] + i];
            for (int j = 0; j < w; j++) s[as->dof[n] + i] += T[i * w + j] * x[c->first[n] + j];
        }
    }
    free(node_of), free(A), free(x);
    return good && ts_worst_rate(as, s, s0, 1e-6) < 0;
}

/* Energy of a - b within a part; part < 0: of all. b = NULL: of a itself. */
static double energy_between(const ts_assembler *as, int part, const double *a, const double *b) {
    double sum = 0;
    for (int n = 0; n < as->model->nodes_count; n++) {
        const ts_node *node = &as->model->nodes[n];
        if (as->dof[n] < 0 || (part >= 0 && node->part != part)) continue;
        int nd = width_of(node), at = as->dof[n];
        double d[6];
        for (int i = 0; i < nd; i++) d[i] = a[at + i] - (b ? b[at + i] : 0);
        for (int i = 0; i < nd; i++)
            for (int j = 0; j < nd; j++) sum += 0.5 * as->W[36 * n + i * nd + j] * d[i] * d[j];
    }
    return sum;
}

/* ---- joints that stop a given motion ---- */

static int loses_most(const ts_assembler *as, const double *s0, const double *s) {
    int most = -1;
    double worst = 0;
    for (int p = 0; p < as->model->parts_count; p++) {
        double lost = energy_between(as, p, s0, NULL) - energy_between(as, p, s, NULL);
        if (as->model->parts[p].node >= 0 && lost > worst) most = p, worst = lost;
    }
    return most;
}

static void note_stopped(const ts_assembler *as, const double *s0, const double *s,
                         ts_assembly_report *report) {
    double given = energy_between(as, -1, s0, NULL), left = energy_between(as, -1, s, NULL);
    int part = left < 0.5 * given ? loses_most(as, s0, s) : -1;
    if (part < 0) return;
    ts_assembly_note(report,
                     "the initial velocities do not satisfy the joints. The nearest ones that do "
                     "have %.3g %% of the kinetic energy given; '%s' loses most. Check its "
                     "velocity against the axes of its joints, and give the parts that move with "
                     "it their velocities too",
                     left > 1e-12 * given ? 100 * left / given : 0, as->model->parts[part].name);
}

/* ---- impacts at the start ---- */

static v3 without_round_off(v3 a, double scale) {
    double least = 1e-9 * scale;
    return v3_make(fabs(a.x) > least ? a.x : 0, fabs(a.y) > least ? a.y : 0,
                   fabs(a.z) > least ? a.z : 0);
}

/* The velocities to give the part: for beams and cables at their start, for others at the point at
 * the origin. */
static void suggest(const ts_assembler *as, int part, const double *s, ts_assembly_report *report) {
    const ts_part *p = &as->model->parts[part];
    const double *own = s + as->dof[p->node];
    if (as->model->nodes[p->node].slots != 4) return;
    v3 v = v3_load(own), w = v3_load(own + 3), x = place_of(as, p->node);
    bool line = strcmp(p->kind->section, "beams") == 0;
    if (!line) v = v3_sub(v, v3_cross(w, x));
    double turning = v3_norm(w);
    v = without_round_off(v, v3_norm(v) + turning * as->system->length);
    w = without_round_off(w, turning);
    ts_assembly_note(
        report,
        "'%s' is flexible, and its initial velocities do not satisfy its joints. torsor corrected "
        "them, which acts like an impact at t = 0. To begin as a rigid body, give it `velocity: "
        "[%.6g m/s, %.6g m/s, %.6g m/s], "
        "angular_velocity: "
        "[%.6g rad/s, %.6g rad/s, %.6g rad/s]`",
        p->name, v.x, v.y, v.z, w.x, w.y, w.z);
}

void ts_note_blows(const ts_assembler *as, const double *s0, const double *s,
                   ts_assembly_report *report) {
    const ts_model *model = as->model;
    size_t nodes = (size_t)model->nodes_count + 1;
    note_stopped(as, s0, s, report);
    bool any = false;
    for (int p = 0; p < model->parts_count; p++) any |= flexible(model, p);
    if (!any) return;
    carried c = {.as = as, .first = ts_calloc(nodes, sizeof *c.first)};
    c.at = ts_calloc(nodes, sizeof *c.at);
    double *rigid = ts_calloc((size_t)as->n + 1, sizeof *rigid);
    find_groups(&c);
    if (c.n + as->m <= MOST_UNKNOWNS && move_rigidly(&c, s0, rigid)) {
        double all = energy_between(as, -1, rigid, s0);
        for (int p = 0; p < model->parts_count; p++)
            if (flexible(model, p) && model->parts[p].node >= 0 &&
                energy_between(as, p, s, rigid) > MUCH * all)
                suggest(as, p, rigid, report);
    }
    free(c.first), free(c.at), free(rigid);
}
