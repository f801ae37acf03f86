/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions with units: a recursive-descent compiler to a small postfix program of dual numbers.
 *
 * Rules of the compiler: the dimensions are checked while parsing and cost nothing later; an
 * operation on constants is carried out at once, so that a constant expression is one instruction.
 * A constant that is not finite is noted as trouble and reported at the end, unless it stood in a
 * branch of an `if` that is never taken. Nesting, the evaluation stack and the length of the text
 * are limited: no text can exhaust memory or the C stack. Words, numbers and messages: read.c;
 * vectors: vector.c.
 */
#include "expr/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "expr/read.h"

enum {
    MAX_TEXT = 65536,  /* bytes of an expression */
    MAX_WEIGHT = 10000 /* instructions of the signals that an expression uses, and of theirs */
};

#define PI 3.14159265358979323846

static const ts_dim plain = {0, 0, 0, 0}, angle = {0, 0, 0, 1};

/* ---- the program ---- */

/* Time until the margin is used up at its present rate; none at all where it is zero. */
static void narrow(double *clearance, dual margin) {
    double left = margin.v == 0 ? 0 : fabs(margin.v) / fabs(margin.r);
    if (!(left >= *clearance)) *clearance = left;
}

/* A signal of the time, or of the argument x of a call. */
static dual signal_value(const ts_expr_signal *s, bool call, const arguments *at, const dual *x) {
    dual of = call ? *x : (dual){at->t, at->pace}, out;
    double left = INFINITY;
    s->eval(s->self, of.v, &out.v, &out.r, at->clearance ? &left : NULL);
    if (at->clearance && left < INFINITY) narrow(at->clearance, (dual){left, of.r});
    return chained(out.v, out.r, of.r);
}

/* A map at the two arguments of a call. */
static dual map_value(const ts_expr_signal *s, const arguments *at, const dual *x) {
    const double of[2] = {x[0].v, x[1].v};
    double value, by[2], left[2];
    s->eval_pair(s->self, of, &value, by, at->clearance ? left : NULL);
    for (int i = 0; at->clearance && i < 2; i++) narrow(at->clearance, (dual){left[i], x[i].r});
    return (dual){value, chained(0, by[0], x[0].r).r + chained(0, by[1], x[1].r).r};
}

dual ts_expr_load(const ts_expr *expr, const instruction *in, const arguments *at, const dual *x) {
    if (in->arity == 2) return map_value(&expr->signal[in->signal - 1], at, x);
    if (in->signal > 0) return signal_value(&expr->signal[in->signal - 1], in->arity > 0, at, x);
    if (in->variable > 0)
        return at->x ? (dual){at->x[in->variable - 1], at->direction[in->variable - 1]}
                     : (dual){0, 0};
    return (dual){in->rate == 0 ? in->value : in->rate * at->t, in->rate * at->pace};
}

static dual run(const ts_expr *expr, const arguments *at) {
    dual stack[MAX_STACK];
    size_t top = 0;
    for (const instruction *in = expr->code, *end = in + expr->count; in < end; in++) {
        top -= (size_t)in->arity;
        if (in->margin && at->clearance) narrow(at->clearance, in->margin(&stack[top]));
        stack[top] = in->apply ? in->apply(&stack[top]) : ts_expr_load(expr, in, at, &stack[top]);
        top++;
    }
    return stack[0];
}

static bool is_constant(const instruction *in) {
    return !in->apply && in->rate == 0 && in->variable == 0 && in->signal == 0;
}

bool ts_expr_constant(const ts_expr *expr) { return expr->count == 1 && is_constant(expr->code); }

ts_dim ts_expr_dim(const ts_expr *expr) { return expr->dim; }
bool ts_expr_hertz(const ts_expr *expr) { return expr->hertz; }

double ts_expr_value(const ts_expr *expr, double t) {
    return ts_expr_constant(expr) ? expr->code->value
                                  : run(expr, &(arguments){.t = t, .pace = 1}).v;
}

