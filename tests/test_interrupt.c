/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that are asked to stop: the step under way is abandoned between iterations, and the state is
 * that of the last complete step. */
#include "scene.h"

#define BEAM                                                                                       \
    SCENE_HEAD "gravity: [0, 0, -9.81]\n"                                                          \
               "sections: {s: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 10, EI2: 10, EI3: 10, "            \
               "mass: 1, inertia: [0.02, 0.01, 0.01]}}\n"                                          \
               "beams: {b: {from: [0, 0, 0], to: [2, 0, 0], section: s, elements: 6, order: 1}}\n" \
               "joints: {c: {type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}}\n"            \
               "analysis: {%s}\n"

typedef struct asked {
    volatile sig_atomic_t stop;
    int64_t after, last;
    v3 end;
} asked;

static v3 end_of(const ts_system *system) {
    const ts_model *model = system->model;
    return v3_load(system->state.q + 3 * model->nodes[model->nodes_count - 1].slot);
}

/* Asks to stop, and does not stop the run itself. */
static int on_step(void *context, const ts_system *system, const ts_step_report *report) {
    asked *a = context;
    a->last = report->step, a->end = end_of(system);
    if (report->step == a->after) a->stop = 1;
    return 0;
}

static void a_run_stops_within_a_step(void **state) {
    static const char *const ANALYSES[] = {
        "type: static, increments: 9", "type: static, method: arc_length, increments: 9",
        "step: 10 ms, end: 1 s", "step: 10 ms, end: 1 s, scheme: EP",
        "step: 10 ms, end: 1 s, step_tolerance: 1e-6"};
    (void)state;
    for (size_t i = 0; i < sizeof ANALYSES / sizeof *ANALYSES; i++) {
        scene s;
        asked a = {.after = 3};
        ts_summary summary;
        scene_read(&s, scene_write(BEAM, ANALYSES[i]));
        assert_int_equal(ts_system_new(&s.system, s.model), 0);
        ts_system_begin(s.system);
        ts_observer observer = {.context = &a, .stepped = on_step};
        s.document->options.stop = &a.stop;
        assert_int_equal(ts_run(s.system, &s.document->options, &observer, &summary),
                         TORSOR_EINTERRUPTED);
        assert_int_equal(a.last, 3);
        assert_int_equal(s.system->state.step, 3);
        assert_int_equal(summary.steps, 3);
        assert_near(v3_norm(v3_sub(end_of(s.system), a.end)), 0, 0);
        a.stop = 0, a.after = 0; /* and it goes on from there */
        if (!s.document->options.arc_length)
            assert_int_equal(ts_run(s.system, &s.document->options, &observer, &summary), 0);
        scene_close(&s);
    }
}

static void a_static_start_stops_too(void **state) {
    scene s;
    volatile sig_atomic_t stop = 1;
    (void)state;
    scene_read(&s, scene_write(BEAM, "start: static, step: 10 ms, end: 1 s"));
    assert_int_equal(ts_system_new(&s.system, s.model), 0);
    ts_system_begin(s.system);
    s.document->options.stop = &stop;
    assert_int_equal(ts_settle(s.system, &s.document->options, 5), TORSOR_EINTERRUPTED);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_stops_within_a_step),
        cmocka_unit_test(a_static_start_stops_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
