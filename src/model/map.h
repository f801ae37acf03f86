/* SPDX-License-Identifier: Apache-2.0 */
/* Maps: functions of two arguments over a grid, z(x, y), with exact derivatives. See map.c. */
#ifndef TS_MAP_H
#define TS_MAP_H

#include <stdbool.h>

typedef struct ts_map {
    int nx, ny;
    double *x, *y;                  /* lines of the grid, strictly increasing */
    double *z;                      /* ny values of every x */
    double *by_x, *by_y, *by_twist; /* slopes at the points of a smooth map; else NULL */
} ts_map;

/* Makes a map from points in any order that fill a grid; the arrays are only read. NULL: the points
 * do not fill a grid; *why is the reason, *culprit the number of a point that is to blame. */
ts_map *ts_map_make(int points, double *const column[3], bool smooth, int *culprit,
                    const char **why);
void ts_map_free(ts_map *map);
/* The value and its derivatives. Outside the grid the value of the nearest point on its edge is
 * held. left[2], if wanted: how far both arguments are from the nearest kink. */
void ts_map_eval(const ts_map *map, const double at[2], double *value, double by[2],
                 double left[2]);
/* Second derivatives: by x, both, y. */
void ts_map_bend(const ts_map *map, const double at[2], double bend[3]);
double ts_map_branch(const ts_map *map, const double at[2]); /* changes where there is a kink */

#endif
