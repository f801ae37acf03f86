/* Inside of a stepper: the fields that schemes work on. Private to src/scheme.
 *
 * i = start of the step, f = end, m = mean of both. Ambient arrays have 3 numbers per slot.
 */
#ifndef TS_STEPPER_H
#define TS_STEPPER_H

#include "step/scheme.h"

enum { TS_MAX_WIDTH = 2 * (6 * TS_MAX_NODES + TS_MAX_FORMS) };

/* One load over the step. */
typedef struct ts_load_step {
    v3 mean, change; /* components: global, or body when it follows */
} ts_load_step;

/* The largest change of volume in an element, see admissible.c; site -1: none. */
typedef struct ts_volume {
    double change;
    int site;
} ts_volume;

/* Start of a step that is being halved, and the end its halves reached. */
typedef struct ts_backup {
    ts_state start, end;
} ts_backup;

struct ts_stepper {
    ts_system *system;
    const ts_model *model;
    const ts_scheme *scheme;
    ts_step_options options;
    double alpha; /* ED: (1 - rho)/(1 + rho) */
    double h, t_i, t_f;
    double load_factor, factor_i, factor_f, t_first,
        t_last;     /* statics: now; over the step asked for, from t_first to t_last */
    double relax;   /* statics: pseudo-mass that holds a step back, see relax.c and linear.h */
    v3 spin, about; /* statics in a rotating frame, see linear.c */
    bool probing;   /* finding the pattern: fields and laws are random */

    /* unknowns */
    v3 *dx;                 /* per node: displacement of the step */
    quat *turn;             /* per node: rotation of the step */
    double *stage;          /* per node: 6 */
    double *lambda, *kappa; /* per model row */

    /* fields that follow from them */
    const double *q_i, *v_i;
    double *dq, *q_f, *q_m, *v_f, *v_m, *a;
    double *F, *Fs;  /* ambient forces of the balance; of the stage */
    double *Ta, *PE; /* tangent of the stage: 27 per node each, see ed.c */

    /* constants of the step */
    double *e_i, *edot_i;   /* per form */
    double *stress;         /* per form: statics, see static.c */
    double *K;              /* stiffness of law sites, for schemes that want it */
    int *K_first;           /* per site */
    double *u_i, *u_f, *du; /* per row: signal at both ends, change of its rate */
    ts_load_step *load;
    double *pressure; /* per pressure: its mean */

    /* equations */
    int n;
    double *R, *delta, *saved, *other;
    double row_scale[4], column_scale[4]; /* of y, stage, lambda, kappa */
    double *regular, *node_regular;       /* per row; per node two: translation, rotation */
    double *row_weight; /* per row: displacement / size of the model, or rotation, per multiplier */
    double *
        row_size; /* per row: its change by a displacement of the size of the model, or by a radian */
    double *dense;                /* one for each thread */
    int threads, *node_element;   /* per node: its element in A */
    struct ts_schedule *schedule; /* of the sites, see threads.c */
    ts_effort *effort;            /* NULL: nobody wants to know */
    ts_sparse *A; /* the exact tangent; made when first needed if there is a short one */
    ts_lu *lu;
    void *own;              /* of the scheme's engine */
    struct ts_short *quick; /* the short tangent of a two-stage scheme, see short.c; NULL: none */
    bool use_quick;         /* the present factorisation is, or the next will be, the short one */
    int patience;           /* steps left before the short tangent is tried again */
    double factored_h;      /* 0: none */
    bool stale;
    bool holding;               /* some nodes are fixed by supports: see held.c */
    int held_sites, *held_site; /* those with such a node */
    ts_seen seen;               /* what the audit of resolution sees of the step last tried; */
    bool looked;                /* it has looked since the step began */
    ts_volume *volume;          /* per element of the schedule */
    double told;                /* the time to be told: along an arc, of the load factor */
    int refused;       /* the measure for which the step last tried was rejected; -1: none */
    int refused_at;    /* node or site */
    double refused_by; /* its value */
    double noise;      /* increments of this size have been found to be round-off */
    int factorisations;
    ts_backup *backup; /* per depth of halving; allocated when first needed */
};

/* The nodes of a site and where their unknowns stand in its dense matrix. */
typedef struct ts_local {
    int slots;   /* of the nodes */
    int vectors; /* what forms are of: these slots, or vectors of them with the weights N */
    const double *N;
    int nodes, nd, rows, stages, width;
    int first[TS_MAX_NODES]; /* local slot of each node's x */
    int node[TS_MAX_NODES];
    int dof[TS_MAX_SLOTS]; /* local unknown of a slot: translation, or rotation for a director */
    int turns
        [TS_MAX_SLOTS]; /* rotations that move a slot: 0 for positions, 3, or 2 for the director of a shell */
} ts_local;

