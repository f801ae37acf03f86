/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: values and exact rates of scalar functions of time. See signal.h.
 *
 * A constant is stored as its scale. Tables hold their end values outside; inside they are straight
 * lines, or the monotone piecewise cubic of Fritsch and Butland (SIAM J. Sci. Stat. Comput. 5,
 * 1984), which never overshoots. A table with a period repeats for ever, before its first time too;
 * its ends are one point, with neighbours on both sides.
 *
 * At a corner a signal has two rates, at a jump two values. A step that ends there arrives with
 * those of the left side, a step that begins there leaves with those of the right side: so the
 * change over a step holds no share of a corner at its ends, and a force that jumps there has its
 * exact impulse. Times of steps carry round-off; a corner at t is one where the branch of the
 * signal changes between t - d and t + d. Bisection finds the last time before it and the first
 * one after it, neighbours, and the signal is taken there.
 */
#include "model/signal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/integral.h"

ts_signal ts_signal_constant(double value) {
    return (ts_signal){.kind = TS_SIGNAL_CONSTANT, .scale = value};
}

/* The interval k with time[k] <= t < time[k + 1]. */
int ts_signal_interval(const ts_signal *s, double t) {
    int low = 0, high = s->points - 1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double interval_length(const ts_signal *s, int k) { return s->time[k + 1] - s->time[k]; }

static double chord(const ts_signal *s, int k) {
    return (s->value[k + 1] - s->value[k]) / interval_length(s, k);
}

/* One-sided three-point slope at an end, kept from changing the sense of the data. */
static double end_slope(double h0, double h1, double d0, double d1) {
    double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0) return 0;
    if (d0 * d1 <= 0 && fabs(slope) > 3 * fabs(d0)) return 3 * d0;
    return slope;
}

/* Weighted harmonic mean of the chords of two intervals around a point: zero at an extremum of the
 * data. */
static double mean_slope(const ts_signal *s, int before, int after) {
    double d0 = chord(s, before), d1 = chord(s, after);
    if (d0 * d1 <= 0) return 0;
    double h0 = interval_length(s, before), h1 = interval_length(s, after);
    double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}

static double smooth_slope(const ts_signal *s, int k) {
    int last = s->points - 1;
    if (s->period > 0 && (k == 0 || k == last)) return mean_slope(s, last - 1, 0);
    if (last == 1) return chord(s, 0);
    if (k == 0)
        return end_slope(interval_length(s, 0), interval_length(s, 1), chord(s, 0), chord(s, 1));
    if (k == last)
        return end_slope(interval_length(s, k - 1), interval_length(s, k - 2), chord(s, k - 1),
                         chord(s, k - 2));
    return mean_slope(s, k - 1, k);
}

void ts_signal_piece(const ts_signal *s, int k, double c[4]) {
    double h = interval_length(s, k), d = chord(s, k);
    c[0] = s->value[k], c[1] = d, c[2] = c[3] = 0;
    if (!s->smooth) return;
    double m0 = smooth_slope(s, k), m1 = smooth_slope(s, k + 1);
    c[1] = m0, c[2] = (3 * d - 2 * m0 - m1) / h, c[3] = (m0 + m1 - 2 * d) / (h * h);
}

static void cubic(const ts_signal *s, int k, double t, double *value, double *rate) {
    double x = t - s->time[k], c[4];
    ts_signal_piece(s, k, c);
    *value = c[0] + x * (c[1] + x * (c[2] + x * c[3]));
    *rate = c[1] + x * (2 * c[2] + 3 * x * c[3]);
}

static double within_period(const ts_signal *s, double t) {
    return t - s->period * floor((t - s->time[0]) / s->period);
}

