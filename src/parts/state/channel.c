/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of the model that forces may depend on, by name: as in the tables of results.
 *
 *     JOINT.COORDINATE              hinge.angle, slider.displacement, plane.x
 *     JOINT.force.x, SPRING.force.x its force on body B, in axes of the ground
 *     JOINT.moment.x                its moment on body B about its point there, in axes of the
 * ground
 *     SPRING.force, MOTOR.torque    along the length or coordinate on which it acts
 *     NODE.position.x, .velocity.x, .displacement.x      arm.position.z, boom.end.velocity.y
 *     BODY.omega.x                  its angular velocity, in axes of the ground
 *     BODY.orientation.d1.x         its axes
 *     NODE.acceleration.x, BODY.alpha.x, JOINT.COORDINATE.acceleration   for conditions of events
 *     SPRING.length                 the distance between its ends
 *     here.position.x               of the point on which a load acts, as of a node
 *     STATE.value                   a plain number
 *     CYLINDER.pressure_a           a pressure
 *     MOTOR.current                 a plain number, in amperes
 *     CONTACT.gap, .force.normal    for conditions of events
 *     EVENT.count, .last            for conditions of events
 *     and the rate of what is no rate itself: hinge.angle.rate, strut.length.rate
 *
 * A name is that of a part, then words. Dimensions follow from the words alone, so that signals can
 * be read before any part is built.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/node_names.h"
#include "parts/parts.h"
#include "parts/sliding/sliding.h"
#include "parts/state/plan.h"

enum { MAX_WORDS = 4, ROOM = 64 };

/* Words behind the name of the part, without a last `rate`, or `acceleration` of a coordinate. */
typedef struct words {
    int count;
    char word[MAX_WORDS][ROOM];
    bool rate, acceleration;
} words;

static bool split(const char *text, words *out) {
    *out = (words){0};
    while (*text) {
        size_t length = strcspn(text, ".");
        if (length == 0 || length >= ROOM || out->count == MAX_WORDS) return false;
        memcpy(out->word[out->count++], text, length);
        text += length + (text[length] == '.');
    }
    const char *last = out->word[out->count > 0 ? out->count - 1 : 0];
    out->rate = out->count > 1 && strcmp(last, "rate") == 0;
    out->acceleration = out->count == 2 && strcmp(last, "acceleration") == 0;
    out->count -= out->rate + out->acceleration;
    return out->count > 0;
}

static int axis_of(const char *word) {
    for (int k = 0; k < 3; k++)
        if (word[0] == "xyz"[k] && word[1] == 0) return k;
    return -1;
}

/* Vectors of nodes, and what their components are. */
typedef struct vector {
    const char *name;
    ts_dim dim;
    ts_measured of;
    bool rate;    /* of the measure */
    bool frames;  /* of nodes that turn only */
    bool changes; /* components have rates in expressions */
    bool drawn;   /* less its value as drawn */
} vector;

static const vector VECTORS[] = {
    {"position", {.length = 1}, TS_OF_POINT, .changes = true},
    {"displacement", {.length = 1}, TS_OF_POINT, .changes = true, .drawn = true},
    {"velocity", {.length = 1, .time = -1}, TS_OF_POINT, .rate = true},
    {"omega", {.time = -1, .angle = 1}, TS_OF_TURN, .rate = true, .frames = true},
    {"acceleration", {.length = 1, .time = -2}, TS_OF_VDOT, .frames = false},
    {"alpha", {.time = -2, .angle = 1}, TS_OF_VDOT, .frames = true},
    {"orientation", {0}, TS_OF_DIRECTOR, .frames = true, .changes = true}};

/* What words say: `[node.]position.x`, `[node.]orientation.d1.x`. */
typedef struct component {
    const vector *of;
    int axis, director; /* from 0; -1: none */
    const char *node;   /* "": the only one */
} component;

static int director_of(const char *word) {
    return word[0] == 'd' && word[1] >= '1' && word[1] <= '3' && word[2] == 0 ? word[1] - '1' : -1;
}

