/* SPDX-License-Identifier: Apache-2.0 */
/* Gear: two coordinates of joints move in a fixed ratio, for toothed wheels, belts, chains, ropes
 * on drums, racks and pinions, levers.
 *
 *     two angles                      theta_2 - ratio theta_1 = 0       TS_TWO_ANGLES_ROW
 *     two displacements               u_2 - ratio u_1 = 0               a form
 *     an angle and a displacement     u - radius theta = 0              TS_ANGLE_ROW
 *
 * all measured from the pose as drawn. The site stands on the nodes of both joints, each once:
 * wheels often share the ground or an arm that carries them. Losses by an efficiency are a site of
 * their own (machines/gear_loss.c).
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "laws/angle.h"
#include "model/law.h"
#include "parts/machines/gear_loss.h"
#include "parts/parts.h"

enum { JOINT, COORDINATE, TO, TO_COORDINATE, RATIO, RADIUS, EFFICIENCY, SLOW };

static const ts_field FIELDS[] = {
    TS_COORDINATE_FIELDS,
    {.name = "to",
     .type = TS_JOINT,
     .required = true,
     .help = "The joint that moves with the first one."},
    {.name = "to_coordinate",
     .type = TS_TEXT,
     .help = "Which coordinate of that joint.",
     .fallback = "the only one that fits"},
    {.name = "ratio",
     .type = TS_NUMBER,
     .help = "Motion of `to` over motion of `joint`, both angles or both displacements: -20/60 of "
             "20 teeth on 60 with parallel axes, 20/60 of a belt or an internal gear."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Instead of a ratio, for a pinion or drum: displacement of the one joint per radian "
             "of the other; "
             "negative where a positive angle makes the displacement negative."},
    {.name = "efficiency",
     .type = TS_NUMBER,
     .help = "Output power over input power, whichever side drives; the rest is dissipated.",
     .fallback = "1"},
    {.name = "slow_speed",
     .type = TS_NUMBER,
     .dim = TS_DIM_ANGULAR_VELOCITY,
     .help = "Rate of the angle of `to` below which losses fade.",
     .fallback = "0.01 rad/s; 0.1 mm/s of a displacement"},
    {0}};

/* ---- the coordinates ---- */

static int pick(ts_builder *b, const ts_value *value, int c[2]) {
    c[0] = ts_pick_coordinate(b, value, JOINT, TS_ANY_COORDINATE);
    if (c[0] < 0) return TORSOR_EINVAL;
    c[1] = ts_pick_coordinate(b, value, TO, TS_ANY_COORDINATE);
    if (c[1] >= 0) return 0;
    if (*b->hint) snprintf(b->hint, sizeof b->hint, "add `to_coordinate:`");
    return TORSOR_EINVAL;
}

static int check(ts_builder *b, const ts_value *value, const int c[2]) {
    const ts_model *model = b->model;
    bool mixed = model->coordinates[c[0]].angle != model->coordinates[c[1]].angle;
    if (c[0] == c[1])
        return ts_build_fail(b, TO, NULL, "both coordinates of the gear are the same");
    if (value[RATIO].given == value[RADIUS].given)
        return ts_build_fail(b, -1, "for example `ratio: -20/60`, or `radius: 20 mm` for a rack",
                             "a gear needs either a ratio or a radius");
    if (mixed && !value[RADIUS].given)
        return ts_build_fail(b, RATIO, "give the `radius` of the pinion or drum",
                             "a ratio is of two angles or of two displacements; here one is an "
                             "angle and one a displacement");
    if (!mixed && !value[RATIO].given)
        return ts_build_fail(b, RADIUS, "give a `ratio`",
                             "a radius relates an angle to a displacement; here both are %s",
                             model->coordinates[c[0]].angle ? "angles" : "displacements");
    double efficiency = value[EFFICIENCY].given ? value[EFFICIENCY].number[0] : 1;
    if (!(efficiency > 0 && efficiency <= 1))
        return ts_build_fail(b, EFFICIENCY, NULL, "the efficiency must be above 0 and at most 1");
    if (value[SLOW].given && (!model->coordinates[c[1]].angle || !(value[SLOW].number[0] > 0)))
        return ts_build_fail(b, SLOW, NULL, "slow_speed must be an angular velocity above zero");
    int given = mixed ? RADIUS : RATIO;
    if (value[given].number[0] == 0)
        return ts_build_fail(b, given, NULL, "the %s must not be zero", mixed ? "radius" : "ratio");
    return 0;
}

/* ---- the site ---- */

/* Where the slots of each coordinate's nodes stand among those of all nodes. */
typedef struct slot_map {
    int node[4], nodes;
    int16_t slot[2][TS_MAX_SLOTS];
} slot_map;

static int slot_of_node(const ts_model *model, slot_map *map, int node) {
    int slot = 0, k = 0;
    for (; k < map->nodes && map->node[k] != node; k++) slot += model->nodes[map->node[k]].slots;
    if (k == map->nodes) map->node[map->nodes++] = node;
    return slot;
}

/* The nodes of both joints, those of the second joint first: reactions refer to the second node of
 * a site. */
static slot_map join_nodes(const ts_model *model, const int c[2]) {
    slot_map map = {0};
    for (int side = 1; side >= 0; side--) {
        const ts_coordinate *own = &model->coordinates[c[side]];
        for (int k = 0, at = 0; k < own->nodes; k++) {
            int node = model->site_nodes[own->site_node + k];
            int slot = slot_of_node(model, &map, node);
            for (int s = 0; s < model->nodes[node].slots; s++)
                map.slot[side][at++] = (int16_t)(slot + s);
        }
    }
    return map;
}

