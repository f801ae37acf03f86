/* SPDX-License-Identifier: Apache-2.0 */
/* The bristle of dry friction: its energy balance, its strength, its derivatives, and in one
 * dimension the mean of the elastoplastic force along the step. */
#include "laws/bristle.h"

#include <math.h>

#include "scene.h"

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static ts_bristle random_bristle(int n) {
    ts_bristle b = {.n = n, .stiffness = exp(3 * chance()), .damping = 0.5 + 0.5 * chance()};
    b.strength = b.stiffness * exp(2 * chance());
    b.sliding = b.strength * (0.75 + 0.25 * chance());
    b.changes[0] = 1, b.changes[1] = b.sliding / b.strength;
    for (int i = 0; i < n; i++) b.z[i] = chance(), b.slip[i] = chance() * exp(2 * chance());
    return b;
}

/* Sticking, slipping, with a strength that fell, in 1, 2 and 3 dimensions: all of them come up. */
static void balance(void **state) {
    (void)state;
    int stuck = 0, cut = 0;
    for (int trial = 0; trial < 3000; trial++) {
        ts_bristle b = random_bristle(1 + trial % 3);
        ts_bristle_step s = ts_bristle_over(&b);
        double V_i = 0.5 * b.stiffness * dot(b.n, b.z, b.z);
        double V_f = 0.5 * b.stiffness * dot(b.n, s.z, s.z), work = dot(b.n, s.force, b.slip);
        double size = V_i + V_f + s.dissipated + fabs(work);
        assert_true(fabs(work - (V_f - V_i + s.dissipated)) <= 1e-14 * size);
        assert_true(s.dissipated >= -1e-15 * size);
        assert_true(sqrt(dot(b.n, s.z, s.z)) <= b.strength / b.stiffness * (1 + 1e-14));
        stuck += s.stuck, cut += b.stiffness * sqrt(dot(b.n, b.z, b.z)) > b.strength;
    }
    assert_true(stuck > 300 && stuck < 2700 && cut > 300);
}

/* With the dashpot a bristle that sticks may bear more than its strength, by half of the slip. */
static void strength(void **state) {
    (void)state;
    for (int trial = 0; trial < 3000; trial++) {
        ts_bristle b = random_bristle(1 + trial % 3);
        b.damping = 0;
        ts_bristle_step s = ts_bristle_over(&b);
        assert_true(sqrt(dot(b.n, s.force, s.force)) <= b.strength * (1 + 1e-13));
    }
}

static void slopes(void **state) {
    (void)state;
    const double d = 1e-6;
    for (int trial = 0; trial < 3000; trial++) {
        ts_bristle b = random_bristle(1 + trial % 3);
        b.at_end = trial % 2;
        ts_bristle_step s = ts_bristle_over(&b);
        for (int j = 0; j <= 2 * b.n; j++) {
            ts_bristle less = b, more = b;
            if (j < b.n) less.slip[j] -= d, more.slip[j] += d;
            if (j > b.n) less.z[j - b.n - 1] -= d, more.z[j - b.n - 1] += d;
            if (j == b.n) less.strength -= d, more.strength += d;
            if (j == b.n) less.sliding -= b.changes[1] * d, more.sliding += b.changes[1] * d;
            ts_bristle_step at = ts_bristle_over(&less), to = ts_bristle_over(&more);
            if (at.stuck != s.stuck || to.stuck != s.stuck) continue; /* a corner */
            for (int i = 0; i < b.n; i++) {
                double slope = (to.force[i] - at.force[i]) / (2 * d);
                double told = j < b.n    ? s.by_slip[i * b.n + j]
                              : j == b.n ? s.by_strength[i]
                                         : s.by_z[i * b.n + j - b.n - 1];
                assert_true(fabs(slope - told) <= 1e-4 * (b.stiffness + 1));
            }
        }
    }
}

/* f = k z along the path, z stops at the strength: by ten thousand small steps. */
static void mean_of_the_path(void **state) {
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        ts_bristle b = random_bristle(1);
        b.damping = 0, b.sliding = b.strength;
        double r = b.strength / b.stiffness, z = fmax(fmin(b.z[0], r), -r), sum = 0;
        const int steps = 10000;
        for (int i = 0; i < steps; i++) {
            double next = fmax(fmin(z + b.slip[0] / steps, r), -r);
            sum += 0.5 * b.stiffness * (z + next) / steps;
            z = next;
        }
        ts_bristle_step s = ts_bristle_over(&b);
        assert_true(fabs(sum - s.force[0]) <= 1e-3 * b.strength);
        assert_true(fabs(z - s.z[0]) <= 1e-9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balance), cmocka_unit_test(strength),
                                       cmocka_unit_test(slopes),
                                       cmocka_unit_test(mean_of_the_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
