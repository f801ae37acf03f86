/* SPDX-License-Identifier: Apache-2.0 */
/* Hyperelastic solids over the forms e = (E11, E22, E33, 2 E12, 2 E23, 2 E13), E = (C - I)/2,
 * C = F^T F, J^2 = det C:
 *
 *     V = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2                neo-Hookean, coupled
 *       + c10 (J^-2/3 I1 - 3) + c01 (J^-4/3 I2 - 3)
 *       Mooney-Rivlin, isochoric; I1, I2 of C
 *       + kappa/2 ((J^2 - 1)/2 - ln J)                               volumetric (Simo & Taylor)
 *
 * Written with invariants of E, all polynomials of e,
 *
 *     t = 2 tr E ,   r = 4 I2(E) ,   w = 8 det E ,   z = J^2 - 1 = t + r + w ,
 *
 * the terms of first order cancel by algebra instead of by subtraction, so that energy and stress
 * keep their relative precision down to the smallest strains. With c = J^2/3 = 1 + y, I1 - 3
 * c = a - r - w and I2 - 3 c^2 = b - r - 2 w:
 *
 *     V = mu/2 (f - r - w) + lambda/8 L^2 + c10 (a - r - w)/c + c01 (b - r - 2 w)/c^2 + kappa/4 f
 *     L = ln(1 + z) ,   f = z - L ,   y = (1 + z)^1/3 - 1 ,   a = y^2 (3 + y) ,
 *     b = y^2 (3 + 2 y) .
 *
 * The stress over a step follows by the discrete chain rule. D means divided difference for
 * functions of z, and for t, r, w the mean gradient along the step (Dr at the middle; Dw = 8 [cof
 * E_m + cof(E_f - E_i)/12]), so Dx.(e_f - e_i) = x_f - x_i. A product x y has the discrete gradient
 * x_m Dy + y_m Dx, m marking the mean of both ends. So (L) holds to round-off for steps of any
 * size, without quadrature and without correction; s is symmetric in both ends; and kappa, which is
 * large in a nearly incompressible solid, multiplies the divided difference of f, so that its
 * errors are relative to the pressure, not to kappa. The idea is that of O. Gonzalez, Comput.
 * Methods Appl. Mech. Engrg. 190 (2000) 1763, and of P. Betsch, A. Janz, C. Hesch, the same 335
 * (2018) 660, in closed form.
 *
 * Damping and the stiffness for ED have moduli that are constant in space, M = mu + 2 (c10 + c01)
 * and N = lambda + kappa - 4/3 (c10 + c01):
 *
 *     K(C) : dE = 2 M C^-1 dE C^-1 + N (C^-1 : dE) C^-1 ,
 *
 * the tangent at zero strain when C = I, and positive (semi-)definite for every C. In a nearly
 * incompressible solid its stiff direction stays that of the volume. The damping is eta K(C_m)
 * (e_f - e_i)/h.
 *
 * In statics an iterate may have an erroneous change of volume whose pressure, kappa times this
 * change, is larger than all other terms; the derivative of the stress contains that pressure.
 * `meant` replaces it by the pressure that the linear increment predicted, as static.c does in the
 * geometric stiffness: as if pressure were an unknown of its own. The pressure follows from a
 * stress by C : grad z = 6 J^2.
 *
 * Where C is not positive definite, energy and stress are NaN, which makes Newton's method take a
 * shorter step. C = F^T F does not show that an element is mirrored; the code that computes F must
 * check its determinant.
 */
#include "laws/hyperelastic_law.h"

#include <string.h>

/* ---- symmetric tensors: 11, 22, 33, 12, 23, 13 ---- */

