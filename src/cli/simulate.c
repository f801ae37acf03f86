/* SPDX-License-Identifier: Apache-2.0 */
/* The run itself: results file, progress, interruption, table and verdict. Used by `run` and
 * `restart`. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

typedef struct simulation {
    torsor_run *run;
    const cli_settings *settings;
    cli_progress progress;
    cli_verdict verdict;
    bool warned; /* of a slow BLAS, if it is */
} simulation;

/* ---- the table of comma-separated values ---- */

static int write_columns(torsor_results *results, const char *path, double *last) {
    char *lines;
    int count, status = torsor_results_outputs(results, &lines);
    if (status) return status;
    char **selector = cli_split_lines(lines, &count);
    status = torsor_results_csv(results, count, (const char *const *)selector, path);
    free(selector);
    torsor_text_free(lines);
    int64_t frames = torsor_results_frames(results);
    int t = torsor_results_series_find(results, "frames/t");
    if (!status && frames > 0) torsor_results_read(results, t, frames - 1, 1, last);
    return status;
}

/* From the results, as far as they go. */
static int write_csv(simulation *job) {
    torsor_results *results;
    int status = torsor_results_open(&results, job->verdict.results);
    if (!status) status = write_columns(results, job->settings->csv, &job->verdict.t_stored);
    torsor_results_free(results);
    if (!status) job->verdict.csv = job->settings->csv;
    return status ? cli_fail_status(status) : CLI_DONE;
}

/* ---- what the run tells ---- */

/* EP and ED turn a body by an angle phi in a step when its speed is 2 tan(phi/2)/h: too high, by
 * phi^2/12 of itself. */
static void warn_of_turns(const torsor_run *run) {
    const double fifty = 2 * 3.14159265358979 / 50; /* rad a step: 0.13 % */
    const torsor_setup *setup = torsor_run_setup(run);
    torsor_measure m;
    for (int i = 0; i < torsor_run_measures(run); i++) {
        torsor_run_measure(run, i, &m);
        if (strcmp(m.name, "step_turn") == 0) break;
    }
    if (setup->tolerance > 0 || m.value < m.coarse) return;
    fprintf(stderr,
            "torsor: warning: %s turns by up to %.0f deg in a step, which makes its speed %.2g %% "
            "too high for its angle; use steps of %.2g s\n",
            m.where, m.value * 57.29577951, 100 * (2 * tan(m.value / 2) / m.value - 1),
            setup->step * fifty / m.value);
}

/* Which solver it is, is known once a step was made. */
static void warn_of_solver(simulation *job) {
    torsor_summary s;
    torsor_run_summary(job->run, &s);
    cli_warn_of_blas(s.solver);
    job->warned = true;
}

int (*cli_after_step)(torsor_run *run);

static int on_step(void *context, torsor_run *run) {
    simulation *job = context;
    if (!job->warned) warn_of_solver(job);
    cli_progress_step(&job->progress, run);
    if (cli_after_step && cli_after_step(run)) return 1;
    return cli_stop != 0;
}

static void tell_verdict(const simulation *job, int code) {
    if (job->settings->json)
        cli_verdict_json(&job->verdict, code);
    else if (!job->settings->quiet)
        cli_verdict_print(&job->verdict);
    cli_verdict_warn(&job->verdict);
    warn_of_turns(job->run);
}

/* ---- beginning and end ---- */

/* The table of the stored states is also written after a failure, except if the disk is full. */
static int finish(simulation *job, int status) {
    int code = cli_exit_of(status);
    cli_progress_end(&job->progress);
    if (code != CLI_DONE && code != CLI_INTERRUPTED) cli_fail_status(status);
    int closed = torsor_run_finish(job->run);
    if (closed && code != CLI_FILE) code = cli_fail_status(closed);
    if (job->settings->csv && !closed && code != CLI_FILE && write_csv(job)) code = CLI_FILE;
    return code;
}

static int begin(simulation *job, const torsor_resolve *beside) {
    cli_verdict *v = &job->verdict;
    v->run = job->run, v->t_start = torsor_run_time(job->run);
    torsor_run_ledger(job->run, &v->start);
    v->events_start = torsor_run_event_loss(job->run);
    v->dampers_start = torsor_run_damper_loss(job->run);
    v->friction_start = torsor_run_friction_loss(job->run);
    v->impacts_start = torsor_run_impact_loss(job->run);
    if (!v->results) return 0;
    int status = torsor_run_record(job->run, v->results);
    return status || !beside ? status : torsor_resolve_check(beside, v->results);
}

int cli_simulate(torsor_run *run, const cli_settings *settings, const char *output,
                 const torsor_resolve *beside) {
    simulation job = {.run = run, .settings = settings};
    job.verdict.results = settings->no_results ? NULL : output;
    int status = begin(&job, beside);
    if (status) return cli_fail_status(status);
    cli_catch_signals();
    cli_progress_begin(&job.progress, run, settings);
    torsor_observer observer = {.context = &job, .after = on_step};
    torsor_run_observe(run, &observer);
    torsor_run_stop_when(run, &cli_stop);
    status = torsor_run_to(run, INFINITY);
    if (!status) status = torsor_run_complete(run);
    torsor_run_observe(run, NULL);
    int code = finish(&job, status);
    tell_verdict(&job, code);
    return code;
}
