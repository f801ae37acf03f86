/* SPDX-License-Identifier: Apache-2.0 */
/* Generalized alpha: J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371; on SE(3) as in
 * alpha_family.c with
 *
 *     alpha_m = (2 rho - 1)/(rho + 1) ,  alpha_f = rho/(rho + 1) ,
 *     gamma = 1/2 + alpha_f - alpha_m ,
 *     beta = (gamma + 1/2)^2 / 4 ,       rho = rho_inf, the spectral radius at infinite frequency
 */
#include "study/alpha_family.h"

static int start(ts_study *s) {
    double rho = ts_study_number(s, "rho_inf", 0);
    double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    double gamma = 0.5 + alpha_f - alpha_m;
    ts_alpha_start(s, alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma);
    return 0;
}

static const ts_study_scheme STUDY = {TS_ALPHA_FAMILY, .start = start,
                                      .keeps = "nothing exactly; energy of linear systems decays",
                                      .source = "Chung, Hulbert 1993; Bruels, Cardona, Arnold "
                                                "2012"};

const ts_scheme TS_SCHEME_GENERALIZED_ALPHA = {
    .name = "generalized_alpha",
    .help = "Chung and Hulbert's method on the Lie group: second order, damps high frequencies by "
            "rho_inf.",
    TS_ALPHA_SCHEME(STUDY),
    .parameters = TS_ONLY_RHO_INF};
