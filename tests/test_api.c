/* SPDX-License-Identifier: Apache-2.0 */
/* The public interface: models in code, runs step by step, inputs, errors with part, time and
 * place, modes, results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torsor/torsor.h"

#include "fine.h"

static torsor_model *new_model(void) {
    torsor_model *m;
    FINE(torsor_model_new(&m));
    return m;
}

static torsor_run *run_of(const torsor_model *m) {
    torsor_run *run;
    FINE(torsor_run_new(&run, m));
    return run;
}

static bool close_to(double a, double b, double tolerance) { return fabs(a - b) <= tolerance; }

/* A mass on a slide along x, without gravity. */
static torsor_model *slide(const char *scheme) {
    torsor_model *m = new_model();
    FINE(torsor_model_add(m, "bodies", "cart", "{mass: 2 kg, inertia: [1, 1, 1]}"));
    FINE(torsor_model_add(m, "joints", "rail",
                          "{type: prismatic, bodies: [ground, cart], at: [0, 0, 0], axis: x}"));
    FINE(torsor_model_add(m, "signals", "command", "{input: 0}"));
    FINE(torsor_model_set(m, "analysis.step", "10 ms"));
    FINE(torsor_model_set(m, "analysis.end", "1 s"));
    FINE(torsor_model_set(m, "analysis.scheme", scheme));
    return m;
}

static torsor_model *pendulum(void) {
    torsor_model *m = new_model();
    FINE(torsor_model_set(m, "title", "a pendulum, in code"));
    FINE(torsor_model_set(m, "gravity", "[0, 0, -9.81]"));
    FINE(torsor_model_add(m, "parameters", "L", "1 m"));
    FINE(torsor_model_add(m, "bodies", "rod",
                          "{mass: 2, inertia: [0.001, 0.2, 0.2], position: [L/2, 0, 0]}"));
    FINE(torsor_model_add(m, "joints", "hinge",
                          "{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}"));
    FINE(torsor_model_set(m, "analysis", "{scheme: EP, step: 5 ms, end: 0.5 s, tolerance: 1e-15}"));
    return m;
}

/* ---- models ---- */

static const char FILE_TEXT[] =
    "torsor: 1\n"
    "units: SI\n"
    "parameters:\n"
    "  M: 2 kg   # the mass\n"
    "  L: 1 m\n"
    "gravity:\n"
    "bodies: {ball: {mass: M, inertia: [1, 1, 1], position: [L, 0, 0]}}\n"
    "analysis:\n"
    "  step: 1 ms\n"
    "  end: 1 s\n"
    "# the end\n";

static torsor_model *from_text(const char *text) {
    torsor_model *m;
    FINE(torsor_model_parse(&m, text, strlen(text), "a.yaml"));
    return m;
}

static void what_is_set_is_written_into_the_text(void **state) {
    (void)state;
    torsor_model *m = from_text(FILE_TEXT);
    FINE(torsor_model_set(m, "parameters.M", "3 kg"));
    FINE(torsor_model_set(m, "parameters.D", "max(1, 2)*1 m"));
    FINE(torsor_model_set(m, "gravity", "[0, 0, -9.81]"));
    FINE(torsor_model_add(m, "bodies", "other", "{mass: D*1 kg/(1 m),\n inertia: [1, 1, 1]}"));
    FINE(torsor_model_set(m, "bodies.other.position", "[0, 1, 0]"));
    FINE(torsor_model_set(m, "bodies.ball.mass", "M + 1 kg"));
    FINE(torsor_model_set(m, "outputs.every", "2"));
    FINE(torsor_model_add(m, "points", "A", "[1, 2, 3]"));
    FINE(torsor_model_add(m, "points", "B", "[1, 2, 3]"));
    char *text;
    FINE(torsor_model_text(m, &text));
    assert_string_equal(text,
                        "torsor: 1\n"
                        "units: SI\n"
                        "parameters:\n"
                        "  M: 3 kg   # the mass\n"
                        "  L: 1 m\n"
                        "  D: 'max(1, 2)*1 m'\n"
                        "gravity: [0, 0, -9.81]\n"
                        "bodies: {ball: {mass: M + 1 kg, inertia: [1, 1, 1], position: [L, 0, 0]}, "
                        "other: {mass: D*1 kg/(1 m),  inertia: [1, 1, 1], position: [0, 1, 0]}}\n"
                        "analysis:\n"
                        "  step: 1 ms\n"
                        "  end: 1 s\n"
                        "# the end\n"
                        "outputs:\n"
                        "  every: 2\n"
                        "points:\n"
                        "  A: [1, 2, 3]\n"
                        "  B: [1, 2, 3]\n");
    torsor_text_free(text);
    torsor_run *run = run_of(m);
    torsor_assembly a;
    torsor_run_assembly(run, &a);
    assert_true(close_to(a.mass, 4 + 2, 1e-15));
    torsor_run_free(run);
    torsor_model_free(m);
}

