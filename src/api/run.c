/* Runs for programs: what `torsor run` does, a step at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/error.h"

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
        g->signal = ts_realloc(g->signal, (size_t)g->count + 1, sizeof *g->signal);
        g->signal[g->count++] = s;
    }
    for (int r = 0; r < model->rows_count; r++) {
        int s = model->rows[r].signal;
        if (s >= 0) model->signals[s].input.ramp = true;
    }
}

static void find_stations(torsor_run *run) {
    const ts_model *model = run->document->model;
    run->station = ts_calloc((size_t)model->sites_count + 1, sizeof(int));
    for (int s = 0; s < model->sites_count; s++)
        if (model->sites[s].weight > 0) run->station[run->stations++] = s;
}

/* A motion that says nothing new at first is left out; one that will be told something new must not be. */
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

static int assemble(torsor_run *run) {
    ts_model *model = run->document->model;
    const ts_options *o = &run->document->options;
    int status = ts_system_new(&run->system, model);
    if (!status) status = ts_assemble_initial(run->system, model, &run->assembly);
    if (!status) status = check_motions(model);
    if (status) return status;
    ts_system_begin(run->system);
    return o->settle ? ts_start_static(run->system, o, o->settle, &run->assembly) : 0;
}

int ts_run_from_document(torsor_run **out, ts_document *document) {
    torsor_run *run = ts_calloc(1, sizeof *run);
    run->document = document, run->stored = -1, run->last.worst = "";
    find_inputs(run);
    find_stations(run);
    int status = assemble(run);
    ts_instant_new(&run->instant, document->model);
    if (!status) ts_instant_now(&run->instant, &run->system->state);
    if (status) torsor_run_free(run), run = NULL;
    *out = run;
    return status;
}

int ts_api_run_new(torsor_run **out, const torsor_model *model) {
    if (!out || !model) return ts_null_argument("torsor_run_new");
    ts_document *document;
    *out = NULL;
    int status = ts_model_document(&document, model);
    return status ? status : ts_run_from_document(out, document);
}

static void take_apart(void *run_) {
    torsor_run *run = run_;
    ts_runner_free(run->runner);
    ts_assembly_report_clear(&run->assembly);
    ts_instant_clear(&run->instant);
    ts_system_free(run->system);
    ts_document_free(run->document);
    for (int i = 0; i < run->inputs; i++) free(run->input[i].signal);
    free(run->input), free(run->station);
    free(run);
}

void torsor_run_free(torsor_run *run) {
    if (!run) return;
    torsor_run_finish(run);
    ts_pool_free(run, take_apart);
}

/* ---- restarting ---- */

/* The last state from which the run goes on bit for bit: see cmd_restart.c. */
static int last_regular(ts_results *r, const ts_options *o, int64_t *frame) {
    int64_t step, last = ts_results_frames(r) - 1;
    for (*frame = last; *frame > 0; --*frame) {
        int status = ts_results_frame_step(r, *frame, &step, NULL);
        if (status || step % o->store_every == 0) return status;
        if (*frame == last && step >= llround(o->t_end / o->h)) return 0;
    }
    return 0;
}

static int read_restart(ts_document **out, ts_results *r, const char *path, int64_t *frame,
                        double t_end) {
    size_t length;
    const char *text = ts_results_text(r, &length);
    int status = ts_document_parse(out, text, length, path, NULL);
    if (status) return status;
    ts_options *o = &(*out)->options;
    status = ts_results_options(r, o);
    if (!status && *frame < 0) status = last_regular(r, o, frame);
    if (t_end > 0) o->t_end = t_end;
    if (status) ts_document_free(*out), *out = NULL;
    return status;
}

int ts_api_run_restart(torsor_run **out, const char *results, int64_t frame, double t_end) {
    if (!out || !results) return ts_null_argument("torsor_run_restart");
    ts_results *r;
    ts_document *document = NULL;
    *out = NULL;
    ts_lock_libraries();
    int status = ts_results_open(&r, results);
    if (!status) status = read_restart(&document, r, results, &frame, t_end);
    if (!status) status = ts_run_from_document(out, document);
    if (!status) status = ts_results_state(r, frame, (*out)->system);
    if (!status) status = ts_results_inputs(r, frame, document->model);
    if (!status) ts_instant_now(&(*out)->instant, &(*out)->system->state);
    ts_results_free(r);
    ts_unlock_libraries();
    if (status) torsor_run_free(*out), *out = NULL;
    return status;
}

/* ---- recording ---- */

static int store(torsor_run *run) {
    if (!run->results) return 0;
    ts_lock_libraries();
    int status = ts_results_store(run->results, run->system);
    ts_unlock_libraries();
    run->stored = run->system->state.step;
    return status;
}

static int need_analysis(const torsor_run *run) {
    if (run->document->options.h > 0) return 0;
    return ts_fail(TORSOR_EINVAL,
                   "the model has no 'analysis': set analysis.step and analysis.end first");
}

