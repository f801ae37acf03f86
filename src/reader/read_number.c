/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers: every scalar is an expression; a result without a dimension is meant in the model's
 * units. */
#include <ctype.h>
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

/* For messages about gravity, and for results, in the model's units of bare numbers. */
static void keep_units(ts_reader *r, const ts_value *given) {
    if (r->file) return; /* units of results are those of the model file itself */
    struct ts_bare_units *bare = &r->document->bare;
    for (int i = 0; i < 4; i++) {
        bool own = given && given[i].given && given[i].text;
        snprintf(bare->name[i], sizeof bare->name[i], "%s",
                 own ? given[i].text : TS_UNIT_FIELDS[i].fallback);
        bare->value[i] = r->unit[i];
    }
    bare->acceleration = ts_model_units(r, 1, TS_OF_ACCELERATION);
}

bool ts_read_units(ts_reader *r, const ts_yaml *node) {
    keep_units(r, NULL);
    if (ts_yaml_is(node, "SI")) return true;
    if (node->type != TS_YAML_MAP || node->count == 0)
        return ts_report(r->source, node->start, "units: SI, or units: {length: mm, angle: deg}",
                         "expected SI or a mapping of length, mass, time and angle to units");
    ts_value *values = ts_values_new(TS_UNIT_FIELDS);
    ts_fields_job job = {node, node->start, "units", TS_UNIT_FIELDS, NULL};
    bool fine = ts_read_fields(r, &job, values);
    for (int i = 0; i < 4; i++)
        if (values[i].given && values[i].text) fine &= read_unit(r, node, i, &values[i]);
    keep_units(r, values);
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

/* The number of a repeat, and how many there are. */
static bool find_repeat(const ts_reader *r, const char *name, size_t length, ts_quantity *out) {
    bool index = length == 5 && memcmp(name, "index", 5) == 0,
         count = length == 5 && memcmp(name, "count", 5) == 0;
    if (r->index == 0 || !(index || count)) return false;
    *out = (ts_quantity){index ? r->index : r->count, TS_OF_NONE};
    return true;
}

/* Looks for a parameter in files that are included without a name of their own. */
static bool find_shared(const ts_reader *r, const char *name, size_t length, ts_quantity *out) {
    for (int i = 0; i < r->shares; i++) {
        const ts_space *space = &r->spaces[r->shared[i]];
        int at = ts_names_find(&space->parameters, name, length);
        if (at < 0 || space->parameter[at].state != TS_READY) continue;
        *out = space->parameter[at].value;
        return true;
    }
    return false;
}

static int find_parameter(void *context, const char *name, size_t length, ts_quantity *out) {
    ts_reader *r = context;
    int at = ts_names_find(&r->parameters, name, length);
    if (find_repeat(r, name, length, out)) return 1;
    if (at < 0) return find_shared(r, name, length, out) || note_unknown(r, name, length);
    if (r->parameter[at].state == TS_FAILED) r->tainted = true;
    if (r->parameter[at].state == TS_PENDING) r->pending = r->parameters.name[at];
    if (r->parameter[at].state != TS_READY) return 0;
    *out = r->parameter[at].value;
    return 1;
}

static int find_point(void *context, const char *name, size_t length, ts_vector *out) {
    ts_reader *r = context;
    int at = ts_names_find(&r->points, name, length);
    out->dim = TS_OF_LENGTH;
    for (int i = 0; at < 0 && i < r->shares; i++) {
        const ts_space *space = &r->spaces[r->shared[i]];
        int shared = ts_names_find(&space->points, name, length);
        if (shared < 0 || space->point[shared].state != TS_READY) continue;
        memcpy(out->x, space->point[shared].x, sizeof out->x);
        return 1;
    }
    if (at < 0) return 0;
    if (r->point[at].state == TS_FAILED) r->tainted = true;
    if (r->point[at].state == TS_PENDING) r->pending = r->points.name[at];
    if (r->point[at].state != TS_READY) return 0;
    memcpy(out->x, r->point[at].x, sizeof out->x);
    return 1;
}

static bool is_part(void *context, const char *name, size_t length) {
    const ts_reader *r = context;
    return ts_find_part(r, name, length) >= 0;
}

static const char *suggest_parameter(void *context, const char *name, size_t length) {
    ts_reader *r = context;
    if (ts_report_full(r->source)) return NULL;
    const char *nearest = ts_names_nearest(&r->parameters, name, length);
    return nearest ? nearest : ts_names_nearest(&r->signals, name, length);
}

/* Does an expression use a name, as a whole word? */
static bool mentions(const ts_yaml *value, const char *name) {
    size_t length = strlen(name);
    if (value->type != TS_YAML_SCALAR) return false;
    for (const char *at = strstr(value->text, name); at; at = strstr(at + 1, name)) {
        char before = at > value->text ? at[-1] : ' ', behind = at[length];
        if (!isalnum((unsigned char)before) && before != '_' && before != '.' &&
            !isalnum((unsigned char)behind) && behind != '_')
            return true;
    }
    return false;
}

static int place_of(const ts_yaml *map, const char *name) {
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->key[i]->text, name) == 0) return i;
    return -1;
}

