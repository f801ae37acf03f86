/* SPDX-License-Identifier: Apache-2.0 */
/* Springs with inner states, branch by branch: energy balance over any step, derivatives against
 * differences, and the same result for a path in one or in two parts. */
#include "laws/inner.h"

#include <math.h>
#include <string.h>

#include "laws/bouc_wen.h"
#include "scene.h"

enum { DATA = TS_INNER_HEAD + TS_INNER_NUMBERS };

/* One branch along a displacement, with its deflection and a step. */
typedef struct trial {
    double data[DATA], memory[2], e_i, e_f;
    ts_law_step step;
} trial;

static void any_trial(trial *c, int kind) {
    double *b = c->data + TS_INNER_HEAD, k = exp(3 * chance()), high = k * exp(2 * chance());
    memset(c, 0, sizeof *c);
    c->data[TS_WAY_KIND] = TS_WAY_LINEAR, c->data[TS_INNER_COUNT] = 1;
    b[TS_INNER_KIND] = kind, b[TS_INNER_K] = k, b[TS_INNER_HIGH] = high;
    b[TS_INNER_LOW] = kind == TS_INNER_MAXWELL ? exp(4 * chance()) : -fmax(chance(), 0) * high;
    b[TS_INNER_DRAG] = kind == TS_INNER_JENKINS ? fmax(chance(), 0) : 0;
    b[TS_INNER_POWER] = 1 + 5 * fabs(chance()), b[TS_INNER_SHAPE] = 0.75 + 0.25 * chance();
    c->e_i = chance(), c->e_f = c->e_i + chance() * exp(3 * chance());
    c->memory[TS_INNER_AT] = c->e_i;
    double least = kind == TS_INNER_JENKINS ? b[TS_INNER_LOW] : -high;
    c->memory[TS_INNER_MEMORY] = (least + (high - least) * 0.5 * (1 + chance())) / k;
    c->step = (ts_law_step){.m = 1,
                            .data = c->data,
                            .memory = c->memory,
                            .e_i = &c->e_i,
                            .e_f = &c->e_f,
                            .t_f = exp(4 * chance())};
}

static void balance(void **state) {
    (void)state;
    for (int n = 0; n < 6000; n++) {
        trial c;
        ts_response r;
        any_trial(&c, n % 3);
        TS_INNER.respond(&c.step, &r);
        double V = TS_INNER.energy(c.data, c.memory, 1, &c.e_i), work = r.s[0] * (c.e_f - c.e_i);
        double size = V + r.stored + fabs(work) + r.dissipated, end[2];
        assert_true(fabs(work - (r.stored - V + r.dissipated)) <= 1e-14 * size);
        assert_true(r.dissipated >= -1e-14 * size);
        memcpy(end, c.memory, sizeof end);
        TS_INNER.commit(&c.step, end);
        assert_near(TS_INNER.energy(c.data, end, 1, &c.e_f), r.stored, 1e-14 * size);
        assert_true(end[TS_INNER_AT] == c.e_f);
    }
}

static void slopes(void **state) {
    (void)state;
    for (int n = 0; n < 6000; n++) {
        trial c;
        ts_response r, more, less;
        any_trial(&c, n % 3);
        TS_INNER.respond(&c.step, &r);
        double e = c.e_f, d = 1e-5 * fabs(c.e_f - c.e_i);
        c.e_f = e + d, TS_INNER.respond(&c.step, &more);
        c.e_f = e - d, TS_INNER.respond(&c.step, &less);
        double k =
            c.data[TS_INNER_HEAD + TS_INNER_K] + c.data[TS_INNER_HEAD + TS_INNER_DRAG] / c.step.t_f;
        double off = fabs(r.ds[0] - (more.s[0] - less.s[0]) / (2 * d)) / k;
        bool kink = fabs(more.ds[0] - less.ds[0]) > 1e-3 * k; /* between sticking and slipping */
        if (!(off < 1e-5) && !kink) fail_msg("kind %d: slope %g off", n % 3, off);
    }
}

/* Half of the way in half of the time, twice: the same deflection, work and loss. */
static void in_two_parts(void **state) {
    (void)state;
    for (int n = 0; n < 6000; n++) {
        trial c, half;
        ts_response whole, first, second;
        double end[2];
        any_trial(&c, n % 3);
        c.data[TS_INNER_HEAD + TS_INNER_DRAG] = 0;
        half = c, half.step.data = half.data, half.step.memory = half.memory;
        half.step.e_i = &half.e_i, half.step.e_f = &half.e_f;
        TS_INNER.respond(&c.step, &whole);
        half.e_f = 0.5 * (c.e_i + c.e_f), half.step.t_f = 0.5 * c.step.t_f;
        TS_INNER.respond(&half.step, &first);
        memcpy(end, half.memory, sizeof end), TS_INNER.commit(&half.step, end);
        memcpy(half.memory, end, sizeof end);
        half.e_i = half.e_f, half.e_f = c.e_f;
        TS_INNER.respond(&half.step, &second);
        double size = fabs(whole.s[0]) + fabs(first.s[0]) + fabs(second.s[0]);
        assert_near(0.5 * (first.s[0] + second.s[0]), whole.s[0], 1e-9 * size);
        assert_near(first.dissipated + second.dissipated, whole.dissipated,
                    1e-9 * (whole.stored + whole.dissipated + size * fabs(c.e_f - c.e_i)));
    }
}

/* n = 1, b = 1/2: zeta = 1 - exp(-u), unloading along a straight line; n = 2: tanh u. */
static void closed_forms(void **state) {
    (void)state;
    const ts_bouc_wen one = {1, 0.5}, two = {2, 0.5}, steep = {1, 1};
    for (double u = 0.001; u < 60; u *= 1.7) {
        ts_bouc_wen_step s = ts_bouc_wen_over(&one, 0, u);
        assert_near(s.end, -expm1(-u), 1e-14), assert_near(s.slope, exp(-u), 1e-13);
        assert_near(s.mean, 1 + expm1(-u) / u, 1e-13);
        s = ts_bouc_wen_over(&two, 0, -u);
        assert_near(s.end, -tanh(u), 1e-14);
        assert_near(s.mean, -(log(cosh(fmin(u, 300))) / u), 1e-13);
        s = ts_bouc_wen_over(&steep, 0.9, -u); /* zeta + 1 falls exponentially down to zero */
        double zero = log(1.9);
        assert_near(s.end, u < zero ? 1.9 * exp(-u) - 1 : expm1(-(u - zero)), 1e-13);
        assert_near(s.slope, 1 + s.end, 1e-13);
    }
    assert_near(ts_bouc_wen_over(&one, 0.7, -0.3).end, 0.4, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balance), cmocka_unit_test(slopes),
                                       cmocka_unit_test(in_two_parts),
                                       cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
