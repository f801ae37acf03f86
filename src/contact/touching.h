/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shapes over a step, and those that touch, with what they remember. See touching.c,
 * over.c. */
#ifndef TS_TOUCHING_H
#define TS_TOUCHING_H

#include "contact/pair.h"
#include "contact/search/neighbours.h"

/* A pair that touches at the end of a step, or whose bristle is bent. */
typedef struct ts_touched {
    ts_pair_key key;
    ts_contact_memory memory;
    double gap, stored;
    /* over the last step: force that presses (> 0), on A along `along`; friction on A; where */
    double pressed;
    v3 along, rubbed, at;
} ts_touched;

/* In the order of their keys. */
typedef struct ts_touching {
    int count, room;
    ts_touched *pair;
} ts_touching;

void ts_touching_copy(ts_touching *to, const ts_touching *from);
void ts_touching_clear(ts_touching *list);
double ts_touching_stored(const ts_touching *list);

/* Lists as rows of numbers, for files: so many for each pair. */
enum { TS_PAIR_WIDTH = 25 };
void ts_touching_pack(const ts_touching *list, double *row);
/* One of them. */
ts_touched ts_touched_of(const double *numbers);
/* From so many numbers; in files of older versions a row ends where the contact is -1. False: these
 * are no pairs of the model, or some are missing. */
bool ts_touching_unpack(const ts_model *model, const double *row, int64_t numbers,
                        ts_touching *out);

/* ---- a pair over a step ---- */

/* Sets gap and sides of x for a step from q by dq; everything is measured from *origin. False: the
 * cores meet. */
bool ts_pair_over(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                  ts_contact_step *x, v3 *origin);
/* Sets gap and sides of x for an equilibrium at q, after an increment dq of load; none: zeros. */
bool ts_pair_at_end(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    const double *none, ts_contact_step *x, v3 *origin);
/* Do the shapes touch on the way from q by dq, corners going straight, though they are apart at
 * both ends? No point of them moves further than `moved`, all in all. */
bool ts_pair_missed(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    double moved);
/* Is what touches a patch on its other side at the end? A thin surface does not know which. */
bool ts_pair_crossed(const ts_model *model, const ts_near *near, const double *q, const double *dq);
/* How the points of the gap and its sides move with the place and directors of a node, at the
 * end. */
void ts_pair_motion(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 dx, m3 dD, ts_contact_motion *out);
/* What the pair pulls with at the slots of a node, four vectors; added to F. */
void ts_pair_forces(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 F[4]);
void ts_pair_force_changes(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                           const ts_contact_change *change, int node, v3 F[4]);
/* Does the pair turn the nodes of its second side, a beam, by friction on its points? */
bool ts_pair_turns(const ts_model *model, const ts_near *near);
/* Does a node have a part in it, as it is now? Few of those of a patch do. */
bool ts_pair_has(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node);
/* Contacts were switched: pairs of those that are off are gone, those of others that touch at q are
 * there; what touched before is as it was. */
void ts_touching_follow(const ts_model *model, const double *q, const double *v, ts_touching *list);
/* The pairs that touch at q, moving with v. */
void ts_touching_begin(const ts_model *model, const double *q, const double *v, ts_touching *out);
/* Rate of the gap, as bodies move with v. */
double ts_pair_rate(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                    const double *v);
/* How fast the gap closes; 0 where that is rounding, or it opens. */
double ts_pair_approach(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                        const double *v);
/* How fast the sides slip where they touch. */
v3 ts_pair_slip(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                const double *v);
/* By how much its gap is taken as larger than it is. */
double ts_shift_of(const ts_model *model, const ts_pair_key *key);
/* The law of a pair; forces of a point are in the measure of its share. */
ts_contact_law ts_pair_law(const ts_model *model, const ts_near *near);

#endif
