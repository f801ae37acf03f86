/* Writing a results file: lay everything out, then only rows.
 *
 * Rows gather in buffers and go to the file in blocks: when the buffers are full, after a second,
 * and at the end. The rows are in the file before `progress` counts them. See results.c for the
 * layout, results_h5.c for why it is safe.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "io/geometry.h"
#include "io/results_file.h"
#include "io/results_place.h"
#include "io/sha256.h"

static const double FLUSH_EVERY = 1.0; /* seconds of wall time between flushes */
static const double SLOW_STORE = 0.25; /* stored states this far apart are flushed one by one */
enum {
    CHUNK_BYTES = 1 << 16,
    SLICES = 64,
    BUFFER_BYTES = 1 << 20,
    BUFFER_ROWS = 1024,
    METADATA_BYTES = 1 << 17
};
enum { WORD_SIZE = 32 }; /* room of short texts in attributes */

static double wall_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void iso_time(char text[WORD_SIZE]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, WORD_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* ---- the plan: how many rows of how many numbers ---- */

static int64_t planned_frames(int64_t first, int64_t last, int64_t every) {
    if (every < 1) every = 1;
    if (last <= first) return 1;
    return 1 + (last / every - first / every) + (last % every != 0);
}

static void plan_rows(ts_results *r, const ts_options *options, int64_t first) {
    int64_t last = llround(options->t_end / options->h);
    r->planned[TS_FRAMES] = planned_frames(first, last, options->store_every);
    r->planned[TS_STEPS] = last > first ? last - first : 0;
}

/* Joints, springs and motions: what has sites and is no body. */
static bool reacts(const ts_part *part) { return part->sites > 0 && part->node < 0 && !part->mesh; }

/* The stations of one kind, and room for what is told of them. */
static int64_t plan_sections(const ts_model *model, ts_station_kind kind, int width, int **sites,
                             double **force, double **strain) {
    size_t count = 0, room = (size_t)width;
    *sites = ts_calloc((size_t)model->sites_count + 1, sizeof **sites);
    for (int s = 0; s < model->sites_count; s++)
        if (model->sites[s].station == kind) (*sites)[count++] = s;
    *force = ts_calloc(count * room + 1, sizeof **force);
    if (strain) *strain = ts_calloc(count * room + 1, sizeof **strain);
    return (int64_t)count;
}

static void plan_stations(ts_results *r, const ts_model *model) {
    r->entries[TS_EACH_STATION] = plan_sections(model, TS_STATION_LINE, TS_SECTION_WIDTH,
                                                &r->station, &r->section_force, &r->section_strain);
    r->entries[TS_EACH_SHELL_POINT] =
        plan_sections(model, TS_STATION_SHELL, TS_SHELL_WIDTH, &r->shell_point, &r->shell_force,
                      &r->shell_strain);
    r->entries[TS_EACH_SOLID_POINT] = plan_sections(model, TS_STATION_SOLID, TS_STRESS_WIDTH,
                                                    &r->solid_point, &r->solid_stress, NULL);
}

static void plan_outputs(ts_results *r, const ts_document *document) {
    size_t count = (size_t)document->station_count;
    r->output = ts_calloc(count, sizeof *r->output);
    if (count) memcpy(r->output, document->stations, count * sizeof *r->output);
    r->output_force = ts_calloc(count * TS_SECTION_WIDTH, sizeof *r->output_force);
    r->output_strain = ts_calloc(count * TS_SECTION_WIDTH, sizeof *r->output_strain);
    r->entries[TS_EACH_OUTPUT] = (int64_t)count;
}

static int64_t inputs_of(const ts_model *model) {
    int64_t count = 0;
    for (int s = 0; s < model->signals_count; s++)
        count += model->signals[s].kind == TS_SIGNAL_INPUT;
    return count;
}

static void plan_entries(ts_results *r, const ts_model *model) {
    int reactions = 0;
    plan_stations(r, model);
    r->reaction = ts_calloc((size_t)model->parts_count, sizeof *r->reaction);
    for (int p = 0; p < model->parts_count; p++)
        if (reacts(&model->parts[p])) r->reaction[reactions++] = p;
    r->force = ts_calloc(3 * (size_t)reactions, sizeof *r->force);
    r->moment = ts_calloc(3 * (size_t)reactions, sizeof *r->moment);

    r->entries[TS_EACH_ROW] = 1;
    r->entries[TS_EACH_SLOT] = model->slots;
    r->entries[TS_EACH_NODE] = model->nodes_count;
    r->entries[TS_EACH_CONDITION] = model->rows_count;
    r->entries[TS_EACH_MEMORY] = model->memory;
    r->entries[TS_EACH_REACTION] = reactions;
    r->entries[TS_EACH_INPUT] = inputs_of(model);
    r->entries[TS_EACH_COORDINATE] = model->coordinates_count;
}

static uint64_t row_bytes(const ts_track *track) { return 8 * (uint64_t)track->values; }

/* Of the whole file, nearly: the index of the chunks and the tables are guessed. */
static uint64_t planned_bytes(const ts_results *r) {
    uint64_t rows = 0, entries = 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        rows += row_bytes(&r->track[i]) * (uint64_t)r->planned[TS_SERIES[i].group];
    for (int e = 0; e < TS_EACH_COUNT; e++) entries += (uint64_t)r->entries[e];
    return METADATA_BYTES + r->length + rows + rows / 512 + 100 * entries;
}

/* Numbers per row, and buffers. */
static void plan_tracks(ts_results *r) {
    uint64_t total[TS_GROUPS] = {0};
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_series *series = &TS_SERIES[i];
        r->track[i].values = r->entries[series->each] * series->width;
        total[series->group] += row_bytes(&r->track[i]);
    }
    for (int g = 0; g < TS_GROUPS; g++) {
        int64_t room = (int64_t)(BUFFER_BYTES / (total[g] + 1));
        r->room[g] = room < 1 ? 1 : room > BUFFER_ROWS ? BUFFER_ROWS : room;
    }
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        r->track[i].buffer =
            ts_calloc((size_t)r->room[TS_SERIES[i].group], row_bytes(&r->track[i]));
}

