/* SPDX-License-Identifier: Apache-2.0 */
/* Initial assembly: least changes of positions and velocities, redundant rows, models that cannot
 * be assembled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/assembly.h"
#include "base/error.h"
#include "math/rotation.h"
#include "reader/document.h"

/* ---- a model from text, and what became of it ---- */

typedef struct rig {
    ts_document *document;
    ts_model *model;
    ts_system *system;
    ts_assembly_report report;
    double *q, *v; /* before */
} rig;

static double *copied(const ts_model *model, const double *from) {
    size_t bytes = (size_t)(3 * model->slots) * sizeof(double);
    double *to = malloc(bytes);
    return memcpy(to, from, bytes);
}

static void start(rig *r, const char *text) {
    char *whole = malloc(strlen(text) + 200);
    sprintf(whole, "torsor: 1\nunits: SI\n%s\nanalysis: {end: 1, step: 0.01}\n", text);
    ts_diagnostics problems = {0};
    if (ts_document_parse(&r->document, whole, strlen(whole), "test", &problems)) {
        ts_diagnostics_print(&problems, stderr, false);
        fail_msg("the model could not be read");
    }
    ts_diagnostics_clear(&problems);
    free(whole);
    r->model = r->document->model;
    ts_system_new(&r->system, r->model);
    r->q = copied(r->model, r->system->state.q), r->v = copied(r->model, r->system->state.v);
}

static int try(rig *r) { return ts_assemble_initial(r->system, r->model, &r->report); }

static void assemble(rig *r, const char *text) {
    start(r, text);
    if (try(r)) fail_msg("%s", ts_error_message());
    ts_system_begin(r->system);
}

static void end(rig *r) {
    ts_assembly_report_clear(&r->report);
    ts_system_free(r->system);
    ts_document_free(r->document);
    free(r->q), free(r->v);
}

static bool same_q(const rig *r) {
    return !memcmp(r->q, r->system->state.q, (size_t)(3 * r->model->slots) * sizeof(double));
}
static bool same_v(const rig *r) {
    return !memcmp(r->v, r->system->state.v, (size_t)(3 * r->model->slots) * sizeof(double));
}

/* A state that fails stays as it was, and the words are in the message. */
static void fails(rig *r, const char *text, int code, int words, ...) {
    start(r, text);
    assert_int_equal(try(r), code);
    va_list args;
    va_start(args, words);
    for (int i = 0; i < words; i++) {
        const char *word = va_arg(args, const char *);
        if (!strstr(ts_error_message(), word))
            fail_msg("no \"%s\" in \"%s\"", word, ts_error_message());
    }
    va_end(args);
    assert_true(same_q(r) && same_v(r));
    for (int k = 0; k < r->model->rows_count; k++) assert_false(r->model->rows[k].redundant);
    end(r);
}

static void noted(const rig *r, const char *word) {
    for (int i = 0; i < r->report.note_count; i++)
        if (strstr(r->report.notes[i], word)) return;
    for (int i = 0; i < r->report.note_count; i++) print_message("note: %s\n", r->report.notes[i]);
    fail_msg("no note says \"%s\"", word);
}

static int node_of(const rig *r, const char *name) {
    for (int p = 0; p < r->model->parts_count; p++)
        if (strcmp(r->model->parts[p].name, name) == 0) return r->model->parts[p].node;
    fail_msg("no part %s", name);
    return -1;
}
static v3 position(const rig *r, const char *name) {
    return v3_load(r->system->state.q + 3 * r->model->nodes[node_of(r, name)].slot);
}
static v3 velocity(const rig *r, const char *name) {
    return v3_load(r->system->state.v + 3 * r->model->nodes[node_of(r, name)].slot);
}
static v3 omega(const rig *r, const char *name) {
    return ts_node_omega(r->system, node_of(r, name));
}

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g (%.2g off)", a, b, a - b);
}
static void near3(v3 a, v3 b, double tolerance) {
    near(a.x, b.x, tolerance), near(a.y, b.y, tolerance), near(a.z, b.z, tolerance);
}

static void all_closed(const rig *r, double tolerance) {
    for (int i = 0; i < r->report.joint_count; i++) {
        near(r->report.joints[i].position_after, 0, tolerance);
        near(r->report.joints[i].rate_after, 0, tolerance);
    }
    for (int p = 0; p < r->model->parts_count; p++) {
        double c, rate;
        ts_violation(r->system, p, &c, &rate);
        near(c, 0, tolerance), near(rate, 0, tolerance);
    }
    for (int n = 0; n < r->model->nodes_count; n++) {
        m3 D = m3_load(r->system->state.q + 3 * r->model->nodes[n].slot + 3);
        m3 G = m3_sub(m3_tmul(D, D), m3_identity());
        near(m3_inner(G, G), 0, 1e-30);
    }
}

