/* SPDX-License-Identifier: Apache-2.0 */
/* State variables: numbers with an equation of their own.
 *
 *     state       x' = f(channels, t)
 *     sampled     x = f at the sample times t_k = start + k period, and constant until the next one
 *
 * A variable is the x of a point without mass, times its `scale`, so that the unknowns of Newton's
 * method are of the order of one; y and z of the point are kept at zero. The law of its rate or
 * value takes the place of a force (laws/state): the sum of forces on the point must vanish. The
 * variable is solved with the step, implicitly and with second order; in equilibria its rate is
 * zero.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "parts/parts.h"
#include "parts/state/block.h"

/* ---- a variable of the newest part ---- */

static void hold_others(ts_model *model, int node) {
    ts_combo place = ts_combo_point(0, v3_make(0, 0, 0));
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    for (int k = 1; k < 3; k++) ts_form_component(model, v3_axis(k), place, 0);
    ts_model_law(model, &TS_STATE_HOLD);
}

void ts_add_variable(ts_builder *b, const char *name, ts_start start, ts_variable how, int signal) {
    ts_model *model = b->model;
    double scale = start.scale > 0 ? start.scale : fmax(1, fabs(start.value));
    v3 place = v3_make(start.value / scale, 0, 0);
    int node = ts_model_node(model, TS_NODE_POINT, place, m3_identity());
    model->nodes[node].inner = model->nodes[node].variable = true;
    hold_others(model, node);
    int c = ts_model_coordinate(model, name, false, 1, &node);
    model->coordinates[c].plain = true;
    model->coordinates[c].held = how.law != TS_IS_RATE;
    ts_form_component(model, v3_make(scale, 0, 0), ts_combo_point(0, v3_make(0, 0, 0)), 0);
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    if (signal < 0) signal = ts_model_signal(model, ts_signal_constant(0));
    ts_state_variable(b, c, how, signal);
}

/* Step control ends its substeps at the corners of tables, so a table with a corner at every sample
 * is added. */
void ts_add_clock(ts_model *model, ts_variable how) {
    ts_signal clock = {.kind = TS_SIGNAL_TABLE, .scale = 1, .points = 2, .period = how.period};
    clock.time = ts_calloc(2, sizeof *clock.time);
    clock.value = ts_calloc(2, sizeof *clock.value);
    clock.time[0] = how.first, clock.time[1] = how.first + how.period;
    ts_model_signal(model, clock);
}

int ts_read_unit(ts_builder *b, const ts_value *value, int field) {
    ts_model *model = b->model;
    const ts_part *part = &model->parts[model->parts_count - 1];
    const char *unit = value[field].text;
    if (!value[field].given) return 0;
    if (!*unit || strlen(unit) >= sizeof model->coordinates->unit || strpbrk(unit, "[],\"\n\r\t"))
        return ts_build_fail(b, field, "for example `unit: A`",
                             "expected the name of a unit, of at most %d letters",
                             (int)sizeof model->coordinates->unit - 1);
    for (int c = part->coordinate; c < part->coordinate + part->coordinates; c++)
        if (strncmp(model->coordinates[c].name, "value", 5) == 0)
            ts_coordinate_unit(&model->coordinates[c], unit);
    return 0;
}

int ts_read_scale(ts_builder *b, const ts_value *value, int field, double *out) {
    *out = value[field].given ? value[field].number[0] : 0;
    if (!value[field].given || *out > 0) return 0;
    return ts_build_fail(b, field, "for example `scale: 1e5`", "scale must be positive");
}

int ts_read_sampling(ts_builder *b, const ts_value *value, int period, int start,
                     ts_variable *out) {
    *out = (ts_variable){.law = TS_IS_SAMPLE};
    out->period = value[period].number[0];
    out->first = value[start].given ? value[start].number[0] : 0;
    if (!(out->period > 0))
        return ts_build_fail(b, period, "for example `period: 1 ms`", "period must be positive");
    if (out->first < 0) return ts_build_fail(b, start, NULL, "samples cannot start before t = 0");
    return 0;
}

