/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: expressions of t, tables, a few shapes, and tables in files.
 *
 * A named signal has no dimension of its own. It is read again for every field that uses it: each
 * field owns a copy, and bare numbers have the unit of the field. The definition has been checked
 * before; only its dimension can be wrong for the field, which is reported at the field. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/map.h"
#include "parts/state/state.h"
#include "reader/reader.h"
#include "reader/tables/table.h"

enum { MAX_POINTS = 20000000 };

/* A signal before it meets its field: values in SI if they have a dimension, otherwise as they were
 * written. */
typedef struct raw_signal {
    ts_signal signal;
    ts_dim dim;
    ts_dim of;   /* table: dimension of the first column; bare: the time */
    bool bare;   /* table: its first column has no units */
    ts_map *map; /* owned: a function of two arguments, in place of the signal; NULL: none */
    ts_dim second;
    bool hertz; /* a number in Hz */
} raw_signal;

static void clear_raw(raw_signal *raw) {
    ts_signal_clear(&raw->signal);
    ts_map_free(raw->map);
    raw->map = NULL;
}

/* Is a table a function of something else than the time? Then it has to be called. */
static bool is_curve(const raw_signal *raw) {
    return !ts_dim_bare(raw->of) && !ts_dim_equal(raw->of, TS_OF_TIME);
}

/* ---- shapes ---- */

/* clang-format off */
static const ts_field STEP[] = {
    {"at", TS_QUANTITY, {0, 0, 1, 0}, true, "Time at which it begins", NULL, NULL},
    {"from", TS_QUANTITY, {0}, false, "Value before", NULL, "0"},
    {"to", TS_QUANTITY, {0}, true, "Value after", NULL, NULL},
    {"over", TS_QUANTITY, {0, 0, 1, 0}, false, "Duration", NULL, "0"},
    {0}};
static const ts_field RAMP[] = {
    {"at", TS_QUANTITY, {0, 0, 1, 0}, false, "Time at which it begins", NULL, "0"},
    {"from", TS_QUANTITY, {0}, false, "Value before", NULL, "0"},
    {"to", TS_QUANTITY, {0}, true, "Value after", NULL, NULL},
    {"over", TS_QUANTITY, {0, 0, 1, 0}, true, "Duration", NULL, NULL},
    {0}};
static const ts_field SINE[] = {
    {"amplitude", TS_QUANTITY, {0}, true, "Half the distance between the extremes", NULL, NULL},
    {"frequency", TS_QUANTITY, {0, 0, -1, 0}, true,
     "Cycles per time (3 Hz), or the angular frequency if an angle is in its unit (20 rad/s, 60 rpm)", NULL, NULL},
    {"phase", TS_QUANTITY, {0, 0, 0, 1}, false, "Angle at the start", NULL, "0"},
    {"offset", TS_QUANTITY, {0}, false, "Mean value", NULL, "0"},
    {"start", TS_QUANTITY, {0, 0, 1, 0}, false, "Constant before this time", NULL, "0"},
    {0}};
/* clang-format on */

const ts_signal_shape TS_SIGNAL_SHAPES[] = {
    {"step", "From one value to another at a time, smoothly (3x^2 - 2x^3) when it has a duration",
     STEP},
    {"ramp", "From one value to another in a straight line", RAMP},
    {"sine", "offset + amplitude sin(2 pi frequency (t - start) + phase)", SINE},
    {0}};

static const char STEP_AT_ONCE[] = "from + (to - from)*step((time - at)/second)";
static const char STEP_SMOOTH[] = "from + (to - from)*smooth((time - at)/over)";
static const char RAMP_LINE[] = "from + (to - from)*min(ramp((time - at)/over), 1)";
static const char SINE_WAVE[] =
    "offset + amplitude*sin(omega*ramp((time - start)/second)*second + phase)";

/* The names in a formula and their meanings. */
typedef struct binding {
    const ts_field *fields;
    const ts_value *values;
    ts_dim dim; /* of the signal */
} binding;

