/* SPDX-License-Identifier: Apache-2.0 */
/* Tables in files: every layout in which spreadsheets and loggers write columns of numbers, and
 * ambiguous files, which are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reader/tables/table.h"

/* Three rows (0, 0), (1, 0.5), (2.5, -1.5), written in many ways. */
static const double TIMES[] = {0, 1, 2.5}, VALUES[] = {0, 0.5, -1.5};

static const struct {
    const char *text;
    int column[2];
} GOOD[] = {
    {"0;0\n1;0,5\n2,5;-1,5\n", {1, 2}},
    {"0;0\n1;0.5\n2.5;-1.5\n", {1, 2}},
    {"0,0\n1,0.5\n2.5,-1.5\n", {1, 2}},
    {"0\t0\n1\t0,5\n2,5\t-1,5\n", {1, 2}},
    {"0\t0\n1\t0.5\n2.5\t-1.5\n", {1, 2}},
    {"0 0\n1 0.5\n2.5 -1.5\n", {1, 2}},
    {"  0,0   0,0  \n  1,0   0,5  \n  2,5  -1,5  \n", {1, 2}},
    {"   0.0E+00  0.0\n   1.0e0   5.0E-01\n  25.e-1  -.15e1\n", {1, 2}},
    {"\"0\",\"0\"\n\"1\",\"0,5\"\n\"2,5\",\"-1,5\"\n", {1, 2}},
    {"0, 0\n1, 0.5\n2.5, -1.5\n", {1, 2}},
    {"0 ; 0,0\n1 ; 0,5\n2,5 ; -1,5\n", {1, 2}},
    // headings: names, units, quoted with delimiters in them, of other widths, Excel's own
    {"Zeit;Kraft\r\n0;0\r\n1;0,5\r\n2,5;-1,5\r\n", {1, 2}},
    {"time;force\ns;N\n\n0;0\n1;0.5\n2.5;-1.5\n\n\n", {1, 2}},
    {"\"time; s\";\"force, in N\"\n0;0\n1;0,5\n2,5;-1,5\n", {1, 2}},
    {"sep=;\nMeasurement 12\n\nt;F\n0;0\n1;0,5\n2,5;-1,5\n", {1, 2}},
    {"# a comment\ntime force\n0 0\n# another\n1 0.5\n2.5 -1.5", {1, 2}},
    {";;\nt;F;\n0;0;\n1;0,5;\n2,5;-1,5;\n;;\n", {1, 2}},
    // other columns: swapped, with dates and texts, with empty cells
    {"0;0\n0,5;1\n-1,5;2,5\n", {2, 1}},
    {"2024-01-05 10:00;0;a;0\n2024-01-05 10:01;1;b;0,5\n2024-01-05 10:02;2,5;;-1,5\n", {2, 4}},
    {"0;;0\n1;;0,5\n2,5;;-1,5\n", {1, 3}},
    {"0,0,7\n1,0.5,7\n2.5,-1.5,7\n", {1, 2}},
    {"t,a,b\n0,7,0\n1,7,0.5\n2.5,7,-1.5\n", {1, 3}},
};

static bool find_as(const char *text, const ts_table_wish *wish, ts_diagnostics *list,
                    ts_source *file, ts_table_layout *layout) {
    ts_source_open(file, "table.csv", text, strlen(text), list);
    return ts_table_layout_find(file, wish, layout);
}

static bool find(const char *text, const int column[2], bool given, ts_diagnostics *list,
                 ts_source *file, ts_table_layout *layout) {
    const ts_table_wish wish = {.column = {column[0], column[1]}, .columns_given = given};
    return find_as(text, &wish, list, file, layout);
}

static double number(const ts_source *file, const ts_table_layout *layout, const ts_table_row *row,
                     int which) {
    char text[TS_TABLE_NUMBER];
    size_t length = ts_table_number(file, layout, row, which, text);
    assert_int_equal(length, strlen(text));
    return strtod(text, NULL);
}

