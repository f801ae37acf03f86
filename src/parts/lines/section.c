/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of beams: stiffness and mass per length, and the kind that is given by its numbers.
 *
 * Axis 1 runs along the beam; 2 and 3 are section axes; the reference line is at y2 = y3 = 0. With
 * d_k' = D (kappa x e_k), a point y = (0, y2, y3) of the section has the strains Gamma + kappa x y:
 *
 *     Gamma1 + y3 kappa2 - y2 kappa3 ,    Gamma2 - y3 kappa1 ,    Gamma3 + y2 kappa1 .
 *
 * The axial strain at the tension centre t, the shear strains at the shear centre s, along axes p,
 * q turned by an angle from 2, 3, and the curvatures about p, q each store their own energy:
 *
 *     2 U = EA (Gamma1 + t3 kappa2 - t2 kappa3)^2 + GA2 gamma_p^2 + GA3 gamma_q^2
 *         + GJ kappa1^2 + EI2 kappa_p^2 + EI3 kappa_q^2 .
 *
 * So the stiffness is a sum of k a a^T over six directions a of strain space. EI2 is the stiffness
 * against bending *about* axis 2 (deflection along 3); GA2 that against shear *along* axis 2.
 *
 * The mass per length is that of a rigid slice: m, centre c, inertia J about the reference line,
 *
 *     M = [[m I, -m c~], [m c~, J]]   over (v, omega),    J = J_c + m (c.c I - c c^T) .
 */
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "parts/parts.h"

enum {
    EA,
    GA2,
    GA3,
    GJ,
    EI2,
    EI3,
    STIFFNESS,
    TENSION_CENTRE,
    SHEAR_CENTRE,
    PRINCIPAL_ANGLE,
    MASS,
    MASS_CENTRE,
    INERTIA,
    POLAR_INERTIA,
    INERTIA_ANGLE,
    MASS_MATRIX
};

