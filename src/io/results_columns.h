/* The columns that a results file could give, by name: see results_columns.c. */
#ifndef TS_RESULTS_COLUMNS_H
#define TS_RESULTS_COLUMNS_H

#include "io/results_file.h"

/* How a number follows from a row of a series. */
typedef enum ts_how {
    TS_COPY,       /* the number at `index` */
    TS_NEGATIVE,   /* minus that */
    TS_QUATERNION, /* component of the quaternion (s, x, y, z) of the directors at `index` */
    TS_TURNED,     /* component of the rotation vector of the directors at `index` */
    TS_TOTAL       /* kinetic + elastic + gravity */
} ts_how;

typedef struct ts_column {
    char *name;
    const char *unit;
    ts_series_id series;
    int64_t index;
    ts_how how;
    int component;
    bool usual;                /* taken when nothing is asked for */
    bool alias;                /* there under another name as well */
    int64_t ordinal, siblings; /* of a part with several nodes or stations: which, from 1; else 0 */
} ts_column;

typedef struct ts_catalogue {
    ts_column *items;
    size_t count, room;
} ts_catalogue;

int ts_catalogue_make(ts_results *results, ts_catalogue *list);
void ts_catalogue_clear(ts_catalogue *list);
/* From a row of the column's series. */
double ts_column_value(const ts_column *column, const double *row);

#endif
