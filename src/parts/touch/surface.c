/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces that may touch, over meshes. See contact/search/neighbours.c, faces.c.
 *
 *   surface   triangles of a mesh on a body or on the ground
 *   skin      faces of a solid or of a shell: its nodes touch as points, its triangles are touched
 *
 * One part has a shape for each of its patches; a skin has one more, the cloud of its nodes. Both
 * pass each other: nodes of one on triangles of the other and the other way round, with half of the
 * stiffness each.
 */
#include "base/error.h"
#include "contact/features.h"
#include "model/mesh_nodes.h"
#include "parts/continuum.h"
#include "parts/parts.h"
#include "parts/touch/faces.h"

/* ---- shared by both kinds ---- */

/* Triangles of a patch over the points of a surface, with the points that it uses. */
static void add_patch(ts_model *model, const ts_faces *x, int patch,
                      void (*add)(ts_model *, const ts_faces *, int point, const void *),
                      const void *context) {
    int *number = ts_calloc((size_t)x->points + 1, sizeof *number), points = 0;
    for (int i = 0; i < x->count; i++) {
        int corner[3];
        if (x->patch[i] != patch) continue;
        for (int k = 0; k < 3; k++) {
            int p = x->face[i].corner[k];
            if (!number[p]) add(model, x, p, context), number[p] = ++points;
            corner[k] = number[p] - 1;
        }
        ts_model_shape_face(model, corner);
    }
    free(number);
}

static const double MARGIN = 0.1; /* of boxes: of the mean edge */

/* Finds a set of surfaces or of solids. */
static int find_set(ts_builder *b, const ts_mesh *mesh, const char *name, int field, int *set) {
    *set = ts_mesh_find(mesh, name, 2);
    if (*set < 0) *set = ts_mesh_find(mesh, name, 3);
    if (*set >= 0) return 0;
    return ts_build_fail(b, field, "name a set of faces, or a mesh of them", "%.250s",
                         ts_error_message());
}

static int check_thickness(ts_builder *b, const ts_value *value, int field) {
    if (!value[field].given || value[field].number[0] >= 0) return 0;
    return ts_build_fail(b, field, NULL, "a thickness must not be negative");
}

/* ---- surface ---- */

enum { ON, MESH, SET, THICKNESS, INSIDE };

static const ts_field SURFACE[] = {
    {.name = "on",
     .type = TS_BODY,
     .required = true,
     .help = "The body, or ground, that carries the shape."},
    {.name = "mesh",
     .type = TS_PART,
     .choices = TS_MESH_CHOICES,
     .required = true,
     .help = "The mesh, as drawn (global): its faces, or those around its solids."},
    {.name = "set", .type = TS_TEXT, .help = "The set of the mesh to use.", .fallback = "all"},
    {.name = "thickness",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Thickness of the surface: half of it lies on either side.",
     .fallback = "0"},
    {.name = "inside",
     .type = TS_BOOLEAN,
     .help = "true: shapes move inside of a closed surface, as in a room; normals point inwards.",
     .fallback = "false"},
    {0}};

static ts_shape *last_shape(ts_model *model) { return &model->shapes[model->shapes_count - 1]; }

static void add_rigid(ts_model *model, const ts_faces *x, int point, const void *context) {
    const ts_mesh *mesh = context;
    const ts_node *node = &model->nodes[last_shape(model)->node];
    v3 drawn = v3_sub(mesh->point[x->point[point]], node->x);
    ts_model_shape_point(model, m3_tapply(node->D, drawn));
}

/* Where an edge ends, its corners carry the load: the edge is shortened by this share. */
static const double LESS = 0.05;

static void add_end(ts_model *model, const ts_shape *shape, int near, int far) {
    v3 a = model->shape_points[shape->point + near], b = model->shape_points[shape->point + far];
    if (shape->flexible) {
        int node[] = {model->woven[shape->woven + near].node[0],
                      model->woven[shape->woven + far].node[0]};
        ts_model_woven_more(
            model, (ts_woven){.nodes = 2, .node = {node[0], node[1]}, .weight = {1 - LESS, LESS}});
    }
    ts_model_shape_more(model, v3_axpy(LESS, v3_sub(b, a), a));
}

/* Ridges of the patch that was added last. */
static void add_ridges(ts_model *model, const ts_faces *x, int patch) {
    int *number = ts_calloc((size_t)x->ridges + 1, sizeof *number), next = 0;
    ts_shape *shape = last_shape(model);
    for (int i = 0; i < x->count; i++) {
        if (x->patch[i] != patch) continue;
        ts_face *face = &model->shape_faces[shape->face + next++];
        for (int k = 0; k < 3; k++) {
            int e = x->face[i].edge[k];
            face->ridge[k] = x->face[i].ridge[k];
            if (e < 0) continue;
            if (!number[e]) {
                int a = face->corner[k], b = face->corner[(k + 1) % 3];
                add_end(model, shape, a, b), add_end(model, shape, b, a);
                number[e] = ++shape->edges;
            }
            face->edge[k] = number[e] - 1;
        }
    }
    free(number);
}