static const ts_field FIELDS[] = {
    {.name = "EA",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Axial stiffness. All six numbers EA to EI3 are needed, or `stiffness`."},
    {.name = "GA2",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Shear stiffness along axis 2, shear factor included."},
    {.name = "GA3",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Shear stiffness along axis 3, shear factor included."},
    {.name = "GJ", .type = TS_NUMBER, .dim = TS_DIM_BENDING, .help = "Torsional stiffness."},
    {.name = "EI2",
     .type = TS_NUMBER,
     .dim = TS_DIM_BENDING,
     .help = "Bending stiffness about axis 2: deflection along axis 3."},
    {.name = "EI3",
     .type = TS_NUMBER,
     .dim = TS_DIM_BENDING,
     .help = "Bending stiffness about axis 3: deflection along axis 2."},
    {.name = "stiffness",
     .type = TS_MATRIX6,
     .dim = TS_DIM_FORCE,
     .help = "The whole stiffness instead, at the reference line: forces N, Q2, Q3 and moments M1, "
             "M2, M3 over strains Gamma1, Gamma2, Gamma3 and curvatures kappa1, kappa2, kappa3; "
             "symmetric and positive definite."},
    {.name = "tension_centre",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "[y2, y3] from the reference line: the point where an axial force does not bend. EA, "
             "EI2 and EI3 refer to it.",
     .fallback = "[0, 0]"},
    {.name = "shear_centre",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "[y2, y3] from the reference line: the point where a transverse force does not twist. "
             "GA2, GA3 and GJ refer to it.",
     .fallback = "[0, 0]"},
    {.name = "principal_angle",
     .type = TS_NUMBER,
     .dim = TS_DIM_ANGLE,
     .help = "Angle about axis 1 from axes 2, 3 to those that EI2, EI3, GA2 and GA3 refer to.",
     .fallback = "0"},
    {.name = "mass",
     .type = TS_NUMBER,
     .dim = TS_DIM_MASS_PER_LENGTH,
     .help = "Mass per length; 0 for a section without inertia. Needed, or `mass_matrix`."},
    {.name = "mass_centre",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "[c2, c3], the mass centre from the reference line.",
     .fallback = "[0, 0]"},
    {.name = "inertia",
     .type = TS_NUMBERS,
     .dim = TS_DIM_INERTIA_PER_LENGTH,
     .help = "[J1, J2, J3], moments of inertia per length about the mass centre; or [J2, J3], and "
             "J1 is their sum, as for any flat section.",
     .fallback = "those of a homogeneous section: J2 = m EI2/EA, J3 = m EI3/EA, J1 = J2 + J3"},
    {.name = "polar_inertia",
     .type = TS_NUMBER,
     .dim = TS_DIM_INERTIA_PER_LENGTH,
     .help = "J1 only, instead of `inertia`: J2 = J3 = J1/2."},
    {.name = "inertia_angle",
     .type = TS_NUMBER,
     .dim = TS_DIM_ANGLE,
     .help = "Angle about axis 1 from axes 2, 3 to those that J2 and J3 refer to.",
     .fallback = "principal_angle"},
    {.name = "mass_matrix",
     .type = TS_MATRIX6,
     .dim = TS_DIM_MASS_PER_LENGTH,
     .help = "The whole mass per length instead, at the reference line, over velocity and angular "
             "velocity: [[m I, -m c~], [m c~, J]]."},
    {0}};

/* ---- stiffness and mass from numbers about their own axes ---- */

static void add_energy(double k, const double a[6], double *K) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) K[6 * i + j] += k * a[i] * a[j];
}

/* gamma along (c, s), taken at the shear centre */
static void add_shear(double k, double c, double s, const double *centre, double *K) {
    const double a[6] = {0, c, s, s * centre[0] - c * centre[1], 0, 0};
    add_energy(k, a, K);
}

static void add_bending(double k, double c, double s, double *K) {
    const double a[6] = {0, 0, 0, 0, c, s};
    add_energy(k, a, K);
}

void ts_section_stiffness(const ts_section_axes *x, double K[36]) {
    double c = cos(x->angle), s = sin(x->angle);
    const double axial[6] = {1, 0, 0, 0, x->tension[1], -x->tension[0]}, twist[6] = {[3] = 1};
    memset(K, 0, 36 * sizeof *K);
    add_energy(x->EA, axial, K);
    add_shear(x->GA2, c, s, x->shear, K);
    add_shear(x->GA3, -s, c, x->shear, K);
    add_energy(x->GJ, twist, K);
    add_bending(x->EI2, c, s, K);
    add_bending(x->EI3, -s, c, K);
}

static m3 outer(double k, v3 a) {
    return m3_cols(v3_scale(k * a.x, a), v3_scale(k * a.y, a), v3_scale(k * a.z, a));
}

static m3 turned_inertia(v3 J, double angle) {
    double c = cos(angle), s = sin(angle);
    m3 A = m3_add(outer(J.y, v3_make(0, c, s)), outer(J.z, v3_make(0, -s, c)));
    return m3_add(A, outer(J.x, v3_axis(0)));
}

static m3 offset_inertia(double mass, v3 c) {
    m3 S = m3_skew(c);
    return m3_scale(mass, m3_tmul(S, S));
}

void ts_section_mass(ts_section *section, double mass, v3 centre, v3 J, double angle) {
    section->mass = mass;
    section->centre = centre;
    section->inertia = m3_add(turned_inertia(J, angle), offset_inertia(mass, centre));
}

void ts_section_numbers(const ts_section *section, double numbers[TS_SECTION_NUMBERS]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            numbers[TS_SECTION_STIFFNESS + 6 * i + j] =
                0.5 * (section->K[6 * i + j] + section->K[6 * j + i]);
    numbers[TS_SECTION_MASS] = section->mass;
    v3_store(numbers + TS_SECTION_CENTRE, section->centre);
    m3_store(numbers + TS_SECTION_INERTIA, m3_sym(section->inertia));
}

void ts_section_store(ts_builder *b, const ts_kind *kind, const ts_section *section) {
    double numbers[TS_SECTION_NUMBERS];
    ts_section_numbers(section, numbers);
    ts_part *part = ts_new_part(b, kind);
    part->data = b->model->numbers_count;
    for (int k = 0; k < TS_SECTION_NUMBERS; k++) ts_model_number(b->model, numbers[k]);
}

/* ---- what is given ---- */

int ts_read_section_point(ts_builder *b, const ts_value *value, int field, double out[2]) {
    out[0] = out[1] = 0;
    if (!value[field].given) return 0;
    if (value[field].count != 2)
        return ts_build_fail(b, field, "axis 1 runs along the beam: only y2 and y3 are given",
                             "expected two numbers [y2, y3], got %d", value[field].count);
    out[0] = value[field].list[0], out[1] = value[field].list[1];
    return 0;
}

/* Fails if any of the fields from `first` to `last` is given beside `instead`. */
static int refuse_both(ts_builder *b, const ts_value *value, int first, int last, int instead) {
    for (int k = first; k <= last; k++)
        if (k != instead && value[k].given)
            return ts_build_fail(b, k, NULL, "%s is not used together with %s, which contains it",
                                 FIELDS[k].name, FIELDS[instead].name);
    return 0;
}

static int check_numbers(ts_builder *b, const ts_value *value) {
    for (int k = EA; k <= EI3; k++)
        if (!value[k].given)
            return ts_build_fail(
                b, -1,
                k == GA2 || k == GA3 ? "for a solid section of a slender beam use 5/6 G A" : NULL,
                "%s is missing: give EA, GA2, GA3, GJ, EI2 and EI3, or stiffness", FIELDS[k].name);
    for (int k = EA; k <= EI3; k++)
        if (!(value[k].number[0] > 0))
            return ts_build_fail(b, k, NULL, "%s must be above zero", FIELDS[k].name);
    return 0;
}

static int read_numbers(ts_builder *b, const ts_value *value, ts_section *section) {
    ts_section_axes x = {.EA = value[EA].number[0],
                         .GA2 = value[GA2].number[0],
                         .GA3 = value[GA3].number[0],
                         .GJ = value[GJ].number[0],
                         .EI2 = value[EI2].number[0],
                         .EI3 = value[EI3].number[0],
                         .angle = value[PRINCIPAL_ANGLE].number[0]};
    if (check_numbers(b, value) || ts_read_section_point(b, value, TENSION_CENTRE, x.tension) ||
        ts_read_section_point(b, value, SHEAR_CENTRE, x.shear))
        return TORSOR_EINVAL;
    ts_section_stiffness(&x, section->K);
    return 0;
}

static int check_symmetry(ts_builder *b, int field, const double *A) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++) {
            double scale = sqrt(fabs(A[7 * i] * A[7 * j])), p = A[6 * i + j], q = A[6 * j + i];
            if (fabs(p - q) > 1e-6 * fmax(scale, 1e-3 * (fabs(p) + fabs(q))))
                return ts_build_fail(
                    b, field, NULL,
                    "%s is not symmetric: %g in row %d, column %d; %g across the diagonal",
                    FIELDS[field].name, p, i + 1, j + 1, q);
        }
    return 0;
}

