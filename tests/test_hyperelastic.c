/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of solids: (L) to round-off for steps of every size, derivatives, small strains, closed
 * forms, near incompressibility, damping.
 *
 * The oracle is another way of writing the same energies, by principal stretches: with
 * x_i = ln(stretch), X = sum x_i = ln J and y_i = x_i - X/3,
 *
 *     coupled       mu (sum T(2 x_i))/2 + lambda X^2/2 ,     T(a) = e^a - 1 - a
 *     isochoric     c10 sum T(2 y_i) + c01 sum T(-2 y_i)     (sum y_i = 0)
 *     volumetric    kappa/4 T(2 X)
 *
 * in long double, T by its series: nothing cancels.
 */
#include "rig.h"

#include "laws/hyperelastic_law.h"

enum { SITES = 8, ISOCHORIC = 5 };

/* weight, eta, mu, lambda, c10, c01, kappa */
static const double SOLID[SITES][TS_HYPER_NUMBERS] = {
    {0.3, 0, 1.1, 1.5, 0, 0, 0}, /* neo-Hookean, coupled */
    {0.3, 0, 1.1, 0, 0, 0, 0},   /* ... its shear share */
    {0.3, 0, 0, 1.5, 0, 0, 0},   /* ... its volumetric share */
    {2, 0, 0, 0, 0.5, 0, 3},     /* neo-Hookean, decoupled */
    {2, 0, 0, 0, 0.4, 0.15, 20}, /* Mooney-Rivlin */
    {2, 0, 0, 0, 0.4, 0.15, 0},  /* ... isochoric */
    {2, 0, 0, 0, 0, 0, 20},      /* ... volumetric */
    {1, 0, 0, 0, 0.4, 0.1, 1e5}, /* nearly incompressible */
};

static double shear_modulus(const double *n) {
    return n[TS_HYPER_WEIGHT] * (n[TS_HYPER_MU] + 2 * (n[TS_HYPER_C10] + n[TS_HYPER_C01]));
}
static double bulk_modulus(const double *n) {
    return n[TS_HYPER_WEIGHT] * (n[TS_HYPER_LAMBDA] + 2.0 / 3 * n[TS_HYPER_MU] + n[TS_HYPER_KAPPA]);
}

/* ---- strains ---- */

