/* SPDX-License-Identifier: Apache-2.0 */
/* Broyden's good method, error oriented (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004,
 * section 2.1.4): a factorisation of J_0 that is kept, and increments d_0, d_1, ... that were taken
 * since. J_k is the matrix nearest to J_(k-1) that reproduces the effect of the last increment,
 *
 *     J_k = J_(k-1) + F_k d_(k-1)^T/|d_(k-1)|^2 ,
 *
 * and -J_k^-1 F_k needs no more than v = -J_0^-1 F_k and scalar products:
 *
 *     v <- v + d_i (d_(i-1).v)/|d_(i-1)|^2 ,  i = 1 ... k - 1 ,
 *     d_k = v/(1 - a) ,   a = d_(k-1).v/|d_(k-1)|^2 .
 *
 * So an old factorisation converges superlinearly instead of linearly, at the cost of a few
 * vectors. The scalar product counts displacements over the size of the model, and turns.
 */
#include "step/newton/secant.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double LARGEST = 0.8; /* of a: increments beyond five times v are not used */

static double dot(const ts_secant *x, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < x->n; i++) sum += x->weight[i] * a[i] * b[i];
    return sum;
}

ts_secant ts_secant_new(int n, const double *weight) {
    return (ts_secant){.n = n,
                       .weight = weight,
                       .increment = ts_calloc((size_t)n * TS_SECANTS + 1, sizeof(double))};
}

void ts_secant_clear(ts_secant *x) {
    free(x->increment);
    *x = (ts_secant){0};
}

static double *increment(const ts_secant *x, int i) {
    return x->increment + (size_t)i * (size_t)x->n;
}

void ts_secant_note(ts_secant *x, const double *delta) {
    double square = dot(x, delta, delta);
    if (x->count == TS_SECANTS || !(square > 0)) {
        ts_secant_forget(x);
        return;
    }
    memcpy(increment(x, x->count), delta, (size_t)x->n * sizeof *delta);
    x->square[x->count++] = square;
}

void ts_secant_correct(const ts_secant *x, double *v) {
    int last = x->count - 1;
    if (last < 0) return;
    for (int i = 1; i <= last; i++) {
        const double *next = increment(x, i);
        double share = dot(x, increment(x, i - 1), v) / x->square[i - 1];
        for (int j = 0; j < x->n; j++) v[j] += share * next[j];
    }
    double a = dot(x, increment(x, last), v) / x->square[last];
    if (!(a < LARGEST)) return;
    for (int j = 0; j < x->n; j++) v[j] /= 1 - a;
}
