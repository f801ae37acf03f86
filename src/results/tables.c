/* SPDX-License-Identifier: Apache-2.0 */
/* The group /model of a results file: the text, the tables that say what its rows are of
 * (output/family.c), numbers and places of nodes. See writer.h. */
#include "base/error.h"
#include "output/catalogue.h"
#include "results/geometry.h"
#include "results/writer.h"

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
        .help = "the number of a node behind its part's name: beam.3, or point 3 of a mesh; "
                "0: the only node, -1: an inner unknown of an element or a coupling",
        .integer = true,
        .rank = 1,
        .shape = {(uint64_t)model->nodes_count}};
    return put_by_node(r, array, number);
}

static int write_drawn(const ts_results *r, const ts_model *model, const double *place) {
    ts_h5_array array = {.name = "/model/drawn",
                         .unit = "m",
                         .columns = "x y z",
                         .help = "where nodes are as drawn",
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
