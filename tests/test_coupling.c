/* SPDX-License-Identifier: Apache-2.0 */
/* Couplings, rigid and weighted, against closed forms; and the law of cables.
 *
 * Weighted: the frame is where the least squares of the nodes have it. So it follows a rigid motion
 * exactly, is not moved by stretches along the principal axes of the set, and hands on its force
 * and moment as a resultant.
 */
#include "scene.h"
#include "system/section.h"

#include "math/rotation.h"
#include "model/law.h"
#include "model/mesh_nodes.h"

#define SOFT "materials:\n  M: {E: 1200, nu: 0.3, density: 10}\n"
/* divisions across; more of the solid; couplings and what else there is */
#define BLOCK                                                                                  \
    SCENE_HEAD SOFT "meshes:\n  V: {type: box, size: [1, 0.6, 0.4], divisions: [1, %d, %d]}\n" \
                    "solids:\n  W: {mesh: V, material: M%s}\n%s"
#define THROWN ", velocity: [1, 0.5, 2], angular_velocity: [2, 3, -1]"

/* ---- moving everything by hand ---- */

static void move_node(const scene *s, int n, m3 F, m3 R, v3 shift) {
    const ts_node *node = &s->model->nodes[n];
    double *q = s->system->state.q + 3 * node->slot;
    if (node->inner || node->fixed) return;
    v3_store(q, v3_add(m3_apply(F, node->x), shift));
    if (node->kind == TS_NODE_FRAME)
        for (int k = 0; k < 3; k++) v3_store(q + 3 + 3 * k, m3_apply(R, node->D.c[k]));
    if (node->kind == TS_NODE_DIRECTOR) v3_store(q + 3, m3_apply(R, node->D.c[2]));
}

/* Largest of the rows of a part at the present state. */
static double worst_row(const scene *s, const char *part) {
    double position, rate;
    ts_violation(s->system, scene_part(s, part), &position, &rate);
    return position;
}

/* Points that stand for sums have to be where the sums are: they are found by their rows, which are
 * linear. */
static void move_block(const scene *s, m3 F, m3 R, v3 shift) {
    for (int n = 1; n < s->model->nodes_count; n++) move_node(s, n, F, R, shift);
    for (int i = 0; i < s->model->sites_count; i++) {
        const ts_site *site = &s->model->sites[i];
        if (site->role != TS_ROLE_ROWS || strcmp(s->model->rows[site->row].label, "sum of places"))
            continue;
        double z[3 * TS_MAX_SLOTS], x[3];
        int slot = s->model->nodes[s->model->site_nodes[site->node]].slot;
        for (int k = 0; k < 3; k++) s->system->state.q[3 * slot + k] = 0;
        ts_site_gather(s->model, site, s->system->state.q, z);
        for (int k = 0; k < 3; k++) x[k] = -ts_form_value(s->model, site->form + k, z);
        for (int k = 0; k < 3; k++) s->system->state.q[3 * slot + k] = x[k];
    }
}

static void open_block(scene *s, int across, const char *type, const char *more_of_solid,
                       const char *more) {
    char couplings[800];
    snprintf(couplings, sizeof couplings,
             "couplings:\n  hand: {type: %s, nodes: W.x+, at: [1.3, 0.5, 0.1], axes: {axis: [1, 2, "
             "3], angle: 50 deg}}\n%s",
             type, more);
    scene_open(s, scene_write(BLOCK, across, across, more_of_solid, couplings), "EP", 1);
}

/* 2 x 2 cells: nine nodes, tied directly; 6 x 6: forty-nine, by sums. */
static const int ACROSS[] = {2, 6};

static void follows_rigid_motion(void **state) {
    (void)state;
    static const char *const types[] = {"rigid", "weighted"};
    m3 R = so3_exp(v3_make(1.5, -0.8, 2.1));
    for (int k = 0; k < 4; k++) {
        scene s;
        open_block(&s, ACROSS[k / 2], types[k % 2], "", "");
        assert_below("as drawn", worst_row(&s, "hand"), 1e-14);
        move_block(&s, R, R, v3_make(3, -1, 2));
        assert_below("moved", worst_row(&s, "hand"), 1e-13);
        move_block(&s, R, m3_mul(R, so3_exp(v3_make(0, 0, 0.01))), v3_make(3, -1, 2));
        /* turned by itself it is not where it should be */
        assert_true(worst_row(&s, "hand") > 1e-4);
        scene_close(&s);
    }
}

