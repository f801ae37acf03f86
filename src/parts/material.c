/* Materials: isotropic, linearly elastic. G = E / (2 (1 + nu)); nu lies between -1 and 1/2. */
#include "base/error.h"
#include "parts/parts.h"

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
    if (value[DENSITY].number[0] < 0)
        return ts_build_fail(b, DENSITY, NULL, "the density is negative");
    return 0;
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
        return ts_build_fail(b, SHEAR, "leave one of them out",
                             "E, nu and G do not agree: E / (2 (1 + nu)) is %g Pa, G is %g Pa",
                             E / (2 * (1 + nu)), G);
    const double numbers[TS_MATERIAL_NUMBERS] = {
        [TS_MATERIAL_E] = E, [TS_MATERIAL_G] = G, [TS_MATERIAL_DENSITY] = value[DENSITY].number[0]};
    ts_part *part = ts_new_part(b, &TS_KIND_ISOTROPIC);
    part->data = b->model->numbers_count;
    for (int k = 0; k < TS_MATERIAL_NUMBERS; k++) ts_model_number(b->model, numbers[k]);
    return 0;
}

const ts_kind TS_KIND_ISOTROPIC = {
    .name = "isotropic",
    .section = "materials",
    .help = "An isotropic, linearly elastic material: E, one of nu and G, and the density.",
    .fields = FIELDS,
    .build = build,
    .sample = "{E: 210 GPa, nu: 0.3, density: 7850 kg/m^3}",
    .default_in_section = true};
