/* What a model looks like, for reports and for ParaView.
 *
 *   cells      what is flexible: every list of nodes that sites of one part share is a cell; its
 *              type follows from the section of the model file and the number of nodes
 *   outlines   of the sections of beams: polygons
 *   bodies     a shape with place and axes on a node, given or from the inertia
 *   links      joints and springs: where they hold their two nodes, and their axis
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
const ts_h5_field TS_CELL_FIELD[] = {
    {"part", TS_H5_TEXT}, {"type", TS_H5_TEXT}, {"first", TS_H5_INTEGER}, {"points", TS_H5_INTEGER},
    {"station", TS_H5_INTEGER}, {"stations", TS_H5_INTEGER},
    {"outline", TS_H5_INTEGER}, {"outline_end", TS_H5_INTEGER},
    {"from", TS_H5_NUMBER}, {"to", TS_H5_NUMBER}, {"thickness", TS_H5_NUMBER}};
const ts_h5_field TS_OUTLINE_FIELD[] = {
    {"section", TS_H5_TEXT}, {"first", TS_H5_INTEGER}, {"outer", TS_H5_INTEGER}, {"inner", TS_H5_INTEGER}};
const ts_h5_field TS_BODY_FIELD[] = {
    {"part", TS_H5_TEXT}, {"node", TS_H5_INTEGER}, {"shape", TS_H5_TEXT}, {"given", TS_H5_INTEGER},
    {"size_x", TS_H5_NUMBER}, {"size_y", TS_H5_NUMBER}, {"size_z", TS_H5_NUMBER},
    {"x", TS_H5_NUMBER}, {"y", TS_H5_NUMBER}, {"z", TS_H5_NUMBER},
    {"qs", TS_H5_NUMBER}, {"qx", TS_H5_NUMBER}, {"qy", TS_H5_NUMBER}, {"qz", TS_H5_NUMBER}};
const ts_h5_field TS_LINK_FIELD[] = {
    {"part", TS_H5_TEXT}, {"node_a", TS_H5_INTEGER}, {"node_b", TS_H5_INTEGER},
    {"ax", TS_H5_NUMBER}, {"ay", TS_H5_NUMBER}, {"az", TS_H5_NUMBER},
    {"bx", TS_H5_NUMBER}, {"by", TS_H5_NUMBER}, {"bz", TS_H5_NUMBER},
    {"axis_x", TS_H5_NUMBER}, {"axis_y", TS_H5_NUMBER}, {"axis_z", TS_H5_NUMBER}};

/* A flexible kind needs a line here for every number of nodes its elements have. Nodes of a site
 * stand in VTK's order, those of a line one after the other. */
static const struct {
    const char *section;
    int nodes;
    const char *type;
} CELL_TYPE[] = {
    {"beams", 2, "line"}, {"beams", 3, "line"}, {"beams", 4, "line"},
    {"cables", 2, "line"}, {"cables", 3, "line"}, {"cables", 4, "line"},
    {"shells", 3, "triangle"}, {"shells", 4, "quad"}, {"shells", 9, "quad"},
    {"membranes", 3, "triangle"}, {"membranes", 4, "quad"},
    {"solids", 4, "tetra"}, {"solids", 10, "tetra"}, {"solids", 6, "wedge"},
    {"solids", 8, "hexahedron"}, {"solids", 20, "hexahedron"}, {"solids", 27, "hexahedron"}};
/* clang-format on */

/* Without the unknowns of the element, which stand behind its nodes. */
static int drawn_nodes(const ts_model *model, const ts_site *site) {
    int count = site->nodes;
    while (count > 0 && model->nodes[model->site_nodes[site->node + count - 1]].inner) count--;
    return count;
}

static const char *cell_type(const ts_part *part, int nodes) {
    for (size_t i = 0; part->kind && i < sizeof CELL_TYPE / sizeof *CELL_TYPE; i++)
        if (CELL_TYPE[i].nodes == nodes && strcmp(CELL_TYPE[i].section, part->kind->section) == 0)
            return CELL_TYPE[i].type;
    return NULL;
}

/* ---- writing: tables grow row by row ---- */

typedef struct table {
    ts_h5_cell *cells;
    int64_t rows, room;
    int fields;
} table;

static ts_h5_cell *add_row(table *t) {
    if (t->rows == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cells = ts_realloc(t->cells, (size_t)(t->room * t->fields), sizeof *t->cells);
    }
    ts_h5_cell *row = t->cells + t->rows++ * t->fields;
    memset(row, 0, (size_t)t->fields * sizeof *row);
    return row;
}

static void put_vector(ts_h5_cell *row, v3 a) {
    row[0].number = a.x, row[1].number = a.y, row[2].number = a.z;
}

