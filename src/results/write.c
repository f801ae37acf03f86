/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a results file: lay everything out, then only rows.
 *
 * Rows gather in buffers and go to the file in blocks: when the buffers are full, after a second,
 * and at the end. The rows are in the file before `progress` counts them. See results.c for the
 * layout, h5.c for why it is safe.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "results/checksum.h"
#include "results/earlier.h"
#include "results/writer.h"

enum { REASON = 1000 };
static const double FLUSH_EVERY = 1.0; /* seconds of wall time between flushes */
static const double SLOW_STORE = 0.25; /* stored states this far apart are flushed one by one */

static int flush_rows(ts_results *r);
static int grow_pairs(ts_results *r);

/* ---- failures ---- */

/* Only the first failure is reported: later ones are consequences. */
typedef struct first_failure {
    int error;
    char reason[REASON];
} first_failure;

static void note(first_failure *first, int error) {
    if (!error || first->error) return;
    first->error = error;
    snprintf(first->reason, sizeof first->reason, "%s", ts_error_message());
}

static int told(const first_failure *first) {
    return first->error ? ts_fail(first->error, "%s", first->reason) : 0;
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
                         .chunk = ts_chunk_rows(planned, ts_row_bytes(&r->track[id]))};
    if (series->each != TS_EACH_ROW) array.shape[array.rank++] = (uint64_t)r->entries[series->each];
    if (series->width > 1) array.shape[array.rank++] = (uint64_t)series->width;
    return ts_h5_array_new(r->file, &array);
}

static int open_rows(ts_results *r) {
    int status = 0;
    char name[64];
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++)
        status =
            ts_h5_own_dataset(&r->track[i].set, r->file, ts_series_path((ts_series_id)i, name));
    if (!status) status = ts_h5_own_dataset(&r->progress, r->file, "/progress");
    if (!status) status = ts_pairs_open(r);
    return status ? status : ts_sums_open(r);
}

/* Closing the handles before the file lets HDF5 report what it could not write. */
static int close_file(ts_results *r) {
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        ts_h5_dataset_close(r->track[i].set);
        r->track[i].set = -1;
    }
    ts_h5_dataset_close(r->progress);
    ts_pairs_close(r), ts_sums_close(r);
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
    int status = lay_out_progress(r);
    if (!status) status = ts_pairs_lay_out(r);
    return status ? status : ts_sums_lay_out(r);
}

static int cannot_write(const ts_results *r) {
    return ts_fail(TORSOR_EIO, "cannot write %s: %s", r->path, ts_error_message());
}

/* A file of the planned size, empty yet; its blocks are ours before HDF5 writes any. */
static int begin_file(ts_results *r, ts_place *place, const ts_output *output) {
    uint64_t bytes = ts_results_planned_bytes(r);
    if (ts_place_begin(place, r->path, bytes, output)) return TORSOR_EIO;
    if (ts_h5_create(&r->file, place->draft)) return cannot_write(r);
    if (ts_place_reserve(place, bytes) == 0) return 0;
    ts_h5_abandon(r->file);
    r->file = -1;
    return TORSOR_EIO;
}

/* Closes the file, so all data are written. The first failure is reported. */
static int end_file(ts_results *r, ts_place *place, int status) {
    first_failure first = {0};
    note(&first, status);
    note(&first, close_file(r));
    return told(&first) ? cannot_write(r) : ts_place_reserve(place, 0);
}

/* Everything but the rows. */
static int lay_out(ts_results *r, const ts_document *document, int64_t first) {
    int status = ts_results_write_attributes(r, document, first);
    if (!status) status = ts_results_write_model(r, document);
    if (!status) status = lay_out_rows(r);
    return status ? status : ts_results_write_summary(r);
}

/* The checksum first: see checksum.c. */
static int write_progress(ts_results *r) {
    int status = ts_sums_progress(r);
    return status ? status : ts_h5_write(r->progress, true, 0, TS_GROUPS, r->rows);
}

static int create(ts_results *r, ts_place *place, const ts_document *document, int64_t first) {
    ts_output output = ts_output_results(document);
    if (begin_file(r, place, &output)) return TORSOR_EIO;
    if (end_file(r, place, lay_out(r, document, first))) return TORSOR_EIO;
    if (ts_h5_open(&r->file, place->draft, true) || open_rows(r) || write_progress(r))
        return cannot_write(r);
    if (ts_place_commit(place)) return TORSOR_EIO;
    r->lock = ts_place_keep(place);
    return ts_place_stat(place->path, &r->device, &r->inode);
}

