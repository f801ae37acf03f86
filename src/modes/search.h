/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of least size of a linearised model (scheme/linear.h), with eigenvectors; modal.c
 * makes modes of them. */
#ifndef TS_SEARCH_H
#define TS_SEARCH_H

#include "modes/modal.h"
#include "modes/pencil.h"

enum {
    TS_SEARCH_SPARE = 4
}; /* additional eigenvalues that are computed, so that none of a cluster
                               * is missed */

/* Eigenvalues found. */
typedef struct ts_found {
    int count, room;
    double *re, *im; /* omega^2; lambda, NaN for a motion without mass; 1/load factor of buckling */
    double *noise;   /* error of omega^2 by round-off; of lambda: of lambda^2 */
    double *phi;     /* dofs each; of a complex one two columns */
    double shift;    /* the shift with which omega^2 were found */
    int zeros;       /* number of free motions, found here or not */
    bool twins;      /* of lambda: -lambda is an eigenvalue too, because nothing is damped */
} ts_found;

void ts_found_free(ts_found *found);

typedef struct ts_search {
    const ts_linear_model *x;
    ts_pencil p;
    ts_reduced r;
    bool dense;
    int most; /* largest possible number of modes */
} ts_search;

/* gap: distance of the state from equilibrium, see ts_pencil_uncertain. */
int ts_search_new(ts_search **out, const ts_linear_model *x, const ts_system *system,
                  const ts_modal_options *modal, double gap);
void ts_search_free(ts_search *search);
/* K phi = omega^2 M phi, the lowest `k`, rising, vectors of unit mass */
int ts_search_symmetric(ts_search *search, int k, ts_found *out);
/* (lambda^2 M + lambda D + K) phi = 0; free motions first, with lambda = 0, one for each */
int ts_search_general(ts_search *search, int modes, ts_found *out);
/* -D phi = theta K phi, with D what the loads add to K */
int ts_search_buckling(ts_search *search, int modes, ts_found *out);
void ts_found_new(ts_found *found, int room, int dofs);

/* TORSOR_EINVAL if something that can move is held by the ground while a rotor turns on a bearing
 * about this axis (whirl.c). */
int ts_check_rotor(const ts_linear_model *x, const ts_system *system, v3 spin, v3 about);

/* b: forces on entry, on return the displacements that they cause: (K - s M) x = b, C x = 0, with a
 * small s < 0. */
int ts_solve_shifted(const ts_linear_model *x, double *b);

#endif
