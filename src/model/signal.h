/* Signals: scalar functions of time, with their exact first derivative.
 *
 *   constant | expression of t | table (straight lines or smooth, once or periodic) | scaled copy of another
 */
#ifndef TS_SIGNAL_H
#define TS_SIGNAL_H

#include <stdbool.h>

#include "base/expr.h"

typedef enum ts_signal_kind {
    TS_SIGNAL_CONSTANT,
    TS_SIGNAL_EXPRESSION,
    TS_SIGNAL_TABLE
} ts_signal_kind;

typedef struct ts_signal {
    ts_signal_kind kind;
    double scale;  /* the value is scale times what the kind says */
    ts_expr *expr; /* owned */
    int points;    /* table: strictly increasing times; held constant outside */
    double *time, *value;
    double period; /* table that repeats: its last point is its first, one period later; 0: once */
    bool smooth;   /* table by monotone cubic (PCHIP) instead of straight lines */
    char *name;    /* for messages; may be NULL */
} ts_signal;

ts_signal ts_signal_constant(double value);
void ts_signal_eval(const ts_signal *signal, double t, double *value, double *rate);
void ts_signal_clear(ts_signal *signal);

#endif
