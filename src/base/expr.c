/* Expressions with units: a recursive-descent compiler to a small postfix program of dual numbers.
 *
 * Rules of the compiler: the dimensions are checked while parsing and cost nothing later; an
 * operation on constants is carried out at once, so that a constant expression is one instruction.
 * A constant that is not finite is noted as trouble and reported at the end, unless it stood in a
 * branch of an `if` that is never taken. Nesting, the evaluation stack and the length of the text
 * are limited: no text can exhaust memory or the C stack.
 */
#include "base/expr.h"
#include "base/dual.h"
#include "base/error.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_TEXT = 65536,   /* bytes of an expression */
    MAX_NEST = 200,     /* parentheses, signs and powers within each other */
    MAX_STACK = 256,    /* intermediate results at one time */
    MAX_NUMBER = 128,   /* characters of one number */
    MAX_EXPONENT = 100, /* of a dimension; fits a signed char */
    MAX_QUOTE = 40      /* characters of a name repeated in a message */
};

#define PI 3.14159265358979323846
#define NOWHERE ((size_t)-1)

/* ---- the program ---- */

/* Without `apply`: push value, or rate * t when the rate is not zero, or a variable (from 1). */
typedef struct instruction {
    dual_fn apply;
    int arity;
    double value, rate;
    int variable;
} instruction;

/* What an expression is a function of. */
typedef struct arguments {
    double t;
    const double *x, *direction; /* variables */
} arguments;

struct ts_expr {
    instruction *code;
    size_t count;
    ts_dim dim;
};

static dual load(const instruction *in, const arguments *at) {
    if (in->variable > 0)
        return at->x ? (dual){at->x[in->variable - 1], at->direction[in->variable - 1]}
                     : (dual){0, 0};
    return (dual){in->rate == 0 ? in->value : in->rate * at->t, in->rate};
}

static dual run(const ts_expr *expr, const arguments *at) {
    dual stack[MAX_STACK];
    size_t top = 0;
    for (const instruction *in = expr->code, *end = in + expr->count; in < end; in++) {
        top -= (size_t)in->arity;
        stack[top] = in->apply ? in->apply(&stack[top]) : load(in, at);
        top++;
    }
    return stack[0];
}

static bool is_constant(const instruction *in) {
    return !in->apply && in->rate == 0 && in->variable == 0;
}

bool ts_expr_constant(const ts_expr *expr) { return expr->count == 1 && is_constant(expr->code); }

ts_dim ts_expr_dim(const ts_expr *expr) { return expr->dim; }

double ts_expr_value(const ts_expr *expr, double t) {
    return ts_expr_constant(expr) ? expr->code->value : run(expr, &(arguments){.t = t}).v;
}

void ts_expr_eval(const ts_expr *expr, double t, double *value, double *rate) {
    dual result = run(expr, &(arguments){.t = t});
    *value = result.v;
    *rate = result.r;
}

double ts_expr_at(const ts_expr *expr, const double *x, const double *direction, double *slope) {
    dual result = run(expr, &(arguments){0, x, direction});
    *slope = result.r;
    return result.v;
}

void ts_expr_free(ts_expr *expr) {
    if (!expr) return;
    free(expr->code);
    free(expr);
}

/* ---- functions: what they ask of the dimensions of their arguments ---- */

typedef enum rule {
    ANGLE_TO_PLAIN, /* an angle or a plain number gives a plain number */
    PLAIN_TO_ANGLE,
    PLAIN, /* plain to plain */
    KEEP,  /* any dimension, and the result has it too */
    ANY,   /* any dimension, the result is plain */
    ROOT,
    ALIKE,          /* two of the same dimension, and the result has it too */
    ALIKE_TO_ANGLE, /* two of the same dimension give an angle */
    CHOICE          /* if */
} rule;

typedef struct function {
    const char *name;
    int arity;
    rule rule;
    dual_fn apply;
} function;

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

static const ts_dim plain = {0, 0, 0, 0}, angle = {0, 0, 0, 1};

