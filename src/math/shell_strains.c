/* SPDX-License-Identifier: Apache-2.0 */
/* Assumed natural strains of shells with 4 and 9 nodes.
 *
 * Place r and director d of the surface are interpolated with the same functions. Covariant
 * strains, at any point,
 *
 *     eps_ab = r,a . r,b / 2        kap_ab = (r,a . d,b + r,b . d,a)/2        gam_a = r,a . d
 *     (a, b = 1, 2)
 *
 * minus their values as drawn, are quadratic in (r, d). Taken as they are at Gauss points they
 * lock: a thin element cannot bend without shear or, where it is curved, without stretch. So they
 * are taken at tying points and interpolated from there; what is linear in quadratic forms is a
 * quadratic form.
 *
 * 4 nodes. Shear: gam_1 in the middle of the edges along 1, linear across; gam_2 with directions
 * exchanged (Dvorkin and Bathe, Eng. Comput. 1 (1984) 77: MITC4). Membrane: with r,1 = r_1 + eta
 * r_d and r,2 = r_2 + xi r_d the strains are
 *
 *     eps_11 = e_1 + eta l_1 + eta^2 e_d ,   eps_22 = e_2 + xi l_2 + xi^2 e_d ,
 *     eps_12 = e_12 + (xi l_1 + eta l_2)/2 + xi eta e_d ,
 *
 * and e_d = r_d . r_d / 2 is what locks a warped element. It is replaced by what it is in a flat
 * element, where r_d = c_1 r_1 + c_2 r_2 as drawn, expressed by e_1, e_2, e_12, l_1, l_2 (Ko, Lee,
 * Bathe, Comput. Struct. 182 (2017) 404: MITC4+); flat elements are not changed by it in small
 * strains. Curvatures as they are. In-plane bending is that of the bilinear quadrilateral, far too
 * stiff in slender cells; shell_membrane.c corrects this. Limit: shear across thick, strongly
 * distorted elements is of first order.
 *
 * 9 nodes. eps_11, kap_11, gam_1 at xi = +-1/sqrt(3), eta = 0, +-sqrt(3/5); eps_22, kap_22, gam_2
 * at the points with xi and eta exchanged; eps_12, kap_12 bilinear (Bucalem and Bathe, Int. J.
 * Numer. Meth. Eng. 36 (1993) 3729: MITC9). There they are what 2 x 2 Gauss points say, and patch
 * tests hold in parallelograms alone (K. Wisniewski, E. Turska, Comput. Mech. 62 (2018) 499, have
 * another cure). The reason: constant stress does work on eps_12 with the weight j s^12 = N/j, N
 * bilinear in straight cells, j = |r,1 x r,2|, while eps_11 and eps_22 are right at the 3 x 3
 * points where work is summed, and gam has weights without 1/j. So here the bilinear function is
 * the one that does the same work,
 *
 *     sum w/j (eps~_12 - eps_12) m = 0     for m = 1, xi, eta, xi eta, over the 3 x 3 points:
 *
 * the same as by 2 x 2 points where j is constant. Elements with straight sides and nodes in the
 * middle pass all patch tests; with curved sides only in the limit.
 *
 * Cartesian components at the point follow from the covariant ones with the base vectors as drawn
 * there: constant factors.
 */
#include "math/shell_strains.h"

#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/element_shapes.h"

enum { EPS11, EPS22, EPS12, KAP11, KAP22, KAP12, GAM1, GAM2 }; /* covariant components */
enum { PLACE, DIRECTOR };

typedef struct element {
    int nodes;
    const v3 *x;
    double xi, eta; /* where strains are wanted */
    ts_shell_form covariant[TS_SHELL_STRAINS];
} element;

static ts_cell_type type_of(int nodes) { return nodes == 9 ? TS_CELL_QUAD9 : TS_CELL_QUAD4; }

/* S += w (sum u_a z_a)(sum v_b z_b), with z_a the place or director of node a */
static void add_product(ts_shell_form *f, int n, double w, int left, const double *u, int right,
                        const double *v) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            double half = 0.5 * w * u[a] * v[b];
            f->S[2 * a + left][2 * b + right] += half;
            f->S[2 * b + right][2 * a + left] += half;
        }
}

