/* SPDX-License-Identifier: Apache-2.0 */
/* Materials of solids and sections of shells: their stiffnesses and masses against closed forms
 * written here, and refused input.
 *
 *   J   R. M. Jones, Mechanics of Composite Materials, 2nd ed. 1999: chapter 2, stiffnesses of an
 *       orthotropic material and plane stress; chapter 4, laminates
 */
#include "scene.h"

#include "math/rotation.h"
#include "parts/continuum.h"

#define PLY                                                                                        \
    "materials:\n"                                                                                 \
    "  M: {type: orthotropic, E1: 140, E2: 10, E3: 8, nu12: 0.3, nu23: 0.45, nu13: 0.25, G12: 5, " \
    "G23: 3, G13: 4, density: 2}\n"
#define STEEL "materials:\n  M: {E: 210 GPa, nu: 0.3, density: 7850}\n"

static void assert_close(double a, double b, double relative) {
    assert_near(a, b, relative * fmax(fabs(b), 1e-300));
}

static void read_text(scene *s, const char *more, const char *entry) {
    static char text[4000];
    snprintf(text, sizeof text, SCENE_HEAD "%s%sanalysis: {end: 1, step: 0.1}\n", more, entry);
    scene_read(s, text);
}

static ts_material material(const char *entry) {
    char text[600];
    scene s;
    snprintf(text, sizeof text, "materials:\n  M: %s\n", entry);
    read_text(&s, text, "");
    ts_material m = ts_material_load(s.model, scene_part(&s, "M"));
    ts_document_free(s.document);
    return m;
}

static ts_section_of_shell shell(const char *materials, const char *entry) {
    char text[600];
    scene s;
    snprintf(text, sizeof text, "shell_sections:\n  S: %s\n", entry);
    read_text(&s, materials, text);
    ts_section_of_shell r = ts_section_shell(s.model, scene_part(&s, "S"));
    ts_document_free(s.document);
    return r;
}

/* ---- materials ---- */

static void assert_inverse(const ts_material *m, double tolerance) {
    for (int i = 0; i < 36; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum += m->stiffness[6 * (i / 6) + k] * m->compliance[6 * k + i % 6];
        assert_near(sum, i % 7 == 0, tolerance);
        assert_near(m->stiffness[i], m->stiffness[6 * (i % 6) + i / 6], 0);
    }
}

static void orthotropic_is_the_textbooks(void **state) {
    (void)state;
    ts_material m = material("{type: orthotropic, E1: 140, E2: 10, E3: 8, nu12: 0.3, nu23: 0.45, "
                             "nu13: 0.25, G12: 5, G23: 3, G13: 4, density: 2}");
    double nu12 = 0.3, nu23 = 0.45, nu13 = 0.25, nu21 = nu12 / 14, nu32 = nu23 * 0.8,
           nu31 = nu13 * 8 / 140;
    double D =
        (1 - nu12 * nu21 - nu23 * nu32 - nu31 * nu13 - 2 * nu21 * nu32 * nu13) / (140. * 10 * 8);
    assert_inverse(&m, 1e-14);
    assert_close(m.stiffness[0], (1 - nu23 * nu32) / (10 * 8 * D), 1e-13); /* J, chapter 2 */
    assert_close(m.stiffness[1], (nu21 + nu31 * nu23) / (10 * 8 * D), 1e-13);
    assert_close(m.stiffness[2], (nu31 + nu21 * nu32) / (10 * 8 * D), 1e-13);
    assert_close(m.stiffness[8], (nu32 + nu12 * nu31) / (140. * 8 * D), 1e-13);
    assert_close(m.stiffness[14], (1 - nu12 * nu21) / (140. * 10 * D), 1e-13);
    assert_true(m.stiffness[21] == 5 && m.stiffness[28] == 3 && m.stiffness[35] == 4);
    assert_true(m.density == 2 && m.E == 0 && m.G == 0);
}

