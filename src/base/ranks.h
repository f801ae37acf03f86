/* SPDX-License-Identifier: Apache-2.0 */
/* The processes ("ranks") that work on one model together: one, or those of torsor-mpi.
 *
 * Rank 0 runs the program. The others wait for its words and take part in factorisations only
 * (sparse/mumps_ranks.h). The library knows no MPI: torsor-mpi tells it how to reach the
 * other ranks before anything else is done, and all other programs leave it at one process.
 */
#ifndef TS_RANKS_H
#define TS_RANKS_H

/* Words of one message. */
enum { TS_RANK_WORDS = 4 };

typedef struct ts_ranks {
    int count;             /* of processes, this one included */
    const char *transport; /* what connects them and its version, for people; NULL: nothing does */
    void (*tell)(const int *words); /* TS_RANK_WORDS of them to all other ranks, at once */
} ts_ranks;

const ts_ranks *ts_ranks_here(void);
/* To be called once, before there are threads. The structure must stay. */
void ts_ranks_join(const ts_ranks *ranks);

#endif
