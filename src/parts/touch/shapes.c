/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that may touch: a core with a radius on a body, or a plane of it. See contact/nearest.h.
 *
 *   sphere    one point               radius
 *   capsule   two points              radius
 *   box       eight corners           a rounding that its size includes
 *   plane     a place and a normal    half-space: nothing is below it
 */
#include "base/error.h"
#include "math/rotation.h"
#include "parts/touch/shape.h"

enum { ON = TS_SHAPE_ON, FIRST = TS_SHAPE_FIRST };

/* ---- sphere ---- */

enum { SPHERE_AT = FIRST, SPHERE_RADIUS };

static const ts_field SPHERE[] = {TS_SHAPE_SOLID_FIELDS,
                                  TS_SHAPE_AT_FIELD,
                                  {.name = "radius",
                                   .type = TS_NUMBER,
                                   .dim = TS_DIM_LENGTH,
                                   .required = true,
                                   .help = "Radius."},
                                  {0}};

static int build_sphere(ts_builder *b, ts_value *value) {
    v3 at = ts_shape_place(b, value, SPHERE_AT);
    const ts_node *node = &b->model->nodes[value[ON].node[0]];
    if (ts_shape_check_length(b, value, SPHERE_RADIUS, "radius") ||
        ts_shape_check_density(b, value))
        return TORSOR_EINVAL;
    if (node->kind != TS_NODE_FRAME && v3_norm(v3_sub(at, node->x)) > 0)
        return ts_build_fail(b, SPHERE_AT, "leave `at` out, or use a body",
                             "'%.60s' does not turn: a sphere on it is at its place",
                             value[ON].text);
    double r = value[SPHERE_RADIUS].number[0], volume = 4 * M_PI / 3 * r * r * r;
    double s = volume * r * r / 5;
    ts_begin_shape(b, &TS_KIND_SPHERE, value, (ts_shape){.radius = r});
    ts_shape_add(b, value, at);
    ts_hull_moments moments = {volume, at, m3_scale(s, m3_identity())};
    ts_shape_add_mass(b, value, &moments);
    return 0;
}

const ts_kind TS_KIND_SPHERE = {.name = "sphere",
                                .section = "shapes",
                                .help = "A ball on a body.",
                                .fields = SPHERE,
                                .build = build_sphere,
                                .sample = "{type: sphere, on: A, radius: 0.1}"};

/* ---- capsule ---- */

enum { CAPSULE_FROM = FIRST, CAPSULE_TO, CAPSULE_RADIUS };

static const ts_field CAPSULE[] = {TS_SHAPE_SOLID_FIELDS,
                                   {.name = "from",
                                    .type = TS_PLACE,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "One end of the centre line, as drawn (global)."},
                                   {.name = "to",
                                    .type = TS_PLACE,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "The other end of the centre line, as drawn (global)."},
                                   {.name = "radius",
                                    .type = TS_NUMBER,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "Radius around the line, and of both ends."},
                                   {0}};

/* A cylinder of the length L, and half a ball at each end, whose centre is 3/8 r from its face. */
static void add_capsule_mass(ts_builder *b, const ts_value *value, v3 from, v3 to) {
    double r = value[CAPSULE_RADIUS].number[0], L = v3_norm(v3_sub(to, from));
    double tube = M_PI * r * r * L, ball = 4 * M_PI / 3 * r * r * r;
    double across = tube * r * r / 4 + ball * r * r / 5;
    double along = tube * L * L / 12 + ball * (r * r / 5 + L * L / 4 + 3 * r * L / 8);
    m3 axes = ts_frame_from_axis(v3_sub(to, from));
    ts_hull_moments moments = {tube + ball, v3_scale(0.5, v3_add(from, to)),
                               ts_shape_second(axes, v3_make(across, across, along))};
    ts_shape_add_mass(b, value, &moments);
}

static int build_capsule(ts_builder *b, ts_value *value) {
    v3 from = v3_load(value[CAPSULE_FROM].number), to = v3_load(value[CAPSULE_TO].number);
    if (ts_shape_check_turns(b, value) ||
        ts_shape_check_length(b, value, CAPSULE_RADIUS, "radius") ||
        ts_shape_check_density(b, value))
        return TORSOR_EINVAL;
    if (!(v3_norm(v3_sub(to, from)) > 0))
        return ts_build_fail(b, CAPSULE_TO, "use a sphere", "both ends are at the same place");
    ts_begin_shape(b, &TS_KIND_CAPSULE, value,
                   (ts_shape){.radius = value[CAPSULE_RADIUS].number[0]});
    ts_shape_add(b, value, from), ts_shape_add(b, value, to), ts_shape_add_edge(b, 0, 1);
    add_capsule_mass(b, value, from, to);
    return 0;
}

const ts_kind TS_KIND_CAPSULE = {
    .name = "capsule",
    .section = "shapes",
    .help = "A rod with round ends on a body.",
    .fields = CAPSULE,
    .build = build_capsule,
    .sample = "{type: capsule, on: A, from: [0, 0, 0], to: [0.3, 0, 0], radius: 0.05}"};

