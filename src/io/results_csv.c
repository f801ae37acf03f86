/* Results as a table of comma-separated values, one line per stored state.
 *
 * First every column that the file could give is named, "top.position.x", "pivot.angle.rate",
 * "energy.kinetic". A selector takes the column of exactly its name or, if there is none, all
 * columns below it: "top.position" is three columns, "top" all of that body's. So there is one
 * list, and it also serves the messages for unknown names.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "io/results_file.h"
#include "math/rotation.h"

/* How a number follows from a row of a series. */
typedef enum how {
    COPY,       /* the number at `index` */
    QUATERNION, /* component of the quaternion (s, x, y, z) of the directors at `index` */
    ROTATION,   /* component of the rotation vector of the directors at `index` */
    ENERGY      /* kinetic + elastic + gravity */
} how;

typedef struct column {
    char *name;
    const char *unit;
    ts_series_id series;
    int64_t index;
    how how;
    int component;
    bool usual; /* taken when nothing is asked for */
} column;

typedef struct catalogue {
    column *items;
    size_t count, room;
} catalogue;

static void add(catalogue *list, column item, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(catalogue *list, column item, const char *format, ...) {
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

static void catalogue_clear(catalogue *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i].name);
    free(list->items);
    *list = (catalogue){0};
}

static const char AXIS[] = "xyz";

/* Three components, one after the other in the row. */
static void add_vector(catalogue *list, column item, const char *owner, const char *quantity) {
    for (int k = 0; k < 3; k++, item.index++) add(list, item, "%s.%s.%c", owner, quantity, AXIS[k]);
}

/* ---- the catalogue ---- */

static void add_frame(catalogue *list, const char *owner, int64_t node, int64_t directors) {
    static const char *const director[] = {"orientation.d1", "orientation.d2", "orientation.d3"};
    column q = {.series = TS_FRAME_Q, .unit = "1", .index = directors};
    for (int k = 0; k < 3; k++, q.index += 3) add_vector(list, q, owner, director[k]);
    for (int k = 0; k < 4; k++) {
        column c = {.series = TS_FRAME_Q, .unit = "1", .index = directors, .how = QUATERNION};
        c.component = k;
        add(list, c, "%s.quaternion.%c", owner, "sxyz"[k]);
    }
    for (int k = 0; k < 3; k++) {
        column c = {.series = TS_FRAME_Q, .unit = "rad", .index = directors, .how = ROTATION};
        c.component = k;
        add(list, c, "%s.rotation_vector.%c", owner, AXIS[k]);
    }
    add_vector(list, (column){.series = TS_FRAME_OMEGA, .unit = "rad/s", .index = 3 * node}, owner,
               "omega");
}

typedef struct section_series {
    const char *name; /* "section": Gauss points; "station": what outputs.stations asks for */
    ts_series_id force, strain;
} section_series;

