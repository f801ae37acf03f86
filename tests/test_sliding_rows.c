/* SPDX-License-Identifier: Apache-2.0 */
/* Sliding along beams, cables and curves: identities of a step to round-off, tangents against
 * differences, windows along a chain. */
#include "scene.h"

#define SECTION                                                                               \
    "sections:\n  S: {EA: 1e4, GA2: 4e3, GA3: 3e3, GJ: 4, EI2: 5, EI3: 8, mass: 1, inertia: " \
    "[0.001, 0.002]}\n"

static const char *on_beam(int elements, int order, const char *follows) {
    return scene_write(SCENE_HEAD SECTION
                       "beams:\n  girder: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: "
                       "%d, order: %d, velocity: [0, -0.5, 0], angular_velocity: [0.1, 0.2, 1]}\n"
                       "bodies:\n  crab: {mass: 0.5, inertia: [0.002, 0.003, 0.004], position: "
                       "[0.1, 0.05, 0.02], velocity: [2, -0.4, 0], angular_velocity: [0.1, 0.2, "
                       "1]}\n"
                       "joints:\n  trolley: {type: sliding, on: girder, body: crab, at: [0.1, 0, "
                       "0], orientation: %s}\n",
                       elements, order, follows);
}

static void tangent_of(const char *text, const char *what) {
    static const struct {
        const char *scheme;
        double rho;
    } steps[] = {{"EP", 1}, {"ED", 0}};
    for (int k = 0; k < 2; k++) {
        scene s;
        scene_open(&s, text, steps[k].scheme, steps[k].rho);
        scene_set_up(&s, steps[k].scheme, steps[k].rho, 0.3);
        tangent_shake(s.st, 0.03);
        double error = tangent_error(s.st);
        measured(what, steps[k].scheme, steps[k].rho, error);
        if (!(error <= 2e-7)) fail_msg("%s, %s: tangent %.3g", what, steps[k].scheme, error);
        scene_close(&s);
    }
}

static void tangents(void **state) {
    (void)state;
    for (int order = 1; order <= 3; order++) {
        tangent_of(on_beam(4, order, "free"), "beam");
        tangent_of(on_beam(4, order, "follows"), "beam, follows");
    }
}

/* A cable has no axes: those of a body, of the ground for a point. A curve: over its knots. */
static void tangents_elsewhere(void **state) {
    (void)state;
    static const char *const cable = SCENE_HEAD
        "cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: 500, mass: 1, tension: 5, "
        "tension_only: false, elements: "
        "%d, order: %d}\nbodies:\n  hook: {%s, position: [0.5, 0, 0]}\njoints:\n  roll: {type: "
        "sliding, on: rope, body: hook, at: [0.5, 0, 0]}\n";
    for (int order = 1; order <= 3; order++) {
        tangent_of(scene_write(cable, 3, order, "mass: 0.5, inertia: [0.002, 0.003, 0.004]"),
                   "cable");
        tangent_of(scene_write(cable, 3, order, "type: point, mass: 0.5"), "cable, point");
    }
    tangent_of(SCENE_HEAD
               "bodies:\n  A: {mass: 1, inertia: [0.1, 0.2, 0.15], angular_velocity: [1, 2, 3]}\n"
               "  B: {mass: 1, inertia: [0.1, 0.2, 0.15], position: [0.5, 0.2, 0], velocity: [1, "
               "0, 0]}\njoints:\n  curve: {type: sliding, on: A, body: B, at: [0.5, 0.2, 0], "
               "orientation: follows, path: [[0, 0, 0], [0.5, 0.2, 0], [1, 0.2, 0.4], [1.5, 0, "
               "0]]}\n",
               "curve");
}

/* Weights jump from piece to piece, y does not: with forms of a configuration the discrete gradient
 * and (Z) hold over any number of elements. */
