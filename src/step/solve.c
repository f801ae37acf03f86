/* SPDX-License-Identifier: Apache-2.0 */
/* The equations of a step for Newton's method (newton.c): unknowns, measures of increments,
 * factorisations.
 *
 * Increments are measured as displacement / size of the model and as rotation, and compared with
 * the increments of the whole step, because the velocity 2 dq/h and so the energy are only as good
 * as dq is *relative* to the step.
 */
#include <math.h>

#include "base/error.h"
#include "step/stepper.h"

/* rows may be open by at most this multiple of the increment */
static const double EXPLAINED = 100;
static const double CLOSED = 1e-11;   /* and of their size: round-off */
static const double FAR_ROUND = 0.26; /* cosine of half the rotation of a step: 150 degrees */

/* A rotation by Cayley's map, which agrees with exp to second order, and needs a square root
 * instead of sine and cosine. */
static quat small_turn(v3 psi) { return quat_normalize((quat){1.0, v3_scale(0.5, psi)}); }

/* As ts_node_turn. If all nodes that move are frames, loops over nodes need not read the nodes,
 * which are large, and far apart in memory. */
static inline v3 turn_of(const ts_stepper *st, int n, const double *unknowns) {
    return st->frames ? v3_load(unknowns + 3) : ts_node_turn(st->system, n, unknowns);
}

static inline bool is_variable(const ts_stepper *st, int n) {
    return st->variables && st->model->nodes[n].variable;
}

void ts_apply(ts_stepper *st, const double *delta, double factor) {
    const ts_system *system = st->system;
    const ts_model *model = st->model;
    int stages = st->scheme->stages, dofs = system->dofs;
    for (int n = 0; n < model->nodes_count; n++) {
        int dof = system->node_dof[n];
        if (dof < 0) continue;
        const ts_node *node = &model->nodes[n];
        const double *d = delta + dof;
        st->step.dx[n] = v3_axpy(factor, v3_load(d), st->step.dx[n]);
        if (node->slots > 1)
            st->step.turn[n] =
                quat_mul(small_turn(v3_scale(factor, turn_of(st, n, d))), st->step.turn[n]);
        if (stages == 2) {
            double scale = factor * st->step.column_scale[1], *u = st->step.stage + 6 * n;
            v3_store(u, v3_axpy(scale, v3_load(d + dofs), v3_load(u)));
            v3_store(u + 3, v3_axpy(scale, turn_of(st, n, d + dofs), v3_load(u + 3)));
        }
        st->scheme->refresh(&st->step, n);
    }
    const double *rows = delta + stages * dofs;
    for (int r = 0; r < model->rows_count; r++) {
        int eq = system->row_eq[r];
        if (eq < 0) continue;
        st->step.lambda[r] += factor * st->step.column_scale[2] * rows[eq];
        if (stages == 2)
            st->step.kappa[r] += factor * st->step.column_scale[3] * rows[system->rows + eq];
    }
}

/* Variables have their own scale. Samples jump, and their equations are nearly linear, so a large
 * increment need not be shortened. */
static const double LARGEST_CHANGE = 0.5;

static double variable_norm(v3 d) {
    double x = v3_norm(d);
    return x > LARGEST_CHANGE && isfinite(x) ? LARGEST_CHANGE : x;
}

/* Like fmax, which compilers turn into a call; NaN is ignored. */
static inline double larger(double x, double than) { return x > than ? x : than; }

static inline double square(double x) { return x * x; }

/* Largest increment: displacement over the size of the model, rotation; of both the end and the
 * stage. Squares are compared because roots take time. */
