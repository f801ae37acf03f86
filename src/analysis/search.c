/* Eigenvalues of a linearised model. See search.h.
 *
 * Shift and invert: eigenvalues next to the shift s are the largest of an operator that takes one solution with the saddle
 * matrix [A C^T; C 0]. Without damping A = K - s M, the operator is A^-1 M and its largest theta = 1/(omega^2 - s); a shift
 * below zero leaves the zeros of a free body in reach. With damping or gyroscopic forces the problem is quadratic; with phi and
 * psi = lambda phi the operator leads from (a, b) to
 *
 *     A phi + C^T mu = -M b - (D + s M) a ,  C phi = 0 ,  psi = a + s phi ,      A = K + s D + s^2 M ,
 *
 * and theta = 1/(lambda - s), s > 0. Motions without mass have theta = 0 and are never seen. Small models are solved by dense
 * matrices on the null space of C.
 */
#include "analysis/search.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "sparse/eigen.h"

static const double FIRST_SHIFT = 1e-10; /* of the largest K_ii/M_ii */
static const double NOISE = 200 * DBL_EPSILON;
enum { DENSE = 240, DENSE_LIMIT = 4000 };

/* ---- the saddle matrix ---- */

typedef struct pencil {
    const ts_linear_model *x;
    double shift;
    double *exact;              /* values without regularisation */
    double *full, *rest, *work; /* n */
    ts_lu *lu;
} pencil;

static void multiply(const ts_sparse *A, const double *value, const double *x, double *y) {
    memset(y, 0, (size_t)A->n * sizeof *y);
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; x[j] != 0 && k < A->start[j + 1]; k++)
            y[A->row[k]] += value[k] * x[j];
}

static void pencil_begin(pencil *p, const ts_linear_model *x) {
    *p = (pencil){.x = x};
    p->exact = ts_calloc((size_t)x->pattern->nnz + 1, sizeof(double));
    double **vectors[] = {&p->full, &p->rest, &p->work};
    for (int i = 0; i < 3; i++) *vectors[i] = ts_calloc((size_t)x->n + 1, sizeof(double));
    p->lu = ts_lu_new(x->pattern, x->groups, x->group);
    ts_lu_pivoting(p->lu, TS_LINEAR_PIVOTING);
}

static void pencil_end(pencil *p) {
    free(p->exact), free(p->full), free(p->rest), free(p->work);
    ts_lu_free(p->lu);
}

/* Rows get a tiny diagonal, so that pivots may stay there; the solution is refined. */
static void add_row_diagonal(pencil *p) {
    const ts_linear_model *x = p->x;
    ts_sparse *A = x->pattern;
    double most = 0;
    for (int i = 0; i < x->dofs; i++) most = fmax(most, fabs(A->value[x->diagonal[i]]));
    for (int r = x->dofs; r < x->n; r++) {
        double compliance = 0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++) {
            if (A->row[k] >= x->dofs) continue;
            double d = fmax(fabs(A->value[x->diagonal[A->row[k]]]), 1e-12 * most);
            compliance += A->value[k] * A->value[k] / d;
        }
        A->value[x->diagonal[r]] -= 1e-13 * compliance;
    }
}

/* K + d D + m M */
static int pencil_factor(pencil *p, double d, double m) {
    const ts_linear_model *x = p->x;
    ts_sparse *A = x->pattern;
    int where;
    for (int k = 0; k < A->nnz; k++)
        A->value[k] = p->exact[k] = x->K[k] + (d != 0 ? d * x->D[k] : 0) + m * x->M[k];
    add_row_diagonal(p);
    ts_lu_forget(p->lu);
    return ts_lu_factor(p->lu, &where);
}

/* b: displacements only, on entry the right side, on return the solution. */
static void pencil_solve(pencil *p, double *b) {
    const ts_linear_model *x = p->x;
    size_t n = (size_t)x->n * sizeof(double), dofs = (size_t)x->dofs * sizeof(double);
    memset(p->full, 0, n), memset(p->rest, 0, n);
    memcpy(p->rest, b, dofs);
    for (int round = 0; round < 3; round++) {
        ts_lu_solve(p->lu, p->rest);
        for (int i = 0; i < x->n; i++) p->full[i] += p->rest[i];
        if (round == 2) break;
        multiply(x->pattern, p->exact, p->full, p->work);
        for (int i = 0; i < x->n; i++) p->rest[i] = (i < x->dofs ? b[i] : 0) - p->work[i];
    }
    memcpy(b, p->full, dofs);
}

