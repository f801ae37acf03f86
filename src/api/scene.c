/* SPDX-License-Identifier: Apache-2.0 */
/* Runs for pictures: the scene of a model, poses of its nodes and values of its channels while it
 * runs.
 *
 * The scene contains the data that a report would show of a results file with the present state
 * only, and the loads and supports (picture/scene.c). This file is made in a temporary folder and
 * removed before the function returns. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/modes.h"
#include "api/opened.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "math/rotation.h"
#include "output/selector.h"
#include "picture/report.h"
#include "reader/columns.h"
#include "results/cell_values.h"
#include "results/contents.h"
#include "results/geometry.h"

/* ---- the scene ---- */

enum { TEMPORARY_PATH = 4096 };

/* "/tmp/torsor-scene-x1y2z3/state.h5" in a new folder that only this user may enter. */
static int temporary_file(char folder[TEMPORARY_PATH], char path[TEMPORARY_PATH]) {
    const char *place = getenv("TMPDIR");
    int length = snprintf(folder, TEMPORARY_PATH, "%s/torsor-scene-XXXXXX",
                          place && *place ? place : "/tmp");
    if (length >= TEMPORARY_PATH - 16 || !mkdtemp(folder))
        return ts_fail(TORSOR_EIO, "cannot make a temporary folder %s: %s", folder,
                       strerror(errno));
    memcpy(path, folder, (size_t)length);
    memcpy(path + length, "/state.h5", 10);
    return 0;
}

/* One state, whatever the analysis plans. */
static ts_document as_one_step(const ts_document *document, const ts_system *system) {
    ts_document one = *document;
    one.options.h = 1, one.options.store_every = 1, one.options.tolerance = 0;
    one.options.t_end = (double)system->state.step;
    return one;
}

static int store_state(const torsor_run *run, const char *path) {
    ts_results *file;
    ts_document one = as_one_step(run->document, run->system);
    int status = ts_results_create(&file, path, &one, run->system, run->system->state.step);
    if (status) return status;
    status = ts_results_store(file, run->system);
    int closed = ts_results_close(file, "running", NULL);
    return status ? status : closed;
}

static int draw_state(const torsor_run *run, const ts_drawn_modes *modes, const char *path,
                      FILE *out) {
    ts_results *file = NULL;
    ts_drawn_scene scene = {run->document, run->system};
    int status = ts_results_open(&file, path);
    ts_report_run drawn = {.results = file,
                           .name = run->document->source,
                           .audit = "",
                           .sound = true,
                           .statics = run->document->options.statics,
                           .document = run->document,
                           .scene = &scene,
                           .modes = modes};
    if (!status) status = ts_report_write(out, 1, &drawn, 0);
    ts_results_free(file);
    return status;
}

/* Stores the present state and has it read by `reads`: draw_state or hold_state. */
static int through_state(const torsor_run *run, const ts_drawn_modes *modes, FILE *out,
                         int (*reads)(const torsor_run *, const ts_drawn_modes *, const char *,
                                      FILE *)) {
    char folder[TEMPORARY_PATH], path[TEMPORARY_PATH];
    int status = temporary_file(folder, path);
    if (status) return status;
    ts_lock_libraries();
    status = store_state(run, path);
    if (!status) status = reads(run, modes, path, out);
    ts_unlock_libraries();
    unlink(path), rmdir(folder);
    return status;
}

int ts_scene_write(const torsor_run *run, const ts_drawn_modes *modes, FILE *out) {
    return through_state(run, modes, out, draw_state);
}

int ts_api_run_scene(const torsor_run *run, char **out) {
    if (!run || !out) return ts_null_argument("torsor_run_scene");
    ts_memo memo;
    *out = NULL;
    int status = ts_memo_open(&memo);
    return status ? status : ts_memo_take(&memo, ts_scene_write(run, NULL, memo.out), out);
}

/* ---- where bodies are held ---- */

/* Names of rigid bodies by their nodes; NULL: another node. */
static const char **bodies_by_node(const ts_geometry *g, int64_t nodes) {
    const char **name = ts_calloc((size_t)nodes + 1, sizeof *name);
    for (int64_t i = 0; i < g->bodies; i++) {
        const ts_table_cell *row = g->body + i * TS_BODY_FIELDS;
        name[row[TS_BODY_NODE].integer] = row[TS_BODY_PART].text;
    }
    return name;
}

static void put_attachment(ts_json *j, const char *part, const ts_table_cell *point) {
    if (!part) return;
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "part", part);
    ts_json_vector(j, "at", (const double[3]){point[0].number, point[1].number, point[2].number});
    ts_json_close(j, '}');
}

static void put_attachments(FILE *out, const ts_geometry *g, int64_t nodes) {
    const char **name = bodies_by_node(g, nodes);
    ts_json j = {.out = out};
    ts_json_open(&j, NULL, '[');
    for (int64_t i = 0; i < g->links; i++) {
        const ts_table_cell *row = g->link + i * TS_LINK_FIELDS;
        put_attachment(&j, name[row[TS_LINK_NODE_A].integer], row + TS_LINK_POINT_A);
        put_attachment(&j, name[row[TS_LINK_NODE_B].integer], row + TS_LINK_POINT_B);
    }
    ts_json_close(&j, ']');
    free(name);
}

