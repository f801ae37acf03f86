/* A scheme as an option: NAME, or NAME:parameter=value:parameter=value. See options.h. */
#include <stdio.h>
#include <string.h>

#include "api/options.h"
#include "base/words.h"
#include "expr/expr.h"

static int unknown_scheme(const char *option, const char *name) {
    char known[600] = "";
    for (int i = 0; ts_scheme_name(i); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", ts_scheme_name(i));
    }
    return ts_option_fail(option, NULL, "there is no scheme '%.40s'; there are %s", name, known);
}

/* The value, as scheme.h wants to have it. */
static int read_value(const char *option, const ts_scheme_parameter *p, const char *text,
                      char *word, size_t size, char shown[TS_WORD]) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (p->choices) {
        snprintf(word, size, "%s=%s", p->name, text);
        snprintf(shown, TS_WORD, ", %s", text);
        return ts_scheme_choice(p, text, strlen(text)) >= 0
                   ? 0
                   : ts_option_fail(option, NULL, "'%.40s' is not a %s; the first is %s", text,
                                    p->name, p->choices[0]);
    }
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error))
        return ts_option_fail(option, NULL, "%s=%.40s: %s", p->name, text, error.message);
    double value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    if (!(value >= p->low && value <= p->high))
        return ts_option_fail(option, NULL, "%s must lie between %g and %g", p->name, p->low,
                              p->high);
    ts_scheme_number_word(word, size, p->name, value);
    snprintf(shown, TS_WORD, ", %s %.4g", p->name, value);
    return 0;
}

static int read_parameter(const char *option, const char *text, ts_scheme_spec *out) {
    size_t length = strcspn(text, "="), used = strlen(out->parameters);
    const ts_scheme_parameter *p = ts_scheme_parameter_find(out->scheme, text, length);
    char word[80], shown[TS_WORD];
    if (!p || text[length] != '=')
        return ts_option_fail(option, NULL, "the scheme %s has no parameter '%.40s'",
                              out->scheme->name, text);
    int code = read_value(option, p, text + length + 1, word, sizeof word, shown);
    if (code) return code;
    if (used + strlen(word) + 2 > sizeof out->parameters)
        return ts_option_fail(option, NULL, "these are too many parameters");
    snprintf(out->parameters + used, sizeof out->parameters - used, "%s%s", used ? " " : "", word);
    size_t words = strlen(out->words);
    snprintf(out->words + words, sizeof out->words - words, "%s", shown);
    return 0;
}

int ts_scheme_read(ts_scheme_spec *out, const char *option, const char *text, size_t length) {
    char copy[256];
    if (length >= sizeof copy) return ts_option_fail(option, NULL, "this is too long");
    memcpy(copy, text, length), copy[length] = 0;
    *out = (ts_scheme_spec){0};
    char *rest = strchr(copy, ':');
    if (rest) *rest++ = 0;
    out->scheme = ts_scheme_find(copy);
    if (!out->scheme) return unknown_scheme(option, copy);
    while (rest) {
        char *next = strchr(rest, ':');
        if (next) *next++ = 0;
        int code = read_parameter(option, rest, out);
        if (code) return code;
        rest = next;
    }
    return 0;
}
