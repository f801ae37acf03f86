/* SPDX-License-Identifier: Apache-2.0 */
/* The matrices of a linearised model: saddle matrix, round-off, inertia, null space. See pencil.h.
 *
 * The saddle matrix with A = K + d D + m M, and what follows from it for a symmetric A = K - s M:
 *
 *     [ A  C^T ]                       negative eigenvalues of the saddle matrix
 *     [ C   0  ]                   =   rows  +  negative eigenvalues of Z^T A Z ,      C Z = 0 ,
 *
 * and those of Z^T (K - s M) Z are as many as omega^2 lie below s (Sylvester). They are counted by
 * the factors L D L^T of MUMPS, with pivots of order one and two, which stay accurate for an
 * indefinite matrix. A motion without mass counts if its stiffness is negative, at every shift.
 *
 * Round-off. phi of unit mass has a computed omega^2 = phi^T K phi that is in error by
 *
 *     c eps |phi|^T |K| |phi|               the entries of K
 *     sum_i g_i phi_i^2                     geometric stiffness that cancels in K: a force over the
 *                                           size L of the model, or a moment and a force times its
 *                                           lever. The forces are those of the rows, times c
 *                                           eps + gap, with the distance from equilibrium; and m
 *                                           times c eps L times the largest K_ii/M_ii of all that
 *                                           rows tie to the node, for forces that are nothing but
 *                                           round-off: places are known to eps L, and rows hand on
 *                                           what stiff members say
 *     sum_ij d_i |K_ij| d_j                 components of phi, d_i = DIRT / sqrt(M_ii)
 *
 * The last one is far below the others, but these vanish for a body that rolls on a rail: there it
 * is all that is left.
 *
 * Statics finds free motions differently (analysis/freedom.c), in a norm of K, because massless
 * parts may move. Here omega^2 itself must be distinguished from round-off, which requires the
 * masses. */
#include "modes/pencil.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/dense.h"
#include "sparse/eigen.h"

static const double NOISE = 200 * DBL_EPSILON, DIRT = 1e-13;
static const double LEAST_DIAGONAL = 1e-6; /* of the largest */
static const double PLACE = 16 * DBL_EPSILON;
static const double LARGEST_GAP = 1e-6; /* farther from equilibrium, the state is taken as it is */

/* ---- the saddle matrix ---- */

static void multiply(const ts_sparse *A, const double *value, const double *x, double *y) {
    memset(y, 0, (size_t)A->n * sizeof *y);
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; x[j] != 0 && k < A->start[j + 1]; k++)
            y[A->row[k]] += value[k] * x[j];
}

void ts_pencil_begin(ts_pencil *p, const ts_linear_model *x) {
    *p = (ts_pencil){.x = x};
    p->exact = ts_calloc((size_t)x->pattern->nnz + 1, sizeof(double));
    double **vectors[] = {&p->full, &p->rest, &p->work, &p->uncertain};
    for (int i = 0; i < 4; i++) *vectors[i] = ts_calloc((size_t)x->n + 1, sizeof(double));
    p->lu = ts_lu_new(x->pattern, x->groups, x->group);
    ts_lu_pivoting(p->lu, TS_LINEAR_PIVOTING);
    for (int i = 0; i < x->dofs; i++) {
        double m = x->M[x->diagonal[i]];
        p->work[i] = m > 0 ? DIRT / sqrt(m) : 0;
    }
    p->floor = ts_pencil_size(p, x->K, p->work);
    p->scale = ts_pencil_scale(x);
}

void ts_pencil_end(ts_pencil *p) {
    free(p->exact), free(p->full), free(p->rest), free(p->work), free(p->uncertain);
    ts_lu_free(p->lu);
}

/* Rows get a tiny diagonal, so that pivots may stay there; the solution is refined. Nodes without
 * mass and stiffness count with a least diagonal, or that of their rows would not be tiny. */
static void add_row_diagonal(const ts_linear_model *x) {
    ts_sparse *A = x->pattern;
    double most = 0;
    for (int i = 0; i < x->dofs; i++) most = fmax(most, fabs(A->value[x->diagonal[i]]));
    for (int r = x->dofs; r < x->n; r++) {
        double compliance = 0;
        for (int k = A->start[r]; k < A->start[r + 1]; k++) {
            if (A->row[k] >= x->dofs) continue;
            double d = fmax(fabs(A->value[x->diagonal[A->row[k]]]), LEAST_DIAGONAL * most);
            compliance += A->value[k] * A->value[k] / d;
        }
        A->value[x->diagonal[r]] -= 1e-13 * compliance;
    }
}

