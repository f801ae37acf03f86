/* SPDX-License-Identifier: Apache-2.0 */
/* The predictor: extrapolation in the way that did best.
 *
 * Schemes EP and ED both move by  h v_i + (h^2/2) A + (h/2) a ,  A = (v_f - v_i)/h the mean
 * acceleration of the step, a the velocity jump of ED. A of the step to come is extrapolated from
 * those of up to six steps before it: by the polynomial of order 0 to 5 in the times of their
 * middles (Lagrange), whatever their sizes.
 *
 * Vibrations that the step does not resolve alternate with EP: of a mode of frequency w it turns
 * the phase by 2 atan(w h/2), nearly half a turn. So there are also the sequences that are exact
 * for such a term on top of a polynomial, B the shift by one step back, steps of equal size:
 *
 *     (1-B)(1+B) A = 0:    A = A2
 *     (1-B)^2(1+B) A = 0:  A = A1 + A2 - A3
 *     (1-B)^3(1+B) A = 0:  A = 2 A1 - 2 A3 + A4
 *
 * At every accepted step all ways are measured,  E <- E/2 + |A - A as it was foreseen|^2 ,  and the
 * one of least E is used next. The stage of ED is extrapolated in the same way. So are multipliers,
 * but by the way that did best for them: rounded to fewer digits, or smoother, than accelerations.
 * Of a smooth motion kappa is proportional to h and the stage to h^2, and they are so scaled where
 * steps differ.
 *
 * The history is no part of the state. It is forgotten where the stepper forgets
 * (ts_stepper_forget), and steps that were taken back are dropped; the first step after that has
 * what the state has: constant acceleration, constant multipliers, no stage. The same holds for
 * schemes that are no steps in time, and for second attempts at a step.
 */
#include "step/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "step/stepper.h"

static const double SAME_TIME = 1e-9;   /* of a step: times closer than that are one */
static const double SAME_SIZE = 1e-9;   /* of a step: sizes closer than that are equal */
static const double LARGEST_TURN = 1.6; /* of a guess */
/* The jump of directors is off by the square of the turn at first: of 1e-3, by 1e-7 of the step. */
static const double SMALL_TURN = 1e-3;

/* Predictions of rates that alternate from step to step. They follow the polynomials; each uses one
 * step more than its place says. */
static const double ALTERNATING[TS_WAYS - TS_PAST_STEPS][TS_PAST_STEPS] = {
    {0, 1}, {1, 1, -1}, {2, 0, -2, 1}};

/* ---- history ---- */

void ts_history_new(ts_history *x, const ts_model *model) {
    size_t slots = 3 * (size_t)model->slots + 1, rows = (size_t)model->rows_count + 1,
           stage = 6 * (size_t)model->nodes_count + 1;
    *x = (ts_history){0};
    for (int k = 0; k < TS_PAST_STEPS; k++) {
        x->acceleration[k] = ts_calloc(slots, sizeof(double));
        x->lambda[k] = ts_calloc(rows, sizeof(double));
        x->kappa[k] = ts_calloc(rows, sizeof(double));
        x->stage[k] = ts_calloc(stage, sizeof(double));
    }
}

void ts_history_clear(ts_history *x) {
    for (int k = 0; k < TS_PAST_STEPS; k++)
        free(x->acceleration[k]), free(x->lambda[k]), free(x->kappa[k]), free(x->stage[k]);
    *x = (ts_history){0};
}

void ts_history_forget(ts_history *x) {
    x->count = 0;
    memset(x->missed, 0, sizeof x->missed);
}

/* Moves all entries by one place, towards the older ones or towards the newer. */
static void shift(double **of, bool older) {
    enum { LAST = TS_PAST_STEPS - 1 };
    double *spare = of[older ? LAST : 0];
    memmove(of + older, of + !older, LAST * sizeof *of);
    of[older ? 0 : LAST] = spare;
}

static void shift_all(ts_history *x, bool older) {
    size_t size = (TS_PAST_STEPS - 1) * sizeof(double);
    shift(x->acceleration, older), shift(x->lambda, older);
    shift(x->kappa, older), shift(x->stage, older);
    memmove(x->t + older, x->t + !older, size), memmove(x->h + older, x->h + !older, size);
}

