/* SPDX-License-Identifier: Apache-2.0 */
/* The scheme of a model file: its name, or a mapping of that and its parameters. The tables of the
 * schemes define the parameters and check their values: see step/parameters.h. */
#include <string.h>

#include "base/error.h"
#include "reader/reader.h"
#include "study/schemes.h"

enum { MOST_SCHEMES = 64 };

/* ---- fields: what some scheme has ---- */

static bool is_among(const ts_field *fields, const char *name) {
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0) return true;
    return false;
}

static ts_field field_of(const ts_scheme_parameter *p) {
    bool common = p->reach != TS_OWN;
    return (ts_field){.name = p->name,
                      .type = p->choices ? TS_TEXT : TS_NUMBER,
                      .help = common ? p->help : "A parameter of some schemes for study",
                      .fallback = common ? p->fallback : NULL};
}

void ts_scheme_fields(ts_field fields[TS_SCHEME_FIELDS]) {
    memset(fields, 0, TS_SCHEME_FIELDS * sizeof *fields);
    fields[0] = (ts_field){.name = "name",
                           .type = TS_TEXT,
                           .required = true,
                           .help = "The time integration scheme: ED (energy decaying) or EP "
                                   "(energy preserving), or one for study",
                           .fallback = "ED"};
    int count = 1;
    for (int i = 0; ts_scheme_name(i); i++) {
        const ts_scheme_parameter *p = ts_scheme_find(ts_scheme_name(i))->parameters;
        for (; p && p->name; p++)
            if (count + 1 < TS_SCHEME_FIELDS && !is_among(fields, p->name))
                fields[count++] = field_of(p);
    }
}

/* ---- reading ---- */

static bool exists(ts_reader *r, const ts_yaml *node) {
    const char *words[MOST_SCHEMES + 1] = {0};
    for (int i = 0; i < MOST_SCHEMES && ts_scheme_name(i); i++) words[i] = ts_scheme_name(i);
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], node->text) == 0) return true;
    char hint[300];
    return ts_report(r->source, node->start, ts_hint_words(hint, sizeof hint, node->text, words),
                     "there is no scheme '%.40s'", node->text);
}

static bool take_name(ts_reader *r, const ts_yaml *name) {
    if (!ts_expect(r, name, TS_YAML_SCALAR, "the name of a scheme") || !exists(r, name))
        return false;
    snprintf(r->document->options.scheme, sizeof r->document->options.scheme, "%s", name->text);
    return true;
}

static bool take(ts_reader *r, const ts_yaml *node, const char *name, const ts_value *value) {
    const ts_scheme *scheme = ts_scheme_find(r->document->options.scheme);
    ts_scheme_values *values = &r->document->options.parameters;
    int place = ts_parameter_place(scheme, name, strlen(name));
    const char *const *choices = place < 0 ? NULL : scheme->parameters[place].choices;
    char hint[200];
    const char *advice = place < 0 ? ts_parameters_known(scheme, hint) : NULL;
    if (!(choices ? ts_parameter_set_text(values, scheme, name, strlen(name), node->text)
                  : ts_parameter_set(values, scheme, name, strlen(name), value->number[0])))
        return true;
    if (choices) advice = ts_hint_words(hint, sizeof hint, node->text, choices);
    return ts_report(r->source, node->start, advice, "%s", ts_error_message());
}

bool ts_read_scheme(ts_reader *r, const ts_yaml *node) {
    if (!node) return true;
    if (node->type != TS_YAML_MAP) return take_name(r, node);
    ts_field fields[TS_SCHEME_FIELDS];
    ts_scheme_fields(fields);
    ts_value *values = ts_values_new(fields);
    ts_fields_job job = {node, node->start, "the scheme", fields, NULL};
    bool fine = ts_read_fields(r, &job, values);
    if (fine) fine = take_name(r, ts_yaml_get(node, "name"));
    bool named = fine;
    for (int i = 1; named && fields[i].name; i++)
        if (values[i].given)
            fine &= take(r, ts_yaml_get(node, fields[i].name), fields[i].name, &values[i]);
    ts_values_free(fields, values);
    return fine;
}
