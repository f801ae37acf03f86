/* SPDX-License-Identifier: Apache-2.0 */
/* MUMPS on several processes: how ranks other than 0 take part.
 *
 * Every call of MUMPS is made by all ranks together. Matrix, right-hand side and control parameters
 * are on rank 0 only; MUMPS sends them where they are needed. So the other ranks need only the
 * number of the factorisation and the operation. */
#ifndef TS_MUMPS_RANKS_H
#define TS_MUMPS_RANKS_H

#include <stdbool.h>

/* Jobs, by MUMPS' numbers. */
enum {
    TS_MUMPS_ANALYSE = 1,
    TS_MUMPS_FACTOR = 2,
    TS_MUMPS_SOLVE = 3,
    TS_MUMPS_BEGIN = -1,
    TS_MUMPS_END = -2
};
enum { TS_MUMPS_WORLD = -987654 }; /* all processes of the program */

/* One call, the same on all ranks. */
typedef struct ts_mumps_call {
    int job;
    int handle; /* of a factorisation, from 1; given by rank 0 when it begins */
    int complex, symmetric;
} ts_mumps_call;

/* Rank 0: sends the call to the other ranks, which make it, too. No cost without other ranks. */
void ts_mumps_announce(const ts_mumps_call *call);
/* Another rank: makes the call that these words announce. false: they announce the end of all. */
bool ts_mumps_attend(const int *words);
/* Rank 0, once: there will be no more calls. */
void ts_mumps_dismiss(void);

#endif
