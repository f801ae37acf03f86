/* SPDX-License-Identifier: Apache-2.0 */
/* Methods to find an equilibrium under the loads of an instant. */
#ifndef TS_EQUILIBRIUM_H
#define TS_EQUILIBRIUM_H

#include "analysis/freedom.h"
#include "analysis/run.h"
#include "study/schemes.h"

/* Sets velocities and accelerations to zero. */
void ts_rest(ts_system *system);

/* Is there a part that nothing holds, with a constant non-zero resultant of its loads? Then there
 * is no equilibrium: adrift.c. */
bool ts_is_adrift(const ts_system *system);

/* Prepares a stepper of statics at a state of that load factor: preloads grow with the loads (if
 * `relieved`), motions that nothing resists stay where they are, works are counted. After step 0,
 * the beginning is that of the model as drawn. Fails at once if loads act on a part that nothing
 * holds. */
int ts_begin_statics(ts_stepper *st, ts_system *system, double factor, bool relieved);
/* Replaces the stepper's message by the reason why an increment of load failed: a load along a
 * motion that nothing resists, or the load at which it failed. Passes `code` through. */
int ts_explain_statics(ts_system *system, double factor, bool arc_length, int code);

/* Raises the loads of the present instant from zero to their values, by a scheme of statics; leaves
 * the system at rest, at the same time, at step 0. */
int ts_load_up(ts_system *system, const ts_options *options, const ts_scheme *scheme,
               int increments);

/* Descends to a stable equilibrium under loads and rotation. */
int ts_go_downhill(ts_system *system, const ts_options *options, v3 spin, v3 about);

#endif
