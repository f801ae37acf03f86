/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of results as SVG. See plot_table.h.
 *
 * A history of many states has more points than the picture has pixels. Of the points that fall
 * into one column of pixels, the first, the lowest, the highest and the last are drawn: the picture
 * is the same, and the file stays small.
 */
#include "picture/plot_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "picture/plot.h"

enum { LEGEND = 240, LEFT = 90, LABELS_MOST = 40 };

void ts_plot_name(char *text, size_t size, const ts_columns *c, int column) {
    snprintf(text, size, "%s [%s]", c->name[column], c->unit[column]);
}

/* ---- fewer points ---- */

static bool increases(const double *x, int64_t count) {
    for (int64_t i = 1; i < count; i++)
        if (!(x[i] >= x[i - 1])) return false;
    return true;
}

static int compare(const void *a, const void *b) {
    int64_t i = *(const int64_t *)a, k = *(const int64_t *)b;
    return (i > k) - (i < k);
}

/* Of the points from `begin` to before `end`: first, lowest, highest, last. */
static int thin_bin(const double *y, int64_t begin, int64_t end, int64_t keep[4]) {
    int64_t low = begin, high = begin;
    for (int64_t i = begin; i < end; i++) {
        if (!(y[i] >= y[low])) low = i; /* a gap (not a number) is kept */
        if (y[i] > y[high]) high = i;
    }
    keep[0] = begin, keep[1] = low, keep[2] = high, keep[3] = end - 1;
    qsort(keep, 4, sizeof *keep, compare);
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (count == 0 || keep[i] != keep[count - 1]) keep[count++] = keep[i];
    return count;
}

/* The points of a curve that the picture can show, in `x_out` and `y_out`. */
static int thin(const double *x, const double *y, int64_t rows, int bins, double *x_out,
                double *y_out) {
    int count = 0;
    double span = x[rows - 1] - x[0];
    for (int64_t begin = 0, end; begin < rows; begin = end) {
        int64_t keep[4], bin = (int64_t)((x[begin] - x[0]) / span * bins);
        for (end = begin + 1; end < rows && (int64_t)((x[end] - x[0]) / span * bins) == bin;) end++;
        int kept = thin_bin(y, begin, end, keep);
        for (int i = 0; i < kept; i++, count++)
            x_out[count] = x[keep[i]], y_out[count] = y[keep[i]];
    }
    return count;
}

/* The curve of a column; `room` is to be freed. */
static ts_curve curve_of(const ts_plot_order *o, int column, double **room) {
    const ts_columns *c = o->columns;
    const double *x = c->data + o->over * c->rows, *y = c->data + column * c->rows;
    *room = NULL;
    if (c->rows <= 8 * (int64_t)o->width || !increases(x, c->rows) || !(x[c->rows - 1] > x[0]))
        return (ts_curve){(int)c->rows, x, y};
    size_t most = 4 * ((size_t)o->width + 2);
    *room = ts_calloc(2 * most, sizeof **room);
    int count = thin(x, y, c->rows, o->width, *room, *room + most);
    return (ts_curve){count, *room, *room + most};
}

/* ---- panels ---- */

bool ts_plot_shown(const ts_plot_order *o, int column) {
    return column > 0 && column != o->over &&
           strcmp(o->columns->name[column], o->columns->name[o->over]) != 0;
}

/* The first column of the same unit: its panel has them all. */
static int leader(const ts_plot_order *o, int column) {
    int i = 0;
    while (!ts_plot_shown(o, i) || strcmp(o->columns->unit[i], o->columns->unit[column]) != 0) i++;
    return i;
}

static int members(const ts_plot_order *o, int lead, int *member) {
    int count = 0;
    for (int i = lead; i < o->columns->count; i++)
        if (ts_plot_shown(o, i) && leader(o, i) == lead) member[count++] = i;
    return count;
}

static void draw_panel(const ts_sheet *sheet, int place, const ts_plot_order *o, int count,
                       const int *member) {
    char title[400], across[400];
    ts_curve *curve = ts_calloc((size_t)count, sizeof *curve);
    double **room = ts_calloc((size_t)count, sizeof *room);
    for (int i = 0; i < count; i++) curve[i] = curve_of(o, member[i], &room[i]);
    ts_plot_name(across, sizeof across, o->columns, o->over);
    if (count == 1)
        ts_plot_name(title, sizeof title, o->columns, member[0]);
    else
        snprintf(title, sizeof title, "[%s]", o->columns->unit[member[0]]);
    ts_panel panel = {.title = title};
    panel.x = ts_axis_over(across, false, count, curve, true);
    panel.y = ts_axis_over("", false, count, curve, false);
    ts_plot_panel(sheet, place, &panel, count, curve);
    for (int i = 0; i < count && count > 1 && i < LABELS_MOST; i++)
        ts_plot_label_beside(sheet, place, i, o->columns->name[member[i]]);
    for (int i = 0; i < count; i++) free(room[i]);
    free(room), free(curve);
}

void ts_plot_table(FILE *out, const ts_plot_order *o) {
    int *member = ts_calloc((size_t)o->columns->count, sizeof *member), most = 1;
    ts_sheet sheet = {.out = out, .across = 1, .left = LEFT, .width = o->width};
    for (int i = 0; i < o->columns->count; i++) {
        if (!ts_plot_shown(o, i) || leader(o, i) != i) continue;
        int count = members(o, i, member);
        most = count > most ? count : most;
        sheet.panels++;
    }
    most = most > LABELS_MOST ? LABELS_MOST : most;
    sheet.height = fmax(o->height, TS_PLOT_LINE * most);
    sheet.legend = most > 1 ? LEGEND : 1;
    ts_plot_begin(&sheet, "plot", o->title);
    for (int i = 0, place = 0; i < o->columns->count; i++)
        if (ts_plot_shown(o, i) && leader(o, i) == i)
            draw_panel(&sheet, place++, o, members(o, i, member), member);
    ts_plot_end(&sheet);
    free(member);
}
