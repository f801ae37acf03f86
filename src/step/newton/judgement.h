/* SPDX-License-Identifier: Apache-2.0 */
/* How Newton's method judges its increments (newton.c), as rules on numbers. Private to src/scheme,
 * and to tests.
 *
 * d is the size of an increment, `previous` that of the last one, `before` that of the one before;
 * 0: there is none.
 */
#ifndef TS_JUDGEMENT_H
#define TS_JUDGEMENT_H

#include <math.h>
#include <stdbool.h>

#include "system/rest.h"

static const double TS_GOOD_RATE = 0.2;       /* increments shrink well */
static const double TS_KEEPING_RATE = 0.3;    /* keep the factorisation */
static const double TS_EVERY_OTHER = 0.05;    /* keep it too: rate over two iterations */
static const double TS_ROUND_OFF = 1e-4;      /* of the step: what is smaller may be round-off */
static const double TS_LARGEST_NOISE = 1e-10; /* round-off is never larger */
static const double TS_ELSEWHERE = 1e-3, TS_DIFFERENT = 0.3; /* see ts_is_noise */

/* Error left behind an increment, from the rate seen so far: the rest of a geometric series. */
static inline double ts_error_left(double d, double previous) {
    double theta = previous > 0 ? d / previous : 1;
    return theta < 0.9 ? d * theta / (1 - theta) : d;
}

/* Is convergence too slow for the tangent to be kept? Increments often shrink in pairs, a little
 * and then much: where one half of the unknowns follows from the other, such as the two stages with
 * ED's short tangent, or bending and stretch in slender beams. So the rate over two iterations
 * counts as well. */
static inline bool ts_is_slow(double d, double previous, double before) {
    return d > TS_KEEPING_RATE * previous && d > TS_EVERY_OTHER * before;
}

/* The rate of an iteration, or the mean of two, if that is better. */
static inline double ts_rate(double d, double previous, double before) {
    double rate = d / previous;
    return before > 0 && d < rate * rate * before ? sqrt(d / before) : rate;
}

/* The expected rate of a tangent computed at a distance d, if one computed at the distance `then`
 * had this rate: Newton's method with the exact tangent contracts in proportion to the distance. */
static inline double ts_rate_nearer(double rate, double d, double then) {
    return d < then ? rate * d / then : rate;
}

/* Number of iterations until an increment is small enough, each `rate` times the last. */
static inline double ts_iterations_left(double d, double enough, double rate) {
    if (d <= enough) return 0;
    return rate < 1 ? log(d / enough) / -log(rate) : INFINITY;
}

/* Should a factorisation be replaced that has served some steps, and cost `spent` in all, in
 * iterations, its own computation and this step included? As for machines that wear out: once a
 * step costs more than the average, a longer life increases the average. */
static inline bool ts_is_worn(int iterations, int steps, double spent) {
    return iterations * steps > spent;
}

/* An increment that no longer shrinks: is it small enough to be round-off? `step` is the size of
 * the whole step; in statics it is no measure. `far` is the distance of the model from the origin
 * over its size, or 1: places are rounded to eps far. */
static inline bool ts_may_be_noise(double d, double step, double far, bool statics) {
    return d < TS_LARGEST_NOISE * far &&
           (d < TS_ROUND_OFF * step || d < TS_AT_REST * far || statics);
}

/* Is the increment round-off, or is the tangent merely poor? At a point a thousandth of the
 * increment away, a poor tangent gives nearly the same increment again; round-off gives quite
 * another one. `change` is the size of the difference. */
static inline bool ts_is_noise(double change, double d) { return change > TS_DIFFERENT * d; }

#endif
