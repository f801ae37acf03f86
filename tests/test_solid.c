/* SPDX-License-Identifier: Apache-2.0 */
/* Solids: patch tests in distorted cells of every type and law, rigid motion, mass, free flight,
 * tangents, damping, and refused input. What needs whole runs (rank, order of convergence, locking)
 * is in test_solid.py.
 *
 * A patch test puts the nodes where a homogeneous deformation has them. Then strains must be its
 * constants at every point, and the forces of the elements must leave alone all nodes but those of
 * the surface, the inner ones of enhanced strains among them.
 */
#include "scene.h"

#include "laws/dilatation_law.h"
#include "math/rotation.h"
#include "model/mesh_nodes.h"

enum { STRAINS = 6 };
/* ---- elements and materials ---- */

/* Cells that are pieces of one trilinear map, and of another that curves those of order 2; those of
 * order 1 have straight edges in both. */
#define STRAIGHT                                                           \
    "type: patch, x: u + 0.2*u*v - 0.15*v*w, y: v - 0.2*u*w + 0.1*u*v*w, " \
    "z: w + 0.25*u*v, w: [0, 1], divisions: [2, 2, 2]"
#define CURVED                                                             \
    "type: patch, x: u + 0.2*v^2 - 0.15*v*w, y: v - 0.2*u^2*w + 0.1*w^2, " \
    "z: w + 0.25*u*v^2, w: [0, 1], divisions: [2, 2, 2]"

typedef struct element {
    const char *name, *mesh, *more;
    bool curved, reduced;
} element;

/* In curved cells fewer points do not integrate the gradients: no patch test is to be expected
 * there. */
static const element ELEMENTS[] = {
    {"hex8", CURVED, ", volumetric: full", false, false},
    {"hex8 plain", CURVED, ", enhanced: false, volumetric: full", false, false},
    {"hex8 reduced", CURVED, ", volumetric: reduced", false, true},
    {"hex8 plain reduced", CURVED, ", enhanced: false, volumetric: reduced", false, true},
    {"hex20", STRAIGHT ", order: 2, serendipity: true", ", volumetric: full", false, false},
    {"hex20 curved", CURVED ", order: 2, serendipity: true", ", volumetric: full", true, false},
    {"hex20 reduced", CURVED ", order: 2, serendipity: true", ", volumetric: reduced", true, true},
    {"hex27", STRAIGHT ", order: 2", ", volumetric: full", false, false},
    {"hex27 curved", CURVED ", order: 2", ", volumetric: full", true, false},
    {"hex27 reduced", CURVED ", order: 2", ", volumetric: reduced", false, true},
    {"tet4", "type: gmsh, file: \"cube_tet4.msh\"", ", volumetric: full", false, false},
    {"tet10", "type: gmsh, file: \"cube_tet10.msh\"", ", volumetric: full", false, false},
    {"tet10 reduced", "type: gmsh, file: \"cube_tet10.msh\"", ", volumetric: reduced", false, true},
};
enum { ELEMENT_COUNT = sizeof ELEMENTS / sizeof *ELEMENTS };

static const char *const MATERIALS[] = {
    "{E: 1200, nu: 0.3, density: 10}",
    ("{type: orthotropic, E1: 1400, E2: 600, E3: 500, nu12: 0.3, nu23: 0.4, nu13: 0.25, G12: 300, "
     "G23: 200, G13: 250, density: 10}"),
    "{type: neo_hookean, mu: 500, lambda: 800, density: 10}",
    "{type: neo_hookean, mu: 500, kappa: 3000, density: 10}",
    "{type: mooney_rivlin, c10: 200, c01: 60, kappa: 3000, density: 10}",
};
enum { MATERIAL_COUNT = sizeof MATERIALS / sizeof *MATERIALS };

static const char *block_text(const char *mesh, const char *material, const char *more) {
    return scene_write(SCENE_HEAD "materials:\n  M: %s\nmeshes:\n  V: {%s}\n"
                                  "solids:\n  W: {mesh: V, material: M%s}\n",
                       material, mesh, more);
}

