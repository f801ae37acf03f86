/* torsor export: a results file as a series of VTK's files, or as an XDMF file beside it, for ParaView. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "picture/export.h"
#include "picture/export_xdmf.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"format", 0, CLI_TEXT, AT(format), "FORMAT",
     "vtu (default): a folder with a file per state; xdmf: one light file beside the results, "
     "whose numbers it refers to"},
    {"output", 'o', CLI_TEXT, AT(output), "PLACE",
     "where to write; default: for vtu a folder, the name of the results file with -vtu, in the "
     "current folder; for xdmf the results file with .xdmf"},
    {"every", 0, CLI_COUNT, AT(every), "N",
     "every N-th stored state; the last one is always there"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static int tell(int status, const cli_settings *s, int64_t states, const char *file,
                const char *reader) {
    char count[CLI_WORD];
    if (status) return cli_fail_status(status);
    if (!s->quiet)
        printf("%s; open %s in ParaView%s\n", cli_count(count, states, "state", "states"), file,
               reader);
    return CLI_DONE;
}

static int export_vtu(ts_results *results, const cli_settings *s) {
    int64_t states = 0;
    char *name = cli_file_name(s->argument[0], ""), *own = cli_file_name(s->argument[0], "-vtu");
    const char *folder = s->output ? s->output : own;
    size_t room = strlen(folder) + strlen(name) + 6;
    char *file = ts_calloc(room, 1);
    snprintf(file, room, "%s/%s.pvd", folder, name);
    int status = ts_export_vtu(results, folder, name, s->every, &states);
    int code = tell(status, s, states, file, "");
    free(name), free(own), free(file);
    return code;
}

/* Beside the results file: its folder, then its name. */
static int export_xdmf(ts_results *results, const cli_settings *s) {
    int64_t states = 0;
    const char *path = s->argument[0], *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    char *name = cli_file_name(path, ".xdmf");
    size_t room = (size_t)folder + strlen(name) + 1;
    char *own = ts_calloc(room, 1);
    snprintf(own, room, "%.*s%s", folder, path, name);
    const char *file = s->output ? s->output : own;
    int status = ts_export_xdmf(results, file, s->every, &states);
    int code = tell(status, s, states, file, ", with its reader \"Xdmf3 Reader S\"");
    free(name), free(own);
    return code;
}

static int export(const cli_settings *s) {
    bool xdmf = s->format && strcmp(s->format, "xdmf") == 0;
    if (s->every == 0) return cli_fail(CLI_USAGE, "--every 0: one at least");
    if (s->format && !xdmf && strcmp(s->format, "vtu") != 0)
        return cli_fail(CLI_USAGE, "--format %s: expected vtu or xdmf", s->format);
    ts_results *results;
    int status = ts_results_open(&results, s->argument[0]);
    if (status) return cli_fail_status(status);
    int code = xdmf ? export_xdmf(results, s) : export_vtu(results, s);
    ts_results_free(results);
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
        "instead one XDMF file, whose places and velocities are those in the results file, and a "
        "small companion RESULTS-xdmf.h5 for the rest: keep the three together. Also reads files "
        "of runs that still go on or were killed.",
    .options = OPTIONS,
    .run = export};
