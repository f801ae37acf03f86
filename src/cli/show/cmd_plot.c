/* SPDX-License-Identifier: Apache-2.0 */
/* torsor plot: channels of a results file as a picture, or in the terminal. */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/rehearsal.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "write a picture: .svg, or .png (needs rsvg-convert); default: a plot in the terminal"},
    {"over", 'x', CLI_TEXT, AT(over), "CHANNEL",
     "plot over this channel instead of time: arm.position.x"},
    {"title", 0, CLI_TEXT, AT(title), "TEXT",
     "title of the picture; default: the name of the results file"},
    {"width", 0, CLI_COUNT, AT(width), "N",
     "width of a panel in pixels, in the terminal in characters; default: 640, in the terminal "
     "all"},
    {"height", 0, CLI_COUNT, AT(height), "N",
     "height of a panel; default: 240, in the terminal 12"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

extern char **environ;

/* ---- columns ---- */

/* The named channels; without, those of outputs.csv of the model, or the usual ones. */
static int read_table(torsor_table **out, torsor_results *results, const cli_settings *s) {
    int count = s->arguments - 1, named = 0;
    char *lines = NULL, **usual = NULL;
    if (count == 0 && torsor_results_outputs(results, &lines)) lines = NULL;
    if (count == 0) usual = cli_split_lines(lines, &named);
    const char **selector = ts_calloc((size_t)(count + named + 1), sizeof *selector);
    for (int i = 0; i < count; i++) selector[i] = s->argument[i + 1];
    for (int i = 0; i < named; i++) selector[count + i] = usual[i];
    int all = count + named;
    if (s->over && all > 0) selector[all++] = s->over;
    int status = torsor_results_table(out, results, all, selector);
    free(selector), free(usual);
    torsor_text_free(lines);
    return status;
}

/* ---- the terminal ---- */

/* Without selectors there may be hundreds of columns: the terminal gets this many. */
enum { PANELS = 6 };

static bool changes(const torsor_table *table, int column) {
    const double *value = torsor_table_column(table, column);
    for (int64_t i = 1; i < torsor_table_rows(table); i++)
        if (value[i] != value[0]) return true;
    return false;
}

/* Replaces the table of all usual columns by the first few that change; *left counts the others. */
static int take_few(torsor_table **table, torsor_results *results, int *left) {
    const char *name[PANELS];
    torsor_table *few = NULL;
    int count = 0, columns = torsor_table_columns(*table);
    for (int k = 1; k < columns && count < PANELS; k++) /* column 0 is the time */
        if (changes(*table, k)) name[count++] = torsor_table_name(*table, k);
    if (count == 0 || columns - 1 <= PANELS) return 0;
    int status = torsor_results_table(&few, results, count, name);
    if (status) return status;
    torsor_table_free(*table);
    *table = few;
    *left = columns - 1 - count;
    return 0;
}

static int terminal_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col > 200 ? 200 : size.ws_col;
    int width = columns ? atoi(columns) : 0;
    return width >= 30 && width <= 400 ? width : 80;
}

/* ---- files ---- */

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), rest = strlen(ending);
    return length > rest && strcmp(text + length - rest, ending) == 0;
}

/* Runs a program and waits for it. false: it could not be run, or failed. */
static bool run_program(char *const *word) {
    pid_t child;
    int status = 0;
    if (posix_spawnp(&child, word[0], NULL, NULL, word, environ) != 0) return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* PNG is made from SVG by rsvg-convert, under another name until it is complete. */
static int write_png(const char *path, const char *svg) {
    size_t room = strlen(path) + 20;
    char *source = ts_calloc(room, 1), *draft = ts_calloc(room, 1);
    snprintf(source, room, "%s.draft.svg", path);
    snprintf(draft, room, "%s.draft.png", path);
    int code = cli_write_text("svg", source, svg);
    char *const word[] = {"rsvg-convert", "--zoom=2", "-o", draft, source, NULL};
    if (!code && !run_program(word))
        code = cli_fail(CLI_FILE,
                        "%s: PNG is made by rsvg-convert, which is missing or failed: install it "
                        "(Debian: librsvg2-bin), or write .svg",
                        path);
    if (!code && rename(draft, path) != 0)
        code = cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(errno));
    unlink(source), unlink(draft);
    free(source), free(draft);
    return code;
}

/* Pictures bear a mark in SVG; in PNG none, so that one is replaced with --force only. */
static int check_output(const cli_settings *s) {
    if (!s->output || strcmp(s->output, "-") == 0) return CLI_DONE;
    bool png = ends_with(s->output, ".png");
    if (!png && !ends_with(s->output, ".svg"))
        return cli_fail(CLI_USAGE, "--output %s: expected a name with .svg or .png", s->output);
    return cli_check_output(png ? "text" : "svg", s->output, s->argument[0], NULL);
}

static int draw(const torsor_table *table, const cli_settings *s) {
    char *text;
    bool picture = s->output != NULL;
    int width = s->width < 0 ? (picture ? 0 : terminal_width()) : (int)s->width;
    int height = s->height < 0 ? 0 : (int)s->height;
    const char *slash = strrchr(s->argument[0], '/'), *title = s->title;
    if (!title) title = !picture ? "" : slash ? slash + 1 : s->argument[0];
    int status =
        torsor_table_plot(table, title, s->over, picture ? "svg" : "text", width, height, &text);
    if (status) return cli_fail(CLI_USAGE, "%s", torsor_error());
    int code = picture && ends_with(s->output, ".png")
                   ? write_png(s->output, text)
                   : cli_write_text(picture ? "svg" : "text", picture ? s->output : "-", text);
    torsor_text_free(text);
    return code;
}

static int plot(const cli_settings *s) {
    torsor_results *results;
    torsor_table *table = NULL;
    int code = check_output(s);
    if (code) return code;
    if (s->width > INT_MAX || s->height > INT_MAX)
        return cli_fail(CLI_USAGE, "--width and --height are too large");
    int status = ts_rehearse_results(s->argument[0]);
    if (!status) status = torsor_results_open(&results, s->argument[0]);
    if (status) return cli_fail_status(status);
    int left = 0;
    status = read_table(&table, results, s);
    if (!status && s->arguments == 1 && !s->output && !s->over)
        status = take_few(&table, results, &left);
    if (status == TORSOR_EINVAL)
        code = cli_fail(CLI_USAGE, "%s", torsor_error());
    else
        code = status ? cli_fail_status(status) : draw(table, s);
    if (!code && s->output && strcmp(s->output, "-") != 0 && !s->quiet)
        printf("picture: %s\n", cli_shown(s->output));
    if (!code && left > 0 && !s->quiet)
        printf("\n%d more channels: name those to plot; 'torsor channels %s' lists them\n", left,
               cli_shown(s->argument[0]));
    torsor_table_free(table);
    torsor_results_free(results);
    return code;
}

const cli_verb CLI_PLOT = {
    .name = "plot",
    .help = "plot channels of a results file, as a picture or in the terminal",
    .arguments = "RESULTS.h5 [SELECTORS...]",
    .least = 1,
    .most = INT_MAX,
    .about =
        "Plots channels over time, or over another channel. SELECTORS choose them as in info "
        "--csv: hinge.angle, arm.position, '*.angle'; default: outputs.csv of the model, in the "
        "terminal the first six of them that change. In a picture, channels of one unit share a "
        "panel. Without --output the plot is printed as text. See torsor channels for all names.",
    .options = OPTIONS,
    .run = plot};
