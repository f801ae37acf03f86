/* SPDX-License-Identifier: Apache-2.0 */
/* Equilibria along a path on which the load factor is an unknown like the others: pseudo-arclength
 * (H. B. Keller, in Applications of Bifurcation Theory, 1977; E. Riks, J. Appl. Mech. 39 (1972)
 * 1060). The path passes limit points, where a structure snaps through and no load step would
 * converge.
 *
 * From an equilibrium (q, f) the step first follows the tangent t = (du, df) of the path, K du = p
 * df, by an arc s, and then returns to the path at right angles to t:
 *
 *     K delta = -R + p delta_f ,     <t, (delta, delta_f)> = 0 .
 *
 * p is minus the derivative of the residual R by the load factor, R being linear in it. Both
 * right-hand sides share one factorisation. K is singular at isolated points only, and a step does
 * not end exactly there.
 *
 * <,> is the mean over the nodes of displacements (over the size of the model) and rotations,
 * divided by those of the structure as it stands under the whole load, if it were linear; plus the
 * product of the load factors. So the measure is the same for stiff and soft structures, and s
 * begins with equal parts of load and displacement.
 *
 * The tangent has two directions. At first the direction of growing load is chosen, later the one
 * that continues the last step. Whether the load grows or falls does not matter, so the path does
 * not turn back at a limit point.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/static.h"

/* of a step: mean over the nodes, as part of the model and in radians */
static const double LARGEST_MOTION = 0.2;
/* a step whose deviation from the tangent exceeds this share of it is too long */
static const double CURVED = 0.5;
/* an increment below this part of the step is the last one: its square is negligible */
static const double SETTLED = 1e-7;
static const double NOISE = 1e-9; /* smaller increments that do not shrink are round-off */
enum { MOST_ITERATIONS = 15 };

/* Steps that are shortened because they lead to an inadmissible state end in arcs too short to
 * converge. The reason of the first refusal is kept until a step as long as the rejected one
 * succeeds. */
typedef struct refusal {
    int measure, at;
    double by, arc;
} refusal;

struct ts_path {
    ts_stepper *st;
    double t, factor;     /* the time at which loads are taken; the load factor of the state */
    double bend;          /* deviation of the last step from its tangent, as a part of its length */
    double scale;         /* of displacements, squared and inverted */
    double *u, uf;        /* the tangent */
    double *load, *aside; /* p and K^-1 p; the correction so far */
    refusal refused;      /* the last step that was rejected because of its end state */
};

void ts_path_new(ts_path **out, ts_stepper *st, double t, double factor) {
    ts_path *path = ts_calloc(1, sizeof *path);
    size_t n = (size_t)st->eq.n + 1;
    path->st = st, path->t = t, path->factor = factor;
    path->refused.measure = -1;
    path->u = ts_calloc(n, sizeof(double));
    path->load = ts_calloc(n, sizeof(double));
    path->aside = ts_calloc(n, sizeof(double));
    *out = path;
}

void ts_path_free(ts_path *path) {
    if (!path) return;
    free(path->u), free(path->load), free(path->aside);
    free(path);
}

double ts_path_factor(const ts_path *path) { return path->factor; }
double ts_path_bend(const ts_path *path) { return path->bend; }

/* Mean product of displacements and rotations over the nodes. */
static double product(const ts_stepper *st, const double *a, const double *b) {
    double sum = 0, per_area = 1 / (st->system->length * st->system->length);
    int count = 0;
    for (int n = 0; n < st->model->nodes_count; n++) {
        int dof = st->system->node_dof[n];
        if (dof < 0) continue;
        count++;
        sum += per_area * v3_dot(v3_load(a + dof), v3_load(b + dof));
        sum += v3_dot(ts_node_turn(st->system, n, a + dof), ts_node_turn(st->system, n, b + dof));
    }
    return count ? sum / count : 0;
}

/* R and K at the present iterate, and path->load = K^-1 p. */
static int linearise(ts_path *path, double factor) {
    ts_stepper *st = path->st;
    ts_set_load_factor(st, factor + 1);
    ts_residual(&st->eq);
    memcpy(path->load, st->eq.R, (size_t)st->eq.n * sizeof(double));
    ts_set_load_factor(st, factor);
    ts_residual(&st->eq);
    for (int i = 0; i < st->eq.n; i++) path->load[i] = st->eq.R[i] - path->load[i];
    if (ts_factor_exact(st)) return TORSOR_RETRY;
    ts_solve(&st->eq, path->load);
    return 0;
}

/* The tangent at the state. The first one sets the scale. */
static int find_tangent(ts_path *path) {
    ts_stepper *st = path->st;
    bool first = path->scale == 0;
    ts_begin_at(st, path->t, path->factor);
    if (linearise(path, path->factor)) return TORSOR_RETRY;
    double size = product(st, path->load, path->load);
    if (!isfinite(size)) return TORSOR_RETRY;
    if (first) path->scale = size > 0 ? 1 / size : 1;
    double along = path->scale * product(st, path->u, path->load) + path->uf;
    path->uf = (first || along >= 0 ? 1 : -1) / sqrt(path->scale * size + 1);
    for (int i = 0; i < st->eq.n; i++) path->u[i] = path->uf * path->load[i];
    return 0;
}