static double largest_increment(const ts_stepper *st, const double *delta, bool variables) {
    double largest = 0, per_length = 1.0 / st->system->length;
    for (int s = 0; s < st->scheme->stages; s++)
        for (int n = 0; n < st->model->nodes_count; n++) {
            int dof = st->system->node_dof[n];
            bool variable = is_variable(st, n);
            if (dof < 0 || (variable && !variables)) continue;
            const double *d = delta + s * st->system->dofs + dof;
            v3 move = v3_scale(per_length, v3_load(d)), psi = turn_of(st, n, d);
            double x = variable ? square(variable_norm(v3_load(d))) : v3_dot(move, move),
                   turn = v3_dot(psi, psi);
            largest = x > largest || x != x ? x : largest;
            largest = turn > largest || turn != turn ? turn : largest;
        }
    return sqrt(largest);
}

double ts_increment_norm(const ts_stepper *st, const double *delta) {
    return largest_increment(st, delta, true);
}

static double motion_norm(const void *of, const double *delta) {
    return largest_increment(of, delta, false);
}

/* The share of an increment that may be taken where the residual is monitored: turns stay small. A
 * ball that is small compared with its motion in a step is stopped at once. */
static const double LARGEST_TURN = 0.5, LARGEST_WAY = 50;

static double share(const void *of, const double *delta) {
    const ts_stepper *st = of;
    double turn = 0;
    for (int s = 0; s < st->scheme->stages; s++)
        for (int n = 0; n < st->model->nodes_count; n++) {
            int dof = st->system->node_dof[n];
            if (dof < 0) continue;
            const double *d = delta + s * st->system->dofs + dof;
            turn = fmax(turn, v3_norm(turn_of(st, n, d)));
        }
    double largest = fmax(turn / LARGEST_TURN, ts_increment_norm(st, delta) / LARGEST_WAY);
    return largest > 1 ? 1 / largest : 1;
}

/* Increment of the multipliers, as the displacement that their change would cause within the step;
 * and size of the multipliers. */
static double multiplier_norm(const void *of, const double *delta, double *size) {
    const ts_stepper *st = of;
    const ts_system *system = st->system;
    const double *rows = delta + st->scheme->stages * system->dofs, *weight = st->eq.row_weight;
    bool two = st->scheme->stages == 2;
    double change = 0, own = 0;
    for (int r = 0; r < st->model->rows_count; r++) {
        int eq = system->row_eq[r];
        if (eq < 0) continue;
        change = larger(weight[r] * fabs(rows[eq]), change);
        own = larger(weight[r] * fabs(st->step.lambda[r]), own);
        if (two) change = larger(weight[r] * fabs(rows[system->rows + eq]), change);
    }
    *size = own / st->step.column_scale[2];
    return change;
}

/* Size of the step so far, in the measure of increments. */
double ts_step_norm(const ts_stepper *st) {
    double largest = 0, per_length = 1.0 / st->system->length;
    for (int n = 0; n < st->model->nodes_count; n++) {
        double per = is_variable(st, n) ? 1 : per_length;
        v3 move = v3_scale(per, st->step.dx[n]), half = st->step.turn[n].v;
        largest = larger(v3_dot(move, move), largest);
        largest = larger(4 * v3_dot(half, half), largest);
    }
    return sqrt(largest);
}

int ts_factor_assembled(ts_equations *eq) {
    int where;
    if (eq->inner && eq->inner->singular)
        return ts_fail(TORSOR_ESINGULAR, "the inner unknowns of an element are singular");
    return ts_lu_factor(eq->lu, &where);
}

int ts_factor_exact(ts_stepper *st) {
    if (!st->eq.A) ts_build_matrix(&st->eq, st->options.solver, NULL); /* a short one may do */
    ts_sparse_zero(st->eq.A);
    ts_assemble_tangent(&st->eq);
    return ts_factor_assembled(&st->eq);
}

/* Rows that contradict each other leave a residual that no increment removes: the regularised
 * matrix is singular and changes multipliers only. So the residual of the rows must be as small as
 * the increment implies. */
static bool rows_are_closed(const void *of, double d) {
    const ts_stepper *st = of;
    double limit = EXPLAINED * d + CLOSED * st->system->far;
    const double *R = st->eq.R + st->scheme->stages * st->system->dofs;
    for (int r = 0; r < st->model->rows_count; r++)
        for (int s = 0, eq = st->system->row_eq[r]; s < st->scheme->stages && eq >= 0; s++)
            if (!(fabs(R[s * st->system->rows + eq]) <= limit * st->eq.row_size[r])) return false;
    return true;
}

