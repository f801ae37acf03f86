/* SPDX-License-Identifier: Apache-2.0 */
/* Sign and size of the forces of joints, motions, motors, springs and bushings, in the results file
 * and in the running model, each against the statics of a weight or of a twisted bar.
 *
 * `force` and `moment` act on body B, `effort` is what a motion needs along its coordinate, so that
 * effort times rate is power. A weight on a rod from x = 0 to 1 has the moment
 * r x F = (0, + m g / 2, 0) about its hinge; whatever holds the rod gives the opposite. Internal
 * forces are those on the section whose outward normal points to the end of the beam.
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

#include "torsor/torsor.h"

#include "fine.h"

static char folder[] = "/tmp/torsor-efforts-XXXXXX";

typedef struct expected {
    const char *column;
    double value;
} expected;

/* The results of a model, brought to its end; `run` stays open. */
static torsor_results *results_of(const char *text, torsor_run **run) {
    torsor_model *model;
    torsor_results *results;
    char path[200];
    snprintf(path, sizeof path, "%s/efforts.h5", folder);
    FINE(torsor_model_parse(&model, text, strlen(text), "efforts.yaml"));
    FINE(torsor_run_new(run, model));
    FINE(torsor_run_record(*run, path));
    FINE(torsor_run_to(*run, torsor_run_end(*run)));
    FINE(torsor_run_finish(*run));
    torsor_model_free(model);
    FINE(torsor_results_open(&results, path));
    return results;
}

/* The last row of one column. */
static double last_of(torsor_results *results, const char *column) {
    torsor_table *table;
    FINE(torsor_results_table(&table, results, 1, &column));
    assert_int_equal(torsor_table_columns(table), 2); // the time, and the column
    double value = torsor_table_column(table, 1)[torsor_table_rows(table) - 1];
    torsor_table_free(table);
    return value;
}

static void compare(torsor_results *results, const char *case_of, const expected *list, int count) {
    for (int i = 0; i < count; i++) {
        double value = last_of(results, list[i].column), off = fabs(value - list[i].value);
        if (!(off <= 1e-7 * (1 + fabs(list[i].value))))
            fail_msg("%s: %s is %.12g, not %.12g", case_of, list[i].column, value, list[i].value);
    }
}
#define COMPARE(results, case_of, list) \
    compare(results, case_of, list, (int)(sizeof(list) / sizeof *(list)))

/* The reaction of a part as the running model tells it. */
static void assert_reaction(const torsor_run *run, const char *part, const double *force,
                            const double *moment) {
    double F[3], M[3];
    FINE(torsor_run_reaction(run, torsor_run_part_find(run, part), F, M));
    for (int k = 0; k < 3; k++)
        if (!(fabs(F[k] - force[k]) <= 1e-6 && fabs(M[k] - moment[k]) <= 1e-6))
            fail_msg("%s: force %g %g %g, moment %g %g %g", part, F[0], F[1], F[2], M[0], M[1],
                     M[2]);
}

static const char *const ANALYSES[] = {
    "analysis: {type: static}\n",
    "analysis: {scheme: EP, start: static, step: 10 ms, end: 50 ms}\n",
    "analysis: {scheme: ED, start: static, step: 10 ms, end: 50 ms}\n",
    "analysis: {scheme: {name: ED, rho_inf: 0.6}, start: static, step: 10 ms, end: 50 ms}\n"};
enum { ANALYSIS_COUNT = sizeof ANALYSES / sizeof *ANALYSES };

static const char *with(const char *text, const char *analysis) {
    static char whole[4000];
    int length = snprintf(whole, sizeof whole, "torsor: 1\nunits: SI\n%s%s", text, analysis);
    assert_true(length < (int)sizeof whole);
    return whole;
}

/* ---- weights: 10 m/s^2 ---- */

