/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of shells: homogeneous, layered, or by their matrices. Strains are those of continuum.h.
 *
 * Layers, from the side the normal points away from to the side it points to, are in plane stress.
 * With the stiffness Q(x3) of a layer in the axes of the section,
 *
 *     A, B, D = integrals of Q (1, x3, x3^2)
 *     (R. M. Jones, Mechanics of Composite Materials, ch. 4)
 *
 * Transverse shear follows from equilibrium (K. Rohwer, Improved transverse shear stiffness for
 * layered finite elements, DFVLR-FB 88-32, 1988): forces Q1, Q2 change the moments by M11,1 = Q1
 * and M22,2 = Q2, without membrane forces, and the layers' stresses with them,
 *
 *     s = a M ,   a(x3) = Q (x3 - A^-1 B) (D - B A^-1 B)^-1 ,
 *     [t13, t23]' = -[a_11 a_32; a_31 a_22] [Q1, Q2]   (indices 1, 2, 3: 11, 22, 12) ,
 *
 * integrated from the free face. t = F(x3) [Q1, Q2] then costs the energy of the flexibility, the
 * integral of F^T G^-1 F, whose inverse is the shear stiffness. One layer: 5/6 G h.
 */
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "parts/continuum.h"

static const char *const MATERIALS[] = {"materials", NULL};

/* ---- small matrices ---- */

/* 2x2: 11, 12, 21, 22 */
static void multiply2(const double *A, const double *B, double *out) {
    for (int i = 0; i < 4; i++) out[i] = A[i / 2 * 2] * B[i % 2] + A[i / 2 * 2 + 1] * B[2 + i % 2];
}

static void invert2(const double *A, double *out) {
    double det = A[0] * A[3] - A[1] * A[2];
    out[0] = A[3] / det, out[1] = -A[1] / det, out[2] = -A[2] / det, out[3] = A[0] / det;
}

static m3 invert3(m3 A) { return m3_transpose(m3_invt(A)); }

/* Cosine and sine, exact for right angles: 90 deg in rad is rounded. */
static void cos_sin(double angle, double *c, double *s) {
    *c = cos(angle), *s = sin(angle);
    if (fabs(*c) < 1e-15) *c = 0;
    if (fabs(*s) < 1e-15) *s = 0;
}

/* e in axes turned by the angle, from e = (11, 22, 2 12) */
static m3 membrane_turn(double angle) {
    double c, s;
    cos_sin(angle, &c, &s);
    return m3_cols(v3_make(c * c, s * s, -2 * c * s), v3_make(s * s, c * c, 2 * c * s),
                   v3_make(c * s, -c * s, c * c - s * s));
}

static m3 turned(m3 Q, double angle) {
    m3 T = membrane_turn(angle);
    return m3_sym(m3_tmul(T, m3_mul(Q, T)));
}

static void turned_shear(const double *G, double angle, double *out) {
    double c, s, GR[4];
    cos_sin(angle, &c, &s);
    const double R[4] = {c, s, -s, c}, Rt[4] = {c, -s, s, c};
    multiply2(G, R, GR);
    multiply2(Rt, GR, out);
}

static double entry(m3 A, int i, int j) {
    double c[3];
    v3_store(c, A.c[j]);
    return c[i];
}

/* ---- layers ---- */

typedef struct layer {
    m3 Q;
    double G[4], density;
} layer;

/* Plane stress: the compliance over 11, 22, 12 is the same as in space. */
static layer make_layer(const ts_model *model, int material, double angle) {
    static const int at[3] = {0, 1, 3};
    ts_material m = ts_material_load(model, material);
    double S[9], G[4] = {1 / m.compliance[35], 0, 0, 1 / m.compliance[28]};
    for (int i = 0; i < 9; i++) S[i] = m.compliance[6 * at[i / 3] + at[i % 3]];
    layer l = {.Q = turned(invert3(m3_load(S)), angle), .density = m.density};
    turned_shear(G, angle, l.G);
    return l;
}

