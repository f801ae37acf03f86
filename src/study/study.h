/* SPDX-License-Identifier: Apache-2.0 */
/* Schemes for study: the papers' other schemes and the classical ones, written as they are printed.
 *
 * A production scheme (scheme.h) gives residual and exact tangent of one site. A scheme for study
 * gives the residual of the whole step, once; the engine finds its matrix by coloured differences,
 * solves it to round-off, halves it when it must, and keeps the books. It costs some ten to a
 * hundred residuals for a new matrix. That is the only price.
 *
 * What a scheme says: one file with a `ts_study_scheme`, a `ts_scheme` that names it, one line in
 * list.c.
 *
 * Unknowns of a step. `node_blocks` blocks of unknowns per free node, `row_blocks` blocks of
 * multipliers, set by `start` (a Runge-Kutta method of 3 stages: 3 and 3). Equations are numbered
 * alike: block b of node n at ts_block(s, x, b, n), six numbers of a frame, three of a point; row r
 * of block b at ts_multiplier(s, x, b, r). The numbers of a node are lengths and angles: a stage
 * velocity is to be counted as v h, an acceleration as a h^2, so that one scale serves all.
 * Equations may have any unit, the same for all numbers of a kind. Multipliers are those of EP: the
 * force on the nodes is -C^T lambda.
 *
 *   start     once per stepper: parameters (ts_study_number, ts_study_choice), block numbers,
 *             refusals, tables in s->own
 *   initial   before step 1 only: what the scheme remembers, at t = 0 (ts_initial_accelerations)
 *   begin     of a step: h, t_i, t_f, q_i, v_i, e_i, u_f, load[] of s->st are set; derive what
 *             stays constant
 *   guess     first iterate; by default block 0 holds displacement and rotation vector of
 *             s->st->dx, turn, row block 0 lambda
 *   residual  R(x). A function of x and what `begin` left, of nothing else; each block of R is
 *             preset to zero
 *   finish    at the solution: q_f, v_f, lambda, kappa of s->st, perhaps `acceleration` (ambient);
 *             works into the exchange
 *
 * Structure: the residual of a node or row may depend on unknowns of the nodes and rows of the
 * sites it belongs to, on all their blocks, and on nothing else. Everything that is a sum over
 * sites, projected node by node, is of this kind.
 *
 * Memory between steps. Only the state (system.h) lives on, because only it is stored in results
 * files: q, v, vdot, lambda, kappa, memory of laws. A scheme for study owns vdot (3 numbers per
 * slot: 12 of a frame, 3 of a point) and kappa. Put there what is an acceleration and a multiplier,
 * and restarts are bit for bit alike; anything else has to be derived in `begin`. Do not keep
 * anything in s->own from one step to the next. `vdot` also serves the guess.
 *
 * Books. `finish` adds the works: ts_study_works(s, out) does for all who take loads at their mean.
 * With `book` of its ts_scheme set to ts_book_rest, what then is missing in the balance is counted
 * as dissipated by the scheme: energy lost (positive) or created (negative) by the scheme. The
 * balance is then always zero; the audit uses the largest energy created (analysis/judge.c). A
 * scheme that preserves energy must not set it.
 *
 * Precision. Unknowns are increments of the step, not positions: 2 (q_f - q_i)/h loses no digits
 * then. Take q_f - q_i of a rotation from quat_increment, not by subtraction. Rows by ts_rows_at
 * come as c(q_i) plus the increment.
 */
#ifndef TS_STUDY_H
#define TS_STUDY_H

#include "math/se3.h"
#include "scheme/static.h"
#include "study/schemes.h"

typedef struct ts_study ts_study;

typedef struct ts_study_scheme {
    const char *keeps;         /* one line: what it preserves */
    const char *source;        /* where it is printed */
    bool no_rates;             /* cannot take non-holonomic rows */
    bool no_points;            /* cannot take point nodes */
    int (*start)(ts_study *s); /* 0, or TORSOR_EINVAL with a message; may be NULL: one block each */
    int (*initial)(ts_study *s);           /* 0, or an error with a message; may be NULL */
    void (*begin)(ts_study *s);            /* may be NULL */
    void (*guess)(ts_study *s, double *x); /* may be NULL */
    void (*residual)(ts_study *s, const double *x, double *R);
    void (*finish)(ts_study *s, const double *x, ts_exchange *out);
} ts_study_scheme;

struct ts_study {
    ts_stepper *stepper;
    ts_step *st; /* its fields */
    const ts_study_scheme *scheme;
    int node_blocks, row_blocks, n;
    void *own;     /* of the scheme: one piece of memory by ts_calloc, freed by the engine */
    double *x, *R; /* unknowns and equations */
    double *delta, *saved, *other;
    double *F, *W; /* work space of ts_wrenches_at: ambient, 6 per node */
    double *c;     /* work space of ts_wrenches_at: one per model row */
    /* Forces at the start of the step are those before it, where they jump: alpha_initial.c. */
    bool arriving;
    struct ts_differences *matrix;
    ts_tangent tangent;
};

