/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the verbs of the command line share.
 *
 * The program uses torsor/torsor.h: it reads options, calls the library, and prints. A verb is one
 * file, cmd_<verb>.c, with a table of its options and a function.
 *
 *   options.c    the command line read into cli_settings, and --help, from one table per verb
 *   model.c      a model file, with what --set gives it
 *   format.c     errors; JSON on one line; names of files
 *   describe.c   a run before its first step: model, assembly, analysis
 *   progress.c   progress of a run, and signals that stop it
 *   simulate.c   the run itself, for `run` and `restart`
 *   verdict.c    the energy audit and the audit of resolution at the end
 *   study.c      studies: progress, tables, files
 *   many.h       many cases of one model: `torsor study`
 *   view/        a model and its run in the browser: `torsor view`, `torsor run --view`
 *   begin/       models to begin with: `torsor new` and `torsor init`
 *   show/        plots
 *   help/        manual pages, completion in shells, `torsor doctor`
 */
#ifndef TS_CLI_H
#define TS_CLI_H

#include <signal.h>
#include <stdio.h>

#include "base/json.h"
#include "base/stream.h"
#include "base/words.h"
#include "torsor/torsor.h"

typedef enum cli_exit {
    CLI_DONE = 0,
    CLI_USAGE = 1,
    CLI_MODEL = 2,
    CLI_FILE = 3,
    CLI_NUMERICS = 4,
    CLI_INTERRUPTED = 5
} cli_exit;

/* ---- main.c ---- */

/* The whole program, with the words of its command line. Returns the exit code. */
int cli_main(int count, char **word);

/* All verbs; ends with NULL. */
struct cli_verb;
const struct cli_verb *const *cli_verbs(void);

/* ---- options.c ---- */

/* What the options of all verbs are read into. What was not given is -1 or NULL. */
typedef struct cli_settings {
    bool help, json, quiet, verbose, no_results, columns, text;
    bool report, resolve, mesh, buckling, as_drawn, campbell, force;
    bool gather, build;
    bool view, no_browser;
    const char *output, *csv, *svg, *format, *part, *over, *title;
    int64_t every, frames, width, height, port;
    torsor_options *options; /* of the verb; NULL: it has none */
    torsor_options *beside;  /* of error bars */
    const char *beside_name; /* the last of them that was given */
    char **argument;         /* what is no option, in order */
    int arguments;
    const char **set; /* NAME=VALUE of the model, in order */
    int sets;
} cli_settings;

typedef enum cli_type {
    CLI_FLAG,   /* bool */
    CLI_TEXT,   /* const char * */
    CLI_COUNT,  /* int64_t, from 0 */
    CLI_OPTION, /* of settings.options, with _ for -: see torsor_options_set */
    /* of settings.options, without a value; sets a bool, too, unless the offset is CLI_NOWHERE */
    CLI_SWITCH,
    CLI_BESIDE, /* of settings.beside */
    CLI_SET     /* NAME=VALUE of the model; may be given several times */
} cli_type;

#define CLI_NOWHERE ((size_t)-1)

typedef struct cli_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* 0: none */
    cli_type type;
    size_t offset;     /* in cli_settings */
    const char *value; /* what --help calls the value */
    const char *help;
} cli_option;

typedef struct cli_verb {
    const char *name, *help; /* a few words for the list of verbs */
    const char *arguments;   /* as --help writes them: "MODEL.yaml" */
    int least, most;         /* how many of them */
    int models;              /* the first so many may be "-", a model on the standard input */
    const char *about;       /* a paragraph */
    const char *use;         /* of torsor_options_new; NULL: none */
    const cli_option *options;
    int (*run)(const cli_settings *settings); /* returns the exit code */
} cli_verb;

extern const cli_verb CLI_RUN, CLI_CHECK, CLI_RESTART, CLI_INFO, CLI_MODES, CLI_SPECTRUM,
    CLI_REPORT, CLI_EXPORT, CLI_SCHEMA, CLI_CONVERGE, CLI_COMPARE, CLI_STUDY, CLI_CHANNELS,
    CLI_PLOT, CLI_NEW, CLI_INIT, CLI_DOCTOR, CLI_COMPLETION, CLI_VIEW;

/* Reads the arguments after the verb; on a mistake prints a message and returns CLI_USAGE. The
 * caller clears the settings in any case. */
int cli_parse(const cli_verb *verb, int count, char **word, cli_settings *settings);
void cli_settings_clear(cli_settings *settings);
void cli_help(const cli_verb *verb);
void cli_help_exit_codes(void);

/* The option that every verb has. */
extern const cli_option CLI_HELP;
/* What the exit codes mean, from 0; ends with NULL. */
extern const char *const CLI_EXIT_MEANING[];

/* ---- help/man.c ---- */

/* The manual page of a verb, NULL: of the program, in roff, on the standard output. */
void cli_man(const cli_verb *verb);

/* ---- model.c ---- */

#define CLI_OPTION_QUIET                                             \
    {                                                                \
        "quiet", 'q', CLI_FLAG, offsetof(cli_settings, quiet), NULL, \
            "print warnings and errors only"                         \
    }

/* The option --set of verbs that read a model. */
#define CLI_OPTION_SET                                                          \
    {                                                                           \
        "set", 0, CLI_SET, 0, "NAME=VALUE",                                     \
            "another value of a parameter: L=2m, or of anything in the model: " \
            "bodies.arm.mass=3kg; may be "                                      \
            "given several times"                                               \
    }

/* The model of the first argument, with the values of --set. A status of torsor.h. */
int cli_read_model(torsor_model **out, const cli_settings *settings);
/* NAME=VALUE into the model. */
int cli_override(torsor_model *model, const char *assignment);

