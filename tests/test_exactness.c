/* SPDX-License-Identifier: Apache-2.0 */
/* The default tolerance of steps (src/step/newton/exactness.h): the rule, on given errors; and long
 * smooth motions, whose errors add up. */
#include "scenes.h"

/* ---- the rule ---- */

/* The balance after many steps which each err by `true_rate` times what they were allowed, all with
 * one sign or with alternating ones, and the mean of the tolerances. */
static double balance_after(int steps, double budget, double true_rate, bool one_sign,
                            double *mean) {
    ts_exactness x = {.budget = budget};
    double balance = 0, worst = 0, sum = 0;
    for (int n = 0; n < steps; n++) {
        double left = ts_usual_tolerance(&x, balance, 3, n);
        double change = 3 * true_rate * left * (one_sign || n % 2 ? 1 : -1);
        balance += change, sum += left;
        ts_note_exactness(&x, 3, left, change);
        worst = fmax(worst, fabs(balance) / 3);
    }
    *mean = sum / steps;
    return worst;
}

/* Whatever the rate, a hundred thousand steps stay closed to 1e-9, four thousand of a model with
 * events and the like to 1e-11; where errors cancel, steps may
 * be solved much less exactly than where they add up. */
static void budget(void **state) {
    (void)state;
    for (double rate = 4e-3; rate < 5; rate *= 10) {
        double alike, cancelling;
        double all = TS_LOOSEST, logic = 1e-12;
        assert_below("of one sign", balance_after(100000, all, rate, true, &alike), 1e-9);
        assert_below("that cancel", balance_after(100000, all, rate, false, &cancelling), 1e-9);
        assert_true(cancelling >= alike);
        if (rate >= 1) assert_true(cancelling > 10 * alike);
        if (rate < 1) /* above, steps solved to round-off are more than that */
            assert_below("with logic", balance_after(4000, logic, rate, true, &alike), 1e-11);
    }
}

/* Before there is energy, as if there were some; once the balance is off by too much, tighter. */
static void nothing_known(void **state) {
    (void)state;
    ts_exactness x = {.budget = TS_LOOSEST};
    assert_near(ts_usual_tolerance(&x, 0, 0, 0), ts_usual_tolerance(&x, 0, 1, 0), 0);
    assert_true(ts_usual_tolerance(&x, 0, 1, 0) <= TS_LOOSEST);
    assert_true(ts_usual_tolerance(&x, 1e-6, 1, 1000) < ts_usual_tolerance(&x, 0, 1, 1000));
}

/* Round-off of the balance says nothing of the rate: a tight tolerance must not keep itself. */
static void round_off_is_no_rate(void **state) {
    (void)state;
    ts_exactness x = {0};
    for (int n = 0; n < 20; n++) ts_note_exactness(&x, 1, 1e-15, 5e-15);
    assert_true(x.rate <= 1);
    for (int n = 0; n < 20; n++) ts_note_exactness(&x, 1, 1e-12, 5e-15);
    assert_true(x.rate < 0.1);
}

/* Energies of many nodes are rounded coarsely: after steps solved to round-off, a change of 1e-13
 * says nothing of a chain of 1e4 nodes and much of one of ten. A change that stands out counts. */
static void round_off_of_many_nodes(void **state) {
    (void)state;
    ts_exactness few = {.nodes = 10}, many = {.nodes = 10000};
    for (int n = 0; n < 20; n++) {
        ts_note_exactness(&few, 1, 1e-14, 5e-13);
        ts_note_exactness(&many, 1, 1e-14, 5e-13);
    }
    assert_true(few.rate == 10);
    assert_true(many.rate < 1);
    ts_note_exactness(&many, 1, 1e-11, 5e-11);
    assert_near(many.rate, 5, 1e-9);
}

/* ---- motions ---- */

/* As by default, and to round-off: motions agree, audits stay closed, fewer iterations. */
static void long_motion(void **state) {
    (void)state;
    const char *const schemes[] = {"EP", "ED"};
    for (int k = 0; k < 2; k++) {
        scene usual, tight;
        int few = 0, many = 0;
        scene_open(&usual, CHAIN, schemes[k], 1), scene_open(&tight, CHAIN, schemes[k], 1);
        usual.st->options.tolerance = 0;
        double worst = 0;
        for (int i = 0; i < 3000; i++) {
            few += scene_step(&usual, 1e-3).iterations, many += scene_step(&tight, 1e-3).iterations;
            worst = fmax(worst, fabs(usual.system->ledger.balance) / usual.energy);
        }
        measured("balance", schemes[k], 1, worst);
        measured("iterations, of those to round-off", schemes[k], 1, (double)few / many);
        assert_below("balance", worst, 1e-9);
        assert_true(few < 0.9 * many);
        scene_close(&usual), scene_close(&tight);
    }
}

/* Multipliers that pause while displacements make their last step are no multipliers that have
 * stopped shrinking: near a dead point of the slider-crank one such step opened the audit by
 * 3e-9 (ED) and 2e-9 (EP). */
static void multipliers_pause(void **state) {
    (void)state;
    const char *const schemes[] = {"EP", "ED"};
    char path[1000];
    snprintf(path, sizeof path, "%s/examples/slider_crank.yaml", getenv("TORSOR_SOURCE_DIR"));
    for (int k = 0; k < 2; k++) {
        scene s = {0};
        ts_diagnostics list = {0};
        assert_int_equal(ts_document_read(&s.document, path, &list), 0);
        s.model = s.document->model;
        ts_step_options options = scene_options(schemes[k], 0);
        options.tolerance = 0;
        scene_begin(&s, schemes[k], options);
        for (int i = 0; i < 300; i++) scene_step(&s, 1e-3);
        double off = fabs(s.system->ledger.balance) / s.system->state.largest_energy;
        measured("balance of the slider-crank", schemes[k], 0, off);
        assert_below("balance of the slider-crank", off, 1e-9);
        scene_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budget),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(round_off_is_no_rate),
        cmocka_unit_test(round_off_of_many_nodes),
        cmocka_unit_test(long_motion),
        cmocka_unit_test(multipliers_pause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
