/* Shapes that may touch: a core with a radius on a body, or a plane of it. See contact/nearest.h.
 *
 *   sphere    one point               radius
 *   capsule   two points              radius
 *   box       eight corners           a rounding that its size includes
 *   plane     a place and a normal    half-space: nothing is below it
 */
#include "base/error.h"
#include "parts/parts.h"

enum { ON, FIRST };

#define ON_FIELD \
    { .name = "on", .type = TS_BODY, .required = true, .help = "The body, or ground, that has it." }

/* The shape of a new part; its points follow. */
static void begin_shape(ts_builder *b, const ts_kind *kind, const ts_value *value, double radius,
                        bool plane) {
    ts_part *part = ts_new_part(b, kind);
    part->data = ts_model_shape(
        b->model, (ts_shape){.node = value[ON].node[0], .plane = plane, .radius = radius});
}

/* A vector as drawn, in the axes of the body. */
static v3 body_axes(const ts_builder *b, const ts_value *value, v3 drawn) {
    const ts_node *node = &b->model->nodes[value[ON].node[0]];
    return node->kind == TS_NODE_FRAME ? m3_tapply(node->D, drawn) : drawn;
}

static void add_place(ts_builder *b, const ts_value *value, v3 drawn) {
    const ts_node *node = &b->model->nodes[value[ON].node[0]];
    ts_model_shape_point(b->model, body_axes(b, value, v3_sub(drawn, node->x)));
}

static v3 place_or_body(const ts_builder *b, const ts_value *value, int field) {
    return value[field].given ? v3_load(value[field].number) : b->model->nodes[value[ON].node[0]].x;
}

static int check_radius(ts_builder *b, const ts_value *value, int field) {
    if (value[field].number[0] > 0) return 0;
    return ts_build_fail(b, field, NULL, "a radius must be above zero");
}

/* A point does not turn: what is on it is at it. */
static int check_node(ts_builder *b, const ts_value *value) {
    const ts_node *node = &b->model->nodes[value[ON].node[0]];
    if (node->kind == TS_NODE_FRAME) return 0;
    return ts_build_fail(b, ON, "put a sphere on it, or use a body",
                         "'%.60s' does not turn: only a sphere can be on it", value[ON].text);
}

/* ---- sphere ---- */

enum { SPHERE_AT = FIRST, SPHERE_RADIUS };

static const ts_field SPHERE[] = {ON_FIELD,
                                  {.name = "at",
                                   .type = TS_PLACE,
                                   .dim = TS_DIM_LENGTH,
                                   .help = "Its middle as drawn (global).",
                                   .fallback = "the body's reference point"},
                                  {.name = "radius",
                                   .type = TS_NUMBER,
                                   .dim = TS_DIM_LENGTH,
                                   .required = true,
                                   .help = "Radius."},
                                  {0}};

