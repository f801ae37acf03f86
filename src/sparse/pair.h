/* SPDX-License-Identifier: Apache-2.0 */
/* Two numbers at once; a complex number is two. Private to src/sparse. */
#ifndef TS_PAIR_H
#define TS_PAIR_H

#include <math.h>
#include <stdbool.h>

typedef double two __attribute__((vector_size(16)));
typedef double loose __attribute__((vector_size(16), aligned(8))); /* anywhere in memory */

static inline two load(const double *x) { return *(const loose *)x; }
static inline void store(double *x, two value) { *(loose *)x = value; }
static inline two twice(double x) { return (two){x, x}; }

/* A complex number as a factor: its parts, each twice, the sign of the first imaginary one
 * changed. */
typedef struct factor {
    two re, im;
} factor;

static inline factor factor_of(two x) { return (factor){twice(x[0]), {-x[1], x[1]}}; }

static inline two product(two value, factor x) {
    return value * x.re + __builtin_shufflevector(value, value, 1, 0) * x.im;
}

/* a / b as KLU has it (R. L. Smith, Algorithm 116, 1962), what depends on b alone: with r the
 * smaller part over the larger, den = larger + r smaller, and p, q = 1, r or r, 1,
 *     (p Re a + q Im a) / den ,  (p Im a - q Re a) / den . */
static inline void prepare_division(double re, double im, double out[3]) {
    bool wide = fabs(re) >= fabs(im);
    double r = wide ? im / re : re / im;
    out[0] = wide ? 1 : r, out[1] = wide ? r : 1;
    out[2] = wide ? re + r * im : r * re + im;
}

static inline two quotient(two a, const double *prepared) {
    double p = prepared[0], q = prepared[1];
    return product(a, (factor){twice(p), {q, -q}}) / twice(prepared[2]);
}

static inline two reciprocal(double re, double im) {
    double by[3];
    prepare_division(re, im, by);
    return quotient((two){1, 0}, by);
}

#endif
