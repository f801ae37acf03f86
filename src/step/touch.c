/* Shapes that touch, within a step, for EP and ED.
 *
 * The pairs that may touch are listed (contact/touching.c); each is an element of the matrix, and
 * adds forces where it presses. What it remembers comes from the state at the start of a step, and
 * goes back into it at the end. Their forces are in the balance of the step only: a stage of ED
 * that knew of their stiffness would take all energy of an impact that the step does not resolve.
 *
 * The list belongs to the stepper. It is made anew where a shape may leave its box, and where the
 * stepper forgets.
 */
#include "step/touch.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/features.h"

/* What a pair is at the start of the step. */
typedef struct begun {
    ts_contact_memory memory;
    double gap;
    double opened; /* the speed at which it had closed, if it opened in the step before; 0: not */
} begun;

struct ts_contacts {
    ts_neighbours near;
    int room;
    begun *pair;
    double *move; /* ambient: how far slots are about to go; zeros otherwise */
    double *none, *spare;
    bool cut;            /* a contact asks for steps that resolve it */
    uint64_t now, taken; /* which pairs do what: at the present iterate, at the last tangent */
    double *reach;       /* per shape: its farthest point from its node */
    double *moved;       /* per shape: no point of it has moved further in the step so far */
    bool fresh;          /* pairs must be listed */
    bool strayed;        /* a shape left its box; `move` says where to */
    bool met;            /* cores have met */
};

ts_contacts *ts_contacts_new(const ts_model *model) {
    if (!model->contacts_count) return NULL;
    ts_contacts *c = ts_calloc(1, sizeof *c);
    size_t ambient = (size_t)(3 * model->slots) + 1;
    ts_neighbours_new(&c->near, model);
    c->move = ts_calloc(ambient, sizeof *c->move), c->none = ts_calloc(ambient, sizeof *c->none);
    c->spare = ts_calloc(ambient, sizeof *c->spare);
    for (int i = 0; i < model->contacts_count; i++) c->cut |= ts_contact_cuts(model, i);
    c->reach = ts_calloc((size_t)model->shapes_count + 1, sizeof *c->reach);
    c->moved = ts_calloc((size_t)model->shapes_count + 1, sizeof *c->moved);
    for (int i = 0; i < model->shapes_count; i++)
        if (!model->shapes[i].flexible) c->reach[i] = ts_shape_reach(model, &model->shapes[i]);
    c->fresh = true;
    return c;
}

void ts_contacts_free(ts_contacts *c) {
    if (!c) return;
    ts_neighbours_clear(&c->near);
    free(c->pair), free(c->move), free(c->none), free(c->spare), free(c->reach), free(c->moved),
        free(c);
}

void ts_contacts_forget(ts_contacts *c) {
    if (c) c->fresh = true, c->strayed = false;
}

/* ---- the start of a step ---- */

/* Where velocities lead to. */
static bool leads_out(ts_step *st) {
    ts_contacts *c = st->contacts;
    int ambient = 3 * st->model->slots;
    for (int i = 0; i < ambient; i++) c->move[i] = st->q_i[i] + st->h * st->v_i[i];
    bool out = !ts_neighbours_covers(&c->near, st->q_i) || !ts_neighbours_covers(&c->near, c->move);
    for (int i = 0; i < ambient; i++) c->move[i] = st->h * st->v_i[i];
    return out;
}

/* A pair that is open remembers nothing but how fast it closes. */
static void begin_pair(ts_step *st, int i, const ts_touched *touched) {
    ts_contacts *c = st->contacts;
    const ts_near *near = &c->near.near[i];
    ts_contact_step x;
    v3 origin;
    c->pair[i].memory = touched ? touched->memory : (ts_contact_memory){0};
    c->pair[i].gap = touched ? touched->gap : 0, c->pair[i].opened = 0;
    if (touched && touched->gap < 0) return;
    if (touched && touched->pressed > 0) c->pair[i].opened = touched->memory.approach;
    c->pair[i].memory.age = 0;
    if (!ts_pair_over(st->model, near, st->q_i, c->none, &x, &origin)) return;
    c->pair[i].gap = x.gap.start;
    double rate =
        st->mean == 1 ? 0 : ts_pair_rate(st->model, near, &x, st->v_i); /* statics: none */
    c->pair[i].memory.approach = fmax(-rate, 0);
}

static void begin_pairs(ts_step *st) {
    ts_contacts *c = st->contacts;
    const ts_touching *list = &st->system->state.touching;
    ts_grow(c->pair, c->room, c->near.count + 1);
    for (int i = 0, k = 0; i < c->near.count; i++) {
        const ts_pair_key *key = &c->near.near[i].key;
        while (k < list->count && ts_key_order(&list->pair[k].key, key) < 0) k++;
        bool same = k < list->count && ts_key_order(&list->pair[k].key, key) == 0;
        begin_pair(st, i, same ? &list->pair[k] : NULL);
    }
}

