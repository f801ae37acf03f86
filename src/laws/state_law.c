/* SPDX-License-Identifier: Apache-2.0 */
/* Forces that depend on the state: an expression f of channels acts along a coordinate. Or it is
 * the rate of a state variable.
 *
 * A *measure* y is a function of forms: a form itself, an angle of two (angle.c), a length. Over a
 * step it has a discrete gradient g, g . (e_f - e_i) = y_f - y_i. The first measure is the
 * *target*, along which the force acts; the stress is s = -f g on its forms and zero on all others.
 * *Variables* of the expression are measures (plus a constant) and rates of measures. Over a step
 * they are
 *
 *     (y_i + y_f)/2 ,     (y_f - y_i)/h ,     and the time is (t_i + t_f)/2 :
 *
 * second order, implicit, and symmetric in both ends. At rest rates are zero. Reactions of joints
 * are multipliers, means over the step; forces of springs and motors are asked of their laws, over
 * the same step (told.c).
 *
 * Turns about an axis and ways along a direction of a body are no functions of forms, but their
 * changes are: with the means of both ends,
 *
 *     dy = (mean u . (w_f - w_i) - mean w . (u_f - u_i))/2 ,     dy = mean d . (p_f - p_i) ,
 *
 * where (u, w) are components of directors: (d_k.y, d_k.z) about the x-axis of the ground, (d_3,
 * d_2) about d_1. Moments act along the former, forces that turn with their body along the latter;
 * dy/h of the former is an angular velocity.
 *
 * TS_STATE_WORK: the variables are any, or none. The work f (y_f - y_i) is supplied from outside,
 * but for a force that vanishes with the rate of its target and opposes it, a damper whose strength
 * depends on other things: what that takes is dissipated.
 *
 * TS_STATE_OWN: the variables are the target y and its rate v alone, and not the time. The force at
 * rest is an energy, the remainder is work, or dissipation where it opposes the motion:
 *
 *     f(y, v) = f(y, 0) + r(y, v) ,     V(y) = - integral of f(y, 0) from the anchor to y ,
 *     s = -g { 1/(y_f - y_i) integral from y_i to y_f of f(y, 0) dy + r(mean y, mean v) } .
 *
 * TS_STATE_RATE: the target is a variable without mass, and f its rate. What multiplies its
 * gradient in the balance is
 *
 *     s = (y_f - y_i)/h - f ,     at rest  s = -f ,
 *
 * and is zero since nothing else acts there: the implicit midpoint rule; equilibria have f = 0. In
 * ED's stage the jump of such a variable is zero, by weights of the stage that are proportional to
 * it.
 *
 * TS_STATE_VALUE: the target has no mass, either, and s = y_f - f: the value of the expression over
 * the step. What depends on it takes y_f (TS_TAKEN_END), so nothing lags behind.
 *
 * TS_STATE_SAMPLE: s = y_f - f(start of the step) in a step that begins with a sample, and y_f -
 * y_i in all others. Positions are those of the start; rates are extrapolated from the means of the
 * last two steps, at second order. At rest a sample is taken.
 *
 * The mean of f(y, 0) over the way is computed by Gauss-Legendre quadrature with ten points, over
 * pieces that are halved as long as a kink or jump lies within, or both halves differ from the
 * whole by more than round-off: nothing cancels, however short the way. V is kept in the memory,
 * with the place it belongs to, so that its change over a step is the work of the mean force.
 */
#include "laws/state_law.h"

#include <math.h>
#include <string.h>

#include "laws/told.h"
#include "laws/way.h"
#include "math/gauss.h"

/* ---- measures ---- */

enum { MOST_FORMS = 6 }; /* of a measure */

typedef struct over_step {
    double y_i, y_f, delta;
    /* discrete gradient, its derivative by e_f, derivative of the change by e_f */
    double g[MOST_FORMS], dg[MOST_FORMS * MOST_FORMS], slope[MOST_FORMS];
} over_step;

/* Measures that have a value are ways: way.c. */
static double way_value(const double *measure, double memory, const double *e) {
    const double way[TS_WAY_NUMBERS] = {measure[TS_MEASURE_KIND], measure[TS_MEASURE_TINY]};
    return ts_way_value(way, memory, e);
}

