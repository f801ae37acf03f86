/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: a box of hexahedra or tetrahedra, its edges along the axes. */
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { SIZE, FROM, TO, DIVISIONS, CELLS, COMMON };

static const char *const CELL_WORDS[] = {"hex", "tet", NULL};

static const ts_field FIELDS[] = {
    {.name = "size",
     .type = TS_VECTOR,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "Edge lengths; the box then begins at the origin. Or give from and to."},
    {.name = "from",
     .type = TS_PLACE,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "The lowest corner."},
    {.name = "to",
     .type = TS_PLACE,
     .choices = TS_LOCAL,
     .dim = TS_DIM_LENGTH,
     .help = "The highest corner."},
    {.name = "divisions", .type = TS_NUMBERS, .required = true, .help = "Cells along x, y and z."},
    {.name = "cells",
     .type = TS_CHOICE,
     .choices = CELL_WORDS,
     .help = "Hexahedra, or six tetrahedra instead of each.",
     .fallback = "hex"},
    TS_GRID_FIELDS,
    {0}};

typedef struct box {
    v3 from, size;
} box;

static void place(const void *context, const double u[3], v3 *x, v3 *normal) {
    const box *b = context;
    (void)normal;
    *x = v3_add(b->from, v3_make(u[0] * b->size.x, u[1] * b->size.y, u[2] * b->size.z));
}

static int read_box(ts_builder *b, const ts_value *value, box *out) {
    bool corners = value[FROM].given && value[TO].given;
    if (value[SIZE].given == corners || value[FROM].given != value[TO].given)
        return ts_build_fail(b, -1, NULL, "give the size of the box, or its corners from and to");
    out->from = v3_load(value[FROM].number);
    out->size =
        corners ? v3_sub(v3_load(value[TO].number), out->from) : v3_load(value[SIZE].number);
    if (out->size.x > 0 && out->size.y > 0 && out->size.z > 0) return 0;
    return ts_build_fail(b, corners ? TO : SIZE, NULL,
                         "the box must have a positive size along x, y and z");
}

static int build(ts_builder *b, ts_value *value) {
    box shape;
    ts_grid grid = {.dimension = 3,
                    .closed = -1,
                    .simplices = value[CELLS].number[0] == 1,
                    .side = {"x-", "x+", "y-", "y+", "z-", "z+"},
                    .place = place,
                    .context = &shape};
    if (read_box(b, value, &shape) || ts_grid_read(b, value, DIVISIONS, COMMON, &grid))
        return TORSOR_EINVAL;
    return ts_grid_build(b, &TS_KIND_MESH_BOX, value, COMMON, &grid);
}

const ts_kind TS_KIND_MESH_BOX = {
    .name = "box",
    .section = "meshes",
    .help = "A box of hexahedra or tetrahedra. Sets: `all`; the faces `x-`, `x+`, `y-`, `y+`, "
            "`z-`, `z+`; edges and corners as `x-/y+` and `x-/y+/z-`.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: box, size: [1, 0.2, 0.1], divisions: [3, 2, 1], order: 2}"};
