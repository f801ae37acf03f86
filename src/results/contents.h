/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of a results file, read back: the tables of its model, and its columns. See
 * contents.c. */
#ifndef TS_RESULTS_CONTENTS_H
#define TS_RESULTS_CONTENTS_H

#include "output/catalogue.h"
#include "results/file.h"

/* One table of the file, by its description; empty in files of older versions without such a
 * table. */
int ts_results_table(ts_results *results, ts_table_id id, ts_records *table);
/* All that names need. Clear it also on failure. */
int ts_results_contents(ts_results *results, ts_contents *contents);
/* Columns: those of the owners that the selectors begin with, or all. Clear it also on failure. */
int ts_results_catalogue(ts_results *results, ts_catalogue *list, int selectors,
                         char *const *selector);

/* Events in the order of time, as stored states show them. */
typedef struct ts_happening {
    double t;
    int64_t times;           /* number since the stored state before; t is the time of the last
                              * one */
    const char *name, *mark; /* mark: "" if the event has none */
} ts_happening;

typedef void ts_event_listener(void *context, const ts_happening *happening);
int ts_results_events(ts_results *results, ts_event_listener *tell, void *context);

#endif