static void over_value(const double *measure, double memory, const double *i, const double *f,
                       over_step *out) {
    const double way[TS_WAY_NUMBERS] = {measure[TS_MEASURE_KIND], measure[TS_MEASURE_TINY]};
    ts_way y;
    ts_way_over(way, memory, i, f, &y);
    *out = (over_step){y.y_i, y.y_f, y.delta, .g = {y.g[0], y.g[1]}};
    for (int k = 0; k < y.forms; k++) {
        out->slope[k] = y.slope[k];
        for (int l = 0; l < y.forms; l++) out->dg[MOST_FORMS * k + l] = y.dg[y.forms * k + l];
    }
}

static double no_value(const double *measure, double memory, const double *e) {
    return (void)measure, (void)memory, (void)e, 0;
}

static void over_turn(const double *measure, double memory, const double *i, const double *f,
                      over_step *out) {
    (void)measure, (void)memory;
    *out = (over_step){0};
    for (int k = 0, l = 3; k < 3; k++, l++) {
        out->g[k] = -0.25 * (i[l] + f[l]), out->g[l] = 0.25 * (i[k] + f[k]);
        out->dg[MOST_FORMS * k + l] = -0.25, out->dg[MOST_FORMS * l + k] = 0.25;
        out->slope[k] = -0.5 * i[l], out->slope[l] = 0.5 * i[k];
        out->delta += out->g[k] * (f[k] - i[k]) + out->g[l] * (f[l] - i[l]);
    }
}

static void over_way(const double *measure, double memory, const double *i, const double *f,
                     over_step *out) {
    (void)measure, (void)memory;
    *out = (over_step){0};
    for (int k = 0, l = 3; k < 3; k++, l++) {
        out->g[k] = out->slope[k] = 0.5 * (i[l] + f[l]);
        out->dg[MOST_FORMS * k + l] = 0.5;
        out->slope[l] = 0.5 * (f[k] - i[k]);
        out->delta += out->g[k] * (f[k] - i[k]);
    }
}

static const struct {
    int forms;
    double (*value)(const double *measure, double memory, const double *e);
    void (*over)(const double *measure, double memory, const double *i, const double *f,
                 over_step *out);
} MEASURES[] = {[TS_MEASURE_LINEAR] = {1, way_value, over_value},
                [TS_MEASURE_ANGLE] = {2, way_value, over_value},
                [TS_MEASURE_LENGTH] = {1, way_value, over_value},
                [TS_MEASURE_TURN] = {6, no_value, over_turn},
                [TS_MEASURE_WAY] = {6, no_value, over_way}};

int ts_measure_forms(ts_measure_kind kind) { return MEASURES[kind].forms; }

static const double *measure_of(const double *data, int m) {
    return data + TS_STATE_HEAD + m * TS_MEASURE_NUMBERS;
}
static const double *variable_of(const double *data, int k) {
    return measure_of(data, (int)data[TS_STATE_MEASURES]) + k * TS_VARIABLE_NUMBERS;
}
static ts_taken taken(const double *variable) { return (ts_taken)variable[TS_VARIABLE_TAKEN]; }
static int from(const double *variable) { return (int)variable[TS_VARIABLE_MEASURE]; }
static bool at_end(ts_taken how) { return how == TS_TAKEN_END || how == TS_TAKEN_NEXT; }
static int kind_of(const double *measure) { return (int)measure[TS_MEASURE_KIND]; }
static int form_of(const double *measure) { return (int)measure[TS_MEASURE_FORM]; }

static double measure_value(const double *data, const double *memory, int m, const double *e) {
    const double *measure = measure_of(data, m);
    return MEASURES[kind_of(measure)].value(measure, memory[TS_STATE_MEMORY + m],
                                            e + form_of(measure));
}

static void measure_over(const ts_law_step *step, int m, over_step *out) {
    const double *measure = measure_of(step->data, m);
    int form = form_of(measure);
    MEASURES[kind_of(measure)].over(measure, step->memory[TS_STATE_MEMORY + m], step->e_i + form,
                                    step->e_f + form, out);
}

/* Angles of the end of a step go on from those of its start. */
static void keep_angles(const double *data, const double *e, double *memory) {
    for (int m = 0; m < (int)data[TS_STATE_MEASURES]; m++)
        memory[TS_STATE_MEMORY + m] = measure_value(data, memory, m, e);
}

/* ---- the force ---- */

/* An expression with the numbers of its site. */
typedef struct formula {
    const double *data;
    const ts_expr *expr;
} formula;

static formula formula_of(const ts_law_step *step) {
    return (formula){step->data, step->signals[step->signal[0]].expr};
}

