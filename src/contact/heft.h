/* SPDX-License-Identifier: Apache-2.0 */
/* Mass, speed and size of the shapes of a contact, as drawn: they determine the stiffness `auto`,
 * and the duration and depth of an impact. See heft.c. */
#ifndef TS_HEFT_H
#define TS_HEFT_H

#include "contact/pair.h"
#include "contact/search/neighbours.h"

typedef struct ts_heft {
    double mass;  /* the largest effective mass of two of its shapes that meet */
    double speed; /* speed at which they may meet; 0: nothing moves, and nothing falls */
    double size;  /* half of the thinnest shape; INFINITY: no shape has a size */
    double radius;
} ts_heft;

/* Values as drawn, and in the state q, v unless NULL. */
ts_heft ts_heft_of(const ts_model *model, int contact, const double *q, const double *v);
/* The stiffness with which shapes penetrate by at most 1 % of their size; 0: unknown. */
double ts_heft_stiffness(const ts_heft *x);

/* An impact at that speed: its duration and depth; and the static depth under the weight of the
 * mass. */
typedef struct ts_impact {
    double stiffness; /* the largest force over the depth; all are 0 but the last without speed */
    double duration, depth, sinks;
} ts_impact;
ts_impact ts_heft_impact(const ts_model *model, int contact, const ts_heft *x);

/* Inverse effective mass of a pair at q, where x has its gap; the forces in x are overwritten. */
double ts_pair_inverse_mass(const ts_model *model, const ts_near *near, const double *q,
                            ts_contact_step *x);

/* Round-off of gaps relative to lengths. In many steps errors add up like the square root of their
 * number. */
static const double TS_GAP_ROUNDING = 1e-12;
double ts_pair_radii(const ts_model *model, const ts_near *near); /* the sum of both */
/* A body at rest has approached slowly, or not at all: its restitution is that of half the speed
 * that corresponds to the energy stored at q with this gap, or to a fall within a step h. No free
 * impact stores more than it came with. none: zeros. */
double ts_pair_speed_at_rest(const ts_model *model, const ts_near *near, const double *q,
                             const double *none, double gap, double h);

#endif
