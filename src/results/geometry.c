/* SPDX-License-Identifier: Apache-2.0 */
/* The geometry of a model, for reports and for ParaView.
 *
 *   cells      what is flexible: output/cells.c
 *   outlines   of the sections of beams: polygons
 *   bodies     a shape with place and axes on a node, given or from the inertia
 *   links      joints and springs: where they hold their two nodes, and their axis; ropes and
 *              paths line by line
 *   shapes     what touches: output/skin.c
 *
 * The `look` of a kind (ts_look in model/kind.h) selects one of these.
 *
 * The default of a body is the box of uniform density with its mass and inertia. With the Euler
 * tensor E = integral of y y^T about the mass centre, principal values E_k, its edges are
 * a_k = sqrt(12 E_k / m) along the principal axes.
 */
#include "results/geometry.h"

#include "results/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/rotation.h"
#include "reader/drawing.h"

/* clang-format off */
const ts_table_field TS_CELL_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"type", TS_TABLE_TEXT}, {"first", TS_TABLE_INTEGER}, {"points", TS_TABLE_INTEGER},
    {"station", TS_TABLE_INTEGER}, {"stations", TS_TABLE_INTEGER},
    {"outline", TS_TABLE_INTEGER}, {"outline_end", TS_TABLE_INTEGER},
    {"from", TS_TABLE_NUMBER}, {"to", TS_TABLE_NUMBER}, {"thickness", TS_TABLE_NUMBER}};
const ts_table_field TS_OUTLINE_FIELD[] = {
    {"section", TS_TABLE_TEXT}, {"first", TS_TABLE_INTEGER}, {"outer", TS_TABLE_INTEGER}, {"inner", TS_TABLE_INTEGER}};
const ts_table_field TS_BODY_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"node", TS_TABLE_INTEGER}, {"shape", TS_TABLE_TEXT}, {"given", TS_TABLE_INTEGER},
    {"size_x", TS_TABLE_NUMBER}, {"size_y", TS_TABLE_NUMBER}, {"size_z", TS_TABLE_NUMBER},
    {"x", TS_TABLE_NUMBER}, {"y", TS_TABLE_NUMBER}, {"z", TS_TABLE_NUMBER},
    {"qs", TS_TABLE_NUMBER}, {"qx", TS_TABLE_NUMBER}, {"qy", TS_TABLE_NUMBER}, {"qz", TS_TABLE_NUMBER}};
const ts_table_field TS_LINK_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"node_a", TS_TABLE_INTEGER}, {"node_b", TS_TABLE_INTEGER},
    {"ax", TS_TABLE_NUMBER}, {"ay", TS_TABLE_NUMBER}, {"az", TS_TABLE_NUMBER},
    {"bx", TS_TABLE_NUMBER}, {"by", TS_TABLE_NUMBER}, {"bz", TS_TABLE_NUMBER},
    {"axis_x", TS_TABLE_NUMBER}, {"axis_y", TS_TABLE_NUMBER}, {"axis_z", TS_TABLE_NUMBER}};

/* clang-format on */

static void put_vector(ts_table_cell *row, v3 a) {
    row[0].number = a.x, row[1].number = a.y, row[2].number = a.z;
}

typedef struct picture {
    const ts_model *model;
    const ts_drawing *drawing;
    ts_cells cells;
    ts_records outlines, bodies, links;
    double *corner;
    int64_t corners, room; /* of the room, numbers */
    int64_t *outline_of;   /* by part; -1 */
    ts_skins skins;
} picture;

/* Adds an outline; returns its row. */
static int64_t add_outline(picture *p, int part, int outer, int inner, const double *corner) {
    ts_table_cell *row = ts_records_add(&p->outlines);
    int count = outer + inner;
    row[TS_OUTLINE_SECTION].text = p->model->parts[part].name;
    row[TS_OUTLINE_FIRST].integer = p->corners;
    row[TS_OUTLINE_OUTER].integer = outer;
    row[TS_OUTLINE_INNER].integer = inner;
    ts_grow(p->corner, p->room, 2 * (p->corners + count));
    memcpy(p->corner + 2 * p->corners, corner, 2 * (size_t)count * sizeof *p->corner);
    p->corners += count;
    return p->outlines.rows - 1;
}

