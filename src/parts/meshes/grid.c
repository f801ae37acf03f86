/* SPDX-License-Identifier: Apache-2.0 */
/* Structured meshes. See mesh_grid.h.
 *
 * Nodes lie on a lattice, `order` steps to a cell: lattice coordinates i, j, k from 0 to order *
 * divisions. A solid cell is a hexahedron, or six tetrahedra: one for each order in which the three
 * axes can be walked from the lowest corner to the highest (Kuhn); on a face common to two cells
 * both then draw the same diagonal.
 */
#include "parts/meshes/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/refine.h"

enum { MAX_POINTS = 4000000, MAX_DIVISIONS = 1000000 };
enum { CELL_ACCURACY = 2 }; /* order of accuracy that error bars assume of shells and solids */

/* ---- the lattice ---- */

typedef struct lattice {
    ts_mesh *mesh;
    const ts_grid *grid;
    /* highest coordinate; number of different ones (a closed direction has one less) */
    int last[3], size[3];
    int *point; /* by place in the lattice; -1 where no node is */
    ts_cell_type solid, surface, line;
} lattice;

static int *slot(const lattice *l, const int at[3]) {
    size_t i = (size_t)(at[0] % l->size[0]), j = (size_t)(at[1] % l->size[1]),
           k = (size_t)(at[2] % l->size[2]);
    return &l->point[(k * (size_t)l->size[1] + j) * (size_t)l->size[0] + i];
}

static bool has_node(const ts_grid *g, const int at[3]) {
    int odd = 0;
    for (int d = 0; d < 3; d++) odd += g->order == 2 && at[d] % 2;
    return !g->serendipity || odd < 2;
}

/* Was there a node before the cells were halved? */
static bool was_node(const ts_grid *g, const int at[3]) {
    const int pieces = 1 << g->refined;
    const int before[3] = {at[0] / pieces, at[1] / pieces, at[2] / pieces};
    for (int d = 0; d < 3; d++)
        if (at[d] % pieces != 0) return false;
    return has_node(g, before);
}

static void add_point(lattice *l, const int at[3]) {
    const ts_grid *g = l->grid;
    double u[3] = {0};
    v3 x, normal = {0, 0, 0};
    *slot(l, at) = -1;
    if (!has_node(g, at)) return;
    for (int d = 0; d < g->dimension; d++) u[d] = (double)at[d] / l->last[d];
    g->place(g->context, u, &x, &normal);
    int n = ts_mesh_point(l->mesh, x);
    *slot(l, at) = n;
    if (g->refined && was_node(g, at)) ts_mesh_drawn(l->mesh, n);
    if (l->mesh->normal) l->mesh->normal[n] = normal;
}

/* Surfaces have normals, if the mesh has had them so far. */
static void add_points(lattice *l) {
    size_t count = (size_t)l->size[0] * (size_t)l->size[1] * (size_t)l->size[2];
    ts_mesh *m = l->mesh;
    bool normals = l->grid->dimension == 2 && (m->normal || m->points == 0);
    l->point = ts_calloc(count, sizeof *l->point);
    if (normals) m->normal = ts_realloc(m->normal, (size_t)m->points + count, sizeof *m->normal);
    for (int k = 0; k < l->size[2]; k++)
        for (int j = 0; j < l->size[1]; j++)
            for (int i = 0; i < l->size[0]; i++) add_point(l, (const int[3]){i, j, k});
}

static lattice lattice_new(ts_mesh *mesh, const ts_grid *g) {
    lattice l = {.mesh = mesh, .grid = g};
    bool second = g->order == 2, less = g->serendipity;
    for (int d = 0; d < 3; d++) {
        l.last[d] = d < g->dimension ? g->order * g->divisions[d] : 0;
        l.size[d] = l.last[d] + (d != g->closed);
    }
    l.line = second ? TS_CELL_LINE3 : TS_CELL_LINE2;
    l.surface = !second ? TS_CELL_QUAD4 : less ? TS_CELL_QUAD8 : TS_CELL_QUAD9;
    l.solid = !second ? TS_CELL_HEX8 : less ? TS_CELL_HEX20 : TS_CELL_HEX27;
    if (g->simplices) {
        l.surface = second ? TS_CELL_TRI6 : TS_CELL_TRI3;
        l.solid = second ? TS_CELL_TET10 : TS_CELL_TET4;
    }
    return l;
}

