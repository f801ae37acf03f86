/* SPDX-License-Identifier: Apache-2.0 */
/* Beams: invariance of their strains, no locking, orders of convergence; geometry, mass, damping,
 * loads and internal forces against mechanics.
 *
 * Expected numbers are closed forms, or come from the independent prototype (dense, in Python);
 * none from torsor itself.
 */
#include "scene.h"
#include "system/beam_place.h"

#include <unistd.h>

#include "results/results.h"

#define PI 3.14159265358979323846

enum { ORDERS = 3, TEXT = SCENE_TEXT };

/* ---- scenes ---- */

/* Sections: round numbers; everything coupled with everything. */
#define PLAIN                                                                                   \
    "  S: {EA: 1e4, GA2: 1e4, GA3: 1e4, GJ: 100, EI2: 100, EI3: 100, mass: 1, inertia: [0.02, " \
    "0.01, 0.01]}\n"
#define COUPLED                                                                              \
    "  S: {EA: 3e3, GA2: 1e3, GA3: 1.2e3, GJ: 20, EI2: 30, EI3: 25, mass: 2, inertia: "      \
    "[0.03, 0.02, 0.015], mass_centre: [0.02, 0.01], tension_centre: [0.01, -0.02], "        \
    "shear_centre: [-0.01, 0.03], principal_angle: 0.4}\n"                                   \
    "  T: {EA: 2e3, GA2: 8e2, GA3: 9e2, GJ: 10, EI2: 12, EI3: 15, mass: 1, inertia: [0.02, " \
    "0.01, 0.012]}\n"
#define CLAMP "joints:\n  clamp: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}\n"

/* Lines that the beams of the tests of strains follow. */
static const char *const LINES[] = {
    "from: [0.3, 0, -0.2], to: [1, 0.5, 0.4], section: S",
    "from: [1, 0, 0], through: [0.7, 0.7, 0.2], to: [0, 1, 0.3], section: S",
    ("from: [1, 0, 0], through: [0.7, 0.7, 0.2], to: [0, 1, 0.3], section: S, section_end: T, "
     "axis2: [0.1, 0.2, 1], twist: 80 deg"),
};
enum { LINE_COUNT = sizeof LINES / sizeof *LINES };

static const char *beam_of(int line, int order, const char *more) {
    return scene_write(SCENE_HEAD "sections:\n" COUPLED
                                  "beams:\n  arm: {%s, elements: 3, order: %d%s}\n",
                       LINES[line], order, more);
}

static v3 node_at(const scene *s, const char *beam, int node) { /* -1: the last */
    const ts_part *p = &s->model->parts[scene_part(s, beam)];
    int n = p->node + (node < 0 ? p->nodes - 1 : node);
    return v3_load(s->system->state.q + 3 * s->model->nodes[n].slot);
}

static m3 frame_of(const scene *s, int node) {
    return m3_load(s->system->state.q + 3 * s->model->nodes[node].slot + 3);
}

static void open_static(scene *s, const char *model) {
    scene_read(s, model);
    ts_step_options options = scene_defaults();
    assert_int_equal(ts_system_new(&s->system, s->model), 0);
    ts_system_begin(s->system);
    assert_int_equal(ts_stepper_new(&s->st, s->system, &TS_SCHEME_STATIC, &options), 0);
}

/* Equilibria under the loads of t, as they are, up to the time `end`. */
static void load_until(scene *s, double end, int increments) {
    double h = (end - s->system->state.t) / increments;
    ts_stepper_load_factor(s->st, 1, 1);
    for (int i = 0; i < increments; i++) scene_step(s, h);
}

/* ---- strains at stations ---- */

typedef double six[6];
enum { MOST_STATIONS = 64 };

static int read_sections(const scene *s, six *strain, six *force) {
    int count = 0;
    six unused;
    const ts_instant at = {.state = &s->system->state};
    for (int i = 0; i < s->model->stations_count; i++) {
        assert_true(count < MOST_STATIONS);
        ts_station_section(s->system, &at, i, strain ? strain[count] : unused,
                           force ? force[count] : unused);
        count++;
    }
    return count;
}

static double difference(int count, six *a, six *b) {
    double worst = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(a[i][k] - (b ? b[i][k] : 0)));
    return worst;
}

static void move_rigidly(scene *s, m3 R, v3 t) {
    for (int n = 1; n < s->model->nodes_count; n++)
        for (int a = 0; a < 4; a++) {
            double *q = s->system->state.q + 3 * (s->model->nodes[n].slot + a);
            v3 x = m3_apply(R, v3_load(q));
            v3_store(q, a ? x : v3_add(x, t));
        }
}

/* Nodes moved and turned by chance, rates of directors with them. */
static void deform(scene *s, double much) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        int at = 3 * s->model->nodes[n].slot;
        double *q = s->system->state.q + at, *v = s->system->state.v + at;
        m3 R = so3_exp(v3_scale(much, chance_vector()));
        v3_store(q, v3_axpy(much, chance_vector(), v3_load(q)));
        m3_store(q + 3, m3_mul(R, m3_load(q + 3))), m3_store(v + 3, m3_mul(R, m3_load(v + 3)));
    }
}

/* No strain as drawn, none from rigid motions, and no change of strain when a deformed beam
 * moves. */
static void strains_are_objective(void **state) {
    (void)state;
    for (int line = 0; line < LINE_COUNT; line++)
        for (int order = 1; order <= ORDERS; order++) {
            scene s;
            six before[MOST_STATIONS], after[MOST_STATIONS];
            open_static(&s, beam_of(line, order, ""));
            int count = read_sections(&s, before, NULL);
            assert_int_equal(count, 3 * order);
            assert_below("strain as drawn", difference(count, before, NULL), 1e-14);
            for (int deformed = 0; deformed < 2; deformed++)
                for (int i = 0; i < 10; i++) {
                    if (deformed) deform(&s, 0.1);
                    read_sections(&s, before, NULL);
                    if (deformed) assert_true(difference(count, before, NULL) > 1e-2);
                    move_rigidly(&s, so3_exp(v3_scale(3, chance_vector())),
                                 v3_scale(2, chance_vector()));
                    read_sections(&s, after, NULL);
                    double off = difference(count, before, after);
                    measured("objectivity", "", order, off);
                    assert_below("change of strain", off, 2e-13);
                }
            scene_close(&s);
        }
}

