/* SPDX-License-Identifier: Apache-2.0 */
/* How far the shapes of each contact are apart: see apart.c. */
#ifndef TS_APART_H
#define TS_APART_H

#include "contact/touching.h"

typedef struct ts_apart ts_apart;

ts_apart *ts_apart_new(const ts_model *model);
void ts_apart_free(ts_apart *a);
/* The least gap of the pairs of each contact at q, negative where they touch, whether the contact
 * is switched on or not; one number for each, valid until the next call. */
const double *ts_apart_gaps(ts_apart *a, const double *q);

#endif
