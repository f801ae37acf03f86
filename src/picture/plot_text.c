/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of results in text, for a terminal. See plot_table.h.
 *
 * A Braille character has 2 x 4 dots, so a panel of 60 x 12 characters has 120 x 48 of them. Points
 * are joined by straight lines.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "picture/plot.h"
#include "picture/plot_table.h"

enum { SIDE = 11, BRAILLE = 0x2800 };

typedef struct canvas {
    int columns, rows; /* characters */
    uint8_t *dots;     /* of each character */
} canvas;

static void dot(const canvas *c, int x, int y) {
    static const uint8_t BIT[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * c->columns || y >= 4 * c->rows) return;
    c->dots[y / 4 * c->columns + x / 2] |= BIT[y % 4][x % 2];
}

static void segment(const canvas *c, int x0, int y0, int x1, int y1) {
    int steps = (int)fmax(abs(x1 - x0), abs(y1 - y0));
    for (int i = 0; i <= steps; i++) {
        double s = steps > 0 ? (double)i / steps : 0;
        dot(c, (int)lround(x0 + s * (x1 - x0)), (int)lround(y0 + s * (y1 - y0)));
    }
}

static void draw(const canvas *c, const ts_panel *p, const ts_curve *curve) {
    int last_x = -1, last_y = 0;
    for (int i = 0; i < curve->count; i++) {
        if (!isfinite(curve->x[i]) || !isfinite(curve->y[i])) {
            last_x = -1;
            continue;
        }
        int x = (int)lround(ts_axis_share(&p->x, curve->x[i]) * (2 * c->columns - 1));
        int y = (int)lround((1 - ts_axis_share(&p->y, curve->y[i])) * (4 * c->rows - 1));
        segment(c, last_x < 0 ? x : last_x, last_x < 0 ? y : last_y, x, y);
        last_x = x, last_y = y;
    }
}

/* ---- printing ---- */

static void put_braille(FILE *out, uint8_t dots) {
    unsigned code = BRAILLE + dots;
    if (dots == 0) {
        fputc(' ', out);
        return;
    }
    fputc((int)(0xE0 | code >> 12), out);
    fputc((int)(0x80 | (code >> 6 & 0x3F)), out);
    fputc((int)(0x80 | (code & 0x3F)), out);
}

/* The number beside a row: at the top, in the middle, at the bottom. */
static void put_side(FILE *out, const canvas *c, const ts_axis *axis, int row) {
    char words[TS_AXIS_NUMBER] = "";
    double middle = (axis->low + axis->high) / 2;
    if (fabs(middle) < 1e-9 * (axis->high - axis->low)) middle = 0;
    if (row == 0) ts_axis_number(words, axis, axis->high);
    if (row == c->rows / 2) ts_axis_number(words, axis, middle);
    if (row == c->rows - 1) ts_axis_number(words, axis, axis->low);
    fprintf(out, "%*.*s %s", SIDE - 2, SIDE - 2, words, *words ? "┤" : "│");
}

static void put_line(FILE *out, const canvas *c, const ts_axis *axis, int row) {
    const uint8_t *dots = c->dots + (size_t)row * (size_t)c->columns;
    int used = c->columns;
    while (used > 0 && dots[used - 1] == 0) used--;
    put_side(out, c, axis, row);
    for (int i = 0; i < used; i++) put_braille(out, dots[i]);
    fputc('\n', out);
}

static void put_below(FILE *out, const canvas *c, const ts_axis *axis, const char *name) {
    char low[TS_AXIS_NUMBER], high[TS_AXIS_NUMBER];
    ts_axis_number(low, axis, axis->low), ts_axis_number(high, axis, axis->high);
    int room = c->columns - (int)strlen(low) - (int)strlen(high);
    int shown = (int)fmin((double)strlen(name), fmax(0, room - 2));
    int before = (room - shown) / 2;
    fprintf(out, "%*s└", SIDE - 1, "");
    for (int i = 0; i < c->columns; i++) fputs("─", out);
    fprintf(out, "\n%*s%s%*s%.*s%*s%s\n", SIDE, "", low, before, "", shown, name,
            room - shown - before, "", high);
}

static void put_panel(FILE *out, const ts_plot_order *o, int column, const canvas *c) {
    const ts_columns *table = o->columns;
    char name[400];
    ts_curve curve = {(int)table->rows, table->data + o->over * table->rows,
                      table->data + column * table->rows};
    ts_panel panel = {.title = ""};
    panel.x = ts_axis_over("", false, 1, &curve, true);
    panel.y = ts_axis_over("", false, 1, &curve, false);
    memset(c->dots, 0, (size_t)c->columns * (size_t)c->rows);
    draw(c, &panel, &curve);
    ts_plot_name(name, sizeof name, table, column);
    fprintf(out, "%*s%s\n", SIDE, "", name);
    for (int row = 0; row < c->rows; row++) put_line(out, c, &panel.y, row);
    ts_plot_name(name, sizeof name, table, o->over);
    put_below(out, c, &panel.x, name);
}

void ts_plot_text(FILE *out, const ts_plot_order *o) {
    canvas c = {.columns = o->width > SIDE + 10 ? o->width - SIDE : 10, .rows = o->height};
    c.dots = ts_calloc((size_t)c.columns * (size_t)c.rows, 1);
    if (*o->title) fprintf(out, "%s\n\n", o->title);
    for (int i = 0, more = 0; i < o->columns->count; i++) {
        if (!ts_plot_shown(o, i)) continue;
        if (more++) fputc('\n', out);
        put_panel(out, o, i, &c);
    }
    free(c.dots);
}
