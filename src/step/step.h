/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a step: all that the callbacks of schemes read and write, and what they share.
 *
 * i = start of the step, f = end, m = mean of both. Ambient arrays have 3 numbers per slot. Several
 * sets of equations may be over the same fields: ED's, and EP's for the short tangent (stepper.h).
 */
#ifndef TS_STEP_H
#define TS_STEP_H

#include <math.h>

#include "step/scheme.h"

enum { TS_MAX_WIDTH = 2 * (6 * TS_MAX_NODES + TS_MAX_FORMS) };

/* One load over the step. */
typedef struct ts_load_step {
    v3 mean, change; /* components: global, or body when it follows */
} ts_load_step;

/* Additional data of statics. */
typedef struct ts_statics {
    double relax;       /* pseudo-mass that limits the increment, see relax.c and linear.h */
    v3 spin, about;     /* of a rotating frame, see linear.c */
    double *relief;     /* forces of preloads as drawn, see static_work.c; NULL: none */
    double *pull;       /* external forces of the last state; NULL: works are not counted */
    double load_before; /* load factor of the last state */
    /* per form: the stress that the last increment was predicted to cause, see static.c */
    double *stress;
    /* ambient: the forces of that stress less those present, for the tangent of nodes */
    double *force;
} ts_statics;

/* Selects the terms of the tangent that a scheme adds. Existing forces turn with the nodes: that is
 * the geometric part, which schemes of two stages see in one stage only (short.c). Rows and their
 * multipliers belong to the geometric part. Elements whose nodes do not turn belong to the material
 * part as a whole. */
typedef enum ts_tangent_part { TS_WHOLE, TS_MATERIAL, TS_GEOMETRIC, TS_NO_PART } ts_tangent_part;

struct ts_step {
    ts_system *system;
    const ts_model *model;
    double alpha; /* ED: (1 - rho)/(1 + rho) */
    double mean;  /* as the scheme has it */
    double h, t_i, t_f;
    double load_factor; /* on loads and gravity: 1, but in statics */
    /* > 0: an equilibrium at the start of a run. Loads that jump at t_f, or within this time of it,
     * have their values before the jump. Halves of a step end elsewhere, so it is not a multiple of
     * h. */
    double before;
    /* units of equations and unknowns: y, stage, lambda, kappa */
    double row_scale[4], column_scale[4];
    bool probing; /* the pattern is being found: fields and laws return arbitrary numbers */
    ts_tangent_part part;

    /* unknowns */
    v3 *dx;                 /* per node: displacement of the step */
    quat *turn;             /* per node: rotation of the step */
    double *stage;          /* per node: 6 */
    double *lambda, *kappa; /* per model row */

    /* ambient fields that follow from them */
    const double *q_i, *v_i; /* the state's */
    double *dq, *q_f, *q_m, *v_f, *v_m;
    double *a;            /* jump of the velocity in schemes of two stages; NULL: there is none */
    double *acceleration; /* of the end, in schemes that keep it; NULL: there is none */
    double *F, *Fs;       /* forces of the balance; of the stage, where there is one */
    double *Ta, *PE;      /* tangent of the stage: 27 per node each, see ed.c */

    /* constants of the step */
    double *e_i, *edot_i;   /* per form */
    double *K;              /* stiffness of law sites, for schemes that want it */
    int *K_first;           /* per site */
    double *u_i, *u_f, *du; /* per row: signal at both ends, change of its rate */
    ts_load_step *load;
    double *pressure;             /* per pressure: its mean */
    struct ts_contacts *contacts; /* shapes that touch (touch.h); NULL: none may */
    ts_statics statics;
};

/* Describes the time of the step at which a signal is evaluated. */
static inline ts_when ts_step_when(const ts_step *st, double t) {
    return ts_when_of(&st->system->state, t);
}

/* How near to an end of the step a corner or jump of a signal counts as being at that end. */
static inline double ts_step_near(const ts_step *st) {
    return 1e-9 * st->h + 1e-15 * fabs(st->t_f);
}
/* Value of a signal (-1: zero) at an end of the step, inside the step where it jumps there.
 * An equilibrium takes the value after the jump, one that a run starts from the value before. */
static inline double ts_value_of_side(const ts_step *st, int signal, double t, double near) {
    if (signal < 0) return 0;
    double side = st->mean < 1 ? near : -st->before;
    return ts_signal_value_side(&st->model->signals[signal], ts_step_when(st, t), side);
}

/* Fields for a scheme, all zero. */
void ts_step_new(ts_step *st, ts_system *system, const ts_scheme *scheme, double rho_inf);
void ts_step_clear(ts_step *st);

/* z = s a + t b over some slots. */
TS_FOR_SLOTS void ts_slots_combine(int slots, double s, const double *a, double t, const double *b,
                                   double *restrict z) {
    for (int i = 0; i < 3 * slots; i++) z[i] = s * a[i] + t * b[i];
}

/* z += t b */
TS_FOR_SLOTS void ts_slots_add(int slots, double t, const double *b, double *restrict z) {
    for (int i = 0; i < 3 * slots; i++) z[i] += t * b[i];
}

