/* SPDX-License-Identifier: Apache-2.0 */
/* torsor view: a model in the browser, drawn anew whenever its file is saved. */
#include <string.h>
#include <unistd.h>

#include "cli/view/view.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"port", 'p', CLI_COUNT, AT(port), "N", "port at 127.0.0.1; default: any that is free"},
    {"no-browser", 0, CLI_FLAG, AT(no_browser), NULL, "only print the address"},
    CLI_OPTION_SET,
    {0}};

/* The standard input, or a pipe: there, but nothing that an editor saves. */
static bool is_stream(const char *path) {
    return strcmp(path, "-") == 0 || (access(path, F_OK) == 0 && !cli_can_follow(path));
}

static bool is_results_file(const char *path) {
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

static int view(const cli_settings *settings) {
    cli_view v;
    const char *path = settings->argument[0];
    if (is_results_file(path))
        return cli_fail(
            CLI_USAGE,
            "%s: view shows models; for a results file, 'torsor report %s' writes a page", path,
            path);
    if (is_stream(path))
        return cli_fail(CLI_USAGE,
                        "view reads the model again whenever it is saved: give it a file, not '%s'",
                        path);
    cli_catch_signals();
    int code = cli_view_open(&v, settings, path, true);
    if (!code) code = cli_view_follow(&v);
    cli_view_close(&v);
    return code;
}

const cli_verb CLI_VIEW = {
    .name = "view",
    .help = "show a model in the browser while it is written, and run it",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about =
        "Opens a page that draws the model: bodies, joints, supports, loads, a tree of all parts, "
        "degrees of freedom and masses. The page follows the file: each time you save it, the "
        "picture changes, or the page shows the mistakes at their lines. Parameters have sliders; "
        "a button runs the model and shows the motion while it is computed. The page is served to "
        "this computer only, at an address with a random token. Ctrl-C ends it.",
    .use = "run",
    .options = OPTIONS,
    .run = view};
