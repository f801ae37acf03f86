/* SPDX-License-Identifier: Apache-2.0 */
/* Prescribed motion: a coordinate of a joint follows a function of time, y(q) - u(t) = 0.
 *
 * A displacement is a form, so its row is the form; an angle is unwrapped (TS_ANGLE_ROW), so that
 * it may go round any number of times. The work of the row's multiplier is the work of the drive.
 * A speed or velocity is integrated over time, from the joint as drawn: model/integral.c.
 */
#include "base/error.h"
#include "laws/angle.h"
#include "model/integral.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, DISPLACEMENT, ANGLE, VELOCITY, SPEED };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "displacement",
     .type = TS_SIGNAL,
     .dim = TS_DIM_LENGTH,
     .help = "The coordinate over time, where it is a displacement; zero is the joint as drawn."},
    {.name = "angle",
     .type = TS_SIGNAL,
     .dim = TS_DIM_ANGLE,
     .help = "The coordinate over time, where it is an angle; zero is the joint as drawn."},
    {.name = "velocity",
     .type = TS_SIGNAL,
     .dim = TS_DIM_VELOCITY,
     .help = "In the place of a displacement, its rate over time: it is integrated, from the joint "
             "as drawn at t = 0."},
    {.name = "speed",
     .type = TS_SIGNAL,
     .dim = TS_DIM_ANGULAR_VELOCITY,
     .help = "In the place of an angle, its rate over time, likewise."},
    {0}};

/* The one field that says how it moves; -1: none or several. */
static int field_of(const ts_value *value) {
    int field = -1, given = 0;
    for (int f = DISPLACEMENT; f <= SPEED; f++)
        if (value[f].given) field = f, given++;
    return given == 1 ? field : -1;
}

static int take(ts_builder *b, ts_value *value, int field) {
    int signal = ts_take_signal(b, &value[field], 0);
    bool rate = field == VELOCITY || field == SPEED;
    if (rate && signal >= 0) ts_signal_integrate(&b->model->signals[signal]);
    return signal;
}

static int build(ts_builder *b, ts_value *value) {
    int field = field_of(value);
    bool angle = field == ANGLE || field == SPEED;
    if (field < 0)
        return ts_build_fail(b, -1, "for example `angle: 10 deg * sin(t)`, or `speed: 60 rpm`",
                             "a motion needs one of angle, displacement, speed and velocity");
    if (field >= VELOCITY && value[field].signal[0].kind == TS_SIGNAL_INPUT)
        return ts_build_fail(b, field,
                             "integrate it in your program, and give the angle or displacement",
                             "a rate cannot be an input: what it adds up to would depend on steps");
    if (value[field].signal[0].kind == TS_SIGNAL_INPUT && value[field].signal[0].order > 0)
        return ts_build_fail(b, field, "leave `extrapolation` out",
                             "a motion goes to its input in a straight line: it cannot be "
                             "extrapolated");
    int c = ts_pick_coordinate(b, value, JOINT, angle ? TS_TURN : TS_DISPLACEMENT);
    if (c < 0) return TORSOR_EINVAL;
    ts_part_on_coordinate(b, &TS_KIND_MOTION, c, TS_ROLE_ROWS);
    if (angle) {
        ts_model_number(b->model, 1);
        ts_model_number(b->model, 0);
        ts_model_rowlaw(b->model, &TS_ANGLE_ROW);
    }
    int signal = take(b, value, field);
    ts_model_row(b->model, signal, true, angle ? "prescribed angle" : "prescribed displacement");
    return 0;
}

const ts_kind TS_KIND_MOTION = {.name = "motion",
                                .section = "motions",
                                .help = "A coordinate of a joint follows a given function of time.",
                                .fields = FIELDS,
                                .build = build,
                                .sample = "{type: motion, joint: J, angle: 0.3 rad * sin(2*t)}",
                                .default_in_section = true};