/* Nearly half a turn in one step. At half a turn D_m is singular, the Cayley vector is infinite and
 * energy is not preserved. Just before, the equations have a second, spurious solution: a light
 * part turns so far that its speed, the tangent of half the angle, takes up a large share of the
 * energy; EP preserves this energy, and the next steps have no solution nearby. Newton's method
 * returns from there so seldom that half steps are cheaper. Only a step in time has a mean. */
static bool turned_over(const void *of) {
    const ts_stepper *st = of;
    if (!st->scheme->in_time) return false;
    for (int n = 0; n < st->model->nodes_count; n++)
        if (fabs(st->step.turn[n].s) < FAR_ROUND) return true;
    return false;
}

/* ---- as Newton's method calls them ---- */

static void residual(void *of) {
    ts_stepper *st = of;
    ts_residual(&st->eq);
    if (ts_contacts_changed(&st->step)) st->tangent.stale = true;
}

static int factor(void *of) {
    ts_stepper *st = of;
    st->report.factorisations++;
    ts_turning_made(&st->turning, &st->step);
    return st->tangent.use_short ? ts_short_factor(st->quick, &st->step) : ts_factor_exact(st);
}

static void solve(void *of, double *x) {
    ts_stepper *st = of;
    if (st->tangent.use_short) ts_short_turn_stage(st->quick, &st->step, x);
    ts_turning_apply(&st->turning, &st->step, st->scheme->stages, true, x);
    if (st->tangent.use_short)
        ts_short_solve(st->quick, &st->step, x);
    else
        ts_solve(&st->eq, x);
    ts_turning_apply(&st->turning, &st->step, st->scheme->stages, false, x);
}

static bool hold(void *of, bool near) {
    ts_stepper *st = of;
    return ts_contacts_hold(&st->step, near);
}

static void apply(void *of, const double *delta, double factor) { ts_apply(of, delta, factor); }

static double increment_norm(const void *of, const double *delta) {
    return ts_increment_norm(of, delta);
}

static double step_norm(const void *of) { return ts_step_norm(of); }

static void follow(void *of, const double *delta, double factor) {
    ts_stepper *st = of;
    if (st->scheme->follow) st->scheme->follow(&st->step, delta, factor);
}

static double weigh(const void *of) { return ts_residual_weight(of); }
static bool stopped(const void *of) { return ts_stopped(of); }
static bool refuses(void *of) {
    ts_stepper *st = of;
    return turned_over(st) || ts_inadmissible(st) || ts_slides_refuse(st) ||
           ts_contacts_refuse(&st->step);
}

/* The size of the residual, as the displacements that would balance it within the step: h^2 F/2m
 * for a place; for a turn, by the radius of gyration; for rows, their violation. Sums of squares
 * are used: opposite forces on two sides of a contact count at both. Nodes without mass count with
 * the largest mass of the model. */
static double node_weight(const ts_node *node, double mass, double length, const double *R) {
    double m = node->mass[0][0] > 0 ? node->mass[0][0] : mass, J = 0, sum = 0;
    for (int k = 1; k < node->slots; k++) J += node->mass[k][k];
    if (!(J > 0)) J = m * length * length;
    for (int k = 0; k < ts_node_dofs(node); k++) sum += R[k] * R[k] / (k < 3 ? m * m : m * J);
    return sum;
}

double ts_residual_weight(const ts_stepper *st) {
    const ts_system *system = st->system;
    double sum = 0, length = system->length;
    int stages = st->scheme->stages;
    for (int n = 0; n < st->model->nodes_count; n++) {
        const ts_node *node = &st->model->nodes[n];
        for (int s = 0, dof = system->node_dof[n]; s < stages && dof >= 0 && !node->variable; s++)
            sum += node_weight(node, st->largest_mass, length, st->eq.R + s * system->dofs + dof);
    }
    const double *R = st->eq.R + stages * system->dofs;
    for (int r = 0; r < st->model->rows_count; r++)
        for (int s = 0, eq = system->row_eq[r]; s < stages && eq >= 0; s++) {
            double open = R[s * system->rows + eq] * length / st->eq.row_size[r];
            sum += open * open;
        }
    return sqrt(sum);
}

