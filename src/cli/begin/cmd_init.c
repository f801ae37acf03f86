/* SPDX-License-Identifier: Apache-2.0 */
/* torsor init: three questions, then a commented model. Answers may come from a pipe; an empty
 * answer, or the end of the input, takes the default. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/stream.h"
#include "cli/begin/models.h"
#include "cli/cli.h"

enum { ANSWER = 200 };

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace a file that exists"}, {0}};

/* ---- questions ---- */

/* Asks on the terminal, if there is one. The answer without blanks around it; "" for none. */
static void ask(const char *question, const char *usual, char answer[ANSWER]) {
    *answer = 0;
    if (cli_terminal(STDIN_FILENO)) {
        printf("%s [%s]: ", question, usual);
        fflush(stdout);
    }
    if (!fgets(answer, ANSWER, stdin)) {
        *answer = 0;
        return;
    }
    if (!strchr(answer, '\n')) /* the rest of a long line is dropped */
        for (int c = getchar(); c != '\n' && c != EOF;) c = getchar();
    size_t begin = strspn(answer, " \t"), end = strlen(answer);
    while (end > begin && isspace((unsigned char)answer[end - 1])) end--;
    memmove(answer, answer + begin, end - begin);
    answer[end - begin] = 0;
}

/* Which model: by name, or by its number in the list. */
static const cli_model *ask_kind(void) {
    char answer[ANSWER];
    bool terminal = cli_terminal(STDIN_FILENO);
    for (int i = 0; terminal && CLI_MODELS[i].kind; i++)
        printf("  %d  %-10s%s\n", i + 1, CLI_MODELS[i].kind, CLI_MODELS[i].what);
    for (;;) {
        ask("1. Which model is most similar to yours?", CLI_MODELS[0].kind, answer);
        if (!*answer) return &CLI_MODELS[0];
        int number = 0;
        while (CLI_MODELS[number].kind && number + 1 != atoi(answer)) number++;
        if (CLI_MODELS[number].kind) return &CLI_MODELS[number];
        const cli_model *model = cli_find_model(answer);
        if (model || !terminal) return model;
    }
}

/* ---- the file ---- */

/* "My crane, 2nd" -> "my_crane_2nd.yaml" */
static void name_of_title(const char *title, char name[ANSWER + 8]) {
    size_t used = 0;
    for (const char *c = title; *c && used < ANSWER; c++) {
        if (isalnum((unsigned char)*c))
            name[used++] = (char)tolower((unsigned char)*c);
        else if (used > 0 && name[used - 1] != '_')
            name[used++] = '_';
    }
    while (used > 0 && name[used - 1] == '_') used--;
    if (used == 0) memcpy(name, "model", used = 5);
    memcpy(name + used, ".yaml", 6);
}

/* The line that begins with `key` gets another value; what is behind its value on the line goes. */
static void put_line(FILE *out, const char *line, size_t length, const char *key, const char *value,
                     bool quoted) {
    fprintf(out, "%s ", key);
    if (quoted)
        ts_json_quote(out, value);
    else
        fputs(value, out);
    const char *comment = memchr(line, '#', length);
    if (comment) fprintf(out, "   %.*s", (int)(line + length - comment), comment);
}

static char *with_answers(const char *text, const char *title, const char *end) {
    ts_text *out = ts_text_begin();
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (*title && strncmp(text, "title:", 6) == 0)
            put_line(out->out, text, length, "title:", title, true);
        else if (*end && strncmp(text, "  end:", 6) == 0)
            put_line(out->out, text, length, "  end:", end, false);
        else
            fprintf(out->out, "%.*s", (int)length, text);
        text += length;
        if (*text) fputc('\n', out->out), text++;
    }
    return ts_text_end(out);
}

static bool ask_end(const char *usual, char end[ANSWER + 4]) {
    double seconds;
    for (;;) {
        ask("3. How long should it run? A time, such as 5 s", usual, end);
        if (!*end) return true;
        if (torsor_number(end, "s", &seconds) == 0 && seconds > 0) {
            if (!end[strcspn(end, "abcdefghijklmnopqrstuvwxyz")]) strcat(end, " s");
            return true;
        }
        cli_fail(CLI_USAGE, "'%s' is not a time: expected one such as 5 s or 20 ms", end);
        if (!cli_terminal(STDIN_FILENO)) return false;
    }
}

/* The value behind "  end:" in the model. */
static void usual_end(const char *text, char usual[ANSWER]) {
    const char *at = strstr(text, "\n  end: ");
    at += strlen("\n  end: ");
    size_t length = strcspn(at, "#\n");
    while (length > 0 && at[length - 1] == ' ') length--;
    snprintf(usual, ANSWER, "%.*s", (int)length, at);
}

static int init(const cli_settings *s) {
    char title[ANSWER], end[ANSWER + 4], usual[ANSWER], name[ANSWER + 8];
    if (!cli_terminal(STDIN_FILENO))
        printf(
            "init asks for a kind of model, a title and an end time. The standard input is not a "
            "terminal: each line of it is an answer, and missing answers take the defaults.\n");
    const cli_model *model = ask_kind();
    if (!model) return CLI_USAGE;
    ask("2. What is its title?", model->kind, title);
    if (!*title) snprintf(title, sizeof title, "%s", model->kind);
    usual_end(model->text, usual);
    if (!ask_end(usual, end)) return CLI_USAGE;
    name_of_title(title, name);
    char *text = with_answers(model->text, title, end);
    int code = cli_write_model(model, s->arguments > 0 ? s->argument[0] : name, text);
    free(text);
    return code;
}

const cli_verb CLI_INIT = {
    .name = "init",
    .help = "ask three questions, write a commented model",
    .arguments = "[MODEL.yaml]",
    .least = 0,
    .most = 1,
    .about = "Asks which model is most similar to yours, for its title, and how long it should "
             "run. Then writes a commented model file, named after the title unless MODEL.yaml is "
             "given. Without a terminal, each line of the standard input is an answer, and missing "
             "answers take the defaults.",
    .options = OPTIONS,
    .run = init};
