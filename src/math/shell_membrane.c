/* SPDX-License-Identifier: Apache-2.0 */
/* Assumed membrane forces of shells with 4 nodes.
 *
 * A bilinear quadrilateral that bends in its plane shears, and does not contract across: it is far
 * too stiff. T. H. H. Pian and K. Sumihara (Int. J. Numer. Meth. Eng. 20 (1984) 1685) assume the
 * forces n instead, after Hellinger and Reissner,
 *
 *     n = P b ,    n^11 = b_1 + b_4 eta ,  n^22 = b_2 + b_5 xi ,  n^12 = b_3 ,
 *
 * components along the base vectors G_a at the centre of the cell: all constant forces, and bending
 * both ways. The b follow from the strains eps that the cell has,
 *
 *     b = H^-1 int P^T eps dA ,    H = int P^T C P dA ,    C = A^-1 the compliance of the section,
 *
 * and eps~ = C P b takes the place of eps. That needs no unknowns: eps~ is linear in eps, with
 * constant factors, so what were quadratic forms are quadratic forms. It is the projection of eps,
 * orthogonal with the weight A, on the strains that assumed forces go with, so
 *
 *  - constant strains are left as they are, and constant forces do the same work on eps~ as on eps,
 *    int n . eps~ = int n . eps (n = P c: c . H b = c . int P^T eps), whatever the rest of the
 *    section is: patch tests hold in cells of any shape;
 *  - the membrane energy is never more than it was, and 5 modes for the 5 strains of a cell leave
 *    no motion free of energy;
 *  - motions without eps have no eps~: rigid motions, and the bending without stretch that MITC4+
 * makes possible.
 *
 * Forces at a Gauss point are those at the centre seen in the axes there: n_ij = T_ia T_jb n^ab,
 * T_ia = t_i . G_a.
 */
#include "math/shell_membrane.h"

#include <string.h>

#include "math/dense.h"

enum { POINTS = 4, MODES = 5, STRAINS = 3, VECTORS = 8 };

typedef struct projection {
    double P[POINTS][STRAINS][MODES];  /* forces n11, n22, n12 of the modes */
    double CP[POINTS][STRAINS][MODES]; /* their strains */
    double H[MODES][MODES];
} projection;

static void set_base(const v3 x[4], v3 G[2]) {
    G[0] = v3_scale(0.25, v3_sub(v3_add(x[1], x[2]), v3_add(x[0], x[3])));
    G[1] = v3_scale(0.25, v3_sub(v3_add(x[2], x[3]), v3_add(x[0], x[1])));
}

static void set_modes(const v3 G[2], v3 xi, m3 axes, double P[STRAINS][MODES]) {
    static const int a[MODES] = {0, 1, 0, 0, 1}, b[MODES] = {0, 1, 1, 0, 1};
    const double size[MODES] = {1, 1, 1, xi.y, xi.x};
    double T[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) T[i][k] = v3_dot(axes.c[i], G[k]);
    for (int m = 0; m < MODES; m++)
        for (int k = 0; k < STRAINS; k++) {
            int i = k == 1, j = k > 0;
            P[k][m] = 0.5 * size[m] * (T[i][a[m]] * T[j][b[m]] + T[i][b[m]] * T[j][a[m]]);
        }
}

static void set_projection(const v3 x[4], const double K[64], const v3 xi[4],
                           const ts_shell_point point[4], projection *p) {
    v3 G[2];
    set_base(x, G);
    memset(p->H, 0, sizeof p->H);
    for (int g = 0; g < POINTS; g++) {
        double A[STRAINS * STRAINS];
        for (int i = 0; i < STRAINS * STRAINS; i++) A[i] = K[8 * (i / STRAINS) + i % STRAINS];
        set_modes(G, xi[g], point[g].axes, p->P[g]);
        memcpy(p->CP[g], p->P[g], sizeof p->P[g]);
        ts_dense_solve_definite(STRAINS, A, MODES, p->CP[g][0]);
        for (int m = 0; m < MODES; m++)
            for (int n = 0; n < MODES; n++)
                for (int k = 0; k < STRAINS; k++)
                    p->H[m][n] += point[g].area * p->P[g][k][m] * p->CP[g][k][n];
    }
}

/* forms of b: H^-1 sum area P^T eps; the weights of 2 x 2 points are 1 */
static void set_forces(projection *p, const ts_shell_point point[4],
                       double b[MODES][VECTORS][VECTORS]) {
    memset(b, 0, MODES * sizeof *b);
    for (int m = 0; m < MODES; m++)
        for (int g = 0; g < POINTS; g++)
            for (int k = 0; k < STRAINS; k++)
                for (int i = 0; i < VECTORS * VECTORS; i++)
                    b[m][i / VECTORS][i % VECTORS] += point[g].area * p->P[g][k][m] *
                                                      point[g].form[k].S[i / VECTORS][i % VECTORS];
    ts_dense_solve_definite(MODES, p->H[0], VECTORS * VECTORS, b[0][0]);
}

void ts_shell_membrane(const v3 x[4], const double K[64], const v3 xi[4], ts_shell_point point[4]) {
    projection p;
    double b[MODES][VECTORS][VECTORS];
    set_projection(x, K, xi, point, &p);
    set_forces(&p, point, b);
    for (int g = 0; g < POINTS; g++)
        for (int k = 0; k < STRAINS; k++)
            for (int i = 0; i < VECTORS; i++)
                for (int j = 0; j < VECTORS; j++) {
                    double sum = 0;
                    for (int m = 0; m < MODES; m++) sum += p.CP[g][k][m] * b[m][i][j];
                    point[g].form[k].S[i][j] = sum;
                }
}
