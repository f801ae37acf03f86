/* SPDX-License-Identifier: Apache-2.0 */
/* Free motions and instability. See freedom.h.
 *
 * The results are the inertia of K on the motions that the joints allow, C phi = 0, and its null
 * space. Neither depends on the norm, so the norm is chosen in which K is separated best from
 * round-off: N, the diagonal of |K|. With y = N^1/2 phi
 *
 *     A = Z^T N^-1/2 K N^-1/2 Z ,   Z: null space of C N^-1/2 ,
 *
 * has eigenvalues of order one, or smaller where a structure is slender; negative ones are
 * instabilities, those below ZERO free motions. Small models are solved by dense matrices. In large
 * models, of meshes, every node has stiffness of its own: there, by Sylvester's law of inertia, the
 * negative pivots of K + e N are counted, and subspace iteration with its inverse finds the null
 * space.
 *
 * The analysis of modes finds free motions differently (modes/pencil.c), by omega^2 in the norm of
 * the masses. In statics, parts may have no mass; modes do not contain their free motions, so a
 * norm from K is needed.
 *
 * A null space has many bases. To name motions, the motion is chosen that is most local to one
 * part; then the next one from the remaining motions, and so on.
 */
#include "analysis/freedom.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "sparse/eigen.h"

enum { DENSE = 600, ROUNDS = 6 };
static const double ZERO = 1e-12;  /* of the norm */
static const double TINY = 1e-12;  /* e: shift of large models */
static const double STIFF = 0.1;   /* of the largest: e N is no smaller where pivots are counted */
static const double LEAST = 1e-14; /* of the largest stiffness: the norm is no smaller */

void ts_freedom_free(ts_freedom *f) {
    free(f->phi), free(f->part);
    *f = (ts_freedom){0};
}

/* ---- the norm ---- */

/* Lengths that make rotations comparable with displacements: the size of the model. */
static double *levers(const ts_system *system) {
    double *lever = ts_calloc((size_t)system->dofs + 1, sizeof *lever);
    for (int n = 0; n < system->model->nodes_count; n++) {
        int dof = system->node_dof[n], nd = ts_node_dofs(&system->model->nodes[n]);
        for (int i = 0; dof >= 0 && i < nd; i++) lever[dof + i] = i < 3 ? 1 : system->length;
    }
    return lever;
}

static double *norm_of(const ts_linear_model *x, const double *lever) {
    const ts_sparse *A = x->pattern;
    double *N = ts_calloc((size_t)x->dofs + 1, sizeof *N), most = 0;
    for (int j = 0; j < x->dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int i = A->row[k];
            if (i >= x->dofs) continue;
            double size = fabs(x->K[k]) / (lever[i] * lever[j]);
            N[j] = fmax(N[j], i == j ? size : 1e-6 * size), most = fmax(most, size);
        }
    for (int j = 0; j < x->dofs; j++)
        N[j] = fmax(N[j], most > 0 ? LEAST * most : 1) * lever[j] * lever[j];
    return N;
}

/* ---- small models ---- */

static double *scaled_rows(const ts_linear_model *x, const double *N) {
    const ts_sparse *A = x->pattern;
    size_t rows = (size_t)(x->n - x->dofs), dofs = (size_t)x->dofs;
    double *C = ts_calloc(rows * dofs + 1, sizeof *C);
    for (int j = 0; j < x->dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= x->dofs)
                C[(size_t)(A->row[k] - x->dofs) * dofs + (size_t)j] = x->K[k] / sqrt(N[j]);
    for (size_t r = 0; r < rows; r++) {
        double size = 0;
        for (size_t j = 0; j < dofs; j++) size = fmax(size, fabs(C[r * dofs + j]));
        for (size_t j = 0; j < dofs && size > 0; j++) C[r * dofs + j] /= size;
    }
    return C;
}

