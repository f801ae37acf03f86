/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of contact shapes, for pictures: triangles in the axes of their bodies. See skin.c. */
#ifndef TS_OUTPUT_SKIN_H
#define TS_OUTPUT_SKIN_H

#include "model/model.h"
#include "output/table.h"

/* A shape: a point p of its surface is at AT + SCALE p, in axes of the node. */
enum {
    TS_SKIN_PART,
    TS_SKIN_NODE,
    TS_SKIN_SURFACE, /* row of the surfaces; -1: it has none */
    TS_SKIN_PLANE,   /* 1: it is infinite, and only a patch of it is drawn */
    TS_SKIN_AT,      /* three */
    TS_SKIN_SCALE = TS_SKIN_AT + 3,
    TS_SKIN_FIELDS
};
enum { TS_SKIN_HOLLOW = 2 }; /* of TS_SKIN_PLANE: the inside of a hollow */
/* A surface: ranges of points and of triangles, which count its points from 0. */
enum {
    TS_SURFACE_FIRST,
    TS_SURFACE_COUNT,
    TS_SURFACE_TRIANGLE,
    TS_SURFACE_TRIANGLES,
    TS_SURFACE_FIELDS
};
extern const ts_table_field TS_SKIN_FIELD[TS_SKIN_FIELDS], TS_SURFACE_FIELD[TS_SURFACE_FIELDS];

typedef struct ts_skins {
    ts_records shapes, surfaces; /* shapes in the order of the model */
    int64_t points, triangles;
    double *point;     /* three per point */
    int64_t *triangle; /* three per triangle, counter-clockwise seen from outside */
    int64_t point_room, triangle_room;
} ts_skins;

void ts_skins_make(ts_skins *skins, const ts_model *model);
void ts_skins_clear(ts_skins *skins);

#endif
