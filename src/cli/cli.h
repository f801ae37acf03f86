/* What the verbs of the command line share.
 *
 *   options.c    the command line read into cli_settings, and --help, from one table per verb
 *   format.c     numbers, counts and times for people; errors; JSON on one line
 *   session.c    model file -> document -> system -> assembled, with a summary of each
 *   progress.c   how far a run is, and the keys that stop it
 *   verdict.c    the energy audit and the audit of resolution at the end
 *   scheme_spec.c  a scheme by name, with parameters
 *   simulate.c   the run itself, for `run` and `restart`
 *   resolve.c, resolve_table.c  error bars (resolve.h)
 *   trials.c, plot.c  runs side by side, and pictures of them (trials.h, plot.h)
 */
#ifndef TS_CLI_H
#define TS_CLI_H

#include <signal.h>

#include "analysis/assembly.h"
#include "base/json.h"
#include "base/stream.h"
#include "results/results.h"
#include "study/schemes.h"
#include "torsor/torsor.h"

typedef enum cli_exit {
    CLI_DONE = 0,
    CLI_USAGE = 1,
    CLI_MODEL = 2,
    CLI_FILE = 3,
    CLI_NUMERICS = 4,
    CLI_INTERRUPTED = 5
} cli_exit;

/* ---- options.c ---- */

/* What the options of all verbs are read into. What was not given is NAN, -1 or NULL. */
typedef struct cli_settings {
    bool help, json, quiet, verbose, no_results, columns, text, linear;
    bool as_drawn, buckling;
    bool report, resolve;
    const char *channels;
    const char *output, *csv, *scheme, *solver, *spin, *about;
    const char *schemes, *rhos, *range, *svg, *steps, *reference, *format;
    bool rms;
    double step, end, rho, time;
    int64_t every, from, modes, threads, points, frames, levels, jobs;
    char **argument; /* what is no option, in order */
    int arguments;
} cli_settings;

typedef enum cli_type {
    CLI_FLAG,     /* bool */
    CLI_TEXT,     /* const char * */
    CLI_SECONDS,  /* double: an expression with or without a unit of time */
    CLI_STEP,     /* likewise, or the word auto: INFINITY */
    CLI_FRACTION, /* double, 0 to 1 */
    CLI_COUNT     /* int64_t, from 0 */
} cli_type;

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
    const char *about;       /* a paragraph */
    const cli_option *options;
    int (*run)(const cli_settings *settings); /* returns the exit code */
} cli_verb;

extern const cli_verb CLI_RUN, CLI_CHECK, CLI_RESTART, CLI_INFO, CLI_MODES, CLI_SPECTRUM,
    CLI_REPORT, CLI_EXPORT, CLI_SCHEMA, CLI_CONVERGE, CLI_COMPARE;

/* Reads what stands behind the verb; on a mistake says it and returns CLI_USAGE. Free the
 * arguments. */
int cli_parse(const cli_verb *verb, int count, char **word, cli_settings *settings);
void cli_help(const cli_verb *verb);
void cli_help_exit_codes(void);

/* ---- format.c ---- */

enum { CLI_WORD = 48 };

/* "torsor: ..." on stderr; returns `code`. */
int cli_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_status(int status); /* what torsor_error() says; returns the exit code of it */
int cli_exit_of(int status);
bool cli_colour(FILE *out); /* a terminal, and NO_COLOR is not set */

const char *cli_quantity(char text[CLI_WORD], double value, const char *unit); /* "2.3 kJ" */
const char *cli_duration(char text[CLI_WORD], double seconds);                 /* "1:05:12" */
const char *cli_count(char text[CLI_WORD], int64_t count, const char *singular, const char *plural);

/* Words of `text` in lines that begin at the column `indent`, where the cursor is. */
void cli_print_wrapped(const char *text, int indent, int width);

/* One JSON object on one line. */
typedef struct cli_line {
    ts_json json;
    ts_text *text;
} cli_line;
ts_json *cli_line_begin(cli_line *line, const char *event); /* opens {"event": event, */
void cli_line_end(cli_line *line);                          /* prints it on stdout */
void cli_json_number(ts_json *j, const char *key, double value);
void cli_json_vector(ts_json *j, const char *key, v3 value);