/* The layers of a section; a list with one entry applies to all layers. */
typedef struct stack {
    const ts_model *model;
    int layers; /* twice the given ones where they are mirrored */
    bool mirrored;
    const ts_value *materials, *thicknesses, *angles;
    double bottom, thickness;
} stack;

static double of_list(const ts_value *list, int k) {
    return list->count == 0 ? 0 : list->list[list->count == 1 ? 0 : k];
}

static layer layer_of(const stack *s, int k, double *height) {
    if (s->mirrored && k >= s->layers / 2) k = s->layers - 1 - k;
    *height = of_list(s->thicknesses, k);
    return make_layer(s->model, (int)of_list(s->materials, k), of_list(s->angles, k));
}

/* ---- A, B, D ---- */

typedef struct plate {
    m3 A, B, D;
} plate;

static plate add_layers(const stack *s, ts_section_of_shell *out) {
    plate p = {0};
    double z = s->bottom, h;
    for (int k = 0; k < s->layers; k++, z += h) {
        layer l = layer_of(s, k, &h);
        double m = z + 0.5 * h, square = h * (m * m + h * h / 12);
        p.A = m3_axpy(h, l.Q, p.A);
        p.B = m3_axpy(h * m, l.Q, p.B);
        p.D = m3_axpy(square, l.Q, p.D);
        out->mass += l.density * h;
        out->mass_moment += l.density * h * m;
        out->inertia += l.density * square;
    }
    return p;
}

/* Sets a coupling that is round-off to zero. */
static double clean(double x, double scale) { return fabs(x) < 1e-13 * scale ? 0 : x; }

static void clean_coupling(plate *p, ts_section_of_shell *s) {
    double B[9], scale = sqrt(m3_inner(p->A, p->A)) * s->thickness;
    m3_store(B, p->B);
    for (int i = 0; i < 9; i++) B[i] = clean(B[i], scale);
    p->B = m3_load(B);
    s->mass_moment = clean(s->mass_moment, s->mass * s->thickness);
}

/* ---- transverse shear ---- */

/* Matrices that give the stresses of a layer from moments: s = (x3 X - Y) M; and the four entries
 * that balance shear. */
static void pick(m3 X, double *out) {
    out[0] = entry(X, 0, 0), out[1] = entry(X, 2, 1);
    out[2] = entry(X, 2, 0), out[3] = entry(X, 1, 1);
}

static void add_flexibility(const double *F, const double *G, double weight, double *out) {
    double Ft[4] = {F[0], F[2], F[1], F[3]}, inverse[4], GF[4], FGF[4];
    invert2(G, inverse);
    multiply2(inverse, F, GF);
    multiply2(Ft, GF, FGF);
    for (int i = 0; i < 4; i++) out[i] += weight * FGF[i];
}

/* F is quadratic within a layer, so three points integrate its square exactly. */
static void shear_stiffness(const stack *s, const plate *p, double *out) {
    static const double at[3] = {0.11270166537925831, 0.5, 0.88729833462074169},
                        weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    m3 AB = m3_mul(invert3(p->A), p->B);
    m3 bending = invert3(m3_sub(p->D, m3_mul(p->B, AB)));
    double start[4] = {0}, flexibility[4] = {0}, z = s->bottom, h;
    for (int k = 0; k < s->layers; k++, z += h) {
        layer l = layer_of(s, k, &h);
        double X[4], Y[4], F[4];
        pick(m3_mul(l.Q, bending), X);
        pick(m3_mul(l.Q, m3_mul(AB, bending)), Y);
        for (int g = 0; g < 4; g++) {
            double d = g < 3 ? at[g] * h : h;
            for (int i = 0; i < 4; i++) F[i] = start[i] - d * ((z + 0.5 * d) * X[i] - Y[i]);
            if (g < 3) add_flexibility(F, l.G, weight[g] * h, flexibility);
        }
        memcpy(start, F, sizeof start);
    }
    flexibility[1] = flexibility[2] = 0.5 * (flexibility[1] + flexibility[2]);
    invert2(flexibility, out);
}

