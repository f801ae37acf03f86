/* SPDX-License-Identifier: Apache-2.0 */
/* A mesh: points, cells, named sets of cells. Shells, solids, loads and joints use it.
 *
 * Filled by a generator or a reader with the functions below, closed by ts_mesh_finish, constant
 * from then on. The order of the nodes of a cell is that of VTK (math/element_shapes.h), whatever
 * the file had. A set holds cells of one dimension: solids, surfaces, lines or points; its points
 * are those of its cells. Faces of solids that belong to a set (to be loaded, to be held) are cells
 * of their own.
 */
#ifndef TS_MESH_H
#define TS_MESH_H

#include <stdio.h>

#include "math/element_shapes.h"
#include "math/vec3.h"

typedef struct ts_model ts_model;

typedef struct ts_cell {
    ts_cell_type type;
    int first; /* in mesh->nodes */
    int count;
    long tag; /* number of the cell in the file it came from; 0 when there is none */
} ts_cell;

typedef struct ts_mesh_set {
    char *name;
    int dimension;
    int *cell, cells, room; /* ascending, each once */
    int *point, points;     /* likewise */
} ts_mesh_set;

typedef struct ts_mesh {
    v3 *point;
    v3 *normal; /* of the exact surface at each point, unit vectors; NULL where it is not known */
    int points, point_room;
    ts_cell *cell;
    int cells, cell_room;
    int *node; /* indices of points */
    int nodes, node_room;
    ts_mesh_set *set;
    int sets;
    int *drawn; /* of a refined mesh: the points that it had as drawn, by their number then */
    int drawns, drawn_room;
} ts_mesh;

/* ---- filling ---- */

ts_mesh *ts_mesh_new(void);
void ts_mesh_free(ts_mesh *mesh);
int ts_mesh_point(ts_mesh *mesh, v3 x);
int ts_mesh_cell(ts_mesh *mesh, ts_cell_type type, const int *node);
int ts_mesh_set_named(ts_mesh *mesh, const char *name, int dimension); /* found, or made */
void ts_mesh_into_set(ts_mesh *mesh, int set, int cell);
void ts_mesh_reverse(ts_mesh *mesh, int cell); /* turns it over, or inside out */
void ts_mesh_move(ts_mesh *mesh, double scale, v3 position, m3 rotation);
/* A point within the tolerance (above zero) of an earlier one becomes that one. Cells that thereby
 * lose a node are refused: TORSOR_EINVAL. */
int ts_mesh_merge(ts_mesh *mesh, double tolerance);
/* Copies another mesh into this one; its sets come as "prefix.name" (prefix NULL: under their own
 * names). */
void ts_mesh_append(ts_mesh *mesh, const ts_mesh *other, const char *prefix);
void ts_mesh_finish(ts_mesh *mesh); /* points of sets */

/* Gives a point of a mesh that is being refined the next number as drawn. */
void ts_mesh_drawn(ts_mesh *mesh, int point);

/* ---- asking ---- */

/* Numbers of points, from 1: all of them, or of a refined mesh those that were drawn. */
static inline int ts_mesh_numbers(const ts_mesh *mesh) {
    return mesh->drawn ? mesh->drawns : mesh->points;
}
static inline int ts_mesh_numbered(const ts_mesh *mesh, int number) {
    return mesh->drawn ? mesh->drawn[number - 1] : number - 1;
}

static inline const int *ts_mesh_nodes(const ts_mesh *mesh, int cell) {
    return mesh->node + mesh->cell[cell].first;
}

/* The set of that name and dimension (-1: any, the highest first), or -1. A miss leaves a message
 * with the nearest name, or all names, in ts_error_message. */
int ts_mesh_find(const ts_mesh *mesh, const char *name, int dimension);
/* Returns the point nearest to x. */
int ts_mesh_nearest(const ts_mesh *mesh, v3 x);
void ts_mesh_box(const ts_mesh *mesh, v3 *low, v3 *high); /* bounds of the points that cells use */
/* Length, area or volume of the set (-1: of all cells of the highest dimension). */
double ts_mesh_measure(const ts_mesh *mesh, int set);
double ts_mesh_cell_measure(const ts_mesh *mesh, int cell);
int ts_mesh_dimension(const ts_mesh *mesh); /* the highest of its cells */

/* Columns: derivatives of the position by the reference coordinates. Lines and surfaces are
 * completed by unit vectors normal to them, so that the determinant is the measure; zero if there
 * is none. */
m3 ts_mesh_jacobian(const ts_mesh *mesh, int cell, v3 xi, v3 *x);

/* Are all cells of the set (-1: of all) of a supported type, and none inside out, flat or folded?
 * Jacobians are taken at Gauss points and at the corners. Otherwise TORSOR_EINVAL and a message
 * that names the cell. */
int ts_mesh_check(const ts_mesh *mesh, int set);
/* "cell 12 (hex8, element 40 of the file, near [1, 2, 3])" */
const char *ts_mesh_cell_words(const ts_mesh *mesh, int cell, char *buffer, size_t size);
/* Do neighbours in a set of surfaces have consistent normals? Edges with more than two cells are
 * not checked. */
int ts_mesh_check_sides(const ts_mesh *mesh, int set);

typedef struct ts_mesh_face {
    int cell, face; /* local nodes: ts_cell_face_nodes */
} ts_mesh_face;

/* Faces of the solid cells of a set (-1: of all) that belong to one cell only; the caller frees
 * them. */
int ts_mesh_boundary(const ts_mesh *mesh, int set, ts_mesh_face **faces);

/* ---- in the model: a part of the section `meshes` ---- */

const ts_mesh *ts_mesh_of(const ts_model *model, int part);
/* Description in words, for `torsor check`. */
void ts_mesh_describe(const ts_model *model, int part, FILE *out);

#endif
