/* SPDX-License-Identifier: Apache-2.0 */
/* Shells: patch tests on distorted cells of 4 and 9 nodes, rigid motion, folds, mass, directors,
 * and refused input.
 *
 * Patch tests put the nodes where a field of constant strain has them. Then strains must be those
 * constants at every point, and the forces of the elements must leave inner nodes alone. Expected
 * numbers are closed forms.
 */
#include "analysis/trial.h"
#include "scene.h"
#include "system/section.h"

#include "math/rotation.h"

#define MATERIAL                                         \
    "materials:\n  M: {E: 1200, nu: 0.3, density: 10}\n" \
    "shell_sections:\n  S: {type: shell, material: M, thickness: 0.1}\n"

/* Four cells with straight sides about an inner point: all different, or parallelograms. */
#define FOUR_CELLS                                                                         \
    "meshes:\n"                                                                            \
    "  a: {type: plate, corners: [[0, 0, 0], %s, %s, %s], divisions: [1, 1], order: %d}\n" \
    "  b: {type: plate, corners: [%s, %s, %s, %s], divisions: [1, 1], order: %d}\n"        \
    "  c: {type: plate, corners: [%s, %s, %s, %s], divisions: [1, 1], order: %d}\n"        \
    "  d: {type: plate, corners: [%s, %s, %s, %s], divisions: [1, 1], order: %d}\n"        \
    "  ab: {type: join, first: a, second: b}\n  abc: {type: join, first: ab, second: c}\n" \
    "  all4: {type: join, first: abc, second: d}\n"

typedef struct patch {
    const char *south, *east_corner, *east, *corner, *north, *north_corner, *west, *middle;
    double at[2]; /* the middle */
} patch;

static const patch DISTORTED = {"[0.6, 0, 0]", "[1.2, 0, 0]",    "[1.2, 0.5, 0]",
                                "[1.2, 1, 0]", "[0.5, 1, 0]",    "[0, 1, 0]",
                                "[0, 0.4, 0]", "[0.45, 0.6, 0]", {0.45, 0.6}};
static const patch SLANTED = {"[0.7, 0, 0]",   "[1.2, 0, 0]",   "[1.4, 0.6, 0]",
                              "[1.5, 0.9, 0]", "[1, 0.9, 0]",   "[0.3, 0.9, 0]",
                              "[0.2, 0.6, 0]", "[0.9, 0.6, 0]", {0.9, 0.6}};

/* One material; or layers that couple stretching and bending, and are soft one way. */
static const char *const SECTIONS[] = {
    MATERIAL,
    ("materials:\n  M: {type: orthotropic, E1: 9000, E2: 600, E3: 600, nu12: 0.25, nu23: 0.3, "
     "nu13: 0.25, G12: 400, G23: 200, G13: 400, density: 10}\n"
     "shell_sections:\n  S: {type: laminate, materials: [M], thicknesses: [0.03, 0.07], "
     "angles: [0, 35 deg]}\n")};

static void open_patch(scene *s, const patch *p, int order, const char *section) {
    scene_open(s,
               scene_write(SCENE_HEAD
                           "%s" FOUR_CELLS
                           "shells:\n  skin: {mesh: all4, section: S, axis1: [1, 0.5, 0]}\n",
                           section, p->south, p->middle, p->west, order, p->south, p->east_corner,
                           p->east, p->middle, order, p->middle, p->east, p->corner, p->north,
                           order, p->west, p->middle, p->north, p->north_corner, order),
               "EP", 0);
}

/* Place and director of a point (x, y) in a field. */
typedef void field(double x, double y, v3 *place, v3 *director);

static void put(scene *s, field *f) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        v3 place, director;
        f(node->x.x, node->x.y, &place, &director);
        v3_store(s->system->state.q + 3 * node->slot, place);
        v3_store(s->system->state.q + 3 * node->slot + 3, director);
    }
}

static void all_strains(const scene *s, double *e) {
    double force[8];
    const ts_instant at = {.state = &s->system->state};
    for (int i = 0; i < s->model->stations_count; i++)
        ts_station_section(s->system, &at, i, e + 8 * i, force);
}

/* Ambient forces of all elements: stresses of the strains e, gradients at the present state. */
static void element_forces(const scene *s, const double *e, double *F) {
    double q[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], w[TS_MAX_FORMS];
    for (int i = 0; i < s->model->sites_count; i++) {
        const ts_site *site = &s->model->sites[i];
        ts_site_gather(s->model, site, s->system->state.q, q);
        ts_site_weights(s->system, site, e + 8 * i, w);
        for (int k = 0; k < site->forms; k++) {
            ts_form_gradient(s->model, site->form + k, site->slots, q, B);
            for (int j = 0; j < 3 * site->slots; j++) B[j] *= w[k];
            ts_scatter(s->model, site, B, F);
        }
    }
}

