/* Pictures for the verbs that compare schemes: panels with curves, in rows of three, as plain
 * SVG in the style of docs/papers. */
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

/* A page for so many panels and so many lines in the legend. */
void ts_plot_begin(FILE *out, const char *verb, const char *title, int panels, int labels);
/* The panel at a place, 0 from the left and above: its frame, then its curves, the i-th in the
 * i-th ink. */
void ts_plot_panel(FILE *out, int place, const ts_panel *panel, int curves, const ts_curve *curve);
void ts_plot_label(FILE *out, int panels, int which, const char *words);
void ts_plot_end(FILE *out);

/* An axis from the finite values: powers of ten around the positive ones, or round numbers
 * around all. */
ts_axis ts_axis_over(const char *label, bool logarithmic, int curves, const ts_curve *curve,
                     bool of_x);

#endif