/* Chunks of about CHUNK_BYTES, all of one size: little is left over in the last one. */
static uint64_t chunk_rows(uint64_t planned, uint64_t bytes) {
    uint64_t most = bytes >= CHUNK_BYTES ? 1 : CHUNK_BYTES / (bytes ? bytes : 8);
    if (planned == 0) return most;
    uint64_t chunks = (planned + most - 1) / most;
    return (planned + chunks - 1) / chunks;
}

/* ---- laying out ---- */

static int lay_out_series(const ts_results *r, ts_series_id id) {
    const ts_series *series = &TS_SERIES[id];
    uint64_t planned = (uint64_t)r->planned[series->group];
    char name[64];
    ts_h5_array array = {.name = ts_series_path(id, name),
                         .unit = series->unit,
                         .columns = series->columns,
                         .help = series->help,
                         .integer = series->integer,
                         .blank = series->blank,
                         .shape[0] = planned,
                         .rank = 1,
                         .chunk = chunk_rows(planned, row_bytes(&r->track[id]))};
    if (series->each != TS_EACH_ROW) array.shape[array.rank++] = (uint64_t)r->entries[series->each];
    if (series->width > 1) array.shape[array.rank++] = (uint64_t)series->width;
    return ts_h5_array_new(r->file, &array);
}

static int open_rows(ts_results *r) {
    int rank, status = 0;
    uint64_t shape[3];
    char name[64];
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++)
        status = ts_h5_dataset(&r->track[i].set, r->file, ts_series_path((ts_series_id)i, name),
                               &rank, shape);
    return status ? status : ts_h5_dataset(&r->progress, r->file, "/progress", &rank, shape);
}

/* Closing the handles before the file lets HDF5 report what it could not write. */
static int close_file(ts_results *r) {
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        ts_h5_dataset_close(r->track[i].set);
        r->track[i].set = -1;
    }
    ts_h5_dataset_close(r->progress);
    ts_h5 file = r->file;
    r->progress = r->file = -1;
    return ts_h5_close(file);
}

