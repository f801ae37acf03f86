/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs that touch, as results files store them: rows of contact_pairs. See told_pairs.c. */
#ifndef TS_OUTPUT_TOLD_PAIRS_H
#define TS_OUTPUT_TOLD_PAIRS_H

#include "contact/touching.h"

/* Number of pairs in so many numbers; in files of older versions, pairs end with contact -1. A pair
 * is valid if its indices are integers below the given counts. If one is not, or if there was no
 * room for all, returns -1. */
int64_t ts_told_pairs(const double *row, int64_t numbers, int64_t contacts, int64_t shapes);
/* Reads the k-th pair. */
ts_touched ts_told_pair(const double *row, int64_t k);
/* The force on the first shape, friction included. */
v3 ts_touched_force(const ts_touched *pair);

/* State of a pair; without friction it cannot stick. */
typedef enum ts_grasp { TS_GRASP_SMOOTH, TS_GRASP_STICKS, TS_GRASP_SLIPS } ts_grasp;
ts_grasp ts_touched_grasp(const ts_touched *pair);

#endif