typedef struct picture {
    const ts_model *model;
    const ts_drawing *drawing;
    table cells, outlines, bodies, links;
    int64_t *connectivity;
    int64_t connected;
    double *corner;
    int64_t corners;
    int64_t *outline_of; /* by part; -1 */
} picture;

static void add_outlines(picture *p) {
    for (int i = 0; i < p->model->parts_count; i++) {
        const ts_drawn *d = ts_drawing_of(p->drawing, i);
        p->outline_of[i] = -1;
        if (!d || d->outer == 0) continue;
        int count = d->outer + d->inner;
        ts_h5_cell *row = add_row(&p->outlines);
        p->outline_of[i] = p->outlines.rows - 1;
        row[TS_OUTLINE_SECTION].text = p->model->parts[i].name;
        row[TS_OUTLINE_FIRST].integer = p->corners;
        row[TS_OUTLINE_OUTER].integer = d->outer;
        row[TS_OUTLINE_INNER].integer = d->inner;
        p->corner = ts_realloc(p->corner, 2 * (size_t)(p->corners + count), sizeof *p->corner);
        memcpy(p->corner + 2 * p->corners, d->outline, 2 * (size_t)count * sizeof *p->corner);
        p->corners += count;
    }
}

static bool same_nodes(const ts_model *model, const ts_site *a, const ts_site *b) {
    return a->nodes == b->nodes && memcmp(model->site_nodes + a->node, model->site_nodes + b->node,
                                          (size_t)a->nodes * sizeof *model->site_nodes) == 0;
}

static void add_cell(picture *p, int part, const ts_site *site, const char *type) {
    int nodes = drawn_nodes(p->model, site);
    const ts_drawn *d = ts_drawing_of(p->drawing, part);
    ts_h5_cell *row = add_row(&p->cells);
    bool section = d && d->section >= 0;
    row[TS_CELL_PART].text = p->model->parts[part].name;
    row[TS_CELL_TYPE].text = type;
    row[TS_CELL_FIRST].integer = p->connected;
    row[TS_CELL_POINTS].integer = nodes;
    row[TS_CELL_OUTLINE].integer = section ? p->outline_of[d->section] : -1;
    row[TS_CELL_OUTLINE_END].integer = section ? p->outline_of[d->section_end] : -1;
    row[TS_CELL_THICKNESS].number = d ? d->thickness : 0;
    p->connectivity =
        ts_realloc(p->connectivity, (size_t)(p->connected + nodes), sizeof *p->connectivity);
    for (int k = 0; k < nodes; k++)
        p->connectivity[p->connected++] = p->model->site_nodes[site->node + k];
}

/* Where cells lie along their part. */
static void place_cells(picture *p, int64_t first) {
    int64_t count = p->cells.rows - first;
    for (int64_t i = 0; i < count; i++) {
        ts_h5_cell *row = p->cells.cells + (first + i) * TS_CELL_FIELDS;
        row[TS_CELL_FROM].number = (double)i / (double)count;
        row[TS_CELL_TO].number = (double)(i + 1) / (double)count;
    }
}

/* `station` counts the sites of each kind that results tell of, in the order of the whole model: as model/stations,
 * shell_points and solid_points do. */
static void add_cells(picture *p, int part, int station[]) {
    const ts_part *owner = &p->model->parts[part];
    const ts_site *last = NULL;
    int64_t first = p->cells.rows;
    bool flexible = owner->node >= 0 || owner->mesh;
    for (int s = owner->site; s < owner->site + owner->sites; s++) {
        const ts_site *site = &p->model->sites[s];
        const char *type = flexible ? cell_type(owner, drawn_nodes(p->model, site)) : NULL;
        bool new = type && !(last && same_nodes(p->model, site, last));
        if (new) add_cell(p, part, site, type), last = site;
        ts_h5_cell *row = type ? p->cells.cells + (p->cells.rows - 1) * TS_CELL_FIELDS : NULL;
        if (new) row[TS_CELL_STATION].integer = station[site->station];
        if (site->station == TS_STATION_NONE) continue;
        if (row) row[TS_CELL_STATIONS].integer++;
        station[site->station]++;
    }
    place_cells(p, first);
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
    ts_h5_cell *row = add_row(&p->bodies);
    row[TS_BODY_PART].text = owner->name;
    row[TS_BODY_NODE].integer = owner->node;
    row[TS_BODY_SHAPE].text = TS_SHAPE_NAME[given ? d->shape : TS_SHAPE_BOX];
    row[TS_BODY_GIVEN].integer = given;
    put_vector(row + TS_BODY_SIZE, v3_load(size));
    put_vector(row + TS_BODY_AT, given && d->placed ? d->at : mass_centre(node));
    row[TS_BODY_QUATERNION].number = q.s;
    put_vector(row + TS_BODY_QUATERNION + 1, q.v);
}

