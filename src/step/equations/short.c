/* SPDX-License-Identifier: Apache-2.0 */
/* The short tangent of ED: its two stages solved as one complex stage, with EP's tangent.
 *
 * To leading order in the step, and with K all stiffness, elastic and geometric, the scaled tangent
 * of ED over (y, u, lambda, kappa) is
 *
 *     N (x) M + h^2 Q (x) K ,   I (x) C^T ;   R (x) C ,   N = [1 -1; 0 1] ,  R = [1 0; -1
 *                               1+alpha] ,
 *     Q = [ 1/6 , (1+alpha)/12 ; -(1+alpha/3)/12 , alpha (1+alpha)/36 ] .
 *
 * Multiplying by N^-1 and R^-1 leaves  I (x) M + h^2 Z (x) K ,  I (x) C^T ,  I (x) C  with Z = N^-1
 * Q, whose eigenvalues z are a complex pair. With l Z = z l, l = (1, l2), the complex unknown
 * x = y + l2 u solves one system of half the size,
 *
 *     [ M + h^2 z K   C^T ] [ x  ]
 *     [ C             0   ] [ mu ]      and EP's own tangent is [ M + h^2/4 K, C^T ; C, 0 ],
 *
 * so that matrix costs one assembly of EP. It leaves out f2 and what couples the stages through
 * large rotations in a step: Newton converges linearly with it, at a rate of the order of the
 * rotation per step. When that is too slow the exact tangent takes over (newton.c). One
 * factorisation of half the unknowns replaces one of all: S4 section 3.3, Hairer and Wanner,
 * Solving ODEs II, IV.8.
 *
 * Geometric stiffness G, of forces and multipliers that turn with the nodes, is no K: it is seen by
 * the balance alone, and there of y alone, with Q_g = [1/4 0; 0 0] in place of Q. Multiplication by
 * a complex number w, as a matrix W over (y, u), cannot be Q_g. With w = z the error W - Q_g has
 * eigenvalues of 0.12, and forces that bend a structure near its critical load make Newton's method
 * slow. But W - Q_g is nilpotent for
 *
 *     w = (1 + i (r + sqrt(1 + r^2)))/8 ,   r = Re l2/Im l2 ,
 *
 * as tr W = 2 Re w = 1/4 and det W = |w|^2 = W_22/4, W_22 = Re w + r Im w, so that in soft modes
 * two iterations leave nothing of it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

#include <complex.h>

struct ts_short {
    ts_equations eq; /* EP's, over the fields of ED */
    double *z;       /* the complex values */
    double *x;       /* complex right-hand side */
    bool *inner;     /* entry couples displacements */
};

int ts_short_new(struct ts_short **out, ts_stepper *st) {
    struct ts_short *quick = ts_calloc(1, sizeof *quick);
    ts_equations *eq = &quick->eq;
    *out = quick;
    *eq = (ts_equations){.scheme = st->scheme->stand_in,
                         .step = &st->step,
                         .team = &st->team,
                         .n = st->system->dofs + st->system->rows,
                         .regular = st->eq.regular,
                         .node_regular = st->eq.node_regular,
                         .whole = st->options.whole};
    ts_build_matrix(eq, st->options.solver, &quick->z);
    const ts_sparse *A = eq->A;
    int dofs = A->n - st->system->rows;
    quick->inner = ts_calloc((size_t)A->nnz + 1, sizeof(bool));
    quick->x = ts_calloc(2 * (size_t)eq->n + 2, sizeof(double));
    for (int j = 0; j < dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) quick->inner[k] = A->row[k] < dofs;
    return 0;
}

const ts_equations *ts_short_equations(const struct ts_short *quick) { return &quick->eq; }

ts_lu *ts_short_lu(const struct ts_short *quick) { return quick->eq.lu; }

void ts_short_watch(struct ts_short *quick, ts_effort *effort) {
    quick->eq.effort = effort;
    ts_lu_watch(quick->eq.lu, effort ? &effort->linear : NULL);
}

