/* LU factorisation by KLU (T. A. Davis, E. Palamadai Natarajan, ACM TOMS 37 (2010), Algorithm 907).
 *
 * One analysis per pattern. The first factorisation chooses pivots; the following ones reuse them, which costs a
 * fraction, and the reciprocal condition estimate tells when they have become bad.
 */
#include <amd.h>
#include <klu.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sparse/sparse.h"

struct ts_lu {
    const ts_sparse *A;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double rcond; /* when the pivots were chosen */
    double *z;    /* complex values, or NULL: those of A */
};

/* The graph of the groups, as compressed columns with doubles removed. */
static int group_graph(const ts_sparse *A, int groups, const int *group, int **start, int **row) {
    int *first = ts_calloc((size_t)groups + 2, sizeof *first);
    int *member = ts_calloc((size_t)A->n + 1, sizeof *member),
        *seen = ts_calloc((size_t)groups + 1, sizeof *seen);
    for (int j = 0; j < A->n; j++) first[group[j] + 2]++;
    for (int g = 0; g < groups; g++) first[g + 2] += first[g + 1];
    for (int j = 0; j < A->n; j++) member[first[group[j] + 1]++] = j;
    *start = ts_calloc((size_t)groups + 1, sizeof **start);
    *row = ts_calloc((size_t)A->nnz + 1, sizeof **row);
    int count = 0;
    for (int g = 0; g < groups; g++) {
        for (int m = first[g]; m < first[g + 1]; m++)
            for (int k = A->start[member[m]]; k < A->start[member[m] + 1]; k++) {
                int other = group[A->row[k]];
                if (seen[other] == g + 1) continue;
                seen[other] = g + 1;
                (*row)[count++] = other;
            }
        (*start)[g + 1] = count;
    }
    free(first), free(member), free(seen);
    return count;
}

/* Minimum degree on the groups, spelled out for the unknowns. */
static void order(const ts_sparse *A, int groups, const int *group, int *permutation) {
    int *start, *row, *sequence = ts_calloc((size_t)groups + 1, sizeof *sequence);
    group_graph(A, groups, group, &start, &row);
    if (amd_order(groups, start, row, sequence, NULL, NULL) < 0)
        for (int g = 0; g < groups; g++) sequence[g] = g;
    int *first = ts_calloc((size_t)groups + 1, sizeof *first),
        *size = ts_calloc((size_t)groups + 1, sizeof *size);
    for (int j = 0; j < A->n; j++) size[group[j]]++;
    for (int k = 0, at = 0; k < groups; k++) first[sequence[k]] = at, at += size[sequence[k]];
    for (int j = 0; j < A->n; j++) permutation[first[group[j]]++] = j;
    free(start), free(row), free(sequence), free(first), free(size);
}

ts_lu *ts_lu_new(const ts_sparse *A, int groups, const int *group) {
    ts_lu *lu = ts_calloc(1, sizeof *lu);
    lu->A = A;
    klu_defaults(&lu->common);
    lu->common.btf = 0; /* joints tie everything together: one block */
    lu->common.tol =
        1e-15; /* stay on the diagonal: callers make it usable, the fill depends on it */
    if (!group || A->n == 0) return lu;
    int *permutation = ts_calloc((size_t)A->n, sizeof *permutation);
    order(A, groups, group, permutation);
    lu->symbolic = klu_analyze_given(A->n, A->start, A->row, permutation, permutation, &lu->common);
    free(permutation);
    return lu;
}

void ts_lu_pivoting(ts_lu *lu, double tolerance) { lu->common.tol = tolerance; }

ts_lu *ts_lu_new_complex(const ts_sparse *A, int groups, const int *group, double **value) {
    ts_lu *lu = ts_lu_new(A, groups, group);
    *value = lu->z = ts_calloc(2 * (size_t)A->nnz + 2, sizeof(double));
    return lu;
}

void ts_lu_forget(ts_lu *lu) {
    if (!lu || !lu->numeric) return;
    if (lu->z)
        klu_z_free_numeric(&lu->numeric, &lu->common);
    else
        klu_free_numeric(&lu->numeric, &lu->common);
}

void ts_lu_free(ts_lu *lu) {
    if (!lu) return;
    ts_lu_forget(lu);
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->z);
    free(lu);
}

/* Real and complex share everything but the names of the routines. */
static int renew(ts_lu *lu) {
    const ts_sparse *A = lu->A;
    if (lu->z)
        return klu_z_refactor(A->start, A->row, lu->z, lu->symbolic, lu->numeric, &lu->common);
    return klu_refactor(A->start, A->row, A->value, lu->symbolic, lu->numeric, &lu->common);
}

static void choose_pivots(ts_lu *lu) {
    const ts_sparse *A = lu->A;
    if (lu->z)
        lu->numeric = klu_z_factor(A->start, A->row, lu->z, lu->symbolic, &lu->common);
    else
        lu->numeric = klu_factor(A->start, A->row, A->value, lu->symbolic, &lu->common);
}

static double reciprocal_condition(ts_lu *lu) {
    if (lu->z)
        klu_z_rcond(lu->symbolic, lu->numeric, &lu->common);
    else
        klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    return lu->common.rcond;
}

static bool refactored(ts_lu *lu) {
    return renew(lu) && lu->common.status != KLU_SINGULAR &&
           reciprocal_condition(lu) >= 1e-4 * lu->rcond;
}

int ts_lu_factor(ts_lu *lu, int *where) {
    const ts_sparse *A = lu->A;
    *where = -1;
    if (!lu->symbolic) lu->symbolic = klu_analyze(A->n, A->start, A->row, &lu->common);
    if (!lu->symbolic)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be ordered");
    if (lu->numeric && refactored(lu)) return 0;
    ts_lu_forget(lu);
    choose_pivots(lu);
    if (!lu->numeric || lu->common.status == KLU_SINGULAR) {
        *where = lu->common.singular_col;
        ts_lu_forget(lu);
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    lu->rcond = reciprocal_condition(lu);
    return 0;
}

void ts_lu_solve(ts_lu *lu, double *x) {
    if (lu->z)
        klu_z_solve(lu->symbolic, lu->numeric, lu->A->n, 1, x, &lu->common);
    else
        klu_solve(lu->symbolic, lu->numeric, lu->A->n, 1, x, &lu->common);
}

double ts_lu_fill(const ts_lu *lu) { return lu->numeric ? lu->numeric->lnz + lu->numeric->unz : 0; }

int ts_lu_negative(const ts_lu *lu) {
    if (!lu->numeric || lu->z || lu->common.noffdiag > 0) return -1;
    const double *pivot = lu->numeric->Udiag;
    int count = 0;
    for (int i = 0; i < lu->A->n; i++) count += pivot[i] < 0;
    return count;
}
