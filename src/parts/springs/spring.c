/* SPDX-License-Identifier: Apache-2.0 */
/* Spring and damper between two points, with one-sided stops.
 *
 * The form is e = u.u / 2, u = P_B - P_A. The length is l = sqrt(2 e + tiny^2), never zero, and
 * still e_f - e_i = (l_i + l_f)/2 (l_f - l_i) exactly; so with F the mean force over the step
 * (elastic.c) and lm the mean length, the stress is
 *
 *     s = F / lm ,     s (e_f - e_i) = F (l_f - l_i) = change of energy + dissipated.
 *
 * A formula of channels adds a site of its own (laws/state), as inner states do
 * (laws/inner.c).
 */
#include "base/error.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum { BODIES, FROM, TO, ELASTIC, TINY = TS_ELASTIC_COUNT };
enum { FORCE = ELASTIC + TS_ELASTIC_FIELDS_COUNT + TS_HERTZ_FIELDS_COUNT, INNER };

static const ts_field FIELDS[] = {
    TS_REACH_FIELDS("End"),
    TS_ELASTIC_FIELDS(TS_DIM_STIFFNESS, TS_DIM_DAMPING, TS_DIM_LENGTH, TS_DIM_FORCE, TS_DIM_CUBIC,
                      "free_length", "Length without force.", "the length as drawn"),
    TS_HERTZ_FIELDS,
    {.name = "force",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_FORCE,
     .help = "Pull added to the spring's, positive where it resists a growing value: a function of "
             "time and of channels, `50 N * tanh(strut.length.rate/(0.1 m/s))`.",
     .fallback = "0"},
    TS_INNER_FIELDS(TS_DIM_STIFFNESS, TS_DIM_FORCE),
    {0}};

static double length(const double *data, double e) {
    double tiny = data[TINY] * data[TINY];
    return sqrt(fmax(2 * e + tiny, 0.25 * tiny)); /* round-off may leave e below zero */
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    return ts_elastic_energy(data, length(data, e[0]));
}

static void respond(const ts_law_step *step, ts_response *out) {
    const double *data = step->data;
    double l_i = length(data, step->e_i[0]), l_f = length(data, step->e_f[0]);
    double mean = 0.5 * (l_i + l_f), delta = (step->e_f[0] - step->e_i[0]) / mean;
    ts_elastic_step r = ts_elastic_over_step(data, l_i, l_f, delta, ts_step_rate(step));
    *out = (ts_response){.stored = r.stored, .dissipated = r.dissipated};
    out->s[0] = r.force / mean;
    out->ds[0] = (r.slope - 0.5 * r.force / mean) / (mean * l_f);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)m;
    double l = length(data, e[0]);
    K[0] = ts_elastic_stiffness(data, l) / (l * l);
}

static const ts_law SPRING = {
    .name = "spring", .energy = energy, .respond = respond, .stiffness = stiffness};

/* A site of the newest part, on its length. */
static void open_site(ts_model *model) {
    ts_joint_site(model, TS_ROLE_LAW);
    ts_model_vector(model, ts_joint_offset(model));
    ts_form_new(model, 0);
    ts_form_pair(model, 0, 0, 0.5);
}

static int build(ts_builder *b, ts_value *value) {
    v3 point[2] = {v3_load(value[FROM].number), v3_load(value[TO].number)};
    m3 frame[2] = {m3_identity(), m3_identity()};
    double drawn = v3_norm(v3_sub(point[1], point[0])), data[TS_ELASTIC_COUNT + 1];
    if (value[ELASTIC + TS_ELASTIC_FREE].number[0] < 0)
        return ts_build_fail(b, ELASTIC + TS_ELASTIC_FREE, NULL, "the free length is negative");
    if (ts_elastic_read(b, value, ELASTIC, true, drawn, data)) return TORSOR_EINVAL;
    int branches = ts_inner_read(b, value, INNER);
    if (branches < 0) return TORSOR_EINVAL;
    double size = fmax(drawn, data[TS_ELASTIC_FREE]);
    data[TINY] = 1e-8 * (size > 0 ? size : 1);
    if (ts_attach(b, &TS_KIND_SPRING, &value[BODIES], point, frame)) return TORSOR_EINVAL;
    open_site(b->model);
    for (int k = 0; k < TS_ELASTIC_COUNT + 1; k++) ts_model_number(b->model, data[k]);
    ts_model_law(b->model, &SPRING);
    ts_measure ends = {.of = TS_OF_ENDS, .source = b->model->parts_count - 1};
    ts_state_pull(b, &value[FORCE], ends, data[TS_ELASTIC_FREE]);
    if (ts_elastic_varied(b, value, ELASTIC, &ends, data)) return TORSOR_EINVAL;
    if (branches == 0) return 0;
    open_site(b->model);
    ts_inner_add(b->model, value, INNER, TS_WAY_LENGTH, data[TINY]);
    return 0;
}

const ts_kind TS_KIND_SPRING = {
    .name = "spring",
    .section = "springs",
    .look = TS_LOOK_LINK,
    .help = "A spring and damper between two points, with stops. Its values are lengths; a pull "
            "is positive.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: spring, bodies: [A, B], from: [0, 0, 0], to: [1, 0.5, 0.2], stiffness: 300 "
              "N/m, damping: 2 N*s/m, stop_max: 1.3 m, stop_stiffness: 5 kN/m, maxwell_stiffness: "
              "[200, 90], "
              "maxwell_time: [0.01, 0.2], jenkins_stiffness: [400], jenkins_force: [50], "
              "bouc_wen_stiffness: 300, bouc_wen_force: 40}",
    .default_in_section = true,
    .has_length = true};
