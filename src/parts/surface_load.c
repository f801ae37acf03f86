/* Loads spread over faces and edges of parts on meshes.
 *
 *     pressure       follows the surface: p n dA, src/scheme/pressure.c
 *     surface_load   dead force per area as drawn
 *     edge_load      dead force and moment per length as drawn; a force along the director, which follows it
 *
 * Dead loads are put on the nodes by int N_a dA (or ds). A moment acts on the directors of a shell: its part along the director does
 * nothing. Where it is per length, its work is that of the turning of the director.
 */
#include <stdlib.h>

#include "base/error.h"
#include "model/mesh_nodes.h"
#include "model/mesh_shares.h"
#include "parts/parts.h"

enum { ON, FIRST, SECOND, NORMAL };

#define WHERE(field)                                                                            \
    {                                                                                           \
        .name = field, .type = TS_NODES, .required = true,                                      \
        .help =                                                                                 \
            "Where it acts: a set of " field " of a part on a mesh, `skin.top`; or a shell as " \
            "a whole, by name."                                                                 \
    }

static const ts_field PRESSURE_FIELDS[] = {
    WHERE("faces"),
    {.name = "pressure",
     .type = TS_SIGNAL,
     .dim = TS_DIM_STRESS,
     .required = true,
     .help = "Pressure over time: along the normal of a shell, against that of a solid's face."},
    {0}};

static const ts_field SURFACE_FIELDS[] = {WHERE("faces"),
                                          {.name = "force",
                                           .type = TS_SIGNAL3,
                                           .dim = TS_DIM_STRESS,
                                           .required = true,
                                           .help = "Force per area as drawn, over time, global "
                                                   "axes."},
                                          {0}};

static const ts_field EDGE_FIELDS[] = {
    WHERE("edges"),
    {.name = "force",
     .type = TS_SIGNAL3,
     .dim = {0, 1, -2, 0},
     .help = "Force per length as drawn, over time, global axes."},
    {.name = "moment",
     .type = TS_SIGNAL3,
     .dim = {1, 1, -2, 0},
     .help = "Moment per length as drawn, over time, global axes."},
    {.name = "normal",
     .type = TS_SIGNAL,
     .dim = {0, 1, -2, 0},
     .help = "Force per length as drawn along the normal of a shell, which turns with it."},
    {0}};

typedef struct patch {
    ts_model *model;
    const ts_mesh *mesh;
    const ts_mesh_set *set;
    int part; /* whose nodes are loaded */
} patch;

/* The cells to be loaded, of the dimension wanted, all of whose points have nodes of the part. */
static int find_patch(ts_builder *b, const ts_value *value, int dimension, patch *p) {
    static const char *const what[] = {"points", "edges", "faces", "solids"};
    p->model = b->model, p->part = value[ON].part[0];
    p->mesh = ts_mesh_of(b->model, b->model->parts[p->part].mesh);
    int set = (int)value[ON].number[0];
    if (set >= 0 && p->mesh->set[set].dimension != dimension)
        set = ts_mesh_find(p->mesh, p->mesh->set[set].name, dimension);
    if (set < 0)
        return ts_build_fail(b, ON, NULL, "'%.60s' is not a set of %s", value[ON].text,
                             what[dimension]);
    p->set = &p->mesh->set[set];
    for (int i = 0; i < p->set->points; i++)
        if (ts_part_point_node(b->model, p->part, p->set->point[i]) < 0)
            return ts_build_fail(b, ON, NULL,
                                 "point %d of the set does not belong to the part: it has no node",
                                 p->set->point[i] + 1);
    return 0;
}

/* ---- dead ---- */

static void spread(ts_builder *b, const patch *p, ts_value *value, ts_load load) {
    ts_share_of_point *share = ts_mesh_shares(p->mesh, p->set->cells, p->set->cell);
    for (int k = 0; k < 3; k++) load.signal[k] = load.follower ? -1 : ts_take_signal(b, value, k);
    if (load.follower) load.signal[2] = ts_take_signal(b, value, 0);
    for (int i = 0; i < p->set->points; i++) {
        load.node = ts_part_point_node(p->model, p->part, p->set->point[i]);
        load.factor = share[p->set->point[i]].measure;
        bool turns = p->model->nodes[load.node].kind != TS_NODE_POINT;
        if (load.factor != 0 && (turns || !load.moment)) ts_model_load(p->model, load);
    }
    free(share);
}

