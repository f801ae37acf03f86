/* SPDX-License-Identifier: Apache-2.0 */
/* Second derivatives of expressions: hyper-dual numbers (v, v_a, v_b, v_ab), a value with its
 * slopes along two directions and the second derivative along both. For a function f of several
 * arguments
 *
 *     f_a = sum_i f,i x_i,a ,     f_ab = sum_i f,i x_i,ab + sum_ij f,ij x_i,a x_j,b .
 *
 * Fike and Alonso, AIAA 2011-886. First derivatives f,i are those of dual.h, one argument after the
 * other; only f,ij is written down here. Nothing is subtracted, so nothing cancels. Products with
 * zero are left out, so that an infinite slope of what stands still does no harm.
 */
#include <math.h>
#include <string.h>

#include "expr/read.h"

typedef struct hyper {
    double v, a, b, ab;
} hyper;

/* ---- second derivatives of functions: out = f,11  f,12  f,22 ---- */

static void of_mul(const double *x, double *out) { (void)x, out[1] = 1; }
static void of_div(const double *x, double *out) {
    out[1] = -1 / (x[1] * x[1]), out[2] = 2 * x[0] / (x[1] * x[1] * x[1]);
}
static void of_pow(const double *x, double *out) {
    double p = x[1], log_x = log(x[0]);
    out[0] = p == 0 || p == 1 ? 0 : p * (p - 1) * pow(x[0], p - 2);
    out[1] = pow(x[0], p - 1) * (1 + p * log_x);
    out[2] = pow(x[0], p) * log_x * log_x;
}
static void of_sin(const double *x, double *out) { out[0] = -sin(*x); }
static void of_cos(const double *x, double *out) { out[0] = -cos(*x); }
static void of_sinh(const double *x, double *out) { out[0] = sinh(*x); }
static void of_cosh(const double *x, double *out) { out[0] = cosh(*x); }
static void of_exp(const double *x, double *out) { out[0] = exp(*x); }
static void of_log(const double *x, double *out) { out[0] = -1 / (*x * *x); }
static void of_log10(const double *x, double *out) { out[0] = -1 / (*x * *x * log(10)); }
static void of_sqrt(const double *x, double *out) { out[0] = -0.25 / (*x * sqrt(*x)); }
static void of_tan(const double *x, double *out) {
    double t = tan(*x);
    out[0] = 2 * t * (1 + t * t);
}
static void of_tanh(const double *x, double *out) {
    double t = tanh(*x);
    out[0] = -2 * t * (1 - t) * (1 + t);
}
static void of_atan(const double *x, double *out) {
    double r = 1 + *x * *x;
    out[0] = -2 * *x / (r * r);
}
static void of_asin(const double *x, double *out) {
    double r = (1 - *x) * (1 + *x);
    out[0] = *x / (r * sqrt(r));
}
static void of_acos(const double *x, double *out) {
    of_asin(x, out);
    out[0] = -out[0];
}
static void of_atan2(const double *x, double *out) {
    double rr = x[0] * x[0] + x[1] * x[1], product = 2 * x[0] * x[1];
    if (rr == 0) return;
    out[0] = -product / (rr * rr), out[2] = -out[0];
    out[1] = (x[0] * x[0] - x[1] * x[1]) / (rr * rr);
}
static void of_smooth(const double *x, double *out) {
    if (*x > 0 && *x < 1) out[0] = 6 - 12 * *x;
}

void ts_expr_find_second(const char *name, instruction *in) {
    static const struct {
        const char *name;
        second_fn second;
    } curved[] = {{"*", of_mul},     {"/", of_div},        {"^", of_pow},     {"sin", of_sin},
                  {"cos", of_cos},   {"tan", of_tan},      {"asin", of_asin}, {"acos", of_acos},
                  {"atan", of_atan}, {"atan2", of_atan2},  {"sinh", of_sinh}, {"cosh", of_cosh},
                  {"tanh", of_tanh}, {"exp", of_exp},      {"log", of_log},   {"log10", of_log10},
                  {"sqrt", of_sqrt}, {"smooth", of_smooth}};
    for (size_t i = 0; i < sizeof curved / sizeof *curved; i++)
        if (strcmp(curved[i].name, name) == 0) in->second = curved[i].second;
    in->compares = strpbrk(name, "<>") || ts_expr_connective(name, strlen(name));
}

/* ---- the chain rule ---- */

static double product(double slope, double by) { return by == 0 ? 0 : slope * by; }

static hyper chain_rule(int arity, double value, const double *first, const double *second,
                        const hyper *x) {
    hyper out = {.v = value};
    for (int i = 0; i < arity; i++) {
        out.a += product(first[i], x[i].a), out.b += product(first[i], x[i].b);
        out.ab += product(first[i], x[i].ab);
        for (int j = 0; j < arity && second; j++) out.ab += product(second[i + j], x[i].a * x[j].b);
    }
    return out;
}

static hyper apply(const instruction *in, const hyper *x) {
    dual at[3] = {{0, 0}, {0, 0}, {0, 0}};
    double value[3], first[3] = {0}, second[3] = {0};
    for (int i = 0; i < in->arity; i++) at[i].v = value[i] = x[i].v;
    if (in->arity == 3) { /* if: one of two */
        const hyper *taken = &x[x[0].v != 0 ? 1 : 2];
        return isnan(x[0].v) ? x[0] : *taken;
    }
    double v = in->apply(at).v;
    for (int i = 0; i < in->arity && !in->compares; i++) {
        at[i].r = 1;
        first[i] = in->apply(at).r;
        at[i].r = 0;
    }
    if (in->second) in->second(value, second);
    return chain_rule(in->arity, v, first, second, x);
}

static hyper of_signal(const ts_expr_signal *s, const hyper *x) {
    double value, first, second = s->bend ? s->bend(s->self, x->v) : 0;
    s->eval(s->self, x->v, &value, &first, NULL);
    return chain_rule(1, value, &first, &second, x);
}

static hyper of_map(const ts_expr_signal *s, const hyper *x) {
    const double at[2] = {x[0].v, x[1].v};
    double value, first[2], second[3] = {0};
    s->eval_pair(s->self, at, &value, first, NULL);
    if (s->bend_pair) s->bend_pair(s->self, at, second);
    return chain_rule(2, value, first, second, x);
}

static hyper load(const ts_expr *expr, const instruction *in, ts_argument at,
                  const ts_argument *along, const hyper *x) {
    hyper time = {at.t, along[0].t, along[1].t, 0};
    int k = in->variable - 1;
    if (in->arity == 2) return of_map(&expr->signal[in->signal - 1], x);
    if (in->signal > 0) return of_signal(&expr->signal[in->signal - 1], in->arity ? x : &time);
    if (k >= 0) return (hyper){at.x[k], along[0].x[k], along[1].x[k], 0};
    if (in->rate == 0) return (hyper){.v = in->value};
    return (hyper){in->rate * time.v, in->rate * time.a, in->rate * time.b, 0};
}

double ts_expr_second(const ts_expr *expr, ts_argument at, const ts_argument along[2],
                      double out[3]) {
    hyper stack[MAX_STACK];
    size_t top = 0;
    for (const instruction *in = expr->code, *end = in + expr->count; in < end; in++) {
        top -= (size_t)in->arity;
        hyper *x = &stack[top++];
        *x = in->apply ? apply(in, x) : load(expr, in, at, along, x);
    }
    out[0] = stack->a, out[1] = stack->b, out[2] = stack->ab;
    return stack->v;
}
