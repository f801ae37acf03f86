/* SPDX-License-Identifier: Apache-2.0 */
/* A program built with the header of version 0.1 (data/torsor_0_1.h, as it was released) runs with
 * the library of today.
 *
 * Every function of 0.1 is there and does what it did; no structure that the program declares is
 * written beyond the end that it had in 0.1. The numbers are those of a pendulum and of a mass on a
 * spring in closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/torsor_0_1.h"

#include "fine.h"

/* All functions of 0.1. */
#define FUNCTIONS                  \
    X(torsor_error)                \
    X(torsor_error_details)        \
    X(torsor_model_add)            \
    X(torsor_model_copy)           \
    X(torsor_model_free)           \
    X(torsor_model_get)            \
    X(torsor_model_has)            \
    X(torsor_model_keys)           \
    X(torsor_model_new)            \
    X(torsor_model_parse)          \
    X(torsor_model_read)           \
    X(torsor_model_set)            \
    X(torsor_model_text)           \
    X(torsor_modes_count)          \
    X(torsor_modes_free)           \
    X(torsor_modes_get)            \
    X(torsor_modes_imbalance)      \
    X(torsor_modes_new)            \
    X(torsor_modes_run)            \
    X(torsor_modes_settled)        \
    X(torsor_modes_write)          \
    X(torsor_results_catalogue)    \
    X(torsor_results_csv)          \
    X(torsor_results_frames)       \
    X(torsor_results_free)         \
    X(torsor_results_info)         \
    X(torsor_results_open)         \
    X(torsor_results_read)         \
    X(torsor_results_series)       \
    X(torsor_results_series_count) \
    X(torsor_results_series_find)  \
    X(torsor_results_steps)        \
    X(torsor_results_table)        \
    X(torsor_results_text)         \
    X(torsor_run_assembly)         \
    X(torsor_run_condition)        \
    X(torsor_run_conditions)       \
    X(torsor_run_coordinate)       \
    X(torsor_run_coordinate_find)  \
    X(torsor_run_coordinate_rate)  \
    X(torsor_run_coordinate_value) \
    X(torsor_run_coordinates)      \
    X(torsor_run_end)              \
    X(torsor_run_ended)            \
    X(torsor_run_finish)           \
    X(torsor_run_free)             \
    X(torsor_run_gap)              \
    X(torsor_run_input_find)       \
    X(torsor_run_input_get)        \
    X(torsor_run_input_name)       \
    X(torsor_run_input_set)        \
    X(torsor_run_inputs)           \
    X(torsor_run_last_step)        \
    X(torsor_run_ledger)           \
    X(torsor_run_measure)          \
    X(torsor_run_measures)         \
    X(torsor_run_momentum)         \
    X(torsor_run_multipliers)      \
    X(torsor_run_new)              \
    X(torsor_run_node)             \
    X(torsor_run_node_find)        \
    X(torsor_run_node_omega)       \
    X(torsor_run_nodes)            \
    X(torsor_run_note)             \
    X(torsor_run_observe)          \
    X(torsor_run_part)             \
    X(torsor_run_part_describe)    \
    X(torsor_run_part_find)        \
    X(torsor_run_parts)            \
    X(torsor_run_q)                \
    X(torsor_run_reaction)         \
    X(torsor_run_record)           \
    X(torsor_run_relative)         \
    X(torsor_run_resolution)       \
    X(torsor_run_restart)          \
    X(torsor_run_section)          \
    X(torsor_run_slots)            \
    X(torsor_run_station)          \
    X(torsor_run_stations)         \
    X(torsor_run_step)             \
    X(torsor_run_step_size)        \
    X(torsor_run_steps_done)       \
    X(torsor_run_steps_planned)    \
    X(torsor_run_summary)          \
    X(torsor_run_time)             \
    X(torsor_run_title)            \
    X(torsor_run_to)               \
    X(torsor_run_v)                \
    X(torsor_schema)               \
    X(torsor_table_column)         \
    X(torsor_table_columns)        \
    X(torsor_table_free)           \
    X(torsor_table_name)           \
    X(torsor_table_rows)           \
    X(torsor_table_unit)           \
    X(torsor_text_free)            \
    X(torsor_version)

typedef void (*function)(void);
static const struct {
    const char *name;
    function call;
} ALL[] = {
#define X(name) {#name, (function)name},
    FUNCTIONS
#undef X
};
enum { COUNT = sizeof ALL / sizeof *ALL };

static void has_every_function(void **state) {
    (void)state;
    assert_int_equal(COUNT, 97);
    for (int i = 0; i < COUNT; i++) assert_true(ALL[i].call != NULL);
}

/* ---- structures ---- */

/* Room for a structure of 0.1, and a fence behind it. */
enum { FENCE = 64, MARK = 0xA5 };
static union {
    double align;
    unsigned char bytes[4096];
} room;

static void *fenced(void) {
    memset(room.bytes, MARK, sizeof room.bytes);
    return room.bytes;
}

static void check_fence(size_t size, const char *what) {
    for (size_t i = size; i < size + FENCE; i++)
        if (room.bytes[i] != MARK) fail_msg("%s is written beyond its end", what);
}