/* Y^T N^-1/2 K N^-1/2 Y of `count` vectors. */
static double *reduced(const ts_linear_model *x, const double *N, const double *Y, int count) {
    const ts_sparse *A = x->pattern;
    size_t d = (size_t)count, dofs = (size_t)x->dofs;
    double *out = ts_calloc(d * d + 1, sizeof *out), *w = ts_calloc(dofs + 1, sizeof *w);
    for (size_t c = 0; c < d; c++) {
        const double *y = Y + c * dofs;
        memset(w, 0, dofs * sizeof *w);
        for (int j = 0; j < x->dofs; j++)
            for (int k = A->start[j]; k < A->start[j + 1]; k++)
                if (A->row[k] < x->dofs) w[A->row[k]] += x->K[k] * y[j] / sqrt(N[j] * N[A->row[k]]);
        for (size_t b = 0; b < d; b++)
            for (size_t i = 0; i < dofs; i++) out[c * d + b] += Y[b * dofs + i] * w[i];
    }
    for (size_t b = 0; b < d; b++)
        for (size_t c = 0; c < b; c++)
            out[c * d + b] = out[b * d + c] = 0.5 * (out[c * d + b] + out[b * d + c]);
    free(w);
    return out;
}

/* Eigenvalues rising in theta, vectors in A. */
static int eigen(int n, double *A, double *theta) {
    size_t d = (size_t)n;
    double *one = ts_calloc(d * d + 1, sizeof *one);
    for (size_t i = 0; i < d; i++) one[i * d + i] = 1;
    int code = ts_dense_symmetric(n, A, one, theta);
    free(one);
    return code;
}

/* phi = N^-1/2 Y z, the largest displacement being one. */
static void put_motion(ts_freedom *f, const double *N, const double *lever, const double *Y,
                       int dim, const double *z) {
    size_t dofs = (size_t)f->dofs;
    double *phi = f->phi + (size_t)f->count * dofs, most = 0;
    memset(phi, 0, dofs * sizeof *phi);
    for (size_t c = 0; c < (size_t)dim; c++)
        for (size_t i = 0; i < dofs; i++) phi[i] += z[c] * Y[c * dofs + i] / sqrt(N[i]);
    for (size_t i = 0; i < dofs; i++) most = fmax(most, fabs(phi[i]) * lever[i]);
    for (size_t i = 0; i < dofs && most > 0; i++) phi[i] /= most;
    f->count++;
}

static int take(ts_freedom *f, const ts_linear_model *x, const double *N, const double *lever,
                const double *Y, int dim) {
    double *A = reduced(x, N, Y, dim), *theta = ts_calloc((size_t)dim + 1, sizeof *theta);
    int code = dim > 0 ? eigen(dim, A, theta) : 0;
    f->unstable = 0;
    for (int i = 0; i < dim && !code; i++) {
        if (theta[i] < -ZERO) f->unstable++;
        if (fabs(theta[i]) <= ZERO && f->count < TS_MOST_FREE)
            put_motion(f, N, lever, Y, dim, A + (size_t)i * (size_t)dim);
    }
    free(A), free(theta);
    return code;
}

static int find_dense(ts_freedom *f, const ts_linear_model *x, const double *N,
                      const double *lever) {
    int dim;
    double *C = scaled_rows(x, N), *Z = ts_dense_null_space(x->n - x->dofs, x->dofs, C, &dim);
    int code = take(f, x, N, lever, Z, dim);
    free(C), free(Z);
    return code;
}

/* ---- large models ---- */

/* Factors K + e N, with tiny diagonals for rows. `negative`: number of its negative eigenvalues
 * beyond one for each row; -1: unknown. */
