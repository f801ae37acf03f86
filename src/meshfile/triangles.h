/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces in files of triangles: STL, text or binary, and OBJ. */
#ifndef TS_TRIANGLES_H
#define TS_TRIANGLES_H

#include "meshfile/gmsh.h"

/* Any bytes are safe. Returns 0; or TORSOR_EINVAL, *out = NULL and *problem filled. The triangles
 * are the set `all`; corners at the same place are one point. */
int ts_triangles_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem);

#endif
