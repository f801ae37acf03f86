/* SPDX-License-Identifier: Apache-2.0 */
/* Eigenvalues of (lambda^2 M + lambda D + K) phi + C^T mu = 0, C phi = 0, next to zero; and of
 * buckling. See search.h.
 *
 * Dampers, rotation and loads that follow make this problem. With phi and psi = lambda phi, the
 * operator leads from (a, b) to
 *
 *     A phi + C^T mu = -M b - (D + s M) a ,  C phi = 0 ,  psi = a + s phi ,
 *     A = K + s D + s^2 M ,
 *
 * and has the eigenvalues theta = 1/(lambda - s), s > 0. A motion without mass has theta = 0 and is
 * dropped.
 *
 * Free motions. Let K be symmetric and the columns of N, with N^T M N = 1, span its null space on C
 * phi = 0 (search.c finds them). Each column is an eigenvector with lambda = 0, and most of them
 * twice: a body that moves freely may rest anywhere, or go at any speed. Such a double eigenvalue
 * has one eigenvector only, so that round-off e splits it into two of size sqrt(e), one of which
 * looks unstable. So zero is taken out exactly:
 *
 *     N^T (lambda^2 M + lambda D + K) phi = 0   gives   N^T M psi + N^T D phi = 0
 *     where lambda is not zero,
 *
 * the momenta that go with free motions. All states that satisfy it are a subspace which the
 * operator does not leave; it has no lambda = 0 but for N a with N^T D N a = 0, the free motions
 * without damping, and these are taken out of phi. What is done to each result (phi, psi) of the
 * operator is
 *
 *     psi <- psi - N (N^T M psi + N^T D phi) ,     phi <- phi - N A A^T N^T M phi ,
 *     A spans the null space of N^T D N .
 *
 * Where lambda = 0 stays an eigenvalue of what is left (at a critical speed), or K is not
 * symmetric, the size of lambda^2 is compared with round-off, as it is without D.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "modes/search.h"
#include "sparse/eigen.h"

/* A mode is undamped below this part of |phi|^T |D| |phi|; the model, below this part of the
 * largest D_ii/M_ii. */
static const double NO_DAMPING = 1e-11, NO_DAMPING_AT_ALL = 1e-18;

/* ---- free motions, taken out ---- */

typedef struct deflation {
    int n, zeros, undamped;
    double *N, *MN, *DN; /* n x zeros: N, M N, D^T N */
    double *A, *MA;      /* n x undamped: N A, M N A */
} deflation;

static void deflation_free(deflation *d) {
    free(d->N), free(d->MN), free(d->DN), free(d->A), free(d->MA);
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static void subtract(int n, double factor, const double *a, double *y) {
    for (int i = 0; i < n; i++) y[i] -= factor * a[i];
}

static void take_out(const deflation *d, double *phi, double *psi) {
    for (int j = 0; j < d->zeros; j++) {
        size_t at = (size_t)j * (size_t)d->n;
        double momentum = dot(d->n, d->MN + at, psi) + dot(d->n, d->DN + at, phi);
        subtract(d->n, momentum, d->N + at, psi);
    }
    for (int j = 0; j < d->undamped; j++) {
        size_t at = (size_t)j * (size_t)d->n;
        subtract(d->n, dot(d->n, d->MA + at, phi), d->A + at, phi);
    }
}

/* y = D^T x */
static void damping_transposed(const ts_linear_model *x, const double *a, double *y) {
    const ts_sparse *A = x->pattern;
    for (int j = 0; j < x->dofs; j++) {
        y[j] = 0;
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] < x->dofs) y[j] += x->D[k] * a[A->row[k]];
    }
}

/* A full vector as the operator has it: dense, on the null space of the rows. */
static void put(const ts_search *s, const double *full, double *to) {
    if (s->dense)
        ts_reduced_restrict(s->x, &s->r, full, to);
    else
        memcpy(to, full, (size_t)s->x->dofs * sizeof *to);
}

/* N, M N and D^T N from the free motions; G, with G_ij = N_j^T D N_i. What is no damping. */
static double set_columns(ts_search *s, const double *const *motion, deflation *d, double *G) {
    double *y = ts_calloc((size_t)s->x->dofs + 1, sizeof *y), size = 0;
    for (int j = 0; j < d->zeros; j++) {
        size_t at = (size_t)j * (size_t)d->n;
        put(s, motion[j], d->N + at);
        ts_pencil_product(&s->p, s->x->M, motion[j], y);
        put(s, y, d->MN + at);
        damping_transposed(s->x, motion[j], y);
        put(s, y, d->DN + at);
        for (int i = 0; i < d->zeros; i++) G[i * d->zeros + j] = dot(s->x->dofs, y, motion[i]);
        size = fmax(size, ts_pencil_size(&s->p, s->x->D, motion[j]));
    }
    free(y);
    double most = 0;
    for (int i = 0; i < s->x->dofs; i++) {
        double m = s->x->M[s->x->diagonal[i]];
        if (m > 0) most = fmax(most, fabs(s->x->D[s->x->diagonal[i]]) / m);
    }
    return NO_DAMPING * size + NO_DAMPING_AT_ALL * most;
}

