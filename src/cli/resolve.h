/* torsor run --resolve: error bars from the same run with half the step and with a refined mesh.
 *
 *   resolve.c         the other two runs, in processes beside the run itself, with results in a temporary folder
 *   resolve_table.c   channels of the three results files, their error bars, in words and in JSON
 */
#ifndef TS_RESOLVE_H
#define TS_RESOLVE_H

#include "cli/cli.h"

/* One of the runs to compare with. */
typedef struct cli_companion {
    const char *about;  /* "half the step" */
    const char *status; /* "completed", "failed", "none": there is nothing to compare */
    char message[400];  /* why it is not completed, or "" */
    const char *path;   /* its results, when completed */
    int order;          /* that is assumed */
} cli_companion;

enum { CLI_HALF, CLI_FINE, CLI_COMPANIONS };

typedef struct cli_resolve cli_resolve;

/* Begins the other runs; the session is assembled. Exit code. */
int cli_resolve_begin(cli_resolve **out, const cli_session *session, const cli_settings *settings);
/* Once the run itself has ended with `code`: waits for the others, tells the error bars, clears everything away.
 * Exit code. */
int cli_resolve_end(cli_resolve *resolve, const cli_settings *settings, const char *results,
                    int code);

/* Are these channels ("a,b") in the results? A status, as of ts_fail. */
int cli_channels_try(const char *results, const char *channels);
/* Compares and tells. The document has outputs.csv. Exit code. */
int cli_resolve_tell(const ts_document *document, const cli_settings *settings, const char *results,
                     const cli_companion companion[CLI_COMPANIONS]);

#endif
