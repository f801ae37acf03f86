/* SPDX-License-Identifier: Apache-2.0 */
/* Loads spread over faces and edges of parts on meshes.
 *
 *     pressure       follows the surface: p n dA, src/step/pressure.c
 *     surface_load   dead force per area as drawn
 *     edge_load      dead force and moment per length as drawn; a force along the director, which
 *                    follows it; a moment about the edge and a force across it, per length as it
 *                    is, which follow: src/step/pressure.c
 *
 * Dead loads are put on the nodes by int N_a dA (or ds), and may depend on the state of the node. A
 * moment acts on the directors of a shell: its component along the director has no effect. The work
 * of a moment per length is that on the rotation of the director.
 */
#include <stdlib.h>

#include "base/error.h"
#include "model/mesh_nodes.h"
#include "model/mesh_shares.h"
#include "parts/loads/node_load.h"
#include "parts/parts.h"
#include "parts/state/block.h"

enum { ON, FIRST, SECOND, NORMAL, BENDING, TENSION };

#define WHERE(field)                                                                            \
    {                                                                                           \
        .name = field, .type = TS_NODES, .required = true,                                      \
        .help =                                                                                 \
            "Where it acts: a set of " field " of a part on a mesh, `skin.top`; or a shell as " \
            "a whole, by name; or a list of such sets."                                         \
    }

static const ts_field PRESSURE_FIELDS[] = {
    WHERE("faces"),
    {.name = "pressure",
     .type = TS_STATE_SIGNAL,
     .dim = TS_DIM_STRESS,
     .required = true,
     .help = "Pressure over time: along the normal of a shell, against that of a solid's face. It "
             "may depend on channels; NAME.pressure is then a channel, too."},
    {0}};

static const ts_field SURFACE_FIELDS[] = {WHERE("faces"),
                                          {.name = "force",
                                           .type = TS_LOAD_SIGNAL3,
                                           .dim = TS_DIM_STRESS,
                                           .required = true,
                                           .help = "Force per area as drawn, over time, global "
                                                   "axes. It may depend on channels; `here` is "
                                                   "the point of the face: `-2 Pa*s/m * "
                                                   "here.velocity.z`."},
                                          {0}};

static const ts_field EDGE_FIELDS[] = {
    WHERE("edges"),
    {.name = "force",
     .type = TS_LOAD_SIGNAL3,
     .dim = {0, 1, -2, 0},
     .help = "Force per length as drawn, over time, global axes. It may depend on channels; "
             "`here` is the point of the edge."},
    {.name = "moment",
     .type = TS_LOAD_SIGNAL3,
     .dim = {1, 1, -2, 0},
     .help = "Moment per length as drawn, over time, global axes."},
    {.name = "normal",
     .type = TS_LOAD_SIGNAL,
     .dim = {0, 1, -2, 0},
     .help = "Force per length as drawn along the normal of a shell, which turns with it."},
    {.name = "bending",
     .type = TS_STATE_SIGNAL,
     .dim = {1, 1, -2, 0},
     .help = "Moment per length about the rim of a shell, which turns and stretches with it; "
             "positive where it pulls on the side that the normal points to."},
    {.name = "tension",
     .type = TS_STATE_SIGNAL,
     .dim = {0, 1, -2, 0},
     .help = "Force per length in the shell, outwards and normal to its rim, which turns and "
             "stretches with it."},
    {0}};

typedef struct patch {
    ts_builder *builder;
    ts_model *model;
    const ts_mesh *mesh;
    const ts_mesh_set *set;
    int part; /* whose nodes are loaded */
} patch;

