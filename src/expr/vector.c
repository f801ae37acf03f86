/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors within expressions: `D - C`, `|D - C|`, `D.x`, `cross(a, b)`.
 *
 * Points of a model are constant. So a vector is three constants in the parser. Code is made only
 * for numbers that are computed from a vector: a component, a length or a product. Where a number
 * is required, a vector is refused (ts_expr_number). The rest of the grammar is in expr.c. */
#include <math.h>
#include <string.h>

#include "expr/read.h"

static const char COMPONENT[] = "xyz";

/* ---- names ---- */

static int find_point(const parser *p, span name, ts_vector *out) {
    const ts_scope *s = p->scope;
    return s && s->point ? s->point(s->context, p->text + name.at, name.len, out) : 0;
}

static operand vector_of(const parser *p, const double *x, ts_dim dim, size_t at) {
    return (operand){
        .dim = dim, .at = at, .start = p->count, .vector = true, .v = {x[0], x[1], x[2]}};
}

bool ts_expr_point(const parser *p, span name, operand *out) {
    ts_vector point;
    if (!find_point(p, name, &point)) return false;
    *out = vector_of(p, point.x, point.dim, name.at);
    return true;
}

/* The component that a letter names, or -1. */
static int component(char letter) {
    const char *at = letter ? strchr(COMPONENT, letter) : NULL;
    return at ? (int)(at - COMPONENT) : -1;
}

bool ts_expr_is_component(const parser *p, span name) {
    const ts_scope *s = p->scope;
    ts_vector point;
    if (name.len < 3 || p->text[name.at + name.len - 2] != '.' ||
        component(p->text[name.at + name.len - 1]) < 0)
        return false;
    span owner = {name.at, name.len - 2};
    if (memchr(p->text + owner.at, '.', owner.len)) return false;
    bool channel = p->allow_time && s && s->channel && s->is_part &&
                   s->is_part(s->context, p->text + owner.at, owner.len);
    return !channel && find_point(p, owner, &point);
}

bool ts_expr_component(parser *p, operand *out, span name) {
    ts_vector point;
    find_point(p, (span){name.at, name.len - 2}, &point);
    double value = point.x[component(p->text[name.at + name.len - 1])];
    return ts_expr_push(p, out, name.at, (ts_quantity){value, point.dim});
}

bool ts_expr_components(parser *p, operand *out) {
    if (!out->vector || peek(p) != '.' || p->at + 1 >= p->len) return true;
    int which = component(p->text[p->at + 1]);
    if (which < 0) return ts_expr_fail(p, p->at + 1, "expected a component: x, y or z");
    p->at += 2;
    return ts_expr_push(p, out, out->at, (ts_quantity){out->v[which], out->dim});
}

bool ts_expr_number(parser *p, const operand *x) {
    if (!x->vector) return true;
    ts_expr_fail(p, x->at, "a number is needed here, and this is a vector");
    return ts_expr_hint(p, "take a component, '(...).x', or its length, 'norm(...)'");
}

static bool vector(parser *p, const operand *x) {
    if (x->vector) return true;
    ts_expr_fail(p, x->at, "a vector is needed here, and this is a number");
    return ts_expr_hint(p, "a vector is a point, or '[x, y, z]'");
}

/* ---- lengths and literals ---- */

static double length(const double *v) { return hypot(hypot(v[0], v[1]), v[2]); }

bool ts_expr_bars(parser *p, operand *out, size_t at) {
    if (!ts_expr_parse_any(p, out)) return false;
    if (!accept(p, '|')) return ts_expr_leftover(p, "an operator or '|'");
    out->at = at;
    if (out->vector) return ts_expr_push(p, out, at, (ts_quantity){length(out->v), out->dim});
    if (!out->constant)
        return ts_expr_fail(p, at, "bars are for vectors and constants: write 'abs(...)'");
    p->code[p->count - 1].value = out->value = fabs(out->value);
    return true;
}

