/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of shapes within a step, for EP and ED.
 *
 * The pairs that may touch are listed (contact/touching.c); each is an element of the matrix, and
 * adds forces where it presses. Its memory is read from the state at the start of a step, and
 * written back at the end. Contact forces enter the balance of the step only: a stage of ED that
 * contains their stiffness would dissipate all energy of an impact that the step does not resolve.
 *
 * The list belongs to the stepper. It is rebuilt when a shape may leave its box, and when the
 * stepper forgets.
 */
#include "step/touch.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "contact/features.h"
#include "contact/heft.h"

/* A pair at the start of the step. */
typedef struct begun {
    ts_contact_memory memory;
    double gap;
    double opened; /* the speed at which it had closed, if it opened in the step before; else 0 */
    double rests;  /* the lowest speed for which its restitution is evaluated */
    bool far;      /* the gap stays above this value, and was not computed */
    bool goes_on;  /* it touched at the end of the step before, with this gap */
    /* on the way to a solution, see ts_contacts_hold */
    bool held, sticks; /* treated as stuck; sticks by itself */
    int turns;         /* how often it was held and released */
    double bears;      /* largest friction force at the present iterate; 0: nothing presses */
    v3 slip, friction; /* there */
    v3 rubbed;         /* friction at the last accepted iterate */
} begun;

struct ts_contacts {
    ts_neighbours near;
    int room;
    begun *pair;
    double *move; /* ambient: the predicted motion of slots; otherwise zeros */
    double *none, *spare;
    bool cut; /* a contact asks for steps that resolve it */
    uint64_t now,
        taken; /* codes of the sets of active pairs: at the present iterate, at the last tangent */
    double *moved; /* per shape: no point has moved further in the step so far */
    double *gone;  /* per shape: its motion from the listing of pairs to the start of the step */
    bool fresh;    /* pairs must be listed again */
    bool strayed;  /* a shape left its box; `move` holds its motion */
    bool met;      /* cores have met */
    double soft;   /* factor on all stiffnesses: 1, except on the way to a solution */
    bool late;     /* this step: see ts_contacts_break_late */
};

ts_contacts *ts_contacts_new(const ts_model *model) {
    if (!model->contacts_count) return NULL;
    ts_contacts *c = ts_calloc(1, sizeof *c);
    size_t ambient = (size_t)(3 * model->slots) + 1;
    ts_neighbours_new(&c->near, model);
    c->move = ts_calloc(ambient, sizeof *c->move), c->none = ts_calloc(ambient, sizeof *c->none);
    c->spare = ts_calloc(ambient, sizeof *c->spare);
    for (int i = 0; i < model->contacts_count; i++) c->cut |= ts_contact_cuts(model, i);
    c->moved = ts_calloc((size_t)model->shapes_count + 1, sizeof *c->moved);
    c->gone = ts_calloc((size_t)model->shapes_count + 1, sizeof *c->gone);
    c->fresh = true, c->soft = 1;
    return c;
}

void ts_contacts_free(ts_contacts *c) {
    if (!c) return;
    ts_neighbours_clear(&c->near);
    free(c->pair), free(c->move), free(c->none), free(c->spare), free(c->moved), free(c->gone),
        free(c);
}

void ts_contacts_forget(ts_contacts *c) {
    if (c) c->fresh = true, c->strayed = false;
}

/* ---- the start of a step ---- */

/* Do the velocities lead a shape out of its box? */
static bool leads_out(ts_step *st) {
    ts_contacts *c = st->contacts;
    int ambient = 3 * st->model->slots;
    for (int i = 0; i < ambient; i++) c->move[i] = st->q_i[i] + st->h * st->v_i[i];
    bool out = !ts_neighbours_covers(&c->near, st->q_i) || !ts_neighbours_covers(&c->near, c->move);
    for (int i = 0; i < ambient; i++) c->move[i] = st->h * st->v_i[i];
    return out;
}

