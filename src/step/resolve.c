/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are divided so that impacts are resolved.
 *
 * A contact has the restitution of its law if about ten steps fall into its duration. With longer
 * steps less energy is lost (the energy account is exact nevertheless). So a contact may ask for
 * shorter steps (`unresolved: cut`): one ends where the gap closes, and steps of T/12 follow, T the
 * contact time, until it has opened again; the last of them is free flight, so that the predictor
 * starts from a free flight. A pair that has touched for longer than two contact times is at rest
 * and not an impact, and so is one that gravity would close again within the step: v < g h, a hop
 * of speed v lasts 2 v/g.
 *
 * T follows from the stiffness, the speed v0 of approach, and the effective mass m of the pair
 * (contact/heft.c). Joints are neglected: they increase the effective mass, and contacts last
 * longer.
 *
 * A small restitution e stops the approach early. By Hunt and Crossley (contact/pair.c), a linear
 * contact is pressed in by the share
 *     s(epsilon) = sqrt(2 (epsilon - ln(1 + epsilon)))/epsilon
 * of what it would be without loss, and so takes about this share of the time: 0.14 for e = 0.01.
 * Substeps are shorter by 2 s where that is below 1 (e < 0.14): six to eight in the approach.
 *
 * The time at which the gap closes is sought along  q + v t + a t^2/2 , a the acceleration of the
 * last step. Thin bodies may be apart at both ends of a step in which one passes through the other.
 * So the search uses conservative advancement: where the gap is g, nothing touches for the time
 * g/L, L a bound of the speed at which points of both sides approach. A pair that touches for less
 * than a quarter of a substep may be missed.
 */
#include <math.h>

#include "contact/features.h"
#include "contact/heft.h"
#include "step/touch.h"

static const double STEPS = 12;     /* in a contact */
static const double APPROACH = 2;   /* times s(epsilon), see above */
static const double LONG_AGO = 2;   /* contact times after which a pair is at rest */
static const double NEARLY = 0.01;  /* of a substep: accuracy of the time at which the gap closes */
static const double LEAST = 1.5;    /* of a substep: a remainder that is shorter is not divided */
static const double GRAZING = 0.25; /* of a substep: least advance of the search */
enum { MOST_TRIALS = 60 };

/* ---- when it closes ---- */

/* A pair on its extrapolated motion: gives the gap at a time. */
typedef struct way {
    const ts_step *st;
    const ts_near *near;
    double *move; /* room for all slots */
} way;

static double gap_at(const way *w, double t) {
    const double *v = w->st->v_i, *a = w->st->system->state.vdot;
    ts_contact_step x;
    v3 origin;
    for (int n = 0; n < w->near->nodes; n++) {
        const ts_node *node = &w->st->model->nodes[w->near->node[n]];
        for (int i = 3 * node->slot; i < 3 * (node->slot + node->slots); i++)
            w->move[i] = node->fixed ? 0 : t * (v[i] + 0.5 * t * a[i]);
    }
    if (!ts_pair_over(w->st->model, w->near, w->st->q_i, w->move, &x, &origin)) return -1;
    return x.gap.end;
}

/* The last time, to `enough`, at which the gap is open, between low, where it is open, and high,
 * where it is closed. */
static double closes(const way *w, double low, double high, double enough) {
    for (int k = 0; k < MOST_TRIALS && high - low > enough; k++) {
        double middle = 0.5 * (low + high);
        *(gap_at(w, middle) > 0 ? &low : &high) = middle;
    }
    return low;
}

/* Largest rate of the points of a node within `reach` along its directors, relative to the velocity
 * `less`; from rates of all slots. */
static double rate_of(const way *w, const double *rates, int n, v3 less, double reach) {
    const ts_node *node = &w->st->model->nodes[n];
    const double *own = rates + 3 * node->slot;
    double turns = 0;
    if (node->fixed) return v3_norm(less);
    for (int i = 3; i < 3 * node->slots; i++) turns += own[i] * own[i];
    return v3_norm(v3_sub(v3_load(own), less)) + reach * sqrt(turns);
}

