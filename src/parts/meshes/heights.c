/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: a height field, triangles over a grid of heights. */
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { HEIGHTS, SIZE, POSITION, ROTATION };

static const ts_field FIELDS[] = {
    {.name = "heights",
     .type = TS_ROWS,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Rows of heights along z: the first row at the least y, each from the least x on."},
    {.name = "size",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Lengths along x and y; the field begins at the origin."},
    {.name = "position",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Where the origin of the field is put, after the rotation.",
     .fallback = "[0, 0, 0]"},
    {.name = "rotation",
     .type = TS_ROTATION,
     .help = "How the field is turned, about its origin.",
     .fallback = "none"},
    {0}};

/* Two triangles for each cell of the grid, with their normals along z. */
static ts_mesh *mesh_of(const double *height, int rows, int columns, const double *size) {
    ts_mesh *mesh = ts_mesh_new();
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            ts_mesh_point(mesh, v3_make(size[0] * k / (columns - 1), size[1] * i / (rows - 1),
                                        height[i * columns + k]));
    int all = ts_mesh_set_named(mesh, "all", 2);
    for (int i = 0; i + 1 < rows; i++)
        for (int k = 0; k + 1 < columns; k++) {
            int a = i * columns + k, c = a + columns + 1;
            int lower[3] = {a, a + 1, c}, upper[3] = {a, c, c - 1};
            ts_mesh_into_set(mesh, all, ts_mesh_cell(mesh, TS_CELL_TRI3, lower));
            ts_mesh_into_set(mesh, all, ts_mesh_cell(mesh, TS_CELL_TRI3, upper));
        }
    return mesh;
}

static int build(ts_builder *b, ts_value *value) {
    const double *size = value[SIZE].list;
    int rows = (int)value[HEIGHTS].number[0], columns = rows ? value[HEIGHTS].count / rows : 0;
    if (rows < 2 || columns < 2)
        return ts_build_fail(b, HEIGHTS, "write them as rows: [[0, 0.1], [0, 0.2]]",
                             "a height field has two rows or more, of two heights or more");
    if (value[SIZE].count != 2 || !(size[0] > 0 && size[1] > 0))
        return ts_build_fail(b, SIZE, NULL, "expected two lengths above zero");
    ts_mesh *mesh = mesh_of(value[HEIGHTS].list, rows, columns, size);
    m3 rotation = value[ROTATION].given ? m3_load(value[ROTATION].number) : m3_identity();
    ts_mesh_move(mesh, 1, v3_load(value[POSITION].number), rotation);
    b->model->refinement.stuck = b->model->parts_count; /* the part that is made now */
    return ts_mesh_store(b, &TS_KIND_MESH_HEIGHTS, mesh);
}

const ts_kind TS_KIND_MESH_HEIGHTS = {
    .name = "heights",
    .section = "meshes",
    .help = "A height field: triangles over a rectangular grid of heights, with normals along z. "
            "All of them are the set `all`.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: heights, size: [1, 0.5], heights: [[0, 0.1, 0], [0, 0.2, 0.1]]}"};
