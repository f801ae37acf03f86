/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of a results file: see checksum.c. */
#ifndef TS_RESULTS_CHECKSUM_H
#define TS_RESULTS_CHECKSUM_H

#include "results/file.h"

/* ---- writing ---- */

void ts_sums_plan(ts_results *results); /* columns and buffers; after the tracks are planned */
uint64_t ts_sums_bytes(const ts_results *results);
int ts_sums_lay_out(const ts_results *results);
int ts_sums_open(ts_results *results);
void ts_sums_close(ts_results *results);
void ts_sums_clear(ts_results *results); /* frees buffers */
int ts_sums_resize(ts_results *results, ts_group group, int64_t rows);
/* Checksums of the buffered rows of a group, for their rows in the file. */
int ts_sums_write(ts_results *results, ts_group group);
/* Call this before a row of a series that is already in the file is written again. */
int ts_sums_again(ts_results *results, int64_t row, ts_series_id id, const void *numbers);
int ts_sums_progress(ts_results *results); /* call before `progress` is written */
int ts_sums_copy(ts_results *from, ts_results *to);
/* Checksums of the attributes of the file, after they are written; and of those that the end
 * changes. */
int ts_sums_put_head(const ts_results *results);
int ts_sums_put_end(const ts_results *results);

/* ---- reading ---- */

/* Pairs that touch: pairs.c. Opens their dataset, after the series are open; and those of a
 * state. */
int ts_pairs_find(ts_results *results);
int ts_pairs_read(ts_results *results, int64_t frame, int64_t *numbers, double **row);
bool ts_pairs_good(ts_results *results, int64_t frame);

/* Opens the checksums, and checks attributes and `progress`. */
int ts_sums_find(ts_results *results);
/* The first of these rows of a series of /frames that is not as it was written; -1: none. */
int64_t ts_sums_bad_frame(ts_results *results, ts_series_id id, int64_t first, int64_t rows,
                          const void *data);
/* Are these the pairs of a stored state, as they were written? */
bool ts_sums_pairs_good(ts_results *results, int64_t frame, const void *data, size_t bytes);
void ts_sums_forget(ts_results *results); /* discards rows that were read ahead: the file may have
                                           * changed */
/* Reads rows of a series of /steps. They share their checksums: all series are read and compared,
 * in blocks that are kept. `bad`: the first row that is not as it was written, or -1. */
int ts_sums_steps(ts_results *results, ts_series_id id, int64_t first, int64_t rows, void *out,
                  int64_t *bad);

#endif
