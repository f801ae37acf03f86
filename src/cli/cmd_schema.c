/* SPDX-License-Identifier: Apache-2.0 */
/* torsor schema: the JSON Schema of model files. */
#include <stdio.h>

#include "cli/cli.h"

static const cli_option OPTIONS[] = {{0}};

static int schema(const cli_settings *settings) {
    (void)settings;
    char *text;
    int status = torsor_schema(&text);
    if (status) return cli_fail_status(status);
    fputs(text, stdout);
    torsor_text_free(text);
    return CLI_DONE;
}

const cli_verb CLI_SCHEMA = {
    .name = "schema",
    .help = "print the JSON Schema of model files, for editors",
    .arguments = "",
    .about = "Prints the JSON Schema (2020-12) of model files. Editors use it to complete keys, "
             "show help and underline mistakes: see docs/command-line.md.",
    .options = OPTIONS,
    .run = schema};