/* ---- box ---- */

enum { BOX_AT = FIRST, BOX_SIZE, BOX_AXES, BOX_ROUNDING };

static const double ROUNDING = 0.05; /* of the least edge */

static const ts_field BOX[] = {
    TS_SHAPE_SOLID_FIELDS,
    TS_SHAPE_AT_FIELD,
    {.name = "size",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Lengths of the edges, rounding included."},
    {.name = "axes",
     .type = TS_ROTATION,
     .help = "The directions of the edges, as a rotation of the global axes, as drawn.",
     .fallback = "the body axes"},
    {.name = "rounding",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the edges and corners.",
     .fallback = "sharp on planes; 5 % of the least edge on other shapes"},
    {0}};

/* Of a box about `at` with these edges. */
static v3 corner_of(v3 at, m3 edges, int k) {
    v3 half = v3_make(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
    return v3_add(at, m3_apply(edges, half));
}

/* Corners of the core; edges between corners that differ in one direction. */
static void add_corners(ts_builder *b, const ts_value *value, v3 at, m3 edges) {
    for (int k = 0; k < 8; k++) ts_shape_add(b, value, corner_of(at, edges, k));
    for (int k = 0; k < 8; k++)
        for (int bit = 1; bit < 8; bit *= 2)
            if (!(k & bit)) ts_shape_add_edge(b, k, k | bit);
}

static m3 edges_of(m3 axes, v3 length) {
    return m3_cols(v3_scale(length.x, axes.c[0]), v3_scale(length.y, axes.c[1]),
                   v3_scale(length.z, axes.c[2]));
}

static int build_box(ts_builder *b, ts_value *value) {
    v3 at = ts_shape_place(b, value, BOX_AT), size = v3_load(value[BOX_SIZE].number);
    double least = fmin(size.x, fmin(size.y, size.z));
    double r = value[BOX_ROUNDING].given ? value[BOX_ROUNDING].number[0] : ROUNDING * least;
    m3 axes = value[BOX_AXES].given ? m3_load(value[BOX_AXES].number)
                                    : b->model->nodes[value[ON].node[0]].D;
    if (ts_shape_check_turns(b, value) || ts_shape_check_density(b, value)) return TORSOR_EINVAL;
    if (!(least > 0)) return ts_build_fail(b, BOX_SIZE, NULL, "edges must be longer than zero");
    if (!(r > 0 && 2 * r < least))
        return ts_build_fail(b, BOX_ROUNDING, NULL,
                             "a rounding must be above zero and below half of the least edge");
    ts_begin_shape(b, &TS_KIND_BOX, value, (ts_shape){.radius = r});
    v3 less = v3_make(2 * r, 2 * r, 2 * r);
    add_corners(b, value, at, edges_of(axes, v3_sub(size, less)));
    for (int k = 0; k < 8 && !value[BOX_ROUNDING].given; k++)
        ts_shape_add_sharp(b, value, corner_of(at, edges_of(axes, size), k));
    double volume = size.x * size.y * size.z, of = volume / 12;
    v3 second = v3_make(of * size.x * size.x, of * size.y * size.y, of * size.z * size.z);
    ts_hull_moments moments = {volume, at, ts_shape_second(axes, second)};
    ts_shape_add_mass(b, value, &moments);
    return 0;
}

const ts_kind TS_KIND_BOX = {.name = "box",
                             .section = "shapes",
                             .help = "A box with rounded edges on a body.",
                             .fields = BOX,
                             .build = build_box,
                             .sample = "{type: box, on: A, size: [0.2, 0.3, 0.4]}"};

/* ---- plane ---- */

enum { PLANE_AT = ON + 1, PLANE_NORMAL };

static const ts_field PLANE[] = {
    TS_SHAPE_ON_FIELD,
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "A point of the plane as drawn (global).",
     .fallback = "the body's reference point"},
    {.name = "normal",
     .type = TS_AXIS,
     .required = true,
     .help = "Normal of the plane, out of the solid side, as drawn (global)."},
    {0}};

static int build_plane(ts_builder *b, ts_value *value) {
    if (ts_shape_check_turns(b, value)) return TORSOR_EINVAL;
    ts_begin_shape(b, &TS_KIND_PLANE, value, (ts_shape){.plane = true});
    ts_shape_add(b, value, ts_shape_place(b, value, PLANE_AT));
    ts_model_shape_point(b->model,
                         ts_shape_body_axes(b, value, v3_load(value[PLANE_NORMAL].number)));
    return 0;
}

const ts_kind TS_KIND_PLANE = {
    .name = "plane",
    .section = "shapes",
    .help = "A plane of a body or of the ground. Everything behind the plane is solid.",
    .fields = PLANE,
    .build = build_plane,
    .sample = "{type: plane, on: ground, normal: z, at: [0, 0, -9]}"};
