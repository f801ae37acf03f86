/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular equations whose columns are gathered in runs. Private to src/sparse; see triangle.c.
 */
#ifndef TS_TRIANGLE_H
#define TS_TRIANGLE_H

#include <stdbool.h>

typedef struct ts_triangle ts_triangle;

/* Columns of entries, in any order within a column, with the diagonal. A lower triangle is taken to
 * have ones there. `complex`: numbers are pairs. */
ts_triangle *ts_triangle_new(int n, const int *start, const int *row, bool upper, bool complex);
void ts_triangle_free(ts_triangle *t);
/* The values of the entries, in their order; `im` of complex ones, else NULL. */
void ts_triangle_fill(ts_triangle *t, const double *re, const double *im);
/* x becomes the solution; of an upper triangle both are in reverse order, the last unknown first.
 * x needs room for n + 1 numbers; the value of the last does not matter. */
void ts_triangle_solve(const ts_triangle *t, double *x);

#endif
