/* Forces of conditions and supports at an instant, from their means over steps.
 *
 * EP and ED find multipliers as means a_k over a step, which belong to its middle t_k to second order; at its end they are late by half
 * a step, an error of first order. Motions are of second order, and so forces at an instant t shall be:
 *
 *   between two steps     the straight line through both means, at t: error h^2 a''/8;
 *   after the last step   (a_0 + a_1)/2 + (a_0 - a_2) (t - (t_0 + t_1)/2)/(t_0 - t_2), steps counted backwards
 *                         [= a_0 + (a_1 - a_2)/2 for equal steps]: error 7 h^2 a''/8;
 *   before the first      the same, steps counted forwards.
 *
 * EP's multipliers alternate about a smooth course, by something of first order: the rate of a condition c follows
 * c'_f = -c'_i + O(h^2), for only positions are asked to satisfy it. All three cancel what alternates over equal steps, and none
 * enlarges it by more than a factor of 2 over any others. With two steps the line through both means, with one its mean.
 *
 * The reaction is -C(q)^T lambda with q of the instant. Supports (scheme/held.c) have forces, not multipliers: the means of these are
 * treated alike. What is needed of earlier steps is part of the state, so that a restarted run shows the same numbers.
 *
 * state.trail: kind, t_0, t_1, t_2; of the last step but one and of that before it: multipliers, six numbers of each support; and the number 1
 * if the supports' are means.
 */
#include "system/instant.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { KIND, MIDDLE, MEANT = MIDDLE + TS_TRAIL_MOST, PAST };

static int supports_of(const ts_model *model) {
    int count = 0;
    for (int p = 0; p < model->parts_count; p++) count += model->parts[p].support;
    return count;
}

static size_t means(const ts_model *model) {
    return (size_t)(model->rows_count + 6 * supports_of(model));
}

int ts_trail_length(const ts_model *model) { return PAST + 2 * (int)means(model); }

/* The means of the last step, one after the other. */
static void collect(const ts_model *model, const ts_state *state, double *out) {
    memcpy(out, state->lambda, (size_t)model->rows_count * sizeof(double));
    out += model->rows_count;
    for (int p = 0; p < model->parts_count; p++) {
        if (!model->parts[p].support) continue;
        memcpy(out, state->memory + model->parts[p].memory, 6 * sizeof(double));
        out += 6;
    }
}

/* ---- the trail ---- */

void ts_trail_shift(const ts_model *model, ts_state *state) {
    double *trail = state->trail, *last = trail + PAST;
    size_t count = means(model);
    memcpy(last + count, last, count * sizeof(double));
    collect(model, state, last);
    trail[MIDDLE + 2] = trail[MIDDLE + 1], trail[MIDDLE + 1] = trail[MIDDLE];
}

void ts_trail_mark(ts_state *state, double middle, bool supports) {
    double *trail = state->trail;
    trail[KIND] = fmin(fmax(trail[KIND], 0) + 1, TS_TRAIL_MOST);
    trail[MIDDLE] = middle, trail[MEANT] = supports;
}

void ts_trail_exact(ts_state *state) { state->trail[KIND] = TS_TRAIL_EXACT; }

/* ---- an instant ---- */

void ts_instant_new(ts_instant *in, const ts_model *model) {
    in->model = model;
    in->lambda = ts_calloc(2 * means(model) + 1, sizeof(double));
    in->held = in->lambda + model->rows_count;
    in->last = in->lambda + means(model);
}

void ts_instant_clear(ts_instant *in) { free(in->lambda), in->lambda = in->held = in->last = NULL; }

/* What the nearest three of `count` means count at t; the nearest first. */
static void weigh(int count, const double *middle, double t, double weight[TS_TRAIL_MOST]) {
    memset(weight, 0, TS_TRAIL_MOST * sizeof *weight);
    weight[0] = 1;
    if (count == 2) {
        double ahead = (t - middle[0]) / (middle[0] - middle[1]);
        weight[0] = 1 + ahead, weight[1] = -ahead;
    } else if (count > 2) {
        double ahead = (t - 0.5 * (middle[0] + middle[1])) / (middle[0] - middle[2]);
        weight[0] = 0.5 + ahead, weight[1] = 0.5, weight[2] = -ahead;
    }
}

