/* SPDX-License-Identifier: Apache-2.0 */
/* Newmark's method: N. M. Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67; on SE(3) as in
 * alpha_family.c with alpha_m = alpha_f = 0. beta = 1/4, gamma = 1/2, the trapezoidal rule,
 * preserves energy of linear systems and of nothing else; with constraints, nothing damps their
 * second derivative then, and multipliers oscillate. gamma > 1/2 damps, and is of first order.
 */
#include "study/alpha_family.h"

static int start(ts_study *s) {
    double gamma = ts_study_number(s, "gamma", 0.5);
    double beta = ts_study_number(s, "beta", 0.25 * (gamma + 0.5) * (gamma + 0.5));
    ts_alpha_start(s, 0, 0, beta, gamma);
    return 0;
}

static const ts_scheme_parameter PARAMETERS[] = {
    {"gamma", "Weight of the acceleration at the end in the velocity", "0.5", 0.5, 2, NULL, TS_OWN},
    {"beta", "Weight of the acceleration at the end in the displacement", "(gamma + 1/2)^2 / 4",
     0.01, 2, NULL, TS_OWN},
    {0}};

static const ts_study_scheme STUDY = {TS_ALPHA_FAMILY, .start = start,
                                      .keeps = "energy of linear systems, when gamma is 1/2",
                                      .source = "Newmark 1959"};

const ts_scheme TS_SCHEME_NEWMARK = {
    .name = "newmark",
    .help = "Newmark's method: the trapezoidal rule, or with damping of first order.",
    TS_ALPHA_SCHEME(STUDY),
    .parameters = PARAMETERS};
