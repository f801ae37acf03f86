/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest points of two cores.
 *
 * A shape that touches is a core with a radius around it. A core is the convex hull of a few points
 * (a sphere has one, a capsule two, a box eight), a patch: triangles over its points, or round: an
 * ellipsoid (a disc), or one that is moved along a line (a cylinder).
 */
#ifndef TS_NEAREST_H
#define TS_NEAREST_H

#include <stdbool.h>

#include "math/vec3.h"

typedef struct ts_core {
    int points;
    const v3 *point;
    int triangles; /* of a patch; 0: the convex hull of the points */
    const int (*triangle)[3];
    /* Above zero: a round core. So many points are centres, one or two; the three that follow are
     * semi-axes, vectors: the core is all centres (1 - t) c0 + t c1 with E y around, |y| <= 1. */
    int rings;
    /* The core gets thinner towards both ends by this share, so that it has one nearest point over
     * a face. E y is multiplied by 1 - barrel (2 t - 1)^2. */
    double barrel;
} ts_core;

static inline double ts_barrel(const ts_core *core, double t) {
    return 1 - core->barrel * (2 * t - 1) * (2 * t - 1);
}

/* A point of a core: the sum of weights times points. Weights of places have the sum 1. */
enum { TS_SIDE_POINTS = 5 };
typedef struct ts_mixture {
    int count, point[TS_SIDE_POINTS];
    double weight[TS_SIDE_POINTS];
} ts_mixture;

/* The shortest difference r = a - b of points of A and B. `way` are the changes of weights that
 * nothing bounds; along them half of r^2 has the second derivative |sum way p|^2 + bend. */
enum { TS_MOST_WAYS = 6 };
typedef struct ts_nearest {
    ts_mixture side[2];
    v3 r; /* zero: the cores meet */
    int ways;
    double way[TS_MOST_WAYS][2][TS_SIDE_POINTS], bend[TS_MOST_WAYS];
} ts_nearest;

/* When is a face nearer than one that comes before it, in terms of squared distances? A point that
 * comes to rest in a valley between two faces, where points of regular meshes lie as drawn, has a
 * force that jumps from one normal to the other, so that Newton's method alternates. So the first
 * face counts unless another is nearer by this share of the square. Only places decide, so that the
 * next step begins with the state stored at the end of this one. */
#define TS_NEARER 1e-9
static inline bool ts_is_nearer(double square, double least) {
    return square < (1 - TS_NEARER) * least;
}

/* A is convex; B is any core. */
ts_nearest ts_nearest_points(const ts_core *A, const ts_core *B);

/* Nearest points of two convex cores, one of which is round, from points that are nearly nearest:
 * see round.c. */
void ts_nearest_round(const ts_core *A, const ts_core *B, ts_nearest *x);

/* Solves H x = f for ways, H positive definite; redundant ways keep their values. */
void ts_solve_ways(int n, double H[TS_MOST_WAYS][TS_MOST_WAYS], double f[TS_MOST_WAYS]);

#endif