void ts_expr_eval(const ts_expr *expr, double t, double *value, double *rate, double *clearance) {
    dual result = run(expr, &(arguments){.t = t, .pace = 1, .clearance = clearance});
    *value = result.v;
    *rate = result.r;
}

double ts_expr_at(const ts_expr *expr, double t, const double *x, const double *direction,
                  double *slope) {
    dual result = run(expr, &(arguments){.t = t, .x = x, .direction = direction});
    *slope = result.r;
    return result.v;
}

bool ts_expr_timed(const ts_expr *expr) {
    for (size_t i = 0; i < expr->count; i++)
        if (expr->code[i].rate != 0 || (expr->code[i].signal && expr->code[i].arity == 0))
            return true;
    return false;
}

int ts_expr_variables(const ts_expr *expr) {
    int largest = 0;
    for (size_t i = 0; i < expr->count; i++)
        if (expr->code[i].variable > largest) largest = expr->code[i].variable;
    return largest;
}

double ts_expr_weight(const ts_expr *expr) { return expr->weight + (double)expr->count; }

static void free_signals(ts_expr_signal *signal, int signals) {
    for (int i = 0; i < signals; i++) signal[i].drop(signal[i].self);
    free(signal);
}

void ts_expr_free(ts_expr *expr) {
    if (!expr) return;
    free_signals(expr->signal, expr->signals);
    free(expr->code);
    free(expr);
}

/* ---- emitting code ---- */

static bool append(parser *p, instruction in, size_t at) {
    p->height += 1 - in.arity;
    if (p->height > MAX_STACK) return ts_expr_fail(p, at, "the expression is nested too deeply");
    ts_grow(p->code, p->room, p->count + 1);
    p->code[p->count++] = in;
    return true;
}

bool ts_expr_push(parser *p, operand *out, size_t at, ts_quantity q) {
    *out = (operand){.dim = q.dim, .at = at, .start = p->count, .constant = true, .value = q.value};
    return append(p, (instruction){.value = q.value}, at);
}

static bool push_time(parser *p, operand *out, size_t at, double rate, ts_dim dim) {
    *out = (operand){.dim = dim, .at = at, .start = p->count};
    return append(p, (instruction){.rate = rate}, at);
}

static bool push_variable(parser *p, operand *out, size_t at, int number, ts_dim dim) {
    *out = (operand){.dim = dim, .at = at, .start = p->count};
    return append(p, (instruction){.variable = number}, at);
}

static void own_signal(parser *p, const ts_expr_signal *signal) {
    p->signal = ts_realloc(p->signal, (size_t)p->signals + 1, sizeof *p->signal);
    p->signal[p->signals++] = *signal;
}

static bool weigh(parser *p, span name, double weight) {
    p->weight += weight;
    if (p->weight <= MAX_WEIGHT) return true;
    return ts_expr_fail(p, name.at, "the signals of this expression use too many others");
}

static bool push_signal(parser *p, operand *out, span name, const ts_expr_signal *signal) {
    own_signal(p, signal);
    *out = (operand){.dim = signal->dim, .at = name.at, .start = p->count};
    return weigh(p, name, signal->weight) &&
           append(p, (instruction){.signal = p->signals}, name.at);
}

