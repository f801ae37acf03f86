/* SPDX-License-Identifier: Apache-2.0 */
/* Fixed-pole schemes: motion by screws, and conservative averages of forms over a step. See
 * fixed_pole.c. */
#ifndef TS_FIXED_POLE_H
#define TS_FIXED_POLE_H

#include "study/study.h"

/* From the start of the step to some other configuration: a screw per node, in its axes of the
 * start, about where it was. */
typedef struct ts_screws {
    v6 *v;
    /* ambient: increment, end, mean of start and end, mean on the way */
    double *dq, *q, *q_m, *q_bar;
} ts_screws;

/* Constants of the step, one per node. */
typedef struct ts_pole_node {
    pose H;
    v6 w; /* twist in its own axes */
    ts_inertia I;
} ts_pole_node;

typedef struct ts_pole {
    bool cayley;        /* which map */
    double length;      /* extent of the model */
    ts_pole_node *at;   /* per node */
    bool *internal;     /* per site: its forms know of nothing outside */
    ts_screws to[2];    /* f and j */
    double *W, *Wj;     /* wrenches, six per node: space axes, about where the node was */
    double *lambda, *c; /* per row */
    v6 *u;              /* per node: for the scheme's use */
} ts_pole;

/* Gradients of the forms of one site. */
typedef struct ts_gradient {
    double B[TS_MAX_FORMS][3 * TS_MAX_SLOTS];
    int first[TS_MAX_NODES + 1]; /* local slot of each node */
} ts_gradient;

/* The forms of one site over such a motion: S = e_end - e_start, and what turns weights of the
 * forms into wrenches. */
typedef struct ts_average {
    double S[TS_MAX_FORMS], gap[TS_MAX_FORMS];
    /* gradients at the mean of start and end; otherwise transported ones, and a share of the gap */
    bool middle;
    double share, length;
    v3 origin, centre;
    v6 common;
    v6 v[TS_MAX_NODES];     /* about the origin */
    ts_gradient start, end; /* middle: at the mean, the first */
} ts_average;

extern const char *const TS_POLE_MAPS[]; /* choices of the parameter `map` */
#define TS_POLE_MAP                                                                              \
    {                                                                                            \
        "map", "Screw of a step: exponential, or Cayley's transform", "exp", 0, 0, TS_POLE_MAPS, \
            TS_OWN                                                                               \
    }

void *ts_pole_new(const ts_study *s, size_t head); /* `head` bytes that begin with a ts_pole */
void ts_pole_begin(ts_study *s, ts_pole *p);
v6 ts_pole_guess(const ts_study *s, const ts_pole *p, int node);
void ts_pole_move(ts_study *s, const ts_pole *p, const double *x, int block, ts_screws *to);

void ts_pole_average(const ts_study *s, const ts_pole *p, int site, const ts_screws *to,
                     ts_average *a);
/* W -= sum of weights times averaged gradients; or gradients at the start */
void ts_pole_pull(const ts_study *s, int site, const ts_average *a, const ts_screws *to,
                  const double *weight, double *W);
void ts_pole_pull_at_start(const ts_study *s, int site, const double *weight, double *W);
/* Rates of the forms of a site at the start when every node moves with `u`, screws as above. */
void ts_pole_rates_at_start(const ts_study *s, int site, const v6 *u, double *rate);
/* What multiplies the forms of a row: its multiplier, or that times a discrete gradient (slope at
 * the start if S is NULL). */
void ts_pole_row_weights(const ts_study *s, const ts_site *site, const double *S,
                         const double *lambda, double *weight);
void ts_pole_respond(const ts_study *s, const ts_site *site, const double *S, ts_response *out);

/* Loads: by their mean over the step, or their change times a factor; and gravity. */
void ts_pole_loads(const ts_study *s, const ts_screws *to, double mean, double change, double *W);
void ts_pole_gravity(const ts_study *s, const ts_screws *to, double *W);
double ts_pole_work(const ts_study *s, const ts_pole *p, const ts_screws *to, const double *W);

/* Balance of a node over the motion: (D^-T M w - M w_i)/h - W, in its axes of the start. */
v6 ts_pole_balance(const ts_study *s, const ts_pole *p, int node, const ts_screws *to, v6 w,
                   const double *W);
/* c(q_f, t_f); of non-holonomic rows their average over the step. */
void ts_pole_rows(ts_study *s, const ts_pole *p, const ts_screws *to, double t, double *c);
double ts_pole_drive_rate(const ts_study *s, int row); /* of the row's signal at the start */
void ts_pole_store_twist(const ts_study *s, const ts_screws *to, int node, v6 w, double *v);

#endif
