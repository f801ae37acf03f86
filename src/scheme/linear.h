/* SPDX-License-Identifier: Apache-2.0 */
/* The equations of motion, linearised about an equilibrium at rest or in steady rotation:
 *
 *     M phi'' + D phi' + K phi + C^T mu = 0 ,     C phi = 0
 *
 * with phi the displacements and rotation vectors of the free nodes, in spatial axes. In steady
 * rotation all quantities refer to a frame that turns with the angular velocity `spin` about the
 * point `about`, ground and loads included: K then has the centrifugal terms and D the gyroscopic
 * ones.
 */
#ifndef TS_LINEAR_H
#define TS_LINEAR_H

#include "step/scheme.h"

#define TS_LINEAR_PIVOTING 0.1 /* for ts_lu_pivoting */

typedef struct ts_linear_model {
    int n, dofs;        /* equations: displacements first, then rows */
    ts_sparse *pattern; /* the pattern of all three matrices; the caller may use its values */
    double *K, *M, *D;  /* in its order; K has C and its transpose beside */
    int *diagonal;      /* places of the diagonal entries */
    /* the unbalanced forces and moments, per displacement: zero in equilibrium */
    double *force;
    /* the largest force of loads, gravity and rotation, moments by the size of the model */
    double external;
    double left;        /* the largest of `force`, moments by the size of the model */
    int groups, *group; /* for ts_lu_new */
    bool symmetric;     /* K is symmetric, then to the last bit */
    bool potential;     /* loads have a potential: in equilibrium K is symmetric up to round-off */
    bool damped;        /* the model has damping: D is computed */
} ts_linear_model;

/* Linearises about the system's state, under the loads of its time. The multipliers that minimise
 * the unbalanced force are stored in the state. */
int ts_linearise(ts_linear_model *out, ts_system *system, v3 spin, v3 about);
/* Linearises about the state without loads, for linear buckling: K there, and in D the change of K
 * by all loads together, gravity included, through the internal forces that they cause;
 * displacements are neglected. M is not computed. TORSOR_ESINGULAR: a mechanism. */
int ts_linearise_loads(ts_linear_model *out, ts_system *system);
/* Linearises about the state without loads and multipliers: the resistance before any load. D is
 * not computed; `force` contains the loads, gravity and preloads. */
int ts_linearise_unloaded(ts_linear_model *out, ts_system *system);
void ts_linear_free(ts_linear_model *model);

/* One step of statics in the rotating frame, see ts_stepper_step: loads at load_factor from start
 * to end. */
extern const ts_scheme TS_SCHEME_TURNING;
void ts_stepper_spin(ts_stepper *st, v3 spin, v3 about);
/* From now on every step is regularised by springs with the forces hold M (q - q_i), which pull
 * back to its start. 0: none. */
void ts_stepper_hold(ts_stepper *st, double hold);
/* Loads that jump at the end of a step, or within this time of it, have their values before the
 * jump. */
void ts_stepper_before(ts_stepper *st, double within);

#endif