/* ---- unknowns and equations; `x` may be either ---- */
static inline bool ts_is_free(const ts_study *s, int n) { return s->st->system->node_dof[n] >= 0; }
static inline bool ts_is_frame(const ts_study *s, int n) {
    return s->st->model->nodes[n].kind == TS_NODE_FRAME;
}
static inline double *ts_block(const ts_study *s, double *x, int block, int n) { /* n is free */
    return x + block * s->st->system->dofs + s->st->system->node_dof[n];
}
static inline v6 ts_load_block(const ts_study *s, const double *x, int block, int n) {
    const double *p = x + block * s->st->system->dofs + s->st->system->node_dof[n];
    return ts_is_frame(s, n) ? v6_load(p) : v6_make(v3_load(p), v3_make(0, 0, 0));
}
static inline void ts_store_block(const ts_study *s, double *x, int block, int n, v6 value) {
    double *p = ts_block(s, x, block, n);
    v3_store(p, value.v);
    if (ts_is_frame(s, n)) v3_store(p + 3, value.w);
}
/* -1: the row is redundant and has no equation */
static inline int ts_row_at(const ts_study *s, int block, int row) {
    int eq = s->st->system->row_eq[row];
    return eq < 0 ? -1 : s->node_blocks * s->st->system->dofs + block * s->st->system->rows + eq;
}
/* All multipliers of a block, per model row; redundant ones are zero. And equations back. */
void ts_load_multipliers(const ts_study *s, const double *x, int block, double *lambda);
void ts_store_rows(const ts_study *s, double *R, int block, const double *c);

/* ---- parameters: `scheme: {name: ..., beta: 0.3}` ---- */
double ts_study_number(const ts_study *s, const char *name, double fallback);
bool ts_study_given(const ts_study *s, const char *name);
/* Index of the word in the list of choices of the scheme's table; the first when it was not
 * given. */
int ts_study_choice(const ts_study *s, const char *name);

/* nodes: ambient arrays and poses, twists. A point has R = 1 and w = 0. Space axes throughout. */
pose ts_pose_of(const ts_study *s, const double *q, int n);
void ts_put_pose(const ts_study *s, int n, pose H, double *q);
v6 ts_twist_of(const ts_study *s, const double *q, const double *v, int n); /* (x', omega) */
void ts_put_twist(const ts_study *s, int n, const double *q, v6 twist, double *v);
/* Ambient accelerations x'', d'' = alpha x d + omega x (omega x d) from (x'', alpha), and (x'',
 * alpha) back. */
void ts_put_acceleration(const ts_study *s, int n, const double *q, v6 twist, v6 acceleration,
                         double *vdot);
v6 ts_acceleration_of(const ts_study *s, const double *q, const double *vdot, int n);
/* Fixed nodes, copied: q from q_i, v zero. Call once per configuration made. */
void ts_put_fixed(const ts_study *s, double *q, double *v);
/* A node moved by dx and turned over the step: its dq, q_f and q_m of s->st. */
void ts_put_step(const ts_study *s, int n, v3 dx, quat turn);
/* Schemes with one block, displacement and rotation of the step: fixed nodes and multipliers, and
 * `node` for each free one, which calls ts_put_step and sets v_f. */
void ts_refresh_step(ts_study *s, const double *x, void (*node)(ts_study *s, int n, v6 step));

/* ---- inertia of a node in body axes, about the node ---- */
typedef struct ts_inertia {
    double m;
    v3 c; /* centre of mass */
    m3 J;
} ts_inertia;
ts_inertia ts_inertia_of(const ts_node *node);
/* M twist = (m (v + w x c), m c x v + J w): all in one frame, here the body's, or any with c and J
 * turned into it */
v6 ts_inertia_times(const ts_inertia *I, v6 twist);
ts_inertia ts_inertia_turned(const ts_inertia *I, m3 R); /* into space axes, still about the node */
/* m (a + alpha x c + w x (w x c)), m c x a + J alpha + w x J w: what the wrench about the node must
 * be */
v6 ts_inertia_wrench(const ts_inertia *I, v6 twist, v6 acceleration);

/* ---- forces ---- */
/* Ambient forces on the nodes, added to F: laws and, unless lambda is NULL, rows. _at: laws as
 * functions of configuration and rates at an instant, -B(q)^T s(e, e') - C(q)^T lambda; v NULL: no
 * dampers.
 *      Laws are taken at rest, and their dampers at the instant: see ts_site_damping.
 * _over: the step's own -B(q_b)^T s(e_i, e_f) - C^T lambda, with discrete gradients: (L) holds when
 * q_b is the mean. */
