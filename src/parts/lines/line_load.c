/* SPDX-License-Identifier: Apache-2.0 */
/* A distributed load on a beam or a cable: force and moment per length, lumped at the nodes by the
 * length that each node represents. */
#include "base/error.h"
#include "parts/loads/node_load.h"
#include "parts/parts.h"

enum { BEAM, CABLE, FORCE, MOMENT, FOLLOWER };

static const char *const BEAMS[] = {"beams", NULL}, *const CABLES[] = {"cables", NULL};

/* components are then in axes of the body */
static const char *const LOCAL_IF[] = {"follower", NULL};

static const ts_field FIELDS[] = {
    {.name = "beam", .type = TS_PART, .help = "The beam that the load acts on.", .choices = BEAMS},
    {.name = "cable",
     .type = TS_PART,
     .help = "The cable that the load acts on, instead of a beam.",
     .choices = CABLES},
    {.name = "force",
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = {0, 1, -2, 0},
     .help =
         "Force per length of the reference line (of a cable: per unstretched length) over "
         "time: global axes, or section axes of a follower. It may depend on channels; `here` is "
         "the point of the line: `-3 N*s/m^2 * here.velocity.z`."},
    {.name = "moment",
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = {1, 1, -2, 0},
     .help = "Moment per length of the reference line over time: "
             "global axes, or section axes of a follower."},
    {.name = "follower",
     .type = TS_BOOLEAN,
     .help =
         "true: components in section axes, which turn with the beam. Cables have no such axes.",
     .fallback = "false"},
    {0}};

static void spread(ts_builder *b, int line, ts_load load) {
    const ts_part *part = &b->model->parts[line];
    for (int i = 0; i < part->nodes; i++) {
        load.node = part->node + i;
        load.factor = b->model->numbers[part->data + i];
        ts_add_load(b, load);
    }
}

static int check_cable(ts_builder *b, const ts_value *value) {
    if (!value[CABLE].given) return 0;
    if (value[MOMENT].given)
        return ts_build_fail(b, MOMENT, NULL, "a cable takes no moments: its nodes do not turn");
    if (value[FOLLOWER].number[0] != 0)
        return ts_build_fail(b, FOLLOWER, "leave it out",
                             "a cable has no axes that a load could follow");
    if (ts_line_flows(b->model, value[CABLE].part[0]))
        return ts_build_fail(b, CABLE, "let forces act on its nodes",
                             "a cable on a winch changes its length: a load per length cannot act");
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    if (value[BEAM].given == value[CABLE].given)
        return ts_build_fail(b, value[CABLE].given ? CABLE : -1, "for example `beam: boom`",
                             "give a `beam` or a `cable`");
    if (!value[FORCE].given && !value[MOMENT].given)
        return ts_build_fail(b, -1, NULL, "give a `force` or a `moment` per length");
    if (check_cable(b, value)) return TORSOR_EINVAL;
    int line = value[value[BEAM].given ? BEAM : CABLE].part[0];
    ts_part *made = ts_new_part(b, &TS_KIND_LINE_LOAD);
    made->nodeB = b->model->parts[line].node, made->spread = true;
    for (int field = FORCE; field <= MOMENT; field++) {
        ts_load load = {.moment = field == MOMENT, .follower = value[FOLLOWER].number[0] != 0};
        if (!value[field].given) continue;
        for (int k = 0; k < 3; k++) load.signal[k] = ts_take_signal(b, &value[field], k);
        spread(b, line, load);
    }
    return 0;
}

const ts_kind TS_KIND_LINE_LOAD = {
    .name = "line_load",
    .section = "loads",
    .help = "A force or moment per length along a whole beam, dead or following; a force per "
            "length along a whole cable.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: line_load, beam: R, force: [0, 1, 2]}",
};
