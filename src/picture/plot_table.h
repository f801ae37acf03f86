/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of results as plots: for a page (SVG), and for a terminal, in text. */
#ifndef TS_PLOT_TABLE_H
#define TS_PLOT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "results/results.h"

/* Which columns: all but the time and `over`, over which they are drawn. Columns of one unit share
 * a panel. */
typedef struct ts_plot_order {
    const ts_columns *columns;
    int over;
    const char *title;
    int width, height; /* of a panel: pixels, or characters of a terminal */
} ts_plot_order;

void ts_plot_table(FILE *out, const ts_plot_order *order);
/* Each column in a panel of its own; the dots are Braille characters, two by four in each. */
void ts_plot_text(FILE *out, const ts_plot_order *order);

/* Is the column drawn? The time, the first one, is not, nor is what the others are drawn over. */
bool ts_plot_shown(const ts_plot_order *order, int column);
/* "hinge.angle [rad]" */
void ts_plot_name(char *text, size_t size, const ts_columns *columns, int column);

#endif