/* Strains as expected at every point, expected in global axes: eps, kappa (11, 22, 2*12), gamma. */
static void check_strains(const scene *s, const double *e, const double *expected) {
    double angle = atan2(0.5, 1), c = cos(angle), d = sin(angle), turned[8];
    for (int k = 0; k < 6; k += 3) {
        const double *x = expected + k;
        turned[k] = c * c * x[0] + d * d * x[1] + c * d * x[2];
        turned[k + 1] = d * d * x[0] + c * c * x[1] - c * d * x[2];
        turned[k + 2] = 2 * c * d * (x[1] - x[0]) + (c * c - d * d) * x[2];
    }
    turned[6] = c * expected[6] + d * expected[7], turned[7] = c * expected[7] - d * expected[6];
    for (int i = 0; i < 8 * s->model->sites_count; i++)
        if (!(fabs(e[i] - turned[i % 8]) <= 1e-12))
            fail_msg("strain %d: %.12g, not %.12g", i % 8, e[i], turned[i % 8]);
}

/* What is left at the inner node, of the largest force: force, and moment if it should be
 * balanced. */
static double unbalanced(const scene *s, const patch *p, const double *e, bool moments) {
    double *F = calloc((size_t)(3 * s->model->slots), sizeof *F), largest = 0, left = -1;
    element_forces(s, e, F);
    for (int i = 0; i < 3 * s->model->slots; i++) largest = fmax(largest, fabs(F[i]));
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        if (hypot(node->x.x - p->at[0], node->x.y - p->at[1]) > 1e-9) continue;
        const double *q = s->system->state.q + 3 * node->slot, *f = F + 3 * node->slot;
        left = v3_norm(v3_load(f));
        if (moments) left = fmax(left, v3_norm(v3_cross(v3_load(q + 3), v3_load(f + 3))));
    }
    free(F);
    assert_true(left >= 0);
    return left / largest;
}

/* Cells of any shape; those of 9 nodes have straight sides. */
static void each_patch(void (*run)(scene *s, const patch *p, double tolerance)) {
    static const struct {
        const patch *p;
        int order;
        double tolerance;
    } all[] = {
        {&DISTORTED, 1, 1e-12}, {&SLANTED, 1, 1e-12}, {&SLANTED, 2, 1e-12}, {&DISTORTED, 2, 1e-12}};
    for (int k = 0; k < 8; k++) {
        scene s;
        open_patch(&s, all[k / 2].p, all[k / 2].order, SECTIONS[k % 2]);
        run(&s, all[k / 2].p, all[k / 2].tolerance);
        scene_close(&s);
    }
}

static void check_balance(const scene *s, const patch *p, const double *e, bool moments,
                          double tolerance) {
    double left = unbalanced(s, p, e, moments);
    if (!(left <= tolerance)) fail_msg("%.3g of the largest force is left over", left);
}

enum { MOST = 8 * 4 * 9 }; /* strains of four cells */

/* A homogeneous deformation of any size, turned in space with its normal: membrane. */
static m3 turn_of_patch(void) { return so3_exp(v3_make(0.4, -1.1, 0.7)); }

static void stretched(double x, double y, v3 *place, v3 *director) {
    m3 R = turn_of_patch();
    *place = m3_apply(R, v3_make(1.3 * x + 0.2 * y, 0.1 * x + 0.8 * y, 0.5));
    *director = R.c[2];
}

static void membrane_patch(scene *s, const patch *p, double tolerance) {
    const double expected[8] = {0.5 * (1.3 * 1.3 + 0.1 * 0.1 - 1),
                                0.5 * (0.2 * 0.2 + 0.8 * 0.8 - 1), 1.3 * 0.2 + 0.1 * 0.8};
    double e[MOST];
    put(s, stretched);
    all_strains(s, e);
    check_strains(s, e, expected);
    check_balance(s, p, e, true, tolerance);
}

static void membrane(void **state) {
    (void)state;
    each_patch(membrane_patch);
}

/* Bending is linear only in small deflections. Strains being quadratic, what is linear in them is
 * half the difference between deflections up and down, of any size; directors need not be unit
 * vectors for that. */