static ts_quantity quantity_of(const ts_value *v) {
    ts_dim dim = {(signed char)v->number[1], (signed char)v->number[2], (signed char)v->number[3],
                  (signed char)v->number[4]};
    return (ts_quantity){v->number[0], dim};
}

/* Cycles per time become an angular frequency; what already has an angle in it is one. */
static ts_quantity angular(ts_quantity frequency) {
    double factor = frequency.dim.angle ? 1 : 2 * M_PI;
    return (ts_quantity){factor * frequency.value, {0, 0, -1, 1}};
}

/* Bounds that the model does not give are zero, in the dimension that is wanted. */
static int find_bound(void *context, const char *name, size_t length, ts_quantity *out) {
    const binding *b = context;
    bool omega = length == 5 && memcmp(name, "omega", 5) == 0;
    if (length == 6 && memcmp(name, "second", 6) == 0) {
        *out = (ts_quantity){1, TS_OF_TIME};
        return 1;
    }
    for (int i = 0; b->fields[i].name; i++) {
        const char *field = b->fields[i].name;
        bool hit = omega ? strcmp(field, "frequency") == 0
                         : strlen(field) == length && memcmp(field, name, length) == 0;
        if (!hit) continue;
        *out = quantity_of(&b->values[i]);
        if (ts_dim_bare(b->fields[i].dim))
            out->dim = b->dim;
        else if (omega)
            *out = angular(*out);
        else
            out->dim = b->fields[i].dim;
        return 1;
    }
    return 0;
}

/* The values without a prescribed dimension must agree; a bare zero agrees with everything. */
static bool agree(ts_reader *r, const ts_yaml *map, binding *b) {
    bool known = false;
    for (int i = 0; b->fields[i].name; i++) {
        ts_quantity q = quantity_of(&b->values[i]);
        if (!b->values[i].given || !ts_dim_bare(b->fields[i].dim)) continue;
        if (q.value == 0 && ts_dim_bare(q.dim)) continue;
        if (known && !ts_dim_equal(q.dim, b->dim))
            return ts_dim_mismatch(r, ts_yaml_get(map, b->fields[i].name)->start, q.dim, b->dim);
        b->dim = q.dim, known = true;
    }
    return true;
}

static bool sensible(ts_reader *r, const ts_yaml *map, const binding *b) {
    const ts_yaml *over = ts_yaml_get(map, "over");
    bool ramp = b->fields == RAMP;
    if (!over || b->fields == SINE) return true;
    double duration = b->values[3].number[0];
    if (duration < 0 || (ramp && duration == 0))
        return ts_report(r->source, over->start, NULL, "'over' must be %s",
                         ramp ? "positive" : "0 or more");
    return true;
}

static const char *formula(const binding *b) {
    if (b->fields == SINE) return SINE_WAVE;
    if (b->fields == RAMP) return RAMP_LINE;
    return b->values[3].number[0] > 0 ? STEP_SMOOTH : STEP_AT_ONCE;
}

static bool compile_shape(ts_reader *r, const ts_yaml *map, binding *b, raw_signal *out) {
    const char *text = formula(b);
    ts_scope scope = {.find = find_bound, .context = b};
    ts_expr_error error = {0};
    ts_expr *expr;
    if (ts_expr_compile(&expr, text, strlen(text), &scope, true, &error) != 0)
        return ts_report(r->source, map->start, NULL, "these values have different dimensions: %s",
                         error.message);
    *out = (raw_signal){.signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1, .expr = expr},
                        .dim = b->dim};
    return true;
}

