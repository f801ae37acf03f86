/* SPDX-License-Identifier: Apache-2.0 */
/* Error bars from the same run with half the step and with a refined mesh. See torsor_resolve in
 * torsor/torsor.h.
 *
 *   resolve.c         the other two runs, in threads beside the run itself, with results in a
 *                     temporary folder
 *   resolve_table.c   channels of the three results files, their error bars, in words and in JSON
 */
#ifndef TS_RESOLVE_H
#define TS_RESOLVE_H

#include "api/studies/study.h"

/* One of the runs to compare with. */
typedef struct ts_companion {
    const char *about;  /* "half the step" */
    const char *status; /* "completed", "failed", "none": there is nothing to compare */
    char message[400];  /* why it is not completed, or "" */
    const char *path;   /* its results, when completed */
    int order;          /* that is assumed */
} ts_companion;

enum { TS_HALF, TS_FINE, TS_COMPANIONS };

/* Columns of the model's table are looked for in the results of the model as drawn. */
void ts_document_forget_columns(ts_document *document);
/* Channels of results: those named ("a,b"), or of outputs.csv, or the most informative ones. */
int ts_channels_read(const ts_document *document, const char *channels, const char *path,
                     ts_columns *out);
/* Reads the channels `as` from another file, by their names. */
int ts_channels_same(const char *path, const ts_columns *as, ts_columns *out);
/* Rows that both have, at the same times. */
int64_t ts_common_rows(const ts_columns *a, const ts_columns *b);

/* Are these channels ("a,b") in the results? */
int ts_channels_try(const char *results, const char *channels);
/* Compares. The document has outputs.csv; channels may be NULL. */
int ts_resolve_compare(torsor_study **out, const ts_document *document, const char *channels,
                       const char *results, const ts_companion companion[TS_COMPANIONS]);

#endif
