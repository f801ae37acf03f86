/* SPDX-License-Identifier: Apache-2.0 */
/* Supports: nodes of parts on meshes are held in place, completely or in some directions.
 *
 * A component of a place along an axis of the ground, or a component of a director, keeps its value
 * as drawn. A director is held by two components normal to it, a frame by three. One component a.d
 * of a director holds its rotation about d x a: it must not be the director's own direction, where
 * a.d is stationary. Symmetry about a plane with the normal n keeps n.x, and the directors in the
 * plane (n.d for a shell; for a frame n turns with the body and stays normal to the plane). Nodes
 * held in all directions lose their unknowns; their reactions follow from their balance
 * (step/held.c).
 */
#include "base/error.h"
#include "model/mesh_nodes.h"
#include "model/node_names.h"
#include "parts/parts.h"

enum { NODES, FIX, SYMMETRY, AXES, ABOUT };
enum { X, Y, Z, DIRECTOR, ALL, DIRECTOR_X };

static const char *const WORDS[] = {"x",          "y",          "z",          "director", "all",
                                    "director_x", "director_y", "director_z", NULL};
static const char *const PLANES[] = {"x", "y", "z", NULL};

static const ts_field FIELDS[] = {
    {.name = "nodes",
     .type = TS_NODES,
     .required = true,
     .help = "The nodes that are held: a set of a part on a mesh, `skin.left`; or a list of sets, "
             "also of several parts."},
    {.name = "fix",
     .type = TS_CHOICES,
     .help = "What is held: components of the place along the axes; the director of a shell (its "
             "rotation), or single components of it along the axes.",
     .choices = WORDS,
     .fallback = "everything; with `symmetry`, only what symmetry requires"},
    {.name = "symmetry",
     .type = TS_CHOICES,
     .help = "The axes normal to planes of symmetry.",
     .choices = PLANES,
     .fallback = "none"},
    {.name = "axes",
     .type = TS_ROTATION,
     .help = "The axes x, y, z of `fix`, as a rotation of the global axes.",
     .fallback = "the global axes"},
    {.name = "about",
     .type = TS_PLACE,
     .help = "The point about which the moment of the reaction is given.",
     .fallback = "the place of its first node, as drawn"},
    {0}};

typedef struct support {
    ts_model *model;
    bool place[3], turn, mirror[3], component[3];
    m3 axes;
} support;

/* Nodes of a site: the ground (side 0), and the one that is held (side 1). */
static void hold_place(const support *s, v3 axis, v3 drawn, const char *label) {
    ts_combo u = ts_combo_minus(ts_combo_point(1, v3_make(0, 0, 0)), ts_combo_point(0, drawn));
    ts_form_dot(s->model, 1, ts_combo_direction(0, axis), u, 0);
    ts_model_row(s->model, -1, false, label);
}

/* Keeps axis . d at its value; U: components of d in the directors of the node */
static void hold_direction(const support *s, v3 axis, v3 U, v3 drawn, const char *label) {
    ts_form_dot(s->model, 1, ts_combo_direction(0, axis), ts_combo_direction(1, U),
                -v3_dot(axis, drawn));
    ts_model_row(s->model, -1, false, label);
}

static const v3 OWN = {0, 0, 1}; /* the director of a shell is the third axis of its node */

/* n, drawn on the body, keeps its direction: no component along the two other axes. */
static void keep_normal(const support *s, const ts_node *node, int n) {
    v3 normal = s->axes.c[n];
    for (int k = 1; k < 3; k++)
        hold_direction(s, s->axes.c[(n + k) % 3], m3_tapply(node->D, normal), normal,
                       "rotation: symmetry");
}

static void hold_turn(const support *s, const ts_node *node) {
    const m3 *D = &node->D;
    if (node->kind == TS_NODE_FRAME)
        for (int k = 0; k < 3; k++)
            hold_direction(s, D->c[(k + 1) % 3], v3_axis(k), D->c[k], "rotation");
    else
        for (int k = 0; k < 2; k++) hold_direction(s, D->c[k], OWN, D->c[2], "director");
}

static const char *const DIRECTORS[] = {"director x", "director y", "director z"};