/* The largest rate of a side. */
static double rate_of_side(const way *w, int side, const double *rates) {
    const ts_model *model = w->st->model;
    const ts_shape *s = &model->shapes[w->near->key.shape[side]];
    const ts_node *from = &model->nodes[w->near->node[0]];
    v3 less = from->fixed ? v3_make(0, 0, 0) : v3_load(rates + 3 * from->slot);
    double most = 0;
    if (!s->flexible) return rate_of(w, rates, s->node, less, ts_shape_reach(model, s));
    for (int n = 0; n < w->near->nodes; n++)
        most = fmax(most, rate_of(w, rates, w->near->node[n], less, 0));
    return most;
}

/* Upper bound of the speed at which points of both sides approach within the time t. For points far
 * from the node of a plane that turns there is no bound. */
static double closing_speed(const way *w, double t) {
    const ts_shape *B = &w->st->model->shapes[w->near->key.shape[1]];
    double most = 0;
    if (B->plane && !ts_shape_fixed(w->st->model, B)) return INFINITY;
    for (int side = 0; side < 2; side++)
        most += rate_of_side(w, side, w->st->v_i) +
                t * rate_of_side(w, side, w->st->system->state.vdot);
    return most;
}

/* The time at which an open gap closes, within the time `left`, to NEARLY of a substep; `left`: it
 * does not close. */
static double touches(const way *w, double gap, double left, double part) {
    const ts_shape *B = &w->st->model->shapes[w->near->key.shape[1]];
    double bound = closing_speed(w, left), t = 0, enough = NEARLY * part;
    if (B->plane) return gap_at(w, left) > 0 ? left : closes(w, 0, left, enough);
    for (int k = 0; k < MOST_TRIALS; k++) {
        double before = t;
        t += fmax(gap / bound, GRAZING * part);
        if (!(t < left)) t = left;
        gap = gap_at(w, t);
        if (!(gap > 0)) return closes(w, before, t, enough);
        if (t == left) return left;
    }
    return t;
}

/* ---- how long a step may be ---- */

/* Share of T/12 that a substep may take, by the loss epsilon. */
static double shortened(double loss) {
    return loss > 0 ? fmin(1, APPROACH * sqrt(2 * (loss - log1p(loss))) / loss) : 1;
}

/* The longest step that resolves the impact of a pair. */
static double bears(const ts_step *st, int i, double *move, double left) {
    ts_contact_start start = ts_contact_begun(st, i);
    ts_contact_law law = ts_pair_law(st->model, start.near);
    way w = {st, start.near, move};
    double v = start.opened > 0 ? start.opened : start.memory->approach;
    ts_contact_step x = {0};
    v3 origin;
    bool open = start.gap >= 0, flies = open && !(start.opened > 0);
    if (!law.cut || !(v > v3_norm(st->model->gravity) * left)) return left;
    if (flies && start.gap > left * closing_speed(&w, left)) return left;
    if (!ts_pair_over(st->model, start.near, st->q_i, start.none, &x, &origin)) return left;
    double inverse = ts_pair_inverse_mass(st->model, start.near, st->q_i, &x);
    if (!(inverse > 0)) return left;
    double lasts = law.elastic->lasts(1 / (inverse * law.stiffness), v / law.unit),
           part = lasts / STEPS * shortened(law.loss);
    if (!(LEAST * part < left)) return left;
    if (!open && start.memory->age > LONG_AGO * lasts) return left;
    double until = flies ? touches(&w, start.gap, left, part) : 0;
    if (until == left) return left;
    return fmin(fmax(until, part), left - 0.5 * part); /* so the remainder is not a tiny step */
}

double ts_resolved_step(ts_step *st, double left) {
    double least = left, *room = ts_contacts_room(st);
    for (int i = 0; i < ts_contacts_count(st); i++) least = fmin(least, bears(st, i, room, left));
    return least;
}
