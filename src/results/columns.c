/* Every column that a results file could give, by name: "top.position.x", "pivot.angle.rate",
 * "energy.kinetic". One list, for tables (results_csv.c), for messages about unknown names, and for
 * the histories of a report.
 */
#include "results/columns.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/rotation.h"
#include "model/node_names.h"
#include "results/cell_values.h"

static void add(ts_catalogue *list, ts_column item, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(ts_catalogue *list, ts_column item, const char *format, ...) {
    char name[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    ts_grow(list->items, list->room, list->count + 1);
    item.name = ts_strdup(name);
    list->items[list->count++] = item;
}

void ts_catalogue_clear(ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i].name);
    free(list->items);
    ts_node_values_free(list->inside);
    *list = (ts_catalogue){0};
}

static const char AXIS[] = "xyz";

/* Three components, one after the other in the row. */
static void add_vector(ts_catalogue *list, ts_column item, const char *owner,
                       const char *quantity) {
    for (int k = 0; k < 3; k++, item.index++) add(list, item, "%s.%s.%c", owner, quantity, AXIS[k]);
}

/* ---- the ts_catalogue ---- */

static void add_frame(ts_catalogue *list, const char *owner, int64_t node, int64_t directors) {
    static const char *const director[] = {"orientation.d1", "orientation.d2", "orientation.d3"};
    ts_column q = {.series = TS_FRAME_Q, .unit = "1", .index = directors};
    for (int k = 0; k < 3; k++, q.index += 3) add_vector(list, q, owner, director[k]);
    for (int k = 0; k < 4; k++) {
        ts_column c = {.series = TS_FRAME_Q, .unit = "1", .index = directors, .how = TS_QUATERNION};
        c.component = k;
        add(list, c, "%s.quaternion.%c", owner, "sxyz"[k]);
    }
    for (int k = 0; k < 3; k++) {
        ts_column c = {.series = TS_FRAME_Q, .unit = "rad", .index = directors, .how = TS_TURNED};
        c.component = k;
        add(list, c, "%s.rotation_vector.%c", owner, AXIS[k]);
    }
    add_vector(list, (ts_column){.series = TS_FRAME_OMEGA, .unit = "rad/s", .index = 3 * node},
               owner, "omega");
}

/* Columns from `first` on: of the node or station with this number; how many there are. */
static void set_ordinal(ts_catalogue *list, size_t first, int ordinal) {
    for (size_t i = first; i < list->count; i++) list->items[i].ordinal = ordinal;
}

static void set_siblings(ts_catalogue *list, size_t first, int siblings) {
    for (size_t i = first; i < list->count; i++) list->items[i].siblings = siblings;
}

typedef struct section_series {
    const char *name; /* "section": Gauss points; "station": what outputs.stations asks for */
    ts_series_id force, strain;
} section_series;

static void add_station(ts_catalogue *list, const char *part, const section_series *of, int ordinal,
                        int64_t station) {
    static const struct {
        const char *force, *force_unit, *strain, *strain_unit;
    } name[TS_SECTION_WIDTH] = {
        {"N", "N", "Gamma1", "1"},      {"Q2", "N", "Gamma2", "1"},
        {"Q3", "N", "Gamma3", "1"},     {"M1", "N m", "kappa1", "1/m"},
        {"M2", "N m", "kappa2", "1/m"}, {"M3", "N m", "kappa3", "1/m"},
    };
    ts_column c = {.index = TS_SECTION_WIDTH * station};
    for (int k = 0; k < TS_SECTION_WIDTH; k++, c.index++) {
        c.series = of->force, c.unit = name[k].force_unit;
        add(list, c, "%s.%s.%d.%s", part, of->name, ordinal, name[k].force);
        c.series = of->strain, c.unit = name[k].strain_unit;
        add(list, c, "%s.%s.%d.%s", part, of->name, ordinal, name[k].strain);
    }
}

/* The stations of a beam, numbered from 1. They come in the order of parts, as nodes do. */
typedef struct stations {
    int64_t count, next;
    const ts_h5_cell *table;
} stations;

