/* SPDX-License-Identifier: Apache-2.0 */
/* Discs and cylinders, and hulls of points.
 *
 * A disc or a cylinder is round: planes meet its circles (contact/gap.c), other shapes its circles
 * and its core (contact/round.c), whose ends are very flat domes. Corners on its circles define the
 * boxes around it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "contact/features.h"
#include "math/rotation.h"
#include "model/mesh_nodes.h"
#include "parts/continuum.h"
#include "parts/touch/shape.h"

enum { FIRST = TS_SHAPE_FIRST, RIM = 24 };

static const double ROUNDING = 0.05;

/* Corners around the circle that begin at the angle zero. */
static void add_rim(ts_builder *b, const ts_value *value, v3 centre, m3 axes, double radius) {
    for (int k = 0; k < RIM; k++) {
        double angle = 2 * M_PI * k / RIM;
        v3 out = v3_axpy(cos(angle), axes.c[0], v3_scale(sin(angle), axes.c[1]));
        ts_shape_add(b, value, v3_axpy(radius, out, centre));
    }
}

static void add_ring(ts_builder *b, const ts_value *value, v3 centre) {
    b->model->shapes[b->model->shapes_count - 1].rings++;
    ts_model_shape_more(b->model, ts_shape_body_place(b, value, centre));
}

/* Height of a dome, of its radius. */
static const double DOME = 3e-3;

/* Behind the circles: their axis, and the round core. */
static void add_core(ts_builder *b, const ts_value *value, int rings, const v3 *centre, m3 axes) {
    double R = b->model->shapes[b->model->shapes_count - 1].ring;
    ts_model_shape_more(b->model, ts_shape_body_axes(b, value, axes.c[2]));
    for (int k = 0; k < rings; k++)
        ts_model_shape_more(b->model, ts_shape_body_place(b, value, centre[k]));
    for (int k = 0; k < 3; k++)
        ts_model_shape_more(
            b->model, ts_shape_body_axes(b, value, v3_scale(k < 2 ? R : DOME * R, axes.c[k])));
}

/* Of a cylinder; second moments of a circle are r^2/4 across. */
static void add_round_mass(ts_builder *b, const ts_value *value, v3 at, m3 axes, double radius,
                           double length) {
    double volume = M_PI * radius * radius * length, across = volume * radius * radius / 4;
    v3 second = v3_make(across, across, volume * length * length / 12);
    ts_hull_moments moments = {volume, at, ts_shape_second(axes, second)};
    ts_shape_add_mass(b, value, &moments);
}

/* ---- disc ---- */

enum { DISC_AT = FIRST, DISC_AXIS, DISC_RADIUS, DISC_ROUNDING };

