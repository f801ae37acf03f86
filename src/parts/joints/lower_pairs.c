/* SPDX-License-Identifier: Apache-2.0 */
/* The lower pairs and the rigid connection: lists of rows (S0 sec. 2.2, S1 sec. 4).
 *
 *     spherical    u = 0                                         3 rows
 *     revolute     u = 0, z axes parallel                        5        angle
 *     prismatic    no offset along x, y, no rotation             5        displacement
 *     cylindrical  no offset along x, y, z axes parallel         4        displacement, angle
 *     planar       no offset along z, z axes parallel            3        x, y, angle
 *     rigid        u = 0, no rotation                            6
 *
 * The screw, the sixth lower pair, is in screw.c.
 */
#include "base/error.h"
#include "parts/parts.h"

static const ts_field FIELDS[] = {TS_JOINT_FIELDS(TS_AXIS_HELP, TS_AXIS_B_HELP), {0}};

static int build_spherical(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_SPHERICAL, value, 0)) return TORSOR_EINVAL;
    ts_row_coincident(b->model);
    return 0;
}

static int build_revolute(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_REVOLUTE, value, TS_NEEDS_AXIS)) return TORSOR_EINVAL;
    ts_row_coincident(b->model);
    ts_row_parallel_axes(b->model);
    ts_coordinate_angle(b->model);
    return 0;
}

static int build_prismatic(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_PRISMATIC, value, TS_NEEDS_AXIS)) return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 0);
    ts_row_no_offset(b->model, 1);
    ts_row_no_rotation(b->model);
    ts_coordinate_displacement(b->model, "displacement", 2);
    return 0;
}

static int build_cylindrical(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_CYLINDRICAL, value, TS_NEEDS_AXIS)) return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 0);
    ts_row_no_offset(b->model, 1);
    ts_row_parallel_axes(b->model);
    ts_coordinate_displacement(b->model, "displacement", 2);
    ts_coordinate_angle(b->model);
    return 0;
}

static int build_planar(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_PLANAR, value, TS_NEEDS_AXIS)) return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 2);
    ts_row_parallel_axes(b->model);
    ts_coordinate_displacement(b->model, "x", 0);
    ts_coordinate_displacement(b->model, "y", 1);
    ts_coordinate_angle(b->model);
    return 0;
}

static int build_rigid(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_RIGID_JOINT, value, 0)) return TORSOR_EINVAL;
    ts_row_coincident(b->model);
    ts_row_no_rotation(b->model);
    return 0;
}

const ts_kind TS_KIND_SPHERICAL = {
    .name = "spherical",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A ball joint: a point of A stays on a point of B, all rotations are free.",
    .fields = FIELDS,
    .build = build_spherical,
    .sample = "{type: spherical, bodies: [A, B], at: [0.3, 0.1, -0.2]}"};

const ts_kind TS_KIND_REVOLUTE = {
    .name = "revolute",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A hinge: B turns about an axis of A. Coordinate: angle.",
    .fields = FIELDS,
    .build = build_revolute,
    .sample = "{type: revolute, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: [1, 2, 3]}"};

const ts_kind TS_KIND_PRISMATIC = {
    .name = "prismatic",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A slider: B moves along an axis of A without turning. Coordinate: displacement.",
    .fields = FIELDS,
    .build = build_prismatic,
    .sample = "{type: prismatic, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: y}"};

const ts_kind TS_KIND_CYLINDRICAL = {
    .name = "cylindrical",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "B moves along an axis of A and turns about it. Coordinates: displacement, angle.",
    .fields = FIELDS,
    .build = build_cylindrical,
    .sample = "{type: cylindrical, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: -x}"};

const ts_kind TS_KIND_PLANAR = {
    .name = "planar",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help =
        "A plane of B glides on a plane of A; the axis is its normal. Coordinates: x, y, angle.",
    .fields = FIELDS,
    .build = build_planar,
    .sample = "{type: planar, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: z}"};

const ts_kind TS_KIND_RIGID_JOINT = {.name = "rigid",
                                     .section = "joints",
                                     .look = TS_LOOK_LINK,
                                     .help = "A weld: B does not move relative to A.",
                                     .fields = FIELDS,
                                     .build = build_rigid,
                                     .sample =
                                         "{type: rigid, bodies: [A, B], at: [0.3, 0.1, -0.2]}"};
