/* SPDX-License-Identifier: Apache-2.0 */
/* Curves of `torsor spectrum` as an SVG picture. */
#ifndef TS_SPECTRUM_PLOT_H
#define TS_SPECTRUM_PLOT_H

#include <stdio.h>

#include "analysis/spectrum.h"

typedef struct ts_spectrum_curve {
    char label[160];
    int wide_count, near_count;
    ts_spectrum *wide; /* over the whole range, evenly in log(step / period) */
    ts_spectrum *near; /* where steps resolve the period, evenly */
} ts_spectrum_curve;

void ts_spectrum_plot(FILE *out, int count, const ts_spectrum_curve *curve);

#endif
