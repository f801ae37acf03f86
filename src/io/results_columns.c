/* Every column that a results file could give, by name: "top.position.x", "pivot.angle.rate",
 * "energy.kinetic". One list, for tables (results_csv.c), for messages about unknown names, and for
 * the histories of a report.
 */
#include "io/results_columns.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/cell_values.h"
#include "io/points.h"
#include "math/rotation.h"

static void add(ts_catalogue *list, ts_column item, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(ts_catalogue *list, ts_column item, const char *format, ...) {
    char name[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->items = ts_realloc(list->items, list->room, sizeof *list->items);
    }
    item.name = ts_strdup(name);
    list->items[list->count++] = item;
}

void ts_catalogue_clear(ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i].name);
    free(list->items), free(list->points);
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

/* What every node has. */
static void add_node(ts_catalogue *list, const char *owner, int64_t n, const ts_h5_cell *row,
                     bool usual) {
    const char *kind = row[TS_NODE_KIND].text;
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

/* ---- points of parts with several nodes ---- */

typedef struct points {
    const ts_h5_cell *node; /* model/nodes */
    int64_t count;
    const ts_h5_cell *table; /* model/points, part by part */
} points;

static void add_displacement(ts_catalogue *list, const char *owner, const ts_h5_cell *point,
                             int64_t slot) {
    ts_column c = {.series = TS_FRAME_Q, .unit = "m", .index = 3 * slot, .how = TS_MOVED};
    for (int k = 0; k < 3; k++, c.index++) {
        c.drawn = point[TS_POINT_X + k].number;
        add(list, c, "%s.displacement.%c", owner, AXIS[k]);
    }
}

/* Stress or section forces: the mean of what the cells around the node have there. */
static void add_inside(ts_catalogue *list, const char *owner, const ts_h5_cell *point) {
    static const char *const stress[] = {"s11", "s22", "s33", "s12", "s23", "s13"};
    static const char *const force[] = {"n11", "n22", "n12", "m11", "m22", "m12", "q1", "q2"};
    ts_column c = {.series = TS_FRAME_SOLID_STRESS, .unit = "Pa", .how = TS_AT_NODE};
    c.inside = list->inside, c.part = point[TS_POINT_PART].text;
    c.node = point[TS_POINT_NODE].integer;
    if (!c.inside) return;
    if (ts_node_values_at(c.inside, c.node, c.part, TS_CELL_SOLIDS)) {
        for (c.component = 0; c.component < TS_STRESS_WIDTH; c.component++)
            add(list, c, "%s.stress.%s", owner, stress[c.component]);
        c.how = TS_MISES_AT_NODE;
        add(list, c, "%s.stress.mises", owner);
    }
    if (ts_node_values_at(c.inside, c.node, c.part, TS_CELL_SURFACES)) {
        c.series = TS_FRAME_SHELL_FORCE, c.how = TS_AT_NODE;
        for (c.component = 0; c.component < TS_SHELL_WIDTH; c.component++) {
            c.unit = c.component >= 3 && c.component < 6 ? "N" : "N/m";
            add(list, c, "%s.shell_force.%s", owner, force[c.component]);
        }
    }
}

static bool is_number(const char *name) { return name[strspn(name, "0123456789")] == 0; }

/* All points of a part; false if the table has none of it. */
static bool add_points(ts_catalogue *list, const char *part, const points *p) {
    size_t first = list->count;
    int ordinal = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const ts_h5_cell *point = p->table + i * TS_POINT_FIELDS;
        if (strcmp(point[TS_POINT_PART].text, part) != 0) continue;
        const ts_h5_cell *row = p->node + point[TS_POINT_NODE].integer * TS_NODE_FIELDS;
        bool numbered = is_number(point[TS_POINT_NAME].text);
        size_t before = list->count;
        char owner[400];
        snprintf(owner, sizeof owner, "%s.%s", part, point[TS_POINT_NAME].text);
        add_node(list, owner, point[TS_POINT_NODE].integer, row,
                 numbered && !row[TS_NODE_FIXED].integer);
        add_displacement(list, owner, point, row[TS_NODE_SLOT].integer);
        add_inside(list, owner, point);
        if (numbered) set_ordinal(list, before, ++ordinal);
    }
    for (size_t i = first; i < list->count; i++)
        if (list->items[i].ordinal) list->items[i].siblings = ordinal;
    return list->count > first;
}