/* ---- positions ---- */

#define BAR "inertia: [0.01, 0.02, 0.02], mass: 1"

static const char *const FOUR_BAR =
    "bodies:\n"
    "  crank: {" BAR ", position: [0, 0.5, 0], orientation: {axis: z, angle: 90 deg}}\n"
    "  coupler: {" BAR ", position: [1, 1, 0]}\n"
    "  rocker: {" BAR ", position: [2, 0.5, 0], orientation: {axis: z, angle: 90 deg}}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: [0, 1, 0], axis: z}\n"
    "  C: {type: revolute, bodies: [coupler, rocker], at: [2, 1, 0], axis: z}\n"
    "  D: {type: revolute, bodies: [rocker, ground], at: [2, 0, 0], axis: z}\n";

static uint64_t seed = 88172645463325252u;

static double chance(void) { /* in (-1, 1) */
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(int64_t)seed / 9.3e18;
}

/* Every body moved and turned by up to `size`. */
static void displace(rig *r, double size) {
    for (int n = 1; n < r->model->nodes_count; n++) {
        double *q = r->system->state.q + 3 * r->model->nodes[n].slot;
        for (int k = 0; k < 3; k++) q[k] += size * chance();
        v3 turn = v3_scale(size, v3_make(chance(), chance(), chance()));
        m3_store(q + 3, m3_mul(so3_exp(turn), m3_load(q + 3)));
    }
}

static void displaced_four_bar(void **state) {
    (void)state;
    static const double SIZE[] = {1e-9, 1e-4, 0.01, 0.1, 0.3};
    for (int i = 0; i < 50; i++) {
        rig r = {0};
        double size = SIZE[i % 5];
        start(&r, FOUR_BAR);
        displace(&r, size);
        if (try(&r)) fail_msg("displaced by %g: %s", size, ts_error_message());
        ts_system_begin(r.system);
        all_closed(&r, 1e-14);
        assert_true(r.report.moved > 0.1 * size && r.report.moved < 5 * size);
        assert_true(r.report.joints[1].position_before > 0.01 * size);
        end(&r);
    }
}

/* Two free bodies, one ball joint: with the joint at both mass centres they meet at their common
 * mass centre. */
static void least_change_of_two_masses(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r,
             "bodies:\n"
             "  a: {mass: 3, inertia: [1, 1, 1], position: [1, 2, 3], velocity: [1, 0, 0]}\n"
             "  b: {mass: 1, inertia: [1, 1, 1], position: [1.4, 2, 3]}\n"
             "joints: {J: {type: spherical, bodies: [a, b], at: [1, 2, 3], at_b: [1.4, 2, 3]}}");
    near3(position(&r, "a"), v3_make(1.1, 2, 3), 1e-12);
    near3(position(&r, "b"), v3_make(1.1, 2, 3), 1e-12);
    near3(velocity(&r, "a"), v3_make(0.75, 0, 0), 1e-12);
    near3(velocity(&r, "b"), v3_make(0.75, 0, 0), 1e-12);
    near(r.report.moved, 0.3, 1e-12);
    assert_int_equal(r.report.freedom, 9);
    all_closed(&r, 1e-14);
    end(&r);
}

/* A body on a ball joint at its end, drawn d below: min m |x - x0|^2/2 + J (1 - cos th), x = l (cos
 * th, sin th). */
static void least_change_of_a_turn(void **state) {
    (void)state;
    rig r = {0};
    double m = 2, J = 0.3, l = 0.8, d = -0.25;
    assemble(
        &r,
        "bodies: {b: {mass: 2, inertia: [0.3, 0.3, 0.3], position: [0.8, -0.25, 0]}}\n"
        "joints: {J: {type: spherical, bodies: [ground, b], at: [0, 0, 0], at_b: [0, -0.25, 0]}}");
    v3 x = position(&r, "b");
    /* d/dth of m |x - x0|^2 / 2 = m (x - x0).x' ; x' = l (-sin, cos) */
    double th = atan2(x.y, x.x);
    double gradient = m * ((x.x - l) * -l * sin(th) + (x.y - d) * l * cos(th)) + J * sin(th);
    near(v3_norm(x), l, 1e-14);
    near(gradient, 0, 1e-8);
    assert_true(fabs(th) > 0.1);
    end(&r);
}