static void combine(ts_instant *in, const double weight[TS_TRAIL_MOST],
                    const double *const mean[TS_TRAIL_MOST]) {
    size_t count = means(in->model);
    for (size_t i = 0; i < count; i++) {
        double sum = weight[0] * mean[0][i];
        if (weight[1] != 0) sum += weight[1] * mean[1][i];
        if (weight[2] != 0) sum += weight[2] * mean[2][i];
        in->lambda[i] = sum;
    }
}

/* Reactions of supports that are no means are of their instant as they stand. */
static void keep_supports(ts_instant *in) {
    size_t rows = (size_t)in->model->rows_count;
    memcpy(in->held, in->last + rows, (means(in->model) - rows) * sizeof(double));
}

void ts_instant_now(ts_instant *in, const ts_state *state) {
    size_t count = means(in->model);
    double weight[TS_TRAIL_MOST];
    const double *trail = state->trail;
    const double *const mean[] = {in->last, trail + PAST, trail + PAST + count};
    collect(in->model, state, in->last);
    weigh((int)trail[KIND], trail + MIDDLE, state->t, weight);
    combine(in, weight, mean);
    if (!(trail[MEANT] > 0)) keep_supports(in);
}

/* ---- states that wait for the steps after them ---- */

void ts_awaiting_new(ts_awaiting *a, const ts_model *model) {
    ts_state_alloc(model, &a->state);
    ts_instant_new(&a->instant, model);
    a->mean = ts_calloc(TS_TRAIL_MOST * means(model) + 1, sizeof(double));
}

void ts_awaiting_clear(ts_awaiting *a) {
    if (!a->mean) return;
    ts_state_free(&a->state);
    ts_instant_clear(&a->instant);
    free(a->mean), a->mean = NULL;
}

void ts_awaiting_begin(ts_awaiting *a, const ts_state *state) {
    ts_state_copy(a->instant.model, &a->state, state);
    ts_instant_now(&a->instant, state);
    a->waits = state->trail[KIND] != TS_TRAIL_EXACT, a->known = 0;
}

/* The first state has steps on one side only. */
static void look_ahead(ts_awaiting *a) {
    size_t count = means(a->instant.model);
    double weight[TS_TRAIL_MOST];
    const double *const mean[] = {a->mean, a->mean + count, a->mean + 2 * count};
    weigh(a->known, a->middle, a->state.t, weight);
    combine(&a->instant, weight, mean);
    a->waits = a->known < TS_TRAIL_MOST;
}

static void look_to_both_sides(ts_awaiting *a) {
    double middle = a->state.trail[MIDDLE], weight[TS_TRAIL_MOST];
    const double *const mean[] = {a->instant.last, a->mean, a->mean};
    weight[1] = (a->state.t - middle) / (a->middle[0] - middle);
    weight[0] = 1 - weight[1], weight[2] = 0;
    combine(&a->instant, weight, mean);
    a->waits = false;
}

bool ts_awaiting_step(ts_awaiting *a, const ts_state *later) {
    if (!a->waits) return false;
    bool first = a->state.trail[KIND] == TS_TRAIL_NONE;
    size_t count = means(a->instant.model);
    if (later->trail[KIND] == TS_TRAIL_EXACT) return a->waits = false;
    collect(a->instant.model, later, a->mean + (size_t)a->known * count);
    a->middle[a->known++] = later->trail[MIDDLE];
    (first ? look_ahead : look_to_both_sides)(a);
    if (!(later->trail[MEANT] > 0)) keep_supports(&a->instant);
    return true;
}

void ts_part_reaction_at(const ts_system *system, const ts_instant *in, int part, v3 *force,
                         v3 *moment) {
    const double *held = in->held;
    for (int p = 0; p < part; p++)
        if (system->model->parts[p].support) held += 6;
    ts_part_reaction_of(system, part, in->lambda, held, force, moment);
}
