/* SPDX-License-Identifier: Apache-2.0 */
/* Rehearsals: see rehearsal.h.
 *
 * The child sends its status and message through a pipe. A child that was ended by a signal sends
 * nothing, and neither does one that used up its processor time: SIGPROF ends it. The pipe, not the
 * exit status, is what counts: a process that ignores SIGCHLD cannot wait for its children.
 *
 * The child prints nothing (messages of the C library about a damaged heap are discarded), leaves
 * no core file and ends by _exit: nothing of the parent is flushed or closed twice. */
#include "cli/rehearsal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

enum { WORDS = 1000 };

typedef struct verdict {
    int status;
    char words[WORDS];
} verdict;

/* Sanitizers map terabytes that they never use. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SANITIZED)
static void limit_memory(uint64_t memory) { (void)memory; }
#else
static void limit_memory(uint64_t memory) {
    unsigned long long pages = 0;
    FILE *about = fopen("/proc/self/statm", "r");
    bool known = about && fscanf(about, "%llu", &pages) == 1;
    if (about) fclose(about);
    struct rlimit limit;
    if (!known || getrlimit(RLIMIT_AS, &limit)) return;
    rlim_t wanted = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + memory);
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= wanted) return;
    limit.rlim_cur = wanted;
    setrlimit(RLIMIT_AS, &limit);
}
#endif

static void be_quiet(int seconds) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPROF, SIGPIPE};
    sigset_t all;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&all, signals[i]);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO), dup2(nowhere, STDERR_FILENO);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* The trap keeps a lack of memory within the child. */
static int act_safely(int (*act)(void *), void *context) {
    TS_TRAP_ASIDE();
    return TS_TRAP_END(act(context));
}

static _Noreturn void play(int (*act)(void *), void *context, int seconds, uint64_t memory,
                           int pipe_end) {
    verdict v = {0};
    be_quiet(seconds);
    limit_memory(memory);
    v.status = act_safely(act, context);
    if (v.status) snprintf(v.words, sizeof v.words, "%s", ts_error_message());
    ssize_t sent = write(pipe_end, &v, sizeof v);
    _exit(sent == (ssize_t)sizeof v ? 0 : 1);
}

/* Did all of it come? */
static bool hear(int pipe_end, verdict *v) {
    size_t got = 0;
    ssize_t piece;
    while (got < sizeof *v) {
        piece = read(pipe_end, (char *)v + got, sizeof *v - got);
        if (piece == 0) break;
        if (piece < 0 && errno != EINTR) break;
        if (piece > 0) got += (size_t)piece;
    }
    v->words[WORDS - 1] = 0;
    return got == sizeof *v;
}

int ts_rehearse(int (*act)(void *context), void *context, int seconds, uint64_t memory,
                const char *otherwise) {
    int ends[2];
    verdict v;
    if (pipe(ends)) return 0;
    pid_t child = fork();
    if (child == 0) close(ends[0]), play(act, context, seconds, memory, ends[1]);
    close(ends[1]);
    bool told = child > 0 && hear(ends[0], &v);
    close(ends[0]);
    if (child < 0) return 0;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    if (!told) return ts_fail(TORSOR_EIO, "%s", otherwise);
    return v.status ? ts_fail(v.status, "%s", v.words) : 0;
}

/* ---- results files ---- */

enum { SECONDS = 10 };
static const uint64_t ROOM = UINT64_C(1) << 30; /* bytes, and 16 times the file */

/* All objects that will be read from HDF5, except the rows in between. Errors in the tables are
 * reported by the functions that read them. */
static int open_results(void *path) {
    torsor_results *results;
    torsor_table *columns = NULL;
    int status = torsor_results_open(&results, path);
    if (status) return status;
    torsor_results_catalogue(&columns, results);
    torsor_table_free(columns);
    torsor_results_free(results);
    return 0;
}

int ts_rehearse_results(const char *path) {
    struct stat about;
    char words[PATH_MAX + 100];
    if (stat(path, &about) || !S_ISREG(about.st_mode)) return 0;
    snprintf(words, sizeof words, "%s is damaged: the HDF5 library fails on it", path);
    uint64_t memory = ROOM + 16 * (uint64_t)about.st_size;
    return ts_rehearse(open_results, (void *)(intptr_t)path, SECONDS, memory, words);
}
