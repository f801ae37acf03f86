/* SPDX-License-Identifier: Apache-2.0 */
/* A trial: one run of a model by one scheme with one step size, sampled so that it can be compared
 * with others of the same model.
 *
 * States, forces and invariants are sampled at the same times in all trials, k times an interval
 * that is a multiple of every step. A trial is one piece of memory, filled by one thread.
 */
#ifndef TS_TRIAL_H
#define TS_TRIAL_H

#include "analysis/run.h"

/* What is sampled; the same for all trials of a model. */
typedef struct ts_trial_plan {
    const ts_model *model;
    double interval;          /* between samples, s */
    int samples;              /* at 0, interval, ..., (samples - 1) interval */
    int reactions, *reaction; /* parts: joints, springs, motions */
    int stations, *station;   /* stations of lines */
    int width;                /* numbers of a sample */
} ts_trial_plan;

/* Numbers of a sample besides q, v, reactions and internal forces. */
typedef struct ts_trial_kept {
    double energy;          /* energy created by the scheme (lost: negative), J */
    double linear[3];       /* momentum */
    double angular[3];      /* momentum about the origin */
    double violation, rate; /* violation of constraints: position and velocity */
} ts_trial_kept;

enum { TS_TRIAL_SILENT = 1 }; /* error codes are negative */

typedef struct ts_trial {
    ts_options options;
    char label[160];      /* for tables */
    _Atomic int64_t done; /* steps made; other threads read it while the trial runs */
    int64_t steps, iterations, factorisations, cuts;
    double seconds; /* processor time of its thread, for the steps only */
    double energy_scale, momentum_scale;
    int status; /* 0, or an error code and its message; TS_TRIAL_SILENT: no message yet */
    char message[240];
    int filled; /* samples */
    double sample[];
} ts_trial;

/* Errors against a reference, largest or root mean square over samples and nodes. */
typedef enum ts_measure {
    TS_MEASURE_POSITION,
    TS_MEASURE_ROTATION, /* angle of R^T R_ref */
    TS_MEASURE_VELOCITY,
    TS_MEASURE_FORCE,  /* of joints and springs, and within beams */
    TS_MEASURE_MOMENT, /* of joints and springs, and within beams */
    TS_MEASURES
} ts_measure;
extern const char *const TS_MEASURE_NAME[TS_MEASURES], *const TS_MEASURE_UNIT[TS_MEASURES];

void ts_trial_plan_new(ts_trial_plan *plan, const ts_model *model, double interval, int samples);
void ts_trial_plan_clear(ts_trial_plan *plan);
size_t ts_trial_bytes(const ts_trial_plan *plan);

/* Runs the system, assembled and at t = 0, by the options of the trial. Errors are stored in the
 * trial. */
void ts_trial_run(ts_trial *trial, const ts_trial_plan *plan, ts_system *system);

/* NAN: the model has no such quantity. */
void ts_trial_errors(const ts_trial_plan *plan, const ts_trial *trial, const ts_trial *reference,
                     bool rms, double error[TS_MEASURES]);
const ts_trial_kept *ts_trial_kept_at(const ts_trial_plan *plan, const ts_trial *trial, int sample);

/* The order p for which errors C (h^p - r^p) have the ratio of those at two steps; r is the step of
 * the reference if it is by the same scheme, or 0. NAN: none. */
double ts_observed_order(double coarse, double error_coarse, double fine, double error_fine,
                         double r);

#endif
