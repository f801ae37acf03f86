/* SPDX-License-Identifier: Apache-2.0 */
/* What the writer of results files is made of: the plan (plan.c), the tables of the model
 * and attributes (attributes.c), pairs that touch (pairs.c); files and rows in write.c.
 */
#ifndef TS_RESULTS_WRITER_H
#define TS_RESULTS_WRITER_H

#include "results/file.h"

/* ---- the plan ---- */

/* Numbers of rows and of entries, buffers, and workspace. */
void ts_results_plan(ts_results *results, const ts_document *document, const ts_system *system,
                     int64_t first_step);
/* Approximate size of the whole file: the index of the chunks and the tables are estimated. */
uint64_t ts_results_planned_bytes(const ts_results *results);
/* Chunks of about 64 kB, all of one size: little is left over in the last one. */
uint64_t ts_chunk_rows(uint64_t planned, uint64_t bytes);

static inline uint64_t ts_row_bytes(const ts_track *track) { return 8 * (uint64_t)track->values; }

/* ---- pairs that touch ---- */

void ts_pairs_plan(ts_results *results, const ts_system *system);
uint64_t ts_pairs_bytes(const ts_results *results);
int ts_pairs_lay_out(const ts_results *results);
int ts_pairs_open(ts_results *results);
void ts_pairs_close(ts_results *results);
int64_t ts_pairs_next(const ts_results *results); /* the row of the next pair */
void ts_pairs_add(ts_results *results, const ts_touching *list);
/* Pairs of the k-th waiting stored state. */
const double *ts_pairs_waiting(const ts_results *results, int64_t k, size_t *bytes);
int ts_pairs_write(ts_results *results);
void ts_pairs_written(ts_results *results);
int ts_pairs_copy(ts_results *from, ts_results *to);

/* ---- what does not change while rows are written; 0 or TORSOR_EIO ---- */

/* /model and /geometry */
int ts_results_write_model(const ts_results *results, const ts_document *document);
int ts_results_write_attributes(const ts_results *results, const ts_document *document,
                                int64_t first_step);
/* Blank attributes, filled at the end. */
int ts_results_write_summary(const ts_results *results);
int ts_results_write_end(const ts_results *results, const char *status, const ts_summary *summary);

#endif