/* The null space of N^T D N, by the eigenvalues of its square; N A and M N A. */
static void set_undamped(deflation *d, const double *G, double limit) {
    int f = d->zeros;
    size_t n = (size_t)d->n, square = (size_t)f * (size_t)f + 1;
    double *S = ts_calloc(square, sizeof *S), *one = ts_calloc(square, sizeof *one),
           *value = ts_calloc((size_t)f + 1, sizeof *value);
    for (int i = 0; i < f; i++)
        for (int j = 0; j < f; j++) {
            one[i * f + j] = i == j;
            for (int k = 0; k < f; k++) S[i * f + j] += G[i * f + k] * G[j * f + k];
        }
    bool known = f > 0 && !ts_dense_symmetric(f, S, one, value);
    for (int c = 0; known && c < f && sqrt(fmax(value[c], 0)) <= limit; c++) {
        for (int j = 0; j < f; j++) {
            subtract(d->n, -S[c * f + j], d->N + (size_t)j * n, d->A + (size_t)c * n);
            subtract(d->n, -S[c * f + j], d->MN + (size_t)j * n, d->MA + (size_t)c * n);
        }
        d->undamped++;
    }
    free(S), free(one), free(value);
}

/* The free motions among the eigenvectors of K and M. */
static void find_zeros(ts_search *s, const ts_found *still, deflation *d) {
    *d = (deflation){.n = s->dense ? s->r.dim : s->x->dofs};
    const double **motion = ts_calloc((size_t)still->count + 1, sizeof *motion);
    for (int i = 0; s->x->symmetric && i < still->count; i++)
        if (fabs(still->re[i]) <= still->noise[i])
            motion[d->zeros++] = still->phi + (size_t)i * (size_t)s->x->dofs;
    double **part[] = {&d->N, &d->MN, &d->DN, &d->A, &d->MA};
    for (int i = 0; i < 5; i++)
        *part[i] = ts_calloc((size_t)d->n * (size_t)d->zeros + 1, sizeof(double));
    double *G = ts_calloc((size_t)d->zeros * (size_t)d->zeros + 1, sizeof *G);
    set_undamped(d, G, set_columns(s, motion, d, G));
    free(motion), free(G);
}

/* ---- operators ---- */

typedef struct operation {
    ts_pencil *p;
    double shift;
    const deflation *d;
} operation;

static void quadratic(void *context, const double *x, double *y) {
    operation *o = context;
    int dofs = o->p->x->dofs;
    const double *a = x, *b = x + dofs;
    double *phi = y, *psi = y + dofs;
    for (int i = 0; i < dofs; i++) psi[i] = b[i] + o->shift * a[i];
    ts_pencil_product(o->p, o->p->x->M, psi, phi);
    ts_pencil_product(o->p, o->p->x->D, a, psi);
    for (int i = 0; i < dofs; i++) phi[i] = -phi[i] - psi[i];
    ts_pencil_solve(o->p, phi);
    for (int i = 0; i < dofs; i++) psi[i] = a[i] + o->shift * phi[i];
    take_out(o->d, phi, psi);
}

/* Buckling: K0^-1 (K0 - K1), where D holds K1 - K0. */
static void buckle(void *context, const double *x, double *y) {
    operation *o = context;
    ts_pencil_product(o->p, o->p->x->D, x, y);
    for (int i = 0; i < o->p->x->dofs; i++) y[i] = -y[i];
    ts_pencil_solve(o->p, y);
}

/* The operator of buckling as a matrix, by columns: -K^-1 D. NULL: K is singular. */
static double *dense_buckling(const ts_reduced *r) {
    size_t d = (size_t)r->dim;
    double *A = ts_calloc(d * d + 1, sizeof *A), *X = ts_calloc(d * d + 1, sizeof *X);
    for (size_t i = 0; i < d * d; i++) A[i] = r->K[i], X[i] = -r->D[i];
    int code = ts_dense_solve(r->dim, r->dim, A, X);
    free(A);
    if (code) free(X);
    return code ? NULL : X;
}

/* op <- op (1 - right left^T), for vectors of m numbers that are zero but for a part of d numbers
 * from `at` on. */
