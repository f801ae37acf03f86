/* SPDX-License-Identifier: Apache-2.0 */
/* Families: their members in a model, and the tables of the file that name them.
 *
 * Order matters: the k-th entry of a row belongs to the k-th member of its family, which the k-th
 * row of the family's table describes. So one list, ts_places, serves rows and tables alike.
 */
#include "output/family.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/kind.h"
#include "parts/state/plan.h"
#include "system/instant.h"
#include "system/part_energy.h"

/* ---- members ---- */

static int64_t one(const ts_subject *s) { return (void)s, 1; }
static int64_t slots(const ts_subject *s) { return s->model->slots; }
static int64_t nodes(const ts_subject *s) { return s->model->nodes_count; }
static int64_t conditions(const ts_subject *s) { return s->model->rows_count; }
static int64_t memory(const ts_subject *s) { return s->model->memory; }
static int64_t coordinates(const ts_subject *s) { return s->model->coordinates_count; }
static int64_t outputs(const ts_subject *s) { return s->station_count; }
static int64_t trail(const ts_subject *s) { return ts_trail_length(s->model); }
/* Without stations no strains are needed. */
static int64_t jumps(const ts_subject *s) { return s->model->stations_count > 0 ? slots(s) : 0; }
static int64_t measures(const ts_subject *s) { return (void)s, TS_GAUGES; }

static int64_t contacts(const ts_subject *s) { return s->model->contacts_count; }
static int64_t touchable(const ts_subject *s) { return s->model->contacts_count > 0; }
static int64_t events(const ts_subject *s) { return s->model->events_count; }
/* Nobody else needs them after a restart: see system/instant.c. */
static int64_t past(const ts_subject *s) {
    return ts_events_feel(s->model) ? ts_past_length(s->model) : 0;
}
static int64_t eventful(const ts_subject *s) { return s->model->events_count > 0; }

static int64_t note(int *index, int64_t count, int member) {
    if (index) index[count] = member;
    return count + 1;
}

static int64_t stations_of(const ts_subject *s, ts_station_kind kind, int *index) {
    int64_t count = 0;
    for (int i = 0; i < s->model->stations_count; i++)
        if (s->model->stations[i].kind == kind) count = note(index, count, i);
    return count;
}

static int64_t line_stations(const ts_subject *s, int *index) {
    return stations_of(s, TS_STATION_LINE, index);
}
static int64_t shell_stations(const ts_subject *s, int *index) {
    return stations_of(s, TS_STATION_SHELL, index);
}
static int64_t solid_stations(const ts_subject *s, int *index) {
    return stations_of(s, TS_STATION_SOLID, index);
}

static int64_t reactions(const ts_subject *s, int *index) {
    int64_t count = 0;
    for (int p = 0; p < s->model->parts_count; p++)
        if (ts_part_reacts(&s->model->parts[p])) count = note(index, count, p);
    return count;
}

static int64_t inputs(const ts_subject *s, int *index) {
    int64_t count = 0;
    for (int i = 0; i < s->model->signals_count; i++)
        if (s->model->signals[i].kind == TS_SIGNAL_INPUT) count = note(index, count, i);
    return count;
}

static int64_t storing_parts(const ts_subject *s, int *index) {
    int64_t count = 0;
    for (int p = 0; p < s->model->parts_count; p++)
        if (ts_part_stores(s->model, p)) count = note(index, count, p);
    return count;
}

static int64_t acting_parts(const ts_subject *s, int *index) {
    int64_t count = 0;
    ts_way_kind way;
    for (int p = 0; p < s->model->parts_count; p++)
        if (ts_acts_along(s->model, p, &way) || ts_holding_row(s->model, p, &way) >= 0)
            count = note(index, count, p);
    return count;
}