bool ts_contacts_cut(const ts_step *st) { return st->contacts && st->contacts->cut; }
double *ts_contacts_room(const ts_step *st) { return st->contacts->spare; }

ts_contact_start ts_contact_begun(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    return (ts_contact_start){.near = &c->near.near[i],
                              .memory = &c->pair[i].memory,
                              .none = c->none,
                              .gap = c->pair[i].gap,
                              .opened = c->pair[i].opened};
}

bool ts_contacts_begin(ts_step *st) {
    ts_contacts *c = st->contacts;
    if (!c) return false;
    bool out = !c->strayed && leads_out(st), anew = c->fresh || c->strayed || out;
    if (anew) ts_neighbours_pairs(&c->near, st->q_i, c->move);
    c->fresh = c->met = c->strayed = false;
    begin_pairs(st);
    return anew;
}

/* ---- forces ---- */

/* No point of a flexible shape goes further than the one that goes furthest. */
static double furthest_move(const ts_step *st, const ts_shape *shape) {
    double most = 0;
    for (int k = 0; k < shape->points; k++)
        most = fmax(most, v3_norm(ts_point_move(st->model, shape, k, st->dq)));
    return most;
}

static void measure_motion(ts_step *st) {
    ts_contacts *c = st->contacts;
    for (int i = 0; i < st->model->shapes_count; i++) {
        const ts_shape *shape = &st->model->shapes[i];
        const ts_node *node = &st->model->nodes[shape->node];
        const double *d = st->dq + 3 * node->slot;
        double turned = 0;
        for (int k = 3; k < 3 * node->slots; k++) turned += d[k] * d[k];
        c->moved[i] = shape->flexible ? furthest_move(st, shape)
                                      : v3_norm(v3_load(d)) + c->reach[i] * sqrt(turned);
    }
}

/* Open at the start, and what moved did not move as far as that. A plane tilts under what is far
 * from its node. */
static bool stays_open(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    const int *shape = c->near.near[i].key.shape;
    v3 z = c->pair[i].memory.z;
    bool plane = st->model->shapes[shape[1]].plane;
    if (plane && !ts_shape_fixed(st->model, &st->model->shapes[shape[1]])) return false;
    double far = c->moved[shape[0]] + (plane ? 0 : c->moved[shape[1]]);
    return c->pair[i].gap > far && v3_dot(z, z) == 0;
}

/* A pair over the step, up to the present iterate. False: it does nothing. */
static bool look(const ts_step *st, int i, const ts_contact_law *law, ts_contact_step *x,
                 v3 *origin) {
    const ts_contacts *c = st->contacts;
    if (stays_open(st, i)) return false;
    const ts_near *near = &c->near.near[i];
    bool still = st->mean == 1; /* statics */
    if (!(still ? ts_pair_at_end(st->model, near, st->q_f, st->dq, c->none, x, origin)
                : ts_pair_over(st->model, near, st->q_i, st->dq, x, origin))) {
        st->contacts->met = true;
        return false;
    }
    x->law = law, x->h = st->h, x->before = c->pair[i].memory;
    v3 z = x->before.z;
    if (x->gap.start >= 0 && x->gap.end >= 0 && v3_dot(z, z) == 0) return false;
    ts_contact_over(x);
    return true;
}

static void add_forces(ts_step *st, int i, const ts_contact_step *x) {
    const ts_near *near = &st->contacts->near.near[i];
    for (int n = 0; n < near->nodes; n++) {
        const ts_node *node = &st->model->nodes[near->node[n]];
        v3 F[4] = {{0, 0, 0}};
        ts_pair_forces(st->model, near, x, near->node[n], F);
        for (int k = 0; k < node->slots; k++) {
            double *f = st->F + 3 * (node->slot + k);
            v3_store(f, v3_add(v3_load(f), F[k]));
        }
    }
}

/* Another number for each pair and what it does; their sum tells sets apart. */
static uint64_t mark(int i, const ts_contact_step *x) {
    uint64_t bits = 4 * (uint64_t)(i + 1) + (x->gap.end < 0 ? 2 : 0) + (x->bristle.stuck ? 1 : 0);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    return (bits ^ bits >> 27) * 0x94d049bb133111ebu;
}

void ts_contacts_forces(ts_step *st) {
    ts_contacts *c = st->contacts;
    if (!c) return;
    c->now = 0;
    measure_motion(st);
    for (int i = 0; i < c->near.count; i++) {
        ts_contact_law law = ts_pair_law(st->model, &c->near.near[i]);
        ts_contact_step x = {0};
        v3 origin;
        if (!look(st, i, &law, &x, &origin)) continue;
        add_forces(st, i, &x);
        c->now += mark(i, &x);
    }
}

