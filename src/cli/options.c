/* Reading the command line, and --help: both from the table of the verb. See cli.h. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "expr/expr.h"

enum { HELP_COLUMN = 24, HELP_WIDTH = 76 };

static const cli_option HELP = {
    "help", 'h', CLI_FLAG, offsetof(cli_settings, help), NULL, "print this and do nothing else"};

/* ---- help ---- */

static void print_option(const cli_option *o) {
    char names[64], letter[8] = "";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    int width = snprintf(names, sizeof names, "  %s--%s%s%s", letter, o->name, o->value ? " " : "",
                         o->value ? o->value : "");
    printf("%s", names);
    int gap = HELP_COLUMN - width;
    if (gap < 2) gap = HELP_COLUMN, putchar('\n');
    printf("%*s", gap, "");
    cli_print_wrapped(o->help, HELP_COLUMN, HELP_WIDTH);
}

void cli_help_exit_codes(void) {
    printf("\nexit codes\n"
           "  0  done\n"
           "  1  mistake on the command line\n"
           "  2  mistake in the model\n"
           "  3  a file cannot be read or written\n"
           "  4  no convergence, or equations without a unique solution\n"
           "  5  interrupted (Ctrl-C, SIGTERM, SIGHUP); the results up to there are stored\n");
}

void cli_help(const cli_verb *verb) {
    printf("usage: torsor %s %s%s[options]\n\n", verb->name, verb->arguments,
           *verb->arguments ? " " : "");
    cli_print_wrapped(verb->about, 0, HELP_WIDTH);
    printf("\noptions\n");
    for (const cli_option *o = verb->options; o->name; o++) print_option(o);
    print_option(&HELP);
    cli_help_exit_codes();
}

/* ---- finding options ---- */