/* The program of another expression, written out here. Its signals go over to this one. */
static bool push_program(parser *p, operand *out, span name, const ts_expr_signal *of) {
    ts_expr *expr = of->program;
    int before = p->signals;
    bool fine = weigh(p, name, ts_expr_weight(expr));
    *out = (operand){.dim = expr->dim, .at = name.at, .start = p->count};
    for (int i = 0; i < expr->signals; i++) own_signal(p, &expr->signal[i]);
    for (size_t i = 0; i < expr->count && fine; i++) {
        instruction in = expr->code[i];
        if (in.signal) in.signal += before;
        if (in.variable) in.variable += of->before;
        fine = append(p, in, name.at);
    }
    expr->signals = 0;
    ts_expr_free(expr);
    return fine;
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
bool ts_expr_emit(parser *p, operand *out, const function *f, ts_dim dim, size_t at) {
    instruction in = {.apply = f->apply, .arity = f->arity};
    ts_expr_find_branch(f->name, &in);
    ts_expr_find_second(f->name, &in);
    if (!fold(p, f->apply, f->arity) && !append(p, in, at)) return false;
    const instruction *last = &p->code[p->count - 1];
    *out = (operand){.dim = dim,
                     .at = out->at,
                     .start = out->start,
                     .constant = is_constant(last),
                     .value = last->value};
    if (out->constant && !isfinite(out->value)) note_trouble(p, at, f->name);
    return true;
}

/* ---- dimensions ---- */

static bool is_zero(const operand *a) {
    return a->constant && a->value == 0 && ts_dim_bare(a->dim);
}

/* Radians count as 1 beside a length, a mass or a time: v/r is an angular velocity. An angle by
 * itself is not a plain number. */
static bool alike(ts_dim a, ts_dim b) {
    ts_dim blind = b;
    if (a.length != 0 || a.mass != 0 || a.time != 0) blind.angle = a.angle;
    return ts_dim_equal(a, blind);
}

/* A number in Hz counts cycles: it is not added to an angular velocity. */
static bool mixes_cycles(const operand *a, const operand *b) {
    return (a->hertz && b->dim.angle != 0) || (b->hertz && a->dim.angle != 0);
}

/* The common dimension of a and b, with the radians of either. `out` may be that of a or b. */
bool ts_expr_join(parser *p, const operand *a, const operand *b, size_t at, const char *verb,
                  ts_dim *out) {
    char one[64], other[64];
    if (is_zero(a) || is_zero(b) || (alike(a->dim, b->dim) && !mixes_cycles(a, b))) {
        *out = is_zero(a) || (!is_zero(b) && a->dim.angle == 0) ? b->dim : a->dim;
        return true;
    }
    ts_expr_fail(p, at, "cannot %s different dimensions: %s and %s", verb,
                 ts_dim_name(a->dim, one, sizeof one), ts_dim_name(b->dim, other, sizeof other));
    if (mixes_cycles(a, b)) return ts_expr_hint(p, TS_HERTZ_HINT);
    if (!ts_dim_bare(a->dim) && !ts_dim_bare(b->dim) && (a->dim.angle || b->dim.angle))
        return ts_expr_hint(p, "factors have units, too, as in '200 N*m/rad * hinge.angle'");
    return ts_expr_hint_dimension(p, ts_dim_bare(a->dim) ? b->dim : a->dim);
}

/* ---- the grammar ---- */

static bool parse_signed(parser *p, operand *out);

/* A sum that is a number. */
bool ts_expr_sum(parser *p, operand *out) {
    return ts_expr_parse_any(p, out) && ts_expr_number(p, out);
}

static bool parse_number(parser *p, operand *out) {
    size_t from = p->at;
    ts_quantity q;
    p->hertz = false;
    if (!ts_expr_quantity(p, &q)) return false;
    if (!isfinite(q.value)) note_trouble(p, from, "the unit");
    if (!ts_expr_push(p, out, from, q)) return false;
    out->hertz = p->hertz && ts_dim_equal(q.dim, (ts_dim){.time = -1});
    return true;
}

static bool parse_time(parser *p, operand *out, span name) {
    if (!p->allow_time) {
        ts_expr_fail(p, name.at, "a constant is needed here; this value depends on time");
        return name.len == 1 && ts_expr_hint(p, "for tonnes after * or / write '1000 kg'");
    }
    bool bare = name.len == 1;
    ts_dim dim = {0, 0, (signed char)!bare, 0};
    return push_time(p, out, name.at, bare ? 1 / p->time_unit : 1, dim);
}

static bool parse_signal(parser *p, operand *out, span name) {
    ts_expr_signal signal;
    const char *word = p->text + name.at;
    if (!p->allow_time)
        return ts_expr_fail(p, name.at, "'%.*s' is a signal, and this value may not depend on time",
                            quoted(name), word);
    if (ts_expr_signal_in_scope(p, name, &signal) != 1)
        return ts_expr_fail(p, name.at, "the signal '%.*s' has no value here", quoted(name), word);
    if (signal.program) return push_program(p, out, name, &signal);
    if (!push_signal(p, out, name, &signal)) return false; /* from now on it has an owner */
    if (signal.early) {
        ts_expr_fail(p, name.at, TS_EARLY_TABLE);
        return ts_expr_hint(p, TS_EARLY_HINT);
    }
    bool timed = !signal.pair && ts_dim_equal(signal.argument, (ts_dim){.time = 1});
    if (!signal.callable || timed) return true;
    char of[64];
    ts_expr_fail(p, name.at, "the table '%.*s' is not a function of time, but of: %s", quoted(name),
                 word, ts_dim_name(signal.argument, of, sizeof of));
    return ts_expr_hint(p, "call it: '%.*s(...)'", quoted(name), word);
}

/* A table without units in its first column, at a plain number: that many units of time. */
static bool scale_argument(parser *p, operand *of) {
    static const function times = {"*", 2, ANY, d_mul};
    operand unit;
    return ts_expr_push(p, &unit, of->at, (ts_quantity){p->time_unit, plain}) &&
           ts_expr_emit(p, of, &times, (ts_dim){.time = 1}, of->at);
}

/* One argument of a table, with the dimension that the table requires. */
static bool parse_argument(parser *p, operand *of, span name, const ts_expr_signal *table,
                           ts_dim wanted) {
    char one[64], other[64];
    if (!ts_expr_sum(p, of)) return false;
    if (is_zero(of) || alike(of->dim, wanted)) return true;
    if (table->bare && ts_dim_bare(of->dim)) return scale_argument(p, of);
    ts_expr_fail(p, of->at, "the table '%.*s' is a function of: %s, not of: %s", quoted(name),
                 p->text + name.at, ts_dim_name(wanted, one, sizeof one),
                 ts_dim_name(of->dim, other, sizeof other));
    return table->bare && ts_expr_hint(p, "a first column without units holds times: write its "
                                          "unit into the table, or into `units` of a file");
}

/* A table at a value: curve(hinge.angle.rate). The signal stands before its argument is parsed, so
 * that it has an owner in any case. */
static bool parse_table(parser *p, operand *out, span name) {
    ts_expr_signal signal;
    operand of, second;
    if (!p->allow_time || ts_expr_signal_in_scope(p, name, &signal) != 1)
        return parse_signal(p, out, name);
    if (signal.program) {
        ts_expr_free(signal.program);
        return ts_expr_unknown_function(p, name);
    }
    own_signal(p, &signal);
    int number = p->signals;
    if (!signal.callable) return ts_expr_unknown_function(p, name);
    accept(p, '(');
    if (!parse_argument(p, &of, name, &signal, signal.argument)) return false;
    if (signal.pair && !accept(p, ','))
        return ts_expr_leftover(p, "',': a table of three columns takes 2 arguments");
    if (signal.pair && !parse_argument(p, &second, name, &signal, signal.second)) return false;
    if (!accept(p, ')'))
        return ts_expr_leftover(p, signal.pair ? "')': this table takes 2 arguments"
                                               : "')': a table takes 1 argument");
    *out = (operand){.dim = signal.dim, .at = name.at, .start = of.start};
    return weigh(p, name, signal.weight) &&
           append(p, (instruction){.signal = number, .arity = signal.pair ? 2 : 1}, name.at);
}

/* A channel of the model: `hinge.angle`. */
static bool parse_channel(parser *p, operand *out, span name) {
    const ts_scope *s = p->scope;
    const char *word = p->text + name.at;
    ts_dim dim = plain;
    if (!p->allow_time || !s || !s->channel) {
        ts_expr_fail(p, name.at, "'%.*s' depends on the motion, and a constant is needed here",
                     quoted(name), word);
        return ts_expr_hint(p, "forces of motors, springs and loads may depend on channels");
    }
    p->error->offset = name.at;
    int number = s->channel(s->context, word, name.len, &dim, p->error);
    return number > 0 && push_variable(p, out, name.at, number, dim);
}

static bool parse_parameter(parser *p, operand *out, span name) {
    ts_quantity q = {0, plain};
    if (is_word(p, name, "pi")) return ts_expr_push(p, out, name.at, (ts_quantity){PI, plain});
    if (ts_expr_builtin(p->text + name.at, name.len)) return parse_time(p, out, name);
    int variable = ts_expr_variable(p, name);
    if (variable) return push_variable(p, out, name.at, variable, plain);
    if (ts_expr_signal_in_scope(p, name, NULL)) return parse_signal(p, out, name);
    if (!ts_expr_in_scope(p, name, &q) && ts_expr_point(p, name, out)) return true;
    if (!ts_expr_in_scope(p, name, &q))
        return ts_expr_is_channel(p, name) ? parse_channel(p, out, name)
                                           : ts_expr_unknown_name(p, name);
    if (isfinite(q.value)) return ts_expr_push(p, out, name.at, q);
    return ts_expr_fail(p, name.at, "'%.*s' is not a finite number", quoted(name),
                        p->text + name.at);
}

static bool expect(parser *p, char c, const function *f) {
    if (accept(p, c)) return true;
    skip_blanks(p);
    if (peek(p) == ')' || peek(p) == ',')
        return ts_expr_fail(p, p->at, "%s takes %d argument%s", f->name, f->arity,
                            f->arity > 1 ? "s" : "");
    ts_expr_fail(p, p->at, "expected '%c' in the arguments of %s", c, f->name);
    if (p->at < p->len) return false;
    return ts_expr_hint(p, "within { } and [ ] write quotes around a text with commas");
}

static bool needs(parser *p, const function *f, const operand *x, const char *what) {
    char name[64];
    ts_expr_fail(p, x->at, "%s needs %s, not %s", f->name, what,
                 ts_dim_name(x->dim, name, sizeof name));
    return ts_expr_hint_dimension(p, x->dim);
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
        return ts_expr_dim_power(p, dim, 0.5, at);
    case ALIKE:
        return ts_expr_join(p, &x[0], &x[1], at, "compare", dim);
    case ALIKE_TO_ANGLE: {
        bool fine = ts_expr_join(p, &x[0], &x[1], at, "compare", dim);
        *dim = angle;
        return fine;
    }
    case ANY:
    case CHOICE:
        break;
    }
    return true;
}

