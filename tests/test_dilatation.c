/* SPDX-License-Identifier: Apache-2.0 */
/* The mean dilatation of a hexahedron of 8 nodes: its forms give the volume; (L) for steps of every
 * size; derivatives; damping; cells without volume.
 *
 * The oracle of the volume is the integral of det(dx/dxi) by Gauss' rule of 3 x 3 x 3 points, that
 * of the energy the closed form of U in long double.
 */
#include "rig.h"

#include "laws/dilatation_law.h"
#include "math/element_shapes.h"

enum { FORMS = TS_DILATATION_FORMS, CORNERS = 8 };

/* ---- hexahedra ---- */

typedef struct hexahedron {
    v3 x[CORNERS];
} hexahedron;

/* A box of edges `size`, its corners moved by chance, stretched and turned. */
static hexahedron random_hexahedron(v3 size, double askew, double stretch) {
    hexahedron h;
    m3 R = rig_rotation();
    v3 F = v3_make(exp(stretch * rig_random()), exp(stretch * rig_random()),
                   exp(stretch * rig_random()));
    for (int a = 0; a < CORNERS; a++) {
        v3 xi = v3_axpy(askew, rig_vector(), ts_cell_node(TS_CELL_HEX8, a));
        v3 x = v3_make(xi.x * size.x * F.x, xi.y * size.y * F.y, xi.z * size.z * F.z);
        h.x[a] = m3_apply(R, x);
    }
    return h;
}

static double volume_of(const hexahedron *h) {
    const int points[3] = {3, 3, 3};
    ts_quadrature rule;
    double sum = 0, N[CORNERS];
    v3 dN[CORNERS];
    ts_cell_gauss(TS_CELL_HEX8, points, &rule);
    for (int g = 0; g < rule.count; g++) {
        v3 c[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        ts_cell_shape(TS_CELL_HEX8, rule.xi[g], N, dN);
        for (int a = 0; a < CORNERS; a++)
            for (int k = 0; k < 3; k++) c[k] = v3_axpy(v3_get(dN[a], k), h->x[a], c[k]);
        sum += rule.weight[g] * m3_det(m3_cols(c[0], c[1], c[2]));
    }
    return sum;
}

/* a_k and u_k over lengths of a_k that a drawing may have. */
static void forms_of(const hexahedron *h, v3 length, double *e) {
    static const int row[6] = {0, 1, 2, 0, 1, 0}, column[6] = {0, 1, 2, 1, 2, 2};
    v3 z[6];
    for (int k = 0; k < 6; k++) {
        z[k] = v3_make(0, 0, 0);
        for (int a = 0; a < CORNERS; a++) {
            v3 xi = ts_cell_node(TS_CELL_HEX8, a);
            double across = v3_get(xi, (k + 1) % 3) * v3_get(xi, (k + 2) % 3);
            double w = 0.125 * (k < 3 ? v3_get(xi, k) : across) / v3_get(length, k % 3);
            z[k] = v3_axpy(w, h->x[a], z[k]);
        }
    }
    for (int k = 0; k < 6; k++) e[k] = v3_dot(z[row[k]], z[column[k]]);
    for (int k = 0; k < 9; k++) e[6 + k] = v3_dot(z[k / 3], z[3 + k % 3]);
}

static const v3 SIZES[] = {{1, 1, 1}, {2, 0.5, 0.02}, {0.1, 3, 1}};

static void forms_know_the_volume(void **state) {
    (void)state;
    for (int trial = 0; trial < 300; trial++) {
        double e[FORMS];
        v3 size = SIZES[trial % 3];
        hexahedron h = random_hexahedron(size, 0.35, 0.7);
        forms_of(&h, size, e);
        double exact = log(volume_of(&h) / (8 * size.x * size.y * size.z));
        double off = fabs(ts_dilatation_log_volume(e) - exact);
        if (!(off < 1e-12)) fail_msg("size %d: ln of the volume off by %.3g", trial % 3, off);
    }
}

/* ---- laws ---- */

/* weight, eta, lambda, kappa, drawn */
static const double LAWS[][TS_DILATATION_NUMBERS] = {
    {0.3, 0, 1.5, 0, 0.1}, {2, 0, 0, 20, -0.05}, {1, 0, 0, 1e5, 0}, {0.7, 0.02, 3, 7, 0.02}};
enum { LAW_COUNT = sizeof LAWS / sizeof *LAWS };

static void random_forms(double stretch, double *e) {
    hexahedron h = random_hexahedron(v3_make(1, 1, 1), 0.3, stretch);
    forms_of(&h, v3_make(1, 1, 1), e);
}

static ts_law_step step_of(const double *data, const double *e_i, const double *e_f, double h) {
    return (ts_law_step){.m = FORMS, .data = data, .e_i = e_i, .e_f = e_f, .t_f = h};
}

static void energy_is_the_closed_form(void **state) {
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        const double *n = LAWS[trial % LAW_COUNT];
        double e[FORMS];
        random_forms(0.5, e);
        long double L = (long double)ts_dilatation_log_volume(e) - n[TS_DILATATION_DRAWN];
        long double U = n[TS_DILATATION_LAMBDA] / 2 * L * L +
                        n[TS_DILATATION_KAPPA] / 2 * (expm1l(2 * L) / 2 - L);
        double V = TS_DILATATION_LAW.energy(n, NULL, FORMS, e);
        assert_true(fabs(V - (double)(n[TS_DILATATION_WEIGHT] * U)) <= 1e-12 * fabs(V) + 1e-15);
        double strain[6], force[6], J = exp((double)L);
        double p =
            n[TS_DILATATION_KAPPA] / 2 * (J - 1 / J) + n[TS_DILATATION_LAMBDA] * (double)L / J;
        TS_DILATATION_LAW.section(n, e, 0, strain, force);
        assert_true(fabs(strain[0] - (J - 1)) < 1e-14);
        assert_true(fabs(force[0] / n[TS_DILATATION_WEIGHT] - p) <= 1e-12 * fabs(p) + 1e-10);
    }
}