static void add_outlines(picture *p) {
    for (int i = 0; i < p->model->parts_count; i++) {
        const ts_drawn *d = ts_drawing_of(p->drawing, i);
        p->outline_of[i] = -1;
        if (d && d->outer > 0) p->outline_of[i] = add_outline(p, i, d->outer, d->inner, d->outline);
    }
}

/* The part that has a node. */
static int part_of_node(const ts_model *model, int node) {
    for (int i = 0; i < model->parts_count; i++)
        if (model->parts[i].node <= node && node < model->parts[i].node + model->parts[i].nodes)
            return i;
    return -1;
}

/* A beam or cable that touches as a circle swept along it has that for an outline, unless its
 * section has one. */
static void add_swept_circles(picture *p) {
    enum { CORNERS = 24 };
    for (int i = 0; i < p->model->shapes_count; i++) {
        const ts_shape *s = &p->model->shapes[i];
        if (!s->flexible || !s->faces || !(s->radius > 0)) continue;
        const int *corner =
            p->model->shape_faces[s->face].corner; /* of a segment, the last twice */
        int part = corner[1] == corner[2] ? part_of_node(p->model, s->node) : -1;
        if (part < 0 || p->outline_of[part] >= 0) continue;
        double circle[2 * CORNERS];
        for (int k = 0; k < CORNERS; k++) {
            circle[2 * k] = s->radius * cos(2 * M_PI * k / CORNERS);
            circle[2 * k + 1] = s->radius * sin(2 * M_PI * k / CORNERS);
        }
        p->outline_of[part] = add_outline(p, s->part, CORNERS, 0, circle);
    }
}

/* What the drawing knows of the part of every cell. */
static void add_cells(picture *p) {
    int *part;
    ts_cells_make(&p->cells, p->model, &part);
    for (int64_t i = 0; i < p->cells.cells; i++) {
        const ts_drawn *d = ts_drawing_of(p->drawing, part[i]);
        ts_table_cell *row = p->cells.cell + i * TS_CELL_FIELDS;
        if (d) row[TS_CELL_THICKNESS].number = d->thickness;
        int64_t *ends[] = {&row[TS_CELL_OUTLINE].integer, &row[TS_CELL_OUTLINE_END].integer};
        if (d && d->section >= 0) {
            *ends[0] = p->outline_of[d->section];
            *ends[1] = p->outline_of[d->section_end];
        }
        for (int k = 0; k < 2; k++)
            if (*ends[k] < 0) *ends[k] = p->outline_of[part[i]];
    }
    free(part);
}

/* Principal axes of a symmetric matrix, by Jacobi's rotations; A is left diagonal. */
static m3 principal_axes(double A[3][3]) {
    double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 50; sweep++)
        for (int i = 0; i < 2; i++)
            for (int j = i + 1; j < 3; j++) {
                if (A[i][j] == 0) continue;
                double t = 0.5 * atan2(2 * A[i][j], A[j][j] - A[i][i]), c = cos(t), s = sin(t);
                for (int k = 0; k < 3; k++) {
                    double a = A[k][i], b = A[k][j], v = V[k][i], w = V[k][j];
                    A[k][i] = c * a - s * b, A[k][j] = s * a + c * b;
                    V[k][i] = c * v - s * w, V[k][j] = s * v + c * w;
                }
                for (int k = 0; k < 3; k++) {
                    double a = A[i][k], b = A[j][k];
                    A[i][k] = c * a - s * b, A[j][k] = s * a + c * b;
                }
                A[i][j] = A[j][i] = 0;
            }
    v3 x = v3_make(V[0][0], V[1][0], V[2][0]), y = v3_make(V[0][1], V[1][1], V[2][1]);
    return m3_cols(x, y, v3_cross(x, y));
}

static v3 mass_centre(const ts_node *node) {
    double m = node->mass[0][0];
    if (!(m > 0)) return v3_make(0, 0, 0);
    return v3_make(node->mass[0][1] / m, node->mass[0][2] / m, node->mass[0][3] / m);
}

