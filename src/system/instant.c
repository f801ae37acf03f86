/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of constraints and supports, and accelerations, at an instant, from their means over
 * steps.
 *
 * EP and ED compute multipliers as means a_k over a step, which are values at its middle t_k to
 * second order; as values at its end they are late by half a step, an error of first order. Motions
 * have second order, so forces at an instant t are computed with second order, too:
 *
 *   between two steps     the straight line through both means, at t: error h^2 a''/8;
 *   after the last step   the line through the last two, (3 a_0 - a_1)/2 for equal steps: error 3
 *                         h^2 a''/8;
 *   at the start          as below.
 *
 * Only positions satisfy the constraints c(q) = 0 exactly, so their rates c' change from zero at
 * the start to values of the size h^2 that depend on the scheme: by c'_f = -c'_i + O(h^2) of EP,
 * and by a factor rho of ED in every step. Multipliers then are of the form
 *
 *     a_k = a(t_k) + r^(k-1) d ,   r = -1 (EP) or rho (ED),  d = O(h),
 *
 * d never decays in EP. The first three steps give a, its slope and d; from these follow the forces
 * at the start, and after one and two steps. For EP the last three steps give those at the end [a_0
 * + (a_1 - a_2)/2 for equal steps: error 7 h^2 a''/8]; between steps d cancels in the line. (ED
 * with rho > 1/2: d decays too slowly to be separated from a; rho is replaced by 1/2, because d is
 * then small, of the size (1 - rho) h.)
 *
 * A step that is much shorter than the one before it, next to an event for example, gets the rates
 * c' of the long one, of the size h_long^2, and changes them within h: its mean has an error of
 * h_long^2/h. Sums of impulses have no such error. So a short step is joined with the step before
 * it: the mean over both is used at the middle of both. In EP every short step changes c' again, so
 * all of them are joined.
 *
 * Accelerations are the means (v_f - v_i)/h of the steps and belong to their middles, too; v
 * contains the alternating rates of constraints, so accelerations contain such a term d, too. They
 * are treated in the same way.
 *
 * The reaction is -C(q)^T lambda with q of the instant. Supports (step/held.c) have forces instead
 * of multipliers, whose means are treated in the same way. The data of earlier steps are part of
 * the state, so that a restarted run shows the same numbers. Accelerations of earlier steps are
 * stored only where events read accelerations; without them, after a restart and until two steps
 * are made, the newest row shows the mean of its last step.
 *
 * state.trail: kind; t_0, t_1, t_2; 1 if the supports' are means; r; then of the last step but one,
 * and of that before it, multipliers and six numbers of each support.
 */
#include "system/instant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double SHORT = 0.49; /* relative to the step before or after it */
enum { KIND, MIDDLE, MEANT = MIDDLE + TS_TRAIL_MOST, RIPPLE, PAST };

static int supports_of(const ts_model *model) {
    int count = 0;
    for (int p = 0; p < model->parts_count; p++) count += model->parts[p].support;
    return count;
}

static size_t forces(const ts_model *model) {
    return (size_t)(model->rows_count + 6 * supports_of(model));
}

static size_t motions(const ts_model *model) { return (size_t)(3 * model->slots); }

/* Forces, then accelerations. */
static size_t means(const ts_model *model) { return forces(model) + motions(model); }

int ts_trail_length(const ts_model *model) { return PAST + 2 * (int)forces(model); }
int ts_past_length(const ts_model *model) { return 2 * (int)motions(model); }

static void collect_forces(const ts_model *model, const ts_state *state, double *out) {
    memcpy(out, state->lambda, (size_t)model->rows_count * sizeof(double));
    out += model->rows_count;
    for (int p = 0; p < model->parts_count; p++) {
        if (!model->parts[p].support) continue;
        memcpy(out, state->memory + model->parts[p].memory, 6 * sizeof(double));
        out += 6;
    }
}

/* The means of the last step, one after the other. */
static void collect(const ts_model *model, const ts_state *state, double *out) {
    collect_forces(model, state, out);
    memcpy(out + forces(model), state->vdot, motions(model) * sizeof(double));
}

/* Accelerations of the last step (k = 0) and of the two before it; if these are unknown, those of
 * the earliest known step. */
