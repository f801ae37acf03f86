/* SPDX-License-Identifier: Apache-2.0 */
/* torsor restart: continue a run from a stored state, bit for bit as if it had never stopped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/cli.h"
#include "cli/rehearsal.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"from", 0, CLI_OPTION, 0, "STEP",
     "begin at the last exact state up to this stored step; default: up to the last stored step"},
    {"time", 0, CLI_OPTION, 0, "TIME",
     "instead of --from: begin at the last exact state up to this time"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "results file; default: RESULTS-from-STEP.h5 in the current folder"},
    {"end", 0, CLI_OPTION, 0, "TIME", "end of the run; default: that of the interrupted run"},
    {"step", 0, CLI_OPTION, 0, "TIME",
     "another step from here on; the time of the state must be a multiple of it"},
    {"rho", 0, CLI_OPTION, 0, "NUMBER",
     "ED: another spectral radius at infinite frequency from here on"},
    {"every", 0, CLI_OPTION, 0, "N", "store every N-th step"},
    {"threads", 't', CLI_OPTION, 0, "N",
     "threads that assemble the equations; results do not depend on their number"},
    {"force", 'f', CLI_FLAG, AT(force), NULL, "replace files that exist, whatever they are"},
    {"json", 0, CLI_FLAG, AT(json), NULL,
     "print one JSON object a line: model, assembly, progress, done"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "print warnings and errors only"},
    {0}};

static void tell_json(const torsor_run *run, const char *path) {
    cli_line line;
    ts_json *j = cli_line_begin(&line, "model");
    cli_json_model(j, run, path);
    cli_json_analysis(j, run);
    ts_json_count(j, "first_step", (long)torsor_run_steps_done(run));
    ts_json_number(j, "t_first", torsor_run_time(run));
    cli_line_end(&line);
    j = cli_line_begin(&line, "assembly");
    cli_json_assembly(j, run);
    cli_line_end(&line);
}

static void tell(const torsor_run *run, const cli_settings *settings, const char *path) {
    cli_warn("WARNING", torsor_run_setup(run)->warnings);
    cli_warn_of_start(run);
    if (settings->json) {
        tell_json(run, path);
    } else if (!settings->quiet) {
        cli_print_model(run, path, false);
        printf("  state       step %lld, t = %g s\n", (long long)torsor_run_steps_done(run),
               torsor_run_time(run));
        cli_print_analysis(run);
        fflush(stdout);
    }
}

static int go_on(torsor_run *run, const cli_settings *settings) {
    const char *path = settings->argument[0], *resumed = torsor_run_resumed(run);
    char suffix[40];
    snprintf(suffix, sizeof suffix, "-from-%lld.h5", (long long)torsor_run_steps_done(run));
    char *name = cli_file_name(path, suffix);
    const char *output = settings->output ? settings->output : name;
    if (*resumed && !settings->quiet) fprintf(stderr, "torsor: %s\n", resumed);
    int code = cli_check_output("results", output, path, NULL);
    if (!code) {
        tell(run, settings, path);
        code = cli_simulate(run, settings, output, NULL);
    }
    free(name);
    return code;
}

static int restart(const cli_settings *settings) {
    torsor_run *run;
    int status = ts_rehearse_results(settings->argument[0]);
    if (!status) status = torsor_run_resume(&run, settings->argument[0], settings->options);
    if (status) return cli_fail_status(status);
    int code = go_on(run, settings);
    torsor_run_free(run);
    return code;
}

const cli_verb CLI_RESTART = {
    .name = "restart",
    .help = "continue a run from a stored state, bit for bit",
    .arguments = "RESULTS.h5",
    .least = 1,
    .most = 1,
    .about =
        "Continues a run that was interrupted, failed or killed, or extends a complete one, from a "
        "state in its results file. The model, the scheme and the step come from the results file; "
        "options change the latter two. Results equal those of the uninterrupted run bit for bit: "
        "about every 50 steps a stored state is exact (outputs: {restart: N}), and a restart "
        "begins at the last exact state that is not after the requested one. With another step or "
        "rho it begins at the requested state itself.",
    .use = "restart",
    .options = OPTIONS,
    .run = restart};