/* ---- x' = f ---- */

enum { RATE, INITIAL, SIZE, UNIT };

static const ts_field FIELDS[] = {
    {.name = "rate",
     .type = TS_STATE_SIGNAL,
     .dim = {0, 0, -1, 0},
     .required = true,
     .help = "Its rate: an expression of channels, signals and time. Its own value is NAME.value, "
             "or NAME alone."},
    {.name = "initial", .type = TS_NUMBER, .help = "Its value at the start.", .fallback = "0"},
    {.name = "scale",
     .type = TS_NUMBER,
     .help =
         "Typical size of its values, if not 1. The accuracy of the solution refers to this size.",
     .fallback = "1, or the size of initial if that is larger"},
    TS_UNIT_FIELD,
    {0}};

static int build(ts_builder *b, ts_value *value) {
    ts_start start = {.value = value[INITIAL].given ? value[INITIAL].number[0] : 0};
    if (ts_read_scale(b, value, SIZE, &start.scale)) return TORSOR_EINVAL;
    int signal = ts_take_signal(b, &value[RATE], 0);
    ts_new_part(b, &TS_KIND_STATE);
    ts_add_variable(b, "value", start, (ts_variable){.law = TS_IS_RATE}, signal);
    return ts_read_unit(b, value, UNIT);
}

const ts_kind TS_KIND_STATE = {
    .name = "state",
    .section = "states",
    .help = "A variable with an equation of its own, x' = rate: a filter, the integral of a "
            "controller, a current, a pressure. Coordinate: value.",
    .fields = FIELDS,
    .build = build,
    .sample = "{rate: (1 + A.position.x/(1 m))/(0.3 s) * cos(3*t)}",
    .default_in_section = true};

/* ---- samples ---- */

enum { VALUE, PERIOD, START, FIRST, SAMPLED_SIZE, SAMPLED_UNIT };

static const ts_field SAMPLED_FIELDS[] = {
    {.name = "value",
     .type = TS_STATE_ANY,
     .required = true,
     .help = "Value of a sample: an expression of channels, signals and time, in SI units. Its own "
             "value before the sample is NAME.value, or NAME alone."},
    {.name = "period",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .required = true,
     .help = "Time between samples, a whole number of steps."},
    {.name = "start",
     .type = TS_NUMBER,
     .dim = {0, 0, 1, 0},
     .help = "Time of the first sample.",
     .fallback = "0"},
    {.name = "initial",
     .type = TS_NUMBER,
     .help = "Its value before the first sample.",
     .fallback = "0"},
    {.name = "scale",
     .type = TS_NUMBER,
     .help = "Typical size of the values, if not 1.",
     .fallback = "1, or the size of initial if that is larger"},
    TS_UNIT_FIELD,
    {0}};

static int build_sampled(ts_builder *b, ts_value *value) {
    ts_start start = {.value = value[FIRST].given ? value[FIRST].number[0] : 0};
    ts_variable how;
    if (ts_read_scale(b, value, SAMPLED_SIZE, &start.scale) ||
        ts_read_sampling(b, value, PERIOD, START, &how))
        return TORSOR_EINVAL;
    int signal = ts_take_signal(b, &value[VALUE], 0);
    ts_new_part(b, &TS_KIND_SAMPLED);
    ts_add_variable(b, "value", start, how, signal);
    ts_add_clock(b->model, how);
    return ts_read_unit(b, value, SAMPLED_UNIT);
}

const ts_kind TS_KIND_SAMPLED = {
    .name = "sampled",
    .section = "states",
    .help = "A variable of a digital controller: computed at sample times from the state there, "
            "and constant until the next sample. All samples of one time read the values from "
            "before it. Coordinate: value.",
    .fields = SAMPLED_FIELDS,
    .build = build_sampled,
    .sample = "{type: sampled, value: 0.5 + A.position.x/(2 m), period: 0.01 s}"};
