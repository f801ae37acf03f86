/* Prescribed motion: a coordinate of a joint follows a function of time, y(q) - u(t) = 0.
 *
 * A displacement is a form, so its row is the form; an angle is unwrapped (TS_ANGLE_ROW), so that
 * it may go round any number of times. The work of the row's multiplier is the work of the drive.
 */
#include "base/error.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, DISPLACEMENT, ANGLE };

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
    {0}};

static int build(ts_builder *b, ts_value *value) {
    bool angle = value[ANGLE].given;
    if (angle == value[DISPLACEMENT].given)
        return ts_build_fail(b, -1, "for example `angle: 10 deg * sin(t)`",
                             "a motion needs either an angle or a displacement");
    int c = ts_pick_coordinate(b, value, JOINT, angle ? TS_TURN : TS_DISPLACEMENT);
    if (c < 0) return TORSOR_EINVAL;
    ts_part_on_coordinate(b, &TS_KIND_MOTION, c, TS_ROLE_ROWS);
    if (angle) {
        ts_model_number(b->model, 1);
        ts_model_number(b->model, 0);
        ts_model_rowlaw(b->model, &TS_ANGLE_ROW);
    }
    int signal = ts_take_signal(b, &value[angle ? ANGLE : DISPLACEMENT], 0);
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