static const int ROW[6] = {0, 1, 2, 0, 1, 0}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
static const int AT[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
static const double UNIT[6] = {1, 1, 1, 0, 0, 0};

static void cofactor(const double *X, double *out) {
    out[0] = X[1] * X[2] - X[4] * X[4];
    out[1] = X[0] * X[2] - X[5] * X[5];
    out[2] = X[0] * X[1] - X[3] * X[3];
    out[3] = X[5] * X[4] - X[3] * X[2];
    out[4] = X[3] * X[5] - X[4] * X[0];
    out[5] = X[3] * X[4] - X[5] * X[1];
}

/* A += factor times the derivative of cof X by e */
static void add_cofactor_slope(const double *X, double factor, double *A) {
    const double slope[36] = {0,     X[2],  X[1],  0,           -X[4],       0,          /* 11 */
                              X[2],  0,     X[0],  0,           0,           -X[5],      /* 22 */
                              X[1],  X[0],  0,     -X[3],       0,           0,          /* 33 */
                              0,     0,     -X[3], -0.5 * X[2], 0.5 * X[5],  0.5 * X[4], /* 12 */
                              -X[4], 0,     0,     0.5 * X[5],  -0.5 * X[0], 0.5 * X[3], /* 23 */
                              0,     -X[5], 0,     0.5 * X[4],  0.5 * X[3],  -0.5 * X[1]};
    for (int i = 0; i < 36; i++) A[i] += factor * slope[i];
}

/* A += factor times the derivative by e of r's gradient, 4 (tr E I - E) */
static void add_r_slope(double factor, double *A) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[6 * i + j] += i == j ? 0 : 4 * factor;
    for (int i = 3; i < 6; i++) A[7 * i] -= 2 * factor;
}

static void add_outer(const double *x, const double *y, double factor, double *A) {
    for (int i = 0; i < 36; i++) A[i] += factor * x[i / 6] * y[i % 6];
}

/* A += factor times the derivative by e of the symmetric part of X E Y */
static void add_sandwich(const double *X, const double *Y, double factor, double *A) {
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
            int k = ROW[a], l = COLUMN[a], m = ROW[b], n = COLUMN[b];
            A[6 * a + b] += 0.25 * factor *
                            (X[AT[k][m]] * Y[AT[n][l]] + X[AT[k][n]] * Y[AT[m][l]] +
                             X[AT[l][m]] * Y[AT[n][k]] + X[AT[l][n]] * Y[AT[m][k]]);
        }
}

static double dot(const double *x, const double *y) {
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += x[k] * y[k];
    return sum;
}

static void tensor_of(const double *e, double *E) {
    for (int k = 0; k < 6; k++) E[k] = k < 3 ? e[k] : 0.5 * e[k];
}

/* ---- a state of strain ---- */

typedef struct strain {
    double E[6], cof[6];  /* of E */
    double t, r, w, z, j; /* j = 1 + z */
    double L, y, c;       /* c = j^1/3 = 1 + y */
    double I1, I2;        /* I1 - 3 c and I2 - 3 c^2, of second order */
} strain;

static bool is_positive_definite(const double *E, double j) {
    double C11 = 1 + 2 * E[0], C22 = 1 + 2 * E[1], C12 = 2 * E[3];
    return C11 > 0 && C11 * C22 - C12 * C12 > 0 && j > 0 && isfinite(j);
}

static strain strain_of(const double *e) {
    strain x;
    tensor_of(e, x.E);
    cofactor(x.E, x.cof);
    x.t = 2 * (x.E[0] + x.E[1] + x.E[2]);
    x.r = 4 * (x.cof[0] + x.cof[1] + x.cof[2]);
    x.w = 8 * (x.E[0] * x.cof[0] + x.E[3] * x.cof[3] + x.E[5] * x.cof[5]);
    x.z = x.t + (x.r + x.w);
    x.j = is_positive_definite(x.E, 1 + x.z) ? 1 + x.z : NAN;
    x.L = isnan(x.j) ? NAN : log1p(x.z);
    x.y = expm1(x.L / 3);
    x.c = 1 + x.y;
    x.I1 = x.y * x.y * (3 + x.y) - (x.r + x.w);
    x.I2 = x.y * x.y * (3 + 2 * x.y) - (x.r + 2 * x.w);
    return x;
}

/* gradient of z by e: 2 cof C */
static void volume_gradient(const strain *x, double *out) {
    for (int k = 0; k < 6; k++) out[k] = UNIT[k] * (2 + 2 * x->t) - 4 * x->E[k] + 8 * x->cof[k];
}

/* cof(C)/j; the unit tensor if C belongs to no strain */
static void inverse_of(const strain *x, double *B) {
    volume_gradient(x, B);
    for (int k = 0; k < 6; k++) B[k] = isnan(x->j) ? UNIT[k] : 0.5 * B[k] / x->j;
}

/* functions of z: divided differences between two states, and their derivatives by the second */

typedef struct divided {
    double value, slope;
} divided;

