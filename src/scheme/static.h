/* SPDX-License-Identifier: Apache-2.0 */
/* Statics (static.c), and what it shares with its variant in a rotating frame (linear.c). */
#ifndef TS_STATIC_H
#define TS_STATIC_H

#include "scheme/schemes.h"
#include "step/stepper.h"

void ts_static_refresh(ts_step *st, int node);
void ts_static_site_residual(ts_step *st, const ts_site *site, double *R);
void ts_static_prepare_tangent(ts_step *st, int node);
void ts_static_vector_tangent(ts_step *st, const ts_site *site, double *K);
void ts_static_exchange(ts_step *st, ts_exchange *out);
void ts_static_begin_site(ts_step *st, const ts_site *site);
void ts_static_follow(ts_step *st, const double *delta, double factor);
void ts_static_meant(const ts_step *st, const ts_site *site, const double *e, ts_response *r);
void ts_static_units(double h, double row[4], double column[4]);
void ts_static_book(ts_ledger *ledger);
double ts_static_unbalanced(ts_stepper *st); /* static_work.c */
#define TS_STATIC_COMMON                                                                      \
    .stages = 1, .mean = 1, .path = true, .at_end = true, .units = ts_static_units,           \
    .book = ts_static_book, .refresh = ts_static_refresh,                                     \
    .site_residual = ts_static_site_residual, .held_residual = ts_static_site_residual,       \
    .prepare_tangent = ts_static_prepare_tangent, .vector_tangent = ts_static_vector_tangent, \
    .exchange = ts_static_exchange, .begin_site = ts_static_begin_site,                       \
    .follow = ts_static_follow, .unbalanced = ts_static_unbalanced, .rescue = ts_static_rescue

/* Pseudo-time (relax.c): 0, or TORSOR_RETRY and the state is somewhere on the way. */
int ts_static_rescue(ts_stepper *st, int *iterations);

#endif
