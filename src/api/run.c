/* SPDX-License-Identifier: Apache-2.0 */
/* Runs for programs: what `torsor run` does, a step at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/equilibrium.h"
#include "api/api.h"
#include "base/error.h"
#include "system/part_energy.h"
#include "system/variables.h"

/* ---- making ---- */

static ts_input_group *group_named(torsor_run *run, const char *name) {
    for (int i = 0; i < run->inputs; i++)
        if (strcmp(run->input[i].name, name) == 0) return &run->input[i];
    run->input = ts_realloc(run->input, (size_t)run->inputs + 1, sizeof *run->input);
    run->input[run->inputs] = (ts_input_group){.name = name};
    return &run->input[run->inputs++];
}

static void find_inputs(torsor_run *run) {
    const ts_model *model = run->document->model;
    for (int s = 0; s < model->signals_count; s++) {
        if (model->signals[s].kind != TS_SIGNAL_INPUT) continue;
        ts_input_group *g = group_named(run, model->signals[s].name);
        g->place = ts_realloc(g->place, (size_t)g->count + 1, sizeof *g->place);
        g->place[g->count++] = model->signals[s].input;
    }
}

static void find_stations(torsor_run *run) {
    const ts_model *model = run->document->model;
    run->station = ts_calloc((size_t)model->stations_count + 1, sizeof(int));
    for (int s = 0; s < model->stations_count; s++)
        if (model->stations[s].kind == TS_STATION_LINE) run->station[run->stations++] = s;
}

/* A motion that agrees with other constraints is left out as redundant. A motion that follows an
 * input must not be left out, because its value changes later. */
static int check_motions(const ts_model *model) {
    for (int r = 0; r < model->rows_count; r++) {
        const ts_row *row = &model->rows[r];
        bool input = row->signal >= 0 && model->signals[row->signal].kind == TS_SIGNAL_INPUT;
        if (!input || !row->redundant) continue;
        const char *part = model->parts[model->sites[row->site].part].name;
        ts_fail(TORSOR_EINVAL,
                "motion '%s' follows the input '%s', but what it moves is fixed or driven already",
                part, model->signals[row->signal].name);
        return ts_blame(TORSOR_EINVAL, part, 0);
    }
    return 0;
}

int ts_start(ts_system **out, const ts_document *document, ts_assembly_report *report) {
    const ts_options *o = &document->options;
    int status = ts_system_new(out, document->model);
    if (!status) status = ts_assemble_initial(*out, document->model, report);
    if (!status) status = check_motions(document->model);
    if (status) return status;
    if (o->statics) ts_rest(*out); /* drives that move have no part in it */
    ts_system_begin(*out);
    if (o->statics) (*out)->energy_start = (*out)->ledger.elastic; /* weight is a load there */
    ts_variables_start(*out);
    status = ts_check_finite(*out);
    if (status) return status;
    return o->settle ? ts_start_static(*out, o, o->settle, report) : 0;
}

int ts_run_from_document(torsor_run **out, ts_document *document) {
    torsor_run *run = ts_calloc(1, sizeof *run);
    run->document = document, run->stored = -1, run->last.worst = "";
    find_inputs(run);
    find_stations(run);
    int status = ts_start(&run->system, document, &run->assembly);
    ts_instant_new(&run->instant, document->model);
    if (status) torsor_run_free(run), run = NULL;
    *out = run;
    return status;
}

int ts_api_run_begin(torsor_run **out, const torsor_model *model, const torsor_options *options) {
    if (!out || !model) return ts_null_argument("torsor_run_begin");
    ts_document *document;
    *out = NULL;
    int status = ts_model_document(&document, model);
    if (!status && options)
        status = ts_choices_apply(&options->choices, &document->options, model->name);
    if (status) {
        ts_document_free(document);
        return status;
    }
    return ts_run_from_document(out, document);
}

int ts_api_run_new(torsor_run **out, const torsor_model *model) {
    return ts_api_run_begin(out, model, NULL);
}

static void take_apart(void *whole) {
    torsor_run *run = whole;
    ts_runner_free(run->runner);
    ts_assembly_report_clear(&run->assembly);
    ts_instant_clear(&run->instant);
    ts_system_free(run->system);
    ts_document_free(run->document);
    for (int i = 0; i < run->inputs; i++) free(run->input[i].place);
    free(run->input), free(run->station), free(run->happened);
    free(run);
}

void torsor_run_free(torsor_run *run) {
    if (!run) return;
    torsor_run_finish(run);
    ts_pool_free(run, take_apart);
}

/* ---- recording ---- */

/* A process that was forked from the one that records has a copy of the run: it may look at it, but
 * the file is not its own. */
static bool is_foreign(const torsor_run *run) { return run->results && run->recorder != getpid(); }

static int store(torsor_run *run) {
    if (!run->results) return 0;
    ts_lock_libraries();
    int status = ts_results_store(run->results, run->system);
    ts_unlock_libraries();
    run->stored = run->system->state.step;
    ts_state_stored(run->system->model, &run->system->state);
    return status;
}

