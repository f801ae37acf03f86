/* SPDX-License-Identifier: Apache-2.0 */
/* How accurately a step is solved, if no tolerance is given: as accurately as the energy audit of a
 * long run needs.
 *
 * Newton's method leaves an error x, as a share of the step; the energy balance then has the error
 * (rate x) S, with S the largest energy so far. The rate is of the order of one: velocities are 2
 * dq/h - v, energies quadratic in them. In smooth motions these errors have one sign and add up, so
 * a tolerance that is small enough for one step may fail the audit of fifteen thousand. A run
 * may have, relative to S, the error
 *
 *     allowed(n) = budget log(1 + n/EARLY)        in its first n steps, and so in one of them
 *     budget / (EARLY + n)  +  (allowed(n) - |b|/S) / SPREAD ,
 *
 * the budget 5e-11, or 1e-12 of models with forces by channels, variables, events or friction:
 * their ledger has many terms, and closes to 1e-11. b is the present error of the balance: if
 * errors cancel each other, or are smaller than expected, later steps may use the rest. The rate is
 * measured at every accepted step, and older values lose half of their weight from step to step;
 * changes that may be round-off are ignored. The rate is not part of the state and is forgotten
 * when the stepper forgets. n counts steps from the start of the run, not towards its end, so that
 * a continued run agrees bit for bit.
 */
#ifndef TS_EXACTNESS_H
#define TS_EXACTNESS_H

#include "system/system.h"

typedef struct ts_exactness {
    int nodes; /* of the model: its energies are rounded to 1e-16 of each */
    double budget;
    double multipliers; /* tolerance of multipliers, as a multiple of the tolerance */
    double rate;        /* 0: not known */
} ts_exactness;

/* An error of the multiplier of a row that stays closed moves nothing and does no work: its force
 * C^T is balanced by the row, and C_m dq = 0. So the error of multipliers may be ten times as
 * large, unless a force depends on a multiplier or a drive moves its row. */
void ts_exactness_begin(ts_exactness *x, const ts_model *model);

/* Limits of the tolerances of steps: the largest; the smallest, which is round-off, for equilibria,
 * whose paths begin and end with the last digits. */
static const double TS_LOOSEST = 5e-11, TS_TIGHTEST = 1e-15;

/* The tolerance of the next step. */
double ts_usual_tolerance(const ts_exactness *x, double balance, double energy, int64_t steps);
/* Records an accepted step: Newton's method left this share of the step, and the error of the
 * balance changed by `change`. */
void ts_note_exactness(ts_exactness *x, double energy, double left, double change);

#endif
