/* SPDX-License-Identifier: Apache-2.0 */
/* A distributed load on a beam: force and moment per length, lumped at the nodes by the length each
 * stands for. */
#include "base/error.h"
#include "parts/loads/node_load.h"
#include "parts/parts.h"

enum { BEAM, FORCE, MOMENT, FOLLOWER };

static const char *const BEAMS[] = {"beams", NULL};

/* components are then in axes of the body */
static const char *const LOCAL_IF[] = {"follower", NULL};

static const ts_field FIELDS[] = {
    {.name = "beam",
     .type = TS_PART,
     .required = true,
     .help = "The beam that the load acts on.",
     .choices = BEAMS},
    {.name = "force",
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = {0, 1, -2, 0},
     .help = "Force per length of the reference line over time: "
             "global axes, or section axes of a follower. It may depend on channels; `here` is "
             "the point of the line: `-3 N*s/m^2 * here.velocity.z`."},
    {.name = "moment",
     .type = TS_LOAD_SIGNAL3,
     .choices = LOCAL_IF,
     .dim = {1, 1, -2, 0},
     .help = "Moment per length of the reference line over time: "
             "global axes, or section axes of a follower."},
    {.name = "follower",
     .type = TS_BOOLEAN,
     .help = "true: components in section axes, which turn with the beam.",
     .fallback = "false"},
    {0}};

static void spread(ts_builder *b, int beam, ts_load load) {
    const ts_part *part = &b->model->parts[beam];
    for (int i = 0; i < part->nodes; i++) {
        load.node = part->node + i;
        load.factor = b->model->numbers[part->data + i];
        ts_add_load(b, load);
    }
}

static int build(ts_builder *b, ts_value *value) {
    int beam = value[BEAM].part[0];
    if (!value[FORCE].given && !value[MOMENT].given)
        return ts_build_fail(b, -1, NULL, "give a `force` or a `moment` per length");
    ts_part *made = ts_new_part(b, &TS_KIND_LINE_LOAD);
    made->nodeB = b->model->parts[beam].node, made->spread = true;
    for (int field = FORCE; field <= MOMENT; field++) {
        ts_load load = {.moment = field == MOMENT, .follower = value[FOLLOWER].number[0] != 0};
        if (!value[field].given) continue;
        for (int k = 0; k < 3; k++) load.signal[k] = ts_take_signal(b, &value[field], k);
        spread(b, beam, load);
    }
    return 0;
}

const ts_kind TS_KIND_LINE_LOAD = {
    .name = "line_load",
    .section = "loads",
    .help = "A force or moment per length along a whole beam, dead or following.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: line_load, beam: R, force: [0, 1, 2]}",
};
