/* SPDX-License-Identifier: Apache-2.0 */
/* The additional runs for error bars. See resolve.h.
 *
 * Each is a run of its own on a thread of its own, with a document read again from the text of the
 * run and, for half the step, the state as it was at the beginning. Results are written to a
 * temporary folder, which is always removed, also after a second Ctrl-C. The number of simultaneous
 * runs is the number of cores (jobs): each thread takes a semaphore and releases it at its end. The
 * caller, which makes the main run, releases its own at the end of that run.
 *
 * Threads, not processes: a library cannot fork (trials.c).
 */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "api/studies/resolve.h"

#include <errno.h>
#include <math.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { FOLDER_SIZE = 480, PATH_SIZE = 512, SECOND_ORDER = 2, FIRST_ORDER = 1, ATTEMPTS = 20 };
static const double LOOK = 0.02, REWRITE = 0.2; /* s */
static const double HALF_OF_CONTROL = 16; /* ED takes h^4 of a vibration: see analysis/control.c */

typedef struct helper {
    torsor_resolve *resolve;
    int which;
    pthread_t thread;
    bool begun; /* and not yet joined */
    atomic_bool finished;
    int status; /* once finished */
    char message[300];
    _Atomic int64_t step, steps;
    char path[PATH_SIZE], draft[PATH_SIZE + 32]; /* of its results; while they are laid out */
} helper;

struct torsor_resolve {
    ts_handle head;
    pid_t owner;
    const torsor_run *run;
    ts_options options; /* of the run, and its system, as they were at the beginning */
    ts_system *start;
    char *channels; /* NULL: the usual ones */
    int64_t jobs;   /* -1: not given */
    torsor_watch watch;
    char warnings[1000]; /* what is missing, a line for each */
    helper helper[TS_COMPANIONS];
    ts_companion companion[TS_COMPANIONS];
    char folder[FOLDER_SIZE];
    sem_t places;
    volatile sig_atomic_t stop;
    double told;
};

/* A flag for signal handlers that threads look at too. */
static bool stopped(const torsor_resolve *r) { return __atomic_load_n(&r->stop, __ATOMIC_RELAXED); }

/* ---- clearing away ---- */

static void remove_files(torsor_resolve *r) {
    for (int k = 0; k < TS_COMPANIONS; k++)
        if (*r->helper[k].path) unlink(r->helper[k].path), unlink(r->helper[k].draft);
}

/* Calls nothing that a signal handler must not. A thread may be about to make a file: once the
 * folder is gone it cannot. A process that was forked from the owner leaves the runs alone. */
void torsor_resolve_abandon(torsor_resolve *r) {
    if (!r || r->owner != getpid()) return;
    __atomic_store_n(&r->stop, 1, __ATOMIC_RELAXED);
    for (int k = 0; k < TS_COMPANIONS; k++) sem_post(&r->places);
    for (int i = 0; i < ATTEMPTS && *r->folder; i++) {
        remove_files(r);
        if (rmdir(r->folder) == 0 || errno == ENOENT) break;
    }
}

static void join(helper *h) {
    if (h->begun) pthread_join(h->thread, NULL);
    h->begun = false;
}

static void take_apart(void *whole) {
    torsor_resolve *r = whole;
    ts_system_free(r->start);
    sem_destroy(&r->places);
    free(r->channels);
    free(r);
}

void torsor_resolve_free(torsor_resolve *r) {
    if (!r) return;
    torsor_resolve_abandon(r);
    for (int k = 0; k < TS_COMPANIONS && r->owner == getpid(); k++) join(&r->helper[k]);
    ts_pool_free(r, take_apart);
}

/* ---- a run on a thread of its own ---- */

void ts_document_forget_columns(ts_document *d) {
    for (int i = 0; i < d->csv_count; i++) free(d->csv[i]);
    d->csv_count = 0;
}

/* Ends at the same time, and stores states at the same times. */
static int start_half(torsor_run **out, const torsor_resolve *r) {
    const ts_document *drawn = r->run->document;
    ts_document *document;
    int status = ts_document_parse(&document, drawn->text, drawn->length, "the model", NULL);
    if (status) return status;
    ts_options *o = &document->options;
    *o = r->options;
    o->t_end = (double)llround(o->t_end / o->h) * o->h;
    o->h /= 2, o->min_step /= 2, o->step_tolerance /= HALF_OF_CONTROL;
    o->store_every = (int)fmin(1e9, 2.0 * o->store_every);
    o->settle = 0; /* the state is taken over */
    ts_document_forget_columns(document);
    status = ts_run_from_document(out, document);
    if (status) return status;
    ts_system *system = (*out)->system;
    ts_state_copy(system->model, &system->state, &r->start->state);
    system->ledger = r->start->ledger, system->energy_start = r->start->energy_start;
    return 0;
}

