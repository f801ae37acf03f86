/* SPDX-License-Identifier: Apache-2.0 */
/* What only events have: conditions `hinge.angle > 90 deg`, names of what they act on, values to be
 * set. Both sides of a condition have one dimension; a bare number is in the model's units.
 * Conditions joined by and, or, not are one value, 1 where they hold and 0 elsewhere: the event
 * happens when it rises through 0.5. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"

/* ---- conditions ---- */

/* The sign between both sides, not within parentheses; NULL: there is none. */
static const char *sign_of(const ts_yaml *node) {
    int depth = 0;
    for (const char *c = node->text; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        if (depth == 0 && (*c == '<' || *c == '>' || *c == '=')) return c;
    }
    return NULL;
}

static ts_yaml piece_of(const ts_yaml *node, size_t from, size_t to) {
    ts_yaml piece = *node;
    while (from < to && node->text[from] == ' ') from++;
    while (from < to && node->text[to - 1] == ' ') to--;
    piece.text += from, piece.length = to - from;
    if (node->verbatim) piece.body += from, piece.start = piece.body;
    return piece;
}

static void keep_side(ts_reader *r, ts_expr *expr, ts_signal *out) {
    *out = (ts_signal){.kind = TS_SIGNAL_EXPRESSION, .scale = 1, .expr = expr};
    if (ts_expr_variables(expr) == 0) return;
    out->channel = r->channel, out->channels = r->channels;
    r->channel = NULL, r->channels = 0;
}

static bool read_side(ts_reader *r, const ts_yaml *side, ts_signal *out, ts_dim *dim) {
    ts_expr *expr;
    ts_channels_clear(r);
    if (!ts_compile(r, side, true, &expr)) return false;
    *dim = ts_expr_dim(expr);
    keep_side(r, expr, out);
    return true;
}

static bool changes(ts_reader *r, const ts_yaml *node, bool constant) {
    if (!constant) return true;
    return ts_report(r->source, node->start, "for an event at a given time write `at: 0.5 s`",
                     "this condition never changes: it needs a channel, such as hinge.angle");
}

/* Are there words that join comparisons? */
static bool joins(const char *text) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    while (*(text += strcspn(text, letters))) {
        size_t length = strspn(text, letters);
        if (ts_expr_connective(text, length)) return true;
        text += length;
    }
    return false;
}

static bool read_joined(ts_reader *r, const ts_yaml *node, ts_value *out) {
    ts_expr *expr;
    ts_channels_clear(r);
    if (!ts_compile_condition(r, node, &expr)) return false;
    keep_side(r, expr, &out->signal[0]);
    out->signal[1] = ts_signal_constant(0.5);
    out->number[0] = 1;
    return changes(r, node, ts_expr_constant(expr));
}

/* Bare numbers take the dimension of the other side. */
static bool agree(ts_reader *r, const ts_yaml *right, ts_value *out, const ts_dim dim[2]) {
    for (int k = 0; k < 2; k++)
        if (ts_dim_bare(dim[k])) out->signal[k].scale = ts_model_units(r, 1, dim[1 - k]);
    if (ts_dim_bare(dim[0]) || ts_dim_bare(dim[1]) || ts_dim_fits(dim[1], dim[0])) return true;
    return ts_dim_mismatch(r, right->start, dim[1], dim[0]);
}

bool ts_read_condition(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    (void)f;
    if (!ts_expect(r, node, TS_YAML_SCALAR, "a condition, such as `hinge.angle > 90 deg`"))
        return false;
    if (joins(node->text)) return read_joined(r, node, out);
    const char *sign = sign_of(node);
    if (!sign)
        return ts_report(r->source, node->start, "for example `hinge.angle > 90 deg`",
                         "expected a condition: two values with >, < or = between them");
    size_t at = (size_t)(sign - node->text), behind = at + (sign[1] == '=' ? 2 : 1);
    ts_yaml left = piece_of(node, 0, at), right = piece_of(node, behind, node->length);
    ts_dim dim[2];
    if (!read_side(r, &left, &out->signal[0], &dim[0]) ||
        !read_side(r, &right, &out->signal[1], &dim[1]))
        return false;
    out->number[0] = *sign == '>' ? 1 : *sign == '<' ? -1 : 0;
    bool constant = ts_expr_constant(out->signal[0].expr) && ts_expr_constant(out->signal[1].expr);
    return changes(r, node, constant) && agree(r, &right, out, dim);
}

/* ---- names ---- */

static int coordinate_of(ts_reader *r, const ts_yaml *node, int part, const char *word) {
    const ts_model *model = r->document->model;
    const ts_part *p = &model->parts[part];
    for (int c = p->coordinate; c < p->coordinate + p->coordinates; c++)
        if (strcmp(model->coordinates[c].name, word) == 0) return c;
    ts_report(r->source, node->start, NULL, "'%.60s' has no coordinate '%.40s'", p->name, word);
    return -1;
}

