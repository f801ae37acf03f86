/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the command line, and --help: both from the table of the verb. See cli.h. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "cli/cli.h"

enum { HELP_COLUMN = 24, HELP_WIDTH = 76 };

const cli_option CLI_HELP = {.name = "help",
                             .letter = 'h',
                             .type = CLI_FLAG,
                             .offset = offsetof(cli_settings, help),
                             .help = "print this and do nothing else"};

const char *const CLI_EXIT_MEANING[] = {
    "done",
    "mistake on the command line",
    "mistake in the model",
    "a file cannot be read or written",
    "no convergence, or equations without a unique solution",
    "interrupted (Ctrl-C, SIGTERM, SIGHUP, SIGXCPU); results so far are stored",
    NULL};

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
    ts_words_wrap(stdout, o->help, HELP_COLUMN, HELP_WIDTH);
}

void cli_help_exit_codes(void) {
    printf("\nexit codes\n");
    for (int i = 0; CLI_EXIT_MEANING[i]; i++) printf("  %d  %s\n", i, CLI_EXIT_MEANING[i]);
}

void cli_help(const cli_verb *verb) {
    printf("usage: torsor %s %s%s[options]\n\n", verb->name, verb->arguments,
           *verb->arguments ? " " : "");
    ts_words_wrap(stdout, verb->about, 0, HELP_WIDTH);
    printf("\noptions\n");
    for (const cli_option *o = verb->options; o->name; o++) print_option(o);
    print_option(&CLI_HELP);
    cli_help_exit_codes();
}

/* ---- finding options ---- */

static const cli_option *find_long(const cli_verb *verb, const char *name, size_t length) {
    for (const cli_option *o = verb->options; o->name; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return length == 4 && memcmp(name, CLI_HELP.name, 4) == 0 ? &CLI_HELP : NULL;
}

static const cli_option *find_letter(const cli_verb *verb, char letter) {
    for (const cli_option *o = verb->options; o->name; o++)
        if (o->letter == letter) return o;
    return letter == CLI_HELP.letter ? &CLI_HELP : NULL;
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

static int read_count(const cli_option *o, const char *text, int64_t *value) {
    double number = 0;
    if (torsor_number(text, "1", &number))
        return cli_fail(CLI_USAGE, "--%s %s", o->name, torsor_error());
    if (!(number >= 0 && number <= 1e15) || number != floor(number))
        return cli_fail(CLI_USAGE, "--%s %.60s: expected a whole number", o->name, text);
    *value = (int64_t)number;
    return CLI_DONE;
}

static int give(torsor_options *options, const cli_option *o, const char *text) {
    char name[40];
    snprintf(name, sizeof name, "%s", o->name);
    for (char *c = name; *c; c++)
        if (*c == '-') *c = '_';
    int status = torsor_options_set(options, name, text);
    return status ? cli_fail_status(status) : CLI_DONE;
}

static int add_set(cli_settings *settings, const cli_option *o, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return cli_fail(CLI_USAGE, "--%s %.60s: expected NAME=VALUE, such as L=2m", o->name, text);
    settings->set[settings->sets++] = text;
    return CLI_DONE;
}

static int take(const cli_option *o, const char *text, cli_settings *settings) {
    void *to = o->offset == CLI_NOWHERE ? NULL : (char *)settings + o->offset;
    switch (o->type) {
    case CLI_FLAG:
        *(bool *)to = true;
        return CLI_DONE;
    case CLI_TEXT:
        *(const char **)to = text;
        return *text ? CLI_DONE : cli_fail(CLI_USAGE, "--%s: the value is empty", o->name);
    case CLI_COUNT:
        return read_count(o, text, to);
    case CLI_OPTION:
        return give(settings->options, o, text);
    case CLI_SWITCH:
        if (to) *(bool *)to = true;
        return give(settings->options, o, "true");
    case CLI_SET:
        return add_set(settings, o, text);
    case CLI_BESIDE:
        settings->beside_name = o->name;
        return give(settings->beside, o, text);
    }
    return CLI_USAGE;
}

/* ---- parsing ---- */

static char STANDARD_INPUT[] = "/dev/stdin";

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
    bool bare = o && (o->type == CLI_FLAG || o->type == CLI_SWITCH);
    if (!o || (bare && value && text[1] != '-')) return unknown(verb, text);
    if (bare && value) return cli_fail(CLI_USAGE, "--%s takes no value", o->name);
    if (!bare && !value) {
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
        return cli_fail(CLI_USAGE, "'%s': unexpected argument '%.60s'. See 'torsor %s --help'",
                        verb->name, settings->argument[verb->most], verb->name);
    return CLI_DONE;
}

int cli_parse(const cli_verb *verb, int count, char **word, cli_settings *settings) {
    *settings = (cli_settings){.every = -1, .frames = -1, .width = -1, .height = -1};
    int status = verb->use ? torsor_options_new(&settings->options, verb->use) : 0;
    if (!status) status = torsor_options_new(&settings->beside, "resolve");
    if (status) return cli_fail_status(status);
    settings->argument = ts_calloc((size_t)count + 1, sizeof *settings->argument);
    settings->set = ts_calloc((size_t)count + 1, sizeof *settings->set);
    bool options = true;
    for (int i = 0; i < count; i++) {
        if (options && strcmp(word[i], "--") == 0) {
            options = false;
        } else if (options && is_option(word[i])) {
            int code = take_option(verb, count, word, &i, settings);
            if (code) return code;
        } else {
            settings->argument[settings->arguments] = word[i];
            if (settings->arguments++ < verb->models && strcmp(word[i], "-") == 0)
                settings->argument[settings->arguments - 1] = STANDARD_INPUT;
        }
    }
    return settings->help ? CLI_DONE : check_arguments(verb, settings);
}

void cli_settings_clear(cli_settings *settings) {
    torsor_options_free(settings->options);
    torsor_options_free(settings->beside);
    free(settings->argument);
    free(settings->set);
}
