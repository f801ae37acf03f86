/* SPDX-License-Identifier: Apache-2.0 */
/* Events while a run goes on: when they happen, and what they do. See events.c. */
#ifndef TS_EVENTS_H
#define TS_EVENTS_H

#include "step/scheme.h"

typedef struct ts_events ts_events;

/* The events of a system with steps of size h; NULL if its model has none. */
int ts_events_new(ts_events **out, ts_system *system, double h);
void ts_events_free(ts_events *events);

/* A step of the length h, or a shorter one to the first event within it. */
int ts_events_step(ts_events *events, ts_stepper *st, double h, ts_step_result *result);
/* Does something happen at the present state? At the end of such a step, or because of what
 * happened there just now. */
bool ts_events_due(const ts_events *events);
void ts_events_drop(ts_events *events); /* the step is not kept: nothing is due */
void ts_events_look(ts_events *events); /* at the present state, whatever led to it */

/* What became of actions. */
typedef struct ts_outcome {
    bool turned; /* switches: the system's model has to follow, ts_turn_switches */
    int stopped; /* the event that ends the run; -1: none */
} ts_outcome;
/* Everything that is due is done, in the state alone. */
int ts_events_act(ts_events *events, ts_outcome *outcome);

#endif
