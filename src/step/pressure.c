/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure on faces, and what follows the edge of a shell, for all schemes.
 *
 * A face through the nodes x_a with r = sum N_a x_a has the normal n = r,1 x r,2 per area of its
 * reference cell. Over a step that takes every node along a straight line the mean of n is, n being
 * quadratic in time,
 *
 *     n = r,1 x r,2 (at the mean) + (change of r,1) x (change of r,2)/12 ,
 *     F_a = p int N_a n .                                                                     (P)
 *
 * The work of F over the step, sum F_a . (change of x_a), is then p times the volume that the face
 * sweeps, exactly. Around a closed surface, or one with a fixed rim, that is the change of the
 * volume V inside: a constant pressure has the energy -p V, and EP preserves it. Otherwise pressure
 * is not conservative, in mechanics as here, and its work is in the ledger.
 *
 * Along an edge of a shell, with its tangent r,s and the director d = sum N_a d_a, (P) with r,s x d
 * in place of r,1 x r,2 gives a force normal to the edge and tangent to the shell, per present
 * length of the edge; applied to the directors, the force gives a moment about the edge, because d
 * x (r,s x d) = r,s. So (P) is evaluated for any two slots of the nodes and applied to a third one:
 * places or directors.
 *
 * A pressure that depends on the state is a variable of its own, p = unit x_v, held over a step
 * (parts/state/variable.c): the face has the node v as one more, by which F_a changes, too.
 *
 * Statics take n at the end of the increment. The stage of ED does not see pressures, nor other
 * following loads.
 */
#include <string.h>

#include "step/step.h"

typedef struct face {
    int nodes;
    const int *node;
    const double *rule; /* of a point: w N, and the weights of both vectors, of each node */
    v3 x[2][TS_MAX_NODES], dx[2][TS_MAX_NODES]; /* what these are of: places or directors */
    double mean; /* of the step, see scheme.h: then q_m is the mean, or the end */
} face;

void ts_begin_pressures(ts_step *st) {
    const double near = ts_step_near(st);
    for (int i = 0; i < st->model->pressures_count; i++) {
        const ts_pressure *p = &st->model->pressures[i];
        if (p->variable > 0) continue;
        double end = ts_value_of_side(st, p->signal, st->t_f, -near);
        double start = st->mean < 1 ? ts_value_of_side(st, p->signal, st->t_i, near) : 0;
        st->pressure[i] = st->load_factor * ((1 - st->mean) * start + st->mean * end);
    }
}

static double pressure_of(const ts_step *st, int i) {
    const ts_pressure *p = &st->model->pressures[i];
    if (p->variable <= 0) return st->pressure[i];
    return p->unit * st->q_f[3 * st->model->nodes[p->variable].slot];
}

static void take_face(const ts_step *st, const ts_pressure *p, face *f) {
    f->nodes = p->nodes, f->node = st->model->site_nodes + p->node;
    f->mean = st->mean;
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < f->nodes; a++) {
            int at = 3 * (st->model->nodes[f->node[a]].slot + p->of[k]);
            f->x[k][a] = v3_load(st->q_m + at);
            f->dx[k][a] = v3_load(st->dq + at);
        }
}

/* The two base vectors of the face at a point of quadrature; computed from changes of places, their
 * changes. */
static void base_vectors(const face *f, v3 x[2][TS_MAX_NODES], v3 G[2]) {
    G[0] = G[1] = v3_make(0, 0, 0);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < f->nodes; a++) G[k] = v3_axpy(f->rule[3 * a + 1 + k], x[k][a], G[k]);
}

/* Weight of the changes of both vectors in (P): a twelfth, or zero where only the end counts. */
static double chord(const face *f) { return (1 - f->mean) / 6; }

static v3 mean_normal(face *f) {
    v3 G[2], dG[2];
    base_vectors(f, f->x, G), base_vectors(f, f->dx, dG);
    return v3_axpy(chord(f), v3_cross(dG[0], dG[1]), v3_cross(G[0], G[1]));
}

/* Force of a unit pressure on each node. */
static void face_forces(const ts_step *st, const ts_pressure *p, face *f, v3 *force) {
    take_face(st, p, f);
    memset(force, 0, (size_t)f->nodes * sizeof *force);
    for (int g = 0; g < p->points; g++) {
        f->rule = st->model->interpolation + p->rule + 3 * f->nodes * g;
        v3 n = mean_normal(f);
        for (int a = 0; a < f->nodes; a++) force[a] = v3_axpy(f->rule[3 * a], n, force[a]);
    }
}

void ts_add_pressures(ts_step *st) {
    face f;
    v3 force[TS_MAX_NODES];
    for (int i = 0; i < st->model->pressures_count; i++) {
        face_forces(st, &st->model->pressures[i], &f, force);
        for (int a = 0; a < f.nodes; a++) {
            double *F = st->F + 3 * (st->model->nodes[f.node[a]].slot + st->model->pressures[i].on);
            v3_store(F, v3_axpy(-pressure_of(st, i), force[a], v3_load(F)));
        }
    }
}