/* ---- the parser's state, and its messages ---- */

typedef struct span {
    size_t at, len;
} span;

/* A constant that is not finite: where, and which function made it so. */
typedef struct trouble {
    size_t at; /* or NOWHERE */
    const char *culprit;
} trouble;

typedef struct parser {
    const char *text;
    size_t len, at;
    const ts_scope *scope;
    double time_unit;
    bool allow_time;
    instruction *code;
    size_t count, room;
    int nest, height; /* of the recursion; of the evaluation stack */
    trouble trouble;
    bool tonne; /* the unit t was used */
    ts_expr_error *error;
} parser;

/* What has been parsed: code from `start` on leaves one number of this dimension on the stack. */
typedef struct operand {
    ts_dim dim;
    size_t at, start; /* in the text, in the code */
    bool constant;
    double value; /* when constant */
} operand;

static bool parse_sum(parser *p, operand *out);
static bool parse_signed(parser *p, operand *out);

__attribute__((format(printf, 3, 4))) static bool fail(parser *p, size_t at, const char *format,
                                                       ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->message, sizeof p->error->message, format, args);
    va_end(args);
    p->error->offset = at;
    return false;
}

/* Always false, to be returned like `fail`. */
__attribute__((format(printf, 2, 3))) static bool hint(parser *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->error->hint, sizeof p->error->hint, format, args);
    va_end(args);
    return false;
}

static int quoted(span s) { return s.len < MAX_QUOTE ? (int)s.len : MAX_QUOTE; }

/* Why a dimension surprises: the usual slips. */
static bool hint_dimension(parser *p, ts_dim d) {
    if (p->tonne && d.mass != 0) return hint(p, "'2 t' is two tonnes; for the time write '2*t'");
    if (d.time != 0) return hint(p, "'t' is a plain number; 'time' carries its unit");
    if (ts_dim_equal(d, angle)) return hint(p, "divide by '1 rad' to make an angle a plain number");
    return false;
}

/* ---- reading characters ---- */

static char peek(const parser *p) { return p->at < p->len ? p->text[p->at] : '\0'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static void skip_blanks(parser *p) {
    while (p->at < p->len && memchr(" \t\r\n", p->text[p->at], 4)) p->at++;
}

static bool accept(parser *p, char c) {
    skip_blanks(p);
    if (p->at >= p->len || p->text[p->at] != c) return false;
    p->at++;
    return true;
}

static bool starts_with(const parser *p, const char *word) {
    size_t n = strlen(word);
    return p->len - p->at >= n && memcmp(p->text + p->at, word, n) == 0;
}

/* A micro sign, in either of its two codings, may begin a name: µm. */
static size_t name_start(const parser *p) {
    if (letter(peek(p))) return 1;
    return starts_with(p, "\xC2\xB5") || starts_with(p, "\xCE\xBC") ? 2 : 0;
}

/* The name that begins here; its length is 0 if there is none. */
static span read_name(parser *p) {
    span name = {p->at, 0};
    p->at += name_start(p);
    if (p->at > name.at)
        while (letter(peek(p)) || digit(peek(p))) p->at++;
    name.len = p->at - name.at;
    return name;
}

static bool is_word(const parser *p, span name, const char *word) {
    return strlen(word) == name.len && memcmp(p->text + name.at, word, name.len) == 0;
}

static bool calls(parser *p) { /* does a parenthesis follow? */
    size_t before = p->at;
    bool yes = accept(p, '(');
    p->at = before;
    return yes;
}

/* ---- names ---- */

static const function *find_function(const char *name, size_t len) {
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (strlen(functions[i].name) == len && memcmp(functions[i].name, name, len) == 0)
            return &functions[i];
    return NULL;
}

static bool builtin_name(const char *name, size_t len) {
    return (len == 1 && *name == 't') || (len == 2 && memcmp(name, "pi", 2) == 0) ||
           (len == 4 && memcmp(name, "time", 4) == 0);
}

bool ts_expr_reserved(const char *name, size_t len) {
    return builtin_name(name, len) || find_function(name, len);
}

static bool in_scope(const parser *p, span name, ts_quantity *out) {
    const ts_scope *s = p->scope;
    return s && s->find && s->find(s->context, p->text + name.at, name.len, out) == 1;
}

/* The number of the variable, from 1; 0 if it is none. */
static int variable_number(const parser *p, span name) {
    const char *const *words = p->scope ? p->scope->variables : NULL;
    for (int i = 0; words && words[i]; i++)
        if (is_word(p, name, words[i])) return i + 1;
    return 0;
}

/* Something that has a value. */
static bool known_name(const parser *p, span name) {
    ts_quantity ignored;
    return builtin_name(p->text + name.at, name.len) || in_scope(p, name, &ignored) ||
           variable_number(p, name) > 0;
}

static const char *nearest_function(const char *name, size_t len) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (ts_word_closer(name, len, functions[i].name, &best)) nearest = functions[i].name;
    return nearest;
}

