/* Newton's method for one step, affine invariant (P. Deuflhard, Newton Methods for Nonlinear Problems, 2004, ch. 3).
 *
 * A step is tried boldly first, with increments limited in size only; if that fails with a new tangent in every iteration, as
 * statics always is; and at last cautiously, with increments that must shrink. The last factorisation is kept as long as it contracts well: theta = |delta_n| / |delta_n-1|. A poor theta asks for the
 * exact tangent at the present iterate; theta >= 1 behind an exact tangent takes half of the last increment back. Increments
 * are measured as displacement / size of the model and as rotation, and compared with the increments of the whole step,
 * because the velocity 2 dq/h and so the energy are only as good as dq is *relative* to the step.
 */
#include <float.h>
#include <string.h>

#include "base/error.h"
#include "step/judgement.h"
#include "step/stepper.h"

static const double SHRINKING =
    0.3; /* multipliers that shrink less than this have reached their floor */
static const double EXPLAINED =
    100; /* rows are left open by no more than this times the increment */
static const double CLOSED = 1e-11; /* and of their size: round-off */
static const double LARGEST_TURN =
    0.5; /* per iteration; and as a fraction of the size of the model */
static const double FLOOR = 0.01 * DBL_EPSILON; /* an increment below this changes nothing */
static const double LARGEST = 1e3;              /* an increment beyond this is nonsense */
static const double HALF_TURN = 0.05; /* cosine of half the rotation of a step: 174 degrees */
static const int MOST_GROWTHS = 6;
static const int PATIENCE =
    50; /* steps with the exact tangent before the short one is tried again */
static const int MANY_ITERATIONS = 6; /* then the next step begins with a new factorisation */

/* Turns by Cayley's map: agrees with exp to second order, and costs a square root instead of sine and cosine. */
static quat small_turn(v3 psi) { return quat_normalize((quat){1.0, v3_scale(0.5, psi)}); }

void ts_apply(ts_stepper *st, const double *delta, double factor) {
    const ts_system *system = st->system;
    const ts_model *model = st->model;
    int stages = st->scheme->stages, dofs = system->dofs;
    for (int n = 0; n < model->nodes_count; n++) {
        int dof = system->node_dof[n];
        if (dof < 0) continue;
        const ts_node *node = &model->nodes[n];
        const double *d = delta + dof;
        st->dx[n] = v3_axpy(factor, v3_load(d), st->dx[n]);
        if (node->slots > 1)
            st->turn[n] =
                quat_mul(small_turn(v3_scale(factor, ts_node_turn(st->system, n, d))), st->turn[n]);
        if (stages == 2) {
            double scale = factor * st->column_scale[1], *u = st->stage + 6 * n;
            v3_store(u, v3_axpy(scale, v3_load(d + dofs), v3_load(u)));
            v3_store(u + 3, v3_axpy(scale, ts_node_turn(st->system, n, d + dofs), v3_load(u + 3)));
        }
        st->scheme->refresh(st, n);
    }
    const double *rows = delta + stages * dofs;
    for (int r = 0; r < model->rows_count; r++) {
        int eq = system->row_eq[r];
        if (eq < 0) continue;
        st->lambda[r] += factor * st->column_scale[2] * rows[eq];
        if (stages == 2) st->kappa[r] += factor * st->column_scale[3] * rows[system->rows + eq];
    }
}

/* Largest increment: displacement over the size of the model, rotation; of the end and of the stage alike. */
double ts_increment_norm(const ts_stepper *st, const double *delta) {
    double largest = 0, per_length = 1.0 / st->system->length;
    for (int s = 0; s < st->scheme->stages; s++)
        for (int n = 0; n < st->model->nodes_count; n++) {
            int dof = st->system->node_dof[n];
            if (dof < 0) continue;
            const double *d = delta + s * st->system->dofs + dof;
            double x = per_length * v3_norm(v3_load(d));
            double turn = v3_norm(ts_node_turn(st->system, n, d));
            largest = x > largest || x != x ? x : largest;
            largest = turn > largest || turn != turn ? turn : largest;
        }
    return largest;
}

/* The same of the multipliers, by the displacement that their change would cause within the step; and of themselves. */
static double multiplier_norm(const ts_stepper *st, const double *delta, double *size) {
    const ts_system *system = st->system;
    const double *rows = delta + st->scheme->stages * system->dofs;
    double largest = 0;
    *size = 0;
    for (int r = 0; r < st->model->rows_count; r++) {
        int eq = system->row_eq[r];
        if (eq < 0) continue;
        largest = fmax(largest, st->row_weight[r] * fabs(rows[eq]));
        *size = fmax(*size, st->row_weight[r] * fabs(st->lambda[r]) / st->column_scale[2]);
        if (st->scheme->stages == 2)
            largest = fmax(largest, st->row_weight[r] * fabs(rows[system->rows + eq]));
    }
    return largest;
}

