/* SPDX-License-Identifier: Apache-2.0 */
/* How Newton's method judges its increments (src/step/newton/judgement.h), on iterations of one
 * unknown whose rate and round-off are known: f(x) = x with a tangent that is wrong by a factor,
 * and with noise. How increments learn (secant.h): linear equations by a wrong matrix end as
 * Broyden's method must, in twice as many iterations as there are unknowns. How a residual is
 * searched for that is smaller, where there are kinks (src/step/newton/newton.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "step/newton/judgement.h"
#include "step/newton/newton.h"
#include "step/newton/secant.h"

/* ---- an iteration of one unknown ---- */

typedef struct iteration {
    double tangent, noise; /* of f' = 1; largest error of f */
} iteration;

/* A number in [-1, 1] that depends on every bit of x: the same x gives the same error, as it does
 * in arithmetic. */
static double scatter(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits ^ (bits >> 31)) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
    return (double)(bits >> 11) / 4503599627370496.0 - 1;
}

static double increment(iteration it, double x) {
    return -(x + it.noise * scatter(x)) / it.tangent;
}

/* What is_round_off of newton.c finds out. */
static bool found_noise(iteration it, double x) {
    double d = increment(it, x), other = increment(it, x + TS_ELSEWHERE * d);
    return ts_is_noise(fabs(other - d), fabs(d));
}

/* ---- noise ---- */

/* A tangent that is wrong by t makes increments shrink by 1 - 1/t, or swing with 1/t - 1; a
 * thousandth of d further on, the increment has changed by d/1000t. */
static void a_poor_tangent_is_no_noise(void **state) {
    (void)state;
    for (double tangent = 0.01; tangent < 1000; tangent *= 1.3)
        for (double distance = 1e-3; distance > 1e-11; distance *= 0.1)
            assert_false(found_noise((iteration){tangent, 0}, distance));
}

/* At the floor: x is as near as it gets. Two errors e, e' that are independent and evenly spread in
 * [-1, 1] have |e - e'| > 0.3 |e| with a probability of 1 - 0.3/2 = 0.85 (the window e - 0.3
 * |e| < e' < e + 0.3 |e| has the mean width 0.3, of 2; for |e| > 1/1.3 it is cut off, so a little
 * more). Of 1000 places, 850 with a standard deviation of 11. */
static void noise_is_noise(void **state) {
    (void)state;
    for (double noise = 1e-10; noise > 1e-16; noise *= 0.1) {
        int found = 0;
        for (int k = 1; k <= 1000; k++)
            found += found_noise((iteration){1, noise}, 1e-6 * noise * k);
        assert_in_range(found, 806, 920);
    }
}

/* Ten times the noise away from the solution, an increment is ten times its error: it is to be
 * made, not to be stopped at. */
static void what_stands_out_of_noise_is_none(void **state) {
    (void)state;
    for (int k = 1; k < 100; k++)
        assert_false(found_noise((iteration){1.5, 1e-12}, 1e-11 * (1 + 0.01 * k)));
}

static void noise_is_small(void **state) {
    (void)state;
    assert_true(ts_may_be_noise(0.9e-14, 1e-10, 1, false)); /* of a step of 1e-10 */
    assert_false(ts_may_be_noise(1.1e-10, 1, 1, false));    /* no round-off is that large, */
    assert_false(ts_may_be_noise(1.1e-10, 1, 1, true));     /* nor in statics */
    assert_false(ts_may_be_noise(1e-12, 1e-9, 1, false));   /* a thousandth of the step is motion */
    assert_true(ts_may_be_noise(1e-12, 1e-9, 1, true));     /* but statics have no step */
    assert_true(ts_may_be_noise(0.9e-13, 0, 1, false));     /* at rest */
    assert_false(ts_may_be_noise(1.1e-13, 1e-12, 1, false)); /* nearly so, but for that */
    assert_true(ts_may_be_noise(1e-10, 1e-12, 1e4, false));  /* ten kilometres away */
    assert_true(ts_may_be_noise(1e-7, 0, 1e4, true));
    assert_false(ts_may_be_noise(1.1e-6, 1, 1e4, true));
}

/* ---- rates ---- */

/* The tangent of f' = 1 that makes increments shrink by `rate`. */
static iteration shrinking(double rate) { return (iteration){1 / (1 - rate), 0}; }

static void slow_is_slower_than_a_third(void **state) {
    (void)state;
    for (int k = 1; k < 10; k++) {
        double x = 2, rate = 0.1 * k + 0.05, d[3];
        for (int i = 0; i < 3; i++) d[i] = fabs(increment(shrinking(rate), x)), x -= d[i];
        assert_true(fabs(d[1] / d[0] - rate) < 1e-14);
        bool slow = rate > 0.3;
        assert_int_equal(ts_is_slow(d[1], d[0], 0), slow);
        assert_int_equal(ts_is_slow(d[2], d[1], d[0]), slow); /* of both */
    }
}

/* Increments that shrink by a thousandth and by a half in turn: the tangent is worth keeping. Two
 * halves in a row are slow. */