static int lay_out_progress(const ts_results *r) {
    static const ts_h5_array progress = {
        .name = "/progress",
        .columns = "frames steps",
        .help = "how many rows of /frames and /steps are complete; ignore all others",
        .integer = true,
        .rank = 1,
        .shape = {TS_GROUPS},
        .blank = true,
        .chunk = TS_GROUPS};
    return ts_h5_array_new(r->file, &progress);
}

static int lay_out_rows(ts_results *r) {
    static const char *const help[] = {
        "one row per stored state; the first is the state that the run started from",
        "one row per step"};
    for (int g = 0; g < TS_GROUPS; g++)
        if (ts_h5_group(r->file, TS_GROUP_NAME[g], help[g])) return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (lay_out_series(r, (ts_series_id)i)) return TORSOR_EIO;
    return lay_out_progress(r);
}

static int lay_out_nodes(const ts_results *r, const ts_model *model) {
    static const char *const kind[] = {"point", "director", "frame"};
    ts_h5_cell *cells = ts_calloc((size_t)model->nodes_count * TS_NODE_FIELDS, sizeof *cells);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        ts_h5_cell *row = cells + n * TS_NODE_FIELDS;
        row[TS_NODE_PART].text = model->parts[node->part].name;
        row[TS_NODE_KIND].text = kind[node->kind];
        row[TS_NODE_FIXED].integer = node->fixed;
        row[TS_NODE_SLOT].integer = node->slot;
        row[TS_NODE_SLOTS].integer = node->slots;
        row[TS_NODE_MASS].number = node->mass[0][0];
    }
    int status =
        ts_h5_table_new(r->file, "/model/nodes",
                        "the slots of a node in q: position, then (director) one or (frame) "
                        "three directors, the columns of its rotation",
                        TS_NODE_FIELDS, TS_NODE_FIELD, model->nodes_count, cells);
    free(cells);
    return status;
}

static int lay_out_parts(const ts_results *r, const ts_model *model) {
    ts_h5_cell *cells = ts_calloc((size_t)model->parts_count * TS_PART_FIELDS, sizeof *cells);
    int reactions = 0;
    for (int p = 0; p < model->parts_count; p++) {
        const ts_part *part = &model->parts[p];
        ts_h5_cell *row = cells + p * TS_PART_FIELDS;
        row[TS_PART_NAME].text = part->name;
        row[TS_PART_KIND].text = part->kind ? part->kind->name : "";
        row[TS_PART_SECTION].text = part->kind ? part->kind->section : "";
        row[TS_PART_REACTION].integer = reacts(part) ? reactions++ : -1;
    }
    int status = ts_h5_table_new(r->file, "/model/parts",
                                 "reaction: index in frames/force and frames/moment, or -1",
                                 TS_PART_FIELDS, TS_PART_FIELD, model->parts_count, cells);
    free(cells);
    return status;
}

static int lay_out_coordinates(const ts_results *r, const ts_model *model) {
    int count = model->coordinates_count;
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_COORDINATE_FIELDS, sizeof *cells);
    for (int c = 0; c < count; c++) {
        const ts_coordinate *coordinate = &model->coordinates[c];
        ts_h5_cell *row = cells + c * TS_COORDINATE_FIELDS;
        row[TS_COORDINATE_PART].text = model->parts[coordinate->part].name;
        row[TS_COORDINATE_NAME].text = coordinate->name;
        row[TS_COORDINATE_UNIT].text = coordinate->angle ? "rad" : "m";
    }
    int status = ts_h5_table_new(r->file, "/model/coordinates",
                                 "in the order of frames/coordinate and frames/coordinate_rate",
                                 TS_COORDINATE_FIELDS, TS_COORDINATE_FIELD, count, cells);
    free(cells);
    return status;
}

static int lay_out_conditions(const ts_results *r, const ts_model *model) {
    int count = model->rows_count;
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_CONDITION_FIELDS, sizeof *cells);
    for (int c = 0; c < count; c++) {
        const ts_row *condition = &model->rows[c];
        ts_h5_cell *row = cells + c * TS_CONDITION_FIELDS;
        row[TS_CONDITION_PART].text = model->parts[model->sites[condition->site].part].name;
        row[TS_CONDITION_LABEL].text = condition->label;
        row[TS_CONDITION_DRIVE].integer = condition->drive;
        row[TS_CONDITION_REDUNDANT].integer = condition->redundant;
    }
    int status =
        ts_h5_table_new(r->file, "/model/conditions",
                        "in the order of frames/lambda and frames/kappa; drive: prescribed "
                        "motion; redundant: repeats others and is left out",
                        TS_CONDITION_FIELDS, TS_CONDITION_FIELD, count, cells);
    free(cells);
    return status;
}