static void read_block(scene *s, const char *mesh, const char *material, const char *more) {
    char beside[700];
    ts_diagnostics list = {0};
    *s = (scene){0};
    const char *text = block_text(mesh, material, more);
    snprintf(beside, sizeof beside, "%s/tests/data/gmsh/solid.yaml", getenv("TORSOR_SOURCE_DIR"));
    if (ts_document_parse_beside(&s->document, text, strlen(text), beside, &list))
        fail_msg("%s\n%s", list.count ? list.items[0].message : "", text);
    ts_diagnostics_clear(&list);
    s->model = s->document->model;
}

static void open_block(scene *s, const element *e, int material, const char *more) {
    char fields[400];
    bool orthotropic = material == 1;
    snprintf(fields, sizeof fields, "%s%s%s", e->more,
             orthotropic ? ", axes: {axis: [1, 2, -1], angle: 40 deg}" : "", more);
    read_block(s, e->mesh, MATERIALS[material], fields);
    scene_begin(s, "EP", scene_options("EP", 1));
}

/* ---- patch tests ---- */

static m3 turn_of_patch(void) { return so3_exp(v3_make(0.4, -1.1, 0.7)); }

static void move_all(const scene *s, m3 F, v3 shift) {
    for (int n = 1; n < s->model->nodes_count; n++) {
        const ts_node *node = &s->model->nodes[n];
        if (!node->inner)
            v3_store(s->system->state.q + 3 * node->slot, v3_add(m3_apply(F, node->x), shift));
    }
}

static void forms_of(const scene *s, const ts_site *site, double *e) {
    double z[3 * TS_MAX_SLOTS];
    ts_site_gather(s->model, site, s->system->state.q, z);
    for (int k = 0; k < site->forms; k++) e[k] = ts_form_value(s->model, site->form + k, z);
}

static void element_forces(const scene *s, double *F) {
    double z[3 * TS_MAX_SLOTS], B[3 * TS_MAX_SLOTS], e[TS_MAX_FORMS], w[TS_MAX_FORMS];
    for (int i = 0; i < s->model->sites_count; i++) {
        const ts_site *site = &s->model->sites[i];
        ts_site_gather(s->model, site, s->system->state.q, z);
        forms_of(s, site, e);
        ts_site_weights(s->system, site, e, w);
        for (int k = 0; k < site->forms; k++) {
            ts_form_gradient(s->model, site->form + k, site->slots, z, B);
            for (int j = 0; j < 3 * site->slots; j++) B[j] *= w[k];
            ts_scatter(s->model, site, B, F);
        }
    }
}

/* Which nodes lie on a face: those of the sets of faces of the mesh. */
static bool *surface_nodes(const scene *s, int *others) {
    int mesh = scene_part(s, "V");
    const ts_mesh *m = s->model->meshes[s->model->parts[mesh].data];
    bool *on = calloc((size_t)s->model->nodes_count, sizeof *on);
    for (int k = 0; k < m->sets; k++)
        for (int i = 0; m->set[k].dimension == 2 && i < m->set[k].points; i++)
            on[ts_mesh_node_find(s->model, mesh, m->set[k].point[i], TS_NODE_POINT)] = true;
    *others = 0;
    for (int n = 1; n < s->model->nodes_count; n++) *others += !on[n] && !s->model->nodes[n].inner;
    return on;
}

/* The strain of a mean dilatation is J - 1 of the element. */
static void check_dilatation(const scene *s, const ts_site *site, const char *name, m3 F,
                             double tolerance) {
    double e[TS_MAX_FORMS], strain[6], force[6];
    forms_of(s, site, e);
    TS_DILATATION_LAW.section(s->model->numbers + site->data, e, 0, strain, force);
    if (!(fabs(strain[0] + 1 - m3_det(F)) <= tolerance))
        fail_msg("%s: ratio of volumes %.12g, not %.12g", name, strain[0] + 1, m3_det(F));
}

