/* SPDX-License-Identifier: Apache-2.0 */
/* Means over the stations of a cell, without weights: all weights are equal. See cell_values.h. */
#include "results/cell_values.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

void ts_cell_rows_new(ts_cell_rows *rows, const ts_results *r) {
    *rows = (ts_cell_rows){{0}};
    for (int i = 0; i < TS_SERIES_COUNT; i++)
        if (TS_FAMILY[TS_SERIES[i].each].station != TS_STATION_NONE && r->track[i].values > 0)
            rows->row[i] = ts_calloc((size_t)r->track[i].values, sizeof(double));
}

void ts_cell_rows_free(ts_cell_rows *rows) {
    for (int i = 0; i < TS_SERIES_COUNT; i++) free(rows->row[i]);
    *rows = (ts_cell_rows){{0}};
}

int ts_cell_rows_read(ts_cell_rows *rows, ts_results *r, int64_t frame) {
    int status = 0;
    for (int i = 0; i < TS_SERIES_COUNT && !status; i++)
        if (rows->row[i]) status = ts_results_rows(r, (ts_series_id)i, frame, 1, rows->row[i]);
    return status;
}

double ts_station_value(const ts_cell_rows *rows, const ts_channel *c, int component,
                        int64_t station) {
    const ts_channel *stored = &TS_SERIES[c->series];
    const double *row = rows->row[c->series], *with = rows->row[stored->with];
    int64_t at = station * stored->width;
    if (!row) return NAN;
    return c->in_cell ? c->in_cell(row + at, with ? with + at : NULL, stored->width)
                      : row[at + component];
}

double ts_cell_value(const ts_cell_rows *rows, const ts_table_cell *cell, const ts_channel *c,
                     int component) {
    const ts_channel *stored = &TS_SERIES[c->series];
    int64_t count = cell[TS_CELL_STATIONS].integer, first = cell[TS_CELL_STATION].integer;
    if (count < 1 || ts_cell_family_each(ts_cell_family_of(cell)) != stored->each) return NAN;
    double sum = 0;
    for (int64_t k = first; k < first + count; k++) sum += ts_station_value(rows, c, component, k);
    return sum / (double)count;
}

ts_cell_stations ts_cell_stations_of(const ts_results *r) {
    ts_cell_stations of;
    for (int f = 0; f < TS_CELL_FAMILIES; f++)
        of.count[f] = r->entries[ts_cell_family_each((ts_cell_family)f)];
    return of;
}
