/* SPDX-License-Identifier: Apache-2.0 */
/* What the writer and the readers of a results file share: the open file. Its series are the stored
 * channels of output/channels.inc; for the layout see results.c. */
#ifndef TS_RESULTS_FILE_H
#define TS_RESULTS_FILE_H

#include "output/channel.h"
#include "results/h5.h"
#include "results/results.h"

enum { TS_RESULTS_VERSION = 4, TS_STATUS_SIZE = 256 };

/* A number of a struct that is stored as an attribute of the file, under its own name. */
typedef struct ts_attribute {
    const char *name;
    size_t offset;
    /* double, int64_t, int */
    enum { TS_ATTRIBUTE_REAL, TS_ATTRIBUTE_WHOLE, TS_ATTRIBUTE_INT } type;
} ts_attribute;
enum { TS_OPTION_COUNT = 6 };
/* The attributes that store ts_options, except the scheme's name. */
extern const ts_attribute TS_OPTIONS[TS_OPTION_COUNT];

/* One series of an open file. */
typedef struct ts_track {
    ts_h5 set;      /* -1 until opened */
    int64_t values; /* numbers per row */
    char *buffer;   /* writer: rows not yet in the file */
} ts_track;

/* Rows of pairs that touch, any number for a stored state: pairs.c. */
typedef struct ts_pair_rows {
    ts_h5 set;             /* -1: the file has no pairs */
    int64_t rows, planned; /* in the file: written, allocated */
    int64_t former;        /* reader, before version 4: the size that every state has; else 0 */
    int64_t waiting, room; /* writer: pairs that are not yet in the file; allocated numbers */
    double *buffer;
} ts_pair_rows;

/* Checksums of the rows of a group: checksum.c. */
typedef struct ts_sums {
    ts_h5 set;
    int columns;
    int count; /* writer: number of series with checksums */
    ts_series_id series[TS_SERIES_COUNT];
    int64_t *buffer;      /* of rows that wait; reader: of rows from `first` on, or their numbers */
    int64_t first, ahead; /* reader: the rows in the buffer */
} ts_sums;

struct ts_results {
    char *path;
    ts_h5 file;
    bool writing, broken; /* broken: a write failed, all later ones are refused */
    int64_t entries[TS_EACH_COUNT];
    ts_track track[TS_SERIES_COUNT];
    ts_pair_rows pairs;
    int64_t rows[TS_GROUPS];      /* complete rows in the file */
    int64_t most_rows[TS_GROUPS]; /* reader: allocated rows */

    /* checksums; files before version 3 have none and are not sealed */
    bool sealed, end_whole; /* end_whole: the summary and the status are as they were written */
    ts_sums sums[TS_GROUPS];
    /* columns of /checksums/frames, by series; -1: none. `before`: of a row that was written
     * again */
    int column[TS_SERIES_COUNT], column_before[TS_SERIES_COUNT];
    int pairs_column;
    int64_t *written; /* writer: the last TS_TRAIL_MOST rows of /checksums/frames */
    ts_h5 progress_sums;
    int64_t progress_sum[2];

    /* writer */
    ts_h5 progress;
    /* rows: allocated, buffered, buffer size */
    int64_t planned[TS_GROUPS], waiting[TS_GROUPS], room[TS_GROUPS];
    bool counted;          /* `progress` is up to date */
    bool ending;           /* memory is exhausted: nothing new may be made */
    ts_places places;      /* in the order of entries */
    ts_beam_place *output; /* those of outputs.stations */
    /* stored states whose forces later steps will improve, and their rows */
    ts_awaiting awaiting[TS_TRAIL_MOST];
    int64_t awaiting_row[TS_TRAIL_MOST];
    const ts_system *owed[TS_TRAIL_MOST]; /* of rows without forces yet; NULL: they have them */
    bool at_rest;                         /* being written: rows are equilibria */
    int64_t version;                      /* version of the format, when it is read */
    double *again[2];                     /* buffer for the rows that are improved */
    double flushed, stored;               /* wall times */
    uint64_t device, inode;               /* of the file, once in its place */
    int lock;                             /* on the file: see base/place.h */

    char *text; /* of the model; reader only */
    size_t length;
};

ts_results *ts_results_blank(const char *path);
void ts_results_discard(ts_results *results); /* closes and frees, whatever the state */

/* Reads complete rows of a series, 8 bytes per number. */
int ts_results_rows(ts_results *results, ts_series_id id, int64_t first, int64_t rows, void *out);
/* Does the file contain the pairs that touch? */
bool ts_pairs_told(const ts_results *results);
/* The pairs of a stored state, so many numbers: see output/told_pairs.h. The caller frees them. */
int ts_results_pairs(ts_results *results, int64_t frame, int64_t *numbers, double **row);

#endif