/* The shortest way from the name that is pending back to the one that is being defined, by what
 * their values use: "a, b, c, a". False: there is none, it is only out of order. */
static bool find_cycle(const ts_reader *r, char *path, size_t size) {
    const ts_yaml *map = r->among;
    int end = place_of(map, r->defining), start = place_of(map, r->pending), filled = 0, at = -1;
    int *queue = ts_calloc((size_t)map->count + 1, sizeof *queue);
    int *from = ts_calloc((size_t)map->count + 1, sizeof *from); /* 0: not yet seen */
    if (start >= 0) queue[filled++] = start, from[start] = map->count + 1;
    for (int i = 0; i < filled && at < 0; i++) {
        if (mentions(map->item[queue[i]], r->defining)) at = queue[i];
        for (int k = 0; k < map->count; k++)
            if (!from[k] && mentions(map->item[queue[i]], map->key[k]->text))
                from[k] = queue[i] + 1, queue[filled++] = k;
    }
    bool found = end >= 0 && at >= 0;
    snprintf(path, size, "%.30s", found ? r->defining : "");
    for (int k = at; found && k < map->count; k = from[k] - 1) { /* backwards */
        char behind[160];
        snprintf(behind, sizeof behind, "%.159s", path);
        snprintf(path, size, "%.30s, %s", map->key[k]->text, behind);
    }
    free(queue), free(from);
    return found;
}

