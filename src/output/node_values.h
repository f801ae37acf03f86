/* SPDX-License-Identifier: Apache-2.0 */
/* Values inside cells of shells and solids, extrapolated to nodes and averaged. See
 * node_values.c. */
#ifndef TS_NODE_VALUES_H
#define TS_NODE_VALUES_H

#include "output/cells.h"

typedef struct ts_node_values ts_node_values;

/* Takes ownership of the cells, whose points are among so many nodes. */
ts_node_values *ts_node_values_new(ts_cells cells, int64_t nodes);
void ts_node_values_free(ts_node_values *values);
/* The name of a part as stored with the cells, which lives as long as the values; NULL: it has no
 * cells. */
const char *ts_node_values_part(const ts_node_values *values, const char *part);
/* Does the part have cells of that family with stations at the node? */
bool ts_node_values_at(const ts_node_values *values, int64_t node, const char *part,
                       ts_cell_family family);
/* One of `width` components of the row of that family's series. */
double ts_node_value(const ts_node_values *values, int64_t node, const char *part,
                     const double *row, int width, int component);

#endif
