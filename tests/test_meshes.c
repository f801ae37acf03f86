/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes made from the model file: areas and volumes against formulas, order of convergence where
 * they are curved, counts of sets, orientation, exact normals; merging, boundary, checks; what is
 * refused.
 */
#include "scene.h"

#include "model/mesh.h"

#define PI 3.14159265358979323846

typedef struct made {
    scene scene;
    const ts_mesh *mesh;
} made;

static made make(const char *entry) {
    static char text[4000];
    made m;
    snprintf(text, sizeof text, SCENE_HEAD "meshes:\n%s%s%s", *entry == '{' ? "  M: " : "", entry,
             "\n");
    scene_read(&m.scene, text);
    m.mesh = ts_mesh_of(m.scene.model, m.scene.model->parts_count - 1);
    assert_non_null(m.mesh);
    return m;
}

static void forget(made *m) { ts_document_free(m->scene.document); }

static int find(const ts_mesh *m, const char *name) {
    int set = ts_mesh_find(m, name, -1);
    if (set < 0) fail_msg("%s", ts_error_message());
    return set;
}

static void check_set(const ts_mesh *m, const char *name, int dimension, int cells, int points,
                      double measure) {
    const ts_mesh_set *s = &m->set[find(m, name)];
    if (s->dimension != dimension || s->cells != cells || s->points != points)
        fail_msg("%s: dimension %d, %d cells, %d points", name, s->dimension, s->cells, s->points);
    if (dimension) assert_near(ts_mesh_measure(m, find(m, name)), measure, 1e-12 * (1 + measure));
}

static void check_unused(const ts_mesh *m) {
    unsigned char *used = calloc((size_t)m->points, 1);
    for (int i = 0; i < m->nodes; i++) used[m->node[i]] = 1;
    for (int i = 0; i < m->points; i++) assert_true(used[i]);
    free(used);
}

/* The face cells in the sets are the boundary, each once, and turned outwards: the divergence
 * theorem. */
static void check_skin(const ts_mesh *m, int sides, const char *const *side) {
    ts_mesh_face *faces;
    int boundary = ts_mesh_boundary(m, -1, &faces), cells = 0;
    double volume = 0;
    free(faces);
    for (int k = 0; k < sides; k++) {
        const ts_mesh_set *s = &m->set[find(m, side[k])];
        cells += s->cells;
        for (int i = 0; i < s->cells; i++) {
            ts_quadrature q;
            ts_cell_quadrature(m->cell[s->cell[i]].type, 5, &q);
            for (int g = 0; g < q.count; g++) {
                v3 x;
                m3 J = ts_mesh_jacobian(m, s->cell[i], q.xi[g], &x);
                volume += q.weight[g] * v3_dot(x, v3_cross(J.c[0], J.c[1])) / 3;
            }
        }
    }
    assert_int_equal(cells, boundary);
    assert_near(volume, ts_mesh_measure(m, -1), 1e-10 * volume);
}

/* Normals are those of the cells: exactly where the surface is flat, to the size of cells where
 * not. */
static void check_normals(const ts_mesh *m, double tolerance) {
    assert_non_null(m->normal);
    assert_int_equal(ts_mesh_check_sides(m, find(m, "all")), 0);
    const ts_mesh_set *all = &m->set[find(m, "all")];
    for (int i = 0; i < all->cells; i++) {
        int c = all->cell[i];
        for (int a = 0; a < m->cell[c].count; a++) {
            m3 J = ts_mesh_jacobian(m, c, ts_cell_node(m->cell[c].type, a), NULL);
            v3 n = m->normal[ts_mesh_nodes(m, c)[a]];
            assert_near(v3_norm(n), 1, 1e-14);
            assert_true(v3_dot(n, J.c[2]) > 1 - tolerance);
        }
    }
}

/* ---- box ---- */

static const char *const SIX[] = {"x-", "x+", "y-", "y+", "z-", "z+"};