/* atanh(y)/y - 1 and its derivative */
static divided atanh_excess(double y) {
    divided d = {0, 0};
    if (!(fabs(y) < 0.4)) {
        double full = atanh(y) / y;
        return (divided){full - 1, (1 / ((1 - y) * (1 + y)) - full) / y};
    }
    for (int n = 20; n > 0; n--) {
        d.slope = d.slope * y * y + 2.0 * n / (2 * n + 1);
        d.value = d.value * y * y + 1.0 / (2 * n + 1);
    }
    return (divided){d.value * y * y, d.slope * y};
}

/* D of L: k atanh(y)/y, k = 2/(j_a + j_b), y = (z_b - z_a)/(j_a + j_b); D of f is 1 - DL */
static void divided_log(const strain *a, const strain *b, divided *log, divided *f) {
    double sum = a->j + b->j, k = 2 / sum, y = (b->z - a->z) / sum;
    divided x = atanh_excess(y);
    log->value = k * (1 + x.value);
    log->slope = 0.5 * k * k * ((1 - y) * x.slope - 1 - x.value);
    f->value = (a->z + b->z - 2 * x.value) / sum;
    f->slope = -log->slope;
}

/* All that the energy needs between two states; P = 1/c, Q = 1/c^2. */
typedef struct chain {
    divided L, f, a, b, P, Q;
    double P_f, Q_f, a_f, b_f; /* derivatives at the end */
} chain;

/* Dc = 1/(c_a^2 + c_a c_b + c_b^2); the others follow from it. */
static void divided_powers(const strain *i, const strain *f, chain *x) {
    double A = i->c, B = f->c, sum = i->y + f->y, square = i->y * i->y + i->y * f->y + f->y * f->y;
    double Dc = 1 / (A * A + A * B + B * B), c_f = 1 / (3 * B * B);
    double Dc_f = -(A + 2 * B) * Dc * Dc * c_f, sum_f = (i->y + 2 * f->y) * c_f;
    x->a = (divided){(3 * sum + square) * Dc, (3 * sum + square) * Dc_f + (3 * c_f + sum_f) * Dc};
    x->b = (divided){(3 * sum + 2 * square) * Dc,
                     (3 * sum + 2 * square) * Dc_f + (3 * c_f + 2 * sum_f) * Dc};
    x->P = (divided){-Dc / (A * B), (c_f * Dc / B - Dc_f) / (A * B)};
    x->P_f = -c_f / (B * B), x->Q_f = 2 * x->P_f / B;
    x->Q =
        (divided){(1 / A + 1 / B) * x->P.value, (1 / A + 1 / B) * x->P.slope + x->P_f * x->P.value};
    x->a_f = 3 * f->y * (2 + f->y) * c_f, x->b_f = 6 * f->y * (1 + f->y) * c_f;
}

static chain chain_of(const strain *i, const strain *f) {
    chain x;
    divided_log(i, f, &x.L, &x.f);
    divided_powers(i, f, &x);
    return x;
}

/* ---- the energy ---- */

static double energy_of(const double *n, const strain *x) {
    static const strain none = {.j = 1, .c = 1};
    divided log, excess;
    divided_log(&none, x, &log, &excess);
    double f = x->z * excess.value; /* f is zero at zero */
    return n[TS_HYPER_WEIGHT] *
           (0.5 * n[TS_HYPER_MU] * (f - (x->r + x->w)) + 0.125 * n[TS_HYPER_LAMBDA] * x->L * x->L +
            n[TS_HYPER_C10] * x->I1 / x->c + n[TS_HYPER_C01] * x->I2 / (x->c * x->c) +
            0.25 * n[TS_HYPER_KAPPA] * f);
}

static double energy(const double *data, const double *memory, int m, const double *e) {
    (void)memory, (void)m;
    strain x = strain_of(e);
    return energy_of(data, &x);
}

/* ---- the stress: volume Dz + of_r Dr + of_w Dw ---- */

typedef struct weights {
    double volume, of_r, of_w;
    double volume_z, volume_r, volume_w; /* derivatives by the invariants of the end */
    double of_r_z, of_w_z;
} weights;