static double force(formula of, double t, const double *x, const double *direction, double *slope) {
    double f = ts_expr_at(of.expr, t, x, direction, slope), scale = of.data[TS_STATE_SCALE];
    *slope *= scale;
    return scale * f;
}

/* A force on the target y by y and its rate v, with its slope along (dy, dv). */
typedef struct point {
    double y, v, dy, dv;
} point;

static void variables_at(const double *data, point p, double *x, double *direction) {
    for (int k = 0; k < (int)data[TS_STATE_VARIABLES]; k++) {
        const double *variable = variable_of(data, k);
        bool rate = taken(variable) == TS_TAKEN_RATE;
        x[k] = rate ? p.v : p.y + variable[TS_VARIABLE_OFFSET];
        direction[k] = rate ? p.dv : p.dy;
    }
}

static double own_force(formula of, point p, double *slope) {
    double x[TS_STATE_MAX_VARIABLES], direction[TS_STATE_MAX_VARIABLES];
    variables_at(of.data, p, x, direction);
    return force(of, 0, x, direction, slope);
}

static double own_branch(formula of, double y) {
    double x[TS_STATE_MAX_VARIABLES], direction[TS_STATE_MAX_VARIABLES];
    variables_at(of.data, (point){.y = y}, x, direction);
    return ts_expr_mark_at(of.expr, 0, x);
}

static bool uses(const double *data, bool rate) {
    for (int k = 0; k < (int)data[TS_STATE_VARIABLES]; k++)
        if ((taken(variable_of(data, k)) == TS_TAKEN_RATE) == rate) return true;
    return false;
}

/* ---- its mean over a way at rest ---- */

enum { MOST_PIECES = 4000 };
static const double NOISE = 4e-15; /* of the whole */

/* The way y + x delta, x from 0 to 1. */
typedef struct way {
    formula of;
    double y, delta, size; /* integral of |f| + |f' y|: rounding of y changes f by |f' y| eps */
    int pieces;            /* that may still be taken */
    bool kinked;
} way;

typedef struct piece {
    double from, to, sum, slope, size; /* integrals of f, x f', |f| + |f' y| over x */
} piece;

static piece gauss(const way *w, double from, double to) {
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    piece p = {from, to, 0, 0, 0};
    for (int i = 0; i < TS_GAUSS_POINTS; i++) {
        double at = middle + half * TS_GAUSS[i].x, c = half * TS_GAUSS[i].weight, slope;
        double y = w->y + at * w->delta, f = own_force(w->of, (point){.y = y, .dy = 1}, &slope);
        double rounded = isfinite(slope) ? fabs(slope * y) : 0;
        p.sum += c * f, p.slope += c * at * slope, p.size += c * (fabs(f) + rounded);
    }
    return p;
}

static bool kink_within(const way *w, piece p) {
    double middle = 0.5 * (p.from + p.to), mark = own_branch(w->of, w->y + p.from * w->delta);
    return mark != own_branch(w->of, w->y + middle * w->delta) ||
           mark != own_branch(w->of, w->y + p.to * w->delta);
}

static void add_pieces(way *w, piece whole, double *sum, double *slope) {
    double middle = 0.5 * (whole.from + whole.to);
    piece left = gauss(w, whole.from, middle), right = gauss(w, middle, whole.to);
    double both = left.sum + right.sum;
    bool kink = kink_within(w, whole), last = --w->pieces <= 0 || middle == whole.from ||
                                              middle == whole.to || !isfinite(both) ||
                                              whole.to - whole.from < 1e-15;
    w->kinked |= kink;
    if (last || (fabs(both - whole.sum) <= NOISE * w->size && !kink)) {
        *sum += both, *slope += left.slope + right.slope;
        return;
    }
    add_pieces(w, left, sum, slope), add_pieces(w, right, sum, slope);
}

/* The mean force and its derivative by the end of the way. A jump has no slope: differences. */
static double mean_force(formula of, double y, double delta, double *slope) {
    double sum = 0, ignored;
    *slope = 0;
    if (delta == 0 || !uses(of.data, false)) {
        double f = own_force(of, (point){.y = y, .dy = 1}, slope);
        *slope *= 0.5;
        return f;
    }
    way w = {.of = of, .y = y, .delta = delta, .pieces = MOST_PIECES};
    piece whole = gauss(&w, 0, 1);
    w.size = whole.size;
    add_pieces(&w, whole, &sum, slope);
    if (w.kinked) *slope = (own_force(of, (point){.y = y + delta}, &ignored) - sum) / delta;
    return sum;
}