/* The trouble in a branch counts only when the branch is taken: it is kept apart. */
static bool parse_branch(parser *p, operand *out, trouble *found) {
    trouble before = p->trouble;
    p->trouble.at = NOWHERE;
    bool fine = ts_expr_sum(p, out);
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
    if (!ts_expr_truth(p, &x[0]) || !expect(p, ',', f)) return false;
    if (!parse_branch(p, &x[1], &yes) || !expect(p, ',', f)) return false;
    if (!parse_branch(p, &x[2], &no) || !expect(p, ')', f)) return false;
    if (!ts_expr_join(p, &x[1], &x[2], x[2].at, "choose between", &dim)) return false;
    bool open = !x[0].constant, holds = x[0].value != 0;
    if (yes.at != NOWHERE && (open || holds)) note_trouble(p, yes.at, yes.culprit);
    if (no.at != NOWHERE && (open || !holds)) note_trouble(p, no.at, no.culprit);
    if (!open) choose(p, x, holds);
    *out = (operand){
        .dim = dim, .at = at, .start = x[0].start, .constant = x[0].constant, .value = x[0].value};
    return !open || ts_expr_emit(p, out, f, dim, at);
}

static bool parse_call(parser *p, operand *out, span name) {
    const function *f = ts_expr_function(p->text + name.at, name.len);
    if (!f && ts_expr_signal_in_scope(p, name, NULL)) return parse_table(p, out, name);
    if (!f && ts_expr_vector_function(p, name)) return ts_expr_vector_call(p, out, name);
    if (!f) return ts_expr_unknown_function(p, name);
    accept(p, '(');
    if (f->rule == CHOICE) return parse_if(p, out, f, name.at);
    operand x[2];
    for (int i = 0; i < f->arity; i++)
        if (!ts_expr_sum(p, &x[i]) || !expect(p, i + 1 < f->arity ? ',' : ')', f)) return false;
    ts_dim dim;
    if (!check_rule(p, f, x, name.at, &dim)) return false;
    *out = x[0];
    out->at = name.at;
    return ts_expr_emit(p, out, f, dim, name.at);
}