void ts_forces_at(const ts_study *s, double t, const double *q, const double *v,
                  const double *lambda, double *F);
void ts_forces_over(const ts_study *s, const double *q_f, const double *q_b, const double *lambda,
                    double *F);
/* _between: the same between any two configurations, from t_i to t_f: dampers see their difference
 * over that time (none when it is an instant). `out`, unless NULL, gets what dampers take and
 * motors give. */
typedef struct ts_interval {
    double t_i, t_f;
    const double *q_i, *q_f;
} ts_interval;
void ts_forces_between(const ts_study *s, ts_interval over, const double *q_b, const double *lambda,
                       double *F, ts_exchange *out);
/* What multiplies the gradients of a site's forms over a step: stresses, or multipliers times
 * discrete gradients of rows. */
void ts_site_weights_between(const ts_study *s, const ts_site *site, ts_interval over,
                             const double *lambda, double *weight, ts_exchange *out);
/* Rows alone: with discrete gradients, or at a configuration. */
void ts_forces_of_rows_between(const ts_study *s, ts_interval over, const double *q_b,
                               const double *lambda, double *F);
void ts_forces_of_rows(const ts_study *s, const double *q, const double *lambda, double *F);
/* Wrenches about the nodes, six per node, added to W: of ambient forces, P(q)^T F; of loads and
 * gravity at an instant. */
void ts_project_forces(const ts_study *s, const double *q, const double *F, double *W);
void ts_add_loads(const ts_study *s, double t, const double *q, double *W);
/* of both ends of the step */
void ts_add_mean_loads(const ts_study *s, const double *q, double *W);
void ts_add_gravity(const ts_study *s, const double *q, double *W);
/* Loads or motors jump at the start of the step. At the ends of the step they are taken inside. */
bool ts_forces_jump(const ts_study *s);
/* Everything at an instant: W is set. The equation of motion is ts_inertia_wrench = W, node by
 * node. */
void ts_wrenches_at(ts_study *s, double t, const double *q, const double *v, const double *lambda,
                    double *W);

/* ---- rows, one number per model row ---- */
/* The signal of a row; at a corner at an end of the step, the rate inside the step. */
double ts_study_signal(const ts_study *s, int row, double t, double *rate);
/* c(q, t); of non-holonomic rows A(q) v. */
void ts_rows_at(const ts_study *s, double t, const double *q, const double *v, double *c);
/* d c/dt at (q, v, t); of non-holonomic rows again A(q) v. */
void ts_row_rates(const ts_study *s, double t, const double *q, const double *v, double *rate);
/* its rate in turn, with ambient accelerations */
void ts_row_accelerations(const ts_study *s, double t, const double *q, const double *v,
                          const double *vdot, double *acceleration);

/* ---- common pieces ---- */
/* Accelerations and multipliers that satisfy the equation of motion and the second derivative of
 * the rows at the present state: into state.vdot and state.lambda. */
int ts_initial_accelerations(ts_study *s);
/* Accelerations vdot and multipliers lambda at any state (q, v, t). */
int ts_solve_accelerations(ts_study *s, double t, const double *q, const double *v, double *vdot,
                           double *lambda);
/* Works of loads (mean force times displacement, mean moment times Cayley vector), of drives, and
 * what dampers take; from q_f and lambda of s->st. */
void ts_study_works(ts_study *s, ts_exchange *out);
/* Relative displacement of the step: (x_f - x_i, rotation vector in space) of s->st->dx and
 * turn. */
v6 ts_guessed_step(const ts_study *s, int n);

/* ---- the engine's side (study.c): what a scheme for study says of itself in its ts_scheme ---- */
extern const ts_engine TS_STUDY_ENGINE;
void ts_book_rest(ts_ledger *ledger); /* what the balance lacks is algorithmic */
#define TS_STUDY(scheme)                                                                       \
    .stages = 1, .mean = 0.5, .inertia = true, .engine = &TS_STUDY_ENGINE, .study = &(scheme), \
    .held_residual = ts_static_site_residual

/* Matrix of a function by differences, columns that meet in no row together (A. R. Curtis, M. J. D.
 * Powell, J. K. Reid, J. Inst. Maths Applics 13 (1974) 117), central: exact for quadratic
 * functions. */
typedef void ts_function(void *context, const double *x, double *R);
typedef struct ts_differences ts_differences;
ts_differences *ts_differences_new(const ts_step *st, int node_blocks, int row_blocks);
void ts_differences_free(ts_differences *d);
void ts_differences_forget(ts_differences *d);
int ts_differences_colours(const ts_differences *d);
/* 0, or TORSOR_ESINGULAR. `step` is the size of the differences of node unknowns (length, angle)
 * and of multipliers. */
int ts_differences_factor(ts_differences *d, ts_function *f, void *context, const double *x,
                          const double step[3]);
void ts_differences_solve(ts_differences *d, double *x);

#endif
