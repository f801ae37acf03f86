/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a report.
 *
 *   info        what `torsor info --json` says: the numbers of the verdict
 *   ledger      at the first and at the last stored state
 *   parts, nodes, geometry, units, inertia         the model
 *   shapes, surfaces, contacts                     what touches
 *   play        motion for the picture: 16-bit displacements, quaternions, section forces
 *   histories   any column of the tables, in full precision when there are few, else in 32 bits
 *   effort      every step, or groups of them: iterations, cuts, violation, balance
 *   text        the model file
 *   modes       of the page of modes: report_modes.c
 *
 * Large data are thinned out, and the page states by how much: see report_play.c, report_history.c,
 * report_touch.c. */
#include "picture/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stream.h"
#include "picture/report_data.h"
#include "results/contents.h"

void ts_report_number(ts_json *j, const char *key, double value) { ts_json_number(j, key, value); }

static int cannot_read(const ts_report_data *p) {
    return ts_fail(TORSOR_EIO, "cannot read %s: %s", p->r->path, ts_error_message());
}

/* ---- the model ---- */

int64_t ts_report_part(const ts_report_data *p, const char *name, int64_t *guess) {
    for (int64_t k = 0; k < p->parts; k++) {
        int64_t i = (*guess + k) % p->parts;
        if (ts_part_row_is(p->part + i * TS_PART_FIELDS, name)) return *guess = i;
    }
    return -1;
}