static bool parse_primary(parser *p, operand *out) {
    skip_blanks(p);
    size_t at = p->at;
    if (digit(peek(p)) || peek(p) == '.') return parse_number(p, out);
    if (accept(p, '(')) {
        if (!ts_expr_parse_any(p, out)) return false;
        out->at = at;
        if (!accept(p, ')')) return ts_expr_leftover(p, "an operator or ')'");
        return ts_expr_components(p, out);
    }
    if (accept(p, '|')) return ts_expr_bars(p, out, at);
    if (accept(p, '[')) return ts_expr_literal(p, out, at);
    span name = ts_expr_word(p);
    if (name.len == 0) return ts_expr_unexpected(p, "a number, a name or '('");
    if (ts_expr_dotted(p, &name))
        return ts_expr_is_component(p, name) ? ts_expr_component(p, out, name)
                                             : parse_channel(p, out, name);
    return ts_expr_calls(p) ? parse_call(p, out, name) : parse_parameter(p, out, name);
}

static bool power_dim(parser *p, const operand *base, const operand *exponent, size_t at,
                      ts_dim *dim) {
    char name[64];
    *dim = base->dim;
    if (!ts_dim_bare(exponent->dim))
        return ts_expr_fail(p, exponent->at, "an exponent must be a plain number, not %s",
                            ts_dim_name(exponent->dim, name, sizeof name));
    if (ts_dim_bare(base->dim)) return true;
    if (!exponent->constant)
        return ts_expr_fail(p, exponent->at,
                            "the exponent of a quantity with dimension %s must be constant",
                            ts_dim_name(base->dim, name, sizeof name));
    return ts_expr_dim_power(p, dim, exponent->value, at);
}

