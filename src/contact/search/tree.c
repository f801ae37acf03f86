/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of boxes for the search of pairs that may touch.
 *
 * Boxes are halved at the median of their middles along the longest side of all of them, until one
 * is left. The tree is rebuilt whenever it is needed, in n log n operations, so it neither degrades
 * nor needs balancing; unlike a grid, it copes with boxes of very different size. Sides are single
 * precision, rounded outwards.
 */
#include "contact/search/tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

typedef struct node {
    ts_box box;
    int left, right; /* right < 0: a leaf, left is the number of its box */
} node;

struct ts_tree {
    int nodes, room;
    node *node;
    int *order;
    const ts_box *box;
};

static float below(double x) {
    float f = (float)x;
    return (double)f > x ? nextafterf(f, -INFINITY) : f;
}

ts_box ts_box_around(const double low[3], const double high[3]) {
    ts_box box;
    for (int k = 0; k < 3; k++) box.low[k] = below(low[k]), box.high[k] = -below(-high[k]);
    return box;
}

ts_tree *ts_tree_new(void) { return ts_calloc(1, sizeof(ts_tree)); }

void ts_tree_free(ts_tree *tree) {
    if (!tree) return;
    free(tree->node), free(tree->order), free(tree);
}

/* ---- building ---- */

/* Twice the middle of a box. */
static float middle(const ts_tree *tree, int i, int axis) {
    return tree->box[i].low[axis] + tree->box[i].high[axis];
}

/* Moves the smaller half of the boxes, along an axis, before the larger one (Hoare's selection). */
static void halve(const ts_tree *tree, int *order, int count, int axis) {
    int low = 0, high = count - 1, half = count / 2;
    while (low < high) {
        float pivot = middle(tree, order[(low + high) / 2], axis);
        int i = low, j = high;
        while (i <= j) {
            while (middle(tree, order[i], axis) < pivot) i++;
            while (middle(tree, order[j], axis) > pivot) j--;
            if (i > j) break;
            int other = order[i];
            order[i++] = order[j], order[j--] = other;
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

static void grow(ts_box *box, const ts_box *by) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fminf(box->low[k], by->low[k]);
        box->high[k] = fmaxf(box->high[k], by->high[k]);
    }
}

static int longest(const ts_box *box) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->high[k] - box->low[k] > box->high[axis] - box->low[axis]) axis = k;
    return axis;
}

static int build(ts_tree *tree, int *order, int count) {
    int at = tree->nodes++;
    ts_box box = tree->box[order[0]];
    for (int i = 1; i < count; i++) grow(&box, &tree->box[order[i]]);
    tree->node[at] = (node){.box = box, .left = order[0], .right = -1};
    if (count == 1) return at;
    halve(tree, order, count, longest(&box));
    int left = build(tree, order, count / 2);
    int right = build(tree, order + count / 2, count - count / 2);
    tree->node[at].left = left, tree->node[at].right = right;
    return at;
}

void ts_tree_build(ts_tree *tree, int count, const int *which, const ts_box *box) {
    if (count > tree->room) {
        tree->node = ts_realloc(tree->node, 2 * (size_t)count, sizeof *tree->node);
        tree->order = ts_realloc(tree->order, (size_t)count, sizeof *tree->order);
        tree->room = count;
    }
    tree->nodes = 0, tree->box = box;
    for (int i = 0; i < count; i++) tree->order[i] = which[i];
    if (count) build(tree, tree->order, count);
}

/* ---- searching ---- */

typedef struct search {
    const node *first, *second; /* of two trees, or of one */
    void (*found)(void *context, int a, int b);
    void *context;
} search;

static bool overlap(const ts_box *a, const ts_box *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

static float size(const ts_box *box) {
    int axis = longest(box);
    return box->high[axis] - box->low[axis];
}

/* Finds pairs with one box under each of two nodes: the larger node is opened. */
static void between(const search *s, int a, int b) {
    const node *A = &s->first[a], *B = &s->second[b];
    if (!overlap(&A->box, &B->box)) return;
    if (A->right < 0 && B->right < 0) {
        bool in_order = A->left < B->left;
        s->found(s->context, in_order ? A->left : B->left, in_order ? B->left : A->left);
    } else if (B->right < 0 || (A->right >= 0 && size(&A->box) > size(&B->box))) {
        between(s, A->left, b), between(s, A->right, b);
    } else {
        between(s, a, B->left), between(s, a, B->right);
    }
}

static void within(const search *s, int a) {
    const node *A = &s->first[a];
    if (A->right < 0) return;
    within(s, A->left), within(s, A->right);
    between(s, A->left, A->right);
}

void ts_tree_pairs(const ts_tree *tree, void (*found)(void *context, int a, int b), void *context) {
    search s = {tree->node, tree->node, found, context};
    if (tree->nodes) within(&s, 0);
}

void ts_tree_pairs_between(const ts_tree *a, const ts_tree *b,
                           void (*found)(void *context, int a, int b), void *context) {
    search s = {a->node, b->node, found, context};
    if (a->nodes && b->nodes) between(&s, 0, 0);
}
