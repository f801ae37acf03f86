/* torsor info: what is in a results file, as a page, as a table, as the model it came from. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"csv", 0, CLI_FLAG, AT(columns), NULL,
     "print a table, one line per stored state. SELECTORS choose its columns: top.position, "
     "pivot.force.x, energy; default: outputs.csv of the model, or the usual ones"},
    {"text", 0, CLI_FLAG, AT(text), NULL, "print the model file that was run"},
    {"json", 0, CLI_FLAG, AT(json), NULL, "print the page as one JSON object"},
    {"output", 'o', CLI_TEXT, AT(output), "FILE", "write there, not to the terminal"},
    {0}};

/* Without selectors, those that the model asked for. */
static int print_csv(ts_results *results, const cli_settings *settings, FILE *out) {
    int count = settings->arguments - 1;
    if (count > 0) return ts_results_csv(results, count, settings->argument + 1, out);
    size_t length;
    const char *text = ts_results_text(results, &length);
    ts_document *document = NULL;
    if (ts_document_parse(&document, text, length, settings->argument[0], NULL)) document = NULL;
    int status = ts_results_csv(results, document ? document->csv_count : 0,
                                document ? document->csv : NULL, out);
    ts_document_free(document);
    return status;
}

static int print(ts_results *results, const cli_settings *settings, FILE *out) {
    if (settings->columns) return print_csv(results, settings, out);
    if (!settings->text) return ts_results_info(results, out, settings->json);
    size_t length;
    const char *text = ts_results_text(results, &length);
    fwrite(text, 1, length, out);
    return 0;
}

/* Columns that do not exist are a mistake of the command line. */
static int fail_print(const cli_settings *settings, int status) {
    if (status == TORSOR_EINVAL && settings->arguments > 1)
        return cli_fail(CLI_USAGE, "%s", torsor_error());
    return cli_fail_status(status);
}

static int print_file(ts_results *results, const cli_settings *settings) {
    const char *path = settings->output;
    FILE *out = fopen(path, "w");
    if (!out) return cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(errno));
    int status = print(results, settings, out);
    int wrong = ferror(out) ? EIO : 0;
    if (fclose(out)) wrong = errno;
    if (status) return fail_print(settings, status);
    return wrong ? cli_fail(CLI_FILE, "cannot write %s: %s", path, strerror(wrong)) : CLI_DONE;
}

static int check_settings(const cli_settings *s) {
    if (s->columns + s->text + s->json > 1)
        return cli_fail(CLI_USAGE, "--csv, --text and --json: one at a time");
    if (s->arguments > 1 && !s->columns)
        return cli_fail(CLI_USAGE, "'%.60s' would be a column: give --csv too", s->argument[1]);
    if (s->output && cli_same_file(s->output, s->argument[0]))
        return cli_fail(CLI_USAGE, "--output %s: that is the results file itself", s->output);
    return CLI_DONE;
}

static int info(const cli_settings *settings) {
    int code = check_settings(settings);
    if (code) return code;
    ts_results *results;
    int status = ts_results_open(&results, settings->argument[0]);
    if (status) return cli_fail_status(status);
    if (settings->output)
        code = print_file(results, settings);
    else if ((status = print(results, settings, stdout)))
        code = fail_print(settings, status);
    ts_results_free(results);
    return code;
}

const cli_verb CLI_INFO = {
    .name = "info",
    .help = "tell what is in a results file, or print a table from it",
    .arguments = "RESULTS.h5 [SELECTORS...]",
    .least = 1,
    .most = INT_MAX,
    .about =
        "Tells what was run, how far it came and whether its energy audit closed; the audit is "
        "made anew from the rows of every step. Also reads files of runs that still go on or "
        "were killed.",
    .options = OPTIONS,
    .run = info};
