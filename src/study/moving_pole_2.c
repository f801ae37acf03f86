/* SPDX-License-Identifier: Apache-2.0 */
/* Scheme 2 of S3: O. A. Bauchau, C. L. Bottasso, CMAME 169 (1999) 61, section 5.2, with any of the
 * rotation parameters of its Table 1. The equations are those of moving_pole.c with (52):
 *
 *     A_m = ((R_i + R_f)/2)^-T         Pbar = (R_i + R_f)/2 (P_i + P_f)/2
 *
 * Preserves energy, linear momentum and constraints for every rotation parameter; angular momentum
 * for none: A_m is not a rotation, so Pbar is not along v_m even of a body whose node is its mass
 * centre. It depends on the point that stands for a body: S3 (78) vanishes for the linear
 * parameters, but that is the displacement alone, not the momentum.
 */
#include "study/moving_pole.h"

static m3 mean(m3 a_i, m3 a_f) { return m3_invt(m3_scale(0.5, m3_add(a_i, a_f))); }

static v3 momentum(m3 a_i, m3 a_f, v3 P_i, v3 P_f) {
    return m3_apply(m3_scale(0.25, m3_add(a_i, a_f)), v3_add(P_i, P_f));
}

static const ts_moving_pole SCHEME_2 = {mean, momentum};

static int start(ts_study *s) { return ts_moving_pole_start(s, &SCHEME_2); }

static const ts_scheme_parameter PARAMETERS[] = {TS_ROTATION_PARAMETER("rodrigues"), {0}};

static const ts_study_scheme STUDY = {TS_MOVING_POLE, .start = start,
                                      .keeps = "energy, linear momentum, constraints",
                                      .source = "S3 section 5.2"};

const ts_scheme TS_SCHEME_S3_2 = {
    .name = "S3-2",
    .help = "Scheme 2 of Bauchau and Bottasso: energy preserving, any rotation parameters.",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
