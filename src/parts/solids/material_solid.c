/* SPDX-License-Identifier: Apache-2.0 */
/* Materials of solids: orthotropic, neo-Hookean, Mooney-Rivlin; and the law that a material gives
 * to a site of a solid.
 *
 * Orthotropic, material axes 1, 2, 3, by its compliance
 *
 *     e11 = s11/E1 - nu12 s22/E1 - nu13 s33/E1   and so on,   nu_ij/E_i = nu_ji/E_j ,
 *     2 e12 = s12/G12 ...
 *
 * nu_ij being the contraction along j over the extension along i when pulled along i. Hyperelastic
 * ones: see hyperelastic_law.c for their energies. Their moduli at zero strain are shear mu (2 (c10
 * + c01)) and bulk kappa (lambda + 2 mu/3), from which E = 9 kappa mu/(3 kappa + mu); beams and
 * shells use these.
 *
 * An energy is admitted if it is positive for every small strain and bounded below for every large
 * one. So lambda >= 0: otherwise V is unbounded below as J goes to 0. And c10, c01 >= 0: otherwise
 * V is unbounded below for large changes of shape.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "laws/linear_law.h"
#include "parts/continuum.h"

#define STRESS_FIELD(field, is_required, text)                                           \
    {                                                                                    \
        .name = field, .type = TS_NUMBER, .dim = TS_DIM_STRESS, .required = is_required, \
        .help = text                                                                     \
    }
#define DENSITY_FIELD                                                                  \
    {                                                                                  \
        .name = "density", .type = TS_NUMBER, .dim = TS_DIM_DENSITY, .required = true, \
        .help = "Mass per volume."                                                     \
    }
#define RATIO_FIELD(field, text) \
    { .name = field, .type = TS_NUMBER, .required = true, .help = text }

static int check_positive(ts_builder *b, const ts_kind *kind, const ts_value *value, int field) {
    if (!value[field].given || value[field].number[0] > 0) return 0;
    return ts_build_fail(b, field, NULL, "%s must be above zero", kind->fields[field].name);
}

/* ---- orthotropic ---- */

enum { E1, E2, E3, NU12, NU23, NU13, G12, G23, G13, ORTHO_DENSITY };

static const ts_field ORTHOTROPIC_FIELDS[] = {
    STRESS_FIELD("E1", true, "Young's modulus along axis 1 (the fibres)."),
    STRESS_FIELD("E2", true, "Young's modulus along axis 2."),
    STRESS_FIELD("E3", true, "Young's modulus along axis 3."),
    RATIO_FIELD("nu12", "Contraction along 2 over extension along 1, when pulled along 1."),
    RATIO_FIELD("nu23", "Contraction along 3 over extension along 2, when pulled along 2."),
    RATIO_FIELD("nu13", "Contraction along 3 over extension along 1, when pulled along 1."),
    STRESS_FIELD("G12", true, "Shear modulus in the plane of 1 and 2."),
    STRESS_FIELD("G23", true, "Shear modulus in the plane of 2 and 3."),
    STRESS_FIELD("G13", true, "Shear modulus in the plane of 1 and 3."),
    DENSITY_FIELD,
    {0}};

/* Pairs (i, j) of the ratios, and what they are called. */
static const struct ratio {
    int field, i, j;
    const char *name, *other;
} RATIOS[] = {
    {NU12, 0, 1, "nu12", "nu21"}, {NU23, 1, 2, "nu23", "nu32"}, {NU13, 0, 2, "nu13", "nu31"}};

