/* Pressure on faces, for all schemes.
 *
 * A face through the nodes x_a with r = sum N_a x_a has the normal n = r,1 x r,2 per area of its reference cell. Over a step that takes
 * every node along a straight line the mean of n is, n being quadratic in time,
 *
 *     n = r,1 x r,2 (at the mean) + (change of r,1) x (change of r,2)/12 ,        F_a = p int N_a n .                       (P)
 *
 * The work of F over the step, sum F_a . (change of x_a), is then p times the volume that the face sweeps, exactly. Around a closed
 * surface, or one with a fixed rim, that is the change of the volume V inside: a constant pressure has the energy -p V, and EP keeps it.
 * Otherwise pressure is not conservative, in mechanics as here, and its work is in the ledger.
 *
 * Statics take n at the end of the increment. The stage of ED does not see pressures, nor other following loads.
 */
#include <string.h>

#include "scheme/stepper.h"

typedef struct face {
    int nodes;
    const int *node;
    const double *rule; /* of a point: w N, N,1, N,2 of each node */
    v3 x[TS_MAX_NODES], dx[TS_MAX_NODES];
    bool statics;
} face;

static double pressure_at(const ts_model *model, const ts_pressure *p, double t) {
    double value = 0, rate;
    if (p->signal >= 0) ts_signal_eval(&model->signals[p->signal], t, &value, &rate);
    return value;
}

void ts_begin_pressures(ts_stepper *st) {
    for (int i = 0; i < st->model->pressures_count; i++) {
        const ts_pressure *p = &st->model->pressures[i];
        double end = pressure_at(st->model, p, st->t_f);
        st->pressure[i] = st->scheme->statics ? st->load_factor * end
                                              : 0.5 * (pressure_at(st->model, p, st->t_i) + end);
    }
}

static void take_face(const ts_stepper *st, const ts_pressure *p, face *f) {
    f->nodes = p->nodes, f->node = st->model->site_nodes + p->node;
    f->statics = st->scheme->statics;
    for (int a = 0; a < f->nodes; a++) {
        int at = 3 * st->model->nodes[f->node[a]].slot;
        f->x[a] = v3_load((f->statics ? st->q_f : st->q_m) + at);
        f->dx[a] = f->statics ? v3_make(0, 0, 0) : v3_load(st->dq + at);
    }
}

/* r,1 and r,2 at a point of quadrature, of places or of their changes */
static void base_vectors(const face *f, const v3 *x, v3 G[2]) {
    G[0] = G[1] = v3_make(0, 0, 0);
    for (int a = 0; a < f->nodes; a++) {
        G[0] = v3_axpy(f->rule[3 * a + 1], x[a], G[0]);
        G[1] = v3_axpy(f->rule[3 * a + 2], x[a], G[1]);
    }
}

static v3 mean_normal(const face *f) {
    v3 G[2], dG[2];
    base_vectors(f, f->x, G), base_vectors(f, f->dx, dG);
    return v3_axpy(1.0 / 12, v3_cross(dG[0], dG[1]), v3_cross(G[0], G[1]));
}

/* Force of a unit pressure on each node. */
static void face_forces(const ts_stepper *st, const ts_pressure *p, face *f, v3 *force) {
    take_face(st, p, f);
    memset(force, 0, (size_t)f->nodes * sizeof *force);
    for (int g = 0; g < p->points; g++) {
        f->rule = st->model->interpolation + p->rule + 3 * f->nodes * g;
        v3 n = mean_normal(f);
        for (int a = 0; a < f->nodes; a++) force[a] = v3_axpy(f->rule[3 * a], n, force[a]);
    }
}

void ts_add_pressures(ts_stepper *st) {
    face f;
    v3 force[TS_MAX_NODES];
    for (int i = 0; i < st->model->pressures_count; i++) {
        face_forces(st, &st->model->pressures[i], &f, force);
        for (int a = 0; a < f.nodes; a++) {
            double *F = st->F + 3 * st->model->nodes[f.node[a]].slot;
            v3_store(F, v3_axpy(-st->pressure[i], force[a], v3_load(F)));
        }
    }
}

double ts_pressure_work(const ts_stepper *st) {
    double work = 0;
    face f;
    v3 force[TS_MAX_NODES];
    for (int i = 0; i < st->model->pressures_count; i++) {
        face_forces(st, &st->model->pressures[i], &f, force);
        for (int a = 0; a < f.nodes; a++) work += st->pressure[i] * v3_dot(force[a], f.dx[a]);
    }
    return work;
}

/* By a displacement u of node b at the end of the step n changes by  u x (N,1 B_2 - N,2 B_1), with B half the base vector of the mean and
 * a twelfth of its change; in statics the base vector of the end. */
static void normal_slopes(const face *f, v3 *slope) {
    v3 G[2], dG[2];
    base_vectors(f, f->x, G), base_vectors(f, f->dx, dG);
    for (int k = 0; k < 2; k++)
        G[k] = v3_add(v3_scale(f->statics ? 1 : 0.5, G[k]), v3_scale(1.0 / 12, dG[k]));
    for (int b = 0; b < f->nodes; b++)
        slope[b] = v3_sub(v3_scale(f->rule[3 * b + 1], G[1]), v3_scale(f->rule[3 * b + 2], G[0]));
}

void ts_pressure_tangent(const ts_stepper *st, int i, double *dense) {
    const ts_pressure *p = &st->model->pressures[i];
    double scale = st->row_scale[0] * (st->probing ? 1 : st->pressure[i]);
    face f;
    v3 slope[TS_MAX_NODES];
    take_face(st, p, &f);
    int width = 3 * f.nodes;
    for (int g = 0; g < p->points; g++) {
        f.rule = st->model->interpolation + p->rule + 3 * f.nodes * g;
        normal_slopes(&f, slope);
        for (int a = 0; a < f.nodes; a++)
            for (int b = 0; b < f.nodes; b++) {
                m3 X = m3_skew(v3_scale(scale * f.rule[3 * a], slope[b]));
                for (int k = 0; k < 3; k++)
                    for (int j = 0; j < 3; j++)
                        dense[(3 * a + k) * width + 3 * b + j] += v3_get(X.c[j], k);
            }
    }
}
