/* SPDX-License-Identifier: Apache-2.0 */
/* Values at the stations of cells, averaged to one value per cell. For pictures. */
#ifndef TS_CELL_VALUES_H
#define TS_CELL_VALUES_H

#include "results/file.h"
#include "results/geometry.h"

/* One stored state: a row of every series of stations; NULL: none. */
typedef struct ts_cell_rows {
    double *row[TS_SERIES_COUNT];
} ts_cell_rows;

void ts_cell_rows_new(ts_cell_rows *rows, const ts_results *r);
void ts_cell_rows_free(ts_cell_rows *rows);
int ts_cell_rows_read(ts_cell_rows *rows, ts_results *r, int64_t frame);

/* A component of a channel at a station of its family; NaN where the results have none. */
double ts_station_value(const ts_cell_rows *rows, const ts_channel *channel, int component,
                        int64_t station);
/* A component of a channel in a cell, a row of the geometry; NaN where the cell has no such
 * stations. */
double ts_cell_value(const ts_cell_rows *rows, const ts_table_cell *cell, const ts_channel *channel,
                     int component);

/* Numbers of stations of the families of cells. */
ts_cell_stations ts_cell_stations_of(const ts_results *r);

#endif
