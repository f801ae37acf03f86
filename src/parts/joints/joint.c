/* SPDX-License-Identifier: Apache-2.0 */
/* Joint frames and the rows joints are made of (S0 sec. 2.2, S1 sec. 4).
 *
 * A joint has a point and a frame e1, e2, e3 on each of its bodies, constant in body coordinates.
 * Points x + sum X_k d_k and axes sum U_k d_k are linear in the ambient coordinates, so that with u
 * = P_B - P_A
 *
 *     coincident          u = 0                      linear, global axes
 *     no offset along k   e_k^A . u = 0              bilinear
 *     perpendicular       e_i^A . e_j^B = 0          bilinear; holds the rotation about the third
 *
 * and every joint is a list of these. The angle about z is that of (e1^A . e1^B, e2^A . e1^B).
 */
#include <stdio.h>

#include "base/error.h"
#include "math/rotation.h"
#include "parts/parts.h"

static const char *const AXIS[] = {"x", "y", "z"};

v3 ts_body_point(const ts_model *model, int node, v3 global) {
    const ts_node *n = &model->nodes[node];
    v3 arm = v3_sub(global, n->x);
    /* a point has no arms, so the point itself is meant */
    if (n->kind == TS_NODE_POINT && v3_norm(arm) <= 1e-9 * (v3_norm(global) + v3_norm(n->x)))
        return v3_make(0, 0, 0);
    return m3_tapply(n->D, arm);
}

v3 ts_body_vector(const ts_model *model, int node, v3 global) {
    return m3_tapply(model->nodes[node].D, global);
}

double ts_weight_of_all(const ts_model *model) {
    double mass = 0;
    for (int n = 0; n < model->nodes_count; n++) mass += model->nodes[n].mass[0][0];
    return mass * v3_norm(model->gravity);
}

m3 ts_body_frame(const ts_model *model, int node, m3 global) {
    return m3_tmul(model->nodes[node].D, global);
}

int ts_attach(ts_builder *b, const ts_kind *kind, const ts_value *bodies, const v3 point[2],
              const m3 frame[2]) {
    int A = bodies->node[0], B = bodies->node[1];
    if (A == B)
        return ts_build_fail(b, TS_JOINT_BODIES, "name two different bodies, or ground and a body",
                             "both ends are on the same body");
    ts_part *part = ts_new_part(b, kind);
    part->nodeA = A, part->nodeB = B;
    part->pointA = ts_body_point(b->model, A, point[0]);
    part->pointB = ts_body_point(b->model, B, point[1]);
    part->frameA = ts_body_frame(b->model, A, frame[0]);
    part->frameB = ts_body_frame(b->model, B, frame[1]);
    return 0;
}

/* The frame rotated by the smallest rotation so that its z is along `axis`: half a turn is about
 * x. */
static m3 turned_to(m3 frame, v3 axis) {
    v3 z = frame.c[2];
    double cosine = v3_dot(z, axis);
    quat p = {1 + cosine, v3_cross(z, axis)};
    if (cosine < -1 + 1e-12) p = (quat){0, frame.c[0]};
    m3 turned = m3_mul(quat_matrix(quat_normalize(p)), frame);
    v3 x = v3_normalize(v3_axpy(-v3_dot(turned.c[0], axis), axis, turned.c[0]));
    return m3_cols(x, v3_cross(axis, x), axis);
}

/* Directions that are chosen automatically turn with the sub-assembly. */
static m3 frame_of_A(const ts_builder *b, const ts_value *value) {
    if (value[TS_JOINT_FRAME].given) return m3_load(value[TS_JOINT_FRAME].number);
    m3 frame = m3_identity();
    if (value[TS_JOINT_AXIS].given)
        frame = ts_frame_from_axis(ts_turned_back(b, v3_load(value[TS_JOINT_AXIS].number)));
    return b->turn ? m3_mul(*b->turn, frame) : frame;
}

static m3 frame_of_B(const ts_value *value, m3 frame_A) {
    if (value[TS_JOINT_FRAME_B].given) return m3_load(value[TS_JOINT_FRAME_B].number);
    if (!value[TS_JOINT_AXIS_B].given) return frame_A;
    return turned_to(frame_A, v3_normalize(v3_load(value[TS_JOINT_AXIS_B].number)));
}

static int check_axes(ts_builder *b, const ts_value *value, int flags) {
    bool axis = value[TS_JOINT_AXIS].given, frame = value[TS_JOINT_FRAME].given;
    if (axis && frame)
        return ts_build_fail(b, TS_JOINT_AXIS, "the axis is the z of the frame",
                             "give an axis or a frame, not both");
    if ((flags & TS_NEEDS_AXIS) && !axis && !frame)
        return ts_build_fail(b, -1, "for example `axis: z`", "this joint needs an axis");
    if (flags & TS_POINT_JOINT) return 0;
    if (value[TS_JOINT_AXIS_B].given && value[TS_JOINT_FRAME_B].given)
        return ts_build_fail(b, TS_JOINT_AXIS_B, "the axis is the z of the frame",
                             "give axis_b or frame_b, not both");
    return 0;
}

static bool on_a_line(const ts_model *model, int node) {
    int part = model->nodes[node].part;
    return node > 0 && part >= 0 && model->parts[part].nodes > 1;
}

/* Position of a joint if the model does not give it: at the node of a line that it holds. A rigid
 * joint may be anywhere. */
