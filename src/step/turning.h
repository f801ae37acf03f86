/* SPDX-License-Identifier: Apache-2.0 */
/* A factorisation that turns with the bodies.
 *
 * A tangent that is kept ages because bodies turn: those of one part, say of a beam, together.
 * With the turn T_n of a node since the factorisation was made, the tangent is nearly
 *
 *     A = T A_0 T^T ,   so   A^-1 b = T A_0^-1 T^T b ,
 *
 * T made of blocks: T_n on the displacement and the rotation of a node and on those of its stage;
 * on the three conditions of a joint along global axes, that of a body which it joins. What turns
 * as one then does not age. Relative turns still count, so a node keeps its own axes, T_n = 1,
 * where those that it is tied to turn otherwise: a wheel on its axle.
 *
 * In fixed axes every increment balances the momenta of a free system to round-off, whatever the
 * age of the tangent; turned node by node, only as exactly as the step is solved. So models that
 * nothing holds to the ground are not turned.
 */
#ifndef TS_TURNING_H
#define TS_TURNING_H

#include "step/step.h"

typedef struct ts_turning {
    bool any;           /* nodes have turned since the factorisation was made */
    m3 *made;           /* per node: its directors then; NULL: there are no frames */
    m3 *turn;           /* per node: T_n */
    bool *turns;        /* per node: T_n is not 1 */
    int *first, *other; /* nodes that each is tied to, from other[first[n]] on */
    int triples, *row;  /* rows that are the first of three along global axes */
} ts_turning;

/* Is any part of the model tied to the ground? */
bool ts_is_held(const ts_model *model);
void ts_turning_new(ts_turning *t, const ts_model *model);
void ts_turning_clear(ts_turning *t);
/* A factorisation was made, with the fields as they are. */
void ts_turning_made(ts_turning *t, const ts_step *st);
/* How nodes have turned since, in the fields as they are. */
void ts_turning_begin(ts_turning *t, const ts_step *st);
/* x: T x, or T^T x; `stages` as the equations have them. */
void ts_turning_apply(const ts_turning *t, const ts_step *st, int stages, bool back, double *x);

#endif
