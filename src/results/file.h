/* What the writer and the readers of a results file share: the list of series and the open file.
 * See results.c. */
#ifndef TS_RESULTS_FILE_H
#define TS_RESULTS_FILE_H

#include "results/h5.h"
#include "results/results.h"
#include "system/instant.h"

enum { TS_RESULTS_VERSION = 1, TS_STATUS_SIZE = 256, TS_LEDGER_COLUMNS = 9 };

/* Series come in two groups: a row per stored state, a row per step. */
typedef enum ts_group { TS_FRAMES, TS_STEPS, TS_GROUPS } ts_group;

/* What a row holds one entry of. */
typedef enum ts_each {
    TS_EACH_ROW, /* nothing else: one entry */
    TS_EACH_SLOT,
    TS_EACH_NODE,
    TS_EACH_CONDITION, /* row of the model */
    TS_EACH_MEMORY,
    TS_EACH_REACTION, /* part with sites */
    TS_EACH_COORDINATE,
    TS_EACH_STATION,     /* site along a beam */
    TS_EACH_OUTPUT,      /* place along a beam that outputs.stations asks for */
    TS_EACH_SHELL_POINT, /* site of a shell */
    TS_EACH_SOLID_POINT, /* site of a solid */
    TS_EACH_INPUT,       /* signal set from outside */
    TS_EACH_TRAIL,       /* mean over an earlier step */
    TS_EACH_MEASURE,     /* of the audit of resolution */
    TS_EACH_COUNT
} ts_each;

typedef enum ts_series_id {
    TS_FRAME_T,
    TS_FRAME_STEP,
    TS_FRAME_Q,
    TS_FRAME_V,
    TS_FRAME_VDOT,
    TS_FRAME_LAMBDA,
    TS_FRAME_KAPPA,
    TS_FRAME_MEMORY,
    TS_FRAME_TRAIL,
    TS_FRAME_CONTROL,
    TS_FRAME_INPUT,
    TS_FRAME_LEDGER,
    TS_FRAME_RESOLUTION,
    TS_FRAME_LARGEST_ENERGY,
    TS_FRAME_OMEGA,
    TS_FRAME_FORCE,
    TS_FRAME_MOMENT,
    TS_FRAME_MULTIPLIER,
    TS_FRAME_RELATIVE_DISPLACEMENT,
    TS_FRAME_RELATIVE_ROTATION,
    TS_FRAME_COORDINATE,
    TS_FRAME_COORDINATE_RATE,
    TS_FRAME_SECTION_FORCE,
    TS_FRAME_SECTION_STRAIN,
    TS_FRAME_OUTPUT_FORCE,
    TS_FRAME_OUTPUT_STRAIN,
    TS_FRAME_SHELL_FORCE,
    TS_FRAME_SHELL_STRAIN,
    TS_FRAME_SOLID_STRESS,
    TS_FRAME_LINEAR,
    TS_FRAME_ANGULAR,
    TS_STEP_T,
    TS_STEP_STEP,
    TS_STEP_H,
    TS_STEP_ITERATIONS,
    TS_STEP_CUTS,
    TS_STEP_VIOLATION,
    TS_STEP_RATE_VIOLATION,
    TS_STEP_KINETIC,
    TS_STEP_ELASTIC,
    TS_STEP_GRAVITY,
    TS_STEP_WORK_LOADS,
    TS_STEP_WORK_DRIVES,
    TS_STEP_DISSIPATED,
    TS_STEP_ALGORITHMIC,
    TS_STEP_BALANCE,
    TS_SERIES_COUNT
} ts_series_id;

/* Where the numbers of a row come from: `offset` bytes into one of these, or a computation. */
typedef enum ts_from {
    TS_FROM_STATE,       /* a double or int64 of ts_state */
    TS_FROM_STATE_ARRAY, /* an array of ts_state */
    TS_FROM_COMPUTED, /* an array of ts_results: forces and moments come together, before the row */
    TS_FROM_LEDGER,   /* a double of ts_ledger */
    TS_FROM_ACCOUNT,  /* the whole ledger, then energy_start */
    TS_FROM_REPORT,   /* a double or int64 of ts_step_report */
    TS_FROM_REPORT_INT, /* an int of ts_step_report */
    TS_FROM_INPUT,
    TS_FROM_OMEGA,
    TS_FROM_RELATIVE_DISPLACEMENT,
    TS_FROM_RELATIVE_ROTATION,
    TS_FROM_COORDINATE,
    TS_FROM_COORDINATE_RATE,
    TS_FROM_LINEAR,
    TS_FROM_ANGULAR
} ts_from;

typedef struct ts_series {
    const char *name, *unit, *columns, *help;
    ts_group group;
    ts_each each;
    int width; /* numbers per entry */
    ts_from from;
    size_t offset;
    bool integer, blank;
    bool later; /* files from before there was such a series lack it */
} ts_series;

