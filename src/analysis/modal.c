/* Modes of vibration. See modal.h.
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
#include "analysis/modal.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scheme/linear.h"
#include "sparse/eigen.h"

static const double INSTANT = 1e-9;      /* s */
static const double IMBALANCE = 1e-6;    /* of the size of the model, or radians */
static const double FORCE_LEFT = 1e-9;   /* of the loads */
static const double FIRST_SHIFT = 1e-10; /* of the largest K_ii/M_ii */
static const double NOISE = 200 * DBL_EPSILON;
static const double STILL = 1e-6; /* of the eigenvalue: less growth than that is round-off */
enum { DENSE = 240, DENSE_LIMIT = 4000, SPARE = 4, INCREMENTS = 10 };

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

typedef struct spectrum {
    int count;
    double *re, *im; /* of the eigenvalue: omega^2, or lambda */
    double *phi;     /* dofs each; of a complex one two columns */
} spectrum;

static void spectrum_new(spectrum *s, int room, int dofs) {
    s->count = 0;
    s->re = ts_calloc((size_t)room + 1, sizeof(double));
    s->im = ts_calloc((size_t)room + 1, sizeof(double));
    s->phi = ts_calloc(((size_t)room + 1) * (size_t)dofs, sizeof(double));
}

static void spectrum_free(spectrum *s) { free(s->re), free(s->im), free(s->phi); }

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
                           spectrum *out) {
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
                         spectrum *out) {
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

static int sparse_symmetric(pencil *p, double shift, int k, spectrum *out) {
    int code = pencil_factor(p, 0, -shift);
    ts_operator op = {p, p->x->dofs, invert, mass_times};
    double *theta = ts_calloc((size_t)k + 1, sizeof *theta);
    if (!code) code = ts_eigen_symmetric(&op, k, theta, out->phi);
    for (int i = 0; i < k && !code; i++) out->re[i] = shift + 1 / theta[i];
    out->count = code ? 0 : k;
    free(theta);
    return code;
}

static int sparse_general(pencil *p, double shift, bool buckling, int k, spectrum *out) {
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

typedef struct search {
    const ts_linear_model *x;
    pencil p;
    reduced r;
    bool dense;
    int most; /* modes there may be */
} search;

static int search_begin(search *s, const ts_linear_model *x, int modes, ts_eigen_method method) {
    *s = (search){.x = x};
    pencil_begin(&s->p, x);
    int freedom = 2 * x->dofs - x->n;
    bool few = freedom <= DENSE || 3 * (modes + SPARE) + 20 > freedom;
    s->dense = method == TS_EIGEN_DENSE || (method == TS_EIGEN_AUTO && few);
    if (s->dense && x->dofs > DENSE_LIMIT)
        return ts_fail(TORSOR_EINVAL, "%d modes of %d are too many: ask for less than a third",
                       modes, freedom);
    if (s->dense) reduce(x, &s->r);
    s->most = s->dense ? s->r.dim : freedom;
    return 0;
}

static void search_end(search *s) {
    pencil_end(&s->p);
    reduced_free(&s->r);
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
static void polish(search *s, spectrum *out) {
    for (int i = 0; i < out->count; i++) {
        double *phi = out->phi + (size_t)i * (size_t)s->x->dofs;
        double m = quotient(&s->p, s->x->M, phi, phi);
        if (!(m > 0)) continue;
        for (int k = 0; k < s->x->dofs; k++) phi[k] /= sqrt(m);
        out->re[i] = quotient(&s->p, s->x->K, phi, phi);
    }
}

static int symmetric_once(search *s, double shift, int k, spectrum *out) {
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
static double below_all(const search *s, double shift) {
    for (int i = 0; i < 30 && !s->dense && count_below(s->x, shift) > 0; i++) shift *= 4;
    return shift;
}

/* Twice: the first shift is a guess, the second lies below the first frequency that is not zero. */
static int find_symmetric(search *s, int k, spectrum *out) {
    if (k > s->most) k = s->most;
    spectrum_new(out, k, s->x->dofs);
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
static int find_general(search *s, int modes, spectrum *out) {
    int k = 2 * (modes + SPARE), size = 2 * s->x->dofs;
    spectrum_new(out, s->dense ? 2 * s->r.dim : k + 1, s->x->dofs);
    if (s->most == 0) return 0;
    spectrum still;
    int code = find_symmetric(s, modes, &still);
    double most = 0;
    for (int i = 0; i < still.count; i++) most = fmax(most, fabs(still.re[i]));
    double shift = 0.1 * sqrt(most > 0 ? most : -first_shift(s->x));
    spectrum_free(&still);
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

/* ---- from eigenvectors to modes ---- */

static ts_modes *modes_new(const ts_system *system, int count, bool complex) {
    ts_modes *m = ts_calloc(1, sizeof *m);
    size_t size = (size_t)count * (size_t)system->model->nodes_count * 6 + 1;
    m->nodes = system->model->nodes_count;
    m->mode = ts_calloc((size_t)count + 1, sizeof *m->mode);
    m->shape = ts_calloc(size, sizeof(double));
    if (complex) m->quarter = ts_calloc(size, sizeof(double));
    return m;
}

void ts_modes_free(ts_modes *m) {
    if (!m) return;
    free(m->mode), free(m->shape), free(m->quarter);
    free(m);
}

static void put_shape(const ts_system *system, const double *phi, double *shape) {
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n], nd = system->model->nodes[n].slots > 1 ? 6 : 3;
        if (dof >= 0) memcpy(shape + 6 * n, phi + dof, (size_t)nd * sizeof(double));
    }
}

/* Rotations count by the length that a quarter of the model would sweep. */
static int largest_component(const ts_system *system, const double *a, const double *b) {
    int best = 0;
    double most = -1;
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n], nd = system->model->nodes[n].slots > 1 ? 6 : 3;
        for (int i = 0; dof >= 0 && i < nd; i++) {
            double size = hypot(a[dof + i], b ? b[dof + i] : 0);
            if (i >= 3) size *= 0.25 * system->length;
            if (size > most * (1 + 1e-6)) most = size, best = dof + i;
        }
    }
    return best;
}

static void set_sign(const ts_system *system, int dofs, double *phi) {
    if (phi[largest_component(system, phi, NULL)] > 0) return;
    for (int i = 0; i < dofs; i++) phi[i] = -phi[i];
}

/* Unit mass, and the largest component real and positive. */
static void set_phase(const ts_system *system, pencil *p, double *a, double *b) {
    int dofs = p->x->dofs, at = largest_component(system, a, b);
    double m = quotient(p, p->x->M, a, a) + quotient(p, p->x->M, b, b);
    double size = hypot(a[at], b[at]), scale = m > 0 ? 1 / sqrt(m) : 1;
    double c = size > 0 ? scale * a[at] / size : scale, s = size > 0 ? scale * b[at] / size : 0;
    for (int i = 0; i < dofs; i++) {
        double re = a[i], im = b[i];
        a[i] = c * re + s * im, b[i] = c * im - s * re;
    }
}

typedef struct ranked {
    double key, second;
    int index;
} ranked;

static int by_key(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->second != y->second ? (x->second < y->second ? -1 : 1) : x->index - y->index;
}

static void set_real_mode(ts_mode *mode, double square, double noise) {
    *mode = (ts_mode){.rigid = fabs(square) <= noise};
    if (mode->rigid) return;
    if (square > 0)
        mode->frequency = sqrt(square);
    else
        mode->growth = sqrt(-square), mode->damping = -1;
}

static ts_modes *real_modes(const ts_system *system, search *s, spectrum *e, int count) {
    ranked *order = ts_calloc((size_t)e->count + 1, sizeof *order);
    for (int i = 0; i < e->count; i++) order[i] = (ranked){e->re[i], 0, i};
    qsort(order, (size_t)e->count, sizeof *order, by_key);
    ts_modes *m = modes_new(system, count, false);
    for (; m->count < e->count && m->count < count; m->count++) {
        int i = order[m->count].index;
        double *phi = e->phi + (size_t)i * (size_t)s->x->dofs;
        set_real_mode(&m->mode[m->count], e->re[i], noise_of(&s->p, phi));
        set_sign(system, s->x->dofs, phi);
        put_shape(system, phi, m->shape + (size_t)m->count * (size_t)m->nodes * 6);
    }
    free(order);
    return m;
}

/* One of each pair, by the size of the eigenvalue. */
static ts_modes *complex_modes(const ts_system *system, search *s, spectrum *e, int count) {
    int dofs = s->x->dofs, found = 0;
    ranked *order = ts_calloc((size_t)e->count + 1, sizeof *order);
    double *zero = ts_calloc((size_t)dofs + 1, sizeof *zero), largest = 0;
    for (int i = 0; i < e->count; i++) {
        if (!isfinite(e->re[i])) continue;
        double size = hypot(e->re[i], e->im[i]);
        order[found++] = (ranked){size, e->re[i], i};
        largest = fmax(largest, size);
        if (e->im[i] != 0) i++; /* its conjugate stands behind it */
    }
    qsort(order, (size_t)found, sizeof *order, by_key);
    ts_modes *m = modes_new(system, count, true);
    for (int k = 0; k < found && m->count < count; k++, m->count++) {
        int i = order[k].index;
        double *a = e->phi + (size_t)i * (size_t)dofs, *b = zero, size = order[k].key;
        if (e->im[i] != 0) b = a + dofs;
        for (int j = 0; j < dofs && e->im[i] < 0; j++) b[j] = -b[j];
        set_phase(system, &s->p, a, b);
        ts_mode *mode = &m->mode[m->count];
        mode->frequency = fabs(e->im[i]);
        mode->growth = fabs(e->re[i]) > STILL * size ? e->re[i] : 0;
        mode->rigid = size * size <= 10 * (noise_of(&s->p, a) + noise_of(&s->p, b));
        if (mode->rigid) mode->frequency = mode->growth = 0;
        mode->damping = mode->growth == 0 ? 0 : -mode->growth / size;
        size_t at = (size_t)m->count * (size_t)m->nodes * 6;
        put_shape(system, a, m->shape + at);
        put_shape(system, b, m->quarter + at);
        memset(zero, 0, (size_t)dofs * sizeof(double));
    }
    free(order), free(zero);
    return m;
}

/* ---- equilibrium ---- */

/* How far away it is, by one step of Newton's method. */
static int imbalance(const ts_system *system, const ts_linear_model *x, double *out) {
    pencil p;
    pencil_begin(&p, x);
    int code = pencil_factor(&p, 0, -first_shift(x));
    double *delta = ts_calloc((size_t)x->n + 1, sizeof *delta);
    memcpy(delta, x->force, (size_t)x->dofs * sizeof(double));
    *out = INFINITY;
    if (!code) {
        pencil_solve(&p, delta);
        *out = 0;
        for (int n = 0; n < system->model->nodes_count; n++) {
            int dof = system->node_dof[n];
            if (dof < 0) continue;
            *out = fmax(*out, v3_norm(v3_load(delta + dof)) / system->length);
            if (system->model->nodes[n].slots > 1)
                *out = fmax(*out, v3_norm(v3_load(delta + dof + 3)));
        }
    }
    free(delta);
    pencil_end(&p);
    return code;
}

static void rest(ts_system *system) {
    size_t ambient = (size_t)(3 * system->model->slots) * sizeof(double);
    memset(system->state.v, 0, ambient), memset(system->state.vdot, 0, ambient);
}

/* The loads from nothing to what they are, or, when they are there already, the rotation. */
static int settle(ts_system *system, const ts_options *o, int increments, bool loads, v3 spin,
                  v3 about) {
    ts_step_options options = {o->rho_inf, o->tolerance, o->max_iterations, o->max_cuts, NULL};
    ts_stepper *st;
    double t = system->state.t;
    int code = ts_stepper_new(&st, system, &TS_SCHEME_TURNING, &options);
    rest(system);
    for (int i = 0; i < increments && !code; i++) {
        ts_step_result r;
        double start = (double)i / increments, end = (double)(i + 1) / increments;
        system->state.t = t;
        ts_stepper_spin(st, v3_scale(sqrt(end), spin), about);
        ts_stepper_load_factor(st, loads ? start : 1, loads ? end : 1);
        code = ts_stepper_step(st, INSTANT, &r);
    }
    ts_stepper_free(st);
    system->state.t = t, system->state.step = 0;
    rest(system);
    return code;
}

static int check_spin(const ts_system *system, const ts_modal_options *modal) {
    v3 g = system->model->gravity, turned = v3_cross(modal->spin, g);
    if (v3_norm(turned) > 1e-9 * v3_norm(modal->spin) * v3_norm(g))
        return ts_fail(TORSOR_EINVAL,
                       "gravity is not along the axis of rotation: then nothing is steady");
    return 0;
}

/* Linearises where it is; if that is no equilibrium, looks for one and linearises there. */
static int linearise(ts_linear_model *x, ts_system *system, const ts_options *o,
                     const ts_modal_options *modal, bool spin, bool *settled, double *gap) {
    v3 none = {0, 0, 0}, w = spin ? modal->spin : none;
    int increments = o->settle > 0 ? o->settle : INCREMENTS;
    int code = ts_linearise(x, system, w, modal->about);
    if (!code) code = imbalance(system, x, gap);
    /* a stiff part carries its loads without moving: forces count too, unless they have been balanced before */
    bool balanced = (!spin && (o->statics || o->settle)) || x->left <= FORCE_LEFT * x->external ||
                    x->external == 0;
    if (code || modal->as_drawn || (balanced && *gap <= IMBALANCE)) return code;
    ts_linear_free(x);
    *settled = true;
    code = settle(system, o, increments, !spin, w, modal->about);
    if (code) {
        char why[400];
        snprintf(why, sizeof why, "%s", ts_error_message());
        return ts_fail(
            code, "no equilibrium was found to vibrate about (--as-drawn does without): %s", why);
    }
    if (!code) code = ts_linearise(x, system, w, modal->about);
    if (!code) code = imbalance(system, x, gap);
    if (!code && *gap > IMBALANCE)
        code = ts_fail(TORSOR_EDIVERGED,
                       "no equilibrium was found to vibrate about: the state would "
                       "still move by %.2g of its size",
                       *gap);
    return code;
}

static int prepare(ts_linear_model *x, ts_system *system, const ts_options *o,
                   const ts_modal_options *modal, bool *settled, double *gap) {
    bool spin = v3_norm(modal->spin) > 0;
    int code = check_spin(system, modal);
    if (!code && o->statics) code = ts_run(system, o, NULL, NULL);
    if (code) return code;
    rest(system);
    if (!spin || !modal->as_drawn) code = linearise(x, system, o, modal, false, settled, gap);
    if (code || !spin) return code;
    ts_linear_free(x);
    return linearise(x, system, o, modal, true, settled, gap);
}

int ts_modes_find(ts_modes **out, ts_system *system, const ts_options *o,
                  const ts_modal_options *modal) {
    ts_linear_model x = {0};
    bool settled = false;
    double gap = 0;
    *out = NULL;
    int code = prepare(&x, system, o, modal, &settled, &gap);
    if (!code) {
        search s;
        spectrum e = {0};
        bool real = x.symmetric && !x.damped;
        code = search_begin(&s, &x, modal->modes, modal->method);
        if (!code)
            code = real ? find_symmetric(&s, modal->modes + SPARE, &e)
                        : find_general(&s, modal->modes, &e);
        if (!code)
            *out = real ? real_modes(system, &s, &e, modal->modes)
                        : complex_modes(system, &s, &e, modal->modes);
        spectrum_free(&e);
        search_end(&s);
    }
    if (*out) {
        (*out)->settled = settled, (*out)->imbalance = gap;
        (*out)->spin = modal->spin, (*out)->about = modal->about;
    }
    ts_linear_free(&x);
    return code;
}

/* ---- where the energy is ---- */

ts_mode_hint ts_mode_explain(const ts_system *system, const ts_modes *modes, int mode) {
    const ts_model *model = system->model;
    double *energy = ts_calloc(7 * (size_t)model->parts_count, sizeof *energy), total = 0;
    for (int n = 0; n < model->nodes_count; n++)
        for (int part = 0; part < (modes->quarter ? 2 : 1); part++) {
            const ts_node *node = &model->nodes[n];
            const double *shape = (part ? modes->quarter : modes->shape) +
                                  ((size_t)mode * (size_t)modes->nodes + (size_t)n) * 6;
            double *e = energy + 7 * node->part, rate[3 * 4], whole = 0, moved = 0,
                   m = node->mass[0][0];
            v3 u = v3_load(shape), psi = v3_load(shape + 3), centre = v3_scale(m, u);
            if (system->node_dof[n] < 0) continue;
            v3_store(rate, u);
            for (int k = 1; k < node->slots; k++) {
                v3 d = v3_cross(psi, v3_load(system->state.q + 3 * (node->slot + k)));
                v3_store(rate + 3 * k, d);
                centre = v3_axpy(node->mass[0][k], d, centre);
            }
            for (int a = 0; a < node->slots; a++)
                for (int b = 0; b < node->slots; b++)
                    whole +=
                        node->mass[a][b] * v3_dot(v3_load(rate + 3 * a), v3_load(rate + 3 * b));
            for (int i = 0; i < 3 && m > 0; i++) {
                double share = v3_get(centre, i) * v3_get(centre, i) / m;
                e[i] += share, moved += share;
            }
            double turning = fmax(0, whole - moved), size = v3_dot(psi, psi);
            for (int i = 0; i < 3 && size > 0; i++)
                e[3 + i] += turning * v3_get(psi, i) * v3_get(psi, i) / size;
            e[6] += whole, total += whole;
        }
    ts_mode_hint hint = {0};
    for (int p = 0; p < model->parts_count; p++)
        if (energy[7 * p + 6] > energy[7 * hint.part + 6] * (1 + 1e-9)) hint.part = p;
    const double *e = energy + 7 * hint.part;
    for (int i = 0; i < 6; i++)
        if (e[i] > e[hint.axis] * (1 + 1e-9)) hint.axis = i;
    if (total > 0) hint.share = e[6] / total;
    if (e[6] > 0) hint.in_axis = e[hint.axis] / e[6];
    free(energy);
    return hint;
}

/* ---- buckling ---- */

/* (K + f (what the loads add)) phi = 0: theta = 1/f are the eigenvalues of -K^-1 (what they add). */
static ts_modes *buckling_modes(const ts_system *system, const ts_linear_model *x, spectrum *e,
                                int count) {
    ranked *order = ts_calloc((size_t)e->count + 1, sizeof *order);
    double largest = 0;
    int found = 0;
    for (int i = 0; i < e->count; i++) largest = fmax(largest, fabs(e->re[i]));
    for (int i = 0; i < e->count; i++)
        if (fabs(e->im[i]) <= 1e-6 * fabs(e->re[i]) && fabs(e->re[i]) > 1e-12 * largest)
            order[found++] = (ranked){1 / fabs(e->re[i]), -e->re[i], i};
    qsort(order, (size_t)found, sizeof *order, by_key);
    ts_modes *m = modes_new(system, count, false);
    for (; m->count < found && m->count < count; m->count++) {
        int i = order[m->count].index;
        double *phi = e->phi + (size_t)i * (size_t)x->dofs;
        set_sign(system, x->dofs, phi);
        double most = fabs(phi[largest_component(system, phi, NULL)]);
        for (int k = 0; k < x->dofs && most > 0; k++) phi[k] /= most;
        m->mode[m->count].factor = 1 / e->re[i];
        put_shape(system, phi, m->shape + (size_t)m->count * (size_t)m->nodes * 6);
    }
    free(order);
    return m;
}

static int find_buckling(search *s, int modes, spectrum *out) {
    int k = modes + SPARE;
    if (k > s->x->dofs - 2) k = s->x->dofs - 2;
    spectrum_new(out, s->dense ? s->r.dim : k + 1, s->x->dofs);
    if (s->most == 0) return 0;
    return s->dense ? dense_general(s->x, &s->r, 0, true, out)
                    : sparse_general(&s->p, 0, true, k, out);
}

int ts_buckling_find(ts_modes **out, ts_system *system, const ts_options *o,
                     const ts_modal_options *modal) {
    ts_linear_model x = {0};
    *out = NULL;
    if (o->statics) system->state.t = o->t_end; /* the loads at the end of the analysis */
    rest(system);
    int code = ts_linearise_loads(&x, system);
    if (!code) {
        search s;
        spectrum e = {0};
        code = search_begin(&s, &x, modal->modes, modal->method);
        if (!code) code = find_buckling(&s, modal->modes, &e);
        if (!code) *out = buckling_modes(system, &x, &e, modal->modes);
        spectrum_free(&e);
        search_end(&s);
    }
    ts_linear_free(&x);
    return code;
}
