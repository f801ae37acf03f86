/* SPDX-License-Identifier: Apache-2.0 */
/* Matching of patterns, see pattern.h.
 *
 * Greedy with one way back: after a mismatch, the last * takes one character more. So the time is
 * at most the product of both lengths.
 */
#include "output/pattern.h"

#include <string.h>

size_t ts_pattern_fixed(const char *pattern) { return strcspn(pattern, "*?"); }

bool ts_is_pattern(const char *text) { return text[ts_pattern_fixed(text)] != 0; }

bool ts_pattern_matches(const char *pattern, const char *text, size_t length) {
    const char *star = NULL;
    size_t i = 0, taken = 0;
    while (i < length) {
        if (*pattern == '*') {
            star = ++pattern, taken = i;
        } else if (*pattern && (*pattern == '?' || *pattern == text[i])) {
            pattern++, i++;
        } else if (star) {
            pattern = star, i = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}
