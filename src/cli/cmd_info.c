/* SPDX-License-Identifier: Apache-2.0 */
/* torsor info: what is in a results file, as a page, as a table, as the model it came from. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blas.h"
#include "base/memory.h"
#include "base/ranks.h"
#include "cli/cli.h"
#include "cli/rehearsal.h"
#include "server/server.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"csv", 0, CLI_FLAG, AT(columns), NULL,
     "print a table, one line per stored state. SELECTORS choose its columns: top.position, "
     "pivot.force.x, energy, '*.angle'; default: outputs.csv of the model, or the usual ones"},
    {"text", 0, CLI_FLAG, AT(text), NULL, "print the model file that was run"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the page as one JSON object"},
    {"build", 0, CLI_FLAG, AT(build), NULL,
     "show this program instead of results: version, compiler, BLAS library, MPI, HTTP"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE", "write to this file, not to the terminal"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {0}};

/* Without selectors, those of outputs.csv of the model; if the model cannot be read again, the
 * usual ones. */
static int print_csv(torsor_results *results, const cli_settings *settings, const char *path) {
    int count = settings->arguments - 1;
    const char *const *given = (const char *const *)settings->argument + 1;
    if (count > 0) return torsor_results_csv(results, count, given, path);
    char *lines = NULL, **selector;
    if (torsor_results_outputs(results, &lines)) lines = NULL;
    selector = cli_split_lines(lines, &count);
    int status = torsor_results_csv(results, count, (const char *const *)selector, path);
    free(selector);
    torsor_text_free(lines);
    return status;
}

static int print_text(torsor_results *results, const cli_settings *settings, const char *path) {
    char *text;
    int status = settings->text ? torsor_results_text(results, &text)
                                : torsor_results_info(results, settings->json, &text);
    if (status) return cli_fail_status(status);
    int code = cli_write_text("text", path, text);
    torsor_text_free(text);
    return code;
}

/* Columns that do not exist are a mistake of the command line. */
static int fail_columns(const cli_settings *settings, int status) {
    if (status == TORSOR_EINVAL && settings->arguments > 1)
        return cli_fail(CLI_USAGE, "%s", torsor_error());
    return cli_fail_status(status);
}

#ifdef __clang__
#define COMPILER __VERSION__ /* with its name */
#else
#define COMPILER "gcc " __VERSION__
#endif

/* --build: how this program was made. No results file is needed. */
static int tell_build(void) {
    char name[4600];
    printf("torsor    %s\ncompiler  %s\nBLAS      %s\n", torsor_version(), COMPILER,
           ts_blas_name(name, sizeof name));
    const ts_ranks *ranks = ts_ranks_here();
    if (ranks->transport)
        printf("MPI       %s, %d %s now\n", ranks->transport, ranks->count,
               ranks->count == 1 ? "rank" : "ranks");
    else
        printf("MPI       none: torsor-mpi has it\n");
    bool pages = server_http_name(name, sizeof name);
    printf("HTTP      %s%s\n", pages ? "" : "none: ", name);
    return CLI_DONE;
}

static int check_settings(const cli_settings *s) {
    if (s->build && (s->arguments || s->columns || s->text || s->json || s->output))
        return cli_fail(
            CLI_USAGE,
            "--build shows the program itself: give it without a file and without other options");
    if (s->build) return CLI_DONE;
    if (s->arguments < 1)
        return cli_fail(CLI_USAGE, "'info' needs RESULTS.h5, or --build; see 'torsor info --help'");
    if (s->columns + s->text + s->json > 1)
        return cli_fail(CLI_USAGE, "--csv, --text and --json: one at a time");
    if (s->arguments > 1 && !s->columns)
        return cli_fail(CLI_USAGE, "'%.60s' selects a column: give --csv too", s->argument[1]);
    if (s->output && cli_same_file(s->output, s->argument[0]))
        return cli_fail(CLI_USAGE, "--output %s: that is the results file itself", s->output);
    return cli_check_output("text", s->output, NULL, NULL);
}

static int info(const cli_settings *settings) {
    int code = check_settings(settings);
    if (code) return code;
    if (settings->build) return tell_build();
    torsor_results *results;
    const char *path = settings->output ? settings->output : "-";
    int status = ts_rehearse_results(settings->argument[0]);
    if (!status) status = torsor_results_open(&results, settings->argument[0]);
    if (status) return cli_fail_status(status);
    if (!settings->columns)
        code = print_text(results, settings, path);
    else if ((status = print_csv(results, settings, path)))
        code = fail_columns(settings, status);
    torsor_results_free(results);
    return code;
}

const cli_verb CLI_INFO = {
    .name = "info",
    .help = "show the contents of a results file, or print a table from it",
    .arguments = "RESULTS.h5 [SELECTORS...]",
    .least = 0,
    .most = INT_MAX,
    .about = "Shows what was run, how far the run came and whether its energy audit is closed. The "
             "audit is computed again from the stored rows of every step. Files of runs that are "
             "still running, or were killed, can be read too.",
    .options = OPTIONS,
    .run = info};
