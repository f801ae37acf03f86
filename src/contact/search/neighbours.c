/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shapes that may touch.
 *
 * Every shape has a box that contains its present place, its predicted motion, and the same
 * distance again; each point of a cloud and each face of a patch has its own box. The pairs whose
 * boxes overlap are listed; the list is valid until something leaves its box. A plane overlaps
 * every box. Fixed shapes keep their boxes and the tree of them, so a large terrain costs little
 * where nothing is near.
 *
 *     hull  with plane   each corner alone
 *     hull  with hull    their cores, or the gaps of features.c
 *     hull  with patch   each corner alone; besides, with its core and its edges, corners and edges
 *                        of the patch; or, of what is round, all of it
 *     point of a cloud   with a plane, a hull, a patch; not with a sphere that touches its faces
 *
 * A patch is touched as a whole: the faces that may be nearest are kept, and the distance is the
 * least over them. The boxes of the others do not reach the shape, so their distance does not
 * matter.
 */
#include "contact/search/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "contact/features.h"
#include "contact/touching.h"

int ts_key_order(const ts_pair_key *a, const ts_pair_key *b) {
    int by = ts_order(a->contact, b->contact);
    for (int k = 0; k < 2 && by == 0; k++) by = ts_order(a->shape[k], b->shape[k]);
    return by ? by : ts_order(a->corner, b->corner);
}

/* ---- boxes ---- */

/* Large enough for any model, small enough for sums of floats. */
static const double EVERYWHERE = 1e30;

/* Widens a box by a point at q. */
static void take_point(const ts_model *model, const ts_shape *shape, int point, const double *q,
                       double *low, double *high) {
    v3 p = ts_point_place(model, shape, point, q, v3_make(0, 0, 0));
    for (int i = 0; i < 3; i++) {
        low[i] = fmin(low[i], v3_get(p, i) - ts_shape_around(shape));
        high[i] = fmax(high[i], v3_get(p, i) + ts_shape_around(shape));
    }
}

static void take_leaf(const ts_neighbours *s, ts_leaf leaf, const double *q, double *low,
                      double *high) {
    const ts_shape *shape = &s->model->shapes[leaf.shape];
    if (leaf.item >= 0 && shape->faces) {
        const ts_face *face = &s->model->shape_faces[shape->face + leaf.item];
        for (int k = 0; k < 3; k++) take_point(s->model, shape, face->corner[k], q, low, high);
    } else if (leaf.item >= 0) {
        take_point(s->model, shape, leaf.item, q, low, high);
    } else {
        for (int k = 0; k < shape->points; k++) take_point(s->model, shape, k, q, low, high);
    }
}

/* ---- what there is ---- */

static int by_shape(const void *a, const void *b) {
    const ts_membership *x = a, *y = b;
    int by = ts_order(x->shape, y->shape);
    if (!by) by = ts_order(x->contact, y->contact);
    return by ? by : ts_order(x->side, y->side);
}

static int by_nodes(const void *a, const void *b) {
    const int *x = a, *y = b;
    int by = ts_order(x[0], y[0]);
    return by ? by : ts_order(x[1], y[1]);
}

static void sorted_nodes(int a, int b, int out[2]) {
    out[0] = a < b ? a : b, out[1] = a < b ? b : a;
}

/* Bodies that a joint holds together. */
static void find_joined(ts_neighbours *s) {
    const ts_model *model = s->model;
    s->joined = ts_calloc((size_t)model->parts_count + 1, sizeof *s->joined);
    for (int i = 0; i < model->sites_count; i++) {
        const ts_site *site = &model->sites[i];
        if (site->role != TS_ROLE_ROWS || site->nodes != 2) continue;
        if (s->joints > 0 && i > 0 && model->sites[i - 1].part == site->part) continue;
        const int *node = model->site_nodes + site->node;
        sorted_nodes(node[0], node[1], s->joined[s->joints++]);
    }
    qsort(s->joined, (size_t)s->joints, sizeof *s->joined, by_nodes);
}