static void add_station(catalogue *list, const char *part, const section_series *of, int ordinal,
                        int64_t station) {
    static const struct {
        const char *force, *force_unit, *strain, *strain_unit;
    } name[TS_SECTION_WIDTH] = {
        {"N", "N", "Gamma1", "1"},      {"Q2", "N", "Gamma2", "1"},
        {"Q3", "N", "Gamma3", "1"},     {"M1", "N m", "kappa1", "1/m"},
        {"M2", "N m", "kappa2", "1/m"}, {"M3", "N m", "kappa3", "1/m"},
    };
    column c = {.index = TS_SECTION_WIDTH * station};
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

static void add_stations(catalogue *list, const char *part, stations *s) {
    static const section_series of = {"section", TS_FRAME_SECTION_FORCE, TS_FRAME_SECTION_STRAIN};
    for (int ordinal = 1; s->next < s->count; ordinal++, s->next++) {
        const ts_h5_cell *row = s->table + s->next * TS_STATION_FIELDS;
        if (strcmp(row[TS_STATION_PART].text, part) != 0) return;
        add_station(list, part, &of, ordinal, s->next);
    }
}

/* These come in the order of outputs.stations, each beam's together. */
static void add_outputs(catalogue *list, int64_t count, const ts_h5_cell *table) {
    static const section_series of = {"station", TS_FRAME_OUTPUT_FORCE, TS_FRAME_OUTPUT_STRAIN};
    const char *last = "";
    int ordinal = 0;
    for (int64_t k = 0; k < count; k++) {
        const char *part = table[k * TS_OUTPUT_FIELDS + TS_OUTPUT_PART].text;
        ordinal = strcmp(part, last) == 0 ? ordinal + 1 : 1;
        add_station(list, last = part, &of, ordinal, k);
    }
}

/* The nodes of a part with several are told apart by their numbers, from 1. */
static void add_nodes(catalogue *list, int64_t nodes, const ts_h5_cell *table, stations *s) {
    int ordinal = 1;
    for (int64_t n = 0; n < nodes; n++) {
        const ts_h5_cell *row = table + n * TS_NODE_FIELDS;
        const char *part = row[TS_NODE_PART].text, *kind = row[TS_NODE_KIND].text;
        bool more = n + 1 < nodes && strcmp(row[TS_NODE_FIELDS + TS_NODE_PART].text, part) == 0;
        char owner[400];
        snprintf(owner, sizeof owner, more || ordinal > 1 ? "%s.%d" : "%s", part, ordinal);
        ordinal = more ? ordinal + 1 : 1;

        bool usual = !row[TS_NODE_FIXED].integer;
        int64_t x = 3 * row[TS_NODE_SLOT].integer;
        add_vector(list, (column){.series = TS_FRAME_Q, .unit = "m", .index = x, .usual = usual},
                   owner, "position");
        add_vector(list, (column){.series = TS_FRAME_V, .unit = "m/s", .index = x}, owner,
                   "velocity");
        if (strcmp(kind, "director") == 0)
            add_vector(list, (column){.series = TS_FRAME_Q, .unit = "1", .index = x + 3}, owner,
                       "director");
        if (strcmp(kind, "frame") == 0) add_frame(list, owner, n, x + 3);
        if (!more) add_stations(list, part, s);
    }
}

static void add_parts(catalogue *list, int64_t parts, const ts_h5_cell *table) {
    for (int64_t p = 0; p < parts; p++) {
        const ts_h5_cell *row = table + p * TS_PART_FIELDS;
        int64_t at = 3 * row[TS_PART_REACTION].integer;
        if (at < 0) continue;
        add_vector(list, (column){.series = TS_FRAME_FORCE, .unit = "N", .index = at},
                   row[TS_PART_NAME].text, "force");
        add_vector(list, (column){.series = TS_FRAME_MOMENT, .unit = "N m", .index = at},
                   row[TS_PART_NAME].text, "moment");
        add_vector(list,
                   (column){.series = TS_FRAME_RELATIVE_DISPLACEMENT, .unit = "m", .index = at},
                   row[TS_PART_NAME].text, "relative_displacement");
        add_vector(list, (column){.series = TS_FRAME_RELATIVE_ROTATION, .unit = "rad", .index = at},
                   row[TS_PART_NAME].text, "relative_rotation");
    }
}

static void add_coordinates(catalogue *list, int64_t count, const ts_h5_cell *table) {
    for (int64_t c = 0; c < count; c++) {
        const ts_h5_cell *row = table + c * TS_COORDINATE_FIELDS;
        const char *part = row[TS_COORDINATE_PART].text, *name = row[TS_COORDINATE_NAME].text;
        bool angle = strcmp(row[TS_COORDINATE_UNIT].text, "rad") == 0;
        column value = {.series = TS_FRAME_COORDINATE, .unit = angle ? "rad" : "m", .index = c};
        column rate = {
            .series = TS_FRAME_COORDINATE_RATE, .unit = angle ? "rad/s" : "m/s", .index = c};
        value.usual = true;
        add(list, value, "%s.%s", part, name);
        add(list, rate, "%s.%s.rate", part, name);
    }
}

static void add_totals(catalogue *list) {
    column energy = {.series = TS_FRAME_LEDGER, .unit = "J", .usual = true};
    for (; energy.index < TS_LEDGER_COLUMNS; energy.index++)
        add(list, energy, "energy.%s", TS_LEDGER_NAME[energy.index]);
    add(list, (column){.series = TS_FRAME_LEDGER, .unit = "J", .how = ENERGY, .usual = true},
        "energy.total");
    add_vector(list, (column){.series = TS_FRAME_LINEAR, .unit = "kg m/s"}, "momentum", "linear");
    add_vector(list, (column){.series = TS_FRAME_ANGULAR, .unit = "kg m^2/s"}, "momentum",
               "angular");
}

/* A damaged file may point anywhere. */
static int check_indices(const ts_results *r, const catalogue *list) {
    for (size_t i = 0; i < list->count; i++) {
        const column *c = &list->items[i];
        int64_t last = c->index + (c->how == QUATERNION || c->how == ROTATION ? 8 : 0);
        if (c->index < 0 || last >= r->track[c->series].values)
            return ts_fail(TORSOR_EIO, "cannot read %s: '%s' points nowhere", r->path, c->name);
    }
    return 0;
}

static int catalogue_make(ts_results *r, catalogue *list) {
    ts_h5_cell *nodes = NULL, *parts = NULL, *coordinates = NULL, *sections = NULL, *outputs = NULL;
    int64_t node_count, part_count, coordinate_count, station_count, output_count;
    int status = ts_h5_table_read(r->file, "/model/nodes", TS_NODE_FIELDS, TS_NODE_FIELD,
                                  &node_count, &nodes) ||
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
        add_nodes(list, node_count, nodes, &(stations){.count = station_count, .table = sections});
        add_parts(list, part_count, parts);
        add_coordinates(list, coordinate_count, coordinates);
        add_outputs(list, output_count, outputs);
        add_totals(list);
        status = check_indices(r, list);
    }
    free(nodes), free(parts), free(coordinates), free(sections), free(outputs);
    return status;
}

