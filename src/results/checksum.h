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
/* Those of the rows that wait in the buffers of a group, for their places in the file. */
int ts_sums_write(ts_results *results, ts_group group);
/* A row of a series that is in the file already will be written again: to be called before. */
int ts_sums_again(ts_results *results, int64_t row, ts_series_id id, const void *numbers);
int ts_sums_progress(ts_results *results); /* before `progress` is written */
int ts_sums_copy(ts_results *from, ts_results *to);
/* Of the attributes of the file, once they are written; and of those that the end changes. */
int ts_sums_put_head(const ts_results *results);
int ts_sums_put_end(const ts_results *results);

/* ---- reading ---- */

/* Pairs that touch: pairs.c. Their dataset, once the series are open; those of a state. */
int ts_pairs_find(ts_results *results);
int ts_pairs_read(ts_results *results, int64_t frame, int64_t *numbers, double **row);
bool ts_pairs_good(ts_results *results, int64_t frame);

/* Opens them, and checks attributes and `progress`. */
int ts_sums_find(ts_results *results);
/* The first of these rows of a series of /frames that is not as it was written; -1: none. */
int64_t ts_sums_bad_frame(ts_results *results, ts_series_id id, int64_t first, int64_t rows,
                          const void *data);
/* Are these the pairs of a stored state, as they were written? */
bool ts_sums_pairs_good(ts_results *results, int64_t frame, const void *data, size_t bytes);
void ts_sums_forget(ts_results *results); /* what was read ahead: the file may have changed */
/* The first bad one of all rows of /steps, or -1. */
int ts_sums_bad_step(ts_results *results, int64_t *bad);

#endif