/* Size of the step so far, in the same measure. */
double ts_step_norm(const ts_stepper *st) {
    double largest = 0, per_length = 1.0 / st->system->length;
    for (int n = 0; n < st->model->nodes_count; n++) {
        largest = fmax(largest, per_length * v3_norm(st->dx[n]));
        largest = fmax(largest, 2 * v3_norm(st->turn[n].v));
    }
    return largest;
}

int ts_factor_exact(ts_stepper *st) {
    int where;
    if (!st->A) ts_build_matrix(st); /* a scheme with a short tangent may never need it */
    ts_sparse_zero(st->A);
    ts_assemble_tangent(st);
    return ts_lu_factor(st->lu, &where);
}

static int factor(ts_stepper *st) {
    int code = st->use_quick ? ts_short_factor(st) : ts_factor_exact(st);
    st->factored_h = code ? 0 : st->h;
    st->factorisations++;
    st->stale = false;
    return code;
}

static void solve(ts_stepper *st) {
    for (int i = 0; i < st->n; i++) st->delta[i] = -st->R[i];
    if (st->use_quick)
        ts_short_solve(st, st->delta);
    else
        ts_lu_solve(st->lu, st->delta);
}

/* What Newton knows of its own progress within a step. */
typedef struct progress {
    double d, previous, before, damping; /* increments: this, the last, the one before that */
    double m, m_previous, m_size;        /* increment of the multipliers; their size */
    bool exact;   /* the factorisation is the exact one of the iterate before the last increment */
    int growths;  /* how often it went on although the increment had grown */
    bool renewed; /* there was a factorisation in this step */
    bool settled; /* displacements have converged; only multipliers may still move */
} progress;

/* Multipliers need not be unique (a mechanism in a singular position): there they only have to stop shrinking. */
static bool multipliers_are_done(const ts_stepper *st, const progress *p, double size) {
    if (ts_error_left(p->m, p->m_previous) <= st->options.tolerance * (size + p->m_size))
        return true;
    return p->m_previous > 0 && p->m > SHRINKING * p->m_previous;
}

/* Rows that contradict each other leave a residual behind that no increment removes: the matrix, regularised, is singular
 * and moves multipliers only. So what is left of the rows must be as small as the increment says. */
static bool rows_are_closed(const ts_stepper *st, double d) {
    double limit = EXPLAINED * d + CLOSED * st->system->far;
    const double *R = st->R + st->scheme->stages * st->system->dofs;
    for (int r = 0; r < st->model->rows_count; r++)
        for (int s = 0, eq = st->system->row_eq[r]; s < st->scheme->stages && eq >= 0; s++)
            if (!(fabs(R[s * st->system->rows + eq]) <= limit * st->row_size[r])) return false;
    return true;
}

/* Asks for the increment a little further on, and leaves everything as it was. */
static bool is_round_off(ts_stepper *st, double d) {
    memcpy(st->other, st->delta, (size_t)st->n * sizeof *st->other);
    ts_apply(st, st->other, TS_ELSEWHERE);
    ts_residual(st);
    solve(st);
    for (int i = 0; i < st->n; i++) st->delta[i] -= st->other[i];
    double change = ts_increment_norm(st, st->delta);
    ts_apply(st, st->other, -TS_ELSEWHERE);
    memcpy(st->delta, st->other, (size_t)st->n * sizeof *st->other);
    return ts_is_noise(change, d);
}

/* Converged, or at the floor of round-off: there even an exact tangent no longer makes a small increment smaller. */
static bool converged(ts_stepper *st, progress *p) {
    double size = ts_step_norm(st);
    if (!rows_are_closed(st, p->d)) return false;
    p->settled |= p->d <= FLOOR || ts_error_left(p->d, p->previous) <= st->options.tolerance * size;
    if (p->settled) return multipliers_are_done(st, p, size);
    if (p->previous == 0 || p->d / p->previous < TS_GOOD_RATE) return false;
    if (ts_may_be_noise(p->d, size, st->system->far, st->scheme->statics) &&
        (p->exact || (p->renewed && st->use_quick && is_round_off(st, p->d)))) {
        st->noise = fmax(st->noise, p->d);
        return true;
    }
    return p->d <= 2 * st->noise;
}