/* Of `weld` the ground is body B: the signs are opposite to those of `clamp`. */
static const char WEIGHTS[] =
    "gravity: [0, 0, -10]\n"
    "sections: {S: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1e10, EI2: 1e10, EI3: 1e10, mass: 1, "
    "inertia: [0.1, 0.1, 0.1]}}\n"
    "beams: {bar: {from: [0, 40, 0], to: [2, 40, 0], section: S, elements: 1, order: 1}}\n"
    "bodies:\n"
    "  driven: {mass: 2, inertia: [0.001, 0.2, 0.2], position: [0.5, 5, 0]}\n"
    "  motored: {mass: 2, inertia: [0.001, 0.2, 0.2], position: [0.5, 10, 0]}\n"
    "  hung: {mass: 4, inertia: [1, 1, 1], position: [0, 15, -0.4]}\n"
    "  mount: {mass: 5, inertia: [1, 1, 1], position: [0, 20, 0]}\n"
    "  arm: {mass: 2, inertia: [0.001, 0.2, 0.2], position: [0.5, 25, 0]}\n"
    "  beam: {mass: 3, inertia: [0.001, 0.2, 0.2], position: [0.5, 30, 0]}\n"
    "  scale: {mass: 6, inertia: [1, 1, 1], position: [0, 35, 0]}\n"
    "joints:\n"
    "  hinge: {type: revolute, bodies: [ground, driven], at: [0, 5, 0], axis: y}\n"
    "  pin: {type: revolute, bodies: [ground, motored], at: [0, 10, 0], axis: y}\n"
    "  clamp: {type: rigid, bodies: [ground, arm], at: [0, 25, 0]}\n"
    "  wall: {type: rigid, bodies: [ground, bar.start], at: [0, 40, 0]}\n"
    "  weld: {type: rigid, bodies: [beam, ground], at: [0, 30, 0]}\n"
    "  guide: {type: prismatic, bodies: [ground, scale], at: [0, 35, 0], axis: z}\n"
    "  plumb: {type: prismatic, bodies: [ground, hung], at: [0, 15, 0], axis: z}\n"
    "springs:\n"
    "  wire: {type: spring, bodies: [ground, hung], from: [0, 15, 1], to: [0, 15, -0.4], "
    "stiffness: 100, free_length: 1}\n"
    "  coil: {type: joint_spring, joint: guide, stiffness: 200}\n"
    "  hold_up: {type: torsion_spring, joint: pin, stiffness: 1000}\n"
    "  block: {type: bushing, bodies: [ground, mount], at: [0, 20, 0], stiffness: [1000, 1000, "
    "1000, 8, 8, 8]}\n"
    "motions:\n"
    "  hold: {joint: hinge, angle: 0}\n"
    "loads:\n"
    "  drive: {type: motor, joint: pin, torque: -10}\n";

/* The motor holds its rod alone, so the spring beside it stays relaxed; bushing and spring in
 * the guide sink by m g / k. */
static const expected OF_WEIGHTS[] = {{"hold.effort", -10},
                                      {"hold.moment.y", -10},
                                      {"hinge.force.z", 20},
                                      {"hinge.moment.y", 0},
                                      {"drive.moment.y", -10},
                                      {"drive.force.z", 0},
                                      {"pin.force.z", 20},
                                      {"hold_up.moment.y", 0},
                                      {"wire.force.z", 40},
                                      {"wire.force.x", 0},
                                      {"wire.elastic_energy", 8},
                                      {"coil.force.z", 60},
                                      {"coil.elastic_energy", 9},
                                      {"guide.displacement", -0.3},
                                      {"block.force.z", 50},
                                      {"block.relative_displacement.z", -0.05},
                                      {"block.elastic_energy", 1.25},
                                      {"clamp.force.z", 20},
                                      {"clamp.moment.y", -10},
                                      {"weld.force.z", -30},
                                      {"weld.moment.y", 15},
                                      {"wall.force.z", 20},
                                      {"wall.moment.y", -20},
                                      {"hung.position.z", -0.4},
                                      {"mount.position.z", -0.05}};

static void weights_are_held(void **state) {
    (void)state;
    for (int a = 0; a < ANALYSIS_COUNT; a++) {
        torsor_run *run;
        torsor_results *results = results_of(with(WEIGHTS, ANALYSES[a]), &run);
        COMPARE(results, ANALYSES[a], OF_WEIGHTS);
        assert_reaction(run, "clamp", (double[]){0, 0, 20}, (double[]){0, -10, 0});
        assert_reaction(run, "weld", (double[]){0, 0, -30}, (double[]){0, 15, 0});
        assert_reaction(run, "wire", (double[]){0, 0, 40}, (double[]){0, 0, 0});
        assert_reaction(run, "block", (double[]){0, 0, 50}, (double[]){0, 0, 0});
        assert_reaction(run, "drive", (double[]){0, 0, 0}, (double[]){0, -10, 0});
        torsor_results_free(results), torsor_run_free(run);
    }
}