static bool parse_power(parser *p, operand *out) {
    static const function power = {"^", 2, ALIKE, d_pow};
    if (!parse_primary(p, out)) return false;
    skip_blanks(p);
    size_t at = p->at;
    if (!accept(p, '^')) return true;
    operand exponent;
    ts_dim dim;
    if (!ts_expr_number(p, out) || !parse_signed(p, &exponent) || !ts_expr_number(p, &exponent) ||
        !power_dim(p, out, &exponent, at, &dim))
        return false;
    return ts_expr_emit(p, out, &power, dim, at);
}

static bool parse_sign(parser *p, operand *out) {
    static const function negation = {"-", 1, KEEP, d_neg};
    skip_blanks(p);
    size_t at = p->at;
    bool minus = accept(p, '-');
    if (!minus && !accept(p, '+')) return parse_power(p, out);
    if (!parse_signed(p, out)) return false;
    out->at = at;
    for (int i = 0; minus && out->vector && i < 3; i++) out->v[i] = -out->v[i];
    return !minus || out->vector || ts_expr_emit(p, out, &negation, out->dim, at);
}

/* All recursion comes through here. */
static bool parse_signed(parser *p, operand *out) {
    if (p->nest >= MAX_NEST) return ts_expr_fail(p, p->at, "the expression is nested too deeply");
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
        if (!ts_expr_dim_product(p, &dim, right.dim, divide ? -1 : 1, at)) return false;
        if (out->vector || right.vector) {
            if (!ts_expr_scale_vector(p, out, &right, at, divide, dim)) return false;
            continue;
        }
        if (!ts_expr_emit(p, out, divide ? &over : &times, dim, at)) return false;
    }
}

