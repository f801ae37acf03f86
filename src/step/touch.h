/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of shapes within a step: see touch.c. */
#ifndef TS_TOUCH_H
#define TS_TOUCH_H

#include "contact/touching.h"
#include "step/step.h"

typedef struct ts_contacts ts_contacts;

/* NULL if no shapes of the model can touch. */
ts_contacts *ts_contacts_new(const ts_model *model);
void ts_contacts_free(ts_contacts *c);
/* Makes the next step list its pairs again. */
void ts_contacts_forget(ts_contacts *c);

/* Begins a step. True: the list of pairs changed, and with it the pattern of the matrix. */
bool ts_contacts_begin(ts_step *st);
/* A pair at the start of a step. */
typedef struct ts_contact_start {
    const ts_near *near;
    const ts_contact_memory *memory;
    const double *none; /* zeros for all slots */
    double gap;
    double opened; /* the speed at which it had closed, if it opened in the step before; else 0 */
} ts_contact_start;
ts_contact_start ts_contact_begun(const ts_step *st, int pair);
/* Does a contact ask for steps that resolve it? And room for all slots, for functions that look
 * ahead. */
bool ts_contacts_cut(const ts_step *st);
double *ts_contacts_room(const ts_step *st);
/* The longest step from the state that resolves the impacts within the time `left`; `left` itself
 * where there are none: resolve.c. Pairs are listed, as for a step of that length. */
double ts_resolved_step(ts_step *st, double left);
void ts_contacts_forces(ts_step *st); /* into F */
/* Largest ratio of the stiffness of friction to mass/h^2 among pairs that may touch: above the
 * first, pairs that reverse are held (ts_contacts_hold); above the second, contacts are softened
 * first. */
enum { TS_FIRM = 15, TS_STIFF = 75 };
double ts_contacts_grip(const ts_step *st);
/* Multiplies stiffnesses by this share, until it is set to 1 again. */
void ts_contacts_soften(ts_step *st, double share);
bool ts_contacts_soft(const ts_step *st);
/* Friction that breaks loose in this step keeps its static value until the end of the step. False:
 * no friction drops, and nothing is changed. */
bool ts_contacts_break_late(ts_step *st);
/* Called at an accepted iterate: pairs that reversed their slip are treated as stuck from now on,
 * and those whose limit is exceeded are released. True: forces have changed. */
bool ts_contacts_hold(ts_step *st, bool near);
/* Does any pair press or rub, at the present iterate? */
bool ts_contacts_act(const ts_step *st);
/* Has a pair closed, opened, stuck or slipped since the last tangent? */
bool ts_contacts_changed(const ts_step *st);
void ts_contacts_tangent_taken(ts_step *st);
/* Did shapes leave the region of the list, did cores meet, or did shapes pass through each other?
 * Then the step must be repeated, with a new list or a shorter step. */
bool ts_contacts_refuse(ts_step *st);

/* Describes the pair that presses hardest on a node; false: there is none. */
bool ts_contacts_blame(const ts_step *st, int node, char *text, size_t size);

/* Largest width of an element. */
enum { TS_CONTACT_WIDTH = 6 * TS_NEAR_NODES };
/* Elements of the tangent, one for each pair of the list: places of its unknowns; returns their
 * number. */
int ts_contacts_count(const ts_step *st);
int ts_contact_places(const ts_step *st, int pair, int *eq);
/* False: the pair does not touch, and there is nothing to add. */
bool ts_contact_tangent(const ts_step *st, int pair, double *dense);

/* Energy dissipated by impacts and friction. */
double ts_contacts_dissipated(const ts_step *st);
/* Stores the pairs that touch at the end of the step in the state. */
void ts_contacts_commit(const ts_step *st, ts_state *state);

#endif
