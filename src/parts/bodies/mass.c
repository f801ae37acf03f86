/* SPDX-License-Identifier: Apache-2.0 */
/* A concentrated mass on a node: of a beam, or more mass on a body. */
#include "base/error.h"
#include "parts/parts.h"

enum { BODY, MASS, CENTRE, INERTIA };

static const ts_field FIELDS[] = {
    {.name = "body",
     .type = TS_BODY,
     .required = true,
     .help = "The body, or node of a beam, that carries the mass."},
    {.name = "mass", .type = TS_NUMBER, .dim = TS_DIM_MASS, .required = true, .help = "Its mass."},
    {.name = "centre",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "Its centre in the axes of that body or node.",
     .fallback = "at the node"},
    {.name = "inertia",
     .type = TS_INERTIA,
     .dim = TS_DIM_INERTIA,
     .help = "Moments of inertia about the mass centre, in the axes of the body or node that "
             "carries the mass.",
     .fallback = "0"},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    double mass = value[MASS].number[0];
    if (value[BODY].node[0] == 0)
        return ts_build_fail(b, BODY, NULL, "a mass on the ground has no effect");
    if (!(mass >= 0)) return ts_build_fail(b, MASS, NULL, "the mass is negative");
    v3 c = v3_load(value[CENTRE].number);
    m3 J = ts_inertia_tensor(&value[INERTIA]);
    if (ts_check_inertia(b, INERTIA, J, true)) return TORSOR_EINVAL;
    for (int k = CENTRE; k <= INERTIA; k++)
        if (value[k].given && b->model->nodes[value[BODY].node[0]].kind != TS_NODE_FRAME)
            return ts_build_fail(b, k, "remove it; a coupling gives such nodes a frame",
                                 "the mass is on a point, which has no axes");
    ts_part *part = ts_new_part(b, &TS_KIND_MASS);
    part->nodeB = value[BODY].node[0];
    ts_model_mass(b->model, part->nodeB, mass, c, m3_add(J, ts_offset_inertia(mass, c)));
    return 0;
}

const ts_kind TS_KIND_MASS = {
    .name = "mass",
    .section = "masses",
    .help = "A concentrated mass with its inertia, fixed to a body or to a node of a beam.",
    .fields = FIELDS,
    .build = build,
    .sample = "{body: A, mass: 0.5, centre: [0, 0.1, 0], inertia: [0.02, 0.02, 0.03]}",
    .default_in_section = true,
};
