/* SPDX-License-Identifier: Apache-2.0 */
/* Axes and rotations: {axis, angle} or a list of them, two directions, a matrix, a quaternion.
 *
 * The result is the rotation tensor D = [d1 d2 d3]: the directors are where the rotation takes the
 * global axes. A list of turns is applied in sequence about the axes of the turned body: D = R1 R2
 * R3.
 */

#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "reader/reader.h"

static const char FORMS[] =
    "{axis: z, angle: 30 deg}, a list of these, {x: [...], y: [...]}, {matrix: [...]} or "
    "{quaternion: [w, x, y, z]}";

/* ---- axes ---- */

static bool named_axis(const char *text, v3 *out) {
    bool minus = *text == '-', plus = *text == '+';
    text += minus || plus;
    if (*text < 'x' || *text > 'z' || text[1]) return false;
    *out = v3_scale(minus ? -1 : 1, v3_axis(*text - 'x'));
    return true;
}

/* Scaled first, so that neither very long nor very short vectors overflow or vanish. */
static bool unit_vector(ts_reader *r, const ts_yaml *node, v3 a, v3 *out) {
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (largest == 0) return ts_report(r->source, node->start, NULL, "a direction may not be zero");
    *out = v3_normalize(v3_make(a.x / largest, a.y / largest, a.z / largest));
    return true;
}

/* A direction has no unit worth speaking of: lengths are as good as plain numbers. */
static bool read_component(ts_reader *r, const ts_yaml *node, double *out) {
    ts_quantity q;
    if (!ts_read_quantity(r, node, &q)) return false;
    *out = q.value;
    if (ts_dim_bare(q.dim) || ts_dim_equal(q.dim, TS_OF_LENGTH)) return true;
    return ts_dim_mismatch(r, node->start, q.dim, TS_OF_NONE);
}

/* From one point to another: `D - C`. */
static bool read_difference(ts_reader *r, const ts_yaml *node, v3 *out) {
    ts_vector vector;
    if (!ts_read_vector_expression(r, node, &vector)) return false;
    return unit_vector(r, node, v3_load(vector.x), out);
}

static bool read_direction(ts_reader *r, const ts_yaml *node, v3 *out) {
    if (node->type == TS_YAML_SCALAR && named_axis(node->text, out)) return true;
    if (node->type == TS_YAML_SCALAR && strpbrk(node->text, "+-*/|([") &&
        !ts_is_identifier(node->text, true))
        return read_difference(r, node, out);
    if (node->type != TS_YAML_LIST || node->count != 3)
        return ts_report(r->source, node->start, NULL,
                         "expected a direction: x, y, z, -x, -y, -z, three numbers or D - C");
    double a[3] = {0};
    bool fine = true;
    for (int i = 0; i < 3; i++) fine &= read_component(r, node->item[i], &a[i]);
    return fine && unit_vector(r, node, v3_load(a), out);
}

bool ts_read_axis(ts_reader *r, const ts_yaml *node, double *out) {
    v3 axis;
    if (!read_direction(r, node, &axis)) return false;
    v3_store(out, axis);
    return true;
}

/* ---- the forms of a rotation ---- */

static bool read_turn(ts_reader *r, const ts_yaml *map, m3 *out) {
    static const ts_field fields[] = {
        {.name = "axis", .type = TS_AXIS, .required = true},
        {.name = "angle", .type = TS_NUMBER, .dim = {0, 0, 0, 1}, .required = true},
        {0}};
    ts_value *values = ts_values_new(fields);
    ts_fields_job job = {map, map->start, "a rotation by axis and angle", fields, NULL};
    bool fine = ts_read_fields(r, &job, values);
    if (fine) *out = so3_exp(v3_scale(values[1].number[0], v3_load(values[0].number)));
    ts_values_free(fields, values);
    return fine;
}

static bool read_turns(ts_reader *r, const ts_yaml *list, m3 *out) {
    *out = m3_identity();
    for (int i = 0; i < list->count; i++) {
        m3 turn;
        if (list->item[i]->type != TS_YAML_MAP)
            return ts_report(r->source, list->item[i]->start, NULL,
                             "expected a rotation {axis: z, angle: 30 deg}");
        if (!read_turn(r, list->item[i], &turn)) return false;
        *out = m3_mul(*out, turn);
    }
    return true;
}

static int axis_key(const ts_yaml *key) {
    return *key->text >= 'x' && *key->text <= 'z' && !key->text[1] ? *key->text - 'x' : -1;
}

