/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices: solutions against products, eigenvalues against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense.h"
#include "torsor/torsor.h"

enum { N = 6, COLUMNS = 3 };

/* Hilbert's matrix plus the identity: symmetric, positive definite, nothing special. */
static double entry(int i, int j) { return 1.0 / (i + j + 1) + (i == j); }

static void fill(double *A) {
    for (int i = 0; i < N * N; i++) A[i] = entry(i / N, i % N);
}

static void definite_equations(void **state) {
    (void)state;
    double A[N * N], X[N * COLUMNS], B[N * COLUMNS], one[N];
    for (int i = 0; i < N * COLUMNS; i++) X[i] = B[i] = sin(i + 1.0);
    for (int i = 0; i < N; i++) one[i] = B[i * COLUMNS];
    fill(A);
    assert_int_equal(ts_dense_solve_definite(N, A, COLUMNS, X), 0);
    fill(A);
    assert_int_equal(ts_dense_solve_definite(N, A, 1, one), 0);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < COLUMNS; c++) {
            double sum = -B[i * COLUMNS + c];
            for (int j = 0; j < N; j++) sum += entry(i, j) * X[j * COLUMNS + c];
            assert_true(fabs(sum) < 1e-14);
        }
    for (int i = 0; i < N; i++) assert_true(fabs(one[i] - X[i * COLUMNS]) < 1e-14);
}

static void inverses(void **state) {
    (void)state;
    double A[N * N], inverse[N * N];
    fill(A);
    assert_int_equal(ts_dense_invert_definite(N, A, inverse), 0);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double sum = -(i == k);
            for (int j = 0; j < N; j++) sum += entry(i, j) * inverse[j * N + k];
            assert_true(fabs(sum) < 1e-14);
        }
}

static void what_is_not_definite_is_refused(void **state) {
    (void)state;
    double A[] = {1, 2, 2, 1}, b[] = {1, 1}, zero[4] = {0}, x[] = {1, 1};
    assert_int_equal(ts_dense_solve_definite(2, A, 1, b), TORSOR_ESINGULAR);
    assert_int_equal(ts_dense_solve(2, 1, zero, x), TORSOR_ESINGULAR);
}

/* LAPACK itself computes on, and ends well. */
static void what_is_no_number_is_refused(void **state) {
    (void)state;
    double A[] = {1, 0, 0, NAN}, B[] = {1, 0, 0, 1}, x[] = {1, NAN}, re[2], im[2], V[4];
    assert_int_equal(ts_dense_solve(2, 1, B, x), TORSOR_ESINGULAR);
    assert_int_equal(ts_dense_solve_definite(2, B, 1, x), TORSOR_ESINGULAR);
    assert_int_equal(ts_dense_general(2, A, re, im, V), TORSOR_EDIVERGED);
    assert_int_equal(ts_dense_symmetric(2, A, B, re), TORSOR_EDIVERGED);
}

/* A turn by a right angle: -i and i. One vector of two pulls in their plane is free in space. */
static void general_eigenvalues_and_null_spaces(void **state) {
    (void)state;
    double turn[] = {0, 1, -1, 0}, re[2], im[2], V[4], pulls[] = {1, 2, 2, 2, 4, 4, 0, 1, -1};
    assert_int_equal(ts_dense_general(2, turn, re, im, V), 0);
    assert_true(fabs(re[0]) < 1e-15 && fabs(fabs(im[0]) - 1) < 1e-15 && im[0] == -im[1]);
    int dim;
    double *Z = ts_dense_null_space(3, 3, pulls, &dim), scale = 3 * sqrt(2) * (Z[0] < 0 ? -1 : 1);
    assert_int_equal(dim, 1); /* the second pull is the first, twice; the cross product is left */
    assert_true(fabs(Z[0] * scale - 4) < 1e-14 && fabs(Z[1] * scale + 1) < 1e-14);
    assert_true(fabs(Z[2] * scale + 1) < 1e-14);
    free(Z);
}

/* The second difference has the eigenvalues 2 - 2 cos(k pi / (n + 1)). */
static void eigenvalues(void **state) {
    (void)state;
    double A[N * N] = {0}, value[N];
    for (int i = 0; i < N; i++) {
        A[i * N + i] = 2;
        if (i > 0) A[i * N + i - 1] = A[(i - 1) * N + i] = -1;
    }
    ts_dense_eigenvalues(N, A, value);
    for (int k = 0; k < N; k++)
        assert_true(fabs(value[k] - 2 + 2 * cos((k + 1) * M_PI / (N + 1))) < 1e-14);
}

/* ---- threads ---- */

enum { WIDE = 48, THREADS = 4, TIMES = 400 };

static void solve_wide(double *x) {
    double *A = malloc(WIDE * WIDE * sizeof *A);
    for (int i = 0; i < WIDE * WIDE; i++) A[i] = 1.0 / (i / WIDE + i % WIDE + 1);
    for (int i = 0; i < WIDE; i++) A[i * (WIDE + 1)] += 1, x[i] = sin(i + 1.0);
    if (ts_dense_solve(WIDE, 1, A, x)) x[0] = NAN;
    free(A);
}

typedef struct crowd {
    double expected[WIDE];
    atomic_int wrong;
} crowd;

static void *solve_again(void *crowd_) {
    crowd *c = crowd_;
    double x[WIDE];
    for (int i = 0; i < TIMES; i++) {
        solve_wide(x);
        c->wrong += memcmp(x, c->expected, sizeof x) != 0;
    }
    return NULL;
}

/* OpenBLAS without threads gives one buffer to two callers: see base/blas.c. */
static void threads_side_by_side(void **state) {
    (void)state;
    crowd c = {.wrong = 0};
    pthread_t thread[THREADS];
    solve_wide(c.expected);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, solve_again, &c), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    assert_int_equal(c.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definite_equations),
        cmocka_unit_test(inverses),
        cmocka_unit_test(what_is_not_definite_is_refused),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(general_eigenvalues_and_null_spaces),
        cmocka_unit_test(eigenvalues),
        cmocka_unit_test(threads_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
