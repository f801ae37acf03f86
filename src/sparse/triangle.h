/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular equations whose columns are gathered in runs. Private to src/sparse; see triangle.c.
 */
#ifndef TS_TRIANGLE_H
#define TS_TRIANGLE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ts_triangle ts_triangle;

/* Where values of entries are to be put: that of entry p at value[place[p]], or, complex, its parts
 * at value[2 place[p]] and behind it. */
typedef struct ts_places {
    const uint32_t *place;
    double *value;
} ts_places;

/* Columns of entries with the diagonal, rows in their order. A lower triangle is taken to have ones
 * on its diagonal; what is put there does not matter. `complex`: numbers are pairs. */
ts_triangle *ts_triangle_new(int n, const int *start, const int *row, bool upper, bool complex);
void ts_triangle_free(ts_triangle *t);
ts_places ts_triangle_places(ts_triangle *t);
/* Values of all entries in their order; `im` of complex ones, else NULL. */
void ts_triangle_fill(ts_triangle *t, const double *re, const double *im);
/* The diagonal of an upper triangle. */
void ts_triangle_pivots(ts_triangle *t, const double *pivot);
/* x becomes the solution; of an upper triangle both are in reverse order, the last unknown first.
 * x needs room for n + 1 numbers; the value of the last does not matter. */
void ts_triangle_solve(const ts_triangle *t, double *x);

#endif
