/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a results file, for those who read it. Every index is checked: a damaged file may
 * point anywhere. See contents.h. */
#include "results/contents.h"

#include <stdlib.h>

#include "base/error.h"
#include "results/cell_values.h"

int ts_results_table(ts_results *r, ts_table_id id, ts_records *table) {
    const ts_table_about *about = &TS_TABLE[id];
    *table = (ts_records){.fields = about->fields};
    bool lacks = false;
    if (about->later && ts_h5_lacks(r->file, about->path, &lacks)) return TORSOR_EIO;
    if (lacks) return 0;
    return ts_h5_table_read(r->file, about->path, about->fields, about->field, &table->rows,
                            &table->cells);
}

/* An array with a row for every node; NULL in files from before there was such an array. */
static int read_by_node(ts_h5 file, const char *name, bool integer, int64_t nodes, uint64_t width,
                        void **out) {
    int64_t extent[] = {nodes, (int64_t)width};
    bool lacks;
    if (ts_h5_lacks(file, name, &lacks)) return TORSOR_EIO;
    if (lacks) return 0;
    return ts_h5_array_get(file, name, integer, width == 1 ? 1 : 2, extent, out);
}

static int read_nodes(ts_results *r, ts_contents *c) {
    int64_t nodes = c->table[TS_NODES_TABLE].rows;
    void *number = NULL, *drawn = NULL;
    int status = read_by_node(r->file, "/model/node_numbers", true, nodes, 1, &number);
    if (!status) status = read_by_node(r->file, "/model/drawn", false, nodes, 3, &drawn);
    c->number = number, c->drawn = drawn;
    return status;
}

/* Without cells where the geometry of an older file cannot be read: then nodes have no stresses. */
static int read_cells(ts_results *r, ts_contents *c) {
    ts_geometry g;
    if (ts_geometry_read(&g, r->file, c->table[TS_NODES_TABLE].rows, ts_cell_stations_of(r)))
        return r->sealed ? TORSOR_EIO : 0;
    c->cells = (ts_cells){g.cell, g.cells, g.connected, g.connectivity};
    g.cell = NULL, g.connectivity = NULL;
    ts_geometry_clear(&g);
    return 0;
}

int ts_results_contents(ts_results *r, ts_contents *c) {
    int status = 0;
    *c = (ts_contents){.read = true};
    for (int i = 0; i < TS_TABLES && !status; i++)
        status = ts_results_table(r, (ts_table_id)i, &c->table[i]);
    if (!status) status = read_nodes(r, c);
    if (!status) status = read_cells(r, c);
    if (status) return ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    for (int i = 0; i < TS_SERIES_COUNT; i++) c->lacks[i] = r->track[i].set < 0;
    return 0;
}

static int check_indices(const ts_results *r, const ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++) {
        const ts_column *c = &list->items[i];
        int64_t last = c->index + (c->channel->span ? c->channel->span - 1 : 0);
        if (c->channel->inside) continue; /* as the geometry */
        if (c->index < 0 || last >= r->track[c->series].values)
            return ts_fail(TORSOR_EIO, "cannot read %s: an index in '%s' is out of range", r->path,
                           c->name);
    }
    return 0;
}

int ts_results_catalogue(ts_results *r, ts_catalogue *list, int selectors, char *const *selector) {
    ts_contents contents;
    *list = (ts_catalogue){.selectors = selectors, .selector = selector};
    int status = ts_results_contents(r, &contents);
    if (!status) ts_catalogue_make(list, &contents);
    ts_contents_clear(&contents);
    return status ? status : check_indices(r, list);
}

/* ---- events: states in which one has happened more often than in the state before ---- */

enum { BLOCK = 1024 }; /* states read at a time */

/* Numbers of a block of states, one for each event. */
typedef struct block {
    double *last, *count, *time;
    int64_t *order; /* events of one state, by time */
} block;

static void sort_by_time(int64_t n, const double *time, int64_t *order) {
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && time[order[at - 1]] > time[i]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
}

static void tell_state(const ts_records *events, block *b, int64_t state, ts_event_listener *tell,
                       void *context) {
    const double *count = b->count + state * events->rows, *time = b->time + state * events->rows;
    sort_by_time(events->rows, time, b->order);
    for (int64_t i = 0; i < events->rows; i++) {
        int64_t k = b->order[i];
        const ts_table_cell *row = ts_record(events, k);
        ts_happening h = {time[k], (int64_t)(count[k] - b->last[k]), row[TS_EVENT_PART].text,
                          row[TS_EVENT_MARK].text};
        if (count[k] > b->last[k]) tell(context, &h);
        b->last[k] = count[k];
    }
}

/* The first state of a restarted run contains the events before the restart. */
static int walk(ts_results *r, const ts_records *events, ts_event_listener *tell, void *context) {
    size_t n = (size_t)events->rows, all = (size_t)BLOCK * n;
    block b = {.last = ts_calloc(n, sizeof *b.last), .order = ts_calloc(n, sizeof *b.order)};
    b.count = ts_calloc(all, sizeof *b.count), b.time = ts_calloc(all, sizeof *b.time);
    int64_t states = r->rows[TS_FRAMES];
    int status = states ? ts_results_rows(r, TS_FRAME_EVENT_COUNT, 0, 1, b.last) : 0;
    for (int64_t first = 0; first < states && !status; first += BLOCK) {
        int64_t rows = states - first < BLOCK ? states - first : BLOCK;
        status = ts_results_rows(r, TS_FRAME_EVENT_COUNT, first, rows, b.count);
        if (!status) status = ts_results_rows(r, TS_FRAME_EVENT_TIME, first, rows, b.time);
        for (int64_t i = 0; i < rows && !status; i++) tell_state(events, &b, i, tell, context);
    }
    free(b.last), free(b.order), free(b.count), free(b.time);
    return status;
}

int ts_results_events(ts_results *r, ts_event_listener *tell, void *context) {
    ts_records events;
    if (r->track[TS_FRAME_EVENT_COUNT].set < 0 || r->track[TS_FRAME_EVENT_TIME].set < 0) return 0;
    int status = ts_results_table(r, TS_EVENTS_TABLE, &events);
    bool counted = !status && events.rows == r->entries[TS_EACH_EVENT];
    if (counted && events.rows > 0) status = walk(r, &events, tell, context);
    ts_records_clear(&events);
    return status;
}
