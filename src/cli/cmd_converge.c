/* SPDX-License-Identifier: Apache-2.0 */
/* torsor converge: the errors of a ladder of steps against a fine reference, and the orders they
 * fall with (S3 Figs 3 to 5), or of a ladder of meshes. */
#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    CLI_OPTION_SET,
    {"from", 0, CLI_OPTION, 0, "TIME", "the longest step; default: the model's"},
    {"levels", 'n', CLI_OPTION, 0, "N",
     "number of steps, each half as long as the one before; default 5"},
    {"steps", 0, CLI_OPTION, 0, "LIST",
     "instead: the steps themselves, \"4ms,2ms,1ms\"; each has to divide the longest"},
    {"reference", 0, CLI_OPTION, 0, "[SCHEME:]TIME",
     "reference for errors; default: the same scheme, a quarter of the shortest step"},
    {"scheme", 0, CLI_OPTION, 0, "NAME",
     "scheme instead of the model's; with parameters: newmark:gamma=0.6"},
    {"rho", 0, CLI_OPTION, 0, "NUMBER",
     "ED: spectral radius at infinite frequency, 0 (strongest damping) to 1"},
    {"end", 0, CLI_OPTION, 0, "TIME", "end of the runs, such as 1s"},
    {"rms", 0, CLI_SWITCH, CLI_NOWHERE, NULL,
     "root mean square over nodes and times, instead of the largest error"},
    {"mesh", 0, CLI_SWITCH, AT(mesh), NULL,
     "refine the mesh instead of the step: prints what each refinement changes, the order, and the "
     "error of the mesh as drawn. -n counts meshes (default 3)"},
    {"jobs", 'j', CLI_OPTION, 0, "N", "runs in parallel; default: as many as cores"},
    {"svg", 0, CLI_TEXT, AT(svg), "FILE", "draw the errors"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE", "write the numbers as a table; - is the standard output"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print one JSON object"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print no line of progress"},
    {0}};

static int run(const cli_settings *settings) {
    if (settings->mesh && settings->svg)
        return cli_fail(CLI_USAGE, "--mesh prints a table: not with --svg");
    return cli_run_study(settings, torsor_converge);
}

const cli_verb CLI_CONVERGE = {
    .name = "converge",
    .help = "errors and orders of a ladder of steps, or of meshes",
    .arguments = "MODEL.yaml",
    .least = 1,
    .models = 1,
    .most = 1,
    .about = "Runs the model with shorter and shorter steps, in parallel on all cores, and "
             "compares positions, rotations, velocities, forces and moments with a run with a much "
             "shorter step, at the same times. Prints the errors and the orders with which they "
             "fall. With --mesh the step stays and the mesh is refined: for each channel (of "
             "outputs.csv, or the usual ones) the table shows what each refinement changes, and an "
             "estimate of the error with the mesh as drawn.",
    .use = "converge",
    .options = OPTIONS,
    .run = run};
