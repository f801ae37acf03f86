/* SPDX-License-Identifier: Apache-2.0 */
/* Hollows: a ball in a socket, a pin in a hole.
 *
 * A hollow touches the points of other shapes from outside: the middle of a ball, the ends of a
 * capsule, the corners of a box, the centres of a cylinder's circles. With a little clearance it is
 * a joint that rattles and rubs.
 */
#include "base/error.h"
#include "parts/touch/shape.h"

enum { ON = TS_SHAPE_ON, AT, RADIUS, AXIS };

#define HOLLOW_FIELDS(middle)                                                        \
    TS_SHAPE_ON_FIELD,                                                               \
        {.name = "at",                                                               \
         .type = TS_PLACE,                                                           \
         .dim = TS_DIM_LENGTH,                                                       \
         .help = middle,                                                             \
         .fallback = "the body's reference point"},                                  \
    {                                                                                \
        .name = "radius", .type = TS_NUMBER, .dim = TS_DIM_LENGTH, .required = true, \
        .help = "Radius: that of the shape inside plus the clearance."               \
    }

static const ts_field SOCKET[] = {HOLLOW_FIELDS("Its centre as drawn (global)."), {0}};

static const ts_field HOLE[] = {
    HOLLOW_FIELDS("A point of its axis as drawn (global)."),
    {.name = "axis", .type = TS_AXIS, .required = true, .help = "Its axis as drawn (global)."},
    {0}};

static int build_hollow(ts_builder *b, const ts_value *value, const ts_kind *kind, bool tube) {
    v3 axis = tube ? v3_load(value[AXIS].number) : v3_make(0, 0, 1);
    if (ts_shape_check_turns(b, value) || ts_shape_check_length(b, value, RADIUS, "radius"))
        return TORSOR_EINVAL;
    ts_begin_shape(b, kind, value,
                   (ts_shape){.plane = true, .hollow = value[RADIUS].number[0], .tube = tube});
    ts_shape_add(b, value, ts_shape_place(b, value, AT));
    ts_model_shape_point(b->model, ts_shape_body_axes(b, value, v3_normalize(axis)));
    return 0;
}

static int build_socket(ts_builder *b, ts_value *value) {
    return build_hollow(b, value, &TS_KIND_SOCKET, false);
}

static int build_hole(ts_builder *b, ts_value *value) {
    return build_hollow(b, value, &TS_KIND_HOLE, true);
}

const ts_kind TS_KIND_SOCKET = {
    .name = "socket",
    .section = "shapes",
    .help =
        "The inside of a sphere. With a sphere in it: a spherical joint with clearance, or a bowl.",
    .fields = SOCKET,
    .build = build_socket,
    .sample = "{type: socket, on: A, radius: 0.2}"};

const ts_kind TS_KIND_HOLE = {
    .name = "hole",
    .section = "shapes",
    .help = "The inside of a long tube. With a capsule or a cylinder in it: a pin in a hole.",
    .fields = HOLE,
    .build = build_hole,
    .sample = "{type: hole, on: A, radius: 0.2, axis: [1, 2, 0]}"};
