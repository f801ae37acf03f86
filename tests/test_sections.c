/* SPDX-License-Identifier: Apache-2.0 */
/* Materials and sections: textbook numbers, signs of the offsets against a moving frame, energy
 * referred to other axes, and what is refused.
 *
 *   TG    Timoshenko & Goodier, Theory of Elasticity, 3rd ed., sec. 109 (table of torsion
 *         constants)
 *   C     Cowper, J. Appl. Mech. 33 (1966) 335-340
 *   IPE   EN 10365 / EN 10034, tables of rolled sections
 */
#include "scene.h"

#include "math/dense.h"
#include "math/rotation.h"
#include "parts/parts.h"

#define PI 3.14159265358979323846
#define MATERIAL_M "materials:\n  M: {E: 210 GPa, nu: 0.3, density: 7850}\n"
#define MATERIAL_ONE "materials:\n  M: {E: 1, nu: 0, density: 1}\n"
#define DIRECT_K "EA: 7, GA2: 3, GA3: 2, GJ: 1.5, EI2: 4, EI3: 2.5"

static const double E = 210e9, NU = 0.3, RHO = 7850;

static void assert_close(double a, double b, double relative) {
    assert_near(a, b, relative * fmax(fabs(b), 1e-300));
}

/* Reads a document with a section S; the numbers and their summary. */
typedef struct reading {
    scene scene;
    const double *numbers;
    ts_section_summary is;
} reading;

static reading read_section(const char *materials, const char *entry) {
    static char text[4000];
    reading r;
    snprintf(text, sizeof text, SCENE_HEAD "%ssections:\n  S: %s\nanalysis: {end: 1, step: 0.1}\n",
             materials, entry);
    scene_read(&r.scene, text);
    for (int k = 0; k < r.scene.model->parts_count; k++)
        if (strcmp(r.scene.model->parts[k].name, "S") == 0)
            r.numbers = r.scene.model->numbers + r.scene.model->parts[k].data;
    ts_section_summarize(r.numbers, &r.is);
    return r;
}

static void forget(reading *r) { ts_document_free(r->scene.document); }

/* ---- materials ---- */

static void materials_hold_E_G_density(void **state) {
    (void)state;
    scene s;
    scene_read(&s, SCENE_HEAD "materials:\n"
                              "  A: {E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}\n"
                              "  B: {type: isotropic, E: 70 GPa, G: 26 GPa, density: 2.7 g/cm^3}\n"
                              "  C: {E: 210 GPa, nu: 0.3, G: 80.8 GPa, density: 0}\n"
                              "analysis: {end: 1, step: 0.1}\n");
    const double *n = s.model->numbers;
    const ts_part *p = s.model->parts;
    assert_close(n[p[1].data + TS_MATERIAL_E], 210e9, 1e-15);
    assert_close(n[p[1].data + TS_MATERIAL_G], 210e9 / 2.6, 1e-15);
    assert_close(n[p[1].data + TS_MATERIAL_DENSITY], 7850, 1e-15);
    assert_close(n[p[2].data + TS_MATERIAL_G], 26e9, 1e-15);
    assert_close(n[p[2].data + TS_MATERIAL_DENSITY], 2700, 1e-14);
    assert_close(n[p[3].data + TS_MATERIAL_G], 80.8e9, 1e-14);
    ts_document_free(s.document);
}

/* ---- shapes ---- */

static void check_areas(const reading *r, double area, double I2, double I3) {
    assert_close(r->is.EA, E * area, 1e-12);
    assert_close(r->is.EI2, E * I2, 1e-12);
    assert_close(r->is.EI3, E * I3, 1e-12);
    assert_close(r->is.mass, RHO * area, 1e-12);
    assert_close(r->is.inertia.c[0].x, RHO * (I2 + I3), 1e-12);
    assert_close(r->is.inertia.c[1].y, RHO * I2, 1e-12);
    assert_close(r->is.inertia.c[2].z, RHO * I3, 1e-12);
}

static void check_shear(const reading *r, double k2, double k3, double tolerance) {
    double GA = r->is.EA / (2 * (1 + NU));
    assert_close(r->is.GA2 / GA, k2, tolerance);
    assert_close(r->is.GA3 / GA, k3, tolerance);
}

