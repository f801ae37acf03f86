/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of a back end of the linear solver. Private to src/sparse; other folders use ts_lu
 * (sparse.h).
 *
 * A back end is one file with a ts_solver, and one entry in the list at the top of lu.c. It is
 * opened at the first factorisation, analyses the pattern once, and then factors and solves any
 * number of times. */
#ifndef TS_SOLVER_H
#define TS_SOLVER_H

#include "sparse/sparse.h"

/* Cost of a factorisation in a given order of elimination. */
typedef struct ts_cost {
    double fill;       /* entries of L and U */
    double operations; /* multiplications and additions */
} ts_cost;

/* The equations, as every back end finds them. */
typedef struct ts_linear_equations {
    const ts_sparse *A;  /* the pattern, and the values of a real matrix */
    double *z;           /* values of a complex one, in pairs; NULL: the matrix is real */
    int groups, *group;  /* unknowns that are eliminated together; NULL: every one by itself */
    int *permutation;    /* unknowns by minimum degree over the groups */
    ts_cost cost;        /* of that order */
    bool symmetric;      /* the lower triangle is all that is to be read; MUMPS only */
    double tolerance;    /* of pivots on the diagonal, see ts_lu_pivoting */
    double accuracy;     /* of iterative solutions: residual over right-hand side */
    int threads;         /* for iterative solutions, from 1 */
    const char *variant; /* an ordering by name, for comparisons; NULL: the usual one */
} ts_linear_equations;

typedef struct ts_solver {
    const char *name, *help;
    void *(*open)(const ts_linear_equations *equations);
    int (*factor)(void *own, int *where); /* 0 or a code with its message, as ts_lu_factor */
    void (*forget)(void *own);            /* pivots, if it keeps them */
    void (*solve)(void *own, double *x);
    /* Instead of `solve`, for a solver that may fail: 0, or a code; on failure x is unchanged and
     * another solver is used. */
    int (*attempt)(void *own, double *x);
    double (*iterations)(const void *own); /* of all attempts; NULL: there are none */
    double (*fill)(const void *own);       /* entries of L and U */
    int (*negative)(const void *own);      /* as ts_lu_negative */
    void (*close)(void *own);
} ts_solver;

extern const ts_solver TS_SOLVER_KLU, TS_SOLVER_MUMPS, TS_SOLVER_KRYLOV;

/* Minimum degree on the groups, spelled out for the unknowns (order.c). */
void ts_order_groups(const ts_sparse *A, int groups, const int *group, int *permutation,
                     ts_cost *cost);
/* Nested dissection of the same graph. false: failed; the permutation is unchanged. */
bool ts_order_dissection(const ts_sparse *A, int groups, const int *group, int *permutation);

#endif
