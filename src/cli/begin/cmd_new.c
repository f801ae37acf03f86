/* SPDX-License-Identifier: Apache-2.0 */
/* torsor new: a commented model that runs, to be changed into one's own. */
#include <stdio.h>
#include <string.h>

#include "cli/begin/models.h"
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "the file to write, - for the standard output; default: KIND.yaml in the current folder"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace a file that exists"},
    {0}};

static int make(const cli_settings *s) {
    char path[64];
    const cli_model *model = cli_find_model(s->argument[0]);
    if (!model) return CLI_USAGE;
    if (s->output && s->arguments > 1)
        return cli_fail(CLI_USAGE, "the file is given twice: '%.60s' and --output %.60s",
                        s->argument[1], s->output);
    snprintf(path, sizeof path, "%s.yaml", model->kind);
    const char *given = s->arguments > 1 ? s->argument[1] : s->output;
    return cli_write_model(model, given ? given : path, model->text);
}

const cli_verb CLI_NEW = {
    .name = "new",
    .help = "write a commented model that runs: pendulum, four-bar, beam, rotor, robot",
    .arguments = "KIND [MODEL.yaml]",
    .least = 1,
    .most = 2,
    .about = "Writes a model file to start from. KIND is pendulum (a rigid rod on a hinge), "
             "four-bar (a linkage with a driven crank), beam (a flexible cantilever), rotor (an "
             "unbalanced disc on a flexible shaft) or robot (an arm with motors and PID control). "
             "Change the file in an editor, then use torsor check and torsor run.",
    .options = OPTIONS,
    .run = make};
