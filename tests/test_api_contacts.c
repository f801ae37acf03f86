/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs in contact and events in the public interface: forces of a ball at rest and of a block that
 * friction holds on a slope against closed forms, equal from a run and from its results; an event
 * is reported once, in its step, and may stop the run. */
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

#include "torsor/torsor.h"

#include "fine.h"

static const double WEIGHT = 2 * 9.81, SLOPE = 0.25;

static torsor_model *model_of(const char *text) {
    torsor_model *m;
    FINE(torsor_model_parse(&m, text, strlen(text), "model"));
    return m;
}

/* A ball of 2 kg that has sunk in by its weight over the stiffness. */
static const char BALL[] =
    "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n"
    "bodies: {ball: {mass: 2, inertia: [1, 1, 1], position: [0.3, 0, 0.1 - 2*9.81/1e4]}}\n"
    "shapes: {skin: {type: sphere, on: ball, radius: 0.1}, floor: {type: plane, on: ground, "
    "normal: z}}\n"
    "contacts: {rest: {between: [skin, floor], stiffness: 1e4}}\n"
    "analysis: {scheme: EP, step: 1 ms, end: 50 ms}\n";

static bool near(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

static void a_ball_at_rest(void **state) {
    (void)state;
    torsor_model *m = model_of(BALL);
    torsor_run *run;
    torsor_contact c;
    FINE(torsor_run_new(&run, m));
    assert_int_equal(torsor_run_contacts(run), 1);
    FINE(torsor_run_contact(run, 0, &c));
    assert_true(near(c.gap, -WEIGHT / 1e4, 1e-12) && c.pressing == 0);
    FINE(torsor_run_to(run, INFINITY));
    assert_int_equal(torsor_run_contacts(run), 1);
    FINE(torsor_run_contact(run, 0, &c));
    assert_string_equal(c.contact, "rest");
    assert_string_equal(c.shape_a, "skin");
    assert_string_equal(c.shape_b, "floor");
    assert_true(near(c.gap, -WEIGHT / 1e4, 1e-10) && near(c.pressing, WEIGHT, 1e-8));
    assert_true(near(c.force[0], 0, 1e-9) && near(c.force[2], WEIGHT, 1e-8) && c.normal[2] == 1);
    assert_true(near(c.at[0], 0.3, 1e-9) && near(c.at[2], 0, 3e-3));
    assert_true(near(c.stored, 0.5 * WEIGHT * WEIGHT / 1e4, 1e-9) && !c.stuck);
    assert_true(torsor_run_contact(run, 1, &c) < 0 && torsor_run_contact(run, -1, &c) < 0);
    torsor_impact x;
    assert_int_equal(torsor_run_impacts(run), 1);
    FINE(torsor_run_impact(run, 0, &x));
    assert_string_equal(x.contact, "rest");
    assert_true(x.mass == 2 && x.stiffness == 1e4 && near(x.sinks, WEIGHT / 1e4, 1e-15));
    assert_true(near(x.duration, 3.14159265358979324 * sqrt(2 / 1e4), 1e-14));
    assert_true(torsor_run_impact(run, 1, &x) < 0 && torsor_run_impact(run, -1, &x) < 0);
    torsor_run_free(run), torsor_model_free(m);
}

/* A brick on a plane tilted by SLOPE about y, held by friction; forces on the brick balance its
 * weight. What the results tell of the last state is what the run told. */
static void a_block_on_a_slope(void **state) {
    (void)state;
    static const char text[] =
        "torsor: 1\nunits: SI\ngravity: [9.81*sin(0.25), 0, -9.81*cos(0.25)]\n"
        "bodies: {brick: {mass: 2, inertia: [0.01, 0.01, 0.01], position: [0, 0, 0.05 - "
        "2*9.81*cos(0.25)/4e4]}}\n"
        "shapes: {skin: {type: box, on: brick, size: [0.3, 0.2, 0.1]}, floor: {type: plane, on: "
        "ground, normal: z}}\n"
        "contacts: {rest: {between: [skin, floor], stiffness: 1e4, friction: 0.5, restitution: "
        "0.2, viscous: 20}}\n"
        "analysis: {scheme: ED, step: 2 ms, end: 3 s}\n";
    char folder[] = "/tmp/torsor-contacts-XXXXXX", path[100];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.h5", folder);
    torsor_model *m = model_of(text);
    torsor_run *run;
    FINE(torsor_run_new(&run, m));
    FINE(torsor_run_record(run, path));
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_run_finish(run));
    int told;
    torsor_results *r;
    FINE(torsor_results_open(&r, path));
    FINE(torsor_results_contacts(r, torsor_results_frames(r) - 1, &told));
    assert_int_equal(told, 4);
    assert_int_equal(torsor_run_contacts(run), 4);
    double pressing = 0, along = 0;
    for (int i = 0; i < 4; i++) {
        torsor_contact now, then;
        FINE(torsor_run_contact(run, i, &now));
        FINE(torsor_results_contact(r, i, &then));
        pressing += now.force[2], along += now.friction[0];
        assert_true(now.stuck && near(now.force[0], now.friction[0], 1e-12));
        assert_string_equal(now.contact, then.contact);
        assert_string_equal(then.shape_a, "skin");
        assert_string_equal(then.shape_b, "floor");
        assert_memory_equal(now.force, then.force, sizeof now.force);
        assert_memory_equal(now.at, then.at, sizeof now.at);
        assert_true(now.gap == then.gap && now.stuck == then.stuck && now.stored == then.stored);
    }
    assert_true(near(pressing, WEIGHT * cos(SLOPE), 1e-4));
    assert_true(near(along, -WEIGHT * sin(SLOPE), 1e-4));
    torsor_contact none;
    assert_true(torsor_results_contact(r, 4, &none) < 0);
    assert_true(torsor_results_contacts(r, torsor_results_frames(r), &told) < 0 && told == 0);
    FINE(torsor_results_contact(r, 0, &none)); /* a refused call leaves the pairs */
    torsor_results_free(r), torsor_run_free(run), torsor_model_free(m);
    unlink(path), rmdir(folder);
}

