/* SPDX-License-Identifier: Apache-2.0 */
/* What there is to look at of results: a page of HTML, files for ParaView.
 *
 * The page itself, program and style, is made from report/ and lies within the library: see
 * picture/page_frame.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/opened.h"
#include "base/error.h"
#include "base/place.h"
#include "picture/export.h"
#include "picture/export_xdmf.h"
#include "picture/page_frame.h"
#include "picture/report.h"

extern const char ts_report_page[], ts_report_page_end[];

/* ---- one of the runs ---- */

typedef struct sheet {
    ts_report_run run;
    ts_document *document; /* NULL if this torsor cannot read it */
    ts_verdict_told told;
} sheet;

static ts_document *document_of(const ts_results *results) {
    size_t length;
    const char *text = ts_results_text(results, &length);
    ts_document *document = NULL;
    return ts_document_parse(&document, text, length, "model", NULL) ? NULL : document;
}

/* The text of the audit, as at the end of the run. */
static int judge(sheet *s) {
    ts_report_run *run = &s->run;
    int status = ts_results_judge(run->results, &s->told);
    run->statics = s->document && s->document->options.statics;
    run->columns = s->document ? s->document->csv : NULL;
    run->column_count = s->document ? s->document->csv_count : 0;
    run->document = s->document;
    run->sound = s->told.judged.good, run->audit = s->told.text;
    return status;
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

/* What a page shows. */
typedef struct page_order {
    int count;
    const ts_report_run *runs;
    int64_t frames;
} page_order;

static int put_runs(FILE *out, const void *context) {
    const page_order *o = context;
    return ts_report_write(out, o->count, o->runs, o->frames);
}

static ts_page_frame frame_of(const page_order *order) {
    return (ts_page_frame){ts_report_page, "reports", put_runs, order};
}

static int check_page(const char *path, int count, const char *const *results) {
    ts_page_frame frame = frame_of(NULL);
    ts_output output = ts_page_frame_output(count, results);
    int status = ts_page_frame_check(&frame);
    return status ? status : ts_place_check(path, &output);
}

/* Only a report, or nothing, is replaced. */
int ts_api_report_check(const char *path) {
    if (!path) return ts_null_argument("torsor_report_check");
    return check_page(path, 0, NULL);
}

int ts_api_report(int count, const char *const *results, const char *path, int64_t frames) {
    if (!results || !path) return ts_null_argument("torsor_report");
    if (count < 1) return ts_fail(TORSOR_EINVAL, "a report shows at least one run, not %d", count);
    for (int i = 0; i < count; i++)
        if (!results[i]) return ts_null_argument("torsor_report");
    int status = check_page(path, count, results);
    if (status) return status;
    if (frames < 0 || frames == 1)
        return ts_fail(TORSOR_EINVAL, "a report plays at least two states, not %lld",
                       (long long)frames);
    sheet *sheets = ts_calloc((size_t)count, sizeof *sheets);
    ts_report_run *runs = ts_calloc((size_t)count, sizeof *runs);
    page_order order = {count, runs, frames};
    ts_page_frame frame = frame_of(&order);
    ts_lock_libraries();
    for (int i = 0; i < count && !status; i++) {
        status = open_sheet(&sheets[i], results[i]);
        runs[i] = sheets[i].run;
    }
    if (!status) status = ts_page_frame_write(&frame, path, count, results);
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
