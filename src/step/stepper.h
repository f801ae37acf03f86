/* SPDX-License-Identifier: Apache-2.0 */
/* All that makes a step, in its parts:
 *
 *   ts_step       the fields of the step (step.h)
 *   ts_equations  a scheme's equations over these fields: residual, matrix and factorisation
 *   ts_team       the threads that loop over sites and nodes
 *   ts_history    the last steps, for the predictor (predict.h)
 *   ts_exactness  how accurately a step is solved (exactness.h)
 *   ts_tangent    which factorisation Newton's method uses, and how long (newton.h)
 *   ts_turning    how bodies have turned since that factorisation was made (turning.h)
 *   ts_findings     what is told of a step
 *
 * Private to src/step, src/scheme and src/study.
 */
#ifndef TS_STEPPER_H
#define TS_STEPPER_H

#include "step/equations/condense.h"
#include "step/newton/exactness.h"
#include "step/newton/newton.h"
#include "step/predict.h"
#include "step/step.h"
#include "step/touch.h"
#include "step/turning.h"

/* ---- threads ---- */

/* Returns how many sites, from this one on, belong to one element: those that share its list of
 * nodes. */
int ts_sites_of_element(const ts_model *model, int first);

typedef struct ts_schedule {
    int elements, *site; /* the first site of each element, and one past the last */
    int *order;          /* elements in the order in which they are processed */
    int blocks, *first; /* of each block in `order`; first[blocks]: of those that come one by one */
    int colours, *colour; /* first block of each colour, and of none */
} ts_schedule;
ts_schedule *ts_schedule_new(const ts_model *model);
void ts_schedule_free(ts_schedule *schedule);

/* Runs loops over elements, over sites, and over nodes that move, with the same result on any
 * number of threads: see threads.c. `scratch` has room for a dense matrix and belongs to one
 * thread. */
typedef struct ts_team {
    const ts_system *system;
    int threads;
    double *dense; /* a dense matrix for each thread */
    ts_schedule *schedule;
    int *node_element; /* per node: its element in a matrix, behind those of the sites; -1: none */
} ts_team;
typedef void ts_work(void *context, int index, double *scratch);
void ts_team_new(ts_team *team, const ts_system *system, int threads);
void ts_team_clear(ts_team *team);
void ts_each_element(const ts_team *team, ts_work *work, void *context);
void ts_each_site(const ts_team *team, ts_work *work, void *context);
void ts_each_node(const ts_team *team, ts_work *work, void *context);

/* ---- equations (assemble.c) ---- */

typedef struct ts_equations {
    const ts_scheme *scheme;
    ts_step *step; /* the fields that the equations are written in */
    const ts_team *team;
    int n;
    double *R, *delta, *saved, *other;
    double *regular, *node_regular; /* per row; per node two: translation, rotation */
    double *row_weight; /* per row: displacement / size of the model, or rotation, per multiplier */
    /* per row: its change when a node moves by the size of the model, or turns by a radian */
    double *row_size;
    ts_sparse *A; /* the tangent; NULL until it is needed, if another one replaces it */
    ts_lu *lu;
    bool whole;             /* inner unknowns of elements stay in the matrix */
    ts_condensation *inner; /* of A; NULL: nothing was condensed */
    ts_secant secant;
    double *measure;   /* of increments, in scalar products */
    ts_effort *effort; /* NULL: effort is not measured */
} ts_equations;

void ts_equations_new(ts_equations *eq, const ts_scheme *scheme, ts_step *step,
                      const ts_team *team);
void ts_equations_clear(ts_equations *eq);
void ts_residual(ts_equations *eq);
void ts_assemble_tangent(ts_equations *eq);
int ts_factor_assembled(ts_equations *eq);
/* P_m^T M P_f alone, into the node elements of A (one stage). */
void ts_each_node_inertia(ts_equations *eq);
/* Solves for an increment, by the present factorisation of the tangent; x is -R on entry. Of a
 * complex tangent, in pairs: all of its stiffness is `factor` times what was assembled
 * (condense.c). */
void ts_solve(ts_equations *eq, double *x);
void ts_solve_complex(ts_equations *eq, double *x, const double factor[2]);
/* Finds the pattern of the scheme and a factorisation for it, by this solver. With `z`: of a
 * complex matrix, whose values the caller puts there. */
void ts_build_matrix(ts_equations *eq, const char *solver, double **z);
/* Frees the matrix of the equations; it is built anew when it is needed. */
void ts_drop_matrix(ts_equations *eq);
void ts_find_pattern(ts_equations *eq); /* fills all fields with arbitrary numbers */
void ts_set_pivoting(ts_equations *eq);
void ts_set_regular(ts_equations *eq); /* from the present positions */
/* elimination groups of the unknowns; to be freed */
int *ts_row_groups(const ts_equations *eq, int *groups);

/* ---- reports ---- */

/* The largest change of volume and the largest stretch (TS_STRETCH) in an element, see
 * admissible.c; site -1: none. */
typedef struct ts_volume {
    double change;
    int site;
    double stretch;
    int stretched;
} ts_volume;

typedef struct ts_findings {
    ts_seen seen;      /* what the audit of resolution measures in the step last tried; */
    bool looked;       /* the audit has measured since the step began */
    ts_volume *volume; /* per element of the schedule */
    double *stored;    /* energy per site, if threads compute it; otherwise NULL */
    double told;       /* the time to be printed: along an arc, the load factor */
    int refused;       /* the measure for which the step last tried was rejected; -1: none */
    int refused_at;    /* node or site */
    double refused_by; /* its value */
    bool lost;         /* the requested step failed: no convergence */
    int factorisations;
    double left;               /* by Newton's method in the step last solved, as a share of it */
    double unsolved, residual; /* of all steps committed for the requested step */
} ts_findings;