static int64_t loading_parts(const ts_subject *s, int *index) {
    const ts_model *model = s->model;
    int64_t count = 0;
    for (int p = 0, i = 0, k = 0; p < model->parts_count; p++) { /* both in the order of parts */
        bool loads = model->parts[p].spread;
        loads |= i < model->loads_count && model->loads[i].part == p;
        bool presses = k < model->pressures_count && model->pressures[k].part == p;
        while (i < model->loads_count && model->loads[i].part == p) i++;
        while (k < model->pressures_count && model->pressures[k].part == p) k++;
        if (loads || presses) count = note(index, count, p);
    }
    return count;
}

const ts_family TS_FAMILY[TS_EACH_COUNT] = {
    [TS_EACH_ROW] = {"model", .count = one},
    [TS_EACH_SLOT] = {"slot", .count = slots},
    [TS_EACH_NODE] = {"node", .count = nodes},
    [TS_EACH_CONDITION] = {"motion", .count = conditions},
    [TS_EACH_MEMORY] = {"law", .count = memory},
    [TS_EACH_REACTION] = {"joint", .list = reactions},
    [TS_EACH_COORDINATE] = {"coordinate", .count = coordinates},
    [TS_EACH_STATION] = {"section", TS_STATION_LINE, .inside = true, .list = line_stations},
    [TS_EACH_OUTPUT] = {"station", .count = outputs},
    [TS_EACH_SHELL_POINT] = {"shell point", TS_STATION_SHELL, true, .list = shell_stations},
    [TS_EACH_SOLID_POINT] = {"solid point", TS_STATION_SOLID, true, .list = solid_stations},
    [TS_EACH_INPUT] = {"input", .list = inputs},
    [TS_EACH_TRAIL] = {"trail", .count = trail},
    [TS_EACH_TOUCHABLE] = {"contacts", .count = touchable},
    [TS_EACH_JUMP] = {"jump", .count = jumps},
    [TS_EACH_MEASURE] = {"measure", .count = measures},
    [TS_EACH_STORE] = {"part", .list = storing_parts},
    [TS_EACH_ACTING] = {"effort", .list = acting_parts},
    [TS_EACH_LOADING] = {"load", .list = loading_parts},
    [TS_EACH_CONTACT] = {"contact", .count = contacts},
    [TS_EACH_EVENT] = {"event", .count = events},
    [TS_EACH_EVENTFUL] = {"events", .count = eventful},
    [TS_EACH_PAST] = {"past", .count = past},
};

ts_each ts_each_of_station(ts_station_kind station) {
    for (int e = 0; e < TS_EACH_COUNT; e++)
        if (TS_FAMILY[e].station == station) return (ts_each)e;
    return TS_EACH_ROW;
}

void ts_places_new(ts_places *p, const ts_subject *subject) {
    *p = (ts_places){.output = subject->stations};
    for (int e = 0; e < TS_EACH_COUNT; e++) {
        const ts_family *family = &TS_FAMILY[e];
        if (!family->list) {
            p->count[e] = family->count(subject);
            continue;
        }
        p->count[e] = family->list(subject, NULL);
        p->index[e] = ts_calloc((size_t)p->count[e] + 1, sizeof *p->index[e]);
        family->list(subject, p->index[e]);
    }
}

void ts_places_clear(ts_places *p) {
    for (int e = 0; e < TS_EACH_COUNT; e++) free(p->index[e]);
    *p = (ts_places){0};
}

/* ---- tables ---- */

static void fill_nodes(const ts_subject *s, const ts_places *p, ts_records *t) {
    static const char *const kind[] = {"point", "director", "frame"};
    for (int64_t n = 0; n < p->count[TS_EACH_NODE]; n++) {
        const ts_node *node = &s->model->nodes[n];
        ts_table_cell *row = ts_records_add(t);
        row[TS_NODE_PART].text = s->model->parts[node->part].name;
        row[TS_NODE_KIND].text = kind[node->kind];
        row[TS_NODE_FIXED].integer = node->fixed;
        row[TS_NODE_SLOT].integer = node->slot;
        row[TS_NODE_SLOTS].integer = node->slots;
        row[TS_NODE_MASS].number = node->mass[0][0];
    }
}