static const double *motion_of(const ts_model *model, const ts_state *state, int k) {
    int known = state->past_steps < k ? (int)state->past_steps : k;
    return known == 0 ? state->vdot : state->past + (size_t)(known - 1) * motions(model);
}

/* ---- the trail ---- */

void ts_trail_shift(const ts_model *model, ts_state *state) {
    double *trail = state->trail, *last = trail + PAST;
    size_t count = forces(model), moved = motions(model);
    memcpy(last + count, last, count * sizeof(double));
    collect_forces(model, state, last);
    memcpy(state->past + moved, state->past, moved * sizeof(double));
    memcpy(state->past, state->vdot, moved * sizeof(double));
    if (trail[KIND] > 0 && state->past_steps < TS_TRAIL_MOST - 1) state->past_steps++;
    trail[MIDDLE + 2] = trail[MIDDLE + 1], trail[MIDDLE + 1] = trail[MIDDLE];
}

void ts_trail_mark(ts_state *state, double middle, double ripple, bool supports) {
    double *trail = state->trail;
    trail[KIND] = fmin(fmax(trail[KIND], 0) + 1, TS_TRAIL_MOST);
    trail[MIDDLE] = middle, trail[RIPPLE] = ripple, trail[MEANT] = supports;
}

void ts_trail_recall(ts_state *state) {
    state->past_steps = (int64_t)fmax(state->trail[KIND] - 1, 0);
}

void ts_trail_forget(ts_state *state) { state->trail[KIND] = TS_TRAIL_NONE, state->past_steps = 0; }
void ts_trail_exact(ts_state *state) { state->trail[KIND] = TS_TRAIL_EXACT; }

/* Lengths of the steps in the trail, the last one first; they end at `end`. Their number. */
static int steps_of(const double *trail, double end, double h[TS_TRAIL_MOST]) {
    int known = (int)fmax(trail[KIND], 0);
    for (int k = 0; k < known; k++) {
        h[k] = 2 * (end - trail[MIDDLE + k]);
        end -= h[k];
    }
    return known;
}

void ts_trail_trust(ts_state *state) {
    double *trail = state->trail, h[TS_TRAIL_MOST] = {0};
    int known = steps_of(trail, state->t, h), kept = 0;
    for (int k = 0; k < known; k++) {
        if (k == 1 && h[0] < SHORT * h[1]) kept = 0;
        if (k > 0 && (kept == 0 || h[k] < SHORT * h[k - 1])) break;
        kept++;
    }
    bool ripples = trail[RIPPLE] < 0 && known == TS_TRAIL_MOST && kept < known;
    if (known > 0) trail[KIND] = ripples ? TS_TRAIL_NONE : kept;
}
bool ts_trail_known(const ts_state *state) { return state->trail[KIND] != TS_TRAIL_NONE; }
double ts_trail_middle(const ts_state *state) { return state->trail[MIDDLE]; }
double ts_trail_step(const ts_state *state) { return 2 * (state->t - state->trail[MIDDLE]); }
double ts_trail_alpha(const ts_state *state) {
    double rho = state->trail[RIPPLE];
    return rho < 0 ? -1 : (1 - rho) / (1 + rho);
}

/* ---- strains that were measured ---- */

static void measures_new(ts_measures *x, const ts_model *model) {
    size_t count = (size_t)model->stations_count;
    x->width = 6;
    for (int i = 0; i < model->stations_count; i++) {
        int forms = model->sites[model->stations[i].site].forms;
        if (forms > x->width) x->width = forms;
    }
    x->numbers = ts_calloc(2 * (size_t)x->width * count + 1, sizeof(double));
    x->known = ts_calloc(count + 1, sizeof(bool));
}

static void measures_clear(ts_measures *x) {
    free(x->numbers), free(x->known);
    *x = (ts_measures){0};
}

static void measures_forget(ts_measures *x, const ts_model *model) {
    memset(x->known, 0, (size_t)model->stations_count * sizeof *x->known);
}

/* ---- an instant ---- */

