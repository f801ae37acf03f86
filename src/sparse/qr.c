/* SPDX-License-Identifier: Apache-2.0 */
/* Rank-revealing QR by SuiteSparseQR (T. A. Davis, ACM TOMS 38 (2011), Algorithm 915), after
 * Heath's method.
 *
 * R is upper trapezoidal in steps: an independent column is the first to reach a new row of R.
 */
#include "sparse/qr.h"

#include <SuiteSparseQR_C.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/error.h"

struct ts_qr {
    int columns, rank;
    cholmod_common common;
    cholmod_sparse *R;
    SuiteSparse_long *E; /* column k of R is column E[k] of the matrix; NULL: k */
    int *live;           /* column of R that begins row i of R */
    int *place;          /* column of R of each column of the matrix */
    bool *dependent;     /* by column of R */
};

static cholmod_sparse *matrix(int rows, int columns, const int *start, const int *row,
                              const double *value, cholmod_common *common) {
    cholmod_sparse *A = cholmod_l_allocate_sparse(
        (size_t)rows, (size_t)columns, (size_t)start[columns], 0, 1, 0, CHOLMOD_REAL, common);
    if (!A) return NULL;
    SuiteSparse_long *p = A->p, *i = A->i;
    for (int j = 0; j <= columns; j++) p[j] = start[j];
    for (int k = 0; k < start[columns]; k++) i[k] = row[k];
    memcpy(A->x, value, (size_t)start[columns] * sizeof *value);
    return A;
}

static int last_row(const cholmod_sparse *R, int column) {
    const SuiteSparse_long *p = R->p, *i = R->i;
    SuiteSparse_long last = -1;
    for (SuiteSparse_long k = p[column]; k < p[column + 1]; k++)
        if (i[k] > last) last = i[k];
    return (int)last;
}

static void read_steps(ts_qr *qr) {
    size_t columns = (size_t)qr->columns + 1;
    qr->live = ts_calloc(columns, sizeof *qr->live);
    qr->place = ts_calloc(columns, sizeof *qr->place);
    qr->dependent = ts_calloc(columns, sizeof *qr->dependent);
    int reached = 0;
    for (int k = 0; k < qr->columns; k++) {
        qr->place[qr->E ? qr->E[k] : k] = k;
        qr->dependent[k] = last_row(qr->R, k) < reached;
        if (!qr->dependent[k]) qr->live[reached++] = k;
    }
    qr->rank = reached;
}

/* What CHOLMOD has allocated. */
static void give_back(void *qr_) {
    ts_qr *qr = qr_;
    cholmod_l_free_sparse(&qr->R, &qr->common);
    if (qr->E) cholmod_l_free((size_t)qr->columns, sizeof(SuiteSparse_long), qr->E, &qr->common);
    cholmod_l_finish(&qr->common);
}

ts_qr *ts_qr_new(int rows, int columns, const int *start, const int *row, const double *value,
                 bool keep_order, double tolerance) {
    ts_blas_ready();
    ts_qr *qr = ts_calloc(1, sizeof *qr);
    qr->columns = columns;
    cholmod_l_start(&qr->common);
    qr->common.print = 0;
    ts_hold(give_back, qr);
    cholmod_sparse *A = matrix(rows, columns, start, row, value, &qr->common);
    SuiteSparse_long rank = -1;
    ts_blas_enter();
    if (A)
        rank = SuiteSparseQR_C(keep_order ? SPQR_ORDERING_FIXED : SPQR_ORDERING_DEFAULT, tolerance,
                               0, 0, A, NULL, NULL, NULL, NULL, &qr->R, &qr->E, NULL, NULL, NULL,
                               &qr->common);
    ts_blas_leave();
    cholmod_l_free_sparse(&A, &qr->common);
    if (qr->common.status == CHOLMOD_OUT_OF_MEMORY)
        ts_no_memory("the rank of %d by %d equations", rows, columns);
    if (rank < 0 || !qr->R) {
        ts_qr_free(qr);
        return NULL;
    }
    read_steps(qr);
    return qr;
}

void ts_qr_free(ts_qr *qr) {
    if (!qr) return;
    give_back(qr);
    ts_unhold(give_back, qr);
    free(qr->live), free(qr->place), free(qr->dependent);
    free(qr);
}

int ts_qr_rank(const ts_qr *qr) { return qr->rank; }

bool ts_qr_dependent(const ts_qr *qr, int column) { return qr->dependent[qr->place[column]]; }

void ts_qr_combination(const ts_qr *qr, int column, double *x) {
    const SuiteSparse_long *p = qr->R->p, *i = qr->R->i;
    const double *v = qr->R->x;
    double *b = ts_calloc((size_t)qr->R->nrow + 1, sizeof *b);
    int k = qr->place[column];
    memset(x, 0, (size_t)qr->columns * sizeof *x);
    for (SuiteSparse_long a = p[k]; a < p[k + 1]; a++) b[i[a]] += v[a];
    for (int row = qr->rank - 1; row >= 0; row--) {
        if (b[row] == 0) continue;
        int from = qr->live[row];
        double pivot = 0;
        for (SuiteSparse_long a = p[from]; a < p[from + 1]; a++)
            if (i[a] == row) pivot = v[a];
        double weight = b[row] / pivot;
        for (SuiteSparse_long a = p[from]; a < p[from + 1]; a++) b[i[a]] -= weight * v[a];
        x[qr->E ? qr->E[from] : from] = weight;
    }
    free(b);
}