/* Stretches of the face along its sides leave the weighted frame alone, unlike the rigid one. */
static void leaves_deformation_free(void **state) {
    (void)state;
    static const char *const types[] = {"rigid", "weighted"};
    m3 U = m3_cols(v3_make(1, 0, 0), v3_make(0, 1.2, 0), v3_make(0, 0, 0.7)), I = m3_identity();
    for (int k = 0; k < 4; k++) {
        scene s;
        open_block(&s, ACROSS[k / 2], types[k % 2], "", "");
        v3 mean = {1, 0.3, 0.2};
        move_block(&s, U, I, v3_sub(mean, m3_apply(U, mean)));
        int hand = s.model->parts[scene_part(&s, "hand")].node;
        v3_store(s.system->state.q + 3 * s.model->nodes[hand].slot, s.model->nodes[hand].x);
        if (k % 2)
            assert_below("weighted", worst_row(&s, "hand"), 1e-14);
        else
            assert_true(worst_row(&s, "hand") > 0.01);
        scene_close(&s);
    }
}

/* Force and moment on the frame are the resultant of the multipliers' forces on the nodes: statics
 * of a free block, held at the other end by springs of no matter: here by the rows themselves,
 * lambda by chance. */
static void hands_on_resultants(void **state) {
    (void)state;
    static const char *const types[] = {"rigid", "weighted"};
    m3 R = so3_exp(v3_make(0.3, -0.8, 1.1));
    for (int k = 0; k < 4; k++) {
        scene s;
        open_block(&s, ACROSS[k / 2], types[k % 2], "", "");
        move_block(&s, R, R, v3_make(3, -1, 2));
        double *F = calloc((size_t)(3 * s.model->slots), sizeof *F), B[3 * TS_MAX_SLOTS],
               z[3 * TS_MAX_SLOTS];
        for (int i = 0; i < s.model->sites_count; i++) {
            const ts_site *site = &s.model->sites[i];
            if (site->role != TS_ROLE_ROWS) continue;
            ts_site_gather(s.model, site, s.system->state.q, z);
            for (int r = 0; r < site->rows; r++) {
                double lambda = chance();
                ts_form_gradient(s.model, site->form + r, site->slots, z, B);
                for (int j = 0; j < 3 * site->slots; j++) B[j] *= lambda;
                ts_scatter(s.model, site, B, F);
            }
        }
        v3 force = {0, 0, 0}, moment = {0, 0, 0};
        double size = 0;
        for (int i = 0; i < s.model->slots; i++) {
            v3 f = v3_load(F + 3 * i), q = v3_load(s.system->state.q + 3 * i);
            moment = v3_add(moment, v3_cross(q, f)), size += v3_norm(f);
        }
        /* forces act on places, the first slots of nodes; sums are no places, their rows are linear
         * and give no force in all */
        for (int n = 1; n < s.model->nodes_count; n++)
            force = v3_add(force, v3_load(F + 3 * s.model->nodes[n].slot));
        bool sums = k / 2 == 1 && k % 2 == 1;
        if (!sums) assert_below("force", v3_norm(force) / size, 1e-14);
        assert_below("moment", v3_norm(moment) / size, 1e-13);
        free(F);
        scene_close(&s);
    }
}

/* In flight with a body on the frame: direct and by sums, EP and ED; momenta of the whole are
 * kept. */
#define BODY                                                                                       \
    "bodies:\n  ball: {mass: 2, inertia: [0.1, 0.2, 0.15], position: [1.5, 0.5, 0.1], velocity: "  \
    "[%s], angular_velocity: [2, 3, -1]}\njoints:\n  pin: {type: revolute, bodies: [hand, ball], " \
    "at: [1.3, 0.5, 0.1], axis: y}\n"

