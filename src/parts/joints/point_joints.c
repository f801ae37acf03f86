/* SPDX-License-Identifier: Apache-2.0 */
/* Joints of a point: a fixed distance, a point on a line, a point on a plane. */
#include "base/error.h"
#include "parts/parts.h"

enum { BODIES, FROM, TO, LENGTH };

static const ts_field DISTANCE_FIELDS[] = {TS_REACH_FIELDS("Point"),
                                           {.name = "length",
                                            .type = TS_NUMBER,
                                            .dim = TS_DIM_LENGTH,
                                            .help = "The constant distance.",
                                            .fallback = "the distance as drawn"},
                                           {0}};

/* c = (u.u - L^2) / 2 L: quadratic, and a length near the solution. */
static int build_distance(ts_builder *b, ts_value *value) {
    v3 point[2] = {v3_load(value[FROM].number), v3_load(value[TO].number)};
    m3 frame[2] = {m3_identity(), m3_identity()};
    double L = value[LENGTH].given ? value[LENGTH].number[0] : v3_norm(v3_sub(point[1], point[0]));
    if (!(L > 0))
        return ts_build_fail(b, value[LENGTH].given ? LENGTH : TO,
                             "to keep two points together use a spherical joint",
                             "the distance must be above zero, it is %g", L);
    if (ts_attach(b, &TS_KIND_DISTANCE, &value[BODIES], point, frame)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_ROWS);
    ts_model_vector(b->model, ts_joint_offset(b->model));
    ts_form_new(b->model, -0.5 * L);
    ts_form_pair(b->model, 0, 0, 0.5 / L);
    ts_model_row(b->model, -1, false, "distance");
    return 0;
}

static const ts_field LINE_FIELDS[] = {
    TS_POINT_JOINT_FIELDS("Direction of the line on A (global, as drawn); z of the joint frame."),
    {0}};

static int build_point_on_line(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_POINT_ON_LINE, value, TS_NEEDS_AXIS | TS_POINT_JOINT))
        return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 0);
    ts_row_no_offset(b->model, 1);
    ts_coordinate_displacement(b->model, "displacement", 2);
    return 0;
}

static const ts_field PLANE_FIELDS[] = {
    TS_POINT_JOINT_FIELDS("Normal of the plane on A (global, as drawn); z of the joint frame."),
    {0}};

static int build_point_on_plane(ts_builder *b, ts_value *value) {
    if (ts_joint_begin(b, &TS_KIND_POINT_ON_PLANE, value, TS_NEEDS_AXIS | TS_POINT_JOINT))
        return TORSOR_EINVAL;
    ts_row_no_offset(b->model, 2);
    ts_coordinate_displacement(b->model, "x", 0);
    ts_coordinate_displacement(b->model, "y", 1);
    return 0;
}

const ts_kind TS_KIND_DISTANCE = {
    .name = "distance",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A massless rod: a point of B stays at a fixed distance from a point of A.",
    .fields = DISTANCE_FIELDS,
    .build = build_distance,
    .sample = "{type: distance, bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2]}"};

const ts_kind TS_KIND_POINT_ON_LINE = {
    .name = "point_on_line",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A point of B stays on a line of A. Coordinate: displacement along the line.",
    .fields = LINE_FIELDS,
    .build = build_point_on_line,
    .sample = "{type: point_on_line, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: x}"};

const ts_kind TS_KIND_POINT_ON_PLANE = {
    .name = "point_on_plane",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A point of B stays on a plane of A. Coordinates: x, y in the plane.",
    .fields = PLANE_FIELDS,
    .build = build_point_on_plane,
    .sample = "{type: point_on_plane, bodies: [A, B], at: [0.3, 0.1, -0.2], axis: z}"};