/* With a unit diagonal, so that the units of its rows do not matter. */
static int check_definite(ts_builder *b, const double *K) {
    double S[36], eigenvalue[6];
    for (int i = 0; i < 6; i++)
        if (!(K[7 * i] > 0))
            return ts_build_fail(b, STIFFNESS, NULL,
                                 "the stiffness must be positive definite: %g on its diagonal, "
                                 "row %d",
                                 K[7 * i], i + 1);
    for (int i = 0; i < 36; i++)
        S[i] = 0.5 * (K[i] + K[6 * (i % 6) + i / 6]) / sqrt(K[7 * (i / 6)] * K[7 * (i % 6)]);
    ts_dense_eigenvalues(6, S, eigenvalue);
    if (eigenvalue[0] > 1e-13) return 0;
    return ts_build_fail(
        b, STIFFNESS, "order: Gamma1, Gamma2, Gamma3, kappa1, kappa2, kappa3",
        "the stiffness is not positive definite: some strain has zero or negative energy");
}

static int read_stiffness(ts_builder *b, const ts_value *value, ts_section *section) {
    if (!value[STIFFNESS].given) return read_numbers(b, value, section);
    const double *K = value[STIFFNESS].number;
    if (refuse_both(b, value, EA, PRINCIPAL_ANGLE, STIFFNESS) || check_symmetry(b, STIFFNESS, K) ||
        check_definite(b, K))
        return TORSOR_EINVAL;
    memcpy(section->K, K, sizeof section->K);
    return 0;
}

