/* SPDX-License-Identifier: Apache-2.0 */
/* A bristle with a return map: dry friction over a step, with its energy. See bristle.c. */
#ifndef TS_BRISTLE_H
#define TS_BRISTLE_H

#include <stdbool.h>

enum { TS_BRISTLE_MOST = 3 };

/* Data of a step in which the root slips by `slip`, with n components, n <= TS_BRISTLE_MOST. */
typedef struct ts_bristle {
    int n;
    double stiffness;
    double strength, sliding;     /* the largest force before it slips, and while it slips */
    double changes[2];            /* their derivatives, for `by_strength` */
    double damping;               /* beta: the share of a dashpot while it sticks, 0 to 1 */
    bool at_end;                  /* compute the force at the end of the step, not the mean */
    double z[TS_BRISTLE_MOST];    /* its deflection at the start of the step */
    double slip[TS_BRISTLE_MOST]; /* of the step */
} ts_bristle;

typedef struct ts_bristle_step {
    double force[TS_BRISTLE_MOST]; /* mean over the step; it resists the slip */
    double z[TS_BRISTLE_MOST];     /* deflection at the end of the step */
    double dissipated;
    bool stuck;                                        /* during the whole step */
    double by_slip[TS_BRISTLE_MOST * TS_BRISTLE_MOST]; /* d force_i / d slip_j */
    double by_z[TS_BRISTLE_MOST * TS_BRISTLE_MOST];    /* d force_i / d z_j, of the start */
    double by_strength[TS_BRISTLE_MOST];               /* as the strengths change by `changes` */
} ts_bristle_step;

ts_bristle_step ts_bristle_over(const ts_bristle *b);

/* Coefficients of friction. A contact that stuck in the last step breaks loose at `adhering` and
 * slides at `sliding`; with a Stribeck velocity v_s above zero, both are sliding + (adhering -
 * sliding) exp(-(v/v_s)^2), v the mean velocity of the step. */
typedef struct ts_rubbing {
    double adhering, sliding, stribeck;
} ts_rubbing;

/* Coefficients before it slips and while it slips; returns the slope of both by the square of the
 * slip. `rate` is one over the length of the step. */
double ts_rubbing_over(const ts_rubbing *r, bool stuck, double rate, double square, double mu[2]);

#endif