static int usual_place(ts_builder *b, const ts_kind *kind, const int node[2], v3 *place) {
    const ts_model *model = b->model;
    bool line[2] = {on_a_line(model, node[0]), on_a_line(model, node[1])};
    int at = line[1] ? node[1] : line[0] ? node[0] : -1;
    v3 a = model->nodes[node[0]].x, c = model->nodes[node[1]].x;
    if (line[0] && line[1] && v3_norm(v3_sub(a, c)) > 1e-9 * (v3_norm(a) + v3_norm(c))) at = -1;
    if (at < 0 && kind == &TS_KIND_RIGID_JOINT && !line[0]) at = node[1] ? node[1] : node[0];
    if (at < 0)
        return ts_build_fail(b, -1, "where the joint is, as drawn: `at: [x, y, z]`, or a point",
                             "'at' is missing");
    *place = model->nodes[at].x;
    return 0;
}

int ts_joint_attach(ts_builder *b, const ts_kind *kind, const ts_value *value, int flags) {
    if (check_axes(b, value, flags)) return TORSOR_EINVAL;
    const ts_value *at = &value[TS_JOINT_AT], *at_b = &value[TS_JOINT_AT_B];
    v3 place = v3_load(at->number);
    if (!at->given && usual_place(b, kind, value[TS_JOINT_BODIES].node, &place))
        return TORSOR_EINVAL;
    v3 point[2] = {place, at_b->given ? v3_load(at_b->number) : place};
    m3 frame_A = frame_of_A(b, value);
    m3 frame[2] = {frame_A, flags & TS_POINT_JOINT ? frame_A : frame_of_B(value, frame_A)};
    return ts_attach(b, kind, &value[TS_JOINT_BODIES], point, frame);
}

int ts_joint_begin(ts_builder *b, const ts_kind *kind, const ts_value *value, int flags) {
    if (ts_joint_attach(b, kind, value, flags)) return TORSOR_EINVAL;
    ts_joint_site(b->model, TS_ROLE_ROWS);
    return 0;
}

/* ---- the newest part ---- */

static const ts_part *newest(const ts_model *model) {
    return &model->parts[model->parts_count - 1];
}

int ts_joint_site(ts_model *model, ts_role role) {
    int nodes[2] = {newest(model)->nodeA, newest(model)->nodeB};
    return ts_model_site(model, role, 2, nodes);
}

ts_combo ts_joint_axis(const ts_model *model, int side, int axis) {
    const ts_part *part = newest(model);
    return ts_combo_direction(side, (side == 0 ? part->frameA : part->frameB).c[axis]);
}

ts_combo ts_joint_offset(const ts_model *model) {
    const ts_part *part = newest(model);
    return ts_combo_minus(ts_combo_point(1, part->pointB), ts_combo_point(0, part->pointA));
}

static void add_row(ts_model *model, ts_pull pull, int axis) {
    static const char *const what[] = {[TS_PULL_GLOBAL] = "displacement along global",
                                       [TS_PULL_FORCE] = "displacement along",
                                       [TS_PULL_MOMENT] = "rotation about"};
    char label[40];
    snprintf(label, sizeof label, "%s %s", what[pull], AXIS[axis]);
    ts_model_row(model, -1, false, label);
    ts_model_pull(model, pull, axis);
}

void ts_row_coincident(ts_model *model) {
    for (int k = 0; k < 3; k++) {
        ts_form_component(model, v3_axis(k), ts_joint_offset(model), 0);
        add_row(model, TS_PULL_GLOBAL, k);
    }
}

void ts_row_no_offset(ts_model *model, int axis) {
    ts_form_joint_displacement(model, axis);
    add_row(model, TS_PULL_FORCE, axis);
}

void ts_row_perpendicular(ts_model *model, int i, int j) {
    ts_form_dot(model, 1, ts_joint_axis(model, 0, i), ts_joint_axis(model, 1, j), 0);
    add_row(model, TS_PULL_MOMENT, 3 - i - j);
}

void ts_row_parallel_axes(ts_model *model) {
    ts_row_perpendicular(model, 1, 2);
    ts_row_perpendicular(model, 0, 2);
}

void ts_row_no_rotation(ts_model *model) {
    ts_row_parallel_axes(model);
    ts_row_perpendicular(model, 1, 0);
}

void ts_form_joint_displacement(ts_model *model, int axis) {
    ts_form_dot(model, 1, ts_joint_axis(model, 0, axis), ts_joint_offset(model), 0);
}

void ts_form_joint_angle(ts_model *model) {
    ts_form_dot(model, 1, ts_joint_axis(model, 0, 0), ts_joint_axis(model, 1, 0), 0);
    ts_form_dot(model, 1, ts_joint_axis(model, 0, 1), ts_joint_axis(model, 1, 0), 0);
}

void ts_coordinate_displacement(ts_model *model, const char *name, int axis) {
    int nodes[2] = {newest(model)->nodeA, newest(model)->nodeB};
    ts_model_coordinate(model, name, false, 2, nodes);
    ts_form_joint_displacement(model, axis);
}

void ts_coordinate_angle(ts_model *model) {
    int nodes[2] = {newest(model)->nodeA, newest(model)->nodeB};
    ts_model_coordinate(model, "angle", true, 2, nodes);
    ts_form_joint_angle(model);
}
