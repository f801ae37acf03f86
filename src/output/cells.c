/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a model: every list of nodes that sites of one flexible part share is a cell.
 *
 * Its type follows from the `look` of the kind (ts_look) and the number of nodes. The table below
 * defines the types, with data for pictures and for values at nodes. Nodes of a site are in VTK's
 * order, those of a line one after the other. Inner unknowns of the element follow its nodes and
 * are not points of the cell. */
#include "output/cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/kind.h"

/* A new number of nodes is one line here. */
static const ts_cell_look LOOKS[] = {
    {"line", 2, TS_CELL_LINES, 3, 0, TS_CELL_TYPES},
    {"line", 3, TS_CELL_LINES, 4, 0, TS_CELL_TYPES},
    {"line", 4, TS_CELL_LINES, 4, 0, TS_CELL_TYPES},
    {"triangle", 3, TS_CELL_SURFACES, 5, 1, TS_CELL_TYPES},
    {"quad", 4, TS_CELL_SURFACES, 9, 2, TS_CELL_QUAD4},
    {"quad", 9, TS_CELL_SURFACES, 28, 2, TS_CELL_QUAD9},
    {"tetra", 4, TS_CELL_SOLIDS, 10, 3, TS_CELL_TET4},
    {"tetra", 10, TS_CELL_SOLIDS, 24, 3, TS_CELL_TET10},
    {"wedge", 6, TS_CELL_SOLIDS, 13, 4, TS_CELL_TYPES},
    {"hexahedron", 8, TS_CELL_SOLIDS, 12, 5, TS_CELL_HEX8},
    {"hexahedron", 20, TS_CELL_SOLIDS, 25, 5, TS_CELL_HEX20},
    {"hexahedron", 27, TS_CELL_SOLIDS, 29, 5, TS_CELL_HEX27},
};
enum { LOOK_COUNT = sizeof LOOKS / sizeof *LOOKS };

const ts_cell_look *ts_cell_look_of(const ts_table_cell *cell) {
    for (int i = 0; i < LOOK_COUNT; i++)
        if (LOOKS[i].points == cell[TS_CELL_POINTS].integer &&
            strcmp(LOOKS[i].type, cell[TS_CELL_TYPE].text) == 0)
            return &LOOKS[i];
    return NULL;
}

/* The family of a cell by its type, whatever the number of its points. */
ts_cell_family ts_cell_family_of(const ts_table_cell *cell) {
    for (int i = 0; i < LOOK_COUNT; i++)
        if (strcmp(LOOKS[i].type, cell[TS_CELL_TYPE].text) == 0) return LOOKS[i].family;
    return TS_CELL_SOLIDS;
}

ts_each ts_cell_family_each(ts_cell_family family) {
    static const ts_station_kind station[] = {TS_STATION_LINE, TS_STATION_SHELL, TS_STATION_SOLID};
    return ts_each_of_station(station[family]);
}

static const ts_cell_look *look_of(const ts_part *part, int nodes) {
    ts_look look = part->kind ? part->kind->look : TS_LOOK_NONE;
    for (int i = 0; i < LOOK_COUNT; i++)
        if (LOOKS[i].points == nodes && TS_LOOK_LINES + (int)LOOKS[i].family == (int)look)
            return &LOOKS[i];
    return NULL;
}
_Static_assert(TS_LOOK_SURFACES - TS_LOOK_LINES == (int)TS_CELL_SURFACES &&
                   TS_LOOK_SOLIDS - TS_LOOK_LINES == (int)TS_CELL_SOLIDS,
               "looks of flexible kinds and families of cells must have the same order");

/* ---- from a model ---- */

typedef struct maker {
    const ts_model *model;
    ts_records cells;
    int64_t *connectivity, connected, room;
    int *part; /* of every cell */
    int64_t part_room;
    int64_t station[TS_STATION_SOLID + 1]; /* of each kind, counted over the whole model */
} maker;

static int drawn_nodes(const ts_model *model, const ts_site *site) {
    int count = site->nodes;
    while (count > 0 && model->nodes[model->site_nodes[site->node + count - 1]].inner) count--;
    return count;
}

static bool same_nodes(const ts_model *model, const ts_site *a, const ts_site *b) {
    return a->nodes == b->nodes && memcmp(model->site_nodes + a->node, model->site_nodes + b->node,
                                          (size_t)a->nodes * sizeof *model->site_nodes) == 0;
}

static void add_cell(maker *m, int part, const ts_site *site, const ts_cell_look *look) {
    ts_table_cell *row = ts_records_add(&m->cells);
    row[TS_CELL_PART].text = m->model->parts[part].name;
    row[TS_CELL_TYPE].text = look->type;
    row[TS_CELL_FIRST].integer = m->connected;
    row[TS_CELL_POINTS].integer = look->points;
    row[TS_CELL_STATION].integer = m->station[site->station];
    row[TS_CELL_OUTLINE].integer = row[TS_CELL_OUTLINE_END].integer = -1;
    ts_grow(m->connectivity, m->room, m->connected + look->points);
    for (int k = 0; k < look->points; k++)
        m->connectivity[m->connected++] = m->model->site_nodes[site->node + k];
    ts_grow(m->part, m->part_room, m->cells.rows);
    m->part[m->cells.rows - 1] = part;
}

/* Where cells lie along their part. */
static void place_cells(maker *m, int64_t first) {
    int64_t count = m->cells.rows - first;
    for (int64_t i = 0; i < count; i++) {
        ts_table_cell *row = m->cells.cells + (first + i) * TS_CELL_FIELDS;
        row[TS_CELL_FROM].number = (double)i / (double)count;
        row[TS_CELL_TO].number = (double)(i + 1) / (double)count;
    }
}

static void add_cells(maker *m, int part) {
    const ts_part *owner = &m->model->parts[part];
    const ts_site *last = NULL;
    const ts_station *station = m->model->stations + owner->station,
                     *end = station + owner->stations;
    int64_t first = m->cells.rows;
    bool flexible = owner->node >= 0 || owner->mesh;
    for (int s = owner->site; s < owner->site + owner->sites; s++) {
        const ts_site *site = &m->model->sites[s];
        const ts_cell_look *look = flexible ? look_of(owner, drawn_nodes(m->model, site)) : NULL;
        bool new = look && !(last && same_nodes(m->model, site, last));
        if (new) add_cell(m, part, site, look), last = site;
        for (; station < end && station->site == s; station++, m->station[site->station]++)
            if (look)
                m->cells.cells[(m->cells.rows - 1) * TS_CELL_FIELDS + TS_CELL_STATIONS].integer++;
    }
    place_cells(m, first);
}

void ts_cells_make(ts_cells *cells, const ts_model *model, int **part) {
    maker m = {.model = model, .cells.fields = TS_CELL_FIELDS};
    for (int p = 0; p < model->parts_count; p++) add_cells(&m, p);
    *cells = (ts_cells){m.cells.cells, m.cells.rows, m.connected, m.connectivity};
    if (part)
        *part = m.part;
    else
        free(m.part);
}

void ts_cells_clear(ts_cells *cells) {
    free(cells->cell), free(cells->connectivity);
    *cells = (ts_cells){0};
}
