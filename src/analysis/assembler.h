/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the initial assembly. Private to src/analysis.
 *
 * Unknowns are spatial: per free node (dx, dpsi), with D <- exp(dpsi) D; for rates (xdot, omega).
 * Every step solves one linear problem, the least change in the mass norm under the linearised
 * rows:
 *
 *     [ W   C^T ] [ delta  ]   [ force ]
 *     [ C   -mu ] [ lambda ] = [ -gap  ]      W = P^T M P,  mu = a small part of the rows'
 *           compliance C W^-1 C^T
 *
 * mu > 0 keeps the matrix quasi-definite (any pivot order works, see stepper.c) however many rows
 * are redundant, and makes the step a Levenberg-Marquardt step.
 */
#ifndef TS_ASSEMBLER_H
#define TS_ASSEMBLER_H

#include "analysis/assembly.h"
#include "sparse/sparse.h"

typedef struct ts_assembler {
    const ts_system *system;
    const ts_model *model;

    int n;       /* unknowns */
    int *dof;    /* first unknown of each node, -1 when fixed */
    double *arm; /* typical lever of each node */
    /* added mass of massless directions, as a part of the node's norm; 0 if there are none */
    double *light;
    double mean_mass;

    /* the pose */
    double *q, *q0; /* ambient coordinates; q0 at the beginning */
    double *memory; /* of laws */
    double *e;      /* forms of row laws at the last accepted pose, to which `memory` belongs */
    double t;

    /* rows at the pose: C by compressed rows */
    int m;
    int *start, *column;
    double *value;
    double *c;          /* violation of each row; zero for rate rows */
    double *drift;      /* dc/dt at fixed q */
    double *scale;      /* scale of a violation: arms for lengths, one for angles */
    double *magnitude;  /* size of the terms that cancel in c */
    double *compliance; /* C W^-1 C^T, diagonal */
    bool *use;          /* rows that are enforced now */
    double *W;          /* 36 per node */

    ts_sparse *A;
    ts_lu *lu;
} ts_assembler;

/* Arguments of laws and signals: the memory of the pose, the inputs of the run. */
static inline ts_past ts_assembler_past(const ts_assembler *as) {
    return (ts_past){as->memory, as->system->state.inputs, NULL};
}
static inline ts_when ts_assembler_when(const ts_assembler *as, double t) {
    return ts_when_of(&as->system->state, t);
}

ts_assembler *ts_assembler_new(const ts_system *system);
void ts_assembler_free(ts_assembler *as);

void ts_assembler_rows(ts_assembler *as);   /* updates everything that depends on q */
void ts_assembler_accept(ts_assembler *as); /* unwraps angles from this pose on */
void ts_assembler_move(ts_assembler *as, const double *delta, double factor); /* q, only */
void ts_assembler_node_inertia(const ts_assembler *as, int node, double light, double *W);
/* Unit mass and inertia of a node: its own mass, or the mean mass where it has none, at its arm. */
void ts_assembler_norm(const ts_assembler *as, int node, double *mass, double *inertia);

/* Factors with W, C and mu * compliance; then solves in place: x = [force; -gap]. */
int ts_assembler_factor(ts_assembler *as, double mu);
void ts_assembler_solve(ts_assembler *as, double *x);

double ts_assembler_row_times(const ts_assembler *as, int row, const double *x);
bool ts_assembler_row_consistent(const ts_assembler *as, int row);
bool ts_assembler_consistent(const ts_assembler *as); /* are all rows in use satisfied within
                                                       * round-off? */
/* Brings the rows in use to zero by least steps. 0, or TORSOR_RETRY with the pose of least
 * violation. */
int ts_assembler_restore(ts_assembler *as, int *iterations);

const char *ts_row_part(const ts_model *model, int row);
const char *ts_row_noun(const ts_model *model, int row); /* "joint" or "motion" */
/* "12 mm", "3 deg" */
void ts_row_gap_words(const ts_assembler *as, int row, double gap, char *text, size_t size);

void ts_assembly_note(ts_assembly_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* redundancy.c: removes redundant rows, with notes; the pose is unchanged. */
int ts_find_redundant(ts_assembler *as, ts_assembly_report *report);
/* redundancy.c: fails with the reason if dependent rows contradict one another at the given
 * pose. */
int ts_find_conflict(ts_assembler *as);
/* redundancy.c: a row in use that depends on others at the pose, up to the tolerance, in words with
 * those others; -1: there is none. */
int ts_find_singular(const ts_assembler *as, double tolerance, char *text, size_t size);
/* assembly.c: the row with the largest error of its rate at the spatial rates s, or -1 if all hold
 * to the tolerance, relative to the rates s and to the given rates s0 */
int ts_worst_rate(const ts_assembler *as, const double *s, const double *s0, double tolerance);
/* assembly.c: (xdot, omega) of each node, from its ambient rates at q; and back, at the pose. */
void ts_spatial_rates(const ts_assembler *as, const double *q, const double *v, double *s);
void ts_store_rates(const ts_assembler *as, const double *s, double *v);
/* assembly.c: s becomes the rates nearest to s0 that the rows in use allow, M (s - s0) + C^T lambda
 * = 0, C s + drift = 0; lambda is zero on entry. Not `touched`: s0 satisfies the rows. */
int ts_solve_rates(ts_assembler *as, const double *s0, double *s, double *lambda, bool *touched);
/* carried.c: notes flexible parts for which the correction of the rates, from s0 to s, acts like an
 * impact. */
void ts_note_blows(const ts_assembler *as, const double *s0, const double *s,
                   ts_assembly_report *report);
/* across.c: adds notes on solids whose elements are much too stiff in bending. */
void ts_note_thickness(const ts_model *model, const double *q, ts_assembly_report *report);
/* massless.c: fails if something can move without resistance of a mass or spring. */
int ts_find_massless(ts_assembler *as);

#endif
