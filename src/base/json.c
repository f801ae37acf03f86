/* SPDX-License-Identifier: Apache-2.0 */
/* Writing JSON (RFC 8259). */
#include "base/json.h"

#include <math.h>

#include "base/digits.h"
#include "base/plain.h"

void ts_json_quote(FILE *out, const char *text) {
    int length;
    fputc('"', out);
    for (; *text; text += length) {
        uint32_t c = ts_utf8_read(text, &length);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (int)c);
        else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == TS_NO_CHARACTER)
            fprintf(out, "\\u%04x", c);
        else
            fwrite(text, 1, (size_t)length, out);
    }
    fputc('"', out);
}

static void begin(ts_json *j, const char *key) {
    if (j->more) fputc(',', j->out);
    if (j->depth > 0) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    if (key) ts_json_quote(j->out, key), fputs(": ", j->out);
    j->more = true;
}

void ts_json_open(ts_json *j, const char *key, char bracket) {
    begin(j, key);
    fputc(bracket, j->out);
    j->depth++;
    j->more = false;
}

void ts_json_close(ts_json *j, char bracket) {
    j->depth--;
    if (j->more) fprintf(j->out, "\n%*s", 2 * j->depth, "");
    fputc(bracket, j->out);
    if (j->depth == 0) fputc('\n', j->out);
    j->more = true;
}

void ts_json_text(ts_json *j, const char *key, const char *value) {
    begin(j, key);
    ts_json_quote(j->out, value);
}

void ts_json_raw(ts_json *j, const char *key, const char *json) {
    begin(j, key);
    fputs(json, j->out);
}

void ts_json_flag(ts_json *j, const char *key, bool value) {
    ts_json_raw(j, key, value ? "true" : "false");
}

void ts_json_count(ts_json *j, const char *key, long value) {
    begin(j, key);
    fprintf(j->out, "%ld", value);
}

void ts_json_number(ts_json *j, const char *key, double value) {
    char text[TS_DIGITS];
    ts_json_raw(j, key, isfinite(value) ? ts_digits(text, value) : "null");
}

void ts_json_vector(ts_json *j, const char *key, const double value[3]) {
    ts_json_open(j, key, '[');
    for (int i = 0; i < 3; i++) ts_json_number(j, NULL, value[i]);
    ts_json_close(j, ']');
}