/* One leaf for a shape, or for each point of a cloud and each face of a patch. */
static void grow_leaves(ts_neighbours *s) {
    int room = 0;
    for (int i = 0; i < s->model->shapes_count; i++) {
        const ts_shape *shape = &s->model->shapes[i];
        int items = shape->cloud ? shape->points : shape->faces;
        for (int k = items ? 0 : -1; k < items; k++) {
            ts_grow(s->leaf, room, s->leaves + 1);
            s->leaf[s->leaves++] = (ts_leaf){i, k};
        }
    }
    s->box = ts_calloc((size_t)s->leaves + 1, sizeof *s->box);
    for (int i = 0; i < s->leaves; i++) /* nothing is within, until pairs are sought */
        s->box[i] = (ts_box){{1, 1, 1}, {-1, -1, -1}};
    s->order = ts_calloc((size_t)s->leaves + 1, sizeof *s->order);
    for (int i = 0; i < s->leaves; i++)
        if (!ts_shape_fixed(s->model, &s->model->shapes[s->leaf[i].shape]))
            s->order[s->moving++] = i;
    for (int i = 0, at = s->moving; i < s->leaves; i++)
        if (ts_shape_fixed(s->model, &s->model->shapes[s->leaf[i].shape])) s->order[at++] = i;
}

void ts_neighbours_new(ts_neighbours *s, const ts_model *model) {
    size_t shapes = (size_t)model->shapes_count, members = (size_t)model->memberships_count;
    *s = (ts_neighbours){.model = model, .tree = ts_tree_new(), .resting = ts_tree_new()};
    s->margin = ts_calloc(shapes + 1, sizeof *s->margin);
    s->reach = ts_calloc(shapes + 1, sizeof *s->reach);
    for (size_t i = 0; i < shapes; i++)
        if (!model->shapes[i].flexible) s->reach[i] = ts_shape_reach(model, &model->shapes[i]);
    s->from = ts_calloc((size_t)(3 * model->slots) + 1, sizeof *s->from);
    s->still = ts_calloc((size_t)(3 * model->slots) + 1, sizeof *s->still);
    s->membership = ts_calloc(shapes + 1, sizeof *s->membership);
    s->of = ts_calloc(members + 1, sizeof *s->of);
    if (members) memcpy(s->of, model->memberships, members * sizeof *s->of);
    qsort(s->of, members, sizeof *s->of, by_shape);
    for (size_t i = 0; i < members; i++) s->membership[s->of[i].shape + 1]++;
    for (size_t i = 0; i < shapes; i++) s->membership[i + 1] += s->membership[i];
    find_joined(s);
    grow_leaves(s);
}

void ts_neighbours_clear(ts_neighbours *s) {
    ts_tree_free(s->tree), ts_tree_free(s->resting);
    free(s->order), free(s->leaf), free(s->box), free(s->found), free(s->near), free(s->face),
        free(s->node);
    free(s->membership), free(s->of), free(s->joined);
    free(s->margin), free(s->reach), free(s->from), free(s->still);
    *s = (ts_neighbours){0};
}

/* ---- search ---- */

/* Is the leaf still where it was when its box was made, whatever moves? */
static bool rests(const ts_neighbours *s, int leaf) {
    const ts_shape *shape = &s->model->shapes[s->leaf[leaf].shape];
    return shape->plane ||
           (ts_shape_fixed(s->model, shape) && s->box[leaf].low[0] <= s->box[leaf].high[0]);
}

double ts_neighbours_gone(const ts_neighbours *s, int i, const double *q) {
    const ts_node *node = &s->model->nodes[s->model->shapes[i].node];
    const double *a = q + 3 * node->slot, *b = s->from + 3 * node->slot;
    double turned = 0;
    for (int k = 3; k < 3 * node->slots && s->reach[i] > 0; k++)
        turned += (a[k] - b[k]) * (a[k] - b[k]);
    double moved = v3_norm(v3_sub(v3_load(a), v3_load(b)));
    return turned > 0 ? moved + s->reach[i] * sqrt(turned) : moved;
}

/* Is the shape on a body, with one box? Then the motion of the body bounds that of its points. */
static bool is_rigid(const ts_shape *s) { return !s->flexible && !s->plane && !s->faces; }

bool ts_neighbours_covers(const ts_neighbours *s, const double *q) {
    for (int i = 0; i < s->leaves; i++) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        int shape = s->leaf[i].shape;
        if (rests(s, i)) continue;
        if (is_rigid(&s->model->shapes[shape])) {
            if (!(ts_neighbours_gone(s, shape, q) <= s->margin[shape])) return false;
            continue;
        }
        take_leaf(s, s->leaf[i], q, low, high);
        for (int k = 0; k < 3; k++)
            if (!(low[k] >= (double)s->box[i].low[k] && high[k] <= (double)s->box[i].high[k]))
                return false;
    }
    return true;
}

/* Boxes are widened by the predicted motion times AGAIN, and by a share of their size: lists then
 * last longer, but contain more pairs. */