static const cli_option *find_long(const cli_verb *verb, const char *name, size_t length) {
    for (const cli_option *o = verb->options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return length == 4 && memcmp(name, HELP.name, 4) == 0 ? &HELP : NULL;
}

static const cli_option *find_letter(const cli_verb *verb, char letter) {
    for (const cli_option *o = verb->options; o->name; o++)
        if (o->letter == letter) return o;
    return letter == HELP.letter ? &HELP : NULL;
}

static int unknown(const cli_verb *verb, const char *word) {
    const char *name = word + strspn(word, "-"), *nearest = NULL;
    size_t length = strcspn(name, "=");
    int best = INT_MAX;
    for (const cli_option *o = verb->options; o->name; o++)
        if (ts_word_closer(name, length, o->name, &best)) nearest = o->name;
    if (nearest)
        return cli_fail(CLI_USAGE, "'%s' has no option '%.60s': did you mean '--%s'?", verb->name,
                        word, nearest);
    return cli_fail(CLI_USAGE, "'%s' has no option '%.60s'; see 'torsor %s --help'", verb->name,
                    word, verb->name);
}

/* ---- values ---- */

static int refuse(const cli_option *o, const char *text, const char *why) {
    return cli_fail(CLI_USAGE, "--%s %.60s: %s", o->name, text, why);
}

/* A constant expression of the wanted dimension; a bare number is in SI. */
static int read_quantity(const cli_option *o, const char *text, ts_dim wanted, double *value) {
    ts_expr *expr;
    ts_expr_error error = {0};
    if (ts_expr_compile(&expr, text, strlen(text), NULL, false, &error))
        return cli_fail(CLI_USAGE, "--%s %.60s: %s%s%s%s", o->name, text, error.message,
                        *error.hint ? " (" : "", error.hint, *error.hint ? ")" : "");
    ts_dim dim = ts_expr_dim(expr);
    *value = ts_expr_value(expr, 0);
    ts_expr_free(expr);
    char want[64], why[120];
    if (ts_dim_bare(dim) || ts_dim_fits(dim, wanted)) return CLI_DONE;
    snprintf(why, sizeof why, "expected a %s", ts_dim_name(wanted, want, sizeof want));
    return refuse(o, text, why);
}

static int read_seconds(const cli_option *o, const char *text, double *value) {
    int code = read_quantity(o, text, (ts_dim){.time = 1}, value);
    if (code) return code;
    return *value >= 0 ? CLI_DONE : refuse(o, text, "a time before 0");
}

static int read_fraction(const cli_option *o, const char *text, double *value) {
    int code = read_quantity(o, text, (ts_dim){0}, value);
    if (code) return code;
    return *value >= 0 && *value <= 1 ? CLI_DONE : refuse(o, text, "expected 0 to 1");
}

static int read_count(const cli_option *o, const char *text, int64_t *value) {
    double number = 0;
    int code = read_quantity(o, text, (ts_dim){0}, &number);
    if (code) return code;
    if (!(number >= 0 && number <= 1e15) || number != floor(number))
        return refuse(o, text, "expected a whole number");
    *value = (int64_t)number;
    return CLI_DONE;
}

static int take(const cli_option *o, const char *text, cli_settings *settings) {
    void *to = (char *)settings + o->offset;
    switch (o->type) {
    case CLI_FLAG:
        *(bool *)to = true;
        return CLI_DONE;
    case CLI_TEXT:
        *(const char **)to = text;
        return *text ? CLI_DONE : cli_fail(CLI_USAGE, "--%s: the value is empty", o->name);
    case CLI_STEP:
        if (strcmp(text, "auto") == 0) return *(double *)to = INFINITY, CLI_DONE;
        return read_seconds(o, text, to);
    case CLI_SECONDS:
        return read_seconds(o, text, to);
    case CLI_FRACTION:
        return read_fraction(o, text, to);
    case CLI_COUNT:
        return read_count(o, text, to);
    }
    return CLI_USAGE;
}

/* ---- parsing ---- */

static bool is_option(const char *word) { return word && word[0] == '-' && word[1]; }

/* Takes one option from the words; `*at` moves past its value. */
static int take_option(const cli_verb *verb, int count, char **word, int *at,
                       cli_settings *settings) {
    const char *text = word[*at], *value = NULL;
    const cli_option *o;
    if (text[1] == '-') {
        size_t length = strcspn(text + 2, "=");
        o = find_long(verb, text + 2, length);
        if (text[2 + length] == '=') value = text + 3 + length;
    } else {
        o = find_letter(verb, text[1]);
        if (o && text[2]) value = text + 2;
    }
    if (!o || (o->type == CLI_FLAG && value && text[1] != '-')) return unknown(verb, text);
    if (o->type == CLI_FLAG && value) return cli_fail(CLI_USAGE, "--%s takes no value", o->name);
    if (o->type != CLI_FLAG && !value) {
        bool there = *at + 1 < count && !(is_option(word[*at + 1]) && word[*at + 1][1] == '-');
        if (!there) return cli_fail(CLI_USAGE, "--%s needs a value: %s", o->name, o->value);
        value = word[++*at];
    }
    return take(o, value, settings);
}

static int check_arguments(const cli_verb *verb, const cli_settings *settings) {
    if (settings->arguments < verb->least)
        return cli_fail(CLI_USAGE, "'%s' needs %s; see 'torsor %s --help'", verb->name,
                        verb->arguments, verb->name);
    if (settings->arguments > verb->most)
        return cli_fail(CLI_USAGE, "'%s': what is '%.60s'? See 'torsor %s --help'", verb->name,
                        settings->argument[verb->most], verb->name);
    return CLI_DONE;
}

int cli_parse(const cli_verb *verb, int count, char **word, cli_settings *settings) {
    *settings = (cli_settings){.step = NAN,
                               .end = NAN,
                               .rho = NAN,
                               .time = NAN,
                               .every = -1,
                               .from = -1,
                               .modes = -1,
                               .threads = -1,
                               .points = -1,
                               .frames = -1,
                               .levels = -1,
                               .jobs = -1};
    settings->argument = ts_calloc((size_t)count + 1, sizeof *settings->argument);
    bool options = true;
    for (int i = 0; i < count; i++) {
        if (options && strcmp(word[i], "--") == 0) {
            options = false;
        } else if (options && is_option(word[i])) {
            int code = take_option(verb, count, word, &i, settings);
            if (code) return code;
        } else {
            settings->argument[settings->arguments++] = word[i];
        }
    }
    return settings->help ? CLI_DONE : check_arguments(verb, settings);
}
