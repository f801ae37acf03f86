/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of meshes: their nodes, faces, shape functions and quadrature.
 *
 * Nodes are in the order of VTK: corners first, then the middles of edges, then of faces, then the
 * centre. On the reference cell, line, quad and hex are [-1, 1]^n, tri and tet have the corners 0,
 * e1, e2 (, e3):
 *
 *     line3   0 1 | 2 between 0 1
 *     tri6    0 1 2 | 3: 01, 4: 12, 5: 20
 *     quad9   0 (-,-) 1 (+,-) 2 (+,+) 3 (-,+) | 4: 01, 5: 12, 6: 23, 7: 30 | 8 centre
 *             quad8: without the centre
 *     tet10   0 1 2 3 | 4: 01, 5: 12, 6: 20, 7: 03, 8: 13, 9: 23
 *     hex27   0..3 the quad at z = -1, 4..7 at z = +1 |
 *             8: 01, 9: 12, 10: 23, 11: 30, 12: 45, 13: 56, 14: 67, 15: 74,
 *             16: 04, 17: 15, 18: 26, 19: 37 |
 *             20 x-, 21 x+, 22 y-, 23 y+, 24 z-, 25 z+ | 26 centre (hex20: without these)
 *
 * Wedges and pyramids can be held in a mesh, but have no shape functions here.
 */
#ifndef TS_ELEMENT_SHAPES_H
#define TS_ELEMENT_SHAPES_H

#include <stdbool.h>

#include "math/vec3.h"

typedef enum ts_cell_type {
    TS_CELL_POINT1,
    TS_CELL_LINE2,
    TS_CELL_LINE3,
    TS_CELL_TRI3,
    TS_CELL_TRI6,
    TS_CELL_QUAD4,
    TS_CELL_QUAD8,
    TS_CELL_QUAD9,
    TS_CELL_TET4,
    TS_CELL_TET10,
    TS_CELL_HEX8,
    TS_CELL_HEX20,
    TS_CELL_HEX27,
    TS_CELL_WEDGE6,
    TS_CELL_WEDGE15,
    TS_CELL_WEDGE18,
    TS_CELL_PYRAMID5,
    TS_CELL_PYRAMID13,
    TS_CELL_PYRAMID14,
    TS_CELL_TYPES
} ts_cell_type;

enum { TS_CELL_NODES = 27, TS_CELL_FACES = 6, TS_FACE_NODES = 9, TS_QUADRATURE = 64 };

typedef struct ts_cell_info {
    const char *name; /* "hex8" */
    int dimension, nodes, corners, order;
    bool simplex; /* tri, tet */
    bool shapes;  /* has shape functions and quadrature */
    int faces;    /* of a solid: number and type of its faces */
    ts_cell_type face;
    int vtk; /* number of the type in VTK files */
} ts_cell_info;

const ts_cell_info *ts_cell_about(ts_cell_type type);

/* Reference coordinates of a node. */
v3 ts_cell_node(ts_cell_type type, int node);
/* Local nodes of a face, ordered so that its normal points outwards; returns their number. */
int ts_cell_face_nodes(ts_cell_type type, int face, int node[TS_FACE_NODES]);
/* Order of the nodes of the reversed cell: new cell[k] = old cell[order[k]]. */
void ts_cell_reversed(ts_cell_type type, int order[TS_CELL_NODES]);

/* N[a] and its derivatives dN[a] by the reference coordinates, of all nodes at xi. */
void ts_cell_shape(ts_cell_type type, v3 xi, double *N, v3 *dN);

typedef struct ts_quadrature {
    int count;
    v3 xi[TS_QUADRATURE];
    double weight[TS_QUADRATURE]; /* all positive; their sum is the measure of the reference cell */
} ts_quadrature;

/* The smallest rule that is exact for polynomials of the degree: in each coordinate of lines, quads
 * and hexes (Gauss, up to 7), in all coordinates together of tris (1, 3, 6, 7 points: up to 5) and
 * tets (1, 4, 8, 14 points: up to 5). A higher degree gets the largest rule. */
void ts_cell_quadrature(ts_cell_type type, int degree, ts_quadrature *out);
/* Gauss with the given number of points in each coordinate, 1 to 4; line, quad and hex only. */
void ts_cell_gauss(ts_cell_type type, const int points[3], ts_quadrature *out);

#endif
