/* SPDX-License-Identifier: Apache-2.0 */
/* An expression f of channels over a step, which acts along a target.
 *
 * The first measure (measure.c) is the *target*; the stress is s = -f g on its forms and zero on
 * all others. *Variables* of the expression are measures (plus a constant) and rates of measures.
 * Over a step they are
 *
 *     (y_i + y_f)/2 ,     (y_f - y_i)/h ,     and the time is (t_i + t_f)/2 :
 *
 * second order, implicit, and symmetric in both ends. At rest rates are zero. Reactions of joints
 * are multipliers, means over the step; forces of springs and motors are computed by their laws,
 * over the same step (told.c). Derivatives are those of the expression, by dual numbers.
 */
#include <math.h>
#include <string.h>

#include "laws/state/over.h"
#include "laws/state/told.h"

ts_programme ts_programme_of(const ts_law_step *step) {
    return (ts_programme){step->data, step->signals[step->signal[0]].expr};
}

double ts_force_by(ts_programme of, double t, const double *x, const double *direction,
                   double *slope) {
    double f = ts_expr_at(of.expr, t, x, direction, slope), scale = of.data[TS_STATE_SCALE];
    *slope *= scale;
    return scale * f;
}

void ts_push(const ts_law_step *step, const ts_over *y, double f, double slope, ts_response *out) {
    const double *target = ts_measure_of(step->data, 0);
    int form = ts_form_of(target), forms = ts_measure_forms(ts_kind_of(target)), m = step->m;
    for (int j = 0; j < forms; j++) {
        out->s[form + j] = -f * y->g[j];
        for (int k = 0; k < forms; k++)
            out->ds[(form + j) * m + form + k] =
                -slope * y->g[j] * y->slope[k] - f * y->dg[TS_MEASURE_MOST * j + k];
    }
}

double ts_mean_signal(const ts_law_step *step) {
    if (step->signal[0] < 0) return 0;
    const ts_signal *signal = &step->signals[step->signal[0]];
    if (step->before > 0)
        return ts_signal_value_side(signal, (ts_when){step->t_f, step->inputs}, -step->before);
    double h = step->t_f - step->t_i;
    double near = h > 0 ? 1e-9 * h + 1e-15 * fabs(step->t_f) : 0;
    double at_i = ts_signal_value_side(signal, (ts_when){step->t_i, step->inputs}, near);
    double at_f = ts_signal_value_side(signal, (ts_when){step->t_f, step->inputs}, -near);
    return 0.5 * (at_i + at_f);
}

static double reaction(const ts_law_step *step, const double *variable) {
    return step->lambda ? variable[TS_VARIABLE_OFFSET] * step->lambda[ts_taken_from(variable)] : 0;
}

/* The force of other sites. Adds `times` its derivatives: told.h. */
double ts_told_variable(const ts_law_step *step, const double *variable, double times, double *by_e,
                        double *by_lambda) {
    const double *first = ts_told_entries(step->data) + TS_TOLD_NUMBERS * ts_taken_from(variable);
    return ts_told(step, first, (int)variable[TS_VARIABLE_OFFSET], times, by_e, by_lambda);
}

double ts_outside(const ts_law_step *step, const double *variable, double t) {
    double value, rate;
    if (ts_taken_as(variable) == TS_TAKEN_MULTIPLIER) return reaction(step, variable);
    ts_signal_eval(&step->signals[ts_taken_from(variable)], (ts_when){t, step->inputs}, &value,
                   &rate);
    return value;
}

double ts_variable_over(const ts_law_step *step, const double *variable, const ts_over *y) {
    ts_taken how = ts_taken_as(variable);
    if (ts_is_outside(variable)) return ts_outside(step, variable, 0.5 * (step->t_i + step->t_f));
    if (how == TS_TAKEN_TOLD) return ts_told_variable(step, variable, 0, NULL, NULL);
    y += ts_taken_from(variable);
    if (how == TS_TAKEN_RATE) return ts_step_rate(step) * y->delta;
    return y->y_i + (ts_at_end(how) ? 1 : 0.5) * y->delta + variable[TS_VARIABLE_OFFSET];
}

