/* Pairs of shapes that may touch, and pairs over a step.
 *
 * Every shape has a box, wide enough for where it is, where it is about to go, and as far again.
 * The pairs whose boxes overlap are listed; the list serves until a shape leaves its box. A plane
 * is everywhere.
 */
#include "contact/touching.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* ---- lists ---- */

void ts_touching_copy(ts_touching *to, const ts_touching *from) {
    to->count = from->count;
    if (from->count == 0) return;
    ts_grow(to->pair, to->room, from->count);
    memcpy(to->pair, from->pair, (size_t)from->count * sizeof *to->pair);
}

void ts_touching_clear(ts_touching *list) {
    free(list->pair);
    *list = (ts_touching){0};
}

double ts_touching_stored(const ts_touching *list) {
    double sum = 0;
    for (int i = 0; i < list->count; i++) sum += list->pair[i].stored;
    return sum;
}

/* A body rarely touches more than eight others, each of which it shares; corners on planes come
 * besides. */
int ts_pairs_room(const ts_model *model) {
    int room = 0;
    if (!model->contacts_count) return 0;
    for (int i = 0; i < model->shapes_count; i++)
        room += 4 + (model->shapes[i].plane ? 0 : model->shapes[i].points);
    return room + 16;
}

enum { NO_PAIR = -1, NO_ROOM = -2 };

static double *put(double *at, v3 a) {
    v3_store(at, a);
    return at + 3;
}

void ts_touching_pack(const ts_touching *list, int room, double *row) {
    memset(row, 0, (size_t)(room * TS_PAIR_WIDTH) * sizeof *row);
    for (int i = 0; i < room; i++, row += TS_PAIR_WIDTH) {
        double *at = row;
        *row = list->count > room ? NO_ROOM : NO_PAIR;
        if (i >= list->count) continue;
        const ts_touched *p = &list->pair[i];
        if (list->count <= room) *row = p->key.contact;
        at[1] = p->key.shape[0], at[2] = p->key.shape[1], at[3] = p->key.corner;
        at = put(at + 4, p->memory.z);
        *at++ = p->memory.stuck, *at++ = p->memory.approach;
        *at++ = p->gap, *at++ = p->stored, *at++ = p->pressed;
        put(put(put(at, p->along), p->rubbed), p->at);
    }
}

/* A whole number from 0, or from -1 for corners, below a limit. */
static bool is_index(double x, int least, int limit) {
    return x >= least && x < limit && x == (double)(int)x;
}

static bool take(const ts_model *model, const double *at, ts_touched *p) {
    if (!is_index(at[0], 0, model->contacts_count)) return false;
    for (int k = 1; k < 3; k++)
        if (!is_index(at[k], 0, model->shapes_count)) return false;
    if (!is_index(at[3], -1, model->shapes[(int)at[1]].points)) return false;
    for (int k = 4; k < TS_PAIR_WIDTH; k++)
        if (!isfinite(at[k])) return false;
    p->key = (ts_pair_key){(int)at[0], {(int)at[1], (int)at[2]}, (int)at[3]};
    p->memory = (ts_contact_memory){v3_load(at + 4), at[7] != 0, at[8]};
    p->gap = at[9], p->stored = at[10], p->pressed = at[11];
    p->along = v3_load(at + 12), p->rubbed = v3_load(at + 15), p->at = v3_load(at + 18);
    return true;
}

bool ts_touching_unpack(const ts_model *model, const double *row, ts_touching *out) {
    out->count = 0;
    for (int i = 0; i < ts_pairs_room(model); i++, row += TS_PAIR_WIDTH) {
        if (row[0] == NO_PAIR) return true;
        ts_grow(out->pair, out->room, out->count + 1);
        if (!take(model, row, &out->pair[out->count++])) return false;
    }
    return true;
}

static int order(int a, int b) { return (a > b) - (a < b); }

int ts_key_order(const ts_pair_key *a, const ts_pair_key *b) {
    int by = order(a->contact, b->contact);
    for (int k = 0; k < 2 && by == 0; k++) by = order(a->shape[k], b->shape[k]);
    return by ? by : order(a->corner, b->corner);
}

/* ---- places ---- */

/* Large enough for any model, small enough for sums of floats. */
static const double EVERYWHERE = 1e30;

static m3 directors(const ts_node *node, const double *q) {
    return node->kind == TS_NODE_FRAME ? m3_load(q + 3 * node->slot + 3) : m3_identity();
}

/* A point of a shape, or the normal of a plane, from the place and directors of its node. */
static v3 point_at(const ts_model *model, const ts_shape *shape, int k, v3 x, m3 D) {
    v3 turned = m3_apply(D, model->shape_points[shape->point + k]);
    return shape->plane && k == 1 ? turned : v3_add(x, turned);
}

