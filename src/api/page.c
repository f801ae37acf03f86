/* What there is to look at of results: a page of HTML, files for ParaView.
 *
 * The page itself, program and style, is made from report/ and lies within the library
 * (report/meson.build); here its data are put where it says DATA. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/opened.h"
#include "api/verdict.h"
#include "base/error.h"
#include "picture/export.h"
#include "picture/export_xdmf.h"
#include "picture/report.h"
#include "results/place.h"

extern const char ts_report_page[], ts_report_page_end[];

static const char MARK[] = "<!-- DATA -->", OURS[] = "<!doctype html><!-- torsor report -->";
enum { AUDIT = 200 };

/* ---- one of the runs ---- */

typedef struct sheet {
    ts_report_run run;
    ts_document *document; /* NULL if this torsor cannot read it */
    char audit[AUDIT];
} sheet;

static ts_document *document_of(const ts_results *results) {
    size_t length;
    const char *text = ts_results_text(results, &length);
    ts_document *document = NULL;
    return ts_document_parse(&document, text, length, "model", NULL) ? NULL : document;
}

/* What the audit says, as at the end of the run. */
static int judge(sheet *s) {
    ts_report_run *run = &s->run;
    ts_summary summary;
    ts_ledger end = {0};
    double ledger[TS_LEDGER_COLUMNS];
    int64_t frames = ts_results_frames(run->results);
    int status = ts_results_summary(run->results, &summary);
    if (!status && frames > 0)
        status = ts_results_rows(run->results, TS_FRAME_LEDGER, frames - 1, 1, ledger);
    if (status) return status;
    if (frames > 0) memcpy(&end, ledger, sizeof end);
    run->statics = s->document && s->document->options.statics;
    run->columns = s->document ? s->document->csv : NULL;
    run->column_count = s->document ? s->document->csv_count : 0;
    ts_audit_facts facts = {.summary = &summary,
                            .algorithmic = end.algorithmic,
                            .statics = run->statics,
                            .unstable = summary.unstable,
                            .elastic = end.elastic};
    run->sound = ts_audit_judge_energy(&facts, s->audit, AUDIT).good;
    run->audit = summary.steps == 0 ? "no step was made" : s->audit;
    return 0;
}

static int open_sheet(sheet *s, const char *path) {
    const char *slash = strrchr(path, '/');
    s->run.name = slash ? slash + 1 : path;
    int status = ts_results_open(&s->run.results, path);
    if (status) return status;
    s->document = document_of(s->run.results);
    return judge(s);
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
    FILE *out = ts_open(place->draft, "w");
    if (!out) return ts_fail(TORSOR_EIO, "cannot write %s: %s", place->path, strerror(errno));
    int status = write_page(out, count, runs, frames);
    int wrong = ferror(out) ? EIO : 0;
    if (ts_close(out)) wrong = errno;
    if (!status && wrong)
        status = ts_fail(TORSOR_EIO, "cannot write %s: %s", place->path, strerror(wrong));
    return status ? status : ts_place_commit(place);
}

static int put_page(const char *path, int count, const ts_report_run *runs, int64_t frames) {
    ts_place place;
    int status = ts_place_begin(&place, path, 0);
    if (!status) status = write_file(&place, count, runs, frames);
    ts_place_clear(&place);
    return status;
}

/* Only a report, or nothing, is replaced. */
int ts_api_report_check(const char *path) {
    if (!path) return ts_null_argument("torsor_report_check");
    if (!strstr(ts_report_page, MARK))
        return ts_fail(TORSOR_EIO, "this torsor was built without the page of reports: node and "
                                   "npm were missing (install them, run `make setup` and build "
                                   "again)");
    char start[sizeof OURS] = "";
    struct stat about;
    if (stat(path, &about) || !S_ISREG(about.st_mode) || about.st_size == 0) return 0;
    FILE *old = ts_open(path, "r");
    size_t length = old ? fread(start, 1, sizeof OURS - 1, old) : 0;
    if (old) ts_close(old);
    if (length == sizeof OURS - 1 && strcmp(start, OURS) == 0) return 0;
    return ts_fail(TORSOR_EIO,
                   "%s exists and is not a report: not overwritten; choose another name", path);
}