void ts_instant_new(ts_instant *in, const ts_model *model) {
    in->model = model;
    in->lambda = ts_calloc(2 * means(model) + 1, sizeof(double));
    in->held = in->lambda + model->rows_count;
    in->acceleration = in->lambda + forces(model);
    in->last = in->lambda + means(model);
    measures_new(&in->of_state, model), measures_new(&in->of_next, model);
}

void ts_instant_clear(ts_instant *in) {
    free(in->lambda);
    in->lambda = in->held = in->acceleration = in->last = NULL;
    measures_clear(&in->of_state), measures_clear(&in->of_next);
}

/* Weights of the means of three steps at t: a straight line, and a term proportional to 1, r,
 * r^2. */
static void fit(double r, const double *middle, double t, double weight[TS_TRAIL_MOST]) {
    double h = middle[1] - middle[0], k = middle[2] - middle[1];
    bool equal = fabs(h - k) < 1e-3 * fabs(h);
    r = fmin(r, equal ? 0.5 : 0);
    double turn = r * h - k, line = (t - middle[0]) / turn, ripple = 1 / ((1 - r) * turn);
    double first = r * line - k * ripple, second = -line + h * ripple;
    weight[0] = 1 - first, weight[1] = first - second, weight[2] = second;
}

/* Weights at t, on one side of `count` means, the nearest first. */
static void weigh(int count, const double *middle, double t, double r,
                  double weight[TS_TRAIL_MOST]) {
    memset(weight, 0, TS_TRAIL_MOST * sizeof *weight);
    weight[0] = 1;
    if (count == TS_TRAIL_MOST && r < 0) {
        fit(r, middle, t, weight);
    } else if (count > 1) {
        double ahead = (t - middle[0]) / (middle[0] - middle[1]);
        weight[0] = 1 + ahead, weight[1] = -ahead;
    }
}

/* Means with their middles, the last one first: each a sum of those in the trail, by weights. */
typedef struct joined {
    int count;
    bool too_short; /* the first is short, but the steps before it began too early to be joined */
    double middle[TS_TRAIL_MOST], weight[TS_TRAIL_MOST][TS_TRAIL_MOST];
} joined;

/* How many of the last steps are joined? None that began before `since`. */
static int steps_to_join(const double *trail, int known, const double *h, double end,
                         double since) {
    double sum = h[0], begin = end - h[0];
    int count = 1;
    for (; count < known; count++) {
        double longest = h[count];
        for (int k = count + 1; k < known && trail[RIPPLE] < 0; k++) longest = fmax(longest, h[k]);
        begin -= h[count];
        if (sum >= SHORT * longest || begin < since - 1e-3 * h[count]) break;
        sum += h[count];
    }
    return count;
}

/* The trail of a state, its last steps joined where they are short. */
static joined join_short_steps(const ts_state *state, double since) {
    joined j = {.weight = {{1}, {0, 1}, {0, 0, 1}}};
    const double *trail = state->trail;
    double h[TS_TRAIL_MOST] = {0}, end = state->t, sum = 0;
    int known = steps_of(trail, end, h);
    memcpy(j.middle, trail + MIDDLE, sizeof j.middle);
    j.count = known;
    int one = known > 1 ? steps_to_join(trail, known, h, end, since) : 1;
    for (int k = 0; k < one && k < known; k++) sum += h[k];
    j.too_short = one < known && sum < SHORT * h[one];
    if (one == 1) return j;
    memset(j.weight, 0, sizeof j.weight);
    for (int k = 0; k < one; k++) j.weight[0][k] = h[k] / sum;
    j.middle[0] = end - 0.5 * sum;
    j.count = known - one + 1;
    for (int i = 1; i < j.count; i++)
        j.weight[i][i + one - 1] = 1, j.middle[i] = trail[MIDDLE + i + one - 1];
    return j;
}

/* Weights of the joined means as weights of those in the trail. */
static void spread(const joined *j, double weight[TS_TRAIL_MOST]) {
    double sum[TS_TRAIL_MOST] = {0};
    for (int i = 0; i < TS_TRAIL_MOST; i++)
        for (int k = 0; k < TS_TRAIL_MOST; k++) sum[k] += weight[i] * j->weight[i][k];
    memcpy(weight, sum, sizeof sum);
}

