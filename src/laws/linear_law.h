/* SPDX-License-Identifier: Apache-2.0 */
/* The linear elastic law: see linear_law.c. */
#ifndef TS_LINEAR_LAW_H
#define TS_LINEAR_LAW_H

#include "model/law.h"

/* s = K (e_i + e_f)/2 + eta K (e_f - e_i)/h; data: eta, K row by row. */
extern const ts_law TS_LINEAR_LAW;

#endif
