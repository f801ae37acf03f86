/* The run itself: results file, progress, interruption and verdict around ts_run. Used by `run` and
 * `restart`. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/resolve.h"

typedef struct simulation {
    cli_session *session;
    const cli_settings *settings;
    const char *output; /* NULL: no results */
    ts_results *results;
    int64_t stored; /* step of the last stored state, -1 when there is none */
    cli_progress progress;
    cli_verdict verdict;
    char worst_part[80];
    double worst_violation;
    char status[300];
} simulation;

/* ---- the table of comma-separated values ---- */

static int write_columns(const simulation *job, FILE *out) {
    const ts_document *d = job->session->document;
    ts_results *results;
    int status = ts_results_open(&results, job->output);
    if (!status) status = ts_results_csv(results, d->csv_count, d->csv, out);
    ts_results_free(results);
    return status;
}

/* Unknown columns are found now, not after hours. */
static int try_columns(const simulation *job) {
    FILE *nowhere = fopen("/dev/null", "w");
    if (!nowhere) return 0;
    int status = ts_results_flush(job->results);
    if (!status) status = write_columns(job, nowhere);
    fclose(nowhere);
    return status;
}

static int try_channels(const simulation *job) {
    int status = ts_results_flush(job->results);
    return status ? status : cli_channels_try(job->output, job->settings->channels);
}

static int write_csv(const simulation *job) {
    const char *path = job->settings->csv;
    FILE *out = fopen(path, "w");
    if (!out) return cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(errno));
    int status = write_columns(job, out);
    int wrong = ferror(out) ? EIO : 0;
    if (fclose(out)) wrong = errno;
    if (status) return cli_fail_status(status);
    return wrong ? cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(wrong)) : CLI_DONE;
}

/* ---- what the run tells ---- */

/* EP and ED turn a body by an angle phi in a step when its speed is 2 tan(phi/2)/h: too high, by phi^2/12 of itself. */
static void warn_of_turns(const simulation *job) {
    const double fifty = 2 * 3.14159265358979 / 50; /* rad a step: 0.13 % */
    const ts_options *o = &job->session->document->options;
    const ts_audit *audit = &job->verdict.summary.audit;
    double turn = audit->peak[TS_STEP_TURN].value;
    if (o->step_tolerance > 0 || turn < TS_GAUGE[TS_STEP_TURN].coarse) return;
    fprintf(stderr,
            "torsor: warning: %s turns by up to %.0f deg in a step, which makes its speed %.2g "
            "%% too high for its "
            "angle; steps of %.2g s would be short enough\n",
            audit->where[TS_STEP_TURN], turn * 57.29577951, 100 * (2 * tan(turn / 2) / turn - 1),
            o->h * fifty / turn);
}

static int on_stored(void *context, const ts_system *system) {
    simulation *job = context;
    bool first = job->stored < 0;
    job->stored = system->state.step;
    if (!job->results) return 0;
    int status = ts_results_store(job->results, system);
    if (!status && first && job->session->document->csv_count) status = try_columns(job);
    if (!status && first && job->settings->channels) status = try_channels(job);
    return status;
}

static int on_stepped(void *context, const ts_system *system, const ts_step_report *report) {
    simulation *job = context;
    if (report->violation > job->worst_violation) {
        job->worst_violation = report->violation;
        job->verdict.worst_violation_time = report->t;
        snprintf(job->worst_part, sizeof job->worst_part, "%s", report->worst);
    }
    cli_progress_step(&job->progress, system, report);
    int status = job->results ? ts_results_step(job->results, system, report) : 0;
    return status || !cli_stop ? status : TORSOR_EINTERRUPTED;
}

/* ---- beginning and end ---- */

static int create_results(simulation *job) {
    const ts_document *document = job->session->document;
    const ts_system *system = job->session->system;
    if (!job->output) return 0;
    return ts_results_create(&job->results, job->output, document, system, system->state.step);
}

static void begin_verdict(simulation *job) {
    const ts_system *system = job->session->system;
    const ts_options *o = &job->session->document->options;
    cli_verdict *v = &job->verdict;
    v->start = system->ledger, v->t_start = system->state.t;
    v->steps = llround(o->t_end / o->h);
    v->statics = o->statics;
    v->solver = o->solver;
    v->results = job->output, v->worst_part = job->worst_part, v->status = job->status;
}

static void name_status(simulation *job, int status) {
    const char *const said = status == 0 ? "completed" : "interrupted";
    if (status == 0 || status == TORSOR_EINTERRUPTED)
        snprintf(job->status, sizeof job->status, "%s", said);
    else
        snprintf(job->status, sizeof job->status, "failed: %s", torsor_error());
}

/* The last good state, wherever the run stopped, and the file closed. */
static int close_results(simulation *job, int status) {
    const ts_system *system = job->session->system;
    if (!job->results) return 0;
    int code = 0;
    if (status != TORSOR_EIO && job->stored != system->state.step)
        code = ts_results_store(job->results, system);
    int closed = ts_results_close(job->results, job->status, &job->verdict.summary);
    job->results = NULL;
    return code ? code : closed;
}

static int finish(simulation *job, int status) {
    const ts_system *system = job->session->system;
    int code = cli_exit_of(status);
    cli_progress_end(&job->progress);
    name_status(job, status);
    if (code != CLI_DONE && code != CLI_INTERRUPTED) cli_fail(code, "%s", torsor_error());
    job->verdict.unstable = job->verdict.summary.unstable;
    int closed = close_results(job, status);
    if (closed && code != CLI_FILE) code = cli_fail_status(closed);
    bool table = job->settings->csv && !closed && (code == CLI_DONE || code == CLI_INTERRUPTED);
    if (table && write_csv(job))
        code = CLI_FILE;
    else if (table)
        job->verdict.csv = job->settings->csv;
    job->verdict.end = system->ledger;
    job->verdict.t_end = system->state.t, job->verdict.step = system->state.step;
    return code;
}

static void tell_verdict(const simulation *job, int code) {
    if (job->settings->json)
        cli_verdict_json(&job->verdict, code);
    else if (!job->settings->quiet)
        cli_verdict_print(&job->verdict);
    cli_verdict_warn(&job->verdict);
    warn_of_turns(job);
}

int cli_simulate(cli_session *session, const cli_settings *settings, const char *output) {
    simulation job = {.session = session, .settings = settings, .stored = -1};
    job.output = settings->no_results ? NULL : output;
    begin_verdict(&job);
    int status = create_results(&job);
    if (status) return cli_fail_status(status);
    cli_catch_signals();
    cli_progress_begin(&job.progress, session->system, settings);
    session->document->options.stop = &cli_stop;
    ts_observer observer = {.context = &job, .stepped = on_stepped, .stored = on_stored};
    status = ts_run(session->system, &session->document->options, &observer, &job.verdict.summary);
    if (!status) status = ts_run_complete(&job.verdict.summary, &session->document->options);
    int code = finish(&job, status);
    tell_verdict(&job, code);
    return code;
}
