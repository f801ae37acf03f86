/* SPDX-License-Identifier: Apache-2.0 */
/* The iterative solver: it solves to the requested accuracy, real and complex, with constraints
 * among the equations; where it does not converge, MUMPS gives the same solution; motions of
 * solids, also slender, nearly incompressible and with joints, agree with those of KLU.
 *
 * What is expected comes from the matrix itself, as residual of the solution, and from KLU.
 */
#include "scenes.h"

#include <complex.h>

static double draw(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* ---- matrices ---- */

/* A grid of w x w points with 3 unknowns, and `rows` constraints, each between two of them and in
 * the group of one. */
typedef struct problem {
    ts_sparse *A;
    int dofs, groups, *group;
} problem;

static problem grid(int w, int rows) {
    int points = w * w, n = 3 * points + rows;
    problem p = {ts_sparse_new(n), 3 * points, points, calloc((size_t)n + 1, sizeof(int))};
    bool full[36], tie[9] = {false, false, true, false, false, true, true, true, true};
    memset(full, true, sizeof full);
    for (int a = 0; a < points; a++)
        for (int side = 0; side < 2; side++) {
            int b = a + (side ? w : 1), eq[6];
            if (b >= points || (!side && b % w == 0)) continue;
            for (int i = 0; i < 3; i++) eq[i] = 3 * a + i, eq[3 + i] = 3 * b + i;
            ts_sparse_element(p.A, 6, eq, full);
        }
    for (int r = 0; r < rows; r++) {
        int a = 7 * r % points, b = (a + 3) % points;
        ts_sparse_element(p.A, 3, (int[]){3 * a, 3 * b + 1, p.dofs + r}, tie);
        p.group[p.dofs + r] = b;
    }
    for (int i = 0; i < p.dofs; i++) p.group[i] = i / 3;
    ts_sparse_build(p.A);
    return p;
}

static void discard(problem *p) {
    ts_sparse_free(p->A);
    free(p->group);
}

/* Random entries; `own` more on the diagonal, in units that differ from point to point by 1e4; next
 * to nothing on that of constraints. */
static void fill(const problem *p, uint64_t seed, double own, double *value, int stride) {
    const ts_sparse *A = p->A;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int i = A->row[k];
            double x = draw(&seed) + (i == j ? own : 0);
            double unit_i = i < p->dofs ? pow(10, i / 3 % 5) : 1,
                   unit_j = j < p->dofs ? pow(10, j / 3 % 5) : 1;
            value[k * stride] = i == j && j >= p->dofs ? -1e-14 : x * sqrt(unit_i * unit_j);
        }
}

/* The residual of the solution over the right-hand side, row by row over the size of the row. */
static double residual(const ts_sparse *A, const double *z, const double *x, const double *b) {
    int parts = z ? 2 : 1;
    double complex *r = calloc((size_t)A->n, sizeof *r);
    double *size = calloc((size_t)A->n, sizeof *size), worst = 0;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            double complex xj = parts == 2 ? x[2 * j] + I * x[2 * j + 1] : x[j];
            double complex a = parts == 2 ? z[2 * k] + I * z[2 * k + 1] : A->value[k];
            r[A->row[k]] += a * xj, size[A->row[k]] += cabs(a * xj);
        }
    for (int i = 0; i < A->n; i++) {
        double complex bi = parts == 2 ? b[2 * i] + I * b[2 * i + 1] : b[i];
        worst = fmax(worst, cabs(r[i] - bi) / (size[i] + cabs(bi)));
    }
    free(r), free(size);
    return worst;
}

typedef struct outcome {
    double error;
    const char *solver;
    ts_lu_times times;
} outcome;

