/* The data of a report: what a page of HTML needs to show runs, written into it. See report.c. */
#ifndef TS_REPORT_H
#define TS_REPORT_H

#include "results/results.h"

typedef struct ts_report_run {
    ts_results *results;
    const char *name;  /* of the file, for people */
    const char *audit; /* what the energy audit says, in words */
    bool sound;        /* and whether it is good */
    bool statics;
    char *const *columns; /* that the model asks for in its table */
    int column_count;
} ts_report_run;

/* Scripts with data, for the page that stands around them. `frames`: states to play, at most; 0
 * means as many as a browser likes. */
int ts_report_write(FILE *out, int runs, const ts_report_run *run, int64_t frames);

#endif
