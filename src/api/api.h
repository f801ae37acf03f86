/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the public handles. torsor/torsor.h describes what they do.
 *
 *   model.c     the model file, its changes and its mistakes
 *   compose.c   a model file with changes: what programs set, written into the text
 *   options.c, override.c, scheme_spec.c   options by name, and what they change (options.h)
 *   run.c       making, stepping and recording runs
 *   restart.c   runs that continue from a stored state
 *   state.c     data of a run: names, views, quantities
 *   verdict.c   the verdict: audits as text
 *   scene.c     runs for pictures: scene, poses, channels while it runs
 *   modes.c     modes, and their page
 *   campbell.c  modes at several speeds of rotation
 *   results.c   results files, tables
 *   outputs.c   permission to write a file at a path
 *   page.c      reports, files for ParaView
 *   studies/    many runs of one model (studies/study.h)
 */
#ifndef TS_API_H
#define TS_API_H

#include <sys/types.h>

#include "analysis/assembly.h"
#include "api/compose.h"
#include "api/options.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/place.h"
#include "base/stream.h"
#include "modes/modal.h"
#include "results/results.h"
#include "system/instant.h"
#include "torsor/torsor.h"

/* The document of the present model, in a pool of its own, which a run takes over. */
typedef struct ts_checked {
    ts_handle head;
    ts_document *document;
} ts_checked;

struct torsor_model {
    ts_handle head;
    char *name, *path; /* path: NULL when it is not from a file */
    char *text;
    size_t length;
    ts_yaml_tree tree; /* of the text */
    ts_patch patch;
    ts_checked *checked; /* NULL: not read since the last change, or taken */
};

/* An input: all signals of one name, one for each field that uses it. */
typedef struct ts_input_group {
    const char *name;  /* of the first of them */
    int *place, count; /* in the state's inputs */
} ts_input_group;

struct torsor_run {
    ts_handle head;
    ts_document *document;
    ts_system *system;
    ts_assembly_report assembly;
    ts_runner *runner; /* made by the first step */
    ts_input_group *input;
    int inputs;
    int *station, stations; /* of lines, in the model */
    ts_instant instant;     /* forces at the present state, once they are asked for */
    bool instant_known;
    torsor_observer observer;
    torsor_event_listener listener;
    int64_t *happened; /* by event: as often as the listener was told */
    torsor_step last;
    double seconds; /* spent in steps and on recording them */
    ts_step_report report;
    bool failed;
    ts_results *results;
    pid_t recorder; /* the process that records: not a child that was forked since */
    int64_t stored; /* step of the last stored state, -1: none */
    char said[300]; /* what ended it: "failed: ..."; "" while it goes on */
    char resumed[200];
    char damage[300]; /* of the results file that it goes on from; "": none that matters */
    char parameters[TS_PARAMETERS_TEXT]; /* of the scheme */
    char gravity[200], gravity_doubt[300], warnings[600];
    torsor_setup setup;
    torsor_verdict verdict;
    char audit[TS_AUDIT_WORDS], worst_part[80], free_motions[TS_FREE_WORDS];
    double worst_violation, worst_time;
};

/* The document of a model with its changes; mistakes become the error, all of them its report. It
 * is read once: a run uses the document of an earlier check. */
int ts_model_document(ts_document **out, const torsor_model *model);
/* Prints the warnings about a document, one line each. `far`: see ts_system. */
void ts_document_warnings(const ts_document *document, double far, FILE *out);
/* A run from a document, which becomes its own even on failure. */
int ts_run_from_document(torsor_run **out, ts_document *document);
/* The system of a document, joints closed, in equilibrium if its analysis begins there. On
 * failure *out may be set. */
int ts_start(ts_system **out, const ts_document *document, ts_assembly_report *report);
/* The summary as it goes into the results. */
ts_summary ts_run_sum_up(torsor_run *run);

/* Diagnostics become the error of this thread, and the list of torsor_mistakes. */
int ts_mistakes_fail(ts_diagnostics *problems);

int ts_out_of_range(const char *what, int64_t index, int64_t count);
int ts_null_argument(const char *function);
bool ts_any_null(int count, const char *const *text);

/* Takes over what was written to a stream in memory. */
typedef struct ts_memo {
    FILE *out;
    ts_text *text;
} ts_memo;
int ts_memo_open(ts_memo *memo);
int ts_memo_take(ts_memo *memo, int status, char **out); /* closes; frees when status is not 0 */

/* outputs.c: a table of a run or a study, which replaces earlier ones but not these inputs */
ts_output ts_output_table(const char *const *input, int inputs);

#endif
