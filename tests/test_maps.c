/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of two arguments over a grid: all are exact for a + b x + c y + d x y; smooth ones are
 * smooth tables along the lines of their grid, with continuous derivatives; derivatives against
 * differences; constant outside of the grid; points in any order; points that are not a grid are
 * refused. */
#include "model/map.h"

#include <math.h>
#include <string.h>

#include "model/signal.h"
#include "scene.h"

enum { NX = 4, NY = 5, POINTS = NX * NY };
static const double X[NX] = {-1, 0.5, 1, 3}, Y[NY] = {0, 1, 1.5, 4, 4.5};

static double surface(double x, double y) { return sin(x) * cos(0.7 * y) + 0.3 * x * y; }
static double twisted(double x, double y) { return 3 + 2 * x - y + 0.5 * x * y; }

static ts_map *make(double (*f)(double, double), bool smooth) {
    static double x[POINTS], y[POINTS], z[POINTS];
    int culprit;
    const char *why;
    for (int i = 0; i < POINTS; i++) {
        int k = 7 * i % POINTS; /* in some other order */
        x[i] = X[k / NY], y[i] = Y[k % NY], z[i] = f(x[i], y[i]);
    }
    ts_map *m = ts_map_make(POINTS, (double *const[]){x, y, z}, smooth, &culprit, &why);
    assert_non_null(m);
    return m;
}

static double value(const ts_map *m, double x, double y) {
    double v, by[2];
    ts_map_eval(m, (double[]){x, y}, &v, by, NULL);
    return v;
}

static void bilinear(void **state) {
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        ts_map *m = make(twisted, smooth);
        for (int trial = 0; trial < 500; trial++) {
            double x = 1 + 2 * chance(), y = 2.25 + 2.25 * chance();
            assert_true(fabs(value(m, x, y) - twisted(x, y)) < 1e-13);
        }
        assert_true(value(m, -5, 2) == value(m, -1, 2) && value(m, 9, 9) == value(m, 3, 4.5));
        ts_map_free(m);
    }
}

/* Along a line of the grid the map is the smooth table through the points of that line. */
static void along_lines(void **state) {
    (void)state;
    ts_map *m = make(surface, true);
    for (int i = 0; i < NX; i++) {
        double z[NY], lines[NY], v, rate;
        memcpy(lines, Y, sizeof lines);
        for (int j = 0; j < NY; j++) z[j] = surface(X[i], Y[j]);
        const ts_signal table = {.kind = TS_SIGNAL_TABLE,
                                 .scale = 1,
                                 .points = NY,
                                 .time = lines,
                                 .value = z,
                                 .smooth = true};
        for (double y = -1; y < 6; y += 0.013) {
            double at[2] = {X[i], y}, map, by[2];
            ts_signal_eval(&table, (ts_when){.t = y}, &v, &rate);
            ts_map_eval(m, at, &map, by, NULL);
            assert_true(fabs(map - v) < 1e-13 && fabs(by[1] - rate) < 1e-12);
        }
    }
    ts_map_free(m);
}

static void derivatives(void **state) {
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        ts_map *m = make(surface, smooth);
        for (int trial = 0; trial < 2000; trial++) {
            double at[2] = {1 + 3 * chance(), 2.25 + 3 * chance()}, v, by[2], left[2];
            const double d = 1e-6;
            ts_map_eval(m, at, &v, by, left);
            if (fmin(left[0], left[1]) < d) continue;
            double dx = (value(m, at[0] + d, at[1]) - value(m, at[0] - d, at[1])) / (2 * d);
            double dy = (value(m, at[0], at[1] + d) - value(m, at[0], at[1] - d)) / (2 * d);
            assert_true(fabs(by[0] - dx) < 1e-8 && fabs(by[1] - dy) < 1e-8);
        }
        ts_map_free(m);
    }
}

/* Just before and just behind a line inside the grid, both derivatives are the same. */
static void smooth_across_lines(void **state) {
    (void)state;
    ts_map *m = make(surface, true);
    for (int trial = 0; trial < 500; trial++) {
        double y = 2.25 + 2 * chance(), v, before[2], behind[2];
        ts_map_eval(m, (double[]){1 - 1e-12, y}, &v, before, NULL);
        ts_map_eval(m, (double[]){1 + 1e-12, y}, &v, behind, NULL);
        assert_true(fabs(before[0] - behind[0]) < 1e-10 && fabs(before[1] - behind[1]) < 1e-10);
    }
    ts_map_free(m);
}

/* Branches change at every line of a bilinear map, at the edges of a smooth one only. */
static void branches(void **state) {
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        ts_map *m = make(surface, smooth);
        bool inner = ts_map_branch(m, (double[]){0.4, 2}) != ts_map_branch(m, (double[]){0.6, 2});
        assert_int_equal(inner, !smooth);
        assert_true(ts_map_branch(m, (double[]){0, 4.4}) != ts_map_branch(m, (double[]){0, 4.6}));
        assert_true(ts_map_branch(m, (double[]){-2, 2}) != ts_map_branch(m, (double[]){-0.9, 2}));
        ts_map_free(m);
    }
}

static void no_grids(void **state) {
    (void)state;
    static const struct {
        int points;
        double x[6], y[6];
        int culprit;
        const char *words;
    } bad[] = {{4, {0, 0, 1, 1}, {0, 1, 0, 2}, 3, "fill a grid"},
               {5, {0, 0, 1, 1, 2}, {0, 1, 0, 1, 0}, 4, "fill a grid"},
               {4, {0, 1, 0, 1}, {0, 0, 0, 1}, 2, "given twice"},
               {3, {0, 1, 2}, {0, 0, 0}, 2, "at least two"},
               {3, {0, 0, 0}, {0, 1, 2}, 2, "at least two"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double x[6], y[6], z[6] = {0};
        int culprit = -1;
        const char *why = "";
        memcpy(x, bad[i].x, sizeof x), memcpy(y, bad[i].y, sizeof y);
        double *const columns[3] = {x, y, z};
        assert_null(ts_map_make(bad[i].points, columns, false, &culprit, &why));
        assert_non_null(strstr(why, bad[i].words));
        assert_true(culprit >= 0 && culprit < bad[i].points);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bilinear),    cmocka_unit_test(along_lines),
        cmocka_unit_test(derivatives), cmocka_unit_test(smooth_across_lines),
        cmocka_unit_test(branches),    cmocka_unit_test(no_grids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