static double torsion_constant(const reading *r) { return r->is.GJ * 2 * (1 + NU) / E; }

static void circle_and_tube(void **state) {
    (void)state;
    reading r = read_section(MATERIAL_M, "{type: circle, material: M, diameter: 20 mm}");
    double d = 0.02, I = PI * pow(d, 4) / 64;
    check_areas(&r, PI * d * d / 4, I, I);
    assert_close(torsion_constant(&r), 2 * I, 1e-12);
    check_shear(&r, 7.8 / 8.8, 7.8 / 8.8, 1e-12); /* C: 6 (1 + nu) / (7 + 6 nu) = 0.886 */
    forget(&r);

    reading by_radius = read_section(MATERIAL_M, "{type: circle, material: M, radius: 10 mm}");
    check_areas(&by_radius, PI * d * d / 4, I, I);
    forget(&by_radius);

    r = read_section(MATERIAL_M,
                     "{type: tube, material: M, outer_diameter: 40 mm, thickness: 5 mm}");
    I = PI * (pow(0.04, 4) - pow(0.03, 4)) / 64;
    check_areas(&r, PI * (0.04 * 0.04 - 0.03 * 0.03) / 4, I, I);
    assert_close(torsion_constant(&r), 2 * I, 1e-12);
    forget(&r);

    /* C, thin tube: 2 (1 + nu) / (4 + 3 nu) = 0.531 */
    r = read_section(MATERIAL_M,
                     "{type: tube, material: M, outer_diameter: 1, inner_diameter: 0.9999}");
    check_shear(&r, 2.6 / 4.9, 2.6 / 4.9, 1e-6);
    forget(&r);
}

static void rectangle(void **state) {
    (void)state;
    /* TG, table of k1: J = k1 (2a)^3 (2b), side ratio b/a; the first also by its series,
     * 0.1405770 */
    static const double table[][2] = {{1, 0.1406}, {1.2, 0.166}, {1.5, 0.196},
                                      {2, 0.229},  {2.5, 0.249}, {3, 0.263},
                                      {4, 0.281},  {5, 0.291},   {10, 0.312}};
    char entry[200];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int turned = 0; turned < 2; turned++) {
            double width = turned ? table[i][0] : 1, height = turned ? 1 : table[i][0];
            snprintf(entry, sizeof entry, "{type: rectangle, material: M, width: %g, height: %g}",
                     width, height);
            reading r = read_section(MATERIAL_M, entry);
            check_areas(&r, width * height, width * pow(height, 3) / 12,
                        height * pow(width, 3) / 12);
            check_shear(&r, 13 / 15.3, 13 / 15.3, 1e-12); /* C: 10 (1 + nu) / (12 + 11 nu) */
            assert_near(torsion_constant(&r) / table[i][0], table[i][1], 0.0006);
            forget(&r);
        }
}

/* The series itself, summed without any trick. */
static void rectangle_torsion_is_the_series(void **state) {
    (void)state;
    const double ratios[] = {1, 1.3, 2, 7, 100};
    for (int i = 0; i < 5; i++) {
        char entry[200];
        double sum = 0, a = ratios[i];
        for (int n = 4001; n > 0; n -= 2) sum += tanh(n * PI * a / 2) / pow(n, 5);
        snprintf(entry, sizeof entry, "{type: rectangle, material: M, width: %g, height: 1}", a);
        reading r = read_section(MATERIAL_M, entry);
        assert_close(torsion_constant(&r), a / 3 - 64 / pow(PI, 5) * sum, 1e-12);
        forget(&r);
    }
    reading r = read_section(MATERIAL_M, "{type: rectangle, material: M, width: 1, height: 1}");
    assert_near(torsion_constant(&r), 0.1405770, 5e-8);
    forget(&r);
}

/* For nu = 0 the factor follows from the energy of the shear flow: k = I^2 / (A sum of the
 * integrals of Q^2/t), Q the first moment of the wall behind a point. Simpson's rule is good
 * enough. */
static double flow_energy(double start, double t, double length, double y0, double y1) {
    double sum = 0;
    const int steps = 2000;
    for (int i = 0; i <= steps; i++) {
        double s = length * i / steps, y = y0 + (y1 - y0) * s / length;
        double Q = start + t * s * 0.5 * (y0 + y);
        sum += (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) * Q * Q / t;
    }
    return sum * length / steps / 3;
}

