/* SPDX-License-Identifier: Apache-2.0 */
/* Steps for which Newton's method does not converge at once: a step is grown from a small one
 * before it is halved; the message for a step without solution. */
#include "scene.h"
#include "scenes.h"

static const char *const SCHEMES[] = {"EP", "ED"};
enum { SCHEME_COUNT = 2, FEW = 4 };

/* ---- growing ---- */

/* With few iterations, and no halving allowed, the top's step of 37 ms can only be reached through
 * smaller ones: attempts at the whole have used up their iterations. What is reached is the
 * one whole step that a patient Newton's method finds, not a row of smaller ones. */
static void steps_grow_before_they_are_halved(void **state) {
    (void)state;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        scene s, patient;
        ts_step_options few = scene_defaults(), many = few;
        ts_step_result r, direct;
        few.max_iterations = FEW, many.max_iterations = 100;
        few.max_cuts = many.max_cuts = 0;
        scene_read(&s, TOP), scene_read(&patient, TOP);
        scene_begin(&s, SCHEMES[k], few), scene_begin(&patient, SCHEMES[k], many);
        assert_int_equal(ts_stepper_step(s.st, 0.037, &r), 0);
        assert_int_equal(ts_stepper_step(patient.st, 0.037, &direct), 0);
        measured("iterations, grown", SCHEMES[k], 0, r.iterations);
        measured("iterations, direct", SCHEMES[k], 0, direct.iterations);
        assert_true(direct.iterations > FEW && direct.iterations < 20); /* one attempt */
        assert_true(r.iterations > 2 * FEW); /* beyond a bold attempt, and one with new tangents */
        assert_int_equal(r.cuts, 0);
        assert_int_equal(s.system->state.step, 1);
        assert_near(s.system->state.t, 0.037, 1e-15);
        for (int i = 0; i < 3 * s.model->slots; i++) {
            assert_near(s.system->state.q[i], patient.system->state.q[i], 1e-12);
            assert_near(s.system->state.v[i], patient.system->state.v[i], 1e-9);
        }
        assert_below("balance", fabs(s.system->ledger.balance) / s.energy, 1e-13);
        assert_below("violation", scene_violation(&s), 1e-13);
        scene_close(&s), scene_close(&patient);
    }
}

/* ---- flat bodies ---- */

/* A flat body has J3 = J1 + J2, and nothing else against a change of its normal; in numbers,
 * 0.1 + 0.2 - 0.3 = 6e-17 may be left. That is no inertia to measure the conditions of its joint
 * by. Hanging still, and swinging with the energy it has. */
static void flat_bodies_step_like_others(void **state) {
    (void)state;
    static const char *const format =
        SCENE_HEAD "gravity: [0, 0, -9.81]\n"
                   "bodies: {plate: {mass: 2, inertia: [%s], position: [0.3, 0.1, 0], "
                   "angular_velocity: [%g, %g, 0], velocity: [%g, %g, 0]}}\n"
                   "joints: {pin: {type: revolute, bodies: [ground, plate], at: [0.3, 0.1, 0.7], "
                   "axis: [1, 2, 0]}}\n";
    static const char *const inertias[] = {"0.1, 0.2, 0.3", "0.1, 0.7, 0.8", "0.25, 0.5, 0.75",
                                           "0.1, 0.2, 0.2999999999", "0.1, 0.2, 0.29"};
    for (size_t i = 0; i < sizeof inertias / sizeof *inertias; i++)
        for (int k = 0; k < 2 * SCHEME_COUNT; k++) {
            scene s;
            char text[600];
            double w = k / SCHEME_COUNT, most = 0; /* (w, 2 w, 0) about the hinge, 0.7 above */
            snprintf(text, sizeof text, format, inertias[i], w, 2 * w, -1.4 * w, 0.7 * w);
            scene_open(&s, text, SCHEMES[k % SCHEME_COUNT], 0);
            for (int n = 0; n < 50; n++) {
                ts_step_result r;
                assert_int_equal(ts_stepper_step(s.st, 1e-2, &r), 0);
                assert_int_equal(r.cuts, 0);
                most = fmax(most, r.iterations);
            }
            assert_below("iterations", most, 12);
            assert_below("balance", fabs(s.system->ledger.balance), 1e-12);
            assert_below("violation", scene_violation(&s), 1e-13);
            scene_close(&s);
        }
}

/* ---- words ---- */

/* At the start of the step that failed; `how` is the step last tried, `who` or `or_who` to
 * blame. */
static void assert_says(const char *text, double h, ts_step_options options, const char *how,
                        const char *who, const char *or_who) {
    for (int k = 0; k < SCHEME_COUNT; k++) {
        scene s;
        ts_step_result r;
        int code = 0;
        char wanted[2][300];
        scene_read(&s, text);
        scene_begin(&s, SCHEMES[k], options);
        for (int n = 0; n < 20 && !code; n++) code = ts_stepper_step(s.st, h, &r);
        assert_int_equal(code, TORSOR_EDIVERGED);
        for (int n = 0; n < 2; n++)
            snprintf(wanted[n], sizeof *wanted,
                     "no convergence at t = %.9g s, %s; the largest residual is in %s",
                     s.system->state.t, how, n ? or_who : who);
        if (strcmp(ts_error_message(), wanted[0]) != 0 &&
            strcmp(ts_error_message(), wanted[1]) != 0)
            fail_msg("%s: %s\n  wanted: %s", SCHEMES[k], ts_error_message(), wanted[0]);
        scene_close(&s);
    }
}

