/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that touch, within a step: see touch.c. */
#ifndef TS_TOUCH_H
#define TS_TOUCH_H

#include "contact/touching.h"
#include "step/step.h"

typedef struct ts_contacts ts_contacts;

/* NULL where nothing of the model may touch. */
ts_contacts *ts_contacts_new(const ts_model *model);
void ts_contacts_free(ts_contacts *c);
/* The next step lists its pairs anew. */
void ts_contacts_forget(ts_contacts *c);

/* What begins with a step. True: the list of pairs is another one, and so is the pattern of the
 * matrix. */
bool ts_contacts_begin(ts_step *st);
/* A pair at the start of a step. */
typedef struct ts_contact_start {
    const ts_near *near;
    const ts_contact_memory *memory;
    const double *none; /* zeros for all slots */
    double gap;
    double opened; /* the speed at which it had closed, if it opened in the step before; 0: not */
} ts_contact_start;
ts_contact_start ts_contact_begun(const ts_step *st, int pair);
/* Does a contact ask for steps that resolve it? Room for all slots, for whoever looks ahead. */
bool ts_contacts_cut(const ts_step *st);
double *ts_contacts_room(const ts_step *st);
/* The longest step from the state that resolves the impacts within the time `left`; `left` itself
 * where there are none: resolve.c. Pairs are listed, as for a step of that length. */
double ts_resolved_step(ts_step *st, double left);
void ts_contacts_forces(ts_step *st); /* into F */
/* The largest stiffness of friction of what may touch, over its mass and times h^2; where what
 * turns round is held (ts_contacts_hold), where contacts are softened first. */
enum { TS_FIRM = 15, TS_STIFF = 75 };
double ts_contacts_grip(const ts_step *st);
/* Stiffnesses are this share of what they are, until it is 1 again. */
void ts_contacts_soften(ts_step *st, double share);
bool ts_contacts_soft(const ts_step *st);
/* What breaks loose in this step keeps its static friction until the end of it. False: no friction
 * falls, and nothing is changed. */
bool ts_contacts_break_late(ts_step *st);
/* At an iterate that was gone to: pairs that turned round are taken as stuck from now on, and those
 * that cannot bear it are let go. True: forces are others now. */
bool ts_contacts_hold(ts_step *st, bool near);
/* Does any pair press or rub, at the present iterate? */
bool ts_contacts_act(const ts_step *st);
/* Has a pair closed, opened, stuck or slipped since the last tangent? */
bool ts_contacts_changed(const ts_step *st);
void ts_contacts_tangent_taken(ts_step *st);
/* Did shapes go where the list does not know of them, did cores meet, or shapes pass through each
 * other? The next attempt, or a shorter one, knows. */
bool ts_contacts_refuse(ts_step *st);

/* The pair that presses hardest on a node, in words; false: none does. */
bool ts_contacts_blame(const ts_step *st, int node, char *text, size_t size);

/* No element is wider. */
enum { TS_CONTACT_WIDTH = 6 * TS_NEAR_NODES };
/* Elements of the tangent, one for each pair of the list. Places of its unknowns; their number. */
int ts_contacts_count(const ts_step *st);
int ts_contact_places(const ts_step *st, int pair, int *eq);
/* False: it does not touch, and there is nothing to add. */
bool ts_contact_tangent(const ts_step *st, int pair, double *dense);

/* What impacts and friction took. */
double ts_contacts_dissipated(const ts_step *st);
/* The pairs that touch at the end of the step, into the state. */
void ts_contacts_commit(const ts_step *st, ts_state *state);

#endif
