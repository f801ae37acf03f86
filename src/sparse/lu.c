/* SPDX-License-Identifier: Apache-2.0 */
/* The linear solver: which back end, and what all of them share. See sparse.h, solver.h,
 * docs/solvers.md.
 *
 * The choice between them is by what the factorisation will cost, which the ordering foresees
 * (order.c). KLU works entry by entry, MUMPS with dense blocks: the wider the factors are, in
 * operations per entry, the more that pays; on thin factors it only costs. Where the two cross was
 * measured (bench/bench_large.c, docs/solvers.md).
 *
 * Iterations (krylov.c) need far less of everything on a large mesh of solids, and may fail. Then
 * MUMPS takes over, with the values that the matrix still has, until everything is forgotten
 * (ts_lu_forget): a run that is restarted there finds the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "sparse/solver.h"

static const ts_solver *const SOLVERS[] = {&TS_SOLVER_KLU, &TS_SOLVER_MUMPS, &TS_SOLVER_KRYLOV};
enum { SOLVER_COUNT = sizeof SOLVERS / sizeof *SOLVERS };

/* Beyond both of these the blocks pay. */
static const double MANY_OPERATIONS = 5e7;
static const double WIDE = 80; /* operations per entry of the factors */
/* Beyond both limits iterations are faster for suitable matrices. Operations grow like the square
 * of the unknowns for a body that is about as thick as it is long. A slab needs fewer operations,
 * but bending takes too many iterations. For bodies in contact two iterations are enough because of
 * their inertia, so iterations are faster wherever blocks would be used. */
static const double MANY_FOR_ITERATIONS = 1e9;
static const double THICK = 60; /* operations per unknown, squared */
static const double ACCURACY = 1e-12;

struct ts_lu {
    ts_linear_equations e;
    const ts_solver *solver; /* NULL: not chosen yet */
    void *own;               /* of the solver; NULL: not opened yet */
    void *rescuer;           /* MUMPS' own, once it had to take over */
    bool rescued;            /* it has taken over */
    ts_lu_times *times;      /* NULL: not requested */
};

const char *ts_solver_name(int i) { return i >= 0 && i < SOLVER_COUNT ? SOLVERS[i]->name : NULL; }

static const ts_solver *find(const char *name, size_t length) {
    for (int i = 0; i < SOLVER_COUNT; i++)
        if (strlen(SOLVERS[i]->name) == length && memcmp(SOLVERS[i]->name, name, length) == 0)
            return SOLVERS[i];
    return NULL;
}

static bool is_wide(const ts_cost *cost) {
    return cost->operations > MANY_OPERATIONS && cost->operations > WIDE * cost->fill;
}

ts_lu *ts_lu_new(const ts_sparse *A, int groups, const int *group) {
    ts_lu *lu = ts_calloc(1, sizeof *lu);
    ts_linear_equations *e = &lu->e;
    *e = (ts_linear_equations){
        .A = A, .groups = groups, .tolerance = 1e-15, .accuracy = ACCURACY, .threads = 1};
    e->permutation = ts_calloc((size_t)A->n + 1, sizeof *e->permutation);
    if (group) {
        e->group = ts_calloc((size_t)A->n + 1, sizeof *e->group);
        memcpy(e->group, group, (size_t)A->n * sizeof *group);
    }
    if (A->n > 0) ts_order_groups(A, groups, group, e->permutation, &e->cost);
    lu->solver = is_wide(&e->cost) ? &TS_SOLVER_MUMPS : &TS_SOLVER_KLU;
    return lu;
}

ts_lu *ts_lu_new_complex(const ts_sparse *A, int groups, const int *group, double **value) {
    ts_lu *lu = ts_lu_new(A, groups, group);
    *value = lu->e.z = ts_calloc(2 * (size_t)A->nnz + 2, sizeof(double));
    return lu;
}

static void shut(ts_lu *lu) {
    if (lu->own) lu->solver->close(lu->own);
    if (lu->rescuer) TS_SOLVER_MUMPS.close(lu->rescuer);
    lu->own = lu->rescuer = NULL, lu->rescued = false;
}

void ts_lu_threads(ts_lu *lu, int threads) { lu->e.threads = threads > 1 ? threads : 1; }

void ts_lu_approximate(ts_lu *lu, double accuracy, ts_lu_suits suits) {
    double n = lu->e.A->n, operations = lu->e.cost.operations;
    bool thick = operations > MANY_FOR_ITERATIONS && operations > THICK * n * n;
    lu->e.accuracy = accuracy;
    if (suits == TS_LU_LOOSE ? is_wide(&lu->e.cost) : suits == TS_LU_SOLID && thick)
        lu->solver = &TS_SOLVER_KRYLOV;
}