static int need_analysis(const torsor_run *run) {
    if (run->document->options.h > 0) return 0;
    return ts_fail(TORSOR_EINVAL,
                   "the model has no 'analysis': set analysis.step and analysis.end first");
}

/* Closes the results and returns the first error. */
static int fail_record(torsor_run *run, int status) {
    char message[1024], said[1100];
    if (!run->results) return status;
    snprintf(message, sizeof message, "%s", torsor_error());
    snprintf(said, sizeof said, "failed: %s", message);
    ts_lock_libraries();
    ts_results_close(run->results, said, NULL);
    ts_unlock_libraries();
    run->results = NULL, run->stored = -1;
    return ts_fail(status, "%s", message);
}

int ts_api_run_record(torsor_run *run, const char *path) {
    if (!run || !path) return ts_null_argument("torsor_run_record");
    if (run->results) return ts_fail(TORSOR_EINVAL, "this run is being recorded already");
    int status = need_analysis(run);
    if (status) return status;
    run->recorder = getpid();
    ts_lock_libraries();
    status =
        ts_results_create(&run->results, path, run->document, run->system, run->system->state.step);
    ts_unlock_libraries();
    if (!status) status = store(run);
    return status ? fail_record(run, status) : 0;
}

static int close_as(torsor_run *run, const char *said) {
    int stored = run->stored == run->system->state.step ? 0 : store(run);
    ts_summary summary = {0};
    if (run->runner) summary = ts_run_sum_up(run);
    ts_lock_libraries();
    int closed = ts_results_close(run->results, said, run->runner ? &summary : NULL);
    ts_unlock_libraries();
    run->results = NULL;
    return stored ? stored : closed;
}

int ts_api_run_finish(torsor_run *run) {
    if (!run || !run->results || is_foreign(run)) return 0;
    return close_as(run, torsor_run_ended(run) ? "completed" : "interrupted");
}

/* The time of the last state that is in a file, NaN: there is none. */
static double safe_until(const char *path) {
    ts_results *file = NULL;
    int64_t step;
    double t = NAN;
    ts_lock_libraries();
    int status = ts_results_open(&file, path);
    int64_t frames = status ? 0 : ts_results_frames(file);
    if (frames > 0 && ts_results_frame_step(file, frames - 1, &step, &t)) t = NAN;
    ts_results_free(file);
    ts_unlock_libraries();
    return t;
}

/* The error of the step is reported, not an error of closing the file. */
static int fail_step(torsor_run *run, int status) {
    torsor_problem why = *torsor_error_details();
    char message[1024], part[400], said[1100];
    snprintf(message, sizeof message, "%s", why.message);
    snprintf(part, sizeof part, "%s", why.part);
    snprintf(said, sizeof said, "failed: %s", message);
    double time = isnan(why.time) ? run->system->state.t : why.time;
    run->failed = true;
    snprintf(run->said, sizeof run->said, "%.290s", said);
    char path[400] = "";
    if (run->results) snprintf(path, sizeof path, "%s", ts_results_path(run->results));
    if (run->results) close_as(run, said);
    double safe = status == TORSOR_EIO && *path ? safe_until(path) : NAN;
    if (isnan(safe))
        ts_fail(status, "%s", message);
    else
        ts_fail(status,
                "%s; its states up to t = %.9g s are safe, and 'restart' continues from them",
                message, safe);
    return ts_blame(status, part, time);
}

int ts_api_run_complete(torsor_run *run) {
    if (!run) return ts_null_argument("torsor_run_complete");
    if (!run->runner || run->failed || !ts_runner_ended(run->runner)) return 0;
    int status = ts_run_complete(ts_runner_summary(run->runner), &run->document->options);
    return status ? fail_step(run, status) : 0;
}

/* ---- stepping ---- */

static int stopped_by_caller(torsor_run *run) {
    snprintf(run->said, sizeof run->said, "interrupted");
    ts_fail(TORSOR_EINTERRUPTED, "stopped by the caller at t = %.9g s", run->system->state.t);
    return ts_blame(TORSOR_EINTERRUPTED, "", run->system->state.t);
}

static int ask(torsor_run *run, int (*callback)(void *, torsor_run *)) {
    if (!callback || callback(run->observer.context, run) == 0) return 0;
    return stopped_by_caller(run);
}

/* All events of the step are reported, also if one of the answers stops the run. */
static int tell_events(torsor_run *run) {
    int stop = 0;
    for (int i = 0; run->listener.happened && i < torsor_run_events(run); i++) {
        torsor_event event;
        torsor_run_event(run, i, &event);
        bool now = event.count != run->happened[i];
        run->happened[i] = event.count;
        if (now) stop |= run->listener.happened(run->listener.context, run, &event);
    }
    return stop ? stopped_by_caller(run) : 0;
}

int ts_api_run_on_event(torsor_run *run, const torsor_event_listener *listener) {
    if (!run) return ts_null_argument("torsor_run_on_event");
    run->listener = listener ? *listener : (torsor_event_listener){0};
    int events = torsor_run_events(run);
    if (!run->happened) run->happened = ts_calloc((size_t)events + 1, sizeof *run->happened);
    for (int i = 0; i < events; i++) {
        torsor_event event;
        torsor_run_event(run, i, &event);
        run->happened[i] = event.count;
    }
    return 0;
}