static bool ends_at(const ts_history *x, double t) {
    return fabs(x->t[0] + x->h[0] - t) <= SAME_TIME * x->h[0] + 1e-15 * fabs(t);
}

void ts_history_until(ts_history *x, double t) {
    while (x->count > 0 && !ends_at(x, t)) {
        shift_all(x, false);
        x->count--;
    }
    if (x->count == 0) ts_history_forget(x);
}

static int smooth_weights(const ts_history *x, int order, double t, double h, double *weight) {
    double at[TS_PAST_STEPS];
    if (order >= x->count) return 0;
    for (int k = 0; k <= order; k++) at[k] = (x->t[k] - t) + 0.5 * (x->h[k] - h);
    for (int k = 0; k <= order; k++) {
        weight[k] = 1;
        for (int j = 0; j <= order; j++)
            if (j != k) weight[k] *= at[j] / (at[j] - at[k]);
    }
    return order + 1;
}

static int alternating_weights(const ts_history *x, int which, double h, double *weight) {
    int steps = which + 2;
    if (steps > x->count) return 0;
    for (int k = 0; k < steps; k++)
        if (fabs(x->h[k] - h) > SAME_SIZE * h) return 0;
    memcpy(weight, ALTERNATING[which], (size_t)steps * sizeof *weight);
    return steps;
}

int ts_history_weights(const ts_history *x, int way, double t, double h,
                       double weight[TS_PAST_STEPS]) {
    return way < TS_PAST_STEPS ? smooth_weights(x, way, t, h, weight)
                               : alternating_weights(x, way - TS_PAST_STEPS, h, weight);
}

int ts_history_way(const ts_history *x, ts_foretold what) {
    const double *missed = x->missed[what];
    int best = x->count > 0 ? 0 : -1;
    for (int w = 1; w < TS_WAYS && x->count > 0; w++)
        if (missed[w] < missed[best]) best = w;
    return best;
}

static double extrapolated(double *const *of, int steps, const double *weight, int i) {
    double sum = weight[0] * of[0][i];
    for (int k = 1; k < steps; k++) sum += weight[k] * of[k][i];
    return sum;
}

enum { LANES = 12 }; /* ways, filled up: a loop over them is one over registers */
_Static_assert((int)TS_WAYS <= (int)LANES, "room for all ways");

/* A few of the numbers that were foreseen, now and before; and what each counts, NULL: one. */
typedef struct numbers {
    double *const *past;
    const double *now, *share;
    int first, count;
} numbers;

/* The squares of what each way misses of them are added to `sum`. */
static void add_squares(const numbers *x, double weight[TS_PAST_STEPS][LANES], double sum[LANES]) {
    for (int i = x->first; i < x->first + x->count; i++) {
        double off[LANES], share = x->share ? x->share[i] : 1;
        for (int w = 0; w < LANES; w++) off[w] = x->now[i] - weight[0][w] * x->past[0][i];
        for (int k = 1; k < TS_PAST_STEPS; k++)
            for (int w = 0; w < LANES; w++) off[w] -= weight[k][w] * x->past[k][i];
        for (int w = 0; w < LANES; w++) sum[w] += off[w] * off[w] * share * share;
    }
}

/* Errors of all extrapolations after steps of equal size, by differences of neighbours, which the
 * extrapolations share; two numbers at a time. */
typedef double two __attribute__((vector_size(16)));

static inline two load_two(const double *x) { return (two){x[0], x[1]}; }
static inline two load_one(const double *x) { return (two){x[0], 0}; }

