/* SPDX-License-Identifier: Apache-2.0 */
/* A text with a name: where things stand in it, and what is said about them.
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
    const char *from; /* who includes it, for messages; NULL: nobody */
    const char *text; /* borrowed */
    size_t length;
    size_t *line; /* offsets of the beginnings of lines */
    int lines;
    ts_diagnostics *diagnostics;
    struct ts_place
        *last; /* the newest place asked for: the next one is mostly a little further on */
} ts_source;

void ts_source_open(ts_source *source, const char *name, const char *text, size_t length,
                    ts_diagnostics *diagnostics);
void ts_source_close(ts_source *source);
void ts_source_place(const ts_source *s, size_t offset, int *line, int *column);
/* A copy of a line, from 1, fit to be shown (base/plain.h); NULL if it is very long. */
char *ts_source_line(const ts_source *s, int line);

/* One more problem, at a byte of the text; `hint` may be NULL or empty. Always returns false, so
 * that a failing function of ours reads `return ts_report(...)`. Beyond TS_MAX_DIAGNOSTICS only the
 * fact is kept. */
bool ts_report(const ts_source *source, size_t offset, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A problem that was reported, the one of this number, stands at another place as well: its hint
 * says so. */
void ts_report_also(const ts_source *source, int which, size_t offset);

/* Has so much been said already that a search for hints is not worth its while? */
bool ts_report_full(const ts_source *source);

/* For problems that have no place in a text. */
void ts_diagnostics_add(ts_diagnostics *list, const char *file, const char *message);
void ts_diagnostics_finish(ts_diagnostics *list); /* puts them in the order of the text */
/* appends; `from` is then empty */
void ts_diagnostics_move(ts_diagnostics *to, ts_diagnostics *from);

/* A whole regular file of at most TS_MAX_FILE bytes, with a 0 behind it; or NULL and `why`
 * filled. */
char *ts_read_whole(const char *path, size_t *length, char *why, size_t size);
/* A regular file as above, or a pipe to its end: a model by another program (/dev/stdin). */
char *ts_read_stream(const char *path, size_t *length, char *why, size_t size);
char *ts_read_limited(const char *path, size_t limit, size_t *length, char *why, size_t size);
/* The path of a file that a model names: relative to the model's folder, unless it is absolute. */
char *ts_path_beside(const char *model, const char *file);

/* Is this text free of NUL and of what is not UTF-8? Otherwise false and the problem reported. */
bool ts_check_utf8(const ts_source *source);

#endif
