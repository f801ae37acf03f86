/* Stored states as a series of VTU files (VTK's unstructured grids, XML with the numbers appended as
 * they are) and a PVD file that gives them their times. VTK 9 and ParaView 5 read both.
 *
 *   points       all nodes but those that are no places, then the surfaces of bodies
 *   cells        lines, triangles ... of /geometry; quads of the surfaces of bodies; a vertex for
 *                every joint and spring, at its point on A
 *   point data   displacement and rotation (vector) from the first state, velocity, angular velocity
 *   cell data    part; internal force (N, Q2, Q3), internal moment (M1, M2, M3) and strain energy per
 *                length of beams and cables; forces and moments per length and strain energy per area of
 *                shells; stress of solids; force and moment of joints on B; NaN where there is none.
 *                Of a cell with several points, the mean
 */
#include "io/export.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "io/cell_values.h"
#include "io/export_shape.h"
#include "io/geometry.h"
#include "io/results_file.h"
#include "io/results_place.h"
#include "math/rotation.h"

enum { VTK_VERTEX = 1, VTK_LINE = 3, VTK_POLY_LINE = 4, VTK_QUAD = 9 };

static const struct {
    const char *name;
    int points, vtk;
} CELL_TYPE[] = {{"line", 2, VTK_LINE}, {"line", 3, VTK_POLY_LINE}, {"line", 4, VTK_POLY_LINE},
                 {"triangle", 3, 5},    {"quad", 4, VTK_QUAD},      {"quad", 9, 28},
                 {"tetra", 4, 10},      {"tetra", 10, 24},          {"wedge", 6, 13},
                 {"hexahedron", 8, 12}, {"hexahedron", 20, 25},     {"hexahedron", 27, 29}};

/* A point that is fixed to a node. */
typedef struct carried {
    int64_t node;
    v3 local;
} carried;

typedef struct frame_data {
    double t, *q, *v, *omega, *force, *moment, *section_force, *section_strain;
    ts_cell_rows inside;
} frame_data;

typedef struct grid {
    ts_results *r;
    ts_geometry geometry;
    ts_h5_cell *node, *part;
    int64_t nodes, parts, points, cells, connected;
    carried *point;
    int64_t *point_of;                      /* of a node; -1 where it is no place */
    int64_t *connectivity, *offset, *owner; /* owner: part */
    int64_t *source; /* of a cell: row of geometry's cells, or -1 - link; INT64_MIN: neither */
    uint8_t *type;
    double *first; /* q of the first state */
    frame_data now;
} grid;

/* ---- the grid, once ---- */

/* Its nodes are in connectivity already: VTK's offsets are those of the ends. */
static void add_cell(grid *g, int type, int64_t owner, int64_t source) {
    g->type[g->cells] = (uint8_t)type, g->owner[g->cells] = owner, g->source[g->cells] = source;
    g->offset[g->cells++] = g->connected;
}

static int64_t part_of(const grid *g, const char *name) {
    for (int64_t i = 0; i < g->parts; i++)
        if (strcmp(g->part[i * TS_PART_FIELDS + TS_PART_NAME].text, name) == 0) return i;
    return -1;
}

static int vtk_type(const ts_h5_cell *row) {
    for (size_t i = 0; i < sizeof CELL_TYPE / sizeof *CELL_TYPE; i++)
        if (row[TS_CELL_POINTS].integer == CELL_TYPE[i].points &&
            strcmp(row[TS_CELL_TYPE].text, CELL_TYPE[i].name) == 0)
            return CELL_TYPE[i].vtk;
    return 0;
}

static void add_flexible(grid *g) {
    const char *last = NULL;
    int64_t owner = -1;
    for (int64_t i = 0; i < g->geometry.cells; i++) {
        const ts_h5_cell *row = g->geometry.cell + i * TS_CELL_FIELDS;
        int type = vtk_type(row);
        if (type == 0) continue;
        if (!last || strcmp(last, row[TS_CELL_PART].text) != 0)
            last = row[TS_CELL_PART].text, owner = part_of(g, last);
        for (int64_t k = 0; k < row[TS_CELL_POINTS].integer; k++)
            g->connectivity[g->connected++] =
                g->point_of[g->geometry.connectivity[row[TS_CELL_FIRST].integer + k]];
        add_cell(g, type, owner, i);
    }
}

