/* SPDX-License-Identifier: Apache-2.0 */
/* torsor check: all checks of a model that are possible without a run. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const cli_option OPTIONS[] = {CLI_OPTION_SET,
                                     {"json", 0, CLI_FLAG, offsetof(cli_settings, json), NULL,
                                      "print one JSON object; of several models, a list of them"},
                                     {"quiet", 'q', CLI_FLAG, offsetof(cli_settings, quiet), NULL,
                                      "print problems and warnings only"},
                                     {"mesh", 0, CLI_FLAG, offsetof(cli_settings, mesh), NULL,
                                      "also run the model, once with half the step and once with a "
                                      "refined mesh, and print how much the results change"},
                                     {"verbose", 'v', CLI_FLAG, offsetof(cli_settings, verbose),
                                      NULL, "list every redundant constraint and every impact"},
                                     {0}};

/* ---- JSON ---- */

static void json_diagnostic(ts_json *j, const torsor_mistake *m) {
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "file", m->file);
    ts_json_count(j, "line", m->line);
    ts_json_count(j, "column", m->column);
    ts_json_text(j, "message", m->message);
    if (*m->hint) ts_json_text(j, "hint", m->hint);
    ts_json_close(j, '}');
}

/* A file that cannot be read is a mistake without a line. */
static void json_diagnostics(ts_json *j, const char *path, int status) {
    size_t length = strlen(path);
    const char *why = torsor_error();
    if (strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0) why += length + 2;
    ts_json_open(j, "diagnostics", '[');
    for (int i = 0; status && i < torsor_mistakes(); i++) json_diagnostic(j, torsor_mistake_at(i));
    if (status == TORSOR_EIO)
        json_diagnostic(j, &(torsor_mistake){.file = path, .message = why, .hint = ""});
    ts_json_close(j, ']');
}

static void json_run(ts_json *j, const torsor_run *run, const char *path) {
    ts_json_open(j, "model", '{');
    cli_json_model(j, run, path);
    if (torsor_run_setup(run)->step > 0) cli_json_analysis(j, run);
    ts_json_close(j, '}');
    ts_json_open(j, "assembly", '{');
    cli_json_assembly(j, run);
    ts_json_close(j, '}');
    if (torsor_run_impacts(run) > 0) cli_json_impacts(j, run);
    cli_json_resolution(j, run);
}

static int tell_json(ts_json *j, const torsor_run *run, const char *path, int status) {
    int code = cli_exit_of(status);
    ts_json_open(j, NULL, '{');
    ts_json_text(j, "file", path);
    ts_json_flag(j, "valid", code == CLI_DONE);
    ts_json_count(j, "exit_code", code);
    json_diagnostics(j, path, status);
    if (status && status != TORSOR_EIO && torsor_mistakes() == 0)
        ts_json_text(j, "error", torsor_error());
    if (!status) json_run(j, run, path);
    ts_json_close(j, '}');
    return code;
}

/* ---- text ---- */

/* The audit of resolution for the drawing, with its joints closed. */
static void tell_resolution(const torsor_run *run) {
    char *text;
    if (torsor_run_resolution(run, NULL, &text)) return;
    printf("  resolution  %s\n", text + strlen("resolution: "));
    torsor_text_free(text);
    cli_print_resolution(run, "              ");
}

static void tell(const torsor_run *run, const char *path, bool verbose) {
    cli_print_model(run, path, verbose);
    cli_print_assembly(run);
    if (torsor_run_setup(run)->step > 0)
        cli_print_analysis(run);
    else
        printf("  scheme      none: the model has no 'analysis'\n");
    cli_print_impacts(run, verbose);
    tell_resolution(run);
    printf("%s: no problems\n", cli_shown(path));
}

/* One of the models. */
static int check_model(const cli_settings *settings, ts_json *j) {
    const char *path = settings->argument[0];
    torsor_model *model = NULL;
    torsor_run *run = NULL;
    if (settings->mesh && settings->json)
        return cli_fail(CLI_USAGE, "--mesh prints a table: not with --json");
    int status = cli_read_model(&model, settings), code = CLI_DONE;
    if (!status) cli_warn_of_model(model);
    if (!status) status = torsor_run_new(&run, model);
    if (run) cli_warn_of_start(run), cli_warn_of_blas(torsor_run_setup(run)->solver);
    if (settings->json)
        code = tell_json(j, run, path, status);
    else if (status)
        code = cli_fail_file(status, path);
    else if (!settings->quiet)
        tell(run, path, settings->verbose);
    if (!code && settings->mesh) code = cli_tell_mesh(model);
    torsor_run_free(run);
    torsor_model_free(model);
    return code;
}

/* Every model is checked, whatever the others hold. The exit code is the largest. */
static int check_all(const cli_settings *settings, ts_json *j) {
    int worst = CLI_DONE, wrong = 0;
    char models[TS_WORD];
    for (int i = 0; i < settings->arguments; i++) {
        cli_settings one = *settings;
        one.argument += i, one.arguments = 1;
        if (i > 0 && !settings->json && !settings->quiet) putchar('\n');
        int code = check_model(&one, j);
        worst = code > worst ? code : worst;
        wrong += code != CLI_DONE;
    }
    if (settings->arguments > 1 && !settings->json && !settings->quiet)
        printf("\n%s, %d with problems\n",
               ts_words_count(models, settings->arguments, "model", "models"), wrong);
    return worst;
}

static int check(const cli_settings *settings) {
    ts_json j = {.out = stdout};
    bool list = settings->json && settings->arguments > 1;
    if (list) ts_json_open(&j, NULL, '[');
    int code = check_all(settings, &j);
    if (list) ts_json_close(&j, ']');
    return code;
}

const cli_verb CLI_CHECK = {
    .name = "check",
    .help = "report every mistake in a model, assemble it, run nothing",
    .arguments = "MODEL.yaml...",
    .least = 1,
    .most = INT_MAX,
    .models = INT_MAX,
    .about =
        "Reads each model (- is the standard input) and reports every mistake with its place. Then "
        "closes its joints and prints how far they were open, which constraints are redundant, the "
        "number of degrees of freedom, and whether the mesh resolves the shape as drawn.",
    .options = OPTIONS,
    .run = check};
