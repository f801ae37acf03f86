/* Pictures for the verbs that compare schemes: panels with curves, in rows of three, as plain SVG in the style of docs/papers. */
#ifndef TS_PLOT_H
#define TS_PLOT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_axis {
    const char *label;
    double low, high, tick; /* tick of an even axis; a logarithmic one has powers of ten */
    bool logarithmic;
} cli_axis;

typedef struct cli_panel {
    const char *title;
    cli_axis x, y;
    bool marks; /* a dot at every point */
} cli_panel;

typedef struct cli_line_of { /* a curve: points whose y is not a number break it */
    int count;
    const double *x, *y;
} cli_line_of;

/* A page for so many panels and so many lines in the legend. */
void cli_plot_begin(FILE *out, const char *title, int panels, int labels);
/* The panel at a place, 0 from the left and above: its frame, then its curves, the i-th in the i-th ink. */
void cli_plot_panel(FILE *out, int place, const cli_panel *panel, int curves,
                    const cli_line_of *curve);
void cli_plot_label(FILE *out, int panels, int which, const char *words);
void cli_plot_end(FILE *out);

/* An axis from the finite values: powers of ten around the positive ones, or round numbers around all. */
cli_axis cli_axis_over(const char *label, bool logarithmic, int curves, const cli_line_of *curve,
                       bool of_x);

#endif