static void has_and_get_see_both(void **state) {
    (void)state;
    torsor_model *m = from_text(FILE_TEXT), *copy;
    char *text;
    assert_true(torsor_model_has(m, "bodies.ball.mass"));
    assert_true(torsor_model_has(m, "analysis"));
    assert_false(torsor_model_has(m, "bodies.cube"));
    FINE(torsor_model_set(m, "bodies.cube", "{mass: 1, inertia: [1, 1, 1]}"));
    FINE(torsor_model_copy(&copy, m));
    torsor_model_free(m);
    assert_true(torsor_model_has(copy, "bodies.cube.inertia"));
    assert_false(torsor_model_has(copy, "bodies.cube.position"));
    FINE(torsor_model_get(copy, "bodies.cube.inertia", &text));
    assert_string_equal(text, "[1, 1, 1]");
    torsor_text_free(text);
    assert_int_equal(torsor_model_get(copy, "bodies.none", &text), TORSOR_EINVAL);
    assert_null(text);
    assert_int_equal(torsor_model_add(copy, "bodies", "ball", "{}"), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "'ball' exists already"));
    torsor_model_free(copy);
}

/* Two changes at one place: what was there comes first, whatever was set first. */
static void changes_meet_at_the_end_of_a_text(void **state) {
    (void)state;
    torsor_model *m = from_text("torsor: 1\nunits: SI\ngravity:");
    FINE(torsor_model_add(m, "points", "A", "[1, 2, 3]"));
    FINE(torsor_model_set(m, "gravity", "[0, 0, -9.81]"));
    char *text;
    FINE(torsor_model_text(m, &text));
    assert_string_equal(text,
                        "torsor: 1\nunits: SI\ngravity: [0, 0, -9.81]\npoints:\n  A: [1, 2, 3]");
    torsor_text_free(text);
    torsor_model_free(m);
}

