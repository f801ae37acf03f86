/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and moments on one body. A dead load keeps its global direction, a follower turns with the
 * body. Components that depend on the state act along components of the place of their point, along
 * the way of the point in directions of the body (of a follower), or along turns about axes of the
 * ground or of the body (laws/state_law.c).
 */
#include "base/error.h"
#include "parts/parts.h"
#include "parts/state/state.h"

enum { BODY, VALUE, FOLLOWER, AT, POINT };

#define BODY_FIELD \
    { .name = "body", .type = TS_BODY, .required = true, .help = "The body it acts on." }
#define FOLLOWER_FIELD                                                                 \
    {                                                                                  \
        .name = "follower", .type = TS_BOOLEAN,                                        \
        .help = "Components in body axes, turning with the body.", .fallback = "false" \
    }

/* components are then in axes of the body */
static const char *const LOCAL_IF[] = {"follower", NULL};

static const ts_field FORCE_FIELDS[] = {
    BODY_FIELD,
    {.name = "force",
     .type = TS_STATE_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = TS_DIM_FORCE,
     .required = true,
     .help = "Components of the force over time: global axes, or body axes of a follower. They may "
             "depend on channels: `-2 N*s/m * arm.velocity.x`."},
    FOLLOWER_FIELD,
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Point of application as drawn (global)."},
    {.name = "point",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "Point of application in body coordinates, in place of `at`.",
     .fallback = "the body's reference point"},
    {0}};

static const ts_field MOMENT_FIELDS[] = {
    BODY_FIELD,
    {.name = "moment",
     .type = TS_STATE_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = TS_DIM_MOMENT,
     .required = true,
     .help =
         "Components of the moment over time: global axes, or body axes of a follower. They may "
         "depend on channels: `-2 N*m*s/rad * arm.omega.x`."},
    FOLLOWER_FIELD,
    {0}};

static bool of_state(const ts_value *value) {
    const ts_signal *signal = value[VALUE].signal;
    return signal[0].channels > 0 || signal[1].channels > 0 || signal[2].channels > 0;
}

static int check_state(ts_builder *b, const ts_load *load) {
    if (b->model->nodes[load->node].kind == TS_NODE_FRAME) return 0;
    if (load->moment || load->follower)
        return ts_build_fail(
            b, VALUE, "attach a rigid body there",
            "a moment, or a force that turns with its body, can depend on channels "
            "only where its body has axes");
    if (v3_norm(load->point) > 0)
        return ts_build_fail(b, VALUE, NULL,
                             "a force that depends on channels acts at the point itself here");
    return 0;
}

/* What a component acts along. */
static ts_measure target_of(const ts_load *load, int axis) {
    static const ts_measured of[2][2] = {{TS_OF_POINT, TS_OF_WAY}, {TS_OF_TURN, TS_OF_OWN_TURN}};
    return (ts_measure){.of = of[load->moment][load->follower],
                        .source = load->node,
                        .axis = axis,
                        .point = load->point};
}

static void add_state(ts_builder *b, const ts_load *load) {
    const ts_node *node = &b->model->nodes[load->node];
    v3 drawn = v3_add(node->x, m3_apply(node->D, load->point));
    for (int k = 0; k < 3; k++) {
        if (load->signal[k] < 0) continue;
        ts_model_site(b->model, TS_ROLE_LAW, 1, &load->node);
        ts_state_force(b, target_of(load, k), 1, v3_get(drawn, k), load->signal[k]);
    }
}

static int add_load(ts_builder *b, const ts_kind *kind, ts_value *value, ts_load load) {
    load.node = value[BODY].node[0];
    if (load.node == 0) return ts_build_fail(b, BODY, NULL, "a load on the ground moves nothing");
    load.follower = value[FOLLOWER].number[0] != 0;
    bool state = of_state(value);
    if (state && check_state(b, &load)) return TORSOR_EINVAL;
    for (int k = 0; k < 3; k++) load.signal[k] = ts_take_signal(b, &value[VALUE], k);
    ts_part *part = ts_new_part(b, kind);
    part->nodeB = load.node, part->pointB = load.point;
    if (state)
        add_state(b, &load);
    else
        ts_model_load(b->model, load);
    return 0;
}

static int build_force(ts_builder *b, ts_value *value) {
    ts_load load = {0};
    if (value[AT].given && value[POINT].given)
        return ts_build_fail(b, POINT, NULL, "give `at` or `point`, not both");
    if (value[AT].given)
        load.point = ts_body_point(b->model, value[BODY].node[0], v3_load(value[AT].number));
    if (value[POINT].given) load.point = v3_load(value[POINT].number);
    return add_load(b, &TS_KIND_FORCE, value, load);
}

static int build_moment(ts_builder *b, ts_value *value) {
    return add_load(b, &TS_KIND_MOMENT, value, (ts_load){.moment = true});
}

const ts_kind TS_KIND_FORCE = {.name = "force",
                               .section = "loads",
                               .help = "A force on a body, at a point of it.",
                               .fields = FORCE_FIELDS,
                               .build = build_force,
                               .sample = "{type: force, body: B, force: [0, 3 N * sin(2*t), 1 N], "
                                         "at: [1, 0.2, 0]}"};

const ts_kind TS_KIND_MOMENT = {.name = "moment",
                                .section = "loads",
                                .help = "A moment on a body.",
                                .fields = MOMENT_FIELDS,
                                .build = build_moment,
                                .sample = "{type: moment, body: B, moment: [0, 0, 0.5 N*m]}"};
