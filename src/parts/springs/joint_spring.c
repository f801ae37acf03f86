/* SPDX-License-Identifier: Apache-2.0 */
/* Springs and dampers on a coordinate of a joint: along a displacement, about an angle (any number
 * of turns).
 *
 * Along a displacement the form is the coordinate and the stress its force (elastic.c). About an
 * angle the stress is the torque times the discrete gradient of the angle over (cos, sin). A
 * formula of channels adds a site of its own (laws/state), as inner states do (laws/inner.c).
 */
#include "base/error.h"
#include "laws/angle.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum {
    JOINT,
    COORDINATE,
    ELASTIC,
    TORQUE = ELASTIC + TS_ELASTIC_FIELDS_COUNT,
    FORCE = TORQUE + TS_HERTZ_FIELDS_COUNT,
    TURNING_INNER = TORQUE + 1,
    SLIDING_INNER = FORCE + 1
};

static const ts_field SLIDING_FIELDS[] = {
    TS_COORDINATE_FIELDS,
    TS_ELASTIC_FIELDS(TS_DIM_STIFFNESS, TS_DIM_DAMPING, TS_DIM_LENGTH, TS_DIM_FORCE, TS_DIM_CUBIC,
                      "free_displacement", "Displacement without force.", "0"),
    TS_HERTZ_FIELDS,
    {.name = "force",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_FORCE,
     .help = "Pull added to the spring's, positive where it resists a growing value: a function of "
             "time and of channels, `2 kN*s^2/m^2 * slider.displacement.rate * "
             "abs(slider.displacement.rate)`.",
     .fallback = "0"},
    TS_INNER_FIELDS(TS_DIM_STIFFNESS, TS_DIM_FORCE),
    {0}};

static const ts_field TURNING_FIELDS[] = {
    TS_COORDINATE_FIELDS,
    TS_ELASTIC_FIELDS(TS_DIM_TURNING_STIFFNESS, TS_DIM_TURNING_DAMPING, TS_DIM_ANGLE, TS_DIM_MOMENT,
                      TS_DIM_TURNING_CUBIC, "free_angle", "Angle without torque.", "0"),
    {.name = "torque",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_MOMENT,
     .help =
         "Torque added to the spring's, positive where it resists a growing value: a function of "
         "time and of channels, `3 N*m * sin(hinge.angle)`.",
     .fallback = "0"},
    TS_INNER_FIELDS(TS_DIM_TURNING_STIFFNESS, TS_DIM_MOMENT),
    {0}};

/* ---- along a displacement ---- */

static double sliding_energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    return ts_elastic_energy(data, e[0]);
}

static void slide(const ts_law_step *step, ts_response *out) {
    double y_i = step->e_i[0], y_f = step->e_f[0];
    ts_elastic_step r = ts_elastic_over_step(step->data, y_i, y_f, y_f - y_i, ts_step_rate(step));
    *out = (ts_response){
        .s = {r.force}, .ds = {r.slope}, .stored = r.stored, .dissipated = r.dissipated};
}

static void sliding_stiffness(const double *data, const double *memory, int m, const double *e,
                              double *K) {
    (void)memory, (void)m;
    K[0] = ts_elastic_stiffness(data, e[0]);
}

static const ts_law SLIDING = {.name = "joint spring",
                               .energy = sliding_energy,
                               .respond = slide,
                               .stiffness = sliding_stiffness};

/* ---- about an angle ---- */

static void begin_turn(const double *data, const double *e, double *memory) {
    (void)data;
    memory[0] = ts_angle_unwrap(memory[0], e[0], e[1]);
}

static double turning_energy(const double *data, const double *memory, int m, const double *e) {
    (void)m;
    return ts_elastic_energy(data, ts_angle_unwrap(memory[0], e[0], e[1]));
}

static void turn(const ts_law_step *step, ts_response *out) {
    double start = ts_angle_unwrap(step->memory[0], step->e_i[0], step->e_i[1]);
    ts_angle_step a = ts_angle_over_step(start, step->e_i, step->e_f);
    ts_elastic_step r =
        ts_elastic_over_step(step->data, start, a.angle, a.delta, ts_step_rate(step));
    const double *f = step->e_f;
    double rr = f[0] * f[0] + f[1] * f[1], gradient[2] = {-f[1] / rr, f[0] / rr};
    *out = (ts_response){.stored = r.stored, .dissipated = r.dissipated};
    for (int j = 0; j < 2; j++) {
        out->s[j] = r.force * a.g[j];
        for (int k = 0; k < 2; k++)
            out->ds[2 * j + k] = r.slope * a.g[j] * gradient[k] + r.force * a.dg[2 * j + k];
    }
}

