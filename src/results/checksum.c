/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums: XXH3, 64 bits, of everything that torsor reads from a results file.
 *
 *   /checksums/frames    rows x columns: of the row of every series of /frames, and of the rows of
 *                        /contact_pairs of each state. Its attribute `columns` names them.
 *                        A series that is corrected after the next steps has a second column,
 * NAME+: the former checksum.
 *   /checksums/steps     one per row: of all series of /steps together, in the order of `columns`
 *   /checksums/progress  of the two numbers of `progress`, now and before
 *   attributes           `checksum` of the file: of its attributes but status and finished.
 *                        `checksum` of /summary: of its attributes, status and finished.
 *                        `checksum` of every table and array that is written once: h5_read.c.
 *   the model's text     has model_hash, which is SHA-256.
 *
 * A run may be killed between any two writes. Data that are written for the first time are counted
 * by `progress` afterwards. Data that are written again have two checksums, which are written
 * first: the old numbers match the second one, the new numbers the first one.
 *
 * Checksums detect damage, not malice: a program that changes a file can also change its checksums.
 * */
#include "results/checksum.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL /* rows are short: a call would cost more than the sum */
#include <xxhash.h>

#include "base/error.h"
#include "results/writer.h"

enum { AHEAD = 64, BLOCK = 8192, NAMES = 4096 };

static const char *const PATH[TS_GROUPS] = {"/checksums/frames", "/checksums/steps"};
static const char PAIRS[] = "contact_pairs"; /* the name of their column */
static const char PROGRESS[] = "/checksums/progress";

static int64_t sum_of(const void *bytes, size_t size) { return (int64_t)XXH3_64bits(bytes, size); }

/* ---- columns ---- */

static bool is_written_again(ts_series_id id) {
    if (TS_SERIES[id].improves) return true;
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_SERIES[i].improves && TS_SERIES[i].with == id) return true;
    return false;
}

static void add_name(char names[NAMES], const char *name, const char *mark) {
    size_t length = strlen(names);
    snprintf(names + length, NAMES - length, "%s%s%s", length ? " " : "", name, mark);
}

/* Numbers the columns, and names them if `names` is given. */
static void number_columns(ts_results *r, char *names[TS_GROUPS]) {
    ts_sums *frames = &r->sums[TS_FRAMES], *steps = &r->sums[TS_STEPS];
    frames->columns = frames->count = steps->count = 0, steps->columns = 1;
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        ts_series_id id = (ts_series_id)i;
        ts_group group = TS_SERIES[i].group;
        r->column[i] = r->column_before[i] = -1;
        if (names && group == TS_STEPS) add_name(names[group], TS_SERIES[i].name, "");
        if (group == TS_STEPS) steps->series[steps->count++] = id;
        if (group == TS_STEPS || r->track[i].values == 0) continue;
        frames->series[frames->count++] = id;
        r->column[i] = frames->columns++;
        if (names) add_name(names[group], TS_SERIES[i].name, "");
        if (!is_written_again(id)) continue;
        r->column_before[i] = frames->columns++;
        if (names) add_name(names[group], TS_SERIES[i].name, "+");
    }
    r->pairs_column = r->entries[TS_EACH_TOUCHABLE] ? frames->columns++ : -1;
    if (names && r->pairs_column >= 0) add_name(names[TS_FRAMES], PAIRS, "");
}

/* ---- writing ---- */

void ts_sums_plan(ts_results *r) {
    number_columns(r, NULL);
    for (int g = 0; g < TS_GROUPS; g++)
        r->sums[g].buffer = ts_calloc((size_t)r->room[g] * (size_t)r->sums[g].columns, 8);
    r->written = ts_calloc(TS_TRAIL_MOST * (size_t)r->sums[TS_FRAMES].columns, 8);
    r->sealed = true;
}

uint64_t ts_sums_bytes(const ts_results *r) {
    uint64_t bytes = 0;
    for (int g = 0; g < TS_GROUPS; g++)
        bytes += 8 * (uint64_t)r->sums[g].columns * (uint64_t)r->planned[g];
    return bytes;
}