static void flies(void **state) {
    (void)state;
    static const char *const types[] = {"rigid", "weighted"};
    for (int k = 0; k < 8; k++) {
        scene s;
        v3 p0, L0, p, L;
        char more[600];
        /* v + omega x r at (1.5, 0.5, 0.1) */
        snprintf(more, sizeof more, BODY, "1 + 3*0.1 + 0.5, 0.5 - 1.5 - 2*0.1, 2 + 2*0.5 - 3*1.5");
        open_block(&s, ACROSS[k / 2 % 2], types[k % 2], THROWN, more);
        scene_end(&s);
        double rho = k / 4 ? 0 : 1;
        scene_begin(&s, k / 4 ? "ED" : "EP", scene_options(k / 4 ? "ED" : "EP", rho));
        ts_momenta(s.system, &p0, &L0);
        double before = s.system->ledger.kinetic + s.system->ledger.elastic;
        for (int n = 0; n < 10; n++) scene_step(&s, 0.02);
        ts_momenta(s.system, &p, &L);
        const ts_ledger *l = &s.system->ledger;
        assert_below("momentum", v3_norm(v3_sub(p, p0)) / v3_norm(p0), 1e-11);
        /* with joints ED keeps it to the order of the step (docs/schemes.md) */
        assert_below("angular momentum", v3_norm(v3_sub(L, L0)) / v3_norm(L0),
                     k / 4 ? 1e-4 : 1e-13);
        assert_below("balance", fabs(l->balance) / s.energy, 1e-12);
        assert_below("rows", scene_violation(&s), 1e-12);
        assert_true(l->elastic > 1e-5 * before);
        if (k / 4 == 0)
            assert_below("energy", fabs(l->kinetic + l->elastic - before) / before, 1e-12);
        if (k / 4 == 1) assert_true(l->algorithmic > 0);
        scene_close(&s);
    }
}

/* A stiff block on a wall, a ball on a hinge at the coupling: it swings alike, whatever the
 * coupling and by whatever way it is made. */
static v3 ball_after(const char *type, int across) {
    scene s;
    scene_open(
        &s,
        scene_write(SCENE_HEAD
                    "gravity: [0, 0, -9.81]\n"
                    "materials:\n  M: {E: 1e9, nu: 0.3, density: 10}\n"
                    "meshes:\n  V: {type: box, size: [1, 0.6, 0.4], divisions: [1, %d, %d]}\n"
                    "solids:\n  W: {mesh: V, material: M}\n"
                    "couplings:\n  hand: {type: %s, nodes: W.x+, at: [1.3, 0.5, 0.1]}\n"
                    "bodies:\n  ball: {mass: 2, inertia: [0.1, 0.2, 0.15], position: [1.5, "
                    "0.5, 0.1]}\n"
                    "joints:\n  wall: {type: support, nodes: W.x-}\n"
                    "  pin: {type: revolute, bodies: [hand, ball], at: [1.3, 0.5, 0.1], axis: "
                    "y}\n",
                    across, across, type),
        "EP", 1);
    for (int n = 0; n < 20; n++) scene_step(&s, 0.01);
    v3 x = scene_position(&s, "ball");
    scene_close(&s);
    return x;
}

static void all_ways_agree(void **state) {
    (void)state;
    v3 exact = ball_after("rigid", 2);
    for (int k = 0; k < 3; k++) {
        static const char *const type[] = {"rigid", "weighted", "weighted"};
        static const int across[] = {6, 2, 6};
        v3 x = ball_after(type[k], across[k]);
        assert_below("ball", v3_norm(v3_sub(x, exact)), 1e-6);
    }
    assert_true(exact.z < 0.05); /* it swings */
}

/* On a shell: directors of the edge turn with a rigid coupling, a weighted one has their places
 * alone. */
