/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular equations by runs of columns (src/sparse/triangle.c): the same bits as entry by entry,
 * and KLU's own solutions to round-off, real and complex, on rings of blocks, near and far, and on
 * sparse random matrices that have no runs, before and after values change; and, with small
 * integers, the solution that was put in.
 */
#include "factors.h"
#include "sparse/pair.h"
#include "sparse/triangle.h"

/* Values that ask for some pivots off the diagonal, too. */
static void draw_values(ts_sparse *A, double *z) {
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            double large = A->row[k] == j && j % 7 ? 4 : 1;
            A->value[k] = large * draw();
            if (z) z[2 * k] = large * draw(), z[2 * k + 1] = draw();
        }
}

static void solve_other(other *o, const ts_sparse *A, double *x) {
    if (o->complex)
        klu_z_solve(o->symbolic, o->numeric, A->n, 1, x, &o->common);
    else
        klu_solve(o->symbolic, o->numeric, A->n, 1, x, &o->common);
}

static void reverse(int n, int parts, double *x) {
    for (int k = 0; k < n / 2; k++)
        for (int p = 0; p < parts; p++) {
            double *a = x + parts * k + p, *b = x + parts * (n - 1 - k) + p, kept = *a;
            *a = *b, *b = kept;
        }
}

/* As klu_solve does it. */
static void solve_by_triangles(other *o, int n, const ts_triangle *lower, const ts_triangle *upper,
                               int parts, double *x) {
    double *y = calloc(2 * ((size_t)n + 1), sizeof *y);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++)
            y[parts * k + p] = x[parts * o->numeric->Pnum[k] + p] / o->numeric->Rs[k];
    ts_triangle_solve(lower, y);
    reverse(n, parts, y);
    ts_triangle_solve(upper, y);
    reverse(n, parts, y);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++) x[parts * o->symbolic->Q[k] + p] = y[parts * k + p];
    free(y);
}

/* x_i -= T_ik x_k entry by entry, the columns one behind the other, or the last first. */
static void less_column(const entries *T, int k, int parts, double *x) {
    for (int p = T->start[k]; p < T->start[k + 1]; p++) {
        int i = T->row[p];
        if (i == k) continue;
        if (parts == 1)
            x[i] -= T->re[p] * x[k];
        else
            store(x + 2 * i,
                  load(x + 2 * i) - product((two){T->re[p], T->im[p]}, factor_of(load(x + 2 * k))));
    }
}

static void solve_by_entries(other *o, int n, const entries *L, const entries *U, int parts,
                             double *x) {
    const double *pivot = o->numeric->Udiag;
    double *y = calloc(2 * ((size_t)n + 1), sizeof *y);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++)
            y[parts * k + p] = x[parts * o->numeric->Pnum[k] + p] / o->numeric->Rs[k];
    for (int k = 0; k < n; k++) less_column(L, k, parts, y);
    for (int k = n - 1; k >= 0; k--) {
        if (parts == 1)
            y[k] *= 1 / pivot[k];
        else
            store(y + 2 * k,
                  product(load(y + 2 * k), factor_of(reciprocal(pivot[2 * k], pivot[2 * k + 1]))));
        less_column(U, k, parts, y);
    }
    for (int k = 0; k < n; k++)
        for (int p = 0; p < parts; p++) x[parts * o->symbolic->Q[k] + p] = y[parts * k + p];
    free(y);
}

static void expect_close(int count, const double *x, const double *y) {
    double size = 0, off = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    for (int i = 0; i < count; i++) off = fmax(off, fabs(x[i] - y[i]));
    if (!(off <= 1e-11 * size)) fail_msg("%.2g of the largest number off", off / size);
}

/* Equal as numbers are: 0 and -0 are, and what is no number is not. */
static void expect_same(int count, const double *x, const double *y) {
    for (int i = 0; i < count; i++) assert_true(x[i] == y[i]);
}

/* ---- tests ---- */

