/* The columns that a results file could give, by name: see results_columns.c. */
#ifndef TS_RESULTS_COLUMNS_H
#define TS_RESULTS_COLUMNS_H

#include "results/file.h"
#include "results/node_values.h"

/* How a number follows from a row of a series. */
typedef enum ts_how {
    TS_COPY,       /* the number at `index` */
    TS_NEGATIVE,   /* minus that */
    TS_QUATERNION, /* component of the quaternion (s, x, y, z) of the directors at `index` */
    TS_TURNED,     /* component of the rotation vector of the directors at `index` */
    TS_TOTAL,      /* kinetic + elastic + gravity */
    TS_MOVED,      /* the number at `index` less `drawn` */
    TS_AT_NODE,    /* component, from cells around a node: node_values.h */
    TS_MISES_AT_NODE
} ts_how;

typedef struct ts_column {
    char *name;
    const char *unit;
    ts_series_id series;
    int64_t index;
    ts_how how;
    int component;
    double drawn;
    const ts_node_values *inside; /* belongs to the catalogue */
    const char *part;             /* likewise */
    int64_t node;
    bool usual;                /* taken when nothing is asked for */
    bool alias;                /* there under another name as well */
    int64_t ordinal, siblings; /* of a part with several nodes or stations: which, from 1; else 0 */
} ts_column;

typedef struct ts_catalogue {
    ts_column *items;
    size_t count, room;
    ts_node_values *inside;
} ts_catalogue;

int ts_catalogue_make(ts_results *results, ts_catalogue *list);
void ts_catalogue_clear(ts_catalogue *list);
/* From a row of the column's series. */
double ts_column_value(const ts_column *column, const double *row);

#endif
