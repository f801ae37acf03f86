/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of parts as given in the model file: outlines of sections, shapes of bodies. They are
 * recorded while the file is read, for pictures only; nothing is computed from them. See
 * drawing.c. */
#ifndef TS_DRAWING_H
#define TS_DRAWING_H

#include "model/kind.h"

typedef enum ts_body_shape {
    TS_SHAPE_BOX,
    TS_SHAPE_CYLINDER,
    TS_SHAPE_SPHERE,
    TS_SHAPE_ELLIPSOID,
    TS_SHAPES
} ts_body_shape;
extern const char *const TS_SHAPE_NAME[TS_SHAPES];

typedef struct ts_drawn {
    /* sections: a polygon of [y2, y3], counter-clockwise, and one of a hole, behind it */
    double *outline;
    int outer, inner; /* points */
    int room;         /* numbers that the outline may have */
    /* beams: parts of their sections; -1 is none */
    int section, section_end;
    /* bodies: a box of this size (a cylinder along its third axis), about a point in body axes */
    bool shaped, placed;
    ts_body_shape shape;
    double size[3];
    v3 at, axis;
    double thickness; /* of shells; 0 is unknown */
} ts_drawn;

typedef struct ts_drawing {
    ts_drawn *parts; /* in the order of the model's */
    int count, room;
} ts_drawing;

/* Records the part that was just built from the values. */
void ts_drawing_note(ts_drawing **drawing, const ts_model *model, int part, const ts_kind *kind,
                     const ts_value *values);
const ts_drawn *ts_drawing_of(const ts_drawing *drawing, int part); /* NULL: unknown */
void ts_drawing_free(ts_drawing *drawing);

#endif
