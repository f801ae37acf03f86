/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes of production: EP, ED, and statics with its paths of equilibria. */
#ifndef TS_SCHEMES_H
#define TS_SCHEMES_H

#include "step/scheme.h"

extern const ts_scheme TS_SCHEME_EP, TS_SCHEME_ED, TS_SCHEME_STATIC;

/* Call before the first step of statics (static_work.c): preloads of the system as drawn then grow
 * with the loads; works are added to the ledger from now on, starting from a state at that load
 * factor. */
int ts_static_relieve(ts_stepper *st, ts_system *drawn);
void ts_static_count_work(ts_stepper *st, double factor);
/* Stiffness against motions that have none: added to the diagonal of the tangent, never to the
 * residual; per node two numbers, for displacements and for rotations. */
void ts_static_steady(ts_stepper *st, const double *per_node);

/* Linear statics (linear_statics.c): one solution about the state as drawn, under the loads of time
 * t. */
int ts_linear_step(ts_stepper *st, double t);

/* A path of equilibria of a stepper of statics, with the load factor as an unknown (path.c). Loads
 * are those of time t. */
typedef struct ts_path ts_path;
void ts_path_new(ts_path **out, ts_stepper *st, double t, double factor);
void ts_path_free(ts_path *path);
double ts_path_factor(const ts_path *path);
/* of the last step: sine of the angle from its tangent to its chord */
double ts_path_bend(const ts_path *path);
typedef struct ts_path_limits {
    double lowest, highest, most; /* load factors; their largest change in one step */
} ts_path_limits;
/* Makes a step by an arc along the path; the arc is shortened where it would change the load too
 * much, or where the load factor would leave its limits. 0, or TORSOR_RETRY: a smaller arc may
 * help, and the state is unchanged. */
int ts_path_step(ts_path *path, double *arc, const ts_path_limits *limits, ts_step_result *result);
/* Reports why the path ended, after so many halvings of the arc. */
int ts_path_fail(const ts_path *path, int cuts);

#endif
