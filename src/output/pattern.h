/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of names: * matches any characters, also dots, and ? matches one. */
#ifndef TS_PATTERN_H
#define TS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text contain * or ?; names do not. */
bool ts_is_pattern(const char *text);
/* Number of characters before the first * or ?. */
size_t ts_pattern_fixed(const char *pattern);
/* Does the pattern match these characters as a whole? */
bool ts_pattern_matches(const char *pattern, const char *text, size_t length);

#endif
