/* SPDX-License-Identifier: Apache-2.0 */
/* A force that depends only on its own target y and the rate v of y, and not on the time:
 * TS_STATE_OWN. The force at rest has an energy; the remainder does work, or dissipates where it
 * opposes the motion:
 *
 *     f(y, v) = f(y, 0) + r(y, v) ,     V(y) = - integral of f(y, 0) from the anchor to y ,
 *     s = -g { 1/(y_f - y_i) integral from y_i to y_f of f(y, 0) dy + r(mean y, mean v) } .
 *
 * The mean of f(y, 0) over the way is computed by Gauss-Legendre quadrature with ten points, over
 * pieces that are halved as long as a kink or jump lies within, or both halves differ from the
 * whole by more than round-off: nothing cancels, however short the way. V is stored in the memory,
 * with the value of y that it belongs to, so that its change over a step is the work of the mean
 * force.
 */
#include <math.h>
#include <string.h>

#include "laws/state/over.h"
#include "math/gauss.h"

/* A force on the target y by y and its rate v, with its slope along (dy, dv). */
typedef struct point {
    double y, v, dy, dv;
} point;

static void variables_at(const double *data, point p, double *x, double *direction) {
    for (int k = 0; k < (int)data[TS_STATE_VARIABLES]; k++) {
        const double *variable = ts_variable_of(data, k);
        bool rate = ts_taken_as(variable) == TS_TAKEN_RATE;
        x[k] = rate ? p.v : p.y + variable[TS_VARIABLE_OFFSET];
        direction[k] = rate ? p.dv : p.dy;
    }
}

static double own_force(ts_programme of, point p, double *slope) {
    double x[TS_STATE_MAX_VARIABLES], direction[TS_STATE_MAX_VARIABLES];
    variables_at(of.data, p, x, direction);
    return ts_force_by(of, 0, x, direction, slope);
}

static double own_branch(ts_programme of, double y) {
    double x[TS_STATE_MAX_VARIABLES], direction[TS_STATE_MAX_VARIABLES];
    variables_at(of.data, (point){.y = y}, x, direction);
    return ts_expr_mark_at(of.expr, 0, x);
}

static bool uses(const double *data, bool rate) {
    for (int k = 0; k < (int)data[TS_STATE_VARIABLES]; k++)
        if ((ts_taken_as(ts_variable_of(data, k)) == TS_TAKEN_RATE) == rate) return true;
    return false;
}

/* ---- mean of the force at rest ---- */

enum { MOST_PIECES = 4000 };
static const double NOISE = 4e-15; /* of the whole */

/* The displacement y + x delta, x from 0 to 1. */
typedef struct way {
    ts_programme of;
    double y, delta, size; /* integral of |f| + |f' y|: rounding of y changes f by |f' y| eps */
    int pieces;            /* number of pieces that may still be used */
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

/* The mean force and its derivative by the end of the displacement. A jump has no slope:
 * differences are used. */
static double mean_force(ts_programme of, double y, double delta, double *slope) {
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

/* V at y, from a memory that contains V at another place. */
static double stored_at(ts_programme of, const double *memory, double y) {
    double change = y - memory[TS_STATE_AT], slope;
    if (change == 0) return memory[TS_STATE_STORED];
    return memory[TS_STATE_STORED] - change * mean_force(of, memory[TS_STATE_AT], change, &slope);
}

/* ---- the law that depends on the target only ---- */

static void begin_own(const ts_law_step *rest, double *memory) {
    const double *data = rest->data, *e = rest->e_f;
    ts_measures_keep(data, e, memory);
    memory[TS_STATE_AT] = data[TS_STATE_ANCHOR], memory[TS_STATE_STORED] = 0;
    double y = ts_measure_at(data, memory, 0, e);
    memory[TS_STATE_STORED] = stored_at(ts_programme_of(rest), memory, y), memory[TS_STATE_AT] = y;
}

static double own_energy(const ts_law_step *rest) {
    return stored_at(ts_programme_of(rest), rest->memory,
                     ts_measure_at(rest->data, rest->memory, 0, rest->e_f));
}

/* The part of the force that depends on the rate, and its derivative by the end of the step. */
static double remainder_of(const ts_law_step *step, const ts_over *y, double *slope) {
    double rate = ts_step_rate(step), by_y, by_y_at_rest, by_v;
    *slope = 0;
    if (rate == 0 || !uses(step->data, true)) return 0;
    point p = {y->y_i + 0.5 * y->delta, rate * y->delta, 1, 0}, rest = {p.y, 0, 1, 0};
    double moving = own_force(ts_programme_of(step), p, &by_y);
    double resting = own_force(ts_programme_of(step), rest, &by_y_at_rest);
    p.dy = 0, p.dv = 1;
    own_force(ts_programme_of(step), p, &by_v);
    *slope = 0.5 * (by_y - by_y_at_rest) + rate * by_v;
    return moving - resting;
}

static void respond_own(const ts_law_step *step, ts_response *out) {
    ts_over y;
    double slope, slope_r;
    ts_measure_over(step, 0, &y);
    double mean = mean_force(ts_programme_of(step), y.y_i, y.delta, &slope);
    double r = remainder_of(step, &y, &slope_r), power = r * y.delta;
    *out = (ts_response){.stored =
                             stored_at(ts_programme_of(step), step->memory, y.y_i) - mean * y.delta,
                         .dissipated = power < 0 ? -power : 0,
                         .work = power > 0 ? power : 0};
    ts_push(step, &y, mean + r, slope + slope_r, out);
}

static void own_stiffness(const ts_law_step *rest, double *K) {
    int forms = ts_measure_forms(ts_kind_of(ts_measure_of(rest->data, 0))), m = rest->m;
    ts_over y;
    double slope;
    ts_measure_over(rest, 0, &y);
    own_force(ts_programme_of(rest), (point){.y = y.y_i, .dy = 1}, &slope);
    memset(K, 0, (size_t)(m * m) * sizeof *K);
    for (int j = 0; j < forms && slope < 0; j++)
        for (int k = 0; k < forms; k++) K[j * m + k] = -slope * y.slope[j] * y.slope[k];
}

static void commit_own(const ts_law_step *step, double *memory) {
    ts_over y;
    double slope;
    ts_measure_over(step, 0, &y);
    double stored = stored_at(ts_programme_of(step), step->memory, y.y_i) -
                    y.delta * mean_force(ts_programme_of(step), y.y_i, y.delta, &slope);
    ts_measures_keep(step->data, step->e_f, memory);
    memory[TS_STATE_STORED] = stored, memory[TS_STATE_AT] = y.y_f;
}

const ts_law TS_STATE_OWN = {.name = "force of the state, along itself",
                             .memory = TS_STATE_MEMORY,
                             .begin_at = begin_own,
                             .energy_at = own_energy,
                             .respond = respond_own,
                             .stiffness_at = own_stiffness,
                             .commit = commit_own};
