/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of constraints and supports, and accelerations, at an instant, from their means over
 * steps: instant.c. */
#ifndef TS_INSTANT_H
#define TS_INSTANT_H

#include "system/system.h"

/* What state.trail tells of the multipliers in state.lambda. */
typedef enum ts_trail_kind {
    TS_TRAIL_EXACT = -1, /* they are those of state.t: statics, schemes with accelerations */
    TS_TRAIL_NONE = 0,   /* no step was made yet */
    TS_TRAIL_MOST = 3    /* up to here: means over as many steps are known, the last one's too */
} ts_trail_kind;

/* Before the means of a step take the place of those of the step before; and once they have, around
 * the time `middle`. `ripple`: by which factor what the start leaves in multipliers goes from step
 * to step; `supports`: their reactions are means, too. */
void ts_trail_shift(const ts_model *model, ts_state *state);
void ts_trail_mark(ts_state *state, double middle, double ripple, bool supports);
void ts_trail_exact(ts_state *state);
void ts_trail_forget(ts_state *state); /* as if no step had been made */

/* The step that led to a state, EP's or ED's: its length, its middle, alpha of ED (-1: EP). */
double ts_trail_step(const ts_state *state);
double ts_trail_middle(const ts_state *state);
double ts_trail_alpha(const ts_state *state);

/* Strains at stations over the step that led to a state: see section.c. They are dear, and rows of
 * a results file ask for those of a state up to three times. */
typedef struct ts_measures {
    int width;       /* of a station: strains at the end of the step, and as many of what ED adds */
    double *numbers; /* 2 width for each station of the model */
    bool *known;
} ts_measures;

/* Multipliers, six numbers of each support, and accelerations by slot, of one instant; `last`: the
 * same as the last step left them. Strains are told by the state and, if `staged`, by what ED adds
 * over the step to it and that to `next` (NULL: not known): section.c. */
typedef struct ts_instant {
    const ts_model *model;
    double *lambda, *held, *acceleration, *last;
    const ts_state *state, *next;
    bool staged;
    ts_measures of_state, of_next; /* those that were asked for */
} ts_instant;
void ts_instant_new(ts_instant *instant, const ts_model *model);
void ts_instant_clear(ts_instant *instant);
/* At the present state, by what came before it. */
void ts_instant_now(ts_instant *instant, const ts_state *state);

/* A state that waits for the steps after it, to know its forces by both sides. */
typedef struct ts_awaiting {
    ts_state state, next;                /* next: one step later, once it is known */
    bool waits, start;                   /* start: fewer than three steps were made before it */
    int known;                           /* steps seen since; at the start, of all */
    double middle[TS_TRAIL_MOST], *mean; /* of them */
    ts_instant instant;
} ts_awaiting;
void ts_awaiting_new(ts_awaiting *a, const ts_model *model);
void ts_awaiting_clear(ts_awaiting *a);
void ts_awaiting_begin(ts_awaiting *a, const ts_state *state);
/* One step later (the start: as long as it waits): true if a->instant says better now what the
 * forces at a->state were. */
bool ts_awaiting_step(ts_awaiting *a, const ts_state *later);
/* After ts_awaiting_begin: what `before` has measured of this very state need not be measured
 * again. */
void ts_awaiting_adopt(ts_awaiting *a, const ts_awaiting *before);

/* As ts_part_reaction (system.h), with the forces of the instant; `system` has the state that it
 * belongs to. */
void ts_part_reaction_at(const ts_system *system, const ts_instant *instant, int part, v3 *force,
                         v3 *moment);

#endif
