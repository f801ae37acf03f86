/* SPDX-License-Identifier: Apache-2.0 */
/* The fewest digits from which a number is read back exactly. See digits.h.
 *
 * Every decimal of 15 digits is preserved by a conversion to double and back, so %.15g finds all
 * numbers that a user writes; 17 digits always suffice. Computed values mostly need 16 or 17, and
 * printf and strtod of the C library, which work with long integers, would be called three times
 * for them. So digits of usual sizes are found by one product in long double (64 bits on x86): the
 * value times 10^k, rounded to an integer of 15, 16 or 17 digits. A candidate counts if the
 * quotient by 10^k, rounded to double, is the value; quotients so near to the middle of two doubles
 * that the error of long double could decide are left to the C library. */
#include "base/digits.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- by the C library: always right ---- */

static void print_slowly(char text[TS_DIGITS], double value) {
    int digits = fabs(value) < DBL_MIN ? 1 : 15; /* below DBL_MIN doubles have fewer digits */
    for (; digits < 17; digits++) {
        snprintf(text, TS_DIGITS, "%.*g", digits, value);
        if (strtod(text, NULL) == value) return;
    }
    snprintf(text, TS_DIGITS, "%.17g", value);
}

/* ---- by long double ---- */

#if LDBL_MANT_DIG >= 64
enum { EXACT_POWER = 27 }; /* 10^27 = 5^27 2^27, and 5^27 has 63 bits */

static const long double POWER[EXACT_POWER + 1] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                                   1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                                   1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                                   1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};

static long double scaled(long double value, int power) {
    return power >= 0 ? value * POWER[power] : value / POWER[-power];
}

/* Is `integer` 10^-power read as `size`? Certainly so: both neighbours of the quotient agree. */
static bool reads_back(int64_t integer, int power, double size) {
    long double quotient = scaled((long double)integer, -power);
    long double doubt = quotient * 2 * LDBL_EPSILON;
    return (double)(quotient - doubt) == size && (double)(quotient + doubt) == size;
}

/* Certainly not? Then fewer digits will not do. */
static bool misses(int64_t integer, int power, double size) {
    long double quotient = scaled((long double)integer, -power);
    long double doubt = quotient * 2 * LDBL_EPSILON;
    return (double)(quotient - doubt) != size && (double)(quotient + doubt) != size;
}

/* "12300" with the point behind its first digit, times 10^exponent, in the form of %g. */
static void place_point(char text[TS_DIGITS], bool negative, int64_t integer, int exponent) {
    char digit[24];
    int count = snprintf(digit, sizeof digit, "%lld", (long long)integer), precision = count;
    while (count > 1 && digit[count - 1] == '0') count--;
    char *at = text;
    if (negative) *at++ = '-';
    if (exponent < -4 || exponent >= precision) {
        *at++ = digit[0];
        if (count > 1) *at++ = '.', memcpy(at, digit + 1, (size_t)count - 1), at += count - 1;
        sprintf(at, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
        return;
    }
    if (exponent < 0) {
        *at++ = '0', *at++ = '.';
        for (int i = -1; i > exponent; i--) *at++ = '0';
    }
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i == exponent + 1 && exponent >= 0) *at++ = '.';
        *at++ = (char)(i < count ? digit[i] : '0');
    }
    *at = 0;
}

/* false: not certain. */
static bool print_quickly(char text[TS_DIGITS], double value) {
    double size = fabs(value);
    if (!(size >= 1e-9 && size < 1e17)) return false;
    int exponent = (int)floor(log10(size));
    for (int digits = 15; digits <= 17; digits++) {
        int power = digits - 1 - exponent;
        if (power > EXACT_POWER || power < -EXACT_POWER) return false;
        int64_t integer = llrintl(scaled(size, power)), least = (int64_t)POWER[digits - 1];
        if (integer < least || integer >= 10 * least) return false;
        if (reads_back(integer, power, size))
            return place_point(text, value < 0, integer, exponent), true;
        if (!misses(integer, power, size)) return false;
    }
    return false;
}
#else
static bool print_quickly(char text[TS_DIGITS], double value) {
    (void)text, (void)value;
    return false;
}
#endif

const char *ts_digits(char text[TS_DIGITS], double value) {
    if (value == 0)
        strcpy(text, signbit(value) ? "-0" : "0");
    else if (!isfinite(value))
        snprintf(text, TS_DIGITS, "%g", value);
    else if (!print_quickly(text, value))
        print_slowly(text, value);
    return text;
}
