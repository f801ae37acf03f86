/* SPDX-License-Identifier: Apache-2.0 */
/* Maps: functions of two arguments over a grid. See map.h.
 *
 * Between the lines of the grid a map is bilinear, or a bicubic Hermite surface: its value and its
 * derivatives are continuous. With a, b the shares of a cell in x and y, of sides h and k,
 *
 *     z = sum over corners of  [H_i(a), h G_i(a)] [z, z_y; z_x, z_xy] [H_j(b), k G_j(b)]^T ,
 *     H_0 = (1 + 2a)(1 - a)^2 ,  H_1 = a^2 (3 - 2a) ,  G_0 = a (1 - a)^2 ,  G_1 = a^2 (a - 1) .
 *
 * The slopes z_x and z_y at the points are those of smooth tables along the lines of the grid
 * (signal.c): there the surface is the monotone cubic of Fritsch and Butland, without overshoot.
 * The twist z_xy is the mean of the differences of z_x along y and of z_y along x.
 */
#include "model/map.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/signal.h"

/* ---- making ---- */

typedef struct entry {
    double x, y, z;
    int from;
} entry;

static int by_place(const void *one, const void *other) {
    const entry *a = one, *b = other;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

/* The points, sorted by x and then by y, fill a grid of `ny` values for every x. */
static bool is_grid(const entry *e, int points, int ny, int *culprit, const char **why) {
    for (int i = 1; i < points; i++) {
        *culprit = e[i].from, *why = "this point is given twice";
        if (e[i].x == e[i - 1].x && e[i].y == e[i - 1].y) return false;
    }
    *why = "the points of a map must fill a grid: every first value with every second one";
    for (int i = 0; i < points; i++) {
        *culprit = e[i].from;
        if (e[i].x != e[i - i % ny].x || e[i].y != e[i % ny].y) return false;
    }
    *culprit = e[points - 1].from;
    if (points % ny != 0) return false;
    *why = "a map needs at least two different values of both arguments";
    return ny >= 2 && points / ny >= 2;
}

static ts_map *fill(const entry *e, int points, int ny) {
    ts_map *m = ts_calloc(1, sizeof *m);
    m->nx = points / ny, m->ny = ny;
    m->x = ts_calloc((size_t)m->nx, sizeof *m->x);
    m->y = ts_calloc((size_t)ny, sizeof *m->y);
    m->z = ts_calloc((size_t)points, sizeof *m->z);
    for (int i = 0; i < points; i++) m->z[i] = e[i].z;
    for (int i = 0; i < m->nx; i++) m->x[i] = e[i * ny].x;
    for (int j = 0; j < ny; j++) m->y[j] = e[j].y;
    return m;
}

/* Slopes of a smooth table through the values at n lines, `stride` apart. */
static void table_slopes(int n, double *line, const double *value, int stride, double *slope) {
    double *own = ts_calloc((size_t)n, sizeof *own), c[4];
    for (int k = 0; k < n; k++) own[k] = value[k * stride];
    const ts_signal table = {
        .kind = TS_SIGNAL_TABLE, .points = n, .time = line, .value = own, .smooth = true};
    for (int k = 0; k < n - 1; k++) {
        double h = line[k + 1] - line[k];
        ts_signal_piece(&table, k, c);
        slope[k * stride] = c[1];
        slope[(k + 1) * stride] = c[1] + h * (2 * c[2] + 3 * h * c[3]);
    }
    free(own);
}

/* The derivative of the parabola through three neighbours; of the chord at an end. */
static double difference(int n, const double *line, const double *value, int stride, int k) {
    int a = k > 0 ? k - 1 : k, b = k < n - 1 ? k + 1 : k;
    double chord = (value[b * stride] - value[a * stride]) / (line[b] - line[a]);
    if (a == k || b == k) return chord;
    double before = (value[k * stride] - value[a * stride]) / (line[k] - line[a]);
    double after = (value[b * stride] - value[k * stride]) / (line[b] - line[k]);
    return before + after - chord;
}

static void find_slopes(ts_map *m) {
    size_t points = (size_t)m->nx * (size_t)m->ny;
    m->by_x = ts_calloc(points, sizeof *m->by_x);
    m->by_y = ts_calloc(points, sizeof *m->by_y);
    m->by_twist = ts_calloc(points, sizeof *m->by_twist);
    for (int j = 0; j < m->ny; j++) table_slopes(m->nx, m->x, m->z + j, m->ny, m->by_x + j);
    for (int i = 0; i < m->nx; i++)
        table_slopes(m->ny, m->y, m->z + i * m->ny, 1, m->by_y + i * m->ny);
    for (int i = 0; i < m->nx; i++)
        for (int j = 0; j < m->ny; j++)
            m->by_twist[i * m->ny + j] = 0.5 * (difference(m->ny, m->y, m->by_x + i * m->ny, 1, j) +
                                                difference(m->nx, m->x, m->by_y + j, m->ny, i));
}

ts_map *ts_map_make(int points, double *const column[3], bool smooth, int *culprit,
                    const char **why) {
    entry *e = ts_calloc((size_t)points, sizeof *e);
    int ny = 1;
    for (int i = 0; i < points; i++) e[i] = (entry){column[0][i], column[1][i], column[2][i], i};
    qsort(e, (size_t)points, sizeof *e, by_place);
    while (ny < points && e[ny].x == e[0].x) ny++;
    ts_map *m = is_grid(e, points, ny, culprit, why) ? fill(e, points, ny) : NULL;
    if (m && smooth) find_slopes(m);
    free(e);
    return m;
}

void ts_map_free(ts_map *m) {
    if (!m) return;
    free(m->x), free(m->y), free(m->z);
    free(m->by_x), free(m->by_y), free(m->by_twist);
    free(m);
}

/* ---- evaluating ---- */

/* The interval k with line[k] <= x < line[k + 1], the first or last one outside. */
static int interval(int n, const double *line, double x) {
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(line[middle] <= x ? &low : &high) = middle;
    }
    return low;
}

