/* SPDX-License-Identifier: Apache-2.0 */
/* Lagrange shape functions on [-1, 1] and quadrature, for lines of 2, 3 or 4 nodes.
 *
 * Nodes are those of Gauss-Lobatto, -1, 1 | -1, 0, 1 | -1, -1/sqrt5, 1/sqrt5, 1, whose weights lump
 * distributed quantities.
 */
#ifndef TS_SHAPE_H
#define TS_SHAPE_H

enum { TS_LINE_NODES = 4 };

const double *ts_lobatto_point(int nodes);  /* nodes = 2, 3, 4 */
const double *ts_lobatto_weight(int nodes); /* sum 2 */
const double *ts_gauss_point(int points);   /* points = 1, 2, 3 */
const double *ts_gauss_weight(int points);  /* sum 2 */
/* N[a] and dN[a]/dxi of all nodes at xi */
void ts_line_shape(int nodes, double xi, double *N, double *dN);

#endif
