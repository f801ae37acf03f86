/* SPDX-License-Identifier: Apache-2.0 */
/* A factorisation that turns with the bodies.
 *
 * A tangent that is kept becomes inaccurate because bodies turn; the nodes of one part, say of a
 * beam, turn together. With the turn T_n of a node since the factorisation was made, the tangent is
 * nearly
 *
 *     A = T A_0 T^T ,   so   A^-1 b = T A_0^-1 T^T b ,
 *
 * T made of blocks: T_n on the displacement and the rotation of a node and on those of its stage;
 * on the three rows of a joint along global axes, the turn of a body which it joins. The tangent of
 * parts that turn together then stays accurate. Relative turns still cause errors, so T_n = 1 for a
 * node whose neighbours turn differently, such as a wheel on its axle.
 *
 * In fixed axes every increment preserves the momenta of a free system to round-off, however old
 * the tangent is; with turned nodes, only to the tolerance of the step. So models that are not tied
 * to the ground are not turned.
 */
#ifndef TS_TURNING_H
#define TS_TURNING_H

#include "step/step.h"

typedef struct ts_turning {
    bool any;    /* nodes have turned since the factorisation */
    m3 *made;    /* per node: its directors at the factorisation; NULL: there are no frames */
    m3 *turn;    /* per node: T_n */
    bool *turns; /* per node: T_n is not 1 */
    int *first, *other; /* nodes that each is tied to, from other[first[n]] on */
    int triples, *row;  /* rows that are the first of three along global axes */
} ts_turning;

/* Is any part of the model tied to the ground? */
bool ts_is_held(const ts_model *model);
void ts_turning_new(ts_turning *t, const ts_model *model);
void ts_turning_clear(ts_turning *t);
/* Records the directors after a factorisation. */
void ts_turning_made(ts_turning *t, const ts_step *st);
/* Computes how nodes have turned since the factorisation. */
void ts_turning_begin(ts_turning *t, const ts_step *st);
/* x: T x, or T^T x; `stages` as the equations have them. */
void ts_turning_apply(const ts_turning *t, const ts_step *st, int stages, bool back, double *x);

#endif