/* Did the part whose points begin in this row make a node itself? */
static bool made_own(const points *p, int64_t first) {
    const char *part = p->table[first * TS_POINT_FIELDS + TS_POINT_PART].text;
    for (int64_t i = first; i < p->count; i++) {
        const ts_h5_cell *point = p->table + i * TS_POINT_FIELDS;
        int64_t node = point[TS_POINT_NODE].integer * TS_NODE_FIELDS;
        if (strcmp(point[TS_POINT_PART].text, part) != 0) break;
        if (strcmp(p->node[node + TS_NODE_PART].text, part) == 0) return true;
    }
    return false;
}

/* Parts all of whose nodes others made. */
static void add_sharing(ts_catalogue *list, const points *p) {
    for (int64_t i = 0; i < p->count; i++) {
        const char *part = p->table[i * TS_POINT_FIELDS + TS_POINT_PART].text;
        bool new =
            i == 0 || strcmp(part, p->table[(i - 1) * TS_POINT_FIELDS + TS_POINT_PART].text) != 0;
        if (new && !made_own(p, i)) add_points(list, part, p);
    }
}

/* Part by part: by the names of points, or, where a part has none or the file is from before there were names, nodes by their
 * numbers, from 1. */
static void add_nodes(ts_catalogue *list, int64_t nodes, const ts_h5_cell *table, const points *p,
                      stations *s) {
    int ordinal = 1;
    size_t first = 0, before;
    bool named = false;
    for (int64_t n = 0; n < nodes; n++) {
        const ts_h5_cell *row = table + n * TS_NODE_FIELDS;
        before = list->count;
        if (ordinal == 1) first = before;
        const char *part = row[TS_NODE_PART].text;
        bool more = n + 1 < nodes && strcmp(row[TS_NODE_FIELDS + TS_NODE_PART].text, part) == 0;
        char owner[400];
        bool several = more || ordinal > 1;
        snprintf(owner, sizeof owner, several ? "%s.%d" : "%s", part, ordinal);

        if (ordinal == 1) named = add_points(list, part, p);
        if (!named) add_node(list, owner, n, row, !row[TS_NODE_FIXED].integer);
        if (several && !named) set_ordinal(list, before, ordinal);
        if (several && !more && !named) set_siblings(list, first, ordinal);
        ordinal = more ? ordinal + 1 : 1;
        if (!more) add_stations(list, part, s);
    }
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

int ts_catalogue_make(ts_results *r, ts_catalogue *list) {
    ts_h5_cell *nodes = NULL, *parts = NULL, *coordinates = NULL, *sections = NULL, *outputs = NULL;
    int64_t node_count, point_count = 0, part_count, coordinate_count, station_count, output_count;
    int status = ts_h5_table_read(r->file, "/model/nodes", TS_NODE_FIELDS, TS_NODE_FIELD,
                                  &node_count, &nodes) ||
                 ts_points_read(r->file, node_count, &point_count, &list->points) ||
                 ts_h5_table_read(r->file, "/model/parts", TS_PART_FIELDS, TS_PART_FIELD,
                                  &part_count, &parts) ||
                 ts_h5_table_read(r->file, "/model/coordinates", TS_COORDINATE_FIELDS,
                                  TS_COORDINATE_FIELD, &coordinate_count, &coordinates) ||
                 ts_h5_table_read(r->file, "/model/stations", TS_STATION_FIELDS, TS_STATION_FIELD,
                                  &station_count, &sections) ||
                 ts_h5_table_read(r->file, "/model/output_stations", TS_OUTPUT_FIELDS,
                                  TS_OUTPUT_FIELD, &output_count, &outputs);
    if (status) {
        status = ts_fail(TORSOR_EIO, "cannot read %s: %s", r->path, ts_error_message());
    } else {
        points p = {.node = nodes, .count = point_count, .table = list->points};
        list->inside = ts_node_values_new(r, node_count);
        add_nodes(list, node_count, nodes, &p,
                  &(stations){.count = station_count, .table = sections});
        add_sharing(list, &p);
        add_parts(list, part_count, parts);
        add_coordinates(list, coordinate_count, coordinates);
        add_outputs(list, output_count, outputs);
        add_totals(list);
        status = check_indices(r, list);
    }
    free(nodes), free(parts), free(coordinates), free(sections), free(outputs);
    return status;
}

double ts_column_value(const ts_column *c, const double *row) {
    const double *at = row + c->index;
    switch (c->how) {
    case TS_COPY:
        return *at;
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
