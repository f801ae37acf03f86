/* SPDX-License-Identifier: Apache-2.0 */
/* Variables without mass that an expression f gives a rate or a value.
 *
 * TS_STATE_RATE: f is the rate of the target. Its stress, the factor of its gradient in the
 * balance, is
 *
 *     s = (y_f - y_i)/h - f ,     at rest  s = -f ,
 *
 * s is zero because nothing else acts there: this is the implicit midpoint rule; equilibria have f
 * = 0. A variable that reads no channel, such as a counter (f = 0) or a clock, keeps its value at
 * rest: s = y - y_0. In ED's stage the jump of such a variable is made zero by weights of the stage
 * that are proportional to it.
 *
 * TS_STATE_VALUE: s = y_f - f, the value of the expression over the step. Expressions that depend
 * on it use y_f (TS_TAKEN_END), so there is no delay.
 *
 * TS_STATE_HOLD: keeps forms at zero, those of the node of a variable that is not used.
 */
#include <string.h>

#include "laws/state/over.h"

/* ---- a rate ---- */

/* Keeps the value at rest. The slope over an instant is the same, so modes contain no motion of
 * it. */
static void stay(const ts_law_step *step, const ts_over *y, ts_response *out) {
    double rate = ts_force_over(step, y, NULL) - ts_step_rate(step) * y[0].delta;
    if (step->instant > 0)
        ts_push(step, y, rate, -ts_end_slope(step), out);
    else
        ts_be(step, y, step->memory[TS_STATE_MEMORY], out);
}

static void respond_rate(const ts_law_step *step, ts_response *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES], rate = ts_step_rate(step);
    ts_measures_over(step, y);
    if (ts_at_rest(step) && step->data[TS_STATE_VARIABLES] == 0) {
        *out = (ts_response){0};
        stay(step, y, out);
        return;
    }
    double f = ts_force_over(step, y, by) - rate * y[0].delta;
    *out = (ts_response){.work = f * y[0].delta};
    ts_push(step, &y[0], f, -rate, out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++)
        ts_add_force_slope(step, k, y, by[k], out);
}

/* Variables without mass do not jump: their weights in the stage are their jumps. */
void ts_no_jump(int held, const ts_stage_step *rates, ts_stage *out) {
    *out = (ts_stage){0};
    for (int k = 0; k < held; k++) out->k[k] = rates->of_a[k];
}

static void ts_no_jump_slopes(int held, int m, ts_stage_slopes *out) {
    *out = (ts_stage_slopes){0};
    for (int k = 0; k < held; k++) out->k_a[k * m + k] = 1;
}

/* s is zero up to the error of Newton's method, and there is no energy, so the ledger has no
 * entry. */
bool ts_no_exchange(const double *data) { return (void)data, true; }

double ts_no_loss(const ts_law_step *step, const ts_stage_step *rates) {
    return (void)step, (void)rates, 0;
}

static void rate_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    ts_no_jump(1, rates, out);
    respond_rate(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

void ts_variable_slopes(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out) {
    (void)rates;
    ts_no_jump_slopes(1, step->m, out);
}

const ts_law TS_STATE_RATE = {.name = "rate of a state",
                              .variable = true,
                              .memory = TS_STATE_MEMORY,
                              .begin = ts_state_begin,
                              .energy = ts_no_energy,
                              .respond = respond_rate,
                              .by_multipliers = ts_state_by_multipliers,
                              .stage = rate_stage,
                              .stage_loss = ts_no_loss,
                              .conserves = ts_no_exchange,
                              .stage_slopes = ts_variable_slopes,
                              .commit = ts_state_commit};

/* ---- a value ---- */

/* s = y_f - f: sets the target by its value, not by its rate. */
void ts_be(const ts_law_step *step, const ts_over *y, double f, ts_response *out) {
    double missing = f - y[0].y_f;
    *out = (ts_response){.work = missing * y[0].delta};
    ts_push(step, &y[0], missing, -ts_end_slope(step), out);
}

static void respond_value(const ts_law_step *step, ts_response *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES];
    ts_measures_over(step, y);
    ts_be(step, y, ts_force_over(step, y, by), out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++)
        ts_add_force_slope(step, k, y, by[k], out);
}

static void value_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    ts_no_jump(1, rates, out);
    respond_value(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

const ts_law TS_STATE_VALUE = {.name = "value of a state",
                               .variable = true,
                               .memory = TS_STATE_MEMORY,
                               .begin = ts_state_begin,
                               .energy = ts_no_energy,
                               .respond = respond_value,
                               .by_multipliers = ts_state_by_multipliers,
                               .stage = value_stage,
                               .stage_loss = ts_no_loss,
                               .conserves = ts_no_exchange,
                               .stage_slopes = ts_variable_slopes,
                               .commit = ts_state_commit};

/* ---- unused variables ---- */

static void respond_hold(const ts_law_step *step, ts_response *out) {
    *out = (ts_response){0};
    for (int k = 0; k < step->m; k++) {
        out->s[k] = 0.5 * (step->e_i[k] + step->e_f[k]);
        out->ds[k * step->m + k] = 0.5;
        out->work -= out->s[k] * (step->e_f[k] - step->e_i[k]);
    }
}

static void hold_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_no_jump(step->m, rates, out);
    for (int k = 0; k < step->m; k++) out->s[k] = 0.5 * (step->e_i[k] + step->e_f[k]);
}

static void hold_slopes(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out) {
    (void)rates;
    ts_no_jump_slopes(step->m, step->m, out);
}

const ts_law TS_STATE_HOLD = {.name = "nothing",
                              .variable = true,
                              .energy = ts_no_energy,
                              .respond = respond_hold,
                              .stage = hold_stage,
                              .stage_loss = ts_no_loss,
                              .conserves = ts_no_exchange,
                              .stage_slopes = hold_slopes};
