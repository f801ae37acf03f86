/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of state variables over a whole system: see variables.c. */
#ifndef TS_VARIABLES_H
#define TS_VARIABLES_H

#include "system/system.h"

/* Sets inputs and outputs of blocks to the values of their expressions in the present state, and
 * states to their rates. */
void ts_variables_start(ts_system *system);
/* Do steps of one size coincide with all samples? Otherwise an error that names the part. */
int ts_check_samples(const ts_model *model, double h);

#endif