static void moduli_at_zero_strain(void **state) {
    (void)state;
    ts_material steel = material("{E: 210 GPa, nu: 0.3, density: 7850}");
    assert_inverse(&steel, 1e-14);
    /* 1 MPa and 1 GPa: E = 9 k mu/(3 k + mu) */
    ts_material rubber = material("{type: neo_hookean, mu: 1 MPa, kappa: 1 GPa, density: 1100}");
    assert_inverse(&rubber, 1e-12);
    assert_close(rubber.E, 9e9 / 3001, 1e-14);
    assert_close(rubber.G, 1e6, 1e-12);
    assert_close(rubber.stiffness[1], 1e9 - 2e6 / 3, 1e-14);
    assert_true(rubber.energy[2] == 0.5e6 && rubber.energy[4] == 1e9 && rubber.energy[0] == 0);
    ts_material soft = material("{type: neo_hookean, E: 2.6, nu: 0.3, density: 1}");
    assert_close(soft.energy[0], 1, 1e-14);
    assert_close(soft.energy[1], 1.5, 1e-14);
    assert_inverse(&soft, 1e-14);
    ts_material mooney = material("{type: mooney_rivlin, c10: 4, c01: 1, kappa: 1e3, density: 1}");
    assert_close(mooney.G, 10, 1e-13);
    assert_inverse(&mooney, 1e-12);
    /* beams and shells only */
    ts_material incompressible = material("{E: 3, nu: 0.5, density: 1}");
    assert_true(incompressible.stiffness[0] == 0 && incompressible.compliance[0] == 1 / 3.);
}

/* ---- the law of a site ---- */

/* Stress of the share of the material M, for strains e. */
static void stress_of(const char *materials, ts_share share, m3 axes, const double *e, double *s) {
    scene x;
    read_text(&x, materials, "");
    const int ground = 0;
    int site = ts_model_site(x.model, TS_ROLE_LAW, 1, &ground);
    ts_material_solid(x.model, scene_part(&x, "M"), share, 0.5, 0.01, axes);
    ts_law_step step = {
        .m = 6, .data = x.model->numbers + x.model->sites[site].data, .e_i = e, .e_f = e};
    ts_response r;
    x.model->sites[site].law->respond(&step, &r);
    memcpy(s, r.s, 6 * sizeof *s);
    ts_document_free(x.document);
}

static m3 tensor(const double *v, double shear) {
    return m3_cols(v3_make(v[0], shear * v[3], shear * v[5]),
                   v3_make(shear * v[3], v[1], shear * v[4]),
                   v3_make(shear * v[5], shear * v[4], v[2]));
}

/* The stress tensor of the turned material is that of the material, turned. */
static void material_axes(void **state) {
    (void)state;
    const double e[6] = {0.01, 0.02, -0.03, 0.015, -0.01, 0.025};
    m3 R = so3_exp(v3_make(0.7, -0.4, 1.1)), E = m3_tmul(R, m3_mul(tensor(e, 0.5), R));
    const double own[6] = {E.c[0].x, E.c[1].y, E.c[2].z, 2 * E.c[1].x, 2 * E.c[2].y, 2 * E.c[2].x};
    double s[6], s_own[6];
    stress_of(PLY, TS_SHARE_WHOLE, R, e, s);
    stress_of(PLY, TS_SHARE_WHOLE, m3_identity(), own, s_own);
    m3 turned = m3_mul(R, m3_mul(tensor(s_own, 1), m3_transpose(R)));
    m3 off = m3_sub(tensor(s, 1), turned);
    assert_true(sqrt(m3_inner(off, off)) < 1e-14 * 140);
    ts_material m = material("{type: orthotropic, E1: 140, E2: 10, E3: 8, nu12: 0.3, nu23: 0.45, "
                             "nu13: 0.25, G12: 5, G23: 3, G13: 4, density: 2}");
    for (int k = 0; k < 6; k++) { /* volume 1/2 */
        double unit[6] = {0};
        unit[k] = 1;
        stress_of(PLY, TS_SHARE_WHOLE, m3_identity(), unit, s);
        for (int i = 0; i < 6; i++) assert_near(s[i], 0.5 * m.stiffness[6 * i + k], 1e-13);
    }
}

