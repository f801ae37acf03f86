/* SPDX-License-Identifier: Apache-2.0 */
/* Loads on nodes.
 *
 * Components that depend on the state are forces of laws/state, each on a site of its own. They act
 * along components of the place of their point, along the way of the point in directions of the
 * body (of a follower), or along turns about axes of the ground or of the body. Loads distributed
 * over a beam or over faces are loads on many nodes: in each of them `here` is its node.
 */
#include "parts/loads/node_load.h"

#include "base/error.h"
#include "parts/parts.h"
#include "parts/state/state.h"

int ts_check_load(ts_builder *b, int field, const ts_value *value, const ts_load *load) {
    ts_node_kind kind = b->model->nodes[load->node].kind;
    bool state = false;
    for (int k = 0; k < 3; k++) state |= value->signal[k].channels > 0;
    if (!state || kind == TS_NODE_FRAME) return 0;
    if (kind == TS_NODE_POINT && (load->moment || load->follower))
        return ts_build_fail(
            b, field, "attach a rigid body there",
            "a moment, or a force that turns with its body, can depend on channels "
            "only where its body has axes");
    if (v3_norm(load->point) > 0)
        return ts_build_fail(b, field, NULL,
                             "a force that depends on channels acts at the point itself here");
    return 0;
}

/* The target of a component. */
static ts_measure target_of(const ts_load *load, int axis) {
    static const ts_measured of[2][2] = {{TS_OF_POINT, TS_OF_WAY}, {TS_OF_TURN, TS_OF_OWN_TURN}};
    return (ts_measure){.of = of[load->moment][load->follower],
                        .source = load->node,
                        .axis = axis,
                        .point = load->point};
}

static void add_component(ts_builder *b, const ts_load *load, int axis) {
    const ts_node *node = &b->model->nodes[load->node];
    v3 drawn = v3_add(node->x, m3_apply(node->D, load->point));
    ts_model_site(b->model, TS_ROLE_LAW, 1, &load->node);
    ts_state_force(b, target_of(load, axis), load->factor != 0 ? load->factor : 1,
                   v3_get(drawn, axis), load->signal[axis]);
}

/* If some components of a force depend on the state, all are treated in this way, so that its
 * channels contain the whole force. */
void ts_add_load(ts_builder *b, ts_load load) {
    bool state = false;
    for (int k = 0; k < 3; k++)
        state |= load.signal[k] >= 0 && b->model->signals[load.signal[k]].channels > 0;
    if (!state) ts_model_load(b->model, load);
    for (int k = 0; state && k < 3; k++)
        if (load.signal[k] >= 0) add_component(b, &load, k);
}