static void on_a_shell(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        scene s;
        scene_open(
            &s,
            scene_write(SCENE_HEAD SOFT
                        "shell_sections:\n  S: {type: shell, material: M, thickness: 0.1}\n"
                        "meshes:\n  Q: {type: plate, size: [1, 1], divisions: [3, 3]}\n"
                        "shells:\n  skin: {mesh: Q, section: S" THROWN "}\n"
                        "couplings:\n  hub: {type: %s, nodes: skin.%s}\n"
                        "bodies:\n  ball: {mass: 0.2, inertia: [0.01, 0.01, 0.01], position: "
                        "[%s, 0.5, 0], velocity: [1 + 0.5, 0.5 - %s, 2 + 1 - 3*%s], "
                        "angular_velocity: [2, 3, -1]}\n"
                        "joints:\n  pin: {type: revolute, bodies: [hub, ball], axis: z, at: "
                        "[%s, 0.5, 0]}\n",
                        k ? "weighted" : "rigid", k ? "all" : "x+", k ? "0.5" : "1",
                        k ? "0.5" : "1", k ? "0.5" : "1", k ? "0.5" : "1"),
            "EP", 1);
        double before = s.system->ledger.kinetic + s.system->ledger.elastic;
        for (int n = 0; n < 10; n++) scene_step(&s, 0.02);
        const ts_ledger *l = &s.system->ledger;
        assert_below("energy", fabs(l->kinetic + l->elastic - before) / before, 1e-12);
        assert_below("rows", scene_violation(&s), 1e-12);
        scene_close(&s);
    }
}

/* ---- cables ---- */

#define ROPE   \
    SCENE_HEAD \
    "cables:\n  rope: {from: [0, 0, 0], to: [2, 0, 0], EA: 500, mass: 0.1, elements: 2, %s}\n"

static const ts_site *rope_site(const scene *s) {
    return &s->model->sites[s->model->parts[scene_part(s, "rope")].site];
}

/* s (e_f - e_i) = change of energy + dissipation, also from slack to taut and back; tension of the
 * law at rest. */
static void cable_identity(void **state) {
    (void)state;
    static const char *const laws[] = {"law: hooke", "law: green",
                                       "law: hooke, tension_only: false",
                                       "law: green, tension_only: false", "damping: 0.01"};
    static const double at[] = {-0.45, -0.2, -1e-9, 0, 1e-9, 0.05, 0.6};
    for (int k = 0; k < 5; k++) {
        scene s;
        scene_open(&s, scene_write(ROPE, laws[k]), "EP", 1);
        const ts_site *site = rope_site(&s);
        const double *data = s.model->numbers + site->data;
        for (int i = 0; i < 7; i++)
            for (int f = 0; f < 7; f++) {
                ts_law_step step = {
                    .m = 1, .data = data, .e_i = &at[i], .e_f = &at[f], .t_f = 0.01};
                ts_response r;
                site->law->respond(&step, &r);
                double work = r.s[0] * (at[f] - at[i]);
                double change = site->law->energy(data, NULL, 1, &at[f]) -
                                site->law->energy(data, NULL, 1, &at[i]);
                assert_near(work, change + r.dissipated, 1e-13 * 500);
                assert_true(r.dissipated >= 0);
                if (k < 2 && at[i] <= 0 && at[f] <= 0) assert_true(r.s[0] == 0);
            }
        scene_close(&s);
    }
}

/* The damped law has no jump between slack and taut, does not push when it has tension only, and
 * knows its derivative. */
static void damped_cable(void **state) {
    (void)state;
    static const double starts[] = {-0.3, -1e-3, 0, 1e-3, 0.1};
    for (int sided = 0; sided < 2; sided++) {
        scene s;
        scene_open(
            &s, scene_write(ROPE, sided ? "damping: 0.05" : "damping: 0.05, tension_only: false"),
            "EP", 1);
        const ts_site *site = rope_site(&s);
        for (int i = 0; i < 5; i++) {
            ts_law_step step = {
                .m = 1, .data = s.model->numbers + site->data, .e_i = &starts[i], .t_f = 0.01};
            ts_response r, off[2];
            double previous = NAN;
            for (double e = -0.35; e < 0.35; e += 1e-4) {
                double sides[2] = {e - 1e-7, e + 1e-7};
                step.e_f = &e, site->law->respond(&step, &r);
                for (int k = 0; k < 2; k++)
                    step.e_f = &sides[k], site->law->respond(&step, &off[k]);
                double slope = (off[1].s[0] - off[0].s[0]) / 2e-7;
                bool kink =
                    fabs(e) < 1e-6 || fabs(off[1].ds[0] - off[0].ds[0]) > 1e-4 * fabs(r.ds[0]);
                if (!kink) assert_near(r.ds[0], slope, 1e-4 * (fabs(slope) + 500));
                if (isfinite(previous)) assert_true(fabs(r.s[0] - previous) < 1e-4 * 2e4);
                if (sided) assert_true(r.s[0] >= 0);
                assert_true(r.dissipated >= 0);
                previous = r.s[0];
            }
        }
        scene_close(&s);
    }
}

