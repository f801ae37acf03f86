/* The runs beside a run that error bars are made from. See resolve.h.
 *
 * Each is a process, a copy of this one (fork) with the model as it was assembled. Its results go
 * into a temporary folder, which is removed whatever happens, also by a second Ctrl-C; a killed
 * program takes its processes with it. As many run at a time as there are cores (jobs): a process
 * begins when it has taken a token from a pipe, and puts it back when it is done. This process,
 * which makes the run itself, gives its own token when that run has ended.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, mkdtemp */
#include "api/studies/resolve.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

enum { FOLDER_SIZE = 480, PATH_SIZE = 512, SECOND_ORDER = 2, FIRST_ORDER = 1 };
static const double LOOK = 0.02, REWRITE = 0.2; /* s */
static const double HALF_OF_CONTROL = 16; /* ED takes h^4 of a vibration: see analysis/control.c */

/* What a process tells, in shared memory. */
typedef struct told {
    bool finished;
    int status;
    int64_t step, steps;
    char message[300];
} told;

typedef struct helper {
    pid_t pid; /* 0: there is none, or it has ended */
    told *told;
    char path[PATH_SIZE], draft[PATH_SIZE + 32]; /* of its results; while they are laid out */
} helper;

struct torsor_resolve {
    ts_handle head;
    pid_t owner;
    const torsor_run *run;
    char *channels; /* NULL: the usual ones */
    int64_t jobs;   /* -1: not given */
    torsor_watch watch;
    char warnings[1000]; /* what is missing, a line for each */
    helper helper[TS_COMPANIONS];
    ts_companion companion[TS_COMPANIONS];
    char folder[FOLDER_SIZE];
    int tokens[2]; /* a pipe */
    double told;
};

/* ---- clearing away ---- */

/* Calls nothing that a signal handler must not. A process that was forked from the owner leaves
 * the runs alone. */
void torsor_resolve_abandon(torsor_resolve *r) {
    if (r->owner != getpid()) return;
    for (int k = 0; k < TS_COMPANIONS; k++) {
        helper *h = &r->helper[k];
        if (h->pid > 0) kill(h->pid, SIGKILL), waitpid(h->pid, NULL, 0);
        h->pid = 0;
        if (*h->path) unlink(h->path), unlink(h->draft);
    }
    if (*r->folder) rmdir(r->folder);
}

static void take_apart(void *whole) {
    torsor_resolve *r = whole;
    for (int k = 0; k < TS_COMPANIONS; k++)
        if (r->helper[k].told) munmap(r->helper[k].told, sizeof(told));
    for (int k = 0; k < 2; k++)
        if (r->tokens[k] > 0) close(r->tokens[k]);
    free(r->channels);
    free(r);
}

void torsor_resolve_free(torsor_resolve *r) {
    if (!r) return;
    torsor_resolve_abandon(r);
    ts_pool_free(r, take_apart);
}

/* ---- a run in a process of its own ---- */

typedef struct record {
    ts_results *results;
    told *told;
} record;

static int on_stored(void *context, const ts_system *system) {
    return ts_results_store(((record *)context)->results, system);
}

static int on_stepped(void *context, const ts_system *system, const ts_step_report *report) {
    record *r = context;
    r->told->step = report->step, r->told->steps = report->steps;
    return ts_results_step(r->results, system, report);
}

static int make_run(ts_document *document, ts_system *system, const char *path, told *progress) {
    record r = {.told = progress};
    ts_summary summary;
    ts_options *o = &document->options;
    o->threads = 1;
    int status = ts_results_create(&r.results, path, document, system, system->state.step);
    if (status) return status;
    ts_observer observer = {.context = &r, .stepped = on_stepped, .stored = on_stored};
    status = ts_run(system, o, &observer, &summary);
    if (status) return status;
    return ts_results_close(r.results, NULL, &summary);
}

/* Ends at the same time, and stores states at the same times. */
static int run_half(const torsor_run *run, const char *path, told *progress) {
    ts_options *o = &run->document->options;
    o->t_end = (double)llround(o->t_end / o->h) * o->h;
    o->h /= 2, o->min_step /= 2, o->step_tolerance /= HALF_OF_CONTROL;
    o->store_every = (int)fmin(1e9, 2.0 * o->store_every);
    return make_run(run->document, run->system, path, progress);
}

static int run_fine(const torsor_run *run, const char *path, told *progress) {
    ts_document *document;
    ts_system *system;
    ts_assembly_report assembly = {0};
    int status = ts_document_refine(&document, run->document, "the refined model");
    if (!status) status = ts_start(&system, document, &assembly);
    return status ? status : make_run(document, system, path, progress);
}

static int (*const RUN[TS_COMPANIONS])(const torsor_run *, const char *,
                                       told *) = {[TS_HALF] = run_half, [TS_FINE] = run_fine};