double ts_pressure_work(const ts_step *st) {
    double work = 0;
    face f;
    v3 force[TS_MAX_NODES];
    for (int i = 0; i < st->model->pressures_count; i++) {
        face_forces(st, &st->model->pressures[i], &f, force);
        for (int a = 0; a < f.nodes; a++) {
            int at = st->model->nodes[f.node[a]].slot + st->model->pressures[i].on;
            work += pressure_of(st, i) * v3_dot(force[a], v3_load(st->dq + 3 * at));
        }
    }
    return work;
}

/* By a change u of what a vector is of, at node b and the end of the step, n changes by u x slope:
 * N,1 B_2 or -N,2 B_1, with B half the vector of the mean and a twelfth of its change; in statics
 * the vector of the end. */
static void normal_slopes(face *f, v3 slope[2][TS_MAX_NODES]) {
    v3 G[2], dG[2];
    base_vectors(f, f->x, G), base_vectors(f, f->dx, dG);
    for (int k = 0; k < 2; k++) G[k] = v3_add(v3_scale(f->mean, G[k]), v3_scale(chord(f), dG[k]));
    for (int b = 0; b < f->nodes; b++) {
        slope[0][b] = v3_scale(f->rule[3 * b + 1], G[1]);
        slope[1][b] = v3_scale(-f->rule[3 * b + 2], G[0]);
    }
}

/* Adds both slopes if they belong to slots of one kind; returns how many are left. */
static int join_slopes(const ts_pressure *p, v3 slope[2][TS_MAX_NODES]) {
    if (p->of[0] != p->of[1]) return 2;
    for (int b = 0; b < p->nodes; b++) slope[0][b] = v3_add(slope[0][b], slope[1][b]);
    return 1;
}

/* How slots of the nodes follow from their unknowns, at the mean (of equations) and at the end (of
 * unknowns). */
typedef struct frames {
    ts_local l;
    ts_projector mean, end;
} frames;

/* X by the slots `row` and `column`, into the matrix of the unknowns. */
static void add_block(const frames *at, int row, int column, m3 X, double *dense) {
    const ts_local *l = &at->l;
    int rows = l->turns[row] ? l->turns[row] : 3, columns = l->turns[column] ? l->turns[column] : 3;
    for (int j = 0; j < columns; j++) {
        v3 x = m3_apply(X, l->turns[column] ? at->end.X[column].c[j] : v3_axis(j));
        for (int i = 0; i < rows; i++)
            dense[(l->dof[row] + i) * l->width + l->dof[column] + j] +=
                v3_dot(x, l->turns[row] ? at->mean.X[row].c[i] : v3_axis(i));
    }
}

/* Adds the derivative by the variable, the last node of the list, which does not move. */
static void add_variable(const ts_step *st, const ts_pressure *p, const frames *at, face *f,
                         double *dense) {
    v3 force[TS_MAX_NODES];
    double unit = st->probing ? 1 : p->unit;
    face_forces(st, p, f, force);
    for (int a = 0; a < f->nodes; a++) {
        v3 by = v3_scale(-st->row_scale[0] * unit, force[a]);
        m3 X = m3_cols(by, v3_make(0, 0, 0), v3_make(0, 0, 0));
        add_block(at, at->l.first[a] + p->on, at->l.first[f->nodes], X, dense);
    }
}

int ts_pressure_tangent(const ts_step *st, int i, int *eq, double *dense) {
    const ts_pressure *p = &st->model->pressures[i];
    const ts_site nodes = {
        .role = TS_ROLE_ROWS, .node = p->node, .nodes = p->nodes + (p->variable > 0)};
    double scale = st->row_scale[0] * (st->probing ? 1 : pressure_of(st, i));
    frames at;
    face f;
    v3 slope[2][TS_MAX_NODES];
    ts_local_site(st->model, &nodes, 1, &at.l);
    if (eq) ts_local_equations(st, &at.l, eq);
    ts_projector_cross(st, &at.l, 0, &at.mean), ts_projector_cross(st, &at.l, 1, &at.end);
    take_face(st, p, &f);
    memset(dense, 0, (size_t)(at.l.width * at.l.width) * sizeof *dense);
    for (int g = 0; g < p->points; g++) {
        f.rule = st->model->interpolation + p->rule + 3 * f.nodes * g;
        normal_slopes(&f, slope);
        int kinds = join_slopes(p, slope);
        for (int k = 0; k < kinds; k++)
            for (int a = 0; a < f.nodes; a++)
                for (int b = 0; b < f.nodes; b++)
                    add_block(&at, at.l.first[a] + p->on, at.l.first[b] + p->of[k],
                              m3_skew(v3_scale(scale * f.rule[3 * a], slope[k][b])), dense);
    }
    if (p->variable > 0) add_variable(st, p, &at, &f, dense);
    return at.l.width;
}