/* The vector at a word, -1: none; words behind it are components. */
static bool component_of(const words *w, component *out) {
    int last = w->count - 1;
    *out = (component){.axis = last > 0 ? axis_of(w->word[last]) : -1, .director = -1};
    if (out->axis < 0) return false;
    out->director = director_of(w->word[last - 1]);
    int name = last - 1 - (out->director >= 0);
    if (name < 0 || name > 1) return false;
    out->node = name == 1 ? w->word[0] : "";
    for (size_t i = 0; i < sizeof VECTORS / sizeof *VECTORS; i++)
        if (strcmp(w->word[name], VECTORS[i].name) == 0) out->of = &VECTORS[i];
    return out->of && (out->of->of == TS_OF_DIRECTOR) == (out->director >= 0);
}

/* The axis of `force.x`, the reaction of a joint, or three more for `moment.x`; -1: something
 * else. */
static int reaction_of(const words *w) {
    int axis = w->count == 2 && !w->rate ? axis_of(w->word[1]) : -1;
    if (axis >= 0 && strcmp(w->word[0], "moment") == 0) return 3 + axis;
    return axis >= 0 && strcmp(w->word[0], "force") == 0 ? axis : -1;
}

/* `force`, `pull` or `torque`, the force of a part along its coordinate. */
static bool effort_of(const words *w, bool *torque) {
    *torque = strcmp(w->word[0], "torque") == 0;
    return w->count == 1 && !w->rate && !w->acceleration &&
           (*torque || strcmp(w->word[0], "force") == 0 || strcmp(w->word[0], "pull") == 0);
}

/* For contacts: 0 the gap, 1 the normal force, 2 friction; -1: something else. */
static int touch_of(const words *w) {
    if (w->rate || w->acceleration || w->count > 2) return -1;
    if (w->count == 1) return strcmp(w->word[0], "gap") == 0 ? 0 : -1;
    if (strcmp(w->word[0], "force") != 0) return -1;
    if (strcmp(w->word[1], "normal") == 0) return 1;
    return strcmp(w->word[1], "friction") == 0 ? 2 : -1;
}

/* For events: 0 the count, 1 the last time; -1: something else. */
static int happening_of(const words *w) {
    if (w->rate || w->acceleration || w->count != 1) return -1;
    return strcmp(w->word[0], "count") == 0 ? 0 : strcmp(w->word[0], "last") == 0 ? 1 : -1;
}

/* The name of a coordinate or length gives its dimension. */
static bool scalar_dimension(const char *word, ts_dim *dim) {
    static const char *const numbers[] = {"value",    "state",    "input",      "error",
                                          "integral", "filtered", "derivative", "current"};
    if (strncmp(word, "pressure", 8) == 0) {
        *dim = (ts_dim)TS_DIM_STRESS;
        return true;
    }
    bool angle = strncmp(word, "angle", 5) == 0, plain = false;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        plain |= strncmp(word, numbers[i], strlen(numbers[i])) == 0;
    bool length = strcmp(word, "length") == 0 || strcmp(word, "displacement") == 0 ||
                  strcmp(word, "s") == 0 || axis_of(word) >= 0;
    *dim = (ts_dim){.length = (signed char)length, .angle = (signed char)angle};
    return angle || plain || length;
}

bool ts_channel_dimension(const char *text, ts_dim *dim) {
    words w;
    component c;
    if (!split(text, &w)) return false;
    if (touch_of(&w) == 0 || happening_of(&w) >= 0) {
        *dim = (ts_dim){.length = touch_of(&w) == 0, .time = happening_of(&w) == 1};
        return true;
    }
    if (reaction_of(&w) >= 0 || touch_of(&w) > 0) {
        *dim = reaction_of(&w) < 3 ? (ts_dim)TS_DIM_FORCE : (ts_dim)TS_DIM_MOMENT;
        return true;
    }
    bool torque;
    if (effort_of(&w, &torque)) {
        *dim = torque ? (ts_dim)TS_DIM_MOMENT : (ts_dim)TS_DIM_FORCE;
        return true;
    }
    if (component_of(&w, &c))
        *dim = c.of->dim;
    else if (w.count != 1 || !scalar_dimension(w.word[0], dim))
        return false;
    if (w.rate && c.of && !c.of->changes) return false;
    dim->time = (signed char)(dim->time - w.rate - 2 * w.acceleration);
    return true;
}

