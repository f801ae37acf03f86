/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of an open results file: for results.c, contacts.c and page.c. */
#ifndef TS_API_OPENED_H
#define TS_API_OPENED_H

#include "api/api.h"
#include "contact/touching.h"
#include "output/table.h"
#include "results/file.h"

/* Pairs in contact at the state that was requested last. */
typedef struct ts_told_contacts {
    bool known; /* the names */
    ts_records contacts, shapes;
    int count;
    ts_touched *pair;
} ts_told_contacts;

struct torsor_results {
    ts_handle head;
    ts_results *file;
    char *path;
    ts_told_contacts contacts;
    char name[TS_SERIES_COUNT][64]; /* without the slash at its beginning */
};

#endif
