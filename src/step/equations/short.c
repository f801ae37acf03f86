/* SPDX-License-Identifier: Apache-2.0 */
/* The short tangent of ED: its two stages solved as one complex stage, with EP's tangent.
 *
 * To leading order in the step, and with K all stiffness, elastic and geometric, the scaled tangent
 * of ED over (y, u, lambda, kappa) is
 *
 *     N (x) M + h^2 Q (x) K ,   I (x) C^T ;   R (x) C ,   N = [1 -1; 0 1] ,  R = [1 0; -1
 *                               1+alpha] ,
 *     Q = [ 1/6 , (1+alpha)/12 ; -(1+alpha/3)/12 , alpha (1+alpha)/36 ] .
 *
 * Multiplying by N^-1 and R^-1 leaves  I (x) M + h^2 Z (x) K ,  I (x) C^T ,  I (x) C  with Z = N^-1
 * Q, whose eigenvalues z are a complex pair. With l Z = z l, l = (1, l2), the complex unknown
 * x = y + l2 u solves one system of half the size,
 *
 *     [ M + h^2 z K   C^T ] [ x  ]
 *     [ C             0   ] [ mu ]      and EP's own tangent is [ M + h^2/4 K, C^T ; C, 0 ],
 *
 * so that matrix costs one assembly of EP. It leaves out what couples the stages through rotations
 * in a step, of which f2 is found below: Newton converges linearly with it, at a rate of the order
 * of the rotation per step. When that is too slow the exact tangent takes over (newton.c). One
 * factorisation of half the unknowns replaces one of all: S4 section 3.3, Hairer and Wanner,
 * Solving ODEs II, IV.8.
 *
 * Geometric stiffness G, of forces and multipliers that turn with the nodes, is no K: it is seen by
 * the balance alone, and there of y alone, with Q_g = [1/4 0; 0 0] in place of Q. Multiplication by
 * a complex number w, as a matrix W over (y, u), cannot be Q_g. With w = z the error W - Q_g has
 * eigenvalues of 0.12, and forces that bend a structure near its critical load make Newton's method
 * slow. But W - Q_g is nilpotent for
 *
 *     w = (1 + i (r -+ sqrt(1 + r^2)))/8 ,   r = Re l2/Im l2 ,
 *
 * as tr W = 2 Re w = 1/4 and det W = |w|^2 = W_22/4, W_22 = Re w + r Im w, so that in soft modes
 * two iterations leave nothing of it. Of both roots, the one with -sqrt contracts in stiff modes,
 * too: with mass 1, stiffness k and g of G, (1 + k Z + g W)^-1 g (W - Q_g) has eigenvalues below
 * 0.87 (rho_inf = 0; below 1 for any) for all k and -0.95 k < g < k, nearly at the critical load.
 * Those of the other root, and of w = z, exceed 1.
 *
 * f2 in the balance is what stage forces b^T k, k = (sigma, kappa), lose as their directions turn,
 * -(h/12) (d/dt b)^T k. Were all parts at a node turning with it, by psi in the step, that would be
 * -G b^T k in these units, with
 *
 *     G (force, moment) = (psi x force/2, psi x moment/4) ;
 *
 * of moments a half only, as the second derivative of a turning director is the symmetric part of
 * psi x (phi x d). The stage equations are M u + b^T k = r, so G times them added to the balance
 * removes f2 and leaves G M u. Then errors pass from y to u alone, but for that of inertia, and
 * two iterations do what three or four did.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "step/stepper.h"

#include <complex.h>

struct ts_short {
    ts_equations eq; /* EP's, over the fields of ED */
    double *z;       /* the complex values */
    double *x;       /* complex right-hand side */
    bool *inner;     /* entry couples displacements */
    bool flies;      /* nothing holds the model to the ground */
    bool stiff;      /* there are laws with a stiffness */
};

static bool is_stiff(const ts_model *model) {
    for (int i = 0; i < model->sites_count; i++) {
        const ts_law *law = model->sites[i].law;
        if (law && (law->stiffness || law->stiffness_at)) return true;
    }
    return false;
}

int ts_short_new(struct ts_short **out, ts_stepper *st) {
    struct ts_short *quick = ts_calloc(1, sizeof *quick);
    ts_equations *eq = &quick->eq;
    *out = quick;
    *eq = (ts_equations){.scheme = st->scheme->stand_in,
                         .step = &st->step,
                         .team = &st->team,
                         .n = st->system->dofs + st->system->rows,
                         .regular = st->eq.regular,
                         .node_regular = st->eq.node_regular,
                         .whole = st->options.whole};
    ts_build_matrix(eq, st->options.solver, &quick->z);
    const ts_sparse *A = eq->A;
    int dofs = A->n - st->system->rows;
    quick->flies = !ts_is_held(st->model), quick->stiff = is_stiff(st->model);
    quick->inner = ts_calloc((size_t)A->nnz + 1, sizeof(bool));
    quick->x = ts_calloc(2 * (size_t)eq->n + 2, sizeof(double));
    for (int j = 0; j < dofs; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++) quick->inner[k] = A->row[k] < dofs;
    return 0;
}