int ts_api_run_record(torsor_run *run, const char *path) {
    if (!run || !path) return ts_null_argument("torsor_run_record");
    if (run->results) return ts_fail(TORSOR_EINVAL, "this run is being recorded already");
    int status = need_analysis(run);
    if (!status) status = ts_check_target(path);
    if (status) return status;
    ts_lock_libraries();
    status =
        ts_results_create(&run->results, path, run->document, run->system, run->system->state.step);
    ts_unlock_libraries();
    return status ? status : store(run);
}

static int close_as(torsor_run *run, const char *said) {
    int stored = run->stored == run->system->state.step ? 0 : store(run);
    ts_lock_libraries();
    const ts_summary *summary = run->runner ? ts_runner_summary(run->runner) : NULL;
    int closed = ts_results_close(run->results, said, summary);
    ts_unlock_libraries();
    run->results = NULL;
    return stored ? stored : closed;
}

int ts_api_run_finish(torsor_run *run) {
    if (!run || !run->results) return 0;
    return close_as(run, torsor_run_ended(run) ? "completed" : "interrupted");
}

/* The error of the step is the one to tell, whatever comes of closing the file. */
static int fail_step(torsor_run *run, int status) {
    torsor_problem why = *torsor_error_details();
    char message[1024], part[400], said[1100];
    snprintf(message, sizeof message, "%s", why.message);
    snprintf(part, sizeof part, "%s", why.part);
    snprintf(said, sizeof said, "failed: %s", message);
    double time = isnan(why.time) ? run->system->state.t : why.time;
    run->failed = true;
    if (run->results) close_as(run, said);
    ts_fail(status, "%s", message);
    return ts_blame(status, part, time);
}

/* ---- stepping ---- */

static int ask(const torsor_run *run, int (*callback)(void *, torsor_run *)) {
    if (!callback || callback(run->observer.context, (torsor_run *)run) == 0) return 0;
    ts_fail(TORSOR_EINTERRUPTED, "stopped by the caller at t = %.9g s", run->system->state.t);
    return ts_blame(TORSOR_EINTERRUPTED, "", run->system->state.t);
}

static void begin_inputs(torsor_run *run) {
    double t = run->system->state.t, h = run->document->options.h;
    for (int i = 0; i < run->inputs; i++)
        for (int k = 0; k < run->input[i].count; k++)
            ts_input_begin(&run->document->model->signals[run->input[i].signal[k]], t, h);
}

static int begin(torsor_run *run) {
    if (run->failed) return ts_fail(TORSOR_EINVAL, "this run has failed before: it cannot go on");
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
}

static int record_step(torsor_run *run) {
    if (!run->results) return 0;
    ts_lock_libraries();
    int status = ts_results_step(run->results, run->system, &run->report);
    ts_unlock_libraries();
    if (!status && ts_runner_stores(run->runner)) status = store(run);
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
    begin_inputs(run);
    status = ts_runner_step(run->runner, true, &run->report);
    if (status) return fail_step(run, status);
    ts_instant_now(&run->instant, &run->system->state);
    note_step(run);
    status = record_step(run);
    return status ? fail_step(run, status) : ask(run, run->observer.after);
}

int ts_api_run_to(torsor_run *run, double t) {
    if (!run) return ts_null_argument("torsor_run_to");
    int status = begin(run);
    double margin = 1e-6 * run->document->options.h;
    while (!status && !ts_runner_ended(run->runner) && run->system->state.t < t - margin)
        status = torsor_run_step(run);
    return status;
}

bool torsor_run_ended(const torsor_run *run) {
    if (run->failed) return true;
    return run->runner ? ts_runner_ended(run->runner)
                       : run->system->state.step >= torsor_run_steps_planned(run);
}

void torsor_run_observe(torsor_run *run, const torsor_observer *observer) {
    run->observer = observer ? *observer : (torsor_observer){0};
}

/* ---- inputs ---- */

int torsor_run_inputs(const torsor_run *run) { return run->inputs; }

const char *torsor_run_input_name(const torsor_run *run, int i) {
    return i >= 0 && i < run->inputs ? run->input[i].name : NULL;
}

int torsor_run_input_find(const torsor_run *run, const char *name) {
    for (int i = 0; i < run->inputs; i++)
        if (strcmp(run->input[i].name, name) == 0) return i;
    return -1;
}

int torsor_run_input_set(torsor_run *run, int i, double value) {
    if (i < 0 || i >= run->inputs) return ts_out_of_range("input", i, run->inputs);
    if (!isfinite(value))
        return ts_fail(TORSOR_EINVAL, "input '%s' was set to what is no finite number",
                       run->input[i].name);
    for (int k = 0; k < run->input[i].count; k++)
        run->document->model->signals[run->input[i].signal[k]].input.value = value;
    return 0;
}

double torsor_run_input_get(const torsor_run *run, int i) {
    if (i < 0 || i >= run->inputs) return NAN;
    return run->document->model->signals[run->input[i].signal[0]].input.value;
}
