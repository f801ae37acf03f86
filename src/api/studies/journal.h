/* SPDX-License-Identifier: Apache-2.0 */
/* Journals of many cases: one line of JSON for each case that is finished.
 *
 *   {"key": "<64 hexadecimal digits>", "case": 7, "parameters": {"L": "2 m"},
 *    "values": {"peak": 3.5}, "units": {"peak": "N"}, "good": true, "seconds": 0.4,
 *    "histories": {"t": [...], "hinge.angle": [...]}, "run": "runs/7.html"}
 *
 *   journal.c         lines into columns
 *   journal_write.c   columns as a table or as the data of a page
 */
#ifndef TS_JOURNAL_H
#define TS_JOURNAL_H

#include "api/studies/study.h"

/* A quantity of all cases, in the order of the rows. */
typedef struct ts_case_column {
    char *name, *unit;
    bool parameter;
    bool words;     /* some value is no number, or of another dimension: texts are shown */
    double *number; /* NaN: none */
    char **text;    /* NULL: none */
} ts_case_column;

typedef struct ts_case_row {
    int64_t which; /* number of the case */
    char *key, *line;
    bool good;
    double seconds; /* NaN: not known */
} ts_case_row;

typedef struct ts_cases {
    ts_case_row *row;
    int64_t rows, room;
    ts_case_column *column;
    int columns, column_room;
} ts_cases;

int ts_cases_read(ts_cases *out, int count, const char *const *journals);
void ts_cases_clear(ts_cases *cases);

/* ---- journal_write.c ---- */

int ts_cases_csv(const ts_cases *cases, FILE *out);
int ts_cases_h5(const ts_cases *cases, const char *path);
/* One object: columns, rows of numbers, and the lines as they are. */
void ts_cases_json(const ts_cases *cases, FILE *out);

#endif
