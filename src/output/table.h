/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of named fields, as results files have them: rows of texts, whole numbers and numbers. */
#ifndef TS_OUTPUT_TABLE_H
#define TS_OUTPUT_TABLE_H

#include <stdint.h>

typedef enum ts_table_type { TS_TABLE_TEXT, TS_TABLE_INTEGER, TS_TABLE_NUMBER } ts_table_type;

typedef struct ts_table_field {
    const char *name;
    ts_table_type type;
} ts_table_field;

typedef union ts_table_cell {
    const char *text;
    int64_t integer;
    double number;
} ts_table_cell;

/* Rows of `fields` cells each, one after the other. */
typedef struct ts_records {
    ts_table_cell *cells;
    int64_t rows, room; /* of the room, cells */
    int fields;
} ts_records;

/* A new row of zeros at the end. */
ts_table_cell *ts_records_add(ts_records *table);
void ts_records_clear(ts_records *table);

static inline const ts_table_cell *ts_record(const ts_records *table, int64_t row) {
    return table->cells + row * table->fields;
}

#endif