/* V at y, of a memory that knows it elsewhere. */
static double stored_at(formula of, const double *memory, double y) {
    double change = y - memory[TS_STATE_AT], slope;
    if (change == 0) return memory[TS_STATE_STORED];
    return memory[TS_STATE_STORED] - change * mean_force(of, memory[TS_STATE_AT], change, &slope);
}

/* ---- the law of the target alone ---- */

static void begin_own(const ts_law_step *rest, double *memory) {
    const double *data = rest->data, *e = rest->e_f;
    keep_angles(data, e, memory);
    memory[TS_STATE_AT] = data[TS_STATE_ANCHOR], memory[TS_STATE_STORED] = 0;
    double y = measure_value(data, memory, 0, e);
    memory[TS_STATE_STORED] = stored_at(formula_of(rest), memory, y), memory[TS_STATE_AT] = y;
}

static double own_energy(const ts_law_step *rest) {
    return stored_at(formula_of(rest), rest->memory,
                     measure_value(rest->data, rest->memory, 0, rest->e_f));
}

/* What the rate adds to the force, and the derivative of that by the end of the step. */
static double remainder_of(const ts_law_step *step, const over_step *y, double *slope) {
    double rate = ts_step_rate(step), by_y, by_y_at_rest, by_v;
    *slope = 0;
    if (rate == 0 || !uses(step->data, true)) return 0;
    point p = {y->y_i + 0.5 * y->delta, rate * y->delta, 1, 0}, rest = {p.y, 0, 1, 0};
    double moving = own_force(formula_of(step), p, &by_y);
    double resting = own_force(formula_of(step), rest, &by_y_at_rest);
    p.dy = 0, p.dv = 1;
    own_force(formula_of(step), p, &by_v);
    *slope = 0.5 * (by_y - by_y_at_rest) + rate * by_v;
    return moving - resting;
}

static void push(const ts_law_step *step, const over_step *y, double f, double slope,
                 ts_response *out) {
    const double *target = measure_of(step->data, 0);
    int form = form_of(target), forms = MEASURES[kind_of(target)].forms, m = step->m;
    for (int j = 0; j < forms; j++) {
        out->s[form + j] = -f * y->g[j];
        for (int k = 0; k < forms; k++)
            out->ds[(form + j) * m + form + k] =
                -slope * y->g[j] * y->slope[k] - f * y->dg[MOST_FORMS * j + k];
    }
}

static void respond_own(const ts_law_step *step, ts_response *out) {
    over_step y;
    double slope, slope_r;
    measure_over(step, 0, &y);
    double mean = mean_force(formula_of(step), y.y_i, y.delta, &slope);
    double r = remainder_of(step, &y, &slope_r), power = r * y.delta;
    *out =
        (ts_response){.stored = stored_at(formula_of(step), step->memory, y.y_i) - mean * y.delta,
                      .dissipated = power < 0 ? -power : 0,
                      .work = power > 0 ? power : 0};
    push(step, &y, mean + r, slope + slope_r, out);
}

static void own_stiffness(const ts_law_step *rest, double *K) {
    int forms = MEASURES[kind_of(measure_of(rest->data, 0))].forms, m = rest->m;
    over_step y;
    double slope;
    measure_over(rest, 0, &y);
    own_force(formula_of(rest), (point){.y = y.y_i, .dy = 1}, &slope);
    memset(K, 0, (size_t)(m * m) * sizeof *K);
    for (int j = 0; j < forms && slope < 0; j++)
        for (int k = 0; k < forms; k++) K[j * m + k] = -slope * y.slope[j] * y.slope[k];
}

static void commit_own(const ts_law_step *step, double *memory) {
    over_step y;
    double slope;
    measure_over(step, 0, &y);
    double stored = stored_at(formula_of(step), step->memory, y.y_i) -
                    y.delta * mean_force(formula_of(step), y.y_i, y.delta, &slope);
    keep_angles(step->data, step->e_f, memory);
    memory[TS_STATE_STORED] = stored, memory[TS_STATE_AT] = y.y_f;
}

const ts_law TS_STATE_OWN = {.name = "force of the state, along itself",
                             .memory = TS_STATE_MEMORY,
                             .begin_at = begin_own,
                             .energy_at = own_energy,
                             .respond = respond_own,
                             .stiffness_at = own_stiffness,
                             .commit = commit_own};

/* ---- the law of anything ---- */

static void begin_work(const double *data, const double *e, double *memory) {
    keep_angles(data, e, memory);
}

