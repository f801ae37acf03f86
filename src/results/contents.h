/* What a results file holds, read back: the tables of its model, and the columns that it has. See
 * contents.c. */
#ifndef TS_RESULTS_CONTENTS_H
#define TS_RESULTS_CONTENTS_H

#include "output/catalogue.h"
#include "results/file.h"

/* One table of the file, by its description; empty in files from before there was such a table. */
int ts_results_table(ts_results *results, ts_table_id id, ts_records *table);
/* All that names need. Clear it also on failure. */
int ts_results_contents(ts_results *results, ts_contents *contents);
/* Columns: those of the owners that the selectors begin with, or all. Clear it also on failure. */
int ts_results_catalogue(ts_results *results, ts_catalogue *list, int selectors,
                         char *const *selector);

#endif