int ts_pencil_factor(ts_pencil *p, double d, double m) {
    const ts_linear_model *x = p->x;
    ts_sparse *A = x->pattern;
    int where;
    for (int k = 0; k < A->nnz; k++)
        A->value[k] = p->exact[k] = x->K[k] + (d != 0 ? d * x->D[k] : 0) + m * x->M[k];
    add_row_diagonal(x);
    ts_lu_forget(p->lu);
    return ts_lu_factor(p->lu, &where);
}

void ts_pencil_solve(ts_pencil *p, double *b) {
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

void ts_pencil_product(ts_pencil *p, const double *value, const double *x, double *y) {
    size_t dofs = (size_t)p->x->dofs * sizeof(double);
    memset(p->full, 0, (size_t)p->x->n * sizeof(double));
    memcpy(p->full, x, dofs);
    multiply(p->x->pattern, value, p->full, p->work);
    memcpy(y, p->work, dofs);
}

double ts_pencil_form(ts_pencil *p, const double *value, const double *a, const double *b) {
    double sum = 0;
    memset(p->full, 0, (size_t)p->x->n * sizeof(double));
    memcpy(p->full, b, (size_t)p->x->dofs * sizeof(double));
    multiply(p->x->pattern, value, p->full, p->work);
    for (int i = 0; i < p->x->dofs; i++) sum += a[i] * p->work[i];
    return sum;
}

/* ---- round-off ---- */

double ts_pencil_size(const ts_pencil *p, const double *value, const double *a) {
    const ts_sparse *A = p->x->pattern;
    double sum = 0;
    for (int j = 0; j < p->x->dofs; j++)
        for (int k = A->start[j]; a[j] != 0 && k < A->start[j + 1]; k++)
            if (A->row[k] < p->x->dofs) sum += fabs(a[A->row[k]] * value[k] * a[j]);
    return sum;
}

double ts_pencil_noise(const ts_pencil *p, const double *phi) {
    double geometric = 0;
    for (int i = 0; i < p->x->dofs; i++) geometric += p->uncertain[i] * phi[i] * phi[i];
    return NOISE * ts_pencil_size(p, p->x->K, phi) + geometric + p->floor;
}

/* The node of each displacement. */
static int *nodes_of(const ts_system *system) {
    int *node = ts_calloc((size_t)system->dofs + 1, sizeof *node);
    for (int n = 0; n < system->model->nodes_count; n++)
        for (int i = 0; system->node_dof[n] >= 0 && i < ts_node_dofs(&system->model->nodes[n]); i++)
            node[system->node_dof[n] + i] = n;
    return node;
}

static int root_of(int *parent, int n) {
    while (parent[n] != n) n = parent[n] = parent[parent[n]];
    return n;
}

/* Per node, the largest K_ii/M_ii of displacements among all nodes that rows tie it to, one after
 * the other. To be freed. */
static double *scale_of_tied(const ts_linear_model *x, const ts_system *system) {
    const ts_sparse *A = x->pattern;
    int nodes = system->model->nodes_count, *node = nodes_of(system);
    int *parent = ts_calloc((size_t)nodes + 1, sizeof *parent);
    double *scale = ts_calloc((size_t)nodes + 1, sizeof *scale);
    for (int n = 0; n < nodes; n++) parent[n] = n;
    for (int r = x->dofs; r < x->n; r++)
        for (int k = A->start[r], first = -1; k < A->start[r + 1]; k++) {
            if (A->row[k] >= x->dofs) continue;
            int n = node[A->row[k]];
            if (first >= 0) parent[root_of(parent, n)] = root_of(parent, first);
            first = n;
        }
    for (int n = 0; n < nodes; n++)
        for (int i = 0; system->node_dof[n] >= 0 && i < 3; i++) {
            int at = x->diagonal[system->node_dof[n] + i];
            double *most = &scale[root_of(parent, n)];
            if (x->M[at] > 0) *most = fmax(*most, fabs(x->K[at]) / x->M[at]);
        }
    for (int n = 0; n < nodes; n++)
        if (root_of(parent, n) != n) scale[n] = scale[root_of(parent, n)];
    free(node), free(parent);
    return scale;
}

/* How far from the node forces act on it: of rows by the entries of C, of laws by those of K. */
static double lever(const ts_linear_model *x, int dof) {
    const ts_sparse *A = x->pattern;
    double law[2] = {0, 0}, most = 0;
    for (int j = dof; j < dof + 3; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            int i = A->row[k] - dof;
            if (i >= 0 && i < 6) law[i >= 3] = fmax(law[i >= 3], fabs(x->K[k]));
        }
    for (int j = dof + 3; j < dof + 6; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= x->dofs) most = fmax(most, fabs(x->K[k]));
    return fmax(most, law[0] > 0 ? law[1] / law[0] : 0);
}

/* Forces of rows, per displacement: without regard to signs. */
static void add_carried(const ts_linear_model *x, const ts_system *system, double *f) {
    const ts_sparse *A = x->pattern;
    double *carried = ts_calloc((size_t)x->n + 1, sizeof *carried);
    for (int r = 0; r < system->model->rows_count; r++)
        if (system->row_eq[r] >= 0) carried[system->row_eq[r]] = fabs(system->state.lambda[r]);
    for (int j = 0; j < x->dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= x->dofs) f[j] += fabs(x->K[k]) * carried[A->row[k] - x->dofs];
    free(carried);
}

void ts_pencil_uncertain(ts_pencil *p, const ts_system *system, double gap) {
    double *scale = scale_of_tied(p->x, system), *f = p->uncertain, length = system->length;
    double share = NOISE + (gap <= LARGEST_GAP ? gap : 0);
    add_carried(p->x, system, f);
    for (int n = 0; n < system->model->nodes_count; n++) {
        const ts_node *node = &system->model->nodes[n];
        int dof = system->node_dof[n], nd = ts_node_dofs(node);
        if (dof < 0) continue;
        double noise = PLACE * length * system->far * node->mass[0][0] * scale[n];
        double arm = nd == 6 ? lever(p->x, dof) : 0;
        double force = fmax(f[dof], fmax(f[dof + 1], f[dof + 2]));
        for (int i = 0; i < nd; i++)
            f[dof + i] = i < 3 ? (share * f[dof + i] + noise) / length
                               : share * (f[dof + i] + force * arm) + noise * arm;
    }
    free(scale);
}

double ts_pencil_scale(const ts_linear_model *x) {
    double most = 0;
    for (int i = 0; i < x->dofs; i++) {
        double m = x->M[x->diagonal[i]];
        if (m > 0) most = fmax(most, fabs(x->K[x->diagonal[i]]) / m);
    }
    return most > 0 ? most : 1;
}

/* ---- inertia ---- */

int ts_pencil_count(const ts_linear_model *x, double shift) {
    ts_sparse *A = x->pattern;
    int where, negative = -1;
    if (!x->symmetric) return -1;
    for (int k = 0; k < A->nnz; k++) A->value[k] = x->K[k] - shift * x->M[k];
    add_row_diagonal(x);
    ts_lu *lu = ts_lu_new(A, x->groups, x->group);
    ts_lu_symmetric(lu);
    if (!ts_lu_factor(lu, &where)) negative = ts_lu_negative(lu);
    ts_lu_free(lu);
    return negative < 0 ? -1 : negative - (x->n - x->dofs);
}

/* ---- the null space of the rows ---- */

/* Z^T (values) Z */
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

void ts_reduce(const ts_linear_model *x, ts_reduced *r) {
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

void ts_reduced_free(ts_reduced *r) { free(r->Z), free(r->K), free(r->M), free(r->D); }

void ts_reduced_expand(const ts_linear_model *x, const ts_reduced *r, const double *z,
                       double *phi) {
    size_t dofs = (size_t)x->dofs;
    memset(phi, 0, dofs * sizeof *phi);
    for (int c = 0; c < r->dim; c++)
        for (size_t i = 0; i < dofs; i++) phi[i] += z[c] * r->Z[(size_t)c * dofs + i];
}

void ts_reduced_restrict(const ts_linear_model *x, const ts_reduced *r, const double *phi,
                         double *z) {
    size_t dofs = (size_t)x->dofs;
    for (int c = 0; c < r->dim; c++) {
        z[c] = 0;
        for (size_t i = 0; i < dofs; i++) z[c] += r->Z[(size_t)c * dofs + i] * phi[i];
    }
}

void ts_combine(int dofs, int count, const double *Q, double *phi) {
    double *row = ts_calloc((size_t)count + 1, sizeof *row);
    for (size_t i = 0; i < (size_t)dofs; i++) {
        for (int j = 0; j < count; j++) {
            row[j] = 0;
            for (int k = 0; k < count; k++)
                row[j] += Q[j * count + k] * phi[(size_t)k * (size_t)dofs + i];
        }
        for (int j = 0; j < count; j++) phi[(size_t)j * (size_t)dofs + i] = row[j];
    }
    free(row);
}
