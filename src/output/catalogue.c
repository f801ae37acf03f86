/* SPDX-License-Identifier: Apache-2.0 */
/* All columns of results, by name: OWNER.CHANNEL.COMPONENT. One list for tables, for messages about
 * unknown names, for the histories of a report, and for checking the selectors of a model file
 * before a run.
 *
 * Owners are the members of families: nodes under each of their names, joints, coordinates,
 * stations, the whole model. Every owner has the channels of its family, in the order of
 * channels.inc. Channels without a name of their own are listed together, component by component:
 * arm.section.3.N, .Gamma1, .Q2, .Gamma2 ... */
#include "output/catalogue.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "output/pattern.h"

/* ---- contents ---- */

void ts_contents_of_model(ts_contents *c, const ts_subject *subject) {
    const ts_model *model = subject->model;
    size_t nodes = (size_t)model->nodes_count;
    ts_places places;
    *c = (ts_contents){0};
    ts_places_new(&places, subject);
    for (int i = 0; i < TS_TABLES; i++)
        ts_table_make(&c->table[i], (ts_table_id)i, subject, &places);
    ts_places_clear(&places);
    c->number = ts_calloc(nodes + 1, sizeof *c->number);
    ts_node_numbers(model, c->number);
    c->drawn = ts_calloc(3 * nodes + 1, sizeof *c->drawn);
    for (size_t n = 0; n < nodes; n++) v3_store(c->drawn + 3 * n, model->nodes[n].x);
    ts_cells_make(&c->cells, model, NULL);
}

void ts_contents_clear(ts_contents *c) {
    for (int i = 0; i < TS_TABLES; i++)
        if (c->read)
            ts_records_clear(&c->table[i]);
        else
            ts_table_free(&c->table[i], (ts_table_id)i);
    free(c->number), free(c->drawn);
    ts_cells_clear(&c->cells);
    *c = (ts_contents){0};
}

/* ---- columns of an owner ---- */

enum { MOST = 32 }; /* of one owner */

typedef struct owner {
    const char *name; /* NULL: the whole model */
    ts_each each;
    int64_t entry;            /* in series of the family */
    int64_t slot;             /* of a node: its first one in q */
    int64_t node;             /* -1: it is none */
    unsigned kind;            /* of a node: a bit of ts_channel.nodes */
    bool moves;               /* the usual columns are of what moves */
    int quantity;             /* of a coordinate: 0 a length, 1 an angle, 2 a plain number */
    const char *unit;         /* of a plain number that has one; NULL: none */
    const char *of, *section; /* of a part: its kind and section; NULL: not known */
    const char *part;         /* whose cells count at a node; NULL: none */
    const double *drawn;      /* place of a node; NULL: not known */
} owner;

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

/* Does the part of the owner have cells with stations of the channel's family at the node? */
static bool has_inside(const ts_catalogue *list, const owner *o, const ts_channel *c) {
    for (int f = 0; f < TS_CELL_FAMILIES && o->part; f++)
        if (ts_cell_family_each((ts_cell_family)f) == TS_SERIES[c->series].each)
            return ts_node_values_at(list->inside, o->node, o->part, (ts_cell_family)f);
    return false;
}

static bool has_channel(const ts_catalogue *list, const owner *o, const ts_channel *c) {
    if (!c->column) return false;
    if (c->nodes && !(c->nodes & o->kind)) return false;
    if (c->from_drawn && !o->drawn) return false;
    if (c->kinds && !(o->of && ts_channel_of_kind(c, o->of, o->section))) return false;
    return !c->inside || has_inside(list, o, c);
}

/* The series that the channel is read from; TS_SERIES_COUNT: the contents have none. */
static ts_series_id series_of(const ts_channel *c, const bool *lacks) {
    if (!lacks[c->series]) return c->series;
    return c->older && !lacks[c->older] ? c->older : TS_SERIES_COUNT;
}

/* "1/s" of a plain number that is in Pa: "Pa/s". */
static void name_unit(const char *name, char *unit, size_t size) {
    char behind[5];
    snprintf(behind, sizeof behind, "%.4s", *unit == '1' ? unit + 1 : "");
    snprintf(unit, size, "%.11s%s", name, behind);
}