static void check_matrix(ts_sparse *A, bool complex, double tolerance) {
    int n = A->n, parts = complex ? 2 : 1;
    double *z = complex ? calloc(2 * (size_t)A->nnz + 1, sizeof *z) : NULL,
           *value = complex ? z : A->value;
    double *x = calloc(2 * (size_t)n, sizeof *x), *y = calloc(2 * (size_t)n, sizeof *y),
           *plain = calloc(2 * (size_t)n, sizeof *plain);
    other o;
    draw_values(A, z);
    open_other(&o, A, complex, value, tolerance);
    entries L = room_for(n, o.numeric->lnz), U = room_for(n, o.numeric->unz);
    extract(&o, &L, &U);
    ts_triangle *lower = ts_triangle_new(n, L.start, L.row, false, complex);
    ts_triangle *upper = ts_triangle_new(n, U.start, U.row, true, complex);
    for (int again = 0; again < 3; again++) {
        ts_triangle_fill(lower, L.re, complex ? L.im : NULL);
        ts_triangle_fill(upper, U.re, complex ? U.im : NULL);
        ts_triangle_pivots(upper, o.numeric->Udiag);
        for (int i = 0; i < parts * n; i++) x[i] = y[i] = plain[i] = draw();
        solve_other(&o, A, x);
        solve_by_triangles(&o, n, lower, upper, parts, y);
        solve_by_entries(&o, n, &L, &U, parts, plain);
        expect_same(parts * n, plain, y), expect_close(parts * n, x, y);
        draw_values(A, z);
        renew_other(&o, A, value);
        extract(&o, &L, &U);
    }
    ts_triangle_free(lower), ts_triangle_free(upper);
    discard(&L), discard(&U), close_other(&o);
    free(z), free(x), free(y), free(plain);
    ts_sparse_free(A);
}

static void test_same_bits(void **state) {
    (void)state;
    for (int complex = 0; complex < 2; complex++)
        for (int b = 1; b <= 7; b++) {
            check_matrix(blocks(12, b, 1), complex, 1e-3);
            check_matrix(blocks(20, b, 5), complex, 1e-3);
            check_matrix(blocks(9, b, 3), complex, 0.9); /* many pivots off the diagonal */
            check_matrix(scattered(40 + b, 30 * b), complex, 1e-3);
        }
    check_matrix(blocks(6, 10, 1), false, 1e-3); /* runs that are cut: more than 32 alike */
    check_matrix(blocks(6, 10, 1), true, 1e-3);
    check_matrix(scattered(1, 0), false, 1e-3);
    check_matrix(scattered(1, 0), true, 1e-3);
}

/* A triangle of small integers, with holes, times a vector of such: exact without round-off. */
static void test_integers(void **state) {
    enum { N = 50 };
    (void)state;
    for (int upper = 0; upper < 2; upper++) {
        int start[N + 1] = {0}, row[N * N];
        double value[N * N], x[N + 1] = {0}, wanted[N], b[N] = {0}, pivot[N];
        for (int k = 0; k < N; k++) wanted[k] = draw_below(9) - 4;
        for (int k = 0, count = 0; k < N; k++) {
            for (int i = upper ? 0 : k; i < (upper ? k + 1 : N); i++) {
                if (i != k && (i / 5 + k / 5) % 3) continue;
                double entry = i == k ? (upper ? 2 : 1) : draw_below(7) - 3;
                row[count] = i, value[count++] = entry, b[i] += entry * wanted[k];
            }
            start[k + 1] = count;
        }
        ts_triangle *t = ts_triangle_new(N, start, row, upper, false);
        ts_triangle_fill(t, value, NULL);
        for (int k = 0; k < N; k++) pivot[k] = 2;
        if (upper) ts_triangle_pivots(t, pivot);
        memcpy(x, b, sizeof b);
        if (upper) reverse(N, 1, x);
        ts_triangle_solve(t, x);
        if (upper) reverse(N, 1, x);
        expect_same(N, x, wanted);
        ts_triangle_free(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits),
                                       cmocka_unit_test(test_integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
