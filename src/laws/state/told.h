/* SPDX-License-Identifier: Apache-2.0 */
/* Forces of other sites, as variables of a law: see told.c. */
#ifndef TS_TOLD_H
#define TS_TOLD_H

#include "laws/way.h"
#include "model/law.h"

/* Numbers of an entry. */
enum {
    TS_TOLD_SITE,   /* the site that is evaluated, in model->sites */
    TS_TOLD_SELF,   /* the site that asks */
    TS_TOLD_FORM,   /* its first form among those of the site that asks; -1: not needed */
    TS_TOLD_WEIGHT, /* number of the weight */
    TS_TOLD_FACTOR, /* form of the site that asks, a factor; -1: along the coordinate */
    TS_TOLD_SECOND, /* a second factor; -1: none */
    TS_TOLD_SIGN,
    TS_TOLD_WAY, /* two numbers, see way.h */
    TS_TOLD_NUMBERS = TS_TOLD_WAY + TS_WAY_NUMBERS
};

/* The sum of so many entries. Adds `times` its derivatives by the forms at the end of the step
 * and by the multipliers that the step reads (NULL: not asked for). */
double ts_told(const ts_law_step *step, const double *entry, int count, double times, double *by_e,
               double *by_lambda);

#endif