/* w times the covariant component at (xi, eta), added to another component's form */
static void add_sample(element *e, int into, int component, double w, double xi, double eta) {
    double N[TS_CELL_NODES], D[2][TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    int n = e->nodes;
    ts_shell_form *f = &e->covariant[into];
    ts_cell_shape(type_of(n), v3_make(xi, eta, 0), N, dN);
    for (int a = 0; a < n; a++) D[0][a] = dN[a].x, D[1][a] = dN[a].y;
    static const int first[] = {0, 1, 0, 0, 1, 0, 0, 1}, second[] = {0, 1, 1, 0, 1, 1, 0, 1};
    const double *u = D[first[component]], *v = D[second[component]];
    if (component <= EPS12) {
        add_product(f, n, 0.5 * w, PLACE, u, PLACE, v);
    } else if (component <= KAP12) {
        add_product(f, n, 0.5 * w, PLACE, u, DIRECTOR, v);
        add_product(f, n, 0.5 * w, PLACE, v, DIRECTOR, u);
    } else {
        add_product(f, n, w, PLACE, u, DIRECTOR, N);
    }
}

/* ---- 4 nodes ---- */

/* r_d = c_1 r_1 + c_2 r_2 + out of plane, as drawn */
static void warp(const element *e, double c[2]) {
    static const double sx[] = {-1, 1, 1, -1}, sy[] = {-1, -1, 1, 1};
    v3 r1 = {0, 0, 0}, r2 = r1, rd = r1;
    for (int a = 0; a < 4; a++) {
        r1 = v3_axpy(0.25 * sx[a], e->x[a], r1);
        r2 = v3_axpy(0.25 * sy[a], e->x[a], r2);
        rd = v3_axpy(0.25 * sx[a] * sy[a], e->x[a], rd);
    }
    double a = v3_dot(r1, r1), b = v3_dot(r1, r2), g = v3_dot(r2, r2), det = a * g - b * b;
    double p = v3_dot(rd, r1), q = v3_dot(rd, r2);
    c[0] = (g * p - b * q) / det, c[1] = (a * q - b * p) / det;
}

/* w times the e_d of a flat element; the c are small unless the element is nearly a triangle, where
 * they reach 1 together */
static void add_flat_warp(element *e, int into, double w) {
    double c[2];
    warp(e, c);
    double d = c[0] * c[0] + c[1] * c[1] - 1;
    for (int sign = 1; sign >= -1; sign -= 2) {
        add_sample(e, into, EPS11, w * c[0] * (c[0] - sign) / (2 * d), 0, sign);
        add_sample(e, into, EPS22, w * c[1] * (c[1] - sign) / (2 * d), sign, 0);
    }
    add_sample(e, into, EPS12, w * 2 * c[0] * c[1] / d, 0, 0);
}

static void tie_4(element *e) {
    double xi = e->xi, eta = e->eta;
    for (int sign = 1; sign >= -1; sign -= 2) {
        add_sample(e, GAM1, GAM1, 0.5 * (1 + sign * eta), 0, sign);
        add_sample(e, GAM2, GAM2, 0.5 * (1 + sign * xi), sign, 0);
        add_sample(e, EPS11, EPS11, 0.5 * (1 + sign * eta), 0, sign);
        add_sample(e, EPS22, EPS22, 0.5 * (1 + sign * xi), sign, 0);
        add_sample(e, EPS12, EPS11, 0.25 * sign * xi, 0, sign);
        add_sample(e, EPS12, EPS22, 0.25 * sign * eta, sign, 0);
    }
    add_sample(e, EPS12, EPS12, 1, 0, 0);
    add_flat_warp(e, EPS11, eta * eta - 1);
    add_flat_warp(e, EPS22, xi * xi - 1);
    add_flat_warp(e, EPS12, xi * eta);
    for (int k = KAP11; k <= KAP12; k++) add_sample(e, k, k, 1, xi, eta);
}

/* ---- 9 nodes ---- */

static const double TWO = 0.57735026918962576451, THREE = 0.77459666924148337704;

/* Lagrange polynomials through -a, a; and through -b, 0, b */
static void through_two(double x, double *l) {
    l[0] = 0.5 * (1 - x / TWO), l[1] = 0.5 * (1 + x / TWO);
}

static void through_three(double x, double *l) {
    double t = x / THREE;
    l[0] = 0.5 * t * (t - 1), l[1] = 1 - t * t, l[2] = 0.5 * t * (t + 1);
}

static void set_base(const element *e, double xi, double eta, v3 G[2]) {
    double N[TS_CELL_NODES];
    v3 dN[TS_CELL_NODES];
    ts_cell_shape(type_of(e->nodes), v3_make(xi, eta, 0), N, dN);
    G[0] = G[1] = v3_make(0, 0, 0);
    for (int a = 0; a < e->nodes; a++) {
        G[0] = v3_axpy(dN[a].x, e->x[a], G[0]);
        G[1] = v3_axpy(dN[a].y, e->x[a], G[1]);
    }
}

/* eps~_12 and kap~_12: with m = (1, xi, eta, xi eta), m . A^-1 sum w/j m_q eps_12(q), A = sum w/j
 * m_q m_q^T */
static void project_12(element *e) {
    static const double at[] = {-1, 0, 1}, weight[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    double A[4][4] = {{0}}, share[9], b[4] = {1, e->xi, e->eta, e->xi * e->eta};
    for (int q = 0; q < 9; q++) {
        double xi = THREE * at[q % 3], eta = THREE * at[q / 3], m[] = {1, xi, eta, xi * eta};
        v3 G[2];
        set_base(e, xi, eta, G);
        share[q] = weight[q % 3] * weight[q / 3] / v3_norm(v3_cross(G[0], G[1]));
        for (int i = 0; i < 16; i++) A[i / 4][i % 4] += share[q] * m[i / 4] * m[i % 4];
    }
    ts_dense_solve_definite(4, A[0], 1, b);
    for (int q = 0; q < 9; q++) {
        double xi = THREE * at[q % 3], eta = THREE * at[q / 3];
        double w = share[q] * (b[0] + b[1] * xi + b[2] * eta + b[3] * xi * eta);
        add_sample(e, EPS12, EPS12, w, xi, eta);
        add_sample(e, KAP12, KAP12, w, xi, eta);
    }
}

static void tie_9(element *e) {
    static const int along1[] = {EPS11, KAP11, GAM1}, along2[] = {EPS22, KAP22, GAM2};
    double u_two[2], v_two[2], u_three[3], v_three[3];
    through_two(e->xi, u_two), through_two(e->eta, v_two);
    through_three(e->xi, u_three), through_three(e->eta, v_three);
    for (int i = 0; i < 2; i++) {
        double two = (2 * i - 1) * TWO;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                add_sample(e, along1[k], along1[k], u_two[i] * v_three[j], two, (j - 1) * THREE);
                add_sample(e, along2[k], along2[k], v_two[i] * u_three[j], (j - 1) * THREE, two);
            }
    }
    project_12(e);
}

/* ---- Cartesian components ---- */

static bool set_axes(const element *e, v3 axis1, ts_shell_point *out, v3 G[2]) {
    set_base(e, e->xi, e->eta, G);
    v3 normal = v3_cross(G[0], G[1]);
    out->area = v3_norm(normal);
    if (!(out->area > 1e-12 * (v3_dot(G[0], G[0]) + v3_dot(G[1], G[1])))) return false;
    normal = v3_scale(1 / out->area, normal);
    v3 t1 = v3_axpy(-v3_dot(axis1, normal), normal, axis1);
    if (v3_norm(t1) < 1e-3 * v3_norm(axis1)) t1 = G[0]; /* the axis is normal to the surface */
    t1 = v3_normalize(t1);
    out->axes = m3_cols(t1, v3_cross(normal, t1), normal);
    return true;
}

static void combine(ts_shell_form *out, int terms, const double *w, const ts_shell_form *const *f) {
    memset(out, 0, sizeof *out);
    for (int k = 0; k < terms; k++)
        for (int i = 0; i < TS_SHELL_VECTORS; i++)
            for (int j = 0; j < TS_SHELL_VECTORS; j++) out->S[i][j] += w[k] * f[k]->S[i][j];
}

/* e_ij = A_i^a A_j^b e_ab with A_i^a = G^a . t_i; twice that for i != j */
static void turn_tensor(const ts_shell_form *covariant, double A[2][2], ts_shell_form *out) {
    const ts_shell_form *f[] = {covariant, covariant + 1, covariant + 2};
    for (int k = 0; k < 3; k++) {
        int i = k == 1, j = k > 0;
        double twice = k == 2 ? 2 : 1;
        double w[] = {twice * A[i][0] * A[j][0], twice * A[i][1] * A[j][1],
                      twice * (A[i][0] * A[j][1] + A[i][1] * A[j][0])};
        combine(&out[k], 3, w, f);
    }
}

static void turn(const element *e, const v3 G[2], ts_shell_point *out) {
    double a = v3_dot(G[0], G[0]), b = v3_dot(G[0], G[1]), g = v3_dot(G[1], G[1]),
           det = a * g - b * b;
    v3 dual[2] = {v3_scale(1 / det, v3_sub(v3_scale(g, G[0]), v3_scale(b, G[1]))),
                  v3_scale(1 / det, v3_sub(v3_scale(a, G[1]), v3_scale(b, G[0])))};
    double A[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) A[i][k] = v3_dot(out->axes.c[i], dual[k]);
    turn_tensor(e->covariant + EPS11, A, out->form);
    turn_tensor(e->covariant + KAP11, A, out->form + 3);
    const ts_shell_form *gam[] = {&e->covariant[GAM1], &e->covariant[GAM2]};
    combine(&out->form[6], 2, A[0], gam);
    combine(&out->form[7], 2, A[1], gam);
}

bool ts_shell_strains(int nodes, const v3 *x, v3 axis1, double xi, double eta,
                      ts_shell_point *out) {
    element e = {.nodes = nodes, .x = x, .xi = xi, .eta = eta};
    v3 G[2];
    if (!set_axes(&e, axis1, out, G)) return false;
    if (nodes == 9)
        tie_9(&e);
    else
        tie_4(&e);
    turn(&e, G, out);
    return true;
}
