/* SPDX-License-Identifier: Apache-2.0 */
/* Studies on the command line: a line of progress, then a table, JSON, files. See cli.h. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

/* ---- progress ---- */

static bool line; /* stands on the terminal, to be rewritten */

static int show(void *context, const char *words, double share) {
    const cli_settings *settings = context;
    (void)share;
    if (cli_terminal(STDERR_FILENO) && !settings->json && !settings->quiet) {
        fprintf(stderr, "\r%s\033[K", words);
        fflush(stderr);
        line = true;
    }
    return cli_stop != 0;
}

void cli_watch(torsor_options *options, const cli_settings *settings) {
    torsor_watch watch = {.context = (void *)settings, .tell = show};
    torsor_options_watch(options, &watch);
}

void cli_watch_end(void) {
    if (line) fprintf(stderr, "\r\033[K");
    line = false;
}

/* ---- what there is to say ---- */

static int write_form(torsor_study *study, const char *form, const char *path) {
    char *text;
    int status = torsor_study_write(study, form, &text);
    if (status) return cli_fail_status(status);
    int code = cli_write_text(form, path, text);
    torsor_text_free(text);
    return code;
}

static int tell(torsor_study *study, const cli_settings *settings) {
    bool table_on_stdout = settings->csv && strcmp(settings->csv, "-") == 0;
    int code = CLI_DONE;
    if (settings->json)
        code = write_form(study, "json", "-");
    else if (!table_on_stdout)
        code = write_form(study, "text", "-");
    if (!code && settings->csv) code = write_form(study, "csv", settings->csv);
    if (!code && settings->svg) code = write_form(study, "svg", settings->svg);
    return code;
}

int cli_run_study(const cli_settings *settings, cli_study *make) {
    const char *path = settings->arguments > 0 ? settings->argument[0] : NULL;
    torsor_model *model = NULL;
    torsor_study *study = NULL;
    int status = path ? cli_read_model(&model, settings) : 0;
    int code = status ? CLI_DONE : cli_check_output("csv", settings->csv, path, NULL);
    if (!status && !code) code = cli_check_output("svg", settings->svg, path, NULL);
    if (code) {
        torsor_model_free(model);
        return code;
    }
    cli_watch(settings->options, settings);
    if (!status) status = make(&study, model, settings->options);
    cli_watch_end();
    torsor_model_free(model);
    code = status ? cli_fail_file(status, path) : tell(study, settings);
    torsor_study_free(study);
    return code;
}
