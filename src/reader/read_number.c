/* Numbers: every scalar is an expression; a result without a dimension is meant in the model's
 * units. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"

const ts_dim TS_OF_NONE = {0, 0, 0, 0}, TS_OF_LENGTH = {1, 0, 0, 0}, TS_OF_TIME = {0, 0, 1, 0},
             TS_OF_ANGLE = {0, 0, 0, 1}, TS_OF_ACCELERATION = {1, 0, -2, 0},
             TS_OF_INERTIA = {2, 1, 0, 0};

/* ---- units of bare numbers ---- */

const ts_field TS_UNIT_FIELDS[] = {
    {"length", TS_TEXT, {1, 0, 0, 0}, false, "Unit of bare lengths: m, mm, ...", NULL, "m"},
    {"mass", TS_TEXT, {0, 1, 0, 0}, false, "Unit of bare masses: kg, g, t, ...", NULL, "kg"},
    {"time", TS_TEXT, {0, 0, 1, 0}, false, "Unit of bare times, and of t: s, ms, ...", NULL, "s"},
    {"angle", TS_TEXT, {0, 0, 0, 1}, false, "Unit of bare angles: rad, deg, rev", NULL, "rad"},
    {0}};

double ts_model_units(const ts_reader *r, double value, ts_dim dim) {
    const int power[4] = {dim.length, dim.mass, dim.time, dim.angle};
    for (int i = 0; i < 4; i++) value = ts_unit_scale(value, r->unit[i], power[i]);
    return value;
}

static bool read_unit(ts_reader *r, const ts_yaml *map, int which, const ts_value *value) {
    const ts_field *field = &TS_UNIT_FIELDS[which];
    const ts_yaml *node = ts_yaml_get(map, field->name);
    const ts_quantity *unit = ts_unit_find(value->text, strlen(value->text));
    char wanted[64], got[64], hint[120] = "";
    ts_dim_name(field->dim, wanted, sizeof wanted);
    if (!unit) {
        const char *nearest = ts_unit_suggest(value->text, strlen(value->text));
        if (nearest) snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
        return ts_report(r->source, node->start, hint, "'%.40s' is not a unit of %s", value->text,
                         field->name);
    }
    if (!ts_dim_equal(unit->dim, field->dim))
        return ts_report(r->source, node->start, NULL, "'%.40s' is a unit of %s, not of %s",
                         value->text, ts_dim_name(unit->dim, got, sizeof got), wanted);
    r->unit[which] = unit->value;
    return true;
}

/* For those who tell of gravity in the units that its numbers have. */
static void keep_units(ts_reader *r, const char *length, const char *time) {
    struct ts_bare_units *bare = &r->document->bare;
    snprintf(bare->length, sizeof bare->length, "%s", length);
    snprintf(bare->time, sizeof bare->time, "%s", time);
    bare->acceleration = ts_model_units(r, 1, TS_OF_ACCELERATION);
}

bool ts_read_units(ts_reader *r, const ts_yaml *node) {
    keep_units(r, "m", "s");
    if (ts_yaml_is(node, "SI")) return true;
    if (node->type != TS_YAML_MAP || node->count == 0)
        return ts_report(r->source, node->start, "units: SI, or units: {length: mm, angle: deg}",
                         "expected SI or a mapping of length, mass, time and angle to units");
    ts_value *values = ts_values_new(TS_UNIT_FIELDS);
    ts_fields_job job = {node, node->start, "units", TS_UNIT_FIELDS, NULL};
    bool fine = ts_read_fields(r, &job, values);
    for (int i = 0; i < 4; i++)
        if (values[i].given && values[i].text) fine &= read_unit(r, node, i, &values[i]);
    keep_units(r, values[0].given && values[0].text ? values[0].text : "m",
               values[2].given && values[2].text ? values[2].text : "s");
    ts_values_free(TS_UNIT_FIELDS, values);
    return fine;
}

/* ---- expressions ---- */

/* A name that is no parameter may still be a signal or a unit: it matters only if the expression
 * fails. */
static int note_unknown(ts_reader *r, const char *name, size_t length) {
    r->unknown = name, r->unknown_length = length;
    return 0;
}

static int find_parameter(void *context, const char *name, size_t length, ts_quantity *out) {
    ts_reader *r = context;
    int at = ts_names_find(&r->parameters, name, length);
    if (at < 0) return note_unknown(r, name, length);
    if (r->parameter[at].state == TS_FAILED) r->tainted = true;
    if (r->parameter[at].state == TS_PENDING) r->pending = r->parameters.name[at];
    if (r->parameter[at].state != TS_READY) return 0;
    *out = r->parameter[at].value;
    return 1;
}

static const char *suggest_parameter(void *context, const char *name, size_t length) {
    ts_reader *r = context;
    return ts_report_full(r->source) ? NULL : ts_names_nearest(&r->parameters, name, length);
}

