/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, counts and times as text. See words.h. */
#include "base/words.h"

#include <math.h>
#include <string.h>

const char *ts_words_quantity(char text[TS_WORD], double value, const char *unit) {
    static const char *const prefix[] = {"n", "µ", "m", "", "k", "M", "G", "T"};
    int p = 3;
    double size = fabs(value);
    if (size > 0 && isfinite(size)) p += (int)floor(log10(size * (1 + 1e-12)) / 3);
    if (p < 0 || p > 7) {
        snprintf(text, TS_WORD, "%.4g %s", value, unit);
    } else {
        snprintf(text, TS_WORD, "%.4g %s%s", value / pow(1000, p - 3), prefix[p], unit);
    }
    return text;
}

const char *ts_words_duration(char text[TS_WORD], double seconds) {
    if (!(seconds < 3.6e8)) {
        snprintf(text, TS_WORD, "?");
        return text;
    }
    long s = lround(seconds);
    if (s < 3600)
        snprintf(text, TS_WORD, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, TS_WORD, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return text;
}

const char *ts_words_count(char text[TS_WORD], int64_t count, const char *singular,
                           const char *plural) {
    snprintf(text, TS_WORD, "%lld %s", (long long)count, count == 1 ? singular : plural);
    return text;
}

void ts_words_wrap(FILE *out, const char *text, int indent, int width) {
    for (int column = indent; *text;) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            column += fprintf(out, " ");
        }
        column += fprintf(out, "%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}
