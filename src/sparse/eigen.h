/* Eigenvalues: a few of a large operator by ARPACK, all of a small dense matrix by LAPACK.
 *
 * The caller gives the operator as functions; what is asked for are its eigenvalues of largest magnitude. With an operator
 * that inverts a shifted matrix these are the eigenvalues next to the shift.
 */
#ifndef TS_EIGEN_H
#define TS_EIGEN_H

typedef struct ts_operator {
    void *context;
    int n;
    void (*apply)(void *context, const double *x, double *y); /* y = OP x; x and y are apart */
    void (*mass)(void *context, const double *x, double *y);  /* y = M x, symmetric, semidefinite */
} ts_operator;

/* OP = S M with S and M symmetric: the k (< n) largest of OP x = theta x, M-orthonormal vectors (n numbers each). `apply` is S
 * alone. 0, or TORSOR_EDIVERGED. */
int ts_eigen_symmetric(const ts_operator *op, int k, double *theta, double *vectors);
/* The k (< n - 1) largest of OP x = theta x, with theta = re + i im; pairs stay together, so up to k + 1 of them: *found. The
 * vector of a pair takes two columns, real part and imaginary part of the one with im > 0. */
int ts_eigen_general(const ts_operator *op, int k, double *re, double *im, double *vectors,
                     int *found);

/* Dense, by columns; the matrices are overwritten. */
/* A x = theta B x, B positive definite: theta rising, vectors B-orthonormal in A. TORSOR_ESINGULAR: B is not. */
int ts_dense_symmetric(int n, double *A, double *B, double *theta);
int ts_dense_general(int n, double *A, double *re, double *im, double *vectors);
int ts_dense_solve(int n, int columns, double *A, double *X); /* X <- A^-1 X */
/* Columns that span what the m rows of C (m x n, by rows) do not see: Z, n x *dim, orthonormal; to be freed. */
double *ts_dense_null_space(int m, int n, const double *C, int *dim);

#endif
