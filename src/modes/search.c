/* SPDX-License-Identifier: Apache-2.0 */
/* Lowest eigenvalues of K phi + C^T mu = omega^2 M phi, C phi = 0, with K symmetric. See search.h,
 * docs/modes.md.
 *
 * Shift and invert. The eigenvalues next to a shift s are the largest of an operator that takes one
 * solution with the saddle matrix:
 *
 *     (K - s M) y + C^T mu = M x ,  C y = 0 ,         theta = 1/(omega^2 - s) .
 *
 * 1. The first shift is below zero by FIRST_SHIFT of the largest K_ii/M_ii, where no omega^2 of a
 *    stable model is.
 * 2. omega^2 that round-off could have made (ts_pencil_noise) are free motions. The second shift is
 *    below zero by a part of the least |omega^2| that is not: away from the free motions, and in
 *    the scale of what is sought.
 * 3. Sparse only: the number of omega^2 below a cut behind the last mode asked for is counted
 *    (ts_pencil_count). What is missing is sought again, M-orthogonal to all that have been found.
 *    Missing ones below the shift are unstable: the shift goes down by factors of 4 until none is
 *    missing below it, so that they are next to it.
 *
 * Modes next to zero take one more step of inverse iteration, with refined solutions, and their own
 * eigenvalues (refine), so that free motions are free of stiff ones. omega^2 are Rayleigh quotients
 * in the end. Motions without mass have theta = 0 and are never seen. Small models are solved by
 * dense matrices on the null space of C, which have all eigenvalues and need no count.
 */
#include "modes/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "sparse/eigen.h"

static const double FIRST_SHIFT = 1e-10; /* of the largest K_ii/M_ii */
static const double LOWEST = 1e9;        /* of the same: below it there is no omega^2 */
/* of omega^2: less between two of them is a cluster, which is not cut */
static const double GAP = 1e-6;
enum { DENSE = 240, DENSE_LIMIT = 4000, ROUNDS = 8 };

/* ---- eigenvalues found ---- */

void ts_found_new(ts_found *s, int room, int dofs) {
    size_t n = (size_t)room + 1;
    *s = (ts_found){.room = room};
    s->re = ts_calloc(n, sizeof(double));
    s->im = ts_calloc(n, sizeof(double));
    s->noise = ts_calloc(n, sizeof(double));
    s->phi = ts_calloc(n * (size_t)dofs, sizeof(double));
}

void ts_found_free(ts_found *s) { free(s->re), free(s->im), free(s->noise), free(s->phi); }

/* Room for `more`; new vectors are written behind the last. */
static void found_grow(ts_found *s, int more, int dofs) {
    if (s->count + more <= s->room) return;
    s->room = s->count + more;
    size_t n = (size_t)s->room + 1;
    s->re = ts_realloc(s->re, n, sizeof(double));
    s->im = ts_realloc(s->im, n, sizeof(double));
    s->noise = ts_realloc(s->noise, n, sizeof(double));
    s->phi = ts_realloc(s->phi, n * (size_t)dofs, sizeof(double));
}

/* omega^2 by Rayleigh's quotient and vectors of unit mass, from the eigenvalue `first` on. */
static void polish(ts_search *s, int first, ts_found *out) {
    for (int i = first; i < out->count; i++) {
        double *phi = out->phi + (size_t)i * (size_t)s->x->dofs;
        double m = ts_pencil_form(&s->p, s->x->M, phi, phi);
        out->im[i] = out->noise[i] = 0;
        if (!(m > 0)) continue;
        for (int k = 0; k < s->x->dofs; k++) phi[k] /= sqrt(m);
        out->re[i] = ts_pencil_form(&s->p, s->x->K, phi, phi);
        out->noise[i] = ts_pencil_noise(&s->p, phi);
    }
}

static bool is_zero(const ts_found *e, int i) { return fabs(e->re[i]) <= e->noise[i]; }