static void shares_of_materials(void **state) {
    (void)state;
    static const char *const all[] = {
        PLY, STEEL, "materials:\n  M: {type: neo_hookean, mu: 1, lambda: 2, density: 1}\n",
        "materials:\n  M: {type: mooney_rivlin, c10: 1, c01: 2, kappa: 30, density: 1}\n"};
    const double e[6] = {0.1, 0.02, -0.03, 0.15, -0.1, 0.05}, swell[6] = {0.1, 0.1, 0.1};
    m3 R = so3_exp(v3_make(0.7, -0.4, 1.1));
    for (int k = 0; k < 4; k++) {
        double whole[6], iso[6], volume[6];
        stress_of(all[k], TS_SHARE_WHOLE, R, e, whole);
        stress_of(all[k], TS_SHARE_ISOCHORIC, R, e, iso);
        stress_of(all[k], TS_SHARE_VOLUMETRIC, R, e, volume);
        for (int i = 0; i < 6; i++)
            assert_near(whole[i], iso[i] + volume[i], 1e-14 * (fabs(whole[0]) + fabs(volume[0])));
        stress_of(all[k], TS_SHARE_ISOCHORIC, R, swell, iso);
        stress_of(all[k], TS_SHARE_VOLUMETRIC, R, swell, volume);
        assert_true(volume[0] > 0);
        /* of a change of volume alone, what 2 mu E : E has: of kappa, 2/3 mu */
        double kappa = k == 1 ? 175e9 : 30, mu = k == 1 ? 210e9 / 2.6 : 6;
        if (k == 1 || k == 3)
            for (int i = 0; i < 3; i++)
                assert_close(iso[i] / (iso[i] + volume[i]), 2 * mu / (3 * kappa), 1e-13);
    }
}

/* ---- in motion ---- */

/* A tetrahedron of one site, thrown and turning, strained by about a half: F = [x1 - x0, x2 - x0,
 * x3 - x0]. */
static void add_tetrahedron(ts_model *model, int material, bool split, double damping) {
    static const double x[4][3] = {{0, 0, 0}, {1.4, 0.1, 0}, {0.2, 0.8, 0.1}, {-0.1, 0.2, 1.1}},
                        v[4][3] = {{1, 2, -1}, {-3, 1, 2}, {2, -4, 1}, {0, 3, -2}};
    int node[4];
    ts_model_part(model, "tetrahedron")->kind = ts_kind_find("bodies", NULL);
    for (int n = 0; n < 4; n++) {
        node[n] = ts_model_node(model, TS_NODE_POINT, v3_load(x[n]), m3_identity());
        ts_model_mass(model, node[n], 0.05, v3_make(0, 0, 0), (m3){0});
        model->nodes[node[n]].velocity = v3_load(v[n]);
    }
    for (int share = split ? TS_SHARE_ISOCHORIC : TS_SHARE_WHOLE;
         share <= (split ? TS_SHARE_VOLUMETRIC : TS_SHARE_WHOLE); share++) {
        static const int16_t row[6] = {4, 8, 12, 4, 8, 4}, column[6] = {4, 8, 12, 8, 12, 12};
        ts_model_site(model, TS_ROLE_LAW, 4, node);
        for (int k = 0; k < 6; k++) {
            ts_combo a = {.count = 2, .slot = {row[k], 0}, .weight = {1, -1}},
                     b = {.count = 2, .slot = {column[k], 0}, .weight = {1, -1}};
            ts_form_dot(model, k < 3 ? 0.5 : 1, a, b, k < 3 ? -0.5 : 0);
        }
        ts_material_solid(model, material, (ts_share)share, 1.0 / 6, damping, m3_identity());
    }
}

/* The account of a run closes, with EP and ED, for every material; EP without damping keeps the
 * energy itself. */