/* ---- choosing ---- */

typedef struct choice {
    const column **items;
    size_t count, room;
} choice;

static void choose(choice *chosen, const column *item) {
    if (chosen->count == chosen->room) {
        chosen->room = chosen->room ? 2 * chosen->room : 64;
        chosen->items = ts_realloc(chosen->items, chosen->room, sizeof *chosen->items);
    }
    chosen->items[chosen->count++] = item;
}

static bool below(const char *name, const char *selector, size_t length) {
    return strncmp(name, selector, length) == 0 && name[length] == '.';
}

static void choose_below(const catalogue *list, const char *selector, choice *chosen) {
    size_t length = strlen(selector);
    for (size_t i = 0; i < list->count; i++)
        if (below(list->items[i].name, selector, length)) choose(chosen, &list->items[i]);
}

/* The next name after `length` characters of it: "position" of "top.position.x". */
static size_t name_to(const char *name, size_t length) {
    return length + strcspn(name + length, ".");
}

/* What stands below the first `length` characters of `selector`, each name once: "position,
 * velocity". */
static void list_below(const catalogue *list, const char *selector, size_t length, char *text,
                       size_t size) {
    const char *last = "";
    size_t last_length = 0, used = 0;
    text[0] = 0;
    for (size_t i = 0; i < list->count && used < size; i++) {
        const char *name = list->items[i].name;
        if (length && !below(name, selector, length)) continue;
        const char *word = name + (length ? length + 1 : 0);
        size_t word_length = name_to(word, 0);
        if (word_length == last_length && strncmp(word, last, word_length) == 0) continue;
        last = word, last_length = word_length;
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "",
                                 (int)word_length, word);
    }
    if (used >= size) memcpy(text + size - 4, "...", 4);
}

/* The nearest among all names and all beginnings of names. */
static const char *nearest(const catalogue *list, const char *selector, char *text, size_t size) {
    int best = INT_MAX;
    char candidate[512];
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i].name;
        for (size_t end = name_to(name, 0);; end = name_to(name, end + 1)) {
            snprintf(candidate, sizeof candidate, "%.*s", (int)end, name);
            if (ts_word_closer(selector, strlen(selector), candidate, &best))
                snprintf(text, size, "%s", candidate);
            if (!name[end]) break;
        }
    }
    return text;
}

