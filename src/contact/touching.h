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
    /* mean over the last step: force that presses (> 0), on A along `along`; friction on A;
     * place */
    double pressed;
    v3 along, rubbed, at;
} ts_touched;

/* Pairs in the order of their keys. */
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
/* Reads pairs from so many numbers; in files of older versions a row ends where the contact is -1.
 * False: these are not pairs of the model, or some are missing. */
bool ts_touching_unpack(const ts_model *model, const double *row, int64_t numbers,
                        ts_touching *out);

/* ---- a pair over a step ---- */

/* Sets gap and sides of x for a step from q by dq, relative to *origin. False: the cores meet. */
bool ts_pair_over(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                  ts_contact_step *x, v3 *origin);
/* Sets gap and sides of x for an equilibrium at q, after an increment dq of load; none: zeros. */
bool ts_pair_at_end(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    const double *none, ts_contact_step *x, v3 *origin);
/* Do the shapes touch within the step from q by dq, corners moving along straight lines, though
 * they are apart at both ends? No point moves further than `moved` in total. */
bool ts_pair_missed(const ts_model *model, const ts_near *near, const double *q, const double *dq,
                    double moved);
/* Is a shape on the other side of a patch at the end? A thin surface cannot tell its sides. */
bool ts_pair_crossed(const ts_model *model, const ts_near *near, const double *q, const double *dq);
/* Motion of the points of the gap and of both sides with the place and directors of a node, at the
 * end. */
void ts_pair_motion(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 dx, m3 dD, ts_contact_motion *out);
/* Adds the forces of the pair at the slots of a node, four vectors, to F. */
void ts_pair_forces(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node,
                    v3 F[4]);
void ts_pair_force_changes(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                           const ts_contact_change *change, int node, v3 F[4]);
/* Does the pair turn the nodes of its second side, a beam, by friction on its points? */
bool ts_pair_turns(const ts_model *model, const ts_near *near);
/* Does a node take part in the pair at present? Few nodes of a patch do. */
bool ts_pair_has(const ts_model *model, const ts_near *near, const ts_contact_step *x, int node);
/* Call after contacts were switched: removes pairs of contacts that are off, and adds those of
 * others that touch at q; pairs that touched before keep their memory. */
void ts_touching_follow(const ts_model *model, const double *q, const double *v, ts_touching *list);
/* The pairs that touch at q, moving with v. */
void ts_touching_begin(const ts_model *model, const double *q, const double *v, ts_touching *out);
/* Rate of the gap, as bodies move with v. */
double ts_pair_rate(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                    const double *v);
/* Speed at which the gap closes; 0 if that is round-off, or the gap opens. */
double ts_pair_approach(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                        const double *v);
/* Slip velocity at the place of contact. */
v3 ts_pair_slip(const ts_model *model, const ts_near *near, const ts_contact_step *x,
                const double *v);
/* Length that is added to its gap. */
double ts_shift_of(const ts_model *model, const ts_pair_key *key);
/* The law of a pair; stiffnesses per area or length are multiplied by the share of the point. */
ts_contact_law ts_pair_law(const ts_model *model, const ts_near *near);

#endif