/* Widens a box by a shape at q. */
static void take_shape(const ts_model *model, int number, const double *q, double low[3],
                       double high[3]) {
    const ts_shape *shape = &model->shapes[number];
    const ts_node *node = &model->nodes[shape->node];
    v3 x = v3_load(q + 3 * node->slot);
    m3 D = directors(node, q);
    for (int k = 0; k < shape->points; k++) {
        v3 p = point_at(model, shape, k, x, D);
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], v3_get(p, i) - shape->radius);
            high[i] = fmax(high[i], v3_get(p, i) + shape->radius);
        }
    }
}

/* ---- search ---- */

static int by_shape(const void *a, const void *b) {
    const ts_membership *x = a, *y = b;
    int by = order(x->shape, y->shape);
    if (!by) by = order(x->contact, y->contact);
    return by ? by : order(x->side, y->side);
}

static int by_nodes(const void *a, const void *b) {
    const int *x = a, *y = b;
    int by = order(x[0], y[0]);
    return by ? by : order(x[1], y[1]);
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

void ts_neighbours_new(ts_neighbours *s, const ts_model *model) {
    size_t shapes = (size_t)model->shapes_count, members = (size_t)model->memberships_count;
    *s = (ts_neighbours){.model = model, .shapes = model->shapes_count, .tree = ts_tree_new()};
    s->box = ts_calloc(shapes + 1, sizeof *s->box);
    s->membership = ts_calloc(shapes + 1, sizeof *s->membership);
    s->of = ts_calloc(members + 1, sizeof *s->of);
    if (members) memcpy(s->of, model->memberships, members * sizeof *s->of);
    qsort(s->of, members, sizeof *s->of, by_shape);
    for (size_t i = 0; i < members; i++) s->membership[s->of[i].shape + 1]++;
    for (size_t i = 0; i < shapes; i++) s->membership[i + 1] += s->membership[i];
    find_joined(s);
    for (size_t i = 0; i < shapes; i++) /* nothing is within, until pairs are sought */
        s->box[i] = (ts_box){{1, 1, 1}, {-1, -1, -1}};
}

void ts_neighbours_clear(ts_neighbours *s) {
    ts_tree_free(s->tree);
    free(s->box), free(s->key), free(s->membership), free(s->of), free(s->joined);
    *s = (ts_neighbours){0};
}

bool ts_neighbours_covers(const ts_neighbours *s, const double *q) {
    for (int i = 0; i < s->shapes; i++) {
        double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
        if (s->model->shapes[i].plane) continue;
        take_shape(s->model, i, q, low, high);
        for (int k = 0; k < 3; k++)
            if (!(low[k] >= (double)s->box[i].low[k] && high[k] <= (double)s->box[i].high[k]))
                return false;
    }
    return true;
}

/* As far again as it is about to go, and a share of its size: lists live longer, and are longer. */
static const double AGAIN = 1, SLACK = 0.1;

static ts_box box_of(const ts_neighbours *s, int i, const double *q, const double *there) {
    double low[3], high[3], first[3], last[3], extent = 0;
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    take_shape(s->model, i, q, low, high);
    for (int k = 0; k < 3; k++)
        first[k] = low[k], last[k] = high[k], extent = fmax(extent, high[k] - low[k]);
    take_shape(s->model, i, there, low, high);
    double more = SLACK * extent;
    for (int k = 0; k < 3; k++)
        more = fmax(more, AGAIN * fmax(first[k] - low[k], high[k] - last[k]));
    for (int k = 0; k < 3; k++) low[k] -= more, high[k] += more;
    if (s->model->shapes[i].plane)
        for (int k = 0; k < 3; k++) low[k] = -EVERYWHERE, high[k] = EVERYWHERE;
    return ts_box_around(low, high);
}

/* The first contact that both shapes take part in, on different sides or among each other; -1:
 * none. */
static int contact_of(const ts_neighbours *s, int a, int b) {
    for (int i = s->membership[a]; i < s->membership[a + 1]; i++)
        for (int j = s->membership[b]; j < s->membership[b + 1]; j++) {
            const ts_membership *x = &s->of[i], *y = &s->of[j];
            const ts_contact *contact = &s->model->contacts[x->contact];
            if (x->contact == y->contact && !contact->off && (contact->among || x->side != y->side))
                return x->contact;
        }
    return -1;
}

static bool are_joined(const ts_neighbours *s, int a, int b) {
    int pair[2];
    sorted_nodes(a, b, pair);
    return bsearch(pair, s->joined, (size_t)s->joints, sizeof *s->joined, by_nodes) != NULL;
}

static void list(ts_neighbours *s, ts_pair_key key) {
    ts_grow(s->key, s->room, s->count + 1);
    s->key[s->count++] = key;
}

/* Is a box on the far side of a plane that does not move? */
static bool is_above(const ts_neighbours *s, const ts_shape *plane, const ts_box *box) {
    const ts_node *node = &s->model->nodes[plane->node];
    if (!node->fixed) return false;
    v3 place = point_at(s->model, plane, 0, node->x, node->D);
    v3 n = point_at(s->model, plane, 1, node->x, node->D);
    double least = -v3_dot(n, place);
    for (int k = 0; k < 3; k++)
        least += v3_get(n, k) * (double)(v3_get(n, k) > 0 ? box->low[k] : box->high[k]);
    return least > 0;
}

/* Shapes of one body, and of two that do not move, do not touch; nor do two planes. */
static void found(void *context, int a, int b) {
    ts_neighbours *s = context;
    const ts_shape *A = &s->model->shapes[a], *B = &s->model->shapes[b];
    if (A->node == B->node || (A->plane && B->plane)) return;
    if (s->model->nodes[A->node].fixed && s->model->nodes[B->node].fixed) return;
    int contact = contact_of(s, a, b);
    if (contact < 0) return;
    if (s->model->contacts[contact].among && are_joined(s, A->node, B->node)) return;
    if (A->plane) {
        int other = a;
        a = b, b = other;
    }
    bool plane = A->plane || B->plane;
    if (plane && is_above(s, &s->model->shapes[b], &s->box[a])) return;
    for (int k = 0; k < (plane ? s->model->shapes[a].points : 1); k++)
        list(s, (ts_pair_key){.contact = contact, .shape = {a, b}, .corner = plane ? k : -1});
}

static int by_key(const void *a, const void *b) { return ts_key_order(a, b); }

static void list_pairs(ts_neighbours *s) {
    s->count = 0;
    ts_tree_build(s->tree, s->shapes, s->box);
    ts_tree_pairs(s->tree, found, s);
    if (s->count) qsort(s->key, (size_t)s->count, sizeof *s->key, by_key);
}

void ts_neighbours_pairs(ts_neighbours *s, const double *q, const double *move) {
    size_t numbers = (size_t)(3 * s->model->slots);
    double *there = ts_calloc(numbers + 1, sizeof *there);
    for (size_t i = 0; i < numbers; i++) there[i] = q[i] + move[i];
    for (int i = 0; i < s->shapes; i++) s->box[i] = box_of(s, i, q, there);
    free(there);
    list_pairs(s);
}

void ts_neighbours_within(ts_neighbours *s, const double *q, double reach) {
    for (int i = 0; i < s->shapes; i++) {
        double low[3] = {EVERYWHERE, EVERYWHERE, EVERYWHERE}, high[3];
        for (int k = 0; k < 3; k++) high[k] = -low[k];
        if (!s->model->shapes[i].plane) take_shape(s->model, i, q, low, high);
        bool all = s->model->shapes[i].plane || !(reach < EVERYWHERE);
        for (int k = 0; k < 3; k++) {
            low[k] = all ? -EVERYWHERE : low[k] - reach;
            high[k] = all ? EVERYWHERE : high[k] + reach;
        }
        s->box[i] = ts_box_around(low, high);
    }
    list_pairs(s);
}

/* ---- a pair over a step ---- */

enum { MOST_CORNERS = 128 };

/* Differences of places first: far from the origin the rest is lost otherwise. */
static void take_side(const ts_model *model, int shape, const double *q, const double *dq,
                      v3 origin, ts_carrier *out) {
    const ts_node *node = &model->nodes[model->shapes[shape].node];
    int s = 3 * node->slot;
    out->turns = node->kind == TS_NODE_FRAME;
    out->x[0] = v3_sub(v3_load(q + s), origin);
    out->x[1] = v3_add(out->x[0], v3_load(dq + s));
    out->D[0] = out->D[1] = m3_identity();
    if (!out->turns) return;
    out->D[0] = m3_load(q + s + 3);
    out->D[1] = m3_add(out->D[0], m3_load(dq + s + 3));
}

static bool cores_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x) {
    v3 place[2][2][MOST_CORNERS];
    ts_core core[2][2];
    double radius[2];
    for (int side = 0; side < 2; side++) {
        const ts_shape *shape = &model->shapes[key->shape[side]];
        const ts_carrier *c = &x->side[side];
        radius[side] = shape->radius;
        for (int end = 0; end < 2; end++) {
            for (int k = 0; k < shape->points; k++)
                place[end][side][k] = point_at(model, shape, k, c->x[end], c->D[end]);
            core[end][side] = (ts_core){.points = shape->points, .point = place[end][side]};
        }
    }
    return ts_gap_of_cores(core[0], core[1], radius, &x->gap);
}

