/* torsor export: a results file as a series of VTK's files, for ParaView. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "io/export.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FOLDER",
     "where to write; default: the name of the results file with -vtu, in the current folder"},
    {"every", 0, CLI_COUNT, AT(every), "N",
     "every N-th stored state; the last one is always there"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static int write_files(ts_results *results, const cli_settings *s, const char *folder,
                       const char *name) {
    int64_t files;
    char count[CLI_WORD];
    int status = ts_export_vtu(results, folder, name, s->every, &files);
    if (status) return cli_fail_status(status);
    if (!s->quiet)
        printf("%s; open %s/%s.pvd in ParaView\n", cli_count(count, files, "state", "states"),
               folder, name);
    return CLI_DONE;
}

static int export(const cli_settings *s) {
    ts_results *results;
    if (s->every == 0) return cli_fail(CLI_USAGE, "--every 0: one at least");
    int status = ts_results_open(&results, s->argument[0]);
    if (status) return cli_fail_status(status);
    char *name = cli_file_name(s->argument[0], ""), *folder = cli_file_name(s->argument[0], "-vtu");
    int code = write_files(results, s, s->output ? s->output : folder, name);
    ts_results_free(results);
    free(name), free(folder);
    return code;
}

const cli_verb CLI_EXPORT = {
    .name = "export",
    .help = "write files for ParaView",
    .arguments = "RESULTS.h5",
    .least = 1,
    .most = 1,
    .about =
        "Writes a folder with one VTU file per stored state and a PVD file that lists them with "
        "their times: nodes, beams and other cells, shapes of bodies, joints; displacements, "
        "rotations, velocities, internal forces of beams, forces of joints. Also reads files of "
        "runs that still go on or were killed.",
    .options = OPTIONS,
    .run = export};
