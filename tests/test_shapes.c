/* SPDX-License-Identifier: Apache-2.0 */
/* Shape functions and quadrature of cells: their defining properties. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "math/element_shapes.h"

static uint64_t seed = 88172645463325252u;

static double chance(void) { /* in (-1, 1) */
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(int64_t)seed / 9.3e18;
}

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance)) fail_msg("%.17g is not %.17g", a, b);
}

/* A point of the reference cell. */
static v3 inside(const ts_cell_info *c) {
    double x[3] = {0};
    for (int d = 0; d < c->dimension; d++) x[d] = c->simplex ? 0.15 + 0.14 * chance() : chance();
    return v3_load(x);
}

static void each_type(void (*check)(ts_cell_type, const ts_cell_info *)) {
    for (int t = 0; t < TS_CELL_TYPES; t++)
        if (ts_cell_about((ts_cell_type)t)->shapes)
            check((ts_cell_type)t, ts_cell_about((ts_cell_type)t));
}

static void check_kronecker(ts_cell_type type, const ts_cell_info *c) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    for (int a = 0; a < c->nodes; a++) {
        ts_cell_shape(type, ts_cell_node(type, a), N, dN);
        for (int b = 0; b < c->nodes; b++) assert_near(N[b], a == b, 1e-15);
    }
}

/* sum N = 1, sum dN = 0, sum N x = x, and the same of squares for order 2 */
static void check_unity(ts_cell_type type, const ts_cell_info *c) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    for (int k = 0; k < 10; k++) {
        v3 xi = inside(c), x = {0, 0, 0}, slope = {0, 0, 0};
        double sum = 0, square = 0;
        ts_cell_shape(type, xi, N, dN);
        for (int a = 0; a < c->nodes; a++) {
            v3 at = ts_cell_node(type, a);
            sum += N[a], square += N[a] * at.x * at.x;
            x = v3_axpy(N[a], at, x), slope = v3_add(slope, dN[a]);
        }
        assert_near(sum, 1, 1e-14);
        assert_near(v3_norm(v3_sub(x, xi)), 0, 1e-14);
        assert_near(v3_norm(slope), 0, 1e-14);
        if (c->order == 2) assert_near(square, xi.x * xi.x, 1e-14);
    }
}

static void check_derivatives(ts_cell_type type, const ts_cell_info *c) {
    /* polynomials of degree up to 2 in each coordinate: central differences are exact */
    const double h = 1e-3;
    double plus[TS_CELL_NODES], minus[TS_CELL_NODES], N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES], ignored[TS_CELL_NODES], xi = inside(c);
    ts_cell_shape(type, xi, N, dN);
    for (int d = 0; d < c->dimension; d++) {
        ts_cell_shape(type, v3_axpy(h, v3_axis(d), xi), plus, ignored);
        ts_cell_shape(type, v3_axpy(-h, v3_axis(d), xi), minus, ignored);
        for (int a = 0; a < c->nodes; a++)
            assert_near(v3_get(dN[a], d), (plus[a] - minus[a]) / (2 * h), 1e-11);
    }
}

static void shapes_interpolate(void **state) {
    (void)state;
    each_type(check_kronecker);
    each_type(check_unity);
    each_type(check_derivatives);
}

/* ---- faces ---- */

