/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel processes, one for each case. See many.h.
 *
 * A case runs in a process that is forked from this one, which has no threads, and sends its line
 * through a pipe. A process that dies loses only its own case. Ctrl-C ends them all; what they had
 * finished is in the journal. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/many/many.h"

enum { MOST_TOLD = 10, BAR = 24, LOOK = 200 /* ms */ };

typedef struct worker {
    pid_t process; /* 0: none */
    int pipe;
    int64_t which;
    char *text; /* what it has sent */
    size_t length, room;
} worker;

typedef struct gang {
    cli_crew *crew;
    worker *worker;
    struct pollfd *poll;
    int64_t next, done;
    double begun, printed;
    bool terminal;
    int code;
} gang;

/* ---- the child ---- */

/* A line that ends with a line break is a case; without, it is what went wrong. */
static void send_all(int pipe, const char *text, const char *end) {
    FILE *out = fdopen(pipe, "w");
    if (out) fprintf(out, "%s%s", text, end), fclose(out);
}

static void work(const cli_many *many, int64_t which, int pipe) {
    char *line = NULL;
    signal(SIGINT, SIG_IGN), signal(SIGHUP, SIG_IGN), signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody waits for a case whose study was killed */
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, STDOUT_FILENO);
    int status = cli_case_run(many, which, &line);
    if (status)
        send_all(pipe, torsor_error(), "");
    else
        send_all(pipe, line, "\n");
    _exit(status ? CLI_NUMERICS : CLI_DONE);
}

static int start(gang *g, worker *w) {
    int ends[2];
    fflush(NULL);
    w->which = g->crew->which[g->next++];
    if (pipe(ends)) return cli_fail(CLI_FILE, "cannot make a pipe: %s", strerror(errno));
    w->process = fork();
    if (w->process == 0) {
        close(ends[0]);
        work(g->crew->many, w->which, ends[1]);
    }
    close(ends[1]);
    w->pipe = ends[0], w->length = 0;
    if (w->process > 0) return CLI_DONE;
    close(ends[0]);
    w->process = 0;
    return cli_fail(CLI_FILE, "cannot start a process: %s", strerror(errno));
}

/* ---- the parent ---- */

static void bar(gang *g) {
    double now = ts_wall_time();
    if (!g->terminal || now - g->printed < 0.1) return;
    g->printed = now;
    int64_t done = g->crew->before + g->done, all = g->crew->all;
    int filled = (int)(BAR * done / (all ? all : 1));
    char left[TS_WORD] = "?";
    if (g->done) ts_words_duration(left, (now - g->begun) / (double)g->done * (double)(all - done));
    fputs("\r", stderr);
    for (int i = 0; i < BAR; i++) fputs(i < filled ? "\xE2\x96\x88" : "\xE2\x96\x91", stderr);
    fprintf(stderr, " %lld of %lld cases, %s left", (long long)done, (long long)all, left);
    if (g->crew->failed) fprintf(stderr, ", %lld failed", (long long)g->crew->failed);
    fputs("\033[K", stderr);
}

static void clear_bar(const gang *g) {
    if (g->terminal) fputs("\r\033[K", stderr);
}

static void tell_failure(gang *g, const worker *w, int status) {
    char how[80];
    if (++g->crew->failed > MOST_TOLD) return;
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "its process was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(how, sizeof how, "its process ended with code %d", WEXITSTATUS(status));
    char *words = cli_case_words(g->crew->many, w->which);
    bool said = w->length > 0 && !WIFSIGNALED(status);
    clear_bar(g);
    fprintf(stderr, "torsor: warning: case %lld (%s) failed: %s\n", (long long)w->which, words,
            said ? cli_shown(w->text) : how);
    free(words);
}

/* The process has closed its pipe. */
static void collect(gang *g, worker *w) {
    int status = 0;
    close(w->pipe);
    while (waitpid(w->process, &status, 0) < 0 && errno == EINTR) {
    }
    w->process = 0;
    g->done++;
    bool whole = w->length > 0 && w->text[w->length - 1] == '\n';
    if (status == 0 && whole) {
        int code = cli_journal_add(g->crew->journal, w->text);
        if (!g->code) g->code = code;
        return;
    }
    char *file = cli_case_file(g->crew->many, w->which, "h5");
    if (!g->crew->many->keep) unlink(file);
    free(file);
    if (!cli_stop) tell_failure(g, w, status);
}

static void receive(gang *g, worker *w) {
    ts_grow(w->text, w->room, w->length + 65537);
    ssize_t got = read(w->pipe, w->text + w->length, 65536);
    if (got < 0 && errno == EINTR) return;
    if (got > 0) w->length += (size_t)got;
    w->text[w->length] = 0;
    if (got <= 0) collect(g, w);
}

static int running(const gang *g) {
    int count = 0;
    for (int i = 0; i < g->crew->jobs; i++) count += g->worker[i].process > 0;
    return count;
}

static void look(gang *g) {
    for (int i = 0; i < g->crew->jobs; i++)
        g->poll[i] =
            (struct pollfd){.fd = g->worker[i].process ? g->worker[i].pipe : -1, .events = POLLIN};
    if (poll(g->poll, (nfds_t)g->crew->jobs, LOOK) <= 0) return;
    for (int i = 0; i < g->crew->jobs; i++)
        if (g->poll[i].revents) receive(g, &g->worker[i]);
}

static void end_all(gang *g) {
    for (int i = 0; i < g->crew->jobs; i++)
        if (g->worker[i].process) kill(g->worker[i].process, SIGTERM);
    while (running(g)) look(g);
}

int cli_crew_run(cli_crew *crew) {
    gang g = {.crew = crew, .begun = ts_wall_time()};
    g.worker = ts_calloc((size_t)crew->jobs, sizeof *g.worker);
    g.poll = ts_calloc((size_t)crew->jobs, sizeof *g.poll);
    g.terminal = isatty(STDERR_FILENO) && !crew->quiet;
    cli_catch_signals();
    while (!cli_stop && !g.code && (g.next < crew->count || running(&g))) {
        for (int i = 0; i < crew->jobs && g.next < crew->count && !g.code; i++)
            if (!g.worker[i].process) g.code = start(&g, &g.worker[i]);
        look(&g);
        bar(&g);
    }
    end_all(&g);
    clear_bar(&g);
    for (int i = 0; i < crew->jobs; i++) free(g.worker[i].text);
    free(g.worker), free(g.poll);
    return g.code ? g.code : cli_stop ? CLI_INTERRUPTED : CLI_DONE;
}