static m3 box_of_inertia(const ts_node *node, double size[3]) {
    double E[3][3], m = node->mass[0][0];
    v3 c = mass_centre(node);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            E[i][j] = node->mass[i + 1][j + 1] - m * v3_get(c, i) * v3_get(c, j);
    m3 axes = principal_axes(E);
    for (int i = 0; i < 3; i++) size[i] = m > 0 ? sqrt(fmax(12 * E[i][i] / m, 0)) : 0;
    return axes;
}

static void add_body(picture *p, int part) {
    const ts_part *owner = &p->model->parts[part];
    const ts_node *node = &p->model->nodes[owner->node];
    const ts_drawn *d = ts_drawing_of(p->drawing, part);
    bool given = d && d->shaped;
    double size[3];
    m3 axes = given ? m3_identity() : box_of_inertia(node, size);
    if (given) memcpy(size, d->size, sizeof size);
    if (given && d->shape == TS_SHAPE_CYLINDER) axes = ts_frame_from_axis(d->axis);
    quat q = ts_quat_from_matrix(axes);
    ts_table_cell *row = ts_records_add(&p->bodies);
    row[TS_BODY_PART].text = owner->name;
    row[TS_BODY_NODE].integer = owner->node;
    row[TS_BODY_SHAPE].text = TS_SHAPE_NAME[given ? d->shape : TS_SHAPE_BOX];
    row[TS_BODY_GIVEN].integer = given;
    put_vector(row + TS_BODY_SIZE, v3_load(size));
    put_vector(row + TS_BODY_AT, given && d->placed ? d->at : mass_centre(node));
    row[TS_BODY_QUATERNION].number = q.s;
    put_vector(row + TS_BODY_QUATERNION + 1, q.v);
}

static void put_link(picture *p, const ts_strand *s) {
    const ts_part *owner = &p->model->parts[s->part];
    ts_table_cell *row = ts_records_add(&p->links);
    row[TS_LINK_PART].text = owner->name;
    row[TS_LINK_NODE_A].integer = s->node[0];
    row[TS_LINK_NODE_B].integer = s->node[1];
    put_vector(row + TS_LINK_POINT_A, s->point[0]);
    put_vector(row + TS_LINK_POINT_B, s->point[1]);
    put_vector(row + TS_LINK_AXIS, owner->frameA.c[2]);
}

static void add_link(picture *p, int part) {
    const ts_part *owner = &p->model->parts[part];
    put_link(p, &(ts_strand){part, {owner->nodeA, owner->nodeB}, {owner->pointA, owner->pointB}});
}

/* A support holds many nodes: it is at no one place. The force of a spring may read more nodes than
 * it acts on. */
static bool has_place(const ts_model *model, const ts_part *part) {
    for (int i = 0; i < model->strands_count; i++)
        if (&model->parts[model->strands[i].part] == part) return false; /* line by line */
    if (part->node >= 0 || part->sites == 0 || part->nodeA == part->nodeB) return false;
    for (int s = part->site; s < part->site + part->sites; s++)
        for (int k = 0; k < model->sites[s].nodes && model->sites[s].role != TS_ROLE_LAW; k++) {
            int node = model->site_nodes[model->sites[s].node + k];
            if (node != part->nodeA && node != part->nodeB) return false;
        }
    return true;
}

static void draw(picture *p) {
    const ts_model *model = p->model;
    add_outlines(p);
    add_swept_circles(p);
    add_cells(p);
    for (int i = 0; i < model->parts_count; i++) {
        const ts_part *part = &model->parts[i];
        ts_look look = part->kind ? part->kind->look : TS_LOOK_NONE;
        if (look == TS_LOOK_BODY && part->node >= 0) add_body(p, i);
        if (look == TS_LOOK_LINK && has_place(model, part)) add_link(p, i);
    }
    for (int i = 0; i < model->strands_count; i++) put_link(p, &model->strands[i]);
    ts_skins_make(&p->skins, model);
}

