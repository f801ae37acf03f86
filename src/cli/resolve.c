/* The runs beside a run that error bars are made from. See resolve.h.
 *
 * Each is a process, a copy of this one (fork) with the model as it was assembled. Its results go into a temporary folder, which is
 * removed whatever happens, also by a second Ctrl-C; a killed program takes its processes with it. As many run at a time as
 * there are cores (--jobs): a process begins when it has taken a token from a pipe, and puts it back when it is done. This
 * process, which makes the run itself, gives its own token when that run has ended.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, mkdtemp */
#include "cli/resolve.h"

#include <errno.h>
#include <math.h>
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

struct cli_resolve {
    const cli_session *session;
    const cli_settings *settings;
    helper helper[CLI_COMPANIONS];
    cli_companion companion[CLI_COMPANIONS];
    char folder[FOLDER_SIZE];
    int tokens[2]; /* a pipe */
    double printed;
    bool line;
};

/* ---- clearing away ---- */

static cli_resolve *present; /* for a second Ctrl-C */

/* Calls nothing that a signal handler must not. */
static void clear_away(cli_resolve *r) {
    for (int k = 0; k < CLI_COMPANIONS; k++) {
        helper *h = &r->helper[k];
        if (h->pid > 0) kill(h->pid, SIGKILL), waitpid(h->pid, NULL, 0);
        h->pid = 0;
        if (*h->path) unlink(h->path), unlink(h->draft);
    }
    if (*r->folder) rmdir(r->folder);
}

static void abandon(void) {
    if (present) clear_away(present);
}

