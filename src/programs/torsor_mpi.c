/* SPDX-License-Identifier: Apache-2.0 */
/* The program torsor-mpi: the command line on rank 0, whose factorisations all ranks share.
 *
 *     mpirun -n 4 torsor-mpi run model.yaml
 *
 * Rank 0 runs the command line: it reads, steps, writes and prints. The other ranks wait for its
 * messages and take part in MUMPS (sparse/mumps_ranks.h). They sleep while waiting, because rank 0
 * needs the processor between two calls; waiting within MPI would keep a core busy. They ignore the
 * signals that end a job: rank 0 ends it, after its step.
 *
 * If a rank dies, the job ends: mpirun reports the rank and ends the others. The results file
 * contains the states that were stored before. */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/ranks.h"
#include "cli/cli.h"
#include "sparse/mumps_ranks.h"

static const long NAP = 50000;         /* ns between two looks for a message */
static const double STAY_AWAKE = 2e-4; /* s after the last message: the next may follow at once */

static char transport[MPI_MAX_LIBRARY_VERSION_STRING];
static pid_t first; /* process of rank 0 */

/* ---- rank 0 ---- */

/* A process that was forked from rank 0 has no part in MPI. */
static void tell(const int *words) {
    int copy[TS_RANK_WORDS];
    MPI_Request request;
    if (getpid() != first) {
        fputs("torsor: a child process of torsor-mpi cannot factor together with other ranks\n",
              stderr);
        _exit(CLI_NUMERICS);
    }
    memcpy(copy, words, sizeof copy);
    MPI_Ibcast(copy, TS_RANK_WORDS, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static ts_ranks ranks = {.tell = tell, .transport = transport};

/* "Open MPI v4.1.4, package: ..." -> "Open MPI v4.1.4" */
static void name_transport(void) {
    int length = 0;
    MPI_Get_library_version(transport, &length);
    transport[strcspn(transport, ",\n")] = 0;
    for (char *c = transport; *c; c++)
        if (*c == '\t') *c = ' ';
}

/* In a signal handler. mpirun sends the same signal when a user stops the job and when a rank has
 * died, and ends the program by force if it does not end soon. */
static void on_stop(void) {
    static const char words[] =
        "torsor: the run will stop after this step. If a rank has died and it cannot stop, the "
        "stored states are kept: `restart` continues from them.\n";
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) return;
}

static int lead(int count, char **word) {
    first = getpid();
    name_transport();
    ts_ranks_join(&ranks);
    if (ranks.count > 1) cli_asked_to_stop = on_stop;
    int code = cli_main(count, word);
    ts_mumps_dismiss();
    return code;
}

/* ---- the others ---- */

static void receive(int *words) {
    MPI_Request request;
    int here = 0;
    double begun = MPI_Wtime();
    MPI_Ibcast(words, TS_RANK_WORDS, MPI_INT, 0, MPI_COMM_WORLD, &request);
    while (!here) {
        MPI_Test(&request, &here, MPI_STATUS_IGNORE);
        if (!here && MPI_Wtime() - begun > STAY_AWAKE)
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
    }
}

static int attend(void) {
    int words[TS_RANK_WORDS];
    do receive(words);
    while (ts_mumps_attend(words));
    return 0;
}

static int follow(int rank) {
    ts_trap trap;
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN);
    if (setjmp(*ts_trap_aside(&trap)) != 0) {
        ts_trap_caught(&trap);
        fprintf(stderr, "torsor: rank %d: %s\n", rank, torsor_error());
        MPI_Abort(MPI_COMM_WORLD, CLI_FILE);
    }
    return ts_trap_end(&trap, attend());
}

/* ---- all ---- */

/* MPI cannot go on: another rank, or the way to it, is gone. */
static void on_error(MPI_Comm *comm, int *code, ...) {
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0, rank = 0;
    (void)comm;
    MPI_Error_string(*code, words, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "torsor: rank %d: %s; another rank may have died\n", rank, words);
    MPI_Abort(MPI_COMM_WORLD, CLI_NUMERICS);
}

/* Threads (of --resolve, converge, compare) call MUMPS one at a time. */
static int begin(int *count, char ***word) {
    int level, rank = 0;
    MPI_Errhandler handler;
    MPI_Init_thread(count, word, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    if (level >= MPI_THREAD_SERIALIZED) return rank;
    fputs("torsor: this MPI library does not support calls from several threads one at a time "
          "(MPI_THREAD_SERIALIZED), which torsor needs\n",
          stderr);
    MPI_Abort(MPI_COMM_WORLD, CLI_FILE);
    return rank;
}

int main(int count, char **word) {
    int rank = begin(&count, &word);
    int code = rank == 0 ? lead(count, word) : follow(rank);
    MPI_Finalize();
    return code;
}
