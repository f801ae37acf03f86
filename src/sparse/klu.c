/* LU factorisation by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37 (2010), Algorithm 907).
 *
 * One analysis per pattern. The first factorisation chooses pivots; the following ones reuse them, which costs a
 * fraction, and the reciprocal condition estimate tells when they have become bad.
 */
#include <klu.h>
#include <stdlib.h>

#include "base/error.h"
#include "sparse/sparse.h"

struct ts_lu {
    const ts_sparse *A;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double rcond; /* when the pivots were chosen */
};

ts_lu *ts_lu_new(const ts_sparse *A) {
    ts_lu *lu = ts_calloc(1, sizeof *lu);
    lu->A = A;
    klu_defaults(&lu->common);
    lu->common.btf = 0;    /* a joint closes loops through everything: one block */
    lu->common.tol = 1e-12; /* stay on the diagonal: callers make it usable, the fill depends on it */
    return lu;
}

void ts_lu_forget(ts_lu *lu) {
    if (lu->numeric) klu_free_numeric(&lu->numeric, &lu->common);
}

void ts_lu_free(ts_lu *lu) {
    if (!lu) return;
    ts_lu_forget(lu);
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu);
}

static int refactor(ts_lu *lu) {
    const ts_sparse *A = lu->A;
    if (!klu_refactor(A->start, A->row, A->value, lu->symbolic, lu->numeric, &lu->common)) return 1;
    if (lu->common.status == KLU_SINGULAR) return 1;
    klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    return lu->common.rcond < 1e-4 * lu->rcond;
}

int ts_lu_factor(ts_lu *lu, int *where) {
    const ts_sparse *A = lu->A;
    *where = -1;
    if (!lu->symbolic) lu->symbolic = klu_analyze(A->n, A->start, A->row, &lu->common);
    if (!lu->symbolic)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be ordered");
    if (lu->numeric && refactor(lu) == 0) return 0;
    ts_lu_forget(lu);
    lu->numeric = klu_factor(A->start, A->row, A->value, lu->symbolic, &lu->common);
    if (!lu->numeric || lu->common.status == KLU_SINGULAR) {
        *where = lu->common.singular_col;
        ts_lu_forget(lu);
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    lu->rcond = lu->common.rcond;
    return 0;
}

void ts_lu_solve(ts_lu *lu, double *x) {
    klu_solve(lu->symbolic, lu->numeric, lu->A->n, 1, x, &lu->common);
}

double ts_lu_fill(const ts_lu *lu) { return lu->numeric ? lu->numeric->lnz + lu->numeric->unz : 0; }
