/* SPDX-License-Identifier: Apache-2.0 */
/* LU factorisation by MUMPS (P. R. Amestoy, I. S. Duff, J. Koster, J.-Y. L'Excellent,
 * SIAM J. Matrix Anal. Appl. 23 (2001) 15; Users' guide, version 5).
 *
 * Multifrontal: the factors consist of dense blocks, which BLAS processes. This is best for wide
 * factors: meshes of shells and solids. Pivots are chosen within a block; a pivot that is too small
 * is delayed to the next block, which grows. So torsor passes its order of the groups (for large
 * models nested dissection), expanded to unknowns: a row without a diagonal of its own directly
 * follows the node that fills it, and finds its pivot in the same block.
 *
 * The analysis looks at the pattern only (no maximum transversal, ICNTL(6) = 0), so that a
 * restarted run finds the same order; rows and columns are scaled anew for every factorisation.
 *
 * All instances of MUMPS share variables, as do calls of BLAS: only one call is made at a time,
 * from any thread.
 *
 * This file is linked with the sequential MUMPS (torsor, the library) or with the parallel one
 * (torsor-mpi), never with both: they have the same names. With the parallel MUMPS, all ranks make
 * every call together (mumps_ranks.h). */
#include <dmumps_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmumps_c.h>

#include "base/blas.h"
#include "base/error.h"
#include "base/ranks.h"
#include "sparse/mumps_ranks.h"
#include "sparse/solver.h"

enum { NO_MEMORY = -13, NO_MEMORY_ORDERING = -7 }; /* of INFOG(1): an allocation failed */
enum { ROOM_START = 30, ROOM_LARGEST = 3000 };     /* percent, ICNTL(14) */

/* A threshold of 0.01 is MUMPS' own; less would let the error of a solution grow, more delays
 * pivots. */
static const double LEAST_TOLERANCE = 0.01;

/* Operations from which nested dissection is better than minimum degree (docs/solvers.md). */
static const double DISSECTION_PAYS = 5e8;

typedef struct own {
    const ts_linear_equations *e;
    union {
        DMUMPS_STRUC_C d;
        ZMUMPS_STRUC_C z;
    } id;
    int *row, *column;           /* from 1 */
    double *lower;               /* of a symmetric matrix: the values of its lower triangle */
    int *block_first, *block_of; /* the groups, from 1 */
    int *place;                  /* of each unknown in the order of elimination, from 1 */
    double *right;               /* of the solution, as it must not move */
    int status;                  /* of the analysis */
    int handle;                  /* by which other ranks know it */
    bool factored;
} own;

/* The two structures differ in the type of a number only. */
#define FIELD(lu, name) ((lu)->e->z ? &(lu)->id.z.name : &(lu)->id.d.name)
#define ICNTL(lu, i) ((lu)->e->z ? (lu)->id.z.icntl : (lu)->id.d.icntl)[(i)-1]
#define CNTL(lu, i) ((lu)->e->z ? (lu)->id.z.cntl : (lu)->id.d.cntl)[(i)-1]
#define INFOG(lu, i) ((lu)->e->z ? (lu)->id.z.infog : (lu)->id.d.infog)[(i)-1]

static int call(own *lu, int job) {
    static int handles;
    ts_blas_enter();
    if (job == TS_MUMPS_BEGIN) lu->handle = ++handles;
    *FIELD(lu, job) = job;
    ts_mumps_announce(&(ts_mumps_call){job, lu->handle, .complex = lu->e->z != NULL,
                                       .symmetric = *FIELD(lu, sym)});
    if (lu->e->z)
        zmumps_c(&lu->id.z);
    else
        dmumps_c(&lu->id.d);
    ts_blas_leave();
    return INFOG(lu, 1);
}

/* ---- analysis ---- */

/* The values of the lower triangle, in the order of its places. Their number. */
static int take_lower(own *lu) {
    const ts_sparse *A = lu->e->A;
    int count = 0;
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= j) lu->lower[count++] = A->value[k];
    return count;
}

static void give_lower(own *lu) {
    const ts_sparse *A = lu->e->A;
    lu->lower = ts_calloc((size_t)A->nnz + 1, sizeof *lu->lower);
    lu->id.d.nnz = take_lower(lu);
    lu->id.d.a = lu->lower;
    for (int j = 0, count = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->row[k] >= j) lu->row[count] = A->row[k] + 1, lu->column[count++] = j + 1;
}