/* ---- the stepper ---- */

/* The step that was requested; it may be divided into halves. */
typedef struct ts_asked {
    double t_first, t_last;
    double factor_i, factor_f; /* load factors at both ends */
} ts_asked;

/* Sites with nodes that supports fixed, see held.c. */
typedef struct ts_held {
    bool any;
    int count, *site;
} ts_held;

/* Start of a step that is being halved, and the end its halves reached. */
typedef struct ts_backup {
    ts_state start, end;
} ts_backup;

/* Remedies for a step that does not converge, and for each: how often in a row it failed, and how
 * many times it is skipped from now on. */
enum { TS_NEW_TANGENTS, TS_GROWTH, TS_CAUTION, TS_WHOLE_AGAIN, TS_REMEDIES };
typedef struct ts_remedy {
    int vain, skip;
} ts_remedy;

struct ts_stepper {
    ts_system *system;
    const ts_model *model;
    const ts_scheme *scheme;
    ts_step_options options;
    ts_step step;
    ts_team team;
    ts_equations eq;
    bool rough; /* a step on the way to the wanted solution is solved, not the wanted step itself */
    bool variables; /* the model has variables of first order */
    bool frames;    /* all nodes that move are frames */
    ts_remedy remedy[TS_REMEDIES];
    bool hasty;   /* a remedy was skipped in this step */
    bool softens; /* the last step with contacts was solved by softening them first */
    ts_tangent tangent;
    ts_turning turning;
    ts_history history;
    ts_exactness exactness;
    struct ts_short *quick; /* the short tangent of a two-stage scheme, see short.c; NULL: none */
    void *own;              /* of the scheme's engine */
    ts_asked asked;
    ts_held held;
    ts_findings report;
    double largest_mass; /* of a node */
    ts_state whole;      /* start of a step that is divided to resolve impacts, to return to */
    ts_backup *backup;   /* per depth of halving; allocated when first needed */
};

/* The short tangent of ED (short.c). */
int ts_short_new(struct ts_short **out, ts_stepper *st);
void ts_short_free(struct ts_short *quick);
void ts_short_watch(struct ts_short *quick, ts_effort *effort);
int ts_short_factor(struct ts_short *quick, const ts_step *st);
/* x = -R on entry, the increment on return. Call before the solution: what f2 makes of -R. */
void ts_short_turn_stage(const struct ts_short *quick, const ts_step *st, double *x);
void ts_short_solve(struct ts_short *quick, const ts_step *st, double *x);
ts_lu *ts_short_lu(const struct ts_short *quick); /* it lives as long as quick does */
const ts_equations *ts_short_equations(const struct ts_short *quick);

static inline bool ts_stopped(const ts_stepper *st) {
    return st->options.stop && __atomic_load_n(st->options.stop, __ATOMIC_RELAXED);
}
/* The predictor (predict.c): sets the unknowns of a step that has begun; records a step that was
 * accepted. */
void ts_predict(ts_stepper *st, ts_guess from);
void ts_remember_step(ts_stepper *st);
static inline double ts_step_tolerance(const ts_stepper *st) {
    if (st->options.tolerance > 0) return st->options.tolerance;
    if (!st->scheme->in_time) return TS_TIGHTEST; /* equilibria are solved to the last digits */
    const ts_system *system = st->system;
    return ts_usual_tolerance(&st->exactness, system->ledger.balance, system->state.largest_energy,
                              system->state.step);
}
/* Newton's method on the equations of the stepper (solve.c), and the measures of its increments. */
int ts_solve_step(ts_stepper *st, ts_temper temper, int *iterations);
/* Do the equations have kinks, from contacts? And the size of their residual. */
bool ts_has_kinks(const ts_stepper *st);
double ts_residual_weight(const ts_stepper *st);
void ts_apply(ts_stepper *st, const double *delta, double factor);
double ts_increment_norm(const ts_stepper *st, const double *delta);
double ts_step_norm(const ts_stepper *st);
int ts_factor_exact(ts_stepper *st);
/* Statics at a given time and load factor: begins a step that starts and so far also ends at the
 * state. */
void ts_begin_at(ts_stepper *st, double t, double factor);
void ts_set_load_factor(ts_stepper *st, double factor);
/* Does the step end with an inverted or folded element (admissible.c)? Then sets the message, and
 * records that the step was refused. */
bool ts_inadmissible(ts_stepper *st);
int ts_fail_inadmissible(ts_stepper *st, double t);
/* Describes the equation with the largest residual; returns its part. */
const char *ts_worst_residual(const ts_stepper *st, char *text, size_t size);
/* Completes the report of a step that is accepted. */
void ts_see_step(ts_stepper *st);
void ts_commit(ts_stepper *st);
void ts_forget_remedies(ts_stepper *st);
/* Sliding parts (slide.c): chooses the windows of a step that begins; 0, or an error: a part has
 * slid off its path. */
void ts_slides_begin(ts_stepper *st);
int ts_slides_check(const ts_stepper *st);
bool ts_slides_refuse(const ts_stepper *st);
/* Would a sliding part leave its window at its present speed? Then the step must be halved. */
bool ts_slides_far(const ts_stepper *st, double h);
/* Reactions of fixed nodes (held.c): finds their sites; at the end of a step, before it is
 * committed. */
void ts_held_new(ts_stepper *st);
void ts_store_held(ts_stepper *st);

#endif
