/* SPDX-License-Identifier: Apache-2.0 */
/* The elastic law of a beam element of 2, 3 or 4 nodes, over the forms of the helices between its
 * nodes. See beam_law.c. */
#ifndef TS_BEAM_LAW_H
#define TS_BEAM_LAW_H

#include "model/law.h"

enum { TS_BEAM_POINTS = 3, TS_BEAM_STRAINS = 6 };

/* Numbers of a site: damping, number p of Gauss points, length; p helices as drawn; for each point
 * its stiffness times its weight, row by row, and the bracket terms of its strains as drawn. */
enum {
    TS_BEAM_DAMPING,
    TS_BEAM_COUNT,
    TS_BEAM_LENGTH,
    TS_BEAM_FIRST,
    TS_BEAM_DRAWN = 36, /* behind the stiffness of a point */
    TS_BEAM_STRIDE = 42,
    TS_BEAM_NUMBERS = TS_BEAM_FIRST + TS_BEAM_POINTS * (TS_BEAM_STRIDE + 9) /* at most */
};

extern const ts_law TS_BEAM_LAW;

/* Sets all numbers of an element except its stiffness. Its forms as drawn, e, are replaced by their
 * reference values: minus the constants of the forms. */
void ts_beam_draw(int points, double length, double damping, double *e, double *data);
int ts_beam_numbers(int points);                 /* how many there are */
int ts_beam_stiffness_at(int points, int point); /* where the stiffness of a point stands */

/* Strains (Gamma, kappa) less those as drawn at the Gauss points, six for each. */
void ts_beam_strains(const double *data, const double *e, double *strain);

#endif