/* 3 x 2 x 1 cells of 6 x 2 x 0.5; points on a lattice of order 1 or 2 */
static void check_box(const char *more, int all, int cells, int face_cells, int points) {
    char entry[300];
    snprintf(entry, sizeof entry, "{type: box, size: [6, 2, 0.5], divisions: [3, 2, 1]%s}", more);
    made m = make(entry);
    assert_int_equal(m.mesh->points, points);
    check_set(m.mesh, "all", 3, cells, all, 6);
    assert_int_equal(m.mesh->set[find(m.mesh, "x-")].cells, 2 * face_cells);
    assert_int_equal(m.mesh->set[find(m.mesh, "y+")].cells, 3 * face_cells);
    assert_int_equal(m.mesh->set[find(m.mesh, "z+")].cells, 6 * face_cells);
    const double area[] = {1, 1, 3, 3, 12, 12};
    for (int k = 0; k < 6; k++)
        assert_near(ts_mesh_measure(m.mesh, find(m.mesh, SIX[k])), area[k], 1e-13);
    assert_near(ts_mesh_measure(m.mesh, find(m.mesh, "y-/z+")), 6, 1e-14);
    check_set(m.mesh, "x+/y-/z+", 0, 1, 1, 0);
    v3 corner = m.mesh->point[m.mesh->set[find(m.mesh, "x+/y-/z+")].point[0]];
    assert_near(v3_norm(v3_sub(corner, v3_make(6, 0, 0.5))), 0, 0);
    assert_int_equal(ts_mesh_check(m.mesh, -1), 0);
    assert_null(m.mesh->normal);
    check_skin(m.mesh, 6, SIX);
    check_unused(m.mesh);
    assert_int_equal(m.mesh->sets, 1 + 6 + 12 + 8);
    forget(&m);
}

static void boxes(void **state) {
    (void)state;
    check_box("", 24, 6, 1, 24);
    check_box(", order: 2", 105, 6, 1, 105);
    check_box(", order: 2, serendipity: true", 70, 6, 1, 70); /* 24 corners, 46 edges */
    check_box(", cells: tet", 24, 36, 2, 24);
    check_box(", cells: tet, order: 2", 105, 36, 2, 105);
    made m = make("{type: box, from: [1, 2, 3], to: [2, 4, 6], divisions: [1, 1, 1]}");
    v3 low, high;
    ts_mesh_box(m.mesh, &low, &high);
    assert_near(v3_norm(v3_sub(low, v3_make(1, 2, 3))), 0, 1e-15);
    assert_near(v3_norm(v3_sub(high, v3_make(2, 4, 6))), 0, 1e-15);
    forget(&m);
}

/* ---- plate ---- */

static void plates(void **state) {
    (void)state;
    made m = make("{type: plate, size: [3, 2], divisions: [3, 2], order: 2, position: [1, 1, 1], "
                  "rotation: {axis: x, angle: pi/2}}");
    check_set(m.mesh, "all", 2, 6, 35, 6);
    check_set(m.mesh, "x-", 1, 2, 5, 2);
    check_set(m.mesh, "y+", 1, 3, 7, 3);
    check_set(m.mesh, "x+/y+", 0, 1, 1, 0);
    assert_near(v3_norm(v3_sub(m.mesh->point[m.mesh->set[find(m.mesh, "x+/y+")].point[0]],
                               v3_make(4, 1, 3))),
                0, 1e-15);
    assert_near(v3_norm(v3_sub(m.mesh->normal[0], v3_make(0, -1, 0))), 0, 1e-15);
    check_normals(m.mesh, 1e-12);
    forget(&m);
    m = make("{type: plate, corners: [[0, 0, 0], [4, 0, 0], [3, 2, 0], [1, 2, 0]], divisions: [4, "
             "3], order: 2, serendipity: true}");
    check_set(m.mesh, "all", 2, 12, 51, 6); /* 20 corners, 31 edges */
    check_normals(m.mesh, 1e-12);
    check_unused(m.mesh);
    forget(&m);
}

/* ---- curved surfaces ---- */

typedef double measure_of(int n, int order);

/* Halving the cells divides the error by 2^p. Quads inscribed in a cylinder or a sphere: p = 2 and
 * 4. */
static void check_convergence(const char *what, measure_of *measure, double exact) {
    for (int order = 1; order <= 2; order++) {
        double coarse = fabs(measure(4, order) - exact), fine = fabs(measure(8, order) - exact);
        double p = log2(coarse / fine);
        if (!(fabs(p - 2 * order) < 0.25 && fine < (order == 1 ? 0.02 : 2e-4) * exact))
            fail_msg("%s, order %d: errors %g, %g", what, order, coarse, fine);
    }
}

static double measure(const char *entry) {
    made m = make(entry);
    double value = ts_mesh_measure(m.mesh, -1);
    assert_int_equal(ts_mesh_check(m.mesh, -1), 0);
    check_unused(m.mesh);
    if (m.mesh->normal) check_normals(m.mesh, 0.11);
    forget(&m);
    return value;
}

