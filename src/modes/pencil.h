/* SPDX-License-Identifier: Apache-2.0 */
/* The matrices of a linearised model (scheme/linear.h) with a shift, factored, applied, reduced and
 * counted: the tools of search.c and quadratic.c. See pencil.c.
 */
#ifndef TS_PENCIL_H
#define TS_PENCIL_H

#include "scheme/linear.h"

typedef struct ts_pencil {
    const ts_linear_model *x;
    double *exact;              /* values without regularisation */
    double *full, *rest, *work; /* n each */
    double *uncertain;          /* per displacement: geometric stiffness that may be in error */
    double floor;               /* least error of omega^2 from errors of a mode's components */
    double scale;               /* ts_pencil_scale */
    ts_lu *lu;
} ts_pencil;

void ts_pencil_begin(ts_pencil *p, const ts_linear_model *x);
void ts_pencil_end(ts_pencil *p);
/* Sets the forces of the rows, and the distance of the state from equilibrium (relative): the
 * uncertainty of K. */
void ts_pencil_uncertain(ts_pencil *p, const ts_system *system, double gap);

/* Factors K + d D + m M together with the rows. */
int ts_pencil_factor(ts_pencil *p, double d, double m);
/* b: displacements only; the right side on entry, the solution on return. */
void ts_pencil_solve(ts_pencil *p, double *b);
/* y = (values) x, and a^T (values) b, for displacements. */
void ts_pencil_product(ts_pencil *p, const double *value, const double *x, double *y);
double ts_pencil_form(ts_pencil *p, const double *value, const double *a, const double *b);
/* a^T |values| a with absolute values of all entries: the scale of round-off of the form. */
double ts_pencil_size(const ts_pencil *p, const double *value, const double *a);
/* Round-off of phi^T K phi, for phi of unit mass: a smaller omega^2 cannot be distinguished from
 * zero. */
double ts_pencil_noise(const ts_pencil *p, const double *phi);

/* The scale of stiffness over mass: the largest K_ii/M_ii; 1 if there is none. */
double ts_pencil_scale(const ts_linear_model *x);
/* Number of omega^2 below a shift, by Sylvester's law of inertia; -1: the shift is an eigenvalue,
 * or K is not symmetric. */
int ts_pencil_count(const ts_linear_model *x, double shift);

/* Dense matrices on the null space of the rows: phi = Z z. */
typedef struct ts_reduced {
    int dim;
    double *Z;         /* dofs x dim, by columns, orthonormal */
    double *K, *M, *D; /* dim x dim */
} ts_reduced;

void ts_reduce(const ts_linear_model *x, ts_reduced *r);
void ts_reduced_free(ts_reduced *r);
void ts_reduced_expand(const ts_linear_model *x, const ts_reduced *r, const double *z, double *phi);
void ts_reduced_restrict(const ts_linear_model *x, const ts_reduced *r, const double *phi,
                         double *z);

/* phi <- phi Q: new column j is the sum over k of Q[j count + k] times column k. */
void ts_combine(int dofs, int count, const double *Q, double *phi);

#endif
