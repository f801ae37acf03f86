/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes from files: of Gmsh, and of triangles. The readers are in src/meshfile; here the mesh is
 * put in its place. */
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { FILE_NAME, SCALE, MERGE, POSITION, ROTATION };

/* Fields that both end with. */
#define PLACED                                                                                     \
    {.name = "scale",                                                                              \
     .type = TS_NUMBER,                                                                            \
     .dim = TS_DIM_LENGTH,                                                                         \
     .help = "The length of one unit in the file: `1 mm` for a drawing in millimetres.",           \
     .fallback = "the model's unit of length"},                                                    \
        {.name = "merge",                                                                          \
         .type = TS_NUMBER,                                                                        \
         .dim = TS_DIM_LENGTH,                                                                     \
         .help = "Points closer together than this are merged.",                                   \
         .fallback = "none are merged"},                                                           \
        {.name = "position",                                                                       \
         .type = TS_PLACE,                                                                         \
         .dim = TS_DIM_LENGTH,                                                                     \
         .help = "Position of the origin of the file, after scale and rotation.",                  \
         .fallback = "[0, 0, 0]"},                                                                 \
    {                                                                                              \
        .name = "rotation", .type = TS_ROTATION, .help = "Rotation of the mesh about its origin.", \
        .fallback = "none"                                                                         \
    }

static const ts_field FIELDS[] = {
    {.name = "file",
     .type = TS_MESH_FILE,
     .required = true,
     .help =
         "A file of Gmsh, format MSH 4.1, text or binary; its path is relative to the model file."},
    PLACED,
    {0}};

static const ts_field TRIANGLES[] = {
    {.name = "file",
     .type = TS_SURFACE_FILE,
     .required = true,
     .help = "A file of triangles: STL, text or binary, or OBJ; its path is relative to the model "
             "file."},
    PLACED,
    {0}};

static int build(ts_builder *b, ts_value *value, const ts_kind *kind) {
    ts_mesh *mesh = value[FILE_NAME].mesh;
    double scale = value[value[SCALE].given ? SCALE : FILE_NAME].number[0];
    m3 rotation = value[ROTATION].given ? m3_load(value[ROTATION].number) : m3_identity();
    if (!(scale > 0)) return ts_build_fail(b, SCALE, NULL, "scale must be above zero");
    if (value[MERGE].given && !(value[MERGE].number[0] > 0))
        return ts_build_fail(b, MERGE, NULL, "the distance must be above zero");
    ts_mesh_move(mesh, scale, v3_load(value[POSITION].number), rotation);
    if (value[MERGE].given && ts_mesh_merge(mesh, value[MERGE].number[0]))
        return ts_build_fail(b, MERGE, NULL, "%.300s", ts_error_message());
    value[FILE_NAME].mesh = NULL;
    b->model->refinement.stuck = b->model->parts_count; /* the part that is made now */
    return ts_mesh_store(b, kind, mesh);
}

static int build_gmsh(ts_builder *b, ts_value *value) {
    return build(b, value, &TS_KIND_MESH_GMSH);
}

static int build_triangles(ts_builder *b, ts_value *value) {
    return build(b, value, &TS_KIND_MESH_TRIANGLES);
}

const ts_kind TS_KIND_MESH_GMSH = {
    .name = "gmsh",
    .section = "meshes",
    .help = "A mesh from a Gmsh file. Its physical groups are the sets, and `all` contains all "
            "cells of the highest dimension.",
    .fields = FIELDS,
    .build = build_gmsh,
    /* one tetrahedron */
    .sample = "{type: gmsh, file: {base64: "
              "JE1lc2hGb3JtYXQKNC4xIDAgOAokRW5kTWVzaEZvcm1hdAokTm9kZXMKMSA0IDEgNAozID"
              "EgMCA0CjEKMgozCjQKMCAwIDAKMSAwIDAKMCAxIDAKMCAwIDEKJEVuZE5vZGVzCiRFbGVt"
              "ZW50cwoxIDEgMSAxCjMgMSA0IDEKMSAxIDIgMyA0CiRFbmRFbGVtZW50cwo="
              "}, "
              "scale: 10 mm}"};

const ts_kind TS_KIND_MESH_TRIANGLES = {
    .name = "triangles",
    .section = "meshes",
    .help = "A surface from a file of triangles, STL or OBJ, for shapes that touch and for shells. "
            "Corners at the same place are merged; triangles without area are left out. The set "
            "`all` contains all triangles.",
    .fields = TRIANGLES,
    .build = build_triangles,
    /* v 0 0 0, v 1 0 0, v 0 1 0, f 1 2 3 */
    .sample = "{type: triangles, file: {base64: "
              "diAwIDAgMAp2IDEgMCAwCnYgMCAxIDAKZiAxIDIgMwo=}, scale: 10 mm}"};