static int tell_attachments(ts_results *file, const char *path, FILE *out) {
    ts_records nodes;
    ts_geometry g;
    int status = ts_results_table(file, TS_NODES_TABLE, &nodes);
    if (!status) status = ts_geometry_read(&g, file->file, nodes.rows, ts_cell_stations_of(file));
    if (!status) put_attachments(out, &g, nodes.rows), ts_geometry_clear(&g);
    ts_records_clear(&nodes);
    return status ? ts_fail(TORSOR_EIO, "cannot read %s: %s", path, ts_error_message()) : 0;
}

int ts_api_results_attachments(torsor_results *r, char **out) {
    if (!r || !out) return ts_null_argument("torsor_results_attachments");
    ts_memo memo;
    *out = NULL;
    int status = ts_memo_open(&memo);
    if (status) return status;
    ts_lock_libraries();
    status = tell_attachments(r->file, r->path, memo.out);
    ts_unlock_libraries();
    return ts_memo_take(&memo, status, out);
}

static int hold_state(const torsor_run *run, const ts_drawn_modes *modes, const char *path,
                      FILE *out) {
    ts_results *file = NULL;
    (void)run, (void)modes;
    int status = ts_results_open(&file, path);
    if (!status) status = tell_attachments(file, path, out);
    ts_results_free(file);
    return status;
}

int ts_api_run_attachments(const torsor_run *run, char **out) {
    if (!run || !out) return ts_null_argument("torsor_run_attachments");
    ts_memo memo;
    *out = NULL;
    int status = ts_memo_open(&memo);
    return status ? status
                  : ts_memo_take(&memo, through_state(run, NULL, memo.out, hold_state), out);
}

/* ---- poses while it runs ---- */

int torsor_run_pose(const torsor_run *run, float *place, float *turn) {
    if (!run || !place || !turn) return ts_null_argument("torsor_run_pose");
    const ts_model *model = run->document->model;
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        const double *q = run->system->state.q + 3 * node->slot;
        quat r =
            node->kind == TS_NODE_FRAME ? ts_quat_from_matrix(m3_load(q + 3)) : quat_identity();
        for (int k = 0; k < 3; k++) place[3 * n + k] = (float)q[k];
        turn[4 * n] = (float)r.s, turn[4 * n + 1] = (float)r.v.x;
        turn[4 * n + 2] = (float)r.v.y, turn[4 * n + 3] = (float)r.v.z;
    }
    return 0;
}

/* ---- channels while it runs ---- */

/* Rows of series at the present state of a run. */
typedef struct live_rows {
    const torsor_run *run;
    ts_places places;
    double *row[TS_SERIES_COUNT]; /* NULL: not wanted */
} live_rows;

struct torsor_probe {
    ts_handle head;
    ts_catalogue list;
    ts_choice chosen;
    live_rows rows;
};

struct torsor_paint {
    ts_handle head;
    const ts_channel *channel;
    int component;
    live_rows rows;
};

/* The channel that fills the rows of a series: itself, or the one that it comes with. */
static const ts_channel *filler_of(ts_series_id series) {
    if (TS_SERIES[series].fill) return &TS_SERIES[series];
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].with == series && TS_SERIES[i].fill) return &TS_SERIES[i];
    return NULL;
}

static void rows_begin(live_rows *rows, const torsor_run *run) {
    ts_subject subject = ts_document_subject(run->document);
    rows->run = run;
    ts_places_new(&rows->places, &subject);
}

static void rows_end(live_rows *rows) {
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(rows->row[s]);
    ts_places_clear(&rows->places);
}

static void need_row(live_rows *p, ts_series_id series) {
    if (p->row[series]) return;
    size_t values = (size_t)(p->places.count[TS_SERIES[series].each] * TS_SERIES[series].width);
    p->row[series] = ts_calloc(values + 1, sizeof(double));
}

/* False: the series is written by recording alone. */
static bool need_series(live_rows *rows, ts_series_id series) {
    const ts_channel *filler = filler_of(series);
    if (TS_SERIES[series].group != TS_FRAMES || !filler || TS_SERIES[series].integer) return false;
    need_row(rows, series), need_row(rows, filler->series);
    if (filler->with) need_row(rows, filler->with);
    return true;
}

static void rows_fill(live_rows *rows) {
    torsor_run *run = (torsor_run *)rows->run;
    if (!run->instant_known) ts_instant_now(&run->instant, &run->system->state);
    run->instant_known = true;
    ts_moment now = {.system = run->system,
                     .instant = &run->instant,
                     .places = &rows->places,
                     .at_rest = run->document->options.statics};
    for (int s = 0; s < TS_SERIES_COUNT; s++) {
        const ts_channel *c = &TS_SERIES[s];
        if (rows->row[s] && c->fill)
            c->fill(&now, c, rows->row[s], c->with ? rows->row[c->with] : NULL);
    }
}

