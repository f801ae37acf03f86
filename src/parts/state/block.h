/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of variables without mass: shared by variable.c and block.c. */
#ifndef TS_BLOCK_H
#define TS_BLOCK_H

#include "parts/state/state.h"

typedef struct ts_start {
    double value;
    double scale; /* typical size; 0: 1, or the size of the value */
} ts_start;

/* The newest part gets a variable, a coordinate of this name, with a signal as its rate or value
 * (-1: zero). */
void ts_add_variable(ts_builder *b, const char *name, ts_start start, ts_variable how, int signal);
/* Makes step control meet the times of samples. */
void ts_add_clock(ts_model *model, ts_variable how);

/* The field `unit`: what results call the unit of the values of the newest part; 0 or
 * TORSOR_EINVAL. */
#define TS_UNIT_FIELD                                                                        \
    {                                                                                        \
        .name = "unit", .type = TS_TEXT,                                                     \
        .help = "Name of the unit of its values, for results: `A`, `Pa`. The unit does not " \
                "change any number.",                                                        \
        .fallback = "1"                                                                      \
    }
int ts_read_unit(ts_builder *b, const ts_value *value, int field);

/* Fields `scale`, `period` and `start`; 0 or TORSOR_EINVAL. */
int ts_read_scale(ts_builder *b, const ts_value *value, int field, double *out);
int ts_read_sampling(ts_builder *b, const ts_value *value, int period, int start, ts_variable *out);

#endif