static const ts_field DISC[] = {
    TS_SHAPE_SOLID_FIELDS,
    TS_SHAPE_AT_FIELD,
    {.name = "axis", .type = TS_AXIS, .required = true, .help = "Its axis as drawn (global)."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius, rounding included."},
    {.name = "rounding",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the rim: half of the thickness.",
     .fallback = "5 % of the radius"},
    {0}};

static int check_rounding(ts_builder *b, int field, double rounding, double most,
                          const char *what) {
    if (rounding > 0 && rounding < most) return 0;
    return ts_build_fail(b, field, NULL, "a rounding must be above zero and below %s", what);
}

static int build_disc(ts_builder *b, ts_value *value) {
    v3 at = ts_shape_place(b, value, DISC_AT);
    double R = value[DISC_RADIUS].number[0];
    double r = value[DISC_ROUNDING].given ? value[DISC_ROUNDING].number[0] : ROUNDING * R;
    m3 axes = ts_frame_from_axis(v3_load(value[DISC_AXIS].number));
    if (ts_shape_check_turns(b, value) || ts_shape_check_density(b, value) ||
        ts_shape_check_length(b, value, DISC_RADIUS, "radius") ||
        check_rounding(b, DISC_ROUNDING, r, R, "the radius"))
        return TORSOR_EINVAL;
    ts_begin_shape(b, &TS_KIND_DISC, value, (ts_shape){.radius = r, .ring = R - r});
    add_rim(b, value, at, axes, R - r);
    add_ring(b, value, at);
    add_core(b, value, 1, &at, axes);
    add_round_mass(b, value, at, axes, R, 2 * r);
    return 0;
}

const ts_kind TS_KIND_DISC = {.name = "disc",
                              .section = "shapes",
                              .help = "A disc with a round rim on a body: a wheel, a coin.",
                              .fields = DISC,
                              .build = build_disc,
                              .sample = "{type: disc, on: A, axis: [1, 2, 0], radius: 0.2}"};

/* ---- cylinder ---- */

enum { CYLINDER_AT = FIRST, CYLINDER_AXIS, CYLINDER_RADIUS, CYLINDER_LENGTH, CYLINDER_ROUNDING };

static const ts_field CYLINDER[] = {
    TS_SHAPE_SOLID_FIELDS,
    TS_SHAPE_AT_FIELD,
    {.name = "axis", .type = TS_AXIS, .required = true, .help = "Its axis as drawn (global)."},
    {.name = "radius",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Radius, rounding included."},
    {.name = "length",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .required = true,
     .help = "Length along the axis, rounding included."},
    {.name = "rounding",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Radius of the edges.",
     .fallback = "sharp on planes; on other shapes 5 % of the diameter or of the length, whichever "
                 "is less"},
    {0}};

static void add_cylinder(ts_builder *b, const ts_value *value, v3 at, m3 axes, const ts_shape *of,
                         double half) {
    v3 end[2] = {v3_axpy(-half, axes.c[2], at), v3_axpy(half, axes.c[2], at)};
    ts_begin_shape(b, &TS_KIND_ROUND_CYLINDER, value, *of);
    for (int k = 0; k < 2; k++) add_rim(b, value, end[k], axes, of->ring);
    for (int k = 0; k < 2; k++) add_ring(b, value, end[k]);
    double dome = fmin(DOME * of->ring, half); /* ends are as far apart as they are drawn */
    for (int k = 0; k < 2; k++) end[k] = v3_axpy(k ? -dome : dome, axes.c[2], end[k]);
    add_core(b, value, 2, end, axes);
}

static int build_cylinder(ts_builder *b, ts_value *value) {
    v3 at = ts_shape_place(b, value, CYLINDER_AT);
    double R = value[CYLINDER_RADIUS].number[0], L = value[CYLINDER_LENGTH].number[0];
    double least = fmin(2 * R, L), r = ROUNDING * least;
    m3 axes = ts_frame_from_axis(v3_load(value[CYLINDER_AXIS].number));
    if (value[CYLINDER_ROUNDING].given) r = value[CYLINDER_ROUNDING].number[0];
    if (ts_shape_check_turns(b, value) || ts_shape_check_density(b, value) ||
        ts_shape_check_length(b, value, CYLINDER_RADIUS, "radius") ||
        ts_shape_check_length(b, value, CYLINDER_LENGTH, "length") ||
        check_rounding(b, CYLINDER_ROUNDING, r, 0.5 * least, "the radius and half of the length"))
        return TORSOR_EINVAL;
    ts_shape of = {.radius = r, .ring = R - r};
    add_cylinder(b, value, at, axes, &of, 0.5 * L - r);
    for (int k = 0; k < 2 && !value[CYLINDER_ROUNDING].given; k++)
        ts_shape_add_sharp(b, value, v3_axpy(k ? 0.5 * L : -0.5 * L, axes.c[2], at));
    add_round_mass(b, value, at, axes, R, L);
    return 0;
}

const ts_kind TS_KIND_ROUND_CYLINDER = {
    .name = "cylinder",
    .section = "shapes",
    .help = "A cylinder with rounded edges on a body.",
    .fields = CYLINDER,
    .build = build_cylinder,
    .sample = "{type: cylinder, on: A, axis: [1, 2, 0], radius: 0.2, length: 0.5}"};

/* ---- hull ---- */

enum { HULL_POINTS = FIRST, HULL_ROUNDING, HULL_MESH };

static const ts_field HULL[] = {
    TS_SHAPE_SOLID_FIELDS,
    {.name = "points",
     .type = TS_PLACES,
     .dim = TS_DIM_LENGTH,
     .help = "Points as drawn (global). The hull is the smallest convex body that contains them; "
             "points inside it are left out. Of more than 128 corners, 128 are used if the others "
             "are outside by less than a tenth of the rounding."},
    {.name = "rounding",
     .type = TS_NUMBER,
     .dim = TS_DIM_LENGTH,
     .help = "Distance of the surface from the hull, outwards.",
     .fallback = "2.5 % of the largest distance of two points"},
    {.name = "mesh",
     .type = TS_PART,
     .choices = TS_MESH_CHOICES,
     .help =
         "Instead of points: the points of a mesh as drawn, for example of a file of triangles."},
    {0}};

/* Corners in the order of the points, then edges. */
static void add_hull(ts_builder *b, const ts_value *value, const v3 *point, int points, int sides,
                     const ts_hull_side *side, double radius) {
    int number[TS_MOST_CORNERS], corners = 0;
    for (int k = 0; k < points; k++) number[k] = -1;
    for (int i = 0; i < sides; i++) number[side[i].from] = 0;
    ts_begin_shape(b, &TS_KIND_HULL, value, (ts_shape){.radius = radius});
    for (int k = 0; k < points; k++) {
        if (number[k] < 0) continue;
        number[k] = corners++;
        ts_shape_add(b, value, point[k]);
    }
    for (int i = 0; i < sides; i++)
        if (side[i].from < side[i].to)
            ts_shape_add_edge(b, number[side[i].from], number[side[i].to]);
}

static double largest_distance(int points, const v3 *point) {
    double most = 0;
    for (int i = 0; i < points; i++)
        for (int j = 0; j < i; j++) most = fmax(most, v3_norm(v3_sub(point[i], point[j])));
    return most;
}

/* A hull with more corners than the limit is reduced to the limit if the other corners lie hardly
 * outside. */
static const double HARDLY = 0.1; /* of the rounding */

/* Points as listed, or of a mesh. */
static int count_points(const ts_value *value, const ts_mesh *mesh) {
    return mesh ? mesh->points : value[HULL_POINTS].count / 3;
}

static int choose_points(ts_builder *b, const ts_value *value, int field, int count, const v3 *all,
                         v3 *point) {
    int chosen[TS_MOST_CORNERS];
    double left;
    int points = ts_hull_choose(count, all, TS_MOST_CORNERS, chosen, &left);
    for (int k = 0; k < points; k++) point[k] = all[chosen[k]];
    double r = value[HULL_ROUNDING].given ? value[HULL_ROUNDING].number[0]
                                          : 0.5 * ROUNDING * largest_distance(points, point);
    if (left <= HARDLY * r) return points;
    ts_build_fail(
        b, field, "take a larger rounding, or fewer points; or a surface",
        "the hull has more than %d corners, and the hull of %d of them leaves others outside "
        "by %.3g times its rounding",
        TS_MOST_CORNERS, TS_MOST_CORNERS, left / r);
    return 0;
}

static int take_points(ts_builder *b, const ts_value *value, v3 *point, int *points) {
    int field = value[HULL_MESH].given ? HULL_MESH : HULL_POINTS;
    const ts_mesh *mesh =
        field == HULL_MESH ? ts_mesh_of(b->model, value[HULL_MESH].part[0]) : NULL;
    *points = count_points(value, mesh);
    if (value[HULL_POINTS].given == value[HULL_MESH].given)
        return ts_build_fail(b, value[HULL_MESH].given ? HULL_MESH : -1, NULL,
                             "a hull needs either `points`, or a `mesh`");
    if (*points < 4)
        return ts_build_fail(b, field, NULL, "a hull needs 4 points or more, here are %d", *points);
    v3 *all = ts_calloc((size_t)*points, sizeof *all);
    for (int k = 0; k < *points; k++)
        all[k] = mesh ? mesh->point[k] : v3_load(value[HULL_POINTS].list + 3 * k);
    if (*points > TS_MOST_CORNERS)
        *points = choose_points(b, value, field, *points, all, point);
    else
        memcpy(point, all, (size_t)*points * sizeof *all);
    free(all);
    return *points ? 0 : TORSOR_EINVAL;
}

static int build_hull(ts_builder *b, ts_value *value) {
    v3 point[TS_MOST_CORNERS];
    ts_hull_side side[6 * TS_MOST_CORNERS];
    int points;
    if (ts_shape_check_turns(b, value) || ts_shape_check_density(b, value) ||
        take_points(b, value, point, &points))
        return TORSOR_EINVAL;
    double r = 0.5 * ROUNDING * largest_distance(points, point);
    if (value[HULL_ROUNDING].given) r = value[HULL_ROUNDING].number[0];
    if (!(r > 0) && value[HULL_ROUNDING].given)
        return ts_build_fail(b, HULL_ROUNDING, NULL, "a rounding must be above zero");
    int sides = ts_hull_sides(points, point, side);
    if (!sides)
        return ts_build_fail(b, value[HULL_MESH].given ? HULL_MESH : HULL_POINTS,
                             "move some of them out of it", "the points lie in a plane");
    add_hull(b, value, point, points, sides, side, r);
    ts_hull_moments moments = ts_hull_volume(sides, side, point);
    ts_shape_add_mass(b, value, &moments);
    return 0;
}

const ts_kind TS_KIND_HULL = {
    .name = "hull",
    .section = "shapes",
    .help = "The convex hull of points on a body, with a rounding around it.",
    .fields = HULL,
    .build = build_hull,
    .sample = "{type: hull, on: A, points: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]}"};