static void bent(double sign, double x, double y, v3 *place, v3 *director) {
    *place = v3_make(x, y, sign * 0.5 * (1.1 * x * x + 2 * 0.4 * x * y - 0.7 * y * y));
    *director = v3_make(-sign * (1.1 * x + 0.4 * y), -sign * (0.4 * x - 0.7 * y), 1);
}
static void bent_up(double x, double y, v3 *place, v3 *director) { bent(1, x, y, place, director); }
static void bent_down(double x, double y, v3 *place, v3 *director) {
    bent(-1, x, y, place, director);
}
static void flat(double x, double y, v3 *place, v3 *director) { bent(0, x, y, place, director); }

static void bending_patch(scene *s, const patch *p, double tolerance) {
    const double expected[8] = {0, 0, 0, -1.1, 0.7, -2 * 0.4};
    double up[MOST], down[MOST];
    put(s, bent_up), all_strains(s, up);
    put(s, bent_down), all_strains(s, down);
    for (int i = 0; i < 8 * s->model->sites_count; i++) up[i] = 0.5 * (up[i] - down[i]);
    put(s, flat);
    check_strains(s, up, expected);
    check_balance(s, p, up, true, tolerance);
}

static void bending(void **state) {
    (void)state;
    each_patch(bending_patch);
}

/* Constant shear asks for moments along the surface: only forces are balanced. */
static void sheared(double x, double y, v3 *place, v3 *director) {
    m3 R = turn_of_patch();
    *place = m3_apply(R, v3_make(x, y, 0));
    *director = m3_apply(R, v3_normalize(v3_make(0.3, -0.2, 1)));
}

static void shear_patch(scene *s, const patch *p, double tolerance) {
    double length = sqrt(1 + 0.3 * 0.3 + 0.2 * 0.2), e[MOST];
    const double expected[8] = {0, 0, 0, 0, 0, 0, 0.3 / length, -0.2 / length};
    put(s, sheared);
    all_strains(s, e);
    check_strains(s, e, expected);
    check_balance(s, p, e, false, tolerance);
}

static void shear(void **state) {
    (void)state;
    each_patch(shear_patch);
}

/* ---- rigid motion, folds ---- */

/* A curved surface and a folded one; %d: order. */
static const char *const SURFACES[] = {
    "meshes:\n  Q: {type: patch, x: u, y: v*(1 + 0.3*u), z: 0.3*u*v + 0.2*u^2, divisions: [2, 2], "
    "order: %d}\n",
    ("meshes:\n  a: {type: plate, size: [1, 1], divisions: [2, 2], order: %d}\n"
     "  b: {type: plate, corners: [[0, 0, 0], [0, 1, 0], [0.3, 1, 1], [0.3, 0, 1]], divisions: [2, "
     "2], order: %d}\n"
     "  Q: {type: join, first: a, second: b}\n"),
};

static void open_surface(scene *s, int surface, int order, const char *more) {
    char mesh[900];
    snprintf(mesh, sizeof mesh, SURFACES[surface], order, order);
    scene_open(s,
               scene_write(SCENE_HEAD MATERIAL
                           "%sshells:\n  skin: {mesh: Q, section: S, damping: 0, fold: 20 deg%s}\n",
                           mesh, more),
               "EP", 0);
}

static void rigid_motion(void **state) {
    (void)state;
    m3 R = so3_exp(v3_make(1.5, -0.8, 2.1));
    for (int surface = 0; surface < 2; surface++)
        for (int order = 1; order <= 2; order++) {
            scene s;
            open_surface(&s, surface, order, "");
            double *q = s.system->state.q, strain[8], force[8];
            for (int n = 1; n < s.model->nodes_count; n++) {
                const ts_node *node = &s.model->nodes[n];
                for (int k = 0; k < node->slots; k++) {
                    double *x = q + 3 * (node->slot + k);
                    v3 moved = m3_apply(R, v3_load(x));
                    v3_store(x, k ? moved : v3_add(moved, v3_make(3, -1, 2)));
                }
            }
            for (int i = 0; i < s.model->stations_count; i++) {
                ts_station_section(s.system, &(ts_instant){.state = &s.system->state}, i, strain,
                                   force);
                for (int k = 0; k < 8; k++)
                    if (!(fabs(strain[k]) < 2e-12))
                        fail_msg("surface %d, order %d, strain %d: %.3g", surface, order, k,
                                 strain[k]);
            }
            scene_close(&s);
        }
}

/* The fold has frames, everything else directors; the directors of the cells there are their own
 * normals. */
