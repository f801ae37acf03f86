/* SPDX-License-Identifier: Apache-2.0 */
/* Motor: a given force along, or torque about, a coordinate of a joint.
 *
 * Over a step it is the mean T of its values at both ends (inside the step where it jumps there).
 * Its stress is -T times the discrete gradient of the coordinate y, so that the work it supplies is
 * T (y_f - y_i). A force that depends on the state has the law of laws/state.
 */
#include <math.h>

#include "base/error.h"
#include "laws/angle.h"
#include "laws/state/state_law.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum { JOINT, COORDINATE, FORCE, TORQUE };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "force",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_FORCE,
     .help = "Force on B over time, along a displacement; the opposite acts on A. It may depend on "
             "channels: `-3 N*s/m * slider.displacement.rate`."},
    {.name = "torque",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_MOMENT,
     .help = "Torque on B over time, about an angle; the opposite acts on A. It may depend on "
             "channels: `-2 N*m*s/rad * hinge.angle.rate`."},
    {0}};

static double no_energy(const double *data, const double *memory, int m, const double *e) {
    (void)data, (void)memory, (void)m, (void)e;
    return 0;
}

static void push(const ts_law_step *step, ts_response *out) {
    double T = ts_mean_signal(step);
    *out = (ts_response){.s = {-T}, .work = T * (step->e_f[0] - step->e_i[0])};
}

static void begin_turn(const double *data, const double *e, double *memory) {
    (void)data;
    memory[0] = atan2(e[1], e[0]);
}

static void turn(const ts_law_step *step, ts_response *out) {
    double T = ts_mean_signal(step);
    ts_angle_step angle = ts_angle_over_step(step->memory[0], step->e_i, step->e_f);
    *out = (ts_response){.work = T * angle.delta};
    for (int j = 0; j < 2; j++) out->s[j] = -T * angle.g[j];
    for (int j = 0; j < 4; j++) out->ds[j] = -T * angle.dg[j];
}

static void commit_turn(const ts_law_step *step, double *memory) {
    memory[0] = ts_angle_over_step(step->memory[0], step->e_i, step->e_f).angle;
}

static const ts_law FORCE_MOTOR = {.name = "force motor", .energy = no_energy, .respond = push};
static const ts_law TORQUE_MOTOR = {.name = "torque motor",
                                    .memory = 1,
                                    .begin = begin_turn,
                                    .energy = no_energy,
                                    .respond = turn,
                                    .commit = commit_turn};

static int build(ts_builder *b, ts_value *value) {
    bool torque = value[TORQUE].given;
    if (torque == value[FORCE].given)
        return ts_build_fail(b, -1, "for example `torque: 5 N*m`",
                             "a motor needs either a force or a torque");
    int c = ts_pick_coordinate(b, value, JOINT, torque ? TS_TURN : TS_DISPLACEMENT);
    if (c < 0) return TORSOR_EINVAL;
    bool state = value[torque ? TORQUE : FORCE].signal[0].channels > 0;
    int signal = ts_take_signal(b, &value[torque ? TORQUE : FORCE], 0);
    ts_part_on_coordinate(b, &TS_KIND_MOTOR, c, TS_ROLE_LAW);
    if (state) {
        ts_state_force(b, (ts_measure){.of = TS_OF_COORDINATE, .source = c}, 1, 0, signal);
        return 0;
    }
    ts_model_law(b->model, torque ? &TORQUE_MOTOR : &FORCE_MOTOR);
    ts_model_site_signal(b->model, signal);
    return 0;
}

const ts_kind TS_KIND_MOTOR = {
    .name = "motor",
    .section = "loads",
    .help = "A force or torque between the bodies of a joint, along or about its coordinate.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: motor, joint: J, torque: 2 N*m * cos(3*t)}"};