/* ---- probes ---- */

static int choose(torsor_probe *p, int selectors, char *const *selector) {
    const ts_document *document = p->rows.run->document;
    p->list = ts_document_columns(document, selectors, selector);
    for (int i = 0; i < selectors; i++) {
        char hint[TS_UNKNOWN_SIZE];
        if (!ts_choose_named(&p->chosen, &p->list, selector[i]))
            return ts_fail(TORSOR_EINVAL, "the model has no '%.200s'.%s", selector[i],
                           ts_unknown_hint(&p->list, selector[i], hint));
    }
    for (size_t i = 0; i < p->chosen.count; i++) {
        if (!need_series(&p->rows, p->chosen.items[i]->series))
            return ts_fail(TORSOR_EINVAL, "'%.200s' is available in results files only",
                           p->chosen.items[i]->name);
    }
    return 0;
}

static void take_probe_apart(void *whole) {
    torsor_probe *p = whole;
    rows_end(&p->rows);
    free(p->chosen.items);
    ts_catalogue_clear(&p->list);
    free(p);
}

void torsor_probe_free(torsor_probe *probe) {
    if (probe) ts_pool_free(probe, take_probe_apart);
}

int ts_api_probe_new(torsor_probe **out, const torsor_run *run, int selectors,
                     const char *const *selector) {
    if (!out || !run || ts_any_null(selectors, selector))
        return ts_null_argument("torsor_probe_new");
    torsor_probe *p = ts_calloc(1, sizeof *p);
    rows_begin(&p->rows, run);
    int status = choose(p, selectors > 0 ? selectors : 0, (char *const *)selector);
    if (status) take_probe_apart(p), p = NULL;
    *out = p;
    return status;
}

int torsor_probe_count(const torsor_probe *p) { return p ? (int)p->chosen.count : 0; }

static const ts_column *column_at(const torsor_probe *p, int i) {
    return p && i >= 0 && (size_t)i < p->chosen.count ? p->chosen.items[i] : NULL;
}

const char *torsor_probe_name(const torsor_probe *p, int i) {
    const ts_column *c = column_at(p, i);
    return c ? c->name : NULL;
}

const char *torsor_probe_unit(const torsor_probe *p, int i) {
    const ts_column *c = column_at(p, i);
    return c ? c->unit : NULL;
}

int ts_api_probe_read(torsor_probe *p, double *out) {
    if (!p || !out) return ts_null_argument("torsor_probe_read");
    rows_fill(&p->rows);
    for (size_t i = 0; i < p->chosen.count; i++)
        out[i] = ts_column_value(p->chosen.items[i], p->rows.row[p->chosen.items[i]->series]);
    return 0;
}

/* ---- paints ---- */

static void take_paint_apart(void *whole) {
    torsor_paint *p = whole;
    rows_end(&p->rows);
    free(p);
}

void torsor_paint_free(torsor_paint *paint) {
    if (paint) ts_pool_free(paint, take_paint_apart);
}

/* The colour of this key, as scenes name them. */
static bool find_colour(torsor_paint *p, const char *key) {
    char name[64];
    for (int i = 0; i < TS_CHANNEL_COUNT; i++)
        for (int k = 0; ts_channel_colour(TS_CHANNELS[i], k, name, sizeof name); k++) {
            ts_channel_colour_key(TS_CHANNELS[i], k, name, sizeof name);
            if (strcmp(name, key) != 0) continue;
            p->channel = TS_CHANNELS[i], p->component = k;
            return need_series(&p->rows, p->channel->series);
        }
    return false;
}

int ts_api_paint_new(torsor_paint **out, const torsor_run *run, const char *key) {
    if (!out || !run || !key) return ts_null_argument("torsor_paint_new");
    torsor_paint *p = ts_calloc(1, sizeof *p);
    int status = 0;
    rows_begin(&p->rows, run);
    if (!find_colour(p, key))
        status = ts_fail(TORSOR_EINVAL, "there is no colour '%.60s' while a model runs", key);
    if (status) take_paint_apart(p), p = NULL;
    *out = p;
    return status;
}

int torsor_paint_count(const torsor_paint *p) {
    return p ? (int)p->rows.places.count[TS_SERIES[p->channel->series].each] : 0;
}

int ts_api_paint_read(torsor_paint *p, float *out) {
    if (!p || !out) return ts_null_argument("torsor_paint_read");
    ts_cell_rows rows;
    rows_fill(&p->rows);
    memcpy(rows.row, p->rows.row, sizeof rows.row);
    for (int i = 0, count = torsor_paint_count(p); i < count; i++) {
        double value = ts_station_value(&rows, p->channel, p->component, i);
        out[i] = isfinite(value) ? (float)value : 0;
    }
    return 0;
}