static void crossing(void **state) {
    (void)state;
    scene s;
    scene_open(&s, on_beam(4, 1, "follows"), "ED", 0);
    const ts_model *model = s.system->model;
    const ts_part *part = &model->parts[scene_part(&s, "trolley")];
    const int room = 3 * model->slots;
    double *q[2], *v[2];
    for (int k = 0; k < 2; k++)
        q[k] = calloc((size_t)room, sizeof(double)), v[k] = calloc((size_t)room, sizeof(double));
    for (int trial = 0; trial < 200; trial++)
        for (int i = part->site; i < part->site + 6; i++) {
            const ts_site *site = &model->sites[i];
            double e[2][TS_MAX_FORMS], rate[2][TS_MAX_FORMS], change = 0, jump = 0, sum = 0;
            for (int k = 0; k < 2; k++) {
                for (int j = 0; j < room; j++) q[k][j] = chance(), v[k][j] = chance();
                q[k][3 * model->nodes[model->site_nodes[site->node]].slot] = 0.5 + 0.49 * chance();
                ts_site_values(model, site, q[k], e[k]);
                ts_site_rates(model, site, q[k], v[k], rate[k]);
            }
            ts_law_step step =
                ts_site_over(model, site, ts_past_of(&s.system->state), e[0], e[1], 0, 1);
            ts_law_step back =
                ts_site_over(model, site, ts_past_of(&s.system->state), e[1], e[0], 0, 1);
            ts_row_response r, start;
            ts_row_zeta z;
            site->rowlaw->respond(&step, &r), site->rowlaw->respond(&back, &start);
            site->rowlaw->rate(&step, rate[0], rate[1], &z);
            for (int k = 0; k < site->forms; k++) {
                change += r.g[k] * (e[1][k] - e[0][k]);
                jump += r.y_f[k] * rate[1][k] - r.y_i[k] * rate[0][k];
                sum += r.g[k] * (rate[1][k] - rate[0][k]) + z.zeta[k] * (e[1][k] - e[0][k]);
            }
            assert_below("discrete gradient", fabs(change - (r.y - start.y)), 2e-14);
            assert_below("(Z)", fabs(jump - sum), 1e-12);
        }
    for (int k = 0; k < 2; k++) free(q[k]), free(v[k]);
    scene_close(&s);
}

/* Ropes over wheels, which rub: slipping, stretching or not. */
static void tangents_of_ropes(void **state) {
    (void)state;
    static const char *const text = SCENE_HEAD
        "bodies:\n  A: {mass: 2, inertia: [0.2, 0.3, 0.4], position: [0.3, 0.1, -0.2], velocity: "
        "[1, "
        "-0.3, 2], angular_velocity: [0.1, 3, 1]}\n  B: {mass: 1, inertia: [0.2, 0.3, 0.4], "
        "position: "
        "[1.6, 0.5, 1.2]}\n"
        "joints:\n  rope: {type: rope, bodies: [ground, A, B, ground], at: [[0, 0, 2], [0.3, 0.1, "
        "-0.2], [1.6, 0.5, 1.2], [2, 0, 3]], radius: [0, 0.2, %s, 0.1], axis: y, stiffness: 300, "
        "friction: [0, 0.3, 0.2, 0], viscous: %s%s}\n";
    static const char *const stretch[] = {"", ", EA: 200, length: 6"},
                             *const radius[] = {"0", "0.1"}, *const viscous[] = {"1e-3", "10"};
    for (int k = 0; k < 8; k++)
        tangent_of(scene_write(text, radius[k / 4], viscous[k / 2 % 2], stretch[k % 2]), "rope");
}

/* Between steps, whatever was halved, the sites are on the window that the state says. */
static void windows(void **state) {
    (void)state;
    scene s;
    scene_open(&s, on_beam(40, 1, "free"), "EP", 1);
    int changes = 0;
    double before = 0, *memory = s.system->state.memory + s.model->slides[0].memory;
    for (int n = 0; n < 40; n++, before = *memory) {
        scene_step(&s, n < 4 ? 0.05 : 0.005);
        assert_false(ts_windows_follow(s.system));
        changes += *memory != before;
        assert_below("rows", scene_violation(&s), 1e-13);
    }
    assert_true(changes > 3);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows), cmocka_unit_test(tangents), cmocka_unit_test(tangents_elsewhere),
        cmocka_unit_test(tangents_of_ropes), cmocka_unit_test(crossing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
