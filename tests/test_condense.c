/* SPDX-License-Identifier: Apache-2.0 */
/* Inner unknowns that are condensed at their elements: motions and equilibria agree to round-off
 * with those of the whole matrix, in as many iterations, and bit for bit on any number of threads.
 *
 * What is expected comes from the whole matrix (ts_step_options.whole), which knows nothing of
 * elements with inner unknowns.
 */
#include "scenes.h"

/* Cells that are pieces of a curved map, tied to a body by a coupling and a hinge: enhanced
 * strains, rows of a joint, loads on the surface. */
#define BLOCK(material, divisions)                                                      \
    SCENE_HEAD                                                                          \
    "gravity: [0, 2, -9.81]\n"                                                          \
    "materials:\n  M: " material "\n"                                                   \
    "meshes:\n"                                                                         \
    "  V: {type: patch, x: 2*u + 0.1*v^2, y: v - 0.2*u*w, z: w + 0.1*u*v, w: [0, 1],\n" \
    "      divisions: " divisions "}\n"                                                 \
    "solids:\n  body: {mesh: V, material: M, enhanced: true}\n"                         \
    "couplings:\n  end: {nodes: body.u+, at: [2.03, 0.4, 0.6]}\n"                       \
    "bodies:\n"                                                                         \
    "  arm: {mass: 30, inertia: [1, 2, 3], position: [3, 0.5, 0.5]}\n"                  \
    "joints:\n"                                                                         \
    "  clamp: {type: support, nodes: body.u-, fix: [x, y, z]}\n"                        \
    "  hinge: {type: revolute, bodies: [end, arm], at: [2.03, 0.4, 0.6], axis: y}\n"    \
    "springs:\n"                                                                        \
    "  back: {type: torsion_spring, joint: hinge, stiffness: 4000 N*m/rad}\n"           \
    "loads:\n"                                                                          \
    "  push: {type: pressure, faces: body.w+, pressure: 300 Pa}\n"

#define LINEAR "{E: 2e6, nu: 0.3, density: 900}"
#define RUBBER "{type: neo_hookean, mu: 5e5, lambda: 8e5, density: 900}"

typedef enum method { EP, ED_SHORT, ED_EXACT, STATIC, METHODS } method;
static const char *const SCHEMES[] = {"EP", "ED", "ED", "static"};

static void begin(scene *s, const char *text, method m, bool whole, int threads) {
    const char *name = SCHEMES[m];
    const ts_scheme *scheme = m == STATIC ? &TS_SCHEME_STATIC : ts_scheme_find(name);
    ts_step_options options = scene_options(name, 0.5);
    options.whole = whole, options.threads = threads;
    snprintf(options.solver, sizeof options.solver, "klu");
    scene_read(s, text);
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(ts_stepper_new(&s->st, s->system, scheme, &options), 0);
    if (m != ED_EXACT) return;
    s->st->tangent.has_short = s->st->tangent.use_short = false;
    s->st->tangent.patience = 1000;
}

static int go(scene *s, method m, int steps) {
    int iterations = 0;
    for (int i = 0; i < steps; i++) {
        ts_stepper_load_factor(s->st, (double)i / steps, (i + 1.0) / steps);
        iterations += scene_step(s, m == STATIC ? 1 : i % 2 ? 2e-3 : 3e-3).iterations;
    }
    return iterations;
}

/* Positions and velocities, those of inner unknowns among them, and multipliers; to be freed. */
static double *flat(const scene *s, size_t *count, size_t *ambient) {
    const ts_state *x = &s->system->state;
    size_t rows = (size_t)s->model->rows_count;
    *ambient = 3 * (size_t)s->model->slots, *count = 2 * *ambient + rows;
    double *all = malloc((*count + 1) * sizeof *all);
    memcpy(all, x->q, *ambient * sizeof *all);
    memcpy(all + *ambient, x->v, *ambient * sizeof *all);
    memcpy(all + 2 * *ambient, x->lambda, rows * sizeof *all);
    return all;
}

static double difference(size_t count, const double *a, const double *b) {
    double worst = 0, size = 0;
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        size = fmax(size, fabs(a[i]));
    }
    return size > 0 ? worst / size : worst;
}