static double size6(const double *x) {
    double sum = 0;
    for (int k = 0; k < 6; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* e = (C - I)/2 of stretches along the columns of R */
static void strain_from(m3 R, const double *stretch, double *e) {
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        e[k] = 0;
        for (int i = 0; i < 3; i++) {
            double c[3];
            v3_store(c, R.c[i]);
            e[k] +=
                (k < 3 ? 0.5 : 1) * (stretch[i] - 1) * (stretch[i] + 1) * c[row[k]] * c[column[k]];
        }
    }
}

/* Stretches between 1/(1 + much) and 1 + much, any directions. */
static void random_strain(double much, double *e) {
    double stretch[3];
    for (int i = 0; i < 3; i++) {
        double x = rig_random() * log1p(much);
        stretch[i] = exp(x);
    }
    strain_from(rig_rotation(), stretch, e);
}

/* A random strain of (nearly) constant volume: J = 1 + slack times chance. */
static void random_isochoric(double much, double slack, double *e) {
    double x[3], sum = 0, J = 1 + slack * rig_random();
    for (int i = 0; i < 3; i++) x[i] = rig_random() * log1p(much), sum += x[i] / 3;
    for (int i = 0; i < 3; i++) x[i] = exp(x[i] - sum) * cbrt(J);
    strain_from(rig_rotation(), x, e);
}

static ts_law_step step_of(const double *n, const double *e_i, const double *e_f, double h) {
    return (ts_law_step){.m = 6, .data = n, .e_i = e_i, .e_f = e_f, .t_i = 0.7, .t_f = 0.7 + h};
}

static ts_response response(const double *n, const double *e_i, const double *e_f, double h) {
    ts_response r;
    memset(&r, 0xff, sizeof r); // NaN: the law has to fill all of it
    ts_law_step step = step_of(n, e_i, e_f, h);
    TS_HYPERELASTIC_LAW.respond(&step, &r);
    return r;
}

static double stored(const double *n, const double *e) {
    return TS_HYPERELASTIC_LAW.energy(n, NULL, 6, e);
}

/* ---- the oracle ---- */

static long double tail(long double a) {
    if (fabsl(a) > 0.5L) return expm1l(a) - a;
    long double sum = 0, term = a;
    for (int n = 2; n < 40; n++) term *= a / n, sum += term;
    return sum;
}

/* Energy and the derivatives by x_i. */
static long double oracle(const double *n, const long double *x, long double *by_x) {
    long double X = x[0] + x[1] + x[2], V = 0, mean1 = 0, mean2 = 0;
    for (int i = 0; i < 3; i++) {
        long double y = x[i] - X / 3;
        V += n[TS_HYPER_MU] * tail(2 * x[i]) / 2 + n[TS_HYPER_C10] * tail(2 * y) +
             n[TS_HYPER_C01] * tail(-2 * y);
        mean1 += expm1l(2 * y) / 3, mean2 += expm1l(-2 * y) / 3;
    }
    V += n[TS_HYPER_LAMBDA] * X * X / 2 + n[TS_HYPER_KAPPA] / 4 * tail(2 * X);
    for (int i = 0; i < 3; i++) {
        long double y = x[i] - X / 3;
        by_x[i] = n[TS_HYPER_MU] * expm1l(2 * x[i]) + n[TS_HYPER_LAMBDA] * X +
                  2 * n[TS_HYPER_C10] * (expm1l(2 * y) - mean1) -
                  2 * n[TS_HYPER_C01] * (expm1l(-2 * y) - mean2) +
                  n[TS_HYPER_KAPPA] / 2 * expm1l(2 * X);
    }
    return V * n[TS_HYPER_WEIGHT];
}

/* Energy and stress of a state with strains E1, E2, E3 along the axes: x = ln(1 + 2 E)/2. */
static void check_state(const double *n, const double *e, double tolerance) {
    long double x[3], by_x[3];
    for (int i = 0; i < 3; i++) x[i] = log1pl(2 * (long double)e[i]) / 2;
    double V = (double)oracle(n, x, by_x), s[3], scale = 0;
    ts_response r = response(n, e, e, 0);
    for (int i = 0; i < 3; i++) {
        s[i] = (double)(by_x[i] * n[TS_HYPER_WEIGHT] / (1 + 2 * (long double)e[i]));
        scale = fmax(scale, fabs(s[i]));
    }
    /* a share that vanishes for this strain is measured by its modulus */
    double size = size6(e), modulus = shear_modulus(n) + bulk_modulus(n);
    assert_true(fabs(stored(n, e) - V) <= tolerance * fmax(V, 0.1 * modulus * size * size));
    scale = fmax(scale, 0.1 * modulus * size);
    for (int i = 0; i < 3; i++) assert_true(fabs(r.s[i] - s[i]) <= tolerance * scale);
    for (int i = 3; i < 6; i++) assert_true(fabs(r.s[i]) <= 1e-15 * scale);
}

static void energy_and_stress_are_the_oracles(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++)
        for (int n = 0; n < 300; n++) {
            double much = pow(10, -12 + 12 * (n / 299.0)), e[6] = {0};
            double limit = 4e-14;
            for (int i = 0; i < 3; i++) {
                double x = much * rig_random();
                e[i] = 0.5 * expm1(1.4 * x);
            }
            check_state(SOLID[k], e, limit);
        }
}

/* At strains of 1e-8 the energy is 1e-16 of the modulus, and right to 13 digits all the same. */
static void tiny_strains_keep_their_digits(void **state) {
    (void)state;
    const double e[6] = {1e-8, -0.4e-8, 0.1e-8};
    for (int k = 0; k < SITES - 1; k++) check_state(SOLID[k], e, 1e-14);
    /* V = G gamma^2/2 but for terms of relative size kappa/G gamma^2 */
    const double shear[6] = {0, 0, 0, 2e-8, 0, 0};
    for (int k = 0; k < SITES; k++) {
        double G = shear_modulus(SOLID[k]);
        if (G == 0) continue;
        double more = 1e-13 + bulk_modulus(SOLID[k]) / G * 4e-16;
        ts_response r = response(SOLID[k], shear, shear, 0);
        assert_true(fabs(stored(SOLID[k], shear) - 2e-16 * G) <= more * 2e-16 * G);
        assert_true(fabs(r.s[3] - 2e-8 * G) <= more * 2e-8 * G);
    }
}

/* ---- (L) ---- */

/* What the work misses of the energy; and its natural scale, in which a last digit of e counts as
 * much as one of V. */