static int put_array(ts_h5 file, ts_h5_array array, const void *data) {
    array.chunk = array.shape[0] ? array.shape[0] : 1;
    return ts_h5_array_put(file, &array, data);
}

static int put_surfaces(ts_h5 file, const ts_skins *s) {
    ts_h5_array points = {.name = "/geometry/surface_points",
                          .columns = "x y z",
                          .unit = "m, or 1 where scaled",
                          .help = "of surfaces of shapes, axes of their nodes",
                          .rank = 2,
                          .shape = {(uint64_t)s->points, 3}};
    ts_h5_array triangles = {.name = "/geometry/surface_triangles",
                             .help = "of surfaces of shapes: points of the surface, from 0, "
                                     "counter-clockwise from outside",
                             .integer = true,
                             .rank = 2,
                             .shape = {(uint64_t)s->triangles, 3}};
    int status = put_array(file, points, s->point);
    return status ? status : put_array(file, triangles, s->triangle);
}

static int put_picture(ts_h5 file, const picture *p) {
    ts_records cells = {p->cells.cell, p->cells.cells, 0, TS_CELL_FIELDS};
    const struct {
        const char *name, *help;
        const ts_records *table;
        const ts_table_field *field;
    } list[] = {
        {"/geometry/cells",
         "lines, triangles, quads, tetrahedra, hexahedra: `points` nodes from `first` in "
         "connectivity; their stations; outlines of the section at both ends of the part, and the "
         "position of the cell between them (0 to 1)",
         &cells, TS_CELL_FIELD},
        {"/geometry/outlines", "of sections: corners from `first`, `outer` ones, then a hole's",
         &p->outlines, TS_OUTLINE_FIELD},
        {"/geometry/bodies",
         "shapes fixed to nodes: size, position in body axes, rotation as a quaternion", &p->bodies,
         TS_BODY_FIELD},
        {"/geometry/links",
         "joints and springs: attachments in axes of their nodes, axis in axes of node A",
         &p->links, TS_LINK_FIELD},
        {"/geometry/shapes",
         "shapes that touch: a point p of their surface is at (x, y, z) + scale p in axes of the "
         "node; of a plane, a patch",
         &p->skins.shapes, TS_SKIN_FIELD},
        {"/geometry/surfaces",
         "`points` from `first` in surface_points, `triangles` from `first_triangle` in "
         "surface_triangles",
         &p->skins.surfaces, TS_SURFACE_FIELD}};
    int status = ts_h5_group(file, "/geometry", "how the model looks; see docs");
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = ts_h5_table_new(file, list[i].name, list[i].help, list[i].table->fields,
                                 list[i].field, list[i].table->rows, list[i].table->cells);
    ts_h5_array nodes = {.name = "/geometry/connectivity",
                         .help = "nodes, as rows of model/nodes",
                         .integer = true,
                         .rank = 1,
                         .shape = {(uint64_t)p->cells.connected}};
    ts_h5_array corners = {.name = "/geometry/corners",
                           .unit = "m",
                           .columns = "y2 y3",
                           .help = "of outlines, section axes",
                           .rank = 2,
                           .shape = {(uint64_t)p->corners, 2}};
    if (!status) status = put_array(file, nodes, p->cells.connectivity);
    if (!status) status = put_array(file, corners, p->corner);
    return status ? status : put_surfaces(file, &p->skins);
}

int ts_geometry_write(ts_h5 file, const ts_document *document) {
    picture p = {.model = document->model,
                 .drawing = document->drawing,
                 .outlines.fields = TS_OUTLINE_FIELDS,
                 .bodies.fields = TS_BODY_FIELDS,
                 .links.fields = TS_LINK_FIELDS};
    p.outline_of = ts_calloc((size_t)p.model->parts_count + 1, sizeof *p.outline_of);
    draw(&p);
    int status = put_picture(file, &p);
    ts_cells_clear(&p.cells);
    ts_records_clear(&p.outlines), ts_records_clear(&p.bodies), ts_records_clear(&p.links);
    ts_skins_clear(&p.skins);
    free(p.corner), free(p.outline_of);
    return status;
}

/* ---- reading ---- */

