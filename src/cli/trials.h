/* Runs of one model side by side, for the verbs that compare them: `converge` and `compare`. */
#ifndef TS_TRIALS_H
#define TS_TRIALS_H

#include "analysis/trial.h"
#include "cli/cli.h"

enum { CLI_MOST_TRIALS = 512, CLI_MOST_RUNGS = 24 };

typedef struct cli_trials {
    cli_session session; /* assembled, at t = 0: every trial begins here */
    ts_options options;  /* of the model and the command line */
    int rungs;           /* the ladder of steps, the longest first */
    double step[CLI_MOST_RUNGS];
    double finest; /* of the ladder */
    double end;
    int count;
    ts_trial_plan plan;
    ts_trial *trial[CLI_MOST_TRIALS];
    ts_trial *reference; /* one of them */
    cli_scheme reference_scheme;
    double reference_step;
} cli_trials;

/* Reads and assembles the model, reads --steps, --levels, --reference. `levels`: when they are not given. */
int cli_trials_open(cli_trials *t, const cli_settings *settings, int levels);
void cli_trials_clear(cli_trials *t);
/* The times of the samples, from the ladder. */
void cli_trials_plan(cli_trials *t);
/* One more, by the scheme and the step; label for tables. CLI_USAGE with words when there are too many. */
int cli_trials_add(cli_trials *t, const cli_scheme *scheme, double step, ts_trial **out);
int cli_trials_add_reference(cli_trials *t);
/* All of them, in processes side by side. A failing one says so itself; a failing reference ends it: exit code. */
int cli_trials_run(cli_trials *t, const cli_settings *settings);
/* The scheme of the model's analysis, as --scheme would give it. */
int cli_trials_own_scheme(const cli_trials *t, cli_scheme *out);
/* Of a trial, for people: NULL if it went well, else a word or the message. */
const char *cli_trial_trouble(const ts_trial *trial);

/* Writes a file by a function; "-" is the standard output. Exit code. */
typedef void cli_writer(FILE *out, const void *what);
int cli_write_file(const char *path, cli_writer *write, const void *what);
/* A number of a table of comma-separated values, empty if there is none. */
void cli_csv_number(FILE *out, double value);

#endif
