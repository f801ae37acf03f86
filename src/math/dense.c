/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices by LAPACK (E. Anderson et al., LAPACK Users' Guide, 3rd edition, 1999). See
 * dense.h. */
#include "math/dense.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/error.h"

/* LAPACKE takes memory of its own for work and for transposing. */
static int check_memory(int info, int n) {
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        ts_no_memory("a dense matrix of %d rows", n);
    return info;
}

static int singular(int info) {
    return info ? ts_fail(TORSOR_ESINGULAR, "the linear equations are singular") : 0;
}

int ts_dense_solve(int n, int columns, double *A, double *X) {
    ts_blas_ready();
    lapack_int *pivot = ts_calloc((size_t)n + 1, sizeof *pivot);
    int info = check_memory(LAPACKE_dgesv(LAPACK_COL_MAJOR, n, columns, A, n, pivot, X, n), n);
    free(pivot);
    return singular(info);
}

/* One column is the same by rows and by columns; only several need to be transposed. */
int ts_dense_solve_definite(int n, double *A, int columns, double *X) {
    ts_blas_ready();
    if (columns == 1) return singular(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, 1, A, n, X, n));
    int info = LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', n, columns, A, n, X, columns);
    return singular(check_memory(info, n));
}

int ts_dense_invert_definite(int n, double *A, double *inverse) {
    ts_blas_ready();
    for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    return singular(LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, n, A, n, inverse, n));
}

void ts_dense_eigenvalues(int n, const double *A, double *value) {
    ts_blas_ready();
    double B[TS_DENSE_SMALL * TS_DENSE_SMALL], work[3 * TS_DENSE_SMALL];
    assert(n <= TS_DENSE_SMALL);
    memcpy(B, A, (size_t)(n * n) * sizeof *B);
    int info = LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', n, B, n, value, work, 3 * n);
    for (int i = 0; i < n && info; i++) value[i] = NAN; /* entries that are not finite */
}

int ts_dense_symmetric(int n, double *A, double *B, double *theta) {
    ts_blas_ready();
    int info = check_memory(LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'U', n, A, n, B, n, theta), n);
    if (info > n) return ts_fail(TORSOR_ESINGULAR, "the matrix is not positive definite");
    return info ? ts_fail(TORSOR_EDIVERGED, "no eigenvalues were found (dsygvd: %d)", info) : 0;
}

int ts_dense_general(int n, double *A, double *re, double *im, double *vectors) {
    ts_blas_ready();
    int info = LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'V', n, A, n, re, im, NULL, n, vectors, n);
    check_memory(info, n);
    return info ? ts_fail(TORSOR_EDIVERGED, "no eigenvalues were found (dgeev: %d)", info) : 0;
}

/* The last columns of Q in C^T = Q R, with the rows scaled to unit length and the rank read off
 * R. */
double *ts_dense_null_space(int m, int n, const double *C, int *dim) {
    ts_blas_ready();
    size_t size = (size_t)n;
    double *Q = ts_calloc(size * size + 1, sizeof *Q), *tau = ts_calloc(size + 1, sizeof *tau);
    lapack_int *pivot = ts_calloc((size_t)m + 1, sizeof *pivot);
    int rank = 0, used = m < n ? m : n;
    for (int i = 0; i < used; i++) {
        double length = 0;
        for (int j = 0; j < n; j++) length = hypot(length, C[i * n + j]);
        for (int j = 0; j < n && length > 0; j++) Q[i * n + j] = C[i * n + j] / length;
    }
    if (used > 0) check_memory(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, n, used, Q, n, pivot, tau), n);
    while (rank < used && fabs(Q[rank * n + rank]) > 1e-10) rank++;
    for (int j = rank; j < n; j++) memset(Q + j * n, 0, size * sizeof *Q);
    if (n > 0) check_memory(LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, n, rank, Q, n, tau), n);
    memmove(Q, Q + (size_t)rank * size, (size - (size_t)rank) * size * sizeof *Q);
    *dim = n - rank;
    free(tau), free(pivot);
    return Q;
}
