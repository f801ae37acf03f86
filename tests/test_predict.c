/* SPDX-License-Identifier: Apache-2.0 */
/* The predictor: extrapolation over steps of any sizes, against polynomials; steps that were
 * rejected; and runs with varied steps, whose results must not depend on the first guess of
 * Newton's method. */
#include "scenes.h"

/* ---- extrapolation ---- */

/* One free point, three slots' worth of history and one row are enough. */
static ts_node NODES[2] = {{.fixed = true, .slot = 0, .slots = 1}, {.slot = 1, .slots = 1}};
static const ts_model SMALL = {.nodes = NODES, .nodes_count = 2, .slots = 2, .rows_count = 1};

/* A polynomial of time. */
static double polynomial(double t, int degree) {
    static const double BY_POWER[TS_PAST_STEPS] = {1.3, -0.7, 0.4, 0.9, -0.2, 0.3};
    double sum = 0;
    for (int k = degree; k >= 0; k--) sum = BY_POWER[k] + t * sum;
    return sum;
}

static void add(ts_history *x, double t, double h, int degree) {
    double middle = polynomial(t + 0.5 * h, degree), a[6] = {0, 0, 0, middle, -middle, 2 * middle},
           lambda = 5 * middle, kappa = h * middle, stage[12] = {0};
    for (int i = 0; i < 6; i++) stage[6 + i] = h * h * middle;
    ts_past_step step = {t, h, a, &lambda, &kappa, stage, NULL};
    ts_history_add(x, &SMALL, 1, &step);
}

static double carried_on(const ts_history *x, int order, double t, double h) {
    double weight[TS_PAST_STEPS], sum = 0;
    int steps = ts_history_weights(x, order, t, h, weight);
    for (int k = 0; k < steps; k++) sum += weight[k] * x->acceleration[k][3];
    return sum;
}

static const double SIZES[] = {0.1, 0.1, 0.025, 0.05, 0.2, 0.0125, 0.1, 0.03};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

/* Order n carries polynomials of degree n on exactly, whatever the steps; and is chosen. */
static void polynomials(void **state) {
    (void)state;
    for (int degree = 0; degree < TS_PAST_STEPS; degree++) {
        ts_history x;
        double t = 2;
        ts_history_new(&x, &SMALL);
        assert_int_equal(ts_history_way(&x, TS_MOTION), -1);
        for (int i = 0; i < SIZE_COUNT; i++) {
            for (int o = degree; o < x.count; o++)
                assert_near(carried_on(&x, o, t, SIZES[i]), polynomial(t + 0.5 * SIZES[i], degree),
                            1e-11);
            add(&x, t, SIZES[i], degree), t += SIZES[i];
        }
        assert_true(ts_history_way(&x, TS_MOTION) >= degree);
        ts_history_clear(&x);
    }
}

/* Noise is best carried on by what was there last, or before. */
static void noise(void **state) {
    (void)state;
    ts_history x;
    double weight[TS_PAST_STEPS];
    ts_history_new(&x, &SMALL);
    for (int i = 0; i < 20; i++) {
        double a[6] = {0, 0, 0, i % 2 ? 1 : -1, i % 3, 0}, none[12] = {0};
        ts_past_step step = {0.1 * i, 0.1, a, none, none, none, NULL};
        ts_history_add(&x, &SMALL, 1, &step);
    }
    int steps = ts_history_weights(&x, ts_history_way(&x, TS_MOTION), 2, 0.1, weight);
    assert_in_range(steps, 1, 2);
    assert_near(weight[steps - 1], 1, 0);
    ts_history_clear(&x);
}

/* A term that alternates on a parabola of time: foreseen to round-off by the way that is chosen,
 * and missed by as much as it is by polynomials; no way at all where steps differ. */
static double alternating(int i) { return 0.3 + 0.2 * i - 0.01 * i * i + (i % 2 ? 40 : -40); }

