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
    int corner; /* the point of the first; -1: all of it */
} ts_pair_key;

static inline int ts_order(int a, int b) { return (a > b) - (a < b); }
int ts_key_order(const ts_pair_key *a, const ts_pair_key *b);

/* A gap with what its list knows of it. */
typedef struct ts_near {
    ts_pair_key key;
    int faces; /* of a patch, the second shape: those that may be nearest */
    const int *face;
    int nodes; /* whose unknowns take part */
    const int *node;
    double gap; /* as pairs were listed, of two bodies; -INFINITY: not known */
} ts_near;

/* What has a box of its own: a shape; a point of a cloud, a face of a patch. */
typedef struct ts_leaf {
    int shape, item; /* -1: all of it */
} ts_leaf;

/* A pair of leaves whose boxes overlap. */
typedef struct ts_near_found {
    ts_pair_key key;
    int face; /* of the second shape; -1: it is no patch */
    double gap;
} ts_near_found;

typedef struct ts_neighbours {
    ts_tree *tree, *resting; /* of what moves, and of what never does */
    bool settled;            /* boxes and the tree of what never moves are those of the list */
    int moving, *order;      /* leaves: so many that move, then the others */
    int leaves;
    ts_leaf *leaf;
    ts_box *box; /* of each leaf: nothing leaves it that the list knows of */
    /* of shapes of bodies: how far points may go from where they were as pairs were listed, and the
     * farthest one from its node */
    double *margin, *reach;
    double *from, *still; /* where everything was then; zeros */
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
/* Does the contact leave this pair of shapes out? */
bool ts_shapes_excepted(const ts_model *model, int contact, int a, int b);
/* Does a joint hold two nodes together? */
bool ts_nodes_joined(const ts_neighbours *s, int a, int b);
/* Are all shapes at q within their boxes? */
bool ts_neighbours_covers(const ts_neighbours *s, const double *q);
/* No point of a shape on a body is further from where it was as pairs were listed. */
double ts_neighbours_gone(const ts_neighbours *s, int shape, const double *q);
/* Anew: pairs that may touch between q and q + move, or by as much again, whatever way they
 * take. */
void ts_neighbours_pairs(ts_neighbours *s, const double *q, const double *move);
/* Anew: pairs that are nearer than `reach` at q, and some more; INFINITY: all. */
void ts_neighbours_within(ts_neighbours *s, const double *q, double reach);

/* Makes gaps of the neighbours that were found: see gaps.c. */
void ts_neighbours_gaps(ts_neighbours *s);

/* No more nodes than these take part in a gap; of the faces of a patch the nearest are kept. */
enum { TS_NEAR_NODES = 40 };

#endif
