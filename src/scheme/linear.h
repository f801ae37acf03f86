/* SPDX-License-Identifier: Apache-2.0 */
/* The equations of motion, linearised about an equilibrium at rest or in steady rotation:
 *
 *     M phi'' + D phi' + K phi + C^T mu = 0 ,     C phi = 0
 *
 * with phi the displacements and rotation vectors of the free nodes, in spatial axes. In steady
 * rotation all that is seen is seen from a frame that turns with the angular velocity `spin` about
 * the place `about`, ground and loads included: K then has the centrifugal terms and D the
 * gyroscopic ones.
 */
#ifndef TS_LINEAR_H
#define TS_LINEAR_H

#include "step/scheme.h"

#define TS_LINEAR_PIVOTING 0.1 /* for ts_lu_pivoting */

typedef struct ts_linear_model {
    int n, dofs;        /* equations: displacements first, then rows */
    ts_sparse *pattern; /* of all three; its values are the caller's to use */
    double *K, *M, *D;  /* in its order; K has C and its transpose beside */
    int *diagonal;      /* places of the diagonal entries */
    /* what is left of the forces and moments, per displacement: zero in equilibrium */
    double *force;
    /* the largest force of loads, gravity and rotation, moments by the size of the model */
    double external;
    double left;        /* the largest of `force`, moments by the size of the model */
    int groups, *group; /* for ts_lu_new */
    bool symmetric;     /* K is; then to the last bit */
    bool potential;     /* loads have one: in equilibrium K is symmetric, but for round-off */
    bool damped;        /* D is there */
} ts_linear_model;

/* About the system's state, under the loads of its time. The multipliers that leave the least force
 * are put into the state. */
int ts_linearise(ts_linear_model *out, ts_system *system, v3 spin, v3 about);
/* About the state without loads, for linear buckling: K there, and in D what all loads together,
 * gravity included, add to it by the forces that they bring about; their displacements are
 * neglected. M is left out. TORSOR_ESINGULAR: a mechanism. */
int ts_linearise_loads(ts_linear_model *out, ts_system *system);
/* About the state without loads and multipliers: what resists before anything pulls. D is left out;
 * `force` is what loads, gravity and preloads leave there. */
int ts_linearise_unloaded(ts_linear_model *out, ts_system *system);
void ts_linear_free(ts_linear_model *model);

/* One step of statics in the rotating frame, see ts_stepper_step: loads at load_factor from start
 * to end. */
extern const ts_scheme TS_SCHEME_TURNING;
void ts_stepper_spin(ts_stepper *st, v3 spin, v3 about);
/* From now on every step is held back by forces hold M (q - q_i), as if by springs to where it
 * begins. 0: not. */
void ts_stepper_hold(ts_stepper *st, double hold);
/* Loads that jump where a step ends, or within this time of it, act as before the jump. */
void ts_stepper_before(ts_stepper *st, double within);

#endif