static bool unknown_function(parser *p, span name) {
    const char *word = p->text + name.at, *nearest = nearest_function(word, name.len);
    fail(p, name.at, "unknown function '%.*s'", quoted(name), word);
    if (known_name(p, name)) return hint(p, "for a product write '%.*s*(...)'", quoted(name), word);
    return nearest && hint(p, "did you mean '%s'?", nearest);
}

static bool unknown_name(parser *p, span name) {
    const char *word = p->text + name.at, *nearest = NULL;
    fail(p, name.at, "unknown name '%.*s'", quoted(name), word);
    if (find_function(word, name.len))
        return hint(p, "a function needs its arguments: '%.*s(...)'", quoted(name), word);
    if (ts_unit_find(word, name.len))
        return hint(p, "a unit needs a number: write '1 %.*s'", quoted(name), word);
    if (is_word(p, name, "e")) return hint(p, "for Euler's number write 'exp(1)'");
    if (p->scope && p->scope->suggest)
        nearest = p->scope->suggest(p->scope->context, word, name.len);
    return nearest && hint(p, "did you mean '%.*s'?", MAX_QUOTE, nearest);
}

/* ---- emitting code ---- */

static bool append(parser *p, instruction in, size_t at) {
    p->height += 1 - in.arity;
    if (p->height > MAX_STACK) return fail(p, at, "the expression is nested too deeply");
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 8;
        p->code = ts_realloc(p->code, p->room, sizeof *p->code);
    }
    p->code[p->count++] = in;
    return true;
}

static bool push(parser *p, operand *out, size_t at, ts_quantity q) {
    *out = (operand){q.dim, at, p->count, true, q.value};
    return append(p, (instruction){NULL, 0, q.value, 0, 0}, at);
}

static bool push_time(parser *p, operand *out, size_t at, double rate, ts_dim dim) {
    *out = (operand){dim, at, p->count, false, 0};
    return append(p, (instruction){NULL, 0, 0, rate, 0}, at);
}

static bool push_variable(parser *p, operand *out, size_t at, int number) {
    *out = (operand){plain, at, p->count, false, 0};
    return append(p, (instruction){NULL, 0, 0, 0, number}, at);
}

static void note_trouble(parser *p, size_t at, const char *culprit) {
    if (p->trouble.at == NOWHERE) p->trouble = (trouble){at, culprit};
}

/* An operation whose operands are constants is carried out now. The last instruction of an operand
 * is a constant only if it is all of the operand. */
static bool fold(parser *p, dual_fn apply, int arity) {
    dual x[3] = {{0, 0}, {0, 0}, {0, 0}};
    instruction *first = p->code + p->count - arity;
    for (int i = 0; i < arity; i++) {
        if (!is_constant(&first[i])) return false;
        x[i].v = first[i].value;
    }
    first->value = apply(x).v;
    p->count -= (size_t)arity - 1;
    p->height -= arity - 1;
    return true;
}

