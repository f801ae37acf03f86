/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of a sparse matrix depend on others, and how. */
#ifndef TS_QR_H
#define TS_QR_H

#include <stdbool.h>

typedef struct ts_qr ts_qr;
/* The matrix by compressed columns. With keep_order a dependent column is one that repeats columns
 * before it; without, an ordering with less fill decides. A column is dependent when what is left
 * of it is below the tolerance. NULL: failed. */
ts_qr *ts_qr_new(int rows, int columns, const int *start, const int *row, const double *value,
                 bool keep_order, double tolerance);
void ts_qr_free(ts_qr *qr);
int ts_qr_rank(const ts_qr *qr);
bool ts_qr_dependent(const ts_qr *qr, int column);
/* The dependent column is the sum of x[j] times the independent columns j; x[j] = 0 for the
 * others. */
void ts_qr_combination(const ts_qr *qr, int column, double *x);

#endif
