/* SPDX-License-Identifier: Apache-2.0 */
/* torsor check --mesh: the error of the discretisation, by one refinement.
 *
 * The model is run as it is, with half the step and with a refined mesh (torsor_resolve), with its
 * results in a temporary folder. The differences show the errors of step and mesh, for every column
 * that the model requests. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

enum { PATH_SIZE = 512 };

static int run_beside(torsor_run *run, const char *results, torsor_study **study) {
    torsor_options *options = NULL;
    torsor_resolve *beside = NULL;
    int status = torsor_options_new(&options, "resolve");
    if (!status) status = torsor_resolve_begin(&beside, run, options);
    if (!status) status = torsor_run_record(run, results);
    if (!status) status = torsor_run_to(run, INFINITY);
    if (!status) status = torsor_run_complete(run);
    int closed = torsor_run_finish(run);
    if (!status) status = closed;
    if (!status) status = torsor_resolve_finish(study, beside, results);
    if (!status) cli_warn("warning", torsor_resolve_warnings(beside));
    torsor_resolve_free(beside);
    torsor_options_free(options);
    return status;
}

static int tell(torsor_study *study) {
    char *text;
    int status = torsor_study_write(study, "text", &text);
    if (status) return cli_fail_status(status);
    fputs(text, stdout);
    torsor_text_free(text);
    return CLI_DONE;
}

int cli_tell_mesh(const torsor_model *model) {
    const char *place = getenv("TMPDIR");
    char folder[PATH_SIZE], results[PATH_SIZE + 16];
    torsor_run *run = NULL;
    torsor_study *study = NULL;
    snprintf(folder, sizeof folder, "%s/torsor-mesh-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder)) return cli_fail(CLI_FILE, "cannot make a temporary folder: %s", folder);
    snprintf(results, sizeof results, "%s/results.h5", folder);
    int status = torsor_run_new(&run, model);
    bool runs = !status && torsor_run_setup(run)->step > 0;
    if (runs) status = run_beside(run, results, &study);
    torsor_run_free(run);
    unlink(results), rmdir(folder);
    int code = status ? cli_fail_status(status) : CLI_DONE;
    if (!code && !runs) code = cli_fail(CLI_MODEL, "--mesh runs the model: it needs an 'analysis'");
    if (!code) code = tell(study);
    torsor_study_free(study);
    return code;
}
