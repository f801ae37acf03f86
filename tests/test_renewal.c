/* SPDX-License-Identifier: Apache-2.0 */
/* New factors by old pivots (src/sparse/renewal.c) beside klu_refactor: the same bits for real
 * matrices, the same to round-off for complex ones, on blocks, whose columns are twins, and on
 * scattered entries; with pivots on and off the diagonal. A pivot that is zero is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sparse/renewal.h"

static uint64_t seed = 11;

static double draw(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static int draw_below(int n) { return (int)((draw() + 1) / 2 * n) % n; }

static void tie(ts_sparse *A, int count, const int *eq) {
    bool mask[400];
    for (int i = 0; i < count * count; i++) mask[i] = true;
    ts_sparse_element(A, count, eq, mask);
}

/* A ring of blocks of b unknowns. */
static ts_sparse *blocks(int cells, int b) {
    ts_sparse *A = ts_sparse_new(cells * b);
    for (int c = 0; c < cells; c++) {
        int eq[20];
        for (int i = 0; i < b; i++) eq[i] = b * c + i, eq[b + i] = b * ((c + 1) % cells) + i;
        tie(A, 2 * b, eq);
    }
    ts_sparse_build(A);
    return A;
}

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

/* Without `own` pivots leave the diagonal. */
static void draw_values(const ts_sparse *A, int parts, double own, double *value) {
    for (int j = 0; j < A->n; j++)
        for (int p = A->start[j]; p < A->start[j + 1]; p++) {
            for (int i = 0; i < parts; i++) value[parts * p + i] = draw();
            if (A->row[p] == j) value[parts * p] += own;
        }
}

typedef struct factor {
    int *start, *row;
    double *re, *im, *own_re, *own_im;
} factor;

static factor room_for(int n, int entries) {
    size_t most = (size_t)entries + 1;
    return (factor){calloc((size_t)n + 1, sizeof(int)), calloc(most, sizeof(int)),
                    calloc(most, sizeof(double)),       calloc(most, sizeof(double)),
                    calloc(most, sizeof(double)),       calloc(most, sizeof(double))};
}

static void discard(factor *f) {
    free(f->start), free(f->row), free(f->re), free(f->im), free(f->own_re), free(f->own_im);
}

typedef struct other {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool complex;
} other;

static void open_other(other *o, ts_sparse *A, int *order, double *value) {
    klu_defaults(&o->common);
    o->common.btf = 0;
    o->symbolic = klu_analyze_given(A->n, A->start, A->row, order, order, &o->common);
    o->numeric = o->complex ? klu_z_factor(A->start, A->row, value, o->symbolic, &o->common)
                            : klu_factor(A->start, A->row, value, o->symbolic, &o->common);
    assert_non_null(o->numeric);
    assert_true(o->complex ? klu_z_sort(o->symbolic, o->numeric, &o->common)
                           : klu_sort(o->symbolic, o->numeric, &o->common));
}

static void close_other(other *o) {
    if (o->complex)
        klu_z_free_numeric(&o->numeric, &o->common);
    else
        klu_free_numeric(&o->numeric, &o->common);
    klu_free_symbolic(&o->symbolic, &o->common);
}

static void extract(other *o, factor *L, factor *U) {
    if (o->complex)
        klu_z_extract(o->numeric, o->symbolic, L->start, L->row, L->re, L->im, U->start, U->row,
                      U->re, U->im, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &o->common);
    else
        klu_extract(o->numeric, o->symbolic, L->start, L->row, L->re, U->start, U->row, U->re, NULL,
                    NULL, NULL, NULL, NULL, NULL, NULL, &o->common);
}

static double largest(int count, const double *x) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void expect_near(int count, const double *x, const double *y, double tolerance) {
    double limit = tolerance * largest(count, x);
    for (int i = 0; i < count; i++) assert_true(fabs(x[i] - y[i]) <= limit);
}

static void compare(const ts_renewal *r, bool upper, int n, bool complex, factor *f) {
    double tolerance = complex ? 1e-9 : 0;
    ts_renewal_values(r, upper, f->own_re, complex ? f->own_im : NULL);
    expect_near(f->start[n], f->re, f->own_re, tolerance);
    expect_near(f->start[n], f->im, f->own_im, tolerance);
}

static void check(ts_sparse *A, bool complex, double own) {
    int n = A->n, parts = complex ? 2 : 1;
    double *value = calloc((size_t)(parts * A->nnz) + 1, sizeof *value);
    double *scale = calloc((size_t)n, sizeof *scale),
           *pivot = calloc((size_t)(parts * n), sizeof *pivot);
    int *order = calloc((size_t)n, sizeof *order);
    other o = {.complex = complex};
    for (int i = 0; i < n; i++) order[i] = i;
    draw_values(A, parts, own, value);
    open_other(&o, A, order, value);
    factor L = room_for(n, o.numeric->lnz), U = room_for(n, o.numeric->unz);
    extract(&o, &L, &U);
    ts_renewal *r = ts_renewal_new(A, o.numeric->Pnum, o.symbolic->Q, complex);
    ts_renewal_pattern(r, false, L.start, L.row);
    ts_renewal_pattern(r, true, U.start, U.row);
    for (int again = 0; again < 3; again++) {
        if (again) draw_values(A, parts, own, value);
        assert_true(complex
                        ? klu_z_refactor(A->start, A->row, value, o.symbolic, o.numeric, &o.common)
                        : klu_refactor(A->start, A->row, value, o.symbolic, o.numeric, &o.common));
        extract(&o, &L, &U);
        assert_true(ts_renew(r, value, scale, pivot));
        expect_near(n, o.numeric->Rs, scale, complex ? 1e-15 : 0);
        expect_near(parts * n, o.numeric->Udiag, pivot, complex ? 1e-9 : 0);
        compare(r, false, n, complex, &L), compare(r, true, n, complex, &U);
    }
    memset(value, 0, (size_t)(parts * A->nnz) * sizeof *value);
    assert_false(ts_renew(r, value, scale, pivot));
    ts_renewal_free(r);
    discard(&L), discard(&U), close_other(&o);
    free(value), free(scale), free(pivot), free(order);
    ts_sparse_free(A);
}

static void test_as_klu(void **state) {
    (void)state;
    for (int complex = 0; complex < 2; complex++)
        for (int b = 1; b <= 7; b++) {
            check(blocks(12, b), complex, 6);
            check(blocks(9, b), complex, 0);
            check(scattered(40 + b, 30 * b), complex, 6);
        }
    check(scattered(1, 0), false, 2), check(scattered(1, 0), true, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_klu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
