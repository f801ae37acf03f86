/* SPDX-License-Identifier: Apache-2.0 */
/* Materials: isotropic, linearly elastic. G = E / (2 (1 + nu)); nu lies between -1 and 1/2. Also
 * the data that all materials store in the model: see continuum.h.
 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "parts/continuum.h"

static const double INCOMPRESSIBLE = 1e-9; /* 1/2 - nu below which no stiffness is made */

/* The first numbers of a material stand where TS_MATERIAL_E, _G and _DENSITY look for them. */
static_assert(offsetof(ts_material, E) == TS_MATERIAL_E * sizeof(double) &&
                  offsetof(ts_material, G) == TS_MATERIAL_G * sizeof(double) &&
                  offsetof(ts_material, density) == TS_MATERIAL_DENSITY * sizeof(double),
              "order of a material's numbers");

void ts_material_isotropic(ts_material *m, double E, double nu, double density) {
    *m = (ts_material){.E = E, .G = E / (2 * (1 + nu)), .density = density};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m->compliance[6 * i + j] = (i == j ? 1 : -nu) / E;
    for (int i = 3; i < 6; i++) m->compliance[7 * i] = 1 / m->G;
    if (0.5 - nu > INCOMPRESSIBLE) ts_isotropic_stiffness(E, nu, m->stiffness);
}

void ts_material_store(ts_builder *b, const ts_kind *kind, const ts_material *material) {
    double numbers[sizeof *material / sizeof(double)];
    memcpy(numbers, material, sizeof numbers);
    ts_part *part = ts_new_part(b, kind);
    part->data = b->model->numbers_count;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        ts_model_number(b->model, numbers[k]);
}

ts_material ts_material_load(const ts_model *model, int part) {
    ts_material material;
    memcpy(&material, model->numbers + model->parts[part].data, sizeof material);
    return material;
}

int ts_check_density(ts_builder *b, const ts_value *value, int field) {
    if (!(value[field].number[0] < 0)) return 0;
    return ts_build_fail(b, field, NULL, "the density is negative");
}

int ts_require_isotropic(ts_builder *b, const ts_value *value, int field) {
    if (ts_material_load(b->model, value[field].part[0]).E > 0) return 0;
    return ts_build_fail(b, field,
                         "give the section of the beam by its numbers: EA, GA2, GA3, GJ, EI2, EI3",
                         "'%.60s' is not isotropic", value[field].text);
}

enum { YOUNG, POISSON, SHEAR, DENSITY };

static const ts_field FIELDS[] = {
    {.name = "E",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .required = true,
     .help = "Young's modulus."},
    {.name = "nu",
     .type = TS_NUMBER,
     .help = "Poisson's ratio, above -1, at most 0.5; or give G.",
     .fallback = "E / (2 G) - 1"},
    {.name = "G",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help =
         "Shear modulus; or give nu. Both may be given where they agree to 1 %; G is then used.",
     .fallback = "E / (2 (1 + nu))"},
    {.name = "density",
     .type = TS_NUMBER,
     .dim = TS_DIM_DENSITY,
     .required = true,
     .help = "Mass per volume; 0 for a material without inertia."},
    {0}};

static int check_given(ts_builder *b, const ts_value *value) {
    if (!(value[YOUNG].number[0] > 0))
        return ts_build_fail(b, YOUNG, NULL, "Young's modulus must be above zero");
    if (!value[POISSON].given && !value[SHEAR].given)
        return ts_build_fail(b, -1, "nu is 0.3 for steel, 0.33 for aluminium",
                             "give Poisson's ratio nu or the shear modulus G");
    if (value[SHEAR].given && !(value[SHEAR].number[0] > 0))
        return ts_build_fail(b, SHEAR, NULL, "the shear modulus must be above zero");
    return ts_check_density(b, value, DENSITY);
}

static int check_ratio(ts_builder *b, const ts_value *value, double nu) {
    if (nu > -1 && nu <= 0.5 + 1e-9) return 0;
    if (!value[SHEAR].given)
        return ts_build_fail(b, POISSON, NULL, "Poisson's ratio %g is not above -1 and at most 0.5",
                             nu);
    return ts_build_fail(b, SHEAR,
                         "sections of other materials are given directly, by EA, GA2, GA3, GJ, "
                         "EI2 and EI3",
                         "no isotropic material has this ratio of E and G: nu = E / (2 G) - 1 = %g "
                         "is not above -1 and at most 0.5",
                         nu);
}

static int build(ts_builder *b, ts_value *value) {
    if (check_given(b, value)) return TORSOR_EINVAL;
    double E = value[YOUNG].number[0], nu = value[POISSON].number[0];
    double G = value[SHEAR].given ? value[SHEAR].number[0] : E / (2 * (1 + nu));
    if (check_ratio(b, value, value[SHEAR].given ? E / (2 * G) - 1 : nu)) return TORSOR_EINVAL;
    if (value[SHEAR].given && value[POISSON].given && fabs(2 * (1 + nu) * G - E) > 0.01 * E)
        return ts_build_fail(b, SHEAR, "remove one of them",
                             "E, nu and G do not agree: E / (2 (1 + nu)) is %g Pa, G is %g Pa",
                             E / (2 * (1 + nu)), G);
    ts_material material;
    ts_material_isotropic(&material, E, E / (2 * G) - 1, value[DENSITY].number[0]);
    material.G = G;
    ts_material_store(b, &TS_KIND_ISOTROPIC, &material);
    return 0;
}

const ts_kind TS_KIND_ISOTROPIC = {
    .name = "isotropic",
    .section = "materials",
    .help =
        "An isotropic, linearly elastic material: E, one of nu and G, and the density. In solids "
        "this is the Saint Venant-Kirchhoff law, for rotations of any size but small strains.",
    .fields = FIELDS,
    .build = build,
    .sample = "{E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}",
    .default_in_section = true};