/* nu_ij^2 < E_i/E_j for each pair, and the determinant of all three. */
static int check_ratios(ts_builder *b, const ts_value *value) {
    double c[3];
    for (int k = 0; k < 3; k++) {
        const struct ratio *r = &RATIOS[k];
        double E_i = value[E1 + r->i].number[0], E_j = value[E1 + r->j].number[0];
        double nu = value[r->field].number[0];
        c[k] = nu * sqrt(E_j / E_i);
        char hint[160];
        snprintf(hint, sizeof hint, "perhaps this is %s, and %s = %s E%d/E%d = %.4g", r->other,
                 r->name, r->other, r->i + 1, r->j + 1, nu * E_i / E_j);
        if (!(fabs(c[k]) < 1))
            return ts_build_fail(b, r->field, hint,
                                 "such a material would create energy: |%s| must be below "
                                 "sqrt(E%d/E%d) = %.4g",
                                 r->name, r->i + 1, r->j + 1, sqrt(E_i / E_j));
    }
    if (1 - c[0] * c[0] - c[1] * c[1] - c[2] * c[2] - 2 * c[0] * c[1] * c[2] > 1e-9) return 0;
    return ts_build_fail(b, -1, "make one of nu12, nu23, nu13 smaller",
                         "such a material would create energy: its ratios nu12, nu23 and nu13 are "
                         "too large together");
}

static int build_orthotropic(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_ORTHOTROPIC;
    ts_material m = {.density = value[ORTHO_DENSITY].number[0]};
    for (int k = E1; k <= G13; k++)
        if ((k < NU12 || k > NU13) && check_positive(b, kind, value, k)) return TORSOR_EINVAL;
    if (check_ratios(b, value) || ts_check_density(b, value, ORTHO_DENSITY)) return TORSOR_EINVAL;
    double S[9], Q[9];
    for (int i = 0; i < 3; i++) S[4 * i] = 1 / value[E1 + i].number[0];
    for (int k = 0; k < 3; k++) {
        const struct ratio *r = &RATIOS[k];
        S[3 * r->i + r->j] = S[3 * r->j + r->i] = -value[r->field].number[0] * S[4 * r->i];
    }
    m3_store(Q, m3_sym(m3_invt(m3_load(S))));
    for (int i = 0; i < 9; i++)
        m.compliance[6 * (i / 3) + i % 3] = S[i], m.stiffness[6 * (i / 3) + i % 3] = Q[i];
    for (int i = 0; i < 3; i++)
        m.stiffness[7 * (3 + i)] = value[G12 + i].number[0],
                             m.compliance[7 * (3 + i)] = 1 / value[G12 + i].number[0];
    ts_material_store(b, kind, &m);
    return 0;
}

const ts_kind TS_KIND_ORTHOTROPIC = {
    .name = "orthotropic",
    .section = "materials",
    .help = "A linearly elastic material with three planes of symmetry, for solids and shells: a "
            "ply of fibres, "
            "wood.",
    .fields = ORTHOTROPIC_FIELDS,
    .build = build_orthotropic,
    .sample = "{type: orthotropic, E1: 140 GPa, E2: 10 GPa, E3: 9 GPa, nu12: 0.3, nu23: 0.4, nu13: "
              "0.28, G12: 5 GPa, G23: 3.5 GPa, G13: 4.5 GPa, density: 1600 kg/m^3}"};

/* ---- hyperelastic ---- */

static void store_hyperelastic(ts_builder *b, const ts_kind *kind, double mu, double kappa,
                               double density, const double *energy) {
    ts_material m;
    double E = 9 * kappa * mu / (3 * kappa + mu), half_nu = 1.5 * mu / (3 * kappa + mu);
    ts_material_isotropic(&m, E, 0.5 - half_nu, density);
    for (int i = 0; i < 36; i++) { /* nu is too close to 1/2 for its digits */
        bool normal = i / 6 < 3 && i % 6 < 3;
        m.stiffness[i] =
            (normal ? kappa - 2 * mu / 3 : 0) + (i % 7 == 0 ? (normal ? 2 * mu : mu) : 0);
    }
    memcpy(m.energy, energy, sizeof m.energy);
    ts_material_store(b, kind, &m);
}

enum { NH_MU, NH_LAMBDA, NH_KAPPA, NH_E, NH_NU, NH_DENSITY };

