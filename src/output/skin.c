/* SPDX-License-Identifier: Apache-2.0 */
/* The surface of a shape: a core with a radius around it.
 *
 * A convex core C with the radius r has in the direction u its farthest point s(u) + r u, with
 * s(u) the point of C that is farthest along u. So directions on a sphere, with triangles between
 * them, are carried over to the surface of any convex shape: where s jumps from corner to corner,
 * triangles span the faces and edges of the core. The directions are those of an icosahedron whose
 * triangles are cut in four a few times, turned out of all axes, so that no direction has two
 * farthest corners. The surface lies within the shape, by r (1 - cos a) at most, with a the angle
 * between neighbouring directions over two.
 *
 * Discs and cylinders are drawn by their circles. Patches are their triangles. Of hollows the wall
 * is drawn, seen from inside, of a tube as much as it is wide. Flexible shapes and points that
 * touch one by one have no surface here: their parts are drawn, or the patch over them.
 *
 * Shapes that are equal but for their place have one surface; all spheres have the same. A plane
 * is a square about its place, as wide as the model is drawn.
 */
#include "output/skin.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "contact/features.h"
#include "math/rotation.h"

/* clang-format off */
const ts_table_field TS_SKIN_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"node", TS_TABLE_INTEGER}, {"surface", TS_TABLE_INTEGER}, {"plane", TS_TABLE_INTEGER},
    {"x", TS_TABLE_NUMBER}, {"y", TS_TABLE_NUMBER}, {"z", TS_TABLE_NUMBER}, {"scale", TS_TABLE_NUMBER}};
const ts_table_field TS_SURFACE_FIELD[] = {
    {"first", TS_TABLE_INTEGER}, {"points", TS_TABLE_INTEGER},
    {"first_triangle", TS_TABLE_INTEGER}, {"triangles", TS_TABLE_INTEGER}};
/* clang-format on */

enum { MOST_CUTS = 3, MOST_POINTS = 642, MOST_TRIANGLES = 1280, LOOK_BACK = 64 };

/* Directions, with triangles between them. */
typedef struct ball {
    int points, triangles;
    v3 point[MOST_POINTS];
    int triangle[MOST_TRIANGLES][3];
} ball;

typedef struct work {
    const ts_model *model;
    ts_skins *to;
    ball *ball;
    int *source; /* by surface: the shape that it was made for */
    int64_t source_room;
    double width; /* of planes, over two */
} work;

/* ---- directions ---- */

