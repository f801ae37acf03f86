/* SPDX-License-Identifier: Apache-2.0 */
/* torsor report: a page of HTML with everything a run has to show, in one file, for any browser. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/rehearsal.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "the page; default: the name of the first results file with .html, in the current folder"},
    {"frames", 0, CLI_COUNT, AT(frames), "N",
     "maximum number of states to play; default: as many as a browser plays smoothly, up to 2500"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static int report(const cli_settings *s) {
    char *name = cli_file_name(s->argument[0], ".html");
    const char *output = s->output ? s->output : name;
    int code = CLI_DONE;
    for (int i = 0; i < s->arguments && !code; i++)
        if (cli_same_file(output, s->argument[i]))
            code = cli_fail(CLI_USAGE, "--output %s: that is the results file itself", output);
    if (!code && (s->frames == 0 || s->frames == 1))
        code = cli_fail(CLI_USAGE, "--frames %d: expected 2 or more", (int)s->frames);
    const char *const *results = (const char *const *)s->argument;
    int status = 0;
    for (int i = 0; i < s->arguments && !code && !status; i++)
        status = ts_rehearse_results(s->argument[i]);
    if (!code && !status)
        status = torsor_report(s->arguments, results, output, s->frames > 0 ? s->frames : 0);
    if (status) code = cli_fail_status(status);
    if (!code && !s->quiet) printf("report: %s\n", cli_shown(output));
    free(name);
    return code;
}

const cli_verb CLI_REPORT = {
    .name = "report",
    .help = "write a page for the browser: verdict, animation, plots",
    .arguments = "RESULTS.h5...",
    .least = 1,
    .most = INT_MAX,
    .about = "Writes one HTML file that works without a network: the verdict, the mechanism in "
             "motion, energies, any history and its spectrum, the effort of the steps, the model. "
             "Several results files are compared on one page. Files of runs that are still "
             "running, or were killed, can be read too.",
    .options = OPTIONS,
    .run = report};
