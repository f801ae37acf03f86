/* SPDX-License-Identifier: Apache-2.0 */
/* Statics along a path over limit points, by the arc length: how long the arcs are and where the
 * path ends. For a single arc see scheme/path.c. */
#ifndef TS_PATH_H
#define TS_PATH_H

#include "analysis/run.h"
#include "study/schemes.h"

typedef struct ts_walk ts_walk;

/* From the state, which is without load. TORSOR_EINVAL where something else than loads changes
 * along the path. */
int ts_walk_new(ts_walk **out, ts_stepper *st, ts_system *system, const ts_options *options);
void ts_walk_free(ts_walk *walk);
/* One point of the path. The state's t becomes the load factor times options->t_end. */
int ts_walk_step(ts_walk *walk, ts_step_result *result);
/* The load factor is at one of its limits, or a node has moved as far as it should. */
bool ts_walk_ended(const ts_walk *walk);

#endif
