/* SPDX-License-Identifier: Apache-2.0 */
/* A factorisation is rotated with the bodies (src/step/turning.h): a mechanism that rotates
 * steadily as a whole needs one factorisation for whole turns; a wheel on a moving axle keeps its
 * own axes; a rotation followed by its inverse changes nothing. */
#include "scenes.h"

/* Two bars, joined by a stiff bushing, turn about a hinge in the ground. */
static const char BARS[] = SCENE_HEAD BODIES
    "  one: {mass: 1, inertia: [0.02, 0.08, 0.09], position: [0.5, 0, 0], velocity: [0, 1, 0], "
    "angular_velocity: [0, 0, 2]}\n"
    "  two: {mass: 2, inertia: [0.02, 0.07, 0.08], position: [1.5, 0, 0], velocity: [0, 3, 0], "
    "angular_velocity: [0, 0, 2]}\n" JOINTS
    "  hinge: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: z}\n"
    "  ball: {type: spherical, bodies: [one, two], at: [1, 0, 0]}\n" SPRINGS
    "  tie: {type: bushing, bodies: [one, two], at: [1, 0, 0], "
    "stiffness: [0, 0, 0, 1e5, 1e5, 1e5]}\n";

static const char WHEEL[] = SCENE_HEAD BODIES
    "  cart: {mass: 5, inertia: [0.1, 0.2, 0.3], velocity: [1, 0, 0]}\n"
    "  wheel: {mass: 1, inertia: [0.1, 0.2, 0.1], position: [0, 0.3, 0], velocity: [1, 0, 0], "
    "angular_velocity: [0, 20, 0]}\n" JOINTS
    "  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}\n"
    "  axle: {type: revolute, bodies: [cart, wheel], at: [0, 0.3, 0], axis: y}\n";

/* 300 steps of 0.04 rad are two turns. In fixed axes EP needs 83 factorisations for that, ED 51. */
static void one_is_enough(void **state) {
    (void)state;
    const char *const schemes[] = {"EP", "ED"};
    for (int k = 0; k < 2; k++) {
        scene x;
        int factorisations = 0, iterations = 0;
        scene_open(&x, BARS, schemes[k], 1);
        x.st->options.tolerance = 0;
        for (int i = 0; i < 300; i++) {
            ts_step_result r = scene_step(&x, 0.02);
            factorisations += r.factorisations, iterations += r.iterations;
        }
        measured("factorisations", schemes[k], 1, factorisations);
        measured("iterations a step", schemes[k], 1, iterations / 300.0);
        assert_true(factorisations <= 12);
        assert_true(iterations < 300 * 4);
        scene_close(&x);
    }
}

static void wheels_keep_their_axes(void **state) {
    (void)state;
    scene x;
    bool turned = false;
    scene_open(&x, WHEEL, "EP", 1);
    for (int i = 0; i < 25; i++) { /* less than a turn of the wheel */
        scene_step(&x, 0.01);
        for (int n = 0; n < x.st->model->nodes_count; n++)
            turned |= x.st->turning.any && x.st->turning.turns[n];
    }
    assert_false(turned);
    scene_close(&x);
}

static void back_again(void **state) {
    (void)state;
    scene x;
    scene_open(&x, BARS, "ED", 1);
    for (int i = 0; i < 20; i++) scene_step(&x, 0.02);
    ts_turning_begin(&x.st->turning, &x.st->step);
    assert_true(x.st->turning.any);
    double z[100], worst = 0, change = 0;
    int n = x.st->eq.n;
    assert_true(n <= 100);
    for (int i = 0; i < n; i++) z[i] = sin(i + 1.0);
    ts_turning_apply(&x.st->turning, &x.st->step, 2, true, z);
    for (int i = 0; i < n; i++) change = fmax(change, fabs(z[i] - sin(i + 1.0)));
    ts_turning_apply(&x.st->turning, &x.st->step, 2, false, z);
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(z[i] - sin(i + 1.0)));
    assert_true(change > 0.1);
    assert_below("turned and turned back", worst, 1e-14);
    scene_close(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_enough),
        cmocka_unit_test(wheels_keep_their_axes),
        cmocka_unit_test(back_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