static void consistent_stays(void **state) {
    (void)state;
    rig r = {0};
    assemble(
        &r,
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], centre: [0.1, 0, 0], position: [0.3, 0.2, 0.1], "
        "orientation: "
        "{axis: [1, 2, 3], angle: 0.7}, velocity: [0.6, -0.9, 0], angular_velocity: [0, 0, 3]}\n"
        "joints: {J: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}}");
    /* omega x r = 3 (-0.2, 0.3): drawn the other way round, so the rates are not consistent */
    assert_true(same_q(&r) && !same_v(&r));
    end(&r);
    memset(&r, 0, sizeof r);
    assemble(
        &r,
        "bodies:\n"
        "  a: {mass: 1, inertia: [1, 1, 1], centre: [0.1, 0, 0], position: [0.3, 0.2, 0.1], "
        "orientation: "
        "{axis: [1, 2, 3], angle: 0.7}, velocity: [-0.6, 0.9, 0], angular_velocity: [0, 0, 3]}\n"
        "joints: {J: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: z}}");
    assert_true(same_q(&r) && same_v(&r));
    assert_true(r.report.moved == 0 && r.report.turned == 0 && r.report.rate_turned == 0);
    assert_int_equal(r.report.freedom, 1);
    end(&r);
}

/* ---- velocities ---- */

static void spatial_slider_crank(void **state) {
    (void)state;
    rig r = {0};
    assemble(
        &r,
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  crank: {mass: 0.12, inertia: [1e-4, 1e-4, 1e-5], position: [0, 0.1, 0.16], velocity: "
        "[0, -0.24, 0],"
        " angular_velocity: [6, 0, 0]}\n"
        "  rod: {mass: 0.5, inertia: [4e-4, 4e-3, 4e-3], position: [0.1, 0.05, 0.1], orientation: "
        "{matrix: "
        "[[2/3, 1/sqrt(5), 4/sqrt(45)], [-1/3, 2/sqrt(5), -2/sqrt(45)], [-2/3, 0, 5/sqrt(45)]]}}\n"
        "  slider: {mass: 2, inertia: [1e-4, 1e-4, 1e-4], position: [0.2, 0, 0]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0.1, 0.12], axis: x}\n"
        "  B: {type: spherical, bodies: [crank, rod], at: [0, 0.1, 0.2]}\n"
        "  C: {type: universal, bodies: [rod, slider], at: [0.2, 0, 0], axis: [0, -2, 1], axis_b: "
        "x}\n"
        "  P: {type: prismatic, bodies: [ground, slider], at: [0.2, 0, 0], axis: x}\n"
        "motions: {drive: {joint: A, angle: 6 * t * 1 rad}}\n");
    assert_true(same_q(&r));
    near3(velocity(&r, "slider"), v3_make(0.24, 0, 0), 1e-12);
    near3(velocity(&r, "rod"), v3_make(0.12, -0.24, 0), 1e-12);
    near3(omega(&r, "rod"), v3_make(1.92, -0.96, 0.48), 1e-12);
    assert_int_equal(r.report.freedom, 0);
    end(&r);
}

/* ---- redundant rows ---- */

static void four_bar_has_three_redundant_rows(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r, FOUR_BAR);
    assert_int_equal(r.report.redundant, 3);
    assert_int_equal(r.report.freedom, 1);
    assert_true(same_q(&r) && same_v(&r));
    assert_int_equal(r.report.note_count, 1);
    noted(&r, "joint 'D': displacement along global z, rotation about x and rotation about y "
              "repeat what 'A', 'B' and "
              "'C' already fix");
    assert_int_equal(r.system->rows, 17);
    end(&r);
}

/* All four joints on one line: a fourth row is dependent there, and matters as soon as it moves. */
static void collinear_four_bar(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r, "bodies:\n"
                 "  crank: {" BAR ", position: [0.5, 0, 0]}\n"
                 "  coupler: {" BAR ", position: [2, 0, 0]}\n"
                 "  rocker: {" BAR ", position: [2.5, 0, 0]}\n"
                 "joints:\n"
                 "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}\n"
                 "  B: {type: revolute, bodies: [crank, coupler], at: [1, 0, 0], axis: z}\n"
                 "  C: {type: revolute, bodies: [coupler, rocker], at: [3, 0, 0], axis: z}\n"
                 "  D: {type: revolute, bodies: [rocker, ground], at: [2, 0, 0], axis: z}\n");
    assert_int_equal(r.report.redundant, 3);
    assert_int_equal(r.report.freedom, 1);
    noted(&r, "singular configuration: at the start joint 'D' (displacement along global x)");
    end(&r);
}