static bool read_shape(ts_reader *r, const ts_yaml *map, const ts_signal_shape *shape,
                       raw_signal *out) {
    if (!ts_expect(r, map, TS_YAML_MAP, "a mapping")) return false;
    ts_value *values = ts_values_new(shape->fields);
    ts_fields_job job = {map, map->start, shape->name, shape->fields, NULL};
    binding b = {shape->fields, values, TS_OF_NONE};
    bool fine = ts_read_fields(r, &job, values) && agree(r, map, &b) && sensible(r, map, &b) &&
                compile_shape(r, map, &b, out);
    ts_values_free(shape->fields, values);
    return fine;
}

/* ---- tables ---- */

static const char *const INTERPOLATIONS[] = {"linear", "smooth", NULL};

static bool read_interpolation(ts_reader *r, const ts_yaml *map, bool *smooth) {
    const ts_yaml *node = ts_yaml_get(map, "interpolation");
    int choice = 0;
    if (node && !ts_read_choice(r, node, INTERPOLATIONS, &choice)) return false;
    *smooth = choice == 1;
    return true;
}

static bool afford(ts_reader *r, size_t place, long points) {
    r->table_points += points;
    if (r->table_points <= MAX_POINTS) return true;
    return ts_report(r->source, place, NULL,
                     "the tables of this model are too large, counting every use");
}

/* The value of one row: its dimension must be that of the rows before, unless it is a bare zero. */
static bool read_cell(ts_reader *r, const ts_yaml *node, bool *known, ts_dim *dim, double *out) {
    ts_quantity q;
    if (!ts_read_quantity(r, node, &q)) return false;
    *out = q.value;
    if (q.value == 0 && ts_dim_bare(q.dim)) return true;
    if (*known && !ts_dim_equal(q.dim, *dim)) return ts_dim_mismatch(r, node->start, q.dim, *dim);
    *dim = q.dim, *known = true;
    return true;
}

static bool read_row(ts_reader *r, const ts_yaml *row, int i, bool *known, raw_signal *out) {
    if (row->type != TS_YAML_LIST || row->count != 2)
        return ts_report(r->source, row->start, "table: [[0 s, 0 N], [1 s, 5 N]]",
                         "expected a pair [time, value]");
    double *time = out->signal.time;
    if (!ts_read_number(r, row->item[0], out->of, &time[i])) return false;
    if (i > 0 && !(time[i] > time[i - 1]))
        return ts_report(r->source, row->item[0]->start, NULL, "the %s of a table must increase",
                         is_curve(out) ? "values in the first column" : "times");
    return read_cell(r, row->item[1], known, &out->dim, &out->signal.value[i]);
}

/* The dimension of the first column: that of its first number with a unit, otherwise the time. */
static bool find_argument(ts_reader *r, const ts_yaml *rows, raw_signal *out) {
    ts_quantity q;
    for (int i = 0; i < rows->count; i++) {
        const ts_yaml *row = rows->item[i];
        if (row->type != TS_YAML_LIST || row->count != 2) break; /* told by read_row */
        if (!ts_read_quantity(r, row->item[0], &q)) return false;
        if (!ts_dim_bare(q.dim)) out->of = q.dim;
        if (!ts_dim_bare(q.dim)) return true;
    }
    out->of = TS_OF_TIME, out->bare = true;
    return true;
}

static bool wrong_period(ts_reader *r, const ts_yaml *node, double span) {
    return ts_report(r->source, node->start,
                     "the period is the time after which the table begins again",
                     "the period is shorter than the table, which lasts %g s", span);
}

/* Closes a table that repeats: from its last point it goes on to its first one, a period later. */
static bool close_period(ts_reader *r, const ts_yaml *node, double period, ts_signal *s) {
    int last = s->points - 1;
    double span = s->time[last] - s->time[0], slack = 1e-9 * period;
    if (!(period > 0))
        return ts_report(r->source, node->start, NULL, "the period must be positive");
    if (span > period + slack) return wrong_period(r, node, span);
    if (span < period - slack) {
        last = s->points++;
        s->time = ts_realloc(s->time, (size_t)s->points, sizeof *s->time);
        s->value = ts_realloc(s->value, (size_t)s->points, sizeof *s->value);
    } else if (fabs(s->value[last] - s->value[0]) > 1e-9 * fabs(s->value[0])) {
        return ts_report(
            r->source, node->start, "remove the last row, or repeat the first value there",
            "the table lasts a whole period, but does not end with the value it began with");
    }
    s->time[last] = s->time[0] + period, s->value[last] = s->value[0];
    s->period = period;
    return s->time[last] > s->time[last - 1] || wrong_period(r, node, span);
}