/* Corners and middles agree, and the normal leads out of the cell. */
static void check_faces(ts_cell_type type, const ts_cell_info *c) {
    v3 centre = {0, 0, 0};
    for (int a = 0; a < c->corners; a++)
        centre = v3_axpy(1.0 / c->corners, ts_cell_node(type, a), centre);
    for (int f = 0; f < c->faces; f++) {
        int node[TS_FACE_NODES], count = ts_cell_face_nodes(type, f, node);
        assert_int_equal(count, ts_cell_about(c->face)->nodes);
        double N[TS_CELL_NODES];
        v3 dN[TS_CELL_NODES], p[TS_FACE_NODES];
        for (int k = 0; k < count; k++) p[k] = ts_cell_node(type, node[k]);
        ts_cell_type flat = ts_cell_about(c->face)->simplex ? TS_CELL_TRI3 : TS_CELL_QUAD4;
        for (int k = 0; k < count; k++) {
            v3 x = {0, 0, 0};
            ts_cell_shape(flat, ts_cell_node(c->face, k), N, dN);
            for (int a = 0; a < ts_cell_about(flat)->nodes; a++) x = v3_axpy(N[a], p[a], x);
            assert_near(v3_norm(v3_sub(x, p[k])), 0, 1e-15);
        }
        v3 normal = v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0]));
        assert_true(v3_dot(normal, v3_sub(p[0], centre)) > 0.01);
    }
}

static void check_reversal(ts_cell_type type, const ts_cell_info *c) {
    int order[TS_CELL_NODES], seen[TS_CELL_NODES] = {0};
    ts_cell_reversed(type, order);
    for (int a = 0; a < c->nodes; a++) seen[order[a]]++;
    for (int a = 0; a < c->nodes; a++) assert_int_equal(seen[a], 1);
    m3 J = {0};
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    ts_cell_shape(type, inside(c), N, dN);
    for (int a = 0; a < c->nodes; a++)
        for (int d = 0; d < 3; d++)
            J.c[d] = v3_axpy(v3_get(dN[a], d), ts_cell_node(type, order[a]), J.c[d]);
    for (int d = c->dimension; d < 3; d++) J.c[d] = v3_axis(d);
    assert_near(m3_det(J), -1, 1e-13);
}

static void faces_lead_outwards(void **state) {
    (void)state;
    each_type(check_faces);
    each_type(check_reversal);
}

/* ---- quadrature ---- */

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/* The integral of x^i y^j z^k over the reference cell */
static double exact(const ts_cell_info *c, const int p[3]) {
    double value = 1;
    int sum = 0;
    for (int d = 0; d < c->dimension; d++) {
        value *= c->simplex ? factorial(p[d]) : p[d] % 2 ? 0 : 2.0 / (p[d] + 1);
        sum += p[d];
    }
    return c->simplex ? value / factorial(sum + c->dimension) : value;
}

static void check_quadrature(ts_cell_type type, const ts_cell_info *c) {
    int most = c->simplex ? 5 : 7;
    for (int degree = 0; degree <= most; degree++) {
        ts_quadrature q;
        ts_cell_quadrature(type, degree, &q);
        for (int i = 0; i < q.count; i++) assert_true(q.weight[i] > 0);
        for (int n = 0; n < 512; n++) {
            int p[3] = {n % 8, n / 8 % 8, n / 64}, top = 0, sum = 0;
            for (int d = 0; d < 3; d++) sum += p[d], top = p[d] > top ? p[d] : top;
            bool outside = (c->dimension < 3 && p[2]) || (c->dimension < 2 && p[1]);
            if (outside || (c->simplex ? sum : top) > degree) continue;
            double found = 0;
            for (int i = 0; i < q.count; i++)
                found += q.weight[i] * pow(q.xi[i].x, p[0]) * pow(q.xi[i].y, p[1]) *
                         pow(q.xi[i].z, p[2]);
            assert_near(found, exact(c, p), 2e-15);
        }
    }
}

static void quadrature_is_exact(void **state) {
    (void)state;
    each_type(check_quadrature);
    ts_quadrature q;
    const int counts[] = {1, 4, 8, 14, 14};
    for (int degree = 1; degree <= 5; degree++) {
        ts_cell_quadrature(TS_CELL_TET10, degree, &q);
        assert_int_equal(q.count, counts[degree - 1]);
    }
    ts_cell_gauss(TS_CELL_HEX8, (const int[3]){2, 3, 4}, &q);
    assert_int_equal(q.count, 24);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_interpolate),
                                       cmocka_unit_test(faces_lead_outwards),
                                       cmocka_unit_test(quadrature_is_exact)};
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