static void put_parts(ts_report_data *p) {
    ts_json *j = p->page.json;
    ts_json_open(j, "parts", '[');
    for (int64_t i = 0; i < p->parts; i++) {
        const ts_table_cell *row = p->part + i * TS_PART_FIELDS;
        ts_json_open(j, NULL, '[');
        ts_json_text(j, NULL, row[TS_PART_NAME].text);
        ts_json_text(j, NULL, row[TS_PART_KIND].text);
        ts_json_text(j, NULL, row[TS_PART_SECTION].text);
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

static int put_nodes(ts_report_data *p) {
    int32_t *part = ts_calloc((size_t)p->nodes + 1, sizeof *part);
    double mass = 0;
    int64_t guess = 0;
    for (int64_t n = 0; n < p->nodes; n++) {
        const ts_table_cell *row = p->node + n * TS_NODE_FIELDS;
        part[n] = (int32_t)ts_report_part(p, row[TS_NODE_PART].text, &guess);
        if (p->shown[n] == n) mass += row[TS_NODE_MASS].number;
    }
    ts_report_number(p->page.json, "mass", mass);
    ts_json_count(p->page.json, "nodes", (long)p->nodes);
    ts_blob blob = {.key = "node_part", .type = TS_BLOB_I32, .rows = p->nodes, .width = 1};
    int status = ts_page_blob(&p->page, blob, part);
    free(part);
    return status;
}

static int put_redundant(ts_report_data *p) {
    ts_records conditions;
    int64_t redundant = 0;
    if (ts_results_table(p->r, TS_CONDITIONS_TABLE, &conditions)) return cannot_read(p);
    for (int64_t i = 0; i < conditions.rows; i++)
        redundant += ts_record(&conditions, i)[TS_CONDITION_REDUNDANT].integer != 0;
    ts_records_clear(&conditions);
    ts_json_count(p->page.json, "redundant", (long)redundant);
    return 0;
}

static int put_cells(ts_report_data *p) {
    enum { WIDTH = 8 };
    const ts_geometry *g = &p->geometry;
    int32_t *table = ts_calloc((size_t)g->cells * WIDTH + 1, sizeof *table);
    int64_t guess = 0;
    for (int64_t i = 0; i < g->cells; i++) {
        const ts_table_cell *row = g->cell + i * TS_CELL_FIELDS;
        int32_t *to = table + i * WIDTH;
        const ts_cell_look *look = ts_cell_look_of(row);
        to[0] = look ? look->plain : -1;
        static const int field[] = {TS_CELL_FIRST,    TS_CELL_POINTS,  TS_CELL_STATION,
                                    TS_CELL_STATIONS, TS_CELL_OUTLINE, TS_CELL_OUTLINE_END};
        for (int k = 0; k < 6; k++) to[k + 1] = (int32_t)row[field[k]].integer;
        to[7] = (int32_t)ts_report_part(p, row[TS_CELL_PART].text, &guess);
    }
    ts_blob blob = {.key = "cells", .type = TS_BLOB_I32, .rows = g->cells, .width = WIDTH};
    int status = ts_page_blob(&p->page, blob, table);
    free(table);
    return status;
}

static int put_cell_ends(ts_report_data *p) {
    const ts_geometry *g = &p->geometry;
    float *ends = ts_calloc((size_t)g->cells * 2 + 1, sizeof *ends);
    int32_t *nodes = ts_calloc((size_t)g->connected + 1, sizeof *nodes);
    for (int64_t i = 0; i < 2 * g->cells; i++)
        ends[i] = (float)g->cell[i / 2 * TS_CELL_FIELDS + TS_CELL_FROM + i % 2].number;
    for (int64_t i = 0; i < g->connected; i++) nodes[i] = (int32_t)g->connectivity[i];
    ts_blob range = {.key = "cell_ends", .type = TS_BLOB_F32, .rows = g->cells, .width = 2};
    ts_blob list = {.key = "connectivity", .type = TS_BLOB_I32, .rows = g->connected, .width = 1};
    int status = ts_page_blob(&p->page, range, ends);
    if (!status) status = ts_page_blob(&p->page, list, nodes);
    free(ends), free(nodes);
    return status;
}

/* Rows of a table as lists of values, in the order of its fields. */
static void put_table(ts_json *j, const char *key, int64_t rows, int fields,
                      const ts_table_field *field, const ts_table_cell *cell) {
    ts_json_open(j, key, '[');
    for (int64_t i = 0; i < rows; i++) {
        ts_json_open(j, NULL, '[');
        for (int f = 0; f < fields; f++) {
            const ts_table_cell *c = &cell[i * fields + f];
            if (field[f].type == TS_TABLE_TEXT)
                ts_json_text(j, NULL, c->text);
            else if (field[f].type == TS_TABLE_INTEGER)
                ts_json_count(j, NULL, (long)c->integer);
            else
                ts_report_number(j, NULL, c->number);
        }
        ts_json_close(j, ']');
    }
    ts_json_close(j, ']');
}

static int put_geometry(ts_report_data *p) {
    const ts_geometry *g = &p->geometry;
    ts_json *j = p->page.json;
    put_table(j, "outlines", g->outlines, TS_OUTLINE_FIELDS, TS_OUTLINE_FIELD, g->outline);
    put_table(j, "bodies", g->bodies, TS_BODY_FIELDS, TS_BODY_FIELD, g->body);
    put_table(j, "links", g->links, TS_LINK_FIELDS, TS_LINK_FIELD, g->link);
    ts_blob corners = {.key = "corners", .type = TS_BLOB_F64, .rows = g->corners, .width = 2};
    int status = ts_page_blob(&p->page, corners, g->corner);
    if (!status) status = put_cells(p);
    if (!status) status = put_cell_ends(p);
    return status ? status : ts_report_shapes(p);
}

/* ---- units and inertia of the model ---- */

/* Names and sizes of the model's units, and its gravity. */
static void put_units(ts_report_data *p) {
    static const char *const NAME[] = {"length", "mass", "time", "angle"};
    const ts_document *d = p->run->document;
    ts_json *j = p->page.json;
    ts_json_open(j, "units", '{');
    for (int i = 0; d && i < 4; i++) {
        ts_json_open(j, NAME[i], '[');
        ts_json_text(j, NULL, d->bare.name[i]);
        ts_report_number(j, NULL, d->bare.value[i]);
        ts_json_close(j, ']');
    }
    ts_json_close(j, '}');
    const v3 g = d ? d->model->gravity : v3_make(0, 0, 0);
    ts_json_vector(j, "gravity", (const double[3]){g.x, g.y, g.z});
}

/* By body: the mass matrix of its node over position and directors, [[m, m c], [m c, E]], by rows.
 * The kinetic energy is half of the sum of its entries times products of rates. */
static int put_inertia(ts_report_data *p) {
    const ts_document *d = p->run->document;
    const ts_geometry *g = &p->geometry;
    int64_t rows = d ? g->bodies : 0;
    double *table = ts_calloc((size_t)rows * 16 + 1, sizeof *table);
    for (int64_t i = 0; i < rows; i++) {
        int64_t node = g->body[i * TS_BODY_FIELDS + TS_BODY_NODE].integer;
        if (node < d->model->nodes_count)
            memcpy(table + 16 * i, d->model->nodes[node].mass, 16 * sizeof *table);
    }
    ts_blob blob = {"inertia", TS_BLOB_F64, rows, 16, false};
    int status = ts_page_blob(&p->page, blob, table);
    free(table);
    return status;
}

/* ---- a run ---- */

/* Terms that files of older versions, or models without them, lack. */
static int put_parts_of(ts_report_data *p, ts_series_id series, int64_t frame) {
    static const char *const name[] = {"dampers", "friction", "impacts"};
    double row[3];
    if (p->r->track[series].set < 0 || p->r->track[series].values == 0) return 0;
    if (ts_results_rows(p->r, series, frame, 1, row)) return TORSOR_EIO;
    for (int c = 0; c < TS_SERIES[series].width; c++)
        ts_report_number(p->page.json, series == TS_FRAME_LOSSES ? name[c] : "events", row[c]);
    return 0;
}

static int put_ledger(ts_report_data *p, const char *key, int64_t frame) {
    double row[TS_LEDGER_COLUMNS];
    if (ts_results_rows(p->r, TS_FRAME_LEDGER, frame, 1, row)) return TORSOR_EIO;
    ts_json_open(p->page.json, key, '{');
    for (int c = 0; c < TS_LEDGER_COLUMNS; c++)
        ts_report_number(p->page.json, TS_LEDGER_NAME[c], row[c]);
    int status = put_parts_of(p, TS_FRAME_LOSSES, frame);
    if (!status) status = put_parts_of(p, TS_FRAME_EVENT_LOSS, frame);
    ts_json_close(p->page.json, '}');
    return status;
}

static int put_info(ts_report_data *p) {
    ts_text *memory = ts_text_begin();
    int status = ts_results_info(p->r, memory->out, true);
    char *text = ts_text_end(memory);
    if (!status) ts_json_raw(p->page.json, "info", text);
    free(text);
    return status;
}

/* Nodes that are no places are drawn where one is that is. */
static void set_shown(ts_report_data *p) {
    bool *hidden = ts_geometry_hidden(&p->geometry, p->nodes, p->node);
    int64_t other = p->geometry.connected ? p->geometry.connectivity[0] : 0;
    p->shown = ts_calloc((size_t)p->nodes + 1, sizeof *p->shown);
    for (int64_t n = 0; n < p->nodes; n++) p->shown[n] = hidden[n] ? other : n;
    free(hidden);
}

static int read_model(ts_report_data *p) {
    ts_h5 file = p->r->file;
    ts_records nodes, parts = {0};
    int status = ts_results_table(p->r, TS_NODES_TABLE, &nodes);
    if (!status) status = ts_results_table(p->r, TS_PARTS_TABLE, &parts);
    p->node = nodes.cells, p->nodes = nodes.rows, p->part = parts.cells, p->parts = parts.rows;
    if (status) return cannot_read(p);
    for (int64_t n = 0; n < p->nodes; n++) {
        const ts_table_cell *row = p->node + n * TS_NODE_FIELDS;
        int64_t slot = row[TS_NODE_SLOT].integer, slots = row[TS_NODE_SLOTS].integer;
        if (slot < 0 || slots < 1 || slots > 4 || slot + slots > p->r->entries[TS_EACH_SLOT])
            return ts_fail(TORSOR_EIO, "cannot read %s: the index of a node is out of range",
                           p->r->path);
    }
    p->stations = p->r->entries[TS_EACH_STATION];
    p->frames = ts_results_frames(p->r);
    if (p->frames == 0)
        return ts_fail(TORSOR_EIO, "%s contains no stored state: there is nothing to show",
                       p->r->path);
    if (ts_geometry_read(&p->geometry, file, p->nodes, ts_cell_stations_of(p->r)))
        return cannot_read(p);
    set_shown(p);
    return 0;
}

static int put_run(ts_report_data *p, const ts_report_run *run, int64_t frames) {
    ts_json *j = p->page.json;
    p->run = run;
    int status = run->scene ? 0 : put_info(p);
    ts_json_text(j, "name", run->name);
    ts_json_text(j, "audit", run->audit);
    ts_json_flag(j, "sound", run->sound);
    ts_json_flag(j, "statics", run->statics);
    ts_json_open(j, "columns_asked", '[');
    for (int i = 0; i < run->column_count; i++) ts_json_text(j, NULL, run->columns[i]);
    ts_json_close(j, ']');
    if (!status) put_parts(p), put_units(p);
    if (!status) status = put_ledger(p, "start", 0);
    if (!status) status = put_ledger(p, "end", p->frames - 1);
    if (!status) status = put_nodes(p);
    if (!status) status = put_redundant(p);
    if (!status) status = put_geometry(p);
    if (!status) status = put_inertia(p);
    if (!status) status = ts_report_play(p, frames);
    if (!status && run->modes) status = ts_report_modes(p, run->modes);
    if (run->scene) return ts_drawn_scene_put(j, run->scene), status;
    if (!status) status = ts_report_history(p);
    if (!status) status = ts_report_effort(p);
    ts_json_text(j, "text", ts_results_text(p->r, NULL));
    return status;
}

static int add_run(ts_page *page, const ts_report_run *run, int64_t frames) {
    ts_report_data p = {.page = *page, .r = run->results};
    ts_json_open(page->json, NULL, '{');
    int status = read_model(&p);
    if (!status) status = put_run(&p, run, frames);
    ts_json_close(page->json, '}');
    page->count = p.page.count;
    free(p.node), free(p.part), free(p.shown);
    ts_geometry_clear(&p.geometry);
    return status;
}

/* JSON within a script: no `<` may stand in it. Line ends only cost room. */
static void print_json(FILE *out, const char *text) {
    fputs("<script type=\"application/json\" id=\"runs\">", out);
    for (const char *c = text; *c; c++)
        if (*c == '<')
            fputs("\\u003c", out);
        else if (*c == '\n')
            while (c[1] == ' ') c++;
        else
            fputc(*c, out);
    fputs("</script>\n", out);
}

int ts_report_write(FILE *out, int runs, const ts_report_run *run, int64_t frames) {
    ts_text *memory = ts_text_begin();
    ts_json json = {.out = memory->out};
    ts_page page = {.out = out, .json = &json};
    int status = 0;
    ts_json_open(&json, NULL, '[');
    for (int i = 0; i < runs && !status; i++) status = add_run(&page, &run[i], frames);
    ts_json_close(&json, ']');
    char *text = ts_text_end(memory);
    if (!status) print_json(out, text);
    free(text);
    return status;
}