static int inner_nodes(const ts_model *model) {
    int count = 0;
    for (int n = 0; n < model->nodes_count; n++) count += model->nodes[n].inner;
    return count;
}

static void compare(const char *text, method m, int steps, double limit) {
    double *end[2];
    int iterations[2], unknowns[2];
    size_t count = 0, ambient = 0;
    int inner = 0;
    for (int whole = 0; whole < 2; whole++) {
        scene s;
        begin(&s, text, m, whole, 1);
        iterations[whole] = go(&s, m, steps);
        end[whole] = flat(&s, &count, &ambient);
        unknowns[whole] = ts_stepper_unknowns(s.st);
        inner = inner_nodes(s.model);
        scene_close(&s);
    }
    double places = difference(ambient, end[1], end[0]),
           speeds = difference(ambient, end[1] + ambient, end[0] + ambient),
           forces = difference(count - 2 * ambient, end[1] + 2 * ambient, end[0] + 2 * ambient);
    measured("places", SCHEMES[m], m, places), measured("speeds", SCHEMES[m], m, speeds);
    measured("multipliers", SCHEMES[m], iterations[0] - iterations[1], forces);
    assert_below("places", places, limit);
    assert_below("speeds", speeds, 1e3 * limit);
    assert_below("multipliers", forces, 1e4 * limit);
    /* steps are solved to round-off, which decides on a last iteration in one of ten */
    assert_true(inner > 0 && abs(iterations[0] - iterations[1]) <= iterations[0] / 10);
    assert_int_equal(unknowns[1] - unknowns[0], 3 * inner);
    free(end[0]), free(end[1]);
}

static void the_same_motions(void **state) {
    (void)state;
    for (method m = EP; m <= ED_EXACT; m++) {
        compare(BLOCK(LINEAR, "[3, 2, 2]"), m, 12, 1e-13);
        compare(BLOCK(RUBBER, "[3, 2, 2]"), m, 12, 1e-12);
    }
}

static void the_same_equilibria(void **state) {
    (void)state;
    compare(BLOCK(LINEAR, "[3, 2, 2]"), STATIC, 5, 1e-12);
    compare(BLOCK(RUBBER, "[3, 2, 2]"), STATIC, 5, 1e-11);
}

/* Enough elements for three threads: 8 sites each. */
static void threads_change_nothing(void **state) {
    (void)state;
    for (method m = EP; m < METHODS; m++) {
        double *one = NULL;
        size_t count, ambient;
        for (int threads = 1; threads <= 3; threads++) {
            scene s;
            begin(&s, BLOCK(LINEAR, "[8, 5, 5]"), m, false, threads);
            go(&s, m, 2);
            double *end = flat(&s, &count, &ambient);
            if (one) assert_memory_equal(one, end, count * sizeof *end);
            if (one) free(end);
            if (!one) one = end;
            scene_close(&s);
        }
        free(one);
    }
}

/* Elements without inner unknowns: there is nothing to condense. */
static void nothing_to_condense(void **state) {
    (void)state;
    scene s;
    scene_open(&s, TOP, "EP", 1);
    assert_null(s.st->eq.inner);
    assert_int_equal(ts_stepper_unknowns(s.st), s.system->dofs + s.system->rows);
    scene_close(&s);
}

/* An element whose inner matrix is singular is found, and the step fails as with other singular
 * equations: the law of no stiffness, by hand. */
static void singular_is_told(void **state) {
    (void)state;
    scene s;
    begin(&s, BLOCK(LINEAR, "[1, 1, 1]"), EP, false, 1);
    double dense[33 * 33] = {0};
    int width = 33;
    assert_int_equal(s.st->eq.inner->count, 1);
    ts_condense_element(&s.st->eq, s.st->eq.inner->which[0], width, dense);
    assert_true(s.st->eq.inner->singular);
    assert_int_equal(ts_factor_assembled(&s.st->eq), TORSOR_ESINGULAR);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_motions),       cmocka_unit_test(the_same_equilibria),
        cmocka_unit_test(threads_change_nothing), cmocka_unit_test(nothing_to_condense),
        cmocka_unit_test(singular_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