static void check_strains(const scene *s, const char *name, m3 F, double tolerance) {
    static const int row[STRAINS] = {0, 1, 2, 0, 1, 0}, column[STRAINS] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < s->model->sites_count; i++) {
        double e[TS_MAX_FORMS];
        if (s->model->sites[i].law == &TS_DILATATION_LAW) {
            check_dilatation(s, &s->model->sites[i], name, F, tolerance);
            continue;
        }
        forms_of(s, &s->model->sites[i], e);
        for (int k = 0; k < STRAINS; k++) {
            double C = v3_dot(F.c[row[k]], F.c[column[k]]), E = k < 3 ? 0.5 * (C - 1) : C;
            if (!(fabs(e[k] - E) <= tolerance))
                fail_msg("%s: strain %d: %.12g, not %.12g", name, k, e[k], E);
        }
    }
}

static void check_balance(const scene *s, const char *name) {
    double *F = calloc((size_t)(3 * s->model->slots), sizeof *F), largest = 0, left = 0;
    int others;
    bool *on = surface_nodes(s, &others);
    assert_true(others > 0);
    element_forces(s, F);
    for (int n = 1; n < s->model->nodes_count; n++) {
        double f = v3_norm(v3_load(F + 3 * s->model->nodes[n].slot));
        if (on[n]) largest = fmax(largest, f);
        if (!on[n]) left = fmax(left, f);
    }
    free(F), free(on);
    if (!(left <= 1e-13 * largest))
        fail_msg("%s: %.3g of the largest force is left over", name, left / largest);
}

static void patch(void **state) {
    (void)state;
    m3 F = m3_mul(turn_of_patch(),
                  m3_cols(v3_make(1.2, 0.05, 0), v3_make(0.1, 0.9, 0.15), v3_make(0, 0.1, 1.1)));
    for (int i = 0; i < ELEMENT_COUNT; i++)
        for (int m = 0; m < MATERIAL_COUNT; m++) {
            scene s;
            open_block(&s, &ELEMENTS[i], m, "");
            move_all(&s, F, v3_make(0.3, 0.2, -0.5));
            check_strains(&s, ELEMENTS[i].name, F, 1e-13);
            check_balance(&s, ELEMENTS[i].name);
            scene_close(&s);
        }
}

/* ---- rigid motion ---- */

static void rigid_motion(void **state) {
    (void)state;
    m3 R = so3_exp(v3_make(1.5, -0.8, 2.1));
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        scene s;
        double kinetic, elastic, gravity;
        open_block(&s, &ELEMENTS[i], 4, "");
        move_all(&s, R, v3_make(3, -1, 2));
        check_strains(&s, ELEMENTS[i].name, R, 1e-13);
        ts_energies(s.system, &kinetic, &elastic, &gravity);
        assert_true(fabs(elastic) < 1e-20 * 3000);
        scene_close(&s);
    }
}

/* ---- mass ---- */

/* The volume of the hexahedra by a closed form: the boundary of STRAIGHT is that of one trilinear
 * map, det = a polynomial whose integral is taken by a rule exact for it; of the cubes 1. Straight
 * bodies have their centre where mass times place has it. */
static void mass(void **state) {
    (void)state;
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        scene s;
        double sum = 0, volume = 0;
        v3 moment = {0, 0, 0}, exact = {0, 0, 0};
        open_block(&s, &ELEMENTS[i], 0, "");
        for (int n = 1; n < s.model->nodes_count; n++) {
            const ts_node *node = &s.model->nodes[n];
            if (node->inner) {
                assert_true(node->mass[0][0] == 0);
                continue;
            }
            assert_true(node->mass[0][0] > 0);
            sum += node->mass[0][0], moment = v3_axpy(node->mass[0][0], node->x, moment);
        }
        for (int k = 0; k < s.model->stations_count; k++) {
            const ts_station *x = &s.model->stations[k];
            volume += x->weight;
            exact = v3_axpy(x->weight, v3_load(s.model->numbers + x->place), exact);
        }
        assert_near(sum / (10 * volume), 1, 1e-13);
        if (strncmp(ELEMENTS[i].name, "tet", 3) == 0) {
            assert_near(volume, 1, 1e-12);
            for (int k = 0; k < 3; k++) assert_near(v3_get(exact, k), 0.5, 1e-12);
        }
        /* lumps are not consistent: the centre is met to the order of the mesh, exactly in cells
         * that are boxes (below) */
        assert_true(v3_norm(v3_sub(v3_scale(1 / sum, moment), v3_scale(1 / volume, exact))) < 0.02);
        scene_close(&s);
    }
}

