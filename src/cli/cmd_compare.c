/* SPDX-License-Identifier: Apache-2.0 */
/* torsor compare: compares schemes on one model: what they preserve, their accuracy and their cost.
 * */
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    CLI_OPTION_SET,
    {"schemes", 's', CLI_OPTION, 0, "LIST",
     "names separated by commas, with parameters after colons: \"ED,EP,newmark:gamma=0.6\", or "
     "all; default ED,EP,generalized_alpha"},
    {"step", 0, CLI_OPTION, 0, "TIME", "the longest step; default: the model's"},
    {"levels", 'n', CLI_OPTION, 0, "N",
     "number of steps for the comparison of work and precision, each half as long as the one "
     "before; default 3"},
    {"steps", 0, CLI_OPTION, 0, "LIST",
     "instead: the steps themselves, \"4ms,2ms,1ms\"; each has to divide the longest"},
    {"reference", 0, CLI_OPTION, 0, "[SCHEME:]TIME",
     "reference for errors; default: ED, a quarter of the shortest step"},
    {"rho", 0, CLI_OPTION, 0, "NUMBER",
     "spectral radius at infinite frequency, for the schemes that have it"},
    {"end", 0, CLI_OPTION, 0, "TIME", "end of the runs, such as 1s"},
    {"rms", 0, CLI_SWITCH, CLI_NOWHERE, NULL,
     "root mean square over nodes and times, instead of the largest error"},
    {"jobs", 'j', CLI_OPTION, 0, "N",
     "runs in parallel; default: as many as cores. Use 1 for processor times: parallel runs "
     "disturb each other"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw it"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print no line of progress"},
    {0}};

static int run(const cli_settings *settings) { return cli_run_study(settings, torsor_compare); }

const cli_verb CLI_COMPARE = {
    .name = "compare",
    .help = "what schemes preserve, how accurate they are, what they cost",
    .arguments = "MODEL.yaml",
    .least = 1,
    .models = 1,
    .most = 1,
    .about = "Runs the model by several schemes with several steps, in parallel on all cores. "
             "Prints for each scheme the errors of energy, momenta and constraints, its iterations "
             "and processor time, and its errors against a run with a much shorter step.",
    .use = "compare",
    .options = OPTIONS,
    .run = run};
