/* SPDX-License-Identifier: Apache-2.0 */
/* Writing modes: one HDF5 file with the group /modes, the state they belong to, and the model. */
#include "results/modes.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/node_names.h"
#include "results/earlier.h"
#include "results/h5.h"

enum { FORMAT_VERSION = 1, METADATA_BYTES = 1 << 16 };

static int put_numbers(ts_h5 file, const char *name, const char *unit, const char *help,
                       const ts_modes *m, size_t offset) {
    double *column = ts_calloc((size_t)m->count + 1, sizeof *column);
    for (int i = 0; i < m->count; i++)
        column[i] = *(const double *)((const char *)&m->mode[i] + offset);
    ts_h5_array array = {.name = name,
                         .unit = unit,
                         .help = help,
                         .rank = 1,
                         .shape = {(uint64_t)m->count},
                         .chunk = (uint64_t)m->count + 1};
    int status = ts_h5_array_put(file, &array, column);
    free(column);
    return status;
}

static int put_masses(ts_h5 file, const ts_modes *m) {
    double *rows = ts_calloc(3 * (size_t)m->count + 1, sizeof *rows);
    for (int i = 0; i < m->count; i++) v3_store(rows + 3 * i, m->mode[i].effective);
    ts_h5_array array = {.name = "/modes/effective_mass",
                         .unit = "kg",
                         .columns = "x y z",
                         .help = "the squares of its momentum; the sum over all modes is the mass",
                         .rank = 2,
                         .shape = {(uint64_t)m->count, 3},
                         .chunk = (uint64_t)m->count + 1};
    int status = ts_h5_array_put(file, &array, rows);
    free(rows);
    return status;
}

static int put_shapes(ts_h5 file, const char *name, const char *help, const ts_modes *m,
                      const double *shape) {
    ts_h5_array array = {.name = name,
                         .unit = "m, rad",
                         .columns = "x y z rx ry rz",
                         .help = help,
                         .rank = 3,
                         .shape = {(uint64_t)m->count, (uint64_t)m->nodes, 6},
                         .chunk = 1};
    return ts_h5_array_put(file, &array, shape);
}

static int put_model(ts_h5 file, const ts_document *document, const ts_system *system) {
    static const ts_table_field FIELD[] = {
        {"part", TS_TABLE_TEXT},    {"number", TS_TABLE_INTEGER}, {"fixed", TS_TABLE_INTEGER},
        {"slot", TS_TABLE_INTEGER}, {"slots", TS_TABLE_INTEGER},  {"mass", TS_TABLE_NUMBER}};
    enum { FIELDS = sizeof FIELD / sizeof *FIELD };
    const ts_model *model = document->model;
    ts_table_cell *cells = ts_calloc((size_t)model->nodes_count * FIELDS, sizeof *cells);
    int64_t *number = ts_calloc((size_t)model->nodes_count, sizeof *number);
    ts_node_numbers(model, number);
    for (int n = 0; n < model->nodes_count; n++) {
        const ts_node *node = &model->nodes[n];
        ts_table_cell *row = cells + n * FIELDS;
        row[0].text = model->parts[node->part].name;
        row[1].integer = number[n] == TS_ONLY_NODE ? 1 : number[n];
        row[2].integer = node->fixed, row[3].integer = node->slot, row[4].integer = node->slots;
        row[5].number = node->mass[0][0];
    }
    ts_h5_array q = {.name = "/modes/q",
                     .unit = "m, 1",
                     .help = "the state of the modes: slots of the nodes, see model/nodes",
                     .rank = 2,
                     .shape = {(uint64_t)model->slots, 3},
                     .chunk = (uint64_t)model->slots};
    int status = ts_h5_group(file, "/model", "what the modes belong to");
    if (!status)
        status =
            ts_h5_text_new(file, "/model/text", "the model file", document->text, document->length);
    if (!status)
        status = ts_h5_table_new(file, "/model/nodes",
                                 "in the order of modes/shape; number: after its part's name, from "
                                 "1; -1: an inner unknown of an element",
                                 FIELDS, FIELD, model->nodes_count, cells);
    if (!status) status = ts_h5_array_put(file, &q, system->state.q);
    free(cells), free(number);
    return status;
}

static int put_modes(ts_h5 file, const ts_modes *m, bool buckling) {
    int status = ts_h5_group(file, "/modes", "one row per mode");
    if (!status && buckling)
        status = put_numbers(file, "/modes/load_factor", "1",
                             "factor of all loads at which the state is indifferent", m,
                             offsetof(ts_mode, factor));
    if (!status && !buckling)
        status = put_numbers(file, "/modes/frequency", "rad/s", "imaginary part of the eigenvalue",
                             m, offsetof(ts_mode, frequency));
    if (!status && !buckling)
        status = put_numbers(file, "/modes/growth", "1/s", "real part: above 0 is unstable", m,
                             offsetof(ts_mode, growth));
    if (!status && !buckling)
        status = put_numbers(file, "/modes/damping", "1", "-growth/|eigenvalue|", m,
                             offsetof(ts_mode, damping));
    if (!status && !buckling && !m->quarter) status = put_masses(file, m);
    if (!status)
        status =
            put_shapes(file, "/modes/shape",
                       "displacement and rotation vector of every node, global axes", m, m->shape);
    if (!status && m->quarter)
        status = put_shapes(file, "/modes/shape_imaginary",
                            "imaginary part: the motion is shape cos(wt) - shape_imaginary sin(wt)",
                            m, m->quarter);
    const double spin[3] = {m->spin.x, m->spin.y, m->spin.z};
    static const char *const axis[] = {"spin_x", "spin_y", "spin_z"};
    for (int i = 0; i < 3 && !status; i++)
        status = ts_h5_put_number(file, "/modes", axis[i], spin[i]);
    return status;
}

static int put_all(ts_h5 file, const ts_document *document, const ts_system *system,
                   const ts_modes *m, bool buckling) {
    const char *title = document->model->title ? document->model->title : "";
    int status = ts_h5_put_text(file, "/", "format", "torsor-modes", 32);
    if (!status) status = ts_h5_put_integer(file, "/", "format_version", FORMAT_VERSION);
    if (!status) status = ts_h5_put_text(file, "/", "version", torsor_version(), 32);
    if (!status) status = ts_h5_put_text(file, "/", "title", title, 256);
    if (!status) status = ts_h5_put_text(file, "/", "model_file", document->source, TS_SOURCE_NAME);
    if (!status) status = put_modes(file, m, buckling);
    return status ? status : put_model(file, document, system);
}

int ts_results_modes(const char *path, const ts_document *document, const ts_system *system,
                     const ts_modes *m, bool buckling) {
    ts_place place;
    ts_h5 file = -1;
    uint64_t shapes = (uint64_t)m->count * (uint64_t)m->nodes * 48 * (m->quarter ? 2 : 1);
    ts_output output = ts_output_modes(document);
    int status = ts_place_begin(&place, path, METADATA_BYTES + document->length + shapes, &output);
    if (!status) {
        status = ts_h5_create(&file, place.draft);
        if (!status) status = put_all(file, document, system, m, buckling);
        int closed = ts_h5_close(file);
        status = status ? status : closed;
        if (status) ts_fail(status, "cannot write %s: %s", path, ts_error_message());
        if (!status) status = ts_place_commit(&place);
    }
    ts_place_clear(&place);
    return status;
}