static double no_energy(const double *data, const double *memory, int m, const double *e) {
    (void)data, (void)memory, (void)m, (void)e;
    return 0;
}

double ts_mean_signal(const ts_law_step *step) {
    if (step->signal[0] < 0) return 0;
    const ts_signal *signal = &step->signals[step->signal[0]];
    double h = step->t_f - step->t_i;
    double near = h > 0 ? 1e-9 * h + 1e-15 * fabs(step->t_f) : 0;
    double at_i = ts_signal_value_side(signal, (ts_when){step->t_i, step->inputs}, near);
    double at_f = ts_signal_value_side(signal, (ts_when){step->t_f, step->inputs}, -near);
    return 0.5 * (at_i + at_f);
}

static double reaction(const ts_law_step *step, const double *variable) {
    return step->lambda ? variable[TS_VARIABLE_OFFSET] * step->lambda[from(variable)] : 0;
}

/* The force of other sites. Adds `times` its derivatives: told.h. */
static double told(const ts_law_step *step, const double *variable, double times, double *by_e,
                   double *by_lambda) {
    const double *first = ts_told_entries(step->data) + TS_TOLD_NUMBERS * from(variable);
    return ts_told(step, first, (int)variable[TS_VARIABLE_OFFSET], times, by_e, by_lambda);
}

/* What does not depend on forms. */
static bool is_outside(const double *variable) { return taken(variable) >= TS_TAKEN_MULTIPLIER; }

static double outside(const ts_law_step *step, const double *variable, double t) {
    double value, rate;
    if (taken(variable) == TS_TAKEN_MULTIPLIER) return reaction(step, variable);
    ts_signal_eval(&step->signals[from(variable)], (ts_when){t, step->inputs}, &value, &rate);
    return value;
}

static double variable_over(const ts_law_step *step, const double *variable, const over_step *y) {
    ts_taken how = taken(variable);
    if (is_outside(variable)) return outside(step, variable, 0.5 * (step->t_i + step->t_f));
    if (how == TS_TAKEN_TOLD) return told(step, variable, 0, NULL, NULL);
    y += from(variable);
    if (how == TS_TAKEN_RATE) return ts_step_rate(step) * y->delta;
    return y->y_i + (at_end(how) ? 1 : 0.5) * y->delta + variable[TS_VARIABLE_OFFSET];
}

/* The force at some values of the variables, and its derivative by each. */
static double force_at(const ts_law_step *step, double t, const double *x, double *by) {
    double direction[TS_STATE_MAX_VARIABLES] = {0}, f = 0;
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) {
        direction[k] = 1;
        f = force(formula_of(step), t, x, direction, &by[k]);
        direction[k] = 0;
    }
    return f;
}

/* The force over a step, and its derivative by every variable. */
static double work_force(const ts_law_step *step, const over_step *y, double *by) {
    double x[TS_STATE_MAX_VARIABLES];
    int count = (int)step->data[TS_STATE_VARIABLES];
    if (count == 0) return step->data[TS_STATE_SCALE] * ts_mean_signal(step);
    for (int k = 0; k < count; k++) x[k] = variable_over(step, variable_of(step->data, k), y);
    return force_at(step, 0.5 * (step->t_i + step->t_f), x, by);
}

static bool is_own_rate(const double *variable) {
    return taken(variable) == TS_TAKEN_RATE && from(variable) == 0;
}

/* Would there be no force if the target stood still, all else being the same? Tables leave
 * round-off. */
static bool is_damper(const ts_law_step *step, const over_step *y, double f) {
    double x[TS_STATE_MAX_VARIABLES], still[TS_STATE_MAX_VARIABLES] = {0}, slope;
    bool reads_rate = false;
    int count = (int)step->data[TS_STATE_VARIABLES];
    for (int k = 0; k < count; k++) reads_rate |= is_own_rate(variable_of(step->data, k));
    if (!reads_rate) return false;
    for (int k = 0; k < count; k++) {
        const double *variable = variable_of(step->data, k);
        x[k] = is_own_rate(variable) ? 0 : variable_over(step, variable, y);
    }
    double rest = force(formula_of(step), 0.5 * (step->t_i + step->t_f), x, still, &slope);
    return fabs(rest) <= 1e-12 * fabs(f);
}

/* At rest both ends are one, and slopes are halved: law.h. */
static bool at_rest(const ts_law_step *step) { return !(step->t_f > step->t_i); }
static double end_slope(const ts_law_step *step) { return at_rest(step) ? 0.5 : 1; }

