/* SPDX-License-Identifier: Apache-2.0 */
/* The predictor: first guess of Newton's method. See predict.c. Private to src/step and tests. */
#ifndef TS_PREDICT_H
#define TS_PREDICT_H

#include <stdbool.h>

#include "model/model.h"

/* Ways to extrapolate: polynomials of order 0 to 5, then those with an alternating term. */
enum { TS_PAST_STEPS = 6, TS_WAYS = 9 };

/* Quantities that are extrapolated, each in its own way: accelerations, and with them the stage;
 * the multipliers, which are accurate to other digits. */
typedef enum ts_foretold { TS_MOTION, TS_LAMBDA, TS_KAPPA, TS_FORETOLD } ts_foretold;

/* Source of a guess: the last steps; the state alone; velocities alone, as if no forces acted. */
typedef enum ts_guess { TS_FROM_HISTORY, TS_FROM_STATE, TS_FROM_VELOCITY } ts_guess;

/* Means over the last steps, newest first, each step beginning where the one before it ended. */
typedef struct ts_history {
    int count;               /* steps that are remembered */
    double t[TS_PAST_STEPS]; /* start of each */
    double h[TS_PAST_STEPS]; /* its size */
    double *acceleration[TS_PAST_STEPS];
    double *lambda[TS_PAST_STEPS], *kappa[TS_PAST_STEPS];
    double *stage[TS_PAST_STEPS];
    double missed[TS_FORETOLD][TS_WAYS]; /* squares of errors of each way, older ones for less */
} ts_history;

/* One step, as it is remembered. */
typedef struct ts_past_step {
    double t, h;
    const double *acceleration, *lambda, *kappa, *stage; /* the last two NULL: one stage */
    const double *row_weight; /* displacement per multiplier, to compare forces and moments */
} ts_past_step;

void ts_history_new(ts_history *x, const ts_model *model);
void ts_history_clear(ts_history *x);
void ts_history_forget(ts_history *x);
/* Drops steps that did not lead to the time t: they are not the history of a step that begins
 * there. */
void ts_history_until(ts_history *x, double t);
/* Records an accepted step and the error of each way for it. `length`: scale for accelerations of
 * places. */
void ts_history_add(ts_history *x, const ts_model *model, double length, const ts_past_step *step);
/* The way with the least error; -1: nothing is stored. */
int ts_history_way(const ts_history *x, ts_foretold what);
/* Weights of the stored steps, which extrapolate a mean to the step of h from t, and their number;
 * 0: this way needs more steps, or equal ones. */
int ts_history_weights(const ts_history *x, int way, double t, double h,
                       double weight[TS_PAST_STEPS]);

#endif
