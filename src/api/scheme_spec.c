/* SPDX-License-Identifier: Apache-2.0 */
/* A scheme as an option: NAME, or NAME:parameter=value:parameter=value. See options.h. */
#include <stdio.h>
#include <string.h>

#include "api/options.h"
#include "base/error.h"
#include "expr/expr.h"

static int unknown_scheme(const char *option, const char *name) {
    char known[600] = "";
    for (int i = 0; ts_scheme_name(i); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", ts_scheme_name(i));
    }
    return ts_option_fail(option, NULL, "there is no scheme '%.40s'; there are %s", name, known);
}

/* The value of a number may be an expression: alpha=1/36. */
static int read_value(const ts_scheme_parameter *p, const char *text, ts_scheme_spec *out) {
    size_t name = strlen(p->name);
    if (p->choices)
        return ts_parameter_set_text(&out->parameters, out->scheme, p->name, name, text);
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error))
        return ts_fail(TORSOR_EINVAL, "%s=%.40s: %s", p->name, text, error.message);
    double value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    return ts_parameter_set(&out->parameters, out->scheme, p->name, name, value);
}

static int read_parameter(const char *option, const char *text, ts_scheme_spec *out) {
    size_t length = strcspn(text, "=");
    int place = ts_parameter_place(out->scheme, text, length);
    if (place < 0 || text[length] != '=')
        return ts_option_fail(option, NULL, "the scheme %s has no parameter '%.40s'",
                              out->scheme->name, text);
    const ts_scheme_parameter *p = &out->scheme->parameters[place];
    if (read_value(p, text + length + 1, out)) {
        char why[600];
        snprintf(why, sizeof why, "%s", torsor_error());
        return ts_option_fail(option, NULL, "%s", why);
    }
    return 0;
}

int ts_scheme_read(ts_scheme_spec *out, const char *option, const char *text, size_t length) {
    char copy[256];
    if (length >= sizeof copy)
        return ts_option_fail(option, NULL,
                              "the scheme with its parameters is too long, at most 255 characters");
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