static double account(const double *n, const double *e_i, const double *e_f, double h,
                      double *scale) {
    ts_response r = response(n, e_i, e_f, h);
    double work = 0, V_i = stored(n, e_i), V_f = stored(n, e_f), jump[6];
    for (int k = 0; k < 6; k++) jump[k] = e_f[k] - e_i[k], work += r.s[k] * jump[k];
    assert_true(r.stored == V_f && r.dissipated >= 0 && r.work == 0);
    *scale = fmax(fmax(V_i, V_f), size6(r.s) * fmax(size6(e_i), size6(e_f)));
    return fabs(work - (V_f - V_i) - r.dissipated);
}

/* Steps of every size between stretches from 1/2 to 2. Shares that vanish for some strains are
 * measured by the moduli; the isochoric one loses a digit where volume has shrunk to an eighth. */
static void work_is_energy(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++) {
        double worst = 0;
        for (int n = 0; n < 4000; n++) {
            double e_i[6], e_f[6], far[6], scale, size = pow(10, -12 + 12 * (n / 3999.0));
            random_strain(n % 3 ? 1 : 1e-3, e_i), random_strain(1, far);
            for (int l = 0; l < 6; l++) e_f[l] = e_i[l] + size * (far[l] - e_i[l]);
            double off = account(SOLID[k], e_i, e_f, 1e-3, &scale);
            double size_f = size6(e_f), floor = shear_modulus(SOLID[k]) * size_f * size_f;
            worst = fmax(worst, off / fmax(scale, floor));
        }
        if (!(worst < (k == ISOCHORIC ? 5e-14 : 1e-14)))
            fail_msg("solid %d: work and energy differ by %.2g", k, worst);
    }
}

/* Large motions of constant volume, kappa/mu = 1e5: the scale is the energy of shear, not that of
 * kappa. */
static void incompressible_work_is_energy(void **state) {
    (void)state;
    const double *n = SOLID[SITES - 1];
    double worst = 0;
    for (int k = 0; k < 4000; k++) {
        double e_i[6], e_f[6], scale;
        random_isochoric(0.8, 1e-5, e_i), random_isochoric(0.8, 1e-5, e_f);
        double off = account(n, e_i, e_f, 1e-3, &scale);
        worst = fmax(worst, off / fmax(scale, shear_modulus(n)));
    }
    print_message("(L), kappa/mu = 1e5: %.2g of the energy\n", worst);
    assert_true(worst < 1e-14);
}

static void both_ends_are_alike(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++)
        for (int n = 0; n < 200; n++) {
            double a[6], b[6];
            random_strain(1, a), random_strain(1, b);
            ts_response ab = response(SOLID[k], a, b, 0), ba = response(SOLID[k], b, a, 0);
            double size = size6(ab.s);
            for (int i = 0; i < 6; i++) assert_true(fabs(ab.s[i] - ba.s[i]) <= 1e-12 * size);
        }
}

/* ---- derivatives ---- */

/* Fourth-order differences of s by e_f. */
static void check_derivative(const double *n, const double *e_i, const double *e_f, double h) {
    ts_response r = response(n, e_i, e_f, h);
    double size = 0, off = 0, d = 1e-3;
    for (int k = 0; k < 6; k++) {
        double e[4][6], at[4] = {-2, -1, 1, 2};
        ts_response near[4];
        for (int p = 0; p < 4; p++) {
            memcpy(e[p], e_f, sizeof e[p]);
            e[p][k] += at[p] * d;
            near[p] = response(n, e_i, e[p], h);
        }
        for (int i = 0; i < 6; i++) {
            double slope =
                (8 * (near[2].s[i] - near[1].s[i]) - (near[3].s[i] - near[0].s[i])) / (12 * d);
            size = fmax(size, fabs(slope)), off = fmax(off, fabs(slope - r.ds[6 * i + k]));
        }
    }
    if (!(off <= 2e-8 * size)) fail_msg("derivative: off by %.3g of %.3g", off, size);
}

static void derivatives_are_exact(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++)
        for (int n = 0; n < 100; n++) {
            double e_i[6], e_f[6], data[TS_HYPER_NUMBERS];
            random_strain(0.2, e_i), random_strain(0.2, e_f);
            for (int i = 0; i < 6 && n % 2; i++) e_f[i] = e_i[i] + 1e-3 * (e_f[i] - e_i[i]);
            memcpy(data, SOLID[k], sizeof data);
            check_derivative(data, e_i, e_f, 0.1);
            data[TS_HYPER_ETA] = 0.03;
            check_derivative(data, e_i, e_f, 0.1);
        }
}