/* The force for given values of the variables, and its derivative by each. */
double ts_force_at(const ts_law_step *step, double t, const double *x, double *by) {
    double direction[TS_STATE_MAX_VARIABLES] = {0}, f = 0;
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) {
        direction[k] = 1;
        f = ts_force_by(ts_programme_of(step), t, x, direction, &by[k]);
        direction[k] = 0;
    }
    return f;
}

/* The force over a step, and its derivative by every variable. */
double ts_force_over(const ts_law_step *step, const ts_over *y, double *by) {
    double x[TS_STATE_MAX_VARIABLES];
    int count = (int)step->data[TS_STATE_VARIABLES];
    if (count == 0) return step->data[TS_STATE_SCALE] * ts_mean_signal(step);
    for (int k = 0; k < count; k++) x[k] = ts_variable_over(step, ts_variable_of(step->data, k), y);
    return ts_force_at(step, 0.5 * (step->t_i + step->t_f), x, by);
}

/* Adds the derivatives of a variable that reads other parts by all forms. */
static void add_told_slope(const ts_law_step *step, const double *variable, const ts_over *y,
                           double by, ts_response *out) {
    const double *target = ts_measure_of(step->data, 0);
    double slope[TS_MAX_FORMS] = {0};
    ts_told_variable(step, variable, by, slope, NULL);
    for (int j = 0; j < ts_measure_forms(ts_kind_of(target)); j++)
        for (int l = 0; l < step->m; l++)
            out->ds[(ts_form_of(target) + j) * step->m + l] -= y[0].g[j] * slope[l];
}

/* Adds the derivative of the force by the forms of one variable. */
void ts_add_force_slope(const ts_law_step *step, int k, const ts_over *y, double by,
                        ts_response *out) {
    const double *variable = ts_variable_of(step->data, k), *target = ts_measure_of(step->data, 0);
    if (ts_is_outside(variable)) return;
    if (ts_taken_as(variable) == TS_TAKEN_TOLD) {
        add_told_slope(step, variable, y, by, out);
        return;
    }
    const double *measure = ts_measure_of(step->data, ts_taken_from(variable));
    const double *slope = y[ts_taken_from(variable)].slope;
    double part = ts_taken_as(variable) == TS_TAKEN_RATE ? by * ts_step_rate(step)
                  : ts_at_end(ts_taken_as(variable))     ? by * ts_end_slope(step)
                                                         : 0.5 * by;
    for (int j = 0; j < ts_measure_forms(ts_kind_of(target)); j++)
        for (int l = 0; l < ts_measure_forms(ts_kind_of(measure)); l++)
            out->ds[(ts_form_of(target) + j) * step->m + ts_form_of(measure) + l] -=
                part * y[0].g[j] * slope[l];
}

/* Derivatives of s by multipliers, where the force is `f` by its variables. */
void ts_force_by_multipliers(const ts_law_step *step, const ts_over *y, const double *by,
                             double *out) {
    const double *target = ts_measure_of(step->data, 0);
    int reads = step->reads, form = ts_form_of(target);
    double slope[TS_MAX_FORMS] = {0};
    memset(out, 0, (size_t)(step->m * reads) * sizeof *out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) {
        const double *variable = ts_variable_of(step->data, k);
        if (ts_taken_as(variable) == TS_TAKEN_MULTIPLIER)
            slope[ts_taken_from(variable)] += by[k] * variable[TS_VARIABLE_OFFSET];
        if (ts_taken_as(variable) == TS_TAKEN_TOLD)
            ts_told_variable(step, variable, by[k], NULL, slope);
    }
    for (int j = 0; j < ts_measure_forms(ts_kind_of(target)); j++)
        for (int r = 0; r < reads; r++) out[(form + j) * reads + r] -= y[0].g[j] * slope[r];
}
