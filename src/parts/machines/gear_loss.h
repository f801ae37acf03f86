/* SPDX-License-Identifier: Apache-2.0 */
/* Losses of a gear by its efficiency: see gear_loss.c. */
#ifndef TS_GEAR_LOSS_H
#define TS_GEAR_LOSS_H

#include "model/model.h"

/* Gives the newest part a site of losses along a coordinate, from the multiplier of this row. */
void ts_gear_loss(ts_model *model, int coordinate, int row, double efficiency, double slow);

#endif
