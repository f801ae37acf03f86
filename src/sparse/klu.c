/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisation by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37 (2010), Algorithm 907).
 *
 * One analysis per pattern. The first factorisation chooses pivots; the following ones reuse them,
 * which costs a fraction, until the reciprocal condition estimate becomes too small. KLU works
 * entry by entry, which is best for thin factors: chains, trees, beams. KLU finds the pivots and
 * the first factors. Solutions use a copy of the factors in runs of columns (triangle.c), and
 * renewal.c computes new values: both give the results of KLU with fewer instructions. KLU's own
 * factors are freed. */
#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sparse/renewal.h"
#include "sparse/solver.h"
#include "sparse/triangle.h"

typedef struct own {
    const ts_linear_equations *e;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric; /* while pivots are chosen */
    double rcond;         /* when they were chosen */
    /* in the order of pivots: rows, their scales, pivots, what is solved for */
    int *row;
    double *scale, *pivot, *x;
    bool off_diagonal;
    double entries; /* of both factors */
    ts_triangle *lower, *upper;
    ts_renewal *renewal; /* NULL: there are no factors */
} own;

static void release(own *lu);

/* Frees the memory that KLU allocated. */
static void give_back(void *own_) {
    own *lu = own_;
    release(lu);
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
    size_t n = (size_t)e->A->n + 1;
    lu->row = ts_calloc(n, sizeof *lu->row);
    lu->scale = ts_calloc(n, sizeof *lu->scale);
    lu->pivot = ts_calloc(2 * n, sizeof *lu->pivot);
    lu->x = ts_calloc(2 * n, sizeof *lu->x);
    return lu;
}

/* ---- the copy of the factors ---- */

static void drop_copy(own *lu) {
    ts_triangle_free(lu->lower), ts_triangle_free(lu->upper);
    ts_renewal_free(lu->renewal);
    lu->lower = lu->upper = NULL, lu->renewal = NULL;
}

/* The entries of a factor on their way: columns, rows, values. */
typedef struct entries {
    int *start, *row;
    double *re, *im;
} entries;

/* Room for the larger factor. */
static entries room_for_one(const own *lu) {
    const klu_numeric *of = lu->numeric;
    size_t most = 1 + (size_t)(of->lnz > of->unz ? of->lnz : of->unz);
    return (entries){.start = ts_calloc((size_t)lu->e->A->n + 1, sizeof(int)),
                     .row = ts_calloc(most, sizeof(int)),
                     .re = ts_calloc(most, sizeof(double)),
                     .im = lu->e->z ? ts_calloc(most, sizeof(double)) : NULL};
}

