/* SPDX-License-Identifier: Apache-2.0 */
/* Inner unknowns of elements, condensed: see condense.c. */
#ifndef TS_CONDENSE_H
#define TS_CONDENSE_H

#include <stdbool.h>
#include <stdint.h>

struct ts_equations;

/* An element with inner unknowns. Its numbers are kept as long as the factors of the matrix are. */
typedef struct ts_inner_element {
    int outer, inner; /* how many unknowns: of its nodes, and its own */
    int64_t unknown;  /* first of `outer + inner` numbers in `unknowns` */
    int64_t value;    /* first of 2 outer inner + inner^2 in `values` */
} ts_inner_element;

typedef struct ts_condensation {
    int n;          /* unknowns of the matrix: those that are left */
    int *place;     /* per unknown: its place among them; -1: it is inner */
    int count, *of; /* elements with inner unknowns; per element of the schedule: which, or -1 */
    int *which;     /* the other way round */
    ts_inner_element *element;
    int *unknowns; /* all of them: of the nodes, then inner ones */
    double *values;
    double *left;  /* right-hand side and solution of what is left; room for complex ones */
    bool singular; /* the inner matrix of some element was, in the last assembly */
} ts_condensation;

/* NULL: no element has inner unknowns. */
ts_condensation *ts_condensation_new(const struct ts_equations *eq);
void ts_condensation_free(ts_condensation *c);

/* Of the pattern of an element: `place` from unknowns to places, and in `mask` the couplings that
 * go by inner unknowns. */
void ts_condense_pattern(const ts_condensation *c, int width, int *place, bool *mask);
/* Eliminates the inner unknowns from the dense matrix of an element of the schedule. */
void ts_condense_element(const struct ts_equations *eq, int element, int width, double *dense);
/* The groups of the unknowns that are left, in place. */
void ts_condense_groups(const ts_condensation *c, int n, int *group);

#endif
