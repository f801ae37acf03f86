/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions and quadrature on a line. See shape.h. */
#include "math/shape.h"

#define FIFTH 0.44721359549995793928 /* 1/sqrt 5 */
#define THIRD 0.57735026918962576451 /* 1/sqrt 3 */
#define SIXTY 0.77459666924148337704 /* sqrt 0.6 */

const double *ts_lobatto_point(int nodes) {
    static const double point[][4] = {{-1, 1}, {-1, 0, 1}, {-1, -FIFTH, FIFTH, 1}};
    return point[nodes - 2];
}

const double *ts_lobatto_weight(int nodes) {
    static const double weight[][4] = {
        {1, 1}, {1.0 / 3, 4.0 / 3, 1.0 / 3}, {1.0 / 6, 5.0 / 6, 5.0 / 6, 1.0 / 6}};
    return weight[nodes - 2];
}

const double *ts_gauss_point(int points) {
    static const double point[][3] = {{0}, {-THIRD, THIRD}, {-SIXTY, 0, SIXTY}};
    return point[points - 1];
}

const double *ts_gauss_weight(int points) {
    static const double weight[][3] = {{2}, {1, 1}, {5.0 / 9, 8.0 / 9, 5.0 / 9}};
    return weight[points - 1];
}

void ts_line_shape(int nodes, double xi, double *N, double *dN) {
    const double *x = ts_lobatto_point(nodes);
    for (int a = 0; a < nodes; a++) {
        double value = 1, slope = 0;
        for (int b = 0; b < nodes; b++) {
            if (b == a) continue;
            double f = (xi - x[b]) / (x[a] - x[b]);
            slope = slope * f + value / (x[a] - x[b]); /* product rule, factor by factor */
            value *= f;
        }
        N[a] = value, dN[a] = slope;
    }
}
