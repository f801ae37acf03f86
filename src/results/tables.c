/* The tables of a results file that say what its rows are of: nodes, parts, coordinates, conditions, points of sections. See
 * results_writer.h. */
#include <stdlib.h>

#include "base/error.h"
#include "model/node_names.h"
#include "parts/surfaces/shell_site.h"
#include "reader/points.h"
#include "results/geometry.h"
#include "results/writer.h"

static void fill_nodes(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    static const char *const kind[] = {"point", "director", "frame"};
    for (int64_t n = 0; n < r->entries[TS_EACH_NODE]; n++, row += TS_NODE_FIELDS) {
        const ts_node *node = &model->nodes[n];
        row[TS_NODE_PART].text = model->parts[node->part].name;
        row[TS_NODE_KIND].text = kind[node->kind];
        row[TS_NODE_FIXED].integer = node->fixed;
        row[TS_NODE_SLOT].integer = node->slot;
        row[TS_NODE_SLOTS].integer = node->slots;
        row[TS_NODE_MASS].number = node->mass[0][0];
    }
}

static void fill_parts(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    (void)r;
    int reactions = 0;
    for (int p = 0; p < model->parts_count; p++, row += TS_PART_FIELDS) {
        const ts_part *part = &model->parts[p];
        row[TS_PART_NAME].text = part->name;
        row[TS_PART_KIND].text = part->kind ? part->kind->name : "";
        row[TS_PART_SECTION].text = part->kind ? part->kind->section : "";
        row[TS_PART_REACTION].integer = ts_part_reacts(part) ? reactions++ : -1;
    }
}

static void fill_coordinates(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    for (int64_t c = 0; c < r->entries[TS_EACH_COORDINATE]; c++, row += TS_COORDINATE_FIELDS) {
        const ts_coordinate *coordinate = &model->coordinates[c];
        row[TS_COORDINATE_PART].text = model->parts[coordinate->part].name;
        row[TS_COORDINATE_NAME].text = coordinate->name;
        row[TS_COORDINATE_UNIT].text = coordinate->angle ? "rad" : "m";
    }
}

static void fill_conditions(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    for (int64_t c = 0; c < r->entries[TS_EACH_CONDITION]; c++, row += TS_CONDITION_FIELDS) {
        const ts_row *condition = &model->rows[c];
        row[TS_CONDITION_PART].text = model->parts[model->sites[condition->site].part].name;
        row[TS_CONDITION_LABEL].text = condition->label;
        row[TS_CONDITION_DRIVE].integer = condition->drive;
        row[TS_CONDITION_REDUNDANT].integer = condition->redundant;
    }
}

static void fill_stations(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    for (int64_t k = 0; k < r->entries[TS_EACH_STATION]; k++, row += TS_STATION_FIELDS) {
        const ts_site *site = &model->sites[r->station[k]];
        const ts_part *part = &model->parts[site->part];
        row[TS_STATION_PART].text = part->name;
        row[TS_STATION_ELEMENT].integer = (r->station[k] - part->site) / (site->nodes - 1) + 1;
        row[TS_STATION_ARC].number = site->arc;
        row[TS_STATION_WEIGHT].number = site->weight;
    }
}

static void fill_outputs(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    for (int64_t k = 0; k < r->entries[TS_EACH_OUTPUT]; k++, row += TS_OUTPUT_FIELDS) {
        row[TS_OUTPUT_PART].text = model->parts[r->output[k].part].name;
        row[TS_OUTPUT_ARC].number = r->output[k].arc;
    }
}

/* The number of the element of the k-th of a list of sites, from 1 in each part: `last` is that of the site before. */
static int64_t element_of(const ts_model *model, const int *sites, int64_t k, int64_t last) {
    const ts_site *site = &model->sites[sites[k]], *before = k ? &model->sites[sites[k - 1]] : NULL;
    if (!before || before->part != site->part) return 1;
    return before->node == site->node ? last : last + 1;
}

static void fill_solid_points(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    int64_t element = 0;
    for (int64_t k = 0; k < r->entries[TS_EACH_SOLID_POINT]; k++, row += TS_SOLID_POINT_FIELDS) {
        const ts_site *site = &model->sites[r->solid_point[k]];
        element = element_of(model, r->solid_point, k, element);
        row[TS_SOLID_POINT_PART].text = model->parts[site->part].name;
        row[TS_SOLID_POINT_ELEMENT].integer = element;
        for (int i = 0; i < 3; i++)
            row[TS_SOLID_POINT_X + i].number = model->numbers[site->place + i];
        row[TS_SOLID_POINT_VOLUME].number = site->weight;
    }
}

