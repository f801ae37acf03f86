/* SPDX-License-Identifier: Apache-2.0 */
/* Prescribed motion: a coordinate of a joint follows a function of time, y(q) - u(t) = 0; or a
 * function of other coordinates, as with a cam, y(q) - u(x(q), t) = 0.
 *
 * A displacement is a form, so its row is the form; an angle is unwrapped (TS_ANGLE_ROW), so that
 * it may go round any number of times. The work of the row's multiplier is the work of the drive.
 * A speed or velocity is integrated over time, from the joint as drawn: model/integral.c.
 *
 * Where u depends on coordinates the row is TS_STATE_ROW, whose multiplier acts along all of them
 * and does no work. If u depends on the time, too, the time is the place x of a point without mass
 * that belongs to the motion, and is kept by the rows x - t = 0, y = 0, z = 0: the work of the
 * first of them is the work of the drive.
 */
#include "base/error.h"
#include "laws/angle.h"
#include "model/integral.h"
#include "parts/parts.h"
#include "parts/sliding/sliding.h"
#include "parts/state/state.h"

enum { JOINT, COORDINATE, DISPLACEMENT, ANGLE, VELOCITY, SPEED };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "displacement",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_LENGTH,
     .help = "The coordinate, where it is a displacement, over time or by other coordinates: "
             "`cam(shaft.angle)`; zero is the joint as drawn."},
    {.name = "angle",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_ANGLE,
     .help = "The coordinate, where it is an angle, over time or by other coordinates; zero is the "
             "joint as drawn."},
    {.name = "velocity",
     .type = TS_SIGNAL,
     .dim = TS_DIM_VELOCITY,
     .help = "In place of a displacement, its rate over time. The rate is integrated from the "
             "joint as drawn at t = 0."},
    {.name = "speed",
     .type = TS_SIGNAL,
     .dim = TS_DIM_ANGULAR_VELOCITY,
     .help = "In place of an angle, its rate over time. The rate is integrated from the joint as "
             "drawn at t = 0."},
    {0}};

/* The one field that defines the motion; -1: none or several. */
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

/* ---- motions that depend on the state ---- */

static bool measures(const ts_model *model, const char *channel, int coordinate) {
    ts_channel_use use;
    return ts_channel_named(model, channel, &use) && use.measure.of == TS_OF_COORDINATE &&
           use.measure.source == coordinate;
}

static int check_channels(ts_builder *b, const ts_value *value, int field, int coordinate) {
    const ts_signal *signal = &value[field].signal[0];
    char why[200];
    for (int i = 0; i < signal->channels; i++) {
        if (measures(b->model, signal->channel[i], coordinate))
            return ts_build_fail(b, field, "let it follow the time, or other coordinates",
                                 "'%.60s' would follow itself", signal->channel[i]);
        if (!ts_row_channel(b->model, signal->channel[i], why, sizeof why))
            return ts_build_fail(b, field,
                                 "drive the joint by a motor with a controller: `loads: {servo: "
                                 "{type: motor, joint: ..., force: k*(wanted - slide.displacement) "
                                 "- c*slide.rate}}`",
                                 "%s", why);
    }
    return 0;
}

/* The point whose place is the time. */
static int add_clock(ts_model *model) {
    static const char *const LABEL[] = {"time", "time, across", "time, across"};
    ts_expr *time;
    int node = ts_path_node(model, 0);
    model->nodes[node].velocity = v3_make(1, 0, 0);
    if (ts_expr_compile(&time, "time", 4, NULL, true, NULL)) return -1;
    ts_signal signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1, .expr = time};
    ts_model_site(model, TS_ROLE_ROWS, 1, &node);
    for (int k = 0; k < 3; k++) {
        ts_form_component(model, v3_axis(k), ts_combo_point(0, v3_make(0, 0, 0)), 0);
        ts_model_row(model, k ? -1 : ts_model_signal(model, signal), k == 0, LABEL[k]);
        model->rows[model->rows_count - 1].stays = true;
    }
    return node;
}

static void follow(ts_builder *b, ts_value *value, int field, int c) {
    ts_model *model = b->model;
    bool timed = ts_expr_timed(value[field].signal[0].expr);
    int clock = timed ? model->nodes_count : 0; /* which comes next */
    ts_part_on_coordinate(b, &TS_KIND_MOTION, c, TS_ROLE_ROWS);
    ts_state_row(b, c, clock, take(b, value, field));
    ts_model_row(model, -1, true, field == ANGLE ? "prescribed angle" : "prescribed displacement");
    if (timed) add_clock(model);
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
                             "a rate cannot be an input: its integral would depend on the steps");
    if (value[field].signal[0].kind == TS_SIGNAL_INPUT && value[field].signal[0].order > 0)
        return ts_build_fail(
            b, field, "leave `extrapolation` out",
            "a motion follows its input linearly over a step: it cannot be extrapolated");
    int c = ts_pick_coordinate(b, value, JOINT, angle ? TS_TURN : TS_DISPLACEMENT);
    if (c < 0) return TORSOR_EINVAL;
    if (value[field].signal[0].channels > 0) {
        if (check_channels(b, value, field, c)) return TORSOR_EINVAL;
        follow(b, value, field, c);
        return 0;
    }
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

const ts_kind TS_KIND_MOTION = {
    .name = "motion",
    .section = "motions",
    .help =
        "A coordinate of a joint follows a given function of time, or of other coordinates: a cam, "
        "a linkage, a gear whose ratio changes.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: motion, joint: J, angle: 0.3 rad * sin(2*t)}",
    .default_in_section = true};