static void table(const ts_signal *s, double t, double *value, double *rate) {
    *rate = 0;
    if (s->period > 0) t = within_period(s, t);
    if (t < s->time[0] || s->points == 1) {
        *value = s->value[0];
    } else if (t >= s->time[s->points - 1]) {
        *value = s->value[s->points - 1];
    } else {
        int k = ts_signal_interval(s, t);
        if (s->smooth) {
            cubic(s, k, t, value, rate);
        } else {
            *rate = chord(s, k);
            *value = s->value[k] + *rate * (t - s->time[k]);
        }
    }
}

/* At the start of a ramp the rate is that of the step before: its change over the step is then what
 * the step makes. */
static void ramp(const ts_input *in, double t, double *value, double *rate) {
    if (in->h == 0) return;
    double slope = (in->reached - in->before) / in->h, x = (t - in->t) / in->h;
    *value = x >= 1 ? in->reached : in->before + fmax(x, 0) * (in->reached - in->before);
    *rate = t <= in->t ? in->slope : slope;
}

/* On from the values of this step and of the ones before: u + c x + d x (x + h), x = t - t_i. */
static void extrapolate(const ts_input *in, int order, double t, double *value, double *rate) {
    double x = t - in->t, h = in->h, before = h > 0 ? rint(in->t / h) : 0;
    if (before < 1) return;
    double c = (in->reached - in->before) / h;
    double d = order > 1 && before > 1 ? (c - in->slope) / (2 * h) : 0;
    *value += x * (c + d * (x + h)), *rate = c + d * (2 * x + h);
}

static void input(const ts_signal *s, ts_when when, double *value, double *rate) {
    *value = when.inputs ? when.inputs[s->input].reached : s->drawn, *rate = 0;
    if (when.inputs && s->order > 0)
        extrapolate(&when.inputs[s->input], s->order, when.t, value, rate);
    if (when.inputs && s->ramp) ramp(&when.inputs[s->input], when.t, value, rate);
}

ts_input ts_input_drawn(const ts_signal *s) {
    return (ts_input){.value = s->drawn, .reached = s->drawn};
}

void ts_input_begin(ts_input *in, double t, double h) {
    in->slope = in->h > 0 ? (in->reached - in->before) / in->h : 0;
    in->before = in->reached, in->reached = in->value;
    in->t = t, in->h = h;
}

static void nearer(double *clearance, double left) {
    if (!(fabs(left) >= *clearance)) *clearance = fabs(left);
}

/* Smooth tables have corners at their ends only; repeated, nowhere. */
static void table_clearance(const ts_signal *s, double t, double *clearance) {
    int last = s->points - 1;
    if (s->period > 0 && s->smooth) return;
    if (s->period > 0) t = within_period(s, t);
    nearer(clearance, t - s->time[0]), nearer(clearance, t - s->time[last]);
    if (s->smooth || t < s->time[0] || t >= s->time[last]) return;
    int k = ts_signal_interval(s, t);
    nearer(clearance, t - s->time[k]), nearer(clearance, t - s->time[k + 1]);
}

void ts_signal_eval_clear(const ts_signal *signal, ts_when when, double *value, double *rate,
                          double *clearance) {
    double t = when.t;
    *value = 1, *rate = 0;
    if (signal->kind == TS_SIGNAL_EXPRESSION) ts_expr_eval(signal->expr, t, value, rate, clearance);
    if (signal->kind == TS_SIGNAL_TABLE) table(signal, t, value, rate);
    if (signal->kind == TS_SIGNAL_TABLE && clearance) table_clearance(signal, t, clearance);
    if (signal->kind == TS_SIGNAL_INPUT) input(signal, when, value, rate);
    if (signal->integral) *rate = *value, *value = ts_integral_value(signal, t);
    *value = *value * signal->scale + signal->shift, *rate *= signal->scale;
}

void ts_signal_eval(const ts_signal *signal, ts_when when, double *value, double *rate) {
    ts_signal_eval_clear(signal, when, value, rate, NULL);
}

