/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shapes that touch, in a results file.
 *
 * /contact_pairs has a row for every pair that touches at a stored state, one state after the
 * other; /frames/contact_range has the first row and the number of rows of each state. The rows of
 * a state have one checksum, in /checksums/frames under the name contact_pairs.
 *
 * The number of pairs of a run is not known before. The file has room for an estimated number; when
 * it is full, write.c replaces the file by a copy with twice the room.
 *
 * Before version 4, /frames/contact_pairs has the same room in every row, whatever touches.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "results/checksum.h"
#include "results/writer.h"

static const char PATH[] = "/contact_pairs", FORMER[] = "/frames/contact_pairs";
static const char COLUMNS[] =
    "contact shape_a shape_b corner z_x z_y z_z stuck approach gap stored pressed "
    "normal_x normal_y normal_z friction_x friction_y friction_z x y z age "
    "turn_x turn_y turn_z";
static const char HELP[] =
    "pairs of shapes that touch at stored states, see frames/contact_range: contact and shapes; "
    "deflection of the friction bristle in the frame of b; gap, energy; means over the last step "
    "of the pressing force, its direction on a, the friction on a, and their position";
enum { PAIR_BYTES = 8 * TS_PAIR_WIDTH, SPARE = 8 };

/* ---- writing ---- */

/* As many as touch now, and one more for each shape. */
void ts_pairs_plan(ts_results *r, const ts_system *system) {
    const ts_model *model = system->model;
    if (r->entries[TS_EACH_TOUCHABLE] == 0) return;
    r->pairs.planned =
        r->planned[TS_FRAMES] * (SPARE + model->shapes_count + system->state.touching.count);
}

uint64_t ts_pairs_bytes(const ts_results *r) { return PAIR_BYTES * (uint64_t)r->pairs.planned; }

int ts_pairs_lay_out(const ts_results *r) {
    uint64_t planned = (uint64_t)r->pairs.planned;
    ts_h5_array array = {.name = PATH,
                         .unit = "1, m, m/s, J, N",
                         .columns = COLUMNS,
                         .help = HELP,
                         .rank = 2,
                         .shape = {planned, TS_PAIR_WIDTH},
                         .chunk = ts_chunk_rows(planned, PAIR_BYTES)};
    return r->entries[TS_EACH_TOUCHABLE] ? ts_h5_array_new(r->file, &array) : 0;
}

int ts_pairs_open(ts_results *r) {
    int64_t extent[] = {-1, TS_PAIR_WIDTH};
    if (r->entries[TS_EACH_TOUCHABLE] == 0) return 0;
    return ts_h5_expect(&r->pairs.set, r->file, PATH, false, 2, extent);
}

void ts_pairs_close(ts_results *r) {
    ts_h5_dataset_close(r->pairs.set);
    r->pairs.set = -1;
}

int64_t ts_pairs_next(const ts_results *r) { return r->pairs.rows + r->pairs.waiting; }

void ts_pairs_add(ts_results *r, const ts_touching *list) {
    ts_pair_rows *p = &r->pairs;
    if (list->count == 0) return;
    ts_grow(p->buffer, p->room, (p->waiting + list->count) * TS_PAIR_WIDTH);
    ts_touching_pack(list, p->buffer + p->waiting * TS_PAIR_WIDTH);
    p->waiting += list->count;
}

const double *ts_pairs_waiting(const ts_results *r, int64_t k, size_t *bytes) {
    int64_t range[2];
    memcpy(range, r->track[TS_FRAME_RANGE].buffer + (size_t)k * sizeof range, sizeof range);
    *bytes = PAIR_BYTES * (size_t)range[1];
    return range[1] ? r->pairs.buffer + (range[0] - r->pairs.rows) * TS_PAIR_WIDTH : NULL;
}

int ts_pairs_write(ts_results *r) {
    ts_pair_rows *p = &r->pairs;
    if (p->waiting == 0) return 0;
    return ts_h5_write(p->set, false, p->rows, p->waiting, p->buffer);
}

/* Once their states are in the file. */
void ts_pairs_written(ts_results *r) { r->pairs.rows += r->pairs.waiting, r->pairs.waiting = 0; }

int ts_pairs_copy(ts_results *from, ts_results *to) {
    enum { BLOCK = 4096 };
    int status = 0;
    double *block = ts_calloc(BLOCK, PAIR_BYTES);
    for (int64_t first = 0; first < from->pairs.rows && !status; first += BLOCK) {
        int64_t left = from->pairs.rows - first, rows = left < BLOCK ? left : BLOCK;
        status = ts_h5_read(from->pairs.set, false, first, rows, TS_PAIR_WIDTH, block);
        if (!status) status = ts_h5_write(to->pairs.set, false, first, rows, block);
    }
    free(block);
    return status;
}

/* ---- reading ---- */

int ts_pairs_find(ts_results *r) {
    ts_pair_rows *p = &r->pairs;
    int64_t former[] = {-1, -1, TS_PAIR_WIDTH}, extent[] = {-1, TS_PAIR_WIDTH};
    if (r->entries[TS_EACH_TOUCHABLE] > 0) {
        int status = ts_h5_expect(&p->set, r->file, PATH, false, 2, extent);
        p->planned = extent[0];
        return status;
    }
    if (!ts_h5_exists(r->file, FORMER)) return 0;
    int status = ts_h5_expect(&p->set, r->file, FORMER, false, 3, former);
    if (!status && former[0] < r->rows[TS_FRAMES])
        status = ts_fail(TORSOR_EIO, "dataset '%s' has an unexpected shape", FORMER);
    p->former = former[1];
    if (p->former == 0) ts_pairs_close(r);
    return status;
}

bool ts_pairs_told(const ts_results *r) { return r->pairs.set >= 0; }

static int read_former(ts_results *r, int64_t frame, int64_t *numbers, double **row) {
    *numbers = r->pairs.former * TS_PAIR_WIDTH;
    *row = ts_calloc((size_t)*numbers, sizeof **row);
    return ts_h5_read(r->pairs.set, false, frame, 1, *numbers, *row);
}

/* The rows that a state says are its own. */
static int read_range(ts_results *r, int64_t frame, int64_t *numbers, double **row) {
    int64_t range[2];
    if (ts_h5_read(r->track[TS_FRAME_RANGE].set, true, frame, 1, 2, range)) return TORSOR_EIO;
    if (range[0] < 0 || range[1] < 0 || range[0] > r->pairs.planned ||
        range[1] > r->pairs.planned - range[0])
        return ts_fail(TORSOR_EIO, "its pairs that touch are missing");
    *numbers = range[1] * TS_PAIR_WIDTH;
    *row = ts_calloc((size_t)*numbers + 1, sizeof **row);
    return range[1] ? ts_h5_read(r->pairs.set, false, range[0], range[1], TS_PAIR_WIDTH, *row) : 0;
}

int ts_pairs_read(ts_results *r, int64_t frame, int64_t *numbers, double **row) {
    *row = NULL, *numbers = 0;
    if (!ts_pairs_told(r)) return 0;
    int status =
        r->pairs.former ? read_former(r, frame, numbers, row) : read_range(r, frame, numbers, row);
    if (!status) return 0;
    free(*row);
    *row = NULL, *numbers = 0;
    return status;
}

bool ts_pairs_good(ts_results *r, int64_t frame) {
    int64_t numbers;
    double *row;
    if (!r->sealed || !ts_pairs_told(r)) return true;
    bool good = !ts_pairs_read(r, frame, &numbers, &row) &&
                ts_sums_pairs_good(r, frame, row, 8 * (size_t)numbers);
    free(row);
    return good;
}
