/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest points of two cores.
 *
 * A shape that touches is a core with a radius around it. A core is the convex hull of a few points
 * (a sphere has one, a capsule two, a box eight), or a patch: triangles over its points.
 */
#ifndef TS_NEAREST_H
#define TS_NEAREST_H

#include "math/vec3.h"

typedef struct ts_core {
    int points;
    const v3 *point;
    int triangles; /* of a patch; 0: the convex hull of the points */
    const int (*triangle)[3];
} ts_core;

/* The shortest r = sum of weight_m (A[a_m] - B[b_m]), weights above zero and of sum 1. One pair of
 * points: they are nearest themselves; two: an edge takes part; three: two edges or a face. Four
 * are only where the cores meet, and then r is zero. */
enum { TS_NEAREST_PAIRS = 4 };
typedef struct ts_nearest {
    int count;
    int a[TS_NEAREST_PAIRS], b[TS_NEAREST_PAIRS];
    double weight[TS_NEAREST_PAIRS];
    v3 r;
} ts_nearest;

/* A is convex; B is any core. */
ts_nearest ts_nearest_points(const ts_core *A, const ts_core *B);

#endif