/* Weights of both ends of an interval, of their values and of their slopes, and the derivatives of
 * these weights, first and second. Outside, the end itself, and no derivative. */
typedef struct share {
    int k;
    double w[2], s[2], dw[2], ds[2], ddw[2], dds[2];
} share;

static share share_of(int n, const double *line, double x, bool smooth) {
    share out = {.k = interval(n, line, x)};
    double h = line[out.k + 1] - line[out.k], a = (x - line[out.k]) / h;
    bool inside = x >= line[0] && x < line[n - 1];
    if (isnan(x)) a = x;
    if (!inside && !isnan(x)) a = x < line[0] ? 0 : 1;
    out.w[0] = 1 - a, out.w[1] = a;
    if (inside) out.dw[0] = -1 / h, out.dw[1] = 1 / h;
    if (!smooth) return out;
    out.w[0] = (1 + 2 * a) * (1 - a) * (1 - a), out.w[1] = a * a * (3 - 2 * a);
    out.s[0] = h * a * (1 - a) * (1 - a), out.s[1] = h * a * a * (a - 1);
    if (!inside) return out;
    out.dw[1] = 6 * a * (1 - a) / h, out.dw[0] = -out.dw[1];
    out.ds[0] = (1 - a) * (1 - 3 * a), out.ds[1] = a * (3 * a - 2);
    out.ddw[1] = 6 * (1 - 2 * a) / (h * h), out.ddw[0] = -out.ddw[1];
    out.dds[0] = (6 * a - 4) / h, out.dds[1] = (6 * a - 2) / h;
    return out;
}

static double corners(const ts_map *m, const share *x, const share *y, const double wx[4],
                      const double wy[4]) {
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            int p = (x->k + i) * m->ny + y->k + j;
            sum += wx[i] * wy[j] * m->z[p];
            if (m->by_x)
                sum += wx[2 + i] * wy[j] * m->by_x[p] + wx[i] * wy[2 + j] * m->by_y[p] +
                       wx[2 + i] * wy[2 + j] * m->by_twist[p];
        }
    return sum;
}

/* Kinks: all lines of the grid of a bilinear map, its edges of a smooth one. */
static double clearance(int n, const double *line, double x, bool smooth) {
    double left = fmin(fabs(x - line[0]), fabs(x - line[n - 1]));
    int k = interval(n, line, x);
    if (!smooth) left = fmin(left, fmin(fabs(x - line[k]), fabs(x - line[k + 1])));
    return left;
}

void ts_map_eval(const ts_map *m, const double at[2], double *value, double by[2], double left[2]) {
    bool smooth = m->by_x != NULL;
    share x = share_of(m->nx, m->x, at[0], smooth), y = share_of(m->ny, m->y, at[1], smooth);
    double wx[4] = {x.w[0], x.w[1], x.s[0], x.s[1]}, dx[4] = {x.dw[0], x.dw[1], x.ds[0], x.ds[1]};
    double wy[4] = {y.w[0], y.w[1], y.s[0], y.s[1]}, dy[4] = {y.dw[0], y.dw[1], y.ds[0], y.ds[1]};
    *value = corners(m, &x, &y, wx, wy);
    by[0] = corners(m, &x, &y, dx, wy), by[1] = corners(m, &x, &y, wx, dy);
    if (!left) return;
    left[0] = clearance(m->nx, m->x, at[0], smooth);
    left[1] = clearance(m->ny, m->y, at[1], smooth);
}

void ts_map_bend(const ts_map *m, const double at[2], double bend[3]) {
    bool smooth = m->by_x != NULL;
    share x = share_of(m->nx, m->x, at[0], smooth), y = share_of(m->ny, m->y, at[1], smooth);
    double wx[4] = {x.w[0], x.w[1], x.s[0], x.s[1]}, dx[4] = {x.dw[0], x.dw[1], x.ds[0], x.ds[1]};
    double wy[4] = {y.w[0], y.w[1], y.s[0], y.s[1]}, dy[4] = {y.dw[0], y.dw[1], y.ds[0], y.ds[1]};
    double ddx[4] = {x.ddw[0], x.ddw[1], x.dds[0], x.dds[1]};
    double ddy[4] = {y.ddw[0], y.ddw[1], y.dds[0], y.dds[1]};
    bend[0] = corners(m, &x, &y, ddx, wy), bend[2] = corners(m, &x, &y, wx, ddy);
    bend[1] = corners(m, &x, &y, dx, dy);
}

static double branch(int n, const double *line, double x, bool smooth) {
    if (x < line[0]) return -1;
    if (x >= line[n - 1]) return n;
    return smooth ? 0 : interval(n, line, x);
}

double ts_map_branch(const ts_map *m, const double at[2]) {
    bool smooth = m->by_x != NULL;
    return branch(m->nx, m->x, at[0], smooth) * (m->ny + 2) + branch(m->ny, m->y, at[1], smooth);
}