static void mass_of_a_box(void **state) {
    (void)state;
    static const char *const more[] = {"", ", order: 2", ", order: 2, serendipity: true",
                                       ", cells: tet", ", cells: tet, order: 2"};
    for (int i = 0; i < 5; i++) {
        scene s;
        double m;
        v3 centre;
        char mesh[200];
        snprintf(mesh, sizeof mesh,
                 "type: box, from: [1, 0, 0], to: [3, 1, 0.5], divisions: [2, 2, 1]%s", more[i]);
        read_block(&s, mesh, MATERIALS[0], "");
        scene_begin(&s, "EP", scene_options("EP", 1));
        ts_mass_centre(s.system, &m, &centre);
        assert_near(m, 10, 1e-13);
        if (i < 3) /* tetrahedra fill a box without its symmetry */
            assert_true(v3_norm(v3_sub(centre, v3_make(2, 0.5, 0.25))) < 1e-14);
        scene_close(&s);
    }
}

/* ---- motion ---- */

#define THROWN ", velocity: [1, 0.5, 2], angular_velocity: [2, 3, -1], centre: [0.5, 0.5, 0.5]"

static void fly(const element *e, int material, const char *scheme, double rho) {
    scene s;
    v3 p0, L0, p, L;
    open_block(&s, e, material, THROWN);
    scene_end(&s);
    scene_begin(&s, scheme, scene_options(scheme, rho));
    ts_momenta(s.system, &p0, &L0);
    double before = s.system->ledger.kinetic + s.system->ledger.elastic, last = before;
    for (int n = 0; n < 8; n++) {
        scene_step(&s, 0.02);
        double now = s.system->ledger.kinetic + s.system->ledger.elastic;
        if (rho < 1 && !(now <= last * (1 + 1e-13))) fail_msg("%s: energy grows", e->name);
        last = now;
    }
    ts_momenta(s.system, &p, &L);
    const ts_ledger *l = &s.system->ledger;
    assert_below("momentum", v3_norm(v3_sub(p, p0)) / v3_norm(p0), 1e-12);
    assert_below("angular momentum", v3_norm(v3_sub(L, L0)) / v3_norm(L0), 1e-11);
    assert_below("balance", fabs(l->balance) / before, 1e-12);
    assert_true(l->elastic > 1e-5 * before); /* it does deform */
    if (rho == 1) assert_below("energy kept", fabs(last - before) / before, 1e-12);
    if (rho < 1) assert_true(l->algorithmic > 0);
    scene_close(&s);
}

static void free_flight(void **state) {
    (void)state;
    for (int i = 0; i < ELEMENT_COUNT; i++) {
        fly(&ELEMENTS[i], i % MATERIAL_COUNT, "EP", 1);
        fly(&ELEMENTS[i], (i + 2) % MATERIAL_COUNT, "ED", i % 2 ? 0 : 0.6);
    }
    for (int m = 0; m < MATERIAL_COUNT; m++) { /* every law on the smallest */
        fly(&ELEMENTS[0], m, "EP", 1);
        fly(&ELEMENTS[0], m, "ED", 0);
        fly(&ELEMENTS[3], m, "EP", 1); /* of mean dilatation, where it is hyperelastic */
        fly(&ELEMENTS[3], m, "ED", 0);
    }
}

/* One element, stretched and let go, with and without damping. */
#define CUBE "type: box, size: [1, 1, 1], divisions: [1, 1, 1]"