/* Of a point of a node, in its coordinates. */
static bool find_component(const ts_model *model, int node, v3 point, const component *c, bool rate,
                           ts_channel_use *out) {
    if (node < 0 || (c->of->frames && model->nodes[node].kind != TS_NODE_FRAME)) return false;
    const ts_node *of = &model->nodes[node];
    *out = (ts_channel_use){.measure = {.of = c->of->of, .source = node, .axis = c->axis},
                            .taken = rate || c->of->rate ? TS_TAKEN_RATE : TS_TAKEN_MEAN};
    if (c->director >= 0) out->measure.director = c->director;
    if (c->of->of == TS_OF_POINT) out->measure.point = point;
    if (c->of->of == TS_OF_VDOT && c->of->frames) out->measure.axis += 3;
    if (c->of->drawn && !rate)
        out->offset = -v3_get(v3_add(of->x, m3_apply(of->D, point)), c->axis);
    return true;
}

bool ts_part_slides(const ts_model *model, int part) {
    for (int i = 0; i < model->slides_count; i++)
        if (model->slides[i].part == part) return true;
    return false;
}

bool ts_part_slides_on_line(const ts_model *model, int part) {
    for (int i = 0; i < model->slides_count; i++)
        if (model->slides[i].part == part) return ts_is_line(model, model->slides[i].on);
    return false;
}

/* The row of a joint whose multiplier is its force along an axis of the ground; other forces, and
 * moments, are computed by told.h. */
static bool find_reaction(const ts_model *model, int part, int axis, ts_channel_use *out) {
    const ts_part *p = &model->parts[part];
    for (int s = p->site; s < p->site + p->sites; s++)
        for (int r = model->sites[s].row; r < model->sites[s].row + model->sites[s].rows; r++)
            if (model->rows[r].pull == TS_PULL_GLOBAL && model->rows[r].axis == axis) {
                /* the row contains the point of B less that of A: its force on B is minus this */
                *out = (ts_channel_use){.measure = {.of = TS_OF_ROW, .source = r},
                                        .taken = TS_TAKEN_MULTIPLIER,
                                        .offset = -1};
                return true;
            }
    if (axis >= 3 && model->nodes[p->nodeB].kind != TS_NODE_FRAME) return false;
    if (p->sites == 0 || p->node >= 0 || p->mesh || p->support || p->spread ||
        (p->nodeA == p->nodeB && !ts_part_slides(model, part)))
        return false;
    *out = (ts_channel_use){.measure = {.of = TS_OF_FORCE, .source = part, .axis = axis},
                            .taken = TS_TAKEN_TOLD};
    const ts_site *site = &model->sites[p->site];
    return site->nodes > 1 || site->law != NULL;
}

/* Motions hold their coordinate by a row. */
static bool find_effort(const ts_model *model, int part, bool torque, ts_channel_use *out) {
    const ts_part *p = &model->parts[part];
    ts_way_kind way;
    const ts_site *site = p->sites > 0 ? &model->sites[p->site] : NULL;
    *out = (ts_channel_use){.measure = {.of = TS_OF_FORCE, .source = part, .axis = -1},
                            .taken = TS_TAKEN_TOLD};
    if (ts_acts_along(model, part, &way)) return (way == TS_WAY_ANGLE) == torque;
    if (!site || p->along == 0 || site->role != TS_ROLE_ROWS) return false;
    *out = (ts_channel_use){.measure = {.of = TS_OF_ROW, .source = site->row},
                            .taken = TS_TAKEN_MULTIPLIER,
                            .offset = -1};
    return model->coordinates[p->along - 1].angle == torque;
}

static bool find_contact(const ts_model *model, int part, int which, ts_channel_use *out) {
    for (int i = 0; i < model->contacts_count; i++)
        if (model->contacts[i].part == part) {
            *out = (ts_channel_use){.measure = {.of = TS_OF_CONTACT, .source = i, .axis = which}};
            return true;
        }
    return false;
}

