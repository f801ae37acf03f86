/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that overlap as drawn.
 *
 * Shapes that overlap at the start store energy, which throws bodies apart if it is large. So the
 * user is warned, and may let the gaps begin at zero instead (ts_shift).
 */
#include "contact/search/overlap.h"

#include <stdlib.h>

#include "base/memory.h"

static void place_nodes(const ts_model *model, double *q) {
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        v3_store(q + 3 * node->slot, node->x);
        if (node->kind == TS_NODE_FRAME) m3_store(q + 3 * node->slot + 3, node->D);
    }
}

static void look(const ts_model *model, const ts_near *near, const double *q, const double *none,
                 ts_overlaps *out) {
    ts_contact_step x;
    v3 origin;
    const ts_shape *A = &model->shapes[near->key.shape[0]], *B = &model->shapes[near->key.shape[1]];
    bool met = !ts_pair_over(model, near, q, none, &x, &origin);
    double gap = met ? 0 : x.gap.start - ts_shift_of(model, &near->key);
    if (!met && gap >= 0) return;
    ts_grow(out->item, out->room, out->count + 1);
    out->item[out->count++] = (ts_overlap){near->key, -gap, A->radius + B->radius, met};
}

void ts_overlaps_find(const ts_model *model, int contact, ts_overlaps *out) {
    ts_neighbours near;
    size_t numbers = (size_t)(3 * model->slots) + 1;
    *out = (ts_overlaps){0};
    if (!model->contacts_count) return;
    double *q = ts_calloc(numbers, sizeof *q), *none = ts_calloc(numbers, sizeof *none);
    place_nodes(model, q);
    ts_neighbours_new(&near, model);
    ts_neighbours_pairs(&near, q, none);
    for (int i = 0; i < near.count; i++)
        if (contact < 0 || near.near[i].key.contact == contact)
            look(model, &near.near[i], q, none, out);
    ts_neighbours_clear(&near);
    free(q), free(none);
}

void ts_overlaps_clear(ts_overlaps *list) {
    free(list->item);
    *list = (ts_overlaps){0};
}

const ts_overlap *ts_overlaps_worst(const ts_overlaps *list) {
    const ts_overlap *worst = NULL;
    for (int i = 0; i < list->count; i++) {
        const ts_overlap *x = &list->item[i];
        if (x->met) return x;
        if (!worst || x->depth * worst->radius > worst->depth * x->radius) worst = x;
    }
    return worst;
}