static void energy_in_motion(void **state) {
    (void)state;
    static const char *const all[] = {
        "materials:\n  M: {E: 100, nu: 0.3, density: 1}\n",
        "materials:\n  M: {type: neo_hookean, E: 100, nu: 0.3, density: 1}\n",
        "materials:\n  M: {type: neo_hookean, mu: 30, kappa: 100, density: 1}\n",
        "materials:\n  M: {type: mooney_rivlin, c10: 12, c01: 4, kappa: 3000, density: 1}\n"};
    for (int k = 0; k < 16; k++) {
        scene s;
        const char *scheme = k & 4 ? "ED" : "EP";
        read_text(&s, all[k % 4], "");
        add_tetrahedron(s.model, scene_part(&s, "M"), k & 8, k & 8 ? 0.001 : 0);
        scene_begin(&s, scheme, scene_options(scheme, 0));
        const ts_ledger *l = &s.system->ledger;
        double start = l->kinetic + l->elastic;
        for (int n = 0; n < 300; n++) scene_step(&s, 0.004);
        double lost = start - l->kinetic - l->elastic;
        assert_near(lost, l->dissipated + l->algorithmic, 1e-13 * s.energy);
        if (k < 4) assert_near(lost, 0, 1e-13 * s.energy);
        if (k >= 4) assert_true(lost > 1e-6 * s.energy);
        scene_close(&s);
    }
}

/* ---- shells of one material ---- */

static void homogeneous_shell(void **state) {
    (void)state;
    double h = 0.01, E = 210e9, nu = 0.3, m = E * h / (1 - nu * nu), d = m * h * h / 12;
    ts_section_of_shell s = shell(STEEL, "{thickness: 1 cm, material: M}");
    for (int i = 0; i < 64; i++) {
        int r = i / 8, c = i % 8;
        double one = r % 3 == 2 || c % 3 == 2 ? (r == c ? (1 - nu) / 2 : 0) : r == c ? 1 : nu;
        double K = r < 3 && c < 3 ? m * one : r > 2 && r < 6 && c > 2 && c < 6 ? d * one : 0;
        if (r > 5 && r == c) K = 5.0 / 6 * E / (2 * (1 + nu)) * h;
        assert_near(s.K[i], K, 1e-14 * (r < 3 || r > 5 ? m : d));
    }
    assert_close(s.mass, 78.5, 1e-14);
    assert_close(s.inertia, 78.5e-4 / 12, 1e-13);
    assert_true(s.mass_moment == 0 && s.thickness == h);

    ts_section_of_shell o = shell(STEEL, "{thickness: 1 cm, material: M, offset: 1 cm}");
    assert_close(o.K[0], m, 1e-14);
    assert_close(o.K[3], m * 0.01, 1e-14);
    assert_close(o.K[27], d + m * 1e-4, 1e-13);
    assert_close(o.K[54], s.K[54], 1e-12);
    assert_close(o.mass_moment, 0.785, 1e-14);
    assert_close(o.inertia, 78.5e-4 * 13 / 12, 1e-13);

    /* nu = 1/2 makes no solid, but a shell: E/(1 - 1/4) */
    ts_section_of_shell rubber =
        shell("materials:\n  M: {E: 3, nu: 0.5, density: 1}\n", "{thickness: 1, material: M}");
    assert_close(rubber.K[0], 4, 1e-14);
}

/* ---- laminates: J, chapter 4 ---- */

typedef struct ply {
    double Q11, Q22, Q12, Q66;
} ply;

static ply plane_stress(void) {
    double one = 1 / (1 - 0.3 * 0.3 / 14);
    return (ply){140 * one, 10 * one, 0.3 * 10 * one, 5};
}

static void assert_block(const ts_section_of_shell *s, int row, int column, const double *upper,
                         double scale) {
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(s->K[8 * (row + i) + column + j], upper[at[i][j]], 1e-14 * scale);
}

