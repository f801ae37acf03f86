/* SPDX-License-Identifier: Apache-2.0 */
/* The audit of resolution as JSON. */
#ifndef TS_RESULTS_AUDIT_H
#define TS_RESULTS_AUDIT_H

#include "base/json.h"
#include "results/results.h"

/* The member "resolution": {level, text, measures: [...]}. */
void ts_audit_json(const ts_audit *audit, ts_json *json);

#endif
