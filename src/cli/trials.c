/* Trials in processes side by side. See trials.h.
 *
 * The model is read and assembled once; a child is a copy of it (fork), runs one trial and leaves it in shared memory.
 * So trials cannot disturb one another, and one that fails or crashes is a line in a table.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cli/trials.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/units.h"
#include "expr/expr.h"

enum { SAMPLES = 200, FINER = 4, MOST_JOBS = 256 };
static const double LOOK = 0.02, REWRITE = 0.2; /* s */

/* ---- the command line ---- */

static int read_time(const char *option, const char *text, size_t length, double *value) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, length, NULL, false, &error))
        return cli_fail(CLI_USAGE, "--%s %.60s: %s", option, text, error.message);
    ts_dim dim = ts_expr_dim(expr);
    *value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    bool time = ts_dim_bare(dim) || ts_dim_fits(dim, (ts_dim){.time = 1});
    return time && *value > 0 && isfinite(*value)
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "--%s %.60s: expected a step, such as 1ms", option, text);
}

/* Whole parts of the longest step, or samples would not be at the same times. */
static int check_whole(const cli_trials *t, const char *option, double step) {
    double parts = t->step[0] / step;
    if (fabs(parts - rint(parts)) < 1e-6 * parts && parts > 0.5) return CLI_DONE;
    return cli_fail(CLI_USAGE, "--%s: the longest step, %g s, is no whole number of steps of %g s",
                    option, t->step[0], step);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int read_steps(cli_trials *t, const char *text) {
    for (bool more = true; more;) {
        size_t length = strcspn(text, ",");
        if (t->rungs == CLI_MOST_RUNGS)
            return cli_fail(CLI_USAGE, "--steps: at most %d", CLI_MOST_RUNGS);
        int code = read_time("steps", text, length, &t->step[t->rungs++]);
        if (code) return code;
        more = text[length] != 0, text += length + 1;
    }
    qsort(t->step, (size_t)t->rungs, sizeof *t->step, by_size);
    for (int i = 1; i < t->rungs; i++)
        if (check_whole(t, "steps", t->step[i])) return CLI_USAGE;
    return CLI_DONE;
}

static int read_ladder(cli_trials *t, const cli_settings *settings, int levels) {
    if (settings->steps && settings->levels >= 0)
        return cli_fail(CLI_USAGE, "give --steps or --levels, not both");
    if (settings->levels >= 0) levels = (int)fmin(CLI_MOST_RUNGS + 1, (double)settings->levels);
    if (levels < 1 || levels > CLI_MOST_RUNGS)
        return cli_fail(CLI_USAGE, "--levels: expected 1 to %d", CLI_MOST_RUNGS);
    int code = CLI_DONE;
    if (settings->steps)
        code = read_steps(t, settings->steps);
    else
        for (t->rungs = 0; t->rungs < levels; t->rungs++)
            t->step[t->rungs] = ldexp(t->options.h, -t->rungs);
    if (code) return code;
    t->finest = t->step[t->rungs - 1];
    double steps = rint(t->options.t_end / t->step[0]);
    t->end = steps * t->step[0];
    if (steps < 1)
        return cli_fail(CLI_USAGE, "the run ends (%g s) before its first step (%g s)",
                        t->options.t_end, t->step[0]);
    return CLI_DONE;
}

/* "ED:0.1ms", "0.1ms" or "S4-B:alpha=1/36" */
static int read_reference(cli_trials *t, const char *text) {
    t->reference_step = t->finest / FINER;
    int code = cli_trials_own_scheme(t, &t->reference_scheme);
    if (code || !text) return code;
    const char *colon = strrchr(text, ':'), *step = colon ? colon + 1 : text;
    size_t name = colon ? (size_t)(colon - text) : 0;
    if (strchr(step, '=') || (!colon && ts_scheme_find(text))) name = strlen(text), step = NULL;
    if (name > 0) code = cli_scheme_read(&t->reference_scheme, "reference", text, name);
    if (!code && step) code = read_time("reference", step, strlen(step), &t->reference_step);
    return code ? code : check_whole(t, "reference", t->reference_step);
}

int cli_trials_own_scheme(const cli_trials *t, cli_scheme *out) {
    *out = (cli_scheme){.scheme = ts_scheme_find(t->options.scheme)};
    char text[TS_PARAMETERS_TEXT];
    out->parameters = t->options.parameters;
    ts_parameters_print(&out->parameters, out->scheme, text);
    if (*text) snprintf(out->words, sizeof out->words, ", %.70s", text);
    return CLI_DONE;
}

int cli_trials_open(cli_trials *t, const cli_settings *settings, int levels) {
    const char *path = settings->argument[0];
    int code = cli_session_read(&t->session, path, true);
    if (code) return code;
    if (t->session.document->options.statics)
        return cli_fail(CLI_MODEL, "%s is an analysis of statics: there are no time steps", path);
    code = cli_session_override(&t->session, settings, path);
    if (code) return code;
    t->options = t->session.document->options;
    code = read_ladder(t, settings, levels);
    if (!code) code = read_reference(t, settings->reference);
    if (code) return code;
    code = cli_session_assemble(&t->session);
    return code ? cli_fail(code, "%s: %s", path, torsor_error()) : CLI_DONE;
}

/* ---- what will run ---- */

void cli_trials_plan(cli_trials *t) {
    int64_t steps = llround(t->end / t->step[0]), every = (steps + SAMPLES - 1) / SAMPLES;
    ts_trial_plan_new(&t->plan, t->session.document->model, (double)every * t->step[0],
                      (int)(steps / every) + 1);
}

static ts_trial *new_trial(const ts_trial_plan *plan) {
    void *memory =
        mmap(NULL, ts_trial_bytes(plan), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void name_trial(ts_trial *trial, const cli_scheme *scheme) {
    char rho[CLI_WORD] = "";
    if (ts_scheme_takes_rho(scheme->scheme))
        snprintf(rho, sizeof rho, ", rho_inf %.4g", trial->options.rho_inf);
    snprintf(trial->label, sizeof trial->label, "%s%s%s", scheme->scheme->name, rho, scheme->words);
}

int cli_trials_add(cli_trials *t, const cli_scheme *scheme, double step, ts_trial **out) {
    if (t->count == CLI_MOST_TRIALS)
        return cli_fail(CLI_USAGE, "these are more than %d runs", CLI_MOST_TRIALS);
    ts_trial *trial = new_trial(&t->plan);
    if (!trial) return cli_fail(CLI_FILE, "no memory for the runs: %s", strerror(errno));
    trial->options = t->options;
    trial->options.h = step, trial->options.t_end = t->end, trial->status = TS_TRIAL_SILENT;
    snprintf(trial->options.scheme, sizeof trial->options.scheme, "%s", scheme->scheme->name);
    trial->options.parameters = scheme->parameters;
    name_trial(trial, scheme);
    t->trial[t->count++] = *out = trial;
    return CLI_DONE;
}

int cli_trials_add_reference(cli_trials *t) {
    return cli_trials_add(t, &t->reference_scheme, t->reference_step, &t->reference);
}

void cli_trials_clear(cli_trials *t) {
    for (int i = 0; i < t->count; i++) munmap(t->trial[i], ts_trial_bytes(&t->plan));
    ts_trial_plan_clear(&t->plan);
    cli_session_clear(&t->session);
}

/* ---- side by side ---- */

typedef struct crew {
    cli_trials *trials;
    pid_t pid[CLI_MOST_TRIALS]; /* 0: not begun, -1: done */
    int order[CLI_MOST_TRIALS]; /* the longest first */
    int begun, running, done;
    bool line; /* of progress */
    double start, printed;
} crew;

static double length_of(const ts_trial *trial) { return trial->options.t_end / trial->options.h; }

static void sort_crew(crew *c) {
    cli_trials *t = c->trials;
    for (int i = 0; i < t->count; i++) {
        int k = i;
        for (; k > 0 && length_of(t->trial[c->order[k - 1]]) < length_of(t->trial[i]); k--)
            c->order[k] = c->order[k - 1];
        c->order[k] = i;
    }
}

static int begin_one(crew *c) {
    int i = c->order[c->begun++];
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        ts_trial_run(c->trials->trial[i], &c->trials->plan, c->trials->session.system);
        _exit(0);
    }
    if (pid < 0) return cli_fail(CLI_FILE, "cannot begin a process: %s", strerror(errno));
    c->pid[i] = pid, c->running++;
    return CLI_DONE;
}

/* A process that ended without a word was ended. */
static void collect(crew *c) {
    for (int i = 0; i < c->trials->count; i++) {
        int how;
        if (c->pid[i] <= 0 || waitpid(c->pid[i], &how, WNOHANG) != c->pid[i]) continue;
        ts_trial *trial = c->trials->trial[i];
        if (trial->status == TS_TRIAL_SILENT)
            snprintf(trial->message, sizeof trial->message, "its process ended (%s %d)",
                     WIFSIGNALED(how) ? "signal" : "code",
                     WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
        c->pid[i] = -1, c->running--, c->done++;
    }
}

static void show_progress(crew *c) {
    double now = cli_wall_time(), planned = 0, done = 0;
    if (!c->line || now - c->printed < REWRITE) return;
    c->printed = now;
    for (int i = 0; i < c->trials->count; i++) {
        double length = length_of(c->trials->trial[i]);
        planned += length;
        done += c->pid[i] == -1 ? length : (double)c->trials->trial[i]->done;
    }
    char left[CLI_WORD];
    double share = done / planned;
    fprintf(stderr, "\r%d of %d runs done, %d running, %.0f %%, %s left\033[K", c->done,
            c->trials->count, c->running, 100 * share,
            share > 0 ? cli_duration(left, (now - c->start) * (1 / share - 1)) : "?");
    fflush(stderr);
}

static int jobs_of(const cli_settings *settings) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = settings->jobs > 0 ? settings->jobs : cores > 0 ? cores : 1;
    return jobs < MOST_JOBS ? (int)jobs : MOST_JOBS;
}

static void nap(void) {
    struct timespec time = {.tv_nsec = (long)(LOOK * 1e9)};
    nanosleep(&time, NULL);
}

const char *cli_trial_trouble(const ts_trial *trial) {
    return trial->status ? (*trial->message ? trial->message : "it did not run") : NULL;
}

int cli_trials_run(cli_trials *t, const cli_settings *settings) {
    if (settings->jobs == 0) return cli_fail(CLI_USAGE, "--jobs: expected 1 or more");
    crew *c = ts_calloc(1, sizeof *c);
    c->trials = t, c->start = cli_wall_time();
    c->line = isatty(STDERR_FILENO) && !settings->json && !settings->quiet;
    sort_crew(c);
    int code = CLI_DONE, jobs = jobs_of(settings);
    while (c->done < c->begun || (c->begun < t->count && !code)) {
        while (!code && c->begun < t->count && c->running < jobs) code = begin_one(c);
        if (code) c->begun = c->done + c->running;
        collect(c);
        show_progress(c);
        if (c->running == jobs || c->begun == t->count) nap();
    }
    if (c->line) fprintf(stderr, "\r\033[K");
    free(c);
    const char *trouble = t->reference ? cli_trial_trouble(t->reference) : NULL;
    if (!code && trouble)
        code = cli_fail(CLI_NUMERICS, "the reference, %s with steps of %g s, failed: %s",
                        t->reference->label, t->reference_step, trouble);
    return code;
}

/* ---- files ---- */

int cli_write_file(const char *path, cli_writer *write, const void *what) {
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!out) return cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(errno));
    write(out, what);
    bool wrong = ferror(out);
    if (out != stdout) wrong |= fclose(out) != 0;
    return wrong ? cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(errno)) : CLI_DONE;
}

void cli_csv_number(FILE *out, double value) {
    fputc(',', out);
    if (isfinite(value)) fprintf(out, "%.17g", value);
}
