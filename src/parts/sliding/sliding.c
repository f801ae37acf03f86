/* SPDX-License-Identifier: Apache-2.0 */
/* Sliding joint: a point of a body stays on a beam, a cable or a curve of a rigid body, and goes
 * along it; with `orientation: follows` the body turns with it.
 *
 * The position s along the path is an unknown of its own: the x of a point without mass, whose y
 * and z are kept at zero. It is a coordinate of the joint, on which springs, stops, motors,
 * motions, friction and events can act. Rows tie it to the body and the path (line.c, curve.c).
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "laws/state/state_law.h"
#include "parts/sliding/sliding.h"

enum { ON, BODY, AT, ORIENTATION, PATH, CLOSED };

static const char *const ORIENTATIONS[] = {"free", "follows", NULL};
enum { FREE, FOLLOWS };

static const ts_field FIELDS[] = {
    {.name = "on",
     .type = TS_TEXT,
     .required = true,
     .help = "The part to slide on: a beam or a cable; or, with `path`, a body or the ground."},
    {.name = "body",
     .type = TS_BODY,
     .required = true,
     .help = "The body that slides; `ground`: a fixed eye through which the beam or cable slides."},
    {.name = "at",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Place as drawn (global): this point of the body stays on the path."},
    {.name = "orientation",
     .type = TS_CHOICE,
     .choices = ORIENTATIONS,
     .help = "`follows`: the body turns with the section of the beam, or with the curve.",
     .fallback = "free"},
    {.name = "path",
     .type = TS_PLACES,
     .dim = TS_DIM_LENGTH,
     .help = "Points of a curve of a body or the ground, as drawn (global): a smooth spline goes "
             "through them.",
     .fallback = "the line of the beam or cable"},
    {.name = "closed",
     .type = TS_BOOLEAN,
     .help = "true: the path is closed, from its last point to its first.",
     .fallback = "false"},
    {0}};

const ts_square TS_FOLLOWS[3] = {{1, 2}, {0, 2}, {1, 0}};

void ts_path_row(ts_model *model, ts_pull pull, int axis) {
    static const char *const AXIS[] = {"across, x", "across, y", "along"};
    char label[40];
    snprintf(label, sizeof label, "%s %s",
             pull == TS_PULL_MOMENT ? "turn about the path's" : "place on the path,",
             pull == TS_PULL_MOMENT ? (const char *const[]){"x", "y", "z"}[axis] : AXIS[axis]);
    ts_model_row(model, -1, false, label);
    ts_model_pull(model, pull, axis);
}

/* ---- the unknown ---- */

int ts_path_node(ts_model *model, double value) {
    int node = ts_model_node(model, TS_NODE_POINT, v3_make(value, 0, 0), m3_identity());
    model->nodes[node].inner = model->nodes[node].slides = true;
    return node;
}

void ts_path_hold(ts_model *model, int node) {
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    for (int k = 1; k < 3; k++)
        ts_form_component(model, v3_axis(k), ts_combo_point(0, v3_make(0, 0, 0)), 0);
    ts_model_law(model, &TS_STATE_HOLD);
}

void ts_path_coordinate(ts_model *model, int node, const char *name) {
    ts_path_hold(model, node);
    ts_model_coordinate(model, name, false, 1, &node);
    ts_form_component(model, v3_axis(0), ts_combo_point(0, v3_make(0, 0, 0)), 0);
}

static void add_node(ts_model *model, const ts_foot *foot, v3 velocity, ts_slider *slider) {
    v3 along = foot->slope, v = v3_sub(velocity, foot->velocity);
    slider->node = ts_path_node(model, foot->s);
    model->nodes[slider->node].velocity = v3_make(v3_dot(v, along) / v3_dot(along, along), 0, 0);
}

/* ---- building ---- */

static int check_place(ts_builder *b, const ts_value *value, const ts_slider *slider, bool line) {
    const ts_model *model = b->model;
    const ts_part *on = &model->parts[slider->on];
    bool cable = line && model->nodes[on->node].slots == 1;
    int first = line ? on->node : 0, last = line ? on->node + on->nodes : 0;
    if (slider->follows && !slider->turns)
        return ts_build_fail(b, ORIENTATION, NULL, "a point mass has no orientation");
    if (slider->follows && cable)
        return ts_build_fail(b, ORIENTATION, "leave it out: the body turns freely",
                             "a cable has no orientation to follow");
    if (slider->body >= first && slider->body < last)
        return ts_build_fail(b, BODY, NULL, "%.60s cannot slide on itself", on->name);
    if (model->nodes[slider->body].fixed && !line)
        return ts_build_fail(b, BODY, "name the body that slides", "what slides must move");
    if (!slider->turns &&
        v3_norm(ts_body_point(model, slider->body, v3_load(value[AT].number))) > 0)
        return ts_build_fail(b, AT, "put it where the point mass is",
                             "a point mass has no other points");
    return 0;
}