/* The nodes of a site and where their unknowns stand in its dense matrix. */
typedef struct ts_local {
    int slots;   /* of the nodes */
    int vectors; /* what forms are of: these slots, or vectors of them with the weights N */
    const double *N;
    int first_row; /* of the rows, its own or those that its law reads */
    int nodes, nd, rows, stages, width;
    int first[TS_MAX_NODES]; /* local slot of each node's x */
    int node[TS_MAX_NODES];
    int dof[TS_MAX_SLOTS]; /* local unknown of a slot: translation, or rotation for a director */
    /* rotations that move a slot: 0 for positions, 3, or 2 for the director of a shell */
    int turns[TS_MAX_SLOTS];
} ts_local;

/* `stages` are those of the scheme whose equations are meant. */
void ts_local_site(const ts_model *model, const ts_site *site, int stages, ts_local *local);
void ts_local_equations(const ts_step *st, const ts_local *local, int *eq);

static inline int ts_at_stage(const ts_local *l, int i) { return l->nd + i; }
static inline int ts_at_lambda(const ts_local *l, int r) { return l->stages * l->nd + r; }
static inline int ts_at_kappa(const ts_local *l, int r) { return l->stages * l->nd + l->rows + r; }

/* How ambient rates of each local slot follow from its unknowns: of positions by the identity or,
 * if they are still, not at all; of directors by the columns of X, as many as there are turns. */
typedef struct ts_projector {
    bool still;
    m3 X[TS_MAX_SLOTS];
} ts_projector;

/* Derivative of d -> psi x d, with the directors of (1 - share) q_m + share q_f. */
void ts_projector_cross(const ts_step *st, const ts_local *l, double share, ts_projector *P);
/* 27 per node; positions are still */
void ts_projector_general(const ts_step *st, const ts_local *l, const double *per_node,
                          ts_projector *P);
/* out[nd] = row . X */
void ts_project(const ts_local *l, const ts_projector *P, const double *row, double *out);

/* Force and moment on a node, as its equations at R. */
void ts_store_balance(const ts_step *st, int node, v3 force, v3 moment, double *R);
/* All that the tangent of ED needs of a site beyond its fields: mean, end, stage; see ed.c. */
typedef struct ts_ed_projectors {
    ts_local l;
    ts_projector Pm, Pf, Pw, Ta, PE;
} ts_ed_projectors;
void ts_ed_projectors_at(const ts_step *st, const ts_site *site, ts_ed_projectors *p);
/* Ambient directors of a node as a matrix; the director of a shell is its first column, and the
 * others are zero. */
static inline m3 ts_load_directors(const ts_node *node, const double *slots) {
    if (node->kind == TS_NODE_FRAME) return m3_load(slots + 3);
    v3 none = {0, 0, 0};
    return m3_cols(node->kind == TS_NODE_POINT ? none : v3_load(slots + 3), none, none);
}
/* The moment of a load, of this mean, on its node with these slots. One director d is turned by the
 * part normal to it. */
v3 ts_load_moment(const ts_node *node, const ts_load *load, v3 mean, const double *slots);
static inline void ts_store_directors(const ts_node *node, m3 D, double *slots) {
    if (node->kind == TS_NODE_FRAME) m3_store(slots + 3, D);
    if (node->kind == TS_NODE_DIRECTOR) v3_store(slots + 3, D.c[0]);
}

/* A block of the dense matrix of a site: how the forces on its nodes, by virtual motions `test`,
 * change as its nodes move by `trial`. */
typedef struct ts_tangent_block {
    const ts_local *l;
    const ts_projector *test, *trial;
    double *at; /* its first entry; rows are l->width apart */
} ts_tangent_block;
/* The block whose first entry stands in row r and column c. */
static inline ts_tangent_block ts_tangent_block_at(const ts_local *l, const ts_projector *test,
                                                   const ts_projector *trial, int r, int c,
                                                   double *dense) {
    return (ts_tangent_block){l, test, trial, dense + r * l->width + c};
}

typedef enum ts_sides { TS_SIDES_BOTH, TS_SIDES_ROW, TS_SIDES_COLUMN } ts_sides;
/* block += factor * sum over the forms of weight * Xtest^T (Hessian of the form) Xtrial */
void ts_add_hessians(const ts_model *model, const ts_site *site, ts_sides sides, double factor,
                     const double *weight, const ts_tangent_block *block);
/* dense[r0 + i, c0 + j] += left[i] right[j] */
void ts_add_outer(const ts_local *l, const double *left, const double *right, int r0, int c0,
                  double *dense);

/* The stiffness of a law as it enters the tangent of a scheme: material, by the slope ds of its
 * stress between gradients at two configurations, and geometric, by its stress. */
typedef struct ts_stiffness {
    const double *test, *trial; /* configurations of the virtual and of the true motion */
    const double *ds, *stress;
    double material, geometric; /* factors */
} ts_stiffness;
/* Elements whose laws are of vectors (vectors.c). K += material B(test)^T ds B(trial) + geometric
 * sum stress H of the forms of a site, over its vectors: what a scheme's vector_tangent adds. */
