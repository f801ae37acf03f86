/* Tables that grow row by row. See table.h. */
#include "output/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

ts_table_cell *ts_records_add(ts_records *t) {
    if (t->rows == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cells = ts_realloc(t->cells, (size_t)(t->room * t->fields), sizeof *t->cells);
    }
    ts_table_cell *row = t->cells + t->rows++ * t->fields;
    memset(row, 0, (size_t)t->fields * sizeof *row);
    return row;
}

void ts_records_clear(ts_records *t) {
    free(t->cells);
    *t = (ts_records){.fields = t->fields};
}
