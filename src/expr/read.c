/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of an expression: words, numbers with units, names of functions; with the
 * messages for everything else. The grammar is in expr.c. */
#include "expr/read.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NUMBER = 128 }; /* characters of one number */

static const ts_dim plain = {0, 0, 0, 0}, angle = {0, 0, 0, 1};

/* ---- functions ---- */

/* clang-format off */
static const function functions[] = {
    {"sin", 1, ANGLE_TO_PLAIN, d_sin},  {"cos", 1, ANGLE_TO_PLAIN, d_cos},
    {"tan", 1, ANGLE_TO_PLAIN, d_tan},  {"asin", 1, PLAIN_TO_ANGLE, d_asin},
    {"acos", 1, PLAIN_TO_ANGLE, d_acos}, {"atan", 1, PLAIN_TO_ANGLE, d_atan},
    {"atan2", 2, ALIKE_TO_ANGLE, d_atan2}, {"sinh", 1, PLAIN, d_sinh},
    {"cosh", 1, PLAIN, d_cosh},         {"tanh", 1, PLAIN, d_tanh},
    {"exp", 1, PLAIN, d_exp},           {"log", 1, PLAIN, d_log},
    {"log10", 1, PLAIN, d_log10},       {"sqrt", 1, ROOT, d_sqrt},
    {"abs", 1, KEEP, d_abs},            {"min", 2, ALIKE, d_min},
    {"max", 2, ALIKE, d_max},           {"sign", 1, ANY, d_sign},
    {"floor", 1, PLAIN, d_floor},       {"mod", 2, ALIKE, d_mod},
    {"step", 1, ANY, d_step},           {"ramp", 1, KEEP, d_ramp},
    {"smooth", 1, PLAIN, d_smooth},     {"if", 3, CHOICE, d_if},
};
/* clang-format on */

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

/* ---- messages ---- */

bool ts_expr_fail(parser *p, size_t at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, args);
    va_end(args);
    p->error->offset = at;
    return false;
}

bool ts_expr_hint(parser *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->hint, sizeof p->error->hint, format, args);
    va_end(args);
    return false;
}

/* Why a dimension surprises: the usual slips. */
bool ts_expr_hint_dimension(parser *p, ts_dim d) {
    if (p->tonne && d.mass != 0)
        return ts_expr_hint(p, "'2 t' is two tonnes; for the time write '2*t'");
    if (p->unit.len > 0)
        return ts_expr_hint(p, "'%.*s' is a unit here; for the value write blanks around '*'",
                            quoted(p->unit), p->text + p->unit.at);
    if (d.time != 0) return ts_expr_hint(p, "'t' is a plain number; 'time' carries its unit");
    if (ts_dim_equal(d, angle))
        return ts_expr_hint(
            p,
            "give the number a unit, as in '0.5 rad' or '30 deg', or divide the angle by '1 rad'");
    return false;
}

/* ---- words ---- */

/* A micro sign, in either of its two codings, may begin a name: µm. */
static size_t name_start(const parser *p) {
    if (letter(peek(p))) return 1;
    return starts_with(p, "\xC2\xB5") || starts_with(p, "\xCE\xBC") ? 2 : 0;
}

/* The name that begins here; its length is 0 if there is none. */
span ts_expr_word(parser *p) {
    span name = {p->at, 0};
    p->at += name_start(p);
    if (p->at > name.at)
        while (letter(peek(p)) || digit(peek(p))) p->at++;
    name.len = p->at - name.at;
    return name;
}

bool ts_expr_dotted(parser *p, span *name) {
    size_t plain_end = p->at;
    while (peek(p) == '.' && p->at + 1 < p->len &&
           (letter(p->text[p->at + 1]) || digit(p->text[p->at + 1]))) {
        p->at++;
        while (letter(peek(p)) || digit(peek(p))) p->at++;
    }
    name->len += p->at - plain_end;
    return p->at > plain_end;
}

bool ts_expr_calls(parser *p) { /* does a parenthesis follow? */
    size_t before = p->at;
    bool yes = accept(p, '(');
    p->at = before;
    return yes;
}

/* ---- names ---- */

const function *ts_expr_function(const char *name, size_t len) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strlen(functions[i].name) == len && memcmp(functions[i].name, name, len) == 0)
            return &functions[i];
    return NULL;
}

bool ts_expr_builtin(const char *name, size_t len) {
    return (len == 1 && *name == 't') || (len == 2 && memcmp(name, "pi", 2) == 0) ||
           (len == 4 && memcmp(name, "time", 4) == 0);
}

