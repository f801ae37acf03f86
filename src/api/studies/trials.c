/* SPDX-License-Identifier: Apache-2.0 */
/* Trials in threads side by side. See trials.h.
 *
 * The model is read and assembled once, and no run changes it; every trial has a system of its own.
 * A trial that fails is a line in a table. Threads, not processes: a library cannot fork, because
 * its caller may have threads, and then a child may do next to nothing before exec (POSIX, fork).
 */
#include "api/studies/trials.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { SAMPLES = 200, FINER = 4, MOST_JOBS = 256 };
static const double LOOK = 0.02, REWRITE = 0.2; /* s */

/* ---- the ladder ---- */

static int read_time(const char *option, const char *text, size_t length, double *value) {
    int status = ts_option_quantity(option, text, length, (ts_dim){.time = 1}, value);
    if (status) return status;
    return *value > 0 && isfinite(*value)
               ? 0
               : ts_option_fail(option, text, "expected a step, such as 1ms");
}

/* Whole parts of the longest step, or samples would not be at the same times. */
static int check_whole(const ts_trials *t, const char *option, double step) {
    double parts = t->step[0] / step;
    if (fabs(parts - rint(parts)) < 1e-6 * parts && parts > 0.5) return 0;
    return ts_option_fail(option, NULL,
                          "the longest step, %g s, is not a whole number of steps of %g s",
                          t->step[0], step);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int read_steps(ts_trials *t, const char *text) {
    for (bool more = true; more;) {
        size_t length = strcspn(text, ",");
        if (t->rungs == TS_MOST_RUNGS)
            return ts_option_fail("steps", NULL, "at most %d steps", TS_MOST_RUNGS);
        int code = read_time("steps", text, length, &t->step[t->rungs++]);
        if (code) return code;
        more = text[length] != 0, text += length + 1;
    }
    qsort(t->step, (size_t)t->rungs, sizeof *t->step, by_size);
    for (int i = 1; i < t->rungs; i++)
        if (check_whole(t, "steps", t->step[i])) return TORSOR_EOPTION;
    return 0;
}

static int read_ladder(ts_trials *t, const ts_choices *choices, int levels) {
    if (choices->steps && choices->levels >= 0)
        return ts_fail(TORSOR_EOPTION,
                       "steps and levels both choose the ladder: give one of them, not both");
    if (choices->levels >= 0) levels = (int)fmin(TS_MOST_RUNGS + 1, (double)choices->levels);
    int code = 0;
    if (choices->steps)
        code = read_steps(t, choices->steps);
    else
        for (t->rungs = 0; t->rungs < levels; t->rungs++)
            t->step[t->rungs] = ldexp(t->options.h, -t->rungs);
    if (code) return code;
    t->finest = t->step[t->rungs - 1];
    double steps = rint(t->options.t_end / t->step[0]);
    t->end = steps * t->step[0];
    if (steps < 1)
        return ts_fail(TORSOR_EOPTION, "the run ends (%g s) before its first step (%g s)",
                       t->options.t_end, t->step[0]);
    return 0;
}

/* "ED:0.1ms", "0.1ms" or "S4-B:alpha=1/36" */
static int read_reference(ts_trials *t, const char *text) {
    t->reference_step = t->finest / FINER;
    int code = 0;
    ts_trials_own_scheme(t, &t->reference_scheme);
    if (!text) return 0;
    const char *colon = strrchr(text, ':'), *step = colon ? colon + 1 : text;
    size_t name = colon ? (size_t)(colon - text) : 0;
    if (strchr(step, '=') || (!colon && ts_scheme_find(text))) name = strlen(text), step = NULL;
    if (name > 0) code = ts_scheme_read(&t->reference_scheme, "reference", text, name);
    if (!code && step) code = read_time("reference", step, strlen(step), &t->reference_step);
    return code ? code : check_whole(t, "reference", t->reference_step);
}

void ts_trials_own_scheme(const ts_trials *t, ts_scheme_spec *out) {
    *out = (ts_scheme_spec){.scheme = ts_scheme_find(t->options.scheme)};
    out->parameters = t->options.parameters;
}

/* The option is for all schemes that have it; that of the model need not be one. */
static int take_rho(ts_trials *t, double rho) {
    const char *const name = "rho_inf";
    const ts_scheme *scheme = ts_scheme_find(t->options.scheme);
    t->common = (ts_scheme_values){0};
    if (isnan(rho)) {
        ts_parameters_carry(&t->common, &TS_SCHEME_ED, &t->options.parameters, scheme);
        return 0;
    }
    int status = ts_parameter_set(&t->common, &TS_SCHEME_ED, name, strlen(name), rho);
    if (status || !ts_parameter_acts(scheme, name)) return status;
    return ts_parameter_set(&t->options.parameters, scheme, name, strlen(name), rho);
}

static int read_options(ts_trials *t, ts_document *document, const ts_choices *choices,
                        int levels) {
    if (document->options.statics)
        return ts_fail(TORSOR_EINVAL, "%s is a static analysis: it has no time steps", t->name);
    ts_choices others = *choices;
    others.rho = NAN;
    int status = ts_choices_apply(&others, &document->options, t->name);
    t->options = document->options;
    if (!status) status = take_rho(t, choices->rho);
    if (!status) status = read_ladder(t, choices, levels);
    return status ? status : read_reference(t, choices->reference);
}

int ts_trials_open(ts_trials *t, const torsor_model *model, const torsor_options *options,
                   int levels) {
    ts_document *document;
    int status = ts_model_document(&document, model);
    if (status) return status;
    t->name = ts_strdup(model->name);
    status = read_options(t, document, ts_choices_of(options), levels);
    if (!status) return ts_run_from_document(&t->run, document);
    ts_document_free(document);
    return status;
}

/* ---- what will run ---- */

void ts_trials_plan(ts_trials *t) {
    int64_t steps = llround(t->end / t->step[0]), every = (steps + SAMPLES - 1) / SAMPLES;
    ts_trial_plan_new(&t->plan, t->run->document->model, (double)every * t->step[0],
                      (int)(steps / every) + 1);
}

/* What the scheme was given, and what it has in common with that of the model. */
static void set_scheme(const ts_trials *t, ts_trial *trial, const ts_scheme_spec *spec) {
    ts_scheme_values *values = &trial->options.parameters;
    char words[TS_PARAMETERS_TEXT];
    *values = spec->parameters;
    ts_parameters_carry(values, spec->scheme, &t->common, &TS_SCHEME_ED);
    snprintf(trial->options.scheme, sizeof trial->options.scheme, "%s", spec->scheme->name);
    snprintf(trial->label, sizeof trial->label, "%s%s", spec->scheme->name,
             ts_parameters_words(values, spec->scheme, words));
}

int ts_trials_add(ts_trials *t, const ts_scheme_spec *scheme, double step, ts_trial **out) {
    if (t->count == TS_MOST_TRIALS)
        return ts_fail(TORSOR_EOPTION, "these are more than %d runs", TS_MOST_TRIALS);
    ts_trial *trial = ts_calloc(1, ts_trial_bytes(&t->plan));
    trial->options = t->options;
    trial->options.h = step, trial->options.t_end = t->end, trial->status = TS_TRIAL_SILENT;
    set_scheme(t, trial, scheme);
    t->trial[t->count++] = *out = trial;
    return 0;
}

int ts_trials_add_reference(ts_trials *t) {
    return ts_trials_add(t, &t->reference_scheme, t->reference_step, &t->reference);
}

void ts_trials_clear(ts_trials *t) {
    for (int i = 0; i < t->count; i++) free(t->trial[i]);
    ts_trial_plan_clear(&t->plan);
    torsor_run_free(t->run);
    free(t->name);
}

/* ---- side by side ---- */

typedef struct crew {
    ts_trials *trials;
    int order[TS_MOST_TRIALS]; /* the longest first */
    atomic_int next, done;
    volatile sig_atomic_t stop;
    int jobs;
    pthread_t thread[MOST_JOBS];
    double start, printed;
} crew;

static double length_of(const ts_trial *trial) { return trial->options.t_end / trial->options.h; }

static void sort_crew(crew *c) {
    ts_trials *t = c->trials;
    for (int i = 0; i < t->count; i++) {
        int k = i;
        for (; k > 0 && length_of(t->trial[c->order[k - 1]]) < length_of(t->trial[i]); k--)
            c->order[k] = c->order[k - 1];
        c->order[k] = i;
    }
}

static int run_one(ts_trial *trial, const ts_trials *t) {
    ts_system *own;
    int status = ts_system_copy(&own, t->run->system);
    if (status) return status;
    ts_trial_run(trial, &t->plan, own);
    ts_system_free(own);
    return 0;
}

/* A trial that runs out of memory is one that fails. */
static void run_trial(ts_trial *trial, const crew *c) {
    ts_trap trap;
    trial->options.stop = &c->stop;
    if (setjmp(*ts_trap_aside(&trap)) == 0) {
        ts_trap_end(&trap, run_one(trial, c->trials));
        return;
    }
    trial->status = ts_trap_caught(&trap);
    snprintf(trial->message, sizeof trial->message, "%s", torsor_error());
}

static void *work(void *context) {
    crew *c = context;
    for (int i; !__atomic_load_n(&c->stop, __ATOMIC_RELAXED) &&
                (i = atomic_fetch_add(&c->next, 1)) < c->trials->count;) {
        run_trial(c->trials->trial[c->order[i]], c);
        atomic_fetch_add(&c->done, 1);
    }
    return NULL;
}

/* Prints progress now and then, and asks the caller whether to stop. */
static int tell_progress(crew *c, const torsor_options *options) {
    double now = ts_wall_time(), planned = 0, done = 0;
    if (now - c->printed < REWRITE) return 0;
    c->printed = now;
    for (int i = 0; i < c->trials->count; i++) {
        planned += length_of(c->trials->trial[i]);
        done += (double)c->trials->trial[i]->done;
    }
    char left[TS_WORD], words[160];
    double share = fmin(1, done / planned);
    int count = c->trials->count, ended = c->done, running = count - ended;
    snprintf(words, sizeof words, "%d of %d runs done, %d running, %.0f %%, %s left", ended, count,
             running < c->jobs ? running : c->jobs, 100 * share,
             share > 0 ? ts_words_duration(left, (now - c->start) * (1 / share - 1)) : "?");
    return ts_options_tell(options, words, share);
}

static int jobs_of(const ts_choices *choices, int trials) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = choices->jobs > 0 ? choices->jobs : cores > 0 ? cores : 1;
    if (jobs > trials) jobs = trials;
    return jobs < MOST_JOBS ? (int)jobs : MOST_JOBS;
}