static bool known(const catalogue *list, const char *selector, size_t length) {
    for (size_t i = 0; i < list->count; i++)
        if (below(list->items[i].name, selector, length)) return true;
    return false;
}

/* The longest beginning that exists decides what is listed: of a body, or of the whole file. */
static int unknown(const ts_results *r, const catalogue *list, const char *selector) {
    char near[512], there[400], hint[560] = "";
    size_t length = strlen(selector);
    while (length > 0 && !known(list, selector, length))
        for (length--; length > 0 && selector[length] != '.';) length--;
    list_below(list, selector, length, there, sizeof there);
    if (nearest(list, selector, near, sizeof near)[0])
        snprintf(hint, sizeof hint, " Did you mean '%s'?", near);
    if (length == 0)
        return ts_fail(TORSOR_EINVAL, "%s has no '%s'.%s There are: %s", r->path, selector, hint,
                       there);
    return ts_fail(TORSOR_EINVAL, "%s has no '%s'.%s '%.*s' has: %s", r->path, selector, hint,
                   (int)length, selector, there);
}

static int choose_one(const ts_results *r, const catalogue *list, const char *selector,
                      choice *chosen) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, selector) == 0) {
            choose(chosen, &list->items[i]);
            return 0;
        }
    size_t before = chosen->count;
    choose_below(list, selector, chosen);
    return chosen->count > before ? 0 : unknown(r, list, selector);
}

static int choose_all(const ts_results *r, const catalogue *list, int selectors,
                      char *const *selector, choice *chosen) {
    int status = 0;
    for (int i = 0; i < selectors && !status; i++)
        status = choose_one(r, list, selector[i], chosen);
    for (size_t i = 0; i < list->count && selectors <= 0; i++)
        if (list->items[i].usual) choose(chosen, &list->items[i]);
    return status;
}

/* ---- printing ---- */

/* A name with a comma, quote or line end is quoted (RFC 4180). */
static void print_name(FILE *out, const char *name, const char *unit) {
    bool quote = strpbrk(name, ",\"\r\n") != NULL;
    if (quote) fputc('"', out);
    for (const char *p = name; *p; p++) {
        if (*p == '"') fputc('"', out);
        fputc(*p, out);
    }
    fprintf(out, " [%s]", unit);
    if (quote) fputc('"', out);
}

static double value_of(const column *c, const double *row) {
    const double *at = row + c->index;
    switch (c->how) {
    case COPY:
        return *at;
    case QUATERNION: {
        quat p = ts_quat_from_matrix(m3_load(at));
        return c->component == 0 ? p.s : v3_get(p.v, c->component - 1);
    }
    case ROTATION:
        return v3_get(ts_so3_log(m3_load(at)), c->component);
    case ENERGY:
        return row[0] + row[1] + row[2];
    }
    return 0;
}

static int print_frames(ts_results *r, const choice *chosen, double *row[TS_SERIES_COUNT],
                        FILE *out) {
    for (int64_t frame = 0; frame < ts_results_frames(r); frame++) {
        for (int s = 0; s < TS_SERIES_COUNT; s++)
            if (row[s] && ts_results_rows(r, (ts_series_id)s, frame, 1, row[s])) return TORSOR_EIO;
        fprintf(out, "%.17g", row[TS_FRAME_T][0]);
        for (size_t i = 0; i < chosen->count; i++)
            fprintf(out, ",%.17g", value_of(chosen->items[i], row[chosen->items[i]->series]));
        fputc('\n', out);
    }
    return fflush(out) || ferror(out) ? ts_fail(TORSOR_EIO, "cannot write the table") : 0;
}