/* false: the channel has no such component. */
static bool add_component(ts_catalogue *list, const owner *o, const ts_channel *c,
                          ts_series_id series, int component) {
    char word[40];
    bool named = ts_channel_word(c, component, word, sizeof word);
    if (!named && (c->columns || component > 0)) return false;
    const ts_channel *stored = &TS_SERIES[series];
    int64_t entry = stored->each == TS_EACH_SLOT ? o->slot : o->entry;
    if (entry < 0 || entry > INT32_MAX) entry = INT32_MAX; /* a damaged file: beyond any row */
    ts_column item = {.channel = c, .series = series, .component = component, .node = o->node};
    item.index = entry * stored->width + c->skip + (c->span ? 0 : component);
    item.usual = c->usual && o->moves;
    item.part = o->part;
    if (c->inside) item.inside = list->inside, item.index = 0;
    if (c->from_drawn) item.drawn = o->drawn[component];
    ts_channel_unit(c, component, o->quantity, item.unit, sizeof item.unit);
    if (o->unit) name_unit(o->unit, item.unit, sizeof item.unit);
    add(list, item, "%s%s%s%s%s", o->name ? o->name : "", o->name && *c->column ? "." : "",
        c->column, named ? "." : "", word);
    return true;
}

/* Channels of an owner, in the order of the table; of those without a name of their own, and of the
 * others. */
typedef struct channels {
    int count[2];
    const ts_channel *of[2][MOST];
} channels;

/* Channels that were seen already are not wanted. */
static void find_channels(ts_catalogue *list, const owner *o, const bool *lacks, channels *found) {
    found->count[0] = found->count[1] = 0;
    for (int i = 0; i < TS_CHANNEL_COUNT; i++) {
        const ts_channel *c = TS_CHANNELS[i];
        if (c->each != o->each || (list->seen && list->seen[i])) continue;
        if (!has_channel(list, o, c) || series_of(c, lacks) == TS_SERIES_COUNT) continue;
        int named = *c->column != 0;
        assert(found->count[named] < MOST);
        found->of[named][found->count[named]++] = c;
        if (list->seen) list->seen[i] = true;
    }
}

/* A channel without a name of its own and without components has the name of its owner, which is
 * then the stem of the others. */
static void set_stem(ts_catalogue *list, size_t first, const owner *o) {
    bool bare = false;
    for (size_t i = first; i < list->count && o->name; i++)
        bare |= strcmp(list->items[i].name, o->name) == 0;
    for (size_t i = first; i < list->count && bare; i++)
        if (strcmp(list->items[i].name, o->name) != 0) list->items[i].stem = strlen(o->name);
}

static void add_owner(ts_catalogue *list, const owner *o, const bool *lacks) {
    channels found;
    size_t first = list->count;
    find_channels(list, o, lacks, &found);
    bool more = found.count[0] > 0;
    for (int component = 0; more; component++) {
        more = false;
        for (int i = 0; i < found.count[0]; i++)
            more |=
                add_component(list, o, found.of[0][i], series_of(found.of[0][i], lacks), component);
    }
    for (int i = 0; i < found.count[1]; i++)
        for (int k = 0;
             add_component(list, o, found.of[1][i], series_of(found.of[1][i], lacks), k);)
            k++;
    set_stem(list, first, o);
}

/* ---- owners ---- */

/* May the selector take columns of the part? */
static bool reaches(const char *selector, const char *part) {
    size_t length = strlen(part), fixed = ts_pattern_fixed(selector);
    if (selector[fixed] && fixed <= length) return strncmp(selector, part, fixed) == 0;
    return strncmp(selector, part, length) == 0 && (!selector[length] || selector[length] == '.');
}

static bool wanted(const ts_catalogue *list, const char *part) {
    for (int i = 0; i < list->selectors; i++)
        if (reaches(list->selector[i], part)) return true;
    return list->selectors == 0;
}

/* Columns from `first` on: of the node or station with this number; how many there are. */
static void set_ordinal(ts_catalogue *list, size_t first, int64_t ordinal) {
    for (size_t i = first; i < list->count; i++) list->items[i].ordinal = ordinal;
}

