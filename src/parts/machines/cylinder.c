/* SPDX-License-Identifier: Apache-2.0 */
/* Hydraulic cylinder between two points: the pressures of its two chambers are variables of their
 * own. With the length l, piston area A and ring area B,
 *
 *     V_a = dead + A (l - closed) ,     p_a' = (beta/V_a) (Q_a - A l' - leak (p_a - p_b)) ,
 *     V_b = dead + B (open - l) ,       p_b' = (beta/V_b) (Q_b + B l' + leak (p_a - p_b)) ,
 *     push = A p_a - B p_b - c l' .
 *
 * The flows Q into the chambers are functions of time and channels: a pump by its curve, a valve by
 * a square root. Oil has a constant bulk modulus; cavitation is not modelled. The push does work of
 * loads; the energy of the oil is not in the ledger.
 */
#include "base/error.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

enum {
    BODIES,
    FROM,
    TO,
    AREA_A,
    AREA_B,
    CLOSED,
    OPEN,
    DEAD,
    BULK,
    LEAK,
    DAMPING,
    FLOW_A,
    FLOW_B,
    PRESSURE_A,
    PRESSURE_B
};

#define TS_DIM_AREA \
    { 2, 0, 0, 0 }
#define TS_DIM_VOLUME \
    { 3, 0, 0, 0 }
#define TS_DIM_FLOW \
    { 3, 0, -1, 0 }
#define TS_DIM_LEAKAGE \
    { 4, -1, 1, 0 }