/* An open pair stores only the speed at which it closes. */
static void measure_gap(const ts_step *st, int i) {
    ts_contacts *c = st->contacts;
    const ts_near *near = &c->near.near[i];
    ts_contact_step x;
    v3 origin;
    c->pair[i].far = false;
    if (!ts_pair_over(st->model, near, st->q_i, c->none, &x, &origin)) return;
    c->pair[i].gap = x.gap.start;
    c->pair[i].memory.approach =
        st->mean == 1 ? 0 : ts_pair_approach(st->model, near, &x, st->v_i); /* statics: none */
}

static double speed_at_rest(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    return ts_pair_speed_at_rest(st->model, &c->near.near[i], st->q_i, c->none, c->pair[i].gap,
                                 st->h);
}

static void begin_pair(ts_step *st, int i, const ts_touched *touched) {
    ts_contacts *c = st->contacts;
    const ts_near *near = &c->near.near[i];
    begun *pair = &c->pair[i];
    *pair = (begun){.memory = touched ? touched->memory : (ts_contact_memory){.stuck = false},
                    .gap = touched ? touched->gap : 0};
    if (touched && touched->gap < 0) {
        pair->goes_on = true;
        pair->rests = speed_at_rest(st, i);
        return;
    }
    if (touched && touched->pressed > 0) pair->opened = touched->memory.approach;
    pair->memory.age = 0;
    double least = near->gap - c->gone[near->key.shape[0]] - c->gone[near->key.shape[1]];
    if (!touched && least > 0)
        pair->gap = least, pair->far = true;
    else
        measure_gap(st, i);
    pair->rests = speed_at_rest(st, i);
}

static void begin_pairs(ts_step *st) {
    ts_contacts *c = st->contacts;
    for (int i = 0; i < st->model->shapes_count; i++)
        if (!st->model->shapes[i].flexible) c->gone[i] = ts_neighbours_gone(&c->near, i, st->q_i);
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
    if (c->pair[i].far) measure_gap(st, i);
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
    c->fresh = c->met = c->strayed = c->late = false;
    begin_pairs(st);
    return anew;
}

/* ---- forces ---- */

/* Bound on the motion of a flexible shape: that of its point that moves furthest. */
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
                                      : v3_norm(v3_load(d)) + c->near.reach[i] * sqrt(turned);
    }
}

/* Does a gap that was open at the start stay open, because both sides moved less than it? A plane
 * tilts below points that are far from its node. */
static bool stays_open(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    const int *shape = c->near.near[i].key.shape;
    bool plane = st->model->shapes[shape[1]].plane;
    if (plane && !ts_shape_fixed(st->model, &st->model->shapes[shape[1]])) return false;
    double far = c->moved[shape[0]] + (plane ? 0 : c->moved[shape[1]]);
    if (c->pair[i].far && !(c->pair[i].gap > far)) measure_gap(st, i);
    return c->pair[i].gap > far && !ts_contact_bent(&c->pair[i].memory);
}

/* A pair over the step, up to the present iterate, from `origin`. */
typedef struct seen {
    ts_contact_law law;
    ts_contact_step x;
    v3 origin;
} seen;

static ts_contact_law law_of(const ts_step *st, const ts_near *near) {
    ts_contact_law law = ts_pair_law(st->model, near);
    double soft = st->contacts->soft;
    law.stiffness *= soft, law.grip *= soft, law.twist *= soft;
    return law;
}

/* ---- stiffness ---- */

/* Inverse mass of the lighter side. */
static double inverse_mass(const ts_step *st, const ts_near *near) {
    double most = 0;
    for (int n = 0; n < near->nodes; n++) {
        const ts_node *node = &st->model->nodes[near->node[n]];
        double m = node->mass[0][0];
        if (!node->fixed && m > 0) most = fmax(most, 1 / m);
    }
    return most;
}