static void free_all(cli_resolve *r) {
    clear_away(r);
    present = NULL, cli_abandon = NULL;
    for (int k = 0; k < CLI_COMPANIONS; k++)
        if (r->helper[k].told) munmap(r->helper[k].told, sizeof(told));
    for (int k = 0; k < 2; k++)
        if (r->tokens[k] > 0) close(r->tokens[k]);
    free(r);
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

static int make_run(cli_session *s, const char *path, told *progress) {
    record r = {.told = progress};
    ts_summary summary;
    ts_options *o = &s->document->options;
    o->threads = 1;
    int status = ts_results_create(&r.results, path, s->document, s->system, s->system->state.step);
    if (status) return status;
    ts_observer observer = {.context = &r, .stepped = on_stepped, .stored = on_stored};
    status = ts_run(s->system, o, &observer, &summary);
    if (status) return status;
    return ts_results_close(r.results, NULL, &summary);
}

/* Ends at the same time, and stores states at the same times. */
static int run_half(const cli_session *session, const char *path, told *progress) {
    cli_session s = *session;
    ts_options *o = &s.document->options;
    o->t_end = (double)llround(o->t_end / o->h) * o->h;
    o->h /= 2, o->min_step /= 2, o->step_tolerance /= HALF_OF_CONTROL;
    o->store_every = (int)fmin(1e9, 2.0 * o->store_every);
    return make_run(&s, path, progress);
}

static int run_fine(const cli_session *session, const char *path, told *progress) {
    cli_session s = {0};
    int status = ts_document_refine(&s.document, session->document, "the refined model");
    if (status) return status;
    status = ts_system_new(&s.system, s.document->model);
    if (!status) status = ts_assemble_initial(s.system, s.document->model, &s.assembly);
    if (status) return status;
    ts_system_begin(s.system);
    const ts_options *o = &s.document->options;
    if (o->settle) status = ts_settle(s.system, o, o->settle);
    return status ? status : make_run(&s, path, progress);
}

static int (*const RUN[CLI_COMPANIONS])(const cli_session *, const char *,
                                        told *) = {[CLI_HALF] = run_half, [CLI_FINE] = run_fine};

static void take_token(const cli_resolve *r) {
    char token;
    while (read(r->tokens[0], &token, 1) < 0 && errno == EINTR) continue;
}

static bool give_token(const cli_resolve *r) { return write(r->tokens[1], "t", 1) == 1; }

/* It says nothing itself, and signals end it at once: its files are cleared away by its parent. */
static void be_helper(cli_resolve *r, int which) {
    static const int usual[] = {SIGINT, SIGTERM, SIGHUP};
    helper *h = &r->helper[which];
    cli_abandon = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    take_token(r);
    h->told->status = RUN[which](r->session, h->path, h->told);
    if (h->told->status)
        snprintf(h->told->message, sizeof h->told->message, "%s", ts_error_message());
    h->told->finished = true;
    _exit(!give_token(r));
}

static int begin_helper(cli_resolve *r, int which) {
    helper *h = &r->helper[which];
    void *memory =
        mmap(NULL, sizeof(told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return cli_fail(CLI_FILE, "no memory for the runs beside this one");
    h->told = memory;
    char folder[FOLDER_SIZE];
    memcpy(folder, r->folder, sizeof folder);
    snprintf(h->path, sizeof h->path, "%s/%d.h5", folder, which);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) be_helper(r, which);
    if (pid < 0) return cli_fail(CLI_FILE, "cannot begin a process: %s", strerror(errno));
    snprintf(h->draft, sizeof h->draft, "%s/%d.h5.tmp%ld", folder, which, (long)pid);
    h->pid = pid;
    return CLI_DONE;
}

/* ---- beginning ---- */

static int check(const cli_settings *settings, const ts_options *o) {
    if (settings->no_results)
        return cli_fail(CLI_USAGE, "--resolve compares results: not with --no-results");
    if (settings->jobs == 0) return cli_fail(CLI_USAGE, "--jobs: expected 1 or more");
    if (o->arc_length)
        return cli_fail(CLI_USAGE, "--resolve compares runs at the same times: not along an arc "
                                   "length, where each run has loads of its own");
    return CLI_DONE;
}

/* A place for the results, and tokens for all cores but the one of the run itself. */
static int prepare(cli_resolve *r) {
    const char *where = getenv("TMPDIR");
    snprintf(r->folder, sizeof r->folder, "%s/torsor-resolve-XXXXXX",
             where && *where && strlen(where) < 300 ? where : "/tmp");
    if (!mkdtemp(r->folder)) {
        int code = cli_fail(CLI_FILE, "cannot make the folder %s: %s", r->folder, strerror(errno));
        *r->folder = 0;
        return code;
    }
    if (pipe(r->tokens)) return cli_fail(CLI_FILE, "cannot make a pipe: %s", strerror(errno));
    int64_t jobs = r->settings->jobs > 0 ? r->settings->jobs : sysconf(_SC_NPROCESSORS_ONLN);
    for (int64_t i = 1; i < jobs && i <= CLI_COMPANIONS; i++) give_token(r);
    return CLI_DONE;
}

static void leave_out_fine(cli_resolve *r) {
    const ts_model *model = r->session->document->model;
    cli_companion *fine = &r->companion[CLI_FINE];
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
static void introduce(cli_resolve *r) {
    const ts_document *d = r->session->document;
    const ts_scheme *scheme = ts_scheme_find(d->options.scheme);
    bool first = !d->options.statics && scheme && scheme->study;
    r->companion[CLI_HALF] = (cli_companion){
        .about = d->options.statics ? "half the increment of load" : "half the step",
        .status = "failed",
        .order = first ? FIRST_ORDER : SECOND_ORDER};
    r->companion[CLI_FINE] = (cli_companion){
        .about = "a refined mesh", .status = "failed", .order = d->model->refinement.order};
}

int cli_resolve_begin(cli_resolve **out, const cli_session *session, const cli_settings *settings) {
    const ts_refinement *mesh = &session->document->model->refinement;
    *out = NULL;
    int code = check(settings, &session->document->options);
    if (code) return code;
    cli_resolve *r = present = ts_calloc(1, sizeof *r);
    r->session = session, r->settings = settings;
    cli_catch_signals();
    cli_abandon = abandon;
    introduce(r);
    code = prepare(r);
    if (!code && mesh->order && !mesh->stuck)
        code = begin_helper(r, CLI_FINE);
    else
        leave_out_fine(r);
    if (!code) code = begin_helper(r, CLI_HALF);
    if (code) free_all(r), r = NULL;
    *out = r;
    return code;
}

/* ---- waiting ---- */

static void show(cli_resolve *r) {
    double now = cli_wall_time();
    if (!isatty(STDERR_FILENO) || r->settings->json || r->settings->quiet ||
        now - r->printed < REWRITE)
        return;
    r->printed = now, r->line = true;
    fprintf(stderr, "\rerror bars:");
    for (int k = 0; k < CLI_COMPANIONS; k++) {
        const told *t = r->helper[k].told;
        double share = t && t->steps ? (double)t->step / (double)t->steps : 0;
        if (t)
            fprintf(stderr, " %s %.0f %%", r->companion[k].about,
                    100 * (t->finished ? 1.0 : share));
    }
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void collect(cli_resolve *r, int which) {
    helper *h = &r->helper[which];
    cli_companion *c = &r->companion[which];
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

static bool waiting(const cli_resolve *r) {
    for (int k = 0; k < CLI_COMPANIONS; k++)
        if (r->helper[k].pid > 0) return true;
    return false;
}

static int wait_for_all(cli_resolve *r) {
    const struct timespec nap = {.tv_nsec = (long)(LOOK * 1e9)};
    fflush(stdout);
    give_token(r);
    while (!cli_stop && waiting(r)) {
        for (int k = 0; k < CLI_COMPANIONS; k++) collect(r, k);
        show(r);
        if (waiting(r)) nanosleep(&nap, NULL);
    }
    if (r->line) fprintf(stderr, "\r\033[K");
    return waiting(r) ? cli_fail(CLI_INTERRUPTED, "interrupted: there are no error bars")
                      : CLI_DONE;
}

int cli_resolve_end(cli_resolve *r, const cli_settings *settings, const char *results, int code) {
    if (!code) {
        code = wait_for_all(r);
        for (int k = 0; k < CLI_COMPANIONS && !code; k++)
            if (strcmp(r->companion[k].status, "failed") == 0)
                fprintf(stderr, "torsor: warning: %s\n", r->companion[k].message);
        if (!code) code = cli_resolve_tell(r->session->document, settings, results, r->companion);
    }
    free_all(r);
    return code;
}
