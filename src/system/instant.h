/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of constraints and supports, and accelerations, at an instant, from their means over
 * steps: instant.c. */
#ifndef TS_INSTANT_H
#define TS_INSTANT_H

#include "system/system.h"

/* Meaning of state.trail for the multipliers in state.lambda. */
typedef enum ts_trail_kind {
    TS_TRAIL_EXACT = -1, /* they hold at state.t: statics, schemes with accelerations */
    TS_TRAIL_NONE = 0,   /* no step was made yet */
    TS_TRAIL_MOST = 3    /* largest value: means over so many steps are known, the last one
                          * included */
} ts_trail_kind;

/* Called before the means of a step replace those of the step before; and after that, with the time
 * `middle` of the step. `ripple`: factor from step to step of the error that the start leaves in
 * multipliers; `supports`: their reactions are means, too. */
void ts_trail_shift(const ts_model *model, ts_state *state);
void ts_trail_mark(ts_state *state, double middle, double ripple, bool supports);
void ts_trail_exact(ts_state *state);
void ts_trail_recall(ts_state *state); /* accelerations of earlier steps were read, state.past */
void ts_trail_forget(ts_state *state); /* forgets all steps */

/* Forgets steps that were much shorter than the last one, or all if that is the short one: their
 * means are no good; and of EP all if not three are left. For copies of states that only tell
 * forces. */
void ts_trail_trust(ts_state *state);
/* Is there a step that tells forces? */
bool ts_trail_known(const ts_state *state);
/* The step that led to a state, EP's or ED's: its length, its middle, alpha of ED (-1: EP). */
double ts_trail_step(const ts_state *state);
double ts_trail_middle(const ts_state *state);
double ts_trail_alpha(const ts_state *state);

/* Strains at stations over the step that led to a state: see section.c. They are expensive, and
 * rows of a results file need those of one state up to three times. */
typedef struct ts_measures {
    int width;       /* for each station: strains at the end of the step, and the additions of ED */
    double *numbers; /* 2 width for each station of the model */
    bool *known;
} ts_measures;

/* Multipliers, six numbers of each support, and accelerations by slot, at one instant; `last`: as
 * the last step left them. Strains follow from the state and, if `staged`, from the additions of ED
 * over the step to it and over the step to `next` (NULL: unknown): section.c. */
typedef struct ts_instant {
    const ts_model *model;
    double *lambda, *held, *acceleration, *last;
    const ts_state *state, *next;
    bool staged;
    ts_measures of_state, of_next; /* those that were asked for */
} ts_instant;
void ts_instant_new(ts_instant *instant, const ts_model *model);
void ts_instant_clear(ts_instant *instant);
/* Forces at the present state, from the steps before it. */
void ts_instant_now(ts_instant *instant, const ts_state *state);
/* At a time t within or behind the last step. */
void ts_instant_at(ts_instant *instant, const ts_state *state, double t);

/* A state that waits for the steps after it, so that its forces can be interpolated from both
 * sides. */
typedef struct ts_awaiting {
    ts_state state, next;                /* next: the state one step later, once it is known */
    bool waits, start;                   /* start: fewer than three steps were made before it */
    int known;                           /* steps since then; at the start, of all */
    double middle[TS_TRAIL_MOST], *mean; /* of them */
    ts_instant instant;
} ts_awaiting;
void ts_awaiting_new(ts_awaiting *a, const ts_model *model);
void ts_awaiting_clear(ts_awaiting *a);
void ts_awaiting_begin(ts_awaiting *a, const ts_state *state);
/* Called one step later (the start: as long as it waits): true if a->instant has a better estimate
 * of the forces at a->state. */
bool ts_awaiting_step(ts_awaiting *a, const ts_state *later);
/* After ts_awaiting_begin: reuses the strains that `before` has computed for this state. */
void ts_awaiting_adopt(ts_awaiting *a, const ts_awaiting *before);

/* As ts_part_reaction (system.h), with the forces of the instant; `system` has the state of that
 * instant. */
void ts_part_reaction_at(const ts_system *system, const ts_instant *instant, int part, v3 *force,
                         v3 *moment);

#endif
