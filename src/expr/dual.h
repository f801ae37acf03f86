/* SPDX-License-Identifier: Apache-2.0 */
/* Dual numbers: a value with its rate, (v, v'), and functions that carry the chain rule,
 *     f(v, v') = (f(v), f'(v) v')
 * so that one evaluation gives value and exact derivative (forward mode; Griewank and Walther,
 * Evaluating Derivatives, 2nd ed., ch. 3). At a kink of f, values are compared together with their
 * rates, as they are just after t: this gives the derivative from the right. A rate of zero remains
 * zero even where f' is infinite, so sqrt(ramp(t - 1)) has the rate zero until it starts. */
#ifndef TS_DUAL_H
#define TS_DUAL_H

#include <math.h>
#include <stdbool.h>

typedef struct dual {
    double v, r;
} dual;

typedef dual (*dual_fn)(const dual *x); /* arguments x[0], x[1], ... */

static inline dual chained(double value, double slope, double rate) {
    return (dual){value, rate == 0 ? 0 : slope * rate};
}

/* Is a < b just after t? */
static inline bool less_after(dual a, dual b) { return a.v < b.v || (a.v == b.v && a.r < b.r); }

static inline dual d_neg(const dual *x) { return (dual){-x->v, -x->r}; }
static inline dual d_add(const dual *x) { return (dual){x[0].v + x[1].v, x[0].r + x[1].r}; }
static inline dual d_sub(const dual *x) { return (dual){x[0].v - x[1].v, x[0].r - x[1].r}; }

static inline dual d_mul(const dual *x) {
    return (dual){x[0].v * x[1].v, x[0].r * x[1].v + x[0].v * x[1].r};
}

static inline dual d_div(const dual *x) {
    double quotient = x[0].v / x[1].v;
    return (dual){quotient, (x[0].r - quotient * x[1].r) / x[1].v};
}

static inline dual d_pow(const dual *x) {
    double value = pow(x[0].v, x[1].v);
    dual by_base = chained(value, x[1].v * pow(x[0].v, x[1].v - 1), x[1].v == 0 ? 0 : x[0].r);
    dual by_exponent = chained(value, value == 0 ? 0 : value * log(x[0].v), x[1].r);
    return (dual){value, by_base.r + by_exponent.r};
}

static inline dual d_sin(const dual *x) { return chained(sin(x->v), cos(x->v), x->r); }
static inline dual d_cos(const dual *x) { return chained(cos(x->v), -sin(x->v), x->r); }
static inline dual d_sinh(const dual *x) { return chained(sinh(x->v), cosh(x->v), x->r); }
static inline dual d_cosh(const dual *x) { return chained(cosh(x->v), sinh(x->v), x->r); }
static inline dual d_log(const dual *x) { return chained(log(x->v), 1 / x->v, x->r); }
static inline dual d_log10(const dual *x) {
    return chained(log10(x->v), 1 / (x->v * log(10)), x->r);
}
static inline dual d_atan(const dual *x) {
    return chained(atan(x->v), 1 / (1 + x->v * x->v), x->r);
}

static inline double arc_slope(double v) { return 1 / sqrt((1 - v) * (1 + v)); }
static inline dual d_asin(const dual *x) { return chained(asin(x->v), arc_slope(x->v), x->r); }
static inline dual d_acos(const dual *x) { return chained(acos(x->v), -arc_slope(x->v), x->r); }

static inline dual d_tan(const dual *x) {
    double value = tan(x->v);
    return chained(value, 1 + value * value, x->r);
}

static inline dual d_tanh(const dual *x) {
    double value = tanh(x->v);
    return chained(value, (1 - value) * (1 + value), x->r);
}

static inline dual d_exp(const dual *x) {
    double value = exp(x->v);
    return chained(value, value, x->r);
}

static inline dual d_sqrt(const dual *x) {
    double value = sqrt(x->v);
    return chained(value, 0.5 / value, x->r);
}

static inline dual d_atan2(const dual *x) {
    double radius = hypot(x[0].v, x[1].v);
    if (radius == 0) return (dual){atan2(x[0].v, x[1].v), 0};
    double sine = x[0].v / radius, cosine = x[1].v / radius;
    return (dual){atan2(x[0].v, x[1].v), (cosine * x[0].r - sine * x[1].r) / radius};
}

static inline dual d_abs(const dual *x) {
    return less_after(*x, (dual){0, 0}) ? d_neg(x) : (dual){fabs(x->v), x->r};
}

/* A NaN in either place comes through. */
static inline dual d_min(const dual *x) {
    return isnan(x[1].v) || less_after(x[1], x[0]) ? x[1] : x[0];
}
static inline dual d_max(const dual *x) {
    return isnan(x[1].v) || less_after(x[0], x[1]) ? x[1] : x[0];
}
static inline dual d_ramp(const dual *x) {
    return less_after(*x, (dual){0, 0}) ? (dual){0, 0} : *x;
}

static inline dual d_step(const dual *x) { return (dual){isnan(x->v) ? x->v : x->v >= 0, 0}; }
static inline dual d_sign(const dual *x) {
    return (dual){isnan(x->v) ? x->v : (x->v > 0) - (x->v < 0), 0};
}
static inline dual d_floor(const dual *x) { return (dual){floor(x->v), 0}; }

static inline dual d_smooth(const dual *x) {
    double v = x->v;
    if (v <= 0) return (dual){0, 0};
    if (v >= 1) return (dual){1, 0};
    return chained(v * v * (3 - 2 * v), 6 * v * (1 - v), x->r);
}

/* x[0] - n x[1] with the whole number n that brings it between 0 and x[1]. */
static inline dual d_mod(const dual *x) {
    double rest = fmod(x[0].v, x[1].v);
    if (rest != 0 && (rest < 0) != (x[1].v < 0)) rest += x[1].v;
    double turns = x[1].r == 0 ? 0 : rint((x[0].v - rest) / x[1].v);
    return (dual){rest, x[0].r - turns * x[1].r};
}

/* A condition is a pair too: does it hold at t (v), and just after t (r)? */
static inline dual condition(dual a, dual b, bool now, bool after) {
    if (isnan(a.v) || isnan(b.v)) return (dual){NAN, NAN};
    return (dual){now, after};
}
static inline dual d_lt(const dual *x) {
    return condition(x[0], x[1], x[0].v < x[1].v, less_after(x[0], x[1]));
}
static inline dual d_le(const dual *x) {
    return condition(x[0], x[1], x[0].v <= x[1].v, !less_after(x[1], x[0]));
}
static inline dual d_gt(const dual *x) { return d_lt((dual[]){x[1], x[0]}); }
static inline dual d_ge(const dual *x) { return d_le((dual[]){x[1], x[0]}); }

static inline dual d_and(const dual *x) {
    return condition(x[0], x[1], x[0].v != 0 && x[1].v != 0, x[0].r != 0 && x[1].r != 0);
}
static inline dual d_or(const dual *x) {
    return condition(x[0], x[1], x[0].v != 0 || x[1].v != 0, x[0].r != 0 || x[1].r != 0);
}
static inline dual d_not(const dual *x) { return condition(*x, *x, x->v == 0, x->r == 0); }

static inline dual d_if(const dual *x) {
    if (isnan(x[0].v)) return x[0];
    return (dual){x[0].v != 0 ? x[1].v : x[2].v, x[0].r != 0 ? x[1].r : x[2].r};
}

#endif
