/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of ready-made parts, and their inner variables.
 *
 * A formula is compiled like an expression of the user (expr.h), so that it is evaluated implicitly
 * and with exact tangents (laws/state). The signals of the user are inserted as their programs.
 * Their channels come first; those of the formula follow. All numbers are plain: the dimensions of
 * the user's programs are divided out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "laws/state/state_law.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

/* ---- names ---- */

/* The signal that the user gave for `u` or `w`. */
typedef struct drive {
    ts_signal *signal; /* NULL: none. Set to NULL once it is part of the expression. */
    ts_quantity per;   /* unit that converts its program to a plain SI number */
    int before;        /* channels of the drive before it */
    bool input;        /* it is an input: its only channel */
} drive;

typedef struct context {
    const ts_formula *formula;
    drive drive[2];
    int channels; /* of both */
} context;

static bool is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

static bool is_program(const ts_signal *signal) {
    return signal && signal->kind == TS_SIGNAL_EXPRESSION;
}

/* The drive that a name such as `u` or `u_scale` refers to; NULL: the name is something else. */
static drive *drive_of(context *c, const char *name, size_t length, const char *u, const char *w) {
    return is(name, length, u) ? &c->drive[0] : is(name, length, w) ? &c->drive[1] : NULL;
}

static int find_term(void *self, const char *name, size_t length, ts_quantity *out) {
    context *c = self;
    const drive *scale = drive_of(c, name, length, "u_scale", "w_scale");
    const drive *constant = drive_of(c, name, length, "u", "w");
    if (scale) {
        *out = scale->per;
        return 1;
    }
    if (constant && !constant->input) {
        *out = (ts_quantity){constant->signal ? constant->signal->scale : 0, {0}};
        return 1;
    }
    for (const ts_term *t = c->formula->terms; t->name; t++)
        if (is(name, length, t->name)) {
            *out = (ts_quantity){t->value, {0}};
            return 1;
        }
    return 0;
}

static bool drives_from_outside(void *self, const char *name, size_t length) {
    const drive *d = drive_of(self, name, length, "u", "w");
    return d && d->input;
}

static int find_probe(void *self, const char *name, size_t length, ts_dim *dim,
                      ts_expr_error *error) {
    context *c = self;
    (void)error;
    *dim = (ts_dim){0};
    if (drives_from_outside(self, name, length))
        return drive_of(c, name, length, "u", "w")->before + 1;
    for (int k = 0; c->formula->probes[k].name; k++)
        if (is(name, length, c->formula->probes[k].name)) return c->channels + k + 1;
    return 0;
}

/* An input is a channel of its own. */
static void take_input(ts_builder *b, ts_signal *signal) {
    char name[TS_INPUT_CHANNEL];
    ts_input_channel(ts_model_signal(b->model, *signal), name);
    *signal = ts_signal_constant(0);
    signal->channel = ts_calloc(1, sizeof *signal->channel), signal->channels = 1;
    signal->channel[0] = ts_strdup(name);
}

static void eval_drive(const void *self, double t, double *value, double *rate, double *clearance) {
    ts_signal_eval_clear(self, (ts_when){.t = t}, value, rate, clearance);
}
static double branch_of_drive(const void *self, double t) { return ts_signal_branch(self, t); }
static void drop_drive(void *self) {
    ts_signal_clear(self);
    free(self);
}

/* The drive as a function of time, or as a program of channels. Constants are terms. */
static int find_drive(void *self, const char *name, size_t length, ts_expr_signal *out) {
    drive *d = drive_of(self, name, length, "u", "w");
    if (!d || !d->signal || d->signal->kind == TS_SIGNAL_CONSTANT) return 0;
    if (!out) return 1;
    if (is_program(d->signal)) {
        *out = (ts_expr_signal){
            .dim = ts_expr_dim(d->signal->expr), .program = d->signal->expr, .before = d->before};
        d->signal->expr = NULL;
        return 1;
    }
    ts_signal *own = ts_calloc(1, sizeof *own);
    *own = *d->signal, *d->signal = ts_signal_constant(0);
    *out = (ts_expr_signal){.self = own,
                            .eval = eval_drive,
                            .branch = branch_of_drive,
                            .drop = drop_drive,
                            .weight = 2};
    return 1;
}

/* ---- the signal ---- */

static char *joined(const char *part, const char *words) {
    size_t length = strlen(part) + strlen(words) + 2;
    char *name = ts_calloc(length, 1);
    snprintf(name, length, "%s.%s", part, words);
    return name;
}