static void alternation(void **state) {
    (void)state;
    ts_history x;
    double weight[TS_PAST_STEPS];
    ts_history_new(&x, &SMALL);
    for (int i = 0; i < 12; i++) {
        double value = alternating(i), a[6] = {0, 0, 0, value, 2 * value, 0}, none[12] = {0};
        ts_past_step step = {0.1 * i, 0.1, a, none, none, none, NULL};
        ts_history_add(&x, &SMALL, 1, &step);
    }
    int way = ts_history_way(&x, TS_MOTION);
    assert_int_equal(way, TS_WAYS - 1);
    assert_near(carried_on(&x, way, 1.2, 0.1), alternating(12), 1e-12);
    for (int o = 0; o < TS_PAST_STEPS; o++)
        assert_true(fabs(carried_on(&x, o, 1.2, 0.1) - alternating(12)) > 40);
    for (int w = TS_PAST_STEPS; w < TS_WAYS; w++)
        assert_int_equal(ts_history_weights(&x, w, 1.2, 0.05, weight), 0);
    ts_history_clear(&x);
}

/* Multipliers go their own way: theirs are a parabola while accelerations are noise, or the other
 * way round. Forces and moments count by the displacements that they cause. */
static void own_ways(void **state) {
    (void)state;
    static const double WEIGHT[] = {1, 1e-6};
    const ts_model model = {.nodes = NODES, .nodes_count = 2, .slots = 2, .rows_count = 2};
    ts_history x;
    ts_history_new(&x, &model);
    for (int i = 0; i < 20; i++) {
        double noise = i % 3   ? 1
                       : i % 2 ? -2
                               : 0.5,
               smooth = polynomial(0.1 * i, 2), none[12] = {0}, a[6] = {0, 0, 0, noise, 0, 0},
               lambda[2] = {smooth, 100 * noise}, kappa[2] = {noise, 100 * smooth};
        ts_past_step step = {0.1 * i, 0.1, a, lambda, kappa, none, WEIGHT};
        ts_history_add(&x, &model, 1, &step);
    }
    assert_true(ts_history_way(&x, TS_MOTION) < 2 || ts_history_way(&x, TS_MOTION) >= 6);
    assert_in_range(ts_history_way(&x, TS_LAMBDA), 2, 5);
    assert_int_equal(ts_history_way(&x, TS_KAPPA), ts_history_way(&x, TS_MOTION));
    ts_history_clear(&x);
}

/* A step from an earlier time drops what came after it; a jump in time drops all. */
static void taken_back(void **state) {
    (void)state;
    ts_history x;
    ts_history_new(&x, &SMALL);
    for (int i = 0; i < 4; i++) add(&x, 0.5 * i, 0.5, 3);
    assert_int_equal(x.count, 4);
    ts_history_until(&x, 1);
    assert_int_equal(x.count, 2);
    assert_near(x.acceleration[0][3], polynomial(0.75, 3), 0);
    assert_near(x.lambda[1][0], 5 * polynomial(0.25, 3), 0);
    add(&x, 1, 0.25, 3);
    assert_int_equal(x.count, 3);
    assert_near(x.h[0], 0.25, 0), assert_near(x.h[1], 0.5, 0);
    ts_history_until(&x, 7);
    assert_int_equal(x.count, 0);
    assert_int_equal(ts_history_way(&x, TS_MOTION), -1);
    ts_history_clear(&x);
}

/* ---- runs ---- */

/* Steps of many sizes, some from a time before; all of them from what the state says alone, or with
 * all that is remembered. */
static int varied_run(scene *s, const char *text, const char *scheme, bool forgetful) {
    int iterations = 0;
    ts_state back = {0};
    scene_open(s, text, scheme, 0.5);
    ts_state_alloc(s->model, &back);
    for (int i = 0; i < 60; i++) {
        double h = 0.02 * SIZES[i / 6 % SIZE_COUNT];
        ts_state_copy(s->model, &back, &s->system->state);
        ts_ledger ledger = s->system->ledger;
        if (i % 7 == 3) { /* a trial */
            scene_step(s, 2 * h);
            ts_state_copy(s->model, &s->system->state, &back);
            s->system->ledger = ledger;
        }
        if (forgetful) ts_stepper_forget(s->st);
        iterations += scene_step(s, h).iterations;
    }
    ts_state_free(&back);
    return iterations;
}