static const ts_field NEO_HOOKEAN_FIELDS[] = {
    STRESS_FIELD("mu", false, "Shear modulus at zero strain; with lambda or kappa."),
    STRESS_FIELD("lambda", false,
                 "Second modulus of Lame, at least zero: V = mu/2 (tr C - 3) - mu ln J + lambda/2 "
                 "(ln J)^2."),
    STRESS_FIELD("kappa", false,
                 "Bulk modulus: V = mu/2 (J^(-2/3) tr C - 3) + kappa/2 ((J^2 - 1)/2 - ln J); for "
                 "rubber, 1e3 to 1e4 times mu."),
    STRESS_FIELD("E", false, "Young's modulus at zero strain, with nu, instead of mu and lambda."),
    {.name = "nu",
     .type = TS_NUMBER,
     .help = "Poisson's ratio at zero strain, with E: from 0, below 0.5."},
    DENSITY_FIELD,
    {0}};

static int check_pair(ts_builder *b, const ts_value *value) {
    bool by_E = value[NH_E].given && value[NH_NU].given,
         by_mu = value[NH_MU].given && value[NH_LAMBDA].given != value[NH_KAPPA].given;
    int count = 0;
    for (int k = NH_MU; k <= NH_NU; k++) count += value[k].given;
    if (count == 2 && (by_E || by_mu)) return 0;
    return ts_build_fail(b, -1, "nearly incompressible: mu and kappa",
                         "give two moduli: mu and lambda, or mu and kappa, or E and nu");
}

static int check_neo_hookean(ts_builder *b, const ts_value *value) {
    const ts_kind *kind = &TS_KIND_NEO_HOOKEAN;
    double nu = value[NH_NU].number[0];
    if (check_pair(b, value) || check_positive(b, kind, value, NH_MU) ||
        check_positive(b, kind, value, NH_E) || check_positive(b, kind, value, NH_KAPPA))
        return TORSOR_EINVAL;
    if (value[NH_LAMBDA].number[0] < 0)
        return ts_build_fail(b, NH_LAMBDA, "for small strains an `isotropic` material may have it",
                             "lambda is negative: compressed to zero volume, such a material would "
                             "create energy without bound");
    if (!(nu >= 0 && 0.5 - nu > 1e-9))
        return ts_build_fail(b, NH_NU,
                             nu < 0 ? "for small strains an `isotropic` material may have it"
                                    : "nearly incompressible: give mu and kappa",
                             "Poisson's ratio %g is not from 0 to below 0.5", nu);
    return ts_check_density(b, value, NH_DENSITY);
}

static int build_neo_hookean(ts_builder *b, ts_value *value) {
    if (check_neo_hookean(b, value)) return TORSOR_EINVAL;
    double mu = value[NH_MU].number[0], lambda = value[NH_LAMBDA].number[0],
           kappa = value[NH_KAPPA].number[0], density = value[NH_DENSITY].number[0];
    if (value[NH_E].given) {
        double nu = value[NH_NU].number[0];
        mu = value[NH_E].number[0] / (2 * (1 + nu)), lambda = 2 * mu * nu / (1 - 2 * nu);
    }
    bool decoupled = value[NH_KAPPA].given;
    const double coupled[5] = {mu, lambda, 0, 0, 0}, split[5] = {0, 0, 0.5 * mu, 0, kappa};
    store_hyperelastic(b, &TS_KIND_NEO_HOOKEAN, mu, decoupled ? kappa : lambda + 2 * mu / 3,
                       density, decoupled ? split : coupled);
    return 0;
}

const ts_kind TS_KIND_NEO_HOOKEAN = {
    .name = "neo_hookean",
    .section = "materials",
    .help = "Neo-Hookean hyperelasticity, for large strains of solids; in beams and shells by its "
            "moduli at zero strain.",
    .fields = NEO_HOOKEAN_FIELDS,
    .build = build_neo_hookean,
    .sample = "{type: neo_hookean, mu: 1 MPa, kappa: 1 GPa, density: 1100 kg/m^3}"};