static int lay_out_stations(const ts_results *r, const ts_model *model) {
    int64_t count = r->entries[TS_EACH_STATION];
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_STATION_FIELDS, sizeof *cells);
    for (int64_t k = 0; k < count; k++) {
        const ts_site *site = &model->sites[r->station[k]];
        const ts_part *part = &model->parts[site->part];
        ts_h5_cell *row = cells + k * TS_STATION_FIELDS;
        row[TS_STATION_PART].text = part->name;
        row[TS_STATION_ELEMENT].integer = (r->station[k] - part->site) / (site->nodes - 1) + 1;
        row[TS_STATION_ARC].number = site->arc;
        row[TS_STATION_WEIGHT].number = site->weight;
    }
    int status = ts_h5_table_new(
        r->file, "/model/stations",
        "in the order of frames/section_force and frames/section_strain; arc: along the line from "
        "the start of the beam, weight: the length a station stands for",
        TS_STATION_FIELDS, TS_STATION_FIELD, count, cells);
    free(cells);
    return status;
}

static int lay_out_outputs(const ts_results *r, const ts_model *model) {
    int64_t count = r->entries[TS_EACH_OUTPUT];
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_OUTPUT_FIELDS, sizeof *cells);
    for (int64_t k = 0; k < count; k++) {
        cells[k * TS_OUTPUT_FIELDS + TS_OUTPUT_PART].text = model->parts[r->output[k].part].name;
        cells[k * TS_OUTPUT_FIELDS + TS_OUTPUT_ARC].number = r->output[k].arc;
    }
    int status = ts_h5_table_new(
        r->file, "/model/output_stations",
        "in the order of frames/output_force and frames/output_strain; arc: along the line from "
        "the start of the beam",
        TS_OUTPUT_FIELDS, TS_OUTPUT_FIELD, count, cells);
    free(cells);
    return status;
}

/* The number of the element of a site, from 1 in each part: `last` is that of the site before. */
static int64_t element_of(const ts_site *site, const ts_site *before, int64_t last) {
    if (!before || before->part != site->part) return 1;
    return before->node == site->node ? last : last + 1;
}

static int lay_out_solid_points(const ts_results *r, const ts_model *model) {
    int64_t count = r->entries[TS_EACH_SOLID_POINT], element = 0;
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_SOLID_POINT_FIELDS + 1, sizeof *cells);
    for (int64_t k = 0; k < count; k++) {
        const ts_site *site = &model->sites[r->solid_point[k]];
        element = element_of(site, k ? &model->sites[r->solid_point[k - 1]] : NULL, element);
        ts_h5_cell *row = cells + k * TS_SOLID_POINT_FIELDS;
        row[TS_SOLID_POINT_PART].text = model->parts[site->part].name;
        row[TS_SOLID_POINT_ELEMENT].integer = element;
        for (int i = 0; i < 3; i++)
            row[TS_SOLID_POINT_X + i].number = model->numbers[site->place + i];
        row[TS_SOLID_POINT_VOLUME].number = site->weight;
    }
    int status =
        ts_h5_table_new(r->file, "/model/solid_points",
                        "in the order of frames/solid_stress; x, y, z: as drawn, volume: that "
                        "a point stands for",
                        TS_SOLID_POINT_FIELDS, TS_SOLID_POINT_FIELD, count, cells);
    free(cells);
    return status;
}

