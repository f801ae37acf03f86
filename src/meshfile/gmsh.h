/* SPDX-License-Identifier: Apache-2.0 */
/* Meshes in the files of Gmsh, format MSH 4.1, text or binary. */
#ifndef TS_GMSH_H
#define TS_GMSH_H

#include <stdbool.h>
#include <stddef.h>

#include "model/mesh.h"

typedef struct ts_gmsh_problem {
    size_t offset; /* byte at which it was noticed */
    bool binary;   /* lines mean nothing then */
    char message[300], hint[200];
} ts_gmsh_problem;

/* Any bytes are safe. Returns 0; or TORSOR_EINVAL, *out = NULL and *problem filled. */
int ts_gmsh_parse(ts_mesh **out, const char *text, size_t length, ts_gmsh_problem *problem);

#endif
