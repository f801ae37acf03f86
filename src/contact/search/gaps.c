/* SPDX-License-Identifier: Apache-2.0 */
/* Makes gaps from all neighbours that were found: for a patch, the faces that may be nearest; and
 * the nodes whose unknowns take part.
 *
 * After sorting, entries of one gap are adjacent: one for every face of a patch; for a corner or an
 * edge of a surface, one for every face around it.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "contact/features.h"
#include "contact/search/neighbours.h"

static int by_found(const void *a, const void *b) {
    const ts_near_found *x = a, *y = b;
    int by = ts_key_order(&x->key, &y->key);
    return by ? by : ts_order(x->face, y->face);
}

/* Adds a node of a gap if it is new. False: there is no room. */
static bool add_node(ts_neighbours *s, int first, int node) {
    for (int i = first; i < s->nodes_count; i++)
        if (s->node[i] == node) return true;
    if (s->nodes_count - first >= TS_NEAR_NODES) return false;
    ts_grow(s->node, s->nodes_room, s->nodes_count + 1);
    s->node[s->nodes_count++] = node;
    return true;
}

/* Adds the nodes of a point; all points of a rigid shape are on one node. */
static bool add_nodes(ts_neighbours *s, int first, const ts_shape *shape, int point) {
    ts_term term[TS_WOVEN_NODES];
    bool room = true;
    if (!shape->flexible) return add_node(s, first, shape->node);
    for (int i = 0, n = ts_point_terms(s->model, shape, point, term); i < n; i++)
        room &= add_node(s, first, term[i].node);
    return room;
}

/* How far the middle of a face is from the shape. */
typedef struct ranked {
    double distance;
    int face;
} ranked;

static int by_distance(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->distance < y->distance   ? -1
           : x->distance > y->distance ? 1
                                       : ts_order(x->face, y->face);
}

static ranked rank(const ts_neighbours *s, const ts_pair_key *key, int face) {
    const ts_shape *A = &s->model->shapes[key->shape[0]], *B = &s->model->shapes[key->shape[1]];
    const ts_face *f = &s->model->shape_faces[B->face + face];
    v3 from =
        ts_point_place(s->model, A, key->corner < 0 ? 0 : key->corner, s->q, v3_make(0, 0, 0));
    v3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        sum = v3_add(sum, ts_point_place(s->model, B, f->corner[k], s->q, from));
    return (ranked){v3_norm(sum) / 3, face};
}

static int by_number(const void *a, const void *b) {
    return ts_order(*(const int *)a, *(const int *)b);
}

/* Faces of a flexible patch, nearest first, as long as there is room for their nodes. */
static void add_faces(ts_neighbours *s, int first, const ts_near_found *f, int faces) {
    const ts_shape *B = &s->model->shapes[f->key.shape[1]];
    ranked *way = ts_calloc((size_t)faces, sizeof *way);
    int begin = s->faces_count;
    for (int i = 0; i < faces; i++) way[i] = rank(s, &f->key, f[i].face);
    qsort(way, (size_t)faces, sizeof *way, by_distance);
    for (int i = 0; i < faces; i++) {
        const ts_face *face = &s->model->shape_faces[B->face + way[i].face];
        int kept = s->nodes_count;
        bool room = true;
        for (int k = 0; k < 3; k++) room &= add_nodes(s, first, B, face->corner[k]);
        if (!room) s->nodes_count = kept;
        if (room) s->face[s->faces_count++] = way[i].face;
    }
    qsort(s->face + begin, (size_t)(s->faces_count - begin), sizeof *s->face, by_number);
    free(way);
}

/* Nodes of two segments, or of a body and a segment or an edge. */
static void add_segments(ts_neighbours *s, int first, const ts_pair_key *key) {
    const ts_shape *of[2] = {&s->model->shapes[key->shape[0]], &s->model->shapes[key->shape[1]]};
    ts_feature f = ts_feature_of(of[0], of[1], key->corner);
    for (int side = 0; side < 2; side++)
        for (int end = 0; end < 2; end++) add_nodes(s, first, of[side], f.first[side] + end);
}

/* Makes one gap from all its entries. */
static void add_gap(ts_neighbours *s, const ts_near_found *f, int faces) {
    const ts_shape *A = &s->model->shapes[f->key.shape[0]], *B = &s->model->shapes[f->key.shape[1]];
    int nodes = s->nodes_count, face = s->faces_count;
    if (f->face < 0) faces = 0; /* found several times, once for each face around it */
    bool cross = !ts_feature_of(A, B, f->key.corner).patch && B->flexible;
    ts_grow(s->face, s->faces_room, s->faces_count + faces);
    if (cross) add_segments(s, nodes, &f->key);
    if (!cross) add_nodes(s, nodes, A, f->key.corner < 0 ? 0 : f->key.corner);
    if (!B->flexible) add_node(s, nodes, B->node);
    if (B->flexible && !cross) add_faces(s, nodes, f, faces);
    for (int i = 0; i < faces && B->faces && !B->flexible; i++)
        s->face[s->faces_count++] = f[i].face;
    ts_grow(s->near, s->room, s->count + 1);
    s->near[s->count++] = (ts_near){.key = f->key,
                                    .faces = s->faces_count - face,
                                    .nodes = s->nodes_count - nodes,
                                    .gap = f->gap};
}

/* The arrays have moved: updates the pointers. */
static void point_at_arrays(ts_neighbours *s) {
    for (int i = 0, face = 0, node = 0; i < s->count; i++) {
        s->near[i].face = s->face + face, face += s->near[i].faces;
        s->near[i].node = s->node + node, node += s->near[i].nodes;
    }
}

void ts_neighbours_gaps(ts_neighbours *s) {
    s->count = s->faces_count = s->nodes_count = 0;
    ts_grow(s->face, s->faces_room, 1);
    if (s->found_count) qsort(s->found, (size_t)s->found_count, sizeof *s->found, by_found);
    for (int i = 0, next = 0; i < s->found_count; i = next) {
        while (next < s->found_count && ts_key_order(&s->found[i].key, &s->found[next].key) == 0)
            next++;
        add_gap(s, &s->found[i], next - i);
    }
    point_at_arrays(s);
}
