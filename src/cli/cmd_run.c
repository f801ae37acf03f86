/* torsor run: a model file through time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/resolve.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "results file; default: the model's name with .h5, in the current folder"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE",
     "also write a table: the columns of outputs.csv in the model, or the usual ones"},
    {"report", 0, CLI_FLAG, AT(report), NULL,
     "also make a page for the browser, beside the results file, with .html (see torsor report)"},
    {"no-results", 0, CLI_FLAG, AT(no_results), NULL, "write no results file"},
    {"linear", 0, CLI_FLAG, AT(linear), NULL,
     "of statics: one linear solution about the model as drawn, in place of increments"},
    {"scheme", 0, CLI_TEXT, AT(scheme), "NAME",
     "EP, ED or one for study, in place of the model's; with parameters: newmark:gamma=0.6"},
    {"step", 0, CLI_STEP, AT(step), "TIME",
     "size of a step, such as 1ms or 0.001, or auto; states are stored at about the same times as "
     "before"},
    {"end", 0, CLI_SECONDS, AT(end), "TIME", "end of the run, such as 10s"},
    {"rho", 0, CLI_FRACTION, AT(rho), "NUMBER",
     "ED and some others: spectral radius at infinite frequency, 0 (strongest damping) to 1"},
    {"solver", 0, CLI_TEXT, AT(solver), "NAME",
     "of the linear equations: auto, klu or mumps, in place of the model's"},
    {"threads", 't', CLI_COUNT, AT(threads), "N",
     "threads that set the equations up; the results are the same on any number"},
    {"every", 0, CLI_COUNT, AT(every), "N", "store every N-th step"},
    {"resolve", 0, CLI_FLAG, AT(resolve), NULL,
     "also run with half the step and with a refined mesh, and print error bars"},
    {"channels", 0, CLI_TEXT, AT(channels), "LIST",
     "with --resolve: of what, with commas: hinge.angle,arm.end.position; default: outputs.csv of "
     "the model, or joint coordinates and the positions of bodies, ends of beams, corners"},
    {"jobs", 'j', CLI_COUNT, AT(jobs), "N",
     "with --resolve: runs side by side; default: as many as cores"},
    {"json", 0, CLI_FLAG, AT(json), NULL,
     "print one JSON object a line: model, assembly, progress, done, resolve"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static void tell_json(const cli_session *session, const char *path) {
    cli_line line;
    ts_json *j = cli_line_begin(&line, "model");
    cli_json_model(j, session, path);
    cli_json_analysis(j, &session->document->options);
    cli_line_end(&line);
    j = cli_line_begin(&line, "assembly");
    cli_json_assembly(j, session);
    cli_line_end(&line);
}

static void tell(const cli_session *session, const cli_settings *settings, const char *path) {
    if (settings->json) {
        tell_json(session, path);
    } else if (!settings->quiet) {
        cli_print_model(session, path);
        cli_print_assembly(session);
        cli_print_analysis(&session->document->options, 0);
        fflush(stdout);
    }
}

/* "out/run.h5" -> "out/run.html"; to be freed */
static char *report_name(const char *output) {
    const char *slash = strrchr(output, '/'), *base = slash ? slash + 1 : output;
    const char *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - output) : strlen(output);
    char *name = ts_calloc(stem + 6, 1);
    memcpy(name, output, stem);
    memcpy(name + stem, ".html", 5);
    return name;
}

static int check_report(const cli_settings *settings, const char *output) {
    if (settings->no_results)
        return cli_fail(CLI_USAGE, "--report is made from the results: not with --no-results");
    char *name = report_name(output);
    int code = cli_report_check(name);
    free(name);
    return code;
}

/* Also of a run that failed: then most of all. */
static int report(const cli_settings *settings, const char *output, int code) {
    if (!settings->report || code == CLI_FILE) return code;
    char *name = report_name(output), *results = ts_strdup(output);
    int made = cli_report(1, &results, name, 0);
    if (!made && !settings->quiet && !settings->json) printf("  report:  %s\n", name);
    free(name), free(results);
    return code ? code : made;
}

static int check_paths(const cli_settings *settings, const char *path, const char *output) {
    if (!settings->resolve && (settings->channels || settings->jobs >= 0))
        return cli_fail(CLI_USAGE, "--%s is for --resolve: give both",
                        settings->channels ? "channels" : "jobs");
    if (settings->csv && settings->no_results)
        return cli_fail(CLI_USAGE, "--csv is made from the results: not with --no-results");
    if (settings->csv &&
        (cli_same_file(settings->csv, path) || cli_same_file(settings->csv, output)))
        return cli_fail(CLI_USAGE, "--csv %s: that is the model or the results file",
                        settings->csv);
    if (settings->report) {
        int code = check_report(settings, output);
        if (code) return code;
    }
    return settings->no_results ? CLI_DONE : cli_check_output(output, path);
}

static int simulate(cli_session *session, const cli_settings *settings, const char *output) {
    cli_resolve *beside = NULL;
    int code = settings->resolve ? cli_resolve_begin(&beside, session, settings) : CLI_DONE;
    if (!code) code = cli_simulate(session, settings, output);
    return beside ? cli_resolve_end(beside, settings, output, code) : code;
}

static int run_model(cli_session *session, const cli_settings *settings, const char *output) {
    const char *path = settings->argument[0];
    int code = cli_session_read(session, path, true);
    if (!code) code = cli_session_override(session, settings, path);
    if (!code) code = check_paths(settings, path, output);
    if (code) return code;
    code = cli_session_assemble(session);
    if (code) return cli_fail(code, "%s: %s", path, torsor_error());
    tell(session, settings, path);
    return report(settings, output, simulate(session, settings, output));
}

static int run(const cli_settings *settings) {
    cli_session session = {0};
    char *name = cli_file_name(settings->argument[0], ".h5");
    int code = run_model(&session, settings, settings->output ? settings->output : name);
    cli_session_clear(&session);
    free(name);
    return code;
}

const cli_verb CLI_RUN = {
    .name = "run",
    .help = "read a model, assemble it, follow it through time",
    .arguments = "MODEL.yaml",
    .least = 1,
    .most = 1,
    .about = "Reads the model, closes its joints, runs it, stores states and every step's energies "
             "in a results file, and ends with an energy audit. Options stand above what the model "
             "says. Times take units (1ms, 0.5 s, 2 min); bare ones are in seconds.",
    .options = OPTIONS,
    .run = run};