static void thin_walls_shear_like_their_shear_flow(void **state) {
    (void)state;
    const double B = 0.6, H = 1, tf = 3e-6, tw = 2e-6, b = B - tw, h = H - tf;
    reading r = read_section(MATERIAL_ONE, "{type: box, material: M, width: 0.6, height: 1, "
                                           "flange_thickness: 3e-6, web_thickness: 2e-6}");
    double A = 2 * (b * tf + h * tw), I = h * h * (b * tf / 2 + h * tw / 6);
    double energy = 4 * flow_energy(0, tf, b / 2, h / 2, h / 2) +
                    4 * flow_energy(tf * b / 2 * h / 2, tw, h / 2, h / 2, 0);
    assert_close(2 * r.is.GA3 / r.is.EA, I * I / (A * energy), 1e-5);
    I = b * b * (h * tw / 2 + b * tf / 6);
    energy = 4 * flow_energy(0, tw, h / 2, b / 2, b / 2) +
             4 * flow_energy(tw * h / 2 * b / 2, tf, b / 2, b / 2, 0);
    assert_close(2 * r.is.GA2 / r.is.EA, I * I / (A * energy), 1e-5);
    forget(&r);

    r = read_section(MATERIAL_ONE, "{type: i_beam, material: M, width: 0.6, height: 1, "
                                   "flange_thickness: 3e-6, web_thickness: 2e-6}");
    A = 2 * B * tf + h * tw, I = h * h * (B * tf / 2 + h * tw / 12);
    energy = 4 * flow_energy(0, tf, B / 2, h / 2, h / 2) +
             2 * flow_energy(tf * B * h / 2, tw, h / 2, h / 2, 0);
    assert_close(2 * r.is.GA3 / r.is.EA, I * I / (A * energy), 1e-5);
    assert_close(2 * r.is.GA2 / r.is.EA, 5.0 / 6 * 2 * B * tf / A, 1e-5);
    forget(&r);
}

/* C, with nu = 0.3, m = n = 1 of a thin square box: 13 * 16 / (324 + 0.3 * 302 + 10 * 6.3) =
 * 0.436 */
static void box(void **state) {
    (void)state;
    reading r = read_section(
        MATERIAL_M, "{type: box, material: M, width: 40 mm, height: 60 mm, flange_thickness: 3 mm, "
                    "web_thickness: 2 mm}");
    check_areas(&r, 0.04 * 0.06 - 0.036 * 0.054, (0.04 * pow(0.06, 3) - 0.036 * pow(0.054, 3)) / 12,
                (0.06 * pow(0.04, 3) - 0.054 * pow(0.036, 3)) / 12);
    double b = 0.038, h = 0.057, Bredt = 4 * b * b * h * h / (2 * b / 0.003 + 2 * h / 0.002);
    double open = 2 * (b * pow(0.003, 3) + h * pow(0.002, 3)) / 3;
    assert_close(torsion_constant(&r), Bredt + open, 1e-12);
    forget(&r);

    r = read_section(MATERIAL_M, "{type: box, material: M, width: 1, height: 1, thickness: 1e-6}");
    check_shear(&r, 208 / 477.6, 208 / 477.6, 1e-9);
    forget(&r);

    /* finite elements for Saint-Venant's problem, extrapolated: sharp corners add 2 % */
    r = read_section(MATERIAL_M, "{type: box, material: M, width: 1, height: 1, thickness: 0.05}");
    assert_close(torsion_constant(&r), 0.043928, 0.021);
    forget(&r);
}

/* IPE 200: A = 28.48 cm2, Iy = 1943 cm4, Iz = 142.4 cm4, It = 6.98 cm4 */
static void i_beam(void **state) {
    (void)state;
    reading r = read_section(
        MATERIAL_M, "{type: i_beam, material: M, width: 100 mm, height: 200 mm, "
                    "flange_thickness: 8.5 mm, web_thickness: 5.6 mm, fillet_radius: 12 mm}");
    assert_close(r.is.EA, E * 28.48e-4, 3e-4);
    assert_close(r.is.EI2, E * 1943e-8, 3e-4);
    assert_close(r.is.EI3, E * 142.4e-8, 3e-4);
    assert_close(torsion_constant(&r), 6.98e-8, 0.015);
    forget(&r);

    r = read_section(MATERIAL_M, "{type: i_beam, material: M, width: 0.5, height: 1, "
                                 "flange_thickness: 0.1, web_thickness: 0.05}");
    check_areas(&r, 0.14, (0.5 - 0.45 * 0.512) / 12, (0.2 * 0.125 + 0.8 * 1.25e-4) / 12);
    assert_close(torsion_constant(&r), 3.36202e-4, 0.004); /* finite elements, as above */
    forget(&r);
}