static int lay_out_shell_points(const ts_results *r, const ts_model *model) {
    int64_t count = r->entries[TS_EACH_SHELL_POINT];
    ts_h5_cell *cells = ts_calloc((size_t)count * TS_SHELL_POINT_FIELDS + 1, sizeof *cells);
    for (int64_t k = 0, element = 0; k < count; k++) {
        const ts_site *site = &model->sites[r->shell_point[k]], *before = site - 1;
        const double *numbers = model->numbers + site->data;
        bool first = k == 0 || before->part != site->part;
        if (first || before->node != site->node) element = first ? 1 : element + 1;
        ts_h5_cell *row = cells + k * TS_SHELL_POINT_FIELDS;
        row[TS_SHELL_POINT_PART].text = model->parts[site->part].name;
        row[TS_SHELL_POINT_ELEMENT].integer = element;
        for (int i = 0; i < 3; i++) row[TS_SHELL_POINT_X + i].number = numbers[TS_SHELL_PLACE + i];
        row[TS_SHELL_POINT_AREA].number = site->weight;
        row[TS_SHELL_POINT_THICKNESS].number = numbers[TS_SHELL_THICKNESS];
    }
    int status = ts_h5_table_new(
        r->file, "/model/shell_points",
        "in the order of frames/shell_force and frames/shell_strain; x, y, z: as drawn, area: that "
        "a point stands for",
        TS_SHELL_POINT_FIELDS, TS_SHELL_POINT_FIELD, count, cells);
    free(cells);
    return status;
}

static int lay_out_model(const ts_results *r, const ts_document *document) {
    const ts_model *model = document->model;
    if (ts_h5_group(r->file, "/model", "what was run") ||
        ts_h5_text_new(r->file, "/model/text", "the model file", document->text,
                       document->length) ||
        lay_out_nodes(r, model) || lay_out_parts(r, model) || lay_out_coordinates(r, model) ||
        lay_out_stations(r, model) || lay_out_outputs(r, model) || lay_out_shell_points(r, model) ||
        lay_out_solid_points(r, model) || ts_geometry_write(r->file, document))
        return TORSOR_EIO;
    return lay_out_conditions(r, model);
}

/* ---- attributes ---- */

