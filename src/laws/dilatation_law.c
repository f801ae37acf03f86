/* SPDX-License-Identifier: Apache-2.0 */
/* Mean dilatation: the energy U(J) of a hexahedron of eight nodes, J = its volume over its volume
 * as drawn.
 *
 * J. C. Simo, R. L. Taylor, K. S. Pister, Comput. Methods Appl. Mech. Engrg. 51 (1985) 177, in
 * positions alone: the pressure is constant in the element and follows from U. The place
 * x = x_0 + sum xi_k a_k + xi_2 xi_3 u_1 + xi_3 xi_1 u_2 + xi_1 xi_2 u_3 + xi_1 xi_2 xi_3 c has
 * det(dx/dxi) with the integral, over the cube of side 2,
 *
 *     v = 8 [ det(a_1, a_2, a_3)
 *             - (det(a_1, u_2, u_3) + det(a_2, u_3, u_1) + det(a_3, u_1, u_2))/3 ] .
 *
 * v is cubic in positions and so not a form. But the a_k form a basis, in which the u_k are
 * determined by their products with it: with the 6 + 9 forms
 *
 *     A_ij = a_i . a_j ,   M_ik = a_i . u_k ,       D = det A ,   P = A : cof M ,   T = D - P/3
 *
 * det(a_1, u_2, u_3) = sqrt(D) [A (m_2 x m_3)]_1 / D, m_k the columns of M, and so on in a cycle.
 * Therefore
 *
 *     v = 8 T/sqrt(D) ,        ln v = ln T - (ln D)/2 + const .
 *
 * The part of v that is quadratic in u is essential: with det(a) alone, the volume from the
 * gradient at the centre, a pressure p would make the other motions of the element (hour-glass
 * modes) stiffer or softer by p, and a stable stretched solid would become unstable.
 *
 * Over a step: L = ln J. U(L) = kappa/2 ((e^2L - 1)/2 - L) + lambda/2 L^2 has a divided difference
 * q by L, and so have the logarithms by T and D; the cubic polynomials have their mean gradients
 * g = grad(e_m) + grad(e_f - e_i)/12. So
 *
 *     s = q [ (D ln T) g_T - (D ln D) g_D/2 ] ,      s . (e_f - e_i) = U_f - U_i
 *
 * to round-off for steps of any size. Stiffness and damping are those of hyperelastic_law.c: N l
 * l^T with l = grad L and N = lambda + kappa, at the start of the step and at its middle.
 */
#include "laws/dilatation_law.h"

#include <string.h>

enum { FORMS = TS_DILATATION_FORMS, OF_M = 6 };

/* Forms 0..5 are A11, A22, A33, A12, A23, A13; forms 6 + 3 i + k are M_ik. */
static const int ROW[OF_M] = {0, 1, 2, 0, 1, 0}, COLUMN[OF_M] = {0, 1, 2, 1, 2, 2};

typedef struct tensors {
    double A[3][3], M[3][3];
} tensors;

static tensors tensors_of(const double *e) {
    tensors x;
    for (int k = 0; k < OF_M; k++) x.A[ROW[k]][COLUMN[k]] = x.A[COLUMN[k]][ROW[k]] = e[k];
    memcpy(x.M, e + OF_M, sizeof x.M);
    return x;
}

/* The cross product of tensors: cof(X + Y) - cof X - cof Y. Of X with itself: twice cof X. */
static void cross(double X[3][3], double Y[3][3], double out[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = (i + 1) % 3, m = (i + 2) % 3, l = (j + 1) % 3, n = (j + 2) % 3;
            out[i][j] =
                X[k][l] * Y[m][n] + Y[k][l] * X[m][n] - X[k][n] * Y[m][l] - Y[k][n] * X[m][l];
        }
}

static double product(double X[3][3], double Y[3][3]) {
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += X[i / 3][i % 3] * Y[i / 3][i % 3];
    return sum;
}

/* out += factor times the derivatives by A11 .. A13 of G : A */
static void add_symmetric(double G[3][3], double factor, double *out) {
    for (int k = 0; k < OF_M; k++) {
        int i = ROW[k], j = COLUMN[k];
        out[k] += factor * (i == j ? G[i][i] : G[i][j] + G[j][i]);
    }
}