/* The first direction given is exact, the second is made orthogonal to it. */
static bool read_directions(ts_reader *r, const ts_yaml *map, m3 *out) {
    int first = map->count == 2 ? axis_key(map->key[0]) : -1;
    int second = map->count == 2 ? axis_key(map->key[1]) : -1;
    if (first < 0 || second < 0)
        return ts_report(r->source, map->start, FORMS, "expected two of the directions x, y and z");
    v3 a, b;
    bool fine = read_direction(r, map->item[0], &a);
    if (!read_direction(r, map->item[1], &b) || !fine) return false;
    b = v3_axpy(-v3_dot(a, b), a, b);
    if (v3_norm(b) < 1e-6)
        return ts_report(r->source, map->item[1]->start, NULL, "the two directions are parallel");
    out->c[first] = a;
    out->c[second] = v3_normalize(b);
    int third = 3 - first - second;
    out->c[third] = v3_cross(out->c[(third + 1) % 3], out->c[(third + 2) % 3]);
    return true;
}

static bool read_nine(ts_reader *r, const ts_yaml *node, m3 *out) {
    double row[3][3] = {{0}};
    bool fine = node->type == TS_YAML_LIST && node->count == 3;
    if (!fine)
        return ts_report(r->source, node->start, NULL, "expected three rows of three numbers");
    for (int i = 0; i < 3; i++) fine &= ts_read_vector(r, node->item[i], TS_OF_NONE, row[i]);
    *out = m3_transpose(m3_cols(v3_load(row[0]), v3_load(row[1]), v3_load(row[2])));
    return fine;
}

static bool read_matrix(ts_reader *r, const ts_yaml *node, m3 *out) {
    if (!read_nine(r, node, out)) return false;
    m3 error = m3_sub(m3_tmul(*out, *out), m3_identity());
    if (!(m3_inner(error, error) < 1e-12))
        return ts_report(r->source, node->start, NULL,
                         "the columns of this matrix are not orthonormal (to 1e-6)");
    if (m3_det(*out) < 0)
        return ts_report(r->source, node->start, NULL,
                         "this matrix is a reflection, not a rotation");
    *out = ts_so3_nearest(ts_so3_nearest(*out));
    return true;
}

static bool read_quaternion(ts_reader *r, const ts_yaml *node, m3 *out) {
    double q[4] = {0}, largest = 0;
    bool fine = node->type == TS_YAML_LIST && node->count == 4;
    if (!fine)
        return ts_report(r->source, node->start, NULL,
                         "expected a quaternion: four numbers [w, x, y, z]");
    for (int i = 0; i < 4; i++) fine &= ts_read_number(r, node->item[i], TS_OF_NONE, &q[i]);
    if (!fine) return false;
    for (int i = 0; i < 4; i++) largest = fmax(largest, fabs(q[i]));
    if (largest == 0)
        return ts_report(r->source, node->start, NULL, "a quaternion may not be zero");
    for (int i = 0; i < 4; i++) q[i] /= largest;
    *out = quat_matrix(quat_normalize((quat){q[0], v3_load(q + 1)}));
    return true;
}

/* ---- choosing among them ---- */

static bool read_single(ts_reader *r, const ts_yaml *map, const char *key,
                        bool (*read)(ts_reader *, const ts_yaml *, m3 *), m3 *out) {
    if (map->count == 1) return read(r, map->item[0], out);
    return ts_report(r->source, map->start, NULL, "a rotation by %s takes no other keys", key);
}

static bool read_mapping(ts_reader *r, const ts_yaml *map, m3 *out) {
    if (ts_yaml_get(map, "matrix")) return read_single(r, map, "matrix", read_matrix, out);
    if (ts_yaml_get(map, "quaternion"))
        return read_single(r, map, "quaternion", read_quaternion, out);
    if (ts_yaml_get(map, "axis") || ts_yaml_get(map, "angle")) return read_turn(r, map, out);
    return read_directions(r, map, out);
}

bool ts_read_rotation(ts_reader *r, const ts_yaml *node, double *out) {
    m3 D = m3_identity();
    if (node->type == TS_YAML_SCALAR)
        return ts_report(r->source, node->start, FORMS, "expected a rotation, got %s",
                         ts_yaml_what(node));
    bool fine = node->type == TS_YAML_LIST ? read_turns(r, node, &D) : read_mapping(r, node, &D);
    m3_store(out, D);
    return fine;
}