/* ---- paths ---- */

static double distance_between(const scene *a, const scene *b) {
    double worst = 0;
    for (int i = 0; i < 3 * a->model->slots; i++)
        worst = fmax(worst, fabs(a->system->state.q[i] - b->system->state.q[i]));
    return worst;
}

/* Bent and twisted far and back. */
static void unloading_returns(void **state) {
    (void)state;
    for (int line = 0; line < LINE_COUNT; line++)
        for (int order = 1; order <= ORDERS; order++) {
            scene s, drawn;
            six strain[MOST_STATIONS];
            char model[TEXT];
            snprintf(model, sizeof model,
                     "%s" CLAMP
                     "loads:\n  pull: {type: force, body: arm.end, force: [4*sin(pi*t), -3*sin("
                     "pi*t), 2*sin(2*pi*t)]}\n"
                     "  turn: {type: moment, body: arm.end, moment: [sin(pi*t), 0, 0], follower: "
                     "true}\n",
                     beam_of(line, order, ""));
            open_static(&s, model), open_static(&drawn, model);
            load_until(&s, 0.6, 6);
            int count = read_sections(&s, strain, NULL);
            assert_true(distance_between(&s, &drawn) > 0.06);
            load_until(&s, 1, 4);
            read_sections(&s, strain, NULL);
            measured("back to nothing", "", order, distance_between(&s, &drawn));
            assert_below("position", distance_between(&s, &drawn), 1e-12);
            assert_below("strain", difference(count, strain, NULL), 1e-12);
            scene_close(&s), scene_close(&drawn);
        }
}

/* Two forces, one first or the other first or both at once: the same end. */
static void order_of_loading_does_not_matter(void **state) {
    (void)state;
    static const char *const HISTORY[][2] = {
        {"min(2*t, 1)", "max(2*t - 1, 0)"}, {"max(2*t - 1, 0)", "min(2*t, 1)"}, {"t", "t^2"}};
    for (int order = 1; order <= ORDERS; order++) {
        scene s[3];
        for (int i = 0; i < 3; i++) {
            char model[TEXT];
            snprintf(
                model, sizeof model,
                "%s" CLAMP "loads:\n"
                "  one: {type: force, body: arm.end, force: [0, 0, \"-10*(%s)\"]}\n"
                "  two: {type: force, body: arm.end, force: [\"8*(%s)\", 0, 0], point: [0, 0.1, "
                "0]}\n",
                beam_of(2, order, ""), HISTORY[i][0], HISTORY[i][1]);
            open_static(&s[i], model);
            load_until(&s[i], 1, 8 + i);
            if (i > 0) assert_below("end", distance_between(&s[0], &s[i]), 1e-12);
        }
        for (int i = 0; i < 3; i++) scene_close(&s[i]);
    }
}

/* Increments of no load at all have nothing to be measured against but round-off. */
static void a_load_that_stays_is_no_trouble(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        char model[TEXT];
        snprintf(model, sizeof model,
                 "%s" CLAMP "loads:\n  F: {type: force, body: arm.end, force: [2, 3, 4]}\n",
                 beam_of(1, order, ""));
        open_static(&s, model);
        load_until(&s, 1, 1);
        v3 before = node_at(&s, "arm", -1);
        load_until(&s, 2, 5);
        assert_below("moved", v3_norm(v3_sub(node_at(&s, "arm", -1), before)), 1e-13);
        scene_close(&s);
    }
}

/* ---- patches: states of uniform strain ---- */

/* Axial force, torque and two bending moments at once, small, on a section that couples them all:
 * the stress is that of the load at every station. */
static void uniform_stress_is_uniform(void **state) {
    (void)state;
    const double load[6] = {3e-6, 0, 0, 2e-6, -1e-6, 3e-6};
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six force[MOST_STATIONS];
        open_static(&s,
                    scene_write(SCENE_HEAD "sections:\n" COUPLED
                                           "beams:\n  arm: {from: [0, 0, 0], to: [1, 2, 2], "
                                           "section: S, elements: 3, order: %d}\n" CLAMP
                                           "loads:\n  F: {type: force, body: arm.end, force: "
                                           "[%g, 0, 0], follower: true}\n"
                                           "  M: {type: moment, body: arm.end, moment: [%g, %g, "
                                           "%g], follower: true}\n",
                                order, load[0], load[3], load[4], load[5]));
        load_until(&s, 1, 1);
        int count = read_sections(&s, NULL, force);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 6; k++) {
                measured("patch", "", order, force[i][k] - load[k]);
                /* round-off of a strain of 1, times the stiffness */
                assert_near(force[i][k], load[k], 5e-11);
            }
        scene_close(&s);
    }
}

/* Along the axis everything is linear, however long it gets. */
static void stretching_is_exact(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six strain[MOST_STATIONS], force[MOST_STATIONS];
        open_static(&s, scene_write(SCENE_HEAD "sections:\n" PLAIN
                                               "beams:\n  arm: {from: [0, 0, 0], to: [2, 4, 4], "
                                               "section: S, elements: 3, order: %d}\n" CLAMP
                                               "loads:\n  F: {type: force, body: arm.end, force: "
                                               "[1e3, 2e3, 2e3]}\n",
                                    order));
        load_until(&s, 1, 1);
        int count = read_sections(&s, strain, force);
        for (int i = 0; i < count; i++) {
            assert_near(strain[i][0], 0.3, 5e-13), assert_near(force[i][0], 3e3, 5e-9);
            for (int k = 1; k < 6; k++) assert_near(strain[i][k], 0, 5e-13);
        }
        assert_near(v3_norm(node_at(&s, "arm", -1)), 6 * 1.3, 1e-12);
        scene_close(&s);
    }
}

/* A moment turns every element alike, theta/l = M/GJ, to the last digits in elements of every
 * order: twist is a helix. */
static void twisting_is_exact(void **state) {
    (void)state;
    const double M = 30, L = 3, GJ = 100;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six strain[MOST_STATIONS];
        open_static(&s,
                    scene_write(SCENE_HEAD "sections:\n" PLAIN
                                           "beams:\n  arm: {from: [0, 0, 0], to: [3, 0, 0], "
                                           "axis2: y, section: S, elements: 4, order: %d}\n" CLAMP
                                           "loads:\n  M: {type: moment, body: arm.end, moment: "
                                           "[30*t, 0, 0]}\n",
                                order));
        load_until(&s, 1, 2);
        int count = read_sections(&s, strain, NULL);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 6; k++) assert_near(strain[i][k], k == 3 ? M / GJ : 0, 1e-12);
        m3 D = frame_of(&s, s.model->nodes_count - 1);
        assert_near(ts_so3_log(D).x, M * L / GJ, 1e-12);
        assert_near(node_at(&s, "arm", -1).x, L, 1e-12);
        scene_close(&s);
    }
}

