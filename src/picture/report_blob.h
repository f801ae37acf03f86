/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in a page of HTML: shuffled, deflated, in base64. See report_blob.c. */
#ifndef TS_REPORT_BLOB_H
#define TS_REPORT_BLOB_H

#include <stdint.h>

#include "base/json.h"

typedef enum ts_blob_type { TS_BLOB_I16, TS_BLOB_I32, TS_BLOB_F32, TS_BLOB_F64 } ts_blob_type;

typedef struct ts_blob {
    const char *key;   /* in the JSON */
    ts_blob_type type; /* what the page shall hold */
    int64_t rows, width;
    bool delta; /* TS_BLOB_I16: rows are written as differences from the row before */
} ts_blob;

typedef struct ts_page {
    FILE *out;     /* the page, where blobs go at once */
    ts_json *json; /* what describes them */
    int count;     /* blobs so far */
} ts_page;

/* The data are int16_t, int32_t, float or double, by the type. */
int ts_page_blob(ts_page *page, ts_blob blob, const void *data);

#endif