static void plane_over(const ts_model *model, const ts_pair_key *key, ts_contact_step *x) {
    const ts_shape *A = &model->shapes[key->shape[0]], *B = &model->shapes[key->shape[1]];
    const ts_carrier *a = &x->side[0], *b = &x->side[1];
    ts_over_plane at[2];
    for (int end = 0; end < 2; end++)
        at[end] = (ts_over_plane){point_at(model, A, key->corner, a->x[end], a->D[end]),
                                  point_at(model, B, 0, b->x[end], b->D[end]),
                                  point_at(model, B, 1, b->x[end], b->D[end])};
    ts_gap_of_plane(&at[0], &at[1], key->corner, A->radius, &x->gap);
}

bool ts_pair_over(const ts_model *model, const ts_pair_key *key, const double *q, const double *dq,
                  ts_contact_step *x, v3 *origin) {
    *origin = v3_load(q + 3 * model->nodes[model->shapes[key->shape[0]].node].slot);
    for (int side = 0; side < 2; side++)
        take_side(model, key->shape[side], q, dq, *origin, &x->side[side]);
    if (key->corner < 0) return cores_over(model, key, x);
    plane_over(model, key, x);
    return true;
}

/* ---- the way between both ends ---- */

/* A pair on the way, a share of it gone. */
static double gap_on_the_way(const ts_model *model, const ts_pair_key *key,
                             const ts_contact_step *whole, double share) {
    ts_contact_step x;
    for (int side = 0; side < 2; side++) {
        const ts_carrier *from = &whole->side[side];
        ts_carrier *to = &x.side[side];
        to->turns = from->turns;
        to->x[0] = to->x[1] = v3_axpy(share, v3_sub(from->x[1], from->x[0]), from->x[0]);
        to->D[0] = to->D[1] = m3_axpy(share, m3_sub(from->D[1], from->D[0]), from->D[0]);
    }
    if (key->corner < 0) return cores_over(model, key, &x) ? x.gap.end : -1;
    plane_over(model, key, &x);
    return x.gap.end;
}