static bool read_period(ts_reader *r, const ts_yaml *map, raw_signal *raw) {
    const ts_yaml *node = ts_yaml_get(map, "period");
    double period;
    if (!node) return true;
    if (ts_read_number(r, node, raw->of, &period) && close_period(r, node, period, &raw->signal))
        return true;
    ts_signal_clear(&raw->signal);
    return false;
}

static void allocate_table(raw_signal *out, int points, bool smooth) {
    *out = (raw_signal){
        .signal = {.kind = TS_SIGNAL_TABLE, .scale = 1, .points = points, .smooth = smooth}};
    out->signal.time = ts_calloc((size_t)points, sizeof(double));
    out->signal.value = ts_calloc((size_t)points, sizeof(double));
}

/* ---- maps: tables of three columns ---- */

static bool no_period(ts_reader *r, const ts_yaml *map) {
    const ts_yaml *node = ts_yaml_get(map, "period");
    return !node || ts_report(r->source, node->start, "call it with mod(...)",
                              "a table of two arguments does not repeat");
}

/* Takes what the columns hold; they stay with the caller. */
static bool make_map(ts_reader *r, const ts_yaml *map, const ts_table *table, raw_signal *out) {
    const ts_yaml *rows = ts_yaml_get(map, "table");
    bool smooth;
    int culprit;
    const char *why;
    if (!no_period(r, map) || !read_interpolation(r, map, &smooth)) return false;
    *out = (raw_signal){.dim = table->dim[2], .of = table->dim[0], .second = table->dim[1]};
    out->map = ts_map_make(table->points, table->column, smooth, &culprit, &why);
    if (out->map) return true;
    return ts_report(r->source, (rows ? rows->item[culprit] : map)->start, NULL, "%s%s", why,
                     rows ? "" : " (in the file)");
}

static bool read_triple(ts_reader *r, const ts_yaml *row, int i, bool known[3], ts_table *out) {
    if (row->type != TS_YAML_LIST || row->count != 3)
        return ts_report(r->source, row->start, "table: [[0 rpm, 0 deg, 5 N*m], ...]",
                         "expected three numbers, as in the first row");
    for (int k = 0; k < 3; k++)
        if (!read_cell(r, row->item[k], &known[k], &out->dim[k], &out->column[k][i])) return false;
    return true;
}

static bool read_triples(ts_reader *r, const ts_yaml *map, const ts_yaml *rows, raw_signal *out) {
    ts_table table = {.points = rows->count, .columns = 3};
    bool known[3] = {0}, fine = true;
    for (int k = 0; k < 3; k++)
        table.column[k] = ts_calloc((size_t)rows->count, sizeof *table.column[k]);
    for (int i = 0; i < rows->count && fine; i++)
        fine = read_triple(r, rows->item[i], i, known, &table);
    fine = fine && make_map(r, map, &table, out);
    for (int k = 0; k < 3; k++) free(table.column[k]);
    return fine;
}

/* ---- tables of either kind ---- */