static void give_matrix(own *lu) {
    const ts_sparse *A = lu->e->A;
    lu->row = ts_calloc((size_t)A->nnz + 1, sizeof *lu->row);
    lu->column = ts_calloc((size_t)A->nnz + 1, sizeof *lu->column);
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            lu->row[k] = A->row[k] + 1, lu->column[k] = j + 1;
    *FIELD(lu, n) = A->n, *FIELD(lu, nnz) = A->nnz;
    *FIELD(lu, irn) = lu->row, *FIELD(lu, jcn) = lu->column;
    if (lu->e->z)
        lu->id.z.a = (mumps_double_complex *)lu->e->z;
    else
        lu->id.d.a = A->value;
    if (lu->e->symmetric) give_lower(lu);
}

/* The groups that have members, one behind the other. */
static void give_groups(own *lu) {
    int n = lu->e->A->n, groups = lu->e->groups, used = 0;
    const int *group = lu->e->group;
    int *first = ts_calloc((size_t)groups + 1, sizeof *first);
    lu->block_first = ts_calloc((size_t)groups + 1, sizeof *lu->block_first);
    lu->block_of = ts_calloc((size_t)n + 1, sizeof *lu->block_of);
    for (int j = 0; j < n; j++) first[group[j] + 1]++;
    for (int g = 0; g < groups; g++) {
        if (first[g + 1] > 0) lu->block_first[used++] = first[g] + 1;
        first[g + 1] += first[g];
    }
    lu->block_first[used] = n + 1;
    for (int j = 0; j < n; j++) lu->block_of[first[group[j]]++] = j + 1;
    free(first);
    *FIELD(lu, nblk) = used;
    *FIELD(lu, blkptr) = lu->block_first, *FIELD(lu, blkvar) = lu->block_of;
    ICNTL(lu, 15) = 1;
}

/* Our own order, as places from 1. */
static void give_order(own *lu, bool dissection) {
    const ts_linear_equations *e = lu->e;
    int n = e->A->n, *order = ts_calloc((size_t)n + 1, sizeof *order);
    memcpy(order, e->permutation, (size_t)n * sizeof *order);
    if (dissection) ts_order_dissection(e->A, e->groups, e->group, order);
    lu->place = ts_calloc((size_t)n + 1, sizeof *lu->place);
    for (int k = 0; k < n; k++) lu->place[order[k]] = k + 1;
    free(order);
    *FIELD(lu, perm_in) = lu->place;
    ICNTL(lu, 7) = 1;
}

/* MUMPS' own orderings, on the groups, to compare with ours (docs/solvers.md). PORD ends the
 * program where a graph is small. */
static const struct {
    const char *name;
    int icntl7;
} ORDERINGS[] = {{"amd", 0}, {"amf", 2}, {"scotch", 3}, {"pord", 4}, {"qamd", 6}};

static void set_order(own *lu) {
    const char *variant = lu->e->variant ? lu->e->variant : "";
    for (size_t i = 0; i < sizeof ORDERINGS / sizeof *ORDERINGS; i++)
        if (strcmp(ORDERINGS[i].name, variant) == 0) {
            ICNTL(lu, 7) = ORDERINGS[i].icntl7;
            if (lu->e->group) give_groups(lu);
            return;
        }
    give_order(lu, *variant ? strcmp(variant, "dissection") == 0
                            : lu->e->cost.operations > DISSECTION_PAYS);
}

/* Several ranks: the order is ours, so the analysis is rank 0's (ICNTL(28)); the last front is not
 * left to ScaLAPACK (ICNTL(13)), which neither finds null pivots nor counts negative ones. */
static void share_work(own *lu) { ICNTL(lu, 28) = 1, ICNTL(lu, 13) = 1; }

static void end(void *own_) { call(own_, TS_MUMPS_END); }

