/* SPDX-License-Identifier: Apache-2.0 */
/* The amplification matrix of a scheme, found by running it. See spectrum.h.
 *
 * A step of a linear oscillator maps the memory of the scheme linearly: (u, v, a), with a the
 * acceleration in the state. Three steps from three states give the matrix, in the variables (u, h
 * v, h^2 a). A scheme that does not use a (except for its first guess) gives a column of zeros, so
 * one eigenvalue is zero, and the two others are those of the usual 2 x 2 matrix. Generalized alpha
 * has three. Measures of T. J. R. Hughes in Belytschko and Hughes (eds.), Computational Methods for
 * Transient Analysis (1983), as S1 Figs 3 to 5 and S4 Figs 1 to 4 use them.
 */
#include "analysis/spectrum.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"

static const double TAU = 6.283185307179586476925287;

/* Sets the state to rest except for three numbers; not as the first step, which would initialise
 * more. */
static void set_state(ts_system *system, int at, double h, int k) {
    const ts_model *model = system->model;
    ts_state *s = &system->state;
    size_t ambient = (size_t)(3 * model->slots) * sizeof(double),
           rows = (size_t)model->rows_count * sizeof(double);
    s->t = 0, s->step = 1;
    memset(s->v, 0, ambient), memset(s->vdot, 0, ambient);
    memset(s->lambda, 0, rows), memset(s->kappa, 0, rows);
    s->q[at] = k == 0, s->v[at] = k == 1 ? 1 / h : 0, s->vdot[at] = k == 2 ? 1 / (h * h) : 0;
}

static int find_matrix(ts_system *system, int at, const ts_scheme *scheme,
                       const ts_step_options *options, double h, double *A) {
    ts_stepper *st;
    ts_step_result result;
    int code = ts_stepper_new(&st, system, scheme, options);
    for (int k = 0; k < 3 && !code; k++) {
        set_state(system, at, h, k);
        ts_stepper_forget(st);
        code = ts_stepper_step(st, h, &result);
        if (!code && result.cuts)
            code = ts_fail(TORSOR_EDIVERGED, "a step of the oscillator had to be halved");
        A[3 * k] = system->state.q[at], A[3 * k + 1] = h * system->state.v[at];
        A[3 * k + 2] = h * h * system->state.vdot[at];
    }
    ts_stepper_free(st);
    return code;
}

int ts_spectrum_at(ts_system *system, int node, double period, const ts_scheme *scheme,
                   const ts_step_options *options, double h, ts_spectrum *out) {
    double A[9], re[3], im[3], vectors[9], principal = 0;
    int code = find_matrix(system, 3 * system->model->nodes[node].slot + 2, scheme, options, h, A);
    if (!code) code = ts_dense_general(3, A, re, im, vectors);
    if (code) return code;
    *out = (ts_spectrum){.ratio = h / period, .damping = NAN, .period_error = NAN};
    for (int k = 0; k < 3; k++) {
        double r = hypot(re[k], im[k]);
        out->radius = fmax(out->radius, r);
        if (!(im[k] > 0) || r < principal) continue;
        double phi = atan2(im[k], re[k]);
        principal = r, out->oscillates = true;
        out->damping = 0 - log(r) / phi, out->period_error = TAU * h / period / phi - 1;
    }
    return 0;
}
