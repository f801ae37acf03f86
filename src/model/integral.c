/* SPDX-License-Identifier: Apache-2.0 */
/* The integral of a signal over time, from t = 0.
 *
 * What it gives at t depends on t alone, to the last bit: not on the steps that led there, nor on
 * where a run was restarted.
 *
 *   constant      c t
 *   table         pieces of straight lines, or cubics, have integrals in closed form; so have the
 *                 pieces before the first and after the last point, where a table is constant; one
 *                 that repeats adds its integral over the period for every turn
 *   expression    Gauss-Legendre quadrature with ten points over panels of a fixed length,
 *                 beginning at 0; a panel, or the part of it up to t, is halved as long as a kink
 *                 or jump (a change of ts_signal_branch) lies within, or both halves differ from
 *                 the whole by more than round-off. Sums over whole panels are remembered, and made
 *                 anew from 0 when they are wanted no more and then again.
 */
#include "model/integral.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/gauss.h"

enum { REMEMBERED = 64, DEEPEST = 50, SURELY = 2 };
static const double PANEL = 0x1p-6; /* s */
static const double NOISE = 4e-15;  /* of the panel */

typedef struct ts_integral {
    double *area; /* table: from its first point to each */
    /* expression: over the panels before `panels` of them, at panels % REMEMBERED */
    double sum[REMEMBERED];
    double panels, reached; /* the first that is remembered, and the last */
    double start;           /* value at 0, to be taken away: table */
} ts_integral;

/* ---- tables ---- */

/* From the start of piece k to x behind it. */
static double piece(const ts_signal *s, int k, double x) {
    double c[4];
    ts_signal_piece(s, k, c);
    return x * (c[0] + x * (c[1] / 2 + x * (c[2] / 3 + x * c[3] / 4)));
}

static double over_table(const ts_signal *s, double t) {
    const ts_integral *in = s->integral;
    int last = s->points - 1;
    double turns = s->period > 0 ? floor((t - s->time[0]) / s->period) : 0;
    double before = turns * in->area[last];
    t -= turns * s->period;
    if (t <= s->time[0]) return before + s->value[0] * (t - s->time[0]);
    if (t >= s->time[last]) return before + in->area[last] + s->value[last] * (t - s->time[last]);
    int k = ts_signal_interval(s, t);
    return before + in->area[k] + piece(s, k, t - s->time[k]);
}

static void sum_pieces(ts_signal *s) {
    ts_integral *in = s->integral;
    in->area = ts_calloc((size_t)s->points, sizeof *in->area);
    for (int k = 0; k + 1 < s->points; k++)
        in->area[k + 1] = in->area[k] + piece(s, k, s->time[k + 1] - s->time[k]);
    in->start = over_table(s, 0);
}

/* ---- expressions ---- */

typedef struct range {
    double from, to, sum, size; /* its integral, and that of its absolute value */
} range;

static range gauss(const ts_signal *s, double from, double to) {
    double middle = 0.5 * (from + to), half = 0.5 * (to - from), rate;
    range r = {from, to, 0, 0};
    for (int i = 0; i < TS_GAUSS_POINTS; i += 2) { /* in pairs about the middle */
        double a, b, w = TS_GAUSS[i].weight;
        ts_expr_eval(s->expr, middle + half * TS_GAUSS[i].x, &a, &rate, NULL);
        ts_expr_eval(s->expr, middle + half * TS_GAUSS[i + 1].x, &b, &rate, NULL);
        r.sum += w * (a + b), r.size += w * (fabs(a) + fabs(b));
    }
    r.sum *= half, r.size *= fabs(half);
    return r;
}

static bool kinked(const ts_signal *s, double from, double middle, double to) {
    double mark = ts_signal_branch(s, from);
    return mark != ts_signal_branch(s, middle) || mark != ts_signal_branch(s, to);
}

static double over_range(const ts_signal *s, range whole, double size, int depth) {
    double middle = 0.5 * (whole.from + whole.to);
    range left = gauss(s, whole.from, middle), right = gauss(s, middle, whole.to);
    double sum = left.sum + right.sum;
    bool fine = fabs(sum - whole.sum) <= NOISE * size && depth >= SURELY &&
                !kinked(s, whole.from, middle, whole.to);
    if (fine || depth == DEEPEST || middle == whole.from || middle == whole.to) return sum;
    return over_range(s, left, size, depth + 1) + over_range(s, right, size, depth + 1);
}

static double over_panel(const ts_signal *s, double from, double to) {
    range whole = gauss(s, from, to);
    return from == to ? 0 : over_range(s, whole, whole.size, 0);
}

/* Over so many whole panels, each of PANEL (backwards in time: of -PANEL). */
static double over_panels(const ts_signal *s, double count, double length) {
    ts_integral *in = s->integral;
    if (count < in->panels || length < 0) in->panels = in->reached = in->sum[0] = 0;
    while (in->reached < count) {
        double sum = in->sum[(size_t)fmod(in->reached, REMEMBERED)];
        sum += over_panel(s, in->reached * length, (in->reached + 1) * length);
        in->sum[(size_t)fmod(++in->reached, REMEMBERED)] = sum;
        in->panels = fmax(in->panels, in->reached - REMEMBERED + 1);
    }
    double sum = in->sum[(size_t)fmod(count, REMEMBERED)];
    if (length < 0) in->panels = in->reached = in->sum[0] = 0;
    return sum;
}

static double over_expression(const ts_signal *s, double t) {
    double length = t < 0 ? -PANEL : PANEL, panels = floor(t / length);
    return over_panels(s, panels, length) + over_panel(s, panels * length, t);
}

/* ---- any ---- */

void ts_signal_integrate(ts_signal *s) {
    s->integral = ts_calloc(1, sizeof *s->integral);
    if (s->kind == TS_SIGNAL_TABLE) sum_pieces(s);
}

double ts_integral_value(const ts_signal *s, double t) {
    if (s->kind == TS_SIGNAL_TABLE) return over_table(s, t) - s->integral->start;
    return s->kind == TS_SIGNAL_EXPRESSION ? over_expression(s, t) : t;
}

void ts_integral_free(ts_integral *integral) {
    if (!integral) return;
    free(integral->area);
    free(integral);
}