static bool find_event(const ts_model *model, int part, int which, ts_channel_use *out) {
    for (int i = 0; i < model->events_count; i++)
        if (model->events[i].part == part) {
            *out = (ts_channel_use){.measure = {.of = TS_OF_EVENT, .source = i, .axis = which}};
            return true;
        }
    return false;
}

/* The ground has no kind. */
bool ts_kind_has_length(const ts_kind *kind) { return kind && kind->has_length; }

/* States have an equation of first order. */
static bool find_acceleration(const ts_model *model, int coordinate, ts_channel_use *out) {
    const ts_coordinate *c = &model->coordinates[coordinate];
    *out = (ts_channel_use){
        .measure = {.of = TS_OF_VDOT, .source = coordinate, .axis = TS_ALONG_COORDINATE}};
    return !model->nodes[model->site_nodes[c->site_node]].variable;
}

bool ts_channel_find(const ts_model *model, int part, const char *text, ts_channel_use *out) {
    const ts_part *p = &model->parts[part];
    words w;
    component part_of;
    bool torque;
    if (!split(text, &w)) return false;
    if (effort_of(&w, &torque)) return find_effort(model, part, torque, out);
    if (reaction_of(&w) >= 0) return find_reaction(model, part, reaction_of(&w), out);
    if (touch_of(&w) >= 0) return find_contact(model, part, touch_of(&w), out);
    if (happening_of(&w) >= 0) return find_event(model, part, happening_of(&w), out);
    if (!w.acceleration && component_of(&w, &part_of))
        return find_component(model, ts_part_node(model, part, part_of.node), v3_make(0, 0, 0),
                              &part_of, w.rate, out);
    *out = (ts_channel_use){.taken = w.rate ? TS_TAKEN_RATE : TS_TAKEN_MEAN};
    bool next = w.count == 2 && strcmp(w.word[1], "next") == 0; /* of blocks, for themselves */
    w.count -= next;
    if (w.count == 1 && ts_kind_has_length(p->kind) && strcmp(w.word[0], "length") == 0) {
        out->measure = (ts_measure){.of = TS_OF_ENDS, .source = part};
        return true;
    }
    for (int c = p->coordinate; w.count == 1 && c < p->coordinate + p->coordinates; c++)
        if (strcmp(model->coordinates[c].name, w.word[0]) == 0) {
            out->measure = (ts_measure){.of = TS_OF_COORDINATE, .source = c};
            if (model->coordinates[c].held) out->taken = next ? TS_TAKEN_NEXT : TS_TAKEN_END;
            if (w.acceleration) return find_acceleration(model, c, out);
            return !(model->coordinates[c].held && w.rate);
        }
    return false;
}

bool ts_vector_channel(const char *text, ts_dim *dim) {
    words w;
    component c;
    return split(text, &w) && component_of(&w, &c) && !*c.node && ts_channel_dimension(text, dim);
}

bool ts_is_here(const char *name) { return strncmp(name, "here.", 5) == 0; }

bool ts_channel_here(const ts_model *model, const ts_measure *acts, const char *name,
                     ts_channel_use *out) {
    words w;
    component c;
    bool at_node = acts->of == TS_OF_POINT || acts->of == TS_OF_WAY || acts->of == TS_OF_TURN ||
                   acts->of == TS_OF_OWN_TURN;
    return at_node && split(name + 5, &w) && component_of(&w, &c) && !*c.node &&
           find_component(model, acts->source, acts->point, &c, w.rate, out);
}

void ts_input_channel(int signal, char name[TS_INPUT_CHANNEL]) {
    snprintf(name, TS_INPUT_CHANNEL, "@%d", signal);
}

int ts_channel_input(const char *name) { return name[0] == '@' ? atoi(name + 1) : -1; }

bool ts_channel_named(const ts_model *model, const char *name, ts_channel_use *out) {
    int input = ts_channel_input(name);
    *out =
        (ts_channel_use){.measure = {.of = TS_OF_INPUT, .source = input}, .taken = TS_TAKEN_INPUT};
    if (input >= 0) return input < model->signals_count;
    size_t length = strcspn(name, ".");
    int part = ts_model_part_named(model, name, length);
    return part >= 0 && name[length] && ts_channel_find(model, part, name + length + 1, out);
}