void ts_lu_choose(ts_lu *lu, const char *name) {
    if (!name || !*name || strcmp(name, "auto") == 0) return;
    size_t length = strcspn(name, "/");
    const ts_solver *solver = find(name, length);
    if (!solver) return;
    shut(lu);
    lu->solver = solver;
    lu->e.variant = name[length] ? name + length + 1 : NULL;
}

/* The solver whose factors are in use, and what is its own. */
static const ts_solver *acting(const ts_lu *lu) {
    return lu->rescued ? &TS_SOLVER_MUMPS : lu->solver;
}
static void *own_of(const ts_lu *lu) { return lu->rescued ? lu->rescuer : lu->own; }

const char *ts_lu_solver(const ts_lu *lu) { return acting(lu)->name; }

void ts_lu_pivoting(ts_lu *lu, double tolerance) { lu->e.tolerance = tolerance; }

void ts_lu_watch(ts_lu *lu, ts_lu_times *times) {
    if (lu) lu->times = times;
}

void ts_lu_forget(ts_lu *lu) {
    if (!lu) return;
    lu->rescued = false;
    if (lu->own && lu->solver->forget) lu->solver->forget(lu->own);
}

void ts_lu_free(ts_lu *lu) {
    if (!lu) return;
    shut(lu);
    free(lu->e.permutation), free(lu->e.group), free(lu->e.z);
    free(lu);
}

static double now(const ts_lu *lu) { return lu->times ? ts_wall_time() : 0; }

static void note_factor(ts_lu *lu, bool first, double analysis, double factor) {
    ts_lu_times *t = lu->times;
    t->factor += factor, t->factors++;
    if (first) t->analysis += analysis, t->first += factor, t->firsts++;
    t->fill = acting(lu)->fill(own_of(lu)), t->operations = lu->e.cost.operations;
}

/* By the solver that acts, which is opened when it is first needed. */
static int factor(ts_lu *lu, int *where) {
    const ts_solver *solver = acting(lu);
    void **own = lu->rescued ? &lu->rescuer : &lu->own;
    double start = now(lu);
    bool first = !*own;
    *where = -1;
    if (first) *own = solver->open(&lu->e);
    double opened = now(lu);
    int code = solver->factor(*own, where);
    if (lu->times) note_factor(lu, first, opened - start, now(lu) - opened);
    return code;
}

/* Switches to MUMPS, which factors the present matrix. */
static int rescue(ts_lu *lu, int *where) {
    lu->rescued = true;
    return factor(lu, where);
}

static void note_loss(ts_lu *lu, double start) {
    if (!lu->times) return;
    lu->times->lost += now(lu) - start;
    lu->times->losses++;
}

int ts_lu_factor(ts_lu *lu, int *where) {
    double start = now(lu);
    int code = factor(lu, where);
    if (!code || !acting(lu)->attempt) return code;
    note_loss(lu, start);
    return rescue(lu, where);
}

/* Iterations, and MUMPS where they fail; no numbers where that fails too. */
static void attempt(ts_lu *lu, double *x) {
    int where, n = lu->e.A->n * (lu->e.z ? 2 : 1);
    double start = now(lu), before = lu->solver->iterations(lu->own);
    int code = lu->solver->attempt(lu->own, x);
    if (lu->times) lu->times->iterations += lu->solver->iterations(lu->own) - before;
    if (!code) return;
    note_loss(lu, start);
    if (!rescue(lu, &where))
        TS_SOLVER_MUMPS.solve(lu->rescuer, x);
    else
        for (int i = 0; i < n; i++) x[i] = NAN;
}

void ts_lu_solve(ts_lu *lu, double *x) {
    double start = now(lu);
    if (acting(lu)->attempt)
        attempt(lu, x);
    else
        acting(lu)->solve(own_of(lu), x);
    if (!lu->times) return;
    lu->times->solve += now(lu) - start;
    lu->times->solves++;
}

double ts_lu_fill(const ts_lu *lu) { return own_of(lu) ? acting(lu)->fill(own_of(lu)) : 0; }

void ts_lu_symmetric(ts_lu *lu) {
    shut(lu);
    lu->e.symmetric = true;
    lu->solver = &TS_SOLVER_MUMPS;
}

int ts_lu_negative(const ts_lu *lu) { return own_of(lu) ? acting(lu)->negative(own_of(lu)) : -1; }
