/* SPDX-License-Identifier: Apache-2.0 */
/* Strains of a shell of 4 or 9 nodes at a point of its surface, as quadratic forms of the nodes'
 * places and directors.
 *
 * z = (x_1, d_1, x_2, d_2, ...), two vectors per node. A strain is e = sum S_ab z_a . z_b minus its
 * value as drawn, S symmetric and constant. See shell_strains.c for the assumed strains and their
 * reasons. */
#ifndef TS_SHELL_STRAINS_H
#define TS_SHELL_STRAINS_H

#include <stdbool.h>

#include "math/vec3.h"

enum { TS_SHELL_NODES = 9, TS_SHELL_VECTORS = 18, TS_SHELL_STRAINS = 8 };

/* eps11, eps22, 2 eps12, kap11, kap22, 2 kap12, gam1, gam2, in the axes of the point */
typedef struct ts_shell_form {
    double S[TS_SHELL_VECTORS][TS_SHELL_VECTORS];
} ts_shell_form;

typedef struct ts_shell_point {
    m3 axes; /* columns: two in the surface, the first along the projection of axis1; the normal */
    double area; /* area of the surface per area of the reference square */
    ts_shell_form form[TS_SHELL_STRAINS];
} ts_shell_point;

/* x: drawn positions of the nodes, in the order of VTK (math/element_shapes.h). false: the surface
 * has no normal here. */
bool ts_shell_strains(int nodes, const v3 *x, v3 axis1, double xi, double eta, ts_shell_point *out);

#endif
