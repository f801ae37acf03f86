/* SPDX-License-Identifier: Apache-2.0 */
/* A force that depends on any variables: TS_STATE_WORK. The work f (y_f - y_i) is supplied from
 * outside. Exception: a force that vanishes with the rate of its target and opposes it is a damper
 * whose strength depends on other variables, and its work is dissipated.
 */
#include <math.h>

#include "laws/state/over.h"

void ts_state_begin(const double *data, const double *e, double *memory) {
    ts_measures_keep(data, e, memory);
}

double ts_no_energy(const double *data, const double *memory, int m, const double *e) {
    (void)data, (void)memory, (void)m, (void)e;
    return 0;
}

static bool is_own_rate(const double *variable) {
    return ts_taken_as(variable) == TS_TAKEN_RATE && ts_taken_from(variable) == 0;
}

/* Would the force vanish if the target stood still and everything else were the same? Tables leave
 * round-off. */
static bool is_damper(const ts_law_step *step, const ts_over *y, double f) {
    double x[TS_STATE_MAX_VARIABLES], still[TS_STATE_MAX_VARIABLES] = {0}, slope;
    bool reads_rate = false;
    int count = (int)step->data[TS_STATE_VARIABLES];
    for (int k = 0; k < count; k++) reads_rate |= is_own_rate(ts_variable_of(step->data, k));
    if (!reads_rate) return false;
    for (int k = 0; k < count; k++) {
        const double *variable = ts_variable_of(step->data, k);
        x[k] = is_own_rate(variable) ? 0 : ts_variable_over(step, variable, y);
    }
    double rest =
        ts_force_by(ts_programme_of(step), 0.5 * (step->t_i + step->t_f), x, still, &slope);
    return fabs(rest) <= 1e-12 * fabs(f);
}

static void respond_work(const ts_law_step *step, ts_response *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES];
    ts_measures_over(step, y);
    double f = ts_force_over(step, y, by);
    double work = f * y[0].delta;
    bool lost = work < 0 && is_damper(step, y, f);
    *out = (ts_response){.work = lost ? 0 : work, .dissipated = lost ? -work : 0};
    ts_push(step, &y[0], f, 0, out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++)
        ts_add_force_slope(step, k, y, by[k], out);
}

void ts_state_by_multipliers(const ts_law_step *step, double *out) {
    ts_over y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    ts_measures_over(step, y);
    ts_force_over(step, y, by);
    ts_force_by_multipliers(step, y, by, out);
}

void ts_state_commit(const ts_law_step *step, double *memory) {
    ts_measures_keep(step->data, step->e_f, memory);
}

const ts_law TS_STATE_WORK = {.name = "force of the state",
                              .outside = true,
                              .memory = TS_STATE_MEMORY,
                              .begin = ts_state_begin,
                              .energy = ts_no_energy,
                              .respond = respond_work,
                              .by_multipliers = ts_state_by_multipliers,
                              .commit = ts_state_commit};
