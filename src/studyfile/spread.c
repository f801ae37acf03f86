/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions by their quantiles, and samples of the unit interval.
 *
 * A sample is a hash of seed, name of the parameter and number of the sample (SplitMix64: G.
 * Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014). So
 * another parameter, or more random samples, leave the others as they were. A Latin hypercube
 * (M. McKay, R. Beckman, W. Conover, Technometrics 21 (1979) 239-245) has one sample in each of n
 * intervals of equal probability, in random order.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "studyfile/studyfile.h"

/* ---- distributions ---- */

/* Solves erfc(-x/sqrt 2)/2 = p, p <= 1/2, by Halley's method from the guess 26.2.22 of M.
 * Abramowitz and I. Stegun, Handbook of Mathematical Functions (1964), whose error is 3e-3. */
static double lower_quantile(double p) {
    double t = sqrt(-2 * log(p));
    double x = (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)) - t;
    for (int i = 0; i < 3; i++) {
        double error = 0.5 * erfc(-x * M_SQRT1_2) - p;
        double step = error * sqrt(2 * M_PI) * exp(0.5 * x * x);
        x -= step / (1 + 0.5 * x * step);
    }
    return x;
}

double ts_normal_quantile(double p) {
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

static double uniform(double u, const double a[2]) { return a[0] + (a[1] - a[0]) * u; }
static double loguniform(double u, const double a[2]) { return a[0] * pow(a[1] / a[0], u); }
static double normal(double u, const double a[2]) { return a[0] + a[1] * ts_normal_quantile(u); }
static double lognormal(double u, const double a[2]) {
    return a[0] * exp(a[1] * ts_normal_quantile(u));
}

const ts_distribution TS_DISTRIBUTIONS[] = {
    {.name = "uniform", .at = uniform, .ordered = true, .expects = "[lowest, highest]"},
    {.name = "loguniform",
     .at = loguniform,
     .positive = true,
     .ordered = true,
     .expects = "[lowest, highest], both positive"},
    {.name = "normal", .at = normal, .expects = "[mean, standard deviation]"},
    {.name = "lognormal",
     .at = lognormal,
     .positive = true,
     .plain_second = true,
     .expects = "[median, standard deviation of the logarithm]"},
    {0}};

/* ---- samples ---- */

static uint64_t mix(uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Middle of one of 2^52 intervals: never 0 or 1. */
static double unit(uint64_t bits) { return ((double)(bits >> 12) + 0.5) * 0x1p-52; }

static uint64_t stream_of(uint64_t seed, const char *name) {
    uint64_t z = mix(seed);
    for (; *name; name++) z = mix(z ^ (unsigned char)*name);
    return z;
}

static void shuffle(double *u, int64_t n, uint64_t stream) {
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t k = (int64_t)(unit(mix(stream ^ mix((uint64_t)i))) * (double)(i + 1));
        double kept = u[i];
        u[i] = u[k], u[k] = kept;
    }
}

void ts_sample(double *u, int64_t n, uint64_t seed, const char *parameter, bool latin) {
    uint64_t stream = stream_of(seed, parameter);
    for (int64_t i = 0; i < n; i++) u[i] = unit(mix(stream + (uint64_t)i));
    if (!latin) return;
    for (int64_t i = 0; i < n; i++) u[i] = ((double)i + u[i]) / (double)n;
    shuffle(u, n, mix(stream ^ 0x4c48u));
}