static void open_site(ts_builder *b, const int c[2], const slot_map *map) {
    ts_model *model = b->model;
    ts_part first = model->parts[model->coordinates[c[0]].part];
    ts_part second = model->parts[model->coordinates[c[1]].part], *part;
    part = ts_new_part(b, &TS_KIND_GEAR);
    part->nodeA = first.nodeB, part->pointA = first.pointB, part->frameA = first.frameB;
    part->nodeB = second.nodeB, part->pointB = second.pointB, part->frameB = second.frameB;
    ts_model_site(model, TS_ROLE_ROWS, map->nodes, map->node);
}

static void add_forms(ts_model *model, int c, const int16_t *slot) {
    ts_coordinate own = model->coordinates[c];
    for (int k = 0; k < (own.angle ? 2 : 1); k++) {
        ts_form_new(model, 0);
        ts_form_plus(model, 1, own.form + k, slot);
    }
}

/* ---- the pose as drawn ---- */

static v3 slot_as_drawn(const ts_model *model, const slot_map *map, int slot) {
    int k = 0;
    for (; slot >= model->nodes[map->node[k]].slots; k++) slot -= model->nodes[map->node[k]].slots;
    const ts_node *node = &model->nodes[map->node[k]];
    return slot == 0 ? node->x : node->D.c[node->kind == TS_NODE_DIRECTOR ? 2 : slot - 1];
}

static double form_as_drawn(const ts_model *model, const slot_map *map, int f) {
    const ts_form *form = &model->forms[f];
    double sum = form->c;
    for (int i = form->pair; i < form->pair + form->pairs; i++) {
        const ts_pair *p = &model->pairs[i];
        sum += p->w * v3_dot(slot_as_drawn(model, map, p->a), slot_as_drawn(model, map, p->b));
    }
    for (int i = form->linear; i < form->linear + form->linears; i++)
        sum += v3_dot(model->linears[i].g, slot_as_drawn(model, map, model->linears[i].a));
    return sum;
}

static double angle_as_drawn(const ts_model *model, const slot_map *map, int f) {
    return atan2(form_as_drawn(model, map, f + 1), form_as_drawn(model, map, f));
}

/* The newest form is zero as drawn. */
static void start_from_zero(ts_model *model, const slot_map *map, double offset) {
    int f = model->forms_count - 1;
    model->forms[f].c -= form_as_drawn(model, map, f) + offset;
}

/* ---- the rows ---- */

static void numbers(ts_model *model, int count, const double *number) {
    for (int k = 0; k < count; k++) ts_model_number(model, number[k]);
}

static void tie_displacements(ts_model *model, const int c[2], const slot_map *map, double ratio) {
    ts_form_new(model, 0);
    ts_form_plus(model, -ratio, model->coordinates[c[0]].form, map->slot[0]);
    ts_form_plus(model, 1, model->coordinates[c[1]].form, map->slot[1]);
    start_from_zero(model, map, 0);
}

static void tie_angles(ts_model *model, const int c[2], const slot_map *map, double ratio) {
    int f = model->forms_count;
    add_forms(model, c[0], map->slot[0]);
    add_forms(model, c[1], map->slot[1]);
    numbers(
        model, 4,
        (double[]){-ratio, 1, angle_as_drawn(model, map, f), angle_as_drawn(model, map, f + 2)});
    ts_model_rowlaw(model, &TS_TWO_ANGLES_ROW);
}

static void tie_angle_to_displacement(ts_model *model, const int c[2], const slot_map *map,
                                      double radius) {
    int turn = model->coordinates[c[0]].angle ? 0 : 1, f = model->forms_count;
    add_forms(model, c[turn], map->slot[turn]);
    add_forms(model, c[1 - turn], map->slot[1 - turn]);
    start_from_zero(model, map, -radius * angle_as_drawn(model, map, f));
    numbers(model, 2, (double[]){-radius, 1});
    ts_model_rowlaw(model, &TS_ANGLE_ROW);
}

static int build(ts_builder *b, ts_value *value) {
    int c[2];
    if (pick(b, value, c) || check(b, value, c)) return TORSOR_EINVAL;
    ts_model *model = b->model;
    bool angle[2] = {model->coordinates[c[0]].angle, model->coordinates[c[1]].angle};
    slot_map map = join_nodes(model, c);
    open_site(b, c, &map);
    /* its multiplier is minus what it does along this one, which has the factor 1 in its row */
    int along = angle[0] != angle[1] && !angle[0] ? c[0] : c[1];
    model->parts[model->parts_count - 1].along = along + 1;
    if (angle[0] != angle[1])
        tie_angle_to_displacement(model, c, &map, value[RADIUS].number[0]);
    else if (angle[0])
        tie_angles(model, c, &map, value[RATIO].number[0]);
    else
        tie_displacements(model, c, &map, value[RATIO].number[0]);
    ts_model_row(model, -1, false, "ratio of the gear");
    double efficiency = value[EFFICIENCY].given ? value[EFFICIENCY].number[0] : 1;
    double slow = value[SLOW].given ? value[SLOW].number[0] : angle[1] ? 0.01 : 1e-4;
    if (efficiency < 1) ts_gear_loss(model, c[1], model->rows_count - 1, efficiency, slow);
    return 0;
}

const ts_kind TS_KIND_GEAR = {
    .name = "gear",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help =
        "Coordinates of two joints move in a fixed ratio, from the pose as drawn: gears, belts, "
        "chains, rack and pinion, rope and drum. Both joints must be above the gear in the file. "
        "For a planetary gear, use the joints between the wheels and the arm.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: gear, joint: J, coordinate: angle, to: J, to_coordinate: displacement, "
              "radius: 0.2, efficiency: 0.9}"};