static void cross_ply(void **state) {
    (void)state;
    ply q = plane_stress();
    double mean = (q.Q11 + q.Q22) / 2, d = (q.Q11 - q.Q22) / 8;
    ts_section_of_shell s =
        shell(PLY, "{type: laminate, materials: [M, M], thicknesses: [0.5], angles: [0, 90 deg]}");
    assert_block(&s, 0, 0, (double[]){mean, q.Q12, 0, mean, 0, q.Q66}, 200);
    assert_block(&s, 0, 3, (double[]){-d, 0, 0, d, 0, 0}, 200);
    assert_block(&s, 3, 0, (double[]){-d, 0, 0, d, 0, 0}, 200);
    assert_block(&s, 3, 3, (double[]){mean / 12, q.Q12 / 12, 0, mean / 12, 0, q.Q66 / 12}, 200);
    /* [0/90]s: the outer half of the thickness has 7/8 of the bending */
    s = shell(PLY, "{type: laminate, materials: [M], thicknesses: [0.25], angles: [0, 90 deg], "
                   "symmetric: true}");
    assert_block(&s, 0, 0, (double[]){mean, q.Q12, 0, mean, 0, q.Q66}, 200);
    assert_block(&s, 0, 3, (double[6]){0}, 0);
    assert_block(&s, 3, 3,
                 (double[]){(7 * q.Q11 + q.Q22) / 96, q.Q12 / 12, 0, (q.Q11 + 7 * q.Q22) / 96, 0,
                            q.Q66 / 12},
                 200);
    assert_close(s.mass, 2, 1e-14);
    assert_close(s.inertia, 2. / 12, 1e-14);
}

static void angle_ply(void **state) {
    (void)state;
    ply q = plane_stress();
    double A11 = (q.Q11 + q.Q22 + 2 * q.Q12) / 4 + q.Q66,
           A12 = (q.Q11 + q.Q22 + 2 * q.Q12) / 4 - q.Q66, A66 = (q.Q11 + q.Q22 - 2 * q.Q12) / 4,
           coupling = (q.Q11 - q.Q22) / 4;
    ts_section_of_shell s =
        shell(PLY, "{type: laminate, materials: [M], thicknesses: [0.5, 0.5], angles: [-45 deg, 45 "
                   "deg]}");
    double b = coupling / 4;
    assert_block(&s, 0, 0, (double[]){A11, A12, 0, A11, 0, A66}, 200);
    assert_block(&s, 0, 3, (double[]){0, 0, b, 0, b, 0}, 200);
    assert_block(&s, 3, 3, (double[]){A11 / 12, A12 / 12, 0, A11 / 12, 0, A66 / 12}, 200);
    /* [45/-45]s: D16 = Q16 (7 - 1)/96 */
    s = shell(PLY, "{type: laminate, materials: [M], thicknesses: [0.25], angles: [45 deg, -45 "
                   "deg], symmetric: true}");
    b = coupling / 16;
    assert_block(&s, 0, 0, (double[]){A11, A12, 0, A11, 0, A66}, 200);
    assert_block(&s, 3, 3, (double[]){A11 / 12, A12 / 12, b, A11 / 12, b, A66 / 12}, 200);
    /* a layer and the whole section, turned alike */
    ts_section_of_shell t = shell(PLY, "{thickness: 1, material: M, angle: 30 deg, offset: 0.2}"),
                        o = shell(PLY, "{thickness: 1, material: M, offset: 0.2}");
    ts_section_shell_turn(&o, -0.52359877559829887);
    for (int i = 0; i < 64; i++) assert_near(t.K[i], o.K[i], 1e-13 * 140);
    assert_true(t.K[2] > 1); /* fibres from 1 towards 2: extension and shear have the same sign */
    assert_close(o.K[54], 5.0 / 6 * (4 * 0.75 + 3 * 0.25), 1e-13); /* G13 c^2 + G23 s^2 */
    assert_close(o.K[55], 5.0 / 6 * (4 - 3) * sqrt(3) / 4, 1e-13);
}

/* ---- transverse shear ---- */