static double lost_by_damping(const char *damping) {
    scene s;
    read_block(&s, CUBE, MATERIALS[4], damping);
    scene_begin(&s, "EP", scene_options("EP", 1));
    m3 F = m3_cols(v3_make(1.3, 0, 0), v3_make(0.2, 1, 0), v3_make(0, 0, 0.9));
    move_all(&s, F, v3_make(0, 0, 0));
    ts_system_begin(s.system);
    double before = s.system->ledger.elastic, lost = 0;
    assert_true(before > 0);
    for (int n = 0; n < 50; n++) {
        scene_step(&s, 0.005);
        assert_true(s.system->ledger.dissipated >= lost);
        lost = s.system->ledger.dissipated;
    }
    assert_below("balance", fabs(s.system->ledger.balance) / before, 1e-12);
    double now = s.system->ledger.kinetic + s.system->ledger.elastic;
    assert_near((now + lost) / before, 1, 1e-12);
    scene_close(&s);
    return lost / before;
}

static void damping(void **state) {
    (void)state;
    assert_true(lost_by_damping("") == 0);
    assert_true(lost_by_damping(", damping: 5 ms") > 0.2);
}

/* ---- tangents ---- */

static const char *const SMALL[] = {
    CUBE,
    CUBE ", order: 2, serendipity: true",
    "type: box, size: [1, 1, 1], divisions: [1, 1, 1], cells: tet",
    "type: box, size: [1, 1, 1], divisions: [1, 1, 1], cells: tet, order: 2",
    CUBE ", order: 2",
};

static void tangents(void **state) {
    (void)state;
    static const struct {
        int mesh, material;
        const char *scheme, *more;
        double rho;
    } list[] = {
        {0, 0, "EP", ", volumetric: reduced, damping: 0.01", 1},
        {0, 1, "ED", "", 0},
        {0, 2, "EP", ", damping: 0.01", 1},
        {0, 3, "ED", ", enhanced: false", 0.6},
        {0, 4, "EP", ", volumetric: reduced", 1},
        {0, 4, "ED", ", volumetric: reduced", 0},
        {0, 3, "EP", ", enhanced: false, volumetric: reduced, damping: 0.01", 1},
        {0, 2, "ED", ", enhanced: false, volumetric: reduced, damping: 0.01", 0.6},
        {1, 2, "EP", "", 1},
        {2, 4, "EP", "", 1},
        {2, 4, "ED", ", damping: 0.01", 0},
        {3, 3, "EP", ", volumetric: reduced", 1},
        {4, 0, "EP", ", volumetric: reduced", 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scene s;
        char more[300];
        snprintf(more, sizeof more, "%s" THROWN, list[i].more);
        read_block(&s, SMALL[list[i].mesh], MATERIALS[list[i].material], more);
        scene_begin(&s, list[i].scheme, scene_options(list[i].scheme, list[i].rho));
        for (int n = 0; n < 2; n++) scene_step(&s, 0.01);
        scene_set_up(&s, list[i].scheme, list[i].rho, 0.1);
        tangent_shake(s.st, 0.02);
        double error = tangent_error(s.st);
        measured(SMALL[list[i].mesh], list[i].scheme, list[i].rho, error);
        if (!(error <= 1e-7))
            fail_msg("%s, %s, %s: tangent %.3g", SMALL[list[i].mesh], MATERIALS[list[i].material],
                     list[i].scheme, error);
        scene_close(&s);
    }
}

/* ---- stability ---- */

/* The thickness of a neo-Hookean sheet (mu, kappa) stretched by l in its plane and free across: no
 * stress there. */
static double free_thickness(double mu, double kappa, double l) {
    double low = 0.2 / (l * l), high = 5 / (l * l);
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high), J = l * l * t;
        double P = mu * pow(J, -2.0 / 3) * (t - (2 * l * l + t * t) / (3 * t)) +
                   kappa / 2 * (J - 1 / J) * J / t;
        *(P > 0 ? &high : &low) = t;
    }
    return low;
}

/* Motions of a hexahedron of 8 nodes that are not affine: products of two or three coordinates of
 * its corners. */
static v3 hourglass(int mode, int corner) {
    v3 xi = ts_cell_node(TS_CELL_HEX8, corner);
    double pattern[] = {xi.x * xi.y, xi.y * xi.z, xi.z * xi.x, xi.x * xi.y * xi.z};
    return v3_scale(pattern[mode / 3], v3_axis(mode % 3));
}