/* ---- cells of full dimension ---- */

/* Lattice coordinates of the nodes of a cell. */
typedef struct places {
    int at[TS_CELL_NODES][3];
} places;

static int add_cell(lattice *l, ts_cell_type type, const places *p) {
    int node[TS_CELL_NODES];
    for (int a = 0; a < ts_cell_about(type)->nodes; a++) node[a] = *slot(l, p->at[a]);
    return ts_mesh_cell(l->mesh, type, node);
}

static void box_places(const lattice *l, ts_cell_type type, const int first[3], places *p) {
    for (int a = 0; a < ts_cell_about(type)->nodes; a++) {
        v3 xi = ts_cell_node(type, a);
        for (int d = 0; d < 3; d++)
            p->at[a][d] = d < l->grid->dimension
                              ? first[d] + (int)((v3_get(xi, d) + 1) * l->grid->order / 2)
                              : 0;
    }
}

/* The tetrahedron of one order of the axes; the odd ones go round the other way. */
static void simplex_places(const lattice *l, const int first[3], int which, places *p) {
    static const int walk[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    int corner[4][3];
    memcpy(corner[0], first, sizeof corner[0]);
    for (int k = 0; k < 3; k++) {
        memcpy(corner[k + 1], corner[k], sizeof corner[k]);
        corner[k + 1][walk[which][k]] += l->grid->order;
    }
    if (which >= 3) {
        int swap[3];
        memcpy(swap, corner[1], sizeof swap), memcpy(corner[1], corner[2], sizeof swap);
        memcpy(corner[2], swap, sizeof swap);
    }
    for (int a = 0; a < ts_cell_about(l->solid)->nodes; a++) {
        v3 xi = ts_cell_node(l->solid, a);
        double L[4] = {1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
        for (int d = 0; d < 3; d++)
            p->at[a][d] = (int)(L[0] * corner[0][d] + L[1] * corner[1][d] + L[2] * corner[2][d] +
                                L[3] * corner[3][d] + 0.5);
    }
}

/* Does this face lie in the side (axis, end)? */
static bool in_side(const lattice *l, const places *p, const int *node, int corners, int side) {
    int axis = side / 2, wanted = side % 2 ? l->last[axis] : 0;
    for (int k = 0; k < corners; k++)
        if (p->at[node[k]][axis] != wanted) return false;
    return true;
}

static bool has_side(const ts_grid *g, int side) {
    return side < 2 * g->dimension && g->side[side] && side / 2 != g->closed;
}

/* Faces of a solid cell that lie in the sides of the block; outwards, as faces of cells are. */
static void add_faces(lattice *l, const places *p) {
    for (int side = 0; side < 6; side++)
        for (int f = 0; f < ts_cell_about(l->solid)->faces && has_side(l->grid, side); f++) {
            int node[TS_FACE_NODES], count = ts_cell_face_nodes(l->solid, f, node);
            if (!in_side(l, p, node, ts_cell_about(l->surface)->corners, side)) continue;
            places face;
            for (int k = 0; k < count; k++) memcpy(face.at[k], p->at[node[k]], sizeof face.at[k]);
            int set = ts_mesh_set_named(l->mesh, l->grid->side[side], 2);
            ts_mesh_into_set(l->mesh, set, add_cell(l, l->surface, &face));
        }
}

static void each_cell(lattice *l, bool faces) {
    const ts_grid *g = l->grid;
    int all = ts_mesh_set_named(l->mesh, "all", g->dimension), step = g->order;
    ts_cell_type type = g->dimension == 3 ? l->solid : l->surface;
    int layers = g->dimension == 3 ? g->divisions[2] : 1;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < g->divisions[1]; j++)
            for (int i = 0; i < g->divisions[0]; i++) {
                const int first[3] = {step * i, step * j, step * k};
                for (int which = 0; which < (g->simplices ? 6 : 1); which++) {
                    places p;
                    if (g->simplices)
                        simplex_places(l, first, which, &p);
                    else
                        box_places(l, type, first, &p);
                    if (faces)
                        add_faces(l, &p);
                    else
                        ts_mesh_into_set(l->mesh, all, add_cell(l, type, &p));
                }
            }
}

/* ---- lines and points where sides meet ---- */

/* `end`: of each direction 0 or 1, or -1 for the one the line runs along. */
static void add_line(lattice *l, const int end[3], int along, bool back, int set) {
    int order = l->grid->order, count = l->grid->divisions[along];
    for (int i = 0; i < count; i++) {
        places p;
        for (int a = 0; a <= order; a++) {
            int offset = order * (a == 1) + (a == 2); /* ends first, then the middle */
            for (int d = 0; d < 3; d++) p.at[a][d] = end[d] > 0 ? l->last[d] : 0;
            p.at[a][along] = order * i + (back ? order - offset : offset);
        }
        ts_mesh_into_set(l->mesh, set, add_cell(l, l->line, &p));
    }
}

static void add_corner(lattice *l, const int end[3], int set) {
    places p;
    for (int d = 0; d < 3; d++) p.at[0][d] = end[d] > 0 ? l->last[d] : 0;
    ts_mesh_into_set(l->mesh, set, add_cell(l, TS_CELL_POINT1, &p));
}

/* The sides named in `end` and what they have in common: "x-/y+". False if one of them is no
 * side. */
static bool meeting(const ts_grid *g, const int end[3], char *name, size_t size) {
    size_t used = 0;
    for (int d = 0; d < g->dimension; d++) {
        if (end[d] < 0) continue;
        int side = 2 * d + end[d];
        if (!has_side(g, side)) return false;
        used += (size_t)snprintf(name + used, size - used, "%s%s", used ? "/" : "", g->side[side]);
        if (used >= size) return false;
    }
    return used > 0;
}

/* Edges of a surface go round it with the normal up. */
static void add_meetings(lattice *l) {
    const ts_grid *g = l->grid;
    for (int code = 0; code < (g->dimension == 3 ? 27 : 9); code++) {
        int end[3] = {code % 3 - 1, code / 3 % 3 - 1, g->dimension == 3 ? code / 9 - 1 : 0};
        int fixed = 0, along = 0;
        for (int d = 0; d < g->dimension; d++) fixed += end[d] >= 0, along = end[d] < 0 ? d : along;
        char name[120];
        if (fixed < g->dimension - 1 || !meeting(g, end, name, sizeof name)) continue;
        bool back = g->dimension == 2 && (along == 0 ? end[1] == 1 : end[0] == 0);
        int set = ts_mesh_set_named(l->mesh, name, g->dimension - fixed);
        if (fixed == g->dimension)
            add_corner(l, end, set);
        else
            add_line(l, end, along, back, set);
    }
}

void ts_grid_mesh(ts_mesh *mesh, const ts_grid *g) {
    lattice l = lattice_new(mesh, g);
    add_points(&l);
    each_cell(&l, false);
    for (int side = 0; side < 6; side++) /* in this order, whichever cell comes first */
        if (has_side(g, side)) ts_mesh_set_named(mesh, g->side[side], g->dimension - 1);
    if (g->dimension == 3) each_cell(&l, true);
    add_meetings(&l);
    free(l.point);
}

/* ---- fields ---- */

static int read_divisions(ts_builder *b, const ts_value *value, int field, ts_grid *g) {
    const ts_value *v = &value[field];
    if (v->count != g->dimension)
        return ts_build_fail(b, field, NULL,
                             "expected %d whole numbers, one for each direction; got %d",
                             g->dimension, v->count);
    for (int d = 0; d < g->dimension; d++) {
        double n = v->list[d];
        if (!(n >= 1 && n <= MAX_DIVISIONS && n == floor(n)))
            return ts_build_fail(b, field, NULL, "expected whole numbers from 1 to %d",
                                 MAX_DIVISIONS);
        g->divisions[d] = (int)n;
        if (d == g->closed && n < 3)
            return ts_build_fail(b, field, NULL, "a closed ring has at least 3 cells");
    }
    return 0;
}

int ts_grid_read(ts_builder *b, const ts_value *value, int divisions, int common, ts_grid *g) {
    const ts_value *order = &value[common + TS_GRID_ORDER];
    g->order = order->given ? (order->number[0] == 2 ? 2 : (int)(order->number[0] == 1)) : 1;
    g->serendipity = value[common + TS_GRID_SERENDIPITY].number[0] != 0;
    if (g->order == 0)
        return ts_build_fail(b, common + TS_GRID_ORDER, NULL, "expected order 1 or 2");
    if (g->serendipity && (g->order == 1 || g->simplices))
        return ts_build_fail(b, common + TS_GRID_SERENDIPITY, NULL,
                             "only quads and hexahedra of order 2 are serendipity cells");
    if (read_divisions(b, value, divisions, g)) return TORSOR_EINVAL;
    g->refined = ts_refine(b->model, CELL_ACCURACY, 2);
    for (int d = 0; d < g->dimension; d++) g->divisions[d] *= 1 << g->refined;
    double points = 1;
    for (int d = 0; d < g->dimension; d++) points *= g->order * (double)g->divisions[d] + 1;
    if (points <= MAX_POINTS) return 0;
    return ts_build_fail(b, divisions, NULL, "these divisions make %.3g points; at most %d", points,
                         MAX_POINTS);
}

int ts_mesh_store(ts_builder *b, const ts_kind *kind, ts_mesh *mesh) {
    ts_mesh_finish(mesh);
    ts_part *part = ts_new_part(b, kind);
    part->node = -1;
    part->data = ts_model_mesh(b->model, mesh);
    return 0;
}

int ts_grid_store(ts_builder *b, const ts_kind *kind, const ts_value *value, int common,
                  ts_mesh *mesh) {
    const ts_value *turn = &value[common + TS_GRID_ROTATION];
    m3 rotation = turn->given ? m3_load(turn->number) : m3_identity();
    ts_mesh_move(mesh, 1, v3_load(value[common + TS_GRID_POSITION].number), rotation);
    if (ts_mesh_check(mesh, -1)) {
        ts_mesh_free(mesh);
        return ts_build_fail(b, -1, NULL, "%.300s", ts_error_message());
    }
    return ts_mesh_store(b, kind, mesh);
}

int ts_grid_build(ts_builder *b, const ts_kind *kind, const ts_value *value, int common,
                  const ts_grid *grid) {
    ts_mesh *mesh = ts_mesh_new();
    ts_grid_mesh(mesh, grid);
    return ts_grid_store(b, kind, value, common, mesh);
}

int ts_mesh_positive(ts_builder *b, const ts_field *fields, const ts_value *value, int field) {
    if (value[field].number[0] > 0) return 0;
    return ts_build_fail(b, field, NULL, "%s must be above zero", fields[field].name);
}

int ts_mesh_arc(ts_builder *b, const ts_value *value, int field, double *angle, bool *closed) {
    const double turn = 2 * 3.14159265358979323846;
    *angle = value[field].given ? value[field].number[0] : turn;
    if (!(*angle > 0 && *angle <= turn * (1 + 1e-9)))
        return ts_build_fail(b, field, NULL, "expected an angle above 0 and of at most 360 deg");
    *closed = *angle >= turn * (1 - 1e-9);
    return 0;
}
