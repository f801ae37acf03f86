/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of boxes finds the same pairs as a comparison of all boxes, each once; so do two trees
 * with some of the boxes each. */
#include "contact/search/tree.h"

#include <stdlib.h>
#include <string.h>

#include "scene.h"

typedef struct pairs {
    int boxes, count;
    char *seen;
} pairs;

static void note(void *context, int a, int b) {
    pairs *p = context;
    assert_true(a >= 0 && a < b && b < p->boxes);
    assert_false(p->seen[a * p->boxes + b]);
    p->seen[a * p->boxes + b] = 1, p->count++;
}

static bool overlap(const ts_box *a, const ts_box *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

/* Boxes of equal and of very different size, in space and in a layer; some coincide. */
static void draw(int kind, int count, ts_box *box) {
    for (int i = 0; i < count; i++) {
        double low[3], high[3], half = kind == 1 && i % 20 == 0 ? 8 : 0.5;
        for (int k = 0; k < 3; k++) {
            double x = 5 * chance() * (kind == 2 && k == 2 ? 0 : 1);
            if (kind == 3) x = (double)(int)x;
            low[k] = x - half, high[k] = x + half;
        }
        box[i] = ts_box_around(low, high);
    }
}

static void finds_all_pairs(void **state) {
    (void)state;
    static const int counts[] = {0, 1, 2, 3, 7, 100, 500};
    ts_tree *tree = ts_tree_new(), *other = ts_tree_new();
    ts_box box[500];
    int order[500];
    for (int i = 0; i < 500; i++) order[i] = (211 * i + 17) % 500;
    for (int trial = 0; trial < 4 * 7; trial++) {
        int n = counts[trial % 7], expected = 0;
        draw(trial / 7, n, box);
        pairs p = {.boxes = n, .seen = calloc((size_t)(n * n + 1), 1)};
        int which[500], count = 0, first = trial % 3 * n / 2; /* none, half, all */
        for (int i = 0; i < 500; i++)
            if (order[i] < n) which[count++] = order[i];
        ts_tree_build(tree, first, which, box);
        ts_tree_build(other, n - first, which + first, box);
        ts_tree_pairs(tree, note, &p), ts_tree_pairs(other, note, &p);
        ts_tree_pairs_between(tree, other, note, &p);
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                assert_int_equal(p.seen[a * n + b], overlap(&box[a], &box[b]));
                expected += overlap(&box[a], &box[b]);
            }
        assert_int_equal(p.count, expected);
        if (n == 500) assert_true(expected > 100);
        free(p.seen);
    }
    ts_tree_free(tree), ts_tree_free(other);
}

/* Rounded outwards, or boxes that touch would be missed. */
static void sides_are_rounded_outwards(void **state) {
    (void)state;
    for (int trial = 0; trial < 1000; trial++) {
        double low[3], high[3];
        for (int k = 0; k < 3; k++) low[k] = 100 * chance(), high[k] = low[k] + 1e-9;
        ts_box box = ts_box_around(low, high);
        for (int k = 0; k < 3; k++)
            assert_true((double)box.low[k] <= low[k] && (double)box.high[k] >= high[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_pairs),
        cmocka_unit_test(sides_are_rounded_outwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
