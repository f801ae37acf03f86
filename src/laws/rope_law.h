/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes over points, by their lengths: see rope_law.c. */
#ifndef TS_ROPE_LAW_H
#define TS_ROPE_LAW_H

#include "model/law.h"

/* y = sum of l_k - e_0; forms: the rope's own length, then l_k^2 of its segments. */
extern const ts_rowlaw TS_ROPE_ROW;

/* A rope that stretches: data[0] is its stiffness EA. The same forms; e_0 is unstretched. */
extern const ts_law TS_ROPE_LAW;

/* A segment of a rope that stretches; it also provides strain and force of its station; data[1] is
 * the weight of that station. */
extern const ts_law TS_ROPE_ELEMENT_LAW;

/* A rope that stretches, of two forms: the rope's own length e_0, and the length of its path. */
extern const ts_law TS_ROPE_WAY_LAW;

#endif
