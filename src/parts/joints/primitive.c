/* SPDX-License-Identifier: Apache-2.0 */
/* The primitive joints: one row each, from which any other joint may be put together (S0 sec. 2.2).
 * */
#include "base/error.h"
#include "parts/parts.h"

enum { COMPONENT = TS_POINT_JOINT_OWN, OFFSET };

static const char *const COMPONENTS[] = {"x", "y", "z", NULL};

static const ts_field LINEAR_FIELDS[] = {
    TS_POINT_JOINT_FIELDS("z of the joint frame (global, as drawn)."),
    {.name = "component",
     .type = TS_CHOICE,
     .choices = COMPONENTS,
     .required = true,
     .help = "The axis of the joint frame, fixed in A, along which B does not move."},
    {.name = "offset",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "The constant displacement.",
     .fallback = "0"},
    {0}};

static int build_linear(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_PRIMITIVE_LINEAR, value, TS_POINT_JOINT)) return TORSOR_EINVAL;
    ts_row_no_offset(b->model, (int)value[COMPONENT].number[0]);
    b->model->forms[b->model->forms_count - 1].c = -value[OFFSET].number[0];
    return 0;
}

enum { BODIES, AXIS, AXIS_B };

static const ts_field ANGULAR_FIELDS[] = {
    {.name = "bodies",
     .type = TS_BODY_PAIR,
     .required = true,
     .help = "The two bodies A and B; ground may be one of them."},
    {.name = "axis",
     .type = TS_AXIS,
     .required = true,
     .help = "Direction fixed in A (global, as drawn)."},
    {.name = "axis_b",
     .type = TS_AXIS,
     .required = true,
     .help = "Direction fixed in B (global, as drawn)."},
    {0}};

/* Frames as those of a universal joint: z along the direction in A, x along the one in B. */
static int build_angular(ts_builder *b, ts_value *value) {
    v3 z = v3_normalize(v3_load(value[AXIS].number));
    v3 x = v3_normalize(v3_load(value[AXIS_B].number)), y = v3_cross(z, x);
    if (v3_norm(y) < 1e-6)
        return ts_build_fail(b, AXIS_B, NULL, "axis and axis_b must not be parallel");
    y = v3_normalize(y);
    m3 frame[2] = {m3_cols(v3_cross(y, z), y, z), m3_cols(x, y, v3_cross(x, y))};
    const ts_node *nodes = b->model->nodes;
    const int *node = value[BODIES].node;
    v3 point[2] = {nodes[node[0]].x, nodes[node[1]].x};
    if (ts_attach(b, &TS_KIND_PRIMITIVE_ANGULAR, &value[BODIES], point, frame))
        return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_ROWS);
    ts_row_perpendicular(b->model, 2, 0);
    return 0;
}

const ts_kind TS_KIND_PRIMITIVE_LINEAR = {
    .name = "primitive_linear",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "One row: a point of B does not move along one axis of a frame fixed in A.",
    .fields = LINEAR_FIELDS,
    .build = build_linear,
    .sample = "{type: primitive_linear, bodies: [A, B], at: [0.3, 0.1, -0.2], component: y}"};

const ts_kind TS_KIND_PRIMITIVE_ANGULAR = {
    .name = "primitive_angular",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "One row: a direction of B stays at right angles to a direction of A.",
    .fields = ANGULAR_FIELDS,
    .build = build_angular,
    .sample = "{type: primitive_angular, bodies: [A, B], axis: z, axis_b: x}"};