static void folds(void **state) {
    (void)state;
    scene s;
    open_surface(&s, 1, 1, "");
    int frames = 0;
    for (int n = 1; n < s.model->nodes_count; n++) {
        const ts_node *node = &s.model->nodes[n];
        bool fold = fabs(node->x.x) + fabs(node->x.z) < 1e-12;
        assert_int_equal(node->kind, fold ? TS_NODE_FRAME : TS_NODE_DIRECTOR);
        frames += fold;
    }
    assert_int_equal(frames, 3);
    scene_close(&s);
}

/* ---- studies ---- */

/* Samples of a trial have six forces of each station of a beam; a point of a shell has eight. */
static void trials_sample_lines_alone(void **state) {
    (void)state;
    scene s;
    ts_trial_plan plan;
    open_surface(&s, 1, 1, "");
    assert_true(s.model->stations_count > 0);
    ts_trial_plan_new(&plan, s.model, 0.1, 2);
    assert_int_equal(plan.stations, 0);
    ts_trial_plan_clear(&plan);
    scene_close(&s);
}

/* ---- directors ---- */

/* A surface that does not know its normals: a director is the mean of those of the cells around its
 * node. Two equal facets inscribed in a cylinder: radial by symmetry where they meet. */
static void directors_are_means_of_normals(void **state) {
    (void)state;
    scene s;
    int looked_at = 0;
    scene_open(&s,
               SCENE_HEAD MATERIAL
               "meshes:\n"
               "  a: {type: plate, corners: [[1, 0, 0], [cos(0.3), sin(0.3), 0], [cos(0.3), "
               "sin(0.3), 1], [1, 0, 1]], divisions: [1, 2]}\n"
               "  b: {type: plate, corners: [[cos(0.3), sin(0.3), 0], [cos(0.6), sin(0.6), 0], "
               "[cos(0.6), sin(0.6), 1], [cos(0.3), sin(0.3), 1]], divisions: [1, 2]}\n"
               "  Q: {type: join, first: a, second: b}\n"
               "shells:\n  skin: {mesh: Q, section: S}\n",
               "EP", 0);
    for (int n = 1; n < s.model->nodes_count; n++) {
        const ts_node *node = &s.model->nodes[n];
        double angle = atan2(node->x.y, node->x.x), facet = angle < 0.3 ? 0.15 : 0.45;
        if (fabs(angle - 0.3) < 1e-9) facet = angle, looked_at++;
        v3 normal = v3_make(cos(facet), sin(facet), 0);
        assert_int_equal(node->kind, TS_NODE_DIRECTOR);
        assert_near(v3_norm(v3_cross(normal, node->D.c[2])), 0, 1e-14);
        assert_near(v3_norm(node->D.c[2]), 1, 1e-14);
    }
    assert_int_equal(looked_at, 3);
    scene_close(&s);
}

/* A patch knows the normals of its surface: directors are exact at all nodes, those of rims and
 * corners included. */
static void directors_of_a_patch_are_normals(void **state) {
    (void)state;
    scene s;
    scene_open(
        &s,
        SCENE_HEAD MATERIAL
        "meshes:\n  Q: {type: patch, x: cos(1.2*u), y: sin(1.2*u), z: v, divisions: [4, 1]}\n"
        "shells:\n  skin: {mesh: Q, section: S}\n",
        "EP", 0);
    assert_int_equal(s.model->nodes_count, 1 + 5 * 2);
    for (int n = 1; n < s.model->nodes_count; n++) {
        const ts_node *node = &s.model->nodes[n];
        v3 radial = v3_make(node->x.x, node->x.y, 0);
        assert_near(v3_norm(v3_cross(radial, node->D.c[2])), 0, 1e-9);
        assert_near(v3_norm(node->D.c[2]), 1, 1e-14);
    }
    scene_close(&s);
}

/* ---- mass ---- */

static void mass(void **state) {
    (void)state;
    for (int surface = 0; surface < 2; surface++)
        for (int order = 1; order <= 2; order++) {
            scene s;
            open_surface(&s, surface, order, "");
            double mass = 0, turning = 0, area = 0;
            for (int n = 1; n < s.model->nodes_count; n++) {
                double(*A)[4] = s.model->nodes[n].mass;
                assert_true(A[0][0] > 0 && A[1][1] + A[2][2] + A[3][3] > 0);
                mass += A[0][0], turning += A[1][1] + A[2][2] + A[3][3];
            }
            for (int i = 0; i < s.model->stations_count; i++) area += s.model->stations[i].weight;
            /* flat: exact; curved: two rules of quadrature for one area */
            double off = surface ? 1e-14 : 2e-2;
            assert_true(fabs(mass / (10 * 0.1 * area) - 1) < off);
            assert_true(fabs(turning / mass / (0.1 * 0.1 / 12) - 1) < 1e-13);
            scene_close(&s);
        }
}