static void take_token(const torsor_resolve *r) {
    char token;
    while (read(r->tokens[0], &token, 1) < 0 && errno == EINTR) continue;
}

static bool give_token(const torsor_resolve *r) { return write(r->tokens[1], "t", 1) == 1; }

/* It says nothing itself, and signals end it at once: its files are cleared away by its parent. */
static void be_helper(torsor_resolve *r, int which) {
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP};
    helper *h = &r->helper[which];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    take_token(r);
    ts_trap trap;
    h->told->status = setjmp(*ts_trap_aside(&trap)) == 0 ? RUN[which](r->run, h->path, h->told)
                                                         : ts_trap_caught(&trap);
    if (h->told->status)
        snprintf(h->told->message, sizeof h->told->message, "%s", ts_error_message());
    h->told->finished = true;
    _exit(!give_token(r));
}

static int begin_helper(torsor_resolve *r, int which) {
    helper *h = &r->helper[which];
    void *memory =
        mmap(NULL, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return ts_fail(TORSOR_EIO, "no memory for the runs beside this one");
    h->told = memory;
    char folder[FOLDER_SIZE];
    memcpy(folder, r->folder, sizeof folder);
    snprintf(h->path, sizeof h->path, "%s/%d.h5", folder, which);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) be_helper(r, which);
    if (pid < 0) return ts_fail(TORSOR_EIO, "cannot begin a process: %s", strerror(errno));
    snprintf(h->draft, sizeof h->draft, "%s/%d.h5.tmp%ld", folder, which, (long)pid);
    h->pid = pid;
    return 0;
}

/* ---- beginning ---- */

static int check(const torsor_run *run) {
    const ts_options *o = &run->document->options;
    if (run->runner || run->results)
        return ts_fail(TORSOR_EINVAL, "error bars begin before the first step and before the "
                                      "results are recorded");
    if (!(o->h > 0)) return ts_fail(TORSOR_EINVAL, "the model has no 'analysis'");
    if (o->arc_length)
        return ts_fail(TORSOR_EOPTION,
                       "error bars compare runs at the same times: not along an arc "
                       "length, where each run has loads of its own");
    return 0;
}

/* A place for the results, and tokens for all cores but the one of the run itself. */
static int prepare(torsor_resolve *r) {
    const char *where = getenv("TMPDIR");
    snprintf(r->folder, sizeof r->folder, "%s/torsor-resolve-XXXXXX",
             where && *where && strlen(where) < 300 ? where : "/tmp");
    if (!mkdtemp(r->folder)) {
        int code = ts_fail(TORSOR_EIO, "cannot make the folder %s: %s", r->folder, strerror(errno));
        *r->folder = 0;
        return code;
    }
    if (pipe(r->tokens)) return ts_fail(TORSOR_EIO, "cannot make a pipe: %s", strerror(errno));
    int64_t jobs = r->jobs > 0 ? r->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    for (int64_t i = 1; i < jobs && i <= TS_COMPANIONS; i++) give_token(r);
    return 0;
}

static void leave_out_fine(torsor_resolve *r) {
    const ts_model *model = r->run->document->model;
    ts_companion *fine = &r->companion[TS_FINE];
    int stuck = model->refinement.stuck;
    fine->status = "none", fine->order = 0;
    if (stuck)
        snprintf(fine->message, sizeof fine->message,
                 "the mesh '%.100s' comes from a file and cannot be refined: the step's part only",
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

static int begin_helpers(torsor_resolve *r) {
    const ts_refinement *mesh = &r->run->document->model->refinement;
    int status = prepare(r);
    if (!status && mesh->order && !mesh->stuck)
        status = begin_helper(r, TS_FINE);
    else
        leave_out_fine(r);
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
        const told *t = r->helper[k].told;
        if (!t) continue;
        double share = t->finished ? 1 : t->steps ? (double)t->step / (double)t->steps : 0;
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
    int how;
    if (h->pid <= 0 || waitpid(h->pid, &how, WNOHANG) != h->pid) return;
    h->pid = 0;
    if (h->told->finished && !h->told->status)
        c->status = "completed", c->path = h->path;
    else if (h->told->finished)
        snprintf(c->message, sizeof c->message, "the run with %s failed: %s", c->about,
                 h->told->message);
    else
        snprintf(c->message, sizeof c->message, "the process of the run with %s ended (%s %d)",
                 c->about, WIFSIGNALED(how) ? "signal" : "code",
                 WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}

static bool waiting(const torsor_resolve *r) {
    for (int k = 0; k < TS_COMPANIONS; k++)
        if (r->helper[k].pid > 0) return true;
    return false;
}

static int wait_for_all(torsor_resolve *r) {
    const struct timespec nap = {.tv_nsec = (long)(LOOK * 1e9)};
    bool stop = false;
    give_token(r);
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

const char *torsor_resolve_warnings(const torsor_resolve *r) { return r->warnings; }
