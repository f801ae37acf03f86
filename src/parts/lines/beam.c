/* SPDX-License-Identifier: Apache-2.0 */
/* Geometrically exact beam, S1 section 3.3, S3 section 4; docs/theory.md.
 *
 * Nodes are frames, 2, 3 or 4 per element at Gauss-Lobatto points. Between neighbouring nodes there
 * is a helix; its strains are functions of seven forms of both frames (laws/helix.h), and those of
 * the element follow from its helices (laws/chain.h): strains at (nodes - 1) Gauss points, less
 * their values as drawn, exactly objective, independent of the path, free of locking, and only the
 * drawn state is free of stress. (Interpolated directors become shorter when the nodes rotate
 * relative to each other; such an element stretches without stress, and folds beyond 90 degrees.)
 * The section's mass is lumped at the nodes with Lobatto weights. d1 runs along the line as drawn;
 * the line is straight or an arc of a circle, the section may be twisted about it and vary linearly
 * to a second section at the end.
 */
#include <math.h>

#include "base/error.h"
#include "laws/beam/beam_law.h"
#include "laws/linear_law.h"
#include "math/rotation.h"
#include "math/shape.h"
#include "model/refine.h"
#include "parts/parts.h"

enum {
    FROM,
    TO,
    THROUGH,
    SECTION,
    SECTION_END,
    AXIS2,
    TWIST,
    ELEMENTS,
    ORDER,
    DAMPING,
    VELOCITY,
    SPIN
};

static const char *const SECTIONS[] = {"sections", NULL};

static const ts_field FIELDS[] = {
    {"from", TS_PLACE, {0}, true, "Start of the reference line", NULL, NULL},
    {"to", TS_PLACE, {0}, true, "End of the line.", NULL, NULL},
    {"through",
     TS_PLACE,
     {0},
     false,
     "A point in between, which makes the line an arc of a circle",
     NULL,
     "straight"},
    {"section", TS_PART, {0}, true, "The section, one of `sections`", SECTIONS, NULL},
    {"section_end",
     TS_PART,
     {0},
     false,
     "The section at the end. Between two sections of one shape (two rectangles) the sizes vary "
     "linearly, between others all stiffnesses and masses do",
     SECTIONS,
     "as `section`"},
    {"axis2",
     TS_AXIS,
     {0},
     false,
     "Section axis 2 at the start of the line (its component normal to the line)",
     NULL,
     "horizontal, or x for a vertical line"},
    {"twist", TS_NUMBER, TS_DIM_ANGLE, false,
     "Rotation of the section about the line from start to end", NULL, "0"},
    {"elements", TS_INTEGER, {0}, false, "Number of elements", NULL, "4; 8 of order 1"},
    {"order",
     TS_INTEGER,
     {0},
     false,
     "Order, 1, 2 or 3: elements of 2, 3 or 4 nodes, whose errors fall with h^2, h^4, h^6",
     NULL,
     "3"},
    {"damping",
     TS_NUMBER,
     {0, 0, 1, 0},
     false,
     "Proportional damping: this time multiplies the stiffness",
     NULL,
     "0"},
    {"velocity", TS_VECTOR, TS_DIM_VELOCITY, false,
     "Initial velocity of the start of the line, global axes", NULL, "0"},
    {"angular_velocity", TS_VECTOR, TS_DIM_ANGULAR_VELOCITY, false,
     "Initial angular velocity of the whole beam as a rigid body, global axes", NULL, "0"},
    {0}};

/* ---- the reference line ---- */

typedef struct line {
    v3 from, chord; /* straight */
    bool arc;
    v3 centre, normal, spoke; /* spoke: from the centre to the beginning */
    double angle, twist;
    v3 axis2;
} line;

