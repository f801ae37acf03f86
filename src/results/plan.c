/* Planning a results file: how many rows of how many numbers, and room for what is computed for them. See results_writer.h. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "results/writer.h"

enum {
    CHUNK_BYTES = 1 << 16,
    BUFFER_BYTES = 1 << 20,
    BUFFER_ROWS = 1024,
    METADATA_BYTES = 1 << 17
};

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
        if (ts_part_reacts(&model->parts[p])) r->reaction[reactions++] = p;
    r->force = ts_calloc(3 * (size_t)reactions, sizeof *r->force);
    r->moment = ts_calloc(3 * (size_t)reactions, sizeof *r->moment);
    for (int i = 0; i < TS_TRAIL_MOST; i++) ts_awaiting_new(&r->awaiting[i], model);

    r->entries[TS_EACH_ROW] = 1;
    r->entries[TS_EACH_SLOT] = model->slots;
    r->entries[TS_EACH_NODE] = model->nodes_count;
    r->entries[TS_EACH_CONDITION] = model->rows_count;
    r->entries[TS_EACH_MEMORY] = model->memory;
    r->entries[TS_EACH_REACTION] = reactions;
    r->entries[TS_EACH_TRAIL] = ts_trail_length(model);
    r->entries[TS_EACH_INPUT] = inputs_of(model);
    r->entries[TS_EACH_MEASURE] = TS_GAUGES;
    r->entries[TS_EACH_COORDINATE] = model->coordinates_count;
}

/* Of the whole file, nearly: the index of the chunks and the tables are guessed. */
uint64_t ts_results_planned_bytes(const ts_results *r) {
    uint64_t rows = 0, entries = 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        rows += ts_row_bytes(&r->track[i]) * (uint64_t)r->planned[TS_SERIES[i].group];
    for (int e = 0; e < TS_EACH_COUNT; e++) entries += (uint64_t)r->entries[e];
    return METADATA_BYTES + r->length + rows + rows / 512 + 100 * entries;
}

/* Numbers per row, and buffers. */
static void plan_tracks(ts_results *r) {
    uint64_t total[TS_GROUPS] = {0};
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_series *series = &TS_SERIES[i];
        r->track[i].values = r->entries[series->each] * series->width;
        total[series->group] += ts_row_bytes(&r->track[i]);
    }
    for (int g = 0; g < TS_GROUPS; g++) {
        int64_t room = (int64_t)(BUFFER_BYTES / (total[g] + 1));
        r->room[g] = room < 1 ? 1 : room > BUFFER_ROWS ? BUFFER_ROWS : room;
    }
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        r->track[i].buffer =
            ts_calloc((size_t)r->room[TS_SERIES[i].group], ts_row_bytes(&r->track[i]));
}

/* Chunks of about CHUNK_BYTES, all of one size: little is left over in the last one. */
uint64_t ts_chunk_rows(uint64_t planned, uint64_t bytes) {
    uint64_t most = bytes >= CHUNK_BYTES ? 1 : CHUNK_BYTES / (bytes ? bytes : 8);
    if (planned == 0) return most;
    uint64_t chunks = (planned + most - 1) / most;
    return (planned + chunks - 1) / chunks;
}

void ts_results_plan(ts_results *r, const ts_document *document, const ts_model *model,
                     int64_t first_step) {
    plan_rows(r, &document->options, first_step);
    plan_entries(r, model);
    plan_outputs(r, document);
    plan_tracks(r);
    r->length = document->length;
}
