/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds: finding one by name, and the few things every build function needs. See kind.h. */
#include "model/kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

const char *const TS_LOCAL[] = {NULL};

const char *const TS_SECTIONS[TS_SECTION_COUNT + 1] = {
    "materials", "sections", "shell_sections", "meshes",   "bodies", "beams",   "cables",
    "shells",    "solids",   "couplings",      "masses",   "joints", "springs", "motions",
    "loads",     "states",   "shapes",         "contacts", "events", NULL};

bool ts_section_defines(const char *section) {
    for (int s = 0; s < TS_DEFINING_SECTIONS; s++)
        if (strcmp(section, TS_SECTIONS[s]) == 0) return true;
    return false;
}

/* Without a name, the default of the section. */
const ts_kind *ts_kind_find(const char *section, const char *name) {
    for (const ts_kind *const *k = TS_KINDS; *k; k++) {
        if (strcmp((*k)->section, section) != 0) continue;
        if (name ? strcmp((*k)->name, name) == 0 : (*k)->default_in_section) return *k;
    }
    return NULL;
}

int ts_build_fail(ts_builder *b, int field, const char *hint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->message, sizeof b->message, format, arguments);
    va_end(arguments);
    snprintf(b->hint, sizeof b->hint, "%s", hint ? hint : "");
    b->failed_field = field;
    return TORSOR_EINVAL;
}

/* The value keeps an empty signal behind, so that its owner may clear it without harm. */
int ts_take_signal(ts_builder *b, ts_value *value, int component) {
    ts_signal signal = value->signal[component];
    value->signal[component] = ts_signal_constant(0);
    bool constant = signal.kind == TS_SIGNAL_CONSTANT ||
                    (signal.kind == TS_SIGNAL_EXPRESSION && ts_expr_constant(signal.expr));
    double now, rate;
    if (constant) ts_signal_eval(&signal, (ts_when){0}, &now, &rate);
    if (!constant || now != 0) return ts_model_signal(b->model, signal);
    ts_signal_clear(&signal);
    return -1;
}

ts_part *ts_new_part(ts_builder *b, const ts_kind *kind) {
    ts_part *part = ts_model_part(b->model, b->name);
    part->kind = kind;
    return part;
}