static bool read_table(ts_reader *r, const ts_yaml *map, raw_signal *out) {
    static const ts_field no_fields[] = {{0}};
    static const char *const keys[] = {"table", "interpolation", "period", NULL};
    const ts_yaml *rows = ts_yaml_get(map, "table");
    ts_fields_job job = {map, map->start, "a table", no_fields, keys};
    bool smooth, known = false;
    if (!ts_read_fields(r, &job, NULL) || !read_interpolation(r, map, &smooth)) return false;
    if (rows->type != TS_YAML_LIST || rows->count < 2)
        return ts_report(r->source, rows->start, "table: [[0 s, 0 N], [1 s, 5 N]]",
                         "expected a list of at least two pairs [time, value]");
    if (!afford(r, rows->start, rows->count)) return false;
    if (rows->item[0]->type == TS_YAML_LIST && rows->item[0]->count == 3)
        return read_triples(r, map, rows, out);
    allocate_table(out, rows->count, smooth);
    bool fine = find_argument(r, rows, out);
    for (int i = 0; i < rows->count && fine; i++) fine = read_row(r, rows->item[i], i, &known, out);
    if (!fine) ts_signal_clear(&out->signal);
    return fine && read_period(r, map, out);
}

static bool read_file(ts_reader *r, const ts_yaml *map, raw_signal *out) {
    ts_table table = {0};
    bool smooth;
    if (!read_interpolation(r, map, &smooth) || !ts_read_table_file(r, map, &table)) return false;
    bool fine = afford(r, map->start, table.points);
    if (table.columns == 3) fine = fine && make_map(r, map, &table, out);
    if (!fine || table.columns == 3) {
        for (int i = 0; i < TS_TABLE_COLUMNS; i++) free(table.column[i]);
        return fine;
    }
    *out = (raw_signal){.signal = {.kind = TS_SIGNAL_TABLE,
                                   .scale = 1,
                                   .points = table.points,
                                   .smooth = smooth,
                                   .time = table.column[0],
                                   .value = table.column[1]},
                        .dim = table.dim[1],
                        .of = table.dim[0],
                        .bare = table.bare};
    return read_period(r, map, out);
}

/* ---- inputs ---- */

const char *const TS_INPUT_ORDERS[] = {"held", "linear", "quadratic", NULL};

static bool read_input(ts_reader *r, const ts_yaml *map, raw_signal *out) {
    static const ts_field no_fields[] = {{0}};
    static const char *const keys[] = {"input", "extrapolation", NULL};
    const ts_yaml *order = ts_yaml_get(map, "extrapolation");
    ts_fields_job job = {map, map->start, "an input", no_fields, keys};
    ts_quantity q;
    int choice = 0;
    if (!ts_read_fields(r, &job, NULL)) return false;
    if (order && !ts_read_choice(r, order, TS_INPUT_ORDERS, &choice)) return false;
    if (!ts_read_quantity(r, ts_yaml_get(map, "input"), &q)) return false;
    *out = (raw_signal){
        .signal = {.kind = TS_SIGNAL_INPUT, .scale = 1, .drawn = q.value, .order = choice},
        .dim = q.dim};
    return true;
}

/* An input is set from outside by its name, so it must be a named signal. */
static bool check_input(ts_reader *r, const ts_yaml *node, int named, const ts_signal *signal) {
    if (named >= 0 || signal->kind != TS_SIGNAL_INPUT) return true;
    return ts_report(r->source, node->start, "signals: {command: {input: 0}}",
                     "an input needs a name: define it under 'signals' and give that name here");
}

/* ---- any signal ---- */

static bool no_such_shape(ts_reader *r, const ts_yaml *map) {
    static const char *const words[] = {"table", "file", "step", "ramp", "sine", "input", NULL};
    char hint[200];
    const ts_yaml *key = map->count ? map->key[0] : NULL;
    return ts_report(r->source, key ? key->start : map->start,
                     ts_hint_words(hint, sizeof hint, key ? key->text : "", words),
                     "expected a signal: a table, a file, a step, a ramp, a sine or an input");
}