static void every_other_iteration_may_be_slow(void **state) {
    (void)state;
    double d = 1, previous = 0, before = 0;
    for (int k = 0; k < 8; k++) {
        before = previous, previous = d, d *= k % 2 ? 0.5 : 1e-3;
        assert_false(ts_is_slow(d, previous, before));
    }
    assert_true(ts_is_slow(0.5 * d, d, previous));
    assert_true(ts_is_slow(0.5, 1, 0)); /* slow at once: nothing makes up for it */
}

/* What is left behind an increment of a geometric series: all that follow, d (rate + rate^2 +
 * ...). */
static void the_error_left_is_the_rest_of_the_series(void **state) {
    (void)state;
    for (int k = 1; k < 9; k++) {
        double rate = 0.1 * k, rest = 0;
        for (double term = rate; term > 1e-18; term *= rate) rest += term;
        assert_true(fabs(ts_error_left(rate, 1) - rate * rest) < 1e-14);
    }
    assert_true(ts_error_left(0.95, 1) == 0.95); /* as good as not shrinking: no extrapolation */
    assert_true(ts_error_left(0.5, 0) == 0.5);   /* the first */
}

/* ---- when to make a new factorisation ---- */

/* Iterations of the k-th step by a factorisation that wears out, and the mean cost of a step if it
 * is replaced after `life` of them. */
static int cost_of(int k, double wear) { return 2 + (int)(wear * k); }

static double mean_cost(int life, double wear, double renewal) {
    double sum = renewal;
    for (int k = 0; k < life; k++) sum += cost_of(k, wear);
    return sum / life;
}

/* The best of all lives, found by trying them. */
static void worn_in_time(void **state) {
    (void)state;
    for (double wear = 0.02; wear < 3; wear *= 1.5)
        for (double renewal = 2; renewal < 40; renewal *= 1.7) {
            double best = INFINITY, spent = renewal;
            int served = 0, iterations;
            do {
                iterations = cost_of(served, wear);
                spent += iterations, served++;
            } while (!ts_is_worn(iterations, served, spent));
            for (int life = 1; life < 1000; life++)
                best = fmin(best, mean_cost(life, wear, renewal));
            /* it finds out by one step too many */
            assert_true(mean_cost(served, wear, renewal) < 1.3 * best);
        }
}

/* A sequence that shrinks by a given rate takes as many iterations as foreseen. */
static void iterations_foreseen(void **state) {
    (void)state;
    for (double rate = 1e-3; rate < 0.9; rate *= 1.4) {
        double d = 1, foreseen = ts_iterations_left(d, 1e-12, rate);
        int count = 0;
        for (; d > 1e-12; d *= rate) count++;
        assert_true(fabs(count - foreseen) <= 1 + 1e-9);
    }
    assert_true(isinf(ts_iterations_left(1, 1e-12, 1)));
    assert_true(ts_iterations_left(1e-13, 1e-12, 0.5) == 0);
    assert_true(fabs(ts_rate(1e-8, 1e-5, 1e-6) - 1e-3) < 1e-18);
    assert_true(fabs(ts_rate(1e-6, 1e-6, 1e-4) - 0.1) < 1e-15); /* quick every other time */
    assert_true(ts_rate(1e-6, 1e-6, 0) == 1);
}

/* Newton's method on x + x^2 = 0, with a new tangent from any start: a rate that was seen far off,
 * carried on to where x is, is the rate seen there. Its increment is d = (x + x^2)/(1 + 2x), and it
 * leaves x^2/(1 + 2x). */
static void new_tangents_contract_as_they_are_near(void **state) {
    (void)state;
    double far = 0, rate = 0;
    for (double x = 1e-2; x > 1e-9; x *= 0.1) {
        double left = x * x / (1 + 2 * x), d = x - left,
               next = (left + left * left) / (1 + 2 * left);
        if (far == 0) far = d, rate = next / d;
        double foreseen = ts_rate_nearer(rate, d, far);
        assert_true(fabs(foreseen - next / d) < 0.03 * next / d);
    }
    assert_true(ts_rate_nearer(0.1, 1, 0.5) == 0.1); /* farther off: nothing is known */
}

/* ---- secants ---- */

enum { N = 4 };

static double of_matrix(int i, int j) { return (i == j) + 0.45 * scatter(0.3 + i + 0.1 * j); }

static void residual_of(const double *x, double *r) {
    for (int i = 0; i < N; i++) {
        r[i] = -1;
        for (int j = 0; j < N; j++) r[i] += of_matrix(i, j) * x[j];
    }
}

/* A x = 1 by the unit matrix in the place of A; the last increment over the first. */
static double left_after(int iterations, bool learning) {
    double weight[N], x[N] = {0}, r[N], first = 0, last = 0;
    for (int i = 0; i < N; i++) weight[i] = 1 + 0.5 * i;
    ts_secant s = ts_secant_new(N, weight);
    for (int k = 0; k <= iterations; k++) {
        residual_of(x, r);
        for (int i = 0; i < N; i++) r[i] = -r[i];
        ts_secant_correct(&s, r);
        if (learning) ts_secant_note(&s, r);
        last = 0;
        for (int i = 0; i < N; i++) x[i] += r[i], last += fabs(r[i]);
        if (k == 0) first = last;
    }
    ts_secant_clear(&s);
    return last / first;
}