/* `own` on the diagonal; accuracy 0: the usual one. */
static outcome solve_grid(int w, int rows, bool complex_one, double own, double accuracy) {
    problem p = grid(w, rows);
    double *z = NULL;
    outcome o = {0};
    ts_lu *lu = complex_one ? ts_lu_new_complex(p.A, p.groups, p.group, &z)
                            : ts_lu_new(p.A, p.groups, p.group);
    int where, parts = z ? 2 : 1;
    size_t n = (size_t)(parts * p.A->n);
    double *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x);
    uint64_t seed = 5;
    if (accuracy > 0) ts_lu_approximate(lu, accuracy, TS_LU_OTHER);
    ts_lu_choose(lu, "krylov");
    ts_lu_watch(lu, &o.times);
    for (int round = 0; round < 2; round++) {
        fill(&p, 11 + (uint64_t)round, own, z ? z : p.A->value, parts);
        if (z) fill(&p, 77, 0, z + 1, 2);
        for (size_t i = 0; i < n; i++) b[i] = draw(&seed);
        memcpy(x, b, n * sizeof *x);
        assert_int_equal(ts_lu_factor(lu, &where), 0);
        assert_true(ts_lu_fill(lu) >= p.A->n);
        ts_lu_solve(lu, x);
        o.error = fmax(o.error, residual(p.A, z, x, b));
    }
    o.solver = ts_lu_solver(lu);
    ts_lu_forget(lu);
    assert_string_equal(ts_lu_solver(lu), "krylov"); /* a restart would find that */
    ts_lu_free(lu);
    free(b), free(x);
    discard(&p);
    return o;
}

static void check_grid(int rows, bool complex_one, double accuracy, double limit) {
    outcome o = solve_grid(20, rows, complex_one, 10, accuracy);
    measured("residual", o.solver, o.times.iterations / o.times.solves, o.error);
    assert_string_equal(o.solver, "krylov");
    assert_true(o.times.losses == 0 && o.times.iterations > 0);
    assert_below("residual", o.error, limit);
}

static void solves_to_what_is_asked(void **state) {
    (void)state;
    for (int complex_one = 0; complex_one < 2; complex_one++)
        for (int rows = 0; rows <= 60; rows += 60) {
            check_grid(rows, complex_one, 0, 1e-9);
            check_grid(rows, complex_one, 1e-4, 0.05);
        }
}

/* A grid that is cut into parts, constraints at the border of both; to be freed. */
static double *solve_parts(bool complex_one, int threads, size_t *n) {
    problem p = grid(130, 40);
    double *z = NULL;
    ts_lu *lu = complex_one ? ts_lu_new_complex(p.A, p.groups, p.group, &z)
                            : ts_lu_new(p.A, p.groups, p.group);
    int where, parts = z ? 2 : 1;
    *n = (size_t)(parts * p.A->n);
    double *b = calloc(*n, sizeof *b), *x = calloc(*n, sizeof *x);
    uint64_t seed = 9;
    ts_lu_choose(lu, "krylov");
    ts_lu_threads(lu, threads);
    fill(&p, 4, 10, z ? z : p.A->value, parts);
    if (z) fill(&p, 77, 0, z + 1, 2);
    for (size_t i = 0; i < *n; i++) b[i] = x[i] = draw(&seed);
    assert_int_equal(ts_lu_factor(lu, &where), 0);
    ts_lu_solve(lu, x);
    assert_string_equal(ts_lu_solver(lu), "krylov");
    assert_below("residual", residual(p.A, z, x, b), 1e-8);
    ts_lu_free(lu);
    discard(&p);
    free(b);
    return x;
}

static void parts_on_threads(void **state) {
    (void)state;
    for (int complex_one = 0; complex_one < 2; complex_one++) {
        size_t n;
        double *one = solve_parts(complex_one, 1, &n);
        for (int threads = 2; threads <= 3; threads++) {
            double *many = solve_parts(complex_one, threads, &n);
            assert_memory_equal(one, many, n * sizeof *one);
            free(many);
        }
        free(one);
    }
}