static void set_siblings(ts_catalogue *list, size_t first, int64_t siblings) {
    for (size_t i = first; i < list->count; i++) list->items[i].siblings = siblings;
}

typedef struct work {
    ts_catalogue *list;
    const ts_contents *from;
    int64_t station; /* the next of the table: they come in the order of parts, as nodes do */
} work;

static const ts_table_cell *row_of(const work *w, ts_table_id id, int64_t row) {
    return ts_record(&w->from->table[id], row);
}

static bool same(const ts_table_cell *a, const char *text) { return strcmp(a->text, text) == 0; }

/* Names of stations: PART.section.K; those of outputs.stations: PART.station.K; from 1 in each
 * part. */
static void add_station(work *w, ts_each each, const char *word, const char *part, int64_t ordinal,
                        int64_t entry) {
    char name[400];
    snprintf(name, sizeof name, "%s.%s.%ld", part, word, (long)ordinal);
    owner o = {.name = name, .each = each, .entry = entry, .node = -1, .moves = true};
    if (wanted(w->list, part)) add_owner(w->list, &o, w->from->lacks);
}

static void add_stations(work *w, const char *part) {
    size_t first = w->list->count;
    int64_t ordinal = 1;
    for (; w->station < w->from->table[TS_STATIONS_TABLE].rows; ordinal++, w->station++) {
        size_t before = w->list->count;
        if (!same(&row_of(w, TS_STATIONS_TABLE, w->station)[TS_STATION_PART], part)) break;
        add_station(w, TS_EACH_STATION, "section", part, ordinal, w->station);
        set_ordinal(w->list, before, ordinal);
    }
    set_siblings(w->list, first, ordinal - 1);
}

/* In the order of outputs.stations, each beam's together. */
static void add_outputs(work *w) {
    const char *last = "";
    int64_t ordinal = 0;
    for (int64_t k = 0; k < w->from->table[TS_OUTPUTS_TABLE].rows; k++) {
        const char *part = row_of(w, TS_OUTPUTS_TABLE, k)[TS_ASKED_PART].text;
        ordinal = strcmp(part, last) == 0 ? ordinal + 1 : 1;
        add_station(w, TS_EACH_OUTPUT, "station", last = part, ordinal, k);
    }
}

static unsigned kind_of(const ts_table_cell *node) {
    if (node[TS_NODE_SLOTS].integer == 1) return 1u << TS_NODE_POINT;
    return 1u << (node[TS_NODE_SLOTS].integer == 2 ? TS_NODE_DIRECTOR : TS_NODE_FRAME);
}

static void add_node(work *w, const char *name, int64_t n, const char *part) {
    const ts_table_cell *row = row_of(w, TS_NODES_TABLE, n);
    owner o = {.name = name, .each = TS_EACH_NODE, .entry = n, .node = n};
    o.slot = row[TS_NODE_SLOT].integer;
    o.kind = kind_of(row);
    o.moves = !row[TS_NODE_FIXED].integer;
    o.part = ts_node_values_part(w->list->inside, part);
    o.drawn = w->from->drawn ? w->from->drawn + 3 * n : NULL;
    add_owner(w->list, &o, w->from->lacks);
}

/* The number behind the name of the part; 0: the node has the name of the part; -1: it has none.
 * Nodes from `first` on are of one part. What a part with one node made besides it, as a coupling
 * does the sums of its nodes, has no name. */
static int64_t number_of(const ts_contents *from, int64_t n, int64_t first, int64_t count) {
    int64_t number = from->number ? from->number[n] : n - first + 1;
    if (number == TS_ONLY_NODE) return n == first ? 0 : TS_NAMELESS_NODE;
    return number > 0 && count == 1 ? 0 : number;
}

/* Nodes of a part with several nodes have numbers. */
static void add_part_nodes(work *w, const char *part, int64_t first, int64_t count) {
    size_t start = w->list->count;
    int64_t named = 0;
    for (int64_t n = first; n < first + count; n++) {
        char name[400];
        int64_t number = number_of(w->from, n, first, count);
        size_t before = w->list->count;
        if (number == TS_NAMELESS_NODE) continue;
        snprintf(name, sizeof name, number ? "%s.%ld" : "%s", part, (long)number);
        named++;
        if (wanted(w->list, part)) add_node(w, name, n, part);
        if (number) set_ordinal(w->list, before, named);
    }
    set_siblings(w->list, start, named);
}