static int build_surface(ts_builder *b, ts_value *value) {
    patch p = {0};
    if (find_patch(b, value, 2, &p)) return TORSOR_EINVAL;
    ts_new_part(b, &TS_KIND_SURFACE_LOAD)->nodeB = (int)value[ON].list[0];
    spread(b, &p, &value[FIRST], (ts_load){0});
    return 0;
}

/* Moments need directors; the normal of an edge in a fold is nobody's. */
static int check_edge(ts_builder *b, const ts_value *value, const patch *p) {
    bool shell = p->model->parts[p->part].points_are == TS_NODE_DIRECTOR;
    for (int field = SECOND; field <= NORMAL; field++)
        if (value[field].given && !shell)
            return ts_build_fail(b, field, "use forces on a solid",
                                 "the points of a solid do not turn and have no normal");
    for (int i = 0; value[NORMAL].given && i < value[ON].count; i++)
        if (p->model->nodes[(int)value[ON].list[i]].kind == TS_NODE_FRAME)
            return ts_build_fail(b, NORMAL, "give a `force`",
                                 "the edge touches a fold, where the shell has two normals");
    if (!value[FIRST].given && !value[SECOND].given && !value[NORMAL].given)
        return ts_build_fail(b, -1, NULL, "give a `force`, a `moment` or a `normal` force");
    return 0;
}

static int build_edge(ts_builder *b, ts_value *value) {
    patch p = {0};
    if (find_patch(b, value, 1, &p) || check_edge(b, value, &p)) return TORSOR_EINVAL;
    ts_new_part(b, &TS_KIND_EDGE_LOAD)->nodeB = (int)value[ON].list[0];
    if (value[FIRST].given) spread(b, &p, &value[FIRST], (ts_load){0});
    if (value[SECOND].given) spread(b, &p, &value[SECOND], (ts_load){.moment = true});
    if (value[NORMAL].given) spread(b, &p, &value[NORMAL], (ts_load){.follower = true});
    return 0;
}

/* ---- pressure ---- */

/* w N, N,1, N,2 of all nodes at the points of a rule that integrates N (r,1 x r,2) exactly; sign: along the normal, or against it */
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

static void add_faces(const patch *p, int signal) {
    int rule[TS_CELL_TYPES] = {0}, points[TS_CELL_TYPES] = {0}, node[TS_FACE_NODES];
    double sign = p->model->parts[p->part].points_are == TS_NODE_POINT ? -1 : 1;
    for (int i = 0; i < p->set->cells; i++) {
        const ts_cell *cell = &p->mesh->cell[p->set->cell[i]];
        ts_cell_type type = cell->type;
        if (!points[type]) rule[type] = add_rule(p->model, type, sign, &points[type]);
        for (int a = 0; a < cell->count; a++)
            node[a] =
                ts_part_point_node(p->model, p->part, ts_mesh_nodes(p->mesh, p->set->cell[i])[a]);
        ts_pressure pressure = {
            .nodes = cell->count, .rule = rule[type], .points = points[type], .signal = signal};
        ts_model_pressure(p->model, pressure, node);
    }
}

static int build_pressure(ts_builder *b, ts_value *value) {
    patch p = {0};
    if (find_patch(b, value, 2, &p)) return TORSOR_EINVAL;
    ts_new_part(b, &TS_KIND_PRESSURE)->nodeB = (int)value[ON].list[0];
    add_faces(&p, ts_take_signal(b, &value[FIRST], 0));
    return 0;
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
    .help = "A dead force or moment per length along edges.",
    .fields = EDGE_FIELDS,
    .build = build_edge,
    .sample =
        "{type: edge_load, edges: H.u+, force: [0, 1, 2], moment: [0, 0.3, 0.1], normal: 2*t}",
};
