/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a rope from one wheel to the next: see strand_row.c. */
#ifndef TS_STRAND_ROW_H
#define TS_STRAND_ROW_H

#include "model/law.h"

/* Numbers of a site. A wheel's signed radius is positive where the rope, followed from its first
 * point to its last, goes about the axis by the right hand; zero: it is a point. */
enum { TS_STRAND_FROM, TS_STRAND_TO, TS_STRAND_OFFSET, TS_STRAND_NUMBERS };

/* The row (length of the strand) - e_0 = 0. Forms: e_0, the square of the distance u from centre to
 * centre, then for each wheel with a radius u along two axes of its body across its axle, the first
 * of them along u as drawn. */
extern const ts_rowlaw TS_STRAND_ROW;

/* Length of the straight piece between wheels, from the square of the distance of their centres and
 * c, the difference of signed radii; and the angle from the line of centres to the rope. */
double ts_strand_straight(double square, double c);
double ts_strand_lean(double square, double c);

#endif
