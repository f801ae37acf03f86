/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes: a rectangle or a block of numbers u, v (, w), mapped into space by expressions. The
 * general way.
 *
 * The normal of a surface, dx/du x dx/dv, comes from the exact derivatives of the expressions.
 */
#include <stdlib.h>

#include "base/error.h"
#include "parts/meshes/grid.h"

enum { X, Y, Z, U, V, W, DIVISIONS, COMMON };

static const char *const VARIABLES[] = {"u", "v", "w", NULL};

static const ts_field FIELDS[] = {
    {.name = "x",
     .type = TS_EXPRESSION,
     .dim = TS_DIM_LENGTH,
     .choices = VARIABLES,
     .required = true,
     .help = "The coordinate x as an expression of the plain numbers u, v (and w)."},
    {.name = "y",
     .type = TS_EXPRESSION,
     .dim = TS_DIM_LENGTH,
     .choices = VARIABLES,
     .required = true,
     .help = "The coordinate y as an expression of u, v (and w)."},
    {.name = "z",
     .type = TS_EXPRESSION,
     .dim = TS_DIM_LENGTH,
     .choices = VARIABLES,
     .help = "The coordinate z as an expression of u, v (and w).",
     .fallback = "0"},
    {.name = "u", .type = TS_NUMBERS, .help = "Range of u.", .fallback = "[0, 1]"},
    {.name = "v", .type = TS_NUMBERS, .help = "Range of v.", .fallback = "[0, 1]"},
    {.name = "w",
     .type = TS_NUMBERS,
     .help = "Range of w. With w the mesh is a solid of hexahedra.",
     .fallback = "none: a surface of quads"},
    {.name = "divisions",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Cells along u, v (and w)."},
    TS_GRID_FIELDS,
    {0}};

typedef struct patch {
    const ts_value *value;
    double range[3][2];
} patch;

static double along(const ts_value *v, const double *u, int d, double *slope) {
    const double direction[3] = {d == 0, d == 1, d == 2};
    double value = 0;
    *slope = 0;
    if (v->expr) value = v->number[0] * ts_expr_at(v->expr, 0, u, direction, slope);
    *slope *= v->number[0];
    return value;
}

static void place(const void *context, const double u[3], v3 *x, v3 *normal) {
    const patch *p = context;
    double at[3], c[3], t[2][3];
    for (int d = 0; d < 3; d++) at[d] = p->range[d][0] * (1 - u[d]) + p->range[d][1] * u[d];
    for (int k = 0; k < 3; k++)
        for (int d = 0; d < 2; d++) c[k] = along(&p->value[X + k], at, d, &t[d][k]);
    *x = v3_load(c);
    v3 n = v3_cross(v3_load(t[0]), v3_load(t[1]));
    *normal = v3_norm(n) > 0 ? v3_normalize(n) : v3_make(0, 0, 0);
}

static int read_range(ts_builder *b, const ts_value *value, int field, double range[2]) {
    range[0] = 0, range[1] = field < W || value[field].given;
    if (!value[field].given) return 0;
    if (value[field].count != 2 || !(value[field].list[0] < value[field].list[1]))
        return ts_build_fail(b, field, NULL,
                             "expected two plain numbers, the first the smaller one");
    range[0] = value[field].list[0], range[1] = value[field].list[1];
    return 0;
}

static int check_finite(ts_builder *b, const ts_mesh *m) {
    for (int i = 0; i < m->points; i++)
        if (!isfinite(m->point[i].x) || !isfinite(m->point[i].y) || !isfinite(m->point[i].z))
            return ts_build_fail(b, X, NULL,
                                 "x, y or z is not finite at one of the points of the mesh");
    return 0;
}

/* Normals are known only if they are known everywhere. */
static void drop_missing_normals(ts_mesh *m) {
    for (int i = 0; m->normal && i < m->points; i++)
        if (!(v3_norm(m->normal[i]) > 0.5)) free(m->normal), m->normal = NULL;
}

static int build(ts_builder *b, ts_value *value) {
    patch p = {.value = value};
    ts_grid grid = {.dimension = value[W].given ? 3 : 2,
                    .closed = -1,
                    .side = {"u-", "u+", "v-", "v+", "w-", "w+"},
                    .place = place,
                    .context = &p};
    for (int d = 0; d < 3; d++)
        if (read_range(b, value, U + d, p.range[d])) return TORSOR_EINVAL;
    if (ts_grid_read(b, value, DIVISIONS, COMMON, &grid)) return TORSOR_EINVAL;
    ts_mesh *mesh = ts_mesh_new();
    ts_grid_mesh(mesh, &grid);
    if (check_finite(b, mesh)) {
        ts_mesh_free(mesh);
        return TORSOR_EINVAL;
    }
    drop_missing_normals(mesh);
    return ts_grid_store(b, &TS_KIND_MESH_PATCH, value, COMMON, mesh);
}

const ts_kind TS_KIND_MESH_PATCH = {
    .name = "patch",
    .section = "meshes",
    .help = "Any surface, or solid, given by expressions of u, v (and w); u, v, w must be "
            "right-handed. Sets: `all`; the sides `u-`, `u+`, `v-`, `v+`, `w-`, `w+`; where they "
            "meet `u-/v+`, `u-/v+/w-`.",
    .fields = FIELDS,
    .build = build,
    .sample =
        "{type: patch, x: cos(u), y: sin(u), z: v*(1 + u^2), u: [0, 1.5], divisions: [4, 2]}"};