/* y = (values) x for displacements */
static void product(pencil *p, const double *value, const double *x, double *y) {
    size_t dofs = (size_t)p->x->dofs * sizeof(double);
    memset(p->full, 0, (size_t)p->x->n * sizeof(double));
    memcpy(p->full, x, dofs);
    multiply(p->x->pattern, value, p->full, p->work);
    memcpy(y, p->work, dofs);
}

static double quotient(pencil *p, const double *value, const double *a, const double *b) {
    double sum = 0;
    memset(p->full, 0, (size_t)p->x->n * sizeof(double));
    memcpy(p->full, b, (size_t)p->x->dofs * sizeof(double));
    multiply(p->x->pattern, value, p->full, p->work);
    for (int i = 0; i < p->x->dofs; i++) sum += a[i] * p->work[i];
    return sum;
}

/* What round-off makes of phi^T K phi. */
static double noise_of(const pencil *p, const double *phi) {
    const ts_sparse *A = p->x->pattern;
    double sum = 0;
    for (int j = 0; j < p->x->dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] < p->x->dofs) sum += fabs(phi[A->row[k]] * p->x->K[k] * phi[j]);
    return NOISE * sum;
}

/* ---- operators ---- */

static void invert(void *context, const double *b, double *y) {
    pencil *p = context;
    memcpy(y, b, (size_t)p->x->dofs * sizeof(double));
    pencil_solve(p, y);
}

static void mass_times(void *context, const double *x, double *y) {
    pencil *p = context;
    product(p, p->x->M, x, y);
}

static void quadratic(void *context, const double *x, double *y) {
    pencil *p = context;
    int dofs = p->x->dofs;
    const double *a = x, *b = x + dofs;
    double *phi = y, *psi = y + dofs;
    for (int i = 0; i < dofs; i++) psi[i] = b[i] + p->shift * a[i];
    product(p, p->x->M, psi, phi);
    product(p, p->x->D, a, psi);
    for (int i = 0; i < dofs; i++) phi[i] = -phi[i] - psi[i];
    pencil_solve(p, phi);
    for (int i = 0; i < dofs; i++) psi[i] = a[i] + p->shift * phi[i];
}

/* Buckling: K0^-1 (K0 - K1), where D holds K1 - K0. */
static void buckle(void *context, const double *x, double *y) {
    pencil *p = context;
    product(p, p->x->D, x, y);
    for (int i = 0; i < p->x->dofs; i++) y[i] = -y[i];
    pencil_solve(p, y);
}

/* ---- eigenvalues found, before they are sorted ---- */

static void found_new(ts_found *s, int room, int dofs) {
    s->count = 0;
    s->re = ts_calloc((size_t)room + 1, sizeof(double));
    s->im = ts_calloc((size_t)room + 1, sizeof(double));
    s->phi = ts_calloc(((size_t)room + 1) * (size_t)dofs, sizeof(double));
}

void ts_found_free(ts_found *s) { free(s->re), free(s->im), free(s->phi); }

/* ---- dense ---- */

typedef struct reduced {
    int dim;
    double *Z;         /* dofs x dim */
    double *K, *M, *D; /* dim x dim */
} reduced;

static double *project(const ts_linear_model *x, const double *value, const double *Z, int dim) {
    size_t d = (size_t)dim, dofs = (size_t)x->dofs;
    double *AZ = ts_calloc(dofs * d + 1, sizeof *AZ), *out = ts_calloc(d * d + 1, sizeof *out);
    const ts_sparse *A = x->pattern;
    for (int c = 0; c < dim; c++)
        for (int j = 0; j < x->dofs; j++)
            for (int k = A->start[j]; k < A->start[j + 1] && A->row[k] < x->dofs; k++)
                AZ[(size_t)c * dofs + (size_t)A->row[k]] +=
                    value[k] * Z[(size_t)c * dofs + (size_t)j];
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            const double *z = Z + (size_t)i * dofs, *a = AZ + (size_t)j * dofs;
            double sum = 0;
            for (size_t k = 0; k < dofs; k++) sum += z[k] * a[k];
            out[(size_t)j * d + (size_t)i] = sum;
        }
    free(AZ);
    return out;
}