static void combine(double *out, size_t count, const double weight[TS_TRAIL_MOST],
                    const double *const mean[TS_TRAIL_MOST]) {
    for (size_t i = 0; i < count; i++) {
        double sum = weight[0] * mean[0][i];
        if (weight[1] != 0) sum += weight[1] * mean[1][i];
        if (weight[2] != 0) sum += weight[2] * mean[2][i];
        out[i] = sum;
    }
}

/* Reactions of supports that are not means are used as they are, at their instant. */
static void keep_supports(ts_instant *in) {
    size_t rows = (size_t)in->model->rows_count;
    memcpy(in->held, in->last + rows, (forces(in->model) - rows) * sizeof(double));
}

void ts_instant_now(ts_instant *in, const ts_state *state) { ts_instant_at(in, state, state->t); }

void ts_instant_at(ts_instant *in, const ts_state *state, double t) {
    const ts_model *model = in->model;
    size_t count = forces(model);
    double weight[TS_TRAIL_MOST];
    const double *trail = state->trail;
    const double *const mean[] = {in->last, trail + PAST, trail + PAST + count};
    const double *const motion[] = {state->vdot, motion_of(model, state, 1),
                                    motion_of(model, state, 2)};
    joined j = join_short_steps(state, -INFINITY);
    collect(model, state, in->last);
    weigh(j.count, j.middle, t, trail[RIPPLE], weight);
    spread(&j, weight);
    combine(in->lambda, count, weight, mean);
    combine(in->acceleration, motions(model), weight, motion);
    if (!(trail[MEANT] > 0)) keep_supports(in);
    in->state = state, in->next = NULL;
    measures_forget(&in->of_state, model), measures_forget(&in->of_next, model);
    in->staged = trail[KIND] > 0 && trail[MEANT] > 0 && ts_trail_alpha(state) >= 0;
}

/* ---- states that wait for the steps after them ---- */

void ts_awaiting_new(ts_awaiting *a, const ts_model *model) {
    ts_state_alloc(model, &a->state);
    ts_state_alloc(model, &a->next);
    ts_instant_new(&a->instant, model);
    a->mean = ts_calloc(TS_TRAIL_MOST * means(model) + 1, sizeof(double));
}

void ts_awaiting_clear(ts_awaiting *a) {
    if (!a->mean) return;
    ts_state_free(&a->state);
    ts_state_free(&a->next);
    ts_instant_clear(&a->instant);
    free(a->mean), a->mean = NULL;
}

/* The first states know the steps since the start, in the order of time. */
static void begin_at_start(ts_awaiting *a, int steps) {
    const ts_model *model = a->instant.model;
    size_t count = forces(model);
    const double *trail = a->state.trail;
    for (int k = 0; k < steps; k++) {
        const double *mean = k == 0 ? a->instant.last : trail + PAST + (size_t)(k - 1) * count;
        double *to = a->mean + (size_t)(steps - 1 - k) * means(model);
        memcpy(to, mean, count * sizeof(double));
        memcpy(to + count, motion_of(model, &a->state, k), motions(model) * sizeof(double));
        a->middle[steps - 1 - k] = trail[MIDDLE + k];
    }
    a->known = steps;
}

void ts_awaiting_begin(ts_awaiting *a, const ts_state *state) {
    int kind = (int)state->trail[KIND];
    ts_state_copy(a->instant.model, &a->state, state);
    ts_instant_now(&a->instant, &a->state);
    a->waits = kind != TS_TRAIL_EXACT, a->known = 0;
    a->start = kind >= 0 && kind < TS_TRAIL_MOST;
    if (a->start) begin_at_start(a, kind);
}

/* Compares everything on which the measures of a step depend. */
static bool same_step(const ts_model *model, const ts_state *a, const ts_state *b) {
    size_t bytes = 3 * (size_t)model->slots * sizeof(double);
    return a->t == b->t && ts_trail_middle(a) == ts_trail_middle(b) &&
           ts_trail_alpha(a) == ts_trail_alpha(b) && memcmp(a->q, b->q, bytes) == 0 &&
           memcmp(a->v, b->v, bytes) == 0 && memcmp(a->vdot, b->vdot, bytes) == 0 &&
           memcmp(a->jump, b->jump, bytes) == 0;
}