/* Apply to the last `arity` operands, the first of which is *out and becomes the result. */
static bool emit(parser *p, operand *out, const function *f, ts_dim dim, size_t at) {
    if (!fold(p, f->apply, f->arity) && !append(p, (instruction){f->apply, f->arity, 0, 0, 0}, at))
        return false;
    const instruction *last = &p->code[p->count - 1];
    *out = (operand){dim, out->at, out->start, is_constant(last), last->value};
    if (out->constant && !isfinite(out->value)) note_trouble(p, at, f->name);
    return true;
}

/* ---- dimensions ---- */

static bool is_zero(const operand *a) {
    return a->constant && a->value == 0 && ts_dim_bare(a->dim);
}

/* Radians count only where neither a length nor a mass is involved. */
static bool alike(ts_dim a, ts_dim b) {
    ts_dim blind = b;
    if (a.length != 0 || a.mass != 0) blind.angle = a.angle;
    return ts_dim_equal(a, blind);
}

/* The common dimension of a and b. */
static bool join(parser *p, const operand *a, const operand *b, size_t at, const char *verb,
                 ts_dim *out) {
    char one[64], other[64];
    *out = is_zero(a) ? b->dim : a->dim;
    if (is_zero(a) || is_zero(b) || alike(a->dim, b->dim)) return true;
    fail(p, at, "cannot %s different dimensions: %s and %s", verb,
         ts_dim_name(a->dim, one, sizeof one), ts_dim_name(b->dim, other, sizeof other));
    return hint_dimension(p, ts_dim_bare(a->dim) ? b->dim : a->dim);
}

/* An exponent times a factor; false if it is not whole or out of range. */
static bool scale_exponent(signed char *e, double factor, bool lenient) {
    double exact = *e * factor, whole = lenient ? trunc(exact) : rint(exact);
    if (!(fabs(whole) <= MAX_EXPONENT) || (!lenient && fabs(exact - whole) > 1e-9)) return false;
    *e = (signed char)whole;
    return true;
}

static bool dim_power(parser *p, ts_dim *d, double factor, size_t at) {
    char name[64];
    ts_dim old = *d;
    /* radians may be lost beside other units: the root of 1/(s^2 rad) is 1/s */
    bool lenient = old.length != 0 || old.mass != 0 || old.time != 0;
    if (scale_exponent(&d->length, factor, false) && scale_exponent(&d->mass, factor, false) &&
        scale_exponent(&d->time, factor, false) && scale_exponent(&d->angle, factor, lenient))
        return true;
    return fail(p, at, "the power %g of '%s' has no dimension", factor,
                ts_dim_name(old, name, sizeof name));
}

static bool add_exponent(signed char *e, int more) {
    int sum = *e + more;
    if (abs(sum) > MAX_EXPONENT) return false;
    *e = (signed char)sum;
    return true;
}

/* a * b^power */
static bool dim_product(parser *p, ts_dim *a, ts_dim b, int power, size_t at) {
    if (add_exponent(&a->length, power * b.length) && add_exponent(&a->mass, power * b.mass) &&
        add_exponent(&a->time, power * b.time) && add_exponent(&a->angle, power * b.angle))
        return true;
    return fail(p, at, "the exponents of this dimension are too large");
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
    if (p->at == from + 1 && p->text[from] == '.') return fail(p, from, "a point without digits");
    read_exponent(p);
    if (p->at - from > MAX_NUMBER) return fail(p, from, "the number is too long");
    *out = to_double(p->text + from, p->at - from);
    if (!isfinite(*out)) return fail(p, from, "the number is too large");
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
    fail(p, from, "the exponent of a unit must be one whole number");
    return hint(p, "for a power of the quantity use parentheses: '(2 m)^x'");
}

/* q times unit^direction, and the unit's own exponent behind its name. */
static bool apply_unit(parser *p, ts_quantity *q, const ts_quantity *unit, int direction,
                       span name) {
    int power;
    if (!read_unit_power(p, &power)) return false;
    q->value = ts_unit_scale(q->value, unit->value, direction * power);
    if (is_word(p, name, "t")) p->tonne = true;
    return dim_product(p, &q->dim, unit->dim, direction * power, name.at);
}