double ts_contacts_grip(const ts_step *st) {
    double most = 0;
    for (int i = 0; i < ts_contacts_count(st); i++) {
        const ts_near *near = &st->contacts->near.near[i];
        ts_contact_law law = ts_pair_law(st->model, near);
        if (law.grip > 0) most = fmax(most, law.grip * inverse_mass(st, near));
    }
    return most * st->h * st->h;
}

void ts_contacts_soften(ts_step *st, double share) { st->contacts->soft = share; }

bool ts_contacts_break_late(ts_step *st) {
    for (int i = 0; i < ts_contacts_count(st) && !st->contacts->late; i++) {
        ts_rubbing r = ts_pair_law(st->model, &st->contacts->near.near[i]).rubbing;
        st->contacts->late = r.adhering > r.sliding && r.stribeck == 0;
    }
    return st->contacts->late;
}

bool ts_contacts_soft(const ts_step *st) { return st->contacts && st->contacts->soft < 1; }

/* Places are rounded when they are committed, but the gap that the stored energy belongs to is not.
 * The difference matters for models further than this many radii from the origin; near it, bodies
 * at rest would drift instead. */
static const double FAR = 100;
/* Limits of the slack, relative to the distance to a face, of steps in which one face replaced
 * another at nearly the same distance (envelope.c). Less is round-off, more is another state. */
static const double LEAST_SLACK = 1e-14, MOST_SLACK = 1e-6;

static bool is_slack(const ts_near *near, const ts_gap *g, double lost, double from) {
    double d = g->touch.d_start;
    return near->faces > 1 && lost > LEAST_SLACK * (d + from) && lost < MOST_SLACK * d;
}

/* Makes the step begin with the gap with which the last one ended. */
static void go_on(const ts_step *st, int i, seen *out) {
    const ts_near *near = &st->contacts->near.near[i];
    ts_gap *g = &out->x.gap;
    double lost = st->contacts->pair[i].gap - g->start, from = v3_norm(out->origin);
    bool rounded =
        from >= FAR * ts_pair_radii(st->model, near) && fabs(lost) <= TS_GAP_ROUNDING * from;
    if (rounded || is_slack(near, g, fabs(lost), from)) g->start += lost, g->end += lost;
}