static void increment(ts_stepper *st, progress *p) {
    solve(st);
    p->d = ts_increment_norm(st, st->delta);
    p->m = multiplier_norm(st, st->delta, &p->m_size);
}

static int fresh_increment(ts_stepper *st, progress *p) {
    if (factor(st)) return TORSOR_RETRY;
    increment(st, p);
    p->exact = !st->use_quick;
    p->renewed = true;
    return 0;
}

/* The short tangent does not contract although it is new: the exact one, for a while. */
static void be_exact(ts_stepper *st) {
    if (!st->use_quick) return;
    st->use_quick = false;
    st->patience = PATIENCE;
}

void ts_exact_tangent(ts_stepper *st) {
    be_exact(st);
    st->stale = true;
}

/* The last increment made things worse: go half of it back or, when its tangent was an old one, all of it. */
static int step_back(ts_stepper *st, progress *p) {
    if (p->damping < 1.0 / 32) return TORSOR_RETRY;
    double back = p->exact ? 0.5 * p->damping : p->damping;
    ts_apply(st, st->saved, -back);
    p->damping -= back;
    if (p->damping > 0) return 0;
    if (p->renewed) be_exact(st);
    st->stale = true, p->previous = p->before = p->m_previous = 0;
    return 0;
}

static void step_on(ts_stepper *st, progress *p) {
    p->damping = p->d > LARGEST_TURN ? LARGEST_TURN / p->d : 1;
    if (st->scheme->follow) st->scheme->follow(st, st->delta, p->damping);
    ts_apply(st, st->delta, p->damping);
    memcpy(st->saved, st->delta, (size_t)st->n * sizeof *st->saved);
    p->before = p->previous, p->previous = p->d, p->m_previous = p->m;
}

/* What to do about an increment that is larger than the last one. A bold Newton goes on with a new tangent: slender
 * structures bend first and pay for their stretch in the next iteration. A cautious one goes back. */
static int grown(ts_stepper *st, progress *p, ts_temper temper) {
    if (temper == TS_CAUTIOUS || !p->exact) return step_back(st, p);
    if (++p->growths > MOST_GROWTHS) return TORSOR_RETRY;
    st->stale = true, p->previous = p->before = p->m_previous = 0;
    return 0;
}

/* Half a turn in one step: D_m is singular there, and the equations have solutions that are none of mechanics, at which the
 * Cayley vector is infinite and energy is not kept. Statics has no mean. */
static bool turned_over(const ts_stepper *st) {
    for (int n = 0; n < st->model->nodes_count && !st->scheme->statics; n++)
        if (fabs(st->turn[n].s) < HALF_TURN) return true;
    return false;
}

int ts_newton(ts_stepper *st, ts_temper temper, int *iterations) {
    progress p = {0};
    bool full = temper == TS_FULL ||
                (temper == TS_BOLD && st->scheme->statics); /* a new tangent every time */
    if (st->n == 0) return 0;
    if (st->factored_h != st->h) st->stale = true;
    if (st->patience > 0 && --st->patience == 0) st->use_quick = st->stale = true;
    for (int it = 1; it <= st->options.max_iterations; it++) {
        if (ts_stopped(st)) return TORSOR_EINTERRUPTED;
        ++*iterations;
        ts_residual(st);
        bool fresh = st->stale || full;
        if (fresh && fresh_increment(st, &p)) return TORSOR_RETRY;
        if (!fresh) increment(st, &p);
        if (!isfinite(p.d) || (fresh && p.d > LARGEST)) return TORSOR_RETRY;
        if (converged(st, &p)) {
            ts_apply(st, st->delta, 1);
            if (turned_over(st) || ts_inadmissible(st)) return TORSOR_RETRY;
            st->stale = it > MANY_ITERATIONS;
            return 0;
        }
        bool larger = !p.settled && p.previous > 0 && p.d >= p.previous;
        if (larger && full && ++p.growths > MOST_GROWTHS) return TORSOR_RETRY;
        if (larger && !full) {
            if (grown(st, &p, temper)) return TORSOR_RETRY;
            continue;
        }
        if (!p.settled && p.previous > 0 && !fresh &&
            ts_is_slow(p.d, p.previous, p.before, st->use_quick)) {
            if (p.renewed) be_exact(st);
            if (fresh_increment(st, &p)) return TORSOR_RETRY;
        } else if (!fresh) {
            p.exact = false;
        }
        if (!(p.d < LARGEST)) return TORSOR_RETRY;
        step_on(st, &p);
    }
    return TORSOR_RETRY;
}
