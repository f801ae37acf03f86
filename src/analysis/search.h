/* Eigenvalues and eigenvectors of a linearised model (step/linear.h), those of least size: what modal.c makes modes of. */
#ifndef TS_SEARCH_H
#define TS_SEARCH_H

#include "analysis/modal.h"
#include "scheme/linear.h"

enum { TS_SEARCH_SPARE = 4 }; /* more are sought than asked for, lest one of a cluster is missed */

/* Eigenvalues as they were found, not sorted. */
typedef struct ts_found {
    int count;
    double *re, *im; /* omega^2; lambda, NaN for a motion without mass; 1/load factor of buckling */
    double *phi;     /* dofs each; of a complex one two columns */
} ts_found;

void ts_found_free(ts_found *found);

typedef struct ts_search ts_search;
int ts_search_new(ts_search **out, const ts_linear_model *x, int modes, ts_eigen_method method);
void ts_search_free(ts_search *search);
/* K phi = omega^2 M phi, `k` of them, vectors of unit mass */
int ts_search_symmetric(ts_search *search, int k, ts_found *out);
/* (lambda^2 M + lambda D + K) phi = 0 */
int ts_search_general(ts_search *search, int modes, ts_found *out);
/* -D phi = theta K phi, with D what the loads add to K */
int ts_search_buckling(ts_search *search, int modes, ts_found *out);
/* What round-off makes of phi^T K phi; and phi^T M phi. */
double ts_search_noise(const ts_search *search, const double *phi);
double ts_search_mass(ts_search *search, const double *phi);

/* b: forces on entry, on return the displacements that they cause: (K - s M) x = b, C x = 0, with a small s < 0. */
int ts_solve_shifted(const ts_linear_model *x, double *b);

#endif
