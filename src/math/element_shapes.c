/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions, faces and quadrature of cells. See element_shapes.h.
 *
 * Lines, quads and hexes with all nodes are products of Lagrange polynomials of one coordinate.
 * Serendipity cells (quad8, hex20), with p the product of (1 + s_i a_i) over the coordinates i in
 * which the node a is not in the middle:
 *
 *     corner   p (sum s_i a_i - (n - 1)) / 2^n            middle of an edge along k   p (1 - s_k^2)
 *              / 2^(n-1)
 *
 * Simplices, in barycentric coordinates L: corners L or L (2 L - 1), middles of edges 4 L_a L_b.
 *
 * Triangles: Strang & Fix, Dunavant (1985). Tetrahedra: the symmetric rules with 4, 8 and 14 points
 * and positive weights (Walkington 2000; Zhang, Cui & Liu 2009). Their numbers solve the moment
 * equations to the last digit of a double.
 */
#include "math/element_shapes.h"

#include <string.h>

/* clang-format off */
static const ts_cell_info INFO[TS_CELL_TYPES] = {
    /* name, dimension, nodes, corners, order, simplex, shapes, faces, face, vtk */
    [TS_CELL_POINT1]    = {"point", 0, 1, 1, 1, false, false, 0, TS_CELL_POINT1, 1},
    [TS_CELL_LINE2]     = {"line2", 1, 2, 2, 1, false, true, 0, TS_CELL_POINT1, 3},
    [TS_CELL_LINE3]     = {"line3", 1, 3, 2, 2, false, true, 0, TS_CELL_POINT1, 21},
    [TS_CELL_TRI3]      = {"tri3", 2, 3, 3, 1, true, true, 0, TS_CELL_LINE2, 5},
    [TS_CELL_TRI6]      = {"tri6", 2, 6, 3, 2, true, true, 0, TS_CELL_LINE3, 22},
    [TS_CELL_QUAD4]     = {"quad4", 2, 4, 4, 1, false, true, 0, TS_CELL_LINE2, 9},
    [TS_CELL_QUAD8]     = {"quad8", 2, 8, 4, 2, false, true, 0, TS_CELL_LINE3, 23},
    [TS_CELL_QUAD9]     = {"quad9", 2, 9, 4, 2, false, true, 0, TS_CELL_LINE3, 28},
    [TS_CELL_TET4]      = {"tet4", 3, 4, 4, 1, true, true, 4, TS_CELL_TRI3, 10},
    [TS_CELL_TET10]     = {"tet10", 3, 10, 4, 2, true, true, 4, TS_CELL_TRI6, 24},
    [TS_CELL_HEX8]      = {"hex8", 3, 8, 8, 1, false, true, 6, TS_CELL_QUAD4, 12},
    [TS_CELL_HEX20]     = {"hex20", 3, 20, 8, 2, false, true, 6, TS_CELL_QUAD8, 25},
    [TS_CELL_HEX27]     = {"hex27", 3, 27, 8, 2, false, true, 6, TS_CELL_QUAD9, 29},
    [TS_CELL_WEDGE6]    = {"wedge6", 3, 6, 6, 1, false, false, 0, TS_CELL_QUAD4, 13},
    [TS_CELL_WEDGE15]   = {"wedge15", 3, 15, 6, 2, false, false, 0, TS_CELL_QUAD8, 26},
    [TS_CELL_WEDGE18]   = {"wedge18", 3, 18, 6, 2, false, false, 0, TS_CELL_QUAD9, 32},
    [TS_CELL_PYRAMID5]  = {"pyramid5", 3, 5, 5, 1, false, false, 0, TS_CELL_QUAD4, 14},
    [TS_CELL_PYRAMID13] = {"pyramid13", 3, 13, 5, 2, false, false, 0, TS_CELL_QUAD8, 27},
    [TS_CELL_PYRAMID14] = {"pyramid14", 3, 14, 5, 2, false, false, 0, TS_CELL_QUAD9, 37},
};

static const signed char LINE[3][3] = {{-1}, {1}, {0}};
static const signed char QUAD[9][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, 0}};
static const signed char HEX[27][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1},
    {0, -1, -1}, {1, 0, -1}, {0, 1, -1}, {-1, 0, -1}, {0, -1, 1}, {1, 0, 1}, {0, 1, 1}, {-1, 0, 1},
    {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0},
    {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 0, 0}};

/* The corners that an edge of a simplex lies between, tri6 and tet10 from node 3 and 4 on */
static const signed char TRI_EDGE[3][2] = {{0, 1}, {1, 2}, {2, 0}};
static const signed char TET_EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static const signed char HEX_FACE[6][9] = {
    {0, 4, 7, 3, 16, 15, 19, 11, 20}, {1, 2, 6, 5, 9, 18, 13, 17, 21},
    {0, 1, 5, 4, 8, 17, 12, 16, 22},  {3, 7, 6, 2, 19, 14, 18, 10, 23},
    {0, 3, 2, 1, 11, 10, 9, 8, 24},   {4, 5, 6, 7, 12, 13, 14, 15, 25}};
static const signed char TET_FACE[4][6] = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}};
/* clang-format on */