static void add_stations(ts_catalogue *list, const char *part, stations *s) {
    static const section_series of = {"section", TS_FRAME_SECTION_FORCE, TS_FRAME_SECTION_STRAIN};
    size_t first = list->count;
    int ordinal = 1;
    for (; s->next < s->count; ordinal++, s->next++) {
        const ts_h5_cell *row = s->table + s->next * TS_STATION_FIELDS;
        size_t before = list->count;
        if (strcmp(row[TS_STATION_PART].text, part) != 0) break;
        add_station(list, part, &of, ordinal, s->next);
        set_ordinal(list, before, ordinal);
    }
    set_siblings(list, first, ordinal - 1);
}

/* These come in the order of outputs.stations, each beam's together. */
static void add_outputs(ts_catalogue *list, int64_t count, const ts_h5_cell *table) {
    static const section_series of = {"station", TS_FRAME_OUTPUT_FORCE, TS_FRAME_OUTPUT_STRAIN};
    const char *last = "";
    int ordinal = 0;
    for (int64_t k = 0; k < count; k++) {
        const char *part = table[k * TS_OUTPUT_FIELDS + TS_OUTPUT_PART].text;
        ordinal = strcmp(part, last) == 0 ? ordinal + 1 : 1;
        add_station(list, last = part, &of, ordinal, k);
    }
}

/* ---- nodes ---- */

/* What the file says of them. */
typedef struct node_tables {
    int64_t nodes, names;
    ts_h5_cell *node, *name;
    int64_t *number; /* behind the part's name, see model/node_names.h */
    double *drawn;   /* places as drawn, by node; NULL: not known */
} node_tables;

static void add_displacement(ts_catalogue *list, const char *owner, int64_t slot,
                             const double *drawn) {
    ts_column c = {.series = TS_FRAME_Q, .unit = "m", .index = 3 * slot, .how = TS_MOVED};
    for (int k = 0; k < 3; k++, c.index++) {
        c.drawn = drawn[k];
        add(list, c, "%s.displacement.%c", owner, AXIS[k]);
    }
}

/* Stress or section forces: the mean of what the cells of the part around the node have there. */
static void add_inside(ts_catalogue *list, const char *owner, int64_t n, const char *part) {
    static const char *const stress[] = {"s11", "s22", "s33", "s12", "s23", "s13"};
    static const char *const force[] = {"n11", "n22", "n12", "m11", "m22", "m12", "q1", "q2"};
    ts_column c = {.series = TS_FRAME_SOLID_STRESS, .unit = "Pa", .how = TS_AT_NODE};
    c.inside = list->inside, c.part = part, c.node = n;
    if (!c.inside || !part) return;
    if (ts_node_values_at(c.inside, n, part, TS_CELL_SOLIDS)) {
        for (c.component = 0; c.component < TS_STRESS_WIDTH; c.component++)
            add(list, c, "%s.stress.%s", owner, stress[c.component]);
        c.how = TS_MISES_AT_NODE;
        add(list, c, "%s.stress.mises", owner);
    }
    if (ts_node_values_at(c.inside, n, part, TS_CELL_SURFACES)) {
        c.series = TS_FRAME_SHELL_FORCE, c.how = TS_AT_NODE;
        for (c.component = 0; c.component < TS_SHELL_WIDTH; c.component++) {
            c.unit = c.component >= 3 && c.component < 6 ? "N" : "N/m";
            add(list, c, "%s.shell_force.%s", owner, force[c.component]);
        }
    }
}

static void add_motion(ts_catalogue *list, const char *owner, int64_t n, const ts_h5_cell *row) {
    const char *kind = row[TS_NODE_KIND].text;
    bool usual = !row[TS_NODE_FIXED].integer;
    int64_t x = 3 * row[TS_NODE_SLOT].integer;
    add_vector(list, (ts_column){.series = TS_FRAME_Q, .unit = "m", .index = x, .usual = usual},
               owner, "position");
    add_vector(list, (ts_column){.series = TS_FRAME_V, .unit = "m/s", .index = x}, owner,
               "velocity");
    if (strcmp(kind, "director") == 0)
        add_vector(list, (ts_column){.series = TS_FRAME_Q, .unit = "1", .index = x + 3}, owner,
                   "director");
    if (strcmp(kind, "frame") == 0) add_frame(list, owner, n, x + 3);
}