static void swap_numbers(double *a, double *b, int n) {
    for (int k = 0; k < n; k++) {
        double kept = a[k];
        a[k] = b[k], b[k] = kept;
    }
}

/* Rising; free motions count as zero. */
static void sort(ts_found *e, int dofs) {
    size_t d = (size_t)dofs;
    for (int i = 0; i < e->count; i++) {
        int least = i;
        for (int j = i + 1; j < e->count; j++)
            if ((is_zero(e, j) ? 0 : e->re[j]) < (is_zero(e, least) ? 0 : e->re[least])) least = j;
        if (least == i) continue;
        swap_numbers(e->re + i, e->re + least, 1);
        swap_numbers(e->noise + i, e->noise + least, 1);
        swap_numbers(e->phi + (size_t)i * d, e->phi + (size_t)least * d, dofs);
    }
}

/* ---- dense ---- */

/* M z = theta (K - s M) z, theta rising, where the right side is definite: s goes down until it is.
 * Vectors in A. */
static int dense_inverse(const ts_search *s, double *shift, double *A, double *theta) {
    const ts_reduced *r = &s->r;
    size_t d = (size_t)r->dim;
    double *B = ts_calloc(d * d + 1, sizeof *B);
    double limit = -LOWEST * s->p.scale;
    int code = TORSOR_ESINGULAR;
    for (; code == TORSOR_ESINGULAR && *shift > limit; *shift *= code ? 30 : 1) {
        for (size_t i = 0; i < d * d; i++) A[i] = r->M[i], B[i] = r->K[i] - *shift * r->M[i];
        code = ts_dense_symmetric(r->dim, A, B, theta);
    }
    free(B);
    if (code != TORSOR_ESINGULAR) return code;
    return ts_fail(code,
                   "a motion without mass is in unstable equilibrium: give it mass or hold it");
}

/* K z = omega^2 M z, rising: accurate for the stiffest, not for the softest. false: some motion has
 * no mass. */
static bool dense_direct(const ts_reduced *r, double *A, double *square) {
    size_t d = (size_t)r->dim;
    double *B = ts_calloc(d * d + 1, sizeof *B);
    memcpy(A, r->K, d * d * sizeof *A), memcpy(B, r->M, d * d * sizeof *B);
    bool found = !ts_dense_symmetric(r->dim, A, B, square);
    free(B);
    return found;
}

/* How many of the softest to take from the inverse, the others from the direct problem: both lose
 * digits by the ratio of omega^2 to the end of their own, so that the best place is halfway, at a
 * wide gap, lest a cluster is torn. */
static int find_split(int d, const double *square, double shift) {
    double half = sqrt(fabs(shift) * fmax(square[d - 1], fabs(shift))), widest = 0;
    int split = d;
    for (int i = 0; i < d; i++) {
        if (square[i] < 1e-3 * half || square[i] > 1e3 * half) continue;
        double gap = i > 0 && square[i - 1] > 0 ? square[i] / square[i - 1] : 1e6;
        if (gap > widest) widest = gap, split = i;
    }
    for (int i = d - 1; split == d && i > 0; i--)
        if (square[i] > 1e3 * half && square[i - 1] < 1e-3 * half) split = i;
    return split;
}

/* The softest by the inverse, the stiffest by the direct problem. */
static int dense_symmetric(ts_search *s, double shift, int k, ts_found *out) {
    const ts_reduced *r = &s->r;
    size_t d = (size_t)r->dim;
    double *A = ts_calloc(d * d + 1, sizeof *A), *B = ts_calloc(d * d + 1, sizeof *B),
           *theta = ts_calloc(d + 1, sizeof *theta), *square = ts_calloc(d + 1, sizeof *square);
    int code = dense_inverse(s, &shift, A, theta);
    bool whole = !code && dense_direct(r, B, square);
    int split = whole ? find_split(r->dim, square, shift) : r->dim;
    out->shift = shift;
    for (int i = 0; i < r->dim && !code && out->count < k; i++) {
        int turned = r->dim - 1 - i;
        if (!whole && !(theta[turned] > 1e-13 * theta[r->dim - 1])) break; /* no mass */
        const double *z = i < split ? A + (size_t)turned * d : B + (size_t)i * d;
        ts_reduced_expand(s->x, r, z, out->phi + (size_t)out->count * (size_t)s->x->dofs);
        out->count++;
    }
    free(A), free(B), free(theta), free(square);
    return code;
}