bool ts_part_row_is(const ts_table_cell *row, const char *name) {
    return strcmp(row[TS_PART_NAME].text, name) == 0 &&
           !ts_section_defines(row[TS_PART_SECTION].text);
}

static void fill_parts(const ts_subject *s, const ts_places *p, ts_records *t) {
    (void)p;
    int reaction = 0;
    for (int i = 0; i < s->model->parts_count; i++) {
        const ts_part *part = &s->model->parts[i];
        ts_table_cell *row = ts_records_add(t);
        row[TS_PART_NAME].text = part->name;
        row[TS_PART_KIND].text = part->kind ? part->kind->name : "";
        row[TS_PART_SECTION].text = part->kind ? part->kind->section : "";
        row[TS_PART_REACTION].integer = ts_part_reacts(part) ? reaction++ : -1;
    }
}

static void fill_coordinates(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t c = 0; c < p->count[TS_EACH_COORDINATE]; c++) {
        const ts_coordinate *coordinate = &s->model->coordinates[c];
        ts_table_cell *row = ts_records_add(t);
        row[TS_COORDINATE_PART].text = s->model->parts[coordinate->part].name;
        row[TS_COORDINATE_NAME].text = coordinate->name;
        row[TS_COORDINATE_UNIT].text = coordinate->angle ? "rad" : coordinate->plain ? "1" : "m";
        if (*coordinate->unit) row[TS_COORDINATE_UNIT].text = coordinate->unit;
    }
}

static void fill_conditions(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t c = 0; c < p->count[TS_EACH_CONDITION]; c++) {
        const ts_row *condition = &s->model->rows[c];
        ts_table_cell *row = ts_records_add(t);
        row[TS_CONDITION_PART].text = s->model->parts[s->model->sites[condition->site].part].name;
        row[TS_CONDITION_LABEL].text = condition->label;
        row[TS_CONDITION_DRIVE].integer = condition->drive && !condition->stays; /* no clocks */
        row[TS_CONDITION_REDUNDANT].integer = condition->redundant;
    }
}

static void fill_stations(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_STATION]; k++) {
        int index = p->index[TS_EACH_STATION][k];
        const ts_station *station = &s->model->stations[index];
        const ts_site *site = &s->model->sites[station->site];
        const ts_part *part = &s->model->parts[site->part];
        ts_table_cell *row = ts_records_add(t);
        row[TS_STATION_PART].text = part->name;
        row[TS_STATION_ELEMENT].integer = (index - part->station) / (site->nodes - 1) + 1;
        row[TS_STATION_ARC].number = station->arc;
        row[TS_STATION_WEIGHT].number = station->weight;
    }
}

static void fill_outputs(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_OUTPUT]; k++) {
        ts_table_cell *row = ts_records_add(t);
        row[TS_ASKED_PART].text = s->model->parts[p->output[k].part].name;
        row[TS_ASKED_ARC].number = p->output[k].arc;
    }
}

/* Part, number of the element (from 1 in each part) and place as drawn: the fields that points of
 * shells and solids begin with. */
static ts_table_cell *add_point(const ts_subject *s, const int *stations, int64_t k,
                                ts_records *t) {
    const ts_model *model = s->model;
    const ts_station *x = &model->stations[stations[k]];
    const ts_site *site = &model->sites[x->site],
                  *before = k ? &model->sites[model->stations[stations[k - 1]].site] : NULL;
    bool first = !before || before->part != site->part;
    int64_t last = first ? 0 : ts_record(t, t->rows - 1)[TS_SHELL_POINT_ELEMENT].integer;
    ts_table_cell *row = ts_records_add(t);
    row[TS_SHELL_POINT_PART].text = model->parts[site->part].name;
    row[TS_SHELL_POINT_ELEMENT].integer = !first && before->node == site->node ? last : last + 1;
    for (int i = 0; i < 3; i++) row[TS_SHELL_POINT_X + i].number = model->numbers[x->place + i];
    return row;
}

