/* SPDX-License-Identifier: Apache-2.0 */
/* Structured meshes: a rectangle or a block of cells, mapped into space. Shared by the kinds of
 * meshes. */
#ifndef TS_MESH_GRID_H
#define TS_MESH_GRID_H

#include "model/mesh.h"
#include "parts/parts.h"

/* x, and for surfaces the unit normal along dx/du x dx/dv, at coordinates from 0 to 1 */
typedef void ts_grid_place(const void *context, const double u[3], v3 *x, v3 *normal);

typedef struct ts_grid {
    int dimension;       /* 2: a surface, 3: a solid */
    int divisions[3];    /* cells along u, v, w */
    int order;           /* 1 or 2 */
    bool serendipity;    /* without nodes in the middle of faces and cells */
    bool simplices;      /* six tetrahedra in the place of a hexahedron */
    int closed;          /* the direction in which the end is the beginning, or -1 */
    int refined;         /* how many times: each time twice as many cells */
    const char *side[6]; /* names of the sets at u = 0, u = 1, v = 0 ...; NULL: no set */
    ts_grid_place *place;
    const void *context;
} ts_grid;

/* Adds points, cells and sets. Where sides meet there are lines and points, named after both:
 * "x-/y+". */
void ts_grid_mesh(ts_mesh *mesh, const ts_grid *grid);

/* ---- fields that all generated meshes end with ---- */

enum {
    TS_GRID_ORDER,
    TS_GRID_SERENDIPITY,
    TS_GRID_POSITION,
    TS_GRID_ROTATION,
    TS_GRID_FIELD_COUNT
};

#define TS_GRID_FIELDS                                                                             \
    {.name = "order",                                                                              \
     .type = TS_INTEGER,                                                                           \
     .help = "Order of the cells: 1 (quad4, hex8, tet4) or 2 (quad9, hex27, tet10).",              \
     .fallback = "1"},                                                                             \
        {.name = "serendipity",                                                                    \
         .type = TS_BOOLEAN,                                                                       \
         .help = "With order 2, cells without nodes in the middle of faces: quad8, hex20.",        \
         .fallback = "false"},                                                                     \
        {.name = "position",                                                                       \
         .type = TS_PLACE,                                                                         \
         .dim = TS_DIM_LENGTH,                                                                     \
         .help = "Position of the origin of the mesh, after the rotation.",                        \
         .fallback = "[0, 0, 0]"},                                                                 \
    {                                                                                              \
        .name = "rotation", .type = TS_ROTATION, .help = "Rotation of the mesh about its origin.", \
        .fallback = "none"                                                                         \
    }

/* Reads divisions (`divisions`, of as many numbers as the grid has dimensions) and the common
 * fields from `common` on. */
int ts_grid_read(ts_builder *b, const ts_value *value, int divisions, int common, ts_grid *grid);
/* Moves the mesh by the common fields, checks it, and makes it a part. Owns the mesh from then
 * on. */
int ts_grid_store(ts_builder *b, const ts_kind *kind, const ts_value *value, int common,
                  ts_mesh *mesh);
/* Makes and stores a mesh of one grid. */
int ts_grid_build(ts_builder *b, const ts_kind *kind, const ts_value *value, int common,
                  const ts_grid *grid);
int ts_mesh_store(ts_builder *b, const ts_kind *kind, ts_mesh *mesh);

/* Checks of values that stop with a message at the field. */
int ts_mesh_positive(ts_builder *b, const ts_field *fields, const ts_value *value, int field);
/* An arc of at most a turn; *closed when it is one (or not given). */
int ts_mesh_arc(ts_builder *b, const ts_value *value, int field, double *angle, bool *closed);

#endif