/* ---- the matrix ---- */

static void put_block(double *K, int row, int column, m3 X) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) K[8 * (row + i) + column + j] = entry(X, i, j);
}

static void assemble(const plate *p, const double *shear, double *K) {
    memset(K, 0, 64 * sizeof *K);
    put_block(K, 0, 0, p->A);
    put_block(K, 0, 3, p->B);
    put_block(K, 3, 0, p->B);
    put_block(K, 3, 3, p->D);
    for (int i = 0; i < 4; i++) K[8 * (6 + i / 2) + 6 + i % 2] = shear[i];
}

static void store(ts_builder *b, const ts_kind *kind, const ts_section_of_shell *section) {
    double numbers[sizeof *section / sizeof(double)];
    memcpy(numbers, section, sizeof numbers);
    ts_part *part = ts_new_part(b, kind);
    part->data = b->model->numbers_count;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        ts_model_number(b->model, numbers[k]);
}

static void store_stack(ts_builder *b, const ts_kind *kind, stack *s, double offset) {
    ts_section_of_shell section = {.thickness = s->thickness};
    double shear[4];
    s->bottom = offset - 0.5 * s->thickness;
    plate p = add_layers(s, &section);
    clean_coupling(&p, &section);
    shear_stiffness(s, &p, shear);
    assemble(&p, shear, section.K);
    store(b, kind, &section);
}

ts_section_of_shell ts_section_shell(const ts_model *model, int part) {
    ts_section_of_shell section;
    memcpy(&section, model->numbers + model->parts[part].data, sizeof section);
    return section;
}

static m3 take_block(const double *K, int row, int column) {
    double X[9];
    for (int i = 0; i < 9; i++) X[i] = K[8 * (row + i % 3) + column + i / 3];
    return m3_load(X);
}

void ts_section_shell_turn(ts_section_of_shell *section, double angle) {
    const double *K = section->K;
    double G[4] = {K[54], K[55], K[62], K[63]}, shear[4];
    plate p = {.A = turned(take_block(K, 0, 0), -angle),
               .B = turned(take_block(K, 0, 3), -angle),
               .D = turned(take_block(K, 3, 3), -angle)};
    turned_shear(G, -angle, shear);
    assemble(&p, shear, section->K);
}

/* ---- one material ---- */

#define OFFSET_FIELD                                                                            \
    {                                                                                           \
        .name = "offset", .type = TS_NUMBER, .dim = TS_DIM_LENGTH,                              \
        .help = "Distance of the middle surface from the reference surface, along the normal.", \
        .fallback = "0"                                                                         \
    }

enum { MATERIAL, THICKNESS, ANGLE, OFFSET };