/* ---- convergence against closed forms ---- */

static double order_of(int count, const double *error, double *worst_step) {
    double lowest = 1e9;
    for (int i = 0; i + 1 < count; i++) lowest = fmin(lowest, log2(error[i] / error[i + 1]));
    *worst_step = error[count - 1];
    return lowest;
}

/* B01: a = M L/EI; the tip of a circle. L = 10, EI = 100, EA = GA = 1e4. A circle is a helix: exact
 * in elements of every order, whatever the angle. */
static double roll_up(double M, int elements, int order, int increments) {
    scene s;
    six strain[MOST_STATIONS];
    open_static(&s, scene_write(SCENE_HEAD "sections:\n" PLAIN
                                           "beams:\n  arm: {from: [0, 0, 0], to: [10, 0, 0], "
                                           "section: S, elements: %d, order: %d}\n" CLAMP
                                           "loads:\n  M: {type: moment, body: arm.end, moment: [0, "
                                           "0, %.17g*t]}\n",
                                elements, order, M));
    load_until(&s, 1, increments);
    double a = M * 10 / 100;
    v3 tip = node_at(&s, "arm", -1), exact = v3_make(10 * sin(a) / a, 10 * (1 - cos(a)) / a, 0);
    int count = read_sections(&s, strain, NULL);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 6; k++) assert_near(strain[i][k], k == 5 ? M / 100 : 0, 1e-11);
    scene_close(&s);
    return v3_norm(v3_sub(tip, exact));
}

static void roll_up_is_exact(void **state) {
    (void)state;
    static const struct {
        int elements, order;
        double turns;
    } CASES[] = {
        {4, 1, 1},   /* 90 degrees between neighbouring nodes */
        {4, 1, 1.6}, /* 144 */
        {5, 1, 2},   /* 144 */
        {4, 2, 2},   /* 90 */
        {4, 3, 2},   /* 80 */
        {2, 2, 1.5}, /* 135 */
        {1, 3, 0.9}, /* 145 */
        {40, 1, 2},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double M = 20 * PI * CASES[i].turns;
        int increments = (int)ceil(12 * CASES[i].turns);
        double off = roll_up(M, CASES[i].elements, CASES[i].order, increments);
        measured("roll-up, error", "", CASES[i].order, off);
        assert_below("roll-up", off, 1e-9); /* of 10 m */
    }
    /* the published digits: tip displacement (-2.43174319, 5.49867743) of BeamDyn's case */
    double a = 1.25664;
    assert_near(10 * sin(a) / a - 10, -2.43174319, 5e-9);
    assert_near(10 * (1 - cos(a)) / a, 5.49867743, 5e-9);
    assert_below("BeamDyn's roll-up", roll_up(12.5664, 8, 1, 4), 1e-10);
}

/* B02: dead force at the tip, PL^2/EI = 1, 5, 10, of a beam that neither stretches nor shears. */
static const struct {
    double load, u, w;
} ELASTICA[] = {{1, 0.0564332362834, 0.301720773800},
                {5, 0.387628360724, 0.713791523612},
                {10, 0.554995597754, 0.810609024880}};

static double elastica_error(int at, int elements, int order) {
    scene s;
    open_static(&s, scene_write(SCENE_HEAD
                                "sections:\n  S: {EA: 1e10, GA2: 1e10, GA3: 1e10, GJ: 1, EI2: 1, "
                                "EI3: 1, mass: 1, inertia: [2, 1, 1]}\n"
                                "beams:\n  arm: {from: [0, 0, 0], to: [1, 0, 0], section: S, "
                                "elements: %d, order: %d}\n" CLAMP
                                "loads:\n  P: {type: force, body: arm.end, force: [0, 0, %g*t]}\n",
                                elements, order, ELASTICA[at].load));
    load_until(&s, 1, 10);
    v3 tip = node_at(&s, "arm", -1), exact = v3_make(1 - ELASTICA[at].u, 0, ELASTICA[at].w);
    scene_close(&s);
    return v3_norm(v3_sub(tip, exact));
}

static void elastica_converges(void **state) {
    (void)state;
    static const double WANTED[] = {1.9, 3.8, 5.3}; /* the last still rises */
    for (int at = 0; at < 3; at++)
        for (int order = 1; order <= ORDERS; order++) {
            double error[3], last;
            int first = order == 1 ? 16 : order == 2 ? 4 : 2;
            for (int i = 0; i < 3; i++) error[i] = elastica_error(at, first << i, order);
            int from = order == 3 && at > 0; /* two elements for half a circle say little */
            double p = order_of(order == 3 ? 2 : 3, error + from, &last);
            measured("elastica, error", "", order, last), measured("elastica, order", "", order, p);
            if (!(p > WANTED[order - 1])) fail_msg("load %g: order %.3f", ELASTICA[at].load, p);
        }
}

/* ---- nothing locks ---- */

/* L = 1, EI = 1, height 1/slenderness: EA = 12 slenderness^2, GA = 5/12 EA (k = 5/6, nu = 0). */
static void write_slender(double slenderness, char *section, size_t size) {
    double EA = 12 * slenderness * slenderness;
    snprintf(section, size,
             "  S: {EA: %.17g, GA2: %.17g, GA3: %.17g, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: "
             "[2, 1, 1]}\n",
             EA, EA * 5 / 12, EA * 5 / 12);
}

/* Tip deflection over Timoshenko's; P is small, so that this is linear to 1e-8. With two nodes the
 * bending moment is taken constant in an element, and exactly 1 - 1/(4 n^2) of the bending is left;
 * with more nodes all of it. */
