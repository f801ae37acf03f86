/* SPDX-License-Identifier: Apache-2.0 */
/* The distance of two cores over a step, and its gradient: see envelope.c. */
#ifndef TS_ENVELOPE_H
#define TS_ENVELOPE_H

#include <stdbool.h>

#include "contact/nearest.h"

/* Points that take part: three pairs at either end of the step; of a round core five in all. */
enum { TS_TOUCH_POINTS = 12 };

typedef struct ts_touch {
    int points;
    bool of_b[TS_TOUCH_POINTS];
    int point[TS_TOUCH_POINTS]; /* its number in its core */
    /* places at both ends, and at the mean */
    v3 start[TS_TOUCH_POINTS], end[TS_TOUCH_POINTS], mean[TS_TOUCH_POINTS];
    double old[TS_TOUCH_POINTS], new[TS_TOUCH_POINTS]; /* weights c of both ends; of B negative */
    double share;                                      /* theta */
    double d_start, d_end;
    bool slips;             /* A or B is negative */
    double slack;           /* additional length that counts at the end */
    v3 r_end, old_r, new_r; /* sum c^f p_f; of the mean: sum c^i p_m, sum c^f p_m */
    /* sum of gradient . (end - start) = d_end + slack - d_start */
    v3 gradient[TS_TOUCH_POINTS];
    /* for its slopes */
    int ways; /* changes of the weights at the end, see nearest.h */
    double way[TS_MOST_WAYS][TS_TOUCH_POINTS], bend[TS_MOST_WAYS];
    double spread; /* A + B; 0: none */
} ts_touch;

/* Distance of cores A and B over a step. False: they meet, or have no distance at either end. */
bool ts_touch_over(const ts_core start[2], const ts_core end[2], ts_touch *out);

/* Derivatives as the points at the end of the step move by `by`. */
typedef struct ts_touch_change {
    double d_end;
    v3 gradient[TS_TOUCH_POINTS];
    /* of the mean weights (1 - theta) c^i + theta c^f, which define the place of contact */
    double weight[TS_TOUCH_POINTS];
} ts_touch_change;
ts_touch_change ts_touch_moved(const ts_touch *x, const v3 *by);

/* The mean weights, which define the place of contact. */
static inline double ts_touch_weight(const ts_touch *x, int k) {
    return (1 - x->share) * x->old[k] + x->share * x->new[k];
}

#endif
