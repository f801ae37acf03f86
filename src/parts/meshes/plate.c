/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: a plate of quads, a rectangle in the plane or any four corners. */
#include "base/error.h"
#include "parts/meshes/grid.h"

enum { SIZE, CORNERS, DIVISIONS, COMMON };

static const ts_field FIELDS[] = {
    {.name = "size",
     .type = TS_NUMBERS,
     .dim = TS_DIM_LENGTH,
     .help =
         "Lengths along x and y; the plate lies in the plane z = 0 and begins at the origin. Or "
         "give corners."},
    {.name = "corners",
     .type = TS_PLACES,
     .choices = TS_LOCAL,
     .help = "Four corners in order around the plate: x-/y-, x+/y-, x+/y+, x-/y+."},
    {.name = "divisions", .type = TS_NUMBERS, .required = true, .help = "Cells along x and y."},
    TS_GRID_FIELDS,
    {0}};

/* x = sum of the corners, bilinear */
static void place(const void *context, const double u[3], v3 *x, v3 *normal) {
    const v3 *p = context;
    v3 low = v3_axpy(u[0], v3_sub(p[1], p[0]), p[0]),
       high = v3_axpy(u[0], v3_sub(p[2], p[3]), p[3]);
    v3 left = v3_axpy(u[1], v3_sub(p[3], p[0]), p[0]),
       right = v3_axpy(u[1], v3_sub(p[2], p[1]), p[1]);
    *x = v3_axpy(u[1], v3_sub(high, low), low);
    v3 n = v3_cross(v3_sub(right, left), v3_sub(high, low));
    *normal = v3_norm(n) > 0 ? v3_normalize(n) : n;
}

static int read_corners(ts_builder *b, const ts_value *value, v3 p[4]) {
    if (value[SIZE].given == value[CORNERS].given)
        return ts_build_fail(b, -1, NULL, "give the size of the plate, or its four corners");
    if (value[CORNERS].given) {
        if (value[CORNERS].count != 12)
            return ts_build_fail(b, CORNERS, NULL, "expected four corners, got %d",
                                 value[CORNERS].count / 3);
        for (int k = 0; k < 4; k++) p[k] = v3_load(value[CORNERS].list + 3 * k);
        return 0;
    }
    const double *size = value[SIZE].list;
    if (value[SIZE].count != 2 || !(size[0] > 0 && size[1] > 0))
        return ts_build_fail(b, SIZE, NULL, "expected two lengths above zero");
    p[0] = v3_make(0, 0, 0), p[1] = v3_make(size[0], 0, 0);
    p[2] = v3_make(size[0], size[1], 0), p[3] = v3_make(0, size[1], 0);
    return 0;
}

static int build(ts_builder *b, ts_value *value) {
    v3 corner[4];
    ts_grid grid = {.dimension = 2,
                    .closed = -1,
                    .side = {"x-", "x+", "y-", "y+"},
                    .place = place,
                    .context = corner};
    if (read_corners(b, value, corner) || ts_grid_read(b, value, DIVISIONS, COMMON, &grid))
        return TORSOR_EINVAL;
    return ts_grid_build(b, &TS_KIND_MESH_PLATE, value, COMMON, &grid);
}

const ts_kind TS_KIND_MESH_PLATE = {
    .name = "plate",
    .section = "meshes",
    .help =
        "A plate of quads: a rectangle with its normal along z, or any quadrilateral. Sets: "
        "`all`; the edges `x-`, `x+`, `y-`, `y+`; the corners `x-/y-`, `x+/y-`, `x-/y+`, `x+/y+`.",
    .fields = FIELDS,
    .build = build,
    .sample = "{type: plate, size: [1, 0.5], divisions: [4, 2]}"};
