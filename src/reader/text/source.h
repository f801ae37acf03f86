/* SPDX-License-Identifier: Apache-2.0 */
/* A text with a name, positions in it, and messages about them.
 *
 * Everything that reads a file of the user's points into its text by byte offsets; lines and
 * columns (from 1; columns count characters, not bytes) are worked out only when a problem is
 * reported.
 */
#ifndef TS_SOURCE_H
#define TS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "reader/document.h"

enum { TS_MAX_DIAGNOSTICS = 50, TS_MAX_FILE = 64 << 20 };

typedef struct ts_source {
    const char *name; /* for messages */
    const char *from; /* the place that includes it, for messages; NULL: none */
    const char *text; /* borrowed */
    size_t length;
    size_t *line; /* offsets of the beginnings of lines */
    int lines;
    ts_diagnostics *diagnostics;
    struct ts_place
        *last; /* the newest requested place: the next one is usually a little further on */
} ts_source;

void ts_source_open(ts_source *source, const char *name, const char *text, size_t length,
                    ts_diagnostics *diagnostics);
void ts_source_close(ts_source *source);
void ts_source_place(const ts_source *s, size_t offset, int *line, int *column);
/* A copy of a line, from 1, fit to be shown (base/plain.h); NULL if it is very long. */
char *ts_source_line(const ts_source *s, int line);

/* Reports a problem at a byte of the text; `hint` may be NULL or empty. Always returns false, so
 * that a failing function can `return ts_report(...)`. Beyond TS_MAX_DIAGNOSTICS only their
 * existence is recorded. */
bool ts_report(const ts_source *source, size_t offset, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives this hint to the diagnostics from number `first` on that have none and whose message begins
 * with these words. */
void ts_report_hint(const ts_source *source, int first, const char *words, const char *hint);
/* Adds another place to the hint of the reported problem of this number. */
void ts_report_also(const ts_source *source, int which, size_t offset);

/* Are there so many diagnostics that a search for hints is not worthwhile? */
bool ts_report_full(const ts_source *source);

/* For problems without a place in a text. */
void ts_diagnostics_add(ts_diagnostics *list, const char *file, const char *message);
void ts_diagnostics_finish(ts_diagnostics *list); /* sorts them in the order of the text */
/* appends; `from` is then empty */
void ts_diagnostics_move(ts_diagnostics *to, ts_diagnostics *from);

/* Reads a regular file of at most TS_MAX_FILE bytes, and adds a 0; or returns NULL and fills
 * `why`. */
char *ts_read_whole(const char *path, size_t *length, char *why, size_t size);
/* Reads a regular file as above, or a pipe to its end: a model by another program (/dev/stdin). */
char *ts_read_stream(const char *path, size_t *length, char *why, size_t size);
char *ts_read_limited(const char *path, size_t limit, size_t *length, char *why, size_t size);
/* The path of a file that a model names: relative to the model's folder, unless it is absolute. */
char *ts_path_beside(const char *model, const char *file);

/* Is this text valid UTF-8 without NUL? Otherwise false and the problem is reported. */
bool ts_check_utf8(const ts_source *source);

#endif
