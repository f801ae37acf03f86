/* SPDX-License-Identifier: Apache-2.0 */
/* The model whose channels are listed and read, with its outputs. */
#ifndef TS_SUBJECT_H
#define TS_SUBJECT_H

#include "output/points.h"
#include "system/beam_place.h"

/* A model, and the outputs that its file requests. */
typedef struct ts_subject {
    const ts_model *model;
    const ts_beam_place *stations; /* outputs.stations */
    int station_count;
    const ts_named_place *places; /* the section `points` */
    int place_count;
} ts_subject;

#endif