static int start_fine(torsor_run **out, const torsor_resolve *r) {
    ts_document *document, drawn = {.text = r->run->document->text,
                                    .length = r->run->document->length,
                                    .options = r->options};
    int status = ts_document_refine(&document, &drawn, 1, "the refined model");
    if (status) return status;
    ts_document_forget_columns(document);
    return ts_run_from_document(out, document);
}

static int (*const START[TS_COMPANIONS])(torsor_run **, const torsor_resolve *) = {
    [TS_HALF] = start_half, [TS_FINE] = start_fine};

static int start_run(torsor_run **out, const helper *h) {
    TS_TRAP_NEW(out);
    return TS_TRAP_END(START[h->which](out, h->resolve));
}

static int on_step(void *context, torsor_run *run) {
    helper *h = context;
    const torsor_step *last = torsor_run_last_step(run);
    h->steps = last->steps;
    h->step = last->step;
    return stopped(h->resolve);
}

static int follow(helper *h) {
    torsor_run *run = NULL;
    torsor_observer observer = {.context = h, .after = on_step};
    int status = start_run(&run, h);
    if (status) return status;
    run->document->options.threads = 1;
    torsor_run_stop_when(run, &h->resolve->stop);
    torsor_run_observe(run, &observer);
    status = torsor_run_record(run, h->path);
    if (!status) status = torsor_run_to(run, INFINITY);
    int closed = torsor_run_finish(run);
    torsor_run_free(run);
    return status ? status : closed;
}

static void take_place(torsor_resolve *r) {
    while (sem_wait(&r->places) && errno == EINTR) continue;
}

static void *be_helper(void *context) {
    helper *h = context;
    take_place(h->resolve);
    h->status = stopped(h->resolve) ? TORSOR_EINTERRUPTED : follow(h);
    if (h->status) snprintf(h->message, sizeof h->message, "%s", ts_error_message());
    h->finished = true;
    sem_post(&h->resolve->places);
    return NULL;
}

static void prepare_helper(torsor_resolve *r, int which) {
    helper *h = &r->helper[which];
    char folder[FOLDER_SIZE];
    memcpy(folder, r->folder, sizeof folder);
    h->resolve = r, h->which = which;
    snprintf(h->path, sizeof h->path, "%s/%d.h5", folder, which);
    snprintf(h->draft, sizeof h->draft, "%s/%d.h5.tmp-torsor", folder, which);
}

static int begin_helper(torsor_resolve *r, int which) {
    helper *h = &r->helper[which];
    if (!h->resolve) return 0;
    int status = ts_thread_begin(&h->thread, be_helper, h);
    h->begun = !status;
    return status;
}

/* ---- beginning ---- */

static int check(const torsor_run *run) {
    const ts_options *o = &run->document->options;
    if (run->runner || run->results)
        return ts_fail(TORSOR_EINVAL, "error bars must be requested before the first step and "
                                      "before the results are recorded");
    if (!(o->h > 0)) return ts_fail(TORSOR_EINVAL, "the model has no 'analysis'");
    if (o->arc_length)
        return ts_fail(TORSOR_EOPTION, "error bars compare runs at the same times: not along an "
                                       "arc length, where each run has its own loads");
    return 0;
}

/* A folder for the results, and places for all cores but the one of the run itself. */
static int prepare(torsor_resolve *r) {
    int64_t jobs = r->jobs > 0 ? r->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs > 1 + TS_COMPANIONS) jobs = 1 + TS_COMPANIONS;
    const char *where = getenv("TMPDIR");
    for (int64_t i = 1; i < jobs; i++) sem_post(&r->places);
    snprintf(r->folder, sizeof r->folder, "%s/torsor-resolve-XXXXXX",
             where && *where && strlen(where) < 300 ? where : "/tmp");
    if (mkdtemp(r->folder)) return 0;
    int code = ts_fail(TORSOR_EIO, "cannot make the folder %s: %s", r->folder, strerror(errno));
    *r->folder = 0;
    return code;
}

static void leave_out_fine(torsor_resolve *r) {
    const ts_model *model = r->run->document->model;
    ts_companion *fine = &r->companion[TS_FINE];
    int stuck = model->refinement.stuck;
    fine->status = "none", fine->order = 0;
    if (stuck)
        snprintf(fine->message, sizeof fine->message,
                 "the mesh '%.100s' comes from a file and cannot be refined: error bars of the "
                 "step only",
                 model->parts[stuck].name);
    else
        snprintf(fine->message, sizeof fine->message, "nothing in the model is meshed");
}

/* EP and ED are of second order; of a scheme for study the worst is assumed. */
static void introduce(torsor_resolve *r) {
    const ts_document *d = r->run->document;
    const ts_scheme *scheme = ts_scheme_find(d->options.scheme);
    bool first = !d->options.statics && scheme && scheme->study;
    r->companion[TS_HALF] =
        (ts_companion){.about = d->options.statics ? "half the increment of load" : "half the step",
                       .status = "failed",
                       .order = first ? FIRST_ORDER : SECOND_ORDER};
    r->companion[TS_FINE] = (ts_companion){
        .about = "a refined mesh", .status = "failed", .order = d->model->refinement.order};
}

