/* torsor report: a page of HTML with everything a run has to show, in one file, for any browser.
 *
 * The page itself, program and style, is made from report/ and lies within this program
 * (report/meson.build); here its data are put where it says DATA. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cli/cli.h"
#include "picture/report.h"
#include "results/file.h"
#include "results/place.h"

extern const char ts_report_page[], ts_report_page_end[];

static const char MARK[] = "<!-- DATA -->", OURS[] = "<!doctype html><!-- torsor report -->";

#define AT(field) offsetof(cli_settings, field)
static const cli_option OPTIONS[] = {
    {"output", 'o', CLI_TEXT, AT(output), "FILE",
     "the page; default: the name of the first results file with .html, in the current folder"},
    {"frames", 0, CLI_COUNT, AT(frames), "N",
     "states to play, at most; default: as many as a browser takes lightly, up to 2500"},
    {"quiet", 'q', CLI_FLAG, AT(quiet), NULL, "warnings and errors only"},
    {0}};

/* ---- what the audit says, as at the end of a run ---- */

/* What the model file says; NULL if this torsor cannot read it. */
static ts_document *document_of(const ts_results *results) {
    size_t length;
    const char *text = ts_results_text(results, &length);
    ts_document *document = NULL;
    return ts_document_parse(&document, text, length, "model", NULL) ? NULL : document;
}

static int judge(ts_report_run *run, const ts_document *document, char *audit, size_t size) {
    double ledger[TS_LEDGER_COLUMNS];
    int64_t frames = ts_results_frames(run->results);
    cli_verdict v = {.status = "", .worst_part = ""};
    int status = ts_results_summary(run->results, &v.summary);
    if (!status && frames > 0)
        status = ts_results_rows(run->results, TS_FRAME_LEDGER, frames - 1, 1, ledger);
    if (status) return status;
    if (frames > 0) memcpy(&v.end, ledger, sizeof v.end);
    run->statics = v.statics = document && document->options.statics;
    run->columns = document ? document->csv : NULL;
    run->column_count = document ? document->csv_count : 0;
    run->sound = cli_verdict_audit(&v, audit, size);
    run->audit = audit;
    if (v.summary.steps == 0) run->audit = "no step was made";
    return 0;
}

/* ---- the page ---- */

static int write_page(FILE *out, int count, const ts_report_run *runs, int64_t frames) {
    const char *mark = strstr(ts_report_page, MARK);
    fputs(OURS, out);
    fwrite(ts_report_page, 1, (size_t)(mark - ts_report_page), out);
    int status = ts_report_write(out, count, runs, frames);
    fputs(mark + sizeof MARK - 1, out);
    return status;
}

static int write_file(const ts_place *place, int count, const ts_report_run *runs, int64_t frames) {
    FILE *out = fopen(place->draft, "w");
    if (!out) return ts_fail(TORSOR_EIO, "cannot write %s: %s", place->path, strerror(errno));
    int status = write_page(out, count, runs, frames);
    int wrong = ferror(out) ? EIO : 0;
    if (fclose(out)) wrong = errno;
    if (!status && wrong)
        status = ts_fail(TORSOR_EIO, "cannot write %s: %s", place->path, strerror(wrong));
    return status ? status : ts_place_commit(place);
}

/* Only a report, or nothing, is replaced. */
static int check_place(const char *path) {
    char start[sizeof OURS] = "";
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0) return CLI_DONE;
    FILE *old = fopen(path, "r");
    size_t length = old ? fread(start, 1, sizeof OURS - 1, old) : 0;
    if (old) fclose(old);
    if (length == sizeof OURS - 1 && strcmp(start, OURS) == 0) return CLI_DONE;
    return cli_fail(CLI_FILE, "%s exists and is not a report: not overwritten; choose another name",
                    path);
}

static int check_page(void) {
    if (strstr(ts_report_page, MARK)) return CLI_DONE;
    return cli_fail(CLI_FILE, "this torsor was built without the page of reports: node and npm "
                              "were missing (install them, run `make setup` and build again)");
}

int cli_report_check(const char *output) {
    int code = check_page();
    return code ? code : check_place(output);
}

static int put_page(int count, ts_report_run *runs, const char *output, int64_t frames) {
    ts_place place;
    int status = ts_place_begin(&place, output, 0);
    if (!status) status = write_file(&place, count, runs, frames);
    ts_place_clear(&place);
    return status ? cli_fail_status(status) : CLI_DONE;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

enum { AUDIT = 200 };

int cli_report(int count, char *const *results, const char *output, int64_t frames) {
    int code = cli_report_check(output), status = 0;
    if (code) return code;
    ts_report_run *runs = ts_calloc((size_t)count, sizeof *runs);
    ts_document **documents = ts_calloc((size_t)count, sizeof *documents);
    char *audits = ts_calloc((size_t)count, AUDIT);
    for (int i = 0; i < count && !status; i++) {
        status = ts_results_open(&runs[i].results, results[i]);
        runs[i].name = base_name(results[i]);
        if (!status) documents[i] = document_of(runs[i].results);
        if (!status) status = judge(&runs[i], documents[i], audits + i * AUDIT, AUDIT);
    }
    code = status ? cli_fail_status(status) : put_page(count, runs, output, frames);
    for (int i = 0; i < count; i++)
        ts_results_free(runs[i].results), ts_document_free(documents[i]);
    free(runs), free(audits), free(documents);
    return code;
}

static int report(const cli_settings *s) {
    char *name = cli_file_name(s->argument[0], ".html");
    const char *output = s->output ? s->output : name;
    int code = CLI_DONE;
    for (int i = 0; i < s->arguments && !code; i++)
        if (cli_same_file(output, s->argument[i]))
            code = cli_fail(CLI_USAGE, "--output %s: that is the results file itself", output);
    if (!code && (s->frames == 0 || s->frames == 1))
        code = cli_fail(CLI_USAGE, "--frames %d: two at least", (int)s->frames);
    if (!code) code = cli_report(s->arguments, s->argument, output, s->frames > 0 ? s->frames : 0);
    if (!code && !s->quiet) printf("report: %s\n", output);
    free(name);
    return code;
}

const cli_verb CLI_REPORT = {
    .name = "report",
    .help = "make a page for the browser: verdict, moving picture, plots",
    .arguments = "RESULTS.h5...",
    .least = 1,
    .most = INT_MAX,
    .about =
        "Writes one HTML file that needs nothing else, no network either: the verdict, the "
        "mechanism in motion, energies, any history and its spectrum, the effort of the steps, "
        "the model. Several results files are compared on one page. Also reads files of runs "
        "that still go on or were killed.",
    .options = OPTIONS,
    .run = report};
