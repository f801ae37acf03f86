/* The elastic law of a beam element of 2, 3 or 4 nodes, over the forms of the helices between its nodes. See beam_law.c. */
#ifndef TS_BEAM_LAW_H
#define TS_BEAM_LAW_H

#include "model/law.h"

enum { TS_BEAM_POINTS = 3, TS_BEAM_STRAINS = 6 };

/* Numbers of a site: damping, number of Gauss points, length; then of each point its stiffness times its weight, row by row, and its strains
 * as drawn. */
enum {
    TS_BEAM_DAMPING,
    TS_BEAM_COUNT,
    TS_BEAM_LENGTH,
    TS_BEAM_FIRST,
    TS_BEAM_DRAWN = 36, /* behind the stiffness of a point */
    TS_BEAM_STRIDE = 42
};

extern const ts_law TS_BEAM_LAW;

/* Strains (Gamma, kappa) at the Gauss points of an element of that length, six for each. */
void ts_beam_strains(int points, double length, const double *e, double *strain);

#endif
