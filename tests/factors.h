/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of factors share (test_triangle.c, test_renewal.c): matrices with blocks and without,
 * and KLU's own factors beside ours. */
#ifndef TS_TEST_FACTORS_H
#define TS_TEST_FACTORS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sparse/sparse.h"

static uint64_t seed = 7;

static double draw(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static int draw_below(int n) { return (int)((draw() + 1) / 2 * n) % n; }

/* ---- matrices ---- */

static void tie(ts_sparse *A, int count, const int *eq) {
    bool mask[400];
    for (int i = 0; i < count * count; i++) mask[i] = true;
    ts_sparse_element(A, count, eq, mask);
}

/* Blocks of b unknowns, each tied to the one `reach` behind it, and the last to the first. */
static ts_sparse *blocks(int cells, int b, int reach) {
    ts_sparse *A = ts_sparse_new(cells * b);
    for (int c = 0; c < cells; c++)
        for (int to = 1; to <= reach; to += reach > 1 ? reach - 1 : 1) {
            int eq[20], next = (c + to) % cells;
            for (int i = 0; i < b; i++) eq[i] = b * c + i, eq[b + i] = b * next + i;
            tie(A, 2 * b, eq);
        }
    ts_sparse_build(A);
    return A;
}

/* Pairs of unknowns here and there. */
static ts_sparse *scattered(int n, int pairs) {
    ts_sparse *A = ts_sparse_new(n);
    for (int i = 0; i < n; i++) tie(A, 1, &i);
    for (int k = 0; k < pairs; k++) {
        int a = draw_below(n), b = draw_below(n);
        if (a != b) tie(A, 2, (int[2]){a, b});
    }
    ts_sparse_build(A);
    return A;
}

/* ---- KLU's factors ---- */

typedef struct other {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool complex;
} other;

/* Of these values in the pattern of A, in the order of the unknowns; rows of columns in theirs. */
static void open_other(other *o, ts_sparse *A, bool complex, double *value, double tolerance) {
    int *order = calloc((size_t)A->n, sizeof *order);
    for (int i = 0; i < A->n; i++) order[i] = i;
    *o = (other){.complex = complex};
    klu_defaults(&o->common);
    o->common.btf = 0, o->common.tol = tolerance;
    o->symbolic = klu_analyze_given(A->n, A->start, A->row, order, order, &o->common);
    o->numeric = complex ? klu_z_factor(A->start, A->row, value, o->symbolic, &o->common)
                         : klu_factor(A->start, A->row, value, o->symbolic, &o->common);
    assert_non_null(o->numeric);
    assert_true(complex ? klu_z_sort(o->symbolic, o->numeric, &o->common)
                        : klu_sort(o->symbolic, o->numeric, &o->common));
    free(order);
}

static void renew_other(other *o, ts_sparse *A, double *value) {
    assert_true(o->complex
                    ? klu_z_refactor(A->start, A->row, value, o->symbolic, o->numeric, &o->common)
                    : klu_refactor(A->start, A->row, value, o->symbolic, o->numeric, &o->common));
}

static void close_other(other *o) {
    if (o->complex)
        klu_z_free_numeric(&o->numeric, &o->common);
    else
        klu_free_numeric(&o->numeric, &o->common);
    klu_free_symbolic(&o->symbolic, &o->common);
}

typedef struct entries {
    int *start, *row;
    double *re, *im;
} entries;

static entries room_for(int n, int count) {
    size_t most = (size_t)count + 1;
    return (entries){calloc((size_t)n + 1, sizeof(int)), calloc(most, sizeof(int)),
                     calloc(most, sizeof(double)), calloc(most, sizeof(double))};
}

static void discard(entries *e) { free(e->start), free(e->row), free(e->re), free(e->im); }

static void extract(other *o, entries *L, entries *U) {
    assert_true(o->complex ? klu_z_extract(o->numeric, o->symbolic, L->start, L->row, L->re, L->im,
                                           U->start, U->row, U->re, U->im, NULL, NULL, NULL, NULL,
                                           NULL, NULL, NULL, NULL, &o->common)
                           : klu_extract(o->numeric, o->symbolic, L->start, L->row, L->re, U->start,
                                         U->row, U->re, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                         &o->common));
}

#endif