static int build_surface(ts_builder *b, ts_value *value) {
    const ts_mesh *mesh = ts_mesh_of(b->model, value[MESH].part[0]);
    int node = value[ON].node[0], set;
    if (b->model->nodes[node].kind != TS_NODE_FRAME)
        return ts_build_fail(b, ON, "use a body", "'%.60s' does not turn: no surface can be on it",
                             value[ON].text);
    if (check_thickness(b, value, THICKNESS) ||
        find_set(b, mesh, value[SET].given ? value[SET].text : "all", SET, &set))
        return TORSOR_EINVAL;
    if (mesh->set[set].dimension == 2 && ts_mesh_check_sides(mesh, set))
        return ts_build_fail(b, MESH, "turn the faces over so that all normals point outwards",
                             "%.250s", ts_error_message());
    ts_faces x;
    ts_faces_of(mesh, set, &x);
    ts_part *part = ts_new_part(b, &TS_KIND_SURFACE);
    part->data = b->model->shapes_count;
    for (int k = 0; k < x.patches; k++) {
        ts_model_shape(b->model, (ts_shape){.node = node,
                                            .radius = 0.5 * value[THICKNESS].number[0],
                                            .margin = MARGIN * x.edge});
        add_patch(b->model, &x, k, add_rigid, mesh);
        add_ridges(b->model, &x, k);
    }
    ts_faces_clear(&x);
    bool inside = value[INSIDE].given && value[INSIDE].number[0] != 0;
    if (inside || !ts_faces_inwards(b->model, b->model->parts_count - 1)) return 0;
    return ts_build_fail(
        b, MESH,
        "turn the faces of the mesh over; or say `inside: true` if shapes move "
        "inside, as in a room",
        "the surface is closed, and its normals point inwards: its edges would not "
        "touch what comes from outside");
}

const ts_kind TS_KIND_SURFACE = {
    .name = "surface",
    .section = "shapes",
    .help =
        "Triangles of a mesh on a body or on the ground. Spheres touch them, skins and lines with "
        "their points, capsules, boxes and hulls with their corners and edges, cylinders and discs "
        "with their circles and sides. The nearest triangle is touched, from either side.",
    .fields = SURFACE,
    .build = build_surface,
    .sample = "{type: surface, on: ground, mesh: Q}"};

/* ---- skin ---- */

enum { FACES, SKIN_THICKNESS };

static const ts_field SKIN[] = {
    {.name = "faces",
     .type = TS_NODES,
     .required = true,
     .help = "A set of faces of a part on a mesh, `block.z-`; or a shell, or a solid with all its "
             "faces, by name."},
    {.name = "thickness",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Half of it is the radius of its points and faces: of a shell, its own thickness.",
     .fallback = "10 % of the mean edge of its triangles"},
    {0}};

/* Origin of the nodes of a skin. */
typedef struct skin {
    int part;
} skin;

static ts_woven node_at(const ts_model *model, int part, int point) {
    return (ts_woven){.nodes = 1, .node = {ts_part_point_node(model, part, point)}, .weight = {1}};
}

static void add_woven(ts_model *model, const ts_faces *x, int point, const void *context) {
    const skin *s = context;
    ts_model_woven_point(model, node_at(model, s->part, x->point[point]), x->share[point]);
}

static int check_nodes(ts_builder *b, const ts_faces *x, int part) {
    for (int i = 0; i < x->points; i++)
        if (ts_part_point_node(b->model, part, x->point[i]) < 0)
            return ts_build_fail(b, FACES, NULL,
                                 "point %d of the set does not belong to the part: it has no node",
                                 x->point[i] + 1);
    return 0;
}

static void add_skin(ts_builder *b, const ts_faces *x, int part, double thickness) {
    skin s = {part};
    ts_shape shape = {.node = ts_part_point_node(b->model, part, x->point[0]),
                      .flexible = true,
                      .backed = true,
                      .radius = 0.5 * thickness,
                      .margin = MARGIN * x->edge};
    ts_new_part(b, &TS_KIND_SKIN)->data = b->model->shapes_count;
    shape.cloud = true;
    ts_model_shape(b->model, shape);
    for (int i = 0; i < x->points; i++) add_woven(b->model, x, i, &s);
    shape.cloud = false;
    for (int k = 0; k < x->patches; k++) {
        ts_model_shape(b->model, shape);
        add_patch(b->model, x, k, add_woven, &s);
        add_ridges(b->model, x, k);
    }
}

static int build_skin(ts_builder *b, ts_value *value) {
    ts_piece piece = value[FACES].piece[0];
    int set = piece.set, code;
    const ts_mesh *mesh = ts_mesh_of(b->model, b->model->parts[piece.part].mesh);
    if (value[FACES].pieces != 1)
        return ts_build_fail(b, FACES, "make a skin of each", "one set is one skin, here are %d",
                             value[FACES].pieces);
    if (set < 0)
        return ts_build_fail(b, FACES, NULL, "these are single nodes of '%.60s', not a set",
                             b->model->parts[piece.part].name);
    if (check_thickness(b, value, SKIN_THICKNESS) ||
        (mesh->set[set].dimension < 2 && find_set(b, mesh, mesh->set[set].name, FACES, &set)))
        return TORSOR_EINVAL;
    ts_faces x;
    ts_faces_of(mesh, set, &x);
    double thickness = value[SKIN_THICKNESS].given ? value[SKIN_THICKNESS].number[0] : 0.1 * x.edge;
    code = check_nodes(b, &x, piece.part);
    if (!code) add_skin(b, &x, piece.part, thickness);
    ts_faces_clear(&x);
    return code;
}

const ts_kind TS_KIND_SKIN = {
    .name = "skin",
    .section = "shapes",
    .help = "Faces of a solid or of a shell. Its nodes touch planes, boxes, capsules and triangles "
            "of other skins and surfaces; spheres and corners touch its triangles.",
    .fields = SKIN,
    .build = build_skin,
    .sample = "{type: skin, faces: H}"};
