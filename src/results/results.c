/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a results file (format 4), described for users in docs/results-file.md.
 *
 *   /            attributes: format, format_version, version, title, model_hash, the options,
 *                created, status
 *   /model/      text, and tables: parts, and what the entries of rows belong to: output/family.c;
 *                channels: what the file tells, for programs that do not know
 *   /geometry/   what the model looks like: geometry.c
 *   /frames/     one row per stored state: the state itself, bit for bit, and what follows from it
 *   /contact_pairs  pairs that touch at stored states: pairs.c
 *   /steps/      one row per step: the solver's and the energy account
 *   /summary     attributes, known once the run is closed
 *   /checksums/  of every row, and of progress: checksum.c
 *   /progress    [frames, steps]: the rows that are complete; all others are to be ignored
 *
 * All arrays have the shape rows x [entries x] [width], a dimension of one being left out. The
 * first frame is the state the run started from; steps are numbered from the start of the first
 * run, so those of a restarted run continue.
 *
 * The arrays are the stored channels of output/channels.inc: write.c and read.c go through that
 * table, contents.c reads the tables of the model. place.c replaces files; csv.c and info.c print
 * text; h5.c contains the calls of HDF5 and explains why killing a run is safe. */
#include <stdlib.h>

#include "base/error.h"
#include "base/place.h"
#include "results/checksum.h"

#define OPTION(name, type) \
    { #name, offsetof(ts_options, name), TS_ATTRIBUTE_##type }
const ts_attribute TS_OPTIONS[TS_OPTION_COUNT] = {
    OPTION(h, REAL),         OPTION(t_end, REAL),         OPTION(store_every, INT),
    OPTION(tolerance, REAL), OPTION(max_iterations, INT), OPTION(max_cuts, INT),
};

ts_results *ts_results_blank(const char *path) {
    ts_results *r = ts_calloc(1, sizeof *r);
    r->path = ts_strdup(path);
    r->file = r->progress = r->progress_sums = r->pairs.set = -1, r->lock = -1;
    for (int g = 0; g < TS_GROUPS; g++) r->sums[g].set = -1;
    for (int i = 0; i < TS_SERIES_COUNT; i++) r->track[i].set = -1;
    return r;
}

const char *ts_results_path(const ts_results *results) { return results->path; }

void ts_results_discard(ts_results *results) {
    if (!results) return;
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        ts_h5_dataset_close(results->track[i].set);
        free(results->track[i].buffer);
    }
    ts_h5_dataset_close(results->progress), ts_h5_dataset_close(results->pairs.set);
    free(results->pairs.buffer);
    ts_sums_close(results), ts_sums_clear(results);
    ts_h5_close(results->file);
    ts_place_let_go(results->lock);
    free(results->path), free(results->text);
    for (int i = 0; i < TS_TRAIL_MOST; i++) ts_awaiting_clear(&results->awaiting[i]);
    ts_places_clear(&results->places);
    free(results->output), free(results->again[0]), free(results->again[1]);
    free(results);
}