/* ---- mass ---- */

/* The radii of gyration of a homogeneous section are those of its axial stiffness. */
static m3 homogeneous_inertia(const double *K, double mass) {
    double t3 = K[4] / K[0], t2 = -K[5] / K[0], m = mass / K[0];
    double J2 = m * K[28] - mass * t3 * t3, J3 = m * K[35] - mass * t2 * t2;
    double J23 = m * K[29] + mass * t2 * t3;
    return m3_cols(v3_make(J2 + J3, 0, 0), v3_make(0, J2, J23), v3_make(0, J23, J3));
}

static int read_inertia(ts_builder *b, const ts_value *value, v3 *J) {
    const ts_value *given = &value[INERTIA];
    if (given->given && value[POLAR_INERTIA].given)
        return ts_build_fail(b, POLAR_INERTIA, NULL, "give inertia or polar_inertia, not both");
    if (given->given && given->count != 2 && given->count != 3)
        return ts_build_fail(b, INERTIA, NULL, "expected [J1, J2, J3] or [J2, J3], got %d numbers",
                             given->count);
    double polar = value[POLAR_INERTIA].number[0];
    *J = v3_make(polar, 0.5 * polar, 0.5 * polar);
    if (given->given && given->count == 2)
        *J = v3_make(given->list[0] + given->list[1], given->list[0], given->list[1]);
    if (given->given && given->count == 3) *J = v3_load(given->list);
    return 0;
}

/* The principal moments about the mass centre of any body obey the triangle rule; a flat section is
 * at its limit, so round-off is forgiven and taken out by *excess times the unit tensor. */
static int check_principal(ts_builder *b, int field, m3 J, double *excess) {
    double A[9], p[3];
    m3_store(A, J);
    ts_dense_eigenvalues(3, A, p);
    double slack = 1e-6 * (fabs(p[0]) + fabs(p[2]));
    if (p[0] < -slack)
        return ts_build_fail(b, field, NULL,
                             "a moment of inertia about the mass centre is negative: %.6g", p[0]);
    if (p[2] > p[0] + p[1] + slack)
        return ts_build_fail(b, field,
                             "J1 is J2 + J3 for a flat section: give [J2, J3] only, or more digits",
                             "the moments of inertia about the mass centre violate the triangle "
                             "rule: %.9g > %.9g + %.9g",
                             p[2], p[0], p[1]);
    *excess = fmax(0, fmax(p[2] - p[0] - p[1], -p[0]));
    return 0;
}

static int set_inertia(ts_builder *b, int field, m3 J_centre, ts_section *section) {
    double excess = 0;
    if (check_principal(b, field, J_centre, &excess)) return TORSOR_EINVAL;
    m3 fair = m3_axpy(excess, m3_identity(), J_centre);
    section->inertia = m3_add(fair, offset_inertia(section->mass, section->centre));
    return 0;
}