static void hold_turns(const support *s, const ts_node *node) {
    if (s->turn) {
        hold_turn(s, node);
        return;
    }
    for (int k = 0; k < 3; k++)
        if (s->component[k] && !s->mirror[k])
            hold_direction(s, s->axes.c[k], OWN, node->D.c[2], DIRECTORS[k]);
    for (int k = 0; k < 3; k++)
        if (s->mirror[k] && node->kind == TS_NODE_FRAME)
            keep_normal(s, node, k);
        else if (s->mirror[k])
            hold_direction(s, s->axes.c[k], OWN, node->D.c[2], "director: symmetry");
}

static void hold(const support *s, int n) {
    static const char *const label[] = {"displacement x", "displacement y", "displacement z"};
    ts_node *node = &s->model->nodes[n];
    bool everywhere = s->place[0] && s->place[1] && s->place[2];
    if (everywhere && (s->turn || node->kind == TS_NODE_POINT)) {
        node->fixed = true, node->held = s->model->parts_count - 1;
        return;
    }
    ts_model_site(s->model, TS_ROLE_ROWS, 2, (const int[]){0, n});
    for (int k = 0; k < 3; k++)
        if (s->place[k] || s->mirror[k]) hold_place(s, s->axes.c[k], node->x, label[k]);
    if (node->kind != TS_NODE_POINT) hold_turns(s, node);
}

/* Can single components of the director of this node be held? */
static int check_director(ts_builder *b, const support *s, int n) {
    const ts_node *node = &s->model->nodes[n];
    char name[100] = "";
    if (node->kind == TS_NODE_POINT) return 0;
    ts_node_name(s->model, n, name, sizeof name);
    for (int k = 0; k < 3; k++) {
        if (!s->component[k]) continue;
        if (node->kind == TS_NODE_FRAME)
            return ts_build_fail(b, FIX, "hold the whole rotation there: `director`",
                                 "node %s lies in a fold, where the shell has two directors", name);
        if (v3_norm(v3_cross(s->axes.c[k], node->D.c[2])) < 1e-3)
            return ts_build_fail(b, FIX, "hold its components along the other axes",
                                 "the director of node %s is along %s: this component cannot hold "
                                 "it",
                                 name, WORDS[k]);
    }
    return 0;
}

/* A fixed node cannot be held again, nor one that moves at the start be fixed. */
static int check_node(ts_builder *b, const support *s, int n) {
    const ts_node *node = &s->model->nodes[n];
    if (check_director(b, s, n)) return TORSOR_EINVAL;
    for (int k = 0; k < 3; k++) {
        double along = v3_dot(s->axes.c[k], node->velocity);
        if ((s->place[k] || s->mirror[k]) && fabs(along) > 0)
            return ts_build_fail(b, NODES, "give the part no velocity there",
                                 "a node that is held has a velocity at the start");
    }
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    support s = {.model = b->model, .axes = m3_identity()};
    const double *fix = value[FIX].number, *mirror = value[SYMMETRY].number;
    bool everything = fix[ALL] != 0 || (!value[FIX].given && !value[SYMMETRY].given);
    for (int k = 0; k < 3; k++) {
        s.place[k] = everything || fix[k] != 0;
        s.mirror[k] = mirror[k] != 0;
    }
    s.turn = everything || fix[DIRECTOR] != 0;
    for (int k = 0; k < 3; k++) s.component[k] = !s.turn && fix[DIRECTOR_X + k] != 0;
    if (value[AXES].given) s.axes = m3_load(value[AXES].number);
    for (int i = 0; i < value[NODES].count; i++)
        if (check_node(b, &s, (int)value[NODES].list[i])) return TORSOR_EINVAL;
    ts_part *part = ts_new_part(b, &TS_KIND_SUPPORT);
    part->nodeB = (int)value[NODES].list[0], part->support = true;
    part->pointA = s.model->nodes[part->nodeB].x; /* as drawn: the ground does not move */
    part->about = value[ABOUT].given ? v3_load(value[ABOUT].number) : part->pointA;
    part->memory = ts_model_memory(s.model, 6);
    for (int i = 0; i < value[NODES].count; i++) {
        int n = (int)value[NODES].list[i];
        if (!s.model->nodes[n].fixed) hold(&s, n);
    }
    return 0;
}

const ts_kind TS_KIND_SUPPORT = {
    .name = "support",
    .section = "joints",
    .look = TS_LOOK_LINK,
    .help = "Holds nodes of shells, or of other parts on meshes, to the ground.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: support, nodes: H.u-, fix: [x, z, director_x], symmetry: y}",
};