bool ts_expr_reserved(const char *name, size_t len) {
    return ts_expr_builtin(name, len) || ts_expr_function(name, len) ||
           ts_expr_connective(name, len);
}

bool ts_expr_in_scope(const parser *p, span name, ts_quantity *out) {
    const ts_scope *s = p->scope;
    return s && s->find && s->find(s->context, p->text + name.at, name.len, out) == 1;
}

int ts_expr_signal_in_scope(const parser *p, span name, ts_expr_signal *out) {
    const ts_scope *s = p->scope;
    return s && s->signal ? s->signal(s->context, p->text + name.at, name.len, out) : 0;
}

int ts_expr_variable(const parser *p, span name) {
    const char *const *words = p->scope ? p->scope->variables : NULL;
    for (int i = 0; words && words[i]; i++)
        if (is_word(p, name, words[i])) return i + 1;
    return 0;
}

bool ts_expr_is_channel(const parser *p, span name) {
    const ts_scope *s = p->scope;
    return s && s->channel && s->is_channel &&
           s->is_channel(s->context, p->text + name.at, name.len);
}

/* Something that has a value. */
static bool known_name(const parser *p, span name) {
    ts_quantity ignored;
    return ts_expr_builtin(p->text + name.at, name.len) || ts_expr_in_scope(p, name, &ignored) ||
           ts_expr_variable(p, name) > 0 || ts_expr_signal_in_scope(p, name, NULL) != 0 ||
           ts_expr_is_channel(p, name);
}

static const char *nearest_function(const char *name, size_t len) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (ts_word_closer(name, len, functions[i].name, &best)) nearest = functions[i].name;
    return nearest;
}

bool ts_expr_unknown_function(parser *p, span name) {
    const char *word = p->text + name.at, *nearest = nearest_function(word, name.len);
    ts_expr_fail(p, name.at, "unknown function '%.*s'", quoted(name), word);
    if (known_name(p, name))
        return ts_expr_hint(p, "for a product write '%.*s*(...)'", quoted(name), word);
    if (!nearest && p->scope && p->scope->suggest) /* a table */
        nearest = p->scope->suggest(p->scope->context, word, name.len);
    return nearest && ts_expr_hint(p, "did you mean '%.*s'?", MAX_QUOTE, nearest);
}

bool ts_expr_unknown_name(parser *p, span name) {
    const char *word = p->text + name.at, *nearest = NULL;
    ts_expr_fail(p, name.at, "unknown name '%.*s'", quoted(name), word);
    if (ts_expr_function(word, name.len))
        return ts_expr_hint(p, "a function needs its arguments: '%.*s(...)'", quoted(name), word);
    if (ts_unit_find(word, name.len))
        return ts_expr_hint(p, "a unit needs a number: write '1 %.*s'", quoted(name), word);
    if (is_word(p, name, "e")) return ts_expr_hint(p, "for Euler's number write 'exp(1)'");
    if (p->scope && p->scope->suggest)
        nearest = p->scope->suggest(p->scope->context, word, name.len);
    return nearest && ts_expr_hint(p, "did you mean '%.*s'?", MAX_QUOTE, nearest);
}

/* ---- dimensions ---- */

/* An exponent times a factor; false if it is not whole or out of range. */
static bool scale_exponent(signed char *e, double factor, bool lenient) {
    double exact = *e * factor, whole = lenient ? trunc(exact) : rint(exact);
    if (!(fabs(whole) <= MAX_EXPONENT) || (!lenient && fabs(exact - whole) > 1e-9)) return false;
    *e = (signed char)whole;
    return true;
}

bool ts_expr_dim_power(parser *p, ts_dim *d, double factor, size_t at) {
    char name[64];
    ts_dim old = *d;
    /* radians may be lost beside other units: the root of 1/(s^2 rad) is 1/s */
    bool lenient = old.length != 0 || old.mass != 0 || old.time != 0;
    if (scale_exponent(&d->length, factor, false) && scale_exponent(&d->mass, factor, false) &&
        scale_exponent(&d->time, factor, false) && scale_exponent(&d->angle, factor, lenient))
        return true;
    return ts_expr_fail(p, at, "the power %g of '%s' has no valid dimension", factor,
                        ts_dim_name(old, name, sizeof name));
}

static bool add_exponent(signed char *e, int more) {
    int sum = *e + more;
    if (abs(sum) > MAX_EXPONENT) return false;
    *e = (signed char)sum;
    return true;
}