/* The least share of the way that is gone at once: what only grazes within it is no touch. */
static const double GRAZING = 1e-3;

/* Conservative advancement: where the gap is g, nothing can touch within g of the way. */
bool ts_pair_missed(const ts_model *model, const ts_pair_key *key, const double *q,
                    const double *dq, double moved) {
    ts_contact_step x;
    v3 origin;
    if (!ts_pair_over(model, key, q, dq, &x, &origin)) return false;
    if (x.gap.start <= 0 || x.gap.end <= 0 || x.gap.start + x.gap.end > moved) return false;
    double share = x.gap.start / moved, last = 1 - x.gap.end / moved;
    while (share < last) {
        double gap = gap_on_the_way(model, key, &x, share);
        if (gap < 0) return true;
        share += fmax(gap / moved, GRAZING);
    }
    return false;
}

/* A point of the gap in the coordinates of its side, and how much of the place is in it. */
static v3 material(const ts_model *model, const ts_pair_key *key, const ts_gap *gap, int k,
                   double *place) {
    const ts_shape *shape = &model->shapes[key->shape[gap->of_b[k]]];
    *place = shape->plane && gap->point[k] == 1 ? 0 : 1;
    return model->shape_points[shape->point + gap->point[k]];
}

void ts_pair_motion(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    int side, v3 dx, m3 dD, ts_contact_motion *out) {
    memset(out, 0, sizeof *out);
    out->x[side] = dx, out->D[side] = dD;
    for (int k = 0; k < x->gap.points; k++) {
        double place;
        if (x->gap.of_b[k] != (side == 1)) continue;
        v3 X = material(model, key, &x->gap, k, &place);
        out->point[k] = v3_scale(place, dx);
        if (x->side[side].turns) out->point[k] = v3_add(out->point[k], m3_apply(dD, X));
    }
}

static void add_point(v3 f, double place, v3 X, v3 F[4]) {
    F[0] = v3_axpy(place, f, F[0]);
    for (int j = 0; j < 3; j++) F[1 + j] = v3_axpy(v3_get(X, j), f, F[1 + j]);
}

