/* SPDX-License-Identifier: Apache-2.0 */
/* Models to begin with. See models.h. */
#include "cli/begin/models.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stream.h"
#include "base/units.h"
#include "cli/cli.h"

#define MODEL(name) extern const char cli_model_##name[]
MODEL(pendulum);
MODEL(four_bar);
MODEL(beam);
MODEL(rotor);
MODEL(robot);

const cli_model CLI_MODELS[] = {
    {"pendulum", "a rigid rod on a hinge", cli_model_pendulum},
    {"four-bar", "a linkage with a driven crank", cli_model_four_bar},
    {"beam", "a flexible cantilever that vibrates", cli_model_beam},
    {"rotor", "an unbalanced disc on a flexible shaft", cli_model_rotor},
    {"robot", "an arm with motors and PID control", cli_model_robot},
    {0}};

const cli_model *cli_find_model(const char *kind) {
    const char *nearest = NULL;
    int best = INT_MAX;
    for (const cli_model *m = CLI_MODELS; m->kind; m++) {
        if (strcmp(m->kind, kind) == 0) return m;
        if (ts_word_closer(kind, strlen(kind), m->kind, &best)) nearest = m->kind;
    }
    cli_fail(CLI_USAGE,
             "there is no model '%.60s': expected pendulum, four-bar, beam, rotor or robot%s%s%s",
             kind, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return NULL;
}

/* The comments at the top name files after the kind: they get the name of this file. */
static char *with_name(const cli_model *model, const char *path, const char *text) {
    char *stem = cli_file_name(path, "");
    size_t length = strlen(model->kind);
    ts_text *out = ts_text_begin();
    bool comment = true; /* of the lines before the first that is none */
    for (const char *c = text; *c;) {
        if (c == text || c[-1] == '\n') comment = comment && *c == '#';
        const char *behind = c + length;
        if (comment && strncmp(c, model->kind, length) == 0 &&
            (strncmp(behind, ".yaml", 5) == 0 || strncmp(behind, ".h5", 3) == 0))
            fputs(stem, out->out), c = behind;
        else
            fputc(*c++, out->out);
    }
    free(stem);
    return ts_text_end(out);
}

int cli_write_model(const cli_model *model, const char *path, const char *text) {
    int code = cli_check_output("text", path, NULL, NULL);
    if (code) return code;
    char *named = strcmp(path, "-") == 0 ? NULL : with_name(model, path, text);
    code = cli_write_text("text", path, named ? named : text);
    free(named);
    if (code || strcmp(path, "-") == 0) return code;
    const char *name = cli_shown(path);
    printf("%s: %s\n"
           "check it:  torsor check %s\n"
           "see it:    torsor view %s\n"
           "run it:    torsor run %s --report\n",
           name, model->what, name, name, name);
    return CLI_DONE;
}