static void fill_shell_points(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    int64_t element = 0;
    for (int64_t k = 0; k < r->entries[TS_EACH_SHELL_POINT]; k++, row += TS_SHELL_POINT_FIELDS) {
        const ts_site *site = &model->sites[r->shell_point[k]];
        const double *numbers = model->numbers + site->data;
        element = element_of(model, r->shell_point, k, element);
        row[TS_SHELL_POINT_PART].text = model->parts[site->part].name;
        row[TS_SHELL_POINT_ELEMENT].integer = element;
        for (int i = 0; i < 3; i++) row[TS_SHELL_POINT_X + i].number = numbers[TS_SHELL_PLACE + i];
        row[TS_SHELL_POINT_AREA].number = site->weight;
        row[TS_SHELL_POINT_THICKNESS].number = numbers[TS_SHELL_THICKNESS];
    }
}

static void fill_measures(const ts_results *r, const ts_model *model, ts_h5_cell *row) {
    (void)r, (void)model;
    for (int m = 0; m < TS_GAUGES; m++, row += TS_MEASURE_FIELDS) {
        const ts_gauge_about *about = &TS_GAUGE[m];
        row[TS_MEASURE_NAME].text = about->name;
        row[TS_MEASURE_WHAT].text = about->what;
        row[TS_MEASURE_UNIT].text = about->unit;
        row[TS_MEASURE_TOLD].number = about->told;
        row[TS_MEASURE_COARSE].number = about->coarse;
        row[TS_MEASURE_REJECTED].number = about->rejected;
    }
}

/* ---- the tables ---- */

typedef struct table {
    const char *name, *help;
    int fields;
    const ts_h5_field *field;
    ts_each each; /* one row of the table for each of these */
    void (*fill)(const ts_results *r, const ts_model *model, ts_h5_cell *row);
} table;

static const table TABLES[] = {
    {"/model/nodes",
     ("the slots of a node in q: position, then (director) one or (frame) three directors, the "
      "columns of its rotation"),
     TS_NODE_FIELDS, TS_NODE_FIELD, TS_EACH_NODE, fill_nodes},
    {"/model/coordinates", "in the order of frames/coordinate and frames/coordinate_rate",
     TS_COORDINATE_FIELDS, TS_COORDINATE_FIELD, TS_EACH_COORDINATE, fill_coordinates},
    {"/model/stations",
     ("in the order of frames/section_force and frames/section_strain; arc: along the line from "
      "the start of the beam, weight: the length a station stands for"),
     TS_STATION_FIELDS, TS_STATION_FIELD, TS_EACH_STATION, fill_stations},
    {"/model/output_stations",
     ("in the order of frames/output_force and frames/output_strain; arc: along the line from "
      "the start of the beam"),
     TS_OUTPUT_FIELDS, TS_OUTPUT_FIELD, TS_EACH_OUTPUT, fill_outputs},
    {"/model/shell_points",
     ("in the order of frames/shell_force and frames/shell_strain; x, y, z: as drawn, area: that "
      "a point stands for"),
     TS_SHELL_POINT_FIELDS, TS_SHELL_POINT_FIELD, TS_EACH_SHELL_POINT, fill_shell_points},
    {"/model/solid_points",
     "in the order of frames/solid_stress; x, y, z: as drawn, volume: that a point stands for",
     TS_SOLID_POINT_FIELDS, TS_SOLID_POINT_FIELD, TS_EACH_SOLID_POINT, fill_solid_points},
    {"/model/conditions",
     ("in the order of frames/lambda and frames/kappa; drive: prescribed motion; redundant: "
      "repeats others and is left out"),
     TS_CONDITION_FIELDS, TS_CONDITION_FIELD, TS_EACH_CONDITION, fill_conditions},
    {"/model/measures",
     ("in the order of frames/resolution; told, coarse, rejected: thresholds of the value, NaN "
      "where no step is rejected"),
     TS_MEASURE_FIELDS, TS_MEASURE_FIELD, TS_EACH_MEASURE, fill_measures},
};

/* No series has an entry for every part. */
static const table PARTS = {
    "/model/parts", "reaction: index in frames/force and frames/moment, or -1",
    TS_PART_FIELDS, TS_PART_FIELD,
    TS_EACH_COUNT,  fill_parts};