/* The channels of the user, then those of the formula. */
static void add_channels(ts_signal *signal, context *c) {
    const ts_reading *probes = c->formula->probes;
    int more = 0, count = 0;
    while (probes[more].name) more++;
    signal->channel = ts_calloc((size_t)(c->channels + more + 1), sizeof *signal->channel);
    for (int k = 0; k < 2; k++) {
        ts_signal *from = c->drive[k].signal;
        for (int i = 0; from && i < from->channels; i++)
            signal->channel[count++] = from->channel[i];
        if (from) free(from->channel), from->channel = NULL, from->channels = 0;
    }
    for (int i = 0; i < more; i++)
        signal->channel[count++] = joined(probes[i].part, probes[i].words);
    signal->channels = count;
}

static ts_quantity scale_of(const ts_signal *signal) {
    if (!is_program(signal)) return (ts_quantity){1, {0}};
    ts_dim d = ts_expr_dim(signal->expr);
    return (ts_quantity){signal->scale,
                         {(signed char)-d.length, (signed char)-d.mass, (signed char)-d.time,
                          (signed char)-d.angle}};
}

static void open_drive(ts_builder *b, ts_value *value, context *c, int k) {
    int field = c->formula->field[k];
    ts_signal *signal = field >= 0 && value[field].given ? value[field].signal : NULL;
    bool input = signal && signal->kind == TS_SIGNAL_INPUT;
    if (input) take_input(b, signal);
    c->drive[k] = (drive){signal, scale_of(signal), c->channels, input};
    c->channels += signal ? signal->channels : 0;
}

int ts_formula_signal(ts_builder *b, ts_value *value, const ts_formula *f) {
    static const ts_scope names = {.find = find_term,
                                   .signal = find_drive,
                                   .channel = find_probe,
                                   .is_channel = drives_from_outside,
                                   .time_unit = 1};
    context c = {.formula = f};
    ts_scope scope = names;
    ts_expr_error error = {0};
    ts_signal signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1};
    for (int k = 0; k < 2; k++) open_drive(b, value, &c, k);
    scope.context = &c;
    if (ts_expr_compile(&signal.expr, f->text, strlen(f->text), &scope, true, &error))
        return ts_build_fail(b, f->field[0], NULL, "%s", error.message);
    add_channels(&signal, &c);
    for (int k = 0; k < 2; k++)
        if (c.drive[k].signal) ts_signal_clear(c.drive[k].signal);
    return ts_model_signal(b->model, signal);
}

/* ---- inner variables ---- */

int ts_machine_variable(ts_builder *b, const char *name, const char *unit, double initial,
                        double scale) {
    ts_model *model = b->model;
    ts_combo place = ts_combo_point(0, v3_make(0, 0, 0));
    int node = ts_model_node(model, TS_NODE_POINT, v3_make(initial / scale, 0, 0), m3_identity());
    model->nodes[node].inner = model->nodes[node].variable = true;
    ts_model_site(model, TS_ROLE_LAW, 1, &node);
    for (int k = 1; k < 3; k++) ts_form_component(model, v3_axis(k), place, 0);
    ts_model_law(model, &TS_STATE_HOLD);
    int c = ts_model_coordinate(model, name, false, 1, &node);
    model->coordinates[c].plain = true;
    ts_coordinate_unit(&model->coordinates[c], unit);
    ts_form_component(model, v3_make(scale, 0, 0), place, 0);
    return c;
}

void ts_machine_rate(ts_builder *b, int coordinate, int signal) {
    ts_site_on_coordinate(b->model, coordinate, TS_ROLE_LAW);
    ts_state_variable(b, coordinate, (ts_variable){.law = TS_IS_RATE}, signal);
}

/* ---- checks ---- */

static int check(ts_builder *b, const ts_value *value, const ts_field *fields, int field,
                 bool zero) {
    double x = value[field].number[0];
    if (!value[field].given || x > 0 || (zero && x == 0)) return 0;
    return ts_build_fail(b, field, NULL, zero ? "%s must not be negative" : "%s must be above zero",
                         fields[field].name);
}

int ts_must_be_positive(ts_builder *b, const ts_value *value, const ts_field *fields, int first,
                        int last) {
    for (int i = first; i <= last; i++)
        if (check(b, value, fields, i, false)) return TORSOR_EINVAL;
    return 0;
}

int ts_must_not_be_negative(ts_builder *b, const ts_value *value, const ts_field *fields, int first,
                            int last) {
    for (int i = first; i <= last; i++)
        if (check(b, value, fields, i, true)) return TORSOR_EINVAL;
    return 0;
}
