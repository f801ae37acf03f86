/* What the results have inside cells of shells and solids, as one value per cell: the mean over its points. For pictures. */
#ifndef TS_CELL_VALUES_H
#define TS_CELL_VALUES_H

#include "math/vec3.h"
#include "results/file.h"
#include "results/geometry.h"

/* One stored state. */
typedef struct ts_cell_rows {
    double *shell_force, *shell_strain, *solid_stress;
} ts_cell_rows;

void ts_cell_rows_new(ts_cell_rows *rows, const ts_results *r);
void ts_cell_rows_free(ts_cell_rows *rows);
int ts_cell_rows_read(ts_cell_rows *rows, ts_results *r, int64_t frame);

/* Each is NaN where the cell, a row of the geometry, has none. */
double ts_cell_mises(const ts_cell_rows *rows, const ts_table_cell *cell);
double ts_cell_shell_energy(const ts_cell_rows *rows, const ts_table_cell *cell);  /* per area */
v3 ts_cell_stress(const ts_cell_rows *rows, const ts_table_cell *cell, int first); /* 3 of 6 */
v3 ts_cell_shell_force(const ts_cell_rows *rows, const ts_table_cell *cell, int first); /* 3 of 8 */

/* How many stations there are for each family of cells. */
ts_cell_stations ts_cell_stations_of(const ts_results *r);

#endif