/* ---- events ---- */

typedef struct notes {
    int count, stop_at;
    double t[8], found[8];
    char name[8][32];
} notes;

static int note(void *context, torsor_run *run, const torsor_event *event) {
    notes *n = context;
    assert_true(n->count < 8);
    n->t[n->count] = torsor_run_time(run), n->found[n->count] = event->t;
    snprintf(n->name[n->count], sizeof n->name[0], "%s", event->name);
    return ++n->count == n->stop_at;
}

/* A body that falls freely passes 1 m after sqrt(2/9.81) s; a clock strikes at 0.2 s. */
static void events_are_told_as_they_happen(void **state) {
    (void)state;
    torsor_model *m =
        model_of("torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\n"
                 "bodies: {stone: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "events: {low: {when: stone.position.z < -1, mark: low}, bell: {at: 0.2 s, mark: "
                 "bell}}\n"
                 "analysis: {scheme: EP, step: 10 ms, end: 1 s}\n");
    torsor_run *run;
    notes n = {0};
    double fall = sqrt(2 / 9.81);
    FINE(torsor_run_new(&run, m));
    FINE(torsor_run_on_event(run, &(torsor_event_listener){&n, note}));
    FINE(torsor_run_to(run, INFINITY));
    assert_int_equal(n.count, 2);
    assert_string_equal(n.name[0], "bell");
    assert_string_equal(n.name[1], "low");
    assert_true(near(n.found[0], 0.2, 1e-12) && near(n.found[1], fall, 1e-9));
    assert_true(n.t[1] >= fall - 1e-9 && n.t[1] < fall + 0.0101);
    torsor_run_free(run);
    n = (notes){.stop_at = 2};
    FINE(torsor_run_new(&run, m));
    FINE(torsor_run_on_event(run, &(torsor_event_listener){&n, note}));
    assert_int_equal(torsor_run_to(run, INFINITY), TORSOR_EINTERRUPTED);
    assert_true(near(torsor_run_time(run), n.t[1], 1e-15) && n.t[1] < 0.5);
    FINE(torsor_run_on_event(run, NULL));
    FINE(torsor_run_to(run, INFINITY));
    assert_true(n.count == 2 && torsor_run_ended(run));
    torsor_run_free(run), torsor_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_at_rest),
                                       cmocka_unit_test(a_block_on_a_slope),
                                       cmocka_unit_test(events_are_told_as_they_happen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
