/* Numbers, counts and times for people; errors; JSON on one line; names of files. See cli.h. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "results/h5.h"

/* ---- errors ---- */

int cli_fail(int code, const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    fputs("torsor: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return code;
}

int cli_exit_of(int status) {
    switch (status) {
    case TORSOR_OK:
        return CLI_DONE;
    case TORSOR_EINVAL:
        return CLI_MODEL;
    case TORSOR_EIO:
        return CLI_FILE;
    case TORSOR_EINTERRUPTED:
        return CLI_INTERRUPTED;
    default:
        return CLI_NUMERICS;
    }
}

int cli_fail_status(int status) { return cli_fail(cli_exit_of(status), "%s", torsor_error()); }

bool cli_colour(FILE *out) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((no && *no) || (terminal && strcmp(terminal, "dumb") == 0)) return false;
    return isatty(fileno(out));
}

/* ---- numbers ---- */

const char *cli_quantity(char text[CLI_WORD], double value, const char *unit) {
    static const char *const prefix[] = {"n", "µ", "m", "", "k", "M", "G", "T"};
    int p = 3;
    double size = fabs(value);
    if (size > 0 && isfinite(size)) p += (int)floor(log10(size * (1 + 1e-12)) / 3);
    if (p < 0 || p > 7) {
        snprintf(text, CLI_WORD, "%.4g %s", value, unit);
    } else {
        snprintf(text, CLI_WORD, "%.4g %s%s", value / pow(1000, p - 3), prefix[p], unit);
    }
    return text;
}

const char *cli_duration(char text[CLI_WORD], double seconds) {
    if (!(seconds < 3.6e8)) {
        snprintf(text, CLI_WORD, "?");
        return text;
    }
    long s = lround(seconds);
    if (s < 3600)
        snprintf(text, CLI_WORD, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(text, CLI_WORD, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    return text;
}

const char *cli_count(char text[CLI_WORD], int64_t count, const char *singular,
                      const char *plural) {
    snprintf(text, CLI_WORD, "%lld %s", (long long)count, count == 1 ? singular : plural);
    return text;
}

void cli_print_wrapped(const char *text, int indent, int width) {
    for (int column = indent; *text;) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > width) {
            printf("\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            column += printf(" ");
        }
        column += printf("%.*s", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
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
void cli_line_end(cli_line *line) {
    ts_json_close(&line->json, '}');
    char *text = ts_text_end(line->text);
    for (const char *c = text; *c; c++) {
        if (*c != '\n') {
            putchar(*c);
            if (*c == ',' && c[1] == '\n') putchar(' ');
        } else
            while (c[1] == ' ') c++;
    }
    putchar('\n');
    fflush(stdout);
    free(text);
}

void cli_json_number(ts_json *j, const char *key, double value) {
    char text[40] = "null";
    if (isfinite(value)) snprintf(text, sizeof text, "%.17g", value);
    ts_json_raw(j, key, text);
}

void cli_json_vector(ts_json *j, const char *key, v3 value) {
    ts_json_open(j, key, '[');
    cli_json_number(j, NULL, value.x);
    cli_json_number(j, NULL, value.y);
    cli_json_number(j, NULL, value.z);
    ts_json_close(j, ']');
}

/* ---- files ---- */

bool cli_same_file(const char *a, const char *b) {
    struct stat of_a, of_b;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

int cli_check_output(const char *path, const char *input) {
    struct stat about;
    if (cli_same_file(path, input))
        return cli_fail(CLI_USAGE, "%s would be overwritten by its own results", input);
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0) return CLI_DONE;
    if (ts_h5_is_hdf5(path)) return CLI_DONE;
    return cli_fail(CLI_FILE,
                    "%s exists and is not a results file: not overwritten; choose another name",
                    path);
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
