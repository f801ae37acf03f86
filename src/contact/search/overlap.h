/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes that overlap as drawn: see overlap.c. */
#ifndef TS_OVERLAP_H
#define TS_OVERLAP_H

#include "contact/touching.h"

/* A gap that is closed as drawn. */
typedef struct ts_overlap {
    ts_pair_key key;
    double depth;  /* without shifts */
    double radius; /* of both shapes together; 0: thin */
    bool met;      /* the cores meet: the depth is unknown */
} ts_overlap;

typedef struct ts_overlaps {
    int count, room;
    ts_overlap *item;
} ts_overlaps;

/* Can any two shapes of a contact touch, in any motion? Its stiffness may be spread over areas or
 * lengths; pairs connected by joints are counted or not. See meeting.c. */
bool ts_contact_meets(const ts_model *model, int contact, bool spread, bool joints);

/* Overlaps of one contact; -1: of all contacts. */
void ts_overlaps_find(const ts_model *model, int contact, ts_overlaps *out);
void ts_overlaps_clear(ts_overlaps *list);
/* The deepest overlap relative to its radius; overlaps whose cores meet come first. NULL: none. */
const ts_overlap *ts_overlaps_worst(const ts_overlaps *list);

#endif