static void nap(void) {
    struct timespec time = {.tv_nsec = (long)(LOOK * 1e9)};
    nanosleep(&time, NULL);
}

const char *ts_trial_trouble(const ts_trial *trial) {
    return trial->status ? (*trial->message ? trial->message : "it did not run") : NULL;
}

/* Nothing is allocated while threads run: an end of memory would leave them behind. */
static int run_crew(crew *c, const torsor_options *options) {
    int status = 0, begun = 0;
    while (begun < c->jobs && !status) {
        status = ts_thread_begin(&c->thread[begun], work, c);
        begun += !status;
    }
    if (begun > 0) status = 0; /* fewer threads take longer */
    while (!status && c->done < c->trials->count) {
        nap();
        status = tell_progress(c, options);
    }
    __atomic_store_n(&c->stop, status != 0, __ATOMIC_RELAXED);
    for (int i = 0; i < begun; i++) pthread_join(c->thread[i], NULL);
    return status;
}

int ts_trials_run(ts_trials *t, const torsor_options *options) {
    crew *c = ts_calloc(1, sizeof *c);
    c->trials = t, c->start = ts_wall_time();
    c->jobs = jobs_of(ts_choices_of(options), t->count);
    sort_crew(c);
    int status = run_crew(c, options);
    free(c);
    const char *trouble = t->reference ? ts_trial_trouble(t->reference) : NULL;
    if (!status && trouble)
        status = ts_fail(TORSOR_EDIVERGED, "the reference, %s with steps of %g s, failed: %s",
                         t->reference->label, t->reference_step, trouble);
    return status;
}
