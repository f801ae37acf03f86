/* Tables in files: comma-separated values, read for a signal and written into the echo of the model. */
#ifndef TS_TABLE_H
#define TS_TABLE_H

#include "reader/reader.h"

typedef struct ts_table {
    int points;
    double *time, *value; /* owned by the caller; time in SI, value too if it has a dimension */
    ts_dim dim;
} ts_table;

extern const ts_field TS_FILE_FIELDS[];

/* `map` is {file: ..., columns: [1, 2], units: [s, N], interpolation: ..., period: ...}. */
bool ts_read_table_file(ts_reader *r, const ts_yaml *map, ts_table *out);

#endif
