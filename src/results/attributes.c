/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of a results file other than rows: attributes (model, options, totals at the end), and
 * the group /model: the text, the tables of the owners of entries (output/family.c), numbers and
 * positions of nodes. See writer.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/sha256.h"
#include "output/catalogue.h"
#include "results/checksum.h"
#include "results/geometry.h"
#include "results/writer.h"

enum { WORD_SIZE = 32 }; /* room of short texts */

#define SUMMARY(name, type) \
    { #name, offsetof(ts_summary, name), type }
static const ts_attribute SUMMARIES[] = {
    SUMMARY(steps, TS_ATTRIBUTE_WHOLE),
    SUMMARY(iterations, TS_ATTRIBUTE_WHOLE),
    SUMMARY(cuts, TS_ATTRIBUTE_WHOLE),
    SUMMARY(factorisations, TS_ATTRIBUTE_WHOLE),
    SUMMARY(seconds, TS_ATTRIBUTE_REAL),
    SUMMARY(worst_balance, TS_ATTRIBUTE_REAL),
    SUMMARY(worst_violation, TS_ATTRIBUTE_REAL),
    SUMMARY(energy_scale, TS_ATTRIBUTE_REAL),
    SUMMARY(energy_noise, TS_ATTRIBUTE_REAL),
    SUMMARY(made, TS_ATTRIBUTE_REAL),
    SUMMARY(made_time, TS_ATTRIBUTE_REAL),
    SUMMARY(unsolved, TS_ATTRIBUTE_REAL),
    SUMMARY(residual, TS_ATTRIBUTE_REAL),
    SUMMARY(size, TS_ATTRIBUTE_REAL),
    SUMMARY(far, TS_ATTRIBUTE_REAL),
    SUMMARY(unstable, TS_ATTRIBUTE_INT),
    SUMMARY(load_factor, TS_ATTRIBUTE_REAL),
    {"resolution_level", offsetof(ts_summary, audit.level), TS_ATTRIBUTE_INT},
};
enum { SUMMARY_COUNT = sizeof SUMMARIES / sizeof *SUMMARIES };

static int put_all(ts_h5 file, const char *object, int count, const ts_attribute *list,
                   const void *from) {
    int status = 0;
    for (int i = 0; i < count && !status; i++) {
        const char *name = list[i].name;
        const void *value = (const char *)from + list[i].offset;
        switch (list[i].type) {
        case TS_ATTRIBUTE_REAL:
            status = ts_h5_put_number(file, object, name, *(const double *)value);
            break;
        case TS_ATTRIBUTE_WHOLE:
            status = ts_h5_put_integer(file, object, name, *(const int64_t *)value);
            break;
        case TS_ATTRIBUTE_INT:
            status = ts_h5_put_integer(file, object, name, *(const int *)value);
            break;
        }
    }
    return status;
}

static int put_word(ts_h5 file, const char *name, const char *text, size_t room) {
    return ts_h5_put_text(file, "/", name, text, room);
}

static const char *analysis_of(const ts_options *o) {
    return o->linear       ? "static, linear"
           : o->arc_length ? "static, arc length"
           : o->statics    ? "static"
                           : "transient";
}

/* What schemes have in common stands by its own name. */
static int put_common(ts_h5 file, const ts_options *o) {
    const ts_scheme *scheme = ts_scheme_find(o->scheme);
    const ts_scheme_parameter *p = scheme ? scheme->parameters : NULL;
    int status = 0;
    for (int i = 0; p && p[i].name && !status; i++)
        if (p[i].reach == TS_COMMON)
            status = ts_h5_put_number(
                file, "/", p[i].name,
                ts_parameter_value(&o->parameters, scheme, p[i].name, strtod(p[i].fallback, NULL)));
    return status;
}

int ts_results_write_attributes(const ts_results *r, const ts_document *document, int64_t first) {
    const char *title = document->model->title ? document->model->title : "";
    char hash[65], now[WORD_SIZE], parameters[TS_PARAMETERS_TEXT];
    const ts_options *o = &document->options;
    ts_sha256_hex(document->text, document->length, hash);
    ts_date(now);
    if (put_word(r->file, "format", "torsor-results", WORD_SIZE) ||
        ts_h5_put_integer(r->file, "/", "format_version", TS_RESULTS_VERSION) ||
        put_word(r->file, "version", TORSOR_VERSION, WORD_SIZE) ||
        put_word(r->file, "title", title, strlen(title)) ||
        put_word(r->file, "model_hash", hash, 64) ||
        put_word(r->file, "model_file", document->source, TS_SOURCE_NAME) ||
        put_word(r->file, "scheme", document->options.scheme, WORD_SIZE) ||
        put_word(r->file, "analysis", analysis_of(&document->options), WORD_SIZE) ||
        put_word(r->file, "solver", document->options.solver, WORD_SIZE) ||
        put_word(r->file, "scheme_parameters",
                 ts_parameters_print(&o->parameters, ts_scheme_find(o->scheme), parameters),
                 sizeof parameters) ||
        put_common(r->file, o) ||
        put_all(r->file, "/", TS_OPTION_COUNT, TS_OPTIONS, &document->options) ||
        ts_h5_put_number(r->file, "/", "step_tolerance", document->options.step_tolerance) ||
        ts_h5_put_number(r->file, "/", "step_energy", document->options.step_energy) ||
        ts_h5_put_number(r->file, "/", "min_step", document->options.min_step) ||
        ts_h5_put_integer(r->file, "/", "exact_every", document->options.exact_every) ||
        ts_h5_put_integer(r->file, "/", "first_step", first) ||
        put_word(r->file, "created", now, WORD_SIZE) ||
        put_word(r->file, "finished", "", WORD_SIZE))
        return TORSOR_EIO;
    int status = put_word(r->file, "status", "running", TS_STATUS_SIZE);
    return status ? status : ts_sums_put_head(r);
}

static int put_resolution(ts_h5 file, const char *text) {
    return ts_h5_put_text(file, "/summary", "resolution", text, TS_RESOLUTION_WORDS);
}

int ts_results_write_summary(const ts_results *r) {
    static const ts_summary unknown = {.steps = -1,
                                       .iterations = -1,
                                       .cuts = -1,
                                       .factorisations = -1,
                                       .seconds = NAN,
                                       .worst_balance = NAN,
                                       .worst_violation = NAN,
                                       .energy_scale = NAN,
                                       .energy_noise = NAN,
                                       .made = NAN,
                                       .made_time = NAN,
                                       .unsolved = NAN,
                                       .residual = NAN,
                                       .size = NAN,
                                       .far = NAN,
                                       .unstable = -1,
                                       .load_factor = NAN,
                                       .audit.level = -1};
    int status = ts_h5_group(r->file, "/summary", "attributes: totals of the run, once closed");
    if (!status) status = put_all(r->file, "/summary", SUMMARY_COUNT, SUMMARIES, &unknown);
    if (!status) status = put_resolution(r->file, "");
    return status ? status : ts_sums_put_end(r);
}

int ts_results_write_end(const ts_results *r, const char *status, const ts_summary *summary) {
    char now[WORD_SIZE];
    ts_date(now);
    if (summary && (put_all(r->file, "/summary", SUMMARY_COUNT, SUMMARIES, summary) ||
                    put_resolution(r->file, summary->audit.text)))
        return TORSOR_EIO;
    if (put_word(r->file, "finished", now, WORD_SIZE) ||
        put_word(r->file, "status", status ? status : "completed", TS_STATUS_SIZE) ||
        ts_sums_put_end(r))
        return TORSOR_EIO;
    return ts_h5_flush(r->file);
}

/* ---- /model ---- */

static int write_table(const ts_results *r, ts_table_id id, const ts_records *t) {
    const ts_table_about *about = &TS_TABLE[id];
    return ts_h5_table_new(r->file, about->path, about->help, about->fields, about->field, t->rows,
                           t->cells);
}

/* An array with a row for every node, all of it at once. */
static int put_by_node(const ts_results *r, ts_h5_array array, const void *data) {
    array.chunk = array.shape[0];
    return ts_h5_array_put(r->file, &array, data);
}

static int write_numbers(const ts_results *r, const ts_model *model, const int64_t *number) {
    ts_h5_array array = {
        .name = "/model/node_numbers",
        .help = "number of a node after its part's name: beam.3, or point 3 of a mesh; 0: the only "
                "node, -1: an inner unknown of an element or a coupling",
        .integer = true,
        .rank = 1,
        .shape = {(uint64_t)model->nodes_count}};
    return put_by_node(r, array, number);
}

static int write_drawn(const ts_results *r, const ts_model *model, const double *place) {
    ts_h5_array array = {.name = "/model/drawn",
                         .unit = "m",
                         .columns = "x y z",
                         .help = "positions of the nodes as drawn",
                         .rank = 2,
                         .shape = {(uint64_t)model->nodes_count, 3}};
    return put_by_node(r, array, place);
}

static int write_tables(const ts_results *r, const ts_subject *subject) {
    ts_contents all;
    int status = 0;
    ts_contents_of_model(&all, subject);
    ts_channels_make(&all.table[TS_CHANNELS_TABLE], &all);
    for (int i = 0; i < TS_TABLES && !status; i++)
        status = write_table(r, (ts_table_id)i, &all.table[i]);
    if (!status) status = write_numbers(r, subject->model, all.number);
    if (!status) status = write_drawn(r, subject->model, all.drawn);
    ts_contents_clear(&all);
    return status;
}

int ts_results_write_model(const ts_results *r, const ts_document *document) {
    ts_subject subject = ts_document_subject(document);
    if (ts_h5_group(r->file, "/model", "what was run") ||
        ts_h5_text_new(r->file, "/model/text", "the model file", document->text,
                       document->length) ||
        write_tables(r, &subject))
        return TORSOR_EIO;
    return ts_geometry_write(r->file, document);
}