/* The cells to be loaded, of the dimension wanted, all of whose points have nodes of the part. */
static int find_patch(ts_builder *b, ts_piece piece, int dimension, patch *p) {
    static const char *const what[] = {"points", "edges", "faces", "solids"};
    p->builder = b, p->model = b->model, p->part = piece.part;
    p->mesh = ts_mesh_of(b->model, b->model->parts[p->part].mesh);
    if (piece.set < 0)
        return ts_build_fail(b, ON, NULL, "these are single nodes of '%.60s', not a set of %s",
                             b->model->parts[p->part].name, what[dimension]);
    const char *name = p->mesh->set[piece.set].name;
    int set = piece.set;
    if (p->mesh->set[set].dimension != dimension) set = ts_mesh_find(p->mesh, name, dimension);
    if (set < 0)
        return ts_build_fail(b, ON, NULL, "'%.60s.%.60s' is not a set of %s",
                             b->model->parts[p->part].name, name, what[dimension]);
    p->set = &p->mesh->set[set];
    for (int i = 0; i < p->set->points; i++)
        if (ts_part_point_node(b->model, p->part, p->set->point[i]) < 0)
            return ts_build_fail(b, ON, NULL,
                                 "point %d of the set does not belong to the part: it has no node",
                                 p->set->point[i] + 1);
    return 0;
}

/* All sets that a load acts on. */
typedef struct patches {
    int count;
    patch *item;
} patches;

/* A cell in two of the sets would be loaded twice. */
static int check_apart(ts_builder *b, const patches *all, int last) {
    const patch *p = &all->item[last];
    for (int k = 0; k < last; k++) {
        const patch *other = &all->item[k];
        if (other->mesh != p->mesh || other->part != p->part) continue;
        for (int i = 0, j = 0; i < p->set->cells && j < other->set->cells;) {
            int mine = p->set->cell[i], its = other->set->cell[j];
            if (mine == its)
                return ts_build_fail(b, ON, "name each face or edge once",
                                     "the sets '%.60s' and '%.60s' overlap", other->set->name,
                                     p->set->name);
            mine < its ? i++ : j++;
        }
    }
    return 0;
}

static int find_patches(ts_builder *b, const ts_value *value, int dimension, patches *all) {
    int code = 0;
    all->item = ts_calloc((size_t)value[ON].pieces + 1, sizeof *all->item);
    for (int i = 0; i < value[ON].pieces && !code; i++, all->count++) {
        code = find_patch(b, value[ON].piece[i], dimension, &all->item[i]);
        if (!code) code = check_apart(b, all, i);
    }
    return code;
}

static void new_load(ts_builder *b, const ts_kind *kind, const ts_value *on) {
    ts_part *part = ts_new_part(b, kind);
    part->nodeB = (int)on->list[0], part->spread = true;
}

/* ---- dead ---- */

static void spread_over(const patch *p, ts_load load) {
    ts_share_of_point *share = ts_mesh_shares(p->mesh, p->set->cells, p->set->cell);
    for (int i = 0; i < p->set->points; i++) {
        load.node = ts_part_point_node(p->model, p->part, p->set->point[i]);
        load.factor = share[p->set->point[i]].measure;
        bool turns = p->model->nodes[load.node].kind != TS_NODE_POINT;
        if (load.factor != 0 && (turns || !load.moment)) ts_add_load(p->builder, load);
    }
    free(share);
}

static void spread(ts_builder *b, const patches *all, ts_value *value, ts_load load) {
    for (int k = 0; k < 3; k++) load.signal[k] = load.follower ? -1 : ts_take_signal(b, value, k);
    if (load.follower) load.signal[2] = ts_take_signal(b, value, 0);
    for (int i = 0; i < all->count; i++) spread_over(&all->item[i], load);
}

static int build_surface(ts_builder *b, ts_value *value) {
    patches all = {0};
    int code = find_patches(b, value, 2, &all);
    if (!code) {
        new_load(b, &TS_KIND_SURFACE_LOAD, &value[ON]);
        spread(b, &all, &value[FIRST], (ts_load){0});
    }
    free(all.item);
    return code;
}

