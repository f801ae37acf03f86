/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that depend on the state: see expression.c, own.c, work.c, variable.c, sample.c. */
#ifndef TS_STATE_LAW_H
#define TS_STATE_LAW_H

#include "laws/way.h"
#include "model/law.h"

/* The expression is the first signal of the site. Numbers of a site: these, then three for every
 * measure, then three for every variable, then those of samples, then those of told.h. */
enum {
    TS_STATE_SCALE,  /* factor of the expression in the force on the target */
    TS_STATE_ANCHOR, /* the target at which no energy is stored */
    TS_STATE_MEASURES,
    TS_STATE_VARIABLES,
    TS_STATE_TOLD, /* entries of laws/state/told.h, behind those of samples */
    TS_STATE_HEAD
};
enum { TS_MEASURE_KIND, TS_MEASURE_FORM, TS_MEASURE_TINY, TS_MEASURE_NUMBERS };
enum { TS_VARIABLE_MEASURE, TS_VARIABLE_TAKEN, TS_VARIABLE_OFFSET, TS_VARIABLE_NUMBERS };
enum { TS_STATE_MAX_VARIABLES = 2 * TS_MAX_FORMS };

/* A measure as a function of its forms: e0; the angle of (e0, e1); the length sqrt(2 e0 + tiny^2).
 * Two are known by their changes only: the turn about an axis, of u = (e0, e1, e2) and w = (e3, e4,
 * e5), u . dw/2 - w . du/2; and the way of p = (e0, e1, e2) along d = (e3, e4, e5), d . dp. */
typedef enum ts_measure_kind {
    TS_MEASURE_LINEAR = TS_WAY_LINEAR,
    TS_MEASURE_ANGLE = TS_WAY_ANGLE,
    TS_MEASURE_LENGTH = TS_WAY_LENGTH,
    TS_MEASURE_TURN,
    TS_MEASURE_WAY
} ts_measure_kind;
int ts_measure_forms(ts_measure_kind kind);
/* Does the measure have a value, or changes only? */
static inline bool ts_measure_has_value(ts_measure_kind kind) { return kind <= TS_MEASURE_LENGTH; }

/* How a variable follows from its measure over a step: the mean, the rate, or the value at the end
 * (of measures that are constant over steps). Or `measure` is an index of a multiplier that the
 * site reads: the mean, times the offset; or the number of a signal, an input, at the middle of the
 * step. */
typedef enum ts_taken {
    TS_TAKEN_MEAN,
    TS_TAKEN_RATE,
    TS_TAKEN_END,
    TS_TAKEN_NEXT, /* the value at the end, even if a sample takes the values at the start */
    TS_TAKEN_TOLD, /* no measure: forces of other sites, told.h; the offset is their number */
    TS_TAKEN_MULTIPLIER,
    TS_TAKEN_INPUT
} ts_taken;

/* Memory: the target at the start of the step, the energy there, then an angle of every measure. */
enum { TS_STATE_AT, TS_STATE_STORED, TS_STATE_MEMORY };

/* OWN: everything depends on the target and its rate alone; WORK: on anything. Without variables
 * the force is the scale times the signal of the site. */
extern const ts_law TS_STATE_OWN, TS_STATE_WORK;
/* No force. RATE: the rate of the target is the value of the expression. HOLD: keeps forms at
 * zero. */
extern const ts_law TS_STATE_RATE, TS_STATE_HOLD;
/* No force. VALUE: over the step the target is the value of the expression. SAMPLE: its value at
 * the last sample, see ts_sampling. */
extern const ts_law TS_STATE_VALUE, TS_STATE_SAMPLE;

/* Samples are taken at first + k period, k = 0, 1, ...: further numbers of the site. Memory behind
 * that of the measures: the number of samples taken, the size of the last step (0: none was made,
 * -1: not even the rates at the start are known), then the mean rate over it and the rate at its
 * end, of every measure. */
enum { TS_SAMPLE_PERIOD, TS_SAMPLE_FIRST, TS_SAMPLE_NUMBERS };
enum { TS_SAMPLES_TAKEN, TS_SAMPLE_STEP, TS_SAMPLE_RATES };
const double *ts_sampling(const double *data);
static inline const double *ts_told_entries(const double *data) {
    return ts_sampling(data) + TS_SAMPLE_NUMBERS;
}
/* Rates at the start, from a change of the forms over an instant. */
void ts_sample_start(const ts_law_step *instant, double *memory);
/* Memory of a site with so many measures, behind TS_STATE_MEMORY. */
static inline int ts_state_memory(const ts_law *law, int measures) {
    return law == &TS_STATE_SAMPLE ? TS_SAMPLE_RATES + 3 * measures : measures;
}

/* The mean of a site's first signal over a step: of both ends, inside the step where it jumps. */
double ts_mean_signal(const ts_law_step *step);

#endif