static void slender_cantilevers_do_not_lock(void **state) {
    (void)state;
    const double P = 1e-4;
    for (int order = 1; order <= ORDERS; order++)
        for (int power = 1; power <= 6; power++) {
            scene s;
            char section[300];
            double slenderness = pow(10, power), EA = 12 * slenderness * slenderness;
            write_slender(slenderness, section, sizeof section);
            open_static(&s, scene_write(SCENE_HEAD
                                        "sections:\n%s"
                                        "beams:\n  arm: {from: [0, 0, 0], to: [1, 0, 0], section: "
                                        "S, elements: 4, order: %d}\n" CLAMP
                                        "loads:\n  P: {type: force, body: arm.end, force: [0, 0, "
                                        "%g]}\n",
                                        section, order, P));
            load_until(&s, 1, 1);
            double left = order == 1 ? 1 - 1 / (4.0 * 4 * 4) : 1;
            double exact = P / 3 * left + P / (EA * 5 / 12), w = node_at(&s, "arm", -1).z;
            measured("cantilever", "", order, w / exact - 1);
            assert_near(w / exact, 1, 1e-7);
            scene_close(&s);
        }
}

/* A quarter of a ring, clamped at (1, 0), pulled across at (0, 1): Castigliano, M = P cos, N = P
 * cos, Q = P sin. */
static void thin_rings_do_not_lock(void **state) {
    (void)state;
    const double P = 1e-6;
    static const double ALLOWED[] = {9e-3, 3e-5, 1e-6};
    for (int order = 1; order <= ORDERS; order++) {
        double first = 0;
        for (int power = 1; power <= 6; power++) {
            scene s;
            char section[300];
            double slenderness = pow(10, power), EA = 12 * slenderness * slenderness;
            write_slender(slenderness, section, sizeof section);
            open_static(&s, scene_write(SCENE_HEAD
                                        "sections:\n%s"
                                        "beams:\n  arm: {from: [1, 0, 0], through: [cos(0.7), "
                                        "sin(0.7), 0], to: [0, 1, 0], section: S, elements: 8, "
                                        "order: %d}\n" CLAMP
                                        "loads:\n  P: {type: force, body: arm.end, force: [0, %g, "
                                        "0]}\n",
                                        section, order, -P));
            load_until(&s, 1, 1);
            double exact = PI / 4 * P * (1 + 1 / EA + 12 / (5 * EA)),
                   w = 1 - node_at(&s, "arm", -1).y;
            if (power == 1) first = w / exact;
            measured("ring", "", order, w / exact - 1);
            assert_near(w / exact, 1, ALLOWED[order - 1] + P);
            assert_near(w / exact, first, 0.1 * ALLOWED[order - 1] + 1e-7);
            scene_close(&s);
        }
    }
}

/* ---- mass ---- */

/* m0 at the start, m1 at the end, linear between: mass and its moments over x in [0, L]. */
static void mass_is_that_of_the_line(void **state) {
    (void)state;
    const double L = 2, m0 = 3, m1 = 1, n = 3;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        open_static(
            &s, scene_write(SCENE_HEAD
                            "sections:\n"
                            "  S: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 3, "
                            "inertia: [0.6, 0.4, 0.2], mass_centre: [0.1, 0]}\n"
                            "  T: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1, "
                            "inertia: [0.2, 0.1, 0.1], mass_centre: [0.1, 0]}\n"
                            "beams:\n  arm: {from: [0, 0, 0], to: [2, 0, 0], axis2: y, section: "
                            "S, section_end: T, elements: 3, order: %d, angular_velocity: [1, "
                            "0, 1]}\n",
                            order));
        double mass;
        v3 centre, p, h;
        ts_mass_centre(s.system, &mass, &centre);
        ts_momenta(s.system, &p, &h);
        double first = L * L * (m0 / 6 + m1 / 3), second = L * L * L * (m0 / 12 + m1 / 4);
        double total = L * (m0 + m1) / 2;
        if (order == 1) { /* the trapezoidal rule: h^2/12 times the change of slope */
            double step = L / n, slope = (m1 - m0) / L;
            first += step * step / 12 * (m1 + slope * L - m0);
            second += step * step / 12 * (2 * L * m1 + slope * L * L);
        }
        assert_near(mass, total, 1e-14);
        assert_near(centre.x, first / total, 1e-14);
        assert_near(centre.y, 0.1, 1e-15);
        /* v = w x r = (-y, x, 0) - (0, z, -y) ...: about x the moments J1 + m c^2, about z J3 + m
         * (x^2 + c^2) */
        double J1 = L * (0.6 + 0.2) / 2, J3 = L * (0.2 + 0.1) / 2, mc = total * 0.1;
        assert_near(h.x, J1 + mc * 0.1, 1e-14);
        assert_near(h.z, second + J3 + mc * 0.1, 1e-13);
        assert_near(h.y, -0.1 * first, 1e-14); /* product of inertia: -sum m x c */
        assert_near(p.y, first, 1e-14), assert_near(p.z, mc, 1e-14);
        scene_close(&s);
    }
}

/* ---- tapered stiffness ---- */

/* EA falls linearly from 3 to 1: the elongation is N L ln 3 / 2, small N only for the sake of
 * shape. */
static void tapered_bar_stretches(void **state) {
    (void)state;
    double off[ORDERS];
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six force[MOST_STATIONS];
        open_static(&s,
                    scene_write(SCENE_HEAD
                                "sections:\n  S: {EA: 3, GA2: 3, GA3: 3, GJ: 1, EI2: 1, EI3: 1, "
                                "mass: 1}\n"
                                "  T: {EA: 1, GA2: 3, GA3: 3, GJ: 1, EI2: 1, EI3: 1, mass: 1}\n"
                                "beams:\n  arm: {from: [0, 0, 0], to: [0, 4, 0], section: S, "
                                "section_end: T, elements: 4, order: %d}\n" CLAMP
                                "loads:\n  F: {type: force, body: arm.end, force: [0, 0.2, "
                                "0]}\n",
                                order));
        load_until(&s, 1, 1);
        int count = read_sections(&s, NULL, force);
        for (int i = 0; i < count; i++) assert_near(force[i][0], 0.2, 1e-13);
        off[order - 1] = fabs(node_at(&s, "arm", -1).y - 4 - 0.2 * 4 * log(3) / 2);
        measured("taper", "", order, off[order - 1]);
        scene_close(&s);
    }
    assert_true(off[0] < 5e-3 && off[1] < 5e-5 && off[2] < 1e-6);
}

/* ---- geometry ---- */

/* An arc of 250 degrees about an axis askew, with a twist: every node on the circle, at its angle,
 * its frame carried along and turned. */