static void overrides(void **state) {
    (void)state;
    reading r = read_section(MATERIAL_M, "{type: rectangle, material: M, width: 2, height: 1, "
                                         "shear_factor: [0.7, 0.8], torsion_constant: 0.25}");
    check_shear(&r, 0.7, 0.8, 1e-12);
    assert_close(torsion_constant(&r), 0.25, 1e-12);
    forget(&r);
    r = read_section(MATERIAL_M,
                     "{type: rectangle, material: M, width: 2, height: 1, shear_factor: [0.7]}");
    check_shear(&r, 0.7, 0.7, 1e-12);
    forget(&r);
}

/* A rectangle turned by a right angle is the other rectangle; off the line, its numbers about its
 * own centroid stay. */
static void shapes_turn_and_move(void **state) {
    (void)state;
    reading a =
        read_section(MATERIAL_M, "{type: rectangle, material: M, width: 0.02, height: 0.05, "
                                 "angle: 90 deg, centroid: [0.3, -0.2]}");
    reading b =
        read_section(MATERIAL_M, "{type: rectangle, material: M, width: 0.05, height: 0.02}");
    assert_close(a.is.EI2, b.is.EI2, 1e-9), assert_close(a.is.EI3, b.is.EI3, 1e-9);
    assert_close(a.is.EA, b.is.EA, 1e-9), assert_close(a.is.GJ, b.is.GJ, 1e-9);
    assert_near(a.is.tension[0], 0.3, 1e-9), assert_near(a.is.tension[1], -0.2, 1e-9);
    assert_near(a.is.shear[0], 0.3, 1e-9), assert_near(a.is.shear[1], -0.2, 1e-9);
    assert_close(a.is.inertia.c[1].y, b.is.inertia.c[1].y, 1e-9);
    /* J1 about the line: m (c2^2 + c3^2) more; K(5,5): EA t3^2 more */
    assert_close(a.numbers[TS_SECTION_INERTIA],
                 b.numbers[TS_SECTION_INERTIA] + b.is.mass * (0.09 + 0.04), 1e-12);
    assert_close(a.numbers[28], b.is.EI2 + b.is.EA * 0.04, 1e-12);
    forget(&a), forget(&b);
}

/* ---- given numbers ---- */

static double energy_of(const double *K, const double *e) {
    double sum = 0;
    for (int i = 0; i < 36; i++) sum += 0.5 * K[i] * e[i / 6] * e[i % 6];
    return sum;
}

static double half_square(double k, double x) { return 0.5 * k * x * x; }

/* Strains of a moving frame from their definition (docs/theory.md): r and d_k at both sides of
 * a station, differences for ', the reference line moved to y. */
static void strains_at(v3 r_prime, m3 D, m3 D_prime, double y2, double y3, double *e) {
    v3 line = v3_add(r_prime, v3_add(v3_scale(y2, D_prime.c[1]), v3_scale(y3, D_prime.c[2])));
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        e[k] = v3_dot(D.c[k], line);
        e[k + 3] = 0.5 * (v3_dot(D.c[j], D_prime.c[i]) - v3_dot(D.c[i], D_prime.c[j]));
    }
}

/* The energy of the section at the reference line is that of its parts, each with the strains of a
 * beam whose line runs through its own centre. */
