/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisation by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37 (2010), Algorithm 907).
 *
 * One analysis per pattern. The first factorisation chooses pivots; the following ones reuse them,
 * which costs a fraction, and the reciprocal condition estimate tells when they have become bad. It
 * works entry by entry, which is best where the factors are thin: chains, trees, beams. Solutions
 * are by a copy of its factors in runs of columns (triangle.c), and new values of them by
 * renewal.c: both do what KLU does, with fewer instructions.
 */
#include <klu.h>
#include <stdlib.h>

#include "base/error.h"
#include "sparse/renewal.h"
#include "sparse/solver.h"
#include "sparse/triangle.h"

/* Entries of L up to which there is a copy: of larger factors solutions wait for memory, which the
 * copy would take more of. */
static const int MOST_COPIED = 500000;

typedef struct own {
    const ts_linear_equations *e;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double rcond; /* when the pivots were chosen */
    ts_triangle *lower, *upper;
    ts_renewal *renewal;
    int *start, *row; /* the entries of one on their way: columns, rows, values */
    double *value, *imaginary;
    double *x; /* what is solved for, in the order of pivots */
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
    lu->x = ts_calloc(2 * ((size_t)e->A->n + 1), sizeof(double));
    return lu;
}

/* ---- the copy of the factors ---- */

static void drop_copy(own *lu) {
    ts_triangle_free(lu->lower), ts_triangle_free(lu->upper);
    ts_renewal_free(lu->renewal);
    lu->lower = lu->upper = NULL, lu->renewal = NULL;
    free(lu->start), free(lu->row), free(lu->value);
    lu->start = lu->row = NULL, lu->value = lu->imaginary = NULL;
}

/* Room for the larger factor, after pivots were chosen. */
static void begin_copy(own *lu) {
    const klu_numeric *of = lu->numeric;
    size_t most = 1 + (size_t)(of->lnz > of->unz ? of->lnz : of->unz);
    lu->start = ts_calloc((size_t)lu->e->A->n + 1, sizeof *lu->start);
    lu->row = ts_calloc(most, sizeof *lu->row);
    lu->value = ts_calloc((lu->e->z ? 2 : 1) * most, sizeof *lu->value);
    lu->imaginary = lu->e->z ? lu->value + most : NULL;
}

/* KLU gives the entries of a factor away by columns. */
static void extract(own *lu, bool upper) {
    int *p = lu->start, *i = lu->row;
    double *x = lu->value, *z = lu->imaginary;
    if (z && upper)
        klu_z_extract(lu->numeric, lu->symbolic, NULL, NULL, NULL, NULL, p, i, x, z, NULL, NULL,
                      NULL, NULL, NULL, NULL, NULL, NULL, &lu->common);
    else if (z)
        klu_z_extract(lu->numeric, lu->symbolic, p, i, x, z, NULL, NULL, NULL, NULL, NULL, NULL,
                      NULL, NULL, NULL, NULL, NULL, NULL, &lu->common);
    else if (upper)
        klu_extract(lu->numeric, lu->symbolic, NULL, NULL, NULL, p, i, x, NULL, NULL, NULL, NULL,
                    NULL, NULL, NULL, &lu->common);
    else
        klu_extract(lu->numeric, lu->symbolic, p, i, x, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                    NULL, NULL, NULL, &lu->common);
}

/* Of KLU's first factors. */
static void copy_factor(own *lu, bool upper, ts_triangle **to) {
    extract(lu, upper);
    *to = ts_triangle_new(lu->e->A->n, lu->start, lu->row, upper, lu->e->z != NULL);
    ts_triangle_fill(*to, lu->value, lu->imaginary);
    ts_renewal_pattern(lu->renewal, upper, lu->start, lu->row);
}

static void sort_rows(own *lu) {
    if (lu->e->z)
        klu_z_sort(lu->symbolic, lu->numeric, &lu->common);
    else
        klu_sort(lu->symbolic, lu->numeric, &lu->common);
}

static void copy_factors(own *lu) {
    if (lu->numeric->lnz > MOST_COPIED) return;
    sort_rows(lu);
    begin_copy(lu);
    lu->renewal = ts_renewal_new(lu->e->A, lu->numeric->Pnum, lu->symbolic->Q, lu->e->z != NULL);
    copy_factor(lu, false, &lu->lower);
    copy_factor(lu, true, &lu->upper);
}

static void copy_renewed(own *lu) {
    ts_renewal_values(lu->renewal, false, lu->value, lu->imaginary);
    ts_triangle_fill(lu->lower, lu->value, lu->imaginary);
    ts_renewal_values(lu->renewal, true, lu->value, lu->imaginary);
    ts_triangle_fill(lu->upper, lu->value, lu->imaginary);
}

/* ---- factors ---- */

static void forget(void *own_) {
    own *lu = own_;
    if (!lu->numeric) return;
    if (lu->e->z)
        klu_z_free_numeric(&lu->numeric, &lu->common);
    else
        klu_free_numeric(&lu->numeric, &lu->common);
}

static void close_klu(void *own_) {
    own *lu = own_;
    give_back(lu);
    ts_unhold(give_back, lu);
    drop_copy(lu);
    free(lu->x);
    free(lu);
}

/* Real and complex share everything but the names of the routines. */
static int renew(own *lu) {
    const ts_sparse *A = lu->e->A;
    if (lu->renewal)
        return ts_renew(lu->renewal, lu->e->z ? lu->e->z : A->value, lu->numeric->Rs,
                        lu->numeric->Udiag);
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
    if (lu->numeric && refactored(lu)) {
        if (lu->renewal) copy_renewed(lu);
        return 0;
    }
    forget(lu);
    drop_copy(lu);
    choose_pivots(lu);
    int status = lu->common.status;
    if (status == KLU_OUT_OF_MEMORY || status == KLU_TOO_LARGE) too_large(lu);
    if (!lu->numeric || status == KLU_SINGULAR) {
        *where = lu->common.singular_col;
        forget(lu);
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    lu->rcond = reciprocal_condition(lu);
    copy_factors(lu);
    return 0;
}

/* As klu_solve: rows scaled and in the order of pivots, both triangles, columns back in theirs.
 * `parts` of a number: 1 or 2. */
static inline __attribute__((always_inline)) void solve_by_copy(own *lu, int parts, double *x) {
    const int n = lu->e->A->n, *row = lu->numeric->Pnum, *column = lu->symbolic->Q;
    const double *scale = lu->numeric->Rs;
    double *y = lu->x;
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++) y[parts * k + p] = x[parts * row[k] + p] / scale[k];
    ts_triangle_solve(lu->lower, y);
    for (int k = 0; k < n / 2; k++)
        for (int p = 0; p < parts; p++) {
            double *a = y + parts * k + p, *b = y + parts * (n - 1 - k) + p, swapped = *a;
            *a = *b, *b = swapped;
        }
    ts_triangle_solve(lu->upper, y);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++) x[parts * column[k] + p] = y[parts * (n - 1 - k) + p];
}

static void solve(void *own_, double *x) {
    own *lu = own_;
    int n = lu->e->A->n;
    if (lu->lower && lu->e->z)
        solve_by_copy(lu, 2, x);
    else if (lu->lower)
        solve_by_copy(lu, 1, x);
    else if (lu->e->z)
        klu_z_solve(lu->symbolic, lu->numeric, n, 1, x, &lu->common);
    else
        klu_solve(lu->symbolic, lu->numeric, n, 1, x, &lu->common);
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