static void reduce(const ts_linear_model *x, reduced *r) {
    const ts_sparse *A = x->pattern;
    int rows = x->n - x->dofs;
    double *C = ts_calloc((size_t)rows * (size_t)x->dofs + 1, sizeof *C);
    for (int j = 0; j < x->dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= x->dofs)
                C[(size_t)(A->row[k] - x->dofs) * (size_t)x->dofs + (size_t)j] = x->K[k];
    r->Z = ts_dense_null_space(rows, x->dofs, C, &r->dim);
    free(C);
    r->K = project(x, x->K, r->Z, r->dim);
    r->M = project(x, x->M, r->Z, r->dim);
    r->D = project(x, x->D, r->Z, r->dim);
}

static void reduced_free(reduced *r) { free(r->Z), free(r->K), free(r->M), free(r->D); }

static void expand(const ts_linear_model *x, const reduced *r, const double *z, double *phi) {
    size_t dofs = (size_t)x->dofs;
    memset(phi, 0, dofs * sizeof *phi);
    for (int c = 0; c < r->dim; c++)
        for (size_t i = 0; i < dofs; i++) phi[i] += z[c] * r->Z[(size_t)c * dofs + i];
}

/* M z = theta (K - s M) z, where the right side is definite: s goes down until it is. */
static int dense_symmetric(const ts_linear_model *x, const reduced *r, double shift, int k,
                           ts_found *out) {
    size_t d = (size_t)r->dim;
    double *A = ts_calloc(d * d + 1, sizeof *A), *B = ts_calloc(d * d + 1, sizeof *B),
           *theta = ts_calloc(d + 1, sizeof *theta);
    int code = TORSOR_ESINGULAR;
    for (int attempt = 0; attempt < 14 && code == TORSOR_ESINGULAR; attempt++, shift *= 30) {
        for (size_t i = 0; i < d * d; i++) A[i] = r->M[i], B[i] = r->K[i] - shift * r->M[i];
        code = ts_dense_symmetric(r->dim, A, B, theta);
        if (!code) break;
    }
    for (int i = r->dim - 1; i >= 0 && !code && out->count < k; i--) {
        if (!(theta[i] > 1e-13 * theta[r->dim - 1])) break; /* no mass */
        expand(x, r, A + (size_t)i * d, out->phi + (size_t)out->count * (size_t)x->dofs);
        out->re[out->count++] = shift + 1 / theta[i];
    }
    free(A), free(B), free(theta);
    return code;
}

/* The operator of the quadratic problem as a matrix, or that of buckling. */
static double *dense_operator(const reduced *r, double s, bool buckling, int *n) {
    size_t d = (size_t)r->dim, m = buckling ? d : 2 * d;
    double *A = ts_calloc(d * d + 1, sizeof *A), *X = ts_calloc(2 * d * d + 1, sizeof *X);
    for (size_t i = 0; i < d * d; i++) {
        A[i] = buckling ? r->K[i] : r->K[i] + s * r->D[i] + s * s * r->M[i];
        X[i] = buckling ? -r->D[i] : -r->D[i] - s * r->M[i];
        X[d * d + i] = -r->M[i];
    }
    *n = (int)m;
    int code = ts_dense_solve(r->dim, (int)m, A, X);
    free(A);
    if (code || buckling) {
        if (code) free(X);
        return code ? NULL : X;
    }
    double *op = ts_calloc(m * m + 1, sizeof *op);
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < d; i++) {
            op[j * m + i] = X[j * d + i];
            op[j * m + d + i] = s * X[j * d + i] + (i == j);
        }
    free(X);
    return op;
}

static int dense_general(const ts_linear_model *x, const reduced *r, double shift, bool buckling,
                         ts_found *out) {
    int n, code = 0;
    double *op = dense_operator(r, shift, buckling, &n);
    if (!op) return TORSOR_ESINGULAR;
    size_t m = (size_t)n;
    double *vectors = ts_calloc(m * m + 1, sizeof *vectors);
    code = ts_dense_general(n, op, out->re, out->im, vectors);
    for (size_t i = 0; i < m && !code; i++)
        expand(x, r, vectors + i * m, out->phi + i * (size_t)x->dofs);
    out->count = code ? 0 : n;
    free(op), free(vectors);
    return code;
}