static void add_link(picture *p, int part) {
    const ts_part *owner = &p->model->parts[part];
    ts_h5_cell *row = add_row(&p->links);
    row[TS_LINK_PART].text = owner->name;
    row[TS_LINK_NODE_A].integer = owner->nodeA;
    row[TS_LINK_NODE_B].integer = owner->nodeB;
    put_vector(row + TS_LINK_POINT_A, owner->pointA);
    put_vector(row + TS_LINK_POINT_B, owner->pointB);
    put_vector(row + TS_LINK_AXIS, owner->frameA.c[2]);
}

/* A support holds many nodes: it is at no one place. */
static bool has_place(const ts_model *model, const ts_part *part) {
    if (part->node >= 0 || part->sites == 0 || part->nodeA == part->nodeB) return false;
    for (int s = part->site; s < part->site + part->sites; s++)
        for (int k = 0; k < model->sites[s].nodes; k++) {
            int node = model->site_nodes[model->sites[s].node + k];
            if (node != part->nodeA && node != part->nodeB) return false;
        }
    return true;
}

static bool in_section(const ts_part *part, const char *section) {
    return part->kind && strcmp(part->kind->section, section) == 0;
}

static void draw(picture *p) {
    const ts_model *model = p->model;
    int station[TS_STATION_SOLID + 1] = {0};
    add_outlines(p);
    for (int i = 0; i < model->parts_count; i++) {
        const ts_part *part = &model->parts[i];
        add_cells(p, i, station);
        if (in_section(part, "bodies") && part->node >= 0) add_body(p, i);
        if (has_place(model, part) && (in_section(part, "joints") || in_section(part, "springs")))
            add_link(p, i);
    }
}

static int put_array(ts_h5 file, ts_h5_array array, const void *data) {
    ts_h5 set;
    int rank, status;
    uint64_t shape[3];
    array.chunk = array.shape[0] ? array.shape[0] : 1;
    status = ts_h5_array_new(file, &array);
    if (!status) status = ts_h5_dataset(&set, file, array.name, &rank, shape);
    if (status) return status;
    if (shape[0] > 0) status = ts_h5_write(set, array.integer, 0, (int64_t)shape[0], data);
    ts_h5_dataset_close(set);
    return status;
}

static int put_picture(ts_h5 file, const picture *p) {
    const struct {
        const char *name, *help;
        const table *table;
        const ts_h5_field *field;
    } list[] = {
        {"/geometry/cells",
         "lines, triangles, quads, tetrahedra, hexahedra: `points` nodes from `first` in "
         "connectivity; their stations; outlines of the section at both ends of the part, and "
         "where between them (0 to 1) the cell lies",
         &p->cells, TS_CELL_FIELD},
        {"/geometry/outlines", "of sections: corners from `first`, `outer` ones, then a hole's",
         &p->outlines, TS_OUTLINE_FIELD},
        {"/geometry/bodies",
         "shapes fixed to nodes: size, place in body axes, rotation as a quaternion", &p->bodies,
         TS_BODY_FIELD},
        {"/geometry/links",
         "joints and springs: attachments in axes of their nodes, axis in axes of node A",
         &p->links, TS_LINK_FIELD}};
    int status = ts_h5_group(file, "/geometry", "what the model looks like; see docs");
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = ts_h5_table_new(file, list[i].name, list[i].help, list[i].table->fields,
                                 list[i].field, list[i].table->rows, list[i].table->cells);
    ts_h5_array nodes = {.name = "/geometry/connectivity",
                         .help = "nodes, as rows of model/nodes",
                         .integer = true,
                         .rank = 1,
                         .shape = {(uint64_t)p->connected}};
    ts_h5_array corners = {.name = "/geometry/corners",
                           .unit = "m",
                           .columns = "y2 y3",
                           .help = "of outlines, section axes",
                           .rank = 2,
                           .shape = {(uint64_t)p->corners, 2}};
    if (!status) status = put_array(file, nodes, p->connectivity);
    return status ? status : put_array(file, corners, p->corner);
}

int ts_geometry_write(ts_h5 file, const ts_document *document) {
    picture p = {.model = document->model,
                 .drawing = document->drawing,
                 .cells.fields = TS_CELL_FIELDS,
                 .outlines.fields = TS_OUTLINE_FIELDS,
                 .bodies.fields = TS_BODY_FIELDS,
                 .links.fields = TS_LINK_FIELDS};
    p.outline_of = ts_calloc((size_t)p.model->parts_count + 1, sizeof *p.outline_of);
    draw(&p);
    int status = put_picture(file, &p);
    free(p.cells.cells), free(p.outlines.cells), free(p.bodies.cells), free(p.links.cells);
    free(p.connectivity), free(p.corner), free(p.outline_of);
    return status;
}

/* ---- reading ---- */