/* Evaluates a pair; false: it has no force. */
static bool look(const ts_step *st, int i, seen *out) {
    const ts_contacts *c = st->contacts;
    if (stays_open(st, i)) return false;
    const ts_near *near = &c->near.near[i];
    ts_contact_step *x = &out->x;
    memset(x, 0, offsetof(ts_contact_step, lever));
    bool still = st->mean == 1; /* statics */
    if (!(still ? ts_pair_at_end(st->model, near, st->q_f, st->dq, c->none, x, &out->origin)
                : ts_pair_over(st->model, near, st->q_i, st->dq, x, &out->origin))) {
        st->contacts->met = true;
        return false;
    }
    x->h = st->h, x->before = c->pair[i].memory, x->held = c->pair[i].held;
    x->rests = c->pair[i].rests, x->late = c->late;
    if (c->pair[i].goes_on && !still) go_on(st, i, out);
    if (x->gap.start >= 0 && x->gap.end >= 0 && !ts_contact_bent(&x->before)) return false;
    out->law = law_of(st, near), x->law = &out->law;
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

/* A distinct number for each pair and its state; the sum of these numbers identifies the set. */
static uint64_t mark(int i, const ts_contact_step *x) {
    uint64_t bits = 4 * (uint64_t)(i + 1) + (x->gap.end < 0 ? 2 : 0) + (x->bristle.stuck ? 1 : 0);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    return (bits ^ bits >> 27) * 0x94d049bb133111ebu;
}

/* ---- what sticks ----
 *
 * A pair sticks within a slip of mu N/k. Newton's method comes from outside, where friction has no
 * stiffness along the slip, and jumps to the other side. So a pair that slips against the friction
 * of the last iterate is *held*: it is treated as stuck, whatever force that needs, until the force
 * exceeds its limit. In a solution held pairs really stick, so holding does not change the
 * solution. */

enum { MOST_TURNS = 3 };

/* Stores friction as forces are computed. */
static void note_friction(begun *pair, const seen *now) {
    const ts_contact_step *x = &now->x;
    v3 n = x->gap.normal;
    double bent = now->law.grip * v3_norm(x->before.z);
    pair->bears = now->law.grip > 0 ? -fmin(x->mu[0], x->mu[1]) * x->normal : 0;
    pair->sticks = x->bristle.stuck;
    pair->slip = v3_axpy(-v3_dot(n, x->slip), n, x->slip), pair->friction = x->friction;
    if (pair->held && bent > pair->bears) pair->bears = 0; /* its bend must decrease first */
}

static bool is_held(const begun *pair) {
    if (!(pair->bears > 0)) return false;
    if (pair->held) return v3_norm(pair->friction) <= pair->bears;
    return !pair->sticks && pair->turns < MOST_TURNS && v3_dot(pair->slip, pair->rubbed) < 0;
}

bool ts_contacts_hold(ts_step *st, bool near) {
    ts_contacts *c = st->contacts;
    bool changed = false;
    if (!c) return false;
    for (int i = 0; i < c->near.count; i++) {
        begun *pair = &c->pair[i];
        bool held = is_held(pair) && (near || pair->held);
        if (held != pair->held) pair->turns++, changed = true;
        pair->held = held;
        pair->rubbed = pair->friction;
    }
    return changed;
}

void ts_contacts_forces(ts_step *st) {
    ts_contacts *c = st->contacts;
    if (!c) return;
    c->now = 0;
    measure_motion(st);
    for (int i = 0; i < c->near.count; i++) {
        seen pair;
        if (!look(st, i, &pair)) {
            c->pair[i].bears = 0;
            continue;
        }
        add_forces(st, i, &pair.x);
        note_friction(&c->pair[i], &pair);
        c->now += mark(i, &pair.x);
    }
}

bool ts_contacts_act(const ts_step *st) { return st->contacts && st->contacts->now != 0; }

bool ts_contacts_changed(const ts_step *st) {
    return st->contacts && st->contacts->now != st->contacts->taken;
}

void ts_contacts_tangent_taken(ts_step *st) {
    if (st->contacts) st->contacts->taken = st->contacts->now;
}

/* Has a pair that touches at either end of the step passed to the other side? */
static bool is_behind(const ts_step *st, int i) {
    ts_contact_step x;
    v3 origin, before = {0, 0, 0};
    if (!ts_pair_over(st->model, &st->contacts->near.near[i], st->q_i, st->dq, &x, &origin))
        return true;
    const ts_touch *t = &x.gap.touch;
    for (int k = 0; k < t->points; k++) before = v3_axpy(t->old[k], t->start[k], before);
    return fmin(x.gap.start, x.gap.end) < 0 && v3_dot(before, t->r_end) < 0;
}

/* Is a pair beyond the wall of its barrier at the end? */
static bool is_beyond(const ts_step *st, int i) {
    const ts_near *near = &st->contacts->near.near[i];
    double reach = ts_contact_distance(st->model, near->key.contact);
    ts_contact_step x;
    v3 origin;
    return reach > 0 &&
           (!ts_pair_over(st->model, near, st->q_i, st->dq, &x, &origin) || x.gap.end <= -reach);
}

/* Did the shapes pass through each other within the step? A shorter step ends where they touch. */
static bool was_missed(const ts_step *st, int i) {
    const ts_contacts *c = st->contacts;
    const ts_near *near = &c->near.near[i];
    const int *shape = near->key.shape;
    double moved = c->moved[shape[0]] + c->moved[shape[1]], apart = c->pair[i].gap;
    if (apart > moved) return false;
    if (is_beyond(st, i)) return true;
    if (st->model->shapes[shape[1]].plane) return false;
    if (near->faces && ts_pair_crossed(st->model, near, st->q_i, st->dq)) return true;
    apart += ts_pair_radii(st->model, near);
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
        seen pair;
        if (!is_pressed(st, i, node) || !look(st, i, &pair)) continue;
        if (!(-pair.x.normal > hardest)) continue;
        hardest = -pair.x.normal;
        snprintf(text, size, "'%s' presses '%s' on '%s' with %.3g N, gap %.3g m",
                 model->parts[model->contacts[key->contact].part].name,
                 model->parts[model->shapes[key->shape[0]].part].name,
                 model->parts[model->shapes[key->shape[1]].part].name, hardest, pair.x.gap.end);
    }
    return hardest > 0;
}

