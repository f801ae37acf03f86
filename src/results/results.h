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
/* Is all of the state in a row as it was written? Says nothing. */
bool ts_results_is_good(ts_results *results, int64_t frame);
int ts_results_check_frame(ts_results *results, int64_t frame); /* says what is damaged */
/* Does a run restarted from it go on bit for bit as the one that stored it? */
int ts_results_exact(ts_results *results, int64_t frame, bool *exact);
const char *ts_results_text(const ts_results *results, size_t *length); /* model echo */
/* The scheme, the step and so on of the run, into those fields of *options. */
int ts_results_parameters(const ts_results *results, const ts_scheme *scheme,
                          ts_scheme_values *values);
int ts_results_options(const ts_results *results, ts_options *options);
/* Fills system->state, the ledger and energy_start, bit for bit. Files from before inputs were kept
 * leave these as they are. */
int ts_results_state(ts_results *results, int64_t frame, ts_system *system);
/* May a run go on from the state that was read? Its numbers must be finite, frames orthonormal, the
 * ground at rest, and joints must hold as well as the run said. */
int ts_results_admissible(ts_results *results, int64_t frame, const ts_system *system);
/* Reads every row: TORSOR_EIO, with the first bad one and the last good state, if one is not as it
 * was written. Files from before there were checksums pass. */
int ts_results_verify(ts_results *results);
int ts_results_csv(ts_results *results, int selectors, char *const *selector, FILE *out);
/* The channels that selectors take, or all, with units and meaning: output/listing.h. */
int ts_results_listing(ts_results *results, int selectors, char *const *selector, bool json,
                       FILE *out);

/* Columns of a results file as numbers, the time first. Without `rows`: the names of all
 * columns. */
typedef struct ts_columns {
    int64_t rows;
    int count;
    char **name, **unit;
    /* of a Gauss point: a place of the mesh, which in another mesh is another place */
    bool *inside;
    double *data; /* column after column */
} ts_columns;
int ts_results_columns(ts_results *results, int selectors, char *const *selector, bool rows,
                       ts_columns *out);
/* The columns that say most of a motion in few numbers: coordinates of joints, positions of bodies,
 * of the ends of beams and cables, and of the corners of meshes. */
int ts_results_channels(ts_results *results, ts_columns *out);
void ts_columns_clear(ts_columns *columns);

/* The audit of resolution: largest values up to the last stored state, and the verdict that the run
 * left; of a run that was killed, that of the last stored state. The level is -1 in files from
 * before there was one. */
int ts_results_audit(ts_results *results, ts_audit *out);

int ts_results_info(ts_results *results, FILE *out, bool json);
/* The energy audit, made anew from the rows of every step. */
typedef struct ts_verdict_told {
    ts_audit_judgement judged;
    char text[TS_AUDIT_WORDS];
} ts_verdict_told;
int ts_results_judge(ts_results *results, ts_verdict_told *out);

#endif