/* Where shapes are near each other, stiff forces make the error larger than the audit allows; and
 * Newton's method, with a new tangent where a pair changes, needs only one iteration for the last
 * digits. */
static const double NEAR_CONTACT = 1e-15;
static const double ROUGHLY = 1e-3; /* on the way to a solution */

static double tolerance_of(const ts_stepper *st) {
    double usual = ts_step_tolerance(st);
    if (st->rough || ts_contacts_soft(&st->step)) return ROUGHLY;
    return ts_contacts_count(&st->step) > 0 ? fmin(usual, NEAR_CONTACT) : usual;
}

static double multiplier_tolerance_of(const ts_stepper *st) {
    bool usual = st->scheme->in_time && st->options.tolerance == 0 && !ts_has_kinks(st);
    return (usual ? st->exactness.multipliers : 1) * tolerance_of(st);
}

bool ts_has_kinks(const ts_stepper *st) {
    return st->scheme->in_time && ts_contacts_count(&st->step) > 0;
}

/* Number of iterations after which another remedy is better: for a stage on the way from soft
 * contacts to stiff ones, for its last stage, and for an attempt that may be followed by them. 0:
 * the usual number. */
static int iterations_of(const ts_stepper *st, ts_temper temper, double grip) {
    enum { STAGE = 20, LAST = 60 };
    if (!ts_has_kinks(st) || temper != TS_BOLD) return 0;
    if (ts_contacts_soft(&st->step)) return STAGE;
    if (st->softens) return LAST;
    return grip > TS_STIFF ? STAGE : 0;
}

/* Does the residual decide how much of an increment is taken? In statics every attempt has new
 * tangents, and the second attempt uses the residual. */
static bool searches(const ts_stepper *st, ts_temper temper) {
    if (ts_contacts_count(&st->step) == 0) return false;
    return st->scheme->in_time ? temper != TS_FULL : temper == TS_FULL;
}

int ts_solve_step(ts_stepper *st, ts_temper temper, int *iterations) {
    ts_equations *eq = &st->eq;
    double grip = ts_has_kinks(st) ? ts_contacts_grip(&st->step) : 0;
    ts_newton x = {.n = eq->n,
                   .R = eq->R,
                   .delta = eq->delta,
                   .saved = eq->saved,
                   .other = eq->other,
                   .tangent = &st->tangent,
                   .secant = ts_has_kinks(st) ? NULL : &eq->secant,
                   .h = st->step.h,
                   .tolerance = tolerance_of(st),
                   .far = st->system->far,
                   .renewal = TS_RENEWAL,
                   .max_iterations = st->options.max_iterations,
                   .most = iterations_of(st, temper, grip),
                   .path = st->scheme->path,
                   .multiplier_tolerance = multiplier_tolerance_of(st),
                   .step_share = 1,
                   .of = st,
                   .residual = residual,
                   .factor = factor,
                   .solve = solve,
                   .apply = apply,
                   .increment = increment_norm,
                   .motion = st->variables ? motion_norm : NULL,
                   .step = step_norm,
                   .multipliers = multiplier_norm,
                   .closed = rows_are_closed,
                   .follow = follow,
                   .refuses = refuses,
                   .astray = turned_over,
                   .weigh = searches(st, temper) ? weigh : NULL,
                   .share = share,
                   .hold = temper != TS_FULL && grip > TS_FIRM ? hold : NULL,
                   .stopped = stopped};
    if (!st->tangent.stale) ts_turning_begin(&st->turning, &st->step);
    int code = ts_newton_solve(&x, temper, iterations);
    st->report.left = x.left;
    return code;
}