static void add_node(ts_catalogue *list, const char *owner, int64_t n, const char *part,
                     const node_tables *all) {
    const ts_h5_cell *row = all->node + n * TS_NODE_FIELDS;
    add_motion(list, owner, n, row);
    if (all->drawn) add_displacement(list, owner, row[TS_NODE_SLOT].integer, all->drawn + 3 * n);
    add_inside(list, owner, n, ts_node_values_part(list->inside, part));
}

/* The nodes of a part with several are told apart by their numbers, from 1. */
static void add_nodes(ts_catalogue *list, const node_tables *all, stations *s) {
    int ordinal = 1;
    size_t first = 0, before;
    for (int64_t n = 0; n < all->nodes; n++) {
        const ts_h5_cell *row = all->node + n * TS_NODE_FIELDS;
        before = list->count;
        if (ordinal == 1) first = before;
        const char *part = row[TS_NODE_PART].text;
        bool more =
            n + 1 < all->nodes && strcmp(row[TS_NODE_FIELDS + TS_NODE_PART].text, part) == 0;
        bool several = more || ordinal > 1;
        int64_t number = all->number[n] > 0 ? all->number[n] : ordinal;
        char owner[400];
        snprintf(owner, sizeof owner, several ? "%s.%ld" : "%s", part, (long)number);
        if (all->number[n] != TS_NAMELESS_NODE) add_node(list, owner, n, part, all);
        if (several) set_ordinal(list, before, ordinal);
        if (several && !more) set_siblings(list, first, ordinal);
        ordinal = more ? ordinal + 1 : 1;
        if (!more) add_stations(list, part, s);
    }
}

/* The columns of a node once more, under another of its names. */
static void add_alias(ts_catalogue *list, const ts_h5_cell *name, const node_tables *all) {
    size_t first = list->count;
    int64_t n = name[TS_NAME_NODE].integer;
    char owner[400];
    snprintf(owner, sizeof owner, "%s.%s", name[TS_NAME_PART].text, name[TS_NAME_WORD].text);
    if (n >= 0 && n < all->nodes) add_node(list, owner, n, name[TS_NAME_PART].text, all);
    for (size_t i = first; i < list->count; i++)
        list->items[i].alias = true, list->items[i].usual = false;
}

static void add_parts(ts_catalogue *list, int64_t parts, const ts_h5_cell *table) {
    for (int64_t p = 0; p < parts; p++) {
        const ts_h5_cell *row = table + p * TS_PART_FIELDS;
        int64_t at = 3 * row[TS_PART_REACTION].integer;
        if (at < 0) continue;
        add_vector(list, (ts_column){.series = TS_FRAME_FORCE, .unit = "N", .index = at},
                   row[TS_PART_NAME].text, "force");
        add_vector(list, (ts_column){.series = TS_FRAME_MOMENT, .unit = "N m", .index = at},
                   row[TS_PART_NAME].text, "moment");
        add_vector(list,
                   (ts_column){.series = TS_FRAME_RELATIVE_DISPLACEMENT, .unit = "m", .index = at},
                   row[TS_PART_NAME].text, "relative_displacement");
        add_vector(list,
                   (ts_column){.series = TS_FRAME_RELATIVE_ROTATION, .unit = "rad", .index = at},
                   row[TS_PART_NAME].text, "relative_rotation");
    }
}

