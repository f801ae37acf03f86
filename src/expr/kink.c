/* SPDX-License-Identifier: Apache-2.0 */
/* Kinks and jumps of an expression over time: the times at which a function in it (abs, max, step,
 * if ...) changes its branch.
 *
 * A hash of all branches at a time is the mark of that time. If the marks of two samples differ
 * there is a kink between them, and bisection finds it to the last digit. Branches that begin and
 * end between two samples are missed. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "expr/read.h"

enum { SAMPLES = 16 };

static double by_sign(const dual *x) { return x->v >= 0; }
static double by_three_signs(const dual *x) { return (x->v > 0) - (x->v < 0); }
static double by_order(const dual *x) { return x[0].v < x[1].v; }
static double by_reverse_order(const dual *x) { return x[0].v > x[1].v; }
static double by_whole(const dual *x) { return floor(x->v); }
static double by_turns(const dual *x) { return floor(x[0].v / x[1].v); }
static double by_thirds(const dual *x) { return (x->v >= 0) + (x->v >= 1); }

static dual from_zero(const dual *x) { return *x; }
static dual from_equal(const dual *x) { return (dual){x[0].v - x[1].v, x[0].r - x[1].r}; }

/* From the whole number next to v. */
static double from_whole(double v) { return v - round(v); }
static dual from_steps(const dual *x) { return (dual){from_whole(x->v), x->r}; }
static dual from_turns(const dual *x) {
    double ratio = x[0].v / x[1].v;
    return (dual){from_whole(ratio), (x[0].r - ratio * x[1].r) / x[1].v};
}
static dual from_ends(const dual *x) { return (dual){x->v < 0.5 ? x->v : x->v - 1, x->r}; }

void ts_expr_find_branch(const char *name, instruction *in) {
    static const struct {
        const char *name;
        branch_fn branch;
        margin_fn margin;
    } kinked[] = {{"abs", by_sign, from_zero},         {"ramp", by_sign, from_zero},
                  {"step", by_sign, from_zero},        {"sign", by_three_signs, from_zero},
                  {"min", by_order, from_equal},       {"max", by_order, from_equal},
                  {"<", by_order, from_equal},         {">=", by_order, from_equal},
                  {">", by_reverse_order, from_equal}, {"<=", by_reverse_order, from_equal},
                  {"floor", by_whole, from_steps},     {"mod", by_turns, from_turns},
                  {"smooth", by_thirds, from_ends}};
    for (size_t i = 0; i < sizeof kinked / sizeof *kinked; i++)
        if (strcmp(kinked[i].name, name) == 0)
            in->branch = kinked[i].branch, in->margin = kinked[i].margin;
}

static bool has_kinks(const ts_expr *expr) {
    for (size_t i = 0; i < expr->count; i++)
        if (expr->code[i].branch || expr->code[i].signal) return true;
    return false;
}

static uint64_t mixed(uint64_t mark, double branch) {
    uint64_t bits;
    memcpy(&bits, &branch, sizeof bits);
    return (mark ^ bits ^ (mark << 29)) * 0x9e3779b97f4a7c15u + 1;
}

static dual load(const ts_expr *expr, const instruction *in, const arguments *at, const dual *x,
                 uint64_t *mark) {
    const ts_expr_signal *s = in->signal ? &expr->signal[in->signal - 1] : NULL;
    if (s && in->arity == 2)
        *mark = mixed(*mark, s->branch_pair(s->self, (double[]){x[0].v, x[1].v}));
    else if (s)
        *mark = mixed(*mark, s->branch(s->self, in->arity ? x->v : at->t));
    return ts_expr_load(expr, in, at, x);
}

static uint64_t mark_of(const ts_expr *expr, const arguments *at) {
    dual stack[MAX_STACK];
    size_t top = 0;
    uint64_t mark = 1;
    for (const instruction *in = expr->code, *end = in + expr->count; in < end; in++) {
        top -= (size_t)in->arity;
        dual *x = &stack[top++];
        if (in->branch) mark = mixed(mark, in->branch(x));
        *x = in->apply ? in->apply(x) : load(expr, in, at, x, &mark);
    }
    return mark;
}

static uint64_t mark_at(const ts_expr *expr, double t) {
    return mark_of(expr, &(arguments){.t = t, .pace = 1});
}

double ts_expr_mark(const ts_expr *expr, double t) {
    return has_kinks(expr) ? (double)(mark_at(expr, t) >> 11) : 0;
}

double ts_expr_mark_at(const ts_expr *expr, double t, const double *x) {
    const arguments at = {.t = t, .x = x, .direction = x}; /* rates do not matter for branches */
    return has_kinks(expr) ? (double)(mark_of(expr, &at) >> 11) : 0;
}

bool ts_expr_kink(const ts_expr *expr, double from, double to, double *before, double *after) {
    if (!(to > from) || !has_kinks(expr)) return false;
    uint64_t mark = mark_at(expr, from);
    double low = from, high = from;
    for (int i = 1; i <= SAMPLES; i++) {
        high = i == SAMPLES ? to : from + (to - from) * i / SAMPLES;
        if (mark_at(expr, high) != mark) break;
        low = high;
    }
    if (low == high) return false;
    for (double middle = low + 0.5 * (high - low); middle > low && middle < high;
         middle = low + 0.5 * (high - low))
        *(mark_at(expr, middle) == mark ? &low : &high) = middle;
    *before = low, *after = high;
    return true;
}
