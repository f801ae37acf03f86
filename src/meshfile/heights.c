/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: triangles over a grid, and grids of heights in files.
 *
 * A file has a row of the grid on each line: numbers with a point, separated by blanks, tabs,
 * commas or semicolons. Empty lines and what follows a # mean nothing.
 */
#include "meshfile/heights.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "meshfile/gmsh_scan.h"

ts_mesh *ts_heights_mesh(const double *height, int rows, int columns) {
    ts_mesh *mesh = ts_mesh_new();
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            ts_mesh_point(mesh, v3_make(k, i, height[i * columns + k]));
    int all = ts_mesh_set_named(mesh, "all", 2);
    for (int i = 0; i + 1 < rows; i++)
        for (int k = 0; k + 1 < columns; k++) {
            int a = i * columns + k, c = a + columns + 1;
            int lower[3] = {a, a + 1, c}, upper[3] = {a, c, c - 1};
            ts_mesh_into_set(mesh, all, ts_mesh_cell(mesh, TS_CELL_TRI3, lower));
            ts_mesh_into_set(mesh, all, ts_mesh_cell(mesh, TS_CELL_TRI3, upper));
        }
    return mesh;
}

/* ---- a file ---- */

typedef struct grid {
    ts_scan in;
    int rows, columns; /* of the first row */
    int count, room;
    double *height;
} grid;

/* Separators and comments become blanks: places in the file stay what they are. */
static char *blanked(const char *text, size_t length) {
    char *out = ts_calloc(length + 1, 1);
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        comment = text[i] != '\n' && (comment || text[i] == '#');
        bool blank = comment || text[i] == ',' || text[i] == ';';
        out[i] = blank ? ' ' : text[i];
    }
    return out;
}

static bool ends(const ts_scan *in) { return in->at >= in->length || in->text[in->at] == '\n'; }

static void skip(ts_scan *in) {
    while (!ends(in) && ts_scan_blank(in->text[in->at])) in->at++;
}

static bool read_row(grid *g) {
    ts_scan *in = &g->in;
    size_t start = in->at;
    int columns = 0;
    for (skip(in); !ends(in); skip(in), columns++) {
        ts_grow(g->height, g->room, g->count + 1);
        if (!ts_scan_decimal(in, &g->height[g->count++])) return false;
    }
    in->at += in->at < in->length;
    if (columns == 0) return true;
    if (g->rows++ == 0) g->columns = columns;
    if (columns == g->columns) return true;
    return ts_scan_fail(in, start, "every line is a row of the grid",
                        "expected a row of %d heights, got %d", g->columns, columns);
}

static bool read_rows(grid *g) {
    if (g->in.length > INT_MAX) return ts_scan_fail(&g->in, 0, NULL, "the file is too large");
    while (g->in.at < g->in.length)
        if (!read_row(g)) return false;
    if (g->rows >= 2 && g->columns >= 2) return true;
    return ts_scan_fail(&g->in, 0, "write a row on each line",
                        "a height field has two rows or more, of two heights or more");
}

int ts_heights_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem) {
    ts_gmsh_problem unread;
    char *numbers = blanked(text, length);
    grid g = {.in = {.text = numbers, .length = length, .problem = problem ? problem : &unread}};
    *g.in.problem = (ts_gmsh_problem){0};
    bool fine = read_rows(&g);
    *out = fine ? ts_heights_mesh(g.height, g.rows, g.columns) : NULL;
    free(g.height), free(numbers);
    return fine ? 0 : ts_fail(TORSOR_EINVAL, "%s", g.in.problem->message);
}
