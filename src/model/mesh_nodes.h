/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes on the points of a mesh. Parts on one mesh share the node of a point if they need the same
 * kind of node. So the mesh, not the part, stores which node a point has. */
#ifndef TS_MESH_NODES_H
#define TS_MESH_NODES_H

#include "model/mesh.h"
#include "model/model.h"

/* Returns the node of that kind on a point; `mesh` is the part of the mesh. The node is made by the
 * newest part when it is first requested: a director node with the given director, or a frame along
 * the global axes. */
int ts_mesh_node(ts_model *model, int mesh, int point, ts_node_kind kind, v3 director);
/* -1: no such node was made */
int ts_mesh_node_find(const ts_model *model, int mesh, int point, ts_node_kind kind);
/* Returns the node that a part on a mesh has on a point of it, or -1. */
int ts_part_point_node(const ts_model *model, int part, int point);
/* Lists the nodes of a part in a set of its mesh, in the order of the points; the caller frees the
 * list. Returns their number. */
int ts_part_set_nodes(const ts_model *model, int part, int set, int **nodes);

#endif