static void add(ts_value *out, double number) {
    out->list = ts_realloc(out->list, (size_t)out->count + 1, sizeof *out->list);
    out->list[out->count++] = number;
}

static bool read_target(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    const char *word;
    const ts_entry *entry = ts_find_dotted(r, node, "part", &word);
    if (!entry) return false;
    if (!ts_is_among(f->choices, entry->section) || (*word && strcmp(entry->section, "joints")))
        return ts_report(r->source, node->start, NULL, "'%.60s' is one of the %s: `%s` is for %s",
                         node->text, entry->section, f->name, f->choices[0]);
    int coordinate = *word ? coordinate_of(r, node, entry->part, word) : -1;
    add(out, entry->part), add(out, coordinate);
    return !*word || coordinate >= 0;
}

bool ts_read_targets(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    bool fine = true;
    if (node->type != TS_YAML_LIST) return read_target(r, node, f, out);
    for (int i = 0; i < node->count; i++) fine &= read_target(r, node->item[i], f, out);
    return fine;
}

/* ---- values to be set ---- */

static bool set_state(ts_reader *r, const ts_yaml *item, int part, ts_value *out) {
    static const ts_field plain = {.name = "set", .type = TS_STATE_SIGNAL};
    ts_signal signal;
    if (!ts_read_signal(r, item, &plain, &signal)) return false;
    add(out, TS_ACT_VARIABLE), add(out, r->document->model->parts[part].coordinate);
    add(out, ts_model_signal(r->document->model, signal));
    return true;
}

/* A new value of an input; its unit must suit the one it was given in the model, if any. */
static bool read_input_value(ts_reader *r, const ts_yaml *item, ts_quantity drawn, double *value) {
    ts_quantity q;
    if (!ts_read_quantity(r, item, &q)) return false;
    *value = q.value;
    bool any = drawn.value == 0 && ts_dim_bare(drawn.dim);
    if (any || q.value == 0 || ts_dim_equal(q.dim, drawn.dim)) return true;
    return ts_dim_mismatch(r, item->start, q.dim, drawn.dim);
}

/* Every use of an input is one of its own. */
static bool set_input(ts_reader *r, const ts_yaml *key, const ts_yaml *item, int named,
                      ts_value *out) {
    ts_model *model = r->document->model;
    const ts_yaml *node = r->signal[named].node;
    const ts_yaml *input = node->type == TS_YAML_MAP ? ts_yaml_get(node, "input") : NULL;
    ts_quantity drawn;
    double value;
    if (!input)
        return ts_report(r->source, key->start, "signals: {command: {input: 5 N}}",
                         "'%.60s' is a function of time: only an input can be set", key->text);
    if (!ts_read_quantity(r, input, &drawn) || !read_input_value(r, item, drawn, &value))
        return false;
    char *name = ts_full_name(r, key->text);
    bool fine = true;
    for (int s = 0, count = model->signals_count; s < count && fine; s++) {
        const ts_signal *use = &model->signals[s];
        if (use->kind != TS_SIGNAL_INPUT || strcmp(use->name, name) != 0) continue;
        if (use->ramp) {
            fine = ts_report(r->source, key->start, "switch the motion off, or set a force",
                             "'%.60s' is a position, which cannot jump", key->text);
            break;
        }
        double unit = ts_dim_bare(drawn.dim) && drawn.value != 0 ? use->drawn / drawn.value : 1;
        add(out, TS_ACT_INPUT), add(out, use->input);
        add(out, ts_model_signal(model, ts_signal_constant(value * unit)));
    }
    free(name);
    return fine;
}

static bool read_setting(ts_reader *r, const ts_yaml *key, const ts_yaml *item, ts_value *out) {
    int part = ts_find_part(r, key->text, key->length);
    int signal = ts_names_find(&r->signals, key->text, key->length);
    if (part > 0 && strcmp(r->part[part].section, "states") == 0)
        return r->part[part].state == TS_READY && set_state(r, item, r->part[part].part, out);
    if (signal >= 0) return set_input(r, key, item, signal, out);
    if (part >= 0)
        return ts_report(r->source, key->start, NULL, "'%.60s' is one of the %s: it cannot be set",
                         key->text, r->part[part].section);
    return ts_unknown_part(r, key, key->length, "state or input", "");
}

bool ts_read_settings(ts_reader *r, const ts_yaml *node, const ts_field *f, ts_value *out) {
    bool fine = true;
    (void)f;
    if (!ts_expect(r, node, TS_YAML_MAP, "a mapping of states or inputs to values")) return false;
    for (int i = 0; i < node->count; i++) fine &= read_setting(r, node->key[i], node->item[i], out);
    return fine;
}
