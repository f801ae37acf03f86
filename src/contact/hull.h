/* SPDX-License-Identifier: Apache-2.0 */
/* The convex hull of a few points: corners, edges, volume. See hull.c. */
#ifndef TS_HULL_H
#define TS_HULL_H

#include <stdbool.h>

#include "math/vec3.h"

/* An edge of a face, which lies to its left as seen from outside; `of` is a point of the face.
 * Every edge is there twice, once for either face. */
typedef struct ts_hull_side {
    int from, to, of;
} ts_hull_side;

/* Sides of the hull of points. Returns their number, 0 if the points lie in a plane; `side` has
 * room for 6 n. */
int ts_hull_sides(int points, const v3 *point, ts_hull_side *side);

/* Selects at most `most` of many points that span the hull: `chosen`, ascending. Returns their
 * number; all points lie within `left` of the hull of these. */
int ts_hull_choose(int points, const v3 *point, int most, int *chosen, double *left);

/* Volume, its centre and its second moments about that: integral of x x^T. */
typedef struct ts_hull_moments {
    double volume;
    v3 centre;
    m3 second;
} ts_hull_moments;
ts_hull_moments ts_hull_volume(int sides, const ts_hull_side *side, const v3 *point);

#endif