static void increments_learn(void **state) {
    (void)state;
    assert_true(left_after(N + 2, false) > 1e-2);
    assert_true(left_after(N + 2, true) < 1e-3);
    assert_true(left_after(2 * N, true) < 1e-9);
}

/* Nothing was noted: increments are those of the factorisation. And a hundred increments have no
 * more room than some. */
static void nothing_learnt_changes_nothing(void **state) {
    (void)state;
    double weight[2] = {1, 1}, d[2] = {0.3, -0.7}, zero[2] = {0, 0};
    ts_secant s = ts_secant_new(2, weight);
    ts_secant_correct(&s, d);
    assert_true(d[0] == 0.3 && d[1] == -0.7);
    for (int k = 0; k < 100; k++) {
        ts_secant_note(&s, d);
        assert_true(s.count <= TS_SECANTS);
    }
    ts_secant_note(&s, zero); /* nowhere: no direction to learn from */
    assert_int_equal(s.count, 0);
    ts_secant_clear(&s);
}

/* ---- kinks ---- */

/* x + 50 <x> = 0.03, <x> = x held within 0.01, as of a bristle that breaks loose: outside the
 * tangent is 1, and Newton's method jumps from 0.53 to -0.47 and back. The root is 0.03/51. */
typedef struct kinked {
    double x, R, slope;
    int residuals;
} kinked;

static void kinked_residual(void *of) {
    kinked *k = of;
    k->R = k->x + 50 * fmin(fmax(k->x, -0.01), 0.01) - 0.03;
    k->residuals++;
}
static int kinked_factor(void *of) {
    kinked *k = of;
    k->slope = fabs(k->x) < 0.01 ? 51 : 1;
    return 0;
}
static void kinked_solve(void *of, double *x) { *x /= ((kinked *)of)->slope; }
static void kinked_apply(void *of, const double *delta, double factor) {
    ((kinked *)of)->x += factor * *delta;
}
static double kinked_size(const void *of, const double *delta) {
    (void)of;
    return fabs(*delta);
}
static double kinked_step(const void *of) { return fabs(((const kinked *)of)->x); }
static double no_multipliers(const void *of, const double *delta, double *size) {
    (void)of, (void)delta;
    return *size = 0;
}
static double kinked_weight(const void *of) { return fabs(((const kinked *)of)->R); }
static double all_of_it(const void *of, const double *delta) {
    (void)of, (void)delta;
    return 1;
}

static int solve_kinked(kinked *k, bool search, ts_temper temper, int *iterations) {
    ts_tangent tangent = {.stale = true};
    double delta, saved, other;
    ts_newton x = {.n = 1,
                   .R = &k->R,
                   .delta = &delta,
                   .saved = &saved,
                   .other = &other,
                   .tangent = &tangent,
                   .h = 1,
                   .tolerance = 1e-13,
                   .far = 1,
                   .renewal = TS_RENEWAL,
                   .max_iterations = 25,
                   .multiplier_tolerance = 1,
                   .step_share = 1,
                   .of = k,
                   .residual = kinked_residual,
                   .factor = kinked_factor,
                   .solve = kinked_solve,
                   .apply = kinked_apply,
                   .increment = kinked_size,
                   .step = kinked_step,
                   .multipliers = no_multipliers,
                   .weigh = search ? kinked_weight : NULL,
                   .share = all_of_it};
    return ts_newton_solve(&x, temper, iterations);
}

static void a_search_leads_over_kinks(void **state) {
    (void)state;
    for (int n = -20; n <= 20; n++) {
        kinked k = {.x = 0.1 * n};
        int iterations = 0;
        assert_int_equal(solve_kinked(&k, true, TS_BOLD, &iterations), 0);
        assert_true(fabs(k.x - 0.03 / 51) < 1e-15);
        assert_in_range(iterations, 1, 12);
        assert_in_range(k.residuals, 1, 30);
    }
}

/* What the search is for: increments alone go round in a circle. */
static void increments_alone_do_not(void **state) {
    (void)state;
    kinked k = {.x = 0.53};
    int iterations = 0;
    assert_int_equal(solve_kinked(&k, false, TS_BOLD, &iterations), TORSOR_RETRY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(increments_learn),
        cmocka_unit_test(nothing_learnt_changes_nothing),
        cmocka_unit_test(a_search_leads_over_kinks),
        cmocka_unit_test(increments_alone_do_not),
        cmocka_unit_test(a_poor_tangent_is_no_noise),
        cmocka_unit_test(noise_is_noise),
        cmocka_unit_test(what_stands_out_of_noise_is_none),
        cmocka_unit_test(noise_is_small),
        cmocka_unit_test(worn_in_time),
        cmocka_unit_test(iterations_foreseen),
        cmocka_unit_test(new_tangents_contract_as_they_are_near),
        cmocka_unit_test(slow_is_slower_than_a_third),
        cmocka_unit_test(every_other_iteration_may_be_slow),
        cmocka_unit_test(the_error_left_is_the_rest_of_the_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