static const double AGAIN = 1, SLACK = 0.1;

static ts_box box_of(const ts_neighbours *s, ts_leaf leaf, const double *q, const double *there) {
    const ts_shape *shape = &s->model->shapes[leaf.shape];
    double low[3], high[3], first[3], last[3], extent = 0;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    take_leaf(s, leaf, q, low, high);
    for (int k = 0; k < 3; k++)
        first[k] = low[k], last[k] = high[k], extent = fmax(extent, high[k] - low[k]);
    double more = fmax(SLACK * extent, shape->margin);
    if (is_rigid(shape)) {
        if (ts_shape_fixed(s->model, shape)) more = 0;
        more += (1 + AGAIN) * ts_neighbours_gone(s, leaf.shape, there);
        s->margin[leaf.shape] = more;
    } else {
        take_leaf(s, leaf, there, low, high);
        for (int k = 0; k < 3; k++)
            more = fmax(more, AGAIN * fmax(first[k] - low[k], high[k] - last[k]));
    }
    for (int k = 0; k < 3; k++) low[k] -= more, high[k] += more;
    if (shape->plane)
        for (int k = 0; k < 3; k++) low[k] = -EVERYWHERE, high[k] = EVERYWHERE;
    return ts_box_around(low, high);
}

/* With an edge or a corner of a surface that does not move. */
static bool is_ridge_at_rest(const ts_neighbours *s, const ts_pair_key *key) {
    const ts_shape *A = &s->model->shapes[key->shape[0]], *B = &s->model->shapes[key->shape[1]];
    return ts_features_ridged(A, B) && key->corner >= ts_corner_gap(A, 0) &&
           ts_shape_fixed(s->model, B);
}

/* Can a gap of two shapes of bodies close before one of them has moved further than its margin? */
static bool may_close(const ts_neighbours *s, const ts_pair_key *key, double *gap) {
    const ts_shape *A = &s->model->shapes[key->shape[0]], *B = &s->model->shapes[key->shape[1]];
    ts_contact_step x;
    v3 origin;
    *gap = -INFINITY;
    if (!is_rigid(A) || !(is_rigid(B) || is_ridge_at_rest(s, key))) return true;
    int node[2] = {A->node, B->node};
    ts_near near = {.key = *key, .nodes = 2, .node = node};
    if (!ts_pair_over(s->model, &near, s->from, s->still, &x, &origin)) return true;
    *gap = x.gap.start;
    return *gap <= s->margin[key->shape[0]] + s->margin[key->shape[1]];
}

bool ts_shapes_excepted(const ts_model *model, int contact, int a, int b) {
    for (int i = 0; i < model->exceptions_count; i++) {
        const ts_exception *e = &model->exceptions[i];
        if (e->contact == contact && e->shape[0] == (a < b ? a : b) &&
            e->shape[1] == (a < b ? b : a))
            return true;
    }
    return false;
}

/* The first contact that both shapes take part in, on different sides or among each other; -1:
 * none. */
static int contact_of(const ts_neighbours *s, int a, int b) {
    for (int i = s->membership[a]; i < s->membership[a + 1]; i++)
        for (int j = s->membership[b]; j < s->membership[b + 1]; j++) {
            const ts_membership *x = &s->of[i], *y = &s->of[j];
            const ts_contact *contact = &s->model->contacts[x->contact];
            if (x->contact == y->contact && !contact->off &&
                (contact->among || x->side != y->side) &&
                !ts_shapes_excepted(s->model, x->contact, a, b))
                return x->contact;
        }
    return -1;
}

bool ts_nodes_joined(const ts_neighbours *s, int a, int b) {
    int pair[2];
    sorted_nodes(a, b, pair);
    return bsearch(pair, s->joined, (size_t)s->joints, sizeof *s->joined, by_nodes) != NULL;
}

static void list(ts_neighbours *s, ts_pair_key key, int face) {
    double gap;
    if (!may_close(s, &key, &gap)) return;
    ts_grow(s->found, s->found_room, s->found_count + 1);
    s->found[s->found_count++] = (ts_near_found){key, face, gap};
}

/* Is a box on the far side of a plane that does not move? */
static bool is_above(const ts_neighbours *s, const ts_shape *plane, const ts_box *box) {
    if (!ts_shape_fixed(s->model, plane) || plane->hollow > 0) return false;
    v3 none = {0, 0, 0}, place = ts_point_place(s->model, plane, 0, s->q, none);
    v3 n = ts_point_place(s->model, plane, 1, s->q, none);
    double least = -v3_dot(n, place);
    for (int k = 0; k < 3; k++)
        least += v3_get(n, k) * (double)(v3_get(n, k) > 0 ? box->low[k] : box->high[k]);
    return least > 0;
}