/* Moments need directors; at a fold the normal of an edge is not unique. */
static int check_edge(ts_builder *b, const ts_value *value, const patch *p) {
    bool shell = p->model->parts[p->part].points_are == TS_NODE_DIRECTOR;
    for (int field = SECOND; field <= TENSION; field++)
        if (value[field].given && !shell)
            return ts_build_fail(b, field, "use forces on a solid",
                                 "the points of a solid do not turn and have no normal");
    bool any = false;
    for (int field = FIRST; field <= TENSION; field++) any |= value[field].given;
    if (!any)
        return ts_build_fail(
            b, -1, NULL, "give a `force`, `moment`, `normal` force, `bending` moment or `tension`");
    for (int field = NORMAL; field <= TENSION; field++)
        for (int i = 0; value[field].given && i < value[ON].count; i++)
            if (p->model->nodes[(int)value[ON].list[i]].kind == TS_NODE_FRAME)
                return ts_build_fail(b, field, "give a `force` or `moment`",
                                     "the edge touches a fold, where the shell has two normals");
    return 0;
}

/* ---- loads that follow an edge ---- */

/* Sense of each line of the set around the shell: +1 if the shell lies on its left, seen against
 * the normal, -1 on its right, 0 if the line is not a rim. Lines are found by their corners, from
 * lists of those at each point. */
typedef struct rim {
    int *first, *next; /* per point; per line and end: 2 i or 2 i + 1, and -1 */
    int *sign, *cells; /* per line */
} rim;

static void list_lines(const patch *p, rim *r) {
    r->first = ts_calloc((size_t)p->mesh->points + 1, sizeof *r->first);
    r->next = ts_calloc(2 * (size_t)p->set->cells + 1, sizeof *r->next);
    r->sign = ts_calloc((size_t)p->set->cells + 1, sizeof *r->sign);
    r->cells = ts_calloc((size_t)p->set->cells + 1, sizeof *r->cells);
    for (int n = 0; n < p->mesh->points; n++) r->first[n] = -1;
    for (int i = 0; i < 2 * p->set->cells; i++) {
        int point = ts_mesh_nodes(p->mesh, p->set->cell[i / 2])[i % 2];
        r->next[i] = r->first[point], r->first[point] = i;
    }
}

/* A side of a cell of the shell, from one corner to the next, the cell on its left. */
static void meet_side(const patch *p, const rim *r, int from, int to) {
    for (int i = r->first[from]; i >= 0; i = r->next[i]) {
        if (ts_mesh_nodes(p->mesh, p->set->cell[i / 2])[1 - i % 2] != to) continue;
        r->cells[i / 2]++, r->sign[i / 2] = i % 2 ? -1 : 1;
    }
}

static int find_rim(ts_builder *b, const patch *p, int field, rim *r) {
    const ts_mesh_set *shell = &p->mesh->set[p->model->parts[p->part].mesh_set];
    list_lines(p, r);
    for (int i = 0; i < shell->cells; i++) {
        const int *node = ts_mesh_nodes(p->mesh, shell->cell[i]);
        for (int k = 0; k < 4; k++) meet_side(p, r, node[k], node[(k + 1) % 4]);
    }
    for (int i = 0; i < p->set->cells; i++)
        if (r->cells[i] != 1)
            return ts_build_fail(b, field, "take a set of its rim, or give a `force` or `moment`",
                                 "line %d of the set is not on the rim of the shell", i + 1);
    return 0;
}

/* w N, N,s and N of all nodes at the points of a rule that integrates N (r,s x d) exactly */
static int add_edge_rule(ts_model *model, ts_cell_type type, int sign, int *points) {
    int nodes = ts_cell_about(type)->nodes, first = model->interpolation_count;
    ts_quadrature rule;
    ts_cell_quadrature(type, nodes == 2 ? 3 : 5, &rule);
    for (int g = 0; g < rule.count; g++) {
        double N[TS_CELL_NODES];
        v3 dN[TS_CELL_NODES];
        ts_cell_shape(type, rule.xi[g], N, dN);
        for (int a = 0; a < nodes; a++) {
            ts_model_weight(model, rule.weight[g] * N[a]);
            ts_model_weight(model, sign * dN[a].x);
            ts_model_weight(model, N[a]);
        }
    }
    *points = rule.count;
    return first;
}

