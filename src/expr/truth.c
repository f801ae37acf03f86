/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions: comparisons of numbers, joined by words.
 *
 *   any   = all { "or" all }
 *   all   = one { "and" one }
 *   one   = "not" one | "(" any ")" | sum ("<" | ">" | "<=" | ">=") sum
 *
 * A parenthesis opens a condition where a comparison stands in it, outside the arguments of
 * functions; otherwise it opens a number.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/read.h"

static const ts_dim plain = {0, 0, 0, 0};

bool ts_expr_connective(const char *name, size_t len) {
    static const char *const WORDS[] = {"and", "or", "not"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strlen(WORDS[i]) == len && memcmp(WORDS[i], name, len) == 0) return true;
    return false;
}

static bool accept_word(parser *p, const char *word) {
    skip_blanks(p);
    size_t before = p->at;
    span name = ts_expr_word(p);
    if (is_word(p, name, word)) return true;
    p->at = before;
    return false;
}

/* ---- one comparison ---- */

static bool compares(parser *p, function *out) {
    static const function comparisons[4] = {{"<", 2, ALIKE, d_lt},
                                            {">", 2, ALIKE, d_gt},
                                            {"<=", 2, ALIKE, d_le},
                                            {">=", 2, ALIKE, d_ge}};
    bool less = accept(p, '<');
    if (!less && !accept(p, '>')) {
        ts_expr_fail(p, p->at, "expected a comparison: <, >, <= or >=");
        return peek(p) == '=' && ts_expr_hint(p, "real numbers cannot be compared for equality");
    }
    bool equal = peek(p) == '=';
    if (equal) p->at++;
    *out = comparisons[2 * equal + !less];
    return true;
}

/* A bare number beside a quantity is in the model's units. The right side takes the factor of
 * either: a u < b is a < b/u. */
static bool take_units(parser *p, const operand *left, operand *right) {
    static const function times = {"*", 2, ANY, d_mul};
    bool bare[2] = {ts_dim_bare(left->dim), ts_dim_bare(right->dim)};
    if (!p->scope || !p->scope->unit || bare[0] == bare[1]) return true;
    double unit = p->scope->unit(p->scope->context, bare[0] ? right->dim : left->dim);
    operand factor;
    ts_quantity by = {bare[0] ? 1 / unit : unit, plain};
    return ts_expr_push(p, &factor, right->at, by) &&
           ts_expr_emit(p, right, &times, left->dim, right->at);
}

static bool parse_comparison(parser *p, operand *out) {
    operand right;
    function f;
    ts_dim ignored;
    if (!ts_expr_sum(p, out)) return false;
    skip_blanks(p);
    size_t at = p->at;
    if (!compares(p, &f) || !ts_expr_sum(p, &right)) return false;
    return take_units(p, out, &right) && ts_expr_join(p, out, &right, at, "compare", &ignored) &&
           ts_expr_emit(p, out, &f, plain, at);
}

/* ---- several ---- */

/* A call opens at `depth`, and closes: what is between belongs to a number. */
typedef struct nest {
    int depth, call; /* call: the depth of the outermost call; 0: none */
} nest;

/* Does a parenthesis open here, with a comparison in it? */
static bool opens(const parser *p) {
    parser ahead = *p;
    nest n = {0, 0};
    bool named = false; /* a name stands before: a parenthesis is a call */
    skip_blanks(&ahead);
    if (peek(&ahead) != '(') return false;
    while (ahead.at < ahead.len) {
        span name = ts_expr_word(&ahead);
        if (name.len > 0) {
            named = !ts_expr_connective(ahead.text + name.at, name.len);
            continue;
        }
        char c = peek(&ahead);
        if (c == '(' && ++n.depth && named && !n.call) n.call = n.depth;
        if (c == ')' && n.depth == n.call) n.call = 0;
        if (c == ')' && --n.depth == 0) return false;
        if ((c == '<' || c == '>') && !n.call) return true;
        if (!memchr(" \t\r\n", c, 4)) named = false;
        ahead.at++;
    }
    return false;
}

static bool parse_one(parser *p, operand *out);

static bool parse_deeper(parser *p, operand *out) {
    static const function negation = {"not", 1, ANY, d_not};
    if (accept_word(p, "not")) {
        size_t at = p->at;
        return parse_one(p, out) && ts_expr_emit(p, out, &negation, plain, at);
    }
    if (!opens(p)) return parse_comparison(p, out);
    accept(p, '(');
    if (!ts_expr_truth(p, out)) return false;
    return accept(p, ')') || ts_expr_leftover(p, "'and', 'or' or ')'");
}

/* All recursion comes through here. */
static bool parse_one(parser *p, operand *out) {
    if (p->nest >= MAX_NEST) return ts_expr_fail(p, p->at, "the expression is nested too deeply");
    p->nest++;
    bool fine = parse_deeper(p, out);
    p->nest--;
    return fine;
}

static bool parse_all(parser *p, operand *out) {
    static const function both = {"and", 2, ANY, d_and};
    if (!parse_one(p, out)) return false;
    while (accept_word(p, "and")) {
        operand right;
        size_t at = p->at;
        if (!parse_one(p, &right) || !ts_expr_emit(p, out, &both, plain, at)) return false;
    }
    return true;
}

bool ts_expr_truth(parser *p, operand *out) {
    static const function either = {"or", 2, ANY, d_or};
    if (!parse_all(p, out)) return false;
    while (accept_word(p, "or")) {
        operand right;
        size_t at = p->at;
        if (!parse_all(p, &right) || !ts_expr_emit(p, out, &either, plain, at)) return false;
    }
    return true;
}