/* Two unknowns, and one. */
static void tiny(void **state) {
    (void)state;
    for (int n = 1; n <= 2; n++) {
        int where;
        double dense[4] = {2, 1, 1, 3}, x[2] = {4, 5};
        ts_sparse *A = ts_sparse_new(n);
        ts_sparse_element(A, n, (int[]){0, 1}, (bool[]){true, true, true, true});
        ts_sparse_build(A);
        ts_sparse_add(A, 0, dense);
        ts_lu *lu = ts_lu_new(A, 0, NULL);
        ts_lu_choose(lu, "krylov");
        assert_int_equal(ts_lu_factor(lu, &where), 0);
        ts_lu_solve(lu, x);
        assert_near(x[0], n == 1 ? 2 : 1.4, 1e-11);
        if (n == 2) assert_near(x[1], 1.2, 1e-11);
        memset(x, 0, sizeof x);
        ts_lu_solve(lu, x); /* nothing asked, nothing found */
        assert_true(x[0] == 0 && x[1] == 0);
        ts_lu_free(lu);
        ts_sparse_free(A);
    }
}

/* ---- giving up ---- */

/* Matrices without a heavy diagonal are no good for incomplete factors. */
static void mumps_takes_over(void **state) {
    (void)state;
    for (int complex_one = 0; complex_one < 2; complex_one++) {
        outcome o = solve_grid(20, 0, complex_one, 0, 0);
        assert_string_equal(o.solver, "mumps");
        assert_int_equal((int)o.times.losses, 1); /* for good: the second round does not try */
        assert_true(o.times.lost > 0);
        assert_below("residual", o.error, 1e-9);
    }
}

/* A singular matrix is singular for whoever takes over. */
static void singular_is_told(void **state) {
    (void)state;
    problem p = grid(8, 0);
    ts_lu *lu = ts_lu_new(p.A, p.groups, p.group);
    int where;
    ts_lu_choose(lu, "krylov");
    fill(&p, 3, 10, p.A->value, 1);
    for (int j = 0; j < p.A->n; j++)
        for (int k = p.A->start[j]; k < p.A->start[j + 1]; k++)
            if (j == 57 || p.A->row[k] == 57) p.A->value[k] = 0;
    assert_int_equal(ts_lu_factor(lu, &where), TORSOR_ESINGULAR);
    assert_int_equal(where, 57);
    ts_lu_free(lu);
    discard(&p);
}

/* A group too large for a block: every constraint in one. */
static void large_groups_are_left_to_mumps(void **state) {
    (void)state;
    problem p = grid(12, 70);
    int where;
    for (int r = p.dofs; r < p.A->n; r++) p.group[r] = p.groups;
    ts_lu *lu = ts_lu_new(p.A, p.groups + 1, p.group);
    ts_lu_choose(lu, "krylov");
    ts_lu_pivoting(lu, 0.1);
    fill(&p, 3, 10, p.A->value, 1);
    assert_int_equal(ts_lu_factor(lu, &where), 0);
    assert_string_equal(ts_lu_solver(lu), "mumps");
    ts_lu_free(lu);
    discard(&p);
}

/* ---- motions ---- */

#define HEAD SCENE_HEAD "gravity: [0, 2, -9.81]\n"
#define CLAMP "joints:\n  clamp: {type: support, nodes: body.x-, fix: [x, y, z]}\n"
#define STEEL "materials:\n  M: {E: 2e9, nu: 0.3, density: 2700}\n"

static const struct {
    const char *name, *text;
} SOLIDS[] = {
    {"block", HEAD STEEL "meshes:\n  V: {type: box, size: [1, 1, 1], divisions: [5, 5, 5]}\n"
                         "solids:\n  body: {mesh: V, material: M}\n" CLAMP},
    {"order 2", HEAD STEEL "meshes:\n  V: {type: box, size: [1, 1, 1], divisions: [2, 2, 2], "
                           "order: 2}\nsolids:\n  body: {mesh: V, material: M}\n" CLAMP},
    {"slender", HEAD STEEL "meshes:\n  V: {type: box, size: [4, 0.2, 0.1], divisions: [16, 2, 2]}\n"
                           "solids:\n  body: {mesh: V, material: M}\n" CLAMP},
    {"rubber", HEAD "materials:\n  M: {type: neo_hookean, mu: 5e5, kappa: 5e9, density: 1100}\n"
                    "meshes:\n  V: {type: box, size: [1, 1, 1], divisions: [4, 4, 4]}\n"
                    "solids:\n  body: {mesh: V, material: M}\n" CLAMP},
    {"on joints",
     HEAD STEEL "meshes:\n  V: {type: box, size: [2, 1, 1], divisions: [4, 3, 3]}\n"
                "solids:\n  body: {mesh: V, material: M}\n"
                "couplings:\n"
                "  left: {nodes: body.x-, at: [0, 0.5, 0.5]}\n"
                "  right: {type: rigid, nodes: body.x+, at: [2, 0.5, 0.5]}\n"
                "bodies:\n  arm: {mass: 30, inertia: [1, 2, 3], position: [3, 0.5, 0.5]}\n"
                "joints:\n"
                "  pin: {type: revolute, bodies: [ground, left], at: [0, 0.5, 0.5], axis: y}\n"
                "  hinge: {type: revolute, bodies: [right, arm], at: [2, 0.5, 0.5], axis: z}\n"},
};
enum { SOLID_COUNT = sizeof SOLIDS / sizeof *SOLIDS };

