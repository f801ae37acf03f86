/* SPDX-License-Identifier: Apache-2.0 */
/* Families of owners of channels: nodes, joints, stations ... Each family lists its members in a
 * model, and has a table in the file with the member of each entry. See family.c. */
#ifndef TS_FAMILY_H
#define TS_FAMILY_H

#include "output/subject.h"
#include "output/table.h"

/* Families: the things of which a row has one entry each. */
typedef enum ts_each {
    TS_EACH_ROW, /* none: one entry */
    TS_EACH_SLOT,
    TS_EACH_NODE,
    TS_EACH_CONDITION, /* row of the model */
    TS_EACH_MEMORY,
    TS_EACH_REACTION, /* part with sites */
    TS_EACH_COORDINATE,
    TS_EACH_STATION,     /* site along a beam */
    TS_EACH_OUTPUT,      /* position along a beam from outputs.stations */
    TS_EACH_SHELL_POINT, /* site of a shell */
    TS_EACH_SOLID_POINT, /* site of a solid */
    TS_EACH_INPUT,       /* signal set from outside */
    TS_EACH_TRAIL,       /* mean over an earlier step */
    TS_EACH_TOUCHABLE,   /* a model with contacts: one entry; others have none */
    TS_EACH_JUMP,        /* slot of a model with stations */
    TS_EACH_MEASURE,     /* of the audit of resolution */
    TS_EACH_STORE,       /* part that stores elastic energy */
    TS_EACH_ACTING,      /* spring, motor or gear that acts along one coordinate */
    TS_EACH_LOADING,     /* load over time */
    TS_EACH_EVENT,       /* event */
    TS_EACH_CONTACT,     /* contact */
    TS_EACH_EVENTFUL,    /* a model with events: one entry; others have none */
    TS_EACH_PAST,        /* acceleration of an earlier step, of a model whose events read one */
    TS_EACH_COUNT
} ts_each;

/* The members of every family in a model. */
typedef struct ts_places {
    int64_t count[TS_EACH_COUNT];
    /* nodes, parts, sites ... in the order of entries; NULL: 0, 1, 2 ... */
    int *index[TS_EACH_COUNT];
    const ts_beam_place *output; /* of TS_EACH_OUTPUT; borrowed */
} ts_places;

void ts_places_new(ts_places *places, const ts_subject *subject);
void ts_places_clear(ts_places *places);

typedef struct ts_family {
    const char *word;        /* for `info`: "node" */
    ts_station_kind station; /* of stations: which of them */
    bool inside;             /* position in the mesh, which differs in another mesh */
    /* Returns the number of members, and lists them unless `index` is NULL; a family without it has
     * `count` members. */
    int64_t (*list)(const ts_subject *subject, int *index);
    int64_t (*count)(const ts_subject *subject);
} ts_family;
extern const ts_family TS_FAMILY[TS_EACH_COUNT];
/* The family of the stations of a kind. */
ts_each ts_each_of_station(ts_station_kind station);

/* ---- tables of the model, and their columns ---- */

typedef enum ts_table_id {
    TS_PARTS_TABLE,
    TS_NODES_TABLE,
    TS_COORDINATES_TABLE,
    TS_STATIONS_TABLE,
    TS_OUTPUTS_TABLE,
    TS_SHELL_POINTS_TABLE,
    TS_SOLID_POINTS_TABLE,
    TS_CONDITIONS_TABLE,
    TS_MEASURES_TABLE,
    TS_STORES_TABLE,
    TS_ACTING_TABLE,
    TS_LOADING_TABLE,
    TS_NAMES_TABLE,
    TS_EVENTS_TABLE,
    TS_CONTACTS_TABLE,
    TS_CHANNELS_TABLE,
    TS_TABLES
} ts_table_id;

typedef struct ts_table_about {
    const char *path, *help;
    const ts_table_field *field;
    int fields;
    bool later; /* missing in files of older versions */
    void (*fill)(const ts_subject *subject, const ts_places *places, ts_records *table);
} ts_table_about;
extern const ts_table_about TS_TABLE[TS_TABLES];

/* Texts belong to the model, except those of names: free these by ts_names_clear. */
void ts_table_make(ts_records *table, ts_table_id id, const ts_subject *subject,
                   const ts_places *places);
void ts_table_free(ts_records *table, ts_table_id id);

enum {
    TS_NODE_PART,
    TS_NODE_KIND,
    TS_NODE_FIXED,
    TS_NODE_SLOT,
    TS_NODE_SLOTS,
    TS_NODE_MASS,
    TS_NODE_FIELDS
};
enum { TS_NAME_PART, TS_NAME_WORD, TS_NAME_NODE, TS_NAME_FIELDS };
enum { TS_PART_NAME, TS_PART_KIND, TS_PART_SECTION, TS_PART_REACTION, TS_PART_FIELDS };
/* Is this row the part of that name? (A material, a section or a mesh may have the name, too.) */
bool ts_part_row_is(const ts_table_cell *row, const char *name);
enum { TS_COORDINATE_PART, TS_COORDINATE_NAME, TS_COORDINATE_UNIT, TS_COORDINATE_FIELDS };
enum {
    TS_CONDITION_PART,
    TS_CONDITION_LABEL,
    TS_CONDITION_DRIVE,
    TS_CONDITION_REDUNDANT,
    TS_CONDITION_FIELDS
};
enum { TS_STATION_PART, TS_STATION_ELEMENT, TS_STATION_ARC, TS_STATION_WEIGHT, TS_STATION_FIELDS };
enum { TS_ASKED_PART, TS_ASKED_ARC, TS_ASKED_FIELDS };
enum {
    TS_SHELL_POINT_PART,
    TS_SHELL_POINT_ELEMENT,
    TS_SHELL_POINT_X,
    TS_SHELL_POINT_Y,
    TS_SHELL_POINT_Z,
    TS_SHELL_POINT_AREA,
    TS_SHELL_POINT_THICKNESS,
    TS_SHELL_POINT_FIELDS
};
enum {
    TS_SOLID_POINT_PART,
    TS_SOLID_POINT_ELEMENT,
    TS_SOLID_POINT_X,
    TS_SOLID_POINT_Y,
    TS_SOLID_POINT_Z,
    TS_SOLID_POINT_VOLUME,
    TS_SOLID_POINT_FIELDS
};
enum {
    TS_MEASURE_NAME,
    TS_MEASURE_WHAT,
    TS_MEASURE_UNIT,
    TS_MEASURE_TOLD,
    TS_MEASURE_COARSE,
    TS_MEASURE_REJECTED,
    TS_MEASURE_FIELDS
};
enum { TS_STORE_PART, TS_STORE_FIELDS };
enum { TS_LOADING_PART, TS_LOADING_FIELDS };
enum { TS_ACTING_PART, TS_ACTING_UNIT, TS_ACTING_FIELDS };
enum { TS_EVENT_PART, TS_EVENT_MARK, TS_EVENT_FIELDS };
enum { TS_CONTACT_PART, TS_CONTACT_FIELDS };
enum {
    TS_CHANNEL_NAME,
    TS_CHANNEL_COMPONENTS,
    TS_CHANNEL_UNIT,
    TS_CHANNEL_OF,
    TS_CHANNEL_ARRAY,
    TS_CHANNEL_STORED,
    TS_CHANNEL_HELP,
    TS_CHANNEL_FIELDS
};

#endif
