/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a file of Gmsh, in text or in bytes. See gmsh_scan.h. */
#include "meshfile/gmsh_scan.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/expr.h"

enum { MAX_TOKEN = 63 };

/* ---- problems ---- */

__attribute__((format(printf, 4, 5))) bool ts_scan_fail(ts_scan *s, size_t at, const char *hint,
                                                        const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->problem->message, sizeof s->problem->message, format, arguments);
    va_end(arguments);
    snprintf(s->problem->hint, sizeof s->problem->hint, "%s", hint ? hint : "");
    s->problem->offset = at;
    s->problem->binary = s->binary;
    return false;
}

size_t ts_scan_left(const ts_scan *s) { return s->length - s->at; }

/* Is there room in the rest of the file for so many things of at least so many bytes? */
bool ts_scan_covered(ts_scan *s, uint64_t count, size_t bytes, const char *what) {
    if (count <= ts_scan_left(s) / bytes) return true;
    return ts_scan_fail(s, s->at, "the file is cut short, or damaged",
                        "the file announces %" PRIu64 " %s, but only %zu bytes are left", count,
                        what, ts_scan_left(s));
}

/* ---- numbers in text ---- */

bool ts_scan_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }

void ts_scan_blanks(ts_scan *s) {
    while (s->at < s->length && ts_scan_blank(s->text[s->at])) s->at++;
}

static bool text_whole(ts_scan *s, int64_t *out, const char *what) {
    ts_scan_blanks(s);
    size_t from = s->at;
    bool minus = s->at < s->length && s->text[s->at] == '-';
    s->at += minus;
    size_t digits = s->at;
    uint64_t value = 0;
    while (s->at < s->length && digit(s->text[s->at]) && s->at - digits < 18)
        value = 10 * value + (uint64_t)(s->text[s->at++] - '0');
    bool ends = s->at == s->length || ts_scan_blank(s->text[s->at]);
    *out = minus ? -(int64_t)value : (int64_t)value;
    if (s->at > digits && ends) return true;
    return ts_scan_fail(s, from, NULL, "expected a whole number: %s", what);
}

static size_t digits_from(const char *t, size_t length, size_t i) {
    while (i < length && digit(t[i])) i++;
    return i;
}

/* Sign, digits with a point among them, exponent; no more than MAX_TOKEN characters. */
static bool decimal(const char *t, size_t length) {
    size_t i = length > 0 && (*t == '-' || *t == '+'), first = i, dot;
    dot = i = digits_from(t, length, i);
    if (i < length && t[i] == '.') i = digits_from(t, length, i + 1);
    if (i - first - (i > dot) == 0 || length > MAX_TOKEN) return false;
    if (i < length && (t[i] == 'e' || t[i] == 'E')) {
        i++;
        i += i < length && (t[i] == '-' || t[i] == '+');
        size_t exponent = i;
        i = digits_from(t, length, i);
        if (i == exponent) return false;
    }
    return i == length;
}

/* The general way, which is slow: a number is an expression. */
static bool long_number(ts_scan *s, size_t from, double *out) {
    size_t end = from;
    while (end < s->length && !ts_scan_blank(s->text[end])) end++;
    ts_expr *expr = NULL;
    s->at = end;
    if (decimal(s->text + from, end - from) &&
        ts_expr_compile(&expr, s->text + from, end - from, NULL, false, NULL) == 0) {
        *out = ts_expr_value(expr, 0);
        ts_expr_free(expr);
        return true;
    }
    return ts_scan_fail(s, from, NULL, "expected a number: a coordinate");
}

/* Up to 15 digits and a power of ten up to 22 are exact in double: one rounding, as by strtod. */
bool ts_scan_decimal(ts_scan *s, double *out) {
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    ts_scan_blanks(s);
    size_t from = s->at, i = from;
    const char *t = s->text;
    bool minus = i < s->length && t[i] == '-';
    i += minus;
    uint64_t mantissa = 0;
    int digits = 0, exponent = 0, written = 0;
    bool point = false, negative = false;
    for (; i < s->length && (digit(t[i]) || (t[i] == '.' && !point)); i++) {
        if (t[i] == '.') {
            point = true;
            continue;
        }
        if (digits < 18) mantissa = 10 * mantissa + (uint64_t)(t[i] - '0'), exponent -= point;
        digits += digits > 0 || t[i] != '0';
        written++;
    }
    if (i < s->length && (t[i] == 'e' || t[i] == 'E')) {
        int value = 0;
        negative = ++i < s->length && t[i] == '-';
        i += i < s->length && (t[i] == '-' || t[i] == '+');
        size_t first = i;
        for (; i < s->length && digit(t[i]) && i - first < 4; i++) value = 10 * value + t[i] - '0';
        if (i == first) return long_number(s, from, out);
        exponent += negative ? -value : value;
    }
    bool ends = i == s->length || ts_scan_blank(t[i]);
    if (!ends || written == 0 || digits > 17 || mantissa > (1ull << 53) || abs(exponent) > 22)
        return long_number(s, from, out);
    double value = (double)mantissa;
    value = exponent < 0 ? value / power[-exponent] : value * power[exponent];
    *out = minus ? -value : value;
    s->at = i;
    return true;
}

/* ---- numbers in bytes ---- */

static bool bytes(ts_scan *s, void *out, size_t count, const char *what) {
    if (ts_scan_left(s) < count)
        return ts_scan_fail(s, s->at, "the file is cut short", "the file ends within %s", what);
    unsigned char *to = out;
    const char *from = s->text + s->at;
    for (size_t i = 0; i < count; i++) to[i] = (unsigned char)from[s->swapped ? count - 1 - i : i];
    s->at += count;
    return true;
}

/* ---- numbers ---- */

/* Where the next thing begins. */
size_t ts_scan_here(ts_scan *s) {
    if (!s->binary) ts_scan_blanks(s);
    return s->at;
}

bool ts_scan_int(ts_scan *s, int *out, const char *what) {
    int64_t value = 0;
    size_t from = ts_scan_here(s);
    if (s->binary) {
        int32_t whole = 0;
        if (!bytes(s, &whole, sizeof whole, what)) return false;
        *out = whole;
        return true;
    }
    if (!text_whole(s, &value, what)) return false;
    *out = (int)value;
    return (value >= -INT_MAX && value <= INT_MAX) ||
           ts_scan_fail(s, from, NULL, "%s is too large", what);
}

bool ts_scan_size(ts_scan *s, uint64_t *out, const char *what) {
    int64_t value = 0;
    uint32_t narrow = 0;
    *out = 0;
    if (s->binary && s->word == 8) return bytes(s, out, 8, what);
    if (s->binary) {
        if (!bytes(s, &narrow, 4, what)) return false;
        *out = narrow;
        return true;
    }
    size_t from = ts_scan_here(s);
    if (!text_whole(s, &value, what)) return false;
    *out = (uint64_t)value;
    return value >= 0 || ts_scan_fail(s, from, NULL, "%s is negative", what);
}

bool ts_scan_double(ts_scan *s, double *out) {
    if (!s->binary) return ts_scan_decimal(s, out);
    size_t from = ts_scan_here(s);
    return bytes(s, out, sizeof *out, "coordinates") &&
           (isfinite(*out) || ts_scan_fail(s, from, NULL, "a coordinate is not a finite number"));
}

/* The fewest bytes that so many numbers take: 4, or a digit and a blank. */
size_t ts_scan_least(const ts_scan *s, size_t ints, size_t sizes, size_t doubles) {
    return s->binary ? 4 * ints + s->word * sizes + 8 * doubles : 2 * (ints + sizes + doubles) - 1;
}
