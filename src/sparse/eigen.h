/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues: a few of a large operator, by ARPACK. All of a dense matrix: math/dense.h.
 *
 * The caller gives the operator as functions. The result are its eigenvalues of largest magnitude.
 * With an operator that inverts a shifted matrix these are the eigenvalues next to the shift. */
#ifndef TS_EIGEN_H
#define TS_EIGEN_H

typedef struct ts_operator {
    void *context;
    int n;
    void (*apply)(void *context, const double *x, double *y); /* y = OP x; x and y are apart */
    void (*mass)(void *context, const double *x, double *y);  /* y = M x, symmetric, semidefinite */
} ts_operator;

/* OP = S M with S and M symmetric: the k (< n) largest of OP x = theta x, M-orthonormal vectors (n
 * numbers each). `apply` is S alone. 0, or TORSOR_EDIVERGED. */
int ts_eigen_symmetric(const ts_operator *op, int k, double *theta, double *vectors);
/* The k (< n - 1) largest of OP x = theta x, with theta = re + i im; pairs stay together, so up to
 * k + 1 of them: *found. The vector of a pair takes two columns, real part and imaginary part of
 * the one with im > 0. */
int ts_eigen_general(const ts_operator *op, int k, double *re, double *im, double *vectors,
                     int *found);

#endif