static void energy_is_that_of_the_centres(void **state) {
    (void)state;
    reading r = read_section("", "{" DIRECT_K ", tension_centre: [0.3, -0.5], shear_centre: [-0.2, "
                                 "0.7], principal_angle: 0.4, mass: 1}");
    const double *K = r.numbers, c = cos(0.4), s = sin(0.4), h = 1e-5;
    for (int trial = 0; trial < 20; trial++) {
        v3 w = chance_vector(), r_prime = chance_vector();
        m3 D = so3_exp(chance_vector());
        m3 ahead = so3_exp(v3_scale(h, w)), behind = so3_exp(v3_scale(-h, w));
        m3 D_prime = m3_scale(0.5 / h, m3_sub(m3_mul(D, ahead), m3_mul(D, behind)));
        double e[6], t[6], q[6];
        strains_at(r_prime, D, D_prime, 0, 0, e);
        strains_at(r_prime, D, D_prime, 0.3, -0.5, t);
        strains_at(r_prime, D, D_prime, -0.2, 0.7, q);
        for (int k = 0; k < 3; k++) assert_near(e[k + 3], v3_get(w, k), 1e-9); /* D' = D kappa~ */
        double expected = half_square(7, t[0]) + half_square(3, c * q[1] + s * q[2]) +
                          half_square(2, c * q[2] - s * q[1]) + half_square(1.5, e[3]) +
                          half_square(4, c * e[4] + s * e[5]) +
                          half_square(2.5, c * e[5] - s * e[4]);
        assert_close(energy_of(K, e), expected, 1e-9);
    }
    forget(&r);
}

/* A homogeneous section off the line, integrated fibre by fibre: E strain^2 over a rectangle. */
static void fibres_agree(void **state) {
    (void)state;
    reading r = read_section(MATERIAL_ONE, "{type: rectangle, material: M, width: 0.4, height: "
                                           "0.7, centroid: [0.2, 0.3], angle: 0.5}");
    const double g = 1 / sqrt(3), c = cos(0.5), s = sin(0.5);
    for (int trial = 0; trial < 10; trial++) {
        double e[6] = {chance(), 0, 0, 0, chance(), chance()}, v[3], w[3], sum = 0, kinetic = 0;
        for (int k = 0; k < 3; k++) v[k] = chance(), w[k] = chance();
        for (int i = 0; i < 4; i++) { /* Gauss points are exact for squares */
            double p = (i % 2 ? g : -g) * 0.2, q = (i / 2 ? g : -g) * 0.35;
            v3 y = v3_make(0, 0.2 + c * p - s * q, 0.3 + s * p + c * q);
            v3 u = v3_add(v3_load(v), v3_cross(v3_load(w), y));
            sum += 0.07 * half_square(1, e[0] + y.z * e[4] - y.y * e[5]);
            kinetic += 0.07 * 0.5 * v3_dot(u, u);
        }
        assert_close(energy_of(r.numbers, e), sum, 1e-12);
        v3 mc = v3_scale(r.is.mass, r.is.centre), omega = v3_load(w);
        m3 J = m3_load(r.numbers + TS_SECTION_INERTIA);
        double own = 0.5 * r.is.mass * v3_dot(v3_load(v), v3_load(v)) +
                     v3_dot(v3_load(v), v3_cross(omega, mc)) +
                     0.5 * v3_dot(omega, m3_apply(J, omega));
        assert_close(own, kinetic, 1e-12);
    }
    forget(&r);
}

static void stiffness_is_symmetric_and_definite(void **state) {
    (void)state;
    static const char *const entries[] = {
        "{" DIRECT_K
        ", tension_centre: [3, -5], shear_centre: [-2, 7], principal_angle: 0.4, mass: 1}",
        "{type: tube, material: M, outer_diameter: 1, thickness: 0.1, centroid: [1, 2]}",
        "{type: box, material: M, width: 1, height: 2, thickness: 0.1, angle: 1}",
        ("{type: i_beam, material: M, width: 1, height: 2, flange_thickness: 0.1, web_thickness: "
         "0.02}")};
    for (int n = 0; n < 4; n++) {
        reading r = read_section(MATERIAL_ONE, entries[n]);
        double eigenvalue[6], J[3];
        for (int i = 0; i < 36; i++) assert_true(r.numbers[i] == r.numbers[6 * (i % 6) + i / 6]);
        ts_dense_eigenvalues(6, r.numbers, eigenvalue);
        assert_true(eigenvalue[0] > 0);
        ts_dense_eigenvalues(3, r.numbers + TS_SECTION_INERTIA, J);
        assert_true(J[0] >= 0 && J[2] <= J[0] + J[1] + 1e-12 * J[2]);
        forget(&r);
    }
}