static bool feels(const ts_model *model, int signal) {
    ts_channel_use use;
    for (int i = 0; signal >= 0 && i < model->signals[signal].channels; i++)
        if (ts_channel_named(model, model->signals[signal].channel[i], &use) &&
            use.measure.of == TS_OF_VDOT)
            return true;
    return false;
}

bool ts_events_feel(const ts_model *model) {
    bool any = false;
    for (int i = 0; i < model->events_count; i++)
        any |= feels(model, model->events[i].left) || feels(model, model->events[i].right);
    for (int i = 0; i < model->actions_count; i++)
        any |= model->actions[i].act != TS_ACT_SWITCH && feels(model, model->actions[i].signal);
    return any;
}

static const char *unfit_for_rows(const ts_model *model, const ts_channel_use *use) {
    const ts_measure *m = &use->measure;
    if (m->of == TS_OF_INPUT) return "an input";
    if (m->of == TS_OF_CONTACT || m->of == TS_OF_ROW || m->of == TS_OF_FORCE) return "a force";
    if (m->of == TS_OF_VDOT) return "an acceleration";
    if (m->of == TS_OF_EVENT) return "a channel of an event";
    if (use->taken == TS_TAKEN_RATE) return "a velocity";
    if (m->of == TS_OF_COORDINATE) {
        const ts_coordinate *c = &model->coordinates[m->source];
        if (model->nodes[model->site_nodes[c->site_node]].variable) return "a state";
    }
    return NULL;
}

bool ts_row_channel(const ts_model *model, const char *name, char *why, size_t size) {
    const char *dot = strchr(name, '.'), *kind;
    ts_channel_use use;
    if (ts_channel_named(model, name, &use)) {
        kind = unfit_for_rows(model, &use);
        if (use.measure.of == TS_OF_INPUT) name = model->signals[use.measure.source].name;
    } else { /* of a spring or a state that comes later in the file */
        kind = dot && strcmp(dot, ".length") == 0  ? NULL
               : dot && strcmp(dot, ".value") == 0 ? "a state"
                                                   : "a force or a state";
    }
    if (kind)
        snprintf(why, size,
                 "a motion can follow coordinates, places and lengths, but '%.60s' is %s", name,
                 kind);
    return !kind;
}

void ts_channel_list(const ts_model *model, int part, char *text, size_t size) {
    const ts_part *p = &model->parts[part];
    size_t used = 0;
    text[0] = 0;
    for (int c = p->coordinate; c < p->coordinate + p->coordinates && used < size; c++) {
        const char *name = model->coordinates[c].name;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", used ? ", " : "", name,
                                 model->coordinates[c].held ? "" : ", ",
                                 model->coordinates[c].held ? "" : name,
                                 model->coordinates[c].held ? "" : ".rate");
    }
    ts_channel_use force;
    if (find_reaction(model, part, 0, &force) && used < size)
        used += (size_t)snprintf(text + used, size - used, "%sforce.x (y, z)", used ? ", " : "");
    if (find_reaction(model, part, 3, &force) && used < size)
        snprintf(text + used, size - used, ", moment.x");
    if (ts_kind_has_length(p->kind))
        snprintf(text, size, "length, length.rate, force, force.x (y, z)");
    else if (find_effort(model, part, false, &force))
        snprintf(text, size, "force");
    else if (find_effort(model, part, true, &force))
        snprintf(text, size, "torque");
    if (find_contact(model, part, 0, &force))
        snprintf(text, size, "gap, force.normal, force.friction, for events");
    if (find_event(model, part, 0, &force))
        snprintf(text, size, "count, last, for events below it");
    int node = ts_part_node(model, part, "");
    if (node > 0)
        snprintf(text, size, "position.x, displacement.x, velocity.x%s (y, z)",
                 model->nodes[node].kind == TS_NODE_FRAME ? ", omega.x, orientation.d1.x" : "");
    else if (ts_part_node(model, part, "1") > 0)
        snprintf(text, size, "1.position.x, 1.displacement.x, 1.velocity.x ... of its nodes");
}
