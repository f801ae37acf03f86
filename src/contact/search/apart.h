/* SPDX-License-Identifier: Apache-2.0 */
/* Distance of the shapes of each contact: see apart.c. */
#ifndef TS_APART_H
#define TS_APART_H

#include "contact/touching.h"

typedef struct ts_apart ts_apart;

ts_apart *ts_apart_new(const ts_model *model);
void ts_apart_free(ts_apart *a);
/* The least gap of the pairs of each contact at q, negative where they touch, whether the contact
 * is switched on or not; one number for each, valid until the next call. */
const double *ts_apart_gaps(ts_apart *a, const double *q);

/* Forces of the pairs of a contact as they move with v at q: the sums of their normal forces, and
 * of the largest possible friction. Their memory is `touching`; the run has steps of the length
 * h. */
void ts_apart_forces(ts_apart *a, int contact, const double *q, const double *v,
                     const ts_touching *touching, double h, double sums[2]);

#endif