/* Without Poisson's ratios, each direction is a layered beam: 1/K = integral of F^2/G,
 * F = -integral of E (z - z0)/EI. */
static double beam_shear(int layers, const double *E, const double *G) {
    enum { N = 20000 };
    double EA = 0, ES = 0, EI = 0, F = 0, sum = 0, dz = 1.0 / N;
    for (int n = 0; n < N; n++) {
        double z = (n + 0.5) * dz - 0.5, e = E[n * layers / N];
        EA += e * dz, ES += e * z * dz, EI += e * z * z * dz;
    }
    EI -= ES * ES / EA;
    for (int n = 0; n < N; n++) {
        double z = (n + 0.5) * dz - 0.5, before = F;
        F -= E[n * layers / N] * (z - ES / EA) / EI * dz;
        sum += 0.25 * (before + F) * (before + F) / G[n * layers / N] * dz;
    }
    return 1 / sum;
}

#define NO_POISSON                                                                           \
    "materials:\n  M: {type: orthotropic, E1: 25, E2: 1, E3: 1, nu12: 0, nu23: 0, nu13: 0, " \
    "G12: 0.5, G23: 0.2, G13: 0.5, density: 1}\n"

static void layered_beams(void **state) {
    (void)state;
    ts_section_of_shell s =
        shell(NO_POISSON, "{type: laminate, materials: [M], thicknesses: [0.25], angles: [0, 90 "
                          "deg, 0, 90 deg]}");
    double K1 = beam_shear(4, (double[]){25, 1, 25, 1}, (double[]){0.5, 0.2, 0.5, 0.2}),
           K2 = beam_shear(4, (double[]){1, 25, 1, 25}, (double[]){0.2, 0.5, 0.2, 0.5});
    assert_close(s.K[54], K1, 1e-7);
    assert_close(s.K[63], K2, 1e-7);
    assert_near(s.K[55], 0, 1e-15);
    /* offset or not, it is the same section */
    ts_section_of_shell o =
        shell(NO_POISSON, "{type: laminate, materials: [M], thicknesses: [0.25], angles: [0, 90 "
                          "deg, 0, 90 deg], offset: 3}");
    assert_close(o.K[54], K1, 1e-7);
}

/* Thin stiff faces on a soft core: G d^2/c, d between the middles of the faces. */
static void sandwich(void **state) {
    (void)state;
    ts_section_of_shell s =
        shell("materials:\n  F: {E: 70 GPa, nu: 0.3, density: 2700}\n"
              "  C: {E: 100 kPa, G: 40 kPa, density: 50}\n",
              "{type: laminate, materials: [F, C, F], thicknesses: [1 mm, 50 mm, 1 mm]}");
    assert_close(s.K[54], 40e3 * 0.051 * 0.051 / 0.05, 1e-3);
    assert_close(s.mass, 5.4 + 2.5, 1e-14);
}

/* ---- matrices ---- */

static void given_matrices(void **state) {
    (void)state;
    ts_section_of_shell s = shell(
        "", "{type: abd, A: [9, 1, 2, 8, 3, 7], B: [[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]], D: "
            "[[3, 1, 0], [1, 4, 0], [0, 0, 5]], shear: [6, 1, 5], mass: 2, mass_moment: 0.2, "
            "inertia: 0.5}");
    assert_block(&s, 0, 0, (double[]){9, 1, 2, 8, 3, 7}, 0);
    assert_block(&s, 0, 3, (double[]){0.1, 0, 0, 0.2, 0, 0.3}, 0);
    assert_block(&s, 3, 0, (double[]){0.1, 0, 0, 0.2, 0, 0.3}, 0);
    assert_block(&s, 3, 3, (double[]){3, 1, 0, 4, 0, 5}, 0);
    assert_true(s.K[54] == 6 && s.K[55] == 1 && s.K[62] == 1 && s.K[63] == 5);
    assert_true(s.mass == 2 && s.mass_moment == 0.2 && s.inertia == 0.5);
    /* the numbers of a homogeneous shell give it back, with its inertia */
    s = shell(
        "",
        "{type: abd, A: [12, 0, 0, 12, 0, 6], D: [1, 0, 0, 1, 0, 0.5], shear: [5, 5], mass: 3}");
    assert_close(s.thickness, 1, 1e-15);
    assert_close(s.inertia, 0.25, 1e-15);
    assert_true(s.K[55] == 0 && s.K[63] == 5);
}

