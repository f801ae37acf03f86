/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of a run: one rewritten line on a terminal, occasional lines elsewhere, JSON if
 * requested; and the signals that stop it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/place.h"
#include "cli/cli.h"

static const double REWRITE = 0.1; /* seconds between updates of the terminal */
static const double SILENCE = 5.0; /* elsewhere, the longest time without a word */

/* ---- signals ---- */

volatile sig_atomic_t cli_stop;
void (*cli_abandon)(void);
void (*cli_asked_to_stop)(void);

/* The first asks to stop after the step, the second stops at once. The signal of the limit on
 * computing time repeats every second; only the first one counts. */
static void on_signal(int signal) {
    if (cli_stop && signal == SIGXCPU) return;
    if (cli_stop && cli_abandon) cli_abandon();
    if (cli_stop) ts_place_abandon();
    if (cli_stop) _exit(CLI_INTERRUPTED);
    cli_stop = signal;
    if (cli_asked_to_stop) cli_asked_to_stop();
}

/* Ends the program as the signal would have. */
static void on_early_signal(int number) {
    ts_place_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_by(void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        if (sigaction(caught[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
}

void cli_guard_drafts(void) { catch_by(on_early_signal); }

void cli_catch_signals(void) {
    catch_by(on_signal);
    signal(SIGPIPE, SIG_IGN); /* the reader of the output has ended: the run continues */
}

/* ---- progress ---- */

void cli_progress_begin(cli_progress *p, const torsor_run *run, const cli_settings *settings) {
    *p = (cli_progress){.json = settings->json, .quiet = settings->quiet};
    p->terminal = cli_terminal(STDOUT_FILENO) && !settings->json;
    p->statics = torsor_run_setup(run)->statics;
    p->first = torsor_run_steps_done(run);
    p->begun = p->printed = ts_wall_time();
}

/* What there is to tell about one step. */
typedef struct sight {
    double balance, rate, left, iterations; /* relative, steps/s, s, per step */
} sight;

static sight look(const cli_progress *p, const torsor_run *run, double now) {
    const torsor_step *r = torsor_run_last_step(run);
    double done = (double)(r->step - p->first), seconds = fmax(now - p->begun, 1e-9);
    sight s = {.rate = done / seconds, .iterations = (double)p->iterations / done};
    s.left = (double)(r->steps - r->step) / s.rate;
    s.balance = torsor_run_balance(run);
    return s;
}

static int terminal_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

/* Progress of statics: the time is the load factor, and nothing moves. */
static void word_increment(const torsor_step *r, sight s, char *line, size_t size) {
    char left[TS_WORD];
    snprintf(line, size,
             "load %.4g  increment %lld/%lld  %s left  %.1f it/increment  violation %.0e", r->t,
             (long long)r->step, (long long)r->steps, ts_words_duration(left, s.left), s.iterations,
             r->violation);
}

static void word_step(const torsor_step *r, sight s, char *line, size_t size) {
    char left[TS_WORD];
    snprintf(line, size,
             "t %.4g s  step %lld/%lld  %s left  %.1f it/step  balance %.0e  violation %.0e  "
             "%.*f steps/s",
             r->t, (long long)r->step, (long long)r->steps, ts_words_duration(left, s.left),
             s.iterations, s.balance, r->violation, s.rate < 100, s.rate);
}

static void print_line(cli_progress *p, const torsor_step *r, sight s) {
    char line[240];
    (p->statics ? word_increment : word_step)(r, s, line, sizeof line);
    if (p->terminal)
        printf("\r%.*s\033[K", terminal_width() - 1, line);
    else
        printf("  %s\n", line);
    p->line = p->terminal;
    fflush(stdout);
}

static void print_json(const torsor_step *r, sight s) {
    cli_line line;
    ts_json *j = cli_line_begin(&line, "progress");
    ts_json_number(j, "t", r->t);
    ts_json_count(j, "step", (long)r->step);
    ts_json_count(j, "steps", (long)r->steps);
    ts_json_number(j, "iterations_per_step", s.iterations);
    ts_json_number(j, "relative_balance", s.balance);
    ts_json_number(j, "violation", r->violation);
    ts_json_text(j, "worst", r->worst ? r->worst : "");
    ts_json_number(j, "steps_per_second", s.rate);
    ts_json_number(j, "seconds_left", s.left);
    cli_line_end(&line);
}

/* The clock is read at every step, which costs about 30 ns. */
static bool due(cli_progress *p, const torsor_step *r, double now) {
    if (p->terminal) return now - p->printed > REWRITE;
    int64_t tenth = 10 * (r->step - p->first) / (r->steps - p->first);
    bool told = tenth == p->tenth && now - p->printed < SILENCE;
    p->tenth = tenth;
    return !told;
}

void cli_progress_step(cli_progress *p, const torsor_run *run) {
    const torsor_step *r = torsor_run_last_step(run);
    p->iterations += r->iterations;
    if (p->quiet && !p->json) return;
    double now = ts_wall_time();
    if (!due(p, r, now)) return;
    p->printed = now;
    sight s = look(p, run, now);
    if (p->json)
        print_json(r, s);
    else
        print_line(p, r, s);
}

void cli_progress_end(cli_progress *p) {
    if (p->line) printf("\r\033[K");
    p->line = false;
    fflush(stdout);
}
