/* EP, ED and statics at a law site that has a kernel: see fused.c. */
#ifndef TS_FUSED_H
#define TS_FUSED_H

#include "scheme/stepper.h"

/* e_i, and edot_i of schemes with two stages */
void ts_fused_begin(ts_stepper *st, const ts_site *site);

void ts_fused_ep_residual(ts_stepper *st, const ts_site *site);
void ts_fused_ep_tangent(ts_stepper *st, const ts_site *site, double *dense);

void ts_fused_ed_residual(ts_stepper *st, const ts_site *site);
void ts_fused_ed_tangent(ts_stepper *st, const ts_site *site, double *dense);
void ts_fused_ed_jump(const ts_stepper *st, const ts_site *site, double *b);

void ts_fused_static_residual(ts_stepper *st, const ts_site *site);
void ts_fused_static_tangent(ts_stepper *st, const ts_site *site, double *dense);

#endif