static void *open_mumps(const ts_linear_equations *e) {
    own *lu = ts_calloc(1, sizeof *lu);
    lu->e = e;
    *FIELD(lu, par) = 1, *FIELD(lu, sym) = e->symmetric ? 2 : 0,
               *FIELD(lu, comm_fortran) = TS_MUMPS_WORLD;
    lu->status = call(lu, TS_MUMPS_BEGIN);
    ts_hold(end, lu);
    for (int i = 1; i <= 3; i++) ICNTL(lu, i) = -1; /* no output */
    ICNTL(lu, 4) = 0;
    ICNTL(lu, 6) = 0, ICNTL(lu, 8) = 7;
    ICNTL(lu, 14) = ROOM_START;
    ICNTL(lu, 24) = e->symmetric ? 0 : 1; /* null pivots are found and listed */
    if (ts_ranks_here()->count > 1) share_work(lu);
    give_matrix(lu);
    set_order(lu);
    lu->right = ts_calloc(2 * (size_t)e->A->n + 2, sizeof *lu->right);
    if (lu->status >= 0) lu->status = call(lu, TS_MUMPS_ANALYSE);
    return lu;
}

static void close_mumps(void *own_) {
    own *lu = own_;
    end(lu);
    ts_unhold(end, lu);
    free(lu->row), free(lu->column), free(lu->block_first), free(lu->block_of);
    free(lu->place), free(lu->right), free(lu->lower);
    free(lu);
}

/* ---- factors ---- */

/* Did MUMPS foresee too little room? Delayed pivots need more. */
static bool needs_room(int status) {
    return status == -8 || status == -9 || status == -11 || status == -14 || status == -15 ||
           status == -17 || status == -20;
}

static void no_memory(const own *lu) {
    long long wanted = INFOG(lu, 2) < 0 ? -(long long)INFOG(lu, 2) : INFOG(lu, 2) / 1000000;
    ts_no_memory("the factors of the linear equations (MUMPS, %d unknowns, %lld million numbers)",
                 lu->e->A->n, wanted);
}

static int factor(void *own_, int *where) {
    own *lu = own_;
    *where = -1;
    lu->factored = false;
    if (lu->lower) take_lower(lu);
    if (lu->status == NO_MEMORY || lu->status == NO_MEMORY_ORDERING) no_memory(lu);
    if (lu->status < 0)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be ordered (MUMPS %d)",
                       lu->status);
    double tolerance = lu->e->tolerance;
    CNTL(lu, 1) = tolerance > LEAST_TOLERANCE ? tolerance : LEAST_TOLERANCE;
    int status = call(lu, TS_MUMPS_FACTOR);
    while (needs_room(status) && ICNTL(lu, 14) < ROOM_LARGEST) {
        ICNTL(lu, 14) *= 2;
        status = call(lu, TS_MUMPS_FACTOR);
    }
    if (status == NO_MEMORY || needs_room(status)) no_memory(lu);
    if (status == -10 || status == -6 || INFOG(lu, 28) > 0) {
        const int *list = *FIELD(lu, pivnul_list);
        if (INFOG(lu, 28) > 0 && list) *where = list[0] - 1;
        return ts_fail(TORSOR_ESINGULAR, "the linear equations are singular");
    }
    if (status < 0)
        return ts_fail(TORSOR_ESINGULAR, "the linear equations could not be factored (MUMPS %d)",
                       status);
    lu->factored = true;
    return 0;
}

static void solve(void *own_, double *x) {
    own *lu = own_;
    size_t bytes = (size_t)lu->e->A->n * sizeof(double) * (lu->e->z ? 2 : 1);
    memcpy(lu->right, x, bytes);
    *FIELD(lu, nrhs) = 1, *FIELD(lu, lrhs) = lu->e->A->n;
    if (lu->e->z)
        lu->id.z.rhs = (mumps_double_complex *)lu->right;
    else
        lu->id.d.rhs = lu->right;
    if (call(lu, TS_MUMPS_SOLVE) == NO_MEMORY) no_memory(lu);
    memcpy(x, lu->right, bytes);
}

/* INFOG(29): entries of the factors, in millions if negative. */
static double fill(const void *own_) {
    const own *lu = own_;
    if (!lu->factored) return 0;
    return INFOG(lu, 29) < 0 ? -1e6 * INFOG(lu, 29) : INFOG(lu, 29);
}

static int negative(const void *own_) {
    const own *lu = own_;
    return lu->factored && lu->e->symmetric ? INFOG(lu, 12) : -1;
}

const ts_solver TS_SOLVER_MUMPS = {.name = "mumps",
                                   .help = "by dense blocks, for wide factors: shells, solids",
                                   .open = open_mumps,
                                   .factor = factor,
                                   .solve = solve,
                                   .fill = fill,
                                   .negative = negative,
                                   .close = close_mumps};
