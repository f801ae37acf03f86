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
/* Of a shape with circles, as other shapes than planes meet it: the centres of its round core, then
 * its three semi-axes (nearest.h). */
int ts_round_core(const ts_shape *shape);

/* Its edges, as gaps count them. */
enum { TS_MOST_EDGES = 3 * TS_MOST_CORNERS };
int ts_feature_edges(const ts_shape *shape);
/* The number of the gap of edge a of A with edge b of B. */
int ts_edges_gap(const ts_shape *A, const ts_shape *B, int a, int b);
/* How far an edge of one shape is from the core of another at q, radii left out; 0: they meet. */
double ts_edge_apart(const ts_model *model, const ts_shape *of, int edge, const ts_shape *from,
                     const double *q);

/* Its farthest point from its node, without its radius. */
double ts_shape_reach(const ts_model *model, const ts_shape *shape);
/* How far its surface is from the hull of its points. */
double ts_shape_around(const ts_shape *shape);

#endif
