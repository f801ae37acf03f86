/* SPDX-License-Identifier: Apache-2.0 */
/* Statics where Newton's method does not converge: a slack cable, a chain, a panel that snaps.
 * Pseudo-time: the equations
 *
 *     P_f^T [ r M (q_f - q_i) + B_f^T s + C_f^T lambda - F ] = 0
 *
 * are those of an implicit step of time 1/sqrt(r) that starts from rest. Each step lowers the
 * energy of structure and loads, whether or not the stiffness is definite, and r is reduced as
 * steps succeed, until Newton's method converges to equilibrium itself (C. T. Kelley, D. E. Keyes,
 * SIAM J. Numer. Anal. 35 (1998) 508). Loads have their end values all the time: the path to
 * equilibrium does not consist of equilibria, and no particular branch is sought.
 */
#include <string.h>

#include "base/error.h"
#include "scheme/static.h"

static const double FIRST_MOVE = 0.02; /* of the size of the model, in the first step */
static const double NEAR = 0.05;       /* moves below this: equilibrium may be tried */
static const double FARTHEST = 200;    /* sizes of the model, or radians: it falls for ever */
enum { MOST_STEPS = 400, BUDGET = 80, CALM = 5 }; /* BUDGET: of iterations, in those of one step */

static void hold_still(ts_stepper *st) {
    size_t ambient = (size_t)(3 * st->model->slots) * sizeof(double);
    memset(st->system->state.v, 0, ambient), memset(st->system->state.vdot, 0, ambient);
}

/* One step with pseudo-mass r; 0, or TORSOR_RETRY with the state as it was. */
static int relaxed_step(ts_stepper *st, double t, double factor, double r, double *move,
                        int *iterations) {
    hold_still(st);
    ts_begin_at(st, t, factor);
    st->step.statics.relax = r;
    int code = ts_solve_step(st, TS_FULL, iterations);
    *move = ts_step_norm(st);
    if (!code) ts_commit(st);
    st->step.statics.relax = 0;
    return code;
}

/* The acceleration with which the structure would set out from where it is. */
static double first_acceleration(ts_stepper *st, double t, double factor) {
    double most = 0;
    ts_begin_at(st, t, factor);
    ts_residual(&st->eq);
    for (int n = 0; n < st->model->nodes_count; n++) {
        double mass = st->model->nodes[n].mass[0][0];
        int dof = st->system->node_dof[n];
        if (dof >= 0 && mass > 0) most = fmax(most, v3_norm(v3_load(st->eq.R + dof)) / mass);
    }
    return most;
}

/* The pseudo-mass of the next step: lower after steps with few iterations, higher after a failure,
 * and then not lower for some steps. */
static double next_mass(double r, bool good, int iterations, int *calm) {
    if (!good) {
        *calm = 0;
        return 8 * r;
    }
    if (*calm < CALM && ++*calm < CALM) return r;
    return r * (iterations <= 6 ? 0.2 : 0.7);
}

int ts_static_rescue(ts_stepper *st, int *iterations) {
    double t = st->asked.t_last, factor = st->asked.factor_f;
    double a = first_acceleration(st, t, factor), r = a / (FIRST_MOVE * st->system->length);
    double most = 1e12 * r, move, far = 0, last = INFINITY;
    int calm = CALM, budget = *iterations + BUDGET * st->options.max_iterations;
    if (!isfinite(a) || a == 0) return TORSOR_RETRY;
    for (int k = 0; k < MOST_STEPS && r <= most && *iterations < budget; k++) {
        int before = *iterations, code = relaxed_step(st, t, factor, r, &move, iterations);
        if (code < 0) return code;
        r = next_mass(r, !code, *iterations - before, &calm);
        bool arriving = !code && move < NEAR && move < last; /* no longer on its way down */
        last = code ? 0 : move;
        if (!code && (far += move) > FARTHEST) return TORSOR_RETRY;
        if (!arriving) continue;
        code = relaxed_step(st, t, factor, 0, &move, iterations);
        if (code <= 0) return code;
    }
    return TORSOR_RETRY;
}
