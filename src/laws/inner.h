/* SPDX-License-Identifier: Apache-2.0 */
/* Springs with inner states, in parallel along one coordinate: see inner.c. */
#ifndef TS_INNER_H
#define TS_INNER_H

#include "laws/way.h"
#include "model/law.h"

typedef enum ts_inner_kind { TS_INNER_MAXWELL, TS_INNER_JENKINS, TS_INNER_BOUC_WEN } ts_inner_kind;

/* Numbers of a site: those of its coordinate, the number of branches, then of every branch
 * these. */
enum { TS_INNER_COUNT = TS_WAY_NUMBERS, TS_INNER_HEAD };
enum {
    TS_INNER_KIND,
    TS_INNER_K,    /* stiffness */
    TS_INNER_TIME, /* Maxwell: relaxation time */
    TS_INNER_LOW = TS_INNER_TIME,
    TS_INNER_HIGH,  /* Jenkins: least and largest force; Bouc-Wen: the largest */
    TS_INNER_DRAG,  /* Jenkins: dashpot that acts while it does not slip */
    TS_INNER_POWER, /* Bouc-Wen: n and b of bouc_wen.h */
    TS_INNER_SHAPE,
    TS_INNER_NUMBERS
};
/* Memory: y at the start of the step, then the deflection of every branch (to be added
 * with ts_model_memory). */
enum { TS_INNER_AT, TS_INNER_MEMORY };

extern const ts_law TS_INNER;

/* Gives the newest site this law, with the forms of its coordinate and so many branches, which
 * follow. */
void ts_inner_open(ts_model *model, ts_way_kind kind, double tiny, int branches);
void ts_inner_branch(ts_model *model, const double *numbers);

/* A relaxing deflection z over a step of x relaxation times that stretches it by d at a constant
 * rate: z_f = fall z + phi[0] d, its mean is phi[0] z + phi[1] d. Returns fall. See inner.c. */
double ts_inner_relax(double x, double phi[2]);

#endif