static void shells_describe_themselves(void **state) {
    (void)state;
    scene s;
    char text[3000] = "";
    read_text(&s, STEEL, "shell_sections:\n  S: {thickness: 1 cm, material: M, offset: 1 mm}\n");
    FILE *out = fmemopen(text, sizeof text, "w");
    ts_section_shell_describe(s.model, scene_part(&s, "S"), out);
    fclose(out);
    static const char *const words[] = {"shell section S (shell)",
                                        "thickness 0.01 m",
                                        "2.30769e+09",
                                        "B ",
                                        "N m",
                                        "mass   78.5",
                                        "moment 0.0785"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text, words[i])) fail_msg("no '%s' in\n%s", words[i], text);
    ts_document_free(s.document);
}

/* ---- what is refused ---- */

#define IN_MATERIAL(entry) "materials:\n  M: {" entry "}\n"
#define IN_SHELL(entry) STEEL "shell_sections:\n  S: {" entry "}\n"
#define ORTHO(nu) \
    "type: orthotropic, E1: 140, E2: 10, E3: 10, " nu ", G12: 5, G23: 3, G13: 4, density: 2"
#define MATRICES "type: abd, A: [9, 1, 2, 8, 3, 7], mass: 1, "

static const struct wrong {
    const char *text, *message;
} WRONG[] = {
    {IN_MATERIAL(ORTHO("nu12: 4.2, nu23: 0.4, nu13: 0.3")), "|nu12| must be below sqrt(E1/E2)"},
    {IN_MATERIAL(ORTHO("nu12: 0.3, nu23: -1.01, nu13: 0.3")), "|nu23| must be below"},
    {IN_MATERIAL(ORTHO("nu12: 3, nu23: 0.9, nu13: 3")), "too large together"},
    {IN_MATERIAL("type: orthotropic, E1: 140, E2: 10, E3: 10, nu12: 0, nu23: 0, nu13: 0, G12: 5, "
                 "G23: 0, G13: 4, density: 2"),
     "G23 must be above zero"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, density: 1"), "give two moduli"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, lambda: 1, kappa: 1, density: 1"), "give two moduli"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, nu: 0.3, density: 1"), "give two moduli"},
    {IN_MATERIAL("type: neo_hookean, mu: -1, lambda: 1, density: 1"), "mu must be above zero"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, lambda: -0.1, density: 1"), "lambda is negative"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, kappa: 0, density: 1"), "kappa must be above zero"},
    {IN_MATERIAL("type: neo_hookean, E: 1, nu: 0.5, density: 1"), "not from 0 to below 0.5"},
    {IN_MATERIAL("type: neo_hookean, E: 1, nu: -0.1, density: 1"), "not from 0 to below 0.5"},
    {IN_MATERIAL("type: neo_hookean, mu: 1, kappa: 3, density: -1"), "density is negative"},
    {IN_MATERIAL("type: mooney_rivlin, c10: 1, c01: -0.1, kappa: 1, density: 1"),
     "c01 is negative"},
    {IN_MATERIAL("type: mooney_rivlin, c10: 0, c01: 0, kappa: 1, density: 1"),
     "must be above zero"},
    {IN_MATERIAL("type: mooney_rivlin, c10: 1, c01: 0, kappa: 0, density: 1"),
     "kappa must be above"},
    {PLY "sections:\n  S: {type: circle, material: M, diameter: 1}\n", "'M' is not isotropic"},
    {IN_SHELL("thickness: 0, material: M"), "the thickness must be above zero"},
    {IN_SHELL("type: laminate, materials: [M], thicknesses: [1, 0]"),
     "the thickness of layer 2 must be above zero"},
    {IN_SHELL("type: laminate, materials: [M, M], thicknesses: [1, 1, 1]"),
     "materials has 2 entries"},
    {IN_SHELL("type: laminate, materials: [], thicknesses: [1]"), "materials must not be empty"},
    {IN_SHELL("type: laminate, materials: [M], thicknesses: []"), "thicknesses must not be empty"},
    {IN_SHELL("type: laminate, materials: [N], thicknesses: [1]"), "there is no material 'N'"},
    {IN_SHELL("type: laminate, materials: M, thicknesses: [1]"), "expected a list of names"},
    {IN_SHELL(MATRICES "D: [1, 2, 3], shear: [1, 1]"), "expected 3 rows of 3"},
    {IN_SHELL(MATRICES "D: [[1, 2], [3, 4]], shear: [1, 1]"), "expected 3 rows of 3"},
    {IN_SHELL(MATRICES "D: [[1, 2, 3], 4], shear: [1, 1]"), "a row of 3 numbers"},
    {IN_SHELL(MATRICES "D: [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]], shear: [1, 1]"), "not symmetric"},
    {IN_SHELL(MATRICES "D: [1, 2, 0, 1, 0, 1], shear: [1, 1]"), "D is not positive definite"},
    {IN_SHELL(MATRICES "D: [1, 0, 0, 1, 0, 1], shear: [1, 2, 1]"),
     "shear is not positive definite"},
    {IN_SHELL(MATRICES "B: [4, 0, 0, 0, 0, 0], D: [1, 0, 0, 1, 0, 1], shear: [1, 1]"),
     "together are not positive definite"},
    {IN_SHELL(MATRICES "D: [1, 0, 0, 1, 0, 1], shear: [1, 1], mass_moment: 1, inertia: 0.5"),
     "no distribution of mass"},
    {IN_SHELL("type: abd, A: [1, 0, 0, 1, 0, 1], D: [1, 0, 0, 1, 0, 1], shear: [1, 1], mass: -1"),
     "the mass is negative"},
    {IN_SHELL(
         "thickness: 1, material: M") "points:\n  P: [0, 0, 0]\n  Q: [1, 0, 0]\nbeams:\n"
                                      "  R: {from: P, to: Q, section: S, elements: 1, order: 1}\n",
     "expected one of the sections"},
};