static void fill_shell_points(const ts_subject *s, const ts_places *p, ts_records *t) {
    const int *stations = p->index[TS_EACH_SHELL_POINT];
    for (int64_t k = 0; k < p->count[TS_EACH_SHELL_POINT]; k++) {
        const ts_station *station = &s->model->stations[stations[k]];
        ts_table_cell *row = add_point(s, stations, k, t);
        row[TS_SHELL_POINT_AREA].number = station->weight;
        row[TS_SHELL_POINT_THICKNESS].number = station->thickness;
    }
}

static void fill_solid_points(const ts_subject *s, const ts_places *p, ts_records *t) {
    const int *stations = p->index[TS_EACH_SOLID_POINT];
    for (int64_t k = 0; k < p->count[TS_EACH_SOLID_POINT]; k++)
        add_point(s, stations, k, t)[TS_SOLID_POINT_VOLUME].number =
            s->model->stations[stations[k]].weight;
}

static void fill_measures(const ts_subject *s, const ts_places *p, ts_records *t) {
    (void)s, (void)p;
    for (int m = 0; m < TS_GAUGES; m++) {
        const ts_gauge_about *about = &TS_GAUGE[m];
        ts_table_cell *row = ts_records_add(t);
        row[TS_MEASURE_NAME].text = about->name;
        row[TS_MEASURE_WHAT].text = about->what;
        row[TS_MEASURE_UNIT].text = about->unit;
        row[TS_MEASURE_TOLD].number = about->told;
        row[TS_MEASURE_COARSE].number = about->coarse;
        row[TS_MEASURE_REJECTED].number = about->rejected;
    }
}

static void fill_stores(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_STORE]; k++)
        ts_records_add(t)[TS_STORE_PART].text = s->model->parts[p->index[TS_EACH_STORE][k]].name;
}

static void fill_acting(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_ACTING]; k++) {
        int part = p->index[TS_EACH_ACTING][k];
        ts_way_kind way = TS_WAY_LINEAR;
        ts_table_cell *row = ts_records_add(t);
        if (!ts_acts_along(s->model, part, &way)) ts_holding_row(s->model, part, &way);
        row[TS_ACTING_PART].text = s->model->parts[part].name;
        row[TS_ACTING_UNIT].text = way == TS_WAY_ANGLE ? "N m" : "N";
    }
}

static void fill_loading(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_LOADING]; k++)
        ts_records_add(t)[TS_LOADING_PART].text =
            s->model->parts[p->index[TS_EACH_LOADING][k]].name;
}

static void fill_contacts(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_CONTACT]; k++)
        ts_records_add(t)[TS_CONTACT_PART].text = s->model->parts[s->model->contacts[k].part].name;
}

static void fill_events(const ts_subject *s, const ts_places *p, ts_records *t) {
    for (int64_t k = 0; k < p->count[TS_EACH_EVENT]; k++) {
        const ts_event *event = &s->model->events[k];
        ts_table_cell *row = ts_records_add(t);
        row[TS_EVENT_PART].text = s->model->parts[event->part].name;
        row[TS_EVENT_MARK].text = event->mark ? event->mark : "";
    }
}

typedef struct naming {
    const ts_model *model;
    ts_records *table;
} naming;

static void take_name(void *context, int part, const char *word, int node) {
    naming *n = context;
    ts_table_cell *row = ts_records_add(n->table);
    row[TS_NAME_PART].text = n->model->parts[part].name;
    row[TS_NAME_WORD].text = ts_strdup(word);
    row[TS_NAME_NODE].integer = node;
}

static void fill_names(const ts_subject *s, const ts_places *p, ts_records *t) {
    (void)p;
    naming all = {s->model, t};
    ts_node_aliases(s->model, take_name, &all);
    ts_named_points(s->model, s->place_count, s->places, take_name, &all);
}