static bool range_fits(const ts_table_cell *first, int64_t count, int64_t of) {
    return first->integer >= 0 && count >= 0 && first->integer <= of &&
           count <= of - first->integer;
}

static bool index_fits(int64_t index, int64_t least, int64_t count) {
    return index >= least && index < count;
}

static bool cell_fits(const ts_geometry *g, const ts_table_cell *row, ts_cell_stations of) {
    int64_t stations = of.count[ts_cell_family_of(row)];
    return range_fits(&row[TS_CELL_FIRST], row[TS_CELL_POINTS].integer, g->connected) &&
           row[TS_CELL_POINTS].integer > 0 &&
           range_fits(&row[TS_CELL_STATION], row[TS_CELL_STATIONS].integer, stations) &&
           index_fits(row[TS_CELL_OUTLINE].integer, -1, g->outlines) &&
           index_fits(row[TS_CELL_OUTLINE_END].integer, -1, g->outlines);
}

static bool outline_fits(const ts_geometry *g, const ts_table_cell *row) {
    int64_t outer = row[TS_OUTLINE_OUTER].integer, inner = row[TS_OUTLINE_INNER].integer;
    return outer >= 3 && inner >= 0 && outer <= g->corners && inner <= g->corners &&
           range_fits(&row[TS_OUTLINE_FIRST], outer + inner, g->corners);
}

static bool skin_fits(const ts_skins *s, const ts_table_cell *row, int64_t nodes) {
    return index_fits(row[TS_SKIN_NODE].integer, 0, nodes) &&
           index_fits(row[TS_SKIN_SURFACE].integer, -1, s->surfaces.rows);
}

static bool surface_fits(const ts_skins *s, const ts_table_cell *row) {
    int64_t points = row[TS_SURFACE_COUNT].integer, count = row[TS_SURFACE_TRIANGLES].integer;
    if (!range_fits(&row[TS_SURFACE_FIRST], points, s->points) ||
        !range_fits(&row[TS_SURFACE_TRIANGLE], count, s->triangles))
        return false;
    const int64_t *corner = s->triangle + 3 * row[TS_SURFACE_TRIANGLE].integer;
    for (int64_t k = 0; k < 3 * count; k++)
        if (!index_fits(corner[k], 0, points)) return false;
    return true;
}

/* Every triangle belongs to one surface only: then they are walked over once. */
static bool skins_fit(const ts_skins *s, int64_t nodes) {
    int64_t walked = 0;
    for (int64_t i = 0; i < s->surfaces.rows; i++) {
        const ts_table_cell *row = ts_record(&s->surfaces, i);
        if (row[TS_SURFACE_TRIANGLE].integer != walked || !surface_fits(s, row)) return false;
        walked += row[TS_SURFACE_TRIANGLES].integer;
    }
    for (int64_t i = 0; i < s->shapes.rows; i++)
        if (!skin_fits(s, ts_record(&s->shapes, i), nodes)) return false;
    return true;
}

/* A damaged file may point anywhere. */
static int check(const ts_geometry *g, int64_t nodes, ts_cell_stations stations) {
    bool fits = skins_fit(&g->skins, nodes);
    for (int64_t i = 0; i < g->cells; i++)
        fits = fits && cell_fits(g, g->cell + i * TS_CELL_FIELDS, stations);
    for (int64_t i = 0; i < g->outlines; i++)
        fits = fits && outline_fits(g, g->outline + i * TS_OUTLINE_FIELDS);
    for (int64_t i = 0; i < g->bodies; i++)
        fits = fits && index_fits(g->body[i * TS_BODY_FIELDS + TS_BODY_NODE].integer, 0, nodes);
    for (int64_t i = 0; i < g->links; i++)
        for (int k = TS_LINK_NODE_A; k <= TS_LINK_NODE_B; k++)
            fits = fits && index_fits(g->link[i * TS_LINK_FIELDS + k].integer, 0, nodes);
    for (int64_t i = 0; i < g->connected; i++)
        fits = fits && index_fits(g->connectivity[i], 0, nodes);
    return fits ? 0 : ts_fail(TORSOR_EIO, "an index in /geometry is out of range");
}