static inline __attribute__((always_inline)) void
add_squares_of_two(two now, two p0, two p1, two p2, two p3, two p4, two p5, two sum[LANES]) {
    two a = now - p0, b = p0 - p1, c = p1 - p2, d = p2 - p3, e = p3 - p4, f = p4 - p5;
    two b2 = b - c, c2 = c - d, d2 = d - e, e2 = e - f;
    two b3 = b2 - c2, c3 = c2 - d2, d3 = d2 - e2, b4 = b3 - c3, c4 = c3 - d3;
    two linear = a - b, square = linear - b2, cube = square - b3, fourth = cube - b4,
        fifth = fourth - (b4 - c4);
    two other = a + b, other_linear = a - c, other_square = linear - c + d;
    sum[0] += a * a, sum[1] += linear * linear, sum[2] += square * square;
    sum[3] += cube * cube, sum[4] += fourth * fourth, sum[5] += fifth * fifth;
    sum[6] += other * other, sum[7] += other_linear * other_linear;
    sum[8] += other_square * other_square;
}
_Static_assert((int)TS_PAST_STEPS == 6 && (int)TS_WAYS == 9, "as they are written out above");

static void add_squares_alike(const numbers *x, two sum[LANES]) {
    const double *p0 = x->past[0], *p1 = x->past[1], *p2 = x->past[2], *p3 = x->past[3],
                 *p4 = x->past[4], *p5 = x->past[5], *now = x->now;
    int i = x->first, end = x->first + x->count;
    for (; i + 1 < end; i += 2) {
        two s = x->share ? load_two(x->share + i) : (two){1, 1};
        add_squares_of_two(s * load_two(now + i), s * load_two(p0 + i), s * load_two(p1 + i),
                           s * load_two(p2 + i), s * load_two(p3 + i), s * load_two(p4 + i),
                           s * load_two(p5 + i), sum);
    }
    if (i < end) {
        two s = x->share ? load_one(x->share + i) : (two){1, 1};
        add_squares_of_two(s * load_one(now + i), s * load_one(p0 + i), s * load_one(p1 + i),
                           s * load_one(p2 + i), s * load_one(p3 + i), s * load_one(p4 + i),
                           s * load_one(p5 + i), sum);
    }
}

static bool steps_are_alike(const ts_history *x, double h) {
    for (int k = 0; k < x->count; k++)
        if (fabs(x->h[k] - h) > SAME_SIZE * h) return false;
    return x->count == TS_PAST_STEPS;
}

/* How a step is compared with what all ways foresaw. */
typedef struct comparison {
    const ts_history *x;
    const ts_past_step *step;
    bool there[TS_WAYS], alike; /* which ways there are; steps of equal size */
    double weight[TS_PAST_STEPS][LANES];
} comparison;

static void compare(const ts_history *x, const ts_past_step *step, comparison *c) {
    *c = (comparison){.x = x, .step = step, .alike = steps_are_alike(x, step->h)};
    for (int w = 0; w < TS_WAYS; w++) {
        double own[TS_PAST_STEPS];
        int steps = ts_history_weights(x, w, step->t, step->h, own);
        c->there[w] = steps > 0;
        for (int k = 0; k < steps; k++) c->weight[k][w] = own[k];
    }
}

/* Sums of squares, two side by side where steps are alike. */
static void add_missed(comparison *c, const numbers *of, two sum[LANES]) {
    double one[LANES] = {0};
    if (c->alike) {
        add_squares_alike(of, sum);
        return;
    }
    add_squares(of, c->weight, one);
    for (int w = 0; w < LANES; w++) sum[w][0] += one[w];
}

/* Of accelerations, in units of the first slot of each node. */
static void missed_motion(comparison *c, const ts_model *model, double length, double *missed) {
    two places[LANES] = {{0}}, directors[LANES] = {{0}};
    numbers of = {.past = c->x->acceleration, .now = c->step->acceleration};
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        if (node->fixed) continue;
        of.first = 3 * node->slot, of.count = 3;
        add_missed(c, &of, places);
        of.first += 3, of.count = 3 * node->slots - 3;
        add_missed(c, &of, directors);
    }
    for (int w = 0; w < TS_WAYS; w++)
        missed[w] =
            (places[w][0] + places[w][1]) / (length * length) + directors[w][0] + directors[w][1];
}