static bool not_a_unit(parser *p, size_t number, span name) {
    const char *word = p->text + name.at, *nearest = ts_unit_suggest(word, name.len);
    bool has_value = known_name(p, name) || find_function(word, name.len);
    fail(p, name.at, "unknown unit '%.*s'", quoted(name), word);
    if (has_value) {
        span n = {number, name.at - number};
        while (n.len > 1 && memchr(" \t\r\n", p->text[n.at + n.len - 1], 4)) n.len--;
        return hint(p, "for a product write '%.*s*%.*s'", quoted(n), p->text + n.at, quoted(name),
                    word);
    }
    return nearest && hint(p, "did you mean '%s'?", nearest);
}

/* One more * or / with a unit behind; *more is false, and nothing read, when something else is
 * there. A name that is both a unit and a parameter is the unit when no blanks stand around the
 * operator, `0.8 kg*m^2`, and the parameter otherwise, `10 N * m`. */
static bool next_unit(parser *p, ts_quantity *q, bool *more) {
    size_t before = p->at;
    int direction = accept(p, '*') ? 1 : accept(p, '/') ? -1 : 0;
    skip_blanks(p);
    span name = read_name(p);
    bool tight = name.at == before + 1 && !builtin_name(p->text + name.at, name.len);
    const ts_quantity *unit = ts_unit_find(p->text + name.at, name.len);
    *more = direction != 0 && unit && !calls(p) && (tight || !known_name(p, name));
    if (*more) return apply_unit(p, q, unit, direction, name);
    p->at = before;
    return true;
}

static bool parse_number(parser *p, operand *out) {
    size_t from = p->at, number;
    ts_quantity q = {0, plain};
    if (!read_number(p, &q.value)) return false;
    number = p->at;
    skip_blanks(p);
    span name = read_name(p);
    const ts_quantity *unit = ts_unit_find(p->text + name.at, name.len);
    if (name.len == 0) {
        p->at = number;
        return push(p, out, from, q);
    }
    if (!unit || calls(p)) return not_a_unit(p, from, name);
    if (!apply_unit(p, &q, unit, 1, name)) return false;
    for (bool more = true; more;)
        if (!next_unit(p, &q, &more)) return false;
    if (!isfinite(q.value)) note_trouble(p, from, "the unit");
    return push(p, out, from, q);
}

/* ---- names and calls ---- */

static bool parse_time(parser *p, operand *out, span name) {
    if (!p->allow_time) {
        fail(p, name.at, "a constant is needed here, it cannot depend on time");
        return name.len == 1 && hint(p, "for tonnes behind * or / write '1000 kg'");
    }
    bool bare = name.len == 1;
    ts_dim dim = {0, 0, (signed char)!bare, 0};
    return push_time(p, out, name.at, bare ? 1 / p->time_unit : 1, dim);
}

static bool parse_parameter(parser *p, operand *out, span name) {
    ts_quantity q = {0, plain};
    if (is_word(p, name, "pi")) return push(p, out, name.at, (ts_quantity){PI, plain});
    if (builtin_name(p->text + name.at, name.len)) return parse_time(p, out, name);
    int variable = variable_number(p, name);
    if (variable) return push_variable(p, out, name.at, variable);
    if (!in_scope(p, name, &q)) return unknown_name(p, name);
    if (isfinite(q.value)) return push(p, out, name.at, q);
    return fail(p, name.at, "'%.*s' is not a finite number", quoted(name), p->text + name.at);
}

static bool expect(parser *p, char c, const function *f) {
    if (accept(p, c)) return true;
    skip_blanks(p);
    if (peek(p) == ')' || peek(p) == ',')
        return fail(p, p->at, "%s takes %d argument%s", f->name, f->arity, f->arity > 1 ? "s" : "");
    return fail(p, p->at, "expected '%c' in the arguments of %s", c, f->name);
}