/* Welded twice: no freedom, one pose, six rows too many. */
static void doubly_welded(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r, "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints:\n"
                 "  W: {type: rigid, bodies: [ground, b], at: [1, 0, 0]}\n"
                 "  V: {type: rigid, bodies: [ground, b], at: [0, 2, 0]}\n");
    assert_int_equal(r.report.redundant, 6);
    assert_int_equal(r.report.freedom, 0);
    noted(&r, "joint 'V'"), noted(&r, "repeat what 'W' already fixes");
    end(&r);
}

#define PENDULUM                                                        \
    "bodies: {b: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}}\n" \
    "joints: {J: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: z}}\n"

static void conflicting_drives(void **state) {
    (void)state;
    rig r = {0};
    fails(&r, PENDULUM "motions: {M: {joint: J, angle: 0.2}, N: {joint: J, angle: 0.3}}",
          TORSOR_EINVAL, 3, "motion 'N'", "contradicts 'M'", "5.73 deg");
    memset(&r, 0, sizeof r);
    fails(&r, PENDULUM "motions: {M: {joint: J, angle: 2*t}, N: {joint: J, angle: 3*t}}",
          TORSOR_EINVAL, 2, "motion 'N'", "'M'");
    memset(&r, 0, sizeof r);
    fails(&r, PENDULUM "motions: {M: {joint: J, angle: t^2}, N: {joint: J, angle: t^3}}",
          TORSOR_EINVAL, 2, "motion 'N'", "'M'");
    memset(&r, 0, sizeof r);
    assemble(&r, PENDULUM "motions: {M: {joint: J, angle: 2*t}, N: {joint: J, angle: 2*t}}");
    assert_int_equal(r.report.redundant, 1);
    noted(&r, "motion 'N': prescribed angle repeats what 'M' already fixes");
    near3(omega(&r, "b"), v3_make(0, 0, 2), 1e-13);
    end(&r);
}

/* The drive says where to begin; several turns mean the nearest one. */
static void driven_to_its_start(void **state) {
    (void)state;
    static const double ANGLE[] = {0.3, 3.0, -3.0, 13.0, -31.0};
    for (int i = 0; i < 5; i++) {
        rig r = {0};
        char text[400];
        snprintf(text, sizeof text, PENDULUM "motions: {M: {joint: J, angle: %g + t}}", ANGLE[i]);
        assemble(&r, text);
        near3(position(&r, "b"), v3_make(cos(ANGLE[i]), sin(ANGLE[i]), 0), 1e-13);
        near3(omega(&r, "b"), v3_make(0, 0, 1), 1e-13);
        all_closed(&r, 1e-13);
        end(&r);
    }
}

/* ---- rates rows ---- */

static void disc_begins_to_roll(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r, "bodies: {d: {mass: 1, inertia: [0.02, 0.02, 0.04], position: [0, 0, 0.5], "
                 "orientation: {axis: x, "
                 "angle: 90 deg}, velocity: [1, 0, 0]}}\n"
                 "joints: {R: {type: rolling_disk, body: d, radius: 0.5, axis: [0, -1, 0]}}\n");
    /* m v + J w / r with w = v / r: the momentum about the contact is kept */
    near3(velocity(&r, "d"), v3_make(1 / (1 + 0.04 / 0.25), 0, 0), 1e-12);
    near3(omega(&r, "d"), v3_make(0, 2 / (1 + 0.04 / 0.25), 0), 1e-12);
    assert_int_equal(r.report.freedom, 3);
    assert_int_equal(r.report.redundant, 0);
    all_closed(&r, 1e-13);
    end(&r);
}

/* ---- what cannot be ---- */

/* A hinge about y stops a rod that is to spin about x or z altogether. The rates that remain are
 * round-off of those given: at any speed, and with gravity's or a nanometre's sizes. */
