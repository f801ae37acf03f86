/* SPDX-License-Identifier: Apache-2.0 */
/* Values of expressions of channels at a state. */
#ifndef TS_PROBE_H
#define TS_PROBE_H

#include "contact/apart.h"
#include "parts/state/state.h"
#include "system/system.h"

typedef struct ts_probe {
    const ts_signal *signal; /* NULL: zero */
    ts_channel_use *use;     /* of its channels */
    int uses;
    ts_apart *apart; /* NULL: no gap is read */
} ts_probe;

/* signal: in model->signals, -1: zero */
int ts_probe_new(ts_probe *probe, const ts_model *model, int signal);
void ts_probe_clear(ts_probe *probe);
double ts_probe_value(const ts_probe *probe, const ts_system *system);

/* What a spring or motor does along its way at this instant: positive where it does work while the
 * way grows; 0: it acts along none. */
double ts_part_effort(const ts_system *system, int part);

#endif
