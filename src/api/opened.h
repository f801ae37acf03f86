/* Inside of an open results file: for results.c and page.c. */
#ifndef TS_API_OPENED_H
#define TS_API_OPENED_H

#include "api/api.h"
#include "results/file.h"

struct torsor_results {
    ts_handle head;
    ts_results *file;
    char *path;
    char name[TS_SERIES_COUNT][64]; /* without the slash at its beginning */
};

#endif
