/* SPDX-License-Identifier: Apache-2.0 */
/* A cable that a drum at its beginning winds and unwinds: see winch.c. Private to
 * src/parts/lines. */
#ifndef TS_WINCH_H
#define TS_WINCH_H

#include "parts/parts.h"

typedef struct ts_winch {
    ts_model *model;
    int first, elements; /* of its nodes, from the drum on */
    int per_element;     /* nodes: 2, 3, 4 */
    double EA, mass;     /* mass per length */
    double length;       /* unstretched length outside the drum, as drawn */
    double stored;       /* on the drum as drawn */
    double rate;         /* of the length at the start */
} ts_winch;

/* Builds the newest part, after it has its nodes, which have no mass, and their velocities except
 * for the rate. */
void ts_winch_cable(const ts_winch *w);

#endif
