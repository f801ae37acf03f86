/* SPDX-License-Identifier: Apache-2.0 */
/* Gauss-Legendre quadrature with ten points over -1 to 1: points and weights.
 *
 * Polynomials up to degree 19 are integrated exactly. Points stand in pairs about zero, the one
 * below it first. Abramowitz and Stegun, table 25.4.
 */
#ifndef TS_GAUSS_H
#define TS_GAUSS_H

enum { TS_GAUSS_POINTS = 10 };

static const struct ts_gauss_point {
    double x, weight;
} TS_GAUSS[TS_GAUSS_POINTS] = {
    {-0.14887433898163121088, 0.29552422471475287017},
    {0.14887433898163121088, 0.29552422471475287017},
    {-0.43339539412924719080, 0.26926671930999635509},
    {0.43339539412924719080, 0.26926671930999635509},
    {-0.67940956829902440623, 0.21908636251598204400},
    {0.67940956829902440623, 0.21908636251598204400},
    {-0.86506336668898451073, 0.14945134915058059315},
    {0.86506336668898451073, 0.14945134915058059315},
    {-0.97390652851717172008, 0.06667134430868813759},
    {0.97390652851717172008, 0.06667134430868813759},
};

#endif
