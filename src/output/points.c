/* SPDX-License-Identifier: Apache-2.0 */
/* `plate.centre`: the node of a part where one of the model's points is, if the mesh has a point
 * there. See points.h. */
#include "output/points.h"

#include "model/mesh_nodes.h"

static const double SAME_PLACE = 1e-6; /* of the size of the mesh */

int ts_point_at(const ts_mesh *mesh, v3 x, int *nearest) {
    v3 low, high;
    ts_mesh_box(mesh, &low, &high);
    *nearest = ts_mesh_nearest(mesh, x);
    if (*nearest < 0) return -1;
    double distance = v3_norm(v3_sub(mesh->point[*nearest], x));
    return distance <= SAME_PLACE * v3_norm(v3_sub(high, low)) ? *nearest : -1;
}

void ts_named_points(const ts_model *model, int count, const ts_named_place *place,
                     ts_node_visit *visit, void *context) {
    for (int p = 0; p < model->parts_count; p++) {
        if (!model->parts[p].mesh) continue;
        const ts_mesh *mesh = ts_mesh_of(model, model->parts[p].mesh);
        for (int k = 0; k < count; k++) {
            int nearest, point = ts_point_at(mesh, place[k].x, &nearest);
            int node = point >= 0 ? ts_part_point_node(model, p, point) : -1;
            if (node >= 0 && ts_mesh_find(mesh, place[k].name, -1) < 0)
                visit(context, p, place[k].name, node);
        }
    }
}