/* ---- a bar and a bushing, twisted and pulled ---- */

static const char TWISTED[] =
    "gravity: [0, 0, 0]\n"
    "sections: {S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 50, EI2: 100, EI3: 100, mass: 1, inertia: "
    "[0.1, 0.1, 0.1]}}\n"
    "bodies: {turned: {mass: 1, inertia: [1, 1, 1], position: [0, 5, 0]}}\n"
    "beams: {bar: {from: [0, 0, 0], to: [2, 0, 0], section: S, elements: 1, order: 1}}\n"
    "joints: {root: {type: rigid, bodies: [ground, bar.start], at: [0, 0, 0]}}\n"
    "springs: {block: {type: bushing, bodies: [ground, turned], at: [0, 5, 0], axis: z, stiffness: "
    "[1000, 1000, 1000, 8, 8, 8]}}\n"
    "loads:\n"
    "  twist: {type: moment, body: bar.end, moment: [5, 0, 0]}\n"
    "  pull: {type: force, body: bar.end, force: [30, 0, 0]}\n"
    "  wring: {type: moment, body: turned, moment: [0, 0, 4]}\n";

/* The twist is T L / GJ = 0.2 rad, the stretch F L / EA = 6 mm; the bushing turns by T / k. */
static const expected OF_TWISTED[] = {{"bar.section.1.M1", 5},
                                      {"bar.section.1.N", 30},
                                      {"bar.section.1.kappa1", 0.1},
                                      {"bar.section.1.Gamma1", 0.003},
                                      {"bar.end.rotation_vector.x", 0.2},
                                      {"bar.end.displacement.x", 0.006},
                                      {"root.moment.x", -5},
                                      {"root.force.x", -30},
                                      {"block.moment.z", -4},
                                      {"block.relative_rotation.z", 0.5},
                                      {"block.elastic_energy", 1}};

static void a_bar_is_twisted_and_pulled(void **state) {
    (void)state;
    for (int a = 0; a < ANALYSIS_COUNT; a++) {
        torsor_run *run;
        torsor_results *results = results_of(with(TWISTED, ANALYSES[a]), &run);
        COMPARE(results, ANALYSES[a], OF_TWISTED);
        assert_reaction(run, "root", (double[]){-30, 0, 0}, (double[]){-5, 0, 0});
        assert_reaction(run, "block", (double[]){0, 0, 0}, (double[]){0, 0, -4});
        torsor_results_free(results), torsor_run_free(run);
    }
}

/* ---- loads along beams ---- */

/* Two rods of 2 m are turned from x to z. Of the load of 3 N/m the one keeps its direction, -z; the
 * other follows its rod, whose third axis then is -x. The hinges answer with 6 N. They bend
 * by less than 1e-8, and EA times the round-off of places is less than 1e-7 N, too. */
static void loads_along_beams_stay_or_follow(void **state) {
    (void)state;
    static const char TURNED[] =
        "sections: {S: {EA: 1e8, GA2: 1e8, GA3: 1e8, GJ: 1e10, EI2: 1e10, EI3: 1e10, mass: 1, "
        "inertia: [0.1, 0.1, 0.1]}}\n"
        "beams:\n"
        "  first: {from: [0, 0, 0], to: [2, 0, 0], section: S, elements: 2, order: 1}\n"
        "  other: {from: [0, 5, 0], to: [2, 5, 0], section: S, elements: 2, order: 1}\n"
        "joints:\n"
        "  a: {type: revolute, bodies: [ground, first.start], at: [0, 0, 0], axis: y}\n"
        "  b: {type: revolute, bodies: [ground, other.start], at: [0, 5, 0], axis: y}\n"
        "motions:\n"
        "  turn_a: {joint: a, angle: -pi/2*t}\n"
        "  turn_b: {joint: b, angle: -pi/2*t}\n"
        "loads:\n"
        "  stays: {type: line_load, beam: first, force: [0, 0, -3]}\n"
        "  follows: {type: line_load, beam: other, force: [0, 0, -3], follower: true}\n";
    static const expected list[] = {
        {"a.force.x", 0},     {"a.force.z", 6},      {"b.force.x", -6},          {"b.force.z", 0},
        {"turn_a.effort", 0}, {"turn_b.effort", -6}, {"first.end.position.z", 2}};
    torsor_run *run;
    torsor_results *results =
        results_of(with(TURNED, "analysis: {type: static, increments: 10}\n"), &run);
    COMPARE(results, "line loads", list);
    torsor_results_free(results), torsor_run_free(run);
}

