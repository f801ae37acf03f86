/* SPDX-License-Identifier: Apache-2.0 */
/* Where the points of shapes are: linear in the slots of their nodes. See sides.c. */
#ifndef TS_SIDES_H
#define TS_SIDES_H

#include "model/model.h"

/* A point of a shape is a sum of such terms: weight times the place of a node plus an arm in its
 * directors. */
typedef struct ts_term {
    int node;
    double weight;
    v3 arm;
} ts_term;

/* Terms of a point of a shape, of a plane's normal or a circle's axis; returns their number. */
int ts_point_terms(const ts_model *model, const ts_shape *shape, int point,
                   ts_term out[TS_WOVEN_NODES]);
/* The place of a point at q, relative to `origin`. */
v3 ts_point_place(const ts_model *model, const ts_shape *shape, int point, const double *q,
                  v3 origin);
/* The motion of a point as slots move by dq. */
v3 ts_point_move(const ts_model *model, const ts_shape *shape, int point, const double *dq);
/* Is the shape fixed for all times? */
bool ts_shape_fixed(const ts_model *model, const ts_shape *shape);
/* Do these shapes never touch? Shapes of one body do not touch, nor do those of one part, unless it
 * says so. */
bool ts_shapes_apart(const ts_shape *a, const ts_shape *b);
/* For a line that may touch itself: is a face far enough from a point, along the line? */
bool ts_face_apart(const ts_model *model, const ts_shape *points, int point, const ts_shape *chain,
                   int face);
/* Are two segments of such a line far enough from each other? */
bool ts_segments_apart(const ts_model *model, const ts_shape *chain, int a, int b);

#endif