static const ts_field SHELL_FIELDS[] = {
    {.name = "material",
     .type = TS_PART,
     .required = true,
     .choices = MATERIALS,
     .help = "The material, one of `materials`."},
    {.name = "thickness",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Thickness."},
    {.name = "angle",
     .type = TS_NUMBER,
     .dim = TS_DIM_ANGLE,
     .help = "Angle from axis 1 of the shell to that of the material, about the normal.",
     .fallback = "0"},
    OFFSET_FIELD,
    {0}};

static int build_shell(ts_builder *b, ts_value *value) {
    double h = value[THICKNESS].number[0], material = value[MATERIAL].part[0],
           angle = value[ANGLE].number[0];
    if (!(h > 0)) return ts_build_fail(b, THICKNESS, NULL, "the thickness must be above zero");
    const ts_value materials = {.list = &material, .count = 1}, heights = {.list = &h, .count = 1},
                   angles = {.list = &angle, .count = 1};
    stack s = {.model = b->model,
               .layers = 1,
               .materials = &materials,
               .thicknesses = &heights,
               .angles = &angles,
               .thickness = h};
    store_stack(b, &TS_KIND_SHELL_SECTION, &s, value[OFFSET].number[0]);
    return 0;
}

const ts_kind TS_KIND_SHELL_SECTION = {.name = "shell",
                                       .section = "shell_sections",
                                       .help = "A shell of one material. The shear factor is 5/6.",
                                       .fields = SHELL_FIELDS,
                                       .build = build_shell,
                                       .sample = "{material: M, thickness: 2 mm}",
                                       .default_in_section = true};

/* ---- layers ---- */

enum { LAYER_MATERIALS, LAYER_THICKNESSES, LAYER_ANGLES, SYMMETRIC, LAMINATE_OFFSET };

static const ts_field LAMINATE_FIELDS[] = {
    {.name = "materials",
     .type = TS_PARTS,
     .required = true,
     .choices = MATERIALS,
     .help = "The materials of the layers, the last one on the side to which the normal points; a "
             "single one is for all layers."},
    {.name = "thicknesses",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "The thicknesses of the layers; a single one is for all layers."},
    {.name = "angles",
     .type = TS_NUMBERS,
     .dim = TS_DIM_ANGLE,
     .help = "Angles from axis 1 of the shell to that of each layer's material, about the normal.",
     .fallback = "0"},
    {.name = "symmetric",
     .type = TS_BOOLEAN,
     .help = "true: the lists contain the layers below the middle. These layers are repeated above "
             "the middle in reverse order.",
     .fallback = "false"},
    OFFSET_FIELD,
    {0}};

/* Lists are as long as the longest of them, or have one number for all. */
static int check_counts(ts_builder *b, const ts_value *value, int *count) {
    *count = 1;
    for (int k = LAYER_MATERIALS; k <= LAYER_ANGLES; k++) {
        if (value[k].given && value[k].count == 0)
            return ts_build_fail(b, k, NULL, "%s must not be empty", LAMINATE_FIELDS[k].name);
        if (value[k].count > *count) *count = value[k].count;
    }
    for (int k = LAYER_MATERIALS; k <= LAYER_ANGLES; k++)
        if (value[k].count > 1 && value[k].count != *count)
            return ts_build_fail(b, k, "one for each layer, or a single one for all of them",
                                 "%s has %d entries, another list has %d", LAMINATE_FIELDS[k].name,
                                 value[k].count, *count);
    return 0;
}

static int build_laminate(ts_builder *b, ts_value *value) {
    const ts_value *heights = &value[LAYER_THICKNESSES];
    int count;
    if (check_counts(b, value, &count)) return TORSOR_EINVAL;
    bool mirrored = value[SYMMETRIC].number[0] != 0;
    stack s = {.model = b->model,
               .layers = mirrored ? 2 * count : count,
               .mirrored = mirrored,
               .materials = &value[LAYER_MATERIALS],
               .thicknesses = heights,
               .angles = &value[LAYER_ANGLES]};
    for (int k = 0; k < count; k++) {
        if (!(of_list(heights, k) > 0))
            return ts_build_fail(b, LAYER_THICKNESSES, NULL,
                                 "the thickness of layer %d must be above zero", k + 1);
        s.thickness += (mirrored ? 2 : 1) * of_list(heights, k);
    }
    store_stack(b, &TS_KIND_SHELL_LAMINATE, &s, value[LAMINATE_OFFSET].number[0]);
    return 0;
}

const ts_kind TS_KIND_SHELL_LAMINATE = {
    .name = "laminate",
    .section = "shell_sections",
    .help = "A shell of layers: plies of fibres, sandwiches. Transverse shear follows from the "
            "equilibrium of the "
            "layers.",
    .fields = LAMINATE_FIELDS,
    .build = build_laminate,
    .sample =
        "{type: laminate, materials: [M], thicknesses: [0.2 mm], angles: [0, 45 deg, -45 deg, 90 "
        "deg], symmetric: true}"};

/* ---- matrices ---- */

enum { MATRIX_A, MATRIX_B, MATRIX_D, SHEAR, MASS, MASS_MOMENT, INERTIA };

#define MATRIX_HELP \
    ": three rows of three, or the upper triangle row by row, [11, 12, 16, 22, 26, 66]"

static const ts_field ABD_FIELDS[] = {
    {.name = "A",
     .type = TS_ROWS,
     .dim = TS_DIM_STIFFNESS,
     .required = true,
     .help = "Membrane stiffness, forces per length of (eps11, eps22, 2 eps12)" MATRIX_HELP "."},
    {.name = "B",
     .type = TS_ROWS,
     .dim = TS_DIM_FORCE,
     .help = "Coupling of membrane and bending, written as A is.",
     .fallback = "0"},
    {.name = "D",
     .type = TS_ROWS,
     .dim = TS_DIM_MOMENT,
     .required = true,
     .help = "Bending stiffness, moments per length of (kappa11, kappa22, 2 kappa12), written as A "
             "is."},
    {.name = "shear",
     .type = TS_ROWS,
     .dim = TS_DIM_STIFFNESS,
     .required = true,
     .help =
         "Transverse shear stiffness of (gamma1, gamma2), correction included: two rows of two, "
         "[11, 12, 22], or [11, 22]."},
    {.name = "mass",
     .type = TS_NUMBER,
     .dim = {-2, 1, 0, 0},
     .required = true,
     .help = "Mass per area."},
    {.name = "mass_moment",
     .type = TS_NUMBER,
     .dim = {-1, 1, 0, 0},
     .help = "First moment of the mass per area about the reference surface, along the normal.",
     .fallback = "0"},
    {.name = "inertia",
     .type = TS_NUMBER,
     .dim = {0, 1, 0, 0},
     .help = "Second moment of the mass per area about the reference surface.",
     .fallback = "that of a homogeneous plate with the same D and A"},
    {0}};

/* n rows of n, the upper triangle, or the diagonal (where allowed); zero if not given */
static int read_symmetric(ts_builder *b, const ts_value *value, int field, int n, double *out) {
    const ts_value *v = &value[field];
    int triangle = n * (n + 1) / 2, rows = (int)v->number[0];
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    if (!v->given) return 0;
    if (rows ? rows != n || v->count != n * n : v->count != triangle && (n > 2 || v->count != n))
        return ts_build_fail(b, field, ABD_FIELDS[field].help,
                             "expected %d rows of %d or the %d numbers of the upper triangle", n, n,
                             triangle);
    for (int i = 0, k = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            if (v->count == n && i != j) continue;
            double x = v->list[rows ? n * i + j : k++], y = rows ? v->list[n * j + i] : x;
            if (fabs(x - y) > 1e-6 * (fabs(x) + fabs(y)))
                return ts_build_fail(b, field, NULL,
                                     "%s is not symmetric: %g in row %d, column %d; %g across",
                                     ABD_FIELDS[field].name, x, i + 1, j + 1, y);
            out[n * i + j] = out[n * j + i] = 0.5 * (x + y);
        }
    return 0;
}

/* With a unit diagonal, so that units do not matter. */
static bool is_definite(const double *K, int first, int n) {
    double S[36], eigenvalue[6];
    for (int i = 0; i < n; i++)
        if (!(K[9 * (first + i)] > 0)) return false;
    for (int i = 0; i < n * n; i++) {
        int r = first + i / n, c = first + i % n;
        S[i] = K[8 * r + c] / sqrt(K[9 * r] * K[9 * c]);
    }
    ts_dense_eigenvalues(n, S, eigenvalue);
    return eigenvalue[0] > 1e-13;
}

static int read_masses(ts_builder *b, const ts_value *value, ts_section_of_shell *s) {
    s->mass = value[MASS].number[0], s->mass_moment = value[MASS_MOMENT].number[0];
    if (s->mass < 0) return ts_build_fail(b, MASS, NULL, "the mass is negative");
    double least = s->mass > 0 ? s->mass_moment * s->mass_moment / s->mass : 0;
    if (s->mass == 0 && s->mass_moment != 0)
        return ts_build_fail(b, MASS_MOMENT, NULL, "a moment of mass needs a mass");
    s->inertia = least + s->mass * s->thickness * s->thickness / 12;
    if (!value[INERTIA].given) return 0;
    s->inertia = value[INERTIA].number[0];
    if (s->inertia >= least * (1 - 1e-9)) return 0;
    return ts_build_fail(b, INERTIA, "inertia is taken about the reference surface",
                         "no distribution of mass has these values: inertia must be at least "
                         "mass_moment^2/mass = %g kg",
                         least);
}

static int build_abd(ts_builder *b, ts_value *value) {
    ts_section_of_shell s = {0};
    double M[3][9], shear[4];
    for (int k = 0; k < 3; k++)
        if (read_symmetric(b, value, MATRIX_A + k, 3, M[k])) return TORSOR_EINVAL;
    if (read_symmetric(b, value, SHEAR, 2, shear)) return TORSOR_EINVAL;
    plate p = {m3_load(M[0]), m3_load(M[1]), m3_load(M[2])};
    assemble(&p, shear, s.K);
    if (!is_definite(s.K, 0, 3) || !is_definite(s.K, 3, 3) || !is_definite(s.K, 6, 2)) {
        int field = !is_definite(s.K, 0, 3) ? MATRIX_A : is_definite(s.K, 3, 3) ? SHEAR : MATRIX_D;
        return ts_build_fail(b, field, NULL,
                             "%s is not positive definite: some strain has no energy",
                             ABD_FIELDS[field].name);
    }
    if (!is_definite(s.K, 0, 6))
        return ts_build_fail(
            b, MATRIX_B, "B^2 must be below A D",
            "A, B and D together are not positive definite: some strain has negative energy");
    s.thickness = sqrt(12 * (M[2][0] + M[2][4]) / (M[0][0] + M[0][4]));
    if (read_masses(b, value, &s)) return TORSOR_EINVAL;
    store(b, &TS_KIND_SHELL_ABD, &s);
    return 0;
}

const ts_kind TS_KIND_SHELL_ABD = {
    .name = "abd",
    .section = "shell_sections",
    .help = "A shell by its matrices: (N, M, Q) = [A, B, 0; B, D, 0; 0, "
            "0, shear] (eps, kappa, gamma), per length.",
    .fields = ABD_FIELDS,
    .build = build_abd,
    .sample = "{type: abd, A: [2e8, 6e7, 0, 2e8, 0, 7e7], D: [[60, 18, "
              "0], [18, 60, 0], [0, 0, 21]], shear: "
              "[6e7, 6e7], mass: 15}"};

/* ---- what became of it ---- */

static void print_matrix(FILE *out, const char *name, const char *unit, const double *K, int size) {
    for (int i = 0; i < size; i++) {
        fprintf(out, "  %-6s", i == 0 ? name : "");
        for (int j = 0; j < size; j++) fprintf(out, " %-13.6g", K[8 * i + j] + 0.0);
        fprintf(out, "%s\n", i == 0 ? unit : "");
    }
}

void ts_section_shell_describe(const ts_model *model, int part, FILE *out) {
    const ts_part *p = &model->parts[part];
    ts_section_of_shell s = ts_section_shell(model, part);
    bool coupled = false;
    for (int i = 0; i < 9; i++) coupled |= s.K[8 * (i / 3) + 3 + i % 3] != 0;
    fprintf(out, "shell section %s (%s)\n", p->name, p->kind->name);
    fprintf(out, "  thickness %.6g m\n", s.thickness);
    print_matrix(out, "A", "N/m", s.K, 3);
    if (coupled) print_matrix(out, "B", "N", s.K + 3, 3);
    print_matrix(out, "D", "N m", s.K + 27, 3);
    print_matrix(out, "shear", "N/m", s.K + 54, 2);
    fprintf(out, "  mass   %-13.7g kg/m^2\n", s.mass);
    if (s.mass_moment != 0) fprintf(out, "  moment %-13.7g kg/m\n", s.mass_moment);
    fprintf(out, "  J      %-13.7g kg\n", s.inertia);
}