bool ts_contacts_act(const ts_step *st) { return st->contacts && st->contacts->now != 0; }

bool ts_contacts_changed(const ts_step *st) {
    return st->contacts && st->contacts->now != st->contacts->taken;
}

void ts_contacts_tangent_taken(ts_step *st) {
    if (st->contacts) st->contacts->taken = st->contacts->now;
}

/* Have shapes changed sides within the step that touch at either end of it? */
static bool is_behind(const ts_step *st, int i) {
    ts_contact_step x;
    v3 origin, before = {0, 0, 0};
    if (!ts_pair_over(st->model, &st->contacts->near.near[i], st->q_i, st->dq, &x, &origin))
        return true;
    const ts_touch *t = &x.gap.touch;
    for (int k = 0; k < t->points; k++) before = v3_axpy(t->old[k], t->start[k], before);
    return fmin(x.gap.start, x.gap.end) < 0 && v3_dot(before, t->r_end) < 0;
}

/* Passed through each other within the step? A shorter one ends where they touch. */
static bool was_missed(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    const ts_near *near = &c->near.near[i];
    const int *shape = near->key.shape;
    double moved = c->moved[shape[0]] + c->moved[shape[1]], apart = c->pair[i].gap;
    if (st->model->shapes[shape[1]].plane || apart > moved) return false;
    if (near->faces && ts_pair_crossed(st->model, near, st->q_i, st->dq)) return true;
    for (int k = 0; k < 2; k++) apart += st->model->shapes[shape[k]].radius;
    if (moved > apart && is_behind(st, i)) return true;
    if (c->pair[i].gap <= 0) return false;
    return ts_pair_missed(st->model, near, st->q_i, st->dq, moved);
}

bool ts_contacts_refuse(ts_step *st) {
    ts_contacts *c = st->contacts;
    if (!c) return false;
    bool met = c->met;
    c->met = false;
    if (met) return true;
    for (int i = 0; i < c->near.count; i++)
        if (was_missed(st, i)) return true;
    if (ts_neighbours_covers(&c->near, st->q_f)) return false;
    c->strayed = true;
    memcpy(c->move, st->dq, (size_t)(3 * st->model->slots) * sizeof *c->move);
    return true;
}

static bool is_pressed(const ts_step *st, int i, int node) {
    const ts_near *near = &st->contacts->near.near[i];
    for (int n = 0; n < near->nodes; n++)
        if (near->node[n] == node) return true;
    return false;
}

bool ts_contacts_blame(const ts_step *st, int node, char *text, size_t size) {
    const ts_model *model = st->model;
    double hardest = 0;
    for (int i = 0; i < ts_contacts_count(st); i++) {
        const ts_pair_key *key = &st->contacts->near.near[i].key;
        ts_contact_law law = ts_pair_law(model, &st->contacts->near.near[i]);
        ts_contact_step x = {0};
        v3 origin;
        if (!is_pressed(st, i, node) || !look(st, i, &law, &x, &origin)) continue;
        if (!(-x.normal > hardest)) continue;
        hardest = -x.normal;
        snprintf(text, size, "'%s' presses '%s' on '%s' with %.3g N, gap %.3g m",
                 model->parts[model->contacts[key->contact].part].name,
                 model->parts[model->shapes[key->shape[0]].part].name,
                 model->parts[model->shapes[key->shape[1]].part].name, -x.normal, x.gap.end);
    }
    return hardest > 0;
}

/* ---- tangent ---- */

int ts_contacts_count(const ts_step *st) { return st->contacts ? st->contacts->near.count : 0; }

/* All unknowns of a node; of one that only its place counts of, as in a flexible side, the first
 * three. */
static int unknowns_of(const ts_step *st, const ts_near *near, int node) {
    for (int side = 0; side < 2; side++) {
        const ts_shape *shape = &st->model->shapes[near->key.shape[side]];
        if (!shape->flexible && shape->node == node) return ts_node_dofs(&st->model->nodes[node]);
    }
    return 3;
}

int ts_contact_places(const ts_step *st, int pair, int *eq) {
    const ts_near *near = &st->contacts->near.near[pair];
    int width = 0;
    for (int n = 0; n < near->nodes; n++) {
        int dof = st->system->node_dof[near->node[n]];
        for (int k = 0; k < unknowns_of(st, near, near->node[n]); k++)
            eq[width++] = dof < 0 ? -1 : dof + k;
    }
    return width;
}