static v3 vector_at(const ts_h5_cell *row) {
    return v3_make(row[0].number, row[1].number, row[2].number);
}

static void add_body(grid *g, const ts_h5_cell *row) {
    ts_surface surface;
    double size[3];
    v3_store(size, vector_at(row + TS_BODY_SIZE));
    quat turn = {row[TS_BODY_QUATERNION].number, vector_at(row + TS_BODY_QUATERNION + 1)};
    m3 axes = quat_matrix(turn);
    int64_t owner = part_of(g, row[TS_BODY_PART].text), base = g->points;
    ts_surface_make(&surface, row[TS_BODY_SHAPE].text, size);
    for (int i = 0; i < surface.points; i++)
        g->point[g->points++] =
            (carried){row[TS_BODY_NODE].integer,
                      v3_add(vector_at(row + TS_BODY_AT), m3_apply(axes, surface.point[i]))};
    for (int i = 0; i < surface.quads; i++) {
        for (int k = 0; k < 4; k++) g->connectivity[g->connected++] = base + surface.quad[i][k];
        add_cell(g, VTK_QUAD, owner, INT64_MIN);
    }
}

static void add_link(grid *g, int64_t link) {
    const ts_h5_cell *row = g->geometry.link + link * TS_LINK_FIELDS;
    g->connectivity[g->connected++] = g->points;
    g->point[g->points++] =
        (carried){row[TS_LINK_NODE_A].integer, vector_at(row + TS_LINK_POINT_A)};
    add_cell(g, VTK_VERTEX, part_of(g, row[TS_LINK_PART].text), -1 - link);
}

static void make_grid(grid *g) {
    const ts_geometry *m = &g->geometry;
    size_t points = (size_t)(g->nodes + m->bodies * TS_SURFACE_POINTS + m->links);
    size_t cells = (size_t)(m->cells + m->bodies * TS_SURFACE_QUADS + m->links) + 1;
    size_t connected = (size_t)(m->connected + 4 * m->bodies * TS_SURFACE_QUADS + m->links) + 1;
    g->point = ts_calloc(points + 1, sizeof *g->point);
    g->connectivity = ts_calloc(connected, sizeof *g->connectivity);
    g->offset = ts_calloc(cells, sizeof *g->offset);
    g->owner = ts_calloc(cells, sizeof *g->owner);
    g->source = ts_calloc(cells, sizeof *g->source);
    g->type = ts_calloc(cells, sizeof *g->type);
    bool *hidden = ts_geometry_hidden(m, g->nodes, g->node);
    g->point_of = ts_calloc((size_t)g->nodes + 1, sizeof *g->point_of);
    for (int64_t n = 0; n < g->nodes; n++) {
        g->point_of[n] = hidden[n] ? -1 : g->points;
        if (!hidden[n]) g->point[g->points++].node = n;
    }
    free(hidden);
    add_flexible(g);
    for (int64_t i = 0; i < m->bodies; i++) add_body(g, m->body + i * TS_BODY_FIELDS);
    for (int64_t i = 0; i < m->links; i++) add_link(g, i);
}

static int read_model(grid *g) {
    ts_results *r = g->r;
    if (ts_h5_table_read(r->file, "/model/nodes", TS_NODE_FIELDS, TS_NODE_FIELD, &g->nodes,
                         &g->node) ||
        ts_h5_table_read(r->file, "/model/parts", TS_PART_FIELDS, TS_PART_FIELD, &g->parts,
                         &g->part) ||
        ts_geometry_read(&g->geometry, r->file, g->nodes, ts_cell_stations_of(r)))
        return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    for (int64_t n = 0; n < g->nodes; n++) {
        const ts_h5_cell *row = g->node + n * TS_NODE_FIELDS;
        int64_t slot = row[TS_NODE_SLOT].integer, slots = row[TS_NODE_SLOTS].integer;
        if (slot < 0 || slots < 1 || slots > 4 || slot + slots > r->entries[TS_EACH_SLOT])
            return ts_fail(TORSOR_EIO, "cannot read %s: a node points nowhere", r->path);
    }
    return 0;
}