/* Selects the edges of one side that may reach the other. */
static int near_edges(const ts_neighbours *s, const ts_pair_key *key, int side, int *edge) {
    const ts_shape *of = &s->model->shapes[key->shape[side]];
    const ts_shape *from = &s->model->shapes[key->shape[1 - side]];
    double reach = s->margin[key->shape[0]] + s->margin[key->shape[1]] + of->radius + from->radius +
                   ts_contact_distance(s->model, key->contact);
    int count = 0;
    for (int k = 0; k < ts_feature_edges(of); k++)
        if (ts_edge_apart(s->model, of, k, from, s->from) <= reach) edge[count++] = k;
    return count;
}

/* Lists the edges of two cores that are near the other core: most pairs of edges are far apart and
 * are skipped. */
static void list_edges(ts_neighbours *s, ts_pair_key key) {
    const ts_shape *A = &s->model->shapes[key.shape[0]], *B = &s->model->shapes[key.shape[1]];
    int a[TS_MOST_EDGES], b[TS_MOST_EDGES];
    bool rods = ts_features_rods(A, B);
    int of_a = rods ? 1 : near_edges(s, &key, 0, a), of_b = rods ? 1 : near_edges(s, &key, 1, b);
    if (rods) a[0] = b[0] = 0; /* edges of rods are not shortened */
    for (int i = 0; i < of_a; i++)
        for (int k = 0; k < of_b; k++) {
            key.corner = ts_edges_gap(A, B, a[i], b[k]);
            list(s, key, -1);
        }
}

/* Can a part of a core reach a box before one of them has moved further than its margin? */
static bool comes_to(const ts_neighbours *s, int shape, ts_feature part, const ts_box *box) {
    const ts_shape *A = &s->model->shapes[shape];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < part.count[0]; k++)
        take_point(s->model, A, part.first[0] + k, s->from, low, high);
    for (int k = 0; k < 3; k++)
        if (low[k] - s->margin[shape] > (double)box->high[k] ||
            high[k] + s->margin[shape] < (double)box->low[k])
            return false;
    return true;
}

static void list_if_near(ts_neighbours *s, ts_pair_key key, int face, const ts_box *box) {
    const ts_shape *A = &s->model->shapes[key.shape[0]], *B = &s->model->shapes[key.shape[1]];
    if (comes_to(s, key.shape[0], ts_feature_of(A, B, key.corner), box)) list(s, key, face);
}

/* A core with a face, whose box is given. Edges of a segment are the segment itself. */
static void list_ridges(ts_neighbours *s, ts_pair_key key, int item, const ts_box *box) {
    const ts_shape *A = &s->model->shapes[key.shape[0]], *B = &s->model->shapes[key.shape[1]];
    const ts_face *face = &s->model->shape_faces[B->face + item];
    int edges = B->line ? 1 : 3;
    for (key.corner = 0; key.corner < A->points; key.corner++) list_if_near(s, key, item, box);
    for (int k = 0; k < edges; k++) {
        int edge = B->line ? item : face->edge[k];
        key.corner = ts_corner_gap(A, face->corner[k]);
        if (face->ridge[k] && !B->flexible) list_if_near(s, key, -1, box);
        for (int a = 0; a < ts_feature_edges(A) && edge >= 0; a++) {
            key.corner = ts_edges_gap(A, B, a, edge);
            list_if_near(s, key, -1, box);
        }
    }
}

/* Two lines may cross where segments of both are. A line crosses itself only where its segments
 * are not neighbours. */
static void cross(ts_neighbours *s, int contact, ts_leaf a, ts_leaf b) {
    bool turned = a.shape > b.shape || (a.shape == b.shape && a.item > b.item);
    ts_leaf first = turned ? b : a, second = turned ? a : b;
    const ts_shape *A = &s->model->shapes[first.shape], *B = &s->model->shapes[second.shape];
    if (A->part == B->part && !ts_segments_apart(s->model, A, first.item, second.item)) return;
    ts_pair_key key = {.contact = contact, .shape = {first.shape, second.shape}};
    key.corner = ts_segments_gap(B, first.item, second.item);
    list(s, key, -1);
}

