/* SPDX-License-Identifier: Apache-2.0 */
/* torsor spectrum: what schemes do to a vibration, by running them on one. */
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"schemes", 's', CLI_OPTION, 0, "LIST",
     "names separated by commas, with parameters after colons: \"ED,S4-B:alpha=1/36\"; default "
     "EP,ED"},
    {"rho", 0, CLI_OPTION, 0, "LIST",
     "values of rho_inf for the schemes that have it; default 0,0.5,1"},
    {"range", 0, CLI_OPTION, 0, "A,B", "step / period from A to B; default 0.01,10"},
    {"points", 'n', CLI_OPTION, 0, "N", "number of steps in the range; default 31"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw the curves"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {0}};

static int spectrum(torsor_study **out, const torsor_model *model, const torsor_options *options) {
    (void)model;
    return torsor_spectrum(out, options);
}

static int run(const cli_settings *settings) { return cli_run_study(settings, spectrum); }

const cli_verb CLI_SPECTRUM = {
    .name = "spectrum",
    .help = "properties of the schemes for a vibration: radius, damping, period error",
    .arguments = "",
    .least = 0,
    .most = 0,
    .about = "Computes single steps of a mass on a spring with each scheme, for many sizes of the "
             "step, and prints from their eigenvalues the spectral radius, the damping ratio and "
             "the relative error of the period, over step / period.",
    .use = "spectrum",
    .options = OPTIONS,
    .run = run};
