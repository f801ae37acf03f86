/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisation by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37 (2010), Algorithm 907).
 *
 * One analysis per pattern. The first factorisation chooses pivots; the following ones reuse them,
 * which costs a fraction, and the reciprocal condition estimate tells when they have become bad. It
 * works entry by entry, which is best where the factors are thin: chains, trees, beams.
 */
#include <klu.h>
#include <stdlib.h>

#include "base/error.h"
#include "sparse/solver.h"

typedef struct own {
    const ts_linear_equations *e;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double rcond; /* when the pivots were chosen */
} own;

static void forget(void *own_);

/* The factors are KLU's own memory. */
static void give_back(void *own_) {
    own *lu = own_;
    forget(lu);
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
}

static void *open_klu(const ts_linear_equations *e) {
    own *lu = ts_calloc(1, sizeof *lu);
    lu->e = e;
    klu_defaults(&lu->common);
    ts_hold(give_back, lu);
    lu->common.btf = 0; /* joints tie everything together: one block */
    lu->symbolic = klu_analyze_given(e->A->n, e->A->start, e->A->row, e->permutation,
                                     e->permutation, &lu->common);
    return lu;
}

static void forget(void *own_) {
    own *lu = own_;
    if (!lu->numeric) return;
    if (lu->e->z)
        klu_z_free_numeric(&lu->numeric, &lu->common);
    else
        klu_free_numeric(&lu->numeric, &lu->common);
}

static void close_klu(void *own_) {
    give_back(own_);
    ts_unhold(give_back, own_);
    free(own_);
}

/* Real and complex share everything but the names of the routines. */
static int renew(own *lu) {
    const ts_sparse *A = lu->e->A;
    if (lu->e->z)
        return klu_z_refactor(A->start, A->row, lu->e->z, lu->symbolic, lu->numeric, &lu->common);
    return klu_refactor(A->start, A->row, A->value, lu->symbolic, lu->numeric, &lu->common);
}

static void choose_pivots(own *lu) {
    const ts_sparse *A = lu->e->A;
    if (lu->e->z)
        lu->numeric = klu_z_factor(A->start, A->row, lu->e->z, lu->symbolic, &lu->common);
    else
        lu->numeric = klu_factor(A->start, A->row, A->value, lu->symbolic, &lu->common);
}

static double reciprocal_condition(own *lu) {
    if (lu->e->z)
        klu_z_rcond(lu->symbolic, lu->numeric, &lu->common);
    else
        klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    return lu->common.rcond;
}

static bool refactored(own *lu) {
    return renew(lu) && lu->common.status != KLU_SINGULAR &&
           reciprocal_condition(lu) >= 1e-4 * lu->rcond;
}

static void too_large(const own *lu) {
    ts_no_memory("the factors of the linear equations (KLU, %d unknowns%s); `solver: mumps` may do",
                 lu->e->A->n, lu->common.status == KLU_TOO_LARGE ? ", more than 2^31 entries" : "");
}

static int factor(void *own_, int *where) {
    own *lu = own_;
    *where = -1;
    lu->common.tol = lu->e->tolerance;
    if (!lu->symbolic && lu->common.status == KLU_OUT_OF_MEMORY) too_large(lu);
    if (!lu->symbolic)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be ordered");
    if (lu->numeric && refactored(lu)) return 0;
    forget(lu);
    choose_pivots(lu);
    int status = lu->common.status;
    if (status == KLU_OUT_OF_MEMORY || status == KLU_TOO_LARGE) too_large(lu);
    if (!lu->numeric || status == KLU_SINGULAR) {
        *where = lu->common.singular_col;
        forget(lu);
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    lu->rcond = reciprocal_condition(lu);
    return 0;
}

static void solve(void *own_, double *x) {
    own *lu = own_;
    if (lu->e->z)
        klu_z_solve(lu->symbolic, lu->numeric, lu->e->A->n, 1, x, &lu->common);
    else
        klu_solve(lu->symbolic, lu->numeric, lu->e->A->n, 1, x, &lu->common);
}

static double fill(const void *own_) {
    const own *lu = own_;
    return lu->numeric ? (double)lu->numeric->lnz + lu->numeric->unz : 0;
}

static int negative(const void *own_) {
    const own *lu = own_;
    if (!lu->numeric || lu->e->z || lu->common.noffdiag > 0) return -1;
    const double *pivot = lu->numeric->Udiag;
    int count = 0;
    for (int i = 0; i < lu->e->A->n; i++) count += pivot[i] < 0;
    return count;
}

const ts_solver TS_SOLVER_KLU = {.name = "klu",
                                 .help = "entry by entry, for thin factors: chains, trees, beams",
                                 .open = open_klu,
                                 .factor = factor,
                                 .forget = forget,
                                 .solve = solve,
                                 .fill = fill,
                                 .negative = negative,
                                 .close = close_klu};
