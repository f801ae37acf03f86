/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of the shapes of bodies: points and quads of a box, cylinder or ellipsoid of given size,
 * along the axes of the shape. */
#ifndef TS_EXPORT_SHAPE_H
#define TS_EXPORT_SHAPE_H

#include "math/vec3.h"

enum { TS_SURFACE_POINTS = 160, TS_SURFACE_QUADS = 160 };

typedef struct ts_surface {
    int points, quads;
    v3 point[TS_SURFACE_POINTS];
    int quad[TS_SURFACE_QUADS][4];
} ts_surface;

/* shape: box, cylinder, sphere or ellipsoid */
void ts_surface_make(ts_surface *surface, const char *shape, const double size[3]);

#endif