static int print_table(ts_results *r, const choice *chosen, FILE *out) {
    fputs("t [s]", out);
    for (size_t i = 0; i < chosen->count; i++) {
        fputc(',', out);
        print_name(out, chosen->items[i]->name, chosen->items[i]->unit);
    }
    fputc('\n', out);

    double *row[TS_SERIES_COUNT] = {[TS_FRAME_T] = ts_calloc(1, sizeof(double))};
    for (size_t i = 0; i < chosen->count; i++) {
        ts_series_id s = chosen->items[i]->series;
        if (!row[s]) row[s] = ts_calloc((size_t)r->track[s].values, sizeof(double));
    }
    int status = print_frames(r, chosen, row, out);
    for (int s = 0; s < TS_SERIES_COUNT; s++) free(row[s]);
    return status;
}

int ts_results_csv(ts_results *r, int selectors, char *const *selector, FILE *out) {
    catalogue list = {0};
    choice chosen = {0};
    int status = catalogue_make(r, &list);
    if (!status) status = choose_all(r, &list, selectors, selector, &chosen);
    if (!status) status = print_table(r, &chosen, out);
    free(chosen.items);
    catalogue_clear(&list);
    return status;
}

/* ---- the same as numbers ---- */

static void table_new(ts_columns *t, const choice *chosen, int64_t rows) {
    *t = (ts_columns){.rows = rows, .count = (int)chosen->count + 1};
    t->name = ts_calloc((size_t)t->count, sizeof *t->name);
    t->unit = ts_calloc((size_t)t->count, sizeof *t->unit);
    t->data = ts_calloc((size_t)t->count * (size_t)rows, sizeof(double));
    t->name[0] = ts_strdup("t"), t->unit[0] = ts_strdup("s");
    for (int i = 1; i < t->count; i++) {
        t->name[i] = ts_strdup(chosen->items[i - 1]->name);
        t->unit[i] = ts_strdup(chosen->items[i - 1]->unit);
    }
}

/* Series by series, in blocks of about a megabyte. */
static int fill_series(ts_results *r, ts_series_id s, const choice *chosen, ts_columns *t) {
    int64_t values = r->track[s].values, most = values < 131072 ? 131072 / values : 1;
    double *block = ts_calloc((size_t)(most * values), sizeof(double));
    int status = 0;
    for (int64_t first = 0; first < t->rows && !status; first += most) {
        int64_t rows = t->rows - first < most ? t->rows - first : most;
        status = ts_results_rows(r, s, first, rows, block);
        for (size_t i = 0; i < chosen->count && !status; i++) {
            if (chosen->items[i]->series != s) continue;
            double *to = t->data + (int64_t)(i + 1) * t->rows + first;
            for (int64_t k = 0; k < rows; k++)
                to[k] = value_of(chosen->items[i], block + k * values);
        }
    }
    free(block);
    return status;
}

static int fill_table(ts_results *r, const choice *chosen, ts_columns *t) {
    bool wanted[TS_SERIES_COUNT] = {false};
    int status = t->rows ? ts_results_rows(r, TS_FRAME_T, 0, t->rows, t->data) : 0;
    for (size_t i = 0; i < chosen->count; i++) wanted[chosen->items[i]->series] = true;
    for (int s = 0; s < TS_SERIES_COUNT && !status; s++)
        if (wanted[s]) status = fill_series(r, (ts_series_id)s, chosen, t);
    return status;
}

int ts_results_columns(ts_results *r, int selectors, char *const *selector, bool rows,
                       ts_columns *out) {
    catalogue list = {0};
    choice chosen = {0};
    *out = (ts_columns){0};
    int status = catalogue_make(r, &list);
    if (!status && !rows)
        for (size_t i = 0; i < list.count; i++) choose(&chosen, &list.items[i]);
    if (!status && rows) status = choose_all(r, &list, selectors, selector, &chosen);
    if (!status) {
        table_new(out, &chosen, rows ? ts_results_frames(r) : 0);
        status = fill_table(r, &chosen, out);
    }
    if (status) ts_columns_clear(out);
    free(chosen.items);
    catalogue_clear(&list);
    return status;
}

void ts_columns_clear(ts_columns *t) {
    for (int i = 0; i < t->count; i++) free(t->name[i]), free(t->unit[i]);
    free(t->name), free(t->unit), free(t->data);
    *t = (ts_columns){0};
}