/* Circle through three points; the arc runs from the first to the last by way of the middle one. */
static bool set_arc(line *l, v3 through) {
    v3 a = v3_sub(through, l->from), b = l->chord, n = v3_cross(a, b);
    double nn = v3_dot(n, n);
    if (nn <= 1e-20 * v3_dot(a, a) * v3_dot(b, b)) return false;
    v3 towards = v3_sub(v3_scale(v3_dot(a, a), b), v3_scale(v3_dot(b, b), a));
    v3 to_centre = v3_scale(0.5 / nn, v3_cross(towards, n)); /* circumcentre from the first point */
    l->centre = v3_add(l->from, to_centre);
    l->spoke = v3_scale(-1, to_centre);
    l->normal = v3_normalize(n);
    v3 last = v3_sub(v3_add(l->from, b), l->centre);
    l->angle = atan2(v3_dot(l->normal, v3_cross(l->spoke, last)), v3_dot(l->spoke, last));
    if (l->angle <= 0) l->angle += 2 * 3.14159265358979323846;
    l->arc = true;
    return true;
}

static v3 place_at(const line *l, double s) {
    if (!l->arc) return v3_axpy(s, l->chord, l->from);
    return v3_add(l->centre, m3_apply(so3_exp(v3_scale(s * l->angle, l->normal)), l->spoke));
}

static v3 tangent_at(const line *l, double s) {
    if (!l->arc) return v3_normalize(l->chord);
    v3 spoke = v3_sub(place_at(l, s), l->centre);
    return v3_normalize(v3_cross(l->normal, spoke));
}

static double length_of(const line *l) {
    return l->arc ? l->angle * v3_norm(l->spoke) : v3_norm(l->chord);
}

/* Axis 2 is carried along the arc with the line, then twisted about it. */
static m3 frame_at(const line *l, double s) {
    v3 d1 = tangent_at(l, 0), d2 = v3_normalize(v3_axpy(-v3_dot(l->axis2, d1), d1, l->axis2));
    m3 D = m3_cols(d1, d2, v3_cross(d1, d2));
    D = m3_mul(so3_exp(v3_scale(l->twist * s, d1)), D);
    return l->arc ? m3_mul(so3_exp(v3_scale(s * l->angle, l->normal)), D) : D;
}

/* Horizontal, z being up; x for a vertical line. */
static v3 default_axis2(v3 tangent) {
    v3 side = v3_cross(v3_axis(2), tangent);
    return v3_norm(side) > 1e-6 ? v3_normalize(side) : v3_axis(0);
}

/* ---- elements ---- */

typedef struct beam {
    ts_model *model;
    line line;
    int elements, per_element; /* nodes per element */
    ts_divided divided;        /* elements as drawn, or refined */
    int first;                 /* node */
    int section, section_end;  /* parts */
    double damping;
} beam;

static void section_at(const beam *b, double s, double numbers[TS_SECTION_NUMBERS]) {
    ts_section_between(b->model, b->section, b->section_end, s, numbers);
}

static double station(const beam *b, int element, double xi) {
    return ts_divided_station(&b->divided, element, xi);
}

static double element_length(const beam *b, int element) {
    return ts_divided_length(&b->divided, element, length_of(&b->line));
}

/* ---- forms of the helix between two neighbouring nodes, see laws/helix.h ---- */

static ts_combo mean(int side, int slot) {
    return (ts_combo){2, {(int16_t)(4 * side + slot), (int16_t)(4 * side + 4 + slot)}, {0.5, 0.5}};
}

static ts_combo difference(int side, int slot) {
    return (ts_combo){2, {(int16_t)(4 * side + slot), (int16_t)(4 * side + 4 + slot)}, {-1, 1}};
}

static void add_link(ts_model *model, int side) {
    for (int k = 1; k <= 3; k++) ts_form_dot(model, 1, mean(side, k), difference(side, 0), 0);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3 + 1, j = (k + 2) % 3 + 1;
        ts_form_dot(model, 0.5, mean(side, j), difference(side, i), 0);
        ts_form_plus_dot(model, -0.5, mean(side, i), difference(side, j));
    }
    ts_form_dot(model, 0.25, difference(side, 1), difference(side, 1), 0);
    for (int k = 2; k <= 3; k++)
        ts_form_plus_dot(model, 0.25, difference(side, k), difference(side, k));
}