/* KLU gives the entries of a factor away by columns. */
static void extract(own *lu, bool upper, entries *e) {
    int *p = e->start, *i = e->row;
    double *x = e->re, *z = e->im;
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

static void discard(entries *e) { free(e->start), free(e->row), free(e->re), free(e->im); }

static void copy_factor(own *lu, bool upper, const entries *e, ts_triangle **to) {
    *to = ts_triangle_new(lu->e->A->n, e->start, e->row, upper, lu->e->z != NULL);
    ts_triangle_fill(*to, e->re, e->im);
    ts_renewal_pattern(lu->renewal, upper, e->start, e->row, ts_triangle_places(*to));
}

static void sort_rows(own *lu) {
    if (lu->e->z)
        klu_z_sort(lu->symbolic, lu->numeric, &lu->common);
    else
        klu_sort(lu->symbolic, lu->numeric, &lu->common);
}

static void copy_pivots(own *lu) {
    const klu_numeric *of = lu->numeric;
    size_t n = (size_t)lu->e->A->n, parts = lu->e->z ? 2 : 1;
    memcpy(lu->row, of->Pnum, n * sizeof *lu->row);
    memcpy(lu->scale, of->Rs, n * sizeof *lu->scale);
    memcpy(lu->pivot, of->Udiag, parts * n * sizeof *lu->pivot);
    lu->entries = (double)of->lnz + of->unz;
    lu->off_diagonal = lu->common.noffdiag > 0;
}

/* Solutions multiply by the reciprocals of pivots and of the scales of rows. */
static void set_reciprocals(own *lu) {
    ts_triangle_pivots(lu->upper, lu->pivot);
    for (int k = 0; k < lu->e->A->n; k++) lu->scale[k] = 1 / lu->scale[k];
}

/* KLU's own factors are given back as soon as nothing is left to be read. */
static void copy_factors(own *lu) {
    sort_rows(lu);
    copy_pivots(lu);
    lu->renewal = ts_renewal_new(lu->e->A, lu->row, lu->symbolic->Q, lu->e->z != NULL);
    entries e = room_for_one(lu);
    extract(lu, false, &e);
    copy_factor(lu, false, &e, &lu->lower);
    extract(lu, true, &e);
    release(lu);
    copy_factor(lu, true, &e, &lu->upper);
    discard(&e);
    set_reciprocals(lu);
}

/* ---- factors ---- */

static void release(own *lu) {
    if (!lu->numeric) return;
    if (lu->e->z)
        klu_z_free_numeric(&lu->numeric, &lu->common);
    else
        klu_free_numeric(&lu->numeric, &lu->common);
}

static void forget(void *own_) {
    release(own_);
    drop_copy(own_);
}

static void close_klu(void *own_) {
    own *lu = own_;
    give_back(lu);
    ts_unhold(give_back, lu);
    drop_copy(lu);
    free(lu->row), free(lu->scale), free(lu->pivot), free(lu->x);
    free(lu);
}

/* Real and complex share everything but the names of the routines. */
static void choose_pivots(own *lu) {
    const ts_sparse *A = lu->e->A;
    if (lu->e->z)
        lu->numeric = klu_z_factor(A->start, A->row, lu->e->z, lu->symbolic, &lu->common);
    else
        lu->numeric = klu_factor(A->start, A->row, A->value, lu->symbolic, &lu->common);
}

/* The smallest pivot over the largest; 0: there is none, or one is no number. A complex one counts
 * with the sum of its parts. */
static double reciprocal_condition(const own *lu) {
    const double *pivot = lu->pivot;
    double least = INFINITY, most = 0;
    bool numbers = true;
    for (int k = 0; k < lu->e->A->n; k++) {
        double size = lu->e->z ? fabs(pivot[2 * k]) + fabs(pivot[2 * k + 1]) : fabs(pivot[k]);
        numbers = numbers && size > 0;
        least = size < least ? size : least, most = size > most ? size : most;
    }
    return numbers && most > 0 ? least / most : 0;
}

/* New values by the old pivots, if these still serve. */
static bool renewed(own *lu) {
    const double *value = lu->e->z ? lu->e->z : lu->e->A->value;
    if (!ts_renew(lu->renewal, value, lu->scale, lu->pivot)) return false;
    if (reciprocal_condition(lu) < 1e-4 * lu->rcond) return false;
    set_reciprocals(lu);
    return true;
}

static void too_large(const own *lu) {
    ts_no_memory("the factors of the linear equations (KLU, %d unknowns%s); try `solver: mumps`",
                 lu->e->A->n, lu->common.status == KLU_TOO_LARGE ? ", more than 2^31 entries" : "");
}

static int factor(void *own_, int *where) {
    own *lu = own_;
    *where = -1;
    lu->common.tol = lu->e->tolerance;
    if (!lu->symbolic && lu->common.status == KLU_OUT_OF_MEMORY) too_large(lu);
    if (!lu->symbolic)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be ordered");
    if (lu->renewal && renewed(lu)) return 0;
    forget(lu);
    choose_pivots(lu);
    int status = lu->common.status;
    if (status == KLU_OUT_OF_MEMORY || status == KLU_TOO_LARGE) too_large(lu);
    if (!lu->numeric || status == KLU_SINGULAR) {
        *where = lu->common.singular_col;
        forget(lu);
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    copy_factors(lu);
    lu->rcond = reciprocal_condition(lu);
    return 0;
}

/* As klu_solve: rows scaled and in the order of pivots, both triangles, columns back in theirs.
 * `parts` of a number: 1 or 2. */
static inline __attribute__((always_inline)) void solve_by_copy(own *lu, int parts, double *x) {
    const int n = lu->e->A->n, *row = lu->row, *column = lu->symbolic->Q;
    const double *scale = lu->scale;
    double *y = lu->x;
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++) y[parts * k + p] = x[parts * row[k] + p] * scale[k];
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
    if (!lu->renewal) return; /* as KLU's own, without factors */
    if (lu->e->z)
        solve_by_copy(lu, 2, x);
    else
        solve_by_copy(lu, 1, x);
}

static double fill(const void *own_) {
    const own *lu = own_;
    return lu->renewal ? lu->entries : 0;
}

static int negative(const void *own_) {
    const own *lu = own_;
    if (!lu->renewal || lu->e->z || lu->off_diagonal) return -1;
    int count = 0;
    for (int i = 0; i < lu->e->A->n; i++) count += lu->pivot[i] < 0;
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
