/* SPDX-License-Identifier: Apache-2.0 */
/* A point with mass: one point node. It has no axes and no rotation, so no rotation has to be held,
 * unlike for a rigid body without inertia. Parts attached to a point exert forces on it, but no
 * moments.
 */
#include "base/error.h"
#include "parts/parts.h"

enum { MASS, POSITION, VELOCITY };

static const ts_field FIELDS[] = {
    {.name = "mass",
     .type = TS_NUMBER,
     .dim = TS_DIM_MASS,
     .required = true,
     .help = "Mass; 0 if springs or joints alone determine the position of the point."},
    {.name = "position",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Initial position (global).",
     .fallback = "[0, 0, 0]"},
    {.name = "velocity",
     .type = TS_VECTOR,
     .dim = TS_DIM_VELOCITY,
     .help = "Initial velocity (global).",
     .fallback = "[0, 0, 0]"},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    double mass = value[MASS].number[0];
    if (mass < 0) return ts_build_fail(b, MASS, NULL, "the mass is negative: %g", mass);
    ts_part *part = ts_new_part(b, &TS_KIND_POINT_MASS);
    part->node =
        ts_model_node(b->model, TS_NODE_POINT, v3_load(value[POSITION].number), m3_identity());
    part->nodes = 1;
    ts_model_mass(b->model, part->node, mass, (v3){0, 0, 0}, (m3){0});
    b->model->nodes[part->node].velocity = v3_load(value[VELOCITY].number);
    return 0;
}

const ts_kind TS_KIND_POINT_MASS = {
    .name = "point",
    .section = "bodies",
    .look = TS_LOOK_BODY,
    .help = "A point with mass and without rotation: a node of a truss, a bead on a string. "
            "Springs, forces and the joints `spherical`, `distance`, `point_on_line` and "
            "`point_on_plane` attach to it.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: point, mass: 2 kg, position: [1, 0, 0], velocity: [0, 0, 3]}"};