static void add_nodes(work *w) {
    int64_t nodes = w->from->table[TS_NODES_TABLE].rows;
    for (int64_t n = 0, count; n < nodes; n += count) {
        const char *part = row_of(w, TS_NODES_TABLE, n)[TS_NODE_PART].text;
        for (count = 1; n + count < nodes;) {
            if (!same(&row_of(w, TS_NODES_TABLE, n + count)[TS_NODE_PART], part)) break;
            count++;
        }
        add_part_nodes(w, part, n, count);
        add_stations(w, part);
    }
}

/* The columns of a node once more, under another of its names. */
static void add_alias(work *w, const ts_table_cell *row) {
    size_t first = w->list->count;
    int64_t n = row[TS_NAME_NODE].integer;
    const char *part = row[TS_NAME_PART].text;
    char name[400];
    snprintf(name, sizeof name, "%s.%s", part, row[TS_NAME_WORD].text);
    bool there = n >= 0 && n < w->from->table[TS_NODES_TABLE].rows;
    if (there && wanted(w->list, part)) add_node(w, name, n, part);
    for (size_t i = first; i < w->list->count; i++)
        w->list->items[i].alias = true, w->list->items[i].usual = false;
}

static void add_aliases(work *w) {
    for (int64_t i = 0; i < w->from->table[TS_NAMES_TABLE].rows; i++)
        add_alias(w, row_of(w, TS_NAMES_TABLE, i));
}