static void move_hourglass(const scene *s, m3 F, int mode, double amount) {
    int mesh = scene_part(s, "V");
    const ts_mesh *m = s->model->meshes[s->model->parts[mesh].data];
    move_all(s, F, v3_make(0, 0, 0));
    for (int a = 0; a < 8; a++) {
        int n = ts_mesh_node_find(s->model, mesh, ts_mesh_nodes(m, 0)[a], TS_NODE_POINT);
        double *q = s->system->state.q + 3 * s->model->nodes[n].slot;
        v3_store(q, v3_axpy(amount, hourglass(mode, a), v3_load(q)));
    }
}

static double hourglass_force(const scene *s, const double *F, int mode) {
    int mesh = scene_part(s, "V");
    const ts_mesh *m = s->model->meshes[s->model->parts[mesh].data];
    double sum = 0;
    for (int a = 0; a < 8; a++) {
        int n = ts_mesh_node_find(s->model, mesh, ts_mesh_nodes(m, 0)[a], TS_NODE_POINT);
        sum += v3_dot(hourglass(mode, a), v3_load(F + 3 * s->model->nodes[n].slot));
    }
    return sum;
}

/* Is the stiffness against these motions positive definite? By elimination. */
static bool holds(const scene *s, m3 F) {
    enum { N = 12 };
    double K[N][N], h = 1e-5;
    double *f = calloc((size_t)(3 * s->model->slots), sizeof *f);
    for (int c = 0; c < N; c++)
        for (int side = -1; side < 2; side += 2) {
            memset(f, 0, (size_t)(3 * s->model->slots) * sizeof *f);
            move_hourglass(s, F, c, side * h);
            element_forces(s, f);
            for (int r = 0; r < N; r++)
                K[r][c] = (side > 0 ? K[r][c] : 0) + side * hourglass_force(s, f, r) / (2 * h);
        }
    free(f);
    for (int k = 0; k < N; k++) {
        if (!(K[k][k] > 0)) return false;
        for (int r = k + 1; r < N; r++)
            for (int c = N - 1; c >= k; c--) K[r][c] -= K[r][k] * K[k][c] / K[k][k];
    }
    return true;
}

/* A sheet of rubber under tension in its plane is stable, so its elements must be: cubes and flat
 * cells of the default form. */
static void stretched_sheet(void **state) {
    (void)state;
    static const char *const meshes[] = {CUBE,
                                         "type: box, size: [1, 1, 0.2], divisions: [1, 1, 1]"};
    for (int i = 0; i < 2; i++)
        for (double l = 1; l < 3; l += 0.25) {
            scene s;
            read_block(&s, meshes[i], "{type: neo_hookean, mu: 1, kappa: 100, density: 1}", "");
            scene_begin(&s, "EP", scene_options("EP", 1));
            double t = free_thickness(1, 100, l);
            m3 F = m3_cols(v3_make(l, 0, 0), v3_make(0, l, 0), v3_make(0, 0, t));
            if (!holds(&s, F)) fail_msg("%s: unstable at a stretch of %g", meshes[i], l);
            scene_close(&s);
        }
}

/* ---- what is refused ---- */

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *mesh, *more, *words;
    } wrong[] = {
        {"type: patch, x: u, y: v, z: -w, w: [0, 1], divisions: [1, 1, 1]", "", "inside out"},
        {"type: patch, x: u, y: v, z: w*(1 - 3*u*v), w: [0, 1], divisions: [1, 1, 1]", "",
         "cell 1"},
        {"type: plate, size: [1, 1], divisions: [1, 1]", "", "solids"},
        {CUBE, ", set: lid", "lid"},
        {CUBE, ", set: x+", "x+"},
        {CUBE, ", damping: -1", "damping must not be negative"},
        {CUBE, ", volumetric: half", "'half'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_unreadable(block_text(wrong[i].mesh, MATERIALS[0], wrong[i].more), wrong[i].words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch),       cmocka_unit_test(rigid_motion),
        cmocka_unit_test(mass),        cmocka_unit_test(mass_of_a_box),
        cmocka_unit_test(free_flight), cmocka_unit_test(damping),
        cmocka_unit_test(tangents),    cmocka_unit_test(stretched_sheet),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("solid", tests, NULL, NULL);
}
