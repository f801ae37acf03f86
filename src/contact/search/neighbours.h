/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shapes that may touch, found by their boxes: see neighbours.c. */
#ifndef TS_NEIGHBOURS_H
#define TS_NEIGHBOURS_H

#include "contact/search/tree.h"
#include "contact/sides.h"

/* A gap between two shapes: of their cores, or of one point of the first. The second may be a plane
 * or a patch. */
typedef struct ts_pair_key {
    int contact, shape[2];
    int corner; /* the point of the first shape; -1: all of it */
} ts_pair_key;

static inline int ts_order(int a, int b) { return (a > b) - (a < b); }
int ts_key_order(const ts_pair_key *a, const ts_pair_key *b);

/* A gap with the data of its list. */
typedef struct ts_near {
    ts_pair_key key;
    int faces; /* of a patch, the second shape: the faces that may be nearest */
    const int *face;
    int nodes; /* whose unknowns take part */
    const int *node;
    double gap; /* gap of two bodies when pairs were listed; -INFINITY: not known */
} ts_near;

/* An item with its own box: a shape; a point of a cloud, a face of a patch. */
typedef struct ts_leaf {
    int shape, item; /* -1: all of it */
} ts_leaf;

/* A pair of leaves whose boxes overlap. */
typedef struct ts_near_found {
    ts_pair_key key;
    int face; /* face of the second shape; -1: it is not a patch */
    double gap;
} ts_near_found;

typedef struct ts_neighbours {
    ts_tree *tree, *resting; /* trees of leaves that move, and of leaves that never do */
    bool settled;            /* boxes and the tree of fixed leaves are those of the list */
    int moving, *order;      /* leaves: so many that move, then the others */
    int leaves;
    ts_leaf *leaf;
    ts_box *box; /* box of each leaf: the list is valid as long as nothing leaves its box */
    /* for shapes of bodies: how far points may move from their places when pairs were listed, and
     * the distance of the farthest point from its node */
    double *margin, *reach;
    double *from, *still; /* places at that time; zeros */
    int found_count, found_room;
    ts_near_found *found;
    int count, room; /* gaps, in the order of their keys */
    ts_near *near;
    int faces_count, faces_room, *face;
    int nodes_count, nodes_room, *node;
    const ts_model *model;
    const double *q; /* where shapes are, as the list is made */
    int *membership; /* first of each shape, in `of` */
    ts_membership *of;
    int joints, (*joined)[2]; /* nodes that a joint holds together */
} ts_neighbours;

void ts_neighbours_new(ts_neighbours *s, const ts_model *model);
void ts_neighbours_clear(ts_neighbours *s);
/* Does the contact exclude this pair of shapes? */
bool ts_shapes_excepted(const ts_model *model, int contact, int a, int b);
/* Does a joint hold two nodes together? */
bool ts_nodes_joined(const ts_neighbours *s, int a, int b);
/* Are all shapes at q within their boxes? */
bool ts_neighbours_covers(const ts_neighbours *s, const double *q);
/* Bound on the motion of the points of a shape on a body since pairs were listed. */
double ts_neighbours_gone(const ts_neighbours *s, int shape, const double *q);
/* Lists the pairs that may touch between q and q + move, or within twice that motion, in any
 * direction. */
void ts_neighbours_pairs(ts_neighbours *s, const double *q, const double *move);
/* Lists the pairs that are nearer than `reach` at q, and some more; INFINITY: all. */
void ts_neighbours_within(ts_neighbours *s, const double *q, double reach);

/* Makes gaps of the neighbours that were found: see gaps.c. */
void ts_neighbours_gaps(ts_neighbours *s);

/* No more nodes than these take part in a gap; of the faces of a patch the nearest are kept. */
enum { TS_NEAR_NODES = 40 };

#endif
