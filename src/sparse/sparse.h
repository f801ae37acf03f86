/* SPDX-License-Identifier: Apache-2.0 */
/* Sparse matrices: pattern once, values many times; solutions by KLU, MUMPS or iteration.
 *
 * The matrix is a sum of small dense element matrices. Each element names the equations of its rows
 * and columns and which of its dense entries can be non-zero; `ts_sparse_build` turns that into
 * compressed columns and a slot for each entry, so that adding an element is a walk over a list of
 * numbers.
 */
#ifndef TS_SPARSE_H
#define TS_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ts_element {
    int64_t first; /* its range in entry/slot */
    int count;
} ts_element;

typedef struct ts_sparse {
    int n, nnz;
    int *start, *row; /* compressed columns */
    double *value;
    int elements, elements_room;
    ts_element *element;
    int64_t entries, entries_room;
    uint16_t *entry; /* position in the dense element matrix, row * width + column */
    int *slot;       /* while building: unused; then position in value */
    int *where;      /* equations of each element's rows and columns */
    int64_t where_count, where_room;
    int64_t *where_first;
} ts_sparse;

ts_sparse *ts_sparse_new(int n);
void ts_sparse_free(ts_sparse *A);
/* mask[i*width+j] says whether entry (i, j) may be non-zero; eq[i] is the equation and unknown
 * number of local i, -1: none */
void ts_sparse_element(ts_sparse *A, int width, const int *eq, const bool *mask);
void ts_sparse_build(ts_sparse *A);
void ts_sparse_zero(ts_sparse *A);
void ts_sparse_add(ts_sparse *A, int element, const double *dense);

/* The LU factorisation. Unknowns come in groups that are eliminated together, in the order of their
 * numbers; the order of the groups is the solver's business. KLU keeps its pivots on the diagonal,
 * so a caller with zeros there puts them behind the unknowns of their group that will fill them.
 * group == NULL: every unknown is a group.
 *
 * The matrix is factored by the solver that suits it, unless one is named: see lu.c. */
typedef struct ts_lu ts_lu;
ts_lu *ts_lu_new(const ts_sparse *A, int groups, const int *group);
/* LU of a complex matrix in the pattern of A. The caller fills its values *value: nnz pairs (real,
 * imaginary). */
ts_lu *ts_lu_new_complex(const ts_sparse *A, int groups, const int *group, double **value);
void ts_lu_free(ts_lu *lu);
const char *ts_solver_name(int index); /* NULL past the end */
/* Names the solver; NULL, "" and "auto" leave the choice. "mumps/scotch" and the like name an
 * ordering too, to compare. */
void ts_lu_choose(ts_lu *lu, const char *name);
const char *ts_lu_solver(const ts_lu *lu); /* the one chosen, or what took over from it */
/* Solutions may leave a residual of this share of the right-hand side, 1e-12 unless said, as inside
 * Newton's method. `suits`: whether the matrix is one for iterations, that of a mesh of solids with
 * mass, or of bodies that touch; then these are chosen where they pay. Before ts_lu_choose. */
typedef enum ts_lu_suits { TS_LU_OTHER, TS_LU_SOLID, TS_LU_LOOSE } ts_lu_suits;
void ts_lu_approximate(ts_lu *lu, double accuracy, ts_lu_suits suits);
/* Number of threads of iterations; it does not change results; default 1. */
void ts_lu_threads(ts_lu *lu, int threads);
/* Sets how small a pivot on the diagonal may be, relative to the largest of its column, before
 * another row takes its place. The default, 1e-15, takes nearly any pivot on the diagonal. MUMPS
 * has a least tolerance of its own. */
void ts_lu_pivoting(ts_lu *lu, double tolerance);
/* Factors with the old pivots if they exist and are still good, otherwise with new pivots. 0, or
 * TORSOR_ESINGULAR with *where the unknown at which no pivot was found, -1 if the solver cannot
 * tell. */
int ts_lu_factor(ts_lu *lu, int *where);
/* The next factorisation chooses new pivots and uses the solver that was chosen at first, also
 * after a change of solver. */
void ts_lu_forget(ts_lu *lu);
void ts_lu_solve(ts_lu *lu, double *x);
double ts_lu_fill(const ts_lu *lu); /* entries of L and U */
/* The matrix is symmetric: its lower triangle is read, and MUMPS factors it with pivots of order
 * one and two, so that ts_lu_negative can tell whatever the pivots are. Before the first
 * factorisation. */
void ts_lu_symmetric(ts_lu *lu);
/* Number of negative eigenvalues of a symmetric matrix. -1: unknown, as after KLU has left the
 * diagonal. */
int ts_lu_negative(const ts_lu *lu);

/* Seconds spent in each task. Several factorisations may share one. NULL: time is not measured. */
typedef struct ts_lu_times {
    double analysis, first, factor, solve; /* first: of `factor`, the first one of each */
    double factors, firsts, solves;        /* how many */
    double operations, fill; /* of the last: foreseen for KLU's order; entries of L and U */
    double iterations;       /* of iterative solutions */
    double lost, losses;     /* seconds in iterations that led nowhere; how often */
} ts_lu_times;
void ts_lu_watch(ts_lu *lu, ts_lu_times *times);

#endif