static void nonsense_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_unreadable(
            scene_write(SCENE_HEAD "%sanalysis: {end: 1, step: 0.1}\n", WRONG[i].text),
            WRONG[i].message);
}

/* A solid of a material that cannot change its volume. */
static void incompressible_solids_are_refused(void **state) {
    (void)state;
    scene s;
    read_text(&s,
              "materials:\n  M: {E: 1, nu: 0.5, density: 1}\n  N: {E: 1, nu: 0.49, density: 1}\n",
              "");
    ts_builder b = {.model = s.model};
    ts_value value = {.part = {scene_part(&s, "M")}, .text = "M"};
    assert_true(ts_require_solid(&b, &value, 0) != 0);
    assert_non_null(strstr(b.message, "a solid cannot be made of 'M'"));
    value.part[0] = scene_part(&s, "N");
    assert_int_equal(ts_require_solid(&b, &value, 0), 0);
    ts_document_free(s.document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthotropic_is_the_textbooks),
        cmocka_unit_test(moduli_at_zero_strain),
        cmocka_unit_test(material_axes),
        cmocka_unit_test(shares_of_materials),
        cmocka_unit_test(energy_in_motion),
        cmocka_unit_test(homogeneous_shell),
        cmocka_unit_test(cross_ply),
        cmocka_unit_test(angle_ply),
        cmocka_unit_test(layered_beams),
        cmocka_unit_test(sandwich),
        cmocka_unit_test(given_matrices),
        cmocka_unit_test(shells_describe_themselves),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(incompressible_solids_are_refused),
    };
    return cmocka_run_group_tests_name("continuum", tests, NULL, NULL);
}