static int read_array(ts_h5 file, const char *name, bool integer, int wanted, int64_t *rows,
                      void **out) {
    ts_h5 set;
    int rank;
    uint64_t shape[3];
    int status = ts_h5_dataset(&set, file, name, &rank, shape);
    if (status) return status;
    if (rank != wanted || (rank == 2 && shape[1] != 2)) {
        ts_h5_dataset_close(set);
        return ts_fail(TORSOR_EIO, "dataset '%s' has an unexpected shape", name);
    }
    *rows = (int64_t)shape[0];
    *out = ts_calloc((size_t)shape[0] * (size_t)rank + 1, 8);
    status = ts_h5_read(set, integer, 0, *rows, *out);
    ts_h5_dataset_close(set);
    return status;
}

static bool range_fits(const ts_h5_cell *first, int64_t count, int64_t of) {
    return first->integer >= 0 && count >= 0 && first->integer <= of &&
           count <= of - first->integer;
}

static bool index_fits(int64_t index, int64_t least, int64_t count) {
    return index >= least && index < count;
}

ts_cell_family ts_cell_family_of(const ts_h5_cell *cell) {
    const char *type = cell[TS_CELL_TYPE].text;
    if (strcmp(type, "line") == 0) return TS_CELL_LINES;
    bool surface = strcmp(type, "triangle") == 0 || strcmp(type, "quad") == 0;
    return surface ? TS_CELL_SURFACES : TS_CELL_SOLIDS;
}

static bool cell_fits(const ts_geometry *g, const ts_h5_cell *row, ts_cell_stations of) {
    int64_t stations = of.count[ts_cell_family_of(row)];
    return range_fits(&row[TS_CELL_FIRST], row[TS_CELL_POINTS].integer, g->connected) &&
           row[TS_CELL_POINTS].integer > 0 &&
           range_fits(&row[TS_CELL_STATION], row[TS_CELL_STATIONS].integer, stations) &&
           index_fits(row[TS_CELL_OUTLINE].integer, -1, g->outlines) &&
           index_fits(row[TS_CELL_OUTLINE_END].integer, -1, g->outlines);
}

static bool outline_fits(const ts_geometry *g, const ts_h5_cell *row) {
    int64_t outer = row[TS_OUTLINE_OUTER].integer, inner = row[TS_OUTLINE_INNER].integer;
    return outer >= 3 && inner >= 0 && outer <= g->corners && inner <= g->corners &&
           range_fits(&row[TS_OUTLINE_FIRST], outer + inner, g->corners);
}

/* A damaged file may point anywhere. */
static int check(const ts_geometry *g, int64_t nodes, ts_cell_stations stations) {
    bool fits = true;
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
    return fits ? 0 : ts_fail(TORSOR_EIO, "/geometry points nowhere");
}

int ts_geometry_read(ts_geometry *g, ts_h5 file, int64_t nodes, ts_cell_stations stations) {
    void *connectivity = NULL, *corner = NULL;
    *g = (ts_geometry){0};
    if (!ts_h5_exists(file, "/geometry")) return 0;
    int status =
        ts_h5_table_read(file, "/geometry/cells", TS_CELL_FIELDS, TS_CELL_FIELD, &g->cells,
                         &g->cell) ||
        ts_h5_table_read(file, "/geometry/outlines", TS_OUTLINE_FIELDS, TS_OUTLINE_FIELD,
                         &g->outlines, &g->outline) ||
        ts_h5_table_read(file, "/geometry/bodies", TS_BODY_FIELDS, TS_BODY_FIELD, &g->bodies,
                         &g->body) ||
        ts_h5_table_read(file, "/geometry/links", TS_LINK_FIELDS, TS_LINK_FIELD, &g->links,
                         &g->link) ||
        read_array(file, "/geometry/connectivity", true, 1, &g->connected, &connectivity) ||
        read_array(file, "/geometry/corners", false, 2, &g->corners, &corner);
    g->connectivity = connectivity, g->corner = corner;
    if (!status) status = check(g, nodes, stations);
    if (status) ts_geometry_clear(g);
    return status ? TORSOR_EIO : 0;
}

bool *ts_geometry_hidden(const ts_geometry *g, int64_t nodes, const ts_h5_cell *node) {
    bool *hidden = ts_calloc((size_t)nodes + 1, sizeof *hidden);
    for (int64_t n = 1; n < nodes; n++) {
        const ts_h5_cell *row = node + n * TS_NODE_FIELDS;
        hidden[n] = row[TS_NODE_SLOTS].integer == 1 && !(row[TS_NODE_MASS].number > 0);
    }
    for (int64_t i = 0; i < g->connected; i++) hidden[g->connectivity[i]] = false;
    return hidden;
}

void ts_geometry_clear(ts_geometry *g) {
    free(g->cell), free(g->outline), free(g->body), free(g->link);
    free(g->connectivity), free(g->corner);
    *g = (ts_geometry){0};
}
