/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as text: a million random doubles, bit patterns, decimals and computed values, read back
 * bit for bit; of every fifth, no shorter text does; 0.03 is 0.03. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/digits.h"

static uint64_t seed = 88172645463325252u;

static uint64_t next(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return seed;
}

static double even(void) { return ldexp((double)(next() >> 11), -53); }

static double of_bits(void) {
    uint64_t bits = next();
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What results hold: between 1e-12 and 1e18, of both signs. */
static double computed(void) { return (2 * even() - 1) * pow(10, (double)(next() % 31) - 12); }

/* What people write: up to seven digits. */
static double written(void) {
    return ((double)(next() % 20000001) - 1e7) / pow(10, (double)(next() % 10));
}

/* Around powers of two, where the distance of doubles changes. */
static double at_power_of_two(void) {
    double power = ldexp(1, (int)(next() % 200) - 100);
    return next() % 3 ? nextafter(power, next() % 2 ? INFINITY : 0) : power;
}

static int digits_of(const char *text) {
    int count = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0)) continue;
        count++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return count - zeros;
}

static void try(double value, int which) {
    char text[TS_DIGITS], shorter[400];
    ts_digits(text, value);
    double back = strtod(text, NULL);
    if (memcmp(&back, &value, sizeof back) != 0) fail_msg("%.17g is written %s", value, text);
    int digits = digits_of(text);
    if (digits < 2 || which % 5) return;
    snprintf(shorter, sizeof shorter, "%.*g", digits - 1, value);
    if (strtod(shorter, NULL) == value) fail_msg("%s is shorter than %s", shorter, text);
}

static void test_read_back(void **state) {
    static double (*const KIND[])(void) = {of_bits, computed, written, at_power_of_two};
    const char *quick = getenv("TORSOR_QUICK");
    int count = quick && *quick && *quick != '0' ? 100000 : 1000000;
    (void)state;
    for (int i = 0; i < count; i++) {
        double value = KIND[i % 4]();
        if (isfinite(value)) try(value, i);
    }
}

static void test_known(void **state) {
    static const struct {
        double value;
        const char *text;
    } KNOWN[] = {{0.03, "0.03"},
                 {0, "0"},
                 {-0.0, "-0"},
                 {100, "100"},
                 {-2.5, "-2.5"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e-5, "1e-05"},
                 {1.5e-5, "1.5e-05"},
                 {1e15, "1e+15"},
                 {123456, "123456"},
                 {9007199254740992, "9007199254740992"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {5e-324, "5e-324"},
                 {NAN, "nan"},
                 {-INFINITY, "-inf"}};
    char text[TS_DIGITS];
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        assert_string_equal(ts_digits(text, KNOWN[i].value), KNOWN[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known),
                                       cmocka_unit_test(test_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
