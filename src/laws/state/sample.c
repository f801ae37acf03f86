/* SPDX-License-Identifier: Apache-2.0 */
/* Samples: a variable without mass keeps the value of an expression f at the last sample,
 * TS_STATE_SAMPLE. s = y_f - f(start of the step) in a step that begins with a sample, and y_f -
 * y_i in all others. Positions are those of the start; rates are extrapolated from the means of the
 * last two steps, at second order. At rest a sample is taken.
 */
#include <math.h>
#include <string.h>

#include "laws/state/over.h"

const double *ts_sampling(const double *data) {
    return ts_variable_of(data, (int)data[TS_STATE_VARIABLES]);
}
static int samples_at(const double *data) { return TS_STATE_MEMORY + (int)data[TS_STATE_MEASURES]; }

/* Number of samples until t, including one at t. Times have round-off. */
static double samples_until(const double *data, double t) {
    const double *s = ts_sampling(data);
    return fmax(0, floor((t - s[TS_SAMPLE_FIRST]) / s[TS_SAMPLE_PERIOD] + 1e-6) + 1);
}

static bool due(const ts_law_step *step) {
    return ts_at_rest(step) ||
           samples_until(step->data, step->t_i) > step->memory[samples_at(step->data)];
}

/* Value of a variable at the start of the step. */
static double variable_then(const ts_law_step *step, const double *variable, const ts_over *y) {
    const double *past = step->memory + samples_at(step->data);
    if (ts_is_outside(variable)) return ts_outside(step, variable, step->t_i);
    if (ts_taken_as(variable) == TS_TAKEN_TOLD)
        return ts_told_variable(step, variable, 0, NULL, NULL);
    int m = ts_taken_from(variable);
    if (ts_taken_as(variable) == TS_TAKEN_NEXT) return y[m].y_f;
    if (ts_taken_as(variable) != TS_TAKEN_RATE) return y[m].y_i + variable[TS_VARIABLE_OFFSET];
    if (past[TS_SAMPLE_STEP] < 0 || ts_at_rest(step)) return ts_step_rate(step) * y[m].delta;
    return past[TS_SAMPLE_RATES + 2 * m + 1];
}

/* Does the sampled value depend on the end of the step? At rest both ends are the same. Rates
 * depend on it in the very first step. */
static bool depends(const ts_law_step *step, const double *variable) {
    const double *past = step->memory + samples_at(step->data);
    bool first = ts_taken_as(variable) == TS_TAKEN_RATE && past[TS_SAMPLE_STEP] < 0;
    bool told_now = ts_taken_as(variable) == TS_TAKEN_TOLD,
         next = ts_taken_as(variable) == TS_TAKEN_NEXT;
    return due(step) && (ts_at_rest(step) || first || next || told_now);
}

static double sampled(const ts_law_step *step, const ts_over *y, double *by) {
    double x[TS_STATE_MAX_VARIABLES];
    int count = (int)step->data[TS_STATE_VARIABLES];
    if (!due(step)) return y[0].y_i;
    if (count == 0) {
        ts_law_step then = *step;
        then.t_f = then.t_i;
        return step->data[TS_STATE_SCALE] * ts_mean_signal(&then);
    }
    for (int k = 0; k < count; k++) x[k] = variable_then(step, ts_variable_of(step->data, k), y);
    return ts_force_at(step, step->t_i, x, by);
}

static void respond_sample(const ts_law_step *step, ts_response *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    int count = (int)step->data[TS_STATE_VARIABLES];
    ts_measures_over(step, y);
    ts_be(step, y, sampled(step, y, by), out);
    for (int k = 0; k < count; k++)
        if (depends(step, ts_variable_of(step->data, k)))
            ts_add_force_slope(step, k, y, by[k], out);
}

static void sample_by_multipliers(const ts_law_step *step, double *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    ts_measures_over(step, y);
    sampled(step, y, by);
    ts_force_by_multipliers(step, y, by, out);
}

static void begin_sample(const double *data, const double *e, double *memory) {
    ts_measures_keep(data, e, memory);
    memset(memory + samples_at(data), 0,
           (size_t)(TS_SAMPLE_RATES + 2 * (int)data[TS_STATE_MEASURES]) * sizeof *memory);
    memory[samples_at(data) + TS_SAMPLE_STEP] = -1;
}

void ts_sample_start(const ts_law_step *instant, double *memory) {
    double *past = memory + samples_at(instant->data);
    ts_over y;
    for (int m = 0; m < (int)instant->data[TS_STATE_MEASURES]; m++) {
        ts_measure_over(instant, m, &y);
        for (int k = 0; k < 2; k++)
            past[TS_SAMPLE_RATES + 2 * m + k] = ts_step_rate(instant) * y.delta;
    }
    past[TS_SAMPLE_STEP] = 0;
}

static void commit_sample(const ts_law_step *step, double *memory) {
    double *past = memory + samples_at(step->data), h = step->t_f - step->t_i;
    double before = past[TS_SAMPLE_STEP], bend = before < 0 ? 0 : h / (before + h);
    ts_over y;
    for (int m = 0; h > 0 && m < (int)step->data[TS_STATE_MEASURES]; m++) {
        double *rate = past + TS_SAMPLE_RATES + 2 * m;
        ts_measure_over(step, m, &y);
        double mean = y.delta / h;
        rate[1] = mean + bend * (mean - rate[0]), rate[0] = mean;
    }
    if (h > 0) past[TS_SAMPLE_STEP] = h;
    if (h > 0)
        past[TS_SAMPLES_TAKEN] = fmax(past[TS_SAMPLES_TAKEN], samples_until(step->data, step->t_i));
    ts_measures_keep(step->data, step->e_f, memory);
}

static void sample_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    ts_no_jump(1, rates, out);
    respond_sample(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

const ts_law TS_STATE_SAMPLE = {.name = "sample",
                                .variable = true,
                                .memory = TS_STATE_MEMORY,
                                .begin = begin_sample,
                                .energy = ts_no_energy,
                                .respond = respond_sample,
                                .by_multipliers = sample_by_multipliers,
                                .stage = sample_stage,
                                .stage_loss = ts_no_loss,
                                .conserves = ts_no_exchange,
                                .stage_slopes = ts_variable_slopes,
                                .commit = commit_sample};