/* At rest: half of a symmetric tangent, the derivative of the stress at e. */
static void tangent_at_rest(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++) {
        double e[6], d = 1e-5, data[TS_HYPER_NUMBERS];
        memcpy(data, SOLID[k], sizeof data);
        data[TS_HYPER_ETA] = 0.5; /* no time passes, so nothing is damped */
        random_strain(0.3, e);
        ts_response r = response(data, e, e, 0);
        double size = 0;
        for (int i = 0; i < 36; i++) size = fmax(size, fabs(r.ds[i]));
        for (int j = 0; j < 6; j++) {
            double up[6], down[6];
            memcpy(up, e, sizeof up), memcpy(down, e, sizeof down);
            up[j] += d, down[j] -= d;
            ts_response a = response(data, up, up, 0), b = response(data, down, down, 0);
            for (int i = 0; i < 6; i++) {
                double slope = (a.s[i] - b.s[i]) / (2 * d);
                assert_true(fabs(slope - 2 * r.ds[6 * i + j]) <= 1e-8 * size);
                assert_true(fabs(r.ds[6 * i + j] - r.ds[6 * j + i]) <= 1e-13 * size);
            }
        }
    }
}

/* ---- small strains, stiffness ---- */

static void at_zero_strain_the_solid_is_linear(void **state) {
    (void)state;
    static const double zero[6] = {0};
    for (int k = 0; k < SITES; k++) {
        const double *n = SOLID[k];
        double G = shear_modulus(n), kappa = bulk_modulus(n), K[36], size = G + kappa;
        ts_response r = response(n, zero, zero, 0);
        if (n[TS_HYPER_C10] > 0 && n[TS_HYPER_KAPPA] == 0) kappa = 0;
        TS_HYPERELASTIC_LAW.stiffness(n, NULL, 6, zero, K);
        for (int i = 0; i < 36; i++) {
            bool normal = i / 6 < 3 && i % 6 < 3, diagonal = i % 7 == 0;
            double linear =
                (normal ? kappa - 2 * G / 3 : 0) + (diagonal ? (normal ? 2 * G : G) : 0);
            assert_true(fabs(2 * r.ds[i] - linear) <= 1e-14 * size);
            assert_true(fabs(K[i] - linear) <= 1e-14 * size);
        }
    }
    double K[36]; /* and so is Saint Venant and Kirchhoff's: E = 9 K G/(3 K + G) */
    ts_isotropic_stiffness(2.6, 0.3, K);
    assert_true(fabs(K[21] - 1) < 1e-15 && fabs(K[0] - 3.5) < 1e-14 && fabs(K[1] - 1.5) < 1e-14);
}

/* e.K e >= 0 whatever the state, and symmetric. */
static void stiffness_stores_energy(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++)
        for (int n = 0; n < 200; n++) {
            double e[6], x[6], K[36], Kx[6] = {0}, sum = 0;
            random_strain(1, e);
            TS_HYPERELASTIC_LAW.stiffness(SOLID[k], NULL, 6, e, K);
            for (int i = 0; i < 6; i++) x[i] = rig_random();
            for (int i = 0; i < 36; i++) {
                Kx[i / 6] += K[i] * x[i % 6];
                assert_true(fabs(K[i] - K[6 * (i % 6) + i / 6]) <= 1e-14 * (K[0] + K[7] + K[14]));
            }
            for (int i = 0; i < 6; i++) sum += x[i] * Kx[i];
            assert_true(sum >= -1e-13 * size6(Kx) * size6(x));
        }
}

/* ---- closed forms ---- */

/* Case F04: W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2, mu = 1: stretch, transverse stretch,
 * P11. */
static void uniaxial_neo_hookean(void **state) {
    (void)state;
    static const double table[][4] = {
        {1.5, 0.5, 1.21076739052, -2.43191534791}, {1.5, 2, 0.798077544539, 1.68153611645},
        {1.5, 3, 0.688111029504, 2.84216773702},   {100, 0.5, 1.40729744542, -3.46097219975},
        {100, 2, 0.708867921012, 1.74875313528},   {100, 3, 0.579271544864, 2.8881481591}};
    for (int i = 0; i < 6; i++) {
        const double n[TS_HYPER_NUMBERS] = {1, 0, 1, table[i][0], 0, 0, 0};
        double stretch[3] = {table[i][1], table[i][2], table[i][2]}, e[6];
        strain_from(m3_identity(), stretch, e);
        ts_response r = response(n, e, e, 0);
        assert_true(fabs(stretch[0] * r.s[0] - table[i][3]) < 1e-8);
        assert_true(fabs(r.s[1]) < 1e-9 * table[i][0] && fabs(r.s[2]) < 1e-9 * table[i][0]);
    }
}