/* ---- sparse ---- */

/* The operator, and the vectors that it keeps away from. */
typedef struct locked {
    ts_pencil *p;
    int count;
    const double *phi;
    double *mass_phi; /* M phi */
} locked;

static void invert(void *context, const double *b, double *y) {
    locked *l = context;
    size_t dofs = (size_t)l->p->x->dofs;
    memcpy(y, b, dofs * sizeof(double));
    ts_pencil_solve(l->p, y);
    for (int j = 0; j < l->count; j++) {
        const double *phi = l->phi + (size_t)j * dofs, *m = l->mass_phi + (size_t)j * dofs;
        double share = 0;
        for (size_t i = 0; i < dofs; i++) share += m[i] * y[i];
        for (size_t i = 0; i < dofs; i++) y[i] -= share * phi[i];
    }
}

static void mass_times(void *context, const double *x, double *y) {
    locked *l = context;
    ts_pencil_product(l->p, l->p->x->M, x, y);
}

/* The k next to the shift that are M-orthogonal to those there, behind them. */
static int sparse_symmetric(ts_search *s, double shift, int k, ts_found *out) {
    size_t dofs = (size_t)s->x->dofs;
    int code = ts_pencil_factor(&s->p, 0, -shift);
    if (code) return code;
    out->shift = shift;
    found_grow(out, k, s->x->dofs);
    locked l = {&s->p, out->count, out->phi, NULL};
    l.mass_phi = ts_calloc((size_t)out->count * dofs + 1, sizeof(double));
    for (int j = 0; j < out->count; j++)
        ts_pencil_product(&s->p, s->x->M, out->phi + (size_t)j * dofs,
                          l.mass_phi + (size_t)j * dofs);
    ts_operator op = {&l, s->x->dofs, invert, mass_times};
    double *theta = ts_calloc((size_t)k + 1, sizeof *theta);
    code = ts_eigen_symmetric(&op, k, theta, out->phi + (size_t)out->count * dofs);
    out->count += code ? 0 : k;
    free(theta), free(l.mass_phi);
    return code;
}

/* ---- the softest, made accurate ---- */

/* Phi^T (values) Phi of the columns at phi. */
static void project(ts_pencil *p, const double *value, int count, const double *phi, double *out) {
    size_t dofs = (size_t)p->x->dofs;
    for (int i = 0; i < count; i++)
        for (int j = 0; j <= i; j++)
            out[i * count + j] = out[j * count + i] =
                ts_pencil_form(p, value, phi + (size_t)i * dofs, phi + (size_t)j * dofs);
}

/* One step of inverse iteration, then the eigenvalues of what they span. The equations have been
 * factored. A free motion comes out of the search with stiff motions in it, 1e-8 or less, of which
 * nothing is left then. */
