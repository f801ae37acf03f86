/* SPDX-License-Identifier: Apache-2.0 */
/* Components of ready-made parts: formulas of channels and inner variables (formula.c). */
#ifndef TS_MACHINE_H
#define TS_MACHINE_H

#include "parts/state/state.h"

/* A constant of a formula, and a channel that it reads; both are plain numbers there, in SI. The
 * name of a channel within a formula has a dot. */
typedef struct ts_term {
    const char *name;
    double value;
} ts_term;
typedef struct ts_reading {
    const char *name, *part, *words;
} ts_reading;

/* `text` may use terms and probes, both ending with a NULL name, and `u` and `w`, the signals given
 * by the user: u_scale*u and w_scale*w are their values in SI. */
typedef struct ts_formula {
    const char *text;
    const ts_term *terms;
    const ts_reading *probes;
    int field[2]; /* of `u` and `w`; -1: the formula has none */
} ts_formula;

/* A signal of the model, by its index; negative after ts_build_fail. Takes the signals of the
 * fields. */
int ts_formula_signal(ts_builder *b, ts_value *value, const ts_formula *formula);

/* Gives the newest part a coordinate without mass, a plain number of about the size `scale`, in a
 * unit for results; and its rate. */
int ts_machine_variable(ts_builder *b, const char *name, const char *unit, double initial,
                        double scale);
void ts_machine_rate(ts_builder *b, int coordinate, int signal);

/* The field if it is given, else the fallback. */
static inline double ts_number_or(const ts_value *value, int field, double fallback) {
    return value[field].given ? value[field].number[0] : fallback;
}
/* Fields from first to last must be positive, or not negative, if they are given. */
int ts_must_be_positive(ts_builder *b, const ts_value *value, const ts_field *fields, int first,
                        int last);
int ts_must_not_be_negative(ts_builder *b, const ts_value *value, const ts_field *fields, int first,
                            int last);

#endif