static double table_branch(const ts_signal *s, double t) {
    double turn = s->period > 0 ? floor((t - s->time[0]) / s->period) : 0;
    if (s->period > 0) t = within_period(s, t);
    if (t < s->time[0]) return turn - 1;
    if (s->smooth) return s->period > 0 ? turn - 1 : t >= s->time[s->points - 1];
    return turn * s->points + (t >= s->time[s->points - 1] ? s->points : ts_signal_interval(s, t));
}

double ts_signal_branch(const ts_signal *signal, double t) {
    if (signal->kind == TS_SIGNAL_TABLE) return table_branch(signal, t);
    return signal->kind == TS_SIGNAL_EXPRESSION ? ts_expr_mark(signal->expr, t) : 0;
}

static double table_bend(const ts_signal *s, double t) {
    double c[4];
    if (s->period > 0) t = within_period(s, t);
    if (!s->smooth || t < s->time[0] || t >= s->time[s->points - 1]) return 0;
    int k = ts_signal_interval(s, t);
    ts_signal_piece(s, k, c);
    return 2 * c[2] + 6 * c[3] * (t - s->time[k]);
}

double ts_signal_bend(const ts_signal *s, double t) {
    const ts_argument along[2] = {{.t = 1}, {.t = 1}};
    double out[3] = {0};
    if (s->kind == TS_SIGNAL_TABLE) return s->scale * table_bend(s, t);
    if (s->kind == TS_SIGNAL_EXPRESSION) ts_expr_second(s->expr, (ts_argument){.t = t}, along, out);
    return s->scale * out[2];
}

double ts_signal_side(const ts_signal *signal, double t, double near) {
    if (signal->kind != TS_SIGNAL_TABLE && signal->kind != TS_SIGNAL_EXPRESSION) return t;
    double low = t - fabs(near), high = t + fabs(near), mark = ts_signal_branch(signal, low);
    if (ts_signal_branch(signal, high) == mark) return t;
    for (double middle = low + 0.5 * (high - low); middle > low && middle < high;
         middle = low + 0.5 * (high - low))
        *(ts_signal_branch(signal, middle) == mark ? &low : &high) = middle;
    return near < 0 ? fmin(t, low) : fmax(t, high);
}

/* Value and rate at t, and whether a corner may be near. Clearances are estimates by the rates at
 * t; within a thousand times `near`, which is far below a step, marks decide. */
static bool corner_near(const ts_signal *signal, ts_when when, double near, double *value,
                        double *rate) {
    double clearance = INFINITY;
    ts_signal_eval_clear(signal, when, value, rate, &clearance);
    return !(clearance > 1e3 * fabs(near));
}

void ts_signal_eval_side(const ts_signal *signal, ts_when when, double near, double *value,
                         double *rate) {
    if (!corner_near(signal, when, near, value, rate)) return;
    double side = ts_signal_side(signal, when.t, near), unused;
    if (side != when.t) ts_signal_eval(signal, (ts_when){side, when.inputs}, &unused, rate);
}

void ts_signal_eval_sides(const ts_signal *signal, ts_when when, double near, double *value,
                          double rate[2]) {
    bool corner = corner_near(signal, when, near, value, rate);
    rate[1] = rate[0];
    for (int k = 0; k < 2 && corner; k++) {
        double side = ts_signal_side(signal, when.t, k ? near : -near), unused;
        if (side != when.t) ts_signal_eval(signal, (ts_when){side, when.inputs}, &unused, &rate[k]);
    }
}

double ts_signal_value_side(const ts_signal *signal, ts_when when, double near) {
    double value, rate;
    if (!corner_near(signal, when, near, &value, &rate)) return value;
    when.t = ts_signal_side(signal, when.t, near);
    ts_signal_eval(signal, when, &value, &rate);
    return value;
}

void ts_signal_clear(ts_signal *signal) {
    ts_expr_free(signal->expr);
    free(signal->time);
    free(signal->value);
    free(signal->name);
    for (int i = 0; i < signal->channels; i++) free(signal->channel[i]);
    free(signal->channel);
    ts_integral_free(signal->integral);
    *signal = ts_signal_constant(0);
}