static void compare_varied(const char *text, const char *scheme) {
    scene a, b;
    int many = varied_run(&a, text, scheme, true), few = varied_run(&b, text, scheme, false);
    const ts_state *x = &a.system->state, *y = &b.system->state;
    assert_near(x->t, y->t, 0);
    for (int i = 0; i < 3 * a.model->slots; i++) {
        assert_near(x->q[i], y->q[i], 1e-12 * (1 + fabs(x->q[i])));
        assert_near(x->v[i], y->v[i], 1e-10 * (1 + fabs(x->v[i])));
    }
    assert_below("balance", fabs(b.system->ledger.balance) / b.energy, 1e-13);
    measured("iterations, forgetful", scheme, 0.5, many);
    measured("iterations, remembering", scheme, 0.5, few);
    scene_close(&a), scene_close(&b);
}

static void varied_steps(void **state) {
    (void)state;
    const char *const models[] = {CHAIN, DRIVEN, ROLLING_FREELY, FREE};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        compare_varied(models[i], "EP"), compare_varied(models[i], "ED");
}

/* A motion that is smooth: most of the iterations of a step of constant acceleration go. */
static void smooth_motion(void **state) {
    (void)state;
    const char *const schemes[] = {"EP", "ED"};
    for (int k = 0; k < 2; k++) {
        scene s;
        ts_step_result r;
        scene_open(&s, TOP, schemes[k], 1);
        for (int i = 0; i < 20; i++) r = scene_step(&s, 2e-3);
        double worst = 0, guessed;
        int first = 3 * s.model->nodes[1].slot;
        for (int i = 0; i < 10; i++) {
            double weight[TS_PAST_STEPS], h = 2e-3;
            int way = ts_history_way(&s.st->history, TS_MOTION);
            int steps = ts_history_weights(&s.st->history, way, s.system->state.t, h, weight);
            assert_true(steps >= 3);
            guessed = 0;
            for (int j = 0; j < steps; j++)
                guessed += weight[j] * s.st->history.acceleration[j][first + 3];
            r = scene_step(&s, h);
            worst = fmax(worst, fabs(guessed - s.system->state.vdot[first + 3]));
        }
        assert_true(r.iterations <= 25);
        measured("acceleration guessed", schemes[k], 1, worst);
        /* by which constant acceleration misses */
        double change = fabs(s.st->history.acceleration[0][first + 3] -
                             s.st->history.acceleration[1][first + 3]);
        assert_below("guess of acceleration", worst, 0.1 * change);
        scene_close(&s);
    }
}

/* A body that turns by a large angle in a step: directors move along chords, not arcs, and the
 * guess knows the angle from them. Given is the mean acceleration of a turn that goes on. */
static const char WHEEL[] = SCENE_HEAD BODIES
    "  wheel: {mass: 2, inertia: [1, 1, 1.5], position: [0, 0, 0], angular_velocity: [0, 0, 5]}\n";

static void large_turn(void **state) {
    (void)state;
    scene s;
    scene_open(&s, WHEEL, "EP", 1);
    scene_step(&s, 0.1);
    ts_state *now = &s.system->state;
    int slot = 3 * s.model->nodes[1].slot + 3;
    for (double angle = 0.1; angle < 1.25; angle += 0.1) {
        s.st->step.h = 0.1, s.st->step.t_i = now->t;
        for (int k = 0; k < 3; k++) {
            v3 d = v3_load(now->q + slot + 3 * k);
            v3 turned = {cos(angle) * d.x - sin(angle) * d.y, sin(angle) * d.x + cos(angle) * d.y,
                         d.z};
            v3 mean = v3_scale(10, v3_sub(turned, d)); /* velocity */
            v3_store(now->vdot + slot + 3 * k,
                     v3_scale(20, v3_sub(mean, v3_load(now->v + slot + 3 * k))));
        }
        ts_predict(s.st, TS_FROM_STATE);
        quat p = s.st->step.turn[1];
        assert_near(2 * atan2(v3_norm(p.v), p.s), angle, 1e-12);
    }
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials),  cmocka_unit_test(noise),
        cmocka_unit_test(own_ways),     cmocka_unit_test(taken_back),
        cmocka_unit_test(varied_steps), cmocka_unit_test(smooth_motion),
        cmocka_unit_test(alternation),  cmocka_unit_test(large_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
