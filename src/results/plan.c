/* SPDX-License-Identifier: Apache-2.0 */
/* Planning a results file: how many rows of how many numbers, and room for what is computed for
 * them. See writer.h. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "results/checksum.h"
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

static void plan_entries(ts_results *r, const ts_subject *subject) {
    size_t outputs = (size_t)subject->station_count;
    r->output = ts_calloc(outputs + 1, sizeof *r->output);
    if (outputs) memcpy(r->output, subject->stations, outputs * sizeof *r->output);
    ts_places_new(&r->places, subject);
    r->places.output = r->output;
    memcpy(r->entries, r->places.count, sizeof r->entries);
    for (int i = 0; i < TS_TRAIL_MOST; i++) ts_awaiting_new(&r->awaiting[i], subject->model);
}

/* Size of the whole file, nearly: the index of the chunks and the tables are guessed. */
uint64_t ts_results_planned_bytes(const ts_results *r) {
    uint64_t rows = 0, entries = 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        rows += ts_row_bytes(&r->track[i]) * (uint64_t)r->planned[TS_SERIES[i].group];
    rows += ts_sums_bytes(r) + ts_pairs_bytes(r);
    for (int e = 0; e < TS_EACH_COUNT; e++) entries += (uint64_t)r->entries[e];
    return METADATA_BYTES + r->length + rows + rows / 512 + 100 * entries;
}

/* Room for the longest row that is written again, and for the one that comes with it. */
static void plan_again(ts_results *r) {
    int64_t most = 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].improves && r->track[i].values > most) most = r->track[i].values;
    for (int k = 0; k < 2; k++) r->again[k] = ts_calloc((size_t)most + 1, sizeof *r->again[k]);
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
    plan_again(r);
}

/* Chunks of about CHUNK_BYTES, all of one size: little is left over in the last one. */
uint64_t ts_chunk_rows(uint64_t planned, uint64_t bytes) {
    uint64_t most = bytes >= CHUNK_BYTES ? 1 : CHUNK_BYTES / (bytes ? bytes : 8);
    if (planned == 0) return most;
    uint64_t chunks = (planned + most - 1) / most;
    return (planned + chunks - 1) / chunks;
}

void ts_results_plan(ts_results *r, const ts_document *document, const ts_system *system,
                     int64_t first_step) {
    ts_subject subject = ts_document_subject(document);
    plan_rows(r, &document->options, first_step);
    plan_entries(r, &subject);
    plan_tracks(r);
    ts_pairs_plan(r, system);
    ts_sums_plan(r);
    r->length = document->length;
}
