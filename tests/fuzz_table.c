/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table in a file: refused with a message and a position, or rows of numbers. Rows
 * that are read are written again with semicolons and decimal points, and must give the same
 * numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/tables/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "fuzz_table: %s\n", what);
    abort();
}

static double *numbers_of(const ts_source *file, const ts_table_layout *layout, char *again) {
    double *out = calloc((size_t)layout->rows * 2, sizeof *out);
    int rows = 0;
    for (int i = 0; i < file->lines; i++) {
        ts_table_row row;
        if (!ts_table_row_at(file, layout, i, &row)) continue;
        insist(rows < layout->rows, "more rows than were counted");
        for (int k = 0; k < 2; k++) {
            char text[TS_TABLE_NUMBER], *end;
            insist(ts_table_number(file, layout, &row, k, text) < TS_TABLE_NUMBER, "a long number");
            out[2 * rows + k] = strtod(text, &end);
            insist(end > text && *end == 0, "no number");
            again += sprintf(again, "%s%c", text, k ? '\n' : ';');
        }
        rows++;
    }
    insist(rows == layout->rows && rows >= 2, "fewer rows than were counted");
    return out;
}

static void read_again(const char *text, const double *numbers, int rows, ts_diagnostics *list) {
    ts_source file;
    ts_table_layout layout;
    const ts_table_wish plain = {.column = {1, 2}, .columns_given = true};
    char *once_more = malloc(strlen(text) + 1);
    ts_source_open(&file, "again", text, strlen(text), list);
    insist(ts_table_layout_find(&file, &plain, &layout), "rows are refused");
    insist(layout.rows == rows, "rows are lost");
    double *same = numbers_of(&file, &layout, once_more);
    insist(memcmp(same, numbers, 2 * (size_t)rows * sizeof *same) == 0, "other numbers");
    free(same), free(once_more);
    ts_source_close(&file);
}

static void read(const ts_source *file, const ts_table_wish *wish, ts_diagnostics *list) {
    ts_table_layout layout;
    int before = list->count;
    if (!ts_table_layout_find(file, wish, &layout)) {
        insist(list->count == before + 1 && *list->items[before].message, "no words");
        insist(list->items[before].line >= 1 && list->items[before].column >= 1, "no place");
        return;
    }
    char *again = calloc(2 * TS_TABLE_NUMBER, (size_t)layout.rows + 1);
    double *numbers = numbers_of(file, &layout, again);
    read_again(again, numbers, layout.rows, list);
    free(numbers), free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ts_table_wish WISH[] = {
        {.column = {1, 2}},
        {.column = {2, 1}},
        {.column = {1, 3}, .columns_given = true},
        {.column = {4, 1}, .columns_given = true},
        {.column = {1, 2}, .heading = {"t", "F"}, .columns_given = true},
        {.column = {1, 2}, .heading = {NULL, "force"}, .columns_given = true},
        {.column = {1, 2}, .delimiter = ','},
        {.column = {1, 2}, .decimal = ','},
        {.column = {1, 2}, .delimiter = ' ', .decimal = ','}};
    ts_diagnostics list = {0};
    ts_source file;
    char *text = calloc(size + 1, 1);
    if (size) memcpy(text, data, size);
    ts_source_open(&file, "fuzz", text, size, &list);
    if (ts_check_utf8(&file))
        for (size_t i = 0; i < sizeof WISH / sizeof *WISH; i++) read(&file, &WISH[i], &list);
    ts_source_close(&file);
    ts_diagnostics_clear(&list);
    free(text);
    return 0;
}