static int refine(ts_search *s, ts_found *e) {
    size_t dofs = (size_t)s->x->dofs;
    int first = 0, count = 0, code = 0;
    sort(e, s->x->dofs);
    while (first < e->count && e->re[first] < 10 * e->shift) first++;
    while (first + count < e->count && e->re[first + count] <= -10 * e->shift) count++;
    double *phi = e->phi + (size_t)first * dofs, *b = ts_calloc(dofs + 1, sizeof *b);
    double *K = ts_calloc((size_t)count * (size_t)count + 1, sizeof *K);
    double *M = ts_calloc((size_t)count * (size_t)count + 1, sizeof *M);
    for (int i = 0; i < count; i++) {
        ts_pencil_product(&s->p, s->x->M, phi + (size_t)i * dofs, b);
        ts_pencil_solve(&s->p, b);
        for (size_t k = 0; k < dofs; k++) phi[(size_t)i * dofs + k] = -e->shift * b[k];
    }
    project(&s->p, s->x->K, count, phi, K);
    project(&s->p, s->x->M, count, phi, M);
    if (count > 0) code = ts_dense_symmetric(count, K, M, b);
    if (count > 0 && !code) ts_combine(s->x->dofs, count, K, phi);
    free(b), free(K), free(M);
    return code;
}

static int symmetric_once(ts_search *s, double shift, int k, ts_found *out) {
    out->count = 0;
    int code = s->dense ? dense_symmetric(s, shift, k, out) : sparse_symmetric(s, shift, k, out);
    if (!code) polish(s, 0, out);
    if (!code && s->dense) code = ts_pencil_factor(&s->p, 0, -out->shift);
    if (!code) code = refine(s, out);
    if (!code) polish(s, 0, out);
    return code;
}

/* ---- have all been found? ---- */

/* The place behind eigenvalue i is a gap. */
static bool is_gap(const ts_found *e, int i, double *middle, double *width) {
    double a = e->re[i], b = e->re[i + 1], size = fmax(fabs(a), fabs(b));
    *middle = 0.5 * (a + b);
    *width = size > 0 ? (b - a) / size : 0;
    return b - a > GAP * size && b - a > 4 * (e->noise[i] + e->noise[i + 1]);
}

/* The widest gap behind the `wanted` lowest, or else the last one before: how many are below it. 0:
 * there is none. */
static int find_cut(const ts_found *e, int wanted, double *cut) {
    int below = 0;
    double middle, width, widest = 0;
    for (int i = wanted - 1; i >= 0 && i + 1 < e->count; i++)
        if (is_gap(e, i, &middle, &width) && width > widest)
            below = i + 1, *cut = middle, widest = width;
    for (int i = wanted - 2; i >= 0 && below == 0; i--)
        if (i + 1 < e->count && is_gap(e, i, &middle, &width)) below = i + 1, *cut = middle;
    return below;
}

static int found_below(const ts_found *e, double shift) {
    int count = 0;
    for (int i = 0; i < e->count; i++) count += e->re[i] < shift;
    return count;
}

/* A shift at or below `near` under which none is missing. `base`: motions without mass that count
 * at every shift. */
static double below_missing(const ts_search *s, const ts_found *e, double near, int base) {
    double shift = near;
    for (int i = 0; i < 40; i++, shift *= 4)
        if (ts_pencil_count(s->x, shift) - base <= found_below(e, shift)) break;
    return shift;
}

/* Searches for the modes that are missing among the lowest `wanted` by the count. */
static int complete(ts_search *s, double near, int wanted, ts_found *e) {
    int base = ts_pencil_count(s->x, -LOWEST * s->p.scale), missing = 0;
    double cut = 0;
    for (int round = 0; round < ROUNDS && base >= 0; round++) {
        sort(e, s->x->dofs);
        int below = find_cut(e, wanted < e->count ? wanted : e->count, &cut);
        if (below == 0) return 0;
        int counted = ts_pencil_count(s->x, cut);
        missing = counted - base - below;
        if (counted < 0 || missing <= 0) return 0;
        int first = e->count, room = s->most - e->count;
        int k = missing + TS_SEARCH_SPARE < room ? missing + TS_SEARCH_SPARE : room;
        if (k <= 0) return 0;
        int code = sparse_symmetric(s, below_missing(s, e, near, base), k, e);
        if (code) break;
        polish(s, first, e);
    }
    if (base < 0) return 0;
    return ts_fail(
        TORSOR_EDIVERGED,
        "%d of the modes below %.6g rad/s were not found: ask for more or for fewer modes", missing,
        sqrt(fabs(cut)));
}

