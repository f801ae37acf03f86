/* SPDX-License-Identifier: Apache-2.0 */
/* Statics along a path over limit points, by the arc length: length of the arcs and end of the
 * path. For a single arc see scheme/path.c. */
#ifndef TS_PATH_H
#define TS_PATH_H

#include "analysis/run.h"
#include "study/schemes.h"

typedef struct ts_walk ts_walk;

/* Begins at the state, which is without load. TORSOR_EINVAL if anything but loads changes along the
 * path. */
int ts_walk_new(ts_walk **out, ts_stepper *st, ts_system *system, const ts_options *options);
void ts_walk_free(ts_walk *walk);
/* One point of the path. The state's t becomes the load factor times options->t_end. */
int ts_walk_step(ts_walk *walk, ts_step_result *result);
/* Is the load factor at one of its limits, or has a node moved by the given displacement? */
bool ts_walk_ended(const ts_walk *walk);

#endif