static int read_mass_numbers(ts_builder *b, const ts_value *value, ts_section *section) {
    double centre[2];
    v3 J;
    if (!value[MASS].given)
        return ts_build_fail(b, -1, "`mass: 0` where inertia does not matter",
                             "give mass (per length) or mass_matrix");
    if (value[MASS].number[0] < 0) return ts_build_fail(b, MASS, NULL, "the mass is negative");
    if (ts_read_section_point(b, value, MASS_CENTRE, centre) || read_inertia(b, value, &J))
        return TORSOR_EINVAL;
    section->mass = value[MASS].number[0];
    section->centre = v3_make(0, centre[0], centre[1]);
    bool given = value[INERTIA].given || value[POLAR_INERTIA].given;
    double angle = value[value[INERTIA_ANGLE].given ? INERTIA_ANGLE : PRINCIPAL_ANGLE].number[0];
    m3 own = given ? turned_inertia(J, angle) : homogeneous_inertia(section->K, section->mass);
    return set_inertia(b, value[POLAR_INERTIA].given ? POLAR_INERTIA : INERTIA, own, section);
}

/* m I and -m c~ on top, as a rigid slice has them */
static void rigid_top(double m, v3 c, double top[18]) {
    const double rows[18] = {m, 0, 0, 0,        m * c.z,  -m * c.y, /* v1 */
                             0, m, 0, -m * c.z, 0,        m * c.x,  /* v2 */
                             0, 0, m, m * c.y,  -m * c.x, 0};       /* v3 */
    memcpy(top, rows, sizeof rows);
}

static int read_mass_matrix(ts_builder *b, const ts_value *value, ts_section *section) {
    const double *M = value[MASS_MATRIX].number, m = (M[0] + M[7] + M[14]) / 3;
    if (refuse_both(b, value, MASS, MASS_MATRIX, MASS_MATRIX) || check_symmetry(b, MASS_MATRIX, M))
        return TORSOR_EINVAL;
    if (m < 0) return ts_build_fail(b, MASS_MATRIX, NULL, "the mass is negative");
    v3 c = m > 0 ? v3_scale(0.5 / m, v3_make(M[11] - M[16], M[15] - M[5], M[4] - M[9]))
                 : v3_make(0, 0, 0);
    double top[18], arm = sqrt(m * (M[21] + M[28] + M[35]));
    rigid_top(m, c, top);
    for (int k = 0; k < 18; k++)
        if (fabs(M[k] - top[k]) > 1e-6 * (k % 6 < 3 ? m : arm))
            return ts_build_fail(b, MASS_MATRIX,
                                 "[[m I, -m c~], [m c~, J]]: one mass in all directions, one "
                                 "centre",
                                 "not the mass of a rigid slice: %g in row %d, column %d, where %g "
                                 "is expected",
                                 M[k], k / 6 + 1, k % 6 + 1, top[k]);
    m3 J = m3_sym(m3_cols(v3_load(M + 21), v3_load(M + 27), v3_load(M + 33)));
    section->mass = m, section->centre = c;
    return set_inertia(b, MASS_MATRIX, m3_sub(J, offset_inertia(m, c)), section);
}

static int build(ts_builder *b, ts_value *value) {
    ts_section section = {0};
    if (read_stiffness(b, value, &section)) return TORSOR_EINVAL;
    if (value[MASS_MATRIX].given ? read_mass_matrix(b, value, &section)
                                 : read_mass_numbers(b, value, &section))
        return TORSOR_EINVAL;
    ts_section_store(b, &TS_KIND_SECTION, &section);
    return 0;
}

const ts_kind TS_KIND_SECTION = {
    .name = "direct",
    .section = "sections",
    .look = TS_LOOK_SECTION,
    .help = "A section of a beam by its properties: stiffnesses and mass per length, with tension, "
            "shear and mass centres anywhere, or whole 6x6 matrices. Axis 1 runs along the beam.",
    .fields = FIELDS,
    .build = build,
    .sample = "{EA: 2e4 kN, GA2: 6 MN, GA3: 5 MN, GJ: 300 N*m^2, EI2: 500 N*m^2, EI3: 200 N*m^2, "
              "tension_centre: [1 mm, 2 mm], shear_centre: [-1 mm, 0], principal_angle: 10 deg, "
              "mass: 2 kg/m, mass_centre: [2 mm, 0], polar_inertia: 2e-4}",
    .default_in_section = true};