void ts_awaiting_adopt(ts_awaiting *a, const ts_awaiting *before) {
    const ts_model *model = a->instant.model;
    size_t count = (size_t)model->stations_count;
    ts_measures *to = &a->instant.of_state;
    const ts_measures *from = &before->instant.of_next;
    if (!before->instant.next || !count || !same_step(model, &a->state, &before->next)) return;
    memcpy(to->known, from->known, count * sizeof *to->known);
    memcpy(to->numbers, from->numbers, 2 * (size_t)to->width * count * sizeof *to->numbers);
}

/* The mean over the steps that led to a state, joined where they are short; and its middle. */
static double last_mean(const ts_model *model, const ts_state *state, const joined *j,
                        double *out) {
    collect(model, state, out);
    if (j->weight[0][0] == 1) return j->middle[0];
    size_t count = forces(model);
    const double *past = state->trail + PAST;
    const double *const mean[] = {out, past, past + count};
    const double *const motion[] = {out + count, motion_of(model, state, 1),
                                    motion_of(model, state, 2)};
    combine(out, count, j->weight[0], mean);
    combine(out + count, motions(model), j->weight[0], motion);
    return j->middle[0];
}

/* The line through the means before and after. */
static void look_to_both_sides(ts_awaiting *a, const double *before, double middle,
                               const double *after, double next) {
    double weight[TS_TRAIL_MOST] = {0};
    const double *const mean[] = {before, after, after};
    weight[1] = (a->state.t - middle) / (next - middle), weight[0] = 1 - weight[1];
    combine(a->instant.lambda, means(a->instant.model), weight, mean);
}

/* At the start: uses the first three steps, or fewer until they are known. */
static void look_at_start(ts_awaiting *a, double r) {
    size_t count = means(a->instant.model);
    const double *const mean[] = {a->mean, a->mean + count, a->mean + 2 * count};
    double weight[TS_TRAIL_MOST], t = a->state.t;
    a->waits = a->known < TS_TRAIL_MOST;
    if (!a->waits) {
        fit(r, a->middle, t, weight);
    } else if (a->known == 2 && t > a->middle[0]) {
        look_to_both_sides(a, mean[0], a->middle[0], mean[1], a->middle[1]);
        return;
    } else {
        weigh(a->known, a->middle, t, r, weight);
    }
    combine(a->instant.lambda, means(a->instant.model), weight, mean);
}

bool ts_awaiting_step(ts_awaiting *a, const ts_state *later) {
    size_t count = means(a->instant.model);
    const double *trail = later->trail;
    if (!a->waits || trail[KIND] == TS_TRAIL_EXACT) return a->waits = false;
    /* an event at the start of a step, so the step was not made */
    if (a->known == 0 && !a->start && trail[MIDDLE] == a->state.trail[MIDDLE]) return false;
    /* an event in between: later steps give no information about earlier times */
    if (trail[KIND] < fmin(TS_TRAIL_MOST, a->start ? a->known + 1 : TS_TRAIL_MOST))
        return a->waits = false;
    joined last = join_short_steps(later, a->state.t);
    if (last.too_short && !a->start) return false;
    if (!a->instant.next) {
        ts_state_copy(a->instant.model, &a->next, later);
        a->instant.next = &a->next;
    }
    double *next = a->mean + (size_t)a->known * count;
    double middle = last_mean(a->instant.model, later, &last, next);
    a->middle[a->known++] = middle;
    if (a->start) {
        look_at_start(a, trail[RIPPLE]);
    } else {
        joined first = join_short_steps(&a->state, -INFINITY);
        double *before = next + count,
               then = last_mean(a->instant.model, &a->state, &first, before);
        look_to_both_sides(a, before, then, next, middle);
        a->waits = false;
    }
    if (!(trail[MEANT] > 0)) keep_supports(&a->instant);
    return true;
}

void ts_part_reaction_at(const ts_system *system, const ts_instant *in, int part, v3 *force,
                         v3 *moment) {
    const double *held = in->held;
    for (int p = 0; p < part; p++)
        if (system->model->parts[p].support) held += 6;
    ts_part_reaction_of(system, part, in->lambda, held, force, moment);
}