static void move(ts_stepper *st, const double *delta) {
    st->scheme->follow(&st->step, delta, 1);
    ts_apply(st, delta, 1);
}

/* Sets st->eq.delta and the change of the load factor, at right angles to the tangent or, for a
 * given load, along it. */
static double correction(ts_path *path, double factor, double given) {
    ts_stepper *st = path->st;
    for (int i = 0; i < st->eq.n; i++) st->eq.delta[i] = -st->eq.R[i];
    ts_solve(&st->eq, st->eq.delta);
    double across = path->scale * product(st, path->u, st->eq.delta);
    double along = path->scale * product(st, path->u, path->load) + path->uf;
    double df = isnan(given) ? -across / along : given - factor;
    for (int i = 0; i < st->eq.n; i++) st->eq.delta[i] += df * path->load[i];
    return df;
}

/* Returns from the end of an arc along the tangent to the path; `given`, if it is a number, is the
 * load factor at which to end. */
static int correct(ts_path *path, double arc, double given, double *factor, int *iterations) {
    ts_stepper *st = path->st;
    double previous = 0, aside_f = 0;
    if (ts_stopped(st)) return TORSOR_EINTERRUPTED;
    ts_begin_at(st, path->t, path->factor);
    for (int i = 0; i < st->eq.n; i++) st->eq.delta[i] = arc * path->u[i], path->aside[i] = 0;
    *factor = path->factor + arc * path->uf;
    move(st, st->eq.delta);
    for (int it = 0; it < MOST_ITERATIONS; it++) {
        ++*iterations;
        st->report.factorisations++;
        if (linearise(path, *factor)) return TORSOR_RETRY;
        double df = correction(path, *factor, given);
        double d = fmax(ts_increment_norm(st, st->eq.delta), fabs(df));
        for (int i = 0; i < st->eq.n; i++) path->aside[i] += st->eq.delta[i];
        aside_f += df;
        double aside = path->scale * product(st, path->aside, path->aside) + aside_f * aside_f;
        path->bend = sqrt(aside) / fabs(arc);
        if (!(path->bend <= CURVED)) return TORSOR_RETRY;
        move(st, st->eq.delta);
        *factor += df;
        double size = fmax(ts_step_norm(st), fabs(*factor - path->factor));
        bool still = previous > 0 && d > 0.2 * previous && d < NOISE;
        if (d <= SETTLED * size || still) {
            ts_set_load_factor(st, *factor);
            ts_residual(&st->eq);
            return ts_inadmissible(st) ? TORSOR_RETRY : 0;
        }
        previous = d;
    }
    return TORSOR_RETRY;
}

/* Repeats a step that ends beyond a limit of the load, so that it ends at the limit. */
static int land(ts_path *path, double arc, double limit, double *factor, int *iterations) {
    double part = (limit - path->factor) / (*factor - path->factor);
    return correct(path, part * arc, limit, factor, iterations);
}

/* Limits the arc so that load and motion change by no more than one step should bring. */
static double moderate(const ts_path *path, double arc, double most) {
    double motion = sqrt(product(path->st, path->u, path->u));
    return fmin(arc, fmin(most / fabs(path->uf), LARGEST_MOTION / fmax(motion, 1e-30)));
}

int ts_path_step(ts_path *path, double *arc, const ts_path_limits *limits, ts_step_result *result) {
    ts_stepper *st = path->st;
    double factor = path->factor;
    memset(result, 0, sizeof *result);
    st->report.factorisations = 1, st->report.refused = -1, st->report.residual = 0;
    int code = find_tangent(path);
    if (!code) {
        *arc = moderate(path, *arc, limits->most);
        code = correct(path, *arc, NAN, &factor, &result->iterations);
    }
    double bend = path->bend, limit = factor > limits->highest ? limits->highest : limits->lowest;
    if (!code && (factor > limits->highest || factor < limits->lowest))
        code = land(path, *arc, limit, &factor, &result->iterations);
    path->bend = bend;
    result->factorisations = st->report.factorisations;
    if (code && st->report.refused >= 0)
        path->refused =
            (refusal){st->report.refused, st->report.refused_at, st->report.refused_by, *arc};
    if (code) return code;
    st->report.told = factor * path->t;
    ts_commit(st);
    st->system->state.step++, st->report.refused = -1;
    result->residual = st->report.residual;
    if (*arc >= path->refused.arc) path->refused.measure = -1;
    path->factor = factor;
    return 0;
}

int ts_path_fail(const ts_path *path, int cuts) {
    ts_stepper *st = path->st;
    st->report.refused = path->refused.measure;
    st->report.refused_at = path->refused.at, st->report.refused_by = path->refused.by;
    if (st->report.refused >= 0) return ts_fail_inadmissible(st, st->system->state.t);
    if (ts_fail_unbounded(st->system, path->t)) return TORSOR_EDIVERGED;
    char who[200];
    const char *part = ts_worst_residual(st, who, sizeof who);
    ts_fail(
        TORSOR_EDIVERGED,
        "no convergence beyond load factor %.9g, even with the arc halved %d times; the largest "
        "residual is in %s",
        path->factor, cuts, who);
    return ts_blame(TORSOR_EDIVERGED, part, st->system->state.t);
}