static ts_step_options allowed(int iterations, int cuts) {
    ts_step_options options = scene_defaults();
    options.max_iterations = iterations, options.max_cuts = cuts;
    return options;
}

/* Two drives of one hinge that part company at t = 0.45: either may be named, no other part and
 * none of the hinge's own conditions. Halved twice, the step is as impossible as before. */
static void an_open_condition_is_named(void **state) {
    (void)state;
    assert_says(
        SCENE_HEAD
        "bodies:\n"
        "  other: {mass: 5, inertia: [1, 1, 1], position: [4, 0, 0], velocity: [1, 2, 3]}\n"
        "  wheel: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0]}\n"
        "joints: {hinge: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: z}}\n"
        "motions:\n"
        "  crank: {joint: hinge, angle: 0}\n"
        "  lead: {joint: hinge, angle: \"if(t < 0.45, 0, 0.1)\"}\n",
        0.1, allowed(25, 2), "even with steps halved to 0.025 s", "'crank', prescribed angle",
        "'lead', prescribed angle");
}

/* One iteration is not enough for a spring, and is enough for a free flight; all conditions
 * hold. */
static void a_body_out_of_balance_is_named(void **state) {
    (void)state;
    assert_says(SCENE_HEAD
                "bodies:\n"
                "  free: {mass: 5, inertia: [1, 1, 1], position: [4, 0, 0], velocity: [1, 2, 3]}\n"
                "  held: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 0], velocity: [0, 2, 1]}\n"
                "springs: {rope: {bodies: [ground, held], from: [1, 0, 0], to: [0, 0, 0], "
                "stiffness: 1e3}}\n",
                0.1, allowed(1, 1), "even with steps halved to 0.05 s",
                "the balance of forces of 'held'", "");
    assert_says(SCENE_HEAD
                "bodies:\n"
                "  free: {mass: 5, inertia: [1, 1, 1], position: [4, 0, 0], velocity: [1, 2, 3]}\n"
                "  held: {mass: 1000, inertia: [1, 2, 2.5], position: [0, 0, 0], "
                "angular_velocity: [3, 9, 2]}\n",
                0.1, allowed(1, 0), "with steps of 0.1 s", "the balance of moments of 'held'", "");
}

/* ---- states ---- */

/* A rejected step goes back to a copy of the state. The copy has to have every number of it, those
 * of members to come included: beside the arrays, all bytes are compared. */
static void a_copy_of_a_state_has_everything(void **state) {
    (void)state;
    scene s;
    ts_state from, to;
    scene_open(&s, PULLED_BEAM, "ED", 0);
    memset(&from, 0, sizeof from), memset(&to, 0, sizeof to);
    for (size_t i = 0; i < sizeof from / sizeof(double); i++) ((double *)&from)[i] = chance();
    ts_state_alloc(s.model, &from), ts_state_alloc(s.model, &to);
    const size_t ambient = (size_t)(3 * s.model->slots), rows = (size_t)s.model->rows_count;
    const size_t memory = (size_t)s.model->memory, trail = (size_t)ts_trail_length(s.model);
    const size_t past = (size_t)ts_past_length(s.model);
    double *arrays[][2] = {
        {from.q, to.q},           {from.v, to.v},           {from.vdot, to.vdot},
        {from.jump, to.jump},     {from.lambda, to.lambda}, {from.kappa, to.kappa},
        {from.memory, to.memory}, {from.trail, to.trail},   {from.past, to.past}};
    const size_t lengths[] = {ambient, ambient, ambient, ambient, rows, rows, memory, trail, past};
    for (int a = 0; a < 9; a++)
        for (size_t i = 0; i < lengths[a]; i++) arrays[a][0][i] = chance();
    ts_touched touched = {.key = {1, {2, 3}, 4}, .gap = chance()};
    from.touching = (ts_touching){1, 1, &touched};
    ts_state_copy(s.model, &to, &from);
    assert_int_equal(to.touching.count, 1);
    assert_memory_equal(to.touching.pair, &touched, sizeof touched);
    from.touching = (ts_touching){0};
    for (int a = 0; a < 9; a++)
        assert_memory_equal(arrays[a][0], arrays[a][1], lengths[a] * sizeof(double));
    ts_state seen = to;
    seen.q = from.q, seen.v = from.v, seen.vdot = from.vdot, seen.jump = from.jump;
    seen.lambda = from.lambda, seen.kappa = from.kappa;
    seen.memory = from.memory, seen.trail = from.trail, seen.past = from.past;
    seen.inputs = from.inputs; /* test_inputs.c compares them */
    seen.touching = from.touching, seen.contact_loss = from.contact_loss;
    seen.contact_impulse = from.contact_impulse, seen.contact_peak = from.contact_peak;
    seen.contact_now = from.contact_now;
    assert_memory_equal(&seen, &from, sizeof seen);
    ts_state_free(&from), ts_state_free(&to);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_grow_before_they_are_halved),
        cmocka_unit_test(flat_bodies_step_like_others),
        cmocka_unit_test(an_open_condition_is_named),
        cmocka_unit_test(a_body_out_of_balance_is_named),
        cmocka_unit_test(a_copy_of_a_state_has_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
