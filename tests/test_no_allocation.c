/* SPDX-License-Identifier: Apache-2.0 */
/* A step allocates nothing: memory is taken when the stepper is made and, for halvings, pivots and
 * ED's exact tangent, when first needed. malloc and its family are replaced by counting ones;
 * sanitizers have their own and the tests are skipped there.
 */
#include "scenes.h"
#undef free

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED) && !defined(__GLIBC__)
#define SANITIZED 1 /* another C library: no names below the public ones */
#endif

/* of malloc, calloc, realloc, free; volatile: the compiler knows malloc */
static volatile long calls;

#ifndef SANITIZED
/* glibc's own, below the names we take over */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *old);

void *malloc(size_t size) {
    calls++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    calls++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    calls++;
    return __libc_realloc(old, size);
}
void free(void *old) {
    calls += old != NULL;
    __libc_free(old);
}
#endif

static void skip_when_sanitized(void) {
#ifdef SANITIZED
    skip();
#endif
}

/* The counters see the library's allocations and those of its solver. */
static void the_counters_count(void **state) {
    (void)state;
    skip_when_sanitized();
    scene s;
    long before = calls;
    scene_open(&s, TOP, "ED", 0);
    assert_true(calls > before + 20);
    before = calls;
    scene_step(&s, 1e-3); // pivots are chosen: the solver allocates
    assert_true(calls > before);
    scene_close(&s);
}

static const struct {
    const char *scheme;
    double rho;
} METHODS[] = {{"EP", 1}, {"ED", 0}, {"ED", 0.5}};

static long count_steps(scene *s, int steps, double h, int *factorisations) {
    long before = calls;
    for (int n = 0; n < steps; n++) {
        ts_step_result r = scene_step(s, h);
        assert_int_equal(r.cuts, 0);
        *factorisations += r.factorisations;
    }
    return calls - before;
}

/* ED solves with its short tangent, or with the exact one; both exist after this. */
static void set_tangent(scene *s, bool exact) {
    s->st->tangent.use_short = s->st->quick && !exact, s->st->tangent.patience = exact ? 1000 : 0;
    s->st->tangent.stale = true;
}

static void warm_up(scene *s, double h) {
    int unused = 0;
    for (int exact = 0; exact < 2; exact++) set_tangent(s, exact), count_steps(s, 1, h, &unused);
}

static void steps_allocate_nothing(void **state) {
    (void)state;
    skip_when_sanitized();
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        scene s;
        int factorisations = 0;
        scene_open(&s, everything(), METHODS[k].scheme, METHODS[k].rho);
        warm_up(&s, 5e-3);
        for (int exact = 0; exact < 2; exact++) {
            set_tangent(&s, exact);
            long count = count_steps(&s, 40, 5e-3, &factorisations);
            measured("calls in 40 steps", METHODS[k].scheme, METHODS[k].rho, (double)count);
            assert_int_equal(count, 0);
        }
        scene_close(&s);
    }
}

/* Nor does a new factorisation with the old pivots: the step changes, so the matrix does. */
static void refactorisations_allocate_nothing(void **state) {
    (void)state;
    skip_when_sanitized();
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        scene s;
        int factorisations = 0;
        scene_open(&s, everything(), METHODS[k].scheme, METHODS[k].rho);
        warm_up(&s, 5e-3);
        set_tangent(&s, false);
        long count = 0;
        for (int n = 0; n < 10; n++)
            count += count_steps(&s, 1, n % 2 ? 5e-3 : 4e-3, &factorisations);
        assert_true(factorisations >= 10);
        assert_int_equal(count, 0);
        scene_close(&s);
    }
}

/* Nor does an element whose inner unknowns are condensed. */
static void condensation_allocates_nothing(void **state) {
    (void)state;
    skip_when_sanitized();
    const char *text =
        SCENE_HEAD "gravity: [0, 0, -9.81]\n"
                   "materials: {M: {E: 2e6, nu: 0.3, density: 900}}\n"
                   "meshes: {V: {type: box, size: [2, 1, 1], divisions: [3, 2, 2]}}\n"
                   "solids: {body: {mesh: V, material: M}}\n"
                   "joints: {clamp: {type: support, nodes: body.x-, fix: [x, y, z]}}\n";
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        scene s;
        int factorisations = 0;
        scene_open(&s, text, METHODS[k].scheme, METHODS[k].rho);
        warm_up(&s, 5e-3);
        for (int exact = 0; exact < 2; exact++) {
            set_tangent(&s, exact);
            assert_int_equal(count_steps(&s, 5, 5e-3, &factorisations), 0);
        }
        assert_true(factorisations >= 2);
        scene_close(&s);
    }
}

/* Halving takes memory once for each depth it reaches; after that it too takes none. */
static void halvings_allocate_once(void **state) {
    (void)state;
    skip_when_sanitized();
    scene s;
    ts_step_options options = scene_defaults();
    int cuts = 0;
    options.max_iterations = 3;
    scene_read(&s, TOP);
    scene_begin(&s, "ED", options);
    for (int n = 0; n < 60; n++) cuts += scene_step(&s, 0.05).cuts; /* reaches its depth */
    assert_true(cuts > 0);
    long before = calls;
    for (int n = 0; n < 4; n++) scene_step(&s, 0.05);
    assert_int_equal(calls - before, 0);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counters_count),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(refactorisations_allocate_nothing),
        cmocka_unit_test(condensation_allocates_nothing),
        cmocka_unit_test(halvings_allocate_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
