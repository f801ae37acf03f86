/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one model side by side, for the studies that compare them: converge.c and compare.c. */
#ifndef TS_TRIALS_H
#define TS_TRIALS_H

#include "analysis/trial.h"
#include "api/studies/study.h"

enum { TS_MOST_TRIALS = 512, TS_MOST_RUNGS = 24 };

typedef struct ts_trials {
    torsor_run *run;    /* assembled, at t = 0: every trial begins here */
    char *name;         /* of the model */
    ts_options options; /* of the model and of the choices */
    int rungs;          /* the ladder of steps, the longest first */
    double step[TS_MOST_RUNGS];
    double finest; /* of the ladder */
    double end;
    int count;
    ts_trial_plan plan;
    ts_trial *trial[TS_MOST_TRIALS];
    ts_trial *reference; /* one of them */
    ts_scheme_spec reference_scheme;
    ts_scheme_values common; /* of all schemes, by the places of ED's table */
    double reference_step;
} ts_trials;

/* Assembles the model, reads steps, levels, reference. `levels`: when they are not given. All
 * functions return a status. */
int ts_trials_open(ts_trials *t, const torsor_model *model, const torsor_options *options,
                   int levels);
void ts_trials_clear(ts_trials *t);
/* The times of the samples, from the ladder. */
void ts_trials_plan(ts_trials *t);
/* One more, by the scheme and the step; label for tables. */
int ts_trials_add(ts_trials *t, const ts_scheme_spec *scheme, double step, ts_trial **out);
int ts_trials_add_reference(ts_trials *t);
/* Runs all of them, in parallel threads. A failed run has its own error; a failed reference is an
 * error of the whole. */
int ts_trials_run(ts_trials *t, const torsor_options *options);
/* The scheme of the model's analysis, as an option would give it. */
void ts_trials_own_scheme(const ts_trials *t, ts_scheme_spec *out);
/* What went wrong in a trial, in words; NULL if nothing did. */
const char *ts_trial_trouble(const ts_trial *trial);

#endif
