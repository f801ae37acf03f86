/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes on the points of a mesh. See mesh_nodes.h.
 *
 * model->point_nodes has three numbers for each point of a mesh: its point node, director node and
 * frame node, or -1. The mesh's part says where its own begin (`points`, 0 until they are first
 * needed: number 0 is not used). */
#include "model/mesh_nodes.h"

#include "base/error.h"

static const int KINDS = 3;

static void map_points(ts_model *model, int mesh) {
    int count = KINDS * ts_mesh_of(model, mesh)->points;
    if (model->point_nodes_count == 0) ts_model_point_node(model, -1);
    model->parts[mesh].points = model->point_nodes_count;
    for (int i = 0; i < count; i++) ts_model_point_node(model, -1);
}

int ts_mesh_node_find(const ts_model *model, int mesh, int point, ts_node_kind kind) {
    int first = model->parts[mesh].points;
    return first ? model->point_nodes[first + KINDS * point + (int)kind] : -1;
}

/* A frame whose third axis is the director; the others are arbitrary. */
static m3 frame_about(v3 d) {
    v3 t = v3_normalize(v3_cross(fabs(d.x) < 0.7 ? v3_axis(0) : v3_axis(1), d));
    return m3_cols(t, v3_cross(d, t), d);
}

int ts_mesh_node(ts_model *model, int mesh, int point, ts_node_kind kind, v3 director) {
    int node = ts_mesh_node_find(model, mesh, point, kind);
    if (node >= 0) return node;
    if (!model->parts[mesh].points) map_points(model, mesh);
    m3 D = m3_identity();
    if (kind == TS_NODE_DIRECTOR) D = frame_about(director);
    node = ts_model_node(model, kind, ts_mesh_of(model, mesh)->point[point], D);
    model->point_nodes[model->parts[mesh].points + KINDS * point + (int)kind] = node;
    return node;
}

int ts_part_point_node(const ts_model *model, int part, int point) {
    const ts_part *p = &model->parts[part];
    int node = ts_mesh_node_find(model, p->mesh, point, p->points_are);
    if (node < 0 && p->points_are == TS_NODE_DIRECTOR)
        node = ts_mesh_node_find(model, p->mesh, point, TS_NODE_FRAME);
    return node;
}

int ts_part_set_nodes(const ts_model *model, int part, int set, int **nodes) {
    const ts_mesh_set *s = &ts_mesh_of(model, model->parts[part].mesh)->set[set];
    int count = 0;
    *nodes = ts_calloc((size_t)s->points + 1, sizeof **nodes);
    for (int i = 0; i < s->points; i++) {
        int node = ts_part_point_node(model, part, s->point[i]);
        if (node >= 0) (*nodes)[count++] = node;
    }
    return count;
}
