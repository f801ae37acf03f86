/* SPDX-License-Identifier: Apache-2.0 */
/* Events: conditions on the motion or the time, and the actions when they become true.
 *
 * A condition is a crossing: the difference of two signals, which may depend on channels, changes
 * its sign. Actions change *switches*, set variables, write a mark or end the run. A switch belongs
 * to a part: the laws, constraints and loads of the part act, or they do not. A *lock* is a part
 * made for an event: a constraint that holds one coordinate of a joint at a value; it is inactive
 * as drawn.
 *
 * All data that change with events are in the memory of the state, so they are stored, restored and
 * copied with the state. */
#ifndef TS_EVENT_H
#define TS_EVENT_H

#include <stdbool.h>

/* Memory of a switch: 1 if it is not as drawn; for a lock, the value that it holds; for a motion,
 * what is added to its signal. */
enum { TS_SWITCH_TURNED, TS_SWITCH_VALUE, TS_SWITCH_MEMORY };

typedef struct ts_switch {
    int part;
    int coordinate; /* of a lock, in model->coordinates; -1: another part */
    bool drawn;     /* does it act as drawn? */
    int memory;
} ts_switch;

typedef enum ts_act { TS_ACT_SWITCH, TS_ACT_VARIABLE, TS_ACT_INPUT, TS_ACTS } ts_act;

typedef struct ts_action {
    ts_act act;
    int what;   /* model->switches; the coordinate of a state variable; an input of the run */
    bool on;    /* of a switch */
    int signal; /* of the others: the new value, in model->signals; -1: zero */
} ts_action;

/* Memory of an event: how often and when it last happened; the side of zero on which its condition
 * is (-1, 1; 0: unknown); the largest size of the condition so far, and the size below which the
 * side is unknown; for events in quick succession, the start and the number of the count. */
enum {
    TS_EVENT_COUNT,
    TS_EVENT_TIME,
    TS_EVENT_SIDE,
    TS_EVENT_SIZE,
    TS_EVENT_BAND,
    TS_EVENT_SINCE,
    TS_EVENT_SHOWER,
    TS_EVENT_MEMORY
};

typedef struct ts_event {
    int part;
    bool timed; /* it happens at the time `at`, not by a condition */
    double at;
    int left, right;     /* the condition: left - right, in model->signals; -1: zero */
    int edge;            /* it rises through zero: 1, falls: -1, either: 0 */
    double times;        /* largest number of times that it happens */
    int action, actions; /* range in model->actions */
    bool stops;
    char *mark; /* owned; NULL: none */
    int memory;
} ts_event;

struct ts_model;
int ts_model_event(struct ts_model *model, ts_event event);     /* takes ownership of the mark */
void ts_model_action(struct ts_model *model, ts_action action); /* of the newest event */
/* The switch of a part, perhaps a new one. */
int ts_model_switch(struct ts_model *model, int part);
/* To be called when all rows exist: adds the memory for their states at events. */
void ts_model_close_events(struct ts_model *model);

#endif