static const ts_field FIELDS[] = {
    TS_REACH_FIELDS("End"),
    {.name = "area_a",
     .type = TS_NUMBER,
     .dim = TS_DIM_AREA,
     .required = true,
     .help = "Area of the piston: pressure_a pushes the ends apart on it."},
    {.name = "area_b",
     .type = TS_NUMBER,
     .dim = TS_DIM_AREA,
     .required = true,
     .help = "Area of the ring around the rod, on which pressure_b pulls."},
    {.name = "closed",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Length where chamber a is empty."},
    {.name = "open",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Length where chamber b is empty."},
    {.name = "dead_volume",
     .type = TS_NUMBER,
     .dim = TS_DIM_VOLUME,
     .help = "Volume of oil in each chamber that remains when it is empty, with its hose.",
     .fallback = "5 % of the largest volume of the chamber a"},
    {.name = "bulk_modulus",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help = "Bulk modulus of the oil, with the air in it.",
     .fallback = "1.4 GPa"},
    {.name = "leakage",
     .type = TS_NUMBER,
     .dim = TS_DIM_LEAKAGE,
     .help = "Flow past the piston over the difference of pressures.",
     .fallback = "0"},
    {.name = "damping",
     .type = TS_NUMBER,
     .dim = TS_DIM_DAMPING,
     .help = "Viscous friction of the seals.",
     .fallback = "0"},
    {.name = "flow_a",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_FLOW,
     .help = "Flow into chamber a: a function of time and of channels, "
             "`pump(lift.pressure_a)` with a table of flow over pressure.",
     .fallback = "0"},
    {.name = "flow_b",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_FLOW,
     .help = "Flow into chamber b.",
     .fallback = "0"},
    {.name = "pressure_a",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help = "Pressure in chamber a at the start, above that outside.",
     .fallback = "0"},
    {.name = "pressure_b",
     .type = TS_NUMBER,
     .dim = TS_DIM_STRESS,
     .help = "Pressure in chamber b at the start.",
     .fallback = "0"},
    {0}};

static int check(ts_builder *b, const ts_value *value) {
    double closed = value[CLOSED].number[0], open = value[OPEN].number[0];
    v3 from = v3_load(value[FROM].number), to = v3_load(value[TO].number);
    double drawn = v3_norm(v3_sub(to, from));
    if (ts_must_be_positive(b, value, FIELDS, AREA_A, BULK) ||
        ts_must_not_be_negative(b, value, FIELDS, LEAK, DAMPING))
        return TORSOR_EINVAL;
    if (!(open > closed))
        return ts_build_fail(b, OPEN, NULL, "open (%g m) must be longer than closed (%g m)", open,
                             closed);
    if (drawn < closed || drawn > open)
        return ts_build_fail(b, TO, "closed and open are lengths between both ends",
                             "as drawn it is %g m long, outside of %g m to %g m", drawn, closed,
                             open);
    return 0;
}

/* A typical pressure, for Newton's method. */
static double scale_of(const ts_value *value) {
    double most = fmax(value[PRESSURE_A].number[0], value[PRESSURE_B].number[0]);
    return fmax(most, 1e6);
}

static int add_signals(ts_builder *b, ts_value *value, int signal[3]) {
    double A = value[AREA_A].number[0], closed = value[CLOSED].number[0];
    double open = value[OPEN].number[0];
    const ts_term terms[] = {{"A", A},
                             {"B", value[AREA_B].number[0]},
                             {"closed", closed},
                             {"open", open},
                             {"dead", ts_number_or(value, DEAD, 0.05 * A * (open - closed))},
                             {"beta", ts_number_or(value, BULK, 1.4e9)},
                             {"leak", ts_number_or(value, LEAK, 0)},
                             {"c", ts_number_or(value, DAMPING, 0)},
                             {NULL, 0}};
    const ts_reading probes[] = {{"x.a", b->name, "pressure_a"},
                                 {"x.b", b->name, "pressure_b"},
                                 {"x.l", b->name, "length"},
                                 {"x.v", b->name, "length.rate"},
                                 {0}};
    const ts_formula formulas[3] = {
        {"A*x.a - B*x.b - c*x.v + 0*x.l", terms, probes, {-1, -1}},
        {"beta*(u_scale*u - A*x.v - leak*(x.a - x.b))/(dead + A*ramp(x.l - closed))",
         terms,
         probes,
         {FLOW_A, -1}},
        {"beta*(u_scale*u + B*x.v + leak*(x.a - x.b))/(dead + B*ramp(open - x.l))",
         terms,
         probes,
         {FLOW_B, -1}}};
    for (int i = 0; i < 3; i++)
        if ((signal[i] = ts_formula_signal(b, value, &formulas[i])) < 0) return TORSOR_EINVAL;
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    v3 point[2] = {v3_load(value[FROM].number), v3_load(value[TO].number)};
    m3 frame[2] = {m3_identity(), m3_identity()};
    int signal[3];
    if (check(b, value) || add_signals(b, value, signal)) return TORSOR_EINVAL;
    if (ts_attach(b, &TS_KIND_CYLINDER, &value[BODIES], point, frame)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_LAW);
    ts_measure ends = {.of = TS_OF_ENDS, .source = b->model->parts_count - 1};
    ts_state_force(b, ends, 1, 0, signal[0]);
    double scale = scale_of(value);
    int a = ts_machine_variable(b, "pressure_a", "Pa", value[PRESSURE_A].number[0], scale);
    int other = ts_machine_variable(b, "pressure_b", "Pa", value[PRESSURE_B].number[0], scale);
    ts_machine_rate(b, a, signal[1]);
    ts_machine_rate(b, other, signal[2]);
    return 0;
}

const ts_kind TS_KIND_CYLINDER = {
    .name = "hydraulic_cylinder",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A hydraulic cylinder between two points: two chambers with compressible oil, fed by "
            "given flows. Coordinates: pressure_a, pressure_b, in Pa.",
    .fields = FIELDS,
    .build = build,
    .has_length = true,
    .sample = "{type: hydraulic_cylinder, bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], "
              "area_a: 3 mm^2, area_b: 2 mm^2, closed: 0.5 m, open: 2 m, bulk_modulus: 1 MPa, "
              "leakage: 1e-12 m^3/s/Pa, flow_a: 1e-6 m^3/s * cos(3*t), damping: 3 N*s/m}"};
