/* SPDX-License-Identifier: Apache-2.0 */
/* Newton's method on any set of equations: those of a step, whose matrix is assembled, and those of
 * a study, whose matrix is found by differences. How it judges its increments: judgement.h.
 */
#ifndef TS_NEWTON_H
#define TS_NEWTON_H

#include <stdbool.h>

#include "step/newton/secant.h"
#include "step/scheme.h"

/* The factorisation in use, and how long it is kept. It lives from step to step; a stepper that
 * forgets begins with TS_NO_TANGENT. */
typedef struct ts_tangent {
    bool has_short; /* a cheaper tangent may replace the exact one: see short.c */
    bool use_short; /* the present factorisation is, or the next will be, the short one */
    int patience;   /* steps left before the short tangent is tried again */
    int failed;     /* patience for its next failure; 0: it has worked since the last one */
    double h;       /* size of the step of the present factorisation; 0: there is none */
    bool stale;     /* a new one is due */
    double noise;   /* increments of this size have been found to be round-off */
    double floor;   /* multipliers stopped shrinking at this value, with a new factorisation */
    /* of the present one: what it has cost so far with the iterations by it, in iterations; the
     * steps that it served; how it contracted at once, and at which distance */
    double spent;
    int served;
    double rate, rate_at;
    int anew;  /* steps left that begin with a new one, because none lasts two steps */
    int brief; /* the number of such steps at the next failure; 0: one has lasted since */
} ts_tangent;

/* Uses the exact tangent for some steps from now on, with a new factorisation. */
void ts_exact_tangent(ts_tangent *tangent);
void ts_forget_tangent(ts_tangent *tangent);

/* A tangent and its factorisation, in iterations: 4 for chains and beams, 4 to 7 for meshes
 * (docs/solvers.md). */
static const double TS_RENEWAL = 4;
/* The exact one, where a short one may stand in for it: 28 to 40 for beams. */
static const double TS_EXACT_RENEWAL = 24;

typedef struct ts_newton {
    int n;
    double *R, *delta, *saved, *other; /* room for n numbers each */
    ts_tangent *tangent;
    ts_secant *secant; /* NULL: increments are those of the factorisation */
    double h;          /* of the step */
    double left;       /* result: the error left, as a share of the step; 0 if it is round-off */
    double tolerance, far;
    double renewal; /* what a new factorisation costs, in iterations */
    int max_iterations;
    int most; /* iterations of this attempt; 0: by max_iterations */
    /* a path of equilibria: a new tangent every time, and the step is no measure of round-off */
    bool path;
    /* errors of multipliers left may be the one times (share
     * times the size of the step + their own size) */
    double multiplier_tolerance, step_share;

    /* The equations; `of` is passed to each. */
    void *of;
    void (*residual)(void *of);         /* R, at the present iterate */
    int (*factor)(void *of);            /* the tangent there: short or exact, as tangent says */
    void (*solve)(void *of, double *x); /* by the present factorisation */
    void (*apply)(void *of, const double *delta, double factor);
    double (*increment)(const void *of, const double *delta); /* size of an increment */
    /* The same without variables of first order; NULL: there are none. */
    double (*motion)(const void *of, const double *delta);
    double (*step)(const void *of); /* size of the step so far */
    /* Size of the increment of multipliers, and of themselves. */
    double (*multipliers)(const void *of, const double *delta, double *size);
    /* All may be NULL: are rows as closed as an increment d implies; called before an increment is
     * applied; is the solution not admissible; is the iterate hopeless. */
    bool (*closed)(const void *of, double d);
    void (*follow)(void *of, const double *delta, double factor);
    bool (*refuses)(void *of);
    bool (*astray)(const void *of);
    /* Size of the residual. With it an increment is halved until the residual has decreased: for
     * equations with kinks, whose increments may grow, or cycle. */
    double (*weigh)(const void *of);
    /* With `weigh`, or NULL: chooses the pieces of the equations at an accepted iterate. `near`:
     * the last increment was taken as a whole. True: they changed. */
    bool (*hold)(void *of, bool near);
    double (*share)(const void *of, const double *delta); /* of an increment, that may be taken */
    bool (*stopped)(const void *of);                      /* an interrupt was requested */
} ts_newton;

/* 0, TORSOR_RETRY, or TORSOR_EINTERRUPTED. */
int ts_newton_solve(ts_newton *x, ts_temper temper, int *iterations);

#endif
