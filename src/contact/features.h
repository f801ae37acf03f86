/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps between two shapes, from their corners, edges and circles: see features.c. */
#ifndef TS_FEATURES_H
#define TS_FEATURES_H

#include "contact/gap.h"
#include "contact/sides.h"

enum { TS_MOST_CORNERS = 128 }; /* of a convex core */

/* Number of gaps in addition to the gap of the whole first shape; a key names one of them. */
int ts_features_count(const ts_shape *A, const ts_shape *B);
/* Do two cores touch by their corners and edges, not by their nearest points? */
bool ts_features_lie(const ts_shape *A, const ts_shape *B);

/* Does A touch B with its points? Otherwise B may touch A. */
bool ts_features_touch(const ts_shape *A, const ts_shape *B, bool spread);

/* The parts of a shape that a gap depends on: so many points from `first`. */
typedef struct ts_feature {
    int first[2], count[2];
    bool patch;    /* the second is touched at the nearest of its faces */
    bool crossing; /* it counts by the angle of two edges, from these points to the next: */
    int edge[2];
    ts_weighing by_angle;
} ts_feature;
ts_feature ts_feature_of(const ts_shape *A, const ts_shape *B, int number);

/* Points of a circle: its centre, and the axis. */
int ts_ring_centre(const ts_shape *shape, int ring);
int ts_ring_axis(const ts_shape *shape);
/* Points of the round core of a shape with circles, as shapes other than planes meet it: centres,
 * then three semi-axes (nearest.h). */
int ts_round_core(const ts_shape *shape);

/* Do a core and a patch touch by corners and edges of both? */
bool ts_features_ridged(const ts_shape *A, const ts_shape *B);
/* The number of the gap of A with corner b of B. */
int ts_corner_gap(const ts_shape *A, int b);

/* Are these two rods, which touch by their lines or, where these are parallel, by their ends? */
bool ts_features_rods(const ts_shape *A, const ts_shape *B);

/* Edges of a shape, in the numbering of gaps. */
enum { TS_MOST_EDGES = 3 * TS_MOST_CORNERS };
int ts_feature_edges(const ts_shape *shape);
/* Does a gap with A as its first shape belong to two lines that cross? No other first shape is a
 * patch. */
static inline bool ts_lines_cross(const ts_shape *A) { return A->faces > 0; }
/* The number of the gap of segment a of the first line with segment b of the second. */
int ts_segments_gap(const ts_shape *B, int a, int b);
/* The number of the gap of edge a of A with edge b of B. */
int ts_edges_gap(const ts_shape *A, const ts_shape *B, int a, int b);
/* Distance of an edge of one shape from the core of another at q, without radii; 0: they meet. */
double ts_edge_apart(const ts_model *model, const ts_shape *of, int edge, const ts_shape *from,
                     const double *q);

/* Distance of a shape's farthest point from its node, without the radius. */
double ts_shape_reach(const ts_model *model, const ts_shape *shape);
/* Distance of its surface from the hull of its points. */
double ts_shape_around(const ts_shape *shape);

/* Do the faces of a part's rigid shapes form a closed surface with normals to the inside? */
bool ts_faces_inwards(const ts_model *model, int part);

#endif
