/* SPDX-License-Identifier: Apache-2.0 */
/* Coatings: properties of shapes for the contacts that they take part in.
 *
 * A contact without a property of its own takes, from two shapes A and B,
 *
 *     friction      sqrt(mu_A mu_B) ,
 *     restitution   the lesser one ,
 *     modulus       E* = 1/(1/E_A + 1/E_B) ,  E = (Young's modulus)/(1 - nu^2) ,
 *
 * or the value of one of them, if the other gives none; a modulus needs both. See contact/pair.c.
 */
#include "base/error.h"
#include "contact/pair.h"
#include "parts/parts.h"

enum { SHAPES, FRICTION, RESTITUTION, MODULUS };

static const double UNSAID = -1;
static const char *const SECTION[] = {"shapes", NULL};

static const ts_field FIELDS[] = {
    {.name = "shapes",
     .type = TS_PART_GROUPS,
     .choices = SECTION,
     .required = true,
     .help = "The shapes with this coating, or patterns of names. The shapes must be above the "
             "coating in the file."},
    {.name = "friction",
     .type = TS_NUMBER,
     .help = "Coefficient of friction with a shape of the same coating.",
     .fallback = "not said"},
    {.name = "restitution",
     .type = TS_NUMBER,
     .help = "Speed after an impact over the speed before it, from 0 to 1 (0 counts as 0.002).",
     .fallback = "not said"},
    {.name = "modulus",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help = "Of contacts by Hertz' law: Young's modulus over 1 - nu^2.",
     .fallback = "not said"},
    {0}};

static int check(ts_builder *b, const ts_value *value) {
    double e = value[RESTITUTION].number[0];
    if (!value[FRICTION].given && !value[RESTITUTION].given && !value[MODULUS].given)
        return ts_build_fail(b, -1, NULL, "give a friction, a restitution or a modulus");
    if (value[FRICTION].given && value[FRICTION].number[0] < 0)
        return ts_build_fail(b, FRICTION, NULL, "friction must not be negative");
    if (value[RESTITUTION].given && !(e >= 0 && e <= 1))
        return ts_build_fail(b, RESTITUTION, NULL, "a restitution is from 0 to 1");
    if (value[MODULUS].given && !(value[MODULUS].number[0] > 0))
        return ts_build_fail(b, MODULUS, NULL, "a modulus must be above zero");
    return 0;
}

static int coat(ts_builder *b, int part, int coating) {
    ts_model *model = b->model;
    for (int s = model->parts[part].data; s < model->shapes_count; s++) {
        if (model->shapes[s].part != part) break;
        if (model->shapes[s].coating)
            return ts_build_fail(b, SHAPES, "leave it out of one of them",
                                 "'%.60s' has a coating already", model->parts[part].name);
        model->shapes[s].coating = coating;
    }
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    const ts_value *list = &value[SHAPES];
    if (check(b, value)) return TORSOR_EINVAL;
    double e =
        value[RESTITUTION].given ? ts_restitution_loss(value[RESTITUTION].number[0]) : UNSAID;
    double number[TS_COATING_NUMBERS] = {
        [TS_COATING_FRICTION] = value[FRICTION].given ? value[FRICTION].number[0] : UNSAID,
        [TS_COATING_LOSS] = e,
        [TS_COATING_MODULUS] = value[MODULUS].given ? value[MODULUS].number[0] : UNSAID};
    int coating = 1 + b->model->numbers_count;
    for (int i = 0; i < TS_COATING_NUMBERS; i++) ts_model_number(b->model, number[i]);
    for (int i = 0; i < list->count; i++)
        if (list->list[i] >= 0 && coat(b, (int)list->list[i], coating)) return TORSOR_EINVAL;
    ts_new_part(b, &TS_KIND_COATING)->data = b->model->shapes_count;
    return 0;
}

const ts_kind TS_KIND_COATING = {
    .name = "coating",
    .section = "shapes",
    .help =
        "Coefficients of shapes. A contact that does not give a coefficient combines those of its "
        "two shapes: the geometric mean of frictions, the smaller restitution, moduli in series.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: coating, shapes: [S, P], friction: 0.4, restitution: 0.7, modulus: 70 GPa}"};
