/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a verb: the file, with what --set gives it. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stream.h"
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

/* "with --set crank=0.9 (the file has 0.2 m):" goes before the mistakes: their lines do not show what
 * was changed. `memory` is the note so far. */
static void note(const torsor_model *model, const char *set, FILE *memory) {
    char path[200], *value = NULL;
    snprintf(path, sizeof path, "parameters.%.*s", (int)strcspn(set, "= "), set);
    if (torsor_model_get(model, path, &value) == 0)
        fprintf(memory, "torsor: with --set '%s' (the file has %s):\n", set, value);
    torsor_text_free(value);
}

/* Values of --set are read first, so their mistakes are reported first. */
static int override_all(torsor_model *model, const cli_settings *settings) {
    char *warnings = NULL;
    ts_text *notes = ts_text_begin();
    int status = 0;
    for (int i = 0; i < settings->sets && !status; i++) {
        note(model, settings->set[i], notes->out);
        status = cli_override(model, settings->set[i]);
    }
    if (!status && settings->sets) status = torsor_model_warnings(model, &warnings);
    char *text = ts_text_end(notes);
    if (status == TORSOR_EINVAL) fputs(text, stderr);
    free(text);
    torsor_text_free(warnings);
    return status;
}

int cli_read_model(torsor_model **out, const cli_settings *settings) {
    int status = torsor_model_read(out, settings->argument[0]);
    if (!status) status = override_all(*out, settings);
    if (status) torsor_model_free(*out), *out = NULL;
    return status;
}
