/* SPDX-License-Identifier: Apache-2.0 */
/* Knife edge (skate, wheel without thickness): a point of a body does not move along a lateral
 * direction of the body, n(q).xdot_P = 0, n and x_P linear in q. Not integrable: the body may still
 * reach any position.
 */
#include "base/error.h"
#include "math/rotation.h"
#include "parts/parts.h"

enum { BODY, LATERAL, AT };

static const ts_field FIELDS[] = {
    {.name = "body", .type = TS_BODY, .required = true, .help = "The body with the edge."},
    {.name = "lateral",
     .type = TS_AXIS,
     .required = true,
     .help = "Direction, fixed in the body, of no velocity (global, as drawn)."},
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "The point of the edge as drawn (global).",
     .fallback = "the body's reference point"},
    {0}};

static int build(ts_builder *b, ts_value *value) {
    ts_value bodies = {.node = {0, value[BODY].node[0]}};
    v3 lateral = v3_normalize(v3_load(value[LATERAL].number));
    v3 at = value[AT].given ? v3_load(value[AT].number) : b->model->nodes[bodies.node[1]].x;
    v3 point[2] = {at, at};
    m3 frame[2] = {ts_frame_from_axis(lateral), ts_frame_from_axis(lateral)};
    if (bodies.node[1] == 0)
        return ts_build_fail(b, BODY, NULL, "a knife edge on the ground has no effect");
    if (ts_attach(b, &TS_KIND_KNIFE_EDGE, &bodies, point, frame)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_RATES);
    double factor = 1;
    ts_combo direction = ts_joint_axis(b->model, 1, 2);
    ts_combo edge = ts_combo_point(1, b->model->parts[b->model->parts_count - 1].pointB);
    ts_form_rate(b->model, 1, &factor, &direction, &edge);
    ts_model_row(b->model, -1, false, "lateral velocity");
    return 0;
}

const ts_kind TS_KIND_KNIFE_EDGE = {
    .name = "knife_edge",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A point of the body does not move sideways, as a skate on ice.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: knife_edge, body: B, lateral: y, at: [0.2, 0, 0]}"};