static bool report_expression(ts_reader *r, const ts_yaml *node, const ts_expr_error *error) {
    if (r->tainted) return false;
    size_t place = node->verbatim ? node->body + error->offset : node->start;
    char hint[240];
    snprintf(hint, sizeof hint, "%s", error->hint);
    bool itself = r->defining && r->pending && strcmp(r->pending, r->defining) == 0;
    if (itself)
        snprintf(hint, sizeof hint, "give it a value, or use a name that is defined above it");
    else if (r->pending)
        snprintf(hint, sizeof hint,
                 "'%.60s' is defined further down; an expression may use those above it",
                 r->pending);
    /* the name at the error, or none */
    bool unknown = r->unknown == node->text + error->offset && !r->pending;
    if (unknown && ts_blamed_before(&r->told, r->source, TS_NAME_IN_EXPRESSION, r->unknown,
                                    r->unknown_length, place))
        return false;
    if (itself)
        ts_report(r->source, place, hint, "'%.60s' is defined by itself", r->defining);
    else
        ts_report(r->source, place, hint, "%s", error->message);
    if (unknown)
        ts_blamed_add(&r->told, r->source, TS_NAME_IN_EXPRESSION, r->unknown, r->unknown_length,
                      false);
    return false;
}

static bool compile(ts_reader *r, const ts_yaml *node, bool time, const char *const *variables,
                    ts_expr **out) {
    *out = NULL;
    if (node->type != TS_YAML_SCALAR || ts_yaml_null(node))
        return ts_report(r->source, node->start, NULL, "expected a number or an expression, got %s",
                         ts_yaml_what(node));
    ts_scope scope = {.find = find_parameter,
                      .suggest = suggest_parameter,
                      .context = r,
                      .time_unit = r->unit[2],
                      .variables = variables,
                      .signal = ts_find_signal,
                      .channel = ts_find_channel,
                      .is_channel = ts_is_state};
    ts_expr_error error = {0};
    r->tainted = false, r->pending = r->unknown = NULL;
    if (ts_expr_compile(out, node->text, node->length, &scope, time, &error) == 0) return true;
    return report_expression(r, node, &error);
}

bool ts_compile(ts_reader *r, const ts_yaml *node, bool time, ts_expr **out) {
    return compile(r, node, time, NULL, out);
}

/* A bare result is meant in the model's units. */
bool ts_read_expression(ts_reader *r, const ts_yaml *node, const ts_field *field, ts_value *out) {
    if (!compile(r, node, false, field->choices, &out->expr)) return false;
    ts_dim dim = ts_expr_dim(out->expr);
    out->number[0] = ts_dim_bare(dim) ? ts_model_units(r, 1, field->dim) : 1;
    return ts_dim_bare(dim) || ts_dim_fits(dim, field->dim) ||
           ts_dim_mismatch(r, node->start, dim, field->dim);
}

bool ts_read_quantity(ts_reader *r, const ts_yaml *node, ts_quantity *out) {
    ts_expr *expr;
    if (!ts_compile(r, node, false, &expr)) return false;
    *out = (ts_quantity){ts_expr_value(expr, 0), ts_expr_dim(expr)};
    ts_expr_free(expr);
    if (isfinite(out->value)) return true;
    return ts_report(r->source, node->start, NULL, "this number is not finite");
}

/* ---- dimensions ---- */

static const char *with_article(ts_dim dim, char *buffer, size_t size) {
    char name[64];
    ts_dim_name(dim, name, sizeof name);
    bool named = ts_dim_bare(dim) || strstr(name, " (");
    const char *article = strchr("aeiou", name[0]) ? "an " : "a ";
    snprintf(buffer, size, "%s%s", named ? article : "a quantity in ", name);
    return buffer;
}

bool ts_dim_mismatch(ts_reader *r, size_t place, ts_dim got, ts_dim wanted) {
    char want[96], have[96];
    return ts_report(r->source, place, NULL, "expected %s, got %s",
                     with_article(wanted, want, sizeof want), with_article(got, have, sizeof have));
}

bool ts_fit(ts_reader *r, size_t place, ts_quantity value, ts_dim wanted, double *out) {
    bool bare = ts_dim_bare(value.dim);
    if (!bare && !ts_dim_fits(value.dim, wanted))
        return ts_dim_mismatch(r, place, value.dim, wanted);
    *out = bare ? ts_model_units(r, value.value, wanted) : value.value;
    if (fpclassify(*out) == FP_SUBNORMAL) /* 1/x would overflow */
        return ts_report(r->source, place, "write 0 if nothing is meant",
                         "this number is too small in SI units: expected 0 or at least 2.3e-308");
    if (isfinite(*out)) return true;
    return ts_report(r->source, place, NULL, "this number is too large in SI units");
}

bool ts_read_number(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    ts_quantity value;
    return ts_read_quantity(r, node, &value) && ts_fit(r, node->start, value, dim, out);
}

/* ---- parameters ---- */

static bool name_parameter(ts_reader *r, const ts_yaml *key) {
    if (!ts_check_name(r, key, "parameter", false)) return false;
    if (!ts_expr_reserved(key->text, key->length)) return true;
    return ts_report(r->source, key->start, "choose another name",
                     "'%.40s' already has a meaning in expressions", key->text);
}

bool ts_read_parameters(ts_reader *r, const ts_yaml *node) {
    if (!ts_expect(r, node, TS_YAML_MAP, "parameters: a mapping of names to values")) return false;
    r->parameter = ts_calloc((size_t)node->count, sizeof *r->parameter);
    for (int i = 0; i < node->count; i++) ts_names_add(&r->parameters, node->key[i]->text);
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        bool read = name_parameter(r, node->key[i]);
        r->defining = node->key[i]->text;
        read &= ts_read_quantity(r, node->item[i], &r->parameter[i].value);
        r->parameter[i].state = read ? TS_READY : TS_FAILED;
        fine &= read;
    }
    r->defining = NULL;
    return fine;
}