/* ---- the polynomials D and T = D - P/3 ---- */

/* Gradients by the forms; each a quadratic function of e. */
static void gradients_of(const double *e, double *of_D, double *of_T) {
    tensors x = tensors_of(e);
    double AA[3][3], MM[3][3], AM[3][3];
    cross(x.A, x.A, AA), cross(x.M, x.M, MM), cross(x.A, x.M, AM);
    memset(of_D, 0, FORMS * sizeof *of_D);
    add_symmetric(AA, 0.5, of_D);
    memcpy(of_T, of_D, FORMS * sizeof *of_T);
    add_symmetric(MM, -1.0 / 6, of_T);
    for (int i = 0; i < 9; i++) of_T[OF_M + i] = -AM[i / 3][i % 3] / 3;
}

/* Second derivatives, FORMS x FORMS; linear in e. */
static void hessians_of(const double *e, double *of_D, double *of_T) {
    tensors x = tensors_of(e);
    for (int c = 0; c < FORMS; c++) {
        double unit[FORMS] = {0}, by_A[3][3], by_M[3][3];
        double d[FORMS] = {0}, t[FORMS] = {0};
        unit[c] = 1;
        tensors step = tensors_of(unit);
        if (c < OF_M) {
            cross(x.A, step.A, by_A), cross(step.A, x.M, by_M);
            add_symmetric(by_A, 1, d);
        } else {
            cross(x.M, step.M, by_A), cross(x.A, step.M, by_M);
            add_symmetric(by_A, -1.0 / 3, t);
        }
        for (int i = 0; i < 9; i++) t[OF_M + i] = -by_M[i / 3][i % 3] / 3;
        for (int r = 0; r < FORMS; r++)
            of_D[FORMS * r + c] = d[r], of_T[FORMS * r + c] = d[r] + t[r];
    }
}

/* ---- a state: D, T, L and their gradients ---- */

typedef struct volume {
    double D, T, L; /* L = ln J; NaN if the forms belong to no body */
    double of_D[FORMS], of_T[FORMS];
} volume;

static bool is_a_basis(const double *e, double D) {
    return e[0] > 0 && e[0] * e[1] - e[3] * e[3] > 0 && D > 0 && isfinite(D);
}

static volume volume_of(const double *data, const double *e) {
    volume v;
    tensors x = tensors_of(e);
    double MM[3][3], AA[3][3];
    cross(x.M, x.M, MM), cross(x.A, x.A, AA);
    gradients_of(e, v.of_D, v.of_T);
    v.D = product(x.A, AA) / 6;
    v.T = v.D - product(x.A, MM) / 6;
    bool body = is_a_basis(e, v.D) && v.T > 0 && isfinite(v.T);
    v.L = body ? log(v.T) - 0.5 * log(v.D) - (data ? data[TS_DILATATION_DRAWN] : 0) : NAN;
    return v;
}

double ts_dilatation_log_volume(const double e[TS_DILATATION_FORMS]) {
    return volume_of(NULL, e).L;
}

/* The gradient of L. */
static void log_gradient(const volume *v, double *l) {
    for (int k = 0; k < FORMS; k++) l[k] = v->of_T[k] / v->T - 0.5 * v->of_D[k] / v->D;
}

/* K += factor times the second derivatives of L */
static void add_log_hessian(const double *e, const volume *v, double factor, double *K) {
    double of_D[FORMS * FORMS], of_T[FORMS * FORMS];
    hessians_of(e, of_D, of_T);
    for (int r = 0; r < FORMS; r++)
        for (int c = 0; c < FORMS; c++)
            K[FORMS * r + c] +=
                factor * (of_T[FORMS * r + c] / v->T - 0.5 * of_D[FORMS * r + c] / v->D -
                          v->of_T[r] * v->of_T[c] / (v->T * v->T) +
                          0.5 * v->of_D[r] * v->of_D[c] / (v->D * v->D));
}

/* ---- divided differences, and their derivatives by the second point ---- */