/* Of a variable that others tell: by all forms. */
static void add_told_slope(const ts_law_step *step, const double *variable, const over_step *y,
                           double by, ts_response *out) {
    const double *target = measure_of(step->data, 0);
    double slope[TS_MAX_FORMS] = {0};
    told(step, variable, by, slope, NULL);
    for (int j = 0; j < MEASURES[kind_of(target)].forms; j++)
        for (int l = 0; l < step->m; l++)
            out->ds[(form_of(target) + j) * step->m + l] -= y[0].g[j] * slope[l];
}

/* Adds the derivative of the force by the forms of one variable. */
static void add_slope(const ts_law_step *step, int k, const over_step *y, double by,
                      ts_response *out) {
    const double *variable = variable_of(step->data, k), *target = measure_of(step->data, 0);
    if (is_outside(variable)) return;
    if (taken(variable) == TS_TAKEN_TOLD) {
        add_told_slope(step, variable, y, by, out);
        return;
    }
    const double *measure = measure_of(step->data, from(variable));
    const double *slope = y[from(variable)].slope;
    double part = taken(variable) == TS_TAKEN_RATE ? by * ts_step_rate(step)
                  : at_end(taken(variable))        ? by * end_slope(step)
                                                   : 0.5 * by;
    for (int j = 0; j < MEASURES[kind_of(target)].forms; j++)
        for (int l = 0; l < MEASURES[kind_of(measure)].forms; l++)
            out->ds[(form_of(target) + j) * step->m + form_of(measure) + l] -=
                part * y[0].g[j] * slope[l];
}

static void respond_work(const ts_law_step *step, ts_response *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES];
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    double f = work_force(step, y, by);
    double work = f * y[0].delta;
    bool lost = work < 0 && is_damper(step, y, f);
    *out = (ts_response){.work = lost ? 0 : work, .dissipated = lost ? -work : 0};
    push(step, &y[0], f, 0, out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) add_slope(step, k, y, by[k], out);
}

/* Derivatives of s by multipliers, where the force is `f` by its variables. */
static void multiplier_slopes(const ts_law_step *step, const over_step *y, const double *by,
                              double *out) {
    const double *target = measure_of(step->data, 0);
    int reads = step->reads, form = form_of(target);
    double slope[TS_MAX_FORMS] = {0};
    memset(out, 0, (size_t)(step->m * reads) * sizeof *out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) {
        const double *variable = variable_of(step->data, k);
        if (taken(variable) == TS_TAKEN_MULTIPLIER)
            slope[from(variable)] += by[k] * variable[TS_VARIABLE_OFFSET];
        if (taken(variable) == TS_TAKEN_TOLD) told(step, variable, by[k], NULL, slope);
    }
    for (int j = 0; j < MEASURES[kind_of(target)].forms; j++)
        for (int r = 0; r < reads; r++) out[(form + j) * reads + r] -= y[0].g[j] * slope[r];
}

static void work_by_multipliers(const ts_law_step *step, double *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    work_force(step, y, by);
    multiplier_slopes(step, y, by, out);
}

static void commit_work(const ts_law_step *step, double *memory) {
    keep_angles(step->data, step->e_f, memory);
}

const ts_law TS_STATE_WORK = {.name = "force of the state",
                              .memory = TS_STATE_MEMORY,
                              .begin = begin_work,
                              .energy = no_energy,
                              .respond = respond_work,
                              .by_multipliers = work_by_multipliers,
                              .commit = commit_work};

/* ---- variables with a rate of their own ---- */

static void respond_rate(const ts_law_step *step, ts_response *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES], rate = ts_step_rate(step);
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    double f = work_force(step, y, by) - rate * y[0].delta;
    *out = (ts_response){.work = f * y[0].delta};
    push(step, &y[0], f, -rate, out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) add_slope(step, k, y, by[k], out);
}

/* Variables without mass do not jump: their weights in the stage are their jumps. */
static void no_jump(int held, const ts_stage_step *rates, ts_stage *out) {
    *out = (ts_stage){0};
    for (int k = 0; k < held; k++) out->k[k] = rates->of_a[k];
}

static void no_jump_slopes(int held, int m, ts_stage_slopes *out) {
    *out = (ts_stage_slopes){0};
    for (int k = 0; k < held; k++) out->k_a[k * m + k] = 1;
}

/* s is zero but for what Newton's method leaves, and there is no energy: nothing to book. */
static bool no_exchange(const double *data) { return (void)data, true; }

