/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes of round things: surfaces of cylinder, sphere and ring (annulus), and the solid tube or
 * cylinder.
 *
 * Surfaces have the exact normals at their points: away from the axis or the centre, along z for a
 * ring. A solid cylinder has a core, a square with rounded sides, and four blocks around it, so
 * that no cell has an edge of length zero.
 */
#include <string.h>

#include "base/error.h"
#include "parts/meshes/grid.h"

#define TURN 6.28318530717958647692

typedef struct round {
    double radius[2], length, start, angle, latitude[2];
} round_shape;

/* (cos, sin) of an angle; for multiples of an eighth of a turn they agree to the last bit on both
 * sides of an axis. */
static v3 radial(double angle) {
    double eighths = angle / (TURN / 8), nearest = rint(eighths);
    if (fabs(eighths - nearest) > 1e-12) return v3_make(cos(angle), sin(angle), 0);
    static const double h = 0.70710678118654752440;
    static const double c[8] = {1, h, 0, -h, -1, -h, 0, h};
    int k = (int)fmod(fmod(nearest, 8) + 8, 8);
    return v3_make(c[k], c[(k + 6) % 8], 0);
}

/* ---- cylinder ---- */

enum { C_RADIUS, C_LENGTH, C_DIVISIONS, C_ANGLE, C_START, C_COMMON };

#define ANGLE_FIELD                                                                           \
    {                                                                                         \
        .name = "angle", .type = TS_NUMBER, .dim = TS_DIM_ANGLE, .help = "The arc, about z.", \
        .fallback = "360 deg, closed"                                                         \
    }
#define START_FIELD                                                              \
    {                                                                            \
        .name = "start_angle", .type = TS_NUMBER, .dim = TS_DIM_ANGLE,           \
        .help = "Angle where the arc begins, from x towards y.", .fallback = "0" \
    }

static const ts_field CYLINDER[] = {
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Length, along z from 0."},
    {.name = "divisions", .type = TS_NUMBERS, .required = true, .help = "Cells around and along."},
    ANGLE_FIELD,
    START_FIELD,
    TS_GRID_FIELDS,
    {0}};

static void on_cylinder(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    *normal = radial(r->start + u[0] * r->angle);
    *x = v3_scale(r->radius[0], *normal);
    x->z = u[1] * r->length;
}

static int build_cylinder(ts_builder *b, ts_value *value) {
    round_shape r = {.radius = {value[C_RADIUS].number[0]},
                     .length = value[C_LENGTH].number[0],
                     .start = value[C_START].number[0]};
    ts_grid grid = {.dimension = 2,
                    .side = {"left", "right", "start", "end"},
                    .place = on_cylinder,
                    .context = &r};
    bool closed;
    if (ts_mesh_positive(b, CYLINDER, value, C_RADIUS) ||
        ts_mesh_positive(b, CYLINDER, value, C_LENGTH) ||
        ts_mesh_arc(b, value, C_ANGLE, &r.angle, &closed))
        return TORSOR_EINVAL;
    grid.closed = closed ? 0 : -1;
    if (ts_grid_read(b, value, C_DIVISIONS, C_COMMON, &grid)) return TORSOR_EINVAL;
    return ts_grid_build(b, &TS_KIND_MESH_CYLINDER, value, C_COMMON, &grid);
}

const ts_kind TS_KIND_MESH_CYLINDER = {
    .name = "cylinder",
    .section = "meshes",
    .help = "A cylindrical surface of quads about z, closed or an arc, its normals outwards. Sets: "
            "`all`; the ends `start` (z = 0) and `end`; of an arc the edges `left` (where it "
            "begins) and `right`, and the corners `left/start`, `right/start`, `left/end`, "
            "`right/end`.",
    .fields = CYLINDER,
    .build = build_cylinder,
    .sample = "{type: cylinder, radius: 1, length: 2, divisions: [8, 2], angle: 90 deg}"};

/* ---- sphere ---- */