/* One owner for each row of a table that names parts. */
static void add_parts(work *w) {
    for (int64_t p = 0; p < w->from->table[TS_PARTS_TABLE].rows; p++) {
        const ts_table_cell *row = row_of(w, TS_PARTS_TABLE, p);
        owner o = {row[TS_PART_NAME].text, TS_EACH_REACTION, .node = -1, .moves = true};
        o.entry = row[TS_PART_REACTION].integer;
        o.of = row[TS_PART_KIND].text, o.section = row[TS_PART_SECTION].text;
        if (strcmp(o.section, "states") == 0) continue; /* nothing there has forces */
        if (o.entry >= 0 && wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
}

static void add_stores(work *w) {
    for (int64_t k = 0; k < w->from->table[TS_STORES_TABLE].rows; k++) {
        owner o = {row_of(w, TS_STORES_TABLE, k)[TS_STORE_PART].text, TS_EACH_STORE, .entry = k};
        o.node = -1, o.moves = true;
        if (wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
}

static void add_acting(work *w) {
    for (int64_t k = 0; k < w->from->table[TS_ACTING_TABLE].rows; k++) {
        const ts_table_cell *row = row_of(w, TS_ACTING_TABLE, k);
        owner o = {row[TS_ACTING_PART].text, TS_EACH_ACTING, .entry = k, .node = -1, .moves = true};
        o.quantity = same(&row[TS_ACTING_UNIT], "N m");
        if (wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
}

static void add_loading(work *w) {
    for (int64_t k = 0; k < w->from->table[TS_LOADING_TABLE].rows; k++) {
        owner o = {row_of(w, TS_LOADING_TABLE, k)[TS_LOADING_PART].text, TS_EACH_LOADING,
                   .entry = k};
        o.node = -1, o.moves = true;
        if (wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
}

/* Events, and the energy that they took. */
static void add_events(work *w) {
    owner whole = {.each = TS_EACH_EVENTFUL, .node = -1, .moves = true};
    for (int64_t k = 0; k < w->from->table[TS_EVENTS_TABLE].rows; k++) {
        owner o = {row_of(w, TS_EVENTS_TABLE, k)[TS_EVENT_PART].text, TS_EACH_EVENT, .entry = k};
        o.node = -1, o.moves = true;
        if (wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
    if (w->from->table[TS_EVENTS_TABLE].rows > 0) add_owner(w->list, &whole, w->from->lacks);
}

static void add_contacts(work *w) {
    for (int64_t k = 0; k < w->from->table[TS_CONTACTS_TABLE].rows; k++) {
        owner o = {row_of(w, TS_CONTACTS_TABLE, k)[TS_CONTACT_PART].text, TS_EACH_CONTACT,
                   .entry = k};
        o.node = -1, o.moves = true;
        if (wanted(w->list, o.name)) add_owner(w->list, &o, w->from->lacks);
    }
}

static void add_coordinates(work *w) {
    for (int64_t c = 0; c < w->from->table[TS_COORDINATES_TABLE].rows; c++) {
        const ts_table_cell *row = row_of(w, TS_COORDINATES_TABLE, c);
        char name[400];
        snprintf(name, sizeof name, "%s.%s", row[TS_COORDINATE_PART].text,
                 row[TS_COORDINATE_NAME].text);
        owner o = {name, TS_EACH_COORDINATE, .entry = c, .node = -1, .moves = true};
        const ts_table_cell *unit = &row[TS_COORDINATE_UNIT];
        o.quantity = same(unit, "rad") ? 1 : same(unit, "m") ? 0 : 2;
        if (o.quantity == 2 && !same(unit, "1")) o.unit = unit->text;
        if (wanted(w->list, row[TS_COORDINATE_PART].text)) add_owner(w->list, &o, w->from->lacks);
    }
}

/* Constraints of prescribed motions: the force or moment along the coordinate, positive if it does
 * work while the coordinate grows. */
static void add_drives(work *w) {
    for (int64_t c = 0; c < w->from->table[TS_CONDITIONS_TABLE].rows; c++) {
        const ts_table_cell *row = row_of(w, TS_CONDITIONS_TABLE, c);
        owner o = {row[TS_CONDITION_PART].text, TS_EACH_CONDITION, .entry = c, .node = -1};
        o.moves = true;
        o.quantity = strstr(row[TS_CONDITION_LABEL].text, "angle") != NULL;
        if (row[TS_CONDITION_DRIVE].integer && wanted(w->list, o.name))
            add_owner(w->list, &o, w->from->lacks);
    }
}

void ts_catalogue_make(ts_catalogue *list, ts_contents *contents) {
    work w = {.list = list, .from = contents};
    owner whole = {.each = TS_EACH_ROW, .node = -1, .moves = true};
    list->inside = ts_node_values_new(contents->cells, contents->table[TS_NODES_TABLE].rows);
    contents->cells = (ts_cells){0};
    add_nodes(&w);
    add_parts(&w);
    add_coordinates(&w);
    add_drives(&w);
    add_stores(&w);
    add_acting(&w);
    add_loading(&w);
    add_outputs(&w);
    add_owner(list, &whole, contents->lacks);
    add_contacts(&w);
    add_events(&w);
    add_aliases(&w);
}

void ts_catalogue_clear(ts_catalogue *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i].name);
    free(list->items), free(list->seen);
    ts_node_values_free(list->inside);
    *list = (ts_catalogue){0};
}

double ts_column_value(const ts_column *c, const double *row) {
    return c->channel->value ? c->channel->value(c, row) : row[c->index];
}

/* ---- the table of channels ---- */

static void describe(ts_records *table, const ts_channel *c) {
    const ts_channel *stored = &TS_SERIES[c->series];
    ts_table_cell *row = ts_records_add(table);
    row[TS_CHANNEL_NAME].text = c->column;
    row[TS_CHANNEL_COMPONENTS].text = c->columns ? c->columns : "";
    row[TS_CHANNEL_UNIT].text = c->unit;
    row[TS_CHANNEL_OF].text = TS_FAMILY[c->each].word;
    row[TS_CHANNEL_ARRAY].text = stored->name;
    row[TS_CHANNEL_STORED].integer = c->name != NULL;
    row[TS_CHANNEL_HELP].text = c->help;
}

void ts_channels_make(ts_records *table, ts_contents *contents) {
    ts_catalogue list = {.seen = ts_calloc((size_t)TS_CHANNEL_COUNT, sizeof(bool))};
    ts_catalogue_make(&list, contents);
    *table = (ts_records){.fields = TS_CHANNEL_FIELDS};
    for (int i = 0; i < TS_CHANNEL_COUNT; i++)
        if (list.seen[i]) describe(table, TS_CHANNELS[i]);
    ts_catalogue_clear(&list);
}
