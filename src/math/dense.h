/* SPDX-License-Identifier: Apache-2.0 */
/* Small and middling dense matrices, by LAPACK.
 *
 * Matrices are stored by columns unless stated otherwise. Arguments are overwritten only where the
 * comment of the function states this. If there is no memory, the trap of base/memory.h catches.
 *
 * Not here, because LAPACK would be slower or would stop: 3 x 3 matrices (vec3.h, closed forms),
 * Cholesky's factors of the inertia of a node (analysis/assembler.c, at most 6 x 6, which measures
 * pivots that vanish and goes on), Schur's complement of forms without stiffness
 * (system/resolution.c), principal axes of a box that stay next to its own (results/geometry.c). */
#ifndef TS_DENSE_H
#define TS_DENSE_H

/* X <- A^-1 X, n rows; A is overwritten. TORSOR_ESINGULAR, also where an entry is no
 * number. */
int ts_dense_solve(int n, int columns, double *A, double *X);
/* Solves A X = B for a symmetric and positive definite A; X contains B on entry, by rows. A single
 * column needs no memory. */
int ts_dense_solve_definite(int n, double *A, int columns, double *X);
/* A^-1 of a symmetric and positive definite A, which is overwritten. Needs no memory. */
int ts_dense_invert_definite(int n, double *A, double *inverse);

/* Eigenvalues of a symmetric A, ascending. Needs no memory; n is at most TS_DENSE_SMALL. */
enum { TS_DENSE_SMALL = 36 };
void ts_dense_eigenvalues(int n, const double *A, double *value);
/* A x = theta B x, B positive definite: theta ascending, vectors B-orthonormal in A.
 * TORSOR_ESINGULAR: B is not positive definite. */
int ts_dense_symmetric(int n, double *A, double *B, double *theta);
/* A x = theta x, theta = re + i im; the vector of a pair takes two columns, as in LAPACK's
 * dgeev. */
int ts_dense_general(int n, double *A, double *re, double *im, double *vectors);

/* Null space of the m rows of C (m x n, by rows): columns Z, n x *dim, orthonormal; to be freed. */
double *ts_dense_null_space(int m, int n, const double *C, int *dim);

#endif