static double cylinder_area(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: cylinder, radius: 2, length: 3, divisions: [%d, 2], angle: 90 deg, order: %d}",
             n, order);
    return measure(text);
}

static double sphere_area(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: sphere, radius: 2, latitude: [0, 72 deg], divisions: [%d, %d], angle: 90 deg, "
             "order: %d}",
             n, n, order);
    return measure(text);
}

static double annulus_area(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: annulus, inner_radius: 6, outer_radius: 10, divisions: [2, %d], slit: true, "
             "order: %d}",
             4 * n, order);
    return measure(text);
}

static double tube_volume(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: tube, inner_radius: 1, outer_radius: 2, length: 3, divisions: [2, %d, 1], "
             "order: %d}",
             3 * n, order);
    return measure(text);
}

static double rod_volume(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: tube, outer_radius: 2, length: 3, divisions: [2, %d, 1], order: %d}", 4 * n,
             order);
    return measure(text);
}

static double patch_area(int n, int order) {
    char text[300];
    snprintf(text, sizeof text,
             "{type: patch, x: 2 m*cos(u), y: 2*sin(u), z: v, u: [0, pi/2], v: [0, 3], divisions: "
             "[%d, 2], order: %d}",
             n, order);
    return measure(text);
}

static void curved_meshes_converge(void **state) {
    (void)state;
    check_convergence("cylinder", cylinder_area, 3 * PI);
    check_convergence("sphere", sphere_area, PI / 2 * 4 * sin(72 * PI / 180));
    check_convergence("annulus", annulus_area, 64 * PI);
    check_convergence("tube", tube_volume, 9 * PI);
    check_convergence("rod", rod_volume, 12 * PI);
    check_convergence("patch", patch_area, 3 * PI);
    assert_near(patch_area(4, 2), cylinder_area(4, 2), 1e-13);
}

static void normals_are_exact(void **state) {
    (void)state;
    made m = make("{type: cylinder, radius: 2, length: 3, divisions: [12, 2], order: 2}");
    check_set(m.mesh, "start", 1, 12, 24, ts_mesh_measure(m.mesh, find(m.mesh, "start")));
    assert_int_equal(m.mesh->points, 24 * 5); /* closed */
    assert_true(ts_mesh_find(m.mesh, "left", -1) < 0);
    for (int i = 0; i < m.mesh->points; i++) {
        v3 x = m.mesh->point[i], n = m.mesh->normal[i];
        assert_near(v3_norm(v3_sub(v3_scale(2, n), v3_make(x.x, x.y, 0))), 0, 1e-15);
    }
    forget(&m);
    m = make("{type: sphere, radius: 10, latitude: [0, 72 deg], divisions: [4, 4], angle: 90 deg}");
    for (int i = 0; i < m.mesh->points; i++)
        assert_near(v3_norm(v3_sub(v3_scale(10, m.mesh->normal[i]), m.mesh->point[i])), 0, 1e-14);
    v3 a = m.mesh->point[m.mesh->set[find(m.mesh, "left/south")].point[0]];
    v3 b = m.mesh->point[m.mesh->set[find(m.mesh, "right/south")].point[0]];
    assert_near(v3_norm(v3_sub(a, v3_make(10, 0, 0))), 0, 0);
    assert_near(v3_norm(v3_sub(b, v3_make(0, 10, 0))), 0, 0);
    forget(&m);
    /* a hyperbolic paraboloid: normal (-y, -x, 1) */
    m = make("{type: patch, x: u, y: v, z: 1 m*u*v, u: [-1, 1], v: [-1, 1], divisions: [5, 5]}");
    for (int i = 0; i < m.mesh->points; i++) {
        v3 x = m.mesh->point[i];
        v3 n = v3_normalize(v3_make(-x.y, -x.x, 1));
        assert_near(v3_norm(v3_sub(n, m.mesh->normal[i])), 0, 1e-15);
    }
    forget(&m);
}

static void rings_close_or_not(void **state) {
    (void)state;
    made m = make("{type: annulus, inner_radius: 1, outer_radius: 2, divisions: [2, 8]}");
    assert_int_equal(m.mesh->points, 24);
    forget(&m);
    m = make("{type: annulus, inner_radius: 1, outer_radius: 2, divisions: [2, 8], slit: true}");
    assert_int_equal(m.mesh->points, 27);
    check_set(m.mesh, "left", 1, 2, 3, 1);
    check_set(m.mesh, "right", 1, 2, 3, 1);
    int a = m.mesh->set[find(m.mesh, "inner/left")].point[0],
        b = m.mesh->set[find(m.mesh, "inner/right")].point[0];
    assert_true(a != b);
    assert_near(v3_norm(v3_sub(m.mesh->point[a], m.mesh->point[b])), 0, 0);
    forget(&m);
}

