/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of a state, src/system/resolution.c: angles of frames and directors against their
 * definitions, at arbitrary states; tilts at corners, sides and folds; rigid motion changes
 * nothing; peaks are kept, with their places; a step that was halved leaves no trace. */
#include "math/rotation.h"
#include "scene.h"

#define SECTION \
    "sections: {S: {EA: 1, GA2: 1, GA3: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1, inertia: [2, 1, 1]}}\n"
#define SHEET                                          \
    "materials: {M: {E: 1e3, nu: 0.3, density: 10}}\n" \
    "shell_sections: {T: {material: M, thickness: 0.1}}\n"

static m3 any_rotation(double size) { return so3_exp(v3_scale(size, chance_vector())); }

static ts_seen look(const scene *s) {
    ts_seen seen;
    ts_seen_clear(&seen);
    ts_see_angles(s->system, s->system->state.q, &seen);
    return seen;
}

static double *directors(const scene *s, int node) {
    return s->system->state.q + 3 * s->model->nodes[node].slot + 3;
}

/* Two beams, so that the end of one and the start of the other are no neighbours. */
static void frames_of_beams(void **state) {
    (void)state;
    scene s;
    scene_open(&s,
               SCENE_HEAD SECTION
               "beams:\n  a: {from: [0, 0, 0], to: [1, 0, 0], section: S, elements: 3, order: 1}\n"
               "  b: {from: [0, 1, 0], to: [1, 1, 0], section: S, elements: 2, order: 3}\n",
               "EP", 0);
    const ts_part *last = &s.model->parts[s.model->parts_count - 1];
    int border = last->node - 1;
    assert_near(look(&s).value[TS_BEAM_ANGLE], 0, 1e-7);
    for (int k = 0; k < 200; k++) {
        double largest = 0, size = 1 + chance();
        int at = -1;
        for (int n = 1; n < s.model->nodes_count; n++)
            m3_store(directors(&s, n), any_rotation(size));
        for (int n = 1; n + 1 < s.model->nodes_count; n++) {
            m3 A = m3_load(directors(&s, n)), B = m3_load(directors(&s, n + 1));
            double angle = v3_norm(ts_so3_log(m3_tmul(A, B)));
            if (n != border && angle > largest) largest = angle, at = n;
        }
        ts_seen seen = look(&s);
        assert_near(seen.value[TS_BEAM_ANGLE], largest, 1e-7);
        assert_int_equal(seen.at[TS_BEAM_ANGLE], at);
        ts_peak peak = ts_peak_at(s.model, TS_BEAM_ANGLE, largest, at, 0);
        int first = s.model->parts[(int)peak.part].node;
        assert_int_equal(first + (int)peak.place - 1, at);
        assert_int_equal((int)peak.to, (int)peak.place + 1);
    }
    scene_close(&s);
}

/* A director of a flat plate, turned by an angle about an axis in the plate. Flat cells have the
 * same normal at all their nodes. */
static void directors_of_a_plate(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        scene s;
        scene_open(
            &s,
            scene_write(SCENE_HEAD SHEET
                        "meshes: {q: {type: plate, size: [1, 2], divisions: [3, 2], order: %d}}\n"
                        "shells: {p: {mesh: q, section: T}}\n",
                        order),
            "EP", 0);
        assert_near(look(&s).value[TS_SHELL_TILT], 0, 1e-7);
        for (int n = 1; n < s.model->nodes_count; n++) {
            double angle = 0.2 + 0.01 * n, *d = directors(&s, n);
            v3 drawn = v3_load(d);
            v3 axis = v3_normalize(v3_make(chance(), chance(), 0));
            v3_store(d, m3_apply(so3_exp(v3_scale(angle, axis)), drawn));
            ts_seen seen = look(&s);
            assert_near(seen.value[TS_SHELL_TILT], angle, 1e-7);
            assert_near(seen.value[TS_SHELL_ANGLE], angle, 1e-7);
            v3_store(d, v3_scale(-1, drawn));
            assert_near(look(&s).value[TS_SHELL_TILT], 3.14159265358979, 1e-7);
            v3_store(d, drawn);
        }
        scene_close(&s);
    }
}

/* Of 9 nodes, those of a quarter are neighbours: turned by 0.1 per column, columns 0.1 apart. */
static void neighbours(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        scene s;
        scene_open(
            &s,
            scene_write(SCENE_HEAD SHEET
                        "meshes: {q: {type: plate, size: [4, 1], divisions: [%d, 1], order: %d}}\n"
                        "shells: {p: {mesh: q, section: T}}\n",
                        4 / order, order),
            "EP", 0);
        for (int n = 1; n < s.model->nodes_count; n++) {
            double turn = 0.1 * s.model->nodes[n].x.x;
            v3_store(directors(&s, n), v3_make(sin(turn), 0, cos(turn)));
        }
        assert_near(look(&s).value[TS_SHELL_ANGLE], 0.1, 1e-7);
        scene_close(&s);
    }
}

