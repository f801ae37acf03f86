/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of the C library that are closed when memory runs out: see ts_hold in memory.h.
 *
 *   ts_open, ts_close        fopen and fclose
 *   ts_text_begin, _end      a stream that writes to memory (open_memstream)
 */
#ifndef TS_STREAM_H
#define TS_STREAM_H

#include <stdio.h>

FILE *ts_open(const char *path, const char *mode);
int ts_close(FILE *stream);

/* Text of any length, written by `out`. */
typedef struct ts_text {
    FILE *out;
    char *text; /* of the C library, while it is written */
    size_t length;
} ts_text;

ts_text *ts_text_begin(void);
/* Closes the stream and returns its text as a block. */
char *ts_text_end(ts_text *text);

#endif
