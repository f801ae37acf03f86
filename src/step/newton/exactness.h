/* SPDX-License-Identifier: Apache-2.0 */
/* How exactly a step is solved, where no tolerance is given: as exactly as the energy audit of a
 * long run needs it.
 *
 * Newton's method leaves an error x, a share of the step; the balance of energies is then off by
 * rate x of S, the largest energy so far, as audits measure it. The rate is of the order of one:
 * velocities are 2 dq/h - v, energies quadratic in them. In smooth motions these errors have one
 * sign and add up, so a tolerance that is fine for a step opens the audit of fifteen thousand. A
 * run may spend
 *
 *     allowed(n) = budget log(1 + n/EARLY)        in its first n steps, and so in one of them
 *     budget / (EARLY + n)  +  (allowed(n) - |b|/S) / SPREAD ,
 *
 * the budget 5e-11, or 1e-12 of models with forces by channels, variables, events or friction: the
 * account of what machines and their logic do has many lines, and closes to 1e-11. b is what the
 * balance is off by, at present: where errors cancel each other, or are smaller than foreseen,
 * later steps have what is left. The rate is measured at every step that is accepted and fades by
 * a half from step to step; changes that may be round-off are no rate. The rate is no part of the
 * state and is forgotten where the stepper forgets. n counts steps from the start of the run, not
 * towards its end, so that a run that goes on later goes on bit for bit.
 */
#ifndef TS_EXACTNESS_H
#define TS_EXACTNESS_H

#include "system/system.h"

typedef struct ts_exactness {
    int nodes; /* of the model: its energies are rounded to 1e-16 of each */
    double budget;
    double multipliers; /* what may be left of multipliers, as a multiple of the tolerance */
    double rate;        /* 0: not known */
} ts_exactness;

/* What is left of the multiplier of a row that stays closed moves nothing and does no work: its
 * force C^T is balanced by the row, and C_m dq = 0. So ten times as much may be left of
 * multipliers, unless a force depends on one or a drive moves its row. */
void ts_exactness_begin(ts_exactness *x, const ts_model *model);

/* Tolerances that steps are given: the largest; the smallest, which is round-off, for those who
 * want the last digits, as equilibria do, whose paths begin and end with them. */
static const double TS_LOOSEST = 5e-11, TS_TIGHTEST = 1e-15;

/* Of the next step. */
double ts_usual_tolerance(const ts_exactness *x, double balance, double energy, int64_t steps);
/* A step was accepted that left this share of it, and the balance off by `change` more. */
void ts_note_exactness(ts_exactness *x, double energy, double left, double change);

#endif
