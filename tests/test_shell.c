/* Shells: patch tests on distorted cells of 4 and 9 nodes, rigid motion, folds, mass, directors, and what is refused.
 *
 * Patch tests put the nodes where a field of constant strain has them. Then strains must be those constants at every point, and the
 * forces of the elements must leave inner nodes alone. Expected numbers are closed forms.
 */
#include "scene.h"

#include "math/rotation.h"

enum { TEXT = 4000 };
static char text[TEXT];

static const char *write_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *write_text(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length > 0 && length < TEXT);
    return text;
}

#define MATERIAL                                         \
    "materials:\n  M: {E: 1200, nu: 0.3, density: 10}\n" \
    "shell_sections:\n  S: {type: shell, material: M, thickness: 0.1}\n"

/* Four straight-sided cells about an inner point, all different. */
#define FOUR_CELLS                                                                            \
    "meshes:\n"                                                                               \
    "  a: {type: plate, corners: [[0, 0, 0], [0.6, 0, 0], [0.45, 0.6, 0], [0, 0.4, 0]], "     \
    "divisions: [1, 1], order: %d}\n"                                                         \
    "  b: {type: plate, corners: [[0.6, 0, 0], [1.2, 0, 0], [1.2, 0.5, 0], [0.45, 0.6, 0]], " \
    "divisions: [1, 1], order: %d}\n"                                                         \
    "  c: {type: plate, corners: [[0.45, 0.6, 0], [1.2, 0.5, 0], [1.2, 1, 0], [0.5, 1, 0]], " \
    "divisions: [1, 1], order: %d}\n"                                                         \
    "  d: {type: plate, corners: [[0, 0.4, 0], [0.45, 0.6, 0], [0.5, 1, 0], [0, 1, 0]], "     \
    "divisions: [1, 1], order: %d}\n"                                                         \
    "  ab: {type: join, first: a, second: b}\n  abc: {type: join, first: ab, second: c}\n"    \
    "  all4: {type: join, first: abc, second: d}\n"

static void open_patch(scene *s, int order) {
    scene_open(s,
               write_text(SCENE_HEAD MATERIAL FOUR_CELLS
                          "shells:\n  skin: {mesh: all4, section: S, axis1: [1, 0.5, 0]}\n",
                          order, order, order, order),
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

static bool inner(const ts_node *node) {
    v3 x = node->x;
    return x.x > 1e-9 && x.x < 1.2 - 1e-9 && x.y > 1e-9 && x.y < 1 - 1e-9;
}

/* Ambient forces of all elements. */
static void element_forces(const scene *s, double *F) {
    double q[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS], w[TS_MAX_FORMS];
    for (int i = 0; i < s->model->sites_count; i++) {
        const ts_site *site = &s->model->sites[i];
        ts_site_gather(s->model, site, s->system->state.q, q);
        for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(s->model, site->form + k, q);
        ts_site_weights(s->system, site, e, w);
        for (int k = 0; k < site->forms; k++) {
            ts_form_gradient(s->model, site->form + k, site->slots, q, B);
            for (int j = 0; j < 3 * site->slots; j++) B[j] *= w[k];
            ts_scatter(s->model, site, B, F);
        }
    }
}

/* Strains as expected (global axes: eps or kappa 11, 22, 2*12, gamma 1, 2) at every point; inner nodes in balance. */
static void check_patch(scene *s, const double *expected, double size, double tolerance) {
    double angle = atan2(0.5, 1), c = cos(angle), d = sin(angle);
    for (int i = 0; i < s->model->sites_count; i++) {
        double strain[8], force[8], turned[8];
        ts_site_section(s->system, i, strain, force);
        for (int k = 0; k < 6; k += 3) {
            const double *e = expected + k;
            turned[k] = c * c * e[0] + d * d * e[1] + c * d * e[2];
            turned[k + 1] = d * d * e[0] + c * c * e[1] - c * d * e[2];
            turned[k + 2] = 2 * c * d * (e[1] - e[0]) + (c * c - d * d) * e[2];
        }
        turned[6] = c * expected[6] + d * expected[7],
        turned[7] = c * expected[7] - d * expected[6];
        for (int k = 0; k < 8; k++)
            if (!(fabs(strain[k] - turned[k]) <= tolerance * size))
                fail_msg("site %d, strain %d: %.9g, not %.9g", i, k, strain[k], turned[k]);
    }
    double *F = calloc((size_t)(3 * s->model->slots), sizeof *F), largest = 0;
    int inside = 0;
    element_forces(s, F);
    for (int i = 0; i < 3 * s->model->slots; i++) largest = fmax(largest, fabs(F[i]));
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        const double *q = s->system->state.q + 3 * node->slot;
        if (!inner(node)) continue;
        v3 moment = v3_cross(v3_load(q + 3), v3_load(F + 3 * node->slot + 3));
        double left = fmax(v3_norm(v3_load(F + 3 * node->slot)), v3_norm(moment));
        if (!(left <= 10 * tolerance * largest))
            fail_msg("node %d: %.3g of %.3g", n, left, largest);
        inside++;
    }
    assert_true(inside > 0);
    free(F);
}

/* A homogeneous deformation of any size, turned in space with its normal: membrane. */
static m3 turn_of_patch(void) { return so3_exp(v3_make(0.4, -1.1, 0.7)); }

static void stretched(double x, double y, v3 *place, v3 *director) {
    m3 R = turn_of_patch();
    *place = m3_apply(R, v3_make(1.3 * x + 0.2 * y, 0.1 * x + 0.8 * y, 0.5));
    *director = R.c[2];
}

static void membrane(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        scene s;
        open_patch(&s, order);
        put(&s, stretched);
        double e[8] = {0.5 * (1.3 * 1.3 + 0.1 * 0.1 - 1), 0.5 * (0.2 * 0.2 + 0.8 * 0.8 - 1),
                       1.3 * 0.2 + 0.1 * 0.8};
        check_patch(&s, e, 1, 1e-13);
        scene_close(&s);
    }
}