static int write_table(const ts_results *r, const ts_model *model, const table *t, int64_t rows) {
    ts_h5_cell *cells = ts_calloc((size_t)rows * (size_t)t->fields + 1, sizeof *cells);
    t->fill(r, model, cells);
    int status = ts_h5_table_new(r->file, t->name, t->help, t->fields, t->field, rows, cells);
    free(cells);
    return status;
}

/* ---- names of nodes ---- */

/* An array with a row for every node, all of it at once. */
static int put_by_node(const ts_results *r, ts_h5_array array, const void *data) {
    ts_h5 set;
    int rank;
    uint64_t shape[3];
    array.chunk = array.shape[0];
    if (ts_h5_array_new(r->file, &array) || ts_h5_dataset(&set, r->file, array.name, &rank, shape))
        return TORSOR_EIO;
    int status = ts_h5_write(set, array.integer, 0, (int64_t)array.shape[0], data);
    ts_h5_dataset_close(set);
    return status;
}

static int write_numbers(const ts_results *r, const ts_model *model) {
    uint64_t count = (uint64_t)model->nodes_count;
    ts_h5_array array = {
        .name = "/model/node_numbers",
        .help = "the number of a node behind its part's name: beam.3, or point 3 of a mesh; "
                "0: the only node, -1: an inner unknown of an element",
        .integer = true,
        .rank = 1,
        .shape = {count}};
    int64_t *number = ts_calloc(count, sizeof *number);
    ts_node_numbers(model, number);
    int status = put_by_node(r, array, number);
    free(number);
    return status;
}

static int write_drawn(const ts_results *r, const ts_model *model) {
    uint64_t count = (uint64_t)model->nodes_count;
    ts_h5_array array = {.name = "/model/drawn",
                         .unit = "m",
                         .columns = "x y z",
                         .help = "where nodes are as drawn",
                         .rank = 2,
                         .shape = {count, 3}};
    double *place = ts_calloc(3 * count, sizeof *place);
    for (uint64_t n = 0; n < count; n++) v3_store(place + 3 * n, model->nodes[n].x);
    int status = put_by_node(r, array, place);
    free(place);
    return status;
}

typedef struct names {
    const ts_model *model;
    ts_h5_cell *cells; /* NULL: only counting */
    int64_t rows;
} names;

static void take_name(void *context, int part, const char *word, int node) {
    names *n = context;
    ts_h5_cell *row = n->cells ? n->cells + n->rows * TS_NAME_FIELDS : NULL;
    n->rows++;
    if (!row) return;
    row[TS_NAME_PART].text = n->model->parts[part].name;
    row[TS_NAME_WORD].text = ts_strdup(word);
    row[TS_NAME_NODE].integer = node;
}

static void take_names(const ts_document *document, names *all) {
    ts_node_aliases(document->model, take_name, all);
    ts_named_points(document, take_name, all);
}

static int write_names(const ts_results *r, const ts_document *document) {
    names all = {.model = document->model};
    take_names(document, &all);
    all.cells = ts_calloc((size_t)all.rows * TS_NAME_FIELDS + 1, sizeof *all.cells);
    all.rows = 0;
    take_names(document, &all);
    int status =
        ts_h5_table_new(r->file, "/model/names",
                        "other names of nodes: ends of beams and cables, sets of one point, places "
                        "of the section points, points of a mesh whose node another part made",
                        TS_NAME_FIELDS, TS_NAME_FIELD, all.rows, all.cells);
    for (int64_t i = 0; i < all.rows; i++)
        free((char *)all.cells[i * TS_NAME_FIELDS + TS_NAME_WORD].text);
    free(all.cells);
    return status;
}

int ts_results_write_model(const ts_results *r, const ts_document *document) {
    const ts_model *model = document->model;
    if (ts_h5_group(r->file, "/model", "what was run") ||
        ts_h5_text_new(r->file, "/model/text", "the model file", document->text,
                       document->length) ||
        write_table(r, model, &PARTS, model->parts_count))
        return TORSOR_EIO;
    for (size_t i = 0; i < sizeof TABLES / sizeof *TABLES; i++)
        if (write_table(r, model, &TABLES[i], r->entries[TABLES[i].each])) return TORSOR_EIO;
    return write_numbers(r, model) || write_drawn(r, model) || write_names(r, document) ||
           ts_geometry_write(r->file, document);
}