/* Whether two paths name one file, now. */
bool cli_same_file(const char *a, const char *b);
/* Refuses to overwrite what is no results file; CLI_DONE or an exit code. */
int cli_check_output(const char *path, const char *input);
/* "dir/model.yaml" with the suffix in place of ".yaml", without the folder; to be freed. */
char *cli_file_name(const char *path, const char *suffix);

/* ---- session.c ---- */

typedef struct cli_session {
    ts_document *document;
    ts_system *system;
    ts_assembly_report assembly;
    ts_diagnostics diagnostics;
    bool verbose; /* tell every redundant condition */
} cli_session;

/* Reads the model; prints the diagnostics if `loud`. Exit codes. */
int cli_session_read(cli_session *session, const char *path, bool loud);
int cli_session_parse(cli_session *session, const char *text, size_t length, const char *name);
int cli_session_assemble(cli_session *session);
void cli_session_clear(cli_session *session);

/* Options of the command line over those of the model. */
int cli_session_override(cli_session *session, const cli_settings *settings, const char *path);

int cli_session_override_threads(cli_session *session, const cli_settings *settings);

void cli_print_model(const cli_session *session, const char *path);
void cli_print_assembly(const cli_session *session);
void cli_print_analysis(const ts_options *options, int64_t first);
void cli_json_model(ts_json *j, const cli_session *session, const char *path);
void cli_json_assembly(ts_json *j, const cli_session *session);
void cli_json_analysis(ts_json *j, const ts_options *options);

/* ---- scheme_spec.c ---- */

/* "ED", or "S4-B:alpha=1/36": a scheme and its parameters, for ts_step_options. */
typedef struct cli_scheme {
    const ts_scheme *scheme;
    ts_scheme_values parameters;
    char words[80]; /* the same for people: ", alpha 0.02778" */
} cli_scheme;
int cli_scheme_read(cli_scheme *out, const char *option, const char *text, size_t length);

/* ---- progress.c ---- */

typedef struct cli_progress {
    bool json, quiet, terminal;
    int64_t first, iterations; /* first step; iterations since */
    double energy_scale;
    double begun, printed; /* wall times */
    int64_t tenth;         /* last tenth of the run that was told */
    bool line;             /* a line stands on the terminal, to be rewritten */
} cli_progress;

double cli_wall_time(void);
void cli_progress_begin(cli_progress *p, const ts_system *system, const cli_settings *settings);
void cli_progress_step(cli_progress *p, const ts_system *system, const ts_step_report *report);
void cli_progress_end(cli_progress *p);

extern volatile sig_atomic_t cli_stop; /* the signal that asked to stop, or 0 */
extern void (*cli_abandon)(
    void); /* called before a second signal ends the program; NULL: nothing */
void cli_catch_signals(void);

/* ---- verdict.c ---- */

typedef struct cli_verdict {
    ts_ledger start, end;
    double t_start, t_end;
    int64_t step, steps; /* reached, planned */
    ts_summary summary;
    const char *status;        /* "completed", "interrupted", "failed: ..." */
    const char *results, *csv; /* paths, or NULL */
    const char *worst_part;    /* with the largest violation */
    bool statics;              /* no energy audit */
    int unstable;              /* statics: ways in which the end is unstable, 0 if unknown */
    const char *solver;        /* of the linear equations, as asked for */
    double worst_violation_time;
} cli_verdict;

void cli_verdict_print(const cli_verdict *v);
void cli_verdict_json(const cli_verdict *v, int exit_code);
void cli_verdict_warn(
    const cli_verdict *v); /* on stderr, if the audit did not close or an equilibrium is unstable */
/* What is large enough to be told, a line for each. */
void cli_print_resolution(const ts_audit *audit, const char *indent);
/* One sentence; whether it is a good one. */
bool cli_verdict_audit(const cli_verdict *v, char *text, size_t size);

/* ---- cmd_report.c ---- */

/* May a report be written there? Exit code. */
int cli_report_check(const char *output);
/* A page of HTML that shows the runs in results files. Exit code. */
int cli_report(int count, char *const *results, const char *output, int64_t frames);

/* ---- simulate.c ---- */

/* Runs the assembled session from its state to the end. Exit code. */
int cli_simulate(cli_session *session, const cli_settings *settings, const char *output);

#endif