/* Memory ran out: the rows that wait are written, the file is closed as it is. */
static void save_rows(void *results) {
    ts_results *r = results;
    r->ending = true;
    ts_lock_libraries();
    flush_rows(r);
    close_file(r);
    ts_place_let_go(r->lock);
    ts_unlock_libraries();
}

int ts_results_create(ts_results **out, const char *path, const ts_document *document,
                      const ts_system *system, int64_t first_step) {
    *out = NULL;
    if (!(document->options.h > 0) || !(document->options.t_end / document->options.h < 1e15))
        return ts_fail(TORSOR_EINVAL, "cannot write %s: the number of steps is not finite", path);
    ts_results *r = ts_results_blank(path);
    ts_place place = {0};
    r->writing = true;
    r->at_rest = document->options.statics;
    ts_results_plan(r, document, system, first_step);
    first_failure first = {0};
    note(&first, create(r, &place, document, first_step));
    ts_place_clear(&place);
    if (first.error) {
        ts_results_discard(r);
        return told(&first);
    }
    r->flushed = r->stored = ts_wall_time();
    ts_hold(save_rows, r);
    *out = r;
    return 0;
}

/* ---- rows ---- */

/* More rows than planned should not come, but are not lost if they do. */
static int make_room(ts_results *r, ts_group group, int64_t rows) {
    if (rows <= r->planned[group]) return 0;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].group == group && ts_h5_resize(r->track[i].set, rows)) return TORSOR_EIO;
    if (ts_sums_resize(r, group, rows)) return TORSOR_EIO;
    r->planned[group] = rows;
    return 0;
}

/* Forces of a row that was stored before, in its buffer or in the file. */
static int put_again(ts_results *r, int64_t row, ts_series_id id, const double *numbers) {
    const ts_track *track = &r->track[id];
    int64_t waiting = row - r->rows[TS_FRAMES];
    if (waiting < 0) {
        int status = ts_sums_again(r, row, id, numbers);
        return status ? status : ts_h5_write(track->set, false, row, 1, numbers);
    }
    uint64_t bytes = ts_row_bytes(track);
    memcpy(track->buffer + (uint64_t)waiting * bytes, numbers, bytes);
    return 0;
}

/* Forces at one of the awaiting states, as they are known now. */
static int tell_forces(ts_results *r, int place, const ts_system *system) {
    const ts_awaiting *a = &r->awaiting[place];
    int64_t row = r->awaiting_row[place];
    ts_system then = *system;
    then.state = a->state;
    ts_moment moment = {
        .system = &then, .instant = &a->instant, .places = &r->places, .at_rest = r->at_rest};
    int status = 0;
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++) {
        const ts_channel *c = &TS_SERIES[i];
        if (!c->improves || r->track[i].values == 0) continue;
        c->fill(&moment, c, r->again[0], r->again[1]);
        status = put_again(r, row, (ts_series_id)i, r->again[0]);
        if (!status && c->with) status = put_again(r, row, c->with, r->again[1]);
    }
    r->owed[place] = NULL;
    return status;
}

/* Most forces are known only one step after their state. Rows that are written before that step, or
 * whose next step gives no forces, get the forces that are known at the state itself. If events or
 * sliding have changed the model, the forces are not completed later. */
static int pay_forces(ts_results *r) {
    int status = 0;
    for (int i = 0; i < TS_TRAIL_MOST && !status; i++)
        if (r->owed[i]) status = tell_forces(r, i, r->owed[i]);
    return status;
}

static int write_waiting(ts_results *r, ts_group group) {
    int64_t rows = r->waiting[group];
    if (rows == 0) return 0;
    if (group == TS_FRAMES && pay_forces(r)) return TORSOR_EIO;
    if (make_room(r, group, r->rows[group] + rows)) return TORSOR_EIO;
    if (group == TS_FRAMES && (grow_pairs(r) || ts_pairs_write(r))) return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].group == group && r->track[i].values > 0 &&
            ts_h5_write(r->track[i].set, TS_SERIES[i].integer, r->rows[group], rows,
                        r->track[i].buffer))
            return TORSOR_EIO;
    if (ts_sums_write(r, group)) return TORSOR_EIO;
    if (group == TS_FRAMES) ts_pairs_written(r);
    r->rows[group] += rows;
    r->waiting[group] = 0;
    r->counted = false;
    return 0;
}

