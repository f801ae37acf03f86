/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of a scheme. See parameters.h. */
#include "step/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/error.h"
#include "step/scheme.h"

const ts_scheme_parameter TS_ONLY_RHO_INF[] = {TS_RHO_INF(TS_COMMON), {0}};

static bool is(const char *word, const char *text, size_t length) {
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

int ts_parameter_place(const ts_scheme *scheme, const char *name, size_t length) {
    const ts_scheme_parameter *p = scheme ? scheme->parameters : NULL;
    for (int i = 0; p && p[i].name && i < TS_MOST_PARAMETERS; i++)
        if (is(p[i].name, name, length)) return i;
    return -1;
}

bool ts_parameter_acts(const ts_scheme *scheme, const char *name) {
    int place = ts_parameter_place(scheme, name, strlen(name));
    return place >= 0 && scheme->parameters[place].reach != TS_IDLE;
}

int ts_parameter_choice(const ts_scheme_parameter *p, const char *word, size_t length) {
    for (int i = 0; p->choices && p->choices[i]; i++)
        if (is(p->choices[i], word, length)) return i;
    return -1;
}

/* ---- giving them values ---- */

const char *ts_parameters_known(const ts_scheme *scheme, char text[TS_PARAMETERS_TEXT]) {
    size_t used = 0;
    const ts_scheme_parameter *p = scheme->parameters;
    snprintf(text, TS_PARAMETERS_TEXT, "it has none");
    for (int i = 0; p && p[i].name && used < TS_PARAMETERS_TEXT; i++)
        if (p[i].reach != TS_IDLE)
            used += (size_t)snprintf(text + used, TS_PARAMETERS_TEXT - used, "%s%s",
                                     used ? ", " : "it has ", p[i].name);
    return text;
}

static int no_such(const ts_scheme *scheme, const char *name, size_t length) {
    return ts_fail(TORSOR_EINVAL, "the scheme %s has no parameter '%.*s'", scheme->name,
                   (int)(length < 40 ? length : 40), name);
}

static int set_number(ts_scheme_values *values, const ts_scheme *scheme, int place, double number) {
    const ts_scheme_parameter *p = &scheme->parameters[place];
    if (p->choices)
        return ts_fail(TORSOR_EINVAL, "%s of the scheme %s is a word, such as %s", p->name,
                       scheme->name, p->choices[0]);
    if (!(number >= p->low && number <= p->high))
        return ts_fail(TORSOR_EINVAL, "%s must lie between %g and %g", p->name, p->low, p->high);
    values->given[place] = true, values->value[place] = number;
    return 0;
}

static int set_word(ts_scheme_values *values, const ts_scheme *scheme, int place, const char *word,
                    size_t length) {
    const ts_scheme_parameter *p = &scheme->parameters[place];
    int choice = ts_parameter_choice(p, word, length);
    if (choice < 0)
        return ts_fail(TORSOR_EINVAL, "'%.*s' is not a %s of this scheme; the first is %s",
                       (int)(length < 40 ? length : 40), word, p->name, p->choices[0]);
    values->given[place] = true, values->value[place] = choice;
    return 0;
}

int ts_parameter_set(ts_scheme_values *values, const ts_scheme *scheme, const char *name,
                     size_t length, double number) {
    int place = ts_parameter_place(scheme, name, length);
    return place < 0 ? no_such(scheme, name, length) : set_number(values, scheme, place, number);
}

static int set_text(ts_scheme_values *values, const ts_scheme *scheme, int place, const char *text,
                    size_t length) {
    if (scheme->parameters[place].choices) return set_word(values, scheme, place, text, length);
    char *end;
    double number = strtod(text, &end);
    if (end != text + length || length == 0)
        return ts_fail(TORSOR_EINVAL, "%s=%.*s: expected a number", scheme->parameters[place].name,
                       (int)(length < 40 ? length : 40), text);
    return set_number(values, scheme, place, number);
}

int ts_parameter_set_text(ts_scheme_values *values, const ts_scheme *scheme, const char *name,
                          size_t length, const char *text) {
    int place = ts_parameter_place(scheme, name, length);
    if (place < 0) return no_such(scheme, name, length);
    return set_text(values, scheme, place, text, strlen(text));
}

void ts_parameters_carry(ts_scheme_values *values, const ts_scheme *scheme,
                         const ts_scheme_values *before, const ts_scheme *other) {
    const ts_scheme_parameter *p = other ? other->parameters : NULL;
    for (int i = 0; p && p[i].name && i < TS_MOST_PARAMETERS; i++) {
        int place = ts_parameter_place(scheme, p[i].name, strlen(p[i].name));
        if (p[i].reach == TS_OWN || !before->given[i] || place < 0 || values->given[place])
            continue;
        values->given[place] = true, values->value[place] = before->value[i];
    }
}

/* ---- asking ---- */

bool ts_parameter_given(const ts_scheme_values *values, const ts_scheme *scheme, const char *name) {
    int place = ts_parameter_place(scheme, name, strlen(name));
    return place >= 0 && values->given[place];
}

double ts_parameter_value(const ts_scheme_values *values, const ts_scheme *scheme, const char *name,
                          double fallback) {
    int place = ts_parameter_place(scheme, name, strlen(name));
    return place >= 0 && values->given[place] ? values->value[place] : fallback;
}

bool ts_parameters_any(const ts_scheme_values *values) {
    for (int i = 0; i < TS_MOST_PARAMETERS; i++)
        if (values->given[i]) return true;
    return false;
}

bool ts_parameters_same(const ts_scheme_values *a, const ts_scheme_values *b) {
    for (int i = 0; i < TS_MOST_PARAMETERS; i++)
        if (a->given[i] != b->given[i] || (a->given[i] && a->value[i] != b->value[i])) return false;
    return true;
}

/* ---- text ---- */

int ts_parameters_read(ts_scheme_values *values, const ts_scheme *scheme, const char *text) {
    while (text && *text) {
        size_t name = strcspn(text, "= "), word = strcspn(text, " ");
        int place = ts_parameter_place(scheme, text, name);
        if (place < 0 || text[name] != '=') return no_such(scheme, text, name);
        int status = set_text(values, scheme, place, text + name + 1, word - name - 1);
        if (status) return status;
        text += word + strspn(text + word, " ");
    }
    return 0;
}

const char *ts_parameters_print(const ts_scheme_values *values, const ts_scheme *scheme,
                                char text[TS_PARAMETERS_TEXT]) {
    size_t used = 0;
    const ts_scheme_parameter *p = scheme ? scheme->parameters : NULL;
    *text = 0;
    for (int i = 0; p && p[i].name && i < TS_MOST_PARAMETERS; i++) {
        if (!values->given[i] || p[i].reach != TS_OWN || used >= TS_PARAMETERS_TEXT) continue;
        char digits[32];
        ts_digits(digits, values->value[i]);
        const char *word = p[i].choices ? p[i].choices[(int)values->value[i]] : digits;
        used += (size_t)snprintf(text + used, TS_PARAMETERS_TEXT - used, "%s%s=%s", used ? " " : "",
                                 p[i].name, word);
    }
    return text;
}

/* What all schemes know is shown even where it was not given. */
const char *ts_parameters_words(const ts_scheme_values *values, const ts_scheme *scheme,
                                char text[TS_PARAMETERS_TEXT]) {
    size_t used = 0;
    const ts_scheme_parameter *p = scheme ? scheme->parameters : NULL;
    *text = 0;
    for (int i = 0; p && p[i].name && i < TS_MOST_PARAMETERS; i++) {
        bool shown = p[i].reach == TS_COMMON || (values->given[i] && p[i].reach == TS_OWN);
        if (!shown || used >= TS_PARAMETERS_TEXT) continue;
        double value = values->given[i] ? values->value[i] : strtod(p[i].fallback, NULL);
        const char *word = p[i].choices ? p[i].choices[(int)value] : NULL;
        used += (size_t)(word ? snprintf(text + used, TS_PARAMETERS_TEXT - used, ", %s", word)
                              : snprintf(text + used, TS_PARAMETERS_TEXT - used, ", %s %.4g",
                                         p[i].name, value));
    }
    return text;
}
