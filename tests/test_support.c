/* SPDX-License-Identifier: Apache-2.0 */
/* Reactions of supports: with loads and weight they are the change of momentum and of angular
 * momentum over every step, to round-off, for nodes that are held completely (and have no
 * unknowns), in part, or both; in statics they balance the loads. What is held of directors. */
#include "scene.h"

#include "math/rotation.h"
#include "model/mesh_nodes.h"

#define MATERIAL "materials:\n  M: {E: 1200, nu: 0.3, density: 10}\n"
#define GRAVITY "gravity: [1, 2, -9.81]\n"
#define SHELL(divisions, order)                                                                   \
    MATERIAL                                                                                      \
    "shell_sections:\n  S: {type: shell, material: M, thickness: 0.1}\n"                          \
    "meshes:\n  Q: {type: plate, size: [1, 0.5], divisions: [" divisions "], order: " order "}\n" \
    "shells:\n  W: {mesh: Q, section: S}\n"
#define SOLID(more)                                                                           \
    MATERIAL "meshes:\n  Q: {type: box, size: [1, 0.5, 0.4], divisions: [3, 2, 1]" more "}\n" \
             "solids:\n  W: {mesh: Q, material: M}\n"
#define CLAMPED "joints:\n  wall: {type: support, nodes: W.x-, about: [0.2, -0.3, 0.7]}\n"
/* one corner in everything, the rest of the edge in part; and a ball on a hinge at the other end */
#define MIXED                                                                            \
    "couplings:\n  hand: {type: rigid, nodes: W.x+}\n"                                   \
    "bodies:\n  ball: {mass: 0.5, inertia: [0.1, 0.1, 0.1], position: [1.5, 0.25, 0]}\n" \
    "joints:\n  corner: {type: support, nodes: W.x-/y-, about: [0.2, -0.3, 0.7]}\n"      \
    "  wall: {type: support, nodes: W.x-, fix: [x, z], about: [0.2, -0.3, 0.7]}\n"       \
    "  pin: {type: spherical, bodies: [hand, ball], at: [1, 0.25, 0]}\n"

static const v3 ABOUT = {0.2, -0.3, 0.7};

typedef struct totals {
    v3 momentum, angular; /* of what moves, about ABOUT */
    v3 first_moment;      /* sum of m (x - ABOUT), also of what is fixed */
    double mass;
} totals;

static totals totals_of(const scene *s) {
    totals t = {0};
    v3 L;
    ts_momenta(s->system, &t.momentum, &L);
    t.angular = v3_sub(L, v3_cross(ABOUT, t.momentum));
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        v3 x = v3_load(s->system->state.q + 3 * node->slot);
        t.mass += node->mass[0][0];
        t.first_moment = v3_axpy(node->mass[0][0], v3_sub(x, ABOUT), t.first_moment);
    }
    return t;
}

static void sum_of_reactions(const scene *s, v3 *force, v3 *moment) {
    *force = *moment = v3_make(0, 0, 0);
    for (int p = 1; p < s->model->parts_count; p++) {
        v3 f, m;
        if (!s->model->parts[p].support) continue;
        assert_true(ts_part_reacts(&s->model->parts[p]));
        ts_part_reaction(s->system, p, &f, &m);
        *force = v3_add(*force, f), *moment = v3_add(*moment, m);
    }
}

static void check_step(scene *s, double h, bool exact_moment) {
    totals before = totals_of(s);
    scene_step(s, h);
    totals after = totals_of(s);
    v3 force, moment, g = s->model->gravity;
    sum_of_reactions(s, &force, &moment);
    v3 change = v3_scale(1 / h, v3_sub(after.momentum, before.momentum));
    v3 found = v3_axpy(after.mass, g, force);
    double size = v3_norm(force) + v3_norm(change) + 1;
    double off = v3_norm(v3_sub(found, change)) / size;
    measured("force", s->st->scheme->name, 0, off);
    assert_below("force", off, 1e-12);
    v3 mean = v3_scale(0.5, v3_add(before.first_moment, after.first_moment));
    change = v3_scale(1 / h, v3_sub(after.angular, before.angular));
    found = v3_add(moment, v3_cross(mean, g));
    off = v3_norm(v3_sub(found, change)) / size;
    measured("moment", s->st->scheme->name, 0, off);
    assert_below("moment", off, exact_moment ? 1e-12 : 2e-3);
}

