/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices by LAPACK (E. Anderson et al., LAPACK Users' Guide, 3rd edition, 1999). See
 * dense.h.
 *
 * LAPACK is called by its Fortran interface: pointers to all arguments, and at the end the lengths
 * of texts. LAPACKE is not used: resolving its 2500 names took a tenth of the time of every start.
 * */
#include "math/dense.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/error.h"

void dgesv_(const int *n, const int *columns, double *A, const int *rows_A, int *pivot, double *X,
            const int *rows_X, int *info);
void dposv_(const char *triangle, const int *n, const int *columns, double *A, const int *rows_A,
            double *X, const int *rows_X, int *info, size_t);
void dsyev_(const char *job, const char *triangle, const int *n, double *A, const int *rows,
            double *value, double *work, const int *work_size, int *info, size_t, size_t);
void dsygvd_(const int *type, const char *job, const char *triangle, const int *n, double *A,
             const int *rows_A, double *B, const int *rows_B, double *value, double *work,
             const int *work_size, int *whole, const int *whole_size, int *info, size_t, size_t);
void dgeev_(const char *left, const char *right, const int *n, double *A, const int *rows,
            double *re, double *im, double *left_vectors, const int *left_rows,
            double *right_vectors, const int *right_rows, double *work, const int *work_size,
            int *info, size_t, size_t);
void dgeqp3_(const int *m, const int *n, double *A, const int *rows, int *pivot, double *tau,
             double *work, const int *work_size, int *info);
void dorgqr_(const int *m, const int *n, const int *reflectors, double *A, const int *rows,
             const double *tau, double *work, const int *work_size, int *info);

/* One thread at a time. */
#define CALL(function) (ts_blas_enter(), function, ts_blas_leave())

enum { NOT_A_NUMBER = -1 }; /* as LAPACK reports a wrong argument */
static const int ASK = -1;  /* size of work: return the best one in its first entry */

/* With an entry that is no number LAPACK gives some result, or does not return. */
static bool has_nan(size_t count, const double *A) {
    for (size_t i = 0; i < count; i++)
        if (isnan(A[i])) return true;
    return false;
}

static double *work_of(double best, int *size) {
    *size = (int)best;
    return ts_calloc((size_t)*size + 1, sizeof(double));
}

static int singular(int info) {
    return info ? ts_fail(TORSOR_ESINGULAR, "the linear equations are singular") : 0;
}

int ts_dense_solve(int n, int columns, double *A, double *X) {
    int info = NOT_A_NUMBER, *pivot = ts_calloc((size_t)n + 1, sizeof *pivot);
    if (!has_nan((size_t)n * (size_t)n, A) && !has_nan((size_t)n * (size_t)columns, X))
        CALL(dgesv_(&n, &columns, A, &n, pivot, X, &n, &info));
    free(pivot);
    return singular(info);
}

/* X by columns. */
static int solve_definite(int n, int columns, double *A, double *X) {
    int info = NOT_A_NUMBER;
    if (!has_nan((size_t)n * (size_t)n, A) && !has_nan((size_t)n * (size_t)columns, X))
        CALL(dposv_("U", &n, &columns, A, &n, X, &n, &info, 1));
    return singular(info);
}

/* One column is the same by rows and by columns; only several need to be transposed. */
int ts_dense_solve_definite(int n, double *A, int columns, double *X) {
    if (columns == 1) return solve_definite(n, 1, A, X);
    double *Y = ts_calloc((size_t)n * (size_t)columns + 1, sizeof *Y);
    for (int i = 0; i < n * columns; i++) Y[i % columns * n + i / columns] = X[i];
    int status = solve_definite(n, columns, A, Y);
    for (int i = 0; i < n * columns; i++) X[i] = Y[i % columns * n + i / columns];
    free(Y);
    return status;
}

int ts_dense_invert_definite(int n, double *A, double *inverse) {
    for (int i = 0; i < n * n; i++) inverse[i] = i % (n + 1) == 0;
    return solve_definite(n, n, A, inverse);
}

void ts_dense_eigenvalues(int n, const double *A, double *value) {
    double B[TS_DENSE_SMALL * TS_DENSE_SMALL], work[3 * TS_DENSE_SMALL];
    assert(n <= TS_DENSE_SMALL);
    memcpy(B, A, (size_t)(n * n) * sizeof *B);
    int info, work_size = 3 * n;
    CALL(dsyev_("N", "U", &n, B, &n, value, work, &work_size, &info, 1, 1));
    for (int i = 0; i < n && info; i++) value[i] = NAN; /* entries that are not finite */
}

static int symmetric(int n, double *A, double *B, double *theta) {
    const int type = 1; /* A x = theta B x */
    double best, *work = &best;
    int info, work_size = ASK, whole_best, *whole = &whole_best, whole_size = ASK;
    CALL(dsygvd_(&type, "V", "U", &n, A, &n, B, &n, theta, work, &work_size, whole, &whole_size,
                 &info, 1, 1));
    if (info) return info;
    work = work_of(best, &work_size);
    whole_size = whole_best;
    whole = ts_calloc((size_t)whole_size + 1, sizeof *whole);
    CALL(dsygvd_(&type, "V", "U", &n, A, &n, B, &n, theta, work, &work_size, whole, &whole_size,
                 &info, 1, 1));
    free(work), free(whole);
    return info;
}

int ts_dense_symmetric(int n, double *A, double *B, double *theta) {
    size_t size = (size_t)n * (size_t)n;
    int info = has_nan(size, A) || has_nan(size, B) ? NOT_A_NUMBER : symmetric(n, A, B, theta);
    if (info > n) return ts_fail(TORSOR_ESINGULAR, "the matrix is not positive definite");
    return info ? ts_fail(TORSOR_EDIVERGED, "no eigenvalues were found (dsygvd: %d)", info) : 0;
}

static int general(int n, double *A, double *re, double *im, double *vectors) {
    double best, none, *work = &best;
    int info, work_size = ASK;
    CALL(
        dgeev_("N", "V", &n, A, &n, re, im, &none, &n, vectors, &n, work, &work_size, &info, 1, 1));
    if (info) return info;
    work = work_of(best, &work_size);
    CALL(
        dgeev_("N", "V", &n, A, &n, re, im, &none, &n, vectors, &n, work, &work_size, &info, 1, 1));
    free(work);
    return info;
}

int ts_dense_general(int n, double *A, double *re, double *im, double *vectors) {
    int info = has_nan((size_t)n * (size_t)n, A) ? NOT_A_NUMBER : general(n, A, re, im, vectors);
    return info ? ts_fail(TORSOR_EDIVERGED, "no eigenvalues were found (dgeev: %d)", info) : 0;
}

/* C^T = Q R with pivots: R and the reflectors in C. */
static void factor(int m, int n, double *C, int *pivot, double *tau) {
    double best, *work = &best;
    int info, work_size = ASK;
    CALL(dgeqp3_(&m, &n, C, &m, pivot, tau, work, &work_size, &info));
    work = work_of(best, &work_size);
    CALL(dgeqp3_(&m, &n, C, &m, pivot, tau, work, &work_size, &info));
    free(work);
}

/* All n columns of Q, from so many reflectors. */
static void gather(int n, int reflectors, double *Q, const double *tau) {
    double best, *work = &best;
    int info, work_size = ASK;
    CALL(dorgqr_(&n, &n, &reflectors, Q, &n, tau, work, &work_size, &info));
    work = work_of(best, &work_size);
    CALL(dorgqr_(&n, &n, &reflectors, Q, &n, tau, work, &work_size, &info));
    free(work);
}

/* The last columns of Q in C^T = Q R, with the rows scaled to unit length and the rank read off
 * R. */
double *ts_dense_null_space(int m, int n, const double *C, int *dim) {
    size_t size = (size_t)n;
    double *Q = ts_calloc(size * size + 1, sizeof *Q), *tau = ts_calloc(size + 1, sizeof *tau);
    int *pivot = ts_calloc((size_t)m + 1, sizeof *pivot);
    int rank = 0, used = m < n ? m : n;
    for (int i = 0; i < used; i++) {
        double length = 0;
        for (int j = 0; j < n; j++) length = hypot(length, C[i * n + j]);
        for (int j = 0; j < n && length > 0; j++) Q[i * n + j] = C[i * n + j] / length;
    }
    if (used > 0) factor(n, used, Q, pivot, tau);
    while (rank < used && fabs(Q[rank * n + rank]) > 1e-10) rank++;
    for (int j = rank; j < n; j++) memset(Q + j * n, 0, size * sizeof *Q);
    if (n > 0) gather(n, rank, Q, tau);
    memmove(Q, Q + (size_t)rank * size, (size - (size_t)rank) * size * sizeof *Q);
    *dim = n - rank;
    free(tau), free(pivot);
    return Q;
}