/* Nothing is allocated while a thread runs: running out of memory would free the data that the
 * thread uses. */
static int begin_helpers(torsor_resolve *r) {
    const ts_refinement *mesh = &r->run->document->model->refinement;
    int status = ts_system_copy(&r->start, r->run->system);
    r->options = r->run->document->options;
    if (!status) status = prepare(r);
    if (status) return status;
    if (mesh->order && !mesh->stuck)
        prepare_helper(r, TS_FINE);
    else
        leave_out_fine(r);
    prepare_helper(r, TS_HALF);
    status = begin_helper(r, TS_FINE);
    return status ? status : begin_helper(r, TS_HALF);
}

int ts_api_resolve_begin(torsor_resolve **out, const torsor_run *run,
                         const torsor_options *options) {
    if (!out || !run) return ts_null_argument("torsor_resolve_begin");
    const ts_choices *c = ts_choices_of(options);
    *out = NULL;
    int status = check(run);
    if (status) return status;
    torsor_resolve *r = ts_calloc(1, sizeof *r);
    r->run = run, r->jobs = c->jobs, r->owner = getpid();
    sem_init(&r->places, 0, 0);
    if (c->channels) r->channels = ts_strdup(c->channels);
    if (options) r->watch = options->watch;
    introduce(r);
    status = begin_helpers(r);
    if (status) torsor_resolve_free(r), r = NULL;
    *out = r;
    return status;
}

int ts_api_resolve_check(const torsor_resolve *r, const char *results) {
    if (!r || !results) return ts_null_argument("torsor_resolve_check");
    if (!r->channels) return 0;
    ts_lock_libraries();
    int status = r->run->results ? ts_results_flush(r->run->results) : 0;
    if (!status) status = ts_channels_try(results, r->channels);
    ts_unlock_libraries();
    return status;
}

/* ---- waiting ---- */

/* Anything but 0 from the watch: stop. */
static bool tell(torsor_resolve *r) {
    double now = ts_wall_time(), sum = 0;
    char words[200] = "error bars:";
    int runs = 0;
    if (!r->watch.tell || now - r->told < REWRITE) return false;
    r->told = now;
    for (int k = 0; k < TS_COMPANIONS; k++) {
        helper *h = &r->helper[k];
        if (!h->resolve) continue;
        double share = h->finished ? 1 : h->steps ? (double)h->step / (double)h->steps : 0;
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, " %s %.0f %%", r->companion[k].about,
                 100 * share);
        sum += share, runs++;
    }
    return r->watch.tell(r->watch.context, words, runs ? sum / runs : 1) != 0;
}

static void collect(torsor_resolve *r, int which) {
    helper *h = &r->helper[which];
    ts_companion *c = &r->companion[which];
    if (!h->begun || !h->finished) return;
    join(h);
    if (!h->status)
        c->status = "completed", c->path = h->path;
    else
        snprintf(c->message, sizeof c->message, "the run with %s failed: %s", c->about, h->message);
}

static bool waiting(const torsor_resolve *r) {
    for (int k = 0; k < TS_COMPANIONS; k++)
        if (r->helper[k].begun) return true;
    return false;
}

static int wait_for_all(torsor_resolve *r) {
    const struct timespec nap = {.tv_nsec = (long)(LOOK * 1e9)};
    bool stop = false;
    sem_post(&r->places);
    while (!stop && waiting(r)) {
        for (int k = 0; k < TS_COMPANIONS; k++) collect(r, k);
        stop = tell(r);
        if (waiting(r)) nanosleep(&nap, NULL);
    }
    return waiting(r) ? ts_fail(TORSOR_EINTERRUPTED, "interrupted: there are no error bars") : 0;
}

static void note_warnings(torsor_resolve *r) {
    *r->warnings = 0;
    for (int k = 0; k < TS_COMPANIONS; k++) {
        size_t used = strlen(r->warnings);
        if (strcmp(r->companion[k].status, "failed") == 0)
            snprintf(r->warnings + used, sizeof r->warnings - used, "%s\n",
                     r->companion[k].message);
    }
}

int ts_api_resolve_finish(torsor_study **out, torsor_resolve *r, const char *results) {
    if (!out || !r || !results) return ts_null_argument("torsor_resolve_finish");
    *out = NULL;
    int status = wait_for_all(r);
    if (status) return status;
    note_warnings(r);
    return ts_resolve_compare(out, r->run->document, r->channels, results, r->companion);
}

const char *torsor_resolve_warnings(const torsor_resolve *r) { return r ? r->warnings : NULL; }
