/* SPDX-License-Identifier: Apache-2.0 */
/* A surface is a stack of rings about the third axis, closed by rings of no width: so one piece of
 * code makes boxes (four corners), cylinders and ellipsoids. */
#include "picture/export_shape.h"

#include <string.h>

enum { AROUND = 16, LAYERS = 8 };
static const double PI = 3.14159265358979323846;

/* radius and height in units of half the size */
static void add_ring(ts_surface *s, int around, double turn, double radius, double height,
                     const double size[3]) {
    for (int i = 0; i < around; i++) {
        double a = 2 * PI * (i + turn) / around;
        s->point[s->points++] = v3_make(0.5 * size[0] * radius * cos(a),
                                        0.5 * size[1] * radius * sin(a), 0.5 * size[2] * height);
    }
    if (s->points == around) return;
    int below = s->points - 2 * around, above = s->points - around;
    for (int i = 0; i < around; i++) {
        int next = (i + 1) % around;
        const int quad[4] = {below + i, below + next, above + next, above + i};
        memcpy(s->quad[s->quads++], quad, sizeof quad);
    }
}

void ts_surface_make(ts_surface *s, const char *shape, const double size[3]) {
    s->points = s->quads = 0;
    int box = strcmp(shape, "box") == 0, cylinder = strcmp(shape, "cylinder") == 0;
    if (box || cylinder) {
        int around = box ? 4 : AROUND;
        double turn = box ? 0.5 : 0, radius = box ? sqrt(2) : 1;
        add_ring(s, around, turn, 0, -1, size), add_ring(s, around, turn, radius, -1, size);
        add_ring(s, around, turn, radius, 1, size), add_ring(s, around, turn, 0, 1, size);
        return;
    }
    for (int k = 0; k <= LAYERS; k++)
        add_ring(s, AROUND, 0, sin(PI * k / LAYERS), -cos(PI * k / LAYERS), size);
}