static weights weights_of(const double *n, const strain *i, const strain *f) {
    double W = n[TS_HYPER_WEIGHT], mu = W * n[TS_HYPER_MU], c10 = W * n[TS_HYPER_C10],
           c01 = W * n[TS_HYPER_C01], of_f = 0.5 * mu + 0.25 * W * n[TS_HYPER_KAPPA],
           of_L = 0.125 * W * n[TS_HYPER_LAMBDA], L = of_L * (i->L + f->L);
    double I1 = 0.5 * (i->I1 + f->I1), I2 = 0.5 * (i->I2 + f->I2), P = 0.5 * (1 / i->c + 1 / f->c),
           Q = 0.5 * (1 / (i->c * i->c) + 1 / (f->c * f->c));
    chain x = chain_of(i, f);
    return (weights){
        .volume = of_f * x.f.value + L * x.L.value + c10 * (I1 * x.P.value + P * x.a.value) +
                  c01 * (I2 * x.Q.value + Q * x.b.value),
        .of_r = -0.5 * mu - c10 * P - c01 * Q,
        .of_w = -0.5 * mu - c10 * P - 2 * c01 * Q,
        .volume_z =
            of_f * x.f.slope + L * x.L.slope + of_L * x.L.value / f->j +
            c10 * (I1 * x.P.slope + P * x.a.slope + 0.5 * (x.a_f * x.P.value + x.P_f * x.a.value)) +
            c01 * (I2 * x.Q.slope + Q * x.b.slope + 0.5 * (x.b_f * x.Q.value + x.Q_f * x.b.value)),
        .volume_r = -0.5 * (c10 * x.P.value + c01 * x.Q.value),
        .volume_w = -0.5 * c10 * x.P.value - c01 * x.Q.value,
        .of_r_z = -0.5 * (c10 * x.P_f + c01 * x.Q_f),
        .of_w_z = -0.5 * c10 * x.P_f - c01 * x.Q_f};
}

/* Mean gradients over the step; E_m and the jump are tensors. */
typedef struct gradients {
    double E_m[6], jump[6], r[6], w[6], z[6];
} gradients;

static gradients gradients_of(const strain *a, const double *e_i, const double *e_f) {
    gradients x;
    double jump[6], of_mean[6], of_jump[6];
    for (int k = 0; k < 6; k++) jump[k] = e_f[k] - e_i[k];
    tensor_of(jump, x.jump);
    for (int k = 0; k < 6; k++) x.E_m[k] = a->E[k] + 0.5 * x.jump[k];
    cofactor(x.E_m, of_mean);
    cofactor(x.jump, of_jump);
    double trace = x.E_m[0] + x.E_m[1] + x.E_m[2];
    for (int k = 0; k < 6; k++) {
        x.r[k] = 4 * (trace * UNIT[k] - x.E_m[k]);
        x.w[k] = 8 * (of_mean[k] + of_jump[k] / 12);
        x.z[k] = 2 * UNIT[k] + x.r[k] + x.w[k];
    }
    return x;
}

static void stress(const weights *c, const gradients *d, double *s) {
    for (int k = 0; k < 6; k++) s[k] = c->volume * d->z[k] + c->of_r * d->r[k] + c->of_w * d->w[k];
}

static void tangent(const weights *c, const gradients *d, const strain *end, double *A) {
    double z_f[6], r_f[6], by_end[6], more[6];
    volume_gradient(end, z_f);
    for (int k = 0; k < 6; k++) {
        r_f[k] = 2 * end->t * UNIT[k] - 4 * end->E[k];
        by_end[k] = c->volume_z * z_f[k] + c->volume_r * r_f[k] + c->volume_w * 8 * end->cof[k];
        more[k] = c->of_r_z * d->r[k] + c->of_w_z * d->w[k];
    }
    memset(A, 0, 36 * sizeof *A);
    add_outer(d->z, by_end, 1, A);
    add_outer(more, z_f, 1, A);
    add_r_slope(0.5 * (c->volume + c->of_r), A);
    add_cofactor_slope(d->E_m, 4 * (c->volume + c->of_w), A);
    add_cofactor_slope(d->jump, 2.0 / 3 * (c->volume + c->of_w), A);
}

/* ---- stiffness and damping ---- */

static void moduli(const double *n, double *M, double *N) {
    double iso = n[TS_HYPER_WEIGHT] * (n[TS_HYPER_C10] + n[TS_HYPER_C01]);
    *M = n[TS_HYPER_WEIGHT] * n[TS_HYPER_MU] + 2 * iso;
    *N = n[TS_HYPER_WEIGHT] * (n[TS_HYPER_LAMBDA] + n[TS_HYPER_KAPPA]) - 4.0 / 3 * iso;
}