static ts_lu *factor(const ts_linear_model *x, const double *N, double pivoting, int *negative) {
    ts_sparse *A = x->pattern;
    int where;
    memcpy(A->value, x->K, (size_t)A->nnz * sizeof *A->value);
    for (int i = 0; i < x->dofs; i++) A->value[x->diagonal[i]] += TINY * N[i];
    for (int r = x->dofs; r < x->n; r++) {
        double compliance = 0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++)
            if (A->row[k] < x->dofs) compliance += A->value[k] * A->value[k] / N[A->row[k]];
        A->value[x->diagonal[r]] = -1e-13 * compliance;
    }
    ts_lu *lu = ts_lu_new(A, x->groups, x->group);
    ts_lu_pivoting(lu, pivoting);
    *negative = -1;
    if (ts_lu_factor(lu, &where)) {
        ts_lu_free(lu);
        return NULL;
    }
    int all = ts_lu_negative(lu);
    if (all >= 0) *negative = all - (x->n - x->dofs);
    return lu;
}

/* Gram and Schmidt, twice; in the unit norm of y. */
static void orthonormalise(double *Y, int count, size_t dofs) {
    for (size_t c = 0; c < (size_t)count; c++)
        for (int round = 0; round < 2; round++) {
            double *y = Y + c * dofs, size = 0;
            for (size_t b = 0; b < c; b++) {
                double dot = 0;
                for (size_t i = 0; i < dofs; i++) dot += Y[b * dofs + i] * y[i];
                for (size_t i = 0; i < dofs; i++) y[i] -= dot * Y[b * dofs + i];
            }
            for (size_t i = 0; i < dofs; i++) size += y[i] * y[i];
            for (size_t i = 0; i < dofs && size > 0; i++) y[i] /= sqrt(size);
        }
}

static void iterate(const ts_linear_model *x, const double *N, ts_lu *lu, double *Y, int count,
                    int rounds) {
    size_t dofs = (size_t)x->dofs;
    double *b = ts_calloc((size_t)x->n + 1, sizeof *b);
    uint64_t seed = 2026;
    for (size_t i = 0; i < dofs * (size_t)count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        Y[i] = (double)(int64_t)seed / 9.3e18;
    }
    for (int round = 0; round < rounds; round++) {
        for (int c = 0; c < count; c++) {
            double *y = Y + (size_t)c * dofs;
            memset(b, 0, (size_t)x->n * sizeof *b);
            for (size_t i = 0; i < dofs; i++) b[i] = y[i] * sqrt(N[i]);
            ts_lu_solve(lu, b);
            for (size_t i = 0; i < dofs; i++) y[i] = b[i] * sqrt(N[i]);
        }
        orthonormalise(Y, count, dofs);
    }
    free(b);
}

static int find_sparse(ts_freedom *f, const ts_linear_model *x, const double *N,
                       const double *lever) {
    int unused;
    ts_lu *lu = factor(x, N, TS_LINEAR_PIVOTING, &unused);
    if (!lu) return TORSOR_ESINGULAR;
    double *Y = ts_calloc((size_t)TS_MOST_FREE * (size_t)x->dofs + 1, sizeof *Y);
    iterate(x, N, lu, Y, 2, 2); /* most models have none, which two vectors are enough to show */
    int code = take(f, x, N, lever, Y, 2);
    if (!code && f->count > 0) {
        f->count = 0;
        iterate(x, N, lu, Y, TS_MOST_FREE, ROUNDS);
        code = take(f, x, N, lever, Y, TS_MOST_FREE);
    }
    f->unstable = -1;
    ts_lu_free(lu);
    free(Y);
    return code;
}

/* ---- a basis with names ---- */

/* Products of motions over the nodes of a part; part -1: of all. */
static void products(const ts_system *system, const ts_freedom *f, const double *lever, int part,
                     double *out) {
    size_t k = (size_t)f->count, dofs = (size_t)f->dofs;
    memset(out, 0, k * k * sizeof *out);
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        int dof = system->node_dof[n];
        if (dof < 0 || (part >= 0 && node->part != part)) continue;
        for (size_t i = (size_t)dof; i < (size_t)(dof + ts_node_dofs(node)); i++)
            for (size_t a = 0; a < k; a++)
                for (size_t b = 0; b < k; b++)
                    out[a * k + b] +=
                        f->phi[a * dofs + i] * f->phi[b * dofs + i] * lever[i] * lever[i];
    }
}