static void arcs_are_arcs(void **state) {
    (void)state;
    const double angle = 250 * PI / 180, twist = 0.9, radius = 2.5;
    m3 A = so3_exp(v3_make(0.4, -0.7, 0.3));
    v3 centre = v3_make(1, 2, 3), point[3];
    for (int i = 0; i < 3; i++) {
        double a = angle * (i == 0 ? 0 : i == 1 ? 0.31 : 1);
        point[i] = v3_add(centre, m3_apply(A, v3_make(radius * cos(a), radius * sin(a), 0)));
    }
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        open_static(&s, scene_write(SCENE_HEAD
                                    "sections:\n" PLAIN
                                    "beams:\n  arm: {from: [%.17g, %.17g, %.17g], through: [%.17g, "
                                    "%.17g, %.17g], to: [%.17g, %.17g, %.17g], axis2: [%.17g, "
                                    "%.17g, %.17g], twist: %.17g, section: S, elements: 5, order: "
                                    "%d}\n",
                                    point[0].x, point[0].y, point[0].z, point[1].x, point[1].y,
                                    point[1].z, point[2].x, point[2].y, point[2].z, A.c[2].x,
                                    A.c[2].y, A.c[2].z, twist, order));
        const ts_part *arm = &s.model->parts[scene_part(&s, "arm")];
        assert_int_equal(arm->nodes, 5 * order + 1);
        for (int i = 0; i < arm->nodes; i++) {
            static const double inside[][3] = {
                {0},
                {0, 0.5},
                {0, 0.5 * (1 - 0.44721359549995794), 0.5 * (1 + 0.44721359549995794)}};
            double share = (i / order + inside[order - 1][i % order]) / 5, a = share * angle;
            v3 x = node_at(&s, "arm", i);
            m3 D = frame_of(&s, arm->node + i);
            v3 spoke = m3_apply(A, v3_make(cos(a), sin(a), 0)),
               tangent = m3_apply(A, v3_make(-sin(a), cos(a), 0)), t = A.c[2];
            assert_below("circle", v3_norm(v3_sub(x, v3_axpy(radius, spoke, centre))), 1e-13);
            assert_below("tangent", v3_norm(v3_sub(D.c[0], tangent)), 1e-14);
            /* axis 2 began along the normal; turning about the tangent takes it towards tangent x
             * normal = spoke */
            v3 d2 = v3_add(v3_scale(cos(twist * share), t), v3_scale(sin(twist * share), spoke));
            assert_below("axis 2", v3_norm(v3_sub(D.c[1], d2)), 1e-14);
            m3 off = m3_sub(m3_tmul(D, D), m3_identity());
            assert_below("orthonormal", sqrt(m3_inner(off, off)), 1e-14);
            assert_near(m3_det(D), 1, 1e-14);
        }
        double length = 0, last = 0;
        for (int i = 0; i < s.model->stations_count; i++) {
            const ts_station *station = &s.model->stations[i];
            length += station->weight;
            assert_true(station->arc > last && station->arc < angle * radius);
            last = station->arc;
        }
        measured("length of the arc", "", order, length / (angle * radius) - 1);
        assert_near(length / (angle * radius), 1, order == 1 ? 0.04 : order == 2 ? 2e-3 : 3e-5);
        scene_close(&s);
    }
}

/* ---- damping ---- */

/* One element of two nodes, clamped, along its axis: an oscillator with k = EA/L, half the mass,
 * and c = damping k. */
static void damping_is_proportional(void **state) {
    (void)state;
    const double k = 50, m = 0.5, eta = 0.01, c = eta * k, v0 = 0.1, h = 1e-3;
    scene s;
    scene_open(&s,
               SCENE_HEAD
               "sections:\n  S: {EA: 50, GA2: 50, GA3: 50, GJ: 1, EI2: 1, EI3: 1, mass: "
               "1, inertia: [2, 1, 1]}\n"
               "beams:\n  arm: {from: [0, 0, 0], to: [0, 0, 1], section: S, elements: 1, order: 1, "
               "damping: 0.01}\n" CLAMP,
               "EP", 1);
    int tip = s.model->parts[scene_part(&s, "arm")].node + 1;
    s.system->state.v[3 * s.model->nodes[tip].slot + 2] = v0;
    ts_system_begin(s.system);
    double lost = 0, decay = c / (2 * m), omega = sqrt(k / m - decay * decay);
    for (int i = 1; i <= 1000; i++) {
        scene_step(&s, h);
        double t = i * h, exact = v0 / omega * exp(-decay * t) * sin(omega * t);
        assert_near(node_at(&s, "arm", -1).z - 1, exact, 2e-6);
        assert_true(s.system->ledger.dissipated > lost);
        lost = s.system->ledger.dissipated;
    }
    assert_below("balance", fabs(s.system->ledger.balance), 1e-15);
    double x = v0 / omega * exp(-decay) * sin(omega), v = v0 * exp(-decay) * cos(omega) - decay * x;
    assert_near(lost, 0.5 * (m * v0 * v0 - m * v * v - k * x * x), 1e-7);
    scene_close(&s);
}

/* Every strain is damped, none drives. */
static void damping_only_takes(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++)
        for (int ed = 0; ed < 2; ed++) {
            scene s;
            scene_open(&s, beam_of(2, order, ", damping: 5e-3, angular_velocity: [1, 2, 3]"),
                       ed ? "ED" : "EP", 0.5);
            double before = s.system->ledger.kinetic, lost = 0;
            for (int i = 0; i < 30; i++) {
                scene_step(&s, 0.01);
                assert_true(s.system->ledger.dissipated > lost);
                lost = s.system->ledger.dissipated;
                assert_below("balance", fabs(s.system->ledger.balance), 1e-13 * s.energy);
            }
            double now = s.system->ledger.kinetic + s.system->ledger.elastic;
            assert_near(now + lost + s.system->ledger.algorithmic, before, 1e-12 * before);
            assert_true(lost > 1e-5 * before);
            scene_close(&s);
        }
}

/* ---- loads and internal forces ---- */

