/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of parts on meshes by the names of the model's section `points`. See points.c. */
#ifndef TS_POINTS_H
#define TS_POINTS_H

#include "model/mesh.h"
#include "model/node_names.h"

/* An entry of the section `points`. */
typedef struct ts_named_place {
    char *name;
    v3 x;
} ts_named_place;

/* The point of a mesh at a position, to 1e-6 of its size; -1 if there is none. *nearest: the
 * nearest point (-1: no points). */
int ts_point_at(const ts_mesh *mesh, v3 x, int *nearest);
/* Names of all such points that are nodes of a part, unless a set of the mesh has that name. */
void ts_named_points(const ts_model *model, int count, const ts_named_place *place,
                     ts_node_visit *visit, void *context);

#endif