void ts_local_site(const ts_stepper *st, const ts_site *site, ts_local *local);
void ts_local_equations(const ts_stepper *st, const ts_local *local, int first_row, int *eq);

static inline int ts_at_stage(const ts_local *l, int i) { return l->nd + i; }
static inline int ts_at_lambda(const ts_local *l, int r) { return l->stages * l->nd + r; }
static inline int ts_at_kappa(const ts_local *l, int r) { return l->stages * l->nd + l->rows + r; }

/* How ambient rates of each local slot follow from its unknowns: of positions by the identity or, if they are still, not
 * at all; of directors by the columns of X, as many as there are turns. */
typedef struct ts_projector {
    bool still;
    m3 X[TS_MAX_SLOTS];
} ts_projector;

/* d -> psi x d, with the directors of (1 - share) q_m + share q_f. */
void ts_projector_cross(const ts_stepper *st, const ts_local *l, double share, ts_projector *P);
void ts_projector_general(const ts_stepper *st, const ts_local *l, const double *per_node,
                          ts_projector *P); /* 27 per node; positions are still */
void ts_project(const ts_local *l, const ts_projector *P, const double *row,
                double *out); /* out[nd] = row . X */

/* Force and moment on a node, as its equations at R. */
void ts_store_balance(const ts_stepper *st, int node, v3 force, v3 moment, double *R);
/* All that the tangent of ED needs of a site beyond its fields: mean, end, stage; see ed.c. */
typedef struct ts_ed_projectors {
    ts_local l;
    ts_projector Pm, Pf, Pw, Ta, PE;
} ts_ed_projectors;
void ts_ed_projectors_at(const ts_stepper *st, const ts_site *site, ts_ed_projectors *p);
/* Ambient directors of a node as a matrix; a shell's one director is its first column, and the others are zero. */
m3 ts_load_directors(const ts_node *node, const double *slots);
void ts_store_directors(const ts_node *node, m3 D, double *slots);

typedef enum ts_sides { TS_SIDES_BOTH, TS_SIDES_ROW, TS_SIDES_COLUMN } ts_sides;
/* dense[r0 + test, c0 + trial] += factor * sum over the forms of weight * Xtest^T (Hessian of the form) Xtrial */
void ts_add_hessians(const ts_model *model, const ts_site *site, const ts_local *l, ts_sides sides,
                     double factor, const double *weight, const ts_projector *test,
                     const ts_projector *trial, int r0, int c0, double *dense);
/* dense[r0 + i, c0 + j] += left[i] right[j] */
void ts_add_outer(const ts_local *l, const double *left, const double *right, int r0, int c0,
                  double *dense);

/* Elements whose laws are of vectors (vectors.c). K += scale B(test)^T ds B(trial) + half sum stress H of the forms of a site, over its
 * vectors: what a scheme's vector_tangent has to add. */
void ts_vectors_law(const ts_model *model, const ts_site *site, const double *test,
                    const double *trial, const double *ds, double scale, const double *stress,
                    double half, double *K);
/* The dense matrix of such an element; false: it is none, or the scheme does not know of them. */
bool ts_vectors_element(ts_stepper *st, const ts_site *site, int sites, ts_local *l, double *dense);

/* What a law or row law is asked about: over the step, to the forms e_f at its end; at rest, at its end. */
static inline ts_law_step ts_law_over(const ts_stepper *st, const ts_site *site,
                                      const double *e_f) {
    return ts_site_over(st->model, site, st->system->state.memory, st->e_i + site->form, e_f,
                        st->t_i, st->t_f);
}
static inline ts_law_step ts_law_at_end(const ts_stepper *st, const ts_site *site,
                                        const double *e) {
    return ts_site_rest(st->model, site, st->system->state.memory, e, st->t_f);
}
/* The stage of ED at a law that has one of its own; arbitrary numbers where the pattern is sought. */
void ts_stage_of(const ts_stepper *st, const ts_site *site, const double *e_f, const double *edot_f,
                 const double *of_a, ts_stage *out);
void ts_stage_slopes_of(const ts_stepper *st, const ts_site *site, const double *e_f,
                        const double *edot_f, const double *of_a, ts_stage_slopes *out);
/* Responses of a law over the step, or at rest at its end; arbitrary numbers where the pattern is sought. */
void ts_respond(const ts_stepper *st, const ts_site *site, const double *e_f, ts_response *out);
void ts_respond_at_end(const ts_stepper *st, const ts_site *site, const double *e,
                       ts_response *out);
/* A row law over the step. */
static inline void ts_respond_row(const ts_stepper *st, const ts_site *site, const double *e_f,
                                  ts_row_response *out) {
    ts_law_step step = ts_law_over(st, site, e_f);
    site->rowlaw->respond(&step, out);
}

