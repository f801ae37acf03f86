/* SPDX-License-Identifier: Apache-2.0 */
/* Streams. See stream.h. */
#include "base/stream.h"

#include "base/memory.h"

static void close_stream(void *stream) { fclose(stream); }

FILE *ts_open(const char *path, const char *mode) {
    FILE *stream = fopen(path, mode);
    if (stream) ts_hold(close_stream, stream);
    return stream;
}

int ts_close(FILE *stream) {
    ts_unhold(close_stream, stream);
    return fclose(stream);
}

/* fclose writes to text and length: they must live as long as the stream, so they are in a
 * block. */
static void drop_text(void *text_) {
    ts_text *text = text_;
    fclose(text->out);
    free(text->text);
}

ts_text *ts_text_begin(void) {
    ts_text *text = ts_calloc(1, sizeof *text);
    text->out = open_memstream(&text->text, &text->length);
    if (!text->out) ts_no_memory("no stream for a text");
    ts_hold(drop_text, text);
    return text;
}

char *ts_text_end(ts_text *text) {
    if (fflush(text->out) || ferror(text->out)) ts_no_memory("a text of %zu bytes", text->length);
    char *copy = ts_strdup(text->text);
    ts_unhold(drop_text, text);
    drop_text(text);
    free(text);
    return copy;
}