#define FENCED(type, call)                \
    do {                                  \
        type *out = fenced();             \
        FINE(call);                       \
        check_fence(sizeof(type), #type); \
    } while (0)
#define FENCED_VOID(type, call)           \
    do {                                  \
        type *out = fenced();             \
        call;                             \
        check_fence(sizeof(type), #type); \
    } while (0)

static torsor_model *model(void) {
    torsor_model *m;
    FINE(torsor_model_new(&m));
    FINE(torsor_model_set(m, "gravity", "[0, 0, -9.81]"));
    FINE(torsor_model_add(m, "parameters", "L", "1 m"));
    FINE(torsor_model_add(m, "signals", "push", "{input: 0}"));
    FINE(torsor_model_add(m, "bodies", "rod",
                          "{mass: 2, inertia: [0.001, 0.2, 0.2], position: [L/2, 0, 0]}"));
    FINE(torsor_model_add(m, "joints", "hinge",
                          "{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}"));
    FINE(torsor_model_add(m, "loads", "motor", "{type: motor, joint: hinge, torque: push}"));
    FINE(torsor_model_add(m, "sections", "tube",
                          "{EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, mass: 1}"));
    FINE(
        torsor_model_add(m, "beams", "boom",
                         "{from: [0, 1, 0], to: [1, 1, 0], section: tube, elements: 2, order: 1}"));
    FINE(torsor_model_add(m, "joints", "clamp",
                          "{type: rigid, bodies: [ground, boom.start], at: [0, 1, 0]}"));
    FINE(torsor_model_set(m, "analysis", "{scheme: EP, step: 1 ms, end: 0.2 s}"));
    return m;
}

static void keeps_structures(void **state) {
    (void)state;
    torsor_model *m = model();
    torsor_run *run;
    torsor_modes *modes;
    FINE(torsor_run_new(&run, m));
    FINE(torsor_run_step(run));
    FENCED_VOID(torsor_ledger, torsor_run_ledger(run, out));
    FENCED_VOID(torsor_summary, torsor_run_summary(run, out));
    FENCED_VOID(torsor_assembly, torsor_run_assembly(run, out));
    FENCED(torsor_measure, torsor_run_measure(run, 0, out));
    FENCED(torsor_gap, torsor_run_gap(run, 0, out));
    FENCED(torsor_node, torsor_run_node(run, 1, out));
    FENCED(torsor_part, torsor_run_part(run, 1, out));
    FENCED(torsor_coordinate, torsor_run_coordinate(run, 0, out));
    FENCED(torsor_condition, torsor_run_condition(run, 0, out));
    FENCED(torsor_station, torsor_run_station(run, 0, out));
    torsor_modal_options options = {.modes = 2};
    FINE(torsor_modes_new(&modes, m, &options));
    FENCED(torsor_mode, torsor_modes_get(modes, 0, out));
    torsor_modes_free(modes);
    torsor_run_free(run);
    torsor_model_free(m);
}

/* ---- what they do ---- */

static int count_steps(void *context, torsor_run *run) {
    (void)run;
    ++*(int *)context;
    return 0;
}

/* EP on a hinge: the energy stays, the angle follows phi'' = 9.81 m L/2 / I, I = 0.2 + 2/4, for
 * a short time. */
static void runs_as_before(void **state) {
    (void)state;
    char path[] = "/tmp/torsor-old-XXXXXX";
    int file = mkstemp(path), steps = 0;
    assert_true(file >= 0);
    close(file);
    torsor_model *m = model();
    torsor_run *run, *again;
    torsor_results *results;
    torsor_ledger ledger;
    torsor_observer observer = {.context = &steps, .after = count_steps};
    FINE(torsor_run_new(&run, m));
    torsor_run_observe(run, &observer);
    FINE(torsor_run_record(run, path));
    FINE(torsor_run_to(run, 0.05));
    int angle = torsor_run_coordinate_find(run, "hinge.angle");
    double expected = 0.5 * 9.81 * 2 * 0.5 / 0.7 * 0.05 * 0.05;
    assert_true(fabs(torsor_run_coordinate_value(run, angle) - expected) < 1e-3 * expected);
    FINE(torsor_run_input_set(run, torsor_run_input_find(run, "push"), 1.0));
    FINE(torsor_run_to(run, INFINITY));
    assert_true(torsor_run_ended(run));
    assert_int_equal(steps, 200);
    assert_int_equal(torsor_run_last_step(run)->step, 200);
    torsor_run_ledger(run, &ledger);
    assert_true(fabs(ledger.balance) < 1e-10);
    FINE(torsor_run_finish(run));
    FINE(torsor_results_open(&results, path));
    FENCED(torsor_series, torsor_results_series(results, 0, out));
    assert_int_equal(torsor_results_steps(results), 200);
    torsor_results_free(results);
    FINE(torsor_run_restart(&again, path, -1, 0.25));
    FINE(torsor_run_to(again, INFINITY));
    assert_true(fabs(torsor_run_time(again) - 0.25) < 1e-12);
    torsor_run_free(again);
    torsor_run_free(run);
    torsor_model_free(m);
    unlink(path);
}

/* Errors have the codes and pieces that they had. */
static void fails_as_before(void **state) {
    (void)state;
    static const char WRONG[] = "torsor: 1\nunits: SI\nbodies: {a: {maas: 1}}\n";
    torsor_model *m;
    assert_int_equal(torsor_model_parse(&m, WRONG, sizeof WRONG - 1, "wrong"), TORSOR_EINVAL);
    assert_null(m);
    const torsor_problem *p = torsor_error_details();
    assert_int_equal(p->line, 3);
    assert_non_null(strstr(p->report, "did you mean 'mass'"));
    torsor_run *run;
    assert_int_equal(torsor_run_restart(&run, "no such file.h5", -1, 0), TORSOR_EIO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_function), cmocka_unit_test(keeps_structures),
        cmocka_unit_test(runs_as_before), cmocka_unit_test(fails_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
