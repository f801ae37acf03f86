/* A scheme on the command line: NAME, or NAME:parameter=value:parameter=value. See cli.h. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "expr/expr.h"

static int unknown_scheme(const char *option, const char *name) {
    char known[600] = "";
    for (int i = 0; ts_scheme_name(i); i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", ts_scheme_name(i));
    }
    return cli_fail(CLI_USAGE, "--%s: there is no scheme '%.40s'; there are %s", option, name,
                    known);
}

/* The value, as scheme.h wants to have it. */
static int read_value(const char *option, const ts_scheme_parameter *p, const char *text,
                      char *word, size_t size, char shown[CLI_WORD]) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (p->choices) {
        snprintf(word, size, "%s=%s", p->name, text);
        snprintf(shown, CLI_WORD, ", %s", text);
        return ts_scheme_choice(p, text, strlen(text)) >= 0
                   ? CLI_DONE
                   : cli_fail(CLI_USAGE, "--%s: '%.40s' is not a %s; the first is %s", option, text,
                              p->name, p->choices[0]);
    }
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error))
        return cli_fail(CLI_USAGE, "--%s: %s=%.40s: %s", option, p->name, text, error.message);
    double value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    if (!(value >= p->low && value <= p->high))
        return cli_fail(CLI_USAGE, "--%s: %s must lie between %g and %g", option, p->name, p->low,
                        p->high);
    ts_scheme_number_word(word, size, p->name, value);
    snprintf(shown, CLI_WORD, ", %s %.4g", p->name, value);
    return CLI_DONE;
}

static int read_parameter(const char *option, const char *text, cli_scheme *out) {
    size_t length = strcspn(text, "="), used = strlen(out->parameters);
    const ts_scheme_parameter *p = ts_scheme_parameter_find(out->scheme, text, length);
    char word[80], shown[CLI_WORD];
    if (!p || text[length] != '=')
        return cli_fail(CLI_USAGE, "--%s: the scheme %s has no parameter '%.40s'", option,
                        out->scheme->name, text);
    int code = read_value(option, p, text + length + 1, word, sizeof word, shown);
    if (code) return code;
    if (used + strlen(word) + 2 > sizeof out->parameters)
        return cli_fail(CLI_USAGE, "--%s: these are too many parameters", option);
    snprintf(out->parameters + used, sizeof out->parameters - used, "%s%s", used ? " " : "", word);
    size_t words = strlen(out->words);
    snprintf(out->words + words, sizeof out->words - words, "%s", shown);
    return CLI_DONE;
}

int cli_scheme_read(cli_scheme *out, const char *option, const char *text, size_t length) {
    char copy[256];
    if (length >= sizeof copy) return cli_fail(CLI_USAGE, "--%s: this is too long", option);
    memcpy(copy, text, length), copy[length] = 0;
    *out = (cli_scheme){0};
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
    return CLI_DONE;
}
