/* SPDX-License-Identifier: Apache-2.0 */
/* Text from outside (names, titles, names of files), made fit to be shown.
 *
 * It may be anything: bytes that are no UTF-8, control characters, sequences that a terminal obeys.
 */
#ifndef TS_PLAIN_H
#define TS_PLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Decodes the character at `text` and its length in bytes; length 1 and TS_NO_CHARACTER for invalid
 * UTF-8 (RFC 3629: shortest form, no surrogates, up to U+10FFFF). */
enum { TS_NO_CHARACTER = 0xFFFD };
uint32_t ts_utf8_read(const char *text, int *length);

/* In place: control characters other than tab and line break, and invalid UTF-8, become '?'.
 * Returns the text. */
char *ts_plain(char *text);
/* A copy, cut to the available size. */
const char *ts_plain_copy(char *out, size_t size, const char *text);

#endif