static void stiffness(const double *data, const double *memory, int m, const double *e, double *K) {
    (void)memory, (void)m;
    strain x = strain_of(e);
    double B[6], M, N;
    inverse_of(&x, B);
    moduli(data, &M, &N);
    memset(K, 0, 36 * sizeof *K);
    add_sandwich(B, B, 2 * M, K);
    add_outer(B, B, N, K);
}

/* B S B, symmetric */
static void congruent(const double *B, const double *S, double *out) {
    for (int a = 0; a < 6; a++) {
        out[a] = 0;
        for (int m = 0; m < 3; m++)
            for (int n = 0; n < 3; n++)
                out[a] += B[AT[ROW[a]][m]] * S[AT[m][n]] * B[AT[n][COLUMN[a]]];
    }
}

/* Stress F = rate [2 M B S B + N (B : S) B], B = C_m^-1, S = E_f - E_i; dB = -B dE B. */
static void add_damping(const ts_law_step *step, double rate, const gradients *d,
                        ts_response *out) {
    double e_m[6], jump[6], B[6], D[6], F[6], B_D[6], M, N;
    for (int k = 0; k < 6; k++) {
        jump[k] = step->e_f[k] - step->e_i[k];
        e_m[k] = step->e_i[k] + 0.5 * jump[k];
    }
    strain mean = strain_of(e_m);
    inverse_of(&mean, B);
    congruent(B, d->jump, D);
    moduli(step->data, &M, &N);
    double volume = dot(B, jump);
    for (int k = 0; k < 6; k++) {
        F[k] = rate * (2 * M * D[k] + N * volume * B[k]);
        B_D[k] = B[k] - D[k];
        out->s[k] += F[k];
    }
    out->dissipated = fmax(0, dot(F, jump));
    add_sandwich(B, B, rate * (2 * M - N * volume), out->ds);
    add_sandwich(B, D, -4 * rate * M, out->ds);
    add_outer(B, B_D, rate * N, out->ds);
}

static void respond(const ts_law_step *step, ts_response *out) {
    strain start = strain_of(step->e_i), end = strain_of(step->e_f);
    weights c = weights_of(step->data, &start, &end);
    gradients d = gradients_of(&start, step->e_i, step->e_f);
    stress(&c, &d, out->s);
    tangent(&c, &d, &end, out->ds);
    out->stored = energy_of(step->data, &end);
    out->dissipated = out->work = 0;
    double rate = step->data[TS_HYPER_ETA] * ts_step_rate(step);
    if (rate > 0) add_damping(step, rate, &d, out);
}

static void stress_alone(const ts_law_step *step, double *s) {
    if (step->data[TS_HYPER_ETA] * ts_step_rate(step) > 0) {
        ts_response r;
        respond(step, &r);
        memcpy(s, r.s, 6 * sizeof *s);
        return;
    }
    strain start = strain_of(step->e_i), end = strain_of(step->e_f);
    weights c = weights_of(step->data, &start, &end);
    gradients d = gradients_of(&start, step->e_i, step->e_f);
    stress(&c, &d, s);
}

static bool conserves(const double *data) { return data[TS_HYPER_ETA] == 0; }

static void meant(const ts_law_step *step, const double *stress, ts_response *out) {
    strain x = strain_of(step->e_f);
    double difference = 0;
    for (int k = 0; k < 6; k++)
        difference += (UNIT[k] + (k < 3 ? 2 : 4) * x.E[k]) * (stress[k] - out->s[k]);
    double more = difference / (6 * x.j);
    if (!isfinite(more)) return;
    add_r_slope(0.5 * more, out->ds);
    add_cofactor_slope(x.E, 4 * more, out->ds);
}

const ts_law TS_HYPERELASTIC_LAW = {.name = "hyperelastic",
                                    .energy = energy,
                                    .respond = respond,
                                    .stress = stress_alone,
                                    .conserves = conserves,
                                    .meant = meant,
                                    .stiffness = stiffness};

/* ---- linear solids ---- */

void ts_isotropic_stiffness(double E, double nu, double K[36]) {
    double G = E / (2 * (1 + nu)), lambda = 2 * G * nu / (1 - 2 * nu);
    for (int i = 0; i < 36; i++) K[i] = i / 6 < 3 && i % 6 < 3 ? lambda : 0;
    for (int i = 0; i < 6; i++) K[7 * i] += i < 3 ? 2 * G : G;
}
