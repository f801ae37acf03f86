/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues by ARPACK (Lehoucq, Sorensen, Yang, ARPACK Users' Guide, 1998). See eigen.h.
 *
 * ARPACK requests products by reverse communication. The operator is applied to the first vector
 * once. This removes its massless part, which the operator ignores but which would make the inner
 * product wrong. */
#include "sparse/eigen.h"

#include <arpack.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/error.h"

static const double TOLERANCE = 1e-13;
/* where round-off of the operator allows no better: members 1e9 as stiff as others */
static const double POOR = 1e-8;
enum { RESTARTS = 1000 };

typedef struct arnoldi {
    const ts_operator *op;
    int n, k, ncv, work;
    double *residual, *basis, *space, *workl, *scratch;
    a_int iparam[11], ipntr[14];
    a_int info;
} arnoldi;

static void arbitrary(double *x, int n) {
    uint64_t seed = 1871;
    for (int i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[i] = (double)(seed >> 40) / (double)(1 << 23) - 1;
    }
}

/* ARPACK keeps numbers from call to call, so that one search ends before another one begins. */
static void leave(void *a) {
    (void)a;
    ts_blas_leave();
}

static void begin(arnoldi *a, const ts_operator *op, int k, int mode, int work) {
    ts_blas_enter();
    ts_hold(leave, a);
    *a = (arnoldi){.op = op, .n = op->n, .k = k, .info = 1};
    a->ncv = 2 * k + 20 < op->n ? 2 * k + 20 : op->n;
    a->work = work == 2 ? 3 * a->ncv * (a->ncv + 2) : a->ncv * (a->ncv + 8);
    size_t n = (size_t)op->n;
    a->residual = ts_calloc(n, sizeof(double));
    a->scratch = ts_calloc(n, sizeof(double));
    a->basis = ts_calloc(n * (size_t)a->ncv, sizeof(double));
    a->space = ts_calloc(3 * n, sizeof(double));
    a->workl = ts_calloc((size_t)a->work, sizeof(double));
    a->iparam[0] = 1, a->iparam[2] = RESTARTS, a->iparam[6] = mode;
    arbitrary(a->scratch, op->n);
    if (op->mass) {
        op->mass(op->context, a->scratch, a->residual);
        memcpy(a->scratch, a->residual, n * sizeof(double));
    }
    op->apply(op->context, a->scratch, a->residual);
}

static void end(arnoldi *a) {
    free(a->residual), free(a->scratch), free(a->basis), free(a->space), free(a->workl);
    ts_unhold(leave, a);
    leave(a);
}

/* Serves a request of ARPACK; false when ARPACK has finished. */
static bool serve(arnoldi *a, a_int ido) {
    const ts_operator *op = a->op;
    double *x = a->space + a->ipntr[0] - 1, *y = a->space + a->ipntr[1] - 1;
    if (ido == 1 && op->mass) {
        op->apply(op->context, a->space + a->ipntr[2] - 1, y);
    } else if (ido == -1 && op->mass) {
        op->mass(op->context, x, a->scratch);
        op->apply(op->context, a->scratch, y);
    } else if (ido == 2) {
        op->mass(op->context, x, y);
    } else if (ido == 1 || ido == -1) {
        op->apply(op->context, x, y);
    } else {
        return false;
    }
    return true;
}

static int judge(const arnoldi *a, const char *routine) {
    if (a->info == 0) return 0;
    if (a->info == 1)
        return ts_fail(TORSOR_EDIVERGED, "the eigenvalues did not converge (%d of %d did)",
                       (int)a->iparam[4], a->k);
    if (a->info == -9) /* the first vector, which has been through the operator, is zero */
        return ts_fail(TORSOR_EDIVERGED,
                       "there are no eigenvalues: in buckling, because the loads stress nothing; "
                       "are they on nodes that are held?");
    return ts_fail(TORSOR_EDIVERGED, "no eigenvalues were found (%s: %d)", routine, (int)a->info);
}

static int eigen_symmetric(const ts_operator *op, int k, double tolerance, double *theta,
                           double *vectors) {
    arnoldi a;
    a_int ido = 0;
    begin(&a, op, k, 3, 1);
    do
        dsaupd_c(&ido, "G", a.n, "LM", k, tolerance, a.residual, a.ncv, a.basis, a.n, a.iparam,
                 a.ipntr, a.space, a.workl, a.work, &a.info);
    while (serve(&a, ido));
    int code = judge(&a, "dsaupd");
    if (!code) {
        a_int *select = ts_calloc((size_t)a.ncv, sizeof *select);
        double *d = ts_calloc((size_t)k, sizeof *d); /* 1/theta, for the shift 0 */
        dseupd_c(1, "A", select, d, vectors, a.n, 0, "G", a.n, "LM", k, tolerance, a.residual,
                 a.ncv, a.basis, a.n, a.iparam, a.ipntr, a.space, a.workl, a.work, &a.info);
        for (int i = 0; i < k; i++) theta[i] = 1 / d[i];
        code = judge(&a, "dseupd");
        free(select), free(d);
    }
    end(&a);
    return code;
}

int ts_eigen_symmetric(const ts_operator *op, int k, double *theta, double *vectors) {
    int code = eigen_symmetric(op, k, TOLERANCE, theta, vectors);
    return code == TORSOR_EDIVERGED ? eigen_symmetric(op, k, POOR, theta, vectors) : code;
}

int ts_eigen_general(const ts_operator *op, int k, double *re, double *im, double *vectors,
                     int *found) {
    arnoldi a;
    a_int ido = 0;
    begin(&a, op, k, 1, 2);
    do
        dnaupd_c(&ido, "I", a.n, "LM", k, TOLERANCE, a.residual, a.ncv, a.basis, a.n, a.iparam,
                 a.ipntr, a.space, a.workl, a.work, &a.info);
    while (serve(&a, ido));
    int code = judge(&a, "dnaupd");
    if (!code) {
        a_int *select = ts_calloc((size_t)a.ncv, sizeof *select);
        double *extra = ts_calloc(3 * (size_t)a.ncv, sizeof *extra);
        dneupd_c(1, "A", select, re, im, vectors, a.n, 0, 0, extra, "I", a.n, "LM", k, TOLERANCE,
                 a.residual, a.ncv, a.basis, a.n, a.iparam, a.ipntr, a.space, a.workl, a.work,
                 &a.info);
        *found = (int)a.iparam[4] < k + 1 ? (int)a.iparam[4] : k + 1;
        code = judge(&a, "dneupd");
        free(select), free(extra);
    }
    end(&a);
    return code;
}
