/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, counts and times as text, for tables and messages. */
#ifndef TS_WORDS_H
#define TS_WORDS_H

#include <stdint.h>
#include <stdio.h>

enum { TS_WORD = 48 };

/* Each writes to `text` and returns it. */
const char *ts_words_quantity(char text[TS_WORD], double value, const char *unit); /* "2.3 kJ" */
const char *ts_words_duration(char text[TS_WORD], double seconds);                 /* "1:05:12" */
/* "1 step", "2 steps" */
const char *ts_words_count(char text[TS_WORD], int64_t count, const char *singular,
                           const char *plural);

/* Wraps the words of `text` in lines that begin at the column `indent`, where the cursor is. */
void ts_words_wrap(FILE *out, const char *text, int indent, int width);

#endif