enum { PLACES, DIRECTORS };

/* A load that follows a surface or an edge: a function of time, or a variable of the newest
 * part. */
static ts_pressure following(ts_builder *b, const char *name, const char *unit, int signal) {
    ts_pressure p = {.signal = signal};
    if (b->model->signals[signal].channels == 0) return p;
    p.variable = b->model->nodes_count, p.unit = 1;
    ts_add_variable(b, name, (ts_start){.scale = 1}, (ts_variable){.law = TS_IS_VALUE}, signal);
    ts_coordinate_unit(&b->model->coordinates[b->model->coordinates_count - 1], unit);
    return p;
}

static void follow_rim(const patch *p, const rim *r, int on, ts_pressure edge) {
    for (int i = 0; i < p->set->cells; i++) {
        const ts_cell *cell = &p->mesh->cell[p->set->cell[i]];
        int node[TS_FACE_NODES];
        for (int a = 0; a < cell->count; a++)
            node[a] = ts_part_point_node(p->model, p->part, p->mesh->node[cell->first + a]);
        edge.nodes = cell->count, edge.on = on;
        edge.of[0] = PLACES, edge.of[1] = DIRECTORS;
        edge.rule = add_edge_rule(p->model, cell->type, r->sign[i], &edge.points);
        ts_model_pressure(p->model, edge, node);
    }
}

static int follow_patch(ts_builder *b, const patch *p, const ts_value *value,
                        const ts_pressure *edge) {
    rim r = {0};
    int code = 0;
    for (int field = BENDING; field <= TENSION && !code; field++) {
        if (!value[field].given) continue;
        if (!r.first) code = find_rim(b, p, field, &r);
        if (!code) follow_rim(p, &r, field == BENDING ? DIRECTORS : PLACES, edge[field - BENDING]);
    }
    free(r.first), free(r.next), free(r.sign), free(r.cells);
    return code;
}

static int follow_edges(ts_builder *b, const patches *all, ts_value *value) {
    static const char *const name[] = {"bending", "tension"}, *const unit[] = {"N", "N/m"};
    ts_pressure edge[2] = {{0}};
    int code = 0;
    for (int k = 0; k < 2; k++)
        if (value[BENDING + k].given) {
            int signal = ts_take_signal(b, &value[BENDING + k], 0);
            edge[k] = following(b, name[k], unit[k], signal);
        }
    for (int i = 0; i < all->count && !code; i++)
        code = follow_patch(b, &all->item[i], value, edge);
    return code;
}

static int build_edge(ts_builder *b, ts_value *value) {
    patches all = {0};
    int code = find_patches(b, value, 1, &all);
    for (int i = 0; i < all.count && !code; i++) code = check_edge(b, value, &all.item[i]);
    if (!code) {
        new_load(b, &TS_KIND_EDGE_LOAD, &value[ON]);
        if (value[FIRST].given) spread(b, &all, &value[FIRST], (ts_load){0});
        if (value[SECOND].given) spread(b, &all, &value[SECOND], (ts_load){.moment = true});
        if (value[NORMAL].given) spread(b, &all, &value[NORMAL], (ts_load){.follower = true});
        code = follow_edges(b, &all, value);
    }
    free(all.item);
    return code;
}

/* ---- pressure ---- */

/* w N, N,1, N,2 of all nodes at the points of a rule that integrates N (r,1 x r,2) exactly; sign:
 * along the normal, or against it */
