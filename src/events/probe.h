/* SPDX-License-Identifier: Apache-2.0 */
/* Values of expressions of channels at a state. */
#ifndef TS_PROBE_H
#define TS_PROBE_H

#include "contact/search/apart.h"
#include "parts/state/state.h"
#include "system/instant.h"

typedef struct ts_probe {
    const ts_signal *signal; /* NULL: zero */
    ts_channel_use *use;     /* of its channels */
    struct ts_probe *inner; /* expressions that define these channels; signal NULL: there is none */
    int uses;
    ts_apart *apart; /* NULL: no contact is read */
    bool reacts;     /* reads reactions of joints or accelerations */
    bool rubs;       /* reads friction of contacts */
    double h;        /* steps of the run */
} ts_probe;

/* signal: index in model->signals, -1: zero; h: length of the steps */
int ts_probe_new(ts_probe *probe, const ts_model *model, int signal, double h);
void ts_probe_clear(ts_probe *probe);
/* Quantities known as means over steps: reactions and accelerations at the present state; the
 * states at the end and at the start of the last whole step. */
typedef struct ts_probe_time {
    const ts_instant *now;
    const ts_state *last, *before;
} ts_probe_time;
double ts_probe_value(const ts_probe *probe, const ts_system *system, const ts_probe_time *at);

/* Force of a spring, motor or gear along its coordinate at this instant, with these multipliers:
 * positive where it does work while the coordinate grows; 0: it acts along none. */
double ts_part_effort(const ts_system *system, int part, const double *lambda);

#endif