/* Rows first, then the count of rows. */
static int flush_rows(ts_results *r) {
    r->flushed = ts_wall_time();
    for (int g = 0; g < TS_GROUPS; g++)
        if (write_waiting(r, (ts_group)g)) return TORSOR_EIO;
    if (r->counted) return 0;
    if (ts_h5_flush(r->file) || write_progress(r) || ts_h5_flush(r->file)) return TORSOR_EIO;
    r->counted = true;
    return 0;
}

/* After a failed write the file remains valid up to the last count. */
static int broken(ts_results *r) {
    if (r->broken) return ts_fail(TORSOR_EIO, "cannot write %s: an earlier write failed", r->path);
    r->broken = true;
    return cannot_write(r);
}

/* The place of the next row of a series in its buffer. */
static char *next_row(const ts_results *r, ts_series_id id) {
    const ts_track *track = &r->track[id];
    return track->buffer + (uint64_t)r->waiting[TS_SERIES[id].group] * ts_row_bytes(track);
}

/* `later`: its forces are filled in later. */
static int add_row(ts_results *r, ts_group group, const ts_moment *now, bool later) {
    if (r->broken) return broken(r);
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const ts_channel *c = &TS_SERIES[i];
        if (c->group == group && c->fill && r->track[i].values > 0 && !(later && c->improves))
            c->fill(now, c, next_row(r, (ts_series_id)i), c->with ? next_row(r, c->with) : NULL);
    }
    r->waiting[group]++;
    return r->waiting[group] == r->room[group] && write_waiting(r, group) ? broken(r) : 0;
}

static int flush_if(ts_results *r, bool due) { return due && flush_rows(r) ? broken(r) : 0; }

/* The step after a stored state improves its forces, and the third step those of the first three:
 * instant.c. */
static int tell_better(ts_results *r, const ts_system *system) {
    if (r->broken) return broken(r);
    for (int i = 0; i < TS_TRAIL_MOST; i++)
        if (ts_awaiting_step(&r->awaiting[i], &system->state) && tell_forces(r, i, system))
            return broken(r);
    return 0;
}

int ts_results_step(ts_results *r, const ts_system *system, const ts_step_report *report) {
    ts_moment now = {.system = system, .report = report, .places = &r->places};
    int status = tell_better(r, system);
    if (!status) status = add_row(r, TS_STEPS, &now, false);
    return status ? status : flush_if(r, ts_wall_time() - r->flushed > FLUSH_EVERY);
}

