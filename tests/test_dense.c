/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices: solutions against products, eigenvalues against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definite_equations),
        cmocka_unit_test(inverses),
        cmocka_unit_test(what_is_not_definite_is_refused),
        cmocka_unit_test(eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
