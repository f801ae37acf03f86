/* SPDX-License-Identifier: Apache-2.0 */
/* The transient analysis: the loop over steps, its options and its callbacks. */
#ifndef TS_RUN_H
#define TS_RUN_H

#include "analysis/assembly.h"
#include "analysis/freedom.h"
#include "study/schemes.h"

enum { TS_MOST_THREADS = 256 };

typedef struct ts_options {
    char scheme[24];             /* name in the scheme registry: "ED" (default), "EP", ... */
    ts_scheme_values parameters; /* of the scheme's own table */
    double h, t_end; /* fixed step; the run goes from 0 to t_end in round(t_end/h) steps */
    int store_every; /* steps between stored states (>= 1) */
    /* number of stored states from one exact state to the next, see ts_state; 0: about 50 steps */
    int exact_every;
    /* Newton: the error left, relative to the step's own increment; 0: see ts_usual_tolerance */
    double tolerance;
    int max_iterations; /* default 25 */
    bool statics;       /* equilibrium under growing loads instead of motion: t counts the load */
    int settle;      /* transient: increments of load of a static solution to start from; 0: none */
    int max_cuts;    /* how often a step may be halved when it does not converge (default 10) */
    bool arc_length; /* statics along a path over limit points: t is the load factor times t_end */
    int increments;  /* arc length: the first arc brings 1/increments of the load */
    double lowest_load, highest_load; /* load factors at which it ends (defaults: none, 1) */
    bool linear;     /* statics: one linear solution about the drawing, under all of the load */
    double farthest; /* displacement of a node at which it ends; 0: none */
    char solver[16]; /* of the linear equations: "auto" (default) or a name of ts_solver_name */
    int threads;     /* default 1; results do not depend on it */
    double step_tolerance; /* step control: part of the energy that ED may dissipate in a step; 0:
                            * none */
    double step_energy;    /* step control: refers at least to this energy */
    double min_step;       /* step control: shortest substep; 0: h/1024 */
    bool auto_step;        /* h follows from t_end, see ts_options_auto */
    double max_step;       /* with it: largest h; 0: the usual */
    double interval;       /* with it: interval of stored states; 0: not given */
    const volatile sig_atomic_t *stop; /* not zero: stop, also within a step; NULL: cannot be
                                        * stopped */
} ts_options;

void ts_options_default(ts_options *options);
/* `step: auto`: computes the longest step, and with an interval how many steps lie between stored
 * states; switches step control on. Step control finds everything else, the first substep by
 * trial. */
void ts_options_auto(ts_options *options);
ts_step_options ts_step_options_of(const ts_options *options);

typedef struct ts_step_report {
    int64_t step;  /* 1 ... */
    int64_t steps; /* planned in all */
    double t, h;
    int iterations;        /* Newton iterations, sum over all substeps and attempts */
    int cuts;              /* substeps beyond one */
    double violation;      /* largest position constraint violation, m or rad-like */
    double rate_violation; /* largest violation of the rates */
    const char *worst;     /* name of the part with the largest violation, or "" */
} ts_step_report;

typedef struct ts_observer {
    void *context;
    /* each returns 0 to continue, any other value to stop the run (TORSOR_EINTERRUPTED to stop
     * without a message) */
    int (*begun)(void *context, const ts_system *system, const ts_options *options);
    /* after every step */
    int (*stepped)(void *context, const ts_system *system, const ts_step_report *report);
    int (*stored)(void *context, const ts_system *system); /* at stored steps, step 0 included */
} ts_observer;

typedef struct ts_summary {
    int64_t steps, iterations, cuts, factorisations;
    double seconds;
    double worst_balance, worst_violation;
    double energy_scale;    /* largest energy, the scale of the balance */
    double energy_noise;    /* effect of round-off on energies, see ts_energy_noise */
    double made, made_time; /* largest energy created by the scheme since the start, J; and its
                             * time */
    double tolerance;       /* tolerance of each step as requested; 0: the usual one; -1: unknown */
    /* error that Newton's method left, relative to each step, summed over the steps */
    double unsolved;
    double residual;  /* statics: largest unbalanced force of all increments over what acts */
    double size, far; /* of the model: ts_system.length and .far */
    int unstable;     /* statics: number of instabilities at the end; -1: unknown */
    /* statics: motions that nothing resists at the end; "": none */
    char free_motions[TS_FREE_WORDS];
    double load_factor;    /* statics: of the last state */
    bool linear;           /* linear statics */
    bool short_of_load;    /* statics: the path ended by `max_points` */
    int jumps;             /* statics: increments that ended by pseudo-time, see relax.c */
    int unknowns, threads; /* number of equations that are factored; number of threads that assemble
                            * them */
    char solver[16];       /* the linear solver chosen */
    ts_effort effort;      /* of larger models; zero for small ones, where a clock would cost
                            * time */
    ts_audit audit;        /* of resolution */
} ts_summary;

/* The loop in pieces, for callers that act between steps. Continues from the system's state (step
 * 0, or a state read from a file). The report of a step contains violations only if it is
 * watched. */
typedef struct ts_runner ts_runner;
int ts_runner_new(ts_runner **out, ts_system *system, const ts_options *options);
void ts_runner_free(ts_runner *runner);
int ts_runner_step(ts_runner *runner, bool watched, ts_step_report *report);
bool ts_runner_stores(const ts_runner *runner); /* is the state one to be stored? */
bool ts_runner_ended(const ts_runner *runner);
int ts_runner_stopped(const ts_runner *runner); /* the event that ended it; -1: none */
/* Makes the steps up to this one without callbacks. The stepper then remembers the same as in the
 * run that made them first. */
int ts_runner_catch_up(ts_runner *r, int64_t step);
const ts_summary *ts_runner_summary(ts_runner *runner);

/* dead_point.c: adds the likely cause to the message of a step of size h, from the system's state,
 * that did not converge. Returns TORSOR_EDIVERGED. */
int ts_explain_step(const ts_system *system, double h);

/* 0, or the reason why a run that ended without a failure is incomplete: a path that `max_points`
 * ended before its load. */
int ts_run_complete(const ts_summary *summary, const ts_options *options);

/* Largest violation of the rows of one part at the present state: positions, and rates. */
void ts_violation(const ts_system *system, int part, double *position, double *rate);

/* Raises the loads from zero to those of t = 0 in `increments` (settle.c): the system is in
 * equilibrium there, at t = 0, with the velocities that it was given. Notes go to the report;
 * ts_settle makes none. */
int ts_start_static(ts_system *system, const ts_options *options, int increments,
                    ts_assembly_report *report);
int ts_settle(ts_system *system, const ts_options *options, int increments);

/* All steps to t_end. */
int ts_run(ts_system *system, const ts_options *options, const ts_observer *observer,
           ts_summary *summary);

#endif
