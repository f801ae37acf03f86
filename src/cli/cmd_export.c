/* SPDX-License-Identifier: Apache-2.0 */
/* torsor export: a results file as a series of VTK's files, or as an XDMF file beside it, for
 * ParaView. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/rehearsal.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"format", 0, CLI_TEXT, AT(format), "FORMAT",
     "vtu (default): a folder with a file per state; xdmf: one small file that refers to the "
     "numbers in the results file"},
    {"output", 'o', CLI_TEXT, AT(output), "PLACE",
     "where to write; default: for vtu a folder, the name of the results file with -vtu, in the "
     "current folder; for xdmf the results file with .xdmf"},
    {"every", 0, CLI_COUNT, AT(every), "N",
     "every N-th stored state; the last one is always included"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static int export_all(torsor_results *results, const cli_settings *s, const char *format) {
    int64_t states;
    char *file, count[TS_WORD];
    bool xdmf = strcmp(format, "xdmf") == 0;
    int status = torsor_results_export(results, format, s->output, s->every < 0 ? 1 : s->every,
                                       &states, &file);
    if (status) return cli_fail_status(status);
    if (!s->quiet)
        printf("%s; open %s in ParaView%s\n", ts_words_count(count, states, "state", "states"),
               cli_shown(file), xdmf ? ", with its reader \"Xdmf3 Reader S\"" : "");
    torsor_text_free(file);
    return CLI_DONE;
}

static int export(const cli_settings *s) {
    torsor_results *results;
    int status = ts_rehearse_results(s->argument[0]);
    if (!status) status = torsor_results_open(&results, s->argument[0]);
    if (status) return cli_fail_status(status);
    int code = export_all(results, s, s->format ? s->format : "vtu");
    torsor_results_free(results);
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
        "rotations, velocities, internal forces of beams, forces of joints. --format xdmf writes "
        "instead one XDMF file that refers to the positions and velocities in the results file, "
        "and a small companion RESULTS-xdmf.h5 for the rest: keep the three together. Files of "
        "runs that are still running, or were killed, can be read too.",
    .options = OPTIONS,
    .run = export};