const ts_cell_info *ts_cell_about(ts_cell_type type) { return &INFO[type]; }

/* ---- nodes and faces ---- */

static const signed char *lattice(const ts_cell_info *c, int node) {
    return c->dimension == 1 ? LINE[node] : c->dimension == 2 ? QUAD[node] : HEX[node];
}

static const signed char *edge_of(const ts_cell_info *c, int node) {
    return c->dimension == 2 ? TRI_EDGE[node - 3] : TET_EDGE[node - 4];
}

static v3 simplex_corner(int node) { return node ? v3_axis(node - 1) : v3_make(0, 0, 0); }

v3 ts_cell_node(ts_cell_type type, int node) {
    const ts_cell_info *c = &INFO[type];
    if (!c->shapes) return v3_make(0, 0, 0);
    if (!c->simplex) {
        const signed char *a = lattice(c, node);
        return v3_make(a[0], a[1], a[2]);
    }
    if (node < c->corners) return simplex_corner(node);
    const signed char *edge = edge_of(c, node);
    return v3_scale(0.5, v3_add(simplex_corner(edge[0]), simplex_corner(edge[1])));
}

int ts_cell_face_nodes(ts_cell_type type, int face, int node[TS_FACE_NODES]) {
    const ts_cell_info *c = &INFO[type];
    int count = c->faces ? INFO[c->face].nodes : 0;
    const signed char *from = c->simplex ? TET_FACE[face] : HEX_FACE[face];
    for (int k = 0; k < count; k++) node[k] = from[k];
    return count;
}

/* Mirrored in the first coordinate (lines), or across the diagonal of the first two. */
static v3 mirrored(const ts_cell_info *c, v3 x) {
    return c->dimension == 1 ? v3_make(-x.x, 0, 0) : v3_make(x.y, x.x, x.z);
}

void ts_cell_reversed(ts_cell_type type, int order[TS_CELL_NODES]) {
    const ts_cell_info *c = &INFO[type];
    for (int a = 0; a < c->nodes; a++) {
        order[a] = a;
        if (!c->shapes) continue;
        v3 wanted = mirrored(c, ts_cell_node(type, a));
        for (int b = 0; b < c->nodes; b++)
            if (v3_norm(v3_sub(ts_cell_node(type, b), wanted)) < 1e-9) order[a] = b;
    }
}

/* ---- shape functions ---- */

/* The Lagrange polynomial of order 1 or 2 that is one at a, and its derivative. */
static void lagrange(int order, int a, double s, double *f, double *df) {
    if (order == 1)
        *f = 0.5 * (1 + a * s), *df = 0.5 * a;
    else if (a == 0)
        *f = 1 - s * s, *df = -2 * s;
    else
        *f = 0.5 * s * (s + a), *df = s + 0.5 * a;
}

static void product_shape(const ts_cell_info *c, const double s[3], double *N, v3 *dN) {
    for (int n = 0; n < c->nodes; n++) {
        const signed char *a = lattice(c, n);
        double f[3] = {1, 1, 1}, d[3] = {0};
        for (int i = 0; i < c->dimension; i++) lagrange(c->order, a[i], s[i], &f[i], &d[i]);
        N[n] = f[0] * f[1] * f[2];
        dN[n] = v3_make(d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2]);
    }
}

/* One factor per coordinate, as for products; corners then have one factor more. */
static void serendipity_node(int n, const signed char *a, const double s[3], double *N, v3 *dN) {
    double f[3] = {1, 1, 1}, d[3] = {0}, sum = 1 - n;
    bool corner = true;
    for (int i = 0; i < n; i++) {
        f[i] = a[i] ? 0.5 * (1 + a[i] * s[i]) : 1 - s[i] * s[i];
        d[i] = a[i] ? 0.5 * a[i] : -2 * s[i];
        sum += a[i] * s[i];
        corner = corner && a[i];
    }
    double p = f[0] * f[1] * f[2];
    v3 g = v3_make(d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2]);
    *N = corner ? p * sum : p;
    *dN = corner ? v3_axpy(sum, g, v3_scale(p, v3_make(a[0], a[1], a[2]))) : g;
}

static void simplex_shape(const ts_cell_info *c, const double s[3], double *N, v3 *dN) {
    double L[4] = {1 - s[0] - s[1] - s[2], s[0], s[1], s[2]};
    v3 dL[4] = {c->dimension == 2 ? v3_make(-1, -1, 0) : v3_make(-1, -1, -1), v3_axis(0),
                v3_axis(1), v3_axis(2)};
    for (int n = 0; n < c->corners; n++) {
        N[n] = c->order == 1 ? L[n] : L[n] * (2 * L[n] - 1);
        dN[n] = v3_scale(c->order == 1 ? 1 : 4 * L[n] - 1, dL[n]);
    }
    for (int n = c->corners; n < c->nodes; n++) {
        int a = edge_of(c, n)[0], b = edge_of(c, n)[1];
        N[n] = 4 * L[a] * L[b];
        dN[n] = v3_scale(4, v3_axpy(L[a], dL[b], v3_scale(L[b], dL[a])));
    }
}

