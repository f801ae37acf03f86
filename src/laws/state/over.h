/* SPDX-License-Identifier: Apache-2.0 */
/* Measures and expressions over a step, shared by the laws of forces by formula: measure.c,
 * expression.c. */
#ifndef TS_OVER_H
#define TS_OVER_H

#include "laws/state/state_law.h"

/* ---- measures ---- */

enum { TS_MEASURE_MOST = 6 }; /* forms of a measure */

typedef struct ts_over {
    double y_i, y_f, delta;
    /* discrete gradient, its derivative by e_f, derivative of the change by e_f */
    double g[TS_MEASURE_MOST], dg[TS_MEASURE_MOST * TS_MEASURE_MOST], slope[TS_MEASURE_MOST];
} ts_over;

const double *ts_measure_of(const double *data, int m);
static inline ts_measure_kind ts_kind_of(const double *measure) {
    return (ts_measure_kind)measure[TS_MEASURE_KIND];
}
static inline int ts_form_of(const double *measure) { return (int)measure[TS_MEASURE_FORM]; }

double ts_measure_at(const double *data, const double *memory, int m, const double *e);
void ts_measure_over(const ts_law_step *step, int m, ts_over *out);
void ts_measures_over(const ts_law_step *step, ts_over *out); /* all of them */
/* Stores angles at the end of the step, from which the next step continues. */
void ts_measures_keep(const double *data, const double *e, double *memory);

/* ---- variables ---- */

static inline const double *ts_variable_of(const double *data, int k) {
    return ts_measure_of(data, (int)data[TS_STATE_MEASURES]) + k * TS_VARIABLE_NUMBERS;
}
static inline ts_taken ts_taken_as(const double *variable) {
    return (ts_taken)variable[TS_VARIABLE_TAKEN];
}
static inline int ts_taken_from(const double *variable) {
    return (int)variable[TS_VARIABLE_MEASURE];
}
static inline bool ts_at_end(ts_taken how) { return how == TS_TAKEN_END || how == TS_TAKEN_NEXT; }
/* Is the variable independent of forms, a value at a time? */
static inline bool ts_is_outside(const double *variable) {
    return ts_taken_as(variable) >= TS_TAKEN_MULTIPLIER;
}
double ts_outside(const ts_law_step *step, const double *variable, double t);
/* The force of other sites. Adds `times` its derivatives: told.h. */
double ts_told_variable(const ts_law_step *step, const double *variable, double times, double *by_e,
                        double *by_lambda);
double ts_variable_over(const ts_law_step *step, const double *variable, const ts_over *y);

/* At rest both ends are one, and slopes are halved: law.h. */
static inline bool ts_at_rest(const ts_law_step *step) { return !(step->t_f > step->t_i); }
static inline double ts_end_slope(const ts_law_step *step) { return ts_at_rest(step) ? 0.5 : 1; }

/* ---- the force ---- */

/* An expression with the numbers of its site. */
typedef struct ts_programme {
    const double *data;
    const ts_expr *expr;
} ts_programme;
ts_programme ts_programme_of(const ts_law_step *step);

/* The force for given values of its variables, with the slope along a direction; and its derivative
 * by each variable. */
double ts_force_by(ts_programme of, double t, const double *x, const double *direction,
                   double *slope);
double ts_force_at(const ts_law_step *step, double t, const double *x, double *by);
/* The force over a step, and its derivative by every variable. */
double ts_force_over(const ts_law_step *step, const ts_over *y, double *by);

/* The stress of a force f on the target, where `slope` is df/dy_f. */
void ts_push(const ts_law_step *step, const ts_over *y, double f, double slope, ts_response *out);
/* Adds the derivative of the force by the forms of variable k. */
void ts_add_force_slope(const ts_law_step *step, int k, const ts_over *y, double by,
                        ts_response *out);
/* Derivatives of s by multipliers. */
void ts_force_by_multipliers(const ts_law_step *step, const ts_over *y, const double *by,
                             double *out);

/* ---- shared by laws without energy: work.c, variable.c ---- */

void ts_state_begin(const double *data, const double *e, double *memory);
void ts_state_commit(const ts_law_step *step, double *memory);
void ts_state_by_multipliers(const ts_law_step *step, double *out);
double ts_no_energy(const double *data, const double *memory, int m, const double *e);
/* For variables without mass: they do not jump and exchange no energy. */
void ts_no_jump(int held, const ts_stage_step *rates, ts_stage *out);
bool ts_no_exchange(const double *data);
double ts_no_loss(const ts_law_step *step, const ts_stage_step *rates);
void ts_variable_slopes(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out);
/* s = y_f - f. */
void ts_be(const ts_law_step *step, const ts_over *y, double f, ts_response *out);

#endif
