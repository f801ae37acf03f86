/* SPDX-License-Identifier: Apache-2.0 */
/* Linear solvers: every back end solves the same equations to round-off, real and complex, on
 * random, saddle-point and structured matrices; finds singular ones; factors again on the same
 * pattern; and several can live at once.
 *
 * What is expected comes from the matrix itself: the residual |A x - b| of a backward stable solver
 * is a few eps |A| |x| (N. J. Higham, Accuracy and Stability of Numerical Algorithms, ch. 9).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <complex.h>
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "sparse/sparse.h"
#include "torsor/torsor.h"

static const char *const SOLVERS[] = {"klu", "mumps", "mumps/dissection", "mumps/amd",
                                      "mumps/scotch"};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* ---- matrices ---- */

/* Pairs of neighbours on a grid w x w, blocks of b unknowns, with `rows` conditions each of which
 * ties two unknowns. */
typedef struct problem {
    ts_sparse *A;
    int b, cells, rows, groups, *group;
} problem;

static void tie(ts_sparse *A, int b, int p, int q) {
    int eq[16];
    bool mask[256];
    for (int i = 0; i < b; i++) eq[i] = b * p + i, eq[b + i] = b * q + i;
    for (int i = 0; i < 4 * b * b; i++) mask[i] = true;
    ts_sparse_element(A, 2 * b, eq, mask);
}

static problem grid(int w, int b, int rows) {
    problem p = {.b = b, .cells = w * w, .rows = rows};
    int n = b * w * w + rows;
    p.A = ts_sparse_new(n);
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            if (i + 1 < w) tie(p.A, b, i * w + j, (i + 1) * w + j);
            if (j + 1 < w) tie(p.A, b, i * w + j, i * w + j + 1);
        }
    bool mask[9] = {false, false, true, false, false, true, true, true, true};
    for (int r = 0; r < rows; r++) {
        int cell = (7 * r) % (w * w), other = cell + 1 < w * w ? cell + 1 : 0;
        int eq[3] = {b * cell, b * other + 1, b * w * w + r};
        ts_sparse_element(p.A, 3, eq, mask);
    }
    ts_sparse_build(p.A);
    p.groups = w * w;
    p.group = calloc((size_t)n + 1, sizeof(int));
    for (int j = 0; j < b * w * w; j++) p.group[j] = j / b;
    for (int r = 0; r < rows; r++) p.group[b * w * w + r] = (7 * r) % (w * w);
    return p;
}

static void discard(problem *p) {
    ts_sparse_free(p->A);
    free(p->group);
}

/* Random entries, heavier diagonals; rows have none, or a tiny negative one, as in a step. */
static void fill(const problem *p, uint64_t seed, double own, double row_diagonal, double *value,
                 int stride) {
    const ts_sparse *A = p->A;
    int dofs = p->b * p->cells;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            bool diagonal = A->row[k] == j;
            double x = draw(&seed) + (diagonal ? own : 0);
            if (j >= dofs && diagonal) x = row_diagonal;
            value[k * stride] = x;
        }
}

/* ---- residuals ---- */

static double backward_error(const ts_sparse *A, const double *z, const double *x,
                             const double *b) {
    int s = z ? 2 : 1, n = A->n;
    double complex *r = calloc((size_t)n, sizeof *r);
    double *size = calloc((size_t)n, sizeof *size), largest = 0, worst = 0;
    for (int j = 0; j < n; j++) {
        double complex xj = x[s * j] + (z ? I * x[2 * j + 1] : 0);
        largest = fmax(largest, cabs(xj));
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            double complex a = z ? z[2 * k] + I * z[2 * k + 1] : A->value[k];
            r[A->row[k]] += a * xj, size[A->row[k]] += cabs(a);
        }
    }
    double norm = 0;
    for (int i = 0; i < n; i++) norm = fmax(norm, size[i]);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, cabs(r[i] - b[s * i] - (z ? I * b[2 * i + 1] : 0)));
    free(r), free(size);
    return worst / (norm * largest);
}