static bool read_map(ts_reader *r, const ts_yaml *map, raw_signal *out) {
    if (ts_yaml_get(map, "table")) return read_table(r, map, out);
    if (ts_yaml_get(map, "file")) return read_file(r, map, out);
    if (ts_yaml_get(map, "input")) return read_input(r, map, out);
    for (const ts_signal_shape *shape = TS_SIGNAL_SHAPES; shape->name; shape++) {
        const ts_yaml *inner = ts_yaml_get(map, shape->name);
        if (!inner) continue;
        if (map->count > 1)
            return ts_report(r->source,
                             map->key[strcmp(map->key[0]->text, shape->name) == 0]->start, NULL,
                             "a %s takes no other keys", shape->name);
        return read_shape(r, inner, shape, out);
    }
    return no_such_shape(r, map);
}

static bool read_expression(ts_reader *r, const ts_yaml *node, raw_signal *out) {
    ts_expr *expr;
    if (!ts_compile(r, node, true, &expr)) return false;
    *out = (raw_signal){.signal = {.kind = TS_SIGNAL_EXPRESSION, .scale = 1, .expr = expr},
                        .dim = ts_expr_dim(expr),
                        .hertz = ts_expr_hertz(expr)};
    if (!ts_expr_constant(expr)) return true;
    double value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    out->signal = ts_signal_constant(value);
    return isfinite(value) || ts_report(r->source, node->start, NULL, "this number is not finite");
}

static int signal_named(const ts_reader *r, const ts_yaml *node) {
    if (node->type != TS_YAML_SCALAR) return -1;
    return ts_names_find(&r->signals, node->text, node->length);
}

static bool read_raw(ts_reader *r, const ts_yaml *node, raw_signal *out) {
    if (node->type == TS_YAML_MAP) return read_map(r, node, out);
    if (node->type == TS_YAML_SCALAR) return read_expression(r, node, out);
    return ts_report(
        r->source, node->start, NULL,
        "expected a number, an expression of t, the name of a signal or a mapping, got a list");
}

/* ---- signals within expressions ---- */

static void eval_signal(const void *self, double t, double *value, double *rate,
                        double *clearance) {
    ts_signal_eval_clear(self, (ts_when){.t = t}, value, rate, clearance);
}

static void eval_map(const void *self, const double x[2], double *value, double by[2],
                     double left[2]) {
    ts_map_eval(self, x, value, by, left);
}

static void bend_map(const void *self, const double x[2], double bend[3]) {
    ts_map_bend(self, x, bend);
}

static double branch_of_map(const void *self, const double x[2]) { return ts_map_branch(self, x); }

static void free_map(void *self) { ts_map_free(self); }

static double bend_of(const void *self, double t) { return ts_signal_bend(self, t); }

static double branch_of(const void *self, double t) { return ts_signal_branch(self, t); }

static void free_signal(void *self) {
    ts_signal_clear(self);
    free(self);
}

static double weight_of(const ts_signal *signal) {
    return 1 + (signal->expr ? ts_expr_weight(signal->expr) : 0);
}

/* A table whose first column has no unit and begins below zero is a curve over something else than
 * the time. */
static bool is_early(const raw_signal *raw) {
    const ts_signal *s = &raw->signal;
    return s->kind == TS_SIGNAL_TABLE && raw->bare && s->time[0] < 0 && s->period == 0;
}

static int hold_signal(raw_signal *raw, ts_expr_signal *out) {
    if (raw->signal.expr && ts_expr_variables(raw->signal.expr) > 0) {
        *out = (ts_expr_signal){.dim = raw->dim, .program = raw->signal.expr};
        return 1;
    }
    if (raw->map) {
        *out = (ts_expr_signal){.self = raw->map,
                                .eval_pair = eval_map,
                                .branch_pair = branch_of_map,
                                .bend_pair = bend_map,
                                .drop = free_map,
                                .dim = raw->dim,
                                .weight = 2,
                                .callable = true,
                                .pair = true,
                                .argument = raw->of,
                                .second = raw->second};
        return 1;
    }
    ts_signal *own = ts_calloc(1, sizeof *own);
    *own = raw->signal;
    *out = (ts_expr_signal){.self = own,
                            .eval = eval_signal,
                            .branch = branch_of,
                            .bend = bend_of,
                            .drop = free_signal,
                            .dim = raw->dim,
                            .weight = weight_of(own),
                            .callable = own->kind == TS_SIGNAL_TABLE,
                            .argument = raw->of,
                            .bare = raw->bare,
                            .early = is_early(raw)};
    return 1;
}