static void add_coordinates(ts_catalogue *list, int64_t count, const ts_h5_cell *table) {
    for (int64_t c = 0; c < count; c++) {
        const ts_h5_cell *row = table + c * TS_COORDINATE_FIELDS;
        const char *part = row[TS_COORDINATE_PART].text, *name = row[TS_COORDINATE_NAME].text;
        bool angle = strcmp(row[TS_COORDINATE_UNIT].text, "rad") == 0;
        ts_column value = {.series = TS_FRAME_COORDINATE, .unit = angle ? "rad" : "m", .index = c};
        ts_column rate = {
            .series = TS_FRAME_COORDINATE_RATE, .unit = angle ? "rad/s" : "m/s", .index = c};
        value.usual = true;
        add(list, value, "%s.%s", part, name);
        add(list, rate, "%s.%s.rate", part, name);
    }
}

/* What a prescribed motion needs: force or moment along its coordinate, positive where it does work while the coordinate grows. */
static void add_drives(ts_catalogue *list, ts_series_id multiplier, int64_t count,
                       const ts_h5_cell *table) {
    for (int64_t c = 0; c < count; c++) {
        const ts_h5_cell *row = table + c * TS_CONDITION_FIELDS;
        bool angle = strstr(row[TS_CONDITION_LABEL].text, "angle") != NULL;
        ts_column effort = {.series = multiplier, .index = c, .how = TS_NEGATIVE};
        effort.unit = angle ? "N m" : "N", effort.usual = true;
        if (row[TS_CONDITION_DRIVE].integer)
            add(list, effort, "%s.effort", row[TS_CONDITION_PART].text);
    }
}

static void add_totals(ts_catalogue *list) {
    ts_column energy = {.series = TS_FRAME_LEDGER, .unit = "J", .usual = true};
    for (; energy.index < TS_LEDGER_COLUMNS; energy.index++)
        add(list, energy, "energy.%s", TS_LEDGER_NAME[energy.index]);
    add(list, (ts_column){.series = TS_FRAME_LEDGER, .unit = "J", .how = TS_TOTAL, .usual = true},
        "energy.total");
    add_vector(list, (ts_column){.series = TS_FRAME_LINEAR, .unit = "kg m/s"}, "momentum",
               "linear");
    add_vector(list, (ts_column){.series = TS_FRAME_ANGULAR, .unit = "kg m^2/s"}, "momentum",
               "angular");
}

/* A damaged file may point anywhere. */
static int check_indices(const ts_results *r, const ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++) {
        const ts_column *c = &list->items[i];
        int64_t last = c->index + (c->how == TS_QUATERNION || c->how == TS_TURNED ? 8 : 0);
        if (c->how == TS_AT_NODE || c->how == TS_MISES_AT_NODE) continue; /* as the geometry */
        if (c->index < 0 || last >= r->track[c->series].values)
            return ts_fail(TORSOR_EIO, "cannot read %s: '%s' points nowhere", r->path, c->name);
    }
    return 0;
}

/* Files from before there were such places lack them. */
static int read_places(ts_h5 file, node_tables *all) {
    ts_h5 set;
    int rank;
    uint64_t shape[3] = {0};
    if (!ts_h5_exists(file, "/model/drawn")) return 0;
    if (ts_h5_dataset(&set, file, "/model/drawn", &rank, shape)) return TORSOR_EIO;
    bool fits = rank == 2 && (int64_t)shape[0] == all->nodes && shape[1] == 3;
    all->drawn = ts_calloc(3 * (size_t)all->nodes + 1, sizeof *all->drawn);
    int status = fits ? ts_h5_read(set, false, 0, all->nodes, all->drawn)
                      : ts_fail(TORSOR_EIO, "'/model/drawn' has an unexpected shape");
    ts_h5_dataset_close(set);
    return status;
}

/* Files from before there were such names lack them. */
static int read_names(ts_h5 file, node_tables *all) {
    ts_h5 set;
    int rank;
    uint64_t shape[3] = {0};
    all->number = ts_calloc((size_t)all->nodes + 1, sizeof *all->number);
    if (!ts_h5_exists(file, "/model/node_numbers")) return 0;
    if (ts_h5_dataset(&set, file, "/model/node_numbers", &rank, shape)) return TORSOR_EIO;
    int status = (int64_t)shape[0] == all->nodes
                     ? ts_h5_read(set, true, 0, all->nodes, all->number)
                     : ts_fail(TORSOR_EIO, "'/model/node_numbers' has the wrong length");
    ts_h5_dataset_close(set);
    return status || ts_h5_table_read(file, "/model/names", TS_NAME_FIELDS, TS_NAME_FIELD,
                                      &all->names, &all->name);
}

