/* SPDX-License-Identifier: Apache-2.0 */
/* Screw: the cylindrical joint with its displacement tied to its angle, u - p theta = 0, p the
 * advance per radian.
 *
 * The angle is unwrapped over any number of turns; its row is TS_ANGLE_ROW over the forms (cos,
 * sin, displacement).
 */
#include "base/error.h"
#include "laws/angle.h"
#include "parts/parts.h"

enum { PITCH = TS_JOINT_OWN, LEAD };

static const ts_field FIELDS[] = {
    TS_JOINT_FIELDS(TS_AXIS_HELP, TS_AXIS_B_HELP),
    {.name = "pitch",
     .type = TS_NUMBER,
     .dim = TS_DIM_PITCH,
     .help = "Advance of B along the axis per radian of its rotation; right-handed when positive."},
    {.name = "lead",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Advance per revolution, in place of `pitch`."},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    if (value[PITCH].given == value[LEAD].given)
        return ts_build_fail(b, value[PITCH].given ? LEAD : -1,
                             "pitch is per radian, lead per revolution",
                             value[PITCH].given ? "give `pitch` or `lead`, not both"
                                                : "a screw needs a pitch or a lead");
    double pitch = value[PITCH].given ? value[PITCH].number[0]
                                      : value[LEAD].number[0] / 6.283185307179586476925287;
    if (ts_joint_begin(b, &TS_KIND_SCREW, value, TS_NEEDS_AXIS)) return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 0);
    ts_row_no_offset(b->model, 1);
    ts_row_parallel_axes(b->model);

    ts_joint_site(b->model, TS_ROLE_ROWS);
    ts_form_joint_angle(b->model);
    ts_form_joint_displacement(b->model, 2);
    ts_model_number(b->model, -pitch);
    ts_model_number(b->model, 1);
    ts_model_rowlaw(b->model, &TS_ANGLE_ROW);
    ts_model_row(b->model, -1, false, "advance along z");
    ts_model_pull(b->model, TS_PULL_FORCE, 2);

    ts_coordinate_displacement(b->model, "displacement", 2);
    ts_coordinate_angle(b->model);
    return 0;
}

const ts_kind TS_KIND_SCREW = {
    .name = "screw",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A thread: B moves along an axis of A in proportion to its rotation about it. "
            "Coordinates: displacement, angle.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: screw, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: z, lead: 5 mm}"};
