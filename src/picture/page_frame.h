/* SPDX-License-Identifier: Apache-2.0 */
/* HTML pages contained in the library (report/meson.build); their data replace the mark DATA. See
 * page_frame.c. */
#ifndef TS_PAGE_FRAME_H
#define TS_PAGE_FRAME_H

#include <stdio.h>

#include "base/place.h"

typedef struct ts_page_frame {
    const char *text; /* the page without data; empty: torsor was built without it */
    const char *what; /* "reports", for messages */
    int (*put)(FILE *out, const void *context); /* its data, as scripts */
    const void *context;
} ts_page_frame;

int ts_page_frame_check(const ts_page_frame *frame);
/* Replaces a report only; `input`: files that the data come from. */
int ts_page_frame_write(const ts_page_frame *frame, const char *path, int inputs,
                        const char *const *input);
ts_output ts_page_frame_output(int inputs, const char *const *input);

#endif