static void begin_inputs(torsor_run *run) {
    double t = run->system->state.t, h = run->document->options.h;
    for (int i = 0; i < run->document->model->inputs; i++)
        ts_input_begin(&run->system->state.inputs[i], t, h);
}

static int begin(torsor_run *run) {
    if (!run->failed) *run->said = 0;
    if (run->failed)
        return ts_fail(TORSOR_EINVAL, "this run has failed before: it cannot continue");
    if (is_foreign(run))
        return ts_fail(TORSOR_EINVAL,
                       "this run is recorded by process %ld: a process that was forked from it "
                       "cannot continue it",
                       (long)run->recorder);
    if (run->runner) return 0;
    int status = need_analysis(run);
    return status ? status : ts_runner_new(&run->runner, run->system, &run->document->options);
}

static void note_step(torsor_run *run) {
    const ts_step_report *r = &run->report;
    run->last = (torsor_step){.step = r->step,
                              .steps = r->steps,
                              .t = r->t,
                              .h = r->h,
                              .iterations = r->iterations,
                              .cuts = r->cuts,
                              .violation = r->violation,
                              .rate_violation = r->rate_violation,
                              .worst = r->worst};
    if (r->violation <= run->worst_violation) return;
    run->worst_violation = r->violation, run->worst_time = r->t;
    snprintf(run->worst_part, sizeof run->worst_part, "%s", r->worst);
}

static int record_step(torsor_run *run) {
    if (!run->results) return 0;
    ts_lock_libraries();
    int status = ts_results_step(run->results, run->system, &run->report);
    ts_unlock_libraries();
    if (!status && ts_runner_stores(run->runner)) status = store(run);
    return status;
}

static int make_step(torsor_run *run) {
    double begun = ts_wall_time();
    begin_inputs(run);
    int status = ts_runner_step(run->runner, true, &run->report);
    if (!status) {
        run->instant_known = false;
        note_step(run);
        status = record_step(run);
    }
    run->seconds += ts_wall_time() - begun;
    return status;
}

int ts_api_run_step(torsor_run *run) {
    if (!run) return ts_null_argument("torsor_run_step");
    int status = begin(run);
    if (status) return status;
    if (ts_runner_ended(run->runner))
        return ts_fail(TORSOR_EINVAL, "the run is at its end, t = %.9g s", run->system->state.t);
    status = ask(run, run->observer.before);
    if (status) return status;
    status = make_step(run);
    if (status == TORSOR_EINTERRUPTED) { /* within the step, which is not made */
        snprintf(run->said, sizeof run->said, "interrupted");
        return status;
    }
    if (status) return fail_step(run, status);
    status = tell_events(run);
    return status ? status : ask(run, run->observer.after);
}

int ts_api_run_to(torsor_run *run, double t) {
    if (!run) return ts_null_argument("torsor_run_to");
    if (isnan(t)) return ts_fail(TORSOR_EINVAL, "the time to run to is not a number");
    int status = begin(run);
    double margin = 1e-6 * run->document->options.h;
    while (!status && !ts_runner_ended(run->runner) && run->system->state.t < t - margin)
        status = ts_api_run_step(run);
    return status;
}

bool torsor_run_ended(const torsor_run *run) {
    if (!run) return true;
    if (run->failed) return true;
    return run->runner ? ts_runner_ended(run->runner)
                       : run->system->state.step >= torsor_run_steps_planned(run);
}

void torsor_run_observe(torsor_run *run, const torsor_observer *observer) {
    if (run) run->observer = observer ? *observer : (torsor_observer){0};
}

void torsor_run_stop_when(torsor_run *run, const volatile int *flag) {
    if (run) run->document->options.stop = flag;
}

/* ---- inputs ---- */

int torsor_run_inputs(const torsor_run *run) { return run ? run->inputs : 0; }

const char *torsor_run_input_name(const torsor_run *run, int i) {
    return run && i >= 0 && i < run->inputs ? run->input[i].name : NULL;
}

int torsor_run_input_find(const torsor_run *run, const char *name) {
    for (int i = 0; run && name && i < run->inputs; i++)
        if (strcmp(run->input[i].name, name) == 0) return i;
    return -1;
}

int torsor_run_input_set(torsor_run *run, int i, double value) {
    if (!run) return ts_null_argument("torsor_run_input_set");
    if (i < 0 || i >= run->inputs) return ts_out_of_range("input", i, run->inputs);
    if (!isfinite(value))
        return ts_fail(TORSOR_EINVAL, "input '%s': expected a finite number", run->input[i].name);
    for (int k = 0; k < run->input[i].count; k++)
        run->system->state.inputs[run->input[i].place[k]].value = value;
    return 0;
}

double torsor_run_input_get(const torsor_run *run, int i) {
    if (!run || i < 0 || i >= run->inputs) return NAN;
    return run->system->state.inputs[run->input[i].place[0]].value;
}