static void every_layout_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        ts_diagnostics list = {0};
        ts_source file;
        ts_table_layout layout;
        ts_table_row row;
        if (!find(GOOD[i].text, GOOD[i].column, false, &list, &file, &layout))
            fail_msg("case %zu: %s", i, list.items[0].message);
        int rows = 0;
        for (int line = 0; line < file.lines; line++) {
            if (!ts_table_row_at(&file, &layout, line, &row)) continue;
            assert_true(rows < 3);
            if (number(&file, &layout, &row, 0) != TIMES[rows] ||
                number(&file, &layout, &row, 1) != VALUES[rows])
                fail_msg("case %zu, row %d", i, rows);
            rows++;
        }
        assert_int_equal(rows, 3), assert_int_equal(layout.rows, 3);
        ts_source_close(&file);
    }
}

static const struct {
    const char *text;
    int line, column;
    const char *message;
} BAD[] = {
    // thousands, units, letters, marks that change
    {"0;1.234,5\n1;2.345,6\n", 1, 3, "expected a number"},
    {"0;0,5\n1.5;0,7\n", 2, 1, "expected a number"},
    {"0,5s;1\n1,5s;2\n", 1, 1, "expected a number"},
    {"0;1\n1;2 N\n", 2, 3, "expected a number"},
    {"0;1\n1;O\n", 2, 3, "expected a number"},
    {"0;1\n1;\n", 2, 3, "expected a number"},
    {"0;1\n1;1e\n", 2, 3, "expected a number"},
    {"0;1\n1;1d3\n", 2, 3, "expected a number"},
    {"0;1\n1;0x10\n", 2, 3, "expected a number"},
    {"0;1\n1;nan\n", 2, 3, "expected a number"},
    {"t;F\n0;1\nt;F\n1;2\n", 3, 1, "expected a number"},
    {"0;0,5,5\n1;2\n", 1, 3, "expected a number"},
    // columns
    {"0;1\n1;2;3\n", 2, 1, "this line has 3 columns, the first row 2"},
    {"0;1;2\n1;2\n", 2, 1, "this line has 2 columns, the first row 3"},
    {"0;1\n1\n", 2, 1, "no column 2"},
    {"0\n1\n2\n", 1, 1, "no column 2"},
    {"0\t\t1\n1\t\t2\n", 1, 3, "expected a number"},
    // decimal commas between commas
    {"0,0,5\n1,0,7\n", 1, 1, "may contain 3 columns, or decimal commas"},
    {"0,0,0,5\n1,0,1,5\n", 1, 1, "may contain 4 columns, or decimal commas"},
    {"t,a,b\n0,0,5,1,5,2\n1,0,7,1,5,3\n", 2, 1, "may contain 6 columns, or decimal commas"},
    {"0,5\n1,0,5\n", 2, 1, "this line has 3 columns, the first row 2"},
    // nothing there
    {"", 1, 1, "at least two rows"},
    {"time;force\n", 1, 1, "at least two rows"},
    {"0;1\n", 1, 1, "at least two rows"},
};

static void doubts_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        ts_diagnostics list = {0};
        ts_source file;
        ts_table_layout layout;
        if (find(BAD[i].text, (const int[]){1, 2}, false, &list, &file, &layout))
            fail_msg("case %zu is read", i);
        assert_int_equal(list.count, 1);
        const ts_diagnostic *d = &list.items[0];
        if (d->line != BAD[i].line || d->column != BAD[i].column ||
            !strstr(d->message, BAD[i].message))
            fail_msg("case %zu: %d:%d: %s", i, d->line, d->column, d->message);
        ts_source_close(&file);
        ts_diagnostics_clear(&list);
    }
}

/* The model says what it means. */
static void named_columns_settle_doubts(void **state) {
    (void)state;
    ts_diagnostics list = {0};
    ts_source file;
    ts_table_layout layout;
    assert_true(find("0,0,5\n1,0,7\n", (const int[]){1, 3}, true, &list, &file, &layout));
    assert_int_equal(layout.delimiter, ','), assert_int_equal(layout.columns, 3);
    ts_source_close(&file);
    // columns 1 and 3 by commas: 1 and 5; by blanks: 1.2 and 4.5
    assert_false(find("1,2 3 4,5\n2,2 3 4,5\n", (const int[]){1, 3}, true, &list, &file, &layout));
    assert_int_equal(list.count, 1);
    assert_non_null(strstr(list.items[0].message, "two ways"));
    ts_source_close(&file);
    ts_diagnostics_clear(&list);
}