/* Steps from a millionth of the size to twice and half of it, from (nearly) the same to quite other
 * shapes. */
static void work_is_energy(void **state) {
    (void)state;
    double worst = 0;
    for (int trial = 0; trial < 1000; trial++) {
        double e_i[FORMS], other[FORMS], e_f[FORMS], work = 0, size = 0;
        double far = pow(10, -6.0 * (trial % 7) / 6);
        const double *n = LAWS[trial % 3];
        random_forms(0.4, e_i), random_forms(0.4, other);
        for (int k = 0; k < FORMS; k++) e_f[k] = e_i[k] + far * (other[k] - e_i[k]);
        ts_law_step step = step_of(n, e_i, e_f, 0.1), back = step_of(n, e_f, e_i, 0.1);
        ts_response r, b;
        memset(&r, 0xff, sizeof r); // NaN: the law has to fill all of it
        TS_DILATATION_LAW.respond(&step, &r), TS_DILATATION_LAW.respond(&back, &b);
        double V_i = TS_DILATATION_LAW.energy(n, NULL, FORMS, e_i);
        double V_f = TS_DILATATION_LAW.energy(n, NULL, FORMS, e_f);
        for (int k = 0; k < FORMS; k++) {
            work += r.s[k] * (e_f[k] - e_i[k]);
            size += fabs(r.s[k]) * (fabs(e_f[k]) + fabs(e_i[k]));
            assert_true(fabs(r.s[k] - b.s[k]) <= 1e-12 * (fabs(r.s[k]) + 1e-3 * size));
        }
        assert_true(fabs(r.stored - V_f) <= 1e-15 * V_f);
        assert_true(r.dissipated == 0 && r.work == 0);
        worst = fmax(worst, fabs(work - (V_f - V_i)) / (size + V_i + V_f));
    }
    printf("(L): %.2g of the energy\n", worst);
    assert_true(worst < 1e-14);
}

