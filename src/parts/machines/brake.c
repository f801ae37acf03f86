/* SPDX-License-Identifier: Apache-2.0 */
/* Brake: dry friction about an angle of a joint, with a strength given by a signal or an
 * expression.
 *
 * A bristle (laws/bristle.c) whose strength is the mean of the signal over the step, zero where
 * that is negative. If it depends on the motion it is a variable without mass, whose value over the
 * step is that of the expression (laws/state): one more form of the brake, solved together
 * with all others. It opposes the motion with its whole strength, and holds when the motion has
 * come to rest.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "laws/bristle.h"
#include "laws/state/state_law.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, TORQUE, STIFFNESS };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "torque",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_MOMENT,
     .required = true,
     .help = "Largest resistance of the brake: a function of time and of channels, or an input. "
             "The brake is open where it is zero or negative."},
    {.name = "stiffness",
     .type = TS_NUMBER,
     .dim = TS_DIM_TURNING_STIFFNESS,
     .required = true,
     .help =
         "Stiffness of the brake while it holds, for example the largest torque over 1e-4 rad."},
    {0}};

/* Numbers: the way, the stiffness. Memory: the angle, the deflection, whether it stuck. */
enum { K = TS_WAY_NUMBERS };
enum { Y, Z, STUCK, MEMORY };

static const double HELD = 1; /* beta of the bristle: a brake that holds is damped */

/* For a brake that depends on the motion, the last form is its strength. */
static bool is_driven(const ts_law_step *step) { return step->signal[0] < 0; }

static double strength_of(const ts_law_step *step) {
    return fmax(is_driven(step) ? step->e_f[step->m - 1] : ts_mean_signal(step), 0);
}

static ts_bristle_step rub(const ts_law_step *step, ts_way *y) {
    bool rest = !(step->t_f > step->t_i);
    double strength = strength_of(step), end = rest ? 0.5 : 1; /* law.h */
    ts_way_over(step->data, step->memory[Y], step->e_i, step->e_f, y);
    if (rest && step->instant == 0) y->delta = y->y_f - step->memory[Y];
    for (int k = 0; k < 2; k++) y->slope[k] *= end;
    const ts_bristle b = {.n = 1,
                          .stiffness = step->data[K],
                          .strength = strength,
                          .sliding = strength,
                          .changes = {strength > 0 ? end : 0, strength > 0 ? end : 0},
                          .damping = rest ? 0 : HELD,
                          .at_end = rest,
                          .z = {step->memory[Z]},
                          .slip = {y->delta}};
    return ts_bristle_over(&b);
}

static double stored(const double *data, double z) { return 0.5 * data[K] * z * z; }

static void respond(const ts_law_step *step, ts_response *out) {
    ts_way y;
    ts_bristle_step b = rub(step, &y);
    int m = step->m;
    *out = (ts_response){.stored = stored(step->data, b.z[0]), .dissipated = b.dissipated};
    for (int j = 0; j < y.forms; j++) {
        out->s[j] = b.force[0] * y.g[j];
        for (int l = 0; l < y.forms; l++)
            out->ds[j * m + l] =
                b.by_slip[0] * y.g[j] * y.slope[l] + b.force[0] * y.dg[j * y.forms + l];
        if (is_driven(step)) out->ds[j * m + m - 1] = b.by_strength[0] * y.g[j];
    }
}

static void begin(const double *data, const double *e, double *memory) {
    memory[Y] = ts_way_value(data, memory[Y], e);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    return (void)m, (void)e, stored(data, memory[Z]);
}

/* In ED's stage the stiffness counts only while the brake holds: see friction.c. */
static void stiffness(const double *data, const double *memory, int m, const double *e,
                      double *out) {
    ts_way y;
    memset(out, 0, (size_t)(m * m) * sizeof *out);
    if (memory[STUCK] == 0) return;
    ts_way_over(data, memory[Y], e, e, &y);
    for (int j = 0; j < y.forms; j++)
        for (int l = 0; l < y.forms; l++) out[j * m + l] = data[K] * y.slope[j] * y.slope[l];
}

static void commit(const ts_law_step *step, double *memory) {
    ts_way y;
    ts_bristle_step b = rub(step, &y);
    memory[Y] = y.y_f, memory[Z] = b.z[0], memory[STUCK] = b.stuck;
}

static const ts_law BRAKE = {.name = "brake",
                             .rubs = true,
                             .memory = MEMORY,
                             .begin = begin,
                             .energy = energy,
                             .respond = respond,
                             .stiffness = stiffness,
                             .commit = commit};

/* Adds the strength as a variable, and adds this variable to the site of the brake. */
static void add_driven(ts_builder *b, int coordinate, double scale, int signal) {
    ts_model *model = b->model;
    int strength = ts_machine_variable(b, "strength", "N m", 0, scale);
    model->coordinates[strength].held = true;
    ts_site_on_coordinate(model, strength, TS_ROLE_LAW);
    ts_state_variable(b, strength, (ts_variable){.law = TS_IS_VALUE}, signal);
    const ts_coordinate c = model->coordinates[coordinate];
    int nodes[TS_MAX_NODES];
    for (int k = 0; k < c.nodes; k++) nodes[k] = model->site_nodes[c.site_node + k];
    nodes[c.nodes] = model->site_nodes[model->coordinates[strength].site_node];
    ts_model_site(model, TS_ROLE_LAW, c.nodes + 1, nodes);
    for (int k = 0; k < 2; k++) ts_form_copy(model, c.form + k);
    ts_form_component(model, v3_make(scale, 0, 0), ts_combo_point(c.nodes, v3_make(0, 0, 0)), 0);
}

static int build(ts_builder *b, ts_value *value) {
    if (ts_must_be_positive(b, value, FIELDS, STIFFNESS, STIFFNESS)) return TORSOR_EINVAL;
    int c = ts_pick_coordinate(b, value, JOINT, TS_TURN);
    if (c < 0) return TORSOR_EINVAL;
    double k = value[STIFFNESS].number[0];
    bool driven = value[TORQUE].signal[0].channels > 0;
    int signal = ts_take_signal(b, &value[TORQUE], 0);
    ts_part_at_joint(b, &TS_KIND_BRAKE, c);
    if (driven)
        add_driven(b, c, fmax(1e-4 * k, 1e-3), signal);
    else
        ts_site_on_coordinate(b->model, c, TS_ROLE_LAW);
    ts_way_numbers(b->model, TS_WAY_ANGLE, 0);
    ts_model_number(b->model, k);
    ts_model_law(b->model, &BRAKE);
    ts_model_site_signal(b->model, driven ? -1 : signal);
    return 0;
}

const ts_kind TS_KIND_BRAKE = {
    .name = "brake",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A brake about an angle of a joint: dry friction of a given strength, which also holds "
            "the joint at rest.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: brake, joint: J, torque: 2 N*m * (1 + cos(3*t)), stiffness: 5 N*m/rad}"};