static void stopped_altogether(void **unused) {
    (void)unused;
    const double speeds[] = {5, 1e-9, 1e9};
    for (int k = 0; k < 6; k++) {
        double w = speeds[k / 2];
        char text[400];
        snprintf(text, sizeof text,
                 "bodies:\n  rod: {mass: 2, inertia: [1e-3, 0.1667, 0.1667], position: [0.5, 0, 0],"
                 " angular_velocity: [%g, 0, %g]}\njoints:\n"
                 "  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}\n",
                 k % 2 ? w : 0, k % 2 ? 0 : w);
        rig r = {0};
        assemble(&r, text);
        for (int i = 0; i < 3 * r.model->slots; i++)
            assert_true(fabs(r.system->state.v[i]) <= 1e-12 * w);
        assert_true(fabs(r.report.rate_turned - w) <= 1e-12 * w);
        assert_int_equal(r.report.note_count, 1);
        assert_non_null(strstr(r.report.notes[0], "'rod' loses most"));
        end(&r);
    }
}

static void impossible_loop(void **state) {
    (void)state;
    rig r = {0};
    fails(&r,
          "bodies: {a: {" BAR ", position: [0.5, 0, 0]}, b: {" BAR ", position: [2.5, 0, 0]}}\n"
          "joints:\n"
          "  A: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
          "  B: {type: spherical, bodies: [a, b], at: [1, 0.2, 0], at_b: [2, 0.2, 0]}\n"
          "  C: {type: spherical, bodies: [b, ground], at: [3, 0, 0]}\n",
          TORSOR_EINVAL, 3, "cannot be closed", "m apart", "displacement along global x");
}

static void massless_spin(void **state) {
    (void)state;
    rig r = {0};
    const char *rod = "bodies:\n"
                      "  rod: {mass: 1, position: [0, 0, 0.5]%s}\n"
                      "  block: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 1]}\n"
                      "joints:\n"
                      "  A: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}\n"
                      "  B: {type: spherical, bodies: [rod, block], at: [0, 0, 1]}\n%s";
    char text[1000];
    snprintf(text, sizeof text, rod, "", "");
    fails(&r, text, TORSOR_ESINGULAR, 2, "'rod' can rotate about its own axis (0, 0, 1)",
          "give it inertia");
    static const char *const CURES[][2] = {
        {", inertia: [1e-7, 1e-7, 1e-7]", ""},
        {"", "springs: {k: {type: bushing, bodies: [rod, block], at: [0, 0, 1], stiffness: [0, 0, "
             "0, 0, 0, 1e-3]}}\n"},
    };
    for (int i = 0; i < 2; i++) {
        memset(&r, 0, sizeof r);
        snprintf(text, sizeof text, rod, CURES[i][0], CURES[i][1]);
        assemble(&r, text);
        end(&r);
    }
    memset(&r, 0, sizeof r);
    fails(&r,
          "bodies: {a: {mass: 0, inertia: [1, 1, 1]}}\njoints: {P: {type: point_on_plane, bodies: "
          "[ground, a], "
          "at: [0, 0, 0], axis: [1, 1, 0]}, L: {type: point_on_plane, bodies: [ground, a], at: [0, "
          "0, 0], axis: z}}",
          TORSOR_ESINGULAR, 1, "'a' can move along (0.7071, -0.7071, 0)");
}

static void nothing_to_do(void **state) {
    (void)state;
    rig r = {0};
    assemble(&r, "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}");
    assert_int_equal(r.report.freedom, 6);
    end(&r);
    ts_model *model = ts_model_new();
    ts_system *system;
    ts_assembly_report report;
    ts_system_new(&system, model);
    assert_int_equal(ts_assemble_initial(system, model, &report), 0);
    assert_int_equal(report.freedom, 0);
    ts_assembly_report_clear(&report);
    ts_system_free(system);
    ts_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(displaced_four_bar),
        cmocka_unit_test(least_change_of_two_masses),
        cmocka_unit_test(least_change_of_a_turn),
        cmocka_unit_test(consistent_stays),
        cmocka_unit_test(spatial_slider_crank),
        cmocka_unit_test(four_bar_has_three_redundant_rows),
        cmocka_unit_test(collinear_four_bar),
        cmocka_unit_test(doubly_welded),
        cmocka_unit_test(conflicting_drives),
        cmocka_unit_test(driven_to_its_start),
        cmocka_unit_test(disc_begins_to_roll),
        cmocka_unit_test(stopped_altogether),
        cmocka_unit_test(impossible_loop),
        cmocka_unit_test(massless_spin),
        cmocka_unit_test(nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