/* ---- a state ---- */

static double *numbers(const ts_results *r, ts_series_id id) {
    return ts_calloc((size_t)r->track[id].values + 1, sizeof(double));
}

static void make_frame(grid *g) {
    ts_results *r = g->r;
    g->now = (frame_data){.q = numbers(r, TS_FRAME_Q),
                          .v = numbers(r, TS_FRAME_V),
                          .omega = numbers(r, TS_FRAME_OMEGA),
                          .force = numbers(r, TS_FRAME_FORCE),
                          .moment = numbers(r, TS_FRAME_MOMENT),
                          .section_force = numbers(r, TS_FRAME_SECTION_FORCE),
                          .section_strain = numbers(r, TS_FRAME_SECTION_STRAIN)};
    ts_cell_rows_new(&g->now.inside, r);
    g->first = numbers(r, TS_FRAME_Q);
}

static int read_frame(grid *g, int64_t frame) {
    frame_data *d = &g->now;
    const struct {
        ts_series_id id;
        double *to;
    } list[] = {{TS_FRAME_T, &d->t},
                {TS_FRAME_Q, d->q},
                {TS_FRAME_V, d->v},
                {TS_FRAME_OMEGA, d->omega},
                {TS_FRAME_FORCE, d->force},
                {TS_FRAME_MOMENT, d->moment},
                {TS_FRAME_SECTION_FORCE, d->section_force},
                {TS_FRAME_SECTION_STRAIN, d->section_strain}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (ts_results_rows(g->r, list[i].id, frame, 1, list[i].to)) return TORSOR_EIO;
    return ts_cell_rows_read(&d->inside, g->r, frame);
}

static const double *slot_of(const grid *g, const double *q, int64_t node) {
    return q + 3 * g->node[node * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

static m3 frame_of(const grid *g, const double *q, int64_t node) {
    bool frame = g->node[node * TS_NODE_FIELDS + TS_NODE_SLOTS].integer == 4;
    return frame ? m3_load(slot_of(g, q, node) + 3) : m3_identity();
}

static v3 place_of(const grid *g, const double *q, const carried *p) {
    return v3_add(v3_load(slot_of(g, q, p->node)), m3_apply(frame_of(g, q, p->node), p->local));
}

static v3 velocity_of(const grid *g, const carried *p) {
    v3 arm = m3_apply(frame_of(g, g->now.q, p->node), p->local);
    return v3_add(v3_load(slot_of(g, g->now.v, p->node)),
                  v3_cross(v3_load(g->now.omega + 3 * p->node), arm));
}

/* ---- fields: three numbers a point or cell, or one ---- */

static v3 points_field(const grid *g, int64_t i) { return place_of(g, g->now.q, &g->point[i]); }
static v3 displacement(const grid *g, int64_t i) {
    return v3_sub(points_field(g, i), place_of(g, g->first, &g->point[i]));
}
static v3 rotation(const grid *g, int64_t i) {
    int64_t node = g->point[i].node;
    m3 now = frame_of(g, g->now.q, node), first = frame_of(g, g->first, node);
    return ts_so3_log(m3_mul(now, m3_transpose(first)));
}
static v3 velocity(const grid *g, int64_t i) { return velocity_of(g, &g->point[i]); }
static v3 angular_velocity(const grid *g, int64_t i) {
    return v3_load(g->now.omega + 3 * g->point[i].node);
}

static const v3 NOTHING = {NAN, NAN, NAN};

static const ts_h5_cell *cell_row(const grid *g, int64_t cell) {
    return g->source[cell] < 0 ? NULL : g->geometry.cell + g->source[cell] * TS_CELL_FIELDS;
}

static const ts_h5_cell *line_row(const grid *g, int64_t cell) {
    const ts_h5_cell *row = cell_row(g, cell);
    return row && ts_cell_family_of(row) == TS_CELL_LINES ? row : NULL;
}

/* Mean over the stations of a cell, each with its weight left out: they are alike. */
static v3 section_mean(const grid *g, int64_t cell, int first) {
    const ts_h5_cell *row = line_row(g, cell);
    if (!row) return NOTHING;
    int64_t count = row[TS_CELL_STATIONS].integer, station = row[TS_CELL_STATION].integer;
    v3 sum = {0, 0, 0};
    for (int64_t k = station; k < station + count; k++)
        sum = v3_add(sum, v3_load(g->now.section_force + TS_SECTION_WIDTH * k + first));
    return count > 0 ? v3_scale(1.0 / (double)count, sum) : NOTHING;
}
static v3 internal_force(const grid *g, int64_t i) { return section_mean(g, i, 0); }
static v3 internal_moment(const grid *g, int64_t i) { return section_mean(g, i, 3); }

static v3 strain_energy(const grid *g, int64_t cell) {
    const ts_h5_cell *row = line_row(g, cell);
    if (!row) return NOTHING;
    int64_t count = row[TS_CELL_STATIONS].integer, station = row[TS_CELL_STATION].integer;
    double sum = 0;
    for (int64_t k = TS_SECTION_WIDTH * station; k < TS_SECTION_WIDTH * (station + count); k++)
        sum += 0.5 * g->now.section_force[k] * g->now.section_strain[k];
    return v3_make(count > 0 ? sum / (double)count : NAN, 0, 0);
}

static v3 shell_force(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return row ? ts_cell_shell_force(&g->now.inside, row, 0) : NOTHING;
}
static v3 shell_moment(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return row ? ts_cell_shell_force(&g->now.inside, row, 3) : NOTHING;
}
static v3 shell_energy(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return v3_make(row ? ts_cell_shell_energy(&g->now.inside, row) : NAN, 0, 0);
}
static v3 normal_stress(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return row ? ts_cell_stress(&g->now.inside, row, 0) : NOTHING;
}
static v3 shear_stress(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return row ? ts_cell_stress(&g->now.inside, row, 3) : NOTHING;
}
static v3 von_mises(const grid *g, int64_t i) {
    const ts_h5_cell *row = cell_row(g, i);
    return v3_make(row ? ts_cell_mises(&g->now.inside, row) : NAN, 0, 0);
}

static v3 reaction(const grid *g, int64_t cell, const double *of) {
    bool link = g->source[cell] < 0 && g->source[cell] != INT64_MIN && g->owner[cell] >= 0;
    int64_t k = link ? g->part[g->owner[cell] * TS_PART_FIELDS + TS_PART_REACTION].integer : -1;
    return k >= 0 && k < g->r->entries[TS_EACH_REACTION] ? v3_load(of + 3 * k) : NOTHING;
}
static v3 joint_force(const grid *g, int64_t i) { return reaction(g, i, g->now.force); }
static v3 joint_moment(const grid *g, int64_t i) { return reaction(g, i, g->now.moment); }

typedef struct field {
    const char *name, *component[3];
    int width;
    v3 (*value)(const grid *g, int64_t i);
} field;

#define XYZ \
    { "x", "y", "z" }
static const field POINTS = {"Points", XYZ, 3, points_field};
static const field POINT_DATA[] = {{"displacement", XYZ, 3, displacement},
                                   {"rotation", XYZ, 3, rotation},
                                   {"velocity", XYZ, 3, velocity},
                                   {"angular_velocity", XYZ, 3, angular_velocity}};
static const field CELL_DATA[] = {{"internal_force", {"N", "Q2", "Q3"}, 3, internal_force},
                                  {"internal_moment", {"M1", "M2", "M3"}, 3, internal_moment},
                                  {"strain_energy_per_length", {"", "", ""}, 1, strain_energy},
                                  {"shell_force", {"n11", "n22", "n12"}, 3, shell_force},
                                  {"shell_moment", {"m11", "m22", "m12"}, 3, shell_moment},
                                  {"strain_energy_per_area", {"", "", ""}, 1, shell_energy},
                                  {"normal_stress", {"s11", "s22", "s33"}, 3, normal_stress},
                                  {"shear_stress", {"s12", "s23", "s13"}, 3, shear_stress},
                                  {"von_mises_stress", {"", "", ""}, 1, von_mises},
                                  {"joint_force", XYZ, 3, joint_force},
                                  {"joint_moment", XYZ, 3, joint_moment}};
enum {
    POINT_FIELDS = sizeof POINT_DATA / sizeof *POINT_DATA,
    CELL_FIELDS = sizeof CELL_DATA / sizeof *CELL_DATA
};

/* ---- writing: a head in XML with offsets, then every array after its length in bytes ---- */

static void head(FILE *out, const char *type, const char *name, int width,
                 const char *const *component, uint64_t bytes, uint64_t *offset) {
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"", type, name, width);
    for (int k = 0; component && width > 1 && k < width; k++)
        fprintf(out, " ComponentName%d=\"%s\"", k, component[k]);
    fprintf(out, " format=\"appended\" offset=\"%llu\"/>\n", (unsigned long long)*offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void field_head(FILE *out, const field *f, int64_t count, uint64_t *offset) {
    head(out, "Float64", f->name, f->width, f->component,
         (uint64_t)count * (uint64_t)f->width * sizeof(double), offset);
}

static void heads(FILE *out, const grid *g) {
    uint64_t offset = 0, cells = (uint64_t)g->cells;
    fprintf(out,
            "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray></FieldData>\n",
            g->now.t);
    fprintf(out, "<Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n<Points>\n",
            (long long)g->points, (long long)g->cells);
    field_head(out, &POINTS, g->points, &offset);
    fputs("</Points>\n<Cells>\n", out);
    head(out, "Int64", "connectivity", 1, NULL, 8 * (uint64_t)g->connected, &offset);
    head(out, "Int64", "offsets", 1, NULL, 8 * cells, &offset);
    head(out, "UInt8", "types", 1, NULL, cells, &offset);
    fputs("</Cells>\n<PointData Vectors=\"displacement\">\n", out);
    for (int i = 0; i < POINT_FIELDS; i++) field_head(out, &POINT_DATA[i], g->points, &offset);
    fputs("</PointData>\n<CellData>\n", out);
    head(out, "Int64", "part", 1, NULL, 8 * cells, &offset);
    for (int i = 0; i < CELL_FIELDS; i++) field_head(out, &CELL_DATA[i], g->cells, &offset);
    fputs("</CellData>\n</Piece>\n", out);
}

static void put(FILE *out, const void *data, size_t size, int64_t count) {
    uint64_t bytes = (uint64_t)count * size;
    fwrite(&bytes, sizeof bytes, 1, out);
    if (bytes) fwrite(data, size, (size_t)count, out);
}

static void put_field(FILE *out, const grid *g, const field *f, int64_t count) {
    uint64_t bytes = (uint64_t)count * (uint64_t)f->width * sizeof(double);
    fwrite(&bytes, sizeof bytes, 1, out);
    for (int64_t i = 0; i < count; i++) {
        double value[3];
        v3_store(value, f->value(g, i));
        fwrite(value, sizeof(double), (size_t)f->width, out);
    }
}

static void write_state(FILE *out, const void *what) {
    const grid *g = what;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n",
          out);
    heads(out, g);
    fputs("</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_", out);
    put_field(out, g, &POINTS, g->points);
    put(out, g->connectivity, sizeof *g->connectivity, g->connected);
    put(out, g->offset, sizeof *g->offset, g->cells);
    put(out, g->type, sizeof *g->type, g->cells);
    for (int i = 0; i < POINT_FIELDS; i++) put_field(out, g, &POINT_DATA[i], g->points);
    put(out, g->owner, sizeof *g->owner, g->cells);
    for (int i = 0; i < CELL_FIELDS; i++) put_field(out, g, &CELL_DATA[i], g->cells);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

/* ---- files ---- */

static int write_file(const char *path, void (*write)(FILE *, const void *), const void *what) {
    ts_place place;
    int status = ts_place_begin(&place, path, 0);
    FILE *out = status ? NULL : fopen(place.draft, "w");
    if (!status && !out) status = ts_fail(TORSOR_EIO, "cannot write %s: %s", path, strerror(errno));
    if (out) {
        write(out, what);
        int wrong = ferror(out) ? EIO : 0;
        if (fclose(out)) wrong = errno;
        if (wrong) status = ts_fail(TORSOR_EIO, "cannot write %s: %s", path, strerror(wrong));
    }
    if (!status) status = ts_place_commit(&place);
    ts_place_clear(&place);
    return status;
}

static int make_folder(const char *folder) {
    struct stat about;
    if (mkdir(folder, 0777) == 0) return 0;
    int wrong = errno;
    if (wrong == EEXIST && stat(folder, &about) == 0 && S_ISDIR(about.st_mode)) return 0;
    return ts_fail(TORSOR_EIO, "cannot make the folder %s: %s", folder, strerror(wrong));
}

/* Names in XML. */
static void print_escaped(FILE *out, const char *text) {
    for (; *text; text++)
        if (strchr("<>&\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static int export_states(grid *g, const char *folder, const char *name, int64_t every, FILE *list,
                         int64_t *files) {
    int64_t frames = ts_results_frames(g->r);
    size_t room = strlen(folder) + strlen(name) + 40;
    char *path = ts_calloc(room, 1);
    int status = 0;
    for (int64_t f = 0, next; f < frames && !status; f = next) {
        next = f + every < frames || f == frames - 1 ? f + every : frames - 1;
        status = read_frame(g, f);
        snprintf(path, room, "%s/%s_%06lld.vtu", folder, name, (long long)f);
        if (!status) status = write_file(path, write_state, g);
        fprintf(list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", g->now.t);
        print_escaped(list, path + strlen(folder) + 1);
        fputs("\"/>\n", list);
        ++*files;
    }
    free(path);
    return status;
}

static void write_collection(FILE *out, const void *entries) {
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
    fputs(entries, out);
    fputs("</Collection>\n</VTKFile>\n", out);
}

/* The list of files comes last: it never names one that is not there. */
static int export_all(grid *g, const char *folder, const char *name, int64_t every,
                      int64_t *files) {
    char *entries = NULL;
    size_t length, room = strlen(folder) + strlen(name) + 10;
    FILE *list = open_memstream(&entries, &length);
    if (!list) return ts_fail(TORSOR_EIO, "out of memory");
    int status = export_states(g, folder, name, every, list, files);
    fclose(list);
    char *path = ts_calloc(room, 1);
    snprintf(path, room, "%s/%s.pvd", folder, name);
    if (!status) status = write_file(path, write_collection, entries);
    free(path), free(entries);
    return status;
}

static void clear(grid *g) {
    frame_data *d = &g->now;
    free(d->q), free(d->v), free(d->omega), free(d->force), free(d->moment);
    free(d->section_force), free(d->section_strain), free(g->first);
    ts_cell_rows_free(&d->inside);
    free(g->node), free(g->part), free(g->point), free(g->point_of), free(g->connectivity);
    free(g->offset), free(g->owner), free(g->source), free(g->type);
    ts_geometry_clear(&g->geometry);
}

int ts_export_vtu(ts_results *r, const char *folder, const char *name, int64_t every,
                  int64_t *files) {
    grid g = {.r = r};
    *files = 0;
    if (ts_results_frames(r) == 0)
        return ts_fail(TORSOR_EIO, "%s holds no stored state: there is nothing to export", r->path);
    int status = read_model(&g);
    if (!status) make_frame(&g), make_grid(&g);
    if (!status) status = ts_results_rows(r, TS_FRAME_Q, 0, 1, g.first);
    if (!status) status = make_folder(folder);
    if (!status) status = export_all(&g, folder, name, every < 1 ? 1 : every, files);
    clear(&g);
    return status;
}
