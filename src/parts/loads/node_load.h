/* SPDX-License-Identifier: Apache-2.0 */
/* Loads on nodes, of the time or of the state. See node_load.c. */
#ifndef TS_NODE_LOAD_H
#define TS_NODE_LOAD_H

#include "model/kind.h"

/* Can the load, whose signals are still those of the value, act on its node? 0 or TORSOR_EINVAL. */
int ts_check_load(ts_builder *b, int field, const ts_value *value, const ts_load *load);
/* A load of the newest part; its signals are those of the model. */
void ts_add_load(ts_builder *b, ts_load load);

#endif