static int lay_out(const ts_results *r, ts_group group, const char *names) {
    static const char *const help[] = {"XXH3 of the row of every series, to detect damage; NAME+: "
                                       "of the row before it was corrected",
                                       "XXH3 of each row of all series together, to detect damage"};
    uint64_t planned = (uint64_t)r->planned[group], columns = (uint64_t)r->sums[group].columns;
    ts_h5_array array = {.name = PATH[group],
                         .columns = names,
                         .help = help[group],
                         .integer = true,
                         .rank = group == TS_FRAMES ? 2 : 1,
                         .shape = {planned, columns},
                         .chunk = ts_chunk_rows(planned, 8 * columns)};
    return ts_h5_array_new(r->file, &array);
}

int ts_sums_lay_out(const ts_results *r) {
    static const ts_h5_array progress = {.name = PROGRESS,
                                         .columns = "now before",
                                         .help = "XXH3 of progress",
                                         .integer = true,
                                         .rank = 1,
                                         .shape = {2},
                                         .chunk = 2};
    ts_results numbered = *r;
    char *names[TS_GROUPS] = {ts_calloc(NAMES, 1), ts_calloc(NAMES, 1)};
    number_columns(&numbered, names);
    int status = ts_h5_group(r->file, "/checksums", "of what is in this file; see docs");
    for (int g = 0; g < TS_GROUPS && !status; g++) status = lay_out(r, (ts_group)g, names[g]);
    if (!status) status = ts_h5_array_new(r->file, &progress);
    free(names[TS_FRAMES]), free(names[TS_STEPS]);
    return status;
}

int ts_sums_open(ts_results *r) {
    int64_t two[] = {2};
    for (int g = 0; g < TS_GROUPS; g++) {
        int64_t extent[] = {-1, r->sums[g].columns};
        if (ts_h5_expect(&r->sums[g].set, r->file, PATH[g], true, g == TS_FRAMES ? 2 : 1, extent))
            return TORSOR_EIO;
    }
    return ts_h5_expect(&r->progress_sums, r->file, PROGRESS, true, 1, two);
}

void ts_sums_close(ts_results *r) {
    for (int g = 0; g < TS_GROUPS; g++) {
        ts_h5_dataset_close(r->sums[g].set);
        r->sums[g].set = -1;
    }
    ts_h5_dataset_close(r->progress_sums);
    r->progress_sums = -1;
}

void ts_sums_clear(ts_results *r) {
    for (int g = 0; g < TS_GROUPS; g++) free(r->sums[g].buffer);
    free(r->written);
}

int ts_sums_resize(ts_results *r, ts_group group, int64_t rows) {
    return ts_h5_resize(r->sums[group].set, rows);
}

static const char *waiting_row(const ts_results *r, int id, int64_t k) {
    return r->track[id].buffer + (uint64_t)k * ts_row_bytes(&r->track[id]);
}

static void sum_frame(ts_results *r, int64_t k, int64_t *sums) {
    const ts_sums *frames = &r->sums[TS_FRAMES];
    for (int s = 0; s < frames->count; s++) {
        int i = (int)frames->series[s];
        int64_t sum = sum_of(waiting_row(r, i, k), ts_row_bytes(&r->track[i]));
        sums[r->column[i]] = sum;
        if (r->column_before[i] >= 0) sums[r->column_before[i]] = sum;
    }
    if (r->pairs_column >= 0) {
        size_t bytes;
        const double *pairs = ts_pairs_waiting(r, k, &bytes);
        sums[r->pairs_column] = sum_of(pairs, bytes);
    }
    int64_t left = r->waiting[TS_FRAMES] - k, place = (r->rows[TS_FRAMES] + k) % TS_TRAIL_MOST;
    if (left <= TS_TRAIL_MOST) /* only these may be written again */
        memcpy(r->written + place * frames->columns, sums, (size_t)frames->columns * sizeof *sums);
}