int ts_api_report(int count, const char *const *results, const char *path, int64_t frames) {
    if (!results || !path) return ts_null_argument("torsor_report");
    if (count < 1) return ts_fail(TORSOR_EINVAL, "a report shows one run at least, not %d", count);
    for (int i = 0; i < count; i++)
        if (!results[i]) return ts_null_argument("torsor_report");
    int status = ts_api_report_check(path);
    if (status) return status;
    if (frames < 0 || frames == 1)
        return ts_fail(TORSOR_EINVAL, "a report plays two states at least, not %lld",
                       (long long)frames);
    sheet *sheets = ts_calloc((size_t)count, sizeof *sheets);
    ts_report_run *runs = ts_calloc((size_t)count, sizeof *runs);
    ts_lock_libraries();
    for (int i = 0; i < count && !status; i++) {
        status = open_sheet(&sheets[i], results[i]);
        runs[i] = sheets[i].run;
    }
    if (!status) status = put_page(path, count, runs, frames);
    for (int i = 0; i < count; i++)
        ts_results_free(sheets[i].run.results), ts_document_free(sheets[i].document);
    ts_unlock_libraries();
    free(sheets), free(runs);
    return status;
}

/* ---- files for ParaView ---- */

/* "dir/run.h5" with another ending, with or without its folder; to be freed. */
static char *named_after(const char *path, bool folder, const char *ending) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.'), *from = folder ? path : base;
    size_t stem = (size_t)((dot && dot > base ? dot : base + strlen(base)) - from);
    char *name = ts_calloc(stem + strlen(ending) + 1, 1);
    memcpy(name, from, stem);
    memcpy(name + stem, ending, strlen(ending));
    return name;
}

static int export_vtu(torsor_results *r, const char *place, int64_t every, int64_t *states,
                      char **file) {
    char *name = named_after(r->path, false, ""), *own = named_after(r->path, false, "-vtu");
    const char *folder = place ? place : own;
    size_t room = strlen(folder) + strlen(name) + 6;
    *file = ts_calloc(room, 1);
    snprintf(*file, room, "%s/%s.pvd", folder, name);
    int status = ts_export_vtu(r->file, folder, name, every, states);
    free(name), free(own);
    return status;
}

static int export_xdmf(torsor_results *r, const char *place, int64_t every, int64_t *states,
                       char **file) {
    *file = place ? ts_strdup(place) : named_after(r->path, true, ".xdmf");
    return ts_export_xdmf(r->file, *file, every, states);
}

static const struct {
    const char *name;
    int (*write)(torsor_results *r, const char *place, int64_t every, int64_t *states, char **file);
} FORMATS[] = {{"vtu", export_vtu}, {"xdmf", export_xdmf}};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof *FORMATS };

int ts_api_results_export(torsor_results *r, const char *format, const char *place, int64_t every,
                          int64_t *states, char **file) {
    if (!r || !format) return ts_null_argument("torsor_results_export");
    int64_t count = 0;
    char *made = NULL;
    if (file) *file = NULL;
    if (every < 1) return ts_option_fail("every", "0", "expected 1 or more");
    int which = 0;
    while (which < FORMAT_COUNT && strcmp(FORMATS[which].name, format) != 0) which++;
    if (which == FORMAT_COUNT) return ts_option_fail("format", format, "expected vtu or xdmf");
    ts_lock_libraries();
    int status = FORMATS[which].write(r, place, every, &count, &made);
    ts_unlock_libraries();
    if (states) *states = count;
    if (file && !status)
        *file = ts_give(made);
    else
        free(made);
    return status;
}