/* A line load p on a clamped beam: clamp reaction p L; at a station, what hangs beyond it. */
static void line_load_is_carried(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six force[MOST_STATIONS];
        open_static(&s,
                    scene_write(SCENE_HEAD "sections:\n" PLAIN
                                           "beams:\n  arm: {from: [0, 0, 0], to: [10, 0, 0], "
                                           "axis2: y, section: S, elements: 5, order: %d}\n" CLAMP
                                           "loads:\n  snow: {type: line_load, beam: arm, force: "
                                           "[0, 1e-7, -2e-7], moment: [3e-7, 0, 0]}\n",
                                order));
        double sum = 0;
        for (int i = 0; i < s.model->loads_count; i++)
            if (!s.model->loads[i].moment) sum += s.model->loads[i].factor;
        assert_near(sum, 10, 1e-13);
        load_until(&s, 1, 1);
        v3 reaction, moment;
        ts_part_reaction(s.system, scene_part(&s, "clamp"), &reaction, &moment);
        assert_near(reaction.y, -1e-6, 1e-15), assert_near(reaction.z, 2e-6, 1e-15);
        assert_near(moment.x, -3e-6, 1e-11), assert_near(moment.y, -1e-5, 1e-11);
        assert_near(moment.z, -5e-6, 1e-11);
        read_sections(&s, NULL, force);
        for (int i = 0; i < s.model->stations_count; i++) {
            double left = 10 - s.model->stations[i].arc, *f = force[i];
            assert_near(f[1], 1e-7 * left, 1e-11), assert_near(f[2], -2e-7 * left, 1e-11);
            assert_near(f[3], 3e-7 * left, 1e-11);
        }
        scene_close(&s);
    }
}

/* A place between two Gauss points is told by these two, and by its element's where that has
 * several: weights add to one, and reproduce the place itself. Beyond the outermost points the
 * nearest ones count. */
static void stations_look_at_their_neighbours(void **state) {
    (void)state;
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        scene_open(&s,
                   scene_write(SCENE_HEAD "sections:\n" PLAIN
                                          "beams:\n  arm: {from: [0, 0, 0], to: [10, 0, 0], "
                                          "axis2: y, section: S, elements: 7, order: %d}\n",
                               order),
                   "EP", 1);
        int part = scene_part(&s, "arm"), first = s.model->parts[part].station;
        int last = first + s.model->parts[part].stations - 1;
        const ts_station *station = s.model->stations;
        for (double arc = 0.01; arc < 10; arc += 0.13) {
            ts_beam_place at = ts_beam_place_at(s.model, part, arc);
            double sum = 0, place = 0, low = 11, high = -1;
            for (int k = 0; k < at.stations; k++) {
                double own = station[at.station[k]].arc;
                sum += at.weight[k], place += at.weight[k] * own;
                low = fmin(low, own), high = fmax(high, own);
            }
            assert_near(sum, 1, 1e-13);
            if (at.stations > 1) assert_near(place, arc, 1e-12);
            if (order > 1) { /* its own element, of 10/7 */
                int element = (int)(arc * 0.7);
                assert_true(low > element / 0.7 && high < (element + 1) / 0.7);
                continue;
            }
            assert_int_equal(at.stations, 2);
            assert_int_equal(at.station[1], at.station[0] + 1);
            assert_true(low <= arc || at.station[0] == first);
            assert_true(arc <= high || at.station[1] == last);
        }
        scene_close(&s);
    }
}

/* A bent bracket, clamped, under one dead force: at every station force and moment of the part
 * beyond, in section axes. Gauss points are exact for the linear problem of a straight beam, here
 * to the order of the element. */
static void section_forces_balance_the_load(void **state) {
    (void)state;
    static const double ALLOWED[] = {3e-2, 1e-3, 3e-5};
    for (int order = 1; order <= ORDERS; order++) {
        scene s;
        six force[MOST_STATIONS];
        open_static(&s, scene_write(SCENE_HEAD "sections:\n" PLAIN
                                               "beams:\n  arm: {from: [4, 0, 0], through: "
                                               "[4*cos(0.7), 4*sin(0.7), 0], to: [0, 4, 0], "
                                               "section: S, elements: 12, order: %d}\n" CLAMP
                                               "loads:\n  F: {type: force, body: arm.end, force: "
                                               "[1*t, 2*t, 3*t]}\n",
                                    order));
        load_until(&s, 1, 2);
        read_sections(&s, NULL, force);
        v3 F = v3_make(1, 2, 3), tip = node_at(&s, "arm", -1);
        double worst = 0, q[3 * TS_MAX_SLOTS];
        for (int i = 0, k = 0; i < s.model->stations_count; i++) {
            const ts_site *site = &s.model->sites[s.model->stations[i].site];
            /* place and frame of the station: the mean of its element's for a Gauss point in its
             * middle */
            double *f = force[k++];
            if (order == 2) continue; /* has no station at a node or in the middle */
            if (order == 3 && k % 3 != 2) continue;
            ts_site_gather(s.model, site, s.system->state.q, q);
            static const double N2[] = {0.5, 0.5}, N4[] = {-0.125, 0.625, 0.625, -0.125};
            v3 slot[4] = {{0}};
            for (int n = 0; n < site->nodes; n++)
                for (int a = 0; a < 4; a++)
                    slot[a] =
                        v3_axpy((order == 1 ? N2 : N4)[n], v3_load(q + 12 * n + 3 * a), slot[a]);
            v3 M = v3_cross(v3_sub(tip, slot[0]), F);
            for (int a = 0; a < 3; a++) {
                worst = fmax(worst, fabs(f[a] - v3_dot(slot[a + 1], F)) / v3_norm(F));
                worst = fmax(worst, fabs(f[3 + a] - v3_dot(slot[a + 1], M)) / 12);
            }
        }
        measured("section forces", "", order, worst);
        assert_below("section forces", worst, ALLOWED[order - 1]);
        scene_close(&s);
    }
}

