/* SPDX-License-Identifier: Apache-2.0 */
/* Elastic energy, part by part. See part_energy.c. */
#ifndef TS_PART_ENERGY_H
#define TS_PART_ENERGY_H

#include "system/system.h"

/* Does a law of the part store energy? */
bool ts_part_stores(const ts_model *model, int part);
/* Elastic energy of the parts at the present state; the sum over all parts is that of the
 * ledger. */
double ts_part_energy(const ts_system *system, int part);
/* finite.c: fails and names the part if the initial energies are not finite. */
int ts_check_finite(const ts_system *system);

#endif
