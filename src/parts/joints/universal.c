/* SPDX-License-Identifier: Apache-2.0 */
/* Universal (Hooke's) joint: a cross with one arm a fixed in A and the other b fixed in B, a.b = 0.
 *
 * Both joint frames have z along a and x along b as drawn. angle1 turns b about a: (e1^A . e1^B,
 * e2^A . e1^B). angle2 turns B about b: (e3^A . e3^B, e3^A . e2^B).
 */
#include "base/error.h"
#include "parts/parts.h"

static const ts_field FIELDS[] = {
    TS_JOINT_FIELDS("The arm of the cross that is fixed in A (global, as drawn).",
                    "The arm of the cross that is fixed in B (global, as drawn)."),
    {0}};

static v3 normal_part(v3 v, v3 axis) { return v3_normalize(v3_axpy(-v3_dot(v, axis), axis, v)); }

/* Exact in its own arm on each side; arms not at right angles as drawn are a matter of assembly. */
static int frames_from_arms(ts_builder *b, ts_value *value) {
    v3 arm_A = v3_normalize(v3_load(value[TS_JOINT_AXIS].number));
    v3 arm_B = v3_normalize(v3_load(value[TS_JOINT_AXIS_B].number));
    if (v3_norm(v3_cross(arm_A, arm_B)) < 1e-6)
        return ts_build_fail(b, TS_JOINT_AXIS_B, "they are the two arms of the cross",
                             "axis and axis_b of a universal joint must not be parallel");
    v3 x = normal_part(arm_B, arm_A), z = normal_part(arm_A, arm_B);
    m3_store(value[TS_JOINT_FRAME].number, m3_cols(x, v3_cross(arm_A, x), arm_A));
    m3_store(value[TS_JOINT_FRAME_B].number, m3_cols(arm_B, v3_cross(z, arm_B), z));
    value[TS_JOINT_FRAME].given = value[TS_JOINT_FRAME_B].given = true;
    value[TS_JOINT_AXIS].given = value[TS_JOINT_AXIS_B].given = false;
    return 0;
}

static int arms(ts_builder *b, ts_value *value) {
    bool axis = value[TS_JOINT_AXIS].given, axis_b = value[TS_JOINT_AXIS_B].given;
    bool frame = value[TS_JOINT_FRAME].given;
    if (axis && axis_b && !frame && !value[TS_JOINT_FRAME_B].given)
        return frames_from_arms(b, value);
    if (frame && !axis && !axis_b) return 0;
    return ts_build_fail(b, -1, "for example `axis: z, axis_b: x`",
                         "a universal joint needs axis and axis_b, or a frame");
}

static void coordinates(ts_model *model, const int *nodes) {
    ts_model_coordinate(model, "angle1", true, 2, nodes);
    ts_form_joint_angle(model);
    ts_model_coordinate(model, "angle2", true, 2, nodes);
    ts_form_dot(model, 1, ts_joint_axis(model, 0, 2), ts_joint_axis(model, 1, 2), 0);
    ts_form_dot(model, 1, ts_joint_axis(model, 0, 2), ts_joint_axis(model, 1, 1), 0);
}

static int build(ts_builder *b, ts_value *value) {
    if (arms(b, value) || ts_joint_begin(b, &TS_KIND_UNIVERSAL, value, TS_NEEDS_AXIS))
        return TORSOR_EINVAL;
    ts_row_coincident(b->model);
    ts_row_perpendicular(b->model, 2, 0);
    coordinates(b->model, value[TS_JOINT_BODIES].node);
    return 0;
}

const ts_kind TS_KIND_UNIVERSAL = {
    .name = "universal",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A Cardan joint: B turns about axis_b of a cross, which turns about axis of A. A frame "
            "has axis as its z and axis_b as its x. Coordinates: angle1 (about axis), angle2 "
            "(about axis_b).",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: universal, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: z, axis_b: x}"};