static void derivatives_are_exact(void **state) {
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        double e_i[FORMS], e_f[FORMS], scale = 0;
        const double *n = LAWS[trial % LAW_COUNT], h = 1e-3;
        ts_response r, at[4];
        random_forms(0.3, e_i), random_forms(0.3, e_f);
        if (trial % 5 == 0) memcpy(e_f, e_i, sizeof e_f);
        ts_law_step step = step_of(n, e_i, e_f, trial % 2 ? 0.1 : 0);
        TS_DILATATION_LAW.respond(&step, &r);
        for (int i = 0; i < FORMS * FORMS; i++) scale = fmax(scale, fabs(r.ds[i]));
        for (int c = 0; c < FORMS; c++) {
            double kept = e_f[c];
            for (int i = 0; i < 4; i++) {
                e_f[c] = kept + (i < 2 ? i - 2 : i - 1) * h;
                TS_DILATATION_LAW.respond(&step, &at[i]);
            }
            e_f[c] = kept;
            for (int k = 0; k < FORMS; k++) {
                double slope =
                    (8 * (at[2].s[k] - at[1].s[k]) - (at[3].s[k] - at[0].s[k])) / (12 * h);
                assert_true(fabs(slope - r.ds[FORMS * k + c]) < 1e-7 * scale);
            }
        }
    }
}

/* At rest the stress is the gradient of the energy, and ds half of a symmetric tangent. With
 * another pressure, ds is what that pressure has: a law of other moduli at the same place. */
static void at_rest(void **state) {
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        double e[FORMS], other[TS_DILATATION_NUMBERS];
        const double *n = LAWS[trial % 2];
        ts_response r, meant, soft;
        random_forms(0.2, e);
        ts_law_step step = step_of(n, e, e, 0);
        TS_DILATATION_LAW.respond(&step, &r);
        for (int i = 0; i < FORMS * FORMS; i++)
            assert_true(fabs(r.ds[i] - r.ds[i % FORMS * FORMS + i / FORMS]) < 1e-10);
        /* drawn elsewhere, lambda (L + d): the stress grows by lambda d grad L, the modulus
         * stays */
        memcpy(other, LAWS[0], sizeof other);
        other[TS_DILATATION_DRAWN] -= 0.2;
        ts_law_step here = step_of(LAWS[0], e, e, 0), there = step_of(other, e, e, 0);
        TS_DILATATION_LAW.respond(&here, &meant), TS_DILATATION_LAW.respond(&there, &soft);
        TS_DILATATION_LAW.meant(&here, soft.s, &meant);
        for (int i = 0; i < FORMS * FORMS; i++) assert_true(fabs(meant.ds[i] - soft.ds[i]) < 1e-10);
    }
}

static void damping_takes_energy(void **state) {
    (void)state;
    const double *n = LAWS[3];
    for (int trial = 0; trial < 50; trial++) {
        double e_i[FORMS], e_f[FORMS], work = 0;
        ts_response r;
        random_forms(0.2, e_i), random_forms(0.2, e_f);
        ts_law_step step = step_of(n, e_i, e_f, 0.1);
        TS_DILATATION_LAW.respond(&step, &r);
        for (int k = 0; k < FORMS; k++) work += r.s[k] * (e_f[k] - e_i[k]);
        double gain = TS_DILATATION_LAW.energy(n, NULL, FORMS, e_f) -
                      TS_DILATATION_LAW.energy(n, NULL, FORMS, e_i);
        assert_true(r.dissipated >= 0);
        assert_true(fabs(work - gain - r.dissipated) <= 1e-12 * (fabs(work) + fabs(gain) + 1));
    }
}

/* A flat basis; corners pushed through the opposite face, so that most of the volume is
 * negative. */
static void no_body(void **state) {
    (void)state;
    double e[FORMS] = {1, 1, 0};
    assert_true(isnan(TS_DILATATION_LAW.energy(LAWS[1], NULL, FORMS, e)));
    e[2] = 1, e[6] = e[10] = 2.5; /* M = diag(2.5, 2.5, 0): cof M = 6.25 at 33, T = 1 - 6.25/3 */
    assert_true(isnan(TS_DILATATION_LAW.energy(LAWS[1], NULL, FORMS, e)));
    e[6] = e[10] = 1; /* T = 2/3 */
    assert_true(fabs(ts_dilatation_log_volume(e) - log(2.0 / 3)) < 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_know_the_volume),
        cmocka_unit_test(energy_is_the_closed_form),
        cmocka_unit_test(work_is_energy),
        cmocka_unit_test(derivatives_are_exact),
        cmocka_unit_test(at_rest),
        cmocka_unit_test(damping_takes_energy),
        cmocka_unit_test(no_body),
    };
    return cmocka_run_group_tests_name("dilatation", tests, NULL, NULL);
}
