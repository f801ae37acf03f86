/* SPDX-License-Identifier: Apache-2.0 */
/* Scheme 1 of S3: O. A. Bauchau, C. L. Bottasso, CMAME 169 (1999) 61, section 5.1, with any of the
 * rotation parameters of its Table 1. The equations are those of moving_pole.c with (46):
 *
 *     A_m = (R_i + R_f)/2         Pbar = (R_i P_i + R_f P_f)/2
 *
 * Preserves energy and linear momentum for every rotation parameter, and constraints. Angular
 * momentum only with Rodrigues parameters, where eps = 1 and v_m x Pbar is the moment of the mean
 * momentum: x_f x R_f P_f - x_i x R_i P_i = (x_f - x_i) x Pbar + x_m x (R_f P_f - R_i P_i).
 * Contrary to S3 (77) it also does not depend on the point that stands for a body, with these
 * parameters: every point y moves by y_f - y_i = c x (y_m - x_m) + h A_m (V_i + V_f)/2, c the
 * Cayley vector.
 *
 * With Rodrigues parameters this is the energy-momentum method of Simo, Tarnow and Doblare (1995)
 * for a general inertia.
 */
#include "study/moving_pole.h"

static m3 mean(m3 a_i, m3 a_f) { return m3_scale(0.5, m3_add(a_i, a_f)); }

static v3 momentum(m3 a_i, m3 a_f, v3 P_i, v3 P_f) {
    return v3_scale(0.5, v3_add(m3_apply(a_i, P_i), m3_apply(a_f, P_f)));
}

static const ts_moving_pole SCHEME_1 = {mean, momentum};

static int start(ts_study *s) { return ts_moving_pole_start(s, &SCHEME_1); }

static const ts_scheme_parameter PARAMETERS[] = {TS_ROTATION_PARAMETER("rodrigues"), {0}};

static const ts_study_scheme STUDY = {
    TS_MOVING_POLE, .start = start,
    .keeps = "energy, linear momentum, constraints; angular momentum with Rodrigues parameters",
    .source = "S3 section 5.1"};

const ts_scheme TS_SCHEME_S3_1 = {
    .name = "S3-1",
    .help = "Scheme 1 of Bauchau and Bottasso: energy preserving, any rotation parameters.",
    TS_STUDY(STUDY),
    .parameters = PARAMETERS};
