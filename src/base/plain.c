/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is fit to be shown. See plain.h. */
#include "base/plain.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

uint32_t ts_utf8_read(const char *text, int *length) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    int bytes = *c < 0x80 ? 1 : *c < 0xC2 ? 0 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : *c < 0xF5 ? 4 : 0;
    uint32_t code = bytes <= 1 ? *c : *c & (0x7Fu >> bytes);
    *length = 1;
    for (int i = 1; i < bytes; i++) {
        if ((c[i] & 0xC0) != 0x80) return TS_NO_CHARACTER;
        code = code << 6 | (c[i] & 0x3Fu);
    }
    bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (bytes == 0 || code < least[bytes] || code > 0x10FFFF || surrogate) return TS_NO_CHARACTER;
    *length = bytes;
    return code;
}

/* C0, DEL and C1. */
static bool controls(uint32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0);
}

char *ts_plain(char *text) {
    int length;
    for (char *at = text; *at; at += length) {
        uint32_t c = ts_utf8_read(at, &length);
        bool broken = c == TS_NO_CHARACTER && length == 1;
        if (broken || controls(c)) memset(at, '?', (size_t)length);
    }
    return text;
}

const char *ts_plain_copy(char *out, size_t size, const char *text) {
    snprintf(out, size, "%s", text);
    return ts_plain(out);
}
