/* SPDX-License-Identifier: Apache-2.0 */
/* What h5.c, h5_read.c and h5_table.c share. */
#ifndef TS_RESULTS_H5_INNER_H
#define TS_RESULTS_H5_INNER_H

#include <hdf5.h>

#include "results/h5.h"

int ts_h5_fail(void); /* TORSOR_EIO, with HDF5's innermost reason */
int ts_h5_check(herr_t status);
int ts_h5_check_id(ts_h5 *out, hid_t id);

/* A text of fixed size in UTF-8, padded with zeros. */
hid_t ts_h5_text_type(size_t size);
/* Attributes of an object that is open: a text of just its length (NULL: none), the checksum. */
int ts_h5_put_words(ts_h5 object, const char *name, const char *text);
int ts_h5_put_sum(ts_h5 object, int64_t sum);
/* As ts_h5_array_new, and leaves it open. Close it, also when this fails. */
int ts_h5_array_make(ts_h5 *out, ts_h5 file, const ts_h5_array *array);

/* Opens an existing dataset that is stored completely and directly in this file: no link, no other
 * storage, no filter, not larger than the file. Close it by ts_h5_dataset_close. */
int ts_h5_open_plain(ts_h5 *out, ts_h5 file, const char *name);
/* All of a dataset from ts_h5_open_plain whose type and size were checked. */
int ts_h5_fetch_all(ts_h5 set, hid_t type, void *data);

/* The checksum of a dataset that is written once. In a file with checksums, check fails also if it
 * is missing. */
int ts_h5_put_seal(ts_h5 set, const void *bytes, size_t size);
int ts_h5_check_seal(ts_h5 file, const char *name, const void *bytes, size_t size);

#endif