/* ---- the search ---- */

int ts_search_new(ts_search **out, const ts_linear_model *x, const ts_system *system,
                  const ts_modal_options *modal, double gap) {
    ts_search *s = *out = ts_calloc(1, sizeof *s);
    s->x = x;
    ts_pencil_begin(&s->p, x);
    ts_pencil_uncertain(&s->p, system, gap);
    int freedom = 2 * x->dofs - x->n, modes = modal->modes;
    bool few = freedom <= DENSE || 3 * (modes + TS_SEARCH_SPARE) + 20 > freedom;
    s->dense = modal->method == TS_EIGEN_DENSE || (modal->method == TS_EIGEN_AUTO && few);
    if (s->dense && x->dofs > DENSE_LIMIT)
        return ts_fail(TORSOR_EINVAL, "%d modes of %d are too many: ask for less than a third",
                       modes, freedom);
    if (s->dense) ts_reduce(x, &s->r);
    s->most = s->dense ? s->r.dim : freedom;
    return 0;
}

void ts_search_free(ts_search *s) {
    if (!s) return;
    ts_pencil_end(&s->p);
    ts_reduced_free(&s->r);
    free(s);
}

static double first_shift(const ts_linear_model *x) { return -FIRST_SHIFT * ts_pencil_scale(x); }

/* Free motions in all. Those beyond the last one found are counted. */
static int count_zeros(const ts_search *s, const ts_found *e) {
    int zeros = 0;
    for (int i = 0; i < e->count; i++) zeros += is_zero(e, i);
    if (s->dense || e->count == 0 || !is_zero(e, e->count - 1)) return zeros;
    double near = first_shift(s->x);
    int above = ts_pencil_count(s->x, -near), below = ts_pencil_count(s->x, near);
    return above - below > zeros ? above - below : zeros;
}

/* The least |omega^2| that is no free motion and larger than a limit; 0: none. */
static double least_above(const ts_found *e, double limit) {
    double least = 0;
    for (int i = 0; i < e->count; i++) {
        double square = fabs(e->re[i]);
        if (!is_zero(e, i) && square > limit && (least == 0 || square < least)) least = square;
    }
    return least;
}

/* Below zero, by a part of the least |omega^2| that is no free motion; the same again if that is
 * where it is. */
static double better_shift(const ts_found *e, double shift) {
    double least = least_above(e, -1e-3 * shift);
    if (least == 0) least = least_above(e, 0);
    bool good = least == 0 || (-shift < least && -shift > 1e-3 * least);
    return good ? shift : -0.3 * least;
}

int ts_search_symmetric(ts_search *s, int k, ts_found *out) {
    if (k > s->most) k = s->most;
    if (k < 0) k = 0;
    int sought = s->dense ? s->most : k;
    ts_found_new(out, sought, s->x->dofs);
    if (k == 0) return 0;
    double shift = first_shift(s->x), better;
    int code = symmetric_once(s, shift, sought, out);
    for (int i = 0; i < 2 && !code && (better = better_shift(out, shift)) != shift; i++)
        code = symmetric_once(s, shift = better, sought, out);
    if (!code && !s->dense)
        code = complete(s, shift, k > TS_SEARCH_SPARE ? k - TS_SEARCH_SPARE : k, out);
    if (code) return code;
    sort(out, s->x->dofs);
    out->zeros = count_zeros(s, out);
    if (out->count > k) out->count = k;
    return 0;
}

/* ---- one solution ---- */

int ts_solve_shifted(const ts_linear_model *x, double *b) {
    ts_pencil p;
    ts_pencil_begin(&p, x);
    int code = ts_pencil_factor(&p, 0, -first_shift(x));
    if (!code) ts_pencil_solve(&p, b);
    ts_pencil_end(&p);
    return code;
}