static double no_loss(const ts_law_step *step, const ts_stage_step *rates) {
    return (void)step, (void)rates, 0;
}

static void rate_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    no_jump(1, rates, out);
    respond_rate(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

static void rate_slopes(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out) {
    (void)rates;
    no_jump_slopes(1, step->m, out);
}

const ts_law TS_STATE_RATE = {.name = "rate of a state",
                              .variable = true,
                              .memory = TS_STATE_MEMORY,
                              .begin = begin_work,
                              .energy = no_energy,
                              .respond = respond_rate,
                              .by_multipliers = work_by_multipliers,
                              .stage = rate_stage,
                              .stage_loss = no_loss,
                              .conserves = no_exchange,
                              .stage_slopes = rate_slopes,
                              .commit = commit_work};

/* ---- variables that are a value ---- */

/* s = y_f - f: the target by its value, not by its rate. */
static void be(const ts_law_step *step, const over_step *y, double f, ts_response *out) {
    double missing = f - y[0].y_f;
    *out = (ts_response){.work = missing * y[0].delta};
    push(step, &y[0], missing, -end_slope(step), out);
}

static void respond_value(const ts_law_step *step, ts_response *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES];
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    be(step, y, work_force(step, y, by), out);
    for (int k = 0; k < (int)step->data[TS_STATE_VARIABLES]; k++) add_slope(step, k, y, by[k], out);
}

static void value_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    no_jump(1, rates, out);
    respond_value(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

const ts_law TS_STATE_VALUE = {.name = "value of a state",
                               .variable = true,
                               .memory = TS_STATE_MEMORY,
                               .begin = begin_work,
                               .energy = no_energy,
                               .respond = respond_value,
                               .by_multipliers = work_by_multipliers,
                               .stage = value_stage,
                               .stage_loss = no_loss,
                               .conserves = no_exchange,
                               .stage_slopes = rate_slopes,
                               .commit = commit_work};

/* ---- samples ---- */

const double *ts_sampling(const double *data) {
    return variable_of(data, (int)data[TS_STATE_VARIABLES]);
}
static int samples_at(const double *data) { return TS_STATE_MEMORY + (int)data[TS_STATE_MEASURES]; }

/* Samples until t, that of t included. Clocks carry round-off. */
static double samples_until(const double *data, double t) {
    const double *s = ts_sampling(data);
    return fmax(0, floor((t - s[TS_SAMPLE_FIRST]) / s[TS_SAMPLE_PERIOD] + 1e-6) + 1);
}

static bool due(const ts_law_step *step) {
    return at_rest(step) ||
           samples_until(step->data, step->t_i) > step->memory[samples_at(step->data)];
}

/* A variable at the start of the step. */
static double variable_then(const ts_law_step *step, const double *variable, const over_step *y) {
    const double *past = step->memory + samples_at(step->data);
    if (is_outside(variable)) return outside(step, variable, step->t_i);
    if (taken(variable) == TS_TAKEN_TOLD) return told(step, variable, 0, NULL, NULL);
    int m = from(variable);
    if (taken(variable) == TS_TAKEN_NEXT) return y[m].y_f;
    if (taken(variable) != TS_TAKEN_RATE) return y[m].y_i + variable[TS_VARIABLE_OFFSET];
    if (past[TS_SAMPLE_STEP] < 0 || at_rest(step)) return ts_step_rate(step) * y[m].delta;
    return past[TS_SAMPLE_RATES + 2 * m + 1];
}

/* Does what was sampled depend on the end of the step? At rest both ends are one. Rates do in the
 * very first step. */
static bool depends(const ts_law_step *step, const double *variable) {
    const double *past = step->memory + samples_at(step->data);
    bool first = taken(variable) == TS_TAKEN_RATE && past[TS_SAMPLE_STEP] < 0;
    bool told_now = taken(variable) == TS_TAKEN_TOLD, next = taken(variable) == TS_TAKEN_NEXT;
    return due(step) && (at_rest(step) || first || next || told_now);
}

static double sampled(const ts_law_step *step, const over_step *y, double *by) {
    double x[TS_STATE_MAX_VARIABLES];
    int count = (int)step->data[TS_STATE_VARIABLES];
    if (!due(step)) return y[0].y_i;
    if (count == 0) {
        ts_law_step then = *step;
        then.t_f = then.t_i;
        return step->data[TS_STATE_SCALE] * ts_mean_signal(&then);
    }
    for (int k = 0; k < count; k++) x[k] = variable_then(step, variable_of(step->data, k), y);
    return force_at(step, step->t_i, x, by);
}

static void respond_sample(const ts_law_step *step, ts_response *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    int count = (int)step->data[TS_STATE_VARIABLES];
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    be(step, y, sampled(step, y, by), out);
    for (int k = 0; k < count; k++)
        if (depends(step, variable_of(step->data, k))) add_slope(step, k, y, by[k], out);
}

static void sample_by_multipliers(const ts_law_step *step, double *out) {
    over_step y[TS_MAX_FORMS];
    double by[TS_STATE_MAX_VARIABLES] = {0};
    for (int m = 0; m < (int)step->data[TS_STATE_MEASURES]; m++) measure_over(step, m, &y[m]);
    sampled(step, y, by);
    multiplier_slopes(step, y, by, out);
}

static void begin_sample(const double *data, const double *e, double *memory) {
    keep_angles(data, e, memory);
    memset(memory + samples_at(data), 0,
           (size_t)(TS_SAMPLE_RATES + 2 * (int)data[TS_STATE_MEASURES]) * sizeof *memory);
    memory[samples_at(data) + TS_SAMPLE_STEP] = -1;
}

void ts_sample_start(const ts_law_step *instant, double *memory) {
    double *past = memory + samples_at(instant->data);
    over_step y;
    for (int m = 0; m < (int)instant->data[TS_STATE_MEASURES]; m++) {
        measure_over(instant, m, &y);
        for (int k = 0; k < 2; k++)
            past[TS_SAMPLE_RATES + 2 * m + k] = ts_step_rate(instant) * y.delta;
    }
    past[TS_SAMPLE_STEP] = 0;
}

static void commit_sample(const ts_law_step *step, double *memory) {
    double *past = memory + samples_at(step->data), h = step->t_f - step->t_i;
    double before = past[TS_SAMPLE_STEP], bend = before < 0 ? 0 : h / (before + h);
    over_step y;
    for (int m = 0; h > 0 && m < (int)step->data[TS_STATE_MEASURES]; m++) {
        double *rate = past + TS_SAMPLE_RATES + 2 * m;
        measure_over(step, m, &y);
        double mean = y.delta / h;
        rate[1] = mean + bend * (mean - rate[0]), rate[0] = mean;
    }
    if (h > 0) past[TS_SAMPLE_STEP] = h;
    if (h > 0)
        past[TS_SAMPLES_TAKEN] = fmax(past[TS_SAMPLES_TAKEN], samples_until(step->data, step->t_i));
    keep_angles(step->data, step->e_f, memory);
}

static void sample_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    ts_response r;
    no_jump(1, rates, out);
    respond_sample(step, &r);
    memcpy(out->s, r.s, sizeof out->s);
}