bool ts_expr_parse_any(parser *p, operand *out) {
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
        if (out->vector || right.vector) {
            if (!ts_expr_add_vectors(p, out, &right, at, subtract)) return false;
            continue;
        }
        if (!ts_expr_join(p, out, &right, at, subtract ? "subtract" : "add", &dim)) return false;
        if (!ts_expr_emit(p, out, subtract ? &minus : &plus, dim, at)) return false;
    }
}

/* Domains of functions that are not defined everywhere. */
static bool hint_domain(parser *p) {
    static const struct {
        const char *function, *wants;
    } DOMAIN[] = {{"acos", "between -1 and 1"},
                  {"asin", "between -1 and 1"},
                  {"sqrt", "0 or more"},
                  {"log", "larger than 0"},
                  {"log10", "larger than 0"}};
    for (size_t i = 0; i < sizeof DOMAIN / sizeof *DOMAIN; i++)
        if (strcmp(DOMAIN[i].function, p->trouble.culprit) == 0)
            return ts_expr_hint(p, "its argument must be %s: check the parameters",
                                DOMAIN[i].wants);
    return false;
}

static bool report_trouble(parser *p) {
    if (p->trouble.at == NOWHERE) return true;
    p->at = p->trouble.at;
    if (peek(p) == '/') return ts_expr_fail(p, p->at, "division by zero");
    return ts_expr_fail(p, p->at, "%s does not give a finite number here", p->trouble.culprit) ||
           hint_domain(p);
}

static bool parse_all(parser *p, operand *out) {
    if (p->len > MAX_TEXT)
        return ts_expr_fail(p, MAX_TEXT, "the expression is longer than %d bytes", MAX_TEXT);
    bool truth = p->scope && p->scope->truth;
    if (truth ? !ts_expr_truth(p, out) : !ts_expr_parse_any(p, out)) return false;
    skip_blanks(p);
    if (p->at < p->len) return ts_expr_leftover(p, "an operator");
    return report_trouble(p);
}

static parser parser_of(const char *text, size_t len, const ts_scope *scope, bool allow_time,
                        ts_expr_error *error) {
    *error = (ts_expr_error){0};
    return (parser){.text = text ? text : "",
                    .len = len,
                    .scope = scope,
                    .time_unit = scope && scope->time_unit > 0 ? scope->time_unit : 1,
                    .allow_time = allow_time,
                    .trouble = {NOWHERE, NULL},
                    .error = error};
}

static int give_up(const parser *p) {
    free(p->code);
    free_signals(p->signal, p->signals);
    return ts_fail(TORSOR_EINVAL, "%s", p->error->message);
}

int ts_expr_compile(ts_expr **out, const char *text, size_t len, const ts_scope *scope,
                    bool allow_time, ts_expr_error *error) {
    ts_expr_error unread;
    parser p = parser_of(text, len, scope, allow_time, error ? error : &unread);
    operand whole;
    *out = NULL;
    if (!parse_all(&p, &whole) || !ts_expr_number(&p, &whole)) return give_up(&p);
    *out = ts_calloc(1, sizeof **out);
    **out = (ts_expr){p.code, p.count, whole.dim, p.signal, p.signals, p.weight, whole.hertz};
    return TORSOR_OK;
}

int ts_expr_vector(ts_vector *out, const char *text, size_t len, const ts_scope *scope,
                   ts_expr_error *error) {
    ts_expr_error unread;
    parser p = parser_of(text, len, scope, false, error ? error : &unread);
    operand whole;
    if (!parse_all(&p, &whole)) return give_up(&p);
    if (!whole.vector) {
        ts_expr_fail(&p, 0, "expected three numbers [x, y, z], got a single value");
        return give_up(&p);
    }
    *out = (ts_vector){{whole.v[0], whole.v[1], whole.v[2]}, whole.dim};
    if (!isfinite(out->x[0] + out->x[1] + out->x[2])) {
        ts_expr_fail(&p, 0, "this vector is not finite");
        return give_up(&p);
    }
    free(p.code);
    return TORSOR_OK;
}