/* ---- format.c ---- */

/* Text from outside, for a terminal: control characters are '?'. Until the fourth call after. */
const char *cli_shown(const char *text);

/* "torsor: ..." on stderr; returns `code`. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print torsor_error(), or all mistakes of a model. `path` goes before messages that do not begin
 * with it; NULL: before none. They return the exit code. */
int cli_fail_status(int status);
int cli_fail_file(int status, const char *path);
int cli_exit_of(int status);
/* Is that a terminal? mpirun gives rank 0 one of its own, whose lines may go to a file: no. */
bool cli_terminal(int descriptor);
bool cli_colour(FILE *out); /* a terminal, and NO_COLOR is not set */

/* One JSON object on one line. */
typedef struct cli_line {
    ts_json json;
    ts_text *text;
} cli_line;
ts_json *cli_line_begin(cli_line *line, const char *event); /* opens {"event": event, */
void cli_line_end(cli_line *line);                          /* prints it on stdout */
void cli_line_of(const char *event, const char *object); /* an object with the event before all */

/* Whether two paths name one file, now. */
bool cli_same_file(const char *a, const char *b);
/* May a file of this kind be written there (torsor_output_check)? Not over the input, which may be
 * NULL. NULL and "-" for the path are fine. CLI_DONE or an exit code. */
int cli_check_output(const char *kind, const char *path, const char *input,
                     const torsor_model *model);
/* Writes a text of a kind to a file; "-" is the standard output. Exit code. */
int cli_write_text(const char *kind, const char *path, const char *text);
/* The lines of a text, which is cut into them; the list is to be freed. NULL: there are none. */
char **cli_split_lines(char *text, int *count);
/* "dir/model.yaml" with the suffix in place of ".yaml", without the folder; to be freed. */
char *cli_file_name(const char *path, const char *suffix);

/* ---- describe.c ---- */

/* Runs the model with a finer step and a finer mesh, prints the errors; an exit code. */
int cli_tell_mesh(const torsor_model *model);
/* `verbose`: every redundant condition. */
void cli_print_model(const torsor_run *run, const char *path, bool verbose);
void cli_print_assembly(const torsor_run *run);
void cli_print_analysis(const torsor_run *run);
void cli_print_impacts(const torsor_run *run, bool verbose);
/* "torsor: WORD: ..." on stderr for each line. */
void cli_warn(const char *word, const char *lines);
/* Print warnings to stderr: about the model, before the long work begins; about the start of its
 * run, after it. */
void cli_warn_of_model(torsor_model *model);
void cli_warn_of_start(const torsor_run *run);
/* The solver works on dense blocks, by BLAS, and BLAS is the reference, which is slow. */
void cli_warn_of_blas(const char *solver);
void cli_json_model(ts_json *j, const torsor_run *run, const char *path);
void cli_json_assembly(ts_json *j, const torsor_run *run);
void cli_json_analysis(ts_json *j, const torsor_run *run);
void cli_json_impacts(ts_json *j, const torsor_run *run);

/* ---- progress.c ---- */

typedef struct cli_progress {
    bool json, quiet, terminal, statics;
    int64_t first, iterations; /* first step; iterations since */
    double begun, printed;     /* wall times */
    int64_t tenth;             /* last tenth of the run that was told */
    bool line;                 /* a line stands on the terminal, to be rewritten */
} cli_progress;

void cli_progress_begin(cli_progress *p, const torsor_run *run, const cli_settings *settings);
void cli_progress_step(cli_progress *p, const torsor_run *run);
void cli_progress_end(cli_progress *p);

extern volatile sig_atomic_t cli_stop; /* the signal that asked to stop, or 0 */
/* Called before a second signal ends the program; NULL: nothing. */
extern void (*cli_abandon)(void);
/* Called when the first signal asks a run to stop; NULL: nothing. */
extern void (*cli_asked_to_stop)(void);
void cli_catch_signals(void);
/* Until then: drafts of files are removed, and the signal ends the program. */
void cli_guard_drafts(void);

/* ---- verdict.c ---- */

typedef struct cli_verdict {
    torsor_run *run;
    torsor_ledger start;
    /* energy that events, dampers, friction and impacts had taken before */
    double events_start, dampers_start, friction_start, impacts_start;
    double t_start;
    const char *results, *csv; /* paths, or NULL */
    double t_stored;           /* of the last row of the table */
} cli_verdict;

void cli_verdict_print(const cli_verdict *v);
void cli_verdict_json(const cli_verdict *v, int exit_code);
/* On stderr, if the audit did not close, an equilibrium is unstable, or something is not
 * resolved. */
void cli_verdict_warn(const cli_verdict *v);
/* Prints the measures of resolution that are large, one line each. */
void cli_print_resolution(const torsor_run *run, const char *indent);
void cli_json_resolution(ts_json *j, const torsor_run *run);

/* ---- simulate.c ---- */

/* From the state of the run to its end. `beside`: error bars to be checked, or NULL. Exit code. */
int cli_simulate(torsor_run *run, const cli_settings *settings, const char *output,
                 const torsor_resolve *beside);
/* Called after each step; anything but 0 stops the run. NULL: nothing. */
extern int (*cli_after_step)(torsor_run *run);

/* ---- study.c ---- */

/* A study of the model, or without a model (its first argument is then NULL), printed according to
 * the settings. Exit code. */
typedef int cli_study(torsor_study **out, const torsor_model *model, const torsor_options *options);
int cli_run_study(const cli_settings *settings, cli_study *study);
/* A line of progress on stderr, if stderr is a terminal and the options allow it. */
void cli_watch(torsor_options *options, const cli_settings *settings);
void cli_watch_end(void);

#endif