static void missed_rows(comparison *c, double *const *past, const double *now, int rows,
                        double *missed) {
    two sum[LANES] = {{0}};
    numbers of = {past, now, c->step->row_weight, 0, rows};
    add_missed(c, &of, sum);
    for (int w = 0; w < TS_WAYS; w++) missed[w] = sum[w][0] + sum[w][1];
}

/* From now on of what is proportional to the size of a step. */
static void compare_by_size(comparison *c) {
    for (int k = 0; k < c->x->count && !c->alike; k++)
        for (int w = 0; w < TS_WAYS; w++) c->weight[k][w] *= c->step->h / c->x->h[k];
}

static void note_missed(ts_history *x, const comparison *c, ts_foretold what,
                        const double *missed) {
    double *sum = x->missed[what];
    for (int w = 0; w < TS_WAYS; w++) {
        double before = isfinite(sum[w]) ? 0.5 * sum[w] : 0;
        sum[w] = before + (c->there[w] ? missed[w] : INFINITY); /* it is none */
    }
}

void ts_history_add(ts_history *x, const ts_model *model, double length, const ts_past_step *step) {
    size_t slots = 3 * (size_t)model->slots, rows = (size_t)model->rows_count,
           stage = 6 * (size_t)model->nodes_count;
    double missed[TS_WAYS];
    comparison c;
    ts_history_until(x, step->t);
    compare(x, step, &c);
    missed_motion(&c, model, length, missed), note_missed(x, &c, TS_MOTION, missed);
    missed_rows(&c, x->lambda, step->lambda, model->rows_count, missed);
    note_missed(x, &c, TS_LAMBDA, missed);
    compare_by_size(&c);
    missed_rows(&c, x->kappa, step->kappa, model->rows_count, missed);
    note_missed(x, &c, TS_KAPPA, missed);
    shift_all(x, true);
    if (x->count < TS_PAST_STEPS) x->count++;
    x->t[0] = step->t, x->h[0] = step->h;
    memcpy(x->acceleration[0], step->acceleration, slots * sizeof(double));
    memcpy(x->lambda[0], step->lambda, rows * sizeof(double));
    memcpy(x->kappa[0], step->kappa, rows * sizeof(double));
    memcpy(x->stage[0], step->stage, stage * sizeof(double));
}

/* ---- the guess ---- */

/* What is extrapolated for a step, from how many before it; 0: nothing, the state says all. */
typedef struct guess {
    const ts_history *x;
    const double *constant; /* the acceleration of the last step; NULL: none */
    int steps;
    double weight[TS_PAST_STEPS];
} guess;

static v3 acceleration_of(const guess *g, int slot) {
    if (!g->steps) return g->constant ? v3_load(g->constant + 3 * slot) : v3_make(0, 0, 0);
    v3 sum = v3_scale(g->weight[0], v3_load(g->x->acceleration[0] + 3 * slot));
    for (int k = 1; k < g->steps; k++)
        sum = v3_axpy(g->weight[k], v3_load(g->x->acceleration[k] + 3 * slot), sum);
    return sum;
}

/* to = sum of weight_k (h/h_k)^power of_k */
static void carry_on(const guess *g, double *const *of, int power, double h, int count,
                     double *to) {
    double weight[TS_PAST_STEPS];
    for (int k = 0; k < g->steps; k++)
        weight[k] = g->weight[k] * (power ? pow(h / g->x->h[k], power) : 1);
    for (int i = 0; i < count; i++) to[i] = extrapolated(of, g->steps, weight, i);
}

/* By how many steps, and their weights, in the way that did best; 0: by none. */
static int foretell(const ts_stepper *st, ts_foretold what, double *weight) {
    int way = ts_history_way(&st->history, what);
    if (way < 0) return 0;
    return ts_history_weights(&st->history, way, st->step.t_i, st->step.h, weight);
}