extern const ts_series TS_SERIES[TS_SERIES_COUNT];
extern const char *const TS_GROUP_NAME[TS_GROUPS];
extern const char *const TS_LEDGER_NAME[TS_LEDGER_COLUMNS];

/* Tables of the model, and their columns. */
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
enum { TS_COORDINATE_PART, TS_COORDINATE_NAME, TS_COORDINATE_UNIT, TS_COORDINATE_FIELDS };
enum {
    TS_CONDITION_PART,
    TS_CONDITION_LABEL,
    TS_CONDITION_DRIVE,
    TS_CONDITION_REDUNDANT,
    TS_CONDITION_FIELDS
};
enum { TS_STATION_PART, TS_STATION_ELEMENT, TS_STATION_ARC, TS_STATION_WEIGHT, TS_STATION_FIELDS };
enum { TS_OUTPUT_PART, TS_OUTPUT_ARC, TS_OUTPUT_FIELDS };
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
enum { TS_STRESS_WIDTH = 6, TS_INPUT_WIDTH = 6, TS_PEAK_WIDTH = 5 };
enum { TS_SECTION_WIDTH = 6, TS_SHELL_WIDTH = 8 }; /* forces, or strains, of a section */
extern const ts_h5_field TS_NODE_FIELD[TS_NODE_FIELDS];
extern const ts_h5_field TS_NAME_FIELD[TS_NAME_FIELDS];
extern const ts_h5_field TS_PART_FIELD[TS_PART_FIELDS];
extern const ts_h5_field TS_COORDINATE_FIELD[TS_COORDINATE_FIELDS];
extern const ts_h5_field TS_CONDITION_FIELD[TS_CONDITION_FIELDS];
extern const ts_h5_field TS_STATION_FIELD[TS_STATION_FIELDS];
extern const ts_h5_field TS_OUTPUT_FIELD[TS_OUTPUT_FIELDS];
extern const ts_h5_field TS_MEASURE_FIELD[TS_MEASURE_FIELDS];

/* A number of a struct that is kept as an attribute of the file, under its own name. */
typedef struct ts_attribute {
    const char *name;
    size_t offset;
    enum {
        TS_ATTRIBUTE_REAL,
        TS_ATTRIBUTE_WHOLE,
        TS_ATTRIBUTE_INT
    } type; /* double, int64_t, int */
} ts_attribute;
enum { TS_OPTION_COUNT = 7 };
extern const ts_attribute
    TS_OPTIONS[TS_OPTION_COUNT]; /* of ts_options, besides the scheme's name */
extern const ts_h5_field TS_SHELL_POINT_FIELD[TS_SHELL_POINT_FIELDS];
extern const ts_h5_field TS_SOLID_POINT_FIELD[TS_SOLID_POINT_FIELDS];

/* One series of an open file. */
typedef struct ts_track {
    ts_h5 set;      /* -1 until opened */
    int64_t values; /* numbers per row */
    char *buffer;   /* writer: rows not yet in the file */
} ts_track;

struct ts_results {
    char *path;
    ts_h5 file;
    bool writing, broken; /* broken: a write failed, all later ones are refused */
    int64_t entries[TS_EACH_COUNT];
    ts_track track[TS_SERIES_COUNT];
    int64_t rows[TS_GROUPS]; /* complete rows in the file */

    /* writer */
    ts_h5 progress;
    int64_t planned[TS_GROUPS], waiting[TS_GROUPS],
        room[TS_GROUPS]; /* rows: laid out, buffered, buffer size */
    bool counted;        /* `progress` is up to date */
    int *reaction;       /* parts, in the order of force and moment */
    double *force, *moment;
    ts_awaiting
        awaiting[TS_TRAIL_MOST]; /* stored states whose forces the next steps will tell better */
    int64_t awaiting_row[TS_TRAIL_MOST];
    double *multiplier; /* of the instant that is being written */
    int *station;       /* sites, in the order of section_force and section_strain */
    double *section_force, *section_strain;
    ts_station *output; /* places, in the order of output_force and output_strain */
    double *output_force, *output_strain;
    int *shell_point; /* likewise of shells */
    double *shell_force, *shell_strain;
    int *solid_point; /* and of solids */
    double *solid_stress;
    double flushed, stored; /* wall times */
    uint64_t device, inode; /* of the file, once in its place */

    char *text; /* of the model; reader only */
    size_t length;
};

const char *ts_series_path(ts_series_id id, char name[64]); /* "/frames/q"; returns `name` */

/* The row of a series for the present state. */
void ts_series_fill(const ts_results *results, ts_series_id id, const ts_system *system,
                    const ts_step_report *report, void *row);

ts_results *ts_results_blank(const char *path);
void ts_results_discard(ts_results *results); /* closes and frees, whatever the state */

/* Reads complete rows of a series, 8 bytes per number. */
int ts_results_rows(ts_results *results, ts_series_id id, int64_t first, int64_t rows, void *out);

#endif