void ts_pair_forces(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    int side, v3 F[4]) {
    for (int k = 0; k < x->gap.points; k++) {
        double place;
        if (x->gap.of_b[k] != (side == 1)) continue;
        v3 X = material(model, key, &x->gap, k, &place);
        add_point(v3_scale(x->normal, x->gap.gradient[k]), place, X, F);
    }
    add_point(v3_scale(side ? -1 : 1, x->friction), 1, x->arm[side], F);
}

void ts_pair_force_changes(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                           const ts_contact_change *change, int side, v3 F[4]) {
    double sign = side ? -1 : 1;
    for (int k = 0; k < x->gap.points; k++) {
        double place;
        if (x->gap.of_b[k] != (side == 1)) continue;
        v3 X = material(model, key, &x->gap, k, &place);
        add_point(change->force[k], place, X, F);
    }
    add_point(v3_scale(sign, change->friction), 1, x->arm[side], F);
    add_point(v3_scale(sign, x->friction), 0, change->arm[side], F);
}

double ts_pair_rate(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    const double *v) {
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        const ts_node *node = &model->nodes[model->shapes[key->shape[side]].node];
        const double *u = v + 3 * node->slot;
        for (int k = 0; k < x->gap.points; k++) {
            double place;
            if (x->gap.of_b[k] != (side == 1)) continue;
            v3 X = material(model, key, &x->gap, k, &place), move = v3_scale(place, v3_load(u));
            if (x->side[side].turns) move = v3_add(move, m3_apply(m3_load(u + 3), X));
            rate += v3_dot(x->gap.gradient[k], move);
        }
    }
    return rate;
}

/* ---- the start of a run ---- */

/* How fast the sides slip where they touch. */
static v3 slip_rate(const ts_model *model, const ts_pair_key *key, const ts_contact_step *x,
                    const double *v) {
    v3 slip = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        const ts_node *node = &model->nodes[model->shapes[key->shape[side]].node];
        const double *u = v + 3 * node->slot;
        const ts_carrier *c = &x->side[side];
        v3 move = v3_load(u), arm = v3_sub(x->gap.at, c->x[0]);
        if (c->turns) move = v3_add(move, m3_apply(m3_load(u + 3), m3_tapply(c->D[0], arm)));
        slip = v3_axpy(side ? -1 : 1, move, slip);
    }
    return v3_axpy(-v3_dot(slip, x->gap.normal), x->gap.normal, slip);
}

/* A bristle is stuck at the start if nothing slips there, to rounding. */
static const double AT_REST = 1e-12;

static void begin_touching(const ts_model *model, const ts_pair_key *key, const double *q,
                           const double *v, const double *none, ts_touching *out) {
    ts_contact_step x = {0};
    v3 origin;
    if (!ts_pair_over(model, key, q, none, &x, &origin) || x.gap.start >= 0) return;
    ts_contact_law law = ts_contact_law_of(model, key->contact, key->shape);
    v3 slip = slip_rate(model, key, &x, v);
    double speed = v3_norm(v3_load(v + 3 * model->nodes[model->shapes[key->shape[0]].node].slot));
    ts_touched pair = {
        .key = *key, .gap = x.gap.start, .along = x.gap.normal, .at = v3_add(origin, x.gap.at)};
    pair.memory.stuck = v3_norm(slip) <= AT_REST * (1 + speed);
    pair.memory.approach = fmax(-ts_pair_rate(model, key, &x, v), 0);
    pair.stored = ts_contact_energy(&law, pair.gap, &pair.memory);
    ts_grow(out->pair, out->room, out->count + 1);
    out->pair[out->count++] = pair;
}

void ts_touching_begin(const ts_model *model, const double *q, const double *v, ts_touching *out) {
    ts_neighbours near;
    out->count = 0;
    if (!model->contacts_count) return;
    double *none = ts_calloc((size_t)(3 * model->slots) + 1, sizeof *none);
    ts_neighbours_new(&near, model);
    ts_neighbours_pairs(&near, q, none);
    for (int i = 0; i < near.count; i++) begin_touching(model, &near.key[i], q, v, none, out);
    ts_neighbours_clear(&near);
    free(none);
}

void ts_touching_follow(const ts_model *model, const double *q, const double *v,
                        ts_touching *list) {
    ts_touching now = {0};
    if (!model->contacts_count) return;
    ts_touching_begin(model, q, v, &now);
    for (int i = 0, k = 0; i < now.count; i++) {
        while (k < list->count && ts_key_order(&list->pair[k].key, &now.pair[i].key) < 0) k++;
        if (k < list->count && ts_key_order(&list->pair[k].key, &now.pair[i].key) == 0)
            now.pair[i] = list->pair[k];
    }
    ts_touching_clear(list);
    *list = now;
}