const ts_equations *ts_short_equations(const struct ts_short *quick) { return &quick->eq; }

ts_lu *ts_short_lu(const struct ts_short *quick) { return quick->eq.lu; }

void ts_short_watch(struct ts_short *quick, ts_effort *effort) {
    quick->eq.effort = effort;
    ts_lu_watch(quick->eq.lu, effort ? &effort->linear : NULL);
}

void ts_short_free(struct ts_short *quick) {
    if (!quick) return;
    ts_sparse_free(quick->eq.A);
    ts_lu_free(quick->eq.lu);
    ts_condensation_free(quick->eq.inner);
    free(quick->inner), free(quick->x);
    free(quick);
}

/* z and l2 of alpha. */
static double complex eigenvalue(double al, double complex *l2) {
    double q21 = -(1 + al / 3) / 12, q22 = al * (1 + al) / 36;
    double z11 = 1.0 / 6 + q21, z12 = (1 + al) / 12 + q22, trace = z11 + q22;
    double complex z = 0.5 * trace + csqrt(0.25 * trace * trace - (z11 * q22 - z12 * q21));
    *l2 = (z - z11) / q21; /* from the first column of l Z = z l */
    return z;
}

/* w of geometric stiffness, as the opening comment has it. */
static double complex geometric(double complex l2) {
    double r = creal(l2) / cimag(l2);
    return (1 + I * (r - sqrt(1 + r * r))) / 8;
}

/* Two numbers at once: a complex one. */
typedef double pair __attribute__((vector_size(16), aligned(8)));

/* What was assembled is added, stiffness times a factor; and is forgotten. */
static void take(struct ts_short *quick, double complex factor) {
    const ts_sparse *A = quick->eq.A;
    const pair by[2] = {{1, 0}, {creal(factor), cimag(factor)}};
    pair *z = (pair *)quick->z;
    for (int k = 0; k < A->nnz; k++) {
        double value = A->value[k];
        z[k] += by[quick->inner[k]] * (pair){value, value};
        A->value[k] = 0;
    }
}

static void take_part(struct ts_short *quick, ts_tangent_part part, double complex factor) {
    quick->eq.step->part = part;
    ts_assemble_tangent(&quick->eq);
    quick->eq.step->part = TS_WHOLE;
    take(quick, factor);
}

int ts_short_factor(struct ts_short *quick, const ts_step *st) {
    double complex l2, z = eigenvalue(st->alpha, &l2);
    memset(quick->z, 0, 2 * (size_t)quick->eq.A->nnz * sizeof(double));
    ts_sparse_zero(quick->eq.A);
    ts_each_node_inertia(&quick->eq);
    take(quick, 1);
    take_part(quick, TS_GEOMETRIC, 4 * geometric(l2));
    take_part(quick, TS_MATERIAL, 4 * z);
    return ts_factor_assembled(&quick->eq);
}

/* ---- f2 ---- */

static bool is_free_frame(const ts_step *st, int n) {
    return st->model->nodes[n].kind == TS_NODE_FRAME && st->system->node_dof[n] >= 0;
}

/* What was added to the balance, in all, and what f2 would have: no force, and the moment by which
 * places that move leave the lines of action of stage forces. About the origin, but for how the
 * centre of masses moves. */
typedef struct resultant {
    v3 force, moment, stage; /* the last: sum of stage forces */
    double mass;
    v3 first, moved; /* mass times place, mass times displacement */
    m3 inertia;
} resultant;

static double mass_of(const ts_node *node) { return node->mass[0][0]; }

static double inertia_of(const ts_node *node) {
    return node->mass[1][1] + node->mass[2][2] + node->mass[3][3];
}

/* |x|^2 - x x^T */
static m3 square_arm(v3 x) { return m3_gram(m3_skew(x)); }

