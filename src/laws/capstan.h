/* SPDX-License-Identifier: Apache-2.0 */
/* Friction of a rope on a pulley: see capstan.c. */
#ifndef TS_CAPSTAN_H
#define TS_CAPSTAN_H

#include "model/law.h"

/* Numbers of a site. FROM and TO: c of the strands before and behind the wheel (strand_row.h). */
enum {
    TS_CAPSTAN_MU,      /* between rope and pulley; 0: the rope does not slip on it */
    TS_CAPSTAN_BEARING, /* mu r/R of the bearing of its wheel; 0: the wheel does not turn */
    TS_CAPSTAN_K,       /* stiffness of the bristle */
    TS_CAPSTAN_VISCOUS, /* a dashpot besides */
    TS_CAPSTAN_SENSE,   /* of the rope about the axle, 1 or -1; 0: it is a point */
    TS_CAPSTAN_FROM,
    TS_CAPSTAN_TO,
    TS_CAPSTAN_WRAP, /* the angle as drawn */
    TS_CAPSTAN_NUMBERS
};

/* Form 0: how much rope is before the pulley. Then, with u and w from the centre before to this one
 * and on to the next: u.u, w.w, and u.w of a point; of a wheel u.e_1, u.e_2, w.e_1, w.e_2 with two
 * axes of its body across its axle. It reads the multipliers of the strands before and behind. */
extern const ts_law TS_CAPSTAN_LAW;

/* Angle of wrap from the forms. */
double ts_capstan_wrap(const double *data, double before, const double *e);

#endif