/* ---- sparse ---- */

static int sparse_symmetric(pencil *p, double shift, int k, ts_found *out) {
    int code = pencil_factor(p, 0, -shift);
    ts_operator op = {p, p->x->dofs, invert, mass_times};
    double *theta = ts_calloc((size_t)k + 1, sizeof *theta);
    if (!code) code = ts_eigen_symmetric(&op, k, theta, out->phi);
    for (int i = 0; i < k && !code; i++) out->re[i] = shift + 1 / theta[i];
    out->count = code ? 0 : k;
    free(theta);
    return code;
}

static int sparse_general(pencil *p, double shift, bool buckling, int k, ts_found *out) {
    int dofs = p->x->dofs, size = buckling ? dofs : 2 * dofs;
    p->shift = shift;
    int code = pencil_factor(p, buckling ? 0 : shift, buckling ? 0 : shift * shift);
    ts_operator op = {p, size, buckling ? buckle : quadratic, NULL};
    double *vectors = ts_calloc(((size_t)k + 1) * (size_t)size, sizeof *vectors);
    if (!code) code = ts_eigen_general(&op, k, out->re, out->im, vectors, &out->count);
    for (int i = 0; i < out->count && !code; i++)
        memcpy(out->phi + (size_t)i * (size_t)dofs, vectors + (size_t)i * (size_t)size,
               (size_t)dofs * sizeof(double));
    free(vectors);
    return code;
}

/* ---- the search ---- */

struct ts_search {
    const ts_linear_model *x;
    pencil p;
    reduced r;
    bool dense;
    int most; /* modes there may be */
};

int ts_search_new(ts_search **out, const ts_linear_model *x, int modes, ts_eigen_method method) {
    ts_search *s = *out = ts_calloc(1, sizeof *s);
    s->x = x;
    pencil_begin(&s->p, x);
    int freedom = 2 * x->dofs - x->n;
    bool few = freedom <= DENSE || 3 * (modes + TS_SEARCH_SPARE) + 20 > freedom;
    s->dense = method == TS_EIGEN_DENSE || (method == TS_EIGEN_AUTO && few);
    if (s->dense && x->dofs > DENSE_LIMIT)
        return ts_fail(TORSOR_EINVAL, "%d modes of %d are too many: ask for less than a third",
                       modes, freedom);
    if (s->dense) reduce(x, &s->r);
    s->most = s->dense ? s->r.dim : freedom;
    return 0;
}

void ts_search_free(ts_search *s) {
    if (!s) return;
    pencil_end(&s->p);
    reduced_free(&s->r);
    free(s);
}

double ts_search_noise(const ts_search *s, const double *phi) { return noise_of(&s->p, phi); }

double ts_search_mass(ts_search *s, const double *phi) {
    return quotient(&s->p, s->x->M, phi, phi);
}

static double first_shift(const ts_linear_model *x) {
    double most = 0;
    for (int i = 0; i < x->dofs; i++) {
        double m = x->M[x->diagonal[i]];
        if (m > 0) most = fmax(most, fabs(x->K[x->diagonal[i]]) / m);
    }
    return most > 0 ? -FIRST_SHIFT * most : -1;
}

/* omega^2 by Rayleigh's quotient, and vectors of unit mass. */
static void polish(ts_search *s, ts_found *out) {
    for (int i = 0; i < out->count; i++) {
        double *phi = out->phi + (size_t)i * (size_t)s->x->dofs;
        double m = quotient(&s->p, s->x->M, phi, phi);
        if (!(m > 0)) continue;
        for (int k = 0; k < s->x->dofs; k++) phi[k] /= sqrt(m);
        out->re[i] = quotient(&s->p, s->x->K, phi, phi);
    }
}

static int symmetric_once(ts_search *s, double shift, int k, ts_found *out) {
    out->count = 0;
    int code = s->dense ? dense_symmetric(s->x, &s->r, shift, k, out)
                        : sparse_symmetric(&s->p, shift, k, out);
    if (!code) polish(s, out);
    return code;
}

/* How many omega^2 lie below a shift, by Sylvester's law of inertia; -1: cannot tell. */
static int count_below(const ts_linear_model *x, double shift) {
    pencil p;
    pencil_begin(&p, x);
    ts_lu_pivoting(p.lu, 1e-15);
    int negative = pencil_factor(&p, 0, -shift) ? -1 : ts_lu_negative(p.lu);
    pencil_end(&p);
    return negative < 0 ? -1 : negative - (x->n - x->dofs);
}