static int build_sphere(ts_builder *b, ts_value *value) {
    v3 at = place_or_body(b, value, SPHERE_AT);
    const ts_node *node = &b->model->nodes[value[ON].node[0]];
    if (check_radius(b, value, SPHERE_RADIUS)) return TORSOR_EINVAL;
    if (node->kind != TS_NODE_FRAME && v3_norm(v3_sub(at, node->x)) > 0)
        return ts_build_fail(b, SPHERE_AT, "leave `at` out, or use a body",
                             "'%.60s' does not turn: a sphere on it is at its place",
                             value[ON].text);
    begin_shape(b, &TS_KIND_SPHERE, value, value[SPHERE_RADIUS].number[0], false);
    add_place(b, value, at);
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

static const ts_field CAPSULE[] = {ON_FIELD,
                                   {.name = "from",
                                    .type = TS_PLACE,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "One end of its line, as drawn (global)."},
                                   {.name = "to",
                                    .type = TS_PLACE,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "The other end of its line, as drawn (global)."},
                                   {.name = "radius",
                                    .type = TS_NUMBER,
                                    .dim = TS_DIM_LENGTH,
                                    .required = true,
                                    .help = "Radius around the line, and of both ends."},
                                   {0}};

static int build_capsule(ts_builder *b, ts_value *value) {
    v3 from = v3_load(value[CAPSULE_FROM].number), to = v3_load(value[CAPSULE_TO].number);
    if (check_node(b, value) || check_radius(b, value, CAPSULE_RADIUS)) return TORSOR_EINVAL;
    if (!(v3_norm(v3_sub(to, from)) > 0))
        return ts_build_fail(b, CAPSULE_TO, "use a sphere", "both ends are at the same place");
    begin_shape(b, &TS_KIND_CAPSULE, value, value[CAPSULE_RADIUS].number[0], false);
    add_place(b, value, from), add_place(b, value, to);
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
    ON_FIELD,
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Its middle as drawn (global).",
     .fallback = "the body's reference point"},
    {.name = "size",
     .type = TS_VECTOR,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Lengths of its edges, with their rounding."},
    {.name = "axes",
     .type = TS_ROTATION,
     .help = "The directions of its edges, as a rotation of the global axes, as drawn.",
     .fallback = "the body axes"},
    {.name = "rounding",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of its edges and corners.",
     .fallback = "5 % of the least edge"},
    {0}};

static int build_box(ts_builder *b, ts_value *value) {
    v3 at = place_or_body(b, value, BOX_AT), size = v3_load(value[BOX_SIZE].number);
    double least = fmin(size.x, fmin(size.y, size.z));
    double r = value[BOX_ROUNDING].given ? value[BOX_ROUNDING].number[0] : ROUNDING * least;
    m3 axes = value[BOX_AXES].given ? m3_load(value[BOX_AXES].number)
                                    : b->model->nodes[value[ON].node[0]].D;
    if (check_node(b, value)) return TORSOR_EINVAL;
    if (!(least > 0)) return ts_build_fail(b, BOX_SIZE, NULL, "edges must be longer than zero");
    if (!(r > 0 && 2 * r < least))
        return ts_build_fail(b, BOX_ROUNDING, NULL,
                             "a rounding must be above zero and below half of the least edge");
    begin_shape(b, &TS_KIND_BOX, value, r, false);
    for (int k = 0; k < 8; k++) {
        v3 corner = v3_make((k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
                            (k & 4 ? 0.5 : -0.5) * size.z);
        v3 inner = v3_make(corner.x - copysign(r, corner.x), corner.y - copysign(r, corner.y),
                           corner.z - copysign(r, corner.z));
        add_place(b, value, v3_add(at, m3_apply(axes, inner)));
    }
    return 0;
}

const ts_kind TS_KIND_BOX = {.name = "box",
                             .section = "shapes",
                             .help = "A box with rounded edges on a body.",
                             .fields = BOX,
                             .build = build_box,
                             .sample = "{type: box, on: A, size: [0.2, 0.3, 0.4]}"};

/* ---- plane ---- */

enum { PLANE_AT = FIRST, PLANE_NORMAL };

static const ts_field PLANE[] = {
    ON_FIELD,
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "A point of it as drawn (global).",
     .fallback = "the body's reference point"},
    {.name = "normal",
     .type = TS_AXIS,
     .required = true,
     .help = "Away from it, as drawn (global): what is on its other side is inside."},
    {0}};

static int build_plane(ts_builder *b, ts_value *value) {
    if (check_node(b, value)) return TORSOR_EINVAL;
    begin_shape(b, &TS_KIND_PLANE, value, 0, true);
    add_place(b, value, place_or_body(b, value, PLANE_AT));
    ts_model_shape_point(b->model, body_axes(b, value, v3_load(value[PLANE_NORMAL].number)));
    return 0;
}

const ts_kind TS_KIND_PLANE = {.name = "plane",
                               .section = "shapes",
                               .help =
                                   "A plane of a body or of the ground; all behind it is solid.",
                               .fields = PLANE,
                               .build = build_plane,
                               .sample = "{type: plane, on: ground, normal: z, at: [0, 0, -9]}"};