static int read_nodes(ts_h5 file, node_tables *all) {
    return ts_h5_table_read(file, "/model/nodes", TS_NODE_FIELDS, TS_NODE_FIELD, &all->nodes,
                            &all->node) ||
           read_names(file, all) || read_places(file, all);
}

int ts_catalogue_make(ts_results *r, ts_catalogue *list) {
    node_tables nodes = {0};
    ts_h5_cell *parts = NULL, *coordinates = NULL, *conditions = NULL, *sections = NULL,
               *outputs = NULL;
    int64_t part_count, coordinate_count, condition_count, station_count, output_count;
    int status = read_nodes(r->file, &nodes) ||
                 ts_h5_table_read(r->file, "/model/parts", TS_PART_FIELDS, TS_PART_FIELD,
                                  &part_count, &parts) ||
                 ts_h5_table_read(r->file, "/model/coordinates", TS_COORDINATE_FIELDS,
                                  TS_COORDINATE_FIELD, &coordinate_count, &coordinates) ||
                 ts_h5_table_read(r->file, "/model/conditions", TS_CONDITION_FIELDS,
                                  TS_CONDITION_FIELD, &condition_count, &conditions) ||
                 ts_h5_table_read(r->file, "/model/stations", TS_STATION_FIELDS, TS_STATION_FIELD,
                                  &station_count, &sections) ||
                 ts_h5_table_read(r->file, "/model/output_stations", TS_OUTPUT_FIELDS,
                                  TS_OUTPUT_FIELD, &output_count, &outputs);
    if (status) {
        status = ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    } else {
        list->inside = ts_node_values_new(r, nodes.nodes);
        add_nodes(list, &nodes, &(stations){.count = station_count, .table = sections});
        add_parts(list, part_count, parts);
        add_coordinates(list, coordinate_count, coordinates);
        bool older = r->track[TS_FRAME_MULTIPLIER].set < 0; /* it has means only */
        add_drives(list, older ? TS_FRAME_LAMBDA : TS_FRAME_MULTIPLIER, condition_count,
                   conditions);
        add_outputs(list, output_count, outputs);
        add_totals(list);
        for (int64_t i = 0; i < nodes.names; i++)
            add_alias(list, nodes.name + i * TS_NAME_FIELDS, &nodes);
        status = check_indices(r, list);
    }
    free(nodes.node), free(nodes.name), free(nodes.number), free(nodes.drawn);
    free(parts), free(coordinates), free(conditions), free(sections), free(outputs);
    return status;
}

double ts_column_value(const ts_column *c, const double *row) {
    const double *at = row + c->index;
    switch (c->how) {
    case TS_COPY:
        return *at;
    case TS_NEGATIVE:
        return -*at;
    case TS_QUATERNION: {
        quat p = ts_quat_from_matrix(m3_load(at));
        return c->component == 0 ? p.s : v3_get(p.v, c->component - 1);
    }
    case TS_TURNED:
        return v3_get(ts_so3_log(m3_load(at)), c->component);
    case TS_TOTAL:
        return row[0] + row[1] + row[2];
    case TS_MOVED:
        return *at - c->drawn;
    case TS_AT_NODE:
        return ts_node_value(c->inside, c->node, c->part, row,
                             c->series == TS_FRAME_SOLID_STRESS ? TS_STRESS_WIDTH : TS_SHELL_WIDTH,
                             c->component);
    case TS_MISES_AT_NODE: {
        double s[TS_STRESS_WIDTH];
        for (int k = 0; k < TS_STRESS_WIDTH; k++)
            s[k] = ts_node_value(c->inside, c->node, c->part, row, TS_STRESS_WIDTH, k);
        return ts_mises(s);
    }
    }
    return 0;
}
