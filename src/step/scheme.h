/* Schemes: how one time step is written, and the stepper that solves it.
 *
 * A scheme is one file and one line in the registry. It says what the unknowns of a step are (displacements of the end of
 * the step, perhaps a stage; multipliers), and gives residual and exact tangent of one site and one node. Everything else,
 * Newton, step halving, the ledger, is written once.
 */
#ifndef TS_SCHEME_H
#define TS_SCHEME_H

#include "math/rotation.h"
#include "sparse/sparse.h"
#include "step/parameters.h"
#include "system/system.h"

typedef struct ts_stepper ts_stepper;

/* Works and dissipations of one step. */
typedef struct ts_exchange {
    double work_loads, work_drives, dissipated, algorithmic;
} ts_exchange;

/* How hard Newton's method tries: with the tangent it has; with a new one in every iteration; with increments damped, too. */
typedef enum ts_temper { TS_BOLD, TS_FULL, TS_CAUTIOUS, TS_TEMPERS } ts_temper;

/* The course of a step of schemes that do not write their equations site by site (src/study). A scheme without an engine is
 * solved by newton.c. Each call finds what the engine keeps in st->own. */
typedef struct ts_engine {
    int (*open)(
        ts_stepper *st); /* 0, or an error with a message: the model or a parameter is refused */
    void (*close)(ts_stepper *st);
    void (*forget)(ts_stepper *st);
    int (*initial)(ts_stepper *st); /* before the first step of all: what the scheme remembers */
    int (*solve)(ts_stepper *st, ts_temper temper, int *iterations); /* after the guess */
    void (*finish)(ts_stepper *st, ts_exchange *out); /* fields and works of the solution */
} ts_engine;

typedef struct ts_scheme {
    const char *name, *help;
    const ts_engine *engine;             /* NULL: residual and tangent by site and node, below */
    const struct ts_study_scheme *study; /* what the engine of src/study reads */
    bool takes_rho;                      /* rho_inf means something to it */
    bool at_end;        /* its multipliers are those of the end of a step, not means over it */
    bool accelerations; /* it keeps accelerations of the end of a step in `a` and in state.vdot */
    bool books_rest;    /* what its balance lacks is booked as algorithmic */
    bool stage_means;   /* forces have a stage: see ts_trail_mark */
    const struct ts_scheme *stand_in; /* of one stage, whose tangent may stand in: see short.c */
    void (*held_residual)(ts_stepper *st, const ts_site *site); /* for reactions of fixed nodes */
    const ts_scheme_parameter *parameters; /* ends with name == NULL; NULL: none but rho_inf */
    int stages;   /* 1: displacements and multipliers; 2: and as many of a stage */
    bool statics; /* no inertia; loads are those of the end of the step times its load factor */
    void (*refresh)(ts_stepper *st, int node); /* ambient fields of a node from its unknowns */
    void (*site_residual)(ts_stepper *st, const ts_site *site);
    void (*node_residual)(ts_stepper *st, int node);
    void (*site_tangent)(ts_stepper *st, const ts_site *site, double *dense);
    void (*vector_tangent)(ts_stepper *st, const ts_site *site,
                           double *K); /* of a law of vectors, over these: see vectors.c; or NULL */
    void (*node_tangent)(ts_stepper *st, int node, double *dense);
    void (*prepare_tangent)(ts_stepper *st, int node);       /* may be NULL */
    void (*exchange)(ts_stepper *st, ts_exchange *out);      /* of the converged step */
    void (*begin_site)(ts_stepper *st, const ts_site *site); /* may be NULL */
    void (*follow)(ts_stepper *st, const double *delta,
                   double factor); /* an increment that is about to be applied; may be NULL */
    /* The state at the end of the step by another way than Newton's method, once halving has failed; may be NULL. */
    int (*rescue)(ts_stepper *st, int *iterations);
} ts_scheme;

typedef struct ts_step_options {
    double rho_inf, tolerance;
    int max_iterations, max_cuts;
    char solver[16]; /* a name of ts_solver_name; "" or "auto": by the size and kind of the model */
    int threads;     /* for residual and tangent; 0 is 1. Results do not depend on it */
    ts_scheme_values parameters; /* of the scheme's own table */
} ts_step_options;

/* Where the time of the steps went, in seconds. */
typedef struct ts_effort {
    double residual, tangent;
    ts_lu_times linear;
} ts_effort;

typedef struct ts_step_result {
    int iterations, cuts, factorisations;
} ts_step_result;

int ts_stepper_new(ts_stepper **out, ts_system *system, const ts_scheme *scheme,
                   const ts_step_options *options);
void ts_stepper_free(ts_stepper *st);
/* From now on the effort is added up there; NULL: no longer. */
void ts_stepper_watch(ts_stepper *st, ts_effort *effort);
const char *ts_stepper_solver(const ts_stepper *st); /* the linear solver chosen */
int ts_stepper_unknowns(const ts_stepper *st);       /* of the equations that are factored */
/* One step of size h: moves system->state and the ledger. 0; TORSOR_EDIVERGED with a message, and
 * then the state is that of the start of the step. */
int ts_stepper_step(ts_stepper *st, double h, ts_step_result *result);
void ts_stepper_load_factor(ts_stepper *st, double start,
                            double end); /* of the next step, in statics */
/* Forget everything that is not in the state, so that a run restarted from it goes on bit for bit alike. */
void ts_stepper_forget(ts_stepper *st);

#endif
