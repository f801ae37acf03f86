/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a transient from static equilibrium (`start: static`).
 *
 * Positions are those of the equilibrium at rest under the loads of t = 0, with drives at their
 * positions of that time. Velocities are those of the model: the given rigid motion of a part is
 * transferred to its new position,
 *
 *     v <- v + w x (x - x0) ,    w: rotation of the node, or of the part where nodes have none,
 *
 * and then corrected by the least change that satisfies joints and drives, as at the initial
 * assembly. Inertia forces of that motion do not enter the equilibrium: a part that turns is not
 * yet stretched by it. A note says so.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembler.h"
#include "analysis/equilibrium.h"
#include "base/error.h"
#include "math/dense.h"
#include "sparse/eigen.h"

static v3 slot(const double *array, const ts_node *node, int k) {
    return v3_load(array + 3 * (node->slot + k));
}

/* The rotation of a node by the rates of its directors. */
static v3 turning(const ts_node *node, const double *q, const double *v) {
    v3 omega = {0, 0, 0};
    for (int k = 1; k < node->slots; k++)
        omega = v3_add(omega, v3_cross(slot(q, node, k), slot(v, node, k)));
    return node->slots == 4 ? v3_scale(0.5, omega) : omega;
}

/* The rotation that fits the velocities of a part's nodes best; a rotation that they do not
 * determine, as of a straight cable about its axis, is zero. */
static v3 turning_of_part(const ts_model *model, int part, const double *q, const double *v) {
    v3 x = {0, 0, 0}, u = {0, 0, 0}, L = {0, 0, 0};
    int count = 0;
    double J[9] = {0}, trace = 0, w[3];
    for (int n = 0; n < model->nodes_count; n++)
        if (model->nodes[n].part == part) {
            x = v3_add(x, slot(q, &model->nodes[n], 0)),
            u = v3_add(u, slot(v, &model->nodes[n], 0));
            count++;
        }
    for (int n = 0; n < model->nodes_count; n++) {
        if (model->nodes[n].part != part) continue;
        v3 r = v3_axpy(-1.0 / count, x, slot(q, &model->nodes[n], 0));
        L = v3_add(L, v3_cross(r, v3_axpy(-1.0 / count, u, slot(v, &model->nodes[n], 0))));
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                J[3 * i + j] += (i == j ? v3_dot(r, r) : 0) - v3_get(r, i) * v3_get(r, j);
    }
    for (int i = 0; i < 3; i++) trace += J[4 * i];
    for (int i = 0; i < 3; i++) J[4 * i] += 1e-12 * trace + (trace > 0 ? 0 : 1);
    v3_store(w, L);
    return ts_dense_solve(3, 1, J, w) ? v3_make(0, 0, 0) : v3_load(w);
}

/* Velocities at the pose q, transferred from the velocities v0 at the pose q0. */
static void carry_over(ts_system *system, const double *q0, const double *v0) {
    const ts_model *model = system->model;
    const double *q = system->state.q;
    int part = -1;
    v3 of_part = {0, 0, 0};
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->slots == 1 && node->part != part)
            part = node->part, of_part = turning_of_part(model, part, q0, v0);
        v3 w = node->slots == 1 ? of_part : turning(node, q0, v0);
        v3 moved = v3_sub(slot(q, node, 0), slot(q0, node, 0));
        double *v = system->state.v + 3 * node->slot;
        v3_store(v, v3_add(slot(v0, node, 0), v3_cross(w, moved)));
        for (int k = 1; k < node->slots; k++) v3_store(v + 3 * k, v3_cross(w, slot(q, node, k)));
    }
}

static double fastest(const ts_system *system) {
    double most = 0;
    for (int i = 0; i < 3 * system->model->slots; i++) most = fmax(most, fabs(system->state.v[i]));
    return most;
}

static void note(ts_system *system, ts_assembly_report *report) {
    ts_freedom f;
    char text[TS_FREE_WORDS];
    if (fastest(system) > 0)
        ts_assembly_note(report,
                         "the start is the equilibrium at rest; velocities are as given, corrected "
                         "to satisfy joints and drives. This equilibrium does not contain the "
                         "inertia forces of the motion, such as centrifugal forces");
    if (ts_freedom_of_equilibrium(&f, system)) return;
    report->unstable = f.unstable > 0 ? f.unstable : 0;
    if (f.unstable > 0)
        ts_assembly_note(report,
                         "the static start is UNSTABLE, in %d %s: a small disturbance makes it "
                         "leave this state; `torsor modes` shows the direction",
                         f.unstable, f.unstable == 1 ? "way" : "ways");
    if (f.count > 0)
        ts_assembly_note(report, "free in the static start, and left where drawn: %s",
                         ts_freedom_words(system, &f, text, sizeof text));
    ts_freedom_free(&f);
}

int ts_start_static(ts_system *system, const ts_options *o, int increments,
                    ts_assembly_report *report) {
    size_t size = (size_t)(3 * system->model->slots);
    double *q0 = ts_calloc(size + 1, sizeof *q0), *v0 = ts_calloc(size + 1, sizeof *v0);
    memcpy(q0, system->state.q, size * sizeof *q0), memcpy(v0, system->state.v, size * sizeof *v0);
    system->state.t = 0;
    ts_rest(system); /* the predictor of statics would continue with these velocities */
    int code = ts_load_up(system, o, &TS_SCHEME_STATIC, increments);
    if (!code) {
        carry_over(system, q0, v0);
        code = ts_assemble_rates(system, report);
    }
    if (!code && report) note(system, report);
    ts_system_begin(system);
    free(q0), free(v0);
    return code;
}

int ts_settle(ts_system *system, const ts_options *o, int increments) {
    return ts_start_static(system, o, increments, NULL);
}
