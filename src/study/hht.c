/* SPDX-License-Identifier: Apache-2.0 */
/* HHT: H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283; on
 * SE(3) as in alpha_family.c with
 *
 *     alpha_m = 0 ,  alpha_f = alpha ,  gamma = 1/2 + alpha ,  beta = (1 + alpha)^2 / 4 ,
 *     0 <= alpha <= 1/3
 *
 * (their alpha is minus this one). rho_inf = (1 - alpha)/(1 + alpha), so 1/2 at the strongest
 * damping.
 */
#include "study/alpha_family.h"

static int start(ts_study *s) {
    double alpha = ts_study_number(s, "alpha", 1.0 / 3);
    ts_alpha_start(s, 0, alpha, 0.25 * (1 + alpha) * (1 + alpha), 0.5 + alpha);
    return 0;
}

static const ts_scheme_parameter PARAMETERS[] = {
    {"alpha", "Weight of the forces at the start: rho_inf = (1 - alpha)/(1 + alpha)", "1/3", 0,
     0.33333333333333337, NULL, TS_OWN},
    {0}};

static const ts_study_scheme STUDY = {TS_ALPHA_FAMILY, .start = start,
                                      .keeps = "nothing exactly; energy of linear systems decays",
                                      .source = "Hilber, Hughes, Taylor 1977"};

const ts_scheme TS_SCHEME_HHT = {
    .name = "HHT",
    .help =
        "Hilber, Hughes and Taylor: second order, damps high frequencies, down to rho_inf = 1/2.",
    TS_ALPHA_SCHEME(STUDY),
    .parameters = PARAMETERS};
