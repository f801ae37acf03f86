/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: scalar functions of time, with their exact first derivative.
 *
 *   constant | expression of t, or of t and the state | table (straight lines or smooth, once or
 *   periodic) | scaled copy of another | input, set from outside between steps
 */
#ifndef TS_SIGNAL_H
#define TS_SIGNAL_H

#include <stdbool.h>

#include "expr/expr.h"

typedef enum ts_signal_kind {
    TS_SIGNAL_CONSTANT,
    TS_SIGNAL_EXPRESSION,
    TS_SIGNAL_TABLE,
    TS_SIGNAL_INPUT
} ts_signal_kind;

/* An input is constant over a step, or extrapolated: with `order` 1 or 2 it is the line or parabola
 * through the values set for this step and for the steps before, each at the start of its step. In
 * the first steps the order is limited by the number of values, rint(t/h). The error for a smooth
 * function is of the order h, h^2, h^3.
 *
 * If an input is a position (the row of a motion), a constant value would be a jump, which a halved
 * step would have to make in its first half. Such an input varies linearly from the old to the new
 * value. The rate changes by as much as the slope did since the last step: so ED's rates are right
 * to second order. A run owns its inputs, in its state; results store them as they are: six
 * numbers. */
typedef struct ts_input {
    double value;           /* value from the next step on */
    double before, reached; /* at the start and end of the present step */
    double t, h, slope;     /* its start and size (0: none yet); rate of the step before */
} ts_input;

/* Arguments of signals. */
typedef struct ts_when {
    double t;
    const ts_input *inputs; /* of the run, one for each ts_signal.input; NULL: as drawn */
} ts_when;

typedef struct ts_signal {
    ts_signal_kind kind;
    double scale;  /* the value is scale times that of the kind */
    ts_expr *expr; /* owned */
    int points;    /* table: strictly increasing times; held constant outside */
    double *time, *value;
    double period; /* table that repeats: its last point is its first, one period later; 0: once */
    bool smooth;   /* table by monotone cubic (PCHIP) instead of straight lines */
    char *name;    /* for messages; may be NULL */
    const char *field; /* name of the part that owns it, for messages; NULL: unknown */
    int part;          /* index of that part in model->parts */
    struct ts_integral
        *integral; /* owned; the signal is the integral of all this: see integral.h */
    int input;     /* input: its place among the inputs of a run, set by ts_model_signal */
    double drawn;  /* input: its value until it is set */
    bool ramp;     /* input: a position, which moves over a step, see ts_input */
    double shift;  /* added to the value: of a motion that was switched on, see event.h */
    int order;     /* input: of its extrapolation over a step */
    /* expression of the state: names of the channels that are its variables; owned. Only laws of
     * state_law.h evaluate it. */
    char **channel;
    int channels;
} ts_signal;

ts_signal ts_signal_constant(double value);
/* At a corner the rate is that of the right side. */
void ts_signal_eval(const ts_signal *signal, ts_when when, double *value, double *rate);
/* The time nearest to t on one side of a corner or jump that lies within |near| of t: the left side
 * for near < 0 (the end of a step), the right side for near > 0 (its start). t itself otherwise. */
double ts_signal_side(const ts_signal *signal, double t, double near);
/* *clearance, if not NULL, is lowered to the time to the nearest corner or jump, as estimated from
 * the rates at t. */
void ts_signal_eval_clear(const ts_signal *signal, ts_when when, double *value, double *rate,
                          double *clearance);
/* The value on the side given by `near`, where the signal jumps. */
double ts_signal_value_side(const ts_signal *signal, ts_when when, double near);
/* As ts_signal_eval, with the rate of the side given by `near`. */
void ts_signal_eval_side(const ts_signal *signal, ts_when when, double near, double *value,
                         double *rate);
/* With both rates: before, after. They are the same, from one evaluation, where no corner is
 * near. */
void ts_signal_eval_sides(const ts_signal *signal, ts_when when, double near, double *value,
                          double rate[2]);
double ts_signal_branch(const ts_signal *signal, double t); /* changes where there is a kink */
/* Second derivative of a constant, an expression of time or a table. */
double ts_signal_bend(const ts_signal *signal, double t);
void ts_signal_clear(ts_signal *signal);
/* The piece of a table at t, and a piece as a polynomial in the time since its start. */
int ts_signal_interval(const ts_signal *signal, double t);
void ts_signal_piece(const ts_signal *signal, int piece, double coefficient[4]);
/* The value of an input before it is set; and the start of a step from t to t + h: the value that
 * was set holds from now on. */
ts_input ts_input_drawn(const ts_signal *signal);
void ts_input_begin(ts_input *input, double t, double h);

#endif
