/* SPDX-License-Identifier: Apache-2.0 */
/* The alpha family on the Lie group: Newmark, HHT and generalized alpha share everything but four
 * numbers. */
#ifndef TS_ALPHA_FAMILY_H
#define TS_ALPHA_FAMILY_H

#include "study/study.h"

/* To be called by `start`; the numbers are those of alpha_family.c. */
void ts_alpha_start(ts_study *s, double alpha_m, double alpha_f, double beta, double gamma);
int ts_alpha_initial(ts_study *s);
void ts_alpha_begin(ts_study *s);
void ts_alpha_guess(ts_study *s, double *x);
void ts_alpha_residual(ts_study *s, const double *x, double *R);
void ts_alpha_finish(ts_study *s, const double *x, ts_exchange *out);

/* alpha_initial.c */
int ts_alpha_consistent(ts_study *s, double lag, double offset);
/* Ambient accelerations and multipliers that a step begins with. */
typedef struct ts_accelerations {
    const double *vdot, *lambda;
    double *own; /* to be freed; NULL: they are those of the state */
} ts_accelerations;
ts_accelerations ts_alpha_remembered(ts_study *s);
/* V' from x'' = R (V' + Omega x V) and Omega' = R^T alpha, and back. */
v6 ts_body_acceleration(m3 R, v6 V, v6 space);
v6 ts_space_acceleration(m3 R, v6 V, v6 body);

#define TS_ALPHA_FAMILY                                                            \
    .initial = ts_alpha_initial, .begin = ts_alpha_begin, .guess = ts_alpha_guess, \
    .residual = ts_alpha_residual, .finish = ts_alpha_finish

#define TS_ALPHA_SCHEME(scheme) \
    TS_STUDY(scheme), .book = ts_book_rest, .at_end = true, .accelerations = true

#endif