bool ts_is_input(const ts_reader *r, int at) {
    const ts_yaml *node = r->signal[at].state == TS_READY ? r->signal[at].node : NULL;
    return node && node->type == TS_YAML_MAP && ts_yaml_get(node, "input");
}

/* All expressions have one use of an input, in SI: a signal of the model. */
static const char *const WITHIN = "expression";

int ts_input_within(ts_reader *r, int at, ts_dim *dim) {
    ts_model *model = r->document->model;
    raw_signal raw = {0};
    if (!read_raw(r, r->signal[at].node, &raw)) return -1;
    *dim = raw.dim;
    if (r->defining) return 0;
    char *name = ts_full_name(r, r->signals.name[at]);
    for (int s = 0; s < model->signals_count; s++) {
        const ts_signal *use = &model->signals[s];
        if (use->kind == TS_SIGNAL_INPUT && use->field == WITHIN && strcmp(use->name, name) == 0) {
            free(name);
            return s;
        }
    }
    raw.signal.field = WITHIN, raw.signal.name = name;
    return ts_model_signal(model, raw.signal);
}

/* Each expression has its own copy, as each field has. */
int ts_find_signal(void *context, const char *name, size_t length, ts_expr_signal *out) {
    ts_reader *r = context;
    int at = ts_names_find(&r->signals, name, length);
    if (at < 0 || ts_is_input(r, at)) return 0;
    if (!out) return 1;
    if (r->signal[at].state == TS_FAILED) r->tainted = true;
    if (r->signal[at].state == TS_PENDING) r->pending = r->signals.name[at];
    if (r->signal[at].state != TS_READY) return -1;
    raw_signal raw = {0};
    return read_raw(r, r->signal[at].node, &raw) ? hold_signal(&raw, out) : -1;
}

static bool fit_signal(ts_reader *r, size_t place, raw_signal *raw, const ts_field *f) {
    bool any = f->type == TS_STATE_ANY || f->type == TS_STATE_LIST;
    ts_dim dim = any ? raw->dim : f->dim;
    bool bare = ts_dim_bare(raw->dim);
    if (!bare && !ts_dim_fits(raw->dim, dim)) return ts_dim_mismatch(r, place, raw->dim, dim);
    if (!ts_check_cycles(r, place, raw->hertz, dim)) return false;
    if (bare) raw->signal.scale = ts_model_units(r, raw->signal.scale, dim);
    if (raw->signal.kind == TS_SIGNAL_INPUT) { /* from outside it is set in SI */
        raw->signal.drawn *= raw->signal.scale, raw->signal.scale = 1;
    }
    if (isfinite(raw->signal.scale)) return true;
    return ts_report(r->source, place, NULL, "this number is too large in SI units");
}

static bool check_curve(ts_reader *r, const ts_yaml *node, const raw_signal *raw) {
    char of[64];
    if (raw->map)
        return ts_report(r->source, node->start,
                         "call it within an expression: map(hinge.angle, hinge.angle.rate)",
                         "this table is not a function of time, but of two arguments");
    if (is_early(raw)) return ts_report(r->source, node->start, TS_EARLY_HINT, TS_EARLY_TABLE);
    if (!is_curve(raw)) return true;
    return ts_report(r->source, node->start, "call it within an expression: curve(hinge.angle)",
                     "this table is not a function of time, but of: %s",
                     ts_dim_name(raw->of, of, sizeof of));
}

