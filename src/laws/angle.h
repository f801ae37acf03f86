/* SPDX-License-Identifier: Apache-2.0 */
/* Angles of (cos, sin) over a step, and constraints on them: see angle.c. */
#ifndef TS_ANGLE_H
#define TS_ANGLE_H

#include "model/law.h"

/* y = data[0] * angle(e[0], e[1]) + data[1] * e[2] (the last form is optional: m = 2 or 3);
 * memory[0] is the angle. */
extern const ts_rowlaw TS_ANGLE_ROW;

/* y = data[0] (angle(e[0], e[1]) - data[2]) + data[1] (angle(e[2], e[3]) - data[3]); data[2],
 * data[3]: the angles as drawn. */
extern const ts_rowlaw TS_TWO_ANGLES_ROW;

/* The angle of (cos, sin) = (c, s), continued from `previous` to the nearest turn. Defined for any
 * (c, s) != 0. */
double ts_angle_unwrap(double previous, double c, double s);

/* Angle over one step: th_f, the discrete gradient g over (c, s), and its derivative by (c_f,
 * s_f). */
typedef struct ts_angle_step {
    double angle, delta, g[2], dg[4];
} ts_angle_step;
ts_angle_step ts_angle_over_step(double angle_i, const double *cs_i, const double *cs_f);

/* zeta of (Z) in model/law.h for an angle, and its derivatives by (c_f, s_f) and their rates. */
typedef struct ts_angle_rate {
    double zeta[2], d_e[4], d_edot[4];
} ts_angle_rate;
ts_angle_rate ts_angle_rate_over(const double *cs_i, const double *cs_f, const double *rate_i,
                                 const double *rate_f);

/* D/sin D, and its first and second derivative. */
void ts_angle_ratio(double d, double out[3]);

#endif
