/* SPDX-License-Identifier: Apache-2.0 */
/* Height fields: triangles over a grid, and grids of heights in files. See heights.c. */
#ifndef TS_HEIGHTS_H
#define TS_HEIGHTS_H

#include "meshfile/gmsh.h"

/* Points (k, i, height of row i and column k), two triangles for each cell of the grid with their
 * normals along z, all of them the set `all`. */
ts_mesh *ts_heights_mesh(const double *height, int rows, int columns);
/* Any bytes are safe. Returns 0; or TORSOR_EINVAL, *out = NULL and *problem filled. */
int ts_heights_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem);

#endif
