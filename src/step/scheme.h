/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes: how one time step is written, and the stepper that solves it.
 *
 * A scheme is one file and one line in the registry. A scheme defines the unknowns of a step
 * (displacements of the end of the step, perhaps a stage; multipliers), and the residual and exact
 * tangent of one site and one node. Everything else, Newton's method, step halving, the ledger, is
 * common to all schemes.
 */
#ifndef TS_SCHEME_H
#define TS_SCHEME_H

#include <signal.h>

#include "math/rotation.h"
#include "sparse/sparse.h"
#include "step/parameters.h"
#include "system/system.h"

typedef struct ts_step ts_step;       /* the fields of a step: step.h */
typedef struct ts_stepper ts_stepper; /* all that makes a step: stepper.h */

/* Works and dissipations of one step. */
typedef struct ts_exchange {
    double work_loads, work_drives, dissipated, algorithmic;
    double rubbed; /* the part dissipated by friction in joints */
} ts_exchange;

/* Adds the work and dissipation of a law over a step. */
static inline void ts_book_law(const ts_law *law, const ts_response *r, ts_exchange *out) {
    out->dissipated += r->dissipated, out->work_loads += r->work;
    if (law->rubs) out->rubbed += r->dissipated;
}

/* Strategy of Newton's method: keep the tangent; a new tangent in every iteration; also damped
 * increments. */
typedef enum ts_temper { TS_BOLD, TS_FULL, TS_CAUTIOUS, TS_TEMPERS } ts_temper;

/* The steps of schemes that do not write their equations site by site (src/study). A scheme without
 * an engine is solved by newton.c. The data of the engine are in st->own. */
typedef struct ts_engine {
    /* 0, or an error with a message: the model or a parameter is refused */
    int (*open)(ts_stepper *st);
    void (*close)(ts_stepper *st);
    void (*forget)(ts_stepper *st);
    int (*initial)(ts_stepper *st); /* before the first step of all: what the scheme remembers */
    int (*solve)(ts_stepper *st, ts_temper temper, int *iterations); /* after the guess */
    void (*finish)(ts_stepper *st, ts_exchange *out); /* fields and works of the solution */
} ts_engine;

typedef struct ts_scheme {
    const char *name, *help;
    const ts_scheme_parameter *parameters; /* ends with name == NULL; NULL: none */

    /* ---- what kind of step it makes ---- */
    int stages;         /* 1: displacements and multipliers; 2: and as many of a stage */
    double mean;        /* derivative of q_m by q_f: 1/2; 1 if everything is evaluated at the end */
    bool in_time;       /* EP, ED: half a turn in a step is refused; continuation in h is tried */
    bool path;          /* of equilibria: the size of a step says nothing of round-off in it */
    bool inertia;       /* inertia is on the diagonal of its tangent: pivots may stay there */
    bool at_end;        /* multipliers are those of the end of a step, not means over it */
    bool stage_means;   /* forces have a stage: see ts_trail_mark */
    bool accelerations; /* st->acceleration of the end of a step becomes state.vdot */
    bool bare;          /* its tangent contains sites and nodes only: no loads, no contacts */

    /* ---- equations, by site and by node; those of an engine are its own ---- */
    void (*units)(double h, double row[4], double column[4]); /* NULL: ts_units_in_time */
    void (*refresh)(ts_step *st, int node); /* ambient fields of a node from its unknowns */
    void (*begin_site)(ts_step *st, const ts_site *site); /* may be NULL */
    void (*site_residual)(ts_step *st, const ts_site *site, double *R);
    void (*node_residual)(ts_step *st, int node, double *R);
    void (*prepare_tangent)(ts_step *st, int node); /* may be NULL */
    void (*site_tangent)(ts_step *st, const ts_site *site, double *dense);
    void (*node_tangent)(ts_step *st, int node, double *dense);
    /* Forces of a law whose forms are of vectors z = N q, added to F over z, from z of the end and
     * of the mean: see vectors.c; or NULL. */
    void (*vector_forces)(ts_step *st, const ts_site *site, const double *z_f, const double *z_m,
                          double *F);
    /* Tangent of such a law, over z; or NULL. */
    void (*vector_tangent)(ts_step *st, const ts_site *site, double *K);
    const struct ts_scheme
        *stand_in; /* a scheme of one stage, whose tangent may replace this one: see short.c */
    /* Called before an increment is applied; may be NULL. */
    void (*follow)(ts_step *st, const double *delta, double factor);
    const ts_engine *engine;             /* NULL: all of the above */
    const struct ts_study_scheme *study; /* data for the engine of src/study */

    /* ---- the end of a step ---- */
    void (*held_residual)(ts_step *st, const ts_site *site, double *R); /* for reactions, held.c */
    void (*exchange)(ts_step *st, ts_exchange *out); /* works of the converged step */
    /* Largest unbalanced force of the converged step, relative to the forces that act, of statics;
     * may be NULL. */
    double (*unbalanced)(ts_stepper *st);
    void (*book)(ts_ledger *ledger); /* corrects the ledger after it is written; may be NULL */
    /* The state at the end of the step by another way than Newton's method, once halving has
     * failed; may be NULL. */
    int (*rescue)(ts_stepper *st, int *iterations);
} ts_scheme;

typedef struct ts_step_options {
    double tolerance; /* of Newton's method; 0: as the energy audit needs it, see exactness.h */
    int max_iterations, max_cuts;
    char solver[16]; /* a name of ts_solver_name; "" or "auto": by the size and kind of the model */
    int threads;     /* for residual and tangent; 0 is 1. Results do not depend on it */
    bool whole;      /* inner unknowns of elements stay in the matrix, see condense.c */
    /* not zero: give the step up, TORSOR_EINTERRUPTED; may be NULL */
    const volatile sig_atomic_t *stop;
    ts_scheme_values parameters; /* of the scheme's own table */
} ts_step_options;

/* Where the time of the steps went, in seconds. */
typedef struct ts_effort {
    double residual, tangent;
    ts_lu_times linear;
} ts_effort;

typedef struct ts_step_result {
    int iterations, cuts, factorisations;
    double unsolved; /* what Newton's method left, as a share of the step */
    double residual; /* statics: largest unbalanced force over the largest that acts */
    bool rescued;    /* the end was found by the scheme's own rescue, see ts_scheme */
} ts_step_result;

int ts_stepper_new(ts_stepper **out, ts_system *system, const ts_scheme *scheme,
                   const ts_step_options *options);
void ts_stepper_free(ts_stepper *st);
/* From now on effort is added up there; NULL: not measured. */
void ts_stepper_watch(ts_stepper *st, ts_effort *effort);
const char *ts_stepper_solver(const ts_stepper *st); /* the linear solver chosen */
int ts_stepper_unknowns(const ts_stepper *st);       /* of the equations that are factored */
/* One step of size h: moves system->state and the ledger. 0; TORSOR_EDIVERGED with a message, and
 * then the state is that of the start of the step. */
int ts_stepper_step(ts_stepper *st, double h, ts_step_result *result);
/* Did the last one fail because Newton's method did not converge? */
bool ts_stepper_lost(const ts_stepper *st);
/* of the next step, in statics */
void ts_stepper_load_factor(ts_stepper *st, double start, double end);
/* Forgets everything that is not in the state, so that a restarted run agrees bit for bit. */
void ts_stepper_forget(ts_stepper *st);

#endif