/* Below all of them, so that those next to it are the lowest. (The dense search sees to that by itself.) */
static double below_all(const ts_search *s, double shift) {
    for (int i = 0; i < 30 && !s->dense && count_below(s->x, shift) > 0; i++) shift *= 4;
    return shift;
}

/* Twice: the first shift is a guess, the second lies below the first frequency that is not zero. */
int ts_search_symmetric(ts_search *s, int k, ts_found *out) {
    if (k > s->most) k = s->most;
    found_new(out, k, s->x->dofs);
    if (k == 0) return 0;
    double guess = first_shift(s->x);
    int code = symmetric_once(s, guess, k, out);
    if (code) return code;
    double first = 0;
    for (int i = 0; i < out->count; i++) {
        double square = fabs(out->re[i]);
        if (square > noise_of(&s->p, out->phi + (size_t)i * (size_t)s->x->dofs) &&
            (first == 0 || square < first))
            first = square;
    }
    bool good = first == 0 || (-guess < first && -guess > 1e-3 * first);
    double near = good ? guess : -0.3 * first, shift = below_all(s, near);
    if (shift == guess) return 0;
    code = symmetric_once(s, shift, k, out);
    if (code == TORSOR_EDIVERGED && shift != near)
        return ts_fail(code, "the equilibrium is unstable in %d ways, which were not found",
                       count_below(s->x, near));
    return code;
}

/* The scale of the shift comes from the frequencies without D. */
int ts_search_general(ts_search *s, int modes, ts_found *out) {
    int k = 2 * (modes + TS_SEARCH_SPARE), size = 2 * s->x->dofs;
    found_new(out, s->dense ? 2 * s->r.dim : k + 1, s->x->dofs);
    if (s->most == 0) return 0;
    ts_found still;
    int code = ts_search_symmetric(s, modes, &still);
    double most = 0;
    for (int i = 0; i < still.count; i++) most = fmax(most, fabs(still.re[i]));
    double shift = 0.1 * sqrt(most > 0 ? most : -first_shift(s->x));
    ts_found_free(&still);
    if (code) return code;
    if (!s->dense && k + 2 >= size) k = size - 2;
    code = s->dense ? dense_general(s->x, &s->r, shift, false, out)
                    : sparse_general(&s->p, shift, false, k, out);
    double largest = 0;
    for (int i = 0; i < out->count; i++) largest = fmax(largest, hypot(out->re[i], out->im[i]));
    for (int i = 0; i < out->count; i++) {
        double size2 = out->re[i] * out->re[i] + out->im[i] * out->im[i];
        if (!(sqrt(size2) > 1e-7 * largest)) {
            out->re[i] = out->im[i] = NAN; /* no mass */
            continue;
        }
        double re = out->re[i] / size2, im = out->im[i] / size2; /* 1/theta, conjugate */
        out->re[i] = shift + re, out->im[i] = -im;
    }
    return code;
}

int ts_search_buckling(ts_search *s, int modes, ts_found *out) {
    int k = modes + TS_SEARCH_SPARE;
    if (k > s->x->dofs - 2) k = s->x->dofs - 2;
    found_new(out, s->dense ? s->r.dim : k + 1, s->x->dofs);
    if (s->most == 0) return 0;
    return s->dense ? dense_general(s->x, &s->r, 0, true, out)
                    : sparse_general(&s->p, 0, true, k, out);
}

/* ---- stability ---- */

/* The second variation of the energy along free motions: negative where it is unstable. */
int ts_instabilities(ts_system *system) {
    ts_linear_model x;
    v3 none = {0, 0, 0};
    if (ts_linearise(&x, system, none, none)) return -1;
    int count = x.symmetric && x.dofs > 0 ? count_below(&x, first_shift(&x)) : -1;
    ts_linear_free(&x);
    return count;
}

/* ---- one solution ---- */

int ts_solve_shifted(const ts_linear_model *x, double *b) {
    pencil p;
    pencil_begin(&p, x);
    int code = pencil_factor(&p, 0, -first_shift(x));
    if (!code) pencil_solve(&p, b);
    pencil_end(&p);
    return code;
}
