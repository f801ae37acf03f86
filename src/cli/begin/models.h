/* SPDX-License-Identifier: Apache-2.0 */
/* Models to begin with, commented, from src/cli/begin/KIND.yaml: for `torsor new` and `init`. */
#ifndef TS_CLI_MODELS_H
#define TS_CLI_MODELS_H

typedef struct cli_model {
    const char *kind, *what;
    const char *text;
} cli_model;

/* Ends with kind == NULL. */
extern const cli_model CLI_MODELS[];

/* The model of a kind; NULL: unknown kind, with a message. */
const cli_model *cli_find_model(const char *kind);

/* Writes a model to a new file, "-": to the standard output, and prints the next commands. Exit
 * code. */
int cli_write_model(const cli_model *model, const char *path, const char *text);

#endif