static int find_on(ts_builder *b, const ts_value *value, ts_slider *slider, bool *line) {
    const ts_model *model = b->model;
    slider->on = ts_model_part_named(model, value[ON].text, strlen(value[ON].text));
    if (slider->on < 0)
        return ts_build_fail(b, ON, NULL, "there is no part named '%.60s'", value[ON].text);
    *line = ts_is_line(model, slider->on);
    const ts_part *on = &model->parts[slider->on];
    bool body = slider->on == 0 || (on->node >= 0 && on->nodes <= 1 && on->mesh == 0 &&
                                    model->nodes[on->node].slots == 4);
    if (*line && ts_line_flows(model, slider->on))
        return ts_build_fail(b, ON, "take a cable without `stored`",
                             "nothing can slide on %.60s, which is stored on a winch", on->name);
    if (*line && value[PATH].given)
        return ts_build_fail(b, PATH, "leave it out", "%.60s is the path itself", on->name);
    if (!*line && !body)
        return ts_build_fail(b, ON, "name a beam, a cable, a rigid body or the ground",
                             "nothing can slide on %.60s", on->name);
    if (!*line && !value[PATH].given)
        return ts_build_fail(b, ON, "for example `path: [[0, 0, 0], [1, 0, 0]]`",
                             "a rigid body needs a `path`");
    if (*line && value[CLOSED].given)
        return ts_build_fail(b, CLOSED, "leave it out", "only a `path` of points can be closed");
    return 0;
}

static void attach(ts_builder *b, v3 at, const ts_foot *foot, ts_slider *slider, int other) {
    ts_model *model = b->model;
    const ts_node *body = &model->nodes[slider->body];
    v3 velocity = v3_add(body->velocity, v3_cross(body->omega, v3_sub(at, body->x)));
    slider->point = ts_body_point(model, slider->body, at);
    slider->frame = ts_body_frame(model, slider->body, foot->axes);
    ts_part *part = ts_new_part(b, &TS_KIND_SLIDING);
    part->nodeA = other, part->nodeB = slider->body;
    part->pointA = ts_body_point(model, other, foot->place), part->pointB = slider->point;
    part->frameA = ts_body_frame(model, other, foot->axes), part->frameB = slider->frame;
    add_node(model, foot, velocity, slider);
}

/* Drawn places need not be exact; but a place that is far away is probably on another path. */
static const double FAR = 0.05; /* of the length of the path */

static int check_foot(ts_builder *b, v3 at, const ts_foot *foot) {
    const ts_slide *slide = &b->model->slides[b->model->slides_count - 1];
    double length = slide->high - slide->low, away = v3_norm(v3_sub(at, foot->place));
    const char *name = b->model->parts[slide->on].name;
    if (away > FAR * length)
        return ts_build_fail(b, AT, "give a place on the path as drawn",
                             "it is %.4g m away from the path of '%.60s'", away, name);
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    ts_slider slider = {.body = value[BODY].node[0]};
    ts_curve curve = {0};
    ts_foot foot;
    bool line = false;
    v3 at = v3_load(value[AT].number);
    slider.follows = value[ORIENTATION].given && (int)value[ORIENTATION].number[0] == FOLLOWS;
    slider.turns = b->model->nodes[slider.body].slots == 4;
    if (find_on(b, value, &slider, &line) || check_place(b, value, &slider, line))
        return TORSOR_EINVAL;
    if (line) {
        ts_line_foot(b->model, slider.on, at, &foot);
        attach(b, at, &foot, &slider, slider.body);
        ts_line_rows(b->model, &slider, foot.s);
    } else {
        curve.body = slider.on ? b->model->parts[slider.on].node : 0;
        curve.closed = value[CLOSED].given && value[CLOSED].number[0] != 0;
        int code = ts_curve_new(b, &curve, PATH, &value[PATH]);
        if (!code && curve.body == slider.body)
            code = ts_build_fail(b, BODY, NULL, "a body cannot slide on itself");
        if (!code) ts_curve_foot(b->model, &curve, at, &foot);
        if (!code) attach(b, at, &foot, &slider, curve.body);
        if (!code) ts_curve_rows(b->model, &curve, &slider);
        if (!code) ts_curve_strands(b->model, &curve);
        ts_curve_clear(&curve);
        if (code) return TORSOR_EINVAL;
    }
    if (check_foot(b, at, &foot)) return TORSOR_EINVAL;
    ts_model_strand(b->model, slider.body, slider.point, slider.body, slider.point);
    ts_path_coordinate(b->model, slider.node, "s");
    return 0;
}

const ts_kind TS_KIND_SLIDING = {
    .name = "sliding",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "A point of a body slides along a beam, a cable, or a smooth curve through points of a "
            "body or the ground. Coordinate: s, the distance along the path.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: sliding, on: A, body: B, at: [0.3, 0.1, -0.2], orientation: follows, "
              "path: [[0.3, 0.1, -0.2], [2.3, 0.5, 0.3], [4.3, 0.1, -0.2]]}"};
