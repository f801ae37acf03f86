/* SPDX-License-Identifier: Apache-2.0 */
/* Results: one HDF5 file per run. */
#ifndef TS_RESULTS_H
#define TS_RESULTS_H

#include <stdio.h>

#include "analysis/judge.h"
#include "reader/document.h"

typedef struct ts_results ts_results;

/* Writing. Everything the file will ever hold is laid out by create, under another name which is
 * then moved to `path`; later calls only write raw data, so that a run killed at any moment leaves
 * a file that opens and is complete up to the last flush (made by itself every second or so). The
 * system is ready to run: redundant rows are marked. Store its first state before the first step,
 * then call step after every step and store at stored ones. Status is "completed", "interrupted" or
 * "failed: ..."; NULL is "completed". Summary may be NULL. */
const char *ts_results_path(const ts_results *results);
int ts_results_create(ts_results **out, const char *path, const ts_document *document,
                      const ts_system *system, int64_t first_step);
int ts_results_step(ts_results *results, const ts_system *system, const ts_step_report *report);
int ts_results_store(ts_results *results, const ts_system *system);
int ts_results_flush(ts_results *results);
/* Frees. */
int ts_results_close(ts_results *results, const char *status, const ts_summary *summary);

/* Reading: also files that are still written, or whose run was killed. Columns of csv are explained
 * in docs/results-file.md; without selectors it gives positions, coordinates and energies. */
int ts_results_open(ts_results **out, const char *path);
void ts_results_free(ts_results *results);
int64_t ts_results_frames(const ts_results *results); /* stored states */
int ts_results_frame_step(ts_results *results, int64_t frame, int64_t *step, double *t);
/* Are all arrays of this state undamaged? Sets no message. */
bool ts_results_is_good(ts_results *results, int64_t frame);
int ts_results_check_frame(ts_results *results, int64_t frame); /* as above, with a message that
                                                                 * names the damage */
/* Does a run restarted from it equal the run that stored it bit for bit? */
int ts_results_exact(ts_results *results, int64_t frame, bool *exact);
const char *ts_results_text(const ts_results *results, size_t *length); /* model echo */
/* The scheme, the step and so on of the run, into those fields of *options. */
int ts_results_parameters(const ts_results *results, const ts_scheme *scheme,
                          ts_scheme_values *values);
int ts_results_options(const ts_results *results, ts_options *options);
/* Fills system->state, the ledger and energy_start, bit for bit. Files of older versions without
 * inputs leave these unchanged. */
int ts_results_state(ts_results *results, int64_t frame, ts_system *system);
/* Can a run continue from the state that was read? Its numbers must be finite, frames orthonormal,
 * the ground at rest, and joints must hold as well as the run recorded. */
int ts_results_admissible(ts_results *results, int64_t frame, const ts_system *system);
/* Reads every row: TORSOR_EIO, with the first bad row and the last good state, if one is not as it
 * was written. Files of older versions without checksums pass. */
int ts_results_verify(ts_results *results);
int ts_results_csv(ts_results *results, int selectors, char *const *selector, FILE *out);
/* Lists the channels that selectors select, or all, with units and meaning: output/listing.h. */
int ts_results_listing(ts_results *results, int selectors, char *const *selector, bool json,
                       FILE *out);

/* Columns of a results file as numbers, the time first. Without `rows`: the names of all
 * columns. */
typedef struct ts_columns {
    int64_t rows;
    int count;
    char **name, **unit;
    /* of a Gauss point: a position in the mesh, which differs in another mesh */
    bool *inside;
    double *data; /* column after column */
} ts_columns;
int ts_results_columns(ts_results *results, int selectors, char *const *selector, bool rows,
                       ts_columns *out);
/* The columns that describe a motion in few numbers: coordinates of joints, positions of bodies, of
 * the ends of beams and cables, and of the corners of meshes. */
int ts_results_channels(ts_results *results, ts_columns *out);
void ts_columns_clear(ts_columns *columns);

/* The audit of resolution: largest values up to the last stored state, and the verdict that the run
 * stored; for a run that was killed, that of the last stored state. The level is -1 in files of
 * older versions. */
int ts_results_audit(ts_results *results, ts_audit *out);

int ts_results_info(ts_results *results, FILE *out, bool json);
/* The energy audit, computed again from the rows of every step. */
typedef struct ts_verdict_told {
    ts_audit_judgement judged;
    char text[TS_AUDIT_WORDS];
} ts_verdict_told;
int ts_results_judge(ts_results *results, ts_verdict_told *out);

#endif