#define SUMMARY(name, type) \
    { #name, offsetof(ts_summary, name), type }
static const ts_attribute SUMMARIES[] = {
    SUMMARY(steps, TS_ATTRIBUTE_WHOLE),          SUMMARY(iterations, TS_ATTRIBUTE_WHOLE),
    SUMMARY(cuts, TS_ATTRIBUTE_WHOLE),           SUMMARY(factorisations, TS_ATTRIBUTE_WHOLE),
    SUMMARY(seconds, TS_ATTRIBUTE_REAL),         SUMMARY(worst_balance, TS_ATTRIBUTE_REAL),
    SUMMARY(worst_violation, TS_ATTRIBUTE_REAL), SUMMARY(energy_scale, TS_ATTRIBUTE_REAL),
};
enum { SUMMARY_COUNT = sizeof SUMMARIES / sizeof *SUMMARIES };

static int put_all(ts_h5 file, const char *object, int count, const ts_attribute *list,
                   const void *from) {
    int status = 0;
    for (int i = 0; i < count && !status; i++) {
        const char *name = list[i].name;
        const void *value = (const char *)from + list[i].offset;
        switch (list[i].type) {
        case TS_ATTRIBUTE_REAL:
            status = ts_h5_put_number(file, object, name, *(const double *)value);
            break;
        case TS_ATTRIBUTE_WHOLE:
            status = ts_h5_put_integer(file, object, name, *(const int64_t *)value);
            break;
        case TS_ATTRIBUTE_INT:
            status = ts_h5_put_integer(file, object, name, *(const int *)value);
            break;
        }
    }
    return status;
}

static int put_word(ts_h5 file, const char *name, const char *text, size_t room) {
    return ts_h5_put_text(file, "/", name, text, room);
}

static int lay_out_attributes(const ts_results *r, const ts_document *document, int64_t first) {
    const char *title = document->model->title ? document->model->title : "";
    char hash[65], now[WORD_SIZE];
    ts_sha256_hex(document->text, document->length, hash);
    iso_time(now);
    if (put_word(r->file, "format", "torsor-results", WORD_SIZE) ||
        ts_h5_put_integer(r->file, "/", "format_version", TS_RESULTS_VERSION) ||
        put_word(r->file, "version", TORSOR_VERSION, WORD_SIZE) ||
        put_word(r->file, "title", title, strlen(title)) ||
        put_word(r->file, "model_hash", hash, 64) ||
        put_word(r->file, "scheme", document->options.scheme, WORD_SIZE) ||
        put_word(r->file, "solver", document->options.solver, WORD_SIZE) ||
        put_word(r->file, "scheme_parameters", document->options.parameters,
                 sizeof document->options.parameters) ||
        put_all(r->file, "/", TS_OPTION_COUNT, TS_OPTIONS, &document->options) ||
        ts_h5_put_number(r->file, "/", "step_tolerance", document->options.step_tolerance) ||
        ts_h5_put_number(r->file, "/", "step_energy", document->options.step_energy) ||
        ts_h5_put_number(r->file, "/", "min_step", document->options.min_step) ||
        ts_h5_put_integer(r->file, "/", "first_step", first) ||
        put_word(r->file, "created", now, WORD_SIZE) ||
        put_word(r->file, "finished", "", WORD_SIZE))
        return TORSOR_EIO;
    return put_word(r->file, "status", "running", TS_STATUS_SIZE);
}

static int lay_out_summary(const ts_results *r) {
    static const ts_summary unknown = {.steps = -1,
                                       .iterations = -1,
                                       .cuts = -1,
                                       .factorisations = -1,
                                       .seconds = NAN,
                                       .worst_balance = NAN,
                                       .worst_violation = NAN,
                                       .energy_scale = NAN};
    int status = ts_h5_group(r->file, "/summary", "attributes: totals of the run, once closed");
    return status ? status : put_all(r->file, "/summary", SUMMARY_COUNT, SUMMARIES, &unknown);
}

static int cannot_write(const ts_results *r) {
    return ts_fail(TORSOR_EIO, "cannot write %s: %s", r->path, ts_error_message());
}

/* A file of the planned size, empty yet; its blocks are ours before HDF5 writes any. */
static int begin_file(ts_results *r, ts_place *place) {
    uint64_t bytes = planned_bytes(r);
    if (ts_place_begin(place, r->path, bytes)) return TORSOR_EIO;
    if (ts_h5_create(&r->file, place->draft)) return cannot_write(r);
    if (ts_place_reserve(place, bytes) == 0) return 0;
    ts_h5_abandon(r->file);
    r->file = -1;
    return TORSOR_EIO;
}

/* Closed, so that all is in the file. The first failure is the one to tell. */
static int end_file(ts_results *r, ts_place *place, int status) {
    char reason[400];
    snprintf(reason, sizeof reason, "%s", ts_error_message());
    int closed = close_file(r);
    if (status) ts_fail(status, "%s", reason);
    return status || closed ? cannot_write(r) : ts_place_reserve(place, 0);
}

/* Everything but the rows. */
static int lay_out(ts_results *r, const ts_document *document, int64_t first) {
    int status = lay_out_attributes(r, document, first);
    if (!status) status = lay_out_model(r, document);
    if (!status) status = lay_out_rows(r);
    return status ? status : lay_out_summary(r);
}

static int create(ts_results *r, ts_place *place, const ts_document *document, int64_t first) {
    if (begin_file(r, place)) return TORSOR_EIO;
    if (end_file(r, place, lay_out(r, document, first))) return TORSOR_EIO;
    if (ts_h5_open(&r->file, place->draft, true) || open_rows(r)) return cannot_write(r);
    if (ts_place_commit(place)) return TORSOR_EIO;
    return ts_place_stat(place->path, &r->device, &r->inode);
}

int ts_results_create(ts_results **out, const char *path, const ts_document *document,
                      const ts_system *system, int64_t first_step) {
    *out = NULL;
    if (!(document->options.h > 0) || !(document->options.t_end / document->options.h < 1e15))
        return ts_fail(TORSOR_EINVAL, "cannot write %s: no finite number of steps", path);
    ts_results *r = ts_results_blank(path);
    ts_place place = {0};
    r->writing = true;
    plan_rows(r, &document->options, first_step);
    plan_entries(r, system->model);
    plan_outputs(r, document);
    plan_tracks(r);
    r->length = document->length;
    int status = create(r, &place, document, first_step);
    ts_place_clear(&place);
    if (status) {
        ts_results_discard(r);
        return status;
    }
    r->flushed = r->stored = wall_time();
    *out = r;
    return 0;
}

/* ---- rows ---- */

/* More rows than planned should not come, but are not lost if they do. */
static int make_room(ts_results *r, ts_group group, int64_t rows) {
    if (rows <= r->planned[group]) return 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].group == group && ts_h5_resize(r->track[i].set, rows)) return TORSOR_EIO;
    r->planned[group] = rows;
    return 0;
}