/* The summary gives back what was given, offsets and all. */
static void numbers_come_back(void **state) {
    (void)state;
    reading r = read_section("", "{" DIRECT_K ", tension_centre: [0.3, -0.5], shear_centre: [-0.2, "
                                 "0.7], mass: 2, mass_centre: [0.1, 0.4], inertia: [3, 2, 1.5]}");
    const double got[] = {r.is.EA,  r.is.GA2,        r.is.GA3,        r.is.GJ,       r.is.EI2,
                          r.is.EI3, r.is.tension[0], r.is.tension[1], r.is.shear[0], r.is.shear[1]};
    const double given[] = {7, 3, 2, 1.5, 4, 2.5, 0.3, -0.5, -0.2, 0.7};
    for (int k = 0; k < 10; k++) assert_close(got[k], given[k], 1e-12);
    assert_near(r.is.GA23, 0, 1e-12), assert_near(r.is.EI23, 0, 1e-12);
    assert_close(r.is.mass, 2, 1e-15);
    assert_close(r.is.centre.y, 0.1, 1e-15), assert_close(r.is.centre.z, 0.4, 1e-15);
    for (int k = 0; k < 3; k++)
        assert_close(v3_get(r.is.inertia.c[k], k), k == 0 ? 3 : k == 1 ? 2 : 1.5, 1e-12);
    forget(&r);
}

static void inertia_given_in_parts(void **state) {
    (void)state;
    static const struct {
        const char *entry;
        double J[3];
    } cases[] = {{"polar_inertia: 4", {4, 2, 2}},
                 {"inertia: [1, 3]", {4, 1, 3}},
                 {"inertia: [0, 0, 0]", {0, 0, 0}},
                 {"inertia: [4.000001, 1, 3]", {4.000001, 1, 3}},
                 {"inertia: [1, 3], inertia_angle: 90 deg", {4, 3, 1}},
                 {"tension_centre: [5, 6]", {2 * 6.5 / 7, 8.0 / 7, 5.0 / 7}}}; /* homogeneous */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char entry[300];
        snprintf(entry, sizeof entry, "{" DIRECT_K ", mass: 2, %s}", cases[i].entry);
        reading r = read_section("", entry);
        for (int k = 0; k < 3; k++)
            assert_near(v3_get(r.is.inertia.c[k], k), cases[i].J[k], i == 3 ? 2e-6 : 1e-12);
        forget(&r);
    }
}

/* Whole matrices are taken as they are; a section written out in full is the section itself. */
static void matrices_are_the_same(void **state) {
    (void)state;
    reading a = read_section("", "{" DIRECT_K ", tension_centre: [0.3, -0.5], shear_centre: [-0.2, "
                                 "0.7], principal_angle: 0.4, mass: 2, mass_centre: [0.1, 0.4], "
                                 "inertia: [3, 2, 1.5]}");
    char entry[3000];
    size_t n = (size_t)snprintf(entry, sizeof entry, "{stiffness: [");
    for (int i = 0; i < 36; i++)
        n += (size_t)snprintf(entry + n, sizeof entry - n, "%s%.17g%s", i % 6 ? ", " : "[",
                              a.numbers[i],
                              i % 6 < 5 ? ""
                              : i < 35  ? "], "
                                        : "]], ");
    double M[36] = {2, 0,   0,  0, .8, -.2, 0,  2, 0, -.8, 0, 0, 0,   0, 2, .2, 0, 0,
                    0, -.8, .2, 0, 0,  0,   .8, 0, 0, 0,   0, 0, -.2, 0, 0, 0,  0, 0};
    for (int i = 0; i < 9; i++) M[21 + 6 * (i / 3) + i % 3] = a.numbers[TS_SECTION_INERTIA + i];
    n += (size_t)snprintf(entry + n, sizeof entry - n, "mass_matrix: [");
    for (int i = 0; i < 36; i++)
        n += (size_t)snprintf(entry + n, sizeof entry - n, "%s%.17g%s", i % 6 ? ", " : "[", M[i],
                              i % 6 < 5 ? ""
                              : i < 35  ? "], "
                                        : "]]}");
    reading b = read_section("", entry);
    for (int k = 0; k < TS_SECTION_NUMBERS; k++) assert_near(a.numbers[k], b.numbers[k], 1e-14);
    forget(&a), forget(&b);
}