const ts_law TS_STATE_SAMPLE = {.name = "sample",
                                .variable = true,
                                .memory = TS_STATE_MEMORY,
                                .begin = begin_sample,
                                .energy = no_energy,
                                .respond = respond_sample,
                                .by_multipliers = sample_by_multipliers,
                                .stage = sample_stage,
                                .stage_loss = no_loss,
                                .conserves = no_exchange,
                                .stage_slopes = rate_slopes,
                                .commit = commit_sample};

/* ---- nothing ---- */

static void respond_hold(const ts_law_step *step, ts_response *out) {
    *out = (ts_response){0};
    for (int k = 0; k < step->m; k++) {
        out->s[k] = 0.5 * (step->e_i[k] + step->e_f[k]);
        out->ds[k * step->m + k] = 0.5;
        out->work -= out->s[k] * (step->e_f[k] - step->e_i[k]);
    }
}

static void hold_stage(const ts_law_step *step, const ts_stage_step *rates, ts_stage *out) {
    no_jump(step->m, rates, out);
    for (int k = 0; k < step->m; k++) out->s[k] = 0.5 * (step->e_i[k] + step->e_f[k]);
}

static void hold_slopes(const ts_law_step *step, const ts_stage_step *rates, ts_stage_slopes *out) {
    (void)rates;
    no_jump_slopes(step->m, step->m, out);
}

const ts_law TS_STATE_HOLD = {.name = "nothing",
                              .variable = true,
                              .energy = no_energy,
                              .respond = respond_hold,
                              .stage = hold_stage,
                              .stage_loss = no_loss,
                              .conserves = no_exchange,
                              .stage_slopes = hold_slopes};