static double solve_with(const problem *p, const char *solver, bool grouped, double tolerance,
                         double **complex_value, uint64_t seed, double own, double diagonal) {
    const ts_sparse *A = p->A;
    double *z = NULL;
    const int *group = grouped ? p->group : NULL;
    ts_lu *lu =
        complex_value ? ts_lu_new_complex(A, p->groups, group, &z) : ts_lu_new(A, p->groups, group);
    int where, s = z ? 2 : 1;
    size_t n = (size_t)(s * A->n);
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x), worst = 0;
    ts_lu_choose(lu, solver);
    ts_lu_pivoting(lu, tolerance);
    for (int round = 0; round < 3; round++) { /* the same pattern, other values */
        fill(p, seed + (uint64_t)round, own, diagonal, z ? z : A->value, s);
        if (z) fill(p, seed + 99, 0, 0, z + 1, 2);
        for (size_t i = 0; i < n; i++) b[i] = draw(&seed);
        memcpy(x, b, n * sizeof *x);
        assert_int_equal(ts_lu_factor(lu, &where), 0);
        assert_true(ts_lu_fill(lu) >= A->n);
        ts_lu_solve(lu, x);
        worst = fmax(worst, backward_error(A, z, x, b));
    }
    assert_memory_equal(ts_lu_solver(lu), solver, strlen(ts_lu_solver(lu)));
    ts_lu_free(lu);
    free(b), free(x);
    return worst;
}

static void check(const char *what, int width, int rows, bool grouped, double tolerance, bool z,
                  double own, double diagonal, double limit) {
    problem p = grid(width, 3, rows);
    double *unused;
    for (int k = 0; k < SOLVER_COUNT; k++) {
        double error =
            solve_with(&p, SOLVERS[k], grouped, tolerance, z ? &unused : NULL, 17, own, diagonal);
        printf("  %-28s %-18s n = %5d  backward error %.1e\n", what, SOLVERS[k], p.A->n, error);
        assert_true(error < limit);
    }
    discard(&p);
}

static void random_matrices(void **state) {
    (void)state;
    check("random", 6, 0, true, 0.1, false, 0, 0, 1e3 * DBL_EPSILON);
    check("random, no groups", 6, 0, false, 0.1, false, 0, 0, 1e3 * DBL_EPSILON);
    check("random, large", 30, 0, true, 0.1, false, 0, 0, 1e5 * DBL_EPSILON);
    check("dominant, diagonal pivots", 30, 0, true, 1e-15, false, 12, 0, 100 * DBL_EPSILON);
}

static void saddle_points(void **state) {
    (void)state;
    check("saddle point", 12, 60, true, 0.1, false, 12, 0, 1e3 * DBL_EPSILON);
    check("saddle point, no groups", 12, 60, false, 0.1, false, 12, 0, 1e3 * DBL_EPSILON);
    check("quasi-definite", 12, 60, true, 1e-15, false, 12, -1e-14, 1e4 * DBL_EPSILON);
}

static void complex_matrices(void **state) {
    (void)state;
    check("complex", 8, 0, true, 0.1, true, 0, 0, 1e3 * DBL_EPSILON);
    check("complex saddle point", 12, 60, true, 0.1, true, 12, 0, 1e3 * DBL_EPSILON);
    check("complex quasi-definite", 12, 60, true, 1e-15, true, 12, -1e-14, 1e4 * DBL_EPSILON);
}

/* A matrix of one and two unknowns: nothing to order. */
static void tiny(void **state) {
    (void)state;
    for (int n = 1; n <= 2; n++)
        for (int k = 0; k < SOLVER_COUNT; k++) {
            int eq[2] = {0, 1}, group[2] = {0, 0}, where;
            bool mask[4] = {true, true, true, true};
            double dense[4] = {2, 1, 1, 3}, x[2] = {4, 5};
            ts_sparse *A = ts_sparse_new(n);
            ts_sparse_element(A, n, eq, mask);
            ts_sparse_build(A);
            ts_sparse_add(A, 0, dense);
            ts_lu *lu = ts_lu_new(A, 1, group);
            ts_lu_choose(lu, SOLVERS[k]);
            assert_int_equal(ts_lu_factor(lu, &where), 0);
            ts_lu_solve(lu, x);
            assert_true(fabs(x[0] - (n == 1 ? 2 : 1.4)) < 1e-15);
            if (n == 2) assert_true(fabs(x[1] - 1.2) < 1e-15);
            ts_lu_free(lu);
            ts_sparse_free(A);
        }
}

/* ---- singular ---- */

/* One unknown appears in no equation and one equation has no unknown: a zero row and column. Then
 * all is well again. */