/* The channels that a signal reads go over to it. */
static bool take_channels(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_signal *s) {
    if (!s->expr || ts_expr_variables(s->expr) == 0) return true;
    s->channel = r->channel, s->channels = r->channels;
    r->channel = NULL, r->channels = 0;
    if (f->type >= TS_STATE_SIGNAL && f->type <= TS_STATE_NUMBER) return true;
    const char *hint = "forces of motors, springs and loads may depend on the motion; displacement "
                       "and angle of motions on other coordinates, places and lengths";
    int input = ts_channel_input(s->channel[0]);
    if (input >= 0)
        return ts_report(r->source, node->start, hint,
                         "'%.60s' is an input: give its name alone here, not within an expression",
                         r->document->model->signals[input].name);
    return ts_report(r->source, node->start, hint,
                     "this value may depend on the time only, but it uses '%.60s'", s->channel[0]);
}

bool ts_read_signal(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_signal *out) {
    int named = signal_named(r, node);
    if (named >= 0 && r->signal[named].state != TS_READY) return false;
    raw_signal raw = {0};
    ts_channels_clear(r);
    r->here = f->type == TS_LOAD_SIGNAL || f->type == TS_LOAD_SIGNAL3;
    if (!read_raw(r, named >= 0 ? r->signal[named].node : node, &raw)) return false;
    if (!check_curve(r, node, &raw) || !take_channels(r, node, f, &raw.signal) ||
        !fit_signal(r, node->start, &raw, f) || !check_input(r, node, named, &raw.signal)) {
        clear_raw(&raw);
        return false;
    }
    if (named >= 0) raw.signal.name = ts_full_name(r, r->signals.name[named]);
    *out = raw.signal;
    return true;
}

/* ---- the section of named ones ---- */

/* A signal may be the name of one above it: then it is that one. */
static bool define(ts_reader *r, int i, const ts_yaml *node) {
    int other = signal_named(r, node);
    if (other == i)
        return ts_report(r->source, node->start, "give it a function of time",
                         "'%.60s' is defined by itself", node->text);
    if (other >= 0 && r->signal[other].state == TS_PENDING)
        return ts_report(r->source, node->start, NULL, "the signal '%.60s' is not yet defined here",
                         node->text);
    if (other >= 0) {
        r->signal[i].node = r->signal[other].node;
        return r->signal[other].state == TS_READY;
    }
    r->signal[i].node = node;
    raw_signal raw = {0};
    ts_channels_clear(r);
    r->here = true; /* the fields that use it decide */
    bool fine = read_raw(r, node, &raw);
    if (fine) clear_raw(&raw);
    return fine;
}

/* Names of functions are no harm: a function has its parentheses. */
static bool name_signal(ts_reader *r, const ts_yaml *key) {
    if (!ts_check_name(r, key, "signal", false)) return false;
    if (ts_yaml_is(key, "t") || ts_yaml_is(key, "time") || ts_yaml_is(key, "pi"))
        return ts_report(r->source, key->start, "choose another name",
                         "'%s' already has a meaning in expressions", key->text);
    if (ts_names_find(&r->parameters, key->text, key->length) >= 0)
        return ts_report(r->source, key->start, "choose another name",
                         "'%.60s' is already the name of a parameter", key->text);
    return true;
}

void ts_name_signals(ts_reader *r, const ts_yaml *node) {
    if (!node || node->type != TS_YAML_MAP) return;
    r->signal = ts_calloc((size_t)node->count, sizeof *r->signal);
    for (int i = 0; i < node->count; i++) ts_names_add(&r->signals, node->key[i]->text);
}

bool ts_read_signals(ts_reader *r, const ts_yaml *node) {
    if (!ts_expect(r, node, TS_YAML_MAP, "signals: a mapping of names to functions of time"))
        return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        bool read = name_signal(r, node->key[i]);
        r->defining = node->key[i]->text, r->among = node;
        read &= define(r, i, node->item[i]);
        r->signal[i].state = read ? TS_READY : TS_FAILED;
        fine &= read;
    }
    r->defining = NULL;
    return fine;
}