/* clang-format off */
static const ts_table_field PART_FIELD[] = {
    {"name", TS_TABLE_TEXT}, {"kind", TS_TABLE_TEXT}, {"section", TS_TABLE_TEXT}, {"reaction", TS_TABLE_INTEGER}};
static const ts_table_field NODE_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"kind", TS_TABLE_TEXT}, {"fixed", TS_TABLE_INTEGER},
    {"slot", TS_TABLE_INTEGER}, {"slots", TS_TABLE_INTEGER}, {"mass", TS_TABLE_NUMBER}};
static const ts_table_field COORDINATE_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"name", TS_TABLE_TEXT}, {"unit", TS_TABLE_TEXT}};
static const ts_table_field STATION_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"element", TS_TABLE_INTEGER}, {"arc", TS_TABLE_NUMBER}, {"weight", TS_TABLE_NUMBER}};
static const ts_table_field OUTPUT_FIELD[] = {{"part", TS_TABLE_TEXT}, {"arc", TS_TABLE_NUMBER}};
static const ts_table_field SHELL_POINT_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"element", TS_TABLE_INTEGER},
    {"x", TS_TABLE_NUMBER}, {"y", TS_TABLE_NUMBER}, {"z", TS_TABLE_NUMBER},
    {"area", TS_TABLE_NUMBER}, {"thickness", TS_TABLE_NUMBER}};
static const ts_table_field SOLID_POINT_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"element", TS_TABLE_INTEGER},
    {"x", TS_TABLE_NUMBER}, {"y", TS_TABLE_NUMBER}, {"z", TS_TABLE_NUMBER}, {"volume", TS_TABLE_NUMBER}};
static const ts_table_field CONDITION_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"label", TS_TABLE_TEXT}, {"drive", TS_TABLE_INTEGER}, {"redundant", TS_TABLE_INTEGER}};
static const ts_table_field MEASURE_FIELD[] = {
    {"name", TS_TABLE_TEXT}, {"what", TS_TABLE_TEXT}, {"unit", TS_TABLE_TEXT},
    {"told", TS_TABLE_NUMBER}, {"coarse", TS_TABLE_NUMBER}, {"rejected", TS_TABLE_NUMBER}};
static const ts_table_field STORE_FIELD[] = {{"part", TS_TABLE_TEXT}};
static const ts_table_field ACTING_FIELD[] = {{"part", TS_TABLE_TEXT}, {"unit", TS_TABLE_TEXT}};
static const ts_table_field LOADING_FIELD[] = {{"part", TS_TABLE_TEXT}};
static const ts_table_field EVENT_FIELD[] = {{"part", TS_TABLE_TEXT}, {"mark", TS_TABLE_TEXT}};
static const ts_table_field CONTACT_FIELD[] = {{"part", TS_TABLE_TEXT}};
static const ts_table_field NAME_FIELD[] = {
    {"part", TS_TABLE_TEXT}, {"word", TS_TABLE_TEXT}, {"node", TS_TABLE_INTEGER}};
static const ts_table_field CHANNEL_FIELD[] = {
    {"name", TS_TABLE_TEXT}, {"components", TS_TABLE_TEXT}, {"unit", TS_TABLE_TEXT}, {"of", TS_TABLE_TEXT},
    {"array", TS_TABLE_TEXT}, {"stored", TS_TABLE_INTEGER}, {"help", TS_TABLE_TEXT}};

