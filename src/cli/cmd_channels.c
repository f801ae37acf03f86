/* SPDX-License-Identifier: Apache-2.0 */
/* torsor channels: the channels of a model or of a results file, with units. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/rehearsal.h"

static const cli_option OPTIONS[] = {CLI_OPTION_SET,
                                     {"json", 0, CLI_FLAG, offsetof(cli_settings, json), NULL,
                                      "print one JSON object, with an entry for every column"},
                                     {"output", 'o', CLI_TEXT, offsetof(cli_settings, output),
                                      "FILE", "write to this file, not to the terminal"},
                                     {"force", 'f', CLI_FLAG, offsetof(cli_settings, force), NULL,
                                      "replace files that exist, whatever they are"},
                                     {0}};

/* Does the file begin as HDF5 does? A pipe is a model: what is read from it is gone. */
static bool is_results(const char *path) {
    static const char SIGNATURE[8] = "\x89HDF\r\n\x1a\n";
    char head[8];
    if (strncmp(path, "/dev/", 5) == 0) return false;
    FILE *file = fopen(path, "rb");
    bool found =
        file && fread(head, sizeof head, 1, file) == 1 && memcmp(head, SIGNATURE, sizeof head) == 0;
    if (file) fclose(file);
    return found;
}

static int of_results(const cli_settings *s, char **text) {
    torsor_results *results;
    int status = ts_rehearse_results(s->argument[0]);
    if (!status) status = torsor_results_open(&results, s->argument[0]);
    if (status) return status;
    status = torsor_results_channels(results, s->arguments - 1,
                                     (const char *const *)s->argument + 1, s->json, text);
    torsor_results_free(results);
    return status;
}

/* `made`: the model itself could be read. */
static int of_model(const cli_settings *s, char **text, bool *made) {
    torsor_model *model;
    char *warnings = NULL;
    int status = cli_read_model(&model, s);
    if (status) return status;
    status = torsor_model_warnings(model, &warnings);
    *made = status == 0;
    if (!status)
        status = torsor_model_channels(model, s->arguments - 1,
                                       (const char *const *)s->argument + 1, s->json, text);
    torsor_text_free(warnings);
    torsor_model_free(model);
    return status;
}

static int channels(const cli_settings *settings) {
    char *text = NULL;
    bool results = is_results(settings->argument[0]), made = results;
    if (results && settings->sets)
        return cli_fail(CLI_USAGE, "--set changes a model; %s is a results file",
                        settings->argument[0]);
    int code = cli_check_output("text", settings->output, settings->argument[0], NULL);
    if (code) return code;
    int status = results ? of_results(settings, &text) : of_model(settings, &text, &made);
    if (status == TORSOR_EINVAL && made && settings->arguments > 1)
        return cli_fail(CLI_USAGE, "%s", torsor_error());
    if (status) return cli_fail_status(status);
    code = cli_write_text("text", settings->output ? settings->output : "-", text);
    torsor_text_free(text);
    return code;
}

const cli_verb CLI_CHANNELS = {
    .name = "channels",
    .help = "list the channels of a model or results file, with units and meaning",
    .arguments = "MODEL.yaml [SELECTORS...]",
    .least = 1,
    .models = 1,
    .most = INT_MAX,
    .about = "Lists the channels that results of a model will have, or that a results file has: "
             "the names for outputs.csv, for info --csv and for Python, with units and meaning. "
             "SELECTORS choose some: arm, hinge.angle, '*.angle'. Nodes and stations of one part "
             "share a line.",
    .options = OPTIONS,
    .run = channels};