/* The forms of the newest site as drawn. */
static void drawn_forms(const ts_model *model, int nodes, const int *node, double *e) {
    double z[TS_KERNEL_SIZE];
    for (int l = 0; l < nodes - 1; l++) {
        const ts_node *a = &model->nodes[node[l]], *b = &model->nodes[node[l + 1]];
        double *at = z + TS_LINK_SIZE * l;
        v3_store(at, v3_scale(0.5, v3_add(a->x, b->x)));
        m3_store(at + 3, m3_scale(0.5, m3_add(a->D, b->D)));
        v3_store(at + 12, v3_sub(b->x, a->x));
        m3_store(at + 15, m3_sub(b->D, a->D));
    }
    TS_BEAM_KERNEL.values(nodes - 1, z, e);
}

/* ---- sites ---- */

static double point_weight(const beam *b, int element, int gauss) {
    return 0.5 * ts_gauss_weight(b->per_element - 1)[gauss] * element_length(b, element);
}

/* Sets the numbers of the law, and the constants of the forms. */
static void add_numbers(const beam *b, int element, const int *node) {
    const ts_site *site = &b->model->sites[b->model->sites_count - 1];
    int points = b->per_element - 1;
    double e[TS_KERNEL_FORMS], data[TS_BEAM_NUMBERS];
    drawn_forms(b->model, b->per_element, node, e);
    ts_beam_draw(points, element_length(b, element), b->damping, e, data);
    for (int k = 0; k < site->forms; k++) b->model->forms[site->form + k].c = -e[k];
    for (int g = 0; g < points; g++) {
        double s = station(b, element, ts_gauss_point(points)[g]),
               *K = data + ts_beam_stiffness_at(points, g), numbers[TS_SECTION_NUMBERS];
        section_at(b, s, numbers);
        for (int k = 0; k < 36; k++)
            K[k] = point_weight(b, element, g) * numbers[TS_SECTION_STIFFNESS + k];
    }
    for (int k = 0; k < ts_beam_numbers(points); k++) ts_model_number(b->model, data[k]);
}

static void add_station(const beam *b, int element, int gauss) {
    double xi = ts_gauss_point(b->per_element - 1)[gauss];
    ts_station x = {.kind = TS_STATION_LINE,
                    .point = gauss,
                    .weight = point_weight(b, element, gauss),
                    .arc = station(b, element, xi) * length_of(&b->line)};
    ts_model_station(b->model, x);
}

/* One site with all forms and the law, and a station for each Gauss point. */
static void add_element(const beam *b, int element) {
    int n = b->per_element, node[TS_LINE_NODES];
    for (int a = 0; a < n; a++) node[a] = b->first + element * (n - 1) + a;
    ts_model_site(b->model, TS_ROLE_LAW, n, node);
    for (int l = 0; l < n - 1; l++) add_link(b->model, l);
    ts_model_kernel(b->model, &TS_BEAM_KERNEL);
    add_numbers(b, element, node);
    ts_model_law(b->model, &TS_BEAM_LAW);
    for (int g = 0; g < n - 1; g++) add_station(b, element, g);
}

/* Lumps mass, and stores the length that each node represents, for distributed loads. */
static void lump_mass(const beam *b, int element, int lengths) {
    int n = b->per_element, first = b->first + element * (n - 1);
    for (int a = 0; a < n; a++) {
        double s = station(b, element, ts_lobatto_point(n)[a]);
        double weight = 0.5 * ts_lobatto_weight(n)[a] * element_length(b, element);
        b->model->numbers[lengths + element * (n - 1) + a] += weight;
        double numbers[TS_SECTION_NUMBERS];
        section_at(b, s, numbers);
        ts_model_mass(b->model, first + a, weight * numbers[TS_SECTION_MASS],
                      v3_load(numbers + TS_SECTION_CENTRE),
                      m3_scale(weight, m3_load(numbers + TS_SECTION_INERTIA)));
    }
}

