/* Ways to an equilibrium under the loads of an instant. */
#ifndef TS_EQUILIBRIUM_H
#define TS_EQUILIBRIUM_H

#include "analysis/run.h"
#include "study/schemes.h"

/* No velocities, no accelerations. */
void ts_rest(ts_system *system);

/* The loads of the present instant from nothing to what they are, by a scheme of statics; leaves the system at rest, at the same
 * time, at step 0. */
int ts_load_up(ts_system *system, const ts_options *options, const ts_scheme *scheme,
               int increments);

/* Downhill to a stable equilibrium under loads and rotation. */
int ts_go_downhill(ts_system *system, const ts_options *options, v3 spin, v3 about);

#endif