static void solids_have_skins(void **state) {
    (void)state;
    static const char *const closed[] = {"inner", "outer", "start", "end"};
    static const char *const arc[] = {"inner", "outer", "start", "end", "left", "right"};
    static const char *const rod[] = {"outer", "start", "end"};
    static const char *const block[] = {"u-", "u+", "v-", "v+", "w-", "w+"};
    for (int order = 1; order <= 2; order++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{type: tube, inner_radius: 1, outer_radius: 2, length: 3, divisions: [2, 6, 2], "
                 "order: %d}",
                 order);
        made m = make(text);
        check_skin(m.mesh, 4, closed);
        forget(&m);
        snprintf(text, sizeof text,
                 "{type: tube, inner_radius: 1, outer_radius: 2, length: 3, divisions: [2, 6, 2], "
                 "angle: 1.2, start_angle: 0.3, order: %d}",
                 order);
        m = make(text);
        check_skin(m.mesh, 6, arc);
        forget(&m);
        snprintf(text, sizeof text,
                 "{type: tube, outer_radius: 2, length: 3, divisions: [2, 12, 2], order: %d}",
                 order);
        m = make(text);
        check_skin(m.mesh, 3, rod);
        forget(&m);
        /* a bar twisted by 90 degrees, as of MacNeal and Harder */
        snprintf(
            text, sizeof text,
            "{type: patch, x: 12*u, y: 1.1*v*cos(u*pi/2) - 0.32*w*sin(u*pi/2), z: "
            "1.1*v*sin(u*pi/2) + 0.32*w*cos(u*pi/2), v: [-0.5, 0.5], w: [-0.5, 0.5], divisions: "
            "[12, 2, 2], order: %d}",
            order);
        m = make(text);
        check_skin(m.mesh, 6, block);
        assert_near(ts_mesh_measure(m.mesh, -1), 12 * 1.1 * 0.32, order == 1 ? 0.03 : 2e-4);
        forget(&m);
    }
}

/* ---- joining, merging ---- */

/* The L of two blocks: 3 x 10 x 3 and 3 x 3 x 3 */
static void meshes_are_joined(void **state) {
    (void)state;
    made m = make("  leg: {type: box, size: [3, 10, 3], divisions: [2, 10, 2]}\n"
                  "  foot: {type: box, from: [3, 0, 0], to: [6, 3, 3], divisions: [2, 3, 2]}\n"
                  "  L: {type: join, first: leg, second: foot}");
    check_set(m.mesh, "all", 3, 52, 3 * 11 * 3 + 2 * 4 * 3, 117);
    check_set(m.mesh, "leg.y+", 2, 4, 9, 9);
    check_set(m.mesh, "foot.x+", 2, 6, 12, 9);
    ts_mesh_face *faces;
    assert_int_equal(ts_mesh_boundary(m.mesh, -1, &faces), 88 + 32 - 2 * 6);
    free(faces);
    assert_int_equal(ts_mesh_check(m.mesh, -1), 0);
    forget(&m);
}

static void folds_have_no_normals(void **state) {
    (void)state;
    made m = make("  a: {type: plate, size: [1, 1], divisions: [2, 2]}\n"
                  "  b: {type: plate, size: [1, 1], divisions: [2, 2], position: [1, 0, 0]}\n"
                  "  M: {type: join, first: a, second: b}");
    assert_int_equal(m.mesh->points, 15);
    assert_non_null(m.mesh->normal);
    assert_int_equal(ts_mesh_check_sides(m.mesh, find(m.mesh, "all")), 0);
    forget(&m);
    m = make(
        "  a: {type: plate, size: [1, 1], divisions: [2, 2]}\n"
        "  b: {type: plate, size: [1, 1], divisions: [2, 2], position: [1, 0, 0], rotation: {axis: "
        "y, angle: -pi/2}}\n"
        "  M: {type: join, first: a, second: b}");
    assert_int_equal(m.mesh->points, 15);
    assert_null(m.mesh->normal);
    forget(&m);
}

