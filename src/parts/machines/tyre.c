/* SPDX-License-Identifier: Apache-2.0 */
/* Tyre as a radial spring: the height of a wheel centre over a plane is the radius less the
 * compression of the tyre,
 *
 *     p = radius + road - h > 0 ,     force along the normal  k p max(1 - (c/load) h', 0) ,
 *
 * h the height of the centre over the plane. The force acts at the centre, along the normal of the
 * plane: it exerts no moment, and does not make the wheel roll. Its damping is proportional to its
 * load, c at the given load: so the force does not jump at first contact (Hunt and Crossley), and
 * never pulls.
 *
 * On a plane road the spring is a potential and the dashpot dissipates (laws/state). A road
 * that depends on time or on the place of the wheel does work.
 */
#include "base/error.h"
#include "math/rotation.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

enum { BODIES, AT, ON, NORMAL, RADIUS, STIFFNESS, DAMPING, LOAD, ROAD };

static const ts_field FIELDS[] = {
    {.name = "bodies",
     .type = TS_BODY_PAIR,
     .required = true,
     .help = "The body of the plane, usually ground, and the wheel or its hub."},
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Centre of the wheel as drawn (global)."},
    {.name = "on",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "A point of the plane as drawn (global).",
     .fallback = "the origin"},
    {.name = "normal",
     .type = TS_AXIS,
     .help = "Normal of the plane, towards the wheel (global, as drawn).",
     .fallback = "z"},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the wheel without load."},
    {.name = "stiffness",
     .type = TS_NUMBER,
     .dim = TS_DIM_STIFFNESS,
     .required = true,
     .help = "Radial stiffness of the tyre."},
    {.name = "damping",
     .type = TS_NUMBER,
     .dim = TS_DIM_DAMPING,
     .help = "Radial damping of the tyre at its static load.",
     .fallback = "0"},
    {.name = "load",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "The static load at which the tyre has this damping; required with `damping`.",
     .fallback = "none"},
    {.name = "road",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_LENGTH,
     .help = "Height of the road over the plane: a function of time and of channels, "
             "`bump(wheel.position.x)` with a table of heights over places.",
     .fallback = "0"},
    {0}};

static int add_signal(ts_builder *b, ts_value *value) {
    double load = ts_number_or(value, LOAD, 1), c = ts_number_or(value, DAMPING, 0);
    const ts_term terms[] = {{"R", value[RADIUS].number[0]},
                             {"k", value[STIFFNESS].number[0]},
                             {"a", c / load},
                             {NULL, 0}};
    const ts_reading probes[] = {
        {"x.h", b->name, "displacement"}, {"x.v", b->name, "displacement.rate"}, {0}};
    const ts_formula formula = {
        "k*ramp(R + u_scale*u - x.h)*ramp(1 - a*x.v)", terms, probes, {ROAD, -1}};
    return ts_formula_signal(b, value, &formula);
}

static int build(ts_builder *b, ts_value *value) {
    v3 point[2] = {v3_load(value[ON].number), v3_load(value[AT].number)};
    v3 normal = value[NORMAL].given ? v3_load(value[NORMAL].number) : v3_axis(2);
    m3 frame[2] = {ts_frame_from_axis(normal), ts_frame_from_axis(normal)};
    if (ts_must_be_positive(b, value, FIELDS, RADIUS, STIFFNESS) ||
        ts_must_not_be_negative(b, value, FIELDS, DAMPING, DAMPING) ||
        ts_must_be_positive(b, value, FIELDS, LOAD, LOAD))
        return TORSOR_EINVAL;
    if (value[DAMPING].given && !value[LOAD].given)
        return ts_build_fail(b, DAMPING, "for example `load: 4 kN`",
                             "damping needs the static load at which it acts");
    int signal = add_signal(b, value);
    if (signal < 0 || ts_attach(b, &TS_KIND_TYRE, &value[BODIES], point, frame))
        return TORSOR_EINVAL;
    ts_coordinate_displacement(b->model, "displacement", 2);
    int c = b->model->coordinates_count - 1;
    ts_site_on_coordinate(b->model, c, TS_ROLE_LAW);
    ts_measure height = {.of = TS_OF_COORDINATE, .source = c};
    ts_state_force(b, height, 1, value[RADIUS].number[0], signal);
    return 0;
}

const ts_kind TS_KIND_TYRE = {
    .name = "tyre",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A tyre as a one-sided radial spring and damper between the centre of a wheel and a "
            "plane. It carries load only: it has no forces of driving, braking or steering. "
            "Coordinate: displacement, the "
            "height of the centre over the plane.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: tyre, bodies: [A, B], at: [1, 0.5, 0.2], radius: 0.3 m, stiffness: 3 kN/m, "
              "damping: 20 N*s/m, load: 30 N, road: 0.01 m * sin(3*t)}"};