enum { MR_C10, MR_C01, MR_KAPPA, MR_DENSITY };

static const ts_field MOONEY_RIVLIN_FIELDS[] = {
    STRESS_FIELD("c10", true, "Factor of J^(-2/3) I1 - 3, at least zero."),
    STRESS_FIELD("c01", true,
                 "Factor of J^(-4/3) I2 - 3, at least zero; 2 (c10 + c01) is the shear modulus."),
    STRESS_FIELD("kappa", true,
                 "Bulk modulus, of kappa/2 ((J^2 - 1)/2 - ln J); for rubber, 1e3 to 1e4 times the "
                 "shear modulus."),
    DENSITY_FIELD,
    {0}};

static int build_mooney_rivlin(ts_builder *b, ts_value *value) {
    const ts_kind *kind = &TS_KIND_MOONEY_RIVLIN;
    double c10 = value[MR_C10].number[0], c01 = value[MR_C01].number[0],
           kappa = value[MR_KAPPA].number[0];
    for (int k = MR_C10; k <= MR_C01; k++)
        if (value[k].number[0] < 0)
            return ts_build_fail(b, k, "fit the measurements again with both at least zero",
                                 "%s is negative: in some large strain such a material releases "
                                 "energy without bound",
                                 kind->fields[k].name);
    if (!(c10 + c01 > 0)) return ts_build_fail(b, MR_C10, NULL, "c10 or c01 must be above zero");
    if (check_positive(b, kind, value, MR_KAPPA) || ts_check_density(b, value, MR_DENSITY))
        return TORSOR_EINVAL;
    const double energy[5] = {0, 0, c10, c01, kappa};
    store_hyperelastic(b, kind, 2 * (c10 + c01), kappa, value[MR_DENSITY].number[0], energy);
    return 0;
}

const ts_kind TS_KIND_MOONEY_RIVLIN = {
    .name = "mooney_rivlin",
    .section = "materials",
    .help = "Mooney and Rivlin's hyperelasticity, for large strains of rubber; in beams and shells "
            "by its moduli at "
            "zero strain.",
    .fields = MOONEY_RIVLIN_FIELDS,
    .build = build_mooney_rivlin,
    .sample =
        "{type: mooney_rivlin, c10: 0.4 MPa, c01: 0.1 MPa, kappa: 1 GPa, density: 1100 kg/m^3}"};

/* ---- the law of a site ---- */

int ts_require_solid(ts_builder *b, const ts_value *value, int field) {
    if (ts_material_load(b->model, value[field].part[0]).stiffness[0] > 0) return 0;
    return ts_build_fail(
        b, field, "use nu below 0.5; for rubber, `neo_hookean` with mu and kappa",
        "a solid cannot be made of '%.60s': with nu = 0.5 its volume cannot change",
        value[field].text);
}

/* T: strains in the axes of the material from those along x, y, z */
static void strain_rotation(m3 axes, double T[36]) {
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    double A[9];
    m3_store(A, axes); /* A[3 k + i]: component i of axis k */
    for (int a = 0; a < 6; a++)
        for (int c = 0; c < 6; c++) {
            const double *k = A + 3 * row[a], *l = A + 3 * column[a];
            int m = row[c], n = column[c];
            double both = m == n ? k[m] * l[m] : 0.5 * (k[m] * l[n] + k[n] * l[m]);
            T[6 * a + c] = a < 3 ? both : 2 * both;
        }
}

static void turned_stiffness(const double *K, m3 axes, double out[36]) {
    double T[36], KT[36] = {0};
    strain_rotation(axes, T);
    memset(out, 0, 36 * sizeof *out);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++) KT[6 * i + j] += K[6 * i + k] * T[6 * k + j];
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            for (int j = 0; j < 6; j++) out[6 * i + j] += T[6 * k + i] * KT[6 * k + j];
}

