/* SPDX-License-Identifier: Apache-2.0 */
/* Constraints along a path: see path_row.c. */
#ifndef TS_PATH_ROW_H
#define TS_PATH_ROW_H

#include "model/law.h"

/* The numbers of a path row: the number of weights (one of 1, one for each form after the first),
 * pieces, degree, period (0: the path has ends), the bounds of the pieces (one more than pieces),
 * and per piece and weight the coefficients of 1, x, x^2 ..., x = 0 ... 1 along the piece. */
enum {
    TS_PATH_WEIGHTS,
    TS_PATH_PIECES,
    TS_PATH_DEGREE,
    TS_PATH_PERIOD,
    TS_PATH_BOUNDS,
    TS_PATH_MOST_DEGREE = 6
};

extern const ts_rowlaw TS_PATH_ROW;

#endif
