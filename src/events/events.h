/* SPDX-License-Identifier: Apache-2.0 */
/* Finds events during a run and carries out their actions. See events.c. */
#ifndef TS_EVENTS_H
#define TS_EVENTS_H

#include "step/scheme.h"

typedef struct ts_events ts_events;

/* The events of a system with steps of size h; NULL if its model has none. */
int ts_events_new(ts_events **out, ts_system *system, double h);
void ts_events_free(ts_events *events);

/* Makes a step of the length h, or a shorter one to the first event within it. */
int ts_events_step(ts_events *events, ts_stepper *st, double h, ts_step_result *result);
/* Is an event due at the present state, at the end of such a step or because of an action just
 * carried out? */
bool ts_events_due(const ts_events *events);
void ts_events_drop(ts_events *events); /* drops a step that is not kept: nothing is due */
void ts_events_look(ts_events *events); /* evaluates all conditions at the present state */

/* Result of the actions. */
typedef struct ts_outcome {
    bool turned; /* switches changed: the system's model has to follow, ts_turn_switches */
    int stopped; /* the event that ends the run; -1: none */
} ts_outcome;
/* Carries out all actions that are due; only the state changes. */
int ts_events_act(ts_events *events, ts_outcome *outcome);

#endif