static void begin(scene *s, const char *text, const char *scheme, const char *solver, int threads) {
    ts_step_options options = scene_options(scheme, 0);
    snprintf(options.solver, sizeof options.solver, "%s", solver);
    options.threads = threads;
    scene_read(s, text);
    scene_begin(s, scheme, options);
}

/* q, v and multipliers at the end; to be freed. */
static double *motion(const char *text, const char *scheme, const char *solver, int threads,
                      double h, size_t *count, ts_effort *effort) {
    scene s;
    begin(&s, text, scheme, solver, threads);
    ts_stepper_watch(s.st, effort);
    for (int i = 0; i < 8; i++) scene_step(&s, i % 3 ? h : 0.8 * h);
    assert_below("balance", fabs(s.system->ledger.balance), 1e-9 * s.energy);
    size_t ambient = 3 * (size_t)s.model->slots, rows = (size_t)s.model->rows_count;
    double *all = malloc((2 * ambient + rows + 1) * sizeof *all);
    memcpy(all, s.system->state.q, ambient * sizeof *all);
    memcpy(all + ambient, s.system->state.v, ambient * sizeof *all);
    memcpy(all + 2 * ambient, s.system->state.lambda, rows * sizeof *all);
    *count = 2 * ambient + rows;
    scene_close(&s);
    return all;
}

static double compare(const char *name, const char *text, const char *scheme, double h,
                      ts_effort *effort) {
    size_t count, again;
    ts_effort unused = {0};
    double *a = motion(text, scheme, "klu", 1, h, &count, &unused),
           *b = motion(text, scheme, "krylov", 1, h, &again, effort), worst = 0, size = 0;
    assert_int_equal(count, again);
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        size = fmax(size, fabs(a[i]));
    }
    measured(name, scheme, effort->linear.iterations / effort->linear.solves, worst / size);
    free(a), free(b);
    return worst / size;
}

static void motions_agree(void **state) {
    (void)state;
    for (int k = 0; k < SOLID_COUNT; k++)
        for (int ed = 0; ed < 2; ed++) {
            ts_effort effort = {0};
            double found = compare(SOLIDS[k].name, SOLIDS[k].text, ed ? "ED" : "EP", 5e-4, &effort);
            assert_below(SOLIDS[k].name, found, 1e-10);
            assert_int_equal((int)effort.linear.losses, 0);
            assert_true(effort.linear.iterations > 0);
        }
}

/* Steps so long that mass is nothing beside stiffness: iterations give up, results are the same. */
static void long_steps_fall_back(void **state) {
    (void)state;
    ts_effort effort = {0};
    assert_below("slender", compare("slender, long", SOLIDS[2].text, "EP", 0.05, &effort), 1e-8);
    assert_true(effort.linear.losses >= 1);
}

/* The same bits again, and on any number of threads. */
static void the_same_again(void **state) {
    (void)state;
    for (int ed = 0; ed < 2; ed++) {
        size_t count, again;
        ts_effort effort = {0};
        double *one = motion(SOLIDS[0].text, ed ? "ED" : "EP", "krylov", 1, 1e-4, &count, &effort);
        for (int threads = 1; threads <= 3; threads++) {
            double *other =
                motion(SOLIDS[0].text, ed ? "ED" : "EP", "krylov", threads, 1e-4, &again, &effort);
            assert_memory_equal(one, other, count * sizeof *one);
            free(other);
        }
        free(one);
    }
}