/* Against all pairs; and a million points in one place take no time. */
static void merging_finds_all_pairs(void **state) {
    (void)state;
    ts_mesh *m = ts_mesh_new();
    for (int i = 0; i < 300; i++) {
        int node = ts_mesh_point(m, v3_scale(i % 2 ? 1 : -1, chance_vector()));
        ts_mesh_cell(m, TS_CELL_POINT1, &node);
        node = ts_mesh_point(m, v3_axpy(4e-7, chance_vector(), m->point[m->points - 1]));
        ts_mesh_cell(m, TS_CELL_POINT1, &node);
    }
    assert_int_equal(ts_mesh_merge(m, 1e-6), 0);
    assert_int_equal(m->points, 300);
    for (int i = 0; i < 600; i++) assert_int_equal(m->node[i], i / 2);
    ts_mesh_free(m);
    m = ts_mesh_new();
    for (int i = 0; i < 1000000; i++) ts_mesh_point(m, v3_make(1e-9 * (i % 7), 1, -1e300));
    assert_int_equal(ts_mesh_merge(m, 1e-6), 0);
    assert_int_equal(m->points, 1);
    ts_mesh_free(m);
}

/* ---- checks ---- */

static ts_mesh *one_hex(void) {
    ts_mesh *m = ts_mesh_new();
    int node[8];
    for (int a = 0; a < 8; a++) node[a] = ts_mesh_point(m, ts_cell_node(TS_CELL_HEX8, a));
    ts_mesh_into_set(m, ts_mesh_set_named(m, "all", 3), ts_mesh_cell(m, TS_CELL_HEX8, node));
    ts_mesh_finish(m);
    return m;
}

static void bad_cells_are_named(void **state) {
    (void)state;
    ts_mesh *m = one_hex();
    assert_int_equal(ts_mesh_check(m, 0), 0);
    ts_mesh_reverse(m, 0);
    assert_int_equal(ts_mesh_check(m, 0), TORSOR_EINVAL);
    assert_non_null(strstr(ts_error_message(), "cell 1 (hex8, near [0, 0, 0]) is inside out"));
    ts_mesh_reverse(m, 0);
    v3 corner = m->point[6];
    m->point[6] = v3_make(-0.9, -0.9, -0.9); /* folded at the corner alone */
    assert_int_equal(ts_mesh_check(m, 0), TORSOR_EINVAL);
    m->point[6] = corner;
    for (int i = 4; i < 8; i++) m->point[i].z = -1;
    assert_int_equal(ts_mesh_check(m, 0), TORSOR_EINVAL);
    if (!strstr(ts_error_message(), "degenerate")) fail_msg("%s", ts_error_message());
    m->point[0].x = NAN;
    assert_int_equal(ts_mesh_check(m, 0), TORSOR_EINVAL);
    ts_mesh_free(m);
}

static void sides_are_compared(void **state) {
    (void)state;
    made made_ = make("{type: plate, size: [1, 1], divisions: [3, 3]}");
    ts_mesh *m = ts_mesh_new();
    ts_mesh_append(m, made_.mesh, NULL);
    ts_mesh_finish(m);
    int all = ts_mesh_find(m, "all", 2);
    assert_int_equal(ts_mesh_check_sides(m, all), 0);
    ts_mesh_reverse(m, m->set[all].cell[4]);
    assert_int_equal(ts_mesh_check_sides(m, all), TORSOR_EINVAL);
    assert_non_null(strstr(ts_error_message(), "cell 5 "));
    assert_int_equal(ts_mesh_check(m, all), 0);
    ts_mesh_free(m);
    forget(&made_);
}

static void sets_are_found_or_suggested(void **state) {
    (void)state;
    made m =
        make("{type: tube, inner_radius: 1, outer_radius: 2, length: 1, divisions: [1, 6, 1]}");
    assert_true(ts_mesh_find(m.mesh, "inner", 2) >= 0);
    assert_true(ts_mesh_find(m.mesh, "inner", 3) < 0);
    assert_true(ts_mesh_find(m.mesh, "iner", -1) < 0);
    assert_non_null(strstr(ts_error_message(), "did you mean 'inner'?"));
    assert_true(ts_mesh_find(m.mesh, "zzzzzzzzz", 2) < 0);
    assert_non_null(strstr(ts_error_message(), "there are inner, outer, start, end"));
    assert_int_equal(ts_mesh_nearest(m.mesh, v3_make(5, 0.1, 0.2)),
                     ts_mesh_nearest(m.mesh, v3_make(2, 0, 0)));
    forget(&m);
}

/* ---- what is refused ---- */

