/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps that two shapes have, by their corners, edges and circles: see features.c. */
#ifndef TS_FEATURES_H
#define TS_FEATURES_H

#include "contact/sides.h"

enum { TS_MOST_CORNERS = 128 }; /* of a convex core */

/* How many gaps they have besides that of all of the first; a key names one of them. */
int ts_features_count(const ts_shape *A, const ts_shape *B);
/* Two cores that touch by their corners and edges, not by their nearest points. */
bool ts_features_lie(const ts_shape *A, const ts_shape *B);

/* What of each shape a gap is of: points from `first`, so many. */
typedef struct ts_feature {
    int first[2], count[2];
    bool crossing; /* two edges */
} ts_feature;
ts_feature ts_feature_of(const ts_shape *A, const ts_shape *B, int number);

/* Points that are a circle's: its centre, and the axis. */
int ts_ring_centre(const ts_shape *shape, int ring);
int ts_ring_axis(const ts_shape *shape);

/* Its farthest point from its node, without its radius. */
double ts_shape_reach(const ts_model *model, const ts_shape *shape);
/* How far its surface is from the hull of its points. */
double ts_shape_around(const ts_shape *shape);

#endif