static void begin_ball(ball *b) {
    static const int FACE[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = 0.5 * (1 + sqrt(5));
    const v3 corner[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                           {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                           {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
    m3 turn = so3_exp(v3_make(0.31, -0.17, 0.23));
    b->points = 12, b->triangles = 20;
    for (int i = 0; i < 12; i++) b->point[i] = v3_normalize(m3_apply(turn, corner[i]));
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 3; k++) b->triangle[i][k] = FACE[i][k];
}

/* The point between two, which the triangle on the other side may have made already. */
static int between(ball *b, int first, v3 mean) {
    mean = v3_normalize(mean);
    for (int i = first; i < b->points; i++)
        if (v3_norm(v3_sub(b->point[i], mean)) < 1e-6) return i;
    b->point[b->points] = mean;
    return b->points++;
}

static void cut_ball(ball *b) {
    int first = b->points, count = b->triangles;
    for (int i = 0; i < count; i++) {
        int *t = b->triangle[i], c[3] = {t[0], t[1], t[2]}, m[3];
        for (int k = 0; k < 3; k++)
            m[k] = between(b, first, v3_add(b->point[c[k]], b->point[c[(k + 1) % 3]]));
        for (int k = 0; k < 3; k++) {
            int *next = b->triangle[b->triangles++];
            next[0] = c[k], next[1] = m[k], next[2] = m[(k + 2) % 3];
            t[k] = m[k];
        }
    }
}

/* Many shapes are drawn coarser. */
static int cuts_of(int shapes) { return shapes <= 300 ? MOST_CUTS : shapes <= 3000 ? 2 : 1; }

/* ---- surfaces ---- */

static void add_point(ts_skins *s, v3 p) {
    ts_grow(s->point, s->point_room, 3 * (s->points + 1));
    v3_store(s->point + 3 * s->points++, p);
}

static void add_triangle(ts_skins *s, int a, int b, int c) {
    ts_grow(s->triangle, s->triangle_room, 3 * (s->triangles + 1));
    int64_t *to = s->triangle + 3 * s->triangles++;
    to[0] = a, to[1] = b, to[2] = c;
}

/* A surface for a shape; its points and triangles follow. */
static int64_t begin_surface(work *w, int shape) {
    ts_skins *s = w->to;
    int64_t index = s->surfaces.rows;
    ts_grow(w->source, w->source_room, index + 1);
    w->source[index] = shape;
    ts_table_cell *row = ts_records_add(&s->surfaces);
    row[TS_SURFACE_FIRST].integer = s->points;
    row[TS_SURFACE_TRIANGLE].integer = s->triangles;
    return index;
}

static void end_surface(work *w) {
    ts_skins *s = w->to;
    ts_table_cell *row = s->surfaces.cells + (s->surfaces.rows - 1) * TS_SURFACE_FIELDS;
    row[TS_SURFACE_COUNT].integer = s->points - row[TS_SURFACE_FIRST].integer;
    row[TS_SURFACE_TRIANGLES].integer = s->triangles - row[TS_SURFACE_TRIANGLE].integer;
}

static const v3 *points_of(const work *w, int shape) {
    return w->model->shape_points + w->model->shapes[shape].point;
}

/* The point of a shape's circles that is farthest along u. */
static v3 farthest_on_rings(const ts_shape *s, const v3 *point, v3 u) {
    const v3 *centre = point + ts_ring_centre(s, 0), axis = point[ts_ring_axis(s)];
    v3 out = v3_axpy(-v3_dot(axis, u), axis, u), best = centre[0];
    for (int k = 1; k < s->rings; k++)
        if (v3_dot(centre[k], u) > v3_dot(best, u)) best = centre[k];
    return v3_axpy(s->ring / v3_norm(out), out, best); /* no direction is along an axis */
}

/* The point of a core that is farthest along u. */
static v3 farthest(const work *w, int shape, v3 u) {
    const ts_shape *s = &w->model->shapes[shape];
    const v3 *point = points_of(w, shape);
    int best = 0;
    if (s->rings > 0) return farthest_on_rings(s, point, u);
    for (int k = 1; k < s->points; k++)
        if (v3_dot(point[k], u) > v3_dot(point[best], u)) best = k;
    return point[best];
}

/* From its first point; of radius 1, if it is a sphere. */
static int64_t convex_surface(work *w, int shape) {
    const ts_shape *s = &w->model->shapes[shape];
    int64_t index = begin_surface(w, shape);
    double radius = s->points == 1 ? 1 : s->radius;
    for (int i = 0; i < w->ball->points; i++) {
        v3 u = w->ball->point[i];
        v3 core = v3_sub(farthest(w, shape, u), points_of(w, shape)[0]);
        add_point(w->to, v3_add(core, v3_scale(radius, u)));
    }
    for (int i = 0; i < w->ball->triangles; i++) {
        const int *t = w->ball->triangle[i];
        add_triangle(w->to, t[0], t[1], t[2]);
    }
    end_surface(w);
    return index;
}

/* The triangles of a patch, with corners counted from its first point; segments have none. */
static int64_t patch_surface(work *w, int shape) {
    const ts_shape *s = &w->model->shapes[shape];
    int64_t index = begin_surface(w, shape);
    for (int i = 0; i < s->points; i++)
        add_point(w->to, v3_sub(points_of(w, shape)[i], points_of(w, shape)[0]));
    for (int i = 0; i < s->faces; i++) {
        const int *c = w->model->shape_faces[s->face + i].corner;
        if (c[1] != c[2]) add_triangle(w->to, c[0], c[1], c[2]);
    }
    end_surface(w);
    return index;
}

static int64_t plane_surface(work *w, int shape) {
    int64_t index = begin_surface(w, shape);
    m3 axes = ts_frame_from_axis(v3_normalize(points_of(w, shape)[1]));
    for (int k = 0; k < 4; k++)
        add_point(w->to, m3_apply(axes, v3_make(k == 1 || k == 2 ? 1 : -1, k < 2 ? -1 : 1, 0)));
    add_triangle(w->to, 0, 1, 2), add_triangle(w->to, 0, 2, 3);
    end_surface(w);
    return index;
}

/* The wall of a ball of radius 1 about the place. */
static int64_t socket_surface(work *w, int shape) {
    int64_t index = begin_surface(w, shape);
    for (int i = 0; i < w->ball->points; i++) add_point(w->to, w->ball->point[i]);
    for (int i = 0; i < w->ball->triangles; i++) {
        const int *t = w->ball->triangle[i];
        add_triangle(w->to, t[0], t[2], t[1]);
    }
    end_surface(w);
    return index;
}

/* The wall of a tube of radius 1, as long to either side of the place. */
static int64_t tube_surface(work *w, int shape) {
    enum { AROUND = 48 };
    int64_t index = begin_surface(w, shape);
    m3 axes = ts_frame_from_axis(v3_normalize(points_of(w, shape)[1]));
    for (int k = 0; k < 2 * AROUND; k++) {
        double a = 2 * M_PI * (k / 2) / AROUND;
        add_point(w->to, m3_apply(axes, v3_make(cos(a), sin(a), k % 2 ? 1 : -1)));
    }
    for (int k = 0; k < 2 * AROUND; k += 2) {
        int next = (k + 2) % (2 * AROUND);
        add_triangle(w->to, k, k + 1, next), add_triangle(w->to, next, k + 1, next + 1);
    }
    end_surface(w);
    return index;
}

/* ---- shapes ---- */

/* Are two shapes equal but for their place? */
static bool alike(const work *w, int one, int other) {
    const ts_shape *a = &w->model->shapes[one], *b = &w->model->shapes[other];
    const v3 *p = points_of(w, one), *q = points_of(w, other);
    if (a->plane != b->plane || a->points != b->points) return false;
    if ((a->hollow > 0) != (b->hollow > 0) || a->tube != b->tube) return false;
    if (a->hollow > 0 && !a->tube) return true;
    if (a->faces || b->faces || a->ring != b->ring) return false;
    if (a->plane) return v3_norm(v3_sub(p[1], q[1])) < 1e-9;
    if (a->points == 1) return true;
    if (a->radius != b->radius) return false;
    for (int k = 1; k < a->points; k++) {
        v3 x = v3_sub(p[k], p[0]), y = v3_sub(q[k], q[0]);
        if (!(v3_norm(v3_sub(x, y)) <= 1e-9 * (v3_norm(x) + a->radius))) return false;
    }
    return true;
}

/* One that was made lately, or a new one. */
static int64_t surface_of(work *w, int shape) {
    int64_t made = w->to->surfaces.rows;
    const ts_shape *s = &w->model->shapes[shape];
    if (s->points == 0 || s->flexible || s->cloud) return -1;
    if (s->faces) return patch_surface(w, shape);
    for (int64_t i = made - 1; i >= 0 && i >= made - LOOK_BACK; i--)
        if (alike(w, shape, w->source[i])) return i;
    if (s->hollow > 0) return (s->tube ? tube_surface : socket_surface)(w, shape);
    return (s->plane ? plane_surface : convex_surface)(w, shape);
}

static void add_shape(work *w, int shape) {
    const ts_shape *s = &w->model->shapes[shape];
    int64_t surface = surface_of(w, shape);
    ts_table_cell *row = ts_records_add(&w->to->shapes);
    v3 at = surface < 0 ? v3_make(0, 0, 0) : points_of(w, shape)[0];
    row[TS_SKIN_PART].text = w->model->parts[s->part].name;
    row[TS_SKIN_NODE].integer = s->node;
    row[TS_SKIN_SURFACE].integer = surface;
    row[TS_SKIN_PLANE].integer = s->hollow > 0 ? TS_SKIN_HOLLOW : s->plane;
    row[TS_SKIN_AT].number = at.x, row[TS_SKIN_AT + 1].number = at.y;
    row[TS_SKIN_AT + 2].number = at.z;
    double radius = s->plane ? w->width : s->points == 1 ? s->radius : 1;
    row[TS_SKIN_SCALE].number = s->hollow > 0 ? s->hollow : radius;
}

/* Half the diagonal of what is drawn; more than nothing. */
static double half_width(const ts_model *model) {
    v3 low = model->nodes[0].x, high = low;
    double radius = 0;
    for (int i = 0; i < model->nodes_count; i++) {
        v3 x = model->nodes[i].x;
        low = v3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    for (int i = 0; i < model->shapes_count; i++) radius = fmax(radius, model->shapes[i].radius);
    return 0.75 * v3_norm(v3_sub(high, low)) + 4 * radius;
}

void ts_skins_make(ts_skins *skins, const ts_model *model) {
    *skins = (ts_skins){.shapes.fields = TS_SKIN_FIELDS, .surfaces.fields = TS_SURFACE_FIELDS};
    if (model->shapes_count == 0) return;
    work w = {.model = model, .to = skins, .width = half_width(model)};
    w.ball = ts_calloc(1, sizeof *w.ball);
    begin_ball(w.ball);
    for (int i = 0; i < cuts_of(model->shapes_count); i++) cut_ball(w.ball);
    for (int i = 0; i < model->shapes_count; i++) add_shape(&w, i);
    free(w.ball), free(w.source);
}

void ts_skins_clear(ts_skins *s) {
    ts_records_clear(&s->shapes), ts_records_clear(&s->surfaces);
    free(s->point), free(s->triangle);
}
