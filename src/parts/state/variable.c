/* State variables: numbers with an equation of their own, x' = f(channels, t).
 *
 * A variable is the x of a point without mass, times its `scale`, so that Newton's method sees
 * numbers of the size of one; its y and z are kept at zero. The law of its rate stands where others
 * have forces (laws/state_law.c): what would act on the point must vanish. It is solved with the
 * step, implicitly and at second order; in equilibria its rate is zero.
 */
#include "base/error.h"
#include "laws/state_law.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum { RATE, INITIAL, SIZE };

static const ts_field FIELDS[] = {
    {.name = "rate",
     .type = TS_STATE_SIGNAL,
     .dim = {0, 0, -1, 0},
     .required = true,
     .help = "Its rate: an expression of channels, signals and time. Its own value is NAME.value."},
    {.name = "initial", .type = TS_NUMBER, .help = "Its value at the start.", .fallback = "0"},
    {.name = "scale",
     .type = TS_NUMBER,
     .help =
         "A typical size of its values, other than 1: how exactly it is solved is measured by it.",
     .fallback = "1, or the size of initial if that is larger"},
    {0}};

static void hold_others(ts_model *model, int node) {
    ts_combo place = ts_combo_point(0, v3_make(0, 0, 0));
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    for (int k = 1; k < 3; k++) ts_form_component(model, v3_axis(k), place, 0);
    ts_model_law(model, &TS_STATE_HOLD);
}

static int build(ts_builder *b, ts_value *value) {
    double initial = value[INITIAL].given ? value[INITIAL].number[0] : 0;
    double scale = value[SIZE].given ? value[SIZE].number[0] : initial * initial > 1 ? initial : 1;
    if (scale < 0 && !value[SIZE].given) scale = -scale;
    if (!(scale > 0))
        return ts_build_fail(b, SIZE, "for example `scale: 1e5`", "scale must be positive");
    ts_model *model = b->model;
    int signal = ts_take_signal(b, &value[RATE], 0);
    /* a rate of zero: it changes only where an event sets it */
    if (signal < 0) signal = ts_model_signal(model, ts_signal_constant(0));
    ts_new_part(b, &TS_KIND_STATE);
    int node = ts_model_node(model, TS_NODE_POINT, v3_make(initial / scale, 0, 0), m3_identity());
    model->nodes[node].inner = model->nodes[node].variable = true;
    hold_others(model, node);
    int c = ts_model_coordinate(model, "value", false, 1, &node);
    model->coordinates[c].plain = true;
    ts_form_component(model, v3_make(scale, 0, 0), ts_combo_point(0, v3_make(0, 0, 0)), 0);
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    ts_state_force(b, (ts_measure){.of = TS_OF_COORDINATE, .source = c}, 1, 0, signal);
    return 0;
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
