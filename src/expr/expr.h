/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions with units: `210 GPa`, `2*L + 3 mm`, `10 N * sin(2*pi*5*t)`.
 *
 * Every number in a model file may be an expression. It is compiled once, with its dimensions
 * checked and its constants folded, and then evaluated many times without allocation: the value and
 * its exact first derivative with respect to time, by dual numbers.
 *
 *   operators   + - * / ^ and signs; ^ binds to the right and tighter than a sign, so -2^2 is -4
 *   units       follow a number: `9.81 m/s^2`, `1.2e6 N*m/rad`. A unit takes the *unit, /unit and
 *               ^int behind it: `1/2 s` is 1/(2 s). A name that is a unit and a parameter is the
 *               unit when no blanks stand around the operator, `1 kg*m^2`, and the parameter
 *               otherwise, `10 N * m`; `t` is always the time there.
 *   names       pi; t, the time as a plain number in the model's unit of time; time, the time with
 *               its dimension; and the names of the scope
 *   channels    names with dots, `hinge.angle.rate`: variables with a dimension, which the scope
 *               knows. Their values come with every evaluation.
 *   functions   sin cos tan of an angle or plain number; asin acos atan atan2 give an angle;
 *               sinh cosh tanh exp log log10 floor of a plain number; sqrt abs min max mod sign;
 *               step(x) is 0 below 0, else 1; ramp(x) is 0 below 0, else x;
 *               smooth(x) is 3x^2-2x^3 between 0 and 1 and flat outside;
 *               if(a < b, x, y) with < > <= >= and, or, not;
 *               and tables of the scope, curve(x), map(x, y)
 *   vectors     names of points, `[a, b, c]`, `cross(a, b)`, and their sums and multiples. All are
 *               constant. `D.x`, `(D - C).x`, `|D - C|`, `norm(a)` and `dot(a, b)` are numbers.
 *   dimensions  only like may be added or compared, except that a constant 0 goes with everything.
 *               Where a length or a mass is involved, radians count as plain numbers
 *               (radius times angular velocity is a velocity).
 *
 * At a kink the derivative is the one to the right. A constant that is not finite is an error; a
 * function of time that becomes infinite or NaN is returned to the caller unchanged. */
#ifndef TS_EXPR_H
#define TS_EXPR_H

#include "base/units.h"

typedef struct ts_expr ts_expr;

#define TS_EARLY_TABLE "this table begins before t = 0, and its first column has no unit"
#define TS_EARLY_HINT                                                                  \
    "if these are times, write their unit; if not, write theirs, and call the table: " \
    "curve(slider.rate)"

/* Another function of time, used by its name. The expression owns it. */
typedef struct ts_expr_signal {
    void *self;
    /* clearance, if wanted, becomes the least of itself and this function's, see ts_expr_eval */
    void (*eval)(const void *self, double t, double *value, double *rate, double *clearance);
    double (*branch)(const void *self, double t); /* a number that changes where it has a kink */
    double (*bend)(const void *self, double t);   /* second derivative; NULL: zero */
    void (*drop)(void *self);
    ts_dim dim;
    double weight; /* of what is behind it, see ts_expr_weight */
    bool callable; /* a table: f(x) is its value at x, which has the dimension `argument` */
    ts_dim argument;
    bool bare;  /* its argument was given without units: a time, or a plain number */
    bool early; /* ... which begins below zero: no function of the time, it has to be called */
    /* A map: f(x, y), y of the dimension `second`; callable, and these in place of eval and branch.
     * left[2], if wanted: how far both arguments are from the nearest kink. */
    bool pair;
    ts_dim second;
    void (*eval_pair)(const void *self, const double x[2], double *value, double by[2],
                      double left[2]);
    double (*branch_pair)(const void *self, const double x[2]);
    /* second derivatives: by x, both, y; NULL: zero */
    void (*bend_pair)(const void *self, const double x[2], double bend[3]);
    /* not NULL: the signal is this expression, to be written out in place; all above but dim is
     * unused */
    ts_expr *program;
    int before; /* added to the numbers of its variables */
} ts_expr_signal;

/* A constant vector in SI. */
typedef struct ts_vector {
    double x[3];
    ts_dim dim;
} ts_vector;

typedef struct ts_expr_error {
    size_t offset; /* byte of the text where it went wrong */
    char message[240];
    char hint[160]; /* may be empty */
} ts_expr_error;