/* Stretched at constant volume and free at the sides, P = 2 (1 - l^-3)(c10 l + c01): the pressure
 * of kappa is taken away by the sides' being free, so the difference of Cauchy's stresses is
 * compared, which does not depend on it. */
static void uniaxial_mooney_rivlin(void **state) {
    (void)state;
    const double c10 = 0.4, c01 = 0.1, n[TS_HYPER_NUMBERS] = {1, 0, 0, 0, c10, c01, 1e4};
    for (double l = 0.4; l < 3; l += 0.2) {
        double stretch[3] = {l, 1 / sqrt(l), 1 / sqrt(l)}, e[6];
        strain_from(m3_identity(), stretch, e);
        ts_response r = response(n, e, e, 0);
        double difference = l * l * r.s[0] - r.s[1] / l;
        assert_true(fabs(difference - 2 * (1 - pow(l, -3)) * (c10 * l + c01) * l) < 1e-10);
    }
}

/* F = I + gamma e1 e2: sigma12 = 2 (c10 + c01) gamma, sigma11 - sigma33 = 2 c10 gamma^2,
 * sigma22 - sigma33 = -2 c01 gamma^2 */
static void simple_shear_mooney_rivlin(void **state) {
    (void)state;
    const double c10 = 0.4, c01 = 0.1, n[TS_HYPER_NUMBERS] = {1, 0, 0, 0, c10, c01, 1e4};
    for (double g = -2; g < 2.1; g += 0.5) {
        const double e[6] = {0, 0.5 * g * g, 0, g, 0, 0};
        ts_response r = response(n, e, e, 0);
        const double *S = r.s;
        double s11 = S[0] + 2 * g * S[3] + g * g * S[1], s22 = S[1], s12 = S[3] + g * S[1];
        assert_true(fabs(s12 - 2 * (c10 + c01) * g) < 1e-12);
        assert_true(fabs(s11 - S[2] - 2 * c10 * g * g) < 1e-12);
        assert_true(fabs(s22 - S[2] + 2 * c01 * g * g) < 1e-12);
    }
}

/* Volume alone: the pressure is kappa/2 (J - 1/J), and shape does not matter. */
static void pressure(void **state) {
    (void)state;
    const double n[TS_HYPER_NUMBERS] = {1, 0, 0, 0, 0.4, 0.1, 50};
    for (double J = 0.2; J < 4; J += 0.3) {
        double l = cbrt(J), stretch[3] = {l, l, l}, e[6];
        strain_from(rig_rotation(), stretch, e);
        ts_response r = response(n, e, e, 0);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(r.s[i] * l * l / J - 25 * (J - 1 / J)) < 1e-12 * 50);
    }
}

/* ---- shares, damping, no material ---- */

static void shares_add_up(void **state) {
    (void)state;
    for (int n = 0; n < 50; n++)
        for (int whole = 0; whole < 5; whole += 4) {
            double a[6], b[6];
            random_strain(0.6, a), random_strain(0.6, b);
            ts_response w = response(SOLID[whole], a, b, 0.1),
                        x = response(SOLID[whole + 1], a, b, 0.1),
                        y = response(SOLID[whole + 2], a, b, 0.1);
            for (int i = 0; i < 6; i++)
                assert_true(fabs(w.s[i] - x.s[i] - y.s[i]) <= 1e-13 * (size6(x.s) + size6(y.s)));
            assert_true(fabs(w.stored - x.stored - y.stored) <= 1e-13 * w.stored);
        }
}

static void damping_takes_energy(void **state) {
    (void)state;
    for (int k = 0; k < SITES; k++)
        for (int n = 0; n < 500; n++) {
            double e_i[6], e_f[6], scale, data[TS_HYPER_NUMBERS];
            memcpy(data, SOLID[k], sizeof data);
            data[TS_HYPER_ETA] = 0.02;
            random_strain(1, e_i), random_strain(1, e_f);
            assert_true(account(data, e_i, e_f, 0.1, &scale) <= 1e-13 * scale);
            assert_true(response(data, e_i, e_f, 0.1).dissipated > 0);
        }
    /* shear about no strain: eta G gamma^2/h */
    const double n[TS_HYPER_NUMBERS] = {1, 0.02, 0, 0, 0.4, 0.1, 1e4};
    const double a[6] = {0, 0, 0, -1e-6}, b[6] = {0, 0, 0, 1e-6};
    assert_true(fabs(response(n, a, b, 0.1).dissipated - 0.2 * 4e-12) < 1e-9 * 0.8e-12);
}

