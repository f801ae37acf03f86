/* `plate.centre`: the node of a part where one of the model's points is, if the mesh has a point there. See points.h. */
#include "reader/points.h"

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

static void visit_part(const ts_document *document, int part, ts_node_visit *visit, void *context) {
    const ts_model *model = document->model;
    const ts_mesh *mesh = ts_mesh_of(model, model->parts[part].mesh);
    for (int k = 0; k < document->place_count; k++) {
        const char *name = document->places[k].name;
        int nearest, point = ts_point_at(mesh, document->places[k].x, &nearest);
        int node = point >= 0 ? ts_part_point_node(model, part, point) : -1;
        if (node >= 0 && ts_mesh_find(mesh, name, -1) < 0) visit(context, part, name, node);
    }
}

void ts_named_points(const ts_document *document, ts_node_visit *visit, void *context) {
    for (int p = 0; p < document->model->parts_count; p++)
        if (document->model->parts[p].mesh) visit_part(document, p, visit, context);
}
