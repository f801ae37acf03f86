/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of expr.c, read.c, vector.c, kink.c and second.c: the parser's state, what stands in a
 * text, and functions by name. */
#ifndef TS_EXPR_READ_H
#define TS_EXPR_READ_H

#include <string.h>

#include "expr/dual.h"
#include "expr/expr.h"

enum {
    MAX_EXPONENT = 100, /* of a dimension; fits a signed char */
    MAX_QUOTE = 40      /* characters of a name repeated in a message */
};

#define NOWHERE ((size_t)-1)

/* Which of its branches a function with kinks takes, as a number. */
typedef double (*branch_fn)(const dual *x);
/* How far its arguments are from another branch: a distance and its rate. */
typedef dual (*margin_fn)(const dual *x);
/* Its second derivatives: by the first argument, both, the second; out is zero before. */
typedef void (*second_fn)(const double *x, double *out);

/* Without `apply`: push value, or rate * t when the rate is not zero, or a variable (from 1), or a
 * signal: of the time, or with arity 1 or 2 of what is on the stack. */
typedef struct instruction {
    dual_fn apply;
    int arity;
    double value, rate;
    int variable;
    int signal;       /* from 1; 0: none */
    branch_fn branch; /* NULL: smooth */
    margin_fn margin; /* of that branch */
    second_fn second; /* NULL: zero */
    bool compares;    /* its value is a truth: it has no slope */
} instruction;

struct ts_expr {
    instruction *code;
    size_t count;
    ts_dim dim;
    ts_expr_signal *signal;
    int signals;
    double weight; /* of the signals */
    bool hertz;
};

enum {
    MAX_STACK = 256, /* intermediate results at one time */
    MAX_NEST = 200   /* parentheses, signs and powers within each other */
};

/* What an expression is a function of. */
typedef struct arguments {
    double t, pace;              /* the time, and its rate: 1, or 0 where it stands still */
    const double *x, *direction; /* variables; NULL: all are zero */
    double *clearance;           /* see ts_expr_eval; NULL: not wanted */
} arguments;

/* A value from outside: a constant, the time, a variable or a signal; x: argument of a call. */
dual ts_expr_load(const ts_expr *expr, const instruction *in, const arguments *at, const dual *x);

/* kink.c: gives a function its branch and margin, if it has kinks */
void ts_expr_find_branch(const char *name, instruction *in);
/* second.c: gives a function its second derivatives */
void ts_expr_find_second(const char *name, instruction *in);

/* What a function requires of the dimensions of its arguments. */
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
    ts_expr_signal *signal;
    int signals;
    double weight;    /* of the signals */
    int nest, height; /* of the recursion; of the evaluation stack */
    trouble trouble;
    bool tonne; /* the unit t was used */
    span unit;  /* a unit whose name is also that of a value; its length is 0: none was used */
    bool hertz; /* the last number is in Hz or kHz */
    ts_expr_error *error;
} parser;

/* What has been parsed: code from `start` on leaves one number of this dimension on the stack. */
typedef struct operand {
    ts_dim dim;
    size_t at, start; /* in the text, in the code */
    bool constant;
    double value; /* when constant */
    bool vector;  /* a constant vector: it has no code */
    double v[3];  /* its components */
    bool hertz;   /* a number in Hz, as written: see ts_expr_hertz */
} operand;

/* Messages: always false, to be returned. */
static inline int quoted(span s) { return s.len < MAX_QUOTE ? (int)s.len : MAX_QUOTE; }
bool ts_expr_fail(parser *p, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool ts_expr_hint(parser *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool ts_expr_hint_dimension(parser *p, ts_dim d); /* why it surprises: the usual slips */
bool ts_expr_unexpected(parser *p, const char *expected);
bool ts_expr_leftover(parser *p, const char *expected); /* behind a complete operand */
bool ts_expr_unknown_function(parser *p, span name);
bool ts_expr_unknown_name(parser *p, span name);

/* Words. */
span ts_expr_word(parser *p);  /* the name that begins here; its length is 0 if there is none */
bool ts_expr_calls(parser *p); /* does a parenthesis follow? */
const function *ts_expr_function(const char *name, size_t len);
bool ts_expr_builtin(const char *name, size_t len);
bool ts_expr_in_scope(const parser *p, span name, ts_quantity *out);
bool ts_expr_is_channel(const parser *p, span name);
int ts_expr_signal_in_scope(const parser *p, span name, ts_expr_signal *out); /* as ts_scope */
int ts_expr_variable(const parser *p, span name); /* its number, from 1; 0 if it is none */
/* Takes what follows the name into it, `hinge` -> `hinge.angle`; false: nothing does. */
bool ts_expr_dotted(parser *p, span *name);

/* vector.c: what vectors add to the grammar; expr.c has the rest. */
bool ts_expr_parse_any(parser *p, operand *out); /* a sum: a number or a vector */
bool ts_expr_push(parser *p, operand *out, size_t at, ts_quantity q);
bool ts_expr_join(parser *p, const operand *a, const operand *b, size_t at, const char *verb,
                  ts_dim *out);
bool ts_expr_point(const parser *p, span name, operand *out); /* is it a point? */
bool ts_expr_is_component(const parser *p, span name);        /* `D.x` of a point? */
bool ts_expr_component(parser *p, operand *out, span name);
bool ts_expr_components(parser *p, operand *out);         /* `.x` behind a vector, perhaps */
bool ts_expr_number(parser *p, const operand *x);         /* true, or a message: it is a vector */
bool ts_expr_bars(parser *p, operand *out, size_t at);    /* behind the first | */
bool ts_expr_literal(parser *p, operand *out, size_t at); /* behind the [ */
bool ts_expr_vector_function(const parser *p, span name);
bool ts_expr_vector_call(parser *p, operand *out, span name);
bool ts_expr_add_vectors(parser *p, operand *out, const operand *right, size_t at, bool subtract);
bool ts_expr_scale_vector(parser *p, operand *out, const operand *right, size_t at, bool divide,
                          ts_dim dim);

/* One instruction more: `f` of the last operands, of which *out is the first. */
bool ts_expr_emit(parser *p, operand *out, const function *f, ts_dim dim, size_t at);
bool ts_expr_sum(parser *p, operand *out); /* a number */

/* truth.c: `a < b`, joined by and, or, not. */
bool ts_expr_truth(parser *p, operand *out);

/* A number with the units behind it. */
bool ts_expr_quantity(parser *p, ts_quantity *out);

/* Dimensions: d^factor, and a * b^power; false with a message if there is no such one. */
bool ts_expr_dim_power(parser *p, ts_dim *d, double factor, size_t at);
bool ts_expr_dim_product(parser *p, ts_dim *a, ts_dim b, int power, size_t at);

/* ---- reading characters ---- */

static inline char peek(const parser *p) { return p->at < p->len ? p->text[p->at] : '\0'; }
static inline bool digit(char c) { return c >= '0' && c <= '9'; }
static inline bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline void skip_blanks(parser *p) {
    while (p->at < p->len && memchr(" \t\r\n", p->text[p->at], 4)) p->at++;
}

static inline bool accept(parser *p, char c) {
    skip_blanks(p);
    if (p->at >= p->len || p->text[p->at] != c) return false;
    p->at++;
    return true;
}

static inline bool starts_with(const parser *p, const char *word) {
    size_t n = strlen(word);
    return p->len - p->at >= n && memcmp(p->text + p->at, word, n) == 0;
}

static inline bool is_word(const parser *p, span name, const char *word) {
    return strlen(word) == name.len && memcmp(p->text + name.at, word, name.len) == 0;
}

#endif