static int write_waiting(ts_results *r, ts_group group) {
    int64_t rows = r->waiting[group];
    if (rows == 0) return 0;
    if (make_room(r, group, r->rows[group] + rows)) return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].group == group && ts_h5_write(r->track[i].set, TS_SERIES[i].integer,
                                                       r->rows[group], rows, r->track[i].buffer))
            return TORSOR_EIO;
    r->rows[group] += rows;
    r->waiting[group] = 0;
    r->counted = false;
    return 0;
}

/* Rows first, then the count of rows. */
static int flush_rows(ts_results *r) {
    r->flushed = wall_time();
    for (int g = 0; g < TS_GROUPS; g++)
        if (write_waiting(r, (ts_group)g)) return TORSOR_EIO;
    if (r->counted) return 0;
    if (ts_h5_flush(r->file) || ts_h5_write(r->progress, true, 0, TS_GROUPS, r->rows) ||
        ts_h5_flush(r->file))
        return TORSOR_EIO;
    r->counted = true;
    return 0;
}

/* After a failed write the file stays as it was at the last count. */
static int broken(ts_results *r) {
    if (r->broken) return ts_fail(TORSOR_EIO, "cannot write %s: an earlier write failed", r->path);
    r->broken = true;
    return cannot_write(r);
}

static int add_row(ts_results *r, ts_group group, const ts_system *system,
                   const ts_step_report *report) {
    if (r->broken) return broken(r);
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].group == group) {
            ts_track *track = &r->track[i];
            uint64_t at = (uint64_t)r->waiting[group] * row_bytes(track);
            ts_series_fill(r, (ts_series_id)i, system, report, track->buffer + at);
        }
    r->waiting[group]++;
    return r->waiting[group] == r->room[group] && write_waiting(r, group) ? broken(r) : 0;
}

static int flush_if(ts_results *r, bool due) { return due && flush_rows(r) ? broken(r) : 0; }

int ts_results_step(ts_results *r, const ts_system *system, const ts_step_report *report) {
    int status = add_row(r, TS_STEPS, system, report);
    return status ? status : flush_if(r, wall_time() - r->flushed > FLUSH_EVERY);
}

static void compute_reactions(ts_results *r, const ts_system *system) {
    for (int64_t i = 0; i < r->entries[TS_EACH_REACTION]; i++) {
        v3 force, moment;
        ts_part_reaction(system, r->reaction[i], &force, &moment);
        v3_store(r->force + 3 * i, force);
        v3_store(r->moment + 3 * i, moment);
    }
}

static void compute_sections(ts_results *r, const ts_system *system) {
    for (int64_t k = 0; k < r->entries[TS_EACH_STATION]; k++)
        ts_site_section(system, r->station[k], r->section_strain + k * TS_SECTION_WIDTH,
                        r->section_force + k * TS_SECTION_WIDTH);
    for (int64_t k = 0; k < r->entries[TS_EACH_OUTPUT]; k++)
        ts_station_section(system, &r->output[k], r->output_strain + k * TS_SECTION_WIDTH,
                           r->output_force + k * TS_SECTION_WIDTH);
    for (int64_t k = 0; k < r->entries[TS_EACH_SOLID_POINT]; k++)
        ts_site_stress(system, r->solid_point[k], r->solid_stress + k * TS_STRESS_WIDTH);
    for (int64_t k = 0; k < r->entries[TS_EACH_SHELL_POINT]; k++)
        ts_site_section(system, r->shell_point[k], r->shell_strain + k * TS_SHELL_WIDTH,
                        r->shell_force + k * TS_SHELL_WIDTH);
}