static void turning_stiffness(const double *data, const double *memory, int m, const double *e,
                              double *K) {
    (void)m;
    double k = ts_elastic_stiffness(data, ts_angle_unwrap(memory[0], e[0], e[1]));
    K[0] = k * e[1] * e[1], K[1] = K[2] = -k * e[0] * e[1], K[3] = k * e[0] * e[0];
}

static void commit_turn(const ts_law_step *step, double *memory) {
    memory[0] = ts_angle_over_step(step->memory[0], step->e_i, step->e_f).angle;
}

static const ts_law TURNING = {.name = "torsion spring",
                               .memory = 1,
                               .begin = begin_turn,
                               .energy = turning_energy,
                               .respond = turn,
                               .stiffness = turning_stiffness,
                               .commit = commit_turn};

/* ---- building ---- */

static int build(ts_builder *b, const ts_kind *kind, ts_value *value,
                 ts_quantity_of_joint quantity) {
    double data[TS_ELASTIC_COUNT];
    int c = ts_pick_coordinate(b, value, JOINT, quantity);
    if (c < 0 || ts_elastic_read(b, value, ELASTIC, quantity != TS_TURN, 0, data))
        return TORSOR_EINVAL;
    int inner = quantity == TS_TURN ? TURNING_INNER : SLIDING_INNER;
    int branches = ts_inner_read(b, value, inner);
    if (branches < 0) return TORSOR_EINVAL;
    ts_part_on_coordinate(b, kind, c, TS_ROLE_LAW);
    for (int k = 0; k < TS_ELASTIC_COUNT; k++) ts_model_number(b->model, data[k]);
    ts_model_law(b->model, quantity == TS_TURN ? &TURNING : &SLIDING);
    ts_measure target = {.of = TS_OF_COORDINATE, .source = c};
    ts_state_pull(b, &value[quantity == TS_TURN ? TORQUE : FORCE], target, data[TS_ELASTIC_FREE]);
    if (ts_elastic_varied(b, value, ELASTIC, &target, data)) return TORSOR_EINVAL;
    if (branches == 0) return 0;
    ts_site_on_coordinate(b->model, c, TS_ROLE_LAW);
    ts_inner_add(b->model, value, inner, quantity == TS_TURN ? TS_WAY_ANGLE : TS_WAY_LINEAR, 0);
    return 0;
}

static int build_sliding(ts_builder *b, ts_value *value) {
    return build(b, &TS_KIND_JOINT_SPRING, value, TS_DISPLACEMENT);
}

static int build_turning(ts_builder *b, ts_value *value) {
    return build(b, &TS_KIND_TORSION_SPRING, value, TS_TURN);
}

const ts_kind TS_KIND_JOINT_SPRING = {
    .name = "joint_spring",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A spring and damper along a displacement of a joint, with stops.",
    .fields = SLIDING_FIELDS,
    .build = build_sliding,
    .sample =
        "{type: joint_spring, joint: J, stiffness: 300 N/m, damping: 2 N*s/m, stop_min: "
        "-0.1 m, stop_stiffness: 5 kN/m, jenkins_stiffness: [200, 300], jenkins_force: [20, 90], "
        "maxwell_stiffness: [500], maxwell_time: [0.01]}"};

const ts_kind TS_KIND_TORSION_SPRING = {
    .name = "torsion_spring",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A spring and damper about an angle of a joint, with stops; the angle counts turns.",
    .fields = TURNING_FIELDS,
    .build = build_turning,
    .sample = "{type: torsion_spring, joint: J, stiffness: 3 N*m/rad, damping: 0.02 N*m*s/rad, "
              "free_angle: 20 deg, bouc_wen_stiffness: 2 N*m/rad, bouc_wen_force: 3 N*m, "
              "bouc_wen_exponent: 1.5, bouc_wen_shape: 0.6}"};
