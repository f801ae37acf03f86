/* Small dense systems whose matrix is symmetric and positive definite: no pivots need be sought. */
#ifndef TS_ELIMINATION_H
#define TS_ELIMINATION_H

/* B becomes A^-1 B, of n rows and so many columns; A, n x n, is used up. Both by rows. */
void ts_eliminate(int n, double *A, int columns, double *B);

#endif
