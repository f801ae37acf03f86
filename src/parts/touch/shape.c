/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all kinds of shapes. */
#include "parts/touch/shape.h"

#include "base/error.h"

void ts_begin_shape(ts_builder *b, const ts_kind *kind, const ts_value *value, ts_shape shape) {
    ts_part *part = ts_new_part(b, kind);
    shape.node = value[TS_SHAPE_ON].node[0];
    part->data = ts_model_shape(b->model, shape);
}

static const ts_node *node_of(const ts_builder *b, const ts_value *value) {
    return &b->model->nodes[value[TS_SHAPE_ON].node[0]];
}

v3 ts_shape_body_axes(const ts_builder *b, const ts_value *value, v3 drawn) {
    const ts_node *node = node_of(b, value);
    return node->kind == TS_NODE_FRAME ? m3_tapply(node->D, drawn) : drawn;
}

v3 ts_shape_body_place(const ts_builder *b, const ts_value *value, v3 drawn) {
    return ts_shape_body_axes(b, value, v3_sub(drawn, node_of(b, value)->x));
}

void ts_shape_add(ts_builder *b, const ts_value *value, v3 drawn) {
    ts_model_shape_point(b->model, ts_shape_body_place(b, value, drawn));
}

void ts_shape_add_sharp(ts_builder *b, const ts_value *value, v3 drawn) {
    ts_shape *shape = &b->model->shapes[b->model->shapes_count - 1];
    if (!shape->sharp) shape->sharp = b->model->shape_points_count - shape->point;
    ts_model_shape_more(b->model, ts_shape_body_place(b, value, drawn));
}

/* Where an edge ends, corners carry the load: it is shortened by the radius at both ends, or by a
 * quarter. */
void ts_shape_add_edge(ts_builder *b, int from, int to) {
    ts_shape *shape = &b->model->shapes[b->model->shapes_count - 1];
    const v3 *corner = b->model->shape_points + shape->point;
    v3 p = corner[from], along = v3_sub(corner[to], p);
    double less = fmin(0.25, shape->radius / v3_norm(along));
    shape->edges++;
    ts_model_shape_more(b->model, v3_axpy(less, along, p));
    ts_model_shape_more(b->model, v3_axpy(1 - less, along, p));
}

v3 ts_shape_place(const ts_builder *b, const ts_value *value, int field) {
    return value[field].given ? v3_load(value[field].number) : node_of(b, value)->x;
}

int ts_shape_check_length(ts_builder *b, const ts_value *value, int field, const char *what) {
    if (value[field].number[0] > 0) return 0;
    return ts_build_fail(b, field, NULL, "a %s must be above zero", what);
}

/* A point does not rotate, so its shape must be at the point itself. */
int ts_shape_check_turns(ts_builder *b, const ts_value *value) {
    if (node_of(b, value)->kind == TS_NODE_FRAME) return 0;
    return ts_build_fail(b, TS_SHAPE_ON, "put a sphere on it, or use a body",
                         "'%.60s' does not turn: only a sphere can be on it",
                         value[TS_SHAPE_ON].text);
}

int ts_shape_check_density(ts_builder *b, const ts_value *value) {
    const ts_value *density = &value[TS_SHAPE_DENSITY];
    if (!density->given) return 0;
    if (!(density->number[0] > 0))
        return ts_build_fail(b, TS_SHAPE_DENSITY, NULL, "a density must be above zero");
    if (node_of(b, value)->fixed)
        return ts_build_fail(b, TS_SHAPE_DENSITY, NULL, "a mass on the ground has no effect");
    return 0;
}

m3 ts_shape_second(m3 axes, v3 s) {
    m3 scaled =
        m3_cols(v3_scale(s.x, axes.c[0]), v3_scale(s.y, axes.c[1]), v3_scale(s.z, axes.c[2]));
    return m3_mul(scaled, m3_transpose(axes));
}

/* J = trace(S) I - S of the second moments S, about the reference point of the body. */
void ts_shape_add_mass(ts_builder *b, const ts_value *value, const ts_hull_moments *volume) {
    if (!value[TS_SHAPE_DENSITY].given) return;
    double density = value[TS_SHAPE_DENSITY].number[0], mass = density * volume->volume;
    const ts_node *node = node_of(b, value);
    if (node->kind != TS_NODE_FRAME) { /* a sphere at a point, which does not turn */
        ts_model_mass(b->model, value[TS_SHAPE_ON].node[0], mass, v3_make(0, 0, 0), (m3){0});
        return;
    }
    v3 c = ts_shape_body_place(b, value, volume->centre);
    m3 S = m3_mul(m3_tmul(node->D, volume->second), node->D);
    double trace = S.c[0].x + S.c[1].y + S.c[2].z;
    m3 J = m3_scale(density, m3_sub(m3_scale(trace, m3_identity()), S));
    ts_model_mass(b->model, value[TS_SHAPE_ON].node[0], mass, c,
                  m3_add(J, ts_offset_inertia(mass, c)));
}
