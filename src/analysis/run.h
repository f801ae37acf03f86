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
    /* stored states from one to the next exact one, see ts_state; 0: as many as make 50 steps */
    int exact_every;
    /* Newton: the error left, relative to the step's own increment; 0: see ts_usual_tolerance */
    double tolerance;
    int max_iterations; /* default 25 */
    bool statics;       /* equilibrium under growing loads in place of motion: t counts the load */
    int settle;      /* transient: increments of load of a static solution to start from; 0: none */
    int max_cuts;    /* how often a step may be halved when it does not converge (default 10) */
    bool arc_length; /* statics along a path over limit points: t is the load factor times t_end */
    int increments;  /* arc length: the first arc brings 1/increments of the load */
    double lowest_load, highest_load; /* load factors at which it ends (defaults: none, 1) */
    bool linear;     /* statics: one linear solution about the drawing, under all of the load */
    double farthest; /* displacement of a node at which it ends; 0: none */
    char solver[16]; /* of the linear equations: "auto" (default) or a name of ts_solver_name */
    int threads;     /* default 1; results do not depend on it */
    double step_tolerance; /* step control: part of the energy ED may take at once; 0: none */
    double step_energy;    /* of this energy at least */
    double min_step;       /* of its substeps; 0: h/1024 */
    bool auto_step;        /* h follows from t_end, see ts_options_auto */
    double max_step;       /* then: h is no longer than this; 0: any */
    double interval;       /* then: of stored states; 0: not given */
    const volatile sig_atomic_t *stop; /* not zero: stop, also within a step; NULL: nobody asks */
} ts_options;

void ts_options_default(ts_options *options);
/* `step: auto`: the longest step, and with an interval how many of them are between stored states;
 * step control, if there is none yet. Step control finds everything else, the first substep by
 * trial. */
void ts_options_auto(ts_options *options);
ts_step_options ts_step_options_of(const ts_options *options);

typedef struct ts_step_report {
    int64_t step;  /* 1 ... */
    int64_t steps; /* planned in all */
    double t, h;
    int iterations;        /* Newton iterations, all substeps and attempts together */
    int cuts;              /* substeps beyond one */
    double violation;      /* largest position constraint violation, m or rad-like */
    double rate_violation; /* likewise of the rates */
    const char *worst;     /* name of the part with the largest violation, or "" */
} ts_step_report;

typedef struct ts_observer {
    void *context;
    /* each returns 0 to go on, anything else to stop the run (TORSOR_EINTERRUPTED to stop
     * quietly) */
    int (*begun)(void *context, const ts_system *system, const ts_options *options);
    /* after every step */
    int (*stepped)(void *context, const ts_system *system, const ts_step_report *report);
    int (*stored)(void *context, const ts_system *system); /* at stored steps, step 0 included */
} ts_observer;

typedef struct ts_summary {
    int64_t steps, iterations, cuts, factorisations;
    double seconds;
    double worst_balance, worst_violation;
    double energy_scale;    /* largest energy seen: what the balance is measured against */
    double energy_noise;    /* what round-off means for energies, see ts_energy_noise */
    double made, made_time; /* largest energy made by the scheme since the start, J; when */
    double tolerance;       /* of each step, as it was asked for; 0: as usual; -1: not known */
    /* what Newton's method left, as a share of each step, added up over the steps */
    double unsolved;
    double residual;  /* statics: largest unbalanced force of all increments over what acts */
    double size, far; /* of the model: ts_system.length and .far */
    int unstable;     /* statics: ways in which the end is unstable; -1: not known */
    /* statics: motions that nothing resists at the end; "": none */
    char free_motions[TS_FREE_WORDS];
    double load_factor;    /* statics: of the last state */
    bool linear;           /* linear statics */
    bool short_of_load;    /* statics: the path ended by `max_points` */
    int jumps;             /* statics: increments that ended by pseudo-time, see relax.c */
    int unknowns, threads; /* of the equations that are factored; on how many they are set up */
    char solver[16];       /* the linear solver chosen */
    ts_effort effort;      /* of larger models; zero of small ones, where a clock would cost */
    ts_audit audit;        /* of resolution */
} ts_summary;

/* The loop, taken apart: for those who want to do something between steps. Goes on from the
 * system's state (step 0, or a state read from a file). The report of a step tells violations only
 * if it is watched. */
typedef struct ts_runner ts_runner;
int ts_runner_new(ts_runner **out, ts_system *system, const ts_options *options);
void ts_runner_free(ts_runner *runner);
int ts_runner_step(ts_runner *runner, bool watched, ts_step_report *report);
bool ts_runner_stores(const ts_runner *runner); /* is the state one to be stored? */
bool ts_runner_ended(const ts_runner *runner);
int ts_runner_stopped(const ts_runner *runner); /* the event that ended it; -1: none */
/* Makes the steps up to this one, of which nothing is told. What the stepper remembers is then what
 * it did in the run that made them first. */
int ts_runner_catch_up(ts_runner *r, int64_t step);
const ts_summary *ts_runner_summary(ts_runner *runner);

/* 0, or why a run that came to its end without a failure did not do what it should: a path that
 * `max_points` ended short of its load. */
int ts_run_complete(const ts_summary *summary, const ts_options *options);

/* Largest violation of the rows of one part at the present state: positions, and rates. */
void ts_violation(const ts_system *system, int part, double *position, double *rate);

/* Brings the loads from nothing to those of t = 0 in `increments` (settle.c): the system is in
 * equilibrium there, at t = 0, and has the velocities that it was given. Notes go to the report;
 * ts_settle makes none. */
int ts_start_static(ts_system *system, const ts_options *options, int increments,
                    ts_assembly_report *report);
int ts_settle(ts_system *system, const ts_options *options, int increments);

/* All steps to t_end. */
int ts_run(ts_system *system, const ts_options *options, const ts_observer *observer,
           ts_summary *summary);

#endif