void ts_short_free(struct ts_short *quick) {
    if (!quick) return;
    ts_sparse_free(quick->eq.A);
    ts_lu_free(quick->eq.lu);
    ts_condensation_free(quick->eq.inner);
    free(quick->inner), free(quick->x);
    free(quick);
}

/* z and l2 of alpha. */
static double complex eigenvalue(double al, double complex *l2) {
    double q21 = -(1 + al / 3) / 12, q22 = al * (1 + al) / 36;
    double z11 = 1.0 / 6 + q21, z12 = (1 + al) / 12 + q22, trace = z11 + q22;
    double complex z = 0.5 * trace + csqrt(0.25 * trace * trace - (z11 * q22 - z12 * q21));
    *l2 = (z - z11) / q21; /* from the first column of l Z = z l */
    return z;
}

/* w of geometric stiffness, as the opening comment has it. */
static double complex geometric(double complex l2) {
    double r = creal(l2) / cimag(l2);
    return (1 + I * (r + sqrt(1 + r * r))) / 8;
}

/* What was assembled is added, stiffness times a factor; and is forgotten. */
static void take(struct ts_short *quick, double complex factor) {
    const ts_sparse *A = quick->eq.A;
    double re = creal(factor), im = cimag(factor);
    for (int k = 0; k < A->nnz; k++) {
        double value = A->value[k];
        quick->z[2 * k] += quick->inner[k] ? re * value : value;
        if (quick->inner[k]) quick->z[2 * k + 1] += im * value;
    }
    ts_sparse_zero(quick->eq.A);
}

static void take_part(struct ts_short *quick, ts_tangent_part part, double complex factor) {
    quick->eq.step->part = part;
    ts_assemble_tangent(&quick->eq);
    quick->eq.step->part = TS_WHOLE;
    take(quick, factor);
}

int ts_short_factor(struct ts_short *quick, const ts_step *st) {
    double complex l2, z = eigenvalue(st->alpha, &l2);
    memset(quick->z, 0, 2 * (size_t)quick->eq.A->nnz * sizeof(double));
    ts_sparse_zero(quick->eq.A);
    ts_each_node_inertia(&quick->eq);
    take(quick, 1);
    take_part(quick, TS_GEOMETRIC, 4 * geometric(l2));
    take_part(quick, TS_MATERIAL, 4 * z);
    return ts_factor_assembled(&quick->eq);
}

/* x holds (main, stage, c, rate rows); on return (y, u, lambda, kappa). */
void ts_short_solve(struct ts_short *quick, const ts_step *st, double *x) {
    double complex l2, rest = 4 * eigenvalue(st->alpha, &l2);
    double re = creal(l2), im = cimag(l2), al = st->alpha, *b = quick->x;
    int dofs = st->system->dofs, rows = st->system->rows;
    double *main = x, *stage = x + dofs, *c = x + 2 * dofs, *rate = c + rows;
    for (int i = 0; i < dofs; i++) {
        b[2 * i] = main[i] + stage[i] + re * stage[i];
        b[2 * i + 1] = im * stage[i];
    }
    for (int i = 0; i < rows; i++) {
        double second = (c[i] + rate[i]) / (1 + al);
        b[2 * (dofs + i)] = c[i] + re * second;
        b[2 * (dofs + i) + 1] = im * second;
    }
    ts_solve_complex(&quick->eq, b, (double[2]){creal(rest), cimag(rest)});
    for (int i = 0; i < dofs; i++) {
        stage[i] = b[2 * i + 1] / im;
        main[i] = b[2 * i] - re * stage[i];
    }
    for (int i = 0; i < rows; i++) { /* N maps the multipliers back: lambda = lambda' - kappa' */
        rate[i] = b[2 * (dofs + i) + 1] / im;
        c[i] = b[2 * (dofs + i)] - re * rate[i] - rate[i];
    }
}