typedef struct divided {
    double value, slope;
} divided;

/* atanh(y)/y and its derivative */
static divided atanh_ratio(double y) {
    divided d = {0, 0};
    if (!(fabs(y) < 0.4)) {
        double full = atanh(y) / y;
        return (divided){full, (1 / ((1 - y) * (1 + y)) - full) / y};
    }
    for (int n = 20; n > 0; n--) {
        d.slope = d.slope * y * y + 2.0 * n / (2 * n + 1);
        d.value = d.value * y * y + 1.0 / (2 * n + 1);
    }
    return (divided){1 + d.value * y * y, d.slope * y};
}

/* of ln, between a and b: k atanh(y)/y, k = 2/(a + b), y = (b - a)/(a + b) */
static divided divided_log(double a, double b) {
    double k = 2 / (a + b), y = (b - a) / (a + b);
    divided x = atanh_ratio(y);
    return (divided){k * x.value, 0.5 * k * k * ((1 - y) * x.slope - x.value)};
}

/* sinh(d)/d - 1 and its derivative */
static divided sinh_excess(double d) {
    double x = d * d;
    if (fabs(d) > 0.5) return (divided){sinh(d) / d - 1, (cosh(d) - sinh(d) / d) / d};
    return (divided){
        x / 6 * (1 + x / 20 * (1 + x / 42 * (1 + x / 72 * (1 + x / 110 * (1 + x / 156))))),
        d / 3 * (1 + x / 10 * (1 + x / 28 * (1 + x / 54 * (1 + x / 88 * (1 + x / 130)))))};
}

/* of U(L)/volume: (e^2b - e^2a)/(2 (b - a)) = e^(a + b) sinh(b - a)/(b - a) */
static divided divided_energy(const double *data, double a, double b) {
    divided h = sinh_excess(b - a);
    double kappa = 0.5 * data[TS_DILATATION_KAPPA], lambda = 0.5 * data[TS_DILATATION_LAMBDA];
    double more = expm1(a + b), e = 1 + more;
    return (divided){kappa * (more * (1 + h.value) + h.value) + lambda * (a + b),
                     kappa * e * (1 + h.value + h.slope) + lambda};
}

/* ---- energy, stress, tangent ---- */

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    double L = volume_of(data, e).L;
    return data[TS_DILATATION_WEIGHT] * L * divided_energy(data, 0, L).value; /* U(0) = 0 */
}

/* All of a step: both ends, the middle, divided differences, mean gradients. */
typedef struct over_step {
    volume i, f;
    double e_m[FORMS], jump[FORMS];
    divided U, T, D;                           /* by L, ln by T, ln by D */
    double g_T[FORMS], g_D[FORMS], g_L[FORMS]; /* mean gradients */
} over_step;

static over_step over(const ts_law_step *step) {
    over_step x;
    double D_m[FORMS], T_m[FORMS], D_j[FORMS], T_j[FORMS];
    x.i = volume_of(step->data, step->e_i), x.f = volume_of(step->data, step->e_f);
    for (int k = 0; k < FORMS; k++) {
        x.jump[k] = step->e_f[k] - step->e_i[k];
        x.e_m[k] = step->e_i[k] + 0.5 * x.jump[k];
    }
    x.U = divided_energy(step->data, x.i.L, x.f.L);
    x.T = divided_log(x.i.T, x.f.T), x.D = divided_log(x.i.D, x.f.D);
    gradients_of(x.e_m, D_m, T_m), gradients_of(x.jump, D_j, T_j);
    for (int k = 0; k < FORMS; k++) {
        x.g_T[k] = T_m[k] + T_j[k] / 12, x.g_D[k] = D_m[k] + D_j[k] / 12;
        x.g_L[k] = x.T.value * x.g_T[k] - 0.5 * x.D.value * x.g_D[k];
    }
    return x;
}

/* ds of the elastic stress; the mean gradients change with the end by the second derivatives at
 * e_m/2 + jump/12. */