typedef struct ts_scope {
    int (*find)(void *context, const char *name, size_t len, ts_quantity *out); /* 1 found, 0 not */
    const char *(*suggest)(void *context, const char *name, size_t len); /* nearest name or NULL */
    void *context;
    double time_unit; /* SI seconds in one unit of the model's time; 0 stands for 1 */
    const char *const
        *variables; /* names of plain numbers given later, ending with NULL; or NULL */
    /* 1 found, 0 not, -1 found but without a value. With out = NULL it is only asked for. May be
     * NULL. */
    int (*signal)(void *context, const char *name, size_t len, ts_expr_signal *out);
    /* The number of the variable, from 1, that a name with dots stands for, and its dimension; 0
     * with message and hint: there is none. May be NULL. */
    int (*channel)(void *context, const char *name, size_t len, ts_dim *dim, ts_expr_error *error);
    /* Is a name without dots a channel, too? May be NULL. */
    bool (*is_channel)(void *context, const char *name, size_t len);
    /* A point of that name: 1 found, 0 not. May be NULL. */
    int (*point)(void *context, const char *name, size_t len, ts_vector *out);
    /* Is it the name of a part? Then `name.x` is a channel where channels are allowed, and the
     * point otherwise. May be NULL. */
    bool (*is_part)(void *context, const char *name, size_t len);
    bool truth; /* a condition is expected, `a < b and c > d`: 1 where it holds, 0 elsewhere */
    /* SI of 1 in the model's unit of a dimension, for bare numbers that are compared with a
     * quantity. NULL: they must not be. */
    double (*unit)(void *context, ts_dim dim);
} ts_scope;

/* Compile text[0..len). `scope` and `error` may be NULL, as may either function of a scope. Without
 * `allow_time` the names t and time are errors. Returns 0, or TORSOR_EINVAL with *out = NULL and
 * *error filled. */
int ts_expr_compile(ts_expr **out, const char *text, size_t len, const ts_scope *scope,
                    bool allow_time, ts_expr_error *error);
/* A vector, `D - C`: the same for an expression that is one. A number is an error. */
int ts_expr_vector(ts_vector *out, const char *text, size_t len, const ts_scope *scope,
                   ts_expr_error *error);
void ts_expr_free(ts_expr *expr);
double ts_expr_weight(const ts_expr *expr); /* instructions, those of its signals included */

/* Is it a word between comparisons: and, or, not? */
bool ts_expr_connective(const char *name, size_t len);
/* Words that mean something already (t, time, pi, functions): not to be used as names of
 * parameters. */
bool ts_expr_reserved(const char *name, size_t len);

bool ts_expr_constant(const ts_expr *expr); /* depends neither on time nor on variables */
ts_dim ts_expr_dim(const ts_expr *expr);
#define TS_HERTZ_HINT "a frequency counts cycles: for 5 Hz write '5 rev/s' or '2*pi*5 Hz'"
/* Is the expression only a number in Hz or kHz? It counts cycles where an angular velocity may be
 * wanted. */
bool ts_expr_hertz(const ts_expr *expr);
double ts_expr_value(const ts_expr *expr, double t); /* SI; t in seconds */
/* The rate is per second. *clearance, if wanted, becomes the least of itself and the time to the
 * nearest kink or jump before or after t, as far as the rates at t tell. */
void ts_expr_eval(const ts_expr *expr, double t, double *value, double *rate, double *clearance);

/* a number for the branches that are taken at t */
double ts_expr_mark(const ts_expr *expr, double t);
/* The first kink or jump between two times, found by samples: it lies between *before and *after,
 * which are neighbours. */
bool ts_expr_kink(const ts_expr *expr, double from, double to, double *before, double *after);

/* An expression with variables: its value at the time t and at x, and its slope along the
 * direction, with the time held. */
double ts_expr_at(const ts_expr *expr, double t, const double *x, const double *direction,
                  double *slope);
double ts_expr_mark_at(const ts_expr *expr, double t, const double *x); /* as ts_expr_mark */
/* A time and variables, or a direction in them. */
typedef struct ts_argument {
    double t;
    const double *x;
} ts_argument;
/* The value; out: its slopes along both directions, and the second derivative along both. */
double ts_expr_second(const ts_expr *expr, ts_argument at, const ts_argument along[2],
                      double out[3]);
bool ts_expr_timed(const ts_expr *expr);    /* depends on the time */
int ts_expr_variables(const ts_expr *expr); /* the largest number of its variables; 0: none */

#endif
