/* SPDX-License-Identifier: Apache-2.0 */
/* Beams and cables that may touch: circles swept along a line. See contact/search/neighbours.c.
 *
 * Points along the line, no further apart than its radius, touch planes, bodies, surfaces and the
 * chains of other lines; its ends and nodes are among them. Each represents half of the pieces
 * beside it. The chain, segments from node to node (more of them where an element has inner nodes),
 * is touched by others at the nearest of its segments. Two lines touch in both ways, with half of
 * the stiffness each; and their segments touch where they cross (contact/features.c), each for a
 * length of the radius.
 *
 * A line may touch itself. A point leaves out the segments that are nearer to it along the line
 * than half of a turn around the line's own circle, pi R.
 */
#include "base/error.h"
#include "math/shape.h"
#include "parts/parts.h"

enum { BEAM, CABLE, RADIUS, SELF };

static const char *const BEAMS[] = {"beams", NULL}, *const CABLES[] = {"cables", NULL};

static const ts_field FIELDS[] = {
    {.name = "beam", .type = TS_PART, .choices = BEAMS, .help = "The beam; or give a cable."},
    {.name = "cable", .type = TS_PART, .choices = CABLES, .help = "The cable."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius around the line, and of both ends."},
    {.name = "self",
     .type = TS_BOOLEAN,
     .help = "true: the shape can touch itself, in contacts `among` shapes.",
     .fallback = "false"},
    {0}};

static const double PI = 3.14159265358979323846;
enum { MOST_POINTS = 100000, CURVED = 4 };
enum { MOST_ELEMENTS = 10000 }; /* pairs of their segments have numbers: contact/features.c */

typedef struct line {
    int first, elements, per_element;
    double radius;
} line;

/* A point of an element, at xi from -1 to 1. */
static ts_woven point_of(const line *l, int element, double xi) {
    ts_woven w = {.nodes = l->per_element};
    double slope[TS_LINE_NODES];
    ts_line_shape(l->per_element, xi, w.weight, slope);
    for (int k = 0; k < l->per_element; k++)
        w.node[k] = l->first + element * (l->per_element - 1) + k;
    return w;
}

static v3 drawn_at(const ts_model *model, const ts_woven *w) {
    v3 at = {0, 0, 0};
    for (int k = 0; k < w->nodes; k++) at = v3_axpy(w->weight[k], model->nodes[w->node[k]].x, at);
    return at;
}

/* Length of one of the pieces of an element. */
static double piece_length(const ts_model *model, const line *l, int element, int piece,
                           int pieces) {
    ts_woven a = point_of(l, element, 2.0 * piece / pieces - 1);
    ts_woven b = point_of(l, element, 2.0 * (piece + 1) / pieces - 1);
    return v3_norm(v3_sub(drawn_at(model, &b), drawn_at(model, &a)));
}

static double element_length(const ts_model *model, const line *l, int element) {
    double sum = 0;
    for (int k = 0; k < CURVED; k++) sum += piece_length(model, l, element, k, CURVED);
    return sum;
}

/* Drops nodes of weight zero, which would be unknowns of the pairs of the point. */
static ts_woven without_zeros(const ts_woven *w) {
    ts_woven out = {.at = w->at};
    for (int k = 0; k < w->nodes; k++)
        if (w->weight[k] != 0)
            out.node[out.nodes] = w->node[k], out.weight[out.nodes++] = w->weight[k];
    return out;
}

/* Pieces of an element, no longer than the radius: nodes are between pieces. */
static int pieces_of(const ts_model *model, const line *l, int element) {
    int spans = l->per_element - 1;
    int each = (int)ceil(element_length(model, l, element) / (spans * l->radius));
    return spans * (each > 1 ? each : 1);
}

/* Adds points at both ends, and wherever pieces meet: each point represents half of the pieces
 * beside it. */
static void add_points(ts_model *model, const line *l) {
    double arc = 0, before = 0;
    for (int e = 0; e < l->elements; e++) {
        int pieces = pieces_of(model, l, e);
        for (int k = 0; k < pieces; k++) {
            ts_woven w = point_of(l, e, 2.0 * k / pieces - 1);
            double length = piece_length(model, l, e, k, pieces);
            w.at = arc;
            ts_model_woven_point(model, without_zeros(&w), 0.5 * (before + length));
            before = length, arc += length;
        }
    }
    ts_woven end = point_of(l, l->elements - 1, 1);
    end.at = arc;
    ts_model_woven_point(model, without_zeros(&end), 0.5 * before);
}

static void add_chain(ts_model *model, const line *l) {
    int pieces = l->per_element == 2 ? 1 : CURVED, point = 0;
    double arc = 0;
    for (int e = 0; e < l->elements; e++)
        for (int k = e == 0 ? 0 : 1; k <= pieces; k++, point++) {
            ts_woven w = point_of(l, e, 2.0 * k / pieces - 1);
            if (k > 0) arc += piece_length(model, l, e, k - 1, pieces);
            w.at = arc;
            ts_model_woven_point(model, w, l->radius);
            if (point) ts_model_shape_face(model, (int[]){point - 1, point, point});
        }
}

static int check(ts_builder *b, const ts_value *value, line *l) {
    double length = 0;
    l->radius = value[RADIUS].number[0];
    if (value[BEAM].given == value[CABLE].given)
        return ts_build_fail(b, -1, NULL, "give a `beam` or a `cable`");
    if (!(l->radius > 0)) return ts_build_fail(b, RADIUS, NULL, "a radius must be above zero");
    int field = value[BEAM].given ? BEAM : CABLE, of = value[field].part[0];
    const ts_part *part = &b->model->parts[of];
    l->first = part->node, l->per_element = b->model->sites[part->site].nodes;
    if (ts_line_flows(b->model, of)) l->per_element--; /* its length is the last node */
    l->elements = (part->nodes - 1) / (l->per_element - 1);
    for (int e = 0; e < l->elements; e++) length += element_length(b->model, l, e);
    if (l->elements > MOST_ELEMENTS)
        return ts_build_fail(b, field, "divide it into several lines",
                             "a line for contact has at most %d elements", MOST_ELEMENTS);
    if (length / l->radius < MOST_POINTS) return 0;
    return ts_build_fail(b, RADIUS, "take a larger radius",
                         "the line is %.3g radii long: too many points would touch",
                         length / l->radius);
}

static int build(ts_builder *b, ts_value *value) {
    line l;
    if (check(b, value, &l)) return TORSOR_EINVAL;
    bool self = value[SELF].given && value[SELF].number[0] != 0;
    ts_shape shape = {.node = l.first,
                      .flexible = true,
                      .backed = true,
                      .cloud = true,
                      .radius = l.radius,
                      .apart = self ? PI * l.radius : 0};
    ts_new_part(b, &TS_KIND_LINE)->data = b->model->shapes_count;
    ts_model_shape(b->model, shape);
    add_points(b->model, &l);
    shape.cloud = false, shape.line = true;
    ts_model_shape(b->model, shape);
    add_chain(b->model, &l);
    return 0;
}

const ts_kind TS_KIND_LINE = {
    .name = "line",
    .section = "shapes",
    .help = "The surface of a circle swept along a beam or cable. Contact forces act at the line "
            "itself, so friction does not twist a beam.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: line, beam: R, radius: 0.01}"};