static void tangent(const double *data, const over_step *x, double *ds) {
    double between[FORMS], l[FORMS], of_D[FORMS * FORMS], of_T[FORMS * FORMS];
    double W = data[TS_DILATATION_WEIGHT], q = W * x->U.value;
    for (int k = 0; k < FORMS; k++) between[k] = 0.5 * x->e_m[k] + x->jump[k] / 12;
    log_gradient(&x->f, l);
    hessians_of(between, of_D, of_T);
    for (int r = 0; r < FORMS; r++)
        for (int c = 0; c < FORMS; c++)
            ds[FORMS * r + c] =
                W * x->U.slope * x->g_L[r] * l[c] +
                q * (x->T.slope * x->g_T[r] * x->f.of_T[c] + x->T.value * of_T[FORMS * r + c] -
                     0.5 * (x->D.slope * x->g_D[r] * x->f.of_D[c] +
                            x->D.value * of_D[FORMS * r + c]));
}

static double modulus(const double *data) {
    return data[TS_DILATATION_WEIGHT] * (data[TS_DILATATION_LAMBDA] + data[TS_DILATATION_KAPPA]);
}

/* Stress rate N (l . jump) l, with l = grad L in the middle. */
static void add_damping(const ts_law_step *step, double rate, const over_step *x,
                        ts_response *out) {
    double l[FORMS], H[FORMS * FORMS] = {0}, along = 0, N = rate * modulus(step->data);
    volume middle = volume_of(step->data, x->e_m);
    log_gradient(&middle, l);
    add_log_hessian(x->e_m, &middle, 0.5, H);
    for (int k = 0; k < FORMS; k++) along += l[k] * x->jump[k];
    for (int c = 0; c < FORMS; c++) {
        double by_end = l[c];
        for (int k = 0; k < FORMS; k++) by_end += x->jump[k] * H[FORMS * k + c];
        for (int r = 0; r < FORMS; r++)
            out->ds[FORMS * r + c] += N * (by_end * l[r] + along * H[FORMS * r + c]);
        out->s[c] += N * along * l[c];
    }
    out->dissipated = N * along * along;
}

static void respond(const ts_law_step *step, ts_response *out) {
    over_step x = over(step);
    double W = step->data[TS_DILATATION_WEIGHT];
    for (int k = 0; k < FORMS; k++) out->s[k] = W * x.U.value * x.g_L[k];
    tangent(step->data, &x, out->ds);
    out->stored = W * x.f.L * divided_energy(step->data, 0, x.f.L).value;
    out->dissipated = out->work = 0;
    double rate = step->data[TS_DILATATION_ETA] * ts_step_rate(step);
    if (rate > 0) add_damping(step, rate, &x, out);
}

/* The stress is a pressure times grad L: another pressure changes ds by the second derivatives of L
 * (half, as ds is for both ends). */
static void meant(const ts_law_step *step, const double *stress, ts_response *out) {
    volume v = volume_of(step->data, step->e_f);
    double l[FORMS], along = 0, square = 0;
    log_gradient(&v, l);
    for (int k = 0; k < FORMS; k++) along += l[k] * (stress[k] - out->s[k]), square += l[k] * l[k];
    if (isfinite(along / square)) add_log_hessian(step->e_f, &v, 0.5 * along / square, out->ds);
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)m;
    volume v = volume_of(data, e);
    double l[FORMS];
    log_gradient(&v, l);
    for (int i = 0; i < FORMS * FORMS; i++)
        K[i] = isnan(v.L) ? 0 : modulus(data) * l[i / FORMS] * l[i % FORMS];
}

static bool conserves(const double *data) { return data[TS_DILATATION_ETA] == 0; }

/* Strain J - 1; force: the mean normal stress dU/dJ, times the weight. */
static void section(const double *data, const double *e, int point, double *strain, double *force) {
    (void)point;
    double L = volume_of(data, e).L;
    strain[0] = expm1(L);
    force[0] = data[TS_DILATATION_WEIGHT] * divided_energy(data, L, L).value * exp(-L);
}

const ts_law TS_DILATATION_LAW = {.name = "dilatation",
                                  .energy = energy,
                                  .respond = respond,
                                  .conserves = conserves,
                                  .meant = meant,
                                  .stiffness = stiffness,
                                  .section = section};