/* Separator of columns, and what before decimals, as the model says. */
static const struct {
    const char *text;
    ts_table_wish wish;
    double second[2]; /* row */
} SETTLED[] = {
    {"0,0,5\n1,0,7\n", {.column = {1, 2}, .decimal = '.'}, {1, 0}},
    {"0,0,5\n1,0,7\n", {.column = {1, 2}, .delimiter = ','}, {1, 0}},
    {"1,2 3 4,5\n2,2 3 4,5\n", {.column = {1, 3}, .delimiter = ' '}, {2.2, 4.5}},
    {"1,2 3 4,5\n2,2 3 4,5\n", {.column = {1, 3}, .delimiter = ','}, {2, 5}},
    {"1,5 2\n2,5 3\n", {.column = {1, 2}, .delimiter = ' '}, {2.5, 3}},
    // columns by their headings, with and without units, quoted, among others
    {"time;x;force\n0;7;0,5\n1;7;0,75\n", {{1, 2}, {"time", "force"}, true, 0, 0, 0}, {1, 0.75}},
    {"force [N], \"time [s]\"\n3, 0\n4, 1\n", {{1, 2}, {"time", "force"}, true, 0, 0, 0}, {1, 4}},
    {"log 12\n\nt (s)\tF (kN)\n0\t1\n1\t2,5\n", {{1, 2}, {"t", "F"}, true, 0, 0, 0}, {1, 2.5}},
    {"t a b\n0 1 2\n1 2 3\n", {{1, 2}, {NULL, "b"}, true, 0, 0, 0}, {1, 3}},
};

static void the_model_settles_doubts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof SETTLED / sizeof *SETTLED; i++) {
        ts_diagnostics list = {0};
        ts_source file;
        ts_table_layout layout;
        ts_table_row row;
        if (!find_as(SETTLED[i].text, &SETTLED[i].wish, &list, &file, &layout))
            fail_msg("case %zu: %s", i, list.items[0].message);
        assert_int_equal(layout.rows, 2);
        assert_true(ts_table_row_at(&file, &layout, layout.first + 1, &row));
        for (int k = 0; k < 2; k++)
            if (number(&file, &layout, &row, k) != SETTLED[i].second[k])
                fail_msg("case %zu, column %d", i, k);
        ts_source_close(&file);
    }
}

static const struct {
    const char *text;
    ts_table_wish wish;
    int line;
    const char *message;
} REFUSED[] = {
    // decimal commas between commas stay doubtful: are these 0 and 0.5?
    {"0,0,5\n1,0,7\n", {{1, 2}, {0}, true, 0, ',', 0}, 1, "may contain 3 columns"},
    {"0;0,5\n1;0,7\n", {{1, 2}, {0}, false, 0, '.', 0}, 1, "expected a number"},
    {"0;1\n1;2\n", {{1, 2}, {0}, false, '\t', 0, 0}, 1, "no column 2"},
    {"t;F\n0;1\n1;2\n", {{1, 2}, {"t", "force"}, true, 0, 0, 0}, 1, "'t' and 'force', each once"},
    {"t;F;F\n0;1;2\n1;2;3\n", {{1, 2}, {NULL, "F"}, true, 0, 0, 0}, 1, "the heading 'F', once"},
    // blanks within headings shift them
    {"t [s] F [N] x\n0 1 2\n1 2 3\n",
     {{1, 2}, {"t", "F"}, true, 0, 0, 0},
     2,
     "the headings have 5"},
};

static void what_the_model_says_must_fit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
        ts_diagnostics list = {0};
        ts_source file;
        ts_table_layout layout;
        if (find_as(REFUSED[i].text, &REFUSED[i].wish, &list, &file, &layout))
            fail_msg("case %zu is read", i);
        assert_int_equal(list.count, 1);
        const ts_diagnostic *d = &list.items[0];
        if (d->line != REFUSED[i].line || !strstr(d->message, REFUSED[i].message))
            fail_msg("case %zu: %d: %s", i, d->line, d->message);
        ts_source_close(&file);
        ts_diagnostics_clear(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_layout_is_read), cmocka_unit_test(doubts_are_told),
        cmocka_unit_test(named_columns_settle_doubts), cmocka_unit_test(the_model_settles_doubts),
        cmocka_unit_test(what_the_model_says_must_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
