/* SPDX-License-Identifier: Apache-2.0 */
/* New factors by old pivots (src/sparse/renewal.c) beside klu_refactor: the same bits for real
 * matrices, the same to round-off for complex ones, on blocks, whose columns are twins, and on
 * scattered entries; with pivots on and off the diagonal. A pivot that is zero is told.
 */
#include "factors.h"
#include "sparse/renewal.h"

/* Without `own` pivots leave the diagonal. */
static void draw_values(const ts_sparse *A, int parts, double own, double *value) {
    for (int j = 0; j < A->n; j++)
        for (int p = A->start[j]; p < A->start[j + 1]; p++) {
            for (int i = 0; i < parts; i++) value[parts * p + i] = draw();
            if (A->row[p] == j) value[parts * p] += own;
        }
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

/* A factor by renewal: values of entries in another order than they have in columns. */
typedef struct scattered_values {
    int n, parts;
    bool upper;
    uint32_t *place;
    double *value;
} scattered_values;

static scattered_values scatter(ts_renewal *r, bool upper, int n, bool complex, const entries *e) {
    int count = e->start[n];
    scattered_values s = {n, complex ? 2 : 1, upper, calloc((size_t)count + 1, sizeof *s.place),
                          calloc(2 * (size_t)count + 2, sizeof *s.value)};
    for (int p = 0; p < count; p++) s.place[p] = (uint32_t)(count - 1 - p);
    ts_renewal_pattern(r, upper, e->start, e->row, (ts_places){s.place, s.value});
    return s;
}

/* Without the diagonal, which is last in columns of U and first in those of L. */
static void compare(const scattered_values *s, const entries *e) {
    int count = e->start[s->n];
    double *own = calloc(2 * (size_t)count + 2, sizeof *own), *im = own + count;
    memcpy(own, e->re, (size_t)count * sizeof *own);
    if (s->parts == 2) memcpy(im, e->im, (size_t)count * sizeof *own);
    for (int k = 0; k < s->n; k++)
        for (int p = e->start[k] + !s->upper; p < e->start[k + 1] - s->upper; p++) {
            const double *value = s->value + (size_t)s->parts * s->place[p];
            own[p] = value[0];
            if (s->parts == 2) im[p] = value[1];
        }
    expect_near(count, e->re, own, s->parts == 2 ? 1e-9 : 0);
    if (s->parts == 2) expect_near(count, e->im, im, 1e-9);
    free(own);
}

static void check(ts_sparse *A, bool complex, double own) {
    int n = A->n, parts = complex ? 2 : 1;
    double *value = calloc((size_t)(parts * A->nnz) + 1, sizeof *value);
    double *scale = calloc((size_t)n, sizeof *scale),
           *pivot = calloc((size_t)(parts * n), sizeof *pivot);
    other o;
    draw_values(A, parts, own, value);
    open_other(&o, A, complex, value, 1e-3);
    entries L = room_for(n, o.numeric->lnz), U = room_for(n, o.numeric->unz);
    extract(&o, &L, &U);
    ts_renewal *r = ts_renewal_new(A, o.numeric->Pnum, o.symbolic->Q, complex);
    scattered_values lower = scatter(r, false, n, complex, &L),
                     upper = scatter(r, true, n, complex, &U);
    for (int again = 0; again < 3; again++) {
        if (again) draw_values(A, parts, own, value);
        renew_other(&o, A, value);
        extract(&o, &L, &U);
        assert_true(ts_renew(r, value, scale, pivot));
        expect_near(n, o.numeric->Rs, scale, complex ? 1e-15 : 0);
        expect_near(parts * n, o.numeric->Udiag, pivot, complex ? 1e-9 : 0);
        compare(&lower, &L), compare(&upper, &U);
    }
    memset(value, 0, (size_t)(parts * A->nnz) * sizeof *value);
    assert_false(ts_renew(r, value, scale, pivot));
    ts_renewal_free(r);
    discard(&L), discard(&U), close_other(&o);
    free(lower.place), free(lower.value), free(upper.place), free(upper.value);
    free(value), free(scale), free(pivot);
    ts_sparse_free(A);
}

static void test_as_klu(void **state) {
    (void)state;
    for (int complex = 0; complex < 2; complex++)
        for (int b = 1; b <= 7; b++) {
            check(blocks(12, b, 1), complex, 6);
            check(blocks(9, b, 1), complex, 0);
            check(scattered(40 + b, 30 * b), complex, 6);
        }
    check(scattered(1, 0), false, 2), check(scattered(1, 0), true, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_as_klu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