/* Lists how leaf a meets leaf b, if a has points to touch with. False: it does not. */
static bool meet(ts_neighbours *s, int contact, int a, int b) {
    ts_leaf first = s->leaf[a], second = s->leaf[b];
    const ts_shape *A = &s->model->shapes[first.shape], *B = &s->model->shapes[second.shape];
    ts_pair_key key = {.contact = contact, .shape = {first.shape, second.shape}, .corner = -1};
    bool spread = s->model->numbers[s->model->contacts[contact].data + TS_CONTACT_SPREAD] > 0;
    if (A->plane || A->faces || B->cloud) return false;
    if (B->plane && is_above(s, B, &s->box[a])) return true;
    if (A->cloud) {
        key.corner = first.item;
        if (A->part == B->part && !ts_face_apart(s->model, A, first.item, B, second.item))
            return true;
        if (ts_features_touch(A, B, spread)) list(s, key, B->faces ? second.item : -1);
        return true;
    }
    if (spread) return true; /* what has no area */
    bool lie = ts_features_lie(A, B);
    if (ts_features_ridged(A, B)) {
        list_ridges(s, key, second.item, &s->box[b]);
        return true;
    }
    if (!B->plane && !lie) list(s, key, B->faces ? second.item : -1);
    if (!B->plane && !lie && !(B->faces && ts_features_count(A, B) > 1)) return true;
    double gap;
    if (lie && !may_close(s, &key, &gap)) return true;
    int corners = lie ? ts_edges_gap(A, B, 0, 0) : ts_features_count(A, B);
    for (key.corner = 0; key.corner < corners; key.corner++)
        list(s, key, B->faces ? second.item : -1);
    if (lie) list_edges(s, key);
    return true;
}

/* Shapes of one body, and of two that do not move, do not touch. */
static void found(void *context, int a, int b) {
    ts_neighbours *s = context;
    const ts_shape *A = &s->model->shapes[s->leaf[a].shape];
    const ts_shape *B = &s->model->shapes[s->leaf[b].shape];
    if (!ts_shapes_apart(A, B)) return;
    if (ts_shape_fixed(s->model, A) && ts_shape_fixed(s->model, B)) return;
    int contact = contact_of(s, s->leaf[a].shape, s->leaf[b].shape);
    if (contact < 0) return;
    if (s->model->contacts[contact].among && ts_nodes_joined(s, A->node, B->node)) return;
    if (A->line && B->line)
        cross(s, contact, s->leaf[a], s->leaf[b]);
    else if (!meet(s, contact, a, b))
        meet(s, contact, b, a);
}

static void list_pairs(ts_neighbours *s, const double *q) {
    s->found_count = 0, s->q = q;
    ts_tree_build(s->tree, s->moving, s->order, s->box);
    if (!s->settled) ts_tree_build(s->resting, s->leaves - s->moving, s->order + s->moving, s->box);
    ts_tree_pairs(s->tree, found, s);
    ts_tree_pairs_between(s->tree, s->resting, found, s);
    ts_neighbours_gaps(s);
    s->q = NULL;
}

void ts_neighbours_pairs(ts_neighbours *s, const double *q, const double *move) {
    size_t numbers = (size_t)(3 * s->model->slots);
    double *there = ts_calloc(numbers + 1, sizeof *there);
    for (size_t i = 0; i < numbers; i++) there[i] = q[i] + move[i];
    if (numbers) memcpy(s->from, q, numbers * sizeof *q);
    for (int i = 0; i < (s->settled ? s->moving : s->leaves); i++)
        s->box[s->order[i]] = box_of(s, s->leaf[s->order[i]], q, there);
    free(there);
    list_pairs(s, q);
    s->settled = true;
}

void ts_neighbours_within(ts_neighbours *s, const double *q, double reach) {
    size_t numbers = (size_t)(3 * s->model->slots);
    if (numbers) memcpy(s->from, q, numbers * sizeof *q);
    for (int i = 0; i < (s->settled ? s->moving : s->leaves); i++) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        double more = i < s->moving ? reach : 0; /* of each pair, one moves */
        int leaf = s->order[i];
        bool all = s->model->shapes[s->leaf[leaf].shape].plane || !(more < EVERYWHERE);
        take_leaf(s, s->leaf[leaf], q, low, high);
        for (int k = 0; k < 3; k++) {
            low[k] = all ? -EVERYWHERE : low[k] - more;
            high[k] = all ? EVERYWHERE : high[k] + more;
        }
        s->box[leaf] = ts_box_around(low, high);
    }
    for (int i = 0; i < s->model->shapes_count; i++) s->margin[i] = reach;
    list_pairs(s, q);
    s->settled = true;
}
