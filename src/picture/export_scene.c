/* SPDX-License-Identifier: Apache-2.0 */
/* A grid of the whole model, and what is known at its points and in its cells at a stored state.
 *
 *   points       all nodes but those that are no places, then the surfaces of bodies
 *   cells        lines, triangles ... of /geometry; quads of the surfaces of bodies; a vertex for
 *                every joint and spring, at its point on A; what touches: export_touch.c
 *   point data   displacement and rotation (vector) from the first state, velocity; every channel
 *                of nodes with a picture (output/channels.inc): angular velocity
 *   cell data    part; every channel with a picture (output/channels.inc): internal forces,
 *                stresses, energies ..., of joints at their vertex; NaN where there is none. Of a
 *                cell with several points, the mean
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

/* VTK's offsets are those of the ends. */
void ts_scene_cell(ts_scene *g, int type, int64_t owner, int64_t source) {
    g->type[g->cells] = (uint8_t)type, g->owner[g->cells] = owner, g->source[g->cells] = source;
    g->offset[g->cells++] = g->connected;
}

int64_t ts_scene_part(const ts_scene *g, const char *name) {
    for (int64_t i = 0; i < g->parts; i++)
        if (ts_part_row_is(g->part + i * TS_PART_FIELDS, name)) return i;
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
            last = row[TS_CELL_PART].text, owner = ts_scene_part(g, last);
        for (int64_t k = 0; k < row[TS_CELL_POINTS].integer; k++)
            g->connectivity[g->connected++] =
                g->point_of[g->geometry.connectivity[row[TS_CELL_FIRST].integer + k]];
        ts_scene_cell(g, look->vtk, owner, i);
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
    int64_t owner = ts_scene_part(g, row[TS_BODY_PART].text), base = g->points;
    ts_surface_make(&surface, row[TS_BODY_SHAPE].text, size);
    for (int i = 0; i < surface.points; i++)
        g->point[g->points++] =
            (ts_carried){row[TS_BODY_NODE].integer,
                         v3_add(vector_at(row + TS_BODY_AT), m3_apply(axes, surface.point[i]))};
    for (int i = 0; i < surface.quads; i++) {
        for (int k = 0; k < 4; k++) g->connectivity[g->connected++] = base + surface.quad[i][k];
        ts_scene_cell(g, VTK_QUAD, owner, TS_SCENE_BODY);
    }
}

static void add_link(ts_scene *g, int64_t link) {
    const ts_table_cell *row = g->geometry.link + link * TS_LINK_FIELDS;
    g->connectivity[g->connected++] = g->points;
    g->point[g->points++] =
        (ts_carried){row[TS_LINK_NODE_A].integer, vector_at(row + TS_LINK_POINT_A)};
    ts_scene_cell(g, VTK_VERTEX, ts_scene_part(g, row[TS_LINK_PART].text), -1 - link);
}

/* A body that has no look of its own is drawn by the shapes that touch, if it has some. */
static void add_bodies(ts_scene *g) {
    bool *touches = ts_scene_touching_nodes(g);
    for (int64_t i = 0; i < g->geometry.bodies; i++) {
        const ts_table_cell *row = g->geometry.body + i * TS_BODY_FIELDS;
        if (row[TS_BODY_GIVEN].integer || !touches[row[TS_BODY_NODE].integer]) add_body(g, row);
    }
    free(touches);
}

static void take_room(ts_scene *g, int64_t pairs) {
    const ts_geometry *m = &g->geometry;
    int64_t shape_points, shape_cells, others = m->links + pairs;
    ts_scene_shape_room(g, &shape_points, &shape_cells);
    size_t points = (size_t)(g->nodes + m->bodies * TS_SURFACE_POINTS + others + shape_points);
    size_t cells = (size_t)(m->cells + m->bodies * TS_SURFACE_QUADS + others + shape_cells) + 1;
    size_t connected =
        (size_t)(m->connected + 4 * m->bodies * TS_SURFACE_QUADS + others + 3 * shape_cells) + 1;
    g->point = ts_calloc(points + 1, sizeof *g->point);
    g->connectivity = ts_calloc(connected, sizeof *g->connectivity);
    g->offset = ts_calloc(cells, sizeof *g->offset);
    g->owner = ts_calloc(cells, sizeof *g->owner);
    g->source = ts_calloc(cells, sizeof *g->source);
    g->type = ts_calloc(cells, sizeof *g->type);
}

static void make_grid(ts_scene *g, int64_t pairs) {
    const ts_geometry *m = &g->geometry;
    take_room(g, pairs);
    bool *hidden = ts_geometry_hidden(m, g->nodes, g->node);
    g->point_of = ts_calloc((size_t)g->nodes + 1, sizeof *g->point_of);
    for (int64_t n = 0; n < g->nodes; n++) {
        g->point_of[n] = hidden[n] ? -1 : g->points;
        if (!hidden[n]) g->point[g->points++].node = n;
    }
    free(hidden);
    add_flexible(g);
    add_bodies(g);
    for (int64_t i = 0; i < m->links; i++) add_link(g, i);
    ts_scene_add_shapes(g);
    ts_scene_add_pairs(g, pairs);
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
            return ts_fail(TORSOR_EIO, "cannot read %s: the index of a node is out of range",
                           r->path);
    }
    return 0;
}

