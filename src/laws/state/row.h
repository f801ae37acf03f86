/* SPDX-License-Identifier: Apache-2.0 */
/* Motions that depend on the state, such as cams: see row.c. */
#ifndef TS_STATE_ROW_H
#define TS_STATE_ROW_H

#include "laws/state/state_law.h"
#include "model/law.h"

/* Numbers of a site: as in state_law.h. All variables are values of measures that have a value; the
 * anchor is the number of the measure that is the time, or -1. Memory: the value of every measure,
 * so that angles count turns. */
enum { TS_ROW_MEASURES = 8 };
extern const ts_rowlaw TS_STATE_ROW;

#endif
