/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of the points of a mesh: the integrals of their shape functions over cells.
 */
#ifndef TS_MESH_SHARES_H
#define TS_MESH_SHARES_H

#include "model/mesh.h"

typedef struct ts_share_of_point {
    double measure; /* int N_a: length, area or volume */
    v3 moment;      /* int N_a X, X the place as drawn */
} ts_share_of_point;

/* Shares of all points of the mesh in the cells of a list; the caller frees them. */
ts_share_of_point *ts_mesh_shares(const ts_mesh *mesh, int cells, const int *cell);

#endif
