/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars of a history, from the same history of a run with half the step and of one with a
 * refined mesh.
 *
 * With an error C h^p the difference of the runs with h and h/2 is C h^p (1 - 2^-p): the error of
 * the run with h is 2^p/(2^p - 1) of the difference (Richardson). This is an estimate: it holds if
 * the step and the mesh are fine enough for the first term of the error to dominate. A history
 * whose error bar is half of its range is not resolved.
 */
#ifndef TS_ERROR_BAR_H
#define TS_ERROR_BAR_H

#include <stdint.h>

typedef enum ts_bar_verdict {
    TS_BAR_RESOLVED,     /* to 1 % of the range, or better */
    TS_BAR_COARSE,       /* worse than that */
    TS_BAR_NOT_RESOLVED, /* the bar is longer than half of the range */
    TS_BAR_STILL,        /* it does not move */
    TS_BAR_UNKNOWN,      /* there is no run to compare with */
    TS_BAR_VERDICTS
} ts_bar_verdict;
extern const char *const TS_BAR_WORD[TS_BAR_VERDICTS];

/* Lengths in the unit of the history; NAN: not known. */
typedef struct ts_error_bar {
    double end;        /* value at the end */
    double range;      /* largest value less smallest */
    double largest;    /* largest absolute value */
    double step, mesh; /* largest of the run */
    double both;       /* the sum of the known ones */
    double against;    /* scale of bars: the range, or for a constant its size */
    int digits;        /* digits of the value at the end that the bar leaves */
    ts_bar_verdict verdict;
} ts_error_bar;

/* 2^p/(2^p - 1) */
double ts_richardson(int order);
/* Sets end, range and largest; errors are unknown. Values that are not numbers are ignored. */
ts_error_bar ts_error_bar_of(int64_t rows, const double *value);
double ts_largest_difference(int64_t rows, const double *a, const double *b);
/* Computes the sum, digits and verdict from step and mesh. scale: the largest value of all
 * histories of that unit; motions below 1e-9 of it are round-off. */
void ts_error_bar_judge(ts_error_bar *bar, double scale);

#endif
