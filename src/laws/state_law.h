/* Forces that depend on the state: see state_law.c. */
#ifndef TS_STATE_LAW_H
#define TS_STATE_LAW_H

#include <string.h>

#include "model/law.h"

/* Numbers of a site: these, then three of every measure, then three of every variable. */
enum {
    TS_STATE_EXPR,   /* the expression, see ts_state_handle */
    TS_STATE_SCALE,  /* the force on the target is this times its value */
    TS_STATE_ANCHOR, /* the target where no energy is stored */
    TS_STATE_MEASURES,
    TS_STATE_VARIABLES,
    TS_STATE_HEAD
};
enum { TS_MEASURE_KIND, TS_MEASURE_FORM, TS_MEASURE_TINY, TS_MEASURE_NUMBERS };
enum { TS_VARIABLE_MEASURE, TS_VARIABLE_RATE, TS_VARIABLE_OFFSET, TS_VARIABLE_NUMBERS };
enum { TS_STATE_MAX_VARIABLES = 2 * TS_MAX_FORMS };

/* What a measure is of its forms: e0; the angle of (e0, e1); the length sqrt(2 e0 + tiny^2). */
typedef enum ts_measure_kind {
    TS_MEASURE_LINEAR,
    TS_MEASURE_ANGLE,
    TS_MEASURE_LENGTH
} ts_measure_kind;

/* Memory: the target at the start of the step, the energy there, then an angle of every measure. */
enum { TS_STATE_AT, TS_STATE_STORED, TS_STATE_MEMORY };

/* Everything depends on the target and its rate alone; and on anything. Without variables the force
 * is the scale times the signal of the site. */
extern const ts_law TS_STATE_OWN, TS_STATE_WORK;
/* No force: the rate of the target is the value of the expression. And what keeps forms at zero. */
extern const ts_law TS_STATE_RATE, TS_STATE_HOLD;

/* The mean of a site's first signal over a step: of both ends, inside the step where it jumps. */
double ts_mean_signal(const ts_law_step *step);

/* An expression among the numbers of a site, bit for bit: energies and stiffnesses of laws are
 * asked with their numbers only. The signal that owns it lives as long as the model. */
static inline double ts_state_handle(const ts_expr *expr) {
    double number = 0;
    _Static_assert(sizeof expr <= sizeof number, "a pointer fits into a number");
    memcpy(&number, &expr, sizeof expr);
    return number;
}

#endif
