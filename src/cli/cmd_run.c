/* SPDX-License-Identifier: Apache-2.0 */
/* torsor run: a model file through time. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/view/view.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "results file; default: the model's name with .h5, in the current folder"},
    {"csv", 0, CLI_TEXT, AT(csv), "FILE",
     "also write a table: the columns of outputs.csv in the model, or the usual ones"},
    {"report", 0, CLI_FLAG, AT(report), NULL,
     "also write a page for the browser, beside the results file, with .html (see torsor report)"},
    {"no-results", 0, CLI_FLAG, AT(no_results), NULL, "write no results file"},
    {"linear", 0, CLI_SWITCH, CLI_NOWHERE, NULL,
     "statics: one linear solution about the model as drawn, instead of increments"},
    CLI_OPTION_SET,
    {"scheme", 0, CLI_OPTION, 0, "NAME",
     "scheme instead of the model's: EP, ED or one for study; with parameters: newmark:gamma=0.6"},
    {"step", 0, CLI_OPTION, 0, "TIME",
     "size of a step, such as 1ms or 0.001, or auto; states are stored at about the same times as "
     "before"},
    {"end", 0, CLI_OPTION, 0, "TIME", "end of the run, such as 10s"},
    {"rho", 0, CLI_OPTION, 0, "NUMBER",
     "ED and some others: spectral radius at infinite frequency, 0 (strongest damping) to 1"},
    {"tolerance", 0, CLI_OPTION, 0, "NUMBER",
     "error that Newton's method may leave in a step, instead of the model's; 1e-15: round-off"},
    {"solver", 0, CLI_OPTION, 0, "NAME",
     "solver of the linear equations, instead of the model's: auto, klu, mumps or krylov"},
    {"threads", 't', CLI_OPTION, 0, "N",
     "threads that assemble the equations; results do not depend on their number"},
    {"every", 0, CLI_OPTION, 0, "N", "store every N-th step"},
    {"resolve", 0, CLI_FLAG, AT(resolve), NULL,
     "also run with half the step and with a refined mesh, and print error bars"},
    {"channels", 0, CLI_BESIDE, 0, "LIST",
     "with --resolve: the channels, separated by commas: hinge.angle,arm.end.position; default: "
     "outputs.csv of the model, or joint coordinates and the positions of bodies, ends of beams, "
     "corners"},
    {"jobs", 'j', CLI_BESIDE, 0, "N",
     "with --resolve: runs in parallel; default: as many as cores"},
    {"view", 0, CLI_FLAG, AT(view), NULL,
     "show the motion in the browser while it is computed; see torsor view --help"},
    {"port", 0, CLI_COUNT, AT(port), "N", "with --view: port at 127.0.0.1; default: any"},
    {"no-browser", 0, CLI_FLAG, AT(no_browser), NULL, "with --view: only print the address"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL,
     "print one JSON object a line: model, assembly, progress, done, resolve"},
    CLI_OPTION_QUIET,
    {"verbose", 'v', CLI_FLAG, AT(verbose), NULL,
     "list every redundant constraint and every impact"},
    {0}};

static void tell_json(const torsor_run *run, const char *path) {
    cli_line line;
    ts_json *j = cli_line_begin(&line, "model");
    cli_json_model(j, run, path);
    cli_json_analysis(j, run);
    cli_line_end(&line);
    j = cli_line_begin(&line, "assembly");
    cli_json_assembly(j, run);
    cli_line_end(&line);
}

static void tell(const torsor_run *run, const cli_settings *settings, const char *path) {
    cli_warn_of_start(run);
    if (settings->json) {
        tell_json(run, path);
    } else if (!settings->quiet) {
        cli_print_model(run, path, settings->verbose);
        cli_print_assembly(run);
        cli_print_analysis(run);
        if (settings->verbose) cli_print_impacts(run, true);
        fflush(stdout);
    }
}

/* ---- the report ---- */

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
    int code = cli_check_output("report", name, settings->argument[0], NULL);
    int status = code ? 0 : torsor_report_check(name);
    free(name);
    return status ? cli_fail_status(status) : code;
}

/* Writes the report, also of a run that failed: then it is needed most. */
static int report(const cli_settings *settings, const char *output, int code) {
    if (!settings->report || code == CLI_FILE) return code;
    char *name = report_name(output);
    int status = torsor_report(1, &output, name, 0);
    int made = status ? cli_fail_status(status) : CLI_DONE;
    if (!made && !settings->quiet && !settings->json) printf("  report:  %s\n", cli_shown(name));
    free(name);
    return code ? code : made;
}

/* ---- error bars ---- */

static torsor_resolve *present; /* for a second Ctrl-C */

static void abandon(void) {
    if (present) torsor_resolve_abandon(present);
}

static int begin_beside(const torsor_run *run, const cli_settings *settings) {
    cli_catch_signals();
    cli_watch(settings->beside, settings);
    int status = torsor_resolve_begin(&present, run, settings->beside);
    cli_abandon = status ? NULL : abandon;
    return status ? cli_fail_status(status) : CLI_DONE;
}