static void sum_step(const ts_results *r, int64_t k, int64_t *sum) {
    const ts_sums *steps = &r->sums[TS_STEPS];
    int64_t row[TS_SERIES_COUNT];
    for (int s = 0; s < steps->count; s++)
        memcpy(&row[s], r->track[steps->series[s]].buffer + 8 * k, 8);
    *sum = sum_of(row, (size_t)steps->count * sizeof *row);
}

int ts_sums_write(ts_results *r, ts_group group) {
    ts_sums *s = &r->sums[group];
    for (int64_t k = 0; k < r->waiting[group]; k++)
        if (group == TS_FRAMES)
            sum_frame(r, k, s->buffer + k * s->columns);
        else
            sum_step(r, k, s->buffer + k);
    return ts_h5_write(s->set, true, r->rows[group], r->waiting[group], s->buffer);
}

int ts_sums_again(ts_results *r, int64_t row, ts_series_id id, const void *numbers) {
    const ts_sums *s = &r->sums[TS_FRAMES];
    int64_t *sums = r->written + row % TS_TRAIL_MOST * s->columns;
    sums[r->column_before[id]] = sums[r->column[id]];
    sums[r->column[id]] = sum_of(numbers, ts_row_bytes(&r->track[id]));
    return ts_h5_write(s->set, true, row, 1, sums);
}

int ts_sums_progress(ts_results *r) {
    r->progress_sum[1] = r->progress_sum[0];
    r->progress_sum[0] = sum_of(r->rows, sizeof r->rows);
    return ts_h5_write(r->progress_sums, true, 0, 2, r->progress_sum);
}

int ts_sums_copy(ts_results *from, ts_results *to) {
    for (int g = 0; g < TS_GROUPS; g++)
        for (int64_t first = 0; first < from->rows[g]; first += from->room[g]) {
            int64_t left = from->rows[g] - first, most = from->room[g];
            int64_t rows = left < most ? left : most, *buffer = from->sums[g].buffer;
            if (ts_h5_read(from->sums[g].set, true, first, rows, from->sums[g].columns, buffer) ||
                ts_h5_write(to->sums[g].set, true, first, rows, buffer))
                return TORSOR_EIO;
        }
    return 0;
}

/* ---- attributes ---- */

static bool is_of_end(const char *name) {
    return strcmp(name, "status") == 0 || strcmp(name, "finished") == 0;
}
static bool is_value(const char *name) { return strcmp(name, "checksum") != 0; }
static bool is_of_head(const char *name) { return is_value(name) && !is_of_end(name); }

static int sum_head(ts_h5 file, uint64_t *sum) {
    return ts_h5_sum_attributes(file, "/", is_of_head, sum);
}

static int sum_end(ts_h5 file, uint64_t *sum) {
    uint64_t part[2];
    if (ts_h5_sum_attributes(file, "/", is_of_end, &part[0]) ||
        ts_h5_sum_attributes(file, "/summary", is_value, &part[1]))
        return TORSOR_EIO;
    *sum = XXH3_64bits(part, sizeof part);
    return 0;
}

int ts_sums_put_head(const ts_results *r) {
    uint64_t sum;
    int status = sum_head(r->file, &sum);
    return status ? status : ts_h5_put_integer(r->file, "/", "checksum", (int64_t)sum);
}

int ts_sums_put_end(const ts_results *r) {
    uint64_t sum;
    int status = sum_end(r->file, &sum);
    return status ? status : ts_h5_put_integer(r->file, "/summary", "checksum", (int64_t)sum);
}

/* ---- reading ---- */

static int damaged(const ts_results *r, const char *what) {
    return ts_fail(TORSOR_EIO, "%s is damaged or was changed: %s not as written", r->path, what);
}

/* The place of a name in a list, or -1. */
static int place_of(const char *names, const char *name, const char *mark) {
    int place = 0;
    size_t length = strlen(name);
    for (const char *p = names; *p; place++) {
        size_t word = strcspn(p, " ");
        if (word == length + strlen(mark) && strncmp(p, name, length) == 0 &&
            strncmp(p + length, mark, strlen(mark)) == 0)
            return place;
        p += word;
        p += strspn(p, " ");
    }
    return -1;
}