static void project_columns(size_t m, double *op, size_t at, size_t d, const double *right,
                            const double *left_phi, const double *left_psi) {
    double *t = ts_calloc(m + 1, sizeof *t);
    for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < m; i++) t[i] += op[(at + j) * m + i] * right[j];
    for (size_t j = 0; j < m; j++) {
        const double *left = j < d ? left_phi : left_psi;
        double factor = left ? left[j % d] : 0;
        for (size_t i = 0; factor != 0 && i < m; i++) op[j * m + i] -= factor * t[i];
    }
    free(t);
}

/* op <- P op P with P what take_out does. Without the P on the right, zeros would be defective
 * again, those of theta. */
static void take_out_of_matrix(const deflation *z, double *op) {
    size_t d = (size_t)z->n, m = 2 * d;
    for (int j = 0; j < z->undamped; j++)
        project_columns(m, op, 0, d, z->A + (size_t)j * d, z->MA + (size_t)j * d, NULL);
    for (int j = 0; j < z->zeros; j++)
        project_columns(m, op, d, d, z->N + (size_t)j * d, z->DN + (size_t)j * d,
                        z->MN + (size_t)j * d);
    for (size_t j = 0; j < m; j++) take_out(z, op + j * m, op + j * m + d);
}

/* The operator of the quadratic problem as a matrix, by columns, without free motions. */
static double *dense_quadratic(const ts_reduced *r, double s, const deflation *zero) {
    size_t d = (size_t)r->dim, m = 2 * d;
    double *A = ts_calloc(d * d + 1, sizeof *A), *X = ts_calloc(2 * d * d + 1, sizeof *X);
    for (size_t i = 0; i < d * d; i++) {
        A[i] = r->K[i] + s * r->D[i] + s * s * r->M[i];
        X[i] = -r->D[i] - s * r->M[i];
        X[d * d + i] = -r->M[i];
    }
    int code = ts_dense_solve(r->dim, (int)m, A, X);
    double *op = code ? NULL : ts_calloc(m * m + 1, sizeof *op);
    for (size_t j = 0; op && j < m; j++)
        for (size_t i = 0; i < d; i++) {
            op[j * m + i] = X[j * d + i];
            op[j * m + d + i] = s * X[j * d + i] + (i == j);
        }
    if (op) take_out_of_matrix(zero, op);
    free(A), free(X);
    return op;
}

/* ---- eigenvalues of operators ---- */

static int dense_eigen(ts_search *s, double *op, int n, ts_found *out) {
    if (!op) return TORSOR_ESINGULAR;
    size_t m = (size_t)n;
    double *vectors = ts_calloc(m * m + 1, sizeof *vectors);
    int code = ts_dense_general(n, op, out->re, out->im, vectors);
    for (size_t i = 0; i < m && !code; i++)
        ts_reduced_expand(s->x, &s->r, vectors + i * m, out->phi + i * (size_t)s->x->dofs);
    out->count = code ? 0 : n;
    free(op), free(vectors);
    return code;
}

static int sparse_eigen(const ts_operator *op, int dofs, int k, ts_found *out) {
    size_t size = (size_t)op->n;
    double *vectors = ts_calloc(((size_t)k + 1) * size, sizeof *vectors);
    int code = ts_eigen_general(op, k, out->re, out->im, vectors, &out->count);
    for (int i = 0; i < out->count && !code; i++)
        memcpy(out->phi + (size_t)i * (size_t)dofs, vectors + (size_t)i * size,
               (size_t)dofs * sizeof(double));
    free(vectors);
    return code;
}

int ts_search_buckling(ts_search *s, int modes, ts_found *out) {
    int k = modes + TS_SEARCH_SPARE;
    if (k > s->x->dofs - 2) k = s->x->dofs - 2;
    ts_found_new(out, s->dense ? s->r.dim : k + 1, s->x->dofs);
    if (s->most == 0) return 0;
    if (s->dense) return dense_eigen(s, dense_buckling(&s->r), s->r.dim, out);
    operation o = {.p = &s->p};
    ts_operator op = {&o, s->x->dofs, buckle, NULL};
    int code = ts_pencil_factor(&s->p, 0, 0);
    return code ? code : sparse_eigen(&op, s->x->dofs, k, out);
}

/* ---- the quadratic problem ---- */

/* Nothing is damped: D, of the rotation alone, has no diagonal. Then -lambda is an eigenvalue with
 * lambda. */
static bool is_conservative(const ts_linear_model *x) {
    double diagonal = 0, most = 0;
    for (int j = 0; j < x->dofs; j++) {
        diagonal = fmax(diagonal, fabs(x->D[x->diagonal[j]]));
        for (int k = x->pattern->start[j]; k < x->pattern->start[j + 1]; k++)
            most = fmax(most, fabs(x->D[k]));
    }
    return x->symmetric && diagonal <= 100 * DBL_EPSILON * most;
}

