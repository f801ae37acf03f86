/* SPDX-License-Identifier: Apache-2.0 */
/* Triangles over the surface of a mesh, in patches: see faces.c. */
#ifndef TS_TOUCH_FACES_H
#define TS_TOUCH_FACES_H

#include "model/mesh.h"
#include "model/model.h"

typedef struct ts_faces {
    int points, *point; /* points of the mesh that take part, ascending */
    double *share;      /* of each: its share of the area */
    int count, room;
    ts_face *face; /* corners: numbers in `point` */
    int *patch;    /* of each face */
    int ridges;    /* numbers of edges of faces */
    int patches;
    double edge; /* mean length of edges */
} ts_faces;

/* Of a set of surfaces, or of the boundary of a set of solids. */
void ts_faces_of(const ts_mesh *mesh, int set, ts_faces *out);
void ts_faces_clear(ts_faces *x);

#endif
