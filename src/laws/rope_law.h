/* SPDX-License-Identifier: Apache-2.0 */
/* Ropes over points, by their lengths: see rope_law.c. */
#ifndef TS_ROPE_LAW_H
#define TS_ROPE_LAW_H

#include "model/law.h"

/* y = sum of l_k - e_0; forms: the rope's own length, then l_k^2 of its segments. */
extern const ts_rowlaw TS_ROPE_ROW;

/* A rope that stretches: data[0] is its stiffness EA. The same forms; e_0 is unstretched. */
extern const ts_law TS_ROPE_LAW;

/* The same of two forms: the rope's own length, and its way. */
extern const ts_law TS_ROPE_WAY_LAW;

#endif