static bool needs(parser *p, const function *f, const operand *x, const char *what) {
    char name[64];
    fail(p, x->at, "%s needs %s, not %s", f->name, what, ts_dim_name(x->dim, name, sizeof name));
    return hint_dimension(p, x->dim);
}

static bool check_rule(parser *p, const function *f, const operand *x, size_t at, ts_dim *dim) {
    bool bare = ts_dim_bare(x->dim);
    *dim = plain;
    switch (f->rule) {
    case ANGLE_TO_PLAIN:
        return bare || ts_dim_equal(x->dim, angle) || needs(p, f, x, "an angle or plain number");
    case PLAIN_TO_ANGLE:
        *dim = angle;
        return bare || needs(p, f, x, "a plain number");
    case PLAIN:
        return bare || needs(p, f, x, "a plain number");
    case KEEP:
        *dim = x->dim;
        return true;
    case ROOT:
        *dim = x->dim;
        return dim_power(p, dim, 0.5, at);
    case ALIKE:
        return join(p, &x[0], &x[1], at, "compare", dim);
    case ALIKE_TO_ANGLE: {
        bool fine = join(p, &x[0], &x[1], at, "compare", dim);
        *dim = angle;
        return fine;
    }
    case ANY:
    case CHOICE:
        break;
    }
    return true;
}

static bool compares(parser *p, function *out) {
    static const function comparisons[4] = {{"<", 2, ALIKE, d_lt},
                                            {">", 2, ALIKE, d_gt},
                                            {"<=", 2, ALIKE, d_le},
                                            {">=", 2, ALIKE, d_ge}};
    bool less = accept(p, '<');
    if (!less && !accept(p, '>')) {
        fail(p, p->at, "expected a comparison: <, >, <= or >=");
        return peek(p) == '=' && hint(p, "equality of real numbers is not offered");
    }
    bool equal = peek(p) == '=';
    if (equal) p->at++;
    *out = comparisons[2 * equal + !less];
    return true;
}

static bool parse_condition(parser *p, operand *out) {
    operand right;
    function f;
    ts_dim ignored;
    if (!parse_sum(p, out)) return false;
    skip_blanks(p);
    size_t at = p->at;
    if (!compares(p, &f) || !parse_sum(p, &right)) return false;
    return join(p, out, &right, at, "compare", &ignored) && emit(p, out, &f, plain, at);
}

/* The trouble in a branch counts only when the branch is taken: it is kept apart. */
static bool parse_branch(parser *p, operand *out, trouble *found) {
    trouble before = p->trouble;
    p->trouble.at = NOWHERE;
    bool fine = parse_sum(p, out);
    *found = p->trouble;
    p->trouble = before;
    return fine;
}

/* With a constant condition only the branch taken stays, in the place of x[0]. */
static void choose(parser *p, operand *x, bool yes) {
    const operand *taken = &x[yes ? 1 : 2];
    size_t end = yes ? x[2].start : p->count, count = end - taken->start;
    memmove(p->code + x[0].start, p->code + taken->start, count * sizeof *p->code);
    p->count = x[0].start + count;
    p->height -= 2;
    x[0].constant = taken->constant;
    x[0].value = taken->value;
}

static bool parse_if(parser *p, operand *out, const function *f, size_t at) {
    operand x[3];
    trouble yes, no;
    ts_dim dim;
    if (!parse_condition(p, &x[0]) || !expect(p, ',', f)) return false;
    if (!parse_branch(p, &x[1], &yes) || !expect(p, ',', f)) return false;
    if (!parse_branch(p, &x[2], &no) || !expect(p, ')', f)) return false;
    if (!join(p, &x[1], &x[2], x[2].at, "choose between", &dim)) return false;
    bool open = !x[0].constant, holds = x[0].value != 0;
    if (yes.at != NOWHERE && (open || holds)) note_trouble(p, yes.at, yes.culprit);
    if (no.at != NOWHERE && (open || !holds)) note_trouble(p, no.at, no.culprit);
    if (!open) choose(p, x, holds);
    *out = (operand){dim, at, x[0].start, x[0].constant, x[0].value};
    return !open || emit(p, out, f, dim, at);
}

