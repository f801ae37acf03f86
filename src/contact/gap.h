/* SPDX-License-Identifier: Apache-2.0 */
/* The gap between two shapes of any kind over a step: see gap.c.
 *
 * A gap depends on a few points of its two sides, A and B. Each point moves linearly with the slots
 * of its side: a corner of a core, a place, or the normal of a plane.
 */
#ifndef TS_GAP_H
#define TS_GAP_H

#include "contact/envelope.h"

/* A corner with a radius over a plane of side B; points: the corner, the place, the normal. */
typedef struct ts_over_plane {
    v3 corner, place, normal;
} ts_over_plane;

/* The energy of a gap is multiplied by a weight that depends on the angle of two edges: see
 * gap.c. */
typedef struct ts_weighing {
    double apart, by_power; /* weight = apart + by_power cos^(2^doublings) of their angle */
    int doublings;
} ts_weighing;

typedef struct ts_crossing {
    bool present; /* else: both weights are 1 */
    ts_weighing by_angle;
    double weight[2]; /* at the start and at the end */
    v3 along[2];      /* of A and B, on bodies: unit vectors, in the coordinates of their sides */
    int first[2];     /* of A and B, flexible: from this point to the next */
    v3 by[2];         /* gradient of the weight by the directions of A and B */
    /* for slopes */
    v3 mean[2], end[2];  /* directions */
    double length[2][2]; /* of A and B at both ends */
    double slope, bend;  /* of the weight by the cosine: over the step; how it changes at the end */
    double share, own[2]; /* gradient of the cosine by A: share * mean of B - own * mean of A */
} ts_crossing;

/* Faces of a valley: their corners, as points of the gap, and how much of each counts. */
enum { TS_MOST_FOLDS = 8 };
typedef struct ts_valley {
    int count, corner[TS_MOST_FOLDS][3];
    double share[TS_MOST_FOLDS];
} ts_valley;

typedef struct ts_gap ts_gap;
typedef struct ts_gap_change ts_gap_change;

struct ts_gap {
    double start, end;
    int face; /* of a patch: the face that is nearest at the start; -1: none */
    int points;
    bool of_b[TS_TOUCH_POINTS];
    /* its number: of a corner; of a plane, 0 the place, 1 the normal */
    int point[TS_TOUCH_POINTS];
    v3 gradient[TS_TOUCH_POINTS]; /* sum of gradient . (end - start) = change of the gap */
    /* weight of each point in the place of contact of its side; not used for a plane */
    double weight[TS_TOUCH_POINTS];
    v3 at, normal; /* place of contact, in the mean; direction from B to A, of length 1 */
    double radius[2];
    /* for slopes: */
    v3 pull;   /* the sum of gradients of places of A, along the normal */
    int rings; /* of A, if it is round: these of its points are places, others are semi-axes */
    void (*change)(const ts_gap *gap, const v3 *by, ts_gap_change *out);
    ts_touch touch;
    v3 normal_mean;           /* of a plane, of any length */
    double lever, bend, ring; /* of a circle */
    double across[2];         /* of a tube: how far along the axis, at both ends */
    double from[2];           /* of a hollow: how far from its middle */
    ts_crossing crossing;
    ts_valley valley;
};

/* Changes of a gap as its points move at the end of the step. */
struct ts_gap_change {
    double end;
    double weight[TS_TOUCH_POINTS];
    v3 gradient[TS_TOUCH_POINTS];
    v3 at, normal;
};

/* False: the cores meet, so there is no direction in which to separate them. */
bool ts_gap_of_cores(const ts_core start[2], const ts_core end[2], const double radius[2],
                     ts_gap *out);
/* A point over triangles of a patch that make a valley or a pit, at both ends: see valley.c. The
 * corners are those of the triangles. False: the point is not over all of them. */
bool ts_gap_of_valley(v3 point, const ts_core *patch, const double radius[2], ts_gap *out);
void ts_gap_of_plane(const ts_over_plane *start, const ts_over_plane *end, int corner,
                     double radius, ts_gap *out);
/* A corner inside a ball, or inside a tube with the normal as its axis: the radius of the ball or
 * tube, and that of the corner. */
void ts_gap_of_hollow(const ts_over_plane end[2], bool tube, int corner, const double radius[2],
                      ts_gap *out);
/* A circle over a plane: its axis, of length 1, and its centre as a corner, at both ends; numbers
 * of centre and axis; its radius and that around it. */
void ts_gap_of_ring(const v3 axis[2], const ts_over_plane plane[2], const int number[2],
                    const double radius[2], ts_gap *out);
void ts_gap_moved(const ts_gap *gap, const v3 *by, ts_gap_change *out);

/* Edges along a and b, of any length, at both ends of a step. */
void ts_crossing_over(const v3 a[2], const v3 b[2], ts_weighing by_angle, ts_crossing *out);
/* Change of the weight at the end, and of its gradients, as the directions there change. */
double ts_crossing_moved(const ts_crossing *x, const v3 d[2], v3 by[2]);

#endif
