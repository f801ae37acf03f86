/* Means over the stations of a cell. See cell_values.h. */
#include "results/cell_values.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

static double *numbers(const ts_results *r, ts_series_id id) {
    return ts_calloc((size_t)r->track[id].values + 1, sizeof(double));
}

void ts_cell_rows_new(ts_cell_rows *rows, const ts_results *r) {
    *rows = (ts_cell_rows){numbers(r, TS_FRAME_SHELL_FORCE), numbers(r, TS_FRAME_SHELL_STRAIN),
                           numbers(r, TS_FRAME_SOLID_STRESS)};
}

void ts_cell_rows_free(ts_cell_rows *rows) {
    free(rows->shell_force), free(rows->shell_strain), free(rows->solid_stress);
    *rows = (ts_cell_rows){0};
}

int ts_cell_rows_read(ts_cell_rows *rows, ts_results *r, int64_t frame) {
    int status = 0;
    if (r->entries[TS_EACH_SHELL_POINT] > 0) {
        status = ts_results_rows(r, TS_FRAME_SHELL_FORCE, frame, 1, rows->shell_force);
        if (!status)
            status = ts_results_rows(r, TS_FRAME_SHELL_STRAIN, frame, 1, rows->shell_strain);
    }
    if (!status && r->entries[TS_EACH_SOLID_POINT] > 0)
        status = ts_results_rows(r, TS_FRAME_SOLID_STRESS, frame, 1, rows->solid_stress);
    return status;
}

static bool has(const ts_table_cell *cell, ts_cell_family family) {
    return ts_cell_family_of(cell) == family && cell[TS_CELL_STATIONS].integer > 0;
}

static v3 mean(const ts_table_cell *cell, const double *rows, int width, int first) {
    int64_t count = cell[TS_CELL_STATIONS].integer, from = cell[TS_CELL_STATION].integer;
    v3 sum = {0, 0, 0};
    for (int64_t k = from; k < from + count; k++)
        sum = v3_add(sum, v3_load(rows + width * k + first));
    return v3_scale(1.0 / (double)count, sum);
}

v3 ts_cell_stress(const ts_cell_rows *rows, const ts_table_cell *cell, int first) {
    if (!has(cell, TS_CELL_SOLIDS)) return v3_make(NAN, NAN, NAN);
    return mean(cell, rows->solid_stress, TS_STRESS_WIDTH, first);
}

v3 ts_cell_shell_force(const ts_cell_rows *rows, const ts_table_cell *cell, int first) {
    if (!has(cell, TS_CELL_SURFACES)) return v3_make(NAN, NAN, NAN);
    return mean(cell, rows->shell_force, TS_SHELL_WIDTH, first);
}

double ts_cell_mises(const ts_cell_rows *rows, const ts_table_cell *cell) {
    int64_t count = cell[TS_CELL_STATIONS].integer, from = cell[TS_CELL_STATION].integer;
    double sum = 0;
    if (!has(cell, TS_CELL_SOLIDS)) return NAN;
    for (int64_t k = from; k < from + count; k++)
        sum += ts_mises(rows->solid_stress + TS_STRESS_WIDTH * k);
    return sum / (double)count;
}

double ts_cell_shell_energy(const ts_cell_rows *rows, const ts_table_cell *cell) {
    int64_t count = cell[TS_CELL_STATIONS].integer, from = cell[TS_CELL_STATION].integer;
    double sum = 0;
    if (!has(cell, TS_CELL_SURFACES)) return NAN;
    for (int64_t k = TS_SHELL_WIDTH * from; k < TS_SHELL_WIDTH * (from + count); k++)
        sum += 0.5 * rows->shell_force[k] * rows->shell_strain[k];
    return sum / (double)count;
}

ts_cell_stations ts_cell_stations_of(const ts_results *r) {
    ts_cell_stations of;
    for (int f = 0; f < TS_CELL_FAMILIES; f++)
        of.count[f] = r->entries[ts_cell_family_each((ts_cell_family)f)];
    return of;
}
