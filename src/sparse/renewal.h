/* SPDX-License-Identifier: Apache-2.0 */
/* New factors by the pivots of old ones. Private to src/sparse; see renewal.c. */
#ifndef TS_RENEWAL_H
#define TS_RENEWAL_H

#include <stdbool.h>

#include "sparse/sparse.h"
#include "sparse/triangle.h"

typedef struct ts_renewal ts_renewal;

/* A(row[k], column[k]) is pivot k. The memory of A and of `column` must stay. `complex`: numbers
 * are pairs. */
ts_renewal *ts_renewal_new(const ts_sparse *A, const int *row, const int *column, bool complex);
void ts_renewal_free(ts_renewal *r);
/* The pattern of a factor by columns, rows in their order: ones of L come first, pivots of U
 * last; and where its values go, but for the diagonal. Both factors are given before the first
 * renewal. */
void ts_renewal_pattern(ts_renewal *r, bool upper, const int *start, const int *row, ts_places to);
/* Factors of A with these values, its rows divided by their largest numbers, which go to `scale` in
 * the order of pivots, as the pivots do. Returns false where a pivot is zero or no number. */
bool ts_renew(ts_renewal *r, const double *value, double *scale, double *pivot);

#endif
