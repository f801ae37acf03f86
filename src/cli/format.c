/* SPDX-License-Identifier: Apache-2.0 */
/* Errors; JSON on one line; names of files. See cli.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/plain.h"
#include "base/ranks.h"
#include "cli/cli.h"

/* Room for the names of two files. */
enum { MESSAGE_SIZE = 10000, SHOWN_SIZE = 4200, SHOWN = 4 };

const char *cli_shown(const char *text) {
    static char room[SHOWN][SHOWN_SIZE];
    static int next;
    next = (next + 1) % SHOWN;
    return ts_plain_copy(room[next], SHOWN_SIZE, text);
}

/* ---- errors ---- */

int cli_fail(int code, const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    char text[MESSAGE_SIZE];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "torsor: %s\n", ts_plain(text));
    return code;
}

int cli_exit_of(int status) {
    switch (status) {
    case TORSOR_OK:
        return CLI_DONE;
    case TORSOR_EOPTION:
        return CLI_USAGE;
    case TORSOR_EINVAL:
        return CLI_MODEL;
    case TORSOR_EIO:
    case TORSOR_ENOMEM:
        return CLI_FILE;
    case TORSOR_EINTERRUPTED:
        return CLI_INTERRUPTED;
    default:
        return CLI_NUMERICS;
    }
}

/* "step 1mm: ..." becomes "--step 1mm: ...". */
static int fail_option(const char *name) {
    const char *message = torsor_error();
    size_t length = strlen(name);
    bool named = length > 0 && strncmp(message, name, length) == 0;
    return cli_fail(CLI_USAGE, "%s%s", named ? "--" : "", message);
}

static int fail_model(const char *path) {
    char *page, problems[TS_WORD];
    int count = torsor_mistakes();
    fflush(stdout);
    if (torsor_mistakes_page(cli_colour(stderr), &page)) return CLI_MODEL;
    fputs(page, stderr);
    torsor_text_free(page);
    return cli_fail(CLI_MODEL, "%s: %s", path,
                    ts_words_count(problems, count, "problem", "problems"));
}

int cli_fail_file(int status, const char *path) {
    const char *message = torsor_error();
    if (status == TORSOR_EOPTION) return fail_option(torsor_error_details()->file);
    if (path && torsor_mistakes() > 0) return fail_model(path);
    const char *shown = path ? cli_shown(path) : NULL;
    if (shown && strncmp(message, shown, strlen(shown)) != 0)
        return cli_fail(cli_exit_of(status), "%s: %s", path, message);
    return cli_fail(cli_exit_of(status), "%s", message);
}

int cli_fail_status(int status) { return cli_fail_file(status, NULL); }

bool cli_terminal(int descriptor) { return !ts_ranks_here()->transport && isatty(descriptor); }

bool cli_colour(FILE *out) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((no && *no) || (terminal && strcmp(terminal, "dumb") == 0)) return false;
    return cli_terminal(fileno(out));
}

/* ---- JSON ---- */

ts_json *cli_line_begin(cli_line *line, const char *event) {
    *line = (cli_line){.text = ts_text_begin()};
    line->json.out = line->text->out;
    ts_json_open(&line->json, NULL, '{');
    ts_json_text(&line->json, "event", event);
    return &line->json;
}

/* Line breaks stand only between things, never within a text: they and the indentation go. */
static void print_on_one_line(const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c != '\n') {
            putchar(*c);
            if (*c == ',' && c[1] == '\n') putchar(' ');
        } else
            while (c[1] == ' ') c++;
    }
    putchar('\n');
    fflush(stdout);
}

void cli_line_end(cli_line *line) {
    ts_json_close(&line->json, '}');
    char *text = ts_text_end(line->text);
    print_on_one_line(text);
    free(text);
}

void cli_line_of(const char *event, const char *object) {
    const char *inside = object + strspn(object, "{ \n");
    printf("{\"event\": \"%s\", ", event);
    print_on_one_line(inside);
}

/* ---- files ---- */

bool cli_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

int cli_check_output(const char *kind, const char *path, const char *input,
                     const torsor_model *model) {
    if (!path || strcmp(path, "-") == 0) return CLI_DONE;
    if (input && cli_same_file(path, input))
        return cli_fail(CLI_USAGE, "%s would be overwritten by its own results", input);
    int status = torsor_output_check(kind, path, model);
    return status ? cli_fail_status(status) : CLI_DONE;
}

char *cli_file_name(const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    size_t room = stem + strlen(suffix) + 1;
    char *name = ts_calloc(room, 1);
    snprintf(name, room, "%.*s%s", (int)stem, base, suffix);
    return name;
}

/* Failures of the standard output are reported by main. */
int cli_write_text(const char *kind, const char *path, const char *text) {
    if (strcmp(path, "-") == 0) {
        fputs(text, stdout);
        return CLI_DONE;
    }
    int status = torsor_output_write(kind, path, text);
    return status ? cli_fail_status(status) : CLI_DONE;
}

char **cli_split_lines(char *text, int *count) {
    *count = 0;
    for (const char *c = text; c && *c; c++) *count += *c == '\n';
    char **list = ts_calloc((size_t)*count + 1, sizeof *list);
    for (int i = 0; i < *count; i++) {
        list[i] = text;
        text = strchr(text, '\n');
        *text++ = 0;
    }
    return list;
}
