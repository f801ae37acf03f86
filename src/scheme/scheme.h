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
#include "system/system.h"

typedef struct ts_stepper ts_stepper;

/* Works and dissipations of one step. */
typedef struct ts_exchange {
    double work_loads, work_drives, dissipated, algorithmic;
} ts_exchange;

/* A parameter of a scheme by its name in `scheme: {...}`: a number within limits, or one of some words. */
typedef struct ts_scheme_parameter {
    const char *name, *help, *fallback;
    double low, high;
    const char *const *choices; /* NULL-terminated; NULL: a number */
} ts_scheme_parameter;

typedef struct ts_scheme {
    const char *name, *help;
    const struct ts_study_scheme
        *study; /* not NULL: a scheme for study, see study.h; stages is 1 */
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
} ts_scheme;

extern const ts_scheme TS_SCHEME_EP, TS_SCHEME_ED, TS_SCHEME_STATIC;
const ts_scheme *ts_scheme_find(const char *name); /* of the time steps */
const char *ts_scheme_name(int index);             /* NULL past the end */
bool ts_scheme_takes_rho(const ts_scheme *scheme); /* rho_inf means something to it */
/* Its multipliers are those of the end of a step, not means over it. */
bool ts_scheme_instantaneous(const ts_scheme *scheme);
/* Its parameter of that name, or NULL; and the place of a word among the choices of one, or -1. */
const ts_scheme_parameter *ts_scheme_parameter_find(const ts_scheme *scheme, const char *name,
                                                    size_t length);
int ts_scheme_choice(const ts_scheme_parameter *parameter, const char *word, size_t length);
/* "name=value" with as many digits as it takes */
void ts_scheme_number_word(char *word, size_t size, const char *name, double value);

typedef struct ts_step_options {
    double rho_inf, tolerance;
    int max_iterations, max_cuts;
    char solver[16]; /* a name of ts_solver_name; "" or "auto": by the size and kind of the model */
    int threads;     /* for residual and tangent; 0 is 1. Results do not depend on it */
    const char
        *parameters; /* "beta=0.3 rotation=cayley": as ts_scheme_parameter; NULL or "": none */
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
/* A path of equilibria of a stepper of statics, with the load factor as an unknown (path.c). Loads are those of time t. */
typedef struct ts_path ts_path;
void ts_path_new(ts_path **out, ts_stepper *st, double t, double factor);
void ts_path_free(ts_path *path);
double ts_path_factor(const ts_path *path);
double ts_path_bend(
    const ts_path *path); /* of the last step: sine of the angle from its tangent to its chord */
typedef struct ts_path_limits {
    double lowest, highest, most; /* load factors; their largest change in one step */
} ts_path_limits;
/* By an arc along the path, made shorter where it would change the load too much, or as far as the load factor stays within
 * limits. 0, or TORSOR_RETRY: a smaller arc may help, and the state is as it was. */
int ts_path_step(ts_path *path, double *arc, const ts_path_limits *limits, ts_step_result *result);
/* Why it went no further, after so many arcs cut in half. */
int ts_path_fail(const ts_path *path, int cuts);
/* Forget everything that is not in the state, so that a run restarted from it goes on bit for bit alike. */
void ts_stepper_forget(ts_stepper *st);

#endif