int ts_results_store(ts_results *r, const ts_system *system) {
    int64_t row = r->rows[TS_FRAMES] + r->waiting[TS_FRAMES], place = row % TS_TRAIL_MOST;
    ts_awaiting *awaiting = &r->awaiting[place];
    if (r->owed[place] && tell_forces(r, (int)place, r->owed[place])) return broken(r);
    r->awaiting_row[place] = row;
    ts_awaiting_begin(awaiting, &system->state);
    for (int i = 0; i < TS_TRAIL_MOST; i++)
        if (i != place) ts_awaiting_adopt(awaiting, &r->awaiting[i]);
    ts_moment moment = {.system = system,
                        .instant = &awaiting->instant,
                        .places = &r->places,
                        .at_rest = r->at_rest,
                        .pairs = ts_pairs_next(r)};
    bool later = awaiting->waits && !system->view;
    r->owed[place] = later ? system : NULL;
    if (!r->broken) ts_pairs_add(r, &system->state.touching);
    int status = add_row(r, TS_FRAMES, &moment, later);
    double now = ts_wall_time();
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

/* Rows that wait in the buffers stay there. */
static int copy_series(ts_results *from, ts_results *to, ts_series_id id) {
    ts_group group = TS_SERIES[id].group;
    bool integer = TS_SERIES[id].integer;
    char *block = ts_calloc((size_t)from->room[group], ts_row_bytes(&from->track[id]));
    int status = 0;
    for (int64_t first = 0; first < from->rows[group] && !status; first += from->room[group]) {
        int64_t left = from->rows[group] - first;
        int64_t rows = left < from->room[group] ? left : from->room[group];
        status =
            ts_h5_read(from->track[id].set, integer, first, rows, from->track[id].values, block);
        if (!status) status = ts_h5_write(to->track[id].set, integer, first, rows, block);
    }
    free(block);
    return status;
}

static int copy_all(ts_results *from, ts_results *to) {
    if (ts_h5_copy_attributes(from->file, to->file) || ts_h5_copy(from->file, to->file, "/model") ||
        ts_h5_copy(from->file, to->file, "/geometry") ||
        ts_h5_copy(from->file, to->file, "/summary") || lay_out_rows(to) || open_rows(to))
        return TORSOR_EIO;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (copy_series(from, to, (ts_series_id)i)) return TORSOR_EIO;
    int status = ts_pairs_copy(from, to);
    if (!status) status = ts_sums_copy(from, to);
    return status ? status : write_progress(to);
}

/* The path may have been given to another file since. */
static bool still_ours(const ts_results *r) {
    uint64_t device, inode;
    return ts_place_stat(r->path, &device, &inode) == 0 && device == r->device && inode == r->inode;
}

/* A copy with the plan and the buffers of r, and without its handles. */
static ts_results plan_of(const ts_results *r) {
    ts_results copy = *r;
    copy.file = copy.progress = copy.progress_sums = copy.pairs.set = -1;
    for (int i = 0; i < TS_SERIES_COUNT; i++) copy.track[i].set = -1;
    for (int g = 0; g < TS_GROUPS; g++) copy.sums[g].set = -1;
    return copy;
}

static void replace_by_copy(ts_results *r) {
    ts_results copy = plan_of(r);
    ts_place place = {0};
    for (int g = 0; g < TS_GROUPS; g++) copy.planned[g] = r->rows[g];
    copy.pairs.planned = r->pairs.rows;
    if (!begin_file(&copy, &place, NULL) && !end_file(&copy, &place, copy_all(r, &copy)) &&
        still_ours(r))
        ts_place_commit(&place);
    ts_place_clear(&place);
}

/* A copy with more room takes the place of the file, and is written from now on. */
static int move_to(ts_results *r, ts_results *copy, ts_place *place) {
    if (begin_file(copy, place, NULL) || end_file(copy, place, copy_all(r, copy)))
        return TORSOR_EIO;
    if (ts_h5_open(&copy->file, place->draft, true) || open_rows(copy)) return TORSOR_EIO;
    if (ts_place_commit(place)) return TORSOR_EIO;
    copy->lock = ts_place_keep(place);
    return ts_place_stat(place->path, &copy->device, &copy->inode);
}

/* Growing in place would change HDF5's own structures, which does not survive a kill: only where
 * there is no other way. */
static int grow_pairs(ts_results *r) {
    int64_t needed = r->pairs.rows + r->pairs.waiting;
    if (needed <= r->pairs.planned) return 0;
    if (r->ending || !still_ours(r)) {
        r->pairs.planned = 2 * needed;
        return ts_h5_resize(r->pairs.set, r->pairs.planned);
    }
    ts_results copy = plan_of(r);
    ts_place place = {0};
    copy.pairs.planned = 2 * needed;
    first_failure first = {0};
    note(&first, move_to(r, &copy, &place));
    ts_results *gone = first.error ? &copy : r;
    note(&first, close_file(gone));
    if (!first.error) ts_place_let_go(r->lock), *r = copy;
    ts_place_clear(&place);
    return told(&first);
}

static bool has_spare_rows(const ts_results *r) {
    if (r->pairs.rows < r->pairs.planned) return true;
    return r->rows[TS_FRAMES] < r->planned[TS_FRAMES] || r->rows[TS_STEPS] < r->planned[TS_STEPS];
}

/* Rows that were written before a failure are counted still, if the disk lets us. */
static int flush_last(ts_results *r) {
    if (!r->broken) return ts_results_flush(r);
    if (!ts_h5_flush(r->file)) write_progress(r);
    return ts_fail(TORSOR_EIO, "%s is incomplete: a write failed", r->path);
}

int ts_results_close(ts_results *r, const char *status, const ts_summary *summary) {
    if (!r) return 0;
    first_failure first = {0};
    note(&first, flush_last(r));
    if (first.error) status = "failed: a write failed, later states are missing";
    note(&first, ts_results_write_end(r, status, summary) ? cannot_write(r) : 0);
    if (!first.error && has_spare_rows(r)) replace_by_copy(r);
    ts_unhold(save_rows, r);
    note(&first, close_file(r) ? cannot_write(r) : 0);
    ts_results_discard(r);
    return told(&first);
}
