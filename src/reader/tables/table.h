/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in files: columns of numbers, read for a signal and written into the echo of the model. */
#ifndef TS_TABLE_H
#define TS_TABLE_H

#include "reader/reader.h"

enum {
    TS_TABLE_COLUMNS = 3
}; /* largest number of columns, of a map; a function of one argument
                                * has two */

typedef struct ts_table {
    int points, columns;
    /* Owned by the caller, all in SI if they have a dimension: the argument, the value; or both
     * arguments of a map and its value. Times are in SI in any case. */
    double *column[TS_TABLE_COLUMNS];
    ts_dim dim[TS_TABLE_COLUMNS];
    bool bare; /* the first of two columns has no unit: it holds times */
} ts_table;

extern const ts_field TS_FILE_FIELDS[];

/* ---- table_layout.c ---- */

enum { TS_TABLE_NUMBER = 81 }; /* characters of a number, and a zero */

typedef struct ts_table_layout {
    char delimiter, decimal;
    int count;                    /* requested columns: 2 or 3 */
    int column[TS_TABLE_COLUMNS]; /* these, from 1 */
    int columns, filled; /* of the first row: all, and up to the last one that is not empty */
    int first, rows;     /* line of the first row, from 0; how many rows there are */
    int headings;        /* columns of the line of headings that names columns; 0: not asked */
} ts_table_layout;

typedef struct ts_table_row {
    /* of the requested numbers, in the text of the file */
    size_t start[TS_TABLE_COLUMNS], end[TS_TABLE_COLUMNS];
} ts_table_row;

/* Properties of the table given in the model. */
typedef struct ts_table_wish {
    int column[TS_TABLE_COLUMNS]; /* from 1 */
    /* the heading of a column, instead of its number; NULL: none */
    const char *heading[TS_TABLE_COLUMNS];
    bool columns_given;      /* the model gives the columns */
    char delimiter, decimal; /* 0: to be found from the file */
    int count;               /* of columns: 3 of a map, else 2 */
} ts_table_wish;

/* Finds the layout by which the whole file can be read; false if there is no unambiguous one, with
 * the problem reported. */
bool ts_table_layout_find(const ts_source *file, const ts_table_wish *wish, ts_table_layout *out);
/* Does this line (from 0) contain a row? */
bool ts_table_row_at(const ts_source *file, const ts_table_layout *layout, int line,
                     ts_table_row *row);
/* The text of a line, from 0, without its end. */
void ts_table_line(const ts_source *file, int i, size_t *first, size_t *length);
/* The heading of a column, from 1, in a line. False: the line has not as many headings as rows have
 * columns. */
bool ts_table_heading(const ts_table_layout *layout, const char *line, size_t length, int column,
                      size_t heading[2]);
/* Copies the text of one of its numbers, with a decimal point; returns its length. */
size_t ts_table_number(const ts_source *file, const ts_table_layout *layout,
                       const ts_table_row *row, int which, char text[TS_TABLE_NUMBER]);

/* ---- table_units.c ---- */

enum { TS_TABLE_UNIT = 40 }; /* characters of a unit */

/* The units of the requested columns, if headings give them; other units do not change. False: a
 * heading has an ambiguous unit, which was reported. */
bool ts_table_units(const ts_source *file, const ts_table_layout *layout,
                    char unit[][TS_TABLE_UNIT + 1]);

/* ---- read_table.c ---- */

bool ts_table_is_unit(const char *text, ts_expr_error *error);

/* `map` is {file: ..., columns: [1, 2], units: [s, N], delimiter: ..., decimal: ...,
 * interpolation: ..., period: ...}, with three columns and units of a map. */
bool ts_read_table_file(ts_reader *r, const ts_yaml *map, ts_table *out);

#endif