/* Blocks of force, force length, force length^2; mass per length, mass, mass length. */
static void matrices_have_units(void **state) {
    (void)state;
    reading r = read_section("", "{stiffness: [7 kN, 3 kN, 2 kN, 1 kN*m^2, 4 N*m^2, 5e6 N*mm^2], "
                                 "mass_matrix: [2 g/mm, 2 kg/m, 2 kg/m, 3 g*m, 2 g*m, 1 g*m]}");
    const double K[] = {7000, 3000, 2000, 1000, 4, 5}, J[] = {3e-3, 2e-3, 1e-3};
    for (int k = 0; k < 6; k++) assert_close(r.numbers[7 * k], K[k], 1e-13);
    assert_close(r.numbers[TS_SECTION_MASS], 2, 1e-13);
    for (int k = 0; k < 3; k++) assert_close(r.numbers[TS_SECTION_INERTIA + 4 * k], J[k], 1e-12);
    forget(&r);
}

/* ---- words ---- */

static void sections_describe_themselves(void **state) {
    (void)state;
    reading r =
        read_section(MATERIAL_M, "{type: circle, material: M, diameter: 20 mm, centroid: [1 "
                                 "mm, 0]}");
    char text[2000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    ts_section_describe(r.scene.model, r.scene.model->parts_count - 1, out);
    fclose(out);
    static const char *const words[] = {"section S (circle)",
                                        "EA     6.597345e+07",
                                        "GJ ",
                                        "EI2    1649.336",
                                        "mass   2.46615",
                                        "J1 ",
                                        "shear  centre at [0.001, 0]"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(text, words[i])) fail_msg("no '%s' in\n%s", words[i], text);
    assert_null(strstr(text, "EI23"));
    forget(&r);
}

/* ---- what is refused ---- */

#define IN_SECTION(entry) MATERIAL_ONE "sections:\n  S: {" entry "}\n"
#define IN_MATERIAL(entry) "materials:\n  M: {" entry "}\n"

static const struct wrong {
    const char *text, *message;
} WRONG[] = {
    {IN_MATERIAL("E: 1, density: 1"), "nu or the shear modulus G"},
    {IN_MATERIAL("E: -1, nu: 0, density: 1"), "Young's modulus must be above zero"},
    {IN_MATERIAL("E: 1, nu: 0.6, density: 1"), "Poisson's ratio 0.6"},
    {IN_MATERIAL("E: 1, G: 0.1, density: 1"), "no isotropic material"},
    {IN_MATERIAL("E: 1, G: 0, density: 1"), "shear modulus must be above zero"},
    {IN_MATERIAL("E: 1, nu: 0.3, G: 0.4, density: 1"), "do not agree"},
    {IN_MATERIAL("E: 1, nu: 0.3, density: -1"), "density is negative"},
    {IN_SECTION("EA: 1, GA2: 1, GJ: 1, EI2: 1, EI3: 1, mass: 1"), "GA3 is missing"},
    {IN_SECTION("EA: 1, GA2: 1, GA3: 0, GJ: 1, EI2: 1, EI3: 1, mass: 1"), "GA3 must be above zero"},
    {IN_SECTION(DIRECT_K), "give mass"},
    {IN_SECTION(DIRECT_K ", mass: -1"), "the mass is negative"},
    {IN_SECTION(DIRECT_K ", mass: 1, mass_centre: [1, 2, 3]"), "expected two numbers"},
    {IN_SECTION(DIRECT_K ", mass: 1, shear_centre: [1]"), "expected two numbers"},
    {IN_SECTION(DIRECT_K ", mass: 1, inertia: [5, 2, 2]"), "triangle rule"},
    {IN_SECTION(DIRECT_K ", mass: 1, inertia: [1, -1, 1]"), "is negative"},
    {IN_SECTION(DIRECT_K ", mass: 1, inertia: [1]"), "[J1, J2, J3] or [J2, J3]"},
    {IN_SECTION(DIRECT_K ", mass: 1, inertia: [1, 1], polar_inertia: 2"), "not both"},
    {IN_SECTION(DIRECT_K ", mass: 1, mass_matrix: [1, 1, 1, 2, 1, 1]"),
     "is not used together with"},
    {IN_SECTION(DIRECT_K ", mass_matrix: [1, 2, 1, 2, 1, 1]"), "not the mass of a rigid slice"},
    {IN_SECTION(DIRECT_K ", mass_matrix: [-1, -1, -1, 2, 1, 1]"), "the mass is negative"},
    {IN_SECTION(DIRECT_K ", mass_matrix: [1, 1, 1, 3, 1, 1]"), "triangle rule"},
    {IN_SECTION("stiffness: [1, 1, 1, 1, 1, 1], EA: 1, mass: 1"), "EA is not used together with"},
    {IN_SECTION("stiffness: [1, 1, 1, 1, 1, 1], principal_angle: 1, mass: 1"),
     "principal_angle is not used together"},
    {IN_SECTION("stiffness: [1, 1, 1, 1, 0, 1], mass: 1"), "must be positive definite"},
    {IN_SECTION("stiffness: [[1, 2, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, "
                "1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]], mass: 1"),
     "not positive definite"},
    {IN_SECTION("stiffness: [[1, 0.2, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, "
                "0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]], mass: 1"),
     "not symmetric"},
    {IN_SECTION("type: circle, material: M"), "give diameter or radius"},
    {IN_SECTION("type: circle, material: M, diameter: 1, radius: 1"), "not both"},
    {IN_SECTION("type: circle, material: M, diameter: 0"), "diameter must be above zero"},
    {IN_SECTION("type: circle, diameter: 1"), "material"},
    {IN_SECTION("type: circle, material: S, diameter: 1"), "S"},
    {IN_SECTION("type: tube, material: M, outer_diameter: 1, thickness: 0.6"), "thicker than"},
    {IN_SECTION("type: tube, material: M, outer_diameter: 1, inner_diameter: 1"), "smaller than"},
    {IN_SECTION("type: rectangle, material: M, width: 1, height: 1, shear_factor: [1.2]"),
     "between 0 and 1"},
    {IN_SECTION("type: rectangle, material: M, width: 1, height: 1, torsion_constant: 0"),
     "torsion_constant must be above zero"},
    {IN_SECTION("type: box, material: M, width: 1, height: 1, web_thickness: 0.1"),
     "give thickness, or flange_thickness and web_thickness"},
    {IN_SECTION("type: box, material: M, width: 1, height: 1, thickness: 0.5"), "leave no hole"},
    {IN_SECTION("type: i_beam, material: M, width: 1, height: 1, flange_thickness: 0.5, "
                "web_thickness: 0.1"),
     "leave no web"},
    {IN_SECTION("type: i_beam, material: M, width: 1, height: 1, flange_thickness: 0.1, "
                "web_thickness: 0.1, fillet_radius: 0.45"),
     "the fillets do not fit"},
};

static void nonsense_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[2000];
        ts_document *document;
        ts_diagnostics list = {0};
        snprintf(text, sizeof text, SCENE_HEAD "%sanalysis: {end: 1, step: 0.1}\n", WRONG[i].text);
        int status = ts_document_parse(&document, text, strlen(text), "model.yaml", &list);
        if (status != TORSOR_EINVAL || list.count != 1 ||
            !strstr(list.items[0].message, WRONG[i].message)) {
            ts_diagnostics_print(&list, stderr, false);
            fail_msg("%s\nexpected: %s", text, WRONG[i].message);
        }
        ts_diagnostics_clear(&list);
        ts_document_free(document);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_hold_E_G_density),
        cmocka_unit_test(circle_and_tube),
        cmocka_unit_test(rectangle),
        cmocka_unit_test(rectangle_torsion_is_the_series),
        cmocka_unit_test(thin_walls_shear_like_their_shear_flow),
        cmocka_unit_test(box),
        cmocka_unit_test(i_beam),
        cmocka_unit_test(overrides),
        cmocka_unit_test(shapes_turn_and_move),
        cmocka_unit_test(energy_is_that_of_the_centres),
        cmocka_unit_test(fibres_agree),
        cmocka_unit_test(stiffness_is_symmetric_and_definite),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(inertia_given_in_parts),
        cmocka_unit_test(matrices_are_the_same),
        cmocka_unit_test(matrices_have_units),
        cmocka_unit_test(sections_describe_themselves),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("sections", tests, NULL, NULL);
}
