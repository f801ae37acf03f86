/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: two meshes made one, points that coincide becoming common. */
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { FIRST, SECOND, TOLERANCE };

static const char *const MESHES[] = {"meshes", NULL};

static const ts_field FIELDS[] = {{.name = "first",
                                   .type = TS_PART,
                                   .choices = MESHES,
                                   .required = true,
                                   .help = "A mesh that is defined further up."},
                                  {.name = "second",
                                   .type = TS_PART,
                                   .choices = MESHES,
                                   .required = true,
                                   .help = "Another one."},
                                  {.name = "tolerance",
                                   .type = TS_NUMBER,
                                   .dim = TS_DIM_LENGTH,
                                   .help = "Points closer together than this are merged.",
                                   .fallback = "1e-6 of the size of the meshes"},
                                  {0}};

static void unite(ts_mesh *mesh, const ts_mesh *from[2]) {
    int dimension = ts_mesh_dimension(mesh), first = from[0]->cells;
    if (ts_mesh_dimension(from[0]) != ts_mesh_dimension(from[1])) return;
    int all = ts_mesh_set_named(mesh, "all", dimension);
    for (int k = 0; k < 2; k++) {
        int set = ts_mesh_find(from[k], "all", dimension);
        for (int i = 0; set >= 0 && i < from[k]->set[set].cells; i++)
            ts_mesh_into_set(mesh, all, (k ? first : 0) + from[k]->set[set].cell[i]);
    }
}

static int build(ts_builder *b, ts_value *value) {
    const ts_mesh *from[2];
    ts_mesh *mesh = ts_mesh_new();
    for (int k = 0; k < 2; k++) {
        from[k] = ts_mesh_of(b->model, value[FIRST + k].part[0]);
        ts_mesh_append(mesh, from[k], b->model->parts[value[FIRST + k].part[0]].name);
    }
    v3 low, high;
    ts_mesh_box(mesh, &low, &high);
    double tolerance =
        value[TOLERANCE].given ? value[TOLERANCE].number[0] : 1e-6 * v3_norm(v3_sub(high, low));
    if (!(tolerance > 0)) {
        ts_mesh_free(mesh);
        return ts_build_fail(b, TOLERANCE, NULL, "the tolerance must be above zero");
    }
    unite(mesh, from);
    if (value[FIRST].part[0] == value[SECOND].part[0] || ts_mesh_merge(mesh, tolerance)) {
        bool same = value[FIRST].part[0] == value[SECOND].part[0];
        ts_mesh_free(mesh);
        return ts_build_fail(b, same ? SECOND : TOLERANCE, NULL, "%.300s",
                             same ? "a mesh cannot be joined to itself" : ts_error_message());
    }
    return ts_mesh_store(b, &TS_KIND_MESH_JOIN, mesh);
}

const ts_kind TS_KIND_MESH_JOIN = {
    .name = "join",
    .section = "meshes",
    .help = "Two meshes joined: points that coincide are merged. Sets: `all`, and those of both "
            "meshes as `NAME.set`. Faces between the two stay in their sets.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: join, first: Q1, second: Q2}"};
