/* SPDX-License-Identifier: Apache-2.0 */
/* The processes ("ranks") that work on one model together: one, or those of torsor-mpi.
 *
 * Rank 0 runs the program. The other ranks wait for its messages and take part in factorisations
 * only (sparse/mumps_ranks.h). The library does not depend on MPI: torsor-mpi first sets the
 * functions that reach the other ranks; all other programs use one process. */
#ifndef TS_RANKS_H
#define TS_RANKS_H

/* Number of words of one message. */
enum { TS_RANK_WORDS = 4 };

typedef struct ts_ranks {
    int count;                      /* number of processes, this one included */
    const char *transport;          /* name and version of the MPI library; NULL: none */
    void (*tell)(const int *words); /* sends TS_RANK_WORDS words to all other ranks */
} ts_ranks;

const ts_ranks *ts_ranks_here(void);
/* Call this once, before there are threads. The structure must stay valid. */
void ts_ranks_join(const ts_ranks *ranks);

#endif