/* ---- summary of the stiffness ---- */

/* The stiffness of a 2x2 flexibility (a, b; b, c). */
static void stiffness_of(double a, double b, double c, double *first, double *second,
                         double *mixed) {
    double det = a * c - b * b;
    *first = c / det, *second = a / det, *mixed = -b / det;
}

void ts_section_summarize(const double *numbers, ts_section_summary *out) {
    double K[36], S[36];
    memcpy(K, numbers + TS_SECTION_STIFFNESS, sizeof K);
    ts_dense_invert_definite(6, K, S);
    *out = (ts_section_summary){.mass = numbers[TS_SECTION_MASS]};
    stiffness_of(S[28], S[29], S[35], &out->EI2, &out->EI3, &out->EI23);
    /* N at t causes the moments (0, N t3, -N t2); curvatures about 2 and 3 are then zero */
    out->tension[1] = -(out->EI2 * S[24] + out->EI23 * S[30]);
    out->tension[0] = out->EI23 * S[24] + out->EI3 * S[30];
    out->EA = 1 / (S[0] + out->tension[1] * S[4] - out->tension[0] * S[5]);
    /* Q2 at s causes the moment -Q2 s3 about 1, Q3 causes Q3 s2; twist is then zero */
    out->GJ = 1 / S[21];
    out->shear[0] = -S[20] * out->GJ, out->shear[1] = S[19] * out->GJ;
    stiffness_of(S[7] - S[19] * S[19] * out->GJ, S[8] - S[19] * S[20] * out->GJ,
                 S[14] - S[20] * S[20] * out->GJ, &out->GA2, &out->GA3, &out->GA23);
    out->centre = v3_load(numbers + TS_SECTION_CENTRE);
    out->inertia =
        m3_sub(m3_load(numbers + TS_SECTION_INERTIA), offset_inertia(out->mass, out->centre));
}

static void print_mixed(FILE *out, const char *name, const char *unit, double mixed, double scale) {
    if (fabs(mixed) > 1e-9 * scale) fprintf(out, "  %-6s %-13.7g %s\n", name, mixed, unit);
}

static void print_point(FILE *out, const char *name, double y2, double y3) {
    fprintf(out, "  %-6s centre at [%.6g, %.6g] m\n", name, y2, y3);
}

/* Zero where only round-off is left of a length. */
static double clean(double y, double size) { return fabs(y) < 1e-9 * size ? 0 : y; }

void ts_section_describe(const ts_model *model, int part, FILE *out) {
    const ts_part *p = &model->parts[part];
    ts_section_summary s;
    ts_section_summarize(model->numbers + p->data, &s);
    double size = sqrt((s.EI2 + s.EI3) / s.EA), J = s.inertia.c[0].x;
    fprintf(out, "section %s (%s)\n", p->name, p->kind->name);
    fprintf(out, "  EA     %-13.7g N\n  GA2    %-13.7g N\n  GA3    %-13.7g N\n", s.EA, s.GA2,
            s.GA3);
    print_mixed(out, "GA23", "N", s.GA23, s.GA2 + s.GA3);
    fprintf(out, "  GJ     %-13.7g N m^2\n  EI2    %-13.7g N m^2\n  EI3    %-13.7g N m^2\n", s.GJ,
            s.EI2, s.EI3);
    print_mixed(out, "EI23", "N m^2", s.EI23, s.EI2 + s.EI3);
    fprintf(out, "  mass   %-13.7g kg/m\n", s.mass);
    fprintf(out, "  J1     %-13.7g kg m\n  J2     %-13.7g kg m\n  J3     %-13.7g kg m\n", J,
            s.inertia.c[1].y, s.inertia.c[2].z);
    print_mixed(out, "J23", "kg m", s.inertia.c[1].z, J);
    print_point(out, "tension", clean(s.tension[0], size), clean(s.tension[1], size));
    print_point(out, "shear", clean(s.shear[0], size), clean(s.shear[1], size));
    print_point(out, "mass", s.centre.y, s.centre.z);
}