static void wrong_paths_and_values_are_refused(void **state) {
    (void)state;
    torsor_model *m = new_model();
    static const char *const wrong[][2] = {{"", "1"},
                                           {"bodies..a", "1"},
                                           {"bodies.", "1"},
                                           {"a b", "1"},
                                           {"bodies.a", "{"},
                                           {"bodies.a", "x: 1"},
                                           {"bodies.a", "{b: 1 # c\n}"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(torsor_model_set(m, wrong[i][0], wrong[i][1]), TORSOR_EINVAL);
    assert_int_equal(torsor_model_set(m, "bodies.a", "{mass: 1"), TORSOR_EINVAL);
    assert_string_equal(torsor_error_details()->file, "bodies.a");
    assert_int_equal(torsor_error_details()->line, 1);
    char *text;
    FINE(torsor_model_text(m, &text));
    assert_string_equal(text, "torsor: 1\nunits: SI\n");
    torsor_text_free(text);
    torsor_model_free(m);
}

static void mistakes_have_their_place(void **state) {
    (void)state;
    torsor_model *m;
    torsor_run *run;
    static const char wrong[] = "torsor: 1\nunits: SI\nbodies:\n  a: {mass: 1 m}\n";
    assert_int_equal(torsor_model_parse(&m, wrong, sizeof wrong - 1, "w.yaml"), TORSOR_EINVAL);
    assert_null(m);
    const torsor_problem *p = torsor_error_details();
    assert_string_equal(p->file, "w.yaml");
    assert_int_equal(p->line, 4);
    assert_int_equal(p->column, 13);
    assert_non_null(strstr(p->report, "a: {mass: 1 m}")); /* the line itself */
    assert_true(isnan(p->time));

    /* set in a file: the path and the column there; and the file's own lines do not move */
    m = from_text(FILE_TEXT);
    FINE(torsor_model_set(m, "parameters.N", "1"));
    FINE(torsor_model_set(m, "bodies.other", "{mass: 1 kg, inertia: [1, 1, 1 m]}"));
    FINE(torsor_model_set(m, "parameters.M", "5 s"));
    assert_int_equal(torsor_run_new(&run, m), TORSOR_EINVAL);
    assert_null(run);
    assert_non_null(strstr(torsor_error_details()->report, "bodies.other:1:30: error"));
    assert_non_null(strstr(torsor_error_details()->report, "a.yaml:7:23: error"));
    FINE(torsor_model_set(m, "parameters.M", "5 kg"));
    FINE(torsor_model_set(m, "bodies.other", "{}")); /* what is missing is missing there */
    assert_int_equal(torsor_run_new(&run, m), TORSOR_EINVAL);
    assert_string_equal(torsor_error_details()->file, "bodies.other");
    assert_int_equal(torsor_error_details()->column, 1);
    torsor_model_free(m);

    assert_int_equal(torsor_model_read(&m, "/no/such/file.yaml"), TORSOR_EIO);
    assert_null(m);
}

/* ---- runs ---- */

static void steps_equal_those_of_the_run_to_the_end(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    torsor_run *a = run_of(m), *b = run_of(m);
    torsor_model_free(m);
    const double *q = torsor_run_q(a);
    assert_int_equal(torsor_run_steps_planned(a), 100);
    int steps = 0;
    while (!torsor_run_ended(a)) FINE(torsor_run_step(a)), steps++;
    FINE(torsor_run_to(b, 0.1));
    assert_int_equal(torsor_run_steps_done(b), 20);
    FINE(torsor_run_to(b, INFINITY));
    assert_int_equal(steps, 100);
    assert_ptr_equal(torsor_run_q(a), q); /* views stay where they are */
    assert_memory_equal(q, torsor_run_q(b), 3 * (size_t)torsor_run_slots(a) * sizeof(double));
    assert_int_equal(torsor_run_step(a), TORSOR_EINVAL); /* at its end */
    assert_non_null(strstr(torsor_error(), "at its end"));

    /* the pendulum's energy: kinetic = what gravity gave, and the audit closes */
    torsor_ledger l;
    torsor_summary s;
    torsor_run_ledger(a, &l), torsor_run_summary(a, &s);
    assert_true(l.kinetic > 1 && close_to(l.kinetic, -l.gravity, 1e-12));
    assert_true(s.worst_balance < 1e-12 && s.steps == 100);
    torsor_run_free(a);
    torsor_run_free(b);
}

static void names_lead_to_numbers(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    FINE(torsor_run_to(run, 0.25));
    int rod = torsor_run_node_find(run, "rod"), hinge = torsor_run_part_find(run, "hinge");
    int angle = torsor_run_coordinate_find(run, "hinge.angle");
    torsor_node node;
    torsor_part part;
    torsor_coordinate c;
    FINE(torsor_run_node(run, rod, &node));
    FINE(torsor_run_part(run, hinge, &part));
    FINE(torsor_run_coordinate(run, angle, &c));
    assert_int_equal(angle, torsor_run_coordinate_find(run, "hinge"));
    assert_string_equal(part.kind, "revolute");
    assert_string_equal(part.section, "joints");
    assert_string_equal(c.name, "angle");
    assert_true(c.angle && part.reaction && node.mass == 2 && node.kind == TORSOR_NODE_FRAME);

    const double *x = torsor_run_q(run) + 3 * node.slot, *v = torsor_run_v(run) + 3 * node.slot;
    double phi = torsor_run_coordinate_value(run, angle), omega[3], force[3], moment[3];
    double rate = torsor_run_coordinate_rate(run, angle), displacement[3], rotation[3];
    FINE(torsor_run_node_omega(run, rod, omega));
    FINE(torsor_run_reaction(run, hinge, force, moment));
    FINE(torsor_run_relative(run, hinge, displacement, rotation));
    assert_true(close_to(x[0], 0.5 * cos(phi), 1e-13) && close_to(x[2], -0.5 * sin(phi), 1e-13));
    assert_true(close_to(omega[1], rate, 1e-12) && rate > 1);
    assert_true(close_to(v[2], -0.5 * cos(phi) * rate, 1e-3)); /* EP holds rates to second order */
    assert_true(phi > 0.1 && close_to(fabs(rotation[1]) + fabs(rotation[2]), phi, 1e-12));

    /* m a = m g + force, with the force the mean of the last step: an error of the order of the
     * step */
    double Jp = 0.2 + 2 * 0.25, acc = 2 * 9.81 * 0.5 * cos(phi) / Jp;
    double az = -0.5 * (cos(phi) * acc - sin(phi) * rate * rate);
    assert_true(close_to(force[2], 2 * (az + 9.81), 0.3));

    assert_int_equal(torsor_run_node_find(run, "nobody"), -1);
    assert_int_equal(torsor_run_node_find(run, "ground"), 0);
    assert_int_equal(torsor_run_coordinate_find(run, "hinge.x"), -1);
    assert_int_equal(torsor_run_node(run, 99, &node), TORSOR_EINVAL);
    assert_int_equal(torsor_run_reaction(run, 0, force, moment), TORSOR_EINVAL);
    assert_true(isnan(torsor_run_coordinate_value(run, -1)));
    assert_int_equal(torsor_run_conditions(run), 5);
    torsor_condition row;
    FINE(torsor_run_condition(run, 0, &row));
    assert_int_equal(row.part, hinge);
    torsor_run_free(run);
}

/* ---- inputs ---- */

/* Constant over each step: v = sum F h / m, and EP has the position of constant acceleration
 * exactly. */
static void a_load_holds_its_input(void **state) {
    (void)state;
    torsor_model *m = slide("EP");
    FINE(torsor_model_add(m, "loads", "push", "{type: motor, joint: rail, force: command}"));
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    int u = torsor_run_input_find(run, "command"), x = torsor_run_coordinate_find(run, "rail");
    assert_int_equal(torsor_run_inputs(run), 1);
    assert_string_equal(torsor_run_input_name(run, u), "command");
    double position = 0, rate = 0, h = torsor_run_step_size(run), work = 0;
    for (int n = 0; n < 100; n++) {
        double force = 3 * sin(0.7 * n) + (n % 7);
        FINE(torsor_run_input_set(run, u, force));
        FINE(torsor_run_step(run));
        double before = position;
        position += h * rate + 0.5 * h * h * force / 2, rate += h * force / 2;
        work += force * (position - before);
        assert_true(close_to(torsor_run_coordinate_value(run, x), position, 1e-13));
        assert_true(close_to(torsor_run_coordinate_rate(run, x), rate, 1e-12));
    }
    torsor_ledger l;
    torsor_run_ledger(run, &l);
    assert_true(close_to(l.work_loads, work, 1e-12) && fabs(l.balance) < 1e-12);
    assert_int_equal(torsor_run_input_set(run, u, NAN), TORSOR_EINVAL);
    assert_int_equal(torsor_run_input_set(run, 7, 1), TORSOR_EINVAL);
    torsor_run_free(run);
}

/* A position goes there in a straight line over the step; the drive's work is the change of kinetic
 * energy. */
static void follow(const char *scheme, bool rates) {
    torsor_model *m = slide(scheme);
    FINE(torsor_model_add(m, "motions", "drive", "{joint: rail, displacement: command}"));
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    int u = torsor_run_input_find(run, "command"), x = torsor_run_coordinate_find(run, "rail");
    double h = torsor_run_step_size(run);
    for (int n = 1; n <= 100; n++) {
        double wanted = 0.1 * sin(3 * n * h);
        FINE(torsor_run_input_set(run, u, wanted));
        FINE(torsor_run_step(run));
        assert_true(close_to(torsor_run_coordinate_value(run, x), wanted, 1e-13));
        double rate = torsor_run_coordinate_rate(run, x);
        /* once the start is over, rates are right to second order: h^2 u'''/3; within a step the
         * command is straight */
        if (rates && n > 4) {
            assert_true(close_to(rate, 0.3 * cos(3 * n * h), 2 * h * h));
            assert_true(torsor_run_last_step(run)->rate_violation < 0.9 * h);
        }
        torsor_ledger l;
        torsor_run_ledger(run, &l);
        double scale = fmax(l.kinetic, 1e-3);
        assert_true(fabs(l.balance) < 1e-12 * scale + 1e-13);
        assert_true(close_to(l.work_drives - l.algorithmic, l.kinetic, 1e-12));
    }
    torsor_run_free(run);
}

static void a_motion_follows_its_input(void **state) {
    (void)state;
    follow("ED", true);
    follow("EP", false);
}

/* A step with a command of its own for each run. */
static void command(torsor_run *run, int of, int n) {
    FINE(torsor_run_input_set(run, torsor_run_input_find(run, "command"),
                              (of + 1) * sin(0.7 * n * (of + 1))));
    FINE(torsor_run_step(run));
}

static void assert_same_place(torsor_run *a, torsor_run *b) {
    int x = torsor_run_coordinate_find(a, "rail");
    assert_true(torsor_run_coordinate_value(a, x) == torsor_run_coordinate_value(b, x));
    assert_true(torsor_run_coordinate_rate(a, x) == torsor_run_coordinate_rate(b, x));
}

/* Two runs of one model, in turn, go as two runs of two models do, bit for bit. */
static void each_run_has_its_own_inputs(void **state) {
    (void)state;
    torsor_model *m = slide("ED");
    FINE(torsor_model_add(m, "loads", "push", "{type: motor, joint: rail, force: command}"));
    torsor_run *shared[2] = {run_of(m), run_of(m)};
    torsor_model_free(m);
    for (int n = 0; n < 50; n++)
        for (int r = 0; r < 2; r++) command(shared[r], r, n);
    for (int r = 0; r < 2; r++) {
        m = slide("ED");
        FINE(torsor_model_add(m, "loads", "push", "{type: motor, joint: rail, force: command}"));
        torsor_run *own = run_of(m);
        for (int n = 0; n < 50; n++) command(own, r, n);
        assert_same_place(shared[r], own);
        torsor_model_free(m), torsor_run_free(own), torsor_run_free(shared[r]);
    }
}

static void inputs_have_the_units_of_their_field(void **state) {
    (void)state;
    static const char text[] = "torsor: 1\nunits: {length: mm}\n"
                               "signals: {a: {input: 5}, b: {input: 1 N}, unused: {input: 1}}\n"
                               "bodies: {c: {mass: 1, inertia: [1, 1, 1]}}\n"
                               "joints: {j: {type: prismatic, bodies: [ground, c], at: [0, 0, 0], "
                               "axis: x}}\n"
                               "loads: {f: {type: motor, joint: j, force: b}}\n"
                               "motions: {d: {joint: j, displacement: a}}\n";
    torsor_model *m = from_text(text);
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    assert_int_equal(torsor_run_inputs(run), 2);
    double a = torsor_run_input_get(run, torsor_run_input_find(run, "a"));
    double b = torsor_run_input_get(run, torsor_run_input_find(run, "b"));
    assert_true(close_to(a, 0.005, 1e-18) && b == 1);
    assert_true(close_to(torsor_run_coordinate_value(run, 0), 0.005, 1e-15));
    assert_int_equal(torsor_run_step(run), TORSOR_EINVAL); /* no analysis */
    torsor_run_free(run);
}

/* Sections have six numbers and are those of beams and cables, whatever else the model has. */
static void only_lines_have_sections(void **state) {
    (void)state;
    static const char text[] =
        "torsor: 1\n"
        "units: SI\n"
        "materials: {M: {E: 1 MPa, nu: 0.3, density: 1000}}\n"
        "sections: {S: {type: tube, outer_diameter: 0.1, thickness: 0.01, material: M}}\n"
        "shell_sections: {T: {material: M, thickness: 0.1}}\n"
        "meshes:\n"
        "  flat: {type: plate, corners: [[2,0,0], [3,0,0], [3,1,0], [2,1,0]], divisions: [1, 1]}\n"
        "  full: {type: box, size: [1, 1, 1], position: [3, 0, 0], divisions: [1, 1, 1]}\n"
        "shells: {plate: {mesh: flat, section: T}}\n"
        "solids: {block: {mesh: full, material: M}}\n"
        "beams: {arm: {from: [0, 5, 0], to: [1, 5, 0], section: S, elements: 2, order: 3}}\n"
        "analysis: {step: 1 ms, end: 1 s}\n";
    torsor_model *m;
    FINE(torsor_model_parse(&m, text, sizeof text - 1, "mixed.yaml"));
    torsor_run *run = run_of(m);
    FINE(torsor_run_step(run));
    assert_int_equal(torsor_run_stations(run), 6);
    double length = 0;
    for (int i = 0; i < 6; i++) {
        double strain[8] = {[6] = 1e9, 1e9}, force[8] = {[6] = 1e9, 1e9};
        torsor_station at;
        FINE(torsor_run_station(run, i, &at));
        assert_int_equal(at.part, torsor_run_part_find(run, "arm"));
        FINE(torsor_run_section(run, i, strain, force));
        assert_true(strain[6] == 1e9 && strain[7] == 1e9 && force[6] == 1e9 && force[7] == 1e9);
        length += at.weight;
    }
    assert_true(close_to(length, 1, 1e-15));
    torsor_model_free(m), torsor_run_free(run);
}

static void inputs_that_cannot_work_are_refused(void **state) {
    (void)state;
    torsor_model *m = slide("ED");
    torsor_run *run;
    FINE(torsor_model_add(m, "loads", "push", "{type: motor, joint: rail, force: {input: 1 N}}"));
    assert_int_equal(torsor_run_new(&run, m), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "an input needs a name"));
    FINE(torsor_model_set(m, "loads.push", "{type: motor, joint: rail, force: 1}"));
    FINE(torsor_model_set(m, "motions.a", "{joint: rail, displacement: 0}"));
    FINE(torsor_model_set(m, "motions.b", "{joint: rail, displacement: command}"));
    assert_int_equal(torsor_run_new(&run, m), TORSOR_EINVAL);
    assert_string_equal(torsor_error_details()->part, "b");
    torsor_model_free(m);
}

/* ---- observers and failures ---- */

typedef struct watch {
    int before, after, stop_at;
} watch;

static int count_before(void *context, torsor_run *run) {
    watch *w = context;
    assert_int_equal(torsor_run_steps_done(run), w->before);
    w->before++;
    return 0;
}

static int count_after(void *context, torsor_run *run) {
    watch *w = context;
    assert_int_equal(torsor_run_last_step(run)->step, ++w->after);
    return w->after == w->stop_at;
}

static void observers_see_every_step_and_may_stop(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    watch w = {.stop_at = 30};
    torsor_run_observe(run, &(torsor_observer){&w, count_before, count_after});
    assert_int_equal(torsor_run_to(run, INFINITY), TORSOR_EINTERRUPTED);
    assert_true(close_to(torsor_error_details()->time, 0.15, 1e-12));
    assert_int_equal(w.before, 30);
    FINE(torsor_run_to(run, INFINITY));
    assert_int_equal(w.after, 100);
    torsor_run_free(run);
}

static void a_failing_step_names_part_and_time(void **state) {
    (void)state;
    torsor_model *m = slide("EP");
    torsor_run *run;
    FINE(torsor_model_add(m, "loads", "blow",
                          "{type: motor, joint: rail, force: 1 N/sqrt(0.5 - t)}"));
    run = run_of(m);
    char path[] = "/tmp/torsor_api_XXXXXX";
    close(mkstemp(path));
    FINE(torsor_run_record(run, path));
    assert_int_equal(torsor_run_to(run, INFINITY), TORSOR_EDIVERGED);
    const torsor_problem *p = torsor_error_details();
    assert_string_equal(p->part, "blow");
    assert_true(close_to(p->time, 0.5, 0.02));
    assert_int_equal(p->status, TORSOR_EDIVERGED);
    assert_true(torsor_run_ended(run) && isfinite(torsor_run_coordinate_value(run, 0)));
    assert_int_equal(torsor_run_step(run), TORSOR_EINVAL);
    torsor_run_free(run);
    torsor_model_free(m);
    torsor_results *r;
    char *info;
    FINE(torsor_results_open(&r, path));
    FINE(torsor_results_info(r, true, &info));
    assert_non_null(strstr(info, "\"failed: "));
    torsor_text_free(info);
    torsor_results_free(r);
    unlink(path);
}

static void no_convergence_names_part_and_time(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    FINE(torsor_model_set(m, "analysis.max_iterations", "1"));
    FINE(torsor_model_set(m, "analysis.max_cuts", "0"));
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    assert_int_equal(torsor_run_step(run), TORSOR_EDIVERGED);
    const torsor_problem *p = torsor_error_details();
    assert_true(strcmp(p->part, "rod") == 0 || strcmp(p->part, "hinge") == 0);
    assert_true(p->time == 0);
    torsor_run_free(run);
}

static void an_assembly_that_fails_names_the_part(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    torsor_run *run;
    FINE(torsor_model_set(m, "bodies.rod.inertia", "[0, 0, 0]"));
    FINE(torsor_model_set(m, "bodies.rod.position", "[0, 0, 0]"));
    assert_int_equal(torsor_run_new(&run, m), TORSOR_ESINGULAR);
    assert_string_equal(torsor_error_details()->part, "rod");
    torsor_model_free(m);
}

/* ---- results ---- */

static void results_hold_what_was_seen(void **state) {
    (void)state;
    char path[] = "/tmp/torsor_api_XXXXXX";
    close(mkstemp(path));
    torsor_model *m = pendulum();
    FINE(torsor_model_set(m, "outputs.every", "10"));
    torsor_run *run = run_of(m), *again;
    FINE(torsor_run_record(run, path));
    assert_int_equal(torsor_run_record(run, path), TORSOR_EINVAL);
    FINE(torsor_run_to(run, INFINITY));
    double phi = torsor_run_coordinate_value(run, 0);
    FINE(torsor_run_finish(run));

    torsor_results *r;
    torsor_table *t, *all;
    FINE(torsor_results_open(&r, path));
    assert_int_equal(torsor_results_frames(r), 11);
    assert_int_equal(torsor_results_steps(r), 100);
    const char *columns[] = {"hinge.angle", "rod.position"};
    FINE(torsor_results_table(&t, r, 2, columns));
    FINE(torsor_results_catalogue(&all, r));
    assert_int_equal(torsor_table_columns(t), 5);
    assert_int_equal(torsor_table_rows(t), 11);
    assert_int_equal(torsor_table_rows(all), 0);
    assert_true(torsor_table_columns(all) > 30);
    assert_string_equal(torsor_table_name(t, 1), "hinge.angle");
    assert_string_equal(torsor_table_unit(t, 1), "rad");
    assert_string_equal(torsor_table_name(t, 4), "rod.position.z");
    assert_null(torsor_table_name(t, 5));
    assert_true(torsor_table_column(t, 1)[10] == phi && torsor_table_column(t, 0)[10] == 0.5);
    torsor_table_free(t), torsor_table_free(all);
    const char *none[] = {"hinge.angel"};
    assert_int_equal(torsor_results_table(&t, r, 1, none), TORSOR_EINVAL);
    assert_non_null(strstr(torsor_error(), "hinge.angle"));
    assert_null(t);

    int q = torsor_results_series_find(r, "frames/q"),
        step = torsor_results_series_find(r, "steps/step");
    torsor_series s;
    FINE(torsor_results_series(r, q, &s));
    assert_true(s.rows == 11 && s.entries == torsor_run_slots(run) && s.width == 3);
    double *values = calloc((size_t)(s.entries * s.width), sizeof *values), steps[100];
    FINE(torsor_results_read(r, q, 10, 1, values));
    assert_memory_equal(values, torsor_run_q(run), (size_t)(s.entries * s.width) * sizeof *values);
    FINE(torsor_results_read(r, step, 0, 100, steps));
    assert_true(steps[0] == 1 && steps[99] == 100);
    assert_int_equal(torsor_results_read(r, step, 1, 100, steps), TORSOR_EINVAL);
    free(values);
    torsor_results_free(r);

    /* a restart from the middle ends where the run did */
    FINE(torsor_run_restart(&again, path, 4, 0));
    assert_int_equal(torsor_run_steps_done(again), 40);
    FINE(torsor_run_to(again, INFINITY));
    assert_true(torsor_run_coordinate_value(again, 0) == phi);
    torsor_run_free(again);
    FINE(torsor_run_restart(&again, path, -1, 0.6)); /* the last one, and further */
    assert_int_equal(torsor_run_steps_done(again), 100);
    FINE(torsor_run_to(again, INFINITY));
    assert_int_equal(torsor_run_steps_done(again), 120);
    torsor_run_free(again);
    torsor_run_free(run);
    torsor_model_free(m);
    unlink(path);
}

static void what_is_no_results_file_is_not_overwritten(void **state) {
    (void)state;
    char path[] = "/tmp/torsor_api_XXXXXX";
    int file = mkstemp(path);
    assert_int_equal(write(file, "mine", 4), 4);
    close(file);
    torsor_model *m = pendulum();
    torsor_run *run = run_of(m);
    assert_int_equal(torsor_run_record(run, path), TORSOR_EIO);
    torsor_results *r;
    assert_int_equal(torsor_results_open(&r, path), TORSOR_EIO);
    assert_null(r);
    torsor_run_free(run);
    torsor_model_free(m);
    unlink(path);
}

/* ---- modes, beams ---- */

/* The pendulum about its lowest place: omega^2 = m g l / J. */
static void modes_of_a_pendulum(void **state) {
    (void)state;
    torsor_model *m = pendulum();
    FINE(torsor_model_set(m, "bodies.rod.position", "[0, 0, -L/2]"));
    torsor_modes *modes;
    torsor_mode mode;
    FINE(torsor_modes_new(&modes, m, NULL));
    assert_int_equal(torsor_modes_count(modes), 1);
    FINE(torsor_modes_get(modes, 0, &mode));
    assert_true(close_to(mode.frequency, sqrt(2 * 9.81 * 0.5 / 0.7), 1e-9));
    assert_string_equal(mode.part, "rod");
    int rod = torsor_run_node_find(torsor_modes_run(modes), "rod");
    /* swings along x as it turns about y, about the hinge */
    const double *shape = mode.shape + 6 * rod;
    assert_true(close_to(shape[0], -0.5 * shape[4], 1e-9) && fabs(shape[4]) > 0.1);
    assert_int_equal(torsor_modes_get(modes, 1, &mode), TORSOR_EINVAL);
    torsor_modes_free(modes);
    assert_int_equal(torsor_modes_new(&modes, m, &(torsor_modal_options){.modes = -1}),
                     TORSOR_EINVAL);
    torsor_model_free(m);
}

/* A cantilever under a force at its end, statics: the moment at a station is F (L - s), small
 * deflections. */
static void sections_of_a_cantilever(void **state) {
    (void)state;
    torsor_model *m = new_model();
    FINE(torsor_model_add(m, "sections", "s",
                          "{EA: 1e7, GA2: 1e7, GA3: 1e7, GJ: 1e5, EI2: 1e5, EI3: 1e5, mass: 1}"));
    FINE(torsor_model_add(m, "beams", "b",
                          "{from: [0, 0, 0], to: [2, 0, 0], elements: 4, order: 1, section: s}"));
    FINE(torsor_model_add(m, "joints", "wall",
                          "{type: rigid, bodies: [ground, b.start], at: [0, 0, 0]}"));
    FINE(torsor_model_add(m, "loads", "tip", "{type: force, body: b.end, force: [0, 0, 1]}"));
    FINE(torsor_model_set(m, "analysis", "{type: static, increments: 1}"));
    torsor_run *run = run_of(m);
    torsor_model_free(m);
    FINE(torsor_run_to(run, INFINITY));
    assert_int_equal(torsor_run_node_find(run, "b.end"), torsor_run_node_find(run, "b.5"));
    assert_int_equal(torsor_run_node_find(run, "b"), -1);
    assert_int_equal(torsor_run_node_find(run, "b.6"), -1);
    assert_int_equal(torsor_run_stations(run), 4);
    for (int i = 0; i < 4; i++) {
        torsor_station s;
        double strain[6], force[6];
        FINE(torsor_run_station(run, i, &s));
        FINE(torsor_run_section(run, i, strain, force));
        double bending = hypot(force[4], force[5]);
        assert_true(close_to(bending, 2 - s.arc, 1e-5) &&
                    close_to(hypot(force[1], force[2]), 1, 1e-5));
    }
    torsor_run_free(run);
}

/* ---- threads ---- */

static void *one_thread(void *context) {
    double *phi = context;
    char path[] = "/tmp/torsor_api_XXXXXX";
    close(mkstemp(path));
    torsor_model *m = NULL;
    torsor_run *run = NULL;
    if (torsor_model_new(&m) || torsor_model_set(m, "gravity", "[0, 0, -9.81]") ||
        torsor_model_add(m, "bodies", "rod",
                         "{mass: 2, inertia: [0.001, 0.2, 0.2], position: [0.5, 0, 0]}") ||
        torsor_model_add(m, "joints", "hinge",
                         "{type: revolute, bodies: [ground, rod], at: [0, 0, 0], axis: y}") ||
        torsor_model_set(m, "analysis", "{scheme: ED, step: 5 ms, end: 0.5 s}") ||
        torsor_run_new(&run, m) || torsor_run_record(run, path) || torsor_run_to(run, INFINITY))
        *phi = NAN;
    else
        *phi = torsor_run_coordinate_value(run, 0);
    torsor_run_free(run);
    torsor_model_free(m);
    unlink(path);
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state) {
    (void)state;
    enum { THREADS = 6 };
    pthread_t thread[THREADS];
    double phi[THREADS], alone;
    one_thread(&alone);
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, one_thread, &phi[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_true(phi[i] == alone);
}

static void the_rest_answers(void **state) {
    (void)state;
    char *schema;
    FINE(torsor_schema(&schema));
    assert_non_null(strstr(schema, "\"joints.revolute\""));
    torsor_text_free(schema);
    torsor_text_free(NULL);
    torsor_model_free(NULL), torsor_run_free(NULL), torsor_modes_free(NULL);
    torsor_results_free(NULL), torsor_table_free(NULL);
    assert_int_equal(torsor_model_new(NULL), TORSOR_EINVAL);
    assert_int_equal(torsor_run_step(NULL), TORSOR_EINVAL);
    assert_string_equal(torsor_version(), TORSOR_VERSION);
}

/* The audit of resolution: a beam as drawn, and as it is bent; what a failing step leaves. */
static void resolution(void **state) {
    (void)state;
    static const char *const entries[][2] = {
        {"units", "SI"},
        {"sections.S",
         "{EA: 1e3, GA2: 1e3, GA3: 1e3, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: [2, 1, 1]}"},
        {"beams.arm", "{from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 1, order: 1}"},
        {"joints.root", "{type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}"},
        {"joints.tip", "{type: revolute, bodies: [ground, arm.end], at: [1, 0, 0], axis: x}"},
        {"motions.twist", "{joint: tip, angle: 170 deg*t}"},
        {"analysis", "{type: static, increments: 17}"}};
    torsor_model *m = new_model();
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        FINE(torsor_model_set(m, entries[i][0], entries[i][1]));
    torsor_run *run = run_of(m);
    torsor_measure angle;
    char *text;
    int level;
    assert_int_equal(torsor_run_measures(run), 8);
    FINE(torsor_run_resolution(run, &level, &text));
    assert_true(level == 0 && strcmp(text, "resolution: resolved") == 0);
    torsor_text_free(text);
    FINE(torsor_run_to(run, 0.5));
    FINE(torsor_run_measure(run, 0, &angle));
    assert_true(strcmp(angle.name, "beam_angle") == 0 && angle.level == 1);
    assert_true(close_to(angle.value, 90 * 3.14159265358979 / 180, 1e-7));
    assert_true(close_to(angle.t, 9.0 / 17, 1e-12));
    assert_string_equal(angle.where, "'arm', between nodes 1 and 2");
    assert_true(torsor_run_to(run, INFINITY) != 0);
    assert_string_equal(torsor_error_details()->part, "arm");
    FINE(torsor_run_resolution(run, &level, &text));
    assert_true(level == 2 && strstr(text, "not resolved: "));
    torsor_text_free(text);
    assert_true(torsor_run_measure(run, 8, &angle) < 0);
    torsor_run_free(run);
    torsor_model_free(m);
}

/* Two runs of one model at once: each has its own latch. Bodies of 2 kg and 1 kg at 3 m/s and 0. */
static void events_are_told(void **state) {
    (void)state;
    static const char *const entries[][2] = {
        {"units", "SI"},
        {"bodies.a", "{mass: 2, inertia: [1, 1, 1], velocity: [3, 0, 0]}"},
        {"bodies.b", "{mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}"},
        {"joints.rail", "{type: prismatic, bodies: [ground, a], at: [0, 0, 0], axis: x}"},
        {"joints.gap", "{type: prismatic, bodies: [a, b], at: [0, 0, 0], axis: x}"},
        {"events.latch", "{when: gap.displacement < -0.7, lock: gap, mark: closed}"},
        {"events.end", "{at: 0.5 s, stop: true}"},
        {"analysis", "{step: 10 ms, end: 1 s}"}};
    torsor_model *m = new_model();
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        FINE(torsor_model_set(m, entries[i][0], entries[i][1]));
    torsor_run *run = run_of(m), *other = run_of(m);
    torsor_event latch, end;
    FINE(torsor_run_to(other, 0.1));
    FINE(torsor_run_to(run, INFINITY));
    FINE(torsor_run_to(other, 0.2));
    assert_int_equal(torsor_run_events(run), 2);
    FINE(torsor_run_event(run, 0, &latch)), FINE(torsor_run_event(run, 1, &end));
    assert_true(strcmp(latch.name, "latch") == 0 && strcmp(latch.mark, "closed") == 0);
    assert_true(latch.count == 1 && close_to(latch.t, 0.7 / 3, 1e-10) && !latch.stopped);
    assert_true(end.count == 1 && end.t == 0.5 && end.stopped && *end.mark == 0);
    assert_true(torsor_run_ended(run) && close_to(torsor_run_time(run), 0.5, 1e-15));
    assert_true(close_to(torsor_run_event_loss(run), 3, 1e-12));
    assert_true(torsor_run_damper_loss(run) == 0 && torsor_run_friction_loss(run) == 0 &&
                torsor_run_impact_loss(run) == 0);
    FINE(torsor_run_event(other, 0, &latch));
    assert_true(latch.count == 0 && torsor_run_event_loss(other) == 0);
    assert_true(torsor_run_event(run, 2, &latch) < 0);
    torsor_run_free(run), torsor_run_free(other);
    torsor_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_told),
        cmocka_unit_test(resolution),
        cmocka_unit_test(what_is_set_is_written_into_the_text),
        cmocka_unit_test(changes_meet_at_the_end_of_a_text),
        cmocka_unit_test(has_and_get_see_both),
        cmocka_unit_test(wrong_paths_and_values_are_refused),
        cmocka_unit_test(mistakes_have_their_place),
        cmocka_unit_test(steps_equal_those_of_the_run_to_the_end),
        cmocka_unit_test(names_lead_to_numbers),
        cmocka_unit_test(a_load_holds_its_input),
        cmocka_unit_test(a_motion_follows_its_input),
        cmocka_unit_test(each_run_has_its_own_inputs),
        cmocka_unit_test(inputs_have_the_units_of_their_field),
        cmocka_unit_test(inputs_that_cannot_work_are_refused),
        cmocka_unit_test(only_lines_have_sections),
        cmocka_unit_test(observers_see_every_step_and_may_stop),
        cmocka_unit_test(a_failing_step_names_part_and_time),
        cmocka_unit_test(no_convergence_names_part_and_time),
        cmocka_unit_test(an_assembly_that_fails_names_the_part),
        cmocka_unit_test(results_hold_what_was_seen),
        cmocka_unit_test(what_is_no_results_file_is_not_overwritten),
        cmocka_unit_test(modes_of_a_pendulum),
        cmocka_unit_test(sections_of_a_cantilever),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(the_rest_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