/* Share of the bulk modulus in the isochoric part: that of 2 mu E : E, two thirds of the shear
 * modulus. Without it a motion that changes volume alone, and not in the mean, would have no
 * resistance: a tet10 has such motions. */
static double kept_bulk(double bulk, double shear) { return fmin(1, 2.0 / 3 * shear / bulk); }

static void linear_numbers(ts_model *model, const ts_material *m, ts_share share, double volume,
                           double eta, m3 axes) {
    double K[36], flexibility = 0;
    for (int i = 0; i < 9; i++) flexibility += m->compliance[6 * (i / 3) + i % 3];
    turned_stiffness(m->stiffness, axes, K);
    double shear = (m->stiffness[21] + m->stiffness[28] + m->stiffness[35]) / 3;
    double taken = (1 - kept_bulk(1 / flexibility, shear)) / flexibility;
    ts_model_number(model, eta);
    for (int i = 0; i < 36; i++) {
        double bulk = i / 6 < 3 && i % 6 < 3 ? taken : 0;
        double part[] = {K[i], K[i] - bulk, bulk};
        ts_model_number(model, volume * part[share]);
    }
}

/* Linearised moduli by share. The isochoric share of mu/2 (I1 - 3) - mu ln J is 2 mu E : E itself;
 * that of c10 and c01 comes with kappa. */
static double share_of(const ts_material *m, int k, ts_share share) {
    double shear =
        2 * (m->energy[TS_HYPER_C10 - TS_HYPER_MU] + m->energy[TS_HYPER_C01 - TS_HYPER_MU]);
    double kept = 1, kappa = m->energy[TS_HYPER_KAPPA - TS_HYPER_MU];
    if (k == TS_HYPER_LAMBDA) kept = 0;
    if (k == TS_HYPER_KAPPA && kappa > 0) kept = kept_bulk(kappa, shear);
    return share == TS_SHARE_WHOLE ? 1 : share == TS_SHARE_VOLUMETRIC ? 1 - kept : kept;
}

static void hyperelastic_numbers(ts_model *model, const ts_material *m, ts_share share,
                                 double volume, double eta) {
    ts_model_number(model, volume);
    ts_model_number(model, eta);
    for (int k = TS_HYPER_MU; k < TS_HYPER_NUMBERS; k++)
        ts_model_number(model, share_of(m, k, share) * m->energy[k - TS_HYPER_MU]);
}

bool ts_material_hyperelastic(const ts_material *m) {
    for (int k = 0; k < TS_HYPER_NUMBERS - TS_HYPER_MU; k++)
        if (m->energy[k] != 0) return true;
    return false;
}

void ts_material_dilatation(ts_model *model, int material, double volume, double eta,
                            double drawn) {
    ts_material m = ts_material_load(model, material);
    double part[2];
    assert(model->sites[model->sites_count - 1].data == model->numbers_count);
    for (int i = 0; i < 2; i++) {
        int k = i == 0 ? TS_HYPER_LAMBDA : TS_HYPER_KAPPA;
        part[i] = share_of(&m, k, TS_SHARE_VOLUMETRIC) * m.energy[k - TS_HYPER_MU];
    }
    const double numbers[TS_DILATATION_NUMBERS] = {volume, eta, part[0], part[1], drawn};
    for (int k = 0; k < TS_DILATATION_NUMBERS; k++) ts_model_number(model, numbers[k]);
    ts_model_law(model, &TS_DILATATION_LAW);
}

void ts_material_solid(ts_model *model, int material, ts_share share, double volume, double eta,
                       m3 axes) {
    ts_material m = ts_material_load(model, material);
    bool linear = !ts_material_hyperelastic(&m);
    assert(model->sites[model->sites_count - 1].data == model->numbers_count);
    if (linear)
        linear_numbers(model, &m, share, volume, eta, axes);
    else
        hyperelastic_numbers(model, &m, share, volume, eta);
    ts_model_law(model, linear ? &TS_LINEAR_LAW : &TS_HYPERELASTIC_LAW);
}