static int read_skins(ts_skins *s, ts_h5 file) {
    void *point = NULL, *triangle = NULL;
    int64_t points[] = {-1, 3}, triangles[] = {-1, 3};
    bool lacks;
    s->shapes.fields = TS_SKIN_FIELDS, s->surfaces.fields = TS_SURFACE_FIELDS;
    if (ts_h5_lacks(file, "/geometry/shapes", &lacks)) return TORSOR_EIO;
    if (lacks) return 0;
    int status =
        ts_h5_table_read(file, "/geometry/shapes", TS_SKIN_FIELDS, TS_SKIN_FIELD, &s->shapes.rows,
                         &s->shapes.cells) ||
        ts_h5_table_read(file, "/geometry/surfaces", TS_SURFACE_FIELDS, TS_SURFACE_FIELD,
                         &s->surfaces.rows, &s->surfaces.cells) ||
        ts_h5_array_get(file, "/geometry/surface_points", false, 2, points, &point) ||
        ts_h5_array_get(file, "/geometry/surface_triangles", true, 2, triangles, &triangle);
    if (!status) s->points = points[0], s->triangles = triangles[0];
    s->point = point, s->triangle = triangle;
    return status;
}

int ts_geometry_read(ts_geometry *g, ts_h5 file, int64_t nodes, ts_cell_stations stations) {
    void *connectivity = NULL, *corner = NULL;
    int64_t connected[] = {-1}, corners[] = {-1, 2};
    bool lacks;
    *g = (ts_geometry){0};
    if (ts_h5_lacks(file, "/geometry", &lacks)) return TORSOR_EIO;
    if (lacks) return 0;
    int status =
        ts_h5_table_read(file, "/geometry/cells", TS_CELL_FIELDS, TS_CELL_FIELD, &g->cells,
                         &g->cell) ||
        ts_h5_table_read(file, "/geometry/outlines", TS_OUTLINE_FIELDS, TS_OUTLINE_FIELD,
                         &g->outlines, &g->outline) ||
        ts_h5_table_read(file, "/geometry/bodies", TS_BODY_FIELDS, TS_BODY_FIELD, &g->bodies,
                         &g->body) ||
        ts_h5_table_read(file, "/geometry/links", TS_LINK_FIELDS, TS_LINK_FIELD, &g->links,
                         &g->link) ||
        ts_h5_array_get(file, "/geometry/connectivity", true, 1, connected, &connectivity) ||
        ts_h5_array_get(file, "/geometry/corners", false, 2, corners, &corner);
    if (!status) g->connected = connected[0], g->corners = corners[0];
    g->connectivity = connectivity, g->corner = corner;
    if (!status) status = read_skins(&g->skins, file);
    if (!status) status = check(g, nodes, stations);
    if (status) ts_geometry_clear(g);
    return status ? TORSOR_EIO : 0;
}

/* Nodes of a part are consecutive, those of its cells first. */
bool *ts_geometry_hidden(const ts_geometry *g, int64_t nodes, const ts_table_cell *node) {
    bool *hidden = ts_calloc((size_t)nodes + 1, sizeof *hidden), meshed = false;
    bool *connected = ts_calloc((size_t)nodes + 1, sizeof *connected);
    for (int64_t i = 0; i < g->connected; i++) connected[g->connectivity[i]] = true;
    for (int64_t n = 1; n < nodes; n++) {
        const ts_table_cell *row = node + n * TS_NODE_FIELDS, *last = row - TS_NODE_FIELDS;
        meshed &= strcmp(row[TS_NODE_PART].text, last[TS_NODE_PART].text) == 0;
        meshed |= connected[n];
        hidden[n] = !connected[n] && row[TS_NODE_SLOTS].integer == 1 &&
                    (meshed || !(row[TS_NODE_MASS].number > 0));
    }
    free(connected);
    return hidden;
}

void ts_geometry_clear(ts_geometry *g) {
    free(g->cell), free(g->outline), free(g->body), free(g->link);
    free(g->connectivity), free(g->corner);
    ts_skins_clear(&g->skins);
    *g = (ts_geometry){0};
}
