/* SPDX-License-Identifier: Apache-2.0 */
/* torsor inside another program: a rod on a hinge is held at an angle by a controller that is
 * written here.
 *
 * The model is built in code, stepped, looked at through views of its state, and its motor is set
 * before every step.
 *
 *     cc hold.c $(pkg-config --cflags --libs torsor) -lm -o hold && ./hold
 *
 * At rest the motor carries the rod's weight, kp (target - angle) = m g L/2 cos(angle): a
 * controller without memory hangs that far below its target. The program solves this equation and
 * says whether the simulation came there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <torsor/torsor.h>

static const double MASS = 2, LENGTH = 1, GRAVITY = 9.81;
static const double TARGET = 0.5, KP = 60, KD = 8; /* rad, N m/rad, N m s/rad */

static void check(int status) {
    if (status == TORSOR_OK) return;
    const torsor_problem *p = torsor_error_details();
    fprintf(stderr, "%s\n", *p->report ? p->report : p->message);
    if (*p->part) fprintf(stderr, "  in part '%s', t = %g s\n", p->part, p->time);
    exit(EXIT_FAILURE);
}

/* Every entry is written as in a model file; units where they are not SI. */
static torsor_run *build(void) {
    torsor_model *model;
    torsor_run *run;
    check(torsor_model_new(&model));
    check(torsor_model_set(model, "title", "a rod held up"));
    check(torsor_model_set(model, "gravity", "[0, 0, -9.81]"));
    check(torsor_model_add(model, "signals", "torque", "{input: 0}"));
    check(torsor_model_add(model, "bodies", "rod",
                           "{mass: 2, inertia: [0.001, 1/6, 1/6], position: [500 mm, 0, 0]}"));
    check(torsor_model_add(model, "joints", "hinge",
                           "{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: -y}"));
    check(torsor_model_add(model, "loads", "motor", "{type: motor, joint: hinge, torque: torque}"));
    check(torsor_model_set(model, "analysis", "{scheme: ED, step: 2 ms, end: 5 s}"));
    check(torsor_run_new(&run, model));
    torsor_model_free(model); /* the run has its own */
    return run;
}

static void control(torsor_run *run) {
    const int torque = torsor_run_input_find(run, "torque");
    const int hinge = torsor_run_coordinate_find(run, "hinge.angle");
    while (!torsor_run_ended(run)) {
        double angle = torsor_run_coordinate_value(run, hinge);
        double rate = torsor_run_coordinate_rate(run, hinge);
        check(torsor_run_input_set(run, torque, KP * (TARGET - angle) - KD * rate));
        check(torsor_run_step(run));
    }
}

static double angle_at_rest(void) {
    double angle = TARGET;
    for (int i = 0; i < 100; i++) angle = TARGET - MASS * GRAVITY * LENGTH / 2 * cos(angle) / KP;
    return angle;
}

int main(int count, char **word) {
    torsor_run *run = build();
    /* a results file, if it is given a name */
    if (count > 1) check(torsor_run_record(run, word[1]));
    control(run);

    torsor_node rod;
    torsor_ledger energy;
    check(torsor_run_node(run, torsor_run_node_find(run, "rod"), &rod));
    const double *x = torsor_run_q(run) + 3 * rod.slot; /* a view, not a copy */
    torsor_run_ledger(run, &energy);
    double angle = torsor_run_coordinate_value(run, torsor_run_coordinate_find(run, "hinge"));
    double wanted = angle_at_rest();
    printf("t = %g s: the rod's centre is at (%.6f, %.6f, %.6f) m\n", torsor_run_time(run), x[0],
           x[1], x[2]);
    printf("angle %.9f rad, at rest %.9f rad\n", angle, wanted);
    printf("the motor's work %.6f J, energy gained %.6f J, balance %.1e J\n", energy.work_loads,
           energy.kinetic + energy.gravity - energy.start, energy.balance);
    int fine = fabs(angle - wanted) < 1e-6 && fabs(energy.balance) < 1e-10;
    check(torsor_run_finish(run));
    torsor_run_free(run);
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