/* A fold: each cell has its own director in the frame of the node. Nothing is tilted as drawn, nor
 * after a rigid rotation; a frame that turns tilts them all. */
static void folds(void **state) {
    (void)state;
    scene s;
    scene_open(&s,
               SCENE_HEAD SHEET
               "meshes:\n  a: {type: plate, size: [1, 1], divisions: [2, 2]}\n"
               "  b: {type: plate, corners: [[0, 0, 0], [0, 1, 0], [0.3, 1, 1], [0.3, 0, 1]], "
               "divisions: [2, 2]}\n"
               "  Q: {type: join, first: a, second: b}\n"
               "shells: {p: {mesh: Q, section: T}}\n",
               "EP", 0);
    ts_seen drawn = look(&s);
    assert_near(drawn.value[TS_SHELL_TILT], 0, 1e-7);
    assert_near(drawn.value[TS_SHELL_ANGLE], 0, 1e-7);
    m3 R = any_rotation(2);
    for (int i = 0; i < s.model->slots; i++) {
        double *x = s.system->state.q + 3 * i;
        v3_store(x, m3_apply(R, v3_load(x)));
    }
    assert_near(look(&s).value[TS_SHELL_TILT], 0, 1e-7);
    int node = 1;
    while (s.model->nodes[node].kind != TS_NODE_FRAME) node++;
    double *d = directors(&s, node);
    m3_store(d, m3_mul(so3_exp(v3_scale(0.4, m3_apply(R, v3_axis(1)))), m3_load(d)));
    assert_near(look(&s).value[TS_SHELL_TILT], 0.4, 1e-6);
    scene_close(&s);
}

/* Peaks only grow, and have the time of their step; a state that is copied back takes them back. */
static void peaks(void **state) {
    (void)state;
    scene s;
    scene_open(
        &s, SCENE_HEAD "bodies: {b: {mass: 1, inertia: [1, 2, 3], angular_velocity: [3, 1, 2]}}\n",
        "EP", 0);
    ts_state before = {0};
    ts_state_alloc(s.model, &before);
    double largest = 0;
    for (int k = 1; k <= 40; k++) {
        ts_state_copy(s.model, &before, &s.system->state);
        scene_step(&s, 0.05);
        double turn = 2 * acos(s.st->step.turn[1].s);
        const ts_peak *peak = &s.system->state.peak[TS_STEP_TURN];
        if (turn > largest) assert_near(peak->t, s.system->state.t, 0);
        largest = fmax(largest, turn);
        assert_near(peak->value, largest, 1e-12);
        if (k % 10) continue;
        ts_state_copy(s.model, &s.system->state, &before);
        assert_memory_equal(s.system->state.peak, before.peak, sizeof before.peak);
    }
    ts_state_free(&before);
    scene_close(&s);
}

/* Thresholds stand in order; the verdict is that of the worst. */
static void verdicts(void **state) {
    (void)state;
    for (int m = 0; m < TS_GAUGES; m++) {
        const ts_gauge_about *about = &TS_GAUGE[m];
        assert_true(about->told > 0 && about->told <= about->coarse);
        assert_true(isnan(about->rejected) || about->coarse < about->rejected);
        assert_true(isnan(about->rejected) == !about->refusal);
    }
    ts_audit audit = {0};
    ts_audit_judge(&audit);
    assert_string_equal(audit.text, "resolution: resolved");
    audit.peak[TS_STRAIN] = (ts_peak){0.3, 2, 0, 0, 0};
    audit.peak[TS_BEAM_ANGLE] = (ts_peak){1.1, 3, 0, 2, 3};
    snprintf(audit.where[TS_STRAIN], sizeof *audit.where, "'rod'");
    ts_audit_judge(&audit);
    assert_int_equal(audit.level, TS_COARSE);
    assert_non_null(
        strstr(audit.text, "resolution: coarse: strain of a linear law 30 %: 'rod', t = 2 s; "));
    audit.peak[TS_BEAM_ANGLE].value = 2.7; /* less beyond what is coarse, but beyond what may be */
    audit.peak[TS_STRAIN].value = 3;
    ts_audit_judge(&audit);
    assert_int_equal(audit.level, TS_UNRESOLVED);
    assert_non_null(strstr(audit.text, "not resolved: angle between neighbouring nodes"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_beams), cmocka_unit_test(directors_of_a_plate),
        cmocka_unit_test(neighbours),      cmocka_unit_test(folds),
        cmocka_unit_test(peaks),           cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