/* What the results file and its tables say is what the system says. */
static void results_hold_sections(void **state) {
    (void)state;
    scene s;
    char path[] = "/tmp/torsor_beam_XXXXXX";
    six strain[MOST_STATIONS], force[MOST_STATIONS];
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    open_static(
        &s,
        scene_write(SCENE_HEAD
                    "sections:\n" PLAIN
                    "bodies:\n  hub: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 5]}\n"
                    "beams:\n  arm: {from: [0, 0, 0], to: [10, 0, 0], section: S, "
                    "elements: 3, order: 2}\n"
                    "  leg: {from: [0, 5, 0], to: [10, 5, 0], section: S, elements: 2, order: 1}\n"
                    "joints:\n  clamp: {type: rigid, bodies: [ground, arm.start], at: [0, 0, 0]}\n"
                    "  other: {type: rigid, bodies: [ground, leg.start], at: [0, 5, 0]}\n"
                    "  third: {type: rigid, bodies: [ground, hub], at: [0, 0, 5]}\n"
                    "loads:\n  F: {type: force, body: arm.end, force: [1, 2, 3]}\n"
                    "  G: {type: force, body: leg.end, force: [3, 2, 1]}\n"
                    "analysis: {type: static, increments: 1}\n"));
    load_until(&s, 1, 1);
    assert_int_equal(read_sections(&s, strain, force), 8);
    ts_results *r;
    assert_int_equal(ts_results_create(&r, path, s.document, s.system, 0), 0);
    assert_int_equal(ts_results_store(r, s.system), 0);
    assert_int_equal(ts_results_close(r, NULL, NULL), 0);
    char *asked[] = {"arm.section.6.N",  "arm.section.6.Q2",     "arm.section.2.M3",
                     "leg.section.2.M1", "arm.section.3.kappa2", "leg.section.1"};
    char *table = NULL, heading[100];
    size_t size;
    FILE *out = open_memstream(&table, &size);
    assert_int_equal(ts_results_open(&r, path), 0);
    assert_int_equal(ts_results_csv(r, 6, asked, out), 0);
    fclose(out);
    ts_results_free(r);
    const double *f = force[6], *e = strain[6];
    const double row[] = {s.system->state.t,
                          force[5][0],
                          force[5][1],
                          force[1][5],
                          force[7][3],
                          strain[2][4],
                          f[0],
                          e[0],
                          f[1],
                          e[1],
                          f[2],
                          e[2],
                          f[3],
                          e[3],
                          f[4],
                          e[4],
                          f[5],
                          e[5]};
    assert_non_null(strstr(table, "arm.section.6.N [N],"));
    for (int k = 0; k < 6; k++) {
        static const char *const name[] = {"N", "Q2", "Q3", "M1", "M2", "M3"};
        snprintf(heading, sizeof heading, "leg.section.1.%s [%s],leg.section.1.%s%d [%s]", name[k],
                 k < 3 ? "N" : "N m", k < 3 ? "Gamma" : "kappa", k % 3 + 1, k < 3 ? "1" : "1/m");
        assert_non_null(strstr(table, heading));
    }
    char *at = strchr(table, '\n');
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        assert_true(strtod(at + 1, &at) == row[k] && *at == (k == 17 ? '\n' : ','));
    free(table);
    remove(path);
    scene_close(&s);
}

/* ---- steps ---- */

static const struct {
    const char *scheme;
    double rho;
} STEPS[] = {{"EP", 1}, {"ED", 0}, {"ED", 0.6}};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

/* Flying, turning, swinging: energy is accounted for and momenta stay. */
static void free_beams_keep_momenta(void **state) {
    (void)state;
    for (int line = 0; line < LINE_COUNT; line++)
        for (int order = 1; order <= ORDERS; order++)
            for (int k = 0; k < STEP_COUNT; k++) {
                scene s;
                v3 p, h, p0, h0;
                scene_open(
                    &s,
                    beam_of(line, order, ", velocity: [1, 0, -1], angular_velocity: [2, -3, 4]"),
                    STEPS[k].scheme, STEPS[k].rho);
                deform(&s, 0.02);
                ts_system_begin(s.system);
                s.energy = scene_energy(&s);
                ts_momenta(s.system, &p0, &h0);
                for (int i = 0; i < 40; i++) scene_step(&s, 0.01);
                ts_momenta(s.system, &p, &h);
                double off = fabs(s.system->ledger.balance) / s.energy;
                measured("balance", STEPS[k].scheme, STEPS[k].rho, off);
                assert_below("balance", off, 2e-13);
                assert_below("momentum", v3_norm(v3_sub(p, p0)), 1e-12 * v3_norm(p0));
                assert_below("moment of momentum", v3_norm(v3_sub(h, h0)), 1e-12 * v3_norm(h0));
                assert_true(s.system->ledger.algorithmic >= 0);
                assert_true(STEPS[k].rho == 1 || s.system->ledger.algorithmic > 0);
                scene_close(&s);
            }
}

static void loaded_beams_keep_the_account(void **state) {
    (void)state;
    for (int line = 0; line < LINE_COUNT; line++)
        for (int order = 1; order <= ORDERS; order++)
            for (int k = 0; k < STEP_COUNT; k++) {
                scene s;
                char model[TEXT];
                snprintf(model, sizeof model,
                         "%s" CLAMP "gravity: [0, 2, -9.81]\n"
                         "loads:\n  F: {type: force, body: arm.end, force: [20*sin(9*t), 10*t, 5], "
                         "point: [0, 0.1, 0]}\n"
                         "  G: {type: force, body: arm.2, force: [0, 4*cos(5*t), 3], follower: "
                         "true}\n"
                         "  M: {type: moment, body: arm.end, moment: [sin(t), 2, 0]}\n"
                         "  p: {type: line_load, beam: arm, force: [0, 3*t, -4]}\n",
                         beam_of(line, order, ", damping: 1e-3"));
                scene_open(&s, model, STEPS[k].scheme, STEPS[k].rho);
                for (int i = 0; i < 40; i++) scene_step(&s, 0.01);
                double off = fabs(s.system->ledger.balance) / s.energy;
                measured("balance, loaded", STEPS[k].scheme, STEPS[k].rho, off);
                assert_below("balance", off, 2e-13);
                assert_true(fabs(s.system->ledger.work_loads) > 0);
                scene_close(&s);
            }
}

/* In equilibrium under its weight a beam stays: steps of nothing but round-off converge, however
 * stiff it is. */
