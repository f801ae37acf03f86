/* SPDX-License-Identifier: Apache-2.0 */
/* Files for programs: may one be written at a path, and texts written there. The rule itself is in
 * base/place.c. */
#include <string.h>

#include "api/api.h"
#include "base/error.h"
#include "results/earlier.h"

/* As it was read; NULL when it was changed since, or taken by a run: then any model will do, until
 * the file itself is made. */
static const ts_document *known(const torsor_model *model) {
    return model && model->checked ? model->checked->document : NULL;
}

/* A table has no room for a mark, but its first line is one: that of a study begins so; that of a
 * run has the time, then names of channels, which have a point: "hinge.angle [rad]". */
static bool is_table(const char *path, const void *context) {
    static const char *const study[] = {"step,position,", "scheme,parameters,step,energy,",
                                        "scheme,rho_inf,parameters,ratio,"};
    static const char run[] = "t [s],";
    char start[200] = "";
    (void)context;
    FILE *in = ts_open(path, "r");
    if (!in) return false;
    bool ours = false, any = fgets(start, sizeof start, in);
    ts_close(in);
    for (size_t i = 0; i < sizeof study / sizeof *study; i++)
        ours |= any && strncmp(start, study[i], strlen(study[i])) == 0;
    if (!any || strncmp(start, run, strlen(run)) != 0) return ours;
    const char *name = start + strlen(run);
    return memchr(name, '.', strcspn(name, ",[\n"));
}

ts_output ts_output_table(const char *const *input, int inputs) {
    return (ts_output){
        .what = "a table of torsor", .ours = is_table, .input = input, .inputs = inputs};
}

static ts_output table_of_any(const ts_document *document) {
    (void)document;
    return ts_output_table(NULL, 0);
}

/* Name of a kind of file, and the mark in such files. */
static const struct kind {
    const char *name, *what, *mark;
    ts_output (*make)(const ts_document *document);
    bool text; /* may be written by torsor_output_write */
} KINDS[] = {
    {.name = "results", .make = ts_output_results},
    {.name = "modes", .make = ts_output_modes},
    {.name = "report", .what = "a report", .mark = TS_REPORT_MARK, .text = true},
    {.name = "svg", .what = "a picture of torsor", .mark = TS_STUDY_MARK, .text = true},
    {.name = "xdmf", .what = "an XDMF file of torsor", .mark = TS_EXPORT_MARK, .text = true},
    {.name = "csv", .make = table_of_any, .text = true},
    {.name = "text", .text = true},
    {.name = "json", .text = true},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static const struct kind *find_kind(const char *name) {
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i].name, name) == 0) return &KINDS[i];
    ts_fail(TORSOR_EINVAL, "there is no kind of file '%.60s'", name);
    return NULL;
}

int ts_api_output_check(const char *kind, const char *path, const torsor_model *model) {
    if (!kind || !path) return ts_null_argument("torsor_output_check");
    const struct kind *k = find_kind(kind);
    if (!k) return TORSOR_EINVAL;
    ts_output output =
        k->make ? k->make(known(model)) : (ts_output){.what = k->what, .mark = k->mark};
    return ts_place_check(path, &output);
}

static int put_text(FILE *out, const void *text) {
    fputs(text, out);
    return 0;
}

/* The whole mark as the text has it, with the verb that made it; NULL: there is none. */
static const char *mark_in(const char *text, const char *mark, char *whole, size_t size) {
    const char *start = mark ? strstr(text, mark) : NULL;
    const char *end = start ? strstr(start, "-->") : NULL;
    if (!end || (size_t)(end + 4 - start) > size) return NULL;
    snprintf(whole, size, "%.*s", (int)(end + 3 - start), start);
    return whole;
}

int ts_api_output_write(const char *kind, const char *path, const char *text) {
    if (!kind || !path || !text) return ts_null_argument("torsor_output_write");
    const struct kind *k = find_kind(kind);
    if (!k) return TORSOR_EINVAL;
    if (!k->text) return ts_fail(TORSOR_EINVAL, "'%s' is not a kind of text", kind);
    char mark[80];
    ts_output output =
        k->make ? k->make(NULL)
                : (ts_output){.what = k->what, .mark = mark_in(text, k->mark, mark, sizeof mark)};
    return ts_place_write(path, &output, put_text, text);
}

bool torsor_replace_files(bool any) { return ts_place_force(any); }

int ts_api_results_check(const char *path) {
    if (!path) return ts_null_argument("torsor_results_check");
    return ts_api_output_check("results", path, NULL);
}