static bool report_expression(ts_reader *r, const ts_yaml *node, const ts_expr_error *error) {
    if (r->tainted) return false;
    size_t place = node->verbatim ? node->body + error->offset : node->start;
    char hint[240];
    snprintf(hint, sizeof hint, "%s", error->hint);
    char cycle[200];
    bool itself = r->defining && r->pending && strcmp(r->pending, r->defining) == 0;
    if (!itself && r->defining && r->pending && find_cycle(r, cycle, sizeof cycle))
        return ts_report(r->source, place, "give one of them a value that uses none of the others",
                         "cyclic definition: %.30s, %s", r->defining, cycle);
    if (itself)
        snprintf(hint, sizeof hint, "give it a value, or use a name that is defined above it");
    else if (r->pending)
        snprintf(hint, sizeof hint,
                 "'%.60s' is defined further down; an expression may only use names above it",
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

static ts_scope scope_of(ts_reader *r, const char *const *variables) {
    return (ts_scope){.find = find_parameter,
                      .suggest = suggest_parameter,
                      .context = r,
                      .time_unit = r->unit[2],
                      .variables = variables,
                      .signal = ts_find_signal,
                      .channel = ts_find_channel,
                      .is_channel = ts_is_state,
                      .point = find_point,
                      .is_part = is_part};
}

static bool compile_in(ts_reader *r, const ts_yaml *node, bool time, const ts_scope *scope,
                       ts_expr **out) {
    *out = NULL;
    if (node->type != TS_YAML_SCALAR || ts_yaml_null(node))
        return ts_report(r->source, node->start, NULL, "expected a number or an expression, got %s",
                         ts_yaml_what(node));
    ts_expr_error error = {0};
    r->tainted = false, r->pending = r->unknown = NULL;
    if (ts_expr_compile(out, node->text, node->length, scope, time, &error) == 0) {
        r->hertz = ts_expr_hertz(*out);
        return true;
    }
    return report_expression(r, node, &error);
}

static bool compile(ts_reader *r, const ts_yaml *node, bool time, const char *const *variables,
                    ts_expr **out) {
    ts_scope scope = scope_of(r, variables);
    return compile_in(r, node, time, &scope, out);
}

bool ts_compile(ts_reader *r, const ts_yaml *node, bool time, ts_expr **out) {
    return compile(r, node, time, NULL, out);
}

static double unit_of(void *reader, ts_dim dim) { return ts_model_units(reader, 1, dim); }

bool ts_compile_condition(ts_reader *r, const ts_yaml *node, ts_expr **out) {
    ts_scope scope = scope_of(r, NULL);
    scope.truth = true, scope.unit = unit_of;
    return compile_in(r, node, true, &scope, out);
}

bool ts_read_vector_expression(ts_reader *r, const ts_yaml *node, ts_vector *out) {
    ts_scope scope = scope_of(r, NULL);
    ts_expr_error error = {0};
    r->tainted = false, r->pending = r->unknown = NULL;
    if (ts_expr_vector(out, node->text, node->length, &scope, &error) == 0) return true;
    return report_expression(r, node, &error);
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

/* Is the name t a word of the line, from this place on? */
static bool uses_t(const ts_source *s, size_t place) {
    char before = ' ';
    for (size_t i = place; i < s->length && s->text[i] != '\n'; before = s->text[i++]) {
        char after = i + 1 < s->length ? s->text[i + 1] : ' ';
        bool apart = !isalnum((unsigned char)before) && !strchr("_.", before) &&
                     !isalnum((unsigned char)after) && !strchr("_.(", after);
        if (s->text[i] == 't' && apart) return true;
    }
    return false;
}

/* Two units that are easily left out of an expression; NULL: it is something else. */
static const char *what_lacks(const ts_reader *r, size_t place, ts_dim got, ts_dim wanted) {
    int length = wanted.length - got.length, mass = wanted.mass - got.mass;
    int time = wanted.time - got.time;
    if (length == 0 && mass == 0 && time > 0 && uses_t(r->source, place))
        return "t is a plain number; write time, which has its unit, as in 5 deg/s*time";
    if (length == 0 && mass == 1 && time == 0)
        return "numbers in an expression have no unit of their own: write 10 kg for a mass";
    return NULL;
}

bool ts_dim_mismatch(ts_reader *r, size_t place, ts_dim got, ts_dim wanted) {
    char want[96], have[96];
    return ts_report(r->source, place, what_lacks(r, place, got, wanted), "expected %s, got %s",
                     with_article(wanted, want, sizeof want), with_article(got, have, sizeof have));
}

bool ts_check_cycles(ts_reader *r, size_t place, bool hertz, ts_dim wanted) {
    return !hertz || wanted.angle == 0 ||
           ts_report(r->source, place, TS_HERTZ_HINT,
                     "expected an angular velocity (rad/s), got a frequency (1/s)");
}

bool ts_fit(ts_reader *r, size_t place, ts_quantity value, ts_dim wanted, double *out) {
    bool bare = ts_dim_bare(value.dim);
    if (!bare && !ts_dim_fits(value.dim, wanted))
        return ts_dim_mismatch(r, place, value.dim, wanted);
    *out = bare ? ts_model_units(r, value.value, wanted) : value.value;
    if (fpclassify(*out) == FP_SUBNORMAL) /* 1/x would overflow */
        return ts_report(r->source, place, "write 0 for zero",
                         "this number is too small in SI units: expected 0 or at least 2.3e-308");
    if (isfinite(*out)) return true;
    return ts_report(r->source, place, NULL, "this number is too large in SI units");
}

bool ts_read_number(ts_reader *r, const ts_yaml *node, ts_dim dim, double *out) {
    ts_quantity value;
    return ts_read_quantity(r, node, &value) && ts_fit(r, node->start, value, dim, out) &&
           ts_check_cycles(r, node->start, r->hertz, dim);
}

/* ---- parameters ---- */

static bool name_parameter(ts_reader *r, const ts_yaml *key) {
    if (!ts_check_name(r, key, "parameter", false)) return false;
    if (!ts_expr_reserved(key->text, key->length)) return true;
    return ts_report(r->source, key->start, "choose another name",
                     "'%.40s' already has a meaning in expressions", key->text);
}

/* Does it use a point, or a parameter that does? Then it has to wait for the points. */
static bool is_late(const ts_reader *r, const ts_yaml *map, const bool *late, int i) {
    for (int k = 0; k < r->points.count; k++)
        if (mentions(map->item[i], r->points.name[k])) return true;
    for (int k = 0; k < i; k++)
        if (late[k] && mentions(map->item[i], map->key[k]->text)) return true;
    return false;
}

/* The value that a sub-assembly is given, of the same dimension, in the place of its own. */
static bool take_given(ts_reader *r, const ts_yaml *key, ts_quantity *value) {
    const ts_quantity *given = ts_given_parameter(r, key->text);
    char want[64], have[64];
    if (!given) return true;
    if (ts_dim_bare(given->dim) || ts_dim_bare(value->dim) || ts_dim_fits(given->dim, value->dim)) {
        *value = *given;
        return true;
    }
    return ts_report(r->source, key->start, "the value is given where this file is included",
                     "the parameter '%.60s' is given another dimension: %s in place of %s",
                     key->text, ts_dim_name(given->dim, have, sizeof have),
                     ts_dim_name(value->dim, want, sizeof want));
}

static bool read_parameter(ts_reader *r, const ts_yaml *map, int i) {
    bool read = name_parameter(r, map->key[i]);
    r->defining = map->key[i]->text, r->among = map;
    read &= ts_read_quantity(r, map->item[i], &r->parameter[i].value);
    if (read) read = take_given(r, map->key[i], &r->parameter[i].value);
    r->parameter[i].state = read ? TS_READY : TS_FAILED;
    r->defining = NULL;
    return read;
}

bool ts_read_parameters(ts_reader *r, const ts_yaml *node) {
    if (!ts_expect(r, node, TS_YAML_MAP, "parameters: a mapping of names to values")) return false;
    r->parameter = ts_calloc((size_t)node->count, sizeof *r->parameter);
    for (int i = 0; i < node->count; i++) ts_names_add(&r->parameters, node->key[i]->text);
    bool fine = true, *late = ts_calloc((size_t)node->count + 1, sizeof *late);
    for (int i = 0; i < node->count; i++) {
        late[i] = r->points.count > 0 && is_late(r, node, late, i);
        if (late[i])
            r->late = node;
        else
            fine &= read_parameter(r, node, i);
    }
    free(late);
    return fine;
}

/* Have all that it uses been read? */
static bool is_ready(const ts_reader *r, const ts_yaml *map, int i) {
    for (int k = 0; k < r->points.count; k++)
        if (r->point[k].state == TS_PENDING && mentions(map->item[i], r->points.name[k]))
            return false;
    for (int k = 0; k < map->count; k++)
        if (r->parameter[k].state == TS_PENDING && mentions(map->item[i], map->key[k]->text))
            return false;
    return true;
}

bool ts_read_late_parameters(ts_reader *r, bool all) {
    bool fine = true;
    for (int i = 0; r->late && i < r->parameters.count; i++)
        if (r->parameter[i].state == TS_PENDING && (all || is_ready(r, r->late, i)))
            fine &= read_parameter(r, r->late, i);
    return fine;
}