/* The motion z that is most local to a part: maximises z^T S z / z^T G z. */
static double own_share(int count, const double *S, const double *G, double *z) {
    size_t k = (size_t)count;
    double *A = ts_calloc(k * k + 1, sizeof *A), *B = ts_calloc(k * k + 1, sizeof *B);
    double *theta = ts_calloc(k + 1, sizeof *theta), share = -1;
    memcpy(A, S, k * k * sizeof *A), memcpy(B, G, k * k * sizeof *B);
    if (ts_dense_symmetric(count, A, B, theta) == 0) {
        share = theta[k - 1];
        memcpy(z, A + (k - 1) * k, k * sizeof *z);
    }
    free(A), free(B), free(theta);
    return share;
}

/* Moves the motion z to the first place from `first` on, and makes the others orthogonal to it. */
static void bring_forward(ts_freedom *rest, const double *z, const double *G) {
    size_t k = (size_t)rest->count, dofs = (size_t)rest->dofs;
    double *motion = ts_calloc(dofs + 1, sizeof *motion), size = 0;
    size_t largest = 0;
    for (size_t a = 0; a < k; a++) {
        if (fabs(z[a]) > fabs(z[largest])) largest = a;
        for (size_t b = 0; b < k; b++) size += z[a] * G[a * k + b] * z[b];
        for (size_t i = 0; i < dofs; i++) motion[i] += z[a] * rest->phi[a * dofs + i];
    }
    for (size_t a = 0; a < k; a++) {
        double dot = 0;
        for (size_t b = 0; b < k; b++) dot += G[a * k + b] * z[b];
        for (size_t i = 0; i < dofs; i++) rest->phi[a * dofs + i] -= dot / size * motion[i];
    }
    if (largest > 0) memcpy(rest->phi + largest * dofs, rest->phi, dofs * sizeof(double));
    memcpy(rest->phi, motion, dofs * sizeof(double));
    free(motion);
}

static void localise(const ts_system *system, ts_freedom *f, const double *lever) {
    size_t k = (size_t)f->count;
    double *S = ts_calloc(k * k + 1, sizeof *S), *G = ts_calloc(k * k + 1, sizeof *G);
    double *z = ts_calloc(k + 1, sizeof *z), *best = ts_calloc(k + 1, sizeof *best);
    for (int first = 0; first < f->count; first++) {
        ts_freedom rest = {.count = f->count - first,
                           .dofs = f->dofs,
                           .phi = f->phi + (size_t)first * (size_t)f->dofs};
        double most = 0;
        products(system, &rest, lever, -1, G);
        f->part[first] = 0;
        for (int p = 0; p < system->model->parts_count; p++) {
            products(system, &rest, lever, p, S);
            double share = own_share(rest.count, S, G, z);
            if (!(share > most + 1e-6)) continue;
            most = share, f->part[first] = p;
            memcpy(best, z, (size_t)rest.count * sizeof *best);
        }
        if (most > 0) bring_forward(&rest, best, G);
    }
    free(S), free(G), free(z), free(best);
}

/* ---- all together ---- */

int ts_freedom_find(ts_freedom *out, const ts_system *system, const ts_linear_model *x) {
    *out = (ts_freedom){.dofs = x->dofs, .unstable = 0};
    if (x->dofs == 0) return 0;
    out->phi = ts_calloc((size_t)TS_MOST_FREE * (size_t)x->dofs, sizeof *out->phi);
    out->part = ts_calloc(TS_MOST_FREE, sizeof *out->part);
    double *lever = levers(system), *N = norm_of(x, lever);
    int code = x->dofs <= DENSE ? find_dense(out, x, N, lever) : find_sparse(out, x, N, lever);
    if (!code) localise(system, out, lever);
    if (!x->symmetric && !x->potential) out->unstable = -1;
    free(lever), free(N);
    if (code) ts_freedom_free(out);
    return code;
}