/* ---- tangent ---- */

int ts_contacts_count(const ts_step *st) { return st->contacts ? st->contacts->near.count : 0; }

/* All unknowns of a node; if only its place counts, as in most flexible sides, the first three. */
static int unknowns_of(const ts_step *st, const ts_near *near, int node) {
    if (ts_pair_turns(st->model, near)) return ts_node_dofs(&st->model->nodes[node]);
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

bool ts_contact_tangent(const ts_step *st, int pair, double *dense) {
    const ts_near *near = &st->contacts->near.near[pair];
    seen now;
    double out[TS_CONTACT_WIDTH];
    if (!look(st, pair, &now)) return false;
    int eq[TS_CONTACT_WIDTH], width = ts_contact_places(st, pair, eq), at = 0;
    memset(dense, 0, (size_t)(width * width) * sizeof *dense);
    for (int n = 0; n < near->nodes; n++) {
        int unknowns = unknowns_of(st, near, near->node[n]);
        bool moves = eq[at] >= 0 && ts_pair_has(st->model, near, &now.x, near->node[n]);
        for (int j = 0; j < unknowns && moves; j++) {
            column(st, near, &now.x, near->node[n], j, out);
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
        seen pair;
        if (look(st, i, &pair)) sum += pair.x.lost + pair.x.rubbed;
    }
    return sum;
}

/* An increment of load takes no time. */
static void note_forces(ts_state *state, int contact, const ts_contact_step *x) {
    double h = x->still ? 0 : x->h;
    state->contact_impulse[2 * contact] -= h * x->normal;
    state->contact_impulse[2 * contact + 1] += h * v3_norm(x->friction);
    state->contact_now[contact] -= x->normal;
}

static void note_peaks(const ts_step *st, ts_state *state) {
    for (int i = 0; i < st->model->contacts_count; i++) {
        state->contact_peak[i] = fmax(state->contact_peak[i], state->contact_now[i]);
        state->contact_now[i] = 0;
    }
}

void ts_contacts_commit(const ts_step *st, ts_state *state) {
    ts_touching *out = &state->touching;
    out->count = 0;
    for (int i = 0; i < ts_contacts_count(st); i++) {
        const ts_pair_key *key = &st->contacts->near.near[i].key;
        seen pair;
        const ts_contact_step *x = &pair.x;
        if (!look(st, i, &pair)) continue;
        note_forces(state, key->contact, x);
        state->contact_loss[2 * key->contact] += x->lost;
        state->contact_loss[2 * key->contact + 1] += x->rubbed;
        if (x->gap.end >= 0 && !ts_contact_bent(&x->after) && x->normal == 0) continue;
        ts_grow(out->pair, out->room, out->count + 1);
        out->pair[out->count++] = (ts_touched){.key = *key,
                                               .memory = x->after,
                                               .gap = x->gap.end,
                                               .stored = x->stored,
                                               .pressed = -x->normal,
                                               .along = x->gap.normal,
                                               .rubbed = v3_scale(-1, x->friction),
                                               .at = v3_add(pair.origin, x->gap.at)};
    }
    note_peaks(st, state);
}
