/* The gaps that two shapes have, by their corners, edges and circles: see features.c. */
#ifndef TS_FEATURES_H
#define TS_FEATURES_H

#include "contact/pair.h"

/* A gap between two shapes. If the second is a plane, of a corner or a circle of the first over it;
 * else of their cores, of a corner of one and the core of the other, or of two edges. */
typedef struct ts_pair_key {
    int contact, shape[2];
    int corner; /* -1: of the cores; else its number, below ts_features_count */
} ts_pair_key;

enum { TS_MOST_CORNERS = 128 }; /* of a shape */

/* How many gaps they have; 0: one, of the cores. */
int ts_features_count(const ts_shape *A, const ts_shape *B);

/* The gap over a step, both sides of it being known; false: the cores meet. */
bool ts_feature_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x);

/* A point of a shape, or a direction of it, from the place and directors of its node; and in
 * coordinates of the node, with how much of the place is in it. */
v3 ts_shape_point(const ts_model *model, const ts_shape *shape, int k, v3 x, m3 D);
v3 ts_shape_material(const ts_model *model, const ts_shape *shape, int k, double *place);

/* Its farthest point from its node, without its radius. */
double ts_shape_reach(const ts_model *model, const ts_shape *shape);

#endif