/* Drawn under tension: what the stations have is what was asked for. */
static void cable_tension(void **state) {
    (void)state;
    scene s;
    double strain[6], force[6];
    scene_open(&s, scene_write(ROPE, "tension: 50, order: 2"), "EP", 1);
    const ts_part *rope = &s.model->parts[scene_part(&s, "rope")];
    const ts_instant at = {.state = &s.system->state};
    for (int i = rope->station; i < rope->station + rope->stations; i++) {
        ts_station_section(s.system, &at, i, strain, force);
        assert_near(force[0], 50, 1e-11);
        assert_near(strain[0], 0.1, 1e-13);
    }
    scene_close(&s);
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *more, *words;
    } wrong[] = {
        {"couplings:\n  hand: {type: weighted, nodes: W.x+/y+}\n", "lie on a line"},
        {"couplings:\n  hand: {type: weighted, nodes: W.lid}\n", "lid"},
        {"couplings:\n  hand: {type: weighted, nodes: W.1, weights: area}\n", "points only"},
        {"couplings:\n  hand: {type: rigid, nodes: W.x+, weights: area}\n", "weights"},
        {"couplings:\n  hand: {type: loose, nodes: W.x+}\n", "loose"},
        {"cables:\n  rope: {from: [0, 0, 0], to: [0, 0, 0], EA: 1, mass: 1}\n", "no length"},
        {"cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: -1, mass: 1}\n",
         "EA must be above"},
        {"cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: 1, mass: 1, length: 1, tension: "
         "1}\n",
         "not both"},
        {"cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: 1, mass: 1, tension: -1}\n",
         "no compression"},
        {("cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: 1, mass: 1}\n"
          "joints:\n  eye: {type: spherical, bodies: [ground, rope.end], at: [1.2, 0, 0]}\n"),
         "no arms"},
        {("cables:\n  rope: {from: [0, 0, 0], to: [1, 0, 0], EA: 1, mass: 1}\n"
          "joints:\n  eye: {type: revolute, bodies: [ground, rope.end], at: [1, 0, 0], axis: z}\n"),
         "no arms"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_unreadable(scene_write(BLOCK, 1, 1, "", wrong[i].more), wrong[i].words);
}

/* Single nodes stand for no area: they count alike, without being asked. All eight corners of the
 * block have its centre as their mean. */
static void single_nodes_count_alike(void **state) {
    (void)state;
    scene s;
    scene_open(&s,
               scene_write(BLOCK, 1, 1, "",
                           "couplings:\n  hand: {type: weighted, nodes: [W.1, W.2, W.3, W.4, W.5, "
                           "W.6, W.7, W.8]}\n"),
               "EP", 1);
    v3 off = v3_sub(scene_position(&s, "hand"), v3_make(0.5, 0.3, 0.2));
    assert_near(v3_norm(off), 0, 1e-15);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_rigid_motion),
        cmocka_unit_test(leaves_deformation_free),
        cmocka_unit_test(hands_on_resultants),
        cmocka_unit_test(flies),
        cmocka_unit_test(all_ways_agree),
        cmocka_unit_test(on_a_shell),
        cmocka_unit_test(cable_identity),
        cmocka_unit_test(damped_cable),
        cmocka_unit_test(cable_tension),
        cmocka_unit_test(refused),
        cmocka_unit_test(single_nodes_count_alike),
    };
    return cmocka_run_group_tests_name("coupling", tests, NULL, NULL);
}