static bool parse_call(parser *p, operand *out, span name) {
    const function *f = find_function(p->text + name.at, name.len);
    if (!f) return unknown_function(p, name);
    accept(p, '(');
    if (f->rule == CHOICE) return parse_if(p, out, f, name.at);
    operand x[2];
    for (int i = 0; i < f->arity; i++)
        if (!parse_sum(p, &x[i]) || !expect(p, i + 1 < f->arity ? ',' : ')', f)) return false;
    ts_dim dim;
    if (!check_rule(p, f, x, name.at, &dim)) return false;
    *out = x[0];
    out->at = name.at;
    return emit(p, out, f, dim, name.at);
}

/* ---- what is not expected ---- */

/* Signs that come in by copy and paste. */
static bool hint_lookalike(parser *p) {
    static const char *const pairs[][2] = {
        {"\xC3\x97", "*"},     {"\xC2\xB7", "*"},  {"\xE2\x8B\x85", "*"}, {"\xC3\xB7", "/"},
        {"\xE2\x88\x92", "-"}, {"\xC2\xB2", "^2"}, {"\xC2\xB3", "^3"},    {"\xC2\xB0", "deg"},
        {"**", "^"},           {"\xCF\x80", "pi"}, {"\xE2\x80\x93", "-"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (starts_with(p, pairs[i][0])) return hint(p, "write '%s'", pairs[i][1]);
    return false;
}

static bool unexpected(parser *p, const char *expected) {
    skip_blanks(p);
    char c = peek(p);
    if (p->at >= p->len) return fail(p, p->at, "expected %s, but the expression ends", expected);
    if (c > ' ' && c < 127)
        fail(p, p->at, "expected %s, found '%c'", expected, c);
    else
        fail(p, p->at, "expected %s, found the byte 0x%02X", expected, (unsigned)(unsigned char)c);
    return hint_lookalike(p);
}

/* Behind a complete operand there is something that continues nothing. */
static bool leftover(parser *p, const char *expected) {
    unexpected(p, expected);
    size_t at = p->at;
    span name = read_name(p);
    if (name.len > 0 && ts_unit_find(p->text + at, name.len))
        return hint(p, "units are joined by '*', as in 'N*m'; a unit alone is '1 %.*s'",
                    quoted(name), p->text + at);
    if (name.len > 0 || peek(p) == '(') return hint(p, "for a product write '*'");
    if (peek(p) == ',') return hint(p, "the decimal sign is a point");
    if (memchr("<>=", peek(p), 3)) return hint(p, "a comparison stands only in if(a < b, x, y)");
    return false;
}

/* ---- the grammar ---- */

static bool parse_primary(parser *p, operand *out) {
    skip_blanks(p);
    size_t at = p->at;
    if (digit(peek(p)) || peek(p) == '.') return parse_number(p, out);
    if (accept(p, '(')) {
        if (!parse_sum(p, out)) return false;
        out->at = at;
        return accept(p, ')') || leftover(p, "an operator or ')'");
    }
    span name = read_name(p);
    if (name.len == 0) return unexpected(p, "a number, a name or '('");
    return calls(p) ? parse_call(p, out, name) : parse_parameter(p, out, name);
}

static bool power_dim(parser *p, const operand *base, const operand *exponent, size_t at,
                      ts_dim *dim) {
    char name[64];
    *dim = base->dim;
    if (!ts_dim_bare(exponent->dim))
        return fail(p, exponent->at, "an exponent must be a plain number, not %s",
                    ts_dim_name(exponent->dim, name, sizeof name));
    if (ts_dim_bare(base->dim)) return true;
    if (!exponent->constant)
        return fail(p, exponent->at,
                    "the exponent of a quantity with dimension %s must be constant",
                    ts_dim_name(base->dim, name, sizeof name));
    return dim_power(p, dim, exponent->value, at);
}

static bool parse_power(parser *p, operand *out) {
    static const function power = {"^", 2, ALIKE, d_pow};
    if (!parse_primary(p, out)) return false;
    skip_blanks(p);
    size_t at = p->at;
    if (!accept(p, '^')) return true;
    operand exponent;
    ts_dim dim;
    if (!parse_signed(p, &exponent) || !power_dim(p, out, &exponent, at, &dim)) return false;
    return emit(p, out, &power, dim, at);
}

static bool parse_sign(parser *p, operand *out) {
    static const function negation = {"-", 1, KEEP, d_neg};
    skip_blanks(p);
    size_t at = p->at;
    bool minus = accept(p, '-');
    if (!minus && !accept(p, '+')) return parse_power(p, out);
    if (!parse_signed(p, out)) return false;
    out->at = at;
    return !minus || emit(p, out, &negation, out->dim, at);
}

/* All recursion comes through here. */
static bool parse_signed(parser *p, operand *out) {
    if (p->nest >= MAX_NEST) return fail(p, p->at, "the expression is nested too deeply");
    p->nest++;
    bool fine = parse_sign(p, out);
    p->nest--;
    return fine;
}

static bool parse_product(parser *p, operand *out) {
    static const function times = {"*", 2, ANY, d_mul}, over = {"/", 2, ANY, d_div};
    if (!parse_signed(p, out)) return false;
    for (;;) {
        skip_blanks(p);
        size_t at = p->at;
        bool divide = accept(p, '/');
        if (!divide && (starts_with(p, "**") || !accept(p, '*'))) return true;
        operand right;
        ts_dim dim = out->dim;
        if (!parse_signed(p, &right)) return false;
        if (divide && right.constant && right.value == 0) note_trouble(p, at, "/");
        if (!dim_product(p, &dim, right.dim, divide ? -1 : 1, at)) return false;
        if (!emit(p, out, divide ? &over : &times, dim, at)) return false;
    }
}

static bool parse_sum(parser *p, operand *out) {
    static const function plus = {"+", 2, ALIKE, d_add}, minus = {"-", 2, ALIKE, d_sub};
    if (!parse_product(p, out)) return false;
    for (;;) {
        skip_blanks(p);
        size_t at = p->at;
        bool subtract = accept(p, '-');
        if (!subtract && !accept(p, '+')) return true;
        operand right;
        ts_dim dim;
        if (!parse_product(p, &right)) return false;
        if (!join(p, out, &right, at, subtract ? "subtract" : "add", &dim)) return false;
        if (!emit(p, out, subtract ? &minus : &plus, dim, at)) return false;
    }
}

static bool report_trouble(parser *p) {
    if (p->trouble.at == NOWHERE) return true;
    p->at = p->trouble.at;
    if (peek(p) == '/') return fail(p, p->at, "division by zero");
    return fail(p, p->at, "%s gives no finite number here", p->trouble.culprit);
}

static bool parse_all(parser *p, operand *out) {
    if (p->len > MAX_TEXT)
        return fail(p, MAX_TEXT, "the expression is longer than %d bytes", MAX_TEXT);
    if (!parse_sum(p, out)) return false;
    skip_blanks(p);
    if (p->at < p->len) return leftover(p, "an operator");
    return report_trouble(p);
}

int ts_expr_compile(ts_expr **out, const char *text, size_t len, const ts_scope *scope,
                    bool allow_time, ts_expr_error *error) {
    ts_expr_error unread;
    double unit = scope && scope->time_unit > 0 ? scope->time_unit : 1;
    parser p = {.text = text ? text : "",
                .len = len,
                .scope = scope,
                .time_unit = unit,
                .allow_time = allow_time,
                .trouble = {NOWHERE, NULL},
                .error = error ? error : &unread};
    *p.error = (ts_expr_error){0};
    *out = NULL;
    operand whole;
    if (!parse_all(&p, &whole)) {
        free(p.code);
        return ts_fail(TORSOR_EINVAL, "%s", p.error->message);
    }
    *out = ts_calloc(1, sizeof **out);
    **out = (ts_expr){p.code, p.count, whole.dim};
    return TORSOR_OK;
}