enum { S_RADIUS, S_DIVISIONS, S_LATITUDE, S_ANGLE, S_START, S_COMMON };

static const ts_field SPHERE[] = {
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius."},
    {.name = "divisions",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Cells around z, and from south to north."},
    {.name = "latitude",
     .type = TS_NUMBERS,
     .dim = TS_DIM_ANGLE,
     .required = true,
     .help = "Range of latitudes from the equator, without the poles: a hemisphere with a hole of "
             "18 deg is [0, 72 deg]."},
    ANGLE_FIELD,
    START_FIELD,
    TS_GRID_FIELDS,
    {0}};

static void on_sphere(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    double latitude = r->latitude[0] + u[1] * (r->latitude[1] - r->latitude[0]);
    v3 up = radial(latitude); /* (cos, sin) */
    *normal = v3_scale(up.x, radial(r->start + u[0] * r->angle));
    normal->z = up.y;
    *x = v3_scale(r->radius[0], *normal);
}

static int read_latitude(ts_builder *b, const ts_value *value, round_shape *r) {
    const double *l = value[S_LATITUDE].list, pole = TURN / 4 * (1 - 1e-6);
    if (value[S_LATITUDE].count != 2 || !(l[0] < l[1] && l[0] > -pole && l[1] < pole))
        return ts_build_fail(
            b, S_LATITUDE, "quads cannot meet in a pole: leave a small hole, or use a mesh of Gmsh",
            "expected two latitudes, ascending, between -90 deg and 90 deg");
    r->latitude[0] = l[0], r->latitude[1] = l[1];
    return 0;
}

static int build_sphere(ts_builder *b, ts_value *value) {
    round_shape r = {.radius = {value[S_RADIUS].number[0]}, .start = value[S_START].number[0]};
    ts_grid grid = {.dimension = 2,
                    .side = {"left", "right", "south", "north"},
                    .place = on_sphere,
                    .context = &r};
    bool closed;
    if (ts_mesh_positive(b, SPHERE, value, S_RADIUS) || read_latitude(b, value, &r) ||
        ts_mesh_arc(b, value, S_ANGLE, &r.angle, &closed))
        return TORSOR_EINVAL;
    grid.closed = closed ? 0 : -1;
    if (ts_grid_read(b, value, S_DIVISIONS, S_COMMON, &grid)) return TORSOR_EINVAL;
    return ts_grid_build(b, &TS_KIND_MESH_SPHERE, value, S_COMMON, &grid);
}

const ts_kind TS_KIND_MESH_SPHERE = {
    .name = "sphere",
    .section = "meshes",
    .help =
        "A zone of a sphere of quads, about z, closed or a sector, its normals outwards. Sets: "
        "`all`; the edges `south` and `north`; of a sector the edges `left` (where it begins) "
        "and `right`, and the corners `left/south`, `right/south`, `left/north`, `right/north`.",
    .fields = SPHERE,
    .build = build_sphere,
    .sample = "{type: sphere, radius: 1, divisions: [4, 4], latitude: [0, 72 deg], angle: 90 deg}"};

/* ---- annulus ---- */

enum { A_INNER, A_OUTER, A_DIVISIONS, A_ANGLE, A_START, A_SLIT, A_COMMON };

static const ts_field ANNULUS[] = {
    {.name = "inner_radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the inner edge."},
    {.name = "outer_radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius of the outer edge."},
    {.name = "divisions",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Cells from inside to outside, and around."},
    ANGLE_FIELD,
    START_FIELD,
    {.name = "slit",
     .type = TS_BOOLEAN,
     .help =
         "true: a full turn that is not closed. Its ends lie side by side and are not connected.",
     .fallback = "false"},
    TS_GRID_FIELDS,
    {0}};

static void on_annulus(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    *x = v3_scale(r->radius[0] + u[0] * (r->radius[1] - r->radius[0]),
                  radial(r->start + u[1] * r->angle));
    *normal = v3_axis(2);
}

static int check_radii(ts_builder *b, const ts_field *fields, const ts_value *value, int inner) {
    if (ts_mesh_positive(b, fields, value, inner)) return TORSOR_EINVAL;
    if (value[inner].number[0] < value[inner + 1].number[0]) return 0;
    return ts_build_fail(b, inner, NULL, "the inner radius must be smaller than the outer one");
}

static int build_annulus(ts_builder *b, ts_value *value) {
    round_shape r = {.radius = {value[A_INNER].number[0], value[A_OUTER].number[0]},
                     .start = value[A_START].number[0]};
    ts_grid grid = {.dimension = 2,
                    .side = {"inner", "outer", "left", "right"},
                    .place = on_annulus,
                    .context = &r};
    bool closed;
    if (check_radii(b, ANNULUS, value, A_INNER) ||
        ts_mesh_arc(b, value, A_ANGLE, &r.angle, &closed))
        return TORSOR_EINVAL;
    grid.closed = closed && value[A_SLIT].number[0] == 0 ? 1 : -1;
    if (ts_grid_read(b, value, A_DIVISIONS, A_COMMON, &grid)) return TORSOR_EINVAL;
    return ts_grid_build(b, &TS_KIND_MESH_ANNULUS, value, A_COMMON, &grid);
}

const ts_kind TS_KIND_MESH_ANNULUS = {
    .name = "annulus",
    .section = "meshes",
    .help =
        "A flat ring of quads in the plane z = 0, closed, slit or an arc. Sets: `all`; the edges "
        "`inner` and `outer`; unless it is closed the edges `left` (where it begins) and "
        "`right`, and the corners `inner/left`, `outer/left`, `inner/right`, `outer/right`.",
    .fields = ANNULUS,
    .build = build_annulus,
    .sample = "{type: annulus, inner_radius: 6, outer_radius: 10, divisions: [2, 12], slit: true}"};

/* ---- tube and solid cylinder ---- */

enum { T_INNER, T_OUTER, T_LENGTH, T_DIVISIONS, T_ANGLE, T_START, T_COMMON };

static const ts_field TUBE[] = {
    {.name = "inner_radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Inner radius; 0 for a solid cylinder, always a full turn.",
     .fallback = "0"},
    {.name = "outer_radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Outer radius."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Length, along z from 0."},
    {.name = "divisions",
     .type = TS_NUMBERS,
     .required = true,
     .help = "Cells from inside to outside (for a solid cylinder: outside of its core), around "
             "(for a solid cylinder a multiple of 4), and along."},
    ANGLE_FIELD,
    START_FIELD,
    TS_GRID_FIELDS,
    {0}};

static void in_tube(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    (void)normal;
    *x = v3_scale(r->radius[0] + u[0] * (r->radius[1] - r->radius[0]),
                  radial(r->start + u[1] * r->angle));
    x->z = u[2] * r->length;
}

/* A point on the side of the core towards +x: between a square of half edge 0.4 R and a circle
 * through its corners. */
static v3 core_side(double R, double t) {
    double a = 0.4 * R;
    v3 flat = v3_make(a, a * t, 0), arc = v3_scale(a * sqrt(2.0), radial(TURN / 8 * t));
    return v3_add(v3_scale(0.7, flat), v3_scale(0.3, arc));
}

static v3 quarter_turn(v3 x, int times) {
    for (; times > 0; times--) x = v3_make(-x.y, x.x, x.z);
    return x;
}

/* The core: its four sides, blended over (Coons). u and v from 0 to 1. */
static void in_core(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    double R = r->radius[1], s = 2 * u[0] - 1, t = 2 * u[1] - 1;
    (void)normal;
    v3 right = core_side(R, t), left = quarter_turn(core_side(R, -t), 2);
    v3 top = quarter_turn(core_side(R, -s), 1), bottom = quarter_turn(core_side(R, s), 3);
    v3 corner = core_side(R, 1), opposite = v3_scale(corner.x, v3_make(s, t, 0));
    *x = v3_add(v3_add(v3_scale(u[0], right), v3_scale(1 - u[0], left)),
                v3_add(v3_scale(u[1], top), v3_scale(1 - u[1], bottom)));
    *x = v3_sub(*x, opposite);
    x->z = u[2] * r->length;
}

/* Between the core and the outer radius; `start` counts quarter turns. */
static void around_core(const void *context, const double u[3], v3 *x, v3 *normal) {
    const round_shape *r = context;
    double t = 2 * u[1] - 1;
    (void)normal;
    v3 in = core_side(r->radius[1], t), out = v3_scale(r->radius[1], radial(TURN / 8 * t));
    *x = quarter_turn(v3_axpy(u[0], v3_sub(out, in), in), (int)r->start);
    x->z = u[2] * r->length;
}

static int build_solid(ts_builder *b, const ts_value *value, ts_grid *grid, round_shape *r) {
    int around = grid->divisions[1];
    if (value[T_ANGLE].given)
        return ts_build_fail(b, T_ANGLE, "give an inner radius",
                             "a solid cylinder is always a full turn");
    if (around % 4)
        return ts_build_fail(b, T_DIVISIONS, NULL,
                             "the cells around a solid cylinder must be a multiple of 4");
    ts_mesh *mesh = ts_mesh_new();
    double start = r->start;
    grid->divisions[1] = around / 4, grid->closed = -1, grid->place = around_core;
    static const char *const outside[6] = {NULL, "outer", NULL, NULL, "start", "end"};
    memcpy(grid->side, outside, sizeof outside);
    for (int k = 0; k < 4; k++) r->start = k, ts_grid_mesh(mesh, grid);
    grid->divisions[0] = around / 4, grid->place = in_core, grid->side[1] = NULL;
    ts_grid_mesh(mesh, grid);
    int status = ts_mesh_merge(mesh, 1e-9 * r->radius[1]);
    if (status) {
        ts_mesh_free(mesh);
        return ts_build_fail(b, T_DIVISIONS, NULL, "%.300s", ts_error_message());
    }
    ts_mesh_move(mesh, 1, v3_make(0, 0, 0),
                 m3_cols(radial(start), radial(start + TURN / 4), v3_axis(2)));
    return ts_grid_store(b, &TS_KIND_MESH_TUBE, value, T_COMMON, mesh);
}

static int build_tube(ts_builder *b, ts_value *value) {
    round_shape r = {.radius = {value[T_INNER].number[0], value[T_OUTER].number[0]},
                     .length = value[T_LENGTH].number[0],
                     .start = value[T_START].number[0]};
    ts_grid grid = {.dimension = 3,
                    .side = {"inner", "outer", "left", "right", "start", "end"},
                    .place = in_tube,
                    .context = &r};
    bool closed, solid = r.radius[0] == 0;
    if (ts_mesh_positive(b, TUBE, value, T_LENGTH) || ts_mesh_positive(b, TUBE, value, T_OUTER) ||
        (!solid && check_radii(b, TUBE, value, T_INNER)) ||
        ts_mesh_arc(b, value, T_ANGLE, &r.angle, &closed))
        return TORSOR_EINVAL;
    grid.closed = closed ? 1 : -1;
    if (ts_grid_read(b, value, T_DIVISIONS, T_COMMON, &grid)) return TORSOR_EINVAL;
    if (solid) return build_solid(b, value, &grid, &r);
    return ts_grid_build(b, &TS_KIND_MESH_TUBE, value, T_COMMON, &grid);
}

const ts_kind TS_KIND_MESH_TUBE = {
    .name = "tube",
    .section = "meshes",
    .help =
        "A tube of hexahedra about z, closed or an arc, or a solid cylinder. Sets: `all`; the "
        "faces `inner`, `outer`, `start` (z = 0), `end`; of an arc also `left` (where it begins) "
        "and `right`; edges and corners as `inner/start`, `inner/left/start`.",
    .fields = TUBE,
    .build = build_tube,
    .sample = "{type: tube, inner_radius: 1, outer_radius: 1.5, length: 2, divisions: [1, 8, 2]}"};
