/* SPDX-License-Identifier: Apache-2.0 */
/* See exactness.h. */
#include "step/newton/exactness.h"

static const double OF_LOGIC = 1e-12, EARLY = 25, SPREAD = 20;
static const double OF_MULTIPLIERS = 10;
static const double FIRST_RATE = 1, LEAST_RATE = 0.05, MOST_RATE = 10, FADING = 0.5;
/* relative to the energy: smaller changes of the balance are round-off and give no rate */
static const double NOISE = 1e-14;
/* additional round-off in long chains, for each node */
static const double NOISE_OF_NODE = 1e-16;

/* Has the model forces by channels, variables, events or friction? */
static bool has_logic(const ts_model *model) {
    bool logic = model->events_count > 0;
    for (int i = 0; i < model->signals_count && !logic; i++) logic = model->signals[i].channels > 0;
    for (int i = 0; i < model->nodes_count && !logic; i++) logic = model->nodes[i].variable;
    for (int i = 0; i < model->sites_count && !logic; i++)
        logic = model->sites[i].law && model->sites[i].law->rubs;
    return logic;
}

static bool has_drives(const ts_model *model) {
    for (int r = 0; r < model->rows_count; r++)
        if (model->rows[r].drive) return true;
    return false;
}

void ts_exactness_begin(ts_exactness *x, const ts_model *model) {
    bool logic = has_logic(model);
    x->nodes = model->nodes_count;
    x->budget = logic ? OF_LOGIC : TS_LOOSEST;
    x->multipliers = logic || has_drives(model) ? 1 : OF_MULTIPLIERS;
}

double ts_usual_tolerance(const ts_exactness *x, double balance, double energy, int64_t steps) {
    double n = (double)steps, rate = x->rate > 0 ? x->rate : FIRST_RATE;
    double off = energy > 0 ? fabs(balance) / energy : 0;
    double left = x->budget * log1p(n / EARLY) - off;
    double share = x->budget / (EARLY + n) + fmax(left, 0) / SPREAD;
    return fmin(fmax(share / rate, TS_TIGHTEST), TS_LOOSEST);
}

void ts_note_exactness(ts_exactness *x, double energy, double left, double change) {
    double last = x->rate > 0 ? x->rate : FIRST_RATE;
    if (!(left > 0 && energy > 0)) return;
    double seen = fabs(change) / energy;
    if (fmax(seen, last * left) < NOISE) return;
    double measured = seen > NOISE_OF_NODE * x->nodes ? seen / left : 0;
    x->rate = fmin(fmax(fmax(measured, FADING * last), LEAST_RATE), MOST_RATE);
}
