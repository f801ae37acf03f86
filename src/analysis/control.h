/* SPDX-License-Identifier: Apache-2.0 */
/* Step control: divides a step so that ED does not dissipate more energy than allowed. See
 * control.c. */
#ifndef TS_CONTROL_H
#define TS_CONTROL_H

#include "analysis/run.h"
#include "events/events.h"

typedef struct ts_control ts_control;

/* *out is NULL if the options do not ask for step control; TORSOR_EINVAL if the scheme has no
 * dissipation to measure. */
int ts_control_new(ts_control **out, ts_stepper *st, ts_system *system, const ts_options *options);
void ts_control_free(ts_control *control);
/* From now on this stepper makes the steps, with these events (NULL: none). */
void ts_control_use(ts_control *control, ts_stepper *st, ts_events *events);
/* Integrates from the present time to t_f, the end of a step, in as many substeps as necessary;
 * `cuts` of the result counts those beyond one. On failure the state is unchanged. */
int ts_control_step(ts_control *control, double t_f, ts_step_result *result);

#endif