/* Force and moment of a node, where the stage has `stage`. */
static void add_resultant(const ts_step *st, int n, v3 force, v3 moment, v3 stage, resultant *sum) {
    const ts_node *node = &st->model->nodes[n];
    v3 x = v3_load(st->q_m + 3 * node->slot), leaves = v3_scale(0.5, v3_cross(st->dx[n], stage));
    double m = mass_of(node), J = inertia_of(node);
    sum->force = v3_add(sum->force, force), sum->stage = v3_add(sum->stage, stage);
    /* of moments it is what was added, once more */
    sum->moment = v3_add(sum->moment, v3_add(v3_cross(x, force), v3_axpy(2, moment, leaves)));
    sum->mass += m, sum->first = v3_axpy(m, x, sum->first);
    sum->moved = v3_axpy(m, st->dx[n], sum->moved);
    m3 own = m3_axpy(m, square_arm(x), m3_scale(J, m3_identity()));
    sum->inertia = m3_add(sum->inertia, own);
}

static void add_pair(double *to, v3 force, v3 moment) {
    v3_store(to, v3_add(v3_load(to), force));
    v3_store(to + 3, v3_add(v3_load(to + 3), moment));
}

/* Balance += G stage; their sum, unless NULL. */
static void turn_stage(const ts_step *st, double *x, resultant *sum) {
    for (int n = 0; n < st->model->nodes_count; n++) {
        if (!is_free_frame(st, n)) continue;
        double *main = x + st->system->node_dof[n], *stage = main + st->system->dofs;
        v3 half = st->turn[n].v, force = v3_cross(half, v3_load(stage)),
           moment = v3_scale(0.5, v3_cross(half, v3_load(stage + 3)));
        add_pair(main, force, moment);
        if (sum) add_resultant(st, n, force, moment, v3_load(stage), sum);
    }
}

/* Where nodes turn differently G adds more or less than f2. The difference is taken back in
 * proportion to masses, so that increments balance the momenta of what flies. */
static void take_back(const ts_step *st, const resultant *sum, double *x) {
    if (!(sum->mass > 0)) return;
    double per = 1 / sum->mass;
    v3 centre = v3_scale(per, sum->first), moved = v3_scale(0.5 * per, sum->moved);
    v3 moment =
        v3_sub(sum->moment, v3_add(v3_cross(centre, sum->force), v3_cross(moved, sum->stage)));
    m3 inertia = m3_axpy(-sum->mass, square_arm(centre), sum->inertia);
    double trace = inertia.c[0].x + inertia.c[1].y + inertia.c[2].z;
    /* all on a line, or in a point: nothing there balances moments about it */
    inertia = m3_axpy(trace > 0 ? DBL_EPSILON * trace : 1, m3_identity(), inertia);
    v3 spin = v3_scale(-1, m3_tapply(m3_invt(inertia), moment)), by = v3_scale(-per, sum->force);
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        if (!is_free_frame(st, n)) continue;
        v3 arm = v3_sub(v3_load(st->q_m + 3 * node->slot), centre);
        v3 force = v3_scale(mass_of(node), v3_add(by, v3_cross(spin, arm)));
        add_pair(x + st->system->node_dof[n], force, v3_scale(inertia_of(node), spin));
    }
}

/* In rigid bodies that fly there is mostly inertia, of which G leaves an error. */
void ts_short_turn_stage(const struct ts_short *quick, const ts_step *st, double *x) {
    resultant sum = {.mass = 0};
    if (quick->flies && !quick->stiff) return;
    turn_stage(st, x, quick->flies ? &sum : NULL);
    if (quick->flies) take_back(st, &sum, x);
}

/* x holds (main, stage, c, rate rows); on return (y, u, lambda, kappa). */
void ts_short_solve(struct ts_short *quick, const ts_step *st, double *x) {
    double complex l2, rest = 4 * eigenvalue(st->alpha, &l2);
    double re = creal(l2), im = cimag(l2), al = st->alpha, *b = quick->x;
    int dofs = st->system->dofs, rows = st->system->rows;
    double *main = x, *stage = x + dofs, *c = x + 2 * dofs, *rate = c + rows;
    for (int i = 0; i < dofs; i++) {
        b[2 * i] = main[i] + stage[i] + re * stage[i];
        b[2 * i + 1] = im * stage[i];
    }
    for (int i = 0; i < rows; i++) {
        double second = (c[i] + rate[i]) / (1 + al);
        b[2 * (dofs + i)] = c[i] + re * second;
        b[2 * (dofs + i) + 1] = im * second;
    }
    ts_solve_complex(&quick->eq, b, (double[2]){creal(rest), cimag(rest)});
    for (int i = 0; i < dofs; i++) {
        stage[i] = b[2 * i + 1] / im;
        main[i] = b[2 * i] - re * stage[i];
    }
    for (int i = 0; i < rows; i++) { /* N maps the multipliers back: lambda = lambda' - kappa' */
        rate[i] = b[2 * (dofs + i) + 1] / im;
        c[i] = b[2 * (dofs + i)] - re * rate[i] - rate[i];
    }
}
