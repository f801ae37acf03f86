/* SPDX-License-Identifier: Apache-2.0 */
/* Elastic energy, part by part. See part_energy.c. */
#ifndef TS_PART_ENERGY_H
#define TS_PART_ENERGY_H

#include "system/system.h"

/* Does a law of the part store energy? */
bool ts_part_stores(const ts_model *model, int part);
/* What they have stored at the present state; over all parts the sum is the ledger's. */
double ts_part_energy(const ts_system *system, int part);

#endif