static void singular_is_found(void **state) {
    (void)state;
    problem p = grid(8, 3, 10);
    const int lost = 57;
    for (int k = 0; k < SOLVER_COUNT; k++) {
        ts_lu *lu = ts_lu_new(p.A, p.groups, p.group);
        int where = -2;
        ts_lu_choose(lu, SOLVERS[k]);
        ts_lu_pivoting(lu, 0.1);
        fill(&p, 5, 12, 0, p.A->value, 1);
        for (int j = 0; j < p.A->n; j++)
            for (int i = p.A->start[j]; i < p.A->start[j + 1]; i++)
                if (j == lost || p.A->row[i] == lost) p.A->value[i] = 0;
        assert_int_equal(ts_lu_factor(lu, &where), TORSOR_ESINGULAR);
        assert_string_equal(ts_error_message(), "the linear equations are singular");
        if (strcmp(SOLVERS[k], "klu") != 0) assert_int_equal(where, lost);
        fill(&p, 6, 12, 0, p.A->value, 1);
        assert_int_equal(ts_lu_factor(lu, &where), 0);
        ts_lu_free(lu);
    }
    discard(&p);
}

/* ---- choice ---- */

static const char *choice(int width, int b, bool chain) {
    ts_sparse *A;
    problem p = {0};
    if (chain) {
        A = ts_sparse_new(b * width);
        for (int i = 0; i + 1 < width; i++) tie(A, b, i, i + 1);
        ts_sparse_build(A);
    } else {
        p = grid(width, b, 0), A = p.A;
    }
    ts_lu *lu = ts_lu_new(A, 0, NULL);
    const char *name = ts_lu_solver(lu);
    ts_lu_choose(lu, "auto");
    assert_string_equal(ts_lu_solver(lu), name);
    ts_lu_free(lu);
    if (chain)
        ts_sparse_free(A);
    else
        discard(&p);
    return name;
}

/* Thin factors are KLU's however long, wide ones MUMPS' when they are many. */
static void chosen_by_cost(void **state) {
    (void)state;
    assert_string_equal(choice(20000, 6, true), "klu");
    assert_string_equal(choice(10, 6, false), "klu");
    assert_string_equal(choice(80, 6, false), "mumps");
}

static void names(void **state) {
    (void)state;
    assert_string_equal(ts_solver_name(0), "klu");
    assert_string_equal(ts_solver_name(1), "mumps");
    assert_string_equal(ts_solver_name(2), "krylov");
    assert_null(ts_solver_name(3));
    assert_null(ts_solver_name(-1));
}

/* ---- together ---- */

static void *work(void *context) {
    double *error = context, *unused;
    problem p = grid(14, 3, 20);
    *error = 0;
    for (int k = 0; k < 2; k++) {
        *error = fmax(*error, solve_with(&p, SOLVERS[k], true, 0.1, NULL, 3, 12, 0));
        *error = fmax(*error, solve_with(&p, SOLVERS[k], true, 0.1, &unused, 4, 12, 0));
    }
    discard(&p);
    return NULL;
}

static void several_at_once(void **state) {
    (void)state;
    enum { COUNT = 4 };
    pthread_t thread[COUNT];
    double error[COUNT];
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &error[i]), 0);
    for (int i = 0; i < COUNT; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < COUNT; i++) assert_true(error[i] < 1e3 * DBL_EPSILON);
}

/* Nothing is printed: results of a run may be piped. */
static void silent(void **state) {
    (void)state;
    fflush(stdout);
    int old = dup(1), ends[2];
    char text[16];
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], 1);
    problem p = grid(10, 3, 30);
    double error = solve_with(&p, "mumps", true, 0.1, NULL, 17, 12, 0);
    discard(&p);
    singular_is_found(NULL);
    fflush(stdout);
    dup2(old, 1);
    close(ends[1]), close(old);
    assert_int_equal(read(ends[0], text, sizeof text), 0);
    close(ends[0]);
    assert_true(error < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(saddle_points),
        cmocka_unit_test(complex_matrices),
        cmocka_unit_test(tiny),
        cmocka_unit_test(singular_is_found),
        cmocka_unit_test(chosen_by_cost),
        cmocka_unit_test(names),
        cmocka_unit_test(several_at_once),
        cmocka_unit_test(silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