static const struct wrong {
    const char *entry, *message;
} WRONG[] = {
    {"type: box, divisions: [1, 1, 1]", "give the size of the box"},
    {"type: box, size: [1, 1, 1], from: [0, 0, 0], to: [1, 1, 1], divisions: [1, 1, 1]",
     "give the size"},
    {"type: box, size: [1, 1, 1], to: [1, 1, 1], divisions: [1, 1, 1]", "give the size"},
    {"type: box, size: [1, 0, 1], divisions: [1, 1, 1]", "positive size"},
    {"type: box, size: [1, 1, 1], divisions: [1, 1]", "expected 3 whole numbers"},
    {"type: box, size: [1, 1, 1], divisions: [1, 1, 1.5]", "whole numbers from 1"},
    {"type: box, size: [1, 1, 1], divisions: [1, 0, 1]", "whole numbers from 1"},
    {"type: box, size: [1, 1, 1], divisions: [1000, 1000, 1000]", "at most 4000000"},
    {"type: box, size: [1, 1, 1], divisions: [1, 1, 1], order: 3", "order 1 or 2"},
    {"type: box, size: [1, 1, 1], divisions: [1, 1, 1], serendipity: true", "of order 2"},
    {"type: box, size: [1, 1, 1], divisions: [1, 1, 1], order: 2, cells: tet, serendipity: true",
     "of order 2"},
    {"type: plate, divisions: [1, 1]", "give the size of the plate"},
    {"type: plate, size: [1, 1, 1], divisions: [1, 1]", "two lengths"},
    {"type: plate, corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], divisions: [1, 1]",
     "four corners, got 3"},
    {"type: plate, corners: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], divisions: [2, 2]",
     "cell"},
    {"type: plate, corners: [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], divisions: [1, 1]",
     "degenerate"},
    {"type: cylinder, radius: 0, length: 1, divisions: [4, 1]", "radius must be above zero"},
    {"type: cylinder, radius: 1, length: 1, divisions: [2, 1]", "at least 3 cells"},
    {"type: cylinder, radius: 1, length: 1, divisions: [4, 1], angle: 400 deg", "at most 360 deg"},
    {"type: sphere, radius: 1, latitude: [0, 90 deg], divisions: [4, 4]", "expected two latitudes"},
    {"type: annulus, inner_radius: 2, outer_radius: 1, divisions: [4, 4]",
     "smaller than the outer"},
    {"type: tube, outer_radius: 1, length: 1, divisions: [1, 6, 1]", "multiple of 4"},
    {"type: tube, outer_radius: 1, length: 1, divisions: [1, 8, 1], angle: 90 deg",
     "always a full turn"},
    {"type: patch, x: u, y: q, divisions: [1, 1]", "unknown name 'q'"},
    {"type: patch, x: u, y: 1 s*v, divisions: [1, 1]", "expected a length"},
    {"type: patch, x: u, y: t, divisions: [1, 1]", "this value depends on time"},
    {"type: patch, x: u, y: 1/v, divisions: [1, 1]", "not finite"},
    {"type: patch, x: u, y: v, u: [1, 0], divisions: [1, 1]", "the first the smaller one"},
    {"type: patch, x: v, y: u, z: w, w: [0, 1], divisions: [1, 1, 1]", "inside out"},
    {"type: join, first: X, second: X", "X"},
    {"type: gmsh, file: a.msh", "cannot refer to files"},
};

static void nonsense_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[2000];
        ts_document *document;
        ts_diagnostics list = {0};
        snprintf(text, sizeof text, SCENE_HEAD "meshes:\n  M: {%s}\n", WRONG[i].entry);
        int status = ts_document_parse(&document, text, strlen(text), "model.yaml", &list);
        if (status != TORSOR_EINVAL || list.count < 1 ||
            !strstr(list.items[0].message, WRONG[i].message)) {
            ts_diagnostics_print(&list, stderr, false);
            fail_msg("%s\nexpected: %s", text, WRONG[i].message);
        }
        ts_diagnostics_clear(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(plates),
        cmocka_unit_test(curved_meshes_converge),
        cmocka_unit_test(normals_are_exact),
        cmocka_unit_test(rings_close_or_not),
        cmocka_unit_test(solids_have_skins),
        cmocka_unit_test(meshes_are_joined),
        cmocka_unit_test(folds_have_no_normals),
        cmocka_unit_test(merging_finds_all_pairs),
        cmocka_unit_test(bad_cells_are_named),
        cmocka_unit_test(sides_are_compared),
        cmocka_unit_test(sets_are_found_or_suggested),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("meshes", tests, NULL, NULL);
}