/* Large models: the signs of the pivots on the diagonal give the inertia. */
static int count_negative(const ts_system *system, const ts_linear_model *x) {
    double *lever = levers(system), *N = norm_of(x, lever), most = 0;
    int negative;
    for (int i = 0; i < x->dofs; i++) most = fmax(most, N[i] / (lever[i] * lever[i]));
    for (int i = 0; i < x->dofs; i++) /* excludes pivots of motions that have no stiffness at all */
        N[i] = fmax(N[i], STIFF * most * lever[i] * lever[i]);
    ts_lu_free(factor(x, N, 1e-15, &negative));
    free(lever), free(N);
    return negative;
}

int ts_freedom_of_equilibrium(ts_freedom *out, ts_system *system) {
    ts_linear_model x;
    v3 none = {0, 0, 0};
    *out = (ts_freedom){.unstable = -1};
    int code = ts_linearise(&x, system, none, none);
    if (code) return code;
    code = ts_freedom_find(out, system, &x);
    if (code) out->unstable = -1;
    if (!code && (x.symmetric || x.potential) && x.dofs > DENSE)
        out->unstable = count_negative(system, &x);
    ts_linear_free(&x);
    return code;
}

/* ---- words ---- */

static void axis_words(v3 a, char *text, size_t size) {
    static const char *const names[] = {"x", "y", "z"};
    double length = v3_norm(a);
    for (int k = 0; k < 3; k++)
        if (fabs(v3_get(a, k)) > (1 - 1e-6) * length) {
            snprintf(text, size, "%s", names[k]);
            return;
        }
    double c[3];
    int first = 0;
    v3_store(c, v3_scale(length > 0 ? 1 / length : 0, a));
    for (int k = 0; k < 3; k++) c[k] = fabs(c[k]) < 5e-4 ? 0 : c[k];
    while (first < 2 && c[first] == 0) first++;
    double sign = c[first] < 0 ? -1 : 1;
    snprintf(text, size, "(%.3g, %.3g, %.3g)", sign * c[0] + 0, sign * c[1] + 0, sign * c[2] + 0);
}

char *ts_free_motion_words(const ts_system *system, const ts_freedom *f, int i, char *text,
                           size_t size) {
    const double *phi = f->phi + (size_t)i * (size_t)f->dofs;
    v3 move = {0, 0, 0}, turn = {0, 0, 0};
    for (int n = 0; n < system->model->nodes_count; n++) {
        if (system->node_dof[n] < 0 || system->model->nodes[n].part != f->part[i]) continue;
        v3 u = v3_load(phi + system->node_dof[n]);
        v3 psi = ts_node_turn(system, n, phi + system->node_dof[n]);
        if (v3_norm(u) > v3_norm(move)) move = u;
        if (v3_norm(psi) > v3_norm(turn)) turn = psi;
    }
    bool turns = v3_norm(turn) * system->length > 1e-3 * v3_norm(move);
    char axis[60];
    axis_words(turns ? turn : move, axis, sizeof axis);
    snprintf(text, size, "'%s' %s %s", system->model->parts[f->part[i]].name,
             turns ? "turns about" : "moves along", axis);
    return text;
}

char *ts_freedom_words(const ts_system *system, const ts_freedom *f, char *text, size_t size) {
    enum { NAMED = 4 };
    size_t used = 0;
    char one[160];
    *text = 0;
    for (int i = 0; i < f->count && i < NAMED && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 ts_free_motion_words(system, f, i, one, sizeof one));
    if (f->count > NAMED && used < size)
        snprintf(text + used, size - used, ", and %s%d more",
                 f->count == TS_MOST_FREE ? "at least " : "", f->count - NAMED);
    return text;
}
