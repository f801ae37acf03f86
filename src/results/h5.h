/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of HDF5 that torsor uses; no other files depend on HDF5. See h5.c, h5_read.c.
 *
 *   ts_h5_create open flush close                     files
 *   ts_h5_group                                       groups
 *   ts_h5_array_new  dataset expect write read resize arrays of numbers that grow row by row
 *   ts_h5_array_put  array_get                        arrays that are written once
 *   ts_h5_table_new  table_read                       tables of named fields
 *   ts_h5_text_new   text_read                        one long text
 *   ts_h5_put_* get_*                                 attributes
 *   ts_h5_copy  copy_attributes                       from file to file
 *
 * Handles are HDF5's own (hid_t is an int64_t; negative means none). A failing call returns
 * TORSOR_EIO and leaves HDF5's innermost reason as the error message, without any file name: the
 * caller adds it.
 */
#ifndef TS_RESULTS_H5_H
#define TS_RESULTS_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/table.h"

typedef int64_t ts_h5;

/* A new file must not exist. A file opened to write has all caches of raw data off. */
int ts_h5_create(ts_h5 *out, const char *path);
int ts_h5_open(ts_h5 *out, const char *path, bool write);
int ts_h5_flush(ts_h5 file);
int ts_h5_close(ts_h5 file);    /* and everything opened in it */
void ts_h5_abandon(ts_h5 file); /* closes a file just created, without writing anything */
bool ts_h5_is_hdf5(const char *path);

int ts_h5_group(ts_h5 file, const char *name, const char *help);
bool ts_h5_exists(ts_h5 file, const char *name); /* an object with this path */

/* rows x [middle x] [width], of doubles or int64. The first dimension may be resized. */
typedef struct ts_h5_array {
    const char *name, *unit, *columns, *help; /* attributes; unit and columns may be NULL */
    bool integer;
    bool single; /* in the file 32 bits a number */
    bool blank;  /* rows not yet written read as NaN (and so are on the disk from the beginning) */
    int rank;
    uint64_t shape[3];
    uint64_t chunk; /* rows per chunk */
} ts_h5_array;

int ts_h5_array_new(ts_h5 file, const ts_h5_array *array);
int ts_h5_dataset(ts_h5 *out, ts_h5 file, const char *name, int *rank, uint64_t shape[3]);
/* One that we have just made: nothing about it needs to be looked at. */
int ts_h5_own_dataset(ts_h5 *out, ts_h5 file, const char *name);
int ts_h5_write(ts_h5 dataset, bool integer, int64_t first, int64_t rows, const void *data);
/* Opens an existing dataset of int64 or double with this rank. Unknown extents are given as -1; all
 * are filled in. None is larger than the file. */
int ts_h5_expect(ts_h5 *out, ts_h5 file, const char *name, bool integer, int rank,
                 int64_t extent[]);
/* Fails unless a row has exactly so many values: `data` has room for rows x values. */
int ts_h5_read(ts_h5 dataset, bool integer, int64_t first, int64_t rows, int64_t values,
               void *data);
int ts_h5_resize(ts_h5 dataset, int64_t rows);
void ts_h5_dataset_close(ts_h5 dataset);

/* A whole array, written once, with a checksum that is checked when it is read. The caller frees
 * the result of get, also when it fails. */
int ts_h5_array_put(ts_h5 file, const ts_h5_array *array, const void *data);
int ts_h5_array_get(ts_h5 file, const char *name, bool integer, int rank, int64_t extent[],
                    void **out);

/* Cells row by row. Read cells are one block to free, texts included. */
int ts_h5_table_new(ts_h5 file, const char *name, const char *help, int fields,
                    const ts_table_field *field, int64_t rows, const ts_table_cell *cells);
int ts_h5_table_read(ts_h5 file, const char *name, int fields, const ts_table_field *field,
                     int64_t *rows, ts_table_cell **cells);

int ts_h5_text_new(ts_h5 file, const char *name, const char *help, const char *text, size_t length);
int ts_h5_text_read(ts_h5 file, const char *name, char **text, size_t *length);

/* Attributes of an object ("/" is the file itself). Put makes or overwrites, in place; `size` is
 * the room for the text. */
int ts_h5_put_text(ts_h5 file, const char *object, const char *name, const char *text, size_t size);
int ts_h5_put_number(ts_h5 file, const char *object, const char *name, double value);
int ts_h5_put_integer(ts_h5 file, const char *object, const char *name, int64_t value);
int ts_h5_get_text(ts_h5 file, const char *object, const char *name, char *text, size_t size);
int ts_h5_get_number(ts_h5 file, const char *object, const char *name, double *value);
int ts_h5_get_integer(ts_h5 file, const char *object, const char *name, int64_t *value);

/* A checksum of the names and values of the relevant attributes of an object. */
int ts_h5_sum_attributes(ts_h5 file, const char *object, bool (*counts)(const char *name),
                         uint64_t *sum);
/* Something that files of older versions lack; a file with checksums must have it. */
int ts_h5_lacks(ts_h5 file, const char *name, bool *lacks);
/* Does the file have checksums? Then everything in it must have one. */
bool ts_h5_has_checksums(ts_h5 file);

/* Copies from one file to another: the attributes of the root, and an object with all below it. */
int ts_h5_copy_attributes(ts_h5 from, ts_h5 to);
int ts_h5_copy(ts_h5 from, ts_h5 to, const char *name);

#endif
