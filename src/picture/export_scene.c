/* A grid of the whole model, and what is known at its points and in its cells at a stored state.
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
#include "picture/export_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/rotation.h"
#include "picture/export_shape.h"
#include "results/contents.h"

enum { VTK_VERTEX = 1, VTK_QUAD = 9 }; /* of links and bodies; others: output/cells.c */

/* ---- the grid, once ---- */

/* Its nodes are in connectivity already: VTK's offsets are those of the ends. */
static void add_cell(ts_scene *g, int type, int64_t owner, int64_t source) {
    g->type[g->cells] = (uint8_t)type, g->owner[g->cells] = owner, g->source[g->cells] = source;
    g->offset[g->cells++] = g->connected;
}

static int64_t part_of(const ts_scene *g, const char *name) {
    for (int64_t i = 0; i < g->parts; i++)
        if (strcmp(g->part[i * TS_PART_FIELDS + TS_PART_NAME].text, name) == 0) return i;
    return -1;
}

static void add_flexible(ts_scene *g) {
    const char *last = NULL;
    int64_t owner = -1;
    for (int64_t i = 0; i < g->geometry.cells; i++) {
        const ts_table_cell *row = g->geometry.cell + i * TS_CELL_FIELDS;
        const ts_cell_look *look = ts_cell_look_of(row);
        if (!look) continue;
        if (!last || strcmp(last, row[TS_CELL_PART].text) != 0)
            last = row[TS_CELL_PART].text, owner = part_of(g, last);
        for (int64_t k = 0; k < row[TS_CELL_POINTS].integer; k++)
            g->connectivity[g->connected++] =
                g->point_of[g->geometry.connectivity[row[TS_CELL_FIRST].integer + k]];
        add_cell(g, look->vtk, owner, i);
    }
}

static v3 vector_at(const ts_table_cell *row) {
    return v3_make(row[0].number, row[1].number, row[2].number);
}

static void add_body(ts_scene *g, const ts_table_cell *row) {
    ts_surface surface;
    double size[3];
    v3_store(size, vector_at(row + TS_BODY_SIZE));
    quat turn = {row[TS_BODY_QUATERNION].number, vector_at(row + TS_BODY_QUATERNION + 1)};
    m3 axes = quat_matrix(turn);
    int64_t owner = part_of(g, row[TS_BODY_PART].text), base = g->points;
    ts_surface_make(&surface, row[TS_BODY_SHAPE].text, size);
    for (int i = 0; i < surface.points; i++)
        g->point[g->points++] =
            (ts_carried){row[TS_BODY_NODE].integer,
                         v3_add(vector_at(row + TS_BODY_AT), m3_apply(axes, surface.point[i]))};
    for (int i = 0; i < surface.quads; i++) {
        for (int k = 0; k < 4; k++) g->connectivity[g->connected++] = base + surface.quad[i][k];
        add_cell(g, VTK_QUAD, owner, INT64_MIN);
    }
}

static void add_link(ts_scene *g, int64_t link) {
    const ts_table_cell *row = g->geometry.link + link * TS_LINK_FIELDS;
    g->connectivity[g->connected++] = g->points;
    g->point[g->points++] =
        (ts_carried){row[TS_LINK_NODE_A].integer, vector_at(row + TS_LINK_POINT_A)};
    add_cell(g, VTK_VERTEX, part_of(g, row[TS_LINK_PART].text), -1 - link);
}

