/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that overlap: a tree of boxes, median by median. See tree.c. */
#ifndef TS_TREE_H
#define TS_TREE_H

#include <stdbool.h>

typedef struct ts_box {
    float low[3], high[3];
} ts_box;

/* The smallest box of floats around a box of doubles. */
ts_box ts_box_around(const double low[3], const double high[3]);

typedef struct ts_tree ts_tree;

ts_tree *ts_tree_new(void);
void ts_tree_free(ts_tree *tree);
/* Anew, over so many of these boxes, by their numbers. They must stay until pairs are found. */
void ts_tree_build(ts_tree *tree, int count, const int *which, const ts_box *box);
/* Calls `found` for every pair a < b of boxes that overlap or touch, each once, in an order that
 * depends on the boxes alone. */
void ts_tree_pairs(const ts_tree *tree, void (*found)(void *context, int a, int b), void *context);
/* Pairs of boxes that overlap, one in each of two trees over the same boxes. */
void ts_tree_pairs_between(const ts_tree *a, const ts_tree *b,
                           void (*found)(void *context, int a, int b), void *context);

#endif
