/* SPDX-License-Identifier: Apache-2.0 */
/* The moving pole family of S3 section 5, which schemes 1 and 2 are members of. See
 * moving_pole.c. */
#ifndef TS_MOVING_POLE_H
#define TS_MOVING_POLE_H

#include "study/rotation_choice.h"

/* The differences of the members: the mean of the rotation tensor in v_m = A_m v_m*, and the mean
 * of the linear momentum (both without eps) in the moment of inertia forces. P are momenta in body
 * axes. */
typedef struct ts_moving_pole {
    m3 (*mean)(m3 a_i, m3 a_f);
    v3 (*momentum)(m3 a_i, m3 a_f, v3 P_i, v3 P_f);
} ts_moving_pole;

int ts_moving_pole_start(ts_study *s, const ts_moving_pole *member);
void ts_moving_pole_residual(ts_study *s, const double *x, double *R);
void ts_moving_pole_finish(ts_study *s, const double *x, ts_exchange *out);

#define TS_MOVING_POLE .residual = ts_moving_pole_residual, .finish = ts_moving_pole_finish

#endif