static int count_words(const char *names) {
    int count = 0;
    for (const char *p = names; *p; count++) p += strcspn(p, " "), p += strspn(p, " ");
    return count;
}

/* Finds the columns that the checksums of an opened file cover. */
static int find_columns(ts_results *r) {
    char names[TS_GROUPS][NAMES];
    for (int g = 0; g < TS_GROUPS; g++)
        if (ts_h5_get_text(r->file, PATH[g], "columns", names[g], sizeof names[g]))
            return TORSOR_EIO;
    r->sums[TS_FRAMES].columns = count_words(names[TS_FRAMES]);
    r->sums[TS_STEPS].columns = 1;
    r->pairs_column = place_of(names[TS_FRAMES], PAIRS, "");
    if (ts_pairs_told(r) != (r->pairs_column >= 0))
        return damaged(r, "the names of its checksums are");
    for (int i = 0; i < TS_SERIES_COUNT; i++) {
        const char *list = names[TS_SERIES[i].group];
        r->column[i] = place_of(list, TS_SERIES[i].name, "");
        r->column_before[i] = place_of(list, TS_SERIES[i].name, "+");
        if (r->column[i] < 0 && r->track[i].set >= 0 && r->track[i].values > 0)
            return damaged(r, "the names of its checksums are");
        if (r->column[i] >= 0 && r->track[i].set < 0)
            return damaged(r, "the names of its arrays are");
    }
    return 0;
}

/* A run may increase the count between the reading of the count and of its checksum. */
static int check_progress(ts_results *r) {
    for (int attempt = 0; attempt < 3; attempt++) {
        if (ts_h5_read(r->progress_sums, true, 0, 2, 1, r->progress_sum)) return TORSOR_EIO;
        int64_t sum = sum_of(r->rows, sizeof r->rows), now[TS_GROUPS];
        if (sum == r->progress_sum[0] || sum == r->progress_sum[1]) return 0;
        if (ts_h5_read(r->progress, true, 0, TS_GROUPS, 1, now)) return TORSOR_EIO;
        for (int g = 0; g < TS_GROUPS; g++)
            if (now[g] < r->rows[g] || now[g] > r->most_rows[g])
                return damaged(r, "'/progress' is");
        memcpy(r->rows, now, sizeof now);
    }
    return damaged(r, "'/progress' is");
}

static int check_head(const ts_results *r) {
    uint64_t sum;
    int64_t stored;
    if (!sum_head(r->file, &sum) && !ts_h5_get_integer(r->file, "/", "checksum", &stored) &&
        (uint64_t)stored == sum)
        return 0;
    return damaged(r, "its attributes are");
}

/* A run that was killed while it wrote its end has a summary that does not match, too. */
static bool end_is_whole(const ts_results *r) {
    uint64_t sum;
    int64_t stored;
    return !sum_end(r->file, &sum) &&
           !ts_h5_get_integer(r->file, "/summary", "checksum", &stored) && (uint64_t)stored == sum;
}

int ts_sums_find(ts_results *r) {
    if (check_head(r) || find_columns(r) || ts_sums_open(r) || check_progress(r)) return TORSOR_EIO;
    r->end_whole = end_is_whole(r);
    r->sums[TS_FRAMES].buffer = ts_calloc(AHEAD * (size_t)r->sums[TS_FRAMES].columns, 8);
    return 0;
}

void ts_sums_forget(ts_results *r) { r->sums[TS_FRAMES].ahead = 0; }

/* The checksums of a row of /frames; NULL: they cannot be read. */
static const int64_t *sums_of_row(ts_results *r, int64_t row) {
    ts_sums *s = &r->sums[TS_FRAMES];
    if (row < s->first || row >= s->first + s->ahead) {
        s->first = row - row % AHEAD;
        int64_t left = r->rows[TS_FRAMES] - s->first;
        s->ahead = left < AHEAD ? left : AHEAD;
        if (ts_h5_read(s->set, true, s->first, s->ahead, s->columns, s->buffer)) s->ahead = 0;
    }
    return s->ahead ? s->buffer + (row - s->first) * s->columns : NULL;
}