/* P_m^T F of a node. */
static void balance_of(const ts_step *st, int n, const v3 F[4], double *out) {
    const ts_node *node = &st->model->nodes[n];
    v3 moment = {0, 0, 0};
    for (int k = 1; k < node->slots; k++)
        moment = v3_add(moment, v3_cross(v3_load(st->q_m + 3 * (node->slot + k)), F[k]));
    ts_store_balance(st, n, F[0], moment, out);
}

/* The column of an unknown of a node: displacements, then turns. */
static void column(const ts_step *st, const ts_near *near, const ts_contact_step *x, int node,
                   int unknown, double *out) {
    ts_contact_motion by;
    ts_contact_change change;
    v3 dx = {0, 0, 0};
    m3 dD = {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    int slot = 3 * st->model->nodes[node].slot;
    if (unknown < 3)
        dx = v3_axis(unknown);
    else
        dD = m3_cross(v3_axis(unknown - 3), m3_load(st->q_f + slot + 3));
    ts_pair_motion(st->model, near, x, node, dx, dD, &by);
    ts_contact_moved(x, &by, &change);
    for (int n = 0, at = 0; n < near->nodes; n++) {
        v3 F[4] = {{0, 0, 0}};
        double rows[6];
        int count = unknowns_of(st, near, near->node[n]);
        ts_pair_force_changes(st->model, near, x, &change, near->node[n], F);
        balance_of(st, near->node[n], F, rows);
        memcpy(out + at, rows, (size_t)count * sizeof *out);
        at += count;
    }
}

/* Does a node have a part in what is nearest? Few of those of a patch do. */
static bool takes_part(const ts_step *st, const ts_near *near, const ts_contact_step *x, int node) {
    for (int k = 0; k < x->gap.points; k++) {
        ts_term term[TS_WOVEN_NODES];
        const ts_shape *shape = &st->model->shapes[near->key.shape[x->gap.of_b[k]]];
        int terms = ts_point_terms(st->model, shape, x->gap.point[k], term);
        for (int i = 0; i < terms; i++)
            if (term[i].node == node) return true;
    }
    return false;
}

bool ts_contact_tangent(const ts_step *st, int pair, double *dense) {
    const ts_near *near = &st->contacts->near.near[pair];
    ts_contact_law law = ts_pair_law(st->model, near);
    ts_contact_step x = {0};
    v3 origin;
    double out[TS_CONTACT_WIDTH];
    int eq[TS_CONTACT_WIDTH], width = ts_contact_places(st, pair, eq), at = 0;
    if (!look(st, pair, &law, &x, &origin)) return false;
    memset(dense, 0, (size_t)(width * width) * sizeof *dense);
    for (int n = 0; n < near->nodes; n++) {
        int unknowns = unknowns_of(st, near, near->node[n]);
        bool moves = eq[at] >= 0 && takes_part(st, near, &x, near->node[n]);
        for (int j = 0; j < unknowns && moves; j++) {
            column(st, near, &x, near->node[n], j, out);
            for (int i = 0; i < width; i++) dense[i * width + at + j] = st->row_scale[0] * out[i];
        }
        at += unknowns;
    }
    return true;
}

/* ---- the end of a step ---- */

double ts_contacts_dissipated(const ts_step *st) {
    double sum = 0;
    for (int i = 0; i < ts_contacts_count(st); i++) {
        ts_contact_law law = ts_pair_law(st->model, &st->contacts->near.near[i]);
        ts_contact_step x = {0};
        v3 origin;
        if (look(st, i, &law, &x, &origin)) sum += x.lost + x.rubbed;
    }
    return sum;
}

void ts_contacts_commit(const ts_step *st, ts_state *state) {
    ts_touching *out = &state->touching;
    out->count = 0;
    for (int i = 0; i < ts_contacts_count(st); i++) {
        const ts_near *near = &st->contacts->near.near[i];
        const ts_pair_key *key = &near->key;
        ts_contact_law law = ts_pair_law(st->model, near);
        ts_contact_step x = {0};
        v3 origin;
        if (!look(st, i, &law, &x, &origin)) continue;
        state->contact_loss[2 * key->contact] += x.lost;
        state->contact_loss[2 * key->contact + 1] += x.rubbed;
        if (x.gap.end >= 0 && v3_dot(x.after.z, x.after.z) == 0 && x.normal == 0) continue;
        ts_grow(out->pair, out->room, out->count + 1);
        out->pair[out->count++] = (ts_touched){.key = *key,
                                               .memory = x.after,
                                               .gap = x.gap.end,
                                               .stored = x.stored,
                                               .pressed = -x.normal,
                                               .along = x.gap.normal,
                                               .rubbed = v3_scale(-1, x.friction),
                                               .at = v3_add(origin, x.gap.at)};
    }
}