/* C with a stretch of zero, with one negative eigenvalue, with two (whose determinant is positive),
 * without bounds. */
static void no_material(void **state) {
    (void)state;
    static const double bad[][6] = {{-0.5},          {-0.7},         {-0.7, -0.7},  {0, -0.6, -0.8},
                                    {-0.6, 0, -0.8}, {0, 0, 0, 1.2}, {1e200, 1e200}};
    static const double zero[6] = {0};
    for (int k = 0; k < SITES; k++)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            double K[36];
            assert_true(isnan(stored(SOLID[k], bad[i])));
            assert_true(isnan(response(SOLID[k], zero, bad[i], 0.1).s[0]));
            assert_true(isnan(response(SOLID[k], bad[i], zero, 0.1).s[0]));
            TS_HYPERELASTIC_LAW.stiffness(SOLID[k], NULL, 6, bad[i], K);
            for (int l = 0; l < 36; l++) assert_true(isfinite(K[l]));
        }
}

/* J^2, a polynomial of third degree in e */
static double squared_volume(const double *e) {
    double a = 1 + 2 * e[0], b = 1 + 2 * e[1], c = 1 + 2 * e[2];
    return a * b * c + 2 * e[3] * e[4] * e[5] - a * e[4] * e[4] - b * e[5] * e[5] - c * e[3] * e[3];
}

/* Differences of such a polynomial are exact: of four points for the gradient, two by two for the
 * second derivatives. */
static double moved_volume(const double *e, int k, double by_k, int l, double by_l) {
    double x[6];
    memcpy(x, e, sizeof x);
    x[k] += by_k, x[l] += by_l;
    return squared_volume(x);
}

/* A stress that differs by q grad J^2, a pressure: ds gets q/2 times the second derivatives (half,
 * as ds is over both ends). */
static void another_pressure_is_meant(void **state) {
    (void)state;
    static const double h = 0.1, q = 0.7;
    double e[6], stress[6];
    for (int site = 0; site < SITES; site++) {
        random_strain(0.5, e);
        ts_response r = response(SOLID[site], e, e, 0), meant;
        ts_law_step step = {.m = 6, .data = SOLID[site], .e_i = e, .e_f = e};
        for (int k = 0; k < 6; k++) {
            double near = moved_volume(e, k, h, k, 0) - moved_volume(e, k, -h, k, 0);
            double far = moved_volume(e, k, 2 * h, k, 0) - moved_volume(e, k, -2 * h, k, 0);
            stress[k] = r.s[k] + q * (8 * near - far) / (12 * h);
        }
        meant = r;
        TS_HYPERELASTIC_LAW.meant(&step, r.s, &meant);
        for (int i = 0; i < 36; i++)
            assert_true(fabs(meant.ds[i] - r.ds[i]) <= 1e-12 * (1 + fabs(r.ds[i])));
        TS_HYPERELASTIC_LAW.meant(&step, stress, &meant);
        for (int k = 0; k < 6; k++)
            for (int l = 0; l < 6; l++) {
                double second = (moved_volume(e, k, h, l, h) - moved_volume(e, k, h, l, -h) -
                                 moved_volume(e, k, -h, l, h) + moved_volume(e, k, -h, l, -h)) /
                                (4 * h * h);
                double scale = 1 + fabs(r.ds[6 * k + l]);
                assert_true(fabs(meant.ds[6 * k + l] - r.ds[6 * k + l] - 0.5 * q * second) <=
                            1e-11 * scale);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_stress_are_the_oracles),
        cmocka_unit_test(tiny_strains_keep_their_digits),
        cmocka_unit_test(work_is_energy),
        cmocka_unit_test(incompressible_work_is_energy),
        cmocka_unit_test(both_ends_are_alike),
        cmocka_unit_test(derivatives_are_exact),
        cmocka_unit_test(tangent_at_rest),
        cmocka_unit_test(at_zero_strain_the_solid_is_linear),
        cmocka_unit_test(stiffness_stores_energy),
        cmocka_unit_test(uniaxial_neo_hookean),
        cmocka_unit_test(uniaxial_mooney_rivlin),
        cmocka_unit_test(simple_shear_mooney_rivlin),
        cmocka_unit_test(pressure),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(no_material),
        cmocka_unit_test(another_pressure_is_meant),
    };
    return cmocka_run_group_tests_name("hyperelastic", tests, NULL, NULL);
}