/* a * b^power */
bool ts_expr_dim_product(parser *p, ts_dim *a, ts_dim b, int power, size_t at) {
    if (add_exponent(&a->length, power * b.length) && add_exponent(&a->mass, power * b.mass) &&
        add_exponent(&a->time, power * b.time) && add_exponent(&a->angle, power * b.angle))
        return true;
    return ts_expr_fail(p, at, "the exponents of this dimension are too large");
}

/* ---- numbers and their units ---- */

static void read_digits(parser *p) {
    while (digit(peek(p))) p->at++;
}

/* An exponent, unless the e begins a unit or name. */
static void read_exponent(parser *p) {
    size_t before = p->at;
    if (peek(p) != 'e' && peek(p) != 'E') return;
    p->at++;
    if (peek(p) == '+' || peek(p) == '-') p->at++;
    if (digit(peek(p)))
        read_digits(p);
    else
        p->at = before;
}

/* strtod follows the locale, the model file does not: its decimal sign is the point. */
static double to_double(const char *text, size_t len) {
    char buffer[MAX_NUMBER + 16], *to = buffer;
    const char *point = localeconv()->decimal_point;
    for (size_t i = 0; i < len; i++) {
        if (text[i] != '.')
            *to++ = text[i];
        else
            for (size_t j = 0; point[j] && j < 8; j++) *to++ = point[j];
    }
    *to = '\0';
    return strtod(buffer, NULL);
}

static bool read_number(parser *p, double *out) {
    size_t from = p->at;
    read_digits(p);
    if (peek(p) == '.') p->at++;
    read_digits(p);
    if (p->at == from + 1 && p->text[from] == '.')
        return ts_expr_fail(p, from, "a point without digits");
    read_exponent(p);
    if (p->at - from > MAX_NUMBER) return ts_expr_fail(p, from, "the number is too long");
    *out = to_double(p->text + from, p->at - from);
    if (!isfinite(*out)) return ts_expr_fail(p, from, "the number is too large");
    return true;
}

/* The exponent of a unit: a whole number, 1 when there is none. */
static bool read_unit_power(parser *p, int *out) {
    *out = 1;
    if (!accept(p, '^')) return true;
    skip_blanks(p);
    size_t from = p->at;
    int sign = peek(p) == '-' ? -1 : 1;
    if (peek(p) == '-' || peek(p) == '+') p->at++;
    size_t digits = p->at;
    int power = 0;
    for (; digit(peek(p)) && p->at < digits + 3; p->at++) power = 10 * power + (peek(p) - '0');
    *out = sign * power;
    bool whole = p->at > digits && power <= MAX_EXPONENT && peek(p) != '.' && !digit(peek(p)) &&
                 !letter(peek(p));
    if (whole && !accept(p, '^')) return true;
    ts_expr_fail(p, from, "the exponent of a unit must be one whole number");
    return ts_expr_hint(p, "for a power of the quantity use parentheses: '(2 m)^x'");
}

/* q times unit^direction, and the unit's own exponent behind its name. */
static bool apply_unit(parser *p, ts_quantity *q, const ts_quantity *unit, int direction,
                       span name) {
    int power;
    if (!read_unit_power(p, &power)) return false;
    q->value = ts_unit_scale(q->value, unit->value, direction * power);
    if (is_word(p, name, "t")) p->tonne = true;
    if (is_word(p, name, "Hz") || is_word(p, name, "kHz")) p->hertz = true;
    return ts_expr_dim_product(p, &q->dim, unit->dim, direction * power, name.at);
}