static int add_rule(ts_model *model, ts_cell_type type, double sign, int *points) {
    static const int degree[] = {0, 3, 5}; /* of quads, in each direction; of triangles 1 and 4 */
    const ts_cell_info *about = ts_cell_about(type);
    ts_quadrature rule;
    ts_cell_quadrature(type, about->simplex ? 3 * about->order - 2 : degree[about->order], &rule);
    int first = model->interpolation_count;
    for (int g = 0; g < rule.count; g++) {
        double N[TS_CELL_NODES];
        v3 dN[TS_CELL_NODES];
        ts_cell_shape(type, rule.xi[g], N, dN);
        for (int a = 0; a < about->nodes; a++) {
            ts_model_weight(model, sign * rule.weight[g] * N[a]);
            ts_model_weight(model, dN[a].x);
            ts_model_weight(model, dN[a].y);
        }
    }
    *points = rule.count;
    return first;
}

static void add_faces(const patch *p, ts_pressure face) {
    int rule[TS_CELL_TYPES] = {0}, points[TS_CELL_TYPES] = {0}, node[TS_FACE_NODES];
    double sign = p->model->parts[p->part].points_are == TS_NODE_POINT ? -1 : 1;
    for (int i = 0; i < p->set->cells; i++) {
        const ts_cell *cell = &p->mesh->cell[p->set->cell[i]];
        ts_cell_type type = cell->type;
        if (!points[type]) rule[type] = add_rule(p->model, type, sign, &points[type]);
        for (int a = 0; a < cell->count; a++)
            node[a] =
                ts_part_point_node(p->model, p->part, ts_mesh_nodes(p->mesh, p->set->cell[i])[a]);
        face.nodes = cell->count, face.rule = rule[type], face.points = points[type];
        ts_model_pressure(p->model, face, node);
    }
}

/* The tangent of a face has room for the nodes of a shell's cell, and a variable. */
static int check_faces(ts_builder *b, const patch *p) {
    for (int i = 0; i < p->set->cells; i++) {
        const ts_cell *cell = &p->mesh->cell[p->set->cell[i]];
        int slots = 0;
        for (int a = 0; a < cell->count; a++)
            slots +=
                p->model
                    ->nodes[ts_part_point_node(p->model, p->part, p->mesh->node[cell->first + a])]
                    .slots;
        if (slots >= TS_MAX_SLOTS)
            return ts_build_fail(b, ON, "use a finer mesh or cells of 4 nodes there",
                                 "face %d of the set has folds along most of its sides", i + 1);
    }
    return 0;
}

static int build_pressure(ts_builder *b, ts_value *value) {
    patches all = {0};
    int code = find_patches(b, value, 2, &all);
    for (int i = 0; i < all.count && !code; i++) code = check_faces(b, &all.item[i]);
    if (!code) {
        new_load(b, &TS_KIND_PRESSURE, &value[ON]);
        ts_pressure face = following(b, "pressure", "Pa", ts_take_signal(b, &value[FIRST], 0));
        for (int i = 0; i < all.count; i++) add_faces(&all.item[i], face);
    }
    free(all.item);
    return code;
}

const ts_kind TS_KIND_PRESSURE = {
    .name = "pressure",
    .section = "loads",
    .help = "Pressure on faces, which follows them as they turn and stretch. Its work is pressure "
            "times the volume swept.",
    .fields = PRESSURE_FIELDS,
    .build = build_pressure,
    .sample = "{type: pressure, faces: H, pressure: 3 Pa * (1 + t)}",
};

const ts_kind TS_KIND_SURFACE_LOAD = {
    .name = "surface_load",
    .section = "loads",
    .help = "A dead force per area on faces.",
    .fields = SURFACE_FIELDS,
    .build = build_surface,
    .sample = "{type: surface_load, faces: H, force: [1 Pa, 0, 2 Pa]}",
};

const ts_kind TS_KIND_EDGE_LOAD = {
    .name = "edge_load",
    .section = "loads",
    .help = "Forces and moments per length along edges: dead, or following the edge of a shell.",
    .fields = EDGE_FIELDS,
    .build = build_edge,
    .sample =
        "{type: edge_load, edges: H.u+, force: [0, 1, 2], moment: [0, 0.3, 0.1], normal: 2*t, "
        "bending: 0.2 + t, tension: 0.7}",
};
