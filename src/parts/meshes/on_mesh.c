/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by shells and solids: fields, and the initial motion. See continuum.h. */
#include "base/error.h"
#include "parts/continuum.h"

const char *const TS_MESH_CHOICES[] = {"meshes", NULL};

void ts_meshed_motion(ts_node *node, const ts_value *motion) {
    v3 v = v3_load(motion[TS_MESHED_VELOCITY].number);
    v3 omega = v3_load(motion[TS_MESHED_SPIN].number);
    v3 arm = v3_sub(node->x, v3_load(motion[TS_MESHED_CENTRE].number));
    node->velocity = v3_add(v, v3_cross(omega, arm));
    node->omega = omega;
}

int ts_meshed_damping(ts_builder *b, const ts_value *value, int field, double *damping) {
    *damping = value[field].given ? value[field].number[0] : 0;
    if (*damping >= 0) return 0;
    return ts_build_fail(b, field, NULL, "damping must not be negative");
}
