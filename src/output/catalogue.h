/* SPDX-License-Identifier: Apache-2.0 */
/* The columns that results have, by name: "top.position.x", "pivot.angle.rate", "energy.kinetic".
 * See catalogue.c. */
#ifndef TS_CATALOGUE_H
#define TS_CATALOGUE_H

#include "output/channel.h"
#include "output/node_values.h"

/* The tables from which names of columns are made: those of a results file, or those that the file
 * of a model would have. */
typedef struct ts_contents {
    ts_records table[TS_TABLES];
    int64_t *number;             /* of nodes, see model/node_names.h; NULL: not known */
    double *drawn;               /* places of nodes as drawn; NULL: not known */
    bool lacks[TS_SERIES_COUNT]; /* series that are not there */
    ts_cells cells;
    bool read; /* from a file: texts of a table are in one block with its cells */
} ts_contents;

void ts_contents_of_model(ts_contents *contents, const ts_subject *subject);
void ts_contents_clear(ts_contents *contents);

typedef struct ts_column {
    char *name;
    char unit[16];
    const ts_channel *channel;
    ts_series_id series;
    int64_t index; /* of the number, or of the first that `value` reads, in a row of the series */
    int component;
    double drawn;                 /* of displacements: where it was */
    const ts_node_values *inside; /* belongs to the catalogue */
    const char *part;             /* belongs to the catalogue */
    int64_t node;                 /* -1: of no node */
    bool usual;                   /* selected when no selector is given */
    bool alias;                   /* an alias of another column */
    size_t stem; /* characters of the name that are the name of a column above it: hinge.angle */
    int64_t ordinal, siblings; /* of a part with several nodes or stations: which, from 1; else 0 */
} ts_column;

typedef struct ts_catalogue {
    ts_column *items;
    size_t count, room;
    ts_node_values *inside;
    /* Selectors: only owners whose name begins one of them are needed; 0: all. */
    int selectors;
    char *const *selector;
    bool *seen; /* by channel: only one column of each is needed; NULL: all */
} ts_catalogue;

/* Takes ownership of the cells of the contents. Set selectors before. */
void ts_catalogue_make(ts_catalogue *list, ts_contents *contents);
void ts_catalogue_clear(ts_catalogue *list);
/* Value from a row of the column's series. */
double ts_column_value(const ts_column *column, const double *row);

/* The table /model/channels: those that the contents have. */
void ts_channels_make(ts_records *table, ts_contents *contents);

#endif
