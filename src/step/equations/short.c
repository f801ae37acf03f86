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
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

#include <complex.h>

struct ts_short {
    ts_equations eq; /* EP's, over the fields of ED */
    double *mass;    /* values of the inertia alone */
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
    quick->mass = ts_calloc((size_t)A->nnz + 1, sizeof(double));
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
    free(quick->mass), free(quick->inner), free(quick->x);
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

int ts_short_factor(struct ts_short *quick, const ts_step *st) {
    ts_sparse *A = quick->eq.A;
    double complex l2, z = eigenvalue(st->alpha, &l2), rest = 4 * z;
    ts_sparse_zero(A);
    ts_each_node_inertia(&quick->eq);
    memcpy(quick->mass, A->value, (size_t)A->nnz * sizeof(double));
    ts_sparse_zero(A);
    ts_assemble_tangent(&quick->eq);
    for (int k = 0; k < A->nnz; k++) {
        double complex value = A->value[k];
        if (quick->inner[k]) value = quick->mass[k] + rest * (A->value[k] - quick->mass[k]);
        quick->z[2 * k] = creal(value), quick->z[2 * k + 1] = cimag(value);
    }
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