void ts_vectors_law(const ts_model *model, const ts_site *site, const ts_stiffness *x, double *K);
/* Adds the forces of such an element to st->F; false: the element has no vectors, or the scheme
 * does not support them. */
bool ts_vectors_residual(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites);
/* Computes the dense matrix of such an element; false: the element has no vectors, or the scheme
 * does not support them. */
bool ts_vectors_element(ts_step *st, const ts_scheme *scheme, const ts_site *site, int sites,
                        ts_local *l, double *dense);

/* Selects the part of the tangent for one element from the part requested for all. */
ts_tangent_part ts_part_of(const ts_step *st, const ts_site *site);

/* Arguments of a law or row law: over the step, with the forms e_f at its end; at rest, there. */
static inline ts_past ts_step_past(const ts_step *st) {
    return (ts_past){st->system->state.memory, st->system->state.inputs, st->lambda};
}
static inline ts_law_step ts_law_over(const ts_step *st, const ts_site *site, const double *e_f) {
    ts_law_step step = ts_site_over(st->model, site, ts_step_past(st), st->e_i + site->form, e_f,
                                    st->t_i, st->t_f);
    step.before = st->before;
    return step;
}
static inline ts_law_step ts_law_at_end(const ts_step *st, const ts_site *site, const double *e) {
    ts_law_step step = ts_site_rest(st->model, site, ts_step_past(st), e, st->t_f);
    step.before = st->before;
    return step;
}
/* The stage of ED for a law that has a stage of its own; arbitrary numbers while the pattern is
 * sought. */
void ts_stage_of(const ts_step *st, const ts_site *site, const double *e_f, const double *edot_f,
                 const double *of_a, ts_stage *out);
double ts_stage_loss_of(const ts_step *st, const ts_site *site, const double *e_f,
                        const double *edot_f, const double *of_a);
void ts_stage_slopes_of(const ts_step *st, const ts_site *site, const double *e_f,
                        const double *edot_f, const double *of_a, ts_stage_slopes *out);
/* Responses of a law over the step, or at rest at its end; arbitrary numbers where the pattern is
 * sought. */
void ts_respond(const ts_step *st, const ts_site *site, const double *e_f, ts_response *out);
void ts_respond_at_end(const ts_step *st, const ts_site *site, const double *e, ts_response *out);
/* Columns of the multipliers that a law reads, test_j (d s_j / d lambda_r); test: a row of 6
 * TS_MAX_NODES numbers for each form, over the unknowns. */
void ts_add_reads(const ts_step *st, const ts_local *l, const ts_site *site,
                  const ts_law_step *step, const double *test, double *dense);
/* Returns arbitrary numbers while the pattern is sought. */
void ts_random_row(int forms, ts_row_response *out, ts_row_zeta *zeta);
/* A row law over the step. */
static inline void ts_respond_row(const ts_step *st, const ts_site *site, const double *e_f,
                                  ts_row_response *out) {
    ts_law_step step = ts_law_over(st, site, e_f);
    site->rowlaw->respond(&step, out);
    if (st->probing && site->rowlaw->pieces) ts_random_row(site->forms, out, NULL);
}

/* M u of one node, slot a. */
static inline v3 ts_mass_times(const ts_node *node, const double *u, int a) {
    v3 p = {0, 0, 0};
    for (int b = 0; b < node->slots; b++)
        if (node->mass[a][b] != 0) p = v3_axpy(node->mass[a][b], v3_load(u + 3 * b), p);
    return p;
}

/* Change of P_m^T F as the node turns: scale * sum (psi x d_f) x F_k, into the rotational block at
 * (r0 + 3, c0 + 3). */
void ts_add_turning(const ts_step *st, int node, const double *F, double scale, int r0, int c0,
                    int width, double *dense);

/* P_m^T (2/h^2 M) P_f times h^2/2, of one node, into its dense matrix of one stage. */
void ts_node_inertia(const ts_step *st, int node, double *dense);

/* Positions of the end and middle of the step from dx and turn. */
void ts_refresh_positions(ts_step *st, int node);
/* Work of the loads by the displacement of the step, of the drives by lambda, and of laws: the same
 * for all schemes. */
void ts_exchange_common(ts_step *st, ts_exchange *out);

/* Pressures (pressure.c): their values over the step; into F; work; tangent over the unknowns of
 * the nodes. */
void ts_begin_pressures(ts_step *st);
void ts_add_pressures(ts_step *st);
double ts_pressure_work(const ts_step *st);
/* its width; eq may be NULL */
int ts_pressure_tangent(const ts_step *st, int pressure, int *eq, double *dense);

/* Positions of the end and middle of a step of a node that does not move. */
void ts_refresh_fixed(ts_step *st, int node);
void ts_add_forces(ts_step *st); /* of loads, into F and Fs */
/* Units of schemes of one and of two stages: the balance times h^2/2, multipliers in 2/h^2. */
void ts_units_in_time(double h, double row[4], double column[4]);

#endif