void ts_cell_shape(ts_cell_type type, v3 xi, double *N, v3 *dN) {
    const ts_cell_info *c = &INFO[type];
    double s[3] = {xi.x, c->dimension > 1 ? xi.y : 0, c->dimension > 2 ? xi.z : 0};
    if (!c->shapes) {
        memset(N, 0, (size_t)c->nodes * sizeof *N);
        memset(dN, 0, (size_t)c->nodes * sizeof *dN);
    } else if (c->simplex)
        simplex_shape(c, s, N, dN);
    else if (type == TS_CELL_QUAD8 || type == TS_CELL_HEX20)
        for (int n = 0; n < c->nodes; n++)
            serendipity_node(c->dimension, lattice(c, n), s, &N[n], &dN[n]);
    else
        product_shape(c, s, N, dN);
}

/* ---- quadrature ---- */

static const double GAUSS_POINT[4][4] = {{0},
                                         {-0.57735026918962576451, 0.57735026918962576451},
                                         {-0.77459666924148337704, 0, 0.77459666924148337704},
                                         {-0.86113631159405257522, -0.33998104358485626480,
                                          0.33998104358485626480, 0.86113631159405257522}};
static const double GAUSS_WEIGHT[4][4] = {{2},
                                          {1, 1},
                                          {5.0 / 9, 8.0 / 9, 5.0 / 9},
                                          {0.34785484513745385737, 0.65214515486254614263,
                                           0.65214515486254614263, 0.34785484513745385737}};

static void add_point(ts_quadrature *q, v3 xi, double weight) {
    q->xi[q->count] = xi, q->weight[q->count++] = weight;
}

void ts_cell_gauss(ts_cell_type type, const int points[3], ts_quadrature *out) {
    int n[3] = {1, 1, 1}, d = INFO[type].dimension;
    for (int i = 0; i < d; i++) n[i] = points[i] < 1 ? 1 : points[i] > 4 ? 4 : points[i];
    out->count = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++) {
                const int at[3] = {i, j, k};
                double x[3] = {0}, w = 1;
                for (int c = 0; c < d; c++)
                    x[c] = GAUSS_POINT[n[c] - 1][at[c]], w *= GAUSS_WEIGHT[n[c] - 1][at[c]];
                add_point(out, v3_load(x), w);
            }
}

/* All points of which one barycentric coordinate is 1 - n a, the others a. */
static void add_corners(ts_quadrature *q, int n, double a, double weight) {
    for (int k = 0; k <= n; k++) {
        double x[3] = {a, a, n == 3 ? a : 0};
        if (k < n) x[k] = 1 - n * a;
        add_point(q, v3_load(x), weight);
    }
}

/* All points of a tet of which two barycentric coordinates are a, the others 1/2 - a. */
static void add_edges(ts_quadrature *q, double a, double weight) {
    for (int k = 0; k < 6; k++) {
        double L[4] = {0.5 - a, 0.5 - a, 0.5 - a, 0.5 - a};
        L[TET_EDGE[k][0]] = L[TET_EDGE[k][1]] = a;
        add_point(q, v3_load(L + 1), weight);
    }
}

static void tri_rule(int degree, ts_quadrature *q) {
    const v3 centre = v3_make(1.0 / 3, 1.0 / 3, 0);
    if (degree <= 1) {
        add_point(q, centre, 0.5);
    } else if (degree == 2) {
        add_corners(q, 2, 1.0 / 6, 1.0 / 6);
    } else if (degree <= 4) {
        add_corners(q, 2, 0.44594849091596488632, 0.11169079483900573285);
        add_corners(q, 2, 0.091576213509770743460, 0.054975871827660933819);
    } else {
        add_point(q, centre, 9.0 / 80);
        add_corners(q, 2, 0.47014206410511508977, 0.066197076394253090369);
        add_corners(q, 2, 0.10128650732345633880, 0.062969590272413576298);
    }
}

static void tet_rule(int degree, ts_quadrature *q) {
    if (degree <= 1) {
        add_point(q, v3_make(0.25, 0.25, 0.25), 1.0 / 6);
    } else if (degree == 2) {
        add_corners(q, 3, 0.13819660112501051518, 1.0 / 24);
    } else if (degree == 3) {
        add_corners(q, 3, 0.32805468889843341274, 0.023088023671189492884);
        add_corners(q, 3, 0.10695218954911048462, 0.018578642995477173782);
    } else {
        add_corners(q, 3, 0.09273525031089122626, 0.012248840519393658206);
        add_corners(q, 3, 0.31088591926330060944, 0.018781320953002641627);
        add_edges(q, 0.45449629587435034969, 0.007091003462846911225);
    }
}

void ts_cell_quadrature(ts_cell_type type, int degree, ts_quadrature *out) {
    const ts_cell_info *c = &INFO[type];
    out->count = 0;
    if (!c->shapes) return;
    int n = degree / 2 + 1; /* 2 n - 1 >= degree */
    if (!c->simplex)
        ts_cell_gauss(type, (const int[3]){n, n, n}, out);
    else if (c->dimension == 2)
        tri_rule(degree, out);
    else
        tet_rule(degree, out);
}
