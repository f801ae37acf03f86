/* SPDX-License-Identifier: Apache-2.0 */
/* Points of shapes.
 *
 * A shape on a body has its points in the axes of that body, p = x + D X. The points of a flexible
 * shape are weighted sums of the places of nodes, p = sum w x: a corner of a mesh is a node itself,
 * a point of a beam lies between the nodes of its element. Both are linear in the slots of nodes,
 * so forces on points become forces on slots with the same work and the same moments.
 */
#include "contact/sides.h"

#include <math.h>

/* Circles have an axis, and three semi-axes, see contact/features.h. */
static bool is_axis(const ts_shape *s, int point) {
    int axis = s->points + 2 * s->edges + s->rings;
    bool sharp = s->sharp && point >= s->sharp;
    return s->rings && !sharp && (point == axis || point > axis + s->rings);
}

int ts_point_terms(const ts_model *model, const ts_shape *shape, int point,
                   ts_term out[TS_WOVEN_NODES]) {
    if (!shape->flexible) {
        bool direction = shape->plane ? point == 1 : is_axis(shape, point);
        out[0] =
            (ts_term){shape->node, direction ? 0 : 1, model->shape_points[shape->point + point]};
        return 1;
    }
    const ts_woven *w = &model->woven[shape->woven + point];
    for (int i = 0; i < w->nodes; i++) out[i] = (ts_term){w->node[i], w->weight[i], {0, 0, 0}};
    return w->nodes;
}

static bool turns(const ts_node *node) { return node->kind == TS_NODE_FRAME; }

/* A sum of slots; places relative to an origin. */
static v3 sum_of(const ts_model *model, int terms, const ts_term *term, const double *q,
                 v3 origin) {
    v3 sum = {0, 0, 0};
    for (int i = 0; i < terms; i++) {
        const ts_node *node = &model->nodes[term[i].node];
        const double *slot = q + 3 * node->slot;
        sum = v3_axpy(term[i].weight, v3_sub(v3_load(slot), origin), sum);
        if (turns(node)) sum = v3_add(sum, m3_apply(m3_load(slot + 3), term[i].arm));
    }
    return sum;
}

v3 ts_point_place(const ts_model *model, const ts_shape *shape, int point, const double *q,
                  v3 origin) {
    ts_term term[TS_WOVEN_NODES];
    int terms = ts_point_terms(model, shape, point, term);
    return sum_of(model, terms, term, q, origin);
}

v3 ts_point_move(const ts_model *model, const ts_shape *shape, int point, const double *dq) {
    ts_term term[TS_WOVEN_NODES];
    int terms = ts_point_terms(model, shape, point, term);
    return sum_of(model, terms, term, dq, v3_make(0, 0, 0));
}

bool ts_shape_fixed(const ts_model *model, const ts_shape *shape) {
    return !shape->flexible && model->nodes[shape->node].fixed;
}

bool ts_shapes_apart(const ts_shape *a, const ts_shape *b) {
    if (a->flexible && b->flexible) return a->part != b->part || a->apart > 0;
    return a->flexible || b->flexible || a->node != b->node;
}

bool ts_face_apart(const ts_model *model, const ts_shape *points, int point, const ts_shape *chain,
                   int face) {
    double at = model->woven[points->woven + point].at;
    const int *corner = model->shape_faces[chain->face + face].corner;
    double first = model->woven[chain->woven + corner[0]].at;
    double last = model->woven[chain->woven + corner[1]].at;
    return fmax(first - at, at - last) >= points->apart;
}

bool ts_segments_apart(const ts_model *model, const ts_shape *chain, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    return model->woven[chain->woven + high].at - model->woven[chain->woven + low + 1].at >=
           chain->apart;
}