static void add_nodes(beam *b, const ts_value *value) {
    int n = b->per_element, count = b->elements * (n - 1) + 1;
    v3 v = v3_load(value[VELOCITY].number), omega = v3_load(value[SPIN].number);
    for (int i = 0; i < count; i++) {
        int element = i / (n - 1) < b->elements ? i / (n - 1) : b->elements - 1;
        double s = station(b, element, ts_lobatto_point(n)[i - element * (n - 1)]);
        int node =
            ts_model_node(b->model, TS_NODE_FRAME, place_at(&b->line, s), frame_at(&b->line, s));
        if (i == 0) b->first = node;
        ts_node *made = &b->model->nodes[node];
        made->omega = omega;
        made->velocity = v3_add(v, v3_cross(omega, v3_sub(made->x, b->line.from)));
    }
}

/* ---- building ---- */

static int set_line(ts_builder *b, const ts_value *value, line *l) {
    l->from = v3_load(value[FROM].number);
    l->chord = v3_sub(v3_load(value[TO].number), l->from);
    l->twist = value[TWIST].given ? value[TWIST].number[0] : 0;
    if (v3_norm(l->chord) == 0)
        return ts_build_fail(b, TO, NULL, "the beam has no length: it ends where it begins");
    if (value[THROUGH].given && !set_arc(l, v3_load(value[THROUGH].number)))
        return ts_build_fail(b, THROUGH, "remove it for a straight beam",
                             "the three points lie on one line: they define no arc");
    v3 t = tangent_at(l, 0);
    l->axis2 = value[AXIS2].given ? v3_load(value[AXIS2].number)
                                  : ts_turned(b, default_axis2(ts_turned_back(b, t)));
    if (v3_norm(v3_cross(l->axis2, t)) < 1e-9)
        return ts_build_fail(b, AXIS2, "give a direction across the beam",
                             "axis 2 runs along the beam");
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    beam x = {.model = b->model};
    double order = value[ORDER].given ? value[ORDER].number[0] : 3;
    double elements = value[ELEMENTS].given ? value[ELEMENTS].number[0] : fmax(4, ceil(8 / order));
    if (set_line(b, value, &x.line)) return TORSOR_EINVAL;
    if (elements < 1 || elements > TS_MOST_LINE_ELEMENTS)
        return ts_build_fail(b, ELEMENTS, NULL, TS_ELEMENTS_RANGE);
    if (order < 1 || order > 3) return ts_build_fail(b, ORDER, NULL, "the order must be 1, 2 or 3");
    x.damping = value[DAMPING].given ? value[DAMPING].number[0] : 0;
    if (x.damping < 0) return ts_build_fail(b, DAMPING, NULL, "damping must not be negative");
    x.divided = ts_divide_line(b->model, (int)elements, (int)order);
    x.elements = x.divided.elements, x.per_element = (int)order + 1;
    x.section = value[SECTION].part[0];
    x.section_end = value[SECTION_END].given ? value[SECTION_END].part[0] : x.section;
    ts_new_part(b, &TS_KIND_BEAM);
    add_nodes(&x, value);
    ts_part *part = &b->model->parts[b->model->parts_count - 1];
    part->node = x.first;
    part->nodes = x.elements * (x.per_element - 1) + 1, part->stride = x.divided.stride;
    int lengths = part->data = b->model->numbers_count;
    for (int i = 0; i < part->nodes; i++) ts_model_number(b->model, 0);
    for (int e = 0; e < x.elements; e++) {
        lump_mass(&x, e, lengths);
        add_element(&x, e);
    }
    return 0;
}

const ts_kind TS_KIND_BEAM = {
    .name = "beam",
    .section = "beams",
    .look = TS_LOOK_LINES,
    .help = "A geometrically exact beam along a straight line or an arc, meshed by `elements` and "
            "`order`. Joints and loads attach to its nodes: `name.start`, `name.end`, `name.3`.",
    .fields = FIELDS,
    .build = build,
    .sample = "{from: [0, 0, 0], to: [1, 0.2, 0.1], section: S, elements: 2, order: 2, twist: 0.3}",
    .default_in_section = true,
};
