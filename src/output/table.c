/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that grow row by row. See table.h. */
#include "output/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

ts_table_cell *ts_records_add(ts_records *t) {
    ts_grow(t->cells, t->room, (t->rows + 1) * t->fields);
    ts_table_cell *row = t->cells + t->rows++ * t->fields;
    memset(row, 0, (size_t)t->fields * sizeof *row);
    return row;
}

void ts_records_clear(ts_records *t) {
    free(t->cells);
    *t = (ts_records){.fields = t->fields};
}
