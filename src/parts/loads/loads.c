/* SPDX-License-Identifier: Apache-2.0 */
/* Forces and moments on one body. A dead load keeps its global direction, a follower turns with the
 * body.
 */
#include "base/error.h"
#include "parts/loads/node_load.h"
#include "parts/parts.h"

enum { BODY, VALUE, FOLLOWER, AT, POINT };

#define BODY_FIELD \
    { .name = "body", .type = TS_BODY, .required = true, .help = "The body that the load acts on." }
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
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = TS_DIM_FORCE,
     .required = true,
     .help = "Components of the force over time: global axes, or body axes of a follower. They may "
             "depend on channels: `-2 N*s/m * arm.velocity.x`; `here` is their point."},
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
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = TS_DIM_MOMENT,
     .required = true,
     .help =
         "Components of the moment over time: global axes, or body axes of a follower. They may "
         "depend on channels: `-2 N*m*s/rad * arm.omega.x`."},
    FOLLOWER_FIELD,
    {0}};

static int add_load(ts_builder *b, const ts_kind *kind, ts_value *value, ts_load load) {
    load.node = value[BODY].node[0];
    if (load.node == 0) return ts_build_fail(b, BODY, NULL, "a load on the ground has no effect");
    load.follower = value[FOLLOWER].number[0] != 0;
    if (ts_check_load(b, VALUE, &value[VALUE], &load)) return TORSOR_EINVAL;
    for (int k = 0; k < 3; k++) load.signal[k] = ts_take_signal(b, &value[VALUE], k);
    ts_part *part = ts_new_part(b, kind);
    part->nodeB = load.node, part->pointB = load.point;
    ts_add_load(b, load);
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