/* M u of one node, slot a. */
static inline v3 ts_mass_times(const ts_node *node, const double *u, int a) {
    v3 p = {0, 0, 0};
    for (int b = 0; b < node->slots; b++)
        if (node->mass[a][b] != 0) p = v3_axpy(node->mass[a][b], v3_load(u + 3 * b), p);
    return p;
}

/* Change of P_m^T F as the node turns: scale * sum (psi x d_f) x F_k, into the rotational block at (r0 + 3, c0 + 3). */
void ts_add_turning(const ts_stepper *st, int node, const double *F, double scale, int r0, int c0,
                    int width, double *dense);

/* P_m^T (2/h^2 M) P_f times h^2/2, of one node, into its dense matrix of one stage. */
void ts_node_inertia(const ts_stepper *st, int node, double *dense);

/* Positions of the end and middle of the step from dx and turn. */
void ts_refresh_positions(ts_stepper *st, int node);
/* Work of the loads by the displacement of the step, of the drives by lambda, and of laws: common to the schemes. */
void ts_exchange_common(ts_stepper *st, ts_exchange *out);

/* Pressures (pressure.c): their values over the step; into F; work; tangent over the unknowns of the nodes. */
void ts_begin_pressures(ts_stepper *st);
void ts_add_pressures(ts_stepper *st);
double ts_pressure_work(const ts_stepper *st);
int ts_pressure_tangent(const ts_stepper *st, int pressure, int *eq,
                        double *dense); /* its width; eq may be NULL */

/* The short tangent of ED (short.c). */
int ts_short_new(struct ts_short **out, ts_stepper *st);
void ts_short_free(struct ts_short *quick);
void ts_short_forget(struct ts_short *quick);
int ts_short_factor(ts_stepper *st);
void ts_short_solve(ts_stepper *st, double *x); /* x = -R on entry, the increment on return */

/* The lu of the short tangent; it lives as long as quick does. */
ts_lu *ts_short_lu(const struct ts_short *quick);

/* How many sites from this one on are one element: those that share its list of nodes. */
int ts_sites_of_element(const ts_model *model, int first);

/* Loops over elements, over sites, and over nodes that move, on st->threads threads, with the same result on any number of
 * them: see threads.c. `scratch` has room for a dense matrix and is the thread's own. */
typedef struct ts_schedule {
    int elements, *site; /* the first site of each, and of none */
    int *order;          /* of the elements, as they are worked on */
    int blocks, *first; /* of each block in `order`; first[blocks]: of those that come one by one */
    int colours, *colour; /* first block of each colour, and of none */
} ts_schedule;
typedef void ts_work(ts_stepper *st, int index, double *scratch);
ts_schedule *ts_schedule_new(const ts_model *model);
void ts_schedule_free(ts_schedule *schedule);
void ts_each_element(ts_stepper *st, ts_work *work);
void ts_each_site(ts_stepper *st, ts_work *work);
void ts_each_node(ts_stepper *st, ts_work *work);

/* Fills all fields with arbitrary numbers to see which entries of the tangent can be non-zero. */
void ts_find_pattern(ts_stepper *st);
void ts_set_regular(ts_stepper *st); /* from the present positions */
/* Finds the pattern of st's scheme and a factorisation for it. */
void ts_build_matrix(ts_stepper *st);
void ts_set_pivoting(ts_stepper *st); /* of its LU */
int *ts_row_groups(const ts_stepper *st,
                   int *groups); /* elimination groups of the unknowns; to be freed */
/* P_m^T M P_f alone, into the node elements of st->A (one stage) */
void ts_each_node_inertia(ts_stepper *st);

int ts_newton(ts_stepper *st, ts_temper temper, int *iterations);
void ts_exact_tangent(ts_stepper *st); /* from now on, for a while */
int ts_factor_exact(ts_stepper *st);
void ts_apply(ts_stepper *st, const double *delta, double factor);
double ts_increment_norm(const ts_stepper *st, const double *delta);
double ts_step_norm(const ts_stepper *st);
/* Statics at a time and load factor: a step that begins, and so far ends, where the state is. */
void ts_begin_at(ts_stepper *st, double t, double factor);
void ts_set_load_factor(ts_stepper *st, double factor);
/* Does the step end with an element inside out or folded (admissible.c)? What to say then, and that the system refused it. */
bool ts_inadmissible(ts_stepper *st);
int ts_fail_inadmissible(ts_stepper *st, double t);
/* Completes st->seen of a step that is accepted. */
void ts_see_step(ts_stepper *st);
void ts_commit(ts_stepper *st);
/* Reactions of fixed nodes (held.c): finds their sites; at the end of a step, before it is committed. */
void ts_held_new(ts_stepper *st);
void ts_store_held(ts_stepper *st);
void ts_add_forces(ts_stepper *st); /* of loads, into F and Fs */
void ts_residual(ts_stepper *st);
void ts_assemble_tangent(ts_stepper *st);

#endif