/* Takes the code of a constant away: the vector that it becomes part of has none. */
static bool take(parser *p, const operand *x) {
    if (!x->constant) {
        ts_expr_fail(p, x->at, "a vector must be constant");
        return ts_expr_hint(p, "write the components: [..., ..., ...]");
    }
    p->count--, p->height--;
    return true;
}

bool ts_expr_literal(parser *p, operand *out, size_t at) {
    operand x, before = {.constant = true};
    double v[3];
    for (int i = 0; i < 3; i++) {
        if (!ts_expr_parse_any(p, &x) || !ts_expr_number(p, &x) || !take(p, &x)) return false;
        if (!ts_expr_join(p, &before, &x, x.at, "put together", &before.dim)) return false;
        v[i] = x.value, before.value += fabs(x.value);
        if (!accept(p, i < 2 ? ',' : ']')) return ts_expr_leftover(p, "three numbers, '[x, y, z]'");
    }
    *out = vector_of(p, v, before.dim, at);
    return ts_expr_components(p, out);
}

/* ---- functions ---- */

static const struct vector_function {
    const char *name;
    int arity;
} functions[] = {{"norm", 1}, {"dot", 2}, {"cross", 2}};

static const struct vector_function *find_function(const parser *p, span name) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (is_word(p, name, functions[i].name)) return &functions[i];
    return NULL;
}

bool ts_expr_vector_function(const parser *p, span name) { return find_function(p, name) != NULL; }

bool ts_expr_vector_call(parser *p, operand *out, span name) {
    const struct vector_function *f = find_function(p, name);
    operand x[2] = {{.at = name.at}, {.at = name.at}};
    accept(p, '(');
    for (int i = 0; i < f->arity; i++) {
        if (!ts_expr_parse_any(p, &x[i]) || !vector(p, &x[i])) return false;
        if (!accept(p, i + 1 < f->arity ? ',' : ')'))
            return ts_expr_fail(p, p->at, "%s takes %d vector%s", f->name, f->arity,
                                f->arity > 1 ? "s" : "");
    }
    const double *a = x[0].v, *b = x[1].v;
    ts_dim dim = x[0].dim;
    if (f->arity == 1) return ts_expr_push(p, out, name.at, (ts_quantity){length(a), dim});
    if (!ts_expr_dim_product(p, &dim, x[1].dim, 1, name.at)) return false;
    if (is_word(p, name, "dot"))
        return ts_expr_push(p, out, name.at,
                            (ts_quantity){a[0] * b[0] + a[1] * b[1] + a[2] * b[2], dim});
    const double normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                              a[0] * b[1] - a[1] * b[0]};
    *out = vector_of(p, normal, dim, name.at);
    return ts_expr_components(p, out);
}

/* ---- sums and multiples ---- */

bool ts_expr_add_vectors(parser *p, operand *out, const operand *right, size_t at, bool subtract) {
    ts_dim dim;
    if (!vector(p, out) || !vector(p, right)) return false;
    if (!ts_expr_join(p, out, right, at, subtract ? "subtract" : "add", &dim)) return false;
    for (int i = 0; i < 3; i++) out->v[i] += subtract ? -right->v[i] : right->v[i];
    out->dim = dim;
    return true;
}

bool ts_expr_scale_vector(parser *p, operand *out, const operand *right, size_t at, bool divide,
                          ts_dim dim) {
    if (out->vector && right->vector) {
        ts_expr_fail(p, at, "two vectors cannot be %s", divide ? "divided" : "multiplied by '*'");
        return ts_expr_hint(p, "write 'dot(a, b)' or 'cross(a, b)'");
    }
    if (divide && right->vector)
        return ts_expr_fail(p, at, "a number cannot be divided by a vector");
    const operand *factor = out->vector ? right : out;
    operand result = out->vector ? *out : *right;
    if (!take(p, factor)) return false;
    for (int i = 0; i < 3; i++)
        result.v[i] = divide ? result.v[i] / factor->value : result.v[i] * factor->value;
    result.dim = dim, result.at = out->at, result.start = p->count;
    *out = result;
    return true;
}