int ts_results_store(ts_results *r, const ts_system *system) {
    compute_reactions(r, system);
    compute_sections(r, system);
    int status = add_row(r, TS_FRAMES, system, NULL);
    double now = wall_time();
    bool due = now - r->flushed > FLUSH_EVERY || now - r->stored > SLOW_STORE;
    r->stored = now;
    return status ? status : flush_if(r, due);
}

int ts_results_flush(ts_results *r) {
    if (r->broken) return broken(r);
    return flush_if(r, true);
}

/* ---- the end ---- */

/* A run that ended early leaves rows laid out but not written. Taking them away in place would not
 * survive a kill (HDF5 cuts the file before it writes the new length); so a copy without them takes
 * the file's place, unless that fails. */

static int copy_series(ts_results *from, ts_results *to, ts_series_id id) {
    ts_group group = TS_SERIES[id].group;
    bool integer = TS_SERIES[id].integer;
    for (int64_t first = 0; first < from->rows[group]; first += from->room[group]) {
        int64_t left = from->rows[group] - first;
        int64_t rows = left < from->room[group] ? left : from->room[group];
        char *buffer = from->track[id].buffer;
        if (ts_h5_read(from->track[id].set, integer, first, rows, buffer) ||
            ts_h5_write(to->track[id].set, integer, first, rows, buffer))
            return TORSOR_EIO;
    }
    return 0;
}

static int copy_all(ts_results *from, ts_results *to) {
    if (ts_h5_copy_attributes(from->file, to->file) || ts_h5_copy(from->file, to->file, "/model") ||
        ts_h5_copy(from->file, to->file, "/geometry") ||
        ts_h5_copy(from->file, to->file, "/summary") || lay_out_rows(to) || open_rows(to))
        return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (copy_series(from, to, (ts_series_id)i)) return TORSOR_EIO;
    return ts_h5_write(to->progress, true, 0, TS_GROUPS, to->rows);
}

/* The path may have been given to another file since. */
static bool still_ours(const ts_results *r) {
    uint64_t device, inode;
    return ts_place_stat(r->path, &device, &inode) == 0 && device == r->device && inode == r->inode;
}

static void replace_by_copy(ts_results *r) {
    ts_results copy = *r; // the same plan, but for the number of rows and the handles
    ts_place place = {0};
    copy.file = copy.progress = -1;
    for (int i = 0; i < TS_SERIES_COUNT; i++) copy.track[i].set = -1;
    for (int g = 0; g < TS_GROUPS; g++) copy.planned[g] = r->rows[g];
    if (!begin_file(&copy, &place) && !end_file(&copy, &place, copy_all(r, &copy)) && still_ours(r))
        ts_place_commit(&place);
    ts_place_clear(&place);
}

static bool has_spare_rows(const ts_results *r) {
    return r->rows[TS_FRAMES] < r->planned[TS_FRAMES] || r->rows[TS_STEPS] < r->planned[TS_STEPS];
}

static int put_end(const ts_results *r, const char *status, const ts_summary *summary) {
    char now[WORD_SIZE];
    iso_time(now);
    if (summary && put_all(r->file, "/summary", SUMMARY_COUNT, SUMMARIES, summary))
        return TORSOR_EIO;
    if (put_word(r->file, "finished", now, WORD_SIZE) ||
        put_word(r->file, "status", status ? status : "completed", TS_STATUS_SIZE))
        return TORSOR_EIO;
    return ts_h5_flush(r->file);
}

/* Rows that were written before a failure are counted still, if the disk lets us. */
static int flush_last(ts_results *r) {
    if (!r->broken) return ts_results_flush(r);
    if (!ts_h5_flush(r->file)) ts_h5_write(r->progress, true, 0, TS_GROUPS, r->rows);
    return ts_fail(TORSOR_EIO, "%s is incomplete: a write failed", r->path);
}

int ts_results_close(ts_results *r, const char *status, const ts_summary *summary) {
    if (!r) return 0;
    int error = flush_last(r);
    if (put_end(r, status, summary) && !error) error = cannot_write(r);
    if (!error && has_spare_rows(r)) replace_by_copy(r);
    if (close_file(r) && !error) error = cannot_write(r);
    ts_results_discard(r);
    return error;
}