static void momentum(void **state) {
    (void)state;
    static const char *const model[] = {
        SCENE_HEAD GRAVITY SOLID("") CLAMPED, SCENE_HEAD GRAVITY SOLID(", order: 2") CLAMPED,
        SCENE_HEAD GRAVITY SHELL("4, 2", "1") CLAMPED,
        SCENE_HEAD GRAVITY SHELL("2, 1", "2") CLAMPED, SCENE_HEAD GRAVITY SHELL("4, 2", "1") MIXED};
    for (int k = 0; k < 10; k++) {
        scene s;
        bool mixed = k % 5 == 4;
        scene_open(&s, model[k % 5], k / 5 ? "ED" : "EP", k / 5 ? 0 : 1);
        /* ED keeps angular momentum with joints to the order of the step; rows of directors act in
         * the middle of it */
        for (int n = 0; n < 10; n++) check_step(&s, 0.01, !mixed);
        assert_true(s.energy > 0.1);
        assert_below("balance", fabs(s.system->ledger.balance) / s.energy, 1e-12);
        scene_close(&s);
    }
}

/* Loads on nodes that are held go into the ground as they are. */
static void loads_on_held_nodes(void **state) {
    (void)state;
    scene s;
    v3 force, moment;
    scene_open(&s,
               SCENE_HEAD SHELL("2, 1", "1") CLAMPED
               "loads:\n  edge: {type: edge_load, edges: W.x-, force: [1, 2, 3], moment: [0, 4, "
               "5]}\n",
               "EP", 1);
    scene_step(&s, 0.01);
    sum_of_reactions(&s, &force, &moment);
    assert_near(force.x, -0.5, 1e-14), assert_near(force.y, -1, 1e-14);
    assert_near(force.z, -1.5, 1e-14);
    v3 arm = v3_sub(v3_make(0, 0.25, 0), ABOUT), M = v3_cross(arm, v3_make(0.5, 1, 1.5));
    assert_near(moment.x, -M.x, 1e-14), assert_near(moment.y, -M.y - 2, 1e-14);
    assert_near(moment.z, -M.z - 2.5, 1e-14);
    scene_close(&s);
}

/* ---- what is held ---- */

/* Turns the directors of all nodes with x = 0 about the axis, and tells how far conditions are then
 * from holding. */
static double violation_of_turn(scene *s, v3 axis) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        double *d = s->system->state.q + 3 * node->slot + 3;
        if (node->x.x > 1e-9 || node->slots < 2) continue;
        v3_store(d, m3_apply(so3_exp(axis), node->D.c[2]));
    }
    return scene_violation(s);
}

/* A plate in the plane of x and y, held along its edge of three nodes. A turn about y gives its
 * directors, which are z as drawn, the component sin(0.1) along x; one about x, -sin(0.1) along
 * y. */
static void directors_are_held_as_asked(void **state) {
    (void)state;
    static const struct {
        const char *what;
        int rows;
        bool about_x, about_y; /* is the turn held? */
    } list[] = {{"fix: [x, z]", 6, false, false},
                {"fix: [x, z, director_x]", 9, false, true},
                {"fix: [z, director_y]", 6, true, false},
                {"fix: [y, director]", 9, true, true},
                {"symmetry: x", 6, false, true},
                {"symmetry: x, fix: [director_x]", 6, false, true}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int turn = 0; turn < 2; turn++) {
            scene s;
            bool held = turn ? list[i].about_y : list[i].about_x;
            scene_open(&s,
                       scene_write(SCENE_HEAD SHELL("2, 2", "1") "joints:\n"
                                                                 "  edge: {type: support, nodes: "
                                                                 "W.x-, %s}\n",
                                   list[i].what),
                       "EP", 0);
            assert_int_equal(s.model->rows_count, list[i].rows);
            double off = violation_of_turn(&s, v3_make(turn ? 0 : 0.1, turn ? 0.1 : 0, 0));
            assert_near(off, held ? sin(0.1) : 0, 1e-14);
            scene_close(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum),
                                       cmocka_unit_test(loads_on_held_nodes),
                                       cmocka_unit_test(directors_are_held_as_asked)};
    return cmocka_run_group_tests_name("support", tests, NULL, NULL);
}