static bool is_temperature(const parser *p, span name) {
    static const char *const WORDS[] = {"degC", "degF", "degK", "K", "C", "celsius", "kelvin"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (is_word(p, name, WORDS[i])) return true;
    return false;
}

static bool not_a_unit(parser *p, size_t number, span name) {
    const char *word = p->text + name.at, *nearest = ts_unit_suggest(word, name.len);
    bool has_value = known_name(p, name) || ts_expr_function(word, name.len);
    ts_expr_fail(p, name.at, "unknown unit '%.*s'", quoted(name), word);
    if (has_value) {
        span n = {number, name.at - number};
        while (n.len > 1 && memchr(" \t\r\n", p->text[n.at + n.len - 1], 4)) n.len--;
        return ts_expr_hint(p, "for a product write '%.*s*%.*s'", quoted(n), p->text + n.at,
                            quoted(name), word);
    }
    if (is_temperature(p, name))
        return ts_expr_hint(p, "torsor has no temperatures: give material values, or lengths, at "
                               "the temperature that you need");
    return nearest && ts_expr_hint(p, "did you mean '%s'?", nearest);
}

/* One more * or / with a unit behind; *more is false, and nothing read, when something else is
 * there. A name that is both a unit and a value (a parameter, signal or state) is the unit when no
 * blanks stand around the operator, `0.8 kg*m^2`, and the value otherwise, `10 N * m`. */
static bool next_unit(parser *p, ts_quantity *q, bool *more) {
    size_t before = p->at;
    int direction = accept(p, '*') ? 1 : accept(p, '/') ? -1 : 0;
    skip_blanks(p);
    span name = ts_expr_word(p);
    bool tight = name.at == before + 1 && !ts_expr_builtin(p->text + name.at, name.len);
    const ts_quantity *unit = ts_unit_find(p->text + name.at, name.len);
    bool channel = ts_expr_dotted(p, &(span){0, 0}); /* `3 N/m * s.length` with a spring s */
    *more =
        direction != 0 && unit && !channel && !ts_expr_calls(p) && (tight || !known_name(p, name));
    if (*more && known_name(p, name)) p->unit = name;
    if (*more) return apply_unit(p, q, unit, direction, name);
    p->at = before;
    return true;
}

bool ts_expr_quantity(parser *p, ts_quantity *q) {
    size_t from = p->at;
    *q = (ts_quantity){0, plain};
    if (!read_number(p, &q->value)) return false;
    size_t number = p->at;
    skip_blanks(p);
    span name = ts_expr_word(p);
    const ts_quantity *unit = ts_unit_find(p->text + name.at, name.len);
    if (name.len == 0 || ts_expr_connective(p->text + name.at, name.len)) {
        p->at = number;
        return true;
    }
    if (!unit || ts_expr_calls(p)) return not_a_unit(p, from, name);
    if (!apply_unit(p, q, unit, 1, name)) return false;
    for (bool more = true; more;)
        if (!next_unit(p, q, &more)) return false;
    return true;
}

/* ---- what is not expected ---- */

/* Signs that come in by copy and paste. */
static bool hint_lookalike(parser *p) {
    static const char *const pairs[][2] = {
        {"\xC3\x97", "*"},     {"\xC2\xB7", "*"},  {"\xE2\x8B\x85", "*"}, {"\xC3\xB7", "/"},
        {"\xE2\x88\x92", "-"}, {"\xC2\xB2", "^2"}, {"\xC2\xB3", "^3"},    {"\xC2\xB0", "deg"},
        {"**", "^"},           {"\xCF\x80", "pi"}, {"\xE2\x80\x93", "-"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (starts_with(p, pairs[i][0])) return ts_expr_hint(p, "write '%s'", pairs[i][1]);
    return false;
}

bool ts_expr_unexpected(parser *p, const char *expected) {
    skip_blanks(p);
    char c = peek(p);
    if (p->at >= p->len)
        return ts_expr_fail(p, p->at, "expected %s, but the expression ends", expected);
    if (c > ' ' && c < 127)
        ts_expr_fail(p, p->at, "expected %s, found '%c'", expected, c);
    else
        ts_expr_fail(p, p->at, "expected %s, found the byte 0x%02X", expected,
                     (unsigned)(unsigned char)c);
    return hint_lookalike(p);
}

/* Behind a complete operand there is something that continues nothing. */
bool ts_expr_leftover(parser *p, const char *expected) {
    ts_expr_unexpected(p, expected);
    size_t at = p->at;
    span name = ts_expr_word(p);
    if (name.len > 0 && ts_unit_find(p->text + at, name.len))
        return ts_expr_hint(p,
                            "a unit follows its number: '90 %.*s*t', not '90*t %.*s'; units are "
                            "joined by '*', as in 'N*m'",
                            quoted(name), p->text + at, quoted(name), p->text + at);
    if (ts_expr_connective(p->text + at, name.len))
        return ts_expr_hint(p, "'%.*s' joins comparisons: 'if(a < b and c > d, x, y)'",
                            quoted(name), p->text + at);
    if (name.len > 0 || peek(p) == '(') return ts_expr_hint(p, "for a product write '*'");
    if (peek(p) == ',') return ts_expr_hint(p, "the decimal sign is a point");
    if (memchr("<>=", peek(p), 3))
        return ts_expr_hint(p,
                            "comparisons are allowed in if(a < b, x, y) and in `when` of events");
    return false;
}
