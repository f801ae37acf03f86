/* SPDX-License-Identifier: Apache-2.0 */
/* Direct-current motor with its circuit: the current i is a variable of its own,
 *
 *     L i' = u - R i - k w ,     torque = k i ,
 *
 * with the voltage u at its terminals, w the rate of its angle. Without an inductance the current
 * follows at once, i = (u - k w)/R. The torque does work of loads; the losses R i^2 belong to the
 * source and are not in the ledger.
 */
#include "base/error.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, VOLTAGE, CONSTANT, RESISTANCE, INDUCTANCE, CURRENT };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "voltage",
     .type = TS_STATE_SIGNAL,
     .required = true,
     .help = "Voltage at the terminals, in volts, a plain number: a function of time and of "
             "channels, `24*tanh(5*(30 deg - shaft.angle)/(1 rad))`."},
    {.name = "constant",
     .type = TS_NUMBER,
     .dim = TS_DIM_MOMENT,
     .required = true,
     .help = "Torque of one ampere; the same number is the voltage at 1 rad/s."},
    {.name = "resistance",
     .type = TS_NUMBER,
     .required = true,
     .help = "Resistance of the winding, in ohms, a plain number."},
    {.name = "inductance",
     .type = TS_NUMBER,
     .help = "Inductance of the winding, in henries, a plain number.",
     .fallback = "0: the current follows at once"},
    {.name = "current",
     .type = TS_NUMBER,
     .help = "Current at the start, in amperes.",
     .fallback = "0"},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    if (ts_must_be_positive(b, value, FIELDS, RESISTANCE, INDUCTANCE)) return TORSOR_EINVAL;
    double R = value[RESISTANCE].number[0], L = ts_number_or(value, INDUCTANCE, 0);
    double start = ts_number_or(value, CURRENT, 0), k = value[CONSTANT].number[0];
    int c = ts_pick_coordinate(b, value, JOINT, TS_TURN);
    if (c < 0) return TORSOR_EINVAL;
    const ts_model *model = b->model;
    const char *joint = model->parts[model->coordinates[c].part].name;
    char rate[40];
    snprintf(rate, sizeof rate, "%s.rate", model->coordinates[c].name);
    const ts_term terms[] = {{"R", R}, {"L", L}, {"k", k}, {NULL, 0}};
    const ts_reading turning[] = {{"x.w", joint, rate}, {0}};
    const ts_reading both[] = {{"x.i", b->name, "current"}, {"x.w", joint, rate}, {0}};
    const ts_reading current[] = {{"x.i", b->name, "current"}, {0}};
    const ts_formula direct = {"k*(u_scale*u - k*x.w)/R", terms, turning, {VOLTAGE, -1}};
    const ts_formula circuit = {"(u_scale*u - R*x.i - k*x.w)/L", terms, both, {VOLTAGE, -1}};
    const ts_formula pull = {"k*x.i", terms, current, {-1, -1}};
    int torque = ts_formula_signal(b, value, L > 0 ? &pull : &direct);
    int change = L > 0 ? ts_formula_signal(b, value, &circuit) : 0;
    if (torque < 0 || change < 0) return TORSOR_EINVAL;
    ts_part_on_coordinate(b, &TS_KIND_DC_MOTOR, c, TS_ROLE_LAW);
    ts_state_force(b, (ts_measure){.of = TS_OF_COORDINATE, .source = c}, 1, 0, torque);
    if (L > 0)
        ts_machine_rate(b, ts_machine_variable(b, "current", "A", start, fmax(1, fabs(start))),
                        change);
    return 0;
}

const ts_kind TS_KIND_DC_MOTOR = {
    .name = "dc_motor",
    .section = "loads",
    .help = "A direct-current motor about an angle of a joint, with the circuit of its winding. "
            "Coordinate: current, in amperes.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: dc_motor, joint: J, voltage: 24*cos(3*t), constant: 0.3 N*m, resistance: "
              "1.5, inductance: 0.02}"};
