/* SPDX-License-Identifier: Apache-2.0 */
/* Loads for pictures: see loads.c. */
#ifndef TS_PICTURE_LOADS_H
#define TS_PICTURE_LOADS_H

#include "model/model.h"

/* A load as an arrow: on a node, at a place of its axes. */
typedef struct ts_told_load {
    const ts_load *load;         /* NULL: a pressure */
    const ts_pressure *pressure; /* NULL: a load */
    int part, node;
    v3 at;
    bool moment, follower; /* a follower's vector is in axes of the node */
} ts_told_load;

/* The entries of a part that are drawn: every second, fourth ... */
typedef struct ts_thinning {
    int *count, *seen;
} ts_thinning;

ts_thinning ts_thinning_new(const ts_model *model);
bool ts_thinning_told(ts_thinning *t, int part);
void ts_thinning_clear(ts_thinning *t);

/* The arrows of a model; to be freed. */
ts_told_load *ts_told_loads(const ts_model *model, int *count);
/* Is it a function of time alone? Not where it depends on the state, on inputs or on events. */
bool ts_told_timed(const ts_model *model, const ts_told_load *told);
/* N or N m, at places q of the nodes; what depends on the state is left out. */
v3 ts_told_vector(const ts_model *model, const ts_told_load *told, const double *q, ts_when when);

#endif