int64_t ts_sums_bad_frame(ts_results *r, ts_series_id id, int64_t first, int64_t rows,
                          const void *data) {
    size_t size = ts_row_bytes(&r->track[id]);
    for (int64_t k = 0; k < rows; k++) {
        const int64_t *sums = sums_of_row(r, first + k);
        int64_t sum = sum_of((const char *)data + (size_t)k * size, size);
        int before = r->column_before[id];
        if (!sums || (sum != sums[r->column[id]] && (before < 0 || sum != sums[before])))
            return first + k;
    }
    return -1;
}

bool ts_sums_pairs_good(ts_results *r, int64_t frame, const void *data, size_t bytes) {
    const int64_t *sums = sums_of_row(r, frame);
    return sums && sum_of(data, bytes) == sums[r->pairs_column];
}

/* As they were gathered: by the names of the columns, which are those of this version. */
static int64_t bad_in_block(const int64_t *numbers, int count, int64_t rows, const int64_t *sums) {
    int64_t row[TS_SERIES_COUNT];
    for (int64_t k = 0; k < rows; k++) {
        for (int i = 0; i < count; i++) row[i] = numbers[i * BLOCK + k];
        if (sum_of(row, (size_t)count * sizeof *row) != sums[k]) return k;
    }
    return -1;
}

/* Keeps the block of rows of /steps that contains a row, if all of it is as it was written. */
static int keep_steps(ts_results *r, int64_t row, int64_t *bad) {
    ts_sums *s = &r->sums[TS_STEPS];
    int64_t first = row - row % BLOCK, left = r->rows[TS_STEPS] - first;
    int64_t rows = left < BLOCK ? left : BLOCK;
    int count = 0, status = 0;
    if (!s->buffer) s->buffer = ts_calloc((TS_SERIES_COUNT + 1) * (size_t)BLOCK, 8);
    int64_t *sums = s->buffer + TS_SERIES_COUNT * BLOCK;
    s->ahead = 0;
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++)
        if (TS_SERIES[i].group == TS_STEPS)
            status = ts_h5_read(r->track[i].set, TS_SERIES[i].integer, first, rows, 1,
                                s->buffer + BLOCK * count++);
    if (!status) status = ts_h5_read(s->set, true, first, rows, 1, sums);
    if (status) return status;
    int64_t found = bad_in_block(s->buffer, count, rows, sums);
    if (found >= 0) *bad = first + found;
    if (found < 0) s->first = first, s->ahead = rows;
    return 0;
}

/* Place of a series among those of /steps. */
static int place_in_steps(ts_series_id id) {
    int place = 0;
    for (int i = 0; i < (int)id; i++) place += TS_SERIES[i].group == TS_STEPS;
    return place;
}

int ts_sums_steps(ts_results *r, ts_series_id id, int64_t first, int64_t rows, void *out,
                  int64_t *bad) {
    const ts_sums *s = &r->sums[TS_STEPS];
    int place = place_in_steps(id);
    *bad = -1;
    if (first < 0 || rows < 0 || rows > r->rows[TS_STEPS] - first)
        return ts_fail(TORSOR_EIO, "rows %lld to %lld are not there", (long long)first,
                       (long long)(first + rows));
    for (int64_t row = first, end = first + rows; row < end;) {
        bool kept = row >= s->first && row < s->first + s->ahead;
        int status = kept ? 0 : keep_steps(r, row, bad);
        if (status || *bad >= 0) return status;
        int64_t from = row - s->first, count = s->ahead - from;
        if (count > end - row) count = end - row;
        memcpy((int64_t *)out + (row - first), s->buffer + place * BLOCK + from,
               (size_t)count * sizeof *s->buffer);
        row += count;
    }
    return 0;
}