static void make_grid(ts_scene *g) {
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

static int read_model(ts_scene *g) {
    ts_results *r = g->r;
    ts_records nodes, parts = {0};
    int status = ts_results_table(r, TS_NODES_TABLE, &nodes);
    if (!status) status = ts_results_table(r, TS_PARTS_TABLE, &parts);
    g->node = nodes.cells, g->nodes = nodes.rows, g->part = parts.cells, g->parts = parts.rows;
    if (status || ts_geometry_read(&g->geometry, r->file, g->nodes, ts_cell_stations_of(r)))
        return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    for (int64_t n = 0; n < g->nodes; n++) {
        const ts_table_cell *row = g->node + n * TS_NODE_FIELDS;
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

static void make_frame(ts_scene *g) {
    ts_results *r = g->r;
    g->now = (ts_scene_state){.q = numbers(r, TS_FRAME_Q),
                              .v = numbers(r, TS_FRAME_V),
                              .omega = numbers(r, TS_FRAME_OMEGA),
                              .force = numbers(r, TS_FRAME_FORCE),
                              .moment = numbers(r, TS_FRAME_MOMENT),
                              .section_force = numbers(r, TS_FRAME_SECTION_FORCE),
                              .section_strain = numbers(r, TS_FRAME_SECTION_STRAIN)};
    ts_cell_rows_new(&g->now.inside, r);
    g->first = numbers(r, TS_FRAME_Q);
}

int ts_scene_read(ts_scene *g, int64_t frame) {
    ts_scene_state *d = &g->now;
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

static const double *slot_of(const ts_scene *g, const double *q, int64_t node) {
    return q + 3 * g->node[node * TS_NODE_FIELDS + TS_NODE_SLOT].integer;
}

static m3 frame_of(const ts_scene *g, const double *q, int64_t node) {
    bool frame = g->node[node * TS_NODE_FIELDS + TS_NODE_SLOTS].integer == 4;
    return frame ? m3_load(slot_of(g, q, node) + 3) : m3_identity();
}

static v3 place_of(const ts_scene *g, const double *q, const ts_carried *p) {
    return v3_add(v3_load(slot_of(g, q, p->node)), m3_apply(frame_of(g, q, p->node), p->local));
}

static v3 velocity_of(const ts_scene *g, const ts_carried *p) {
    v3 arm = m3_apply(frame_of(g, g->now.q, p->node), p->local);
    return v3_add(v3_load(slot_of(g, g->now.v, p->node)),
                  v3_cross(v3_load(g->now.omega + 3 * p->node), arm));
}

/* ---- fields: three numbers a point or cell, or one ---- */

static v3 points_field(const ts_scene *g, int64_t i) { return place_of(g, g->now.q, &g->point[i]); }
static v3 displacement(const ts_scene *g, int64_t i) {
    return v3_sub(points_field(g, i), place_of(g, g->first, &g->point[i]));
}
/* Of a director alone, the shortest turn that takes it there. */
static v3 turn_between(v3 a, v3 b) {
    v3 axis = v3_cross(a, b);
    double sine = v3_norm(axis);
    return sine > 0 ? v3_scale(atan2(sine, v3_dot(a, b)) / sine, axis) : v3_make(0, 0, 0);
}
static v3 rotation(const ts_scene *g, int64_t i) {
    int64_t node = g->point[i].node;
    if (g->node[node * TS_NODE_FIELDS + TS_NODE_SLOTS].integer == 2)
        return turn_between(v3_load(slot_of(g, g->first, node) + 3),
                            v3_load(slot_of(g, g->now.q, node) + 3));
    m3 now = frame_of(g, g->now.q, node), first = frame_of(g, g->first, node);
    return ts_so3_log(m3_mul(now, m3_transpose(first)));
}
static v3 velocity(const ts_scene *g, int64_t i) { return velocity_of(g, &g->point[i]); }
static v3 angular_velocity(const ts_scene *g, int64_t i) {
    return v3_load(g->now.omega + 3 * g->point[i].node);
}

static const v3 NOTHING = {NAN, NAN, NAN};

static const ts_table_cell *cell_row(const ts_scene *g, int64_t cell) {
    return g->source[cell] < 0 ? NULL : g->geometry.cell + g->source[cell] * TS_CELL_FIELDS;
}

static const ts_table_cell *line_row(const ts_scene *g, int64_t cell) {
    const ts_table_cell *row = cell_row(g, cell);
    return row && ts_cell_family_of(row) == TS_CELL_LINES ? row : NULL;
}

/* Mean over the stations of a cell, each with its weight left out: they are alike. */
static v3 section_mean(const ts_scene *g, int64_t cell, int first) {
    const ts_table_cell *row = line_row(g, cell);
    if (!row) return NOTHING;
    int64_t count = row[TS_CELL_STATIONS].integer, station = row[TS_CELL_STATION].integer;
    v3 sum = {0, 0, 0};
    for (int64_t k = station; k < station + count; k++)
        sum = v3_add(sum, v3_load(g->now.section_force + TS_SECTION_WIDTH * k + first));
    return count > 0 ? v3_scale(1.0 / (double)count, sum) : NOTHING;
}
static v3 internal_force(const ts_scene *g, int64_t i) { return section_mean(g, i, 0); }
static v3 internal_moment(const ts_scene *g, int64_t i) { return section_mean(g, i, 3); }

static v3 strain_energy(const ts_scene *g, int64_t cell) {
    const ts_table_cell *row = line_row(g, cell);
    if (!row) return NOTHING;
    int64_t count = row[TS_CELL_STATIONS].integer, station = row[TS_CELL_STATION].integer;
    double sum = 0;
    for (int64_t k = TS_SECTION_WIDTH * station; k < TS_SECTION_WIDTH * (station + count); k++)
        sum += 0.5 * g->now.section_force[k] * g->now.section_strain[k];
    return v3_make(count > 0 ? sum / (double)count : NAN, 0, 0);
}

static v3 shell_force(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return row ? ts_cell_shell_force(&g->now.inside, row, 0) : NOTHING;
}
static v3 shell_moment(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return row ? ts_cell_shell_force(&g->now.inside, row, 3) : NOTHING;
}
static v3 shell_energy(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return v3_make(row ? ts_cell_shell_energy(&g->now.inside, row) : NAN, 0, 0);
}
static v3 normal_stress(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return row ? ts_cell_stress(&g->now.inside, row, 0) : NOTHING;
}
static v3 shear_stress(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return row ? ts_cell_stress(&g->now.inside, row, 3) : NOTHING;
}
static v3 von_mises(const ts_scene *g, int64_t i) {
    const ts_table_cell *row = cell_row(g, i);
    return v3_make(row ? ts_cell_mises(&g->now.inside, row) : NAN, 0, 0);
}

static v3 reaction(const ts_scene *g, int64_t cell, const double *of) {
    bool link = g->source[cell] < 0 && g->source[cell] != INT64_MIN && g->owner[cell] >= 0;
    int64_t k = link ? g->part[g->owner[cell] * TS_PART_FIELDS + TS_PART_REACTION].integer : -1;
    return k >= 0 && k < g->r->entries[TS_EACH_REACTION] ? v3_load(of + 3 * k) : NOTHING;
}
static v3 joint_force(const ts_scene *g, int64_t i) { return reaction(g, i, g->now.force); }
static v3 joint_moment(const ts_scene *g, int64_t i) { return reaction(g, i, g->now.moment); }

#define XYZ \
    { "x", "y", "z" }
const ts_scene_field TS_SCENE_POINTS = {"Points", XYZ, 3, points_field, TS_FRAME_Q};
const ts_scene_field TS_SCENE_POINT_DATA[TS_SCENE_POINT_FIELDS] = {
    {"displacement", XYZ, 3, displacement, TS_SERIES_COUNT},
    {"rotation", XYZ, 3, rotation, TS_SERIES_COUNT},
    {"velocity", XYZ, 3, velocity, TS_FRAME_V},
    {"angular_velocity", XYZ, 3, angular_velocity, TS_FRAME_OMEGA}};
const ts_scene_field TS_SCENE_CELL_DATA[TS_SCENE_CELL_FIELDS] = {
    {"internal_force", {"N", "Q2", "Q3"}, 3, internal_force, TS_SERIES_COUNT},
    {"internal_moment", {"M1", "M2", "M3"}, 3, internal_moment, TS_SERIES_COUNT},
    {"strain_energy_per_length", {"", "", ""}, 1, strain_energy, TS_SERIES_COUNT},
    {"shell_force", {"n11", "n22", "n12"}, 3, shell_force, TS_SERIES_COUNT},
    {"shell_moment", {"m11", "m22", "m12"}, 3, shell_moment, TS_SERIES_COUNT},
    {"strain_energy_per_area", {"", "", ""}, 1, shell_energy, TS_SERIES_COUNT},
    {"normal_stress", {"s11", "s22", "s33"}, 3, normal_stress, TS_SERIES_COUNT},
    {"shear_stress", {"s12", "s23", "s13"}, 3, shear_stress, TS_SERIES_COUNT},
    {"von_mises_stress", {"", "", ""}, 1, von_mises, TS_SERIES_COUNT},
    {"joint_force", XYZ, 3, joint_force, TS_SERIES_COUNT},
    {"joint_moment", XYZ, 3, joint_moment, TS_SERIES_COUNT}};

/* ---- making and freeing ---- */

int ts_scene_make(ts_scene *g, ts_results *r) {
    *g = (ts_scene){.r = r};
    if (ts_results_frames(r) == 0)
        return ts_fail(TORSOR_EIO, "%s holds no stored state: there is nothing to export", r->path);
    int status = read_model(g);
    if (!status) make_frame(g), make_grid(g);
    return status ? status : ts_results_rows(r, TS_FRAME_Q, 0, 1, g->first);
}

void ts_scene_clear(ts_scene *g) {
    ts_scene_state *d = &g->now;
    free(d->q), free(d->v), free(d->omega), free(d->force), free(d->moment);
    free(d->section_force), free(d->section_strain), free(g->first);
    ts_cell_rows_free(&d->inside);
    free(g->node), free(g->part), free(g->point), free(g->point_of), free(g->connectivity);
    free(g->offset), free(g->owner), free(g->source), free(g->type);
    ts_geometry_clear(&g->geometry);
}

/* Names in XML. */
void ts_xml_text(FILE *out, const char *text) {
    for (; *text; text++)
        if (strchr("<>&\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}
