/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON: commas, indentation and escapes are taken care of.
 *
 *   ts_json_open(&j, NULL, '{'); ts_json_text(&j, "key", "value"); ts_json_close(&j, '}');
 *
 * The key is NULL for items of a list.
 */
#ifndef TS_JSON_H
#define TS_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_json {
    FILE *out;
    int depth;
    bool more; /* the innermost list or mapping has entries already */
} ts_json;

/* A text in quotes. Bytes that are not UTF-8 become U+FFFD, so JSON is valid for any file name. */
void ts_json_quote(FILE *out, const char *text);
void ts_json_open(ts_json *j, const char *key, char bracket);
void ts_json_close(ts_json *j, char bracket);
void ts_json_text(ts_json *j, const char *key, const char *value);
/* `json` is written unchanged */
void ts_json_raw(ts_json *j, const char *key, const char *json);
void ts_json_flag(ts_json *j, const char *key, bool value);
void ts_json_count(ts_json *j, const char *key, long value);
/* With the fewest digits that read back; values that are not finite become null. */
void ts_json_number(ts_json *j, const char *key, double value);
void ts_json_vector(ts_json *j, const char *key, const double value[3]);

#endif