static const double SMALL =
    1e-7; /* bending patches hold in first order only: a bent strip is no parabola */

static void bent(double x, double y, v3 *place, v3 *director) {
    double w = 0.5 * (1.1 * x * x + 2 * 0.4 * x * y - 0.7 * y * y);
    *place = v3_make(x, y, SMALL * w);
    *director =
        v3_normalize(v3_make(-SMALL * (1.1 * x + 0.4 * y), -SMALL * (0.4 * x - 0.7 * y), 1));
}

static void bending(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        scene s;
        open_patch(&s, order);
        put(&s, bent);
        double e[8] = {0, 0, 0, -1.1 * SMALL, 0.7 * SMALL, -2 * 0.4 * SMALL};
        check_patch(&s, e, SMALL, 2e-7);
        scene_close(&s);
    }
}

static void sheared(double x, double y, v3 *place, v3 *director) {
    m3 R = turn_of_patch();
    *place = m3_apply(R, v3_make(x, y, 0));
    *director = m3_apply(R, v3_normalize(v3_make(0.3, -0.2, 1)));
}

static void shear(void **state) {
    (void)state;
    double length = sqrt(1 + 0.3 * 0.3 + 0.2 * 0.2);
    for (int order = 1; order <= 2; order++) {
        scene s;
        open_patch(&s, order);
        put(&s, sheared);
        double e[8] = {0, 0, 0, 0, 0, 0, 0.3 / length, -0.2 / length};
        check_patch(&s, e, 1, 1e-13);
        scene_close(&s);
    }
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
               write_text(SCENE_HEAD MATERIAL
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
            for (int i = 0; i < s.model->sites_count; i++) {
                ts_site_section(s.system, i, strain, force);
                for (int k = 0; k < 8; k++) assert_true(fabs(strain[k]) < 2e-14);
            }
            scene_close(&s);
        }
}

/* The fold has frames, everything else directors; the directors of the cells there are their own normals. */
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

/* ---- mass ---- */

static void mass(void **state) {
    (void)state;
    for (int surface = 0; surface < 2; surface++)
        for (int order = 1; order <= 2; order++) {
            scene s;
            open_surface(&s, surface, order, "");
            double mass = 0, turning = 0, area = 0;
            for (int n = 1; n < s.model->nodes_count; n++) {
                const double(*A)[4] = s.model->nodes[n].mass;
                assert_true(A[0][0] > 0 && A[1][1] + A[2][2] + A[3][3] > 0);
                mass += A[0][0], turning += A[1][1] + A[2][2] + A[3][3];
            }
            for (int i = 0; i < s.model->sites_count; i++) area += s.model->sites[i].weight;
            /* flat: exact; curved: two rules of quadrature for one area */
            double off = surface ? 1e-14 : 2e-2;
            assert_true(fabs(mass / (10 * 0.1 * area) - 1) < off);
            assert_true(fabs(turning / mass / (0.1 * 0.1 / 12) - 1) < 1e-13);
            scene_close(&s);
        }
}

/* ---- motion ---- */

#define THROWN ", velocity: [1, 0.5, 2], angular_velocity: [2, 3, -1]"

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
            scene_begin(&s, schemes[k].scheme, scene_options(schemes[k].rho));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(membrane),     cmocka_unit_test(bending), cmocka_unit_test(shear),
        cmocka_unit_test(rigid_motion), cmocka_unit_test(folds),   cmocka_unit_test(mass),
        cmocka_unit_test(free_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