static void a_beam_at_rest_stays(void **state) {
    (void)state;
    static const double EA[] = {1e4, 1e7, 1e10};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < STEP_COUNT; k++) {
            scene s;
            scene_open(&s,
                       scene_write(SCENE_HEAD
                                   "gravity: [0, 0, -9.81]\n"
                                   "sections:\n  S: {EA: %g, GA2: %g, GA3: %g, GJ: 1e3, EI2: 1e3, "
                                   "EI3: 1e3, mass: 1, inertia: [0.02, 0.01, 0.01]}\n"
                                   "beams:\n  arm: {from: [0, 0, 0], to: [3, 1, 0.5], section: S, "
                                   "elements: 10, order: 1}\n" CLAMP,
                                   EA[i], EA[i], EA[i]),
                       STEPS[k].scheme, STEPS[k].rho);
            ts_options options;
            ts_options_default(&options);
            assert_int_equal(ts_settle(s.system, &options, 2), 0);
            v3 before = node_at(&s, "arm", -1);
            int iterations = 0;
            for (int n = 0; n < 20; n++) iterations += scene_step(&s, 0.01).iterations;
            measured("at rest, iterations", STEPS[k].scheme, STEPS[k].rho, iterations / 20.0);
            assert_below("moved", v3_norm(v3_sub(node_at(&s, "arm", -1), before)), 1e-10);
            assert_below("balance", fabs(s.system->ledger.balance), 1e-13 * s.energy);
            assert_true(iterations <= 20 * 8);
            scene_close(&s);
        }
}

/* ---- numbers of the prototype ---- */

static void run_to(scene *s, double end, double h) {
    for (int i = 0, n = (int)lround(end / h); i < n; i++) scene_step(s, h);
}

static void stiff_pendulum_is_the_prototypes(void **state) {
    (void)state;
    static const struct {
        double h, x, z;
    } WANTED[] = {{0.01, -0.048139, -0.998841}, {0.005, -0.048471, -0.998825}};
    for (int i = 0; i < 2; i++)
        for (int ed = 0; ed < 2; ed++) {
            scene s;
            scene_open(&s,
                       SCENE_HEAD
                       "gravity: [0, 0, -9.81]\n"
                       "sections:\n  S: {EA: 1e9, GA2: 5e8, GA3: 5e8, GJ: 1e5, EI2: 1e5, EI3: 1e5, "
                       "mass: 1, inertia: [2e-4, 1e-4, 1e-4]}\n"
                       "beams:\n  arm: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 4, "
                       "order: 1}\n"
                       "joints:\n  pivot: {type: revolute, bodies: [ground, arm.start], at: [0, 0, "
                       "0], axis: y}\n",
                       ed ? "ED" : "EP", 0);
            run_to(&s, 0.5, WANTED[i].h);
            v3 tip = node_at(&s, "arm", -1);
            assert_near(tip.x, WANTED[i].x, 1e-6), assert_near(tip.z, WANTED[i].z, 1e-6);
            assert_near(tip.y, 0, 1e-12);
            measured("pendulum, dissipated", ed ? "ED" : "EP", 0, s.system->ledger.algorithmic);
            if (ed) assert_below("dissipated", s.system->ledger.algorithmic, 4e-7);
            /* EA/EI = 1e4 and EA 1e9: forces are only as good as positions, 1e-16 of 1e9 */
            assert_below("balance", fabs(s.system->ledger.balance), 1e-9);
            scene_close(&s);
        }
}

#define PULSE "{table: [[0 s, 0 N], [1 s, 50 N], [2 s, 0 N]]}"

static v3 right_angle_tip(const char *scheme, double h) {
    scene s;
    scene_open(
        &s,
        SCENE_HEAD
        "sections:\n  S: {EA: 1e6, GA2: 1e6, GA3: 1e6, GJ: 1e3, EI2: 1e3, EI3: 1e3, "
        "mass: 1, inertia: [10, 10, 10]}\n"
        "beams:\n  leg: {from: [0, 0, 0], to: [10, 0, 0], section: S, elements: 5, order: 1}\n"
        "  arm: {from: [10, 0, 0], to: [10, 10, 0], section: S, elements: 5, order: 1}\n"
        "joints:\n  corner: {type: rigid, bodies: [leg.end, arm.start], at: [10, 0, 0]}\n"
        "loads:\n  F: {type: force, body: arm.end, force: [" PULSE ", " PULSE ", " PULSE "]}\n",
        scheme, 0);
    run_to(&s, 8, h);
    v3 tip = node_at(&s, "arm", -1);
    assert_below("balance", fabs(s.system->ledger.balance), 1e-12 * s.energy);
    scene_close(&s);
    return tip;
}

/* The prototype has EP only; ED comes to the same with the square of the step. */
static void right_angle_beam_is_the_prototypes(void **state) {
    (void)state;
    static const struct {
        double h, tip[3];
    } WANTED[] = {{0.05, {19.4997845, 16.3064397, 12.3387701}},
                  {0.025, {19.4940378, 16.3173158, 12.3369242}}};
    double apart[2];
    for (int i = 0; i < 2; i++) {
        v3 tip = right_angle_tip("EP", WANTED[i].h), other = right_angle_tip("ED", WANTED[i].h);
        for (int k = 0; k < 3; k++) assert_near(v3_get(tip, k), WANTED[i].tip[k], 1e-5);
        apart[i] = v3_norm(v3_sub(tip, other));
    }
    measured("ED from EP", "", 0, apart[1]);
    assert_true(apart[1] < apart[0] / 3.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strains_are_objective),
        cmocka_unit_test(unloading_returns),
        cmocka_unit_test(order_of_loading_does_not_matter),
        cmocka_unit_test(a_load_that_stays_is_no_trouble),
        cmocka_unit_test(uniform_stress_is_uniform),
        cmocka_unit_test(stretching_is_exact),
        cmocka_unit_test(twisting_is_exact),
        cmocka_unit_test(roll_up_is_exact),
        cmocka_unit_test(elastica_converges),
        cmocka_unit_test(slender_cantilevers_do_not_lock),
        cmocka_unit_test(thin_rings_do_not_lock),
        cmocka_unit_test(mass_is_that_of_the_line),
        cmocka_unit_test(tapered_bar_stretches),
        cmocka_unit_test(arcs_are_arcs),
        cmocka_unit_test(damping_is_proportional),
        cmocka_unit_test(damping_only_takes),
        cmocka_unit_test(line_load_is_carried),
        cmocka_unit_test(stations_look_at_their_neighbours),
        cmocka_unit_test(section_forces_balance_the_load),
        cmocka_unit_test(results_hold_sections),
        cmocka_unit_test(free_beams_keep_momenta),
        cmocka_unit_test(loaded_beams_keep_the_account),
        cmocka_unit_test(a_beam_at_rest_stays),
        cmocka_unit_test(stiff_pendulum_is_the_prototypes),
        cmocka_unit_test(right_angle_beam_is_the_prototypes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
