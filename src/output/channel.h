/* SPDX-License-Identifier: Apache-2.0 */
/* Channels: all quantities in the results of a run, as one table, channels.inc.
 *
 * A *stored* channel is an array of the results file, /frames/NAME (a row per stored state) or
 * /steps/NAME (a row per step), of the shape rows x entries x width. `each` gives the owners of its
 * entries (nodes, joints, stations), and `fill` computes a row from the state. If it has a
 * `column`, tables, reports, Python and `info` also have it, as
 *
 *     OWNER.COLUMN.COMPONENT     rod.omega.x, pin.force.z, arm.section.3.M2
 *
 * A *derived* channel is not stored: it is computed from a row of a stored channel (`series`,
 * `value`). All code loops over this table; a new channel is one entry. */
#ifndef TS_CHANNEL_H
#define TS_CHANNEL_H

#include "analysis/run.h"
#include "output/family.h"
#include "system/instant.h"

/* Rows of a file are in two groups: one row per stored state, one row per step. */
typedef enum ts_group { TS_FRAMES, TS_STEPS, TS_GROUPS } ts_group;

#define STORED(id, ...) id,
#define DERIVED(...)
typedef enum ts_series_id {
#include "output/channels.inc"
    TS_SERIES_COUNT
} ts_series_id;
#undef STORED
#undef DERIVED

enum { TS_LEDGER_COLUMNS = 9, TS_INPUT_WIDTH = 6, TS_PEAK_WIDTH = 5 };
enum { TS_SECTION_WIDTH = 6, TS_SHELL_WIDTH = 8, TS_STRESS_WIDTH = 6 };

/* Source of a row: a state, forces at its time, and for rows of /steps the report of the step. */
typedef struct ts_moment {
    const ts_system *system;
    const ts_instant *instant;
    const ts_step_report *report;
    const ts_places *places;
    int64_t pairs; /* row of the first pair that touches: results/pairs.c */
    bool at_rest;  /* statics: velocities and accelerations of the state are those of a path */
} ts_moment;

struct ts_column;

/* Whether a report contains the histories of a channel of nodes. */
typedef enum ts_told {
    TS_TOLD_ALWAYS,
    TS_TOLD_OF_ONE, /* of bodies only: not where a part has many nodes */
    TS_TOLD_NEVER   /* no: another channel has the same content */
} ts_told;

/* Part of ts_state that a restart restores: numbers of it, or an array that it points to. */
typedef enum ts_kept { TS_KEPT_NOT, TS_KEPT_NUMBERS, TS_KEPT_ARRAY } ts_kept;

typedef struct ts_channel {
    ts_series_id series; /* itself; for a derived channel, the series that it is computed from */
    const char *name;    /* name of the array; NULL: derived */
    const char *help;
    const char *unit; /* one, or several, "N, N m": `pick` says which */
    /* By component, the place of its unit in the list: "000111". With `pick_by_angle`: that of a
     * length, then that of an angle. */
    const char *pick;
    bool pick_by_angle;
    const char *columns; /* names of the components; NULL: there is one, without a name */
    const char *column;  /* between owner and component; "": nothing; NULL: not in tables */
    ts_group group;
    ts_each each; /* family of the entries of a row; for a derived channel: its owner */
    int width;    /* numbers per entry */

    /* stored: fills the row of the present state; `second` is the row of the series `with`, which
     * has no `fill` of its own */
    void (*fill)(const ts_moment *now, const struct ts_channel *channel, void *row, void *second);
    ts_series_id with; /* 0: none */
    ts_kept kept;
    size_t offset; /* size of the copied data, in bytes: see channels.c */
    bool integer;
    bool blank;    /* NaN in rows not yet written */
    bool later;    /* missing in files of older versions */
    bool improves; /* forces at an instant, which later steps improve: instant.c */

    /* columns */
    int skip; /* first number in the entry */
    /* Value from a row of the series; NULL: the number itself. */
    double (*value)(const struct ts_column *column, const double *row);
    ts_series_id older; /* series to read where the file lacks this one; 0: none */
    int span;           /* numbers that `value` reads from the first on; 0: one */
    unsigned nodes;     /* node kinds that have it, a bit each; 0: all */
    const char *kinds;  /* kinds and sections of parts that have it, blanks between; NULL: all */
    bool inside;        /* at nodes, from the cells around them: node_values.h */
    bool from_drawn;    /* needs the drawn position of the node */
    bool usual;         /* selected when no selector is given */
    bool place;         /* it is a position */
    ts_told told;

    /* Pictures: names of fields, one for every three components, or one for a single component;
     * NULL: none. Of nodes: at points. Of others: in cells; for a cell with several stations, the
     * mean. */
    const char *picture;
    /* Value in a cell from the numbers of a station, and those of the series `with`; NULL: the
     * components themselves. */
    double (*in_cell)(const double *entry, const double *with, int width);
    /* Colours of flexible parts in reports: labels of the components, ";" between them; NULL: none.
     * Numbers of `in_cell` are never negative. */
    const char *colour;
    bool root; /* colours are scaled with the square root: for energies, which are small nearly
                * everywhere */
} ts_channel;

/* Stored channels, by their number. */
typedef ts_channel ts_series;
extern const ts_channel TS_SERIES[TS_SERIES_COUNT];
/* All channels, in the order of tables. */
extern const ts_channel *const TS_CHANNELS[];
extern const int TS_CHANNEL_COUNT;

extern const char *const TS_GROUP_NAME[TS_GROUPS];
extern const char *const TS_LEDGER_NAME[TS_LEDGER_COLUMNS];

const char *ts_series_path(ts_series_id id, char name[64]); /* "/frames/q"; returns `name` */
/* Do parts of this kind have the channel? */
bool ts_channel_of_kind(const ts_channel *channel, const char *kind, const char *section);
/* The name of a component; false: there is none. */
bool ts_channel_word(const ts_channel *channel, int component, char *word, size_t size);
/* The unit of a channel's component. */
void ts_channel_unit(const ts_channel *channel, int component, int quantity, char *unit,
                     size_t size);

/* The k-th name of its fields in pictures; false: there is none. */
bool ts_channel_picture(const ts_channel *channel, int k, char *word, size_t size);
/* The label of a component among the colours of reports; false: there is none. */
bool ts_channel_colour(const ts_channel *channel, int component, char *label, size_t size);
/* The name of this colour in scenes and reports. */
void ts_channel_colour_key(const ts_channel *channel, int component, char *key, size_t size);

/* Von Mises' stress of s11, s22, s33, s12, s23, s13. */
double ts_mises(const double *s);

#endif
