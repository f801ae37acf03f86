/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target for expressions: any text is compiled, with and without a scope, and evaluated.
 *
 * An input that begins with an even byte is taken as text; otherwise each byte picks a word of the
 * grammar, so that deep and nearly valid expressions are reached without a corpus. Beyond what the
 * sanitizers see, it holds: an error has a message and an offset within the text, a constant is
 * finite with rate zero, and the value is the same from both ways of asking.
 *
 *     clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc \
 *         tests/fuzz_expr.c src/expr/expr.c src/base/units.c src/base/error.c -o fuzz_expr
 */
#include "expr/expr.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const words[] = {
    "+",        "-",       "*",     "/",       "^",     "(",     ")",      ",",         "<",
    ">=",       " ",       "0",     "1",       "2",     "0.5",   "1e3",    "-3",        "t",
    "time",     "pi",      "L",     "g",       "m",     "x",     "m",      "mm",        "s",
    "kg",       "deg",     "rad",   "N",       "GPa",   "rpm",   "sin(",   "cos(",      "tan(",
    "asin(",    "acos(",   "atan(", "atan2(",  "sinh(", "cosh(", "tanh(",  "exp(",      "log(",
    "log10(",   "sqrt(",   "abs(",  "min(",    "max(",  "sign(", "floor(", "mod(",      "step(",
    "ramp(",    "smooth(", "if(",   "if(t<1,", ",1)",   "+1",    "*t",     "\xC2\xB5m", "1/0",
    "\xC3\x97", "P",       "Q.x",   "|",       "[1,0,", "]",     "cross(", "dot(",      "norm(",
    ").y",      "P-Q"};

enum { WORD_COUNT = sizeof words / sizeof words[0], WORD_LENGTH = 8 };

static void hold(int condition) {
    if (!condition) abort();
}

static int find(void *context, const char *name, size_t len, ts_quantity *out) {
    (void)context;
    if (len != 1) return 0;
    if (*name == 'L') *out = (ts_quantity){0.3, {1, 0, 0, 0}};
    if (*name == 'g') *out = (ts_quantity){9.81, {1, 0, -2, 0}};
    if (*name == 'x') *out = (ts_quantity){-2, {0, 0, 0, 0}};
    return *name == 'L' || *name == 'g' || *name == 'x';
}

static const char *suggest(void *context, const char *name, size_t len) {
    (void)context;
    return len > 1 && *name == 'L' ? "L" : NULL;
}

static int point(void *context, const char *name, size_t len, ts_vector *out) {
    (void)context;
    if (len != 1 || (*name != 'P' && *name != 'Q')) return 0;
    *out = (ts_vector){{1, *name == 'Q' ? -1e200 : 0, 3}, {1, 0, 0, 0}};
    return 1;
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static void evaluate(const ts_expr *expr) {
    static const double times[] = {0, 1e-3, 1, -2.5, 1e9, INFINITY, NAN};
    char name[64];
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        double value, rate;
        ts_expr_eval(expr, times[i], &value, &rate, NULL);
        hold(same(value, ts_expr_value(expr, times[i])));
        if (ts_expr_constant(expr)) hold(isfinite(value) && rate == 0);
    }
    hold(strlen(ts_dim_name(ts_expr_dim(expr), name, sizeof name)) > 0);
}

static void compile(const char *text, size_t len, const ts_scope *scope, bool allow_time) {
    ts_expr_error error;
    ts_expr *expr;
    int code = ts_expr_compile(&expr, text, len, scope, allow_time, &error);
    hold((code == 0) == (expr != NULL));
    if (!expr) hold(error.message[0] && error.offset <= len);
    if (expr && !allow_time) hold(ts_expr_constant(expr));
    if (expr) evaluate(expr);
    ts_expr_free(expr);
}

static void compile_vector(const char *text, size_t len, const ts_scope *scope) {
    ts_expr_error error;
    ts_vector v;
    int code = ts_expr_vector(&v, text, len, scope, &error);
    if (code) hold(error.message[0] && error.offset <= len);
    for (int i = 0; !code && i < 3; i++) hold(isfinite(v.x[i]));
}

static size_t spell(char *text, const uint8_t *data, size_t size) {
    size_t len = 0;
    for (size_t i = 0; i < size; i++) {
        const char *word = words[data[i] % WORD_COUNT];
        size_t n = strlen(word);
        memcpy(text + len, word, n);
        len += n;
    }
    return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const ts_scope scope = {.find = find, .suggest = suggest, .time_unit = 1e-3, .point = point};
    if (size == 0) return 0;
    char *text = malloc(size * WORD_LENGTH), *exact;
    bool spelled = data[0] % 2 == 1;
    size_t len = spelled ? spell(text, data + 1, size - 1) : size - 1;
    if (!spelled) memcpy(text, data + 1, len);
    exact = malloc(len ? len : 1); /* of just this size: reading beyond is seen */
    memcpy(exact, text, len);
    free(text);
    compile(exact, len, &scope, true);
    compile(exact, len, NULL, true);
    compile(exact, len, &scope, false);
    compile_vector(exact, len, &scope);
    free(exact);
    return 0;
}