static int tell_bars(torsor_study *study, const cli_settings *settings) {
    char *text;
    if (settings->quiet && !settings->json) return CLI_DONE;
    int status = torsor_study_write(study, settings->json ? "json" : "text", &text);
    if (status) return cli_fail_status(status);
    if (settings->json)
        cli_line_of("resolve", text);
    else
        fputs(text, stdout);
    torsor_text_free(text);
    return CLI_DONE;
}

static int end_beside(const cli_settings *settings, const char *output) {
    torsor_study *study = NULL;
    fflush(stdout);
    int status = torsor_resolve_finish(&study, present, output);
    cli_watch_end();
    cli_warn("warning", torsor_resolve_warnings(present));
    int code = status ? cli_fail_status(status) : tell_bars(study, settings);
    torsor_study_free(study);
    return code;
}

/* ---- the verb ---- */

static int check_paths(const cli_settings *settings, const torsor_model *model, const char *path,
                       const char *output) {
    if (!settings->resolve && settings->beside_name)
        return cli_fail(CLI_USAGE, "--%s needs --resolve: give both", settings->beside_name);
    if (settings->resolve && settings->no_results)
        return cli_fail(CLI_USAGE, "--resolve compares results: not with --no-results");
    if (settings->csv && settings->no_results)
        return cli_fail(CLI_USAGE, "--csv is made from the results: not with --no-results");
    if (settings->csv &&
        (cli_same_file(settings->csv, path) || cli_same_file(settings->csv, output)))
        return cli_fail(CLI_USAGE, "--csv %s: that is the model or the results file",
                        settings->csv);
    int code = settings->report ? check_report(settings, output) : CLI_DONE;
    if (!code) code = cli_check_output("csv", settings->csv, path, NULL);
    return code || settings->no_results ? code : cli_check_output("results", output, path, model);
}

static int simulate(torsor_run *run, const cli_settings *settings, const char *output) {
    int code = settings->resolve ? begin_beside(run, settings) : CLI_DONE;
    if (!code) code = cli_simulate(run, settings, output, present);
    if (!code && present) code = end_beside(settings, output);
    torsor_resolve *done = present;
    present = NULL, cli_abandon = NULL;
    torsor_resolve_free(done);
    return code;
}

/* ---- the browser ---- */

static cli_view viewer;

static int show_step(torsor_run *run) { return cli_view_step(&viewer, run); }

static int simulate_shown(torsor_model *model, torsor_run *run, const cli_settings *settings,
                          const char *output) {
    if (!settings->view) return simulate(run, settings, output);
    cli_catch_signals();
    int code = cli_view_open(&viewer, settings, settings->argument[0], false);
    if (!code) {
        cli_view_attach(&viewer, model, run);
        cli_after_step = show_step;
        code = simulate(run, settings, output);
        cli_view_finish(&viewer, run);
        cli_after_step = NULL;
    }
    cli_view_close(&viewer);
    return code;
}

static int run_model(torsor_model *model, const cli_settings *settings, const char *output) {
    torsor_run *run;
    const char *path = settings->argument[0];
    int code = check_paths(settings, model, path, output);
    if (code) return code;
    cli_warn_of_model(model);
    int status = torsor_run_begin(&run, model, settings->options);
    if (status) return cli_fail_file(status, path);
    tell(run, settings, path);
    code = report(settings, output, simulate_shown(model, run, settings, output));
    torsor_run_free(run);
    return code;
}

static int run_one(const cli_settings *settings) {
    torsor_model *model;
    const char *path = settings->argument[0];
    int status = cli_read_model(&model, settings);
    if (status) return cli_fail_file(status, path);
    char *name = cli_file_name(path, ".h5");
    int code = run_model(model, settings, settings->output ? settings->output : name);
    torsor_model_free(model);
    free(name);
    return code;
}

/* One after the other; one that fails does not keep the others from running. The exit code is the
 * largest. */
static int run(const cli_settings *settings) {
    int worst = CLI_DONE;
    if (settings->arguments > 1 && (settings->output || settings->csv))
        return cli_fail(CLI_USAGE,
                        "--%s names one file, but there are %d models: run them one by "
                        "one, or leave it out",
                        settings->output ? "output" : "csv", settings->arguments);
    for (int i = 0; i < settings->arguments && worst != CLI_INTERRUPTED; i++) {
        cli_settings one = *settings;
        one.argument += i, one.arguments = 1;
        if (i > 0 && !settings->json && !settings->quiet) putchar('\n');
        int code = run_one(&one);
        worst = code > worst ? code : worst;
    }
    return worst;
}

const cli_verb CLI_RUN = {
    .name = "run",
    .help = "run a model: read it, close its joints, compute its motion",
    .arguments = "MODEL.yaml...",
    .least = 1,
    .most = INT_MAX,
    .models = INT_MAX,
    .about = "Reads the model (- is the standard input), closes its joints, runs it, stores states "
             "and every step's energies in a results file, and ends with an energy audit. Options "
             "override the model. Several models run one after the other. Times take units (1ms, "
             "0.5 s, 2 min); without unit they are in seconds.",
    .use = "run",
    .options = OPTIONS,
    .run = run};