/* ---- effort times rate is power ---- */

/* Lifted at 2 m/s, the weight of 30 N takes 60 W; the motor pushes its cart freely with F = 3 N:
 * after t it has come F t^2 / (2 m), and its work is F times that. */
static void effort_times_rate_is_power(void **state) {
    (void)state;
    static const char *const SCHEMES[] = {"analysis: {scheme: EP, step: 10 ms, end: 0.5}\n",
                                          "analysis: {scheme: ED, step: 10 ms, end: 0.5}\n"};
    const expected list[] = {{"raise.effort", 30},         {"raise.force.z", 30},
                             {"rail.displacement", 1},     {"energy.work_drives", 30},
                             {"track.displacement", 0.75}, {"track.displacement.rate", 3},
                             {"drive.force.x", 3},         {"energy.work_loads", 2.25}};
    for (int a = 0; a < 2; a++) {
        torsor_run *run;
        torsor_results *results =
            results_of(with("gravity: [0, 0, -10]\n"
                            "bodies:\n"
                            "  lift: {mass: 3, inertia: [1, 1, 1], velocity: [0, 0, 2]}\n"
                            "  cart: {mass: 0.5, inertia: [1, 1, 1], position: [3, 0, 0]}\n"
                            "joints:\n"
                            "  rail: {type: prismatic, bodies: [ground, lift], at: [0, 0, 0], "
                            "axis: z}\n"
                            "  track: {type: prismatic, bodies: [ground, cart], at: [3, 0, 0], "
                            "axis: x}\n"
                            "motions: {raise: {joint: rail, displacement: 2*t}}\n"
                            "loads: {drive: {type: motor, joint: track, force: 3}}\n",
                            SCHEMES[a]),
                       &run);
        COMPARE(results, SCHEMES[a], list);
        torsor_results_free(results), torsor_run_free(run);
    }
}

/* ---- pressure ---- */

/* A pressure of 20 Pa on a stiff plate of 1 m by 0.5 m, along its normal z: 10 N at its middle, and
 * (2.5, -5, 0) N m about the corner. The edge that holds the plate gives the
 * opposite. */
static void pressure_is_answered_by_the_support(void **state) {
    (void)state;
    static const char PLATE[] =
        "gravity: [0, 0, 0]\n"
        "materials: {M: {E: 1e12, nu: 0.3, density: 10}}\n"
        "shell_sections: {S: {type: shell, material: M, thickness: 0.1}}\n"
        "meshes: {Q: {type: plate, size: [1, 0.5], divisions: [2, 1]}}\n"
        "shells: {skin: {mesh: Q, section: S}}\n"
        "joints: {edge: {type: support, nodes: skin.x-, about: [0, 0, 0]}}\n"
        "loads: {air: {type: pressure, faces: skin, pressure: 20}}\n";
    static const expected list[] = {
        {"edge.force.z", -10}, {"edge.moment.x", -2.5}, {"edge.moment.y", 5}};
    for (int a = 0; a < ANALYSIS_COUNT; a++) {
        torsor_run *run;
        torsor_results *results = results_of(with(PLATE, ANALYSES[a]), &run);
        COMPARE(results, ANALYSES[a], list);
        torsor_results_free(results), torsor_run_free(run);
    }
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s/efforts.h5", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_held),
        cmocka_unit_test(a_bar_is_twisted_and_pulled),
        cmocka_unit_test(loads_along_beams_stay_or_follow),
        cmocka_unit_test(effort_times_rate_is_power),
        cmocka_unit_test(pressure_is_answered_by_the_support),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
