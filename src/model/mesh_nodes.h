/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes on the points of a mesh. Parts made on one mesh share the node of a point when they want
 * the same kind of node, so the mesh, not the part, says which node a point has.
 */
#ifndef TS_MESH_NODES_H
#define TS_MESH_NODES_H

#include "model/mesh.h"
#include "model/model.h"

/* The node of that kind on a point; `mesh` is the part that is the mesh. Made when first asked for,
 * of the newest part: a director node with the given director, a frame along the global axes. */
int ts_mesh_node(ts_model *model, int mesh, int point, ts_node_kind kind, v3 director);
/* -1: no part made it */
int ts_mesh_node_find(const ts_model *model, int mesh, int point, ts_node_kind kind);
/* The node that a part made on a mesh has on a point of it, or -1. */
int ts_part_point_node(const ts_model *model, int part, int point);
/* The nodes of a part in a set of its mesh, in the order of the points; the caller frees them.
 * Returns how many. */
int ts_part_set_nodes(const ts_model *model, int part, int set, int **nodes);

#endif
