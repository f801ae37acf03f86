/* SPDX-License-Identifier: Apache-2.0 */
/* The text of plain and quoted YAML scalars: folding of lines and escapes (YAML 1.2.2, sections
 * 5.7, 6.5 and 7.3).
 *
 * Done here because libfyaml 0.7.12 gets '' wrong: it reads 'a''''b' as a''' and loses memory on
 * longer runs.
 */
#include "reader/text/yaml_text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct writer {
    char *out;
    size_t length;
    size_t kept; /* literal white space beyond this is dropped at the end of a line */
} writer;

static void put(writer *w, char c, bool keep) {
    w->out[w->length++] = c;
    if (keep) w->kept = w->length;
}

static void put_code(writer *w, uint32_t c) {
    static const uint8_t lead[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    int bytes = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    put(w, (char)(lead[bytes] | (c >> (6 * (bytes - 1)))), true);
    for (int i = bytes - 2; i >= 0; i--) put(w, (char)(0x80 | ((c >> (6 * i)) & 0x3F)), true);
}

static bool blank(char c) { return c == ' ' || c == '\t'; }

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && blank(*at)) at++;
    return at;
}

static bool at_break(const char *at, const char *end) {
    return at < end && (*at == '\n' || *at == '\r');
}

static const char *skip_break(const char *at, const char *end) {
    return at + (*at == '\r' && at + 1 < end && at[1] == '\n' ? 2 : 1);
}

/* One break is a space, more are one fewer; after an escaped break not even a space. */
static const char *fold(writer *w, const char *at, const char *end, bool escaped) {
    int breaks = 0;
    if (!escaped) w->length = w->kept;
    for (; at_break(at, end); at = skip_blanks(skip_break(at, end), end), breaks++)
        if (breaks > 0) put(w, '\n', true);
    if (breaks == 1 && !escaped) put(w, ' ', true);
    return at;
}

/* Writes the character that `digits` hexadecimal digits name; NULL if there are fewer, or if they
 * name no character. */
static const char *put_hex(writer *w, const char *at, const char *end, int digits) {
    uint32_t code = 0;
    if (end - at < digits) return NULL;
    for (int i = 0; i < digits; i++) {
        static const char hex[] = "0123456789abcdef0123456789ABCDEF";
        const char *digit = at[i] ? strchr(hex, at[i]) : NULL;
        if (!digit) return NULL;
        code = code << 4 | ((uint32_t)(digit - hex) & 15);
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return NULL;
    put_code(w, code);
    return at + digits;
}

/* Behind a backslash. */
static const char *escape(writer *w, const char *at, const char *end) {
    static const char letters[] = "0abt\tnvfre \"/\\N_LP";
    static const uint16_t codes[] = {0,  7,   8,   9,   9,    10,   11,   12,     13,
                                     27, ' ', '"', '/', '\\', 0x85, 0xA0, 0x2028, 0x2029};
    if (at >= end) return NULL;
    if (at_break(at, end)) {
        w->kept = w->length;
        return fold(w, at, end, true);
    }
    if (*at == 'x') return put_hex(w, at + 1, end, 2);
    if (*at == 'u') return put_hex(w, at + 1, end, 4);
    if (*at == 'U') return put_hex(w, at + 1, end, 8);
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (!letter) return NULL;
    put_code(w, codes[letter - letters]);
    return at + 1;
}

size_t ts_yaml_unquote(const char *raw, size_t length, char quote, char *out) {
    writer w = {.out = out};
    const char *at = raw, *end = raw + length;
    while (at && at < end) {
        if (at_break(at, end))
            at = fold(&w, at, end, false);
        else if (quote == '"' && *at == '\\')
            at = escape(&w, at + 1, end);
        else if (quote == '\'' && *at == '\'' && at + 1 < end)
            put(&w, '\'', true), at += 2;
        else
            put(&w, *at, !blank(*at)), at++;
    }
    out[w.length] = 0;
    return at ? w.length : (size_t)-1;
}