static guess begin_guess(ts_stepper *st, ts_guess from) {
    ts_step *step = &st->step;
    const ts_history *x = &st->history;
    const ts_model *model = st->model;
    guess g = {.x = x, .constant = from == TS_FROM_VELOCITY ? NULL : st->system->state.vdot};
    ts_history_until(&st->history, step->t_i);
    if (from == TS_FROM_HISTORY) g.steps = foretell(st, TS_MOTION, g.weight);
    if (!g.steps) return g;
    guess rows = {.x = x};
    rows.steps = foretell(st, TS_LAMBDA, rows.weight);
    if (rows.steps) carry_on(&rows, x->lambda, 0, step->h, model->rows_count, step->lambda);
    if (st->scheme->stages == 1) return g;
    rows.steps = foretell(st, TS_KAPPA, rows.weight);
    if (rows.steps) carry_on(&rows, x->kappa, 1, step->h, model->rows_count, step->kappa);
    carry_on(&g, x->stage, 2, step->h, 6 * model->nodes_count, step->stage);
    return g;
}

/* The rotation whose sine, along its axis, and cosine are given, if only nearly those of one. */
static v3 turn_of(v3 sine, double cosine) {
    double size = v3_norm(sine);
    return size > 0 ? v3_scale(atan2(size, cosine) / size, sine) : sine;
}

/* A rotation by the mean velocity of its directors. They move by h times it: half the sum of
 * d x h v over three of them is the sine of the rotation, of d . h v its cosine less one; of one
 * director alone, twice as much. `jump`: of the directors, half of which the velocity has besides;
 * NULL: none. */
static v3 guess_turn(const ts_stepper *st, const guess *g, const ts_node *node,
                     const double *jump) {
    const ts_state *state = &st->system->state;
    v3 sine = {0, 0, 0};
    double h = st->step.h, cosine = 1, part = node->slots == 4 ? 0.5 * h : h;
    for (int k = 1, s = node->slot + 1; k < node->slots; k++, s++) {
        v3 d = v3_load(state->q + 3 * s);
        v3 rate = v3_axpy(0.5 * h, acceleration_of(g, s), v3_load(state->v + 3 * s));
        if (jump) rate = v3_axpy(0.5, v3_load(jump + 3 * s), rate);
        sine = v3_axpy(part, v3_cross(d, rate), sine), cosine += part * v3_dot(d, rate);
    }
    return turn_of(sine, cosine);
}

static quat limited_turn(v3 psi) {
    double size = v3_norm(psi);
    return quat_exp(size > LARGEST_TURN ? v3_scale(LARGEST_TURN / size, psi) : psi);
}

/* Displacement and rotation of a node by its mean velocity. The jump of directors follows from how
 * they turn: to first order it turns them by the stage; from there it is found, and they turn
 * again. */
static void guess_node(ts_stepper *st, const guess *g, int n) {
    const ts_state *state = &st->system->state;
    const ts_node *node = &st->model->nodes[n];
    double h = st->step.h, *stage = st->step.stage + 6 * n;
    int s = node->slot;
    v3 rate = v3_axpy(0.5 * h, acceleration_of(g, s), v3_load(state->v + 3 * s));
    st->step.dx[n] = v3_scale(h, v3_axpy(0.5, v3_load(stage), rate));
    if (node->slots == 1) return;
    v3 first = v3_axpy(0.5 * h, v3_load(stage + 3), guess_turn(st, g, node, NULL));
    st->step.turn[n] = limited_turn(first);
    if (st->scheme->stages == 1 || !g->steps || v3_norm(first) < SMALL_TURN) return;
    st->scheme->refresh(&st->step, n);
    st->step.turn[n] = limited_turn(guess_turn(st, g, node, st->step.a));
}

void ts_predict(ts_stepper *st, ts_guess from) {
    guess g = begin_guess(st, from);
    for (int n = 0; n < st->model->nodes_count; n++) {
        st->step.dx[n] = v3_make(0, 0, 0), st->step.turn[n] = quat_identity();
        if (!st->model->nodes[n].fixed) guess_node(st, &g, n);
    }
}

void ts_remember_step(ts_stepper *st) {
    const ts_step *x = &st->step;
    if (!st->scheme->in_time || st->scheme->engine) return;
    ts_past_step step = {x->t_i,   x->h,     st->system->state.vdot, x->lambda,
                         x->kappa, x->stage, st->eq.row_weight};
    ts_history_add(&st->history, st->model, st->system->length, &step);
}
