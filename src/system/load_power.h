/* SPDX-License-Identifier: Apache-2.0 */
/* Power of loads over time, part by part. See load_power.c. */
#ifndef TS_LOAD_POWER_H
#define TS_LOAD_POWER_H

#include "system/system.h"

/* Power of these parts at the present state; their numbers grow. */
void ts_load_powers(const ts_system *system, int64_t parts, const int *part, double *power);

#endif
