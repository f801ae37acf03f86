/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars. See error_bar.h. */
#include "analysis/error_bar.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_DIGITS = 15 };
static const double FINE = 0.01, LOST = 0.5; /* of the range */
static const double ROUND = 1e-9;            /* of the scale */

const char *const TS_BAR_WORD[TS_BAR_VERDICTS] = {
    [TS_BAR_RESOLVED] = "resolved",         [TS_BAR_COARSE] = "coarse",
    [TS_BAR_NOT_RESOLVED] = "not resolved", [TS_BAR_STILL] = "does not move",
    [TS_BAR_UNKNOWN] = "unknown",
};

double ts_richardson(int order) { return 1 / (1 - ldexp(1, -order)); }

ts_error_bar ts_error_bar_of(int64_t rows, const double *value) {
    ts_error_bar bar = {.end = NAN, .step = NAN, .mesh = NAN, .both = NAN};
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < rows; k++) {
        if (!isfinite(value[k])) continue;
        low = fmin(low, value[k]), high = fmax(high, value[k]);
        bar.end = value[k];
    }
    bar.range = high >= low ? high - low : NAN;
    bar.largest = high >= low ? fmax(fabs(low), fabs(high)) : 0;
    return bar;
}

double ts_largest_difference(int64_t rows, const double *a, const double *b) {
    double largest = NAN;
    for (int64_t k = 0; k < rows; k++)
        if (isfinite(a[k]) && isfinite(b[k])) largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

/* The bar is at most half a unit of the last of them. */
static int digits_left(double value, double bar) {
    if (!(fabs(value) > 0)) return 0;
    int digits = 0;
    double unit = pow(10, floor(log10(fabs(value))) + 1);
    for (; digits < MOST_DIGITS && bar <= 0.05 * unit; unit /= 10) digits++;
    return digits;
}

static ts_bar_verdict verdict_of(const ts_error_bar *bar, double scale) {
    if (isnan(bar->both)) return TS_BAR_UNKNOWN;
    if (fmax(bar->range, bar->both) <= ROUND * scale) return TS_BAR_STILL;
    if (!(bar->both < LOST * bar->against)) return TS_BAR_NOT_RESOLVED;
    return bar->both > FINE * bar->against ? TS_BAR_COARSE : TS_BAR_RESOLVED;
}

void ts_error_bar_judge(ts_error_bar *bar, double scale) {
    bar->both = isnan(bar->step) ? bar->mesh : isnan(bar->mesh) ? bar->step : bar->step + bar->mesh;
    bar->against = bar->range > ROUND * scale ? bar->range : bar->largest;
    bar->verdict = verdict_of(bar, scale);
    bool known = bar->verdict == TS_BAR_RESOLVED || bar->verdict == TS_BAR_COARSE;
    bar->digits = known ? digits_left(bar->end, bar->both) : 0;
}
