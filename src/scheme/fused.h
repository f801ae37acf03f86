/* SPDX-License-Identifier: Apache-2.0 */
/* EP, ED and statics at a law site that has a kernel: see fused.c. */
#ifndef TS_FUSED_H
#define TS_FUSED_H

#include "scheme/static.h"

void ts_fused_ep_residual(ts_step *st, const ts_site *site);
void ts_fused_ep_tangent(ts_step *st, const ts_site *site, double *dense);

void ts_fused_ed_residual(ts_step *st, const ts_site *site);
void ts_fused_ed_tangent(ts_step *st, const ts_site *site, double *dense);
double ts_fused_ed_loss(const ts_step *st, const ts_site *site); /* of the law's stage */

void ts_fused_static_residual(ts_step *st, const ts_site *site);
void ts_fused_static_tangent(ts_step *st, const ts_site *site, double *dense);

#endif
