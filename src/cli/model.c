/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a verb: the file, with what --set gives it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"

int cli_override(torsor_model *model, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    char *name = ts_strdup(assignment), *end = name + (equals - assignment);
    while (end > name && end[-1] == ' ') end--;
    *end = 0;
    int status = torsor_model_override(model, name, equals + 1);
    free(name);
    return status;
}

/* What was set is read at once: a mistake in it is told before anything else is done. */
static int override_all(torsor_model *model, const cli_settings *settings) {
    char *warnings = NULL;
    int status = 0;
    for (int i = 0; i < settings->sets && !status; i++)
        status = cli_override(model, settings->set[i]);
    if (!status && settings->sets) status = torsor_model_warnings(model, &warnings);
    torsor_text_free(warnings);
    return status;
}

int cli_read_model(torsor_model **out, const cli_settings *settings) {
    int status = torsor_model_read(out, settings->argument[0]);
    if (!status) status = override_all(*out, settings);
    if (status) torsor_model_free(*out), *out = NULL;
    return status;
}
