/* SPDX-License-Identifier: Apache-2.0 */
/* Plots: panels with axes and curves, as plain SVG in the style of docs/papers. For the verbs that
 * compare schemes, and for columns of results (plot_table.c). */
#ifndef TS_PLOT_H
#define TS_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_axis {
    const char *label;
    double low, high, tick; /* tick of an even axis; a logarithmic one has powers of ten */
    bool logarithmic;
} ts_axis;

typedef struct ts_panel {
    const char *title;
    ts_axis x, y;
    bool marks; /* a dot at every point */
} ts_panel;

typedef struct ts_curve { /* a curve: points whose y is not a number break it */
    int count;
    const double *x, *y;
} ts_curve;

/* The paper: panels of one size, in rows of so many. */
typedef struct ts_sheet {
    FILE *out;
    int panels, across;
    double left, width, height; /* margin; size of a panel */
    int labels;                 /* below all panels */
    int legend;                 /* room for labels beside the panels; 0: they stand below */
} ts_sheet;

enum { TS_PLOT_LINE = 18 }; /* height of a label */

/* Small panels, three in a row, with labels below. */
ts_sheet ts_sheet_of_three(FILE *out, int panels, int labels);

void ts_plot_begin(const ts_sheet *sheet, const char *verb, const char *title);
/* The panel at a place, 0 from the left and above: its frame, then its curves, the i-th in the
 * i-th ink. */
void ts_plot_panel(const ts_sheet *sheet, int place, const ts_panel *panel, int curves,
                   const ts_curve *curve);
void ts_plot_label(const ts_sheet *sheet, int which, const char *words);
void ts_plot_label_beside(const ts_sheet *sheet, int place, int which, const char *words);
void ts_plot_end(const ts_sheet *sheet);

enum { TS_AXIS_NUMBER = 24 };
/* A number beside the axis, with as many digits as ticks need. */
void ts_axis_number(char words[TS_AXIS_NUMBER], const ts_axis *axis, double value);
double ts_axis_share(const ts_axis *axis, double value); /* 0 at its low end, 1 at its high end */
/* An axis from the finite values: powers of ten around the positive ones, or round numbers
 * around all. */
ts_axis ts_axis_over(const char *label, bool logarithmic, int curves, const ts_curve *curve,
                     bool of_x);

#endif