/* ---- motion ---- */

#define THROWN ", velocity: [1, 0.5, 2], angular_velocity: [1, 1.5, -0.5]"

/* In free flight EP keeps energy and momenta, ED momenta; directors stay unit vectors. */
static void free_flight(void **state) {
    (void)state;
    static const struct {
        const char *scheme;
        double rho;
    } schemes[] = {{"EP", 1}, {"ED", 0}};
    for (int surface = 0; surface < 2; surface++)
        for (int k = 0; k < 2; k++) {
            scene s;
            v3 p0, L0, p, L;
            open_surface(&s, surface, 1 + (surface + k) % 2, THROWN);
            scene_end(&s);
            scene_begin(&s, schemes[k].scheme, scene_options(schemes[k].scheme, schemes[k].rho));
            ts_momenta(s.system, &p0, &L0);
            double before = s.system->ledger.kinetic + s.system->ledger.elastic;
            for (int n = 0; n < 40; n++) scene_step(&s, 0.02);
            ts_momenta(s.system, &p, &L);
            const ts_ledger *l = &s.system->ledger;
            assert_true(v3_norm(v3_sub(p, p0)) < 1e-12 * v3_norm(p0));
            assert_true(v3_norm(v3_sub(L, L0)) < 1e-11 * v3_norm(L0));
            assert_true(fabs(l->balance) < 1e-12 * before);
            assert_true(l->elastic > 1e-4 * before); /* it does deform */
            if (k == 0) assert_true(fabs(l->kinetic + l->elastic - before) < 1e-12 * before);
            if (k == 1) assert_true(l->algorithmic > 0);
            for (int n = 1; n < s.model->nodes_count; n++) {
                const ts_node *node = &s.model->nodes[n];
                for (int d = 1; d < node->slots; d++) {
                    v3 x = v3_load(s.system->state.q + 3 * (node->slot + d));
                    assert_true(fabs(v3_dot(x, x) - 1) < 1e-14);
                }
            }
            scene_close(&s);
        }
}

/* ---- edges ---- */

/* A free plate pulled, or bent, at one of its edges: after a step its momentum is the impulse,
 * outwards; its angular momentum is that of the moment, about the edge, which turns the rim against
 * its normal. Every edge counts alike, whichever way its lines go. */
static void edge_loads_know_the_outside(void **state) {
    (void)state;
    static const struct {
        const char *edge;
        v3 outwards;
        double length;
    } EDGES[] = {
        {"x-", {-1, 0, 0}, 2}, {"x+", {1, 0, 0}, 2}, {"y-", {0, -1, 0}, 3}, {"y+", {0, 1, 0}, 3}};
    for (int order = 1; order <= 2; order++)
        for (int k = 0; k < 8; k++) {
            scene s;
            const double h = 1e-5;
            v3 out = EDGES[k / 2].outwards, linear, angular;
            scene_open(&s,
                       scene_write(SCENE_HEAD MATERIAL
                                   "meshes:\n  m: {type: plate, size: [3, 2], divisions: [3, 2], "
                                   "order: %d}\n"
                                   "shells:\n  skin: {mesh: m, section: S}\n"
                                   "loads:\n  pull: {type: edge_load, edges: skin.%s, %s: 7}\n",
                                   order, EDGES[k / 2].edge, k % 2 ? "bending" : "tension"),
                       "EP", 0);
            v3 centre, about;
            double mass;
            ts_mass_centre(s.system, &mass, &centre);
            scene_step(&s, h);
            ts_momenta(s.system, &linear, &angular);
            about = v3_sub(angular, v3_cross(centre, linear));
            double size = 7 * EDGES[k / 2].length * h;
            v3 force = v3_scale(k % 2 ? 0 : size, out);
            v3 moment = v3_scale(k % 2 ? size : 0, v3_cross(v3_axis(2), out));
            assert_near(v3_norm(v3_sub(linear, force)), 0, 1e-9 * size);
            assert_near(v3_norm(v3_sub(about, moment)), 0, 1e-9 * size);
            scene_close(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membrane),
        cmocka_unit_test(bending),
        cmocka_unit_test(shear),
        cmocka_unit_test(rigid_motion),
        cmocka_unit_test(folds),
        cmocka_unit_test(mass),
        cmocka_unit_test(trials_sample_lines_alone),
        cmocka_unit_test(directors_are_means_of_normals),
        cmocka_unit_test(directors_of_a_patch_are_normals),
        cmocka_unit_test(free_flight),
        cmocka_unit_test(edge_loads_know_the_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