/* The modes without D: for the scale of the shift, and for the free motions, all of them. */
static int search_still(ts_search *s, int modes, ts_found *still) {
    for (int k = modes;; k *= 2) {
        int code = ts_search_symmetric(s, k, still), last = still->count - 1;
        bool more = !code && last >= 0 && still->re[last] <= still->noise[last] && k < s->most;
        if (!more) return code;
        ts_found_free(still);
    }
}

static double scale_of(const ts_found *still, const ts_linear_model *x) {
    double most = 0;
    for (int i = 0; i < still->count; i++)
        if (fabs(still->re[i]) > still->noise[i]) most = fmax(most, fabs(still->re[i]));
    return sqrt(most > 0 ? most : 1e-10 * ts_pencil_scale(x));
}

/* Without modes of the model without D: the lowest of the frequencies of single motions and of the
 * rates of single states. */
static double rough_scale(const ts_linear_model *x) {
    double least = HUGE_VAL;
    for (int j = 0; j < x->dofs; j++) {
        double K = fabs(x->K[x->diagonal[j]]), D = fabs(x->D[x->diagonal[j]]),
               M = x->M[x->diagonal[j]];
        if (K > 0 && M > 0) least = fmin(least, sqrt(K / M));
        if (K > 0 && D > 0 && !(M > 0)) least = fmin(least, K / D);
    }
    return least < HUGE_VAL ? 0.1 * least : 1;
}

/* theta to lambda; NaN where there is no mass, or a free motion was taken out. */
static void find_lambda(double shift, ts_found *e) {
    double largest = 1 / shift;
    for (int i = 0; i < e->count; i++) largest = fmax(largest, hypot(e->re[i], e->im[i]));
    for (int i = 0; i < e->count; i++) {
        double size2 = e->re[i] * e->re[i] + e->im[i] * e->im[i];
        bool seen = sqrt(size2) > 1e-7 * largest;
        double re = e->re[i], im = e->im[i];
        e->re[i] = seen ? shift + re / size2 : NAN;
        e->im[i] = seen ? -im / size2 : NAN;
    }
}

/* Free motions first, then the others. */
static void gather(const ts_search *s, const ts_found *still, const ts_found *e, int zeros,
                   ts_found *out) {
    size_t dofs = (size_t)s->x->dofs;
    ts_found_new(out, zeros + e->count, s->x->dofs);
    for (int i = 0; i < still->count && out->count < zeros; i++)
        if (fabs(still->re[i]) <= still->noise[i])
            memcpy(out->phi + (size_t)out->count++ * dofs, still->phi + (size_t)i * dofs,
                   dofs * sizeof(double));
    memcpy(out->re + zeros, e->re, (size_t)e->count * sizeof(double));
    memcpy(out->im + zeros, e->im, (size_t)e->count * sizeof(double));
    memcpy(out->phi + (size_t)zeros * dofs, e->phi, (size_t)e->count * dofs * sizeof(double));
    out->zeros = zeros, out->count = zeros + e->count;
    out->twins = is_conservative(s->x);
}

static int search_quadratic(ts_search *s, double shift, int k, const deflation *zero, ts_found *e) {
    ts_found_new(e, s->dense ? 2 * s->r.dim : k + 1, s->x->dofs);
    if (s->dense) return dense_eigen(s, dense_quadratic(&s->r, shift, zero), 2 * s->r.dim, e);
    operation o = {&s->p, shift, zero};
    ts_operator op = {&o, 2 * s->x->dofs, quadratic, NULL};
    int code = ts_pencil_factor(&s->p, shift, shift * shift);
    return code ? code : sparse_eigen(&op, s->x->dofs, k, e);
}

int ts_search_general(ts_search *s, int modes, ts_found *out) {
    int k = 2 * (modes + TS_SEARCH_SPARE), size = 2 * s->x->dofs;
    *out = (ts_found){0};
    if (s->most <= 0) return 0;
    ts_found still = {0}, e = {0};
    int code = search_still(s, modes, &still);
    /* states in a loop, or that feed each other, are no motions in equilibrium */
    bool loops = code == TORSOR_ESINGULAR && !s->x->symmetric;
    if (loops) still.count = still.zeros = code = 0;
    if (!code) {
        deflation zero;
        double shift = 0.1 * (loops ? rough_scale(s->x) : scale_of(&still, s->x));
        find_zeros(s, &still, &zero);
        code = search_quadratic(s, shift, k + 2 < size ? k : size - 2, &zero, &e);
        if (!code) find_lambda(shift, &e), gather(s, &still, &e, zero.zeros, out);
        deflation_free(&zero);
    }
    ts_found_free(&still), ts_found_free(&e);
    return code;
}
