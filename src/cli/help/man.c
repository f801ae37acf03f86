/* SPDX-License-Identifier: Apache-2.0 */
/* Manual pages in roff (man(7)), from the tables that --help prints. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* Date of the release; roff requires one. */
static const char DATE[] = "2026-11-18";

/* Text that roff prints as it stands: a hyphen that may be copied, no control lines. */
static void put(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else if (*c == '\'')
            fputs("\\(aq", stdout);
        else if (*c == '.' && c == text)
            fputs("\\&.", stdout);
        else
            putchar(*c);
    }
}

static void put_line(const char *text) {
    put(text);
    putchar('\n');
}

/* Sentences on lines of their own, as roff wants them. */
static void put_sentences(const char *text) {
    char sentence[2000];
    for (const char *end; *text; text = end + strspn(end, " ")) {
        for (end = text; *end && !(*end == '.' && end[1] == ' ' && end > text && end[-1] != '.');)
            end++;
        end += *end == '.';
        snprintf(sentence, sizeof sentence, "%.*s", (int)(end - text), text);
        put_line(sentence);
    }
}

/* A line of entries behind a macro would need quotes; in \fB..\fR it needs none. */
static void put_bold(const char *before, const char *text) {
    printf("\\fB%s", before);
    put(text);
    fputs("\\fR", stdout);
}

static void put_option(const cli_option *o) {
    char letter[2] = {o->letter, 0};
    puts(".TP");
    if (o->letter) put_bold("\\-", letter), fputs(", ", stdout);
    put_bold("\\-\\-", o->name);
    if (o->value) fputs(" \\fI", stdout), put(o->value), fputs("\\fR", stdout);
    putchar('\n');
    put_line(o->help);
}

static void put_head(const char *name, const char *help) {
    char upper[40];
    snprintf(upper, sizeof upper, "%s", name);
    for (char *c = upper; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    fputs(".TH ", stdout);
    put(upper);
    printf(" 1 %s \"torsor %s\" \"torsor\"\n.SH NAME\n", DATE, torsor_version());
    put(name);
    fputs(" \\- ", stdout);
    put_line(help);
}

static void put_exit_codes(void) {
    puts(".SH EXIT STATUS");
    for (int i = 0; CLI_EXIT_MEANING[i]; i++) {
        printf(".TP\n.B %d\n", i);
        put_line(CLI_EXIT_MEANING[i]);
    }
}

static void of_verb(const cli_verb *verb) {
    char name[40];
    snprintf(name, sizeof name, "torsor-%s", verb->name);
    put_head(name, verb->help);
    puts(".SH SYNOPSIS");
    put_bold("torsor ", verb->name);
    if (*verb->arguments) fputs(" \\fI", stdout), put(verb->arguments), fputs("\\fR", stdout);
    puts(" [\\fIoptions\\fR]\n.SH DESCRIPTION");
    put_sentences(verb->about);
    puts(".SH OPTIONS");
    for (const cli_option *o = verb->options; o->name; o++) put_option(o);
    put_option(&CLI_HELP);
    put_exit_codes();
    puts(".SH SEE ALSO\n.BR torsor (1)");
}

static void of_program(void) {
    put_head("torsor", "flexible multibody dynamics with an energy audit");
    puts(".SH SYNOPSIS\n\\fBtorsor\\fR \\fIVERB\\fR ...\n.SH DESCRIPTION");
    put_sentences(
        "torsor computes the motion of machines: rigid bodies, joints, springs, cables, "
        "beams, shells, solids and contact. Energy is preserved or dissipated, never "
        "created, and every run ends with an energy audit. A model is a YAML file; results "
        "are HDF5 files.");
    puts(".PP");
    put_sentences(
        "Write a model with torsor new, check it with torsor check, run it with torsor run, "
        "and look at it with torsor plot or torsor report.");
    puts(".SH VERBS");
    for (const cli_verb *const *v = cli_verbs(); *v; v++) {
        puts(".TP");
        put_bold("", (*v)->name);
        putchar('\n');
        put_line((*v)->help);
    }
    puts(".PP\nOptions may be given before or after the file.\nAfter \\fB\\-\\-\\fR nothing is an "
         "option.\n.PP\n\\fBtorsor\\fR \\fIVERB\\fR \\fB\\-\\-help\\fR prints the options of a "
         "verb,\n\\fBtorsor \\-\\-version\\fR the version.");
    put_exit_codes();
    puts(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set, messages on a terminal have no "
         "colours.\n.TP\n.B TMPDIR\nFolder for temporary results of \\fBrun \\-\\-resolve\\fR.");
    puts(".SH SEE ALSO");
    for (const cli_verb *const *v = cli_verbs(); *v; v++)
        printf(".BR torsor\\-%s (1)%s\n", (*v)->name, v[1] ? "," : "");
}

void cli_man(const cli_verb *verb) {
    if (verb)
        of_verb(verb);
    else
        of_program();
}
