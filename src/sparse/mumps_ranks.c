/* SPDX-License-Identifier: Apache-2.0 */
/* MUMPS on several processes: see mumps_ranks.h.
 *
 * Another rank keeps MUMPS' structure of every open factorisation in a list: a model may have
 * several at once, real and complex, symmetric and not. It prints nothing. Rank 0 reports errors:
 * MUMPS sets INFOG to the same values on all ranks. */
#include "sparse/mumps_ranks.h"

#include <dmumps_c.h>
#include <stdlib.h>
#include <zmumps_c.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/ranks.h"

enum { DISMISSED = 0 }; /* no job of MUMPS that we use */

/* ---- rank 0 ---- */

static void tell(int job, int handle, int is_complex, int symmetric) {
    const int words[TS_RANK_WORDS] = {job, handle, is_complex, symmetric};
    ts_ranks_here()->tell(words);
}

void ts_mumps_announce(const ts_mumps_call *c) {
    if (ts_ranks_here()->count > 1) tell(c->job, c->handle, c->complex, c->symmetric);
}

void ts_mumps_dismiss(void) {
    if (ts_ranks_here()->count > 1) tell(DISMISSED, 0, 0, 0);
}

/* ---- the others ---- */

typedef struct share {
    struct share *next;
    int handle;
    union {
        DMUMPS_STRUC_C d;
        ZMUMPS_STRUC_C z;
    } id;
} share;

static share *shares;

/* Where the pointer to the share stands; NULL stands there if there is none. */
static share **find(int handle) {
    share **at = &shares;
    while (*at && (*at)->handle != handle) at = &(*at)->next;
    return at;
}

static share *begin(const ts_mumps_call *c) {
    share *s = ts_calloc(1, sizeof *s);
    ts_blas_ready();
    s->next = shares, s->handle = c->handle, shares = s;
    if (c->complex)
        s->id.z.par = 1, s->id.z.sym = c->symmetric, s->id.z.comm_fortran = TS_MUMPS_WORLD;
    else
        s->id.d.par = 1, s->id.d.sym = c->symmetric, s->id.d.comm_fortran = TS_MUMPS_WORLD;
    return s;
}

/* ICNTL(1..4): streams and level of what MUMPS prints, which every rank decides for itself. */
static void be_silent(MUMPS_INT *icntl) { icntl[0] = icntl[1] = icntl[2] = -1, icntl[3] = 0; }

static void call_mumps(share *s, const ts_mumps_call *c) {
    if (c->complex)
        s->id.z.job = c->job, zmumps_c(&s->id.z);
    else
        s->id.d.job = c->job, dmumps_c(&s->id.d);
}

bool ts_mumps_attend(const int *words) {
    ts_mumps_call c = {words[0], words[1], words[2], words[3]};
    if (c.job == DISMISSED) return false;
    share **at = find(c.handle), *s = c.job == TS_MUMPS_BEGIN ? begin(&c) : *at;
    if (!s) return true;
    call_mumps(s, &c);
    if (c.job == TS_MUMPS_BEGIN) be_silent(c.complex ? s->id.z.icntl : s->id.d.icntl);
    if (c.job == TS_MUMPS_END) *at = s->next, free(s);
    return true;
}
