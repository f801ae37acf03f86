/* SPDX-License-Identifier: Apache-2.0 */
/* Rope: a massless rope from body to body, over any number of points: pulleys without size,
 * deviators, hooks that run on it. The tension is the same all along. A rope over wheels with a
 * radius, or with friction, is built strand by strand (reeving.c).
 *
 * Its own length p is an unknown, like s of a sliding joint (sliding.c), and the coordinate
 * `length` of the rope. A rope that does not stretch has a row, sum l_k = p; with EA it has an
 * energy (laws/rope_law.c). A row holds p constant; on a winch p is free, and a motion, a gear to a
 * drum, a motor or a spring on the coordinate determines it.
 */
#include <math.h>

#include "base/error.h"
#include "laws/rope_law.h"
#include "parts/sliding/sliding.h"

enum {
    BODIES,
    AT,
    LENGTH,
    STIFFNESS,
    WINCH,
    RADIUS,
    AXIS,
    SENSE,
    TURNS,
    FRICTION,
    BEARING,
    PIN,
    STICK,
    VISCOUS
};

static const ts_field FIELDS[] = {
    {.name = "bodies",
     .type = TS_BODIES,
     .required = true,
     .help = "The bodies along the rope, from end to end, one for each place; a body may occur "
             "several times."},
    {.name = "at",
     .type = TS_PLACES,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Places as drawn (global): the start of the rope, the points that it runs over, and "
             "its end. Each is a point of its body."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Unstretched length.",
     .fallback = "the length of its path as drawn"},
    {.name = "EA",
     .type = TS_NUMBER,
     .dim = TS_DIM_FORCE,
     .help = "Axial stiffness, tension per strain; the rope may then be slack. Without EA the rope "
             "is straight, does not stretch, and can also push.",
     .fallback = "it does not stretch"},
    {.name = "winch",
     .type = TS_BOOLEAN,
     .help =
         "true: the length is a coordinate, `length`, for a motion, a motor or a gear to a drum.",
     .fallback = "false: the length is constant"},
    {.name = "radius",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the wheel at each place, which is its centre; 0: a point. At an end the "
             "wheel is a drum, which winds up the rope.",
     .fallback = "points"},
    {.name = "axis",
     .type = TS_AXIS,
     .help = "Axis of all wheels, as drawn (global), fixed in the body of each wheel."},
    {.name = "sense",
     .type = TS_NUMBERS,
     .help = "Sense in which the rope, from its first place to its last, goes around each wheel: 1 "
             "right-handed about the axis, -1 left-handed, 0 the default.",
     .fallback = "as the line through the places turns; 1 at the ends"},
    {.name = "turns",
     .type = TS_NUMBERS,
     .help = "Whole turns around each wheel, in addition to the arc as drawn.",
     .fallback = "0"},
    {.name = "friction",
     .type = TS_NUMBERS,
     .help = "Coefficient of friction at each place: tensions on both sides differ up to "
             "e^(coefficient*angle). 0 at the ends.",
     .fallback = "0: the tension is the same on both sides"},
    {.name = "bearing_friction",
     .type = TS_NUMBERS,
     .help = "Coefficient of friction of the bearing between each wheel and its body, for wheels "
             "that are not bodies of the model: tensions differ until the wheel turns.",
     .fallback = "0: wheels turn freely, or `friction` applies"},
    {.name = "bearing_radius",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the pin of each of these bearings."},
    {.name = "stiffness",
     .type = TS_NUMBER,
     .dim = TS_DIM_STIFFNESS,
     .help = "Tangential stiffness of the rope where it sticks to pulleys with friction.",
     .fallback = "the model's weight over 1e-5 of its path"},
    {.name = "viscous",
     .type = TS_NUMBER,
     .dim = TS_DIM_DAMPING,
     .help = "Additional viscous friction at each of these pulleys: force per velocity.",
     .fallback = "1e-10 s times `stiffness`, which holds a slack rope"},
    {0}};

typedef struct rope {
    int points, node[TS_MAX_NODES], nodes; /* the nodes of its site: of its length, then bodies */
    int side[TS_MAX_FORMS];                /* which of them each point is on */
    v3 place[TS_MAX_FORMS];                /* body coordinates */
    double way;
} rope;

/* ---- path ---- */

static int side_of(rope *r, int body) {
    for (int k = 1; k < r->nodes; k++)
        if (r->node[k] == body) return k;
    r->node[r->nodes] = body;
    return r->nodes++;
}

static int room_for(const ts_model *model, const rope *r) {
    int slots = 1;
    for (int k = 1; k < r->nodes; k++) slots += model->nodes[r->node[k]].slots;
    return slots <= TS_MAX_SLOTS;
}

static bool leads_to_body(const ts_model *model, const ts_value *bodies) {
    for (int k = 0; k < bodies->count; k++)
        if (!model->nodes[(int)bodies->list[k]].fixed) return true;
    return false;
}

/* The last body comes first: reactions refer to the second node of a site. */
static int read_points(ts_builder *b, const ts_value *value, rope *r) {
    const ts_model *model = b->model;
    r->points = value[BODIES].count, r->nodes = 1;
    if (value[AT].count != 3 * r->points)
        return ts_build_fail(b, AT, "name the body of each place", "%d places, but %d bodies",
                             value[AT].count / 3, r->points);
    if (r->points < 2 || r->points >= TS_MAX_FORMS)
        return ts_build_fail(b, BODIES, NULL, "a rope has 2 to %d places", TS_MAX_FORMS - 1);
    if (!leads_to_body(model, &value[BODIES]))
        return ts_build_fail(b, BODIES, "name a body that moves",
                             "all places of the rope are on the ground: it moves nothing");
    side_of(r, (int)value[BODIES].list[r->points - 1]);
    for (int k = 0; k < r->points; k++) {
        int body = (int)value[BODIES].list[k];
        r->side[k] = side_of(r, body);
        r->place[k] = ts_body_point(model, body, v3_load(value[AT].list + 3 * k));
        if (model->nodes[body].slots != 4 && v3_norm(r->place[k]) > 0)
            return ts_build_fail(b, AT, "put it where the point is",
                                 "place %d is beside a point, which has no others", k + 1);
    }
    if (!room_for(model, r))
        return ts_build_fail(b, BODIES, "split the rope", "a rope connects at most %d bodies",
                             (TS_MAX_SLOTS - 1) / 4);
    return 0;
}

static int measure(ts_builder *b, const ts_value *value, rope *r) {
    for (int k = 0; k + 1 < r->points; k++) {
        const double *at = value[AT].list + 3 * k;
        double l = v3_norm(v3_sub(v3_load(at + 3), v3_load(at)));
        if (!(l > 0))
            return ts_build_fail(b, AT, NULL, "places %d and %d are the same", k + 1, k + 2);
        r->way += l;
    }
    if (value[LENGTH].given && !(value[LENGTH].number[0] > 0))
        return ts_build_fail(b, LENGTH, NULL, "the length must be above zero");
    if (value[STIFFNESS].given && !(value[STIFFNESS].number[0] > 0))
        return ts_build_fail(b, STIFFNESS, NULL, "EA must be above zero");
    return 0;
}

/* ---- forms: of its length, and the squares of its segments ---- */

static void add_forms(ts_model *model, const rope *r) {
    double N[TS_MAX_FORMS * TS_MAX_SLOTS] = {0};
    int ambient = model->sites[model->sites_count - 1].ambient, segments = r->points - 1;
    ts_combo_weights(model, ts_combo_point(0, v3_make(0, 0, 0)), N);
    for (int k = 0; k < segments; k++)
        ts_combo_weights(model,
                         ts_combo_minus(ts_combo_point(r->side[k + 1], r->place[k + 1]),
                                        ts_combo_point(r->side[k], r->place[k])),
                         N + (k + 1) * ambient);
    ts_model_vectors(model, segments + 1, N);
    ts_form_new(model, 0);
    ts_form_linear(model, 0, v3_axis(0));
    for (int k = 1; k <= segments; k++) {
        ts_form_new(model, 0);
        ts_form_pair(model, k, k, 1);
    }
}

static void add_rope(ts_model *model, const rope *r, const ts_value *value) {
    bool stretches = value[STIFFNESS].given;
    for (int k = 0; k + 1 < r->points; k++)
        ts_model_strand(model, r->node[r->side[k]], r->place[k], r->node[r->side[k + 1]],
                        r->place[k + 1]);
    ts_model_site(model, stretches ? TS_ROLE_LAW : TS_ROLE_ROWS, r->nodes, r->node);
    add_forms(model, r);
    if (stretches) {
        ts_model_number(model, value[STIFFNESS].number[0]);
        ts_model_law(model, &TS_ROPE_LAW);
        return;
    }
    ts_model_rowlaw(model, &TS_ROPE_ROW);
    ts_model_row(model, -1, false, "length of the way");
}

static void keep_length(ts_model *model, int node, double length) {
    ts_model_site(model, TS_ROLE_ROWS, 1, &node);
    ts_form_component(model, v3_axis(0), ts_combo_point(0, v3_make(0, 0, 0)), -length);
    ts_model_row(model, -1, false, "length of the rope");
}

/* A rope that is completely wound up has no length left to stretch. */
static void limit_length(ts_model *model, int node, double length) {
    ts_model_slide(model, (ts_slide){.node = node,
                                     .low = 1e-2 * length,
                                     .high = INFINITY,
                                     .on = model->parts_count - 1});
}

/* ---- wheels and friction ---- */

static int one_for_each(ts_builder *b, const ts_value *value, int field, int points, double *out) {
    if (value[field].given && value[field].count != points)
        return ts_build_fail(b, field, "give one for each place, 0 where there is none",
                             "%d numbers, but %d places", value[field].count, points);
    for (int k = 0; k < points; k++) out[k] = value[field].given ? value[field].list[k] : 0;
    return 0;
}

static bool above_zero(int count, const double *x) {
    for (int k = 0; k < count; k++)
        if (x[k] > 0) return true;
    return false;
}

static int check_wheels(ts_builder *b, const ts_value *value, const ts_reeving *r) {
    const ts_model *model = b->model;
    for (int k = 0; k < r->points; k++) {
        bool end = k == 0 || k + 1 == r->points;
        if (r->radius[k] < 0) return ts_build_fail(b, RADIUS, NULL, "a radius is below zero");
        if (r->friction[k] < 0)
            return ts_build_fail(b, FRICTION, NULL, "a coefficient of friction is below zero");
        if (end && r->friction[k] > 0)
            return ts_build_fail(b, FRICTION, "give 0 there", "a rope does not slip at its ends");
        if (fabs(r->sense[k]) > 1 || r->sense[k] != round(r->sense[k]))
            return ts_build_fail(b, SENSE, NULL, "a sense is 1, -1 or 0");
        if (r->turns[k] < 0 || r->turns[k] != round(r->turns[k]))
            return ts_build_fail(b, TURNS, NULL, "turns are whole, and not below zero");
        if (r->radius[k] > 0 && model->nodes[r->body[k]].slots != 4)
            return ts_build_fail(b, RADIUS, "give the wheel a rigid body",
                                 "place %d is a point, which cannot be a wheel", k + 1);
    }
    if (value[BEARING].given != value[PIN].given)
        return ts_build_fail(b, value[BEARING].given ? BEARING : PIN,
                             "give `bearing_friction` and `bearing_radius`",
                             "a bearing has a coefficient of friction and a radius");
    if (above_zero(r->points, r->radius) && !value[AXIS].given)
        return ts_build_fail(b, RADIUS, "for example `axis: y`", "wheels need an `axis`");
    return 0;
}

/* mu r of the bearing at each place. */
static int read_bearings(ts_builder *b, const ts_value *value, ts_reeving *r) {
    double pin[TS_MAX_FORMS];
    if (one_for_each(b, value, BEARING, r->points, r->bearing) ||
        one_for_each(b, value, PIN, r->points, pin))
        return TORSOR_EINVAL;
    for (int k = 0; k < r->points; k++) {
        bool end = k == 0 || k + 1 == r->points, bears = r->bearing[k] > 0;
        if (r->bearing[k] < 0 || pin[k] < 0)
            return ts_build_fail(b, r->bearing[k] < 0 ? BEARING : PIN, NULL,
                                 "bearing_friction and bearing_radius must not be negative");
        if (bears && end)
            return ts_build_fail(b, BEARING, "give 0 there; a drum is a body on an axle",
                                 "a rope does not run over a wheel at its ends");
        if (bears && !(r->radius[k] > 0))
            return ts_build_fail(b, BEARING, "give its `radius`, or `friction` of a point",
                                 "there is no wheel at place %d", k + 1);
        if (bears && !(pin[k] > 0 && pin[k] < r->radius[k]))
            return ts_build_fail(b, PIN, NULL,
                                 "the pin at place %d is not between zero and the radius of its "
                                 "wheel",
                                 k + 1);
        r->bearing[k] *= pin[k];
    }
    return 0;
}

static int find_stick(ts_builder *b, const ts_value *value, ts_reeving *r, double way) {
    double weight = ts_weight_of_all(b->model);
    r->stick = weight > 0 ? weight / (1e-5 * way) : 1e3 * r->EA / way;
    if (value[STICK].given) r->stick = value[STICK].number[0];
    r->viscous = value[VISCOUS].given ? value[VISCOUS].number[0] : 1e-10 * r->stick;
    if (value[VISCOUS].given && !(r->viscous > 0))
        return ts_build_fail(b, VISCOUS, NULL, "viscous friction must be above zero");
    bool bears = above_zero(r->points, r->bearing);
    if (r->stick > 0 || !(bears || above_zero(r->points, r->friction))) return 0;
    return ts_build_fail(
        b, value[STICK].given ? STICK : (bears ? BEARING : FRICTION),
        "give `stiffness`, for example the friction expected over a slip of 0.1 mm",
        "the stiffness while sticking has no default here, because the model has no weight");
}

/* Reads the fields of wheels and friction; `way` becomes the length around the wheels. */
static int read_reeving(ts_builder *b, const ts_value *value, const rope *from, ts_reeving *r,
                        double *way) {
    r->points = from->points;
    for (int k = 0; k < r->points; k++) {
        r->body[k] = from->node[from->side[k]], r->place[k] = from->place[k];
        r->at[k] = v3_load(value[AT].list + 3 * k);
    }
    if (one_for_each(b, value, RADIUS, r->points, r->radius) ||
        one_for_each(b, value, SENSE, r->points, r->sense) ||
        one_for_each(b, value, TURNS, r->points, r->turns) ||
        one_for_each(b, value, FRICTION, r->points, r->friction) || check_wheels(b, value, r) ||
        read_bearings(b, value, r))
        return TORSOR_EINVAL;
    r->axis = value[AXIS].given ? v3_load(value[AXIS].number) : v3_axis(2);
    r->EA = value[STIFFNESS].given ? value[STIFFNESS].number[0] : 0;
    ts_reeving_sense(r);
    int k = ts_reeving_close(r);
    if (k >= 0)
        return ts_build_fail(
            b, RADIUS, "increase the distance of the centres across the axis, or use smaller radii",
            "places %d and %d are too close for their wheels", k + 1, k + 2);
    k = ts_reeving_wrap(r);
    if (k >= 0)
        return ts_build_fail(b, SENSE, "change its `sense`, or leave the place out",
                             "the rope does not touch the wheel at place %d", k + 1);
    *way = ts_reeving_way(r);
    return find_stick(b, value, r, *way);
}

static int build(ts_builder *b, ts_value *value) {
    ts_model *model = b->model;
    rope r = {0};
    ts_reeving reeving = {0};
    bool reeved = value[RADIUS].given || value[FRICTION].given || value[BEARING].given;
    if (read_points(b, value, &r) || measure(b, value, &r)) return TORSOR_EINVAL;
    if (reeved && read_reeving(b, value, &r, &reeving, &r.way)) return TORSOR_EINVAL;
    double length = value[LENGTH].given ? value[LENGTH].number[0] : r.way;
    bool winch = value[WINCH].given && value[WINCH].number[0] != 0;
    ts_part *part = ts_new_part(b, &TS_KIND_ROPE);
    part->nodeA = r.node[r.side[0]], part->nodeB = r.node[r.side[r.points - 1]];
    part->pointA = r.place[0], part->pointB = r.place[r.points - 1];
    r.node[0] = ts_path_node(model, length);
    reeving.length = length;
    if (reeved)
        ts_reeve(model, &reeving, r.node[0]);
    else
        add_rope(model, &r, value);
    if (!winch) keep_length(model, r.node[0], length);
    if (winch) limit_length(model, r.node[0], length);
    ts_path_coordinate(model, r.node[0], "length");
    return 0;
}

const ts_kind TS_KIND_ROPE = {
    .name = "rope",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A massless rope between bodies, over any number of points (pulleys without size) or "
            "wheels with a radius, and from drums. Without friction its tension is the same "
            "everywhere. Coordinate: length, unstretched.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: rope, bodies: [ground, A, ground, B], at: [[0, 0, 2], [0.3, 0.1, -0.2], [1, "
              "0, 2], [1, 0.5, 0.2]], EA: 200}"};
