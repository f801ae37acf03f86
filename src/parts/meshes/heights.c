/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: a height field, triangles over a grid of heights. */
#include "meshfile/heights.h"
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { HEIGHTS, SIZE, POSITION, ROTATION, FILE_NAME, SCALE };

static const ts_field FIELDS[] = {
    {.name = "heights",
     .type = TS_ROWS,
     .dim = TS_DIM_LENGTH,
     .help = "Rows of heights along z: the first row at the least y, each from the least x on."},
    {.name = "size",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Lengths along x and y; the field begins at the origin."},
    {.name = "position",
     .type = TS_PLACE,
     .dim = TS_DIM_LENGTH,
     .help = "Position of the origin of the field, after the rotation.",
     .fallback = "[0, 0, 0]"},
    {.name = "rotation",
     .type = TS_ROTATION,
     .help = "Rotation of the field about its origin.",
     .fallback = "none"},
    {.name = "file",
     .type = TS_HEIGHTS_FILE,
     .help = "Instead of heights: a file with a row of them on each line, separated by blanks, "
             "commas or semicolons; its path is relative to the model file."},
    {.name = "scale",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "The length of one unit of the heights in the file: `1 mm` for millimetres.",
     .fallback = "the model's unit of length"},
    {0}};

/* Of a file, or as written; NULL: a mistake was told. */
static ts_mesh *take_mesh(ts_builder *b, ts_value *value) {
    int rows = (int)value[HEIGHTS].number[0], columns = rows ? value[HEIGHTS].count / rows : 0;
    ts_mesh *mesh = value[FILE_NAME].mesh;
    if (value[HEIGHTS].given == value[FILE_NAME].given) {
        ts_build_fail(b, value[HEIGHTS].given ? FILE_NAME : -1, NULL,
                      "give either `heights`, or a `file` of them");
        return NULL;
    }
    value[FILE_NAME].mesh = NULL;
    if (mesh) return mesh;
    if (rows >= 2 && columns >= 2) return ts_heights_mesh(value[HEIGHTS].list, rows, columns);
    ts_build_fail(b, HEIGHTS, "write them as rows: [[0, 0.1], [0, 0.2]]",
                  "a height field has two rows or more, of two heights or more");
    return NULL;
}

/* From a grid of ones. */
static void stretch(ts_mesh *mesh, const double *size, double scale) {
    v3 last = mesh->point[mesh->points - 1];
    for (int i = 0; i < mesh->points; i++) {
        v3 p = mesh->point[i];
        mesh->point[i] = v3_make(size[0] * p.x / last.x, size[1] * p.y / last.y, scale * p.z);
    }
}

static int build(ts_builder *b, ts_value *value) {
    const double *size = value[SIZE].list;
    double scale = value[SCALE].given       ? value[SCALE].number[0]
                   : value[FILE_NAME].given ? value[FILE_NAME].number[0]
                                            : 1;
    if (value[SIZE].count != 2 || !(size[0] > 0 && size[1] > 0))
        return ts_build_fail(b, SIZE, NULL, "expected two lengths above zero");
    if (value[SCALE].given && !(value[FILE_NAME].given && scale > 0))
        return ts_build_fail(b, SCALE, NULL, "scale belongs to a file, and must be above zero");
    ts_mesh *mesh = take_mesh(b, value);
    if (!mesh) return TORSOR_EINVAL;
    stretch(mesh, size, scale);
    m3 rotation = value[ROTATION].given ? m3_load(value[ROTATION].number) : m3_identity();
    ts_mesh_move(mesh, 1, v3_load(value[POSITION].number), rotation);
    b->model->refinement.stuck = b->model->parts_count; /* the part that is made now */
    return ts_mesh_store(b, &TS_KIND_MESH_HEIGHTS, mesh);
}

const ts_kind TS_KIND_MESH_HEIGHTS = {
    .name = "heights",
    .section = "meshes",
    .help = "A height field: triangles over a rectangular grid of heights, with normals along z. "
            "The set `all` contains all triangles.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: heights, size: [1, 0.5], heights: [[0, 0.1, 0], [0, 0.2, 0.1]]}"};
