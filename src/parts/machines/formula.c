/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of ready parts, and their inner variables.
 *
 * A formula is compiled as an expression of the user would be (expr.h), so that it is evaluated
 * implicitly and with exact tangents (laws/state_law.c). The signal of the user stands in it as its
 * program, with its own channels first; those of the formula are counted on from them. All numbers
 * are plain: the dimension of the user's program is divided out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "laws/state_law.h"
#include "parts/machines/machine.h"
#include "parts/parts.h"

/* ---- names ---- */

typedef struct context {
    const ts_formula *formula;
    ts_signal *drive; /* NULL: none. Gone when it stands in the expression. */
    ts_quantity per;  /* what brings the program of the drive to SI, without a dimension */
    int channels;     /* of the drive */
    bool input;       /* the drive is one: its only channel */
} context;

static bool is(const char *name, size_t length, const char *word) {
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

static bool is_program(const ts_signal *drive) {
    return drive && drive->kind == TS_SIGNAL_EXPRESSION;
}

static int find_term(void *self, const char *name, size_t length, ts_quantity *out) {
    const context *c = self;
    if (is(name, length, "u_scale")) {
        *out = c->per;
        return 1;
    }
    if (is(name, length, "u") && !c->input) {
        *out = (ts_quantity){c->drive ? c->drive->scale : 0, {0}};
        return 1;
    }
    for (const ts_term *t = c->formula->terms; t->name; t++)
        if (is(name, length, t->name)) {
            *out = (ts_quantity){t->value, {0}};
            return 1;
        }
    return 0;
}

static int find_probe(void *self, const char *name, size_t length, ts_dim *dim,
                      ts_expr_error *error) {
    const context *c = self;
    (void)error;
    *dim = (ts_dim){0};
    if (c->input && is(name, length, "u")) return 1;
    for (int k = 0; c->formula->probes[k].name; k++)
        if (is(name, length, c->formula->probes[k].name)) return c->channels + k + 1;
    return 0;
}

static bool drives_from_outside(void *self, const char *name, size_t length) {
    const context *c = self;
    return c->input && is(name, length, "u");
}

/* An input is a channel of its own. */
static void take_input(ts_builder *b, ts_signal *drive) {
    char name[TS_INPUT_CHANNEL];
    ts_input_channel(ts_model_signal(b->model, *drive), name);
    *drive = ts_signal_constant(0);
    drive->channel = ts_calloc(1, sizeof *drive->channel), drive->channels = 1;
    drive->channel[0] = ts_strdup(name);
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
    context *c = self;
    if (!is(name, length, "u") || !c->drive || c->drive->kind == TS_SIGNAL_CONSTANT) return 0;
    if (!out) return 1;
    if (is_program(c->drive)) {
        *out = (ts_expr_signal){.dim = ts_expr_dim(c->drive->expr), .program = c->drive->expr};
        c->drive->expr = NULL;
        return 1;
    }
    ts_signal *own = ts_calloc(1, sizeof *own);
    *own = *c->drive, *c->drive = ts_signal_constant(0);
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
static void add_channels(ts_signal *signal, ts_signal *drive, const ts_reading *probes) {
    int count = drive ? drive->channels : 0, more = 0;
    while (probes[more].name) more++;
    signal->channel = ts_calloc((size_t)(count + more + 1), sizeof *signal->channel);
    for (int i = 0; i < count; i++)
        signal->channel[i] = drive->channel[i], drive->channel[i] = NULL;
    for (int i = 0; i < more; i++)
        signal->channel[count + i] = joined(probes[i].part, probes[i].words);
    signal->channels = count + more;
    if (drive) free(drive->channel), drive->channel = NULL, drive->channels = 0;
}

static ts_quantity scale_of(const ts_signal *drive) {
    if (!is_program(drive)) return (ts_quantity){1, {0}};
    ts_dim d = ts_expr_dim(drive->expr);
    return (ts_quantity){drive->scale,
                         {(signed char)-d.length, (signed char)-d.mass, (signed char)-d.time,
                          (signed char)-d.angle}};
}

int ts_formula_signal(ts_builder *b, ts_value *value, const ts_formula *f) {
    static const ts_scope names = {.find = find_term,
                                   .signal = find_drive,
                                   .channel = find_probe,
                                   .is_channel = drives_from_outside,
                                   .time_unit = 1};
    ts_signal *drive = f->field >= 0 && value[f->field].given ? value[f->field].signal : NULL;
    bool input = drive && drive->kind == TS_SIGNAL_INPUT;
    if (input) take_input(b, drive);
    context c = {f, drive, {1, {0}}, drive ? drive->channels : 0, input};
    ts_scope scope = names;
    ts_expr_error error = {0};
    ts_signal signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1};
    c.per = scale_of(drive), scope.context = &c;
    if (ts_expr_compile(&signal.expr, f->text, strlen(f->text), &scope, true, &error))
        return ts_build_fail(b, f->field, NULL, "%s", error.message);
    add_channels(&signal, drive, f->probes);
    if (drive) ts_signal_clear(drive);
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