/* ---- a state ---- */

static double *numbers(const ts_results *r, ts_series_id id) {
    return ts_calloc((size_t)r->track[id].values + 1, sizeof(double));
}

/* Room for the series of a field of points or parts; those of stations are read by themselves. */
static void take_row(ts_scene *g, const ts_scene_field *f) {
    if (!f->channel) return;
    ts_series_id id = f->channel->series;
    ts_each each = TS_SERIES[id].each;
    if ((each == TS_EACH_NODE || g->entry[each]) && g->r->track[id].values > 0 && !g->now.row[id])
        g->now.row[id] = numbers(g->r, id);
}

static void make_frame(ts_scene *g) {
    ts_results *r = g->r;
    g->now.q = numbers(r, TS_FRAME_Q), g->now.v = numbers(r, TS_FRAME_V);
    g->now.omega = numbers(r, TS_FRAME_OMEGA);
    for (int f = 0; f < g->point_fields; f++) take_row(g, &g->point_data[f]);
    for (int f = 0; f < g->cell_fields; f++) take_row(g, &g->cell_data[f]);
    ts_cell_rows_new(&g->now.inside, r);
    g->first = numbers(r, TS_FRAME_Q);
}

int ts_scene_read(ts_scene *g, int64_t frame) {
    ts_scene_state *d = &g->now;
    const struct {
        ts_series_id id;
        double *to;
    } list[] = {
        {TS_FRAME_T, &d->t}, {TS_FRAME_Q, d->q}, {TS_FRAME_V, d->v}, {TS_FRAME_OMEGA, d->omega}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (ts_results_rows(g->r, list[i].id, frame, 1, list[i].to)) return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (d->row[i] && ts_results_rows(g->r, (ts_series_id)i, frame, 1, d->row[i]))
            return TORSOR_EIO;
    int status = ts_scene_read_pairs(g, frame);
    return status ? status : ts_cell_rows_read(&d->inside, g->r, frame);
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

/* ---- points ---- */

static v3 points_field(const ts_scene *g, const ts_scene_field *f, int64_t i) {
    (void)f;
    v3 at;
    if (ts_scene_pair_place(g, i, &at)) return at;
    return place_of(g, g->now.q, &g->point[i]);
}

static v3 displacement(const ts_scene *g, const ts_scene_field *f, int64_t i) {
    (void)f;
    return v3_sub(place_of(g, g->now.q, &g->point[i]), place_of(g, g->first, &g->point[i]));
}

/* The shortest turn that takes the director a to b. */
static v3 turn_between(v3 a, v3 b) {
    v3 axis = v3_cross(a, b);
    double sine = v3_norm(axis);
    return sine > 0 ? v3_scale(atan2(sine, v3_dot(a, b)) / sine, axis) : v3_make(0, 0, 0);
}

static v3 rotation(const ts_scene *g, const ts_scene_field *f, int64_t i) {
    (void)f;
    int64_t node = g->point[i].node;
    if (g->node[node * TS_NODE_FIELDS + TS_NODE_SLOTS].integer == 2)
        return turn_between(v3_load(slot_of(g, g->first, node) + 3),
                            v3_load(slot_of(g, g->now.q, node) + 3));
    m3 now = frame_of(g, g->now.q, node), first = frame_of(g, g->first, node);
    return ts_so3_log(m3_mul(now, m3_transpose(first)));
}

static v3 velocity(const ts_scene *g, const ts_scene_field *f, int64_t i) {
    (void)f;
    return velocity_of(g, &g->point[i]);
}

/* A channel of nodes, at all points that a node carries. */
static v3 of_node(const ts_scene *g, const ts_scene_field *f, int64_t i) {
    const ts_channel *stored = &TS_SERIES[f->channel->series];
    const double *entry = g->now.row[stored->series] + g->point[i].node * stored->width;
    double value[3] = {0};
    for (int k = 0; k < f->width; k++) value[k] = entry[f->first + k];
    return v3_load(value);
}

#define XYZ \
    { "x", "y", "z" }
const ts_scene_field TS_SCENE_POINTS = {"Points", XYZ, 3, points_field, .series = TS_FRAME_Q};
/* Motions of points, which follow from those of their nodes. */
static const ts_scene_field MOTIONS[] = {
    {"displacement", XYZ, 3, displacement, .series = TS_SERIES_COUNT},
    {"rotation", XYZ, 3, rotation, .series = TS_SERIES_COUNT},
    {"velocity", XYZ, 3, velocity, .series = TS_FRAME_V}};
enum { MOTION_COUNT = sizeof MOTIONS / sizeof *MOTIONS };

/* ---- cells: channels that have a picture ---- */

/* The value of a field in a cell of a flexible part; NaN in other cells. */
static v3 of_cell(const ts_scene *g, const ts_scene_field *f, int64_t cell) {
    double value[3] = {NAN, NAN, NAN};
    if (g->source[cell] >= 0)
        for (int k = 0; k < f->width; k++)
            value[k] =
                ts_cell_value(&g->now.inside, g->geometry.cell + g->source[cell] * TS_CELL_FIELDS,
                              f->channel, f->first + k);
    return v3_load(value);
}

/* The value of a field of the part that a cell belongs to. */
static v3 of_part(const ts_scene *g, const ts_scene_field *f, int64_t cell) {
    ts_series_id id = f->channel->series;
    const double *row = g->now.row[id];
    int64_t owner = g->owner[cell];
    int64_t entry = owner >= 0 && row ? g->entry[TS_SERIES[id].each][owner] : -1;
    double value[3] = {NAN, NAN, NAN};
    for (int k = 0; k < f->width && entry >= 0 && entry < g->r->entries[TS_SERIES[id].each]; k++)
        value[k] = row[entry * TS_SERIES[id].width + f->first + k];
    return v3_load(value);
}

/* Names of components, and whether there are three of them. */
static void name_components(ts_scene_field *f) {
    f->width = 1;
    if (f->channel->in_cell) return;
    for (int k = 0; k < 3; k++)
        if (ts_channel_word(f->channel, f->first + k, f->component[k], sizeof f->component[k]))
            f->width = k + 1;
}

/* The fields of a channel; XDMF takes vectors of nodes from the results file itself. */
static void add_fields(ts_scene *g, const ts_channel *c) {
    const ts_channel *stored = &TS_SERIES[c->series];
    bool node = stored->each == TS_EACH_NODE,
         station = TS_FAMILY[stored->each].station != TS_STATION_NONE;
    ts_scene_field field = {.channel = c, .value = node ? of_node : station ? of_cell : of_part};
    if (node ? g->r->track[c->series].values == 0 : !station && !g->entry[stored->each]) return;
    for (int k = 0; ts_channel_picture(c, k, field.name, sizeof field.name); k++) {
        field.first = 3 * k;
        name_components(&field);
        field.series = node && stored->width == 3 ? c->series : TS_SERIES_COUNT;
        if (node && g->point_fields < TS_SCENE_POINT_FIELDS)
            g->point_data[g->point_fields++] = field;
        if (!node && g->cell_fields < TS_SCENE_CELL_FIELDS) g->cell_data[g->cell_fields++] = field;
    }
}

static void find_fields(ts_scene *g) {
    for (int i = 0; i < MOTION_COUNT; i++) g->point_data[g->point_fields++] = MOTIONS[i];
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) add_fields(g, TS_CHANNELS[i]);
}

/* Entries of parts: of joints as the table of parts has them, of others by the table of their
 * family. */
static int find_entries(ts_scene *g) {
    ts_records stores;
    int status = ts_results_table(g->r, TS_STORES_TABLE, &stores);
    size_t parts = (size_t)g->parts + 1;
    g->entry[TS_EACH_REACTION] = ts_calloc(parts, sizeof(int64_t));
    g->entry[TS_EACH_STORE] = ts_calloc(parts, sizeof(int64_t));
    for (int64_t p = 0; p < g->parts; p++) {
        g->entry[TS_EACH_REACTION][p] = g->part[p * TS_PART_FIELDS + TS_PART_REACTION].integer;
        g->entry[TS_EACH_STORE][p] = -1;
    }
    for (int64_t k = 0; k < stores.rows && !status; k++) {
        int64_t part = ts_scene_part(g, ts_record(&stores, k)[TS_STORE_PART].text);
        if (part >= 0) g->entry[TS_EACH_STORE][part] = k;
    }
    ts_records_clear(&stores);
    return status;
}

/* ---- making and freeing ---- */

int ts_scene_make(ts_scene *g, ts_results *r) {
    *g = (ts_scene){.r = r};
    if (ts_results_frames(r) == 0)
        return ts_fail(TORSOR_EIO, "%s contains no stored state: there is nothing to export",
                       r->path);
    int status = read_model(g);
    int64_t pairs = 0;
    if (!status) status = find_entries(g);
    if (!status) status = ts_scene_pair_room(g, &pairs);
    if (!status) find_fields(g), ts_scene_pair_fields(g), make_frame(g), make_grid(g, pairs);
    return status ? status : ts_results_rows(r, TS_FRAME_Q, 0, 1, g->first);
}

void ts_scene_clear(ts_scene *g) {
    ts_scene_state *d = &g->now;
    free(d->q), free(d->v), free(d->omega), free(g->first), free(d->pairs);
    for (int i = 0; i < TS_SERIES_COUNT; i++) free(d->row[i]);
    for (int e = 0; e < TS_EACH_COUNT; e++) free(g->entry[e]);
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