#define FIELDS(list) .field = list, .fields = sizeof list / sizeof *list
const ts_table_about TS_TABLE[TS_TABLES] = {
    [TS_PARTS_TABLE] = {"/model/parts", "reaction: index in frames/force and frames/moment, or -1",
        FIELDS(PART_FIELD), .fill = fill_parts},
    [TS_NODES_TABLE] = {"/model/nodes",
        "the slots of a node in q: position, then (director) one or (frame) three directors, the "
        "columns of its rotation",
        FIELDS(NODE_FIELD), .fill = fill_nodes},
    [TS_COORDINATES_TABLE] = {"/model/coordinates",
        "in the order of frames/coordinate and frames/coordinate_rate",
        FIELDS(COORDINATE_FIELD), .fill = fill_coordinates},
    [TS_STATIONS_TABLE] = {"/model/stations",
        "in the order of frames/section_force and frames/section_strain; arc: along the line "
        "from the start of the beam, weight: the length that a station represents",
        FIELDS(STATION_FIELD), .fill = fill_stations},
    [TS_OUTPUTS_TABLE] = {"/model/output_stations",
        "in the order of frames/output_force and frames/output_strain; arc: along the line from "
        "the start of the beam",
        FIELDS(OUTPUT_FIELD), .fill = fill_outputs},
    [TS_SHELL_POINTS_TABLE] = {"/model/shell_points",
        "in the order of frames/shell_force and frames/shell_strain; x, y, z: as drawn, area: "
        "the area that a point represents",
        FIELDS(SHELL_POINT_FIELD), .fill = fill_shell_points},
    [TS_SOLID_POINTS_TABLE] = {"/model/solid_points",
        "in the order of frames/solid_stress; x, y, z: as drawn, volume: the volume that a point "
        "represents",
        FIELDS(SOLID_POINT_FIELD), .fill = fill_solid_points},
    [TS_CONDITIONS_TABLE] = {"/model/conditions",
        "in the order of frames/lambda and frames/kappa; drive: prescribed motion; redundant: "
        "repeats others and is left out",
        FIELDS(CONDITION_FIELD), .fill = fill_conditions},
    [TS_MEASURES_TABLE] = {"/model/measures",
        "in the order of frames/resolution; told, coarse, rejected: thresholds of the value for "
        "listing it, for the verdict coarse, for rejecting a step; NaN where no step is rejected",
        FIELDS(MEASURE_FIELD), .later = true, .fill = fill_measures},
    [TS_STORES_TABLE] = {"/model/elastic_parts", "in the order of frames/elastic_energy",
        FIELDS(STORE_FIELD), .later = true, .fill = fill_stores},
    [TS_ACTING_TABLE] = {"/model/acting_parts", "in the order of frames/effort",
        FIELDS(ACTING_FIELD), .later = true, .fill = fill_acting},
    [TS_LOADING_TABLE] = {"/model/loading_parts", "in the order of frames/load_power",
        FIELDS(LOADING_FIELD), .later = true, .fill = fill_loading},
    [TS_NAMES_TABLE] = {"/model/names",
        "other names of nodes: ends of beams and cables, sets of one point, places of the section "
        "points, points of a mesh whose node another part made",
        FIELDS(NAME_FIELD), .later = true, .fill = fill_names},
    [TS_EVENTS_TABLE] = {"/model/events",
        "in the order of frames/event_count and frames/event_time",
        FIELDS(EVENT_FIELD), .later = true, .fill = fill_events},
    [TS_CONTACTS_TABLE] = {"/model/contacts",
        "in the order of frames/contact_loss, contact_force, contact_depth, contact_gap, ...",
        FIELDS(CONTACT_FIELD), .later = true, .fill = fill_contacts},
    [TS_CHANNELS_TABLE] = {"/model/channels",
        "what the file contains: OWNER.name.component, of nodes, joints ...; array: where the "
        "numbers are, or where stored is 0, from which they are computed",
        FIELDS(CHANNEL_FIELD), .later = true},
};
/* clang-format on */

void ts_table_make(ts_records *table, ts_table_id id, const ts_subject *subject,
                   const ts_places *places) {
    *table = (ts_records){.fields = TS_TABLE[id].fields};
    if (TS_TABLE[id].fill) TS_TABLE[id].fill(subject, places, table);
}

void ts_table_free(ts_records *table, ts_table_id id) {
    for (int64_t i = 0; i < table->rows && id == TS_NAMES_TABLE; i++)
        free((char *)ts_record(table, i)[TS_NAME_WORD].text);
    ts_records_clear(table);
}