/* A stepper that forgets goes on as a new one does, also when MUMPS had taken over before. */
static void restarts_are_exact(void **state) {
    (void)state;
    static const double STEPS[] = {1e-4, 0.05};
    for (int k = 0; k < 2; k++) {
        scene s, other;
        begin(&s, SOLIDS[2].text, "EP", "krylov", 1);
        begin(&other, SOLIDS[2].text, "EP", "krylov", 1);
        for (int i = 0; i < 4; i++) scene_step(&s, STEPS[k]);
        ts_state_copy(s.model, &other.system->state, &s.system->state);
        ts_stepper_forget(s.st), ts_stepper_forget(other.st);
        for (int i = 0; i < 4; i++) scene_step(&s, 1e-4), scene_step(&other, 1e-4);
        assert_memory_equal(s.system->state.q, other.system->state.q,
                            3 * (size_t)s.model->slots * sizeof(double));
        scene_close(&s), scene_close(&other);
    }
}

#define BOX(size, divisions)                                                     \
    HEAD STEEL "meshes:\n  V: {type: box, size: " size ", divisions: " divisions \
               "}\nsolids:\n  body: {mesh: V, material: M}\n" CLAMP

static void begin_auto(scene *s, const char *text, const char *chosen) {
    begin(s, text, "EP", "auto", 1);
    assert_string_equal(ts_stepper_solver(s->st), chosen);
}

/* By itself only for solids in motion that are large and thick. */
static void chosen_where_it_pays(void **state) {
    (void)state;
    scene s;
    begin_auto(&s, SOLIDS[0].text, "klu");
    scene_close(&s);
    begin_auto(&s, BOX("[1, 1, 1]", "[14, 14, 14]"), "krylov");
    scene_close(&s);
    begin_auto(&s, BOX("[1, 1, 0.05]", "[40, 40, 2]"), "mumps");
    scene_end(&s);
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    ts_system_begin(s.system);
    ts_step_options options = scene_defaults();
    assert_int_equal(ts_stepper_new(&s.st, s.system, &TS_SCHEME_STATIC, &options), 0);
    assert_string_equal(ts_stepper_solver(s.st), "mumps");
    scene_close(&s);
}

/* Iterations of a solution, in the mean of three steps. */
static double iterations_of(const char *text, double h) {
    scene s;
    ts_effort effort = {0};
    begin(&s, text, "EP", "krylov", 1);
    ts_stepper_watch(s.st, &effort);
    for (int i = 0; i < 3; i++) scene_step(&s, h);
    assert_int_equal((int)effort.linear.losses, 0);
    scene_close(&s);
    return effort.linear.iterations / effort.linear.solves;
}

/* Regression values. A mesh of cubes takes 13.6 iterations; 15.9 with all fill dropped, and 18.4 by
 * breadth. Long elements take 12.5, by breadth 15.1; where their dropped fill goes to the diagonal,
 * they need more than 60. */
static void few_iterations(void **state) {
    (void)state;
    double cubes = iterations_of(BOX("[1, 1, 1]", "[14, 14, 14]"), 1.2e-3),
           rods = iterations_of(BOX("[1, 0.2, 0.2]", "[12, 12, 12]"), 2e-4);
    measured("cubes, iterations", "EP", cubes, 0);
    measured("rods, iterations", "EP", rods, 0);
    assert_below("cubes", cubes, 14.5);
    assert_below("rods", rods, 13.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_to_what_is_asked),
        cmocka_unit_test(parts_on_threads),
        cmocka_unit_test(tiny),
        cmocka_unit_test(mumps_takes_over),
        cmocka_unit_test(singular_is_told),
        cmocka_unit_test(large_groups_are_left_to_mumps),
        cmocka_unit_test(motions_agree),
        cmocka_unit_test(long_steps_fall_back),
        cmocka_unit_test(the_same_again),
        cmocka_unit_test(restarts_are_exact),
        cmocka_unit_test(chosen_where_it_pays),
        cmocka_unit_test(few_iterations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
